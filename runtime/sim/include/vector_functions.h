//===- vector_functions.h - make_float4 and the like ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_VECTOR_FUNCTIONS_H
#define WARPWRIGHT_SIM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#pragma clang force_cuda_host_device begin

#define WARPWRIGHT_SIM_MAKE4(Name, Type)                                       \
  static __forceinline__ Name make_##Name(Type x, Type y, Type z, Type w) {    \
    return {x, y, z, w};                                                       \
  }
#define WARPWRIGHT_SIM_MAKE(Name, Type)                                        \
  static __forceinline__ Name##1 make_##Name##1(Type x) { return {x}; }        \
  static __forceinline__ Name##2 make_##Name##2(Type x, Type y) {              \
    return {x, y};                                                             \
  }                                                                            \
  static __forceinline__ Name##3 make_##Name##3(Type x, Type y, Type z) {      \
    return {x, y, z};                                                          \
  }                                                                            \
  WARPWRIGHT_SIM_MAKE4(Name##4, Type)

WARPWRIGHT_SIM_MAKE(char, signed char)
WARPWRIGHT_SIM_MAKE(uchar, unsigned char)
WARPWRIGHT_SIM_MAKE(short, short)
WARPWRIGHT_SIM_MAKE(ushort, unsigned short)
WARPWRIGHT_SIM_MAKE(int, int)
WARPWRIGHT_SIM_MAKE(uint, unsigned int)
WARPWRIGHT_SIM_MAKE(long, long int)
WARPWRIGHT_SIM_MAKE(ulong, unsigned long int)
WARPWRIGHT_SIM_MAKE(longlong, long long int)
WARPWRIGHT_SIM_MAKE(ulonglong, unsigned long long int)
WARPWRIGHT_SIM_MAKE(float, float)
WARPWRIGHT_SIM_MAKE(double, double)
#define WARPWRIGHT_SIM_MAKE4_BOTH(Name, Type)                                  \
  WARPWRIGHT_SIM_MAKE4(Name##4_16a, Type)                                      \
  WARPWRIGHT_SIM_MAKE4(Name##4_32a, Type)
WARPWRIGHT_SIM_MAKE4_BOTH(long, long int)
WARPWRIGHT_SIM_MAKE4_BOTH(ulong, unsigned long int)
WARPWRIGHT_SIM_MAKE4_BOTH(longlong, long long int)
WARPWRIGHT_SIM_MAKE4_BOTH(ulonglong, unsigned long long int)
WARPWRIGHT_SIM_MAKE4_BOTH(double, double)
#undef WARPWRIGHT_SIM_MAKE4_BOTH
#undef WARPWRIGHT_SIM_MAKE
#undef WARPWRIGHT_SIM_MAKE4

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_VECTOR_FUNCTIONS_H
