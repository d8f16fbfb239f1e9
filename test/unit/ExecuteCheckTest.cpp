//===-- ExecuteCheckTest.cpp - Right and wrong contractions ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecuteTestSupport.h"
#include "warpwright/Execute/Execute.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace warpwright;
using Verdict = CheckReport::Verdict;

namespace {

/// C = act(alpha * A * B + bias), where A has a pitch and bias may be null.
const char *const GemmIR = R"(
define ptx_kernel void @gemm(ptr %A, ptr %B, ptr %C, ptr %bias, i32 %M, i32 %N, i32 %K, i32 %lda, float %alpha, i32 %relu) {
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
  br i1 %in, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %c = icmp slt i32 %k, %K
  br i1 %c, label %body, label %end
body:
  %ra = mul nsw i32 %row, %lda
  %ia = add nsw i32 %ra, %k
  %xa = sext i32 %ia to i64
  %pa = getelementptr inbounds float, ptr %A, i64 %xa
  %a = load float, ptr %pa
  %rb = mul nsw i32 %k, %N
  %ib = add nsw i32 %rb, %col
  %xb = sext i32 %ib to i64
  %pb = getelementptr inbounds float, ptr %B, i64 %xb
  %b = load float, ptr %pb
  %p = fmul contract float %a, %b
  %more = fadd contract float %sum, %p
  %next = add nsw i32 %k, 1
  br label %loop
end:
  %scaled = fmul float %alpha, %sum
  %given = icmp ne ptr %bias, null
  br i1 %given, label %add, label %added
add:
  %xc = sext i32 %col to i64
  %pc = getelementptr inbounds float, ptr %bias, i64 %xc
  %offset = load float, ptr %pc
  %shifted = fadd float %scaled, %offset
  br label %added
added:
  %v = phi float [ %scaled, %end ], [ %shifted, %add ]
  %does = icmp ne i32 %relu, 0
  %positive = fcmp ogt float %v, 0.0
  %kept = select i1 %positive, float %v, float 0.0
  %w = select i1 %does, float %kept, float %v
  %ro = mul nsw i32 %row, %N
  %io = add nsw i32 %ro, %col
  %xo = sext i32 %io to i64
  %po = getelementptr inbounds float, ptr %C, i64 %xo
  store float %w, ptr %po
  br label %done
done:
  ret void
})";

const char *const Gemm = R"(contraction "gemm" {
  index %b < 1
  index %m < min(M, blockDim.y * gridDim.y)
  index %n < min(N, blockDim.x * gridDim.x)
  index %k < K
  operand A = A[%m * lda + %k]:f32
  operand B = B[%k * N + %n]:f32
  accumulate f32
  output C[%m * N + %n]:f32 = select(relu != 0, select(fcmp(((alpha:f32 * acc) + select(nonnull(bias), bias[%n]:f32, 0.0f:f32)) > 0.0f:f32), ((alpha:f32 * acc) + select(nonnull(bias), bias[%n]:f32, 0.0f:f32)), 0.0f:f32), ((alpha:f32 * acc) + select(nonnull(bias), bias[%n]:f32, 0.0f:f32)))
  require blockDim.z == 1 : "blockDim.z is not 1"
  require gridDim.z == 1 : "gridDim.z is not 1"
  offsets i32
})";

std::string replaced(std::string Text, const std::string &From,
                     const std::string &To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  for (; At != std::string::npos; At = Text.find(From, At + To.size()))
    Text.replace(At, From.size(), To);
  return Text;
}

CheckReport check(const TestModule &M, const char *Kernel,
                  const std::string &Text, CheckOptions Options = {}) {
  auto C = parseContraction(Text);
  if (!C) {
    ADD_FAILURE() << llvm::toString(C.takeError());
    return {};
  }
  return checkContraction(M.kernel(Kernel), M.Headers, *C, Options);
}

TEST(ExecuteCheck, TheRightContractionAgrees) {
  TestModule M(GemmIR);
  for (uint64_t Seed : {1, 2, 3, 4, 5}) {
    CheckOptions Options;
    Options.Seed = Seed;
    CheckReport R = check(M, "gemm", Gemm, Options);
    EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
    EXPECT_EQ(R.Executed, 12u);
    EXPECT_TRUE(R.Complete);
    EXPECT_FALSE(R.RoundsOtherwise);
  }
}

struct Mistake {
  const char *Name, *From, *To;
};

class WrongGemm : public testing::TestWithParam<Mistake> {};

