//===-- Rotate.cpp - What an iteration leaves for the next ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops that prefetch: iteration c stores to a shared array, or leaves in a
/// variable, what iteration c + 1 uses, and the code before the loop leaves
/// what an iteration -1 would have left. Then at the head of iteration c there
/// is what the formula gives for c - 1, from the first iteration on.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "Sums.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// A pipeline has at most this many stages in flight.
static constexpr int64_t MaxAhead = 8;

static llvm::unique_function<std::optional<IntExpr>(const IntAtom &)>
replacing(unsigned Counter, IntExpr By) {
  return [Counter, By](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() == AtomKind::Counter && A.getDim() == Counter)
      return By;
    return std::nullopt;
  };
}

SymValue withCounter(SymValue V, unsigned Counter, const IntExpr &By) {
  auto Fn = replacing(Counter, By);
  V.I = V.I.transform(Fn);
  V.B = V.B.transform(Fn);
  if (V.S)
    V.S = transformInts(V.S, Fn);
  for (SymValue &F : V.Fields)
    F = withCounter(F, Counter, By);
  return V;
}

SymValue withCounters(SymValue V, const std::map<unsigned, IntExpr> &At) {
  if (At.empty())
    return V;
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::Counter)
      return std::nullopt;
    auto It = At.find(A.getDim());
    if (It == At.end())
      return std::nullopt;
    return It->second;
  };
  V.I = V.I.transform(Fn);
  V.B = V.B.transform(Fn);
  if (V.S)
    V.S = transformInts(V.S, Fn);
  for (SymValue &F : V.Fields)
    F = withCounters(std::move(F), At);
  return V;
}

Write withCounter(Write W, unsigned Counter, const IntExpr &By) {
  auto Fn = replacing(Counter, By);
  W.Index = W.Index.transform(Fn);
  W.Guard = W.Guard.transform(Fn);
  W.Visible = W.Visible.transform(Fn);
  W.Issued = W.Issued.transform(Fn);
  W.Done = W.Done.transform(Fn);
  W.Exists = W.Exists.transform(Fn);
  for (auto &Named : W.Tracked)
    Named.second = Named.second.transform(Fn);
  for (BoolExpr &C : W.Commits)
    C = C.transform(Fn);
  if (W.Stage)
    W.Stage = W.Stage->transform(Fn);
  W.Value = withCounter(std::move(W.Value), Counter, By);
  for (BoundLoop &L : W.Loops)
    L.Trip = L.Trip.transform(Fn);
  return W;
}

/// If \p V is a selection of which one side is \p Phi, the value of the
/// previous iteration: the other side, which is newly set, and the condition
/// under which it is set.
static SymValue withoutPhi(SymValue V, llvm::StringRef Phi, BoolExpr &When) {
  When = BoolExpr::constant(true);
  if (!V.is(VK::Scalar) || V.S->K != Value::Kind::Select)
    return V;
  auto IsPhi = [&](const ValueRef &X) {
    return X->K == Value::Kind::Phi && X->Name == Phi;
  };
  if (IsPhi(V.S->Ops[1])) {
    When = V.S->Condition;
    V.S = ValueRef(V.S->Ops[0]);
  } else if (IsPhi(V.S->Ops[0])) {
    When = BoolExpr::negation(V.S->Condition);
    V.S = ValueRef(V.S->Ops[1]);
  }
  return V;
}

BoolExpr anIterationBefore(const BoolExpr &B, unsigned Counter) {
  return withCounter(SymValue::boolean(B), Counter,
                     IntExpr::counter(Counter) - 1)
      .B;
}

Simplifier Executor::factsAtHead(const LoopState &L,
                                 const BoolExpr &Test) const {
  // The test at the end of iteration c - 1 has passed; that of c has not been
  // made yet.
  return Simplifier(Bounds, {},
                    L.TestsFirst ? Test : anIterationBefore(Test, L.Counter));
}

bool Executor::holdsBefore(const LoopState &L, const BoolExpr &When,
                           const BoolExpr &Test) const {
  const BoolExpr Before = anIterationBefore(When, L.Counter);
  return (!L.TestsFirst &&
          implies(anIterationBefore(Test, L.Counter), Before)) ||
         factsAtHead(L, Test).simplify(Before).isTrue();
}

