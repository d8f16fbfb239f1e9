//===-- Launch.cpp - warpwright launch ------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler launcher: `warpwright launch nvcc <arguments>` rewrites every
/// annotated input into a temporary file and runs nvcc on those files. A
/// failure here must not break a build that works without the launcher: nvcc
/// then gets the original source, with a warning, unless --strict is given.
///
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "Pipeline.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "warpwright/Frontend/Region.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace warpwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// A folder that is deleted, with its contents, by the destructor.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    if (!Path.empty())
      fs::remove_directories(Path);
  }

  /// A new folder inside of it, made on first use.
  llvm::Expected<std::string> makeSubfolder() {
    if (Path.empty())
      if (std::error_code EC = fs::createUniqueDirectory("warpwright", Path)) {
        llvm::SmallString<128> Parent;
        path::system_temp_directory(/*ErasedOnReboot=*/true, Parent);
        return failed(Parent, EC);
      }
    llvm::SmallString<128> Folder(Path);
    path::append(Folder, std::to_string(Count++));
    if (std::error_code EC = fs::create_directory(Folder))
      return failed(Folder, EC);
    return Folder.str().str();
  }

private:
  static llvm::Error failed(const llvm::Twine &Where, std::error_code Why) {
    return llvm::createStringError("no temporary folder in '" + Where +
                                   "': " + Why.message());
  }

  llvm::SmallString<128> Path;
  unsigned Count = 0;
};

/// An input of nvcc that is replaced by another file.
struct Replacement {
  size_t Index;          ///< in CompileCommand::Args
  std::string Original;  ///< as the user typed it
  std::string Rewritten; ///< full path
  bool HasSections;      ///< sections in the original that may be stale
};

class Launcher {
public:
  Launcher(const CommandLine &Line, bool Strict, GuardOptions Guard,
           std::string Nvcc)
      : Line(Line), Strict(Strict), Guard(std::move(Guard)),
        Nvcc(std::move(Nvcc)) {}

  int run(llvm::ArrayRef<std::string> Args);

private:
  int runCompiler(llvm::ArrayRef<std::string> Args) const;
  void rewriteInput(const CommandInput &Input,
                    const std::vector<std::string> &ClangArgs);
  int writeRewritten(const CommandInput &Input,
                     const std::vector<std::string> &ClangArgs,
                     llvm::StringRef Path) const;
  void checkImages(const CompileCommand &Command);
  void leaveUntouched(const CommandInput &Input, llvm::StringRef Why);
  void refuseStale(const CommandInput &Input, llvm::StringRef Why);
  void refuse(const CommandInput &Input, llvm::StringRef Why);
  void restoreDepFile(const CompileCommand &Command) const;
  int passThrough(llvm::ArrayRef<std::string> Args) const {
    return runCompiler(Args);
  }

  const CommandLine &Line;
  bool Strict;
  GuardOptions Guard;
  bool HostIsClang = false;
  std::string Nvcc;
  TemporaryFolder Folder;
  std::vector<Replacement> Replacements;
  bool Refused = false; ///< --strict, and something could not be rewritten
};

} // namespace

/// What becomes of a source that is not rewritten.
static constexpr char AsItIs[] = "compiled as it is";

/// The status of a compiler that cannot be started, as a shell reports it.
static constexpr int NotRun = 127;

int Launcher::runCompiler(llvm::ArrayRef<std::string> Args) const {
  auto Program = llvm::sys::findProgramByName(Nvcc);
  if (!Program) {
    reportPlain(DiagID::CannotRun, {Nvcc, Program.getError().message()});
    return NotRun;
  }
  llvm::SmallVector<llvm::StringRef, 32> Argv = {Nvcc};
  Argv.append(Args.begin(), Args.end());
  std::string Message;
  bool Failed = false;
  int Status = llvm::sys::ExecuteAndWait(*Program, Argv, std::nullopt, {},
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                         &Message, &Failed);
  if (Failed) {
    reportPlain(DiagID::CannotRun, {Nvcc, Message});
    return NotRun;
  }
  // Killed by a signal: the status that a shell would report.
  return Status < 0 ? 128 - Status : Status;
}

static bool hasSections(llvm::StringRef Text) {
  return Text.contains("// >>> warpwright:") ||
         Text.contains("// <<< warpwright:");
}

