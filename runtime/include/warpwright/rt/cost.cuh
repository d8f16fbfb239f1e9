//===-- cost.cuh - What a plan costs ----------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model: how many clocks a plan should take for a problem. Planner and
// launcher compile this one formula, so that what `explain` predicts is what a
// launch decides by. Its constants were fitted to measurements on the H200
// (docs/performance.md). There is no CUDA in it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_COST_CUH
#define WARPWRIGHT_RT_COST_CUH

#include <stdint.h>
#include <warpwright/rt/gpu.cuh>
#include <warpwright/rt/pieces.cuh>
#include <warpwright/rt/plan.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What the selector knows of a plan: whole clocks of one multiprocessor, and
/// bytes.
struct plan_cost {
  /// Of one CTA for one block of tile_k: tensor cores, shared memory or the
  /// transform, whichever is slowest.
  int64_t clocks_per_k_block = 0;
  /// Per tile: what of the epilogue is not hidden behind other tiles.
  int64_t clocks_per_tile = 0;
  /// Per launch: filling the pipeline, and what of the last epilogue is not in
  /// clocks_per_tile.
  int64_t clocks_once = 0;
  /// Bytes that one CTA draws from L2 for one block of tile_k, and how many of
  /// them are of A.
  int64_t bytes_per_k_block = 0, a_bytes_per_k_block = 0;
  /// Bytes that one CTA stores for a tile, where they are not in the clocks.
  int64_t stored_bytes_per_tile = 0;
};

/// What of the model differs between kinds of plans, each of which was fitted
/// to measurements of its own.
struct coefficients {
  /// What the rows of a tile, 128 bytes each, cost L2 in thousandths of a line
  /// if they start at multiples of 64, 32 and 16 bytes.
  int64_t lines_of_64 = 1900, lines_of_32 = 2350, lines_of_16 = 2575;
  /// Of the rate at which L2 delivers lines to all multiprocessors.
  int64_t l2_per_mille = 1000;
  /// Launch, tensor maps, barriers, first loads; and what a cluster, which
  /// starts and ends together, adds to that.
  double launch_clocks = 4800, cluster_clocks = 2200;
  /// Of a tile, whatever its size: scheduling, and draining the last products;
  /// where consumers share it, and where they take turns.
  double tile_clocks = 160, tile_in_turn_clocks = 160;
  /// The main loop in clusters of two, four, and eight CTAs.
  double pair_factor = 1.04, four_factor = 1.05, eight_factor = 1.17;
  /// That of plans whose operands go straight to the tensor cores, relative to
  /// that of two warpgroups which share a tile: with whole tiles in turn, with
  /// one warpgroup, and with three.
  double pingpong_factor = 0.884, single_factor = 0.872, three_factor = 1.04;
  /// Reads and fills of shared memory overlap better than their sum says; and
  /// the barriers of a block.
  double smem_overlap = 0.845, block_clocks = 10;
  /// The kernel that adds slices: a launch, most of which the first kernel
  /// hides, and every sum read once, so many bytes a clock.
  int64_t sum_launch_clocks = 5200, sum_bytes = 1450;
  /// Where rows are counted in lines (is_of_lines): whole lines that one
  /// multiprocessor draws from L2, and what all of them store, bytes a clock;
  /// the rest of the epilogue, clocks for each byte of a tile; and what
  /// `estimate` says of bounds that are equal and of device memory.
  int64_t port_line_bytes = 91, stored_bytes = 3387;
  double byte_clocks = 0.0245, shown_of_equal = 0.7435, memory_share = 0.517;
  /// By how much longer L2 takes to deliver to tiles of few rows where operands
  /// are exchanged: the tiles that read the same columns of B are as far apart
  /// as a band of tiles is high, not side by side.
  double exchanged_l2 = 1;
};

/// Whether a plan was measured at rows that start inside of cache lines as much
/// as at others, so that the way from L2 is known in lines: all whose operands
/// go straight to the tensor cores or are rounded by TMA. Those with a
/// transform, of doubles and of bytes that consumers convert were fitted
/// before.
WARPWRIGHT_CONSTEXPR bool is_of_lines(const choice &c) {
  return c.transform_groups == 0 && !c.by_fragments() && !c.converts();
}

/// Those of floats that TMA rounds and of promoted sums were fitted to
/// measurements of their own; of the former those that go straight to the
/// tensor cores once more, to 188 shapes.
WARPWRIGHT_CONSTEXPR bool is_of_rounded_or_promoted(const choice &c) {
  return is_of_lines(c) && (c.promoted_k > 0 || c.multiplied() == Type::f32);
}

