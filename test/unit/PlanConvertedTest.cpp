//===- PlanConvertedTest.cpp - Rows that consumers convert ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"

#include "warpwright/Plan/GroupedFactor.h"
#include "warpwright/Plan/Groups.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Protocol.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Plan/Validator.h"
#include "warpwright/rt/cost.cuh"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace warpwright;

namespace {

std::string diagnose(const KernelPlan &P) {
  auto Result = validatePlan(P);
  if (auto *Bad = std::get_if<Diagnosis>(&Result))
    return (name(Bad->Violated) + ": " + Bad->Message).str();
  return "certified";
}

/// Weights are the second factor: 128 of them by 64, 3 stages, 2 consumers.
PlanChoice weightsChoice() {
  PlanChoice P = smallChoice();
  P.Name = "converted";
  P.TileM = 64;
  P.ClusterM = 1;
  P.SwapAB = true;
  return P;
}

KernelPlan weightsPlan(char B = 'T', const char *Type = "i8") {
  return planOf(weightsChoice(), 'N', B, "f32", {"bf16", Type});
}

/// All values of a byte are numbers of either 16-bit type.
TEST(PlanConverted, NoValueChanges) {
  for (ScalarType From : {ScalarType::I8, ScalarType::U8})
    for (ScalarType To : {ScalarType::F16, ScalarType::BF16}) {
      EXPECT_TRUE(isConverted(From, To));
      EXPECT_FALSE(isConverted(To, From));
      const int First = From == ScalarType::I8 ? -128 : 0;
      for (int X = First; X < First + 256; ++X) {
        int Exponent = 0;
        const double Digits =
            std::ldexp(std::frexp(X, &Exponent), int(significandBits(To)));
        EXPECT_EQ(Digits, std::trunc(Digits)) << X << " " << name(To).str();
      }
    }
  // Floats of 8 bits, down to the least subnormal one.
  for (ScalarType From : {ScalarType::E4M3, ScalarType::E5M2})
    for (ScalarType To : {ScalarType::F16, ScalarType::BF16}) {
      EXPECT_TRUE(isConverted(From, To));
      const int Least = To == ScalarType::F16 ? -24 : -133;
      for (int Bits = 0; Bits < 256; ++Bits) {
        const double X = fromFloat8(From, uint8_t(Bits));
        if (!std::isfinite(X))
          continue;
        int Exponent = 0;
        const double Digits =
            std::ldexp(std::frexp(X, &Exponent), int(significandBits(To)));
        EXPECT_EQ(Digits, std::trunc(Digits)) << X << " " << name(To).str();
        const double Steps = std::ldexp(X, -Least);
        EXPECT_EQ(Steps, std::trunc(Steps)) << X << " " << name(To).str();
        EXPECT_LT(std::abs(X), 65504) << X;
      }
    }
  EXPECT_FALSE(isConverted(ScalarType::I8, ScalarType::F32));
  EXPECT_FALSE(isConverted(ScalarType::I8, ScalarType::U8));
  EXPECT_FALSE(isConverted(ScalarType::F16, ScalarType::BF16));
}

TEST(PlanConverted, NarrowElementsAreTheRows) {
  for (const char *Narrow : {"i8", "u8"})
    for (const char *Wide : {"f16", "bf16"})
      for (bool First : {true, false})
        for (char A : {'N', 'T'})
          for (char B : {'N', 'T'}) {
            const Contraction C =
                contractionOf(A, B, "bf16",
                              First ? OperandTypes{Narrow, Wide}
                                    : OperandTypes{Wide, Narrow});
            EXPECT_EQ(feedsFor(C, FactorPrecision::Float),
                      std::vector<const FeedRole *>{&convertedFeed()});
            auto Result = planContraction(C, {});
            auto *Plans = std::get_if<PlanSet>(&Result);
            ASSERT_TRUE(Plans) << std::get<Decline>(Result).Message;
            // Across k the sums are exchanged between lanes, for which the
            // widest tile has no registers.
            const bool AlongK = First ? A == 'N' : B == 'T';
            EXPECT_EQ(Plans->Plans.size(), AlongK ? 10u : 9u);
            for (const KernelPlan &P : Plans->Plans) {
              EXPECT_EQ(P.SwapAB, !First) << P.Name;
              EXPECT_EQ(name(P.Rows.Type), Narrow);
              EXPECT_EQ(name(P.multiplied().Type), Wide);
              EXPECT_EQ(P.Rows.RowSlots,
                        (First ? A == 'N' : B == 'T') ? "16:1" : "(8,2):(2,1)");
            }
          }
}

TEST(PlanConverted, ClausesThatExchangeOperandsAreDeclined) {
  auto Why = [](OperandTypes Types, Directives::Toggle Swap) {
    Directives D;
    D.SwapAB = Swap;
    auto Result = planContraction(contractionOf('N', 'T', "f32", Types), D);
    auto *No = std::get_if<Decline>(&Result);
    return No ? No->Message : "planned";
  };
  using Toggle = Directives::Toggle;
  EXPECT_EQ(Why({"bf16", "i8"}, Toggle::On), "planned");
  EXPECT_EQ(Why({"u8", "f16"}, Toggle::Off), "planned");
  EXPECT_EQ(Why({"bf16", "i8"}, Toggle::Off),
            "swap_ab(off) cannot be kept: 'B' is converted in registers, and "
            "has to be the rows");
  EXPECT_EQ(Why({"u8", "f16"}, Toggle::On),
            "swap_ab(on) cannot be kept: 'A' is converted in registers, and "
            "has to be the rows");
}

TEST(PlanConverted, OtherChoicesAreRefused) {
  auto Refusal = [](PlanChoice P, OperandTypes Types) {
    P.Feed = &convertedFeed();
    Expected<KernelPlan> Plan =
        derivePlan(contractionOf('N', 'N', "f32", Types), Orders(), P);
    return Plan ? std::string("derived") : toString(Plan.takeError());
  };
  PlanChoice P = weightsChoice();
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}), "derived");
  EXPECT_EQ(Refusal(P, {"bf16", "f16"}),
            "operands are converted in registers where one has elements of a "
            "byte, the other 16-bit floats that hold all of their values, "
            "nothing is done to them but what zero points and scales of groups "
            "do, and there is one sum");
  P.SwapAB = false;
  P.TileM = 128;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "the operand that is converted in registers is the rows, which "
            "takes swap_ab");
  P = weightsChoice();
  P.TileK = 128;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "the kernel takes k in blocks of 64, not 128");
  P = weightsChoice();
  P.Multiply = &promotedMultiply();
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "the feed 'converted' does not leave its products to 'promoted'");
  P = interleavedChoice();
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}), "derived");
  P.Stages = 5;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "each of two sets of consumers has at least two stages of its own, "
            "so that there are no 5");
  P.Stages = 2;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "each of two sets of consumers has at least two stages of its own, "
            "so that there are no 2");
  P.Stages = 4;
  P.ConsumerWarpgroups = 3;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "two sets of consumers take blocks of k in turn, and 3 warpgroups "
            "are not two of one size");
  P.ConsumerWarpgroups = 6;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}), "1 to 4 consumer warpgroups, not 6");
  P = interleavedChoice();
  P.TileM = 96;
  EXPECT_EQ(
      Refusal(P, {"bf16", "u8"}),
      "48 accumulators a thread, and its rows, need 116 registers; it has "
      "112");
  P = interleavedChoice();
  P.Feed = &straightFeed();
  EXPECT_EQ(
      toString(derivePlan(contractionOf('N', 'N', "f32", {"bf16", "bf16"}),
                          Orders(), P)
                   .takeError()),
      "with the feed 'straight' consumers do not take blocks of k in "
      "turn");
  P = weightsChoice();
  P.TileN = P.TileM = 256;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "256 accumulators a thread leave fewer than 64 of its 232 "
            "registers");
  P.TileM = 144;
  EXPECT_EQ(Refusal(P, {"bf16", "u8"}),
            "144 accumulators a thread, and its rows, need 296 registers; it "
            "has 232");
}

