//===-- WarpOperations.cpp - What the threads of a warp do together -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shuffles, votes, reductions, barriers of a warp and operations on matrix
/// fragments. A thread that reaches such an operation waits. When no thread of
/// the block can continue alone, the lanes that wait at one operation, and that
/// it names, perform it together. A new operation needs an Op that waits, the
/// lanes that take part (gather), and its effect on their slots (perform).
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

namespace warpwright {
namespace execute {

/// All threads of a warp execute it, and none may have exited (PTX ISA,
/// wmma.load, wmma.mma, wmma.store, mma, ldmatrix).
static bool isByWholeWarp(Op Code) {
  return Code == Op::Fragment || Code == Op::Matrices;
}

/// Performs the operations for which the warps of the block wait. False if none
/// waits; the launch may have ended.
bool Interpreter::resolveWarpOperations() {
  bool Any = false;
  for (size_t First = 0; First < Threads.size(); First += WarpLanes) {
    Warp W(Threads, First);
    bool Waits = false;
    for (unsigned Lane = 0; Lane < W.size(); ++Lane)
      Waits |= W.waits(Lane);
    if (!Waits)
      continue;
    if (!resolve(W))
      return false;
    Any = true;
  }
  return Any;
}

bool Interpreter::resolve(Warp &W) {
  // Lanes may wait at several operations, of which some are complete. If none
  // is complete, an incomplete operation on fragments is reported first: the
  // lift must not have missed it.
  std::optional<unsigned> Stuck;
  for (unsigned Lane = 0; Lane < W.size(); ++Lane) {
    if (!W.waits(Lane))
      continue;
    if (gather(W, Lane)) {
      if (!Stuck || isByWholeWarp(W.At->Code))
        Stuck = Lane;
      continue;
    }
    if (!perform(W))
      return false;
    for (unsigned L = 0; L < W.size(); ++L)
      if (W.takes(L)) {
        ++W.thread(L).Frames.back().Pc;
        W.thread(L).For = Waiting::Ready;
      }
    return true;
  }
  const char *Why = gather(W, *Stuck);
  return end(isByWholeWarp(W.At->Code) ? Outcome::Divergence
                                       : Outcome::Undefined,
             Why);
}

/// Finds the lanes that take part in the operation at which \p Lane waits. Null
/// if all of them are there, otherwise the reason why they cannot perform it.
const char *Interpreter::gather(Warp &W, unsigned Lane) {
  const Frame &F = W.thread(Lane).Frames.back();
  CurrentFunction = F.Code;
  CurrentPc = F.Pc;
  W.At = &W.operation(Lane);
  W.Members = 0;
  auto IsHere = [&](unsigned Other) {
    return W.waits(Other) && &W.operation(Other) == W.At;
  };
  if (isByWholeWarp(W.At->Code)) {
    for (unsigned Other = 0; Other < WarpLanes; ++Other)
      if (!IsHere(Other))
        return W.At->Code == Op::Fragment
                   ? "an operation on matrix fragments that not all threads of "
                     "a warp reach"
                   : "mma.sync or ldmatrix that not all threads of a warp "
                     "reach";
    W.Members = ~0u;
    return nullptr;
  }
  // Whoever is here when no thread can continue alone.
  if (W.At->Code == Op::ActiveMask) {
    for (unsigned Other = 0; Other < W.size(); ++Other)
      W.Members |= IsHere(Other) ? 1u << Other : 0;
    return nullptr;
  }
  auto MaskOf = [&](unsigned Other) {
    return static_cast<uint32_t>(W.slot(Other, W.At->A).Bits);
  };
  const uint32_t Mask = MaskOf(Lane);
  if (!(Mask >> Lane & 1))
    return "a lane that its own mask leaves out";
  for (unsigned Other = 0; Other < W.size(); ++Other) {
    // Lanes that have returned, or that the block does not have, do not take
    // part; the device allows a full mask then.
    if (!(Mask >> Other & 1) || W.thread(Other).For == Waiting::Finished)
      continue;
    if (!IsHere(Other) || MaskOf(Other) != Mask)
      return "lanes of one mask wait at different places";
    W.Members |= 1u << Other;
  }
  return nullptr;
}

bool Interpreter::perform(Warp &W) {
  switch (W.At->Code) {
  case Op::Fragment:
    return performFragment(W, W.thread(0).Frames.back().Code->Calls[W.At->Imm]);
  case Op::Matrices:
    return performMatrices(W, W.thread(0).Frames.back().Code->Calls[W.At->Imm]);
  case Op::Vote:
    return performVote(W);
  case Op::Reduction:
    return performReduction(W);
  case Op::ActiveMask:
    for (unsigned Lane = 0; Lane < W.size(); ++Lane)
      if (W.takes(Lane))
        W.slot(Lane, W.At->Dst) = {W.Members, 0};
    return true;
  case Op::WarpBarrier:
    if (Threads.size() <= WarpLanes) {
      bool All = true;
      for (unsigned Lane = 0; Lane < W.size(); ++Lane)
        All &= W.takes(Lane) || W.thread(Lane).For == Waiting::Finished;
      if (All)
        beginPhase();
    } else if (W.takesAll()) {
      // It orders what the threads of this warp do. A barrier of some lanes
      // does not, here.
      ++WarpBarriers;
      for (unsigned Lane = 0; Lane < W.size(); ++Lane)
        W.thread(Lane).Step = WarpBarriers;
    }
    return true;
  default:
    return performShuffle(W);
  }
}

bool Interpreter::performVote(Warp &W) {
  uint64_t Ballot = 0;
  bool All = true;
  uint32_t Poison = 0;
  for (unsigned Lane = 0; Lane < W.size(); ++Lane)
    if (W.takes(Lane)) {
      const Slot P = W.slot(Lane, W.At->B);
      Poison = Poison ? Poison : P.Poison;
      Ballot |= uint64_t(P.Bits & 1) << Lane;
      All &= P.Bits & 1;
    }
  const uint64_t Result = W.At->Flags == 0   ? uint64_t(All)
                          : W.At->Flags == 1 ? uint64_t(Ballot != 0)
                                             : Ballot;
  for (unsigned Lane = 0; Lane < W.size(); ++Lane)
    if (W.takes(Lane))
      W.slot(Lane, W.At->Dst) = {Result, Poison};
  return true;
}

/// PTX: redux.sync, of integers of 32 bits.
bool Interpreter::performReduction(Warp &W) {
  std::optional<uint32_t> Result;
  uint32_t Poison = 0;
  for (unsigned Lane = 0; Lane < W.size(); ++Lane) {
    if (!W.takes(Lane))
      continue;
    const Slot V = W.slot(Lane, W.At->B);
    Poison = Poison ? Poison : V.Poison;
    const auto X = static_cast<uint32_t>(V.Bits);
    const uint32_t So = Result.value_or(X);
    const auto SignedX = static_cast<int32_t>(X),
               SignedSo = static_cast<int32_t>(So);
    if (!Result) {
      Result = X;
      continue;
    }
    switch (W.At->Flags) {
    case 0:
      Result = So + X;
      break;
    case 1:
      Result = So & X;
      break;
    case 2:
      Result = So | X;
      break;
    case 3:
      Result = So ^ X;
      break;
    case 4:
      Result = static_cast<uint32_t>(std::min(SignedSo, SignedX));
      break;
    case 5:
      Result = static_cast<uint32_t>(std::max(SignedSo, SignedX));
      break;
    case 6:
      Result = std::min(So, X);
      break;
    default:
      Result = std::max(So, X);
      break;
    }
  }
  for (unsigned Lane = 0; Lane < W.size(); ++Lane)
    if (W.takes(Lane))
      W.slot(Lane, W.At->Dst) = {*Result, Poison};
  return true;
}

bool Interpreter::performShuffle(Warp &W) {
  const Inst &I = *W.At;
  std::array<Slot, WarpLanes> Results;
  for (unsigned Lane = 0; Lane < W.size(); ++Lane) {
    if (!W.takes(Lane))
      continue;
    const Slot Index = W.slot(Lane, I.C),
               Clamp = W.slot(Lane, static_cast<uint32_t>(I.Imm));
    if (Index.Poison || Clamp.Poison)
      return usedPoison(Index.Poison ? Index.Poison : Clamp.Poison,
                        "a shuffle");
    // PTX: the upper bits of the clamp operand divide the warp into segments.
    const int Bound = Clamp.Bits & 31, Segment = Clamp.Bits >> 8 & 31;
    const int B = Index.Bits & 31, Me = static_cast<int>(Lane);
    const int MaxLane = (Me & Segment) | (Bound & ~Segment),
              MinLane = Me & Segment;
    int From = 0;
    bool Valid = false;
    switch (I.Flags) {
    case 0:
      From = MinLane | (B & ~Segment);
      Valid = From <= MaxLane;
      break;
    case 1:
      From = Me - B;
      Valid = From >= MaxLane;
      break;
    case 2:
      From = Me + B;
      Valid = From <= MaxLane;
      break;
    default:
      From = Me ^ B;
      Valid = From <= MaxLane;
      break;
    }
    if (!Valid)
      From = Me;
    Results[Lane] =
        W.takes(static_cast<unsigned>(From))
            ? W.slot(static_cast<unsigned>(From), I.B)
            : Slot{0, poison("a shuffle from a lane without a value")};
  }
  for (unsigned Lane = 0; Lane < W.size(); ++Lane)
    if (W.takes(Lane))
      W.slot(Lane, I.Dst) = Results[Lane];
  return true;
}

} // namespace execute
} // namespace warpwright
