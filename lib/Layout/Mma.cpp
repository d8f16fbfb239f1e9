//===- Mma.cpp - Tilings of MMA and copy atoms ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Mma.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <limits>

using namespace llvm;

namespace warpwright {

/// For each of the two modes of an operand, which of M, N, K it is.
static std::pair<unsigned, unsigned> modesOf(MmaOperand O) {
  switch (O) {
  case MmaOperand::A:
    return {0, 2};
  case MmaOperand::B:
    return {1, 2};
  case MmaOperand::C:
    return {0, 1};
  }
  llvm_unreachable("unknown operand");
}

Shape MmaAtom::tile(MmaOperand O) const {
  auto [First, Second] = modesOf(O);
  return {MNK[First], MNK[Second]};
}

static int64_t sizeOf(const Tiler &T) {
  if (T.isLayout())
    return T.layout().size();
  int64_t Size = 1;
  for (const Tiler &Mode : T.modes())
    if (MulOverflow(Size, sizeOf(Mode), Size))
      return std::numeric_limits<int64_t>::max();
  return Size;
}

Expected<TiledMma> TiledMma::create(MmaAtom Atom, const Layout &Atoms,
                                    const Tiler &Permutation) {
  if (Atoms.rank() > 3)
    return layoutError("atoms are laid out along M, N and K, not " +
                       Atoms.str());
  if (!Permutation.isAny() &&
      (!Permutation.isTuple() || Permutation.modes().size() != 3))
    return layoutError("a permutation has a tiler for each of M, N and K, "
                       "not " +
                       Permutation.str());
  TiledMma Result;
  Expected<Layout> Threads =
      tiledProduct(Atom.Threads, Tiler(append(Atoms, 3)));
  if (!Threads)
    return Threads.takeError();
  Result.Atom = std::move(Atom);
  Result.Threads = *Threads;
  for (unsigned I = 0; I < 3; ++I) {
    int64_t Natural = Result.Atom.MNK[I] * product(Threads->shape()[I + 1]);
    Result.Permutation[I] =
        Permutation.isAny() || Permutation.modes()[I].isAny()
            ? Tiler(Natural)
            : Permutation.modes()[I];
    if (int64_t Extent = Result.extent(I); Extent % Natural)
      return layoutError("the atoms cover " + Twine(Natural) + " along " +
                         Twine("MNK"[I]) + ", which does not divide the tile " +
                         Twine(Extent));
  }
  return Result;
}

int64_t TiledMma::extent(unsigned Index) const {
  return sizeOf(Permutation[Index]);
}

Shape TiledMma::tile(MmaOperand O) const {
  auto [First, Second] = modesOf(O);
  return {extent(First), extent(Second)};
}

/// The modes of \p L, appended to \p More.
static Layout joinBehind(std::vector<Layout> More, const Layout &L) {
  append_range(More, L.modes());
  return Layout::join(More);
}

Expected<Layout> TiledMma::divide(MmaOperand O, const Layout &L) const {
  if (L.rank() < 2)
    return layoutError("an operand has two modes, unlike " + L.str());
  auto [First, Second] = modesOf(O);
  Expected<Layout> Permuted = logicalDivide(
      L, Tiler::byMode({Permutation[First], Permutation[Second]}));
  if (!Permuted)
    return Permuted;
  // ((atom,atom),(rest,rest,...))
  Expected<Layout> Atoms = zippedDivide(
      *Permuted, Tiler::byMode({Atom.MNK[First], Atom.MNK[Second]}));
  if (!Atoms)
    return Atoms;
  Expected<Layout> Values = composition(Atoms->mode(0), Atom.values(O));
  if (!Values)
    return Values;
  // ((atom,atom) of the threads, (rest,rest,...))
  Expected<Layout> Rest = zippedDivide(
      Atoms->mode(1), Tiler::byMode({product(Threads.shape()[First + 1]),
                                     product(Threads.shape()[Second + 1])}));
  if (!Rest)
    return Rest;
  return Layout::join({Layout::join({Values->mode(0), Rest->mode(0)}),
                       Layout::join({Values->mode(1), Rest->mode(1)})});
}

std::vector<int64_t> threadCoordinates(const Layout &Threads, int64_t Thread) {
  std::vector<int64_t> Result;
  for (const Layout &Mode : Threads.modes()) {
    std::vector<int64_t> Extents = leaves(Mode.shape());
    std::vector<int64_t> Steps = leaves(Mode.stride());
    int64_t Index = 0, Weight = 1;
    for (size_t I = 0; I < Extents.size(); ++I) {
      if (Steps[I])
        Index += Thread / std::abs(Steps[I]) % Extents[I] * Weight;
      Weight *= Extents[I];
    }
    Result.push_back(Index);
  }
  return Result;
}

/// \p L, shifted by \p Shift, after the swizzle of \p From.
static ComposedLayout shifted(const ComposedLayout &From, int64_t Shift,
                              Layout L) {
  if (From.isPlain() && !Shift)
    return L;
  return ComposedLayout(From.swizzle(), From.offset() + Shift, std::move(L));
}

Expected<ComposedLayout> TiledMma::partition(MmaOperand O,
                                             const ComposedLayout &L,
                                             int64_t Thread) const {
  std::vector<int64_t> At = threadCoordinates(Threads, Thread);
  if (Thread < 0 || Threads({At[0], At[1], At[2], At[3]}) != Thread)
    return layoutError("no thread " + Twine(Thread) + " in " + Threads.str());
  Expected<Layout> Divided = divide(O, L.outer());
  if (!Divided)
    return Divided.takeError();
  auto [First, Second] = modesOf(O);
  int64_t Shift = Divided->mode(0)({At[0], {At[First + 1], At[Second + 1]}});
  Layout Mine = Divided->mode(1);
  return shifted(L, Shift, joinBehind({Mine.mode(0)}, Mine.mode(1)));
}

namespace {
struct OrderedLeaf {
  int64_t Extent, Step;
  size_t Index;
};
} // namespace

static Stride withLeaves(const Shape &S, ArrayRef<int64_t> Steps,
                         size_t &Next) {
  if (!S.isTuple())
    return Steps[Next++];
  std::vector<IntTuple> Modes;
  for (const IntTuple &Mode : S.modes())
    Modes.push_back(withLeaves(Mode, Steps, Next));
  return IntTuple::tuple(std::move(Modes));
}

/// Compact strides for the leaves of \p L. With \p ByStride, leaves with
/// smaller strides vary faster, otherwise those to the left. With \p KeepZeros,
/// a broadcast (stride 0) stays one.
static Layout compactLike(const Layout &L, bool ByStride, bool KeepZeros) {
  std::vector<int64_t> Extents = leaves(L.shape()), Steps = leaves(L.stride());
  std::vector<OrderedLeaf> Sorted;
  for (size_t I = 0; I < Extents.size(); ++I)
    Sorted.push_back({Extents[I], Steps[I], I});
  if (ByStride)
    llvm::stable_sort(Sorted, [](const OrderedLeaf &A, const OrderedLeaf &B) {
      return A.Step < B.Step;
    });
  std::vector<int64_t> Result(Extents.size(), 0);
  int64_t Step = 1;
  for (const OrderedLeaf &Leaf : Sorted) {
    if (Leaf.Extent == 1 || (KeepZeros && !Leaf.Step))
      continue;
    Result[Leaf.Index] = Step;
    Step *= Leaf.Extent;
  }
  size_t Next = 0;
  return Layout(L.shape(), withLeaves(L.shape(), Result, Next));
}

Layout layoutLike(const Layout &L) {
  return compactLike(L, /*ByStride=*/true, /*KeepZeros=*/true);
}

Expected<Layout> fragmentLike(const Layout &L) {
  if (L.rank() < 2)
    return compactLike(L, /*ByStride=*/false, /*KeepZeros=*/false);
  std::vector<Layout> Rest = L.modes();
  Rest.erase(Rest.begin());
  return tiledProduct(
      compactLike(L.mode(0), /*ByStride=*/false, /*KeepZeros=*/true),
      Tiler(compactLike(Layout::join(Rest), /*ByStride=*/true,
                        /*KeepZeros=*/false)));
}

Expected<Layout> TiledMma::fragment(MmaOperand O,
                                    const ComposedLayout &L) const {
  Expected<ComposedLayout> Mine = partition(O, L, 0);
  if (!Mine)
    return Mine.takeError();
  if (Atom.FromSmem[int(O)]) {
    constexpr unsigned DescriptorBits = 128;
    Expected<ComposedLayout> Chunks =
        recast(Mine->outer(), Atom.Bits[int(O)], DescriptorBits);
    if (!Chunks)
      return Chunks.takeError();
    std::vector<Layout> Modes = Chunks->outer().modes();
    Modes[0] = Layout(); // one descriptor represents all values
    return Layout::join(Modes);
  }
  if (O == MmaOperand::C)
    return compactLike(Mine->outer(), /*ByStride=*/false, /*KeepZeros=*/false);
  return fragmentLike(Mine->outer());
}

Expected<Layout> TiledMma::threadValue(MmaOperand O) const {
  Expected<Layout> Divided = divide(O, Layout::compact(tile(O)));
  if (!Divided)
    return Divided;
  Layout Thread = Divided->mode(0);
  if (O != MmaOperand::C) {
    // Threads along the index that the operand does not have hold the same
    // elements.
    bool IsA = O == MmaOperand::A;
    Layout Along({product(Threads.shape()[1]), product(Threads.shape()[2])},
                 {int64_t(IsA), int64_t(!IsA)});
    Expected<Layout> Both = composition(Thread.mode(1).mode(0), Along);
    if (!Both)
      return Both;
    Thread = Layout::join(
        {Thread.mode(0), Layout::join({*Both, Thread.mode(1).mode(1)})});
  }
  Expected<Layout> ByIndex = composition(Thread, rightInverse(Threads));
  if (!ByIndex)
    return ByIndex;
  return Layout::join({*ByIndex, Divided->mode(1)});
}

Expected<TiledCopy> TiledCopy::create(const CopyAtom &Atom, unsigned Bits,
                                      Layout ThreadValue, Shape Tile) {
  TiledCopy Result;
  std::pair<const Layout *, Layout *> Parts[] = {
      {&Atom.Source, &Result.Source},
      {&Atom.Destination, &Result.Destination},
      {&Atom.Reference, &Result.Reference}};
  for (auto [InBits, InElements] : Parts) {
    Expected<ComposedLayout> L = recast(*InBits, 1, Bits);
    if (!L)
      return L.takeError();
    *InElements = L->outer();
  }
  for (unsigned I = 0; I < 2; ++I) {
    int64_t Have = product(ThreadValue.shape()[I]);
    int64_t Want = product(Result.Reference.shape()[I]);
    if (Have % Want)
      return layoutError(Atom.Name + " takes " + Twine(Want) +
                         (I ? " values a thread" : " threads") +
                         ", which does not divide the " + Twine(Have) +
                         " of the tiling " + ThreadValue.str());
  }
  Result.ThreadValue = std::move(ThreadValue);
  Result.Tile = std::move(Tile);
  return Result;
}

Expected<TiledCopy> TiledCopy::create(const CopyAtom &Atom, unsigned Bits,
                                      const TiledMma &Mma, MmaOperand O) {
  Expected<Layout> ThreadValue = Mma.threadValue(O);
  if (!ThreadValue)
    return ThreadValue.takeError();
  return create(Atom, Bits, *ThreadValue, Mma.tile(O));
}

Expected<TiledCopy> TiledCopy::create(const CopyAtom &Atom, unsigned Bits,
                                      const Layout &Threads,
                                      const Layout &Values) {
  // Maps (m, n) to the thread plus, times the number of threads, the value.
  Expected<Layout> Tile = rakedProduct(Threads, Values);
  if (!Tile)
    return Tile.takeError();
  Expected<Layout> ThreadValue = composition(
      rightInverse(*Tile), Layout::compact({Threads.size(), Values.size()}));
  if (!ThreadValue)
    return ThreadValue.takeError();
  if (rightInverse(*Tile).size() != Tile->size())
    return layoutError("threads " + Threads.str() + " and values " +
                       Values.str() + " do not cover a tile once");
  return create(Atom, Bits, *ThreadValue, productEach(Tile->shape()));
}

/// A tiler with one extent per mode of \p S.
static Tiler tilerOf(const Shape &S) {
  std::vector<Tiler> Modes;
  for (unsigned I = 0; I < S.rank(); ++I)
    Modes.push_back(Tiler(product(S[I])));
  return Tiler::byMode(std::move(Modes));
}

Expected<ComposedLayout> TiledCopy::partition(const ComposedLayout &L,
                                              const Layout &Target,
                                              int64_t Thread) const {
  if (Thread < 0 || Thread >= product(ThreadValue.shape()[0]))
    return layoutError("no thread " + Twine(Thread) + " in " +
                       ThreadValue.str());
  // ((thread,value) of the atom, (rest of the threads, of the values))
  Expected<Layout> Atoms =
      zippedDivide(ThreadValue, tilerOf(productEach(Reference.shape())));
  if (!Atoms)
    return Atoms.takeError();
  Expected<Layout> ToReference = composition(rightInverse(Reference), Target);
  if (!ToReference)
    return ToReference.takeError();
  Expected<Layout> Own = composition(Atoms->mode(0), *ToReference);
  if (!Own)
    return Own.takeError();
  Layout Rest = Atoms->mode(1);
  Layout ByThread = coalesce(Layout::join({Own->mode(0), Rest.mode(0)}));
  Layout ByValue =
      Layout::join({coalesce(Own->mode(1)), coalesce(Rest.mode(1))});
  Expected<Layout> Tiles = zippedDivide(L.outer(), tilerOf(Tile));
  if (!Tiles)
    return Tiles.takeError();
  Expected<Layout> Threads = composition(Tiles->mode(0), ByThread);
  Expected<Layout> Values = composition(Tiles->mode(0), ByValue);
  if (!Threads || !Values)
    return joinErrors(Threads.takeError(), Values.takeError());
  return shifted(L, (*Threads)(Thread), joinBehind({*Values}, Tiles->mode(1)));
}

Expected<Layout> TiledCopy::retile(const Layout &L) const {
  int64_t Values = product(L.shape()[0]);
  // Maps (m,n) of the tile to the fragment to which it belongs.
  Expected<Layout> Inverse =
      composition(rightInverse(ThreadValue), Layout::compact(Tile));
  if (!Inverse)
    return Inverse;
  // Only a factor; recast refuses layouts that it does not divide.
  Expected<ComposedLayout> Fragments =
      recast(*Inverse, 1, product(ThreadValue.shape()[0]) * Values);
  if (!Fragments)
    return Fragments.takeError();
  Expected<Layout> InFragment = logicalProduct(
      Layout(Values, 1), Tiler(rightInverse(Fragments->outer())));
  if (!InFragment)
    return InFragment;
  Expected<Layout> ByAtom =
      zippedDivide(*InFragment, Tiler(product(Reference.shape()[1])));
  if (!ByAtom)
    return ByAtom;
  std::vector<IntTuple> Extents{Values};
  for (const IntTuple &Mode : Fragments->shape().modes())
    Extents.push_back(product(Mode));
  // ((value,m,n),(1,rest,rest))
  Expected<Layout> Tiles =
      zippedDivide(L, tilerOf(IntTuple::tuple(std::move(Extents))));
  if (!Tiles)
    return Tiles;
  Expected<Layout> Own = composition(Tiles->mode(0), *ByAtom);
  if (!Own)
    return Own;
  std::vector<Layout> Rest = Tiles->mode(1).modes();
  Rest[0] = *Own;
  return Layout::join(Rest);
}

} // namespace warpwright
