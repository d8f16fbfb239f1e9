//===- IntTuple.cpp - Hierarchical integers -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/IntTuple.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace llvm;

namespace warpwright {

Error layoutError(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

raw_ostream &operator<<(raw_ostream &OS, const IntTuple &T) {
  if (T.isAny())
    return OS << '_';
  if (T.isInt())
    return OS << T.value();
  OS << '(';
  for (unsigned I = 0; I < T.rank(); ++I)
    OS << (I ? "," : "") << T[I];
  return OS << ')';
}

std::string IntTuple::str() const {
  std::string Text;
  raw_string_ostream(Text) << *this;
  return Text;
}

int64_t product(const IntTuple &T) {
  if (!T.isTuple())
    return T.isInt() ? T.value() : 1;
  int64_t Result = 1;
  for (const IntTuple &Mode : T.modes())
    if (MulOverflow(Result, product(Mode), Result))
      return std::numeric_limits<int64_t>::max();
  return Result;
}

unsigned depth(const IntTuple &T) {
  if (!T.isTuple())
    return 0;
  unsigned Result = 0;
  for (const IntTuple &Mode : T.modes())
    Result = std::max(Result, depth(Mode));
  return Result + 1;
}

static void collectLeaves(const IntTuple &T, std::vector<int64_t> &Out) {
  if (!T.isTuple()) {
    Out.push_back(T.value());
    return;
  }
  for (const IntTuple &Mode : T.modes())
    collectLeaves(Mode, Out);
}

std::vector<int64_t> leaves(const IntTuple &T) {
  std::vector<int64_t> Out;
  collectLeaves(T, Out);
  return Out;
}

IntTuple flatten(const IntTuple &T) {
  if (!T.isTuple())
    return T;
  std::vector<IntTuple> Modes;
  for (int64_t Leaf : leaves(T))
    Modes.push_back(Leaf);
  return IntTuple::tuple(std::move(Modes));
}

bool congruent(const IntTuple &A, const IntTuple &B) {
  if (A.isTuple() != B.isTuple() || A.rank() != B.rank())
    return false;
  if (!A.isTuple())
    return true;
  for (unsigned I = 0; I < A.rank(); ++I)
    if (!congruent(A[I], B[I]))
      return false;
  return true;
}

bool compatible(const IntTuple &A, const IntTuple &B) {
  if (!A.isTuple())
    return product(A) == product(B);
  if (!B.isTuple() || A.rank() != B.rank())
    return false;
  for (unsigned I = 0; I < A.rank(); ++I)
    if (!compatible(A[I], B[I]))
      return false;
  return true;
}

bool hasAny(const IntTuple &T) {
  return T.isTuple() ? any_of(T.modes(), hasAny) : T.isAny();
}

IntTuple compactMajor(const IntTuple &S, int64_t First) {
  if (!S.isTuple())
    return First;
  std::vector<IntTuple> Modes;
  for (const IntTuple &Mode : S.modes()) {
    Modes.push_back(compactMajor(Mode, First));
    if (MulOverflow(First, product(Mode), First))
      First = std::numeric_limits<int64_t>::max();
  }
  return IntTuple::tuple(std::move(Modes));
}

IntTuple productEach(const IntTuple &S) {
  if (!S.isTuple())
    return S;
  std::vector<IntTuple> Modes;
  for (const IntTuple &Mode : S.modes())
    Modes.push_back(product(Mode));
  return IntTuple::tuple(std::move(Modes));
}

int64_t crd2idx(const Coord &C, const Shape &S, const Stride &D) {
  if (C.isTuple()) {
    assert(S.isTuple() && C.rank() == S.rank() && "coordinate of wrong shape");
    int64_t Sum = 0;
    for (unsigned I = 0; I < C.rank(); ++I)
      Sum += crd2idx(C[I], S[I], D[I]);
    return Sum;
  }
  if (C.isAny())
    return 0;
  if (!S.isTuple())
    return C.value() * D.value();
  // The last mode takes the rest, even beyond its extent, as in CuTe.
  int64_t Rest = C.value(), Sum = 0;
  for (unsigned I = 0; I < S.rank(); ++I) {
    int64_t Size = product(S[I]);
    bool Last = I + 1 == S.rank();
    Sum += crd2idx(Last ? Rest : Rest % Size, S[I], D[I]);
    Rest /= Size;
  }
  return Sum;
}

Error checkCoord(const Coord &C, const Shape &S) {
  if (!C.isTuple())
    return Error::success();
  if (!S.isTuple() || C.rank() != S.rank())
    return layoutError("coordinate " + C.str() + " does not fit the shape " +
                       S.str());
  for (unsigned I = 0; I < C.rank(); ++I)
    if (Error E = checkCoord(C[I], S[I]))
      return E;
  return Error::success();
}

bool isWithin(const Coord &C, const Shape &S) {
  if (C.isAny())
    return true;
  if (C.isInt())
    return C.value() >= 0 && C.value() < product(S);
  for (unsigned I = 0; I < C.rank(); ++I)
    if (!isWithin(C[I], S[I]))
      return false;
  return true;
}

Expected<Coord> crd2crd(const Coord &C, const Shape &From, const Shape &To) {
  if (hasAny(C))
    return layoutError("'_' names no single coordinate");
  if (Error E = checkCoord(C, From))
    return E;
  if (!C.isTuple() || !To.isTuple())
    return idx2crd(crd2idx(C, From, compactMajor(From)), To);
  if (C.rank() != To.rank())
    return layoutError("coordinate " + C.str() + " does not fit the shape " +
                       To.str());
  std::vector<IntTuple> Modes;
  for (unsigned I = 0; I < C.rank(); ++I) {
    Expected<Coord> Mode = crd2crd(C[I], From[I], To[I]);
    if (!Mode)
      return Mode;
    Modes.push_back(*Mode);
  }
  return IntTuple::tuple(std::move(Modes));
}

Coord idx2crd(int64_t Index, const Shape &S) {
  if (!S.isTuple())
    return Index;
  std::vector<IntTuple> Modes;
  for (unsigned I = 0; I < S.rank(); ++I) {
    int64_t Size = product(S[I]);
    bool Last = I + 1 == S.rank();
    Modes.push_back(idx2crd(Last ? Index : Index % Size, S[I]));
    Index /= Size;
  }
  return IntTuple::tuple(std::move(Modes));
}

Coord idx2crd(int64_t Index, const Shape &S, const Stride &D) {
  if (!S.isTuple())
    return D.value() ? Index / D.value() % S.value() : 0;
  std::vector<IntTuple> Modes;
  for (unsigned I = 0; I < S.rank(); ++I)
    Modes.push_back(idx2crd(Index, S[I], D[I]));
  return IntTuple::tuple(std::move(Modes));
}

} // namespace warpwright