WARPWRIGHT_CONSTEXPR coefficients coefficients_of(const choice &c) {
  coefficients of;
  if (c.transform_groups > 0) {
    of.launch_clocks = 8000;
    of.cluster_clocks = 1270;
    of.tile_clocks = of.tile_in_turn_clocks = 62;
  }
  if (!is_of_lines(c))
    return of;
  if (!is_of_rounded_or_promoted(c)) {
    of.lines_of_64 = 1432, of.lines_of_32 = 1533, of.lines_of_16 = 2288;
    of.l2_per_mille = 1210;
    of.launch_clocks = 4069, of.cluster_clocks = 2185;
    of.tile_clocks = 62, of.tile_in_turn_clocks = 522;
    of.pair_factor = 1.0931, of.four_factor = 1.2431, of.eight_factor = 1.3061;
    of.pingpong_factor = 0.962, of.single_factor = 0.9602;
    of.three_factor = 1.033;
    of.smem_overlap = 0.7232, of.block_clocks = 4.5;
    of.sum_launch_clocks = 7000, of.sum_bytes = 1700;
    of.port_line_bytes = 93, of.stored_bytes = 3380;
    of.byte_clocks = 0.0204, of.shown_of_equal = 0.4984;
    of.memory_share = 0.5442, of.exchanged_l2 = 1.3712;
    return of;
  }
  const bool promoted = c.promoted_k > 0;
  if (!promoted && !c.turns()) {
    of.lines_of_64 = 1177, of.lines_of_32 = 1736, of.lines_of_16 = 2288;
    of.l2_per_mille = 1304;
    of.launch_clocks = 4972, of.cluster_clocks = 2479;
    of.tile_clocks = 191, of.tile_in_turn_clocks = 595;
    of.pair_factor = 1.063, of.four_factor = 1.1703, of.eight_factor = 1.1533;
    of.pingpong_factor = 0.9289, of.single_factor = 0.8992;
    of.three_factor = 0.9957;
    of.smem_overlap = 0.8364, of.block_clocks = 6.1;
    of.sum_launch_clocks = 5353, of.sum_bytes = 1574;
    of.port_line_bytes = 103, of.stored_bytes = 3246;
    of.byte_clocks = 0, of.shown_of_equal = 0.7032, of.memory_share = 0.4593;
    return of;
  }
  of.lines_of_64 = 1620, of.lines_of_32 = 1570, of.lines_of_16 = 2320;
  of.l2_per_mille = 1188;
  of.launch_clocks = 1950, of.cluster_clocks = 2300;
  of.tile_clocks = 76, of.tile_in_turn_clocks = 626;
  of.pair_factor = 1.046, of.four_factor = 1.077, of.eight_factor = 1.127;
  // What one warpgroup adds to its sums, no other hides.
  of.pingpong_factor = 0.919, of.single_factor = promoted ? 1.165 : 0.856;
  of.three_factor = promoted ? 0.913 : 1.03;
  of.smem_overlap = 0.856, of.block_clocks = 1.8;
  of.sum_launch_clocks = 5130, of.sum_bytes = 1159;
  of.port_line_bytes = 117, of.stored_bytes = 2390;
  of.byte_clocks = 0.0462, of.shown_of_equal = 0.79, of.memory_share = 0.547;
  return of;
}

/// CTAs of a cluster wait for each other.
WARPWRIGHT_CONSTEXPR double cluster_factor(const choice &c) {
  const coefficients of = coefficients_of(c);
  return c.cluster_size() == 1   ? 1
         : c.cluster_size() == 2 ? of.pair_factor
         : c.cluster_size() == 4 ? of.four_factor
                                 : of.eight_factor;
}

/// At multiples of how many bytes the rows of the operands start in memory: a
/// power of two up to 128, a cache line. Of rows that start at multiples of
/// less, the 128 bytes of a tile's row lie in two cache lines more often, and
/// at odd multiples of 16 bytes also in five sectors of 32 bytes, not four.
struct row_starts {
  static constexpr int line = 128;
  int a = line, b = line;

  /// What so many bytes cost L2, of which some are of A, as bytes of whole
  /// lines.
  WARPWRIGHT_CONSTEXPR int64_t drawn(int64_t bytes, int64_t of_a,
                                     const coefficients &of) const {
    return (of_a * per_mille(a, of) + (bytes - of_a) * per_mille(b, of)) / 1000;
  }

private:
  static WARPWRIGHT_CONSTEXPR int64_t per_mille(int start,
                                                const coefficients &of) {
    return start >= line ? 1000
           : start >= 64 ? of.lines_of_64
           : start >= 32 ? of.lines_of_32
                         : of.lines_of_16;
  }
};

