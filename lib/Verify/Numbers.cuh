//===-- Numbers.cuh - Types and random bits --------------------*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of every verification program; CMake turns this file into a string.
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace warpwright_verify {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

enum class Type {
  boolean,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  e4m3,
  e5m2,
  f16,
  bf16,
  f32,
  f64
};

struct TypeInfo {
  const char *name;
  int bytes;
  int digits; ///< significand bits, the hidden one too; 0: integer
  int lowest; ///< exponent of the smallest subnormal number
  double largest;
};

inline const TypeInfo &info(Type type) {
  static const TypeInfo all[] = {{"bool", 1, 0, 0, 1},
                                 {"i8", 1, 0, 0, 127},
                                 {"u8", 1, 0, 0, 255},
                                 {"i16", 2, 0, 0, 32767},
                                 {"u16", 2, 0, 0, 65535},
                                 {"i32", 4, 0, 0, 2147483647.0},
                                 {"u32", 4, 0, 0, 4294967295.0},
                                 {"i64", 8, 0, 0, 9223372036854775807.0},
                                 {"u64", 8, 0, 0, 18446744073709551615.0},
                                 {"e4m3", 1, 4, -9, 448},
                                 {"e5m2", 1, 3, -16, 57344},
                                 {"f16", 2, 11, -24, 65504},
                                 {"bf16", 2, 8, -133, 3.3895313892515355e38},
                                 {"f32", 4, 24, -149, 3.4028234663852886e38},
                                 {"f64", 8, 53, -1074, 1.7976931348623157e308}};
  return all[static_cast<int>(type)];
}

/// The distance from x to the next number of that type, away from zero.
inline double spacing(Type type, double x) {
  const TypeInfo &t = info(type);
  if (!t.digits)
    return 1;
  if (!std::isfinite(x) || x == 0)
    return std::ldexp(1.0, t.lowest);
  const int exponent = std::ilogb(x) + 1 - t.digits;
  return std::ldexp(1.0, exponent > t.lowest ? exponent : t.lowest);
}

/// x, or the largest number of a type of 8 bits where it is beyond that.
inline double saturate(Type type, double x) {
  const double largest = info(type).largest;
  return std::fabs(x) > largest ? std::copysign(largest, x) : x;
}

inline bool is_signed(Type type) {
  return type == Type::i8 || type == Type::i16 || type == Type::i32 ||
         type == Type::i64;
}

/// x rounded to that type: to nearest even for floating-point types, with
/// overflow to infinity, or to the largest number of 8 bits; toward zero for
/// integers, and then modulo the number of integers of the type.
inline double round_to(Type type, double x) {
  const TypeInfo &t = info(type);
  if (type == Type::e4m3 || type == Type::e5m2)
    x = saturate(type, x);
  if (!std::isfinite(x) || type == Type::f64)
    return x;
  if (type == Type::boolean)
    return x != 0;
  if (!t.digits) {
    const double count = std::ldexp(1.0, 8 * t.bytes);
    const double least = is_signed(type) ? -count / 2 : 0;
    x = std::trunc(x);
    return x - count * std::floor((x - least) / count);
  }
  const double unit = spacing(type, x);
  const double rounded = std::nearbyint(x / unit) * unit;
  return std::fabs(rounded) > t.largest ? std::copysign(INFINITY, x) : rounded;
}

/// x as the device converts a number to an integer type: `rounded` to an
/// integer already, the nearest end of the range beyond it, and 0 for NaN.
inline double to_integer(Type type, double rounded) {
  const double most = info(type).largest,
               least = is_signed(type) ? -most - 1 : 0;
  return std::isnan(rounded) ? 0
         : rounded < least   ? least
         : rounded > most    ? most
                             : rounded;
}

/// The number in the bytes of an element.
inline double decode(Type type, const unsigned char *from) {
  const auto as = [from](auto value) {
    std::memcpy(&value, from, sizeof(value));
    return static_cast<double>(value);
  };
  switch (type) {
  case Type::boolean:
  case Type::u8:
    return as(uint8_t());
  case Type::i8:
    return as(int8_t());
  case Type::i16:
    return as(int16_t());
  case Type::u16:
    return as(uint16_t());
  case Type::i32:
    return as(int32_t());
  case Type::u32:
    return as(uint32_t());
  case Type::i64:
    return as(int64_t());
  case Type::u64:
    return as(uint64_t());
  case Type::f32:
    return as(float());
  case Type::f64:
    return as(double());
  case Type::bf16: {
    const unsigned char wide[] = {0, 0, from[0], from[1]};
    return decode(Type::f32, wide);
  }
  case Type::e5m2: {
    const unsigned char wide[] = {0, from[0]};
    return decode(Type::f16, wide);
  }
  case Type::e4m3: {
    const int bits = from[0] & 127, exponent = bits >> 3, fraction = bits & 7;
    const double size = bits == 127 ? NAN
                        : exponent  ? std::ldexp(8 + fraction, exponent - 10)
                                    : std::ldexp(fraction, -9);
    return from[0] >> 7 ? -size : size;
  }
  case Type::f16: {
    const int bits = from[0] | from[1] << 8, exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent ? std::ldexp(1024 + fraction, exponent - 25)
                                   : std::ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
  }
  }
  return NAN;
}

/// Writes round_to(type, x) as an element.
inline void encode(Type type, double x, unsigned char *to) {
  x = round_to(type, x);
  const auto as = [x, to](auto kind) {
    const auto value = static_cast<decltype(kind)>(x);
    std::memcpy(to, &value, sizeof(value));
  };
  switch (type) {
  case Type::boolean:
  case Type::u8:
    return as(uint8_t());
  case Type::i8:
    return as(int8_t());
  case Type::i16:
    return as(int16_t());
  case Type::u16:
    return as(uint16_t());
  case Type::i32:
    return as(int32_t());
  case Type::u32:
    return as(uint32_t());
  case Type::i64:
    return as(int64_t());
  case Type::u64:
    return as(uint64_t());
  case Type::f32:
    return as(float());
  case Type::f64:
    return as(double());
  case Type::e5m2: {
    unsigned char wide[2];
    encode(Type::f16, x, wide);
    to[0] = wide[1];
    return;
  }
  case Type::e4m3: {
    const double size = std::fabs(x);
    int bits = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x)) {
      bits |= 127;
    } else if (size < 0x1p-6) {
      bits |= static_cast<int>(std::ldexp(size, 9));
    } else {
      const int exponent = std::ilogb(size);
      bits |= (exponent + 7) << 3 |
              (static_cast<int>(std::ldexp(size, 3 - exponent)) & 7);
    }
    to[0] = static_cast<unsigned char>(bits);
    return;
  }
  case Type::bf16: {
    unsigned char wide[4];
    encode(Type::f32, x, wide);
    to[0] = wide[2];
    to[1] = wide[3];
    return;
  }
  case Type::f16: {
    const double size = std::fabs(x);
    int bits = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) {
      bits |= 0x7e00;
    } else if (std::isinf(x)) {
      bits |= 0x7c00;
    } else if (size < 6.103515625e-05) {
      bits |= static_cast<int>(std::ldexp(size, 24));
    } else {
      const int exponent = std::ilogb(size);
      bits |= (exponent + 15) << 10 |
              (static_cast<int>(std::ldexp(size, 10 - exponent)) & 1023);
    }
    to[0] = static_cast<unsigned char>(bits);
    to[1] = static_cast<unsigned char>(bits >> 8);
    return;
  }
  }
}

// The integer operations of index expressions.
/// A float rounded to the 11 bits of tf32, ties away from zero (PTX ISA,
/// cvt.rna to .tf32).
inline double round_to_tf32(double x) {
  if (!std::isfinite(x))
    return x;
  const float number = static_cast<float>(x);
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  bits = (bits + 0x1000) & ~uint32_t(0x1fff);
  float rounded;
  std::memcpy(&rounded, &bits, sizeof(rounded));
  return rounded;
}

inline int64_t floor_div(int64_t a, int64_t b) {
  return b <= 0 ? 0 : a / b - (a % b < 0);
}
inline int64_t modulo(int64_t a, int64_t b) {
  return b <= 0 ? 0 : a - b * floor_div(a, b);
}
inline int64_t lesser(int64_t a, int64_t b) { return b < a ? b : a; }
inline int64_t greater(int64_t a, int64_t b) { return a < b ? b : a; }
/// Both sides are evaluated, so that the elements in both are known to be used.
inline double choose(bool condition, double yes, double no) {
  return condition ? yes : no;
}

/// Random bits for element `index` of stream `seed` (splitmix64).
inline uint64_t random_bits(uint64_t seed, uint64_t index) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + (index + 1) * 0xd1342543de82ef95u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace warpwright_verify
