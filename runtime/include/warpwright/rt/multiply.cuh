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
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/wgmma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// From where wgmma reads an operand's first step of k to where it reads step
/// `step`, which may lie in a further box, as a difference of descriptors.
template <class Operand>
WARPWRIGHT_DEVICE constexpr int step_along_k(int step) {
  constexpr int in_box = Operand::box_step_k > 0
                             ? Operand::swizzle_bytes / Operand::k_step_bytes
                             : 1 << 16; // all
  return descriptor_step(Operand::k_step_bytes, step % in_box) +
         descriptor_step(Operand::box_step_bytes, step / in_box);
}

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
              step_along_k<typename Plan::rows>(step),
          cols + step_along_k<typename Plan::cols>(step),
          !overwrite || step > 0);
}

/// One warpgroup's rows, which it has in registers, by the columns of the stage
/// `stage`, from the step `first_step` of k on, as a group of wgmmas: added to
/// acc, or with `overwrite` in its place.
template <class Plan, int fragments>
WARPWRIGHT_DEVICE void
multiply_rows_in_registers(float (&acc)[Plan::waves][Plan::accumulators],
                           const uint32_t (&rows)[fragments][4],
                           uint64_t cols_base, int stage, bool overwrite,
                           int first_step = 0) {
  using cols = typename Plan::cols;
  constexpr int steps = fragments / Plan::waves;
  const uint64_t cols_at =
      descriptor_further(cols_base, descriptor_step(Plan::stage_bytes, stage));
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
      wgmma_rows<typename cols::element, cols::k_major>(
          acc[wave], rows[wave * steps + step],
          cols_at + step_along_k<cols>(first_step + step),
          !overwrite || step > 0);
  wgmma_commit();
}

template <class Sum, int waves, int registers>
WARPWRIGHT_DEVICE void clear_sums(Sum (&sum)[waves][registers]) {
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < registers; ++i)
      sum[wave][i] = 0;
}

/// Zero less what a register has: a number, an integer modulo 2^32, or two
/// halves. Zero stays as it is: the sum of the original begins with zero, and
/// so is never -0 where its products cancel.
template <class Sum> WARPWRIGHT_DEVICE Sum negative(Sum x) {
  return Sum(0) - x;
}
WARPWRIGHT_DEVICE int negative(int x) {
  return static_cast<int>(0u - static_cast<unsigned>(x));
}
WARPWRIGHT_DEVICE uint32_t negative(uint32_t halves) {
  const __half zero = __ushort_as_half(0);
  const __half low = __ushort_as_half(static_cast<unsigned short>(halves));
  const __half high =
      __ushort_as_half(static_cast<unsigned short>(halves >> 16));
  return pack_pair(__hsub(zero, low), __hsub(zero, high));
}

/// What a register has times a number: a sum, or two halves.
WARPWRIGHT_DEVICE float times(float x, float scale) { return x * scale; }
WARPWRIGHT_DEVICE double times(double x, double scale) { return x * scale; }
WARPWRIGHT_DEVICE uint32_t times(uint32_t halves, float scale) {
  const float low =
      __half2float(__ushort_as_half(static_cast<unsigned short>(halves)));
  const float high =
      __half2float(__ushort_as_half(static_cast<unsigned short>(halves >> 16)));
  return pack_pair(__float2half(low * scale), __float2half(high * scale));
}

/// Ahead of product number `product`, multiplies the sums with the number that
/// belongs to the products before, if there are no more of those.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE void
scale_sums(typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
           int product, const Epilogue &epilogue) {
  if constexpr (Plan::scaled_products > 0)
    if (product == Plan::scaled_products) {
      const auto scale = epilogue.scale_of_products();
#pragma unroll
      for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
        for (int i = 0; i < Plan::accumulators; ++i)
          acc[wave][i] = times(acc[wave][i], scale);
    }
}

/// Ahead of product number `product`, or behind the last one, negates the sums
/// whose sign changes there: those for which that product and the one before
/// are not both added or both subtracted. So each product is added to what has
/// its own sign, and in the end all sums have theirs.
template <class Plan>
WARPWRIGHT_DEVICE void
negate_sums(typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
            int product) {
  if constexpr (Plan::subtracted != 0) {
    constexpr int each = Plan::accumulators / Plan::sums; // registers
#pragma unroll
    for (int sum = 0; sum < Plan::sums; ++sum) {
      const unsigned signs = Plan::subtracted >> sum * Plan::products &
                             ((1u << Plan::products) - 1);
      if ((signs ^ signs << 1) >> product & 1)
#pragma unroll
        for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
          for (int i = 0; i < each; ++i) {
            typename Plan::accumulator &x = acc[wave][sum * each + i];
            x = negative(x);
          }
    }
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_MULTIPLY_CUH
