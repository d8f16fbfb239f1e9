//===-- Reach.cpp - What a kernel calls -----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reach.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace warpwright {

namespace {
class ReachVisitor : public DynamicRecursiveASTVisitor {
public:
  ReachVisitor() { ShouldVisitImplicitCode = true; }

  void function(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (!F || !F->isDefined(Definition) || Definition->isDependentContext() ||
        Definition->isInvalidDecl() || !Seen.insert(Definition).second)
      return;
    // Host code is not part of a kernel, and need not be valid for Clang.
    bool Device = Definition->hasAttr<CUDADeviceAttr>() ||
                  Definition->hasAttr<CUDAGlobalAttr>() ||
                  Definition->isConstexpr() || Definition->isImplicit() ||
                  Definition->isDefaulted();
    if (Device)
      Queue.push_back(Definition);
  }

  void record(QualType T) {
    if (T.isNull())
      return;
    T = T.getNonReferenceType();
    while (const auto *A = dyn_cast<clang::ArrayType>(T.getTypePtr()))
      T = A->getElementType();
    const CXXRecordDecl *R = T->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition() || R->isDependentType() ||
        !Records.insert(R->getDefinition()).second)
      return;
    R = R->getDefinition();
    if (!R->hasTrivialDestructor())
      function(R->getDestructor());
    if (R->isDynamicClass())
      for (const CXXMethodDecl *M : R->methods())
        if (M->isVirtual())
          function(M);
    for (const CXXBaseSpecifier &B : R->bases())
      record(B.getType());
    for (const FieldDecl *F : R->fields())
      record(F->getType());
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (const auto *F = dyn_cast<FunctionDecl>(E->getDecl()))
      function(F);
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl());
        V && V->hasGlobalStorage() && !V->isStaticLocal())
      if (const VarDecl *D = V->getDefinition())
        if (Seen.insert(D).second) {
          Variables.push_back(D);
          record(D->getType());
          if (const Expr *Init = D->getInit())
            TraverseStmt(const_cast<Expr *>(Init));
        }
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    if (const auto *F = dyn_cast<FunctionDecl>(E->getMemberDecl()))
      function(F);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    function(E->getConstructor());
    record(E->getType());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *E) override {
    function(E->getConstructor());
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *E) override {
    function(E->getOperatorNew());
    function(E->getOperatorDelete());
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *E) override {
    function(E->getOperatorDelete());
    record(E->getDestroyedType());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *E) override {
    record(E->getType());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) override {
    record(E->getType());
    return true;
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitVarDecl(VarDecl *V) override {
    record(V->getType());
    if (const VarDecl *Bound = V->getPotentiallyDecomposedVarDecl())
      record(Bound->getType());
    return true;
  }

  std::vector<const FunctionDecl *> Queue;
  std::vector<const VarDecl *> Variables;

private:
  llvm::SmallPtrSet<const Decl *, 32> Seen;
  llvm::SmallPtrSet<const CXXRecordDecl *, 16> Records;
};
} // namespace

std::vector<const Decl *>
reachableDefinitions(ASTContext &,
                     llvm::ArrayRef<const FunctionDecl *> Kernels) {
  ReachVisitor Visitor;
  std::vector<const Decl *> Result;
  for (const FunctionDecl *K : Kernels)
    Visitor.function(K);
  for (size_t N = 0; N < Visitor.Queue.size(); ++N) {
    auto *F = const_cast<FunctionDecl *>(Visitor.Queue[N]);
    for (const ParmVarDecl *P : F->parameters())
      Visitor.record(P->getType());
    Visitor.record(F->getReturnType());
    if (const auto *C = dyn_cast<CXXConstructorDecl>(F)) {
      Visitor.record(C->getASTContext().getCanonicalTagType(C->getParent()));
      for (const CXXCtorInitializer *I : C->inits())
        if (I->getInit())
          Visitor.TraverseStmt(I->getInit());
      if (C->isInheritingConstructor())
        Visitor.function(C->getInheritedConstructor().getConstructor());
    }
    if (const auto *D = dyn_cast<CXXDestructorDecl>(F)) {
      const CXXRecordDecl *R = D->getParent();
      for (const CXXBaseSpecifier &B : R->bases())
        Visitor.record(B.getType());
      for (const FieldDecl *Field : R->fields())
        Visitor.record(Field->getType());
    }
    if (Stmt *Body = F->getBody())
      Visitor.TraverseStmt(Body);
  }
  Result.insert(Result.end(), Visitor.Variables.begin(),
                Visitor.Variables.end());
  Result.insert(Result.end(), Visitor.Queue.begin(), Visitor.Queue.end());
  return Result;
}

} // namespace warpwright
