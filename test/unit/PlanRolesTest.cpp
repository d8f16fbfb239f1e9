//===- PlanRolesTest.cpp - What kernels are composed of -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Plan/Scales.h"
#include "warpwright/Plan/Shifts.h"
#include "warpwright/rt/cost.cuh"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

Contraction product(const char *A, const char *B, const char *Sum = "f32") {
  Expected<Contraction> C = parseContraction(
      formatv("contraction \"gemm\" {{\n"
              "  index %b < 1\n  index %m < M\n  index %n < N\n"
              "  index %k < K\n"
              "  operand A = A[%m * K + %k]:{0}\n"
              "  operand B = B[%k * N + %n]:{1}\n"
              "  accumulate {2}\n"
              "  output C[%m * N + %n]:bf16 = bf16(acc)\n"
              "  offsets i32\n}\n",
              A, B, Sum)
          .str());
  if (!C)
    report_fatal_error(C.takeError());
  return *C;
}

template <class Role> void expectNames(ArrayRef<const Role *> Choices) {
  std::set<std::string> Names;
  for (const Role *Choice : Choices)
    EXPECT_TRUE(Names.insert(Choice->Name).second) << Choice->Name;
  EXPECT_FALSE(Names.empty());
}

TEST(PlanRoles, ChoicesHaveNamesOfTheirOwn) {
  expectNames(allFeeds());
  expectNames(allMultiplies());
  expectNames(allSchedules());
  expectNames(allStores());
}

TEST(PlanRoles, OperandsChooseTheFeed) {
  const FactorPrecision Float = FactorPrecision::Float,
                        TF32 = FactorPrecision::TF32;
  using Feeds = std::vector<const FeedRole *>;
  EXPECT_EQ(feedsFor(product("bf16", "bf16"), Float), Feeds{&straightFeed()});
  EXPECT_EQ(feedsFor(product("f32", "f32"), Float), Feeds{&partsFeed()});
  EXPECT_EQ(feedsFor(product("f32", "f16"), Float), Feeds{&partsFeed()});
  EXPECT_EQ(feedsFor(product("f32", "f16"), TF32), Feeds{&partsFeed()});
  EXPECT_EQ(
      feedsFor(product("f32", "f32"), TF32),
      (Feeds{&roundedFeed(), &turnedFeed(), &registersFeed(), &partsFeed()}));
  EXPECT_EQ(feedsFor(product("f32", "f32"), TF32, Major::K, Major::K),
            (Feeds{&roundedFeed(), &registersFeed(), &partsFeed()}));
  for (auto [A, B] : {std::pair(Major::K, Major::MN), {Major::MN, Major::K}})
    EXPECT_EQ(feedsFor(product("f32", "f32"), TF32, A, B),
              (Feeds{&turnedFeed(), &registersFeed(), &partsFeed()}));
  EXPECT_EQ(feedsFor(product("f32", "f32"), TF32, Major::MN, Major::MN),
            (Feeds{&registersFeed(), &partsFeed()}));
  EXPECT_EQ(&defaultFeed(product("f32", "f32")), &partsFeed());
  for (FactorPrecision Precision : {Float, TF32})
    EXPECT_EQ(feedsFor(product("f32", "f32", "f64"), Precision),
              Feeds{&fragmentsFeed()});
  EXPECT_EQ(feedsFor(product("f32", "f16", "f64"), Float), Feeds{});
  EXPECT_EQ(feedsFor(product("i8", "u8", "i32"), Float),
            Feeds{&straightFeed()});
  EXPECT_EQ(feedsFor(product("i8", "f16"), Float), Feeds{&convertedFeed()});
  EXPECT_EQ(feedsFor(product("bf16", "u8"), Float), Feeds{&convertedFeed()});
  EXPECT_EQ(feedsFor(product("i8", "f32"), Float), Feeds{&partsFeed()});
  EXPECT_EQ(feedsFor(product("i8", "u8"), Float), Feeds{&partsFeed()});
  EXPECT_EQ(feedsFor(product("i8", "f32", "i32"), Float), Feeds{});
}

