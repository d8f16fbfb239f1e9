//===- prototype.cuh - A Hopper kernel as CodeGen writes it -----*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand in the shape of the generated code, with the operand majors
// as template parameters so that one file measures all of them. Generated code
// has the plans of one kernel only, as plain structs.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_GPU_KERNEL_PROTOTYPE_CUH
#define WARPWRIGHT_TEST_GPU_KERNEL_PROTOTYPE_CUH

#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/tma.cuh>
#include <warpwright/rt/wgmma.cuh>

/// All that the selector needs to know, as template arguments here.
template <int TileRows, int TileCols, int Stages, int Groups, bool Pingpong,
          int ClusterRows, int ClusterCols, bool RowsKMajor, bool ColsKMajor,
          bool SwapAB, bool RowsContiguous, class Out>
struct gemm_plan {
  using out_type = Out;
  static constexpr int tile_rows = TileRows;
  static constexpr int tile_cols = TileCols;
  static constexpr int tile_k = 64;
  static constexpr int stages = Stages;
  static constexpr int consumer_groups = Groups;
  static constexpr bool pingpong = Pingpong;
  static constexpr int cluster_rows = ClusterRows;
  static constexpr int cluster_cols = ClusterCols;
  static constexpr int cluster_size = ClusterRows * ClusterCols;
  static constexpr bool swap_ab = SwapAB;
  static constexpr bool rows_k_major = RowsKMajor;
  static constexpr bool cols_k_major = ColsKMajor;
  static constexpr bool rows_contiguous = RowsContiguous;
  static constexpr int threads = 128 + 128 * Groups;
  static constexpr int group_rows = Pingpong ? TileRows : TileRows / Groups;
  static constexpr int waves = group_rows / 64;
  // Wide accumulators need what little the producer can spare.
  static constexpr int producer_registers = waves * TileCols > 256 ? 24 : 40;
  static constexpr int consumer_registers = waves * TileCols > 256 ? 240 : 232;
  static constexpr int rows_bytes = TileRows * 128;
  static constexpr int cols_bytes =
      (ColsKMajor ? TileCols : (TileCols + 63) / 64 * 64) * 128;
  static constexpr int stage_bytes = rows_bytes + cols_bytes;
  static constexpr int cols_offset = rows_bytes;
  static constexpr int staging_offset = Stages * stage_bytes;
  static constexpr int barrier_offset =
      staging_offset + Groups * 2 * warpwright::rt::slab_buffer_bytes;
  static constexpr int shared_bytes = barrier_offset + Stages * 16;
  static_assert(shared_bytes <= 232448, "shared memory");
};

template <class T>
__device__ __forceinline__ T gemm_epilogue(float acc, long long m, long long n,
                                           long long b);
template <>
__device__ __forceinline__ __nv_bfloat16
gemm_epilogue<__nv_bfloat16>(float acc, long long, long long, long long) {
  return __float2bfloat16(acc);
}
template <>
__device__ __forceinline__ __half gemm_epilogue<__half>(float acc, long long,
                                                        long long, long long) {
  return __float2half(acc);
}
template <>
__device__ __forceinline__ float gemm_epilogue<float>(float acc, long long,
                                                      long long, long long) {
  return acc;
}

/// Producer: one thread keeps the ring of stages full. It runs ahead of the
/// consumers, across tiles, by as many stages as there are.
template <class Plan>
__device__ __forceinline__ void
gemm_produce(const CUtensorMap &rows_map, const CUtensorMap &cols_map,
             const warpwright::rt::tile_grid &grid, int k_blocks,
             uint32_t shared, uint64_t *full, uint64_t *empty) {
#if WARPWRIGHT_HOPPER
  namespace rt = warpwright::rt;
  const int rank = Plan::cluster_size > 1 ? rt::cluster_rank() : 0;
  const int cluster_row = rank % Plan::cluster_rows;
  const int cluster_col = rank / Plan::cluster_rows;
  // CTAs in one cluster column share the columns operand, those in one cluster
  // row the rows operand: each loads its share into all of them.
  const uint16_t same_row =
      ((1 << Plan::cluster_size) - 1) / ((1 << Plan::cluster_rows) - 1)
      << cluster_row;
  const uint16_t same_col = ((1 << Plan::cluster_rows) - 1)
                            << cluster_col * Plan::cluster_rows;
  rt::ring at;
  for (int index = blockIdx.x / Plan::cluster_size; index < grid.total();
       index += gridDim.x / Plan::cluster_size) {
    const rt::tile_position tile = rt::tile_at(grid, index);
    const int row =
        (tile.row * Plan::cluster_rows + cluster_row) * Plan::tile_rows;
    const int col =
        (tile.col * Plan::cluster_cols + cluster_col) * Plan::tile_cols;
    for (int block = 0; block < k_blocks; ++block) {
      const uint32_t stage = shared + at.stage * Plan::stage_bytes;
      uint64_t *ready = &full[at.stage];
      rt::barrier_wait(&empty[at.stage], at.phase ^ 1);
      rt::barrier_expect(ready, Plan::stage_bytes);
      rt::load_operand<Plan::rows_k_major, Plan::tile_rows, Plan::tile_k,
                       Plan::cluster_cols>(stage, &rows_map, ready,
                                           block * Plan::tile_k, row,
                                           tile.batch, cluster_col, same_row);
      rt::load_operand<Plan::cols_k_major, Plan::tile_cols, Plan::tile_k,
                       Plan::cluster_rows>(stage + Plan::cols_offset, &cols_map,
                                           ready, block * Plan::tile_k, col,
                                           tile.batch, cluster_row, same_col);
      at.advance<Plan::stages>();
    }
  }
#endif
}

