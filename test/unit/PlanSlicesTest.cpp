//===- PlanSlicesTest.cpp - Plans in slices of k --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

Contraction product(const char *M = "M", const char *N = "N",
                    const char *FactorOfA = "") {
  Expected<Contraction> C = parseContraction(
      formatv("contraction \"gemm\" {{\n"
              "  index %b < 1\n  index %m < {0}\n  index %n < {1}\n"
              "  index %k < K\n"
              "  operand A = A[%m * K + %k]:bf16{2}\n"
              "  operand B = B[%n * K + %k]:bf16\n"
              "  accumulate f32\n"
              "  output C[%m * N + %n]:bf16 = bf16(acc)\n"
              "  offsets i32\n}\n",
              M, N, FactorOfA)
          .str());
  if (!C)
    report_fatal_error(C.takeError());
  return *C;
}

PlanSet planOf(const Contraction &C, const Directives &D) {
  auto Result = planContraction(C, D);
  if (auto *No = std::get_if<Decline>(&Result)) {
    ADD_FAILURE() << No->Message;
    return {};
  }
  return std::get<PlanSet>(Result);
}

int64_t countSliced(const PlanSet &Plans) {
  return llvm::count_if(Plans.Plans,
                        [](const KernelPlan &P) { return P.Slices != 1; });
}

/// Few tiles and long sums are cut, but not where tiles fill the card, or
/// device memory bounds whole sums already.
TEST(PlanSlices, AreTakenWhereTilesAreFew) {
  const PlanSet Plans = planOf(product(), {});
  EXPECT_EQ(countSliced(Plans), 5);
  auto IsCut = [&](int64_t M, int64_t N, int64_t K) {
    return Plans.Plans[selectPlan(Plans, M, N, K, 1, rt::gpu())].Slices != 1;
  };
  EXPECT_TRUE(IsCut(256, 256, 65536));
  EXPECT_TRUE(IsCut(64, 1024, 16384));
  EXPECT_FALSE(IsCut(16, 4096, 14336));
  EXPECT_FALSE(IsCut(1024, 1024, 1024));
  EXPECT_FALSE(IsCut(256, 256, 64));
}

TEST(PlanSlices, AreAsTheClauseSays) {
  Directives D;
  D.SplitK = 1;
  EXPECT_EQ(countSliced(planOf(product(), D)), 0);
  D.SplitK = 4;
  const PlanSet Four = planOf(product(), D);
  EXPECT_FALSE(Four.Plans.empty());
  for (const KernelPlan &P : Four.Plans) {
    EXPECT_EQ(P.Slices, 4) << P.Name;
    EXPECT_EQ(P.Epilogue.Type, ScalarType::F32) << P.Name;
    EXPECT_EQ(P.Output, &stagedStore()) << P.Name;
  }
  D = {};
  D.BatchInvariant = true; // slices depend on the number of tiles
  EXPECT_EQ(countSliced(planOf(product(), D)), 0);
  // Cut tiles do, too, and are slices of their own.
  auto AllWhole = [](const PlanSet &Plans) {
    return llvm::all_of(Plans.Plans,
                        [](const KernelPlan &P) { return P.WholeTiles; });
  };
  EXPECT_TRUE(AllWhole(planOf(product(), D)));
  EXPECT_FALSE(AllWhole(planOf(product(), {})));
  D = {};
  D.SplitK = 1;
  EXPECT_TRUE(AllWhole(planOf(product(), D)));
}

TEST(PlanSlices, AreNotKeptWhereExtentsSayThatTheyHaveNoUse) {
  EXPECT_EQ(countSliced(planOf(product("4096", "4096"), {})), 0);
  EXPECT_EQ(countSliced(planOf(product("256", "256"), {})), 5);
}

/// Where the transform loads scales too, slices would spill.
TEST(PlanSlices, AreNotTakenWhereTheTransformLoads) {
  const char *Doubled = " as (2.0f:f32 * f32(A[%m * K + %k]:bf16))";
  EXPECT_EQ(countSliced(planOf(product("M", "N", Doubled), {})), 2);
  const char *Scaled = " as (s[%k]:f32 * f32(A[%m * K + %k]:bf16))";
  EXPECT_EQ(countSliced(planOf(product("M", "N", Scaled), {})), 0);
}

} // namespace
