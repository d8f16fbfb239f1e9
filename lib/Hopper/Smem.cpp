//===- Smem.cpp - Shared-memory layouts of operands -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Smem.h"

#include "warpwright/Layout/Expression.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t ChunkBytes = 16, AtomRows = 8;

StringRef name(Major Order) { return Order == Major::K ? "k" : "mn"; }

StringRef name(SwizzleMode Mode) {
  switch (Mode) {
  case SwizzleMode::None:
    return "none";
  case SwizzleMode::B32:
    return "32b";
  case SwizzleMode::B64:
    return "64b";
  case SwizzleMode::B128:
    return "128b";
  }
  llvm_unreachable("unknown swizzle mode");
}

int64_t spanBytes(SwizzleMode Mode) { return ChunkBytes << int(Mode); }

Swizzle byteSwizzle(SwizzleMode Mode) {
  // The number of the chunk within its row is XORed with the upper bits of the
  // row's number: those that count the 128-byte lines since the start of the
  // atom.
  return Swizzle{int(Log2_64(spanBytes(Mode) / ChunkBytes)),
                 int(Log2_64(ChunkBytes)), 3};
}

Expected<SwizzleMode> modeOfByteSwizzle(Swizzle S) {
  for (SwizzleMode Mode : {SwizzleMode::None, SwizzleMode::B32,
                           SwizzleMode::B64, SwizzleMode::B128})
    if (S.Bits == byteSwizzle(Mode).Bits &&
        (S.isIdentity() || S == byteSwizzle(Mode)))
      return Mode;
  return layoutError("the hardware has no swizzle " + S.str() + " on bytes");
}

/// \p S acts on elements of \p Bits bits; the result is the same swizzle on
/// bytes.
static Swizzle onBytes(Swizzle S, unsigned Bits) {
  S.Base += Log2_64(Bits / 8);
  return S;
}

std::string SmemLayout::str() const {
  if (Elements.isPlain())
    return Elements.str();
  return ComposedLayout(onBytes(Elements.swizzle(), Bits), Elements.offset(),
                        Elements.outer())
      .str();
}

Expected<SmemLayout> parseSmemLayout(StringRef Text, unsigned Bits) {
  Expected<ComposedLayout> L = evaluateLayout(Text);
  if (!L)
    return L.takeError();
  if (L->isPlain())
    return SmemLayout{*L, Bits};
  Swizzle S = L->swizzle();
  S.Base -= Log2_64(Bits / 8);
  if (S.Base < 0)
    return layoutError("the swizzle of " + Text + " tears elements of " +
                       Twine(Bits) + " bits apart");
  return SmemLayout{ComposedLayout(S, L->offset(), L->outer()), Bits};
}

Expected<SwizzleMode> SmemLayout::mode() const {
  return modeOfByteSwizzle(onBytes(Elements.swizzle(), Bits));
}

TileOffsets::TileOffsets(const SmemLayout &Tile)
    : S(Tile.Elements.swizzle()), Bytes(Tile.Bits / 8) {
  assert(Tile.Elements.rank() == 2 && "a tile has two modes");
  Layout Rows = Tile.Elements.outer().mode(0);
  Layout Columns = Tile.Elements.outer().mode(1);
  for (int64_t I = 0; I < Rows.size(); ++I)
    Row.push_back(Tile.Elements.offset() + Rows(I));
  for (int64_t I = 0; I < Columns.size(); ++I)
    Column.push_back(Columns(I));
}

bool TileOffsets::isBijective() const {
  std::vector<bool> Used(rows() * columns());
  for (int64_t C = 0; C < columns(); ++C)
    for (int64_t R = 0; R < rows(); ++R) {
      int64_t Element = (*this)(R, C) / Bytes;
      if (Element < 0 || Element >= int64_t(Used.size()) || Used[Element])
        return false;
      Used[Element] = true;
    }
  return true;
}

SmemLayout smemAtom(Major Order, SwizzleMode Mode, unsigned Bits) {
  int64_t Span = spanBytes(Mode);
  Layout Bytes = Order == Major::K ? Layout({AtomRows, Span}, {Span, 1})
                                   : Layout({Span, AtomRows}, {1, Span});
  return {
      cantFail(recast(ComposedLayout(byteSwizzle(Mode), 0, Bytes), 8, Bits)),
      Bits};
}

Expected<SwizzleMode> widestSwizzle(int64_t Extent, unsigned Bits) {
  for (SwizzleMode Mode : {SwizzleMode::B128, SwizzleMode::B64,
                           SwizzleMode::B32, SwizzleMode::None})
    if (Extent * Bits % (spanBytes(Mode) * 8) == 0)
      return Mode;
  return layoutError("a contiguous extent of " + Twine(Extent) +
                     " elements is not a multiple of 16 bytes");
}

Expected<SmemLayout> smemTile(Major Order, SwizzleMode Mode, unsigned Bits,
                              int64_t Rows, int64_t Depth) {
  // A box spans one atom along the contiguous index and everything along the
  // other, so the other index is filled first.
  IntTuple Fill = Order == Major::K ? IntTuple{0, 1} : IntTuple{1, 0};
  Expected<ComposedLayout> Tile =
      tileToShape(smemAtom(Order, Mode, Bits).Elements, {Rows, Depth}, Fill);
  if (!Tile)
    return Tile.takeError();
  return SmemLayout{*Tile, Bits};
}

Expected<SmemLayout> stagedTile(const SmemLayout &Tile, int64_t Stages) {
  if (Stages < 1)
    return layoutError("a tile needs at least one stage");
  std::vector<Layout> Modes = Tile.Elements.outer().modes();
  Modes.push_back(Layout({1, Stages}, {0, Tile.Elements.outer().cosize()}));
  return SmemLayout{Tile.Elements.withOuter(Layout::join(Modes)), Tile.Bits};
}

} // namespace warpwright
