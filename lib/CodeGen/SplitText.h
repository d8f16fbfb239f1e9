//===-- SplitText.h - The fixed text of the transform stage -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What kernels have for operands that are split into fp16 parts (SplitPlan),
/// as text with holes like that of KernelText.h, and under its rules. Flags:
/// low (some operand has low parts), low_rows and low_cols (the rows or columns
/// operand of some plan has), low_varies (not of every plan), registers (some
/// plan has its rows operand in registers), parts (some has not), both_ways,
/// computed, computed_a and computed_b (a factor, A's, B's is computed from its
/// element by the contraction's prologue), computed_both.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_SPLITTEXT_H
#define WARPWRIGHT_LIB_CODEGEN_SPLITTEXT_H

namespace warpwright {

inline constexpr char ComputeText[] = R"(
/// Transform: what the original computes from the elements of one row of an
/// operand before it multiplies them, from `first_k` on. Behind the operand's
/// end there are zeros.
template <class Plan, class Operand, bool is_a>
static __device__ __forceinline__ void
$compute(float (&factors)[Plan::tile_k], int row, int first_k, int batch,
         const ::warpwright::rt::extents &extent, const $epilogue &epilogue) {
  namespace rt = ::warpwright::rt;
  using element = typename Operand::element;
  __builtin_assume(first_k >= 0); // so that quotients of k are shifts
  const int row_end = is_a ? extent.m : extent.n;
  const int k_end = row < row_end ? extent.k - first_k : 0;
  rt::compute_factors<element>(factors, k_end, [&](element loaded, int at_k) {
@computed_both|    if constexpr (is_a)
@computed_a|      return epilogue.factor_of_a(loaded, row, first_k + at_k, batch);
@computed_both|    else
@computed_b|      return epilogue.factor_of_b(loaded, row, first_k + at_k, batch);
  });
}
)";

inline constexpr char TransformText[] = R"(
/// Transform: its warps rewrite every stage in place, from elements as they lie
/// in memory to the fp16 parts that the tensor cores multiply, block by block.
/// Blocks of rows come first, then those of columns.
template <class Plan>
static __device__ __forceinline__ void
$transform(const ::warpwright::rt::tile_grid &grid, int k_blocks, int warp,
@!computed|           uint32_t shared, uint64_t *full, uint64_t *ready) {
@computed|           uint32_t shared, uint64_t *full, uint64_t *ready,
@computed|           const ::warpwright::rt::extents &extent,
@computed|           const $epilogue &epilogue) {
  namespace rt = ::warpwright::rt;
@computed|  const int lane = threadIdx.x % 32; // its row of a block
@computed|@cluster|  const int rank = Plan::cluster_size > 1 ? rt::cluster_rank() : 0;
  rt::ring at;
  for (int index = blockIdx.x / Plan::cluster_size; index < grid.total();
       index += gridDim.x / Plan::cluster_size) {
    rt::row_scale scale[Plan::blocks_per_warp];
@computed|    const rt::tile_position tile = rt::tile_at(grid, index);
@computed|@cluster|    const int row = (tile.row * Plan::cluster_rows + rank % Plan::cluster_rows) * Plan::tile_rows;
@computed|@cluster|    const int col = (tile.col * Plan::cluster_cols + rank / Plan::cluster_rows) * Plan::tile_cols;
@computed|@!cluster|    const int row = tile.row * Plan::tile_rows;
@computed|@!cluster|    const int col = tile.col * Plan::tile_cols;
    for (int block = 0; block < k_blocks; ++block) {
      const bool window = block % Plan::window == 0; // one begins
      const uint32_t stage = shared + at.stage * Plan::stage_bytes;
      const uint32_t scales =
          shared + Plan::scale_offset + at.stage * Plan::scale_stage_bytes;
      const uint32_t flags =
          shared + Plan::flag_offset + at.stage * Plan::flag_stage_bytes;
      rt::barrier_wait(&full[at.stage], at.phase);
#pragma unroll
      for (int mine = 0; mine < Plan::blocks_per_warp; ++mine) {
        const int number = warp + mine * Plan::transform_warps;
@both_ways|        if constexpr (Plan::rows_in_registers) {
@registers|          // Of columns only.
@registers|          if (number < Plan::col_blocks)
@registers|            rt::round_block<Plan, typename Plan::cols>(
@registers|                stage + Plan::cols::offset + number * Plan::block_bytes,
@registers|                scale[mine], window,
@registers|                scales + Plan::tile_rows + number * Plan::block_rows,
@registers|                flags + Plan::row_blocks + number);
@both_ways|        } else {
@parts|        const int col_number = number - Plan::row_blocks;
@parts|        if (number < Plan::row_blocks)
@parts|          rt::split_block<Plan, typename Plan::rows>(
@parts|              stage + Plan::rows::offset + number * Plan::block_bytes,
@parts|              scale[mine], window, scales + number * Plan::block_rows,
@!computed|@parts|              flags + number);
@computed|              flags + number, [&](auto &factors) {
@computed|                if constexpr (Plan::rows::computed)
@computed|                  $compute<Plan, typename Plan::rows, !Plan::swap_ab>(
@computed|                      factors, row + number * Plan::block_rows + lane,
@computed|                      block * Plan::tile_k, tile.batch, extent, epilogue);
@computed|              });
@parts|        else if (col_number < Plan::col_blocks)
@parts|          rt::split_block<Plan, typename Plan::cols>(
@parts|              stage + Plan::cols::offset + col_number * Plan::block_bytes,
@parts|              scale[mine], window, scales + number * Plan::block_rows,
@!computed|@parts|              flags + number);
@computed|              flags + number, [&](auto &factors) {
@computed|                if constexpr (Plan::cols::computed)
@computed|                  $compute<Plan, typename Plan::cols, Plan::swap_ab>(
@computed|                      factors, col + col_number * Plan::block_rows + lane,
@computed|                      block * Plan::tile_k, tile.batch, extent, epilogue);
@computed|              });
@both_ways|        }
      }
      rt::publish_stage(&ready[at.stage]);
      at.advance<Plan::stages>();
    }
  }
}
)";

