//===- RollUp.cpp - Loops that were unrolled by hand ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RollUp.h"
#include "Sums.h"

namespace warpwright::symbolic {

/// The linear expression that is \p First for 0 and \p Next for 1, if they
/// differ by a constant.
static std::optional<IntExpr>
interpolate(const IntExpr &First, const IntExpr &Next, const IntExpr &Counter) {
  if (First == Next)
    return First;
  IntExpr Step = Next - First;
  if (Step.overflowed())
    return std::nullopt;
  return First + Step * Counter;
}

std::optional<BoolExpr> interpolate(const BoolExpr &First, const BoolExpr &Next,
                                    const IntExpr &Counter) {
  if (First == Next)
    return First;
  if (First.getKind() != Next.getKind())
    return std::nullopt;
  switch (First.getKind()) {
  case BoolExpr::Kind::Compare: {
    auto L = interpolate(First.getLHS(), Next.getLHS(), Counter),
         R = interpolate(First.getRHS(), Next.getRHS(), Counter);
    if (!L || !R || First.getOp() != Next.getOp())
      return std::nullopt;
    return BoolExpr::compare(First.getOp(), *L, *R);
  }
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or: {
    auto L = interpolate(First.operands()[0], Next.operands()[0], Counter),
         R = interpolate(First.operands()[1], Next.operands()[1], Counter);
    if (!L || !R)
      return std::nullopt;
    return First.getKind() == BoolExpr::Kind::And
               ? BoolExpr::conjunction(*L, *R)
               : BoolExpr::disjunction(*L, *R);
  }
  default:
    return std::nullopt;
  }
}

ValueRef interpolate(const ValueRef &First, const ValueRef &Next,
                     const IntExpr &Counter) {
  if (First->K != Next->K || First->Type != Next->Type ||
      First->Name != Next->Name || First->Text != Next->Text ||
      First->Ops.size() != Next->Ops.size())
    return nullptr;
  auto R = std::make_shared<Value>(*First);
  auto Condition = interpolate(First->Condition, Next->Condition, Counter);
  if (!Condition)
    return nullptr;
  R->Condition = *Condition;
  if (First->Index != Next->Index) {
    if (First->K != Value::Kind::Load)
      return nullptr;
    R->Index = First->Index + (Next->Index - First->Index) * Counter;
  }
  for (size_t N = 0; N < R->Ops.size(); ++N)
    if (!(R->Ops[N] = interpolate(First->Ops[N], Next->Ops[N], Counter)))
      return nullptr;
  R->Body = nullptr;
  if (First->Body && Next->Body)
    R->Body = interpolate(First->Body, Next->Body, Counter);
  return R;
}

/// Whether counter \p Number occurs in \p V, of a sum in it or of one around
/// it.
static bool usesCounter(const ValueRef &V, unsigned Number) {
  bool Uses = mentionsAny(V, [Key = IntExpr::counter(Number).str()](
                                 llvm::StringRef At) { return At == Key; });
  V->walk([&](const Value &X) {
    Uses |= X.K == Value::Kind::Sum && X.Counter == Number;
  });
  return Uses;
}

static ValueRef
withCountersOf(const ValueRef &Like, const ValueRef &V,
               std::map<std::pair<ValueRef, ValueRef>, ValueRef> &Done) {
  if (Like == V || Like->K != V->K || Like->Ops.size() != V->Ops.size() ||
      !V->containsKind(Value::Kind::Sum))
    return V;
  if (auto It = Done.find({Like, V}); It != Done.end())
    return It->second;
  auto R = std::make_shared<Value>(*V);
  std::vector<ValueRef> Ops = V->Ops;
  if (V->K == Value::Kind::Sum && V->Counter != Like->Counter &&
      !usesCounter(V, Like->Counter)) {
    const std::string Key = IntExpr::counter(V->Counter).str();
    auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKey() == Key)
        return IntExpr::counter(Like->Counter);
      return std::nullopt;
    };
    R->Counter = Like->Counter;
    R->Condition = V->Condition.transform(Fn);
    for (ValueRef &Op : Ops)
      Op = transformInts(Op, Fn);
  }
  for (size_t N = 0; N < Ops.size(); ++N)
    Ops[N] = withCountersOf(Like->Ops[N], Ops[N], Done);
  if (R->Counter == V->Counter && Ops == V->Ops)
    return Done[{Like, V}] = V;
  R->setOperands(std::move(Ops));
  return Done[{Like, V}] = R;
}

ValueRef withCountersOf(const ValueRef &Like, const ValueRef &V) {
  std::map<std::pair<ValueRef, ValueRef>, ValueRef> Done;
  return withCountersOf(Like, V, Done);
}

/// The distance between elements has to be the same for all threads and
/// iterations, as it is in a loop: `b[k]` and `b[last - k]` are two products,
/// not a loop of two.
static bool isStraight(const ValueRef &V, const IntExpr &Counter) {
  bool Straight = true;
  V->walk([&](const Value &X) {
    if (X.K != Value::Kind::Load)
      return;
    auto Step = X.Index.coefficient(Counter.str());
    Step.value_or(IntExpr()).walk(
        [&](const IntAtom &A) { Straight &= !Simplifier::varies(A); });
  });
  return Straight;
}

