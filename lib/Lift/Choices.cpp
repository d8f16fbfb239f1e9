//===-- Choices.cpp - Pointers into one of two arrays ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `warp < 4 ? A : B` is a pointer into either array. What is done with it is
/// done with both pointers, with each under the condition that it is meant.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

namespace warpwright::symbolic {

std::optional<SymValue> Executor::twoPlaces(const SymValue &P) const {
  if (!P.is(SymValue::Kind::Pointer) || P.Array.empty() || P.Array[0] != '!')
    return std::nullopt;
  std::optional<SymValue> Both;
  P.I.walk([&](const IntAtom &A) {
    if (A.getKind() != AtomKind::Select || Both || hasValues(A.getCondition()))
      return;
    if (!containsThread(A.getCondition()))
      return;
    Both = P;
    Both->K = SymValue::Kind::Choice;
    Both->Array.clear();
    Both->B = A.getCondition();
    Both->Fields = {P, P};
    Both->Fields[0].I = P.I.substitute(A.getKey(), A.getLHS());
    Both->Fields[1].I = P.I.substitute(A.getKey(), A.getRHS());
  });
  return Both;
}

bool Executor::onSides(const SymValue &Choice,
                       llvm::function_ref<bool(const SymValue &)> Access) {
  const BoolExpr Here = Active, Reached = totalActive();
  bool Done = true;
  for (unsigned N : {0, 1}) {
    const BoolExpr Meant = N == 0 ? Choice.B : BoolExpr::negation(Choice.B);
    // This may be a place that only one of the two comes to.
    if (implies(Reached, BoolExpr::negation(Meant)))
      continue;
    Active = BoolExpr::conjunction(Here, withoutConjuncts(Meant, Reached));
    Done = Done && Access(Choice.Fields[N]);
  }
  Active = Here;
  return Done;
}

SymValue
Executor::ofSides(const SymValue &Choice,
                  llvm::function_ref<SymValue(const SymValue &)> Access) {
  const BoolExpr Reached = totalActive();
  if (implies(Reached, Choice.B))
    return Access(Choice.Fields[0]);
  if (implies(Reached, BoolExpr::negation(Choice.B)))
    return Access(Choice.Fields[1]);
  std::vector<SymValue> Results;
  onSides(Choice, [&](const SymValue &Side) {
    Results.push_back(Access(Side));
    return !Failed;
  });
  return Failed ? SymValue() : select(Choice.B, Results[0], Results[1]);
}

} // namespace warpwright::symbolic
