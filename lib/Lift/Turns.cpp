//===-- Turns.cpp - Values that take turns --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Buffer numbers and pointers to buffers that repeat after a few iterations:
/// `stage ^= 1`, `stage = (stage + 1) % 3`, and two or more that are exchanged,
/// `swap(now, next)`. What they are in iteration c is a function of the
/// remainder of c by the period.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "Sums.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

BoolExpr flag(const Carried &C) {
  return BoolExpr::compare(CmpOp::NE, IntExpr::param(C.Name), IntExpr());
}

/// The value in iteration \p Counter, if \p Values are taken in turn.
static std::optional<IntExpr> inTurn(llvm::ArrayRef<IntExpr> Values,
                                     const IntExpr &Counter) {
  const int64_t Period = static_cast<int64_t>(Values.size());
  if (Period < 2)
    return Values.front();
  IntExpr Turn = IntExpr::mod(Counter, IntExpr(Period));
  // The values may begin anywhere in the period: 2, 0, 1.
  for (int64_t Begin = 0; Begin < Period; ++Begin) {
    auto At = [&](int64_t N) { return Values[(Begin + N) % Period]; };
    const IntExpr Step = At(1) - At(0);
    bool IsLine = Step.getConstant().has_value();
    for (int64_t N = 0; N < Period; ++N)
      IsLine &= At(N) == At(0) + IntExpr(N) * Step;
    if (IsLine)
      return At(0) + Step * (Begin == 0
                                 ? Turn
                                 : IntExpr::mod(Counter + (Period - Begin),
                                                IntExpr(Period)));
  }
  return std::nullopt;
}

/// The values of the integer phi \p Name, beginning with \p Start, if they
/// repeat.
static std::optional<IntExpr> turns(const IntExpr &Next, llvm::StringRef Name,
                                    const IntExpr &Start,
                                    const IntExpr &Counter) {
  if (!Start.getConstant())
    return std::nullopt;
  std::vector<IntExpr> Values = {Start};
  for (;;) {
    IntExpr V = Next.substitute(Name, Values.back());
    if (!V.getConstant() || Values.size() > MaxPeriod)
      return std::nullopt;
    if (V == Start)
      return inTurn(Values, Counter);
    Values.push_back(std::move(V));
  }
}

/// The same for the integer \p E and its phi.
static IntExpr withoutPhi(const IntExpr &E, llvm::StringRef Phi,
                          BoolExpr &When) {
  When = BoolExpr::constant(true);
  AtomRef A = E.getAtom();
  const IntExpr Unchanged = IntExpr::param(Phi);
  if (!A || A->getKind() != AtomKind::Select) {
    // `a += more ? step : 0`
    const IntExpr Rest = E - Unchanged;
    for (const auto &[M, C] : Rest.terms())
      for (const AtomRef &X : M) {
        if (X->getKind() != AtomKind::Select)
          continue;
        const std::string Key = X->getKey().str();
        const IntExpr Then = Rest.substitute(Key, X->getLHS()),
                      Else = Rest.substitute(Key, X->getRHS());
        if (!Then.isZero() && !Else.isZero())
          continue;
        When = Else.isZero() ? X->getCondition()
                             : BoolExpr::negation(X->getCondition());
        return Unchanged + (Else.isZero() ? Then : Else);
      }
    return E;
  }
  if (A->getRHS() == Unchanged) {
    When = A->getCondition();
    return A->getLHS();
  }
  if (A->getLHS() == Unchanged) {
    When = BoolExpr::negation(A->getCondition());
    return A->getRHS();
  }
  return E;
}

void Executor::setTurn(Carried &C, const IntExpr &Value, bool Always) const {
  C.K = Carried::Kind::Turn;
  C.Always = Always;
  if (C.Initial.is(VK::Pointer)) {
    C.Ahead = C.Initial;
    C.Ahead.I = Value;
    return;
  }
  C.Ahead = SymValue::exact(Value, C.Initial.Width);
  Interval I = Bounds.bounds(Value);
  C.Ahead.SignedExact = I.within(signedRange(C.Initial.Width).Low,
                                 signedRange(C.Initial.Width).High);
  C.Ahead.UnsignedExact = I.Low >= 0 && C.Ahead.SignedExact;
}

