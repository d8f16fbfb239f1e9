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
//     slot t + 4 s            of doubles   has   k = 4 t + (s ^ 2 (t / 2)),
//     slot t + 4 s, step j    of floats    has   k = 8 t + ((4 j + s) ^ 2 t),
//
// in CuTe's notation S<1,1,2> o 0 o (4,4):(4,1) and S<2,1,2> o 0 o
// (4,4,2):(8,1,4).
//
//  - Along k, a lane loads two neighbours at a time. The first load of those
//    lanes that fill 128 bytes (8 of two doubles, 16 of two floats) is of the
//    chunks 0, 2, 5, 7 of neighbouring rows, and the swizzle puts those of one
//    row where the others' are not.
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
template <class Operand>
WARPWRIGHT_DEVICE void load_slots(double (&x)[4], uint32_t at, int eight,
                                  int step) {
  using element = typename Operand::element;
  static_assert((std::is_same<element, double>::value ||
                 std::is_same<element, float>::value) &&
                    Operand::swizzle_bytes == 128,
                "lines of 128 bytes");
  constexpr int together = Operand::k_major ? 2 : 1;
#pragma unroll
  for (int slot = 0; slot < 4; slot += together) {
    const fragment_step to =
        fragment_element(slot, step, eight, sizeof(element), Operand::k_major);
    const uint32_t address = (at ^ to.flipped) + to.added;
    if constexpr (Operand::k_major)
      load_doubles<element>(x[slot], x[slot + 1], address);
    else
      load_double<element>(x[slot], address);
  }
}

/// Where the elements of this thread's lane begin in an operand's part of the
/// first stage, from the operand's row `first_row` on.
template <class Operand>
WARPWRIGHT_DEVICE uint32_t first_slots(uint32_t shared, int first_row) {
  constexpr unsigned bytes = sizeof(typename Operand::element);
  const uint32_t at = shared + Operand::offset +
                      fragment_lane(threadIdx.x % 32, bytes, Operand::k_major);
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

/// Consumer: sum = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages, with `anew`; otherwise they are added to sum. While the tensor cores
/// multiply 8 columns, the next 8 are loaded; a stage goes back to the producer
/// when the first columns of the next one are being multiplied.
template <class Plan>
WARPWRIGHT_DEVICE void
multiply_fragments(double (&sum)[Plan::waves][Plan::accumulators], ring &at,
                   int k_blocks, bool anew, int group, uint32_t shared,
                   uint64_t *full, uint64_t *empty) {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  constexpr int eights = Plan::accumulators / 4; // of columns
  constexpr int warp_rows = 16;
  const uint32_t first_rows = first_slots<rows>(
      shared, (Plan::pingpong ? 0 : group * Plan::group_rows) +
                  int(threadIdx.x % 128 / 32) * warp_rows);
  const uint32_t first_cols = first_slots<cols>(shared, 0);
  if (anew)
    clear_sums(sum);
#pragma unroll 1
  for (int block = 0; block < k_blocks; ++block) {
    const uint32_t rows_at = first_rows + at.stage * Plan::stage_bytes;
    const uint32_t cols_at = first_cols + at.stage * Plan::stage_bytes;
    barrier_wait(&full[at.stage], at.phase);
#pragma unroll
    for (int step = 0; step < Plan::k_steps; ++step) {
      double a[Plan::waves][2][4], b[2][4];
#pragma unroll
      for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
        for (int lower = 0; lower < 2; ++lower)
          load_slots<rows>(a[wave][lower], rows_at,
                           wave * (Plan::wave_rows / 8) + lower, step);
      load_slots<cols>(b[0], cols_at, 0, step);
#pragma unroll
      for (int eight = 0; eight < eights; ++eight) {
        if (eight + 1 < eights)
          load_slots<cols>(b[(eight + 1) % 2], cols_at, eight + 1, step);
#pragma unroll
        for (int wave = 0; wave < Plan::waves; ++wave)
          mma_m16n8k16(&sum[wave][4 * eight], a[wave], b[eight % 2]);
        if (step == 0 && eight == least(1, eights - 1) && block > 0)
          release_loaded<Plan>(at, empty);
      }
    }
    at.advance<Plan::stages>();
  }
  if (k_blocks > 0)
    release_loaded<Plan>(at, empty);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_FRAGMENTS_CUH
