//===-- gpu.cuh - What the cost model knows of a device ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_GPU_CUH
#define WARPWRIGHT_RT_GPU_CUH

#include <stdint.h>
#include <warpwright/rt/elements.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// A device, as the model sees it.
struct gpu {
  int64_t multiprocessors = 132;
  /// Of device memory: bytes per nanosecond, by its clock and its width. 4916
  /// is an H200's, 3352 an H100's.
  int64_t memory_rate = 4916;

  constexpr gpu() = default;
  constexpr gpu(int64_t multiprocessors, int64_t memory_rate)
      : multiprocessors(multiprocessors), memory_rate(memory_rate) {}

  /// What all multiprocessors together draw from L2 in a clock, in whole cache
  /// lines. The number for slower memory, an H100's, is no measured rate: it
  /// makes the model prefer the plans that were faster there.
  WARPWRIGHT_CONSTEXPR int64_t l2_bytes() const {
    constexpr int64_t slow_memory = 4000;
    return memory_rate < slow_memory ? 6900 : 10400;
  }
  /// What device memory delivers in a clock.
  WARPWRIGHT_CONSTEXPR int64_t memory_bytes() const { return memory_rate / 2; }
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_GPU_CUH
