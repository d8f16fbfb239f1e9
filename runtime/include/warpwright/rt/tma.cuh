//===- warpwright/rt/tma.cuh - Bulk tensor copies --------------*- CUDA -*-===//
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
inline namespace v2 {

/// The tensor maps of arrays that take the same place in a plan, one after the
/// other or side by side.
template <int count> struct tensor_maps {
  CUtensorMap of[count];
};

#if WARPWRIGHT_HOPPER

/// Brings a tensor map into the descriptor cache ahead of its first use.
WARPWRIGHT_DEVICE void tma_prefetch_map(const CUtensorMap *map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// The maps of an operand: one, or those of the arrays that take its place.

WARPWRIGHT_DEVICE void prefetch_maps(const CUtensorMap &map) {
  tma_prefetch_map(&map);
}
template <int count>
WARPWRIGHT_DEVICE void prefetch_maps(const tensor_maps<count> &maps) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    tma_prefetch_map(&maps.of[i]);
}

/// The map of the array number `which`.
WARPWRIGHT_DEVICE const CUtensorMap *map_of(const CUtensorMap &map, int) {
  return &map;
}
template <int count>
WARPWRIGHT_DEVICE const CUtensorMap *map_of(const tensor_maps<count> &maps,
                                            int which) {
  return &maps.of[which];
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

/// Brings this CTA's share of one box of an operand to shared memory; see
/// load_operand. `place` counts the boxes in the stage, `box` those of the
/// array.
template <class Operand>
WARPWRIGHT_DEVICE void load_box(uint32_t destination, const CUtensorMap *map,
                                uint64_t *barrier, int k, int x, int batch,
                                int share, uint16_t ctas, int place, int box) {
  const uint32_t to = destination + place * Operand::box_step_bytes +
                      share * Operand::box_bytes;
  const int at_k = static_cast<int>(static_cast<unsigned>(k) /
                                    static_cast<unsigned>(Operand::numbers)) +
                   box * Operand::box_step_k + share * Operand::share_step_k;
  const int at_x =
      x + box * Operand::box_step_x + share * Operand::share_step_x;
  const int inner = Operand::k_major ? at_k : at_x;
  const int outer = Operand::k_major ? at_x : at_k;
  if constexpr (Operand::shares == 1)
    tma_load_3d(to, map, barrier, inner, outer, batch);
  else
    tma_load_3d_multicast(to, map, barrier, inner, outer, batch, ctas);
}

/// Brings this CTA's share of one stage of an operand to shared memory at
/// `destination`: from row (or column) `x` of the output and from `k` on.
///
/// Operand is a plan's `rows` or `cols`. Its tensor map has the dimensions
/// (k, x, batch) when it is K-major and (x, k, batch) otherwise. With more than
/// one share, this CTA loads the number `share` into all CTAs in `ctas`.
///
/// Four boxes at a time: the addresses of more, each shared, are more than the
/// producer's registers. Where it also chooses the map, two are as many.
template <class Operand, int together = 4>
WARPWRIGHT_DEVICE void
load_operand(uint32_t destination, const CUtensorMap *map, uint64_t *barrier,
             int k, int x, int batch, int share, uint16_t ctas) {
#pragma unroll together
  for (int box = 0; box < Operand::boxes; ++box)
    load_box<Operand>(destination, map, barrier, k, x, batch, share, ctas, box,
                      box);
}

/// The same where several arrays lie one behind the other in a stage, each from
/// `x` and `k` on: those of product number `product` of `products`, of which
/// each array that lies there has a map.
template <class Operand, int products, int count>
WARPWRIGHT_DEVICE void
load_operands(uint32_t destination, const tensor_maps<count> &maps, int product,
              uint64_t *barrier, int k, int x, int batch, int share,
              uint16_t ctas) {
  static_assert(Operand::boxes * products == count * Operand::source_boxes,
                "all arrays have as many boxes");
#pragma unroll 2
  for (int box = 0; box < Operand::boxes; ++box)
    load_box<Operand>(
        destination, &maps.of[box / Operand::source_boxes * products + product],
        barrier, k, x, batch, share, ctas, box, box % Operand::source_boxes);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_TMA_CUH
