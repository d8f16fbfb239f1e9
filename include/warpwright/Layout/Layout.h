//===- Layout.h - Layouts, swizzles, composed layouts -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Layout maps coordinates of a hierarchical shape to offsets; Swizzle permutes
/// offsets; ComposedLayout is `Swizzle o Offset o Layout`. The semantics and
/// the notation are CuTe's. Offsets are in the unit in which the layout was
/// written: a shared-memory layout that describes the hardware must be in
/// bytes, see recast in Algebra.h.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_LAYOUT_H
#define WARPWRIGHT_LAYOUT_LAYOUT_H

#include "warpwright/Layout/IntTuple.h"

#include <optional>

namespace warpwright {

/// A function from the coordinates of a shape to offsets, affine in each leaf.
class Layout {
public:
  /// `1:0`.
  Layout() : S(1), D(0) {}
  /// \p S and \p D must be congruent and the extents positive; create() checks.
  Layout(Shape S, Stride D) : S(std::move(S)), D(std::move(D)) {
    assert(congruent(this->S, this->D) && "shape and stride differ in nesting");
  }
  static llvm::Expected<Layout> create(Shape S, Stride D);
  /// The compact column-major layout of \p S.
  static Layout compact(Shape S) {
    Stride D = compactMajor(S);
    return Layout(std::move(S), std::move(D));
  }
  /// The layout whose modes are \p Modes.
  static Layout join(llvm::ArrayRef<Layout> Modes);

  const Shape &shape() const { return S; }
  const Stride &stride() const { return D; }
  unsigned rank() const { return S.rank(); }
  unsigned depth() const { return warpwright::depth(S); }
  Layout mode(unsigned I) const { return Layout(S[I], D[I]); }
  std::vector<Layout> modes() const;

  int64_t size() const { return product(S); }
  /// One more than the largest offset (strides count by magnitude).
  int64_t cosize() const;

  /// Offset of the \p Index-th coordinate in colexicographic order, or of the
  /// coordinate \p C.
  int64_t operator()(const Coord &C) const { return crd2idx(C, S, D); }

  std::string str() const;
  friend bool operator==(const Layout &A, const Layout &B) {
    return A.S == B.S && A.D == B.D;
  }
  friend bool operator!=(const Layout &A, const Layout &B) { return !(A == B); }

private:
  Shape S;
  Stride D;
};

/// XORs the \p Bits bits that start at Base with the bits that are \p Shift
/// positions higher (or lower, if \p Shift is negative): CuTe's
/// `S<Bits,Base,Shift>`.
struct Swizzle {
  int Bits = 0;
  int Base = 0;
  int Shift = 0;

  /// Checks CuTe's conditions (non-negative bits and base, |shift| >= bits).
  static llvm::Expected<Swizzle> create(int Bits, int Base, int Shift);

  /// The mask of the bits that are XORed onto others.
  int64_t sourceMask() const {
    return ((int64_t(1) << Bits) - 1) << (Base + (Shift > 0 ? Shift : 0));
  }
  /// The mask of the bits that change.
  int64_t targetMask() const {
    return ((int64_t(1) << Bits) - 1) << (Base + (Shift < 0 ? -Shift : 0));
  }
  int64_t operator()(int64_t Offset) const {
    int64_t Source = Offset & sourceMask();
    return Offset ^ (Shift >= 0 ? Source >> Shift : Source << -Shift);
  }
  bool isIdentity() const { return Bits == 0; }
  std::string str() const;
  friend bool operator==(const Swizzle &A, const Swizzle &B) {
    return A.Bits == B.Bits && A.Base == B.Base && A.Shift == B.Shift;
  }
};

/// `Inner(Offset + Outer(c))`, or just a Layout when there is no swizzle.
/// `S<0,..> o 0 o L` and `L` are the same function but print differently.
class ComposedLayout {
public:
  ComposedLayout() = default;
  ComposedLayout(Layout Outer) : Outer(std::move(Outer)) {}
  ComposedLayout(Swizzle Inner, int64_t Offset, Layout Outer)
      : Inner(Inner), Offset(Offset), Outer(std::move(Outer)) {}

  bool isPlain() const { return !Inner; }
  /// The swizzle; the identity for a plain layout.
  Swizzle swizzle() const { return Inner.value_or(Swizzle()); }
  int64_t offset() const { return Offset; }
  const Layout &outer() const { return Outer; }
  /// The same swizzle and offset in front of another layout.
  ComposedLayout withOuter(Layout L) const {
    ComposedLayout C = *this;
    C.Outer = std::move(L);
    return C;
  }

  const Shape &shape() const { return Outer.shape(); }
  int64_t size() const { return Outer.size(); }
  unsigned rank() const { return Outer.rank(); }
  int64_t operator()(const Coord &C) const {
    return swizzle()(Offset + Outer(C));
  }
  std::string str() const;

private:
  std::optional<Swizzle> Inner;
  int64_t Offset = 0;
  Layout Outer;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Layout &L);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const ComposedLayout &L);

/// Whether both map every index 0..size-1 to the same offset.
bool equalAsFunctions(const ComposedLayout &A, const ComposedLayout &B);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_LAYOUT_H
