//===-- KnownLoops.cpp - Loops that were understood before ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop is executed at least three times (Loops.cpp), and so is every loop in
/// it each time: in a nest of six loops the innermost body would be executed
/// thousands of times. But the executions find out the same about an inner loop
/// again and again. So while the loops around it are only probed, a loop is
/// executed once, with what an earlier analysis has found as a guess: which
/// variables step by how much, which elements of arrays it hands on, and how
/// often it runs. That one execution then has to show that the guess is right:
///
///  - Where a variable that steps was assumed to be `start + step * iteration`,
///    it has to be `start + step * (iteration + 1)` at the end of the body. At
///    the first iteration it is the start, so it holds for all iterations.
///  - Everything else that is handed on was a symbol or not known. That holds
///    whatever it is, as long as its type is the one that was assumed.
///  - Every element that an iteration stores to at a place that does not move
///    has to be one of those for which there was a symbol.
///  - The condition has to give the number of iterations that was assumed.
///
/// If it does not show that, or the execution fails, everything is as before
/// and the loop is analysed anew. The last execution of a loop, of which the
/// result is used, always comes after a whole analysis.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// A loop whose guess was wrong this many times is not guessed again.
static constexpr unsigned MaxFailures = 4;

/// Whether one execution can show what was found out about \p L: nothing that
/// it shares with other threads, and no values that an earlier iteration has
/// left, for which there are only symbols at first.
static bool isSimple(const LoopState &L) {
  if (!L.Early.empty() || L.HasWarpBarrier || !L.Shared.empty() ||
      !L.Ahead.empty() || !L.UnderWay.empty() || !L.CopyEvents.empty() ||
      L.LastEvents != 0)
    return false;
  auto Simple = [](const Carried &C) {
    if (C.K == Carried::Kind::Induction)
      return !C.Conditional;
    // A number that starts as a constant may repeat, and one that starts as
    // something else may not.
    return C.K == Carried::Kind::Other && !C.Leaves &&
           (C.AsScalar || C.AsPair || pointersIn(C.Initial).empty());
  };
  return llvm::all_of(L.Cells, Simple) &&
         llvm::none_of(L.Writes, [](const CarriedWrite &W) {
           return W.Ahead.has_value();
         });
}

void Executor::keepKnown(const LoopState &L, std::optional<int64_t> Unrolled) {
  // The first one, in which the variables of the loops around it are symbols,
  // can be translated to what they are later.
  if (Around.size() < 2 || KnownLoops.count(L.Loop) ||
      (!Unrolled && !isSimple(L)))
    return;
  KnownLoop &K = KnownLoops[L.Loop];
  K.Unrolled = Unrolled;
  K.Trip = L.Trip;
  for (const Carried &C : L.Cells) {
    SymValue Next = C.Next;
    if (!Next.is(VK::Unknown)) {
      Next = {};
      Next.Loc = C.Next.Loc;
    }
    K.Cells.push_back({C.K, C.Steps, C.AsScalar, C.AsPair, C.StaysSigned,
                       C.StaysUnsigned, std::move(Next)});
  }
  K.Writes = L.Writes;
  for (const LoopState *Outer : Around) {
    if (Outer == &L)
      continue;
    if (Outer->Counter != LoopState::NoCounter)
      K.Counters[Outer->Counter] = Outer->Loop;
    for (const Carried &C : Outer->Cells)
      for (unsigned N = 0; N < pointersIn(C.Initial).size(); ++N)
        K.Symbols[C.symbol(N)] = {C.Phi, N};
  }
}

