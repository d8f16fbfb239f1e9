//===-- Operators.cpp - Symbolic evaluation of operators ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons, increments, and the unary and binary operators. Arithmetic
// itself is in Expressions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static CmpOp cmpOpOf(BinaryOperatorKind Op) {
  switch (Op) {
  case BO_LT:
    return CmpOp::LT;
  case BO_GT:
    return CmpOp::GT;
  case BO_LE:
    return CmpOp::LE;
  case BO_GE:
    return CmpOp::GE;
  case BO_EQ:
    return CmpOp::EQ;
  default:
    return CmpOp::NE;
  }
}

SymValue Interpreter::compare(BinaryOperatorKind Op, const SymValue &L,
                              const SymValue &R, SourceLocation Loc) {
  if (L.is(VK::Unknown))
    return L;
  if (R.is(VK::Unknown))
    return R;
  CmpOp C = cmpOpOf(Op);
  if (L.is(VK::Pointer) && R.is(VK::Pointer)) {
    bool Equality = C == CmpOp::EQ || C == CmpOp::NE;
    if (Equality && (L.Array.empty() || R.Array.empty())) {
      BoolExpr NonNull = toBool(L.Array.empty() ? R : L, Loc);
      return SymValue::boolean(C == CmpOp::NE ? NonNull
                                              : BoolExpr::negation(NonNull));
    }
    if (L.Array == R.Array)
      return SymValue::boolean(BoolExpr::compare(C, L.I, R.I));
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "pointers into different arrays are compared");
  }
  if (L.is(VK::Bool) && R.is(VK::Bool) && (C == CmpOp::EQ || C == CmpOp::NE)) {
    BoolExpr Same =
        BoolExpr::disjunction(BoolExpr::conjunction(L.B, R.B),
                              BoolExpr::conjunction(BoolExpr::negation(L.B),
                                                    BoolExpr::negation(R.B)));
    return SymValue::boolean(C == CmpOp::EQ ? Same : BoolExpr::negation(Same));
  }
  auto IsInt = [](const SymValue &V) {
    return V.is(VK::Int) || V.is(VK::Bool);
  };
  auto AsInt = [](const SymValue &V) {
    return V.is(VK::Bool) ? IntExpr::select(V.B, IntExpr(1), IntExpr(0)) : V.I;
  };
  if (IsInt(L) && IsInt(R)) {
    auto IsUnsigned = [](const SymValue &V) {
      return V.is(VK::Int) &&
             (V.Type == ScalarType::U32 || V.Type == ScalarType::U64);
    };
    if ((IsUnsigned(L) || IsUnsigned(R)) &&
        (!sameUnsigned(AsInt(L)) || !sameUnsigned(AsInt(R))))
      return SymValue::unknown(DiagID::UnsupportedBounds, Loc,
                               "a number that may be negative is compared as "
                               "unsigned");
    return SymValue::boolean(BoolExpr::compare(C, AsInt(L), AsInt(R)));
  }
  auto AsScalar = [&](const SymValue &V, ScalarType T) {
    return V.is(VK::Scalar) ? V.S : Value::integer(T, AsInt(V));
  };
  if ((L.is(VK::Scalar) || IsInt(L)) && (R.is(VK::Scalar) || IsInt(R))) {
    ScalarType T = L.is(VK::Scalar) ? L.Type : R.Type;
    return SymValue::boolean(
        BoolExpr::floatCompare(C, AsScalar(L, T), AsScalar(R, T)));
  }
  return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                           "this comparison is not understood");
}

SymValue Interpreter::incDec(const Expr *Operand, int Delta, bool Prefix) {
  LValue L = evalLValue(Operand);
  if (Failed)
    return {};
  SymValue Old = load(L, Operand->getExprLoc());
  SymValue New = arithmetic(Delta > 0 ? BO_Add : BO_Sub, Old,
                            SymValue::integer(IntExpr(1)), Operand->getType(),
                            Operand->getExprLoc());
  // Counting a variable up does not make it 32-bit address arithmetic.
  New.Narrow = Old.Narrow;
  New.NarrowUnsigned = Old.NarrowUnsigned;
  if (!store(L, New, Operand->getExprLoc()))
    return {};
  return Prefix ? New : Old;
}

