//===-- Async.cpp - Copies to shared memory that come about later ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An asynchronous copy is a store that happens at some time between its
/// instruction and the wait of the same thread that covers it. A thread commits
/// groups of its copies, and waits until all but its last N groups are
/// complete. Other threads see what a copy stored after a barrier that follows
/// that wait.
///
/// For each copy we keep a lower bound of the number of groups that its thread
/// has committed since (Write::Commits), the condition under which the thread
/// has waited for it (Write::Done), and the condition under which other threads
/// see it (Write::Visible). Shared.cpp checks that a reader sees the copy. A
/// store to the same element is declined while the copy may be in flight. So an
/// element has at most one copy in flight, the one that was issued last, and
/// its value is found as for an ordinary store.
///
/// In a loop, copies that one iteration leaves in flight are put at the head of
/// the next one, repeatedly until they are complete: the commits, waits and
/// barriers of an iteration are applied again to the copies of earlier
/// iterations.
///
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Executor.h"
#include "Mistakes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// No more commits than this are counted for a copy.
static constexpr size_t MaxCommits = 32;
/// A copy may be in flight for this many iterations.
static constexpr int64_t MaxAhead = 8;

bool Executor::knows(const BoolExpr &Given, const BoolExpr &C) const {
  if (implies(Given, C))
    return true;
  if (C.getKind() == BoolExpr::Kind::Or)
    return llvm::any_of(
        C.operands(), [&](const BoolExpr &Side) { return knows(Given, Side); });
  return Simplifier(Bounds, bodyLoops(), Given).simplify(C).isTrue();
}

void Executor::happen(const CopyEvent &E, Write &W) const {
  switch (E.K) {
  case CopyEvent::Kind::Commit: {
    // The condition under which the copy was issued is left out: it holds for
    // the thread that issued it, and the count is only a lower bound.
    BoolExpr When = withoutConjuncts(E.When, W.Issued);
    // `if (more) { copy; commit; } else commit;` commits one group.
    for (BoolExpr &C : llvm::reverse(W.Commits))
      if (implies(When, BoolExpr::negation(C)) ||
          implies(C, BoolExpr::negation(When))) {
        BoolExpr Both = either(C, When);
        if (Both.getKind() == BoolExpr::Kind::Or)
          continue;
        C = Both;
        return;
      }
    if (W.Commits.size() < MaxCommits)
      W.Commits.push_back(When);
    break;
  }
  case CopyEvent::Kind::Wait: {
    const int64_t Closed = llvm::count_if(
        W.Commits, [&](const BoolExpr &C) { return knows(E.When, C); });
    if (Closed > E.Prior)
      W.Done = either(W.Done, withoutConjuncts(E.When, W.Issued));
    break;
  }
  case CopyEvent::Kind::CommitStage:
    if (!W.Stage && knows(W.Issued, E.When))
      W.Stage = E.Stage;
    break;
  case CopyEvent::Kind::WaitStage:
    // All threads have committed it.
    if (W.Stage &&
        knows(E.When, BoolExpr::compare(CmpOp::LE, *W.Stage, E.Stage))) {
      W.Done = either(W.Done, withoutConjuncts(E.When, W.Issued));
      W.Visible = either(W.Visible, E.When);
    }
    break;
  case CopyEvent::Kind::Release:
    break;
  case CopyEvent::Kind::Track:
    for (const auto &[Name, Meant] : E.Barriers) {
      const BoolExpr When =
          withoutConjuncts(BoolExpr::conjunction(E.When, Meant), W.Issued);
      BoolExpr &All =
          W.Tracked.try_emplace(Name, BoolExpr::constant(false)).first->second;
      if (!knows(When, All))
        All = either(All, When);
    }
    break;
  case CopyEvent::Kind::Phase: {
    // It is waited for where each barrier that may be meant waits for it.
    auto WaitsFor = [&](const auto &Named) {
      auto By = W.Tracked.find(Named.first);
      const BoolExpr Here = BoolExpr::conjunction(E.When, Named.second);
      return By != W.Tracked.end() &&
             knows(BoolExpr::conjunction(Here, W.Issued), By->second);
    };
    if (llvm::all_of(E.Barriers, WaitsFor))
      W.Done = either(W.Done, withoutConjuncts(E.When, W.Issued));
    break;
  }
  case CopyEvent::Kind::Barrier:
    if (knows(BoolExpr::conjunction(E.When, W.Issued), W.Done))
      W.Visible = either(W.Visible, E.When);
    break;
  }
}

