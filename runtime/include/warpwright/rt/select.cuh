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

#include <initializer_list>
#include <warpwright/rt/cost.cuh>
#include <warpwright/rt/problem.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What the selector knows of a plan.
struct PlanEntry {
  const char *name;
  choice decided;
  plan_cost cost;
};

/// Whether rows of an operand start at multiples of 128 bytes. Where they do
/// not, every 128-byte row of a tile touches two cache lines.
inline bool has_aligned_rows(const Array &operand) {
  const int64_t pitch =
      max(max(operand.stride.m, operand.stride.n), operand.stride.k);
  return pitch * size_of(operand.type) % 128 == 0;
}

/// For programs that test plans: the name of the only plan to take; null for
/// the choice by cost. Where that plan is not usable, none is taken.
inline const char *&only_plan() {
  static const char *name = nullptr;
  return name;
}

/// Index of the usable plan with the fewest predicted clocks, the first of
/// equals; -1 when none is usable. `usable` says of each plan whether what it
/// requires holds; where it is empty, no plan requires anything.
inline int select_plan(const Problem &problem, const PlanEntry *plans,
                       int count, std::initializer_list<Truth> usable) {
  bool aligned_rows = true;
  for (int i = 0; i < problem.array_count; ++i)
    aligned_rows &= problem.arrays[i].use != Use::operand ||
                    has_aligned_rows(problem.arrays[i]);
  int best = -1;
  int64_t fewest = 0;
  for (int i = 0; i < count; ++i) {
    if ((usable.size() && !usable.begin()[i].is_true()) ||
        (only_plan() && strcmp(plans[i].name, only_plan()) != 0))
      continue;
    const int64_t clocks =
        estimate_of(plans[i].decided, plans[i].cost, problem.extent.m,
                    problem.extent.n, problem.extent.k, problem.extent.b,
                    problem.device.multiprocessors, aligned_rows)
            .total();
    if (best < 0 || clocks < fewest) {
      best = i;
      fewest = clocks;
    }
  }
  return best;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SELECT_CUH
