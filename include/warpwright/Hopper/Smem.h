//===- Smem.h - Shared-memory layouts of operands ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// The layouts of operand tiles in shared memory that TMA writes and WGMMA
/// reads. A tile has modes (mn, k): the operand's own index, and the reduction.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_HOPPER_SMEM_H
#define WARPWRIGHT_HOPPER_SMEM_H

#include "warpwright/Layout/Algebra.h"

#include "llvm/ADT/StringRef.h"

namespace warpwright {

/// The index along which an operand's tile is contiguous.
enum class Major { K, MN };
/// How TMA and WGMMA permute the 16-byte chunks of a tile.
enum class SwizzleMode { None, B32, B64, B128 };

llvm::StringRef name(Major Order);      ///< `k`, `mn`
llvm::StringRef name(SwizzleMode Mode); ///< `none`, `32b`, `64b`, `128b`

/// Bytes of a contiguous row of the atom: 16, 32, 64 or 128.
int64_t spanBytes(SwizzleMode Mode);
/// The permutation as the hardware applies it, to byte addresses: S<b,4,3>.
Swizzle byteSwizzle(SwizzleMode Mode);
/// The mode whose byte swizzle is \p S; fails for any other permutation.
llvm::Expected<SwizzleMode> modeOfByteSwizzle(Swizzle S);

/// A layout in shared memory. Offsets (and the swizzle) count elements.
struct SmemLayout {
  ComposedLayout Elements;
  unsigned Bits = 16; ///< of an element

  int64_t size() const { return Elements.size(); }
  int64_t bytes() const { return Elements.outer().cosize() * Bits / 8; }
  /// Byte offset of the element at \p C.
  int64_t byteOffset(const Coord &C) const { return Elements(C) * Bits / 8; }
  /// In CuTe's notation: offsets in elements, after a swizzle of bytes.
  std::string str() const;
  llvm::Expected<SwizzleMode> mode() const;
};

/// Reads what SmemLayout::str printed for elements of \p Bits bits.
llvm::Expected<SmemLayout> parseSmemLayout(llvm::StringRef Text, unsigned Bits);

/// Byte offsets of the elements of a rank-2 layout, from one table per mode:
/// for loops over whole tiles.
class TileOffsets {
public:
  explicit TileOffsets(const SmemLayout &Tile);
  int64_t rows() const { return int64_t(Row.size()); }
  int64_t columns() const { return int64_t(Column.size()); }
  int64_t operator()(int64_t R, int64_t C) const {
    return S(Row[R] + Column[C]) * Bytes;
  }
  /// Without the swizzle; WGMMA's start addresses are computed with this.
  int64_t linear(int64_t R, int64_t C) const {
    return (Row[R] + Column[C]) * Bytes;
  }
  /// Whether every byte of 0 .. size - 1 is used exactly once.
  bool isBijective() const;

private:
  Swizzle S;
  int64_t Bytes;
  std::vector<int64_t> Row, Column;
};

/// The smallest block with the given order and swizzle: 8 rows of spanBytes.
SmemLayout smemAtom(Major Order, SwizzleMode Mode, unsigned Bits);

/// The widest swizzle whose span divides the \p Extent elements of the
/// contiguous index; None when only 16 bytes divide it. Fails if not even
/// that.
llvm::Expected<SwizzleMode> widestSwizzle(int64_t Extent, unsigned Bits);

/// A (\p Rows, \p Depth) tile of atoms, in the order in which TMA boxes fill
/// it: whole columns of atoms one after another, so that every box is one
/// contiguous piece of memory. Fails when the atom does not divide the tile.
llvm::Expected<SmemLayout> smemTile(Major Order, SwizzleMode Mode,
                                    unsigned Bits, int64_t Rows, int64_t Depth);

/// \p Stages copies of \p Tile, one after another, as a third mode.
llvm::Expected<SmemLayout> stagedTile(const SmemLayout &Tile, int64_t Stages);

} // namespace warpwright

#endif // WARPWRIGHT_HOPPER_SMEM_H
