//===-- ExecuteSumsTest.cpp - Contractions of several sums, executed ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecuteTestSupport.h"
#include "warpwright/Execute/Execute.h"
#include "gtest/gtest.h"

using namespace warpwright;
using Verdict = CheckReport::Verdict;

namespace {

/// x = sum over K of A * B + D * A, y = sum over L of (A * s[k / 4]) * E,
/// C = x * x - y, F = y.
const char *const PairIR = R"(
define ptx_kernel void @pair(ptr %A, ptr %B, ptr %D, ptr %E, ptr %s, ptr %C, ptr %F, i32 %M, i32 %N, i32 %K, i32 %L) {
entry:
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %dy = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %oy = mul i32 %by, %dy
  %row = add i32 %oy, %ty
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %dx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ox = mul i32 %bx, %dx
  %col = add i32 %ox, %tx
  %inrow = icmp slt i32 %row, %M
  %incol = icmp slt i32 %col, %N
  %in = and i1 %inrow, %incol
  br i1 %in, label %first, label %done
first:
  %k = phi i32 [ 0, %entry ], [ %k1, %firstbody ]
  %x = phi float [ 0.0, %entry ], [ %x2, %firstbody ]
  %ck = icmp slt i32 %k, %K
  br i1 %ck, label %firstbody, label %second
firstbody:
  %ra = mul nsw i32 %row, %K
  %ia = add nsw i32 %ra, %k
  %xa = sext i32 %ia to i64
  %pa = getelementptr inbounds float, ptr %A, i64 %xa
  %a = load float, ptr %pa
  %pd = getelementptr inbounds float, ptr %D, i64 %xa
  %d = load float, ptr %pd
  %rb = mul nsw i32 %k, %N
  %ib = add nsw i32 %rb, %col
  %xb = sext i32 %ib to i64
  %pb = getelementptr inbounds float, ptr %B, i64 %xb
  %b = load float, ptr %pb
  %rc = mul nsw i32 %col, %K
  %ic = add nsw i32 %rc, %k
  %xc = sext i32 %ic to i64
  %pc = getelementptr inbounds float, ptr %A, i64 %xc
  %c = load float, ptr %pc
  %p = fmul contract float %a, %b
  %x1 = fadd contract float %x, %p
  %q = fmul contract float %d, %c
  %x2 = fadd contract float %x1, %q
  %k1 = add nsw i32 %k, 1
  br label %first
second:
  %l = phi i32 [ 0, %first ], [ %l1, %secondbody ]
  %y = phi float [ 0.0, %first ], [ %y1, %secondbody ]
  %cl = icmp slt i32 %l, %L
  br i1 %cl, label %secondbody, label %end
secondbody:
  %re = mul nsw i32 %row, %L
  %ie = add nsw i32 %re, %l
  %xe = sext i32 %ie to i64
  %pe = getelementptr inbounds float, ptr %A, i64 %xe
  %e = load float, ptr %pe
  %group = lshr i32 %l, 2
  %xs = zext i32 %group to i64
  %ps = getelementptr inbounds float, ptr %s, i64 %xs
  %scale = load float, ptr %ps
  %scaled = fmul contract float %e, %scale
  %rf = mul nsw i32 %l, %N
  %if = add nsw i32 %rf, %col
  %xf = sext i32 %if to i64
  %pf = getelementptr inbounds float, ptr %E, i64 %xf
  %f = load float, ptr %pf
  %r = fmul contract float %scaled, %f
  %y1 = fadd contract float %y, %r
  %l1 = add nsw i32 %l, 1
  br label %second
end:
  %square = fmul float %x, %x
  %v = fsub float %square, %y
  %ro = mul nsw i32 %row, %N
  %io = add nsw i32 %ro, %col
  %xo = sext i32 %io to i64
  %po = getelementptr inbounds float, ptr %C, i64 %xo
  store float %v, ptr %po
  %pt = getelementptr inbounds float, ptr %F, i64 %xo
  store float %y, ptr %pt
  br label %done
done:
  ret void
})";

