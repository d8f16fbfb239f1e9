//===- warpwright/rt/range.cuh - Sets of integers on the host ---*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic for the launcher: which element offsets an index
// expression reaches over a whole launch. Intervals saturate at the ends of
// int64_t, so that an offset beyond them is seen as being out of every range.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_RANGE_CUH
#define WARPWRIGHT_RT_RANGE_CUH

#include <stdint.h>

namespace warpwright {
namespace rt {

/// Quotient and remainder that round towards minus infinity. Meant for
/// divisors above 0; of others the result is 0.
__host__ __device__ inline int64_t floor_div(int64_t x, int64_t y) {
  if (y <= 0)
    return 0;
  return x / y - (x % y < 0 ? 1 : 0);
}
__host__ __device__ inline int64_t floor_mod(int64_t x, int64_t y) {
  if (y <= 0)
    return 0;
  return x % y + (x % y < 0 ? y : 0);
}
__host__ __device__ inline int64_t min(int64_t x, int64_t y) {
  return y < x ? y : x;
}
__host__ __device__ inline int64_t max(int64_t x, int64_t y) {
  return x < y ? y : x;
}

inline int64_t saturating_add(int64_t x, int64_t y) {
  int64_t sum;
  if (__builtin_add_overflow(x, y, &sum))
    return x < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}
inline int64_t saturating_mul(int64_t x, int64_t y) {
  int64_t product;
  if (__builtin_mul_overflow(x, y, &product))
    return (x < 0) == (y < 0) ? INT64_MAX : INT64_MIN;
  return product;
}

/// The integers lo, lo + 1, ..., hi.
struct Range {
  int64_t lo;
  int64_t hi;

  Range(int64_t value) : lo(value), hi(value) {}
  Range(int64_t lo, int64_t hi) : lo(lo), hi(hi) {}
  /// The values of an index with this extent, which is at least 1.
  static Range of_extent(int64_t extent) {
    return Range(0, extent > 1 ? extent - 1 : 0);
  }
};

inline Range operator+(Range x, Range y) {
  return Range(saturating_add(x.lo, y.lo), saturating_add(x.hi, y.hi));
}
inline Range operator*(Range x, Range y) {
  const int64_t a = saturating_mul(x.lo, y.lo), b = saturating_mul(x.lo, y.hi),
                c = saturating_mul(x.hi, y.lo), d = saturating_mul(x.hi, y.hi);
  return Range(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}
inline Range operator-(Range x) { return x * Range(-1); }
inline Range operator-(Range x, Range y) { return x + -y; }
inline Range min(Range x, Range y) {
  return Range(min(x.lo, y.lo), min(x.hi, y.hi));
}
inline Range max(Range x, Range y) {
  return Range(max(x.lo, y.lo), max(x.hi, y.hi));
}
/// Everything in both: what `condition ? x : y` reaches at most.
inline Range either(Range x, Range y) {
  return Range(min(x.lo, y.lo), max(x.hi, y.hi));
}
inline Range floor_div(Range x, Range y) {
  // Monotonic in x, and in y for each sign of x.
  const int64_t a = floor_div(x.lo, y.lo), b = floor_div(x.lo, y.hi),
                c = floor_div(x.hi, y.lo), d = floor_div(x.hi, y.hi);
  return Range(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}
inline Range floor_mod(Range x, Range y) {
  if (x.lo >= 0 && x.hi < y.lo)
    return x;
  return Range(0, y.hi > 1 ? y.hi - 1 : 0);
}

} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_RANGE_CUH
