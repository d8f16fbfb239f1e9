//===- Modes.cpp - Picking and padding the modes of layouts ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

Layout flatten(const Layout &L) {
  return Layout(flatten(L.shape()), flatten(L.stride()));
}

Expected<Layout> group(const Layout &L, unsigned Begin, unsigned End) {
  if (Begin >= End || End > L.rank())
    return layoutError("cannot group modes " + Twine(Begin) + ".." +
                       Twine(End) + " of " + L.str());
  std::vector<Layout> Modes = L.modes(),
                      Result(Modes.begin(), Modes.begin() + Begin);
  Result.push_back(
      Layout::join(ArrayRef<Layout>(Modes).slice(Begin, End - Begin)));
  Result.insert(Result.end(), Modes.begin() + End, Modes.end());
  return Layout::join(Result);
}

Expected<Layout> select(const Layout &L, ArrayRef<unsigned> Modes) {
  std::vector<Layout> Result;
  for (unsigned I : Modes) {
    if (I >= L.rank())
      return layoutError("no mode " + Twine(I) + " in " + L.str());
    Result.push_back(L.mode(I));
  }
  return Layout::join(Result);
}

Expected<Layout> take(const Layout &L, unsigned Begin, unsigned End) {
  if (Begin >= End || End > L.rank())
    return layoutError("no modes " + Twine(Begin) + ".." + Twine(End) + " in " +
                       L.str());
  return Layout::join(ArrayRef<Layout>(L.modes()).slice(Begin, End - Begin));
}

Expected<Layout> modeAt(const Layout &L, ArrayRef<unsigned> Path) {
  Layout Result = L;
  for (unsigned I : Path) {
    if (I >= Result.rank() || !Result.shape().isTuple())
      return layoutError("no mode " + Twine(I) + " in " + Result.str());
    Layout Mode = Result.mode(I);
    Result = std::move(Mode);
  }
  return Result;
}

Layout append(const Layout &L, const Layout &Mode) {
  std::vector<Layout> Modes = L.modes();
  Modes.push_back(Mode);
  return Layout::join(Modes);
}

Layout prepend(const Layout &L, const Layout &Mode) {
  std::vector<Layout> Result{Mode};
  llvm::append_range(Result, L.modes());
  return Layout::join(Result);
}

Layout append(const Layout &L, unsigned Rank, const Layout &Mode) {
  if (L.rank() >= Rank)
    return L;
  std::vector<Layout> Modes = L.modes();
  Modes.resize(Rank, Mode);
  return Layout::join(Modes);
}

Layout prepend(const Layout &L, unsigned Rank, const Layout &Mode) {
  if (L.rank() >= Rank)
    return L;
  std::vector<Layout> Result(Rank - L.rank(), Mode);
  llvm::append_range(Result, L.modes());
  return Layout::join(Result);
}

Layout filterZeros(const Layout &L) {
  if (!L.shape().isTuple())
    return L.stride().value() ? L : Layout(1, 0);
  std::vector<Layout> Modes;
  for (const Layout &Mode : L.modes())
    Modes.push_back(filterZeros(Mode));
  return Layout::join(Modes);
}

Layout nullspace(const Layout &L) {
  std::vector<int64_t> Extents = leaves(L.shape()), Steps = leaves(L.stride());
  std::vector<IntTuple> S, D;
  int64_t Step = 1;
  for (size_t I = 0; I < Extents.size(); ++I) {
    if (Steps[I] == 0) {
      S.push_back(Extents[I]);
      D.push_back(Step);
    }
    Step *= Extents[I];
  }
  if (S.empty())
    return Layout();
  return Layout(IntTuple::tuple(std::move(S)), IntTuple::tuple(std::move(D)));
}

static void collectSlice(const Layout &L, const Coord &C,
                         std::vector<Layout> &Kept) {
  if (C.isAny())
    Kept.push_back(L);
  else if (C.isTuple())
    for (unsigned I = 0; I < C.rank(); ++I)
      collectSlice(L.mode(I), C[I], Kept);
}

Expected<ComposedLayout> slice(const ComposedLayout &L, const Coord &C) {
  if (Error E = checkCoord(C, L.shape()))
    return E;
  if (C.isAny())
    return L;
  std::vector<Layout> Kept;
  collectSlice(L.outer(), C, Kept);
  Layout Rest = Kept.empty() ? Layout() : Layout::join(Kept);
  if (L.isPlain())
    return ComposedLayout(Rest);
  return ComposedLayout(L.swizzle(), L.offset() + L.outer()(C), Rest);
}

static void collectDiced(const Layout &L, const Coord &C,
                         std::vector<Layout> &Kept) {
  if (C.isInt())
    Kept.push_back(L);
  else if (C.isTuple())
    for (unsigned I = 0; I < C.rank(); ++I)
      collectDiced(L.mode(I), C[I], Kept);
}

Expected<Layout> dice(const Layout &L, const Coord &C) {
  if (Error E = checkCoord(C, L.shape()))
    return E;
  if (!C.isTuple())
    return C.isInt() ? L : Layout();
  std::vector<Layout> Kept;
  collectDiced(L, C, Kept);
  return Kept.empty() ? Layout() : Layout::join(Kept);
}

} // namespace warpwright
