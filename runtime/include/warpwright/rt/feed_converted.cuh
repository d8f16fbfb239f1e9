//===- feed_converted.cuh - Rows converted in registers ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Feed for rows of one byte an element, weights for example, and
// columns of 16-bit floats. The consumers load the bytes of their rows and
// convert them in registers to numbers of the columns' type that have the same
// values; wgmma reads them there, and the columns in shared memory, where both
// are as TMA wrote them.
//
// Lane 4 g + t of a warp has, of 16 rows by 16 of k, rows g and g + 8 and for
// each k = 2 t, the next one, and those 8 further (fragment.cuh). Where rows
// lie along k, a lane loads the two bytes of such a pair at once. Where they do
// not, ldmatrix turns matrices of 8 k by 16 bytes, as 8 by 8 pairs of bytes: a
// lane gets rows 2 g and 2 g + 1 of k = 2 t and of the next one. It hands them
// to wgmma as rows g and g + 8, and when a tile's products are done the lanes
// exchange their sums (row_of_slot in plan.cuh).
//
// Of two integers of four bits in a byte, neighbours along k, k counts bytes,
// and the columns are pairs of numbers. A byte is one register of a lane then,
// which takes it out of a word that the four lanes of a row all load.
//
// A zero point is subtracted from the converted numbers, which have room for
// the difference. A scale multiplies a sum: where it belongs to a group along
// k, the sums of each group leave the tensor cores, are multiplied by it, and
// are added to floats in ordinary registers. The epilogue's struct knows both:
// zero_of_row(row, k, batch) and scale_of_row(row, k, batch), and group_size()
// where that is an argument (groups.cuh).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_FEED_CONVERTED_CUH
#define WARPWRIGHT_RT_FEED_CONVERTED_CUH

#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/fragment.cuh>
#include <warpwright/rt/groups.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/multiply.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/split.cuh>
#include <warpwright/rt/wgmma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// Two 16-bit floats in a register, as the pair that they are, and back.
template <class Pair> WARPWRIGHT_DEVICE Pair pair_of(uint32_t bits) {
  Pair pair;
  memcpy(&pair, &bits, sizeof(pair));
  return pair;
}
template <class Pair> WARPWRIGHT_DEVICE uint32_t bits_of(const Pair &pair) {
  uint32_t bits;
  memcpy(&bits, &pair, sizeof(bits));
  return bits;
}

/// converted<From, To>::pair<selector>(bytes, kept) has two of the four bytes,
/// of type From, as To: `selector` is that of __byte_perm which puts each into
/// the low half of 16 bits, beside byte 4, the high half, and `kept` a register
/// with the constant `to_keep`. Every step is exact.
template <class From, class To> struct converted;

// With the high byte of 1024 in front of it, a byte x is 1024 + x.
template <> struct converted<unsigned char, __half> {
  static constexpr uint32_t to_keep = 0x64u;
  template <int selector>
  static WARPWRIGHT_DEVICE uint32_t pair(uint32_t x, uint32_t kept) {
    const uint32_t y = __byte_perm(x, kept, selector);
    return bits_of(__hsub2(pair_of<__half2>(y), pair_of<__half2>(0x64006400u)));
  }
};
// With its sign bit flipped, a byte is x + 128.
template <> struct converted<signed char, __half> {
  static constexpr uint32_t to_keep = 0x64u;
  template <int selector>
  static WARPWRIGHT_DEVICE uint32_t pair(uint32_t x, uint32_t kept) {
    const uint32_t y = __byte_perm(x ^ 0x80808080u, kept, selector);
    return bits_of(__hsub2(pair_of<__half2>(y), pair_of<__half2>(0x64806480u)));
  }
};
// bfloat16 has 7 bits behind the point: with the high byte of 128 in front of
// it, the low 7 bits of a byte are 128 + those, and its sign bit alone makes
// 256 of 128. The difference is the byte's value.
template <> struct converted<signed char, __nv_bfloat16> {
  static constexpr uint32_t to_keep = 0x43u;
  template <int selector>
  static WARPWRIGHT_DEVICE uint32_t pair(uint32_t x, uint32_t kept) {
    const uint32_t y = __byte_perm(x, kept, selector);
    return bits_of(__hsub2(pair_of<__nv_bfloat162>(y & 0xff7fff7fu),
                           pair_of<__nv_bfloat162>(y & 0xff80ff80u)));
  }
};
template <> struct converted<unsigned char, __nv_bfloat16> {
  static constexpr uint32_t to_keep = 0x43u;
  template <int selector>
  static WARPWRIGHT_DEVICE uint32_t pair(uint32_t x, uint32_t kept) {
    const uint32_t y = converted<signed char, __nv_bfloat16>::pair<selector>(
        x ^ 0x80808080u, kept);
    return bits_of(__hadd2(pair_of<__nv_bfloat162>(y),
                           pair_of<__nv_bfloat162>(0x43004300u)));
  }
};

