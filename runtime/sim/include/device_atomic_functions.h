//===- device_atomic_functions.h - Atomic functions -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every atomic function tells the simulator first, then works on the memory
// with the host's atomic instructions: clusters run on several host threads.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPWRIGHT_SIM_DEVICE_ATOMIC_FUNCTIONS_H

#include "vector_types.h"
#include "warpwright/sim/program.h"

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

template <size_t Bytes> struct Word;
template <> struct Word<2> {
  typedef uint16_t type;
};
template <> struct Word<4> {
  typedef uint32_t type;
};
template <> struct Word<8> {
  typedef uint64_t type;
};

/// Replaces *address by change(*address) in one step; returns what was there.
template <class T, class Change>
__attribute__((noinline)) WARPWRIGHT_SIM_UNCHECKED T
atomic_update(T *address, Change change) {
  typedef typename Word<sizeof(T)>::type Bits;
  atomic_access(address, sizeof(T));
  Bits *const word = reinterpret_cast<Bits *>(address);
  Bits before = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const T value = __builtin_bit_cast(T, before);
    const Bits after = __builtin_bit_cast(Bits, static_cast<T>(change(value)));
    if (__atomic_compare_exchange_n(word, &before, after, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return value;
  }
}

} // namespace sim
} // namespace warpwright

// The three scopes of one operation; device code runs on one device and the
// host waits, so they are the same here.
#define WARPWRIGHT_SIM_ATOMIC(Name, Type, ...)                                 \
  WARPWRIGHT_SIM_ATOMIC_SCOPE(Name, Type, __VA_ARGS__)                         \
  WARPWRIGHT_SIM_ATOMIC_SCOPE(Name##_block, Type, __VA_ARGS__)                 \
  WARPWRIGHT_SIM_ATOMIC_SCOPE(Name##_system, Type, __VA_ARGS__)
#define WARPWRIGHT_SIM_ATOMIC_SCOPE(Name, Type, ...)                           \
  static __forceinline__ Type Name(Type *address, Type val) {                  \
    return ::warpwright::sim::atomic_update(                                   \
        address, [val](Type old) WARPWRIGHT_SIM_UNCHECKED -> Type {            \
          return __VA_ARGS__;                                                  \
        });                                                                    \
  }

#define WARPWRIGHT_SIM_INTEGER_ATOMICS(Type)                                   \
  WARPWRIGHT_SIM_ATOMIC(atomicMin, Type, val < old ? val : old)                \
  WARPWRIGHT_SIM_ATOMIC(atomicMax, Type, old < val ? val : old)                \
  WARPWRIGHT_SIM_ATOMIC(atomicAnd, Type, old &val)                             \
  WARPWRIGHT_SIM_ATOMIC(atomicOr, Type, old | val)                             \
  WARPWRIGHT_SIM_ATOMIC(atomicXor, Type, old ^ val)
WARPWRIGHT_SIM_INTEGER_ATOMICS(int)
WARPWRIGHT_SIM_INTEGER_ATOMICS(unsigned int)
WARPWRIGHT_SIM_INTEGER_ATOMICS(long long)
WARPWRIGHT_SIM_INTEGER_ATOMICS(unsigned long long)
#undef WARPWRIGHT_SIM_INTEGER_ATOMICS

WARPWRIGHT_SIM_ATOMIC(atomicAdd, int,
                      static_cast<int>(static_cast<unsigned int>(old) +
                                       static_cast<unsigned int>(val)))
WARPWRIGHT_SIM_ATOMIC(atomicAdd, unsigned int, old + val)
WARPWRIGHT_SIM_ATOMIC(atomicAdd, unsigned long long, old + val)
WARPWRIGHT_SIM_ATOMIC(atomicAdd, float, old + val)
WARPWRIGHT_SIM_ATOMIC(atomicAdd, double, old + val)
WARPWRIGHT_SIM_ATOMIC(atomicSub, int,
                      static_cast<int>(static_cast<unsigned int>(old) -
                                       static_cast<unsigned int>(val)))
WARPWRIGHT_SIM_ATOMIC(atomicSub, unsigned int, old - val)
WARPWRIGHT_SIM_ATOMIC(atomicExch, int, (static_cast<void>(old), val))
WARPWRIGHT_SIM_ATOMIC(atomicExch, unsigned int, (static_cast<void>(old), val))
WARPWRIGHT_SIM_ATOMIC(atomicExch, unsigned long long,
                      (static_cast<void>(old), val))
WARPWRIGHT_SIM_ATOMIC(atomicExch, float, (static_cast<void>(old), val))
WARPWRIGHT_SIM_ATOMIC(atomicInc, unsigned int, old >= val ? 0 : old + 1)
WARPWRIGHT_SIM_ATOMIC(atomicDec, unsigned int,
                      old == 0 || old > val ? val : old - 1)

#define WARPWRIGHT_SIM_CAS_SCOPE(Name, Type)                                   \
  static __forceinline__ Type Name(Type *address, Type compare, Type val) {    \
    return ::warpwright::sim::atomic_update(                                   \
        address, [compare, val](Type old) WARPWRIGHT_SIM_UNCHECKED -> Type {   \
          return old == compare ? val : old;                                   \
        });                                                                    \
  }
#define WARPWRIGHT_SIM_CAS(Type)                                               \
  WARPWRIGHT_SIM_CAS_SCOPE(atomicCAS, Type)                                    \
  WARPWRIGHT_SIM_CAS_SCOPE(atomicCAS_block, Type)                              \
  WARPWRIGHT_SIM_CAS_SCOPE(atomicCAS_system, Type)
WARPWRIGHT_SIM_CAS(int)
WARPWRIGHT_SIM_CAS(unsigned int)
WARPWRIGHT_SIM_CAS(unsigned long long)
WARPWRIGHT_SIM_CAS(unsigned short)
#undef WARPWRIGHT_SIM_CAS
#undef WARPWRIGHT_SIM_CAS_SCOPE

// Vectors: every element is added atomically, the vector is not.
#define WARPWRIGHT_SIM_VECTOR_ADD(Name)                                        \
  static inline float2 Name(float2 *address, float2 val) {                     \
    return {Name(&address->x, val.x), Name(&address->y, val.y)};               \
  }                                                                            \
  static inline float4 Name(float4 *address, float4 val) {                     \
    return {Name(&address->x, val.x), Name(&address->y, val.y),                \
            Name(&address->z, val.z), Name(&address->w, val.w)};               \
  }
WARPWRIGHT_SIM_VECTOR_ADD(atomicAdd)
WARPWRIGHT_SIM_VECTOR_ADD(atomicAdd_block)
WARPWRIGHT_SIM_VECTOR_ADD(atomicAdd_system)
#undef WARPWRIGHT_SIM_VECTOR_ADD

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_DEVICE_ATOMIC_FUNCTIONS_H