void Executor::copyEvent(CopyEvent E) {
  for (auto &Named : S)
    for (auto *List : {&Named.second.Writes, &Named.second.UnderWay})
      for (Write &W : *List)
        if (W.Async)
          happen(E, W);
  CopyEvents.push_back(std::move(E));
}

void Executor::commitCopies() {
  copyEvent({CopyEvent::Kind::Commit, totalActive(), 0});
}

/// The first selection that \p E contains.
static AtomRef firstChoice(const IntExpr &E) {
  for (const auto &[M, C] : E.terms())
    for (const AtomRef &A : M)
      if (A->getKind() == AtomKind::Select)
        return A;
  return nullptr;
}

/// \p E with the first side of \p Choice (\p Then), or with the second.
static IntExpr sideOf(const IntExpr &E, const AtomRef &Choice, bool Then) {
  return E.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() != Choice->getKey())
      return std::nullopt;
    return Then ? Choice->getLHS() : Choice->getRHS();
  });
}

void Executor::waitForCopies(const IntExpr &Prior, const BoolExpr &When) {
  if (auto N = Prior.getConstant()) {
    if (*N >= 0)
      copyEvent({CopyEvent::Kind::Wait, When, *N});
    return;
  }
  // A wait for an unknown number of groups guarantees nothing.
  AtomRef Choice = firstChoice(Prior);
  if (!Choice || hasValues(Choice->getCondition()))
    return;
  for (bool Then : {true, false}) {
    const BoolExpr &C = Choice->getCondition();
    waitForCopies(
        sideOf(Prior, Choice, Then),
        BoolExpr::conjunction(When, Then ? C : BoolExpr::negation(C)));
  }
}

/// The condition under which the \p Size bytes from \p Offset on are copied,
/// where the first \p Copied bytes are copied and the others become zeros.
/// Nothing if only a part of them may be copied.
static std::optional<BoolExpr> isCopied(const IntExpr &Copied, int64_t Offset,
                                        int64_t Size) {
  if (auto N = Copied.getConstant()) {
    if (*N > Offset && *N < Offset + Size)
      return std::nullopt;
    return BoolExpr::constant(*N >= Offset + Size);
  }
  AtomRef Choice = firstChoice(Copied);
  if (!Choice || hasValues(Choice->getCondition()))
    return std::nullopt;
  auto Then = isCopied(sideOf(Copied, Choice, true), Offset, Size),
       Else = isCopied(sideOf(Copied, Choice, false), Offset, Size);
  if (!Then || !Else)
    return std::nullopt;
  const BoolExpr &C = Choice->getCondition();
  return either(BoolExpr::conjunction(C, *Then),
                BoolExpr::conjunction(BoolExpr::negation(C), *Else));
}

