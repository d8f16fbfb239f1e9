//===-- JoinSums.cpp - Sums that go on where others end -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinSums.h"
#include "IndexSpace.h"
#include "RollUp.h"
#include "Stores.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

static ValueRef substitute(const ValueRef &V,
                           const std::map<std::string, IntExpr> &By) {
  return transformInts(
      V,
      [&](const IntAtom &A) -> std::optional<IntExpr> {
        auto It = By.find(A.getKey().str());
        return It == By.end() ? std::nullopt
                              : std::optional<IntExpr>(It->second);
      },
      recombine);
}

static BoolExpr substitute(const BoolExpr &B,
                           const std::map<std::string, IntExpr> &By) {
  return B.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = By.find(A.getKey().str());
    return It == By.end() ? std::nullopt : std::optional<IntExpr>(It->second);
  });
}

static void substitute(SumNest &N, const std::map<std::string, IntExpr> &By) {
  N.Body = substitute(N.Body, By);
  N.Guard = substitute(N.Guard, By);
  for (BoundLoop &L : N.Loops)
    L.Trip = recombine(
        L.Trip.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
          auto It = By.find(A.getKey().str());
          return It == By.end() ? std::nullopt
                                : std::optional<IntExpr>(It->second);
        }));
}

/// \p N with the counters of its loops renamed to the last ones of \p P.
static void renameLoops(SumNest &N, const SumNest &P,
                        std::map<std::string, IntExpr> &Renamed) {
  const size_t First = P.Loops.size() - N.Loops.size();
  for (size_t I = 0; I < N.Loops.size(); ++I)
    if (N.Loops[I].Counter != P.Loops[First + I].Counter)
      Renamed[IntExpr::counter(N.Loops[I].Counter).str()] =
          IntExpr::counter(P.Loops[First + I].Counter);
  if (Renamed.empty())
    return;
  substitute(N, Renamed);
  for (size_t I = 0; I < N.Loops.size(); ++I)
    N.Loops[I].Counter = P.Loops[First + I].Counter;
}

static bool sameLoops(const SumNest &P, const SumNest &Q, size_t FromP,
                      size_t FromQ) {
  for (; FromP < P.Loops.size(); ++FromP, ++FromQ)
    if (P.Loops[FromP].Trip != Q.Loops[FromQ].Trip)
      return false;
  return true;
}

static bool sameKind(const ValueRef &A, const ValueRef &B) {
  return A->Type == B->Type && A->Name == B->Name;
}

SumNest SumJoiner::nestOf(ValueRef Sum) {
  SumNest N;
  for (;;) {
    if (Sum->K == Value::Kind::Sum) {
      N.Loops.push_back({Sum->Counter, Sum->Index});
      N.Guard = BoolExpr::conjunction(N.Guard, Sum->Condition);
      N.Innermost = Sum;
      Sum = Sum->Ops[0];
      continue;
    }
    if (ValueRef Joined = joinTerms(Sum); Joined->K == Value::Kind::Sum) {
      Sum = Joined;
      continue;
    }
    if (KeepParts)
      break;
    std::vector<BoundLoop> Bodies = N.Loops;
    for (BoundLoop &L : Bodies)
      L.Trip -= 1;
    const Simplifier Facts(Bounds, std::move(Bodies), N.Guard);
    auto Rolled = rollUp(Sum, NextCounter, Facts);
    if (!Rolled)
      break;
    RolledAll = true;
    N.Loops.push_back({NextCounter++, IntExpr(Rolled->second)});
    Sum = Rolled->first;
  }
  N.Body = Sum;
  return N;
}

ValueRef SumJoiner::sumOf(const SumNest &N) const {
  ValueRef V = N.Body;
  for (const BoundLoop &L : llvm::reverse(N.Loops)) {
    auto S = std::make_shared<Value>(*N.Innermost);
    S->Counter = L.Counter;
    S->Index = L.Trip;
    S->Condition = V == N.Body ? N.Guard : BoolExpr::constant(true);
    S->setOperands({V});
    V = S;
  }
  return V;
}