/// Values of which each iteration makes the next ones from themselves, from one
/// another, and from constants: `p = p == &a ? &b : &a`, where what stands for
/// a pointer is its offset.
void Executor::findExchanged(
    LoopState &L, llvm::function_ref<bool(BoolExpr)> HeldBefore) const {
  struct Part {
    Carried *C;
    IntExpr Next;
    BoolExpr When;
  };
  std::map<std::string, Part> Parts;
  for (Carried &C : L.Cells) {
    if ((C.K != Carried::Kind::Other && C.K != Carried::Kind::Turn) ||
        C.AsScalar || C.AsPair || C.Next.K != C.Initial.K ||
        (!C.Next.is(VK::Int) && !C.Next.is(VK::Pointer)) ||
        (C.Next.is(VK::Int) && !C.Initial.I.getConstant()) ||
        (C.Next.is(VK::Pointer) && C.Next.Array != C.Initial.Array))
      continue;
    Part P{&C, {}, {}};
    P.Next = withoutPhi(C.Next.I, C.Name, P.When);
    Parts.emplace(C.Name, std::move(P));
  }
  for (auto &Named : Parts) {
    const Part &First = Named.second;
    if (First.C->K != Carried::Kind::Other)
      continue;
    // It and all on which it depends.
    std::vector<const Part *> Group = {&First};
    bool Known = true;
    for (size_t N = 0; N < Group.size() && Known; ++N)
      Group[N]->Next.walk([&](const IntAtom &A) {
        if (!A.getKey().starts_with(PhiPrefix))
          return;
        auto It = Parts.find(A.getKey().str());
        if (It == Parts.end())
          Known = false;
        else if (!llvm::is_contained(Group, &It->second))
          Group.push_back(&It->second);
      });
    if (!Known || !llvm::all_of(Group, [&](const Part *P) {
          return HeldBefore(P->When);
        }))
      continue;
    // What they are in the first iterations, until that repeats.
    std::map<std::string, IntExpr> Now;
    std::vector<std::vector<IntExpr>> Values(Group.size());
    for (const Part *P : Group)
      Now[P->C->Name] = P->C->Initial.I;
    bool Repeats = false;
    for (int64_t Turn = 0; Turn < MaxPeriod && !Repeats; ++Turn) {
      for (size_t N = 0; N < Group.size(); ++N)
        Values[N].push_back(Now[Group[N]->C->Name]);
      std::map<std::string, IntExpr> After;
      for (const Part *P : Group)
        After[P->C->Name] =
            P->Next.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
              auto It = Now.find(A.getKey().str());
              return It == Now.end() ? std::nullopt
                                     : std::optional<IntExpr>(It->second);
            });
      Now = std::move(After);
      Repeats = llvm::all_of(llvm::enumerate(Group), [&](const auto &P) {
        return Now[P.value()->C->Name] == Values[P.index()].front();
      });
    }
    if (!Repeats)
      continue;
    const IntExpr Counter = IntExpr::counter(L.Counter);
    for (const auto &[P, Taken] : llvm::zip_equal(Group, Values))
      if (auto Value = inTurn(Taken, Counter);
          Value && P->C->K == Carried::Kind::Other)
        setTurn(*P->C, *Value, P->When.isTrue());
  }
}

