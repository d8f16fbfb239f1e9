//===- warpwright/rt/epilogue.cuh - From accumulators to memory -*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output tiles leave through shared memory, one slab of 64 accumulator rows at
// a time: each thread converts its elements and writes them where the slab's
// memory order wants them (stmatrix for 16-bit types), then the slab goes out
// by one TMA store, or row by row where TMA cannot store.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_EPILOGUE_CUH
#define WARPWRIGHT_RT_EPILOGUE_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string.h>
#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/tma.cuh>

namespace warpwright {
namespace rt {

/// An output array as the kernel sees it. `inner` is the direction in which
/// its elements are contiguous, `outer` the other one. Strides in elements.
template <class T> struct output_view {
  T *data;
  long long outer_stride;
  long long batch_stride;
  int inner_extent;
  int outer_extent;
  /// Whether the launcher found base, strides and inner extent to be multiples
  /// of 16 bytes and encoded a tensor map; otherwise plain stores are used.
  int use_tma;
};

/// Bytes between the staging buffers of a warpgroup; each holds one slab.
constexpr int slab_buffer_bytes = 8192;

/// Shape of the slabs of T in which tiles of `tile_cols` columns are stored.
/// With `rows_contiguous` the output's contiguous direction runs along the
/// accumulator's rows, otherwise along its columns.
template <class T, int tile_cols, bool rows_contiguous> struct slab_shape {
  static constexpr int widest = 128 / static_cast<int>(sizeof(T));
  /// Columns of the slab: the most that fill 128-byte rows and divide the tile.
  static constexpr int cols = tile_cols % widest == 0         ? widest
                              : tile_cols % (widest / 2) == 0 ? widest / 2
                                                              : 16;
  /// The box of one TMA store, in elements, and how many make a slab.
  static constexpr int box_inner =
      rows_contiguous ? (64 < widest ? 64 : widest) : cols;
  static constexpr int box_outer = rows_contiguous ? cols : 64;
  static constexpr int boxes = rows_contiguous ? 64 / box_inner : 1;
  static constexpr int pitch = box_inner * static_cast<int>(sizeof(T));
  static constexpr int box_bytes = box_outer * pitch;

  static_assert(tile_cols % cols == 0 && cols % 16 == 0,
                "tiles are cut into whole slabs of whole 16-column pieces");
  static_assert(boxes * box_bytes <= slab_buffer_bytes, "slab buffer");

  /// Byte offset of an element in its box: rows of `pitch` bytes in TMA's
  /// swizzle of that width (bits 4.. of the address ^= bits 7..).
  __host__ __device__ static constexpr uint32_t offset(uint32_t outer,
                                                       uint32_t inner) {
    uint32_t linear = outer * pitch + inner * static_cast<uint32_t>(sizeof(T));
    return linear ^ ((linear >> 7 & (pitch / 16 - 1)) << 4);
  }
};

#if WARPWRIGHT_HOPPER

/// Two values as one register of 16-bit elements, the first in the low half.
WARPWRIGHT_DEVICE uint32_t pack_pair(__nv_bfloat16 low, __nv_bfloat16 high) {
  return static_cast<uint32_t>(__bfloat16_as_ushort(low)) |
         static_cast<uint32_t>(__bfloat16_as_ushort(high)) << 16;
}
WARPWRIGHT_DEVICE uint32_t pack_pair(__half low, __half high) {
  return static_cast<uint32_t>(__half_as_ushort(low)) |
         static_cast<uint32_t>(__half_as_ushort(high)) << 16;
}

/// stmatrix.x4: four 8x8 matrices of 16-bit elements; lane l gives the address
/// of row l % 8 of matrix l / 8. With `transposed` each is stored transposed.
template <bool transposed>
WARPWRIGHT_DEVICE void store_matrix_x4(uint32_t address, const uint32_t *v) {
  if constexpr (transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, "
                 "%2, %3, %4};" ::"r"(address),
                 "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
                 : "memory");
  else
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, "
                 "%4};" ::"r"(address),
                 "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
                 : "memory");
}

/// st.shared of one or two floats.
WARPWRIGHT_DEVICE void store_shared(uint32_t address, float x) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
}
WARPWRIGHT_DEVICE void store_shared(uint32_t address, float x, float y) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(x), "f"(y)
               : "memory");
}

/// `index`, or the last index of the extent when it lies beyond.
WARPWRIGHT_DEVICE int within(int index, int extent) {
  return index < extent ? index : extent - 1;
}

/// Calls visit(acc, row, col) for each accumulator of this thread; row and col
/// count from the first row of the warpgroup's `waves` blocks of 64 rows.
template <int waves, int registers, class Visit>
WARPWRIGHT_DEVICE void for_each_element(const float (&acc)[waves][registers],
                                        Visit visit) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32 % 4;
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < registers; ++i)
      visit(acc[wave][i], 64 * wave + 16 * warp + lane / 4 + 8 * (i >> 1 & 1),
            8 * (i >> 2) + 2 * (lane % 4) + (i & 1));
}

/// The compiler takes `number` for a new value from here on: what was computed
/// from the old one is not kept for what depends on it later.
WARPWRIGHT_DEVICE void make_opaque(int &number) {
  asm volatile("" : "+r"(number));
}

