//===-- Evaluate.cpp - Symbolic integers with numbers in them -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Verify/Evaluate.h"
#include "warpwright/Contraction/Compare.h"
#include <algorithm>
#include <cmath>

using namespace warpwright;

namespace {
constexpr int64_t Limit = int64_t(1) << 62;
}

static int64_t clamp(__int128 X) {
  return static_cast<int64_t>(
      std::min<__int128>(std::max<__int128>(X, -Limit), Limit));
}

static int64_t floorDiv(int64_t L, int64_t R) {
  return R <= 0 ? 0 : L / R - (L % R < 0);
}

static std::optional<int64_t> evaluateAtom(const IntAtom &Atom,
                                           const Assignment &A) {
  if (Atom.isLeaf()) {
    auto Found = A.Ints.find(Atom.getKey().str());
    if (Found == A.Ints.end())
      return std::nullopt;
    return Found->second;
  }
  if (Atom.getKind() == AtomKind::Select) {
    std::optional<bool> C = evaluate(Atom.getCondition(), A);
    if (!C)
      return std::nullopt;
    return evaluate(*C ? Atom.getLHS() : Atom.getRHS(), A);
  }
  std::optional<int64_t> L = evaluate(Atom.getLHS(), A),
                         R = evaluate(Atom.getRHS(), A);
  if (!L || !R)
    return std::nullopt;
  switch (Atom.getKind()) {
  case AtomKind::FloorDiv:
    return floorDiv(*L, *R);
  case AtomKind::Mod:
    return *R <= 0 ? 0 : *L - *R * floorDiv(*L, *R);
  case AtomKind::Min:
    return std::min(*L, *R);
  case AtomKind::Max:
    return std::max(*L, *R);
  case AtomKind::Xor:
    return *L ^ *R;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> warpwright::evaluate(const IntExpr &E,
                                            const Assignment &A) {
  if (E.overflowed())
    return std::nullopt;
  int64_t Sum = 0;
  for (const auto &[Monomial, Coefficient] : E.terms()) {
    int64_t Product = Coefficient;
    for (const AtomRef &Atom : Monomial) {
      std::optional<int64_t> X = evaluateAtom(*Atom, A);
      if (!X)
        return std::nullopt;
      Product = clamp(static_cast<__int128>(Product) * *X);
    }
    Sum = clamp(static_cast<__int128>(Sum) + Product);
  }
  return Sum;
}

std::optional<double> warpwright::evaluate(const ValueRef &V,
                                           const Assignment &A) {
  switch (V->K) {
  case Value::Kind::Constant:
    return V->getConstant();
  case Value::Kind::Global:
  case Value::Kind::Param: {
    if (auto Found = A.Floats.find(V->Name); Found != A.Floats.end())
      return Found->second;
    if (auto Found = A.Ints.find(V->Name); Found != A.Ints.end())
      return static_cast<double>(Found->second);
    return std::nullopt;
  }
  case Value::Kind::Int: {
    std::optional<int64_t> X = evaluate(V->Index, A);
    return X ? std::optional<double>(static_cast<double>(*X)) : std::nullopt;
  }
  default:
    break;
  }
  std::vector<double> Ops;
  for (const ValueRef &Op : V->Ops) {
    std::optional<double> X = evaluate(Op, A);
    if (!X)
      return std::nullopt;
    Ops.push_back(*X);
  }
  switch (V->K) {
  case Value::Kind::Cast:
    return isFloating(V->Type) ? Ops[0] : std::trunc(Ops[0]);
  case Value::Kind::Neg:
    return -Ops[0];
  case Value::Kind::Add:
    return Ops[0] + Ops[1];
  case Value::Kind::Sub:
    return Ops[0] - Ops[1];
  case Value::Kind::Mul:
    return Ops[0] * Ops[1];
  case Value::Kind::Div:
    return Ops[1] == 0 ? 0 : Ops[0] / Ops[1];
  default:
    return std::nullopt;
  }
}

std::optional<bool> warpwright::evaluate(const BoolExpr &E,
                                         const Assignment &A) {
  switch (E.getKind()) {
  case BoolExpr::Kind::Constant:
    return E.isTrue();
  case BoolExpr::Kind::Compare: {
    std::optional<int64_t> L = evaluate(E.getLHS(), A),
                           R = evaluate(E.getRHS(), A);
    if (!L || !R)
      return std::nullopt;
    return holds(E.getOp(), *L, *R);
  }
  case BoolExpr::Kind::NonNull:
    return !A.Null.count(E.getName().str());
  case BoolExpr::Kind::FloatCmp: {
    std::optional<double> L = evaluate(E.getValueLHS(), A),
                          R = evaluate(E.getValueRHS(), A);
    if (!L || !R)
      return std::nullopt;
    return holds(E.getOp(), *L, *R);
  }
  case BoolExpr::Kind::Not: {
    std::optional<bool> X = evaluate(E.operands()[0], A);
    return X ? std::optional<bool>(!*X) : std::nullopt;
  }
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or: {
    // One operand may decide the result.
    bool Decisive = E.getKind() == BoolExpr::Kind::Or;
    bool Unknown = false;
    for (const BoolExpr &Op : E.operands()) {
      std::optional<bool> X = evaluate(Op, A);
      if (X && *X == Decisive)
        return Decisive;
      Unknown |= !X;
    }
    if (Unknown)
      return std::nullopt;
    return !Decisive;
  }
  }
  return std::nullopt;
}

void warpwright::walkAll(
    const ValueRef &V, llvm::function_ref<void(const IntExpr &)> OnInt,
    llvm::function_ref<void(const Value &)> OnValue,
    llvm::function_ref<void(const BoolExpr &)> OnCondition) {
  // A value is a graph; a shared node is visited once.
  std::set<const Value *> Seen;
  std::vector<ValueRef> Work = {V};
  while (!Work.empty()) {
    ValueRef Next = Work.back();
    Work.pop_back();
    if (!Next || !Seen.insert(Next.get()).second)
      continue;
    OnValue(*Next);
    OnInt(Next->Index);
    OnCondition(Next->Condition);
    Next->Condition.walk(OnInt,
                         [&](const ValueRef &Below) { Work.push_back(Below); });
    Work.insert(Work.end(), Next->Ops.begin(), Next->Ops.end());
    Work.push_back(Next->Body);
  }
}
