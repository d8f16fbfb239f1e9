//===- LayoutTest.cpp - The layout algebra --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Expression.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

std::string eval(StringRef Text) {
  Expected<ComposedLayout> L = evaluateLayout(Text);
  return L ? L->str() : "error: " + toString(L.takeError());
}

std::vector<int64_t> offsets(const ComposedLayout &L) {
  std::vector<int64_t> Result;
  for (int64_t I = 0; I < L.size(); ++I)
    Result.push_back(L(I));
  return Result;
}

TEST(Layout, PrintsAndParsesNestedTuples) {
  Layout L({{8, 16}, {64, 1}}, {{64, 512}, {1, 0}});
  EXPECT_EQ(L.str(), "((8,16),(64,1)):((64,512),(1,0))");
  EXPECT_EQ(eval(" ( (8 ,16), (64,1)) : ((64,512),(1,0)) "), L.str());
  EXPECT_EQ(L.size(), 8192);
  EXPECT_EQ(L.cosize(), 8192);
  EXPECT_EQ(IntTuple({IntTuple(8)}).str(), "(8)");
  EXPECT_EQ(eval("(4,8)"), "(4,8):(1,4)");
}

TEST(Layout, ErrorsPointAtTheToken) {
  auto At = [](StringRef Text) {
    Expected<ComposedLayout> L = evaluateLayout(Text);
    if (L)
      return std::string("accepted");
    std::string Result;
    handleAllErrors(L.takeError(), [&](const ExpressionError &E) {
      Result = formatv("{0}: {1}", E.offset(), E.text());
    });
    return Result;
  };
  EXPECT_EQ(At("(4,8"), "4: expected ')'");
  EXPECT_EQ(At("(4,8):(1)"), "0: shape (4,8) and stride (1) differ in nesting");
  EXPECT_EQ(At("coalesce((0,8):(1,2))"),
            "9: extent 0 in shape (0,8) is not positive");
  EXPECT_EQ(At("colaesce(4:1)"), "0: unknown function 'colaesce'");
  EXPECT_EQ(At("composition(4:1)"), "0: composition takes 2 arguments, not 1");
  EXPECT_EQ(At("4:1 4"), "4: unexpected text after the expression");
  EXPECT_EQ(At("S<3,4,2> o 0 o 8:1"),
            "0: a swizzle's shift must be at least its bits, or the source and "
            "target bits overlap");
  EXPECT_EQ(At("4:99999999999999999999"), "2: integer out of range");
  EXPECT_EQ(At(std::string(5000, '(')), "65: nested too deeply");
}

TEST(Layout, PublishedSwizzles) {
  Layout L({8, 32}, {32, 1});
  ComposedLayout S(Swizzle{2, 4, 3}, 0, L);
  EXPECT_EQ(L({7, 25}), 249);
  EXPECT_EQ(S({7, 25}), 233);
  Expected<ComposedLayout> Row =
      evaluateLayout("slice((0,_),S<2,2,2> o 0 o (4,(4,4)):(4,(1,16)))");
  ASSERT_TRUE(bool(Row));
  EXPECT_EQ(offsets(*Row), (std::vector<int64_t>{0, 1, 2, 3, 20, 21, 22, 23, 40,
                                                 41, 42, 43, 60, 61, 62, 63}));
  Row = evaluateLayout("slice((7,_),S<3,0,3> o 0 o (8,8):(8,1))");
  ASSERT_TRUE(bool(Row));
  EXPECT_EQ(offsets(*Row),
            (std::vector<int64_t>{63, 62, 61, 60, 59, 58, 57, 56}));
}

TEST(Layout, MortonOrder) {
  const char *Text = "blocked_product((2,2):(1,2),"
                     "blocked_product((2,2):(1,2),(2,2):(1,2)))";
  EXPECT_EQ(eval(Text), "((2,(2,2)),(2,(2,2))):((1,(4,16)),(2,(8,32)))");
  Expected<ComposedLayout> L = evaluateLayout(Text);
  ASSERT_TRUE(bool(L));
  EXPECT_EQ((*L)(37), 49);
  EXPECT_EQ((*L)({5, 4}), 49);
  EXPECT_EQ((*L)({{1, {0, 1}}, {0, {0, 1}}}), 49);
}

