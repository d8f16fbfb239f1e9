//===- PlanProductsTest.cpp - Several sums of several products ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Validator.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

std::string product(StringRef A, StringRef B, StringRef Type) {
  return formatv("operand A = {0}[%m * K + %k]:{2}\n"
                 "operand B = {1}[%n * K + %k]:{2}\n",
                 A, B, Type);
}

/// (Ar + i Ai) (Br - i Bi), with the products of its imaginary part in the
/// order in which those of both parts share their second factors.
Contraction complexProduct(StringRef Type) {
  const std::string Text =
      "contraction \"complex\" {\nindex %b < 1\nindex %m < M\nindex %n < N\n"
      "index %k < K\n" +
      product("Ar", "Br", Type) + "plus\n" + product("Ai", "Bi", Type) +
      "accumulate f32\nsum acc1\nindex %k < K\n" + product("Ai", "Br", Type) +
      "minus\n" + product("Ar", "Bi", Type) +
      "accumulate f32\noutput C[%m * N + %n]:f32 = acc\n"
      "output D[%m * N + %n]:f32 = acc1\noffsets i64\n}\n";
  Expected<Contraction> C = parseContraction(Text);
  if (!C)
    report_fatal_error(C.takeError());
  return *C;
}

TEST(PlanProducts, AreArrangedByTheFactorThatTheyShare) {
  Contraction C = complexProduct("bf16");
  for (bool Arranged : {false, true}) {
    if (Arranged)
      arrangeProducts(C);
    EXPECT_EQ(C.sum(1).Products[0].A.Pointer, Arranged ? "Ar" : "Ai");
    EXPECT_EQ(C.sum(1).Products[0].Subtracted, Arranged);
    EXPECT_EQ(C.sum(1).Products[1].A.Pointer, Arranged ? "Ai" : "Ar");
    EXPECT_EQ(C.sum(1).Products[1].Subtracted, !Arranged);
    auto Result = planContraction(C, {});
    ASSERT_TRUE(std::holds_alternative<PlanSet>(Result));
    for (const KernelPlan &P : std::get<PlanSet>(Result).Plans)
      EXPECT_EQ(P.SwapAB, !Arranged) << P.Name;
  }
}

TEST(PlanProducts, OfSumsChangeSigns) {
  for (const char *Type : {"bf16", "f32"})
    for (bool Rounded : {false, true}) {
      if (Rounded && StringRef(Type) != "f32")
        continue;
      Directives D;
      if (Rounded)
        D.Precision = Directives::PrecisionKind::TF32;
      Contraction C = complexProduct(Type);
      arrangeProducts(C);
      auto Result = planContraction(C, D);
      ASSERT_TRUE(std::holds_alternative<PlanSet>(Result));
      for (const KernelPlan &P : std::get<PlanSet>(Result).Plans) {
        EXPECT_EQ(P.Sums, 2) << P.Name;
        EXPECT_EQ(P.Products, 2) << P.Name;
        EXPECT_EQ(P.Subtracted, 4u) << P.Name;
        EXPECT_EQ(P.stretches(), 2) << P.Name;
        EXPECT_EQ(P.InstructionN, 2 * P.tileColumns()) << P.Name;
        // There is no fifth product.
        KernelPlan Other = P;
        Other.Subtracted = 16;
        EXPECT_TRUE(std::holds_alternative<Diagnosis>(validatePlan(Other)));
      }
    }
}

