//===-- feed_fragments.cuh - Operands that consumers load -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Feed for products in double, which wgmma does not know: the
// consumers load both operands from the stages, as TMA wrote them, each lane
// the elements that mma.sync wants in its registers (multiply_mma.cuh).
// Elements are double, or float, which the lanes convert.
//
// A line of a stage is 128 bytes, 16 doubles or 32 floats, all of it along k or
// all along the rows, and TMA XORs the number of a 16-byte chunk in its line
// with that of the line, modulo 8. A sum of products does not depend on which k
// stands in which slot of an instruction, as long as both operands have the
// same there. So it is the order in which nobody's loads conflict, whichever
// index is contiguous:
//
//     slot t + 4 s            of doubles   has   k = 4 t + (s ^ t),
//                             or                 k = 4 t + (s ^ 2 (t / 2)),
//     slot t + 4 s, step j    of floats    has   k = 8 t + ((4 j + s) ^ 2 t),
//
// in CuTe's notation S<2,0,2> o 0 o (4,4):(4,1), S<1,1,2> o 0 o (4,4):(4,1) and
// S<2,1,2> o 0 o (4,4,2):(8,1,4). The first one is that of plans whose rows
// lie along k.
//
//  - Along k, a lane loads one double, or two neighbouring floats, or in the
//    second order two neighbouring doubles at a time. The first load of those
//    lanes that fill 128 bytes (16, or 8 of two doubles) is of the chunks 0, 2,
//    5, 7 of neighbouring rows, or of halves of them in twice as many rows, and
//    the swizzle puts those of one row where the others' are not. Of rows, two
//    doubles at a time would take as long, but mma.sync wants the elements of
//    one k of two rows side by side in registers, and ptxas would move what was
//    loaded there, several times.
//  - Along the rows, it loads one element from the line of each of its k. The
//    first load of the lanes that fill 128 bytes is of two chunks, the same
//    ones of four lines, which the swizzle has put into different banks.
//
// Whatever else a lane loads lies at a distance, or in bits of the address,
// that the compiler knows.
//
// An mbarrier does not wait for loads that were issued before an arrival: while
// other warps stored to global memory, an H200 let the arrival pass the loads,
// and TMA overwrote what they had still to read. So a stage goes back behind a
// fence of the async proxy, and not before the loads of the next one are under
// way, since the fence waits for those of this one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FEED_FRAGMENTS_CUH
#define WARPWRIGHT_RT_FEED_FRAGMENTS_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/multiply.cuh>
#include <warpwright/rt/multiply_mma.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/tma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// ld.shared of one or two elements, as doubles.
template <class Element>
WARPWRIGHT_DEVICE void load_double(double &x, uint32_t address) {
  if constexpr (sizeof(Element) == 8) {
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(x) : "r"(address));
  } else {
    float narrow;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(narrow) : "r"(address));
    x = narrow;
  }
}
template <class Element>
WARPWRIGHT_DEVICE void load_doubles(double &x, double &y, uint32_t address) {
  if constexpr (sizeof(Element) == 8) {
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];"
                 : "=d"(x), "=d"(y)
                 : "r"(address));
  } else {
    float first, second;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
                 : "=f"(first), "=f"(second)
                 : "r"(address));
    x = first, y = second;
  }
}

/// The elements of one row that a lane gives to instruction number `step` of a
/// stage, a slot each; `at` is where its elements of the operand begin.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE void load_slots(double (&x)[4], uint32_t at, int eight,
                                  int step) {
  using element = typename Operand::element;
  constexpr unsigned bytes = sizeof(element);
  static_assert((std::is_same<element, double>::value ||
                 std::is_same<element, float>::value) &&
                    Operand::swizzle_bytes == 128,
                "lines of 128 bytes");
  constexpr int together =
      Operand::k_major && !loads_singly(bytes, Plan::rows::k_major) ? 2 : 1;
#pragma unroll
  for (int slot = 0; slot < 4; slot += together) {
    const fragment_step to =
        fragment_element(slot, step, eight, bytes, Operand::k_major);
    const uint32_t address = (at ^ to.flipped) + to.added;
    if constexpr (together == 2)
      load_doubles<element>(x[slot], x[slot + 1], address);
    else
      load_double<element>(x[slot], address);
  }
}

/// Where the elements of this thread's lane begin in an operand's part of the
/// first stage, from the operand's row `first_row` on.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE uint32_t first_slots(uint32_t shared, int first_row) {
  constexpr unsigned bytes = sizeof(typename Operand::element);
  const uint32_t at = shared + Operand::offset +
                      fragment_lane(threadIdx.x % 32, bytes, Operand::k_major,
                                    Plan::rows::k_major);
  const fragment_step to =
      fragment_element(0, 0, first_row / 8, bytes, Operand::k_major);
  return (at ^ to.flipped) + to.added;
}

/// Gives back the stage before this one, of which everything has been loaded.
template <class Plan>
WARPWRIGHT_DEVICE void release_loaded(const ring &at, uint64_t *empty) {
  fence_async_shared();
  release_stage_by_thread<Plan::cluster_size>(
      &empty[at.previous<Plan::stages>()]);
}

