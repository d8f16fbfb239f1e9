//===- Epilogue.cpp - Staging the output tile -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Epilogue.h"

#include "warpwright/Layout/Banks.h"

using namespace llvm;

namespace warpwright {

Expected<SmemLayout> stagingTile(int64_t Rows, int64_t Columns, unsigned Bits,
                                 bool RowMajor) {
  Major Order = RowMajor ? Major::K : Major::MN;
  Expected<SwizzleMode> Mode = widestSwizzle(RowMajor ? Columns : Rows, Bits);
  if (!Mode)
    return Mode.takeError();
  return smemTile(Order, *Mode, Bits, Rows, Columns);
}

StoreConflicts stmatrixConflicts(const SmemLayout &Tile, bool RowMajor) {
  int64_t Columns = product(Tile.Elements.shape()[1]);
  const Layout Fragment = WgmmaAtom::accumulatorLayout(Columns);
  const int64_t Values = product(Fragment.shape()[1]);
  StoreConflicts Result;
  // Two neighbouring accumulators of each lane form an 8 x 8 matrix, of which
  // lanes 4 l .. 4 l + 3 hold row l; the matrices are stored one after another.
  // Eight lanes give the addresses of the 16-byte lines, which are rows, or
  // columns if the matrix is transposed when it is stored.
  for (int64_t V = 0; V < Values; V += 2) {
    std::vector<int64_t> Lines;
    for (int64_t Line = 0; Line < 8; ++Line) {
      int64_t Element = RowMajor ? Fragment({4 * Line, V})
                                 : Fragment({Line / 2, V + Line % 2});
      Lines.push_back(
          Tile.byteOffset({Element % WgmmaAtom::M, Element / WgmmaAtom::M}));
    }
    Result.Wavefronts += countWavefronts(Lines, 16);
    Result.Ideal += 1;
  }
  return Result;
}

StoreConflicts vectorStoreConflicts(const SmemLayout &Tile, bool RowMajor) {
  int64_t Columns = product(Tile.Elements.shape()[1]);
  const Layout Fragment = WgmmaAtom::accumulatorLayout(Columns);
  const int64_t Values = product(Fragment.shape()[1]);
  const int64_t Bytes = Tile.Bits / 8;
  StoreConflicts Result;
  int64_t Together =
      RowMajor ? 2 : 1; // accumulators 2i and 2i+1 are neighbours
  for (int64_t V = 0; V < Values; V += Together) {
    std::vector<int64_t> Addresses;
    for (int64_t Lane = 0; Lane < 32; ++Lane) {
      int64_t Element = Fragment({Lane, V});
      Addresses.push_back(
          Tile.byteOffset({Element % WgmmaAtom::M, Element / WgmmaAtom::M}));
    }
    Result.Wavefronts += countWavefronts(Addresses, Bytes * Together);
    Result.Ideal += std::max<int64_t>(Bytes * Together / 4, 1);
  }
  return Result;
}

} // namespace warpwright
