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
  EXPECT_EQ(At("composition(4:1)"),
            "0: composition takes 2 to 3 arguments, not 1");
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
            "error: at 0: logical_product of 16:3 by (1,5):(1,1): composition "
            "of (3,2):(1,48) with 5:1, mode 1 of (1,5):(1,1): the remaining "
            "extent 5 is not a multiple of the 3 elements of mode 0 (3:1)");
  // No leaf carries on its own, but their sum does.
  EXPECT_EQ(eval("composition((4,4):(1,100),(4,4):(1,1))"),
            "error: at 0: composition of (4,4):(1,100) with 4:1, mode 1 of "
            "(4,4):(1,1): with the other modes it reaches 6, beyond the extent "
            "of mode 0 (4:1)");
  // The stride need not divide the extent if no coordinate leaves the mode.
  EXPECT_EQ(eval("composition((6,2):(1,7),2:4)"), "2:4");
  EXPECT_EQ(eval("composition((6,2):(1,7),3:4)"),
            "error: at 0: composition of (6,2):(1,7) with 3:4: stride 4 does "
            "not divide the extent of mode 0 (6:1)");
  EXPECT_EQ(eval("composition((6,4):(1,7),3:8)"),
            "error: at 0: composition of (6,4):(1,7) with 3:8: stride 8 is not "
            "a multiple of the extent of mode 0 (6:1)");
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

// The result of a function that gives a number or a coordinate.
std::string number(StringRef Text) {
  Expected<IntTuple> T = parseIntTuple(Text);
  return T ? T->str() : "error: " + toString(T.takeError());
}

TEST(Layout, ModesAndCoordinates) {
  EXPECT_EQ(eval("select((2,3,5):(1,2,6),2,0)"), "(5,2):(6,1)");
  EXPECT_EQ(eval("group((2,3,5,7),1,3)"), "(2,(3,5),7):(1,(2,6),30)");
  EXPECT_EQ(eval("append((2,3),4)"), "(2,3,1,1):(1,2,0,0)");
  EXPECT_EQ(eval("prepend((2,3),3)"), "(1,2,3):(0,1,2)");
  EXPECT_EQ(eval("append(4:1,2:8)"), "(4,2):(1,8)");
  EXPECT_EQ(eval("append((4,2):(1,4),(2,3):(8,16))"),
            "(4,2,(2,3)):(1,4,(8,16))");
  EXPECT_EQ(eval("prepend((4,2):(1,4),2:8)"), "(2,4,2):(8,1,4)");
  EXPECT_EQ(eval("append(4:1,3,2:8)"), "(4,2,2):(1,8,8)");
  EXPECT_EQ(eval("append(S<2,4,3> o 0 o 4:1,2)"), "S<2,4,3> o 0 o (4,1):(1,0)");
  EXPECT_EQ(eval("take((2,3,5,7),1,3)"), "(3,5):(2,6)");
  EXPECT_EQ(eval("get((2,(3,5)),1,1)"), "5:6");
  EXPECT_EQ(eval("make_layout(4:1,(2,2):(4,8))"), "(4,(2,2)):(1,(4,8))");
  EXPECT_EQ(eval("make_layout((4,8),(8,1))"), "(4,8):(8,1)");
  EXPECT_EQ(eval("make_ordered_layout((2,(3,4),5),(2,(0,3),1))"),
            "(2,(3,4),5):(15,(1,30),3)");
  EXPECT_EQ(eval("make_layout_like((4,3,2):(10,0,1))"), "(4,3,2):(2,0,1)");
  EXPECT_EQ(eval("filter_zeros((4,(8,2)):(0,(1,0)))"), "(1,(8,1)):(0,(1,0))");
  EXPECT_EQ(eval("filter((4,(8,2)):(0,(1,0)))"), "8:1");
  EXPECT_EQ(eval("nullspace((4,(8,2)):(0,(1,0)))"), "(4,2):(1,32)");
  EXPECT_EQ(eval("slice_and_offset((_,2),(4,8):(8,1))"),
            "S<0,0,0> o 2 o (4):(8)");
  EXPECT_EQ(eval("slice(_,(4,8):(8,1))"), "(4,8):(8,1)");
  EXPECT_EQ(eval("local_tile((128,64),(32,16),(1,2))"),
            "S<0,0,0> o 4128 o (32,16):(1,128)");
  EXPECT_EQ(eval("local_tile((128,64),(32,16),(1,_))"),
            "S<0,0,0> o 32 o (32,16,4):(1,128,2048)");
  EXPECT_EQ(eval("local_partition((128,8),(32,8),37)"),
            "S<0,0,0> o 133 o (4,1):(32,0)");
  EXPECT_EQ(number("size((2,(3,5)),1)"), "15");
  EXPECT_EQ(number("shape((2,(3,5)),1)"), "(3,5)");
  EXPECT_EQ(number("stride((2,(3,5)),1,0)"), "2");
  EXPECT_EQ(number("rank((2,(3,5)),1)"), "2");
  EXPECT_EQ(number("depth((2,(3,5)))"), "2");
  EXPECT_EQ(number("cosize(S<2,4,3> o 0 o (4,8):(10,1))"), "38");
  EXPECT_EQ(number("idx2crd(17,(3,(2,3)),(3,(12,1)))"), "(2,(1,2))");
  EXPECT_EQ(number("idx2crd(10,(2,4),(8,2))"), "(1,1)");
  EXPECT_EQ(number("compatible(24,(4,6))"), "1");
  EXPECT_EQ(number("compatible((4,6),24)"), "0");
  EXPECT_EQ(number("compatible((4,6),((2,2),6))"), "1");
  EXPECT_EQ(number("congruent((4,6),(1,2))"), "1");
  EXPECT_EQ(number("crd2idx((1,2),(4,8),(8,1))"), "10");
  EXPECT_EQ(eval("dice((_,1,(_,0)),(2,3,(5,7)))"), "(3,7):(2,30)");
  EXPECT_EQ(eval("slice((_,1,(_,0)),(2,3,(5,7)))"), "(2,5):(1,6)");
  EXPECT_EQ(number("crd2idx((1,(2,3)),(3,(5,7)):(1,(3,15)))"), "52");
  EXPECT_EQ(number("crd2idx((7,25),S<2,4,3> o 0 o (8,32):(32,1))"), "233");
  EXPECT_EQ(number("idx2crd(52,(3,(5,7)))"), "(1,(2,3))");
  EXPECT_EQ(number("crd2crd((1,17),(3,35),(3,(5,7)))"), "(1,(2,3))");
  EXPECT_EQ(number("crd2crd((1,(2,3)),(3,(5,7)),105)"), "52");
  EXPECT_EQ(number("crd2idx((1,35),(3,(5,7)))"),
            "error: at 8: coordinate (1,35) lies outside the shape (3,(5,7))");
  EXPECT_EQ(eval("select((2,3),2)"), "error: at 0: no mode 2 in (2,3):(1,2)");
}