/// Of one multiprocessor of an H200, per clock: bytes of its shared memory;
/// bytes that it draws from L2; and operations of its tensor cores, of which
/// there are twice as many on elements of half the size, and far fewer on
/// doubles (67 TFLOPS in all).
constexpr double smem_bytes = 128, port_bytes = 73;
WARPWRIGHT_CONSTEXPR double tensor_flops(Type type) {
  return type == Type::f64 ? 256 : 8192.0 / size_of(type);
}
/// A wgmma takes at least this long, whatever its n.
constexpr double least_wgmma_clocks = 16;

WARPWRIGHT_CONSTEXPR double larger(double x, double y) { return x < y ? y : x; }

/// What bounds the main loop of plans with a transform stage, beside L2: clocks
/// for each block of k.
struct split_bounds {
  double transform = 0, consumers = 0, smem = 0;
};

WARPWRIGHT_CONSTEXPR split_bounds bounds_of_split(const choice &c,
                                                  const plan_numbers &p) {
  // A warp of the transform takes so long for a block of a stage, and longer
  // for each block that others rewrite meanwhile, its own included; measured
  // with 13 plans of 3 to 9 blocks, and made smaller by runs of two, with 4 and
  // 8, when the transform became faster.
  constexpr double block_clocks = 330, one_part_clocks = 95,
                   two_parts_clocks = 170;
  // Consumers that round their rows hardly hide it behind their products: what
  // each 64 rows that a consumer has add to the time of these, and to that of
  // the transform's warps per block of 32 rows, by their loads.
  constexpr double rounding_clocks = 320, rounded_block_clocks = 22;

  // All blocks of a stage, and what TMA, the transform and the products make of
  // the bandwidth of shared memory. Rows in registers are read once and not
  // written, and wgmma does not read them.
  const int extents[2] = {c.tile_rows(), c.instruction_n()};
  const int parts[2] = {c.rows().parts, c.cols().parts};
  double parallel = 0, bytes = 2.0 * p.transaction_bytes;
  int blocks = 0;
  for (int i = 0; i < 2; ++i) {
    const int own = extents[i] / block_rows;
    if (i == 0 && c.rows_in_registers) {
      parallel += own * rounded_block_clocks;
      continue;
    }
    blocks += own;
    parallel += own * (parts[i] == 2 ? two_parts_clocks : one_part_clocks);
    bytes += double(extents[i]) * c.tile_k * parts[i] * size_of(part);
  }
  // Where there are more blocks than warps, one has several in turn, always
  // beside all others.
  const int warps = 4 * c.transform_groups;
  const int rounds = (blocks + warps - 1) / warps;
  split_bounds b;
  b.transform =
      rounds * (block_clocks + parallel * least(blocks, warps) / blocks);
  // Of 2 and 2 parts there are 3 products: that of the two low ones is too
  // small to matter.
  const int products = parts[0] + parts[1] - 1;
  const double wgmmas = double(products) * (c.tile_rows() / 64) *
                        (c.tile_k / instruction_k(part));
  bytes += wgmmas * 32 * ((c.rows_in_registers ? 0 : 64) + c.instruction_n());
  const double flops = 2.0 * 64 * c.instruction_n() * instruction_k(part);
  b.consumers =
      wgmmas * larger(flops / tensor_flops(part), least_wgmma_clocks) +
      (c.rows_in_registers ? rounding_clocks * c.waves() : 0);
  b.smem = bytes / smem_bytes;
  return b;
}

WARPWRIGHT_CONSTEXPR double split_clocks(const choice &c, const plan_numbers &p,
                                         double from_l2) {
  // CTAs of a cluster wait for each other.
  constexpr double cluster_factor = 1.06;
  const split_bounds b = bounds_of_split(c, p);
  const double clocks = larger(larger(b.transform, b.consumers),
                               larger(b.smem, from_l2 / port_bytes));
  return c.cluster_size() == 1 ? clocks : clocks * cluster_factor;
}

