//===-- cuda_fp8.h - Numbers of 8 bits, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __nv_fp8_e4m3, __nv_fp8_e5m2, two and four of them, and their conversions.
/// See cuda_runtime.h. The functions have bodies, since the check of a lift
/// executes them; they end in the instructions in which CUDA's end.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_FP8_H
#define WARPWRIGHT_PARSE_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2
} __nv_fp8_interpretation_t;

#define WARPWRIGHT_FP8 static inline __host__ __device__

// To 8 bits, two at once: the first in the low byte. The instructions saturate;
// without that, what rounds to more than the largest number is NaN in e4m3 and
// infinity in e5m2.
WARPWRIGHT_FP8 __nv_fp8x2_storage_t
__nv_cvt_float2_to_fp8x2(const float2 Value, const __nv_saturation_t Saturate,
                         const __nv_fp8_interpretation_t Kind) {
  __nv_fp8x2_storage_t Bits;
  if (Kind == __NV_E5M2)
    asm("{cvt.rn.satfinite.e5m2x2.f32 %0, %2, %1;}\n"
        : "=h"(Bits)
        : "f"(Value.x), "f"(Value.y));
  else
    asm("{cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;}\n"
        : "=h"(Bits)
        : "f"(Value.x), "f"(Value.y));
  if (Saturate == __NV_SATFINITE)
    return Bits;
  const float Each[] = {Value.x, Value.y};
  for (int N = 0; N < 2; ++N) {
    const float Size = Each[N] < 0 ? -Each[N] : Each[N];
    if (Kind == __NV_E5M2 ? Size >= 61440.0f : Size > 464.0f)
      Bits = static_cast<__nv_fp8x2_storage_t>((Bits & ~(0x7f << 8 * N)) |
                                               (Kind == __NV_E5M2 ? 0x7c : 0x7f)
                                                   << 8 * N);
  }
  return Bits;
}
WARPWRIGHT_FP8 __nv_fp8_storage_t
__nv_cvt_float_to_fp8(const float Value, const __nv_saturation_t Saturate,
                      const __nv_fp8_interpretation_t Kind) {
  return static_cast<__nv_fp8_storage_t>(
      __nv_cvt_float2_to_fp8x2({Value, 0.0f}, Saturate, Kind));
}
// A float that was rounded to odd rounds as the double does.
WARPWRIGHT_FP8 __nv_fp8_storage_t
__nv_cvt_double_to_fp8(const double Value, const __nv_saturation_t Saturate,
                       const __nv_fp8_interpretation_t Kind) {
  float Cut = __double2float_rz(Value);
  if (static_cast<double>(Cut) != Value)
    Cut = __uint_as_float(__float_as_uint(Cut) | 1);
  return __nv_cvt_float_to_fp8(Cut, Saturate, Kind);
}
WARPWRIGHT_FP8 __nv_fp8x2_storage_t
__nv_cvt_double2_to_fp8x2(const double2 Value, const __nv_saturation_t Saturate,
                          const __nv_fp8_interpretation_t Kind) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_double_to_fp8(Value.y, Saturate, Kind) << 8 |
      __nv_cvt_double_to_fp8(Value.x, Saturate, Kind));
}
WARPWRIGHT_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    const __half_raw Value, const __nv_saturation_t Saturate,
    const __nv_fp8_interpretation_t Kind) {
  return __nv_cvt_float_to_fp8(__half2float(__half(Value)), Saturate, Kind);
}
WARPWRIGHT_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    const __half2_raw Value, const __nv_saturation_t Saturate,
    const __nv_fp8_interpretation_t Kind) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_halfraw_to_fp8(__half_raw{Value.y}, Saturate, Kind) << 8 |
      __nv_cvt_halfraw_to_fp8(__half_raw{Value.x}, Saturate, Kind));
}
WARPWRIGHT_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    const __nv_bfloat16_raw Value, const __nv_saturation_t Saturate,
    const __nv_fp8_interpretation_t Kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(Value)), Saturate,
                               Kind);
}
WARPWRIGHT_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    const __nv_bfloat162_raw Value, const __nv_saturation_t Saturate,
    const __nv_fp8_interpretation_t Kind) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{Value.y}, Saturate, Kind)
          << 8 |
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{Value.x}, Saturate, Kind));
}

