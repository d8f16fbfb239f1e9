//===- PlanRoundedTest.cpp - Plans of floats that TMA rounds --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"

#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Validator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

Directives tf32() {
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  return D;
}

/// Floats; operands by row (N) or by column (T).
Contraction floats(char A, char B) {
  return contractionOf(A, B, "f32", {"f32", "f32"});
}

PlanSet plansOf(const Contraction &C, const Directives &D) {
  auto Result = planContraction(C, D);
  if (auto *No = std::get_if<Decline>(&Result)) {
    ADD_FAILURE() << No->Message;
    return {};
  }
  return std::get<PlanSet>(Result);
}

bool isRounded(const KernelPlan &P) { return P.Feed == &roundedFeed(); }

/// 128x128, 3 stages, 2 consumers, cluster 2x1.
PlanChoice roundedChoice() {
  PlanChoice P = smallChoice();
  P.Name = "rounded";
  P.TileK = 32;
  P.Precision = FactorPrecision::TF32;
  P.Feed = &roundedFeed();
  return P;
}

KernelPlan roundedPlan() {
  return planOf(roundedChoice(), 'N', 'T', "f32", {"f32", "f32"});
}

TEST(PlanRounded, BothOperandsLieAlongK) {
  for (char A : {'N', 'T'})
    for (char B : {'N', 'T'}) {
      const bool AlongK = A == 'N' && B == 'T';
      for (auto Swap : {Directives::Toggle::Auto, Directives::Toggle::On}) {
        Directives D = tf32();
        D.SwapAB = Swap;
        for (const KernelPlan &P : plansOf(floats(A, B), D).Plans)
          EXPECT_EQ(isRounded(P), AlongK) << P.Name;
      }
    }
}

TEST(PlanRounded, BothOperandsAreFloatsToBeRounded) {
  auto None = [](const Contraction &C, const Directives &D) {
    return none_of(plansOf(C, D).Plans, isRounded);
  };
  EXPECT_TRUE(None(floats('N', 'T'), {}));
  Directives Precise;
  Precise.Precision = Directives::PrecisionKind::TF32x3;
  EXPECT_TRUE(None(floats('N', 'T'), Precise));
  EXPECT_TRUE(None(contractionOf('N', 'T', "f32", {"f32", "bf16"}), tf32()));
  EXPECT_TRUE(None(contractionOf('N', 'T', "f32"), {}));
  const Contraction Computed = cantFail(parseContraction(
      "contraction \"gemm\" {\n index %b < 1\n index %m < M\n"
      " index %n < N\n index %k < K\n"
      " operand A = A[%m * K + %k]:f32 as (A[%m * K + %k]:f32 * s[%k]:f32)\n"
      " operand B = B[%n * K + %k]:f32\n accumulate f32\n"
      " output C[%m * N + %n]:f32 = acc\n offsets i32\n}\n"));
  EXPECT_TRUE(None(Computed, tf32()));
}

/// 128 bytes of k are a stage, whatever their type is: so plans of the same
/// name are those of 16-bit operands with half the depth.
TEST(PlanRounded, PlansAreThoseOfStraightOperands) {
  const PlanSet Floats = plansOf(floats('N', 'T'), tf32());
  const PlanSet Halves = plansOf(contractionOf('N', 'T', "f32"), {});
  int Common = 0;
  for (const KernelPlan &F : Floats.Plans) {
    auto Same = find_if(Halves.Plans,
                        [&](const KernelPlan &H) { return H.Name == F.Name; });
    if (Same == Halves.Plans.end())
      continue;
    const KernelPlan &H = *Same;
    ++Common;
    EXPECT_EQ(F.TileM, H.TileM);
    EXPECT_EQ(F.TileN, H.TileN);
    EXPECT_EQ(F.TileK, 32);
    EXPECT_EQ(F.Stages, H.Stages);
    EXPECT_EQ(F.StageBytes, H.StageBytes);
    EXPECT_EQ(F.ClusterM, H.ClusterM);
    EXPECT_EQ(F.Schedule, H.Schedule);
    EXPECT_EQ(F.Slices, H.Slices);
    EXPECT_EQ(F.InstructionK, 8);
    EXPECT_EQ(F.Multiply->instruction(F),
              formatv("wgmma m64n{0}k8", F.InstructionN).str());
    EXPECT_STREQ(F.multiplied().Suffix, "tf32");
    EXPECT_EQ(F.Rows.Parts + F.Cols.Parts, 0);
    EXPECT_EQ(F.Split.Warpgroups, 0);
    EXPECT_FALSE(F.Certificate.empty());
  }
  EXPECT_GE(Common, 12);
}

