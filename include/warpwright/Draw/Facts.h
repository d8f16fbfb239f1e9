//===- Facts.h - What the pictures of a kernel show ----------- -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Everything that a picture shows, as plain numbers that are computed from a
/// plan with the layout algebra and the machine's atoms. The drawing code only
/// places them.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_DRAW_FACTS_H
#define WARPWRIGHT_DRAW_FACTS_H

#include "warpwright/Hopper/Epilogue.h"
#include "warpwright/Plan/KernelPlan.h"

namespace warpwright {

/// The cluster tiles of one batch of an output, and the order in which the
/// persistent clusters take them.
struct TileOrder {
  /// Cluster tiles along the accumulator's rows and columns.
  int64_t Rows = 0, Columns = 0;
  int64_t Band = 1;     ///< rows of cluster tiles in a band
  int64_t InFlight = 0; ///< clusters that run at once

  int64_t total() const { return Rows * Columns; }
  /// The number of the cluster tile at (\p Row, \p Column).
  int64_t indexOf(int64_t Row, int64_t Column) const;
};
/// \p M by \p N is the output.
TileOrder tileOrder(const KernelPlan &P, int64_t M, int64_t N,
                    const Machine &Hopper = Machine());

/// The rank of the CTA at (row, column) of a cluster, counted along the
/// accumulator's rows and columns.
Layout clusterRanks(const KernelPlan &P);
/// The CTAs that need the same tile of the Rows operand (or of the Cols
/// operand) as CTA 0, by rank: number s in the list loads share s for all of
/// them.
std::vector<int64_t> multicastGroup(const KernelPlan &P, bool OfRows);

/// A 16-byte piece of a tile: eight 16-bit elements next to each other in
/// global memory.
struct Chunk {
  int64_t Outer = 0;  ///< coordinate along the index that is not contiguous
  int64_t Inner = 0;  ///< the first element's along the contiguous one
  int64_t Offset = 0; ///< bytes from the tile's start in shared memory
  /// The offset that it would have without the swizzle.
  int64_t Unswizzled = 0;
};
/// All chunks of \p Tile, sorted by Offset.
std::vector<Chunk> chunksOf(const SmemLayout &Tile, Major Order);

/// The layouts of a plan, read back from its text. Fail only for a plan that
/// the validator refuses. The layout of an operand is what TMA writes, also if
/// parts will replace it.
llvm::Expected<SmemLayout> operandTile(const KernelPlan &P,
                                       const OperandPlan &O);
llvm::Expected<SmemLayout> slabTile(const EpiloguePlan &E);

/// One accumulator of a warpgroup's 64 x n.
struct FragmentElement {
  int64_t Row = 0, Column = 0;
  int64_t Thread = 0; ///< within the warpgroup
  int64_t Value = 0;  ///< number of the register
};
/// All of them, row by row.
llvm::Expected<std::vector<FragmentElement>>
accumulatorFragment(const KernelPlan &P);

/// The elements that one lane of a store instruction writes to the slab.
struct LaneStore {
  int64_t Lane = 0;
  int64_t Row = 0, Column = 0; ///< the first element, in the slab
  int64_t Offset = 0;          ///< its byte in the slab
};
/// The first store to shared memory that warp 0 executes for a slab.
struct FirstStore {
  std::string Instruction; ///< `stmatrix.x4.trans`
  int64_t LaneBytes = 0;   ///< bytes at one lane's address
  std::vector<LaneStore> Lanes;
  unsigned Wavefronts = 0; ///< that it takes
  StoreConflicts Slab;     ///< of all stores of the warp to a slab
};
llvm::Expected<FirstStore> firstStore(const KernelPlan &P);

} // namespace warpwright

#endif // WARPWRIGHT_DRAW_FACTS_H