bool Executor::copyAsync(const SymValue &To, const SymValue &From, int64_t Size,
                         const IntExpr &Copied) {
  if (Size != 1 && Size != 2 && Size != 4 && Size != 8 && Size != 16)
    return fail(DiagID::UnsupportedStatement, here(),
                "an asynchronous copy of another number of bytes than 4, 8 or "
                "16");
  if (To.is(VK::Unknown))
    return fail(To.ReasonID, To.ReasonLoc.isValid() ? To.ReasonLoc : here(),
                To.Reason);
  if (const auto Places = To.is(VK::Choice) ? std::optional(To) : twoPlaces(To))
    return onSides(*Places, [&](const SymValue &Side) {
      return copyAsync(Side, From, Size, Copied);
    });
  if (!To.is(VK::Pointer) || To.Array.empty() || To.Array[0] != '!')
    return fail(DiagID::UnsupportedStatement, here(),
                "an asynchronous copy to something else than a shared array");
  // Where the copy is made, `if (0 < tiles) a += 16;` has stepped, and what was
  // counted up to a bound has not come to it.
  auto Known = [&](SymValue P) {
    if (P.is(VK::Pointer) &&
        (P.I.containsKind(AtomKind::Select) || P.I.containsKind(AtomKind::Min)))
      P.I = Simplifier(Bounds, bodyLoops(), totalActive()).simplify(P.I);
    return P;
  };
  const SymValue Place = Known(To), Source = Known(From);
  auto Store = [&](int64_t Offset, const SymValue &V, unsigned Bytes) {
    SymValue Target = Place;
    Target.I = Target.I + IntExpr(Offset);
    const bool Outer = std::exchange(Asynchronous, true);
    const bool Stored = storePiece(Target, V, Bytes);
    Asynchronous = Outer;
    return Stored;
  };
  // While a loop is probed, the form of a pointer that it passes on may not be
  // known yet.
  if (Probing && From.is(VK::Unknown))
    return Store(0, From, static_cast<unsigned>(Size));
  if (From.is(VK::Unknown))
    return fail(From.ReasonID,
                From.ReasonLoc.isValid() ? From.ReasonLoc : here(),
                From.Reason);
  if (From.is(VK::Choice))
    return onSides(From, [&](const SymValue &Side) {
      return copyAsync(To, Side, Size, Copied);
    });
  if (!From.is(VK::Pointer) || !isParameter(From.Array))
    return fail(DiagID::UnsupportedStatement, here(),
                "an asynchronous copy from something else than an array in "
                "global memory");
  const ScalarType Elem = S[From.Array].Elem;
  const unsigned ElemSize = byteSize(Elem);
  if (Size % ElemSize != 0)
    return fail(DiagID::UnsupportedType, here(),
                "memory is accessed as another type than it is declared with");
  CopiedFrom.try_emplace(From.Array, here());
  for (int64_t Offset = 0; Offset < Size; Offset += ElemSize) {
    auto When = isCopied(Copied, Offset, ElemSize);
    if (!When)
      return fail(DiagID::UnsupportedStatement, here(),
                  "how many bytes of this copy are zeros is not understood");
    SymValue V = asNumber(SymValue::exact(IntExpr(), 8 * ElemSize), Elem);
    if (!When->isFalse()) {
      SymValue Element = Source;
      Element.I = Element.I + IntExpr(Offset);
      V = select(*When, loadPiece(Element, ElemSize), V);
    }
    if (Failed || !Store(Offset, V, ElemSize))
      return false;
  }
  return true;
}

bool Executor::checkCopySources() {
  for (const auto &[Name, Where] : CopiedFrom)
    if (!S[Name].Writes.empty())
      return fail(DiagID::OrderingHazard, Where,
                  "'" + Name +
                      "' is copied from asynchronously here, and the kernel "
                      "stores to it, too");
  return true;
}

//===----------------------------------------------------------------------===//
// Stores over copies
//===----------------------------------------------------------------------===//

