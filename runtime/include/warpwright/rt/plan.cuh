//===-- plan.cuh - What follows from a plan's decisions ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generated file has, for each plan, a struct with what was decided: the
// tile, the number of stages, the cluster. Every other number of a kernel
// follows from these decisions and is computed here, at compile time: boxes of
// TMA, descriptors of wgmma, where things lie in shared memory, what barriers
// wait for, how many registers a warpgroup has.
//
// The generator derives the same numbers in another way, with its layout
// algebra, proves the plan from them, and refuses to write a plan for which the
// two disagree. So this header has no CUDA in it: the generator compiles it,
// too.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_PLAN_CUH
#define WARPWRIGHT_RT_PLAN_CUH

#include <warpwright/rt/elements.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What a plan decides, with the values of whatever a generated struct does not
/// mention. "Rows" are those of the accumulator: m, or n with swap_ab.
struct decisions {
  // What is multiplied and stored. A generated struct says which types the
  // elements of A, B and the first output have: a_element, b_element and
  // c_element.
  static constexpr bool a_k_major = true, b_k_major = true; // or along m and n
  /// Whether the operand moves with the batch; if not, there is one for all.
  static constexpr bool a_batched = true, b_batched = true;
  /// How many numbers along k an element has; k counts numbers.
  static constexpr int a_numbers = 1, b_numbers = 1;
  /// How many fp16 numbers stand for one element (split.cuh): 1, or 2 for 22
  /// bits. 0: wgmma reads the elements themselves.
  static constexpr int a_parts = 0, b_parts = 0;
  /// Whether a factor is computed from its element before it is multiplied, and
  /// then its type; void stands for the element's.
  static constexpr bool a_computed = false, b_computed = false;
  using a_factor = void;
  using b_factor = void;
  /// Whether elements are multiplied by a number that is the same for tile_k of
  /// k, as the sums of a block are when they are promoted (scales.cuh); and
  /// whether it is the same for all rows of the tile, too.
  static constexpr bool a_scaled = false, b_scaled = false;
  static constexpr bool a_scaled_alike = false, b_scaled_alike = false;
  /// Whether a number that is the same for all k is added to each element: it
  /// comes into the finished sums (shifts.cuh).
  static constexpr bool a_shifted = false, b_shifted = false;
  /// Elements are words, of which the sums count bits: bit x + 2 y says whether
  /// one counts where A has x and B has y (shifts.cuh). 0: they are numbers.
  static constexpr int bit_table = 0;
  /// Of rows that the consumers convert (feed_converted.cuh): whether a zero
  /// point is subtracted from each element and sums are multiplied by scales,
  /// and for how many of k both are the same; 0: all.
  static constexpr bool zero_points = false, scales = false;
  static constexpr int group_k = 0;
  /// Sums of each element, side by side in the columns of an instruction, and
  /// products of each sum, one after the other along k.
  static constexpr int sums = 1, products = 1;
  /// Each product has a range of k of its own.
  static constexpr bool own_ranges = false;
  /// Products that a sum subtracts: bit sum * products + product.
  static constexpr int subtracted = 0;
  /// So many products, the first ones, are multiplied with a number that the
  /// epilogue knows.
  static constexpr int scaled_products = 0;
  /// Arrays that the epilogue writes. The first one leaves through shared
  /// memory if it is `staged`; all others, and an unstaged one, are stored
  /// element by element.
  static constexpr int outputs = 1;
  static constexpr bool staged = true;

  // How. A struct says at least its tile and its number of stages.
  static constexpr bool swap_ab = false;     ///< rows are n, columns are m
  static constexpr int consumer_groups = 1;  ///< warpgroups that multiply
  static constexpr int transform_groups = 0; ///< that make parts of elements
  /// The consumers take turns with whole tiles instead of sharing each.
  static constexpr bool pingpong = false;
  /// Two sets of consumers share the rows of each tile, and take turns with its
  /// blocks of k; in the end their sums are added (interleave.cuh).
  static constexpr bool interleaved = false;
  /// The consumers round the rows operand in their registers (fragment.cuh).
  static constexpr bool rows_in_registers = false;
  /// TMA rounds floats to TF32 as it copies them, and wgmma multiplies them in
  /// that form.
  static constexpr bool rounded_by_tma = false;
  /// The consumers convert the elements to double as they load them, and add
  /// their products in double (feed_fragments.cuh).
  static constexpr bool widened = false;
  /// So much of k is added in the accumulators of wgmma before they are added
  /// to sums in other registers; 0: all of it.
  static constexpr int promoted_k = 0;
  /// wgmma adds in half, two sums in a register; the epilogue gets floats.
  static constexpr bool half_sums = false;
  static constexpr int cluster_m = 1, cluster_n = 1; ///< CTAs
  /// Row tiles of a band (scheduler.cuh).
  static constexpr int raster_group = 16;
  /// Each tile is computed in several slices of k, whose sums another kernel
  /// adds (sum_slices.cuh): so many, or with 0 as many as suit the launch.
  static constexpr bool sliced = false;
  static constexpr int slices = 0;
  /// No tile is cut along k, whatever that would save (pieces.cuh).
  static constexpr bool whole_tiles = false;
};

