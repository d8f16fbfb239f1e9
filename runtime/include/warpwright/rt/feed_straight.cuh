//===- feed_straight.cuh - Operands as they are -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Feed, in its simplest form: wgmma reads the stages as TMA wrote
// them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FEED_STRAIGHT_CUH
#define WARPWRIGHT_RT_FEED_STRAIGHT_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/multiply.cuh>
#include <warpwright/rt/scales.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// What a consumer group knows of its operands: descriptors of the first stage.
template <class Plan> struct straight_operands {
  uint64_t rows, cols;

  WARPWRIGHT_DEVICE straight_operands(uint32_t shared, int group)
      : rows(operand_descriptor<typename Plan::rows>(
            shared + Plan::rows::offset + group * Plan::rows::group_bytes)),
        cols(operand_descriptor<typename Plan::cols>(shared +
                                                     Plan::cols::offset)) {}
};

/// Consumer: acc = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages, with `anew`; otherwise they are added to acc. A stage goes back to
/// the producer one round late, so that one group of wgmma is always in flight;
/// the last one is left to finish_straight.
template <class Plan>
WARPWRIGHT_DEVICE void multiply_straight(
    typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    ring &at, int k_blocks, bool anew, const straight_operands<Plan> &first,
    uint64_t *full, uint64_t *empty) {
  for (int block = 0; block < k_blocks; ++block) {
    barrier_wait(&full[at.stage], at.phase);
    const uint64_t rows =
        first.rows + descriptor_step(Plan::stage_bytes, at.stage);
    const uint64_t cols =
        first.cols + descriptor_step(Plan::stage_bytes, at.stage);
    wgmma_fence();
    multiply_stage<Plan>(acc, rows, cols, anew && block == 0);
    wgmma_commit();
    wgmma_wait<1>();
    if (block > 0)
      release_stage<Plan::cluster_size>(&empty[at.previous<Plan::stages>()]);
    at.advance<Plan::stages>();
  }
}

/// Waits for the last products of a tile and gives their stage back.
template <class Plan>
WARPWRIGHT_DEVICE void finish_straight(
    typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    const ring &at, uint64_t *empty) {
  wgmma_wait_all(acc);
  release_stage<Plan::cluster_size>(&empty[at.previous<Plan::stages>()]);
}

/// Consumer: the same in windows of Plan::promoted_blocks stages. Their
/// products are added by the tensor cores, and the results to `sum`, multiplied
/// by the scales of the block where there are any (scales.cuh); then the next
/// window's first product overwrites the accumulators. The stages of a window
/// go back together, and nothing is left to be finished.
template <class Plan, class Scales>
WARPWRIGHT_DEVICE void
multiply_promoted(typename Plan::sum (&sum)[Plan::waves][Plan::accumulators],
                  ring &at, int k_blocks, bool anew,
                  const straight_operands<Plan> &first, uint64_t *full,
                  uint64_t *empty, const Scales &scales) {
  if (anew)
    clear_sums(sum);
  typename Plan::sum acc[Plan::waves][Plan::accumulators];
  // Where windows have several stages, ptxas cannot see that the first of them
  // overwrites the accumulators. Without a value here those of the tile before
  // would keep their registers during its epilogue.
  if constexpr (Plan::promoted_blocks > 1)
    clear_sums(acc);
  for (int block = 0; block < k_blocks; block += Plan::promoted_blocks) {
    const int left = k_blocks - block;
    const int stages = Plan::promoted_blocks == 1     ? 1
                       : left < Plan::promoted_blocks ? left
                                                      : Plan::promoted_blocks;
    ring window = at;
    for (int i = 0; i < stages; ++i) {
      barrier_wait(&full[at.stage], at.phase);
      const uint64_t rows =
          first.rows + descriptor_step(Plan::stage_bytes, at.stage);
      const uint64_t cols =
          first.cols + descriptor_step(Plan::stage_bytes, at.stage);
      wgmma_fence();
      multiply_stage<Plan>(acc, rows, cols, i == 0);
      wgmma_commit();
      at.advance<Plan::stages>();
    }
    const auto factors = scales.of(block);
    wgmma_wait_all(acc);
    for (int i = 0; i < stages; ++i) {
      release_stage<Plan::cluster_size>(&empty[window.stage]);
      window.advance<Plan::stages>();
    }
    add_to_sums<Plan>(sum, acc, factors);
  }
}

/// Consumer: the same where each stage is a window, with two sets of
/// accumulators that take turns. While the sums of one stage are added to
/// `sum`, the tensor cores compute the products of the next one.
template <class Plan>
WARPWRIGHT_DEVICE void multiply_promoted_behind(
    typename Plan::sum (&sum)[Plan::waves][Plan::accumulators], ring &at,
    int k_blocks, bool anew, const straight_operands<Plan> &first,
    uint64_t *full, uint64_t *empty) {
  if (anew)
    clear_sums(sum);
  if (k_blocks <= 0)
    return;
  using accumulators = typename Plan::sum[Plan::waves][Plan::accumulators];
  const auto issue = [&](accumulators &acc) {
    barrier_wait(&full[at.stage], at.phase);
    const uint64_t rows =
        first.rows + descriptor_step(Plan::stage_bytes, at.stage);
    const uint64_t cols =
        first.cols + descriptor_step(Plan::stage_bytes, at.stage);
    wgmma_fence();
    multiply_stage<Plan>(acc, rows, cols, true);
    wgmma_commit();
  };
  // The stage before the one at `at` goes back.
  const auto promote = [&](accumulators &acc) {
    use_registers(acc);
    release_stage<Plan::cluster_size>(&empty[at.previous<Plan::stages>()]);
    add_to_sums<Plan>(sum, acc, no_scales().of(0));
  };
  accumulators even, odd;
  issue(even);
  at.advance<Plan::stages>();
  for (int left = k_blocks - 1;; left -= 2) {
    if (left == 0) {
      wgmma_wait<0>();
      promote(even);
      break;
    }
    issue(odd);
    wgmma_wait<1>();
    promote(even);
    at.advance<Plan::stages>();
    if (left == 1) {
      wgmma_wait<0>();
      promote(odd);
      break;
    }
    issue(even);
    wgmma_wait<1>();
    promote(odd);
    at.advance<Plan::stages>();
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_STRAIGHT_CUH
