//===- warpwright/rt/select.cuh - Choosing among plans ---------*- CUDA -*-===//
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

#include <warpwright/rt/cost.cuh>
#include <warpwright/rt/tensor_map.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What the selector knows of a plan.
struct PlanEntry {
  const char *name;
  choice decided;
  plan_cost cost;
};

/// The directions of an operand in the order in which a plan reads it.
struct OperandAxes {
  Axis inner, outer;
};

/// Those of the operand that is number `index` of a problem's arrays: A and B
/// take turns.
inline OperandAxes axes_of(const choice &plan, int index) {
  const bool is_a = index % 2 == 0;
  const Axis free = is_a ? Axis::m : Axis::n;
  return (is_a ? plan.a : plan.b).k_major ? OperandAxes{Axis::k, free}
                                          : OperandAxes{free, Axis::k};
}

/// At multiples of how many bytes all rows of an operand start (row_starts).
inline int row_start(const Array &operand) {
  const int64_t pitch =
      max(max(operand.stride.m, operand.stride.n), operand.stride.k);
  const uint64_t places = static_cast<uint64_t>(pitch * size_of(operand.type)) |
                          reinterpret_cast<uintptr_t>(operand.origin());
  int start = row_starts::line;
  while (start > 1 && places % start)
    start /= 2;
  return start;
}

/// For programs that test plans: the name of the only plan to take; null for
/// the choice by cost. Where that plan is not usable, none is taken.
inline const char *&only_plan() {
  static const char *name = nullptr;
  return name;
}

/// Whether an operand before number `index` of a problem's arrays is the same
/// one: a copy takes the place of both.
inline bool is_repeated(const Problem &problem, int index) {
  const Array &array = problem.arrays[index];
  for (int i = index % 2; i < index; i += 2)
    if (problem.arrays[i].use == Use::operand &&
        array.same_elements(problem.arrays[i], problem.extent) &&
        array.stride.k == problem.arrays[i].stride.k &&
        array.own_k == problem.arrays[i].own_k)
      return true;
  return false;
}

/// What a plan's predicted clocks depend on beside the extents: where the rows
/// of the operands start, and the bytes of those that it cannot read where they
/// lie. These are copied, to whole lines.
struct OperandPlaces {
  row_starts starts;
  int64_t copied = 0;
};

inline OperandPlaces places_of(const Problem &problem, const choice &plan) {
  OperandPlaces places;
  for (int i = 0; i < problem.array_count; ++i) {
    const Array &array = problem.arrays[i];
    if (array.use != Use::operand || array.is_unused())
      continue;
    const OperandAxes axes = axes_of(plan, i);
    if (why_unreadable(problem, array, axes.inner, axes.outer)) {
      const PerAxis extent = problem.extent_of(array);
      if (!is_repeated(problem, i))
        places.copied += extent[axes.inner] * extent[axes.outer] *
                         (array.stride.b ? extent.b : 1) * size_of(array.type);
      continue;
    }
    int &start = i % 2 == 0 ? places.starts.a : places.starts.b;
    start = least(start, row_start(array));
  }
  return places;
}

/// Predicted clocks of a plan, copies of operands included.
inline int64_t clocks_of(const Problem &problem, const PlanEntry &plan,
                         const OperandPlaces &places) {
  // Sums of pieces of tiles are scratch memory, too.
  choice decided = plan.decided;
  decided.whole_tiles |= environment().no_scratch;
  return copy_clocks(places.copied) +
         estimate_of(decided, plan.cost, problem.extent.m, problem.extent.n,
                     problem.mean_k(), problem.extent.b,
                     problem.device.speeds(), places.starts)
             .total();
}

/// Whether the groups along k of a launch are whole ones of the plan, which may
/// be larger than what all launches' groups are multiples of.
inline bool takes_groups(const Problem &problem, const choice &plan) {
  return !problem.group_k || !plan.group_k ||
         problem.group_k % plan.group_k == 0;
}

/// Index of the plan with the fewest predicted clocks, the first of equals; -1
/// when there is none of the name that a test asks for, or all of them need
/// scratch memory and may not, or larger groups.
inline int select_plan(const Problem &problem, const PlanEntry *plans,
                       int count) {
  int best = -1;
  int64_t fewest = 0;
  OperandPlaces places;
  for (int i = 0; i < count; ++i) {
    const choice &decided = plans[i].decided;
    // Most plans of a kernel read its operands in the same order.
    if (i == 0 || decided.a.k_major != plans[i - 1].decided.a.k_major ||
        decided.b.k_major != plans[i - 1].decided.b.k_major)
      places = places_of(problem, decided);
    if ((only_plan() && strcmp(plans[i].name, only_plan()) != 0) ||
        (decided.sliced && environment().no_scratch) ||
        !takes_groups(problem, decided))
      continue;
    const int64_t clocks = clocks_of(problem, plans[i], places);
    if (best < 0 || clocks < fewest) {
      best = i;
      fewest = clocks;
    }
  }
  return best;
}

/// What was chosen for earlier launches of a kernel: to predict the clocks of a
/// dozen plans takes as long as the rest of a launch. A thread has its own.
struct RememberedChoices {
  /// Everything that the choice depends on while a program runs. Plans read the
  /// operands in up to four orders.
  struct Inputs {
    static constexpr int orders = 4;
    int64_t b, m, n, k, multiprocessors, memory_rate;
    int64_t group_k;
    int64_t copied[orders], a_start[orders], b_start[orders];
  };
  static constexpr unsigned count = 16;
  Inputs inputs[count];
  int plans[count]; ///< one more than the index; 0: nothing is remembered
};

/// The same as select_plan, of which `choices` remembers the results.
inline int remembered_plan(const Problem &problem, const PlanEntry *plans,
                           int count, RememberedChoices &choices) {
  if (only_plan())
    return select_plan(problem, plans, count);
  const gpu speeds = problem.device.speeds();
  RememberedChoices::Inputs inputs = {problem.extent.b,
                                      problem.extent.m,
                                      problem.extent.n,
                                      problem.mean_k(),
                                      speeds.multiprocessors,
                                      speeds.memory_rate,
                                      problem.group_k,
                                      {},
                                      {},
                                      {}};
  int order = 0;
  for (int i = 0; i < count; ++i) {
    const choice &decided = plans[i].decided;
    if (i > 0 && decided.a.k_major == plans[i - 1].decided.a.k_major &&
        decided.b.k_major == plans[i - 1].decided.b.k_major)
      continue;
    if (order == RememberedChoices::Inputs::orders)
      return select_plan(problem, plans, count);
    const OperandPlaces places = places_of(problem, decided);
    inputs.copied[order] = places.copied;
    inputs.a_start[order] = places.starts.a;
    inputs.b_start[order] = places.starts.b;
    ++order;
  }
  const uint64_t mixed = static_cast<uint64_t>((inputs.m * 31 + inputs.n) * 31 +
                                               inputs.k + inputs.b);
  const unsigned slot = static_cast<unsigned>(
      (mixed * 0x9e3779b97f4a7c15ull >> 32) % RememberedChoices::count);
  if (choices.plans[slot] &&
      memcmp(&choices.inputs[slot], &inputs, sizeof(inputs)) == 0)
    return choices.plans[slot] - 1;
  const int index = select_plan(problem, plans, count);
  choices.inputs[slot] = inputs;
  choices.plans[slot] = index + 1;
  return index;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SELECT_CUH