/// The main loop of plans whose operands go straight to the tensor cores.
WARPWRIGHT_CONSTEXPR double
straight_clocks(const choice &c, const plan_numbers &p, double from_l2) {
  const coefficients of = coefficients_of(c);
  const Type element = c.multiplied();
  const int depth = instruction_k(element);
  const double wgmmas = double(c.tile_rows() / 64) * (c.tile_k / depth);
  const double flops = 2.0 * 64 * c.instruction_n() * depth;
  const double tensor =
      wgmmas * larger(flops / tensor_flops(element), least_wgmma_clocks);
  // Each wgmma reads its 64 rows and its n columns, 32 bytes wide; the fill
  // writes everything once. Rows that consumers convert are read by them, and
  // not by wgmma.
  const double smem =
      (wgmmas * 32 * ((c.converts() ? 0 : 64) + c.instruction_n()) +
       p.stage_bytes + (c.converts() ? p.rows.stage_bytes : 0)) /
      smem_bytes * of.smem_overlap;
  double clocks = larger(larger(tensor, smem), from_l2 / port_bytes);
  // An addition for each accumulator, by each of a warpgroup's four warps on
  // one of the four parts of the multiprocessor, hidden behind nothing, unless
  // the next products are computed meanwhile; and the wait for the last one.
  const double addition_clocks = is_of_rounded_or_promoted(c) ? 1.63 : 1;
  const int promoted = c.promoted_k ? c.promoted_k : c.group_k;
  if (promoted && !p.promotes_behind)
    clocks +=
        addition_clocks * c.waves() * c.accumulators() * c.tile_k / promoted;
  if (c.pingpong)
    clocks *= of.pingpong_factor;
  if (c.consumer_groups == 1)
    clocks *= of.single_factor;
  if (c.consumer_groups == 3)
    clocks *= of.three_factor;
  clocks *= cluster_factor(c);
  // Fitted to what tiles of 16 to 256 columns take on an H200: to load and
  // convert 64 rows by 16 of k, and how much of the products that does not
  // hide; less of both where two sets of consumers do it in turn.
  constexpr double converting_clocks = 40, converting_column_clocks = 0.38;
  constexpr double in_turn_clocks = 36, in_turn_column_clocks = 0.21;
  if (c.converts())
    clocks = larger(
        clocks,
        wgmmas * (c.interleaved ? in_turn_clocks +
                                      in_turn_column_clocks * c.instruction_n()
                                : converting_clocks + converting_column_clocks *
                                                          c.instruction_n()));
  return clocks + of.block_clocks;
}

/// The main loop of consumers that load rounded rows: each wgmma takes so much
/// longer than its columns need, and waits for the loads of its rows where it
/// has few. A consumer that is alone has nobody to hide that. Fitted to
/// measurements.
WARPWRIGHT_CONSTEXPR double turned_clocks(const choice &c) {
  constexpr double wgmma_clocks = 32.9, column_clocks = 0.37,
                   least_clocks = 56.7;
  constexpr double lone_wgmma_clocks = 32.3, lone_column_clocks = 0.497,
                   lone_least_clocks = 72.8;
  const double wgmmas =
      double(c.tile_rows() / 64) * (c.tile_k / instruction_k(c.multiplied()));
  const int n = c.instruction_n();
  return wgmmas * cluster_factor(c) *
         (c.consumer_groups == 1
              ? larger(lone_wgmma_clocks + lone_column_clocks * n,
                       lone_least_clocks)
              : larger(wgmma_clocks + column_clocks * n, least_clocks));
}

/// The main loop of consumers that load fragments. The FP64 tensor cores are so
/// slow that almost everything else hides behind them, if there are two warps
/// on each of the four parts of the multiprocessor. (Measured at 4096^3, of
/// tensor cores alone and in all: 2048 and 2080 to 2100 clocks a block of
/// 128x128, 1536 and 1585 of 128x96, 1024 and 1077 to 1089 of 128x64.) A warp
/// that is alone there waits for its loads, and between dependent instructions:
/// 744 to 761 clocks a block of 64x64, 391 to 417 of 64x32.
WARPWRIGHT_CONSTEXPR double
fragment_clocks(const choice &c, const plan_numbers &p, double from_l2) {
  constexpr double block_clocks = 48, lone_factor = 1.4;
  const double tensor = 2.0 * c.tile_rows() * c.instruction_n() * c.tile_k /
                        tensor_flops(c.multiplied());
  // Each warp reads its own rows once, and all columns; the fill writes
  // everything once.
  const double columns_read =
      double(c.tile_rows() / (16 * c.waves())) * p.cols.stage_bytes;
  const double smem =
      (p.rows.stage_bytes + columns_read + p.stage_bytes) / smem_bytes;
  const double busy = tensor * (c.consumer_groups == 1 ? lone_factor : 1);
  return larger(larger(busy, smem), from_l2 / port_bytes) + block_clocks;
}

