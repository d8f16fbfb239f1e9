//===- scheduler.cuh - Order of the output tiles ---------------*- CUDA -*-===//
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

/// A number to divide by, which the launcher knows: a multiplication and a
/// shift take its place, where a division takes the threads that load the first
/// stage some 200 clocks. With 2^bits the first power of two from `by` on and
/// factor = floor(2^(31 + bits) / by) + 1, factor * by exceeds 2^(31 + bits) by
/// 2^bits at most, so that no quotient below 2^31 / by is rounded up.
class divisor {
public:
  divisor() = default;
  /// 1 <= by < 2^31.
  __host__ __device__ explicit divisor(int by) {
    while (uint64_t(1) << (shift - 31) < uint64_t(by))
      ++shift;
    factor = uint32_t((uint64_t(1) << shift) / uint32_t(by) + 1);
  }
  /// number / by, of 0 <= number < 2^31.
  __host__ __device__ __forceinline__ int divide(int number) const {
    return int(uint64_t(uint32_t(number)) * factor >> shift);
  }

private:
  uint32_t factor = 0;
  int shift = 31;
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
  int slices, slice_blocks;
  /// No part of a tile begins behind these rows and columns of the accumulator
  /// (corner.cuh).
  int last_row = INT32_MAX, last_col = INT32_MAX;
  /// Tiles of a batch and of a band, row tiles of a band and of the last one,
  /// and slices.
  divisor per_batch, per_band, height, last_height, per_slices;

  /// There is at least one tile.
  __host__ __device__ tile_grid(int rows, int cols, int batches, int group,
                                int slices = 1, int slice_blocks = 0)
      : rows(rows), cols(cols), batches(batches), group(group), slices(slices),
        slice_blocks(slice_blocks), per_batch(rows * cols),
        per_band((group < rows ? group : rows) * cols), height(group),
        last_height((rows - 1) % group + 1), per_slices(slices) {}

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
  const int batch = grid.per_batch.divide(index);
  index -= batch * (grid.rows * grid.cols);
  const int band = grid.per_band.divide(index);
  index -= band * (grid.group * grid.cols);
  const int first = band * grid.group;
  const bool is_last = grid.rows - first <= grid.group;
  const int height = is_last ? grid.rows - first : grid.group;
  const int col = (is_last ? grid.last_height : grid.height).divide(index);
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
  const int batch = grid.per_slices.divide(tile.batch);
  return {batch, tile.batch - batch * grid.slices, grid.slices,
          Plan::group_blocks > 0 ? Plan::group_blocks : 1};
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SCHEDULER_CUH
