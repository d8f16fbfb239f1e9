//===-- ExecuteLaunchTest.cpp - Launches drawn for a contraction ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute/Launches.h"
#include "ExecuteTestSupport.h"
#include "llvm/IR/Function.h"
#include "gtest/gtest.h"

using namespace warpwright;
using namespace warpwright::execute;

namespace {

const char *const Declared =
    "define ptx_kernel void @k(ptr %A, ptr %B, ptr %C, ptr %R, i32 %M, i32 %N, "
    "i32 %K, i32 %lda, i64 %big, float %alpha) {\n  ret void\n}\n";

std::string contraction(const std::string &Requirements,
                        const std::string &Value = "acc",
                        const std::string &Extents = "") {
  return R"(contraction "k" {
  index %b < 1
)" +
         (Extents.empty()
              ? std::string(R"(  index %m < min(M, blockDim.y * gridDim.y)
  index %n < min(N, blockDim.x * gridDim.x)
  index %k < K
)")
              : Extents) +
         R"(  operand A = A[%m * lda + %k]:f32
  operand B = B[%k * N + %n]:f32
  accumulate f32
  output C[%m * N + %n]:f32 = )" +
         Value + "\n" + Requirements + "  offsets i32\n}";
}

/// Everything that a test needs of one contraction.
struct Setting {
  TestModule M;
  KernelIR Kernel;
  Contraction C;
  std::unique_ptr<Problem> P;

  explicit Setting(const std::string &Text)
      : M(Declared), Kernel(M.kernel("k")) {
    auto Parsed = parseContraction(Text);
    if (!Parsed) {
      ADD_FAILURE() << llvm::toString(Parsed.takeError());
      return;
    }
    C = *Parsed;
    P = std::make_unique<Problem>(C);
    for (const ParamLeaf &Leaf : Kernel.Params)
      P->Names.id(Leaf.Path);
  }

  Environment environment(const PlannedLaunch &L) const {
    Environment Env;
    Env.Ints = L.Ints;
    Env.Ints.resize(P->Names.size());
    Env.Scalars = L.Scalars;
    uint64_t Next = uint64_t(1) << 20;
    for (const ParamLeaf &Leaf : Kernel.Params)
      if (Leaf.IsPointer) {
        ArrayValue &V = Env.Arrays[Leaf.Path];
        V.Null = L.Null.contains(Leaf.Path);
        V.Address = V.Null ? 0 : Next;
        Next += uint64_t(1) << 40;
      }
    return Env;
  }
  int64_t value(const PlannedLaunch &L, llvm::StringRef Name) const {
    return L.Ints[*P->Names.find(Name)];
  }
};

