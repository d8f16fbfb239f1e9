//===- warpwright/rt/integer.cuh - Exact integers on the host --*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integers that a launcher computes with: extents, strides and conditions
// stand for mathematical integers, and a product of a few 32-bit parameters may
// leave int64_t. Such a result is marked, and so is all that is computed from
// it: what is not known exactly never lets a Hopper kernel run.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_INTEGER_CUH
#define WARPWRIGHT_RT_INTEGER_CUH

#include <stdint.h>

#include <type_traits>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Quotient and remainder that round towards minus infinity. Meant for
/// divisors above 0; of others the result is 0. Those of two ints take a device
/// a fourth of the instructions that 64 bits take.
template <typename X, typename Y>
__host__ __device__ inline typename std::enable_if<
    std::is_integral<X>::value && std::is_integral<Y>::value, int64_t>::type
floor_div(X x, Y y) {
  using wide = typename std::conditional<std::is_same<X, int>::value &&
                                             std::is_same<Y, int>::value,
                                         int, int64_t>::type;
  const wide dividend = static_cast<wide>(x);
  // Without a branch around it, nvcc computes a quotient once that stands in
  // an unrolled loop.
  const bool divides = static_cast<wide>(y) > 0;
  const wide divisor = divides ? static_cast<wide>(y) : 1;
  const wide quotient = dividend / divisor;
  return divides ? quotient - (dividend - quotient * divisor < 0 ? 1 : 0) : 0;
}
template <typename X, typename Y>
__host__ __device__ inline typename std::enable_if<
    std::is_integral<X>::value && std::is_integral<Y>::value, int64_t>::type
floor_mod(X x, Y y) {
  return static_cast<int64_t>(y) <= 0
             ? 0
             : static_cast<int64_t>(x) -
                   floor_div(x, y) * static_cast<int64_t>(y);
}
__host__ __device__ inline int64_t min(int64_t x, int64_t y) {
  return y < x ? y : x;
}
__host__ __device__ inline int64_t max(int64_t x, int64_t y) {
  return x < y ? y : x;
}

/// A condition that holds, does not hold, or is not known because an integer
/// in it is not.
class Truth {
public:
  Truth(bool value) : known(true), value(value) {}
  static Truth unknown() {
    Truth result(false);
    result.known = false;
    return result;
  }
  bool is_true() const { return known && value; }
  bool is_false() const { return known && !value; }

private:
  bool known, value;
};

inline Truth operator!(Truth x) {
  return x.is_true() ? Truth(false) : x.is_false() ? Truth(true) : x;
}
inline Truth operator&&(Truth x, Truth y) {
  if (x.is_false() || y.is_false())
    return false;
  return x.is_true() ? y : x;
}
inline Truth operator||(Truth x, Truth y) {
  if (x.is_true() || y.is_true())
    return true;
  return x.is_false() ? y : x;
}

/// An integer that is known exactly, or known to be beyond int64_t.
class Integer {
public:
  /// From any integer type, unsigned 64-bit ones included.
  template <class T,
            class = decltype(static_cast<int64_t>(*static_cast<T *>(nullptr)))>
  Integer(T x)
      : value(static_cast<int64_t>(x)),
        exact(static_cast<T>(value) == x && (value > 0) == (x > T(0))) {}
  static Integer unknown() {
    Integer result(0);
    result.exact = false;
    return result;
  }

  bool is_exact() const { return exact; }
  /// The value; one that no check lets pass where it is not known.
  int64_t get() const { return exact ? value : INT64_MAX; }

  friend Integer operator+(Integer x, Integer y) {
    const bool over = __builtin_add_overflow(x.value, y.value, &x.value);
    return x.and_if(y.exact && !over);
  }
  friend Integer operator-(Integer x, Integer y) {
    const bool over = __builtin_sub_overflow(x.value, y.value, &x.value);
    return x.and_if(y.exact && !over);
  }
  friend Integer operator*(Integer x, Integer y) {
    const bool over = __builtin_mul_overflow(x.value, y.value, &x.value);
    return x.and_if(y.exact && !over);
  }
  friend Integer operator-(Integer x) { return Integer(0) - x; }
  friend Integer floor_div(Integer x, Integer y) {
    x.value = rt::floor_div(x.value, y.value);
    return x.and_if(y.exact && y.value > 0);
  }
  friend Integer floor_mod(Integer x, Integer y) {
    x.value = rt::floor_mod(x.value, y.value);
    return x.and_if(y.exact && y.value > 0);
  }
  friend Integer min(Integer x, Integer y) {
    x.value = rt::min(x.value, y.value);
    return x.and_if(y.exact);
  }
  friend Integer max(Integer x, Integer y) {
    x.value = rt::max(x.value, y.value);
    return x.and_if(y.exact);
  }
  friend Truth operator==(Integer x, Integer y) {
    return x.exact && y.exact ? Truth(x.value == y.value) : Truth::unknown();
  }
  friend Truth operator<(Integer x, Integer y) {
    return x.exact && y.exact ? Truth(x.value < y.value) : Truth::unknown();
  }
  friend Truth operator!=(Integer x, Integer y) { return !(x == y); }
  friend Truth operator>(Integer x, Integer y) { return y < x; }
  friend Truth operator<=(Integer x, Integer y) { return !(y < x); }
  friend Truth operator>=(Integer x, Integer y) { return !(x < y); }

private:
  Integer and_if(bool also_exact) const {
    Integer result = *this;
    result.exact = exact && also_exact;
    return result;
  }

  int64_t value;
  bool exact;
};

// Found by their qualified names as well, not by their arguments only.
Integer floor_div(Integer x, Integer y);
Integer floor_mod(Integer x, Integer y);
Integer min(Integer x, Integer y);
Integer max(Integer x, Integer y);

/// `condition ? x : y`.
inline Integer choose(Truth condition, Integer x, Integer y) {
  return condition.is_true()    ? x
         : condition.is_false() ? y
                                : Integer::unknown();
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_INTEGER_CUH
