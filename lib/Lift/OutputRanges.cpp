//===-- OutputRanges.cpp - Outputs for a range of an index ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One product may be stored to several arrays, each of them for some columns:
/// `if (n < D) q[...] = sum; else k[...] = sum;`. What holds of all stores
/// bounds the indices of the contraction; what holds of some of them is the
/// range of an index in which these are made.
///
//===----------------------------------------------------------------------===//

#include "Normalizer.h"
#include "Simplify.h"
#include "warpwright/Contraction/SumUse.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

BoolExpr
Normalizer::commonGuard(llvm::function_ref<bool(const Store &)> Which) const {
  BoolExpr Common = BoolExpr::constant(true);
  const Store *First = nullptr;
  for (const Store &S : Space.Stores)
    if (Which(S) && !First)
      First = &S;
  if (!First)
    return Common;
  llvm::SmallVector<BoolExpr, 4> Tests;
  First->Guard.conjuncts(Tests);
  for (const BoolExpr &T : Tests)
    if (llvm::all_of(Space.Stores, [&](const Store &S) {
          llvm::SmallVector<BoolExpr, 4> Its;
          S.Guard.conjuncts(Its);
          return !Which(S) || llvm::is_contained(Its, T);
        }))
      Common = BoolExpr::conjunction(Common, T);
  return Common;
}

/// Whether \p E is not negative where its parameters are not.
static bool isSumOfSizes(const IntExpr &E) {
  return !E.overflowed() && llvm::all_of(E.terms(), [](const auto &Term) {
    return Term.second >= 0;
  });
}

/// Requires that the range of an output ends, or begins, no earlier than
/// another bound does.
void Normalizer::requireOrder(const IntExpr &Later, const IntExpr &Earlier) {
  if (!provablyAtLeast(Later, Earlier))
    Space.require(BoolExpr::compare(CmpOp::GE, Later - Earlier, 0),
                  "the ranges of the outputs are not in order");
}

bool Normalizer::takeRange(std::optional<VarRange> &Range, const BoolExpr &T) {
  VarRange Found;
  size_t Other;
  IntExpr Bound;
  bool Differs = false;
  if (Space.boundOf(T, Found.Var, Bound)) {
    Found.End = Bound;
  } else if (Space.boundOf(BoolExpr::negation(T), Found.Var, Bound)) {
    Found.Begin = Bound;
  } else {
    // `%n == 2` are the numbers from 2 to before 3.
    if (T.getKind() != BoolExpr::Kind::Compare ||
        (T.getOp() != CmpOp::EQ && T.getOp() != CmpOp::NE))
      return false;
    const BoolExpr AtMost =
                       BoolExpr::compare(CmpOp::LE, T.getLHS(), T.getRHS()),
                   AtLeast =
                       BoolExpr::compare(CmpOp::GE, T.getLHS(), T.getRHS());
    IntExpr Begin;
    for (const auto &[Upper, Lower] :
         {std::pair(AtMost, AtLeast), std::pair(AtLeast, AtMost)})
      if (!Found.End && Space.boundOf(Upper, Found.Var, Bound) &&
          Space.boundOf(BoolExpr::negation(Lower), Other, Begin) &&
          Other == Found.Var) {
        Found.Begin = Begin;
        Found.End = Bound;
      }
    if (!Found.End)
      return false;
    Differs = T.getOp() == CmpOp::NE;
  }
  if (Found.Var == Space.Vars.size() || Space.Vars[Found.Var].Reduction ||
      Space.mentions(Found.Begin) || (Found.End && Space.mentions(*Found.End)))
    return false;
  if (!Range)
    Range = VarRange{Found.Var, 0, std::nullopt};
  if (Range->Var != Found.Var)
    return false;
  if (Differs) {
    // All others: those behind, as there are none before.
    if (Range->Begin != Found.Begin)
      return false;
    Range->Begin = *Found.End;
    return true;
  }
  if (Found.End)
    Range->End = Range->End ? lesser(*Range->End, *Found.End) : *Found.End;
  const bool Later =
      Range->Begin.isZero() || !isSumOfSizes(Range->Begin - Found.Begin);
  if (!Found.Begin.isZero() && !Range->Begin.isZero())
    requireOrder(Later ? Found.Begin : Range->Begin,
                 Later ? Range->Begin : Found.Begin);
  if (Later && !Found.Begin.isZero())
    Range->Begin = Found.Begin;
  return true;
}

/// \p E without the choices that \p Facts decide.
static IntExpr decided(const IntExpr &E, const Simplifier &Facts) {
  return E.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::Select)
      return std::nullopt;
    const BoolExpr When = Facts.decide(A.getCondition());
    if (!When.isTrue() && !When.isFalse())
      return std::nullopt;
    return decided(When.isTrue() ? A.getLHS() : A.getRHS(), Facts);
  });
}

