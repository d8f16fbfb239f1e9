//===-- Options.cpp - Options of the subcommands that read sources --------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

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

namespace {

/// Reads options one by one: `--name=value`, `--name value`, `-n value`.
class OptionReader {
public:
  explicit OptionReader(llvm::ArrayRef<std::string> Args) : Args(Args) {}

  bool atEnd() const { return Next == Args.size(); }
  llvm::StringRef take() { return Args[Next++]; }

  /// True if \p Arg is option \p Name with a value, which goes to \p Value.
  bool matchValue(llvm::StringRef Arg, llvm::StringRef Name, std::string &Value,
                  llvm::Error &E) {
    if (Arg == Name) {
      if (atEnd()) {
        E = llvm::joinErrors(std::move(E), makeUsageError("option '" + Name +
                                                          "' needs a value"));
        return true;
      }
      Value = take().str();
      return true;
    }
    if (Arg.consume_front(Name) && Arg.consume_front("=")) {
      Value = Arg.str();
      return true;
    }
    return false;
  }

private:
  llvm::ArrayRef<std::string> Args;
  size_t Next = 0;
};

} // namespace

static llvm::Error makeUnknownOption(llvm::StringRef Arg) {
  static constexpr llvm::StringLiteral Known[] = {
      "--in-place",  "--emit",        "--plan",  "--svg",    "--strict",
      "--extra-arg", "--certificate", "--check", "--revert", "-o",
      "-p"};
  auto [Name, Value] = Arg.split('=');
  llvm::StringRef Best;
  unsigned BestDistance = 3;
  for (llvm::StringRef Each : Known)
    if (unsigned Distance = Name.edit_distance(Each);
        Each.size() > 2 && Distance < BestDistance) {
      Best = Each;
      BestDistance = Distance;
    }
  if (Best.empty())
    return makeUsageError("unknown option '" + Name +
                          "'; flags for the compiler go behind '--'");
  return makeUsageError("unknown option '" + Name + "'; did you mean '" + Best +
                        "'?");
}

llvm::Expected<SourceOptions>
warpwright::parseSourceOptions(const CommandLine &Line, bool WritesOutput) {
  SourceOptions Options;
  OptionReader Reader(Line.Args);
  llvm::Error E = llvm::Error::success();
  llvm::consumeError(std::move(E));
  E = llvm::Error::success();
  bool HasOutput = false;
  while (!Reader.atEnd()) {
    llvm::StringRef Arg = Reader.take();
    std::string Value;
    if (Arg == "--") {
      while (!Reader.atEnd())
        Options.Flags.push_back(Reader.take().str());
      break;
    }
    if (Arg == "--strict") {
      Options.Strict = true;
    } else if (Arg == "--no-check") {
      Options.Check = false;
    } else if (Arg.consume_front("--simulate-mistake=")) {
      Options.Mistake = Arg.str();
    } else if (WritesOutput && Arg == "--certificate") {
      Options.Certificate = true;
    } else if (WritesOutput && Arg == "--check") {
      Options.OnlyCompare = true;
    } else if (WritesOutput && Arg == "--revert") {
      Options.Revert = true;
    } else if (WritesOutput && Arg == "--in-place") {
      Options.InPlace = true;
    } else if (WritesOutput &&
               Reader.matchValue(Arg, "-o", Options.Output, E)) {
      HasOutput = true;
      if (Options.Output.empty() && !E)
        E = makeUsageError("option '-o' needs a file");
    } else if (WritesOutput &&
               Reader.matchValue(Arg, "--emit", Options.Emit, E)) {
      if (Options.Emit != "regions" && Options.Emit != "ir" &&
          Options.Emit != "contraction" && Options.Emit != "plan" &&
          Options.Emit != "plan-json" && Options.Emit != "cuda")
        E = llvm::joinErrors(
            std::move(E),
            makeUsageError("nothing to emit called '" + Options.Emit +
                           "'; expected 'contraction', 'plan' or 'cuda'"));
    } else if (!WritesOutput &&
               Reader.matchValue(Arg, "--svg", Options.SvgFolder, E)) {
      if (Options.SvgFolder.empty() && !E)
        E = makeUsageError("option '--svg' needs a folder");
    } else if (Reader.matchValue(Arg, "--plan", Options.PlanFile, E) ||
               Reader.matchValue(Arg, "-p", Options.BuildPath, E)) {
    } else if (Reader.matchValue(Arg, "--extra-arg", Value, E)) {
      Options.ExtraArgs.push_back(Value);
    } else if (llvm::Expected<bool> Taken = takeGuardOption(Arg, Options.Guard);
               !Taken) {
      E = llvm::joinErrors(std::move(E), Taken.takeError());
    } else if (*Taken) {
    } else if (Arg.size() > 1 && Arg.starts_with("-")) {
      E = llvm::joinErrors(std::move(E), makeUnknownOption(Arg));
    } else if (Options.Input.empty()) {
      Options.Input = Arg.str();
    } else {
      E = llvm::joinErrors(
          std::move(E), makeUsageError("more than one input: '" +
                                       Options.Input + "' and '" + Arg + "'"));
    }
    if (E)
      return E;
  }
  if (E)
    return E;
  if (Options.Input.empty() || Options.Input == "-")
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

/// Replaces \p Path by the new file in one step, keeping its permissions.
static llvm::Error replaceFile(llvm::StringRef Path, llvm::StringRef Text,
                               const llvm::sys::fs::file_status *Old) {
  namespace fs = llvm::sys::fs;
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
  const bool Exists = !fs::status(Path, Status) && fs::exists(Status);
  if (Path == "-") {
    E = llvm::errorCodeToError(writeThrough(llvm::outs(), Text));
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
