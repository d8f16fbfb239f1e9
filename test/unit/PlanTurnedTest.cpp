//===- PlanTurnedTest.cpp - Plans of rounded rows in registers ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"

#include "warpwright/Plan/Protocol.h"
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

PlanSet plansOf(const Contraction &C, const Directives &D = tf32()) {
  auto Result = planContraction(C, D);
  if (auto *No = std::get_if<Decline>(&Result)) {
    ADD_FAILURE() << No->Message;
    return {};
  }
  return std::get<PlanSet>(Result);
}

bool isTurned(const KernelPlan &P) { return P.Feed == &turnedFeed(); }
bool noneIsTurned(const Contraction &C, const Directives &D = tf32()) {
  return none_of(plansOf(C, D).Plans, isTurned);
}

/// 128x128, 3 stages, 2 consumers, cluster 2x1; A lies across k.
PlanChoice turnedChoice() {
  PlanChoice P = smallChoice();
  P.Name = "turned";
  P.TileK = 32;
  P.Precision = FactorPrecision::TF32;
  P.Feed = &turnedFeed();
  return P;
}

KernelPlan turnedPlan() {
  return planOf(turnedChoice(), 'T', 'T', "f32", {"f32", "f32"});
}

/// The operand across k is the rows, whichever it is. Plans for few rows have
/// parts.
TEST(PlanTurned, OneOperandLiesAcrossK) {
  for (char A : {'N', 'T'})
    for (char B : {'N', 'T'}) {
      if ((A == 'T') == (B == 'N')) {
        EXPECT_TRUE(noneIsTurned(floats(A, B))) << A << B;
        continue;
      }
      const PlanSet Plans = plansOf(floats(A, B));
      EXPECT_EQ(Plans.Plans.size(), 13u);
      EXPECT_TRUE(Plans.Notes.empty());
      for (const KernelPlan &P : Plans.Plans) {
        EXPECT_FALSE(P.Certificate.empty()) << P.Name;
        EXPECT_EQ(isTurned(P), P.Name != "skinny_m") << P.Name;
        if (!isTurned(P))
          continue;
        EXPECT_EQ(P.SwapAB, A == 'N') << P.Name;
        EXPECT_EQ(P.Rows.IsA, A == 'T') << P.Name;
        EXPECT_EQ(P.Rows.Order, Major::MN) << P.Name;
        EXPECT_EQ(P.Cols.Order, Major::K) << P.Name;
        EXPECT_EQ(P.Rows.Box[0], 32) << P.Name;
        EXPECT_EQ(P.TileK, 32) << P.Name;
        EXPECT_EQ(P.InstructionK, 8) << P.Name;
        EXPECT_EQ(P.Split.Warpgroups, 0) << P.Name;
        EXPECT_STREQ(P.multiplied().Suffix, "tf32") << P.Name;
        // Each thread has read a stage.
        EXPECT_EQ(P.EmptyArrivals, 128 * P.ConsumerWarpgroups * P.clusterSize())
            << P.Name;
      }
      const KernelPlan &Large = Plans.Plans.front();
      EXPECT_EQ(Large.tileRows(), 128);
      EXPECT_EQ(Large.tileColumns(), 256);
      EXPECT_EQ(Large.clusterRows(), 2);
      EXPECT_EQ(Large.Cost.ClocksPerKBlock, 1068);
    }
}

TEST(PlanTurned, BothOperandsAreFloatsToBeRounded) {
  EXPECT_TRUE(noneIsTurned(floats('N', 'N'), {}));
  EXPECT_TRUE(noneIsTurned(contractionOf('N', 'N', "f32", {"f32", "bf16"})));
  EXPECT_TRUE(noneIsTurned(contractionOf('N', 'N', "f32"), {}));
}

/// Clauses that another feed can keep leave the operands to that one.
/// The addresses of a second output leave no registers for 128 accumulators.
TEST(PlanTurned, OutputsTakeRegisters) {
  const auto HasLarge = [](const Contraction &C) {
    return llvm::any_of(plansOf(C).Plans, [](const KernelPlan &P) {
      return P.Name == "large" && P.Accumulators == 128;
    });
  };
  Contraction C = floats('N', 'N');
  EXPECT_TRUE(HasLarge(C));
  C.Outputs.push_back(C.Outputs.front());
  C.Outputs.back().Pointer = "D";
  EXPECT_FALSE(HasLarge(C));
}