bool Executor::noteUnderWay(const Write &W, const IntExpr *Index) {
  const ArrayState &A = S[W.Array];
  const BoolExpr All = totalActive();
  Simplifier Facts(Bounds, bodyLoops(), All);
  auto Never = [](const IntExpr &) { return false; };
  auto Meets = [&](const Write &P) {
    if (knows(All, P.Visible))
      return false;
    const Family *F =
        !P.Clobber && P.Size == W.Size && Index ? familyFor(P) : nullptr;
    if (!F)
      return true;
    Origin O = elsewhere(*F, *Index, Facts, W.Array);
    if (O.K == Origin::Kind::Elsewhere)
      return false;
    if (O.K != Origin::Kind::Here || !isInjective(*F, Facts, Never))
      return true;
    // The element belongs to one member of the family. Either that member was
    // not copied under these conditions, or the storing thread itself copied it
    // and has waited.
    auto When = memberWhen(*F, O, Facts);
    if (When && Facts.simplify(BoolExpr::conjunction(All, *When)).isFalse())
      return false;
    if (When && (implies(All, BoolExpr::negation(*When)) ||
                 implies(*When, BoolExpr::negation(All))))
      return false;
    return !ownThread(O) || !knows(All, P.Done);
  };
  auto Bad = [&](const Write &P) {
    return fail(DiagID::CopyNotAwaited, here(),
                SharedNames[W.Array] +
                    " is stored to here while the asynchronous copy at line " +
                    llvm::Twine(Module.lineOf(P.Loc)) +
                    " may still store to the same element: a wait for that "
                    "copy, with a __syncthreads() behind it, has to come "
                    "first");
  };
  for (const Write &P : A.UnderWay) {
    if (!Meets(P))
      continue;
    const BoolExpr Gone = BoolExpr::negation(P.Exists);
    if (!Gone.isTrue() && !isOfLaunch(Gone))
      return Bad(P);
    if (!Probing)
      require(Gone, "the last copies of a loop may still be under way");
  }
  // For copies of the same phase, the reader checks the order.
  for (const Write &P : A.Writes)
    if (P.Async && !P.Counted && (P.Hidden || P.Phase != Phase) && Meets(P))
      return Bad(P);
  return true;
}

//===----------------------------------------------------------------------===//
// Copies that iterations leave under way
//===----------------------------------------------------------------------===//

Write Executor::atNextHead(const LoopState &L, const Write &W,
                           bool Leaves) const {
  const BoolExpr Known = totalActive();
  // After the last iteration it is not known that the loop's condition holds.
  const Simplifier Facts =
      factsAtHead(L, Leaves ? BoolExpr::constant(true) : L.Condition);
  auto AtHead = [&](const BoolExpr &B) {
    return withoutConjuncts(Facts.simplify(B), Known);
  };
  Write R = withCounter(W, L.Counter, IntExpr::counter(L.Counter) - 1);
  R.Visible = AtHead(R.Visible);
  R.Done = AtHead(R.Done);
  for (auto &Named : R.Tracked)
    Named.second = AtHead(Named.second);
  for (BoolExpr &C : R.Commits)
    C = AtHead(C);
  // A copy before the loop may have been issued under other conditions than
  // those in the loop.
  R.Issued = Known;
  return R;
}

Write Executor::afterIteration(const LoopState &L, Write Head,
                               bool Leaves) const {
  for (const CopyEvent &E : L.CopyEvents)
    happen(E, Head);
  return atNextHead(L, Head, Leaves);
}