WARPWRIGHT_CONSTEXPR plan_cost cost_of(const choice &c, const plan_numbers &p) {
  // What the first window of a transform adds to the launch.
  constexpr double first_window_clocks = 1500;
  // Of the epilogue, per element of one warpgroup. Taking turns hides it.
  // Consumers that load their rows have less to wait for. With rows in
  // registers it undoes the scales, and all tiles of a wave are stored at once.
  // Of doubles, which was not measured, four times as many bytes leave as of
  // 16-bit ones.
  constexpr double epilogue_clocks = 0.125, own_loads_epilogue_clocks = 0.05,
                   rounding_epilogue_clocks = 0.27,
                   double_epilogue_clocks = 0.2;
  // The same, beside the time that the bytes take on their way
  // (stored_bytes_per_tile), where consumers load their rows.
  constexpr double turned_epilogue_clocks = 0.13;

  const coefficients of = coefficients_of(c);
  const bool split = c.transform_groups > 0;
  const bool stores_apart = is_of_lines(c);
  // Where L2 is counted in lines, so is the way from there, when it is known
  // where rows start.
  const double from_l2 = double(p.rows.boxes) * p.rows.box_bytes +
                         double(p.cols.boxes) * p.cols.box_bytes;
  const double by_port = is_of_lines(c) ? 0 : from_l2;
  const double clocks = split              ? split_clocks(c, p, by_port)
                        : c.by_fragments() ? fragment_clocks(c, p, by_port)
                        : c.turns()        ? turned_clocks(c)
                                           : straight_clocks(c, p, by_port);
  const double elements = double(c.tile_rows()) * c.tile_cols();
  const double of_element =
      stores_apart              ? c.turns() ? turned_epilogue_clocks
                                            : of.byte_clocks * size_of(c.output)
      : c.rows_in_registers     ? rounding_epilogue_clocks
      : c.by_fragments()        ? double_epilogue_clocks
      : split || c.loads_rows() ? own_loads_epilogue_clocks
                                : epilogue_clocks;
  const double epilogue =
      of_element * elements / (c.pingpong ? 1 : c.storing_groups());
  plan_cost cost;
  cost.clocks_per_k_block = int64_t(clocks + 0.5);
  cost.clocks_per_tile =
      int64_t(c.pingpong ? of.tile_in_turn_clocks : of.tile_clocks + epilogue);
  cost.clocks_once = int64_t(of.launch_clocks + (c.pingpong ? epilogue : 0) +
                             (split ? first_window_clocks : 0) +
                             (c.cluster_size() > 1 ? of.cluster_clocks : 0));
  cost.bytes_per_k_block = int64_t(from_l2);
  const operand_numbers &of_a = c.swap_ab ? p.cols : p.rows;
  cost.a_bytes_per_k_block = int64_t(of_a.boxes) * of_a.box_bytes;
  if (stores_apart)
    cost.stored_bytes_per_tile =
        int64_t(elements) * size_of(c.sliced ? c.sum() : c.output);
  return cost;
}

WARPWRIGHT_CONSTEXPR int64_t ceil_div(int64_t x, int64_t y) {
  return (x + y - 1) / y;
}

/// Of operands with so many bytes that are copied before the kernel starts
/// (load_copied.cuh): a launch, and every byte read and written once.
WARPWRIGHT_CONSTEXPR int64_t copy_clocks(int64_t bytes) {
  constexpr int64_t launch_clocks = 4500, bytes_per_clock = 2200;
  return bytes ? launch_clocks + 2 * bytes / bytes_per_clock : 0;
}

/// How a problem falls into a plan's tiles, and the bounds in clocks: what the
/// busiest multiprocessor does, and what all of them draw from L2.
struct estimate {
  int64_t tiles = 0, waves = 0, clocks = 0, l2_clocks = 0;
  /// Of device memory, where it is counted.
  int64_t memory_clocks = 0;
  bool cuts_tiles = false; ///< some tiles are cut along k
  /// One in so many clocks of the faster bound is not hidden behind the other;
  /// 0: as many as follow from how much faster it is.
  int64_t shown = 3;
  /// Of bounds that are the same, so much is not hidden then; and device memory
  /// counts as so much of its clocks, since what a plan can do about it is
  /// little.
  double shown_of_equal = 0, memory_share = 0;

  WARPWRIGHT_CONSTEXPR int64_t total() const {
    const double loads =
        larger(double(l2_clocks), double(memory_clocks) * memory_share);
    const double slower = larger(double(clocks), loads);
    const double faster = double(clocks) + loads - slower;
    // The faster the other bound is, the less of it is not hidden.
    const double part =
        shown > 0    ? 1.0 / double(shown)
        : slower > 0 ? shown_of_equal * (faster / slower) * (faster / slower)
                     : 0;
    return int64_t(slower + faster * part);
  }
};

/// How a plan cuts k: into how many slices, and so many blocks of tile_k each.
struct slicing {
  int64_t slices = 1, blocks = 0;
};

