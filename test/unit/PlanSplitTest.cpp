//===- PlanSplitTest.cpp - Plans with a transform stage -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

/// A matmul with operands of the given types, each of them contiguous along k
/// or not.
Contraction product(StringRef A = "f32", StringRef B = "f32",
                    bool AAlongK = true, bool BAlongK = false,
                    StringRef Out = "f32") {
  std::string Text = formatv(
      R"(contraction "gemm" {{
  index %b < 1
  index %m < M
  index %n < N
  index %k < K
  operand A = A[{0}]:{1}
  operand B = B[{2}]:{3}
  accumulate f32
  output C[%m * N + %n]:{4} = {5}
  offsets i32
}
)",
      AAlongK ? "%m * lda + %k" : "%k * lda + %m", A,
      BAlongK ? "%n * ldb + %k" : "%k * ldb + %n", B, Out,
      Out == "f32" ? "acc" : (Out + "(acc)").str());
  Expected<Contraction> Parsed = parseContraction(Text);
  if (!Parsed)
    report_fatal_error(Parsed.takeError());
  return *Parsed;
}

/// Floats of which neither operand lies along k.
Contraction acrossK() { return product("f32", "f32", false, false); }

PlanSet planOf(const Contraction &C, const Directives &D = {}) {
  auto Result = planContraction(C, D);
  if (auto *No = std::get_if<Decline>(&Result)) {
    ADD_FAILURE() << No->Message;
    return {};
  }
  return std::get<PlanSet>(Result);
}

const KernelPlan &named(const PlanSet &Plans, StringRef Name) {
  for (const KernelPlan &P : Plans.Plans)
    if (P.Name == Name)
      return P;
  ADD_FAILURE() << "no plan " << Name.str();
  static KernelPlan None;
  return None;
}

Directives tf32() {
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  return D;
}

/// The plan for a choice with float operands, or the reason why there is none.
std::string derived(const PlanChoice &Choice, const Contraction &C = product(),
                    KernelPlan *Into = nullptr) {
  Orders O;
  Expected<KernelPlan> P = derivePlan(C, O, Choice);
  if (!P)
    return toString(P.takeError());
  if (Into)
    *Into = *P;
  return "derived";
}

PlanChoice tile(int64_t M, int64_t N, int64_t Stages, int64_t Consumers) {
  PlanChoice P;
  P.Name = "tile";
  P.TileM = M;
  P.TileN = N;
  P.TileK = 32;
  P.Stages = Stages;
  P.ConsumerWarpgroups = Consumers;
  return P;
}

TEST(PlanSplit, LargePlanOfFloats) {
  const KernelPlan P = named(planOf(product()), "large");
  EXPECT_EQ(P.Threads, 128 * (1 + 2 + 2));
  EXPECT_EQ(P.InstructionK, 16);
  EXPECT_EQ(P.ProducerRegisters, 32);
  EXPECT_EQ(P.Split.Registers, 80);
  EXPECT_EQ(P.ConsumerRegisters, 144);
  EXPECT_EQ(P.Split.Window, 3);
  EXPECT_EQ(P.Split.ReadyArrivals, 8 * 32);
  EXPECT_EQ(P.Rows.Parts, 2);
  EXPECT_EQ(P.Rows.LowPartBytes, 64);
  EXPECT_EQ(P.Rows.KStepBytes, 32);
  EXPECT_EQ(P.Rows.GroupBytes, 8192);
  EXPECT_EQ(P.Rows.Box, (std::vector<int64_t>{32, 128}));
  EXPECT_EQ(P.Cols.Box, (std::vector<int64_t>{32, 32}));
  EXPECT_EQ(P.Cols.BoxCount, 4);
  EXPECT_EQ(P.Cols.BoxStepRows, 32);
  EXPECT_EQ(P.Cols.BoxStepK, 0);
  EXPECT_EQ(P.Cols.BoxStepBytes, 4096);
  EXPECT_EQ(P.TransactionBytes, 32768);
  // The order in memory is stages, staging, scales, flags, barriers.
  EXPECT_EQ(P.Epilogue.StagingOffset, 6 * 32768);
  EXPECT_EQ(P.Split.ScaleOffset, 6 * 32768 + 32768);
  EXPECT_EQ(P.Split.ScaleStageBytes, 256);
  EXPECT_EQ(P.Split.FlagOffset, P.Split.ScaleOffset + 6 * 256);
  EXPECT_EQ(P.Split.FlagStageBytes, 8);
  EXPECT_EQ(P.BarrierOffset, P.Split.FlagOffset + 6 * 8);
  EXPECT_EQ(P.SmemBytes, P.BarrierOffset + 3 * 8 * 6);
  EXPECT_EQ(P.Feed->productsOfOne(P), 3);
}

