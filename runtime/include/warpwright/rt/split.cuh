//===- warpwright/rt/split.cuh - Float operands as fp16 parts --*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor cores multiply 16-bit numbers. An operand of floats, or of another
// type than its partner, is rewritten in shared memory between TMA and wgmma:
//
//     x * scale = high + low / 2^low_shift,     high and low in fp16,
//
// or high alone where 11 bits are wanted or enough. The scale is a power of two
// of each row (of A or B, along k) that stays for a window of stages. What the
// tensor cores add up in a window is multiplied by the inverse scales and added
// to sums in float.
//
// A warp rewrites blocks of 32 rows in place. A block with elements that the
// parts cannot represent (infinities, magnitudes too far apart) stays raw, and
// what it takes part in is multiplied by ordinary float instructions.
//
// Operand is a plan's `rows` or `cols`: `element`, the raw stage as TMA writes
// it (k_major, box_inner, swizzle_bytes), of which each may have several
// numbers along k that are computed apart, and in Operand::parts how many parts
// there are and where the low ones lie. Plan::split has the exponents.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SPLIT_CUH
#define WARPWRIGHT_RT_SPLIT_CUH

#include <type_traits>
#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/shared_elements.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// 2^exponent, from a biased exponent.
WARPWRIGHT_DEVICE float power_of_two(uint32_t biased) {
  return __uint_as_float(biased << 23);
}

/// Where row `row` of a block begins whose rows are `span` bytes: TMA and wgmma
/// XOR the number of each 16-byte chunk with the number of the 128-byte line,
/// or as much of it as the span has chunks. The block is aligned, so the byte
/// `inner` of the row lies at this address XOR `inner`.
template <int span>
WARPWRIGHT_DEVICE uint32_t swizzled_row(uint32_t block, int row) {
  const int line = row * span;
  return block + line + (line >> 3 & (span - 16));
}

/// An operand whose factors are computed from its elements: what of a block
/// that stays raw is left in shared memory, floats along k in lines of 128
/// bytes, whatever the elements were.
template <class Operand> struct computed_lines : Operand {
  using element = float;
  static constexpr bool k_major = true;
  static constexpr int swizzle_bytes = 128;
};
template <class Operand, class = void> struct left_raw_of {
  using type = Operand;
};
template <class Operand>
struct left_raw_of<Operand, std::enable_if_t<Operand::computed>> {
  using type = computed_lines<Operand>;
};
/// What a block of `Operand` that stays raw is one of.
template <class Operand> using left_raw = typename left_raw_of<Operand>::type;

/// Where row `row` of a raw block begins.
template <class Operand>
WARPWRIGHT_DEVICE uint32_t raw_row(uint32_t block, int row) {
  if constexpr (Operand::k_major)
    return swizzled_row<Operand::swizzle_bytes>(block, row);
  else
    return block + row * static_cast<int>(sizeof(typename Operand::element));
}
/// Element k of such a row.
template <class Operand>
WARPWRIGHT_DEVICE uint32_t raw_element(uint32_t row, int k) {
  constexpr int size = sizeof(typename Operand::element);
  if constexpr (Operand::k_major)
    return row ^ k * size;
  else if constexpr (Operand::swizzle_bytes > 16) // lines of 128 bytes, one k
    return (row ^ (k << 4 & (Operand::swizzle_bytes - 16))) + k * 128;
  else
    return row + k * (Operand::box_inner * size);
}

/// The same of the parts, where `first` is 0 or, for low ones, low_bytes.
template <class Operand>
WARPWRIGHT_DEVICE uint32_t part_row(uint32_t block, int row) {
  return swizzled_row<Operand::parts::swizzle_bytes>(block, row);
}
WARPWRIGHT_DEVICE uint32_t part_element(uint32_t row, int k, int first) {
  return row ^ (first + k * static_cast<int>(sizeof(__half)));
}