/// What the tensor cores multiply in the place of elements that have parts.
constexpr Type part = Type::f16;

/// An operand as a plan sees it.
struct operand_choice {
  Type element = Type::bf16;
  bool k_major = true;
  bool batched = true;
  int parts = 0;
  bool scaled = false, scaled_alike = false;
  bool shifted = false;
  bool computed = false;
  Type factor = Type::bf16; ///< what is multiplied, or has parts in its place
  int numbers = 1;          ///< along k in an element

  WARPWRIGHT_CONSTEXPR int element_bytes() const { return size_of(element); }

  /// Behind which of `extent` rows no CTA's part of a tile, `tile` rows, begins
  /// (corner.cuh): the last one is moved back where more than a quarter of it
  /// would be behind the matrix. Of an operand across k TMA fills that as fast
  /// as it loads, and rows that have one scale for each block of k stay
  /// together. What is moved begins at a multiple of 16 elements, for the sake
  /// of vectors in memory.
  WARPWRIGHT_CONSTEXPR int last_corner(int64_t extent, int tile) const {
    constexpr int step = 16;
    if (!k_major || scaled_alike)
      return INT32_MAX;
    const int64_t last = (extent - 1) / tile * tile;
    const bool moves = last > 0 && 4 * (last + tile - extent) > tile;
    return int(moves ? (extent - tile + step - 1) / step * step : last);
  }
};

/// The same decisions as numbers.
struct choice {
  operand_choice a, b;
  Type output = Type::bf16;
  bool staged = true;
  bool zero_points = false, scales = false;
  int group_k = 0;
  int sums = 1, products = 1;
  bool own_ranges = false;
  int tile_m = 0, tile_n = 0, tile_k = 0, stages = 0;
  int consumer_groups = 1, transform_groups = 0;
  bool swap_ab = false, pingpong = false, interleaved = false;
  bool rows_in_registers = false, rounded_by_tma = false, widened = false;
  int promoted_k = 0;
  bool half_sums = false;
  int cluster_m = 1, cluster_n = 1, raster_group = 16;
  bool sliced = false;
  int slices = 0;
  bool whole_tiles = false;

