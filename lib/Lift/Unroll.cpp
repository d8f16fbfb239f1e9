//===-- Unroll.cpp - Loops that are executed as often as they run ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fragments that are prefetched into registers take turns: an iteration
/// multiplies `fragment[k % 2]` and fills `fragment[(k + 1) % 2]`. A thread's
/// local array has no family over threads that tells which iteration stored an
/// element. Such loops run a small number of times, so they are executed one
/// iteration after the other. Their sums are joined again later (JoinSums.h).
///
/// The same is done for a loop after a pipelined one, which multiplies the
/// tiles in the last buffers, `buffer[(tiles - 2 + i) % 3]`, and for a short
/// loop with a variable that steps by another number in each iteration.
///
/// The reverse is here as well: stores that were unrolled by hand become one
/// store in a loop.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Family.h"
#include "NumberSets.h"
#include "Simplify.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warpwright::symbolic {

/// Tiles are rarely deeper along k.
static constexpr int64_t MaxUnrolled = 32;

void Executor::noteTurn(const std::string &Name, const IntExpr &Index) {
  Index.walk([&](const IntAtom &A) {
    if (A.getKind() != AtomKind::Mod || !A.getRHS().getConstant() ||
        A.getLHS().containsKind(AtomKind::ThreadIdx))
      return;
    A.getLHS().walk([&](const IntAtom &X) {
      if (X.getKind() != AtomKind::Counter)
        return;
      const IntExpr Counter = IntExpr::counter(X.getDim());
      auto Step = A.getLHS().coefficient(X.getKey());
      if (Step && !(A.getLHS() - *Step * Counter).getConstant())
        TurnsRead[X.getDim()].insert(Name);
    });
  });
}

bool Executor::rollUpBranches(std::vector<Write> &Stores) {
  std::vector<Write> Plain;
  for (const Write &W : Stores) {
    // Different places of one thread, or the same one.
    if (W.Async || W.Clobber || !W.Loops.empty() ||
        !W.Value.is(SymValue::Kind::Scalar) ||
        !(W.Index - Stores.front().Index).getConstant())
      return false;
    overlay(Plain, W);
  }
  if (Plain.size() == Stores.size())
    return false;
  const std::vector<BoundLoop> Loops = bodyLoops();
  for (Write &W : Plain)
    if (W.Value.S && W.Value.S->K == Value::Kind::Select)
      if (ValueRef Side = weakerSide(W.Value.S->Condition, W.Value.S->Ops[0],
                                     W.Value.S->Ops[1], Bounds, Loops))
        W.Value.S = std::move(Side);
  const size_t Places = Plain.size();
  rollUp(Plain, NextCounter);
  if (Plain.size() == Places)
    return false;
  Stores = std::move(Plain);
  return true;
}

/// Stores of which a condition lets each thread make only some come together:
/// `if (first) As[i] = ...; else Bs[i] = ...; if (first) As[i + 2] = ...;`. A
/// thread makes those of one side in the same order, and threads have none.
static void bringTogether(std::vector<Write> &Stores) {
  if (Stores.size() < 3)
    return;
  llvm::SmallVector<BoolExpr, 4> Tests;
  Stores.front().Guard.conjuncts(Tests);
  for (const BoolExpr &T : Tests) {
    const BoolExpr Not = BoolExpr::negation(T);
    auto First = [&](const Write &W) { return implies(W.Guard, T); };
    if (llvm::all_of(Stores, First) ||
        !llvm::all_of(Stores, [&](const Write &W) {
          return First(W) || implies(W.Guard, Not);
        }))
      continue;
    std::stable_partition(Stores.begin(), Stores.end(), First);
    return;
  }
}

