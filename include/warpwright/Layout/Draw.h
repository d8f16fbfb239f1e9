//===- Draw.h - Pictures of layouts -----------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws layouts as grids, in text and in SVG: rows, from the top down, are
/// mode 0 and columns mode 1, both numbered from 0. The contents of a cell are
/// computed by evaluating the layout, never by a separate formula.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_DRAW_H
#define WARPWRIGHT_LAYOUT_DRAW_H

#include "warpwright/Layout/Expression.h"

namespace warpwright {

/// A grid of labelled cells.
struct Grid {
  struct Cell {
    std::string Label;   ///< `37`
    std::string Detail;  ///< a second, smaller line, or empty: `V1`
    int64_t Colour = -1; ///< number of the colour; -1: none
  };
  /// The meaning of a colour's number.
  enum class Colours {
    Offsets, ///< from light to dark, up to MaxColour
    Threads, ///< one colour each
    Banks,   ///< of 32
  };
  std::string Title;
  Colours Palette = Colours::Offsets;
  int64_t MaxColour = 0; ///< of all cells; of threads, the last one's
  bool Shared = false;   ///< several threads hold the same element
  int64_t Rows = 0, Columns = 0;
  std::vector<Cell> Cells; ///< row by row
  /// Lines are drawn heavier before every multiple of these (0: nowhere).
  int64_t RowBlock = 0, ColumnBlock = 0;

  Cell &at(int64_t Row, int64_t Column) {
    return Cells[Row * Columns + Column];
  }
  const Cell &at(int64_t Row, int64_t Column) const {
    return Cells[Row * Columns + Column];
  }
};

/// The offsets of \p L, which has rank 1 (a row) or 2. With \p BankBytes, one
/// unit of offset is that many bytes, and the colour is the memory bank (there
/// are 32 with 4 bytes each). Fails for another rank, or if there are too many
/// cells.
llvm::Expected<Grid> offsetGrid(const ComposedLayout &L, int64_t BankBytes = 0);

/// Which thread holds which element of a tile: thread and value in each cell,
/// and the thread's colour. A cell that several threads hold names the first
/// one. Fails if an element is outside of the tile, or if the rank of the tile
/// is not 1 or 2.
llvm::Expected<Grid> threadValueGrid(const ThreadValueLayout &L);

/// Columns aligned, with the row and column numbers around them.
std::string drawText(const Grid &G);

/// A self-contained SVG picture.
std::string drawSvg(const Grid &G);

/// The three operands of an MMA: A to the left of C, B transposed above it, so
/// that the elements which are multiplied are in line. Without \p B (null),
/// which may not be held by threads, only the other two.
std::string drawMmaSvg(llvm::StringRef Title, const Grid &A, const Grid *B,
                       const Grid &C);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_DRAW_H
