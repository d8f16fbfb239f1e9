//===- memory.h - Loads, stores and address spaces --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __ldg and the like: the caches that they name do not exist here, so they are
// plain loads and stores, and are checked as such.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_MEMORY_H
#define WARPWRIGHT_SIM_MEMORY_H

#include "vector_types.h"
#include "warpwright/sim/program.h"

#pragma clang force_cuda_host_device begin

#define WARPWRIGHT_SIM_FUNCTION static __forceinline__

#define WARPWRIGHT_SIM_LOAD(Name, Type)                                        \
  WARPWRIGHT_SIM_FUNCTION Type Name(const Type *ptr) { return *ptr; }
#define WARPWRIGHT_SIM_STORE(Name, Type)                                       \
  WARPWRIGHT_SIM_FUNCTION void Name(Type *ptr, Type value) { *ptr = value; }
#define WARPWRIGHT_SIM_CACHED(Type)                                            \
  WARPWRIGHT_SIM_LOAD(__ldg, Type)                                             \
  WARPWRIGHT_SIM_LOAD(__ldcg, Type)                                            \
  WARPWRIGHT_SIM_LOAD(__ldca, Type)                                            \
  WARPWRIGHT_SIM_LOAD(__ldcs, Type)                                            \
  WARPWRIGHT_SIM_LOAD(__ldlu, Type)                                            \
  WARPWRIGHT_SIM_LOAD(__ldcv, Type)                                            \
  WARPWRIGHT_SIM_STORE(__stwb, Type)                                           \
  WARPWRIGHT_SIM_STORE(__stcg, Type)                                           \
  WARPWRIGHT_SIM_STORE(__stcs, Type)                                           \
  WARPWRIGHT_SIM_STORE(__stwt, Type)
#define WARPWRIGHT_SIM_CACHED_VECTORS(Name)                                    \
  WARPWRIGHT_SIM_CACHED(Name##2)                                               \
  WARPWRIGHT_SIM_CACHED(Name##4)
WARPWRIGHT_SIM_CACHED(char)
WARPWRIGHT_SIM_CACHED(signed char)
WARPWRIGHT_SIM_CACHED(unsigned char)
WARPWRIGHT_SIM_CACHED(short)
WARPWRIGHT_SIM_CACHED(unsigned short)
WARPWRIGHT_SIM_CACHED(int)
WARPWRIGHT_SIM_CACHED(unsigned int)
WARPWRIGHT_SIM_CACHED(long)
WARPWRIGHT_SIM_CACHED(unsigned long)
WARPWRIGHT_SIM_CACHED(long long)
WARPWRIGHT_SIM_CACHED(unsigned long long)
WARPWRIGHT_SIM_CACHED(float)
WARPWRIGHT_SIM_CACHED(double)
WARPWRIGHT_SIM_CACHED_VECTORS(char)
WARPWRIGHT_SIM_CACHED_VECTORS(uchar)
WARPWRIGHT_SIM_CACHED_VECTORS(short)
WARPWRIGHT_SIM_CACHED_VECTORS(ushort)
WARPWRIGHT_SIM_CACHED_VECTORS(int)
WARPWRIGHT_SIM_CACHED_VECTORS(uint)
WARPWRIGHT_SIM_CACHED_VECTORS(float)
WARPWRIGHT_SIM_CACHED(longlong2)
WARPWRIGHT_SIM_CACHED(ulonglong2)
WARPWRIGHT_SIM_CACHED(double2)
#undef WARPWRIGHT_SIM_CACHED_VECTORS

// Pointers. Global memory is at its host address.
WARPWRIGHT_SIM_FUNCTION unsigned int __isShared(const void *ptr) {
  return ::warpwright::sim::is_shared(ptr);
}
WARPWRIGHT_SIM_FUNCTION size_t __cvta_generic_to_shared(const void *ptr) {
  return ::warpwright::sim::to_shared_address(ptr);
}
WARPWRIGHT_SIM_FUNCTION void *__cvta_shared_to_generic(size_t address) {
  return ::warpwright::sim::from_shared_address(
      static_cast<unsigned int>(address));
}
WARPWRIGHT_SIM_FUNCTION size_t __cvta_generic_to_global(const void *ptr) {
  return reinterpret_cast<size_t>(ptr);
}
WARPWRIGHT_SIM_FUNCTION void *__cvta_global_to_generic(size_t address) {
  return reinterpret_cast<void *>(address);
}
WARPWRIGHT_SIM_FUNCTION size_t __cvta_generic_to_local(const void *ptr) {
  return reinterpret_cast<size_t>(ptr);
}
WARPWRIGHT_SIM_FUNCTION size_t __cvta_generic_to_constant(const void *ptr) {
  return reinterpret_cast<size_t>(ptr);
}
#undef WARPWRIGHT_SIM_FUNCTION

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_MEMORY_H
