//===- LayoutRandomTest.cpp - The identities of the algebra ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Checks the property that defines each operation, on 10 000 random layouts, at
// every coordinate.

#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Expression.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

constexpr int Cases = 10000;
/// Larger layouts would only make the tests slow.
constexpr int64_t MaxSize = 512;

class RandomLayouts : public testing::Test {
protected:
  std::mt19937 Engine{12345};
  /// Not a standard distribution, since those differ between libraries.
  int64_t pick(int64_t Low, int64_t High) {
    return Low + int64_t(Engine() % uint64_t(High - Low + 1));
  }
  Shape anyShape(unsigned Depth) {
    if (Depth == 0 || pick(0, 2) == 0) {
      static const int64_t Extents[] = {1, 2, 2, 3, 4, 4, 6, 8};
      return Extents[pick(0, 7)];
    }
    std::vector<IntTuple> Modes;
    for (int64_t I = 0, E = pick(1, 3); I < E; ++I)
      Modes.push_back(anyShape(Depth - 1));
    return IntTuple::tuple(std::move(Modes));
  }
  Shape shape(unsigned Depth) {
    for (;;)
      if (Shape S = anyShape(Depth); product(S) <= MaxSize)
        return S;
  }
  /// A compact layout with its leaves in random order.
  Layout bijective() {
    Shape S = shape(2);
    std::vector<int64_t> Extents = leaves(S), Steps(Extents.size());
    std::vector<size_t> Order(Extents.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    for (size_t I = Order.size(); I > 1; --I)
      std::swap(Order[I - 1], Order[pick(0, I - 1)]);
    int64_t Step = 1;
    for (size_t I : Order) {
      Steps[I] = Step;
      Step *= Extents[I];
    }
    size_t Next = 0;
    return Layout(S, rebuild(S, Steps, Next));
  }
  /// Extents and strides that are powers of 2, all offsets distinct.
  Layout powers() {
    std::vector<IntTuple> S, D;
    std::vector<int64_t> Steps;
    for (int64_t I = 0, E = pick(1, 4), Step = 1; I < E; ++I) {
      S.push_back(int64_t(1) << pick(0, 3));
      Steps.push_back(Step);
      Step *= S.back().value() * (pick(0, 4) ? 1 : 2);
    }
    for (size_t I = Steps.size(); I > 1; --I) {
      size_t J = pick(0, I - 1);
      std::swap(Steps[I - 1], Steps[J]);
      std::swap(S[I - 1], S[J]);
    }
    for (int64_t Step : Steps)
      D.push_back(Step);
    return Layout(IntTuple::tuple(std::move(S)), IntTuple::tuple(std::move(D)));
  }
  /// Any strides at all, 0 included.
  Layout anything() {
    Shape S = shape(2);
    std::vector<int64_t> Steps;
    for (size_t I = 0; I < leaves(S).size(); ++I)
      Steps.push_back(pick(0, 3) ? int64_t(1) << pick(0, 6) : pick(0, 20));
    size_t Next = 0;
    return Layout(S, rebuild(S, Steps, Next));
  }
  static Stride rebuild(const Shape &S, const std::vector<int64_t> &Steps,
                        size_t &Next) {
    if (!S.isTuple())
      return Steps[Next++];
    std::vector<IntTuple> Modes;
    for (const IntTuple &Mode : S.modes())
      Modes.push_back(rebuild(Mode, Steps, Next));
    return IntTuple::tuple(std::move(Modes));
  }
  /// Each as often as the layout has it, in order.
  static std::vector<int64_t> offsets(const Layout &L) {
    std::vector<int64_t> Result;
    for (int64_t I = 0; I < L.size(); ++I)
      Result.push_back(L(I));
    std::sort(Result.begin(), Result.end());
    return Result;
  }
  /// The value, or nothing for an operation that is refused.
  static std::optional<Layout> maybe(Expected<Layout> L) {
    if (L)
      return *L;
    consumeError(L.takeError());
    return std::nullopt;
  }
};

TEST_F(RandomLayouts, CoordinatesAndIndicesAgree) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = anything();
    int64_t Index = pick(0, L.size() - 1);
    Coord C = idx2crd(Index, L.shape());
    ASSERT_TRUE(congruent(C, L.shape()));
    ASSERT_TRUE(isWithin(C, L.shape()));
    ASSERT_EQ(crd2idx(C, L.shape(), compactMajor(L.shape())), Index);
    ASSERT_EQ(L(C), L(Index));
  }
}

