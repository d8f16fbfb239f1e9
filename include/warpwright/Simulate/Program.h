//===-- Program.h - Building and running a simulated program ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles plain C++ texts into a host program that is linked with the
/// simulator, runs it, and turns its findings into diagnostics on the user's
/// source.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIMULATE_PROGRAM_H
#define WARPWRIGHT_SIMULATE_PROGRAM_H

#include "warpwright/Simulate/Transform.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Program.h"

namespace warpwright {

/// Compiles and links one program in a folder of its own. Errors are
/// DiagErrors; the compiler's own messages have been printed before.
class ProgramBuilder {
public:
  /// \p Library is the simulator's archive, \p Folder the folder for files.
  ProgramBuilder(std::string Compiler, std::string Library, std::string Folder)
      : Compiler(std::move(Compiler)), Library(std::move(Library)),
        Folder(std::move(Folder)) {}
  ~ProgramBuilder();
  ProgramBuilder(const ProgramBuilder &) = delete;
  ProgramBuilder &operator=(const ProgramBuilder &) = delete;

  /// Starts to compile \p Text, which makePlainCpp made of the source \p Path.
  llvm::Error addPlainCpp(llvm::StringRef Path, llvm::StringRef Text,
                          const SimulateOptions &Options);
  /// Starts to compile \p Path, C++ or C, without changes.
  llvm::Error addHostSource(llvm::StringRef Path,
                            const SimulateOptions &Options);
  /// Links \p Argument as well: an object, a library, `-lfoo`, `-Lfolder`.
  void addLinkArgument(std::string Argument) {
    LinkArgs.push_back(std::move(Argument));
  }
  /// Waits for all compilations and links. Warns about functions that nothing
  /// defines; the program ends where it calls one. Returns the program's path.
  llvm::Expected<std::string> link();

private:
  struct Job {
    std::string Source, Object, Log;
    llvm::sys::ProcessInfo Process;
  };

  llvm::Error start(llvm::StringRef Source, std::vector<std::string> Args);
  llvm::Error waitForAll();
  /// Empty if \p Program was linked, otherwise the linker's messages.
  std::string runLinker(llvm::StringRef Program, bool Demangle);
  llvm::Error defineMissing(llvm::ArrayRef<std::string> Symbols);
  /// A path in the folder, with a name that only this file has.
  std::string makePath(llvm::StringRef Source, llvm::StringRef Extension) const;

  std::string Compiler, Library, Folder;
  std::vector<Job> Jobs;
  std::vector<std::string> LinkArgs;
};

/// The Clang that programs are built with: WARPWRIGHT_SIM_CXX if set, the one
/// that was found when the tool was configured, the first in PATH. Fails with a
/// DiagError.
llvm::Expected<std::string> findHostCompiler();

/// Lines of generated text, which are in no file: by pseudo-file and line.
class GeneratedLines {
public:
  /// Records the lines of pseudo-files in \p Text, a rewritten source.
  void add(llvm::StringRef Text);
  /// Writes them such that add() reads them again.
  void print(llvm::raw_ostream &OS) const;
  /// The line, or nothing.
  std::optional<llvm::StringRef> find(llvm::StringRef File,
                                      unsigned Line) const;

private:
  llvm::StringMap<std::vector<std::string>> Files;
};

struct RunOptions {
  std::vector<std::string> Arguments; ///< of the program
  /// NAME=value for the program, in addition to the tool's own environment.
  std::vector<std::string> Environment;
  bool DropOutput = false; ///< of stdout
};

struct RunResult {
  int Status = 0; ///< the program's; 128 + n after signal n
  unsigned NumErrors = 0, NumWarnings = 0; ///< findings
};

/// Runs \p Program to its end, and prints its findings on stderr as they
/// arrive.
llvm::Expected<RunResult> runProgram(llvm::StringRef Program,
                                     const RunOptions &Options,
                                     const GeneratedLines &Generated);

} // namespace warpwright

#endif // WARPWRIGHT_SIMULATE_PROGRAM_H
