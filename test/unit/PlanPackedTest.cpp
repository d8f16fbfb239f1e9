//===- PlanPackedTest.cpp - Operands of several numbers in an element -----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Gathered.h"
#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/Packed.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

/// As many products of a word of `W` as \p Factors, in which `@` is the word,
/// by the elements of `X` at \p Step k + i \p Apart.
Contraction packedSum(std::vector<std::string> Factors, const char *Type = "u8",
                      const char *Wide = "f32",
                      const std::string &Step = "%m * L + 2 * %k",
                      const std::string &Apart = "1",
                      const char *Index = "%n * H + %k") {
  const std::string Element = std::string("W[") + Index + "]:" + Type;
  std::string Text = "contraction \"sum\" {\n  index %b < 1\n  index %m < M\n"
                     "  index %n < N\n  index %k < H\n";
  for (size_t I = 0; I < Factors.size(); ++I) {
    std::string &S = Factors[I];
    for (size_t At; (At = S.find('@')) != std::string::npos;)
      S.replace(At, 1, Element);
    Text += std::string(I ? "  plus\n" : "") + "  operand A = X[" + Step +
            (I ? " + " + std::to_string(I) + " * " + Apart : "") + "]:" + Wide +
            "\n  operand B = " + Element + " as " + S + "\n";
  }
  Text += "  accumulate f32\n  output C[%m * N + %n]:f32 = acc\n"
          "  offsets i64\n}\n";
  Expected<Contraction> C = parseContraction(Text);
  EXPECT_TRUE(bool(C)) << Text << toString(C.takeError());
  takeNumbers(*C);
  return *C;
}

const char *const LowBits = "f32((@ & int.u8(15)))",
                  *const HighBits = "f32((@ >> int.u8(4)))";

/// Number \p Place of a word of 32 bits, without \p Zero.
std::string ofWord(int Place, const std::string &Zero) {
  const std::string Shifted =
      Place ? "(@ >> int.i32(" + std::to_string(4 * Place) + "))" : "@";
  return "(f32((" + Shifted + " & int.u32(15))) - " + Zero + ")";
}

std::string textOf(const Contraction &C) {
  std::string Text;
  raw_string_ostream OS(Text);
  C.print(OS);
  return Text;
}

TEST(PlanPacked, CountsNumbersAlongK) {
  const Contraction C = packedSum({LowBits, HighBits});
  ASSERT_TRUE(C.MoreProducts.empty());
  EXPECT_EQ(C.KExtent.str(), "2 * H");
  EXPECT_EQ(C.A.Index.str(), "%m * L + %k");
  EXPECT_EQ(C.A.numbers(), 1);
  EXPECT_EQ(C.B.Index.str(), "%n * H + floordiv(%k, 2)");
  EXPECT_EQ(C.B.numbers(), 2);
  EXPECT_EQ(C.B.indexOfElements().str(), "%n * H + %k");
  EXPECT_TRUE(C.B.stride("k").isOne());
  EXPECT_EQ(C.B.stride("n").str(), "H");
  EXPECT_EQ(&defaultFeed(C), &partsFeed());
  // What it says is a contraction like any other.
  Expected<Contraction> Again = parseContraction(textOf(C));
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(textOf(*Again), textOf(C));
  EXPECT_EQ(Again->B.numbers(), 2);
}

/// Pairs are left to those who convert them, where these do all that is done.
TEST(PlanPacked, PairsThatAreConvertedStayPairs) {
  EXPECT_TRUE(hasNibbles(packedSum({LowBits, HighBits}, "u8", "f16")));
  const Contraction C =
      packedSum({std::string("(") + LowBits + " - z[%n]:f32)",
                 std::string("(") + HighBits + " - z[%n]:f32)"},
                "u8", "f16");
  EXPECT_FALSE(hasNibbles(C));
  EXPECT_EQ(C.B.numbers(), 2);
}