TEST_F(RandomLayouts, CoalesceFlattenAndFilter) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = anything(), Coalesced = coalesce(L), Flat = flatten(L);
    ASSERT_EQ(Coalesced.size(), L.size());
    ASSERT_LE(Coalesced.depth(), 1u);
    ASSERT_LE(Flat.depth(), 1u);
    ASSERT_LE(Coalesced.rank(), std::max(1u, Flat.rank()));
    Layout Filtered = filter(L);
    std::set<int64_t> Kept, All;
    for (int64_t C = 0; C < L.size(); ++C) {
      ASSERT_EQ(Coalesced(C), L(C)) << L.str();
      ASSERT_EQ(Flat(C), L(C)) << L.str();
      All.insert(L(C));
    }
    for (int64_t C = 0; C < Filtered.size(); ++C)
      Kept.insert(Filtered(C));
    ASSERT_EQ(Kept, All) << L.str(); // only repetitions were removed
  }
}

// For any layouts: if composition is not refused, it is A after B.
TEST_F(RandomLayouts, CompositionComposes) {
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 10 * Cases);
    Layout A = Tried % 2 ? anything() : bijective();
    Layout B = Tried % 3 ? bijective() : anything();
    std::optional<Layout> R = maybe(composition(A, B));
    if (!R)
      continue;
    ++Defined;
    ASSERT_EQ(R->size(), B.size());
    for (int64_t C = 0; C < B.size(); ++C)
      if (B(C) < A.size()) {
        ASSERT_EQ((*R)(C), A(B(C))) << A.str() << " o " << B.str();
      }
  }
}

// By mode: each mode of the result is that mode of A after the tiler's mode.
TEST_F(RandomLayouts, CompositionWithTilers) {
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 10 * Cases);
    Layout A = Layout::join({anything(), anything(), anything()});
    std::vector<Layout> T{Layout(pick(1, 8), pick(0, 3)),
                          Layout(pick(1, 8), pick(1, 4))};
    std::optional<Layout> R =
        maybe(composition(A, Tiler::byMode({T[0], Tiler(), T[1]})));
    if (!R)
      continue;
    ++Defined;
    ASSERT_EQ(R->mode(1), A.mode(1));
    for (int M : {0, 1})
      for (int64_t C = 0; C < T[M].size(); ++C)
        if (int64_t Index = T[M](C); Index < A.mode(2 * M).size()) {
          ASSERT_EQ(R->mode(2 * M)(C), A.mode(2 * M)(Index))
              << A.str() << " o " << T[M].str();
        }
  }
}

// With swizzles: if it is not refused, it agrees at every coordinate.
TEST_F(RandomLayouts, CompositionWithSwizzles) {
  auto Swizzled = [&] {
    int Bits = pick(0, 2);
    int Shift = pick(Bits, 4) * (pick(0, 1) ? 1 : -1);
    return ComposedLayout(cantFail(Swizzle::create(Bits, pick(0, 3), Shift)),
                          pick(0, 1) ? 0 : pick(0, 40), powers());
  };
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 40 * Cases);
    ComposedLayout A = pick(0, 1) ? Swizzled() : powers(), B = Swizzled();
    Expected<ComposedLayout> R = composition(A, B);
    if (!R) {
      consumeError(R.takeError());
      continue;
    }
    ++Defined;
    for (int64_t C = 0; C < B.size(); ++C)
      if (B(C) >= 0 && B(C) < A.size()) {
        ASSERT_EQ((*R)(C), A(B(C))) << A.str() << " with " << B.str();
      }
  }
}

