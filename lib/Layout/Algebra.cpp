//===- Algebra.cpp - Operations on layouts --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <numeric>

using namespace llvm;

namespace warpwright {

namespace {
/// One leaf of a layout.
struct Leaf {
  int64_t Extent, Step;
};
} // namespace

static std::vector<Leaf> layoutLeaves(const Layout &L) {
  std::vector<int64_t> Extents = leaves(L.shape()), Steps = leaves(L.stride());
  std::vector<Leaf> Result;
  for (size_t I = 0; I < Extents.size(); ++I)
    Result.push_back({Extents[I], Steps[I]});
  return Result;
}

/// A flat layout of \p Leaves; one leaf becomes an integer layout.
static Layout fromLeaves(ArrayRef<Leaf> Leaves) {
  if (Leaves.empty())
    return Layout();
  if (Leaves.size() == 1)
    return Layout(Leaves[0].Extent, Leaves[0].Step);
  std::vector<IntTuple> S, D;
  for (const Leaf &L : Leaves) {
    S.push_back(L.Extent);
    D.push_back(L.Step);
  }
  return Layout(IntTuple::tuple(std::move(S)), IntTuple::tuple(std::move(D)));
}

/// \p A times \p B, which must stay far from the limits of the type so that a
/// few of them can be added up.
static Expected<int64_t> scaled(int64_t A, int64_t B) {
  int64_t Result;
  if (MulOverflow(A, B, Result) || std::abs(Result) > (int64_t(1) << 55))
    return layoutError("an offset beyond 2^55");
  return Result;
}

static std::vector<Leaf> coalescedLeaves(const Layout &L) {
  std::vector<Leaf> Result;
  for (const Leaf &Next : layoutLeaves(L)) {
    if (Next.Extent == 1)
      continue;
    if (!Result.empty() &&
        Result.back().Extent * Result.back().Step == Next.Step)
      Result.back().Extent *= Next.Extent;
    else
      Result.push_back(Next);
  }
  if (Result.empty())
    Result.push_back({1, 0});
  return Result;
}

std::string Tiler::str() const {
  if (isAny())
    return "_";
  if (isLayout())
    return Whole->str();
  std::string Text = "<";
  for (size_t I = 0; I < Modes.size(); ++I)
    Text += (I ? "," : "") + Modes[I].str();
  return Text + ">";
}

Layout coalesce(const Layout &L) { return fromLeaves(coalescedLeaves(L)); }

Expected<Layout> coalesce(const Layout &L, const IntTuple &Profile) {
  if (!Profile.isTuple())
    return coalesce(L);
  if (Profile.rank() > L.rank())
    return layoutError("profile " + Profile.str() + " has more modes than " +
                       L.str());
  std::vector<Layout> Modes = L.modes();
  for (unsigned I = 0; I < Profile.rank(); ++I) {
    Expected<Layout> Mode = coalesce(Modes[I], Profile[I]);
    if (!Mode)
      return Mode.takeError();
    Modes[I] = *Mode;
  }
  return Layout::join(Modes);
}

Layout filter(const Layout &L) {
  std::vector<Leaf> Kept;
  for (const Leaf &Next : layoutLeaves(L))
    if (Next.Extent != 1 && Next.Step != 0)
      Kept.push_back(Next);
  return coalesce(fromLeaves(Kept));
}

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

Layout append(const Layout &L, unsigned Rank) {
  if (L.rank() >= Rank)
    return L;
  std::vector<Layout> Modes = L.modes();
  Modes.resize(Rank);
  return Layout::join(Modes);
}

Layout prepend(const Layout &L, unsigned Rank) {
  if (L.rank() >= Rank)
    return L;
  std::vector<Layout> Result(Rank - L.rank());
  llvm::append_range(Result, L.modes());
  return Layout::join(Result);
}

/// A o (Extent:Step) for a coalesced A.
static Expected<Layout> composeLeaf(ArrayRef<Leaf> A, Leaf B) {
  if (B.Step == 0)
    return Layout(B.Extent, 0);
  if (B.Step < 0)
    return layoutError("composition with the negative stride of " +
                       fromLeaves(B).str());
  std::vector<Leaf> Result;
  int64_t Rest = B.Extent, Step = B.Step;
  for (size_t I = 0; I + 1 < A.size(); ++I) {
    const Leaf &Mode = A[I];
    auto Fail = [&](const Twine &Why) {
      return layoutError("composition of " + fromLeaves(A).str() + " with " +
                         fromLeaves(B).str() + ": " + Why + " of mode " +
                         Twine(I) + " (" + fromLeaves(Mode).str() + ")");
    };
    // The elements Step apart must enter the next mode at its start, or
    // every step must stay within a whole number of this mode's rows.
    if (Rest > 1 && Mode.Extent % Step && Step % Mode.Extent)
      return Fail("stride " + Twine(Step) + " does not divide the extent");
    int64_t Take = std::min(std::max<int64_t>(1, Mode.Extent / Step), Rest);
    if (Rest % Take)
      return Fail("the remaining extent " + Twine(Rest) +
                  " is not a multiple of the " + Twine(Take) + " elements");
    if (Take != 1) {
      Expected<int64_t> Stride = scaled(Step, Mode.Step);
      if (!Stride)
        return Stride.takeError();
      Result.push_back({Take, *Stride});
    }
    Rest /= Take;
    Step = (Step + Mode.Extent - 1) / Mode.Extent;
  }
  if (Rest != 1 || Result.empty()) {
    Expected<int64_t> Stride = scaled(Step, A.back().Step);
    if (!Stride)
      return Stride.takeError();
    Result.push_back({Rest, *Stride});
  }
  return fromLeaves(Result);
}

Expected<Layout> composition(const Layout &A, const Layout &B) {
  if (!B.shape().isTuple())
    return composeLeaf(coalescedLeaves(A),
                       {B.shape().value(), B.stride().value()});
  std::vector<Layout> Modes;
  for (const Layout &Mode : B.modes()) {
    Expected<Layout> Part = composition(A, Mode);
    if (!Part)
      return Part.takeError();
    Modes.push_back(*Part);
  }
  return Layout::join(Modes);
}

namespace {
using LayoutOperation = Expected<Layout> (*)(const Layout &, const Tiler &);
} // namespace

/// Applies \p Operation mode by mode; modes beyond the tiler's stay.
static Expected<Layout> byMode(const char *Name, const Layout &L,
                               const Tiler &T, LayoutOperation Operation) {
  if (T.modes().size() > L.rank())
    return layoutError(Twine(Name) + ": the tiler " + T.str() +
                       " has more modes than " + L.str());
  std::vector<Layout> Modes = L.modes();
  for (size_t I = 0; I < T.modes().size(); ++I) {
    Expected<Layout> Mode = Operation(Modes[I], T.modes()[I]);
    if (!Mode)
      return layoutError(Twine(Name) + ", mode " + Twine(I) + ": " +
                         toString(Mode.takeError()));
    Modes[I] = *Mode;
  }
  return Layout::join(Modes);
}

Expected<Layout> composition(const Layout &A, const Tiler &T) {
  if (T.isAny())
    return A;
  if (T.isTuple())
    return byMode("composition", A, T, [](const Layout &L, const Tiler &T) {
      return composition(L, T);
    });
  return composition(A, T.layout());
}

Expected<Layout> complement(const Layout &L, int64_t Target) {
  if (Target < 1)
    return layoutError("complement of " + L.str() + " in " + Twine(Target) +
                       ": the target must be positive");
  std::vector<Leaf> Sorted;
  for (const Leaf &Next : layoutLeaves(L))
    if (Next.Step != 0 && Next.Extent != 1)
      Sorted.push_back(Next);
  llvm::stable_sort(Sorted, [](const Leaf &A, const Leaf &B) {
    return std::pair(A.Step, A.Extent) < std::pair(B.Step, B.Extent);
  });
  std::vector<Leaf> Result;
  int64_t Reached = 1;
  for (const Leaf &Next : Sorted) {
    if (Next.Step < 0)
      return layoutError("complement of " + L.str() + ": negative stride");
    if (Next.Step % Reached)
      return layoutError(
          "complement of " + L.str() + ": stride " + Twine(Next.Step) +
          " of the mode " + fromLeaves(Next).str() + " is not a multiple of " +
          Twine(Reached) + ", which the modes with smaller strides fill");
    Result.push_back({Next.Step / Reached, Reached});
    Expected<int64_t> End = scaled(Next.Extent, Next.Step);
    if (!End)
      return End.takeError();
    Reached = *End;
  }
  Result.push_back({(Target + Reached - 1) / Reached, Reached});
  return coalesce(fromLeaves(Result));
}

Layout rightInverse(const Layout &L) {
  struct Entry {
    int64_t Step, Extent, Index;
  };
  std::vector<Entry> Sorted;
  int64_t Index = 1;
  for (const Leaf &Next : layoutLeaves(L)) {
    if (Next.Extent != 1)
      Sorted.push_back({Next.Step, Next.Extent, Index});
    if (MulOverflow(Index, Next.Extent, Index))
      break; // no mode that large is reached
  }
  llvm::stable_sort(Sorted, [](const Entry &A, const Entry &B) {
    return std::tie(A.Step, A.Extent, A.Index) <
           std::tie(B.Step, B.Extent, B.Index);
  });
  std::vector<Leaf> Result;
  int64_t Reached = 1;
  for (const Entry &Next : Sorted) {
    if (Next.Step != Reached) {
      if (Next.Step < Reached)
        continue; // a broadcast, or a mode that repeats offsets
      break;
    }
    Result.push_back({Next.Extent, Next.Index});
    Reached *= Next.Extent;
  }
  return coalesce(fromLeaves(Result));
}

Expected<Layout> leftInverse(const Layout &L) {
  for (const Leaf &Next : layoutLeaves(L))
    if (Next.Extent > 1 && Next.Step == 0)
      return layoutError("left inverse of " + L.str() + ": not injective, " +
                         "a mode of extent " + Twine(Next.Extent) +
                         " has stride 0");
  Expected<Layout> Rest = complement(L, 1);
  if (!Rest)
    return Rest.takeError();
  return rightInverse(Layout::join({L, *Rest}));
}

Expected<Layout> logicalDivide(const Layout &L, const Tiler &T) {
  if (T.isAny())
    return L;
  if (T.isTuple())
    return byMode("logical_divide", L, T, logicalDivide);
  Expected<Layout> Rest = complement(T.layout(), L.size());
  if (!Rest)
    return Rest.takeError();
  return composition(L, Layout::join({T.layout(), *Rest}));
}

Expected<Layout> logicalProduct(const Layout &L, const Tiler &T) {
  if (T.isAny())
    return L;
  if (T.isTuple())
    return byMode("logical_product", L, T, logicalProduct);
  Expected<int64_t> Total = scaled(L.size(), T.layout().cosize());
  if (!Total)
    return Total.takeError();
  Expected<Layout> Free = complement(L, *Total);
  if (!Free)
    return Free.takeError();
  Expected<Layout> Repeat = composition(*Free, T.layout());
  if (!Repeat)
    return Repeat.takeError();
  return Layout::join({L, *Repeat});
}

/// Splits by \p Split and gathers ((tiles),(rests)) along the tiler's profile.
static Expected<Layout> unzip(const Layout &L, const Tiler &T,
                              LayoutOperation Split) {
  if (T.isAny())
    return Layout::join({Layout(), L});
  if (!T.isTuple())
    return Split(L, T);
  if (T.modes().size() > L.rank())
    return layoutError("the tiler " + T.str() + " has more modes than " +
                       L.str());
  std::vector<Layout> Tiles, Rests;
  for (unsigned I = 0; I < L.rank(); ++I) {
    if (I >= T.modes().size()) {
      Rests.push_back(L.mode(I));
      continue;
    }
    Expected<Layout> Mode = unzip(L.mode(I), T.modes()[I], Split);
    if (!Mode)
      return layoutError("mode " + Twine(I) + ": " +
                         toString(Mode.takeError()));
    Tiles.push_back(Mode->mode(0));
    Rests.push_back(Mode->mode(1));
  }
  return Layout::join({Layout::join(Tiles), Layout::join(Rests)});
}

/// Spreads the modes of the rank-2 \p L: mode 1, and mode 0 too if \p Both.
static Expected<Layout> spread(Expected<Layout> L, bool Both) {
  if (!L)
    return L;
  std::vector<Layout> Modes;
  if (Both)
    Modes = L->mode(0).modes();
  else
    Modes.push_back(L->mode(0));
  llvm::append_range(Modes, L->mode(1).modes());
  return Layout::join(Modes);
}

Expected<Layout> zippedDivide(const Layout &L, const Tiler &T) {
  return unzip(L, T, logicalDivide);
}
Expected<Layout> tiledDivide(const Layout &L, const Tiler &T) {
  return spread(zippedDivide(L, T), /*Both=*/false);
}
Expected<Layout> flatDivide(const Layout &L, const Tiler &T) {
  return spread(zippedDivide(L, T), /*Both=*/true);
}
Expected<Layout> zippedProduct(const Layout &L, const Tiler &T) {
  return unzip(L, T, logicalProduct);
}
Expected<Layout> tiledProduct(const Layout &L, const Tiler &T) {
  return spread(zippedProduct(L, T), /*Both=*/false);
}
Expected<Layout> flatProduct(const Layout &L, const Tiler &T) {
  return spread(zippedProduct(L, T), /*Both=*/true);
}

/// logical_product at a common rank, its two halves zipped mode by mode.
static Expected<Layout> rankedProduct(const Layout &Block, const Layout &T,
                                      bool BlockFirst) {
  unsigned Rank = std::max(Block.rank(), T.rank());
  Expected<Layout> Product =
      logicalProduct(append(Block, Rank), Tiler(append(T, Rank)));
  if (!Product)
    return Product;
  std::vector<Layout> Modes;
  for (unsigned I = 0; I < Rank; ++I) {
    Layout Inner = Product->mode(0).mode(I), Outer = Product->mode(1).mode(I);
    Modes.push_back(BlockFirst ? Layout::join({Inner, Outer})
                               : Layout::join({Outer, Inner}));
  }
  return Layout::join(Modes);
}

Expected<Layout> blockedProduct(const Layout &Block, const Layout &T) {
  return rankedProduct(Block, T, /*BlockFirst=*/true);
}
Expected<Layout> rakedProduct(const Layout &Block, const Layout &T) {
  return rankedProduct(Block, T, /*BlockFirst=*/false);
}

Expected<Layout> orderedLayout(const Shape &S, const IntTuple &Order) {
  if (Order.rank() != S.rank() || depth(Order) > 1)
    return layoutError("order " + Order.str() + " does not fit the shape " +
                       S.str());
  std::vector<unsigned> Modes(S.rank());
  std::iota(Modes.begin(), Modes.end(), 0);
  llvm::stable_sort(Modes, [&](unsigned A, unsigned B) {
    return Order[A].value() < Order[B].value();
  });
  std::vector<Stride> Steps(S.rank(), Stride(0));
  int64_t Step = 1;
  for (unsigned Mode : Modes) {
    // A single element gets stride 0, as in CuTe.
    Steps[Mode] = product(S[Mode]) == 1 && !S[Mode].isTuple()
                      ? Stride(0)
                      : compactMajor(S[Mode], Step);
    Step *= product(S[Mode]);
  }
  return Layout(S, S.isTuple() ? IntTuple::tuple(std::move(Steps)) : Steps[0]);
}

Expected<ComposedLayout> tileToShape(const ComposedLayout &Block,
                                     const Shape &Target,
                                     const IntTuple &Order) {
  if (Block.rank() > Target.rank())
    return layoutError("tile_to_shape: " + Block.str() +
                       " has more modes than the shape " + Target.str());
  Layout Padded = append(Block.outer(), Target.rank());
  std::vector<IntTuple> Repeats;
  for (unsigned I = 0; I < Target.rank(); ++I) {
    int64_t Want = product(Target[I]), Have = product(Padded.shape()[I]);
    if (Want % Have)
      return layoutError("tile_to_shape: extent " + Twine(Want) + " of mode " +
                         Twine(I) + " is not a multiple of the block's " +
                         Twine(Have));
    Repeats.push_back(Want / Have);
  }
  Expected<Layout> Grid = orderedLayout(
      Target.isTuple() ? IntTuple::tuple(Repeats) : Repeats[0], Order);
  if (!Grid)
    return Grid.takeError();
  Expected<Layout> Result = blockedProduct(Padded, *Grid);
  if (!Result)
    return Result.takeError();
  return Block.withOuter(*Result);
}

Expected<ComposedLayout> tileToShape(const ComposedLayout &Block,
                                     const Shape &Target) {
  std::vector<IntTuple> Order;
  for (unsigned I = 0; I < Target.rank(); ++I)
    Order.push_back(I);
  return tileToShape(Block, Target,
                     Target.isTuple() ? IntTuple::tuple(Order) : Order[0]);
}

/// A / B, rounded up to 1 when A divides B; fails when neither divides.
static Expected<int64_t> shapeDiv(int64_t A, int64_t B) {
  if (A % B == 0)
    return A / B;
  if (B % A == 0)
    return A < 0 ? -1 : 1;
  return layoutError("neither of " + Twine(A) + " and " + Twine(B) +
                     " divides the other");
}

static Expected<Leaf> upcastLeaf(Leaf L, int64_t N) {
  if (L.Step == 0)
    return L;
  Expected<int64_t> PerUnit = shapeDiv(N, std::abs(L.Step));
  if (!PerUnit)
    return PerUnit.takeError();
  Expected<int64_t> Extent = shapeDiv(L.Extent, *PerUnit);
  if (!Extent)
    return Extent.takeError();
  Expected<int64_t> Step = shapeDiv(L.Step, N);
  if (!Step)
    return Step.takeError();
  return Leaf{*Extent, *Step};
}

static Expected<Layout> recastModes(const Layout &L, int64_t N, bool Wider) {
  if (L.shape().isTuple()) {
    std::vector<Layout> Modes;
    for (const Layout &Mode : L.modes()) {
      Expected<Layout> Part = recastModes(Mode, N, Wider);
      if (!Part)
        return Part;
      Modes.push_back(*Part);
    }
    return Layout::join(Modes);
  }
  Leaf In{L.shape().value(), L.stride().value()};
  if (!Wider) {
    bool Unit = std::abs(In.Step) == 1;
    Expected<int64_t> Finer = scaled(Unit ? In.Extent : In.Step, N);
    if (!Finer)
      return Finer.takeError();
    return Unit ? Layout(*Finer, In.Step) : Layout(In.Extent, *Finer);
  }
  Expected<Leaf> Out = upcastLeaf(In, N);
  if (!Out)
    return layoutError("recast by " + Twine(N) + " of the mode " + L.str() +
                       ": " + toString(Out.takeError()));
  return fromLeaves(*Out);
}

Expected<ComposedLayout> recast(const ComposedLayout &L, unsigned OldBits,
                                unsigned NewBits) {
  if (!OldBits || !NewBits || (OldBits % NewBits && NewBits % OldBits))
    return layoutError("recast from " + Twine(OldBits) + " to " +
                       Twine(NewBits) + " bits: neither divides the other");
  if (OldBits == NewBits)
    return L;
  bool Wider = NewBits > OldBits;
  int64_t N = Wider ? NewBits / OldBits : OldBits / NewBits;
  bool HasUnit = llvm::any_of(leaves(L.outer().stride()),
                              [](int64_t D) { return std::abs(D) == 1; });
  if (!Wider && !HasUnit)
    return layoutError("recast of " + L.str() +
                       " to narrower units needs a mode of stride 1");
  Expected<Layout> Outer = recastModes(L.outer(), N, Wider);
  if (!Outer)
    return Outer.takeError();
  if (L.isPlain())
    return ComposedLayout(*Outer);
  if (!isPowerOf2_64(N))
    return layoutError("recast of a swizzle by " + Twine(N));
  if (Wider && L.offset() % N)
    return layoutError("recast of the offset " + Twine(L.offset()) + " by " +
                       Twine(N));
  Swizzle S = L.swizzle();
  S.Base += Wider ? -int(Log2_64(N)) : int(Log2_64(N));
  if (S.Base < 0) { // the lowest swizzled bits fall inside the wider unit
    S.Bits = std::max(0, S.Bits + S.Base);
    S.Base = 0;
  }
  return ComposedLayout(S, Wider ? L.offset() / N : L.offset() * N, *Outer);
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

Expected<Layout> maxCommonLayout(const Layout &A, const Layout &B) {
  Layout Inverse = rightInverse(B);
  Expected<Layout> Common = composition(A, Inverse);
  if (!Common)
    return Common;
  Layout First = coalesce(*Common).mode(0);
  if (First.stride().value() != 1)
    return Layout();
  return composition(Inverse, First);
}

Expected<int64_t> maxCommonVector(const Layout &A, const Layout &B) {
  Expected<Layout> Common = maxCommonLayout(A, B);
  if (!Common)
    return Common.takeError();
  return Common->size();
}

bool isCompact(const Layout &L) { return isBijective(filter(L)); }

static bool coversOnce(const ComposedLayout &L, bool Exactly) {
  int64_t Size = L.size();
  std::vector<int64_t> Offsets;
  for (int64_t I = 0; I < Size; ++I)
    Offsets.push_back(L(I));
  llvm::sort(Offsets);
  for (int64_t I = 0; I < Size; ++I)
    if (Exactly ? Offsets[I] != I : I && Offsets[I] == Offsets[I - 1])
      return false;
  return true;
}

bool isInjective(const ComposedLayout &L) { return coversOnce(L, false); }
bool isBijective(const ComposedLayout &L) { return coversOnce(L, true); }

} // namespace warpwright
