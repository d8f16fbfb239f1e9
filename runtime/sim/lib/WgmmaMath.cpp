//===- WgmmaMath.cpp - What the tensor cores compute ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaMath.h"

#include <math.h>
#include <string.h>

using namespace warpwright::sim;

namespace {

/// Stands for the exponent of zero, and of infinities and NaNs (which win even
/// against a zero factor).
constexpr int32_t no_exponent = -10000, not_finite = 30000;

uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

int32_t exponent_of(float value, int32_t smallest) {
  const uint32_t magnitude = bits_of(value) & 0x7fffffff;
  if (magnitude == 0)
    return no_exponent;
  if (magnitude >= 0x7f800000)
    return not_finite;
  const int32_t exponent = static_cast<int32_t>(magnitude >> 23) - 127;
  return exponent > smallest ? exponent : smallest;
}

int32_t smallest_exponent(ElementType type) {
  switch (type) {
  case ElementType::f16:
  case ElementType::e5m2:
    return -14;
  case ElementType::e4m3:
    return -6;
  default:
    return -126;
  }
}

} // namespace

unsigned warpwright::sim::bytes_of(ElementType type) {
  switch (type) {
  case ElementType::tf32:
    return 4;
  case ElementType::f16:
  case ElementType::bf16:
    return 2;
  default:
    return 1;
  }
}

// Source: measured on an H200, see the heading of WgmmaMath.h.
Precision warpwright::sim::precision_of(ElementType type) {
  if (type == ElementType::e4m3 || type == ElementType::e5m2)
    return {13, 14};
  return {25, 24};
}