TEST_F(RandomLayouts, InversesThroughSwizzles) {
  for (int Rights = 0, Lefts = 0, Tried = 0; Rights < Cases || Lefts < Cases;
       ++Tried) {
    ASSERT_LT(Tried, 40 * Cases);
    int Bits = pick(0, 2);
    int Shift = pick(Bits, 4) * (pick(0, 1) ? 1 : -1);
    ComposedLayout L(cantFail(Swizzle::create(Bits, pick(0, 3), Shift)), 0,
                     powers());
    if (Expected<ComposedLayout> R = rightInverse(L)) {
      ++Rights;
      for (int64_t C = 0; C < R->size(); ++C)
        ASSERT_EQ(L((*R)(C)), C) << L.str();
    } else {
      consumeError(R.takeError());
    }
    if (Expected<ComposedLayout> R = leftInverse(L)) {
      ++Lefts;
      for (int64_t C = 0; C < L.size(); ++C)
        ASSERT_EQ((*R)(L(C)), C) << L.str();
    } else {
      consumeError(R.takeError());
    }
  }
}

TEST_F(RandomLayouts, ComplementIsDisjointAndCovers) {
  for (int Done = 0; Done < Cases;) {
    // A part of a bijective layout, so that the complement is not empty.
    Layout Flat = flatten(bijective());
    if (Flat.rank() < 2)
      continue;
    ++Done;
    std::vector<unsigned> Kept;
    for (unsigned M = 0; M < Flat.rank(); ++M)
      if (pick(0, 1))
        Kept.push_back(M);
    if (Kept.empty())
      Kept.push_back(0);
    Layout Part = cantFail(select(Flat, Kept));
    Layout Rest = cantFail(complement(Part, Flat.size()));
    std::vector<bool> Seen(Flat.size());
    ASSERT_EQ(Part.size() * Rest.size(), Flat.size()) << Part.str();
    int64_t Last = -1;
    for (int64_t B = 0; B < Rest.size(); ++B) {
      ASSERT_GT(Rest(B), Last) << Part.str(); // ordered
      Last = Rest(B);
      for (int64_t A = 0; A < Part.size(); ++A) {
        int64_t Offset = Part(A) + Rest(B);
        ASSERT_LT(Offset, Flat.size()) << Part.str();
        ASSERT_FALSE(Seen[Offset]) << Part.str();
        Seen[Offset] = true;
      }
    }
  }
}

TEST_F(RandomLayouts, InversesInvert) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = bijective();
    Layout Right = rightInverse(L), Left = cantFail(leftInverse(L));
    ASSERT_EQ(Right.size(), L.size());
    for (int64_t C = 0; C < L.size(); ++C) {
      ASSERT_EQ(L(Right(C)), C) << L.str();
      ASSERT_EQ(Left(L(C)), C) << L.str();
    }
    // For any layout, the right inverse inverts it as far as it goes; and it
    // goes as far as that of the same layout with its modes in another order.
    Layout Any = flatten(Layout::join({anything(), anything()}));
    Layout Part = rightInverse(Any);
    for (int64_t C = 0; C < Part.size(); ++C)
      ASSERT_EQ(Any(Part(C)), C) << Any.str();
    std::vector<Layout> Modes = Any.modes();
    std::reverse(Modes.begin(), Modes.end());
    ASSERT_EQ(rightInverse(Layout::join(Modes)).size(), Part.size());
    // Injective, but with gaps.
    Layout Flat = flatten(L);
    Layout Gaps = cantFail(select(Flat, {Flat.rank() - 1}));
    if (std::optional<Layout> Inverse = maybe(leftInverse(Gaps))) {
      for (int64_t C = 0; C < Gaps.size(); ++C)
        ASSERT_EQ((*Inverse)(Gaps(C)), C) << Gaps.str();
    }
  }
}

