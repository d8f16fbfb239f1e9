//===- epilogue.cuh - From accumulators to memory --------------*- CUDA -*-===//
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
#include <warpwright/rt/bytes.cuh>
#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/tma.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

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

// The slab of a plan (`Slab` below) says how it lies in shared memory: boxes of
// box_outer rows of `pitch` bytes, one per TMA store, box_bytes apart, permuted
// as TMA's swizzle of that pitch does. Its rows_contiguous says that the
// output's contiguous direction runs along the accumulator's rows.
//
// `Fragment` has row(thread, value) and col(thread, value), the place of each
// thread's accumulators: the layout of the instruction that made them.

/// Byte offset in a slab of the element `inner` along the output's contiguous
/// direction and `outer` along the other.
template <class T, class Slab>
__host__ __device__ __forceinline__ constexpr uint32_t
slab_offset(uint32_t outer, uint32_t inner) {
  uint32_t box = 0;
  if constexpr (Slab::boxes > 1) {
    box = inner / Slab::box_inner * Slab::box_bytes;
    inner = inner % Slab::box_inner;
  }
  const uint32_t linear =
      outer * Slab::pitch + inner * static_cast<uint32_t>(sizeof(T));
  return box + (linear ^ (linear >> Slab::swizzle_shift & Slab::swizzle_mask));
}

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
/// The same of doubles.
WARPWRIGHT_DEVICE void store_shared(uint32_t address, double x) {
  asm volatile("st.shared.f64 [%0], %1;" ::"r"(address), "d"(x) : "memory");
}
WARPWRIGHT_DEVICE void store_shared(uint32_t address, double x, double y) {
  asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(address), "d"(x), "d"(y)
               : "memory");
}
/// The same of integers.
WARPWRIGHT_DEVICE void store_shared(uint32_t address, int x) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(x) : "memory");
}
WARPWRIGHT_DEVICE void store_shared(uint32_t address, int x, int y) {
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(address), "r"(x), "r"(y)
               : "memory");
}
WARPWRIGHT_DEVICE void store_shared(uint32_t address, unsigned x) {
  store_shared(address, static_cast<int>(x));
}
WARPWRIGHT_DEVICE void store_shared(uint32_t address, unsigned x, unsigned y) {
  store_shared(address, static_cast<int>(x), static_cast<int>(y));
}
/// The bits of an element of one byte, an integer or not.
template <class T> WARPWRIGHT_DEVICE unsigned char byte_of(T element) {
  static_assert(sizeof(T) == 1, "a byte");
  unsigned char bits;
  memcpy(&bits, &element, 1);
  return bits;
}
/// The same of bytes, whatever they are.
template <class T> WARPWRIGHT_DEVICE void store_shared(uint32_t address, T x) {
  asm volatile("st.shared.u8 [%0], %1;" ::"r"(address),
               "r"(static_cast<uint32_t>(byte_of(x)))
               : "memory");
}
template <class T>
WARPWRIGHT_DEVICE void store_shared(uint32_t address, T x, T y) {
  asm volatile("st.shared.u16 [%0], %1;" ::"r"(address),
               "h"(static_cast<uint16_t>(byte_of(x) | byte_of(y) << 8))
               : "memory");
}

/// `index`, or the last index of the extent when it lies beyond.
WARPWRIGHT_DEVICE int within(int index, int extent) {
  return index < extent ? index : extent - 1;
}

/// Calls visit(wave, i, row, col) for each of the first `count` sums of this
/// thread in each wave; row and col count from the first row of the warpgroup's
/// `waves` blocks of wave_rows.
template <class Fragment, int waves, int wave_rows, int count, class Visit>
WARPWRIGHT_DEVICE void for_each_element(Visit visit) {
  const unsigned thread = threadIdx.x % 128;
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < count; ++i)
      visit(wave, i, wave * wave_rows + int(Fragment::row(thread, i)),
            int(Fragment::col(thread, i)));
}

/// The compiler takes `number` for a new value from here on: what was computed
/// from the old one is not kept for what depends on it later.
WARPWRIGHT_DEVICE void make_opaque(int &number) {
  asm volatile("" : "+r"(number));
}

