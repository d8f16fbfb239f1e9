//===- warpwright/rt/select.cuh - Choosing among plans ----------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner's cost model, evaluated for the shape of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SELECT_CUH
#define WARPWRIGHT_RT_SELECT_CUH

#include <warpwright/rt/problem.cuh>

#include <initializer_list>

namespace warpwright {
namespace rt {

/// What the selector knows of a plan: sizes in elements and CTAs, costs in
/// clocks of one multiprocessor and in bytes.
struct PlanCost {
  const char *name;
  int tile_m, tile_n, tile_k;
  int cluster_m, cluster_n;
  int64_t clocks_per_k_block; ///< one CTA, one block of tile_k
  int64_t clocks_per_tile;    ///< what of the epilogue is not hidden
  int64_t clocks_once;        ///< per launch: filling the pipeline, the end
  int64_t bytes_per_k_block;  ///< drawn from L2 by one CTA
  Truth usable = true;        ///< what the plan requires holds
};

inline int64_t ceil_div(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// Whether rows of an operand start at multiples of 128 bytes. Where they do
/// not, every 128-byte row of a tile touches two cache lines.
inline bool has_aligned_rows(const Array &operand) {
  const int64_t pitch =
      max(max(operand.stride.m, operand.stride.n), operand.stride.k);
  return pitch * size_of(operand.type) % 128 == 0;
}

/// Clocks that the problem, a sum of so many products, should take with this
/// plan. The same arithmetic as predictedClocks in the planner.
inline int64_t predicted_clocks(const PlanCost &plan, int64_t m, int64_t n,
                                int64_t k, int64_t batch, int64_t sms,
                                bool aligned_rows = true, int products = 1) {
  const int64_t cluster = int64_t(plan.cluster_m) * plan.cluster_n;
  const int64_t tiles_m =
      ceil_div(ceil_div(m, plan.tile_m), plan.cluster_m) * plan.cluster_m;
  const int64_t tiles_n =
      ceil_div(ceil_div(n, plan.tile_n), plan.cluster_n) * plan.cluster_n;
  const int64_t tiles = tiles_m * tiles_n * batch;
  const int64_t ctas = max(sms / cluster, 1) * cluster;
  const int64_t k_blocks = products * ceil_div(k, plan.tile_k);
  const int64_t compute =
      plan.clocks_once +
      ceil_div(tiles, ctas) *
          (k_blocks * plan.clocks_per_k_block + plan.clocks_per_tile);
  const int64_t l2_bytes_per_clock = aligned_rows ? 7800 : 3700;
  const int64_t l2 =
      tiles * k_blocks * plan.bytes_per_k_block / l2_bytes_per_clock;
  // The slower of the two bounds; the other one still costs a little.
  return max(compute, l2) + min(compute, l2) / 8;
}

/// For programs that test plans: the name of the only plan to take; null for
/// the choice by cost. Where that plan is not usable, none is taken.
inline const char *&only_plan() {
  static const char *name = nullptr;
  return name;
}

/// Index of the usable plan with the fewest predicted clocks, the first of
/// equals; -1 when none is usable.
template <int count>
int select_plan(const Problem &problem, const PlanCost (&plans)[count]) {
  bool aligned_rows = true;
  for (int i = 0; i < problem.array_count; ++i)
    aligned_rows &= problem.arrays[i].use != Use::operand ||
                    has_aligned_rows(problem.arrays[i]);
  int best = -1;
  int64_t fewest = 0;
  for (int i = 0; i < count; ++i) {
    if (!plans[i].usable.is_true() ||
        (only_plan() && strcmp(plans[i].name, only_plan()) != 0))
      continue;
    const int64_t clocks = predicted_clocks(
        plans[i], problem.extent.m, problem.extent.n, problem.extent.k,
        problem.extent.b, problem.device.multiprocessors, aligned_rows,
        problem.products);
    if (best < 0 || clocks < fewest) {
      best = i;
      fewest = clocks;
    }
  }
  return best;
}

} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SELECT_CUH
