//===- warp.h - Barriers, votes and shuffles --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_WARP_H
#define WARPWRIGHT_SIM_WARP_H

#include "host_defines.h"
#include "warpwright/sim/program.h"

// Clang knows this one when it parses CUDA and lets nobody define it, so it is
// another name of warpwright::sim::sync_threads().
extern "C" __device__ void
__syncthreads(void) __asm__("_ZN10warpwright3sim12sync_threadsEv");

#pragma clang force_cuda_host_device begin

#define WARPWRIGHT_SIM_FUNCTION static __forceinline__

WARPWRIGHT_SIM_FUNCTION int __syncthreads_count(int predicate) {
  return ::warpwright::sim::sync_threads_vote(::warpwright::sim::Vote::count,
                                              predicate);
}
WARPWRIGHT_SIM_FUNCTION int __syncthreads_and(int predicate) {
  return ::warpwright::sim::sync_threads_vote(::warpwright::sim::Vote::all,
                                              predicate);
}
WARPWRIGHT_SIM_FUNCTION int __syncthreads_or(int predicate) {
  return ::warpwright::sim::sync_threads_vote(::warpwright::sim::Vote::any,
                                              predicate);
}
WARPWRIGHT_SIM_FUNCTION void __syncwarp(unsigned int mask = 0xffffffffu) {
  ::warpwright::sim::sync_warp(mask);
}
WARPWRIGHT_SIM_FUNCTION void __threadfence_block(void) {
  ::warpwright::sim::thread_fence(0);
}
WARPWRIGHT_SIM_FUNCTION void __threadfence(void) {
  ::warpwright::sim::thread_fence(1);
}
WARPWRIGHT_SIM_FUNCTION void __threadfence_system(void) {
  ::warpwright::sim::thread_fence(2);
}

