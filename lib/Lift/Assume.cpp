//===-- Assume.cpp - The assume clause as a condition ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assume.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

namespace {
class Translator {
public:
  Translator(const ASTContext &Context, const FunctionDecl &Kernel,
             llvm::ArrayRef<ParamLeaf> Params)
      : Context(Context), Kernel(Kernel), Params(Params) {}

  std::optional<BoolExpr> condition(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (auto C = constant(E))
      return BoolExpr::constant(*C != 0);
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_LNot) {
      auto B = condition(U->getSubExpr());
      return B ? std::optional(BoolExpr::negation(*B)) : std::nullopt;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->isLogicalOp()) {
        auto L = condition(B->getLHS()), R = condition(B->getRHS());
        if (!L || !R)
          return std::nullopt;
        return B->getOpcode() == BO_LAnd ? BoolExpr::conjunction(*L, *R)
                                         : BoolExpr::disjunction(*L, *R);
      }
      if (B->isComparisonOp())
        return comparison(*B);
    }
    if (const ParamLeaf *L = leaf(E)) {
      if (L->IsPointer)
        return BoolExpr::nonNull(L->Path);
      if (!isFloating(L->Type))
        return BoolExpr::compare(CmpOp::NE, IntExpr::param(L->Path), 0);
    }
    if (auto I = integer(E))
      return BoolExpr::compare(CmpOp::NE, *I, 0);
    return std::nullopt;
  }

private:
  std::optional<int64_t> constant(const Expr *E) {
    Expr::EvalResult R;
    if (E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType() ||
        !E->EvaluateAsInt(R, Context) || R.HasSideEffects)
      return std::nullopt;
    return R.Val.getInt().tryExtValue();
  }

  /// The parameter or field that \p E names, if it is a leaf.
  const ParamLeaf *leaf(const Expr *E) {
    std::string Path;
    E = E->IgnoreParenImpCasts();
    while (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->isArrow())
        return nullptr;
      Path = "." + M->getMemberDecl()->getName().str() + Path;
      E = M->getBase()->IgnoreParenImpCasts();
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    // A pragma on a declaration names that one's parameters.
    if (!P || P->getFunctionScopeIndex() >= Kernel.getNumParams())
      return nullptr;
    Path =
        Kernel.getParamDecl(P->getFunctionScopeIndex())->getName().str() + Path;
    auto It = llvm::find_if(Params,
                            [&](const ParamLeaf &L) { return L.Path == Path; });
    return It == Params.end() || !It->Problem.empty() ? nullptr : &*It;
  }

  std::optional<BoolExpr> comparison(const BinaryOperator &B) {
    CmpOp Op = B.getOpcode() == BO_LT   ? CmpOp::LT
               : B.getOpcode() == BO_GT ? CmpOp::GT
               : B.getOpcode() == BO_LE ? CmpOp::LE
               : B.getOpcode() == BO_GE ? CmpOp::GE
               : B.getOpcode() == BO_EQ ? CmpOp::EQ
                                        : CmpOp::NE;
    // A pointer beside a null pointer.
    for (auto [Side, Other] :
         {std::pair{B.getLHS(), B.getRHS()}, {B.getRHS(), B.getLHS()}})
      if (const ParamLeaf *L = leaf(Side);
          L && L->IsPointer && (Op == CmpOp::EQ || Op == CmpOp::NE)) {
        if (Other->IgnoreParenImpCasts()->isNullPointerConstant(
                const_cast<ASTContext &>(Context),
                Expr::NPC_ValueDependentIsNotNull) == Expr::NPCK_NotNull)
          return std::nullopt;
        BoolExpr NonNull = BoolExpr::nonNull(L->Path);
        return Op == CmpOp::NE ? NonNull : BoolExpr::negation(NonNull);
      }
    auto L = integer(B.getLHS()), R = integer(B.getRHS());
    if (!L || !R)
      return std::nullopt;
    return BoolExpr::compare(Op, *L, *R);
  }

  std::optional<IntExpr> integer(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (auto C = constant(E))
      return IntExpr(*C);
    if (const ParamLeaf *L = leaf(E)) {
      if (L->IsPointer || isFloating(L->Type))
        return std::nullopt;
      return IntExpr::param(L->Path);
    }
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      // To a type that holds every value of the old one.
      QualType From = C->getSubExpr()->getType(), To = C->getType();
      if (!From->isIntegerType() || !To->isIntegerType() ||
          Context.getTypeSize(To) < Context.getTypeSize(From))
        return std::nullopt;
      return integer(C->getSubExpr());
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      auto V = integer(U->getSubExpr());
      if (V && U->getOpcode() == UO_Minus)
        return -*V;
      return V && U->getOpcode() == UO_Plus ? V : std::nullopt;
    }
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return std::nullopt;
    auto L = integer(B->getLHS()), R = integer(B->getRHS());
    if (!L || !R)
      return std::nullopt;
    switch (B->getOpcode()) {
    case BO_Add:
      return *L + *R;
    case BO_Sub:
      return *L - *R;
    case BO_Mul:
      return *L * *R;
    case BO_Div:
    case BO_Rem:
    case BO_And: {
      // Of numbers that are not negative, by a positive constant.
      auto D = R->getConstant();
      if (!D || *D <= 0)
        return std::nullopt;
      if (B->getOpcode() == BO_And) {
        if (((*D + 1) & *D) != 0)
          return std::nullopt;
        return IntExpr::mod(*L, IntExpr(*D + 1));
      }
      return B->getOpcode() == BO_Div ? IntExpr::floorDiv(*L, *R)
                                      : IntExpr::mod(*L, *R);
    }
    default:
      return std::nullopt;
    }
  }

  const ASTContext &Context;
  const FunctionDecl &Kernel;
  llvm::ArrayRef<ParamLeaf> Params;
};
} // namespace

std::optional<BoolExpr> translateAssumption(const ASTContext &Context,
                                            const FunctionDecl &Kernel,
                                            llvm::ArrayRef<ParamLeaf> Params,
                                            const Expr &E) {
  return Translator(Context, Kernel, Params).condition(&E);
}

} // namespace warpwright::symbolic