// Floats of 8 bits are halves (shared_elements.cuh), and bfloat16 numbers, too.
template <class From> struct converted_float8 {
  static constexpr uint32_t to_keep = 0; // nothing
  /// The two bytes that `selector` names, in the low half.
  template <int selector> static WARPWRIGHT_DEVICE uint32_t halves(uint32_t x) {
    constexpr int both = (selector >> 8 & 15) << 4 | (selector & 15);
    if constexpr (both != 0x10) // else they are there
      x = __byte_perm(x, 0, 0x4400 | both);
    return halves_of(x, static_cast<From *>(nullptr));
  }
  template <int selector>
  static WARPWRIGHT_DEVICE uint32_t pair(uint32_t x, uint32_t) {
    return halves<selector>(x);
  }
};
template <class From>
struct converted_float8_to_bfloat : converted_float8<From> {
  template <int selector>
  static WARPWRIGHT_DEVICE uint32_t pair(uint32_t x, uint32_t) {
    const float2 floats = __half22float2(
        pair_of<__half2>(converted_float8<From>::template halves<selector>(x)));
    return bits_of(__floats2bfloat162_rn(floats.x, floats.y));
  }
};
template <>
struct converted<__nv_fp8_e4m3, __half> : converted_float8<__nv_fp8_e4m3> {};
template <>
struct converted<__nv_fp8_e5m2, __half> : converted_float8<__nv_fp8_e5m2> {};
template <>
struct converted<__nv_fp8_e4m3, __nv_bfloat16>
    : converted_float8_to_bfloat<__nv_fp8_e4m3> {};
template <>
struct converted<__nv_fp8_e5m2, __nv_bfloat16>
    : converted_float8_to_bfloat<__nv_fp8_e5m2> {};

template <class Element> struct is_nibbles : std::false_type {};
template <bool is_signed, bool high_first>
struct is_nibbles<nibbles<is_signed, high_first>> : std::true_type {};

/// How the two numbers of a byte become a pair of type Pair: a lane puts them
/// into the low bits of 16 each, and exchanges some bits (one LOP3 with what is
/// `in_front`), which makes floats of known distance to the numbers. `added`
/// to those are the numbers, without their row's zero point. With its sign bit
/// flipped, a signed number is larger by 8. A register has the constant
/// `to_keep`. Every step is exact.
template <class From, class Pair> struct converted_byte;

// With the bits of 1024 in front of them, four bits are the sum of both, and
// where they stand four bits higher 1024 and 16 times the number. One fused
// multiplication and addition makes of these 64 and the number.
template <bool is_signed, bool high_first>
struct converted_byte<nibbles<is_signed, high_first>, __half2> {
  static constexpr int more = is_signed ? 8 : 0;
  static constexpr float large = 1024 + more, small = 64 + more;
  /// 1 and 1/16, which the numbers are multiplied by.
  static constexpr uint32_t to_keep = high_first ? 0x3c002c00u : 0x2c003c00u;

