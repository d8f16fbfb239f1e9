//===-- Transformer.h - The walk that makes plain C++ -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Visits a preprocessed CUDA file, templates but not their instances, and
/// collects the edits that turn it into plain C++.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_TRANSFORMER_H
#define WARPWRIGHT_LIB_SIMULATE_TRANSFORMER_H

#include "SourceTokens.h"
#include "TextPieces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace warpwright {

/// Removes CUDA's attributes and pragmas from the whole text.
void dropCudaWords(const SourceTokens &Tokens, TextPieces &Pieces);

class Transformer : public clang::DynamicRecursiveASTVisitor {
public:
  Transformer(clang::ASTContext &Context, const SourceTokens &Tokens,
              TextPieces &Pieces)
      : Context(Context), SM(Context.getSourceManager()), Tokens(Tokens),
        Pieces(Pieces) {}

  /// Visits everything. False if something cannot be simulated, which has been
  /// reported.
  bool run();

  bool TraverseDecl(clang::Decl *D) override;
  bool TraverseLambdaExpr(clang::LambdaExpr *E) override;
  bool VisitFunctionDecl(clang::FunctionDecl *F) override;
  bool VisitCXXRecordDecl(clang::CXXRecordDecl *Record) override;
  bool VisitVarDecl(clang::VarDecl *V) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override;
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr *E) override;
  bool VisitMemberExpr(clang::MemberExpr *E) override;
  bool VisitDecltypeTypeLoc(clang::DecltypeTypeLoc T) override;
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *E) override;
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *S) override;
  bool VisitUnaryOperator(clang::UnaryOperator *E) override;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *E) override;
  bool VisitCompoundStmt(clang::CompoundStmt *S) override;

private:
  /// Whether code runs on the host only, the device only, or either.
  enum class Side { Host, Device, Both };

  unsigned getOffset(clang::SourceLocation Location) const;
  /// Index of the token at \p Location.
  size_t getToken(clang::SourceLocation Location) const {
    return Tokens.findAt(getOffset(Location));
  }
  TextPiece makePiece(std::string Text, clang::SourceRange Range) const;
  bool isInText(clang::SourceLocation Location) const;
  /// Whether the position is in a file of the user's or in one that was
  /// generated for them.
  bool isUserCode(clang::SourceLocation Location) const;
  Side getSide(const clang::FunctionDecl *F) const;
  /// Reports `[WW601]`: this cannot be simulated.
  void reject(clang::SourceLocation Location, llvm::StringRef Why);

  void editKernel(clang::FunctionDecl *F);
  std::vector<TextPiece> makeSite(clang::FunctionDecl *F);
  /// Appends \p Before and the value of \p E: a number, or a cast of its text
  /// if it depends on template parameters; \p Default if there is no \p E.
  void addNumber(std::vector<TextPiece> &Site, llvm::StringRef Before,
                 clang::Expr *E, llvm::StringRef Type, llvm::StringRef Default);
  void markUnchecked(clang::FunctionDecl *F);
  void editShared(clang::VarDecl *V);
  void editSharedAlignment(clang::VarDecl *V);
  void useShared(clang::SourceLocation Location, const clang::VarDecl *V);
  /// The function to call with a pointer that device code is about to
  /// dereference, with its opening parenthesis; empty if nothing has to be
  /// called.
  llvm::StringRef getAlignmentCheck(const clang::Expr *Pointer) const;
  bool isCheckedText(clang::SourceRange Range) const;
  void checkArrow(const clang::MemberExpr *E);
  /// Whether \p Text, with its quotes, has a wgmma that reads A from registers;
  /// if so, records that.
  bool takesRegisters(llvm::StringRef Text);
  /// Whether \p E, an operand of such a statement, may be a register of A that
  /// another variable holds.
  static bool isRegister(const clang::Expr *E);
  void addRegisters();
  void nameTemplate(const clang::NamedDecl *D, unsigned Arguments);

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const SourceTokens &Tokens;
  TextPieces &Pieces;
  /// The innermost enclosing function that is not a lambda.
  const clang::FunctionDecl *Function = nullptr;
  std::vector<Side> Sides; ///< of the enclosing functions, innermost last
  /// The operands of `&`.
  llvm::DenseSet<const clang::Expr *> Unaccessed;
  bool Good = true;
  /// The text to insert after variables that may hold registers of A, if there
  /// is a wgmma that reads A from registers.
  std::vector<TextPiece> Registers;
  bool TakesRegisters = false;
  /// Function templates with such a wgmma, and those that are called.
  std::vector<const clang::FunctionTemplateDecl *> RegisterTemplates;
  llvm::DenseSet<const clang::FunctionTemplateDecl *> NamedTemplates;
  /// The positions of annotated kernels by name, for kernels that were
  /// generated from them.
  struct UserKernel {
    std::string File;
    unsigned Line = 0;
  };
  llvm::StringMap<UserKernel> UserKernels;
  /// The first token of a declaration of shared variables; all its declarators
  /// have the same.
  llvm::DenseMap<unsigned, unsigned> SharedDeclarations;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_TRANSFORMER_H
