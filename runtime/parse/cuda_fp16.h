//===-- cuda_fp16.h - Half precision, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __half, __half2 and their functions.
/// See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_FP16_H
#define WARPWRIGHT_PARSE_CUDA_FP16_H

#include "cuda_runtime.h"

struct __half;
struct __nv_bfloat16;

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x;
  unsigned short y;
};

struct __attribute__((aligned(2))) __half {
  __half() = default;
  __host__ __device__ constexpr __half(const __half_raw &Raw) : __x(Raw.x) {}
  __host__ __device__ __half &operator=(const __half_raw &Raw) {
    __x = Raw.x;
    return *this;
  }
  __host__ __device__ operator __half_raw() const { return {__x}; }
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  __host__ __device__ explicit __half(const __nv_bfloat16 Value);
  __host__ __device__ __half(const float Value);
  __host__ __device__ __half(const double Value);
  __host__ __device__ __half(const short Value);
  __host__ __device__ __half(const unsigned short Value);
  __host__ __device__ __half(const int Value);
  __host__ __device__ __half(const unsigned Value);
  __host__ __device__ __half(const long Value);
  __host__ __device__ __half(const unsigned long Value);
  __host__ __device__ __half(const long long Value);
  __host__ __device__ __half(const unsigned long long Value);
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
  __host__ __device__ __half &operator=(const float Value);
  __host__ __device__ __half &operator=(const double Value);
  __host__ __device__ __half &operator=(const short Value);
  __host__ __device__ __half &operator=(const unsigned short Value);
  __host__ __device__ __half &operator=(const int Value);
  __host__ __device__ __half &operator=(const unsigned Value);
  __host__ __device__ __half &operator=(const long long Value);
  __host__ __device__ __half &operator=(const unsigned long long Value);
#endif

protected:
  unsigned short __x;
};

typedef __half half;
typedef __half __nv_half;