TEST(PlanSplit, EveryOrderAndTypeIsPlanned) {
  for (StringRef A : {"f32", "f16", "bf16"})
    for (StringRef B : {"f32", "f16", "bf16"})
      for (bool AAlongK : {true, false})
        for (bool BAlongK : {true, false})
          for (StringRef Out : {"f32", "bf16"}) {
            if (A == B && A != "f32")
              continue;
            PlanSet Plans = planOf(product(A, B, AAlongK, BAlongK, Out));
            EXPECT_EQ(Plans.Plans.size(), 7u);
            EXPECT_TRUE(Plans.Notes.empty());
            for (const KernelPlan &P : Plans.Plans) {
              EXPECT_EQ(P.TileK, 32);
              EXPECT_EQ(P.Split.KSlots, "16:1");
              EXPECT_FALSE(P.Certificate.empty());
              EXPECT_EQ((P.SwapAB ? P.Cols : P.Rows).Order,
                        AAlongK ? Major::K : Major::MN);
              for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
                EXPECT_EQ(O->Parts, O->Type == ScalarType::F32 ? 2 : 1);
                // Each row of the parts is a line of 128 bytes, in whatever
                // form TMA writes the stage.
                EXPECT_EQ(O->StageBytes, O->TileExtent * 128);
                EXPECT_EQ(O->BoxCount * O->BoxBytes,
                          O->TileExtent * 32 * byteSize(O->Type));
              }
            }
          }
}

TEST(PlanSplit, PartsByType) {
  auto Least = [](StringRef A, StringRef B, bool OnePart) {
    PlanChoice Choice = tile(128, 128, 4, 2);
    Choice.Precision = OnePart ? FactorPrecision::TF32 : FactorPrecision::Float;
    KernelPlan P;
    EXPECT_EQ(derived(Choice, product(A, B), &P), "derived");
    return std::pair(P.Rows.LeastExponent, P.Cols.LeastExponent);
  };
  EXPECT_EQ(Least("f32", "f16", false), std::pair(int64_t(-16), int64_t(-14)));
  EXPECT_EQ(Least("bf16", "f32", true), std::pair(int64_t(-17), int64_t(-14)));
}

TEST(PlanSplit, SixteenBitOperandsHaveBlocksOfTheirOwn) {
  const KernelPlan P = named(planOf(product("bf16", "f16")), "large");
  EXPECT_EQ(P.Rows.RawSwizzle, SwizzleMode::B64);
  EXPECT_EQ(P.Rows.Box, (std::vector<int64_t>{32, 32}));
  EXPECT_EQ(P.Rows.BoxBytes, 2048);
  EXPECT_EQ(P.Rows.BoxStepBytes, 4096);
  EXPECT_EQ(P.Rows.LowPartBytes, 0);
  EXPECT_EQ(P.TransactionBytes, 16384);
  EXPECT_EQ(P.StageBytes, 32768);
  EXPECT_EQ(P.Cost.BytesPerKBlock, 16384);
  EXPECT_EQ(P.Feed->productsOfOne(P), 1);
}

TEST(PlanSplit, ClustersShareRawBoxes) {
  PlanChoice Choice = tile(128, 128, 4, 2);
  Choice.ClusterM = 2;
  Choice.ClusterN = 4;
  KernelPlan P;
  ASSERT_EQ(derived(Choice, product(), &P), "derived");
  EXPECT_EQ(P.Rows.Shares, 4);
  EXPECT_EQ(P.Rows.Box, (std::vector<int64_t>{32, 32}));
  EXPECT_EQ(P.Rows.ShareStepRows, 32);
  EXPECT_EQ(P.Rows.BoxStepBytes, 16384);
  EXPECT_EQ(P.Cols.Shares, 2);
  EXPECT_EQ(P.Cols.Box, (std::vector<int64_t>{32, 16}));
  EXPECT_EQ(P.Cols.ShareStepK, 16);
  EXPECT_EQ(P.TransactionBytes, 32768);
  EXPECT_EQ(P.EmptyArrivals, 8 * 8 * 32);
  EXPECT_EQ(P.Cost.BytesPerKBlock, 16384 / 4 + 16384 / 2);
  // 8 shares of 32 rows would split the swizzle's atoms of 8 rows.
  Choice.ClusterM = 1;
  Choice.ClusterN = 8;
  EXPECT_EQ(derived(Choice, product("f16", "f32")),
            "a box of 32 rows cannot be shared by 8 CTAs");
}