/// The table of element types is what plans multiply, by elements of the same
/// type and by all others that wgmma or parts take beside it, or to whose type
/// consumers convert them.
TEST(PlanRoles, ElementTypesHavePlans) {
  for (ScalarType A :
       {ScalarType::Bool, ScalarType::I8, ScalarType::U8, ScalarType::I16,
        ScalarType::U16, ScalarType::I32, ScalarType::U32, ScalarType::I64,
        ScalarType::U64, ScalarType::F16, ScalarType::BF16, ScalarType::F32,
        ScalarType::F64, ScalarType::E4M3, ScalarType::E5M2})
    for (ScalarType B :
         {A, ScalarType::BF16, ScalarType::U8, ScalarType::E4M3}) {
      const ElementType *E = elementType(A), *OfB = elementType(B);
      const ScalarType Sum =
          E && OfB && E->Sum == OfB->Sum ? E->Sum : ScalarType::F32;
      const Contraction C =
          product(name(A).data(), name(B).data(), name(Sum).data());
      // Words of bits are no integers that are multiplied.
      const bool Converted = isConverted(A, B) || isConverted(B, A);
      const bool Known =
          Converted || (E && OfB && !E->Bits && !OfB->Bits &&
                        (E->Sum == OfB->Sum || (mostParts(A) && mostParts(B))));
      EXPECT_EQ(std::holds_alternative<PlanSet>(planContraction(C, {})), Known)
          << name(A).str() << " by " << name(B).str();
      if (!E)
        continue;
      EXPECT_TRUE(isSumType(E->Sum));
      EXPECT_TRUE(E->addsIn(E->Sum));
      if (Known)
        EXPECT_EQ(&defaultFeed(C), areWgmmaTypes(A, B)      ? &straightFeed()
                                   : areFragmentTypes(A, B) ? &fragmentsFeed()
                                   : Converted              ? &convertedFeed()
                                                            : &partsFeed());
      else
        EXPECT_FALSE(areWgmmaTypes(A, B));
    }
  // Sums without a sign are those with one.
  EXPECT_TRUE(std::holds_alternative<PlanSet>(
      planContraction(product("u8", "u8", "u32"), {})));
  EXPECT_TRUE(std::holds_alternative<Decline>(
      planContraction(product("u8", "u8", "i64"), {})));
  EXPECT_TRUE(std::holds_alternative<Decline>(
      planContraction(product("f16", "f16", "i32"), {})));
}

TEST(PlanRoles, TypesChooseTheMultiplication) {
  for (const ElementType &E : elementTypes())
    EXPECT_EQ(defaultMultiply(E.Type), E.Fragments        ? &mmaMultiply()
                                       : isFloat8(E.Type) ? &promotedMultiply()
                                                          : &wgmmaMultiply())
        << E.Suffix;
  // Nothing is given to wgmma, or to anything else, that no row names.
  for (ScalarType T : {ScalarType::I16, ScalarType::I64})
    EXPECT_EQ(defaultMultiply(T), nullptr) << name(T).str();
  EXPECT_EQ(multiplyFor(MultiplyRole::Clause::Default), nullptr);
  for (const char *Type : {"bf16", "f16", "f32", "i8", "u8", "e4m3", "e5m2"}) {
    const bool Bytes = Type[1] == '8' || Type[0] == 'e';
    const Contraction C = product(Type, Type, Type[1] == '8' ? "i32" : "f32");
    auto Result = planContraction(C, {});
    for (const KernelPlan &P : std::get<PlanSet>(Result).Plans) {
      EXPECT_EQ(P.multiplied().Type, P.Rows.Parts ? PartType : C.A.Type);
      EXPECT_EQ(
          P.Multiply->instruction(P),
          formatv("wgmma m64n{0}k{1}", P.InstructionN, Bytes ? 32 : 16).str());
      EXPECT_EQ(P.TileK, P.Feed->blockDepth(C));
    }
  }
  const char *const Text =
      R"({"plans": [{"tile": [128, 128, 64], "multiply": "by hand"}]})";
  EXPECT_EQ(toString(planSetFromJSON(Text, product("f16", "f16")).takeError()),
            "plan 0: there is no 'by hand' to multiply by");
}

/// accumulate(fast) is for what would otherwise be promoted, and changes
/// nothing for other types that are multiplied as they are.
TEST(PlanRoles, ClausesChooseTheMultiplication) {
  using Kind = MultiplyRole::Clause;
  for (const char *Type : {"e4m3", "bf16"})
    for (Kind Asked : {Kind::Default, Kind::F32, Kind::Promoted, Kind::Fast}) {
      Directives D;
      if (Asked != Kind::Default)
        D.Accumulate = Asked;
      auto Result = planContraction(product(Type, Type), D);
      const bool Promotes =
          Asked == Kind::Promoted || (*Type == 'e' && Asked != Kind::Fast);
      for (const KernelPlan &P : std::get<PlanSet>(Result).Plans)
        EXPECT_EQ(P.PromotedK, Promotes ? 128 : 0) << Type << P.Name;
    }
}