  WARPWRIGHT_CONSTEXPR int tile_rows() const {
    return swap_ab ? tile_n : tile_m;
  }
  WARPWRIGHT_CONSTEXPR int tile_cols() const {
    return swap_ab ? tile_m : tile_n;
  }
  WARPWRIGHT_CONSTEXPR int cluster_rows() const {
    return swap_ab ? cluster_n : cluster_m;
  }
  WARPWRIGHT_CONSTEXPR int cluster_cols() const {
    return swap_ab ? cluster_m : cluster_n;
  }
  WARPWRIGHT_CONSTEXPR int cluster_size() const {
    return cluster_m * cluster_n;
  }
  /// The consumers convert the rows operand, elements of a byte, in their
  /// registers to the columns' type (feed_converted.cuh).
  WARPWRIGHT_CONSTEXPR bool converts() const {
    return transform_groups == 0 && numbers_of(rows().element).converted &&
           (cols().element == Type::f16 || cols().element == Type::bf16 ||
            cols().element == Type::f16x2 || cols().element == Type::bf16x2);
  }
  /// The consumers load the rows operand, floats that TMA has rounded and that
  /// are contiguous across k, into registers (feed_turned.cuh).
  WARPWRIGHT_CONSTEXPR bool turns() const {
    return rounded_by_tma && !rows().k_major;
  }
  /// They read the rows operand, as TMA has written it, by ordinary loads.
  WARPWRIGHT_CONSTEXPR bool loads_rows() const { return converts() || turns(); }
  /// What the tensor cores multiply: elements of A, to which those of B may
  /// differ in nothing but the instruction, or what they are converted to.
  WARPWRIGHT_CONSTEXPR Type multiplied() const {
    return transform_groups > 0 ? part
           : widened            ? Type::f64
           : converts()         ? cols().element
                                : a.element;
  }
  WARPWRIGHT_CONSTEXPR Type sum() const { return numbers_of(multiplied()).sum; }
  /// The consumers load what they multiply, each lane its own elements.
  WARPWRIGHT_CONSTEXPR bool by_fragments() const {
    return numbers_of(multiplied()).from_fragments;
  }
  /// Where tiles do not divide evenly among clusters, some are cut along k
  /// (pieces.cuh). Sums of 16-bit elements gained little or nothing by it (we
  /// suppose since they are bound by power: while some multiprocessors idle,
  /// the others run at a higher clock), and integers of bytes were not tried.
  /// Floats of a byte gained 10 % in the tiles of three consumers; in smaller
  /// ones the kernel was 1 % slower where nothing is cut. Tiles of few rows or
  /// columns read too much for their clusters to be at different k. Of 128 rows
  /// of doubles a consumer has no register left. Products over ranges of their
  /// own have no blocks in common by which a tile could be cut.
  WARPWRIGHT_CONSTEXPR bool cuts_tiles() const {
    constexpr int least_extent = 64;
    return !whole_tiles && !sliced && !own_ranges && !pingpong &&
           !interleaved && !half_sums && group_k == 0 &&
           (sum() == Type::f32 || sum() == Type::f64) &&
           (transform_groups > 0 || multiplied() == Type::f32 ||
            multiplied() == Type::f64 ||
            (size_of(multiplied()) == 1 && promoted_k > 0 &&
             consumer_groups == 3)) &&
           tile_m >= least_extent && tile_n >= least_extent &&
           !(by_fragments() && waves() > 1);
  }
  /// Columns of an instruction, or of all that the warps of a warpgroup issue
  /// side by side. Of each, 128 threads hold 64 rows: so many sums a thread,
  /// and so many accumulators, which are registers but for doubles.
  WARPWRIGHT_CONSTEXPR int instruction_n() const { return sums * tile_cols(); }
  WARPWRIGHT_CONSTEXPR int thread_sums() const { return instruction_n() / 2; }
  WARPWRIGHT_CONSTEXPR int accumulators() const {
    return thread_sums() /
           (half_sums ? 2 : numbers_of(multiplied()).sums_per_register);
  }
  /// Instructions that compute the rows of a consumer group, 64 each.
  WARPWRIGHT_CONSTEXPR int waves() const {
    return tile_rows() / (64 * row_groups());
  }
  /// Sets of consumers that take turns with the blocks of k of a tile, and how
  /// many consumers of each share the tile's rows.
  WARPWRIGHT_CONSTEXPR int k_sets() const { return interleaved ? 2 : 1; }
  WARPWRIGHT_CONSTEXPR int row_groups() const {
    return pingpong ? 1 : consumer_groups / k_sets();
  }
  /// Consumers that store: of several sets the first one's.
  WARPWRIGHT_CONSTEXPR int storing_groups() const {
    return consumer_groups / k_sets();
  }
  WARPWRIGHT_CONSTEXPR const operand_choice &rows() const {
    return swap_ab ? b : a;
  }
  WARPWRIGHT_CONSTEXPR const operand_choice &cols() const {
    return swap_ab ? a : b;
  }
};

WARPWRIGHT_CONSTEXPR int round_up(int x, int unit) {
  return (x + unit - 1) / unit * unit;
}
WARPWRIGHT_CONSTEXPR int round_down(int x, int unit) { return x / unit * unit; }
WARPWRIGHT_CONSTEXPR int least(int x, int y) { return x < y ? x : y; }
WARPWRIGHT_CONSTEXPR int greatest(int x, int y) { return x < y ? y : x; }

/// The widest swizzle whose span, in bytes, divides lines of so many bytes; 16
/// is none. (The span is the width of a box: PTX ISA, "Swizzling Modes".)
WARPWRIGHT_CONSTEXPR int widest_swizzle(int line_bytes) {
  return line_bytes % 128 == 0  ? 128
         : line_bytes % 64 == 0 ? 64
         : line_bytes % 32 == 0 ? 32
                                : 16;
}

/// Of what the transform rewrites: rows of a block, which one warp takes, and
/// its bytes in a stage; the longest line that a block's row has.
constexpr int block_rows = 32, block_bytes = 4096, line_bytes = 128;

/// How wgmma reads an operand (PTX ISA, "Shared Memory Matrix Layout"): the
/// fields of its descriptor and the way of its start address, in bytes.
struct access_numbers {
  int swizzle_bytes = 0;
  int leading_bytes = 0, stride_bytes = 0;
  int k_step_bytes = 0; ///< to the next k of an instruction
  int wave_bytes = 0;   ///< to the next 64 rows
  int group_bytes = 0;  ///< to the rows of the next consumer group
};

