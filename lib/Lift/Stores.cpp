//===-- Stores.cpp - Stores laid over one another --------------------------
//===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stores.h"
#include "Family.h"
#include "Mistakes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright::symbolic {

void overlay(std::vector<Write> &Kept, Write W) {
  for (Write &Old : Kept) {
    // Loops of which each stores to an element once store to the same ones:
    // `if (beta != 0) for (j...) C[j] = ...; else for (j...) C[j] = ...`.
    if (auto There = withLoopsOf(Old, W);
        There && There->Index == Old.Index && storesApart(*There, 1))
      W = std::move(*There);
    bool SamePlace =
        Old.Index == W.Index && Old.Loops.size() == W.Loops.size() &&
        llvm::all_of(llvm::zip(Old.Loops, W.Loops), [](const auto &P) {
          const auto &[A, B] = P;
          return A.Counter == B.Counter && A.Trip == B.Trip;
        });
    if (!SamePlace)
      continue;
    if (implies(Old.Guard, W.Guard)) {
      W.Id = Old.Id;
      Old = std::move(W);
      return;
    }
    if (mistaken(Mistake::OverlayLost))
      return;
    BoolExpr Both = either(Old.Guard, W.Guard);
    BoolExpr ThisOne = withoutConjuncts(W.Guard, Both);
    BoolExpr TheOther = withoutConjuncts(Old.Guard, Both);
    // Of two conditions that exclude each other, the one that is written first.
    bool Exclusive = ThisOne == BoolExpr::negation(TheOther);
    bool OldFirst = Old.Loc.isValid() && W.Loc.isValid() &&
                    Old.Loc.getRawEncoding() < W.Loc.getRawEncoding();
    if (mistaken(Mistake::StoreOrderReversed))
      OldFirst = Exclusive = true;
    SymValue V = Exclusive && OldFirst ? select(TheOther, Old.Value, W.Value)
                                       : select(ThisOne, W.Value, Old.Value);
    Old.Value = std::move(V);
    Old.Guard = Both;
    return;
  }
  Kept.push_back(std::move(W));
}

BoolExpr strongest(const BoolExpr &Guard) {
  llvm::SmallVector<BoolExpr, 4> Tests;
  Guard.conjuncts(Tests);
  for (size_t N = 0; N < Tests.size(); ++N)
    for (size_t Later = N + 1; Later < Tests.size();) {
      const bool Stronger = implies(Tests[Later], Tests[N]);
      if (!Stronger && !implies(Tests[N], Tests[Later])) {
        ++Later;
        continue;
      }
      if (Stronger)
        Tests[N] = Tests[Later];
      Tests.erase(Tests.begin() + Later);
    }
  BoolExpr All = BoolExpr::constant(true);
  for (const BoolExpr &T : Tests)
    All = BoolExpr::conjunction(All, T);
  return All;
}

BoolExpr asLess(const BoolExpr &B) {
  llvm::SmallVector<BoolExpr, 4> Tests;
  B.conjuncts(Tests);
  BoolExpr R = BoolExpr::constant(true);
  for (const BoolExpr &T : Tests) {
    const bool IsCompare = T.getKind() == BoolExpr::Kind::Compare;
    const CmpOp Op = IsCompare ? T.getOp() : CmpOp::EQ;
    if (Op == CmpOp::EQ || Op == CmpOp::NE) {
      R = BoolExpr::conjunction(R, T);
      continue;
    }
    // What is positive where the comparison holds.
    IntExpr Room = Op == CmpOp::LT || Op == CmpOp::LE ? T.getRHS() - T.getLHS()
                                                      : T.getLHS() - T.getRHS();
    if (Op == CmpOp::LE || Op == CmpOp::GE)
      Room += 1;
    IntExpr Left, Right;
    for (const auto &[Atoms, Factor] : Room.terms()) {
      IntExpr Term(Factor);
      for (const AtomRef &A : Atoms)
        Term = Term * IntExpr(A);
      if (Factor < 0 || Atoms.empty())
        Left -= Term;
      else
        Right += Term;
    }
    R = BoolExpr::conjunction(R, BoolExpr::compare(CmpOp::LT, Left, Right));
  }
  return R;
}

BoolExpr mapValues(const BoolExpr &B,
                   llvm::function_ref<ValueRef(const ValueRef &)> Fn) {
  switch (B.getKind()) {
  case BoolExpr::Kind::FloatCmp:
    return BoolExpr::floatCompare(B.getOp(), Fn(B.getValueLHS()),
                                  Fn(B.getValueRHS()));
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(mapValues(B.operands()[0], Fn),
                                 mapValues(B.operands()[1], Fn));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(mapValues(B.operands()[0], Fn),
                                 mapValues(B.operands()[1], Fn));
  case BoolExpr::Kind::Not:
    return BoolExpr::negation(mapValues(B.operands()[0], Fn));
  case BoolExpr::Kind::Constant:
  case BoolExpr::Kind::Compare:
  case BoolExpr::Kind::NonNull:
    return B;
  }
  llvm_unreachable("covered switch");
}

} // namespace warpwright::symbolic
