//===-- Transformer.h - The walk that makes plain C++ -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Walks the patterns of a preprocessed CUDA file and collects the edits that
/// make it plain C++.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_TRANSFORMER_H
#define WARPWRIGHT_LIB_SIMULATE_TRANSFORMER_H

#include "SourceTokens.h"
#include "TextPieces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace warpwright {

/// Takes CUDA's attributes and pragmas out of the whole text.
void dropCudaWords(const SourceTokens &Tokens, TextPieces &Pieces);

class Transformer : public clang::RecursiveASTVisitor<Transformer> {
public:
  Transformer(clang::ASTContext &Context, const SourceTokens &Tokens,
              TextPieces &Pieces)
      : Context(Context), SM(Context.getSourceManager()), Tokens(Tokens),
        Pieces(Pieces) {}

  /// Walks everything; false if something cannot be simulated, which has been
  /// reported.
  bool run();

  bool TraverseDecl(clang::Decl *D);
  bool TraverseLambdaExpr(clang::LambdaExpr *E);
  bool VisitFunctionDecl(clang::FunctionDecl *F);
  bool VisitCXXRecordDecl(clang::CXXRecordDecl *Record);
  bool VisitVarDecl(clang::VarDecl *V);
  bool VisitDeclRefExpr(clang::DeclRefExpr *E);
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr *E);
  bool VisitMemberExpr(clang::MemberExpr *E);
  bool VisitDecltypeTypeLoc(clang::DecltypeTypeLoc T);
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *E);
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *S);
  bool VisitUnaryOperator(clang::UnaryOperator *E);
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *E);
  bool VisitCompoundStmt(clang::CompoundStmt *S);

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
  /// In a file of the user's or one that was generated for them.
  bool isUserCode(clang::SourceLocation Location) const;
  Side getSide(const clang::FunctionDecl *F) const;
  /// `[WW601]`: this cannot be simulated.
  void reject(clang::SourceLocation Location, llvm::StringRef Why);

  void editKernel(clang::FunctionDecl *F);
  std::vector<TextPiece> makeSite(clang::FunctionDecl *F);
  /// Appends \p Before and the value of \p E: a number, or a cast of its text
  /// where that depends on template parameters; \p Default for none.
  void addNumber(std::vector<TextPiece> &Site, llvm::StringRef Before,
                 clang::Expr *E, llvm::StringRef Type, llvm::StringRef Default);
  void markUnchecked(clang::FunctionDecl *F);
  void editShared(clang::VarDecl *V);
  void editSharedAlignment(clang::VarDecl *V);
  void useShared(clang::SourceLocation Location, const clang::VarDecl *V);
  /// What to call with a pointer that device code is about to follow, up to
  /// the parenthesis; empty for nothing.
  llvm::StringRef getAlignmentCheck(const clang::Expr *Pointer) const;
  bool isCheckedText(clang::SourceRange Range) const;
  void checkArrow(const clang::MemberExpr *E);
  /// Whether \p Text, with its quotes, has a wgmma that takes A from
  /// registers; remembers it.
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
  /// The innermost function around the walk that is no lambda.
  const clang::FunctionDecl *Function = nullptr;
  std::vector<Side> Sides; ///< of the functions around the walk, inner last
  /// What `&` is applied to.
  llvm::DenseSet<const clang::Expr *> Unaccessed;
  bool Good = true;
  /// What goes behind the variables that may hold registers of A, if a wgmma
  /// takes any.
  std::vector<TextPiece> Registers;
  bool TakesRegisters = false;
  /// Function templates with such a wgmma, and those that are called.
  std::vector<const clang::FunctionTemplateDecl *> RegisterTemplates;
  llvm::DenseSet<const clang::FunctionTemplateDecl *> NamedTemplates;
  /// Where annotated kernels are, by name, for those generated from them.
  struct UserKernel {
    std::string File;
    unsigned Line = 0;
  };
  llvm::StringMap<UserKernel> UserKernels;
  /// Declarators of one declaration of shared variables: its first token.
  llvm::DenseMap<unsigned, unsigned> SharedDeclarations;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_TRANSFORMER_H