TEST(PlanSplit, RefusesWhatCannotBe) {
  PlanChoice Choice = tile(128, 128, 6, 2);
  Choice.TileK = 64;
  EXPECT_EQ(derived(Choice), "operands that are split into fp16 parts come in "
                             "blocks of 32 along k, not 64");
  EXPECT_EQ(derived(tile(128, 128, 6, 1)),
            "1 consumer warpgroup of operands that are split into fp16 parts "
            "multiply 64 rows, not 128");
  EXPECT_EQ(derived(tile(192, 64, 6, 3)),
            "operands that are split into fp16 parts have 1 or 2 consumer "
            "warpgroups, not 3");
  EXPECT_EQ(derived(tile(128, 160, 4, 2)),
            "80 accumulators and 80 sums a thread leave fewer than 16 of its "
            "144 registers");
  EXPECT_EQ(derived(tile(128, 128, 7, 2)),
            "7 stages of 32768 bytes and 32768 bytes of staging need 264160 "
            "bytes of shared memory; a CTA has 232448");
  EXPECT_EQ(derived(tile(64, 224, 4, 1)),
            "instructions with 112 accumulators need 138 registers; 512 "
            "threads are launched with 128");
  EXPECT_EQ(derived(tile(64, 192, 4, 1)), "derived");
  Choice = tile(128, 128, 6, 2);
  Choice.TransformWarpgroups = 3;
  EXPECT_EQ(derived(Choice), "1 or 2 warpgroups transform operands, not 3");
  Choice = tile(128, 128, 6, 2);
  Choice.Precision = FactorPrecision::TF32;
  EXPECT_EQ(derived(Choice, product("f16", "bf16")),
            "no operand is float, so none can be rounded as for TF32");
  Choice = tile(128, 128, 6, 2);
  Choice.TileK = 64;
  Choice.TransformWarpgroups = 1;
  EXPECT_EQ(derived(Choice, product("f16", "f16")),
            "operands that TMA brings as wgmma multiplies them have no "
            "transform");
}

/// With one transform warpgroup the consumers get more registers.
TEST(PlanSplit, RegistersFollowFromTheLaunch) {
  PlanChoice Choice = tile(128, 160, 4, 2);
  Choice.TransformWarpgroups = 1;
  KernelPlan P;
  ASSERT_EQ(derived(Choice, product(), &P), "derived");
  EXPECT_EQ(P.Threads, 512);
  EXPECT_EQ(P.Split.Registers, 112);
  EXPECT_EQ(P.ConsumerRegisters, 184);
  EXPECT_EQ(P.Split.ReadyArrivals, 4 * 32);
  EXPECT_LE(32 + 112 + 2 * P.ConsumerRegisters, 4 * 128);
}

/// Rows that are rounded in registers: 256 or 128 of them.
PlanChoice registers(int64_t Rows, int64_t Stages) {
  PlanChoice P = tile(Rows, 128, Stages, 2);
  P.Precision = FactorPrecision::TF32;
  P.Feed = &registersFeed();
  return P;
}

TEST(PlanSplit, RowsInRegisters) {
  KernelPlan P;
  ASSERT_EQ(derived(registers(256, 4), product(), &P), "derived");
  EXPECT_EQ(P.rowBlocks(), 2);
  // One warpgroup of the transform, since it rewrites only the columns' 4
  // blocks.
  EXPECT_EQ(P.Threads, 128 * (1 + 1 + 2));
  EXPECT_EQ(P.Split.Warpgroups, 1);
  EXPECT_EQ(P.Split.ReadyArrivals, 4 * 32);
  EXPECT_EQ(P.EmptyArrivals, 8 * 32);
  EXPECT_EQ(P.Split.Window, 256);
  EXPECT_EQ(P.ProducerRegisters, 40);
  EXPECT_EQ(P.Split.Registers, 72);
  EXPECT_EQ(P.ConsumerRegisters, 200);
  EXPECT_EQ(P.Accumulators, 64);

  EXPECT_EQ(P.Feed, &registersFeed());
  EXPECT_EQ(P.Rows.Parts, 1);
  EXPECT_EQ(P.Rows.LeastExponent, -14);
  EXPECT_EQ(P.Rows.RawSwizzle, SwizzleMode::B128);
  EXPECT_EQ(P.Rows.Swizzle, P.Rows.RawSwizzle);
  EXPECT_EQ(P.Rows.SmemLayout, P.Rows.RawLayout);
  EXPECT_EQ(P.Rows.Box, (std::vector<int64_t>{32, 256}));
  EXPECT_EQ(P.Rows.BoxCount, 1);
  for (int64_t N : {P.Rows.LeadingBytes, P.Rows.StrideBytes, P.Rows.KStepBytes,
                    P.Rows.RowBlockBytes, P.Rows.GroupBytes})
    EXPECT_EQ(N, 0);
  // ldmatrix gives four neighbours along k to the lanes of a quad.
  EXPECT_EQ(P.Split.KSlots, "(4,2,2):(2,1,8)");
  EXPECT_FALSE(P.Feed->throughRegisters(P, P.Cols));
  EXPECT_EQ(P.Cols.Parts, 1);
  EXPECT_EQ(P.Cols.RawSwizzle, SwizzleMode::None);
  EXPECT_EQ(P.Cols.StrideBytes, 1024);
  EXPECT_EQ(P.Cols.Offset, 32768);
  EXPECT_EQ(P.StageBytes, 49152);
  EXPECT_EQ(P.TransactionBytes, 49152);
  // Scales and flags have room for the rows too, although the transform does
  // not write those.
  EXPECT_EQ(P.Split.ScaleOffset, 4 * 49152 + 32768);
  EXPECT_EQ(P.Split.ScaleStageBytes, 384);
  EXPECT_EQ(P.Split.FlagOffset, P.Split.ScaleOffset + 4 * 384);
  EXPECT_EQ(P.Split.FlagStageBytes, 16);
  EXPECT_EQ(P.SmemBytes, P.Split.FlagOffset + 4 * 16 + 3 * 8 * 4);

  // With half the rows the transform may have more registers.
  ASSERT_EQ(derived(registers(128, 6), product(), &P), "derived");
  EXPECT_EQ(P.rowBlocks(), 1);
  EXPECT_EQ(P.Threads, 512);
  EXPECT_EQ(P.Split.Registers, 112);
  EXPECT_EQ(P.ConsumerRegisters, 176);
  EXPECT_EQ(P.SmemBytes, 231104);
}

