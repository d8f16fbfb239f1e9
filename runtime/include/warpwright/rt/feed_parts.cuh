//===-- feed_parts.cuh - Operands as fp16 parts -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Feed for operands that the tensor cores cannot multiply as they are:
// between TMA and wgmma, the transform warpgroups rewrite every stage as fp16
// parts (split.cuh). The consumers add up the products of parts of a window of
// stages, undo the scales, and promote the result to sums in float.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FEED_PARTS_CUH
#define WARPWRIGHT_RT_FEED_PARTS_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/cut_tiles.cuh>
#include <warpwright/rt/fragment.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/split.cuh>
#include <warpwright/rt/wgmma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// What the original computes from the elements of one row of an operand before
/// it multiplies them, from `first_k` on, in the terms of the epilogue's
/// struct. `from` has the elements, as compute_factors wants them. Behind the
/// operand's end there are zeros.
template <class Plan, class Operand, class From, class Epilogue>
WARPWRIGHT_DEVICE void compute_row(float (&factors)[Plan::tile_k],
                                   const From &from, int row, int first_k,
                                   int batch, const extents &extent,
                                   const Epilogue &epilogue) {
  if constexpr (Operand::computed) {
    static_assert((Plan::tile_k & (Plan::tile_k - 1)) == 0, "bits of k");
    __builtin_assume(first_k >= 0); // so that quotients of k are shifts
    // An `or` that nvcc can take apart: what depends on a quotient of k by a
    // group's length is then loaded once for the group, not for each of its k,
    // for which there are not enough registers.
    const int block_k = first_k & -Plan::tile_k;
    const int row_end = Operand::is_a ? extent.m : extent.n;
    const int k_end = row < row_end ? extent.k - first_k : 0;
    compute_factors<Operand>(
        factors, from, k_end, [&](typename Operand::element loaded, int at_k) {
          if constexpr (Operand::is_a)
            return epilogue.factor_of_a(loaded, row, block_k | at_k, batch);
          else
            return epilogue.factor_of_b(loaded, row, block_k | at_k, batch);
        });
  }
}

/// Transform: its warps rewrite every stage in place, from elements as they lie
/// in memory to the fp16 parts that the tensor cores multiply, block by block.
/// Blocks of rows come first, then those of columns; with rows in registers
/// there are those of columns only.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE void
transform(const tile_grid &grid, const cuts_of<Plan> &cuts, int k_blocks,
          int warp, uint32_t shared, uint64_t *full, uint64_t *ready,
          const extents &extent, const Epilogue &epilogue) {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  static_assert(Plan::products == 1 || !(rows::computed || cols::computed),
                "factors are computed by their k");
  const int lane = threadIdx.x % 32; // its row of a block
  const int rank = Plan::cluster_size > 1 ? cluster_rank() : 0;
  ring at;
  for (piece_walk<Plan> walk(cuts); walk.has_more(grid); walk.next(cuts)) {
    const tile_piece piece = walk.piece(cuts, k_blocks);
    row_scale scale[Plan::blocks_per_warp];
    tile_position tile = {};
    if constexpr (rows::computed || cols::computed)
      tile = tile_at(grid, piece.tile);
    const slice_position slice = slice_of<Plan>(grid, tile, piece.first);
    const tile_corner<Plan> corner(grid, tile, rank);
    const int blocks = blocks_of_products<Plan>(cuts, piece.blocks);
    // Where sums change their signs, consumers begin a window.
    int stretch = 0, begin = 0,
        end = blocks_of_stretch<Plan>(cuts, piece.blocks, 0);
    for (int block = 0; block < blocks; ++block) {
      if constexpr (Plan::stretches > 1)
        while (block == end) {
          begin = end;
          end += blocks_of_stretch<Plan>(cuts, piece.blocks, ++stretch);
        }
      const bool window = (block - begin) % Plan::window == 0; // one begins
      const uint32_t stage = shared + at.stage * Plan::stage_bytes;
      const uint32_t scales =
          shared + Plan::scale_offset + at.stage * Plan::scale_stage_bytes;
      const uint32_t flags =
          shared + Plan::flag_offset + at.stage * Plan::flag_stage_bytes;
      barrier_wait(&full[at.stage], at.phase);
#pragma unroll
      for (int mine = 0; mine < Plan::blocks_per_warp; ++mine) {
        const int number = warp + mine * Plan::transform_warps;
        if constexpr (Plan::rows_in_registers) {
          if (number < Plan::col_blocks)
            round_block<Plan, cols>(
                stage + cols::offset + number * Plan::block_bytes, scale[mine],
                window, scales + Plan::tile_rows + number * Plan::block_rows,
                flags + Plan::row_blocks + number);
        } else {
          const int col_number = number - Plan::row_blocks;
          if (number < Plan::row_blocks)
            split_block<Plan, rows>(
                stage + rows::offset + number * Plan::block_bytes, scale[mine],
                window, scales + number * Plan::block_rows, flags + number,
                [&](auto &factors, const auto &from) {
                  compute_row<Plan, rows>(factors, from,
                                          corner.row +
                                              number * Plan::block_rows + lane,
                                          slice.block(block) * Plan::tile_k,
                                          slice.batch, extent, epilogue);
                });
          else if (col_number < Plan::col_blocks)
            split_block<Plan, cols>(
                stage + cols::offset + col_number * Plan::block_bytes,
                scale[mine], window, scales + number * Plan::block_rows,
                flags + number, [&](auto &factors, const auto &from) {
                  compute_row<Plan, cols>(
                      factors, from,
                      corner.col + col_number * Plan::block_rows + lane,
                      slice.block(block) * Plan::tile_k, slice.batch, extent,
                      epilogue);
                });
        }
      }
      publish_stage(&ready[at.stage]);
      at.advance<Plan::stages>();
    }
  }
}

