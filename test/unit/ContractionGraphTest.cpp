//===-- ContractionGraphTest.cpp --------------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions whose printed form is too long for any machine, or that are
/// deeper than its stack. Operations on graphs with shared nodes must take time
/// by the number of nodes.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace warpwright;

namespace {

IntExpr P(const llvm::Twine &Name) { return IntExpr::param(Name.str()); }

/// A test takes seconds at most if each node is visited once, and does not end
/// if a node is visited as often as it occurs. It is processor time that is
/// limited, so a busy machine changes nothing; sanitizers take several times
/// it.
class ContractionGraphTest : public testing::Test {
  std::clock_t Begin = std::clock();

protected:
  void TearDown() override {
    EXPECT_LT(double(std::clock() - Begin) / CLOCKS_PER_SEC, 60.0);
  }
};

/// x * x + y, applied \p Times times to its own result: 2^Times loads with 2 *
/// Times additions.
ValueRef squarings(unsigned Times, IntExpr Index) {
  ValueRef V = Value::load(ScalarType::F32, "x", Index);
  for (unsigned I = 0; I != Times; ++I) {
    ValueRef Square = Value::binary(Value::Kind::Mul, ScalarType::F32, V, V);
    V = Value::binary(Value::Kind::Add, ScalarType::F32, Square,
                      Value::param(ScalarType::F32, "y"));
  }
  return V;
}

/// select(the last < 0, the last, z), applied \p Times times; the condition
/// shares the last value.
ValueRef selections(unsigned Times, IntExpr Index) {
  ValueRef V = Value::load(ScalarType::F32, "x", Index);
  ValueRef Zero = Value::constant(ScalarType::F32, "0.0f");
  for (unsigned I = 0; I != Times; ++I)
    V = Value::select(BoolExpr::floatCompare(CmpOp::LT, V, Zero), V,
                      Value::unary(Value::Kind::Neg, V));
  return V;
}

std::optional<IntExpr> nothing(const IntAtom &) { return std::nullopt; }

/// Replaces \p Key by \p By.
auto replace(llvm::StringRef Key, IntExpr By) {
  return [=](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return By;
    return std::nullopt;
  };
}

TEST_F(ContractionGraphTest, SharedValuesAreVisitedOnce) {
  for (auto Make : {squarings, selections}) {
    ValueRef V = Make(40, P("i"));
    unsigned Visits = 0;
    V->walk([&](const Value &) { ++Visits; });
    EXPECT_LE(Visits, 130u);
    EXPECT_FALSE(V->containsKind(Value::Kind::Call));
    EXPECT_TRUE(V->containsKind(Value::Kind::Load));
    EXPECT_EQ(V->size(), ~0u);
    EXPECT_EQ(V->Size, ~0u);
    EXPECT_GT(V->depth(), 40u);
    EXPECT_LT(V->depth(), 130u);
  }
}

TEST_F(ContractionGraphTest, WalkKeepsTheOrderOfTheText) {
  auto Load = [](const char *Name) {
    return Value::load(ScalarType::F32, Name, 0);
  };
  ValueRef A = Load("a"), B = Load("b"), C = Load("c");
  BoolExpr Less = BoolExpr::floatCompare(CmpOp::LT, B, A);
  ValueRef V = Value::binary(Value::Kind::Add, ScalarType::F32,
                             Value::select(Less, C, A), B);
  std::string Names;
  V->walk([&](const Value &N) { Names += N.Name; });
  EXPECT_EQ(Names, "bac");
}

TEST_F(ContractionGraphTest, EqualGraphsOfDifferentNodesAreEqual) {
  for (auto Make : {squarings, selections}) {
    ValueRef V = Make(40, P("i"));
    EXPECT_TRUE(sameValue(V, Make(40, P("i"))));
    EXPECT_FALSE(sameValue(V, Make(40, P("j"))));
    EXPECT_FALSE(sameValue(V, Make(39, P("i"))));
  }
  auto Condition = [](unsigned Times) {
    return BoolExpr::floatCompare(CmpOp::LT, squarings(Times, P("i")),
                                  Value::param(ScalarType::F32, "y"));
  };
  EXPECT_EQ(Condition(40), Condition(40));
  EXPECT_NE(Condition(40), Condition(41));
}

TEST_F(ContractionGraphTest, TypesAndNamesTellValuesApart) {
  auto X = Value::param(ScalarType::F16, "x");
  auto Sum = [&](ScalarType T) {
    return Value::binary(Value::Kind::Add, T, X, X);
  };
  EXPECT_FALSE(sameValue(Sum(ScalarType::F16), Sum(ScalarType::F32)));
  EXPECT_FALSE(sameValue(X, Value::param(ScalarType::F16, "y")));
  EXPECT_FALSE(sameValue(Value::call(ScalarType::F32, "f", {X}),
                         Value::call(ScalarType::F32, "g", {X})));
  EXPECT_FALSE(
      sameValue(Sum(ScalarType::F16),
                Value::binary(Value::Kind::Sub, ScalarType::F16, X, X)));
}

TEST_F(ContractionGraphTest, TransformsKeepWhatIsShared) {
  for (auto Make : {squarings, selections}) {
    ValueRef V = Make(40, P("i") + 1);
    EXPECT_EQ(transformInts(V, nothing), V);
    ValueRef W = transformInts(V, replace("i", P("j") * 2));
    unsigned Visits = 0;
    W->walk([&](const Value &) { ++Visits; });
    EXPECT_LE(Visits, 130u);
    EXPECT_TRUE(sameValue(W, Make(40, P("j") * 2 + 1)));
    EXPECT_EQ(W->Size, V->Size);
  }
}

TEST_F(ContractionGraphTest, WhatIsTooLargeIsNotPrinted) {
  EXPECT_EQ(squarings(40, P("i"))->str(), "<4294967295 nodes>");
  EXPECT_EQ(squarings(2, P("i"))->str(),
            "((((x[i]:f32 * x[i]:f32) + y:f32) * "
            "((x[i]:f32 * x[i]:f32) + y:f32)) + y:f32)");
  // The parser accepts no such mark.
  auto C = parseContraction("contraction \"x\" {\n index %b < <4 nodes>");
  ASSERT_FALSE(static_cast<bool>(C));
  llvm::consumeError(C.takeError());
}

TEST_F(ContractionGraphTest, ChainsAreDeeperThanTheStack) {
  constexpr unsigned Length = 100000;
  auto Make = [&](IntExpr Index) {
    ValueRef V = Value::load(ScalarType::F32, "x", Index);
    for (unsigned I = 0; I != Length; ++I)
      V = Value::unary(Value::Kind::Neg, V);
    return V;
  };
  ValueRef V = Make(P("i"));
  EXPECT_EQ(V->depth(), Length + 3); // the load, its index, the index's atom
  EXPECT_EQ(V->Size, Length + 1);
  EXPECT_TRUE(sameValue(V, Make(P("i"))));
  EXPECT_TRUE(sameValue(transformInts(V, replace("i", P("j"))), Make(P("j"))));
  EXPECT_EQ(V->str().size(), 3 * Length + 8);
  EXPECT_FALSE(V->getConstant());
  unsigned Visits = 0;
  V->walk([&](const Value &) { ++Visits; });
  EXPECT_EQ(Visits, Length + 1);
}

TEST_F(ContractionGraphTest, ChainsThroughConditionsAreDeepToo) {
  ValueRef V = selections(30000, P("i"));
  EXPECT_GT(V->depth(), 60000u);
  EXPECT_TRUE(sameValue(V, selections(30000, P("i"))));
  EXPECT_NE(transformInts(V, replace("i", 0)), V);
}

TEST_F(ContractionGraphTest, LongConditions) {
  auto Make = [](CmpOp Op) {
    BoolExpr All;
    for (unsigned I = 0; I != 100000; ++I)
      All = BoolExpr::conjunction(All, BoolExpr::compare(Op, P("n"), I));
    return All;
  };
  BoolExpr All = Make(CmpOp::LT);
  EXPECT_EQ(All, Make(CmpOp::LT));
  EXPECT_NE(All, Make(CmpOp::LE));
  llvm::SmallVector<BoolExpr, 0> Leaves;
  All.conjuncts(Leaves);
  ASSERT_EQ(Leaves.size(), 100000u);
  EXPECT_EQ(Leaves.front().str(), "n < 0");
  EXPECT_EQ(Leaves.back().str(), "n < 99999");
  unsigned Ints = 0;
  All.walk([&](const IntExpr &) { ++Ints; }, [](const ValueRef &) {});
  EXPECT_EQ(Ints, 200000u);
  EXPECT_EQ(BoolExpr::negation(BoolExpr::negation(All)), All);
  EXPECT_EQ(All.transform(nothing).identity(), All.identity());
  EXPECT_FALSE(All.transform(replace("n", P("m"))) == All);
}

TEST_F(ContractionGraphTest, SharedConditionsAreVisitedOnce) {
  auto Make = [] {
    BoolExpr C = BoolExpr::compare(CmpOp::LT, P("a"), P("b"));
    for (unsigned I = 0; I != 60; ++I)
      C = BoolExpr::disjunction(
          BoolExpr::conjunction(C, BoolExpr::nonNull("p" + std::to_string(I))),
          BoolExpr::negation(C));
    return C;
  };
  BoolExpr C = Make();
  EXPECT_EQ(C, Make());
  EXPECT_EQ(BoolExpr::negation(BoolExpr::negation(C)), C);
  unsigned Ints = 0;
  C.walk([&](const IntExpr &) { ++Ints; }, [](const ValueRef &) {});
  EXPECT_LT(Ints, 500u);
  EXPECT_EQ(C.transform(nothing).identity(), C.identity());
  EXPECT_NE(C.transform(replace("a", P("b") + P("c"))), C);
}

TEST_F(ContractionGraphTest, SumsOfThousandsOfTerms) {
  IntExpr Sum, Values;
  ValueRef V = Value::param(ScalarType::F32, "p0");
  BoolExpr C;
  for (unsigned I = 0; I != 3000; ++I) {
    Sum += P("p" + llvm::Twine(I)) * (I + 1);
    V = Value::binary(Value::Kind::Add, ScalarType::F32, V,
                      Value::param(ScalarType::F32, "p" + std::to_string(I)));
  }
  EXPECT_FALSE(Sum.overflowed());
  EXPECT_EQ(Sum.terms().size(), 3000u);
  EXPECT_EQ(Sum.coefficient("p7")->getConstant(), 8);
  EXPECT_EQ((Sum - Sum).getConstant(), 0);
  EXPECT_EQ(Sum.substitute("p7", P("q")).substitute("q", P("p7")), Sum);
  EXPECT_EQ(V->Size, 6001u);
  EXPECT_TRUE(V->containsKind(Value::Kind::Param));
}

TEST_F(ContractionGraphTest, PolynomialsEnd) {
  IntExpr Base = P("a") + P("b") + P("c"), Power = 1;
  for (unsigned I = 0; I != 40; ++I)
    Power = Power * Base;
  EXPECT_TRUE(Power.overflowed());
  IntExpr Square = Base;
  for (unsigned I = 0; I != 40; ++I)
    Square = Square * Square + Base;
  EXPECT_TRUE(Square.overflowed());
  IntExpr Many;
  for (unsigned I = 0; I != 2 * IntExpr::MaxTerms; ++I)
    Many += P("p" + llvm::Twine(I));
  EXPECT_TRUE(Many.overflowed());
  IntExpr Wide;
  for (unsigned I = 0; I != 300; ++I)
    Wide += P("p" + llvm::Twine(I));
  EXPECT_FALSE(Wide.overflowed());
  EXPECT_TRUE((Wide * Wide).overflowed());
}

TEST_F(ContractionGraphTest, WhatOverflowedProvesNothing) {
  IntExpr Power = P("a") + P("b");
  for (unsigned I = 0; I != 6; ++I)
    Power = Power * Power;
  ASSERT_TRUE(Power.overflowed());
  EXPECT_EQ(Power.str(), "overflow");
  EXPECT_FALSE(Power == Power);
  EXPECT_FALSE(Power.isZero());
  EXPECT_FALSE((Power - Power).isZero());
  EXPECT_TRUE((Power * 0).overflowed());
  EXPECT_FALSE(Power.getConstant());
  EXPECT_FALSE(Power.getAtom());
  EXPECT_FALSE(Power.coefficient("c"));
  EXPECT_FALSE(Power.exactDivide(2));
  EXPECT_TRUE(Power.contains("c"));
  EXPECT_TRUE(Power.containsKind(AtomKind::ThreadIdx));
  std::string Atoms;
  Power.walk([&](const IntAtom &A) { Atoms += A.getKey(); });
  EXPECT_EQ(Atoms, "ab");
  EXPECT_TRUE(Power.substitute("a", 1).overflowed());
  // Two of them print alike, but are not the same.
  IntExpr Other = Power + 1;
  for (auto Make :
       {IntExpr::min, IntExpr::max, IntExpr::floorDiv, IntExpr::mod})
    EXPECT_TRUE(Make(Power, P("c")).overflowed());
  BoolExpr C = BoolExpr::compare(CmpOp::LT, Power, P("c"));
  BoolExpr D = BoolExpr::compare(CmpOp::LT, Other, P("c"));
  EXPECT_EQ(C.str(), D.str());
  EXPECT_NE(C, D);
  EXPECT_EQ(C, C);
  EXPECT_TRUE(C.measure().Overflow);
  EXPECT_TRUE(IntExpr::select(C, 1, 2).overflowed());
  ValueRef V = Value::load(ScalarType::F32, "x", Power);
  EXPECT_TRUE(V->measure().Overflow);
  EXPECT_FALSE(sameValue(V, Value::load(ScalarType::F32, "x", Other)));
  EXPECT_TRUE(sameValue(V, V));
}

TEST_F(ContractionGraphTest, AtomsInAtoms) {
  IntExpr E = P("p0");
  for (unsigned I = 1; I != 201; ++I) {
    IntExpr Next = P("p" + llvm::Twine(I));
    switch (I % 4) {
    case 0:
      E = IntExpr::select(BoolExpr::compare(CmpOp::LT, Next, 3), E, Next);
      break;
    case 1:
      E = IntExpr::min(E, Next);
      break;
    case 2:
      E = IntExpr::floorDiv(E + Next, P("d"));
      break;
    case 3:
      E = IntExpr::mod(E + 1, Next);
      break;
    }
  }
  EXPECT_FALSE(E.overflowed());
  EXPECT_GT(E.measure().Depth, 200u);
  EXPECT_TRUE(E.contains("p0"));
  EXPECT_FALSE(E.coefficient("p0"));
  EXPECT_TRUE(E.transform(nothing).sharesTermsWith(E));
  EXPECT_EQ(E.substitute("p0", P("q")).substitute("q", P("p0")), E);
}

TEST_F(ContractionGraphTest, AtomsThatDoubleEnd) {
  for (unsigned Kind = 0; Kind != 5; ++Kind) {
    IntExpr E = P("p");
    for (unsigned I = 0; I != 100; ++I) {
      IntExpr More = E + P("q") * (I + 1);
      E = Kind == 0   ? IntExpr::min(E, More * E)
          : Kind == 1 ? IntExpr::max(E, More * E)
          : Kind == 2 ? IntExpr::floorDiv(E, More)
          : Kind == 3 ? IntExpr::mod(More, E + 1)
                      : IntExpr::select(
                            BoolExpr::compare(CmpOp::LT, E * E, More), E, More);
    }
    EXPECT_TRUE(E.overflowed()) << Kind;
  }
}

TEST_F(ContractionGraphTest, KindsTellAtomsApart) {
  // A parameter may have a name that a counter prints as.
  IntExpr Counter = IntExpr::counter(0), Parameter = P(Counter.str());
  EXPECT_NE(Counter, Parameter);
  EXPECT_EQ((Counter + Parameter).terms().size(), 2u);
}

TEST_F(ContractionGraphTest, ExtremeNumbers) {
  IntExpr Least = INT64_MIN;
  EXPECT_TRUE((-Least).overflowed());
  EXPECT_FALSE((Least * P("a")).exactDivide(-1));
  EXPECT_EQ(IntExpr::mod(Least, 3), IntExpr(1));
  EXPECT_EQ(IntExpr::floorDiv(Least, 2), IntExpr(INT64_MIN / 2));
}

// More nodes below one node than a visitor stores inline.
TEST(ContractionGraph, CallsOfManyArguments) {
  std::vector<ValueRef> Arguments;
  for (int I = 0; I != 9; ++I)
    Arguments.push_back(Value::integer(ScalarType::I32, IntExpr::index("m")));
  ValueRef Body = Value::cast(ScalarType::F32, Arguments[8]);
  ValueRef Call = Value::call(ScalarType::F32, "f", Arguments, Body);
  ValueRef Moved =
      transformInts(Call, [](const IntAtom &) -> std::optional<IntExpr> {
        return IntExpr::index("n");
      });
  ASSERT_EQ(Moved->Ops.size(), 9u);
  EXPECT_EQ(Moved->Ops[8]->Index, IntExpr::index("n"));
  unsigned Seen = 0;
  Call->walk([&](const Value &) { ++Seen; });
  EXPECT_EQ(Seen, 10u);
}

} // namespace