  WARPWRIGHT_DEVICE static uint32_t in_front(float) {
    return 0x64006400u ^
           (is_signed ? high_first ? 0x00080080u : 0x00800008u : 0);
  }
  WARPWRIGHT_DEVICE static uint32_t added(float zero) {
    return bits_of(__floats2half2_rn(-(high_first ? small : large) - zero,
                                     -(high_first ? large : small) - zero));
  }
  /// Bits for __byte_perm that put byte `at` of a word where numbers() wants
  /// it, beside a word of zeros; and what pair() wants of that.
  static WARPWRIGHT_DEVICE uint32_t selector(uint32_t at) {
    return at * 0x1111u;
  }
  WARPWRIGHT_DEVICE static uint32_t apart(uint32_t selected) {
    return selected;
  }
  /// Byte number `at` of a word, as pair() wants it.
  template <int at> static WARPWRIGHT_DEVICE uint32_t byte_of(uint32_t word) {
    return __byte_perm(word, 0, at * 0x1111);
  }
  /// `twice`: the byte in the lowest bits and 16 further, anything elsewhere.
  WARPWRIGHT_DEVICE static uint32_t pair(uint32_t twice, uint32_t in_front,
                                         uint32_t added, uint32_t kept) {
    uint32_t y;
    if constexpr (high_first)
      asm("lop3.b32 %0, %1, 0x000f00f0, %2, 0x6a;" // (twice & mask) ^ in_front
          : "=r"(y)
          : "r"(twice), "r"(in_front));
    else
      asm("lop3.b32 %0, %1, 0x00f0000f, %2, 0x6a;"
          : "=r"(y)
          : "r"(twice), "r"(in_front));
    return bits_of(__hfma2(pair_of<__half2>(y), pair_of<__half2>(kept),
                           pair_of<__half2>(added)));
  }
};

// bfloat16 has 7 bits behind the point. With the bits of 128 in front of them,
// four bits are the sum of both. A multiplication, or a shift and an addition,
// puts the second number 16 bits above the first. 128 and a zero point from 129
// on may have 9 bits, so of a positive one the number's distance to 143 is
// taken, with a minus sign: 143 without the zero point has 8 bits or less.
template <bool is_signed, bool high_first>
struct converted_byte<nibbles<is_signed, high_first>, __nv_bfloat162> {
  static constexpr int more = is_signed ? 8 : 0;
  static constexpr uint32_t to_keep = 0; // nothing

  WARPWRIGHT_DEVICE static uint32_t in_front(float zero) {
    return (zero > 0 ? 0xc30fc30fu : 0x43004300u) ^
           (is_signed ? 0x00080008u : 0);
  }
  WARPWRIGHT_DEVICE static uint32_t added(float zero) {
    const float x = (zero > 0 ? 128 + 15 - more : -128 - more) - zero;
    return bits_of(__floats2bfloat162_rn(x, x));
  }
  static WARPWRIGHT_DEVICE uint32_t selector(uint32_t at) {
    return at | 0x4440u;
  }
  /// A byte's numbers in the low bits of 16 each, as pair() wants them.
  WARPWRIGHT_DEVICE static uint32_t apart(uint32_t byte) {
    return high_first ? byte * 0x10000u + (byte >> 4) : byte * 0x1001u;
  }
  template <int at> static WARPWRIGHT_DEVICE uint32_t byte_of(uint32_t word) {
    constexpr int first = at * 0x11, second = (at + 4) * 0x11;
    return __byte_perm(word, word >> 4,
                       high_first ? second | first << 8 : first | second << 8);
  }
  /// `apart`: with anything in the other bits.
  WARPWRIGHT_DEVICE static uint32_t pair(uint32_t apart, uint32_t in_front,
                                         uint32_t added, uint32_t) {
    // One instruction takes both masks. Written with operators it became two.
    uint32_t y;
    asm("lop3.b32 %0, %1, 0x000f000f, %2, 0x6a;" // (apart & mask) ^ in_front
        : "=r"(y)
        : "r"(apart), "r"(in_front));
    return bits_of(
        __hadd2(pair_of<__nv_bfloat162>(y), pair_of<__nv_bfloat162>(added)));
  }
};

/// ldmatrix.x4 with 16-bit elements turned: lane 4 g + t gets elements g of
/// rows 2 t and 2 t + 1 of each of four matrices (fragment.cuh). For whole
/// warps.
WARPWRIGHT_DEVICE uint4 load_matrix_x4_turned(uint32_t address) {
  uint4 v;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
}

