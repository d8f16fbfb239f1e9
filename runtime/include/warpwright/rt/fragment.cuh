//===- warpwright/rt/fragment.cuh - Rows rounded in registers --*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Float operands of which one part is enough (split.cuh), where the consumers
// take the rows operand from shared memory themselves, round it in registers,
// and wgmma reads it there. Only the columns are rewritten in shared memory.
//
// wgmma wants the rows in registers like this (PTX ISA, "Register Fragments and
// Shared Memory Matrix Layouts"): lane 4 g + t of warp w has, of 64 rows and 16
// slots along k, the rows 16 w + g and 8 below, and the slots 2 t, the next
// one, and those 8 further; two neighbours along k in a register:
//
//     [0]  row g, slot 2 t        [1]  row g + 8, slot 2 t
//     [2]  row g, slot 2 t + 8    [3]  row g + 8, slot 2 t + 8
//
// Which k is in which slot makes no difference to the sum of products, as long
// as rows and columns have the same there. So it is the one that costs nothing
// when rows are loaded, Plan::k_slot, and the transform writes the columns in
// that order.
//
// Its sums have the same rows. So all that a row needs, its scale and what is
// done about it, is known to the four lanes of a quad.
//
// Sums stay in the tensor cores until a scale changes, or for a window of
// stages. Then they are promoted: added to floats in local memory, without the
// scales, as are the products of blocks that the tensor cores cannot multiply.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FRAGMENT_CUH
#define WARPWRIGHT_RT_FRAGMENT_CUH

#include <warpwright/rt/split.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

// A lane's rounded rows of one stage are an array of such fours: those of the
// first 64 rows, one for each 16 of k, then those of the next.

/// Biased exponents of what undoes the scales of a lane's rows: for each 64
/// rows the upper row and the lower one.
template <class Plan> struct row_inverses {
  uint32_t of[Plan::waves][2];

  /// Those of 1, until there is something to scale.
  WARPWRIGHT_DEVICE row_inverses() {
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
      of[wave][0] = of[wave][1] = 127;
  }
};

/// ldmatrix.x4: four matrices of 8 rows of 16 bytes; lane l gives the address
/// of row l % 8 of matrix l / 8, and lane 4 g + t gets word t of row g of each.
/// For whole warps.
WARPWRIGHT_DEVICE uint4 load_matrix_x4(uint32_t address) {
  uint4 v;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
}

/// Where the loads of a lane of the consumer group `group` begin in a stage: of
/// K-major rows the row that it names to ldmatrix, of others its own elements.
template <class Plan> WARPWRIGHT_DEVICE uint32_t fragment_offset(int group) {
  using rows = typename Plan::rows;
  static_assert(Plan::k_steps == 2 && sizeof(typename rows::element) == 4 &&
                    rows::swizzle_bytes == 128,
                "lines of 32 floats");
  const int thread = threadIdx.x % 128, lane = thread % 32;
  const int first = group * Plan::group_rows + thread / 32 * 16; // a warp's row
  if constexpr (rows::k_major) {
    const int row = first + lane % 8, k = lane / 8 * 4;
    return rows::offset + raw_element<rows>(raw_row<rows>(0, row), k);
  } else {
    const int row = first + lane / 4, k = lane % 4 * 2;
    const int block = row / Plan::block_rows * Plan::block_bytes;
    return rows::offset + block +
           raw_element<rows>(raw_row<rows>(0, row % Plan::block_rows), k);
  }
}

/// The same value, which the compiler cannot compute again where it is wanted:
/// that would take longer than the register is worth.
WARPWRIGHT_DEVICE uint32_t keep_in_register(uint32_t value) {
  return __shfl_sync(0xffffffffu, value, static_cast<int>(threadIdx.x % 32));
}

/// A constant for instructions that have no room for it: ptxas would make it
/// anew for every second one. What a lane gets from another is not known to be
/// constant. For whole warps.
WARPWRIGHT_DEVICE uint32_t keep_constant(uint32_t value) {
  return __shfl_sync(0xffffffffu, value + threadIdx.x % 32, 0);
}

