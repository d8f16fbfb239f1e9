//===-- cuda_bf16.h - bfloat16, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __nv_bfloat16, __nv_bfloat162 and their functions.
/// See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_BF16_H
#define WARPWRIGHT_PARSE_CUDA_BF16_H

#include "cuda_fp16.h"
#include "cuda_runtime.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x;
  unsigned short y;
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &Raw)
      : __x(Raw.x) {}
  __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &Raw) {
    __x = Raw.x;
    return *this;
  }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
  __host__ __device__ explicit __nv_bfloat16(const __half Value);
  __host__ __device__ __nv_bfloat16(const float Value);
  __host__ __device__ __nv_bfloat16(const double Value);
  __host__ __device__ __nv_bfloat16(const short Value);
  __host__ __device__ __nv_bfloat16(const unsigned short Value);
  __host__ __device__ __nv_bfloat16(const int Value);
  __host__ __device__ __nv_bfloat16(const unsigned Value);
  __host__ __device__ __nv_bfloat16(const long Value);
  __host__ __device__ __nv_bfloat16(const unsigned long Value);
  __host__ __device__ __nv_bfloat16(const long long Value);
  __host__ __device__ __nv_bfloat16(const unsigned long long Value);
  __host__ __device__ operator float() const;
  __host__ __device__ operator signed char() const;
  __host__ __device__ operator unsigned char() const;
  __host__ __device__ operator char() const;
  __host__ __device__ operator short() const;
  __host__ __device__ operator unsigned short() const;
  __host__ __device__ operator int() const;
  __host__ __device__ operator unsigned() const;
  __host__ __device__ operator long() const;
  __host__ __device__ operator unsigned long() const;
  __host__ __device__ operator long long() const;
  __host__ __device__ operator unsigned long long() const;
  __host__ __device__ explicit operator bool() const;
  __host__ __device__ __nv_bfloat16 &operator=(const float Value);
  __host__ __device__ __nv_bfloat16 &operator=(const double Value);
  __host__ __device__ __nv_bfloat16 &operator=(const short Value);
  __host__ __device__ __nv_bfloat16 &operator=(const unsigned short Value);
  __host__ __device__ __nv_bfloat16 &operator=(const int Value);
  __host__ __device__ __nv_bfloat16 &operator=(const unsigned Value);
  __host__ __device__ __nv_bfloat16 &operator=(const long long Value);
  __host__ __device__ __nv_bfloat16 &operator=(const unsigned long long Value);
#endif

protected:
  unsigned short __x;
};

typedef __nv_bfloat16 nv_bfloat16;

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x;
  __nv_bfloat16 y;
  __nv_bfloat162() = default;
  __host__ __device__ constexpr __nv_bfloat162(const __nv_bfloat16 &X,
                                               const __nv_bfloat16 &Y)
      : x(X), y(Y) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &Raw)
      : x(__nv_bfloat16_raw{Raw.x}), y(__nv_bfloat16_raw{Raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return {static_cast<__nv_bfloat16_raw>(x).x,
            static_cast<__nv_bfloat16_raw>(y).x};
  }
};
typedef __nv_bfloat162 nv_bfloat162;

