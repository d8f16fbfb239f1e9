//===-- line_sums.cuh - Sums of rows of operands ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sums of the elements of each row of A, and of each column of B, along k,
// modulo 2^32, or of words the number of their bits: what an epilogue needs of
// the operands beside their product (shifts.cuh). A kernel computes them before
// that of the product and leaves them in scratch memory. Elements lie along k,
// as the plans read them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_LINE_SUMS_CUH
#define WARPWRIGHT_RT_LINE_SUMS_CUH

#include <warpwright/rt/bytes.cuh>
#include <warpwright/rt/scratch.cuh>
#include <warpwright/rt/select.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The sums of one operand: `lines` of each batch, or of the only one.
struct line_sums_view {
  const unsigned *sums = nullptr;
  long long batch_stride = 0;

  WARPWRIGHT_DEVICE unsigned of(int line, int batch) const {
    return __ldg(sums + batch * batch_stride + line);
  }
};

/// One operand's lines, whose elements lie along k from multiples of 16 bytes
/// on.
struct line_job {
  const char *from;
  long long pitch, batch_stride; ///< bytes
  unsigned lines, batches;
  Type type; ///< i8, u8, or u32: words whose bits are counted
  unsigned *to;
  unsigned first_block; ///< of the grid
};

/// The jobs of a launch.
struct line_jobs {
  line_job of[2];
  int count;
  long long bytes; ///< of a line
};

constexpr int line_threads = 256;

#if WARPWRIGHT_HOPPER

/// `sum` and what four bytes add to it.
WARPWRIGHT_DEVICE unsigned add_word(unsigned word, Type type, unsigned sum) {
  return type == Type::u32 ? sum + static_cast<unsigned>(__popc(word))
         : type == Type::i8
             ? static_cast<unsigned>(__dp4a(static_cast<int>(word), 0x01010101,
                                            static_cast<int>(sum)))
             : __dp4a(word, 0x01010101u, sum);
}

#endif // WARPWRIGHT_HOPPER

/// Adds the elements of lines: `lanes` threads take one, a warp or a block.
template <int lanes>
static __global__ void __launch_bounds__(line_threads)
    sum_lines(const __grid_constant__ line_jobs jobs) {
#if WARPWRIGHT_HOPPER
  let_next_kernel_start();
  // The kernel before may compute the operands, or still read the sums that
  // these take the place of.
  wait_for_previous_kernel();
  const int number =
      jobs.count > 1 && blockIdx.x >= jobs.of[1].first_block ? 1 : 0;
  const line_job &job = jobs.of[number];
  const unsigned line =
      (blockIdx.x - job.first_block) * (line_threads / lanes) +
      threadIdx.x / lanes; // of all batches
  const unsigned lane = threadIdx.x % lanes;
  const unsigned batch = line / job.lines;
  unsigned sum = 0;
  if (batch < job.batches) {
    const char *const from = job.from + batch * job.batch_stride +
                             (line - batch * job.lines) * job.pitch;
    const uint4 *const chunks = reinterpret_cast<const uint4 *>(from);
    const long long whole = jobs.bytes / chunk_bytes;
#pragma unroll 4
    for (long long i = lane; i < whole; i += lanes) {
      const uint4 chunk = chunks[i];
      sum = add_word(chunk.x, job.type, sum);
      sum = add_word(chunk.y, job.type, sum);
      sum = add_word(chunk.z, job.type, sum);
      sum = add_word(chunk.w, job.type, sum);
    }
    // What follows the line in its last chunk is another's.
    const long long rest = whole * chunk_bytes + lane;
    if (rest < jobs.bytes) {
      const unsigned byte = static_cast<unsigned char>(from[rest]);
      sum = job.type == Type::i8 ? sum + static_cast<unsigned>(static_cast<int>(
                                             static_cast<signed char>(byte)))
                                 : add_word(byte, job.type, sum);
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if constexpr (lanes > 32) {
    __shared__ unsigned of_warp[line_threads / 32];
    if (threadIdx.x % 32 == 0)
      of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int i = 0; i < line_threads / 32; ++i)
      sum += of_warp[i];
  }
  if (lane == 0 && batch < job.batches)
    job.to[line] = sum;
#endif
}

/// The sums of a launch's operands. They exist until this object ends, in the
/// order of the launch's stream.
class LineSums {
public:
  explicit LineSums(Problem &problem)
      : problem(problem), scratch(problem.device.id, problem.launch.stream) {}

  line_sums_view a, b;

  /// Computes those of A, of B, or of both, as the Hopper kernel will read
  /// them: after copies have been made. Null, or the reason why not. (A
  /// template, so that files which need no sums have no kernels for them.)
  template <bool of_a, bool of_b> const char *make() {
    if (!of_a && !of_b)
      return nullptr;
    if (environment().no_scratch)
      return "sums of the operands' elements are needed, and "
             "WARPWRIGHT_SCRATCH=off";
    line_jobs jobs = {};
    size_t sums = 0;
    jobs.bytes = problem.extent.k * size_of(problem.arrays[0].type);
    // Lines of a block each where they are long and few warps would have one.
    const bool by_blocks = jobs.bytes >= 4096;
    const int64_t in_block = by_blocks ? 1 : line_threads / 32;
    int64_t blocks = 0;
    size_t place[2] = {};
    for (int i = 0; i < 2; ++i) {
      if (!(i == 0 ? of_a : of_b))
        continue;
      const Array &array = problem.arrays[i];
      const Axis free = i == 0 ? Axis::m : Axis::n;
      line_job &job = jobs.of[jobs.count];
      job.from = array.origin();
      job.pitch = array.stride[free] * size_of(array.type);
      job.batch_stride = array.stride.b * size_of(array.type);
      // An operand that does not move with the batch has one set of sums.
      const int64_t batches = array.stride.b ? problem.extent.b : 1;
      const int64_t lines = problem.extent[free];
      if ((Range(lines) * Range(batches)).hi > INT32_MAX / 2)
        return problem.because("%s has too many rows to be summed", array.name);
      job.lines = static_cast<unsigned>(lines);
      job.batches = static_cast<unsigned>(batches);
      job.type = array.type;
      job.first_block = static_cast<unsigned>(blocks);
      blocks += ceil_div(lines * batches, in_block);
      place[jobs.count++] = sums;
      (i == 0 ? a : b).batch_stride = array.stride.b ? lines : 0;
      sums += static_cast<size_t>(lines * batches);
    }
    if (blocks > INT32_MAX)
      return "the operands have too many rows to be summed";
    char *const memory = scratch.allocate(sums * sizeof(unsigned));
    if (!memory)
      return "no memory for sums of the operands' elements";
    for (int i = 0; i < jobs.count; ++i)
      jobs.of[i].to = reinterpret_cast<unsigned *>(memory) + place[i];
    if (of_a)
      a.sums = jobs.of[0].to;
    if (of_b)
      b.sums = jobs.of[jobs.count - 1].to;
    static DeviceCache caches[2];
    void *arguments[] = {&jobs};
    void (*const by_warp)(line_jobs) = sum_lines<32>;
    void (*const by_block)(line_jobs) = sum_lines<line_threads>;
    return launch_kernel(
        reinterpret_cast<const void *>(by_blocks ? by_block : by_warp),
        dim3(static_cast<unsigned>(blocks)), dim3(1), line_threads, 0,
        problem.launch.stream, arguments, caches[by_blocks], problem.device.id);
  }

private:
  Problem &problem;
  Scratch scratch;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_LINE_SUMS_CUH