/// The elements that go into one lane's four registers, as pairs; `at` is
/// fragment_offset from the stage's address on. For whole warps.
template <class Plan>
WARPWRIGHT_DEVICE void load_fragment(float2 (&x)[4], uint32_t at, int wave,
                                     int step) {
  using rows = typename Plan::rows;
  if constexpr (rows::k_major) {
    // A matrix is one chunk of 8 rows, which the swizzle has put into different
    // banks; the four are all 16 of k.
#pragma unroll
    for (int lower = 0; lower < 2; ++lower) { // 8 rows
      const uint4 v = load_matrix_x4(
          (at ^ step * 64) + (wave * Plan::wave_rows + lower * 8) * 128);
      x[lower] = make_float2(__uint_as_float(v.x), __uint_as_float(v.y));
      x[lower + 2] = make_float2(__uint_as_float(v.z), __uint_as_float(v.w));
    }
  } else {
    // A line for each k: 32 rows, 16-byte chunks XORed with k % 8, which the
    // next k, always an odd one, flips in one bit, and 8 rows in another.
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int lower = i % 2, further = i / 2; // 8 rows, 8 of k
      const uint32_t upper =
          (at ^ lower * 32) + (step * 16 + further * 8) * 128 +
          wave * (Plan::wave_rows / Plan::block_rows) * Plan::block_bytes;
      x[i] = make_float2(__uint_as_float(load_shared_4(upper)),
                         __uint_as_float(load_shared_4((upper ^ 16) + 128)));
    }
  }
}

/// Whether one of a lane's elements of a stage that is not zero is too small to
/// be represented well. What is rounded does not tell: zeros are common, and
/// there may be smaller numbers among them. For whole warps, which load
/// together.
template <class Plan>
WARPWRIGHT_DEVICE bool any_small(uint32_t at,
                                 const row_inverses<Plan> &inverses) {
  bool small = false;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave) {
    uint32_t bottom[2] = {~0u, ~0u};
#pragma unroll 1
    for (int step = 0; step < Plan::k_steps; ++step) {
      float2 x[4];
      load_fragment<Plan>(x, at, wave, step);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        bottom[i % 2] = min(
            bottom[i % 2], min(twice_less_one(x[i].x), twice_less_one(x[i].y)));
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
      small |= is_small<typename Plan::rows>(
          bottom[i], static_cast<int>(inverses.of[wave][i]));
  }
  return small;
}

/// Rounds a lane's rows of a stage, for whole warps. True if some of the lane's
/// elements need a closer look.
template <class Plan, int fours>
WARPWRIGHT_DEVICE bool round_rows(uint32_t (&to)[fours][4], uint32_t at,
                                  const row_inverses<Plan> &inverses) {
#pragma unroll
  for (int step = 0; step < Plan::k_steps; ++step)
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave) {
      float2 x[4];
      load_fragment<Plan>(x, at, wave, step);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float factor = power_of_two(254 - inverses.of[wave][i % 2]);
        to[wave * Plan::k_steps + step][i] =
            pack_halves(x[i].x * factor, x[i].y * factor);
      }
    }
  uint32_t all[fours * 4];
#pragma unroll
  for (int i = 0; i < fours * 4; ++i)
    all[i] = to[i / 4][i % 4];
  constexpr int too_large = Plan::split::top_exponent + 1;
  const uint32_t worst = worst_half(all);
  bool odd = worst >= worst_from(too_large);
  // Behind one that seems too small there may be one that is too large.
  if (__any_sync(0xffffffffu, worst >= worst_below())) {
    uint32_t top, bottom;
    range_of_halves(all, top, bottom);
    odd = any_small<Plan>(at, inverses) || top >= half_bits(too_large);
  }
  return odd;
}

