//===- SelectorTest.cpp - Plans that measured best at further shapes ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

/// The plan that the selector takes for a product of m by n by k on an H200.
class Choices {
public:
  explicit Choices(const Contraction &C, const Directives &D = {}) {
    auto Result = planContraction(C, D);
    if (auto *No = std::get_if<Decline>(&Result))
      ADD_FAILURE() << No->Message;
    else
      Plans = std::get<PlanSet>(std::move(Result));
  }
  std::string operator()(int64_t M, int64_t N, int64_t K,
                         rt::row_starts Starts = {}) const {
    if (Plans.Plans.empty())
      return "none";
    return Plans.Plans[selectPlan(Plans, M, N, K, 1, rt::gpu(), Starts)].Name;
  }

private:
  PlanSet Plans;
};

// Measured, medium_160 and pingpong: 30 and 33 us at each of the first two
// shapes. At the third one medium_m, 73 us, and medium_160, 83. At 2048^3,
// medium_160 and pingpong, 33 and 25.
TEST(SelectorShapes, TilesBetweenRoundNumbers) {
  const Choices Chosen(contractionOf('N', 'T', "bf16", {"bf16", "bf16"}));
  EXPECT_EQ(Chosen(1152, 4608, 1920), "medium_160");
  EXPECT_EQ(Chosen(1536, 3072, 2048), "medium_160");
  EXPECT_EQ(Chosen(640, 8192, 5120), "medium_m");
  EXPECT_EQ(Chosen(2048, 2048, 2048), "pingpong");
}

// Measured where rows start at multiples of 16 bytes: pingpong_96 25.4 us and
// pingpong 36.7; and where half of them start with a cache line, pingpong_pair
// 40.1 and wide 49.4.
TEST(SelectorShapes, RowsThatStartInsideCacheLines) {
  const Choices Chosen(contractionOf('N', 'T', "bf16", {"bf16", "bf16"}));
  EXPECT_EQ(Chosen(1096, 1096, 5000, {16, 16}), "pingpong_96");
  EXPECT_NE(Chosen(1096, 1096, 5000), "pingpong_96");
  EXPECT_EQ(Chosen(5856, 3272, 608, {64, 64}), "pingpong_pair");
  const rt::row_starts Starts = {64, 16};
  const rt::coefficients Of;
  EXPECT_EQ(Starts.drawn(2000, 800, Of), 800 * 1.9 + 1200 * 2.575);
  EXPECT_EQ(rt::row_starts().drawn(2000, 800, Of), 2000);
}

// bfloat16, measured in the order of the expectations: deep_four 51.2 us and
// pingpong_96 84.9; small_four 17.8 and pingpong_96 21.0; small_64 10.8 and
// small 13.3; small_64_four 9.9 and small_64 12.4; deep_192 31.5 and deep 46.9.
TEST(SelectorShapes, SlicesInClustersAndSmallTiles) {
  const Choices NN(contractionOf('N', 'N', "bf16", {"bf16", "bf16"}));
  EXPECT_EQ(NN(736, 1256, 15800, {16, 16}), "deep_four");
  const Choices NT(contractionOf('N', 'T', "bf16", {"bf16", "bf16"}));
  EXPECT_EQ(NT(696, 800, 4328, {16, 16}), "small_four");
  const Choices TN(contractionOf('T', 'N', "bf16", {"bf16", "bf16"}));
  EXPECT_EQ(TN(64, 4096, 4096), "small_64");
  EXPECT_EQ(TN(616, 400, 3040, {16, 32}), "small_64_four");
  EXPECT_EQ(TN(928, 192, 39656, {64, 128}), "deep_192");
}

// fp8, measured: large 67 us and 128x128 90; wide 19.4 and 128x128 28.2.
TEST(SelectorShapes, ThreeConsumersOfPromotedSums) {
  const Choices Chosen(contractionOf('N', 'T', "bf16", {"e4m3", "e4m3"}));
  EXPECT_EQ(Chosen(4656, 3216, 2608, {16, 16}), "large");
  EXPECT_EQ(Chosen(1792, 1536, 3968), "wide");
  // small_four 9.3 us, small 11.3; small_m 5.9 and medium 6.5
  EXPECT_EQ(Chosen(720, 1040, 2896, {16, 16}), "small_four");
  EXPECT_EQ(Chosen(1552, 688, 1088, {64, 64}), "small_m");
}

// TF32 with one operand across k, measured: medium_160 147 us and wide 177;
// medium_96 13.8 and small 18.7; and with both of them across k: medium_96 41.9
// and deep 50.1, wide_m 28.0 and large 30.0.
TEST(SelectorShapes, TilesOfTF32BetweenRoundNumbers) {
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  const Choices TT(contractionOf('T', 'T', "f32", {"f32", "f32"}), D);
  EXPECT_EQ(TT(640, 8192, 5120), "medium_160");
  const Choices NN(contractionOf('N', 'N', "f32", {"f32", "f32"}), D);
  EXPECT_EQ(NN(3024, 328, 944, {64, 32}), "medium_96");
  const Choices TN(contractionOf('T', 'N', "f32", {"f32", "f32"}), D);
  EXPECT_EQ(TN(1328, 552, 3256, {64, 32}), "medium_96");
  EXPECT_EQ(TN(976, 2984, 736, {64, 32}), "wide_m");
}

// Clusters of four and of eight leave 12 multiprocessors of an H200 over.
TEST(SelectorShapes, ClustersThatTheDeviceHolds) {
  rt::choice C;
  EXPECT_EQ(rt::clusters_at_once(C, rt::gpu()), 132);
  C.cluster_m = 2;
  EXPECT_EQ(rt::clusters_at_once(C, rt::gpu()), 66);
  C.cluster_n = 2;
  EXPECT_EQ(rt::clusters_at_once(C, rt::gpu()), 30);
  C.cluster_m = 4;
  EXPECT_EQ(rt::clusters_at_once(C, rt::gpu()), 15);
}

// Doubles, medium_96 and medium: 54 and 73 us, 59 and 42.
TEST(SelectorShapes, TilesOfDoublesBetweenRoundNumbers) {
  const Choices Chosen(cantFail(parseContraction(R"(contraction "dgemm" {
  index %b < 1
  index %m < M
  index %n < N
  index %k < K
  operand A = A[%m * K + %k]:f64
  operand B = B[%k * N + %n]:f64
  accumulate f64
  output C[%m * N + %n]:f64 = acc
  offsets i32
})")));
  EXPECT_EQ(Chosen(300, 4000, 900), "medium_96");
  EXPECT_EQ(Chosen(1000, 1000, 1000), "medium");
}

// TF32 with both operands across k, large and medium: cut along k 78 and 89 us
// (whole 107 and 100), whole 56 and 68, 397 and 504. A pair of CTAs is no
// faster than two alone.
TEST(SelectorShapes, PairsWithRowsInRegistersWaitLikeOthers) {
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  const Choices Chosen(contractionOf('T', 'N', "f32", {"f32", "f32"}), D);
  EXPECT_EQ(Chosen(1536, 3072, 2048), "large");
  EXPECT_EQ(Chosen(2048, 2048, 2048), "large");
  EXPECT_EQ(Chosen(4096, 4096, 4096), "large");
}

} // namespace
