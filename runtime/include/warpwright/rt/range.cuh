//===- warpwright/rt/range.cuh - Sets of integers on the host --*- CUDA -*-===//
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

#include <warpwright/rt/integer.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The ends of int64_t stand for all that lies beyond, and stay what they are.
inline bool is_beyond(int64_t x) { return x == INT64_MIN || x == INT64_MAX; }
inline int64_t saturating_add(int64_t x, int64_t y) {
  int64_t sum;
  if (is_beyond(x))
    return x;
  if (is_beyond(y))
    return y;
  if (__builtin_add_overflow(x, y, &sum))
    return x < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}
inline int64_t saturating_mul(int64_t x, int64_t y) {
  int64_t product;
  if (x == 0 || y == 0)
    return 0;
  if (is_beyond(x) || is_beyond(y) || __builtin_mul_overflow(x, y, &product))
    return (x < 0) == (y < 0) ? INT64_MAX : INT64_MIN;
  return product;
}
inline int64_t saturating_div(int64_t x, int64_t y) {
  return is_beyond(x) ? x : floor_div(x, y);
}

/// The integers lo, lo + 1, ..., hi.
struct Range {
  int64_t lo;
  int64_t hi;

  /// One integer; all of them where it is not known.
  Range(Integer value)
      : lo(value.is_exact() ? value.get() : INT64_MIN), hi(value.get()) {}
  template <class T, class = decltype(Integer(*static_cast<T *>(nullptr)))>
  Range(T value) : Range(Integer(value)) {}
  Range(int64_t lo, int64_t hi) : lo(lo), hi(hi) {}
  static Range everything() { return Range(INT64_MIN, INT64_MAX); }
  /// The values of an index with this extent, which is at least 1.
  static Range of_extent(int64_t extent) {
    return Range(0, extent > 1 ? extent - 1 : 0);
  }
  /// Those from `first` to before `end`; where there are none, hi is below lo.
  static Range of_part(int64_t extent, int64_t first, int64_t end) {
    const int64_t lo = first < 0 ? 0 : first < extent ? first : extent;
    return Range(lo, (end < lo ? lo : end < extent ? end : extent) - 1);
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
  if (y.lo <= 0)
    return Range::everything();
  // Monotonic in x, and in y for each sign of x.
  const int64_t a = saturating_div(x.lo, y.lo), b = saturating_div(x.lo, y.hi),
                c = saturating_div(x.hi, y.lo), d = saturating_div(x.hi, y.hi);
  return Range(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}
inline Range floor_mod(Range x, Range y) {
  if (y.lo <= 0)
    return Range::everything();
  if (x.lo >= 0 && x.hi < y.lo)
    return x;
  return Range(0, y.hi - 1);
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_RANGE_CUH