TEST(PlanConverted, EveryTileIsCertified) {
  int Derived = 0, InTurn = 0;
  for (char B : {'N', 'T'})
    for (int64_t TileM : {16, 48, 128})
      for (int64_t TileN : {64, 128, 192, 256, 384})
        for (int64_t Consumers : {1, 2, 3, 4})
          for (int Way = 0; Way < 6; ++Way) {
            PlanChoice P = weightsChoice();
            P.TileM = TileM;
            P.TileN = TileN;
            P.Stages = Way < 4 ? 2 + Way % 2 : 4;
            P.ConsumerWarpgroups = Consumers;
            P.ClusterN = Way < 2 || Way == 4 ? 1 : 2;
            P.ClusterM = Way == 3 ? 2 : 1;
            if (Way == 1)
              P.Schedule = &pingpongSchedule();
            if (Way >= 4)
              P.Schedule = &interleavedSchedule();
            Orders O;
            O.B = B == 'N' ? Major::MN : Major::K;
            const Contraction C = contractionOf('N', B, "bf16", {"f16", "u8"});
            Expected<KernelPlan> Plan = derivePlan(C, O, P);
            if (!Plan) {
              consumeError(Plan.takeError());
              continue;
            }
            ++Derived;
            InTurn += Way >= 4;
            EXPECT_EQ(diagnose(*Plan), "certified")
                << TileM << "x" << TileN << ", " << Consumers << ", way "
                << Way;
            EXPECT_EQ(toString(checkAgainstRuntime(*Plan)), "");
          }
  EXPECT_GT(Derived, 100);
  EXPECT_GT(InTurn, 20);
}