/// The value at the head of a variable that an iteration sets to \p Next under
/// \p When: what the previous one left, where \p Initial is what an iteration
/// -1 would have left. Conditions that are the same in all iterations, as in
/// `if (row < M) a = x;`, leave it at its initial value throughout, or let each
/// iteration set it; \p When is then the rest of the conditions.
static std::optional<SymValue> valueAhead(const LoopState &L,
                                          const SymValue &Initial,
                                          const SymValue &Next,
                                          BoolExpr &When) {
  if (same(withCounter(Next, L.Counter, IntExpr(-1)), Initial))
    return withCounter(Next, L.Counter, IntExpr::counter(L.Counter) - 1);
  if (!Next.is(VK::Scalar) || !Initial.is(VK::Scalar))
    return std::nullopt;
  const std::string Key = IntExpr::counter(L.Counter).str();
  auto Varies = [&](llvm::StringRef Name) {
    return Name == Key || L.Phis.count(Name.str()) != 0;
  };
  llvm::SmallVector<BoolExpr, 4> Parts;
  When.conjuncts(Parts);
  BoolExpr Set = BoolExpr::constant(true);
  When = BoolExpr::constant(true);
  for (const BoolExpr &Part : Parts) {
    // What is loaded may be another number in another iteration.
    BoolExpr &Side = hasValues(Part) || mentionsAny(Part, Varies) ? When : Set;
    Side = BoolExpr::conjunction(Side, Part);
  }
  const ValueRef Before = withCounter(Next, L.Counter, IntExpr(-1)).S;
  if (Set.isTrue() || !same(SymValue::scalar(chosen(Before, Set)),
                            SymValue::scalar(chosen(Initial.S, Set))))
    return std::nullopt;
  return SymValue::scalar(Value::select(
      Set, withCounter(Next, L.Counter, IntExpr::counter(L.Counter) - 1).S,
      chosen(Initial.S, BoolExpr::negation(Set))));
}

bool Executor::rotateCells(LoopState &L) {
  bool Found = false;
  for (Carried &C : L.Cells) {
    if (C.K != Carried::Kind::Other)
      continue;
    BoolExpr When;
    SymValue Next = withoutPhi(C.Next, C.Name, When);
    if (!Next.is(VK::Scalar) && !Next.is(VK::Int) && !Next.is(VK::Pointer))
      continue;
    if (mentions(L, Next) || mentions(L, SymValue::boolean(When)))
      continue;
    std::optional<SymValue> Ahead = valueAhead(L, C.Initial, Next, When);
    if (!Ahead || !holdsBefore(L, When, L.Condition))
      continue;
    C.Always = When.isTrue();
    C.Ahead = std::move(*Ahead);
    C.K = Carried::Kind::Ahead;
    Found = true;
  }
  return Found;
}

/// \p V without the case in which it was not set, and the condition under which
/// it is set.
static SymValue withoutUnset(SymValue V, BoolExpr &When) {
  while (V.is(VK::Scalar) && V.S->K == Value::Kind::Select) {
    const bool Then = V.S->Ops[1]->K == Value::Kind::Undefined;
    if (!Then && V.S->Ops[0]->K != Value::Kind::Undefined)
      break;
    When = BoolExpr::conjunction(
        When, Then ? V.S->Condition : BoolExpr::negation(V.S->Condition));
    V.S = ValueRef(V.S->Ops[Then ? 0 : 1]);
  }
  return V;
}