/// Whether \p Q has the products of \p P from the end of the outer counter on.
std::optional<SumNest> SumJoiner::goesOn(const SumNest &P, SumNest Q) {
  if (P.Loops.size() != Q.Loops.size() || P.Loops.empty() ||
      !sameKind(P.Innermost, Q.Innermost))
    return std::nullopt;
  std::map<std::string, IntExpr> Renamed;
  renameLoops(Q, P, Renamed);
  const IntExpr Counter = IntExpr::counter(P.Loops[0].Counter);
  const IntExpr &End = P.Loops[0].Trip;
  SumNest There = P;
  substitute(There, {{Counter.str(), Counter + End}});
  if (!sameLoops(There, Q, 1, 1) || There.Guard != Q.Guard ||
      !sameValue(There.Body, Q.Body))
    return std::nullopt;
  SumNest R = P;
  R.Loops[0].Trip = End + Q.Loops[0].Trip;
  for (const IntExpr &Trip : {End, Q.Loops[0].Trip})
    if (!provablyAtLeast(Trip, 0))
      Requires.push_back({BoolExpr::compare(CmpOp::GE, Trip, 0),
                          "a loop runs a negative number of times"});
  for (const auto &[Key, By] : Renamed)
    Replaced[Key] = By == Counter ? Counter - End : By;
  return R;
}

/// Whether \p Q has the products of one more round of \p P's outer loop, as
/// many as its range has.
std::optional<SumNest> SumJoiner::remainder(const SumNest &P, SumNest Q) {
  if (P.Loops.size() != Q.Loops.size() + 1 || Q.Loops.empty() ||
      !sameKind(P.Innermost, Q.Innermost))
    return std::nullopt;
  std::map<std::string, IntExpr> Renamed;
  renameLoops(Q, P, Renamed);
  const IntExpr Round = IntExpr::counter(P.Loops[0].Counter);
  const IntExpr Term = IntExpr::counter(P.Loops[1].Counter);
  const IntExpr &Rounds = P.Loops[0].Trip, &Width = P.Loops[1].Trip;
  // Without a round, a round with a negative range must not be counted.
  const IntExpr NoLess = IntExpr::max(Rounds, IntExpr());
  if (NoLess.getAtom())
    substitute(Q, {{NoLess.str(), Rounds}});
  SumNest There = P;
  substitute(There, {{Round.str(), Rounds}});
  if (!sameLoops(There, Q, 2, 1) || Width.contains(Round.str()) ||
      !sameValue(There.Body, Q.Body))
    return std::nullopt;
  // Bounds that only the remainder has, in addition to those that both have.
  IntExpr Rest = Q.Loops[0].Trip;
  llvm::SmallVector<BoolExpr, 4> Tests, Common;
  Q.Guard.conjuncts(Tests);
  There.Guard.conjuncts(Common);
  for (const BoolExpr &T : Common)
    if (!llvm::is_contained(Tests, T))
      return std::nullopt;
  for (const BoolExpr &T : Tests) {
    if (llvm::is_contained(Common, T))
      continue;
    if (T.getKind() != BoolExpr::Kind::Compare)
      return std::nullopt;
    IntExpr D = T.getLHS() - T.getRHS();
    CmpOp Op = T.getOp();
    if (Op == CmpOp::GT || Op == CmpOp::GE) {
      D = -D;
      Op = swapSides(Op);
    }
    auto Factor = D.coefficient(Term.str());
    if (!Factor || !Factor->isOne() || (Op != CmpOp::LT && Op != CmpOp::LE))
      return std::nullopt;
    IntExpr End = Term - D + (Op == CmpOp::LE ? 1 : 0);
    Rest = lesser(Rest, End);
  }
  Rest = withRemainders(Rest);
  for (const BoundLoop &L : P.Loops)
    if (Rest.contains(IntExpr::counter(L.Counter).str()))
      return std::nullopt;
  if (!provablyAtLeast(Rounds, 0)) {
    AtomRef Quotient = Rounds.getAtom();
    bool OfSize = Quotient && Quotient->getKind() == AtomKind::FloorDiv;
    Requires.push_back(
        {BoolExpr::compare(CmpOp::GE, OfSize ? Quotient->getLHS() : Rounds, 0),
         "a loop runs a negative number of times"});
  }
  AtomRef Mod = Rest.getAtom();
  if (!Mod || Mod->getKind() != AtomKind::Mod || Mod->getRHS() != Width) {
    if (!provablyAtLeast(Rest, 0))
      Requires.push_back({BoolExpr::compare(CmpOp::GE, Rest, 0),
                          "a loop runs a negative number of times"});
    if (!provablyAtLeast(Width, Rest))
      Requires.push_back({BoolExpr::compare(CmpOp::LE, Rest, Width),
                          "the remainder is more than one tile"});
  }
  SumNest R = P;
  R.Loops[0].Trip = Rounds + 1;
  if (Rest != Width)
    R.Guard = BoolExpr::conjunction(
        R.Guard, BoolExpr::compare(CmpOp::LT, Width * Round + Term,
                                   recombine(Width * Rounds + Rest)));
  for (const auto &[Key, By] : Renamed)
    Replaced[Key] = By == Term ? Width * Round + Term - Width * Rounds : By;
  return R;
}