/// The elements of one row of a raw block.
template <class Operand, int count>
WARPWRIGHT_DEVICE void load_row(float (&x)[count], uint32_t row) {
  using element = typename Operand::element;
  if constexpr (Operand::k_major) {
    constexpr int chunk = 16 / sizeof(element);
#pragma unroll
    for (int k = 0; k < count; k += chunk)
      load_elements<element, chunk>(x + k, raw_element<Operand>(row, k));
  } else {
#pragma unroll
    for (int k = 0; k < count; ++k)
      x[k] = load_element<element>(raw_element<Operand>(row, k));
  }
}

/// The bits of the elements of one row, of which each has several numbers.
template <class Operand, int count>
WARPWRIGHT_DEVICE void load_bits(uint32_t (&bits)[count], uint32_t row) {
  constexpr int size = sizeof(typename Operand::element);
  if constexpr (Operand::k_major) {
    static_assert(count * size == 16, "a chunk");
    const uint4 v = load_shared_16(row);
    const uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < count; ++k)
      bits[k] = words[k * size / 4] >> k * size % 4 * 8 &
                (size == 4 ? ~0u : (1u << size % 4 * 8) - 1);
  } else {
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const uint32_t at = raw_element<Operand>(row, k);
      bits[k] = size == 4   ? load_shared_4(at)
                : size == 2 ? load_shared_2(at)
                            : load_shared_1(at);
    }
  }
}

/// The scale of one row, which its lane keeps from stage to stage.
struct row_scale {
  uint32_t inverse = 127; ///< biased exponent of what undoes it
  bool unused = true;     ///< in this window: all zeros so far
  /// Biased exponent of an element that was too large for it: the next scale is
  /// for such elements as well. Rows with few elements other than zero would
  /// otherwise stay raw again and again.
  int outgrown = 0;

  WARPWRIGHT_DEVICE float factor() const { return power_of_two(254 - inverse); }
};

/// The elements of a row, scaled and rounded to fp16.
template <int count>
WARPWRIGHT_DEVICE void round_row(uint32_t (&high)[count / 2],
                                 const float (&x)[count], float factor) {
#pragma unroll
  for (int i = 0; i < count / 2; ++i)
    high[i] = pack_halves(x[2 * i] * factor, x[2 * i + 1] * factor);
}

/// fp16's bits of 2^exponent.
WARPWRIGHT_DEVICE constexpr uint32_t half_bits(int exponent) {
  return static_cast<uint32_t>(exponent + 15) << 10;
}

/// Powers of two by which a row's largest element may fall short of what its
/// scale was chosen for before it gets another.
constexpr int kept_exponents = 6;

/// The largest and the smallest magnitude among pairs of halves, as bits.
template <int words>
WARPWRIGHT_DEVICE void range_of_halves(const uint32_t (&pairs)[words],
                                       uint32_t &top, uint32_t &bottom) {
  top = 0, bottom = 0x7fff7fff;
#pragma unroll
  for (int i = 0; i < words; i += 2) {
    const uint32_t first = pairs[i] & 0x7fff7fff;
    const uint32_t second = pairs[i + 1] & 0x7fff7fff;
    top = __vimax3_u16x2(top, first, second);
    bottom = __vimin3_u16x2(bottom, first, second);
  }
  top = max(top & 0xffff, top >> 16);
  bottom = min(bottom & 0xffff, bottom >> 16);
}

// The guard of what is rounded is one number, the worst of some halves. Twice
// the bits of a half less twice those of 2^-14, without a sign bit: greater
// halves have greater numbers, but halves below 2^-14, zeros included, wrap
// around and lie above all others.
//
// Two are computed at once in a word. Into the upper one go the sign of the
// lower one, which doubling moves there, and its borrow: one more or one less.
// One more takes nothing across a threshold, as the numbers and the thresholds
// are even. One less does, but only a half below 2^-14 borrows, and then its
// own number says that there is such a one, whatever became of the upper one.
// So the worst number tells whether some half is below 2^-14, and if none is,
// whether some are too large.

