//===-- Numbers.cpp - Floating-point values and loaded integers -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that are not known before the kernel runs. They keep their C++
/// types, which decide how generated code prints them; a half or bfloat16 is
/// an i16 in IR, and is only moved, compared to nothing and given to the
/// functions of its header. The types of 8 bits are an i8, likewise.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <functional>

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static std::optional<ScalarType> floatType(const llvm::Type *T) {
  if (T->isFloatTy())
    return ScalarType::F32;
  if (T->isDoubleTy())
    return ScalarType::F64;
  if (T->isHalfTy())
    return ScalarType::F16;
  if (T->isBFloatTy())
    return ScalarType::BF16;
  return std::nullopt;
}

SymValue Executor::notSet(const llvm::Type *T, const SymValue &Reason) {
  const auto Type = floatType(T);
  return Type ? notSet(*Type, Reason) : Reason;
}

SymValue Executor::notSet(ScalarType T, const SymValue &Reason) {
  auto Nothing = std::make_shared<Value>(Value::Kind::Undefined, T);
  Nothing->Name = "unset" + std::to_string(Unset.size());
  Unset[Nothing->Name] = Reason;
  return SymValue::scalar(std::move(Nothing));
}

static ScalarType integerType(unsigned Width, bool Signed) {
  switch (Width) {
  case 8:
    return Signed ? ScalarType::I8 : ScalarType::U8;
  case 16:
    return Signed ? ScalarType::I16 : ScalarType::U16;
  case 32:
    return Signed ? ScalarType::I32 : ScalarType::U32;
  default:
    return Signed ? ScalarType::I64 : ScalarType::U64;
  }
}

static bool isSignedType(ScalarType T) {
  return T == ScalarType::I8 || T == ScalarType::I16 || T == ScalarType::I32 ||
         T == ScalarType::I64;
}

SymValue Executor::asFloat(const SymValue &V, const llvm::Type *T) {
  if (V.is(VK::Unknown))
    return V;
  auto F = floatType(T);
  if (V.is(VK::Scalar) && F && V.S->Type == *F)
    return V;
  return unknown(DiagID::UnsupportedType,
                 "a number is used as another type than it was stored as");
}

/// \p E converted to an integer type that can hold it.
SymValue Executor::integerOf(const IntExpr &E, unsigned Width, bool Signed) {
  SymValue V = SymValue::integer(E, Width);
  V.SignedExact = V.UnsignedExact = false;
  exactly(V, Signed);
  (Signed ? V.SignedExact : V.UnsignedExact) = true;
  return V;
}

/// The number whose bits a constant integer has.
static std::optional<ValueRef> fromBits(int64_t Bits, ScalarType T) {
  if (Bits == 0)
    return Value::integer(T, IntExpr());
  const llvm::fltSemantics *Semantics = nullptr;
  unsigned Width = 16;
  if (isFloat8(T)) {
    Semantics = T == ScalarType::E4M3 ? &llvm::APFloat::Float8E4M3FN()
                                      : &llvm::APFloat::Float8E5M2();
    Width = 8;
  } else if (T == ScalarType::F16)
    Semantics = &llvm::APFloat::IEEEhalf();
  else if (T == ScalarType::BF16)
    Semantics = &llvm::APFloat::BFloat();
  else if (T == ScalarType::F32) {
    Semantics = &llvm::APFloat::IEEEsingle();
    Width = 32;
  } else {
    return std::nullopt;
  }
  llvm::APFloat F(*Semantics, llvm::APInt(Width, static_cast<uint64_t>(Bits),
                                          /*isSigned=*/true,
                                          /*implicitTrunc=*/true));
  if (!F.isFinite())
    return std::nullopt;
  bool Loses;
  F.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
            &Loses);
  llvm::SmallString<32> Text;
  F.toString(Text);
  std::string Spelling(Text.str());
  if (Spelling.find_first_of(".eEn") == std::string::npos)
    Spelling += ".0";
  ValueRef C = Value::constant(ScalarType::F32, Spelling + "f");
  return Value::cast(T, C);
}

