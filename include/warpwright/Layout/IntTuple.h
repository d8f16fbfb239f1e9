//===- IntTuple.h - Hierarchical integers -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// IntTuple: an integer, or a tuple of IntTuples. Shapes, strides and
/// coordinates are IntTuples, printed and parsed in CuTe's notation:
/// `((8,16),(64,1))`.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_INTTUPLE_H
#define WARPWRIGHT_LAYOUT_INTTUPLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace warpwright {

/// An integer, a wildcard (`_`, only in slicing coordinates), or a tuple.
///
/// Braces build tuples, so `IntTuple S = {8, {16, 2}}` is `(8,(16,2))` and
/// `IntTuple S = {8}` is the one-element tuple `(8)`; `IntTuple S = 8` is 8.
class IntTuple {
public:
  IntTuple() = default;
  IntTuple(int64_t Value) : Value(Value) {}
  IntTuple(int Value) : Value(Value) {}
  IntTuple(unsigned Value) : Value(Value) {}
  IntTuple(std::initializer_list<IntTuple> Modes)
      : What(Kind::Tuple), Modes(Modes) {}

  static IntTuple tuple(std::vector<IntTuple> Modes) {
    IntTuple T;
    T.What = Kind::Tuple;
    T.Modes = std::move(Modes);
    return T;
  }
  static IntTuple any() {
    IntTuple T;
    T.What = Kind::Any;
    return T;
  }

  bool isTuple() const { return What == Kind::Tuple; }
  bool isInt() const { return What == Kind::Int; }
  bool isAny() const { return What == Kind::Any; }

  int64_t value() const {
    assert(isInt() && "not an integer");
    return Value;
  }
  /// Number of modes of a tuple; 1 for anything else.
  unsigned rank() const { return isTuple() ? Modes.size() : 1; }
  /// Mode \p I; an integer is its own mode 0.
  const IntTuple &operator[](unsigned I) const {
    if (!isTuple()) {
      assert(I == 0 && "mode out of range");
      return *this;
    }
    assert(I < Modes.size() && "mode out of range");
    return Modes[I];
  }
  llvm::ArrayRef<IntTuple> modes() const {
    assert(isTuple() && "not a tuple");
    return Modes;
  }

  std::string str() const;

  friend bool operator==(const IntTuple &A, const IntTuple &B) {
    return A.What == B.What && A.Value == B.Value && A.Modes == B.Modes;
  }
  friend bool operator!=(const IntTuple &A, const IntTuple &B) {
    return !(A == B);
  }

private:
  enum class Kind : uint8_t { Int, Tuple, Any };
  Kind What = Kind::Int;
  int64_t Value = 0;
  std::vector<IntTuple> Modes;
};

using Shape = IntTuple;
using Stride = IntTuple;
using Coord = IntTuple;

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const IntTuple &T);

/// Product of all leaves. Saturates at the largest 64-bit value.
int64_t product(const IntTuple &T);
/// Nesting depth; 0 for an integer.
unsigned depth(const IntTuple &T);
/// All leaves from left to right, as a tuple (an integer stays an integer).
IntTuple flatten(const IntTuple &T);
/// The leaves from left to right.
std::vector<int64_t> leaves(const IntTuple &T);
/// Whether both are nested in the same way, whatever their values.
bool congruent(const IntTuple &A, const IntTuple &B);
/// Whether every coordinate of \p A is also one of \p B: the sizes are equal,
/// and if both are tuples this holds for each mode.
bool compatible(const IntTuple &A, const IntTuple &B);
/// Whether \p T contains a wildcard.
bool hasAny(const IntTuple &T);
/// Strides of the compact column-major layout of \p S, starting at \p First.
IntTuple compactMajor(const IntTuple &S, int64_t First = 1);
/// The sizes of the modes of \p S: `((2,3),4)` gives `(6,4)`.
IntTuple productEach(const IntTuple &S);

/// Offset of coordinate \p C, which may be an integer wherever \p S is a
/// tuple (it is then unravelled colexicographically). \p C, \p S and \p D
/// must agree; see checkCoord.
int64_t crd2idx(const Coord &C, const Shape &S, const Stride &D);
/// Succeeds when \p C is a coordinate for shape \p S (nesting only; values may
/// lie outside, as in CuTe).
llvm::Error checkCoord(const Coord &C, const Shape &S);
/// Whether every number of \p C, a coordinate for \p S, is within its extent.
bool isWithin(const Coord &C, const Shape &S);
/// The coordinate within \p S of index \p Index, colexicographically.
Coord idx2crd(int64_t Index, const Shape &S);
/// The coordinate whose leaves are \p Index / stride % extent (0 for a stride
/// of 0): the coordinate with the offset \p Index in the layout of \p S and \p
/// D, if that is injective and ordered.
Coord idx2crd(int64_t Index, const Shape &S, const Stride &D);
/// The coordinate within \p To that has the same index as \p C within \p From;
/// mode by mode if all three are tuples.
llvm::Expected<Coord> crd2crd(const Coord &C, const Shape &From,
                              const Shape &To);

/// An error of the layout library.
llvm::Error layoutError(const llvm::Twine &Message);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_INTTUPLE_H
