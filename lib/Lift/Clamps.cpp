//===-- Clamps.cpp - Indices that are kept inside -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clamps.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

void resolveClamps(IndexSpace &Space, const std::vector<IntExpr> &Extents,
                   ProductParts &Parts) {
  auto Least = [&](IntExpr E) -> std::optional<IntExpr> {
    for (size_t N = 0; N < Space.Vars.size(); ++N) {
      const IndexVar &V = Space.Vars[N];
      auto Factor = E.coefficient(V.key());
      if (!Factor)
        return std::nullopt;
      auto C = Factor->getConstant();
      if (!C)
        return std::nullopt;
      E = E - *Factor * V.Atom;
      if (*C < 0)
        E = E + *Factor * (Extents[N] - 1);
    }
    return E;
  };
  auto NotBelow = [&](const IntExpr &A, const IntExpr &B) {
    auto D = Least(A - B);
    if (!D)
      return false;
    IntExpr More, Less;
    for (const auto &[M, C] : D->terms()) {
      IntExpr Term(C);
      for (const AtomRef &X : M)
        Term = Term * IntExpr(X);
      (C > 0 ? More : Less) += Term;
    }
    return provablyAtLeast(More, -Less);
  };
  // A condition that holds for all elements and terms.
  auto Decide = [&](const BoolExpr &B) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    B.conjuncts(Tests);
    return llvm::all_of(Tests, [&](const BoolExpr &T) {
      if (T.getKind() != BoolExpr::Kind::Compare)
        return false;
      const IntExpr &L = T.getLHS(), &R = T.getRHS();
      switch (T.getOp()) {
      case CmpOp::LT:
        return NotBelow(R - 1, L);
      case CmpOp::LE:
        return NotBelow(R, L);
      case CmpOp::GT:
        return NotBelow(L - 1, R);
      case CmpOp::GE:
        return NotBelow(L, R);
      default:
        return false;
      }
    });
  };
  auto Resolve = [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() == AtomKind::Select)
      return Decide(A.getCondition()) ? std::optional<IntExpr>(A.getLHS())
                                      : std::nullopt;
    bool IsMin = A.getKind() == AtomKind::Min;
    if (!IsMin && A.getKind() != AtomKind::Max)
      return std::nullopt;
    if (!Space.mentions(A.getLHS()) && !Space.mentions(A.getRHS()))
      return std::nullopt;
    if (NotBelow(A.getRHS(), A.getLHS()))
      return IsMin ? A.getLHS() : A.getRHS();
    if (NotBelow(A.getLHS(), A.getRHS()))
      return IsMin ? A.getRHS() : A.getLHS();
    return std::nullopt;
  };
  for (std::vector<ValueRef> *Values : {&Parts.Factors, &Parts.Coefficients})
    for (ValueRef &V : *Values)
      V = transformInts(V, Resolve);
  for (ValueRef &V : Parts.Prologues)
    if (V)
      V = transformInts(
          replaceValues(V,
                        [&](const ValueRef &X) -> ValueRef {
                          if (X->K != Value::Kind::Select ||
                              hasValues(X->Condition))
                            return nullptr;
                          if (Decide(X->Condition))
                            return X->Ops[0];
                          return Decide(BoolExpr::negation(X->Condition))
                                     ? X->Ops[1]
                                     : nullptr;
                        }),
          Resolve);
  for (Store &S : Space.Stores) {
    S.Index = S.Index.transform(Resolve);
    S.Value = transformInts(S.Value, Resolve);
  }
}

} // namespace warpwright::symbolic