struct __attribute__((aligned(4))) __half2 {
  __half x;
  __half y;
  __half2() = default;
  __host__ __device__ constexpr __half2(const __half &X, const __half &Y)
      : x(X), y(Y) {}
  __host__ __device__ __half2(const __half2_raw &Raw)
      : x(__half_raw{Raw.x}), y(__half_raw{Raw.y}) {}
  __host__ __device__ operator __half2_raw() const {
    return {static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
  }
};
typedef __half2 half2;

// Conversions.
__host__ __device__ __half __float2half(const float Value);
__host__ __device__ __half __float2half_rn(const float Value);
__host__ __device__ __half __float2half_rz(const float Value);
__host__ __device__ __half __float2half_rd(const float Value);
__host__ __device__ __half __float2half_ru(const float Value);
__host__ __device__ __half __double2half(const double Value);
__host__ __device__ float __half2float(const __half Value);
__host__ __device__ __half __short2half_rn(const short Value);
__host__ __device__ short __half2short_rz(const __half Value);
__device__ short __half2short_rn(const __half Value);
__host__ __device__ __half __ushort2half_rn(const unsigned short Value);
__host__ __device__ unsigned short __half2ushort_rz(const __half Value);
__device__ unsigned short __half2ushort_rn(const __half Value);
__host__ __device__ __half __int2half_rn(const int Value);
__host__ __device__ int __half2int_rz(const __half Value);
__device__ int __half2int_rn(const __half Value);
__host__ __device__ __half __uint2half_rn(const unsigned Value);
__host__ __device__ unsigned __half2uint_rz(const __half Value);
__device__ unsigned __half2uint_rn(const __half Value);
__host__ __device__ __half __ll2half_rn(const long long Value);
__host__ __device__ long long __half2ll_rz(const __half Value);
__device__ long long __half2ll_rn(const __half Value);
__host__ __device__ __half __ull2half_rn(const unsigned long long Value);
__host__ __device__ unsigned long long __half2ull_rz(const __half Value);
__device__ unsigned long long __half2ull_rn(const __half Value);
__host__ __device__ short __half_as_short(const __half Value);
__host__ __device__ unsigned short __half_as_ushort(const __half Value);
__host__ __device__ __half __short_as_half(const short Bits);
__host__ __device__ __half __ushort_as_half(const unsigned short Bits);

// Arithmetic.
__host__ __device__ __half __hadd(const __half A, const __half B);
__host__ __device__ __half __hsub(const __half A, const __half B);
__host__ __device__ __half __hmul(const __half A, const __half B);
__host__ __device__ __half __hdiv(const __half A, const __half B);
__host__ __device__ __half __hadd_rn(const __half A, const __half B);
__host__ __device__ __half __hsub_rn(const __half A, const __half B);
__host__ __device__ __half __hmul_rn(const __half A, const __half B);
__host__ __device__ __half __hadd_sat(const __half A, const __half B);
__host__ __device__ __half __hsub_sat(const __half A, const __half B);
__host__ __device__ __half __hmul_sat(const __half A, const __half B);
__host__ __device__ __half __hmax(const __half A, const __half B);
__host__ __device__ __half __hmin(const __half A, const __half B);
__host__ __device__ __half __hmax_nan(const __half A, const __half B);
__host__ __device__ __half __hmin_nan(const __half A, const __half B);
__host__ __device__ __half __hneg(const __half A);
__host__ __device__ __half __habs(const __half A);
__device__ __half __hfma(const __half A, const __half B, const __half C);
__device__ __half __hfma_sat(const __half A, const __half B, const __half C);
__device__ __half __hfma_relu(const __half A, const __half B, const __half C);
__host__ __device__ bool __heq(const __half A, const __half B);
__host__ __device__ bool __hne(const __half A, const __half B);
__host__ __device__ bool __hle(const __half A, const __half B);
__host__ __device__ bool __hge(const __half A, const __half B);
__host__ __device__ bool __hlt(const __half A, const __half B);
__host__ __device__ bool __hgt(const __half A, const __half B);
__host__ __device__ bool __hequ(const __half A, const __half B);
__host__ __device__ bool __hneu(const __half A, const __half B);
__host__ __device__ bool __hleu(const __half A, const __half B);
__host__ __device__ bool __hgeu(const __half A, const __half B);
__host__ __device__ bool __hltu(const __half A, const __half B);
__host__ __device__ bool __hgtu(const __half A, const __half B);
__host__ __device__ bool __hisnan(const __half A);
__host__ __device__ int __hisinf(const __half A);
__device__ __half htrunc(const __half A);
__device__ __half hceil(const __half A);
__device__ __half hfloor(const __half A);
__device__ __half hrint(const __half A);
__device__ __half hsqrt(const __half A);
__device__ __half hrsqrt(const __half A);
__device__ __half hrcp(const __half A);
__device__ __half hlog(const __half A);
__device__ __half hlog2(const __half A);
__device__ __half hlog10(const __half A);
__device__ __half hexp(const __half A);
__device__ __half hexp2(const __half A);
__device__ __half hexp10(const __half A);
__device__ __half hcos(const __half A);
__device__ __half hsin(const __half A);
__device__ __half htanh(const __half A);

#ifndef __CUDA_NO_HALF_OPERATORS__
__host__ __device__ __half operator+(const __half &A, const __half &B);
__host__ __device__ __half operator-(const __half &A, const __half &B);
__host__ __device__ __half operator*(const __half &A, const __half &B);
__host__ __device__ __half operator/(const __half &A, const __half &B);
__host__ __device__ __half &operator+=(__half &A, const __half &B);
__host__ __device__ __half &operator-=(__half &A, const __half &B);
__host__ __device__ __half &operator*=(__half &A, const __half &B);
__host__ __device__ __half &operator/=(__half &A, const __half &B);
__host__ __device__ __half operator+(const __half &A);
__host__ __device__ __half operator-(const __half &A);
__host__ __device__ bool operator==(const __half &A, const __half &B);
__host__ __device__ bool operator!=(const __half &A, const __half &B);
__host__ __device__ bool operator<(const __half &A, const __half &B);
__host__ __device__ bool operator>(const __half &A, const __half &B);
__host__ __device__ bool operator<=(const __half &A, const __half &B);
__host__ __device__ bool operator>=(const __half &A, const __half &B);
#endif

// Pairs.
#ifndef __CUDA_NO_HALF2_OPERATORS__
static inline __host__ __device__ __half2 operator+(const __half2 &A,
                                                    const __half2 &B) {
  return {__hadd(A.x, B.x), __hadd(A.y, B.y)};
}
static inline __host__ __device__ __half2 operator-(const __half2 &A,
                                                    const __half2 &B) {
  return {__hsub(A.x, B.x), __hsub(A.y, B.y)};
}
static inline __host__ __device__ __half2 operator*(const __half2 &A,
                                                    const __half2 &B) {
  return {__hmul(A.x, B.x), __hmul(A.y, B.y)};
}
static inline __host__ __device__ __half2 operator/(const __half2 &A,
                                                    const __half2 &B) {
  return {__hdiv(A.x, B.x), __hdiv(A.y, B.y)};
}
static inline __host__ __device__ __half2 &operator+=(__half2 &A,
                                                      const __half2 &B) {
  return A = A + B;
}
static inline __host__ __device__ __half2 &operator-=(__half2 &A,
                                                      const __half2 &B) {
  return A = A - B;
}
static inline __host__ __device__ __half2 &operator*=(__half2 &A,
                                                      const __half2 &B) {
  return A = A * B;
}
static inline __host__ __device__ __half2 &operator/=(__half2 &A,
                                                      const __half2 &B) {
  return A = A / B;
}
static inline __host__ __device__ __half2 operator+(const __half2 &A) {
  return A;
}
static inline __host__ __device__ __half2 operator-(const __half2 &A) {
  return {__hneg(A.x), __hneg(A.y)};
}
#endif
static inline __host__ __device__ __half2 make_half2(const __half X,
                                                     const __half Y) {
  return {X, Y};
}
static inline __host__ __device__ __half2 __float22half2_rn(const float2 A) {
  return {__float2half_rn(A.x), __float2half_rn(A.y)};
}
static inline __host__ __device__ float2 __half22float2(const __half2 A) {
  return {__half2float(A.x), __half2float(A.y)};
}
static inline __host__ __device__ __half2 __floats2half2_rn(const float A,
                                                            const float B) {
  return {__float2half_rn(A), __float2half_rn(B)};
}
static inline __host__ __device__ __half2 __float2half2_rn(const float A) {
  return {__float2half_rn(A), __float2half_rn(A)};
}
static inline __host__ __device__ __half2 __half2half2(const __half A) {
  return {A, A};
}
static inline __host__ __device__ __half2 __halves2half2(const __half A,
                                                         const __half B) {
  return {A, B};
}
static inline __host__ __device__ __half __low2half(const __half2 A) {
  return A.x;
}
static inline __host__ __device__ __half __high2half(const __half2 A) {
  return A.y;
}
static inline __host__ __device__ __half2 __low2half2(const __half2 A) {
  return {A.x, A.x};
}
static inline __host__ __device__ __half2 __high2half2(const __half2 A) {
  return {A.y, A.y};
}
static inline __host__ __device__ __half2 __lows2half2(const __half2 A,
                                                       const __half2 B) {
  return {A.x, B.x};
}
static inline __host__ __device__ __half2 __highs2half2(const __half2 A,
                                                        const __half2 B) {
  return {A.y, B.y};
}
static inline __host__ __device__ float __low2float(const __half2 A) {
  return __half2float(A.x);
}
static inline __host__ __device__ float __high2float(const __half2 A) {
  return __half2float(A.y);
}
static inline __host__ __device__ __half2 __hadd2(const __half2 A,
                                                  const __half2 B) {
  return {__hadd(A.x, B.x), __hadd(A.y, B.y)};
}
static inline __host__ __device__ __half2 __hsub2(const __half2 A,
                                                  const __half2 B) {
  return {__hsub(A.x, B.x), __hsub(A.y, B.y)};
}
static inline __host__ __device__ __half2 __hmul2(const __half2 A,
                                                  const __half2 B) {
  return {__hmul(A.x, B.x), __hmul(A.y, B.y)};
}
static inline __host__ __device__ __half2 __h2div(const __half2 A,
                                                  const __half2 B) {
  return {__hdiv(A.x, B.x), __hdiv(A.y, B.y)};
}
static inline __host__ __device__ __half2 __hmax2(const __half2 A,
                                                  const __half2 B) {
  return {__hmax(A.x, B.x), __hmax(A.y, B.y)};
}
static inline __host__ __device__ __half2 __hmin2(const __half2 A,
                                                  const __half2 B) {
  return {__hmin(A.x, B.x), __hmin(A.y, B.y)};
}
static inline __host__ __device__ __half2 __hneg2(const __half2 A) {
  return {__hneg(A.x), __hneg(A.y)};
}
static inline __device__ __half2 __hfma2(const __half2 A, const __half2 B,
                                         const __half2 C) {
  return {__hfma(A.x, B.x, C.x), __hfma(A.y, B.y, C.y)};
}

// Memory and warps.
__device__ __half __ldg(const __half *const Pointer);
__device__ __half __ldcg(const __half *const Pointer);
__device__ __half __ldca(const __half *const Pointer);
__device__ __half __ldcs(const __half *const Pointer);
__device__ __half __ldlu(const __half *const Pointer);
__device__ __half __ldcv(const __half *const Pointer);
static inline __device__ void __stwb(__half *const Pointer,
                                     const __half Value) {
  *Pointer = Value;
}
static inline __device__ void __stcg(__half *const Pointer,
                                     const __half Value) {
  *Pointer = Value;
}
static inline __device__ void __stcs(__half *const Pointer,
                                     const __half Value) {
  *Pointer = Value;
}
static inline __device__ void __stwt(__half *const Pointer,
                                     const __half Value) {
  *Pointer = Value;
}
__device__ __half __shfl_sync(const unsigned Mask, const __half Value,
                              const int Lane, const int Width = 32);
__device__ __half __shfl_up_sync(const unsigned Mask, const __half Value,
                                 const unsigned Delta, const int Width = 32);
__device__ __half __shfl_down_sync(const unsigned Mask, const __half Value,
                                   const unsigned Delta, const int Width = 32);
__device__ __half __shfl_xor_sync(const unsigned Mask, const __half Value,
                                  const int LaneMask, const int Width = 32);
__device__ __half atomicAdd(__half *const Address, const __half Value);
static inline __device__ __half2 __ldg(const __half2 *const Pointer) {
  return *Pointer;
}
static inline __device__ __half2 __ldcg(const __half2 *const Pointer) {
  return *Pointer;
}
static inline __device__ __half2 __ldca(const __half2 *const Pointer) {
  return *Pointer;
}
static inline __device__ __half2 __ldcs(const __half2 *const Pointer) {
  return *Pointer;
}
static inline __device__ __half2 __ldlu(const __half2 *const Pointer) {
  return *Pointer;
}
static inline __device__ __half2 __ldcv(const __half2 *const Pointer) {
  return *Pointer;
}
static inline __device__ void __stwb(__half2 *const Pointer,
                                     const __half2 Value) {
  *Pointer = Value;
}
static inline __device__ void __stcg(__half2 *const Pointer,
                                     const __half2 Value) {
  *Pointer = Value;
}
static inline __device__ void __stcs(__half2 *const Pointer,
                                     const __half2 Value) {
  *Pointer = Value;
}
static inline __device__ void __stwt(__half2 *const Pointer,
                                     const __half2 Value) {
  *Pointer = Value;
}
__device__ __half2 __shfl_sync(const unsigned Mask, const __half2 Value,
                               const int Lane, const int Width = 32);
__device__ __half2 __shfl_up_sync(const unsigned Mask, const __half2 Value,
                                  const unsigned Delta, const int Width = 32);
__device__ __half2 __shfl_down_sync(const unsigned Mask, const __half2 Value,
                                    const unsigned Delta, const int Width = 32);
__device__ __half2 __shfl_xor_sync(const unsigned Mask, const __half2 Value,
                                   const int LaneMask, const int Width = 32);
__device__ __half2 atomicAdd(__half2 *const Address, const __half2 Value);

#endif // WARPWRIGHT_PARSE_CUDA_FP16_H