bool Executor::rotateWrites(LoopState &L) {
  bool Found = false;
  for (CarriedWrite &C : L.Writes) {
    if (C.Ahead)
      continue;
    // What the previous iteration stored there last.
    std::optional<Write> Last;
    for (const Write &W : llvm::reverse(S[C.Array].Writes))
      if (!W.Clobber && samePlaces(C.Head, W)) {
        Last = withLoopsOf(C.Head, W);
        break;
      }
    if (!Last)
      continue;
    BoolExpr When = Last->Guard;
    SymValue Next = withoutPhi(Last->Value, C.Phi, When);
    When = BoolExpr::conjunction(When, Last->Guard);
    Next = withoutUnset(std::move(Next), When);
    if ((!Next.is(VK::Scalar) && !Next.is(VK::Int)) || mentions(L, Next) ||
        mentions(L, SymValue::boolean(When)) ||
        (Next.is(VK::Scalar) && Next.S->containsKind(Value::Kind::Undefined)))
      continue;
    // The values of the elements before the loop. They were not read if nothing
    // comes of it.
    std::vector<size_t> OpenBefore;
    for (const LoopState *Outer : Around)
      OpenBefore.push_back(Outer->OpenReads.size());
    const std::vector<BoundLoop> Live = LiveLoops;
    for (const BoundLoop &B : C.Head.Loops)
      LiveLoops.push_back(B);
    LiveHeaders.resize(LiveLoops.size());
    Memory Now = std::exchange(S, L.Entry);
    SymValue Initial = readArray(C.Array, C.Head.Index, C.Head.Size);
    S = std::move(Now);
    LiveLoops = Live;
    LiveHeaders.resize(LiveLoops.size());
    std::optional<SymValue> Ahead = valueAhead(L, Initial, Next, When);
    if (!Ahead || !holdsBefore(L, When, L.Condition)) {
      for (auto [Outer, Count] : llvm::zip(Around, OpenBefore))
        Outer->OpenReads.resize(Count);
      continue;
    }
    C.Always = When.isTrue();
    C.Ahead = std::move(*Ahead);
    Found = true;
  }
  return Found;
}

void Executor::findShared(LoopState &L) {
  L.Stored.clear();
  L.EndReads.clear();
  rollUpShared(HeadWrite);
  for (const std::string &Name : L.Shared) {
    std::set<unsigned> Old;
    for (const Write &W : L.Entry[Name].Writes)
      Old.insert(W.Id);
    for (const Write &W : S[Name].Writes)
      if (!Old.count(W.Id) && !W.Clobber && !L.HeadIds.count(W.Id))
        L.Stored[Name].push_back(W);
  }
  for (const auto &[Name, A] : S) {
    if (!A.IsShared)
      continue;
    std::set<unsigned> Old;
    for (const Write &R : L.Entry[Name].Reads)
      Old.insert(R.Id);
    for (const Write &R : A.Reads)
      if (!Old.count(R.Id) && !L.HeadIds.count(R.Id))
        L.EndReads[Name].push_back(R);
  }
}

/// \p N < \p End; a minimum is split, since \p N has to be below both sides.
static BoolExpr isBelow(int64_t N, const IntExpr &End) {
  AtomRef A = End.getAtom();
  if (A && A->getKind() == AtomKind::Min)
    return BoolExpr::conjunction(isBelow(N, A->getLHS()),
                                 isBelow(N, A->getRHS()));
  return BoolExpr::compare(CmpOp::LT, IntExpr(N), End);
}

/// The largest number of iterations of a loop, if that is a small number.
static std::optional<int64_t> mostOf(const IntExpr &Trip) {
  if (auto C = Trip.getConstant())
    return *C <= MaxAhead ? C : std::nullopt;
  AtomRef A = Trip.getAtom();
  if (!A || A->getKind() != AtomKind::Min)
    return std::nullopt;
  auto L = mostOf(A->getLHS()), R = mostOf(A->getRHS());
  return L && R ? std::min(*L, *R) : L ? L : R;
}

/// \p Before is a store that a loop before this one makes; iteration \p At of
/// its loop number \p N stores to an element that \p W finds. Whether the other
/// iterations store to elements at the same distances as the iterations of \p W
/// do. If not, one of them may overwrite that element. They must not go as far
/// as the iterations in which \p W itself stores, the first of which comes
/// \p Back iterations after that one: a ring is full then, and what is stored
/// beyond lies over what is still to be read.
static bool inStep(const Write &Before, size_t N, int64_t At, int64_t Back,
                   const Write &W, unsigned Counter) {
  auto Most = mostOf(Before.Loops[N].Trip);
  for (int64_t Other = 0; Most && Other < *Most; ++Other) {
    if (Other - At >= Back)
      return false;
    Write One = withCounter(Before, Before.Loops[N].Counter, IntExpr(Other));
    One.Loops.erase(One.Loops.begin() + N);
    const Write There = withCounter(W, Counter, IntExpr(Other - At));
    auto Same = There.Size == One.Size ? withLoopsOf(There, One) : std::nullopt;
    if (!Same || Same->Index != There.Index)
      return false;
  }
  return Most.has_value();
}