/// Of half the elements, at half the rate: as long for a block. Where the
/// tensor cores bound it, nothing else does.
TEST(PlanRounded, CostsWhatTheTensorCoresTake) {
  const PlanSet Floats = plansOf(floats('N', 'T'), tf32());
  const KernelPlan &Large = Floats.Plans.front();
  EXPECT_EQ(Large.InstructionN, 256);
  // Two times four instructions of 128 clocks, 6.3 % more since two CTAs wait
  // for each other, and the barriers.
  EXPECT_EQ(Large.Cost.ClocksPerKBlock, 1089 + 6);
  EXPECT_STREQ(predict(Large, 8192, 8192, 8192, 1).Bound, "tensor cores");
}

/// The clauses that plans with a transform cannot keep.
TEST(PlanRounded, ClausesOfStraightOperandsAreKept) {
  Directives D = tf32();
  D.Accumulate = Directives::AccumulateKind::Promoted;
  for (const KernelPlan &P : plansOf(floats('N', 'T'), D).Plans) {
    EXPECT_TRUE(isRounded(P)) << P.Name;
    EXPECT_EQ(P.PromotedK, 128) << P.Name;
  }
  EXPECT_TRUE(
      std::holds_alternative<Decline>(planContraction(floats('N', 'N'), D)));
  D = tf32();
  D.BatchInvariant = true;
  EXPECT_EQ(plansOf(floats('N', 'T'), D).Plans.size(), 1u);
  EXPECT_TRUE(
      std::holds_alternative<Decline>(planContraction(floats('T', 'N'), D)));
  D = tf32();
  D.Tile = {256, 128, 32};
  EXPECT_TRUE(isRounded(plansOf(floats('N', 'T'), D).Plans.front()));
}

/// An operand that may lie in two orders has plans of its own for each.
TEST(PlanRounded, EachMemoryOrderHasItsFeed) {
  const Contraction C = cantFail(
      parseContraction("contraction \"gemm\" {\n index %b < 1\n index %m < M\n"
                       " index %n < N\n index %k < K\n"
                       " operand A = A[%m * lda_m + %k * lda_k]:f32\n"
                       " operand B = B[%n * K + %k]:f32\n accumulate f32\n"
                       " output C[%m * N + %n]:f32 = acc\n offsets i32\n}\n"));
  const PlanSet Plans = plansOf(C, tf32());
  EXPECT_TRUE(any_of(Plans.Plans, isRounded));
  EXPECT_FALSE(all_of(Plans.Plans, isRounded));
  for (const KernelPlan &P : Plans.Plans)
    EXPECT_EQ(isRounded(P),
              P.Rows.Order == Major::K && P.Cols.Order == Major::K)
        << P.Name;
}

TEST(PlanRounded, RefusesWhatCannotBe) {
  auto Refusal = [](const PlanChoice &P, char A, char B, OperandTypes Types) {
    Orders O;
    O.A = A == 'N' ? Major::K : Major::MN;
    O.B = B == 'N' ? Major::MN : Major::K;
    Expected<KernelPlan> Plan =
        derivePlan(contractionOf(A, B, "f32", Types), O, P);
    return Plan ? std::string("derived") : toString(Plan.takeError());
  };
  PlanChoice P = roundedChoice();
  const OperandTypes Floats = {"f32", "f32"};
  EXPECT_EQ(Refusal(P, 'N', 'T', Floats), "derived");
  EXPECT_EQ(Refusal(P, 'N', 'N', Floats),
            "wgmma reads elements of 4 bytes along k only");
  const char *const NotFloats = "TMA rounds operands that are both float, not "
                                "computed, and rounded as for TF32";
  EXPECT_EQ(Refusal(P, 'N', 'T', {"f32", "f16"}), NotFloats);
  P.Precision = FactorPrecision::Float;
  EXPECT_EQ(Refusal(P, 'N', 'T', Floats), NotFloats);
  P = roundedChoice();
  P.TileK = 64;
  EXPECT_EQ(Refusal(P, 'N', 'T', Floats),
            "the kernel takes k in blocks of 32, not 64");
  P = roundedChoice();
  P.TransformWarpgroups = 1;
  EXPECT_EQ(Refusal(P, 'N', 'T', Floats),
            "operands that TMA brings as wgmma multiplies them have no "
            "transform");
}

