//===-- LastTurn.cpp - Which buffer a loop has left -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// After a loop over buffers that take turns, the last stored tile is in the
/// buffer whose turn it was, which is a remainder of the number of iterations.
/// A kernel may name that buffer by another formula, which agrees unless the
/// loop runs a negative number of times, or by a constant, which agrees if the
/// number of tiles is even. These conditions are required of the launch.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

/// Whether the launcher can compute \p E.
static bool isOfLaunch(const IntExpr &E) {
  return !E.overflowed() && !mentionsPhi(E) &&
         llvm::none_of(std::initializer_list<AtomKind>{AtomKind::ThreadIdx,
                                                       AtomKind::BlockIdx,
                                                       AtomKind::Counter},
                       [&](AtomKind K) { return E.containsKind(K); });
}

/// Of max(0, x): x.
static std::optional<IntExpr> numberOfTimes(const IntAtom &A) {
  if (A.getKind() != AtomKind::Max)
    return std::nullopt;
  if (A.getLHS().isZero())
    return A.getRHS();
  if (A.getRHS().isZero())
    return A.getLHS();
  return std::nullopt;
}

IntExpr Executor::withKnownTurns(const IntExpr &E) const {
  IntExpr Counted = E.transform([&](const IntAtom &A) {
    auto Times = numberOfTimes(A);
    return Times && Bounds.bounds(*Times).Low >= 0 ? Times : std::nullopt;
  });
  return Counted.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::Mod)
      return std::nullopt;
    for (const Requirement &R : Requires)
      if (const BoolExpr &C = R.Condition;
          C.getKind() == BoolExpr::Kind::Compare && C.getOp() == CmpOp::EQ)
        if (AtomRef Known = C.getLHS().getAtom();
            Known && Known->sameAs(A) && C.getRHS().getConstant())
          return C.getRHS();
    return std::nullopt;
  });
}

bool Executor::askForTurn(const Family &F, const IntExpr &Index,
                          const Simplifier &Facts) {
  std::optional<IntExpr> Times;
  AtomRef Turn;
  F.Base.walk([&](const IntAtom &A) {
    if (auto N = numberOfTimes(A); N && isOfLaunch(*N)) {
      const Interval I = Bounds.bounds(*N);
      if (I.Low < 0 && I.High >= 0)
        Times = N;
    }
  });
  if (Times) {
    require(BoolExpr::compare(CmpOp::GE, *Times, 0),
            "a loop runs a negative number of times");
    return Bounds.bounds(*Times).Low >= 0;
  }
  for (const auto &[Atoms, Factor] : F.Base.terms())
    for (const AtomRef &A : Atoms)
      if (A->getKind() == AtomKind::Mod && isOfLaunch(A->getLHS()))
        Turn = A;
  constexpr int64_t MostBuffers = 16;
  auto Buffers = Turn ? Turn->getRHS().getConstant() : std::nullopt;
  if (!Buffers || *Buffers < 2 || *Buffers > MostBuffers)
    return false;
  // The only buffer that can have the element.
  std::optional<int64_t> Only;
  for (int64_t N = 0; N < *Buffers; ++N) {
    Family There = F;
    There.Base = F.Base.substitute(Turn->getKey(), IntExpr(N));
    if (invert(There, Index, Facts, std::nullopt).K == Origin::Kind::Elsewhere)
      continue;
    if (Only)
      return false;
    Only = N;
  }
  if (!Only)
    return false;
  require(BoolExpr::compare(CmpOp::EQ, IntExpr(Turn), IntExpr(*Only)),
          Turn->getKey() + " is not " + llvm::Twine(*Only));
  return withKnownTurns(F.Base) != F.Base;
}

} // namespace warpwright::symbolic
