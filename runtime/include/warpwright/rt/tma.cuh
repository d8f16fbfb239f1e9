//===- warpwright/rt/tma.cuh - Bulk tensor copies ---------------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk.tensor and friends (PTX ISA, "Data Movement and Conversion
// Instructions: Bulk and Tensor copy instructions"). Coordinates count
// elements, innermost dimension first. Loads fill what lies outside the tensor
// with zeros and stores leave it alone, but the inner extent of a stored
// tensor must be a multiple of 16 bytes: the engine writes whole 16-byte
// chunks.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_TMA_CUH
#define WARPWRIGHT_RT_TMA_CUH

#include <warpwright/rt/mbarrier.cuh>

namespace warpwright {
namespace rt {

#if WARPWRIGHT_HOPPER

/// Brings a tensor map into the descriptor cache ahead of its first use.
WARPWRIGHT_DEVICE void tma_prefetch_map(const CUtensorMap *map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/// Copies one box to shared memory at `destination` and reports its bytes to
/// `barrier` (cp.async.bulk.tensor ... mbarrier::complete_tx::bytes).
WARPWRIGHT_DEVICE void tma_load_2d(uint32_t destination, const CUtensorMap *map,
                                   uint64_t *barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
      "complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(destination),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
      : "memory");
}

WARPWRIGHT_DEVICE void tma_load_3d(uint32_t destination, const CUtensorMap *map,
                                   uint64_t *barrier, int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::"
      "complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(destination),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
      : "memory");
}

WARPWRIGHT_DEVICE void tma_load_4d(uint32_t destination, const CUtensorMap *map,
                                   uint64_t *barrier, int x, int y, int z,
                                   int w) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(
                   destination),
               "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z),
               "r"(w)
               : "memory");
}

/// As the plain loads, into every CTA of the cluster whose bit is set in
/// `ctas`, at the same offset, each reporting to its own barrier.
WARPWRIGHT_DEVICE void tma_load_2d_multicast(uint32_t destination,
                                             const CUtensorMap *map,
                                             uint64_t *barrier, int x, int y,
                                             uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(
          destination),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "h"(ctas)
      : "memory");
}

WARPWRIGHT_DEVICE void tma_load_3d_multicast(uint32_t destination,
                                             const CUtensorMap *map,
                                             uint64_t *barrier, int x, int y,
                                             int z, uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster [%0], [%1, {%3, %4, %5}], [%2], %6;" ::"r"(
          destination),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z), "h"(ctas)
      : "memory");
}

WARPWRIGHT_DEVICE void tma_load_4d_multicast(uint32_t destination,
                                             const CUtensorMap *map,
                                             uint64_t *barrier, int x, int y,
                                             int z, int w, uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster [%0], [%1, {%3, %4, %5, %6}], [%2], %7;" ::"r"(
          destination),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z), "r"(w),
      "h"(ctas)
      : "memory");
}

/// Copies one box from shared to global memory, as part of the calling
/// thread's current bulk group.
WARPWRIGHT_DEVICE void tma_store_2d(const CUtensorMap *map, uint32_t source,
                                    int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, "
               "{%2, %3}], [%1];" ::"l"(map),
               "r"(source), "r"(x), "r"(y)
               : "memory");
}

WARPWRIGHT_DEVICE void tma_store_3d(const CUtensorMap *map, uint32_t source,
                                    int x, int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, "
               "{%2, %3, %4}], [%1];" ::"l"(map),
               "r"(source), "r"(x), "r"(y), "r"(z)
               : "memory");
}

WARPWRIGHT_DEVICE void tma_store_4d(const CUtensorMap *map, uint32_t source,
                                    int x, int y, int z, int w) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, "
               "{%2, %3, %4, %5}], [%1];" ::"l"(map),
               "r"(source), "r"(x), "r"(y), "r"(z), "r"(w)
               : "memory");
}

/// Closes the calling thread's current bulk group.
WARPWRIGHT_DEVICE void tma_store_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until at most `pending` of the calling thread's bulk groups still
/// read shared memory. Says nothing about other threads' groups, and nothing
/// about when the writes become visible.
template <int pending> WARPWRIGHT_DEVICE void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

/// Waits until at most `pending` of the calling thread's bulk groups are
/// incomplete, writes included.
template <int pending> WARPWRIGHT_DEVICE void tma_store_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}

/// Orders this thread's ordinary shared-memory accesses before later accesses
/// of the async proxy (TMA and wgmma). Every thread that wrote executes it,
/// before the barrier that precedes the TMA instruction.
WARPWRIGHT_DEVICE void fence_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Brings one stage of a 16-bit operand to shared memory: `extent` rows (or
/// columns) of the output from `x` on, by `tile_k` of k from `k` on.
///
/// K-major operands have the tensor map dimensions (k, x, batch) and arrive as
/// one box {64, extent / shares}: 128-byte rows of 64 k. Others have (x, k,
/// batch) and arrive as blocks 64 wide in x, one box {64, tile_k / shares}
/// each, the blocks one after the other. Both in the 128-byte swizzle.
///
/// When `shares` CTAs of the cluster need the same tile, each loads the part
/// `share` of it into all those in `ctas`.
template <bool k_major, int extent, int tile_k, int shares>
WARPWRIGHT_DEVICE void
load_operand(uint32_t destination, const CUtensorMap *map, uint64_t *barrier,
             int k, int x, int batch, int share, uint16_t ctas) {
  static_assert(tile_k == 64, "128-byte swizzle: 64 elements of 16 bits");
  if constexpr (k_major) {
    constexpr int rows = extent / shares;
    static_assert(rows % 8 == 0, "a share must be whole swizzle atoms");
    uint32_t to = destination + share * rows * 128;
    if constexpr (shares == 1)
      tma_load_3d(to, map, barrier, k, x, batch);
    else
      tma_load_3d_multicast(to, map, barrier, k, x + share * rows, batch, ctas);
  } else {
    constexpr int depth = tile_k / shares;
    static_assert(depth % 8 == 0, "a share must be whole swizzle atoms");
#pragma unroll
    for (int block = 0; block < (extent + 63) / 64; ++block) {
      uint32_t to = destination + block * tile_k * 128 + share * depth * 128;
      if constexpr (shares == 1)
        tma_load_3d(to, map, barrier, x + 64 * block, k, batch);
      else
        tma_load_3d_multicast(to, map, barrier, x + 64 * block,
                              k + share * depth, batch, ctas);
    }
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_TMA_CUH
