//===-- Numbers.cpp - Typed numbers as the device computes them -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "llvm/ADT/APSInt.h"
#include <cmath>
#include <limits>

namespace warpwright {
namespace execute {

/// Rounds to a format with this many bits of exponent and of fraction.
template <int ExponentBits, int FractionBits> static uint16_t narrow(double X) {
  constexpr int Bias = (1 << (ExponentBits - 1)) - 1;
  constexpr int Least = 1 - Bias; // exponent of the least normal number
  constexpr uint32_t Infinity = ((1u << ExponentBits) - 1) << FractionBits;
  const uint64_t Bits = bitsOf(X);
  const uint32_t Sign = static_cast<uint32_t>(Bits >> 63) << 15;
  if (std::isnan(X))
    return 0x7fff;
  if (std::isinf(X))
    return static_cast<uint16_t>(Sign | Infinity);
  const int Exponent = static_cast<int>((Bits >> 52) & 0x7ff) - 1023;
  if (Exponent < Least - FractionBits - 2)
    return static_cast<uint16_t>(Sign);
  const uint64_t Significand = (Bits & lowBits(52)) | (uint64_t(1) << 52);
  int Shift = 52 - FractionBits;
  if (Exponent < Least)
    Shift += Least - Exponent;
  uint64_t Quotient = Significand >> Shift;
  const uint64_t Rest = Significand & lowBits(Shift);
  const uint64_t Half = uint64_t(1) << (Shift - 1);
  if (Rest > Half || (Rest == Half && (Quotient & 1)))
    ++Quotient;
  // A carry out of the fraction increments the exponent, since both are
  // adjacent.
  uint64_t Result = Quotient;
  if (Exponent >= Least)
    Result += static_cast<uint64_t>(Exponent - Least) << FractionBits;
  if (Result > Infinity)
    Result = Infinity;
  return static_cast<uint16_t>(Sign | Result);
}

template <int ExponentBits, int FractionBits>
static double widen(uint16_t Bits) {
  constexpr int Bias = (1 << (ExponentBits - 1)) - 1;
  const int Exponent = (Bits >> FractionBits) & ((1 << ExponentBits) - 1);
  const int Fraction = Bits & ((1 << FractionBits) - 1);
  double X;
  if (Exponent == (1 << ExponentBits) - 1)
    X = Fraction ? std::numeric_limits<double>::quiet_NaN()
                 : std::numeric_limits<double>::infinity();
  else if (Exponent == 0)
    X = std::ldexp(Fraction, 1 - Bias - FractionBits);
  else
    X = bitCast<double>(
        (static_cast<uint64_t>(Exponent - Bias + 1023) << 52) |
        (static_cast<uint64_t>(Fraction) << (52 - FractionBits)));
  return Bits & 0x8000 ? -X : X;
}

double halfToDouble(uint16_t Bits) { return widen<5, 10>(Bits); }
double bfloatToDouble(uint16_t Bits) {
  return asFloat(static_cast<uint64_t>(Bits) << 16);
}
uint16_t doubleToHalf(double X) { return narrow<5, 10>(X); }
uint16_t doubleToBFloat(double X) { return narrow<8, 7>(X); }

double fmaToOdd(double A, double B, double C) {
  const double Product = A * B; // exact: 22 bits
  const double Sum = Product + C;
  if (!std::isfinite(Sum))
    return Sum;
  // The rounding error (Knuth's exact sum), kept as a sticky last bit.
  const double Back = Sum - Product;
  const double Lost = (Product - (Sum - Back)) + (C - Back);
  if (Lost == 0 || (bitsOf(Sum) & 1))
    return Sum;
  const bool Away = (Lost > 0) == (Sum > 0);
  return bitCast<double>(bitsOf(Sum) + (Away ? 1 : -1));
}

double Num::real() const {
  switch (Type) {
  case ScalarType::E4M3:
  case ScalarType::E5M2:
    return fromFloat8(Type, static_cast<uint8_t>(Bits));
  case ScalarType::F16:
    return halfToDouble(static_cast<uint16_t>(Bits));
  case ScalarType::BF16:
    return bfloatToDouble(static_cast<uint16_t>(Bits));
  case ScalarType::F32:
    return asFloat(Bits);
  case ScalarType::F64:
    return asDouble(Bits);
  case ScalarType::U64:
    return static_cast<double>(Bits);
  default:
    return static_cast<double>(integer());
  }
}

int64_t Num::integer() const {
  if (isSigned())
    return signExtend(Bits, 8 * byteSize(Type));
  return static_cast<int64_t>(Bits);
}

Num fromReal(ScalarType T, double X) {
  switch (T) {
  case ScalarType::E4M3:
  case ScalarType::E5M2:
    return {T, toFloat8(T, X)};
  case ScalarType::F16:
    return {T, doubleToHalf(X)};
  case ScalarType::BF16:
    return {T, doubleToBFloat(X)};
  case ScalarType::F32:
    return {T, bitsOf(static_cast<float>(X))};
  default:
    return {ScalarType::F64, bitsOf(X)};
  }
}

Num fromInteger(ScalarType T, int64_t X) {
  if (T == ScalarType::Bool)
    return {T, uint64_t(X != 0)};
  return {T, static_cast<uint64_t>(X) & lowBits(8 * byteSize(T))};
}

std::optional<Num> convert(ScalarType To, const Num &X) {
  if (X.Type == To)
    return X;
  if (To == ScalarType::Bool)
    return Num{To, uint64_t(X.isFloat() ? X.real() != 0 : X.Bits != 0)};
  if (isFloating(To)) {
    if (X.isFloat())
      return fromReal(To, X.real());
    // Not through double, which would round twice.
    if (To == ScalarType::F32)
      return Num{To, bitsOf(X.Type == ScalarType::U64
                                ? static_cast<float>(X.Bits)
                                : static_cast<float>(X.integer()))};
    // Beyond 2^53 half is infinite. For bfloat16, a 64-bit integer is converted
    // in two steps, of which the first rounds to odd.
    double D = X.real();
    if (To == ScalarType::BF16 && X.Type != ScalarType::U64 &&
        std::fabs(D) < 0x1p62 && static_cast<int64_t>(D) != X.integer() &&
        !(bitsOf(D) & 1))
      D = bitCast<double>(
          bitsOf(D) +
          ((X.integer() > static_cast<int64_t>(D)) == (D > 0) ? 1 : -1));
    return fromReal(To, D);
  }
  if (!X.isFloat())
    return fromInteger(To, X.integer());
  const double D = std::trunc(X.real());
  const Num Probe = {To, 0};
  const int Bits = 8 * byteSize(To);
  const double Least = Probe.isSigned() ? -std::ldexp(1.0, Bits - 1) : 0.0;
  const double Beyond = std::ldexp(1.0, Probe.isSigned() ? Bits - 1 : Bits);
  if (!(D >= Least && D < Beyond))
    return std::nullopt;
  if (To == ScalarType::U64)
    return Num{To, static_cast<uint64_t>(D)};
  return fromInteger(To, static_cast<int64_t>(D));
}

std::optional<Num> apply(Arithmetic Op, const Num &L, const Num &R) {
  const ScalarType T = L.Type;
  if (!L.isFloat()) {
    const uint64_t A = static_cast<uint64_t>(L.integer());
    const uint64_t B = static_cast<uint64_t>(R.integer());
    switch (Op) {
    case Arithmetic::Add:
      return fromInteger(T, static_cast<int64_t>(A + B));
    case Arithmetic::Sub:
      return fromInteger(T, static_cast<int64_t>(A - B));
    case Arithmetic::Mul:
      return fromInteger(T, static_cast<int64_t>(A * B));
    case Arithmetic::Div:
      if (B == 0)
        return std::nullopt;
      if (!L.isSigned())
        return fromInteger(T, static_cast<int64_t>(A / B));
      if (R.integer() == -1)
        return fromInteger(T, static_cast<int64_t>(0 - A));
      return fromInteger(T, L.integer() / R.integer());
    }
  }
  if (T == ScalarType::F32) {
    const float A = asFloat(L.Bits), B = asFloat(R.Bits);
    const float X = Op == Arithmetic::Add   ? A + B
                    : Op == Arithmetic::Sub ? A - B
                    : Op == Arithmetic::Mul ? A * B
                                            : A / B;
    return Num{T, bitsOf(X)};
  }
  const double A = L.real(), B = R.real();
  const double X = Op == Arithmetic::Add   ? A + B
                   : Op == Arithmetic::Sub ? A - B
                   : Op == Arithmetic::Mul ? A * B
                                           : A / B;
  return fromReal(T, X);
}

Num negate(const Num &X) {
  if (!X.isFloat())
    return fromInteger(
        X.Type, static_cast<int64_t>(0 - static_cast<uint64_t>(X.integer())));
  return {X.Type, X.Bits ^ (uint64_t(1) << (8 * byteSize(X.Type) - 1))};
}

static const llvm::fltSemantics &semanticsOf(ScalarType T) {
  switch (T) {
  case ScalarType::E4M3:
    return llvm::APFloat::Float8E4M3FN();
  case ScalarType::E5M2:
    return llvm::APFloat::Float8E5M2();
  case ScalarType::F16:
    return llvm::APFloat::IEEEhalf();
  case ScalarType::BF16:
    return llvm::APFloat::BFloat();
  case ScalarType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}
static llvm::APFloat asAPFloat(const Num &X) {
  return llvm::APFloat(semanticsOf(X.Type),
                       llvm::APInt(8 * byteSize(X.Type), X.Bits));
}
static Num fromAPFloat(ScalarType T, const llvm::APFloat &X) {
  return {T, X.bitcastToAPInt().getZExtValue()};
}

Num applyRounded(Arithmetic Op, const Num &L, const Num &R,
                 llvm::RoundingMode Mode) {
  llvm::APFloat X = asAPFloat(L);
  const llvm::APFloat Y = asAPFloat(R);
  switch (Op) {
  case Arithmetic::Add:
    X.add(Y, Mode);
    break;
  case Arithmetic::Sub:
    X.subtract(Y, Mode);
    break;
  case Arithmetic::Mul:
    X.multiply(Y, Mode);
    break;
  case Arithmetic::Div:
    X.divide(Y, Mode);
    break;
  }
  return fromAPFloat(L.Type, X);
}

Num fmaRounded(const Num &A, const Num &B, const Num &C,
               llvm::RoundingMode Mode) {
  llvm::APFloat X = asAPFloat(A);
  X.fusedMultiplyAdd(asAPFloat(B), asAPFloat(C), Mode);
  return fromAPFloat(A.Type, X);
}

Num convertRounded(ScalarType To, const Num &X, llvm::RoundingMode Mode) {
  if (X.isFloat()) {
    llvm::APFloat Y = asAPFloat(X);
    bool LosesInfo = false;
    Y.convert(semanticsOf(To), Mode, &LosesInfo);
    return fromAPFloat(To, Y);
  }
  llvm::APFloat Y(semanticsOf(To));
  Y.convertFromAPInt(llvm::APInt(8 * byteSize(X.Type), X.Bits), X.isSigned(),
                     Mode);
  return fromAPFloat(To, Y);
}

Num saturateToInteger(ScalarType To, const Num &X, llvm::RoundingMode Mode) {
  llvm::APSInt Y(8 * byteSize(To), /*isUnsigned=*/!Num{To, 0}.isSigned());
  bool IsExact = false;
  // A number out of range gives the nearest end of the range, and NaN gives 0.
  asAPFloat(X).convertToInteger(Y, Mode, &IsExact);
  return {To, Y.getZExtValue()};
}

Num fma(const Num &A, const Num &B, const Num &C) {
  switch (A.Type) {
  case ScalarType::F32:
    return {A.Type, bitsOf(std::fma(asFloat(A.Bits), asFloat(B.Bits),
                                    asFloat(C.Bits)))};
  case ScalarType::F64:
    return {A.Type, bitsOf(std::fma(asDouble(A.Bits), asDouble(B.Bits),
                                    asDouble(C.Bits)))};
  default:
    return fromReal(A.Type, fmaToOdd(A.real(), B.real(), C.real()));
  }
}

int lowestBit(double X) {
  const uint64_t Bits = bitsOf(X);
  const int Exponent = static_cast<int>((Bits >> 52) & 0x7ff);
  const uint64_t Significand =
      (Bits & lowBits(52)) | (Exponent ? uint64_t(1) << 52 : 0);
  return std::max(Exponent, 1) - 1075 + __builtin_ctzll(Significand);
}

} // namespace execute
} // namespace warpwright