/// Of how many steps from \p First to \p Next an iteration of \p Counter
/// consists: two for `a[2 * i]` and `a[2 * i + 1]`. 0 if that is not known.
static int64_t stepsOf(const ValueRef &First, const ValueRef &Next,
                       llvm::StringRef Counter) {
  std::vector<IntExpr> At[2];
  First->walk([&](const Value &X) {
    if (X.K == Value::Kind::Load)
      At[0].push_back(X.Index);
  });
  Next->walk([&](const Value &X) {
    if (X.K == Value::Kind::Load)
      At[1].push_back(X.Index);
  });
  if (At[0].size() != At[1].size())
    return 0;
  for (auto [A, B] : llvm::zip(At[0], At[1])) {
    const auto Way = A.coefficient(Counter);
    const IntExpr Step = B - A;
    if (!Way || Way->isZero() || Step.isZero())
      continue;
    const auto Steps = Way->exactDivide(Step);
    return Steps ? Steps->getConstant().value_or(0) : 0;
  }
  return 0;
}

/// The condition \p Of, which \p Next has, as \p First would have it: `2 * i <
/// n` for `2 * i + 1 < n`. Nothing unless \p Facts say that it always holds.
static std::optional<BoolExpr> impliedCondition(const BoolExpr &Of,
                                                const ValueRef &First,
                                                const ValueRef &Next,
                                                const Simplifier &Facts) {
  if (Of.getKind() != BoolExpr::Kind::Compare)
    return std::nullopt;
  const IntExpr Distance = Of.getLHS() - Of.getRHS();
  std::set<std::string> Counters;
  Distance.walk([&](const IntAtom &A) {
    if (A.getKind() == AtomKind::Counter)
      Counters.insert(A.getKey().str());
  });
  if (Counters.size() != 1)
    return std::nullopt;
  const std::string &Counter = *Counters.begin();
  const int64_t Steps = stepsOf(First, Next, Counter);
  IntExpr Sides[2] = {Of.getLHS(), Of.getRHS()};
  for (IntExpr &Side : Sides) {
    const auto Way = Side.coefficient(Counter);
    const auto Number = Way ? Way->getConstant() : std::nullopt;
    if (!Number || Steps == 0 || *Number % Steps != 0)
      return std::nullopt;
    Side = Side - *Number / Steps;
  }
  const BoolExpr There = BoolExpr::compare(Of.getOp(), Sides[0], Sides[1]);
  return Facts.simplify(There).isTrue() ? std::optional(There) : std::nullopt;
}

/// \p First with the condition that \p Next has, if that always holds.
static ValueRef withConditionOf(const ValueRef &First, ValueRef &Next,
                                const Simplifier &Facts) {
  const bool OfSum = Next->K == Value::Kind::Sum &&
                     First->K == Value::Kind::Sum && First->Condition.isTrue();
  const bool Selected = Next->K == Value::Kind::Select &&
                        First->K != Value::Kind::Select &&
                        Next->Ops[1]->isConstant(0);
  if (!OfSum && !Selected)
    return nullptr;
  // The products of a tile are a sum in either.
  if (Selected && Next->Ops[0]->K == Value::Kind::Sum) {
    auto Same = std::make_shared<Value>(*Next);
    Same->setOperands({withCountersOf(First, Next->Ops[0]), Next->Ops[1]});
    Same->Body = nullptr;
    Next = Same;
  }
  const auto There = impliedCondition(Next->Condition, First,
                                      Selected ? Next->Ops[0] : Next, Facts);
  if (!There)
    return nullptr;
  auto R = std::make_shared<Value>(*Next);
  R->Condition = *There;
  R->Body = nullptr;
  if (OfSum)
    R->setOperands(First->Ops);
  else
    R->setOperands({First, Next->Ops[1]});
  return R;
}

std::optional<std::pair<ValueRef, int64_t>>
rollUp(const ValueRef &Body, unsigned Counter, const Simplifier &Facts) {
  std::vector<ValueRef> Terms;
  summands(Body, Terms);
  if (Terms.size() < 2)
    return std::nullopt;
  if (Terms.size() == 2)
    if (ValueRef Asked = withConditionOf(Terms[0], Terms[1], Facts))
      Terms[0] = std::move(Asked);
  const IntExpr U = IntExpr::counter(Counter);
  auto At = [&](const ValueRef &Product, const IntExpr &N) {
    return transformInts(Product,
                         [&](const IntAtom &A) -> std::optional<IntExpr> {
                           if (A.getKey() == U.str())
                             return N;
                           return std::nullopt;
                         });
  };
  // Takes the line through a term and the next one; all other terms have to be
  // on it.
  for (size_t From : {0, 1}) {
    if (From + 1 >= Terms.size())
      break;
    ValueRef Product = interpolate(Terms[From], Terms[From + 1], U);
    if (!Product || !isStraight(Product, U))
      continue;
    if (From != 0)
      Product = At(Product, U - static_cast<int64_t>(From));
    bool All = true;
    for (size_t N = 0; N < Terms.size() && All; ++N) {
      ValueRef There = At(Product, IntExpr(static_cast<int64_t>(N)));
      // A fact that is known where the terms are added may be missing in the
      // first.
      All =
          sameValue(There, Terms[N]) ||
          (N < From && sameValue(Facts.decide(There), Facts.decide(Terms[N])));
    }
    if (All)
      return std::make_pair(Product, static_cast<int64_t>(Terms.size()));
  }
  return std::nullopt;
}

} // namespace warpwright::symbolic
