//===- LayoutRandomTest.cpp - The identities of the algebra ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What defines each operation, on 10 000 random layouts, at every coordinate.

#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Expression.h"

#include "gtest/gtest.h"

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
  /// Not a standard distribution: those differ between libraries.
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
  static std::multiset<int64_t> offsets(const Layout &L) {
    std::multiset<int64_t> Result;
    for (int64_t I = 0; I < L.size(); ++I)
      Result.insert(L(I));
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
    ASSERT_EQ(Kept, All) << L.str(); // only repetitions went
  }
}

TEST_F(RandomLayouts, CompositionComposes) {
  for (int Defined = 0, Tried = 0; Defined < Cases; ++Tried) {
    ASSERT_LT(Tried, 10 * Cases);
    Layout A = bijective(), B = bijective();
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

TEST_F(RandomLayouts, ComplementIsDisjointAndCovers) {
  for (int Done = 0; Done < Cases;) {
    // A part of a bijective layout, so that there is something to fill.
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
    // Whatever the layout, the right inverse is one as far as it goes.
    Layout Any = anything();
    Layout Part = rightInverse(Any);
    for (int64_t C = 0; C < Part.size(); ++C)
      ASSERT_EQ(Any(Part(C)), C) << Any.str();
    // Injective, but with gaps.
    Layout Flat = flatten(L);
    Layout Gaps = cantFail(select(Flat, {Flat.rank() - 1}));
    if (std::optional<Layout> Inverse = maybe(leftInverse(Gaps)))
      for (int64_t C = 0; C < Gaps.size(); ++C)
        ASSERT_EQ((*Inverse)(Gaps(C)), C) << Gaps.str();
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
      // The same offsets, each as often, and the tile is L's first one.
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
    // Rows of whole 16-byte units, swizzled on bytes.
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

// Random words of the language either mean something or are refused.
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
