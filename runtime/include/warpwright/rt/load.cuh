//===-- load.cuh - The producer of a kernel ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Load: one thread of the producer warpgroup keeps the ring of stages
// full, by TMA.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_LOAD_CUH
#define WARPWRIGHT_RT_LOAD_CUH

#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/corner.cuh>
#include <warpwright/rt/cut_tiles.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/tma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// Keeps the ring of stages full. It runs ahead of the consumers by as many
/// stages as there are, also from one tile into the next. Several products
/// follow one another along k, `k_blocks` being those of each, but for ranges
/// of their own. `stage_comes` are the bytes that a stage brings.
template <class Plan, class RowsMaps, class ColsMaps>
WARPWRIGHT_DEVICE void produce(const RowsMaps &rows_maps,
                               const ColsMaps &cols_maps, const tile_grid &grid,
                               const cuts_of<Plan> &cuts, int k_blocks,
                               uint32_t stage_comes, uint32_t shared,
                               uint64_t *full, uint64_t *empty) {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  // Addresses of more boxes than this are more than the producer's registers.
  constexpr int boxes_together = Plan::products > 1 ? 2 : 4;
  const int rank = Plan::cluster_size > 1 ? cluster_rank() : 0;
  const int cluster_row = rank % Plan::cluster_rows;
  const int cluster_col = rank / Plan::cluster_rows;
  // CTAs in one row of the cluster need the same rows operand, those in one
  // column the same columns operand: each loads its share for all of them.
  const uint16_t same_row = rows::multicast_mask
                            << cluster_row * rows::multicast_step;
  const uint16_t same_col = cols::multicast_mask
                            << cluster_col * cols::multicast_step;
  ring at;
  for (piece_walk<Plan> walk(cuts); walk.has_more(grid); walk.next(cuts))
    for (int product = 0; product < Plan::products; ++product) {
      const tile_piece piece =
          walk.piece(cuts, blocks_of_product<Plan>(cuts, k_blocks, product));
      const tile_position tile = tile_at(grid, piece.tile);
      const slice_position slice = slice_of<Plan>(grid, tile);
      const tile_corner<Plan> corner(grid, tile, rank);
      for (int block = piece.first; block < piece.end(); ++block) {
        const int k = slice.block(block) * Plan::tile_k;
        const uint32_t stage = shared + at.stage * Plan::stage_bytes;
        uint64_t *has_come = &full[at.stage];
        // Parity 1 of a fresh barrier counts as past: the first round is free.
        barrier_wait(&empty[at.stage], at.phase ^ 1);
        barrier_expect(has_come, stage_comes);
        load_operand<rows, boxes_together>(
            stage + rows::offset, map_of(rows_maps, product), has_come, k,
            corner.row, rows::batched ? slice.batch : 0, cluster_col, same_row);
        if constexpr (Plan::sums > 1)
          load_operands<cols, Plan::products>(
              stage + cols::offset, cols_maps, product, has_come, k, corner.col,
              cols::batched ? slice.batch : 0, cluster_row, same_col);
        else
          load_operand<cols, boxes_together>(
              stage + cols::offset, map_of(cols_maps, product), has_come, k,
              corner.col, cols::batched ? slice.batch : 0, cluster_row,
              same_col);
        at.advance<Plan::stages>();
      }
    }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_LOAD_CUH