/// A section that cannot be generated anew must not be compiled as it is.
void Launcher::refuseStale(const CommandInput &Input, llvm::StringRef Why) {
  reportPlain(DiagID::StaleSection,
              {Input.Path, Why.empty() ? "see above" : Why.str()});
  Refused = true;
}

/// Nothing was found out about \p Input, if it is ours at all.
void Launcher::refuse(const CommandInput &Input, llvm::StringRef Why) {
  auto Buffer = llvm::MemoryBuffer::getFile(Input.Path);
  if (!Buffer || !(*Buffer)->getBuffer().contains("warpwright"))
    return;
  if (hasSections((*Buffer)->getBuffer()))
    return refuseStale(Input, Why);
  leaveUntouched(Input, Why);
}

void Launcher::leaveUntouched(const CommandInput &Input, llvm::StringRef Why) {
  reportPlain(DiagID::LaunchUntouched,
              {Input.Path, Why.empty() ? "" : (": " + Why).str(),
               Strict ? "not compiled" : AsItIs},
              Strict);
  Refused |= Strict;
}

namespace {

/// The result of writeRewritten, a set of bits.
enum RewriteResult {
  RR_Written = 1,   ///< there is a rewritten file
  RR_Failed = 2,    ///< an error, reported or in ProblemFile
  RR_Annotated = 4, ///< it has pragmas
  RR_Declined = 8,
};

/// The file next to the rewritten one that has the reason why it could not be
/// made.
constexpr llvm::StringLiteral ProblemFile = ".problem";

} // namespace

/// Rewrites \p Input into the file \p Path. The result is a RewriteResult.
int Launcher::writeRewritten(const CommandInput &Input,
                             const std::vector<std::string> &ClangArgs,
                             llvm::StringRef Path) const {
  ParseOptions Parse;
  Parse.ClangArgs = ClangArgs;
  Parse.HostIsClang = HostIsClang;
  Parse.Strict = Strict;
  Parse.ErrorsAsWarnings = !Strict;
  Parse.Quiet = true;
  std::string Text;
  std::string Problem;
  bool Failed = false;
  ParseResult Parsed = parseFile(Input.Path, Parse, [&](ParsedFile &File) {
    if (File.Regions.empty())
      return;
    PipelineResult Result = runPipeline(File);
    Failed = Result.Failed;
    std::vector<KernelUnit> Units = Result.takeUnits();
    if (Units.empty())
      return;
    FileSource Source{
        Input.Path, File.Text, {}, getCommandLineMacros(File), File.ByAddress};
    llvm::StringRef From = path::parent_path(Input.Path);
    Source.OldPlans = File.OldPlans;
    Source.Edits = retargetIncludes(File.Text, From, "", true);
    llvm::Expected<std::string> Generated = generate(Source, Units);
    if (Generated)
      Text = std::move(*Generated);
    else
      Problem = llvm::toString(Generated.takeError());
  });
  Failed |= Parsed.Failed;
  if (!Failed && Problem.empty() && !Text.empty())
    if (llvm::Error E = writeOutput(Path, Text))
      Problem = llvm::toString(std::move(E));
  if (!Problem.empty()) {
    llvm::SmallString<128> File(path::parent_path(Path));
    path::append(File, ProblemFile);
    llvm::consumeError(writeOutput(File, Problem));
  }
  int Result = 0;
  if (Failed || !Problem.empty())
    Result |= RR_Failed;
  else if (!Text.empty())
    Result |= RR_Written;
  if (Parsed.NumPragmas)
    Result |= RR_Annotated;
  if (Parsed.NumDeclines)
    Result |= RR_Declined;
  return Result;
}

