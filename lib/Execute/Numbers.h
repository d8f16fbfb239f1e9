//===-- Numbers.h - Typed numbers as the device computes them ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers of the scalar types, as bits. Arithmetic of half and bfloat16 is
/// done in double and rounded once, to nearest even; all other arithmetic is
/// the host's.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_NUMBERS_H
#define WARPWRIGHT_LIB_EXECUTE_NUMBERS_H

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/APFloat.h"
#include <cstring>

namespace warpwright {
namespace execute {

template <class To, class From> To bitCast(const From &X) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To Result;
  std::memcpy(&Result, &X, sizeof(To));
  return Result;
}

inline float asFloat(uint64_t Bits) {
  return bitCast<float>(static_cast<uint32_t>(Bits));
}
inline double asDouble(uint64_t Bits) { return bitCast<double>(Bits); }
inline uint64_t bitsOf(float X) { return bitCast<uint32_t>(X); }
inline uint64_t bitsOf(double X) { return bitCast<uint64_t>(X); }

/// The lowest \p Width bits set.
inline uint64_t lowBits(unsigned Width) {
  return Width >= 64 ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
}
inline int64_t signExtend(uint64_t Bits, unsigned Width) {
  return static_cast<int64_t>(Bits << (64 - Width)) >> (64 - Width);
}

double halfToDouble(uint16_t Bits);
double bfloatToDouble(uint16_t Bits);
uint16_t doubleToHalf(double X);   ///< to nearest even; NaN gives 0x7fff
uint16_t doubleToBFloat(double X); ///< to nearest even; NaN gives 0x7fff
/// A * B + C of numbers with at most 11 significant bits, computed such that
/// rounding the result to 11 bits or fewer is the only rounding.
double fmaToOdd(double A, double B, double C);
/// Exponent of the lowest bit of \p X that is set. X is finite and not 0.
int lowestBit(double X);

/// A number with its type.
struct Num {
  ScalarType Type = ScalarType::F32;
  uint64_t Bits = 0; ///< zero-extended

  bool isFloat() const { return isFloating(Type); }
  bool isSigned() const {
    return Type == ScalarType::I8 || Type == ScalarType::I16 ||
           Type == ScalarType::I32 || Type == ScalarType::I64;
  }
  /// Exact for floating-point types and integers up to 53 bits.
  double real() const;
  /// Of an integer type; unsigned 64-bit numbers wrap.
  int64_t integer() const;
};

/// \p X rounded to nearest even in the floating-point type \p T.
Num fromReal(ScalarType T, double X);
/// \p X modulo the width of the integer type \p T.
Num fromInteger(ScalarType T, int64_t X);
/// A conversion as in C++. Nothing if it is undefined: a floating-point number
/// outside of the range of an integer type.
std::optional<Num> convert(ScalarType To, const Num &X);
enum class Arithmetic { Add, Sub, Mul, Div };
/// Both operands have the same type. Nothing if the result is undefined:
/// division of integers by 0.
std::optional<Num> apply(Arithmetic Op, const Num &L, const Num &R);
Num negate(const Num &X);
/// The same for floating-point numbers, rounded once as \p Mode says.
Num applyRounded(Arithmetic Op, const Num &L, const Num &R,
                 llvm::RoundingMode Mode);
Num fmaRounded(const Num &A, const Num &B, const Num &C,
               llvm::RoundingMode Mode);
/// Any number as one of the floating-point type \p To.
Num convertRounded(ScalarType To, const Num &X, llvm::RoundingMode Mode);
/// Rounded to an integer as \p Mode says and clamped to the range of the
/// integer type \p To, as the device's instructions do; 0 for NaN.
Num saturateToInteger(ScalarType To, const Num &X, llvm::RoundingMode Mode);
Num fma(const Num &A, const Num &B, const Num &C);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_NUMBERS_H