/// In the upper 16 bits; what the others are changes no comparison with a
/// threshold. `pairs` are rounded elements.
template <int words>
WARPWRIGHT_DEVICE uint32_t worst_half(const uint32_t (&pairs)[words]) {
  constexpr uint32_t least = half_bits(-14) << 16 | half_bits(-14);
  uint32_t worst = 0;
#pragma unroll
  for (int i = 0; i < words; i += 2)
    worst = __vimax3_u16x2(worst, 2 * pairs[i] - 2 * least,
                           2 * pairs[i + 1] - 2 * least);
  return max(worst, worst << 16);
}

/// What worst_half is at least if a half is 2^exponent or more, and if one is
/// below 2^-14.
WARPWRIGHT_DEVICE constexpr uint32_t worst_from(int exponent) {
  return 2 * (half_bits(exponent) - half_bits(-14)) << 16;
}
WARPWRIGHT_DEVICE constexpr uint32_t worst_below() {
  return (0u - 2 * half_bits(-14)) << 16;
}

/// Whether a rounded row needs a closer look: infinities, NaN, and whatever is
/// not represented well. Zeros do as well: they may have been other numbers.
/// `fresh`: its scale could be another, and should be when it wastes exponents.
template <class Split, int words>
WARPWRIGHT_DEVICE bool looks_odd(const uint32_t (&high)[words], bool fresh) {
  const uint32_t worst = worst_half(high);
  return worst >= worst_from(Split::top_exponent + 1) ||
         (fresh && worst < worst_from(Split::scale_exponent - kept_exponents));
}

/// Orders elements by magnitude, but for zero, which comes last: twice the bits
/// less one.
WARPWRIGHT_DEVICE uint32_t twice_less_one(float x) {
  return 2 * __float_as_uint(x) - 1;
}

/// Whether an element, given by twice_less_one, is smaller than what the parts
/// represent well under a scale that `inverse`, a biased exponent, undoes.
template <class Operand>
WARPWRIGHT_DEVICE bool is_small(uint32_t element, int inverse) {
  return element <
         (static_cast<uint32_t>(inverse + Operand::parts::least_exponent)
          << 24) -
             1;
}

/// The same value, for what a branch does with it: otherwise the compiler
/// computes that ahead of the branch, for every stage where it is wanted for
/// few.
WARPWRIGHT_DEVICE float not_ahead(float x) {
  asm volatile("" : "+f"(x));
  return x;
}

/// The magnitudes of some elements.
struct magnitudes {
  float top = 0;         ///< the greatest; NaNs do not count
  uint32_t bottom = ~0u; ///< the least but zero, by twice_less_one

  WARPWRIGHT_DEVICE void add(float x) {
    top = fmaxf(top, fabsf(x)); // ignores NaN
    bottom = min(bottom, twice_less_one(x));
  }
};

/// Chooses the scale of a row if it has been all zeros in this window and the
/// one that it has is of no use, and says whether its parts would not do. NaNs
/// are no obstacle: they stay NaN in the parts, and make the whole row of the
/// result NaN as ever.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE bool choose_scale(const magnitudes &x, bool fresh,
                                    row_scale &scale) {
  using split = typename Plan::split;
  const float top = x.top;
  const uint32_t bottom = x.bottom;
  int exponent = static_cast<int>(__float_as_uint(top) >> 23);
  if (fresh && top > 0) {
    // But not for a lone element that leaves no room for the others.
    constexpr int far = 12;
    if (scale.outgrown <= exponent + far)
      exponent = max(exponent, scale.outgrown);
    scale.outgrown = 0;
  }
  scale.unused = fresh && top == 0;
  // What suits is kept: of a row with few elements that are not zero, the first
  // ones say less about the rest than the scale of the windows before.
  const int kept = static_cast<int>(scale.inverse);
  const bool suits = exponent <= kept + split::top_exponent &&
                     exponent >= kept + split::scale_exponent - kept_exponents;
  if (fresh && top > 0 && !suits) {
    // Undoing the scales of a row and a column must not overflow or underflow
    // on the way. Nor may a product, or a sum of 2^31 of them, that overflows
    // where the original adds it: with parts it would not, and infinities
    // would be missing, or NaNs. So elements from 2^48 on are left raw.
    constexpr int middle = 127 - split::scale_exponent;
    constexpr int greatest =
        split::range_exponent < 45 ? split::range_exponent : 45;
    scale.inverse =
        max(exponent - split::scale_exponent, middle - split::range_exponent);
    scale.inverse = min(static_cast<int>(scale.inverse), middle + greatest);
  }
  const int inverse = static_cast<int>(scale.inverse);
  constexpr int infinite = 255;
  if (exponent > inverse + split::top_exponent && exponent < infinite)
    scale.outgrown = exponent;
  return exponent > inverse + split::top_exponent ||
         is_small<Operand>(bottom, inverse);
}

