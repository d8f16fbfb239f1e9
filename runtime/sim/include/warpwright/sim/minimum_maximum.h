//===- minimum_maximum.h - Integer minimum and maximum, fused ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's functions for dynamic programming (DPX): minimum and maximum of two or
// three, of a sum and a number, with a floor of zero, and with a predicate that
// says which it was; of 32 bits and of two 16-bit halves.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_MINIMUM_MAXIMUM_H
#define WARPWRIGHT_SIM_MINIMUM_MAXIMUM_H

#include "host_defines.h"

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

/// `act` on each half of three words, as numbers of type Half.
template <class Half, class Act>
static __forceinline__ unsigned int by_half(unsigned int a, unsigned int b,
                                            unsigned int c, Act act) {
  unsigned int result = 0;
  for (int at = 0; at < 32; at += 16) {
    const Half x = static_cast<Half>(a >> at), y = static_cast<Half>(b >> at),
               z = static_cast<Half>(c >> at);
    result |= static_cast<unsigned int>(
                  static_cast<unsigned short>(static_cast<Half>(act(x, y, z))))
              << at;
  }
  return result;
}
template <class T> static __forceinline__ T smaller(T x, T y) {
  return y < x ? y : x;
}
template <class T> static __forceinline__ T larger(T x, T y) {
  return x < y ? y : x;
}
/// Sums wrap around.
template <class T> static __forceinline__ T wrapped_sum(T x, T y) {
  return static_cast<T>(static_cast<unsigned int>(x) +
                        static_cast<unsigned int>(y));
}

} // namespace sim
} // namespace warpwright

#define WARPWRIGHT_SIM_FUNCTION static __forceinline__
#define WARPWRIGHT_SIM_WORDS(Name, Type, ...)                                  \
  WARPWRIGHT_SIM_FUNCTION Type Name(const Type x, const Type y,                \
                                    const Type z) {                            \
    using namespace ::warpwright::sim;                                         \
    return __VA_ARGS__;                                                        \
  }
#define WARPWRIGHT_SIM_HALVES(Name, Half, ...)                                 \
  WARPWRIGHT_SIM_FUNCTION unsigned int Name(                                   \
      const unsigned int a, const unsigned int b, const unsigned int c) {      \
    using namespace ::warpwright::sim;                                         \
    return by_half<Half>(a, b, c,                                              \
                         [](Half x, Half y, Half z) { return __VA_ARGS__; });  \
  }
/// Of x, y and z, also with a floor where numbers have signs.
#define WARPWRIGHT_SIM_FUSED(Name, ...)                                        \
  WARPWRIGHT_SIM_WORDS(Name##_s32, int, __VA_ARGS__)                           \
  WARPWRIGHT_SIM_WORDS(Name##_u32, unsigned int, __VA_ARGS__)                  \
  WARPWRIGHT_SIM_HALVES(Name##_s16x2, short, __VA_ARGS__)                      \
  WARPWRIGHT_SIM_HALVES(Name##_u16x2, unsigned short, __VA_ARGS__)             \
  WARPWRIGHT_SIM_WORDS(Name##_s32_relu, int, larger(__VA_ARGS__, 0))           \
  WARPWRIGHT_SIM_HALVES(Name##_s16x2_relu, short, larger<short>(__VA_ARGS__, 0))
WARPWRIGHT_SIM_FUSED(__vimax3, larger(larger(x, y), z))
WARPWRIGHT_SIM_FUSED(__vimin3, smaller(smaller(x, y), z))
WARPWRIGHT_SIM_FUSED(__viaddmax, larger(wrapped_sum(x, y), z))
WARPWRIGHT_SIM_FUSED(__viaddmin, smaller(wrapped_sum(x, y), z))
#undef WARPWRIGHT_SIM_FUSED
#undef WARPWRIGHT_SIM_HALVES
#undef WARPWRIGHT_SIM_WORDS

WARPWRIGHT_SIM_FUNCTION int __vimax_s32_relu(const int a, const int b) {
  return __vimax3_s32_relu(a, b, b);
}
WARPWRIGHT_SIM_FUNCTION int __vimin_s32_relu(const int a, const int b) {
  return __vimin3_s32_relu(a, b, b);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __vimax_s16x2_relu(const unsigned int a,
                                                        const unsigned int b) {
  return __vimax3_s16x2_relu(a, b, b);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __vimin_s16x2_relu(const unsigned int a,
                                                        const unsigned int b) {
  return __vimin3_s16x2_relu(a, b, b);
}

// With a predicate: whether it was the first, or both are equal.
#define WARPWRIGHT_SIM_CHOICE(Name, Of, Before)                                \
  WARPWRIGHT_SIM_FUNCTION int Name##_s32(const int a, const int b,             \
                                         bool *const first) {                  \
    *first = a Before b;                                                       \
    return Of##_s32(a, b, b);                                                  \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int Name##_u32(                             \
      const unsigned int a, const unsigned int b, bool *const first) {         \
    *first = a Before b;                                                       \
    return Of##_u32(a, b, b);                                                  \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int Name##_s16x2(                           \
      const unsigned int a, const unsigned int b, bool *const first_high,      \
      bool *const first_low) {                                                 \
    *first_high =                                                              \
        static_cast<short>(a >> 16) Before static_cast<short>(b >> 16);        \
    *first_low = static_cast<short>(a) Before static_cast<short>(b);           \
    return Of##_s16x2(a, b, b);                                                \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int Name##_u16x2(                           \
      const unsigned int a, const unsigned int b, bool *const first_high,      \
      bool *const first_low) {                                                 \
    *first_high = (a >> 16) Before(b >> 16);                                   \
    *first_low = (a & 0xffff) Before(b & 0xffff);                              \
    return Of##_u16x2(a, b, b);                                                \
  }
WARPWRIGHT_SIM_CHOICE(__vibmax, __vimax3, >=)
WARPWRIGHT_SIM_CHOICE(__vibmin, __vimin3, <=)
#undef WARPWRIGHT_SIM_CHOICE
#undef WARPWRIGHT_SIM_FUNCTION

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_MINIMUM_MAXIMUM_H
