//===-- constants.cuh - A plan as constants of a kernel ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rt::plan<Decisions>, the plan that device code is written for: the decisions
// of a generated struct, and the numbers that follow from them (plan.cuh), each
// as a constant of its own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_CONSTANTS_CUH
#define WARPWRIGHT_RT_CONSTANTS_CUH

#include <cuda_bf16.h>
#include <type_traits>
#include <warpwright/rt/arch.cuh>
#include <warpwright/rt/plan.cuh>

// Of cuda_fp8.h, which the files that use them include.
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace warpwright {
namespace rt {
inline namespace v2 {

/// A byte with two integers of four bits that are neighbours along k, with a
/// sign or without: the first one in the low bits, or in the high ones.
template <bool is_signed, bool high_first> struct nibbles {
  unsigned char bits;
};
using u4x2 = nibbles<false, false>;
using s4x2 = nibbles<true, false>;
using u4x2_high = nibbles<false, true>;
using s4x2_high = nibbles<true, true>;

/// The type of what is multiplied: of the element, or of what is computed of
/// it.
template <class Element, class Factor>
using factor_type = typename std::conditional<std::is_void<Factor>::value,
                                              Element, Factor>::type;

/// Types of this header's table and of C++. Integers of the same size are the
/// same to the kernel, but for the instruction, which is chosen by the C++ type
/// (wgmma.cuh).
template <class Element> WARPWRIGHT_CONSTEXPR Type type_of() {
  if (std::is_same<Element, __half>::value)
    return Type::f16;
  if (std::is_same<Element, __nv_bfloat16>::value)
    return Type::bf16;
  if (std::is_same<Element, float>::value)
    return Type::f32;
  if (std::is_same<Element, double>::value)
    return Type::f64;
  if (std::is_same<Element, __nv_fp8_e4m3>::value)
    return Type::e4m3;
  if (std::is_same<Element, __nv_fp8_e5m2>::value)
    return Type::e5m2;
  if (std::is_same<Element, __half2>::value)
    return Type::f16x2;
  if (std::is_same<Element, __nv_bfloat162>::value)
    return Type::bf16x2;
  if (std::is_same<Element, u4x2>::value)
    return Type::u4x2;
  if (std::is_same<Element, s4x2>::value)
    return Type::s4x2;
  if (std::is_same<Element, u4x2_high>::value)
    return Type::u4x2_high;
  if (std::is_same<Element, s4x2_high>::value)
    return Type::s4x2_high;
  return sizeof(Element) == 1   ? Type::u8
         : sizeof(Element) == 2 ? Type::u16
         : sizeof(Element) == 4 ? Type::u32
                                : Type::u64;
}
template <Type> struct sum_of;
template <> struct sum_of<Type::f32> {
  using type = float;
};
template <> struct sum_of<Type::i32> {
  using type = int;
};
template <> struct sum_of<Type::f64> {
  using type = double;
};

/// Two sums that are halves, the first in the low bits. A register of its own,
/// since only such have constraints in asm statements.
using half_sums_pair = uint32_t;

/// The decisions of a generated struct as numbers.
template <class D> WARPWRIGHT_CONSTEXPR choice choice_of() {
  choice c;
  c.a = {type_of<typename D::a_element>(),
         D::a_k_major,
         D::a_batched,
         D::a_parts,
         D::a_scaled,
         D::a_scaled_alike,
         D::a_shifted,
         D::a_computed,
         type_of<factor_type<typename D::a_element, typename D::a_factor>>(),
         D::a_numbers};
  c.b = {type_of<typename D::b_element>(),
         D::b_k_major,
         D::b_batched,
         D::b_parts,
         D::b_scaled,
         D::b_scaled_alike,
         D::b_shifted,
         D::b_computed,
         type_of<factor_type<typename D::b_element, typename D::b_factor>>(),
         D::b_numbers};
  c.output = type_of<typename D::c_element>();
  c.staged = D::staged;
  c.zero_points = D::zero_points, c.scales = D::scales;
  c.group_k = D::group_k;
  c.sums = D::sums, c.products = D::products;
  c.own_ranges = D::own_ranges;
  c.tile_m = D::tile_m, c.tile_n = D::tile_n, c.tile_k = D::tile_k;
  c.stages = D::stages;
  c.consumer_groups = D::consumer_groups;
  c.transform_groups = D::transform_groups;
  c.swap_ab = D::swap_ab, c.pingpong = D::pingpong;
  c.interleaved = D::interleaved;
  c.rows_in_registers = D::rows_in_registers;
  c.rounded_by_tma = D::rounded_by_tma;
  c.widened = D::widened;
  c.promoted_k = D::promoted_k, c.half_sums = D::half_sums;
  c.cluster_m = D::cluster_m, c.cluster_n = D::cluster_n;
  c.raster_group = D::raster_group;
  c.sliced = D::sliced, c.slices = D::slices;
  c.whole_tiles = D::whole_tiles;
  return c;
}

/// How wgmma reads an operand: `rows`, `cols`, or their `parts`.
template <class D, bool is_rows> struct access_of {
  static constexpr plan_numbers all = derive(choice_of<D>());
  static constexpr access_numbers of =
      is_rows ? all.rows.access : all.cols.access;
  static constexpr int leading_bytes = of.leading_bytes;
  static constexpr int stride_bytes = of.stride_bytes;
  static constexpr int k_step_bytes = of.k_step_bytes;
  static constexpr int wave_bytes = of.wave_bytes;
  static constexpr int group_bytes = of.group_bytes;
};

/// The rows or the columns operand of a plan.
template <class D, bool is_rows> struct operand_of : access_of<D, is_rows> {
  static constexpr bool is_a = is_rows != D::swap_ab;
  using element = typename std::conditional<is_a, typename D::a_element,
                                            typename D::b_element>::type;
  static constexpr plan_numbers all = derive(choice_of<D>());
  static constexpr operand_numbers of = is_rows ? all.rows : all.cols;
  static constexpr bool k_major = is_a ? D::a_k_major : D::b_k_major;
  static constexpr bool batched = is_a ? D::a_batched : D::b_batched;
  static constexpr int numbers = is_a ? D::a_numbers : D::b_numbers;
  static constexpr bool computed = is_a ? D::a_computed : D::b_computed;
  static constexpr bool scaled = is_a ? D::a_scaled : D::b_scaled;
  static constexpr bool scaled_alike =
      is_a ? D::a_scaled_alike : D::b_scaled_alike;
  static constexpr bool rounded_by_tma = D::rounded_by_tma;
  static constexpr int offset = of.offset;
  static constexpr int swizzle_bytes = of.swizzle_bytes;
  static constexpr int box_inner = of.box_inner, box_outer = of.box_outer;
  static constexpr int box_bytes = of.box_bytes, boxes = of.boxes;
  static constexpr int source_boxes = of.source_boxes;
  static constexpr int box_step_x = of.box_step_x;
  static constexpr int box_step_k = of.box_step_k;
  static constexpr int box_step_bytes = of.box_step_bytes;
  static constexpr int shares = of.shares;
  static constexpr int row_bytes = of.box_bytes / of.box_outer;
  /// A launch with fewer rows than a box has boxes of these alone
  /// (partial.cuh). Parts of what is not loaded would be made anew in each
  /// stage.
  static constexpr bool partial =
      k_major && of.shares == 1 && D::transform_groups == 0;
  static constexpr int share_step_x = of.share_step_x;
  static constexpr int share_step_k = of.share_step_k;
  static constexpr int multicast_mask = of.multicast_mask;
  static constexpr int multicast_step = of.multicast_step;

  /// What the transform makes of the elements.
  struct parts : access_of<D, is_rows> {
    static constexpr int count = is_a ? D::a_parts : D::b_parts;
    static constexpr int swizzle_bytes = of.access.swizzle_bytes;
    static constexpr int low_bytes = of.low_bytes;
    static constexpr int least_exponent = of.least_exponent;
  };
};

/// What a consumer group stages and stores at a time (epilogue.cuh).
template <class D> struct slab_of {
  static constexpr slab_numbers of = derive_slab(choice_of<D>());
  static constexpr bool rows_contiguous = D::swap_ab;
  static constexpr int cols = of.cols, accumulators = of.accumulators;
  static constexpr int box_inner = of.box_inner, box_outer = of.box_outer;
  static constexpr int box_bytes = of.box_bytes, boxes = of.boxes;
  static constexpr int pitch = of.pitch;
  static constexpr int swizzle_bytes = of.swizzle_bytes;
  /// The swizzle XORs the number of a 16-byte chunk in its line, address bits
  /// 4 to 6 or as many of them as the span has, with the bits that lie
  /// swizzle_shift places higher: the number of the 128-byte line.
  static constexpr int swizzle_mask = of.swizzle_bytes - 16;
  static constexpr int swizzle_shift = 3;
  static constexpr int buffers = of.buffers, buffer_bytes = of.buffer_bytes;
  static constexpr int first_barrier = 1; ///< named barrier of the first group
};

/// A plan: what was decided, and what follows from it.
template <class D> struct plan : D {
  static constexpr choice chosen = choice_of<D>();
  static constexpr plan_numbers all = derive(chosen);
  static_assert(!D::rounded_by_tma || chosen.cols().k_major,
                "wgmma reads rounded elements along k only");
  using rows = operand_of<D, true>;
  using cols = operand_of<D, false>;
  using slab = slab_of<D>;
  /// Of sums, as the epilogue gets them, and of the accumulators, which have
  /// one each, or two halves (multiply.cuh).
  using sum = typename sum_of<chosen.sum()>::type;
  using accumulator =
      typename std::conditional<D::half_sums, half_sums_pair, sum>::type;
  /// What the kernel stores: elements of the first output by slabs if it is
  /// staged, and those of the others; or in slices the sums alone.
  using element =
      typename std::conditional<D::sliced, sum, typename D::c_element>::type;
  static constexpr bool staged = D::staged || D::sliced;
  static constexpr int outputs = D::sliced ? 1 : D::outputs;

  static constexpr int tile_rows = chosen.tile_rows();
  static constexpr int tile_cols = chosen.tile_cols();
  static constexpr int cluster_rows = chosen.cluster_rows();
  static constexpr int cluster_cols = chosen.cluster_cols();
  static constexpr int cluster_size = chosen.cluster_size();
  /// Cluster tiles in a band of rows (scheduler.cuh).
  static constexpr int raster_group =
      D::raster_group > cluster_rows ? D::raster_group / cluster_rows : 1;
  static constexpr bool cuts_tiles = chosen.cuts_tiles();
  static constexpr int threads = all.threads;
  static constexpr int turn_barrier = all.turn_barrier;
  static constexpr int turn_threads = all.turn_threads;

  static constexpr int k_sets = chosen.k_sets();
  static constexpr int row_groups = chosen.row_groups();

  static constexpr int waves = chosen.waves();
  static constexpr int wave_rows = 64;
  static constexpr int group_rows = waves * wave_rows;
  /// Of a thread for each wave; its values of one sum stand next_sum apart from
  /// those of the next.
  static constexpr int accumulators = chosen.accumulators();
  static constexpr int next_sum = chosen.thread_sums() / D::sums;
  /// Stretches of k of a tile between which nothing is done with the sums:
  /// those of the products, where some are subtracted or multiplied with a
  /// number.
  static constexpr int stretches =
      D::subtracted || D::scaled_products ? D::products : 1;
  static_assert(!D::scaled_products || (D::sums == 1 && !D::sliced),
                "products of one whole sum");
  static_assert(!D::own_ranges || !(D::sliced || D::a_scaled || D::b_scaled ||
                                    D::a_shifted || D::b_shifted || D::group_k),
                "what is known for one range of k");
  static constexpr int k_steps = D::tile_k / instruction_k(chosen.multiplied());
  /// mma.sync multiplies, not wgmma (feed_fragments.cuh).
  static constexpr bool by_fragments = chosen.by_fragments();
  /// Stages whose products are added in the accumulators; 0: all.
  static constexpr int promoted_blocks = D::promoted_k / D::tile_k;
  /// Sums are promoted while the next window's products are computed.
  static constexpr bool promotes_behind = all.promotes_behind;
  /// The sums of a block are multiplied by what its elements are scaled by.
  static constexpr bool scaled = D::a_scaled || D::b_scaled;
  static_assert(!scaled || (promoted_blocks == 1 && D::products == 1),
                "the scales of one block of one product");
  static constexpr int producer_registers = all.registers.producer;
  static constexpr int transform_registers = all.registers.transform;
  static constexpr int consumer_registers = all.registers.consumer;

  // Shared memory: stages of rows and columns, staged output, sums that are
  // exchanged, with a transform scales and flags, then barriers.
  static constexpr int stage_bytes = all.stage_bytes;
  static constexpr int staging_offset = all.staging_offset;
  static constexpr int exchange_offset = all.exchange_offset;
  static constexpr int barrier_offset = all.barrier_offset;
  static constexpr int shared_bytes = all.shared_bytes;
  // What a stage's barriers wait for.
  static constexpr int full_arrivals = 1;
  static constexpr int transaction_bytes = all.transaction_bytes;
  static constexpr int empty_arrivals = all.empty_arrivals;

  /// The consumers convert rows in registers, or load them as they are.
  static constexpr bool converts = chosen.converts(), turns = chosen.turns();
  static constexpr bool loads_rows = chosen.loads_rows();
  /// Stages whose sums have one scale; 0: all.
  static constexpr int group_blocks = D::group_k / D::tile_k;

  // The transform: from elements to parts, a block for a warp at a time.
  static constexpr bool transforms = D::transform_groups > 0;
  static constexpr int transform_warps = 4 * D::transform_groups;
  static constexpr int first_transform_warp = 4; ///< behind the producer's
  static constexpr int window = all.transform.window;
  static constexpr int block_rows = rt::block_rows;
  static constexpr int block_bytes = rt::block_bytes;
  static constexpr int row_blocks = tile_rows / block_rows;
  static constexpr int col_blocks = chosen.instruction_n() / block_rows;
  static constexpr int blocks_per_warp = all.transform.blocks_per_warp;
  // Per stage: a byte for each row and column, the biased exponent that undoes
  // its scale, and one for each block, 1 if it is raw.
  static constexpr int scale_offset = all.transform.scale_offset;
  static constexpr int scale_stage_bytes = all.transform.scale_stage_bytes;
  static constexpr int flag_offset = all.transform.flag_offset;
  static constexpr int flag_stage_bytes = all.transform.flag_stage_bytes;
  static constexpr int ready_arrivals = all.transform.ready_arrivals;

  /// Where an instruction has k, of rows and columns.
  static WARPWRIGHT_CONSTEXPR unsigned k_slot(unsigned k) {
    return rt::k_slot(k, D::rows_in_registers && rows::k_major);
  }

  using split = split_exponents;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_CONSTANTS_CUH
