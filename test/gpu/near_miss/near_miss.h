//===- near_miss.h - What the near-miss programs share ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A near-miss is an annotated kernel that looks like a matrix product and is
/// none, or whose launch a Hopper kernel must not take. Its program prints a
/// checksum of what the kernel left in memory, guard bands included; the
/// rewritten program must print the same bytes. The data are small whole
/// numbers, so that sums are exact in any order.
///
/// A comment line says how the program is kept right:
///   // EXPECT: WWnnn       the tool declines the kernel, exit status 2
///   // EXPECT-RUNTIME: original    the launcher takes the original
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_NEAR_MISS_H
#define WARPWRIGHT_NEAR_MISS_H

#include "check.h"

namespace near_miss {

/// Waits for the device and prints one line for \p matrix.
template <class T> void report(const char *name, check::Matrix<T> &matrix) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  matrix.download();
  uint64_t hash = 0xcbf29ce484222325u;
  double sum = 0;
  for (int b = 0; b < matrix.batch(); ++b)
    for (int r = 0; r < matrix.rows(); ++r)
      for (int c = 0; c < matrix.cols(); ++c) {
        double value = matrix(r, c, b);
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits ^ (bits >> 32)) * 0x100000001b3u;
        if (value == value)
          sum += value;
      }
  std::printf("%s: checksum %016llx, sum %.0f, stray bytes %zu\n", name,
              static_cast<unsigned long long>(hash), sum, matrix.strayBytes());
}

} // namespace near_miss

#endif // WARPWRIGHT_NEAR_MISS_H
