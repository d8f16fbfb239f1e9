//===-- Verify.cpp - warpwright verify ------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lifts and rewrites a source, draws arguments for each of its kernels, writes
/// the program that compares both versions, and runs it: in the simulator, as
/// `warpwright sim` would, or built by nvcc on the GPU of this machine.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Verify/Verify.h"
#include "Arguments.h"
#include "Driver.h"
#include "Pipeline.h"
#include "VerifySubject.h"
#include "warpwright/Frontend/Region.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

struct VerifyCommand {
  SourceOptions Source;
  DrawOptions Draw;
  bool OnGpu = false;
  bool BuildOnly = false;   ///< --build-only
  std::string Arch = "90a"; ///< --arch
  std::string TestFile;     ///< --emit-test
  /// --link: sources, objects and libraries that the program needs
  std::vector<std::string> Links;
  bool Keep = false;
  std::string KeepFolder;
};

/// The result of one parse.
struct Harness {
  std::string Text;
  unsigned NumDeclines = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static llvm::Error parseShapes(llvm::StringRef Text, DrawOptions &Options) {
  llvm::SmallVector<llvm::StringRef, 8> Shapes;
  Text.split(Shapes, ',');
  for (llvm::StringRef Shape : Shapes) {
    llvm::SmallVector<llvm::StringRef, 3> Parts;
    Shape.trim().split(Parts, 'x');
    std::array<int64_t, 3> Extents = {};
    bool Good = Parts.size() == 3;
    for (size_t I = 0; Good && I != 3; ++I)
      Good = !Parts[I].getAsInteger(10, Extents[I]) && Extents[I] >= 0 &&
             Extents[I] < (1 << 24);
    if (!Good)
      return makeUsageError("'--shapes' takes sizes such as 128x256x64, "
                            "separated by commas, not '" +
                            Shape + "'");
    Options.Shapes.push_back(Extents);
  }
  return llvm::Error::success();
}

static llvm::Error parseSet(llvm::StringRef Text, DrawOptions &Options) {
  auto [Name, Value] = Text.split('=');
  double Number = 0;
  if (Name.empty() || Value.getAsDouble(Number))
    return makeUsageError("'--set' takes a parameter and its value, such as "
                          "lda=128, not '" +
                          Text + "'");
  Options.Set[Name.str()] = Number;
  return llvm::Error::success();
}

static llvm::Expected<VerifyCommand> parseVerify(const CommandLine &Line) {
  llvm::Expected<Arguments> Given = Arguments::parse(Line.Args, VerifyOption);
  if (!Given)
    return Given.takeError();
  VerifyCommand Command;
  if (std::optional<llvm::StringRef> Shapes = Given->value(OPT_shapes))
    if (llvm::Error E = parseShapes(*Shapes, Command.Draw))
      return E;
  for (const std::string &Set : Given->values(OPT_set))
    if (llvm::Error E = parseSet(Set, Command.Draw))
      return E;
  if (std::optional<llvm::StringRef> Count = Given->value(OPT_count))
    if (Count->getAsInteger(10, Command.Draw.Count) || !Command.Draw.Count)
      return makeUsageError("'--count' takes a number of shapes, not '" +
                            *Count + "'");
  if (std::optional<llvm::StringRef> Seed = Given->value(OPT_seed))
    if (Seed->getAsInteger(10, Command.Draw.Seed))
      return makeUsageError("'--seed' takes a number, not '" + *Seed + "'");
  if (std::optional<llvm::StringRef> Arch = Given->value(OPT_arch)) {
    Arch->consume_front("sm_");
    Command.Arch = Arch->str();
  }
  Command.TestFile = Given->valueOrEmpty(OPT_emit_test);
  Command.Links = Given->values(OPT_link);
  Command.OnGpu = Given->has(OPT_gpu);
  Command.BuildOnly = Given->has(OPT_build_only);
  Command.Keep = Given->has(OPT_keep) || Given->has(OPT_keep_in);
  Command.KeepFolder = Given->valueOrEmpty(OPT_keep_in);
  if (Command.BuildOnly && (!Command.OnGpu || Command.KeepFolder.empty()))
    return makeUsageError("'--build-only' goes with '--gpu' and '--keep=DIR'");
  if (Command.OnGpu) {
    Command.Draw.WorkLimit = int64_t(1) << 32;
    Command.Draw.Multiprocessors = 132;
  } else {
    // The simulated GPU's memory is this machine's.
    constexpr int64_t MostElements = int64_t(1) << 30;
    for (const auto &[M, N, K] : Command.Draw.Shapes)
      if (std::max({M * K, K * N, M * N}) > MostElements)
        return makeUsageError(
            "'--shapes': " + llvm::Twine(M) + "x" + llvm::Twine(N) + "x" +
            llvm::Twine(K) +
            " has a matrix of more than 2^30 elements, which is too large for "
            "the simulator");
  }
  llvm::Expected<SourceOptions> Source = makeSourceOptions(*Given);
  if (!Source)
    return Source.takeError();
  Command.Source = std::move(*Source);
  return Command;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static llvm::Error makeError(DiagID ID, llvm::StringRef A, llvm::Twine B) {
  return llvm::make_error<DiagError>(
      ID, std::vector<std::string>{A.str(), B.str()});
}

/// Lifts, rewrites and draws; \p ProgramFolder is where the program will be.
static llvm::Expected<Harness> makeHarness(const VerifyCommand &Command,
                                           const ParseOptions &Parse,
                                           llvm::StringRef ProgramPath) {
  llvm::Expected<std::string> PlanText = readPlanFile(Command.Source.PlanFile);
  if (!PlanText)
    return PlanText.takeError();
  Harness Result;
  llvm::Error E = llvm::Error::success();
  bool Failed = false;
  const std::string &Input = Command.Source.Input;
  ParseResult Parsed =
      parseFile(getParsePath(Parse, Input), Parse, [&](ParsedFile &File) {
        PipelineResult Lifted =
            runPipeline(File, {*PlanText, Command.Source.PlanFile});
        Failed = Lifted.Failed || File.Diags.getNumErrors();
        if (Failed)
          return;
        FileSource Source{
            Input, File.Text, {}, getCommandLineMacros(File), File.ByAddress};
        llvm::StringRef Folder = path::parent_path(Input);
        Source.OldPlans = File.OldPlans;
        Source.Edits = retargetIncludes(
            File.Text, Folder.empty() ? llvm::StringRef(".") : Folder,
            path::parent_path(ProgramPath), true);
        llvm::Expected<std::string> Rewritten =
            generate(Source, Lifted.takeUnits());
        if (!Rewritten) {
          E = llvm::joinErrors(std::move(E), Rewritten.takeError());
          return;
        }
        HarnessInput Whole;
        Whole.FileName = path::filename(Input);
        Whole.Rewritten = *Rewritten;
        Whole.Name = path::filename(ProgramPath);
        for (Subject &S : collectSubjects(File, Lifted)) {
          llvm::Expected<std::vector<VerifyCase>> Cases =
              drawCases(S, Command.Draw);
          if (!Cases) {
            E = llvm::joinErrors(std::move(E),
                                 makeError(DiagID::CannotVerify,
                                           S.Computation.Kernel,
                                           llvm::toString(Cases.takeError())));
            continue;
          }
          Whole.Kernels.push_back({std::move(S), std::move(*Cases)});
        }
        if (E)
          return;
        if (Whole.Kernels.empty()) {
          if (!File.Diags.getNumDeclines())
            E = makeError(DiagID::CannotVerify, Input,
                          "it defines no kernel with a pragma");
          return;
        }
        llvm::Expected<std::string> Text = emitHarness(Whole);
        if (Text)
          Result.Text = std::move(*Text);
        else
          E = makeError(DiagID::CannotVerify, Input,
                        llvm::toString(Text.takeError()));
      });
  Result.NumDeclines = Parsed.NumDeclines;
  if (E)
    return std::move(E);
  if (Parsed.Failed || Failed) {
    std::string Why = Parsed.NumErrors == 1
                          ? "1 error"
                          : std::to_string(Parsed.NumErrors) + " errors";
    return makeError(DiagID::ParseFailed, Input, Why);
  }
  return Result;
}

/// The compile flags of the input, to be used for another source by `sim` and
/// nvcc.
static llvm::Expected<std::vector<std::string>>
collectFlags(const SourceOptions &Options) {
  std::vector<std::string> Flags;
  if (!Options.BuildPath.empty()) {
    llvm::Expected<DatabaseCommand> Entry =
        loadCompileCommand(Options.BuildPath, Options.Input);
    if (!Entry)
      return Entry.takeError();
    llvm::Expected<std::vector<std::string>> FromEntry =
        getSourceFlags(Entry->Args, Entry->Directory);
    if (!FromEntry)
      return FromEntry.takeError();
    Flags = std::move(*FromEntry);
  }
  std::vector<std::string> Own = Options.ExtraArgs;
  Own.insert(Own.end(), Options.Flags.begin(), Options.Flags.end());
  llvm::Expected<std::vector<std::string>> FromLine = getSourceFlags(Own, "");
  if (!FromLine)
    return FromLine.takeError();
  llvm::append_range(Flags, *FromLine);
  return Flags;
}

//===----------------------------------------------------------------------===//
// Building and running
//===----------------------------------------------------------------------===//

/// Runs a program with our own standard streams; returns its exit status.
static llvm::Expected<int> execute(llvm::StringRef Program,
                                   const std::vector<std::string> &Args) {
  llvm::outs().flush();
  std::vector<llvm::StringRef> Words = {Program};
  Words.insert(Words.end(), Args.begin(), Args.end());
  std::string Message;
  int Status = llvm::sys::ExecuteAndWait(Program, Words, std::nullopt, {}, 0, 0,
                                         &Message);
  if (Status < 0)
    return makeError(DiagID::CannotRun, Program,
                     Message.empty() ? "it was ended by a signal" : Message);
  return Status;
}

/// Builds with nvcc. Returns the program's path.
static llvm::Expected<std::string>
buildForGpu(const VerifyCommand &Command, llvm::StringRef Executable,
            const std::vector<std::string> &Flags, llvm::StringRef Source) {
  llvm::Expected<CompileCommand> Parsed = parseCommand(Flags, "");
  if (!Parsed)
    return Parsed.takeError();
  auto Toolkit = findToolkit(*Parsed, "");
  if (!Toolkit)
    return Toolkit.takeError();
  std::string Nvcc = "nvcc";
  if (*Toolkit)
    Nvcc = (*Toolkit)->Path + "/bin/nvcc";
  else if (llvm::ErrorOr<std::string> Found =
               llvm::sys::findProgramByName("nvcc"))
    Nvcc = *Found;
  else
    return makeError(DiagID::CannotRun, "nvcc",
                     "--gpu needs the CUDA Toolkit; without --gpu the program "
                     "runs in the simulator");
  std::string Program = path::parent_path(Source).str() + "/verify";
  std::vector<std::string> Args = Flags;
  // Whatever images the build makes, this program needs one for a Hopper.
  if (findMissingHopperImage(*Parsed))
    Args.push_back("-gencode=arch=compute_" + Command.Arch + ",code=sm_" +
                   Command.Arch);
  Args.push_back("-I" + getToolPaths(Executable).RuntimeInclude);
  llvm::append_range(Args, Command.Links);
  Args.insert(Args.end(), {"-o", Program, Source.str()});
  llvm::Expected<int> Status = execute(Nvcc, Args);
  if (!Status)
    return Status.takeError();
  if (*Status)
    return makeError(DiagID::CannotVerify, Command.Source.Input,
                     "nvcc refuses the program; --keep keeps it");
  return Program;
}

static llvm::Expected<int> runHarness(const VerifyCommand &Command,
                                      llvm::StringRef Executable,
                                      llvm::StringRef Source) {
  llvm::Expected<std::vector<std::string>> Flags = collectFlags(Command.Source);
  if (!Flags)
    return Flags.takeError();
  if (Command.OnGpu) {
    llvm::Expected<std::string> Program =
        buildForGpu(Command, Executable, *Flags, Source);
    if (!Program)
      return Program.takeError();
    if (Command.BuildOnly) {
      llvm::errs() << "warpwright: built " << *Program << '\n';
      return ES_Success;
    }
    return execute(*Program, {});
  }
  // The program already contains the rewritten kernels.
  std::vector<std::string> Args = {
      "sim", "--original", "--seed=" + std::to_string(Command.Draw.Seed)};
  if (Command.Keep)
    Args.push_back("--keep=" + path::parent_path(Source).str());
  Args.insert(Args.end(), Flags->begin(), Flags->end());
  llvm::append_range(Args, Command.Links);
  Args.push_back(Source.str());
  return execute(Executable, Args);
}

static llvm::Expected<int> verify(const CommandLine &Line) {
  llvm::Expected<VerifyCommand> Command = parseVerify(Line);
  if (!Command)
    return Command.takeError();
  if (llvm::Error E = checkInput(Command->Source.Input))
    return E;
  if (llvm::Error E =
          checkNotOutput(Command->TestFile, Command->Source.Input, "the input"))
    return E;
  if (llvm::Error E = checkNotOutput(Command->TestFile,
                                     Command->Source.PlanFile, "the plan file"))
    return E;
  llvm::Expected<ParseOptions> Parse =
      makeParseOptions(Command->Source, Line.Executable);
  if (!Parse)
    return Parse.takeError();

  llvm::SmallString<128> Folder;
  const bool WritesTest = !Command->TestFile.empty();
  std::string Program = Command->TestFile;
  if (!WritesTest) {
    std::error_code Failed;
    if (Command->KeepFolder.empty()) {
      Failed = fs::createUniqueDirectory("warpwright-verify", Folder);
    } else {
      Folder = Command->KeepFolder;
      Failed = fs::create_directories(Folder);
    }
    if (Failed)
      return makeError(DiagID::CannotWrite, Folder, Failed.message());
    Program = (Folder + "/verify.cu").str();
  }
  struct Cleaner {
    llvm::StringRef Folder;
    ~Cleaner() {
      if (!Folder.empty())
        fs::remove_directories(Folder);
    }
  } Cleaner{Command->Keep ? llvm::StringRef() : llvm::StringRef(Folder)};

  llvm::Expected<Harness> Made = makeHarness(*Command, *Parse, Program);
  if (!Made)
    return Made.takeError();
  const int Declined = Made->NumDeclines
                           ? Command->Source.Strict ? ES_Failure : ES_Declined
                           : ES_Success;
  if (Made->Text.empty())
    return Declined;
  if (llvm::Error E = writeOutput(Program, Made->Text))
    return E;
  if (WritesTest)
    return Declined;
  if (Command->Keep)
    llvm::errs() << "warpwright: the program is " << Program << '\n';
  llvm::Expected<int> Status = runHarness(*Command, Line.Executable, Program);
  if (!Status)
    return Status.takeError();
  return *Status ? ES_Failure : Declined;
}

int warpwright::runVerify(const CommandLine &Line) {
  llvm::Expected<int> Status = verify(Line);
  if (Status)
    return *Status;
  reportError(Status.takeError());
  return ES_Failure;
}
