//===-- Assume.h - The assume clause as a condition -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_ASSUME_H
#define WARPWRIGHT_LIB_LIFT_ASSUME_H

#include "warpwright/IR/KernelIR.h"
#include <optional>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
} // namespace clang

namespace warpwright::symbolic {

/// The condition of an `assume` clause over the scalar and pointer parameters
/// of \p Kernel, as the launcher checks it in exact arithmetic. An expression
/// whose C++ arithmetic would wrap is also read as a statement about exact
/// numbers. Nothing if it is not a condition over integers, comparisons, `&&`,
/// `||`, `!` and null pointers.
std::optional<BoolExpr> translateAssumption(const clang::ASTContext &Context,
                                            const clang::FunctionDecl &Kernel,
                                            llvm::ArrayRef<ParamLeaf> Params,
                                            const clang::Expr &E);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_ASSUME_H