TEST_F(RandomLayouts, DivideOnlyReorders) {
  using Operation = Expected<Layout> (*)(const Layout &, const Tiler &);
  for (Operation Op : {logicalDivide, zippedDivide, tiledDivide, flatDivide}) {
    for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
      ASSERT_LT(Tried, 20 * Cases);
      Layout L = bijective();
      bool ByMode = L.rank() >= 2 && pick(0, 1);
      auto Extent = [&](const Layout &Mode) {
        std::vector<int64_t> Divisors;
        for (int64_t D = 1; D <= Mode.size(); ++D)
          if (Mode.size() % D == 0)
            Divisors.push_back(D);
        return Divisors[pick(0, Divisors.size() - 1)];
      };
      int64_t First = Extent(ByMode ? L.mode(0) : L);
      int64_t Second = ByMode ? Extent(L.mode(1)) : 1;
      Tiler T = ByMode ? Tiler::byMode({First, Second}) : Tiler(First);
      std::optional<Layout> R = maybe(Op(L, T));
      if (!R)
        continue;
      ++Defined;
      // The result has the same offsets, each as often, and its first tile is
      // that of L.
      ASSERT_EQ(offsets(*R), offsets(L)) << L.str() << " by " << T.str();
      if (Op != zippedDivide)
        continue;
      Layout Tile = R->mode(0);
      ASSERT_EQ(Tile.size(), First * Second) << L.str() << " by " << T.str();
      for (int64_t C = 0; C < Tile.size(); ++C)
        ASSERT_EQ(Tile(C),
                  ByMode ? L.mode(0)(C % First) + L.mode(1)(C / First) : L(C))
            << L.str() << " by " << T.str();
    }
  }
}

TEST_F(RandomLayouts, ProductRepeatsTheBlock) {
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 10 * Cases);
    Layout Block = bijective(), Grid = bijective();
    if (Block.size() * Grid.size() > 8 * MaxSize)
      continue;
    std::optional<Layout> R = maybe(logicalProduct(Block, Tiler(Grid)));
    if (!R)
      continue;
    ++Defined;
    // A compact block, repeated in the order of the grid.
    ASSERT_EQ(R->mode(0), Block);
    for (int64_t G = 0; G < Grid.size(); ++G)
      ASSERT_EQ(R->mode(1)(G), Grid(G) * Block.size())
          << Block.str() << " x " << Grid.str();
  }
}

TEST_F(RandomLayouts, ZippedTiledAndFlatProductsOnlyRegroup) {
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 10 * Cases);
    Layout Block = Layout::join({bijective(), bijective()});
    Tiler T = Tiler::byMode({Layout(pick(1, 4), 1), Layout(pick(1, 4), 1)});
    if (Block.size() > MaxSize)
      continue;
    std::optional<Layout> Logical = maybe(logicalProduct(Block, T));
    std::optional<Layout> Zipped = maybe(zippedProduct(Block, T));
    std::optional<Layout> Tiled = maybe(tiledProduct(Block, T));
    std::optional<Layout> Flat = maybe(flatProduct(Block, T));
    ASSERT_EQ(Logical.has_value(), Zipped.has_value());
    if (!Logical)
      continue;
    ++Defined;
    for (unsigned M : {0, 1}) {
      ASSERT_EQ(Logical->mode(M).mode(0), Block.mode(M));
      for (unsigned Half : {0, 1})
        ASSERT_EQ(Zipped->mode(Half).mode(M), Logical->mode(M).mode(Half));
      ASSERT_EQ(Tiled->mode(1 + M), Logical->mode(M).mode(1));
      ASSERT_EQ(Flat->mode(2 + M), Logical->mode(M).mode(1));
      ASSERT_EQ(Flat->mode(M), Block.mode(M));
    }
    ASSERT_EQ(Tiled->mode(0), Block);
  }
}

TEST_F(RandomLayouts, RankedProductsInterleaveModes) {
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 40 * Cases);
    Layout Block = bijective(), Grid = bijective();
    if (Block.rank() < 2 || Block.rank() != Grid.rank() ||
        Block.size() * Grid.size() > 8 * MaxSize)
      continue;
    std::optional<Layout> Blocked = maybe(blockedProduct(Block, Grid));
    std::optional<Layout> Raked = maybe(rakedProduct(Block, Grid));
    ASSERT_EQ(Blocked.has_value(), Raked.has_value());
    if (!Blocked)
      continue;
    ++Defined;
    ASSERT_TRUE(isBijective(*Blocked)) << Block.str() << " x " << Grid.str();
    for (int64_t C = 0; C < Block.mode(0).size(); ++C) {
      ASSERT_EQ(Blocked->mode(0)(C), Block.mode(0)(C));
      ASSERT_EQ(Raked->mode(0)(C * Grid.mode(0).size()), Block.mode(0)(C));
    }
    ASSERT_EQ(offsets(*Raked), offsets(*Blocked));
  }
}

