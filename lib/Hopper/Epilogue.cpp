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
  StoreConflicts Result;
  // x4 stores the 16 x 16 block of rows 0..15 from column C on as four 8 x 8
  // matrices; a lane gives the address of one 16-byte line of one of them.
  // The matrices are stored one after another.
  for (int64_t C = 0; C + 16 <= Columns; C += 16)
    for (int64_t Matrix = 0; Matrix < 4; ++Matrix) {
      std::vector<int64_t> Lines;
      for (int64_t Line = 0; Line < 8; ++Line) {
        int64_t Row = Matrix % 2 * 8, Column = C + Matrix / 2 * 8;
        (RowMajor ? Row : Column) += Line;
        Lines.push_back(Tile.byteOffset({Row, Column}));
      }
      Result.Wavefronts += countWavefronts(Lines, 16);
      Result.Ideal += 1;
    }
  return Result;
}

StoreConflicts vectorStoreConflicts(const SmemLayout &Tile, bool RowMajor) {
  int64_t Columns = product(Tile.Elements.shape()[1]);
  WgmmaAtom Atom = cantFail(WgmmaAtom::create(Columns, 16));
  StoreConflicts Result;
  int64_t Together =
      RowMajor ? 2 : 1; // accumulators 2i and 2i+1 are neighbours
  for (int64_t V = 0; V < Atom.accumulators(); V += Together) {
    std::vector<int64_t> Addresses;
    for (int64_t Lane = 0; Lane < 32; ++Lane) {
      int64_t Element = Atom.C({Lane, V});
      Addresses.push_back(
          Tile.byteOffset({Element % WgmmaAtom::M, Element / WgmmaAtom::M}));
    }
    Result.Wavefronts += countWavefronts(Addresses, 4 * Together);
    Result.Ideal += Together;
  }
  return Result;
}

} // namespace warpwright
