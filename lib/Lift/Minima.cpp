//===-- Minima.cpp - Comparisons with the smaller of two numbers ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"

namespace warpwright::symbolic {

/// Whether \p Rest + \p X is never negative. A maximum is as large as each of
/// its sides.
static bool neverNegative(const IntExpr &Rest, const IntExpr &X,
                          const Ranges &Bounds,
                          const std::vector<BoundLoop> &Loops) {
  if (Bounds.bounds(Rest + X, Loops).Low >= 0)
    return true;
  const AtomRef A = X.getAtom();
  return A && A->getKind() == AtomKind::Max &&
         (Bounds.bounds(Rest + A->getLHS(), Loops).Low >= 0 ||
          Bounds.bounds(Rest + A->getRHS(), Loops).Low >= 0);
}

/// `D < 0`, of which the minimum is left out.
static IntExpr withoutMinimum(const IntExpr &D, const Ranges &Bounds,
                              const std::vector<BoundLoop> &Loops) {
  for (const auto &[Atoms, Factor] : D.terms()) {
    if (Factor != 1 || Atoms.size() != 1 ||
        Atoms[0]->getKind() != AtomKind::Min)
      continue;
    const IntExpr Rest = D - IntExpr(Atoms[0]);
    const IntExpr L = Atoms[0]->getLHS(), R = Atoms[0]->getRHS();
    for (const auto &[X, Y] : {std::pair(L, R), std::pair(R, L)})
      if (neverNegative(Rest, X, Bounds, Loops))
        return Y + Rest;
  }
  return D;
}

CountedUp countedUp(const IntExpr &E, const IntExpr &End) {
  for (const auto &[M, Factor] : E.terms()) {
    if (M.size() != 1 || Factor != 1)
      continue;
    const IntExpr Rest = E - IntExpr(M[0]);
    if (M[0]->getKind() == AtomKind::Min)
      for (const IntExpr &Times : {M[0]->getLHS(), M[0]->getRHS()})
        if (const CountedUp Counted{Rest, Times}; Counted.upTo(End) == E)
          return Counted;
    if (M[0]->getKind() != AtomKind::Select)
      continue;
    const IntExpr Then = M[0]->getLHS(), Else = M[0]->getRHS();
    const bool Swapped = Else - Then == IntExpr(1);
    if (!Swapped && Then - Else != IntExpr(1))
      continue;
    const IntExpr Before = Rest + (Swapped ? Then : Else);
    const BoolExpr More = Swapped ? BoolExpr::negation(M[0]->getCondition())
                                  : M[0]->getCondition();
    CountedUp Counted = countedUp(Before, End);
    // Below the bound it is as if it had always been raised.
    for (const IntExpr &Now : {Before, Counted.ifNeverStopped()})
      if (More == BoolExpr::compare(CmpOp::LT, Now, End)) {
        Counted.Times += IntExpr(1);
        return Counted;
      }
  }
  return {E, IntExpr()};
}

BoolExpr withoutBound(const BoolExpr &B) {
  if (B.getKind() != BoolExpr::Kind::Compare)
    return B;
  IntExpr L = B.getLHS(), R = B.getRHS();
  const CmpOp Op = B.getOp();
  if (Op == CmpOp::EQ || Op == CmpOp::NE)
    return B;
  if (Op == CmpOp::GT || Op == CmpOp::LE)
    std::swap(L, R);
  const CountedUp Counted = countedUp(L, R);
  if (Counted.Times.isZero())
    return B;
  const BoolExpr Below =
      BoolExpr::compare(CmpOp::LT, Counted.ifNeverStopped(), R);
  return Op == CmpOp::LT || Op == CmpOp::GT ? Below : BoolExpr::negation(Below);
}

BoolExpr splitMinima(const BoolExpr &B) {
  switch (B.getKind()) {
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(splitMinima(B.operands()[0]),
                                 splitMinima(B.operands()[1]));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(splitMinima(B.operands()[0]),
                                 splitMinima(B.operands()[1]));
  case BoolExpr::Kind::Compare: {
    const IntExpr Apart = B.getLHS() - B.getRHS();
    const CmpOp Op = B.getOp();
    if (Op == CmpOp::EQ || Op == CmpOp::NE ||
        !Apart.containsKind(AtomKind::Min))
      return B;
    const IntExpr D = Op == CmpOp::LT   ? Apart
                      : Op == CmpOp::LE ? Apart - 1
                      : Op == CmpOp::GT ? -Apart
                                        : -Apart - 1;
    for (const auto &[Atoms, Factor] : D.terms()) {
      if (Factor >= 0 || Atoms.size() != 1 ||
          Atoms[0]->getKind() != AtomKind::Min)
        continue;
      const IntExpr Rest = D - IntExpr(Factor) * IntExpr(Atoms[0]);
      auto Below = [&, F = Factor](const IntExpr &End) {
        return splitMinima(
            BoolExpr::compare(CmpOp::LT, Rest + IntExpr(F) * End, IntExpr()));
      };
      return BoolExpr::conjunction(Below(Atoms[0]->getLHS()),
                                   Below(Atoms[0]->getRHS()));
    }
    return B;
  }
  default:
    return B;
  }
}

BoolExpr withoutMinima(const BoolExpr &B, const Ranges &Bounds,
                       const std::vector<BoundLoop> &Loops) {
  switch (B.getKind()) {
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(withoutMinima(B.operands()[0], Bounds, Loops),
                                 withoutMinima(B.operands()[1], Bounds, Loops));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(withoutMinima(B.operands()[0], Bounds, Loops),
                                 withoutMinima(B.operands()[1], Bounds, Loops));
  case BoolExpr::Kind::Compare: {
    // Every order is `D < 0`, or its opposite.
    const IntExpr Apart = B.getLHS() - B.getRHS();
    const CmpOp Op = B.getOp();
    if (Op == CmpOp::EQ || Op == CmpOp::NE ||
        !Apart.containsKind(AtomKind::Min))
      return B;
    const IntExpr D = Op == CmpOp::LT   ? Apart
                      : Op == CmpOp::LE ? Apart - 1
                      : Op == CmpOp::GT ? -Apart
                                        : Apart;
    const IntExpr Less = withoutMinimum(D, Bounds, Loops);
    if (Less == D)
      return B;
    return BoolExpr::compare(Op == CmpOp::GE ? CmpOp::GE : CmpOp::LT, Less,
                             IntExpr());
  }
  default:
    return B;
  }
}

} // namespace warpwright::symbolic