// From 8 bits: half precision holds them all.
WARPWRIGHT_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    const __nv_fp8x2_storage_t Bits, const __nv_fp8_interpretation_t Kind) {
  unsigned Both;
  if (Kind == __NV_E5M2)
    asm("{cvt.rn.f16x2.e5m2x2 %0, %1;}\n" : "=r"(Both) : "h"(Bits));
  else
    asm("{cvt.rn.f16x2.e4m3x2 %0, %1;}\n" : "=r"(Both) : "h"(Bits));
  return {static_cast<unsigned short>(Both),
          static_cast<unsigned short>(Both >> 16)};
}
WARPWRIGHT_FP8 __half_raw __nv_cvt_fp8_to_halfraw(
    const __nv_fp8_storage_t Bits, const __nv_fp8_interpretation_t Kind) {
  return {__nv_cvt_fp8x2_to_halfraw2(Bits, Kind).x};
}
#undef WARPWRIGHT_FP8

#define WARPWRIGHT_FP8 __host__ __device__ explicit
#define WARPWRIGHT_FP8_INTEGER(Name, Type)                                     \
  WARPWRIGHT_FP8 Name(const Type Value) : Name(static_cast<float>(Value)) {}
#define WARPWRIGHT_FP8_TYPES(Name, Name2, Name4, Kind)                         \
  struct __attribute__((aligned(1))) Name {                                    \
    __nv_fp8_storage_t __x;                                                    \
    Name() = default;                                                          \
    WARPWRIGHT_FP8 Name(const __half Value)                                    \
        : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(Value),          \
                                      __NV_SATFINITE, Kind)) {}                \
    WARPWRIGHT_FP8 Name(const __nv_bfloat16 Value)                             \
        : __x(__nv_cvt_bfloat16raw_to_fp8(                                     \
              static_cast<__nv_bfloat16_raw>(Value), __NV_SATFINITE, Kind)) {} \
    WARPWRIGHT_FP8 Name(const float Value)                                     \
        : __x(__nv_cvt_float_to_fp8(Value, __NV_SATFINITE, Kind)) {}           \
    WARPWRIGHT_FP8 Name(const double Value)                                    \
        : __x(__nv_cvt_double_to_fp8(Value, __NV_SATFINITE, Kind)) {}          \
    WARPWRIGHT_FP8_INTEGER(Name, unsigned short)                               \
    WARPWRIGHT_FP8_INTEGER(Name, unsigned)                                     \
    WARPWRIGHT_FP8_INTEGER(Name, unsigned long)                                \
    WARPWRIGHT_FP8_INTEGER(Name, unsigned long long)                           \
    WARPWRIGHT_FP8_INTEGER(Name, short)                                        \
    WARPWRIGHT_FP8_INTEGER(Name, int)                                          \
    WARPWRIGHT_FP8_INTEGER(Name, long)                                         \
    WARPWRIGHT_FP8_INTEGER(Name, long long)                                    \
    WARPWRIGHT_FP8 operator __half() const {                                   \
      return __half(__nv_cvt_fp8_to_halfraw(__x, Kind));                       \
    }                                                                          \
    WARPWRIGHT_FP8 operator float() const {                                    \
      return __half2float(__half(*this));                                      \
    }                                                                          \
    WARPWRIGHT_FP8 operator __nv_bfloat16() const {                            \
      return __float2bfloat16_rz(float(*this));                                \
    }                                                                          \
    WARPWRIGHT_FP8 operator double() const { return float(*this); }            \
    WARPWRIGHT_FP8 operator unsigned char() const;                             \
    WARPWRIGHT_FP8 operator signed char() const;                               \
    WARPWRIGHT_FP8 operator char() const;                                      \
    WARPWRIGHT_FP8 operator unsigned short() const {                           \
      return __half2ushort_rz(__half(*this));                                  \
    }                                                                          \
    WARPWRIGHT_FP8 operator unsigned() const {                                 \
      return __half2uint_rz(__half(*this));                                    \
    }                                                                          \
    WARPWRIGHT_FP8 operator unsigned long() const {                            \
      return __half2ull_rz(__half(*this));                                     \
    }                                                                          \
    WARPWRIGHT_FP8 operator unsigned long long() const {                       \
      return __half2ull_rz(__half(*this));                                     \
    }                                                                          \
    WARPWRIGHT_FP8 operator short() const {                                    \
      return __half2short_rz(__half(*this));                                   \
    }                                                                          \
    WARPWRIGHT_FP8 operator int() const {                                      \
      return __half2int_rz(__half(*this));                                     \
    }                                                                          \
    WARPWRIGHT_FP8 operator long() const {                                     \
      return __half2ll_rz(__half(*this));                                      \
    }                                                                          \
    WARPWRIGHT_FP8 operator long long() const {                                \
      return __half2ll_rz(__half(*this));                                      \
    }                                                                          \
    WARPWRIGHT_FP8 operator bool() const { return (__x & 0x7f) != 0; }         \
  };                                                                           \
  struct __attribute__((aligned(2))) Name2 {                                   \
    __nv_fp8x2_storage_t __x;                                                  \
    Name2() = default;                                                         \
    WARPWRIGHT_FP8 Name2(const __half2 Value)                                  \
        : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(Value),      \
                                         __NV_SATFINITE, Kind)) {}             \
    WARPWRIGHT_FP8 Name2(const __nv_bfloat162 Value)                           \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(                                  \
              static_cast<__nv_bfloat162_raw>(Value), __NV_SATFINITE, Kind)) { \
    }                                                                          \
    WARPWRIGHT_FP8 Name2(const float2 Value)                                   \
        : __x(__nv_cvt_float2_to_fp8x2(Value, __NV_SATFINITE, Kind)) {}        \
    WARPWRIGHT_FP8 Name2(const double2 Value)                                  \
        : __x(__nv_cvt_double2_to_fp8x2(Value, __NV_SATFINITE, Kind)) {}       \
    WARPWRIGHT_FP8 operator __half2() const {                                  \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, Kind));                   \
    }                                                                          \
    WARPWRIGHT_FP8 operator float2() const {                                   \
      const __half2 Both = __half2(*this);                                     \
      return {__half2float(Both.x), __half2float(Both.y)};                     \
    }                                                                          \
  };                                                                           \
  struct __attribute__((aligned(4))) Name4 {                                   \
    __nv_fp8x4_storage_t __x;                                                  \
    Name4() = default;                                                         \
    WARPWRIGHT_FP8 Name4(const __half2 Low, const __half2 High)                \
        : __x(unsigned(Name2(High).__x) << 16 | Name2(Low).__x) {}             \
    WARPWRIGHT_FP8 Name4(const __nv_bfloat162 Low, const __nv_bfloat162 High)  \
        : __x(unsigned(Name2(High).__x) << 16 | Name2(Low).__x) {}             \
    WARPWRIGHT_FP8 Name4(const float4 Value)                                   \
        : __x(unsigned(Name2(float2{Value.z, Value.w}).__x) << 16 |            \
              Name2(float2{Value.x, Value.y}).__x) {}                          \
    WARPWRIGHT_FP8 Name4(const double4 Value)                                  \
        : __x(unsigned(Name2(double2{Value.z, Value.w}).__x) << 16 |           \
              Name2(double2{Value.x, Value.y}).__x) {}                         \
    WARPWRIGHT_FP8 operator float4() const {                                   \
      Name2 Low, High;                                                         \
      Low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                        \
      High.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                 \
      const float2 A = float2(Low), B = float2(High);                          \
      return {A.x, A.y, B.x, B.y};                                             \
    }                                                                          \
  };
WARPWRIGHT_FP8_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
WARPWRIGHT_FP8_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef WARPWRIGHT_FP8_TYPES
#undef WARPWRIGHT_FP8_INTEGER
#undef WARPWRIGHT_FP8

#endif // WARPWRIGHT_PARSE_CUDA_FP8_H
