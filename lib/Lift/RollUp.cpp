//===-- RollUp.cpp - Loops that were unrolled by hand
//-----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RollUp.h"

namespace warpwright::symbolic {

/// The summands of a chain of additions.
static void summands(const ValueRef &V, std::vector<ValueRef> &Out) {
  if (V->K == Value::Kind::Add) {
    summands(V->Ops[0], Out);
    summands(V->Ops[1], Out);
    return;
  }
  Out.push_back(V);
}

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

std::optional<std::pair<ValueRef, int64_t>>
rollUp(const ValueRef &Body, unsigned Counter, const Simplifier &Facts) {
  std::vector<ValueRef> Terms;
  summands(Body, Terms);
  if (Terms.size() < 2)
    return std::nullopt;
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