void Executor::rollUpShared(unsigned FirstId) {
  for (auto &Named : S) {
    ArrayState &A = Named.second;
    if (!A.IsShared)
      continue;
    std::vector<Write> New, Rest;
    // Only as far back as nothing may have changed.
    size_t First = 0;
    for (size_t N = 0; N < A.Writes.size(); ++N)
      if (A.Writes[N].Clobber)
        First = N + 1;
    for (size_t N = 0; N < A.Writes.size(); ++N) {
      const Write &W = A.Writes[N];
      bool Kept =
          N < First || W.Id < FirstId || W.Phase != phaseOf(Named.first);
      (Kept ? Rest : New).push_back(W);
    }
    A.Writes = std::move(Rest);
    size_t Before = New.size();
    bringTogether(New);
    std::vector<Write> Single = New;
    rollUp(New, NextCounter);
    // `(4 * x + 1) / 16` is `x / 4`, as it is of `4 * x`.
    if (New.size() > 1) {
      const Simplifier Facts(Bounds, bodyLoops(), BoolExpr::constant(true));
      std::vector<Write> Plain = New;
      for (Write &W : Plain) {
        W.Index = Facts.simplify(W.Index);
        if (W.Value.S)
          W.Value.S = Facts.simplify(W.Value.S);
      }
      // Two stores to one place may be written in two ways.
      for (size_t N = 1; N < New.size(); ++N)
        for (size_t Other = 0; Other < N; ++Other)
          if ((Plain[N].Index != New[N].Index ||
               Plain[Other].Index != New[Other].Index) &&
              samePlaces(Plain[N], Plain[Other]) &&
              !samePlaces(New[N], New[Other])) {
            New[N].Index = Plain[N].Index;
            New[Other].Index = Plain[Other].Index;
          }
      rollUp(Plain, NextCounter);
      if (Plain.size() < New.size())
        New = std::move(Plain);
    }
    // The last elements of a row ask for what the first one asks, and more.
    if (New.size() > 1) {
      std::vector<Write> Plain = Single;
      for (Write &W : Plain)
        if (W.Value.S && W.Value.S->K == Value::Kind::Select)
          W.Value.S = Value::select(
              strongest(asLess(splitMinima(W.Value.S->Condition))),
              W.Value.S->Ops[0], ValueRef(W.Value.S->Ops[1]));
      rollUp(Plain, NextCounter);
      if (Plain.size() < New.size())
        New = std::move(Plain);
    }
    if (New.size() > 1 && rollUpBranches(Single))
      New = std::move(Single);
    // Ids identify what was stored.
    if (New.size() != Before)
      for (Write &W : New)
        W.Id = NextWrite++;
    for (Write &W : New)
      A.Writes.push_back(std::move(W));
  }
}

/// The reads of an array that lie between two stores to it are all made from
/// the same stores, so these are not rolled up for each read.
const std::vector<Write> &Executor::rolledUp(const std::string &Name) {
  const std::vector<Write> &Writes = S[Name].Writes;
  RolledUp &R = RolledArrays[Name];
  const bool Known = R.Of.size() == Writes.size() &&
                     llvm::all_of(llvm::zip(R.Of, Writes), [](const auto &P) {
                       const auto &[Then, W] = P;
                       return Then.Id == W.Id && Then.Value == W.Value.S &&
                              Then.Index == W.Index && Then.Guard == W.Guard;
                     });
  if (!Known) {
    R.Of.clear();
    for (const Write &W : Writes)
      R.Of.push_back({W.Id, W.Index, W.Guard, W.Value.S});
    R.Stores = Writes;
    rollUp(R.Stores, NextCounter);
    if (R.Stores.size() == Writes.size())
      R.Stores.clear();
    R.First.clear();
    for (Write &W : R.Stores) {
      R.First.push_back(W.Id);
      W.Id = NextWrite++;
    }
  }
  return R.Stores.empty() ? Writes : R.Stores;
}

/// Whether \p Guard has a condition on the counter \p Key alone, `i == 0`.
static bool asksForCounter(const BoolExpr &Guard, llvm::StringRef Key) {
  llvm::SmallVector<BoolExpr, 4> Tests;
  Guard.conjuncts(Tests);
  return llvm::any_of(Tests, [&](const BoolExpr &T) {
    bool Asks = false, Others = hasValues(T);
    T.walk(
        [&](const IntExpr &E) {
          E.walk([&](const IntAtom &A) {
            (A.getKey() == Key ? Asks : Others) = true;
          });
        },
        [](const ValueRef &) {});
    return Asks && !Others;
  });
}