/// What belongs to the two rows that a lane has of each wave, for one group
/// along k.
template <class Plan> struct row_factors {
  /// What the columns' elements are, or are pairs of, and two of it.
  using column = typename Plan::cols::element;
  static constexpr bool is_half = std::is_same<column, __half>::value ||
                                  std::is_same<column, __half2>::value;
  using number =
      typename std::conditional<is_half, __half, __nv_bfloat16>::type;
  using pair =
      typename std::conditional<is_half, __half2, __nv_bfloat162>::type;
  static constexpr bool packed =
      is_nibbles<typename Plan::rows::element>::value;
  /// Twice the zero point; of numbers of four bits what is added to a pair.
  uint32_t zero[Plan::waves][2] = {};
  uint32_t in_front[Plan::waves][2] = {}; ///< of numbers of four bits
  float scale[Plan::waves][2] = {};

  /// x or y: their members, not the place of one of them, which would have to
  /// be in memory.
  WARPWRIGHT_DEVICE static row_factors either(bool first, const row_factors &x,
                                              const row_factors &y) {
    row_factors chosen;
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        chosen.zero[wave][i] = first ? x.zero[wave][i] : y.zero[wave][i];
        chosen.in_front[wave][i] =
            first ? x.in_front[wave][i] : y.in_front[wave][i];
        chosen.scale[wave][i] = first ? x.scale[wave][i] : y.scale[wave][i];
      }
    return chosen;
  }

  /// Those that lane `lane` of the quad has, all of whose lanes have the same
  /// rows. For whole warps. What all groups have in common is not asked for.
  WARPWRIGHT_DEVICE row_factors of_lane(int lane) const {
    row_factors theirs = *this;
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if constexpr (Plan::zero_points)
          theirs.zero[wave][i] =
              __shfl_sync(0xffffffffu, zero[wave][i], lane, 4);
        if constexpr (Plan::zero_points && packed && !is_half)
          theirs.in_front[wave][i] =
              __shfl_sync(0xffffffffu, in_front[wave][i], lane, 4);
        if constexpr (Plan::scales)
          theirs.scale[wave][i] =
              __shfl_sync(0xffffffffu, scale[wave][i], lane, 4);
      }
    return theirs;
  }

  /// Takes note of the zero point of row `i` of `wave`.
  WARPWRIGHT_DEVICE void note_zero(int wave, int i, float of_row) {
    if constexpr (packed) {
      using bytes = converted_byte<typename Plan::rows::element, column>;
      in_front[wave][i] = bytes::in_front(of_row);
      zero[wave][i] = bytes::added(of_row);
    } else if constexpr (Plan::zero_points) {
      const number x = as_element<number>(of_row);
      zero[wave][i] = pack_pair(x, x);
    }
  }

  /// `bits` without the zero point of row `i` of `wave`: exactly that.
  WARPWRIGHT_DEVICE uint32_t shifted(uint32_t bits, int wave, int i) const {
    if constexpr (Plan::zero_points)
      return bits_of(
          __hsub2(pair_of<pair>(bits), pair_of<pair>(zero[wave][i])));
    else
      return bits;
  }
};

