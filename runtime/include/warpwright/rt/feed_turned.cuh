//===-- feed_turned.cuh - Rounded rows in registers -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Feed for floats that TMA rounds to TF32, where one operand is
// contiguous across k. wgmma cannot transpose numbers of 32 bits, but it takes
// its rows operand from registers, too. So that operand is the rows: the
// consumers load it from the stage as they need it, and wgmma reads the columns
// in shared memory, where both are as TMA wrote them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FEED_TURNED_CUH
#define WARPWRIGHT_RT_FEED_TURNED_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/fragment.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/multiply.cuh>
#include <warpwright/rt/split.cuh>
#include <warpwright/rt/wgmma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// How a consumer's lanes load the rows of a stage.
template <class Plan> struct rows_to_turn {
  using rows = typename Plan::rows;
  static_assert(sizeof(typename rows::element) == 4 && !rows::k_major &&
                    rows::swizzle_bytes == 128 && Plan::tile_k == 32 &&
                    Plan::stage_bytes % 1024 == 0,
                "lines of 32 floats");

  uint32_t offset; ///< where this lane's loads begin in a stage
  bool odd;        ///< it begins with the second k of an instruction

  WARPWRIGHT_DEVICE explicit rows_to_turn(int group) : odd(threadIdx.x % 2) {
    const int row = (Plan::pingpong ? 0 : group * Plan::group_rows) +
                    threadIdx.x % 128 / 32 * 16;
    offset =
        keep_in_register(rows::offset + turned_lane(threadIdx.x % 32, row));
  }

  /// This lane's rows of the stage at `stage`: of each wave, for each 8 of k,
  /// the four registers that wgmma wants (turned_register in plan.cuh).
  WARPWRIGHT_DEVICE void load(uint32_t (&to)[Plan::waves * Plan::k_steps][4],
                              uint32_t stage) const {
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int step = 0; step < Plan::k_steps; ++step) {
        uint32_t loaded[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
          loaded[i] = load_shared_4(turned_load(stage + offset, i, step, wave));
#pragma unroll
        for (int i = 0; i < 4; ++i)
          to[wave * Plan::k_steps + step][i] = odd ? loaded[i ^ 2] : loaded[i];
      }
  }
};

/// Consumer: acc = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages. While the tensor cores multiply one stage, the rows of the next one
/// are loaded into the registers of the one before, whose products are done. So
/// a stage goes back one round late, thread by thread, since ordinary
/// instructions have read it.
template <class Plan>
WARPWRIGHT_DEVICE void
multiply_turned(float (&acc)[Plan::waves][Plan::accumulators], ring &at,
                int k_blocks, const rows_to_turn<Plan> &from, uint32_t shared,
                uint64_t *full, uint64_t *empty) {
  using cols = typename Plan::cols;
  const uint64_t cols_base = operand_descriptor<cols>(shared + cols::offset);
  // Rows of this stage and the next one, in turn.
  uint32_t rows[2][Plan::waves * Plan::k_steps][4];
  barrier_wait(&full[at.stage], at.phase);
  from.load(rows[0], shared + at.stage * Plan::stage_bytes);
  for (int pair = 0; pair < k_blocks; pair += 2) {
#pragma unroll
    for (int turn = 0; turn < 2; ++turn) {
      const int block = pair + turn;
      if (block == k_blocks)
        break;
      // The tile's first product overwrites the sums.
      multiply_rows_in_registers<Plan>(acc, rows[turn], cols_base, at.stage,
                                       block == 0);
      wgmma_wait<1>();
      if (block > 0)
        release_stage_by_thread<Plan::cluster_size>(
            &empty[at.previous<Plan::stages>()]);
      at.advance<Plan::stages>();
      if (block + 1 < k_blocks) {
        barrier_wait(&full[at.stage], at.phase);
        from.load(rows[turn ^ 1], shared + at.stage * Plan::stage_bytes);
      }
    }
  }
  wgmma_wait_all(acc);
  release_stage_by_thread<Plan::cluster_size>(
      &empty[at.previous<Plan::stages>()]);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_TURNED_CUH