TEST(PlanPacked, WordsAreShiftedByThePlaceOfANumber) {
  std::vector<std::string> Factors, Others;
  for (int I = 0; I < 8; ++I) {
    Factors.push_back(ofWord(I, "z[floordiv(%k, 16) * N + %n]:f32"));
    Others.push_back(ofWord(I % 2 * 4 + I / 2, "0.5f:f32"));
  }
  const Contraction C =
      packedSum(Factors, "u32", "f16", "8 * M * %k + %m", "M", "%k * N + %n");
  ASSERT_EQ(C.B.numbers(), 8);
  EXPECT_EQ(C.B.stride("k").str(), "N");
  EXPECT_EQ(C.A.Index.str(), "%k * M + %m");
  const std::string Prologue = C.B.Prologue->str();
  EXPECT_NE(Prologue.find("4 * mod(%k, 8)"), std::string::npos) << Prologue;
  EXPECT_NE(Prologue.find("z[N * floordiv(%k, 128) + %n]"), std::string::npos)
      << Prologue;
  EXPECT_FALSE(C.B.Prologue->containsKind(warpwright::Value::Kind::Select));
  // In another order each has its own bits.
  const Contraction Other =
      packedSum(Others, "u32", "f16", "%m * L + 8 * %k", "1", "%k * N + %n");
  ASSERT_EQ(Other.B.numbers(), 8);
  EXPECT_TRUE(Other.B.Prologue->containsKind(warpwright::Value::Kind::Select));
}

TEST(PlanPacked, OtherSumsAreLeftAsTheyAre) {
  auto IsLeft = [](const Contraction &C) {
    return !C.MoreProducts.empty() && C.B.numbers() == 1;
  };
  // Four numbers of two bits, and half of a word's.
  EXPECT_TRUE(IsLeft(packedSum({LowBits, HighBits, LowBits, HighBits}, "u8",
                               "f32", "%m * L + 4 * %k")));
  EXPECT_TRUE(
      IsLeft(packedSum({ofWord(0, "0.5f:f32"), ofWord(1, "0.5f:f32")}, "u32")));
  // Elements that are no neighbours.
  EXPECT_TRUE(IsLeft(
      packedSum({LowBits, HighBits}, "u8", "f32", "%m * L + 2 * %k", "2")));
  EXPECT_TRUE(
      IsLeft(packedSum({LowBits, HighBits}, "u8", "f32", "%m * L + %k", "H")));
  EXPECT_TRUE(
      IsLeft(packedSum({LowBits, HighBits}, "u8", "f32", "%m * L + 3 * %k")));
}

/// No other feed takes elements of several numbers, whatever is done to them.
TEST(PlanPacked, OnlyPartsTakeThem) {
  const char *const Whole = "(f32(@) - 8.0f:f32)";
  const Contraction C = packedSum({Whole, Whole}, "u8", "f16");
  ASSERT_EQ(C.B.numbers(), 2);
  EXPECT_TRUE(C.isPacked());
  EXPECT_EQ(feedsFor(C, FactorPrecision::Float),
            std::vector<const FeedRole *>{&partsFeed()});
  Contraction Plain = C;
  Plain.B.Prologue = nullptr;
  EXPECT_TRUE(feedsFor(Plain, FactorPrecision::Float).empty());
  Plain.B.Type = ScalarType::F16;
  for (FactorPrecision Precision :
       {FactorPrecision::Float, FactorPrecision::TF32})
    EXPECT_TRUE(feedsFor(Plain, Precision).empty());
}

/// A product of `X` by numbers of words that lie across k, which are shifted by
/// \p Shift.
Contraction acrossK(const std::string &Index, const std::string &Shift,
                    const char *Type = "u8") {
  const std::string Word = "W[" + Index + "]:" + Type;
  Expected<Contraction> C = parseContraction(
      "contraction \"sum\" {\n  index %b < 1\n  index %m < M\n"
      "  index %n < N\n  index %k < K\n  operand A = X[%m * K + %k]:f16\n"
      "  operand B = " +
      Word + " as f32(((u32(" + Word + ") >> int.i32(" + Shift +
      ")) & int.u32(15)))\n  accumulate f32\n"
      "  output C[%m * N + %n]:f32 = acc\n  offsets i64\n}\n");
  EXPECT_TRUE(bool(C)) << toString(C.takeError());
  return *C;
}

