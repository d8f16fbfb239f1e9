//===-- load_copied.cuh - Operands that TMA cannot read ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Load where TMA cannot read an operand: its base or its rows do not
// start at multiples of 16 bytes, or it is contiguous in no direction that the
// plan can use. A kernel of its own copies the operand into scratch memory, in
// the order that the plan wants and with rows padded to whole cache lines; the
// Hopper kernel then reads the copy and is the same as for any other operand.
//
// Two operands may be the halves of one array's elements, as the real and the
// imaginary parts of complex numbers are. They are copied together, so that
// each is read once: an element's first half goes to one copy, its second half
// to another one behind it.
//
// An operand's numbers of four bits may lie in words whose numbers are
// neighbours across k, or along k in words that lie across it or have another
// order: a plan wants bytes of two numbers that are neighbours along k, and the
// copy is made of such bytes (gather_numbers, gather_words).
//
// A copy reads and writes every element once: at 4096 x 4096 elements of 16
// bits that takes 15 us of the 200 us of the product (docs/performance.md).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_LOAD_COPIED_CUH
#define WARPWRIGHT_RT_LOAD_COPIED_CUH

#include <warpwright/rt/bytes.cuh>
#include <warpwright/rt/scratch.cuh>
#include <warpwright/rt/select.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// One operand's copy, or those of two. "Inner" is the direction in which the
/// copy is contiguous. Strides are those of the source, in elements.
struct copy_job {
  const char *from;          ///< the element at the origin
  unsigned long long offset; ///< of the copy in copy_jobs::memory
  long long inner_stride, outer_stride, batch_stride;
  unsigned inner, outer, batches; ///< elements
  int element_bytes;              ///< of the copy
  /// 2: an element of the source is two of a copy, and the second ones go to
  /// a copy of their own, so many bytes behind the first.
  int halves;
  long long next_half;
  long long pitch; ///< of the copy's rows, bytes
  /// The bytes of the source that the launch may read: [first, end).
  const char *first, *end;
  /// Where rows are contiguous in the source, too: 2^lanes_log2 threads copy
  /// one piece of a row, copy_chunks chunks of 16 bytes each; a row has so many
  /// pieces. Elsewhere 0: blocks transpose tiles.
  unsigned row_pieces;
  unsigned lanes_log2;
  /// Where bytes are gathered of numbers, of which the strides are: the number
  /// at the origin, by how many the second one of a byte lies behind the first,
  /// and where they are in words. Where words have numbers along k, all of that
  /// but the places is of words.
  long long first_number, second_number;
  number_places places;
  unsigned first_block, blocks; ///< of the grid
};

/// Copies of one launch: as many as there are factors in most contractions.
struct copy_jobs {
  static constexpr int most = 8;
  copy_job of[most];
  int count;
  char *memory;
};

constexpr int copy_threads = 256, copy_chunks = 2;
/// Rows and columns of a tile that is transposed.
constexpr unsigned copy_tile = 64;

/// 16 bytes of a row from `source` on, of which the first `bytes` are the
/// row's; zeros behind them. Loads are of 16 aligned bytes where the array has
/// them all, and never reach beyond the array.
WARPWRIGHT_DEVICE uint4 load_chunk(const copy_job &job, const char *source,
                                   unsigned bytes) {
  const unsigned byte = reinterpret_cast<uintptr_t>(source) % chunk_bytes;
  const char *const aligned = source - byte;
  const int loaded = byte == 0 ? chunk_bytes : 2 * chunk_bytes;
  if (bytes == chunk_bytes && aligned >= job.first &&
      aligned + loaded <= job.end) {
    const uint4 *const chunks = reinterpret_cast<const uint4 *>(aligned);
    return bytes_from(chunks[0], chunks[byte == 0 ? 0 : 1], byte);
  }
  uint32_t w[4] = {0, 0, 0, 0};
  // Elements are at multiples of their size, which is 1, 2 or a multiple of 4,
  // or of half of it, if they are pairs.
  if (job.element_bytes % 4 == 0 && byte % 4 == 0) {
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      if (4 * i < bytes)
        w[i] = reinterpret_cast<const uint32_t *>(source)[i];
  } else if (job.element_bytes == 1) {
#pragma unroll
    for (unsigned i = 0; i < 16; ++i)
      if (i < bytes)
        w[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(source[i]))
                    << i % 4 * 8;
  } else {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i)
      if (2 * i < bytes)
        w[i / 2] |=
            static_cast<uint32_t>(reinterpret_cast<const uint16_t *>(source)[i])
            << i % 2 * 16;
  }
  return make_uint4(w[0], w[1], w[2], w[3]);
}

