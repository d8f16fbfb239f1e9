//===-- Barriers.cpp - Ends of phases -------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A barrier that all threads of the block reach ends a phase (Shared.cpp). The
/// hardware has 16 barriers; each of them waits for all threads unless it is
/// given their number. Numbers other than that of the block's threads are
/// declined.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

bool Executor::reachedByBlock(bool Always) {
  const BoolExpr All = totalActive();
  auto ByThread = [](const IntExpr &E) {
    return E.containsKind(AtomKind::ThreadIdx);
  };
  bool Diverges = hasValues(All);
  All.walk([&](const IntExpr &E) { Diverges |= ByThread(E); },
           [](const ValueRef &) {});
  for (const BoundLoop &L : LiveLoops)
    Diverges |= ByThread(L.Trip);
  const bool Shares =
      Always || llvm::any_of(S, [](const auto &Named) {
        return Named.second.IsShared &&
               (!Named.second.Writes.empty() || !Named.second.Reads.empty());
      });
  if (!Diverges || !Shares || Probing)
    return true;
  wantAllThreads(All, [&](const IntExpr &E) { return !ByThread(E); });
  return fail(DiagID::DivergentBarrier, here(),
              "only some threads of a block may reach this barrier");
}

void Executor::passBarrier() {
  ++Barriers;
  ++WarpBarriers;
  BoolExpr Here = Active;
  for (size_t N = LoopBase; N < OuterActive.size(); ++N)
    Here = BoolExpr::conjunction(OuterActive[N], Here);
  Passed = either(Passed, Here);
}

void Executor::order(ArrayState &A, const BoolExpr &All, unsigned Before) {
  for (Write &W : A.Writes)
    if (!W.Async && W.Id < Before)
      W.Visible = either(W.Visible, All);
  for (Write &R : A.Reads)
    if (R.Id < Before)
      R.Visible = either(R.Visible, All);
  llvm::erase_if(A.Reads,
                 [&](const Write &R) { return implies(R.Guard, R.Visible); });
}

void Executor::endPhase(unsigned Before) {
  const BoolExpr All = totalActive();
  ++Phase;
  ++WarpPhase;
  passBarrier();
  copyEvent({CopyEvent::Kind::Barrier, All, 0});
  for (auto &Named : S)
    if (Named.second.IsShared)
      order(Named.second, All, Before);
  for (auto &Named : Made)
    Named.second = either(Named.second, All);
  if (Probing || !LiveLoops.empty() || !All.isTrue() || Before != NextWrite)
    return;
  // Every access before is ordered now.
  ++PlainBarriers;
  for (const auto &[Name, From] : LateParts)
    if (From == PlainBarriers)
      OwnParts.insert(Name);
}

bool Executor::barrier() {
  if (!reachedByBlock(/*Always=*/false))
    return false;
  rollUpShared(HeadWrite);
  endPhase(NextWrite);
  return true;
}

bool Executor::namedBarrier(const SymValue &Number) {
  if (!Number.constant())
    return fail(DiagID::UnsupportedStatement, here(),
                "a barrier whose number is computed is not understood");
  return barrier();
}

bool Executor::isWholeBlock(const SymValue &Count) {
  auto Bad = [&] {
    return fail(DiagID::UnsupportedStatement, here(),
                "a barrier for a part of the block is not understood");
  };
  if (!Count.is(VK::Int))
    return Bad();
  IntExpr Threads(1);
  for (unsigned D = 0; D < 3; ++D)
    Threads = Threads * special(AtomKind::BlockDim, D);
  const IntExpr Waiting = exactly(Count, /*Signed=*/false);
  if (Threads == Waiting)
    return true;
  const bool Varies = Waiting.containsKind(AtomKind::ThreadIdx) ||
                      Waiting.containsKind(AtomKind::BlockIdx) ||
                      Waiting.containsKind(AtomKind::Counter) ||
                      mentionsPhi(Waiting);
  if (Varies || (Threads - Waiting).getConstant())
    return Bad();
  require(BoolExpr::compare(CmpOp::EQ, Threads, Waiting),
          "a barrier does not wait for all threads of the block");
  Bounds.learnEqual(Threads, Waiting);
  return true;
}

} // namespace warpwright::symbolic
