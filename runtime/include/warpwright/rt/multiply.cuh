//===-- multiply.cuh - The products of a stage ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Multiply: which instructions multiply what a feed has brought.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_MULTIPLY_CUH
#define WARPWRIGHT_RT_MULTIPLY_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/wgmma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// One warpgroup's rows of a stage by its columns, whose descriptors are those
/// of the stage, added to acc, or with `overwrite` in its place.
template <class Plan>
WARPWRIGHT_DEVICE void multiply_stage(
    typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    uint64_t rows, uint64_t cols, bool overwrite) {
  static_assert((Plan::rows::k_major && Plan::cols::k_major) ||
                    numbers_of(Plan::chosen.multiplied()).across_k,
                "elements that wgmma reads along k only");
#pragma unroll
  for (int step = 0; step < Plan::k_steps; ++step)
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
      wgmma<typename Plan::rows::element, typename Plan::cols::element,
            Plan::rows::k_major, Plan::cols::k_major>(
          acc[wave],
          rows + descriptor_step(Plan::rows::wave_bytes, wave) +
              descriptor_step(Plan::rows::k_step_bytes, step),
          cols + descriptor_step(Plan::cols::k_step_bytes, step),
          !overwrite || step > 0);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_MULTIPLY_CUH