/// The first or the second halves of the 32-bit words, or of pairs of them, of
/// two chunks that follow one another: elements of 2 or of 4 bytes.
WARPWRIGHT_DEVICE uint4 half_of(uint4 a, uint4 b, int half, int element_bytes) {
  if (element_bytes == 4)
    return half ? make_uint4(a.y, a.w, b.y, b.w)
                : make_uint4(a.x, a.z, b.x, b.z);
  const unsigned down = half * 16;
  const auto pack = [&](uint32_t low, uint32_t high) {
    return (low >> down & 0xffff) | high >> down << 16;
  };
  return make_uint4(pack(a.x, a.y), pack(a.z, a.w), pack(b.x, b.y),
                    pack(b.z, b.w));
}

/// The same chunks of a row of both copies from the elements at `source` on, of
/// which the row has so many bytes.
WARPWRIGHT_DEVICE void load_halves(uint4 (&chunks)[2], const copy_job &job,
                                   const char *source, long long bytes) {
  uint4 whole[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const long long left = bytes - i * chunk_bytes;
    whole[i] = left > 0
                   ? load_chunk(job, source + i * chunk_bytes,
                                left < chunk_bytes ? static_cast<unsigned>(left)
                                                   : chunk_bytes)
                   : make_uint4(0, 0, 0, 0);
  }
#pragma unroll
  for (int half = 0; half < 2; ++half)
    chunks[half] = half_of(whole[0], whole[1], half, job.element_bytes);
}

/// One block's pieces of rows that are contiguous in the source.
template <int halves>
WARPWRIGHT_DEVICE void copy_rows(const copy_job &job, char *copy,
                                 unsigned block) {
  const unsigned lanes = 1u << job.lanes_log2;
  const unsigned piece = block * (copy_threads >> job.lanes_log2) +
                         (threadIdx.x >> job.lanes_log2);
  const unsigned row = piece / job.row_pieces; // of all batches
  const unsigned batch = row / job.outer;
  if (batch >= job.batches)
    return;
  const char *const from =
      job.from + (batch * job.batch_stride +
                  (row - batch * job.outer) * job.outer_stride) *
                     job.element_bytes * halves;
  char *const to = copy + row * job.pitch;
  const long long bytes = static_cast<long long>(job.inner) * job.element_bytes;
  const long long first =
      (static_cast<long long>(piece % job.row_pieces) * lanes * copy_chunks +
       threadIdx.x % lanes) *
      chunk_bytes;
  uint4 chunks[copy_chunks][halves];
#pragma unroll
  for (int i = 0; i < copy_chunks; ++i) {
    const long long at = first + i * (lanes * chunk_bytes);
    if (at >= bytes)
      continue;
    if constexpr (halves == 2)
      load_halves(chunks[i], job, from + 2 * at, 2 * (bytes - at));
    else
      chunks[i][0] = load_chunk(job, from + at,
                                bytes - at < chunk_bytes
                                    ? static_cast<unsigned>(bytes - at)
                                    : chunk_bytes);
  }
#pragma unroll
  for (int i = 0; i < copy_chunks; ++i) {
    const long long at = first + i * (lanes * chunk_bytes);
    if (at < bytes)
#pragma unroll
      for (int half = 0; half < halves; ++half)
        *reinterpret_cast<uint4 *>(to + half * job.next_half + at) =
            chunks[i][half];
  }
}