TEST(PlanTurned, Clauses) {
  using Toggle = Directives::Toggle;
  for (char A : {'N', 'T'}) {
    const Contraction C = floats(A, A);
    for (Toggle Swap : {Toggle::On, Toggle::Off}) {
      Directives D = tf32();
      D.SwapAB = Swap;
      const bool Right = (Swap == Toggle::On) == (A == 'N');
      for (const KernelPlan &P : plansOf(C, D).Plans) {
        EXPECT_EQ(isTurned(P), Right && P.Name != "skinny_m") << P.Name;
        if (Swap == Toggle::Off)
          EXPECT_FALSE(P.SwapAB) << P.Name;
      }
    }
    Directives D = tf32();
    D.BatchInvariant = true;
    const PlanSet One = plansOf(C, D);
    EXPECT_EQ(One.Plans.size(), 1u);
    EXPECT_TRUE(all_of(One.Plans, isTurned));
    D = tf32();
    D.Accumulate = Directives::AccumulateKind::Promoted;
    EXPECT_TRUE(std::holds_alternative<Decline>(planContraction(C, D)));
    D = tf32();
    D.Schedule = Directives::ScheduleKind::Pingpong;
    const PlanSet Turns = plansOf(C, D);
    EXPECT_TRUE(any_of(Turns.Plans, [](const KernelPlan &P) {
      return isTurned(P) && P.TurnThreads;
    }));
  }
  // Clauses that no feed can keep are still declined.
  Directives D = tf32();
  D.BatchInvariant = true;
  EXPECT_TRUE(
      std::holds_alternative<Decline>(planContraction(floats('T', 'N'), D)));
}

/// A tile that a user asks for has its operands exchanged where the second one
/// is the rows, if it has enough of them.
TEST(PlanTurned, Tiles) {
  auto Tile = [](int64_t M, int64_t N, char Orders) {
    Directives D = tf32();
    D.Tile = {M, N, 32};
    return plansOf(floats(Orders, Orders), D).Plans.at(0);
  };
  for (auto [M, N] : {std::pair(128, 256), {256, 96}, {64, 64}, {192, 96}}) {
    const KernelPlan First = Tile(M, N, 'T'), Second = Tile(N, M, 'N');
    EXPECT_TRUE(isTurned(First)) << M << "x" << N;
    EXPECT_FALSE(First.SwapAB);
    EXPECT_TRUE(isTurned(Second)) << M << "x" << N;
    EXPECT_TRUE(Second.SwapAB);
    EXPECT_EQ(First.tileRows(), Second.tileRows());
  }
  // Rows of 128 by 32 are as many registers as accumulators of 64 by 128.
  EXPECT_EQ(Tile(256, 128, 'T').Feed, &registersFeed());
  const KernelPlan Few = Tile(32, 128, 'T');
  EXPECT_EQ(Few.Feed, &registersFeed());
  EXPECT_TRUE(Few.SwapAB);
}

/// The factor that sums share is the rows; where it lies along k, or where a
/// product is subtracted, other feeds take over.
TEST(PlanTurned, SeveralSumsAndProducts) {
  auto Of = [](const char *Shared, const char *Other) {
    return cantFail(parseContraction(
        formatv("contraction \"two\" {{\n index %b < 1\n index %m < M\n"
                " index %n < N\n index %k < K\n operand A = A[{0}]:f32\n"
                " operand B = B[{1}]:f32\n accumulate f32\n sum acc1\n"
                " index %k < K\n operand A = A[{0}]:f32\n"
                " operand B = U[{1}]:f32\n accumulate f32\n"
                " output C[%m * N + %n]:f32 = (acc * acc1)\n offsets i32\n}\n",
                Shared, Other)
            .str()));
  };
  const PlanSet Across = plansOf(Of("%k * M + %m", "%n * K + %k"));
  EXPECT_TRUE(any_of(Across.Plans, isTurned));
  for (const KernelPlan &P : Across.Plans)
    if (isTurned(P)) {
      EXPECT_EQ(P.Sums, 2) << P.Name;
      EXPECT_FALSE(P.SwapAB) << P.Name;
      EXPECT_EQ(P.Cols.Sources, 2) << P.Name;
    }
  EXPECT_TRUE(noneIsTurned(Of("%m * K + %k", "%k * N + %n")));
  const Contraction Difference = cantFail(parseContraction(
      "contraction \"minus\" {\n index %b < 1\n index %m < M\n index %n < N\n"
      " index %k < K\n operand A = A[%m * K + %k]:f32\n"
      " operand B = B[%k * N + %n]:f32\n minus\n"
      " operand A = D[%m * K + %k]:f32\n operand B = E[%k * N + %n]:f32\n"
      " accumulate f32\n output C[%m * N + %n]:f32 = acc\n offsets i32\n}\n"));
  for (const KernelPlan &P : plansOf(Difference).Plans)
    EXPECT_TRUE(P.Feed->changesSums()) << P.Name;
}

