//===- PlanNibblesTest.cpp - Operands of four bits ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Plan/Validator.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

/// Two products of a byte of `W` in each pass: \p First and \p Second, in which
/// `@` is the byte as an int, by neighbours of `X`.
Contraction sumOf(std::string First, std::string Second,
                  const char *Type = "u8", const char *Wide = "f16",
                  const char *Next = "2 * %k + 1",
                  const char *Index = "%n * H + %k") {
  const std::string Element = std::string("W[") + Index + "]:" + Type;
  for (std::string *S : {&First, &Second})
    for (size_t At; (At = S->find('@')) != std::string::npos;)
      S->replace(At, 1, "i32(" + Element + ")");
  const std::string Text =
      "contraction \"sum\" {\n  index %b < 1\n  index %m < M\n  index %n < N\n"
      "  index %k < H\n  operand A = X[2 * %m * H + 2 * %k]:" +
      std::string(Wide) + "\n  operand B = " + Element + " as " + First +
      "\n  plus\n  operand A = X[2 * %m * H + " + Next + "]:" + Wide +
      "\n  operand B = " + Element + " as " + Second +
      "\n  accumulate f32\n  output C[%m * N + %n]:f32 = acc\n  offsets i64\n"
      "}\n";
  Expected<Contraction> C = parseContraction(Text);
  EXPECT_TRUE(bool(C)) << Text << toString(C.takeError());
  takeNibbles(*C);
  return *C;
}

const char *const Low = "f32((@ & int.i32(15)))",
                  *const High = "f32((@ >> int.i32(4)))",
                  *const SignedLow = "f32((((@ & int.i32(15)) ^ int.i32(8)) - "
                                     "int.i32(8)))",
                  *const SignedHigh = "f32((((@ >> int.i32(4)) ^ int.i32(8)) - "
                                      "int.i32(8)))";

/// What a byte's bits are is found by computing it.
TEST(PlanNibbles, TypesSayWhichBitsComeFirst) {
  const Contraction C = sumOf(Low, High);
  EXPECT_EQ(name(C.B.Type), "u4x2");
  EXPECT_EQ(name(C.A.Type), "f16x2");
  EXPECT_FALSE(C.hasPrologue());
  EXPECT_TRUE(C.MoreProducts.empty());
  EXPECT_EQ(C.A.Index.str(), "%m * H + %k");
  EXPECT_EQ(name(sumOf(High, Low).B.Type), "u4x2_high");
  EXPECT_EQ(name(sumOf(Low, High, "u8", "bf16").A.Type), "bf16x2");
  EXPECT_EQ(name(sumOf(SignedLow, SignedHigh).B.Type), "s4x2");
  EXPECT_EQ(name(sumOf(SignedHigh, SignedLow).B.Type), "s4x2_high");
  // Of bytes with a sign the upper bits have it.
  EXPECT_EQ(
      name(sumOf("f32((i32(i8((@ << int.i32(4)))) >> int.i32(4)))", High, "i8")
               .B.Type),
      "s4x2");
}

/// Numbers that are subtracted stay, as zero points.
TEST(PlanNibbles, ZeroPointsAreLeft) {
  const Contraction C = sumOf("f32(((@ & int.i32(15)) - int.i32(8)))",
                              "f32(((@ >> int.i32(4)) - int.i32(8)))");
  ASSERT_TRUE(C.B.Prologue);
  EXPECT_EQ(C.B.Prologue->str(), "(f32(W[%n * H + %k]:u4x2) - int.f32(8))");
}

/// Words of eight numbers are four bytes, and so are their groups.
TEST(PlanNibbles, WordsAreBytes) {
  for (bool InOrder : {true, false}) {
    std::string Text = "contraction \"sum\" {\n  index %b < 1\n"
                       "  index %m < M\n  index %n < N\n  index %k < H\n";
    for (int I = 0; I < 8; ++I) {
      const int Bits = 4 * (InOrder ? I : (I % 2 ? I / 2 + 4 : I / 2));
      Text += std::string(I ? "  plus\n" : "") +
              "  operand A = X[%m * L + 8 * "
              "%k + " +
              std::to_string(I) +
              "]:f16\n  operand B = W[%n * H + %k]:u32 as (f32((i32(((W[%n * H "
              "+ %k]:u32 >> int.i32(" +
              std::to_string(Bits) +
              ")) & int.u32(15))) - int.i32(8))) * scale[floordiv(%k, 16)]:f32)"
              "\n";
    }
    Text += "  accumulate f32\n  output C[%m * N + %n]:f32 = acc\n"
            "  offsets i64\n}\n";
    Expected<Contraction> C = parseContraction(Text);
    ASSERT_TRUE(bool(C)) << toString(C.takeError());
    takeNibbles(*C);
    ASSERT_TRUE(hasNibbles(*C));
    // Others are gathered.
    ASSERT_EQ(C->B.Gathered.has_value(), !InOrder);
    if (!InOrder)
      continue;
    EXPECT_EQ(name(C->B.Type), "u4x2");
    EXPECT_EQ(C->KExtent.str(), "4 * H");
    EXPECT_EQ(C->B.Index.str(), "4 * %n * H + %k");
    EXPECT_EQ(C->A.Index.str(), "%m * floordiv(L, 2) + %k");
    EXPECT_NE(C->B.Prologue->str().find("scale[floordiv(%k, 64)]"),
              std::string::npos);
    ASSERT_EQ(C->Requires.size(), 1u);
    EXPECT_EQ(C->Requires[0].Condition.str(), "mod(L, 2) == 0");
  }
}

