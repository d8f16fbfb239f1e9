//===-- cache_hints.h - Loads and stores with cache hints ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __ldcs, __stcs and the like (CUDA C++ Programming Guide, "Load Functions
/// Using Cache Hints"). Clang keeps the toolkit's sm_32_intrinsics.h out,
/// so this is included with and without a toolkit. Clang itself has bodies for
/// the loads and for __stwt. For the same reason it includes what else is
/// missing in both cases.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CACHE_HINTS_H
#define WARPWRIGHT_PARSE_CACHE_HINTS_H

#include "placement_new.h"

#define WARPWRIGHT_PARSE_HINTS(Type)                                           \
  __device__ Type __ldcg(const Type *Pointer);                                 \
  __device__ Type __ldca(const Type *Pointer);                                 \
  __device__ Type __ldcs(const Type *Pointer);                                 \
  __device__ Type __ldlu(const Type *Pointer);                                 \
  __device__ Type __ldcv(const Type *Pointer);                                 \
  inline __device__ void __stwb(Type *Pointer, Type Value) {                   \
    *Pointer = Value;                                                          \
  }                                                                            \
  inline __device__ void __stcg(Type *Pointer, Type Value) {                   \
    *Pointer = Value;                                                          \
  }                                                                            \
  inline __device__ void __stcs(Type *Pointer, Type Value) {                   \
    *Pointer = Value;                                                          \
  }                                                                            \
  __device__ void __stwt(Type *Pointer, Type Value);
WARPWRIGHT_PARSE_HINTS(char)
WARPWRIGHT_PARSE_HINTS(signed char)
WARPWRIGHT_PARSE_HINTS(unsigned char)
WARPWRIGHT_PARSE_HINTS(short)
WARPWRIGHT_PARSE_HINTS(unsigned short)
WARPWRIGHT_PARSE_HINTS(int)
WARPWRIGHT_PARSE_HINTS(unsigned)
WARPWRIGHT_PARSE_HINTS(long)
WARPWRIGHT_PARSE_HINTS(unsigned long)
WARPWRIGHT_PARSE_HINTS(long long)
WARPWRIGHT_PARSE_HINTS(unsigned long long)
WARPWRIGHT_PARSE_HINTS(float)
WARPWRIGHT_PARSE_HINTS(double)
WARPWRIGHT_PARSE_HINTS(int2)
WARPWRIGHT_PARSE_HINTS(int4)
WARPWRIGHT_PARSE_HINTS(uint2)
WARPWRIGHT_PARSE_HINTS(uint4)
WARPWRIGHT_PARSE_HINTS(float2)
WARPWRIGHT_PARSE_HINTS(float4)
WARPWRIGHT_PARSE_HINTS(double2)
#undef WARPWRIGHT_PARSE_HINTS

#endif // WARPWRIGHT_PARSE_CACHE_HINTS_H
