//===-- Transform.h - CUDA as plain C++ for the simulator -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns one CUDA source into one plain C++ text that the simulator's library
/// can be linked with. The source is preprocessed once, for host and device
/// together, and parsed as CUDA. What plain C++ does not have (launches,
/// kernels, shared memory, inline PTX, attributes) is replaced in the text by
/// the rules in the table in runtime/sim/include/warpwright/sim/program.h. Line
/// markers are kept, so that messages and debug information name the user's
/// lines.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIMULATE_TRANSFORM_H
#define WARPWRIGHT_SIMULATE_TRANSFORM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

/// What the simulator needs to read a CUDA source.
struct SimulateOptions {
  /// The user's flags for Clang: folders, macros, language.
  std::vector<std::string> ClangArgs;
  /// The folder from which relative paths of the flags start; empty: the
  /// current directory.
  std::string Directory;
  std::string SimInclude;     ///< the simulator's CUDA headers
  std::string RuntimeInclude; ///< holds warpwright/rt/*.cuh
  /// The CUDA Toolkit's headers, for the declarations of its libraries; empty
  /// if there is none.
  std::string ToolkitInclude;
  /// nvcc's host compiler is Clang, so that the user's code sees its macros.
  bool HostIsClang = false;
};

/// The plain C++ text of \p Path; \p Text, if given, replaces the file's
/// content. Nothing if there was an error; it has been printed on stderr.
std::optional<std::string> makePlainCpp(llvm::StringRef Path,
                                        std::optional<llvm::StringRef> Text,
                                        const SimulateOptions &Options);

/// Macros that tell the simulator's headers where the toolkit's headers are of
/// the libraries that are not simulated.
std::vector<std::string> getLibraryFlags(const SimulateOptions &Options);

/// Flags by which any source of a simulated program finds the CUDA headers,
/// before the user's own flags.
std::vector<std::string> getSimulatorFlags(const SimulateOptions &Options);

} // namespace warpwright

#endif // WARPWRIGHT_SIMULATE_TRANSFORM_H