/// An operand that may lie in two orders has plans of its own for each.
TEST(PlanTurned, EachMemoryOrderHasItsFeed) {
  const Contraction C = cantFail(
      parseContraction("contraction \"gemm\" {\n index %b < 1\n index %m < M\n"
                       " index %n < N\n index %k < K\n"
                       " operand A = A[%m * lda_m + %k * lda_k]:f32\n"
                       " operand B = B[%k * N + %n]:f32\n accumulate f32\n"
                       " output C[%m * N + %n]:f32 = acc\n offsets i32\n}\n"));
  const PlanSet Plans = plansOf(C);
  EXPECT_TRUE(any_of(Plans.Plans, isTurned));
  EXPECT_FALSE(all_of(Plans.Plans, isTurned));
  for (const KernelPlan &P : Plans.Plans)
    EXPECT_EQ(isTurned(P), P.Rows.Order != P.Cols.Order) << P.Name;
}

TEST(PlanTurned, RefusesWhatCannotBe) {
  auto Refusal = [](const PlanChoice &P, char A, char B,
                    OperandTypes Types = {"f32", "f32"}) {
    Orders O;
    O.A = A == 'N' ? Major::K : Major::MN;
    O.B = B == 'N' ? Major::MN : Major::K;
    Expected<KernelPlan> Plan =
        derivePlan(contractionOf(A, B, "f32", Types), O, P);
    return Plan ? std::string("derived") : toString(Plan.takeError());
  };
  const char *const Along =
      "the consumers load rows that are contiguous across k only";
  PlanChoice P = turnedChoice();
  EXPECT_EQ(Refusal(P, 'T', 'T'), "derived");
  EXPECT_EQ(Refusal(P, 'N', 'T'), Along);
  EXPECT_EQ(Refusal(P, 'N', 'N'), Along);
  EXPECT_EQ(Refusal(P, 'T', 'N'),
            "wgmma reads elements of 4 bytes along k only");
  EXPECT_EQ(Refusal(P, 'T', 'T', {"f32", "f16"}),
            "TMA rounds operands that are both float, not computed, and "
            "rounded as for TF32");
  P.SwapAB = true;
  EXPECT_EQ(Refusal(P, 'N', 'N'), "derived");
  EXPECT_EQ(Refusal(P, 'T', 'T'), Along);
  P = turnedChoice();
  P.Multiply = &promotedMultiply();
  EXPECT_EQ(Refusal(P, 'T', 'T'),
            "the feed 'turned' does not leave its products to 'promoted'");
  P = turnedChoice();
  P.Stages = 2;
  P.TileM = 256;
  P.TileN = 192;
  EXPECT_EQ(Refusal(P, 'T', 'T'),
            "192 accumulators a thread leave fewer than 64 of its 232 "
            "registers");
  P.TileN = 112;
  EXPECT_EQ(Refusal(P, 'T', 'T'),
            "112 accumulators a thread, and its rows, need 248 registers; it "
            "has 232");
  P.TileN = 96;
  EXPECT_EQ(Refusal(P, 'T', 'T'), "derived");
}

TEST(PlanTurned, TheValidatorRefusesWhatWouldBeWrong) {
  struct Mutant {
    Property What;
    const char *Message;
    void (*Change)(KernelPlan &);
  } const Mutants[] = {
      {Property::Operands,
       "rows: the consumers load rows that are contiguous across k only",
       [](KernelPlan &P) { P.Rows.Order = Major::K; }},
      {Property::Operands,
       "columns: wgmma reads elements of 4 bytes along k only",
       [](KernelPlan &P) { P.Cols.Order = Major::MN; }},
      {Property::Operands,
       "TMA rounds floats whose products have to be those of floats",
       [](KernelPlan &P) { P.Precision = FactorPrecision::Float; }},
      {Property::Descriptor,
       "rows: a descriptor of what the instruction takes from registers",
       [](KernelPlan &P) { P.Rows.StrideBytes = 1024; }},
      {Property::ArrivalCount, "empty",
       [](KernelPlan &P) { P.EmptyArrivals /= 32; }},
  };
  EXPECT_TRUE(std::holds_alternative<Certificate>(validatePlan(turnedPlan())));
  for (const Mutant &M : Mutants) {
    KernelPlan P = turnedPlan();
    M.Change(P);
    auto Result = validatePlan(P);
    auto *Bad = std::get_if<Diagnosis>(&Result);
    ASSERT_TRUE(Bad) << M.Message;
    EXPECT_EQ(name(Bad->Violated).str(), name(M.What).str()) << Bad->str();
    EXPECT_NE(Bad->str().find(M.Message), std::string::npos) << Bad->str();
  }
}

