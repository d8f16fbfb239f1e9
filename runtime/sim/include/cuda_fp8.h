//===- cuda_fp8.h - Numbers of 8 bits ---------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUDA_FP8_H
#define WARPWRIGHT_SIM_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2
} __nv_fp8_interpretation_t;

#pragma clang force_cuda_host_device begin

// To 8 bits. e4m3 has no infinity: its highest number is 448 and 0x7f is NaN.
static inline __nv_fp8_storage_t
__nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                       const __nv_fp8_interpretation_t fp8_interpretation) {
  const bool e4m3 = fp8_interpretation == __NV_E4M3;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const unsigned int sign = static_cast<unsigned int>(bits >> 56) & 0x80;
  const unsigned int highest = e4m3 ? 0x7e : 0x7b;
  if (x != x) // e5m2 keeps the payload
    return static_cast<__nv_fp8_storage_t>(
        sign | (e4m3 ? 0x7f : 0x7e | (bits >> 50 & 3)));
  unsigned long long magnitude = highest + 1;
  if (!__builtin_isinf(x))
    magnitude = ::warpwright::sim::round_magnitude(
        x, e4m3 ? 3 : 2, e4m3 ? 7 : 15, ::warpwright::sim::Round::nearest);
  if (magnitude > highest)
    magnitude = saturate == __NV_SATFINITE ? highest : highest + 1;
  return static_cast<__nv_fp8_storage_t>(sign | magnitude);
}
static inline __nv_fp8_storage_t
__nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                      const __nv_fp8_interpretation_t fp8_interpretation) {
  if (x != x)
    return 0x7f;
  return __nv_cvt_double_to_fp8(static_cast<double>(x), saturate,
                                fp8_interpretation);
}
static inline __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                        const __nv_fp8_interpretation_t fp8_interpretation) {
  return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate,
                               fp8_interpretation);
}
static inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
    const __nv_fp8_interpretation_t fp8_interpretation) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate,
                               fp8_interpretation);
}

// Two at once, the first in the low byte.
#define WARPWRIGHT_SIM_PAIR(Name, Pair, Single, X, Y)                          \
  static inline __nv_fp8x2_storage_t Name(                                     \
      const Pair x, const __nv_saturation_t saturate,                          \
      const __nv_fp8_interpretation_t fp8_interpretation) {                    \
    return static_cast<__nv_fp8x2_storage_t>(                                  \
        Single(Y, saturate, fp8_interpretation) << 8 |                         \
        Single(X, saturate, fp8_interpretation));                              \
  }
WARPWRIGHT_SIM_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8,
                    x.x, x.y)
WARPWRIGHT_SIM_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8,
                    x.x, x.y)
WARPWRIGHT_SIM_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw,
                    __nv_cvt_halfraw_to_fp8, __half_raw{x.x}, __half_raw{x.y})
WARPWRIGHT_SIM_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw,
                    __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw{x.x},
                    __nv_bfloat16_raw{x.y})
#undef WARPWRIGHT_SIM_PAIR

// From 8 bits: half precision holds them all.
static inline __half_raw
__nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                        const __nv_fp8_interpretation_t fp8_interpretation) {
  const unsigned int sign = static_cast<unsigned int>(x & 0x80) << 8;
  const unsigned int magnitude = x & 0x7f;
  if (magnitude > (fp8_interpretation == __NV_E4M3 ? 0x7eu : 0x7cu))
    return {0x7fff};
  if (fp8_interpretation == __NV_E5M2)
    return {static_cast<unsigned short>(sign | magnitude << 8)};
  // e4m3: three bits of fraction, and a bias that is less by 8.
  const float value =
      magnitude >= 8
          ? __builtin_bit_cast(float, (magnitude << 20) + (120u << 23))
          : static_cast<float>(magnitude) * 0x1p-9f;
  return {static_cast<unsigned short>(
      sign | ::warpwright::sim::HalfFormat::narrow(value))};
}
static inline __half2_raw
__nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                           const __nv_fp8_interpretation_t fp8_interpretation) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x),
                                  fp8_interpretation)
              .x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8),
                                  fp8_interpretation)
              .x};
}

#pragma clang force_cuda_host_device end

#define WARPWRIGHT_T __nv_fp8_e4m3
#define WARPWRIGHT_T2 __nv_fp8x2_e4m3
#define WARPWRIGHT_T4 __nv_fp8x4_e4m3
#define WARPWRIGHT_KIND __NV_E4M3
#include "warpwright/sim/fp8_type.h"
#undef WARPWRIGHT_T
#undef WARPWRIGHT_T2
#undef WARPWRIGHT_T4
#undef WARPWRIGHT_KIND
#define WARPWRIGHT_T __nv_fp8_e5m2
#define WARPWRIGHT_T2 __nv_fp8x2_e5m2
#define WARPWRIGHT_T4 __nv_fp8x4_e5m2
#define WARPWRIGHT_KIND __NV_E5M2
#include "warpwright/sim/fp8_type.h"
#undef WARPWRIGHT_T
#undef WARPWRIGHT_T2
#undef WARPWRIGHT_T4
#undef WARPWRIGHT_KIND

#endif // WARPWRIGHT_SIM_CUDA_FP8_H