TEST(PlanNibbles, OtherSumsAreLeftAsTheyAre) {
  auto IsLeft = [](const Contraction &C) { return !hasNibbles(C); };
  // Twice the same bits, or one with a sign and one without.
  EXPECT_TRUE(IsLeft(sumOf(Low, Low)));
  EXPECT_TRUE(IsLeft(sumOf(Low, High, "i8")));
  // Different zero points.
  EXPECT_TRUE(IsLeft(sumOf("f32(((@ & int.i32(15)) - int.i32(8)))", High)));
  // Five bits, and three.
  EXPECT_TRUE(IsLeft(sumOf("f32((@ & int.i32(31)))", High)));
  EXPECT_TRUE(IsLeft(sumOf("f32((@ & int.i32(7)))", High)));
  EXPECT_TRUE(IsLeft(sumOf(Low, "f32((@ >> int.i32(3)))")));
  // Elements that are no neighbours, or of another type.
  EXPECT_TRUE(IsLeft(sumOf(Low, High, "u8", "f16", "2 * %k + 2")));
  EXPECT_TRUE(IsLeft(sumOf(Low, High, "u8", "f16", "3 * %k + 1")));
  EXPECT_TRUE(IsLeft(sumOf(Low, High, "u8", "f32")));
}

/// Every plan for each type and either order of the bytes is certified, and the
/// kernel has the same numbers.
TEST(PlanNibbles, PlansAreCertified) {
  for (const char *Wide : {"f16", "bf16"})
    for (int Case = 0; Case < 4; ++Case) {
      const bool HighFirst = Case % 2, AcrossK = Case / 2;
      const Contraction C =
          sumOf(HighFirst ? High : Low, HighFirst ? Low : High, "u8", Wide,
                "2 * %k + 1", AcrossK ? "%k * N + %n" : "%n * H + %k");
      auto Result = planContraction(C, {});
      auto *Plans = std::get_if<PlanSet>(&Result);
      ASSERT_TRUE(Plans) << std::get<Decline>(Result).Message;
      EXPECT_GE(Plans->Plans.size(), 8u);
      for (const KernelPlan &P : Plans->Plans) {
        EXPECT_TRUE(P.SwapAB) << P.Name;
        EXPECT_EQ(P.Feed, &convertedFeed());
        EXPECT_EQ(P.TileK, P.Schedule == &interleavedSchedule() ? 64 : 32);
        EXPECT_TRUE(isNibbles(P.Rows.Type));
        EXPECT_EQ(P.Rows.Order, AcrossK ? Major::MN : Major::K);
        EXPECT_EQ(P.Rows.RowSlots, AcrossK ? "(8,2):(2,1)" : "16:1");
        EXPECT_FALSE(bool(checkAgainstRuntime(P))) << P.Name;
      }
    }
}

/// The lanes' loads are checked against the layout.
TEST(PlanNibbles, BrokenPlansAreNamed) {
  auto Result = planContraction(sumOf(Low, High), {});
  const KernelPlan Good = std::get<PlanSet>(Result).Plans.front();
  auto Violated = [](const KernelPlan &P) {
    auto Checked = validatePlan(P);
    auto *Bad = std::get_if<Diagnosis>(&Checked);
    return Bad ? name(Bad->Violated).str() : "certified";
  };
  EXPECT_EQ(Violated(Good), "certified");
  KernelPlan P = Good;
  P.Rows.RowSlots = "(8,2):(2,1)";
  EXPECT_EQ(Violated(P), "operand-fragment");
  P = Good;
  P.Cols.Type = ScalarType::F16;
  EXPECT_NE(Violated(P), "certified");
  auto Across = planContraction(
      sumOf(Low, High, "u8", "f16", "2 * %k + 1", "%k * N + %n"), {});
  P = std::get<PlanSet>(Across).Plans.front();
  EXPECT_EQ(Violated(P), "certified");
  // Bytes of one number, whose lines lanes take in another order.
  P.Rows.Type = ScalarType::U8;
  EXPECT_NE(Violated(P), "certified");
  P = std::get<PlanSet>(Across).Plans.front();
  P.Rows.RowSlots = "16:1";
  EXPECT_EQ(Violated(P), "operand-fragment");
}

} // namespace
