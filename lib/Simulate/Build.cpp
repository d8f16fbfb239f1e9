//===-- Build.cpp - Compiling and linking a simulated program -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Missing.h"
#include "warpwright/Frontend/CompileFlags.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "warpwright/Simulate/Program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>

using namespace warpwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error makeError(DiagID ID, const llvm::Twine &Message) {
  return llvm::make_error<DiagError>(ID,
                                     std::vector<std::string>{Message.str()});
}

llvm::Expected<std::string> warpwright::findHostCompiler() {
  if (const char *Chosen = std::getenv("WARPWRIGHT_SIM_CXX"); Chosen && *Chosen)
    return Chosen;
  if (fs::can_execute(WARPWRIGHT_HOST_CLANG))
    return WARPWRIGHT_HOST_CLANG;
  for (const char *Name : {"clang++-22", "clang++"})
    if (auto Found = llvm::sys::findProgramByName(Name))
      return *Found;
  return makeError(DiagID::NoHostCompiler,
                   "no clang++ to build the simulated program with");
}

/// The plugin that takes the optimizer's place (runtime/sim/passes), empty if
/// there is none that \p Compiler can load. It stands beside the \p Library.
static std::string findPasses(llvm::StringRef Compiler,
                              llvm::StringRef Library) {
  llvm::SmallString<128> Path(path::parent_path(Library));
  path::append(Path, "WarpwrightSimPasses.so");
  if (Compiler != WARPWRIGHT_HOST_CLANG || !fs::exists(Path))
    return "";
  return Path.str().str();
}

/// What makes simulated programs run in a reasonable time: \p Passes, which
/// take less time themselves, or Clang's.
static void addOptimization(std::vector<std::string> &Args,
                            const std::string &Passes) {
  if (Passes.empty())
    Args.push_back("-O1");
  else
    Args.insert(Args.end(),
                {"-O0", "-Xclang", "-disable-O0-optnone",
                 "-fpass-plugin=" + Passes,
                 // Notes on pointers that are not aliased are for optimizers.
                 // Each level of inlined calls copies all that it has: half of
                 // the time that inlining takes.
                 "-mllvm", "-enable-noalias-to-md-conversion=0"});
}

/// Flags for code that runs on the simulated machine.
static void addDeviceFlags(std::vector<std::string> &Args) {
  for (const char *Flag :
       {"-g1", "-fno-omit-frame-pointer", "-w", "-fdeclspec",
        // Programs access memory as vectors of other types; nvcc allows that.
        "-fno-strict-aliasing",
        // Makes reads of local variables that were never set visible.
        "-ftrivial-auto-var-init=pattern",
        // Every access calls a hook; see program.h.
        "-fsanitize-coverage=func,trace-loads,trace-stores",
        // So does every copy of a structure; the coverage instrumentation
        // leaves those out.
        "-fsanitize=thread", "-mllvm", "-tsan-instrument-memory-accesses=0",
        "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
        "-tsan-instrument-atomics=0",
        // This would load ahead of a loop whose store is conditional: a read
        // that the source does not have, and a race.
        "-mllvm", "-disable-licm-promotion",
        // The caller of a hook or of the engine must have a frame on the stack.
        "-fno-optimize-sibling-calls",
        // Device code requests contraction where it begins, as nvcc does.
        "-ffp-contract=off",
        // Otherwise calls could bypass the wrappers of the link.
        "-fno-builtin-printf"})
    Args.push_back(Flag);
  llvm::StringMap<bool> Features = llvm::sys::getHostCPUFeatures();
  for (const char *Feature : {"fma", "f16c"})
    if (Features.lookup(Feature))
      Args.push_back(std::string("-m") + Feature);
}

ProgramBuilder::~ProgramBuilder() {
  for (Job &Each : Jobs)
    if (Each.Process.Pid)
      llvm::sys::Wait(Each.Process, std::nullopt);
}