/// Writes one slab to the staging buffer at `buffer`. value(i, row, col) makes
/// the output element at that place in the slab of this thread's sum number i,
/// counted from the slab's first column on. Called by the 128 threads of a
/// warpgroup, which share the named barrier `barrier` and use the buffers in
/// turn. `anew`: where the elements lie is computed for each slab again; to
/// keep it takes registers that a thread with 128 sums does not have.
template <class T, class Slab, class Fragment, bool anew = false, class Value>
WARPWRIGHT_DEVICE void stage_slab(uint32_t buffer, int barrier, Value value) {
  static_assert(Slab::accumulators * 128 == 64 * Slab::cols,
                "128 threads hold 64 rows");
  // The last store but one (of two buffers) read this one. Only the thread that
  // issued it can tell when that is over; the barrier tells the others.
  // (Converting before this barrier makes ptxas serialise the wgmma: C7514.)
  if (threadIdx.x % 128 == 0)
    tma_store_wait_read<Slab::buffers - 1>();
  named_barrier_sync(barrier, 128);
  int number = static_cast<int>(threadIdx.x % 128);
  if constexpr (anew)
    make_opaque(number);
  const unsigned thread = number;
  // All values first: the loads that they may need are then in flight together.
  T v[Slab::accumulators];
#pragma unroll
  for (int i = 0; i < Slab::accumulators; ++i)
    v[i] =
        value(i, int(Fragment::row(thread, i)), int(Fragment::col(thread, i)));
  if constexpr (sizeof(T) == 2) {
    // stmatrix stores 8x8 matrices, whose line l of 8 elements lies with the
    // lanes 4 l .. 4 l + 3, two in each. Four at a time; a lane gives the
    // address of one line, which is that of its first element: with the values
    // transposed, lines run down the columns, and the first element of line l
    // is the second value of lane l / 2 when l is odd.
    constexpr bool transposed = Slab::rows_contiguous;
    const unsigned lane = thread % 32;
    const unsigned line = lane % 8;
    const unsigned holder =
        thread / 32 * 32 + (transposed ? line / 2 : line * 4);
    const unsigned first = lane / 8 * 2 + (transposed ? line % 2 : 0);
    const unsigned line_row = Fragment::row(holder, first);
    const unsigned line_col = Fragment::col(holder, first);
#pragma unroll
    for (int piece = 0; piece < Slab::accumulators; piece += 8) {
      uint32_t packed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        packed[i] = pack_pair(v[piece + 2 * i], v[piece + 2 * i + 1]);
      const unsigned row = line_row + Fragment::row(0, piece);
      const unsigned col = line_col + Fragment::col(0, piece);
      const uint32_t offset = transposed ? slab_offset<T, Slab>(col, row)
                                         : slab_offset<T, Slab>(row, col);
      store_matrix_x4<transposed>(buffer + offset, packed);
    }
  } else {
    static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8,
                  "outputs of 8, 16, 32 and 64 bits");
    // Values 2 i and 2 i + 1 are neighbours in a row.
#pragma unroll
    for (int i = 0; i < Slab::accumulators; i += 2) {
      const unsigned row = Fragment::row(thread, i);
      const unsigned col = Fragment::col(thread, i);
      if constexpr (Slab::rows_contiguous) {
        store_shared(buffer + slab_offset<T, Slab>(col, row), v[i]);
        store_shared(buffer + slab_offset<T, Slab>(col + 1, row), v[i + 1]);
      } else {
        store_shared(buffer + slab_offset<T, Slab>(row, col), v[i], v[i + 1]);
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
  } else if constexpr (sizeof(T) == 1) {
    uint32_t bits;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(bits) : "r"(address));
    const unsigned char byte = static_cast<unsigned char>(bits);
    T element;
    memcpy(&element, &byte, sizeof(T));
    return element;
  } else if constexpr (sizeof(T) == 8) {
    uint64_t bits;
    asm volatile("ld.shared.b64 %0, [%1];" : "=l"(bits) : "r"(address));
    T element;
    memcpy(&element, &bits, sizeof(T));
    return element;
  } else {
    uint32_t bits;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(bits) : "r"(address));
    T element;
    memcpy(&element, &bits, sizeof(T));
    return element;
  }
}

/// ld.shared of one chunk.
WARPWRIGHT_DEVICE uint4 load_staged_chunk(uint32_t address) {
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
}