TEST(Layout, RefusesWhatDoesNotDivide) {
  EXPECT_EQ(eval("logical_product(16:3,(1,5):(1,1))"),
            "error: at 0: composition of (3,2):(1,48) with 5:1: the remaining "
            "extent 5 is not a multiple of the 3 elements of mode 0 (3:1)");
  EXPECT_EQ(eval("composition((6,4):(4,1),3:4)"),
            "error: at 0: composition of (6,4):(4,1) with 3:4: stride 4 does "
            "not divide the extent of mode 0 (6:4)");
  EXPECT_EQ(eval("complement((4,2):(1,3),24)"),
            "error: at 0: complement of (4,2):(1,3): stride 3 of the mode 2:3 "
            "is not a multiple of 4, which the modes with smaller strides "
            "fill");
  EXPECT_EQ(eval("left_inverse((4,2):(0,1))"),
            "error: at 0: left inverse of (4,2):(0,1): not injective, a mode "
            "of extent 4 has stride 0");
  EXPECT_EQ(eval("tile_to_shape((8,64):(64,1),(12,64))"),
            "error: at 0: tile_to_shape: extent 12 of mode 0 is not a multiple "
            "of the block's 8");
}

TEST(Layout, RecastConvertsOffsetsAndSwizzle) {
  EXPECT_EQ(eval("recast(S<3,4,3> o 0 o (8,128):(128,1),8,16)"),
            "S<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_EQ(eval("recast(S<3,3,3> o 0 o (8,64):(64,1),16,8)"),
            "S<3,4,3> o 0 o (8,128):(128,1)");
  EXPECT_EQ(eval("recast(S<3,4,3> o 0 o (8,128):(128,1),8,32)"),
            "S<3,2,3> o 0 o (8,32):(32,1)");
}

TEST(Layout, BijectivityAndInjectivity) {
  EXPECT_TRUE(isBijective(
      ComposedLayout(Swizzle{3, 3, 3}, 0, Layout({8, 64}, {64, 1}))));
  EXPECT_FALSE(isBijective(Layout({8, 64}, {65, 1})));
  EXPECT_TRUE(isInjective(Layout({8, 64}, {65, 1})));
  EXPECT_FALSE(isInjective(Layout({8, 2}, {1, 4})));
}

// Wavefronts of a 64x64 bf16 tile, 128 bytes a row.
TEST(Banks, PublishedCounts) {
  Layout Plain({64, 128}, {128, 1}); // (row, byte)
  ComposedLayout Swizzled(Swizzle{3, 4, 3}, 0, Plain);
  auto Count = [](const ComposedLayout &L, unsigned Lanes, unsigned Bytes,
                  auto Where) {
    std::vector<int64_t> Addresses;
    for (unsigned T = 0; T < Lanes; ++T)
      Addresses.push_back(L(Where(T)));
    return countWavefronts(Addresses, Bytes);
  };
  auto EightRows = [](unsigned T) { return IntTuple{T, 0}; };
  auto Column = [](unsigned T) { return IntTuple{T, 6}; };
  auto Row = [](unsigned T) { return IntTuple{3, 4 * T}; };
  EXPECT_EQ(Count(Plain, 8, 16, EightRows), 8u);
  EXPECT_EQ(Count(Swizzled, 8, 16, EightRows), 1u);
  EXPECT_EQ(Count(Plain, 32, 2, Column), 32u);
  EXPECT_EQ(Count(Swizzled, 32, 2, Column), 4u);
  EXPECT_EQ(Count(Plain, 32, 4, Row), 1u);
  EXPECT_EQ(Count(Swizzled, 32, 4, Row), 1u);
  // 16 bytes a lane: four groups of eight lanes, each conflict-free.
  auto Contiguous = [](unsigned T) { return IntTuple{T / 8, 16 * (T % 8)}; };
  EXPECT_EQ(Count(Plain, 32, 16, Contiguous), 4u);
}

TEST(Banks, ThroughAThreadValueLayout) {
  // Lane t reads element (t / 4, 2 (t % 4)) of an 8x8 tile with rows of 128
  // bytes: one word per lane, every row in the same four banks.
  ComposedLayout Bytes(Layout({8, 128}, {128, 1}));
  Layout ThreadValue({{4, 8}, 1}, {{32, 1}, 0});
  Expected<unsigned> N = countWavefronts(Bytes, ThreadValue, 0, 4);
  ASSERT_TRUE(bool(N));
  EXPECT_EQ(*N, 8u);
  N = countWavefronts(ComposedLayout(Swizzle{3, 4, 3}, 0, Bytes.outer()),
                      ThreadValue, 0, 4);
  ASSERT_TRUE(bool(N));
  EXPECT_EQ(*N, 1u);
  EXPECT_TRUE(
      errorToBool(countWavefronts(Bytes, Layout(4, 1), 0, 4).takeError()));
}

