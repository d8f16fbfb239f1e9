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
};

/// At multiples of how many bytes the rows of the operands start in memory: a
/// power of two up to 128, a cache line. Of rows that start at multiples of
/// less, the 128 bytes of a tile's row lie in two cache lines more often.
struct row_starts {
  static constexpr int line = 128;
  int a = line, b = line;

  /// What so many bytes cost L2, of which some are of A, as bytes of whole
  /// lines. Measured on an H200: half a line more counts as 0.9 of one.
  WARPWRIGHT_CONSTEXPR int64_t drawn(int64_t bytes, int64_t of_a) const {
    const int64_t of_b = bytes - of_a;
    return bytes + (of_a * (line - a) + of_b * (line - b)) * 9 / (5 * line);
  }
};

/// Of one multiprocessor of an H200, per clock: bytes of its shared memory,
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
  // Of a block: the barriers.
  constexpr double block_clocks = 10;
  // Reads and fills of shared memory overlap better than the plain sum says.
  constexpr double smem_overlap = 0.845;
  // The main loop relative to that of two warpgroups which share a tile: with
  // whole tiles in turn, with one warpgroup, and with three.
  constexpr double pingpong_factor = 0.884, single_factor = 0.872,
                   three_factor = 1.04;
  // CTAs of a cluster wait for each other: pairs, four, and eight of them.
  constexpr double pair_factor = 1.04, four_factor = 1.05, eight_factor = 1.17;
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
      smem_bytes * smem_overlap;
  double clocks = larger(larger(tensor, smem), from_l2 / port_bytes);
  // An addition for each accumulator, by each of a warpgroup's four warps on
  // one of the four parts of the multiprocessor, hidden behind nothing, unless
  // the next products are computed meanwhile.
  const int promoted = c.promoted_k ? c.promoted_k : c.group_k;
  if (promoted && !p.promotes_behind)
    clocks += double(c.waves()) * c.accumulators() * c.tile_k / promoted;
  if (c.pingpong)
    clocks *= pingpong_factor;
  if (c.consumer_groups == 1)
    clocks *= single_factor;
  if (c.consumer_groups == 3)
    clocks *= three_factor;
  const int cluster = c.cluster_size();
  if (cluster > 1)
    clocks *= cluster == 2   ? pair_factor
              : cluster == 4 ? four_factor
                             : eight_factor;
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
  return clocks + block_clocks;
}

