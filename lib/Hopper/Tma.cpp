//===- Tma.cpp - Boxes that fill a tile -----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Tma.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

Expected<TmaBoxes> tmaBoxes(const SmemLayout &Tile, Major Order,
                            const Machine &M) {
  const Layout &Outer = Tile.Elements.outer();
  if (Outer.rank() != 2)
    return layoutError("a tile has modes (rows, k), not " + Outer.str());
  Expected<SwizzleMode> Mode = Tile.mode();
  if (!Mode)
    return Mode.takeError();
  int64_t Rows = product(Outer.shape()[0]), Depth = product(Outer.shape()[1]);
  // The order of the elements in memory, as indices row + Rows * k: the first
  // mode must run along the contiguous index, the second one along the other.
  Layout Memory = rightInverse(Outer);
  if (Memory.size() != Outer.size())
    return layoutError("the tile " + Outer.str() + " is not compact");
  int64_t InnerStep = Order == Major::K ? Rows : 1;
  int64_t OtherStep = Order == Major::K ? 1 : Rows;
  int64_t InnerTotal = Order == Major::K ? Depth : Rows;
  int64_t OtherTotal = Order == Major::K ? Rows : Depth;
  Layout First = Memory.mode(0);
  if (Memory.size() > 1 && First.stride().value() != InnerStep)
    return layoutError("the tile " + Outer.str() + " is not contiguous along " +
                       (Order == Major::K ? "k" : "rows"));
  // A run may continue from one row directly into the next.
  int64_t Inner = std::min(First.size(), InnerTotal), Other = 1;
  int64_t InnerBytes = Inner * Tile.Bits / 8;
  // A run that is longer than the span would be several boxes in one row, which
  // TMA's swizzle cannot produce.
  if (*Mode != SwizzleMode::None && InnerBytes > spanBytes(*Mode))
    return layoutError("rows of " + Twine(InnerBytes) +
                       " bytes exceed the span of swizzle " + name(*Mode));
  if (Inner > M.TmaBoxMax)
    Inner = M.TmaBoxMax;
  if (Inner * Tile.Bits / 8 % M.TmaAlign)
    return layoutError("box rows of " + Twine(Inner) +
                       " elements are not a multiple of 16 bytes");
  Expected<Layout> Split = logicalDivide(Memory, Tiler(Inner));
  if (!Split)
    return Split.takeError();
  Layout Next = coalesce(Split->mode(1)).mode(0);
  if (Next.stride().value() == OtherStep)
    Other = std::min(Next.size(), OtherTotal);
  while (Other > M.TmaBoxMax) // equal parts, one after the other in memory
    if (Other % 2 == 0)
      Other /= 2;
    else
      return layoutError("a box of " + Twine(Other) + " rows is too tall");

  TmaBoxes Boxes;
  Boxes.Box = {Inner, Other};
  Boxes.Count = InnerTotal * OtherTotal / (Inner * Other);
  Boxes.Bytes = Inner * Other * Tile.Bits / 8;
  for (int64_t I = 0; I < Boxes.Count; ++I) {
    int64_t Index = Memory(I * Inner * Other);
    Boxes.Starts.push_back({Index % Rows, Index / Rows});
  }
  TileOffsets Offsets(Tile);
  // Compares what TMA writes, element by element, with the layout.
  for (int64_t I = 0; I < Boxes.Count; ++I)
    for (int64_t O = 0; O < Other; ++O)
      for (int64_t C = 0; C < Inner; ++C) {
        auto [Row, K] = Boxes.Starts[I];
        (Order == Major::K ? K : Row) += C;
        (Order == Major::K ? Row : K) += O;
        int64_t Written = byteSwizzle(*Mode)(I * Boxes.Bytes +
                                             (O * Inner + C) * (Tile.Bits / 8));
        if (Row >= Rows || K >= Depth || Written != Offsets(Row, K))
          return layoutError("the tile " + Tile.str() +
                             " is not a sequence of TMA boxes {" +
                             Twine(Inner) + ", " + Twine(Other) + "}");
      }
  return Boxes;
}

} // namespace warpwright