void Executor::findTurns(LoopState &L) {
  // From the run over symbols: inductions in closed form.
  const Carried *Guess = nullptr; // the value if it were one number
  IntExpr Guessed;
  // Variables that step where the one in question does, so that their values
  // are known as long as it has always stepped.
  std::set<const Carried *> Stepped;
  auto Closed = [&](const BoolExpr &B) {
    return B.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKind() != AtomKind::Param)
        return std::nullopt;
      for (const Carried &C : L.Cells)
        if (C.K == Carried::Kind::Turn && C.Always && C.Name == A.getKey())
          return C.Ahead.I;
        else if (C.K == Carried::Kind::Induction)
          for (auto [N, P] : llvm::enumerate(pointersIn(C.Initial)))
            if (C.symbol(N) == A.getKey() &&
                (C.While.isTrue() || Stepped.count(&C)))
              return P->I + C.Steps[N] * IntExpr::counter(L.Counter);
      if (Guess && Guess->Name == A.getKey())
        return Guessed;
      return std::nullopt;
    });
  };
  // `if (there is a next tile) stage ^= 1;`
  auto HeldBefore = [&](BoolExpr When) {
    if (When.isTrue())
      return true;
    When = Closed(When);
    BoolExpr Test = Closed(L.Condition);
    return !mentions(L, SymValue::boolean(When)) &&
           !mentions(L, SymValue::boolean(Test)) && !hasValues(When) &&
           holdsBefore(L, When, Test);
  };
  // Under which conditions variables step that do not in some last iterations.
  std::map<const Carried *, BoolExpr> Steps;
  // The condition under which the iteration before has made a step, if then all
  // iterations before have: a step is only made where the iteration before has
  // made one.
  auto steppedBefore = [&](const BoolExpr &When) -> std::optional<BoolExpr> {
    for (const auto &[C, Its] : Steps)
      if (implies(When, Its))
        Stepped.insert(C);
    const BoolExpr Now = withoutMinima(Closed(When), Bounds, {});
    Stepped.clear();
    if (mentions(L, SymValue::boolean(Now)) || hasValues(Now))
      return std::nullopt;
    const BoolExpr Before = anIterationBefore(Now, L.Counter);
    if (!Simplifier(Bounds, {}, Now).simplify(Before).isTrue())
      return std::nullopt;
    return Before;
  };
  // `if (next < tiles && next < t + 3) ++next;` counts up to a bound and stays
  // there, if the other conditions hold until then.
  auto UpTo = [&](const Carried &C, const BoolExpr &When,
                  const IntExpr &Step) -> std::optional<IntExpr> {
    if (!C.Next.is(VK::Int) || Step != IntExpr(1))
      return std::nullopt;
    llvm::SmallVector<BoolExpr, 4> Tests;
    When.conjuncts(Tests);
    for (const BoolExpr &T : Tests) {
      if (T.getKind() != BoolExpr::Kind::Compare || hasValues(T) ||
          (T.getOp() != CmpOp::LT && T.getOp() != CmpOp::LE))
        continue;
      // phi < End
      const IntExpr End = IntExpr::param(C.Name) + T.getRHS() - T.getLHS() +
                          IntExpr(T.getOp() == CmpOp::LE ? 1 : 0);
      if (mentions(L, SymValue::integer(End, 64)))
        continue;
      IntExpr Start = C.Initial.I;
      if (AtomRef A = Start.getAtom(); A && A->getKind() == AtomKind::Min)
        Start = A->getLHS() == End   ? A->getRHS()
                : A->getRHS() == End ? A->getLHS()
                                     : Start;
      // Where it begins beyond the bound, it stays where it is.
      CountedUp Counted = countedUp(Start, End);
      if (Bounds.bounds(Counted.Times).Low < 0)
        Counted = {Start, IntExpr()};
      const bool Below =
          Start != C.Initial.I || Bounds.bounds(End - Counted.First).Low >= 0;
      // Until then it is what it would be if it always stepped.
      Guessed = Counted.ifNeverStopped() + IntExpr::counter(L.Counter);
      const Simplifier Facts(Bounds, {},
                             BoolExpr::compare(CmpOp::LT, Guessed, End));
      Guess = &C;
      const bool Steps = llvm::all_of(Tests, [&](const BoolExpr &Q) {
        const BoolExpr Now = Closed(Q);
        return !mentions(L, SymValue::boolean(Now)) &&
               Facts.simplify(Now).isTrue();
      });
      Guess = nullptr;
      if (Steps && Below)
        return IntExpr::min(End, Guessed);
      if (Steps)
        return CountedUp{Counted.First, Guessed - Counted.First}.upTo(End);
    }
    return std::nullopt;
  };
  // `inside = inside && k + 16 < K;` is what it was at first, and the last
  // condition, of which all before follow.
  auto Narrowed = [&](const Carried &C) -> std::optional<BoolExpr> {
    const auto First = asCondition(C.Initial), Next = asCondition(C.Next);
    if (!C.Flag || !First || !Next || hasValues(*First))
      return std::nullopt;
    llvm::SmallVector<BoolExpr, 4> Tests;
    Next->conjuncts(Tests);
    BoolExpr Rest = BoolExpr::constant(true);
    bool Kept = false;
    for (const BoolExpr &T : Tests)
      if (T == flag(C))
        Kept = true;
      else
        Rest = BoolExpr::conjunction(Rest, T);
    const BoolExpr Now = Closed(Rest);
    if (!Kept || mentions(L, SymValue::boolean(Now)) || hasValues(Now))
      return std::nullopt;
    const BoolExpr Before = anIterationBefore(Now, L.Counter);
    if (!Simplifier(Bounds, {}, Now).simplify(Before).isTrue())
      return std::nullopt;
    const BoolExpr AtFirst =
        Before.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
          if (A.getKey() == IntExpr::counter(L.Counter).str())
            return IntExpr();
          return std::nullopt;
        });
    // In the first iteration there is no condition before.
    const bool Holds =
        Simplifier(Bounds, {}, *First).simplify(AtFirst).isTrue();
    if (Holds) // then most of the first one follows from the last one
      return BoolExpr::conjunction(
          Simplifier(Bounds, {}, Before).simplify(*First), Before);
    const BoolExpr IsFirst =
        BoolExpr::compare(CmpOp::LT, IntExpr::counter(L.Counter), IntExpr(1));
    return BoolExpr::conjunction(*First,
                                 BoolExpr::disjunction(IsFirst, Before));
  };
  auto Find = [&](Carried &C) {
    if (auto Value = C.K == Carried::Kind::Other ? Narrowed(C) : std::nullopt) {
      setTurn(C, IntExpr::select(*Value, IntExpr(1), IntExpr()),
              /*Always=*/true);
      return true;
    }
    if (C.K != Carried::Kind::Other || C.AsScalar || C.Next.K != C.Initial.K ||
        (!C.Next.is(VK::Int) && !C.Next.is(VK::Pointer)) ||
        (C.Next.is(VK::Pointer) && C.Next.Array != C.Initial.Array))
      return false;
    BoolExpr When;
    IntExpr Next = withoutPhi(C.Next.I, C.Name, When);
    // `if (there is a next tile) a += 16;`
    if (IntExpr Step = Next - IntExpr::param(C.Name);
        !When.isTrue() && !mentions(L, SymValue::integer(Step, 64))) {
      // Whether the value steps may depend on the value itself: `if (head !=
      // tail) ++tail;`. As long as it has always stepped, it is what it would
      // be with unconditional steps.
      if (auto Value = UpTo(C, When, Step)) {
        setTurn(C, *Value, /*Always=*/true);
        return true;
      }
      Guess = &C;
      Guessed = C.Initial.I + Step * IntExpr::counter(L.Counter);
      const bool Held = HeldBefore(When);
      // `if (t + 2 < tiles) ++stage;` leaves it unchanged more than once. What
      // it is after that is not known.
      const auto Before = Held ? std::nullopt : steppedBefore(When);
      Guess = nullptr;
      if (!Held && !Before)
        return false;
      if (Before) {
        C.While = *Before;
        Steps[&C] = When;
      }
      C.K = Carried::Kind::Induction;
      C.Conditional = true;
      C.Steps = {Step};
      C.StaysSigned = C.Initial.SignedExact && C.Next.SignedExact;
      C.StaysUnsigned = C.Initial.UnsignedExact && C.Next.UnsignedExact;
      return true;
    }
    if (!C.Next.is(VK::Int))
      return false;
    auto Found = turns(Next, C.Name, C.Initial.I, IntExpr::counter(L.Counter));
    if (!Found || !HeldBefore(When))
      return false;
    setTurn(C, *Found, When.isTrue());
    return true;
  };
  // One may depend on another.
  while (llvm::any_of(L.Cells, Find))
    ;
  findExchanged(L, HeldBefore);
}

} // namespace warpwright::symbolic
