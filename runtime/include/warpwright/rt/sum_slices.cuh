//===-- sum_slices.cuh - Sums that were computed in slices ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Store of a plan in slices of k ("split-k"). An output with few tiles
// leaves most multiprocessors idle, however long the sums are. So each tile is
// computed by several CTAs, each for a slice of k, which store their sums as
// they are in scratch memory; then a kernel of its own adds the slices of each
// element, always in the order of k, and does what the epilogue does. So the
// result does not depend on which CTA was first, and there are no atomics.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SUM_SLICES_CUH
#define WARPWRIGHT_RT_SUM_SLICES_CUH

#include <warpwright/rt/arch.cuh>
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/scratch.cuh>
#include <warpwright/rt/tensor_map.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What becomes of a sum in the first kernel: nothing. Factors that a prologue
/// computes are computed there, so that the rest is the user's.
template <class Epilogue> struct partial_sums : Epilogue {
  __forceinline__ explicit partial_sums(const Epilogue &epilogue)
      : Epilogue(epilogue) {}
  template <class Sum> __device__ Sum value(Sum sum, int, int, int) const {
    return sum;
  }
};

/// The sums of all slices: those of a slice stand `slice_stride` sums behind
/// those of the one before, rows `pitch` sums apart, as if each slice of each
/// batch were a matrix.
template <class Sum> struct slices_view {
  const Sum *sums;
  long long pitch, slice_stride;
  int slices;
};

/// The sum of two slices. Integers wrap around, which C++ leaves open for int.
WARPWRIGHT_DEVICE float add_slices(float x, float y) { return x + y; }
WARPWRIGHT_DEVICE double add_slices(double x, double y) { return x + y; }
WARPWRIGHT_DEVICE int add_slices(int x, int y) {
  return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
}

constexpr int sum_threads = 256;

/// Adds the slices of every element, and stores what the epilogue makes of it;
/// `staged` and `outputs` are those of the plan that made them.
template <bool staged, int outputs, class Sum, class Element, class Epilogue>
static __global__ void __launch_bounds__(sum_threads)
    sum_slices(const slices_view<Sum> from, const extents extent,
               const output_view<Element> out, const Epilogue epilogue) {
#if WARPWRIGHT_HOPPER
  wait_for_previous_kernel();
  const unsigned element = blockIdx.x * sum_threads + threadIdx.x;
  const unsigned row = element / unsigned(extent.n); // of all batches
  const int n = int(element - row * unsigned(extent.n));
  const int batch = int(row / unsigned(extent.m));
  const int m = int(row - unsigned(batch) * unsigned(extent.m));
  if (batch >= extent.batch)
    return;
  const Sum *sums =
      from.sums +
      static_cast<long long>(batch) * from.slices * from.slice_stride +
      m * from.pitch + n;
  Sum sum = 0;
#pragma unroll 16
  for (int slice = 0; slice < from.slices; ++slice)
    sum = add_slices(sum, sums[slice * from.slice_stride]);
  if constexpr (staged) {
    out.data[batch * out.batch_stride + m * out.outer_stride + n] =
        epilogue.value(sum, m, n, batch);
    if constexpr (outputs > 1)
      epilogue.store_others(sum, m, n, batch);
  } else {
    epilogue.store_all(sum, m, n, batch);
  }
#endif
}

/// The scratch memory of a launch in slices.
template <Type sum> class Slices {
public:
  explicit Slices(const Problem &problem)
      : problem(problem), scratch(problem.device.id, problem.launch.stream) {}

  /// Memory for the sums of `slices` slices, with rows of whole cache lines;
  /// false if there is none.
  bool allocate(int64_t slices) {
    constexpr int64_t line = 128 / size_of(sum); // sums
    pitch = ceil_div(problem.extent.n, line) * line;
    count = slices;
    const Range bytes = Range(problem.extent.b) * Range(slices) *
                        Range(problem.extent.m) * Range(pitch) *
                        Range(size_of(sum));
    sums = bytes.hi < int64_t(1) << 40
               ? scratch.allocate(static_cast<size_t>(bytes.hi))
               : nullptr;
    return sums != nullptr;
  }

  /// The sums as an array that a kernel writes, of as many batches as there are
  /// slices of batches.
  Array array() const {
    return Array("sums of slices", sums, sum, Use::output, 0,
                 {problem.extent.m * pitch, pitch, 1, 0});
  }
  template <class Sum> slices_view<Sum> view() const {
    static_assert(sizeof(Sum) == size_of(sum), "the sums' own type");
    return {reinterpret_cast<const Sum *>(sums), pitch,
            static_cast<long long>(problem.extent.m * pitch),
            static_cast<int>(count)};
  }

private:
  const Problem &problem;
  Scratch scratch;
  char *sums = nullptr;
  int64_t pitch = 0, count = 0;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SUM_SLICES_CUH
