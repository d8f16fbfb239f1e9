//===- Facts.cpp - What the pictures of a kernel show ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Draw/Facts.h"

#include "warpwright/Hopper/Atoms.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Expression.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t ChunkBytes = 16;

int64_t TileOrder::indexOf(int64_t Row, int64_t Column) const {
  // Within a band, tiles are taken column by column from the top down; the last
  // band may have fewer rows.
  int64_t First = Row / Band * Band;
  int64_t Height = std::min(Band, Rows - First);
  Layout InBand({Height, Columns}, {1, Height});
  return First * Columns + InBand({Row - First, Column});
}

TileOrder tileOrder(const KernelPlan &P, int64_t M, int64_t N,
                    const Machine &Hopper) {
  TileOrder O;
  O.Rows = divideCeil(P.SwapAB ? N : M, P.tileRows() * P.clusterRows());
  O.Columns =
      divideCeil(P.SwapAB ? M : N, P.tileColumns() * P.clusterColumns());
  O.Band = P.bandRows();
  O.InFlight = std::max<int64_t>(1, Hopper.SMs / P.clusterSize());
  return O;
}

Layout clusterRanks(const KernelPlan &P) {
  // The hardware's order of CTAs in a one-dimensional cluster: along the rows
  // first.
  return Layout::compact({P.clusterRows(), P.clusterColumns()});
}

std::vector<int64_t> multicastGroup(const KernelPlan &P, bool OfRows) {
  const OperandPlan &O = OfRows ? P.Rows : P.Cols;
  std::vector<int64_t> Ranks;
  for (int64_t Rank = 0; Rank < P.clusterSize(); ++Rank)
    if (O.MulticastMask >> Rank & 1)
      Ranks.push_back(Rank);
  return Ranks;
}

std::vector<Chunk> chunksOf(const SmemLayout &Tile, Major Order) {
  TileOffsets Offsets(Tile);
  int64_t PerChunk = ChunkBytes * 8 / Tile.Bits;
  bool KInner = Order == Major::K;
  int64_t Inner = KInner ? Offsets.columns() : Offsets.rows();
  int64_t Outer = KInner ? Offsets.rows() : Offsets.columns();
  std::vector<Chunk> Chunks;
  for (int64_t O = 0; O < Outer; ++O)
    for (int64_t I = 0; I < Inner; I += PerChunk) {
      int64_t Row = KInner ? O : I, Column = KInner ? I : O;
      Chunks.push_back(
          {O, I, Offsets(Row, Column), Offsets.linear(Row, Column)});
    }
  llvm::sort(Chunks, [](const Chunk &A, const Chunk &B) {
    return A.Offset < B.Offset;
  });
  return Chunks;
}

Expected<SmemLayout> operandTile(const KernelPlan &P, const OperandPlan &O) {
  return parseSmemLayout(P.Feed->rawLayout(O), 8 * byteSize(O.Type));
}

Expected<SmemLayout> slabTile(const EpiloguePlan &E) {
  return parseSmemLayout(E.SmemLayout, 8 * byteSize(E.Type));
}

Expected<std::vector<FragmentElement>>
accumulatorFragment(const KernelPlan &P) {
  Expected<Layout> Fragment = parseLayout(P.Fragment);
  if (!Fragment)
    return Fragment.takeError();
  if (Fragment->rank() != 2 ||
      Fragment->size() != WgmmaAtom::M * P.InstructionN)
    return layoutError("plan '" + P.Name + "': " + P.Fragment +
                       " is not the fragment of its instruction");
  std::vector<FragmentElement> Elements;
  for (int64_t Thread = 0; Thread < Fragment->mode(0).size(); ++Thread)
    for (int64_t Value = 0; Value < Fragment->mode(1).size(); ++Value) {
      int64_t Index = (*Fragment)({Thread, Value});
      Elements.push_back(
          {Index % WgmmaAtom::M, Index / WgmmaAtom::M, Thread, Value});
    }
  llvm::sort(Elements, [](const FragmentElement &A, const FragmentElement &B) {
    return std::tie(A.Row, A.Column) < std::tie(B.Row, B.Column);
  });
  return Elements;
}

