//===- ChunkGrid.cpp - Tiles as grids of 16-byte chunks -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkGrid.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t ChunkBytes = 16, LineBytes = 128, BankBytes = 4;

ChunkGrid ChunkGrid::of(const SmemLayout &Tile, Major Order, int64_t RowBytes,
                        int64_t Outer) {
  ChunkGrid G;
  G.PerRow = RowBytes / ChunkBytes;
  G.ChunkElements = ChunkBytes * 8 / Tile.Bits;
  for (const Chunk &Each : chunksOf(Tile, Order))
    if (Each.Outer < Outer && Each.Inner < G.PerRow * G.ChunkElements)
      G.Chunks.push_back(Each);
  return G;
}

int64_t ChunkGrid::rows() const {
  int64_t Last = 0;
  for (const Chunk &Each : Chunks)
    Last = std::max(Last, Each.Outer);
  return Last + 1;
}

int64_t ChunkGrid::lines() const {
  return Chunks.empty() ? 0 : Chunks.back().Offset / LineBytes + 1;
}

static void drawCell(SvgCanvas &C, const ChunkGrid &G, const Chunk &Each, int X,
                     int Y) {
  int64_t Column = Each.Inner / G.ChunkElements;
  C.rect(X, Y, G.CellWidth, G.CellHeight, ChunkFill[Column % 8], "#ffffff");
  std::string Label = G.Label(Each);
  if (!Label.empty())
    C.text(X + G.CellWidth / 2, Y + G.CellHeight / 2 + 4, Label,
           small(TextStyle::Anchor::Middle));
}

static void drawMark(SvgCanvas &C, const ChunkGrid &G, int X, int Y) {
  C.rect(X + 1, Y + 1, G.CellWidth - 2, G.CellHeight - 2, "none", Outline, 2);
}

int ChunkGrid::drawGlobal(SvgCanvas &C, int X, int Y) const {
  auto CellX = [&](const Chunk &Each) {
    return X + int(Each.Inner / ChunkElements) * CellWidth;
  };
  auto CellY = [&](const Chunk &Each) {
    return Y + int(Each.Outer) * CellHeight;
  };
  C.text(X, Y - 20, Twine(InnerIndex) + " →", muted(11));
  for (int64_t I = 0; I < PerRow; ++I)
    C.text(X + int(I) * CellWidth + CellWidth / 2, Y - 5,
           Twine(I * ChunkElements), small(TextStyle::Anchor::Middle, Muted));
  C.text(X - 8, Y - 5, Twine(OuterIndex) + " ↓",
         muted(11, TextStyle::Anchor::End));
  for (int64_t R = 0; R < rows(); ++R)
    C.text(X - 8, Y + int(R) * CellHeight + CellHeight / 2 + 4, Twine(R),
           small(TextStyle::Anchor::End, Muted));
  for (const Chunk &Each : Chunks)
    drawCell(C, *this, Each, CellX(Each), CellY(Each));
  for (const Chunk &Each : Chunks)
    if (Marked(Each))
      drawMark(C, *this, CellX(Each), CellY(Each));
  C.rect(X, Y, globalWidth(), int(rows()) * CellHeight, "none", Ink);
  return Y + int(rows()) * CellHeight;
}

int ChunkGrid::drawSmem(SvgCanvas &C, int X, int Y) const {
  auto CellX = [&](const Chunk &Each) {
    return X + int(Each.Offset % LineBytes / ChunkBytes) * CellWidth;
  };
  auto CellY = [&](const Chunk &Each) {
    return Y + int(Each.Offset / LineBytes) * CellHeight;
  };
  C.text(X, Y - 20, "banks of 4 bytes →", muted(11));
  for (int64_t I = 0; I < LineBytes / ChunkBytes; ++I) {
    int64_t Bank = I * ChunkBytes / BankBytes;
    C.text(X + int(I) * CellWidth + CellWidth / 2, Y - 5,
           Twine(Bank) + "–" + Twine(Bank + ChunkBytes / BankBytes - 1),
           small(TextStyle::Anchor::Middle, Muted));
  }
  C.text(X - 8, Y - 5, "byte", muted(11, TextStyle::Anchor::End));
  for (int64_t L = 0; L < lines(); ++L)
    C.text(X - 8, Y + int(L) * CellHeight + CellHeight / 2 + 4,
           "+" + Twine(L * LineBytes), small(TextStyle::Anchor::End, Muted));
  for (const Chunk &Each : Chunks)
    drawCell(C, *this, Each, CellX(Each), CellY(Each));
  for (const Chunk &Each : Chunks)
    if (Marked(Each))
      drawMark(C, *this, CellX(Each), CellY(Each));
  C.rect(X, Y, smemWidth(), int(lines()) * CellHeight, "none", Ink);
  return Y + int(lines()) * CellHeight;
}

} // namespace warpwright
