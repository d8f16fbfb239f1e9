//===-- Reach.h - What a kernel calls ---------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_REACH_H
#define WARPWRIGHT_LIB_IR_REACH_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
} // namespace clang

namespace warpwright {

/// The definitions of functions and variables that code generation for \p
/// Kernels needs: everything that their bodies name, directly or through one
/// another, including destructors and virtual functions of the classes that
/// they use. A function that is missed here has no body in the module, so a
/// call of it is not understood; it is never misunderstood.
std::vector<const clang::Decl *>
reachableDefinitions(clang::ASTContext &Context,
                     llvm::ArrayRef<const clang::FunctionDecl *> Kernels);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_REACH_H
