//===-- Flags.cpp - Arguments that choose between two products ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `transposed ? A[k * M + m] : A[m * K + k]`: the multiplied element depends
/// on an argument. There is one contraction for each value of the argument.
/// This one is for the value with which the kernel compares it (`if
/// (transposed)` compares it with 0), which is required of the launch; lift()
/// adds the contractions for the other values.
///
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "IndexSpace.h"
#include "Simplify.h"

namespace warpwright::symbolic {

namespace {
struct Flag {
  AtomRef Param;
  int64_t Value;
};
} // namespace

/// Handles `flag == 1`, `flag != 1`, and conditions that contain one of these.
static std::optional<Flag> flagOf(const BoolExpr &Condition) {
  for (const BoolExpr &Part : Condition.operands())
    if (auto Found = flagOf(Part))
      return Found;
  if (Condition.getKind() != BoolExpr::Kind::Compare ||
      (Condition.getOp() != CmpOp::EQ && Condition.getOp() != CmpOp::NE))
    return std::nullopt;
  for (auto [Side, Other] :
       {std::pair{&Condition.getLHS(), &Condition.getRHS()},
        {&Condition.getRHS(), &Condition.getLHS()}}) {
    AtomRef A = Side->getAtom();
    auto C = Other->getConstant();
    if (A && C && A->getKind() == AtomKind::Param)
      return Flag{A, *C};
  }
  return std::nullopt;
}

/// Whether \p E differs between threads or iterations.
static bool varies(const IntExpr &E) {
  bool Found = false;
  E.walk([&](const IntAtom &A) { Found |= Simplifier::varies(A); });
  return Found;
}

static bool loads(const ValueRef &V) {
  return V->containsKind(Value::Kind::Load);
}

namespace {
/// What chooses between two elements in a summed value.
struct Chooser {
  std::optional<Flag> First;
  /// The first condition that is more than a comparison of a parameter.
  std::optional<BoolExpr> Choice;

  void visit(const BoolExpr &Condition) {
    std::optional<Flag> Found = flagOf(Condition);
    if (!Choice && isOfLaunch(Condition) &&
        (!Found || Condition.getKind() != BoolExpr::Kind::Compare))
      Choice = Condition;
    if (!First)
      First = std::move(Found);
  }
  void visitFactors(const ValueRef &V);
  void visitSums(const ValueRef &V);
};
} // namespace

void Chooser::visitFactors(const ValueRef &V) {
  V->walk([&](const Value &X) {
    if (X.K == Value::Kind::Load)
      X.Index.walk([&](const IntAtom &A) {
        if (A.getKind() == AtomKind::Select &&
            (varies(A.getLHS()) || varies(A.getRHS())))
          visit(A.getCondition());
      });
    else if (X.K == Value::Kind::Select && loads(X.Ops[0]) && loads(X.Ops[1]))
      visit(X.Condition);
  });
}

void Chooser::visitSums(const ValueRef &V) {
  if (V->K == Value::Kind::Sum)
    return visitFactors(V->Ops[0]);
  for (const ValueRef &Op : V->Ops)
    visitSums(Op);
}

std::vector<BoolExpr> IndexSpace::settleFlags(std::optional<BoolExpr> &Choice) {
  constexpr unsigned MaxFlags = 4;
  std::vector<BoolExpr> Settled;
  for (unsigned N = 0; N < MaxFlags; ++N) {
    Chooser Found;
    for (const Store &S : Stores)
      Found.visitSums(S.Value);
    if (!Choice)
      Choice = Found.Choice;
    if (!Found.First)
      break;
    const AtomRef Param = Found.First->Param;
    const int64_t Value = Found.First->Value;
    substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKind() == AtomKind::Param && A.getKey() == Param->getKey())
        return IntExpr(Value);
      return std::nullopt;
    });
    Settled.push_back(BoolExpr::compare(CmpOp::EQ, IntExpr(Param), Value));
    require(Settled.back(),
            "'" + Param->getKey().str() + "' is not " + std::to_string(Value));
  }
  return Settled;
}

} // namespace warpwright::symbolic
