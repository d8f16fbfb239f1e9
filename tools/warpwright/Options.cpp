//===-- Options.cpp - Options of the subcommands that read sources --------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>
#include <csignal>
#include <unistd.h>

using namespace warpwright;

llvm::Error warpwright::makeUsageError(const llvm::Twine &Message) {
  return llvm::make_error<DiagError>(DiagID::Usage,
                                     std::vector<std::string>{Message.str()});
}

llvm::Error warpwright::makeInternalError(llvm::StringRef Input,
                                          llvm::Error E) {
  return llvm::make_error<DiagError>(
      DiagID::ToolFailed,
      std::vector<std::string>{Input.str(),
                               "found its own result to be wrong (" +
                                   llvm::toString(std::move(E)) + ")",
                               "nothing was written"});
}

llvm::Expected<SourceOptions>
warpwright::makeSourceOptions(const Arguments &Given) {
  SourceOptions Options;
  Options.Strict = Given.has(OPT_strict);
  Options.Check = !Given.has(OPT_no_check);
  Options.Mistake = Given.valueOrEmpty(OPT_simulate_mistake);
  Options.Certificate = Given.has(OPT_certificate);
  Options.OnlyCompare = Given.has(OPT_check);
  Options.Revert = Given.has(OPT_revert);
  Options.InPlace = Given.has(OPT_in_place);
  Options.Output = Given.valueOrEmpty(OPT_o);
  Options.Emit = Given.valueOrEmpty(OPT_emit);
  Options.SvgFolder = Given.valueOrEmpty(OPT_svg);
  Options.PlanFile = Given.valueOrEmpty(OPT_plan);
  Options.BuildPath = Given.valueOrEmpty(OPT_p);
  Options.ExtraArgs = Given.values(OPT_extra_arg);
  Options.Flags = Given.BehindDashes;
  const bool HasOutput = Given.has(OPT_o);
  static constexpr llvm::StringLiteral Emitted[] = {
      "regions", "ir", "contraction", "plan", "plan-json", "cuda"};
  if (Given.has(OPT_emit) && !llvm::is_contained(Emitted, Options.Emit))
    return makeUsageError("nothing to emit called '" + Options.Emit +
                          "'; expected 'contraction', 'plan' or 'cuda'");
  if (llvm::Error E = readGuardOptions(Given, Options.Guard))
    return E;
  if (Given.Inputs.size() > 1)
    return makeUsageError("more than one input: '" + Given.Inputs[0] +
                          "' and '" + Given.Inputs[1] + "'");
  if (!Given.Inputs.empty())
    Options.Input = Given.Inputs.front();
  if (Options.Input == "-")
    return makeUsageError("'-' is no input file: standard input is not read");
  if (Options.Input.empty())
    return makeUsageError("no input file");
  if (Options.InPlace && HasOutput)
    return makeUsageError("'--in-place' and '-o' exclude each other");
  if (Options.OnlyCompare &&
      (Options.InPlace || HasOutput || !Options.Emit.empty()))
    return makeUsageError("'--check' writes nothing; it excludes '-o', "
                          "'--in-place' and '--emit'");
  if (Options.Revert && (Options.Certificate || !Options.Emit.empty() ||
                         !Options.PlanFile.empty()))
    return makeUsageError("'--revert' plans nothing; it excludes '--emit', "
                          "'--plan' and '--certificate'");
  if (Options.InPlace && !Options.Emit.empty() && Options.Emit != "cuda")
    return makeUsageError("'--in-place' writes CUDA, not '" + Options.Emit +
                          "'");
  return Options;
}