struct Mutant {
  const char *Says;
  void (*Change)(KernelPlan &);
};
#define CHANGE(...) [](KernelPlan &P) { __VA_ARGS__; }

TEST(PlanConverted, BrokenPlansAreNamed) {
  const Mutant AlongK[] = {
      {"operand-fragment: rows: thread 4 of 64 rows from 0 on loads byte 64 "
       "for row 2, k 0, which lies at 144",
       CHANGE(P.Rows.RowSlots = "(8,2):(2,1)")},
      {"operand-fragment: row slots 16:2 are no order of the 16 rows of a warp",
       CHANGE(P.Rows.RowSlots = "16:2")},
      {"layout: rows: S<2,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)) is not "
       "64 by 64",
       CHANGE(P.Rows.TileExtent = P.TileN = P.Rows.StoredExtent = 64;
              P.ConsumerWarpgroups = 1; P.Threads = 256)},
      {"operand-fragment: rows: 4 steps along k in swizzle none",
       CHANGE(P.Rows.Swizzle = SwizzleMode::None;
              P.Rows.SmemLayout = "S<0,4,3> o 0 o ((8,16),64):((64,512),1)")},
      {"descriptor: rows: a descriptor of what wgmma takes from registers",
       CHANGE(P.Rows.StrideBytes = 512)},
      {"operands: rows of f16 are not converted to bf16 in registers",
       CHANGE(P.Rows.Type = ScalarType::F16)},
      {"operands: parts, and no transform to make them",
       CHANGE(P.Rows.Parts = 1)},
  };
  for (const Mutant &M : AlongK) {
    KernelPlan P = weightsPlan();
    ASSERT_EQ(diagnose(P), "certified");
    M.Change(P);
    EXPECT_EQ(StringRef(diagnose(P)).split('\n').first.str(), M.Says);
  }
  KernelPlan P = weightsPlan('N', "u8");
  ASSERT_EQ(diagnose(P), "certified");
  P.Rows.RowSlots = "16:1";
  EXPECT_EQ(diagnose(P),
            "operand-fragment: rows: thread 4 of 64 rows from 0 on loads byte "
            "2 for row 1, k 0, which lies at 1");
}