SymValue Executor::asNumber(const SymValue &V, ScalarType T) {
  if (V.is(VK::Unknown))
    return V;
  if (V.is(VK::Scalar)) {
    if (V.S->Type == T)
      return V;
    if (!isFloating(T) && !isFloating(V.S->Type) &&
        byteSize(T) == byteSize(V.S->Type)) {
      if (ValueRef R = reread(V, T))
        return SymValue::scalar(R);
    }
    if (byteSize(T) == 2 && isFloating(T))
      readBits(V, T);
    return unknown(DiagID::UnsupportedType,
                   "a number is used as another type than it was stored as");
  }
  if (V.is(VK::Aggregate) && V.Fields.size() == 1)
    return asNumber(V.Fields[0], T);
  if (V.is(VK::Int)) {
    if (isFloating(T)) {
      auto C = V.constant();
      if (auto R = C ? fromBits(*C, T) : std::nullopt)
        return SymValue::scalar(*R);
      return unknown(DiagID::UnsupportedType,
                     "the bits of an integer are used as a floating-point "
                     "number");
    }
    if (8 * byteSize(T) != V.Width)
      return unknown(DiagID::UnsupportedType,
                     "a number is used as another type than it was stored as");
    if (T == ScalarType::Bool)
      return SymValue::scalar(Value::integer(T, exactly(V, false)));
    return SymValue::scalar(Value::integer(T, exactly(V, isSignedType(T))));
  }
  if (V.is(VK::Bool) && !isFloating(T))
    return SymValue::scalar(Value::select(V.B, Value::integer(T, IntExpr(1)),
                                          Value::integer(T, IntExpr())));
  return unknown(DiagID::UnsupportedType,
                 "a number is used as another type than it was stored as");
}

ValueRef Executor::reread(const SymValue &V, ScalarType T) {
  if (V.is(VK::Int)) {
    if (8 * byteSize(T) != V.Width)
      return nullptr;
    return Value::integer(T, exactly(V, isSignedType(T)));
  }
  if (V.is(VK::Bool))
    return Value::select(V.B, Value::integer(T, IntExpr(1)),
                         Value::integer(T, IntExpr()));
  if (!V.is(VK::Scalar) || isFloating(V.S->Type) ||
      byteSize(V.S->Type) != byteSize(T))
    return nullptr;
  return Value::cast(T, V.S);
}

/// C++'s name of an integer type, for a cast that is a call.
static std::string spellInteger(ScalarType T) {
  switch (T) {
  case ScalarType::Bool:
    return "bool";
  case ScalarType::I8:
    return "signed char";
  case ScalarType::U8:
    return "unsigned char";
  case ScalarType::I16:
    return "short";
  case ScalarType::U16:
    return "unsigned short";
  case ScalarType::I32:
    return "int";
  case ScalarType::U32:
    return "unsigned int";
  case ScalarType::I64:
    return "long long";
  default:
    return "unsigned long long";
  }
}

/// The number 0 or 1 that \p B is, if \p B asks whether a number is odd or
/// even.
static std::optional<IntExpr> lowestBit(const BoolExpr &B) {
  if (B.getKind() != BoolExpr::Kind::Compare ||
      (B.getOp() != CmpOp::NE && B.getOp() != CmpOp::EQ))
    return std::nullopt;
  auto With = B.getRHS().getConstant();
  AtomRef A = B.getLHS().getAtom();
  if (!With || (*With != 0 && *With != 1) || !A ||
      A->getKind() != AtomKind::Mod || A->getRHS() != IntExpr(2))
    return std::nullopt;
  return (B.getOp() == CmpOp::EQ) == (*With == 1)
             ? IntExpr(A)
             : IntExpr::mod(A->getLHS() + 1, IntExpr(2));
}

