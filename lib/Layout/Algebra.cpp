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
#include <map>
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

/// \p A times \p B; the result must stay so far below the limits of the type
/// that a few of them can be added.
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

/// A o (Extent:Step) for a coalesced A. \p Which names the position of the leaf
/// in B, for messages. \p Last has the largest coordinate in each mode of A
/// that the leaves of B together have reached so far: B adds up its leaves, so
/// A may be applied to each leaf separately only if no sum carries into the
/// next mode.
static Expected<Layout> composeLeaf(ArrayRef<Leaf> A, Leaf B,
                                    const Twine &Which,
                                    MutableArrayRef<int64_t> Last) {
  if (B.Step == 0)
    return Layout(B.Extent, 0);
  auto Fail = [&](const Twine &Why) {
    return layoutError("composition of " + fromLeaves(A).str() + " with " +
                       fromLeaves(B).str() + Which + ": " + Why);
  };
  if (B.Step < 0 && A.size() > 1)
    return Fail("a negative stride");
  std::vector<Leaf> Result;
  int64_t Rest = B.Extent, Step = B.Step;
  for (size_t I = 0; I + 1 < A.size(); ++I) {
    const Leaf &Mode = A[I];
    auto FailHere = [&](const Twine &Why) {
      return Fail(Why + " of mode " + Twine(I) + " (" + fromLeaves(Mode).str() +
                  ")");
    };
    // Elements that are Step apart either skip this mode or lie inside it: all
    // of them, or a whole number of them before the first one of the next mode.
    int64_t Take = 1;
    if (Rest > 1 && Step % Mode.Extent) {
      int64_t Here = (Mode.Extent + Step - 1) / Step;
      if (Step > Mode.Extent)
        return FailHere("stride " + Twine(Step) +
                        " is not a multiple of the extent");
      if (Rest > Here && Mode.Extent % Step)
        return FailHere("stride " + Twine(Step) +
                        " does not divide the extent");
      if (Rest > Here && Rest % Here)
        return FailHere("the remaining extent " + Twine(Rest) +
                        " is not a multiple of the " + Twine(Here) +
                        " elements");
      Take = std::min(Here, Rest);
    }
    if (Take != 1) {
      Expected<int64_t> Stride = scaled(Step, Mode.Step);
      if (!Stride)
        return Stride.takeError();
      Result.push_back({Take, *Stride});
      Last[I] += (Take - 1) * Step;
      if (Last[I] >= Mode.Extent)
        return FailHere("with the other modes it reaches " + Twine(Last[I]) +
                        ", beyond the extent");
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

/// \p Whole is the argument of which \p B, at \p Path, is a part.
static Expected<Layout> compose(ArrayRef<Leaf> A, const Layout &B,
                                const Layout &Whole, const Twine &Path,
                                MutableArrayRef<int64_t> Last) {
  if (!B.shape().isTuple()) {
    std::string Where = Path.str(), Which;
    if (!Where.empty())
      Which = ", mode " + Where.substr(1) + " of " + Whole.str();
    return composeLeaf(A, {B.shape().value(), B.stride().value()}, Which, Last);
  }
  std::vector<Layout> Modes;
  for (unsigned I = 0; I < B.rank(); ++I) {
    Expected<Layout> Part =
        compose(A, B.mode(I), Whole, Path + "." + Twine(I), Last);
    if (!Part)
      return Part.takeError();
    Modes.push_back(*Part);
  }
  return Layout::join(Modes);
}

Expected<Layout> composition(const Layout &A, const Layout &B) {
  std::vector<Leaf> Flat = coalescedLeaves(A);
  std::vector<int64_t> Last(Flat.size(), 0);
  return compose(Flat, B, B, "", Last);
}

namespace {
using LayoutOperation = Expected<Layout> (*)(const Layout &, const Tiler &);
} // namespace

/// Applies \p Operation mode by mode; modes beyond those of the tiler stay as
/// they are.
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

namespace {
/// A leaf of the layout to be inverted: its own step, and that of its index.
struct InverseLeaf {
  int64_t Step, Extent, Index;
};
} // namespace

Layout rightInverse(const Layout &L) {
  std::vector<InverseLeaf> Leaves;
  int64_t Index = 1;
  for (const Leaf &Next : layoutLeaves(L)) {
    if (Next.Extent != 1 && Next.Step > 0)
      Leaves.push_back({Next.Step, Next.Extent, Index});
    if (MulOverflow(Index, Next.Extent, Index))
      break; // no mode can be that large
  }
  // Each leaf of the inverse continues where the previous one ends. If offsets
  // repeat, there may be several such chains; the longest one is taken, and of
  // equally long ones the one with the leftmost leaves. End[i] is the end of
  // the chain from leaf i.
  llvm::stable_sort(Leaves, [](const InverseLeaf &A, const InverseLeaf &B) {
    return A.Step < B.Step;
  });
  std::vector<int64_t> End(Leaves.size());
  std::map<int64_t, size_t> At; // the best leaf with that step
  for (size_t I = Leaves.size(); I--;) {
    int64_t Reached = Leaves[I].Step * Leaves[I].Extent;
    auto Next = At.find(Reached);
    End[I] = Next == At.end() ? Reached : End[Next->second];
    auto [Best, First] = At.try_emplace(Leaves[I].Step, I);
    if (!First && End[I] >= End[Best->second])
      Best->second = I;
  }
  std::vector<Leaf> Result;
  int64_t Reached = 1;
  for (auto It = At.find(1); It != At.end(); It = At.find(Reached)) {
    const InverseLeaf &Next = Leaves[It->second];
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
  auto Fail = [&](Error E) {
    return layoutError("logical_divide of " + L.str() + " by " +
                       T.layout().str() + ": " + toString(std::move(E)));
  };
  Expected<Layout> Rest = complement(T.layout(), L.size());
  if (!Rest)
    return Fail(Rest.takeError());
  Expected<Layout> Both = composition(L, Layout::join({T.layout(), *Rest}));
  if (!Both)
    return Fail(Both.takeError());
  return Both;
}

Expected<Layout> logicalProduct(const Layout &L, const Tiler &T) {
  if (T.isAny())
    return L;
  if (T.isTuple())
    return byMode("logical_product", L, T, logicalProduct);
  auto Fail = [&](Error E) {
    return layoutError("logical_product of " + L.str() + " by " +
                       T.layout().str() + ": " + toString(std::move(E)));
  };
  Expected<int64_t> Total = scaled(L.size(), T.layout().cosize());
  if (!Total)
    return Fail(Total.takeError());
  Expected<Layout> Free = complement(L, *Total);
  if (!Free)
    return Fail(Free.takeError());
  Expected<Layout> Repeat = composition(*Free, T.layout());
  if (!Repeat)
    return Fail(Repeat.takeError());
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

/// Spreads the modes of the rank-2 \p L out: mode 1, and with \p Both mode 0
/// too.
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

namespace {
/// A part of a shape to which an order assigns one number.
struct Ranked {
  const Shape *Part;
  int64_t Order;
  Stride Steps;
};
} // namespace

static bool collectRanked(const Shape &S, const IntTuple &Order,
                          std::vector<Ranked> &Out) {
  if (!Order.isTuple()) {
    if (Order.isInt())
      Out.push_back({&S, Order.value(), Stride(0)});
    return Order.isInt();
  }
  if (!S.isTuple() || S.rank() != Order.rank())
    return false;
  for (unsigned I = 0; I < S.rank(); ++I)
    if (!collectRanked(S[I], Order[I], Out))
      return false;
  return true;
}

static Stride rankedSteps(const IntTuple &Order, ArrayRef<Ranked> Parts,
                          size_t &Next) {
  if (!Order.isTuple())
    return Parts[Next++].Steps;
  std::vector<IntTuple> Modes;
  for (const IntTuple &Mode : Order.modes())
    Modes.push_back(rankedSteps(Mode, Parts, Next));
  return IntTuple::tuple(std::move(Modes));
}

Expected<Layout> orderedLayout(const Shape &S, const IntTuple &Order) {
  std::vector<Ranked> Parts;
  if (!collectRanked(S, Order, Parts))
    return layoutError("order " + Order.str() + " does not fit the shape " +
                       S.str());
  std::vector<size_t> Sorted(Parts.size());
  std::iota(Sorted.begin(), Sorted.end(), 0);
  llvm::stable_sort(Sorted, [&](size_t A, size_t B) {
    return Parts[A].Order < Parts[B].Order;
  });
  int64_t Step = 1;
  for (size_t I : Sorted) {
    const Shape &Part = *Parts[I].Part;
    // A single element gets stride 0, as in CuTe.
    if (Part.isTuple() || Part.value() != 1)
      Parts[I].Steps = compactMajor(Part, Step);
    if (MulOverflow(Step, product(Part), Step))
      return layoutError("shape " + S.str() + " reaches beyond 2^55");
  }
  size_t Next = 0;
  return Layout::create(S, rankedSteps(Order, Parts, Next));
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
  Expected<int64_t> Offset =
      Wider ? Expected<int64_t>(L.offset() / N) : scaled(L.offset(), N);
  if (!Offset)
    return Offset.takeError();
  return ComposedLayout(S, *Offset, *Outer);
}

} // namespace warpwright
