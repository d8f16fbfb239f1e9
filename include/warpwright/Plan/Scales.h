//===- Scales.h - Scales of blocks of an operand ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elements of few bits are often stored with a scale for each block of them:
/// for 1 by 128, or for 128 by 128. What is multiplied is then the element
/// times a number that is the same for whole blocks of k. Where sums leave the
/// tensor cores after every block, the number can be a factor of the block's
/// sum.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_SCALES_H
#define WARPWRIGHT_PLAN_SCALES_H

#include "warpwright/Contraction/Contraction.h"

#include <optional>

namespace warpwright {

struct BlockScale {
  /// What elements are multiplied by: a float.
  ValueRef Factor;
  /// It is the same for so many neighbours of the operand's own index, from
  /// multiples of that number on. 0: for all.
  int64_t Extent = 1;

  /// It is the same for all rows, or columns, of a tile of so many.
  bool isSameInTile(int64_t Tile) const { return Extent % Tile == 0; }
};

/// The prologue of \p O, moved by \p Free (`m` or `n`) and k, as a scale of
/// blocks of \p Depth of k. Nothing if it has none or does anything else.
std::optional<BlockScale> blockScale(const Operand &O, llvm::StringRef Free,
                                     int64_t Depth);

/// wgmma multiplies the elements of both factors of \p C as they are, their
/// sums leave it after so much of k, and all that prologues do is to scale
/// blocks of that. 0 if not, or if there is no prologue.
int64_t depthOfScaledBlocks(const Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_SCALES_H
