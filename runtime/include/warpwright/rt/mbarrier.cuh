//===- warpwright/rt/mbarrier.cuh - Shared-memory barriers -----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarrier objects (PTX ISA, "Parallel Synchronization and Communication
// Instructions: mbarrier") and the ring of stages that a pair of them guards.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_MBARRIER_CUH
#define WARPWRIGHT_RT_MBARRIER_CUH

#include <warpwright/rt/arch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Position in a ring of `stages` shared-memory stages. Producer and consumers
/// walk the same sequence; `phase` is the parity of the current round.
struct ring {
  int stage = 0;
  uint32_t phase = 0;

  template <int stages> WARPWRIGHT_DEVICE void advance() {
    if (++stage == stages) {
      stage = 0;
      phase ^= 1;
    }
  }

  /// Skips `count` positions, no more than there are stages.
  template <int stages, int count> WARPWRIGHT_DEVICE void skip() {
    static_assert(count <= stages, "one round");
    stage += count;
    if (stage >= stages) {
      stage -= stages;
      phase ^= 1;
    }
  }

  /// The stage one position back.
  template <int stages> WARPWRIGHT_DEVICE int previous() const {
    return stage == 0 ? stages - 1 : stage - 1;
  }

  /// Skips `count` >= 0 positions at once.
  template <int stages> WARPWRIGHT_DEVICE void advance(int count) {
    int position = stage + count;
    phase ^= (position / stages) & 1;
    stage = position % stages;
  }
};

#if WARPWRIGHT_HOPPER

/// Address in the .shared window, as PTX operands want it.
WARPWRIGHT_DEVICE uint32_t shared_address(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// mbarrier.init: one phase completes after `arrivals` arrivals and after all
/// expected bytes have come.
WARPWRIGHT_DEVICE void barrier_init(uint64_t *barrier, uint32_t arrivals) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(arrivals)
      : "memory");
}

/// Makes the initialised barriers visible to the async proxy and to the other
/// CTAs of the cluster (fence.mbarrier_init). A CTA or cluster barrier must
/// still follow before anybody uses them.
WARPWRIGHT_DEVICE void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// mbarrier.arrive.expect_tx: one arrival that also adds `bytes` to what the
/// phase waits for. Bytes clipped at a tensor's edge count as if they came.
WARPWRIGHT_DEVICE void barrier_expect(uint64_t *barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(barrier)),
               "r"(bytes)
               : "memory");
}

/// mbarrier.arrive on this CTA's barrier.
WARPWRIGHT_DEVICE void barrier_arrive(uint64_t *barrier) {
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
      : "memory");
}

/// mbarrier.arrive on the barrier at the same offset in the CTA `rank` of this
/// cluster (mapa gives its address there). It publishes no ordinary writes to
/// the other CTA: `.release.cluster` would cost a memory fence, which here
/// halves the speed of a main loop, and what is signalled is that reads by
/// wgmma are over.
WARPWRIGHT_DEVICE void barrier_arrive(uint64_t *barrier, uint32_t rank) {
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
               "}" ::"r"(shared_address(barrier)),
               "r"(rank)
               : "memory");
}

/// Waits until the phase of parity `parity` has completed. A fresh barrier
/// counts as having completed parity 1. mbarrier.try_wait suspends the thread
/// for a time limit of the machine's choice, hence the loop.
WARPWRIGHT_DEVICE void barrier_wait(uint64_t *barrier, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@done bra DONE;\n"
               "bra WAIT;\n"
               "DONE:\n"
               "}" ::"r"(shared_address(barrier)),
               "r"(parity)
               : "memory");
}

/// A consumer warp is done with the stage that `empty` guards: the lanes
/// 0 .. cluster_size-1 each tell one CTA of the cluster, since all of them may
/// write this CTA's stage.
template <int cluster_size>
WARPWRIGHT_DEVICE void release_stage(uint64_t *empty) {
  const uint32_t lane = threadIdx.x % 32;
  if constexpr (cluster_size == 1) {
    if (lane == 0)
      barrier_arrive(empty);
  } else {
    if (lane < cluster_size)
      barrier_arrive(empty, lane);
  }
}

/// Gives a stage back, every thread for itself: called where ordinary
/// instructions, not wgmma, have read it.
template <int cluster_size>
WARPWRIGHT_DEVICE void release_stage_by_thread(uint64_t *empty) {
  if constexpr (cluster_size == 1) {
    barrier_arrive(empty);
  } else {
#pragma unroll
    for (int rank = 0; rank < cluster_size; ++rank)
      barrier_arrive(empty, rank);
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_MBARRIER_CUH