TEST_F(RandomLayouts, TileToShapeRepeatsTheBlock) {
  for (int I = 0; I < Cases; ++I) {
    int64_t Rows = int64_t(1) << pick(0, 3), Columns = int64_t(1) << pick(0, 3);
    Layout Block = pick(0, 1) ? Layout({Rows, Columns}, {1, Rows})
                              : Layout({Rows, Columns}, {Columns, 1});
    int64_t Down = pick(1, 4), Across = pick(1, 4);
    bool RowsFirst = pick(0, 1);
    ComposedLayout R =
        cantFail(tileToShape(Block, {Rows * Down, Columns * Across},
                             RowsFirst ? IntTuple{0, 1} : IntTuple{1, 0}));
    for (int64_t Y = 0; Y < Rows * Down; ++Y)
      for (int64_t X = 0; X < Columns * Across; ++X) {
        int64_t Number = RowsFirst ? Y / Rows + X / Columns * Down
                                   : X / Columns + Y / Rows * Across;
        ASSERT_EQ(R({Y, X}),
                  Block({Y % Rows, X % Columns}) + Number * Rows * Columns);
      }
  }
}

TEST_F(RandomLayouts, RecastKeepsAddresses) {
  for (int I = 0; I < Cases; ++I) {
    // Rows that are a multiple of 16 bytes, with a swizzle on bytes.
    int64_t Rows = int64_t(1) << pick(0, 4), Bytes = int64_t(16) << pick(0, 3);
    Swizzle S = cantFail(Swizzle::create(pick(0, 3), 4, 3));
    ComposedLayout L(S, 0, Layout({Rows, Bytes}, {Bytes, 1}));
    unsigned Bits = 8u << pick(0, 3);
    ComposedLayout Wide = cantFail(recast(L, 8, Bits));
    ASSERT_EQ(Wide.size() * Bits, L.size() * 8);
    for (int64_t R = 0; R < Rows; ++R)
      for (int64_t B = 0; B < Bytes; B += Bits / 8)
        ASSERT_EQ(Wide({R, B / (Bits / 8)}) * Bits / 8, L({R, B}));
    ASSERT_TRUE(equalAsFunctions(cantFail(recast(Wide, Bits, 8)), L));
  }
}

TEST_F(RandomLayouts, SwizzleIsAnInvolution) {
  for (int I = 0; I < Cases; ++I) {
    int Bits = pick(0, 4);
    int Shift = pick(Bits, 6) * (pick(0, 1) ? 1 : -1);
    Swizzle S = cantFail(Swizzle::create(Bits, pick(0, 5), Shift));
    int64_t Offset = pick(0, 1 << 20);
    ASSERT_EQ(S(S(Offset)), Offset) << S.str();
  }
}

