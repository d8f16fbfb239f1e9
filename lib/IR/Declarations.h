//===-- Declarations.h - C++ types and names for Lift -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_DECLARATIONS_H
#define WARPWRIGHT_LIB_IR_DECLARATIONS_H

#include "warpwright/IR/FunctionInfo.h"
#include "warpwright/IR/KernelIR.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <optional>

namespace warpwright {

/// The number type of \p T: arithmetic types, enumerations, and __half and
/// __nv_bfloat16 of the CUDA headers.
std::optional<ScalarType> scalarTypeOf(const clang::ASTContext &Context,
                                       clang::QualType T);

/// \p T as a parameter or result.
TypeInfo typeInfoOf(const clang::ASTContext &Context, clang::QualType T);

/// \p Header says whether the declaration is in a known header.
FunctionInfo functionInfoOf(const clang::FunctionDecl &F, bool Header);

/// The scalars and pointers that a launch of \p Kernel passes, in order.
std::vector<ParamLeaf> paramLeavesOf(const clang::FunctionDecl &Kernel);

/// The same for what is stored in \p Variable, which generated code calls \p
/// Name, including elements of short arrays. Argument is 0 in all of them.
std::vector<ParamLeaf> variableLeavesOf(const clang::VarDecl &Variable,
                                        llvm::StringRef Name);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_DECLARATIONS_H