template <class Plan, class Operand, int count>
WARPWRIGHT_DEVICE bool choose_scale(const float (&x)[count], bool fresh,
                                    row_scale &scale) {
  // Only floats: elements of 16 bits would be kept as floats for it, and spill.
  constexpr bool is_float = sizeof(typename left_raw<Operand>::element) == 4;
  magnitudes all;
#pragma unroll
  for (int k = 0; k < count; ++k)
    all.add(is_float ? not_ahead(x[k]) : x[k]);
  return choose_scale<Plan, Operand>(all, fresh, scale);
}

/// Writes one row of parts: those in `high`, and what they lack to the scaled
/// elements.
template <class Plan, class Operand, int count>
WARPWRIGHT_DEVICE void store_parts(const uint32_t (&high)[count / 2],
                                   const float (&x)[count], float factor,
                                   uint32_t row) {
  using parts = typename Operand::parts;
  constexpr int words = 4; // of a 16-byte chunk
#pragma unroll
  for (int i = 0; i < count / 2; i += words) {
    store_shared_16(part_element(row, 2 * i, 0), high + i);
    if constexpr (parts::count == 2) {
      const float low_factor = power_of_two(127 + Plan::split::low_shift);
      uint32_t low[words];
#pragma unroll
      for (int j = 0; j < words; ++j) {
        const float2 rounded = unpack_pair<__half>(high[i + j]);
        const int k = 2 * (i + j);
        low[j] = pack_halves(fmaf(x[k], factor, -rounded.x) * low_factor,
                             fmaf(x[k + 1], factor, -rounded.y) * low_factor);
      }
      store_shared_16(part_element(row, 2 * i, parts::low_bytes), low);
    }
  }
}

/// Leaves a block as it is, or the computed factors in their rows. Behind
/// elements that are smaller than their parts there are to be zeros: the tensor
/// cores read all of it, though nobody wants to know the products.
template <class Plan, class Operand, int count>
WARPWRIGHT_DEVICE void leave_raw(const float (&x)[count], uint32_t block,
                                 int lane) {
  if constexpr (!std::is_same<left_raw<Operand>, Operand>::value) {
    const uint32_t row = raw_row<left_raw<Operand>>(block, lane);
#pragma unroll
    for (int k = 0; k < count; k += 4) {
      uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        words[i] = __float_as_uint(x[k + i]);
      store_shared_16(raw_element<left_raw<Operand>>(row, k), words);
    }
    return;
  }
  constexpr int raw_bytes =
      Plan::block_rows * Plan::tile_k * sizeof(typename Operand::element);
  const uint32_t zeros[4] = {0, 0, 0, 0};
#pragma unroll 1
  for (int at = raw_bytes + lane * 16; at < Plan::block_bytes; at += 32 * 16)
    store_shared_16(block + at, zeros);
}

/// Of a row of elements, as they are loaded: floats of the same values.
template <class Operand, int count>
WARPWRIGHT_DEVICE typename Operand::element
element_of(const float (&from)[count], int k) {
  return as_element<typename Operand::element>(from[k]);
}
/// Or, where each has several numbers, their bits.
template <class Operand, int count>
WARPWRIGHT_DEVICE typename Operand::element
element_of(const uint32_t (&from)[count], int k) {
  return static_cast<typename Operand::element>(from[k / Operand::numbers]);
}