/// Rows that lie along m (or, exchanged, n) come in swizzled boxes of 32 by 32,
/// which lanes read without bank conflicts.
TEST(PlanSplit, RowsInRegistersInEveryOrder) {
  PlanChoice Swapped = registers(256, 4);
  std::swap(Swapped.TileM, Swapped.TileN);
  Swapped.SwapAB = true;
  for (const PlanChoice &Choice : {registers(256, 4), Swapped})
    for (bool AlongK : {true, false})
      for (bool ColsAlongK : {true, false}) {
        KernelPlan P;
        const bool A = Choice.SwapAB ? ColsAlongK : AlongK;
        const bool B = Choice.SwapAB ? AlongK : ColsAlongK;
        Orders O;
        O.A = A ? Major::K : Major::MN;
        O.B = B ? Major::K : Major::MN;
        Expected<KernelPlan> Made =
            derivePlan(product("f32", "f32", A, B), O, Choice);
        ASSERT_TRUE(bool(Made)) << toString(Made.takeError());
        P = *Made;
        EXPECT_EQ(P.Rows.IsA, !Choice.SwapAB);
        EXPECT_EQ(P.Feed, &registersFeed());
        EXPECT_FALSE(P.Feed->throughRegisters(P, P.Cols));
        EXPECT_EQ(P.Rows.Order, AlongK ? Major::K : Major::MN);
        EXPECT_EQ(P.Split.KSlots, AlongK ? "(4,2,2):(2,1,8)" : "16:1");
        EXPECT_EQ(P.Rows.RawSwizzle, SwizzleMode::B128);
        EXPECT_EQ(P.Rows.RawLayout,
                  AlongK
                      ? "S<3,4,3> o 0 o ((8,32),(32,1)):((32,256),(1,0))"
                      : "S<3,4,3> o 0 o (((32,1),8),(8,4)):(((1,0),1024),(32,"
                        "256))");
        EXPECT_EQ(P.Rows.BoxCount, AlongK ? 1 : 8);
        EXPECT_EQ(P.Rows.BoxBytes, AlongK ? 32768 : 4096);
        EXPECT_EQ(P.Rows.BoxStepRows, AlongK ? 0 : 32);
        EXPECT_EQ(P.Cols.RawSwizzle,
                  ColsAlongK ? SwizzleMode::B128 : SwizzleMode::None);
        EXPECT_EQ(P.Cols.BoxCount, ColsAlongK ? 1 : 4);
      }
}

TEST(PlanSplit, RowsInRegistersShareBoxes) {
  PlanChoice Choice = registers(256, 4);
  Choice.ClusterM = 2;
  Choice.ClusterN = 4;
  KernelPlan P;
  ASSERT_EQ(derived(Choice, product(), &P), "derived");
  EXPECT_EQ(P.Rows.Box, (std::vector<int64_t>{32, 64}));
  EXPECT_EQ(P.Rows.ShareStepRows, 64);
  EXPECT_EQ(P.Cols.Box, (std::vector<int64_t>{32, 16}));
  EXPECT_EQ(P.EmptyArrivals, 8 * 8 * 32);
  Orders O;
  O.A = Major::MN;
  Expected<KernelPlan> Along =
      derivePlan(product("f32", "f32", false), O, Choice);
  ASSERT_TRUE(bool(Along)) << toString(Along.takeError());
  EXPECT_EQ(Along->Rows.Box, (std::vector<int64_t>{32, 8}));
  EXPECT_EQ(Along->Rows.ShareStepK, 8);
  // 4 rows of a box are half of its swizzle's atom.
  Choice.ClusterM = 1;
  Choice.ClusterN = 8;
  Along = derivePlan(product("f32", "f32", false), O, Choice);
  EXPECT_EQ(toString(Along.takeError()),
            "a box of 32 rows cannot be shared by 8 CTAs");
}

