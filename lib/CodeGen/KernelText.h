//===-- KernelText.h - The fixed text of a Hopper kernel --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The stages of a generated kernel as text with holes. `$name` is a hole. A
/// line that begins with `@flag|` is there only when the flag is set, one with
/// `@!flag|` only when it is not, and several of these must all agree. Flags:
/// cluster and pingpong (some plan has one), swapped and straight (some plan
/// has swap_ab, or has it not), staged (the first output goes through shared
/// memory), split (the operands are split into parts; the stages that this
/// takes are in SplitText.h), products and sums (there are several of them;
/// Products.h of the planner says how they are computed together).
///
/// No identifier here is a single letter or in capitals, where users have
/// macros. Format.h lays the text out.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_KERNELTEXT_H
#define WARPWRIGHT_LIB_CODEGEN_KERNELTEXT_H

namespace warpwright {

inline constexpr char ProduceText[] = R"(
/// Producer: one thread keeps the ring of stages full. It runs ahead of the
/// consumers by as many stages as there are, also from one tile into the next.
template <class Plan>
static __device__ __forceinline__ void $produce(
    const $rows_maps_type &$rows_maps, const $cols_maps_type &$cols_maps,
    const ::warpwright::rt::tile_grid &grid, int k_blocks, uint32_t shared,
    uint64_t *full, uint64_t *empty) {
  namespace rt = ::warpwright::rt;
@cluster|  const int rank = Plan::cluster_size > 1 ? rt::cluster_rank() : 0;
@cluster|  const int cluster_row = rank % Plan::cluster_rows;
@cluster|  const int cluster_col = rank / Plan::cluster_rows;
@cluster|  // CTAs in one row of the cluster need the same rows operand, those in one
@cluster|  // column the same columns operand: each loads its share for all of them.
@cluster|  const uint16_t same_row = Plan::rows::multicast_mask
@cluster|                            << cluster_row * Plan::rows::multicast_step;
@cluster|  const uint16_t same_col = Plan::cols::multicast_mask
@cluster|                            << cluster_col * Plan::cols::multicast_step;
  rt::ring at;
  for (int index = blockIdx.x / Plan::cluster_size; index < grid.total();
       index += gridDim.x / Plan::cluster_size) {
    const rt::tile_position tile = rt::tile_at(grid, index);
@cluster|    const int row =
@cluster|        (tile.row * Plan::cluster_rows + cluster_row) * Plan::tile_rows;
@cluster|    const int col =
@cluster|        (tile.col * Plan::cluster_cols + cluster_col) * Plan::tile_cols;
@!cluster|    const int row = tile.row * Plan::tile_rows;
@!cluster|    const int col = tile.col * Plan::tile_cols;
@products|    for (int product = 0; product < $products; ++product)
    for (int block = 0; block < $blocks_each; ++block) {
      const uint32_t stage = shared + at.stage * Plan::stage_bytes;
      uint64_t *ready = &full[at.stage];
      // Parity 1 of a fresh barrier counts as past: the first round is free.
      rt::barrier_wait(&empty[at.stage], at.phase ^ 1);
      rt::barrier_expect(ready, Plan::transaction_bytes);
      rt::load_operand<typename Plan::rows$boxes_together>(
          stage + Plan::rows::offset, $rows_source, ready, block * Plan::tile_k,
@cluster|          row, $rows_batch, cluster_col, same_row);
@!cluster|          row, $rows_batch, 0, 0);
      rt::$load_cols<typename Plan::cols$boxes_together>(
          stage + Plan::cols::offset, $cols_source, ready, block * Plan::tile_k,
@cluster|          col, $cols_batch, cluster_row, same_col);
@!cluster|          col, $cols_batch, 0, 0);
      at.advance<Plan::stages>();
    }
  }
}
)";