// Conversions.
__host__ __device__ __nv_bfloat16 __float2bfloat16(const float Value);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(const float Value);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(const float Value);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rd(const float Value);
__host__ __device__ __nv_bfloat16 __float2bfloat16_ru(const float Value);
__host__ __device__ __nv_bfloat16 __double2bfloat16(const double Value);
__host__ __device__ float __bfloat162float(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16 __short2bfloat16_rn(const short Value);
__host__ __device__ short __bfloat162short_rz(const __nv_bfloat16 Value);
__device__ short __bfloat162short_rn(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16
__ushort2bfloat16_rn(const unsigned short Value);
__host__ __device__ unsigned short
__bfloat162ushort_rz(const __nv_bfloat16 Value);
__device__ unsigned short __bfloat162ushort_rn(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16 __int2bfloat16_rn(const int Value);
__host__ __device__ int __bfloat162int_rz(const __nv_bfloat16 Value);
__device__ int __bfloat162int_rn(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16 __uint2bfloat16_rn(const unsigned Value);
__host__ __device__ unsigned __bfloat162uint_rz(const __nv_bfloat16 Value);
__device__ unsigned __bfloat162uint_rn(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16 __ll2bfloat16_rn(const long long Value);
__host__ __device__ long long __bfloat162ll_rz(const __nv_bfloat16 Value);
__device__ long long __bfloat162ll_rn(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16
__ull2bfloat16_rn(const unsigned long long Value);
__host__ __device__ unsigned long long
__bfloat162ull_rz(const __nv_bfloat16 Value);
__device__ unsigned long long __bfloat162ull_rn(const __nv_bfloat16 Value);
__host__ __device__ short __bfloat16_as_short(const __nv_bfloat16 Value);
__host__ __device__ unsigned short
__bfloat16_as_ushort(const __nv_bfloat16 Value);
__host__ __device__ __nv_bfloat16 __short_as_bfloat16(const short Bits);
__host__ __device__ __nv_bfloat16
__ushort_as_bfloat16(const unsigned short Bits);

// Arithmetic.
__host__ __device__ __nv_bfloat16 __hadd(const __nv_bfloat16 A,
                                         const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hsub(const __nv_bfloat16 A,
                                         const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmul(const __nv_bfloat16 A,
                                         const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hdiv(const __nv_bfloat16 A,
                                         const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hadd_rn(const __nv_bfloat16 A,
                                            const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hsub_rn(const __nv_bfloat16 A,
                                            const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmul_rn(const __nv_bfloat16 A,
                                            const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hadd_sat(const __nv_bfloat16 A,
                                             const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hsub_sat(const __nv_bfloat16 A,
                                             const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmul_sat(const __nv_bfloat16 A,
                                             const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmax(const __nv_bfloat16 A,
                                         const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmin(const __nv_bfloat16 A,
                                         const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmax_nan(const __nv_bfloat16 A,
                                             const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hmin_nan(const __nv_bfloat16 A,
                                             const __nv_bfloat16 B);
__host__ __device__ __nv_bfloat16 __hneg(const __nv_bfloat16 A);
__host__ __device__ __nv_bfloat16 __habs(const __nv_bfloat16 A);
__device__ __nv_bfloat16 __hfma(const __nv_bfloat16 A, const __nv_bfloat16 B,
                                const __nv_bfloat16 C);
__device__ __nv_bfloat16 __hfma_sat(const __nv_bfloat16 A,
                                    const __nv_bfloat16 B,
                                    const __nv_bfloat16 C);
__device__ __nv_bfloat16 __hfma_relu(const __nv_bfloat16 A,
                                     const __nv_bfloat16 B,
                                     const __nv_bfloat16 C);
__host__ __device__ bool __heq(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hne(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hle(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hge(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hlt(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hgt(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hequ(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hneu(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hleu(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hgeu(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hltu(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hgtu(const __nv_bfloat16 A, const __nv_bfloat16 B);
__host__ __device__ bool __hisnan(const __nv_bfloat16 A);
__host__ __device__ int __hisinf(const __nv_bfloat16 A);
__device__ __nv_bfloat16 htrunc(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hceil(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hfloor(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hrint(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hsqrt(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hrsqrt(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hrcp(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hlog(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hlog2(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hlog10(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hexp(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hexp2(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hexp10(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hcos(const __nv_bfloat16 A);
__device__ __nv_bfloat16 hsin(const __nv_bfloat16 A);
__device__ __nv_bfloat16 htanh(const __nv_bfloat16 A);

#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
__host__ __device__ __nv_bfloat16 operator+(const __nv_bfloat16 &A,
                                            const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16 &A,
                                            const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 operator*(const __nv_bfloat16 &A,
                                            const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 operator/(const __nv_bfloat16 &A,
                                            const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 &operator+=(__nv_bfloat16 &A,
                                              const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 &operator-=(__nv_bfloat16 &A,
                                              const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 &operator*=(__nv_bfloat16 &A,
                                              const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 &operator/=(__nv_bfloat16 &A,
                                              const __nv_bfloat16 &B);
__host__ __device__ __nv_bfloat16 operator+(const __nv_bfloat16 &A);
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16 &A);
__host__ __device__ bool operator==(const __nv_bfloat16 &A,
                                    const __nv_bfloat16 &B);
__host__ __device__ bool operator!=(const __nv_bfloat16 &A,
                                    const __nv_bfloat16 &B);
__host__ __device__ bool operator<(const __nv_bfloat16 &A,
                                   const __nv_bfloat16 &B);
__host__ __device__ bool operator>(const __nv_bfloat16 &A,
                                   const __nv_bfloat16 &B);
__host__ __device__ bool operator<=(const __nv_bfloat16 &A,
                                    const __nv_bfloat16 &B);
__host__ __device__ bool operator>=(const __nv_bfloat16 &A,
                                    const __nv_bfloat16 &B);
#endif

// Pairs.
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
static inline __host__ __device__ __nv_bfloat162
operator+(const __nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return {__hadd(A.x, B.x), __hadd(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
operator-(const __nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return {__hsub(A.x, B.x), __hsub(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
operator*(const __nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return {__hmul(A.x, B.x), __hmul(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
operator/(const __nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return {__hdiv(A.x, B.x), __hdiv(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162 &
operator+=(__nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return A = A + B;
}
static inline __host__ __device__ __nv_bfloat162 &
operator-=(__nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return A = A - B;
}
static inline __host__ __device__ __nv_bfloat162 &
operator*=(__nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return A = A * B;
}
static inline __host__ __device__ __nv_bfloat162 &
operator/=(__nv_bfloat162 &A, const __nv_bfloat162 &B) {
  return A = A / B;
}
static inline __host__ __device__ __nv_bfloat162
operator+(const __nv_bfloat162 &A) {
  return A;
}
static inline __host__ __device__ __nv_bfloat162
operator-(const __nv_bfloat162 &A) {
  return {__hneg(A.x), __hneg(A.y)};
}
#endif
static inline __host__ __device__ __nv_bfloat162
make_bfloat162(const __nv_bfloat16 X, const __nv_bfloat16 Y) {
  return {X, Y};
}
static inline __host__ __device__ __nv_bfloat162
__float22bfloat162_rn(const float2 A) {
  return {__float2bfloat16_rn(A.x), __float2bfloat16_rn(A.y)};
}
static inline __host__ __device__ float2
__bfloat1622float2(const __nv_bfloat162 A) {
  return {__bfloat162float(A.x), __bfloat162float(A.y)};
}
static inline __host__ __device__ __nv_bfloat162
__floats2bfloat162_rn(const float A, const float B) {
  return {__float2bfloat16_rn(A), __float2bfloat16_rn(B)};
}
static inline __host__ __device__ __nv_bfloat162
__float2bfloat162_rn(const float A) {
  return {__float2bfloat16_rn(A), __float2bfloat16_rn(A)};
}
static inline __host__ __device__ __nv_bfloat162
__bfloat162bfloat162(const __nv_bfloat16 A) {
  return {A, A};
}
static inline __host__ __device__ __nv_bfloat162
__halves2bfloat162(const __nv_bfloat16 A, const __nv_bfloat16 B) {
  return {A, B};
}
static inline __host__ __device__ __nv_bfloat16
__low2bfloat16(const __nv_bfloat162 A) {
  return A.x;
}
static inline __host__ __device__ __nv_bfloat16
__high2bfloat16(const __nv_bfloat162 A) {
  return A.y;
}
static inline __host__ __device__ __nv_bfloat162
__low2bfloat162(const __nv_bfloat162 A) {
  return {A.x, A.x};
}
static inline __host__ __device__ __nv_bfloat162
__high2bfloat162(const __nv_bfloat162 A) {
  return {A.y, A.y};
}
static inline __host__ __device__ __nv_bfloat162
__lows2bfloat162(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {A.x, B.x};
}
static inline __host__ __device__ __nv_bfloat162
__highs2bfloat162(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {A.y, B.y};
}
static inline __host__ __device__ float __low2float(const __nv_bfloat162 A) {
  return __bfloat162float(A.x);
}
static inline __host__ __device__ float __high2float(const __nv_bfloat162 A) {
  return __bfloat162float(A.y);
}
static inline __host__ __device__ __nv_bfloat162
__hadd2(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {__hadd(A.x, B.x), __hadd(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
__hsub2(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {__hsub(A.x, B.x), __hsub(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
__hmul2(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {__hmul(A.x, B.x), __hmul(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
__h2div(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {__hdiv(A.x, B.x), __hdiv(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
__hmax2(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {__hmax(A.x, B.x), __hmax(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
__hmin2(const __nv_bfloat162 A, const __nv_bfloat162 B) {
  return {__hmin(A.x, B.x), __hmin(A.y, B.y)};
}
static inline __host__ __device__ __nv_bfloat162
__hneg2(const __nv_bfloat162 A) {
  return {__hneg(A.x), __hneg(A.y)};
}
static inline __device__ __nv_bfloat162 __hfma2(const __nv_bfloat162 A,
                                                const __nv_bfloat162 B,
                                                const __nv_bfloat162 C) {
  return {__hfma(A.x, B.x, C.x), __hfma(A.y, B.y, C.y)};
}

// Memory and warps.
__device__ __nv_bfloat16 __ldg(const __nv_bfloat16 *const Pointer);
__device__ __nv_bfloat16 __ldcg(const __nv_bfloat16 *const Pointer);
__device__ __nv_bfloat16 __ldca(const __nv_bfloat16 *const Pointer);
__device__ __nv_bfloat16 __ldcs(const __nv_bfloat16 *const Pointer);
__device__ __nv_bfloat16 __ldlu(const __nv_bfloat16 *const Pointer);
__device__ __nv_bfloat16 __ldcv(const __nv_bfloat16 *const Pointer);
static inline __device__ void __stwb(__nv_bfloat16 *const Pointer,
                                     const __nv_bfloat16 Value) {
  *Pointer = Value;
}
static inline __device__ void __stcg(__nv_bfloat16 *const Pointer,
                                     const __nv_bfloat16 Value) {
  *Pointer = Value;
}
static inline __device__ void __stcs(__nv_bfloat16 *const Pointer,
                                     const __nv_bfloat16 Value) {
  *Pointer = Value;
}
static inline __device__ void __stwt(__nv_bfloat16 *const Pointer,
                                     const __nv_bfloat16 Value) {
  *Pointer = Value;
}
__device__ __nv_bfloat16 __shfl_sync(const unsigned Mask,
                                     const __nv_bfloat16 Value, const int Lane,
                                     const int Width = 32);
__device__ __nv_bfloat16 __shfl_up_sync(const unsigned Mask,
                                        const __nv_bfloat16 Value,
                                        const unsigned Delta,
                                        const int Width = 32);
__device__ __nv_bfloat16 __shfl_down_sync(const unsigned Mask,
                                          const __nv_bfloat16 Value,
                                          const unsigned Delta,
                                          const int Width = 32);
__device__ __nv_bfloat16 __shfl_xor_sync(const unsigned Mask,
                                         const __nv_bfloat16 Value,
                                         const int LaneMask,
                                         const int Width = 32);
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *const Address,
                                   const __nv_bfloat16 Value);
static inline __device__ __nv_bfloat162
__ldg(const __nv_bfloat162 *const Pointer) {
  return *Pointer;
}
static inline __device__ __nv_bfloat162
__ldcg(const __nv_bfloat162 *const Pointer) {
  return *Pointer;
}
static inline __device__ __nv_bfloat162
__ldca(const __nv_bfloat162 *const Pointer) {
  return *Pointer;
}
static inline __device__ __nv_bfloat162
__ldcs(const __nv_bfloat162 *const Pointer) {
  return *Pointer;
}
static inline __device__ __nv_bfloat162
__ldlu(const __nv_bfloat162 *const Pointer) {
  return *Pointer;
}
static inline __device__ __nv_bfloat162
__ldcv(const __nv_bfloat162 *const Pointer) {
  return *Pointer;
}
static inline __device__ void __stwb(__nv_bfloat162 *const Pointer,
                                     const __nv_bfloat162 Value) {
  *Pointer = Value;
}
static inline __device__ void __stcg(__nv_bfloat162 *const Pointer,
                                     const __nv_bfloat162 Value) {
  *Pointer = Value;
}
static inline __device__ void __stcs(__nv_bfloat162 *const Pointer,
                                     const __nv_bfloat162 Value) {
  *Pointer = Value;
}
static inline __device__ void __stwt(__nv_bfloat162 *const Pointer,
                                     const __nv_bfloat162 Value) {
  *Pointer = Value;
}
__device__ __nv_bfloat162 __shfl_sync(const unsigned Mask,
                                      const __nv_bfloat162 Value,
                                      const int Lane, const int Width = 32);
__device__ __nv_bfloat162 __shfl_up_sync(const unsigned Mask,
                                         const __nv_bfloat162 Value,
                                         const unsigned Delta,
                                         const int Width = 32);
__device__ __nv_bfloat162 __shfl_down_sync(const unsigned Mask,
                                           const __nv_bfloat162 Value,
                                           const unsigned Delta,
                                           const int Width = 32);
__device__ __nv_bfloat162 __shfl_xor_sync(const unsigned Mask,
                                          const __nv_bfloat162 Value,
                                          const int LaneMask,
                                          const int Width = 32);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *const Address,
                                    const __nv_bfloat162 Value);

#endif // WARPWRIGHT_PARSE_CUDA_BF16_H