/// One operand's way from global memory to the tensor cores.
struct operand_numbers {
  int offset = 0; ///< in a stage, bytes
  int stage_bytes = 0;
  int swizzle_bytes = 0; ///< in which TMA moves chunks; 16: it does not
  // TMA: the boxes of this CTA's share of a stage. The outer extent of a box is
  // divided among the CTAs of the cluster that need the same tile.
  int box_inner = 0, box_outer = 0, box_bytes = 0, boxes = 0;
  int source_boxes = 0; ///< of each array, where there are several
  int box_step_x = 0, box_step_k = 0, box_step_bytes = 0; ///< to the next box
  int shares = 1;                         ///< CTAs that load one part each
  int share_step_x = 0, share_step_k = 0; ///< to the next share
  /// CTAs in the first row (of rows) or column of a cluster, a bit for each,
  /// and bits to the next row or column.
  int multicast_mask = 1, multicast_step = 1;
  access_numbers access; ///< of elements, or of parts
  /// From a row's high parts to its low ones, and the least exponent of a
  /// scaled element that the parts represent well.
  int low_bytes = 0, least_exponent = 0;
};

/// What a consumer group stages and stores at a time: 64 rows of accumulators
/// by `cols` columns.
struct slab_numbers {
  int cols = 0, accumulators = 0;
  int box_inner = 0, box_outer = 0, box_bytes = 0, boxes = 0;
  int pitch = 0; ///< bytes of a row of a box
  int swizzle_bytes = 0;
  int buffers = 0, buffer_bytes = 0; ///< of each group, used in turn
};

struct register_numbers {
  int producer = 0, transform = 0, consumer = 0; ///< 0: as launched
};

/// What the transform does (split.cuh).
struct transform_numbers {
  int window = 0;          ///< stages between promotions
  int blocks_per_warp = 0; ///< at most
  int scale_offset = 0, scale_stage_bytes = 0;
  int flag_offset = 0, flag_stage_bytes = 0;
  int ready_arrivals = 0; ///< of its threads
};

struct plan_numbers {
  operand_numbers rows, cols;
  slab_numbers slab;
  transform_numbers transform;
  register_numbers registers;
  int threads = 0;
  int stage_bytes = 0, staging_offset = 0, exchange_offset = 0;
  int barrier_offset = 0, shared_bytes = 0;
  int transaction_bytes = 0, empty_arrivals = 0;
  int turn_barrier = 0, turn_threads = 0;
  bool promotes_behind = false; ///< promotes_behind() below
};

/// Scaled elements are split as x * scale = high + low / 2^low_shift.
struct split_exponents {
  static constexpr int low_shift = 11;
  static constexpr int scale_exponent = 12; ///< of a row's largest element
  static constexpr int top_exponent = 14;   ///< of any element
  /// Of the largest elements for which there are scales.
  static constexpr int range_exponent = 80;
};

/// Where an instruction has k, of rows and columns: as it comes, or where the
/// rows are in registers and lie along k, in the order in which ldmatrix hands
/// them out. That moves rows of 4 floats: lane t of a quad gets k = t, 4 + t,
/// 8 + t, 12 + t of 16, and gives wgmma the slots 2 t, 2 t + 1, 2 t + 8,
/// 2 t + 9. In CuTe's notation, k to slot is (4,2,2):(2,1,8).
WARPWRIGHT_CONSTEXPR unsigned k_slot(unsigned k, bool by_ldmatrix) {
  return by_ldmatrix ? k % 4 * 2 + k / 4 % 2 + k / 8 % 2 * 8 + k / 16 * 16 : k;
}

/// Where a warpgroup's accumulators lie in each 64 rows of its tile (PTX ISA,
/// "Register Fragments and Shared Memory Matrix Layouts"; in the notation of
/// CuTe, (thread, value) to row + 64 * column is
/// ((4,8,4),(2,2,n/8)):((128,1,16),(64,8,512)) for n columns).
struct fragment {
  static WARPWRIGHT_CONSTEXPR unsigned row(unsigned thread, unsigned value) {
    return thread / 4 % 8 + thread / 32 * 16 + value / 2 % 2 * 8;
  }
  static WARPWRIGHT_CONSTEXPR unsigned col(unsigned thread, unsigned value) {
    return thread % 4 * 2 + value % 2 + value / 4 * 8;
  }
};

/// Whether the consumers load one element of so many `bytes` at a time, where
/// it lies along k as well: doubles, if the rows operand of the plan lies along
/// k (feed_fragments.cuh).
WARPWRIGHT_CONSTEXPR bool loads_singly(unsigned bytes, bool rows_k_major) {
  return bytes == 8 && rows_k_major;
}

/// Where a warp's lanes find what mma.sync wants in their registers as doubles
/// (feed_fragments.cuh), elements of so many `bytes`: in lines of 128 bytes,
/// along k or along the rows, in the swizzle of 128 bytes. From the first of
/// the operand's rows on, so many bytes to the lane's element of slot `lane` %
/// 4 of a stage's first instruction, in the first row that it has.
WARPWRIGHT_CONSTEXPR unsigned fragment_lane(unsigned lane, unsigned bytes,
                                            bool k_major, bool rows_k_major) {
  const unsigned g = lane / 4, t = lane % 4;
  const unsigned k = bytes != 8                          ? 8 * t + 2 * t
                     : loads_singly(bytes, rows_k_major) ? 4 * t + t
                                                         : 4 * t + t / 2 * 2;
  const unsigned line = k_major ? g : k, at = (k_major ? k : g) * bytes;
  return line * 128 + ((at / 16) ^ (line % 8)) * 16 + at % 16;
}

