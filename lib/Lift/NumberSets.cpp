//===-- NumberSets.cpp - Conditions on one number -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberSets.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

namespace warpwright::symbolic {

namespace {
constexpr int64_t Lowest = INT64_MIN, Highest = INT64_MAX; // no end
/// Ends are far from what overflows.
constexpr int64_t MaxEnd = int64_t(1) << 40;
constexpr unsigned MaxRuns = 16, MaxLeaves = 32;

struct Run {
  int64_t Low, High; // both included
};
/// The numbers that a condition admits.
struct NumberSet {
  IntExpr Of;            ///< without a constant term
  std::vector<Run> Runs; ///< in order, and with a gap between any two
};
} // namespace

/// \p Runs in order, those that touch joined.
static void join(std::vector<Run> &Runs) {
  llvm::sort(Runs, [](const Run &A, const Run &B) { return A.Low < B.Low; });
  std::vector<Run> Joined;
  for (const Run &R : Runs) {
    if (!Joined.empty() &&
        (Joined.back().High == Highest || R.Low <= Joined.back().High + 1))
      Joined.back().High = std::max(Joined.back().High, R.High);
    else
      Joined.push_back(R);
  }
  Runs = std::move(Joined);
}

static std::optional<NumberSet> ofComparison(const BoolExpr &B) {
  IntExpr D = B.getLHS() - B.getRHS();
  if (D.overflowed())
    return std::nullopt;
  int64_t Beside = 0, First = 0;
  for (const auto &[Atoms, Factor] : D.terms()) {
    if (Atoms.empty())
      Beside = Factor;
    else if (First == 0)
      First = Factor;
  }
  if (First == 0 || Beside < -MaxEnd || Beside > MaxEnd)
    return std::nullopt;
  // The same number, however the sides are written.
  const bool Negated = First < 0;
  NumberSet S;
  S.Of = D - IntExpr(Beside);
  int64_t End = -Beside;
  CmpOp Op = B.getOp();
  if (Negated) {
    S.Of = -S.Of;
    End = -End;
    Op = swapSides(Op);
  }
  switch (Op) {
  case CmpOp::EQ:
    S.Runs = {{End, End}};
    break;
  case CmpOp::NE:
    S.Runs = {{Lowest, End - 1}, {End + 1, Highest}};
    break;
  case CmpOp::LT:
    S.Runs = {{Lowest, End - 1}};
    break;
  case CmpOp::LE:
    S.Runs = {{Lowest, End}};
    break;
  case CmpOp::GT:
    S.Runs = {{End + 1, Highest}};
    break;
  case CmpOp::GE:
    S.Runs = {{End, Highest}};
    break;
  }
  return S;
}

static std::optional<NumberSet> setOf(const BoolExpr &B, unsigned &Leaves) {
  if (B.getKind() == BoolExpr::Kind::Compare)
    return ++Leaves > MaxLeaves ? std::nullopt : ofComparison(B);
  const bool Both = B.getKind() == BoolExpr::Kind::And;
  if (!Both && B.getKind() != BoolExpr::Kind::Or)
    return std::nullopt;
  auto L = setOf(B.operands()[0], Leaves);
  if (!L)
    return std::nullopt;
  auto R = setOf(B.operands()[1], Leaves);
  if (!R || L->Of != R->Of)
    return std::nullopt;
  NumberSet S;
  S.Of = L->Of;
  if (Both) {
    for (const Run &X : L->Runs)
      for (const Run &Y : R->Runs)
        if (std::max(X.Low, Y.Low) <= std::min(X.High, Y.High))
          S.Runs.push_back({std::max(X.Low, Y.Low), std::min(X.High, Y.High)});
  } else {
    S.Runs = L->Runs;
    llvm::append_range(S.Runs, R->Runs);
  }
  join(S.Runs);
  return S.Runs.size() > MaxRuns ? std::nullopt : std::optional(S);
}

/// The number that is compared with \p End in the place of \p E: min(c, x) is
/// at least a number up to c where x is, and below a number up to c, or equal
/// to a number below c, where x is.
static IntExpr withoutMinimum(IntExpr E, int64_t End) {
  for (AtomRef A; (A = E.getAtom()) && A->getKind() == AtomKind::Min;) {
    auto L = A->getLHS().getConstant(), R = A->getRHS().getConstant();
    if ((!L && !R) || End > (L ? *L : *R))
      break;
    E = L ? A->getRHS() : A->getLHS();
  }
  return E;
}

static BoolExpr exactly(const IntExpr &E, int64_t End) {
  const IntExpr X = withoutMinimum(E, End + 1);
  const auto [Plus, Minus] = sidesOf(X - IntExpr(End));
  return BoolExpr::compare(CmpOp::EQ, Plus, Minus);
}

/// `E <= End`, or `E >= End` if \p Least.
static BoolExpr bounded(IntExpr E, int64_t End, bool Least) {
  E = withoutMinimum(E, Least ? End : End + 1);
  const auto [Plus, Minus] = sidesOf(E - IntExpr(End));
  return Least ? BoolExpr::compare(CmpOp::GE, Plus, Minus)
               : BoolExpr::compare(CmpOp::LE, Plus, Minus);
}

BoolExpr atLeast(const IntExpr &E, int64_t End) {
  return bounded(E, End, /*Least=*/true);
}

BoolExpr asOneRange(const BoolExpr &B) {
  if (B.getKind() != BoolExpr::Kind::And && B.getKind() != BoolExpr::Kind::Or)
    return B;
  unsigned Leaves = 0;
  const auto S = setOf(B, Leaves);
  if (!S || S->Runs.size() > 1)
    return B;
  if (S->Runs.empty())
    return BoolExpr::constant(false);
  const Run &R = S->Runs.front();
  if (R.Low == R.High)
    return exactly(S->Of, R.Low);
  BoolExpr Range = BoolExpr::constant(true);
  if (R.Low != Lowest)
    Range = bounded(S->Of, R.Low, /*Least=*/true);
  if (R.High != Highest)
    Range =
        BoolExpr::conjunction(Range, bounded(S->Of, R.High, /*Least=*/false));
  return Range;
}

BoolExpr asOuterRange(const BoolExpr &B, const Simplifier &Facts) {
  if (B.getKind() != BoolExpr::Kind::Compare || B.getOp() != CmpOp::EQ)
    return B;
  const auto S = ofComparison(B);
  if (!S)
    return B;
  const int64_t Number = S->Runs.front().Low;
  if (Facts.neverNegative(withoutMinimum(S->Of, Number) - IntExpr(Number)))
    return bounded(S->Of, Number, /*Least=*/false);
  if (Facts.neverNegative(IntExpr(Number) - S->Of))
    return bounded(S->Of, Number, /*Least=*/true);
  return exactly(S->Of, Number);
}

} // namespace warpwright::symbolic