TEST(PlanPacked, WordsAcrossKAreGathered) {
  Contraction C =
      acrossK("%k * P + floordiv(%n, 4)", "12 - 4 * mod(%n, 4)", "u16");
  EXPECT_EQ(C.B.wordNumbers(), 4);
  EXPECT_EQ(C.B.indexOfNumbers().str(), "4 * %k * P + %n");
  EXPECT_TRUE(C.B.stride("n").isOne());
  takeGathered(C);
  ASSERT_TRUE(C.B.Gathered.has_value());
  EXPECT_EQ(C.B.Gathered->Places, (std::vector<unsigned>{3, 2, 1, 0}));
  EXPECT_EQ(C.B.Index.str(), "8 * %k * P + %n");
  EXPECT_EQ(C.B.Type, ScalarType::U8);
  EXPECT_EQ(C.KExtent.str(), "floordiv(K, 2)");
  ASSERT_EQ(C.MoreProducts.size(), 1u);
  EXPECT_EQ(C.A.Index.str(), "%m * K + 2 * %k");
  EXPECT_EQ(C.MoreProducts[0].A.Index.str(), "%m * K + 2 * %k + 1");
  ASSERT_EQ(C.Requires.size(), 1u);
  EXPECT_EQ(C.Requires[0].Condition.str(), "mod(K, 2) == 0");
  // What it says is a contraction like any other.
  Expected<Contraction> Again = parseContraction(textOf(C));
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(textOf(*Again), textOf(C));
  takeNumbers(C);
  EXPECT_TRUE(hasNibbles(C));
  EXPECT_TRUE(C.B.Gathered.has_value());
}

TEST(PlanPacked, OtherWordsAreNotGathered) {
  auto IsLeft = [](const char *Index, const char *Shift,
                   const char *Type = "u8") {
    Contraction C = acrossK(Index, Shift, Type);
    takeGathered(C);
    return !C.B.Gathered && C.MoreProducts.empty();
  };
  EXPECT_FALSE(IsLeft("floordiv(%k * P + %n, 2)", "4 * mod(%k * P + %n, 2)"));
  // Columns that are counted down.
  EXPECT_FALSE(IsLeft("floordiv(%k * P - %n, 2)", "4 * mod(%k * P - %n, 2)"));
  // Bits of two numbers, bits beyond the word, numbers of eight bits.
  EXPECT_TRUE(IsLeft("%k * P + floordiv(%n, 2)", "3 * mod(%n, 2)"));
  EXPECT_TRUE(IsLeft("%k * P + floordiv(%n, 2)", "8 * mod(%n, 2)"));
  EXPECT_TRUE(IsLeft("%k * P + floordiv(%n, 4)", "4 * mod(%n, 4)"));
  EXPECT_TRUE(IsLeft("%k * P + floordiv(%n, 2)", "4 * mod(%n, 2)", "u16"));
  // An index that does not step from number to number.
  EXPECT_TRUE(IsLeft("%k * P + floordiv(3 * %n, 2)", "4 * mod(3 * %n, 2)"));
  EXPECT_TRUE(IsLeft("%n * P + floordiv(%k, 2)", "4 * mod(%k, 2)"));
}

