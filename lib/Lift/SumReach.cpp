//===-- SumReach.cpp - Which threads come to the sums ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plan computes the sum of every element. Where the kernel's loop runs under
/// a condition only, what it would read elsewhere need not exist: `alpha != 0`
/// is asked of the launch, and of `row < valid` that each row, and each column,
/// has an element for which it holds.
///
//===----------------------------------------------------------------------===//

#include "Normalizer.h"
#include "Simplify.h"
#include "warpwright/Contraction/SumUse.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

/// A number of arguments and launch alone.
static bool isOfLaunch(const IntExpr &E) {
  bool Known = true;
  E.walk([&](const IntAtom &A) {
    Known &=
        A.getKind() != AtomKind::Index && A.getKind() != AtomKind::Counter &&
        A.getKind() != AtomKind::ThreadIdx && A.getKind() != AtomKind::BlockIdx;
  });
  return Known;
}

/// The host can compute \p V: from float and double arguments, by the four
/// operations. Where it rounds in another way than the device, the condition is
/// that of the kernel in the epilogue none the less.
static bool isOfLaunch(const ValueRef &V) {
  if (V->Type != ScalarType::F32 && V->Type != ScalarType::F64)
    return false;
  switch (V->K) {
  case Value::Kind::Param:
  case Value::Kind::Constant:
    return true;
  case Value::Kind::Cast:
  case Value::Kind::Neg:
  case Value::Kind::Add:
  case Value::Kind::Sub:
  case Value::Kind::Mul:
  case Value::Kind::Div:
    return llvm::all_of(V->Ops,
                        [](const ValueRef &Op) { return isOfLaunch(Op); });
  default:
    return false;
  }
}

/// The host knows \p Condition before it launches: scalar parameters and
/// numbers are compared in it, and pointers with null.
static bool isKnownAtLaunch(const BoolExpr &Condition) {
  bool Known = true;
  Condition.walk([&](const IntExpr &E) { Known &= isOfLaunch(E); },
                 [&](const ValueRef &V) { Known &= isOfLaunch(V); });
  return Known;
}

/// The sums in \p V that are in no other one.
static void outermostSums(const ValueRef &V, std::set<const Value *> &Seen,
                          llvm::function_ref<void(const Value &)> Fn) {
  if (!V || !Seen.insert(V.get()).second)
    return;
  if (V->K == Value::Kind::Sum)
    return Fn(*V);
  V->Condition.walk([](const IntExpr &) {},
                    [&](const ValueRef &X) { outermostSums(X, Seen, Fn); });
  for (const ValueRef &Op : V->Ops)
    outermostSums(Op, Seen, Fn);
}

/// Notes the conditions under which \p W comes to the loops of its sums, but
/// for those under which it is made.
void Normalizer::noteReach(const Write &W) {
  std::set<const Value *> Seen;
  outermostSums(W.Value.S, Seen, [&](const Value &Sum) {
    auto Reached = In.Reached.find(Sum.Counter);
    if (Reached == In.Reached.end())
      return;
    llvm::SmallVector<BoolExpr, 4> Parts;
    Reached->second.conjuncts(Parts);
    BoolExpr AtLaunch = BoolExpr::constant(true);
    for (const BoolExpr &Part : Parts) {
      if (implies(W.Guard, Part))
        continue;
      if (isKnownAtLaunch(Part))
        AtLaunch = BoolExpr::conjunction(AtLaunch, Part);
      else
        PassedByThreads = true;
    }
    if (!AtLaunch.isTrue() && !llvm::is_contained(ReachAtLaunch, AtLaunch))
      ReachAtLaunch.push_back(AtLaunch);
  });
}

/// \p E where it is least, or largest, over an index from 0 to below \p Extent.
/// Nothing where that is not known for all extents.
static std::optional<IntExpr> atExtreme(const IntExpr &E, const char *Index,
                                        const IntExpr &Extent, bool Largest) {
  const IntExpr Atom = IntExpr::index(Index);
  auto Factor = E.coefficient(Atom.str());
  if (!Factor || !Factor->getConstant())
    return std::nullopt;
  const bool Last = (*Factor->getConstant() > 0) == Largest;
  return E - *Factor * Atom + (Last ? *Factor * (Extent - 1) : IntExpr());
}

/// Has the launcher see to it that \p Condition, over rows and columns, holds
/// for an element of each row and for one of each column of each matrix of the
/// batch: then all that the plan reads is read by the kernel. False if it
/// cannot.
bool Normalizer::requireSomeElement(const BoolExpr &Condition) {
  std::vector<IntExpr> NotNegative;
  if (!hasValues(Condition))
    asNotNegative(Condition, NotNegative);
  if (NotNegative.size() != 1)
    return false;
  for (bool OfRow : {true, false}) {
    const char *const Own = OfRow ? "m" : "n", *const Other = OfRow ? "n" : "m";
    auto E = atExtreme(NotNegative[0], Other, OfRow ? C.NExtent : C.MExtent,
                       /*Largest=*/true);
    if (E)
      E = atExtreme(*E, Own, OfRow ? C.MExtent : C.NExtent, /*Largest=*/false);
    if (E)
      E = atExtreme(*E, "b", C.BatchExtent, /*Largest=*/false);
    if (!E || E->overflowed() || E->containsKind(AtomKind::Index))
      return false;
    const BoolExpr Need = BoolExpr::compare(CmpOp::GE, *E, IntExpr());
    if (Need.isFalse())
      return false;
    if (!provablyAtLeast(*E, 0))
      Space.require(Need, OfRow ? "a row has no element that is summed"
                                : "a column has no element that is summed");
  }
  return true;
}

/// A loop that runs only where `alpha != 0` holds reads nothing otherwise, and
/// what it would read need not exist: that is left to the original.
bool Normalizer::requireSum() {
  if (C.sumCount() > 1)
    return true; // declined by the planner
  // What a thread stores that passes the sum is chosen by a condition.
  std::optional<BoolExpr> Condition = conditionOfSum(C, 0);
  if (!Condition)
    return true;
  // Loops of both sides of an if that sum alike are one sum.
  const bool EitherSide = ReachAtLaunch.size() > 1;
  llvm::SmallVector<BoolExpr, 4> Known, Parts;
  if (ReachAtLaunch.size() == 1)
    ReachAtLaunch.front().conjuncts(Known);
  BoolExpr Others = BoolExpr::constant(true);
  Condition->conjuncts(Parts);
  for (const BoolExpr &Part : Parts)
    if (isKnownAtLaunch(Part) && !Part.isFalse())
      Known.push_back(Part);
    else
      Others = BoolExpr::conjunction(Others, Part);
  for (const BoolExpr &Part : Known)
    if (!Part.isTrue())
      Space.require(Part, "nothing is summed under the kernel's condition");
  if (Others.isTrue() || (!PassedByThreads && !EitherSide) ||
      requireSomeElement(Others))
    return true;
  return fail(DiagID::UnsupportedBounds, Space.Sums[0].Loc,
              "some threads that store do not come to the sum, and what they "
              "would read need not exist");
}

} // namespace warpwright::symbolic
