//===- Algebra.h - Operations on layouts ------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The layout algebra. An operation whose divisibility condition does not hold
/// fails and names the mode; nothing is rounded silently.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_ALGEBRA_H
#define WARPWRIGHT_LAYOUT_ALGEBRA_H

#include "warpwright/Layout/Layout.h"

namespace warpwright {

/// The argument of an operation: one layout for the whole layout, one tiler for
/// each mode (`<32:1,24:1>`), or `_`, which leaves a mode as it is.
class Tiler {
public:
  /// Leaves its mode as it is.
  Tiler() = default;
  Tiler(Layout L) : Whole(std::move(L)) {}
  /// The first \p N elements, `N:1`.
  Tiler(int64_t N) : Whole(Layout(N, 1)) {}
  static Tiler byMode(std::vector<Tiler> Modes) {
    Tiler T;
    T.Tuple = true;
    T.Modes = std::move(Modes);
    return T;
  }

  bool isAny() const { return !Tuple && !Whole; }
  bool isLayout() const { return Whole.has_value(); }
  bool isTuple() const { return Tuple; }
  const Layout &layout() const { return *Whole; }
  llvm::ArrayRef<Tiler> modes() const { return Modes; }
  std::string str() const;

private:
  std::optional<Layout> Whole;
  bool Tuple = false;
  std::vector<Tiler> Modes;
};

/// The flat layout with the fewest modes that is the same function on
/// 0..size-1; modes of size 1 are removed.
Layout coalesce(const Layout &L);
/// Coalesces within the modes named by \p Profile: a leaf of it stands for a
/// mode that becomes flat.
llvm::Expected<Layout> coalesce(const Layout &L, const IntTuple &Profile);
/// Without stride-0 and size-1 modes; flat.
Layout filter(const Layout &L);
/// Every leaf a mode of its own.
Layout flatten(const Layout &L);
/// As in CuTe, these apply to the layout without its swizzle.
ComposedLayout coalesce(const ComposedLayout &L);
llvm::Expected<ComposedLayout> coalesce(const ComposedLayout &L,
                                        const IntTuple &Profile);
ComposedLayout filter(const ComposedLayout &L);
ComposedLayout flatten(const ComposedLayout &L);
/// Modes \p Begin..End-1 become one.
llvm::Expected<Layout> group(const Layout &L, unsigned Begin, unsigned End);
/// Only the modes in \p Modes, in that order.
llvm::Expected<Layout> select(const Layout &L, llvm::ArrayRef<unsigned> Modes);
/// Modes \p Begin..End-1 alone.
llvm::Expected<Layout> take(const Layout &L, unsigned Begin, unsigned End);
/// The mode that \p Path leads to: {1, 0} is mode 0 of mode 1.
llvm::Expected<Layout> modeAt(const Layout &L, llvm::ArrayRef<unsigned> Path);
/// \p Mode as one more mode after (or before) those of \p L.
Layout append(const Layout &L, const Layout &Mode);
Layout prepend(const Layout &L, const Layout &Mode);
/// Pads with \p Mode at the end (or in front) up to \p Rank.
Layout append(const Layout &L, unsigned Rank, const Layout &Mode = Layout());
Layout prepend(const Layout &L, unsigned Rank, const Layout &Mode = Layout());
/// Modes of stride 0 become `1:0`; the nesting stays.
Layout filterZeros(const Layout &L);
/// The coordinates that \p L maps to 0 whatever their values are: those of its
/// modes with stride 0. L(nullspace(L)(i)) = 0.
Layout nullspace(const Layout &L);

/// R with R(c) = A(B(c)) and a shape compatible with B's.
llvm::Expected<Layout> composition(const Layout &A, const Layout &B);
/// Mode by mode; modes that \p T does not name stay as they are.
llvm::Expected<Layout> composition(const Layout &A, const Tiler &T);
/// The same with swizzles. Fails if the result is not a swizzled layout, which
/// is decided by comparing all elements.
llvm::Expected<ComposedLayout> composition(const ComposedLayout &A,
                                           const ComposedLayout &B);
llvm::Expected<ComposedLayout> composition(const ComposedLayout &A,
                                           const Tiler &T);
/// \p A after \p B, for swizzles that can be combined into one.
llvm::Expected<Swizzle> composition(Swizzle A, Swizzle B);
/// The layout, in increasing order, of the offsets below \p Target that \p L
/// does not use.
llvm::Expected<Layout> complement(const Layout &L, int64_t Target);
/// R with L(R(i)) = i for i < size(R), as large as L's contiguous part allows.
Layout rightInverse(const Layout &L);
/// R with R(L(i)) = i; \p L must be injective.
llvm::Expected<Layout> leftInverse(const Layout &L);
/// The same for a swizzled layout; fails if it has an offset, or if the inverse
/// is not a swizzled layout.
llvm::Expected<ComposedLayout> rightInverse(const ComposedLayout &L);
llvm::Expected<ComposedLayout> leftInverse(const ComposedLayout &L);

llvm::Expected<Layout> logicalDivide(const Layout &L, const Tiler &T);
/// `((tile),(rest))`.
llvm::Expected<Layout> zippedDivide(const Layout &L, const Tiler &T);
/// `((tile),rest,rest,...)`.
llvm::Expected<Layout> tiledDivide(const Layout &L, const Tiler &T);
/// `(tile,...,rest,...)`.
llvm::Expected<Layout> flatDivide(const Layout &L, const Tiler &T);

llvm::Expected<Layout> logicalProduct(const Layout &L, const Tiler &T);
llvm::Expected<Layout> zippedProduct(const Layout &L, const Tiler &T);
llvm::Expected<Layout> tiledProduct(const Layout &L, const Tiler &T);
llvm::Expected<Layout> flatProduct(const Layout &L, const Tiler &T);
/// Blocks laid out as in \p T: mode i is (block i, tile i).
llvm::Expected<Layout> blockedProduct(const Layout &Block, const Layout &T);
/// Blocks interleaved: mode i is (tile i, block i).
llvm::Expected<Layout> rakedProduct(const Layout &Block, const Layout &T);
/// Repeats \p Block until it has shape \p Target, filling first the mode with
/// the lowest number in \p Order (default: mode 0 first).
llvm::Expected<ComposedLayout> tileToShape(const ComposedLayout &Block,
                                           const Shape &Target,
                                           const IntTuple &Order);
llvm::Expected<ComposedLayout> tileToShape(const ComposedLayout &Block,
                                           const Shape &Target);
/// A compact layout of \p S; modes with smaller numbers in \p Order vary
/// faster. \p Order is nested no deeper than \p S.
llvm::Expected<Layout> orderedLayout(const Shape &S, const IntTuple &Order);

/// Offsets in units of \p NewBits instead of \p OldBits, including those of the
/// swizzle. One of both must divide the other; for wider units every offset
/// must be a whole number of units.
llvm::Expected<ComposedLayout> recast(const ComposedLayout &L, unsigned OldBits,
                                      unsigned NewBits);

/// The sublayout at coordinate \p C (with `_` where modes are kept), its offset
/// folded into the result's offset.
llvm::Expected<ComposedLayout> slice(const ComposedLayout &L, const Coord &C);

/// The modes of \p L that slice removes: those for which \p C has numbers.
llvm::Expected<Layout> dice(const Layout &L, const Coord &C);

/// The longest vector that is contiguous in both layouts: V with A(V(i)) =
/// B(V(i)) = i for all i < size(V). `1:0` if there is none.
llvm::Expected<Layout> maxCommonLayout(const Layout &A, const Layout &B);
/// With swizzles, which keep only runs below their base contiguous.
llvm::Expected<Layout> maxCommonLayout(const ComposedLayout &A,
                                       const ComposedLayout &B);
/// Its size.
llvm::Expected<int64_t> maxCommonVector(const ComposedLayout &A,
                                        const ComposedLayout &B);

/// Whether each stride is larger than the largest offset of the modes with
/// smaller strides. Then \p L is injective; no elements have to be compared.
bool isInjectiveByStrides(const Layout &L);
/// Whether different coordinates have different offsets.
bool isInjective(const ComposedLayout &L);
/// Whether the offsets are exactly 0..size-1.
bool isBijective(const ComposedLayout &L);
/// Whether, without repetitions (strides of 0), it is injective and its offsets
/// are exactly 0..cosize-1.
bool isCompact(const ComposedLayout &L);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_ALGEBRA_H
