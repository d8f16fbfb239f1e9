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

/// What an operation applies to: one layout for the whole argument, one
/// tiler per mode (`<32:1,24:1>`), or `_`, which leaves a mode alone.
class Tiler {
public:
  /// Leaves its mode alone.
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
/// 0..size-1; size-1 modes vanish.
Layout coalesce(const Layout &L);
/// Coalesces within the modes named by \p Profile: a leaf stands for a mode
/// that becomes flat.
llvm::Expected<Layout> coalesce(const Layout &L, const IntTuple &Profile);
/// Without stride-0 and size-1 modes; flat.
Layout filter(const Layout &L);
/// Every leaf a mode of its own.
Layout flatten(const Layout &L);
/// As in CuTe, what these do to the layout behind a swizzle.
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
/// \p Mode as one more mode behind (or in front of) those of \p L.
Layout append(const Layout &L, const Layout &Mode);
Layout prepend(const Layout &L, const Layout &Mode);
/// Pads with \p Mode at the end (or in front) up to \p Rank.
Layout append(const Layout &L, unsigned Rank, const Layout &Mode = Layout());
Layout prepend(const Layout &L, unsigned Rank, const Layout &Mode = Layout());
/// Modes of stride 0 become `1:0`; the nesting stays.
Layout filterZeros(const Layout &L);
/// The coordinates that \p L maps to 0 whatever the others are: those of its
/// modes with stride 0. L(nullspace(L)(i)) = 0.
Layout nullspace(const Layout &L);

/// R with R(c) = A(B(c)) and a shape compatible with B's.
llvm::Expected<Layout> composition(const Layout &A, const Layout &B);
/// Mode by mode; modes that \p T does not name stay as they are.
llvm::Expected<Layout> composition(const Layout &A, const Tiler &T);
/// Swizzles have offsets only of whole bits: these fail where the result is no
/// swizzled layout, which is seen by comparing all elements.
llvm::Expected<ComposedLayout> composition(const ComposedLayout &A,
                                           const ComposedLayout &B);
llvm::Expected<ComposedLayout> composition(const ComposedLayout &A,
                                           const Tiler &T);
/// \p A after \p B, for swizzles that together are one.
llvm::Expected<Swizzle> composition(Swizzle A, Swizzle B);
/// The ordered layout of the offsets that \p L leaves free below \p Target.
llvm::Expected<Layout> complement(const Layout &L, int64_t Target);
/// R with L(R(i)) = i for i < size(R), as large as L's contiguous part allows.
Layout rightInverse(const Layout &L);
/// R with R(L(i)) = i; \p L must be injective.
llvm::Expected<Layout> leftInverse(const Layout &L);
/// The same through a swizzle; fails when there is an offset, or when the
/// inverse is no swizzled layout.
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
/// A compact layout of \p S whose modes vary the faster, the smaller their
/// number in \p Order, which is nested no deeper than \p S.
llvm::Expected<Layout> orderedLayout(const Shape &S, const IntTuple &Order);

/// Offsets in units of \p NewBits instead of \p OldBits, swizzle included. Each
/// must divide the other; going to wider units needs whole units everywhere.
llvm::Expected<ComposedLayout> recast(const ComposedLayout &L, unsigned OldBits,
                                      unsigned NewBits);

/// The sublayout at coordinate \p C (with `_` where modes are kept), its offset
/// folded into the result's offset.
llvm::Expected<ComposedLayout> slice(const ComposedLayout &L, const Coord &C);

/// The modes of \p L that slice leaves out: those where \p C has numbers.
llvm::Expected<Layout> dice(const Layout &L, const Coord &C);

/// The longest vector that is contiguous in both layouts: V with A(V(i)) =
/// B(V(i)) = i for all i < size(V). `1:0` if there is none.
llvm::Expected<Layout> maxCommonLayout(const Layout &A, const Layout &B);
/// Through swizzles, which leave alone only runs below their base.
llvm::Expected<Layout> maxCommonLayout(const ComposedLayout &A,
                                       const ComposedLayout &B);
/// Its size.
llvm::Expected<int64_t> maxCommonVector(const ComposedLayout &A,
                                        const ComposedLayout &B);

/// Each stride is larger than what the modes with smaller ones reach: then
/// \p L is injective, which takes no look at its elements.
bool isInjectiveByStrides(const Layout &L);
/// Distinct coordinates have distinct offsets.
bool isInjective(const ComposedLayout &L);
/// The offsets are exactly 0..size-1.
bool isBijective(const ComposedLayout &L);
/// Injective and without gaps once repetitions (strides of 0) are gone: the
/// offsets are exactly 0..cosize-1.
bool isCompact(const ComposedLayout &L);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_ALGEBRA_H