SymValue Executor::convert(const SymValue &V, ScalarType T) {
  if (V.is(VK::Unknown))
    return V;
  if (V.is(VK::Bool)) {
    if (isFloating(T))
      return numbered(Value::select(V.B, Value::integer(T, IntExpr(1)),
                                    Value::integer(T, IntExpr())));
    if (hasValues(V.B))
      return numbered(Value::select(V.B, Value::integer(T, IntExpr(1)),
                                    Value::integer(T, IntExpr())));
    if (auto Bit = lowestBit(V.B))
      return SymValue::exact(*Bit, 8 * byteSize(T));
    return SymValue::exact(IntExpr::select(V.B, IntExpr(1), IntExpr()),
                           8 * byteSize(T));
  }
  if (V.is(VK::Int)) {
    if (isFloating(T))
      return unknown(DiagID::UnsupportedType,
                     "an integer of unknown sign is converted");
    if (V.Width < 8 * byteSize(T))
      return extend(V, 8 * byteSize(T), isSignedType(T));
    return truncate(V, 8 * byteSize(T));
  }
  if (!V.is(VK::Scalar))
    return unknown(DiagID::UnsupportedExpression,
                   "this conversion is not understood");
  if (!isFloating(T) && isFloating(V.S->Type)) {
    if (T == ScalarType::Bool)
      return SymValue::boolean(BoolExpr::floatCompare(
          CmpOp::NE, V.S, Value::integer(V.S->Type, IntExpr())));
    return numbered(
        Value::call(T, "static_cast<" + spellInteger(T) + ">", {V.S}));
  }
  if (mistaken(Mistake::RoundingDropped) && V.S->K == Value::Kind::Cast &&
      V.S->Ops[0]->Type == T)
    return SymValue::scalar(V.S->Ops[0]);
  return numbered(Value::cast(T, V.S));
}

BoolExpr Executor::toBool(const SymValue &V) {
  switch (V.K) {
  case VK::Bool:
    return V.B;
  case VK::Int:
    return BoolExpr::compare(CmpOp::NE, exactly(V, V.SignedExact), 0);
  case VK::Pointer:
    if (V.Array.empty())
      return BoolExpr::constant(!V.I.isZero());
    if (V.Array[0] == '@' || V.Array[0] == '#' || V.Array[0] == '$')
      return BoolExpr::constant(true);
    if (V.I.isZero())
      return BoolExpr::nonNull(V.Array);
    break;
  case VK::Unknown:
    fail(V.ReasonID, V.ReasonLoc.isValid() ? V.ReasonLoc : here(), V.Reason);
    return BoolExpr::constant(false);
  default:
    break;
  }
  fail(DiagID::UnsupportedExpression, here(),
       "this condition is not understood");
  return BoolExpr::constant(false);
}

SymValue Executor::floatOp(const llvm::Instruction &I) {
  SymValue Ops[2];
  for (unsigned N = 0; N < I.getNumOperands() && N < 2; ++N) {
    Ops[N] = valueOf(I.getOperand(N));
    if (Ops[N].is(VK::Unknown))
      return Ops[N];
  }
  std::function<SymValue(const SymValue &, const SymValue &,
                         const llvm::Type *)>
      Apply = [&](const SymValue &A, const SymValue &B,
                  const llvm::Type *T) -> SymValue {
    if (const auto *VT = llvm::dyn_cast<llvm::FixedVectorType>(T)) {
      if (!A.is(VK::Aggregate) ||
          (I.getNumOperands() > 1 && !B.is(VK::Aggregate)))
        return unknown(DiagID::UnsupportedExpression,
                       "this vector is not understood");
      std::vector<SymValue> Lanes;
      for (size_t N = 0; N < A.Fields.size(); ++N)
        Lanes.push_back(Apply(A.Fields[N],
                              B.is(VK::Aggregate) ? B.Fields[N] : SymValue(),
                              VT->getElementType()));
      return SymValue::aggregate(std::move(Lanes));
    }
    SymValue X = asFloat(A, T);
    if (X.is(VK::Unknown))
      return X;
    if (I.getOpcode() == llvm::Instruction::FNeg)
      return mistaken(Mistake::NegationIgnored)
                 ? X
                 : numbered(Value::unary(Value::Kind::Neg, X.S));
    SymValue Y = asFloat(B, T);
    if (Y.is(VK::Unknown))
      return Y;
    Value::Kind K;
    switch (I.getOpcode()) {
    case llvm::Instruction::FAdd:
      K = Value::Kind::Add;
      break;
    case llvm::Instruction::FSub:
      K = Value::Kind::Sub;
      break;
    case llvm::Instruction::FMul:
      K = Value::Kind::Mul;
      break;
    case llvm::Instruction::FDiv:
      K = Value::Kind::Div;
      break;
    default:
      return unknown(DiagID::UnsupportedExpression,
                     "this operation on floating-point numbers is not "
                     "understood");
    }
    if (K == Value::Kind::Add)
      if (ValueRef Sum = addedTogether(X.S, Y.S))
        return SymValue::scalar(std::move(Sum));
    return numbered(Value::binary(K, X.S->Type, X.S, Y.S));
  };
  return Apply(Ops[0], Ops[1], I.getType());
}

