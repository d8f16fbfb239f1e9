//===-- bytes.cuh - Rows that start anywhere --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of matrices whose pitch is no multiple of 16 bytes begin at any multiple
// of an element's size. They are moved all the same in aligned chunks of 16
// bytes, each of which is put together from two neighbouring ones.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_BYTES_CUH
#define WARPWRIGHT_RT_BYTES_CUH

#include <warpwright/rt/arch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The widest load and store of a thread.
constexpr int chunk_bytes = 16;

/// 16 bytes from `byte` on of the 32 in `low` and `high`, 0 <= byte < 16.
WARPWRIGHT_DEVICE uint4 bytes_from(uint4 low, uint4 high, unsigned byte) {
  uint32_t w[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  if (byte & 8)
#pragma unroll
    for (int i = 0; i < 6; ++i)
      w[i] = w[i + 2];
  if (byte & 4)
#pragma unroll
    for (int i = 0; i < 5; ++i)
      w[i] = w[i + 1];
  const unsigned bits = byte % 4 * 8;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    w[i] = static_cast<uint32_t>(
        (static_cast<uint64_t>(w[i + 1]) << 32 | w[i]) >> bits);
  return make_uint4(w[0], w[1], w[2], w[3]);
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_BYTES_CUH
