//===-- main.cpp - The warpwright tool ------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;

static constexpr llvm::StringLiteral Help =
    R"(warpwright: from one pragma on a plain CUDA matmul to a Hopper kernel

usage:
  warpwright rewrite in.cu [options] [-- flags]   write the rewritten source
  warpwright explain in.cu [options] [-- flags]   say what was recognised, the
                                                  plans, what was declined
  warpwright scan <folders and files> [options] [-- flags]
                                                  every kernel like a matmul,
                                                  annotated or not, and whether
                                                  it can be rewritten
  warpwright sim in.cu... [options] [-- arguments]
                                                  run the program, rewritten,
                                                  on a simulated Hopper GPU
  warpwright verify in.cu [options] [-- flags]    run original and rewritten
                                                  kernels on drawn arguments,
                                                  compare them with float64
  warpwright launch [--strict] nvcc ...           compiler launcher: rewrite
                                                  annotated inputs, run nvcc
  warpwright layout '<expression>' [options]      evaluate the layout algebra
  warpwright --include-dir                        where the runtime headers are
  warpwright --version | --help

options of rewrite:
  -o <file>                  the output; default: stdout
  --in-place                 overwrite the input
  --emit=contraction|plan|cuda
                             print what a stage hands over; default: cuda
                             (plan-json: as --plan reads it; regions: what
                             the front end found; ir: what is lifted)
  --plan=<file>              use the plan in this JSON file
  --certificate              write into headings what was proven of each plan
  --check                    write nothing; exit with 1 if the file is not as
                             rewriting it would leave it
  --revert                   take out what rewriting put in: the original
option of explain:
  --svg=<folder>             draw each kernel's plans there; see index.html
options of rewrite and explain:
  --strict                   whatever is declined is an error
  --no-check                 do not execute kernels to check the derivation
  -p <folder or file>        take the flags from compile_commands.json
  --extra-arg=<flag>         one more compile flag
  -- <flags>                 compile flags, as for nvcc or Clang
options of rewrite, explain and, before the compiler, launch:
  --time-limit=<seconds>     of processor time for one source; default: 120

options of scan, which also takes -p (without files: the whole build),
--extra-arg and --time-limit:
  --annotate                 insert the pragma before each kernel that can be
                             rewritten
  --format=text|json|sarif   how the report is written; default: text
  -o <file>                  the report; default: stdout
  -j <n>                     files to read at a time; default: one for each
                             processor

options of sim, which also takes compile flags anywhere before `--`:
  --original                 run the kernels as they were written
  --plan=<file>              use the plan in this JSON file
  --seed=<n>                 another order of what is asynchronous
  --schedules=<n>            try so many orders, stop at the first finding
  --threads=<n>              of this machine; default: all
  --exact-accumulate         tensor cores round to nearest
  --emit=cpp                 print the plain C++ that would be built
  --keep[=<folder>]          keep that, and the program
  --build-only               with --keep: do not run it
  --run=<folder>             run what was kept there; needs no input
  -p, --extra-arg            as above

options of verify, which also takes --plan, --strict, -p and --extra-arg:
  --count=<n>                shapes to draw; default: 12
  --seed=<n>                 other shapes, other data
  --shapes=<MxNxK,...>       these shapes instead
  --link=<file>              a source, object or library that the host code
                             of the file needs
  --set <name>=<value>       a parameter's value; also blockDim.x, gridDim.x
                             and so on, and smem
  --gpu                      build with nvcc and run on this machine's GPU;
                             default: in the simulator
  --arch=<90a>               what --gpu builds for
  --emit-test=<file>         write the program, and do not run it
  --keep[=<folder>]          keep the program
  --build-only               with --gpu and --keep: do not run it

options of layout:
  --table                    the offsets of all coordinates
  --at=<coordinate>          the offset of one
  --banks[=<bytes>]          the memory bank of each element, elements of so
                             many bytes (default: 1), and the conflicts
  --text                     draw it as text
  --svg=<file>               draw it in colour
  --tv=<shape>               it is a thread-value layout over a tile

exit status: 0 every annotated kernel was rewritten, or there was none
             1 nothing was written
             2 written, but something annotated was left as it was
`launch` exits as nvcc does; `sim` as the program does, with 1 if it could not
be built and 3 if the simulator found an error in it; `scan` with 0, whatever it
found, and with 2 if there are files that it could not parse.
)";

static int run(CommandLine Line) {
  if (Line.Args.empty()) {
    reportError(makeUsageError("no subcommand; try 'warpwright --help'"));
    return ES_Failure;
  }
  std::string Command = Line.Args.front();
  Line.Args.erase(Line.Args.begin());
  if (Command == "rewrite")
    return runRewrite(Line);
  if (Command == "explain")
    return runExplain(Line);
  if (Command == "launch")
    return runLaunch(Line);
  if (Command == "layout")
    return runLayout(Line);
  if (Command == "verify")
    return runVerify(Line);
  if (Command == "sim")
    return runSim(Line);
  if (Command == "scan")
    return runScan(Line);
  if (Command == "--help" || Command == "-h" || Command == "help") {
    llvm::outs() << Help;
    return ES_Success;
  }
  if (Command == "--version") {
    llvm::outs() << "warpwright " WARPWRIGHT_VERSION "\n";
    return ES_Success;
  }
  if (Command == "--include-dir") {
    llvm::outs() << getToolPaths(Line.Executable).RuntimeInclude << '\n';
    return ES_Success;
  }
  llvm::StringRef Best;
  unsigned BestDistance = 3;
  for (llvm::StringRef Each :
       {"rewrite", "explain", "scan", "sim", "verify", "launch", "layout",
        "--help", "--version", "--include-dir"})
    if (unsigned Distance = Each.edit_distance(Command);
        Distance < BestDistance) {
      Best = Each;
      BestDistance = Distance;
    }
  std::string Hint =
      Best.empty() ? "" : ("; did you mean '" + Best + "'?").str();
  reportError(makeUsageError("unknown subcommand '" + Command + "'" + Hint));
  return ES_Failure;
}

#ifdef __has_feature
#if __has_feature(address_sanitizer)
/// LLVM's libraries are built without the sanitizer. Their allocators' inline
/// parts are in this program as well, built with it, and poison memory that the
/// libraries then hand out.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
#endif
#endif

int main(int Argc, const char **Argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(Argv[0]);
  llvm::PrettyStackTraceProgram Trace(Argc, Argv);
  CommandLine Line;
  Line.Args.assign(Argv + 1, Argv + Argc);
  Line.Executable = llvm::sys::fs::getMainExecutable(
      Argv[0], reinterpret_cast<void *>(reinterpret_cast<intptr_t>(&main)));
  return run(std::move(Line));
}
