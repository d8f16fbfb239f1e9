//===-- SumReach.cpp - Which threads come to the sums ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plan computes the sum of every element. If the kernel's loop runs only
/// under a condition, what it would read elsewhere need not exist. So `alpha !=
/// 0` is required of the launch; for `row < valid` it is required that each row
/// and each column has an element for which it holds.
///
//===----------------------------------------------------------------------===//

#include "Normalizer.h"
#include "Simplify.h"
#include "warpwright/Contraction/SumUse.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

/// A number of arguments, launch and \p Counters alone.
static bool isOfLaunch(const IntExpr &E, const std::set<unsigned> &Counters) {
  bool Known = true;
  E.walk([&](const IntAtom &A) {
    Known &= A.getKind() != AtomKind::Index &&
             A.getKind() != AtomKind::ThreadIdx &&
             A.getKind() != AtomKind::BlockIdx &&
             (A.getKind() != AtomKind::Counter || Counters.count(A.getDim()));
  });
  return Known;
}

/// Whether the host can compute \p V: from float and double arguments, by the
/// four operations. If it rounds differently from the device, the epilogue
/// still evaluates the kernel's own condition.
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

/// Whether the host knows \p Condition before the launch: it compares scalar
/// parameters and numbers, with \p Counters among them, or pointers with null.
static bool isKnownAtLaunch(const BoolExpr &Condition,
                            const std::set<unsigned> &Counters = {}) {
  bool Known = true;
  Condition.walk([&](const IntExpr &E) { Known &= isOfLaunch(E, Counters); },
                 [&](const ValueRef &V) { Known &= isOfLaunch(V); });
  return Known;
}

/// The sums in \p V that are not inside another sum.
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

/// Records the conditions under which \p W reaches the loops of its sums,
/// except those under which the store is made.
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

bool Normalizer::reachesSums(const ValueRef &V, const BoolExpr &Guard) const {
  bool All = true;
  std::set<const Value *> Seen;
  outermostSums(V, Seen, [&](const Value &Sum) {
    auto Reached = In.Reached.find(Sum.Counter);
    if (Reached == In.Reached.end())
      return;
    std::set<unsigned> Counters;
    Sum.walk([&](const Value &Part) {
      if (Part.K == Value::Kind::Sum)
        Counters.insert(Part.Counter);
    });
    // Which terms there are is the same for all threads.
    auto AsksThreads = [&](const BoolExpr &Condition) {
      llvm::SmallVector<BoolExpr, 4> Parts;
      Condition.conjuncts(Parts);
      return llvm::any_of(Parts, [&](const BoolExpr &Part) {
        return !implies(Guard, Part) && !isKnownAtLaunch(Part, Counters);
      });
    };
    All &= !AsksThreads(Reached->second);
    Sum.walk([&](const Value &Part) {
      All &= Part.K != Value::Kind::Sum || !AsksThreads(Part.Condition);
      All &= Part.K != Value::Kind::Select &&
             !Part.Index.containsKind(AtomKind::Select);
    });
  });
  return All;
}

/// The minimum, or maximum, of \p E over an index from 0 to below \p Extent.
/// Nothing if that is not known for all extents.
static std::optional<IntExpr> atExtreme(const IntExpr &E, const char *Index,
                                        const IntExpr &Extent, bool Largest) {
  const IntExpr Atom = IntExpr::index(Index);
  auto Factor = E.coefficient(Atom.str());
  if (!Factor || !Factor->getConstant())
    return std::nullopt;
  const bool Last = (*Factor->getConstant() > 0) == Largest;
  return E - *Factor * Atom + (Last ? *Factor * (Extent - 1) : IntExpr());
}

/// Requires that \p Condition, over rows and columns, holds for at least one
/// element of each row and of each column of every matrix of the batch. Then
/// the kernel reads everything that the plan reads. False if that cannot be
/// required.
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

/// A loop that runs only if `alpha != 0` reads nothing otherwise, and its
/// operands need not exist; such launches run the original.
bool Normalizer::requireSum() {
  if (!checkRangesReached())
    return false;
  if (C.sumCount() > 1)
    return true; // declined by the planner
  // A condition chooses what a thread stores that does not execute the sum.
  std::optional<BoolExpr> Condition = conditionOfSum(C, 0);
  if (!Condition)
    return true;
  // Loops on both sides of an if that compute the same sum become one sum.
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