TEST(ExecuteLaunch, RequirementsAreSolved) {
  Setting S(contraction(R"(  require blockDim.x == 16 : "block is not 16 wide"
  require blockDim.y == blockDim.x : "block is not square"
  require blockDim.z == 1 : "z"
  require gridDim.z == 1 : "z"
  require mod(K, 16) == 0 : "K is no multiple of 16"
  require lda >= K + 3 : "rows of A overlap"
  require M <= blockDim.y * gridDim.y : "the grid does not cover M"
)"));
  LaunchDrawer D(S.Kernel, *S.P, 7, false);
  unsigned Found = 0;
  for (unsigned Number : {0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 18, 19}) {
    auto L = D.draw(Number);
    if (!L)
      continue;
    ++Found;
    Environment Env = S.environment(*L);
    EXPECT_EQ(S.P->refuses(Env), "") << Number;
    EXPECT_EQ(L->Shape.Block[0], 16u);
    EXPECT_EQ(S.value(*L, "K") % 16, 0);
  }
  EXPECT_GE(Found, 10u);
}

TEST(ExecuteLaunch, QuotientsAreSolved) {
  Setting S(contraction(
      R"(  require mod(blockDim.x, 32) == 0 : "the last row is cut"
  require floordiv(blockDim.x, 32) == 16 : "the block has not 16 rows"
)"));
  LaunchDrawer D(S.Kernel, *S.P, 1, false);
  auto L = D.draw(0);
  ASSERT_TRUE(L);
  EXPECT_EQ(L->Shape.Block[0], 512u);
}

TEST(ExecuteLaunch, ExtentsAreVaried) {
  Setting S(contraction("  require blockDim.z == 1 : \"z\"\n"));
  LaunchDrawer D(S.Kernel, *S.P, 1, false);
  bool Partial = false, Past = false, One = false, Long = false, Empty = false,
       Larger = false;
  for (unsigned Number = 0; Number < 24; ++Number) {
    auto L = D.draw(Number);
    ASSERT_TRUE(L) << Number;
    const int64_t M = S.value(*L, "M"), K = S.value(*L, "K");
    const int64_t Rows = int64_t(L->Shape.Block[1]) * L->Shape.Grid[1];
    Partial |= Rows < M;
    Larger |= Rows > M + L->Shape.Block[1];
    Past |= M > 1 && M % L->Shape.Block[1] == 1;
    One |= M == 1 || K == 1;
    Long |= K > 256;
    Empty |= K <= 0;
  }
  EXPECT_TRUE(Partial);
  EXPECT_TRUE(Larger);
  EXPECT_TRUE(Past);
  EXPECT_TRUE(One);
  EXPECT_TRUE(Long);
  EXPECT_TRUE(Empty);
}

TEST(ExecuteLaunch, ParametersThatNothingBindsGoFarOut) {
  Setting S(contraction(""));
  LaunchDrawer D(S.Kernel, *S.P, 1, false);
  bool Negative = false, Zero = false, Wide = false;
  for (unsigned Number = 0; Number < 20; ++Number)
    if (auto L = D.draw(Number)) {
      const int64_t Big = S.value(*L, "big");
      Negative |= Big < 0;
      Zero |= Big == 0;
      Wide |= Big != int32_t(Big);
    }
  EXPECT_TRUE(Negative);
  EXPECT_TRUE(Zero);
  EXPECT_TRUE(Wide);
}

TEST(ExecuteLaunch, NullAndCommonArrays) {
  Setting S(contraction(
      "", "(acc + select(nonnull(R), R[%m * N + %n]:f32, 0.0f:f32))"));
  LaunchDrawer D(S.Kernel, *S.P, 1, false);
  ASSERT_TRUE(D.applies(11));
  ASSERT_TRUE(D.applies(12));
  auto L = D.draw(11);
  ASSERT_TRUE(L);
  EXPECT_EQ(L->Alias.lookup("R"), "C");
  L = D.draw(12);
  ASSERT_TRUE(L);
  EXPECT_TRUE(L->Null.contains("R"));
}

TEST(ExecuteLaunch, TheSameSeedDrawsTheSame) {
  Setting S(contraction(""));
  LaunchDrawer D(S.Kernel, *S.P, 5, false), E(S.Kernel, *S.P, 5, false);
  for (unsigned Number : {3, 1, 16}) {
    auto L = D.draw(Number);
    auto M = E.draw(Number);
    ASSERT_TRUE(L && M);
    EXPECT_EQ(L->Ints, M->Ints);
  }
}

TEST(ExecuteLaunch, WhatTheLauncherRefuses) {
  Setting S(contraction("  require N > 2 : \"N is too small\"\n",
                        "(acc + R[%m * N + %n]:f32)"));
  auto Reason = [&](auto Change) {
    PlannedLaunch L;
    L.Ints.assign(S.P->Names.size(), 0);
    auto Set = [&](llvm::StringRef Name, int64_t X) {
      L.Ints[*S.P->Names.find(Name)] = X;
    };
    for (const char *Dim : {"x", "y", "z"}) {
      Set((llvm::Twine("blockDim.") + Dim).str(), 8);
      Set((llvm::Twine("gridDim.") + Dim).str(), 1);
    }
    for (const char *Name : {"M", "N", "K", "lda"})
      Set(Name, 4);
    Environment Env = S.environment(L);
    Change(Env, *S.P);
    return S.P->refuses(Env);
  };
  auto Int = [](Environment &Env, Problem &P, llvm::StringRef Name, int64_t X) {
    Env.Ints[*P.Names.find(Name)] = X;
  };
  EXPECT_EQ(Reason([](Environment &, Problem &) {}), "");
  EXPECT_EQ(Reason([&](Environment &E, Problem &P) { Int(E, P, "K", 0); }),
            "nothing to compute along k");
  EXPECT_EQ(Reason([&](Environment &E, Problem &P) { Int(E, P, "N", 2); }),
            "N is too small");
  EXPECT_EQ(
      Reason([](Environment &E, Problem &) { E.Arrays["A"].Null = true; }),
      "A is null");
  EXPECT_EQ(
      Reason([](Environment &E, Problem &) { E.Arrays["R"].Null = true; }), "");
  // An input may be the output, but not displaced from it.
  EXPECT_EQ(Reason([](Environment &E, Problem &) {
              E.Arrays["R"].Address = E.Arrays["C"].Address;
            }),
            "");
  EXPECT_EQ(Reason([](Environment &E, Problem &) {
              E.Arrays["R"].Address = E.Arrays["C"].Address + 4;
            }),
            "C overlaps R");
  EXPECT_EQ(Reason([](Environment &E, Problem &) {
              E.Arrays["A"].Address = E.Arrays["C"].Address;
            }),
            "C overlaps A");
  // 32-bit offsets: 3 * lda.
  EXPECT_EQ(
      Reason([&](Environment &E, Problem &P) { Int(E, P, "lda", 0x30000000); }),
      "A: an index is out of its type's range");
}

TEST(ExecuteLaunch, IntegersOfExpressions) {
  NameTable Names;
  const IntExpr X = IntExpr::param("x"), Y = IntExpr::param("y");
  const CompiledInt Quotient(IntExpr::floorDiv(X, Y), Names),
      Rest(IntExpr::mod(X, Y), Names),
      Mixed(X * X * Y - IntExpr::min(X, Y) * 3 + 1, Names);
  Environment Env;
  Env.Ints.resize(Names.size());
  auto Set = [&](int64_t A, int64_t B) {
    Env.Ints[*Names.find("x")] = A;
    Env.Ints[*Names.find("y")] = B;
  };
  Set(-7, 2);
  EXPECT_EQ(int64_t(Quotient.evaluate(Env)), -4);
  EXPECT_EQ(int64_t(Rest.evaluate(Env)), 1);
  EXPECT_EQ(int64_t(Mixed.evaluate(Env)), 98 + 21 + 1);
  Set(7, 0);
  EXPECT_EQ(int64_t(Quotient.evaluate(Env)), 0);
  EXPECT_EQ(int64_t(Rest.evaluate(Env)), 0);
  // Products beyond 64 bits are still computed exactly.
  Set(INT64_MAX, INT64_MAX);
  EXPECT_TRUE(Mixed.evaluate(Env) > Wide(INT64_MAX));
}

} // namespace
