//===- Wgmma.cpp - Warpgroup MMA atoms and descriptors --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Wgmma.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t ChunkBytes = 16, CoreRows = 8;

Layout WgmmaAtom::accumulatorLayout(int64_t N) {
  // Warp w owns rows 16w..16w+15; lane l the pair of columns 2(l%4) in row
  // l/4, the same 8 rows below, and both again every 8 columns.
  return Layout({{4, 8, 4}, {2, 2, N / 8}}, {{2 * M, 1, 16}, {M, 8, 8 * M}});
}

Expected<WgmmaAtom> WgmmaAtom::create(int64_t N, unsigned Bits) {
  if (Bits != 1 && Bits != 8 && Bits != 16 && Bits != 32)
    return layoutError("wgmma has no operands of " + Twine(Bits) + " bits");
  if (N < 8 || N > 256 || N % 8)
    return layoutError("wgmma's n must be a multiple of 8 up to 256, not " +
                       Twine(N));
  WgmmaAtom Atom;
  Atom.N = N;
  Atom.K = depth(Bits);
  int64_t K = Atom.K;
  Atom.Threads = Layout(128, 1);
  Atom.A = Layout({128, {M, K}}, {0, {1, M}});
  Atom.B = Layout({128, {N, K}}, {0, {1, N}});
  Atom.C = accumulatorLayout(N);
  // The same order of rows, and along k, with as many neighbouring elements as
  // fill a register.
  int64_t Packed = 32 / Bits;
  std::vector<IntTuple> S{Packed, 2, 2}, D{M, 8, 4 * Packed * M};
  if (Packed == 1) { // one element a register: no mode for it
    S.erase(S.begin());
    D.erase(D.begin());
  }
  Atom.ARegisters = Layout({{4, 8, 4}, IntTuple::tuple(S)},
                           {{Packed * M, 1, 16}, IntTuple::tuple(D)});
  return Atom;
}

uint64_t SmemDescriptor::encode(uint32_t Start) const {
  static constexpr uint64_t ModeBits[] = {0, 3, 2, 1}; // none, 32, 64, 128
  auto Field = [](int64_t Bytes) {
    return uint64_t(Bytes & 0x3FFFF) / ChunkBytes;
  };
  return Field(Start) | Field(LeadingBytes) << 16 | Field(StrideBytes) << 32 |
         ModeBits[int(Mode)] << 62;
}

int64_t SmemDescriptor::address(int64_t Start, int64_t Row, int64_t K) const {
  int64_t Bytes = Bits / 8, Span = spanBytes(Mode), Offset;
  bool Swizzled = Mode != SwizzleMode::None;
  if (Order == Major::K) {
    // Core matrices of 8 rows by 16 bytes.
    int64_t Chunk = K * Bytes / ChunkBytes, Within = K * Bytes % ChunkBytes;
    Offset = Row / CoreRows * StrideBytes + Row % CoreRows * Span + Within +
             (Swizzled ? Chunk * ChunkBytes : Chunk * LeadingBytes);
  } else if (Swizzled) {
    // Blocks of one span of rows by 8 k.
    int64_t PerSpan = Span / Bytes;
    Offset = Row / PerSpan * LeadingBytes + Row % PerSpan * Bytes +
             K / CoreRows * StrideBytes + K % CoreRows * Span;
  } else {
    int64_t PerChunk = ChunkBytes / Bytes;
    Offset = Row / PerChunk * StrideBytes + Row % PerChunk * Bytes +
             K / CoreRows * LeadingBytes + K % CoreRows * ChunkBytes;
  }
  return byteSwizzle(Mode)(Start + Offset);
}

/// The distance in bytes between elements that are \p Step apart along \p Mode
/// of \p L, if all such pairs have the same distance: the stride of the second
/// mode of L / Step. 0 if there is only one element.
static Expected<int64_t> evenStep(const Layout &L, int64_t Step,
                                  const Twine &What) {
  if (L.size() <= Step)
    return 0;
  Expected<Layout> Split = logicalDivide(L, Tiler(Step));
  if (!Split)
    return layoutError(What + ": " + toString(Split.takeError()));
  Layout Outer = coalesce(Split->mode(1));
  if (Outer.shape().isTuple())
    return layoutError(What + " are not evenly spaced: " + Outer.str());
  return Outer.stride().value();
}

static Expected<SmemDescriptor> describe(const Layout &Rows, const Layout &K,
                                         Major Order, SwizzleMode Mode,
                                         unsigned Bits) {
  SmemDescriptor D;
  D.Mode = Mode;
  D.Order = Order;
  D.Bits = Bits;
  int64_t Bytes = Bits / 8, PerChunk = ChunkBytes / Bytes;
  int64_t PerSpan = spanBytes(Mode) / Bytes;
  bool Swizzled = Mode != SwizzleMode::None;
  struct Field {
    const Layout &L;
    int64_t Step;
    const char *What;
    int64_t SmemDescriptor::*Into;
  };
  // Which distances the two fields hold depends on order and swizzle; for
  // swizzled K-major tiles the leading field is ignored.
  std::vector<Field> Fields;
  if (Order == Major::K) {
    Fields.push_back(
        {Rows, CoreRows, "groups of 8 rows", &SmemDescriptor::StrideBytes});
    if (!Swizzled)
      Fields.push_back(
          {K, PerChunk, "16-byte chunks of k", &SmemDescriptor::LeadingBytes});
  } else {
    Fields.push_back({Rows, Swizzled ? PerSpan : PerChunk, "blocks of rows",
                      Swizzled ? &SmemDescriptor::LeadingBytes
                               : &SmemDescriptor::StrideBytes});
    Fields.push_back({K, CoreRows, "groups of 8 k",
                      Swizzled ? &SmemDescriptor::StrideBytes
                               : &SmemDescriptor::LeadingBytes});
  }
  for (const Field &F : Fields) {
    Expected<int64_t> Step = evenStep(F.L, F.Step, F.What);
    if (!Step)
      return Step.takeError();
    // A single block has no distance to another one; the distance of dense
    // blocks is as good as any.
    int64_t Distance = *Step ? *Step * Bytes : CoreRows * spanBytes(Mode);
    if (Distance % ChunkBytes || Distance < 0 || Distance >= 1 << 18)
      return layoutError(Twine(F.What) + " are " + Twine(Distance) +
                         " bytes apart, which a descriptor cannot hold");
    D.*F.Into = Distance;
  }
  if (Order == Major::K && Swizzled)
    D.LeadingBytes = ChunkBytes;
  return D;
}

