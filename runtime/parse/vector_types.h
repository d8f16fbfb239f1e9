//===-- vector_types.h - CUDA's vector types, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// dim3 and the short vectors with their make_ functions. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_VECTOR_TYPES_H
#define WARPWRIGHT_PARSE_VECTOR_TYPES_H

#include "cuda_runtime.h"

// The four widths of one element type: alignment as in CUDA. The functions have
// bodies, since the check of a lift executes them.
#define WARPWRIGHT_MAKE static inline __host__ __device__
#define WARPWRIGHT_VECTOR(Name, Type, Align2, Align4)                          \
  struct Name##1 { Type x; };                                                  \
  struct __attribute__((aligned(Align2))) Name##2 { Type x, y; };              \
  struct Name##3 { Type x, y, z; };                                            \
  struct __attribute__((aligned(Align4))) Name##4 { Type x, y, z, w; };        \
  WARPWRIGHT_MAKE Name##1 make_##Name##1(Type X) { return {X}; }               \
  WARPWRIGHT_MAKE Name##2 make_##Name##2(Type X, Type Y) { return {X, Y}; }    \
  WARPWRIGHT_MAKE Name##3 make_##Name##3(Type X, Type Y, Type Z) {             \
    return {X, Y, Z};                                                          \
  }                                                                            \
  WARPWRIGHT_MAKE Name##4 make_##Name##4(Type X, Type Y, Type Z, Type W) {     \
    return {X, Y, Z, W};                                                       \
  }

WARPWRIGHT_VECTOR(char, signed char, 2, 4)
WARPWRIGHT_VECTOR(uchar, unsigned char, 2, 4)
WARPWRIGHT_VECTOR(short, short, 4, 8)
WARPWRIGHT_VECTOR(ushort, unsigned short, 4, 8)
WARPWRIGHT_VECTOR(int, int, 8, 16)
WARPWRIGHT_VECTOR(uint, unsigned, 8, 16)
WARPWRIGHT_VECTOR(long, long, 16, 16)
WARPWRIGHT_VECTOR(ulong, unsigned long, 16, 16)
WARPWRIGHT_VECTOR(longlong, long long, 16, 16)
WARPWRIGHT_VECTOR(ulonglong, unsigned long long, 16, 16)
WARPWRIGHT_VECTOR(float, float, 8, 16)
WARPWRIGHT_VECTOR(double, double, 16, 16)
#undef WARPWRIGHT_VECTOR
#undef WARPWRIGHT_MAKE

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
};

#endif // WARPWRIGHT_PARSE_VECTOR_TYPES_H
