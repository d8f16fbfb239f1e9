//===- host_defines.h - CUDA's keywords for the simulator -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The keywords expand to attributes, so that the parse that `warpwright sim`
// does sees CUDA. The plain C++ that is compiled afterwards keeps them where
// they mean nothing any more, and the compiler ignores them there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_HOST_DEFINES_H
#define WARPWRIGHT_SIM_HOST_DEFINES_H

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 48
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// The host address is the device address, so managed is like device memory.
#define __managed__ __attribute__((device))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __maxnreg__(n)

#define __no_return__ __attribute__((noreturn))
// __noinline__ is a keyword of Clang for CUDA and a word of the standard
// library, so it is no macro; the simulator replaces it where it means that.
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __device_builtin__
#define __cudart_builtin__
#define __dv(v) = v
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif // WARPWRIGHT_SIM_HOST_DEFINES_H