/// The factors that `compute` makes of each element of a row, `from`, and of
/// its k; zeros from `end` on. `x` may be `from`.
template <class Operand, int count, class From, class Compute>
WARPWRIGHT_DEVICE void compute_factors(float (&x)[count], const From &from,
                                       int end, const Compute &compute) {
  if (end >= count) {
#pragma unroll
    for (int k = 0; k < count; ++k)
      x[k] = compute(element_of<Operand>(from, k), k);
    return;
  }
  // The end of the matrix is met once in a row: in a loop, and so in local
  // memory, to keep the code short and the registers free.
  From elements;
  memcpy(&elements, &from, sizeof(from));
  float rest[count] = {};
#pragma unroll 1
  for (int k = 0; k < end; ++k)
    rest[k] = compute(element_of<Operand>(elements, k), k);
#pragma unroll
  for (int k = 0; k < count; ++k)
    x[k] = rest[k];
}

/// For factors that are the elements themselves.
struct as_loaded {
  template <class Row>
  WARPWRIGHT_DEVICE void operator()(Row &, const Row &) const {}
};

/// One warp rewrites the block at `block`, a row each lane, and tells the
/// scales and, by a flag, whether it stayed raw. `first`: the window begins.
/// `compute` makes the factors of a row of its elements.
template <class Plan, class Operand, class Compute = as_loaded>
WARPWRIGHT_DEVICE void split_block(uint32_t block, row_scale &scale, bool first,
                                   uint32_t scales, uint32_t flag,
                                   const Compute &compute = Compute()) {
  const int lane = threadIdx.x % 32;
  float x[Plan::tile_k];
  if constexpr (Operand::numbers > 1) {
    uint32_t elements[Plan::tile_k / Operand::numbers];
    load_bits<Operand>(elements, raw_row<Operand>(block, lane));
    compute(x, elements);
  } else {
    load_row<Operand>(x, raw_row<Operand>(block, lane));
    compute(x, x);
  }
  uint32_t high[Plan::tile_k / 2];
  bool raw = false;
  const bool fresh = first || scale.unused;
  scale.unused = false;
  // Seldom more than once: when rows get a scale, and where there are zeros. A
  // loop, for two copies of its body need more registers than there are.
#pragma unroll 1
  for (bool sure = false;; sure = true) {
    round_row(high, x, scale.factor());
    if (sure ||
        !__any_sync(0xffffffffu, looks_odd<typename Plan::split>(high, fresh)))
      break;
    const uint32_t before = scale.inverse;
    raw = __any_sync(0xffffffffu, choose_scale<Plan, Operand>(x, fresh, scale));
    if (!__any_sync(0xffffffffu, scale.inverse != before))
      break;
  }
  // Other lanes may have read what this one is about to overwrite.
  __syncwarp();
  if (!raw)
    store_parts<Plan, Operand>(high, x, scale.factor(),
                               part_row<Operand>(block, lane));
  else
    leave_raw<Plan, Operand>(x, block, lane);
  store_shared_1(scales + lane, scale.inverse);
  if (lane == 0)
    store_shared_1(flag, raw);
}

/// A thread of the transform is done with a stage: wgmma, which reads it
/// through another proxy, and the consumers' ordinary loads may come.
WARPWRIGHT_DEVICE void publish_stage(uint64_t *ready) {
  fence_async_shared();
  barrier_arrive(ready);
}

/// `count`, but no more than `limit`.
WARPWRIGHT_DEVICE int at_most(int limit, int count) {
  return count < limit ? count : limit;
}

/// The blocks of a stage that are raw, one bit each: those of the rows operand
/// first.
template <class Plan> WARPWRIGHT_DEVICE uint32_t raw_blocks(uint32_t flags) {
  const int lane = threadIdx.x % 32;
  uint32_t raw = 0;
  if (lane < Plan::row_blocks + Plan::col_blocks)
    raw = load_shared_1(flags + lane);
  return __ballot_sync(0xffffffffu, raw != 0);
}