/// One block's tile of a source whose rows are not contiguous, through shared
/// memory: read along the direction in which the source's elements lie closer
/// together, written along the copy's rows. An element is `parts` of T, which
/// go through the tile one after the other; `apart`: each to a copy of its own.
template <class T, int parts = 1, bool apart = false>
WARPWRIGHT_DEVICE void transpose_tile(const copy_job &job, char *copy,
                                      unsigned block,
                                      T (&tile)[copy_tile][copy_tile + 1]) {
  const unsigned across = (job.inner + copy_tile - 1) / copy_tile;
  const unsigned down = (job.outer + copy_tile - 1) / copy_tile;
  const unsigned batch = block / (across * down);
  const unsigned in_batch = block - batch * (across * down);
  const unsigned inner = in_batch % across * copy_tile;
  const unsigned outer = in_batch / across * copy_tile;
  const T *const from =
      reinterpret_cast<const T *>(job.from) + batch * job.batch_stride * parts;
  T *const to = reinterpret_cast<T *>(copy + static_cast<long long>(batch) *
                                                 job.outer * job.pitch);
  const auto magnitude = [](long long x) { return x < 0 ? -x : x; };
  const bool along_outer =
      magnitude(job.outer_stride) < magnitude(job.inner_stride);
  constexpr unsigned columns = copy_tile, rows = copy_threads / columns;
  const unsigned x = threadIdx.x % columns, y = threadIdx.x / columns;
  for (int part = 0; part < parts; ++part) {
    if (part > 0)
      __syncthreads();
#pragma unroll 4
    for (unsigned line = y; line < copy_tile; line += rows) {
      const unsigned i = along_outer ? line : x, o = along_outer ? x : line;
      if (inner + i < job.inner && outer + o < job.outer)
        tile[o][i] = from[((inner + i) * job.inner_stride +
                           (outer + o) * job.outer_stride) *
                              parts +
                          part];
    }
    __syncthreads();
#pragma unroll 4
    for (unsigned line = y; line < copy_tile; line += rows)
      if (inner + x < job.inner && outer + line < job.outer) {
        constexpr long long size = sizeof(T);
        T *const row = to + (outer + line) * (job.pitch / size);
        if constexpr (apart)
          row[part * (job.next_half / size) + inner + x] = tile[line][x];
        else
          row[(inner + x) * parts + part] = tile[line][x];
      }
  }
}

/// An operand whose bytes are gathered of numbers of four bits.
struct gather_job {
  copy_job copy;
  /// For __byte_perm of the bytes with the numbers at the even places of 32
  /// bits and those at the odd ones: the first four bytes of numbers, the other
  /// four; or of numbers along k the first ones of four bytes, and the second.
  unsigned first_half, second_half;
  bool k_inner;     ///< the copy is contiguous along k
  bool whole_words; ///< 16 words along the copy's rows are loaded as vectors
};

/// The number of an array that so many precede.
WARPWRIGHT_DEVICE uint32_t number_at(const copy_job &job, long long number) {
  const unsigned in_word = number & (job.places.count - 1);
  const long long at = number - in_word + (job.places.of >> 4 * in_word & 15);
  const unsigned char byte = static_cast<unsigned char>(job.from[at >> 1]);
  return byte >> (at & 1) * 4 & 15;
}

/// Gathers an operand, a chunk of a row for each thread.
static __global__ void __launch_bounds__(copy_threads)
    gather_numbers(const __grid_constant__ gather_job gather, char *copy) {
  let_next_kernel_start();
  wait_for_previous_kernel();
  const copy_job &job = gather.copy;
  const unsigned chunks = (job.inner + chunk_bytes - 1) / chunk_bytes;
  const unsigned piece = blockIdx.x * copy_threads + threadIdx.x;
  const unsigned row = piece / chunks; // of all batches
  const unsigned batch = row / job.outer;
  if (batch >= job.batches)
    return;
  const unsigned inner = (piece - row * chunks) * chunk_bytes;
  const long long first = job.first_number + batch * job.batch_stride +
                          (row - batch * job.outer) * job.outer_stride +
                          inner * job.inner_stride;
  constexpr unsigned numbers = 8; // of 32 bits
  const bool whole_words =
      job.inner_stride == 1 && first % numbers == 0 &&
      job.second_number % numbers == 0 &&
      reinterpret_cast<uintptr_t>(job.from) % sizeof(uint32_t) == 0;
  uint32_t bytes[4] = {0, 0, 0, 0};
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned begin = inner + half * numbers;
    const long long low = first + half * numbers * job.inner_stride;
    if (whole_words && begin + numbers <= job.inner) {
      const uint32_t *const words =
          reinterpret_cast<const uint32_t *>(job.from);
      const uint32_t x = words[low / numbers];
      const uint32_t y = words[(low + job.second_number) / numbers];
      const uint32_t even = (x & 0x0f0f0f0f) | (y & 0x0f0f0f0f) << 4;
      const uint32_t odd = (x >> 4 & 0x0f0f0f0f) | (y & 0xf0f0f0f0);
      bytes[2 * half] = __byte_perm(even, odd, gather.first_half);
      bytes[2 * half + 1] = __byte_perm(even, odd, gather.second_half);
    } else
      for (unsigned i = 0; i < numbers && begin + i < job.inner; ++i) {
        const long long number = low + i * job.inner_stride;
        const uint32_t byte = number_at(job, number) |
                              number_at(job, number + job.second_number) << 4;
        bytes[2 * half] |= i < 4 ? byte << 8 * i : 0;
        bytes[2 * half + 1] |= i < 4 ? 0 : byte << 8 * (i - 4);
      }
  }
  *reinterpret_cast<uint4 *>(copy + row * job.pitch + inner) =
      make_uint4(bytes[0], bytes[1], bytes[2], bytes[3]);
}

