//===- cuda_bf16.h - bfloat16 -----------------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUDA_BF16_H
#define WARPWRIGHT_SIM_CUDA_BF16_H

#include "cuda_runtime.h"
#include "warpwright/sim/small_float.h"

#include "cuda_fp16.h"

#define WARPWRIGHT_T __nv_bfloat16
#define WARPWRIGHT_T2 __nv_bfloat162
#define WARPWRIGHT_RAW __nv_bfloat16_raw
#define WARPWRIGHT_RAW2 __nv_bfloat162_raw
#define WARPWRIGHT_OTHER __half
#define WARPWRIGHT_FORMAT Bfloat16Format
#define WARPWRIGHT_NAME(a, b) a##bfloat16##b
#define WARPWRIGHT_NAME2(a, b) a##bfloat162##b
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define WARPWRIGHT_CONVERSIONS 1
#else
#define WARPWRIGHT_CONVERSIONS 0
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define WARPWRIGHT_OPERATORS 1
#else
#define WARPWRIGHT_OPERATORS 0
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define WARPWRIGHT_OPERATORS2 1
#else
#define WARPWRIGHT_OPERATORS2 0
#endif
#include "warpwright/sim/half_type.h"
// After the type.
#include "warpwright/sim/half_functions.h"
#undef WARPWRIGHT_OPERATORS2
#undef WARPWRIGHT_OPERATORS
#undef WARPWRIGHT_CONVERSIONS
#undef WARPWRIGHT_NAME2
#undef WARPWRIGHT_NAME
#undef WARPWRIGHT_FORMAT
#undef WARPWRIGHT_OTHER
#undef WARPWRIGHT_RAW2
#undef WARPWRIGHT_RAW
#undef WARPWRIGHT_T2
#undef WARPWRIGHT_T

#pragma clang force_cuda_host_device begin
static __forceinline__ __nv_bfloat162
__bfloat162bfloat162(const __nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
#pragma clang force_cuda_host_device end

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
#pragma clang force_cuda_host_device begin
inline __half::__half(const __nv_bfloat16 f)
    : __x(::warpwright::sim::HalfFormat::narrow(__bfloat162float(f))) {}
#pragma clang force_cuda_host_device end
#endif
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#pragma clang force_cuda_host_device begin
inline __nv_bfloat16::__nv_bfloat16(const __half f)
    : __x(::warpwright::sim::Bfloat16Format::narrow(__half2float(f))) {}
#pragma clang force_cuda_host_device end
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif // WARPWRIGHT_SIM_CUDA_BF16_H