TEST(PlanSplit, RowsInRegistersRefusesWhatCannotBe) {
  const char *Where = "rows are rounded in registers where both operands are "
                      "float and rounded as for TF32";
  PlanChoice Choice = registers(256, 4);
  Choice.Precision = FactorPrecision::Float;
  EXPECT_EQ(derived(Choice), Where);
  EXPECT_EQ(derived(registers(256, 4), product("f32", "bf16")), Where);
  Choice = registers(256, 4);
  Choice.TileM = 64;
  Choice.ConsumerWarpgroups = 1;
  EXPECT_EQ(derived(Choice), "rows are rounded in registers by 2 consumer "
                             "warpgroups, not 1");
  for (int64_t Rows : {192, 384})
    EXPECT_EQ(derived(registers(Rows, 4)),
              ("2 consumer warpgroups that round rows in registers multiply "
               "128 or 256 of them, not " +
               Twine(Rows))
                  .str());
  Choice = registers(256, 3);
  Choice.TileN = 160;
  Choice.TransformWarpgroups = 1;
  EXPECT_EQ(derived(Choice), "160 accumulators a thread, and its rows, need "
                             "232 registers; it has 200");
  // The window is as long as the exponents allow, since with rows in registers
  // it does not keep stages occupied.
  EXPECT_EQ(derived(registers(256, 2)), "derived");
  EXPECT_EQ(derived(registers(256, 1)), "a pipeline needs at least 2 stages");
}

/// Consumers do not have enough registers for the values of wider slabs.
TEST(PlanSplit, SlabsAreNarrow) {
  for (const char *Type : {"f16", "bf16", "f32"}) {
    const Contraction C = product("bf16", "f32", true, false, Type);
    for (const KernelPlan &P : planOf(C).Plans)
      EXPECT_EQ(P.Epilogue.SlabColumns, 32) << Type << ' ' << P.Name;
  }
  const Contraction Half = product("f16", "f16", true, false, "f16");
  EXPECT_EQ(planOf(Half).Plans.front().Epilogue.SlabColumns, 64);
}

TEST(PlanSplit, SelectorTakesSmallTilesForFewOfThem) {
  Directives D;
  D.SplitK = 1;
  PlanSet Plans = planOf(product(), D);
  auto Chosen = [&](int64_t M, int64_t N, int64_t K) {
    return Plans.Plans[selectPlan(Plans, M, N, K, 1, rt::gpu())].Name;
  };
  EXPECT_EQ(Chosen(8192, 8192, 8192), "large");
  EXPECT_EQ(Chosen(1024, 1024, 4096), "medium");
  EXPECT_EQ(Chosen(640, 768, 4096), "small");
  EXPECT_EQ(Chosen(16, 4096, 4096), "skinny_m");
  EXPECT_EQ(Chosen(4096, 16, 4096), "skinny_n");
  // In slices, larger tiles do for few of them.
  Plans = planOf(product());
  EXPECT_EQ(Chosen(8192, 8192, 8192), "large");
  EXPECT_EQ(Chosen(512, 512, 4096), "deep");
  EXPECT_EQ(Chosen(16, 4096, 4096), "deep_m");
  EXPECT_EQ(Chosen(64, 64, 64), "skinny_n");
}

/// Also with one part, if the transform writes both operands. Tiles were whole.
TEST(PlanSplit, PredictionsAreThoseMeasured) {
  const Contraction C = product();
  Directives Whole;
  Whole.SplitK = 1;
  const PlanSet Plans = planOf(C, Whole);
  auto Of = [&](const char *Plan, int64_t M, int64_t N, int64_t K, bool TF32) {
    KernelPlan P = named(Plans, Plan);
    PlanChoice Choice = P;
    Choice.Precision = TF32 ? FactorPrecision::TF32 : FactorPrecision::Float;
    EXPECT_EQ(derived(Choice, C, &P), "derived");
    return predict(P, M, N, K, 1);
  };
  struct Run {
    const char *Plan;
    int64_t M, N, K;
    double Float, TF32; ///< microseconds on an H200
  };
  for (const Run &R :
       std::initializer_list<Run>{{"large", 4096, 4096, 4096, 1170, 780},
                                  {"large", 8192, 8192, 8192, 9264, 6122},
                                  {"large", 2048, 2048, 4096, 302, 202},
                                  {"medium", 1024, 1024, 4096, 115, 83},
                                  {"medium", 1024, 1024, 1024, 33.8, 25.6},
                                  {"small", 512, 512, 4096, 87.6, 66.1},
                                  {"small", 512, 512, 512, 15.5, 12.7},
                                  {"skinny_n", 512, 512, 4096, 76.6, 57.9},
                                  {"skinny_m", 32, 8192, 4096, 74.2, 53.7}})
    for (bool TF32 : {false, true}) {
      const double Measured = TF32 ? R.TF32 : R.Float;
      EXPECT_NEAR(Of(R.Plan, R.M, R.N, R.K, TF32).Seconds * 1e6, Measured,
                  0.1 * Measured + 1)
          << R.Plan << ' ' << R.M << ' ' << R.K << ' ' << TF32;
    }
  struct RegistersRun {
    const char *Plan;
    int64_t Extent; ///< M, N and K
    double Measured;
  };
  Directives WholeTF32 = tf32();
  WholeTF32.SplitK = 1;
  const PlanSet Registers = planOf(acrossK(), WholeTF32);
  for (const auto &[Plan, Extent, Measured] :
       std::initializer_list<RegistersRun>{{"large", 4096, 385},
                                           {"large", 2048, 55.8},
                                           {"large", 1024, 31.5},
                                           {"medium", 2048, 80.4},
                                           {"medium", 1024, 23.9}})
    EXPECT_NEAR(
        predict(named(Registers, Plan), Extent, Extent, Extent, 1).Seconds *
            1e6,
        Measured, 0.1 * Measured)
        << Plan << ' ' << Extent;
  EXPECT_STREQ(Of("large", 8192, 8192, 8192, false).Bound, "transform");
  EXPECT_STREQ(Of("small", 512, 512, 512, false).Bound, "too few tiles");
}