/// Where the aligned chunks of a row of the output lie in a slab: they begin
/// `head` elements behind the row's start, and end with element `tail`; `end`
/// is the row's own end.
template <class T> struct staged_row {
  static constexpr int chunk = chunk_bytes / sizeof(T); ///< elements
  int head, tail, end;

  WARPWRIGHT_DEVICE staged_row(const T *row, int end) : end(end) {
    const unsigned past =
        reinterpret_cast<uintptr_t>(row) % chunk_bytes / sizeof(T);
    head = past ? chunk - static_cast<int>(past) : 0;
    head = head < end ? head : end;
    tail = head + (end - head) / chunk * chunk;
  }
};

/// Copies a staged slab out with plain stores, for outputs that TMA cannot
/// write: whole chunks first, then what each row has before and behind them.
/// Nothing outside the output's extents is written.
///
/// A thread has the same place in every row that it copies. Its rows are a
/// multiple of 16 bytes / sizeof(T) apart, so they all begin at the same byte
/// of a chunk of the output; and where they are a multiple of 8 apart, in the
/// same phase of the slab's swizzle.
template <class T, class Slab>
WARPWRIGHT_DEVICE void copy_slab(uint32_t buffer, const output_view<T> &out,
                                 int inner, int outer, int batch) {
  constexpr int row_length = Slab::boxes * Slab::box_inner;
  constexpr int chunk = staged_row<T>::chunk;
  constexpr int row_chunks = row_length / chunk;
  const int thread = threadIdx.x % 128;
  T *const corner =
      out.data + batch * out.batch_stride + outer * out.outer_stride + inner;
  const int end = out.inner_extent - inner < row_length
                      ? out.inner_extent - inner
                      : row_length;
  const int rows = out.outer_extent - outer < Slab::box_outer
                       ? out.outer_extent - outer
                       : Slab::box_outer;
  {
    constexpr int step = 128 / row_chunks; // rows
    static_assert(step % chunk == 0, "the same phase of a chunk");
    // Rows of 64 doubles are so long that a thread's next one is in another
    // phase of the swizzle.
    constexpr bool same_phase = step % 8 == 0;
    const int y = thread / row_chunks, x = thread % row_chunks * chunk;
    T *const row = corner + y * out.outer_stride;
    const staged_row<T> at(row, end);
    if (at.head + x < at.tail) {
      // A chunk of the output begins `head` elements behind the slab's own, so
      // that it takes a part of the next one, too.
      const uint32_t low = buffer + slab_offset<T, Slab>(y, x);
      const uint32_t high =
          at.head ? buffer + slab_offset<T, Slab>(y, x + chunk) : low;
#pragma unroll
      for (int i = 0; i < Slab::box_outer; i += step)
        if (y + i < rows) {
          uint32_t from = low + i * Slab::pitch, next = high + i * Slab::pitch;
          if constexpr (!same_phase) {
            from = buffer + slab_offset<T, Slab>(y + i, x);
            next = at.head ? buffer + slab_offset<T, Slab>(y + i, x + chunk)
                           : from;
          }
          *reinterpret_cast<uint4 *>(row + i * out.outer_stride + at.head + x) =
              bytes_from(load_staged_chunk(from), load_staged_chunk(next),
                         at.head * sizeof(T));
        }
    }
  }
  {
    // A row's edges are shorter than two chunks.
    constexpr int lanes = chunk < 8 ? chunk : 8, step = 128 / lanes;
    static_assert(step % 8 == 0 && step % chunk == 0,
                  "the same phase of the swizzle and of a chunk");
    const int y = thread / lanes;
    T *const row = corner + y * out.outer_stride;
    const staged_row<T> at(row, end);
    for (int edge = thread % lanes; edge < at.head + (at.end - at.tail);
         edge += lanes) {
      const int x = edge < at.head ? edge : at.tail + (edge - at.head);
      const uint32_t from = buffer + slab_offset<T, Slab>(y, x);
#pragma unroll 1 // there are few, and every slab of every plan has this
      for (int i = 0; i < Slab::box_outer; i += step)
        if (y + i < rows)
          row[i * out.outer_stride + x] =
              load_staged<T>(from + i * Slab::pitch);
    }
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

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_EPILOGUE_CUH