TEST_P(WrongGemm, Differs) {
  TestModule M(GemmIR);
  CheckReport R =
      check(M, "gemm", replaced(Gemm, GetParam().From, GetParam().To));
  EXPECT_EQ(R.Result, Verdict::Differs) << R.Message;
  EXPECT_FALSE(R.Message.empty());
  EXPECT_NE(R.Reproducer.find("contraction \"gemm\""), std::string::npos);
}

const Mistake Mistakes[] = {
    {"NoRowGuard", "min(M, blockDim.y * gridDim.y)", "blockDim.y * gridDim.y"},
    {"NoColumnGuard", "min(N, blockDim.x * gridDim.x)",
     "blockDim.x * gridDim.x"},
    {"RowsBeyondTheGrid", "min(M, blockDim.y * gridDim.y)", "M"},
    {"ColumnsBeyondTheGrid", "min(N, blockDim.x * gridDim.x)", "N"},
    {"GridExchanged", "min(M, blockDim.y * gridDim.y)",
     "min(M, blockDim.x * gridDim.x)"},
    {"OneTermLess", "%k < K", "%k < K - 1"},
    {"OneTermMore", "%k < K", "%k < K + 1"},
    {"SumCutShort", "%k < K", "%k < min(K, 16)"},
    {"SumInFours", "%k < K", "%k < 4 * floordiv(K, 4)"},
    {"OneRowLess", "min(M, ", "min(M - 1, "},
    {"OneRowMore", "min(M, ", "min(M + 1, "},
    {"OneColumnLess", "min(N, ", "min(N - 1, "},
    {"RowsAndColumnsExchanged", "min(M, ", "min(N, "},
    {"PitchForgotten", "%m * lda + %k", "%m * K + %k"},
    {"StridesOfAExchanged", "%m * lda + %k", "%k * lda + %m"},
    {"StridesOfBExchanged", "%k * N + %n", "%n * N + %k"},
    {"BTransposed", "%k * N + %n", "%n * K + %k"},
    {"OffsetOfB", "%k * N + %n", "%k * N + %n + 1"},
    {"OffsetOfA", "%m * lda + %k]", "%m * lda + %k - 1]"},
    {"EverySecondTerm", "%m * lda + %k", "%m * lda + 2 * %k"},
    {"OutputTransposed", "C[%m * N + %n]", "C[%m + %n * M]"},
    {"OutputARowLater", "C[%m * N + %n]", "C[%m * N + %n + N]"},
    {"OutputWithAsPitch", "C[%m * N + %n]", "C[%m * lda + %n]"},
    {"NoAlpha", "(alpha:f32 * acc)", "acc"},
    {"WrongSign", "(alpha:f32 * acc)", "(alpha:f32 * -(acc))"},
    {"AlphaAdded", "(alpha:f32 * acc)", "(alpha:f32 + acc)"},
    {"NoBias", "select(nonnull(bias), bias[%n]:f32, 0.0f:f32)", "0.0f:f32"},
    {"BiasOfRows", "bias[%n]", "bias[%m]"},
    {"BiasSubtracted", "(alpha:f32 * acc) + select",
     "(alpha:f32 * acc) - select"},
    {"NullBiasRead", "select(nonnull(bias), bias[%n]:f32, 0.0f:f32)",
     "bias[%n]:f32"},
    {"AlwaysRelu", "relu != 0", "true"},
    {"NeverRelu", "relu != 0", "false"},
    {"ReluOtherwise", "relu != 0", "relu == 0"},
    {"ReluOfPositiveFlags", "relu != 0", "relu > 0"},
    {"ReluUpsideDown", " > 0.0f:f32)", " < 0.0f:f32)"},
    {"OneOperandTwice", "operand B = B[", "operand B = A["},
    {"OutputNarrower", "C[%m * N + %n]:f32 =", "C[%m * N + %n]:f16 ="},
    {"EverySecondRow", "C[%m * N + %n]", "C[2 * %m * N + %n]"},
    {"SumIsIgnored", "* acc)", "* 1.0f:f32)"},
};

INSTANTIATE_TEST_SUITE_P(ExecuteCheck, WrongGemm, testing::ValuesIn(Mistakes),
                         [](const testing::TestParamInfo<Mistake> &I) {
                           return I.param.Name;
                         });