/// And where tiles are cut, on the same card.
TEST(PlanSplit, PredictionsOfCutTilesAreThoseMeasured) {
  const PlanSet Plans = planOf(product());
  struct Run {
    int64_t M, N, K;
    double Measured; ///< microseconds on an H200
  };
  for (const Run &R : std::initializer_list<Run>{{2560, 2560, 2560, 268},
                                                 {1536, 3072, 2048, 163},
                                                 {640, 8192, 5120, 424},
                                                 {1536, 1536, 2048, 89},
                                                 {1000, 1000, 1000, 27.6},
                                                 {700, 900, 1100, 27.3}})
    EXPECT_NEAR(predict(named(Plans, "large"), R.M, R.N, R.K, 1).Seconds * 1e6,
                R.Measured, 0.15 * R.Measured)
        << R.M << ' ' << R.N << ' ' << R.K;
}

/// If both operands are float, have one part each and lie across k, the larger
/// plans round one of them in registers. Other plans do not.
TEST(PlanSplit, LargerTF32PlansHaveRowsInRegisters) {
  const PlanSet Plans = planOf(acrossK(), tf32());
  EXPECT_EQ(Plans.Plans.size(), 9u);
  EXPECT_TRUE(Plans.Notes.empty());
  for (const KernelPlan &P : Plans.Plans) {
    EXPECT_EQ(P.Feed == &registersFeed(),
              P.Family == "large" || P.Family == "medium" || P.Name == "deep")
        << P.Name;
    EXPECT_FALSE(P.Certificate.empty());
  }
  EXPECT_EQ(named(Plans, "large").TileM, 256);
  EXPECT_EQ(named(Plans, "large").RasterGroup, 8);
  EXPECT_EQ(named(Plans, "medium").TileM, 128);
  for (const PlanSet &Plans :
       {planOf(product()), planOf(product("f32", "bf16"), tf32()),
        planOf(product("f16", "f32"), tf32()), planOf(product("f16", "f16")),
        planOf(product("f32", "f32", true, true), tf32()),
        planOf(product("f32", "f32", true, false), tf32()),
        planOf(product("f32", "f32", false, true), tf32())})
    for (const KernelPlan &P : Plans.Plans)
      EXPECT_NE(P.Feed, &registersFeed());
}

TEST(PlanSplit, ClausesAndRowsInRegisters) {
  // B is the rows operand.
  Directives D = tf32();
  D.SwapAB = Directives::Toggle::On;
  const KernelPlan Swapped = named(planOf(acrossK(), D), "large");
  EXPECT_EQ(Swapped.TileN, 256);
  EXPECT_FALSE(Swapped.Rows.IsA);
  EXPECT_EQ(Swapped.Feed, &registersFeed());
  EXPECT_EQ(Swapped.clusterSize(), 1);
  // 8 CTAs cannot share swizzled boxes of 32 by 32, so the transform writes
  // both operands.
  D = tf32();
  D.Cluster = {1, 8};
  const PlanSet Shared = planOf(acrossK(), D);
  EXPECT_NE(named(Shared, "medium").Feed, &registersFeed());
  EXPECT_EQ(Shared.Notes, std::vector<std::string>{
                              "plan 'large' is not possible: a box of 32 rows "
                              "cannot be shared by 8 CTAs"});
  // The rows of a tile are rounded in registers if possible, with exchanged
  // operands if necessary.
  auto Tile = [](int64_t M, int64_t N) {
    Directives T = tf32();
    T.Tile = {M, N, 32};
    return planOf(acrossK(), T).Plans.at(0);
  };
  EXPECT_EQ(Tile(256, 128).Feed, &registersFeed());
  EXPECT_EQ(Tile(256, 128).ClusterN, 2); // which share the rows
  EXPECT_EQ(Tile(128, 128).Feed, &registersFeed());
  EXPECT_EQ(Tile(128, 256).Feed, &registersFeed());
  EXPECT_TRUE(Tile(128, 256).SwapAB);
  EXPECT_EQ(Tile(128, 256).clusterSize(), 1);
  EXPECT_EQ(Tile(128, 128).clusterSize(), 1);
  EXPECT_NE(Tile(64, 128).Feed, &registersFeed());
}

