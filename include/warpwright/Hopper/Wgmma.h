//===- Wgmma.h - Warpgroup MMA atoms and descriptors ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_HOPPER_WGMMA_H
#define WARPWRIGHT_HOPPER_WGMMA_H

#include "warpwright/Hopper/Smem.h"

namespace warpwright {

/// wgmma.mma_async m64nNkK with its thread-value layouts: (thread, value) to
/// the colexicographic index of the element within the (64,K), (N,K) or (64,N)
/// tile, as in CuTe.
struct WgmmaAtom {
  int64_t N = 0, K = 0;
  Layout Threads;    ///< 128:1
  Layout A;          ///< from shared memory: every thread sees all of it
  Layout ARegisters; ///< from registers
  Layout B;
  Layout C;

  static constexpr int64_t M = 64;
  /// Elements of \p Bits bits along k: 32 bytes of them.
  static constexpr int64_t depth(unsigned Bits) { return 32 * 8 / Bits; }
  /// Elements of \p Bits bits may be contiguous along rows; others only along
  /// k.
  static constexpr bool readsAlongRows(unsigned Bits) { return Bits == 16; }
  /// C, which is the same for operands of all types.
  static Layout accumulatorLayout(int64_t N);
  /// The atom for operands of \p Bits bits. Fails for an N or type that the
  /// instruction does not have (N: multiples of 8 up to 256).
  static llvm::Expected<WgmmaAtom> create(int64_t N, unsigned Bits);
  /// 32-bit accumulators that each thread holds.
  int64_t accumulators() const { return product(C.shape()[1]); }
};

/// A shared-memory matrix descriptor, by which WGMMA finds a (rows, k) operand.
/// All numbers are in bytes; start() is relative to the tile.
struct SmemDescriptor {
  SwizzleMode Mode = SwizzleMode::None;
  Major Order = Major::K;
  unsigned Bits = 16;
  int64_t LeadingBytes = 0; ///< LBO
  int64_t StrideBytes = 0;  ///< SBO

  /// The 64-bit operand with the tile at \p Start (a shared-memory address,
  /// a multiple of 16).
  uint64_t encode(uint32_t Start) const;
  /// The byte address from which the hardware reads element (\p Row, \p K) of
  /// an operand that starts at \p Start. It follows from the documented
  /// addressing, not from a layout.
  int64_t address(int64_t Start, int64_t Row, int64_t K) const;
};

/// An operand tile as a sequence of WGMMA operands.
struct OperandAccess {
  SmemDescriptor Descriptor;
  /// Byte offset of the start address for the i-th k step and for the i-th
  /// block of rows: `4:32`, or `(4,2):(32,8192)` when the steps run through
  /// more than one atom.
  Layout KSteps, RowBlocks;
};

/// The descriptor of \p Tile, a (rows, depth) tile, for WGMMA instructions that
/// take \p RowsPerInstruction rows (64 for A, N for B) and 32 bytes of k each.
/// Only the first \p RowsUsed rows of the tile are read (0: all of them).
///
/// Fails with the reason if no descriptor expresses the tile: a swizzle that
/// the hardware does not have, rows with the wrong pitch, blocks of rows at
/// uneven distances, or a k step that does not start on a chunk. Success means
/// that every element was compared with SmemDescriptor::address.
llvm::Expected<OperandAccess> accessOf(const SmemLayout &Tile, Major Order,
                                       int64_t RowsPerInstruction,
                                       int64_t RowsUsed = 0);

} // namespace warpwright

#endif // WARPWRIGHT_HOPPER_WGMMA_H