/// Joins the sums from \p First on that have the same loops into one: sums of
/// several variables, or tiles, whose products are neighbours.
void SumJoiner::joinNeighbours(std::vector<SumNest> &Sums, size_t First) {
  const SumNest &P = Sums[First];
  std::vector<ValueRef> Like;
  std::vector<size_t> Places;
  for (size_t N = First; N < Sums.size(); ++N) {
    std::map<std::string, IntExpr> Renamed;
    if (Sums[N].Loops.size() != P.Loops.size() ||
        !sameKind(Sums[N].Innermost, P.Innermost))
      continue;
    SumNest Same = Sums[N];
    renameLoops(Same, P, Renamed);
    if (!sameLoops(P, Same, 0, 0))
      continue;
    Like.push_back(sumOf(Same));
    Places.push_back(N);
  }
  // The same sum twice is no sum over two rounds, of which one follows the
  // other: `acc + acc` is what is done with a sum.
  if (Like.size() < 2 || sameValue(Like[0], Like[1]))
    return;
  ValueRef All = Like[0];
  for (size_t N = 1; N < Like.size(); ++N)
    All = Value::binary(Value::Kind::Add, All->Type, All, Like[N]);
  std::vector<BoundLoop> Bodies = P.Loops;
  for (BoundLoop &L : Bodies)
    L.Trip -= 1;
  auto Rolled = rollUp(All, NextCounter,
                       Simplifier(Bounds, Bodies, BoolExpr::constant(true)));
  if (!Rolled)
    return;
  for (size_t N : llvm::drop_begin(Places)) {
    std::map<std::string, IntExpr> Renamed;
    renameLoops(Sums[N], P, Renamed);
    Replaced.insert(Renamed.begin(), Renamed.end());
  }
  const unsigned Which = NextCounter++;
  Sums[First] = nestOf(Rolled->first);
  Sums[First].Loops.insert(Sums[First].Loops.begin(),
                           {Which, IntExpr(Rolled->second)});
  for (size_t N : llvm::reverse(llvm::drop_begin(Places)))
    Sums.erase(Sums.begin() + N);
}

/// The products behind the last of \p Sums, which were written out one by one
/// since registers take turns, as one more round of a sum: the last tile of a
/// loop that prefetches. They are the last \p Written of \p Others.
bool SumJoiner::joinLastRound(std::vector<SumNest> &Sums,
                              std::vector<ValueRef> &Others, size_t Written) {
  if (KeepParts || Sums.empty() || Written < 2)
    return false;
  const auto First = Others.end() - Written;
  ValueRef All = *First;
  for (const ValueRef &V : llvm::make_range(First + 1, Others.end()))
    All = Value::binary(Value::Kind::Add, V->Type, All, V);
  const unsigned Counter = NextCounter;
  auto Rolled =
      rollUp(All, Counter, Simplifier(Bounds, {}, BoolExpr::constant(true)));
  if (!Rolled)
    return false;
  ++NextCounter;
  for (SumNest &Sum : Sums) {
    SumNest Last;
    Last.Body = Rolled->first;
    Last.Loops = {{Counter, IntExpr(Rolled->second)}};
    Last.Innermost = Sum.Innermost;
    auto Joined = remainder(Sum, Last);
    if (!Joined)
      Joined = goesOn(Sum, Last);
    if (!Joined)
      continue;
    Sum = std::move(*Joined);
    Others.erase(First, Others.end());
    RolledAll = true;
    return true;
  }
  return false;
}