// The contiguous run that a register fragment and a tile in memory have in
// common is the largest vectorised access.
TEST(Layout, CommonVectors) {
  EXPECT_EQ(number("max_common_vector((8,4):(1,8),(8,4):(1,8))"), "32");
  EXPECT_EQ(number("max_common_vector((8,4):(1,8),(8,4):(1,16))"), "8");
  EXPECT_EQ(number("max_common_vector((8,4):(4,1),(8,4):(1,8))"), "1");
  EXPECT_EQ(eval("max_common_layout((8,4):(4,1),(8,4):(8,1))"), "4:8");
  EXPECT_TRUE(isCompact(Layout({8, 4}, {4, 1})));
  EXPECT_TRUE(isCompact(Layout({8, 4}, {0, 1})));
  EXPECT_FALSE(isCompact(Layout({8, 4}, {5, 1})));
  EXPECT_FALSE(isCompact(Layout({8, 2}, {1, 4})));
}

// CuTe's output can be parsed.
TEST(Layout, ReadsWhatCuTePrints) {
  EXPECT_EQ(eval("((_8,_16),(_64,_1)):((_64,_512),(_1,_0))"),
            "((8,16),(64,1)):((64,512),(1,0))");
  EXPECT_EQ(eval("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"),
            "S<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_EQ(eval("Sw<3,4,3> o smem_ptr[8b](0x7f00) o (_8,_128):(_128,_1)"),
            "S<3,4,3> o 0 o (8,128):(128,1)");
  EXPECT_EQ(eval("Sw<3,4,3> o smem_ptr[4b](unset) o (_8,_256):(_256,_1)"),
            "S<3,5,3> o 0 o (8,256):(256,1)");
  EXPECT_EQ(eval("Sw<3,1,3> o smem_ptr[32b](unset) o (_8,_64):(_64,_1)"),
            "error: at 0: the swizzle acts within an element");
  EXPECT_EQ(eval("Sw<3,4,3> o smem_ptr[12b](unset) o 8:1"),
            "error: at 12: an element has 1, 2, 4, ... or 128 bits");
  EXPECT_EQ(eval("(4,8):(8,1) o 2 o (2,2):(1,16)"),
            "S<0,0,0> o 16 o (2,2):(8,4)");
  EXPECT_EQ(eval("(4,8):(8,1) o 3 o (2,2):(1,16)"),
            "error: at 0: composition of (4,8):(8,1) with S<0,0,0> o 3 o "
            "(2,2):(1,16): no swizzled layout agrees with it at element 1");
}

