//===-- Addends.cpp - Sums that are added to one another ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sums of a contraction that are one: the rest of a sum that goes on where
/// the first part ends, and products that the kernel adds up apart. JoinSums.h
/// joins those that are nested loops still.
///
//===----------------------------------------------------------------------===//

#include "Mistakes.h"
#include "Normalizer.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warpwright::symbolic {

/// \p E with whole numbers taken out of quotients: `(x + 17) / 2` is
/// `(x + 1) / 2 + 8`.
static IntExpr withoutWholes(const IntExpr &E) {
  return E.transform([](const IntAtom &A) -> std::optional<IntExpr> {
    auto D = A.getKind() == AtomKind::FloorDiv ? A.getRHS().getConstant()
                                               : std::nullopt;
    if (!D || *D < 1)
      return std::nullopt;
    for (const auto &[M, C] : A.getLHS().terms())
      if (M.empty() && (C < 0 || C >= *D)) {
        const int64_t Low = (C % *D + *D) % *D;
        return IntExpr::floorDiv(A.getLHS() - C + Low, A.getRHS()) +
               IntExpr((C - Low) / *D);
      }
    return std::nullopt;
  });
}

/// \p Q has the products of \p P from term \p Begin on.
static bool goesOn(const Accumulation &P, const Accumulation &Q,
                   const IntExpr &Begin) {
  if (P.AccType != Q.AccType || P.OriginalAccType != Q.OriginalAccType ||
      P.Products.size() != 1 || Q.Products.size() != 1)
    return false;
  auto Later = [&](const Operand &X, const Operand &Y) {
    const IntExpr K = IntExpr::index("k");
    return !X.Prologue && !Y.Prologue && X.Pointer == Y.Pointer &&
           X.Type == Y.Type &&
           recombine(X.Index.substitute(K.str(), K + Begin)) ==
               recombine(Y.Index);
  };
  return Later(P.Products[0].A, Q.Products[0].A) &&
         Later(P.Products[0].B, Q.Products[0].B);
}

namespace {
/// Two sums that are one: how many terms that has, and what may not be
/// negative for it.
struct Joined {
  IntExpr Terms;
  IntExpr Parts[2];
};
} // namespace

/// The two sides of \p E in either order, where it is the lesser of two.
static std::vector<std::pair<IntExpr, IntExpr>> sidesOfMin(const IntExpr &E) {
  AtomRef A = E.getAtom();
  if (!A || A->getKind() != AtomKind::Min)
    return {};
  return {{A->getLHS(), A->getRHS()}, {A->getRHS(), A->getLHS()}};
}

static std::optional<Joined> joined(const Accumulation &P,
                                    const Accumulation &Q) {
  if (goesOn(P, Q, P.KExtent))
    return Joined{P.KExtent + Q.KExtent, {P.KExtent, Q.KExtent}};
  // Both end where the matrix does: the first has min(x, b) terms, the other
  // one min(w, b - x), from term x on, which is none where b is less than x.
  for (const auto &[Begin, End] : sidesOfMin(P.KExtent))
    if (goesOn(P, Q, Begin))
      for (const auto &[Width, Rest] : sidesOfMin(Q.KExtent))
        if (withoutWholes(Rest) == withoutWholes(End - Begin))
          return Joined{lesser(withoutWholes(Begin + Width), End),
                        {Begin, Width}};
  return std::nullopt;
}

namespace {
/// How two sums are added: the signs and the numbers they are multiplied with,
/// null for none.
struct Addition {
  bool Negative[2] = {};
  ValueRef Scale[2];

  bool isPlain() const {
    return !Negative[0] && !Negative[1] && !Scale[0] && !Scale[1];
  }
  bool operator==(const Addition &O) const {
    auto Same = [](const ValueRef &X, const ValueRef &Y) {
      return X && Y ? sameValue(X, Y) : !X && !Y;
    };
    // A sign of both is one of the result.
    return (Negative[0] == Negative[1]) == (O.Negative[0] == O.Negative[1]) &&
           Same(Scale[0], O.Scale[0]) && Same(Scale[1], O.Scale[1]);
  }
};

/// A term of a chain of additions.
struct ChainTerm {
  bool Negative;
  ValueRef V;
};
} // namespace