std::string ProgramBuilder::makePath(llvm::StringRef Source,
                                     llvm::StringRef Extension) const {
  llvm::SmallString<128> Path(Folder);
  path::append(Path,
               path::stem(Source) + "-" + llvm::Twine(Jobs.size()) + Extension);
  return Path.str().str();
}

llvm::Error ProgramBuilder::start(llvm::StringRef Source,
                                  std::vector<std::string> Args) {
  Job New;
  New.Source = Source.str();
  New.Object = makePath(Source, ".o");
  New.Log = makePath(Source, ".log");
  Args.insert(Args.begin(), Compiler);
  Args.insert(Args.end(), {"-c", "-o", New.Object});
  std::vector<llvm::StringRef> Words(Args.begin(), Args.end());
  std::optional<llvm::StringRef> Redirects[] = {
      llvm::StringRef(""), llvm::StringRef(New.Log), llvm::StringRef(New.Log)};
  std::string Message;
  New.Process = llvm::sys::ExecuteNoWait(Compiler, Words, std::nullopt,
                                         Redirects, 0, &Message);
  if (!New.Process.Pid)
    return makeError(DiagID::NoHostCompiler,
                     "cannot run '" + Compiler + "': " + Message);
  Jobs.push_back(std::move(New));
  return llvm::Error::success();
}

/// The user's `-std=`, or nvcc's default.
static std::string getStandard(const SimulateOptions &Options) {
  std::string Standard = "-std=gnu++17";
  for (const std::string &Arg : Options.ClangArgs)
    if (llvm::StringRef(Arg).starts_with("-std="))
      Standard = Arg;
  return Standard;
}

llvm::Error ProgramBuilder::addPlainCpp(llvm::StringRef Path,
                                        llvm::StringRef Text,
                                        const SimulateOptions &Options) {
  std::string Source = makePath(Path, ".cpp");
  if (llvm::Error E = llvm::writeToOutput(Source, [&](llvm::raw_ostream &OS) {
        OS << Text;
        return llvm::Error::success();
      }))
    return makeError(DiagID::SimulatorBuildFailed,
                     "cannot write '" + Source +
                         "': " + llvm::toString(std::move(E)));
  // Not as preprocessed text, in which `_Pragma` would have no effect.
  std::vector<std::string> Args = {"-x", "c++", "-undef", Source,
                                   getStandard(Options)};
  for (const std::string &Arg : Options.ClangArgs)
    if (Arg == "-fno-exceptions" || Arg == "-fno-rtti" ||
        Arg == "-funsigned-char" || Arg == "-fms-extensions")
      Args.push_back(Arg);
  addOptimization(Args, findPasses(Compiler, Library));
  addDeviceFlags(Args);
  return start(Path, std::move(Args));
}

llvm::Error ProgramBuilder::addHostSource(llvm::StringRef Path,
                                          const SimulateOptions &Options) {
  std::vector<std::string> Args;
  llvm::StringRef Extension = path::extension(Path);
  if (Extension == ".c")
    Args = {"-x", "c"};
  llvm::SmallString<128> Absolute(Path);
  fs::make_absolute(Absolute);
  Args.push_back(Absolute.str().str());
  if (!Options.Directory.empty())
    Args.push_back("-working-directory=" + Options.Directory);
  Args.insert(Args.end(),
              {"-O1", "-g1", "-w", "-fdeclspec", "-isystem", Options.SimInclude,
               "-isystem", Options.RuntimeInclude, "-DWARPWRIGHT_SIMULATED=1"});
  for (std::string &Flag : getLibraryFlags(Options))
    Args.push_back(std::move(Flag));
  for (const std::string &Arg : Options.ClangArgs)
    if (Extension != ".c" || !llvm::StringRef(Arg).starts_with("-std="))
      Args.push_back(Arg);
  return start(Path, std::move(Args));
}

