//===- Mma.h - Tilings of MMA and copy atoms --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tiled MMAs and copies, which CuTe builds from the thread-value layouts of
/// one instruction, and the part of a larger tile that each thread gets. The
/// atoms themselves are data, see Hopper/Atoms.h.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_MMA_H
#define WARPWRIGHT_LAYOUT_MMA_H

#include "warpwright/Layout/Algebra.h"

#include <array>

namespace warpwright {

/// A is (M,K), B is (N,K), C is (M,N).
enum class MmaOperand { A, B, C };

/// One MMA instruction. The layouts map (thread, value) to the colexicographic
/// index of an element in the operand's tile.
struct MmaAtom {
  std::string Name;
  std::array<int64_t, 3> MNK = {1, 1, 1};
  Layout Threads; ///< logical thread to the thread's index in the warp(group)
  std::array<Layout, 3> Values;      ///< of A, B and C
  std::array<unsigned, 3> Bits = {}; ///< of one element of A, B and C
  /// Whether the operand is read from shared memory through a descriptor.
  std::array<bool, 3> FromSmem = {};

  const Layout &values(MmaOperand O) const { return Values[int(O)]; }
  /// The shape of the operand's tile.
  Shape tile(MmaOperand O) const;
};

/// Atoms side by side along M, N and K, over a tile whose elements may be
/// permuted along each of them.
class TiledMma {
public:
  /// \p Atoms says how many atoms there are along M, N and K and how they are
  /// numbered; \p Permutation has a tiler (an extent, a layout, or `_` for the
  /// natural extent) for each. Fails when either has another rank, or the
  /// atoms do not divide the permuted tile.
  static llvm::Expected<TiledMma> create(MmaAtom Atom, const Layout &Atoms,
                                         const Tiler &Permutation);

  const MmaAtom &atom() const { return Atom; }
  /// (thread of the atom, atom along M, N, K) to the thread's index.
  const Layout &threads() const { return Threads; }
  /// The tile of operand \p O that all atoms together cover once.
  Shape tile(MmaOperand O) const;
  /// (thread index, value) to the index within tile(\p O).
  llvm::Expected<Layout> threadValue(MmaOperand O) const;
  /// `((thread,(atom,atom)),(value,(rest,rest)))` of a tile \p L.
  llvm::Expected<Layout> divide(MmaOperand O, const Layout &L) const;
  /// (value, rest, rest) of the elements of \p L that \p Thread holds.
  llvm::Expected<ComposedLayout>
  partition(MmaOperand O, const ComposedLayout &L, int64_t Thread) const;
  /// The registers that hold what partition gives one thread; for an operand
  /// in shared memory, the descriptors in steps of 16 bytes.
  llvm::Expected<Layout> fragment(MmaOperand O, const ComposedLayout &L) const;

private:
  MmaAtom Atom;
  Layout Threads;
  std::array<Tiler, 3> Permutation;

  int64_t extent(unsigned Index) const;
};

/// One copy instruction of a warp: (thread, value) to bits.
struct CopyAtom {
  std::string Name;
  Layout Threads, Source, Destination;
  Layout Reference; ///< the one on which a tiling is based
};

/// A copy atom repeated over a tile.
class TiledCopy {
public:
  /// Copies the tile of operand \p O of \p Mma, in the order in which its
  /// fragments hold it. \p Bits is the width of an element.
  static llvm::Expected<TiledCopy> create(const CopyAtom &Atom, unsigned Bits,
                                          const TiledMma &Mma, MmaOperand O);

  /// Copies a tile in which \p Threads arranges the threads, each with its \p
  /// Values next to each other.
  static llvm::Expected<TiledCopy> create(const CopyAtom &Atom, unsigned Bits,
                                          const Layout &Threads,
                                          const Layout &Values);

  /// (thread, value) to the index within the tile.
  const Layout &threadValue() const { return ThreadValue; }
  const Shape &tile() const { return Tile; }
  /// (value, rest, rest) of the elements of \p L that \p Thread reads.
  llvm::Expected<ComposedLayout> partitionSource(const ComposedLayout &L,
                                                 int64_t Thread) const {
    return partition(L, Source, Thread);
  }
  /// The same for the elements that \p Thread writes.
  llvm::Expected<ComposedLayout> partitionDestination(const ComposedLayout &L,
                                                      int64_t Thread) const {
    return partition(L, Destination, Thread);
  }
  /// An MMA fragment \p L in the units of this copy.
  llvm::Expected<Layout> retile(const Layout &L) const;

private:
  Layout ThreadValue, Source, Destination, Reference;
  Shape Tile;

  static llvm::Expected<TiledCopy> create(const CopyAtom &Atom, unsigned Bits,
                                          Layout ThreadValue, Shape Tile);
  llvm::Expected<ComposedLayout> partition(const ComposedLayout &L,
                                           const Layout &Target,
                                           int64_t Thread) const;
};

/// The index within each mode of \p Threads of the thread with index \p Thread;
/// for modes of stride 0 it is 0. If no thread has that index, \p Threads maps
/// the result to another one.
std::vector<int64_t> threadCoordinates(const Layout &Threads, int64_t Thread);

/// A compact layout with the shape of \p L whose modes are in the order of
/// their strides; a stride of 0 stays.
Layout layoutLike(const Layout &L);

/// A compact layout with the shape of \p L for registers: mode 0 first, the
/// other modes in the order of their strides.
llvm::Expected<Layout> fragmentLike(const Layout &L);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_MMA_H
