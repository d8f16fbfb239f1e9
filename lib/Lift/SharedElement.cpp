//===-- SharedElement.cpp - Terms that multiply one element ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedElement.h"
#include "NumberRanges.h"
#include "SplitProduct.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

using Kind = Value::Kind;

/// Larger terms are left alone.
static constexpr unsigned MaxJoinedSize = 512;

static bool isIntegral(ScalarType T) {
  return !isFloating(T) && T != ScalarType::Bool;
}

/// \p V over \p Element, which is a factor of it, in the type of \p V; null if
/// it is none, or if the quotient is not exact. \p V is floating, or an integer
/// that does not wrap around. Products that are rounded to fewer bits than
/// those of float have no quotient.
static ValueRef dividedBy(const ValueRef &V, const ValueRef &Element) {
  const bool Narrow =
      isFloating(V->Type) &&
      significandBits(V->Type) < significandBits(ScalarType::F32);
  if (sameValue(V, Element))
    return isFloating(V->Type) ? Value::constant(V->Type, "1")
                               : Value::integer(V->Type, IntExpr(1));
  switch (V->K) {
  case Kind::Mul:
    if (Narrow || (!isFloating(V->Type) && !isWithin(exactRangeOf(V), V->Type)))
      return nullptr;
    for (unsigned Side : {0, 1})
      if (ValueRef Rest = dividedBy(V->Ops[Side], Element)) {
        const ValueRef &Other = V->Ops[1 - Side];
        if (Rest->isConstant(1))
          return Other;
        return Side == 0 ? Value::binary(Kind::Mul, V->Type, Rest, Other)
                         : Value::binary(Kind::Mul, V->Type, Other, Rest);
      }
    return nullptr;
  case Kind::Neg: {
    if (!isFloating(V->Type))
      return nullptr;
    ValueRef Rest = dividedBy(V->Ops[0], Element);
    return Rest ? Value::unary(Kind::Neg, Rest) : nullptr;
  }
  case Kind::Cast: {
    const ValueRef &Of = V->Ops[0];
    // A number is not rounded, and an integer stays the one that it is.
    if (isFloating(Of->Type)
            ? !isFloating(V->Type) ||
                  significandBits(V->Type) < significandBits(Of->Type)
            : !isIntegral(Of->Type) || ((Narrow || !isFloating(V->Type)) &&
                                        !isWithin(rangeOf(Of), V->Type)))
      return nullptr;
    ValueRef Rest = dividedBy(Of, Element);
    return Rest ? Value::cast(V->Type, Rest) : nullptr;
  }
  default:
    return nullptr;
  }
}

/// The only element in \p V that the innermost loop of \p N moves, with the
/// condition under which it is not 0; null if there are several.
static ValueRef movedElement(const ValueRef &V, const SumNest &N) {
  const std::string Key = IntExpr::counter(N.Loops.back().Counter).str();
  std::vector<ValueRef> Loads, Guarded;
  replaceValues(V, [&](const ValueRef &X) -> ValueRef {
    if (X->K == Kind::Load && X->Index.contains(Key) &&
        llvm::none_of(Loads,
                      [&](const ValueRef &L) { return sameValue(L, X); }))
      Loads.push_back(X);
    if (X->K == Kind::Select && !hasValues(X->Condition) &&
        (X->Ops[0]->isConstant(0) || X->Ops[1]->isConstant(0)))
      Guarded.push_back(X);
    return nullptr;
  });
  if (Loads.size() != 1)
    return nullptr;
  for (const ValueRef &X : Guarded) // the outermost first
    for (const ValueRef &Kept : X->Ops)
      if (sameValue(Kept, Loads[0]))
        return X;
  return Loads[0];
}

/// The numbers of the type of \p V that are multiplied in it.
static void factorsOf(const ValueRef &V, std::vector<ValueRef> &Out) {
  if (V->K == Kind::Mul)
    for (const ValueRef &Op : V->Ops)
      factorsOf(Op, Out);
  else
    Out.push_back(V);
}

static bool overSameLoops(const SumNest &A, const SumNest &B) {
  return A.Guard == B.Guard &&
         llvm::equal(A.Loops, B.Loops,
                     [](const BoundLoop &X, const BoundLoop &Y) {
                       return X.Counter == Y.Counter && X.Trip == Y.Trip;
                     });
}

/// Joins \p One, of a single element, to \p Product if it has this element as
/// a factor.
static bool join(SumTerm &Product, const SumTerm &One,
                 const ValueRef &Element) {
  // A sum of elements that may be infinite is not what its zero point times
  // each of them gives.
  const ScalarType Type = Product.Nest.Body->Type;
  if (!isIntegral(Element->Type) || !isFloating(Type) ||
      One.Nest.Body->Type != Type || One.Rounded != Product.Rounded ||
      !overSameLoops(Product.Nest, One.Nest) ||
      Product.Nest.Body->Size > MaxJoinedSize ||
      One.Nest.Body->Size > MaxJoinedSize)
    return false;
  ValueRef A = dividedBy(Product.Nest.Body, Element),
           B = dividedBy(One.Nest.Body, Element);
  if (!A || !B)
    return false;
  // What else both are multiplied with, such as scales.
  ValueRef Common = Value::cast(Type, Element);
  std::vector<ValueRef> Factors;
  factorsOf(A, Factors);
  for (const ValueRef &F : Factors)
    if (ValueRef OfA = dividedBy(A, F), OfB = dividedBy(B, F); OfA && OfB) {
      Common = Value::binary(Kind::Mul, Type, Common, F);
      A = OfA;
      B = OfB;
    }
  ValueRef Both = B->K == Kind::Neg
                      ? Value::binary(Kind::Sub, Type, A, B->Ops[0])
                      : Value::binary(Kind::Add, Type, A, B);
  Product.Nest.Body = Value::binary(Kind::Mul, Type, Common, Both);
  return true;
}

void joinElements(std::vector<SumTerm> &Terms) {
  for (size_t N = 0; N < Terms.size();) {
    const SumNest &Nest = Terms[N].Nest;
    // In a loop alone it is the sum of a row, which is no product.
    const ValueRef Element =
        Nest.Loops.size() > 1 ? movedElement(Nest.Body, Nest) : nullptr;
    const bool Joined =
        Element && llvm::any_of(Terms, [&](SumTerm &Product) {
          return &Product != &Terms[N] && join(Product, Terms[N], Element);
        });
    if (Joined)
      Terms.erase(Terms.begin() + N);
    else
      ++N;
  }
}

} // namespace warpwright::symbolic