template <int waves, int registers>
WARPWRIGHT_DEVICE void clear(float (&sum)[waves][registers]) {
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < registers; ++i)
      sum[wave][i] = 0;
}

/// Sums of products with a low part, in units of those of high parts.
template <class Plan, int waves, int registers>
WARPWRIGHT_DEVICE void scale_low_products(float (&acc)[waves][registers]) {
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < registers; ++i)
      acc[wave][i] *= power_of_two(127 - Plan::split::low_shift);
}

// The sums of a consumer's thread, by Fragment: values 4 j .. 4 j + 3 are two
// neighbours in one row and the two of another row below them, and each 32
// columns have a run of values of their own.

/// The first row of this warp's sums among its consumer's.
template <class Fragment> WARPWRIGHT_DEVICE int warp_row() {
  const int first = threadIdx.x % 128 / 32 * 32;
  return __shfl_sync(0xffffffffu, static_cast<int>(Fragment::row(first, 0)), 0);
}

/// Of the raw blocks of a tile, those that this warp's sums take part in: a bit
/// for each 32 columns. `row` is the first of its rows.
template <class Plan>
WARPWRIGHT_DEVICE uint32_t raw_columns(uint32_t raw, int row) {
  return raw >> row / Plan::block_rows & 1 ? ~0u : raw >> Plan::row_blocks;
}

/// Adds what the tensor cores have summed up over a window to `sum`, without
/// the scales, but in the blocks of columns in `raw`. `row` is the first of the
/// warp's rows in the tile, `scales` those of the window's last stage.
template <class Plan, class Fragment, int registers>
WARPWRIGHT_DEVICE void promote(float (&sum)[registers],
                               const float (&acc)[registers], uint32_t raw,
                               int row, uint32_t scales) {
  constexpr int run = registers / Plan::col_blocks;
  const unsigned lane = threadIdx.x % 32;
  float row_inverse[2];
#pragma unroll
  for (int i = 0; i < 2; ++i)
    row_inverse[i] =
        power_of_two(load_shared_1(scales + row + Fragment::row(lane, 2 * i)));
#pragma unroll
  for (int block = 0; block < Plan::col_blocks; ++block) {
    if (raw >> block & 1)
      continue;
#pragma unroll
    for (int i = block * run; i < (block + 1) * run; i += 4) {
      const uint32_t pair =
          load_shared_2(scales + Plan::tile_rows + Fragment::col(lane, i));
      const float col_inverse[2] = {power_of_two(pair & 0xff),
                                    power_of_two(pair >> 8)};
#pragma unroll
      for (int j = 0; j < 4; ++j)
        sum[i + j] = fmaf(acc[i + j] * row_inverse[j / 2], col_inverse[j % 2],
                          sum[i + j]);
    }
  }
}

/// Four elements of the row that begins at `row`, from k on: raw ones, or what
/// the parts stand for. `further` counts rows from there, a multiple of 8: the
/// swizzle is the same.
template <class Plan, class Operand>
WARPWRIGHT_DEVICE void load_quad(float (&x)[4], uint32_t row, int further,
                                 int k, bool raw, float inverse) {
  using element = typename Operand::element;
  using parts = typename Operand::parts;
  if (raw) {
    const uint32_t first =
        raw_element<Operand>(row, k) + raw_row<Operand>(0, further);
    if constexpr (Operand::k_major) {
      load_elements<element, 4>(x, first);
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        x[i] = load_element<element>(raw_element<Operand>(first, i));
    }
  } else {
    const uint32_t skip = part_row<Operand>(0, further);
    load_elements<__half, 4>(x, part_element(row, k, 0) + skip);
    float low[4] = {0, 0, 0, 0};
    if constexpr (parts::count == 2)
      load_elements<__half, 4>(low,
                               part_element(row, k, parts::low_bytes) + skip);
    const float low_inverse =
        inverse * power_of_two(127 - Plan::split::low_shift);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      x[i] *= inverse;
      if constexpr (parts::count == 2)
        x[i] = fmaf(low[i], low_inverse, x[i]);
    }
  }
}