TEST(ExecuteCheck, TheMessageSaysWhereAndWhat) {
  TestModule M(GemmIR);
  CheckReport R = check(
      M, "gemm", replaced(Gemm, "(alpha:f32 * acc)", "(alpha:f32 * -(acc))"));
  for (const char *Part : {"launch ", "grid (", "M = ", "C[", "by the kernel"})
    EXPECT_NE(R.Message.find(Part), std::string::npos) << R.Message;
  for (const char *Part : {"operand A, along k", "A[", "seed 1", "alpha = "})
    EXPECT_NE(R.Reproducer.find(Part), std::string::npos) << R.Reproducer;
  // The same seed gives the same launch.
  CheckReport S = check(
      M, "gemm", replaced(Gemm, "(alpha:f32 * acc)", "(alpha:f32 * -(acc))"));
  EXPECT_EQ(R.Reproducer, S.Reproducer);
}

/// C[i] = sum of x[i] over one dimension of threads; %BODY% adds to it.
std::string rowKernel(const std::string &Body, const std::string &Rest = "") {
  return R"(
define ptx_kernel void @rows(ptr %A, ptr %B, ptr %C, ptr %D, i32 %M, i32 %N, i32 %K, i64 %big) {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %dx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ox = mul i32 %bx, %dx
  %i = add i32 %ox, %tx
  %size = mul nsw i32 %M, %N
  %in = icmp slt i32 %i, %size
  br i1 %in, label %start, label %done
start:
  %row = sdiv i32 %i, %N
  %col = srem i32 %i, %N
  br label %loop
loop:
  %k = phi i32 [ 0, %start ], [ %next, %body ]
  %sum = phi float [ 0.0, %start ], [ %more, %body ]
  %c = icmp slt i32 %k, %K
  br i1 %c, label %body, label %end
body:
  %ra = mul nsw i32 %row, %K
  %ia = add nsw i32 %ra, %k
  %pa = getelementptr inbounds float, ptr %A, i32 %ia
  %a = load float, ptr %pa
  %rb = mul nsw i32 %k, %N
  %ib = add nsw i32 %rb, %col
  %pb = getelementptr inbounds float, ptr %B, i32 %ib
  %b = load float, ptr %pb
  %p = fmul contract float %a, %b
  %more = fadd contract float %sum, %p
  %next = add nsw i32 %k, 1
  br label %loop
end:
  %pc = getelementptr inbounds float, ptr %C, i32 %i
)" + Body +
         R"(
  br label %done
done:
  ret void
}
)" + Rest;
}

const char *const Rows = R"(contraction "rows" {
  index %b < 1
  index %m < M
  index %n < N
  index %k < K
  operand A = A[%m * K + %k]:f32
  operand B = B[%k * N + %n]:f32
  accumulate f32
  output C[%m * N + %n]:f32 = acc
  require blockDim.y == 1 : "blockDim.y is not 1"
  require blockDim.z == 1 : "blockDim.z is not 1"
  require gridDim.y == 1 : "gridDim.y is not 1"
  require gridDim.z == 1 : "gridDim.z is not 1"
  require blockDim.x * gridDim.x >= M * N : "the grid does not cover the output"
  offsets i32
})";

TEST(ExecuteCheck, RequirementsAreMet) {
  TestModule M(rowKernel("store float %sum, ptr %pc"));
  CheckReport R = check(M, "rows", Rows);
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
  EXPECT_EQ(R.Executed, 12u);
}

TEST(ExecuteCheck, ADroppedRequirementDiffers) {
  TestModule M(rowKernel("store float %sum, ptr %pc"));
  CheckReport R = check(
      M, "rows",
      replaced(Rows,
               "  require blockDim.x * gridDim.x >= M * N : \"the grid does "
               "not cover the output\"\n",
               ""));
  EXPECT_EQ(R.Result, Verdict::Differs) << R.Message;
}

