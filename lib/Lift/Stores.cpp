//===- Stores.cpp - Stores laid over one another --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stores.h"
#include "Family.h"
#include "Mistakes.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright::symbolic {

/// Whether \p B holds wherever \p A does: `x < 4 * floordiv(N, 4)` is narrower
/// than `x < N`.
static bool isNarrower(const BoolExpr &A, const BoolExpr &B) {
  llvm::SmallVector<BoolExpr, 4> Parts;
  A.conjuncts(Parts);
  return implies(A, B) || llvm::any_of(Parts, [&](const BoolExpr &Part) {
           std::vector<IntExpr> OfA, OfB; // not negative
           asNotNegative(Part, OfA);
           asNotNegative(B, OfB);
           return OfA.size() == 1 && OfB.size() == 1 &&
                  provablyAtLeast(OfB[0], OfA[0]);
         });
}

BoolExpr withoutDecided(const BoolExpr &B) {
  llvm::SmallVector<BoolExpr, 4> Parts;
  B.conjuncts(Parts);
  for (BoolExpr &Part : Parts) {
    llvm::SmallVector<BoolExpr, 4> Cases;
    disjuncts(Part, Cases);
    for (size_t N = 0; N < Cases.size();) {
      const bool Narrow = llvm::any_of(Cases, [&](const BoolExpr &Other) {
        return &Other != &Cases[N] && isNarrower(Cases[N], Other);
      });
      if (Narrow)
        Cases.erase(Cases.begin() + N);
      else
        ++N;
    }
    BoolExpr Left = BoolExpr::constant(false);
    for (const BoolExpr &Case : Cases)
      Left = BoolExpr::disjunction(Left, Case);
    Part = Left;
  }
  BoolExpr Rest = BoolExpr::constant(true);
  for (const BoolExpr &Part : Parts)
    if (Part.getKind() != BoolExpr::Kind::Or ||
        llvm::none_of(Parts, [&](const BoolExpr &Other) {
          return Other.getKind() != BoolExpr::Kind::Or &&
                 isNarrower(Other, Part);
        }))
      Rest = BoolExpr::conjunction(Rest, Part);
  return Rest;
}

/// Whether the two are the same number: `alpha * x` is `x * alpha`.
static bool areEqual(const ValueRef &A, const ValueRef &B) {
  if (sameValue(A, B))
    return true;
  if (A->K != B->K || A->Type != B->Type ||
      (A->K != Value::Kind::Mul && A->K != Value::Kind::Add))
    return false;
  return (areEqual(A->Ops[0], B->Ops[0]) && areEqual(A->Ops[1], B->Ops[1])) ||
         (areEqual(A->Ops[0], B->Ops[1]) && areEqual(A->Ops[1], B->Ops[0]));
}

void overlay(std::vector<Write> &Kept, Write W, bool AsOutput) {
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
    BoolExpr ThisOne = withoutDecided(withoutConjuncts(W.Guard, Both));
    BoolExpr TheOther = withoutDecided(withoutConjuncts(Old.Guard, Both));
    // Of two conditions that exclude each other, the one that is written first.
    bool Exclusive = ThisOne == BoolExpr::negation(TheOther);
    bool OldFirst = Old.Loc.isValid() && W.Loc.isValid() &&
                    Old.Loc.getRawEncoding() < W.Loc.getRawEncoding();
    if (mistaken(Mistake::StoreOrderReversed))
      OldFirst = Exclusive = true;
    // `if (fits) if (beta != 0) c = v; else c = w; else c = beta != 0 ? v : w;`
    const bool Alike = AsOutput && Old.Value.is(SymValue::Kind::Scalar) &&
                       W.Value.is(SymValue::Kind::Scalar) &&
                       Old.Value.S->K == Value::Kind::Select &&
                       areEqual(chosen(Old.Value.S, W.Guard), W.Value.S);
    SymValue V = Alike                   ? Old.Value
                 : Exclusive && OldFirst ? select(TheOther, Old.Value, W.Value)
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

ValueRef weakerSide(const BoolExpr &When, const ValueRef &Then,
                    const ValueRef &Else, const Ranges &Bounds,
                    const std::vector<BoundLoop> &Loops) {
  if (hasValues(When))
    return nullptr;
  auto Covers = [&](const ValueRef &Side, const ValueRef &Other,
                    const BoolExpr &Known) {
    return Side->K == Value::Kind::Select && !hasValues(Side->Condition) &&
           sameValue(Side->Ops[0], Other) &&
           Simplifier(Bounds, Loops, Known).simplify(Side->Condition).isTrue();
  };
  if (Covers(Else, Then, When))
    return Else;
  if (Covers(Then, Else, BoolExpr::negation(When)))
    return Then;
  return nullptr;
}

BoolExpr joinBranches(std::vector<std::pair<BoolExpr, SymValue>> &Values) {
  auto Excludes = [](const BoolExpr &A, const BoolExpr &B) {
    return implies(A, BoolExpr::negation(B)) ||
           implies(B, BoolExpr::negation(A));
  };
  for (size_t N = 0; N < Values.size(); ++N)
    for (size_t Later = N + 1; Later < Values.size();) {
      const BoolExpr When = Values[N].first, Other = Values[Later].first;
      // Both together are where less is asked for.
      const BoolExpr Both = either(When, Other);
      const bool Joins =
          withoutConjuncts(Both, When).isTrue() && implies(Other, Both) &&
          std::all_of(Values.begin() + N + 1, Values.begin() + Later,
                      [&](const auto &X) { return Excludes(X.first, Other); });
      if (!Joins) {
        ++Later;
        continue;
      }
      Values[N] = {Both, select(withoutConjuncts(When, Both), Values[N].second,
                                Values[Later].second)};
      Values.erase(Values.begin() + Later);
      Later = N + 1;
    }
  BoolExpr Cover = BoolExpr::constant(false);
  for (const auto &Each : Values)
    Cover = either(Cover, Each.first);
  return Cover;
}

bool containsMinimum(const SymValue &V) {
  bool Found = V.I.containsKind(AtomKind::Min);
  if (V.S)
    transformInts(V.S, [&](const IntAtom &A) -> std::optional<IntExpr> {
      Found |= A.getKind() == AtomKind::Min;
      return std::nullopt;
    });
  return Found;
}

} // namespace warpwright::symbolic
