//===-- feed_registers.cuh - Rows that are rounded in registers -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Feed for float operands of which 11 bits are wanted: the consumers
// round the rows operand in their registers, where wgmma reads it, and the
// transform rewrites the columns only (fragment.cuh).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FEED_REGISTERS_CUH
#define WARPWRIGHT_RT_FEED_REGISTERS_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/fragment.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/split.cuh>
#include <warpwright/rt/wgmma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// Consumer: sum = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages. While the tensor cores multiply one stage, the rows of the next one
/// are rounded in registers; they came with the columns, so that a stage whose
/// columns are ready has them. Sums stay in the tensor cores until a scale
/// changes, or for a window of stages, and are then promoted.
template <class Plan>
WARPWRIGHT_DEVICE void
multiply_rounding(float (&sum)[Plan::waves][Plan::accumulators], ring &at,
                  int k_blocks, int group, uint32_t shared, uint64_t *ready,
                  uint64_t *empty) {
  using cols_parts = typename Plan::cols::parts;
  clear(sum);
  const uint64_t cols_base =
      operand_descriptor<cols_parts>(shared + Plan::cols::offset);
  const uint32_t rows_base =
      keep_in_register(shared + fragment_offset<Plan>(group));
  // Rounded rows of this stage and the next one, in turn.
  uint32_t rows[2][Plan::waves * Plan::k_steps][4];
  row_inverses<Plan> inverses;
  local_sums<Plan> promoted;
  bool any_promoted = false;
  bool look = true; // this stage needs a closer look
  if (k_blocks > 0)
    barrier_wait(&ready[at.stage], at.phase);
  uint64_t cols = cols_base + descriptor_step(Plan::stage_bytes, at.stage);
  for (int pair = 0; pair < k_blocks; pair += 2) {
#pragma unroll
    for (int turn = 0; turn < 2; ++turn) {
      const int block = pair + turn;
      if (block == k_blocks)
        break;
      const int before = at.previous<Plan::stages>();
      uint32_t raw_cols = 0;
      if (look) {
        const bool window = block % Plan::window == 0; // one begins
        const uint32_t stage_rows = rows_base + at.stage * Plan::stage_bytes;
        const uint32_t scales = shared + Plan::scale_offset;
        const uint32_t flag = column_flag<Plan>(
            shared + Plan::flag_offset + at.stage * Plan::flag_stage_bytes);
        raw_cols = __ballot_sync(0xffffffffu, flag & flag_raw);
        row_inverses<Plan> next = inverses;
        const uint32_t raw_rows = look_at_rows<Plan>(next, stage_rows, window);
        if (block > 0 && (window || differ(inverses, next) ||
                          __any_sync(0xffffffffu, flag != 0)))
          promote<Plan, fragment>(promoted, any_promoted, sum, inverses,
                                  scales + before * Plan::scale_stage_bytes);
        inverses = next;
        if (raw_rows != 0 || raw_cols != 0)
          multiply_rows<Plan, fragment>(
              promoted, any_promoted, raw_cols != 0 ? ~0u : raw_rows, raw_cols,
              group * Plan::group_rows + warp_row<fragment>(),
              shared + at.stage * Plan::stage_bytes,
              scales + at.stage * Plan::scale_stage_bytes);
        round_rows<Plan>(rows[turn], stage_rows, inverses);
        clear_rows<Plan>(rows[turn], raw_rows);
      }
      wgmma_fence();
#pragma unroll
      for (int step = 0; step < Plan::k_steps; ++step)
#pragma unroll
        for (int wave = 0; wave < Plan::waves; ++wave)
          wgmma_f16<true>(
              sum[wave], rows[turn][wave * Plan::k_steps + step],
              cols + descriptor_step(cols_parts::k_step_bytes, step), true);
      wgmma_commit();
      if (block > 0) // not any earlier: its scales were still wanted
        release_stage_by_thread<Plan::cluster_size>(&empty[before]);
      at.advance<Plan::stages>();
      if (block + 1 < k_blocks) {
        barrier_wait(&ready[at.stage], at.phase);
        const bool flagged = any_flag<Plan>(shared + Plan::flag_offset +
                                            at.stage * Plan::flag_stage_bytes);
        const bool odd = round_rows<Plan>(
            rows[turn ^ 1], rows_base + at.stage * Plan::stage_bytes, inverses);
        cols = cols_base + descriptor_step(Plan::stage_bytes, at.stage);
        look = __any_sync(0xffffffffu,
                          odd || flagged || (block + 1) % Plan::window == 0);
      }
      wgmma_wait_all(sum);
      if (raw_cols != 0) { // what comes of raw columns is of no use
        clear(sum);
        wgmma_fence(); // a branch, not a choice for each sum
      }
    }
  }
  if (k_blocks > 0) {
    const int last = at.previous<Plan::stages>();
    finish<Plan, fragment>(sum, promoted, any_promoted, inverses,
                           shared + Plan::scale_offset +
                               last * Plan::scale_stage_bytes);
    release_stage_by_thread<Plan::cluster_size>(&empty[last]);
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_REGISTERS_CUH
