//===-- device_atomic_functions.h - Atomics, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atomic functions on global and shared memory. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPWRIGHT_PARSE_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#define WARPWRIGHT_INTEGER_ATOMICS(Type)                                       \
  __device__ Type atomicAdd(Type *Address, Type Value);                        \
  __device__ Type atomicExch(Type *Address, Type Value);                       \
  __device__ Type atomicMin(Type *Address, Type Value);                        \
  __device__ Type atomicMax(Type *Address, Type Value);                        \
  __device__ Type atomicAnd(Type *Address, Type Value);                        \
  __device__ Type atomicOr(Type *Address, Type Value);                         \
  __device__ Type atomicXor(Type *Address, Type Value);                        \
  __device__ Type atomicCAS(Type *Address, Type Compare, Type Value);
WARPWRIGHT_INTEGER_ATOMICS(int)
WARPWRIGHT_INTEGER_ATOMICS(unsigned)
WARPWRIGHT_INTEGER_ATOMICS(unsigned long long)
#undef WARPWRIGHT_INTEGER_ATOMICS

// CUDA has no more than these of the others.
__device__ int atomicSub(int *Address, int Value);
__device__ unsigned atomicSub(unsigned *Address, unsigned Value);
__device__ float atomicAdd(float *Address, float Value);
__device__ float atomicExch(float *Address, float Value);
__device__ double atomicAdd(double *Address, double Value);
__device__ unsigned atomicInc(unsigned *Address, unsigned Value);
__device__ unsigned atomicDec(unsigned *Address, unsigned Value);

#endif // WARPWRIGHT_PARSE_DEVICE_ATOMIC_FUNCTIONS_H
