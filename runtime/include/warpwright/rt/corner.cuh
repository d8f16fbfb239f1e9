//===-- corner.cuh - Where a CTA's part of a tile begins --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a matrix is not a whole number of tiles, the last one would reach
// beyond it. TMA fills shared memory with zeros there, which takes it longer
// than to load rows (partial.cuh). So the last tile is moved back into the
// matrix: some of its rows are those of the tile before, too, and both store
// what they compute of them, which is the same. Not where that shows: where a
// kernel reads what it stores, and where tiles are cut along k, each at other
// places. Plans with a transform scale blocks of rows by what is in them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_CORNER_CUH
#define WARPWRIGHT_RT_CORNER_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/scheduler.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// The first row and column of the accumulator in one CTA's part of a cluster
/// tile.
template <class Plan> struct tile_corner {
  int row, col;

  WARPWRIGHT_DEVICE tile_corner(const tile_grid &grid,
                                const tile_position &tile, int rank)
      : row(least((tile.row * Plan::cluster_rows + rank % Plan::cluster_rows) *
                      Plan::tile_rows,
                  grid.last_row)),
        col(least((tile.col * Plan::cluster_cols + rank / Plan::cluster_rows) *
                      Plan::tile_cols,
                  grid.last_col)) {}
};

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_CORNER_CUH