/// The offset in bytes of every \p Step-th element of \p L.
static Expected<Layout> startsOf(const Layout &L, int64_t Step, int64_t Bytes) {
  Expected<Layout> Split = logicalDivide(L, Tiler(Step));
  if (!Split)
    return Split.takeError();
  Layout Starts = coalesce(Split->mode(1));
  std::vector<IntTuple> Scaled;
  for (int64_t D : leaves(Starts.stride()))
    Scaled.push_back(D * Bytes);
  return Layout(Starts.shape(), Starts.shape().isTuple()
                                    ? IntTuple::tuple(std::move(Scaled))
                                    : Scaled[0]);
}

Expected<OperandAccess> accessOf(const SmemLayout &Tile, Major Order,
                                 int64_t RowsPerInstruction, int64_t RowsUsed) {
  const Layout &Outer = Tile.Elements.outer();
  if (Outer.rank() != 2)
    return layoutError("an operand tile has modes (rows, k), not " +
                       Outer.str());
  if (Tile.Bits % 8 || WgmmaAtom::depth(1) % Tile.Bits)
    return layoutError("wgmma has no operands of " + Twine(Tile.Bits) +
                       " bits");
  if (Order == Major::MN && !WgmmaAtom::readsAlongRows(Tile.Bits))
    return layoutError("only 16-bit operands may be contiguous along rows");
  int64_t KPer = WgmmaAtom::depth(Tile.Bits);
  int64_t Rows = product(Outer.shape()[0]), Depth = product(Outer.shape()[1]);
  if (!RowsUsed)
    RowsUsed = Rows;
  if (RowsUsed > Rows || RowsUsed % RowsPerInstruction || Depth % KPer)
    return layoutError("instructions of " + Twine(RowsPerInstruction) + " by " +
                       Twine(KPer) + " do not divide the tile " + Outer.str());
  Expected<SwizzleMode> Mode = Tile.mode();
  if (!Mode)
    return Mode.takeError();

  // An instruction may end inside a block of rows; distances are between whole
  // blocks.
  int64_t Block = Order == Major::MN ? spanBytes(*Mode) * 8 / Tile.Bits : 1;
  int64_t WholeRows =
      std::min<int64_t>(alignTo(RowsPerInstruction, Block), Rows);
  Expected<Layout> InstructionRows =
      composition(Outer.mode(0), Layout(WholeRows, 1));
  Expected<Layout> InstructionK = composition(Outer.mode(1), Layout(KPer, 1));
  if (!InstructionRows || !InstructionK)
    return joinErrors(InstructionRows.takeError(), InstructionK.takeError());
  Expected<SmemDescriptor> D =
      describe(*InstructionRows, *InstructionK, Order, *Mode, Tile.Bits);
  if (!D)
    return D.takeError();

  // Start addresses are those of the layout without its swizzle: the hardware
  // permutes the complete address after adding everything up.
  OperandAccess Access;
  Access.Descriptor = *D;
  int64_t Bytes = Tile.Bits / 8, Base = Tile.Elements.offset() * Bytes;
  Expected<Layout> KSteps = startsOf(Outer.mode(1), KPer, Bytes);
  Expected<Layout> RowBlocks = Layout();
  if (RowsUsed > RowsPerInstruction) {
    Expected<Layout> Used = composition(Outer.mode(0), Layout(RowsUsed, 1));
    if (!Used)
      return joinErrors(KSteps.takeError(), Used.takeError());
    RowBlocks = startsOf(*Used, RowsPerInstruction, Bytes);
  }
  if (!KSteps || !RowBlocks)
    return joinErrors(KSteps.takeError(), RowBlocks.takeError());
  Access.KSteps = *KSteps;
  Access.RowBlocks = *RowBlocks;

  TileOffsets Offsets(Tile);
  for (int64_t K = 0; K < Depth; ++K) {
    int64_t KStep = Access.KSteps(K / KPer);
    for (int64_t Row = 0; Row < RowsUsed; ++Row) {
      int64_t Origin =
          Base + Access.RowBlocks(Row / RowsPerInstruction) + KStep;
      if (Origin % ChunkBytes)
        return layoutError("instruction at row " + Twine(Row) + ", k " +
                           Twine(K) + " starts at byte " + Twine(Origin) +
                           ", not a multiple of 16");
      int64_t Reads = D->address(Origin, Row % RowsPerInstruction, K % KPer);
      int64_t Holds = Offsets(Row, K);
      if (Reads != Holds)
        return layoutError("no descriptor expresses " + Tile.str() + ": row " +
                           Twine(Row) + ", k " + Twine(K) + " is at byte " +
                           Twine(Holds) + ", but wgmma would read byte " +
                           Twine(Reads));
    }
  }
  return Access;
}

} // namespace warpwright