SymValue Interpreter::evalUnary(const UnaryOperator &E) {
  switch (E.getOpcode()) {
  case UO_PostInc:
  case UO_PreInc:
    return incDec(E.getSubExpr(), 1, E.isPrefix());
  case UO_PostDec:
  case UO_PreDec:
    return incDec(E.getSubExpr(), -1, E.isPrefix());
  case UO_Plus:
    return eval(E.getSubExpr());
  case UO_Minus: {
    SymValue V = eval(E.getSubExpr());
    if (V.is(VK::Int)) {
      V.I = -V.I;
      return V;
    }
    if (V.is(VK::Scalar))
      return SymValue::scalar(Value::unary(Value::Kind::Neg, V.S));
    return V;
  }
  case UO_LNot: {
    SymValue V = eval(E.getSubExpr());
    if (Failed || V.is(VK::Unknown))
      return V;
    return SymValue::boolean(BoolExpr::negation(toBool(V, E.getExprLoc())));
  }
  case UO_AddrOf: {
    LValue L = evalLValue(E.getSubExpr());
    if (L.K == LValue::Kind::Memory)
      return L.Pointer;
    auto ST = scalarType(E.getSubExpr()->getType());
    if (L.K == LValue::Kind::Cell && L.Path.empty() && ST)
      return SymValue::pointer("@" + std::to_string(L.Cell), *ST, IntExpr());
    return SymValue::unknown(DiagID::UnsupportedExpression, E.getExprLoc(),
                             "the address of this is not understood");
  }
  default:
    return SymValue::unknown(DiagID::UnsupportedExpression, E.getExprLoc(),
                             "this operator is not understood");
  }
}

SymValue Interpreter::evalBinary(const BinaryOperator &E) {
  SourceLocation Loc = E.getOperatorLoc();
  BinaryOperatorKind Op = E.getOpcode();
  if (Op == BO_Comma) {
    eval(E.getLHS());
    return eval(E.getRHS());
  }
  if (Op == BO_LAnd || Op == BO_LOr) {
    SymValue L = eval(E.getLHS());
    if (Failed || L.is(VK::Unknown))
      return L;
    BoolExpr A = toBool(L, Loc);
    if (Op == BO_LAnd ? A.isFalse() : A.isTrue())
      return SymValue::boolean(A);
    State Before = S;
    SymValue R = eval(E.getRHS());
    if (Failed || R.is(VK::Unknown))
      return R;
    for (auto &[Id, V] : Before.Cells)
      if (!same(S.Cells[Id], V) && !V.is(VK::Unknown))
        return failValue(DiagID::UnsupportedExpression, Loc,
                         "the right side of this operator has side effects");
    BoolExpr B = toBool(R, Loc);
    return SymValue::boolean(Op == BO_LAnd ? BoolExpr::conjunction(A, B)
                                           : BoolExpr::disjunction(A, B));
  }
  if (Op == BO_Assign) {
    SymValue R = eval(E.getRHS());
    LValue L = evalLValue(E.getLHS());
    if (Failed || !store(L, R, Loc))
      return {};
    return R;
  }
  if (const auto *C = dyn_cast<CompoundAssignOperator>(&E)) {
    SymValue R = eval(E.getRHS());
    LValue L = evalLValue(E.getLHS());
    if (Failed)
      return {};
    SymValue Old = load(L, Loc);
    QualType Computed = C->getComputationResultType();
    if (!E.getLHS()->getType()->isPointerType())
      Old = convert(Old, C->getComputationLHSType(), Loc);
    if (Failed)
      return {};
    SymValue New = arithmetic(BinaryOperator::getOpForCompoundAssignment(Op),
                              Old, R, Computed, Loc);
    if (!E.getLHS()->getType()->isPointerType())
      New = convert(New, E.getLHS()->getType(), Loc);
    if (Failed || !store(L, New, Loc))
      return {};
    return New;
  }
  SymValue L = eval(E.getLHS());
  SymValue R = eval(E.getRHS());
  if (Failed)
    return {};
  // Offsets are counted in scalars.
  QualType Pointee = E.getLHS()->getType()->getPointeeType();
  if (Op == BO_Sub && R.is(VK::Pointer) && !Pointee.isNull() &&
      vectorType(Pointee))
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "this pointer arithmetic is not understood");
  if (E.isComparisonOp())
    return compare(Op, L, R, Loc);
  return arithmetic(Op, L, R, E.getType(), Loc);
}

} // namespace warpwright::symbolic