WARPWRIGHT_SIM_FUNCTION int __all_sync(unsigned int mask, int predicate) {
  return static_cast<int>(
      ::warpwright::sim::vote(::warpwright::sim::Vote::all, mask, predicate));
}
WARPWRIGHT_SIM_FUNCTION int __any_sync(unsigned int mask, int predicate) {
  return static_cast<int>(
      ::warpwright::sim::vote(::warpwright::sim::Vote::any, mask, predicate));
}
WARPWRIGHT_SIM_FUNCTION int __uni_sync(unsigned int mask, int predicate) {
  const unsigned int set =
      ::warpwright::sim::vote(::warpwright::sim::Vote::ballot, mask, predicate);
  return set == 0 || set == mask;
}
WARPWRIGHT_SIM_FUNCTION unsigned int __ballot_sync(unsigned int mask,
                                                   int predicate) {
  return ::warpwright::sim::vote(::warpwright::sim::Vote::ballot, mask,
                                 predicate);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __activemask(void) {
  return ::warpwright::sim::active_mask();
}

namespace warpwright {
namespace sim {

/// An object of up to 8 bytes as the bits that a shuffle carries, and back.
template <class T> WARPWRIGHT_SIM_FUNCTION uint64_t to_bits(const T &value) {
  static_assert(sizeof(T) <= 8, "a shuffle moves up to 8 bytes");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T> WARPWRIGHT_SIM_FUNCTION T from_bits(uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T>
WARPWRIGHT_SIM_FUNCTION T shuffle_value(Shuffle kind, unsigned int mask,
                                        T value, unsigned int lane, int width) {
  return from_bits<T>(shuffle(kind, mask, to_bits(value), lane, width));
}

} // namespace sim
} // namespace warpwright

#define WARPWRIGHT_SIM_SHUFFLES(Type)                                          \
  WARPWRIGHT_SIM_FUNCTION Type __shfl_sync(unsigned int mask, Type var,        \
                                           int srcLane, int width = 32) {      \
    return ::warpwright::sim::shuffle_value<Type>(                             \
        ::warpwright::sim::Shuffle::index, mask, var,                          \
        static_cast<unsigned int>(srcLane), width);                            \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION Type __shfl_up_sync(                                 \
      unsigned int mask, Type var, unsigned int delta, int width = 32) {       \
    return ::warpwright::sim::shuffle_value<Type>(                             \
        ::warpwright::sim::Shuffle::up, mask, var, delta, width);              \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION Type __shfl_down_sync(                               \
      unsigned int mask, Type var, unsigned int delta, int width = 32) {       \
    return ::warpwright::sim::shuffle_value<Type>(                             \
        ::warpwright::sim::Shuffle::down, mask, var, delta, width);            \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION Type __shfl_xor_sync(unsigned int mask, Type var,    \
                                               int laneMask, int width = 32) { \
    return ::warpwright::sim::shuffle_value<Type>(                             \
        ::warpwright::sim::Shuffle::exclusive, mask, var,                      \
        static_cast<unsigned int>(laneMask), width);                           \
  }
WARPWRIGHT_SIM_SHUFFLES(int)
WARPWRIGHT_SIM_SHUFFLES(unsigned int)
WARPWRIGHT_SIM_SHUFFLES(long)
WARPWRIGHT_SIM_SHUFFLES(unsigned long)
WARPWRIGHT_SIM_SHUFFLES(long long)
WARPWRIGHT_SIM_SHUFFLES(unsigned long long)
WARPWRIGHT_SIM_SHUFFLES(float)
WARPWRIGHT_SIM_SHUFFLES(double)

#define WARPWRIGHT_SIM_MATCHES(Type)                                           \
  WARPWRIGHT_SIM_FUNCTION unsigned int __match_any_sync(unsigned int mask,     \
                                                        Type value) {          \
    return ::warpwright::sim::match(mask, ::warpwright::sim::to_bits(value),   \
                                    nullptr);                                  \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int __match_all_sync(                       \
      unsigned int mask, Type value, int *pred) {                              \
    return ::warpwright::sim::match(mask, ::warpwright::sim::to_bits(value),   \
                                    pred);                                     \
  }
WARPWRIGHT_SIM_MATCHES(int)
WARPWRIGHT_SIM_MATCHES(unsigned int)
WARPWRIGHT_SIM_MATCHES(long)
WARPWRIGHT_SIM_MATCHES(unsigned long)
WARPWRIGHT_SIM_MATCHES(long long)
WARPWRIGHT_SIM_MATCHES(unsigned long long)
WARPWRIGHT_SIM_MATCHES(float)
WARPWRIGHT_SIM_MATCHES(double)
#undef WARPWRIGHT_SIM_MATCHES

#define WARPWRIGHT_SIM_REDUCE(Name, Type, Kind)                                \
  WARPWRIGHT_SIM_FUNCTION Type Name(unsigned int mask, Type value) {           \
    return static_cast<Type>(                                                  \
        ::warpwright::sim::reduce(::warpwright::sim::Reduce::Kind, mask,       \
                                  static_cast<unsigned int>(value)));          \
  }
WARPWRIGHT_SIM_REDUCE(__reduce_add_sync, int, add)
WARPWRIGHT_SIM_REDUCE(__reduce_add_sync, unsigned int, add)
WARPWRIGHT_SIM_REDUCE(__reduce_min_sync, int, min_s)
WARPWRIGHT_SIM_REDUCE(__reduce_min_sync, unsigned int, min_u)
WARPWRIGHT_SIM_REDUCE(__reduce_max_sync, int, max_s)
WARPWRIGHT_SIM_REDUCE(__reduce_max_sync, unsigned int, max_u)
WARPWRIGHT_SIM_REDUCE(__reduce_and_sync, unsigned int, and_)
WARPWRIGHT_SIM_REDUCE(__reduce_or_sync, unsigned int, or_)
WARPWRIGHT_SIM_REDUCE(__reduce_xor_sync, unsigned int, xor_)
#undef WARPWRIGHT_SIM_REDUCE

#undef WARPWRIGHT_SIM_FUNCTION

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_WARP_H
