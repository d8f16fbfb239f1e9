//===- WgmmaMath.h - What the tensor cores compute --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A * B + D of one wgmma or mma instruction, bit for bit as an H200 does it
// (measured for this project over 25 000 random dot products of every floating
// type: see test/Inputs/tensor_core.txt for some of them):
//
//  - the exponent of a product is the sum of its factors' exponents (subnormal
//    factors have the smallest exponent of their type);
//  - e is the largest exponent of all products of the instruction and of the
//    accumulator, zeros taking no part;
//  - every term is truncated toward zero to a multiple of 2^(e - F);
//  - the terms are added exactly;
//  - a float result is the sum truncated toward zero to G significant bits, a
//    half result the sum rounded to nearest even.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_WGMMAMATH_H
#define WARPWRIGHT_SIM_LIB_WGMMAMATH_H

#include <stdint.h>
#include <vector>

namespace warpwright {
namespace sim {

enum class ElementType : uint8_t { f16, bf16, tf32, e4m3, e5m2, s8, u8, b1 };
enum class AccumulatorType : uint8_t { f32, f16, s32 };

/// 1 for b1 (of which one "element" is 8 bits here), 2, 4.
unsigned bytes_of(ElementType type);
inline bool is_integer(ElementType type) {
  return type == ElementType::s8 || type == ElementType::u8 ||
         type == ElementType::b1;
}

/// How many bits survive (F and G above).
struct Precision {
  int aligned;     ///< F: bits below the largest exponent
  int significant; ///< G: bits of a float result
};
Precision precision_of(ElementType type);

/// One factor in the form that the multiplication wants: the value (exact; tf32
/// without its low 13 bits) and its exponent; integers are in `exponent`.
struct OperandBlock {
  unsigned outer = 0, inner = 0; ///< value[o * inner + i]
  std::vector<float> value;
  std::vector<int32_t> exponent;

  void resize(unsigned new_outer, unsigned new_inner) {
    outer = new_outer;
    inner = new_inner;
    value.resize(outer * inner);
    exponent.resize(outer * inner);
  }
  /// Sets element (o, i) from its bits; `negate`: the instruction's scale is
  /// -1.
  void set(unsigned o, unsigned i, ElementType type, uint32_t bits,
           bool negate);
};

struct MmaSettings {
  ElementType a, b;
  AccumulatorType d;
  bool saturate = false; ///< .satfinite
  bool exact = false;    ///< round to nearest float in the order of k instead
};

/// d[rows x n] += a[rows x k] * b[k x n], all dense: d row-major, `a` with
/// outer = rows and inner = k, `b` with outer = k and inner = n. Accumulators
/// are 32-bit words: float, half (in the low 16 bits) or integer. `rows` of a
/// from `first_row` on are multiplied.
void multiply(const MmaSettings &settings, uint32_t *d, const OperandBlock &a,
              const OperandBlock &b, unsigned first_row, unsigned rows);

/// The same for one element and any exponents; slow. Exposed for its tests.
float multiply_element(const float *a, const int32_t *a_exponent,
                       unsigned a_step, const float *b,
                       const int32_t *b_exponent, unsigned b_step, unsigned k,
                       float accumulator, Precision precision);

float half_to_float(uint16_t bits);
/// To nearest even; the argument may hold more bits than a float.
uint16_t double_to_half(double value);
float fp8_to_float(uint8_t bits, bool is_e5m2);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_WGMMAMATH_H
