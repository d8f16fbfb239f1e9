//===-- SharedBarriers.cpp - Barriers in shared memory --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread that waits for a barrier in shared memory waits as at a barrier of
/// the block, and goes on when all threads wait there for the same one. What a
/// thread accesses between its arrival and its wait is of a phase of its own:
/// it may come after others have waited. Roles that arrive and wait at
/// different places are not executed.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

namespace warpwright {
namespace execute {

void Interpreter::beginPhase() {
  ++Phase;
  for (Thread &T : Threads)
    T.Phase = T.After = Phase;
}

void Interpreter::arrive(Thread &T) { Phase = std::max(Phase, ++T.Phase); }

bool Interpreter::performSharedBarrier(Thread &T, const Inst &I) {
  Slot *S = T.Slots.data() + T.Frames.back().Base;
  for (uint32_t Used : {I.A, I.B})
    if (S[Used].Poison)
      return usedPoison(S[Used].Poison, "a barrier in shared memory");
  const uint64_t Address = S[I.A].Bits;
  const uint64_t All =
      uint64_t(Shape.Block[0]) * Shape.Block[1] * Shape.Block[2];
  const auto Op = static_cast<SharedBarrierOp>(I.Flags);
  // What it consists of is written and read like other memory.
  if (Op == SharedBarrierOp::Init) {
    SharedBarrier &New = SharedBarriers[Address];
    // Several threads may make the same one.
    if (New.Expected && (New.Expected != S[I.B].Bits || New.Phase || New.Used))
      return end(Outcome::NotExecutable,
                 "a barrier in shared memory that is made twice");
    New.Expected = S[I.B].Bits;
    return store(T, Address, 8, {S[I.B].Bits, 0});
  }
  Slot State;
  if (!load(T, Address, 8, State))
    return false;
  const auto It = SharedBarriers.find(Address);
  if (It == SharedBarriers.end() || State.Poison)
    return end(Outcome::Undefined, "a barrier that was not made");
  if (It->second.Expected != All)
    return end(Outcome::NotExecutable,
               "a barrier for another number of threads than the block has");
  switch (Op) {
  case SharedBarrierOp::Init:
    break;
  case SharedBarrierOp::Arrive:
    if (T.ArrivedAt)
      return end(Outcome::Undefined,
                 "a thread that arrives before it has waited");
    T.ArrivedAt = Address;
    It->second.Used = true;
    // The copies are part of the arrival, so they are of the phase before it.
    for (PendingCopy &C : T.Copies)
      if ((C.Arrived = C.Tracker == Address))
        C.Phase = T.Phase;
    arrive(T);
    S[I.Dst] = {It->second.Phase, 0};
    return true;
  case SharedBarrierOp::Wait:
    if (T.ArrivedAt != Address || S[I.B].Bits != It->second.Phase)
      return end(Outcome::NotExecutable,
                 "a wait for another phase of a barrier than that of the last "
                 "arrival");
    T.For = Waiting::Barrier;
    return false;
  case SharedBarrierOp::Track:
    for (PendingCopy &C : T.Copies)
      if (!C.Tracker)
        C.Tracker = Address;
    return true;
  }
  return true;
}

bool Interpreter::completePhase() {
  const uint64_t Address = *Threads.front().ArrivedAt;
  for (Thread &T : Threads) {
    if (T.For == Waiting::Finished || T.ArrivedAt != Address)
      return end(
          Outcome::NotExecutable,
          "threads that wait for different barriers in shared memory, or "
          "for threads that have returned");
    if (T.Phase != Threads.front().Phase)
      return end(Outcome::NotExecutable,
                 "threads that arrive at barriers in different orders");
  }
  ++SharedBarriers[Address].Phase;
  for (Thread &T : Threads) {
    finishCopies(T, [](const PendingCopy &C) { return C.Arrived; });
    T.ArrivedAt.reset();
    T.After = T.Phase;
  }
  return true;
}

} // namespace execute
} // namespace warpwright