/// For every lane, the first element that it stores under \p Copy, a stmatrix
/// tiled over the accumulators of the slab.
static Expected<std::vector<LaneStore>> matrixStores(const EpiloguePlan &E,
                                                     const SmemLayout &Slab) {
  Expected<CopyAtom> Atom =
      copyAtom(E.RowsContiguous ? "SM90_U16x8_STSM_T" : "SM90_U32x4_STSM_N");
  // Any 16-bit wgmma will do, since all have the same accumulator layout.
  Expected<MmaAtom> Wgmma =
      mmaAtom(("SM90_64x" + Twine(E.SlabColumns) + "x16_F32BF16BF16_SS").str());
  if (!Atom || !Wgmma)
    return joinErrors(Atom.takeError(), Wgmma.takeError());
  Expected<TiledMma> Mma =
      TiledMma::create(*Wgmma, Layout({1, 1, 1}, {0, 0, 0}),
                       Tiler::byMode({Tiler(), Tiler(), Tiler()}));
  if (!Mma)
    return Mma.takeError();
  Expected<TiledCopy> Copy =
      TiledCopy::create(*Atom, Slab.Bits, *Mma, MmaOperand::C);
  if (!Copy)
    return Copy.takeError();
  // The element to which each lane's address points: the same partition,
  // applied to the slab's own coordinates.
  Layout Coordinates = Layout::compact({WgmmaAtom::M, E.SlabColumns});
  std::vector<LaneStore> Lanes;
  for (int64_t Lane = 0; Lane < 32; ++Lane) {
    Expected<ComposedLayout> Where =
        Copy->partitionDestination(Coordinates, Lane);
    if (!Where)
      return Where.takeError();
    int64_t Index = (*Where)(0);
    int64_t Row = Index % WgmmaAtom::M, Column = Index / WgmmaAtom::M;
    Lanes.push_back({Lane, Row, Column, Slab.byteOffset({Row, Column})});
  }
  return Lanes;
}

Expected<FirstStore> firstStore(const KernelPlan &P) {
  const EpiloguePlan &E = P.Epilogue;
  FirstStore Result;
  if (!P.Store->stages())
    return layoutError("plan '" + P.Name + "' stages nothing");
  Expected<SmemLayout> Slab = slabTile(E);
  if (!Slab)
    return Slab.takeError();
  bool RowMajor = !E.RowsContiguous;
  if (Slab->Bits == 16) {
    Result.Instruction = RowMajor ? "stmatrix.x4" : "stmatrix.x4.trans";
    Result.LaneBytes = ChunkBytes;
    Result.Slab = stmatrixConflicts(*Slab, RowMajor);
    Expected<std::vector<LaneStore>> Lanes = matrixStores(E, *Slab);
    if (!Lanes)
      return Lanes.takeError();
    Result.Lanes = std::move(*Lanes);
  } else {
    const int64_t Bytes = Slab->Bits / 8;
    Result.LaneBytes = RowMajor ? 2 * Bytes : Bytes;
    Result.Instruction =
        Bytes == 1   ? RowMajor ? "st.shared.u16" : "st.shared.u8"
        : Bytes == 8 ? RowMajor ? "st.shared.v2.f64" : "st.shared.f64"
        : E.Type == ScalarType::F32
            ? RowMajor ? "st.shared.v2.f32" : "st.shared.f32"
        : RowMajor ? "st.shared.v2.b32"
                   : "st.shared.b32";
    Result.Slab = vectorStoreConflicts(*Slab, RowMajor);
    const Layout Fragment = WgmmaAtom::accumulatorLayout(E.SlabColumns);
    for (int64_t Lane = 0; Lane < 32; ++Lane) {
      int64_t Index = Fragment({Lane, 0});
      int64_t Row = Index % WgmmaAtom::M, Column = Index / WgmmaAtom::M;
      Result.Lanes.push_back(
          {Lane, Row, Column, Slab->byteOffset({Row, Column})});
    }
  }
  std::vector<int64_t> Addresses;
  for (const LaneStore &L : Result.Lanes)
    Addresses.push_back(L.Offset);
  Result.Wavefronts = countWavefronts(Addresses, unsigned(Result.LaneBytes));
  return Result;
}

} // namespace warpwright