/// Adds one stage's products of this warp's rows, from `row` on, and the
/// columns of `block` to `sum`, by float instructions.
template <class Plan, class Fragment, bool raw_cols, int registers>
WARPWRIGHT_DEVICE void multiply_block(float (&sum)[registers], int row,
                                      int block, bool raw_rows, uint32_t stage,
                                      uint32_t scales) {
  using rows = left_raw<typename Plan::rows>;
  using cols = left_raw<typename Plan::cols>;
  constexpr int run = registers / Plan::col_blocks;
  int lane = threadIdx.x % 32;
  make_opaque(lane); // no addresses that wait in registers for their block
  const int first = block * run;
  const uint32_t row_block =
      stage + rows::offset + row / Plan::block_rows * Plan::block_bytes;
  const uint32_t col_block = stage + cols::offset + block * Plan::block_bytes;
  const int my_row = row % Plan::block_rows + Fragment::row(lane, 0);
  const uint32_t row_at = raw_rows ? raw_row<rows>(row_block, my_row)
                                   : part_row<rows>(row_block, my_row);
  uint32_t col_at[2];
  float row_inverse[2], col_inverse[run / 2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int my_col = Fragment::col(lane, i);
    col_at[i] = raw_cols ? raw_row<cols>(col_block, my_col)
                         : part_row<cols>(col_block, my_col);
    row_inverse[i] =
        power_of_two(load_shared_1(scales + row + Fragment::row(lane, 2 * i)));
  }
  scales += Plan::tile_rows + block * Plan::block_rows;
#pragma unroll
  for (int i = 0; i < run / 2; ++i)
    col_inverse[i] = power_of_two(
        load_shared_1(scales + Fragment::col(lane, i / 2 * 4 + i % 2)));
#pragma unroll 1
  for (int k = 0; k < Plan::tile_k; k += 4) {
    float x[2][4];
#pragma unroll
    for (int i = 0; i < 2; ++i)
      load_quad<Plan, rows>(x[i], row_at, Fragment::row(0, 2 * i), k, raw_rows,
                            row_inverse[i]);
#pragma unroll
    for (int i = 0; i < run / 2; ++i) {
      const int value = i / 2 * 4 + i % 2; // the one below it is two later
      float y[4];
      load_quad<Plan, cols>(y, col_at[i % 2], Fragment::col(0, i / 2 * 4), k,
                            raw_cols, col_inverse[i]);
#pragma unroll
      for (int step = 0; step < 4; ++step) {
        float &upper = sum[first + value], &lower = sum[first + value + 2];
        upper = fmaf(x[0][step], y[step], upper);
        lower = fmaf(x[1][step], y[step], lower);
      }
    }
  }
}

/// Adds the products of a window of `stages` stages, from `at` on, to the sums
/// of this warp's rows, from `row` on, in the blocks of columns in `raw`.
template <class Plan, class Fragment, int registers>
WARPWRIGHT_DEVICE void multiply_raw(float (&sum)[registers], uint32_t raw,
                                    int row, uint32_t shared, ring at,
                                    int stages) {
#pragma unroll 1
  for (int i = 0; i < stages; ++i) {
    const uint32_t stage = shared + at.stage * Plan::stage_bytes;
    const uint32_t scales =
        shared + Plan::scale_offset + at.stage * Plan::scale_stage_bytes;
    const uint32_t blocks = raw_blocks<Plan>(shared + Plan::flag_offset +
                                             at.stage * Plan::flag_stage_bytes);
    const bool raw_rows = blocks >> row / Plan::block_rows & 1;
#pragma unroll
    for (int block = 0; block < Plan::col_blocks; ++block) {
      if (!(raw >> block & 1))
        continue;
      if (blocks >> (Plan::row_blocks + block) & 1)
        multiply_block<Plan, Fragment, true>(sum, row, block, raw_rows, stage,
                                             scales);
      else
        multiply_block<Plan, Fragment, false>(sum, row, block, raw_rows, stage,
                                              scales);
    }
    at.advance<Plan::stages>();
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SPLIT_CUH
