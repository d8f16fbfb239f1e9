//===- warpwright/rt/cluster.cuh - Clusters, warps, registers --*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_CLUSTER_CUH
#define WARPWRIGHT_RT_CLUSTER_CUH

#include <warpwright/rt/arch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// Rank of this CTA in its cluster (%cluster_ctarank).
WARPWRIGHT_DEVICE uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// barrier.cluster.arrive.release and .wait.acquire by every thread of every
/// CTA of the cluster.
WARPWRIGHT_DEVICE void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

/// Every thread of the CTA, or of the cluster if there is one.
template <int cluster_size> WARPWRIGHT_DEVICE void block_or_cluster_sync() {
  if constexpr (cluster_size > 1)
    cluster_sync();
  else
    __syncthreads();
}

/// elect.sync: true in exactly one lane of a converged warp.
WARPWRIGHT_DEVICE bool elect_one() {
  uint32_t elected;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "elect.sync _|p, 0xffffffff;\n"
               "selp.b32 %0, 1, 0, p;\n"
               "}"
               : "=r"(elected));
  return elected != 0;
}

/// setmaxnreg: every warp of a warpgroup gives registers back, or takes them
/// once they are free. `count` is a multiple of 8 in 24..256, and the sum over
/// the warpgroups of a CTA must stay within what it was launched with.
template <int count> WARPWRIGHT_DEVICE void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}
template <int count> WARPWRIGHT_DEVICE void claim_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

/// bar.sync among `threads` threads on named barrier `id` (1..15; 0 is
/// __syncthreads).
WARPWRIGHT_DEVICE void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// bar.arrive: counts the calling warps in without waiting.
WARPWRIGHT_DEVICE void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// The warpgroup's index in the CTA, in a register that the compiler knows to
/// be the same in every lane.
WARPWRIGHT_DEVICE int warpgroup_index() {
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 128, 0);
}

/// The warp's index in the CTA, likewise.
WARPWRIGHT_DEVICE int warp_index() {
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_CLUSTER_CUH
