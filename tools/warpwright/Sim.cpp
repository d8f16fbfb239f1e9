//===-- Sim.cpp - warpwright sim ------------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites the sources in memory, builds them for the simulator in a temporary
/// folder, runs the program and prints what the simulator found.
///
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "warpwright/Simulate/Program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The exit status if the simulator found an error in the program.
static constexpr int ES_Violation = 3;

namespace {

struct SimCommand {
  std::vector<std::string> Inputs;
  std::vector<std::string> Objects; ///< objects and libraries
  SourceOptions Common;             ///< of every input: flags, -p, --plan
  bool Original = false;
  bool EmitCpp = false;
  bool BuildOnly = false;
  bool Keep = false;
  std::string KeepFolder; ///< empty: a temporary folder
  std::string RunFolder;  ///< not empty: run what was kept there
  unsigned Schedules = 0; ///< 0: one run with the given seed, if any
  RunOptions Run;
};

/// The folder in which a program is built; deleted at the end unless kept.
class BuildFolder {
public:
  ~BuildFolder() {
    if (!Kept && !Path.empty())
      fs::remove_directories(Path);
  }
  llvm::Error make(const SimCommand &Command);
  llvm::StringRef getPath() const { return Path; }
  bool isKept() const { return Kept; }

private:
  llvm::SmallString<128> Path;
  bool Kept = false;
};

} // namespace

llvm::Error BuildFolder::make(const SimCommand &Command) {
  std::error_code Failed;
  Kept = Command.Keep;
  if (Command.KeepFolder.empty()) {
    Failed = fs::createUniqueDirectory("warpwright-sim", Path);
  } else {
    Path = Command.KeepFolder;
    Failed = fs::create_directories(Path);
  }
  if (!Failed)
    return llvm::Error::success();
  return llvm::make_error<DiagError>(
      DiagID::CannotWrite,
      std::vector<std::string>{Path.str().str(), Failed.message()});
}

static llvm::Error readNumber(llvm::StringRef Option, llvm::StringRef Text,
                              uint64_t Least, uint64_t &Out) {
  if (!Text.getAsInteger(10, Out) && Out >= Least)
    return llvm::Error::success();
  return makeUsageError("'" + Option + "' takes a number from " +
                        llvm::Twine(Least) + " on, not '" + Text + "'");
}

/// An object or a library, by its name.
static bool isLinkable(llvm::StringRef Path) {
  return Path.ends_with(".o") || Path.ends_with(".a") ||
         Path.ends_with(".so") || path::filename(Path).contains(".so.");
}