Write Executor::asFarAs(const LoopState &L, Write Head,
                        const Write &Before) const {
  const BoolExpr Known = totalActive();
  const Write There = withCounter(Head, L.Counter, IntExpr());
  auto Follows = [&](const BoolExpr &B, const BoolExpr &From) {
    return implies(BoolExpr::conjunction(Known, From), B);
  };
  if (!Follows(Before.Visible, There.Visible))
    Head.Visible = BoolExpr::constant(false);
  // An ordinary store before the loop may be part of no stage.
  if (Head.Stage && (!Before.Stage ||
                     !knows(Known, BoolExpr::compare(CmpOp::LE, *Before.Stage,
                                                     *There.Stage))))
    Head.Stage.reset();
  if (!Before.Async || implies(Known, Before.Done))
    return Head;
  if (!Follows(Before.Done, There.Done))
    Head.Done = BoolExpr::constant(false);
  for (auto &[Barrier, When] : Head.Tracked) {
    const BoolExpr &AtFirst = There.Tracked.at(Barrier);
    auto By = Before.Tracked.find(Barrier);
    if (!Simplifier(Bounds, bodyLoops(), Known).simplify(AtFirst).isFalse() &&
        (By == Before.Tracked.end() || !Follows(By->second, AtFirst)))
      When = BoolExpr::constant(false);
  }
  // Keep those of its commits that the copy before the loop has as well.
  std::vector<BoolExpr> Left = Before.Commits, Both;
  for (size_t N = 0; N < Head.Commits.size(); ++N) {
    auto It = llvm::find_if(
        Left, [&](const BoolExpr &B) { return Follows(B, There.Commits[N]); });
    if (It == Left.end())
      continue;
    Left.erase(It);
    Both.push_back(Head.Commits[N]);
  }
  Head.Commits = std::move(Both);
  return Head;
}

void Executor::findUnderWay(LoopState &L) {
  L.UnderWay.clear();
  L.UnderWayLeft.clear();
  // In one phase stores are told apart by who reads them.
  if (!L.HasBarrier)
    return;
  // Those before the loop need not have the guards of those in it, but may.
  auto Threads = [&](const Write &W) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    W.Guard.conjuncts(Tests);
    BoolExpr Kept = BoolExpr::constant(true);
    for (const BoolExpr &T : Tests) {
      bool ByThread = false, Moves = hasValues(T);
      T.walk(
          [&](const IntExpr &E) {
            ByThread |= E.containsKind(AtomKind::ThreadIdx);
            Moves |= E.containsKind(AtomKind::Counter) || mentionsPhi(E);
          },
          [](const ValueRef &) {});
      if (ByThread && !Moves &&
          llvm::all_of(L.Entry[W.Array].Writes, [&](const Write &E) {
            return !L.Matched.count(E.Id) || implies(E.Guard, T);
          }))
        Kept = BoolExpr::conjunction(Kept, T);
    }
    return Kept;
  };
  auto Follow = [&](const Write &W) {
    const BoolExpr Guard = Threads(W);
    std::vector<Write> Heads;
    if (auto Known = L.Heads.find(W.Id); Known != L.Heads.end())
      Heads = Known->second;
    for (int64_t Back = 1;; ++Back) {
      if (static_cast<size_t>(Back) > Heads.size())
        Heads.push_back(Heads.empty() ? atNextHead(L, W)
                                      : afterIteration(L, Heads.back()));
      const bool IsLast = Heads[Back - 1].Visible.isTrue() &&
                          static_cast<size_t>(Back) == Heads.size();
      auto Leaves = L.Leaves.find(W.Id);
      const bool HasLeft = Leaves != L.Leaves.end() &&
                           static_cast<size_t>(Back) <= Leaves->second.size();
      Write Behind = HasLeft     ? Leaves->second[Back - 1]
                     : Back == 1 ? atNextHead(L, W, /*Leaves=*/true)
                                 : afterIteration(L, Heads[Back - 2],
                                                  /*Leaves=*/true);
      auto Add = [&](Write Left, std::vector<Write> &To) {
        Left.Guard = Guard;
        Left.Clobber = Back > MaxAhead || mentions(L, W.Value);
        // The iteration that is so far back need not have issued it. If it is
        // none of the loop's, the copy may be one from before the loop.
        const IntExpr Iteration = IntExpr::counter(L.Counter) - IntExpr(Back);
        Left.Exists = Left.Clobber || W.Clobber
                          ? BoolExpr::constant(true)
                          : BoolExpr::disjunction(
                                BoolExpr::compare(CmpOp::LT, Iteration, 0),
                                withCounter(SymValue::boolean(W.Guard),
                                            L.Counter, Iteration)
                                    .B);
        To.push_back(std::move(Left));
      };
      if (!IsLast || !Behind.Visible.isTrue())
        Add(std::move(Behind), L.UnderWayLeft[W.Array]);
      // What no iteration has any more is nowhere behind it either.
      if (IsLast)
        break;
      Add(Heads[Back - 1], L.UnderWay[W.Array]);
      if (Back > MaxAhead)
        break;
    }
  };
  for (const auto &[Name, Stored] : L.Stored)
    for (const Write &W : Stored)
      if (W.Async && !W.Counted)
        Follow(W);
  // And what loops in an iteration have left.
  for (const auto &[Name, A] : S) {
    std::set<unsigned> Old = L.UnderWayIds;
    if (auto Entry = L.Entry.find(Name); Entry != L.Entry.end())
      for (const Write &W : Entry->second.UnderWay)
        Old.insert(W.Id);
    for (const Write &W : A.UnderWay)
      if (!Old.count(W.Id))
        Follow(W);
  }
}