/// Finds what belongs to rows, from row `first` on, which is a warpgroup's.
template <class Plan, class Epilogue> struct factors_of_rows {
  const Epilogue &epilogue;
  int first, end; ///< rows
  int end_k;
  slice_position slice;
  int size; ///< blocks of k in a group
  group_or_k<Epilogue> place_of;

  /// Whether `size` differs from launch to launch.
  static constexpr bool counted = counts_groups<Plan, Epilogue>();

  /// In group number `group` of the slice. All products of a group beyond the
  /// last one are zero, if there are any.
  WARPWRIGHT_DEVICE row_factors<Plan> at(int group) const {
    row_factors<Plan> found;
    // A group of an argument's size may be many times longer than k, so that an
    // int holds its blocks, but not where it begins.
    const int block = Plan::group_blocks > 0 ? slice.block(group * size)
                                             : 0; // there are no groups
    const int k = counted ? 0 : block * Plan::tile_k;
    const int batch = slice.batch;
    const bool is_beyond =
        Plan::group_blocks > 0 &&
        (counted ? block > (end_k - 1) / Plan::tile_k : k >= end_k);
    __builtin_assume(k >= 0); // so that quotients of k are shifts
    // Where addresses take long, loads under a condition would wait for each
    // other: behind the last group the first one is read, which exists.
    constexpr bool always = has_group_size<Epilogue>::value;
    const int place = always && is_beyond ? 0 : counted ? group : place_of(k);
    const int thread = threadIdx.x % 128;
    int first = this->first;
    // The addresses of rows in arrays are computed anew for each group where
    // there are no registers to keep them in.
    if constexpr (converts_alone(Plan::group_blocks > 0, Plan::k_sets,
                                 Plan::accumulators))
      make_opaque(first);
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        // Past the end nothing is stored, but what is read must exist.
        const int row = within(
            first + wave * Plan::wave_rows + thread / 32 * 16 +
                row_of_slot(thread % 32 / 4 + i * 8, Plan::rows::k_major),
            end);
        float zero = 0, scale = 0;
        if (always || !is_beyond) {
          if constexpr (Plan::zero_points)
            zero = epilogue.zero_of_row(row, place, batch);
          if constexpr (Plan::scales)
            scale = epilogue.scale_of_row(row, place, batch);
        }
        found.note_zero(wave, i, is_beyond ? 0 : zero);
        found.scale[wave][i] = is_beyond ? 0 : scale;
      }
    return found;
  }
};

/// What belongs to rows, group after group from number `group` on in steps. All
/// lanes of a quad have the same rows; each looks up every fourth group, and so
/// waits for memory once in four groups.
template <class Plan, int step, class Factors> class factors_of_groups {
public:
  WARPWRIGHT_DEVICE factors_of_groups(const Factors &of_rows, int group)
      : of_rows(of_rows),
        group(group + static_cast<int>(threadIdx.x % 4) * step),
        mine(of_rows.at(this->group)) {}

  WARPWRIGHT_DEVICE row_factors<Plan> next() {
    const row_factors<Plan> found = mine.of_lane(lane);
    if (++lane == 4) {
      lane = 0;
      group += 4 * step;
      mine = of_rows.at(group);
    }
    return found;
  }

private:
  const Factors &of_rows;
  int group;    ///< that this lane has looked up
  int lane = 0; ///< of the quad, which has the next group
  row_factors<Plan> mine;
};

/// The same where there are no groups.
template <class Plan, class Factors> struct factors_of_all {
  const Factors &of_rows;
  WARPWRIGHT_DEVICE factors_of_all(const Factors &of_rows, int)
      : of_rows(of_rows) {}
  WARPWRIGHT_DEVICE row_factors<Plan> next() { return of_rows.at(0); }
};

