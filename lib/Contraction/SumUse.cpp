//===-- SumUse.cpp - When the sums of a contraction are used --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/SumUse.h"
#include <map>
#include <set>

namespace warpwright {

namespace {

/// Follows the values of outputs down to one sum.
class SumFinder {
public:
  explicit SumFinder(unsigned Sum) : Sum(Sum) {}

  /// Records the uses of the sum in \p V, which is needed wherever \p Path
  /// holds.
  void visit(const ValueRef &V, const BoolExpr &Path) {
    const bool Always = Path.isTrue();
    if (!V || Certain || Steps > MostSteps || !mentions(V) ||
        (Always && !Seen.insert(V.get()).second))
      return;
    ++Steps;
    if (V->K == Value::Kind::Acc) {
      Certain = Always;
      Somewhere = BoolExpr::disjunction(Somewhere, Path);
      return;
    }
    if (V->K != Value::Kind::Select) {
      for (const ValueRef &Op : V->Ops)
        visit(Op, Path);
      return;
    }
    V->Condition.walk([](const IntExpr &) {},
                      [&](const ValueRef &Compared) { visit(Compared, Path); });
    visit(V->Ops[0], BoolExpr::conjunction(Path, V->Condition));
    visit(V->Ops[1],
          BoolExpr::conjunction(Path, BoolExpr::negation(V->Condition)));
  }

  std::optional<BoolExpr> condition() const {
    if (Certain)
      return std::nullopt;
    return Steps > MostSteps ? BoolExpr::constant(false) : Somewhere;
  }

private:
  /// Shared values are visited once for each condition under which they are
  /// used.
  static constexpr unsigned MostSteps = 10000;

  bool mentions(const ValueRef &V) {
    if (V->K == Value::Kind::Acc)
      return V->Counter == Sum;
    auto [Known, New] = Mentions.try_emplace(V.get(), false);
    if (!New)
      return Known->second;
    bool Found = false;
    for (const ValueRef &Op : V->Ops)
      Found |= mentions(Op);
    V->Condition.walk([](const IntExpr &) {},
                      [&](const ValueRef &X) { Found |= mentions(X); });
    return Mentions[V.get()] = Found;
  }

  const unsigned Sum;
  bool Certain = false;
  BoolExpr Somewhere = BoolExpr::constant(false);
  unsigned Steps = 0;
  std::set<const Value *> Seen; ///< visited with a Path that is true
  std::map<const Value *, bool> Mentions;
};

} // namespace

std::optional<BoolExpr> conditionOfSum(const Contraction &C, unsigned I) {
  bool ByAll = true;
  BoolExpr Somewhere = BoolExpr::constant(false);
  for (const Output &O : C.Outputs) {
    SumFinder Finder(I);
    Finder.visit(O.Value, BoolExpr::constant(true));
    const std::optional<BoolExpr> Here = Finder.condition();
    if (!Here && !O.When)
      return std::nullopt;
    ByAll &= !Here;
    Somewhere = BoolExpr::disjunction(
        Somewhere, BoolExpr::conjunction(
                       O.When ? O.When->condition() : BoolExpr::constant(true),
                       Here.value_or(BoolExpr::constant(true))));
  }
  return ByAll ? std::nullopt : std::optional(Somewhere);
}

} // namespace warpwright
