//===-- kernel.cuh - The warp-specialised kernel ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel itself: a persistent one, in which each warpgroup has a role. The
// first one loads (load.cuh), with operands in parts the next ones transform
// (feed_parts.cuh), the others multiply (feed_straight.cuh, feed_parts.cuh,
// feed_registers.cuh, feed_converted.cuh, feed_turned.cuh) and store
// (store.cuh). Stages go round between them, guarded by mbarriers: empty, full,
// and with a transform ready.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_KERNEL_CUH
#define WARPWRIGHT_RT_KERNEL_CUH

#include <warpwright/rt/corner.cuh>
#include <warpwright/rt/feed_converted.cuh>
#include <warpwright/rt/feed_fragments.cuh>
#include <warpwright/rt/feed_parts.cuh>
#include <warpwright/rt/feed_registers.cuh>
#include <warpwright/rt/feed_straight.cuh>
#include <warpwright/rt/feed_turned.cuh>
#include <warpwright/rt/interleave.cuh>
#include <warpwright/rt/load.cuh>
#include <warpwright/rt/partial.cuh>
#include <warpwright/rt/store.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Tensor maps of a plan's operands: one each, or those of the arrays that take
/// an operand's place, one after the other and side by side: of columns those
/// of all products of the first sum, then those of the next.
template <class D> struct maps_of {
  static constexpr int rows_count = D::products;
  static constexpr int cols_count = D::products * D::sums;
  using rows = typename std::conditional<rows_count == 1, CUtensorMap,
                                         tensor_maps<rows_count>>::type;
  using cols = typename std::conditional<cols_count == 1, CUtensorMap,
                                         tensor_maps<cols_count>>::type;
};

#if WARPWRIGHT_HOPPER

/// The barriers of a plan's stages, in shared memory.
template <class Plan> struct stage_barriers {
  uint64_t *full;  ///< its bytes have come
  uint64_t *empty; ///< all who read it are done, also in other CTAs
  uint64_t *ready; ///< the transform has rewritten it

  WARPWRIGHT_DEVICE explicit stage_barriers(unsigned char *shared)
      : full(reinterpret_cast<uint64_t *>(shared + Plan::barrier_offset)),
        empty(full + Plan::stages), ready(empty + Plan::stages) {}

  /// By one thread, before any other uses them.
  WARPWRIGHT_DEVICE void init() const {
    for (int stage = 0; stage < Plan::stages; ++stage) {
      barrier_init(&full[stage], Plan::full_arrivals);
      barrier_init(&empty[stage], Plan::empty_arrivals);
      if constexpr (Plan::transforms)
        barrier_init(&ready[stage], Plan::ready_arrivals);
    }
    fence_barrier_init();
  }
};

/// What belongs to the rows of a consumer of a tile, where they are converted.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE factors_of_rows<Plan, Epilogue>
rows_of_tile(const tile_position &tile, int rank, int first_row,
             const tile_grid &grid, const extents &extent,
             const Epilogue &epilogue) {
  return {epilogue,
          tile_corner<Plan>(grid, tile, rank).row + first_row,
          Plan::swap_ab ? extent.n : extent.m,
          extent.k,
          slice_of<Plan>(grid, tile),
          blocks_of_group<Plan>(epilogue),
          group_or_k<Epilogue>(epilogue)};
}

