//===- Epilogue.h - Staging the output tile ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_HOPPER_EPILOGUE_H
#define WARPWRIGHT_HOPPER_EPILOGUE_H

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"

namespace warpwright {

/// The (rows, columns) tile in shared memory through which one warpgroup's
/// accumulators reach global memory. Contiguous along the columns when
/// \p RowMajor, else along the rows; always in boxes of one swizzle span.
llvm::Expected<SmemLayout> stagingTile(int64_t Rows, int64_t Columns,
                                       unsigned Bits, bool RowMajor);

/// The number of wavefronts that the stores of one warp into \p Tile take, and
/// the smallest possible number for that amount of data.
struct StoreConflicts {
  unsigned Wavefronts = 0, Ideal = 0;
  bool conflictFree() const { return Wavefronts == Ideal; }
};

/// 16-bit elements, by stmatrix.x4 (.trans when the tile is contiguous along
/// rows): all stores of warp 0 for a tile of \p Columns columns.
StoreConflicts stmatrixConflicts(const SmemLayout &Tile, bool RowMajor);

/// Elements of 8 or 32 bits, by stores of two neighbouring accumulators (of one
/// when the tile is contiguous along rows).
StoreConflicts vectorStoreConflicts(const SmemLayout &Tile, bool RowMajor);

} // namespace warpwright

#endif // WARPWRIGHT_HOPPER_EPILOGUE_H