/// Consumer: acc += the products of a stage's low parts with the other
/// operand's high ones. The window's first ones overwrite acc.
template <class Plan>
WARPWRIGHT_DEVICE void
multiply_low_parts(float (&acc)[Plan::waves][Plan::accumulators], uint64_t rows,
                   uint64_t cols, bool is_first) {
  using rows_parts = typename Plan::rows::parts;
  using cols_parts = typename Plan::cols::parts;
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < Plan::k_steps; ++step) {
    const uint64_t rows_at =
        rows + descriptor_step(rows_parts::k_step_bytes, step);
    const uint64_t cols_at =
        cols + descriptor_step(cols_parts::k_step_bytes, step);
    if constexpr (cols_parts::count > 1)
      wgmma_f16<true, true>(acc[0], rows_at,
                            cols_at + descriptor_step(cols_parts::low_bytes, 1),
                            !is_first || step > 0);
    if constexpr (rows_parts::count > 1)
      wgmma_f16<true, true>(
          acc[0], rows_at + descriptor_step(rows_parts::low_bytes, 1), cols_at,
          cols_parts::count > 1 || !is_first || step > 0);
  }
  wgmma_commit();
}

/// Consumer: sum = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages, or with `anew` false the same added to sum, a window of them at a
/// time: the tensor cores add up the products of
/// the parts, then the scales are undone and the sums promoted to float ones.
template <class Plan>
WARPWRIGHT_DEVICE void
multiply_parts(float (&sum)[Plan::waves][Plan::accumulators], ring &at,
               int k_blocks, bool anew, int group, uint32_t shared,
               uint64_t *ready, uint64_t *empty) {
  using rows_parts = typename Plan::rows::parts;
  using cols_parts = typename Plan::cols::parts;
  constexpr bool has_low = rows_parts::count > 1 || cols_parts::count > 1;
  const uint64_t rows_base = operand_descriptor<rows_parts>(
      shared + Plan::rows::offset + group * rows_parts::group_bytes);
  const uint64_t cols_base =
      operand_descriptor<cols_parts>(shared + Plan::cols::offset);
  const int row = group * Plan::group_rows + warp_row<fragment>();
  if (anew)
    clear(sum);
  // The first products of a window overwrite acc. It is cleared all the same
  // where its registers are wanted for other things before: ptxas would keep
  // what was in it.
  float acc[Plan::waves][Plan::accumulators];
  clear(acc);
  for (int block = 0; block < k_blocks; block += Plan::window) {
    const int stages = at_most(Plan::window, k_blocks - block);
    const ring window = at;
    uint32_t raw = 0; // a bit for each block that is raw in some stage
    for (int i = 0; i < stages; ++i) {
      barrier_wait(&ready[at.stage], at.phase);
      raw |= raw_blocks<Plan>(shared + Plan::flag_offset +
                              at.stage * Plan::flag_stage_bytes);
      at.advance<Plan::stages>();
    }
    // Raw blocks are multiplied as well: what they leave in acc is not used.
    if constexpr (has_low) {
      // The small products first, and the great ones on top of them.
      at = window;
      for (int i = 0; i < stages; ++i) {
        multiply_low_parts<Plan>(
            acc, rows_base + descriptor_step(Plan::stage_bytes, at.stage),
            cols_base + descriptor_step(Plan::stage_bytes, at.stage), i == 0);
        at.advance<Plan::stages>();
      }
      wgmma_wait_all(acc);
      scale_low_products<Plan>(acc);
    }
    at = window;
    for (int i = 0; i < stages; ++i) {
      const uint64_t rows =
          rows_base + descriptor_step(Plan::stage_bytes, at.stage);
      const uint64_t cols =
          cols_base + descriptor_step(Plan::stage_bytes, at.stage);
      wgmma_fence();
#pragma unroll
      for (int step = 0; step < Plan::k_steps; ++step)
        wgmma_f16<true, true>(
            acc[0], rows + descriptor_step(rows_parts::k_step_bytes, step),
            cols + descriptor_step(cols_parts::k_step_bytes, step),
            has_low || i > 0 || step > 0);
      wgmma_commit();
      at.advance<Plan::stages>();
    }
    wgmma_wait_all(acc);
    const uint32_t raw_cols = raw_columns<Plan>(raw, row);
    promote<Plan, fragment>(sum[0], acc[0], raw_cols, row,
                            shared + Plan::scale_offset +
                                at.previous<Plan::stages>() *
                                    Plan::scale_stage_bytes);
    if (raw_cols != 0) {
      multiply_raw<Plan, fragment>(sum[0], raw_cols, row, shared, window,
                                   stages);
      clear(acc);
    }
    at = window;
    for (int i = 0; i < stages; ++i) {
      release_stage_by_thread<Plan::cluster_size>(&empty[at.stage]);
      at.advance<Plan::stages>();
    }
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_PARTS_CUH