inline constexpr char MultiplyText[] = R"(
/// Consumer: acc = one warpgroup's rows of a tile, summed over `k_blocks`
/// stages. A stage goes back to the producer one round late, so that one group
/// of wgmma is always in flight; the last one is left to the caller.
template <class Plan>
static __device__ __forceinline__ void
$multiply(float (&acc)[Plan::waves][Plan::accumulators],
            ::warpwright::rt::ring &at, int k_blocks, uint64_t rows_base,
            uint64_t cols_base, uint64_t *full, uint64_t *empty) {
  namespace rt = ::warpwright::rt;
  for (int block = 0; block < k_blocks; ++block) {
    rt::barrier_wait(&full[at.stage], at.phase);
    const uint64_t rows =
        rows_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
    const uint64_t cols =
        cols_base + rt::descriptor_step(Plan::stage_bytes, at.stage);
    rt::wgmma_fence();
#pragma unroll
    for (int step = 0; step < Plan::k_steps; ++step)
#pragma unroll
      for (int wave = 0; wave < Plan::waves; ++wave)
        rt::$wgmma<Plan::rows::k_major, Plan::cols::k_major>(
            acc[wave],
            rows + rt::descriptor_step(Plan::rows::wave_bytes, wave) +
                rt::descriptor_step(Plan::rows::k_step_bytes, step),
            cols + rt::descriptor_step(Plan::cols::k_step_bytes, step),
            block > 0 || step > 0); // the tile's first product overwrites acc
    rt::wgmma_commit();
    rt::wgmma_wait<1>();
    if (block > 0)
      rt::release_stage<Plan::cluster_size>(
          &empty[at.previous<Plan::stages>()]);
    at.advance<Plan::stages>();
  }
}
)";

inline constexpr char StoreStagedText[] = R"(
/// Epilogue: one warpgroup's part of a tile, from `row` and `col` of the
/// accumulator on. It leaves in slabs, through two staging buffers of which
/// `slot` is the next to use.
template <class Plan>
static __device__ __forceinline__ void
$store(const float (&acc)[Plan::waves][Plan::accumulators], int row, int col,
       int batch, uint32_t staging, uint32_t &slot, int barrier,
       const CUtensorMap &out_map,
       const ::warpwright::rt::extents &extent,
       const ::warpwright::rt::output_view<$element> &out,
       const $epilogue &epilogue) {
  namespace rt = ::warpwright::rt;
  using slab = typename Plan::slab;
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
      rt::make_opaque(first_row);
      rt::make_opaque(first_col);
@!registers|      rt::stage_slab<$element, slab, $fragment>(
@registers|      rt::stage_slab<$element, slab, $fragment, (Plan::waves > 1)>(
          buffer, barrier, acc[wave] + part * slab::accumulators,
          [&]($first_sum, int slab_row, int slab_col) {
@sums|            // The other sums of this element lie Plan::next_sum further on.
@sums|            const float *const sums = &sum;
@!swapped|            const int at_m = first_row + slab_row;
@!swapped|            const int at_n = first_col + slab_col;
@!straight|            const int at_m = first_col + slab_col;
@!straight|            const int at_n = first_row + slab_row;
@both|            const int at_m = Plan::swap_ab ? first_col + slab_col : first_row + slab_row;
@both|            const int at_n = Plan::swap_ab ? first_row + slab_row : first_col + slab_col;
            // Past the end nothing is stored, but what is read must exist.
            const $element value = epilogue.value(
                $all_sums, rt::within(at_m, extent.m), rt::within(at_n, extent.n), batch);
@others|            if (at_m < extent.m && at_n < extent.n)
@others|              epilogue.store_others($all_sums, at_m, at_n, batch);
            return value;
          });
      rt::store_slab<$element, slab>(
          buffer, &out_map, out, Plan::swap_ab ? first_row : first_col,
          Plan::swap_ab ? first_col : first_row, batch, barrier);
    }
}
)";