/// So many blocks of a tile, as its plan feeds them to the tensor cores.
/// `anew`: they are the tile's first ones; others are added to what is in
/// `acc`. `group` counts the consumers that share the tile's rows, `set` those
/// that take turns with its blocks.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE void multiply_blocks(
    typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    ring &at, int k_blocks, bool anew, int group, int set,
    const straight_operands<Plan> &operands, uint32_t shared,
    const stage_barriers<Plan> &barriers, const tile_position &tile, int rank,
    int first_row, const tile_grid &grid, const extents &extent,
    const Epilogue &epilogue) {
  static_assert(Plan::k_sets == 1 || Plan::converts,
                "a feed that multiplies every second block");
  static_assert(!Plan::cuts_tiles || Plan::k_sets == 1,
                "sums that one consumer has");
  static_assert(Plan::stretches == 1 ||
                    !(Plan::rows_in_registers || Plan::loads_rows),
                "feeds that begin with a tile");
  if constexpr (Plan::rows_in_registers)
    multiply_rounding<Plan>(acc, at, k_blocks, group, shared, barriers.ready,
                            barriers.empty);
  else if constexpr (Plan::transforms)
    multiply_parts<Plan>(acc, at, k_blocks, anew, group, shared, barriers.ready,
                         barriers.empty);
  else if constexpr (Plan::by_fragments)
    multiply_fragments<Plan>(acc, at, k_blocks, anew, group, shared,
                             barriers.full, barriers.empty);
  else if constexpr (Plan::converts)
    multiply_converted<Plan>(
        acc, at, k_blocks, set, rows_to_convert<Plan>(group),
        rows_of_tile<Plan>(tile, rank, first_row, grid, extent, epilogue),
        shared, barriers.full, barriers.empty);
  else if constexpr (Plan::turns)
    multiply_turned<Plan>(acc, at, k_blocks, rows_to_turn<Plan>(group), shared,
                          barriers.full, barriers.empty);
  else if constexpr (Plan::scaled) {
    const tile_corner<Plan> corner(grid, tile, rank);
    multiply_promoted<Plan>(
        acc, at, k_blocks, anew, operands, barriers.full, barriers.empty,
        block_scales<Plan, Epilogue>(epilogue, extent, corner.row + first_row,
                                     corner.col, slice_of<Plan>(grid, tile)));
  } else if constexpr (Plan::promotes_behind)
    multiply_promoted_behind<Plan>(acc, at, k_blocks, anew, operands,
                                   barriers.full, barriers.empty);
  else if constexpr (Plan::promoted_blocks > 0)
    multiply_promoted<Plan>(acc, at, k_blocks, anew, operands, barriers.full,
                            barriers.empty, no_scales());
  else
    multiply_straight<Plan>(acc, at, k_blocks, anew, operands, barriers.full,
                            barriers.empty);
}

/// Waits for products that multiply_blocks() leaves under way, and gives their
/// stage back.
template <class Plan>
WARPWRIGHT_DEVICE void finish_products(
    typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    const ring &at, uint64_t *empty) {
  if constexpr (!Plan::transforms && !Plan::by_fragments && !Plan::loads_rows &&
                Plan::promoted_blocks == 0)
    finish_straight<Plan>(acc, at, empty);
}

/// Consumer number `number`: multiplies and stores tiles until there are no
/// more.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE void
consume(int number, const tile_grid &grid, const cuts_of<Plan> &cuts,
        int k_blocks, uint32_t shared, const stage_barriers<Plan> &barriers,
        const CUtensorMap &out_map, const extents &extent,
        const output_view<typename Plan::element> &out,
        const Epilogue &epilogue) {
  const int rank = Plan::cluster_size > 1 ? cluster_rank() : 0;
  const int group = Plan::k_sets > 1 ? number % Plan::row_groups : number;
  const int set = Plan::k_sets > 1 ? number / Plan::row_groups : 0;
  const int first_row = Plan::pingpong ? 0 : group * Plan::group_rows;
  const straight_operands<Plan> operands(shared, group);
  const uint32_t staging =
      shared + Plan::staging_offset +
      group * (Plan::slab::buffers * Plan::slab::buffer_bytes);
  uint32_t slot = 0;
  ring at;
  // Pingpong: the warpgroups take turns with whole tiles, one multiplies while
  // the other stores.
  int turn = 0;
  for (piece_walk<Plan> walk(cuts); walk.has_more(grid); walk.next(cuts)) {
    typename Plan::accumulator acc[Plan::waves][Plan::accumulators];
    if constexpr (Plan::pingpong) {
      const bool mine = turn == group;
      turn ^= 1;
      if (!mine) {
        at.advance<Plan::stages>(blocks_of_products<Plan>(cuts, k_blocks));
        continue;
      }
      // A barrier's parity cannot tell a phase from the one two rounds later:
      // wait until the other group has seen all its stages full.
      if (!walk.is_first())
        named_barrier_sync(Plan::turn_barrier + group, Plan::turn_threads);
    }
#pragma unroll 1 // the main loop stands once in the kernel's text
    for (int stretch = 0; stretch < Plan::stretches; ++stretch) {
      const bool anew = Plan::stretches == 1 || stretch == 0;
      if (!anew) {
        finish_products<Plan>(acc, at, barriers.empty);
        scale_sums<Plan>(acc, stretch, epilogue);
        negate_sums<Plan>(acc, stretch);
      }
      const tile_piece piece = walk.piece(cuts, k_blocks);
      multiply_blocks<Plan>(
          acc, at, blocks_of_stretch<Plan>(cuts, piece.blocks, stretch), anew,
          group, set, operands, shared, barriers, tile_at(grid, piece.tile),
          rank, first_row, grid, extent, epilogue);
    }
    if constexpr (Plan::pingpong)
      if (!walk.is_last(grid))
        named_barrier_arrive(Plan::turn_barrier + (group ^ 1),
                             Plan::turn_threads);
    finish_products<Plan>(acc, at, barriers.empty);
    negate_sums<Plan>(acc, Plan::products);
    if constexpr (Plan::k_sets > 1)
      if (!collect_sums<Plan>(acc, group, set, shared))
        continue; // the first set stores
    const tile_piece piece = walk.piece(cuts, k_blocks);
    if constexpr (Plan::cuts_tiles)
      if (!join_pieces<Plan>(acc, cuts, piece, rank, group))
        continue; // the cluster with the tile's first blocks stores
    const tile_position tile = tile_at(grid, piece.tile);
    const tile_corner<Plan> corner(grid, tile, rank);
    if constexpr (Plan::staged)
      store_staged<Plan>(acc, corner.row + first_row, corner.col, tile.batch,
                         staging, slot, Plan::slab::first_barrier + group,
                         out_map, extent, out, epilogue);
    else
      store_direct<Plan>(acc, corner.row + first_row, corner.col, tile.batch,
                         extent, epilogue);
  }
  if constexpr (Plan::staged)
    drain_stores();
}

