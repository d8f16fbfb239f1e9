//===-- Cases.cpp - Conditions that divide a kernel's launches ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Simplify.h"
#include "State.h"
#include "warpwright/Contraction/SumUse.h"

namespace warpwright::symbolic {

bool isOfLaunch(const BoolExpr &C) {
  if (C.isTrue() || C.isFalse() || hasValues(C))
    return false;
  bool Varies = false;
  C.walk(
      [&](const IntExpr &E) {
        E.walk([&](const IntAtom &A) {
          // What a loop begins with while it is tried out, `phi#0`, has a name
          // that no parameter has.
          Varies |= Simplifier::varies(A) || A.getKey().contains('#');
        });
        Varies |= E.containsKind(AtomKind::Index);
      },
      [](const ValueRef &) {});
  return !Varies;
}

bool contradict(const std::vector<BoolExpr> &Facts) {
  BoolExpr All = BoolExpr::constant(true);
  for (const BoolExpr &Fact : Facts)
    All = BoolExpr::conjunction(All, Fact);
  llvm::SmallVector<BoolExpr, 8> Parts;
  All.conjuncts(Parts);
  // An alternative as a whole, and what is part of a conjunction by itself.
  Parts.append(Facts.begin(), Facts.end());
  return All.isFalse() || llvm::any_of(Parts, [&](const BoolExpr &Part) {
           return implies(All, BoolExpr::negation(Part));
         });
}

/// Whether \p B follows from \p A, of which it may be one of several
/// alternatives.
static bool follows(const BoolExpr &A, const BoolExpr &B) {
  if (implies(A, B))
    return true;
  // `order != 0` follows from `order == 1`.
  const bool Compares = A.getKind() == BoolExpr::Kind::Compare &&
                        B.getKind() == BoolExpr::Kind::Compare &&
                        A.getOp() == CmpOp::EQ && B.getOp() == CmpOp::NE;
  if (Compares && A.getLHS().str() == B.getLHS().str()) {
    auto Is = A.getRHS().getConstant(), IsNot = B.getRHS().getConstant();
    return Is && IsNot && *Is != *IsNot;
  }
  return B.getKind() == BoolExpr::Kind::Or &&
         llvm::any_of(B.operands(),
                      [&](const BoolExpr &Side) { return follows(A, Side); });
}

BoolExpr allOf(const std::vector<BoolExpr> &Facts) {
  BoolExpr All = BoolExpr::constant(true);
  for (size_t I = 0; I != Facts.size(); ++I) {
    bool Implied = false;
    for (size_t J = 0; J != Facts.size(); ++J)
      Implied |= I != J && follows(Facts[J], Facts[I]) &&
                 (J < I || !follows(Facts[I], Facts[J]));
    if (!Implied)
      All = BoolExpr::conjunction(All, Facts[I]);
  }
  return All;
}

/// The condition that decides whether the stride \p E is 1.
static std::optional<BoolExpr> decidesOne(const IntExpr &E) {
  std::optional<BoolExpr> Found;
  E.walk([&](const IntAtom &A) {
    if (!Found && A.getKind() == AtomKind::Select &&
        (A.getLHS().getConstant() == 1 || A.getRHS().getConstant() == 1) &&
        isOfLaunch(A.getCondition()))
      Found = A.getCondition();
  });
  return Found;
}

/// What all alternatives of \p B have in common, `mode > 3` of `odd && mode > 3
/// || !odd && mode > 3`, or what excludes all of them; otherwise \p B.
static BoolExpr commonPart(const BoolExpr &B) {
  for (bool Negated : {false, true}) {
    const BoolExpr E = Negated ? BoolExpr::negation(B) : B;
    if (E.getKind() != BoolExpr::Kind::Or)
      continue;
    llvm::SmallVector<BoolExpr, 4> Parts;
    E.operands().front().conjuncts(Parts);
    for (const BoolExpr &Part : Parts)
      if (llvm::all_of(E.operands(), [&](const BoolExpr &Side) {
            return implies(Side, Part);
          }))
        return Negated ? BoolExpr::negation(Part) : Part;
  }
  return B;
}

std::optional<BoolExpr> choiceIn(const Contraction &C) {
  for (unsigned I = 0; C.sumCount() > 1 && I != C.sumCount(); ++I)
    if (auto When = conditionOfSum(C, I); When && isOfLaunch(*When))
      return commonPart(*When);
  std::optional<BoolExpr> Found;
  C.forEachOperand([&](const Operand &O) {
    const auto Form = C.formOf(O.Index);
    if (Found || !Form)
      return;
    const IntExpr *Strides[] = {&Form->M, &Form->N, &Form->K};
    for (const IntExpr *Stride : Strides)
      if (Stride->getConstant() == 1)
        return;
    for (const IntExpr *Stride : Strides)
      if (!Found)
        Found = decidesOne(*Stride);
  });
  return Found;
}

} // namespace warpwright::symbolic
