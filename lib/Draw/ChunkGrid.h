//===- ChunkGrid.h - Tiles as grids of 16-byte chunks --------- -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_DRAW_CHUNKGRID_H
#define WARPWRIGHT_LIB_DRAW_CHUNKGRID_H

#include "Style.h"
#include "warpwright/Draw/Facts.h"

#include <functional>

namespace warpwright {

/// The first rows of a tile, twice: as they are in global memory, and as they
/// are in shared memory, with one colour for each column of chunks. A chunk has
/// the same colour and label in both.
struct ChunkGrid {
  std::vector<Chunk> Chunks; ///< the drawn chunks, sorted by offset
  int64_t PerRow = 8;        ///< chunks in a row of a box
  int64_t ChunkElements = 8;
  const char *InnerIndex = "k", *OuterIndex = "m";
  int CellWidth = 44, CellHeight = 18;
  std::function<std::string(const Chunk &)> Label;
  std::function<bool(const Chunk &)> Marked; ///< heavy outline

  /// The chunks of the first \p Outer rows, of \p RowBytes each, of the first
  /// box.
  static ChunkGrid of(const SmemLayout &Tile, Major Order, int64_t RowBytes,
                      int64_t Outer);
  int64_t rows() const;  ///< of the tile
  int64_t lines() const; ///< of 128 bytes
  int globalWidth() const { return int(PerRow) * CellWidth; }
  int smemWidth() const { return 8 * CellWidth; }
  /// Draw the grid from (\p X, \p Y) on, with numbers above and to the left of
  /// it. Return the bottom.
  int drawGlobal(SvgCanvas &C, int X, int Y) const;
  int drawSmem(SvgCanvas &C, int X, int Y) const;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_DRAW_CHUNKGRID_H
