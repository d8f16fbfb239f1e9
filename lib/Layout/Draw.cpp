//===- Draw.cpp - Pictures of layouts -------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Draw.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warpwright {

/// Larger grids cannot be read.
static constexpr int64_t MaxCells = 1 << 16;
static constexpr int64_t BankCount = 32, BankWidth = 4;

/// An empty grid for the coordinates of \p S; a single mode becomes one row.
static Expected<Grid> gridOf(const Shape &S, const Twine &What) {
  if (S.rank() > 2)
    return layoutError(What + " has rank " + Twine(S.rank()) +
                       "; a picture has two");
  if (product(S) > MaxCells)
    return layoutError(What + " has " + Twine(product(S)) +
                       " elements, which is too much for a picture");
  Grid G;
  G.Rows = S.rank() == 2 ? product(S[0]) : 1;
  G.Columns = S.rank() == 2 ? product(S[1]) : product(S);
  auto Block = [](const Shape &Mode) {
    return Mode.isTuple() && product(Mode[0]) > 1 &&
                   product(Mode[0]) < product(Mode)
               ? product(Mode[0])
               : 0;
  };
  G.RowBlock = S.rank() == 2 ? Block(S[0]) : 0;
  G.ColumnBlock = S.rank() == 2 ? Block(S[1]) : Block(S[0]);
  G.Cells.resize(G.Rows * G.Columns);
  return G;
}

Expected<Grid> offsetGrid(const ComposedLayout &L, int64_t BankBytes) {
  Expected<Grid> G = gridOf(L.shape(), L.str());
  if (!G)
    return G;
  G->Title = L.str();
  if (BankBytes) {
    G->Palette = Grid::Colours::Banks;
    // The 16 bytes that one lane of an ldmatrix reads, and that swizzles move
    // as a whole.
    int64_t Chunk = 16 / BankBytes;
    auto Block = [&](int64_t Extent, int64_t Step) {
      if (Extent <= Chunk || Chunk < 2 || Extent % Chunk)
        return int64_t(0);
      for (int64_t I = 1; I < Chunk; ++I)
        if (L(I * Step) != L(0) + I)
          return int64_t(0);
      return Chunk;
    };
    if (int64_t C = Block(G->Columns, G->Rows))
      G->ColumnBlock = C;
    else if (int64_t R = Block(G->Rows, 1))
      G->RowBlock = R;
  }
  for (int64_t Row = 0; Row < G->Rows; ++Row)
    for (int64_t Column = 0; Column < G->Columns; ++Column) {
      int64_t Offset = L(Row + G->Rows * Column);
      Grid::Cell &Cell = G->at(Row, Column);
      Cell.Label = std::to_string(Offset);
      if (BankBytes) {
        Cell.Colour =
            divideFloorSigned(Offset * BankBytes, BankWidth) & (BankCount - 1);
        Cell.Detail = "b" + std::to_string(Cell.Colour);
      } else {
        Cell.Colour = std::max<int64_t>(0, Offset);
        G->MaxColour = std::max(G->MaxColour, Cell.Colour);
      }
    }
  return G;
}

Expected<Grid> threadValueGrid(const ThreadValueLayout &L) {
  if (L.Elements.rank() != 2)
    return layoutError("the thread-value layout " + L.Elements.str() +
                       " has not the two modes (thread, value)");
  Expected<Grid> G = gridOf(L.Tile, "the tile " + L.Tile.str());
  if (!G)
    return G;
  G->Title = L.Elements.str();
  // The 8x8 matrices of which instructions consist.
  auto Block = [](int64_t Extent) {
    return Extent > 8 && Extent % 8 == 0 ? 8 : 0;
  };
  G->RowBlock = Block(G->Rows);
  G->ColumnBlock = Block(G->Columns);
  G->Palette = Grid::Colours::Threads;
  if (L.Elements.size() > MaxCells * 128)
    return layoutError(L.Elements.str() + " is too much for a picture");
  int64_t Threads = product(L.Elements.shape()[0]);
  int64_t Values = product(L.Elements.shape()[1]);
  G->MaxColour = Threads - 1;
  for (int64_t Thread = 0; Thread < Threads; ++Thread)
    for (int64_t Value = 0; Value < Values; ++Value) {
      int64_t Element = L.Elements({Thread, Value});
      if (Element < 0 || Element >= G->Rows * G->Columns)
        return layoutError("thread " + Twine(Thread) + ", value " +
                           Twine(Value) + " is element " + Twine(Element) +
                           ", outside the tile " + L.Tile.str());
      Grid::Cell &Cell = G->at(Element % G->Rows, Element / G->Rows);
      if (Cell.Colour >= 0) {
        G->Shared = true;
        continue;
      }
      Cell.Label =
          "T" + std::to_string(L.Threads ? (*L.Threads)(Thread) : Thread);
      Cell.Detail = "V" + std::to_string(Value);
      Cell.Colour = Thread;
    }
  return G;
}

/// The text of a cell: `T3V1`, `37`, or offset and bank, `37/5`.
static std::string wordIn(const Grid &G, const Grid::Cell &Cell) {
  if (G.Palette == Grid::Colours::Banks && !Cell.Detail.empty())
    return Cell.Label + "/" + Cell.Detail.substr(1);
  return Cell.Label + Cell.Detail;
}

std::string drawText(const Grid &G) {
  size_t Width = std::to_string(G.Columns - 1).size();
  for (const Grid::Cell &Cell : G.Cells)
    Width = std::max(Width, wordIn(G, Cell).size());
  size_t Margin = std::to_string(G.Rows - 1).size();
  std::string Text;
  raw_string_ostream OS(Text);
  auto Right = [&](StringRef Word, size_t Into) {
    OS.indent(Into > Word.size() ? Into - Word.size() : 0) << Word;
  };
  OS.indent(Margin) << " |";
  for (int64_t Column = 0; Column < G.Columns; ++Column) {
    OS << (Column && G.ColumnBlock && Column % G.ColumnBlock == 0 ? " | "
                                                                  : " ");
    Right(std::to_string(Column), Width);
  }
  OS << '\n';
  size_t Blocks = G.ColumnBlock ? (G.Columns - 1) / G.ColumnBlock : 0;
  std::string Rule = std::string(Margin + 1, '-') + "+" +
                     std::string((Width + 1) * G.Columns + 2 * Blocks, '-');
  OS << Rule << '\n';
  for (int64_t Row = 0; Row < G.Rows; ++Row) {
    if (Row && G.RowBlock && Row % G.RowBlock == 0)
      OS << Rule << '\n';
    Right(std::to_string(Row), Margin);
    OS << " |";
    for (int64_t Column = 0; Column < G.Columns; ++Column) {
      OS << (Column && G.ColumnBlock && Column % G.ColumnBlock == 0 ? " | "
                                                                    : " ");
      const Grid::Cell &Cell = G.at(Row, Column);
      Right(wordIn(G, Cell), Width);
    }
    OS << '\n';
  }
  return Text;
}

} // namespace warpwright