/// The conditions of \p B that are the same for all threads of a block.
static BoolExpr ofBlock(const BoolExpr &B) {
  llvm::SmallVector<BoolExpr, 4> Parts;
  B.conjuncts(Parts);
  BoolExpr R = BoolExpr::constant(true);
  for (const BoolExpr &Part : Parts)
    if (!containsThread(Part) && !hasValues(Part))
      R = BoolExpr::conjunction(R, Part);
  return R;
}

/// The store \p Before, which was made before the loop, as it was stored, if
/// under \p Known it is to the elements that the first iteration would find as
/// \p W, which is what was stored \p Back iterations ago. With \p InFlight,
/// whoever asks finds out who knows of the store. With \p First, that only has
/// to be so where the conditions of the first iteration hold. \p Differs is set
/// if only the values differ, which those conditions may change.
static std::optional<Write> storedBefore(const Write &Before, const Write &W,
                                         int64_t Back, unsigned Counter,
                                         const BoolExpr &Known, bool InFlight,
                                         bool &Differs,
                                         const Simplifier *First = nullptr) {
  // One iteration of a loop that fills the first stages.
  if (Before.Loops.size() == W.Loops.size() + 1)
    for (size_t N = 0; N < Before.Loops.size(); ++N)
      for (int64_t At = 0; At < MaxAhead; ++At) {
        BoolExpr Runs = isBelow(At, Before.Loops[N].Trip);
        if (Runs.isFalse())
          break;
        Write One = withCounter(Before, Before.Loops[N].Counter, IntExpr(At));
        One.Guard = BoolExpr::conjunction(One.Guard, Runs);
        One.Loops.erase(One.Loops.begin() + N);
        auto Found = storedBefore(One, W, Back, Counter, Known, InFlight,
                                  Differs, First);
        if (Found && inStep(Before, N, At, Back, W, Counter))
          return Found;
      }
  Write There = withCounter(W, Counter, IntExpr());
  auto Same =
      samePlaces(There, Before) ? withLoopsOf(There, Before) : std::nullopt;
  // No thread of the block took `if (tiles == 0) return;` before the loop.
  const BoolExpr When = BoolExpr::conjunction(ofBlock(Known), There.Guard);
  if (!Same || !implies(When, Same->Guard))
    return std::nullopt;
  // Where the iterations of the loop store, `s < tiles ? A[i] : 0` is A[i].
  if (Same->Value.S)
    Same->Value.S = chosen(Same->Value.S, When);
  SymValue Entered = Same->Value;
  if (First)
    for (SymValue *V : {&There.Value, &Entered}) {
      V->I = First->simplify(V->I);
      if (V->S)
        V->S = First->simplify(V->S);
    }
  const bool Alike = same(Entered, There.Value);
  Differs |= !Alike;
  // Of a store it is not kept whether it is complete, as a copy need not be.
  if (!Alike || (Same->Async && !W.Async && !implies(Known, Same->Done)))
    return std::nullopt;
  // Whether copies are complete is checked later.
  if (InFlight)
    return Same;
  // Threads that see the store of every iteration have to see this one, too.
  if (!implies(BoolExpr::conjunction(Known, There.Visible), Same->Visible) ||
      (Same->Async && !implies(Known, Same->Done)))
    return std::nullopt;
  return Same;
}