/// Parameters in a class that is passed by value, with padding in it.
TEST(ExecuteCheck, FieldsOfParameters) {
  TestModule M(R"(
%struct.Matrix = type { i32, i32, ptr }
define ptx_kernel void @fields(ptr byval(%struct.Matrix) align 8 %A, ptr %B, ptr %C) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = load i32, ptr %A
  %hp = getelementptr inbounds %struct.Matrix, ptr %A, i32 0, i32 1
  %height = load i32, ptr %hp
  %dp = getelementptr inbounds %struct.Matrix, ptr %A, i32 0, i32 2
  %data = load ptr, ptr %dp
  %in = icmp slt i32 %tx, %height
  br i1 %in, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %c = icmp slt i32 %k, %width
  br i1 %c, label %body, label %end
body:
  %ra = mul nsw i32 %tx, %width
  %ia = add nsw i32 %ra, %k
  %pa = getelementptr inbounds float, ptr %data, i32 %ia
  %a = load float, ptr %pa
  %pb = getelementptr inbounds float, ptr %B, i32 %k
  %b = load float, ptr %pb
  %p = fmul float %a, %b
  %more = fadd float %sum, %p
  %next = add nsw i32 %k, 1
  br label %loop
end:
  %pc = getelementptr inbounds float, ptr %C, i32 %tx
  store float %sum, ptr %pc
  br label %done
done:
  ret void
})");
  KernelIR K;
  K.Function = M.function("fields");
  auto Leaf = [&](unsigned Argument, uint64_t Offset, const char *Path,
                  ScalarType Type, bool Pointer) {
    ParamLeaf L;
    L.Argument = Argument;
    L.Offset = Offset;
    L.Path = Path;
    L.Type = Type;
    L.IsPointer = Pointer;
    K.Params.push_back(L);
  };
  Leaf(0, 0, "A.width", ScalarType::I32, false);
  Leaf(0, 4, "A.height", ScalarType::I32, false);
  Leaf(0, 8, "A.data", ScalarType::F32, true);
  Leaf(1, 0, "B", ScalarType::F32, true);
  Leaf(2, 0, "C", ScalarType::F32, true);
  const std::string Text = R"(contraction "fields" {
  index %b < 1
  index %m < min(A.height, blockDim.x)
  index %n < 1
  index %k < A.width
  operand A = A.data[%m * A.width + %k]:f32
  operand B = B[%k]:f32
  accumulate f32
  output C[%m]:f32 = acc
  require blockDim.y == 1 : "blockDim.y is not 1"
  require blockDim.z == 1 : "blockDim.z is not 1"
  require gridDim.x == 1 : "gridDim.x is not 1"
  require gridDim.y == 1 : "gridDim.y is not 1"
  require gridDim.z == 1 : "gridDim.z is not 1"
  offsets i32
})";
  auto C = parseContraction(Text);
  ASSERT_TRUE(bool(C));
  CheckReport R = checkContraction(K, M.Headers, *C);
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
  C = parseContraction(
      replaced(Text, "A.data[%m * A.width", "A.data[%m * A.height"));
  ASSERT_TRUE(bool(C));
  EXPECT_EQ(checkContraction(K, M.Headers, *C).Result, Verdict::Differs);
}

TEST(ExecuteCheck, OtherWritesDiffer) {
  TestModule Array(rowKernel(R"(store float %sum, ptr %pc
  %pd = getelementptr inbounds float, ptr %D, i32 %i
  store float 77.0, ptr %pd)"));
  CheckReport R = check(Array, "rows", Rows);
  EXPECT_EQ(R.Result, Verdict::Differs);
  EXPECT_NE(R.Message.find("writes D["), std::string::npos) << R.Message;
  TestModule Variable(rowKernel(R"(store float %sum, ptr %pc
  store i32 1, ptr @seen)",
                                "@seen = global i32 0"));
  R = check(Variable, "rows", Rows);
  EXPECT_EQ(R.Result, Verdict::Differs);
  EXPECT_NE(R.Message.find("variable 'seen'"), std::string::npos) << R.Message;
}