/// Whether \p L has a variable that steps by more than one number, `at += 1; if
/// (i % 2) at += 126;`, or takes turns from a number on that is not known, `now
/// = 1 - now`.
bool Executor::stepsUnevenly(const LoopState &L) {
  return !L.HasBarrier && llvm::any_of(L.Cells, [](const Carried &C) {
    return C.K == Carried::Kind::Other && C.Computed;
  });
}

std::optional<int64_t> Executor::unrolledTrip(const LoopState &L) const {
  auto Count = L.Trip.getConstant();
  // Its body is executed once: a tile or a fragment that is as large as what
  // all threads, or one vector, fill in one step.
  if (Count && *Count == 1 && L.Early.empty())
    return Count;
  // A loop that reads in turn the buffers which an earlier loop has filled.
  constexpr int64_t MaxBuffers = 8;
  if (auto Read = TurnsRead.find(L.Counter);
      Count && *Count >= 1 && *Count <= MaxBuffers && L.Early.empty() &&
      Read != TurnsRead.end() &&
      llvm::any_of(Read->second, [&](const std::string &Name) {
        return !L.Shared.count(Name);
      }))
    return Count;
  if (!Count || *Count < 2 || *Count > MaxUnrolled || !L.Early.empty())
    return std::nullopt;
  // A loop that commits groups of copies, which have to be counted one by one.
  constexpr int64_t MaxGroups = 8;
  if (!L.HasBarrier && *Count <= MaxGroups &&
      llvm::any_of(L.CopyEvents, [](const CopyEvent &E) {
        return E.K == CopyEvent::Kind::Commit;
      }))
    return Count;
  // Elements that were stored one by one, each in its own way: fragments that
  // are loaded without a loop, and multiplied in one.
  constexpr int64_t MaxChosen = 8;
  if (OneByOne && !L.HasBarrier && *Count <= MaxChosen &&
      ChoosesStored.count(L.Counter))
    return Count;
  if (stepsUnevenly(L))
    return Count;
  const std::string Key = IntExpr::counter(L.Counter).str();
  for (const auto &[Name, A] : S) {
    auto Entry = L.Entry.find(Name);
    if (!A.IsLocal || A.IsShared || Entry == L.Entry.end())
      continue;
    const std::set<unsigned> Old = writeIds(L.Entry, Name);
    for (const Write &W : A.Writes) {
      if (Old.count(W.Id))
        continue;
      bool Turns = false;
      W.Index.walk([&](const IntAtom &X) {
        Turns |= X.getKind() == AtomKind::Mod && X.getLHS().contains(Key);
      });
      if (Turns)
        return Count;
      // An element that only some iterations set: fragments that are loaded for
      // the first row of products, and multiplied with all of them.
      constexpr int64_t MaxRows = 8;
      if (!L.HasBarrier && *Count <= MaxRows && !W.Index.contains(Key) &&
          asksForCounter(W.Guard, Key))
        return Count;
    }
  }
  return std::nullopt;
}

std::optional<int64_t> Executor::mostIterations(LoopState &L) {
  // The end of a row has less than a vector.
  constexpr int64_t Largest = 16;
  auto IsClosed = [](const Carried &C) {
    return (C.K == Carried::Kind::Induction && C.While.isTrue()) ||
           C.K == Carried::Kind::Other;
  };
  if (L.Trip.getConstant() || !L.TestsFirst || !L.Early.empty() ||
      L.HasBarrier || L.HasWarpBarrier || !L.CopyEvents.empty() ||
      !ChoosesOwn.count(L.Counter) || !llvm::all_of(L.Cells, IsClosed))
    return std::nullopt;
  const Simplifier Facts(Bounds, bodyLoops(), totalActive());
  if (OneByOne)
    L.Trip = Facts.withKnownRemainders(L.Trip);
  for (int64_t Most = 1; Most <= Largest; ++Most)
    if (Facts.neverNegative(IntExpr(Most) - L.Trip)) {
      RunsUpTo = true;
      return OneByOne ? std::optional(Most) : std::nullopt;
    }
  return std::nullopt;
}

