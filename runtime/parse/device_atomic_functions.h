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

// In each scope: of the device, of the block, and of the system.
#define WARPWRIGHT_ATOMIC(Type, Name)                                          \
  __device__ Type Name(Type *Address, Type Value);                             \
  __device__ Type Name##_block(Type *Address, Type Value);                     \
  __device__ Type Name##_system(Type *Address, Type Value);
#define WARPWRIGHT_ATOMIC_CAS(Type)                                            \
  __device__ Type atomicCAS(Type *Address, Type Compare, Type Value);          \
  __device__ Type atomicCAS_block(Type *Address, Type Compare, Type Value);    \
  __device__ Type atomicCAS_system(Type *Address, Type Compare, Type Value);
#define WARPWRIGHT_INTEGER_ATOMICS(Type)                                       \
  WARPWRIGHT_ATOMIC(Type, atomicAdd)                                           \
  WARPWRIGHT_ATOMIC(Type, atomicExch)                                          \
  WARPWRIGHT_ATOMIC(Type, atomicMin)                                           \
  WARPWRIGHT_ATOMIC(Type, atomicMax)                                           \
  WARPWRIGHT_ATOMIC(Type, atomicAnd)                                           \
  WARPWRIGHT_ATOMIC(Type, atomicOr)                                            \
  WARPWRIGHT_ATOMIC(Type, atomicXor)                                           \
  WARPWRIGHT_ATOMIC_CAS(Type)
WARPWRIGHT_INTEGER_ATOMICS(int)
WARPWRIGHT_INTEGER_ATOMICS(unsigned)
WARPWRIGHT_INTEGER_ATOMICS(unsigned long long)

// CUDA has no more than these of the others.
WARPWRIGHT_ATOMIC(int, atomicSub)
WARPWRIGHT_ATOMIC(unsigned, atomicSub)
WARPWRIGHT_ATOMIC(unsigned, atomicInc)
WARPWRIGHT_ATOMIC(unsigned, atomicDec)
WARPWRIGHT_ATOMIC(float, atomicAdd)
WARPWRIGHT_ATOMIC(float, atomicExch)
WARPWRIGHT_ATOMIC(double, atomicAdd)
WARPWRIGHT_ATOMIC(float2, atomicAdd)
WARPWRIGHT_ATOMIC(float4, atomicAdd)
WARPWRIGHT_ATOMIC(long long, atomicMin)
WARPWRIGHT_ATOMIC(long long, atomicMax)
WARPWRIGHT_ATOMIC(long long, atomicAnd)
WARPWRIGHT_ATOMIC(long long, atomicOr)
WARPWRIGHT_ATOMIC(long long, atomicXor)
WARPWRIGHT_ATOMIC_CAS(unsigned short)
#undef WARPWRIGHT_INTEGER_ATOMICS
#undef WARPWRIGHT_ATOMIC_CAS
#undef WARPWRIGHT_ATOMIC

#endif // WARPWRIGHT_PARSE_DEVICE_ATOMIC_FUNCTIONS_H