bool Executor::runKnown(LoopState &L, const BoolExpr &Entry,
                        unsigned OuterHead) {
  auto It = Probing ? KnownLoops.find(L.Loop) : KnownLoops.end();
  if (It == KnownLoops.end() || It->second.Failures == MaxFailures)
    return false;
  KnownLoop &Known = It->second;
  const auto Required = Requires;
  const auto Obliged = Obligations;
  const auto Trapped = Traps;
  const Ranges Bounded = Bounds;
  const auto Asked = Wanted;
  const auto Events = CopyEvents;
  const auto MadeBefore = Made;
  const auto ArrivedBefore = Arrived;
  const auto Cells = L.Cells;
  const BoolExpr PassedBefore = Passed;
  const auto LiveBefore = LiveLoops;
  const auto HeadersBefore = LiveHeaders;
  const size_t Depth = OuterActive.size(), Calls = Frames.size(),
               Base = LoopBase;
  const unsigned FirstPhase = Phase, FirstWarpPhase = WarpPhase,
                 Probed = Probing, Outlined = Outlining, Passings = Barriers,
                 WarpPassings = WarpBarriers, Head = HeadWrite,
                 Tracked = Tracking;
  if (tryKnown(L, Known, Entry, OuterHead)) {
    Known.Failures = 0;
    return true;
  }
  ++Known.Failures;
  Requires = Required;
  Obligations = Obliged;
  Traps = Trapped;
  Bounds = Bounded;
  Wanted = Asked;
  CopyEvents = Events;
  Passed = PassedBefore;
  Made = MadeBefore;
  Arrived = ArrivedBefore;
  Tracking = Tracked;
  LiveLoops = LiveBefore;
  LiveHeaders = HeadersBefore;
  OuterActive.resize(Depth);
  Frames.resize(Calls);
  LoopBase = Base;
  Phase = FirstPhase;
  WarpPhase = FirstWarpPhase;
  Probing = Probed;
  Outlining = Outlined;
  Barriers = Passings;
  WarpBarriers = WarpPassings;
  HeadWrite = Head;
  Failed.reset();
  Active = Entry;
  S = L.Entry;
  LoopState Fresh;
  Fresh.Loop = L.Loop;
  Fresh.Exiting = L.Exiting;
  Fresh.Latch = L.Latch;
  Fresh.MainExit = L.MainExit;
  Fresh.TestsFirst = L.TestsFirst;
  Fresh.Early = std::move(L.Early);
  Fresh.Entry = std::move(L.Entry);
  Fresh.EntryActive = L.EntryActive;
  Fresh.Cells = Cells;
  Fresh.Loc = L.Loc;
  L = std::move(Fresh);
  return false;
}

bool Executor::tryKnown(LoopState &L, const KnownLoop &Known,
                        const BoolExpr &Entry, unsigned OuterHead) {
  if (Known.Cells.size() != L.Cells.size() || !L.Early.empty())
    return false;
  L.Counter = NextCounter++;
  CounterLoop[L.Counter] = L.Loc;
  if (Known.Unrolled) {
    HeadWrite = OuterHead;
    return unroll(L, *Known.Unrolled, /*Tested=*/true);
  }
  // As it was found with the variables of the loops around it, with what these
  // are now.
  Frame &F = *Frames.back();
  auto Now = [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() == AtomKind::Counter) {
      auto Of = Known.Counters.find(A.getDim());
      for (const LoopState *Outer : Around)
        if (Of != Known.Counters.end() && Outer->Loop == Of->second &&
            Outer->Counter != LoopState::NoCounter)
          return IntExpr::counter(Outer->Counter);
      return std::nullopt;
    }
    auto Of =
        A.isLeaf() ? Known.Symbols.find(A.getKey().str()) : Known.Symbols.end();
    auto V = Of == Known.Symbols.end() ? F.Values.end()
                                       : F.Values.find(Of->second.first);
    if (V == F.Values.end())
      return std::nullopt;
    const auto Pointers = pointersIn(V->second);
    return Of->second.second < Pointers.size()
               ? std::optional(Pointers[Of->second.second]->I)
               : std::nullopt;
  };
  auto NewPhi = [&] {
    std::string Name = (PhiPrefix + std::to_string(NextPhi++)).str();
    L.Phis.insert(Name);
    return Name;
  };
  for (auto [C, K] : llvm::zip(L.Cells, Known.Cells)) {
    C.Name = NewPhi();
    C.K = K.K;
    for (const IntExpr &Step : K.Steps)
      C.Steps.push_back(Step.transform(Now));
    C.AsScalar = K.AsScalar;
    C.AsPair = K.AsPair;
    if (C.AsPair)
      L.Phis.insert({C.half(0), C.half(1)});
    C.StaysSigned = K.StaysSigned;
    C.StaysUnsigned = K.StaysUnsigned;
    C.Next = K.Next;
    const size_t Numbers = pointersIn(C.Initial).size();
    if (C.K == Carried::Kind::Induction
            ? Numbers == 0 || Numbers != C.Steps.size() ||
                  (C.StaysSigned && !C.Initial.SignedExact) ||
                  (C.StaysUnsigned && !C.Initial.UnsignedExact)
            : Numbers != 0 && !C.AsScalar && !C.AsPair)
      return false;
  }
  for (CarriedWrite W : Known.Writes) {
    if (!L.Entry.count(W.Array))
      return false;
    W.Head.Index = W.Head.Index.transform(Now);
    for (BoundLoop &B : W.Head.Loops)
      B.Trip = B.Trip.transform(Now);
    W.Phi = NewPhi();
    L.Writes.push_back(std::move(W));
  }
  Active = Entry;
  Reached[L.Counter] = totalActive();
  L.Trip = Known.Trip.transform(Now);
  if (!L.TestsFirst)
    requireIteration(L.Trip, "a do loop would run no iteration");
  const unsigned BarriersBefore = WarpBarriers;
  return runLast(L, Entry) && WarpBarriers == BarriersBefore &&
         L.LastEvents == 0 && agrees(L) && leaveLast(L, OuterHead);
}