// With swizzles, as far as the result is a single swizzle.
TEST(Layout, SwizzlesCompose) {
  EXPECT_EQ(eval("composition(S<3,3,3>,(8,64):(64,1))"),
            "S<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_EQ(eval("composition(S<3,3,3>,5,(8,64):(64,1))"),
            "S<3,3,3> o 5 o (8,64):(64,1)");
  EXPECT_EQ(eval("composition(S<2,4,3> o 0 o (8,32):(32,1),<2:1,4:1>)"),
            "S<2,4,3> o 0 o (2,4):(32,1)");
  EXPECT_EQ(eval("composition(S<3,4,3>,S<3,4,3> o 0 o (8,64):(64,1))"),
            "S<0,0,0> o 0 o (8,64):(64,1)");
  // Row-major after a swizzle of column-major bits: rows and columns swap.
  EXPECT_EQ(eval("composition((8,8):(8,1),S<3,0,3>)"),
            "S<3,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(eval("composition((8,8):(8,1),S<3,0,3> o 0 o (8,8):(1,8))"),
            "S<3,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(eval("right_inverse(S<3,3,3> o 0 o (8,64):(64,1))"),
            "S<3,0,-6> o 0 o (64,8):(8,1)");
  EXPECT_EQ(eval("left_inverse(S<3,0,3> o 0 o (8,8):(8,1))"),
            "S<3,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(eval("complement(S<3,3,3> o 0 o (8,64):(64,1),2048)"), "4:512");
  EXPECT_EQ(eval("filter(S<3,3,3> o 0 o (8,64):(0,1))"), "S<3,3,3> o 0 o 64:1");
  EXPECT_EQ(eval("coalesce(S<3,3,3> o 0 o (8,(8,8)):(64,(1,8)),(1,1))"),
            "S<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_EQ(eval("left_inverse(S<3,0,3> o 8 o (8,8):(8,1))"),
            "error: at 0: left inverse of S<3,0,3> o 8 o (8,8):(8,1): the "
            "offset is not 0");
  EXPECT_EQ(eval("composition((6,8):(8,1),S<3,0,3>)"),
            "error: at 0: composition of (6,8):(8,1) with S<3,0,3> o 0 o "
            "48:1: the swizzle does not act on whole bits of (6,8):(8,1)");
  EXPECT_EQ(number("max_common_vector(S<3,3,3> o 0 o (8,64):(64,1),"
                   "(8,64):(64,1))"),
            "8");
  EXPECT_EQ(number("is_bijective(S<3,3,3> o 0 o (8,64):(64,1))"), "1");
  EXPECT_EQ(number("is_injective((8,64):(65,1))"), "1");
  EXPECT_EQ(number("is_compact((8,64):(0,1))"), "1");
  EXPECT_EQ(number("equal((2,3):(1,2),6:1)"), "1");
  EXPECT_EQ(number("equal((2,3):(3,1),6:1)"), "0");
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

// Only distances to the base matter, on either side of it.
TEST(Banks, ByExpression) {
  // 8 rows of 16 bytes, then a column of 2-byte elements by 32 lanes.
  EXPECT_EQ(number("wavefronts((64,128):(128,1),(8,1):(1,0),0,16)"), "8");
  EXPECT_EQ(number("wavefronts(S<3,4,3> o 0 o (64,128):(128,1),"
                   "(8,1):(1,0),0,16)"),
            "1");
  EXPECT_EQ(number("wavefronts((64,128):(128,1),(32,1):(1,0),0,2)"), "32");
  EXPECT_EQ(number("wavefronts(S<3,4,3> o 0 o (64,128):(128,1),"
                   "(32,1):(1,0),0,2)"),
            "4");
  EXPECT_EQ(number("wavefronts((64,128):(128,1),(32,1):(1,0),0,3)"),
            "error: at 43: a lane accesses 1, 2, 4, 8 or 16 bytes");
  EXPECT_EQ(number("wavefronts((64,128):(128,1),(32,1):(1,0),1,4)"),
            "error: at 41: no value 1 in (32,1):(1,0)");
}

TEST(Banks, AddressesBelowTheBase) {
  EXPECT_EQ(countWavefronts({-4, 0, 124}, 4), 2u); // -4 and 124 share bank 31
  EXPECT_EQ(countWavefronts({-1, -4}, 1), 1u);
  EXPECT_EQ(countWavefronts({-128, 0, 128}, 4), 3u);
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

} // namespace