/// \p X over \p Power, rounded to zero as C++ does: what is negative is
/// rounded up by a shift.
static ValueRef overPowerOfTwo(ValueRef X, int64_t Power) {
  const ScalarType T = X->Type;
  if (isSignedType(T)) {
    const BoolExpr Negative =
        BoolExpr::floatCompare(CmpOp::LT, X, Value::integer(T, IntExpr()));
    X = Value::select(Negative,
                      Value::binary(Value::Kind::Add, T, X,
                                    Value::integer(T, IntExpr(Power - 1))),
                      X);
  }
  return Value::binary(
      Value::Kind::Shr, T, X,
      Value::integer(ScalarType::I32, IntExpr(llvm::Log2_64(Power))));
}

SymValue Executor::dataOp(const llvm::BinaryOperator &I, const SymValue &L,
                          const SymValue &R) {
  unsigned Width = I.getType()->getScalarSizeInBits();
  const auto *Overflow = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&I);
  bool Signed = Overflow && Overflow->hasNoSignedWrap();
  Value::Kind K;
  switch (I.getOpcode()) {
  case llvm::Instruction::Add:
    K = Value::Kind::Add;
    break;
  case llvm::Instruction::Sub:
    K = Value::Kind::Sub;
    break;
  case llvm::Instruction::Mul:
    K = Value::Kind::Mul;
    break;
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return bitOp(I, L, R);
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv: {
    const auto By = R.is(VK::Int) ? R.constant() : std::nullopt;
    if (By && *By > 0 && llvm::isPowerOf2_64(*By) && Width >= 32) {
      Signed = I.getOpcode() == llvm::Instruction::SDiv;
      K = Value::Kind::Div;
      break;
    }
    [[fallthrough]];
  }
  default:
    return unknown(DiagID::UnsupportedExpression,
                   "this operation on loaded integers is not understood");
  }
  for (const SymValue *X : {&L, &R})
    if (X->is(VK::Scalar) && isFloating(X->S->Type))
      return unknown(DiagID::UnsupportedExpression,
                     "arithmetic on the bits of a floating-point number");
  // C++ computes narrower types as int, so these do not arise.
  if (Width != 32 && Width != 64)
    return unknown(DiagID::UnsupportedExpression,
                   "this operation on loaded integers is not understood");
  ScalarType T = integerType(Width, Signed);
  ValueRef A = reread(L, T), B = reread(R, T);
  if (!A || !B)
    return unknown(DiagID::UnsupportedExpression,
                   "this operation on loaded integers is not understood");
  if (K == Value::Kind::Div)
    return numbered(overPowerOfTwo(A, *R.constant()));
  if (K == Value::Kind::Add)
    if (ValueRef Sum = addedTogether(A, B))
      return SymValue::scalar(std::move(Sum));
  return numbered(Value::binary(K, T, A, B));
}