/// Consumer main loop: acc = one warpgroup's rows of a tile, from `k_blocks`
/// stages. Each stage goes back to the producer when the products that read it
/// have finished, one stage late: one group of wgmma stays in flight.
template <class Plan>
__device__ __forceinline__ void
gemm_multiply(float (&acc)[Plan::waves][Plan::tile_cols / 2],
              warpwright::rt::ring &at, int k_blocks, uint64_t rows_base,
              uint64_t cols_base, uint64_t *full, uint64_t *empty) {
#if WARPWRIGHT_HOPPER
  namespace rt = warpwright::rt;
  for (int block = 0; block < k_blocks; ++block) {
    rt::barrier_wait(&full[at.stage], at.phase);
    const uint64_t rows = rows_base + at.stage * (Plan::stage_bytes / 16);
    const uint64_t cols = cols_base + at.stage * (Plan::stage_bytes / 16);
    rt::wgmma_fence();
#pragma unroll
    for (int step = 0; step < Plan::tile_k / 16; ++step)
#pragma unroll
      for (int wave = 0; wave < Plan::waves; ++wave)
        rt::wgmma_bf16<Plan::rows_k_major, Plan::cols_k_major>(
            acc[wave],
            rows + wave * (64 * 128 / 16) +
                step * rt::k16_advance<Plan::rows_k_major>(),
            cols + step * rt::k16_advance<Plan::cols_k_major>(),
            block > 0 || step > 0);
    rt::wgmma_commit();
    rt::wgmma_wait<1>();
    if (block > 0)
      rt::release_stage<Plan::cluster_size>(
          &empty[at.previous<Plan::stages>()]);
    at.advance<Plan::stages>();
  }
#endif
}

/// Epilogue: one warpgroup's part of a tile, from the row `row` and the column
/// `col` of the accumulator on, through the two staging buffers at `staging`,
/// of which `slot` is the next to use.
template <class Plan>
__device__ __forceinline__ void
gemm_store(const float (&acc)[Plan::waves][Plan::tile_cols / 2], int row,
           int col, int batch, uint32_t staging, uint32_t &slot, int group,
           const CUtensorMap &out_map,
           const warpwright::rt::output_view<typename Plan::out_type> &out) {
#if WARPWRIGHT_HOPPER
  namespace rt = warpwright::rt;
  using T = typename Plan::out_type;
  using slab = rt::slab_shape<T, Plan::tile_cols, Plan::rows_contiguous>;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int part = 0; part < Plan::tile_cols / slab::cols; ++part) {
      const uint32_t buffer = staging + slot * rt::slab_buffer_bytes;
      slot ^= 1;
      int r0 = row + wave * 64;
      int c0 = col + part * slab::cols;
      rt::make_opaque(r0);
      rt::make_opaque(c0);
      rt::stage_slab<T, slab, Plan::rows_contiguous>(
          buffer, 1 + group, acc[wave] + part * slab::cols / 2,
          [&](float sum, int r, int c) {
            const long long m = Plan::swap_ab ? c0 + c : r0 + r;
            const long long n = Plan::swap_ab ? r0 + r : c0 + c;
            return gemm_epilogue<T>(sum, m, n, batch);
          });
      rt::store_slab<T, slab>(
          buffer, &out_map, out, Plan::rows_contiguous ? r0 : c0,
          Plan::rows_contiguous ? c0 : r0, batch, 1 + group);
    }
#endif
}