/// The same of what is made of sums.
static ValueRef decided(const ValueRef &Of, const Simplifier &Facts) {
  return replaceValues(Of, [&](const ValueRef &V) -> ValueRef {
    if (V->K == Value::Kind::Sum)
      return V;
    if (V->K == Value::Kind::Load) {
      auto Load = std::make_shared<Value>(*V);
      Load->Index = decided(V->Index, Facts);
      Load->setOperands({});
      return Load;
    }
    if (V->K == Value::Kind::Select)
      if (const BoolExpr When = Facts.decide(V->Condition);
          When.isTrue() || When.isFalse())
        return decided(V->Ops[When.isTrue() ? 0 : 1], Facts);
    return nullptr;
  });
}

/// `out = n < D ? q : k; out[m * (n < D ? D : E) + ...] = ...` stores to q
/// where the condition holds, and with it all others are known there.
void Normalizer::decideChoices() {
  for (auto &[W, Name] : Raw) {
    const Simplifier Facts(In.Bounds, W.Loops, W.Guard);
    W.Index = decided(W.Index, Facts);
    W.Value.S = decided(W.Value.S, Facts);
  }
}

/// Whether every element is one of some output. Ranges that follow one another
/// are put in their order, and where the last one ends, so do the elements.
void Normalizer::coverRanges() {
  std::vector<Store> &Stores = Space.Stores;
  if (llvm::any_of(Stores, [](const Store &S) { return !S.Range; }))
    return;
  const size_t Var = Stores.front().Range->Var;
  std::vector<size_t> Order;
  std::optional<IntExpr> At = IntExpr();
  while (At && Order.size() < Stores.size()) {
    const size_t Before = Order.size();
    const VarRange *Here = nullptr;
    for (size_t N = 0; N < Stores.size(); ++N) {
      const VarRange &R = *Stores[N].Range;
      if (R.Var != Var || R.Begin != *At || R.End == At ||
          (Here && R.End != Here->End))
        continue;
      Here = &R;
      Order.push_back(N);
    }
    if (Order.size() == Before)
      break;
    if (Here->End)
      requireOrder(*Here->End, *At);
    At = Here->End;
  }
  if (Order.size() < Stores.size()) {
    RangesLeaveGaps = At.has_value();
    return;
  }
  if (At)
    Extents[Var] = lesser(Extents[Var], *At);
  std::vector<Store> Sorted;
  for (const size_t N : Order)
    Sorted.push_back(std::move(Stores[N]));
  Stores = std::move(Sorted);
}

std::optional<IndexRange>
Normalizer::rangeOf(const Store &S,
                    const std::map<std::string, IntExpr> &Rename) const {
  if (!S.Range)
    return std::nullopt;
  IndexRange Result;
  Result.Begin = S.Range->Begin;
  Result.End = S.Range->End;
  auto Index = Rename.find(Space.Vars[S.Range->Var].key());
  for (const char *Name : {"b", "m", "n"})
    if (Index != Rename.end() && Index->second == IntExpr::index(Name))
      Result.Index = Name;
  return Result;
}

IntExpr countOf(const Output &O, llvm::StringRef Name, const IntExpr &Extent) {
  return O.When && O.When->Index == Name
             ? O.When->End.value_or(Extent) - O.When->Begin
             : Extent;
}

/// Whether \p S is made for one number of an index at most, so that its place
/// need not move with it: `out = z == 0 ? q : k`.
bool Normalizer::isForOneNumber(const Store &S, size_t Var) const {
  return S.Range && S.Range->Var == Var &&
         provablyAtLeast(1,
                         S.Range->End.value_or(Extents[Var]) - S.Range->Begin);
}

/// A plan computes every sum of every element. What it reads for elements that
/// have no use for a sum, or are stored nowhere, must exist.
bool Normalizer::checkRangesReached() {
  if (llvm::none_of(Space.Stores,
                    [](const Store &S) { return S.Range.has_value(); }))
    return true;
  if (RangesLeaveGaps && !ReachedByAll)
    return fail(DiagID::UnsupportedBounds, Space.Sums[0].Loc,
                "some elements are stored nowhere, and their threads may not "
                "read what the others do");
  Contraction One = C;
  for (const Output &O : C.Outputs) {
    One.Outputs = {O};
    for (unsigned I = 0; I != C.sumCount(); ++I)
      if (conditionOfSum(One, I))
        return fail(DiagID::UnsupportedBounds, Space.Sums[0].Loc,
                    "the outputs are not stored under the same condition, and "
                    "a sum is not used by all of them; what would be read for "
                    "the others need not exist");
  }
  return true;
}

} // namespace warpwright::symbolic