/// The byte with the numbers of two k of an operand whose words have numbers
/// along k: at `inner`, `outer` of its copy. `first` is the batch's first word.
WARPWRIGHT_DEVICE uint32_t byte_of_words(const gather_job &gather,
                                         long long first, unsigned inner,
                                         unsigned outer) {
  const copy_job &job = gather.copy;
  const unsigned pairs = job.places.count / 2;
  const unsigned k = gather.k_inner ? inner : outer;
  const long long word =
      first + (gather.k_inner ? inner / pairs : inner) * job.inner_stride +
      (gather.k_inner ? outer : outer / pairs) * job.outer_stride;
  const long long number = word * job.places.count + k % pairs * 2;
  return number_at(job, number) | number_at(job, number + 1) << 4;
}

/// Gathers an operand whose words have numbers along k. Each thread has a chunk
/// of a row of the copy, or where these are rows of k, of all rows whose
/// numbers share words.
static __global__ void __launch_bounds__(copy_threads)
    gather_words(const __grid_constant__ gather_job gather, char *copy) {
  let_next_kernel_start();
  wait_for_previous_kernel();
  const copy_job &job = gather.copy;
  const unsigned pairs = job.places.count / 2;
  const unsigned rows = gather.k_inner ? 1 : pairs;
  const unsigned chunks = (job.inner + chunk_bytes - 1) / chunk_bytes;
  const unsigned groups = (job.outer + rows - 1) / rows;
  const unsigned piece = blockIdx.x * copy_threads + threadIdx.x;
  const unsigned group = piece / chunks; // of all batches
  const unsigned batch = group / groups;
  if (batch >= job.batches)
    return;
  const unsigned inner = (piece - group * chunks) * chunk_bytes;
  const unsigned outer = (group - batch * groups) * rows;
  const long long first = job.first_number + batch * job.batch_stride;
  char *const to =
      copy + (static_cast<long long>(batch) * job.outer + outer) * job.pitch +
      inner;
  if (gather.whole_words && inner + chunk_bytes <= job.inner &&
      outer + rows <= job.outer) {
    const uint4 *const words = reinterpret_cast<const uint4 *>(
        job.from +
        (first + outer / pairs * job.outer_stride + inner) * sizeof(uint32_t));
    uint32_t bytes[4][4];
#pragma unroll
    for (unsigned quad = 0; quad < 4; ++quad) {
      const uint4 four = words[quad];
      uint32_t v[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const uint32_t even = v[i] & 0x0f0f0f0f, odd = v[i] >> 4 & 0x0f0f0f0f;
        v[i] = __byte_perm(even, odd, gather.first_half) |
               __byte_perm(even, odd, gather.second_half) << 4;
      }
      // Byte r of each word goes to row r.
      const uint32_t low_x = __byte_perm(v[0], v[1], 0x5140);
      const uint32_t low_y = __byte_perm(v[2], v[3], 0x5140);
      const uint32_t high_x = __byte_perm(v[0], v[1], 0x7362);
      const uint32_t high_y = __byte_perm(v[2], v[3], 0x7362);
      bytes[0][quad] = __byte_perm(low_x, low_y, 0x5410);
      bytes[1][quad] = __byte_perm(low_x, low_y, 0x7632);
      bytes[2][quad] = __byte_perm(high_x, high_y, 0x5410);
      bytes[3][quad] = __byte_perm(high_x, high_y, 0x7632);
    }
#pragma unroll
    for (unsigned row = 0; row < 4; ++row)
      *reinterpret_cast<uint4 *>(to + row * job.pitch) = make_uint4(
          bytes[row][0], bytes[row][1], bytes[row][2], bytes[row][3]);
    return;
  }
#pragma unroll 1
  for (unsigned row = 0; row < rows && outer + row < job.outer; ++row) {
    uint32_t bytes[4] = {0, 0, 0, 0};
#pragma unroll
    for (unsigned i = 0; i < chunk_bytes; ++i)
      if (inner + i < job.inner)
        bytes[i / 4] |= byte_of_words(gather, first, inner + i, outer + row)
                        << i % 4 * 8;
    *reinterpret_cast<uint4 *>(to + row * job.pitch) =
        make_uint4(bytes[0], bytes[1], bytes[2], bytes[3]);
  }
}

