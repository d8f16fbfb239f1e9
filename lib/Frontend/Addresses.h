//===-- Addresses.h - Where the address of a kernel goes --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launches by address are redirected in the main file. The functions here find
/// out whether an address leaves that file; only messages depend on the result.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_ADDRESSES_H
#define WARPWRIGHT_LIB_FRONTEND_ADDRESSES_H

#include "warpwright/Frontend/Region.h"
#include "clang/AST/ASTTypeTraits.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace warpwright {

/// The functions of the CUDA runtime that launch by address and for which
/// warpwright/rt/by_address.cuh has others.
bool isLaunchFunction(llvm::StringRef Name);

/// The function of the CUDA runtime that \p Call may call and of which \p
/// Test(name) holds; null if there is none.
const clang::NamedDecl *
findRuntimeFunction(const clang::CallExpr &Call, const clang::SourceManager &SM,
                    llvm::function_ref<bool(llvm::StringRef)> Test);

/// Follows values through the declarations of the main file, whatever the order
/// of the statements.
class AddressFlow {
public:
  explicit AddressFlow(ParsedFile &File);

  struct Result {
    /// A launch through the runtime's by_address, in a file that is rewritten.
    bool Redirected = false;
    /// The address is stored or passed on inside the file.
    bool Kept = false;
    /// The address goes to code that is not redirected; says to what.
    llvm::SmallVector<std::pair<clang::SourceLocation, std::string>, 1> Leaves;
  };
  /// What happens to the address in \p Use.
  Result follow(const clang::Expr &Use);

private:
  void climb(const clang::Expr &From, Result &R);
  /// True if the parent expression has the same value.
  bool step(const clang::Expr &Child, const clang::DynTypedNode &Parent,
            Result &R);
  bool passedTo(const clang::Expr &Child, const clang::CallExpr &Call,
                Result &R);
  void passedTo(const clang::FunctionDecl &Callee, unsigned Argument,
                clang::SourceLocation Where, Result &R);
  void keptIn(const clang::ValueDecl &D, clang::SourceLocation Where,
              Result &R);
  void passedTo(const clang::TemplateDecl *Template,
                clang::SourceLocation Where, Result &R);
  void keptInMembers(const clang::RecordDecl &Record, unsigned Index,
                     clang::SourceLocation Where, Result &R);
  void returned(const clang::DynTypedNode &From, clang::SourceLocation Where,
                Result &R);
  bool isInMain(const clang::Decl &D) const;
  static void leaves(Result &R, clang::SourceLocation Where,
                     const llvm::Twine &What);

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  /// The places where each variable, member or function is used.
  llvm::DenseMap<const clang::ValueDecl *,
                 llvm::SmallVector<const clang::Expr *, 4>>
      Uses;
  llvm::DenseSet<const clang::ValueDecl *> Followed;
  llvm::SmallVector<const clang::Expr *, 8> Waiting;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_ADDRESSES_H