TEST(ExecuteCheck, StoresThatAreMissingDiffer) {
  TestModule M(rowKernel(R"(%odd = and i32 %i, 1
  %store = icmp eq i32 %odd, 0
  br i1 %store, label %yes, label %done
yes:
  store float %sum, ptr %pc)"));
  EXPECT_EQ(check(M, "rows", Rows).Result, Verdict::Differs);
}

TEST(ExecuteCheck, NarrowedParametersDiffer) {
  TestModule M(rowKernel(R"(%narrow = trunc i64 %big to i32
  %f = sitofp i32 %narrow to float
  %s = fadd float %sum, %f
  store float %s, ptr %pc)"));
  const std::string Right = replaced(
      Rows, "= acc",
      "= (acc + f32(int.i32(mod(big + 2147483648, 4294967296) - 2147483648)))");
  CheckReport R = check(M, "rows", Right);
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
  EXPECT_EQ(check(M, "rows", replaced(Rows, "= acc", "= (acc + int.f32(big))"))
                .Result,
            Verdict::Differs);
}

/// A value that the host sets between launches differs from the initializer.
TEST(ExecuteCheck, ConstantMemoryIsSetByEachLaunch) {
  TestModule M(rowKernel(
      R"(%scale = load float, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @settings, i64 4)
  %s = fmul float %sum, %scale
  store float %s, ptr %pc)",
      "@settings = addrspace(4) externally_initialized "
      "constant {i32, float} {i32 1, float 2.0}"));
  const llvm::GlobalVariable *Settings =
      M.function("rows")->getParent()->getGlobalVariable("settings", true);
  ASSERT_TRUE(Settings);
  CheckOptions Options;
  Options.Constants = {{"settings.scale", ScalarType::F32, Settings, 4}};
  auto With = [&](const std::string &Scale) {
    return check(M, "rows", replaced(Rows, "= acc", Scale), Options);
  };
  CheckReport R = With("= (acc * const.f32 \"settings.scale\")");
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
  R = With("= (acc * 2.0f:f32)");
  EXPECT_EQ(R.Result, Verdict::Differs);
  EXPECT_NE(R.Reproducer.find("settings.scale = "), std::string::npos);
  R = With("= (acc * const.f32 \"another\")");
  EXPECT_EQ(R.Result, Verdict::NotExecuted);
  EXPECT_NE(R.Message.find("the variable 'another'"), std::string::npos)
      << R.Message;
}

TEST(ExecuteCheck, CallsOfTheUsersFunctions) {
  TestModule M(rowKernel(R"(%t = call float @twice(float %sum)
  store float %t, ptr %pc)",
                         R"(
define float @twice(float %x) {
  %y = fadd float %x, %x
  ret float %y
}
define float @thrice(float %x) {
  %y = fmul float %x, 3.0
  ret float %y
})"));
  const std::string Text = replaced(Rows, "= acc", "= call.f32 \"twice\"(acc)");
  CheckReport R = check(M, "rows", Text);
  EXPECT_EQ(R.Result, Verdict::NotExecuted);
  EXPECT_NE(R.Message.find("'twice'"), std::string::npos) << R.Message;
  CheckOptions Options;
  Options.Callees = {{"twice", {ScalarType::F32}, M.function("twice")}};
  EXPECT_EQ(check(M, "rows", Text, Options).Result, Verdict::Agrees);
  Options.Callees = {{"twice", {ScalarType::F16}, M.function("thrice")},
                     {"twice", {ScalarType::F32}, M.function("twice")}};
  EXPECT_EQ(check(M, "rows", Text, Options).Result, Verdict::Agrees);
  Options.Callees = {{"twice", {ScalarType::F32}, M.function("thrice")}};
  EXPECT_EQ(check(M, "rows", Text, Options).Result, Verdict::Differs);
}

TEST(ExecuteCheck, FunctionsOfHeaders) {
  TestModule M(rowKernel(R"(%t = call float @tanhf(float %sum)
  store float %t, ptr %pc)",
                         "declare float @tanhf(float)"));
  M.Headers["tanhf"] = "tanhf";
  EXPECT_EQ(
      check(M, "rows", replaced(Rows, "= acc", "= call.f32 \"tanhf\"(acc)"))
          .Result,
      Verdict::Agrees);
  EXPECT_EQ(
      check(M, "rows", replaced(Rows, "= acc", "= call.f32 \"sinhf\"(acc)"))
          .Result,
      Verdict::Differs);
}

