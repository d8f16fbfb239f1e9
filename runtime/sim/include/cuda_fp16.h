//===- cuda_fp16.h - Half precision -----------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUDA_FP16_H
#define WARPWRIGHT_SIM_CUDA_FP16_H

#include "cuda_runtime.h"
#include "warpwright/sim/small_float.h"

struct __nv_bfloat16;

#define WARPWRIGHT_T __half
#define WARPWRIGHT_T2 __half2
#define WARPWRIGHT_RAW __half_raw
#define WARPWRIGHT_RAW2 __half2_raw
#define WARPWRIGHT_OTHER __nv_bfloat16
#define WARPWRIGHT_FORMAT HalfFormat
#define WARPWRIGHT_NAME(a, b) a##half##b
#define WARPWRIGHT_NAME2(a, b) a##half2##b
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define WARPWRIGHT_CONVERSIONS 1
#else
#define WARPWRIGHT_CONVERSIONS 0
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define WARPWRIGHT_OPERATORS 1
#else
#define WARPWRIGHT_OPERATORS 0
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
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
static __forceinline__ __half2 __half2half2(const __half a) {
  return __half2(a, a);
}
#pragma clang force_cuda_host_device end

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif // WARPWRIGHT_SIM_CUDA_FP16_H