bool Executor::unrollUpTo(LoopState &L, int64_t Most) {
  Frame &F = *Frames.back();
  llvm::BasicBlock *Header = L.Loop->getHeader();
  S = L.Entry;
  const BoolExpr Saved = Active;
  const Simplifier Facts(Bounds, bodyLoops(), totalActive());
  // The variables after \p Done iterations; what \p Others are that do not
  // step.
  auto SetHead = [&](const IntExpr &Done, llvm::ArrayRef<SymValue> Others) {
    for (auto [C, Other] : llvm::zip(L.Cells, Others)) {
      SymValue V = Other;
      if (C.K == Carried::Kind::Induction) {
        V = C.Initial;
        for (auto [P, Step] : llvm::zip(pointersIn(V), C.Steps))
          P->I = Facts.withKnownRemainders(P->I + Step * Done);
        if (V.is(SymValue::Kind::Int)) {
          V.SignedExact = C.StaysSigned;
          V.UnsignedExact = C.StaysUnsigned;
        }
      }
      F.Values[C.Phi] = std::move(V);
    }
  };
  std::vector<SymValue> Now;
  for (const Carried &C : L.Cells)
    Now.push_back(C.Initial);
  // Iterations are numbered from the one that comes first, or, where the
  // elements of local arrays are chosen from the last one down, from the one
  // that comes last: then which elements these are is known. They are executed
  // in their order.
  const auto IsDown = [&](const IntExpr &Index) {
    const std::string Key = IntExpr::counter(L.Counter).str();
    return !Index.substitute(Key, IntExpr()).getConstant() &&
           Index.substitute(Key, L.Trip - 1).getConstant();
  };
  const bool Down = IsDown(Facts.withKnownRemainders(ChoosesOwn[L.Counter]));
  bool Ok = true;
  for (int64_t N = 0; N < Most && Ok; ++N) {
    const IntExpr Number(Down ? Most - 1 - N : N);
    const BoolExpr Runs = Facts.neverNegative(L.Trip - Number - 1)
                              ? BoolExpr::constant(true)
                              : atLeast(L.Trip, *Number.getConstant() + 1);
    SetHead(Down ? L.Trip - 1 - Number : Number, Now);
    Region R;
    R.Loop = L.Loop;
    Ok = runRegion(R, Header, BoolExpr::conjunction(L.EntryActive, Runs));
    if (!Ok)
      break;
    for (auto [C, Value] : llvm::zip(L.Cells, Now))
      if (C.K != Carried::Kind::Induction)
        Value = select(Runs, valueOf(C.Phi->getIncomingValueForBlock(L.Latch)),
                       Value);
  }
  // The test that fails is executed once more.
  if (Ok) {
    SetHead(IntExpr::max(L.Trip, IntExpr()), Now);
    Active = L.EntryActive;
    Region R;
    R.Loop = L.Loop;
    Ok = runBlock(R, Header);
  }
  Active = Saved;
  L.Unrolled = true;
  return Ok;
}

/// Whether \p B changes with one of the symbols that \p Numbers has.
static bool mentionsAny(const BoolExpr &B,
                        const std::map<std::string, IntExpr> &Numbers) {
  bool Found = false;
  B.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    Found |= Numbers.count(A.getKey().str()) != 0;
    return std::nullopt;
  });
  return Found;
}

/// A number that means the same as a signed and as an unsigned one.
static bool isPlain(std::optional<int64_t> N) {
  return N && *N >= 0 && *N <= INT32_MAX;
}