bool Executor::rotateShared(LoopState &L) {
  L.Ahead.clear();
  L.Matched.clear();
  L.Heads.clear();
  L.AheadLeft.clear();
  L.Leaves.clear();
  L.MatchedIfRun = false;
  const BoolExpr Known = totalActive();
  // `a += t + 1 < tiles ? step : 0` has made a step before the first iteration
  // if there is one.
  const Simplifier First(
      Bounds, {},
      BoolExpr::conjunction(
          Known, L.Condition.transform(replacing(L.Counter, IntExpr()))));
  for (const auto &[Name, Stored] : L.Stored) {
    const std::vector<Write> &Entry = L.Entry[Name].Writes;
    // A copy in flight continues from iteration to iteration, and so does a
    // store beside it, of which other threads may not know yet.
    const bool InFlight =
        llvm::any_of(Stored, [](const Write &W) { return W.Async; });
    std::vector<std::vector<Write>> Rounds, Behind; // the newest first
    // For each store of an iteration the position of the closest store before
    // the loop that corresponds to it. Of two stores to one element the later
    // one counts.
    std::vector<size_t> Newest(Stored.size(), Entry.size());
    std::vector<std::vector<size_t>> Found; // by the round
    // `k + 2 < tiles ? k + 2 : tiles - 1` fetches the last tile again, and is
    // what was fetched before the loop only if there are so many tiles. What
    // was stored `Back` iterations ago is then known where iteration
    // `counter + Full - Back` runs; others do not read it.
    std::optional<int64_t> Full;
    // A copy in flight hands the condition on to the next round.
    std::vector<bool> HandedOnly(Stored.size());
    const std::string &Array = Name;
    auto WhereRuns = [&](int64_t Later) {
      return L.Condition.transform(
          replacing(L.Counter, IntExpr::counter(L.Counter) + Later));
    };
    auto OnlyWhere = [&](Write &W, const BoolExpr &Runs) {
      const SymValue Nothing = notSet(
          W.Value.S->Type,
          SymValue::unknown(DiagID::SharedElement, W.Loc,
                            SharedNames[Array] +
                                " may hold another tile than the one that "
                                "is stored here when the last iterations "
                                "read it"));
      W.Value.S = Value::select(Runs, W.Value.S, Nothing.S);
    };
    for (int64_t Back = 1; Back <= MaxAhead; ++Back) {
      std::vector<Write> Round, Leaves;
      std::vector<size_t> Places;
      for (size_t N = 0; N < Stored.size(); ++N) {
        const Write &W = Stored[N];
        size_t At = std::min(Newest[N] + 1, Entry.size());
        Write Left = !InFlight ? withCounter(W, L.Counter,
                                             IntExpr::counter(L.Counter) - Back)
                     : Rounds.empty() ? atNextHead(L, W)
                                      : afterIteration(L, Rounds.back()[N]);
        Write Last = !InFlight        ? Left
                     : Rounds.empty() ? atNextHead(L, W, /*Leaves=*/true)
                                      : afterIteration(L, Rounds.back()[N],
                                                       /*Leaves=*/true);
        std::optional<Write> Before;
        bool Differs = false;
        auto Find = [&](const Simplifier *Facts) {
          size_t From = At;
          while (From > 0 &&
                 !(Before = storedBefore(Entry[From - 1], Left, Back, L.Counter,
                                         Known, InFlight, Differs, Facts)))
            --From;
          return From;
        };
        size_t Place = Find(nullptr);
        if (Place == 0 && Differs && L.TestsFirst && !InFlight) {
          Place = Find(&First);
          L.MatchedIfRun |= Place > 0;
        }
        for (int64_t Later = Full ? *Full - Back : 1;
             Place == 0 && Differs && L.TestsFirst && W.Value.is(VK::Scalar) &&
             Later >= (Full ? 0 : 1) &&
             Later <= (Full ? *Full - Back : MaxAhead - Back);
             ++Later) {
          const Simplifier Facts(
              Bounds, {},
              BoolExpr::conjunction(Known, WhereRuns(Later).transform(replacing(
                                               L.Counter, IntExpr()))));
          Place = Find(&Facts);
          if (Place > 0)
            Full = Back + Later;
        }
        At = Place;
        if (At == 0 || mentions(L, W.Value) ||
            mentions(L, SymValue::boolean(W.Guard))) {
          Round.clear();
          break;
        }
        if (InFlight) {
          Left = asFarAs(L, std::move(Left), *Before);
          Last = asFarAs(L, std::move(Last), *Before);
        }
        if (Full && W.Value.is(VK::Scalar) && !HandedOnly[N]) {
          HandedOnly[N] = InFlight;
          OnlyWhere(Left, WhereRuns(*Full - Back));
          OnlyWhere(Last, WhereRuns(*Full - Back));
        }
        Places.push_back(At - 1);
        Round.push_back(std::move(Left));
        Leaves.push_back(std::move(Last));
      }
      if (Round.empty())
        break;
      Newest = Places;
      Found.push_back(std::move(Places));
      Rounds.push_back(std::move(Round));
      Behind.push_back(std::move(Leaves));
    }
    // No other store may have replaced them since.
    auto IsLast = [&] {
      std::set<size_t> All;
      for (const std::vector<size_t> &Places : Found)
        All.insert(Places.begin(), Places.end());
      return All.size() == Entry.size() - *All.begin();
    };
    while (!Rounds.empty() && !IsLast()) {
      Rounds.pop_back();
      Behind.pop_back();
      Found.pop_back();
    }
    for (const std::vector<size_t> &Places : Found)
      for (size_t At : Places)
        L.Matched.insert(Entry[At].Id);
    for (const auto &Round : Rounds)
      for (size_t N = 0; N < Stored.size(); ++N)
        L.Heads[Stored[N].Id].push_back(Round[N]);
    for (const auto &Round : Behind)
      for (size_t N = 0; N < Stored.size(); ++N)
        L.Leaves[Stored[N].Id].push_back(Round[N]);
    for (auto &Round : llvm::reverse(Rounds))
      for (Write &W : Round)
        L.Ahead[Name].push_back(std::move(W));
    for (auto &Round : llvm::reverse(Behind))
      for (Write &W : Round)
        L.AheadLeft[Name].push_back(std::move(W));
  }
  return !L.Ahead.empty();
}