template <class Plan>
__global__ void WARPWRIGHT_LAUNCH_BOUNDS(Plan::threads) gemm_hopper(
    const __grid_constant__ CUtensorMap rows_map,
    const __grid_constant__ CUtensorMap cols_map,
    const __grid_constant__ CUtensorMap out_map,
    const warpwright::rt::tile_grid grid, int k_blocks,
    const warpwright::rt::output_view<typename Plan::out_type> out) {
#if WARPWRIGHT_HOPPER
  namespace rt = warpwright::rt;
  extern __shared__ __align__(1024) unsigned char shared_memory[];
  const uint32_t shared = rt::shared_address(shared_memory);
  uint64_t *full =
      reinterpret_cast<uint64_t *>(shared_memory + Plan::barrier_offset);
  uint64_t *empty = full + Plan::stages;

  if (threadIdx.x == 0) {
    rt::tma_prefetch_map(&rows_map);
    rt::tma_prefetch_map(&cols_map);
    for (int stage = 0; stage < Plan::stages; ++stage) {
      // A stage is full when its bytes have come, and empty when every warp
      // that reads it, here and in the CTAs that this one loads for, is done.
      rt::barrier_init(&full[stage], 1);
      rt::barrier_init(&empty[stage],
                       Plan::cluster_size * 4 *
                           (Plan::pingpong ? 1 : Plan::consumer_groups));
    }
    rt::fence_barrier_init();
  }
  rt::block_or_cluster_sync<Plan::cluster_size>();

  const int warpgroup = rt::warpgroup_index();
  if (warpgroup == 0) {
    if constexpr (Plan::consumer_groups > 1)
      rt::release_registers<Plan::producer_registers>();
    if (threadIdx.x < 32 && rt::elect_one())
      gemm_produce<Plan>(rows_map, cols_map, grid, k_blocks, shared, full,
                         empty);
  } else {
    if constexpr (Plan::consumer_groups > 1)
      rt::claim_registers<Plan::consumer_registers>();
    const int group = warpgroup - 1;
    const int rank = Plan::cluster_size > 1 ? rt::cluster_rank() : 0;
    const int first_row = Plan::pingpong ? 0 : group * Plan::group_rows;
    const uint64_t rows_base =
        rt::operand_descriptor<Plan::rows_k_major, Plan::tile_k>(
            shared + first_row * 128);
    const uint64_t cols_base =
        rt::operand_descriptor<Plan::cols_k_major, Plan::tile_k>(
            shared + Plan::cols_offset);
    const uint32_t staging =
        shared + Plan::staging_offset + group * 2 * rt::slab_buffer_bytes;
    float acc[Plan::waves][Plan::tile_cols / 2];
    rt::ring at;
    uint32_t slot = 0;
    // Pingpong: the warpgroups take turns, one multiplies while the other
    // stores. A group skips the stages of the tiles that are not its own.
    int turn = 0;
    const int first_index = blockIdx.x / Plan::cluster_size;
    const int step = gridDim.x / Plan::cluster_size;
    for (int index = first_index; index < grid.total(); index += step) {
      if constexpr (Plan::pingpong) {
        const bool mine = turn == group;
        turn = turn + 1 == Plan::consumer_groups ? 0 : turn + 1;
        if (!mine) {
          at.advance<Plan::stages>(k_blocks);
          continue;
        }
        // A barrier's parity cannot tell a phase from the one two rounds
        // later, so wait until the other group has seen all its stages full.
        if (index != first_index)
          rt::named_barrier_sync(4 + group, 256);
      }
      gemm_multiply<Plan>(acc, at, k_blocks, rows_base, cols_base, full, empty);
      if (Plan::pingpong && index + step < grid.total())
        rt::named_barrier_arrive(4 + (group ^ 1), 256);
      rt::wgmma_wait_all(acc);
      rt::release_stage<Plan::cluster_size>(
          &empty[at.previous<Plan::stages>()]);
      const rt::tile_position tile = rt::tile_at(grid, index);
      gemm_store<Plan>(
          acc,
          (tile.row * Plan::cluster_rows + rank % Plan::cluster_rows) *
                  Plan::tile_rows +
              first_row,
          (tile.col * Plan::cluster_cols + rank / Plan::cluster_rows) *
              Plan::tile_cols,
          tile.batch, staging, slot, group, out_map, out);
    }
    rt::drain_stores();
  }
  // Nobody leaves while a neighbour may still signal its barriers.
  if constexpr (Plan::cluster_size > 1)
    rt::cluster_sync();
#endif
}

#endif // WARPWRIGHT_TEST_GPU_KERNEL_PROTOTYPE_CUH