/// A type of which so many products may be added in the tensor cores.
TEST(PlanRoles, TypesMayAskForPromotedSums) {
  ElementType Narrow = *elementType(ScalarType::F16);
  EXPECT_TRUE(wgmmaMultiply().suits(Narrow));
  EXPECT_FALSE(promotedMultiply().suits(Narrow));
  Narrow.PromotedK = 128;
  EXPECT_FALSE(wgmmaMultiply().suits(Narrow));
  EXPECT_TRUE(promotedMultiply().suits(Narrow));
  PlanChoice P;
  P.Multiply = &promotedMultiply();
  P.TileN = 128;
  P.Feed = &partsFeed();
  P.TileK = 32;
  EXPECT_EQ(
      toString(derivePlan(product("f32", "f32"), Orders(), P).takeError()),
      "the feed 'parts' does not leave its products to 'promoted'");
}

/// A scale that is the same for each 128 of k, and for how many rows.
TEST(PlanRoles, ScalesOfBlocks) {
  auto Scaled = [](const char *Type, const char *Of, const char *By) {
    const std::string Element = formatv("A[%m * K + %k]:{0}", Type).str();
    return product(formatv("{0} as {1}", Type,
                           formatv(By, formatv(Of, Element).str()).str())
                       .str()
                       .c_str(),
                   Type);
  };
  auto ExtentOf = [&](const char *Index) {
    const Contraction C =
        Scaled("e4m3", "f32({0})",
               formatv("({{0} * s[{0}]:f32)", Index).str().c_str());
    const std::optional<BlockScale> Scale = blockScale(C.A, "m", 128);
    EXPECT_EQ(depthOfScaledBlocks(C), Scale ? 128 : 0) << Index;
    return Scale ? Scale->Extent : -1;
  };
  EXPECT_EQ(ExtentOf("%m * G + floordiv(%k, 128)"), 1);
  EXPECT_EQ(ExtentOf("floordiv(%m, 128) * G + floordiv(%k, 128)"), 128);
  EXPECT_EQ(ExtentOf("floordiv(%m, 96) * G + floordiv(%k, 256)"), 96);
  EXPECT_EQ(ExtentOf("floordiv(%m, 128) * G + floordiv(%k, 128) + %m"), 1);
  EXPECT_EQ(ExtentOf("floordiv(%k, 128)"), 0);
  EXPECT_EQ(ExtentOf("%m * G + floordiv(%k, 64)"), -1);
  EXPECT_EQ(ExtentOf("%m * G + floordiv(%k, 128) + %k"), -1);
  EXPECT_EQ(ExtentOf("%m * G + floordiv(%k + 1, 128)"), -1);
  const char *const By = "({0} * s[floordiv(%k, 128)]:f32)";
  EXPECT_EQ(depthOfScaledBlocks(Scaled("e5m2", "f32(f16({0}))", By)), 128);
  EXPECT_EQ(depthOfScaledBlocks(Scaled("e4m3", "(f32({0}) + 1.0f:f32)", By)),
            0);
  EXPECT_EQ(depthOfScaledBlocks(Scaled("f16", "f32({0})", By)), 0);
  // No choice but `promoted` multiplies sums by scales.
  PlanChoice P;
  P.TileK = P.TileN = 128;
  const Contraction C = Scaled("e4m3", "f32({0})", By);
  Orders O;
  O.B = Major::K;
  Expected<KernelPlan> Plan = derivePlan(C, O, P);
  ASSERT_TRUE(bool(Plan)) << toString(Plan.takeError());
  EXPECT_TRUE(Plan->Rows.Scaled && Plan->Rows.ScaledAlike);
  EXPECT_FALSE(Plan->Cols.Scaled);
  Plan->PromotedK = 256;
  EXPECT_NE(toString(checkPlan(*Plan)), "");
  P.Multiply = &wgmmaMultiply();
  EXPECT_EQ(toString(derivePlan(C, O, P).takeError()),
            "scales of blocks are factors of the sums of a block, which are "
            "those of all of k here");
}

