//===- warpwright/rt/scheduler.cuh - Order of the output tiles --*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SCHEDULER_CUH
#define WARPWRIGHT_RT_SCHEDULER_CUH

#include <warpwright/rt/arch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The index ranges of one launch: 0 <= m < extents.m and so on.
struct extents {
  int m, n, k, batch;
};

/// The output of one launch, cut into cluster tiles (what one cluster computes
/// at a time), and the order in which they are computed. Passed by value from
/// the launcher.
struct tile_grid {
  int rows;    ///< cluster tiles along the rows of the accumulator
  int cols;    ///< cluster tiles along its columns
  int batches; ///< independent problems
  /// Bands of `group` row tiles are swept column by column, so that the tiles
  /// in flight form a compact patch and share their operands in L2.
  int group;
  /// Of a plan in slices: how many each batch has, one behind the other as if
  /// they were batches of their own, and the blocks of k in each.
  int slices = 1, slice_blocks = 0;

  __host__ __device__ int total() const { return rows * cols * batches; }
};

/// Position of a cluster tile, in cluster tiles.
struct tile_position {
  int row;
  int col;
  int batch;
};

/// Where the tile number `index`, 0 <= index < grid.total(), lies.
__host__ __device__ __forceinline__ tile_position tile_at(const tile_grid &grid,
                                                          int index) {
  int per_batch = grid.rows * grid.cols;
  int batch = index / per_batch;
  index -= batch * per_batch;
  int per_band = grid.group * grid.cols;
  int band = index / per_band;
  index -= band * per_band;
  int first = band * grid.group;
  int height = grid.rows - first < grid.group ? grid.rows - first : grid.group;
  int col = index / height;
  return {first + index - col * height, col, batch};
}

/// The batch of a tile and its blocks of k. Slices take the blocks in turns:
/// CTAs that run together then read neighbouring bytes of each row at a time,
/// which is what device memory is fast at. Blocks whose sums have one scale
/// stay together: slices take such pieces in turns.
struct slice_position {
  int batch;
  int first, step; ///< pieces
  int piece;       ///< blocks

  __host__ __device__ int block(int number) const {
    return ((number / piece) * step + first) * piece + number % piece;
  }
};

/// Those of a piece of a tile begin with number `first`, which is 0 in slices.
template <class Plan>
__host__ __device__ __forceinline__ slice_position
slice_of(const tile_grid &grid, const tile_position &tile, int first = 0) {
  if constexpr (!Plan::sliced)
    return {tile.batch, first, 1, 1};
  const int batch = tile.batch / grid.slices;
  return {batch, tile.batch - batch * grid.slices, grid.slices,
          Plan::group_blocks > 0 ? Plan::group_blocks : 1};
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SCHEDULER_CUH