TEST(ExecuteCheck, UndefinedLaunchesProveNothing) {
  // Each thread divides by a parameter that the contraction does not mention:
  // launches with 0 are discarded, the others count.
  TestModule M(rowKernel(R"(%z = sdiv i64 7, %big
  store float %sum, ptr %pc)"));
  CheckReport R = check(M, "rows", Rows);
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message;
  EXPECT_GT(R.Discarded, 0u);
  EXPECT_NE(R.Message.find("division by zero"), std::string::npos) << R.Message;
  TestModule Never(rowKernel(R"(%z = sdiv i64 7, 0
  store float %sum, ptr %pc)"));
  R = check(Never, "rows", Rows);
  EXPECT_EQ(R.Result, Verdict::NotExecuted);
  EXPECT_EQ(R.Executed, 0u);
}

TEST(ExecuteCheck, RacesAreUndefined) {
  TestModule M(rowKernel(R"(%old = load float, ptr %C
  store float %sum, ptr %pc)"));
  CheckReport R = check(M, "rows", Rows);
  EXPECT_NE(R.Result, Verdict::Differs);
  EXPECT_GT(R.Discarded, 0u);
  EXPECT_NE(R.Message.find("races"), std::string::npos) << R.Message;
}

TEST(ExecuteCheck, AnotherOrderOfRoundingIsReported) {
  TestModule M(rowKernel(R"(%s = fmul float %sum, 0x3FB99999A0000000
  %t = fadd float %s, %s
  store float %t, ptr %pc)"));
  CheckReport R =
      check(M, "rows", replaced(Rows, "= acc", "= (acc * 0.2000001f:f32)"));
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message;
  EXPECT_TRUE(R.RoundsOtherwise);
  EXPECT_EQ(
      check(M, "rows", replaced(Rows, "= acc", "= (acc * 0.2001f:f32)")).Result,
      Verdict::Differs);
}

TEST(ExecuteCheck, TheBudgetIsKept) {
  TestModule M(GemmIR);
  CheckOptions Options;
  Options.MaxSteps = 150000;
  CheckReport R = check(M, "gemm", Gemm, Options);
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message;
  EXPECT_FALSE(R.Complete);
  EXPECT_LT(R.Executed, 12u);
  EXPECT_LT(R.Steps, 250000u);
  EXPECT_EQ(R.Wanted, 12u);
}

/// One launch would be either ragged or aligned.
TEST(ExecuteCheck, TwoLaunchesBeyondTheBudget) {
  TestModule M(GemmIR);
  CheckOptions Options;
  Options.MaxSteps = 20000;
  CheckReport R = check(M, "gemm", Gemm, Options);
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message;
  EXPECT_FALSE(R.Complete);
  EXPECT_EQ(R.Executed, Options.LargeLaunches);
}

/// The kernel adds to the old value: an epilogue that reads the output.
TEST(ExecuteCheck, OutputsThatAreRead) {
  TestModule M(rowKernel(R"(%old = load float, ptr %pc
  %t = fadd float %sum, %old
  store float %t, ptr %pc)"));
  EXPECT_EQ(check(M, "rows", Rows).Result, Verdict::Differs);
  CheckReport R =
      check(M, "rows", replaced(Rows, "= acc", "= (acc + C[%m * N + %n]:f32)"));
  EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message;
}

/// A * B, of which the first columns go to C and the others to bias, each as
/// wide as it has columns.
std::string splitGemmIR() {
  const std::string Gemm = GemmIR;
  return Gemm.substr(0, Gemm.find("end:")) + R"(end:
  %first = icmp slt i32 %col, %relu
  br i1 %first, label %left, label %right
left:
  %rl = mul nsw i32 %row, %relu
  %il = add nsw i32 %rl, %col
  %xl = sext i32 %il to i64
  %pl = getelementptr inbounds float, ptr %C, i64 %xl
  store float %sum, ptr %pl
  br label %done
right:
  %width = sub nsw i32 %N, %relu
  %rr = mul nsw i32 %row, %width
  %begin = sub nsw i32 %rr, %relu
  %ir = add nsw i32 %begin, %col
  %xr = sext i32 %ir to i64
  %pr = getelementptr inbounds float, ptr %bias, i64 %xr
  store float %sum, ptr %pr
  br label %done
done:
  ret void
})";
}

TEST(ExecuteCheck, OutputsOfARangeOfColumns) {
  TestModule M(splitGemmIR());
  const std::string All = Gemm;
  const std::string Right =
      All.substr(0, All.find("  output C")) +
      "  output C[%m * relu + %n]:f32 = acc when %n < relu\n"
      "  output bias[%m * (N - relu) + %n - relu]:f32 = acc when relu <= %n\n" +
      All.substr(All.find("  require"));
  for (uint64_t Seed : {1, 2, 3}) {
    CheckOptions Options;
    Options.Seed = Seed;
    CheckReport R = check(M, "gemm", Right, Options);
    EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
    EXPECT_TRUE(R.Complete);
  }
  auto Wrong = [&](const char *From, const char *To) {
    CheckReport R = check(M, "gemm", replaced(Right, From, To));
    EXPECT_EQ(R.Result, Verdict::Differs) << To << R.Message;
  };
  Wrong(" when %n < relu", "");
  Wrong(" when relu <= %n", "");
  Wrong("when %n < relu", "when %n < relu - 1");
  Wrong("when relu <= %n", "when relu + 1 <= %n");
  Wrong("when relu <= %n", "when relu <= %n < N - 1");
  Wrong("when %n < relu", "when %m < relu");
}

} // namespace
