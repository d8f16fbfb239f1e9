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
  BoolExpr Condition; ///< all of what chooses; it may ask for more than that
};
} // namespace

/// Handles `flag == 1`, `flag != 1`, and conditions that contain one of these.
static std::optional<Flag> flagOf(const BoolExpr &Condition) {
  for (const BoolExpr &Part : Condition.operands())
    if (auto Found = flagOf(Part)) {
      Found->Condition = Condition;
      return Found;
    }
  if (Condition.getKind() != BoolExpr::Kind::Compare ||
      (Condition.getOp() != CmpOp::EQ && Condition.getOp() != CmpOp::NE))
    return std::nullopt;
  for (auto [Side, Other] :
       {std::pair{&Condition.getLHS(), &Condition.getRHS()},
        {&Condition.getRHS(), &Condition.getLHS()}}) {
    AtomRef A = Side->getAtom();
    auto C = Other->getConstant();
    if (A && C && A->getKind() == AtomKind::Param)
      return Flag{A, *C, Condition};
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

/// The first flag that chooses between two elements in the summed value \p V.
static std::optional<Flag> findFlag(const ValueRef &V) {
  std::optional<Flag> Found;
  auto InIndex = [&](const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (!Found && A.getKind() == AtomKind::Select &&
          (varies(A.getLHS()) || varies(A.getRHS())))
        Found = flagOf(A.getCondition());
    });
  };
  V->walk([&](const Value &X) {
    if (Found)
      return;
    if (X.K == Value::Kind::Load)
      InIndex(X.Index);
    else if (X.K == Value::Kind::Select && loads(X.Ops[0]) && loads(X.Ops[1]))
      Found = flagOf(X.Condition);
  });
  return Found;
}

/// The first such flag in a sum of \p V.
static std::optional<Flag> findFlagOfSum(const ValueRef &V) {
  if (V->K == Value::Kind::Sum)
    return findFlag(V->Ops[0]);
  for (const ValueRef &Op : V->Ops)
    if (auto Found = findFlagOfSum(Op))
      return Found;
  return std::nullopt;
}

std::vector<BoolExpr> IndexSpace::settleFlags(std::optional<BoolExpr> &Choice) {
  constexpr unsigned MaxFlags = 4;
  std::vector<BoolExpr> Settled;
  for (unsigned N = 0; N < MaxFlags; ++N) {
    std::optional<Flag> Found;
    for (const Store &S : Stores)
      if (!Found)
        Found = findFlagOfSum(S.Value);
    if (!Found)
      break;
    if (Found->Condition.getKind() != BoolExpr::Kind::Compare && !Choice &&
        isOfLaunch(Found->Condition))
      Choice = Found->Condition;
    const std::string Key = Found->Param->getKey().str();
    substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKind() == AtomKind::Param && A.getKey() == Key)
        return IntExpr(Found->Value);
      return std::nullopt;
    });
    Settled.push_back(
        BoolExpr::compare(CmpOp::EQ, IntExpr(Found->Param), Found->Value));
    require(Settled.back(),
            "'" + Key + "' is not " + std::to_string(Found->Value));
  }
  return Settled;
}

} // namespace warpwright::symbolic