/// Chooses the scale of a row or column: the one that it has if that will do
/// (at the begin of a window, `fresh`, a better one), or else one for these
/// elements. True if no scale will do.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE bool choose_scale_anew(const magnitudes &x, bool fresh,
                                         row_scale &scale) {
  row_scale next = scale;
  bool raw = choose_scale<Plan, Operand>(x, fresh, next);
  if (raw && !fresh) {
    next = scale;
    raw = choose_scale<Plan, Operand>(x, true, next);
  }
  if (!raw)
    scale = next;
  return raw;
}

/// The close look at a lane's rows of a stage: the scales that they should
/// have. Returns a bit for each 64 rows, the same in the whole warp: those of
/// which some row cannot be represented.
template <class Plan>
WARPWRIGHT_DEVICE uint32_t look_at_rows(row_inverses<Plan> &inverses,
                                        uint32_t at, bool fresh) {
  uint32_t raw = 0;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave) {
    magnitudes of[2];
#pragma unroll
    for (int step = 0; step < Plan::k_steps; ++step) {
      float2 x[4];
      load_fragment<Plan>(x, at, wave, step);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        of[i % 2].add(x[i].x);
        of[i % 2].add(x[i].y);
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int lanes = 1; lanes < 4; lanes *= 2) {
        of[i].top =
            fmaxf(of[i].top, __shfl_xor_sync(0xffffffffu, of[i].top, lanes));
        of[i].bottom = min(of[i].bottom,
                           __shfl_xor_sync(0xffffffffu, of[i].bottom, lanes));
      }
      row_scale scale;
      scale.inverse = inverses.of[wave][i];
      if (choose_scale_anew<Plan, typename Plan::rows>(of[i], fresh, scale))
        raw |= 1u << wave;
      inverses.of[wave][i] = scale.inverse;
    }
  }
  return __reduce_or_sync(0xffffffffu, raw);
}

/// Whether a scale of this warp's rows is another one.
template <class Plan>
WARPWRIGHT_DEVICE bool differ(const row_inverses<Plan> &a,
                              const row_inverses<Plan> &b) {
  bool other = false;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
    other |= a.of[wave][0] != b.of[wave][0] || a.of[wave][1] != b.of[wave][1];
  return __any_sync(0xffffffffu, other);
}

/// Rows that the tensor cores shall not multiply, a bit for each 64, are zeros
/// for them.
template <class Plan, int fours>
WARPWRIGHT_DEVICE void clear_rows(uint32_t (&rows)[fours][4], uint32_t raw) {
#pragma unroll
  for (int four = 0; four < fours; ++four)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (raw >> four / Plan::k_steps & 1)
        rows[four][i] = 0;
}

// A flag of a block of columns.
constexpr uint32_t flag_raw = 1;      ///< it was left as it is
constexpr uint32_t flag_rescaled = 2; ///< a scale is not that of the last stage

/// One warp rounds the block of columns at `block` in place, a column each
/// lane, in the order of slots, and tells the scales and the flag. `fresh`: a
/// window begins.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE void round_block(uint32_t block, row_scale &scale, bool fresh,
                                   uint32_t scales, uint32_t flag) {
  const int lane = threadIdx.x % 32;
  float by_k[Plan::tile_k], x[Plan::tile_k];
  load_row<Operand>(by_k, raw_row<Operand>(block, lane));
#pragma unroll
  for (int k = 0; k < Plan::tile_k; ++k)
    x[Plan::k_slot(k)] = by_k[k];
  uint32_t high[Plan::tile_k / 2];
  bool raw = false, rescaled = false;
  // Seldom more than once. A loop, for two copies of its body need more
  // registers than there are.
#pragma unroll 1
  for (bool sure = false;; sure = true) {
    round_row(high, x, scale.factor());
    if (sure ||
        !__any_sync(0xffffffffu, looks_odd<typename Plan::split>(high, fresh)))
      break;
    magnitudes all;
#pragma unroll
    for (int slot = 0; slot < Plan::tile_k; ++slot)
      all.add(not_ahead(x[slot]));
    const uint32_t before = scale.inverse;
    raw = __any_sync(0xffffffffu,
                     choose_scale_anew<Plan, Operand>(all, fresh, scale));
    rescaled = __any_sync(0xffffffffu, scale.inverse != before);
    if (!rescaled)
      break;
  }
  // Other lanes may have read what this one is about to overwrite.
  __syncwarp();
  if (!raw)
    store_parts<Plan, Operand>(high, x, scale.factor(),
                               part_row<Operand>(block, lane));
  store_shared_1(scales + lane, scale.inverse);
  if (lane == 0)
    store_shared_1(flag, (raw ? flag_raw : 0) | (rescaled ? flag_rescaled : 0));
}

