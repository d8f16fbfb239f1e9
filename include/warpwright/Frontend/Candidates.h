//===-- Candidates.h - Kernels that look like a matmul ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which kernels of a code base are worth lifting at all. `scan` asks this of
/// every kernel that it meets, so the answer comes from the AST alone: a file
/// without such a kernel costs its parse and nothing else.
///
/// A kernel looks like a matmul if it issues matrix instructions, or if a loop
/// carries a sum to which it adds a product of two different numbers that were
/// both read from memory.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_CANDIDATES_H
#define WARPWRIGHT_FRONTEND_CANDIDATES_H

#include "warpwright/Frontend/Region.h"
#include <optional>

namespace warpwright {

/// The form in which \p Kernel multiplies, or nothing if it does not look like
/// a matmul. Functions that it calls are examined as well. \p Kernel has a
/// body, which may be dependent.
std::optional<KernelForm> findMatmulForm(clang::ASTContext &Context,
                                         const clang::FunctionDecl &Kernel);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_CANDIDATES_H