/// What a consumer's lanes hold of a stage: their rows for one instruction's
/// depth along k, which is a turn, and their columns for some instructions side
/// by side. Where the sums leave registers for it, there are two sets of rows,
/// so that the first loads of the next turn, which may belong to the next
/// stage, are under way before the last products of this one. Otherwise the
/// FP64 tensor cores would have nothing to do at the beginning of each turn:
/// the warps of all consumers begin it at about the same time.
template <class Plan> class held_fragments {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  static constexpr int eights = Plan::accumulators / 4; // of columns
  static constexpr int pieces = 4, ahead = 2;           // eights

public:
  static constexpr bool reads_ahead = Plan::waves == 1 && eights > ahead;

private:
  static constexpr int row_sets = reads_ahead ? 2 : 1;
  /// With these products the stage before goes back, and not later than the
  /// next one is waited for: of two stages, one is the other's next.
  static constexpr int gives_back =
      reads_ahead ? least(eights / 2, eights - ahead - 1) : eights / 2;

  uint32_t first_rows, first_cols;
  double a[row_sets][Plan::waves][2][4], b[pieces][4];

  WARPWRIGHT_DEVICE void load_rows(int turn, int stage, int step) {
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int lower = 0; lower < 2; ++lower)
        load_slots<Plan, rows>(a[turn % row_sets][wave][lower],
                               first_rows + stage * Plan::stage_bytes,
                               wave * (Plan::wave_rows / 8) + lower, step);
  }
  WARPWRIGHT_DEVICE void load_cols(int turn, int eight, int stage, int step) {
    load_slots<Plan, cols>(b[place(turn, eight)],
                           first_cols + stage * Plan::stage_bytes, eight, step);
  }
  /// Columns go round in b, also from one turn to the next.
  static WARPWRIGHT_DEVICE constexpr int place(int turn, int eight) {
    return (turn % 2 * eights + eight) % pieces;
  }

public:
  WARPWRIGHT_DEVICE held_fragments(uint32_t shared, int group) {
    constexpr int warp_rows = 16;
    first_rows = first_slots<Plan, rows>(
        shared, (Plan::pingpong ? 0 : group * Plan::group_rows) +
                    int(threadIdx.x % 128 / 32) * warp_rows);
    first_cols = first_slots<Plan, cols>(shared, 0);
  }

  /// The first loads of a turn, from a stage that is full.
  WARPWRIGHT_DEVICE void begin(int turn, int stage, int step) {
    load_rows(turn, stage, step);
#pragma unroll
    for (int eight = 0; eight < least(ahead, eights); ++eight)
      load_cols(turn, eight, stage, step);
  }

  /// The products of a turn, number `step` of its stage. `turn` is even and odd
  /// in turn. The stage before goes back in the middle of the first step.
  template <int turn, int step>
  WARPWRIGHT_DEVICE void
  multiply(double (&sum)[Plan::waves][Plan::accumulators], const ring &at,
           bool is_first, bool is_last, uint64_t *full, uint64_t *empty) {
    constexpr bool ends_stage = step + 1 == Plan::k_steps;
    constexpr int next_step = ends_stage ? 0 : step + 1;
    const bool goes_on = !ends_stage || !is_last;
    ring next = at;
    if (ends_stage)
      next.advance<Plan::stages>();
    if constexpr (!reads_ahead) {
      if (step == 0)
        barrier_wait(&full[at.stage], at.phase);
      begin(turn, at.stage, step);
    }
#pragma unroll
    for (int eight = 0; eight < eights; ++eight) {
      const int later = eight + ahead;
      if (later < eights) {
        load_cols(turn, later, at.stage, step);
      } else if (reads_ahead && goes_on) {
        if (later == eights) {
          if (ends_stage)
            barrier_wait(&full[next.stage], next.phase);
          load_rows(turn + 1, next.stage, next_step);
        }
        load_cols(turn + 1, later - eights, next.stage, next_step);
      }
#pragma unroll
      for (int wave = 0; wave < Plan::waves; ++wave)
        mma_m16n8k16(&sum[wave][4 * eight], a[turn % row_sets][wave],
                     b[place(turn, eight)]);
      if (step == 0 && eight == gives_back && !is_first)
        release_loaded<Plan>(at, empty);
    }
  }
};

/// Consumer: sum = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages, with `anew`; otherwise they are added to sum.
template <class Plan>
WARPWRIGHT_DEVICE void
multiply_fragments(double (&sum)[Plan::waves][Plan::accumulators], ring &at,
                   int k_blocks, bool anew, int group, uint32_t shared,
                   uint64_t *full, uint64_t *empty) {
  static_assert(Plan::k_steps == 1 || Plan::k_steps == 2,
                "a loop of two turns");
  if (anew)
    clear_sums(sum);
  if (k_blocks <= 0)
    return;
  held_fragments<Plan> held(shared, group);
  if constexpr (held_fragments<Plan>::reads_ahead) {
    barrier_wait(&full[at.stage], at.phase);
    held.begin(0, at.stage, 0);
  }
  for (int block = 0;;) {
    bool is_last = block + 1 >= k_blocks;
    held.template multiply<0, 0>(sum, at, block == 0, is_last, full, empty);
    if constexpr (Plan::k_steps == 1) {
      at.advance<Plan::stages>();
      if (is_last)
        break;
      is_last = ++block + 1 >= k_blocks;
    }
    held.template multiply<1, Plan::k_steps - 1>(sum, at, false, is_last, full,
                                                 empty);
    at.advance<Plan::stages>();
    if (is_last)
      break;
    ++block;
  }
  release_loaded<Plan>(at, empty);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_FRAGMENTS_CUH
