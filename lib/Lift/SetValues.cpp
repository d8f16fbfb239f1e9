//===-- SetValues.cpp - Values that are not set in every case -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tiles that are filled under a condition, and not cleared where it does not
/// hold: `if (row < M) As[ty][tx] = A[row * K + t * 16 + tx];`. What is read
/// where nothing was stored is `condition ? stored : nothing`.
///
/// Each such condition either follows from the one under which the result is
/// stored, for the rows and columns of the matrix; or it is asked of the
/// launch, in the form of its least favourable thread, block and iteration: for
/// `t * 16 + tx < K` that K is a multiple of 16. Then the other side is never
/// taken, and the value is the one that was stored. In launches that do not
/// meet the requirement, the original runs.
///
/// In the same way, slices of k have the same number of terms if the last one
/// is as long as the others: `min(k0 + slice, K)` is `k0 + slice` in each.
///
//===----------------------------------------------------------------------===//

#include "Normalizer.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

/// `x - d * ceil(x / d)`, which is never above 0, is not negative: x is a
/// multiple of d.
static std::optional<BoolExpr> isMultiple(const IntExpr &E) {
  for (const auto &[M, C] : E.terms()) {
    if (M.size() != 1 || M[0]->getKind() != AtomKind::FloorDiv)
      continue;
    const auto D = M[0]->getRHS().getConstant();
    const IntExpr X = E - IntExpr(C) * IntExpr(M[0]);
    if (D && *D > 1 && C == -*D && M[0]->getLHS() == X + (*D - 1))
      return BoolExpr::compare(CmpOp::EQ, IntExpr::mod(X, IntExpr(*D)), 0);
  }
  return std::nullopt;
}

bool Normalizer::requireAlways(const BoolExpr &Condition,
                               const std::vector<BoundLoop> &Loops,
                               const BoolExpr &Known) {
  llvm::SmallVector<BoolExpr, 4> Parts;
  Condition.conjuncts(Parts);
  const Simplifier Facts(In.Bounds, Loops, Known);
  std::vector<BoolExpr> Needs;
  for (const BoolExpr &Part : Parts) {
    if (Facts.simplify(Part).isTrue() || implies(Known, Part))
      continue;
    std::vector<IntExpr> NotNegative;
    if (Part.getKind() == BoolExpr::Kind::Compare)
      asNotNegative(Part, NotNegative);
    if (NotNegative.size() != 1)
      return false;
    const auto Low = Facts.limit(NotNegative[0], /*Largest=*/false);
    if (!Low || Low->overflowed())
      return false;
    bool Varies = false;
    Low->walk([&](const IntAtom &A) { Varies |= Simplifier::varies(A); });
    const auto Always = Low->getConstant();
    // A launch that is asked to be of one particular size is not what the
    // kernel is for: it leaves something out.
    Varies |= !Always && !Low->containsKind(AtomKind::Param);
    // `tx < K % 16` does not hold for the last of 16 threads, whatever K is.
    Varies |= In.Bounds.bounds(*Low).High < 0;
    if (Varies || (Always && *Always < 0))
      return false;
    if (!Always)
      Needs.push_back(
          isMultiple(*Low).value_or(BoolExpr::compare(CmpOp::GE, *Low, 0)));
  }
  for (BoolExpr &Need : Needs)
    In.Requires.push_back({std::move(Need), "a tile is not filled completely"});
  return true;
}

std::optional<IntExpr> Normalizer::sameEverywhere(const IntExpr &E) {
  std::vector<BoundLoop> Loops;
  for (const IndexVar &V : Space.Vars)
    if (AtomRef A = V.Atom.getAtom(); A && A->getKind() == AtomKind::Counter)
      Loops.push_back({A->getDim(), V.Range - 1});
  const Simplifier Facts(In.Bounds, Loops, BoolExpr::constant(true));
  std::optional<IntExpr> Found;
  E.walk([&](const IntAtom &A) {
    if (Found || A.getKind() != AtomKind::Min)
      return;
    for (const bool Left : {true, false}) {
      const IntExpr &This = Left ? A.getLHS() : A.getRHS(),
                    &Other = Left ? A.getRHS() : A.getLHS();
      const IntExpr Without =
          E.transform([&](const IntAtom &X) -> std::optional<IntExpr> {
            return X.getKey() == A.getKey() ? std::optional<IntExpr>(This)
                                            : std::nullopt;
          });
      // A number that is linear in one index is the smallest at one of the ends
      // of the index.
      const IntExpr Room = Other - This;
      std::optional<std::pair<IntExpr, IntExpr>> Ends;
      if (const auto Low = Facts.limit(Room, /*Largest=*/false))
        Ends = {*Low, *Low};
      for (const IndexVar &V : Space.Vars)
        if (const auto Slope = Room.coefficient(V.key());
            !Ends && Slope && !Slope->isZero() && !Space.mentions(*Slope)) {
          const IntExpr First = Room - *Slope * V.Atom;
          Ends = {First, First + *Slope * (V.Range - 1)};
        }
      auto IsOfLaunch = [&](const IntExpr &X) {
        return !X.overflowed() && !Space.mentions(X) &&
               X.getConstant().value_or(0) >= 0;
      };
      // Slices begin where their number says; a triangle does not.
      if (!Space.mentions(This) || Space.mentions(Without) || !Ends ||
          !IsOfLaunch(Ends->first) || !IsOfLaunch(Ends->second))
        continue;
      for (const IntExpr *End : {&Ends->first, &Ends->second})
        if (!End->getConstant())
          Space.require(BoolExpr::compare(CmpOp::GE, *End, 0),
                        "the last part of the sum is shorter");
      Found = Without;
      return;
    }
  });
  return Found;
}

ValueRef Normalizer::onlySet(const ValueRef &V, std::vector<BoundLoop> &Loops,
                             const BoolExpr &Known) {
  if (!V->containsKind(Value::Kind::Undefined))
    return V;
  if (V->K == Value::Kind::Select)
    for (const bool Then : {true, false}) {
      if (V->Ops[Then ? 1 : 0]->K != Value::Kind::Undefined)
        continue;
      const BoolExpr When =
          Then ? V->Condition : BoolExpr::negation(V->Condition);
      return requireAlways(When, Loops, Known)
                 ? onlySet(ValueRef(V->Ops[Then ? 0 : 1]), Loops, Known)
                 : V;
    }
  const bool IsSum = V->K == Value::Kind::Sum;
  if (IsSum)
    Loops.push_back({V->Counter, V->Index - 1});
  const BoolExpr Inside =
      IsSum ? BoolExpr::conjunction(Known, V->Condition) : Known;
  std::vector<ValueRef> Ops;
  for (const ValueRef &Op : V->Ops)
    Ops.push_back(onlySet(Op, Loops, Inside));
  if (IsSum)
    Loops.pop_back();
  auto R = std::make_shared<Value>(*V);
  R->setOperands(std::move(Ops));
  return R;
}

} // namespace warpwright::symbolic
