//===- RuntimeApi.h - What the files of the runtime API share ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_RUNTIMEAPI_H
#define WARPWRIGHT_SIM_LIB_RUNTIMEAPI_H

#include "Memory.h"
#include "Stream.h"

#include <cuda_runtime_api.h>

namespace warpwright {
namespace sim {

/// The way out of every function: remembers the error for cudaGetLastError.
inline cudaError_t result(int error) {
  return static_cast<cudaError_t>(set_last_error(error));
}

inline Index3 index_of(const dim3 &d) {
  Index3 index;
  index.x = d.x;
  index.y = d.y;
  index.z = d.z;
  return index;
}

/// Submits anything but a kernel.
inline int submit_act(void *stream, CUgraphNode_st::Type type,
                      std::function<int()> act) {
  auto node = std::make_unique<CUgraphNode_st>(type);
  node->act = std::move(act);
  return submit(stream, std::move(node));
}

/// Copies between any two memories, rows of `width` bytes; checks where they
/// are, as `kind` says. A cudaError_t.
int copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
              size_t width, size_t height, cudaMemcpyKind kind);
/// Whether device memory at `pointer` may be set or copied; reports where an
/// allocation is overrun.
int check_device_range(const void *pointer, size_t bytes, bool is_store,
                       const char *what);
/// Sets `height` rows of `count` elements of 1, 2 or 4 bytes.
int set_rows(void *pointer, size_t pitch, unsigned value, unsigned element,
             size_t count, size_t height);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_RUNTIMEAPI_H
