//===-- ExecuteMatricesTest.cpp - mma.sync and ldmatrix -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute/Numbers.h"
#include "Execute/Ptx.h"
#include "ExecuteTestSupport.h"
#include "warpwright/Execute/Execute.h"
#include "llvm/IR/Function.h"
#include "gtest/gtest.h"

using namespace warpwright;
using execute::Outcome;

namespace {

execute::LaunchShape oneWarp() {
  execute::LaunchShape Shape;
  Shape.Block[0] = 32;
  return Shape;
}

/// Every lane stores 8 neighbouring elements to shared memory, loads four
/// matrices, and writes its four registers.
TestRun loadMatrices(const std::string &Name, unsigned Lanes = 32) {
  TestModule M(R"(
@s = internal addrspace(3) global [256 x i16] undef, align 16
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %t, 8
  %from = getelementptr i16, ptr addrspace(3) @s, i32 %first
  br label %fill
fill:
  %n = phi i32 [ 0, %0 ], [ %next, %fill ]
  %e = add i32 %first, %n
  %v = trunc i32 %e to i16
  %to = getelementptr i16, ptr addrspace(3) @s, i32 %e
  store i16 %v, ptr addrspace(3) %to
  %next = add i32 %n, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %fill, label %filled
filled:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %in = icmp ult i32 %t, )" +
               std::to_string(Lanes) + R"(
  br i1 %in, label %load, label %done
load:
  %a = ptrtoint ptr addrspace(3) %from to i64
  %r = call { i32, i32, i32, i32 } asm sideeffect ")" +
               Name + R"( {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(i64 %a)
  %word = mul i32 %t, 16
  %p = getelementptr i8, ptr %out, i32 %word
  store { i32, i32, i32, i32 } %r, ptr %p
  br label %done
done:
  ret void
})");
  return runKernel(M, "k", std::vector<int32_t>(128), {}, oneWarp());
}

TEST(ExecuteMatrices, Loads) {
  for (bool Turned : {false, true}) {
    const TestRun R =
        loadMatrices(Turned ? "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"
                            : "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    ASSERT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
    for (int Lane = 0; Lane < 32; ++Lane)
      for (int N = 0; N < 4; ++N) {
        const int Row = Lane / 4, Column = Lane % 4 * 2;
        const int Low = Turned ? 8 * Column + Row : 8 * Row + Column;
        const int High = Turned ? Low + 8 : Low + 1;
        EXPECT_EQ(R.Words[4 * Lane + N], (64 * N + Low) | (64 * N + High) << 16)
            << Lane << ' ' << N;
      }
  }
}

TEST(ExecuteMatrices, AllThreadsOfAWarpHaveToTakePart) {
  const TestRun R = loadMatrices("ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                                 /*Lanes=*/31);
  EXPECT_EQ(R.End.End, Outcome::Divergence);
  EXPECT_NE(R.End.Reason.find("not all threads of a warp"), std::string::npos);
}

/// A product of matrices of small integers. Each lane's registers of A and B,
/// and then of the product, lie one after another.
struct Form {
  const char *Name;
  unsigned Depth, Packed;
};

void multiplies(const Form &F, ScalarType T) {
  const unsigned Halves = F.Depth / (4 * F.Packed), Inputs = 3 * Halves;
  const bool Bytes = F.Packed == 4;
  const std::string Sum = Bytes ? "i32" : "float",
                    Sums = "{ " + Sum + ", " + Sum + ", " + Sum + ", " + Sum +
                           " }",
                    End = Bytes ? "" : ".0";
  std::string Loads, Constraints = Bytes ? "=r,=r,=r,=r" : "=f,=f,=f,=f";
  std::string Arguments, A, B;
  for (unsigned N = 0; N < Inputs; ++N) {
    const std::string Number = std::to_string(N);
    Loads += "  %p" + Number + " = getelementptr i32, ptr %mine, i32 " +
             Number + "\n  %r" + Number + " = load i32, ptr %p" + Number + "\n";
    Constraints += ",r";
    Arguments += "i32 %r" + Number + ", ";
    std::string &To = N < 2 * Halves ? A : B;
    To += (To.empty() ? "$" : ", $") + std::to_string(4 + N);
  }
  TestModule M(R"(
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %t, 10
  %mine = getelementptr i32, ptr %out, i32 %first
)" + Loads + "  %d = call " +
               Sums + " asm sideeffect \"" + F.Name + " {$0, $1, $2, $3}, {" +
               A + "}, {" + B + "}, {$0, $1, $2, $3};\", \"" + Constraints +
               ",0,1,2,3\"(" + Arguments + Sum + " 1" + End + ", " + Sum +
               " 2" + End + ", " + Sum + " 3" + End + ", " + Sum + " 4" + End +
               R"()
  %sum = getelementptr i32, ptr %mine, i32 6
  store )" + Sums +
               R"( %d, ptr %sum
  ret void
})");
  // PTX ISA, "Matrix Fragments for mma.m16n8k4", m16n8k8 and m16n8k16: element
  // i of A is of row group or group + 8, and so on.
  std::vector<int32_t> Words(320);
  std::vector<double> X(16 * F.Depth), Y(F.Depth * 8);
  auto Put = [&](unsigned Lane, unsigned Register, unsigned Place, double V) {
    const unsigned Width = 32 / F.Packed;
    const uint64_t Bits = Bytes ? static_cast<uint8_t>(static_cast<int8_t>(V))
                                : execute::fromReal(T, V).Bits;
    Words[10 * Lane + Register] |=
        static_cast<int32_t>(Bits << (Place * Width));
  };
  for (unsigned Lane = 0; Lane < 32; ++Lane) {
    const unsigned Group = Lane / 4, InGroup = Lane % 4;
    for (unsigned I = 0; I < 2 * Halves * F.Packed; ++I) {
      const unsigned Register = I / F.Packed, Place = I % F.Packed;
      const unsigned Row = Group + (Register % 2 ? 8 : 0);
      const unsigned Column =
          InGroup * F.Packed + Place + (Register >= 2 ? 4 * F.Packed : 0);
      X[Row * F.Depth + Column] =
          static_cast<double>((Row * 7 + Column * 3) % 11) - 5;
      Put(Lane, Register, Place, X[Row * F.Depth + Column]);
    }
    for (unsigned I = 0; I < Halves * F.Packed; ++I) {
      const unsigned Register = I / F.Packed, Place = I % F.Packed;
      const unsigned Row =
          InGroup * F.Packed + Place + (Register ? 4 * F.Packed : 0);
      Y[Row * 8 + Group] = static_cast<double>((Row * 5 + Group * 2) % 13) - 6;
      Put(Lane, 2 * Halves + Register, Place, Y[Row * 8 + Group]);
    }
  }
  const TestRun R = runKernel(M, "k", Words, {}, oneWarp());
  ASSERT_EQ(R.End.End, Outcome::Done) << F.Name << ": " << R.End.Reason;
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    for (unsigned I = 0; I < 4; ++I) {
      const unsigned Row = Lane / 4 + (I >= 2 ? 8 : 0),
                     Column = Lane % 4 * 2 + I % 2;
      double Total = I + 1;
      for (unsigned K = 0; K < F.Depth; ++K)
        Total += X[Row * F.Depth + K] * Y[K * 8 + Column];
      const int32_t Word = R.Words[10 * Lane + 6 + I];
      EXPECT_EQ(Bytes ? Word : execute::asFloat(static_cast<uint32_t>(Word)),
                Total)
          << F.Name << ' ' << Lane << ' ' << I;
    }
}

