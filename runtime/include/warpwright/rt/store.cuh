//===-- store.cuh - The way out of finished sums ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Store: what the epilogue makes of finished sums goes to memory in
// slabs through shared memory and TMA (epilogue.cuh), or element by element.
//
// An Epilogue is a generated struct with what becomes of a sum, in the terms of
// the original: value(sums..., m, n, batch) is the element of the first output,
// store_others(sums..., m, n, batch) stores those of the other outputs, and
// store_all(sums..., m, n, batch), of a plan that stages nothing, those of all.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_STORE_CUH
#define WARPWRIGHT_RT_STORE_CUH

#include <utility>
#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/scheduler.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Two elements that lie side by side, by one store where that is possible.
template <class T> WARPWRIGHT_DEVICE void store_pair(T *at, T first, T second) {
  struct alignas(2 * sizeof(T)) pair {
    T of[2];
  };
  if (reinterpret_cast<uintptr_t>(at) % sizeof(pair) == 0) {
    *reinterpret_cast<pair *>(at) = {first, second};
  } else {
    at[0] = first;
    at[1] = second;
  }
}

#if WARPWRIGHT_HOPPER

/// The sum number `i` of a thread's accumulators.
template <int registers>
WARPWRIGHT_DEVICE float sum_at(const half_sums_pair (&acc)[registers], int i) {
  const half_sums_pair pair = acc[i / 2];
  return __half2float(__ushort_as_half(
      static_cast<unsigned short>(i % 2 ? pair >> 16 : pair & 0xffff)));
}
template <class Sum, int registers>
WARPWRIGHT_DEVICE Sum sum_at(const Sum (&acc)[registers], int i) {
  return acc[i];
}

/// Calls visit(sum, sum of the second contraction, ...) with all sums of the
/// element whose first one is number `i` of a thread's accumulators; the others
/// lie Plan::next_sum apart.
template <class Plan, class Visit, int... number>
WARPWRIGHT_DEVICE auto
with_sums(const typename Plan::accumulator (&acc)[Plan::accumulators], int i,
          std::integer_sequence<int, number...>, Visit visit) {
  return visit(sum_at(acc, i + number * Plan::next_sum)...);
}
template <class Plan, class Visit>
WARPWRIGHT_DEVICE auto
with_sums(const typename Plan::accumulator (&acc)[Plan::accumulators], int i,
          Visit visit) {
  return with_sums<Plan>(acc, i, std::make_integer_sequence<int, Plan::sums>(),
                         visit);
}

/// One warpgroup's part of a tile, from `row` and `col` of the accumulator on.
/// It leaves in slabs, through two staging buffers of which `slot` is the next
/// to use.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE void store_staged(
    const typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    int row, int col, int batch, uint32_t staging, uint32_t &slot, int barrier,
    const CUtensorMap &out_map, const extents &extent,
    const output_view<typename Plan::element> &out, const Epilogue &epilogue) {
  using slab = typename Plan::slab;
  using element = typename Plan::element;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int part = 0; part < Plan::tile_cols / slab::cols; ++part) {
      const uint32_t buffer = staging + slot * slab::buffer_bytes;
      slot ^= 1;
      int first_row = row + wave * Plan::wave_rows;
      int first_col = col + part * slab::cols;
      // Keeps the compiler from holding what one slab loads and computes in
      // registers until another slab needs the same: that would spill.
      make_opaque(first_row);
      make_opaque(first_col);
      // Where there are rows in registers, or sums take half of one, threads
      // with two waves of sums have none for where the elements lie.
      constexpr bool anew =
          (Plan::rows_in_registers || Plan::by_fragments || Plan::half_sums) &&
          Plan::waves > 1;
      stage_slab<element, slab, fragment, anew>(
          buffer, barrier, [&](int i, int slab_row, int slab_col) {
            const int at_m =
                Plan::swap_ab ? first_col + slab_col : first_row + slab_row;
            const int at_n =
                Plan::swap_ab ? first_row + slab_row : first_col + slab_col;
            const int first = part * slab::accumulators;
            return with_sums<Plan>(acc[wave], first + i, [&](auto... sums) {
              // Past the end nothing is stored, but what is read must exist.
              const element value =
                  epilogue.value(sums..., within(at_m, extent.m),
                                 within(at_n, extent.n), batch);
              if constexpr (Plan::outputs > 1)
                if (at_m < extent.m && at_n < extent.n)
                  epilogue.store_others(sums..., at_m, at_n, batch);
              return value;
            });
          });
      store_slab<element, slab>(
          buffer, &out_map, out, Plan::swap_ab ? first_row : first_col,
          Plan::swap_ab ? first_col : first_row, batch, barrier);
    }
}

/// One warpgroup's part of a tile, from `row` and `col` of the accumulator on,
/// each element stored by the thread that holds it.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE void store_direct(
    const typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    int row, int col, int batch, const extents &extent,
    const Epilogue &epilogue) {
  for_each_element<fragment, Plan::waves, Plan::wave_rows, Plan::next_sum>(
      [&](int wave, int i, int tile_row, int tile_col) {
        const int at_m = Plan::swap_ab ? col + tile_col : row + tile_row;
        const int at_n = Plan::swap_ab ? row + tile_row : col + tile_col;
        if (at_m < extent.m && at_n < extent.n)
          with_sums<Plan>(acc[wave], i, [&](auto... sums) {
            epilogue.store_all(sums..., at_m, at_n, batch);
          });
      });
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_STORE_CUH