static llvm::Expected<SimCommand> parseSimOptions(const CommandLine &Line) {
  SimCommand Command;
  // Flags of the compiler stand among the options.
  llvm::Expected<Arguments> Given = Arguments::parse(
      Line.Args, SimOption, [&](llvm::ArrayRef<std::string> Words) {
        const size_t Taken =
            Words.size() > 1 && takesNextWord(Words.front()) ? 2 : 1;
        Command.Common.Flags.insert(Command.Common.Flags.end(), Words.begin(),
                                    Words.begin() + Taken);
        return Taken;
      });
  if (!Given)
    return Given.takeError();
  Command.Run.Arguments = Given->BehindDashes;
  for (const std::string &Input : Given->Inputs)
    (isLinkable(Input) ? Command.Objects : Command.Inputs).push_back(Input);
  Command.Original = Given->has(OPT_original);
  Command.BuildOnly = Given->has(OPT_build_only);
  Command.Keep = Given->has(OPT_keep) || Given->has(OPT_keep_in);
  Command.KeepFolder = Given->valueOrEmpty(OPT_keep_in);
  Command.Common.Strict = Given->has(OPT_strict);
  Command.Common.PlanFile = Given->valueOrEmpty(OPT_plan);
  Command.Common.BuildPath = Given->valueOrEmpty(OPT_p);
  Command.Common.ExtraArgs = Given->values(OPT_extra_arg);
  if (Command.Original && !Command.Common.PlanFile.empty())
    return makeUsageError("'--original' rewrites nothing; it excludes "
                          "'--plan'");
  if (std::optional<llvm::StringRef> Emit = Given->value(OPT_emit)) {
    if (*Emit != "cpp")
      return makeUsageError("nothing to emit called '" + *Emit +
                            "'; expected 'cpp'");
    Command.EmitCpp = true;
  }

  if (std::optional<llvm::StringRef> Text = Given->value(OPT_schedules)) {
    uint64_t Number = 0;
    if (llvm::Error E = readNumber("--schedules", *Text, 1, Number))
      return E;
    Command.Schedules = Number;
  }
  // What the simulator reads from its environment.
  auto SetVariable = [&](llvm::StringRef Name, llvm::StringRef Value) {
    Command.Run.Environment.push_back((Name + "=" + Value).str());
  };
  if (Given->has(OPT_exact_accumulate))
    SetVariable("WARPWRIGHT_SIM_EXACT_ACCUMULATE", "1");
  const struct {
    OptionID ID;
    llvm::StringLiteral Name, Variable;
    uint64_t Least;
  } Numbers[] = {{OPT_seed, "--seed", "WARPWRIGHT_SIM_SEED", 0},
                 {OPT_threads, "--threads", "WARPWRIGHT_SIM_THREADS", 1},
                 {OPT_sms, "--sms", "WARPWRIGHT_SIM_SMS", 1}};
  for (const auto &Each : Numbers)
    if (std::optional<llvm::StringRef> Text = Given->value(Each.ID)) {
      uint64_t Number = 0;
      if (llvm::Error E = readNumber(Each.Name, *Text, Each.Least, Number))
        return E;
      SetVariable(Each.Variable, *Text);
    }
  Command.RunFolder = Given->valueOrEmpty(OPT_run);
  if (!Command.RunFolder.empty()) {
    if (!Command.Inputs.empty() || !Command.Objects.empty() || Command.Keep ||
        Command.Original || Command.EmitCpp || !Command.Common.Flags.empty() ||
        !Command.Common.PlanFile.empty() || !Command.Common.BuildPath.empty())
      return makeUsageError("'--run' runs what was built before; it excludes "
                            "sources and how they are built");
    return Command;
  }
  if (Command.Inputs.empty())
    return makeUsageError("no input file");
  if (Command.BuildOnly && !Command.Keep)
    return makeUsageError("'--build-only' needs '--keep'");
  return Command;
}

/// A `.cu`, or anything after `-x cu`.
static bool isCudaSource(const SourceOptions &Options) {
  for (size_t I = 0; I + 1 < Options.Flags.size(); ++I)
    if (Options.Flags[I] == "-x")
      return llvm::StringRef(Options.Flags[I + 1]).starts_with("cu");
  llvm::StringRef Extension = path::extension(Options.Input);
  return Extension == ".cu" || Extension == ".cuh";
}

/// The simulator's headers need C++17; older programs have the same meaning in
/// it.
static void raiseStandard(std::vector<std::string> &ClangArgs) {
  for (std::string &Arg : ClangArgs) {
    llvm::StringRef Name = Arg;
    if (!Name.consume_front("-std="))
      continue;
    if (!Name.consume_front("c++"))
      Name.consume_front("gnu++");
    for (llvm::StringRef Old : {"98", "03", "0x", "11", "1y", "14"})
      if (Name == Old)
        Arg = "-std=gnu++17";
  }
}

/// The flags with which the simulator reads one source, the same as for the
/// rewriting.
static llvm::Expected<SimulateOptions>
makeSimulateOptions(const SourceOptions &Options, llvm::StringRef Executable) {
  SimulateOptions Result;
  std::vector<std::string> Flags;
  std::string Compiler;
  if (!Options.BuildPath.empty()) {
    llvm::Expected<DatabaseCommand> Entry =
        loadCompileCommand(Options.BuildPath, Options.Input);
    if (!Entry)
      return Entry.takeError();
    Flags = std::move(Entry->Args);
    Compiler = Entry->Compiler;
    Result.Directory = Entry->Directory;
  }
  Flags.insert(Flags.end(), Options.ExtraArgs.begin(), Options.ExtraArgs.end());
  Flags.insert(Flags.end(), Options.Flags.begin(), Options.Flags.end());
  llvm::Expected<CompileCommand> Command =
      parseCommand(Flags, Result.Directory);
  if (!Command)
    return Command.takeError();
  Result.HostIsClang = hasClangHost(*Command, Compiler);
  Result.ClangArgs = std::move(Command->ClangArgs);
  raiseStandard(Result.ClangArgs);
  auto Toolkit = findToolkit(*Command, "");
  if (!Toolkit)
    return Toolkit.takeError();
  if (*Toolkit)
    Result.ToolkitInclude = (*Toolkit)->Path + "/include";
  ToolPaths Paths = getToolPaths(Executable);
  Result.RuntimeInclude = Paths.RuntimeInclude;
  llvm::SmallString<128> Include(path::parent_path(Paths.RuntimeInclude));
  path::append(Include, "sim", "include");
  Result.SimInclude = Include.str().str();
  return Result;
}

