//===-- ConvertedSums.cpp - Sums of integers that floats add up -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertedSums.h"
#include "NumberRanges.h"
#include "Simplify.h"
#include "SplitProduct.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warpwright::symbolic {

using Kind = Value::Kind;

/// Larger values are left alone.
static constexpr unsigned MaxConvertedSize = 1024;

static bool hasSum(const ValueRef &V) { return V->containsKind(Kind::Sum); }

/// A number of all threads that is at least \p Trip: itself, or a side of a
/// minimum.
static std::optional<IntExpr> sameForAll(const IntExpr &Trip) {
  bool Varies = false;
  Trip.walk([&](const IntAtom &A) { Varies |= Simplifier::varies(A); });
  if (!Varies)
    return Trip;
  const AtomRef A = Trip.getAtom();
  if (!A || A->getKind() != AtomKind::Min)
    return std::nullopt;
  if (auto Side = sameForAll(A->getLHS()))
    return Side;
  return sameForAll(A->getRHS());
}

namespace {
/// An integer with sums in it, which is converted to the floating-point type
/// Type.
class ConvertedSum {
public:
  explicit ConvertedSum(ScalarType Type) : Type(Type) {}

  /// The numbers that \p V may have where no loop whose end is unknown runs
  /// more than \p Most times; nothing if an operation may wrap around.
  std::optional<NumberRange> rangeOf(const ValueRef &V, double Most) const;
  /// The same number, computed in floating point; null if there is an operation
  /// that is not understood.
  ValueRef inFloats(const ValueRef &V);

  /// The numbers of iterations that have to be bounded.
  std::vector<IntExpr> Trips;

private:
  const ScalarType Type;
};
} // namespace

std::optional<NumberRange> ConvertedSum::rangeOf(const ValueRef &V,
                                                 double Most) const {
  NumberRange R;
  switch (V->K) {
  case Kind::Sum: {
    const auto Of = rangeOf(V->Ops[0], Most);
    if (!Of)
      return std::nullopt;
    const auto Trip = V->Index.getConstant();
    const double Times =
        Trip ? static_cast<double>(std::max<int64_t>(*Trip, 0)) : Most;
    R = {std::min(Of->Low, 0.0) * Times, std::max(Of->High, 0.0) * Times};
    break;
  }
  case Kind::Neg:
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul: {
    const auto A = rangeOf(V->Ops[0], Most),
               B = V->K == Kind::Neg ? NumberRange() : rangeOf(V->Ops[1], Most);
    if (!A || !B)
      return std::nullopt;
    R = arithmeticRange(V->K, *A, *B);
    break;
  }
  case Kind::Cast:
    if (isFloating(V->Ops[0]->Type))
      return symbolic::rangeOf(V->Type);
    if (const auto Of = rangeOf(V->Ops[0], Most))
      R = *Of;
    else
      return std::nullopt;
    break;
  case Kind::Select: {
    const auto A = rangeOf(V->Ops[0], Most), B = rangeOf(V->Ops[1], Most);
    if (!A || !B)
      return std::nullopt;
    R = {std::min(A->Low, B->Low), std::max(A->High, B->High)};
    break;
  }
  default:
    return symbolic::rangeOf(V);
  }
  return isWithin(R, V->Type) ? std::optional(R) : std::nullopt;
}

ValueRef ConvertedSum::inFloats(const ValueRef &V) {
  auto Binary = [&]() -> ValueRef {
    ValueRef A = inFloats(V->Ops[0]), B = inFloats(V->Ops[1]);
    return A && B ? Value::binary(V->K, Type, A, B) : nullptr;
  };
  switch (V->K) {
  case Kind::Sum: {
    // A name says to what partial sums are cut.
    if (!V->Name.empty())
      return nullptr;
    if (!V->Index.getConstant()) {
      const auto Trip = sameForAll(V->Index);
      if (!Trip)
        return nullptr;
      if (!llvm::is_contained(Trips, *Trip))
        Trips.push_back(*Trip);
    }
    ValueRef Of = inFloats(V->Ops[0]);
    if (!Of)
      return nullptr;
    auto R = std::make_shared<Value>(*V);
    R->Type = Type;
    R->setOperands({std::move(Of)});
    return R;
  }
  case Kind::Add:
  case Kind::Sub:
    return Binary();
  case Kind::Neg: {
    ValueRef Of = inFloats(V->Ops[0]);
    return Of ? Value::unary(Kind::Neg, Of) : nullptr;
  }
  case Kind::Mul:
    if (hasSum(V))
      return Binary();
    break;
  case Kind::Cast:
    // A sum that is cut to an integer stays one.
    if (hasSum(V))
      return isFloating(V->Ops[0]->Type) ? nullptr : inFloats(V->Ops[0]);
    break;
  case Kind::Select:
    if (hasSum(V)) {
      ValueRef A = inFloats(V->Ops[0]), B = inFloats(V->Ops[1]);
      return A && B && !hasValues(V->Condition)
                 ? Value::select(V->Condition, A, B)
                 : nullptr;
    }
    break;
  default:
    break;
  }
  return hasSum(V) ? nullptr : Value::cast(Type, V);
}

/// How often a loop may run at most so that \p Fits; 0: not even once.
static int64_t mostIterations(llvm::function_ref<bool(int64_t)> Fits) {
  // Every product of sums of more is beyond 32 bits.
  int64_t Low = 0, High = int64_t(1) << 31;
  while (High - Low > 1) {
    const int64_t Middle = Low + (High - Low) / 2;
    (Fits(Middle) ? Low : High) = Middle;
  }
  return Low;
}

ValueRef convertSummands(const ValueRef &V,
                         std::vector<Requirement> &Requires) {
  if (!hasSum(V))
    return V;
  auto Converted = [&](const ValueRef &X) -> ValueRef {
    if (X->K != Kind::Cast ||
        (X->Type != ScalarType::F32 && X->Type != ScalarType::F64) ||
        isFloating(X->Ops[0]->Type) || X->Size > MaxConvertedSize || !hasSum(X))
      return nullptr;
    ConvertedSum Sum(X->Type);
    ValueRef R = Sum.inFloats(X->Ops[0]);
    auto Fits = [&](int64_t Most) {
      return Sum.rangeOf(X->Ops[0], static_cast<double>(Most)).has_value();
    };
    if (!R || !Fits(1))
      return nullptr;
    if (Sum.Trips.empty())
      return R;
    const int64_t Most = mostIterations(Fits);
    for (const IntExpr &Trip : Sum.Trips)
      Requires.push_back({BoolExpr::compare(CmpOp::LE, Trip, IntExpr(Most)),
                          "a sum of integers may exceed its type"});
    return R;
  };
  return replaceValues(V, [&](const ValueRef &S) -> ValueRef {
    if (S->K != Kind::Sum || !isFloating(S->Type))
      return nullptr;
    return replaceValues(S, Converted);
  });
}

std::string whyNotTaken(const ValueRef &Body) {
  std::string Why = "a sum of more than one product per iteration";
  replaceValues(Body, [&](const ValueRef &V) -> ValueRef {
    if (V->K == Kind::Cast && hasSum(V->Ops[0]))
      Why = ("what a loop inside sums in " + name(V->Ops[0]->Type) +
             " is converted to " + name(V->Type) + " before it is added")
                .str();
    return nullptr;
  });
  return Why;
}

} // namespace warpwright::symbolic
