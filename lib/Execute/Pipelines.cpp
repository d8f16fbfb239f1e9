//===-- Pipelines.cpp - Pipelines of the block ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every thread of the block commits and releases the stages of a pipeline in
/// turn. A thread that waits for a stage goes on when all threads have
/// committed it, and one that acquires a stage goes on when all have released
/// what was in it before. What a thread did before it committed or released is
/// then over for the one that has waited, and nothing else is.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

namespace warpwright {
namespace execute {

bool Interpreter::performPipeline(Thread &T, const Inst &I) {
  const Slot *S = T.Slots.data() + T.Frames.back().Base;
  for (uint32_t Used : {I.A, I.B, I.C})
    if (S[Used].Poison)
      return usedPoison(S[Used].Poison, "a pipeline");
  const uint64_t Address = S[I.A].Bits, Stages = S[I.B].Bits,
                 All =
                     uint64_t(Shape.Block[0]) * Shape.Block[1] * Shape.Block[2];
  const auto Op = static_cast<PipelineOp>(I.Flags);
  if (Op == PipelineOp::Make) {
    if (S[I.C].Bits != All)
      return end(Outcome::NotExecutable,
                 "a pipeline for another number of threads than the block has");
    // Its state is written by one thread.
    PipelineState &New = Pipelines[Address];
    if (New.Stages && !New.Committed.empty())
      return end(Outcome::NotExecutable, "a pipeline that is made twice");
    New.Stages = Stages;
    return T.Number != 0 || fillBytes(T, Address, 0, /*Defined=*/true,
                                      2 * Stages * sizeof(uint64_t));
  }
  Slot State;
  if (!load(T, Address, 8, State))
    return false;
  const auto It = Pipelines.find(Address);
  if (It == Pipelines.end() || State.Poison)
    return end(Outcome::Undefined, "a pipeline that was not made");
  PipelineState &P = It->second;
  PipelineUse &Use = T.Pipelines[Address];
  // This thread arrives for the turn Number.
  auto Arrive = [&](std::vector<Turn> &Turns, uint64_t Number) {
    arrive(T);
    if (Turns.size() <= Number)
      Turns.resize(Number + 1);
    Turn &Its = Turns[Number];
    if (Its.Arrived++ && Its.After != T.Phase)
      return end(Outcome::NotExecutable,
                 "threads that use a pipeline in different orders");
    Its.After = T.Phase;
    TurnIsOver |= Its.Arrived == All;
    return true;
  };
  // Waits until all threads have arrived for it.
  auto Wait = [&](const std::vector<Turn> &Turns, uint64_t Number) {
    if (Number >= Turns.size() || Turns[Number].Arrived < All) {
      T.For = Waiting::Pipeline;
      return false;
    }
    T.After = std::max(T.After, Turns[Number].After);
    return true;
  };
  switch (Op) {
  case PipelineOp::Make:
    break;
  case PipelineOp::Acquire:
    return Use.Committed < P.Stages ||
           Wait(P.Released, Use.Committed - P.Stages);
  case PipelineOp::Commit:
    if (Use.Committed - Use.Released >= P.Stages)
      return end(Outcome::Undefined,
                 "a pipeline of which more stages are filled than it has");
    for (PendingCopy &C : T.Copies)
      if (!C.Pipeline) {
        C.Pipeline = Address;
        C.Stage = Use.Committed;
        C.Phase = T.Phase;
      }
    return Arrive(P.Committed, Use.Committed++);
  case PipelineOp::Wait:
    if (!Wait(P.Committed, Use.Released))
      return false;
    Use.Waited = Use.Released + 1;
    // Copies are part of what their threads have committed.
    for (Thread &Other : Threads)
      finishCopies(Other, [&](const PendingCopy &C) {
        return C.Pipeline == Address && C.Stage <= Use.Released;
      });
    return true;
  case PipelineOp::Release:
    if (Use.Waited != Use.Released + 1)
      return end(Outcome::Undefined,
                 "a stage that is released without having been waited for");
    return Arrive(P.Released, Use.Released++);
  }
  return true;
}

bool Interpreter::wakePipelines() {
  if (!std::exchange(TurnIsOver, false))
    return false;
  for (Thread &T : Threads)
    if (T.For == Waiting::Pipeline)
      T.For = Waiting::Ready;
  return true;
}

} // namespace execute
} // namespace warpwright