/// Clocks for adding so many slices of so many sums each (sum_slices.cuh).
WARPWRIGHT_CONSTEXPR int64_t sum_clocks(const choice &c, int64_t slices,
                                        int64_t sums) {
  const coefficients of = coefficients_of(c);
  return of.sum_launch_clocks +
         (slices + 1) * sums * size_of(c.sum()) / of.sum_bytes;
}

/// Clusters that the device holds at once, one CTA on each multiprocessor. A
/// cluster lies in one of its parts, which do not all have a multiple of four:
/// an H200 holds 66 clusters of two CTAs, 30 of four and 15 of eight
/// (cudaOccupancyMaxActiveClusters), so that 12 of its 132 are left over.
WARPWRIGHT_CONSTEXPR int64_t clusters_at_once(const choice &c,
                                              const gpu &device) {
  const int64_t left_over =
      c.cluster_size() > 2 ? device.multiprocessors / 11 : 0;
  const int64_t clusters =
      (device.multiprocessors - left_over) / c.cluster_size();
  return clusters > 1 ? clusters : 1;
}

/// The clusters that all tiles of a launch make, of one slice of k. Each is
/// whole, even where only part of it has work.
WARPWRIGHT_CONSTEXPR int64_t cluster_tiles_of(const choice &c, int64_t m,
                                              int64_t n, int64_t batch) {
  return ceil_div(ceil_div(m, c.tile_m), c.cluster_m) *
         ceil_div(ceil_div(n, c.tile_n), c.cluster_n) * batch;
}

/// How a plan divides the tiles of a launch among clusters, and the clocks that
/// the last of these needs for its blocks and tiles.
struct division {
  int64_t clusters = 1;
  tile_cuts cuts;
  int64_t clocks = 0;
};

/// How much longer than whole tiles cut ones take, in per cent for a block of
/// k, and in clocks where one cluster's sums are handed to another.
struct cut_price {
  int64_t uneven, even, handing, adding;
  /// The same where the tiles of the last round alone are cut: per cent of a
  /// block, negative if that is never done, and clocks for each piece of a
  /// tile.
  int64_t last = -1, piece = 0;
};

/// Clusters that begin at different k share less of what they read in L2, so
/// that blocks of cut tiles take longer; least where each tile is cut at the
/// same places, and not at all where the main loop takes longest, in the
/// transform. Measured on an H200: `adding` for 64 KB of sums that another
/// cluster has written, `handing` where that is not beside the work of other
/// tiles.
WARPWRIGHT_CONSTEXPR cut_price price_of_cuts(const choice &c) {
  if (c.rows_in_registers)
    return {25, 25, 3500, 2700};
  if (c.transform_groups > 0)
    return {0, 0, 3500, 2700};
  if (c.by_fragments())
    return {5, 5, 3500, 2700, 5, 1500};
  // Single CTAs are twice as many that read at different k. Floats of a byte
  // lost by cuts of the last round at all shapes that were tried.
  const int64_t last = c.promoted_k > 0 ? -1 : c.cluster_size() == 1 ? 80 : 30;
  return {34, 8, 13300, 1680, last, 2200};
}

