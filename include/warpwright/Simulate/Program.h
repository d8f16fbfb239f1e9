//===-- Program.h - Building and running a simulated program ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From plain C++ texts to a host program linked with the simulator, and from
/// its run to diagnostics on the user's source.
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
/// DiagErrors; what the compiler said has been printed before.
class ProgramBuilder {
public:
  /// \p Library is the simulator's archive, \p Folder where files go.
  ProgramBuilder(std::string Compiler, std::string Library, std::string Folder)
      : Compiler(std::move(Compiler)), Library(std::move(Library)),
        Folder(std::move(Folder)) {}
  ~ProgramBuilder();
  ProgramBuilder(const ProgramBuilder &) = delete;
  ProgramBuilder &operator=(const ProgramBuilder &) = delete;

  /// Starts to compile \p Text, from makePlainCpp, of source \p Path.
  llvm::Error addPlainCpp(llvm::StringRef Path, llvm::StringRef Text,
                          const SimulateOptions &Options);
  /// Starts to compile \p Path, C++ or C, as it is.
  llvm::Error addHostSource(llvm::StringRef Path,
                            const SimulateOptions &Options);
  /// Links \p Argument too: an object, a library, `-lfoo`, `-Lfolder`.
  void addLinkArgument(std::string Argument) {
    LinkArgs.push_back(std::move(Argument));
  }
  /// Waits for all and links. Functions that nothing defines are warned about,
  /// and end the program where it calls them. Returns the program's path.
  llvm::Expected<std::string> link();

private:
  struct Job {
    std::string Source, Object, Log;
    llvm::sys::ProcessInfo Process;
  };

  llvm::Error start(llvm::StringRef Source, std::vector<std::string> Args);
  llvm::Error waitForAll();
  /// Empty if \p Program was linked, else what the linker said.
  std::string runLinker(llvm::StringRef Program, bool Demangle);
  llvm::Error defineMissing(llvm::ArrayRef<std::string> Symbols);
  /// A path in the folder, of a name that only this file has.
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
  /// Takes the lines that \p Text, a rewritten source, has in pseudo-files.
  void add(llvm::StringRef Text);
  /// The line, or nothing.
  std::optional<llvm::StringRef> find(llvm::StringRef File,
                                      unsigned Line) const;

private:
  llvm::StringMap<std::vector<std::string>> Files;
};

struct RunOptions {
  std::vector<std::string> Arguments; ///< of the program
  /// NAME=value for the program, besides the tool's own environment.
  std::vector<std::string> Environment;
  bool DropOutput = false; ///< of stdout
};

struct RunResult {
  int Status = 0; ///< the program's; 128 + n after signal n
  unsigned NumErrors = 0, NumWarnings = 0; ///< findings
};

/// Runs \p Program to its end and prints its findings on stderr while they
/// come in.
llvm::Expected<RunResult> runProgram(llvm::StringRef Program,
                                     const RunOptions &Options,
                                     const GeneratedLines &Generated);

} // namespace warpwright

#endif // WARPWRIGHT_SIMULATE_PROGRAM_H
