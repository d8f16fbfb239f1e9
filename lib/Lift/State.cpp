//===-- State.cpp - What the interpreter knows at a point -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright::symbolic {

static constexpr unsigned MaxValueSize = 4000;

SymValue SymValue::unknown(DiagID ID, clang::SourceLocation Loc,
                           llvm::Twine Reason) {
  SymValue V;
  V.ReasonID = ID;
  V.ReasonLoc = Loc;
  V.Reason = Reason.str();
  return V;
}

SymValue SymValue::integer(IntExpr E, ScalarType T) {
  SymValue V;
  V.K = Kind::Int;
  V.Type = T;
  V.I = std::move(E);
  return V;
}

SymValue SymValue::boolean(BoolExpr B) {
  SymValue V;
  V.K = Kind::Bool;
  V.Type = ScalarType::Bool;
  V.B = std::move(B);
  return V;
}

SymValue SymValue::scalar(ValueRef S) {
  SymValue V;
  V.K = Kind::Scalar;
  V.Type = S->Type;
  V.S = std::move(S);
  return V;
}

SymValue SymValue::pointer(std::string Array, ScalarType Elem, IntExpr Offset) {
  SymValue V;
  V.K = Kind::Pointer;
  V.Type = Elem;
  V.Array = std::move(Array);
  V.I = std::move(Offset);
  return V;
}

bool same(const SymValue &A, const SymValue &B) {
  if (A.K != B.K)
    return false;
  switch (A.K) {
  case SymValue::Kind::Unknown:
    // Not two equal values, but one value that nobody has touched.
    return A.ReasonLoc == B.ReasonLoc && A.Reason == B.Reason;
  case SymValue::Kind::Int:
    return A.I == B.I;
  case SymValue::Kind::Bool:
    return A.B == B.B;
  case SymValue::Kind::Scalar:
    return sameValue(A.S, B.S);
  case SymValue::Kind::Pointer:
    return A.Array == B.Array && A.Type == B.Type && A.I == B.I;
  case SymValue::Kind::Struct:
    return A.Fields.size() == B.Fields.size() &&
           llvm::all_of(llvm::zip(A.Fields, B.Fields), [](auto P) {
             return same(std::get<0>(P), std::get<1>(P));
           });
  case SymValue::Kind::Lambda:
    return A.L == B.L;
  }
  llvm_unreachable("covered switch");
}

SymValue select(const BoolExpr &C, const SymValue &A, const SymValue &B) {
  if (C.isTrue() || same(A, B))
    return A;
  if (C.isFalse())
    return B;
  if (A.is(SymValue::Kind::Unknown))
    return A;
  if (B.is(SymValue::Kind::Unknown))
    return B;
  auto Mixed = [&] {
    return SymValue::unknown(
        DiagID::UnsupportedExpression,
        A.AssignLoc.isValid() ? A.AssignLoc : B.AssignLoc,
        "a value depends on the branch taken in a way that is not understood");
  };
  SymValue R = A;
  R.Narrow |= B.Narrow;
  R.NarrowUnsigned |= B.NarrowUnsigned;
  if (A.K != B.K) {
    // An integer constant beside a loaded value.
    if (A.is(SymValue::Kind::Scalar) && B.is(SymValue::Kind::Int)) {
      R.S = Value::select(C, A.S, Value::integer(A.Type, B.I));
      return R;
    }
    if (B.is(SymValue::Kind::Scalar) && A.is(SymValue::Kind::Int))
      return SymValue::scalar(
          Value::select(C, Value::integer(B.Type, A.I), B.S));
    return Mixed();
  }
  switch (A.K) {
  case SymValue::Kind::Int:
    R.I = IntExpr::select(C, A.I, B.I);
    return R;
  case SymValue::Kind::Bool:
    R.B = BoolExpr::disjunction(
        BoolExpr::conjunction(C, A.B),
        BoolExpr::conjunction(BoolExpr::negation(C), B.B));
    return R;
  case SymValue::Kind::Scalar:
    if (A.Type != B.Type)
      return Mixed();
    R.S = Value::select(C, A.S, B.S);
    // A few dozen branches in a row make a tree that nobody can print.
    if (R.S->Size > MaxValueSize)
      return SymValue::unknown(
          DiagID::TooComplex, A.AssignLoc.isValid() ? A.AssignLoc : B.AssignLoc,
          "a value depends on too many branches to be written down");
    return R;
  case SymValue::Kind::Pointer:
    if (A.Array != B.Array || A.Type != B.Type)
      return Mixed();
    R.I = IntExpr::select(C, A.I, B.I);
    return R;
  case SymValue::Kind::Struct:
    if (A.Fields.size() != B.Fields.size())
      return Mixed();
    for (size_t N = 0; N < A.Fields.size(); ++N)
      R.Fields[N] = select(C, A.Fields[N], B.Fields[N]);
    return R;
  case SymValue::Kind::Unknown:
  case SymValue::Kind::Lambda:
    return Mixed();
  }
  llvm_unreachable("covered switch");
}

bool implies(const BoolExpr &A, const BoolExpr &B) {
  llvm::SmallVector<BoolExpr, 4> Has, Wants;
  A.conjuncts(Has);
  B.conjuncts(Wants);
  return llvm::all_of(
      Wants, [&](const BoolExpr &W) { return llvm::is_contained(Has, W); });
}

BoolExpr withoutConjuncts(const BoolExpr &A, const BoolExpr &Known) {
  llvm::SmallVector<BoolExpr, 4> Has, Drop;
  A.conjuncts(Has);
  Known.conjuncts(Drop);
  BoolExpr R = BoolExpr::constant(true);
  if (A.isFalse())
    return A;
  for (const BoolExpr &C : Has)
    if (!llvm::is_contained(Drop, C))
      R = BoolExpr::conjunction(R, C);
  return R;
}

} // namespace warpwright::symbolic