inline constexpr char StoreDirectText[] = R"(
/// Epilogue: one warpgroup's part of a tile, from `row` and `col` of the
/// accumulator on, each element stored by the thread that holds it.
template <class Plan>
static __device__ __forceinline__ void
$store(const float (&acc)[Plan::waves][Plan::accumulators], int row, int col,
       int batch, const ::warpwright::rt::extents &extent,
       const $epilogue &epilogue) {
@!sums|  ::warpwright::rt::for_each_element<$fragment, Plan::wave_rows>(
@!sums|      acc, [&](float sum, int tile_row, int tile_col) {
@sums|  // Of the first sum; those of the others lie Plan::next_sum further on.
@sums|  ::warpwright::rt::for_each_element<$fragment, Plan::wave_rows, Plan::next_sum>(
@sums|      acc, [&](const float &sum, int tile_row, int tile_col) {
@sums|        const float *const sums = &sum;
@!swapped|        const int at_m = row + tile_row;
@!swapped|        const int at_n = col + tile_col;
@!straight|        const int at_m = col + tile_col;
@!straight|        const int at_n = row + tile_row;
@both|        const int at_m = Plan::swap_ab ? col + tile_col : row + tile_row;
@both|        const int at_n = Plan::swap_ab ? row + tile_row : col + tile_col;
        if (at_m < extent.m && at_n < extent.n)
          epilogue.store_all($all_sums, at_m, at_n, batch);
      });
}
)";

inline constexpr char KernelText[] = R"(
/// A persistent kernel: each cluster computes the tiles number blockIdx.x /
/// cluster_size, and so on in steps of the clusters in the grid. The first
@!split|/// warpgroup loads, the others multiply and store.
@split|/// warpgroup loads, the next ones split what has come into parts, the others
@split|/// multiply and store.
template <class Plan>
static __global__ void WARPWRIGHT_LAUNCH_BOUNDS(Plan::threads)
    $kernel(const __grid_constant__ $rows_maps_type $rows_maps,
            const __grid_constant__ $cols_maps_type $cols_maps,
            const __grid_constant__ CUtensorMap out_map,
            const ::warpwright::rt::tile_grid grid,
            const ::warpwright::rt::extents extent,
            const ::warpwright::rt::output_view<$element> out,
            const $epilogue epilogue) {
#if WARPWRIGHT_HOPPER
  namespace rt = ::warpwright::rt;
  extern __shared__ __align__(1024) unsigned char warpwright_shared[];
  const uint32_t shared = rt::shared_address(warpwright_shared);
  uint64_t *full = reinterpret_cast<uint64_t *>(warpwright_shared +
                                                Plan::barrier_offset);
  uint64_t *empty = full + Plan::stages;
@split|  uint64_t *ready = empty + Plan::stages;
@!products|  const int k_blocks = (extent.k + Plan::tile_k - 1) / Plan::tile_k;
@products|  // Of all products, which follow one another.
@products|  const int k_blocks = $products * ((extent.k + Plan::tile_k - 1) / Plan::tile_k);

  if (threadIdx.x == 0) {
    rt::$prefetch_rows;
    rt::$prefetch_cols;
    for (int stage = 0; stage < Plan::stages; ++stage) {
@!split|      // Full when its bytes have come. Empty when every warp that reads it is
@!split|      // done, in all CTAs that this one loads for.
@split|      // Full when its bytes have come, ready when every thread of the transform
@split|      // has rewritten its rows. Empty when every thread that reads it is done,
@split|      // in all CTAs that this one loads for.
      rt::barrier_init(&full[stage], Plan::full_arrivals);
      rt::barrier_init(&empty[stage], Plan::empty_arrivals);
@split|      rt::barrier_init(&ready[stage], Plan::ready_arrivals);
    }
    rt::fence_barrier_init();
  }
@cluster|  rt::block_or_cluster_sync<Plan::cluster_size>();
@!cluster|  __syncthreads();

  const int warpgroup = rt::warpgroup_index();
  if (warpgroup == 0) {
@!split|    if constexpr (Plan::consumer_groups > 1)
@!split|      rt::release_registers<Plan::producer_registers>();
@split|    rt::release_registers<Plan::producer_registers>();
    if (threadIdx.x < 32 && rt::elect_one())
      $produce<Plan>($rows_maps, $cols_maps, grid, k_blocks, shared, full, empty);
@split|  } else if (warpgroup <= Plan::transform_groups) {
@split|    rt::release_registers<Plan::transform_registers>();
@split|    $transform<Plan>(grid, k_blocks, rt::warp_index() - Plan::first_transform_warp, shared, full,
@split|@!computed|                     ready);
@split|@computed|                     ready, extent, epilogue);
  } else {
@!split|    if constexpr (Plan::consumer_groups > 1)
@!split|      rt::claim_registers<Plan::consumer_registers>();
@!split|    const int group = warpgroup - 1;
@split|    rt::claim_registers<Plan::consumer_registers>();
@split|    const int group = warpgroup - 1 - Plan::transform_groups;
@cluster|    const int rank = Plan::cluster_size > 1 ? rt::cluster_rank() : 0;
@pingpong|    const int first_row = Plan::pingpong ? 0 : group * Plan::group_rows;
@!pingpong|    const int first_row = group * Plan::group_rows;
@!split|    const uint64_t rows_base = rt::operand_descriptor<typename Plan::rows>(
@!split|        shared + Plan::rows::offset + group * Plan::rows::group_bytes);
@!split|    const uint64_t cols_base = rt::operand_descriptor<typename Plan::cols>(
@!split|        shared + Plan::cols::offset);
@staged|    const uint32_t staging =
@staged|        shared + Plan::staging_offset +
@staged|        group * (Plan::slab::buffers * Plan::slab::buffer_bytes);
@staged|    const int store_barrier = Plan::slab::first_barrier + group;
@staged|    uint32_t slot = 0;
    float $sums[Plan::waves][Plan::accumulators];
    rt::ring at;
@pingpong|    // Pingpong: the warpgroups take turns with whole tiles, one multiplies
@pingpong|    // while the other stores.
@pingpong|    int turn = 0;
    const int first = blockIdx.x / Plan::cluster_size;
    const int step = gridDim.x / Plan::cluster_size;
    for (int index = first; index < grid.total(); index += step) {
@pingpong|      if constexpr (Plan::pingpong) {
@pingpong|        const bool mine = turn == group;
@pingpong|        turn ^= 1;
@pingpong|        if (!mine) {
@pingpong|          at.advance<Plan::stages>(k_blocks);
@pingpong|          continue;
@pingpong|        }
@pingpong|        // A barrier's parity cannot tell a phase from the one two rounds
@pingpong|        // later: wait until the other group has seen all its stages full.
@pingpong|        if (index != first)
@pingpong|          rt::named_barrier_sync(Plan::turn_barrier + group, Plan::turn_threads);
@pingpong|      }
@!split|      $multiply<Plan>($sums, at, k_blocks, rows_base, cols_base, full, empty);
@both_ways|      if constexpr (Plan::rows_in_registers)
@registers|      $multiply_rounding<Plan>($sums, at, k_blocks, group, shared, ready, empty);
@both_ways|      else
@parts|      $multiply<Plan>($sums, at, k_blocks, group, shared, ready, empty);
@pingpong|      if (Plan::pingpong && index + step < grid.total())
@pingpong|        rt::named_barrier_arrive(Plan::turn_barrier + (group ^ 1), Plan::turn_threads);
@!split|      rt::wgmma_wait_all(acc);
@!split|      rt::release_stage<Plan::cluster_size>(
@!split|          &empty[at.previous<Plan::stages>()]);
      const rt::tile_position tile = rt::tile_at(grid, index);
@cluster|      const int row = (tile.row * Plan::cluster_rows +
@cluster|                       rank % Plan::cluster_rows) *
@cluster|                          Plan::tile_rows +
@cluster|                      first_row;
@cluster|      const int col = (tile.col * Plan::cluster_cols +
@cluster|                       rank / Plan::cluster_rows) *
@cluster|                      Plan::tile_cols;
@!cluster|      const int row = tile.row * Plan::tile_rows + first_row;
@!cluster|      const int col = tile.col * Plan::tile_cols;
@staged|      $store<Plan>($sums, row, col, tile.batch, staging, slot, store_barrier,
@staged|                   out_map, extent, out, epilogue);
@!staged|      $store<Plan>($sums, row, col, tile.batch, extent, epilogue);
    }
@staged|    rt::drain_stores();
  }
@cluster|  // Nobody leaves while a neighbour may still signal its barriers.
@cluster|  if constexpr (Plan::cluster_size > 1)
@cluster|    rt::cluster_sync();
#endif
}
)";

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_KERNELTEXT_H