/// \p V as an integer, if it certainly is one: a converted integer, or a
/// rounded quotient by a power of two (`ceil(K / 16.0f)`). That each step is
/// exact in the floating-point type becomes an obligation. A quotient by
/// another number is accepted in double only: in float, it may be approximate
/// (-use_fast_math).
std::optional<IntExpr> Executor::integral(const ValueRef &V) {
  constexpr int64_t Exact = int64_t(1) << 24;
  const bool Wide = V->Type == ScalarType::F64;
  if (V->Type != ScalarType::F32 && !Wide)
    return std::nullopt;
  auto Within = [&](const IntExpr &E) {
    int64_t Limit = Wide ? int64_t(1) << 53 : Exact;
    oblige(E, IntExpr(-Limit), IntExpr(Limit),
           "an integer that is computed in floating point is too large for it");
    return E;
  };
  switch (V->K) {
  case Value::Kind::Int:
    return Within(V->Index);
  case Value::Kind::Constant: {
    auto C = V->getConstant();
    if (!C || !(std::abs(*C) <= static_cast<double>(Exact)) ||
        std::floor(*C) != *C)
      return std::nullopt;
    return IntExpr(static_cast<int64_t>(*C));
  }
  case Value::Kind::Cast:
    if (!isFloating(V->Ops[0]->Type))
      return std::nullopt;
    if (auto E = integral(V->Ops[0]))
      return Within(*E);
    return std::nullopt;
  case Value::Kind::Call: {
    llvm::StringRef Name = V->Name;
    Name.consume_front("std::");
    Name.consume_front("::");
    const bool Up = Name == "ceil" || Name == "ceilf";
    // A function with a body is the user's.
    if ((!Up && Name != "floor" && Name != "floorf") || V->Ops.size() != 1 ||
        V->Body)
      return std::nullopt;
    ValueRef X = V->Ops[0];
    // A quotient by a power of two loses no digit, also in a wider type.
    while (X->K == Value::Kind::Cast && isFloating(X->Ops[0]->Type) &&
           byteSize(X->Type) > byteSize(X->Ops[0]->Type))
      X = X->Ops[0];
    if (auto E = integral(X))
      return E;
    if (X->K != Value::Kind::Div)
      return std::nullopt;
    auto A = integral(X->Ops[0]), B = integral(X->Ops[1]);
    if (!A || !B)
      return std::nullopt;
    auto D = B->getConstant();
    if (!D || *D <= 0 || !llvm::isPowerOf2_64(*D)) {
      if (X->Type != ScalarType::F64 || !positive(*B))
        return std::nullopt;
      // A quotient x / d that is no integer is at least 1 / d away from one,
      // which is more than x / d * 2^-53, by which it is rounded.
      constexpr int64_t Most = int64_t(1) << 52;
      oblige(*A, IntExpr(-Most), IntExpr(Most),
             "a dividend is too large for a floating-point number");
    }
    return IntExpr::floorDiv(Up ? *A + *B - 1 : *A, *B);
  }
  default:
    return std::nullopt;
  }
}

SymValue Executor::compareFloats(llvm::CmpInst::Predicate P, const SymValue &L,
                                 const SymValue &R, const llvm::Type *T) {
  using Predicate = llvm::CmpInst;
  if (P == Predicate::FCMP_FALSE || P == Predicate::FCMP_TRUE)
    return SymValue::boolean(BoolExpr::constant(P == Predicate::FCMP_TRUE));
  SymValue A = asFloat(L, T), B = asFloat(R, T);
  if (A.is(VK::Unknown))
    return A;
  if (B.is(VK::Unknown))
    return B;
  // `t < ceil(K / 16.0f)` counts in integers.
  std::optional<IntExpr> IA, IB;
  if (A.S->Size < 16 && B.S->Size < 16 && (IA = integral(A.S)))
    IB = integral(B.S);
  auto Test = [&](CmpOp Op) {
    return IB ? BoolExpr::compare(Op, *IA, *IB)
              : BoolExpr::floatCompare(Op, A.S, B.S);
  };
  auto Ordered = [&] {
    return BoolExpr::conjunction(BoolExpr::floatCompare(CmpOp::EQ, A.S, A.S),
                                 BoolExpr::floatCompare(CmpOp::EQ, B.S, B.S));
  };
  // C++'s comparisons are false for NaN, but != is true.
  switch (P) {
  case Predicate::FCMP_OEQ:
    return SymValue::boolean(Test(CmpOp::EQ));
  case Predicate::FCMP_OGT:
    return SymValue::boolean(
        Test(mistaken(Mistake::ComparisonNegated) ? CmpOp::LE : CmpOp::GT));
  case Predicate::FCMP_OGE:
    return SymValue::boolean(Test(CmpOp::GE));
  case Predicate::FCMP_OLT:
    return SymValue::boolean(Test(CmpOp::LT));
  case Predicate::FCMP_OLE:
    return SymValue::boolean(Test(CmpOp::LE));
  case Predicate::FCMP_UNE:
    return SymValue::boolean(Test(CmpOp::NE));
  case Predicate::FCMP_UGT:
    return SymValue::boolean(BoolExpr::negation(Test(CmpOp::LE)));
  case Predicate::FCMP_UGE:
    return SymValue::boolean(BoolExpr::negation(Test(CmpOp::LT)));
  case Predicate::FCMP_ULT:
    return SymValue::boolean(BoolExpr::negation(Test(CmpOp::GE)));
  case Predicate::FCMP_ULE:
    return SymValue::boolean(BoolExpr::negation(Test(CmpOp::GT)));
  case Predicate::FCMP_ONE:
    return SymValue::boolean(
        BoolExpr::disjunction(Test(CmpOp::LT), Test(CmpOp::GT)));
  case Predicate::FCMP_UEQ:
    return SymValue::boolean(
        BoolExpr::conjunction(BoolExpr::negation(Test(CmpOp::LT)),
                              BoolExpr::negation(Test(CmpOp::GT))));
  case Predicate::FCMP_ORD:
    return SymValue::boolean(Ordered());
  case Predicate::FCMP_UNO:
    return SymValue::boolean(BoolExpr::negation(Ordered()));
  default:
    return unknown(DiagID::UnsupportedExpression,
                   "this comparison is not understood");
  }
}

