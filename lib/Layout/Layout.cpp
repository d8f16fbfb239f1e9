//===- Layout.cpp - Layouts, swizzles, composed layouts -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Layout.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <limits>

using namespace llvm;

namespace warpwright {

/// With this limit, sums and small multiples of offsets fit 64 bits.
static constexpr int64_t MaxOffset = int64_t(1) << 55;

Expected<Layout> Layout::create(Shape S, Stride D) {
  if (!congruent(S, D))
    return layoutError("shape " + S.str() + " and stride " + D.str() +
                       " differ in nesting");
  for (int64_t Extent : leaves(S))
    if (Extent < 1)
      return layoutError("extent " + Twine(Extent) + " in shape " + S.str() +
                         " is not positive");
  Layout L(std::move(S), std::move(D));
  if (product(L.S) > MaxOffset || L.cosize() > MaxOffset)
    return layoutError("layout " + L.str() + " reaches beyond 2^55");
  return L;
}

Layout Layout::join(ArrayRef<Layout> Modes) {
  std::vector<IntTuple> Shapes, Strides;
  for (const Layout &Mode : Modes) {
    Shapes.push_back(Mode.S);
    Strides.push_back(Mode.D);
  }
  return Layout(IntTuple::tuple(std::move(Shapes)),
                IntTuple::tuple(std::move(Strides)));
}

std::vector<Layout> Layout::modes() const {
  std::vector<Layout> Result;
  for (unsigned I = 0; I < rank(); ++I)
    Result.push_back(mode(I));
  return Result;
}

int64_t Layout::cosize() const {
  std::vector<int64_t> Extents = leaves(S), Strides = leaves(D);
  // Saturates for layouts that are larger than any memory.
  constexpr int64_t Most = std::numeric_limits<int64_t>::max();
  int64_t Largest = 0, Reach;
  for (size_t I = 0; I < Extents.size(); ++I)
    if (MulOverflow(Extents[I] - 1, std::abs(Strides[I]), Reach) ||
        AddOverflow(Largest, Reach, Largest))
      return Most;
  return Largest == Most ? Most : Largest + 1;
}

raw_ostream &operator<<(raw_ostream &OS, const Layout &L) {
  return OS << L.shape() << ':' << L.stride();
}

std::string Layout::str() const {
  std::string Text;
  raw_string_ostream(Text) << *this;
  return Text;
}

Expected<Swizzle> Swizzle::create(int Bits, int Base, int Shift) {
  if (Bits < 0 || Base < 0)
    return layoutError("a swizzle's bits and base must not be negative");
  if (std::abs(Shift) < Bits)
    return layoutError("a swizzle's shift must be at least its bits, or the "
                       "source and target bits overlap");
  if (Bits + Base + std::abs(Shift) > 62)
    return layoutError("a swizzle must lie within 62 bits");
  return Swizzle{Bits, Base, Shift};
}

std::string Swizzle::str() const {
  return ("S<" + Twine(Bits) + "," + Twine(Base) + "," + Twine(Shift) + ">")
      .str();
}

raw_ostream &operator<<(raw_ostream &OS, const ComposedLayout &L) {
  if (!L.isPlain())
    OS << L.swizzle().str() << " o " << L.offset() << " o ";
  return OS << L.outer();
}

std::string ComposedLayout::str() const {
  std::string Text;
  raw_string_ostream(Text) << *this;
  return Text;
}

bool equalAsFunctions(const ComposedLayout &A, const ComposedLayout &B) {
  if (A.size() != B.size())
    return false;
  for (int64_t I = 0, E = A.size(); I < E; ++I)
    if (A(I) != B(I))
      return false;
  return true;
}

} // namespace warpwright