llvm::Error ProgramBuilder::waitForAll() {
  bool Good = true;
  for (Job &Each : Jobs) {
    if (!Each.Process.Pid)
      continue;
    llvm::sys::ProcessInfo Done = llvm::sys::Wait(Each.Process, std::nullopt);
    Each.Process = llvm::sys::ProcessInfo();
    if (Done.ReturnCode == 0)
      continue;
    if (auto Log = llvm::MemoryBuffer::getFile(Each.Log))
      llvm::errs() << (*Log)->getBuffer();
    Good = false;
  }
  if (Good)
    return llvm::Error::success();
  return makeError(DiagID::SimulatorBuildFailed,
                   "the program does not compile for the simulator");
}

std::string ProgramBuilder::runLinker(llvm::StringRef Program, bool Demangle) {
  std::vector<std::string> Args = {Compiler, "-o", Program.str()};
  for (const Job &Each : Jobs)
    Args.push_back(Each.Object);
  Args.insert(Args.end(), LinkArgs.begin(), LinkArgs.end());
  Args.push_back(Library);
  Args.insert(Args.end(), {"-lpthread", "-ldl"});
  // Device code has a printf and a heap of its own.
  for (const char *Name :
       {"printf", "puts", "putchar", "vprintf", "malloc", "free", "_Znwm",
        "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"})
    Args.push_back(std::string("-Wl,--wrap=") + Name);
  if (!Demangle)
    Args.push_back("-Wl,--no-demangle");
  std::string Log = makePath("link", ".log");
  std::vector<llvm::StringRef> Words(Args.begin(), Args.end());
  std::optional<llvm::StringRef> Redirects[] = {
      llvm::StringRef(""), llvm::StringRef(Log), llvm::StringRef(Log)};
  if (!llvm::sys::ExecuteAndWait(Compiler, Words, std::nullopt, Redirects))
    return "";
  auto Text = llvm::MemoryBuffer::getFile(Log, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  std::string Said = Text ? (*Text)->getBuffer().str() : "";
  return Said.empty() ? "the linker failed\n" : Said;
}

llvm::Error ProgramBuilder::defineMissing(llvm::ArrayRef<std::string> Symbols) {
  std::string Source = makePath("missing", ".cpp");
  if (llvm::Error E = llvm::writeToOutput(Source, [&](llvm::raw_ostream &OS) {
        OS << writeMissingFunctions(Symbols);
        return llvm::Error::success();
      }))
    return makeError(DiagID::SimulatorBuildFailed,
                     "cannot write '" + Source +
                         "': " + llvm::toString(std::move(E)));
  // The caller must have a frame on the stack.
  if (llvm::Error E =
          start(Source, {"-x", "c++", Source, "-fno-omit-frame-pointer",
                         "-fno-optimize-sibling-calls"}))
    return E;
  return waitForAll();
}

llvm::Expected<std::string> ProgramBuilder::link() {
  if (llvm::Error E = waitForAll())
    return std::move(E);
  llvm::SmallString<128> ProgramPath(Folder);
  path::append(ProgramPath, "program");
  std::string Program = ProgramPath.str().str();
  std::vector<std::string> Objects;
  for (const Job &Each : Jobs)
    Objects.push_back(Each.Object);
  // A linker may report only some undefined symbols, and others the next time.
  std::vector<std::string> Missing;
  while (true) {
    std::string Said = runLinker(Program, /*Demangle=*/false);
    if (Said.empty())
      break;
    std::vector<std::string> Undefined = findUndefinedSymbols(Said);
    std::vector<std::string> New = selectFunctions(Undefined, Objects);
    if (New.empty() || New.size() != Undefined.size()) {
      llvm::errs() << runLinker(Program, /*Demangle=*/true);
      llvm::errs().flush();
      return makeError(DiagID::SimulatorBuildFailed,
                       "the program does not link with the simulator");
    }
    if (llvm::Error E = defineMissing(New))
      return std::move(E);
    Missing.insert(Missing.end(), New.begin(), New.end());
  }
  if (!Missing.empty())
    reportPlain(DiagID::MissingFunctions, {listFunctions(Missing)});
  return Program;
}