SymValue Executor::atHead(const LoopState &L, SymValue V) const {
  const Simplifier Facts = factsAtHead(L, L.Condition);
  if (V.S)
    V.S = Facts.simplify(V.S);
  V.I = Facts.simplify(V.I);
  return V;
}

void Executor::setSharedHead(LoopState &L) {
  L.HeadIds.clear();
  putUnderWay(L);
  for (const std::string &Name : L.Shared) {
    for (Write &Old : S[Name].Writes) {
      Old.Counted |= L.HasBarrier && L.Matched.count(Old.Id) != 0;
      // A reader in the loop must not see it beside the stores of the loop.
      Old.Hidden = true;
    }
    Write W;
    W.Array = Name;
    W.Clobber = true;
    W.Value = SymValue::unknown(DiagID::SharedElement, L.Loc, "");
    W.Loc = L.Loc;
    W.Id = NextWrite++;
    S[Name].Writes.push_back(W);
    auto Ahead = L.Ahead.find(Name);
    if (Ahead == L.Ahead.end())
      continue;
    for (Write H : Ahead->second) {
      H.Id = NextWrite++;
      const Simplifier Facts = factsAtHead(L, L.Condition);
      H.Visible = Facts.simplify(H.Visible);
      H.Guard = Facts.simplify(H.Guard);
      H.Value = atHead(L, std::move(H.Value));
      // Stores after the last barrier belong to the phase that continues here.
      H.Phase = H.Visible.isTrue() ? 0 : phaseOf(Name);
      H.Counted = L.HasBarrier;
      L.HeadIds.insert(H.Id);
      S[Name].Writes.push_back(std::move(H));
    }
  }
  // An iteration after the first one has passed the barrier of the previous
  // one.
  if (holdsBefore(L, L.Passed, L.Condition))
    for (auto &Named : S)
      for (Write &R : Named.second.Reads)
        R.First.push_back(L.Counter);
  for (const auto &[Name, Reads] : L.EndReads)
    for (Write R : Reads) {
      if (hasBarrier(L, Name)) {
        // For a barrier that all but the last iterations pass.
        if (holdsBefore(L, R.Visible, L.Condition))
          continue;
        R = withCounter(R, L.Counter, IntExpr::counter(L.Counter) - 1);
      } else {
        // Any iteration may have run before, or may follow.
        unsigned Other = NextCounter++;
        R = withCounter(R, L.Counter, IntExpr::counter(Other));
        R.Loops.push_back({Other, L.Trip});
        R.Done = BoolExpr::constant(false);
      }
      R.Id = NextWrite++;
      L.HeadIds.insert(R.Id);
      S[Name].Reads.push_back(std::move(R));
    }
  HeadWrite = NextWrite;
}

