//===-- Masks.cpp - Lanes that execute an operation together --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A shuffle names the lanes that take part in it by a mask, a bit for each
/// lane. All of them have to execute it, with the same mask. The mask is a
/// number of this kernel: a constant, or one that depends on the lane, as in
/// the tiles of cooperative groups (`0xff << (lane & 24)`), or on a vote. So it
/// is computed for each of the 32 lanes. Understood are masks that divide the
/// warp into groups of 2, 4, 8, 16 or 32 neighbours, of which some may not be
/// there.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static IntExpr threadAlongX() {
  return IntExpr::special(AtomKind::ThreadIdx, 0);
}

/// Replaces threadIdx.x by that of lane \p N of the same warp.
static auto ofLane(int64_t N) {
  const IntExpr Warp = IntExpr::floorDiv(threadAlongX(), IntExpr(WarpLanes));
  const IntExpr There = IntExpr(WarpLanes) * Warp + IntExpr(N);
  return [Key = threadAlongX().str(),
          There](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return There;
    return std::nullopt;
  };
}

void Executor::requireWholeWarps() {
  if (!Probing)
    require(BoolExpr::compare(
                CmpOp::EQ,
                IntExpr::mod(IntExpr::special(AtomKind::BlockDim, 0), 32), 0),
            "blockDim.x is not a multiple of 32");
}

SymValue Executor::laneNumber() {
  requireWholeWarps();
  return SymValue::exact(IntExpr::mod(threadAlongX(), IntExpr(WarpLanes)), 32);
}

std::optional<int64_t> Executor::lanesTogether(const SymValue &Mask) {
  if (!Mask.is(VK::Int))
    return std::nullopt;
  if (const auto All = Mask.constant();
      All && static_cast<uint32_t>(*All) == UINT32_MAX)
    return WarpLanes;
  const BoolExpr Here = totalActive();
  const IntExpr Bits = Simplifier(Bounds, bodyLoops(), Here).simplify(Mask.I);
  const Simplifier Facts(Bounds, bodyLoops(), BoolExpr::constant(true));
  std::array<uint32_t, WarpLanes> Named;
  for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
    const auto N = Facts.simplify(Bits.transform(ofLane(Lane))).getConstant();
    if (!N)
      return std::nullopt;
    Named[Lane] = static_cast<uint32_t>(*N);
  }
  for (int64_t Lanes = WarpLanes; Lanes > 1; Lanes /= 2) {
    bool Fits = true, Any = false;
    for (int64_t Lane = 0; Lane < WarpLanes && Fits; ++Lane) {
      const uint32_t Group = static_cast<uint32_t>(((uint64_t(1) << Lanes) - 1)
                                                   << (Lane / Lanes * Lanes));
      Any |= Named[Lane] == Group;
      // A lane that its own mask leaves out must not come here.
      Fits = Named[Lane] == Group ||
             (!(Named[Lane] >> Lane & 1) &&
              Facts.simplify(Here.transform(ofLane(Lane))).isFalse());
    }
    if (Fits && Any)
      return Lanes;
  }
  return std::nullopt;
}

std::optional<SymValue> Executor::vote(llvm::StringRef Name,
                                       llvm::ArrayRef<SymValue> Arguments) {
  // Of those who reach it together. Nothing in the language says that all lanes
  // do, but that is what the mask is used for.
  if (Name == "__activemask") {
    if (!reachedByWarp("__activemask()"))
      return SymValue();
    return SymValue::integer(IntExpr(-1), 32);
  }
  if (Name != "__ballot_sync" || Arguments.size() != 2 ||
      lanesTogether(Arguments[0]) != WarpLanes)
    return std::nullopt;
  if (!reachedByWarp("vote"))
    return SymValue();
  const SymValue &P = Arguments[1];
  const auto Holds =
      P.is(VK::Bool) ? std::optional<BoolExpr>(P.B) : asCondition(P);
  if (!Holds || hasValues(*Holds) || !holdsForWarp(*Holds))
    return std::nullopt;
  return SymValue::integer(IntExpr::select(*Holds, IntExpr(-1), IntExpr()), 32);
}

std::optional<IntExpr> Executor::powerOfTwo(const SymValue &Amount) {
  constexpr int64_t Most = 31;
  if (!Amount.is(VK::Int) || Amount.Width != 32)
    return std::nullopt;
  const Simplifier Facts(Bounds, bodyLoops(), totalActive());
  IntExpr Power(1);
  for (const auto &[M, C] : Facts.simplify(Amount.I).terms()) {
    if (C < 0 || C >= int64_t(1) << 32)
      return std::nullopt;
    if (M.empty()) {
      if (C > Most)
        return std::nullopt;
      Power = Power * IntExpr(int64_t(1) << C);
      continue;
    }
    IntExpr Digit(1);
    for (const AtomRef &A : M)
      Digit = Digit * IntExpr(A);
    const Interval Range = Bounds.bounds(Digit, LiveLoops);
    if (Range.Low < 0 || Range.High > Most)
      return std::nullopt;
    // 2^(c * bit) is 1 + (2^c - 1) * bit.
    for (int64_t N = 0; int64_t(1) << N <= static_cast<int64_t>(Range.High);
         ++N) {
      const int64_t By = C << N;
      const int64_t Factor = By > Most ? 0 : int64_t(1) << By;
      const IntExpr Bit =
          IntExpr::mod(IntExpr::floorDiv(Digit, IntExpr(int64_t(1) << N)), 2);
      Power = Power * (IntExpr(1) + IntExpr(Factor - 1) * Bit);
    }
  }
  if (Power.overflowed())
    return std::nullopt;
  return Power;
}

} // namespace warpwright::symbolic