/// What consumers do in another order than they should.
TEST(PlanTurned, BrokenProtocolsAreNamed) {
  struct Case {
    Property Violated;
    void (*Change)(std::vector<ProtocolOp> &);
  };
  static auto Drop = [](std::vector<ProtocolOp> &Script, Site Where) {
    erase_if(Script,
             [Where](const ProtocolOp &Op) { return Op.Where == Where; });
  };
  const Case Cases[] = {
      {Property::StageInFlight,
       [](auto &Script) { Drop(Script, Site::WaitFull); }},
      {Property::AccumulatorFence,
       [](auto &Script) { Drop(Script, Site::FenceOperands); }},
      {Property::FragmentContent,
       [](auto &Script) { Drop(Script, Site::LoadFragments); }},
      {Property::FragmentOverwritten,
       [](auto &Script) {
         for (ProtocolOp &Op : Script)
           if (Op.Fragments > 0)
             Op.Fragments = 0;
       }},
      {Property::FragmentOverwritten,
       [](auto &Script) { // loaded before the products of the set are done
         for (ProtocolOp &Op : Script)
           if (Op.Where == Site::WaitProducts)
             Op.Count = 2;
       }},
      {Property::StageOverwritten,
       [](auto &Script) {
         for (size_t I = 1; I < Script.size(); ++I)
           if (Script[I].Where == Site::ReleaseLast)
             std::swap(Script[I], Script[I - 1]); // before the wait
       }},
      {Property::ArrivalCount,
       [](auto &Script) { Drop(Script, Site::ReleaseLast); }},
  };
  for (const Case &Of : Cases) {
    ProtocolCoverage Coverage;
    auto Bad = exploreProtocol(turnedPlan(), Coverage, [&](Protocol &P) {
      for (ProtocolAgent &A : P.Agents)
        if (any_of(A.Script, [](const ProtocolOp &Op) {
              return Op.Where == Site::LoadFragments;
            }))
          Of.Change(A.Script);
    });
    ASSERT_TRUE(Bad) << name(Of.Violated).str();
    EXPECT_EQ(name(Bad->Violated).str(), name(Of.Violated).str())
        << Bad->Message;
  }
}

TEST(PlanTurned, JSONSaysSo) {
  const Contraction C = floats('N', 'N');
  const json::Value Written = toJSON(plansOf(C));
  for (const json::Value &V : *Written.getAsObject()->getArray("plans")) {
    const json::Object &P = *V.getAsObject();
    if (*P.getString("name") == "skinny_m")
      continue;
    EXPECT_EQ(P.getBoolean("rows_turned"), true);
    EXPECT_EQ(P.getString("precision"), "tf32");
    EXPECT_EQ(P.get("rounded_by_tma"), nullptr);
    EXPECT_EQ(P.get("transform"), nullptr);
    EXPECT_EQ(P.getObject("rows")->getBoolean("in_registers"), true);
    EXPECT_EQ(P.getObject("rows")->get("descriptor"), nullptr);
    EXPECT_NE(P.getObject("columns")->get("descriptor"), nullptr);
  }
  const std::string Text = formatv("{0:2}", Written);
  Expected<PlanSet> Back = planSetFromJSON(Text, C);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(formatv("{0:2}", toJSON(*Back)).str(), Text);
  auto Refusal = [](StringRef Members, const Contraction &C) {
    Expected<PlanSet> P = planSetFromJSON(
        formatv(R"({{"plans": [{{"tile": [128, 128, 32], "stages": 4, {0}}]})",
                Members)
            .str(),
        C);
    return P ? "accepted" : toString(P.takeError());
  };
  const char *const Turned = R"("precision": "tf32", "rows_turned": true)";
  EXPECT_EQ(Refusal(Turned, floats('T', 'T')), "accepted");
  EXPECT_EQ(Refusal(Turned, C),
            "plan 0: the consumers load rows that are contiguous across k "
            "only");
  EXPECT_EQ(Refusal(formatv("{0}, \"swap_ab\": true", Turned).str(), C),
            "accepted");
  EXPECT_EQ(Refusal(formatv("{0}, \"rounded_by_tma\": true", Turned).str(),
                    floats('T', 'T')),
            "plan 0: 'rounded_by_tma' and 'rows_turned' exclude each other");
}

} // namespace