/// Whether any of a stage's blocks of columns has a flag; `flags` is where the
/// flags of the stage begin. The same in all lanes.
template <class Plan> WARPWRIGHT_DEVICE bool any_flag(uint32_t flags) {
  uint32_t any = 0;
  if constexpr (Plan::row_blocks % 4 == 0 && Plan::col_blocks % 4 == 0) {
#pragma unroll
    for (int i = 0; i < Plan::col_blocks; i += 4)
      any |= load_shared_4(flags + Plan::row_blocks + i);
  } else {
#pragma unroll
    for (int i = 0; i < Plan::col_blocks; ++i)
      any |= load_shared_1(flags + Plan::row_blocks + i);
  }
  return any != 0;
}

/// The flags of a stage's blocks of columns, one in each lane; `flags` is where
/// those of the stage begin.
template <class Plan> WARPWRIGHT_DEVICE uint32_t column_flag(uint32_t flags) {
  const int lane = threadIdx.x % 32;
  uint32_t flag = 0;
  if (lane < Plan::col_blocks)
    flag = load_shared_1(flags + Plan::row_blocks + lane);
  return flag;
}

/// Sums in local memory. Nobody knows their address, so that they cannot become
/// registers, of which there are none left.
template <class Plan> struct local_sums {
  float sum[Plan::waves * Plan::accumulators];

  WARPWRIGHT_DEVICE float *address() {
    float *at = sum;
    asm volatile("" : "+l"(at)::"memory");
    return at;
  }
  /// Zeros, unless there are `any` already.
  WARPWRIGHT_DEVICE float *begin(bool &any) {
    float *at = address();
    if (!any) {
#pragma unroll 1
      for (int i = 0; i < Plan::waves * Plan::accumulators; ++i)
        at[i] = 0;
    }
    any = true;
    return at;
  }
};

/// Calls f(wave, i, what undoes the scales of the row and of the column) for
/// each of a lane's sums.
template <class Plan, class Fragment, class Function>
WARPWRIGHT_DEVICE void for_each_scaled(const row_inverses<Plan> &inverses,
                                       uint32_t scales, const Function &f) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < Plan::accumulators; i += 4) {
    const uint32_t pair =
        load_shared_2(scales + Plan::tile_rows + Fragment::col(lane, i));
    const float col_inverse[2] = {power_of_two(pair & 0xff),
                                  power_of_two(pair >> 8)};
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        f(wave, i + j, power_of_two(inverses.of[wave][j / 2]),
          col_inverse[j % 2]);
  }
}

/// Moves what the tensor cores have summed up to `promoted`, without the
/// scales, and starts over; `any` tells that there is something. `scales` are
/// those of the last stage in it.
template <class Plan, class Fragment>
WARPWRIGHT_DEVICE void promote(local_sums<Plan> &promoted, bool &any,
                               float (&acc)[Plan::waves][Plan::accumulators],
                               const row_inverses<Plan> &inverses,
                               uint32_t scales) {
  float *to = promoted.begin(any);
  for_each_scaled<Plan, Fragment>(
      inverses, scales,
      [&](int wave, int i, float row_inverse, float col_inverse) {
        float &sum = to[wave * Plan::accumulators + i];
        sum = fmaf(acc[wave][i] * row_inverse, col_inverse, sum);
        acc[wave][i] = 0;
      });
}