/// The number of iterations after which \p Index repeats, if the counter occurs
/// only in remainders by small constants.
static std::optional<int64_t> turnsOf(const IntExpr &Index, unsigned Counter) {
  const std::string Key = IntExpr::counter(Counter).str();
  int64_t Period = 0;
  IntExpr Rest =
      Index.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
        auto D = A.getKind() == AtomKind::Mod ? A.getRHS().getConstant()
                                              : std::nullopt;
        if (!D || *D > MaxPeriod || !A.getLHS().coefficient(Key) ||
            !A.getLHS().contains(Key))
          return std::nullopt;
        Period = Period == 0 ? *D : std::lcm(Period, *D);
        return IntExpr();
      });
  if (!Period || Period > MaxPeriod || Rest.contains(Key))
    return std::nullopt;
  return Period;
}

void Executor::leaveShared(LoopState &L, const Memory &Next) {
  leaveUnderWay(L, Next);
  std::string Key = IntExpr::counter(L.Counter).str();
  std::optional<Simplifier> Fills;
  if (mostOf(L.Trip)) {
    std::vector<BoundLoop> Loops = bodyLoops();
    Loops.push_back({L.Counter, L.Trip - 1});
    Fills.emplace(Bounds, std::move(Loops), totalActive());
  }
  auto IsCounter = [&](llvm::StringRef Name) { return Name == Key; };
  for (const auto &[Name, A] : Next) {
    if (!A.IsShared)
      continue;
    std::set<unsigned> Old, OldReads;
    for (const Write &W : L.Entry[Name].Writes)
      Old.insert(W.Id);
    for (const Write &R : L.Entry[Name].Reads)
      OldReads.insert(R.Id);
    ArrayState &After = S[Name];
    // Stores before the loop, as the barriers in the loop have left them.
    After.Writes.clear();
    After.Reads.clear();
    bool Clobbered = L.Shared.count(Name) && !L.Stored.count(Name);
    std::vector<Write> Turning;
    unsigned Others = 0;
    // If iterations store to the same places again, the first ones find them
    // filled, and so does a reader after the last one. Copies of one phase
    // complete in any order.
    auto InOrder = [&](const Write &W) { return !W.Async || L.HasBarrier; };
    auto Again = [&](const Write &W) {
      if (!InOrder(W))
        return false;
      return turnsOf(W.Index, L.Counter) ||
             !mentionsAny(SymValue::integer(W.Index, 64), IsCounter);
    };
    const bool AllAgain =
        L.Ahead.count(Name) && llvm::all_of(L.Ahead[Name], Again);
    auto IsAhead = [&](const Write &W) { return AllAgain && Again(W); };
    for (const Write &W : A.Writes) {
      if (W.Async && Old.count(W.Id)) {
        for (const Write &E : L.Entry[Name].Writes)
          if (E.Id == W.Id) {
            After.Writes.push_back(afterLoop(L, E, W));
            After.Writes.back().Hidden |= L.Shared.count(Name) != 0;
          }
        continue;
      }
      if (Old.count(W.Id)) {
        // If a loop runs no iteration, its barrier is not passed.
        Write R = W;
        for (const Write &E : L.Entry[Name].Writes)
          if (E.Id == W.Id &&
              (!provablyNonNegative(L.Trip - 1) ||
               mentionsAny(SymValue::boolean(W.Visible), IsCounter)))
            R.Visible = E.Visible;
        After.Writes.push_back(std::move(R));
        continue;
      }
      if (W.Clobber || L.HeadIds.count(W.Id))
        continue;
      Write R = W;
      R.Id = NextWrite++;
      R.Guard = BoolExpr::conjunction(L.EntryActive, W.Guard);
      // A loop that fills as many buffers as there are, or fewer, begins with
      // the first one: there `s % 3` is s.
      if (Fills)
        R.Index = Fills->simplify(R.Index);
      // What the head of one more iteration would find; see below.
      if (IsAhead(W)) {
        Clobbered = true;
        continue;
      }
      // Buffers that take turns hold what the last iterations stored. That is
      // known if all stores of the loop take turns.
      if (turnsOf(R.Index, L.Counter) && !mentions(L, W.Value) && InOrder(W)) {
        Turning.push_back(W);
        continue;
      }
      ++Others;
      bool Moves = mentionsAny(SymValue::integer(R.Index, 64), IsCounter);
      bool Varies = mentionsAny(W.Value, IsCounter) ||
                    mentionsAny(SymValue::boolean(W.Guard), IsCounter) ||
                    mentions(L, W.Value);
      if (Moves || Varies)
        R.Loops.push_back({L.Counter, L.Trip});
      // If the place is the same in every iteration, only the last one counts.
      R.Clobber = !Moves && Varies;
      if (!Moves && !Varies && !provablyNonNegative(L.Trip - 1))
        R.Clobber = true;
      // Copies that are in flight after barriers are in L.UnderWay.
      R.Counted = L.HasBarrier;
      std::vector<BoolExpr *> Conditions = {&R.Done};
      for (auto &Named : R.Tracked)
        Conditions.push_back(&Named.second);
      for (BoolExpr *B : Conditions)
        if (mentionsAny(SymValue::boolean(*B), IsCounter))
          *B = BoolExpr::constant(false);
      llvm::erase_if(R.Commits, [&](const BoolExpr &C) {
        return mentionsAny(SymValue::boolean(C), IsCounter);
      });
      if (R.Stage && R.Loops.size() == W.Loops.size() &&
          mentionsAny(SymValue::integer(*R.Stage, 64), IsCounter))
        R.Stage.reset();
      if (!R.Visible.isTrue() || hasBarrier(L, Name))
        R.Visible = hasBarrier(L, Name) && W.Visible.isTrue()
                        ? BoolExpr::constant(true)
                        : BoolExpr::constant(false);
      R.Phase = phaseOf(Name);
      After.Writes.push_back(std::move(R));
    }
    Clobbered |= !Turning.empty();
    if (Clobbered) {
      Write W;
      W.Array = Name;
      W.Clobber = true;
      W.Loc = L.Loc;
      W.Id = NextWrite++;
      After.Writes.push_back(W);
    }
    int64_t Period = 1;
    for (const Write &W : Turning)
      Period = std::lcm(Period, *turnsOf(W.Index, L.Counter));
    if (Others == 0 && Period <= MaxPeriod)
      for (int64_t Back = Period; Back >= 1; --Back)
        for (const Write &W : Turning) {
          Write Last = withCounter(W, L.Counter, L.Trip - Back);
          Last.Id = NextWrite++;
          Last.Guard = BoolExpr::conjunction(
              BoolExpr::conjunction(L.EntryActive, Last.Guard),
              BoolExpr::compare(CmpOp::GE, L.Trip, Back));
          Last.Phase = phaseOf(Name);
          Last.Counted = true;
          After.Writes.push_back(std::move(Last));
        }
    if (auto Ahead = L.AheadLeft.find(Name); Ahead != L.AheadLeft.end())
      for (const Write &H : Ahead->second) {
        if (!IsAhead(H))
          continue;
        Write Last = withCounter(H, L.Counter, L.TripCount);
        Last.Id = NextWrite++;
        Last.Guard = BoolExpr::conjunction(L.EntryActive, Last.Guard);
        if (Last.Guard.isFalse())
          continue;
        Last.Phase = Last.Visible.isTrue() ? 0 : phaseOf(Name);
        After.Writes.push_back(std::move(Last));
      }
    for (const Write &R : A.Reads) {
      if (OldReads.count(R.Id)) {
        for (const Write &E : L.Entry[Name].Reads)
          if (E.Id == R.Id)
            After.Reads.push_back(E);
        continue;
      }
      if (L.HeadIds.count(R.Id))
        continue;
      Write Read = R;
      Read.Id = NextWrite++;
      Read.Visible = BoolExpr::constant(false);
      if (mentionsAny(SymValue::boolean(Read.Done), IsCounter))
        Read.Done = BoolExpr::constant(false);
      if (mentionsAny(SymValue::integer(R.Index, 64), IsCounter))
        Read.Loops.push_back({L.Counter, L.Trip});
      After.Reads.push_back(std::move(Read));
    }
    // If a loop runs no iteration, its barrier makes nothing visible.
    if (hasBarrier(L, Name) && !provablyNonNegative(L.Trip - 1))
      for (const Write &R : L.Entry[Name].Reads)
        if (!llvm::any_of(After.Reads,
                          [&](const Write &X) { return X.Id == R.Id; }))
          After.Reads.push_back(R);
  }
}

} // namespace warpwright::symbolic
