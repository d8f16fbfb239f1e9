//===-- cut_scratch.cuh - Launches that cut tiles along k -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's part of cut_tiles.cuh: how a launch divides its tiles, and the
// memory in which sums of their pieces wait.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_CUT_SCRATCH_CUH
#define WARPWRIGHT_RT_CUT_SCRATCH_CUH

#include <warpwright/rt/cost.cuh>
#include <warpwright/rt/cut_tiles.cuh>
#include <warpwright/rt/problem.cuh>
#include <warpwright/rt/scratch.cuh>
#include <warpwright/rt/select.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What a launch decides about cuts, and its scratch memory, which lives as
/// long as this object.
template <class D> class CutTiles {
public:
  using Plan = plan<D>;
  using cuts = cuts_of<Plan>;

  explicit CutTiles(const Problem &problem)
      : scratch(problem.device.id, problem.launch.stream) {}

  /// How so many cluster tiles of `blocks` blocks are computed, and by how many
  /// clusters. Without scratch memory they are whole.
  cuts divide(const Problem &problem, int64_t tiles, int64_t blocks,
              int64_t &clusters) {
    constexpr choice decided = choice_of<D>();
    constexpr plan_cost cost = cost_of(decided, derive(decided));
    const gpu speeds = problem.device.speeds();
    const int64_t at_once = clusters_at_once(decided, speeds);
    clusters = min(at_once, tiles);
    cuts result = {};
    if constexpr (Plan::cuts_tiles) {
      result.cuts = tile_cuts::of(0, static_cast<int>(blocks), 1);
      const PerAxis &extent = problem.extent;
      const division cut =
          divide_launch(decided, cost, tiles, blocks,
                        memory_clocks_of(decided, extent.m, extent.n, extent.k,
                                         extent.b, speeds),
                        speeds, places_of(problem, decided).starts);
      if (cut.cuts.tiles && allocate(cut.clusters, result)) {
        clusters = cut.clusters;
        result.cuts = cut.cuts;
      }
    }
    if constexpr (Plan::own_ranges)
      for (int product = 0; product < Plan::products; ++product)
        result.k_blocks[product] = static_cast<int>(ceil_div(
            problem.k_of(problem.arrays[2 * product]), int64_t(Plan::tile_k)));
    return result;
  }

private:
  bool allocate(int64_t shares, cut_sums &sums) {
    if (environment().no_scratch)
      return false;
    const int64_t consumers = shares * piece_numbers<Plan>::consumers;
    const int64_t bytes = consumers * piece_numbers<Plan>::bytes;
    char *const memory = scratch.allocate(static_cast<size_t>(
        bytes + consumers * 4 * int64_t(sizeof(unsigned long long))));
    if (!memory)
      return false;
    sums.sums = reinterpret_cast<unsigned char *>(memory);
    sums.written = reinterpret_cast<unsigned long long *>(memory + bytes);
    sums.token = next_token();
    return true;
  }

  /// A word that is another one with each launch, and that sums do not leave in
  /// memory: as a double or the upper half of one it is a NaN with a payload,
  /// which no instruction makes.
  static unsigned long long next_token() {
    static unsigned long long launches = 0;
    const unsigned long long number =
        __atomic_add_fetch(&launches, 1ull, __ATOMIC_RELAXED);
    return 0x7ff4ull << 48 | (number * 0x9e3779b97f4a7c15ull & ~0ull >> 16);
  }

  Scratch scratch;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_CUT_SCRATCH_CUH
