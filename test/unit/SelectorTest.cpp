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
  std::string operator()(int64_t M, int64_t N, int64_t K) const {
    if (Plans.Plans.empty())
      return "none";
    return Plans.Plans[selectPlan(Plans, M, N, K, 1, rt::gpu())].Name;
  }

private:
  PlanSet Plans;
};

// Measured, medium_160 and pingpong: 30 and 33 us at each of the first two
// shapes, 73 and 81 us at the third one. At 2048^3, with B across k, 33 and 25.
TEST(SelectorShapes, TilesBetweenRoundNumbers) {
  const Choices Chosen(contractionOf('N', 'T', "bf16", {"bf16", "bf16"}));
  EXPECT_EQ(Chosen(1152, 4608, 1920), "medium_160");
  EXPECT_EQ(Chosen(1536, 3072, 2048), "medium_160");
  EXPECT_EQ(Chosen(640, 8192, 5120), "medium_160");
  EXPECT_EQ(Chosen(2048, 2048, 2048), "pingpong");
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