/// The main loop of consumers that load rounded rows: each wgmma takes so much
/// longer than its columns need, and waits for the loads of its rows where it
/// has few. Fitted to measurements.
WARPWRIGHT_CONSTEXPR double turned_clocks(const choice &c, double from_l2) {
  constexpr double wgmma_clocks = 27, column_clocks = 0.44, least_clocks = 52;
  const double wgmmas =
      double(c.tile_rows() / 64) * (c.tile_k / instruction_k(c.multiplied()));
  return larger(wgmmas *
                    larger(wgmma_clocks + column_clocks * c.instruction_n(),
                           least_clocks),
                from_l2 / port_bytes);
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
  // Launch, tensor maps, barriers, first loads; what a cluster, which starts
  // and ends together, and the first window of a transform add to that. Plans
  // with a transform were fitted by themselves.
  const bool split = c.transform_groups > 0;
  constexpr double first_window_clocks = 1500;
  const double launch_clocks = split ? 8000 : 4800;
  const double cluster_clocks = split ? 1270 : 2200;
  // Of a tile, whatever its size: scheduling, and draining the last products.
  // Taking turns hides the epilogue.
  const double tile_clocks = split ? 62 : 160;
  // Of the epilogue, per element of one warpgroup. Consumers that load their
  // rows have less to wait for. With rows in registers it undoes the scales,
  // and all tiles of a wave are stored at once. Of doubles, which was not
  // measured, four times as many bytes leave as of 16-bit ones.
  constexpr double epilogue_clocks = 0.125, own_loads_epilogue_clocks = 0.05,
                   rounding_epilogue_clocks = 0.27,
                   double_epilogue_clocks = 0.2;

  const double from_l2 = double(p.rows.boxes) * p.rows.box_bytes +
                         double(p.cols.boxes) * p.cols.box_bytes;
  const double clocks = split              ? split_clocks(c, p, from_l2)
                        : c.by_fragments() ? fragment_clocks(c, p, from_l2)
                        : c.turns()        ? turned_clocks(c, from_l2)
                                           : straight_clocks(c, p, from_l2);
  const double elements = double(c.tile_rows()) * c.tile_cols();
  const double epilogue = (c.rows_in_registers       ? rounding_epilogue_clocks
                           : c.by_fragments()        ? double_epilogue_clocks
                           : split || c.loads_rows() ? own_loads_epilogue_clocks
                                                     : epilogue_clocks) *
                          elements / (c.pingpong ? 1 : c.storing_groups());
  plan_cost cost;
  cost.clocks_per_k_block = int64_t(clocks + 0.5);
  cost.clocks_per_tile = int64_t(tile_clocks + (c.pingpong ? 0 : epilogue));
  cost.clocks_once = int64_t(launch_clocks + (c.pingpong ? epilogue : 0) +
                             (split ? first_window_clocks : 0) +
                             (c.cluster_size() > 1 ? cluster_clocks : 0));
  cost.bytes_per_k_block = int64_t(from_l2);
  const operand_numbers &of_a = c.swap_ab ? p.cols : p.rows;
  cost.a_bytes_per_k_block = int64_t(of_a.boxes) * of_a.box_bytes;
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

/// How a problem falls into a plan's tiles, and the two bounds in clocks.
struct estimate {
  int64_t tiles = 0, waves = 0, clocks = 0, l2_clocks = 0;
  bool cuts_tiles = false; ///< some tiles are cut along k
  /// One in so many clocks of the faster bound is not hidden behind the other.
  int64_t shown = 3;

  WARPWRIGHT_CONSTEXPR int64_t total() const {
    return clocks > l2_clocks ? clocks + l2_clocks / shown
                              : l2_clocks + clocks / shown;
  }
};

/// How a plan cuts k: into how many slices, and so many blocks of tile_k each.
struct slicing {
  int64_t slices = 1, blocks = 0;
};

/// Clocks for adding so many slices of m n batch sums (sum_slices.cuh): a
/// launch, most of which the first kernel hides, and every sum read once.
WARPWRIGHT_CONSTEXPR int64_t sum_clocks(int64_t slices, int64_t sums,
                                        int64_t sum_bytes) {
  constexpr int64_t launch_clocks = 5200, bytes_per_clock = 1450;
  return launch_clocks + (slices + 1) * sums * sum_bytes / bytes_per_clock;
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

/// How a plan divides the tiles of a launch among clusters, and the clocks that
/// the last of these needs for its blocks and tiles.
struct division {
  int64_t clusters = 1;
  tile_cuts cuts;
  int64_t clocks = 0;
};

/// Divides so many cluster tiles, of `blocks` blocks of tile_k of each product,
/// among as many clusters as there are at once: whole ones, or cut along k
/// where the plan may and that takes less.
WARPWRIGHT_CONSTEXPR division divide_tiles(const choice &c,
                                           const plan_cost &cost, int64_t tiles,
                                           int64_t blocks, int64_t at_once) {
  // Measured on an H200: to add 64 KB of sums that another cluster has written;
  // and where that is not beside the work of other tiles to hand them over.
  constexpr int64_t adding_clocks = 2700, added_bytes = 65536,
                    handing_clocks = 3500;
  // Blocks of cut tiles take so many per cent longer: clusters are at different
  // k then, and share less of what they read in L2. Where the main loop takes
  // longest, in the transform, that is hidden.
  const int64_t longer = c.transform_groups > 0 && !c.rows_in_registers ? 0
                         : c.by_fragments()                             ? 5
                                                                        : 25;
  const int64_t each = c.products * cost.clocks_per_k_block;
  const int64_t cut_each = each * (100 + longer) / 100;
  division best;
  best.cuts = tile_cuts::of(0, int(blocks), 1);
  best.clusters = tiles < at_once ? tiles : at_once;
  best.clusters = best.clusters > 1 ? best.clusters : 1;
  best.clocks =
      ceil_div(tiles, best.clusters) * (blocks * each + cost.clocks_per_tile);
  constexpr int64_t most_blocks = int64_t(1) << 30;
  if (!c.cuts_tiles() || tiles < 1 || blocks < 2 || at_once < 2 ||
      blocks > most_blocks / (2 * at_once))
    return best;
  const int64_t adding = int64_t(c.tile_rows()) * c.instruction_n() *
                         size_of(c.sum()) * adding_clocks / added_bytes;
  if (tiles >= at_once) {
    // Those of the last two rounds, so that no share is less than a tile.
    const int64_t left = tiles % at_once;
    const int64_t clocks =
        (tiles - left - at_once) / at_once * blocks * each +
        ceil_div((at_once + left) * blocks, at_once) * cut_each +
        ceil_div(tiles, at_once) * cost.clocks_per_tile + adding;
    if (left && clocks < best.clocks) {
      best.cuts = tile_cuts::of(int(at_once + left), int(blocks), int(at_once));
      best.clocks = clocks;
    }
    return best;
  }
  // As many clusters for each tile as there can be, or fewer, or one for each
  // multiprocessor: the fewer, the fewer sums are added one after the other.
  for (int64_t of_tile = 2; (of_tile - 1) * tiles < at_once; ++of_tile) {
    const bool even = of_tile * tiles <= at_once;
    const int64_t shares = even ? of_tile * tiles : at_once;
    if (shares > tiles * blocks)
      break;
    const int64_t clocks = ceil_div(tiles * blocks, shares) * cut_each +
                           cost.clocks_per_tile + handing_clocks +
                           (even ? of_tile - 1 : of_tile) * adding;
    if (clocks < best.clocks) {
      best.clusters = shares;
      best.cuts = tile_cuts::of(int(tiles), int(blocks), int(shares));
      best.clocks = clocks;
    }
  }
  return best;
}

WARPWRIGHT_CONSTEXPR estimate estimate_slices(const choice &c,
                                              const plan_cost &cost, int64_t m,
                                              int64_t n, slicing cut,
                                              int64_t batch, const gpu &device,
                                              row_starts starts) {
  estimate e;
  // Clusters are whole, even where only part of one has work.
  e.tiles = ceil_div(ceil_div(m, c.tile_m), c.cluster_m) * c.cluster_m *
            (ceil_div(ceil_div(n, c.tile_n), c.cluster_n) * c.cluster_n) *
            batch * cut.slices;
  const int64_t clusters = clusters_at_once(c, device);
  e.waves = ceil_div(e.tiles, clusters * c.cluster_size());
  const int64_t k_blocks = c.products * cut.blocks;
  const division divided =
      divide_tiles(c, cost, e.tiles / c.cluster_size(), cut.blocks, clusters);
  e.clocks = cost.clocks_once + divided.clocks;
  e.cuts_tiles = divided.cuts.tiles > 0;
  e.l2_clocks = e.tiles * k_blocks *
                starts.drawn(cost.bytes_per_k_block, cost.a_bytes_per_k_block) /
                device.l2_bytes();
  // Plans with a transform were fitted by themselves, when L2 was counted at
  // three quarters of its rate.
  constexpr int64_t shown_by_transform = 8;
  if (c.transform_groups > 0) {
    e.l2_clocks += e.l2_clocks / 3;
    e.shown = shown_by_transform;
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
  const int64_t tiles = ceil_div(m, c.tile_m) * ceil_div(n, c.tile_n) * batch;
  slicing best = whole;
  int64_t fewest = -1;
  for (int64_t rounds = 1; rounds <= (c.slices ? 1 : 3); ++rounds) {
    int64_t slices =
        c.slices ? c.slices : rounds * device.multiprocessors / tiles;
    slices = slices < blocks ? slices : blocks;
    slices = slices < most_slices ? slices : most_slices;
    if (slices < 2)
      continue;
    // Blocks whose sums have one scale stay together.
    const int64_t piece = c.group_k ? c.group_k / c.tile_k : 1;
    const int64_t each = ceil_div(ceil_div(blocks, slices), piece) * piece;
    const slicing cut = {ceil_div(blocks, each), each};
    const int64_t clocks =
        estimate_slices(c, cost, m, n, cut, batch, device, starts).total() +
        sum_clocks(cut.slices, m * n * batch, size_of(c.sum()));
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
  estimate e = estimate_slices(c, cost, m, n, cut, batch, device, starts);
  // Of operands whose strides are 0 they may be more than an integer holds.
  const double bytes =
      double(c.products) * k *
      (double(m) * c.a.element_bytes() * (c.a.batched ? batch : 1) +
       double(n) * c.b.element_bytes() * (c.b.batched ? batch : 1));
  // Only where tiles are weighed against parts of tiles does it matter that no
  // plan is faster than device memory; nor as fast, where clusters read at
  // different k at a time. (Slices take their blocks in turns.)
  constexpr int64_t scattered_cost = 250;
  const int64_t memory_clocks = int64_t(bytes / device.memory_bytes());
  if (!c.sliced) {
    const int64_t least =
        cost.clocks_once + memory_clocks * scattered_cost / 100;
    if (e.cuts_tiles && e.clocks < least)
      e.clocks = least;
    return e;
  }
  const int64_t from_memory = cost.clocks_once + memory_clocks;
  e.clocks = (e.clocks > from_memory ? e.clocks : from_memory) +
             sum_clocks(cut.slices, m * n * batch, size_of(c.sum()));
  if (weighed && cut.slices == 1)
    e.clocks += int64_t(1) << 50;
  return e;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_COST_CUH
