//===-- partial.cuh - Products of fewer rows than a tile --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a matrix has fewer rows (or columns) than a tile, its boxes have no
// more than these. TMA would fill the others with zeros, stage by stage, and
// that takes it longer than to load them: 33 rows by 4096 columns with K =
// 14336 took 57.5 us on an H200 in tiles of 64 rows, and 32.1 us with boxes of
// 33 (docs/performance-log.md). Here the kernel clears those parts of its
// stages once, before anything is loaded; nobody writes to them after that.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_PARTIAL_CUH
#define WARPWRIGHT_RT_PARTIAL_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/tma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The rows of a box of Operand, a plan's `rows` or `cols`, in a launch with
/// `extent` of them.
template <class Operand> WARPWRIGHT_CONSTEXPR int rows_of_box(int64_t extent) {
  return Operand::partial && extent < Operand::box_outer
             ? static_cast<int>(extent)
             : Operand::box_outer;
}

#if WARPWRIGHT_HOPPER

template <class Plan>
WARPWRIGHT_DEVICE int extent_along_rows(const extents &extent) {
  return Plan::swap_ab ? extent.n : extent.m;
}
template <class Plan>
WARPWRIGHT_DEVICE int extent_along_cols(const extents &extent) {
  return Plan::swap_ab ? extent.m : extent.n;
}

/// Bytes that the boxes of a stage bring, of both operands.
template <class Plan>
WARPWRIGHT_DEVICE uint32_t bytes_of_stage(const extents &extent) {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  if constexpr (!rows::partial && !cols::partial)
    return Plan::transaction_bytes;
  else
    return rows::boxes * rows::shares * rows::row_bytes *
               rows_of_box<rows>(extent_along_rows<Plan>(extent)) +
           cols::boxes * cols::shares * cols::row_bytes *
               rows_of_box<cols>(extent_along_cols<Plan>(extent));
}

/// Clears the rows that the boxes of one operand leave out, in all stages.
/// Every thread takes 16 bytes in turn. The swizzle permutes what is in a row.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE void clear_rows_left_out(unsigned char *shared, int extent) {
  const int loaded = rows_of_box<Operand>(extent);
  const int chunks =
      (Operand::box_outer - loaded) * Operand::row_bytes / 16; // of a box
  for (int i = threadIdx.x; i < Plan::stages * Operand::boxes * chunks;
       i += Plan::threads) {
    const int box = i / chunks, stage = box / Operand::boxes;
    *reinterpret_cast<uint4 *>(
        shared + stage * Plan::stage_bytes + Operand::offset +
        box % Operand::boxes * Operand::box_step_bytes +
        loaded * Operand::row_bytes + i % chunks * 16) = uint4{0, 0, 0, 0};
  }
  if (chunks > 0)
    fence_async_shared();
}

/// The same of both operands. A barrier of the block has to follow.
template <class Plan>
WARPWRIGHT_DEVICE void clear_what_is_not_loaded(unsigned char *shared,
                                                const extents &extent) {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  if constexpr (rows::partial)
    clear_rows_left_out<Plan, rows>(shared, extent_along_rows<Plan>(extent));
  if constexpr (cols::partial)
    clear_rows_left_out<Plan, cols>(shared, extent_along_cols<Plan>(extent));
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_PARTIAL_CUH