#endif // WARPWRIGHT_HOPPER

/// A persistent kernel: each cluster computes the tiles number blockIdx.x /
/// cluster_size, and so on in steps of the clusters in the grid; a plan that
/// cuts tiles begins with a share of those (pieces.cuh). D is a
/// generated struct of decisions, Epilogue says what becomes of sums.
template <class D, class Epilogue>
static __global__ void WARPWRIGHT_LAUNCH_BOUNDS(plan<D>::threads)
    hopper_kernel(const __grid_constant__ typename maps_of<D>::rows rows_maps,
                  const __grid_constant__ typename maps_of<D>::cols cols_maps,
                  const __grid_constant__ CUtensorMap out_map,
                  const tile_grid grid, const extents extent,
                  const output_view<typename plan<D>::element> out,
                  const Epilogue epilogue, const cuts_of<plan<D>> cuts) {
#if WARPWRIGHT_HOPPER
  using Plan = plan<D>;
  extern __shared__ __align__(1024) unsigned char warpwright_shared[];
  const uint32_t shared = shared_address(warpwright_shared);
  const stage_barriers<Plan> barriers(warpwright_shared);
  const int k_blocks = Plan::sliced
                           ? grid.slice_blocks
                           : (extent.k + Plan::tile_k - 1) / Plan::tile_k;

  clear_what_is_not_loaded<Plan>(warpwright_shared, extent);
  if (threadIdx.x == 0) {
    prefetch_maps(rows_maps);
    prefetch_maps(cols_maps);
    barriers.init();
  }
  block_or_cluster_sync<Plan::cluster_size>();
  // What is loaded may be the results of the kernel before, and what is stored
  // may take the place of its operands. Only the preparations above overlap.
  wait_for_previous_kernel();

  // A lone consumer without a transform keeps the registers of the launch.
  constexpr bool share_out = Plan::producer_registers > 0;
  const int warpgroup = warpgroup_index();
  if (warpgroup == 0) {
    if constexpr (share_out)
      release_registers<Plan::producer_registers>();
    if (threadIdx.x < 32 && elect_one())
      produce<Plan>(rows_maps, cols_maps, grid, cuts, k_blocks,
                    bytes_of_stage<Plan>(extent), shared, barriers.full,
                    barriers.empty);
  } else if (Plan::transforms && warpgroup <= Plan::transform_groups) {
    if constexpr (Plan::transforms) {
      release_registers<Plan::transform_registers>();
      transform<Plan>(grid, cuts, k_blocks,
                      warp_index() - Plan::first_transform_warp, shared,
                      barriers.full, barriers.ready, extent, epilogue);
    }
  } else {
    if constexpr (share_out)
      claim_registers<Plan::consumer_registers>();
    consume<Plan>(warpgroup - 1 - Plan::transform_groups, grid, cuts, k_blocks,
                  shared, barriers, out_map, extent, out, epilogue);
  }
  // Nobody leaves while a neighbour may still signal its barriers.
  if constexpr (Plan::cluster_size > 1)
    cluster_sync();
#endif
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_KERNEL_CUH
