//===-- SharedBarriers.cpp - Barriers in shared memory --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A barrier in shared memory (`cuda::barrier`) is made by one thread, for a
/// number of arrivals. A thread arrives, which gives it a token, and later
/// waits with the token until all have arrived. What threads did before they
/// arrived comes before what any thread does after it has waited; what they do
/// in between is not ordered.
///
/// Understood are barriers of all threads of the block, each of which arrives
/// and waits in turn: then arrival and wait are the two halves of a barrier of
/// the block (Barriers.cpp). Others, such as those by which one half of a block
/// hands tiles to the other one, are declined.
///
/// The barrier may also wait for the asynchronous copies that a thread has
/// issued before it arrives (Async.cpp).
///
/// Source: the CUDA C++ Programming Guide, "Asynchronous Barrier"; the PTX ISA,
/// mbarrier and cp.async.mbarrier.arrive.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

std::optional<std::string> Executor::barrierAt(const SymValue &P) {
  if (P.is(VK::Unknown)) {
    fail(P.ReasonID, P.ReasonLoc.isValid() ? P.ReasonLoc : here(), P.Reason);
    return std::nullopt;
  }
  const auto Offset =
      P.is(VK::Pointer) ? P.I.getConstant() : std::optional<int64_t>();
  if (!Offset || P.Array.empty() || P.Array[0] != '!') {
    fail(DiagID::UnsupportedStatement, here(),
         "which barrier in shared memory is meant is not understood");
    return std::nullopt;
  }
  return P.Array + "+" + llvm::itostr(*Offset);
}

bool Executor::makeBarrier(const SymValue &P, const SymValue &Count) {
  const auto Name = barrierAt(P);
  if (!Name)
    return false;
  if (!LiveLoops.empty() || Made.count(*Name))
    return fail(DiagID::UnsupportedStatement, here(),
                "a barrier in shared memory that is made more than once is not "
                "understood");
  // If thread 0 does not make it, it cannot be seen that one thread does.
  const BoolExpr First =
      totalActive().transform([](const IntAtom &A) -> std::optional<IntExpr> {
        return A.getKind() == AtomKind::ThreadIdx
                   ? std::optional<IntExpr>(IntExpr())
                   : std::nullopt;
      });
  if (!Simplifier(Bounds, {}, BoolExpr()).simplify(First).isTrue())
    return fail(DiagID::UnsupportedStatement, here(),
                "it is not clear that a thread makes this barrier");
  if (!isWholeBlock(Count))
    return false;
  Made.emplace(*Name, BoolExpr::constant(false));
  return true;
}

SymValue Executor::arriveAt(const SymValue &P) {
  const auto Name = barrierAt(P);
  if (!Name)
    return {};
  const auto It = Made.find(*Name);
  if (It == Made.end())
    return failValue(DiagID::MissingBarrier,
                     "a thread arrives at a barrier that was not made");
  if (!Probing && !implies(totalActive(), It->second))
    return failValue(DiagID::MissingBarrier,
                     "a thread may arrive at this barrier before another one "
                     "has made it: a __syncthreads() is missing after 'init'");
  if (!reachedByBlock(/*Always=*/true))
    return {};
  if (Arrived)
    return failValue(DiagID::DivergentBarrier,
                     "a thread that has arrived at a barrier arrives again "
                     "before it has waited");
  rollUpShared(HeadWrite);
  Arrived = Arrival{*Name,
                    IntExpr::param(("token#" + llvm::Twine(NextToken++)).str()),
                    totalActive(),
                    NextWrite,
                    Tracking,
                    here()};
  return SymValue::exact(Arrived->Token, 64);
}

bool Executor::waitAt(const SymValue &P, const SymValue &Token) {
  const auto Name = barrierAt(P);
  if (!Name || !reachedByBlock(/*Always=*/true))
    return false;
  // Also in another iteration than the arrival.
  if (!Arrived || Arrived->Barrier != *Name || !Token.is(VK::Int) ||
      Token.I != Arrived->Token || Arrived->When != totalActive())
    return fail(DiagID::DivergentBarrier, here(),
                "it is not clear that all threads have arrived at this barrier "
                "for this phase");
  if (Arrived->Tracking != Tracking)
    return fail(DiagID::CopyNotAwaited, here(),
                "this barrier does not wait for copies that begin after the "
                "arrival");
  const unsigned Before = Arrived->Before;
  Arrived.reset();
  if (Tracker == *Name)
    copyEvent({CopyEvent::Kind::Phase, totalActive(), 0});
  endPhase(Before);
  return true;
}

bool Executor::trackCopies(const SymValue &P) {
  const auto Name = barrierAt(P);
  if (!Name)
    return false;
  if (!Tracker.empty() && Tracker != *Name)
    return fail(DiagID::UnsupportedStatement, here(),
                "copies for which different barriers wait are not understood");
  Tracker = *Name;
  ++Tracking;
  copyEvent({CopyEvent::Kind::Track, totalActive(), 0});
  return true;
}

SymValue Executor::sharedBarrierCall(llvm::CallBase &Call,
                                     const FunctionInfo &Info) {
  const SymValue P = valueOf(argument(Call, Info, 0));
  switch (*sharedBarrier(Info.Name)) {
  case SharedBarrierOp::Init:
    makeBarrier(P, valueOf(argument(Call, Info, 1)));
    return {};
  case SharedBarrierOp::Arrive:
    return arriveAt(P);
  case SharedBarrierOp::Wait:
    waitAt(P, valueOf(argument(Call, Info, 1)));
    return {};
  case SharedBarrierOp::Track:
    trackCopies(P);
    return {};
  }
  llvm_unreachable("covered switch");
}

} // namespace warpwright::symbolic
