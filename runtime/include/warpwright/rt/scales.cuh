//===-- scales.cuh - Scales of blocks of the operands -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Multiply, where the elements of an operand have a scale for each
// block of k: the sums of a block are multiplied by it when they are promoted.
// What the scales are is the user's expression, in the epilogue's struct.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SCALES_CUH
#define WARPWRIGHT_RT_SCALES_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/scheduler.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// The scales of one consumer group's part of a tile.
template <class Plan, class Epilogue> class block_scales {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  const Epilogue &epilogue;
  const extents &extent;
  int row, col; ///< of the accumulator, the group's first
  slice_position slice;

  /// The scale of one row, or one column, in the block of k that begins at `k`.
  /// A slice may have a block beyond the last one, whose sums are zero.
  template <class Operand>
  WARPWRIGHT_DEVICE float scale(int index, int k) const {
    if (!Operand::scaled || (Plan::sliced && k >= extent.k))
      return 1;
    if constexpr (Operand::scaled && Operand::is_a)
      return epilogue.scale_of_a(within(index, extent.m), k, slice.batch);
    else if constexpr (Operand::scaled)
      return epilogue.scale_of_b(within(index, extent.n), k, slice.batch);
    return 1;
  }

public:
  WARPWRIGHT_DEVICE block_scales(const Epilogue &epilogue,
                                 const extents &extent, int row, int col,
                                 slice_position slice)
      : epilogue(epilogue), extent(extent), row(row), col(col), slice(slice) {}

  /// Those of a thread's accumulators in one block: of its two rows in each
  /// wave, and of its columns.
  struct factors {
    static constexpr bool row_by_row = rows::scaled && !rows::scaled_alike;
    static constexpr bool col_by_col = cols::scaled && !cols::scaled_alike;
    static constexpr int row_count = row_by_row ? 2 * Plan::waves : 1;
    static constexpr int col_count = col_by_col ? Plan::accumulators / 2 : 1;
    float of_row[row_count], of_col[col_count];

    /// What accumulator `i` of a wave is multiplied by.
    WARPWRIGHT_DEVICE float operator()(int wave, int i) const {
      const int r = row_by_row ? 2 * wave + i / 2 % 2 : 0;
      const int c = col_by_col ? i / 4 * 2 + i % 2 : 0;
      if constexpr (!rows::scaled)
        return of_col[c];
      else if constexpr (!cols::scaled)
        return of_row[r];
      else
        return of_row[r] * of_col[c];
    }
  };

  /// The loads are under way while the tensor cores multiply the block.
  WARPWRIGHT_DEVICE factors of(int block) const {
    const int thread = static_cast<int>(threadIdx.x % 128);
    const int k = slice.block(block) * Plan::tile_k;
    // As far as the compiler knows, the columns change with the block: it would
    // keep the addresses of all their scales in registers, which there are not.
    int first = col;
    make_opaque(first);
    factors f;
#pragma unroll
    for (int i = 0; i < factors::row_count; ++i)
      f.of_row[i] = scale<rows>(row + i / 2 * Plan::wave_rows +
                                    int(fragment::row(thread, i % 2 * 2)),
                                k);
#pragma unroll
    for (int i = 0; i < factors::col_count; ++i)
      f.of_col[i] =
          scale<cols>(first + int(fragment::col(thread, i / 2 * 4 + i % 2)), k);
    return f;
  }
};

/// Where nothing is scaled.
struct no_scales {
  struct factors {};
  WARPWRIGHT_DEVICE factors of(int) const { return {}; }
};

/// sum += acc, times the scales of the block. The tensor cores truncate their
/// sums, this rounds to nearest.
template <class Plan, class Factors>
WARPWRIGHT_DEVICE void
add_to_sums(typename Plan::sum (&sum)[Plan::waves][Plan::accumulators],
            const typename Plan::sum (&acc)[Plan::waves][Plan::accumulators],
            const Factors &factors) {
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int i = 0; i < Plan::accumulators; ++i)
      if constexpr (Plan::scaled)
        sum[wave][i] += acc[wave][i] * factors(wave, i);
      else
        sum[wave][i] += acc[wave][i];
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SCALES_CUH