float warpwright::sim::half_to_float(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 31)
    return float_of(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0)
    return float_of(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

uint16_t warpwright::sim::double_to_half(double value) {
  const uint16_t sign = bits_of(value) >> 63 ? 0x8000 : 0;
  const double magnitude = fabs(value);
  if (!(magnitude <= HUGE_VAL))
    return 0x7fff;
  if (magnitude >= 65520)
    return sign | 0x7c00;
  if (magnitude == 0)
    return sign;
  int exponent;
  frexp(magnitude, &exponent);
  const int last = exponent - 11 > -24 ? exponent - 11 : -24;
  const double units = nearbyint(ldexp(magnitude, -last));
  const uint32_t count = static_cast<uint32_t>(units); // at most 2048
  if (last == -24)
    return sign | static_cast<uint16_t>(count);
  // 1024..2048 units: the carry into the exponent is what addition does.
  return sign | static_cast<uint16_t>(((last + 24) << 10) + count);
}

float warpwright::sim::fp8_to_float(uint8_t bits, bool is_e5m2) {
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (is_e5m2)
    return half_to_float(static_cast<uint16_t>(bits << 8));
  const int exponent = bits >> 3 & 15, mantissa = bits & 7;
  if (exponent == 15 && mantissa == 7)
    return float_of(0x7fffffff);
  if (exponent == 0)
    return sign * static_cast<float>(mantissa) * 0x1p-9f;
  return sign * ldexpf(static_cast<float>(8 + mantissa), exponent - 10);
}

void OperandBlock::set(unsigned o, unsigned i, ElementType type, uint32_t bits,
                       bool negate) {
  const size_t at = static_cast<size_t>(o) * inner + i;
  float element = 0;
  switch (type) {
  case ElementType::f16:
    element = half_to_float(static_cast<uint16_t>(bits));
    break;
  case ElementType::bf16:
    element = float_of(bits << 16);
    break;
  case ElementType::tf32:
    element = float_of(bits & 0xffffe000);
    break;
  case ElementType::e4m3:
  case ElementType::e5m2:
    element =
        fp8_to_float(static_cast<uint8_t>(bits), type == ElementType::e5m2);
    break;
  case ElementType::s8:
    exponent[at] = static_cast<int8_t>(bits);
    return;
  case ElementType::u8:
  case ElementType::b1:
    exponent[at] = static_cast<uint8_t>(bits);
    return;
  }
  value[at] = negate ? -element : element;
  exponent[at] = exponent_of(element, smallest_exponent(type));
}

namespace {

/// What an infinity or a NaN among the terms makes of the sum.
bool special_sum(const float *a, unsigned a_step, const float *b,
                 unsigned b_step, unsigned k, float accumulator,
                 float &result) {
  double sum = isfinite(accumulator) ? 0 : accumulator;
  bool special = !isfinite(accumulator);
  for (unsigned i = 0; i < k; ++i) {
    const double x = a[i * a_step], y = b[i * b_step];
    if (isfinite(x) && isfinite(y))
      continue;
    special = true;
    sum += x * y;
  }
  result = isnan(sum) ? float_of(0x7fffffff) : static_cast<float>(sum);
  return special;
}

/// A float as an integer times a power of two.
struct Scaled {
  int64_t mantissa;
  int power;
};
Scaled scaled(float value) {
  int exponent;
  const float fraction = frexpf(value, &exponent);
  return {static_cast<int64_t>(ldexpf(fraction, 24)), exponent - 24};
}

int64_t shift_toward_zero(int64_t value, int left) {
  if (value == 0) // by whatever: its exponent says nothing
    return 0;
  if (left >= 0)
    return value * (int64_t(1) << left);
  if (left < -62)
    return 0;
  return value < 0 ? -(-value >> -left) : value >> -left;
}

/// The exact sum, in units of 2^unit, of the truncated terms.
int64_t exact_sum(const float *a, const int32_t *a_exponent, unsigned a_step,
                  const float *b, const int32_t *b_exponent, unsigned b_step,
                  unsigned k, float accumulator, int32_t accumulator_exponent,
                  int aligned, int &unit) {
  int32_t largest = accumulator_exponent;
  for (unsigned i = 0; i < k; ++i) {
    const int32_t exponent = a_exponent[i * a_step] + b_exponent[i * b_step];
    largest = largest > exponent ? largest : exponent;
  }
  unit = largest - aligned;
  if (largest < no_exponent / 2)
    return 0;
  const Scaled start = scaled(accumulator);
  int64_t sum = shift_toward_zero(start.mantissa, start.power - unit);
  for (unsigned i = 0; i < k; ++i) {
    const Scaled x = scaled(a[i * a_step]), y = scaled(b[i * b_step]);
    sum += shift_toward_zero(x.mantissa * y.mantissa, x.power + y.power - unit);
  }
  return sum;
}

} // namespace

float warpwright::sim::multiply_element(
    const float *a, const int32_t *a_exponent, unsigned a_step, const float *b,
    const int32_t *b_exponent, unsigned b_step, unsigned k, float accumulator,
    Precision precision) {
  float result;
  if (special_sum(a, a_step, b, b_step, k, accumulator, result))
    return result;
  int unit;
  const int64_t sum =
      exact_sum(a, a_exponent, a_step, b, b_exponent, b_step, k, accumulator,
                exponent_of(accumulator, -126), precision.aligned, unit);
  if (sum == 0)
    return 0;
  uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int length = 64 - __builtin_clzll(magnitude);
  int drop = length - precision.significant;
  // A subnormal result has its last place at 2^-149.
  if (drop < -149 - unit)
    drop = -149 - unit;
  if (drop > 63)
    return 0;
  if (drop > 0)
    magnitude = magnitude >> drop << drop;
  // At most 24 bits are left: exact, or beyond the largest float.
  const float rounded = static_cast<float>(
      ldexp(static_cast<double>(static_cast<int64_t>(magnitude)), unit));
  return sum < 0 ? -rounded : rounded;
}

namespace {

constexpr unsigned lanes = 16;

/// `x` without its fraction; anything for an `x` that is too large.
__attribute__((always_inline,
               no_sanitize("float-cast-overflow"))) inline int32_t
truncate(float x) {
  return static_cast<int32_t>(x);
}

/// One row of `d` against all columns, `lanes` at a time. Fast where every
/// exponent of the sum lies in [-100, 126], which float arithmetic can align;
/// other elements are returned in `again` (their columns), to be done slowly.
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
unsigned multiply_row(float *d, const float *a, const int32_t *a_exponent,
                      const float *b, const int32_t *b_exponent, unsigned k,
                      unsigned n, int aligned, uint64_t keep, uint16_t *again) {
  unsigned slow = 0;
  for (unsigned first = 0; first < n; first += lanes) {
    float c[lanes];
    int32_t e[lanes], e_used[lanes];
    const unsigned width = n - first < lanes ? n - first : lanes;
    for (unsigned l = 0; l < lanes; ++l)
      c[l] = l < width ? d[first + l] : 0;
    for (unsigned l = 0; l < lanes; ++l) {
      int32_t bits;
      memcpy(&bits, &c[l], 4);
      const int32_t magnitude = bits & 0x7fffffff;
      int32_t exponent = (magnitude >> 23) - 127;
      exponent = exponent > -126 ? exponent : -126;
      exponent = magnitude >= 0x7f800000 ? not_finite : exponent;
      e[l] = magnitude == 0 ? no_exponent : exponent;
    }
    // The rows of b are padded to whole blocks of lanes: reading on is safe.
    for (unsigned i = 0; i < k; ++i) {
      const int32_t *row = b_exponent + static_cast<size_t>(i) * n + first;
      const int32_t mine = a_exponent[i];
      for (unsigned l = 0; l < lanes; ++l) {
        const int32_t sum = mine + row[l];
        e[l] = e[l] > sum ? e[l] : sum;
      }
    }
    float scale[lanes];
    for (unsigned l = 0; l < lanes; ++l) {
      int32_t clamped = e[l] > -100 ? e[l] : -100;
      clamped = clamped < 126 ? clamped : 126;
      e_used[l] = clamped;
      const int32_t bits = (127 + aligned - clamped) << 23;
      memcpy(&scale[l], &bits, 4);
    }
    // Up to 2^27 each: two sums of at most 16 products stay inside 32 bits.
    // Unsigned, since they may wrap around in lanes that are done again below;
    // only in those is a product too large for an int32_t.
    uint32_t low[lanes] = {}, high[lanes];
    for (unsigned l = 0; l < lanes; ++l)
      high[l] = static_cast<uint32_t>(truncate(c[l] * scale[l]));
    const unsigned half = k / 2;
    for (unsigned i = 0; i < half; ++i) {
      const float *row = b + static_cast<size_t>(i) * n + first;
      const float mine = a[i];
      for (unsigned l = 0; l < lanes; ++l)
        low[l] += static_cast<uint32_t>(truncate(mine * row[l] * scale[l]));
    }
    for (unsigned i = half; i < k; ++i) {
      const float *row = b + static_cast<size_t>(i) * n + first;
      const float mine = a[i];
      for (unsigned l = 0; l < lanes; ++l)
        high[l] += static_cast<uint32_t>(truncate(mine * row[l] * scale[l]));
    }
    float result[lanes];
    for (unsigned l = 0; l < lanes; ++l) {
      const double sum = static_cast<double>(static_cast<int32_t>(low[l])) +
                         static_cast<double>(static_cast<int32_t>(high[l]));
      uint64_t bits;
      memcpy(&bits, &sum, 8);
      bits &= keep;
      double truncated;
      memcpy(&truncated, &bits, 8);
      const uint64_t unit_bits =
          static_cast<uint64_t>(1023 + e_used[l] - aligned) << 52;
      double unit;
      memcpy(&unit, &unit_bits, 8);
      result[l] = static_cast<float>(truncated * unit);
    }
    for (unsigned l = 0; l < width; ++l) {
      d[first + l] = result[l];
      if (e[l] > 126 || (e[l] < -100 && e[l] > no_exponent / 2)) {
        d[first + l] = c[l];
        again[slow++] = static_cast<uint16_t>(first + l);
      }
    }
  }
  return slow;
}

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void multiply_row_exact(float *d, const float *a, const float *b, unsigned k,
                        unsigned n) {
  for (unsigned i = 0; i < k; ++i) {
    const float mine = a[i];
    const float *row = b + static_cast<size_t>(i) * n;
    for (unsigned j = 0; j < n; ++j)
      d[j] += mine * row[j];
  }
}

void multiply_integers(const MmaSettings &settings, uint32_t *d,
                       const OperandBlock &a, const OperandBlock &b,
                       unsigned first_row, unsigned rows) {
  const unsigned k = a.inner, n = b.inner;
  std::vector<int64_t> sum(n);
  for (unsigned r = 0; r < rows; ++r) {
    uint32_t *out = d + static_cast<size_t>(r) * n;
    const int32_t *left = a.exponent.data() + (first_row + r) * k;
    for (unsigned j = 0; j < n; ++j)
      sum[j] = static_cast<int32_t>(out[j]);
    for (unsigned i = 0; i < k; ++i) {
      const int32_t *right = b.exponent.data() + static_cast<size_t>(i) * n;
      if (settings.a == ElementType::b1)
        for (unsigned j = 0; j < n; ++j)
          sum[j] += __builtin_popcount(static_cast<unsigned>(left[i]) &
                                       static_cast<unsigned>(right[j]));
      else
        for (unsigned j = 0; j < n; ++j)
          sum[j] += left[i] * right[j];
    }
    for (unsigned j = 0; j < n; ++j) {
      int64_t value = sum[j];
      if (settings.saturate)
        value = value > INT32_MAX   ? INT32_MAX
                : value < INT32_MIN ? INT32_MIN
                                    : value;
      out[j] = static_cast<uint32_t>(value);
    }
  }
}

/// One half accumulator: the sum is rounded once, to half.
uint32_t multiply_half(const MmaSettings &settings, uint32_t accumulator,
                       const OperandBlock &a, const OperandBlock &b,
                       unsigned row, unsigned column) {
  const float *left = a.value.data() + static_cast<size_t>(row) * a.inner;
  const float *right = b.value.data() + column;
  const float start = half_to_float(static_cast<uint16_t>(accumulator));
  float special;
  if (special_sum(left, 1, right, b.inner, a.inner, start, special))
    return double_to_half(special);
  if (settings.exact) {
    double sum = start;
    for (unsigned i = 0; i < a.inner; ++i)
      sum += static_cast<double>(left[i]) * right[i * b.inner];
    return double_to_half(sum);
  }
  int unit;
  const int64_t sum = exact_sum(
      left, a.exponent.data() + static_cast<size_t>(row) * a.inner, 1, right,
      b.exponent.data() + column, b.inner, a.inner, start,
      exponent_of(start, -14), precision_of(settings.a).aligned, unit);
  const uint16_t rounded =
      double_to_half(ldexp(static_cast<double>(sum), unit));
  return rounded == 0x8000 ? 0 : rounded; // zero has no sign
}

} // namespace

void warpwright::sim::multiply(const MmaSettings &settings, uint32_t *d,
                               const OperandBlock &a, const OperandBlock &b,
                               unsigned first_row, unsigned rows) {
  const unsigned k = a.inner, n = b.inner;
  if (settings.d == AccumulatorType::s32) {
    multiply_integers(settings, d, a, b, first_row, rows);
    return;
  }
  if (settings.d == AccumulatorType::f16) {
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned j = 0; j < n; ++j)
        d[static_cast<size_t>(r) * n + j] =
            multiply_half(settings, d[static_cast<size_t>(r) * n + j], a, b,
                          first_row + r, j);
    return;
  }
  const Precision precision = precision_of(settings.a);
  // What is kept of a double: sign, exponent and G - 1 bits of mantissa.
  const uint64_t keep = ~uint64_t(0) << (52 - (precision.significant - 1));
  // Blocks of lanes may read past the last row of b.
  static thread_local std::vector<float> b_value;
  static thread_local std::vector<int32_t> b_exponent;
  b_value.assign(b.value.begin(), b.value.end());
  b_value.resize(b.value.size() + lanes);
  b_exponent.assign(b.exponent.begin(), b.exponent.end());
  b_exponent.resize(b.exponent.size() + lanes);
  static thread_local std::vector<uint16_t> again;
  again.resize(n);
  static thread_local std::vector<float> row;
  row.resize(n);
  for (unsigned r = 0; r < rows; ++r) {
    uint32_t *out = d + static_cast<size_t>(r) * n;
    const float *left = a.value.data() + static_cast<size_t>(first_row + r) * k;
    const int32_t *left_exponent =
        a.exponent.data() + static_cast<size_t>(first_row + r) * k;
    memcpy(row.data(), out, n * sizeof(float));
    if (settings.exact) {
      multiply_row_exact(row.data(), left, b_value.data(), k, n);
    } else {
      const unsigned slow = multiply_row(
          row.data(), left, left_exponent, b_value.data(), b_exponent.data(), k,
          n, precision.aligned, keep, again.data());
      for (unsigned i = 0; i < slow; ++i)
        row[again[i]] = multiply_element(
            left, left_exponent, 1, b.value.data() + again[i],
            b.exponent.data() + again[i], n, k, row[again[i]], precision);
    }
    // One NaN for all, as the hardware has.
    for (unsigned j = 0; j < n; ++j)
      out[j] = row[j] == row[j] ? bits_of(row[j]) : 0x7fffffff;
  }
}