/// What consumers do in another order than they should.
TEST(PlanConverted, BrokenProtocolsAreNamed) {
  struct Case {
    Property Violated;
    void (*Change)(std::vector<ProtocolOp> &);
  };
  auto Is = [](Site Where) {
    return [Where](const ProtocolOp &Op) { return Op.Where == Where; };
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
       [](auto &Script) { Drop(Script, Site::ConvertRows); }},
      {Property::FragmentOverwritten,
       [](auto &Script) {
         for (ProtocolOp &Op : Script)
           if (Op.Fragments > 0)
             Op.Fragments = 0;
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
    auto Bad = exploreProtocol(weightsPlan(), Coverage, [&](Protocol &P) {
      for (ProtocolAgent &A : P.Agents)
        if (any_of(A.Script, Is(Site::ConvertRows)))
          Of.Change(A.Script);
    });
    ASSERT_TRUE(Bad) << name(Of.Violated).str();
    EXPECT_EQ(name(Bad->Violated).str(), name(Of.Violated).str())
        << Bad->Message;
  }
}

/// Bytes from which \p Prologue makes factors for columns of \p Wide.
Contraction grouped(StringRef Prologue, StringRef Narrow = "u8",
                    StringRef Wide = "f16") {
  return cantFail(parseContraction(
      formatv("contraction \"gemm\" {{\n index %b < 1\n index %m < M\n"
              " index %n < N\n index %k < K\n"
              " operand A = A[%m * K + %k]:{0}\n"
              " operand B = B[%n * K + %k]:{1} as {2}\n accumulate f32\n"
              " output C[%m * N + %n]:f32 = acc\n offsets i32\n}\n",
              Wide, Narrow, Prologue)
          .str()));
}

TEST(PlanConverted, GroupsAreReadFromPrologues) {
  const std::string Element = "f32(B[%n * K + %k]:u8)";
  const std::string Scale = "s[%n + floordiv(%k, 128) * N]:f32";
  struct Case {
    std::string Prologue;
    bool Zero, Scale;
    int64_t GroupK, Largest;
  };
  const Case Good[] = {
      {"(" + Element + " * " + Scale + ")", false, true, 128, 255},
      {"(" + Scale + " * " + Element + ")", false, true, 128, 255},
      {"((" + Element + " - f32(z[%n]:u8)) * " + Scale + ")", true, true, 128,
       255},
      {"((" + Element + " - f32(z[%n + floordiv(%k, 192)]:u8)) * " + Scale +
           ")",
       true, true, 64, 255},
      {"f32((i32(B[%n * K + %k]:u8) - int.i32(128)))", true, false, 0, 128},
      {"(" + Element + " - 8.0f:f32)", true, false, 0, 247},
      {"(" + Element + " - f32(z[%n]:i8))", true, false, 0, 383},
  };
  for (const Case &Of : Good) {
    const Contraction C = grouped(Of.Prologue);
    const auto Factor = groupedFactor(C.B);
    ASSERT_TRUE(Factor) << Of.Prologue;
    EXPECT_EQ(Factor->Zero != nullptr, Of.Zero) << Of.Prologue;
    EXPECT_EQ(Factor->Scale != nullptr, Of.Scale) << Of.Prologue;
    EXPECT_EQ(Factor->GroupK, Of.GroupK) << Of.Prologue;
    EXPECT_EQ(Factor->Largest, Of.Largest) << Of.Prologue;
    auto Result = planContraction(C, {});
    auto *Plans = std::get_if<PlanSet>(&Result);
    ASSERT_TRUE(Plans) << std::get<Decline>(Result).Message;
    for (const KernelPlan &P : Plans->Plans) {
      EXPECT_EQ(P.Feed, &convertedFeed());
      EXPECT_EQ(P.Rows.ZeroPoints, Of.Zero);
      EXPECT_EQ(P.Rows.GroupScales, Of.Scale);
      EXPECT_EQ(P.Rows.GroupK, Of.GroupK);
    }
    // Those for long sums too.
    EXPECT_TRUE(any_of(Plans->Plans,
                       [](const KernelPlan &P) { return P.Slices != 1; }));
    // bfloat16 has fewer bits than the difference may need.
    EXPECT_EQ(&defaultFeed(grouped(Of.Prologue, "u8", "bf16")),
              Of.Largest <= 256 ? &convertedFeed() : &partsFeed())
        << Of.Prologue;
  }
  const std::string Bad[] = {
      // The product of what is inside a sum of other groups, or of every k.
      "(" + Element + " * s[%n + floordiv(%k, 32) * N]:f32)",
      "(" + Element + " * s[%n + floordiv(%k + 1, 128) * N]:f32)",
      "(" + Element + " * s[%k]:f32)",
      "(" + Element + " * s[%n]:f32)",
      // What is not an integer, or not known to be one of few bits.
      "(" + Element + " - z[%n]:f32)",
      "(" + Element + " - 0.5f:f32)",
      "(" + Element + " - f32(z[%n]:i32))",
      // In the other order, and in a type that has no room for it.
      "(f32(z[%n]:u8) - " + Element + ")",
      "((" + Element + " * " + Scale + ") - f32(z[%n]:u8))",
      "f32(bf16((i32(B[%n * K + %k]:u8) - i32(z[%n]:u8))))",
  };
  for (const std::string &Prologue : Bad) {
    const Contraction C = grouped(Prologue);
    EXPECT_FALSE(convertsTo(C.B, ScalarType::F16, 64)) << Prologue;
    EXPECT_EQ(&defaultFeed(C), &partsFeed()) << Prologue;
    EXPECT_TRUE(std::holds_alternative<PlanSet>(planContraction(C, {})))
        << Prologue;
  }
}

/// Groups whose size is an argument are whole blocks, which the launcher asks
/// for.
TEST(PlanConverted, GroupsOfAnArgument) {
  const std::string Element = "f32(B[%n * K + %k]:u8)";
  struct Case {
    std::string Index, Taken;
    std::vector<std::string> Requires;
  };
  const Case Cases[] = {
      {"%n * G + floordiv(%k, g)",
       "%n * G + floordiv(64 * floordiv(%k, 64), g)",
       {"g is not a multiple of 64"}},
      {"%n + floordiv(4 * floordiv(%k, 4), g)",
       "%n + floordiv(64 * floordiv(%k, 64), g)",
       {"g is not a multiple of 64"}},
      {"floordiv(%n * K + %k, g)",
       "%n * floordiv(K, g) + floordiv(64 * floordiv(%k, 64), g)",
       {"K is not a multiple of g", "g is not a multiple of 64"}},
      {"floordiv(%n * K + %k, 128)",
       "%n * floordiv(K, 128) + floordiv(%k, 128)",
       {"K is not a multiple of 128"}},
      // Neither begins with a group where a block does.
      {"floordiv(%n * K + %k + 1, g)", "floordiv(%n * K + %k + 1, g)", {}},
      {"floordiv(%n + %k, g)", "floordiv(%k + %n, g)", {}},
      {"floordiv(3 * %k, g)", "floordiv(3 * %k, g)", {}},
      {"floordiv(%k, %n)", "floordiv(%k, %n)", {}},
  };
  for (const Case &Of : Cases) {
    Contraction C = grouped("(" + Element + " * s[" + Of.Index + "]:f32)");
    takeGroups(C);
    EXPECT_EQ(C.B.Prologue->Ops[1]->Index.str(), Of.Taken) << Of.Index;
    std::vector<std::string> Requires;
    for (const Requirement &R : C.Requires)
      Requires.push_back(R.Reason);
    EXPECT_EQ(Requires, Of.Requires) << Of.Index;
    const auto Factor = groupedFactor(C.B);
    EXPECT_EQ(Factor && Factor->GroupK % 64 == 0, !Of.Requires.empty())
        << Of.Index;
  }
  // What plans compute for each element of its own stays.
  Contraction C = grouped("(f32(B[%n * K + %k]:f16) * s[floordiv(%k, g)]:f32)",
                          "f16", "f16");
  takeGroups(C);
  EXPECT_TRUE(C.Requires.empty());
}

/// Plans for the sizes that groups mostly have stand before those for all.
TEST(PlanConverted, PlansAskForUsualGroups) {
  const std::string Element = "f32(B[%n * K + %k]:u8)";
  Contraction C = grouped("(" + Element + " * s[%n + floordiv(%k, g)]:f32)");
  takeGroups(C);
  EXPECT_EQ(convertedFeed().usualGroup(C), 128);
  auto Result = planContraction(C, {});
  auto *Plans = std::get_if<PlanSet>(&Result);
  ASSERT_TRUE(Plans) << std::get<Decline>(Result).Message;
  ASSERT_EQ(Plans->Plans.size() % 2, 0u);
  for (size_t I = 0; I < Plans->Plans.size(); I += 2) {
    const KernelPlan &Usual = Plans->Plans[I], &Any = Plans->Plans[I + 1];
    EXPECT_EQ(Usual.Name + "_any", Any.Name);
    EXPECT_EQ(Usual.AskedGroup, 128);
    EXPECT_EQ(Usual.Rows.GroupK, 128);
    EXPECT_EQ(Any.AskedGroup, 0);
    EXPECT_EQ(Any.Rows.GroupK, 64);
  }
  // Nothing asks where the size is known, and no plan may.
  const Contraction Known =
      grouped("(" + Element + " * s[%n + floordiv(%k, 64)]:f32)");
  EXPECT_EQ(convertedFeed().usualGroup(Known), 0);
  PlanChoice Choice = Plans->Plans.front();
  EXPECT_FALSE(errorToBool(convertedFeed().checkChoice(Choice, C)));
  EXPECT_TRUE(errorToBool(convertedFeed().checkChoice(Choice, Known)));
  Choice.AskedGroup = 192;
  EXPECT_TRUE(errorToBool(convertedFeed().checkChoice(Choice, C)));
}

/// They have scales, and no zero points.
TEST(PlanConverted, GroupsOfFloatsHaveScales) {
  const std::string Element = "f32(B[%n * K + %k]:e4m3)";
  const std::string Scale = "s[%n + floordiv(%k, 64) * N]:f32";
  auto GroupOf = [](const std::string &Prologue) {
    const auto Factor = groupedFactor(grouped(Prologue, "e4m3").B);
    return Factor ? Factor->GroupK : -1;
  };
  EXPECT_EQ(GroupOf("(" + Element + " * " + Scale + ")"), 64);
  EXPECT_EQ(GroupOf("(f32(f16(B[%n * K + %k]:e4m3)) * " + Scale + ")"), 64);
  EXPECT_EQ(GroupOf("((" + Element + " - f32(z[%n]:u8)) * " + Scale + ")"), -1);
  EXPECT_EQ(GroupOf("(f32(i32(B[%n * K + %k]:e4m3)) * " + Scale + ")"), -1);
}

/// Sums of a group leave the accumulators, and are waited for.
TEST(PlanConverted, GroupsEndInPromotions) {
  const Contraction C = grouped("((f32(B[%n * K + %k]:u8) - f32(z[%n]:u8)) * "
                                "s[%n + floordiv(%k, 128) * N]:f32)");
  Orders O;
  O.B = Major::K;
  KernelPlan P = cantFail(derivePlan(C, O, weightsChoice()));
  EXPECT_EQ(diagnose(P), "certified");
  EXPECT_EQ(toString(checkAgainstRuntime(P)), "");
  ProtocolCoverage Coverage;
  auto Bad = exploreProtocol(P, Coverage, [](Protocol &Of) {
    for (ProtocolAgent &A : Of.Agents)
      for (ProtocolOp &Op : A.Script)
        if (Op.Where == Site::WaitLast)
          Op.Count = 1;
  });
  ASSERT_TRUE(Bad);
  EXPECT_NE(Bad->Violated, Property::Deadlock);
  PlanChoice Sliced = weightsChoice();
  Sliced.Slices = 2;
  P = cantFail(derivePlan(C, O, Sliced));
  EXPECT_EQ(diagnose(P), "certified");
  // 11 blocks are 6 groups of 2, and 2 slices have 3 of them.
  const rt::choice Choice = runtimeChoice(P);
  const rt::slicing Cut =
      rt::cut_k(Choice, rt::cost_of(Choice, rt::derive(Choice)), 16, 512,
                11 * 64, 1, rt::gpu(), rt::row_starts());
  EXPECT_EQ(Cut.slices, 2);
  EXPECT_EQ(Cut.blocks, 6);
  P.Rows.GroupK = 96;
  EXPECT_EQ(diagnose(P), "tile: scales and zero points of groups of 96 along "
                         "k, in blocks of 64");
}

/// Where sets of consumers take blocks in turn, sums of groups and 64 columns
/// leave a thread registers for the rows of one part: they are converted when
/// the products of the part before are done.
TEST(PlanConverted, GroupsInTurnHoldOnePart) {
  const Contraction C = grouped("((f32(B[%n * K + %k]:u8) - f32(z[%n]:u8)) * "
                                "s[%n + floordiv(%k, 128) * N]:f32)");
  Orders O;
  O.B = Major::K;
  PlanChoice Choice = interleavedChoice();
  Choice.TileM = 64;
  KernelPlan P = cantFail(derivePlan(C, O, Choice));
  EXPECT_EQ(diagnose(P), "certified");
  EXPECT_EQ(toString(checkAgainstRuntime(P)), "");
  for (Site Where : {Site::WaitLast, Site::ConvertRows, Site::WaitFull}) {
    ProtocolCoverage Coverage;
    auto Bad = exploreProtocol(P, Coverage, [Where](Protocol &Of) {
      for (ProtocolAgent &A : Of.Agents)
        erase_if(A.Script,
                 [Where](const ProtocolOp &Op) { return Op.Where == Where; });
    });
    ASSERT_TRUE(Bad) << name(Where).str();
    EXPECT_NE(Bad->Violated, Property::Deadlock);
  }
}

TEST(PlanConverted, PlanFilesSayWhatIsConverted) {
  const Contraction C = contractionOf('N', 'N', "f32", {"bf16", "u8"});
  KernelPlan P = weightsPlan('N', "u8");
  cantFail(checkPlan(P));
  const json::Value Written = toJSON(PlanSet{{P}, {}});
  const std::string Text = formatv("{0}", Written);
  Expected<PlanSet> Read = planSetFromJSON(Text, C);
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(formatv("{0}", toJSON(*Read)).str(), Text);
  const json::Object &Rows =
      *(*Written.getAsObject()->getArray("plans"))[0].getAsObject()->getObject(
          "rows");
  EXPECT_EQ(Rows.getString("converted"), "bf16");
  EXPECT_EQ(Rows.getString("row_slots"), "(8,2):(2,1)");
  EXPECT_FALSE(Rows.get("descriptor"));
  const char *const Other =
      R"({"version": 2, "plans": [{"tile": [64, 128, 64], "stages": 3,
          "swap_ab": true, "rows": {"row_slots": "16:1"}}]})";
  Expected<PlanSet> Wrong = planSetFromJSON(Other, C);
  ASSERT_FALSE(bool(Wrong));
  EXPECT_EQ(toString(Wrong.takeError()),
            "plan 'plan': operand-fragment: rows: thread 4 of 64 rows from 0 "
            "on loads byte 2 for row 1, k 0, which lies at 1");
}

} // namespace