/// Words of numbers along k that lie across it, or have them in another order,
/// are gathered, too; but not in blocks of 32, which have no pairs' plan.
TEST(PlanPacked, WordsAlongKAreGathered) {
  auto Words = [](const char *Index, bool ByTable) {
    std::vector<std::string> Factors;
    for (int I = 0; I < 8; ++I)
      Factors.push_back("f32(((@ >> int.i32(" +
                        std::to_string(4 * (ByTable ? I % 2 * 4 + I / 2 : I)) +
                        ")) & int.u32(15)))");
    return packedSum(Factors, "u32", "f16", "%m * L + 8 * %k", "1", Index);
  };
  const Contraction C = Words("%k * P + %n", false);
  ASSERT_TRUE(hasNibbles(C));
  ASSERT_TRUE(C.B.Gathered.has_value());
  EXPECT_TRUE(C.B.Gathered->AlongK);
  EXPECT_EQ(C.B.Gathered->Places,
            (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(C.B.Index.str(), "%k * P + %n");
  EXPECT_EQ(C.KExtent.str(), "4 * H");
  Expected<Contraction> Again = parseContraction(textOf(C));
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(textOf(*Again), textOf(C));
  const Contraction Other = Words("%n * P + %k", true);
  ASSERT_TRUE(Other.B.Gathered.has_value());
  EXPECT_EQ(Other.B.Gathered->Places,
            (std::vector<unsigned>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(Other.B.Index.str(), "%n * P + %k");
  // Bytes that are neighbours as they are stay so.
  const Contraction Plain = Words("%n * P + %k", false);
  EXPECT_TRUE(hasNibbles(Plain));
  EXPECT_FALSE(Plain.B.Gathered.has_value());
  EXPECT_EQ(Plain.B.Index.str(), "4 * %n * P + %k");
}

TEST(PlanPacked, PlacesAreNumbersOfAWord) {
  const std::string Text = textOf([] {
    Contraction C = acrossK("%k * P + floordiv(%n, 2)", "4 * mod(%n, 2)");
    takeGathered(C);
    return C;
  }());
  for (const auto &[Wrong, Message] :
       {std::pair("gathered(0, 8)", "places are 0 to 7"),
        std::pair("gathered(0, P)", "places are 0 to 7"),
        std::pair("gathered(0, 1, 2, 3, 4, 5, 6, 7, 0)", "at most 8 numbers"),
        std::pair("gathered 0", "expected '('")}) {
    std::string Bad = Text;
    const size_t At = Bad.find("gathered(0, 1)");
    ASSERT_NE(At, std::string::npos) << Text;
    Bad.replace(At, StringRef("gathered(0, 1)").size(), Wrong);
    Expected<Contraction> C = parseContraction(Bad);
    ASSERT_FALSE(bool(C));
    const std::string Said = toString(C.takeError());
    EXPECT_NE(Said.find(Message), std::string::npos) << Said;
  }
}

/// Only a quotient of k alone, and of all that depends on it, is an element's.
TEST(PlanPacked, IndicesOfElements) {
  auto NumbersOf = [](const IntExpr &Index) {
    Operand O;
    O.Index = Index;
    return O.numbers();
  };
  const IntExpr K = IntExpr::index("k"), N = IntExpr::param("N"),
                Row = IntExpr::index("n");
  EXPECT_EQ(NumbersOf(IntExpr::floorDiv(K, 8) * N + Row), 8);
  EXPECT_EQ(NumbersOf(IntExpr::floorDiv(K, 8) * N + K), 1);
  EXPECT_EQ(NumbersOf(IntExpr::floorDiv(K, 8) + IntExpr::floorDiv(K, 2)), 1);
  EXPECT_EQ(NumbersOf(IntExpr::floorDiv(K + Row, 8)), 1);
  EXPECT_EQ(NumbersOf(IntExpr::floorDiv(K, N)), 1);
  EXPECT_EQ(NumbersOf(IntExpr::mod(K, 8) + IntExpr::floorDiv(K, 8)), 1);
  EXPECT_EQ(NumbersOf(IntExpr::floorDiv(K, 8) * IntExpr::floorDiv(K, 8)), 1);
  EXPECT_EQ(NumbersOf(Row), 1);
}

} // namespace