TEST_F(RandomLayouts, ModesAreKept) {
  for (int I = 0; I < Cases; ++I) {
    std::vector<Layout> Modes;
    for (int64_t M = 0, E = pick(2, 5); M < E; ++M)
      Modes.push_back(anything());
    Layout L = Layout::join(Modes);
    unsigned Begin = pick(0, L.rank() - 1), End = pick(Begin + 1, L.rank());
    Layout Grouped = cantFail(group(L, Begin, End));
    ASSERT_EQ(Grouped.rank(), L.rank() - (End - Begin) + 1);
    ASSERT_EQ(flatten(Grouped), flatten(L));
    ASSERT_EQ(Grouped.mode(Begin), cantFail(take(L, Begin, End)));
    std::vector<unsigned> Picked(pick(1, 4));
    for (unsigned &M : Picked)
      M = pick(0, L.rank() - 1);
    Layout Selected = cantFail(select(L, Picked));
    for (unsigned M = 0; M < Picked.size(); ++M)
      ASSERT_EQ(Selected.mode(M), Modes[Picked[M]]);
    unsigned Rank = pick(0, 8);
    Layout Longer = append(L, Rank, Modes[0]), Front = prepend(L, Rank);
    ASSERT_EQ(Longer.rank(), std::max(Rank, L.rank()));
    for (unsigned M = 0; M < Longer.rank(); ++M) {
      ASSERT_EQ(Longer.mode(M), M < L.rank() ? Modes[M] : Modes[0]);
      unsigned Added = Front.rank() - L.rank();
      ASSERT_EQ(Front.mode(M), M < Added ? Layout() : Modes[M - Added]);
    }
    ASSERT_EQ(append(L, Modes[1]).mode(L.rank()), Modes[1]);
    ASSERT_EQ(prepend(L, Modes[1]).mode(0), Modes[1]);
    // slice and dice together keep all modes.
    std::vector<IntTuple> C;
    std::vector<Layout> Kept, Gone;
    for (const Layout &Mode : Modes) {
      bool Keep = pick(0, 1);
      C.push_back(Keep ? IntTuple::any() : IntTuple(0));
      (Keep ? Kept : Gone).push_back(Mode);
    }
    Coord At = IntTuple::tuple(C);
    if (Kept.empty() || Gone.empty())
      continue;
    ASSERT_EQ(cantFail(slice(L, At)).outer(), Layout::join(Kept));
    ASSERT_EQ(cantFail(dice(L, At)), Layout::join(Gone));
  }
}

TEST_F(RandomLayouts, CoalesceByProfileStaysWithinModes) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = Layout::join({anything(), anything(), anything()});
    Layout R = cantFail(coalesce(L, {1, IntTuple{1}}));
    ASSERT_EQ(R.mode(0), coalesce(L.mode(0)));
    ASSERT_EQ(R.mode(2), L.mode(2));
    for (unsigned M : {0, 1})
      for (int64_t C = 0; C < L.mode(M).size(); ++C)
        ASSERT_EQ(R.mode(M)(C), L.mode(M)(C)) << L.str();
  }
}

TEST_F(RandomLayouts, CoordinatesOfOtherShapes) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = bijective();
    Shape From = L.shape(), To = flatten(From);
    int64_t Index = pick(0, L.size() - 1);
    Coord C = cantFail(crd2crd(idx2crd(Index, From), From, L.size()));
    ASSERT_EQ(C.value(), Index);
    C = cantFail(crd2crd(Index, L.size(), To));
    ASSERT_EQ(crd2idx(C, To, compactMajor(To)), Index);
  }
}

TEST_F(RandomLayouts, CommonVectorsAreContiguousInBoth) {
  int Longer = 0;
  for (int I = 0; I < Cases; ++I) {
    Layout A = bijective();
    Layout B(A.shape(), A.stride());
    if (pick(0, 1)) { // the same tile, with its last mode elsewhere
      Layout Flat = flatten(A);
      if (Flat.rank() > 1)
        B = Flat;
    }
    std::optional<Layout> V = maybe(maxCommonLayout(A, B));
    if (!V)
      continue;
    Longer += V->size() > 1;
    for (int64_t C = 0; C < V->size(); ++C) {
      ASSERT_EQ(A((*V)(C)), C) << A.str() << " " << B.str();
      ASSERT_EQ(B((*V)(C)), C) << A.str() << " " << B.str();
    }
    // A swizzle shortens the run to the bits that it does not change.
    ComposedLayout S(cantFail(Swizzle::create(1, pick(0, 3), 2)), 0, A);
    if (std::optional<Layout> Short = maybe(maxCommonLayout(S, B))) {
      for (int64_t C = 0; C < Short->size(); ++C)
        ASSERT_EQ(S((*Short)(C)), C) << S.str();
    }
  }
  EXPECT_GT(Longer, Cases / 2);
}