ValueRef SumJoiner::joinTerms(const ValueRef &Chain) {
  if (Chain->K != Value::Kind::Add)
    return Chain;
  std::vector<ValueRef> Terms;
  summands(Chain, Terms);
  std::vector<SumNest> Sums;
  std::vector<ValueRef> Others;
  size_t Written = 0; // behind the last sum
  for (const ValueRef &T : Terms) {
    const bool IsSum = T->K == Value::Kind::Sum && T->Type == Chain->Type;
    Written = IsSum ? 0 : Written + 1;
    if (IsSum)
      Sums.push_back(nestOf(T));
    else
      Others.push_back(T);
  }
  const bool Ends = joinLastRound(Sums, Others, Written);
  if (Sums.size() < 2 && !Ends)
    return Chain;
  const size_t Before = Sums.size();
  for (size_t First = 0; First + 1 < Sums.size(); ++First)
    joinNeighbours(Sums, First);
  for (size_t N = 0; N + 1 < Sums.size();) {
    auto Joined = goesOn(Sums[N], Sums[N + 1]);
    if (!Joined)
      Joined = remainder(Sums[N], Sums[N + 1]);
    // The products of several variables are the terms of one round.
    if (!Joined && Sums[N].Loops.size() == 2) {
      SumNest Rounds = Sums[N];
      std::swap(Rounds.Loops[0], Rounds.Loops[1]);
      Joined = remainder(Rounds, Sums[N + 1]);
    }
    if (!Joined) {
      ++N;
      continue;
    }
    Sums[N] = std::move(*Joined);
    Sums.erase(Sums.begin() + N + 1);
  }
  if (Sums.size() == Before && !Ends)
    return Chain;
  ValueRef R;
  for (const ValueRef &V : Others)
    R = R ? Value::binary(Value::Kind::Add, Chain->Type, R, V) : V;
  for (const SumNest &N : Sums)
    R = R ? Value::binary(Value::Kind::Add, Chain->Type, R, sumOf(N))
          : sumOf(N);
  return R;
}

/// The sums in \p V that are not inside another sum.
static void outermostSums(const ValueRef &V, std::vector<ValueRef> &Out) {
  if (!V->containsKind(Value::Kind::Sum))
    return;
  if (V->K != Value::Kind::Sum) {
    for (const ValueRef &Op : V->Ops)
      outermostSums(Op, Out);
    return;
  }
  if (llvm::none_of(Out, [&](const ValueRef &S) { return sameValue(S, V); }))
    Out.push_back(V);
}

/// `N > 0 ? x + sum(N terms) : x` is the first one whatever N is.
static ValueRef withEmptySum(const ValueRef &V) {
  const auto Side = termOfOneSide(V);
  if (!Side || Side->Term->K != Value::Kind::Sum ||
      Side->When.getKind() != BoolExpr::Kind::Compare)
    return nullptr;
  // Facts where the condition does not hold: 0 terms or fewer.
  const IntExpr &Terms = Side->Term->Index;
  IntExpr D = Side->When.getLHS() - Side->When.getRHS();
  CmpOp Op = Side->When.getOp();
  const bool AsMany = D == Terms || D == -Terms;
  if (AsMany && Op == CmpOp::NE)
    return Side->With;
  if (Op == CmpOp::LT || Op == CmpOp::LE) {
    D = -D;
    Op = swapSides(Op);
  }
  if (D - Terms == (Op == CmpOp::GT ? IntExpr() : IntExpr(-1)) &&
      (Op == CmpOp::GT || Op == CmpOp::GE))
    return Side->With;
  return nullptr;
}

ValueRef SumJoiner::join(const ValueRef &V, const Simplifier &Facts) {
  std::vector<ValueRef> Sums;
  outermostSums(V, Sums);
  return join(Sums.size() > 1 ? Facts.decide(V) : V);
}

ValueRef SumJoiner::join(const ValueRef &V) {
  if (!V->containsKind(Value::Kind::Sum))
    return V;
  for (const auto &[From, To] : Known)
    if (From == V || sameValue(From, V))
      return To;
  ValueRef Longer = withEmptySum(V);
  ValueRef R = Longer ? join(Longer) : joinTerms(V);
  if (R == V && V->K == Value::Kind::Add) {
    // `(last ? x + p : x) + y` where x and y are parts of one sum.
    std::vector<ValueRef> Terms;
    summands(V, Terms);
    ValueRef Chain;
    for (const ValueRef &T : Terms) {
      const ValueRef Apart = withTermApart(T);
      const ValueRef &Term = Apart ? Apart : T;
      Chain =
          Chain ? Value::binary(Value::Kind::Add, V->Type, Chain, Term) : Term;
    }
    if (ValueRef Joined = joinTerms(Chain); Joined != Chain)
      R = Joined;
  }
  if (R == V && V->K != Value::Kind::Sum) {
    auto Copy = std::make_shared<Value>(*V);
    Copy->Condition = mapValues(Copy->Condition,
                                [this](const ValueRef &X) { return join(X); });
    for (ValueRef &Op : Copy->Ops)
      Op = join(Op);
    if (Copy->Body)
      Copy->Body = join(Copy->Body);
    R = Copy;
  }
  Known.push_back({V, R});
  return R;
}

} // namespace warpwright::symbolic