/// What is added to each element, if nothing else is done to it modulo 2^32.
TEST(PlanRoles, ZeroPoints) {
  auto Shifted = [](const char *Type, const char *Of) {
    const std::string Element = formatv("A[%m * K + %k]:{0}", Type).str();
    Contraction C = product(
        formatv("{0} as {1}", Type, formatv(Of, Element).str()).str().c_str(),
        Type);
    C.AccType = C.OriginalAccType = ScalarType::I32;
    return C;
  };
  auto ShiftOf = [&](const char *Type, const char *Of) -> std::string {
    const Contraction C = Shifted(Type, Of);
    const std::optional<ValueRef> Shift = elementShift(C.A);
    EXPECT_EQ(isShifted(C), Shift.has_value()) << Of;
    return Shift ? (*Shift)->str() : "none";
  };
  EXPECT_EQ(ShiftOf("u8", "(i32({0}) + za[%m]:i32)"), "u32(za[%m]:i32)");
  EXPECT_EQ(ShiftOf("i8", "(i32({0}) - za[%b]:u8)"), "-(u32(za[%b]:u8))");
  EXPECT_EQ(ShiftOf("u8", "((i32(u8(i32({0}))) - z[0]:i32) + z[%m]:i32)"),
            "(-(u32(z[0]:i32)) + u32(z[%m]:i32))");
  EXPECT_EQ(ShiftOf("i8", "i32((i64({0}) + z[%m]:i64))"), "u32(z[%m]:i64)");
  EXPECT_EQ(ShiftOf("i8", "(u32({0}) + z[%m]:u32)"), "z[%m]:u32");
  EXPECT_EQ(ShiftOf("i8", "(i32({0}) + z[%k]:i32)"), "none");
  EXPECT_EQ(ShiftOf("i8", "(i32({0}) + z[floordiv(%k, 64)]:i32)"), "none");
  EXPECT_EQ(ShiftOf("i8", "(z[%m]:i32 - i32({0}))"), "none");
  EXPECT_EQ(ShiftOf("i8", "(i32({0}) * z[%m]:i32)"), "none");
  EXPECT_EQ(ShiftOf("i8", "i32(i16((i32({0}) - z[%m]:i32)))"), "none");
  EXPECT_EQ(ShiftOf("i8", "(i32(u8(i32({0}))) - z[%m]:i32)"), "none");
  // Of floats, and of sums in float, none of that is exact.
  EXPECT_FALSE(isShifted(Shifted("f16", "(f32({0}) - z[%m]:f32)")));
  Contraction C = Shifted("i8", "(i32({0}) - z[%m]:i32)");
  C.AccType = ScalarType::F32;
  EXPECT_FALSE(isShifted(C));
}

/// Doubles go to mma.sync and to nothing else, and nothing else does.
TEST(PlanRoles, DoublesAreMultipliedFromFragments) {
  const Contraction C = product("f64", "f64", "f64");
  auto Result = planContraction(C, {});
  for (const KernelPlan &P : std::get<PlanSet>(Result).Plans) {
    EXPECT_EQ(P.Feed, &fragmentsFeed());
    EXPECT_EQ(P.Multiply, &mmaMultiply());
    EXPECT_EQ(P.Multiply->instruction(P), "mma.sync m16n8k16");
    EXPECT_EQ(P.Accumulators, P.InstructionN / 2);
    EXPECT_EQ(P.TileK, 16);
    // Each lane arrives for itself.
    EXPECT_EQ(P.EmptyArrivals, 128 * P.ConsumerWarpgroups);
  }
  PlanChoice P;
  P.TileN = 128;
  auto Refusal = [&](const FeedRole &Feed, const MultiplyRole &Multiply,
                     const Contraction &C) {
    P.Feed = &Feed;
    P.Multiply = &Multiply;
    P.TileK = Feed.blockDepth(C);
    Expected<KernelPlan> Plan = derivePlan(C, Orders(), P);
    return Plan ? std::string("derived") : toString(Plan.takeError());
  };
  EXPECT_EQ(Refusal(fragmentsFeed(), mmaMultiply(), C), "derived");
  EXPECT_EQ(Refusal(fragmentsFeed(), wgmmaMultiply(), C),
            "the feed 'fragments' does not leave its products to 'wgmma'");
  const Contraction Halves = product("f16", "f16");
  EXPECT_EQ(Refusal(straightFeed(), mmaMultiply(), Halves),
            "the feed 'straight' does not leave its products to 'mma'");
  EXPECT_EQ(Refusal(fragmentsFeed(), mmaMultiply(), Halves),
            "the consumers load operands that are both double, or both float "
            "with products that are added in double, and not computed");
  // 256 registers of sums are more than a thread has.
  P.TileN = 256;
  EXPECT_EQ(Refusal(fragmentsFeed(), mmaMultiply(), C),
            "256 registers of sums a thread leave fewer than 80 of its 232");
}