/// From there to its element `slot` of 4 for the instruction number `step`, in
/// the row that lies `eight` times 8 rows further: what is XORed, and then
/// added. The lane's k is XORed with the number of the element.
struct fragment_step {
  unsigned flipped, added;
};
WARPWRIGHT_CONSTEXPR fragment_step fragment_element(unsigned slot,
                                                    unsigned step,
                                                    unsigned eight,
                                                    unsigned bytes,
                                                    bool k_major) {
  const unsigned element = 4 * step + slot;
  if (k_major)
    return {element * bytes, eight * 8 * 128};
  // Rows that fill a line are a block, of as many lines.
  const unsigned block = 128 / bytes * 128, at = eight * 8 * bytes;
  return {(element * 128 + element * 16) ^ (at % 128), at / 128 * block};
}

/// Where the consumers find rows of floats that lie across k (feed_turned.cuh),
/// in boxes of 32 rows by 32 of k: a line of 128 bytes for each k, whose chunks
/// of 16 bytes, 4 rows each, the swizzle has XORed with k % 8. wgmma wants k =
/// t and t + 4 of each 8, and rows g and g + 8, in lane 4 g + t. A warp's lanes
/// begin with the k that makes their 32 words lie in as many banks: those of
/// odd t with t + 4.
///
/// So many bytes from the first row of a stage on to what a lane loads first,
/// where `row`, a multiple of 16, is the first of its warp's.
WARPWRIGHT_CONSTEXPR unsigned turned_lane(unsigned lane, unsigned row) {
  const unsigned g = lane / 4, t = lane % 4, k = t + t % 2 * 4;
  const unsigned chunk = (row % 32 / 4 + g / 4) ^ k;
  return row / 32 * 4096 + k * 128 + chunk * 16 + g % 4 * 4;
}
/// From there to its load number `load` of 4 for an instruction, in the rows
/// that lie `wave` times 64 further: 8 rows below flip one bit, the other k
/// flips one in the number of the line and one in that of the chunk. `at` may
/// have any multiple of 1024 added.
WARPWRIGHT_CONSTEXPR unsigned turned_load(unsigned at, unsigned load,
                                          unsigned step, unsigned wave) {
  return (at ^ load % 2 * 32 ^ load / 2 * (4 * 128 + 4 * 16)) + step * 8 * 128 +
         wave * 2 * 4096;
}
/// Which of an instruction's registers that is for.
WARPWRIGHT_CONSTEXPR unsigned turned_register(unsigned lane, unsigned load) {
  return load ^ lane % 2 * 2;
}

/// Boxes of elements that wgmma reads as they are. Along k, one box has the
/// tile_k of every row of an array, or of a single array, whose lines may be
/// longer than a swizzle spans, as many of them as the span has. Across it, a
/// box is one block of the swizzle wide and tile_k high, and the tile is
/// rounded up to whole blocks.
WARPWRIGHT_CONSTEXPR operand_numbers straight_operand(const operand_choice &o,
                                                      int extent, int sources,
                                                      int tile_k) {
  operand_numbers n;
  const int span = 128 / o.element_bytes();
  const int stored = o.k_major ? extent : round_up(extent, span);
  n.stage_bytes = stored * tile_k * o.element_bytes();
  n.swizzle_bytes =
      widest_swizzle((o.k_major ? tile_k : stored) * o.element_bytes());
  const int inner = n.swizzle_bytes / o.element_bytes();
  n.box_inner = inner;
  if (o.k_major) {
    n.box_outer = extent / sources;
    n.boxes = sources * (tile_k / inner);
    n.box_step_x = sources > 1 ? n.box_outer : 0;
    n.box_step_k = tile_k > inner ? inner : 0;
  } else {
    n.box_outer = tile_k;
    n.boxes = stored / inner;
    n.box_step_x = n.boxes > 1 ? inner : 0;
  }
  n.source_boxes = n.boxes / sources;
  n.box_step_bytes = inner * n.box_outer * o.element_bytes();
  // Eight lines of 128 bytes are an atom of the swizzle.
  access_numbers &to = n.access;
  to.swizzle_bytes = n.swizzle_bytes;
  to.stride_bytes = 8 * n.swizzle_bytes;
  if (o.k_major) {
    to.leading_bytes = 16; // is not read
    to.k_step_bytes = instruction_k(o.element) * o.element_bytes();
    to.wave_bytes = 64 * n.swizzle_bytes;
  } else {
    to.leading_bytes = n.box_step_bytes;
    to.k_step_bytes = instruction_k(o.element) * n.swizzle_bytes;
    to.wave_bytes = 64 / inner * n.box_step_bytes;
  }
  return n;
}

