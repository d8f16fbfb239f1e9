//===-- Preprocess.h - Both passes over a CUDA source -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_PREPROCESS_H
#define WARPWRIGHT_LIB_SIMULATE_PREPROCESS_H

#include "warpwright/Simulate/Transform.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace warpwright {

/// \p Path preprocessed, with line markers. Nothing after an error.
std::optional<std::string> preprocess(llvm::StringRef Path,
                                      std::optional<llvm::StringRef> Text,
                                      const SimulateOptions &Options);

/// Parses \p Preprocessed, from \p Path, as CUDA, and calls \p Use while the
/// AST is alive. Function templates that are not needed for constants are not
/// instantiated. Returns false after an error; \p Use returns false if it has
/// reported one itself. All errors are printed.
bool parsePreprocessed(llvm::StringRef Path, llvm::StringRef Preprocessed,
                       const SimulateOptions &Options,
                       llvm::function_ref<bool(clang::ASTContext &)> Use);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_PREPROCESS_H