/// Adds one source to the program; with --emit=cpp, prints it instead.
static llvm::Error addSource(const SimCommand &Command,
                             const SourceOptions &Options,
                             llvm::StringRef Executable,
                             ProgramBuilder &Builder,
                             GeneratedLines &Generated) {
  if (llvm::Error E = checkInput(Options.Input))
    return E;
  llvm::Expected<SimulateOptions> Simulate =
      makeSimulateOptions(Options, Executable);
  if (!Simulate)
    return Simulate.takeError();
  if (!isCudaSource(Options))
    return Command.EmitCpp ? llvm::Error::success()
                           : Builder.addHostSource(Options.Input, *Simulate);

  std::optional<std::string> Text;
  llvm::Expected<ParseOptions> Parse = makeParseOptions(Options, Executable);
  if (!Parse)
    return Parse.takeError();
  std::string Path = getParsePath(*Parse, Options.Input);
  // A source without pragmas needs no second parse.
  if (!Command.Original && maySeePragma(Path, Parse->ClangArgs)) {
    llvm::Expected<RewrittenSource> Rewritten = rewriteSource(Options, *Parse);
    if (!Rewritten)
      return Rewritten.takeError();
    Text = std::move(Rewritten->Text);
    Generated.add(*Text);
  } else if (auto Buffer = llvm::MemoryBuffer::getFile(Options.Input)) {
    // A file that was rewritten before has sections, too.
    Generated.add((*Buffer)->getBuffer());
  }
  std::optional<std::string> Plain = makePlainCpp(Path, Text, *Simulate);
  if (!Plain)
    return llvm::make_error<DiagError>(
        DiagID::SimulatorBuildFailed,
        std::vector<std::string>{"'" + Options.Input +
                                 "' is not simulated after these errors"});
  if (Command.EmitCpp) {
    llvm::outs() << *Plain;
    return llvm::Error::success();
  }
  return Builder.addPlainCpp(Options.Input, *Plain, *Simulate);
}

/// Runs the program once, or for each seed until a run fails.
static llvm::Expected<int> runSchedules(SimCommand &Command,
                                        llvm::StringRef Program,
                                        const GeneratedLines &Generated) {
  unsigned Runs = std::max(1u, Command.Schedules);
  for (unsigned Seed = 1;; ++Seed) {
    RunOptions Run = Command.Run;
    if (Command.Schedules)
      Run.Environment.push_back("WARPWRIGHT_SIM_SEED=" + std::to_string(Seed));
    Run.DropOutput = Seed > 1;
    llvm::Expected<RunResult> Result = runProgram(Program, Run, Generated);
    if (!Result)
      return Result.takeError();
    bool Bad = Result->NumErrors || Result->Status;
    if (Command.Schedules && (Bad || Seed == Runs)) {
      llvm::errs() << "warpwright: ";
      if (Bad)
        llvm::errs() << "schedule " << Seed << " of " << Runs
                     << " failed; run it again with --seed=" << Seed << '\n';
      else
        llvm::errs() << Runs << " schedules, no finding\n";
    }
    if (Result->NumErrors)
      return ES_Violation;
    if (Result->Status || Seed >= Runs)
      return Result->Status;
  }
}

/// The file in a kept folder that has the generated lines of its program.
static llvm::SmallString<128> getLinesPath(llvm::StringRef Folder) {
  llvm::SmallString<128> Path(Folder);
  path::append(Path, "generated-lines");
  return Path;
}

/// Writes down what a later run of a kept program needs.
static llvm::Error keepLines(llvm::StringRef Folder,
                             const GeneratedLines &Generated) {
  llvm::SmallString<128> Path = getLinesPath(Folder);
  llvm::Error E = llvm::writeToOutput(Path, [&](llvm::raw_ostream &OS) {
    Generated.print(OS);
    return llvm::Error::success();
  });
  if (!E)
    return E;
  return llvm::make_error<DiagError>(
      DiagID::CannotWrite,
      std::vector<std::string>{Path.str().str(), llvm::toString(std::move(E))});
}