/// The terms of the chain of additions, subtractions and negations \p V, whose
/// sums are of type \p Type.
static void termsOfChain(const ValueRef &V, ScalarType Type, bool Negative,
                         std::vector<ChainTerm> &Terms) {
  if (V->Type != Type)
    return Terms.push_back({Negative, V});
  switch (V->K) {
  case Value::Kind::Add:
  case Value::Kind::Sub:
    termsOfChain(V->Ops[0], Type, Negative, Terms);
    termsOfChain(V->Ops[1], Type, Negative ^ (V->K == Value::Kind::Sub), Terms);
    return;
  case Value::Kind::Neg:
    return termsOfChain(V->Ops[0], Type, !Negative, Terms);
  case Value::Kind::Fma:
    Terms.push_back({Negative, Value::binary(Value::Kind::Mul, Type, V->Ops[0],
                                             V->Ops[1])});
    return termsOfChain(V->Ops[2], Type, Negative, Terms);
  default:
    Terms.push_back({Negative, V});
  }
}

/// Whether terms of the chain \p Terms may be there to cancel each other:
/// `(x + 12582912.0f) - 12582912.0f` rounds x to a whole number, and what is
/// added to x ahead of that is rounded with it.
static bool roundsByAdding(llvm::ArrayRef<ChainTerm> Terms) {
  for (size_t I = 0; I < Terms.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      if (isNumberOfLaunch(*Terms[I].V)
              ? isNumberOfLaunch(*Terms[J].V)
              : Terms[I].Negative != Terms[J].Negative &&
                    sameValue(Terms[I].V, Terms[J].V))
        return true;
  return false;
}

/// Whether \p V is sum \p N times a number, and then that, null for none.
static bool isScaledSum(const ValueRef &V, unsigned N, ValueRef &Scale) {
  if (V->K == Value::Kind::Mul)
    for (unsigned Side : {0, 1})
      if (ValueRef Inner; isNumberOfLaunch(*V->Ops[Side]) &&
                          isScaledSum(V->Ops[1 - Side], N, Inner) && !Inner) {
        Scale = V->Ops[Side];
        return true;
      }
  Scale = nullptr;
  const ValueRef &X = V->K == Value::Kind::Cast ? V->Ops[0] : V;
  return X->K == Value::Kind::Acc && X->Counter == N;
}

/// \p V, a chain of additions in which the sums \p P and \p Q are a term each,
/// with sum \p Joined in the place of both; null if it is none. \p How says how
/// they are added.
static ValueRef withJoinedTerms(const ValueRef &V, unsigned P, unsigned Q,
                                unsigned Joined, ScalarType Type,
                                Addition &How) {
  if (V->K != Value::Kind::Add && V->K != Value::Kind::Sub &&
      V->K != Value::Kind::Fma)
    return nullptr;
  std::vector<ChainTerm> Terms;
  termsOfChain(V, Type, false, Terms);
  std::optional<size_t> Places[2];
  for (size_t I = 0; I != Terms.size(); ++I)
    for (unsigned Which : {0, 1})
      if (ValueRef Scale; isScaledSum(Terms[I].V, Which ? Q : P, Scale)) {
        if (Places[Which])
          return nullptr;
        Places[Which] = I;
        How.Negative[Which] = Terms[I].Negative;
        How.Scale[Which] = Scale;
      }
  if (!Places[0] || !Places[1])
    return nullptr;
  if (isFloating(Type) && roundsByAdding(Terms))
    return nullptr;
  ValueRef Sum = Value::cast(Type, Value::acc(Joined, Type));
  // A number of both is one of the result.
  if (How.Scale[0] && How.Scale[1]) {
    if (!sameValue(How.Scale[0], How.Scale[1]))
      return nullptr;
    Sum = Value::binary(Value::Kind::Mul, Type, How.Scale[0], Sum);
    How.Scale[0] = How.Scale[1] = nullptr;
  }
  // The sum takes the place of the first of its two terms.
  ValueRef Chain;
  for (size_t I = 0; I != Terms.size(); ++I) {
    const bool First = I == std::min(*Places[0], *Places[1]);
    if (!First && (I == *Places[0] || I == *Places[1]))
      continue;
    const ValueRef Term = First ? Sum : Terms[I].V;
    const bool Negative = First ? How.Negative[0] : Terms[I].Negative;
    if (!Chain)
      Chain = Negative ? Value::unary(Value::Kind::Neg, Term) : Term;
    else
      Chain = Value::binary(Negative ? Value::Kind::Sub : Value::Kind::Add,
                            Type, Chain, Term);
  }
  return Chain;
}

/// The Outputs with one sum in the place of the terms \p P and \p Q of each
/// chain of additions, which has number \p P, and with all sums after \p Q one
/// number lower. Nothing if one of the two is used otherwise, or if they are
/// not added alike everywhere. \p How says how they are added.
static std::optional<std::vector<ValueRef>>
withOneSum(const std::vector<Output> &Outputs, unsigned P, unsigned Q,
           ScalarType Type, Addition &How) {
  const unsigned Joined = ~0u; // no sum has this number
  bool Alone = false;
  std::optional<Addition> Common;
  std::vector<ValueRef> Values;
  for (const Output &O : Outputs) {
    const ValueRef With =
        replaceValues(O.Value, [&](const ValueRef &V) -> ValueRef {
          Addition Here;
          ValueRef Chain = withJoinedTerms(V, P, Q, Joined, Type, Here);
          if (Chain) {
            Alone |= Common && !(*Common == Here);
            Common = Here;
          }
          return Chain;
        });
    Values.push_back(replaceValues(With, [&](const ValueRef &V) -> ValueRef {
      if (V->K != Value::Kind::Acc)
        return nullptr;
      if (V->Counter == Joined)
        return Value::acc(P, V->Type);
      Alone |= V->Counter == P || V->Counter == Q;
      return V->Counter > Q ? Value::acc(V->Counter - 1, V->Type) : nullptr;
    }));
  }
  if (Alone || !Common)
    return std::nullopt;
  How = *Common;
  return Values;
}

static bool isRemainder(const IntExpr &E) {
  const IntExpr Rest = withRemainders(E);
  AtomRef A = Rest.getAtom();
  return A && A->getKind() == AtomKind::Mod &&
         A->getRHS().getConstant().value_or(0) > 0;
}

/// Sums of every fourth product each were one sum already; what remains of the
/// last four is another one, which goes on where that ends.
void Normalizer::joinRemainders() {
  // Behind a loop that runs at least once, a pointer has moved on as often as
  // the loop runs, not max(0, n) times.
  Ranges Bounds = In.Bounds;
  for (const Requirement &R : Space.Requires)
    if (R.Condition.getKind() == BoolExpr::Kind::Compare &&
        R.Condition.getOp() == CmpOp::GE)
      Bounds.learnAtLeast(R.Condition.getLHS() - R.Condition.getRHS(), 0);
  const Simplifier Facts(Bounds, {}, BoolExpr::constant(true));
  auto Settled = [&](Accumulation Sum) {
    for (Product &P : Sum.Products)
      for (Operand *O : {&P.A, &P.B})
        O->Index = Facts.simplify(O->Index);
    return Sum;
  };
  for (unsigned P = 0; P < C.sumCount(); ++P)
    for (unsigned Q = 0; Q < C.sumCount(); ++Q) {
      if (P == Q)
        continue;
      const Accumulation First = Settled(C.sum(P)), Rest = Settled(C.sum(Q));
      const auto Both = joined(First, Rest);
      if (!Both)
        continue;
      const unsigned Kept = std::min(P, Q), Gone = std::max(P, Q);
      Addition How;
      auto Values = withOneSum(C.Outputs, Kept, Gone, First.AccType, How);
      if (!Values || !How.isPlain())
        continue;
      for (size_t N = 0; N < Values->size(); ++N)
        C.Outputs[N].Value = (*Values)[N];
      for (const IntExpr &Terms : Both->Parts)
        if (!isRemainder(Terms) && !provablyAtLeast(Terms, 0))
          Space.require(BoolExpr::compare(CmpOp::GE, Terms, 0),
                        "a loop runs a negative number of times");
      Accumulation Whole = First;
      Whole.KExtent = recombine(Both->Terms);
      C.MoreSums.erase(C.MoreSums.begin() + Gone - 1);
      C.setSum(Kept, std::move(Whole));
      return joinRemainders();
    }
}

/// Two sums that have a factor in common are computed side by side, in less
/// time than one after the other.
static bool shareFactor(const Accumulation &P, const Accumulation &Q) {
  return P.Products.size() == 1 && Q.Products.size() == 1 &&
         P.KExtent == Q.KExtent &&
         (sameOperand(P.Products[0].A, Q.Products[0].A) ||
          sameOperand(P.Products[0].B, Q.Products[0].B));
}

/// The products of both sums as one, each with its range of k and what it is
/// multiplied with. Those with a number are first, since what has been added up
/// can be multiplied with it before the others are added (docs/plans.md).
static Accumulation addedUp(const Accumulation &P, const Accumulation &Q,
                            const Addition &How) {
  Accumulation Result = P;
  Result.Products.clear();
  for (const Accumulation *Sum : {&P, &Q}) {
    const ValueRef &Scale = How.Scale[Sum == &Q];
    for (Product X : Sum->Products) {
      X.KExtent = mistaken(Mistake::ProductRangeForgotten) ? P.KExtent
                                                           : Sum->extentOf(X);
      X.Subtracted ^= Sum == &Q && How.Negative[0] != How.Negative[1];
      if (Scale && !mistaken(Mistake::ProductScaleDropped))
        X.Scale =
            X.Scale ? Value::binary(Value::Kind::Mul, P.AccType, Scale, X.Scale)
                    : Scale;
      // A sum does not begin with a product that it subtracts.
      if (X.Scale && X.Subtracted) {
        X.Scale = Value::unary(Value::Kind::Neg, X.Scale);
        X.Subtracted = false;
      }
      Result.Products.push_back(std::move(X));
    }
  }
  std::stable_partition(Result.Products.begin(), Result.Products.end(),
                        [](const Product &X) { return X.Scale != nullptr; });
  Result.KExtent = *Result.Products.front().KExtent;
  for (Product &X : Result.Products)
    if (*X.KExtent == Result.KExtent)
      X.KExtent.reset();
  if (significandBits(Q.OriginalAccType) < significandBits(P.OriginalAccType))
    Result.OriginalAccType = Q.OriginalAccType;
  return Result;
}

/// Sums that are only ever added up, or subtracted from one another, are one
/// sum of the products of both: what two loops compute into one variable, one
/// after the other, is then what one loop computes, and so is what a loop keeps
/// apart in two. One of the two may be multiplied with a number.
void Normalizer::joinAddends() {
  for (unsigned P = 0; P < C.sumCount(); ++P)
    for (unsigned Q = P + 1; Q < C.sumCount(); ++Q) {
      const Accumulation First = C.sum(P), Second = C.sum(Q);
      if (First.AccType != Second.AccType)
        continue;
      Addition How;
      auto Values = withOneSum(C.Outputs, P, Q, First.AccType, How);
      if (!Values)
        continue;
      const bool Scaled = How.Scale[0] || How.Scale[1];
      if (Scaled && (!isFloating(First.AccType) || shareFactor(First, Second)))
        continue;
      Accumulation Sum = addedUp(First, Second, How);
      if (Sum.Products.front().Subtracted)
        continue;
      for (size_t N = 0; N < Values->size(); ++N)
        C.Outputs[N].Value = (*Values)[N];
      C.MoreSums.erase(C.MoreSums.begin() + Q - 1);
      C.setSum(P, std::move(Sum));
      return joinAddends();
    }
}

} // namespace warpwright::symbolic