/// How a consumer's lanes load the rows of a stage, and hand them to wgmma.
template <class Plan> struct rows_to_convert {
  using rows = typename Plan::rows;
  static constexpr bool packed = is_nibbles<typename rows::element>::value;
  using converter = typename std::conditional<
      packed,
      converted_byte<typename rows::element, typename Plan::cols::element>,
      converted<typename rows::element, typename Plan::cols::element>>::type;
  static constexpr int span = rows::swizzle_bytes;
  static constexpr int steps = converted_steps;
  /// So many times `steps` of k are in a stage.
  static constexpr int parts = Plan::k_steps / steps;
  static_assert(sizeof(typename rows::element) == 1 &&
                    Plan::k_steps % steps == 0 &&
                    span >= (packed && rows::k_major ? 32 : 64) &&
                    (rows::k_major ? span == Plan::tile_k
                                   : Plan::tile_k % 32 == 0),
                "lines of bytes");

  /// Of pairs across k, the line whose address a lane gives to ldmatrix: such
  /// that lane 4 g + t gets the lines t and t + 4 of each 8, whose numbers
  /// wgmma wants together.
  static WARPWRIGHT_DEVICE int line_of_pairs(int lane) {
    return lane / 8 * 8 + lane % 8 / 2 + lane % 2 * 4;
  }

  int first_wave; ///< of the tile's, the one that this consumer begins with
  /// Where this lane's loads begin in a stage: of its first wave, or for rows
  /// that do not lie along k of the tile's.
  uint32_t offset;
  uint32_t selector; ///< of this lane's byte in a word, for __byte_perm
  /// converter::to_keep, in a register where instructions have no room for it
  /// beside another constant. What is added for a group is in a register.
  uint32_t kept;

  WARPWRIGHT_DEVICE explicit rows_to_convert(int group)
      : first_wave(Plan::pingpong ? 0 : group * Plan::waves),
        selector(keep_in_register(selector_of(threadIdx.x % 4))),
        kept(Plan::group_blocks > 0 ? converter::to_keep
                                    : keep_constant(converter::to_keep)) {
    const int lane = threadIdx.x % 32, row = threadIdx.x % 128 / 32 * 16;
    offset = keep_in_register(
        rows::offset +
        (rows::k_major
             ? swizzled_row<span>(0, first_wave * 64 + row + lane / 4) +
                   (packed ? 0 : lane % 4 * 2)
             : swizzled_row<span>(0, packed ? line_of_pairs(lane) : lane) ^
                   static_cast<uint32_t>(row)));
  }

  static WARPWRIGHT_DEVICE uint32_t selector_of(uint32_t lane) {
    if constexpr (packed)
      return converter::selector(lane);
    else
      return 0;
  }

  /// This lane's rows of part number `part` of the stage at `stage`: of each
  /// wave, for each 16 of k, the four registers that wgmma wants.
  WARPWRIGHT_DEVICE void convert(uint32_t (&to)[Plan::waves * steps][4],
                                 uint32_t stage, int part,
                                 const row_factors<Plan> &factors) const {
    const int first = part * steps;
#pragma unroll
    for (int wave = 0; wave < Plan::waves; ++wave) {
      uint32_t (*const of_wave)[4] = to + wave * steps;
      if constexpr (packed && rows::k_major) {
        const uint32_t at = stage + offset + wave * Plan::wave_rows * span;
        // Of 32 numbers of two rows, 8 apart, a lane has one byte of each word.
#pragma unroll
        for (int step = 0; step < steps; step += 2)
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            const uint4 v =
                load_shared_16((at ^ (first + step) / 2 * 16) + i * 8 * span);
            const uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int word = 0; word < 4; ++word)
              of_wave[step + word / 2][word % 2 * 2 + i] = converter::pair(
                  converter::apart(__byte_perm(words[word], 0, selector)),
                  factors.in_front[wave][i], factors.zero[wave][i], kept);
          }
      } else if constexpr (rows::k_major) {
        const uint32_t at = stage + offset + wave * Plan::wave_rows * span;
#pragma unroll
        for (int step = 0; step < steps; ++step)
#pragma unroll
          for (int i = 0; i < 4; ++i) // 8 rows below, 8 of k further
            of_wave[step][i] =
                factors.shifted(converter::template pair<0x4140>(
                                    load_shared_2((at ^ (first + step) * 16) +
                                                  i / 2 * 8 + i % 2 * 8 * span),
                                    kept),
                                wave, i % 2);
      } else {
        // Boxes have `span` rows, one wave or two.
        constexpr int in_box = span / Plan::wave_rows;
        const int number = first_wave + wave;
        const uint32_t at =
            ((stage + offset) ^ number % in_box * Plan::wave_rows) +
            number / in_box * rows::box_step_bytes;
#pragma unroll
        for (int load = 0; load < Plan::tile_k / 32 / parts; ++load) {
          const uint4 v = load_matrix_x4_turned(
              at + (part * (Plan::tile_k / 32 / parts) + load) * 32 * span);
          const uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
          for (int i = 0; i < 4; ++i) // 8 lines each
            if constexpr (packed) {
              uint32_t *const pairs = of_wave[load * 4 + i];
              const auto from = [&](uint32_t byte, int row) {
                return converter::pair(byte, factors.in_front[wave][row],
                                       factors.zero[wave][row], kept);
              };
              pairs[0] = from(converter::template byte_of<0>(words[i]), 0);
              pairs[1] = from(converter::template byte_of<1>(words[i]), 1);
              pairs[2] = from(converter::template byte_of<2>(words[i]), 0);
              pairs[3] = from(converter::template byte_of<3>(words[i]), 1);
            } else {
              uint32_t *const pairs = of_wave[load * 2 + i / 2] + i % 2 * 2;
              pairs[0] = factors.shifted(
                  converter::template pair<0x4240>(words[i], kept), wave, 0);
              pairs[1] = factors.shifted(
                  converter::template pair<0x4341>(words[i], kept), wave, 1);
            }
        }
      }
    }
  }

  /// Puts the sums of a tile, which are in the order of the slots that rows had
  /// in the fragments, into the order of rows.
  WARPWRIGHT_DEVICE static void
  order(float (&acc)[Plan::waves][Plan::accumulators]) {
    if constexpr (!rows::k_major) {
      const int lane = threadIdx.x % 32;
      const bool lower = lane / 4 % 2; // in the quad that has it
      const int from = lane / 8 * 4 + lane % 4;
#pragma unroll
      for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
        for (int i = 0; i < Plan::accumulators; ++i) {
          if (i / 2 % 2) // the lower row, together with the upper one
            continue;
          float &upper_sum = acc[wave][i], &lower_sum = acc[wave][i + 2];
          // Shuffles move integers: what wgmma adds to stays floats, which
          // nothing moves behind its fence.
          use_register(upper_sum);
          use_register(lower_sum);
          float sums[2];
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const float a =
                __shfl_sync(0xffffffffu, upper_sum, from + half * 16);
            const float b =
                __shfl_sync(0xffffffffu, lower_sum, from + half * 16);
            sums[half] = lower ? b : a;
            use_register(sums[half]);
          }
          upper_sum = sums[0];
          lower_sum = sums[1];
        }
    }
  }
};