bool Executor::agrees(LoopState &L) {
  const IntExpr Counter = IntExpr::counter(L.Counter);
  const std::string Key = Counter.str();
  if (!L.LastTest)
    return false;
  auto Trip = tripCount(*L.LastTest, L.Counter, L.Loc);
  if (!Trip || (L.TestsFirst ? *Trip : *Trip + 1) != L.Trip)
    return false;
  for (const Carried &C : L.Cells) {
    if (C.K == Carried::Kind::Induction) {
      if (!choosesAlike(C.Next, C.Initial) ||
          (C.StaysSigned && !C.Next.SignedExact) ||
          (C.StaysUnsigned && !C.Next.UnsignedExact))
        return false;
      for (auto [Next, First, Step] :
           llvm::zip(pointersIn(C.Next), pointersIn(C.Initial), C.Steps))
        if (Next->I != First->I + Step * (Counter + 1) || Step.contains(Key))
          return false;
      continue;
    }
    if (C.AsScalar && (!C.Next.is(VK::Scalar) || C.Next.S->Type != *C.AsScalar))
      return false;
    if (C.AsPair && pairType(C.Next) != C.AsPair)
      return false;
  }
  // The places that an iteration stores to again.
  auto IsCounter = [&](llvm::StringRef Name) { return Name == Key; };
  std::vector<bool> Stored(L.Writes.size(), false);
  for (const auto &Named : S) {
    const std::string &Name = Named.first;
    if (!L.Entry.count(Name))
      continue; // declared inside the loop
    for (const Write &W : Named.second.Writes) {
      if (L.LastHead.count(W.Id))
        continue;
      if (Named.second.IsShared)
        return false;
      const SymValue Index = SymValue::integer(W.Index, 64);
      if (mentionsAny(Index, IsCounter) || mentions(L, Index))
        continue;
      auto C = llvm::find_if(L.Writes, [&](const CarriedWrite &C) {
        return C.Array == Name && samePlaces(C.Head, W);
      });
      if (C == L.Writes.end() ||
          (W.Value.is(VK::Scalar) && (!C->Typed || C->Type != W.Value.S->Type)))
        return false;
      Stored[C - L.Writes.begin()] = true;
    }
  }
  if (!llvm::all_of(Stored, [](bool Found) { return Found; }))
    return false;
  // A variable or an element that an iteration leaves for the next one, as the
  // code before the loop has left it, has more than a symbol.
  L.Condition = *L.LastTest;
  L.ConditionLoc = L.Loc;
  return !rotateCells(L) && !rotateWrites(L) && !unrolledTrip(L);
}

} // namespace warpwright::symbolic