inline constexpr char MultiplyPartsText[] = R"(
/// Consumer: sum = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages, a window of them at a time: the tensor cores add up the products of
/// the parts, then the scales are undone and the sums promoted to float ones.
template <class Plan>
static __device__ __forceinline__ void
$multiply(float (&sum)[Plan::waves][Plan::accumulators],
          ::warpwright::rt::ring &at, int k_blocks, int group, uint32_t shared,
          uint64_t *ready, uint64_t *empty) {
  namespace rt = ::warpwright::rt;
  using rows_parts = typename Plan::rows::parts;
  using cols_parts = typename Plan::cols::parts;
  const uint64_t rows_base = rt::operand_descriptor<rows_parts>(
      shared + Plan::rows::offset + group * rows_parts::group_bytes);
  const uint64_t cols_base =
      rt::operand_descriptor<cols_parts>(shared + Plan::cols::offset);
  const int row = group * Plan::group_rows + rt::warp_row<$fragment>();
  rt::clear(sum);
  // The first products of a window overwrite acc. It is cleared all the same
  // where its registers are wanted for other things before: ptxas would keep
  // what was in it.
  float acc[Plan::waves][Plan::accumulators];
  rt::clear(acc);
  for (int block = 0; block < k_blocks; block += Plan::window) {
    const int stages = rt::at_most(Plan::window, k_blocks - block);
    const rt::ring window = at;
    uint32_t raw = 0; // a bit for each block that is raw in some stage
    for (int i = 0; i < stages; ++i) {
      rt::barrier_wait(&ready[at.stage], at.phase);
      raw |= rt::raw_blocks<Plan>(shared + Plan::flag_offset +
                                  at.stage * Plan::flag_stage_bytes);
      at.advance<Plan::stages>();
    }
    // Raw blocks are multiplied as well: what they leave in acc is not used.
@low|    // The small products first, and the great ones on top of them.
@low|    at = window;
@low|    for (int i = 0; i < stages; ++i) {
@low|      const uint64_t rows =
@low|          rows_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
@low|      const uint64_t cols =
@low|          cols_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
@low|      rt::wgmma_fence();
@low|#pragma unroll
@low|      for (int step = 0; step < Plan::k_steps; ++step) {
@low|        const uint64_t rows_at =
@low|            rows + rt::descriptor_step(rows_parts::k_step_bytes, step);
@low|        const uint64_t cols_at =
@low|            cols + rt::descriptor_step(cols_parts::k_step_bytes, step);
@low_varies|        if constexpr (cols_parts::count > 1)
@low_cols|        rt::wgmma_f16<true, true>(
@low_cols|            acc[0], rows_at,
@low_cols|            cols_at + rt::descriptor_step(cols_parts::low_bytes, 1),
@low_cols|            i > 0 || step > 0);
@low_varies|        if constexpr (rows_parts::count > 1)
@low_rows|        rt::wgmma_f16<true, true>(
@low_rows|            acc[0], rows_at + rt::descriptor_step(rows_parts::low_bytes, 1),
@low_rows|            cols_at, cols_parts::count > 1 || i > 0 || step > 0);
@low|      }
@low|      rt::wgmma_commit();
@low|      at.advance<Plan::stages>();
@low|    }
@low|    rt::wgmma_wait_all(acc);
@low|    rt::scale_low_products<Plan>(acc);
    at = window;
    for (int i = 0; i < stages; ++i) {
      const uint64_t rows =
          rows_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
      const uint64_t cols =
          cols_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
      rt::wgmma_fence();
#pragma unroll
      for (int step = 0; step < Plan::k_steps; ++step)
        rt::wgmma_f16<true, true>(
            acc[0], rows + rt::descriptor_step(rows_parts::k_step_bytes, step),
            cols + rt::descriptor_step(cols_parts::k_step_bytes, step),
@low|            true); // on top of the small products
@!low|            i > 0 || step > 0);
      rt::wgmma_commit();
      at.advance<Plan::stages>();
    }
    rt::wgmma_wait_all(acc);
    const uint32_t raw_cols = rt::raw_columns<Plan>(raw, row);
    rt::promote<Plan, $fragment>(
        sum[0], acc[0], raw_cols, row,
        shared + Plan::scale_offset +
            at.previous<Plan::stages>() * Plan::scale_stage_bytes);
    if (raw_cols != 0) {
      rt::multiply_raw<Plan, $fragment>(sum[0], raw_cols, row, shared, window,
                                        stages);
      rt::clear(acc);
    }
    at = window;
    for (int i = 0; i < stages; ++i) {
      rt::release_stage_by_thread<Plan::cluster_size>(&empty[at.stage]);
      at.advance<Plan::stages>();
    }
  }
}
)";