/// The result: what has been promoted, and what the tensor cores have summed up
/// since, without the scales.
template <class Plan, class Fragment>
WARPWRIGHT_DEVICE void finish(float (&acc)[Plan::waves][Plan::accumulators],
                              local_sums<Plan> &promoted, bool any,
                              const row_inverses<Plan> &inverses,
                              uint32_t scales) {
  for_each_scaled<Plan, Fragment>(
      inverses, scales,
      [&](int wave, int i, float row_inverse, float col_inverse) {
        acc[wave][i] *= row_inverse;
        acc[wave][i] *= col_inverse;
      });
  if (any) {
    const float *more = promoted.address();
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int i = 0; i < Plan::accumulators; ++i)
        acc[wave][i] += more[wave * Plan::accumulators + i];
  }
}

/// Multiplies this warp's rows of one stage by ordinary float instructions:
/// those 64 of each whose bit is set in `waves`. `row` is the warp's first row
/// in the tile, raw_cols has a bit for each block of columns that is raw.
template <class Plan, class Fragment>
WARPWRIGHT_DEVICE void multiply_rows(local_sums<Plan> &promoted, bool &any,
                                     uint32_t waves, uint32_t raw_cols, int row,
                                     uint32_t stage, uint32_t scales) {
  using rows = typename Plan::rows;
  using cols = typename Plan::cols;
  constexpr int run = Plan::accumulators / Plan::col_blocks;
  const int lane = threadIdx.x % 32;
  float *to = promoted.begin(any);
  const auto row_at = [&](int r) {
    return raw_row<rows>(stage + rows::offset +
                             r / Plan::block_rows * Plan::block_bytes,
                         r % Plan::block_rows);
  };
  // A few sums at a time: those of the tensor cores have the registers.
  constexpr int few = 4;
#pragma unroll 1
  for (int part = 0; part < Plan::waves * Plan::accumulators / few; ++part) {
    const int wave = part / (Plan::accumulators / few);
    const int first = part % (Plan::accumulators / few) * few;
    if (!(waves >> wave & 1))
      continue;
    const int block = first / run;
    const bool raw = raw_cols >> block & 1;
    const int upper = row + wave * Plan::wave_rows + Fragment::row(lane, 0);
    const uint32_t upper_at = row_at(upper), lower_at = row_at(upper + 8);
    const uint32_t col_block = stage + cols::offset + block * Plan::block_bytes;
    const uint32_t col_scales =
        scales + Plan::tile_rows + block * Plan::block_rows;
    float *const part_at = to + wave * Plan::accumulators + first;
    // On top of what there is, in the order of k: an infinity then stays one.
    float sum[few];
#pragma unroll
    for (int i = 0; i < few; ++i)
      sum[i] = part_at[i];
#pragma unroll 1
    for (int k = 0; k < Plan::tile_k; ++k) {
      const float x[2] = {
          load_element<typename rows::element>(raw_element<rows>(upper_at, k)),
          load_element<typename rows::element>(raw_element<rows>(lower_at, k))};
#pragma unroll
      for (int i = 0; i < few; ++i) {
        if (i % 4 > 1) // the row below, together with the upper one
          continue;
        const int col = Fragment::col(lane, first % run + i);
        float y;
        if (raw)
          y = load_element<typename cols::element>(
              raw_element<cols>(raw_row<cols>(col_block, col), k));
        else
          y = load_element<__half>(
                  part_element(part_row<cols>(col_block, col),
                               static_cast<int>(Plan::k_slot(k)), 0)) *
              power_of_two(load_shared_1(col_scales + col));
        sum[i] = fmaf(x[0], y, sum[i]);
        sum[i + 2] = fmaf(x[1], y, sum[i + 2]);
      }
    }
#pragma unroll
    for (int i = 0; i < few; ++i)
      part_at[i] = sum[i];
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FRAGMENT_CUH