// The identities that define the operations, on random layouts.
class RandomLayouts : public testing::Test {
protected:
  std::mt19937 Engine{12345};
  int64_t pick(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Engine);
  }
  Shape shape(unsigned Depth) {
    if (Depth == 0 || pick(0, 2) == 0) {
      static const int64_t Extents[] = {1, 2, 2, 3, 4, 4, 6, 8};
      return Extents[pick(0, 7)];
    }
    std::vector<IntTuple> Modes;
    for (int64_t I = 0, E = pick(1, 3); I < E; ++I)
      Modes.push_back(shape(Depth - 1));
    return IntTuple::tuple(std::move(Modes));
  }
  /// A compact layout with its leaves in random order.
  Layout bijective() {
    Shape S = shape(2);
    std::vector<int64_t> Extents = leaves(S), Steps(Extents.size());
    std::vector<size_t> Order(Extents.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    std::shuffle(Order.begin(), Order.end(), Engine);
    int64_t Step = 1;
    for (size_t I : Order) {
      Steps[I] = Step;
      Step *= Extents[I];
    }
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
};

TEST_F(RandomLayouts, CoalesceIsTheSameFunction) {
  for (int I = 0; I < 2000; ++I) {
    Layout L = bijective();
    EXPECT_TRUE(equalAsFunctions(L, coalesce(L))) << L.str();
    EXPECT_LE(coalesce(L).depth(), 1u);
  }
}

TEST_F(RandomLayouts, CompositionComposes) {
  int Defined = 0;
  for (int I = 0; I < 5000; ++I) {
    Layout A = bijective(), B = bijective();
    Expected<Layout> R = composition(A, B);
    if (!R) {
      consumeError(R.takeError());
      continue;
    }
    ++Defined;
    ASSERT_EQ(R->size(), B.size());
    for (int64_t C = 0; C < B.size(); ++C)
      if (B(C) < A.size()) {
        ASSERT_EQ((*R)(C), A(B(C))) << A.str() << " o " << B.str();
      }
  }
  EXPECT_GT(Defined, 1000);
}

TEST_F(RandomLayouts, ComplementIsDisjointAndCovers) {
  for (int I = 0; I < 2000; ++I) {
    Layout L = bijective();
    // Drop a mode of the flat layout, so that there is something to fill.
    Layout Flat = flatten(L);
    if (Flat.rank() < 2)
      continue;
    std::vector<unsigned> Kept;
    for (unsigned M = 1; M < Flat.rank(); ++M)
      Kept.push_back(M);
    Layout Part = cantFail(select(Flat, Kept));
    Layout Rest = cantFail(complement(Part, Flat.size()));
    std::set<int64_t> Seen;
    for (int64_t A = 0; A < Part.size(); ++A)
      for (int64_t B = 0; B < Rest.size(); ++B)
        Seen.insert(Part(A) + Rest(B));
    ASSERT_EQ(int64_t(Seen.size()), Part.size() * Rest.size()) << Part.str();
    ASSERT_EQ(*Seen.rbegin(), Flat.size() - 1) << Part.str();
  }
}

TEST_F(RandomLayouts, InversesInvert) {
  for (int I = 0; I < 2000; ++I) {
    Layout L = bijective();
    Layout Right = rightInverse(L), Left = cantFail(leftInverse(L));
    ASSERT_EQ(Right.size(), L.size());
    for (int64_t C = 0; C < L.size(); ++C) {
      ASSERT_EQ(L(Right(C)), C) << L.str();
      ASSERT_EQ(Left(L(C)), C) << L.str();
    }
  }
}

TEST_F(RandomLayouts, DivideOnlyReorders) {
  int Defined = 0;
  for (int I = 0; I < 3000; ++I) {
    Layout L = bijective();
    Tiler T(int64_t(1) << pick(0, 3));
    Expected<Layout> R = logicalDivide(L, T);
    if (!R || R->size() != L.size()) {
      consumeError(R.takeError());
      continue;
    }
    ++Defined;
    ASSERT_TRUE(isBijective(*R)) << L.str();
    ASSERT_EQ(product(R->shape()[0]), T.layout().size());
  }
  EXPECT_GT(Defined, 500);
}

TEST_F(RandomLayouts, SwizzleIsAnInvolution) {
  for (int I = 0; I < 2000; ++I) {
    Swizzle S = cantFail(Swizzle::create(pick(0, 3), pick(0, 5), pick(3, 5)));
    int64_t Offset = pick(0, 1 << 20);
    ASSERT_EQ(S(S(Offset)), Offset);
  }
}

} // namespace