/// Divides so many cluster tiles, of `blocks` blocks of tile_k of each product,
/// among as many clusters as there are at once: whole ones, or cut along k
/// where the plan may and that takes less. A block takes `each` clocks, and a
/// tile `of_tile` more; cut tiles take at least `least`.
WARPWRIGHT_CONSTEXPR division divide_tiles(const choice &c, int64_t each,
                                           int64_t of_tile, int64_t tiles,
                                           int64_t blocks, int64_t at_once,
                                           int64_t least) {
  constexpr int64_t added_bytes = 65536;
  const cut_price price = price_of_cuts(c);
  const int64_t uneven_each = each * (100 + price.uneven) / 100;
  const int64_t even_each = each * (100 + price.even) / 100;
  division best;
  best.cuts = tile_cuts::of(0, int(blocks), 1);
  best.clusters = tiles < at_once ? tiles : at_once;
  best.clusters = best.clusters > 1 ? best.clusters : 1;
  best.clocks = ceil_div(tiles, best.clusters) * (blocks * each + of_tile);
  constexpr int64_t most_blocks = int64_t(1) << 30;
  if (!c.cuts_tiles() || best.clocks <= least || tiles < 1 || blocks < 2 ||
      at_once < 2 || blocks > most_blocks / (2 * at_once))
    return best;
  const int64_t adding = int64_t(c.tile_rows()) * c.instruction_n() *
                         size_of(c.sum()) * price.adding / added_bytes;
  if (tiles >= at_once) {
    const int64_t left = tiles % at_once;
    if (!left)
      return best;
    // Those of the last two rounds, so that no share is less than a tile; or of
    // the last one alone, of which more clusters add their sums one after the
    // other, while the others read at the same k.
    const int64_t rounds = tiles / at_once;
    const int64_t stores = (rounds + 1) * of_tile;
    const int64_t of_two =
        (rounds - 1) * blocks * each +
        ceil_div((at_once + left) * blocks, at_once) * uneven_each + stores +
        adding;
    const int64_t of_last =
        rounds * blocks * each +
        ceil_div(left * blocks, at_once) * each * (100 + price.last) / 100 +
        stores + ceil_div(at_once, left) * (adding + price.piece);
    const bool last =
        price.last >= 0 && left * blocks >= at_once && of_last < of_two;
    const int64_t clocks = last ? of_last : of_two;
    if (clocks < best.clocks) {
      best.cuts = tile_cuts::of(int(last ? left : at_once + left), int(blocks),
                                int(at_once));
      best.clocks = clocks > least ? clocks : least;
    }
    return best;
  }
  // As many clusters for each tile as there can be, or fewer, or one for each
  // multiprocessor: the fewer, the fewer sums are added one after the other.
  for (int64_t parts = 2; (parts - 1) * tiles < at_once; ++parts) {
    const bool even = parts * tiles <= at_once;
    const int64_t shares = even ? parts * tiles : at_once;
    if (shares > tiles * blocks)
      break;
    const int64_t clocks =
        ceil_div(tiles * blocks, shares) * (even ? even_each : uneven_each) +
        of_tile + price.handing + (even ? parts - 1 : parts) * adding;
    if (clocks < best.clocks) {
      best.clusters = shares;
      best.cuts = tile_cuts::of(int(tiles), int(blocks), int(shares));
      best.clocks = clocks > least ? clocks : least;
    }
  }
  return best;
}

/// What reading the operands once from device memory takes.
WARPWRIGHT_CONSTEXPR int64_t memory_clocks_of(const choice &c, int64_t m,
                                              int64_t n, int64_t k,
                                              int64_t batch,
                                              const gpu &device) {
  // Of operands whose strides are 0 they may be more than an integer holds.
  const double bytes = double(c.products) * k *
                       (double(m) * c.a.element_bytes() / c.a.numbers *
                            (c.a.batched ? batch : 1) +
                        double(n) * c.b.element_bytes() / c.b.numbers *
                            (c.b.batched ? batch : 1));
  return int64_t(bytes / device.memory_bytes());
}

/// Divides so many cluster tiles of a launch, each of `blocks` blocks of
/// tile_k, whose operands device memory delivers in so many clocks.
WARPWRIGHT_CONSTEXPR division divide_launch(
    const choice &c, const plan_cost &cost, int64_t tiles, int64_t blocks,
    int64_t memory_clocks, const gpu &device, row_starts starts) {
  const int64_t at_once = clusters_at_once(c, device);
  const coefficients of = coefficients_of(c);
  const int64_t port_clocks =
      is_of_lines(c)
          ? starts.drawn(cost.bytes_per_k_block, cost.a_bytes_per_k_block, of) /
                of.port_line_bytes
          : 0;
  const int64_t block_clocks = cost.clocks_per_k_block > port_clocks
                                   ? cost.clocks_per_k_block
                                   : port_clocks;
  // All multiprocessors store their tiles at about the same time; where
  // consumers take turns, beside the products of the next ones.
  const int64_t storing = cost.stored_bytes_per_tile *
                          (tiles < at_once ? tiles : at_once) *
                          c.cluster_size() / of.stored_bytes;
  // Clusters at different k do not read as fast. (With a transform and for
  // doubles that was not measured again.)
  const int64_t scattered_per_cent = is_of_lines(c) ? 109 : 250;
  division divided =
      divide_tiles(c, c.products * block_clocks,
                   cost.clocks_per_tile + (c.pingpong ? 0 : storing), tiles,
                   blocks, at_once, memory_clocks * scattered_per_cent / 100);
  divided.clocks += cost.clocks_once + (c.pingpong ? storing : 0);
  return divided;
}