/// sum += acc, multiplied by the scales of rows.
template <class Plan>
WARPWRIGHT_DEVICE void
add_scaled(float (&sum)[Plan::waves][Plan::accumulators],
           const float (&acc)[Plan::waves][Plan::accumulators],
           const row_factors<Plan> &factors) {
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int i = 0; i < Plan::accumulators; ++i)
      if constexpr (Plan::scales)
        sum[wave][i] =
            fmaf(acc[wave][i], factors.scale[wave][i / 2 % 2], sum[wave][i]);
      else
        sum[wave][i] += acc[wave][i];
}

/// Consumer of set number `set`: sum = one warpgroup's rows of a tile, summed
/// over those of `k_blocks` stages that are the set's, all where there is one
/// set. Of each part of a stage the rows are converted while the tensor cores
/// multiply the part before. That is waited for when the next part's products
/// have been issued, so that some are always under way, or before
/// (waits_for_each in plan.cuh). A stage goes back thread by thread, since
/// ordinary instructions have read it.
template <class Plan, class Factors>
WARPWRIGHT_DEVICE void
multiply_converted(float (&sum)[Plan::waves][Plan::accumulators], ring &at,
                   int k_blocks, int set, const rows_to_convert<Plan> &from,
                   const Factors &of_rows, uint32_t shared, uint64_t *full,
                   uint64_t *empty) {
  using cols = typename Plan::cols;
  using from_rows = rows_to_convert<Plan>;
  constexpr int window = Plan::group_blocks, sets = Plan::k_sets;
  constexpr bool counted = Factors::counted;
  constexpr bool one_each = !counted && window > 0 && window <= sets;
  // From a group that a set meets to the next one.
  constexpr int next_group = one_each ? sets / window : 1;
  static_assert(!one_each || sets % (one_each ? window : 1) == 0,
                "a block of each group or none");
  const auto group_of = [](int block) {
    return window > 0 ? static_cast<int>(static_cast<unsigned>(block) /
                                         (window > 0 ? window : 1))
                      : 0;
  };
  const uint64_t cols_base = operand_descriptor<cols>(shared + cols::offset);
  // Converted rows of this part and the next one, in turn, or of this part.
  constexpr int parts = from_rows::parts;
  constexpr bool alone = converts_alone(window > 0, sets, Plan::accumulators);
  constexpr int turns = parts % 2 && !alone ? 2 : 1, held = alone ? 1 : 2;
  constexpr bool one_by_one =
      waits_for_each(window > 0, sets, parts, Plan::accumulators);
  uint32_t rows[held][Plan::waves * from_rows::steps][4];
  float grouped[window > 0 ? Plan::waves : 1]
               [window > 0 ? Plan::accumulators : 1];
  typename std::conditional<
      (window > 0), factors_of_groups<Plan, next_group, Factors>,
      factors_of_all<Plan, Factors>>::type groups(of_rows,
                                                  counted ? 0 : group_of(set));
  row_factors<Plan> factors, next;
  if constexpr (!alone)
    next = factors = groups.next();
  const ring tile_begin = at;
  if constexpr (sets > 1)
    at.advance<Plan::stages>(set);
  if (set < k_blocks) {
    barrier_wait(&full[at.stage], at.phase);
    if constexpr (!alone)
      from.convert(rows[0], shared + at.stage * Plan::stage_bytes, 0, factors);
  }
  // Sums that the first product overwrites, or that are zero where the set has
  // no block, would be two values for ptxas, which then waits for every
  // product.
  clear(sum);
  int multiplied = at.stage, before = multiplied;
  block_in_group place(of_rows.size); // counted only by a single set
  for (int pair = set; pair < k_blocks; pair += turns * sets) {
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const int block = pair + turn * sets;
      if (block >= k_blocks)
        break;
      const int group = counted ? place.group() : group_of(block);
      const bool begins =
          window > 0 && (counted ? place.is_first()
                                 : one_each || block < sets ||
                                       group_of(block - sets) != group);
      const bool ends =
          window > 0 && (counted ? place.is_last()
                                 : one_each || group_of(block + sets) != group);
      before = multiplied;
      multiplied = at.stage;
      if constexpr (alone)
        if (begins)
          factors = groups.next();
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        const int these = (turn * parts + part) % held;
        if constexpr (alone)
          from.convert(rows[0], shared + multiplied * Plan::stage_bytes, part,
                       factors);
        if constexpr (window > 0) {
          multiply_rows_in_registers<Plan>(grouped, rows[these], cols_base,
                                           multiplied, begins && part == 0,
                                           part * from_rows::steps);
          if constexpr (!alone)
            if (part == 0 && begins &&
                (group + next_group) * of_rows.size < k_blocks)
              next = groups.next();
        } else {
          multiply_rows_in_registers<Plan>(sum, rows[these], cols_base,
                                           multiplied, false,
                                           part * from_rows::steps);
        }
        if constexpr (!one_by_one) {
          wgmma_wait<1>();
          if (part == 0 && block >= sets)
            release_stage_by_thread<Plan::cluster_size>(&empty[before]);
        }
        if (part + 1 < parts) {
          if constexpr (!alone)
            from.convert(rows[these ^ 1],
                         shared + multiplied * Plan::stage_bytes, part + 1,
                         factors);
        } else {
          at.skip<Plan::stages, sets>();
          if (block + sets < k_blocks) {
            barrier_wait(&full[at.stage], at.phase);
            if constexpr (!alone)
              from.convert(rows[these ^ 1],
                           shared + at.stage * Plan::stage_bytes, 0,
                           row_factors<Plan>::either(ends, next, factors));
          }
        }
        if constexpr (window > 0)
          wgmma_wait_all(grouped);
        else if constexpr (one_by_one)
          wgmma_wait_all(sum);
      }
      if constexpr (one_by_one)
        release_stage_by_thread<Plan::cluster_size>(&empty[multiplied]);
      if constexpr (window > 0)
        if (ends || block + sets >= k_blocks) {
          add_scaled<Plan>(sum, grouped, factors);
          if constexpr (!alone)
            factors = next;
        }
      if constexpr (counted)
        place.advance();
    }
  }
  if constexpr (!one_by_one) {
    wgmma_wait_all(sum);
    if (set < k_blocks)
      release_stage_by_thread<Plan::cluster_size>(&empty[multiplied]);
  }
  if constexpr (sets > 1) {
    at = tile_begin;
    at.advance<Plan::stages>(k_blocks);
  }
  from.order(sum);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_FEED_CONVERTED_CUH
