//===- cuda_runtime.h - CUDA's runtime, to be parsed ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Declarations that let Clang parse CUDA source on a machine without the CUDA
/// Toolkit. Nothing here is ever compiled to code: the folder stands in for
/// the toolkit's headers only while `warpwright` reads a file, under the flags
/// `-nocudainc -nocudalib -isystem <this folder> -include warpwright_parse.h`.
/// Names and signatures are CUDA's; Clang's own headers declare the built-in
/// variables, the intrinsics and the mathematical functions.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_RUNTIME_H
#define WARPWRIGHT_PARSE_CUDA_RUNTIME_H

// Before <cmath>, whose constexpr functions would else become host+device.
#include <__clang_cuda_math_forward_declares.h>

#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB

#include "vector_types.h"

#include <__clang_cuda_builtin_vars.h>

#include <__clang_cuda_libdevice_declares.h>
// After the line above: they define functions by what it declares.
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

typedef uint32_t cuuint32_t;
__device__ inline unsigned __isGlobal(const void *Pointer) {
  return __nvvm_isspacep_global(Pointer);
}
__device__ inline unsigned __isShared(const void *Pointer) {
  return __nvvm_isspacep_shared(Pointer);
}
__device__ unsigned __isConstant(const void *Pointer);
__device__ unsigned __isLocal(const void *Pointer);
__device__ void __nanosleep(unsigned Nanoseconds);
__device__ inline size_t __cvta_generic_to_shared(const void *Pointer) {
  return (size_t)(const void __attribute__((address_space(3))) *)Pointer;
}
__device__ inline size_t __cvta_generic_to_global(const void *Pointer) {
  return (size_t)(const void __attribute__((address_space(1))) *)Pointer;
}
__device__ unsigned __vimax3_u16x2(unsigned A, unsigned B, unsigned C);
__device__ unsigned __vimin3_u16x2(unsigned A, unsigned B, unsigned C);

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>

// Clang declares min and max of int only. Without those of other types, which
// the toolkit has, arguments of all types would be converted to int. Of a
// signed and an unsigned one the result is unsigned, as in math_functions.h of
// the simulator's headers.
#define WARPWRIGHT_PARSE_SMALLER_LARGER(Result, A, B)                          \
  __device__ inline Result min(const A a, const B b) {                         \
    const Result x = static_cast<Result>(a), y = static_cast<Result>(b);       \
    return y < x ? y : x;                                                      \
  }                                                                            \
  __device__ inline Result max(const A a, const B b) {                         \
    const Result x = static_cast<Result>(a), y = static_cast<Result>(b);       \
    return x < y ? y : x;                                                      \
  }
#define WARPWRIGHT_PARSE_UNSIGNED(Type)                                        \
  WARPWRIGHT_PARSE_SMALLER_LARGER(unsigned Type, unsigned Type, unsigned Type) \
  WARPWRIGHT_PARSE_SMALLER_LARGER(unsigned Type, Type, unsigned Type)          \
  WARPWRIGHT_PARSE_SMALLER_LARGER(unsigned Type, unsigned Type, Type)
WARPWRIGHT_PARSE_UNSIGNED(int)
WARPWRIGHT_PARSE_UNSIGNED(long)
WARPWRIGHT_PARSE_UNSIGNED(long long)
WARPWRIGHT_PARSE_SMALLER_LARGER(long, long, long)
WARPWRIGHT_PARSE_SMALLER_LARGER(long long, long long, long long)
#undef WARPWRIGHT_PARSE_UNSIGNED
#undef WARPWRIGHT_PARSE_SMALLER_LARGER
__device__ inline float min(float a, float b) { return fminf(a, b); }
__device__ inline float max(float a, float b) { return fmaxf(a, b); }
__device__ inline double min(double a, double b) { return fmin(a, b); }
__device__ inline double max(double a, double b) { return fmax(a, b); }
__device__ inline double min(float a, double b) { return fmin(double(a), b); }
__device__ inline double max(float a, double b) { return fmax(double(a), b); }
__device__ inline double min(double a, float b) { return fmin(a, double(b)); }
__device__ inline double max(double a, float b) { return fmax(a, double(b)); }

#include "cache_hints.h"
#include "sm_61_intrinsics.h"

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const {
  return {x, y, z};
}

extern "C" {
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t);
__device__ void free(void *);
__device__ void __assert_fail(const char *, const char *, unsigned,
                              const char *);
}

#include "device_atomic_functions.h"
#include "driver_types.h"

// Which of the two a launch calls depends on the toolkit's version, and without
// a toolkit Clang does not know one.
extern "C" {
cudaError_t cudaConfigureCall(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                              cudaStream_t Stream = nullptr);
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block,
                                     size_t SharedBytes = 0,
                                     void *Stream = nullptr);
}

#include "cuda_runtime_api.h"

#endif // WARPWRIGHT_PARSE_CUDA_RUNTIME_H