void Executor::putUnderWay(LoopState &L) {
  L.UnderWayIds.clear();
  for (const auto &[Name, Copies] : L.UnderWay)
    for (Write W : Copies) {
      W.Id = NextWrite++;
      W.Phase = Phase;
      L.UnderWayIds.insert(W.Id);
      S[Name].UnderWay.push_back(std::move(W));
    }
}

void Executor::leaveUnderWay(const LoopState &L, const Memory &Next) {
  // `iterations < 2 || condition` is the first part alone if the condition
  // never holds where that does not.
  auto Shorter = [&](const BoolExpr &Exists) {
    if (Exists.getKind() != BoolExpr::Kind::Or)
      return Exists;
    const BoolExpr &Short = Exists.operands()[0];
    const Simplifier Facts(
        Bounds, bodyLoops(),
        BoolExpr::conjunction(totalActive(), BoolExpr::negation(Short)));
    return Facts.simplify(Exists.operands()[1]).isFalse() ? Short : Exists;
  };
  for (const auto &Named : Next) {
    if (!Named.second.IsShared)
      continue;
    ArrayState &After = S[Named.first];
    auto Entry = L.Entry.find(Named.first);
    After.UnderWay =
        Entry == L.Entry.end() ? std::vector<Write>() : Entry->second.UnderWay;
    auto Copies = L.UnderWayLeft.find(Named.first);
    if (Copies == L.UnderWayLeft.end())
      continue;
    for (const Write &W : Copies->second) {
      Write Last = withCounter(W, L.Counter, L.TripCount);
      Last.Exists = Shorter(Last.Exists);
      Last.Id = NextWrite++;
      Last.Phase = Phase;
      After.UnderWay.push_back(std::move(Last));
    }
  }
}

Write Executor::afterLoop(const LoopState &L, const Write &Entry,
                          const Write &Left) const {
  std::string Key = IntExpr::counter(L.Counter).str();
  auto Varies = [&](const BoolExpr &B) {
    return mentionsAny(SymValue::boolean(B),
                       [&](llvm::StringRef Name) { return Name == Key; });
  };
  // What one iteration does about it is done if there is one.
  Write R = Entry;
  // What stood for it before the loop still does, whether the loop is reached.
  R.Counted =
      Entry.Counted || (Left.Counted && implies(Entry.Issued, totalActive()));
  if (!provablyNonNegative(L.Trip - 1))
    return R;
  if (!Varies(Left.Visible))
    R.Visible = Left.Visible;
  if (!Varies(Left.Done))
    R.Done = Left.Done;
  for (const auto &[Barrier, When] : Left.Tracked)
    if (!Varies(When))
      R.Tracked.insert_or_assign(Barrier, When);
  R.Commits.clear();
  for (const BoolExpr &C : Left.Commits)
    if (!Varies(C))
      R.Commits.push_back(C);
  return R;
}

} // namespace warpwright::symbolic