/// Gates of a recurrent cell: each sums products over K and over H.
TEST(PlanProducts, MayHaveRangesOfTheirOwn) {
  Contraction C = complexProduct("bf16");
  Accumulation First = C.sum(0), Second = C.sum(1);
  First.Products[1].KExtent = IntExpr::param("H");
  C.setSum(0, First);
  // The products of the second sum are in another order.
  Second.KExtent = IntExpr::param("H");
  Second.Products[1].KExtent = IntExpr::param("K");
  C.setSum(1, Second);
  arrangeProducts(C);
  EXPECT_EQ(C.sum(1).KExtent, C.KExtent);
  EXPECT_EQ(C.sum(1).Products[1].KExtent, IntExpr::param("H"));
  auto Result = planContraction(C, {});
  ASSERT_TRUE(std::holds_alternative<PlanSet>(Result));
  for (const KernelPlan &P : std::get<PlanSet>(Result).Plans) {
    EXPECT_TRUE(P.OwnRanges) << P.Name;
    EXPECT_EQ(P.Slices, 1) << P.Name;
    EXPECT_FALSE(runtimeChoice(P).cuts_tiles()) << P.Name;
    // One product has the range of its sum.
    KernelPlan Other = P;
    Other.Products = 1, Other.Subtracted = 0;
    EXPECT_TRUE(std::holds_alternative<Diagnosis>(validatePlan(Other)));
  }
  // Of another range than its neighbour in the other sum.
  Second = C.sum(1);
  Second.Products[1].KExtent.reset();
  C.setSum(1, Second);
  Result = planContraction(C, {});
  ASSERT_TRUE(std::holds_alternative<Decline>(Result));
  EXPECT_EQ(std::get<Decline>(Result).Message,
            "it computes 2 sums, and a plan computes several only over the "
            "same range of k, not over H and K; a kernel for each sum is "
            "rewritten");
}

/// A layer with an adapter: alpha times a product, and then another one.
Contraction adaptedLayer(StringRef Type) {
  const std::string Text =
      "contraction \"adapted\" {\nindex %b < 1\nindex %m < M\nindex %n < N\n"
      "index %k < R\n" +
      product("U", "V", Type) + "times alpha:f32\nplus over %k < K\n" +
      product("X", "W", Type) +
      "accumulate f32\noutput C[%m * N + %n]:f32 = acc\noffsets i64\n}\n";
  Expected<Contraction> C = parseContraction(Text);
  if (!C)
    report_fatal_error(C.takeError());
  return *C;
}

TEST(PlanProducts, MayBeMultipliedWithANumber) {
  for (const char *Type : {"bf16", "f32"}) {
    auto Result = planContraction(adaptedLayer(Type), {});
    ASSERT_TRUE(std::holds_alternative<PlanSet>(Result));
    for (const KernelPlan &P : std::get<PlanSet>(Result).Plans) {
      EXPECT_EQ(P.ScaledProducts, 1) << P.Name;
      EXPECT_EQ(P.stretches(), 2) << P.Name;
      EXPECT_EQ(P.Slices, 1) << P.Name;
      // Some product is multiplied with no number.
      KernelPlan Other = P;
      Other.ScaledProducts = 2;
      EXPECT_TRUE(std::holds_alternative<Diagnosis>(validatePlan(Other)));
    }
  }
}

TEST(PlanProducts, OfWhichAllHaveANumberAreDeclined) {
  Contraction C = adaptedLayer("bf16");
  Accumulation Sum = C.sum(0);
  Sum.Products.pop_back();
  C.setSum(0, Sum);
  auto Result = planContraction(C, {});
  ASSERT_TRUE(std::holds_alternative<Decline>(Result));
  EXPECT_EQ(std::get<Decline>(Result).ID, DiagID::SeveralSums);
}

TEST(PlanProducts, OfTwoNumbersAreDeclined) {
  Contraction C = adaptedLayer("bf16");
  Accumulation Sum = C.sum(0);
  Sum.Products.push_back(Sum.Products[1]);
  Sum.Products[1].Scale = warpwright::Value::param(ScalarType::F32, "beta");
  C.setSum(0, Sum);
  auto Result = planContraction(C, {});
  ASSERT_TRUE(std::holds_alternative<Decline>(Result));
  EXPECT_EQ(std::get<Decline>(Result).ID, DiagID::SeveralSums);
  EXPECT_EQ(std::get<Decline>(Result).Message,
            "products of its sum are multiplied with numbers, and a plan does "
            "that with one number; a kernel for some of them, and one that "
            "adds the others to its output, are rewritten");
}

TEST(PlanProducts, ThatShareNothingAreDeclined) {
  Contraction C = complexProduct("bf16");
  Accumulation Second = C.sum(1);
  Second.Products[0].A.Pointer = "D";
  Second.Products[0].B.Pointer = "E";
  C.setSum(1, Second);
  arrangeProducts(C);
  auto Result = planContraction(C, {});
  ASSERT_TRUE(std::holds_alternative<Decline>(Result));
  EXPECT_EQ(std::get<Decline>(Result).Message,
            "it computes 2 sums, and a plan computes several only where all "
            "have the first factors of their products in common, or the second "
            "ones; a kernel for each sum is rewritten");
}

} // namespace
