//===-- Bits.cpp - Bits of loaded integers --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shifts and masks, which take numbers of four bits out of bytes and words.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "NumberRanges.h"
#include "llvm/IR/InstrTypes.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;
using Kind = Value::Kind;

/// Whether an int holds every number of \p X and none is negative, so that it
/// is the same number as an int, and both shifts to the right are the same.
/// Large numbers without a sign are negative as an int.
static bool hasNoSign(const ValueRef &X) {
  const NumberRange Range = rangeOf(X);
  return Range.Low >= 0 && isWithin(Range, ScalarType::I32);
}

SymValue Executor::bitOp(const llvm::BinaryOperator &I, const SymValue &L,
                         const SymValue &R) {
  using Op = llvm::Instruction;
  auto Unknown = [&] {
    return unknown(DiagID::UnsupportedExpression,
                   "this operation on loaded integers is not understood");
  };
  const unsigned Width = I.getType()->getScalarSizeInBits();
  const bool Combines = I.getOpcode() == Op::And || I.getOpcode() == Op::Or ||
                        I.getOpcode() == Op::Xor;
  if (Width != 8 && Width != 16 && Width != 32 && Width != 64)
    return Unknown();
  // Bits of floating-point numbers and flags are something else.
  for (const SymValue *X : {&L, &R})
    if (X->is(VK::Scalar)
            ? isFloating(X->S->Type) || X->S->Type == ScalarType::Bool
            : !X->is(VK::Int))
      return Unknown();
  // LLVM may compute in narrower types than C++ does, with the same result.
  auto IsUnsigned = [](const SymValue &X) {
    return X.is(VK::Scalar) &&
           (X.S->Type == ScalarType::U8 || X.S->Type == ScalarType::U16 ||
            X.S->Type == ScalarType::U32 || X.S->Type == ScalarType::U64);
  };
  const bool Signed =
      I.getOpcode() == Op::AShr ||
      (I.getOpcode() != Op::LShr && !IsUnsigned(L) && !IsUnsigned(R));
  const ScalarType Own =
      Width == 8    ? (Signed ? ScalarType::I8 : ScalarType::U8)
      : Width == 16 ? (Signed ? ScalarType::I16 : ScalarType::U16)
      : Width == 32 ? (Signed ? ScalarType::I32 : ScalarType::U32)
      : Combines || Signed
          ? ScalarType::I64 // an IntExpr has all of its numbers
          : ScalarType::U64;
  const bool Keeps = L.is(VK::Scalar) && Width == 32 && hasNoSign(L.S);
  // A number that is not negative is the same as an int.
  const ScalarType Wide = Width < 32 ? ScalarType::I32
                          : Keeps    ? L.S->Type
                                     : Own;
  auto Operand = [&](const SymValue &X) -> ValueRef {
    ValueRef V = reread(X, Width < 32 ? Own : Wide);
    return V ? Value::cast(Wide, V) : nullptr;
  };
  auto Result = [&](const ValueRef &V) {
    return numbered(Width < 32 ? Value::cast(Own, V) : V);
  };
  const ValueRef X = Operand(L);
  if (!X)
    return Unknown();
  switch (I.getOpcode()) {
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: {
    // A count that is no number of the width is undefined in the kernel, too.
    ValueRef Count;
    if (R.is(VK::Int)) {
      const IntExpr N = exactly(R, /*Signed=*/R.SignedExact);
      if (auto C = N.getConstant(); C && (*C < 0 || *C >= Width))
        return Unknown();
      Count = Value::integer(ScalarType::I32, N);
    } else if (Width >= 32) {
      Count = Value::cast(ScalarType::I32, R.S);
    } else {
      return Unknown();
    }
    return Result(Value::binary(
        I.getOpcode() == Op::Shl ? Kind::Shl : Kind::Shr, Wide, X, Count));
  }
  default: {
    // A mask that leaves every bit that there can be, `(word >> 24) & 0xff`.
    if (const auto Mask = I.getOpcode() == Op::And && R.is(VK::Int)
                              ? R.constant()
                              : std::nullopt;
        Mask && *Mask >= 0 && (*Mask & (*Mask + 1)) == 0) {
      const NumberRange Range = rangeOf(X);
      if (Range.Low >= 0 && Range.High <= static_cast<double>(*Mask))
        return Result(X);
    }
    const ValueRef Y = Operand(R);
    if (!Y)
      return Unknown();
    return Result(Value::binary(I.getOpcode() == Op::And  ? Kind::And
                                : I.getOpcode() == Op::Or ? Kind::Or
                                                          : Kind::Xor,
                                Wide, X, Y));
  }
  }
}

} // namespace warpwright::symbolic