llvm::Expected<ParseOptions>
warpwright::makeParseOptions(const SourceOptions &Options,
                             llvm::StringRef Executable) {
  ParseOptions Parse;
  Parse.Strict = Options.Strict;
  std::vector<std::string> Flags;
  std::string Compiler;
  if (!Options.BuildPath.empty()) {
    llvm::Expected<DatabaseCommand> Entry =
        loadCompileCommand(Options.BuildPath, Options.Input);
    if (!Entry)
      return Entry.takeError();
    Flags = std::move(Entry->Args);
    Compiler = Entry->Compiler;
    Parse.Directory = Entry->Directory;
  }
  Flags.insert(Flags.end(), Options.ExtraArgs.begin(), Options.ExtraArgs.end());
  Flags.insert(Flags.end(), Options.Flags.begin(), Options.Flags.end());
  llvm::Expected<CompileCommand> Command = parseCommand(Flags, Parse.Directory);
  if (!Command)
    return Command.takeError();
  for (const CommandInput &Other : Command->Inputs)
    if (Options.BuildPath.empty())
      return makeUsageError("'" + Other.Path +
                            "' behind '--' is not a flag; the input stands "
                            "before it");
  Parse.HostIsClang = hasClangHost(*Command, Compiler);
  if (llvm::StringRef(Compiler).contains("nvcc"))
    Compiler = llvm::sys::path::is_absolute(Compiler) ? Compiler : "nvcc";
  else
    Compiler.clear();
  auto Toolkit = findToolkit(*Command, Compiler);
  if (!Toolkit)
    return Toolkit.takeError();
  Parse.ClangArgs = makeClangArgs(*Command, *Toolkit, getToolPaths(Executable));
  return Parse;
}

std::string warpwright::getParsePath(const ParseOptions &Parse,
                                     llvm::StringRef Path) {
  if (Parse.Directory.empty())
    return Path.str();
  llvm::SmallString<128> Here;
  if (!llvm::sys::fs::current_path(Here) && Here == Parse.Directory)
    return Path.str();
  llvm::SmallString<128> Absolute(Path);
  llvm::sys::fs::make_absolute(Absolute);
  return Absolute.str().str();
}

llvm::Error warpwright::checkInput(llvm::StringRef Path) {
  namespace fs = llvm::sys::fs;
  fs::file_status Status;
  std::string Why;
  if (const std::error_code E = fs::status(Path, Status))
    Why = E == std::errc::no_such_file_or_directory ? "no such file"
                                                    : E.message();
  else if (fs::is_directory(Status))
    Why = "it is a folder";
  else if (!fs::is_regular_file(Status)) // a pipe gives its text once
    Why = "it is not a regular file, and is read more than once";
  if (Why.empty())
    return llvm::Error::success();
  return llvm::make_error<DiagError>(DiagID::CannotRead,
                                     std::vector<std::string>{Path.str(), Why});
}

llvm::Error warpwright::checkNotOutput(llvm::StringRef Output,
                                       llvm::StringRef Input,
                                       llvm::StringRef What) {
  bool Same = false;
  if (Output.empty() || Output == "-" || Input.empty() ||
      llvm::sys::fs::equivalent(Input, Output, Same) || !Same)
    return llvm::Error::success();
  return llvm::make_error<DiagError>(
      DiagID::OutputIsInput,
      std::vector<std::string>{Output.str(), What.str()});
}

/// Writes to a path that is not a regular file: a pipe, a device.
static std::error_code writeThrough(llvm::raw_fd_ostream &OS,
                                    llvm::StringRef Text) {
  // A reader that has closed its end (`| head`) is a write error like any
  // other.
  std::signal(SIGPIPE, SIG_IGN);
  OS << Text;
  OS.flush();
  const std::error_code Error = OS.error();
  OS.clear_error();
  return Error;
}

/// The file that writing to \p Path writes to: where symbolic links lead, even
/// if there is no file yet.
static llvm::SmallString<128> followLinks(llvm::StringRef Path) {
  namespace path = llvm::sys::path;
  llvm::SmallString<128> Result = Path;
  char Target[PATH_MAX];
  // The caller has asked the system about the path, so it is no circle.
  while (true) {
    const ssize_t Size = readlink(Result.c_str(), Target, sizeof Target);
    if (Size < 0)
      return Result;
    const llvm::StringRef To(Target, size_t(Size));
    if (path::is_absolute(To)) {
      Result = To;
    } else {
      path::remove_filename(Result);
      path::append(Result, To);
    }
  }
}

