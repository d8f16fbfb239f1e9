//===- small_float.h - Numbers of 16 and 8 bits -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between double, float and the small formats, every one rounded
// once, as the device's cvt does it: a NaN becomes the format's canonical one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_SMALL_FLOAT_H
#define WARPWRIGHT_SIM_SMALL_FLOAT_H

#include "host_defines.h"

#include <stdint.h>

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

enum class Round { nearest, zero, up, down };

/// The magnitude of a finite `x` in a format with `mantissa` bits after the
/// point and `bias`, rounded, as exponent and mantissa side by side. What is
/// too large goes on above the format's range.
inline uint64_t round_magnitude(double x, int mantissa, int bias, Round mode) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, x);
  const bool negative = bits >> 63;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  uint64_t significand = bits & ((uint64_t(1) << 52) - 1);
  if (exponent)
    significand |= uint64_t(1) << 52;
  else
    exponent = 1;
  exponent += bias - 1023;
  int shift = 52 - mantissa;
  if (exponent < 1) { // below the format's normal numbers
    shift += 1 - exponent;
    exponent = 1;
  }
  uint64_t kept = 0, rest = significand, half = ~uint64_t(0);
  if (shift < 64) {
    kept = significand >> shift;
    rest = significand & ((uint64_t(1) << shift) - 1);
    half = uint64_t(1) << (shift - 1);
  }
  const bool away = mode == Round::nearest
                        ? rest > half || (rest == half && (kept & 1))
                    : mode == Round::up   ? rest && !negative
                    : mode == Round::down ? rest && negative
                                          : false;
  return (static_cast<uint64_t>(exponent - 1) << mantissa) + kept + away;
}

/// To a format of 16 bits with an infinity.
template <int Mantissa>
inline unsigned short narrow(double x, Round mode = Round::nearest) {
  constexpr int bias = (1 << (14 - Mantissa)) - 1;
  constexpr uint64_t infinity = ((uint64_t(1) << (15 - Mantissa)) - 1)
                                << Mantissa;
  if (x != x)
    return 0x7fff;
  const bool negative = __builtin_bit_cast(uint64_t, x) >> 63;
  uint64_t magnitude = infinity;
  if (!__builtin_isinf(x)) {
    magnitude = round_magnitude(x, Mantissa, bias, mode);
    if (magnitude >= infinity) // the largest number, rounding toward zero
      magnitude =
          infinity - (mode == Round::zero || (mode == Round::up && negative) ||
                      (mode == Round::down && !negative));
  }
  return static_cast<unsigned short>(magnitude | (negative ? 0x8000u : 0));
}

/// p + c in double, rounded to odd: rounding the result to a format of 16 bits
/// gives what rounding the exact sum would.
inline double add_to_odd(double p, double c) {
  const double sum = p + c;
  const double of_c = sum - p;
  const double error = (p - (sum - of_c)) + (c - of_c);
  uint64_t bits = __builtin_bit_cast(uint64_t, sum);
  if (!(error != 0) || __builtin_isinf(sum) || sum != sum || (bits & 1))
    return sum;
  bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return __builtin_bit_cast(double, bits);
}

/// An integer as a double that rounds to fewer than 50 bits as it would.
inline double integer_to_odd(unsigned long long magnitude) {
  if (magnitude >> 53 == 0)
    return static_cast<double>(magnitude);
  const unsigned long long low = magnitude & 0xfff;
  return static_cast<double>(magnitude >> 12 | (low != 0)) * 4096;
}
template <class Integer> inline double to_odd(Integer x) {
  if (x < Integer(0))
    return -integer_to_odd(0ull - static_cast<unsigned long long>(x));
  return integer_to_odd(static_cast<unsigned long long>(x));
}

/// Half precision.
struct HalfFormat {
  static constexpr int mantissa = 10;
  static __forceinline__ float widen(unsigned short x) {
    if ((x & 0x7fff) > 0x7c00)
      return __builtin_bit_cast(float, 0x7fffffffu);
#ifdef __F16C__
    return static_cast<float>(__builtin_bit_cast(_Float16, x));
#else
    const uint32_t sign = static_cast<uint32_t>(x & 0x8000) << 16;
    const uint32_t magnitude = x & 0x7fff;
    float value;
    if (magnitude >= 0x7c00) // infinity
      value = __builtin_bit_cast(float, 0x7f800000u);
    else if (magnitude >= 0x0400)
      value = __builtin_bit_cast(float, (magnitude << 13) + 0x38000000u);
    else
      value = static_cast<float>(magnitude) * 0x1p-24f;
    return __builtin_bit_cast(float,
                              __builtin_bit_cast(uint32_t, value) | sign);
#endif
  }
  static __forceinline__ unsigned short narrow(float x) {
#ifdef __F16C__
    if (x != x)
      return 0x7fff;
    return __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
#else
    return sim::narrow<mantissa>(static_cast<double>(x));
#endif
  }
  /// Of two such numbers, rounded once: a float holds it exactly.
  static __forceinline__ unsigned short multiply(float a, float b) {
    return narrow(a * b);
  }
};

/// The upper half of a float.
struct Bfloat16Format {
  static constexpr int mantissa = 7;
  static __forceinline__ float widen(unsigned short x) {
    return __builtin_bit_cast(float, static_cast<uint32_t>(x) << 16);
  }
  static __forceinline__ unsigned short narrow(float x) {
    if (x != x)
      return 0x7fff;
    const uint32_t bits = __builtin_bit_cast(uint32_t, x);
    return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >>
                                       16);
  }
  /// In double, since a float would lose bits of the very small products.
  static __forceinline__ unsigned short multiply(float a, float b) {
    return sim::narrow<mantissa>(static_cast<double>(a) *
                                 static_cast<double>(b));
  }
};

} // namespace sim
} // namespace warpwright

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_SMALL_FLOAT_H