/// Writes one slab to the staging buffer at `buffer`. `acc` points at the
/// accumulators of the slab's first column; value(acc, row, col) makes the
/// output element at that place in the slab. Called by the 128 threads of a
/// warpgroup, which share the named barrier `barrier` and use two buffers in
/// turn.
template <class T, class Slab, bool rows_contiguous, class Value>
WARPWRIGHT_DEVICE void stage_slab(uint32_t buffer, int barrier,
                                  const float *acc, Value value) {
  // The store before the last one read this buffer. Only the thread that issued
  // it can tell when that is over; the barrier tells the others.
  // (Converting before this barrier makes ptxas serialise the wgmma: C7514.)
  if (threadIdx.x % 128 == 0)
    tma_store_wait_read<1>();
  named_barrier_sync(barrier, 128);
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32 % 4;
  // All values first: the loads that they may need are then in flight together.
  T v[Slab::cols / 2];
#pragma unroll
  for (int i = 0; i < Slab::cols / 2; ++i)
    v[i] = value(acc[i], 16 * warp + lane / 4 + 8 * (i >> 1 & 1),
                 8 * (i >> 2) + 2 * (lane % 4) + (i & 1));
  if constexpr (sizeof(T) == 2) {
#pragma unroll
    for (int piece = 0; piece < Slab::cols / 16; ++piece) {
      uint32_t packed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        packed[i] = pack_pair(v[8 * piece + 2 * i], v[8 * piece + 2 * i + 1]);
      // Matrices in register order: rows 0..7 and 8..15 of columns 0..7, then
      // of columns 8..15.
      uint32_t offset;
      if constexpr (rows_contiguous)
        offset = Slab::offset(16 * piece + lane % 8 + 8 * (lane / 16),
                              16 * warp + 8 * (lane / 8 % 2));
      else
        offset =
            Slab::offset(16 * warp + lane % 16, 16 * piece + 8 * (lane / 16));
      store_matrix_x4<rows_contiguous>(buffer + offset, packed);
    }
  } else {
    static_assert(sizeof(T) == 4, "16-bit and 32-bit outputs");
#pragma unroll
    for (int i = 0; i < Slab::cols / 2; i += 2) {
      const int row = 16 * warp + lane / 4 + 8 * (i >> 1 & 1);
      const int col = 8 * (i >> 2) + 2 * (lane % 4);
      if constexpr (rows_contiguous) {
        const uint32_t box = buffer + row / Slab::box_inner * Slab::box_bytes;
        const int inner = row % Slab::box_inner;
        store_shared(box + Slab::offset(col, inner), v[i]);
        store_shared(box + Slab::offset(col + 1, inner), v[i + 1]);
      } else {
        store_shared(buffer + Slab::offset(row, col), v[i], v[i + 1]);
      }
    }
  }
}

/// Reads one staged element back.
template <class T> WARPWRIGHT_DEVICE T load_staged(uint32_t address) {
  if constexpr (sizeof(T) == 2) {
    uint16_t bits;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(bits) : "r"(address));
    T element;
    memcpy(&element, &bits, sizeof(T));
    return element;
  } else {
    float element;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(element) : "r"(address));
    return element;
  }
}

/// Copies a staged slab out with plain stores, a warp writing consecutive
/// elements. Nothing outside the output's extents is written.
template <class T, class Slab>
WARPWRIGHT_DEVICE void copy_slab(uint32_t buffer, const output_view<T> &out,
                                 int inner, int outer, int batch) {
  const int thread = threadIdx.x % 128;
  T *corner =
      out.data + batch * out.batch_stride + outer * out.outer_stride + inner;
  constexpr int row_length = Slab::boxes * Slab::box_inner;
#pragma unroll 4
  for (int i = thread; i < row_length * Slab::box_outer; i += 128) {
    int x = i % row_length;
    int y = i / row_length;
    if (inner + x < out.inner_extent && outer + y < out.outer_extent)
      corner[y * out.outer_stride + x] =
          load_staged<T>(buffer + x / Slab::box_inner * Slab::box_bytes +
                         Slab::offset(y, x % Slab::box_inner));
  }
}

/// Sends a staged slab out; (inner, outer, batch) is its corner in the output.
/// Called by the 128 threads of a warpgroup, which share the named barrier
/// `barrier`.
template <class T, class Slab>
WARPWRIGHT_DEVICE void store_slab(uint32_t buffer, const CUtensorMap *map,
                                  const output_view<T> &out, int inner,
                                  int outer, int batch, int barrier) {
  const bool leader = threadIdx.x % 128 == 0;
  fence_async_shared();
  named_barrier_sync(barrier, 128);
  if (out.use_tma) {
    if (leader) {
#pragma unroll
      for (int box = 0; box < Slab::boxes; ++box)
        tma_store_3d(map, buffer + box * Slab::box_bytes,
                     inner + box * Slab::box_inner, outer, batch);
      tma_store_commit();
    }
  } else {
    copy_slab<T, Slab>(buffer, out, inner, outer, batch);
  }
}

/// Waits until shared memory is no longer read by this warpgroup's stores; a
/// CTA must not end earlier.
WARPWRIGHT_DEVICE void drain_stores() {
  if (threadIdx.x % 128 == 0)
    tma_store_wait_read<0>();
}

#endif // WARPWRIGHT_HOPPER

} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_EPILOGUE_CUH