/// Copies the operands of a launch. The blocks of the first job come first.
static __global__ void __launch_bounds__(copy_threads)
    copy_operands(const __grid_constant__ copy_jobs jobs) {
  let_next_kernel_start();
  // The kernel before may compute the operands, or still read what these copies
  // replace.
  wait_for_previous_kernel();
  int number = 0;
  while (number + 1 < jobs.count &&
         blockIdx.x >= jobs.of[number + 1].first_block)
    ++number;
  const copy_job &job = jobs.of[number];
  char *const copy = jobs.memory + job.offset;
  const unsigned block = blockIdx.x - job.first_block;
  if (job.row_pieces) {
    if (job.halves == 2)
      copy_rows<2>(job, copy, block);
    else
      copy_rows<1>(job, copy, block);
    return;
  }
  __shared__ uint32_t words[copy_tile][copy_tile + 1];
  using half_words = uint16_t[copy_tile][copy_tile + 1];
  if (job.halves == 2 && job.element_bytes == 4)
    transpose_tile<uint32_t, 2, true>(job, copy, block, words);
  else if (job.halves == 2)
    transpose_tile<uint16_t, 2, true>(job, copy, block,
                                      reinterpret_cast<half_words &>(words));
  else if (job.element_bytes == 8)
    transpose_tile<uint32_t, 2>(job, copy, block, words);
  else if (job.element_bytes == 4)
    transpose_tile(job, copy, block, words);
  else if (job.element_bytes == 1)
    transpose_tile(
        job, copy, block,
        reinterpret_cast<unsigned char (&)[copy_tile][copy_tile + 1]>(words));
  else
    transpose_tile(job, copy, block, reinterpret_cast<half_words &>(words));
}

/// The copies that a launch makes before its kernel. They exist until this
/// object ends, in the order of the launch's stream.
class OperandCopies {
public:
  explicit OperandCopies(Problem &problem)
      : problem(problem), scratch(problem.device.id, problem.launch.stream) {}

  /// Copies the operands that plans which decide as `plan` does cannot read
  /// where they lie, and puts the copies in their places in the problem. Null,
  /// or the reason why there are none; then nothing has been launched.
  const char *make(const choice &plan) {
    copy_jobs jobs = {};
    Replaced replaced[max_operands];
    int count = 0;
    for (int i = 0; i < problem.array_count; ++i) {
      Array &array = problem.arrays[i];
      const OperandAxes axes = axes_of(plan, i);
      const char *const format =
          array.use == Use::operand && !array.is_unused()
              ? why_unreadable(problem, array, axes.inner, axes.outer)
              : nullptr;
      if (!format)
        continue;
      if (environment().no_scratch || count == max_operands)
        return problem.because(format, array.name);
      Replaced &one = replaced[count++];
      one = {&array, describe(array, axes), 0, 0, axes};
      while (one.number < jobs.count && !joins(jobs.of[one.number], one))
        ++one.number;
      if (one.number == jobs.count) {
        if (one.number == copy_jobs::most)
          return problem.because(format, array.name);
        one.half = 0;
        jobs.of[jobs.count++] = one.source;
      }
    }
    size_t bytes = 0;
    for (int number = 0; number < jobs.count; ++number) {
      copy_job &job = jobs.of[number];
      const char *name = "an operand";
      for (int i = count; i--;)
        if (replaced[i].number == number)
          name = replaced[i].array->name;
      if (const char *why_not = lay_out(job, name))
        return why_not;
      job.offset = bytes;
      bytes += static_cast<size_t>(job.next_half) * job.halves;
      if (number)
        job.first_block =
            jobs.of[number - 1].first_block + jobs.of[number - 1].blocks;
    }
    if (!jobs.count)
      return nullptr;
    jobs.memory = scratch.allocate(bytes);
    if (!jobs.memory)
      return "no memory for copies of what TMA cannot read";
    static DeviceCache cache;
    void *arguments[] = {&jobs};
    const copy_job &last = jobs.of[jobs.count - 1];
    const unsigned blocks = last.first_block + last.blocks;
    if (blocks)
      if (const char *reason = launch_kernel(
              reinterpret_cast<const void *>(copy_operands), dim3(blocks),
              dim3(1), copy_threads, 0, problem.launch.stream, arguments, cache,
              problem.device.id))
        return reason;
    for (int i = 0; i < count; ++i) {
      const copy_job &job = jobs.of[replaced[i].number];
      if (!job.places.count)
        continue;
      if (const char *reason = gather(job, *replaced[i].array, replaced[i].axes,
                                      jobs.memory + job.offset))
        return reason;
    }
    for (int i = 0; i < count; ++i)
      place(replaced[i], jobs);
    return nullptr;
  }

private:
  static constexpr int max_operands = 16;
  struct Replaced {
    Array *array;
    copy_job source; ///< as if it were copied by itself
    int number;      ///< of the job that copies it
    int half;        ///< of that job's elements
    OperandAxes axes;
  };
  Problem &problem;
  Scratch scratch;