const char *const Pair = R"(contraction "pair" {
  index %b < 1
  index %m < min(M, blockDim.y * gridDim.y)
  index %n < min(N, blockDim.x * gridDim.x)
  index %k < K
  operand A = A[%m * K + %k]:f32
  operand B = B[%k * N + %n]:f32
  plus
  operand A = D[%m * K + %k]:f32
  operand B = A[%n * K + %k]:f32
  accumulate f32
  sum acc1
  index %k < L
  operand A = A[%m * L + %k]:f32 as (A[%m * L + %k]:f32 * s[floordiv(%k, 4)]:f32)
  operand B = E[%k * N + %n]:f32
  accumulate f32
  output C[%m * N + %n]:f32 = ((acc * acc) - acc1)
  output F[%m * N + %n]:f32 = acc1
  require blockDim.z == 1 : "blockDim.z is not 1"
  require gridDim.z == 1 : "gridDim.z is not 1"
  offsets i32
})";

CheckReport check(const std::string &Text, uint64_t Seed = 1) {
  TestModule M(PairIR);
  auto C = parseContraction(Text);
  if (!C) {
    ADD_FAILURE() << llvm::toString(C.takeError());
    return {};
  }
  CheckOptions Options;
  Options.Seed = Seed;
  return checkContraction(M.kernel("pair"), M.Headers, *C, Options);
}

TEST(ExecuteSums, TheRightContractionAgrees) {
  for (uint64_t Seed : {1, 2, 3, 4, 5}) {
    CheckReport R = check(Pair, Seed);
    EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
    EXPECT_TRUE(R.Complete);
  }
}

struct Mistake {
  const char *Name, *From, *To;
};

class WrongSum : public testing::TestWithParam<Mistake> {};

TEST_P(WrongSum, Differs) {
  std::string Text = Pair;
  const std::string From = GetParam().From;
  const size_t At = Text.find(From);
  ASSERT_NE(At, std::string::npos);
  Text.replace(At, From.size(), GetParam().To);
  CheckReport R = check(Text);
  EXPECT_EQ(R.Result, Verdict::Differs) << R.Message;
  // The data of every sum are present, to see which one is wrong.
  for (const char *Part : {"operand A of acc, along k", "operand B of acc1"})
    EXPECT_NE(R.Reproducer.find(Part), std::string::npos) << R.Reproducer;
}

const Mistake Mistakes[] = {
    {"SecondSumOverTheFirstRange", "%k < L", "%k < K"},
    {"SecondSumCutShort", "%k < L", "%k < L - 1"},
    {"SecondSumOfAnotherArray", "B = E[", "B = B["},
    {"SecondSumTransposed", "E[%k * N + %n]", "E[%n * L + %k]"},
    {"OtherGroups", "floordiv(%k, 4)", "floordiv(%k, 2)"},
    {"NoScale", " as (A[%m * L + %k]:f32 * s[floordiv(%k, 4)]:f32)", ""},
    {"ScaleOfRows", "floordiv(%k, 4)", "%m"},
    {"SecondProductTransposed", "A[%n * K + %k]:f32", "A[%n + %k * N]:f32"},
    {"SecondProductOfTheFirst", "D[%m", "A[%m"},
    {"SumsExchanged", "((acc * acc) - acc1)", "((acc1 * acc1) - acc)"},
    {"OneSumTwice", "((acc * acc) - acc1)", "((acc * acc) - acc)"},
    {"OtherOutput", "= acc1", "= acc"},
};

INSTANTIATE_TEST_SUITE_P(ExecuteSums, WrongSum, testing::ValuesIn(Mistakes),
                         [](const testing::TestParamInfo<Mistake> &I) {
                           return I.param.Name;
                         });

TEST(ExecuteSums, AProductLess) {
  std::string Text = Pair;
  const size_t At = Text.find("  plus\n");
  Text.erase(At, Text.find("  accumulate") - At);
  EXPECT_EQ(check(Text).Result, Verdict::Differs);
}

} // namespace