inline constexpr char MultiplyRoundingText[] = R"(
/// Consumer: sum = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages. While the tensor cores multiply one stage, the rows of the next one
/// are rounded in registers; they came with the columns, so that a stage whose
/// columns are ready has them. Sums stay in the tensor cores until a scale
/// changes, or for a window of stages, and are then promoted.
template <class Plan>
static __device__ __forceinline__ void
$multiply_rounding(float (&sum)[Plan::waves][Plan::accumulators],
          ::warpwright::rt::ring &at, int k_blocks, int group, uint32_t shared,
          uint64_t *ready, uint64_t *empty) {
  namespace rt = ::warpwright::rt;
  using cols_parts = typename Plan::cols::parts;
  rt::clear(sum);
  const uint64_t cols_base =
      rt::operand_descriptor<cols_parts>(shared + Plan::cols::offset);
  const uint32_t rows_base =
      rt::keep_in_register(shared + rt::fragment_offset<Plan>(group));
  // Rounded rows of this stage and the next one, in turn.
  uint32_t rows[2][Plan::waves * Plan::k_steps][4];
  rt::row_inverses<Plan> inverses;
  rt::local_sums<Plan> promoted;
  bool any_promoted = false;
  bool look = true; // this stage needs a closer look
  if (k_blocks > 0)
    rt::barrier_wait(&ready[at.stage], at.phase);
  uint64_t cols = cols_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
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
        const uint32_t flag = rt::column_flag<Plan>(
            shared + Plan::flag_offset + at.stage * Plan::flag_stage_bytes);
        raw_cols = __ballot_sync(0xffffffffu, flag & rt::flag_raw);
        rt::row_inverses<Plan> next = inverses;
        const uint32_t raw_rows =
            rt::look_at_rows<Plan>(next, stage_rows, window);
        if (block > 0 && (window || rt::differ(inverses, next) ||
                          __any_sync(0xffffffffu, flag != 0)))
          rt::promote<Plan, $fragment>(
              promoted, any_promoted, sum, inverses,
              scales + before * Plan::scale_stage_bytes);
        inverses = next;
        if (raw_rows != 0 || raw_cols != 0)
          rt::multiply_rows<Plan, $fragment>(
              promoted, any_promoted, raw_cols != 0 ? ~0u : raw_rows, raw_cols,
              group * Plan::group_rows + rt::warp_row<$fragment>(),
              shared + at.stage * Plan::stage_bytes,
              scales + at.stage * Plan::scale_stage_bytes);
        rt::round_rows<Plan>(rows[turn], stage_rows, inverses);
        rt::clear_rows<Plan>(rows[turn], raw_rows);
      }
      rt::wgmma_fence();
#pragma unroll
      for (int step = 0; step < Plan::k_steps; ++step)
#pragma unroll
        for (int wave = 0; wave < Plan::waves; ++wave)
          rt::wgmma_f16<true>(
              sum[wave], rows[turn][wave * Plan::k_steps + step],
              cols + rt::descriptor_step(cols_parts::k_step_bytes, step), true);
      rt::wgmma_commit();
      if (block > 0) // not any earlier: its scales were still wanted
        rt::release_stage_by_thread<Plan::cluster_size>(&empty[before]);
      at.advance<Plan::stages>();
      if (block + 1 < k_blocks) {
        rt::barrier_wait(&ready[at.stage], at.phase);
        const bool flagged = rt::any_flag<Plan>(
            shared + Plan::flag_offset + at.stage * Plan::flag_stage_bytes);
        const bool odd = rt::round_rows<Plan>(
            rows[turn ^ 1], rows_base + at.stage * Plan::stage_bytes, inverses);
        cols = cols_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
        look = __any_sync(0xffffffffu, odd || flagged ||
                                           (block + 1) % Plan::window == 0);
      }
      rt::wgmma_wait_all(sum);
      if (raw_cols != 0) { // what comes of raw columns is of no use
        rt::clear(sum);
        rt::wgmma_fence(); // a branch, not a choice for each sum
      }
    }
  }
  if (k_blocks > 0) {
    const int last = at.previous<Plan::stages>();
    rt::finish<Plan, $fragment>(
        sum, promoted, any_promoted, inverses,
        shared + Plan::scale_offset + last * Plan::scale_stage_bytes);
    rt::release_stage_by_thread<Plan::cluster_size>(&empty[last]);
  }
}
)";

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_SPLITTEXT_H
