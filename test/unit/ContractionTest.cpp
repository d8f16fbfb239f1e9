//===-- ContractionTest.cpp -------------------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace warpwright;

namespace {

IntExpr P(llvm::StringRef Name) { return IntExpr::param(Name); }
IntExpr I(llvm::StringRef Name) { return IntExpr::index(Name); }

TEST(IntExprTest, NormalisesPolynomials) {
  IntExpr E = (P("a") + 2) * (P("a") - 2);
  EXPECT_EQ(E.str(), "a * a - 4");
  EXPECT_EQ(E - P("a") * P("a"), IntExpr(-4));
  EXPECT_TRUE((E - E).isZero());
}

TEST(IntExprTest, IndexAndParameterOfTheSameNameDiffer) {
  IntExpr E = I("m") * P("m") + I("n");
  EXPECT_EQ(E.str(), "%m * m + %n");
  EXPECT_EQ(E.coefficient("%m")->str(), "m");
  EXPECT_EQ(E.coefficient("m")->str(), "%m");
}

TEST(IntExprTest, CoefficientRefusesWhatIsNotAffine) {
  EXPECT_FALSE((I("m") * I("m")).coefficient("%m"));
  EXPECT_FALSE(IntExpr::mod(I("m"), P("N")).coefficient("%m"));
  EXPECT_TRUE(P("N").coefficient("%m")->isZero());
}

TEST(IntExprTest, DivisionSplitsOffMultiples) {
  IntExpr N = P("N");
  IntExpr Id = I("m") * N + I("n");
  EXPECT_EQ(IntExpr::floorDiv(Id, N).str(), "%m + floordiv(%n, N)");
  EXPECT_EQ(IntExpr::mod(Id, N).str(), "mod(%n, N)");
  EXPECT_EQ(IntExpr::floorDiv(-7, 2), IntExpr(-4));
  EXPECT_EQ(IntExpr::mod(-7, 2), IntExpr(1));
}

TEST(IntExprTest, SubstitutesInsideCompositeAtoms) {
  IntExpr E = IntExpr::floorDiv(P("id"), P("N")) * 3 + P("id");
  EXPECT_EQ(E.substitute("id", P("N") * P("q")).str(), "N * q + 3 * q");
}

TEST(IntExprTest, MinAndMaxFoldWhenTheDifferenceIsKnown) {
  EXPECT_EQ(IntExpr::min(P("N"), P("N") + 1), P("N"));
  EXPECT_EQ(IntExpr::max(P("N"), P("N") + 1), P("N") + 1);
  EXPECT_EQ(IntExpr::min(P("b"), P("a")), IntExpr::min(P("a"), P("b")));
}

TEST(IntExprTest, OverflowProvesNothing) {
  IntExpr Huge = INT64_MAX;
  IntExpr E = Huge * 2;
  EXPECT_TRUE(E.overflowed());
  EXPECT_FALSE(E == E);
  EXPECT_FALSE(E.getConstant());
}

TEST(BoolExprTest, NegationReachesTheLeaves) {
  auto A = BoolExpr::compare(CmpOp::LT, P("a"), P("b"));
  auto B = BoolExpr::nonNull("p");
  EXPECT_EQ(BoolExpr::negation(BoolExpr::conjunction(A, B)).str(),
            "a >= b || !(nonnull(p))");
  EXPECT_TRUE(BoolExpr::compare(CmpOp::LT, P("a"), P("a") + 1).isTrue());
}

TEST(BoolExprTest, FloatComparisonIsNotInverted) {
  // !(x < y) is not x >= y when one of them is NaN.
  auto X = Value::param(ScalarType::F32, "x");
  auto C = BoolExpr::floatCompare(CmpOp::LT, X, X);
  EXPECT_EQ(BoolExpr::negation(C).str(), "!(fcmp(x:f32 < x:f32))");
}

TEST(ValueTest, CastFoldsOnlyWhatChangesNothing) {
  auto B = Value::load(ScalarType::BF16, "p", I("n"));
  auto F = Value::cast(ScalarType::F32, B);
  EXPECT_EQ(Value::cast(ScalarType::BF16, F), B);
  auto Acc = Value::acc();
  auto Rounded =
      Value::cast(ScalarType::F32, Value::cast(ScalarType::BF16, Acc));
  EXPECT_EQ(Rounded->str(), "f32(bf16(acc))");
}

const char *Full = R"(contraction "gemm" {
  index %b < gridDim.z
  index %m < min(M, blockDim.y * gridDim.y)
  index %n < N
  index %k < K - 1
  operand A = A[%b * M * lda + %m * lda + %k + 1]:bf16
  operand B = p.b[%k * N + %n]:f16
  accumulate f32 for f16
  output C[%m * N + %n]:bf16 = bf16(select(nonnull(bias), (call.f32 "ns::act<2>"((acc * alpha:f32), 0.5f:f32) + f32(bias[%n]:bf16)), fma(acc, acc, int.f32(%m + 1))))
  output D[%m]:f32 = select(fcmp(acc > 0.0f:f32) && (M < 3 || N != 2), -(acc), acc)
  require blockDim.x == 16 : "the block is not 16 wide"
  exchanged
  offsets i32
  restrict A, p.b
}
)";

std::string print(const Contraction &C) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  C.print(OS);
  return S;
}

TEST(ContractionTest, TextRoundTrips) {
  auto C = parseContraction(Full);
  ASSERT_TRUE(static_cast<bool>(C)) << llvm::toString(C.takeError());
  EXPECT_EQ(print(*C), Full);
  EXPECT_EQ(C->A.stride("m").str(), "lda");
  EXPECT_EQ(C->A.stride("k").str(), "1");
  EXPECT_EQ(C->A.base().str(), "1");
  EXPECT_EQ(C->B.Pointer, "p.b");
  EXPECT_EQ(C->OriginalAccType, ScalarType::F16);
  EXPECT_TRUE(C->RolesExchanged);
  EXPECT_EQ(C->IndexBits, 32u);
}

TEST(ContractionTest, ErrorsNameThePlace) {
  std::string Broken = Full;
  Broken.replace(Broken.find("f16\n"), 3, "f17");
  auto C = parseContraction(Broken);
  ASSERT_FALSE(static_cast<bool>(C));
  EXPECT_EQ(llvm::toString(C.takeError()), "6:51: expected a type");
}

TEST(ContractionTest, EveryPrefixIsRefusedWithoutCrashing) {
  llvm::StringRef Text(Full);
  for (size_t Size = 0; Size + 2 < Text.size(); ++Size) {
    auto C = parseContraction(Text.take_front(Size));
    EXPECT_FALSE(static_cast<bool>(C)) << Size;
    llvm::consumeError(C.takeError());
  }
}

TEST(ContractionTest, DeepNestingIsAnErrorNotACrash) {
  std::string Text =
      "contraction \"x\" {\n index %b < " + std::string(100000, '(') + "1";
  auto C = parseContraction(Text);
  ASSERT_FALSE(static_cast<bool>(C));
  EXPECT_NE(llvm::toString(C.takeError()).find("nested too deep"),
            std::string::npos);
}

} // namespace
