//===- vector_types.h - CUDA's vector types ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_VECTOR_TYPES_H
#define WARPWRIGHT_SIM_VECTOR_TYPES_H

#include "host_defines.h"

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {
template <int Which> struct BuiltinIndex; // device_launch_parameters.h
}
} // namespace warpwright

// The four widths of one element type: alignment as in CUDA.
#define WARPWRIGHT_SIM_VECTOR(Name, Type, Align2, Align4)                      \
  struct Name##1 { Type x; };                                                  \
  struct __attribute__((aligned(Align2))) Name##2 {                            \
    Type x;                                                                    \
    Type y;                                                                    \
  };                                                                           \
  struct Name##3 {                                                             \
    Type x;                                                                    \
    Type y;                                                                    \
    Type z;                                                                    \
  };                                                                           \
  struct __attribute__((aligned(Align4))) Name##4 {                            \
    Type x;                                                                    \
    Type y;                                                                    \
    Type z;                                                                    \
    Type w;                                                                    \
  };

WARPWRIGHT_SIM_VECTOR(char, signed char, 2, 4)
WARPWRIGHT_SIM_VECTOR(uchar, unsigned char, 2, 4)
WARPWRIGHT_SIM_VECTOR(short, short, 4, 8)
WARPWRIGHT_SIM_VECTOR(ushort, unsigned short, 4, 8)
WARPWRIGHT_SIM_VECTOR(int, int, 8, 16)
WARPWRIGHT_SIM_VECTOR(uint, unsigned int, 8, 16)
WARPWRIGHT_SIM_VECTOR(long, long int, 16, 16)
WARPWRIGHT_SIM_VECTOR(ulong, unsigned long int, 16, 16)
WARPWRIGHT_SIM_VECTOR(longlong, long long int, 16, 16)
WARPWRIGHT_SIM_VECTOR(ulonglong, unsigned long long int, 16, 16)
WARPWRIGHT_SIM_VECTOR(float, float, 8, 16)
WARPWRIGHT_SIM_VECTOR(double, double, 16, 16)
#undef WARPWRIGHT_SIM_VECTOR

// CUDA 13 has the widest ones with either alignment.
#define WARPWRIGHT_SIM_VECTOR4(Name, Type)                                     \
  struct __attribute__((aligned(16))) Name##4_16a {                            \
    Type x;                                                                    \
    Type y;                                                                    \
    Type z;                                                                    \
    Type w;                                                                    \
  };                                                                           \
  struct __attribute__((aligned(32))) Name##4_32a {                            \
    Type x;                                                                    \
    Type y;                                                                    \
    Type z;                                                                    \
    Type w;                                                                    \
  };

WARPWRIGHT_SIM_VECTOR4(long, long int)
WARPWRIGHT_SIM_VECTOR4(ulong, unsigned long int)
WARPWRIGHT_SIM_VECTOR4(longlong, long long int)
WARPWRIGHT_SIM_VECTOR4(ulonglong, unsigned long long int)
WARPWRIGHT_SIM_VECTOR4(double, double)
#undef WARPWRIGHT_SIM_VECTOR4

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  /// threadIdx and the like, which are no uint3 here. Without this there would
  /// be two ways from them to a dim3.
  template <int Which>
  dim3(const ::warpwright::sim::BuiltinIndex<Which> &v)
      : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_VECTOR_TYPES_H