SymValue Executor::castOp(const llvm::CastInst &I) {
  SymValue V = valueOf(I.getOperand(0));
  if (V.is(VK::Unknown))
    return V;
  const llvm::Type *From = I.getSrcTy(), *To = I.getDestTy();
  if (To->isVectorTy() && I.getOpcode() != llvm::Instruction::BitCast) {
    if (!V.is(VK::Aggregate))
      return unknown(DiagID::UnsupportedExpression,
                     "this vector is not understood");
    return unknown(DiagID::UnsupportedExpression,
                   "a conversion of vectors is not understood");
  }
  unsigned Width = To->getScalarSizeInBits();
  switch (I.getOpcode()) {
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt: {
    bool Signed = I.getOpcode() == llvm::Instruction::SExt;
    if (V.is(VK::Bool)) {
      if (Signed)
        return unknown(DiagID::UnsupportedExpression,
                       "this conversion of a condition is not understood");
      return convert(V, integerType(Width, true));
    }
    if (V.is(VK::Int))
      return extend(V, Width, Signed);
    if (V.is(VK::Pointer) && isAddress(V, 32))
      return V;
    if (V.is(VK::Scalar) && !isFloating(V.S->Type)) {
      if (mistaken(Mistake::UnsignedReadAsSigned))
        Signed = true;
      ScalarType Source = integerType(8 * byteSize(V.S->Type), Signed);
      if (V.S->Type == ScalarType::Bool && !Signed)
        Source = ScalarType::Bool;
      ValueRef R = reread(V, Source);
      if (!R)
        break;
      // A number that was not negative stays so in an int, to which C++
      // promotes it.
      return numbered(Value::cast(integerType(Width, true), R));
    }
    // Two bytes of a word.
    if (V.is(VK::Aggregate) && From->isIntegerTy(16) && Width == 32 &&
        !Signed && V.Fields.size() == 2)
      return SymValue::aggregate({V.Fields[0], V.Fields[1],
                                  SymValue::exact(IntExpr(), 8),
                                  SymValue::exact(IntExpr(), 8)});
    // The bits of a number, not its value.
    if (V.is(VK::Scalar) && byteSize(V.S->Type) <= 2 && !Signed && Width == 32)
      return widenNarrow(V);
    // What is shifted up by 16 bits has no sign above it.
    if (V.is(VK::Scalar) && byteSize(V.S->Type) == 2 && Width == 32)
      return SymValue::aggregate(
          {V, unknown(DiagID::UnsupportedExpression,
                      "the sign of a number's bits is used as an integer's")});
    break;
  }
  case llvm::Instruction::Trunc:
    if (V.is(VK::Bool))
      return V;
    if (V.is(VK::Int)) {
      if (Width == 1) {
        if (auto B = asCondition(V))
          return SymValue::boolean(*B);
        const IntExpr Bit = isRemainderByTwo(V.I) ? V.I : IntExpr::mod(V.I, 2);
        return SymValue::boolean(BoolExpr::compare(CmpOp::NE, Bit, 0));
      }
      return truncate(V, Width);
    }
    if (V.is(VK::Pointer) && isAddress(V, Width))
      return V;
    if (V.is(VK::Scalar) && !isFloating(V.S->Type)) {
      if (Width == 1) {
        if (V.S->Type != ScalarType::Bool)
          break;
        return SymValue::boolean(BoolExpr::floatCompare(
            CmpOp::NE, V.S, Value::integer(V.S->Type, IntExpr())));
      }
      if (Width < 8)
        break;
      return numbered(
          Value::cast(integerType(Width, isSignedType(V.S->Type)), V.S));
    }
    if (V.is(VK::Aggregate) && From->isIntegerTy(32) &&
        ((V.Fields.size() == 2 && Width == 16) ||
         (V.Fields.size() == 4 && Width == 8)))
      return V.Fields[0];
    // Two of four bytes, or one of two.
    if (V.is(VK::Aggregate) && From->isIntegerTy(32) && Width == 16 &&
        V.Fields.size() == 4)
      return SymValue::aggregate({V.Fields[0], V.Fields[1]});
    if (V.is(VK::Aggregate) && From->isIntegerTy(16) && Width == 8 &&
        V.Fields.size() == 2)
      return V.Fields[0];
    break;
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc: {
    auto T = floatType(To);
    SymValue X = asFloat(V, From);
    if (X.is(VK::Unknown) || !T)
      return X;
    return numbered(Value::cast(*T, X.S));
  }
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP: {
    bool Signed = I.getOpcode() == llvm::Instruction::SIToFP;
    auto T = floatType(To);
    if (!T)
      break;
    if (V.is(VK::Bool) && !Signed)
      return convert(V, *T);
    if (V.is(VK::Int))
      return numbered(Value::integer(*T, exactly(V, Signed)));
    if (V.is(VK::Scalar) && !isFloating(V.S->Type)) {
      ScalarType Source = integerType(8 * byteSize(V.S->Type), Signed);
      if (V.S->Type == ScalarType::Bool)
        Source = ScalarType::Bool;
      if (ValueRef R = reread(V, Source))
        return numbered(Value::cast(*T, R));
    }
    break;
  }
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI: {
    SymValue X = asFloat(V, From);
    if (X.is(VK::Unknown))
      return X;
    if (auto E = X.S->Size < 16 ? integral(X.S) : std::nullopt)
      return integerOf(*E, Width, I.getOpcode() == llvm::Instruction::FPToSI);
    return convert(
        X, integerType(Width, I.getOpcode() == llvm::Instruction::FPToSI));
  }
  case llvm::Instruction::AddrSpaceCast:
    return V;
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
    // The number of an address stays the address: for inline assembly.
    if (V.is(VK::Pointer) && isAddress(V, Width))
      return V;
    return unknown(DiagID::UnsupportedExpression,
                   "this pointer arithmetic is not understood");
  case llvm::Instruction::BitCast:
    if (auto T = floatType(To); T && From->isIntegerTy())
      if (auto Number = readBits(V, *T))
        return *Number;
    // Only the IR type changes; a use of the value checks its own type.
    if (From->isVectorTy() == To->isVectorTy())
      return V;
    // A register of a matrix fragment is one element that stands for all.
    if (From->isVectorTy() && V.is(VK::Scalar))
      return V;
    // The reverse, for a fragment that was kept in memory.
    if (To->isVectorTy() && V.is(VK::Scalar) &&
        8 * byteSize(V.S->Type) == To->getScalarSizeInBits())
      return V;
    break;
  default:
    break;
  }
  return unknown(DiagID::UnsupportedExpression,
                 "this conversion is not understood");
}

} // namespace warpwright::symbolic
