//===- Banks.h - Shared-memory bank conflicts -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts the wavefronts (passes over the 32 four-byte banks) that one warp's
/// access to shared memory takes.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_BANKS_H
#define WARPWRIGHT_LAYOUT_BANKS_H

#include "warpwright/Layout/Layout.h"

namespace warpwright {

/// Wavefronts for one access in which lane i touches \p AccessBytes bytes at
/// \p ByteAddress[i]. Lanes are served in order, at most 128 bytes at a time
/// (8 lanes of 16 bytes, 16 of 8, all 32 of 4 or fewer); lanes that touch the
/// same word share it.
unsigned countWavefronts(llvm::ArrayRef<int64_t> ByteAddress,
                         unsigned AccessBytes);

/// Wavefronts for the value \p Value of each thread in \p ThreadValue, a
/// rank-2 layout (thread, value) into the coordinates of \p Bytes, a layout
/// whose offsets are bytes and whose index steps are the units that
/// \p ThreadValue counts. Threads are taken 32 at a time and summed.
llvm::Expected<unsigned> countWavefronts(const ComposedLayout &Bytes,
                                         const Layout &ThreadValue,
                                         unsigned Value, unsigned AccessBytes);

/// The wavefronts that threads take to move all of their values.
struct AccessCost {
  /// Wavefronts of the i-th access of each thread, all warps together.
  std::vector<unsigned> Wavefronts;
  int64_t Warps = 0;
  unsigned Ideal = 0; ///< for one access of all warps, by the bytes it moves
};

/// The wavefronts of accesses of \p AccessBytes (1, 2, 4, 8 or 16) bytes if \p
/// L maps (thread, value) to offsets of \p UnitBytes bytes in shared memory: in
/// each access a thread moves as many consecutive values as fit. Fails if these
/// are not adjacent, or if an address is not a multiple of the access.
llvm::Expected<AccessCost> accessCost(const ComposedLayout &L,
                                      int64_t UnitBytes, int64_t AccessBytes);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_BANKS_H