/// Boxes of elements that the consumers convert in registers. Nothing is read
/// by a descriptor, and across k a box is no wider than the tile.
WARPWRIGHT_CONSTEXPR operand_numbers converted_operand(const operand_choice &o,
                                                       int extent, int tile_k) {
  operand_numbers n;
  n.stage_bytes = extent * tile_k * o.element_bytes();
  n.swizzle_bytes =
      widest_swizzle((o.k_major ? tile_k : extent) * o.element_bytes());
  const int inner = n.swizzle_bytes / o.element_bytes();
  n.box_inner = inner;
  n.box_outer = o.k_major ? extent : tile_k;
  n.boxes = (o.k_major ? tile_k : extent) / inner;
  n.source_boxes = n.boxes;
  n.box_step_bytes = inner * n.box_outer * o.element_bytes();
  if (n.boxes > 1)
    (o.k_major ? n.box_step_k : n.box_step_x) = inner;
  return n;
}

/// Steps of k, of an instruction each, whose rows a consumer converts at a
/// time: it has registers for so many, and as a rule for as many that are
/// multiplied meanwhile.
constexpr int converted_steps = 4;

/// Whether a consumer converts the rows of such steps when the products of
/// those before are done, and so holds no others: where sets of consumers take
/// turns, sums of a group leave the accumulators, and both take the registers
/// of this many columns. While one set multiplies, the other one converts.
WARPWRIGHT_CONSTEXPR bool converts_alone(bool groups, int sets,
                                         int accumulators) {
  return groups && sets > 1 && accumulators > 16;
}

/// Whether the products of such steps are waited for before the next ones are
/// issued: where sums of a group leave the accumulators behind them, and where
/// two sets of consumers take turns with stages of no more steps and have this
/// many accumulators (measured with bytes, an H200: 22.8 us in place of 23.6
/// for 64 columns, but 19.1 in place of 18.8 for 16).
WARPWRIGHT_CONSTEXPR bool waits_for_each(bool groups, int sets, int parts,
                                         int accumulators) {
  return groups || (sets > 1 && parts == 1 && accumulators > 16);
}

/// Which of the 16 rows of a warp slot `slot` of wgmma's fragment has, where
/// consumers convert rows in registers. Of rows that do not lie along k,
/// ldmatrix brings a lane two neighbours, which wgmma takes for rows that are 8
/// apart. In CuTe's notation, slot to row is (8,2):(2,1).
WARPWRIGHT_CONSTEXPR int row_of_slot(int slot, bool k_major) {
  return k_major ? slot : slot % 8 * 2 + slot / 8;
}

/// Significant bits that one fp16 part has of a number of a type, down to the
/// least exponent: all that such numbers have, or as many as fp16 has. Those of
/// fewer bits have room for 8, too; with less the products of the least ones
/// would lose bits where the scales are undone.
WARPWRIGHT_CONSTEXPR int bits_of_part(Type type) {
  return type == Type::bf16 || size_of(type) == 1 ? 8 : 11;
}

/// Boxes of elements that the transform rewrites as fp16 parts, and how wgmma
/// reads the parts. Blocks of 32 rows lie block_bytes apart whatever their
/// elements are; where elements along k fill a line, one box has all blocks.
WARPWRIGHT_CONSTEXPR operand_numbers split_operand(const operand_choice &o,
                                                   int extent, int sources,
                                                   int tile_k,
                                                   bool in_registers) {
  operand_numbers n;
  const int depth = tile_k / o.numbers; // elements
  const bool fills_lines = o.k_major && depth * o.element_bytes() == line_bytes;
  const int box_rows = fills_lines ? extent / sources : block_rows;
  n.stage_bytes = extent / block_rows * block_bytes;
  // The transform reads a line at a time where rows do not lie along k, one
  // element a lane: only the consumers' own loads need a swizzle there.
  n.swizzle_bytes = o.k_major ? widest_swizzle(depth * o.element_bytes())
                    : in_registers
                        ? widest_swizzle(box_rows * o.element_bytes())
                        : 16;
  n.box_inner = o.k_major ? depth : box_rows;
  n.box_outer = o.k_major ? box_rows : depth;
  n.boxes = extent / box_rows;
  n.source_boxes = n.boxes / sources;
  n.box_step_x = n.boxes > 1 ? box_rows : 0;
  n.box_step_bytes = box_rows / block_rows * block_bytes;
  // fp16 has 11 bits down to 2^-14, then one less for each power of two. Of two
  // parts, the low one makes up for what a subnormal high one lost.
  n.least_exponent =
      o.parts == 2 ? -16
                   : -14 - (bits_of_part(Type::f16) - bits_of_part(o.factor));
  if (in_registers)
    return n;
  n.low_bytes = o.parts == 2 ? tile_k * size_of(part) : 0;
  n.access.swizzle_bytes = line_bytes;
  n.access.leading_bytes = 16; // is not read
  n.access.stride_bytes = 8 * line_bytes;
  n.access.k_step_bytes = instruction_k(part) * size_of(part);
  n.access.wave_bytes = 64 * line_bytes;
  return n;
}