TEST(PlanSplit, SelectorOfTF32) {
  Directives D = tf32();
  D.SplitK = 1;
  const PlanSet Plans = planOf(acrossK(), D);
  auto Chosen = [&](int64_t M, int64_t N, int64_t K) {
    return Plans.Plans[selectPlan(Plans, M, N, K, 1, rt::gpu())].Name;
  };
  EXPECT_EQ(Chosen(8192, 8192, 8192), "large");
  EXPECT_EQ(Chosen(4096, 4096, 4096), "large");
  EXPECT_EQ(Chosen(2048, 2048, 2048), "large");
  EXPECT_EQ(Chosen(1024, 1024, 1024), "medium_96");
  EXPECT_EQ(Chosen(1024, 1024, 4096), "medium_96");
  EXPECT_EQ(Chosen(512, 512, 4096), "skinny_n");
  EXPECT_EQ(Chosen(16, 4096, 4096), "skinny_m");
}

/// If a warp has several blocks of each stage, it rewrites them one after
/// another.
TEST(PlanSplit, CostCountsTheBlocksOfAWarp) {
  auto Clocks = [](PlanChoice Choice, int64_t Warpgroups) {
    Choice.TransformWarpgroups = Warpgroups;
    KernelPlan P;
    EXPECT_EQ(derived(Choice, product(), &P), "derived");
    return P.Cost.ClocksPerKBlock;
  };
  EXPECT_EQ(Clocks(tile(128, 128, 4, 2), 2), 330 + 8 * 170);
  EXPECT_EQ(Clocks(tile(128, 128, 4, 2), 1), 2 * (330 + 4 * 170));
  EXPECT_EQ(Clocks(tile(128, 160, 4, 2), 1), 3 * (330 + 4 * 170));
  EXPECT_EQ(Clocks(tile(64, 64, 4, 1), 1), 330 + 4 * 170);
}

/// These plans are bound by the time in which consumers round their rows, or by
/// the transform of the columns.
TEST(PlanSplit, CostOfRowsInRegisters) {
  auto Of = [](const PlanChoice &Choice) {
    KernelPlan P;
    EXPECT_EQ(derived(Choice, product(), &P), "derived");
    return P;
  };
  EXPECT_EQ(Of(registers(256, 4)).Cost.ClocksPerKBlock, 8 * 64 + 2 * 320);
  EXPECT_EQ(Of(registers(256, 4)).Cost.BytesPerKBlock, 49152);
  PlanChoice Pair = registers(256, 4); // sharing the rows
  Pair.ClusterN = 2;
  EXPECT_EQ(Of(Pair).Cost.ClocksPerKBlock, 1221); // 1.06 of that
  EXPECT_EQ(Of(Pair).Cost.BytesPerKBlock, 32768);
  EXPECT_EQ(Of(registers(128, 6)).Cost.ClocksPerKBlock, 330 + 4 * 95 + 4 * 22);
  auto Bound = [&](const PlanChoice &Choice) {
    return predict(Of(Choice), 8192, 8192, 8192, 1).Bound;
  };
  EXPECT_STREQ(Bound(registers(256, 4)), "rounding");
  EXPECT_STREQ(Bound(registers(128, 6)), "transform");
}

TEST(PlanSplit, ProductsOfRowsInRegisters) {
  KernelPlan P;
  ASSERT_EQ(derived(registers(256, 4), product(), &P), "derived");
  EXPECT_EQ(
      P.Feed->describeProducts(P),
      "A (f32) as one fp16 part of scaled elements, 11 bits, rounded in "
      "registers, B (f32) as one fp16 part of scaled elements, 11 bits; 1 "
      "tensor-core product of parts for one, added to float sums when a "
      "scale changes, after 8192 of k at the latest; blocks that parts "
      "cannot represent are multiplied in float");
}

TEST(PlanSplit, JSONOfRowsInRegisters) {
  PlanSet Plans;
  Plans.Plans.emplace_back();
  ASSERT_EQ(derived(registers(256, 4), product(), &Plans.Plans[0]), "derived");
  const json::Value Text = toJSON(Plans);
  const json::Object &P =
      *(*Text.getAsObject()->getArray("plans"))[0].getAsObject();
  EXPECT_EQ(P.getBoolean("rows_in_registers"), true);
  EXPECT_EQ(P.getObject("transform")->getString("k_slots"), "(4,2,2):(2,1,8)");
  const json::Object &Rows = *P.getObject("rows"),
                     &Cols = *P.getObject("columns");
  EXPECT_EQ(Rows.getObject("parts")->getBoolean("in_registers"), true);
  EXPECT_EQ(Cols.getObject("parts")->getBoolean("in_registers"), false);
  for (const char *Member : {"raw", "descriptor"}) {
    EXPECT_EQ(Rows.get(Member), nullptr);
    EXPECT_NE(Cols.get(Member), nullptr);
  }
}