TEST(ExecuteMatrices, Products) {
  multiplies({"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 2},
             ScalarType::F16);
  multiplies({"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 8, 2},
             ScalarType::F16);
  multiplies({"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 2},
             ScalarType::BF16);
  multiplies({"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, 1},
             ScalarType::F32);
  multiplies({"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, 1},
             ScalarType::F32);
  multiplies({"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", 16, 4},
             ScalarType::I8);
  multiplies({"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 32, 4},
             ScalarType::I8);
}

TEST(ExecuteMatrices, UnknownFormsAreNotExecuted) {
  using execute::parseMatrixOperation;
  using Registers = std::vector<std::vector<uint32_t>>;
  const Registers Full = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}, {0, 1, 2, 3}};
  EXPECT_TRUE(parseMatrixOperation(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", Full));
  for (const char *Other :
       {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
        "mma.sync.aligned.m16n8k16.row.col.bf16.bf16.bf16.bf16",
        "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32",
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.f16.s32",
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
        "mma.sync.aligned.m8n8k32.row.col.s32.s8.s8.s32",
        "mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"})
    EXPECT_FALSE(parseMatrixOperation(Other, Full)) << Other;
  const Registers Load = {{0, 1}, {2}};
  EXPECT_TRUE(
      parseMatrixOperation("ldmatrix.sync.aligned.m8n8.x2.shared.b16", Load));
  EXPECT_TRUE(
      parseMatrixOperation("ldmatrix.sync.aligned.x2.m8n8.shared.b16", Load));
  EXPECT_TRUE(parseMatrixOperation("ldmatrix.sync.aligned.m8n8.x2.b16", Load));
  for (const char *Other : {"ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                            "ldmatrix.sync.aligned.m8n16.x2.shared.b8",
                            "ldmatrix.sync.aligned.m8n8.x2.global.b16",
                            "ldmatrix.aligned.m8n8.x2.shared.b16"})
    EXPECT_FALSE(parseMatrixOperation(Other, Load)) << Other;
}

} // namespace
