//===- RuntimePlanTest.cpp - Plans as the runtime derives them ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The planner derives the numbers of a kernel with the layout algebra, the
// runtime by formulas of its own at compile time (rt/plan.cuh). This test shows
// that both are equal for every plan that can be derived.
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Expression.h"
#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "gtest/gtest.h"

using namespace warpwright;

namespace {

/// A product of elements of these types, whose extents are parameters.
Contraction product(const std::string &A, const std::string &B,
                    const std::string &C, const std::string &More = "",
                    const std::string &As = "") {
  return llvm::cantFail(parseContraction(
      "contraction \"gemm\" {\n  index %b < 1\n  index %m < M\n  index %n < N\n"
      "  index %k < K\n  operand A = A[%m * K + %k]:" +
      A + As + "\n  operand B = B[%k * N + %n]:" + B + "\n  accumulate " +
      (C == "f64" ? "f64\n" : "f32\n") + More + "  output C[%m * N + %n]:" + C +
      " = " + (C == "f32" || C == "f64" ? "acc" : C + "(acc)") +
      "\n  offsets i32\n}\n"));
}

/// Goes through all decisions for one contraction, without clauses; returns how
/// many plans can be derived.
int checkAll(const Contraction &C, bool Transform,
             const MultiplyRole *Multiply = nullptr,
             const FeedRole *Feed = nullptr,
             const ScheduleRole &InTurns = pingpongSchedule()) {
  int Derived = 0;
  for (int Order = 0; Order < 8; ++Order)
    for (int64_t Tile : {16, 32, 48, 64, 96, 128, 160, 192, 256})
      for (int64_t OtherTile : {16, 32, 64, 80, 96, 128, 192, 224, 256})
        for (int64_t Consumers = 1; Consumers <= InTurns.mostConsumers();
             ++Consumers)
          for (int Way = 0; Way < 16; ++Way)
            for (int64_t Stages : {2, 6}) {
              if (!Transform && !Feed && Stages > 2)
                continue; // they all follow alike
              PlanChoice P;
              P.Name = "plan";
              P.TileM = Tile;
              P.TileN = OtherTile;
              P.TileK = Transform ? 32 : straightFeed().blockDepth(C);
              P.Stages = Stages;
              P.ConsumerWarpgroups = Consumers;
              P.SwapAB = Way & 1;
              if (Transform && (Way & 2)) {
                P.Precision = FactorPrecision::TF32;
                P.Feed = &registersFeed();
              }
              if (Feed) {
                if (!Feed->suits(C, FactorPrecision::Float))
                  P.Precision = FactorPrecision::TF32;
                P.Feed = Feed;
                P.TileK = Feed->blockDepth(C);
              }
              if (!Transform && (Way & 2))
                P.Schedule = &InTurns;
              P.Multiply = Multiply;
              P.ClusterM = Way & 4 ? 2 : 1;
              P.ClusterN = Way & 8 ? 2 : 1;
              Orders O;
              O.A = Order & 1 ? Major::MN : Major::K;
              O.B = Order & 2 ? Major::MN : Major::K;
              O.Store = Order & 4 ? &directStore() : &stagedStore();
              llvm::Expected<KernelPlan> Plan = derivePlan(C, O, P);
              if (!Plan) {
                llvm::consumeError(Plan.takeError());
                continue;
              }
              ++Derived;
              const std::string Difference =
                  llvm::toString(checkAgainstRuntime(*Plan));
              EXPECT_EQ(Difference, "")
                  << "tile " << Tile << "x" << OtherTile << ", consumers "
                  << Consumers << ", way " << Way << ", order " << Order;
              if (!Difference.empty())
                return Derived;
            }
  return Derived;
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerives) {
  for (const char *Output : {"bf16", "f32"})
    EXPECT_GT(checkAll(product("bf16", "bf16", Output), false), 2000);
  EXPECT_GT(checkAll(product("f16", "f16", "f16"), false), 2000);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfFloatsOf8Bits) {
  const Contraction C = product("e4m3", "e5m2", "e4m3");
  EXPECT_GT(checkAll(C, false), 200);
  EXPECT_GT(checkAll(C, false, &wgmmaMultiply()), 200);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfPromotedSums) {
  EXPECT_GT(
      checkAll(product("bf16", "bf16", "f32"), false, &promotedMultiply()),
      1000);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfRoundedFloats) {
  const Contraction C = product("f32", "f32", "f32");
  EXPECT_GT(checkAll(C, false, nullptr, &roundedFeed()), 500);
  EXPECT_GT(checkAll(C, false, &promotedMultiply(), &roundedFeed()), 200);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfTurnedRows) {
  EXPECT_GT(
      checkAll(product("f32", "f32", "f32"), false, nullptr, &turnedFeed()),
      500);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfFragments) {
  for (const char *Output : {"f64", "f32"})
    EXPECT_GT(checkAll(product("f64", "f64", Output), false, nullptr,
                       &fragmentsFeed()),
              2000);
  EXPECT_GT(
      checkAll(product("f32", "f32", "f64"), false, nullptr, &fragmentsFeed()),
      2000);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfConvertedRows) {
  for (auto [A, B] : {std::pair("i8", "bf16"), {"f16", "u8"}})
    for (const ScheduleRole *InTurns :
         {&pingpongSchedule(), &interleavedSchedule()})
      EXPECT_GT(checkAll(product(A, B, "f32"), false, nullptr, &convertedFeed(),
                         *InTurns),
                500);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfParts) {
  EXPECT_GT(checkAll(product("f32", "f32", "f32"), true), 400);
  EXPECT_GT(checkAll(product("f32", "bf16", "f32"), true), 100);
  EXPECT_GT(checkAll(product("bf16", "f16", "f16"), true), 100);
  EXPECT_GT(checkAll(product("f16", "f16", "f32", "",
                             " as (f32(A[%m * K + %k]:f16) * s[%k]:f32)"),
                     true),
            100);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfPartsOfBytes) {
  for (auto [A, B] : {std::pair("f32", "i8"), {"e5m2", "f32"}, {"u8", "i8"}})
    EXPECT_GT(checkAll(product(A, B, "f32"), true), 100);
  EXPECT_GT(checkAll(product("u8", "bf16", "f32", "",
                             " as (f32(A[%m * K + %k]:u8) - z[%m]:f32)"),
                     true),
            100);
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfPackedNumbers) {
  Contraction C = product("f16", "u32", "f32");
  const IntExpr Word = IntExpr::floorDiv(IntExpr::index("k"), 8);
  for (const IntExpr &Index :
       {Word * IntExpr::param("N") + IntExpr::index("n"),
        IntExpr::index("n") * IntExpr::param("L") + Word}) {
    C.B.Index = Index;
    C.B.Prologue = warpwright::Value::cast(ScalarType::F32, C.B.element());
    EXPECT_GT(checkAll(C, true), 100);
  }
}

TEST(RuntimePlanTest, DerivesWhatThePlannerDerivesOfSeveralSums) {
  const std::string More = "  sum acc1\n  index %k < K\n"
                           "  operand A = A[%m * K + %k]:bf16\n"
                           "  operand B = U[%k * N + %n]:bf16\n"
                           "  accumulate f32\n";
  EXPECT_GT(checkAll(product("bf16", "bf16", "bf16", More), false), 100);
}

/// The elements of an instruction's result that every thread of a warpgroup
/// holds.
TEST(RuntimePlanTest, FragmentsAreThoseOfTheInstruction) {
  for (int64_t N : {16, 64, 256}) {
    const WgmmaAtom Atom = llvm::cantFail(WgmmaAtom::create(N, 16));
    for (int64_t Thread = 0; Thread < 128; ++Thread)
      for (int64_t Value = 0; Value < N / 2; ++Value)
        EXPECT_EQ(
            Atom.C(Thread + 128 * Value),
            int64_t(rt::fragment::row(unsigned(Thread), unsigned(Value))) +
                64 * rt::fragment::col(unsigned(Thread), unsigned(Value)));
  }
}

/// What the kernel knows of types is what the generator knows.
TEST(RuntimePlanTest, TypesAreTheSameInBothTables) {
  for (ScalarType T :
       {ScalarType::Bool,     ScalarType::I8,    ScalarType::U8,
        ScalarType::I16,      ScalarType::U16,   ScalarType::I32,
        ScalarType::U32,      ScalarType::I64,   ScalarType::U64,
        ScalarType::F16,      ScalarType::BF16,  ScalarType::F32,
        ScalarType::F64,      ScalarType::E4M3,  ScalarType::E5M2,
        ScalarType::U4X2,     ScalarType::S4X2,  ScalarType::U4X2High,
        ScalarType::S4X2High, ScalarType::F16X2, ScalarType::BF16X2}) {
    const rt::Type Runtime = runtimeType(T);
    EXPECT_EQ(rt::size_of(Runtime), int(byteSize(T))) << name(T).str();
    const rt::element_numbers N = rt::numbers_of(Runtime);
    // To the runtime a bool is a byte.
    const ElementType *E =
        elementType(T == ScalarType::Bool ? ScalarType::U8 : T);
    EXPECT_EQ(N.multiplied, E && E->Wgmma) << name(T).str();
    EXPECT_EQ(N.rounded, E && E->Rounded) << name(T).str();
    EXPECT_EQ(N.converted, E && E->ConvertedBits) << name(T).str();
    // TMA has a type of tensor maps for what it rounds.
    EXPECT_EQ(rt::tensor_map_type(Runtime, true) !=
                  rt::tensor_map_type(Runtime),
              N.rounded)
        << name(T).str();
    if (!E)
      continue;
    EXPECT_EQ(N.sum, runtimeType(E->Sum)) << name(T).str();
    EXPECT_EQ(N.sums_per_register, E->sum().PerRegister) << name(T).str();
    EXPECT_EQ(N.promoted_k, E->PromotedK) << name(T).str();
    if (E->MostParts)
      EXPECT_EQ(rt::bits_of_part(Runtime), bitsOfPart(T)) << name(T).str();
    EXPECT_EQ(N.from_fragments, E->Fragments) << name(T).str();
    EXPECT_EQ(rt::instruction_k(Runtime),
              E->Fragments ? 16 : WgmmaAtom::depth(E->bits()));
    EXPECT_EQ(N.across_k, E->Wgmma && WgmmaAtom::readsAlongRows(E->bits()))
        << name(T).str();
  }
  EXPECT_EQ(rt::part, runtimeType(PartType));
  EXPECT_EQ(elementWords(),
            "half, bfloat16, float, int8, uint8, e4m3, e5m2 and double");
  EXPECT_EQ(elementWords(ElementUse::Wgmma),
            "half, bfloat16, int8, uint8, e4m3 and e5m2");
  EXPECT_EQ(elementWords(ElementUse::Parts),
            "half, bfloat16, float, int8, uint8, e4m3 and e5m2");
}

} // namespace