TEST(PlanSplit, JSONRoundTrips) {
  for (auto [A, B] : {std::pair("f32", "f32"),
                      {"f32", "bf16"},
                      {"f16", "f32"},
                      {"bf16", "f16"}}) {
    const Contraction C = product(A, B);
    for (bool TF32 : {false, true}) {
      Directives D;
      if (TF32 && (StringRef(A) == "f32" || StringRef(B) == "f32"))
        D.Precision = Directives::PrecisionKind::TF32;
      const std::string Text = formatv("{0:2}", toJSON(planOf(C, D)));
      Expected<PlanSet> Back = planSetFromJSON(Text, C);
      ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
      EXPECT_EQ(formatv("{0:2}", toJSON(*Back)).str(), Text);
    }
  }
}

TEST(PlanSplit, JSONDecisionsAreEnough) {
  Expected<PlanSet> Plans = planSetFromJSON(
      R"({"plans": [{"tile": [128, 128, 32], "stages": 6,
                     "precision": "tf32", "transform": {"window": 4}}]})",
      product());
  ASSERT_TRUE(bool(Plans)) << toString(Plans.takeError());
  const KernelPlan &P = Plans->Plans[0];
  EXPECT_EQ(P.Rows.Parts, 1);
  EXPECT_EQ(P.Split.Window, 4);
  EXPECT_EQ(P.Split.Warpgroups, 2);
}

TEST(PlanSplit, JSONRefusesWrongPlans) {
  auto Refuse = [](StringRef Members, const Contraction &C = product(),
                   int TileK = 32) {
    Expected<PlanSet> P = planSetFromJSON(
        formatv(R"({{"plans": [{{"tile": [128, 128, {1}], "stages": 6, {0}}]})",
                Members, TileK)
            .str(),
        C);
    return P ? "accepted" : toString(P.takeError());
  };
  EXPECT_EQ(Refuse(R"("precision": "double")"),
            "plan 0: 'precision' is neither float nor tf32");
  EXPECT_EQ(Refuse(R"("precision": "tf32")", product("f16", "bf16")),
            "plan 0: no operand is float, so none can be rounded as for TF32");
  EXPECT_EQ(Refuse(R"("rows_in_registers": 1)"),
            "plan 0: 'rows_in_registers' is not true or false");
  EXPECT_EQ(Refuse(R"("rows_in_registers": true)"),
            "plan 0: rows are rounded in registers where both operands are "
            "float and rounded as for TF32");
  EXPECT_EQ(Refuse(R"("rows_in_registers": false)"),
            "plan 0: unknown member 'rows_in_registers'");
  EXPECT_EQ(Refuse(R"("precision": "tf32", "rows_in_registers": true,
                      "rows": {"raw": {"swizzle": "none"}})"),
            "plan 0: rows: unknown member 'raw'");
  EXPECT_EQ(Refuse(R"("precision": "tf32", "rows_in_registers": true,
                      "columns": {"parts": {"in_registers": true}})"),
            "plan 0: columns: parts: 'in_registers' is true, but what follows "
            "from the kernel and the other members is false");
  EXPECT_EQ(Refuse(R"("precision": "tf32", "rows_in_registers": true,
                      "transform": {"k_slots": 16})"),
            "plan 0: transform: 'k_slots' is not a string");
  EXPECT_EQ(Refuse(R"("precision": "tf32", "rows_in_registers": false,
                      "transform": {"k_slots": "16:1"})"),
            "plan 0: transform: unknown member 'k_slots'");
  EXPECT_EQ(Refuse(R"("transform_warpgroups": -1)"),
            "plan 0: 'transform_warpgroups' is out of range: -1 is not between "
            "0 and 4096");
  EXPECT_EQ(Refuse(R"("transform": {"windows": 2})"),
            "plan 0: transform: unknown member 'windows'");
  EXPECT_EQ(Refuse(R"("rows": {"parts": {"count": 1}})"),
            "plan 0: rows: parts: 'count' is 1, but what follows from the "
            "kernel and the other members is 2");
  EXPECT_EQ(Refuse(R"("rows": {"raw": {"swizzle": "64"}})"),
            "plan 0: rows: raw: 'swizzle' is not none, 32b, 64b or 128b");
  // Kernels whose operands go to the tensor cores unchanged have no transform.
  const Contraction Half = product("f16", "f16");
  EXPECT_EQ(Refuse(R"("transform": {})", Half, 64),
            "plan 0: unknown member 'transform'");
}

} // namespace