/// Runs the program that was kept in a folder.
static llvm::Expected<int> runKept(SimCommand &Command) {
  llvm::SmallString<128> Lines = getLinesPath(Command.RunFolder);
  auto Text = llvm::MemoryBuffer::getFile(Lines);
  if (!Text)
    return llvm::make_error<DiagError>(
        DiagID::CannotRead,
        std::vector<std::string>{Lines.str().str(), Text.getError().message()});
  llvm::SmallString<128> Program(Command.RunFolder);
  path::append(Program, "program");
  if (llvm::Error E = checkInput(Program.str().str()))
    return std::move(E);
  GeneratedLines Generated;
  Generated.add((*Text)->getBuffer());
  return runSchedules(Command, Program, Generated);
}

/// Libraries that run on a GPU and are not linked into a simulated program;
/// functions of theirs that are called count as missing.
static bool isDeviceLibrary(llvm::StringRef Flag) {
  if (!Flag.consume_front("-l"))
    return false;
  Flag = Flag.take_until([](char C) { return C == '_'; }); // `_static`
  for (llvm::StringRef Name :
       {"cuda",     "cudart",     "cudadevrt", "cublas",   "cublasLt",
        "cublasXt", "curand",     "cufft",     "cufftw",   "cusparse",
        "cusolver", "cusolverMg", "cudnn",     "cutensor", "nccl",
        "nvrtc",    "nvToolsExt", "nvjpeg",    "culibos",  "nvidia-ml",
        "cupti"})
    if (Flag == Name)
      return true;
  return Flag.starts_with("npp");
}

/// Gives \p Builder the objects and libraries of the command line.
static llvm::Error addLinkArguments(const SimCommand &Command,
                                    ProgramBuilder &Builder) {
  llvm::Expected<CompileCommand> Flags = parseCommand(Command.Common.Flags, "");
  if (!Flags)
    return Flags.takeError();
  for (const std::string &Object : Command.Objects) {
    if (llvm::Error E = checkInput(Object))
      return E;
    Builder.addLinkArgument(Object);
  }
  for (const std::string &Argument : Flags->LinkArgs)
    if (!isDeviceLibrary(Argument))
      Builder.addLinkArgument(Argument);
  return llvm::Error::success();
}

static llvm::Expected<int> simulate(const CommandLine &Line) {
  llvm::Expected<SimCommand> Command = parseSimOptions(Line);
  if (!Command)
    return Command.takeError();
  if (!Command->RunFolder.empty())
    return runKept(*Command);
  llvm::Expected<std::string> Compiler = findHostCompiler();
  if (!Compiler)
    return Compiler.takeError();
  llvm::SmallString<128> Library(
      path::parent_path(getToolPaths(Line.Executable).RuntimeInclude));
  path::append(Library, "sim", "lib", "libWarpwrightSim.a");

  BuildFolder Folder;
  if (!Command->EmitCpp)
    if (llvm::Error E = Folder.make(*Command))
      return E;
  GeneratedLines Generated;
  std::string Program;
  {
    ProgramBuilder Builder(*Compiler, Library.str().str(),
                           Folder.getPath().str());
    for (const std::string &Input : Command->Inputs) {
      SourceOptions Options = Command->Common;
      Options.Input = Input;
      if (llvm::Error E =
              addSource(*Command, Options, Line.Executable, Builder, Generated))
        return E;
    }
    if (Command->EmitCpp)
      return ES_Success;
    if (llvm::Error E = addLinkArguments(*Command, Builder))
      return E;
    llvm::Expected<std::string> Linked = Builder.link();
    if (!Linked)
      return Linked.takeError();
    Program = std::move(*Linked);
  }
  if (Folder.isKept()) {
    if (llvm::Error E = keepLines(Folder.getPath(), Generated))
      return std::move(E);
    llvm::errs() << "warpwright: built " << Program << '\n';
  }
  if (Command->BuildOnly)
    return ES_Success;
  return runSchedules(*Command, Program, Generated);
}

int warpwright::runSim(const CommandLine &Line) {
  llvm::Expected<int> Status = simulate(Line);
  if (Status)
    return *Status;
  reportError(Status.takeError());
  return ES_Failure;
}