std::optional<int64_t> Executor::countedOut(const LoopState &L,
                                            bool Uneven) const {
  if (!L.Early.empty() || (!L.TestsFirst && L.Exiting != L.Latch) ||
      hasValues(L.Condition))
    return std::nullopt;
  std::map<std::string, IntExpr> Now;
  bool Counts = true;
  for (const Carried &C : L.Cells)
    if (C.Initial.is(SymValue::Kind::Int) && C.Next.is(SymValue::Kind::Int) &&
        C.Initial.Width >= 32 && isPlain(C.Initial.constant())) {
      Now[C.Name] = C.Initial.I;
      // It counts: the number of iterations follows from the first and the last
      // number.
      if (L.Condition.transform([&](const IntAtom &A) {
            return A.getKey() == C.Name ? std::optional<IntExpr>(IntExpr())
                                        : std::nullopt;
          }) != L.Condition)
        Counts &= (C.Next.I - IntExpr::param(C.Name)).getConstant().has_value();
    }
  // Conditions under which a variable steps that ask for these numbers:
  // `if (k == 2 && next < tiles) ++next;`.
  std::vector<BoolExpr> Chosen;
  for (const Carried &C : L.Cells)
    if (C.Next.K == C.Initial.K &&
        (C.Next.is(SymValue::Kind::Int) || C.Next.is(SymValue::Kind::Pointer)))
      C.Next.I.walk([&](const IntAtom &A) {
        if (A.getKind() == AtomKind::Select &&
            mentionsAny(A.getCondition(), Now))
          Chosen.push_back(A.getCondition());
      });
  if (Counts && !Uneven && (Chosen.empty() || L.HasBarrier))
    return std::nullopt;
  auto Here = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = Now.find(A.getKey().str());
    return It == Now.end() ? std::nullopt : std::optional<IntExpr>(It->second);
  };
  // What they are in the first iteration, in the one before, and in this one. A
  // variable that all iterations but the last one step has a closed form.
  std::vector<BoolExpr> First, Before;
  bool Alike = true;
  constexpr int64_t MaxChosen = 8;
  const int64_t Most = Counts && !Uneven ? MaxChosen : MaxUnrolled;
  for (int64_t Count = 0; Count <= Most; ++Count) {
    const BoolExpr Goes = L.Condition.transform(Here);
    if (Goes.isFalse() && Counts && !Uneven && Alike)
      return std::nullopt;
    if (Goes.isFalse())
      return L.TestsFirst ? Count : Count + 1;
    if (!Goes.isTrue())
      return std::nullopt;
    std::vector<BoolExpr> These;
    for (const BoolExpr &C : Chosen)
      These.push_back(C.transform(Here));
    if (Count == 0)
      First = These;
    else
      Alike &= Before == First;
    Before = std::move(These);
    std::map<std::string, IntExpr> Next;
    for (const Carried &C : L.Cells)
      if (Now.count(C.Name)) {
        const IntExpr N = C.Next.I.transform(Here);
        if (isPlain(N.getConstant()))
          Next[C.Name] = N;
      }
    Now = std::move(Next);
  }
  return std::nullopt;
}

bool Executor::unroll(LoopState &L, int64_t Count, bool Tested) {
  Frame &F = *Frames.back();
  llvm::BasicBlock *Header = L.Loop->getHeader();
  S = L.Entry;
  const BoolExpr Saved = Active;
  bool Ok = true;
  for (const Carried &C : L.Cells)
    F.Only.erase(C.Phi);
  // The numbers of the iterations, not only those of a general one, say so.
  auto goesOn = [&](const Region &R, bool More) {
    return (More ? R.Continue.isTrue() : R.Continue.isFalse()) ||
           fail(DiagID::DataDependentExit, L.Loc,
                "how often the loop runs is not understood");
  };
  for (int64_t N = 0; N < Count && Ok; ++N) {
    // All phis change at the same time.
    std::vector<SymValue> Now;
    for (const Carried &C : L.Cells)
      Now.push_back(N == 0 ? C.Initial
                           : valueOf(C.Phi->getIncomingValueForBlock(L.Latch)));
    for (size_t I = 0; I < L.Cells.size(); ++I)
      F.Values[L.Cells[I].Phi] = std::move(Now[I]);
    Region R;
    R.Loop = L.Loop;
    Ok = runRegion(R, Header, L.EntryActive) &&
         (!Tested || goesOn(R, L.TestsFirst || N + 1 < Count));
  }
  // The test that fails is executed once more.
  if (Ok && L.TestsFirst) {
    std::vector<SymValue> Now;
    for (const Carried &C : L.Cells)
      Now.push_back(valueOf(C.Phi->getIncomingValueForBlock(L.Latch)));
    for (size_t I = 0; I < L.Cells.size(); ++I)
      F.Values[L.Cells[I].Phi] = std::move(Now[I]);
    Active = L.EntryActive;
    Region R;
    R.Loop = L.Loop;
    Ok = runBlock(R, Header) && (!Tested || goesOn(R, false));
  }
  Active = Saved;
  L.Unrolled = true;
  return Ok;
}

} // namespace warpwright::symbolic