void Launcher::rewriteInput(const CommandInput &Input,
                            const std::vector<std::string> &ClangArgs) {
  auto Buffer = llvm::MemoryBuffer::getFile(Input.Path);
  if (!Buffer)
    return; // nvcc reports a file that cannot be read
  const bool HasSections = hasSections((*Buffer)->getBuffer());
  if (!HasSections && !maySeePragma(Input.Path, ClangArgs))
    return;
  llvm::Expected<std::string> Into = Folder.makeSubfolder();
  if (!Into)
    return leaveUntouched(Input, llvm::toString(Into.takeError()));
  llvm::SmallString<128> Path(*Into);
  // nvcc names its outputs after its inputs.
  path::append(Path, path::filename(Input.Path));

  std::string Why;
  std::optional<int> Result = runGuarded(
      Guard, [&] { return writeRewritten(Input, ClangArgs, Path); }, Why);
  if (!Result && HasSections)
    return refuseStale(Input, Why);
  if (!Result) {
    reportPlain(DiagID::ToolFailed,
                {Input.Path, Why,
                 Strict ? "nothing is compiled" : "it is compiled as it is"},
                Strict);
    Refused |= Strict;
    return;
  }
  bool Annotated =
      (*Result & RR_Annotated) || (*Buffer)->getBuffer().contains("warpwright");
  if ((*Result & RR_Failed) && Annotated) {
    llvm::SmallString<128> File(*Into);
    path::append(File, ProblemFile);
    auto Problem = llvm::MemoryBuffer::getFile(File);
    if (HasSections)
      return refuseStale(Input, Problem ? (*Problem)->getBuffer() : "");
    return leaveUntouched(Input, Problem ? (*Problem)->getBuffer() : "");
  }
  if (Strict && (*Result & RR_Declined))
    Refused = true;
  if (*Result & RR_Written)
    Replacements.push_back(
        {Input.Index, Input.Path, Path.str().str(), HasSections});
}

/// Hopper kernels are in the image for sm_90a only.
void Launcher::checkImages(const CompileCommand &Command) {
  std::optional<MissingImage> Missing = findMissingHopperImage(Command);
  if (!Missing)
    return;
  for (const Replacement &Each : Replacements)
    reportPlain(DiagID::NoHopperImage,
                {Each.Original, Missing->Why, Missing->Advice}, Strict);
  Refused |= Strict && !Replacements.empty();
}

/// In a file of dependencies, spaces and `#` have a backslash before them.
static std::string escapeForMake(llvm::StringRef Path) {
  std::string Text;
  for (char C : Path) {
    if (C == ' ' || C == '#')
      Text += '\\';
    Text += C;
  }
  return Text;
}

/// Replaces the names of rewritten files in the dependency file by those of the
/// user's sources.
void Launcher::restoreDepFile(const CompileCommand &Command) const {
  if (!Command.WritesDepFile)
    return;
  std::string DepFile = Command.DepFile;
  if (DepFile.empty()) {
    // nvcc: the output, or the input's name, with `.d`.
    llvm::SmallString<128> Name(Command.Output.empty()
                                    ? path::filename(Replacements[0].Original)
                                    : llvm::StringRef(Command.Output));
    path::replace_extension(Name, "d");
    DepFile = Name.str().str();
  }
  auto Buffer = llvm::MemoryBuffer::getFile(DepFile, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!Buffer)
    return;
  std::string Text = (*Buffer)->getBuffer().str();
  for (const Replacement &Each : Replacements) {
    std::string From = escapeForMake(Each.Rewritten);
    std::string To = escapeForMake(Each.Original);
    for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos;
         At += To.size())
      Text.replace(At, From.size(), To);
  }
  Buffer->reset();
  if (llvm::Error E = writeOutput(DepFile, Text))
    reportError(std::move(E));
}

