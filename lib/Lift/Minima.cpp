//===-- Minima.cpp - Comparisons with the smaller of two numbers ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"

namespace warpwright::symbolic {

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
      if (Bounds.bounds(Rest + X, Loops).Low >= 0)
        return Y + Rest;
  }
  return D;
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