  static bool same_extents(const copy_job &x, const copy_job &y) {
    return x.inner == y.inner && x.outer == y.outer && x.batches == y.batches &&
           x.element_bytes == y.element_bytes && !x.places.count &&
           !y.places.count;
  }

  /// Whether `job` copies the operand that `one` describes, or can do so as
  /// well: two arrays that look different may be one, as in A times its own
  /// transpose, or halves of the elements of one. Says which half it is.
  static bool joins(copy_job &job, Replaced &one) {
    const copy_job &x = one.source;
    const int size = job.element_bytes;
    if (!same_extents(job, x) ||
        x.inner_stride != job.inner_stride * job.halves ||
        x.outer_stride != job.outer_stride * job.halves ||
        x.batch_stride != job.batch_stride * job.halves)
      return false;
    one.half = x.from == job.from ? 0 : 1;
    if (one.half == 0)
      return true;
    if (x.from != job.from + size)
      return false;
    if (job.halves == 2)
      return true;
    // Both step from one pair to another, and the first halves are those of
    // words that can be loaded as a whole.
    if ((size != 2 && size != 4) || job.inner_stride % 2 ||
        job.outer_stride % 2 || job.batch_stride % 2 ||
        reinterpret_cast<uintptr_t>(job.from) % (2 * size))
      return false;
    job.halves = 2;
    job.inner_stride /= 2;
    job.outer_stride /= 2;
    job.batch_stride /= 2;
    job.first = x.first < job.first ? x.first : job.first;
    job.end = x.end > job.end ? x.end : job.end;
    return true;
  }

  /// The copy of an array, but for its places in memory and in the grid.
  copy_job describe(const Array &array, OperandAxes axes) const {
    copy_job job = {};
    const Axis inner = axes.inner, outer = axes.outer;
    const PerAxis extent = problem.extent_of(array);
    job.from = array.origin();
    if (array.is_gathered()) {
      job.from = static_cast<const char *>(array.data);
      job.first_number = array.base;
      job.second_number = array.stride.k / 2;
      job.places = array.places;
    }
    job.inner_stride = array.stride[inner];
    job.outer_stride = array.stride[outer];
    job.batch_stride = array.stride.b;
    job.inner = static_cast<unsigned>(extent[inner]);
    job.outer = static_cast<unsigned>(extent[outer]);
    // An operand that does not move with the batch is copied once.
    job.batches = array.stride.b ? static_cast<unsigned>(extent.b) : 1;
    job.element_bytes = static_cast<int>(size_of(array.type));
    job.halves = 1;
    const Range source = array.bytes();
    job.first = reinterpret_cast<const char *>(source.lo);
    job.end = reinterpret_cast<const char *>(source.hi + 1);
    return job;
  }

