//===- Tma.h - Boxes that fill a tile ---------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_HOPPER_TMA_H
#define WARPWRIGHT_HOPPER_TMA_H

#include "warpwright/Hopper/Machine.h"
#include "warpwright/Hopper/Smem.h"

namespace warpwright {

/// TMA copies that move one tile between global and shared memory.
struct TmaBoxes {
  std::vector<int64_t> Box; ///< extents in elements, contiguous index first
  int64_t Count = 1;        ///< copies for the whole tile
  int64_t Bytes = 0;        ///< shared memory that one copy covers
  /// The position in the tile at which copy i starts, in elements along (row,
  /// k). Its memory starts at i * Bytes.
  std::vector<std::pair<int64_t, int64_t>> Starts;
};

/// Derives the copies from the layout alone: the right inverse of \p Tile says
/// which elements follow each other in memory. \p Order names the mode that is
/// contiguous in global memory (Major::K: mode 1, Major::MN: mode 0).
///
/// Fails if the layout is not a sequence of boxes, or if a box exceeds a limit
/// of TMA.
llvm::Expected<TmaBoxes> tmaBoxes(const SmemLayout &Tile, Major Order,
                                  const Machine &M = Machine());

} // namespace warpwright

#endif // WARPWRIGHT_HOPPER_TMA_H