/// One part of each box for each of `shares` CTAs.
WARPWRIGHT_CONSTEXPR void share_boxes(operand_numbers &n,
                                      const operand_choice &o, int shares) {
  n.shares = shares;
  n.box_outer /= shares;
  n.box_bytes = n.box_inner * n.box_outer * o.element_bytes();
  if (shares > 1)
    (o.k_major ? n.share_step_x : n.share_step_k) = n.box_outer;
}

/// Of both operands, ranks of a cluster running along its rows first.
WARPWRIGHT_CONSTEXPR void derive_operands(plan_numbers &p, const choice &c) {
  const bool split = c.transform_groups > 0;
  const int rows = c.tile_rows(), cols = c.instruction_n();
  p.rows = split
               ? split_operand(c.rows(), rows, 1, c.tile_k, c.rows_in_registers)
           : c.converts() ? converted_operand(c.rows(), rows, c.tile_k)
                          : straight_operand(c.rows(), rows, 1, c.tile_k);
  p.cols = split ? split_operand(c.cols(), cols, c.sums, c.tile_k, false)
                 : straight_operand(c.cols(), cols, c.sums, c.tile_k);
  // CTAs side by side along the columns need the same rows, and vice versa.
  share_boxes(p.rows, c.rows(), c.cluster_cols());
  share_boxes(p.cols, c.cols(), c.cluster_rows());
  p.rows.multicast_mask = 0;
  for (int i = 0; i < c.cluster_cols(); ++i)
    p.rows.multicast_mask |= 1 << i * c.cluster_rows();
  p.cols.multicast_mask = (1 << c.cluster_rows()) - 1;
  p.cols.multicast_step = c.cluster_rows();
  if (!c.pingpong)
    p.rows.access.group_bytes = c.waves() * p.rows.access.wave_bytes;
  p.cols.offset = p.rows.stage_bytes;
  p.stage_bytes = p.rows.stage_bytes + p.cols.stage_bytes;
  for (const operand_numbers *o : {&p.rows, &p.cols})
    p.transaction_bytes += o->boxes * o->shares * o->box_bytes;
}

/// The output's contiguous direction runs along the accumulator's rows with
/// swap_ab, and along its columns without.
WARPWRIGHT_CONSTEXPR slab_numbers derive_slab(const choice &c) {
  slab_numbers s;
  if (!c.staged && !c.sliced)
    return s;
  // Slices leave sums.
  const int bytes = size_of(c.sliced ? c.sum() : c.output);
  // As many columns as fill a line and divide the tile, but no more than 64,
  // and with a transform no more than 32: all values of a slab, and what is
  // read for them, are in registers beside all sums of the tile.
  s.cols = least(128 / bytes, 64);
  if (c.transform_groups > 0)
    s.cols = least(s.cols, 32);
  while (c.tile_cols() % s.cols != 0)
    s.cols /= 2;
  s.accumulators = s.cols / 2;
  const int inner = c.swap_ab ? 64 : s.cols, outer = c.swap_ab ? s.cols : 64;
  s.swizzle_bytes = widest_swizzle(inner * bytes);
  s.box_inner = s.swizzle_bytes / bytes;
  s.box_outer = outer;
  s.box_bytes = s.swizzle_bytes * outer;
  s.boxes = inner / s.box_inner;
  s.pitch = s.swizzle_bytes;
  s.buffers = 2;
  s.buffer_bytes = 8192;
  return s;
}