TEST(PlanRoles, FeedsRefuseWhatIsNotTheirs) {
  PlanChoice P;
  auto Refusal = [&](const FeedRole &Feed, const Contraction &C) {
    P.Feed = &Feed;
    Expected<KernelPlan> Plan = derivePlan(C, Orders(), P);
    return Plan ? std::string("derived") : toString(Plan.takeError());
  };
  EXPECT_EQ(Refusal(straightFeed(), product("f32", "f32")),
            "operands that are float, of two types that wgmma does not "
            "multiply by one another, or computed are not multiplied as they "
            "are");
  EXPECT_EQ(Refusal(partsFeed(), product("f16", "f16")),
            "16-bit operands of one type are multiplied as they are and have "
            "no transform");
  EXPECT_EQ(Refusal(registersFeed(), product("f32", "f32")),
            "rows are rounded in registers where both operands are float and "
            "rounded as for TF32");
  EXPECT_EQ(Refusal(straightFeed(), product("f16", "f16")), "derived");
  // B lies across k.
  P.TileK = 128;
  EXPECT_EQ(Refusal(straightFeed(), product("i8", "u8", "i32")),
            "only 16-bit operands may be contiguous along rows");
}

/// Under every clause that changes decisions of the portfolio: a name for each
/// plan, and no plan twice.
TEST(PlanRoles, PlansOfASetDiffer) {
  using Kind = Directives::ScheduleKind;
  for (const char *Type : {"bf16", "f32", "e5m2"})
    for (bool TF32 : {false, true})
      for (Kind Schedule : {Kind::Auto, Kind::Cooperative, Kind::Pingpong})
        for (auto Swap : {Directives::Toggle::Auto, Directives::Toggle::On,
                          Directives::Toggle::Off})
          for (bool Cluster : {false, true}) {
            Directives D;
            if (TF32 && *Type == 'f')
              D.Precision = Directives::PrecisionKind::TF32;
            if (Schedule != Kind::Auto)
              D.Schedule = Schedule;
            if (Swap != Directives::Toggle::Auto)
              D.SwapAB = Swap;
            if (Cluster)
              D.Cluster = {2, 1};
            auto Result = planContraction(product(Type, Type), D);
            auto *Plans = std::get_if<PlanSet>(&Result);
            if (!Plans)
              continue; // no plan has both
            std::set<std::string> Names;
            std::set<std::vector<int64_t>> Decisions;
            for (const KernelPlan &P : Plans->Plans) {
              EXPECT_TRUE(Names.insert(P.Name).second) << P.Name;
              EXPECT_TRUE(
                  Decisions
                      .insert({P.TileM, P.TileN, P.TileK, P.ClusterM,
                               P.ClusterN, P.SwapAB, P.Slices,
                               P.consumersOfTile() < P.ConsumerWarpgroups})
                      .second)
                  << P.Name;
              EXPECT_EQ(P.Schedule->Kind == Kind::Pingpong, P.TurnThreads != 0);
            }
          }
}

/// The plans of a product whose operands have elements of one type.
PlanSet plansOf(const char *Element) {
  auto Result = planContraction(product(Element, Element), {});
  if (!std::holds_alternative<PlanSet>(Result)) {
    ADD_FAILURE() << Element;
    return {};
  }
  return std::get<PlanSet>(Result);
}

// Measured with e4m3 whose rows start at multiples of 16 bytes: 33.6 us where
// large takes 40.0, 10.3 where medium takes 11.7, and 99.5 at 4096^3.
TEST(PlanRoles, LargerClustersOfFp8WhereRowsStartInsideLines) {
  const PlanSet Plans = plansOf("e4m3");
  auto Chosen = [&](int64_t M, int64_t N, int64_t K, int Start) {
    return Plans.Plans[selectPlan(Plans, M, N, K, 1, rt::gpu(), {Start, Start})]
        .Name;
  };
  EXPECT_EQ(Chosen(912, 3680, 5328, 16), "medium_eight");
  EXPECT_EQ(Chosen(1776, 1920, 816, 16), "medium_128_four");
  EXPECT_EQ(Chosen(4096, 4096, 4096, 128), "medium");
}

// What `explain` predicts is what a launch decides by, of every kind of plan.
TEST(PlanRoles, PlansArePredictedAsLaunchesPredictThem) {
  for (const char *Element : {"bf16", "e4m3", "f32"})
    for (const KernelPlan &P : plansOf(Element).Plans) {
      const rt::choice Choice = runtimeChoice(P);
      const rt::plan_cost Cost = rt::cost_of(Choice, rt::derive(Choice));
      EXPECT_EQ(predictedClocks(P, 4096, 2048, 1024, 1, rt::gpu()),
                rt::estimate_of(Choice, Cost, 4096, 2048, 1024, 1, rt::gpu(),
                                rt::row_starts())
                    .total())
          << Element << ' ' << P.Name;
    }
}

} // namespace