WARPWRIGHT_CONSTEXPR estimate estimate_slices(const choice &c,
                                              const plan_cost &cost, int64_t m,
                                              int64_t n, int64_t k, slicing cut,
                                              int64_t batch, const gpu &device,
                                              row_starts starts) {
  estimate e;
  e.tiles = cluster_tiles_of(c, m, n, batch) * c.cluster_size() * cut.slices;
  e.waves = ceil_div(e.tiles, clusters_at_once(c, device) * c.cluster_size());
  const int64_t memory_clocks = memory_clocks_of(c, m, n, k, batch, device);
  const division divided =
      divide_launch(c, cost, e.tiles / c.cluster_size(), cut.blocks,
                    memory_clocks, device, starts);
  e.clocks = divided.clocks;
  e.cuts_tiles = divided.cuts.tiles > 0;
  const coefficients of = coefficients_of(c);
  e.l2_clocks =
      e.tiles * c.products * cut.blocks *
      starts.drawn(cost.bytes_per_k_block, cost.a_bytes_per_k_block, of) /
      (device.l2_bytes() * of.l2_per_mille / 1000);
  constexpr int few_rows = 64;
  if (c.swap_ab && c.tile_m <= few_rows && m > c.tile_m)
    e.l2_clocks = int64_t(double(e.l2_clocks) * of.exchanged_l2);
  // Plans with a transform were fitted by themselves, when L2 was counted at
  // three quarters of its rate.
  constexpr int64_t shown_by_transform = 8;
  if (c.transform_groups > 0) {
    e.l2_clocks += e.l2_clocks / 3;
    e.shown = shown_by_transform;
  }
  if (is_of_lines(c)) {
    e.shown = 0;
    e.shown_of_equal = of.shown_of_equal;
    e.memory_share = of.memory_share;
    e.memory_clocks = c.sliced ? 0 : memory_clocks;
  }
  return e;
}

/// How a plan in slices cuts k for a problem: as it was told to, or so that the
/// slices of all tiles fill the multiprocessors once, twice or three times,
/// whichever takes least. No slice is empty.
WARPWRIGHT_CONSTEXPR slicing cut_k(const choice &c, const plan_cost &cost,
                                   int64_t m, int64_t n, int64_t k,
                                   int64_t batch, const gpu &device,
                                   row_starts starts) {
  const int64_t blocks = ceil_div(k, c.tile_k);
  const slicing whole = {1, blocks};
  if (!c.sliced)
    return whole;
  // The kernel that adds slices numbers sums in 32 bits.
  constexpr int64_t most_slices = 1024, most_sums = int64_t(1) << 30;
  if (m > most_sums / n || m * n > most_sums / batch)
    return whole;
  const int64_t tiles = cluster_tiles_of(c, m, n, batch);
  const int64_t at_once = clusters_at_once(c, device);
  slicing best = whole;
  int64_t fewest = -1;
  for (int64_t rounds = 1; rounds <= (c.slices ? 1 : 3); ++rounds) {
    int64_t slices = c.slices ? c.slices : rounds * at_once / tiles;
    slices = slices < blocks ? slices : blocks;
    slices = slices < most_slices ? slices : most_slices;
    if (slices < 2)
      continue;
    // Blocks whose sums have one scale stay together.
    const int64_t piece = c.group_k ? c.group_k / c.tile_k : 1;
    const int64_t each = ceil_div(ceil_div(blocks, slices), piece) * piece;
    const slicing cut = {ceil_div(blocks, each), each};
    const int64_t clocks =
        estimate_slices(c, cost, m, n, k, cut, batch, device, starts).total() +
        sum_clocks(c, cut.slices, m * n * batch);
    if (fewest < 0 || clocks < fewest) {
      fewest = clocks;
      best = cut;
    }
  }
  return best;
}

/// The estimate of a plan for a problem, in slices as cut_k cuts them. One that
/// chooses their number and has nothing to cut, or tiles for most of the
/// multiprocessors without that, is never the best.
WARPWRIGHT_CONSTEXPR estimate estimate_of(const choice &c,
                                          const plan_cost &cost, int64_t m,
                                          int64_t n, int64_t k, int64_t batch,
                                          const gpu &device,
                                          row_starts starts) {
  const bool weighed = c.sliced && c.slices == 0;
  slicing cut = {1, ceil_div(k, c.tile_k)};
  if (c.sliced &&
      !(weighed && ceil_div(m, c.tile_m) * ceil_div(n, c.tile_n) * batch * 4 >
                       device.multiprocessors * 3))
    cut = cut_k(c, cost, m, n, k, batch, device, starts);
  estimate e = estimate_slices(c, cost, m, n, k, cut, batch, device, starts);
  if (!c.sliced)
    return e;
  const int64_t from_memory =
      cost.clocks_once + memory_clocks_of(c, m, n, k, batch, device);
  e.clocks = (e.clocks > from_memory ? e.clocks : from_memory) +
             sum_clocks(c, cut.slices, m * n * batch);
  if (weighed && cut.slices == 1)
    e.clocks += int64_t(1) << 50;
  return e;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_COST_CUH
