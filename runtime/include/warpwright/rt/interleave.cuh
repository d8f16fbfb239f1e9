//===-- interleave.cuh - Sums of consumers that take turns ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sets of consumers share a tile: the first one multiplies blocks 0, 2, 4,
// ... of its k, the second one blocks 1, 3, 5, ... So while the warps of one
// set wait for their products, those of the other convert rows. Behind a tile's
// last block the second set hands its sums over in shared memory, and the first
// one adds them to its own and stores.
//
// Both sets meet for each tile, in both directions. So each knows that the
// other has seen all stages of the tile full, and cannot take a phase of a
// barrier for one two rounds later, which has the same parity. Within a tile it
// cannot, since the number of stages is even: each set meets its own stages
// only, and every phase of theirs.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_INTERLEAVE_CUH
#define WARPWRIGHT_RT_INTERLEAVE_CUH

#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/split.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// Adds the second set's sums of a tile to the first one's, for the consumers
/// number `group` of both. True for the first set, which has the tile's sums
/// then. A thread finds the sums of the one with the same accumulators, 512
/// bytes from one accumulator to the next, so that there are no bank conflicts.
template <class Plan>
WARPWRIGHT_DEVICE bool
collect_sums(float (&acc)[Plan::waves][Plan::accumulators], int group, int set,
             uint32_t shared) {
  static_assert(Plan::k_sets == 2 && Plan::stages % 2 == 0,
                "two sets, each with stages of its own");
  const uint32_t at =
      shared + Plan::exchange_offset +
      (group * Plan::waves * Plan::accumulators * 128 + threadIdx.x % 128) * 4;
  const int written = Plan::turn_barrier + 2 * group, read = written + 1;
  if (set == 1) {
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int i = 0; i < Plan::accumulators; ++i)
        store_shared_4(at + (wave * Plan::accumulators + i) * 512,
                       __float_as_uint(acc[wave][i]));
    named_barrier_arrive(written, Plan::turn_threads);
    named_barrier_sync(read, Plan::turn_threads);
    return false;
  }
  named_barrier_sync(written, Plan::turn_threads);
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int i = 0; i < Plan::accumulators; ++i)
      acc[wave][i] += __uint_as_float(
          load_shared_4(at + (wave * Plan::accumulators + i) * 512));
  named_barrier_arrive(read, Plan::turn_threads);
  return true;
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_INTERLEAVE_CUH