TEST(PlanRounded, TheValidatorRefusesWhatWouldBeWrong) {
  struct Mutant {
    Property What;
    const char *Message;
    void (*Change)(KernelPlan &);
  } const Mutants[] = {
      {Property::Operands,
       "columns: wgmma reads elements of 4 bytes along k only",
       [](KernelPlan &P) { P.Cols.Order = Major::MN; }},
      {Property::Operands,
       "TMA rounds floats whose products have to be those of floats",
       [](KernelPlan &P) { P.Precision = FactorPrecision::Float; }},
      {Property::Operands, "elements of 2 bytes, and no transform",
       [](KernelPlan &P) { P.Rows.Type = P.Cols.Type = ScalarType::BF16; }},
      {Property::Operands, "elements of 4 bytes, and no transform",
       [](KernelPlan &P) { P.Feed = &straightFeed(); }},
      {Property::Operands, "parts, and no transform to make them",
       [](KernelPlan &P) { P.Rows.Parts = 1; }},
  };
  EXPECT_TRUE(std::holds_alternative<Certificate>(validatePlan(roundedPlan())));
  for (const Mutant &M : Mutants) {
    KernelPlan P = roundedPlan();
    M.Change(P);
    auto Result = validatePlan(P);
    auto *Bad = std::get_if<Diagnosis>(&Result);
    ASSERT_TRUE(Bad) << M.Message;
    EXPECT_EQ(Bad->Violated, M.What) << M.Message;
    EXPECT_NE(Bad->str().find(M.Message), std::string::npos) << Bad->str();
  }
}

TEST(PlanRounded, JSONSaysSo) {
  const Contraction C = floats('N', 'T');
  const json::Value Written = toJSON(plansOf(C, tf32()));
  for (const json::Value &V : *Written.getAsObject()->getArray("plans")) {
    const json::Object &P = *V.getAsObject();
    EXPECT_EQ(P.getBoolean("rounded_by_tma"), true);
    EXPECT_EQ(P.getString("precision"), "tf32");
    EXPECT_EQ(P.get("transform"), nullptr);
  }
  const std::string Text = formatv("{0:2}", Written);
  Expected<PlanSet> Back = planSetFromJSON(Text, C);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(formatv("{0:2}", toJSON(*Back)).str(), Text);
  // A file that does not ask for it has a transform, as before.
  Expected<PlanSet> Parts = planSetFromJSON(
      R"({"plans": [{"tile": [128, 128, 32], "stages": 6,
                     "precision": "tf32"}]})",
      C);
  ASSERT_TRUE(bool(Parts)) << toString(Parts.takeError());
  EXPECT_EQ(Parts->Plans[0].Feed, &partsFeed());
  auto Refusal = [](StringRef Members, const Contraction &C) {
    Expected<PlanSet> P = planSetFromJSON(
        formatv(R"({{"plans": [{{"tile": [128, 128, 32], "stages": 4, {0}}]})",
                Members)
            .str(),
        C);
    return P ? "accepted" : toString(P.takeError());
  };
  EXPECT_EQ(Refusal(R"("precision": "tf32", "rounded_by_tma": true)", C),
            "accepted");
  EXPECT_EQ(Refusal(R"("rounded_by_tma": true)", C),
            "plan 0: TMA rounds operands that are both float, not computed, "
            "and rounded as for TF32");
  EXPECT_EQ(Refusal(R"("precision": "tf32", "rounded_by_tma": true)",
                    floats('N', 'N')),
            "plan 0: wgmma reads elements of 4 bytes along k only");
  EXPECT_EQ(Refusal(R"("precision": "tf32", "rounded_by_tma": true,
                       "rows_in_registers": true)",
                    C),
            "plan 0: 'rounded_by_tma' and 'rows_in_registers' exclude each "
            "other");
}

} // namespace
