//===-- CompileFlags.h - nvcc's flags for Clang -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Understands the command lines of nvcc and of Clang, and translates either
/// into the command line for one device-side parse by Clang. Every flag is
/// known by name: a flag that neither compiler has is an error, and so are
/// flags that could load code into the parser (-fplugin, -Xclang).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_COMPILEFLAGS_H
#define WARPWRIGHT_FRONTEND_COMPILEFLAGS_H

#include "warpwright/Source/DiagID.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

/// An error with an ID, for reportPlain.
class DiagError : public llvm::ErrorInfo<DiagError> {
public:
  static char ID;

  DiagError(DiagID Which, std::vector<std::string> Arguments)
      : Which(Which), Arguments(std::move(Arguments)) {}

  DiagID getDiagID() const { return Which; }
  llvm::ArrayRef<std::string> getArguments() const { return Arguments; }

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  DiagID Which;
  std::vector<std::string> Arguments;
};

/// Prints \p E with reportPlain, whatever kind of error it is.
void reportError(llvm::Error E);

/// A source on the command line.
struct CommandInput {
  std::string Path;
  size_t Index; ///< in CompileCommand::Args
  bool IsCuda;  ///< a .cu file, or after `-x cu`
};

/// A command line of nvcc (or Clang), without the compiler's name.
struct CompileCommand {
  enum class Phase {
    Link,       ///< compile (if there are sources) and link
    Compile,    ///< to objects, PTX, cubins
    Preprocess, ///< -E, -M, -MM: nothing is compiled
    Information ///< --version, --help, --list-gpu-arch, --clean-targets
  };

  /// The arguments, with response files expanded.
  std::vector<std::string> Args;
  /// Flags for Clang that come from Args: includes, macros, language.
  std::vector<std::string> ClangArgs;
  std::vector<CommandInput> Inputs;
  std::vector<std::string> LinkArgs;     ///< `-lfoo`, `-Lfolder`, in order
  std::string HostCompiler;              ///< -ccbin, or empty
  std::string GpuArchitecture;           ///< the value of -arch, or empty
  std::string GpuCode;                   ///< the values of -code, or empty
  std::vector<std::string> GenerateCode; ///< the value of each -gencode
  Phase What = Phase::Link;
  std::string Output;         ///< -o, or empty
  bool WritesDepFile = false; ///< -MD, -MMD
  std::string DepFile;        ///< -MF, or empty
  std::string CudaPath;       ///< --cuda-path, or empty
  bool NoCudaInclude = false; ///< -nocudainc: the caller has declarations
};

/// Parses \p Args. Response files are read relative to \p Directory (empty:
/// the current one). Fails with a DiagError.
llvm::Expected<CompileCommand> parseCommand(llvm::ArrayRef<std::string> Args,
                                            llvm::StringRef Directory);

/// True if the value of \p Flag, of nvcc or Clang, is the word after it.
bool takesNextWord(llvm::StringRef Flag);

/// The words of \p Args that determine how any source is read: response files
/// are expanded, inputs, outputs and dependency files left out, and folders
/// made absolute, starting from \p Directory if that is not empty. Fails with a
/// DiagError.
llvm::Expected<std::vector<std::string>>
getSourceFlags(llvm::ArrayRef<std::string> Args, llvm::StringRef Directory);

/// The virtual architectures of \p Command as __CUDA_ARCH_LIST__ has them:
/// `800,900`.
std::string listArchitectures(const CompileCommand &Command);

/// The reason why a build has no image with Hopper kernels.
struct MissingImage {
  std::string Why;    ///< "only sm_80, sm_90"
  std::string Advice; ///< "add -arch=sm_90a"
};

/// True if \p Compiler (may be empty: nvcc) compiles host code with Clang by
/// \p Command.
bool hasClangHost(const CompileCommand &Command, llvm::StringRef Compiler);

/// The reason why an H200 would not run the Hopper kernels in the images that
/// nvcc makes by \p Command; nothing if it would.
std::optional<MissingImage>
findMissingHopperImage(const CompileCommand &Command);

/// The entry of a compile_commands.json.
struct DatabaseCommand {
  std::string Compiler;
  std::vector<std::string> Args; ///< without compiler, input and output
  std::string Directory;         ///< where relative paths start
};

/// The command of \p File in the compile_commands.json at \p BuildPath (its
/// folder or itself). Fails with a DiagError.
llvm::Expected<DatabaseCommand> loadCompileCommand(llvm::StringRef BuildPath,
                                                   llvm::StringRef File);

/// The CUDA sources that the compile_commands.json at \p BuildPath names, as
/// absolute paths, sorted. Fails with a DiagError.
llvm::Expected<std::vector<std::string>>
listCudaSources(llvm::StringRef BuildPath);

/// A CUDA Toolkit on this machine.
struct CudaToolkit {
  std::string Path;
  unsigned Major = 0, Minor = 0;
};

/// Looks where \p Command says (--cuda-path), beside \p Nvcc (may be empty),
/// in CUDA_HOME and CUDA_PATH, beside the nvcc in PATH, and in the usual
/// places. None if there is no toolkit; an error if --cuda-path names none.
llvm::Expected<std::optional<CudaToolkit>>
findToolkit(const CompileCommand &Command, llvm::StringRef Nvcc);

/// The location of the tool's own files, given its executable.
struct ToolPaths {
  std::string RuntimeInclude; ///< holds warpwright/rt/*.cuh
  std::string ParseInclude;   ///< substitutes for the toolkit's headers
};
ToolPaths getToolPaths(llvm::StringRef Executable);

/// The whole command line for Clang, without compiler and input.
std::vector<std::string>
makeClangArgs(const CompileCommand &Command,
              const std::optional<CudaToolkit> &Toolkit,
              const ToolPaths &Paths);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_COMPILEFLAGS_H
