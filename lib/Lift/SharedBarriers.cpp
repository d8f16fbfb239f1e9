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

/// No kernel has more.
static constexpr size_t MostBarriers = 16;

/// Whether \p C is the same for all threads of a block.
static bool isUniform(const BoolExpr &C) {
  return !hasValues(C) && !containsThread(C);
}

/// Adds the barriers that \p P points to under the condition \p When. False if
/// it is not clear which ones these are.
static bool addBarriers(const SymValue &P, const BoolExpr &When,
                        const Simplifier &Facts, BarrierChoice &To) {
  if (P.is(VK::Choice))
    return isUniform(P.B) && To.size() < MostBarriers &&
           addBarriers(P.Fields[0], BoolExpr::conjunction(When, P.B), Facts,
                       To) &&
           addBarriers(P.Fields[1],
                       BoolExpr::conjunction(When, BoolExpr::negation(P.B)),
                       Facts, To);
  if (!P.is(VK::Pointer) || P.Array.empty() || P.Array[0] != '!')
    return false;
  const IntExpr Place = Facts.simplify(P.I);
  if (const auto Offset = Place.getConstant()) {
    const std::string Name = P.Array + "+" + llvm::itostr(*Offset);
    for (auto &[Other, Under] : To)
      if (Other == Name) {
        Under = either(Under, When);
        return true;
      }
    To.emplace_back(Name, When);
    return true;
  }
  // Barriers that take turns: `bars[i % 2]`, or two pointers that iterations
  // exchange (Turns.cpp).
  AtomRef Turn;
  for (const auto &[Factors, N] : Place.terms())
    for (const AtomRef &A : Factors)
      if (A->getKind() == AtomKind::Mod && A->getRHS().getConstant())
        Turn = A;
  if (!Turn)
    return false;
  const int64_t Period = *Turn->getRHS().getConstant();
  const IntExpr At = IntExpr::mod(Turn->getLHS(), Turn->getRHS());
  for (int64_t N = 0; N < Period; ++N) {
    SymValue Side = P;
    Side.I = Place.substitute(Turn->getKey(), IntExpr(N));
    const BoolExpr Now =
        Facts.simplify(BoolExpr::compare(CmpOp::EQ, At, IntExpr(N)));
    if (Period > int64_t(MostBarriers) || !isUniform(Now) ||
        To.size() >= MostBarriers ||
        !addBarriers(Side, BoolExpr::conjunction(When, Now), Facts, To))
      return false;
  }
  return true;
}

BarrierChoice Executor::barriersAt(const SymValue &P) {
  BarrierChoice Barriers;
  if (P.is(VK::Unknown))
    fail(P.ReasonID, P.ReasonLoc.isValid() ? P.ReasonLoc : here(), P.Reason);
  else if (addBarriers(P, BoolExpr::constant(true),
                       Simplifier(Bounds, bodyLoops(), totalActive()),
                       Barriers))
    return Barriers;
  else if (Probing)
    // The form of a pointer that iterations exchange may not be known yet.
    return {{"", BoolExpr::constant(true)}};
  else
    fail(DiagID::UnsupportedStatement, here(),
         "which barrier in shared memory is meant is not understood");
  return {};
}

bool Executor::makeBarrier(const SymValue &P, const SymValue &Count) {
  if (Probing)
    return true;
  // `for (int i = 0; i < 3; ++i) init(&bars[i], n);`
  if (LiveLoops.size() == 1) {
    const BoundLoop L = LiveLoops.front();
    const auto Trip = L.Trip.getConstant();
    const std::string Counter = IntExpr::counter(L.Counter).str();
    if (!P.is(VK::Pointer) || !Trip || *Trip > int64_t(MostBarriers) ||
        mentionsAny(SymValue::boolean(totalActive()),
                    [&](llvm::StringRef Name) { return Name == Counter; }))
      return fail(DiagID::UnsupportedStatement, here(),
                  "which barriers in shared memory this loop makes is not "
                  "understood");
    LiveLoops.clear();
    bool AllMade = true;
    for (int64_t N = 0; N < *Trip && AllMade; ++N) {
      SymValue Each = P;
      Each.I = P.I.substitute(Counter, IntExpr(N));
      AllMade = makeBarrier(Each, Count);
    }
    LiveLoops.push_back(L);
    return AllMade;
  }
  const BarrierChoice Barriers = barriersAt(P);
  if (Barriers.empty())
    return false;
  const std::string &Name = Barriers.front().first;
  if (!LiveLoops.empty() || Barriers.size() > 1 || Made.count(Name))
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
  Made.emplace(Name, BoolExpr::constant(false));
  return true;
}

SymValue Executor::arriveAt(const SymValue &P) {
  BarrierChoice Barriers = barriersAt(P);
  if (Barriers.empty())
    return {};
  for (const auto &[Name, When] : Probing ? BarrierChoice() : Barriers) {
    const auto It = Made.find(Name);
    if (It == Made.end())
      return failValue(DiagID::MissingBarrier,
                       "a thread arrives at a barrier that was not made");
    if (!implies(totalActive(), It->second))
      return failValue(
          DiagID::MissingBarrier,
          "a thread may arrive at this barrier before another one "
          "has made it: a __syncthreads() is missing after 'init'");
  }
  if (!reachedByBlock(/*Always=*/true))
    return {};
  if (Arrived)
    return failValue(DiagID::DivergentBarrier,
                     "a thread that has arrived at a barrier arrives again "
                     "before it has waited");
  rollUpShared(HeadWrite);
  Arrived = Arrival{std::move(Barriers),
                    IntExpr::param(("token#" + llvm::Twine(NextToken++)).str()),
                    totalActive(),
                    NextWrite,
                    Tracking,
                    here()};
  return SymValue::exact(Arrived->Token, 64);
}

bool Executor::waitAt(const SymValue &P, const SymValue &Token) {
  const BarrierChoice Barriers = barriersAt(P);
  if (Barriers.empty() || !reachedByBlock(/*Always=*/true))
    return false;
  // Also in another iteration than the arrival.
  if (!Arrived || Arrived->Barriers != Barriers || !Token.is(VK::Int) ||
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
  copyEvent({CopyEvent::Kind::Phase, totalActive(), 0, Barriers});
  endPhase(Before);
  return true;
}

bool Executor::trackCopies(const SymValue &P) {
  const BarrierChoice Barriers = barriersAt(P);
  if (Barriers.empty())
    return false;
  ++Tracking;
  copyEvent({CopyEvent::Kind::Track, totalActive(), 0, Barriers});
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