/// Replaces \p Given by the new file in one step, keeping its permissions. A
/// symbolic link stays one, and the file to which it points is replaced.
static llvm::Error replaceFile(llvm::StringRef Given, llvm::StringRef Text,
                               const llvm::sys::fs::file_status *Old) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<128> Path = followLinks(Given);
  // A file that nobody may write stays as it is, although its folder may allow
  // to put another one in its place and the superuser may write to any.
  constexpr unsigned AnyWrite = fs::all_write;
  if (Old &&
      (!(unsigned(Old->permissions()) & AnyWrite) || !fs::can_write(Path)))
    return llvm::errorCodeToError(
        std::make_error_code(std::errc::permission_denied));
  const unsigned Mode = Old ? unsigned(Old->permissions() & fs::all_perms)
                            : unsigned(fs::all_read | fs::all_write);
  llvm::Expected<fs::TempFile> Temp =
      fs::TempFile::create(Path + ".tmp-%%%%%%%%", Mode);
  if (!Temp)
    return Temp.takeError();
  llvm::raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
  OS << Text;
  OS.flush();
  const std::error_code Error = OS.error();
  OS.clear_error();
  if (Error)
    return llvm::joinErrors(llvm::errorCodeToError(Error), Temp->discard());
  // The umask applies when a file is created.
  if (Old)
    if (std::error_code E = fs::setPermissions(Temp->FD, Old->permissions()))
      return llvm::joinErrors(llvm::errorCodeToError(E), Temp->discard());
  return Temp->keep(Path);
}

llvm::Error warpwright::writeOutput(llvm::StringRef Path,
                                    llvm::StringRef Text) {
  namespace fs = llvm::sys::fs;
  if (Path.empty())
    Path = "-";
  llvm::Error E = llvm::Error::success();
  fs::file_status Status;
  const std::error_code Unreachable = fs::status(Path, Status);
  const bool Exists = !Unreachable && fs::exists(Status);
  // `/dev/stdout` is the file to which the shell has opened stdout, whose
  // position counts.
  fs::file_status Stdout;
  const bool IsStdout =
      Exists && !fs::status(fs::convertFDToNativeFile(STDOUT_FILENO), Stdout) &&
      fs::equivalent(Status, Stdout);
  if (Path == "-" || IsStdout) {
    E = llvm::errorCodeToError(writeThrough(llvm::outs(), Text));
  } else if (Unreachable &&
             Unreachable != std::errc::no_such_file_or_directory) {
    E = llvm::errorCodeToError(Unreachable);
  } else if (Exists && Status.type() != fs::file_type::regular_file) {
    std::error_code Error;
    llvm::raw_fd_ostream OS(Path, Error);
    if (!Error)
      Error = writeThrough(OS, Text);
    E = llvm::errorCodeToError(Error);
  } else {
    E = replaceFile(Path, Text, Exists ? &Status : nullptr);
  }
  if (!E)
    return llvm::Error::success();
  return llvm::make_error<DiagError>(
      DiagID::CannotWrite,
      std::vector<std::string>{Path.str(),
                               llvm::errorToErrorCode(std::move(E)).message()});
}

int warpwright::runSubcommand(const GuardOptions &Options,
                              llvm::StringRef Input,
                              llvm::function_ref<llvm::Expected<int>()> Work) {
  std::string Why;
  std::optional<int> Status = runGuarded(
      Options,
      [&]() -> int {
        llvm::Expected<int> Result = Work();
        if (Result)
          return *Result;
        reportError(Result.takeError());
        return ES_Failure;
      },
      Why);
  if (Status)
    return *Status;
  reportPlain(DiagID::ToolFailed, {Input.str(), Why, "nothing was written"},
              /*Strict=*/true);
  return ES_Failure;
}