int Launcher::run(llvm::ArrayRef<std::string> Args) {
  // nvcc adds flags from its environment.
  std::vector<std::string> All;
  auto AddFromEnvironment = [&](const char *Name) {
    const char *Value = std::getenv(Name);
    if (!Value)
      return;
    llvm::BumpPtrAllocator Allocator;
    llvm::StringSaver Saver(Allocator);
    llvm::SmallVector<const char *, 8> Tokens;
    llvm::cl::TokenizeGNUCommandLine(Value, Saver, Tokens);
    All.insert(All.end(), Tokens.begin(), Tokens.end());
  };
  AddFromEnvironment("NVCC_PREPEND_FLAGS");
  size_t Prepended = All.size();
  All.insert(All.end(), Args.begin(), Args.end());
  size_t Own = All.size();
  AddFromEnvironment("NVCC_APPEND_FLAGS");

  llvm::Expected<CompileCommand> Command = parseCommand(All, "");
  if (!Command) {
    if (Strict) {
      reportError(Command.takeError());
      return 1;
    }
    // nvcc may know the flag; if not, it reports that itself.
    std::string Why;
    llvm::handleAllErrors(Command.takeError(), [&](const DiagError &D) {
      const std::string &Word = D.getArguments().front();
      Why = D.getDiagID() == DiagID::BadResponseFile
                ? ": response file '" + Word + "' cannot be read"
                : ": compile flag '" + Word + "' is not understood";
    });
    for (const std::string &Arg : Args)
      if (llvm::StringRef(Arg).ends_with(".cu")) {
        reportPlain(DiagID::LaunchUntouched, {Arg, Why, AsItIs});
        break;
      }
    return passThrough(Args);
  }
  using Phase = CompileCommand::Phase;
  bool AnyCuda = llvm::any_of(Command->Inputs,
                              [](const CommandInput &I) { return I.IsCuda; });
  if (!AnyCuda || Command->What == Phase::Preprocess ||
      Command->What == Phase::Information)
    return passThrough(Args);

  auto Toolkit = findToolkit(*Command, Nvcc);
  if (!Toolkit) {
    std::string Why;
    llvm::handleAllErrors(Toolkit.takeError(), [&](const DiagError &D) {
      Why = "there is no CUDA Toolkit at '" + D.getArguments().front() + "'";
    });
    for (const CommandInput &Input : Command->Inputs)
      if (Input.IsCuda)
        refuse(Input, Why);
    return Refused ? 1 : passThrough(Args);
  }
  HostIsClang = hasClangHost(*Command, Nvcc);
  ToolPaths Paths = getToolPaths(Line.Executable);
  std::vector<std::string> ClangArgs = makeClangArgs(*Command, *Toolkit, Paths);
  for (const CommandInput &Input : Command->Inputs)
    if (Input.IsCuda)
      rewriteInput(Input, ClangArgs);
  checkImages(*Command);
  if (Refused)
    return 1;
  if (Replacements.empty())
    return passThrough(Args);

  // nvcc itself adds the flags of the environment.
  std::vector<std::string> Changed = Command->Args;
  for (const Replacement &Each : Replacements)
    Changed[Each.Index] = Each.Rewritten;
  size_t Appended = All.size() - Own;
  std::vector<std::string> Final(Changed.begin() + Prepended,
                                 Changed.end() - Appended);
  Final.push_back("-isystem");
  Final.push_back(Paths.RuntimeInclude);
  // The pragma remains in the file, where `-Xcompiler -Wall,-Werror` would make
  // it an error; g++ 12 has no other way to ignore it.
  Final.push_back("-Xcompiler");
  Final.push_back("-Wno-unknown-pragmas");
  int Status = runCompiler(Final);
  if (Status == 0) {
    restoreDepFile(*Command);
    return 0;
  }
  if (Status == NotRun || Strict ||
      llvm::any_of(Replacements,
                   [](const Replacement &Each) { return Each.HasSections; }))
    return Status;
  // If nvcc rejects the rewritten file only, the original is compiled instead.
  int Plain = passThrough(Args);
  if (Plain == 0)
    for (const Replacement &Each : Replacements)
      reportPlain(
          DiagID::LaunchUntouched,
          {Each.Original, ": nvcc rejected the rewritten file", AsItIs});
  return Plain;
}

int warpwright::runLaunch(const CommandLine &Line) {
  llvm::ArrayRef<std::string> Args(Line.Args);
  // The compiler's name ends the options of this tool.
  const size_t Count =
      llvm::find_if(Args,
                    [](llvm::StringRef Arg) { return !Arg.starts_with("-"); }) -
      Args.begin();
  GuardOptions Guard;
  llvm::Expected<Arguments> Given =
      Arguments::parse(Args.take_front(Count), LaunchOption);
  if (llvm::Error E =
          Given ? readGuardOptions(*Given, Guard) : Given.takeError()) {
    reportError(std::move(E));
    return ES_Failure;
  }
  Args = Args.drop_front(Count);
  if (Args.empty()) {
    reportError(makeUsageError("no compiler to launch"));
    return ES_Failure;
  }
  return Launcher(Line, Given->has(OPT_strict), Guard, Args.front())
      .run(Args.drop_front());
}