TEST_F(RandomLayouts, TestsAgreeWithCounting) {
  int Bijective = 0, Injective = 0;
  for (int I = 0; I < Cases; ++I) {
    Layout L = pick(0, 1) ? bijective() : anything();
    std::vector<int64_t> All = offsets(L);
    std::set<int64_t> Distinct(All.begin(), All.end());
    bool Inj = Distinct.size() == All.size();
    bool Bij = Inj && *Distinct.rbegin() + 1 == L.size();
    ASSERT_EQ(isInjective(L), Inj) << L.str();
    ASSERT_EQ(isBijective(L), Bij) << L.str();
    Bijective += Bij;
    Injective += Inj;
    Layout Other = anything();
    bool Equal = L.size() == Other.size();
    for (int64_t C = 0; Equal && C < L.size(); ++C)
      Equal = L(C) == Other(C);
    ASSERT_EQ(equalAsFunctions(L, Other), Equal);
    ASSERT_TRUE(equalAsFunctions(L, coalesce(L)));
  }
  EXPECT_GT(Bijective, Cases / 4);
  EXPECT_GT(Injective, Bijective);
  EXPECT_LT(Injective, Cases);
}

TEST_F(RandomLayouts, OrderedLayoutsAreCompactInOrder) {
  for (int I = 0; I < Cases; ++I) {
    std::vector<IntTuple> S, Order;
    for (int64_t M = 0, E = pick(1, 4); M < E; ++M) {
      S.push_back(pick(1, 5));
      Order.push_back(pick(0, 9));
    }
    Layout L =
        cantFail(orderedLayout(IntTuple::tuple(S), IntTuple::tuple(Order)));
    ASSERT_TRUE(isBijective(L)) << L.str();
    for (unsigned A = 0; A < S.size(); ++A)
      for (unsigned B = 0; B < S.size(); ++B)
        if (Order[A].value() < Order[B].value() && S[A].value() > 1 &&
            S[B].value() > 1) {
          ASSERT_LT(L.stride()[A].value(), L.stride()[B].value());
        }
  }
}

TEST_F(RandomLayouts, SliceFixesCoordinates) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = Layout::join({anything(), anything()});
    int64_t Row = pick(0, L.mode(0).size() - 1);
    ComposedLayout S(cantFail(Swizzle::create(2, 1, 3)), 0, L);
    ComposedLayout R = cantFail(slice(S, {Row, IntTuple::any()}));
    ASSERT_EQ(R.size(), L.mode(1).size());
    for (int64_t C = 0; C < R.size(); ++C)
      ASSERT_EQ(R(C), S({Row, C})) << L.str();
  }
}

TEST_F(RandomLayouts, PrintedLayoutsParse) {
  for (int I = 0; I < Cases; ++I) {
    Layout L = anything();
    ASSERT_EQ(cantFail(parseLayout(L.str())), L);
    ComposedLayout S(cantFail(Swizzle::create(2, 3, 3)), pick(0, 64), L);
    ASSERT_EQ(cantFail(evaluateLayout(S.str())).str(), S.str());
  }
}

// Random words of the language are either evaluated or refused.
TEST_F(RandomLayouts, NoTextCrashesTheParser) {
  static const char *const Words[] = {"(",
                                      ")",
                                      ",",
                                      ":",
                                      "<",
                                      ">",
                                      "_",
                                      ".",
                                      " o ",
                                      "S<2,4,3> o 0 o ",
                                      "-1",
                                      "0",
                                      "1",
                                      "2",
                                      "3",
                                      "4",
                                      "8",
                                      "64",
                                      "2147483648",
                                      "(4,8)",
                                      "(8,(2,2)):(1,(8,16))",
                                      "composition(",
                                      "complement(",
                                      "slice(",
                                      "recast(",
                                      "tile_to_shape(",
                                      "zipped_divide(",
                                      "blocked_product(",
                                      "left_inverse(",
                                      "coalesce(",
                                      "x"};
  int Meaningful = 0;
  for (int I = 0; I < Cases; ++I) {
    std::string Text;
    for (int64_t W = pick(1, 12); W; --W)
      Text += Words[pick(0, std::size(Words) - 1)];
    if (Expected<ComposedLayout> L = evaluateLayout(Text))
      ++Meaningful;
    else
      handleAllErrors(L.takeError(), [&](const ExpressionError &E) {
        ASSERT_LE(E.offset(), Text.size()) << Text;
      });
  }
  EXPECT_GT(Meaningful, 100);
}

} // namespace