/// setmaxnreg: what the warpgroups have after they have shared out what the
/// kernel was launched with.
WARPWRIGHT_CONSTEXPR register_numbers derive_registers(const choice &c,
                                                       int threads) {
  register_numbers r;
  const int step = 8, most = 256 - step;
  const int groups = threads / 128;
  // 255 is the most that a thread can use.
  const int launched = round_down(least(65536 / threads, 255), step);
  if (c.transform_groups == 0) {
    if (c.consumer_groups == 1)
      return r; // a lone consumer has what it needs from the launch
    r.producer = c.interleaved ? 32 : 40;
    r.consumer = least(
        most,
        round_down((launched * groups - r.producer) / c.consumer_groups, step));
    return r;
  }
  // The transform gives some of its registers up, the consumers, which come
  // first, take more: 16 besides accumulators and sums in the main loop, or
  // with rows in registers 40 besides two stages' fragments and no sums; and 64
  // besides the sums in the epilogue. Fewer for any of them and ptxas spills.
  const bool in_registers = c.rows_in_registers;
  r.producer = in_registers ? 40 : 32;
  int left = launched * groups - r.producer;
  const int accumulators = c.accumulators();
  const int sums = c.waves() * accumulators;
  const int loop =
      in_registers ? sums + c.waves() * 16 + 40 : accumulators + sums + 16;
  const int needed = greatest(loop, sums + 64);
  const int spare = left - c.consumer_groups * greatest(needed, launched);
  const bool computes_much = (c.a.computed && c.b.computed) ||
                             (c.a.numbers > 1 && !c.b.k_major) ||
                             (c.b.numbers > 1 && !c.a.k_major);
  const int fewest = in_registers ? 72 : computes_much ? 88 : 80;
  r.transform =
      least(greatest(round_down(greatest(spare, 0) / c.transform_groups, step),
                     fewest),
            least(112, launched));
  left -= c.transform_groups * r.transform;
  r.consumer = least(round_down(left / c.consumer_groups, step), most);
  return r;
}

/// Where the scales and flags of the transform lie, from byte `offset` on;
/// advances it past them.
WARPWRIGHT_CONSTEXPR transform_numbers derive_transform(const choice &c,
                                                        int &offset) {
  transform_numbers t;
  if (c.transform_groups == 0)
    return t;
  const int rows = c.tile_rows() + c.instruction_n();
  const int warps = c.transform_groups * 4;
  // With rows in registers promotions follow when scales change, and a window
  // is only what the exponents must allow for.
  t.window = c.rows_in_registers ? 256 : c.stages >= 6 ? 3 : 2;
  t.blocks_per_warp =
      ((c.rows_in_registers ? c.instruction_n() : rows) / block_rows + warps -
       1) /
      warps;
  t.scale_offset = offset;
  t.scale_stage_bytes = rows;
  t.flag_offset = t.scale_offset + c.stages * t.scale_stage_bytes;
  t.flag_stage_bytes = round_up(rows / block_rows, 8); // aligns the barriers
  t.ready_arrivals = warps * 32;
  offset = t.flag_offset + c.stages * t.flag_stage_bytes;
  return t;
}

/// Of sums that are promoted with every stage: whether those of a stage are
/// while the products of the next one are computed, in accumulators of their
/// own. A thread needs registers for these, and the ring more stages than these
/// two. The scales of blocks would need registers, too.
WARPWRIGHT_CONSTEXPR bool promotes_behind(const choice &c,
                                          const plan_numbers &p) {
  constexpr int other_registers = 24, lone_registers = 248, least_stages = 4;
  const int registers =
      c.consumer_groups == 1 ? lone_registers : p.registers.consumer;
  return c.promoted_k && c.promoted_k == c.tile_k && !c.a.scaled &&
         !c.b.scaled && c.stages >= least_stages &&
         3 * c.waves() * c.accumulators() + other_registers <= registers;
}

/// All that follows from \p c.
WARPWRIGHT_CONSTEXPR plan_numbers derive(const choice &c) {
  plan_numbers p;
  const bool split = c.transform_groups > 0;
  p.threads = (1 + c.transform_groups + c.consumer_groups) * 128;
  derive_operands(p, c);
  p.slab = derive_slab(c);
  p.staging_offset = c.stages * p.stage_bytes;
  p.barrier_offset = p.staging_offset +
                     c.storing_groups() * p.slab.buffers * p.slab.buffer_bytes;
  // The sums of the second set, four bytes each.
  p.exchange_offset = c.interleaved ? p.barrier_offset : 0;
  if (c.interleaved)
    p.barrier_offset += 4 * c.tile_rows() * c.instruction_n();
  p.transform = derive_transform(c, p.barrier_offset);
  p.shared_bytes = p.barrier_offset + (split ? 3 : 2) * 8 * c.stages;
  // Of every warp that reads a stage, in all CTAs that the stage is loaded for;
  // of every thread, where threads read it by ordinary loads.
  p.empty_arrivals = c.cluster_size() * 4 * c.row_groups() *
                     (split || c.by_fragments() || c.loads_rows() ? 32 : 1);
  // Named barriers: 0 is __syncthreads, 1 to 3 are of the consumers' stores.
  // Two warpgroups meet at those of turns, and at those of exchanged sums.
  p.turn_barrier = c.pingpong || c.interleaved ? 4 : 0;
  p.turn_threads = c.pingpong || c.interleaved ? 256 : 0;
  p.registers = derive_registers(c, p.threads);
  p.promotes_behind = promotes_behind(c, p);
  return p;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_PLAN_CUH