  /// Launches the kernel that gathers the numbers of `array`.
  const char *gather(const copy_job &job, const Array &array, OperandAxes axes,
                     char *copy) const {
    const bool along_k = array.words_along_k;
    gather_job one = {job, 0, 0, axes.inner == Axis::k, false};
    const unsigned count = static_cast<unsigned>(job.places.count);
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned in_word = i % count;
      const unsigned place = i - in_word + (job.places.of >> 4 * in_word & 15);
      // Of the bytes with the even and the odd numbers.
      const unsigned byte = place / 2 + place % 2 * 4;
      if (along_k)
        (i % 2 ? one.second_half : one.first_half) |= byte << i / 2 * 4;
      else
        (i / 4 ? one.second_half : one.first_half) |= byte << i % 4 * 4;
    }
    int64_t rows = job.outer;
    if (along_k) {
      const auto in_vectors = [](long long words) { return words % 4 == 0; };
      one.whole_words =
          count == 8 && !one.k_inner && job.inner_stride == 1 &&
          reinterpret_cast<uintptr_t>(job.from) % sizeof(uint4) == 0 &&
          in_vectors(job.first_number) && in_vectors(job.outer_stride) &&
          in_vectors(job.batch_stride);
      if (!one.k_inner)
        rows = ceil_div(rows, int64_t(count / 2));
    }
    const int64_t chunks =
        ceil_div(int64_t(job.inner), int64_t(chunk_bytes)) * rows * job.batches;
    const int64_t blocks = ceil_div(chunks, copy_threads);
    const auto kernel = along_k ? gather_words : gather_numbers;
    static DeviceCache caches[2];
    void *arguments[] = {&one, &copy};
    return launch_kernel(reinterpret_cast<const void *>(kernel),
                         dim3(static_cast<unsigned>(blocks)), dim3(1),
                         copy_threads, 0, problem.launch.stream, arguments,
                         caches[along_k], problem.device.id);
  }

  /// Its rows in memory, and its blocks of the grid.
  const char *lay_out(copy_job &job, const char *name) {
    const int64_t row = int64_t(job.inner) * job.element_bytes;
    constexpr int64_t line = 128; // of a cache
    job.pitch = ceil_div(row, line) * line;
    const Range all = Range(job.pitch) * Range(job.outer) * Range(job.batches);
    if (all.hi > int64_t(1) << 46)
      return problem.because("%s is too large to be copied", name);
    job.next_half = all.hi;
    int64_t blocks;
    if (job.places.count) {
      // A kernel of its own gathers it, which numbers chunks in 32 bits.
      const Range chunks = Range(ceil_div(row, int64_t(chunk_bytes))) *
                           Range(job.outer) * Range(job.batches);
      if (chunks.hi > int64_t(1) << 31)
        return problem.because("%s is too large to be copied", name);
      blocks = 0;
    } else if (job.inner_stride == 1 || job.inner == 1) {
      const int64_t chunks = ceil_div(row, chunk_bytes);
      while (job.lanes_log2 < 5 && (copy_chunks << job.lanes_log2) < chunks)
        ++job.lanes_log2;
      job.row_pieces = static_cast<unsigned>(
          ceil_div(chunks, copy_chunks << job.lanes_log2));
      const Range pieces =
          Range(job.row_pieces) * Range(job.outer) * Range(job.batches);
      blocks = ceil_div(pieces.hi, copy_threads >> job.lanes_log2);
    } else {
      blocks = (Range(ceil_div(job.inner, copy_tile)) *
                Range(ceil_div(job.outer, copy_tile)) * Range(job.batches))
                   .hi;
    }
    // Pieces are numbered in 32 bits, and several copies share a grid.
    if (blocks > int64_t(1) << 24)
      return problem.because("%s is too large to be copied", name);
    job.blocks = static_cast<unsigned>(blocks);
    return nullptr;
  }

  /// The copy takes the array's place.
  static void place(const Replaced &one, const copy_jobs &jobs) {
    const copy_job &job = jobs.of[one.number];
    const int64_t pitch = job.pitch / job.element_bytes;
    const auto along = [&](Axis axis) {
      return axis == one.axes.inner ? 1 : axis == one.axes.outer ? pitch : 0;
    };
    Array &array = *one.array;
    array.data = jobs.memory + job.offset + one.half * job.next_half;
    array.base = 0;
    array.places = number_places();
    array.words_along_k = false;
    array.stride = PerAxis(job.batches > 1 ? pitch * job.outer : 0,
                           along(Axis::m), along(Axis::n), along(Axis::k));
    array.outer_stride = PerOuter(0, 0); // a copy is of one launch
  }
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_LOAD_COPIED_CUH
