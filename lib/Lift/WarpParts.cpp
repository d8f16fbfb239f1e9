//===-- WarpParts.cpp - Parts of shared arrays that belong to warps -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `__syncwarp()` orders what the threads of one warp do, and says nothing of
/// others. It is a barrier of the block where the block is one warp. And it is
/// as good as one for an array of which each warp accesses a part of its own:
///
/// Let every access of the kernel to the array be in the part of the warp that
/// makes it, and let the parts be disjoint. Then an element is accessed by the
/// 32 threads of one warp only. All of them reach a barrier with a full mask,
/// if its condition is the same throughout the warp, and it orders their
/// accesses before it and after it, as a barrier of the block would. Which
/// barriers other warps reach does not matter to the element. So the rules of
/// Shared.cpp for phases hold for the array, with barriers of either kind as
/// the ends of its phases.
///
/// Such arrays are first unknown. If a kernel that has barriers of warps fails
/// because a barrier of the block is missing for an array, Lift.cpp executes it
/// again with that array in OwnParts. Each access to it has then to be shown to
/// keep to its part. Asynchronous copies into such arrays are not
/// understood.
///
/// Memory of tiles may have such parts from a barrier of the block on, which
/// every thread passes once, behind the loop over tiles: each warp stages its
/// results there (LateParts). That barrier orders all accesses before it, and
/// so only those after it have to keep to their parts.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

void Executor::warpBarrier(const SymValue &Mask) {
  SyncsWarps = true;
  if (lanesTogether(Mask) != WarpLanes)
    return;
  if (Block == std::array<int64_t, 3>{WarpLanes, 1, 1}) {
    barrier();
    return;
  }
  if (OwnParts.empty())
    return;
  const BoolExpr All = totalActive();
  if (!holdsForWarp(All) || llvm::any_of(LiveLoops, [](const BoundLoop &L) {
        return !isWarpUniform(L.Trip);
      }))
    return;
  requireWholeWarps();
  rollUpShared(HeadWrite);
  ++WarpPhase;
  ++WarpBarriers;
  for (const std::string &Name : OwnParts)
    if (auto It = S.find(Name); It != S.end() && It->second.IsShared)
      order(It->second, All, NextWrite);
}

bool Executor::hasBarrier(const LoopState &L, const std::string &Array) const {
  return L.HasBarrier || (L.HasWarpBarrier && OwnParts.count(Array));
}

/// Shows that the \p Size bytes at \p Bytes are in the part of the warp, of
/// which the number is threadIdx.x / 32 in a block of one row, or threadIdx.y
/// in one whose rows are warps. Parts begin a constant distance apart, and what
/// is left of an index has constant bounds that fit into that distance, over
/// all accesses together.
bool Executor::keepsToPart(const std::string &Array, const IntExpr &Bytes,
                           unsigned Size) {
  if (Probing || !OwnParts.count(Array))
    return true;
  auto Bad = [&] {
    return fail(DiagID::MissingBarrier, here(),
                SharedNames[Array] + " is accessed here, where it is not clear "
                                     "that each warp has a part of its own, "
                                     "and __syncwarp() orders one warp only");
  };
  const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, 0),
                Row = IntExpr::special(AtomKind::ThreadIdx, 1);
  if (!PartCounter) {
    PartCounter = NextCounter;
    NextCounter += 2;
  }
  // The thread is number Lane of warp Number along x.
  const IntExpr Number = IntExpr::counter(*PartCounter),
                Lane = IntExpr::counter(*PartCounter + 1);
  std::vector<BoundLoop> Loops = bodyLoops();
  Loops.push_back({*PartCounter, IntExpr(WarpLanes - 1)});
  Loops.push_back({*PartCounter + 1, IntExpr(WarpLanes - 1)});
  const std::string NumberKey =
                        IntExpr::floorDiv(Thread, IntExpr(WarpLanes)).str(),
                    LaneKey = IntExpr::mod(Thread, IntExpr(WarpLanes)).str();
  const Simplifier Facts(Bounds, Loops, BoolExpr::constant(true));
  WarpPart Here;
  Here.OfRow = Bytes.contains(Row.str());
  // A row that is one warp has no other numbers than 0.
  const IntExpr Warp = Here.OfRow ? IntExpr() : Number;
  const IntExpr Index = Facts.simplify(
      Bytes.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
        if (A.getKey() == Thread.str())
          return IntExpr(WarpLanes) * Warp + Lane;
        if (A.getKey() == NumberKey)
          return Warp;
        if (A.getKey() == LaneKey)
          return Lane;
        return std::nullopt;
      }));
  auto IsOne = [&](unsigned Dim) {
    return !UsedThreads[Dim] &&
           demand(IntExpr(1) - IntExpr::special(AtomKind::BlockDim, Dim),
                  "blockDim." + llvm::Twine("xyz"[Dim]) + " is not 1");
  };
  const IntExpr &Which = Here.OfRow ? Row : Number;
  const auto Stride = Index.coefficient(Which.str());
  const auto Distance = Stride ? Stride->getConstant() : std::nullopt;
  if (!Distance || *Distance <= 0 || Asynchronous || Producing ||
      mentionsPhi(Index) || !IsOne(2))
    return Bad();
  Here.Stride = *Distance;
  if (Here.OfRow ? !demand(IntExpr(WarpLanes) -
                               IntExpr::special(AtomKind::BlockDim, 0),
                           "blockDim.x is not 32")
                 : !IsOne(1))
    return Bad();
  requireWholeWarps();
  const Interval Within =
      Bounds.bounds(Index - IntExpr(Here.Stride) * Which, Loops);
  constexpr int64_t Most = int64_t(1) << 30;
  if (!Within.within(-Most, Most))
    return Bad();
  Here.Low = static_cast<int64_t>(Within.Low);
  Here.High = static_cast<int64_t>(Within.High) + Size;
  const auto [Known, IsNew] = Parts.try_emplace(Array, Here);
  WarpPart &Part = Known->second;
  if (Part.OfRow != Here.OfRow || Part.Stride != Here.Stride)
    return Bad();
  Part.Low = std::min(Part.Low, Here.Low);
  Part.High = std::max(Part.High, Here.High);
  return Part.High - Part.Low <= Part.Stride || Bad();
}

} // namespace warpwright::symbolic
