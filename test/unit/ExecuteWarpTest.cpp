//===-- ExecuteWarpTest.cpp - What the threads of a warp do together ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute/Fragments.h"
#include "ExecuteTestSupport.h"
#include "warpwright/Execute/Execute.h"
#include "llvm/IR/Function.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace warpwright;
using execute::Outcome;
using Verdict = CheckReport::Verdict;

namespace {

//===----------------------------------------------------------------------===//
// One product of fragments
//===----------------------------------------------------------------------===//

/// D = A * B + C by one warp.
struct Product {
  unsigned M, N, K;
  std::string Factor; ///< f16, bf16, tf32
  std::string Old, New;
  bool ARows, BRows, CRows, DRows;
};

ScalarType typeOf(const std::string &Name) {
  return Name == "f16"    ? ScalarType::F16
         : Name == "bf16" ? ScalarType::BF16
                          : ScalarType::F32;
}

/// The type in LLVM of a register, and how many a thread has.
std::string registerOf(const std::string &Name, bool Operand) {
  return Name == "f16" ? "<2 x half>" : Operand ? "i32" : "float";
}
unsigned registers(const std::string &Name, unsigned Elements, bool Operand) {
  if (Name == "f16")
    return Operand ? 8 : Elements / 64;
  return Elements / (Name == "bf16" ? 64 : 32);
}
std::string list(const std::string &Text, unsigned Count,
                 const std::string &Name = "") {
  std::string Result;
  for (unsigned I = 0; I < Count; ++I)
    Result += (I ? ", " : "") + Text +
              (Name.empty() ? "" : " %" + Name + std::to_string(I));
  return Result;
}

/// The kernel as Clang makes it of nvcuda::wmma. \p Between stands behind the
/// loads and may name %a0, %b0, %c0 and so on; the product takes %x0 for %a0
/// where \p First is set, and what is stored is %d0 and so on.
std::string kernelOf(const Product &P, const std::string &Between = "",
                     bool First = false) {
  const std::string Shape = "m" + std::to_string(P.M) + "n" +
                            std::to_string(P.N) + "k" + std::to_string(P.K);
  struct Part {
    const char *Name, *Array;
    std::string Type;
    bool Operand, Rows;
    unsigned Height, Width;
  };
  const Part Parts[] = {{"a", "A", P.Factor, true, P.ARows, P.M, P.K},
                        {"b", "B", P.Factor, true, P.BRows, P.K, P.N},
                        {"c", "C", P.Old, false, P.CRows, P.M, P.N}};
  std::string Declarations, Body, Arguments, Types;
  for (const Part &X : Parts) {
    const std::string R = registerOf(X.Type, X.Operand);
    const unsigned Count = registers(X.Type, X.Height * X.Width, X.Operand);
    const std::string Name = "@llvm.nvvm.wmma." + Shape + ".load." + X.Name +
                             (X.Rows ? ".row" : ".col") + ".stride." + X.Type +
                             ".p0";
    const std::string Struct = "{ " + list(R, Count) + " }";
    // Rows and columns are four elements further apart than they must be.
    const unsigned Stride = (X.Rows ? X.Width : X.Height) + 4;
    Declarations += "declare " + Struct + " " + Name + "(ptr, i32)\n";
    Body += std::string("  %") + X.Name + " = call " + Struct + " " + Name +
            "(ptr %" + X.Array + ", i32 " + std::to_string(Stride) + ")\n";
    for (unsigned I = 0; I < Count; ++I) {
      const std::string Number = std::to_string(I);
      Body += std::string("  %") + X.Name + Number + " = extractvalue " +
              Struct + " %" + X.Name + ", " + Number + "\n";
    }
    std::string These = list(R, Count, X.Name);
    if (First && X.Array[0] == 'A')
      These.replace(These.find("%a0"), 3, "%x0");
    Arguments += (Arguments.empty() ? "" : ", ") + These;
    Types += (Types.empty() ? "" : ", ") + list(R, Count);
  }
  Body += Between;
  const std::string R = registerOf(P.New, false);
  const unsigned Count = registers(P.New, P.M * P.N, false);
  const std::string Struct = "{ " + list(R, Count) + " }";
  std::string Multiply = "@llvm.nvvm.wmma." + Shape + ".mma" +
                         (P.ARows ? ".row" : ".col") +
                         (P.BRows ? ".row" : ".col");
  Multiply += P.Factor == "f16" ? "." + P.New + "." + P.Old : "." + P.Factor;
  const std::string Store = "@llvm.nvvm.wmma." + Shape + ".store.d" +
                            (P.DRows ? ".row" : ".col") + ".stride." + P.New +
                            ".p0";
  Declarations += "declare " + Struct + " " + Multiply + "(" + Types + ")\n";
  Declarations +=
      "declare void " + Store + "(ptr, " + list(R, Count) + ", i32)\n";
  Body += "  %d = call " + Struct + " " + Multiply + "(" + Arguments + ")\n";
  for (unsigned I = 0; I < Count; ++I) {
    const std::string Number = std::to_string(I);
    Body +=
        "  %d" + Number + " = extractvalue " + Struct + " %d, " + Number + "\n";
  }
  Body += "  call void " + Store + "(ptr %D, " + list(R, Count, "d") +
          ", i32 " + std::to_string((P.DRows ? P.N : P.M) + 4) + ")\n";
  return Declarations +
         "define ptx_kernel void @k(ptr %A, ptr %B, ptr %C, ptr %D) {\n" +
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + Body +
         "  ret void\n}\n";
}

/// A matrix in memory.
struct Stored {
  ScalarType Type = ScalarType::F32;
  unsigned Height = 0, Width = 0;
  bool Rows = true;
  std::vector<double> Values; ///< row by row

  size_t place(unsigned Row, unsigned Column) const {
    return Rows ? Row * (Width + 4) + Column : Column * (Height + 4) + Row;
  }
  size_t size() const {
    return (Rows ? Height * (Width + 4) : Width * (Height + 4)) *
           byteSize(Type);
  }
};

struct Outputs {
  execute::RunResult End;
  std::vector<double> Values;
  std::vector<bool> Defined;
};

/// Runs the kernel of \p Text. Bytes of arrays that no element is in, and
/// elements that are NaN, are not defined.
Outputs run(const Product &P, const std::string &Text, const Stored &A,
            const Stored &B, const Stored &C, uint64_t Seed = 1,
            unsigned Threads = 32) {
  TestModule M(Text);
  execute::Interpreter I(M.module(), M.Headers);
  execute::Memory Mem;
  std::vector<execute::Argument> Arguments;
  Stored D = {typeOf(P.New), P.M, P.N, P.DRows, {}};
  execute::Object *Out = nullptr;
  for (const Stored *S : {&A, &B, &C, static_cast<const Stored *>(&D)}) {
    Out = &Mem.add("array", execute::Space::Array, S->size());
    Out->trackHistory();
    Out->trackDefined(false);
    Arguments.push_back(execute::Argument::integer(Out->Base));
    for (size_t V = 0; V < S->Values.size(); ++V) {
      if (std::isnan(S->Values[V]))
        continue;
      const unsigned Bytes = byteSize(S->Type);
      const size_t At = Bytes * S->place(static_cast<unsigned>(V) / S->Width,
                                         static_cast<unsigned>(V) % S->Width);
      const execute::Num X = execute::fromReal(S->Type, S->Values[V]);
      std::memcpy(&Out->Bytes[At], &X.Bits, Bytes);
      std::memset(&Out->Defined[At], 1, Bytes);
    }
  }
  execute::LaunchShape Shape;
  Shape.Block[0] = Threads;
  Outputs Result;
  Result.End = I.run(*M.function("k"), Shape, Arguments, Mem, 1000000, Seed);
  for (unsigned Row = 0; Row < P.M; ++Row)
    for (unsigned Column = 0; Column < P.N; ++Column) {
      const size_t At = D.place(Row, Column) * byteSize(D.Type);
      execute::Num X = {D.Type, 0};
      std::memcpy(&X.Bits, &Out->Bytes[At], byteSize(D.Type));
      Result.Values.push_back(X.real());
      Result.Defined.push_back(Out->isDefined(At, byteSize(D.Type)));
    }
  return Result;
}

/// Small integers that repeat in no direction.
Stored integers(ScalarType T, unsigned Height, unsigned Width, bool Rows,
                unsigned Start) {
  Stored S = {T, Height, Width, Rows, {}};
  uint32_t X = Start;
  for (unsigned I = 0; I < Height * Width; ++I) {
    X = X * 1664525 + 1013904223;
    S.Values.push_back(static_cast<int>(X >> 24) % 7 - 3);
  }
  return S;
}

struct Matrices {
  Stored A, B, C;
  explicit Matrices(const Product &P)
      : A(integers(typeOf(P.Factor), P.M, P.K, P.ARows, 1)),
        B(integers(typeOf(P.Factor), P.K, P.N, P.BRows, 2)),
        C(integers(typeOf(P.Old), P.M, P.N, P.CRows, 3)) {}
  std::vector<double> expected() const {
    std::vector<double> Result = C.Values;
    for (unsigned Row = 0; Row < A.Height; ++Row)
      for (unsigned Column = 0; Column < B.Width; ++Column)
        for (unsigned K = 0; K < A.Width; ++K)
          Result[Row * B.Width + Column] +=
              A.Values[Row * A.Width + K] * B.Values[K * B.Width + Column];
    return Result;
  }
};

Outputs run(const Product &P, const Matrices &X, uint64_t Seed = 1) {
  return run(P, kernelOf(P), X.A, X.B, X.C, Seed);
}

const Product Plain = {16, 16, 16, "f16", "f32", "f32", true, true, true, true};

TEST(ExecuteWarp, ProductsOfAllShapesTypesAndLayouts) {
  std::vector<Product> All;
  for (auto [M, N] : {std::pair(16u, 16u), {32u, 8u}, {8u, 32u}}) {
    for (const char *Old : {"f16", "f32"})
      for (const char *New : {"f16", "f32"})
        All.push_back({M, N, 16, "f16", Old, New, true, true, true, true});
    All.push_back({M, N, 16, "bf16", "f32", "f32", true, true, true, true});
  }
  All.push_back({16, 16, 8, "tf32", "f32", "f32", true, true, true, true});
  for (Product P : All)
    for (unsigned Layouts = 0; Layouts < 16; ++Layouts) {
      P.ARows = Layouts & 1;
      P.BRows = Layouts & 2;
      P.CRows = Layouts & 4;
      P.DRows = Layouts & 8;
      const Matrices X(P);
      const Outputs R = run(P, X, Layouts);
      ASSERT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
      EXPECT_EQ(R.Values, X.expected())
          << P.M << ' ' << P.N << ' ' << P.Factor << ' ' << P.Old << ' '
          << P.New << ' ' << Layouts;
    }
}

TEST(ExecuteWarp, AccumulatorsRoundInTheirType) {
  Product P = Plain;
  Matrices X(P);
  std::fill(X.A.Values.begin(), X.A.Values.end(), 0.0);
  std::fill(X.B.Values.begin(), X.B.Values.end(), 1.0);
  std::fill(X.C.Values.begin(), X.C.Values.end(), 2048.0);
  X.A.Values[0] = 1;             // row 0: a tie, to even
  X.A.Values[16] = 1.0009765625; // row 1: beyond the tie
  X.A.Values[32] = 0x1p-14;      // row 2: lost in half and in float
  X.A.Values[48] = 6e4;
  X.A.Values[49] = 6e4; // row 3: beyond the largest half
  Outputs R = run(P, X);
  EXPECT_EQ(R.Values[0], 2049);
  EXPECT_EQ(R.Values[16], 2049.0009765625);
  EXPECT_EQ(R.Values[32], 2048);
  EXPECT_EQ(R.Values[48], 122048);
  P.Old = P.New = "f16";
  X.C.Type = ScalarType::F16;
  R = run(P, X);
  EXPECT_EQ(R.Values[0], 2048);
  EXPECT_EQ(R.Values[16], 2050);
  EXPECT_EQ(R.Values[32], 2048);
  EXPECT_TRUE(std::isinf(R.Values[48]));
}

TEST(ExecuteWarp, WhoHoldsAnElementIsDrawnForEachLaunch) {
  // What is done to one register of an accumulator shows where it is.
  std::string Text = kernelOf(Plain, "  %x = fadd float %c0, 100.0\n");
  const size_t At = Text.rfind("float %c0");
  Text.replace(At, 9, "float %x");
  const Matrices X(Plain);
  const Outputs First = run(Plain, Text, X.A, X.B, X.C, 1),
                Again = run(Plain, Text, X.A, X.B, X.C, 1),
                Second = run(Plain, Text, X.A, X.B, X.C, 2);
  EXPECT_EQ(First.End.End, Outcome::Done) << First.End.Reason;
  EXPECT_EQ(First.Values, Again.Values);
  EXPECT_NE(First.Values, Second.Values);
  // The fragments of half and of float agree, and those of one launch.
  execute::FragmentLayouts Layouts;
  Layouts.reset(1);
  execute::FragmentType F;
  F.Rows = F.Columns = 16;
  const std::vector<uint16_t> Floats = Layouts.of(F).vec();
  F.Element = ScalarType::F16;
  EXPECT_EQ(Layouts.of(F).vec(), Floats);
  std::vector<uint16_t> Sorted = Floats;
  llvm::sort(Sorted);
  for (unsigned I = 0; I < 256; ++I)
    EXPECT_EQ(Sorted[I], I);
  // A half operand has room for each element twice.
  F.Part = execute::FragmentType::Use::A;
  Sorted = Layouts.of(F).vec();
  llvm::sort(Sorted);
  ASSERT_EQ(Sorted.size(), 512u);
  for (unsigned I = 0; I < 512; ++I)
    EXPECT_EQ(Sorted[I], I / 2);
}

TEST(ExecuteWarp, CopiesOfAnElementThatDisagreeAreNotExecuted) {
  const Matrices X(Plain);
  const std::string Zeroed = "  %x0 = fadd <2 x half> %a0, %a0\n";
  const Outputs R = run(Plain, kernelOf(Plain, Zeroed, true), X.A, X.B, X.C);
  EXPECT_EQ(R.End.End, Outcome::NotExecutable);
  EXPECT_NE(R.End.Reason.find("one by one"), std::string::npos);
}

TEST(ExecuteWarp, UndefinedElementsSpoilTheirRowsAndColumns) {
  Matrices X(Plain);
  X.A.Values[3 * 16 + 5] = std::nan("");
  X.B.Values[2 * 16 + 7] = std::nan("");
  X.C.Values[1 * 16 + 4] = std::nan("");
  const Outputs R = run(Plain, X);
  ASSERT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  for (unsigned Row = 0; Row < 16; ++Row)
    for (unsigned Column = 0; Column < 16; ++Column)
      EXPECT_EQ(R.Defined[Row * 16 + Column],
                Row != 3 && Column != 7 && !(Row == 1 && Column == 4));
}

TEST(ExecuteWarp, FloatsThatAreNoTf32AreNotExecuted) {
  Product P = Plain;
  P.K = 8;
  P.Factor = "tf32";
  Matrices X(P);
  EXPECT_EQ(run(P, X).End.End, Outcome::Done);
  X.B.Values[9] = 1 + 0x1p-10;
  EXPECT_EQ(run(P, X).End.End, Outcome::Done);
  X.B.Values[9] = 1 + 0x1p-11;
  EXPECT_EQ(run(P, X).End.End, Outcome::NotExecutable);
}

TEST(ExecuteWarp, RoundingToTf32) {
  // As Clang has it, and as CUDA's header does.
  TestModule M(R"(
declare i32 @llvm.nvvm.f2tf32.rna(float)
define ptx_kernel void @k(ptr %out, i32 %bits) {
  %x = bitcast i32 %bits to float
  %r = call i32 @llvm.nvvm.f2tf32.rna(float %x)
  store i32 %r, ptr %out
  %s = call float asm "{\0A  .reg .b32 __$$1;\0A   cvt.rna.tf32.f32 __$$1, $1;\0A   mov.b32 $0, __$$1;\0A}\0A", "=f,f"(float %x)
  %p = getelementptr float, ptr %out, i32 1
  store float %s, ptr %p
  ret void
})");
  for (auto [From, To] : {std::pair(0x3f800fffu, 0x3f800000u),
                          {0x3f801000u, 0x3f802000u},
                          {0xbf803000u, 0xbf804000u},
                          {0x3fffffffu, 0x40000000u},
                          {0x7f800000u, 0x7f800000u}}) {
    const TestRun R = runKernel(M, "k", {0, 0}, {From});
    EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
    EXPECT_EQ(R.Words, (std::vector<int32_t>{int32_t(To), int32_t(To)}));
  }
}

TEST(ExecuteWarp, UnknownFragmentsAreNotExecuted) {
  using execute::parseFragmentOperation;
  for (const char *Known :
       {"m16n16k16.load.a.row.stride.f16.p0", "m32n8k16.mma.col.row.bf16",
        "m16n16k8.store.d.col.stride.f32.p0", "m8n32k16.mma.row.row.f16.f32",
        "m16n16k8.load.b.row.stride.tf32.p0",
        "m16n16k16.load.a.row.stride.s8.p0", "m32n8k16.mma.row.col.u8",
        "m8n32k16.load.c.col.stride.s32.p0", "m8n8k4.mma.row.col.f64",
        "m8n8k4.store.d.row.stride.f64.p0"})
    EXPECT_TRUE(parseFragmentOperation(Known)) << Known;
  for (const char *Other :
       {"m8n8k32.load.a.row.stride.s4.p0", "m16n16k16.mma.row.col.s8.satfinite",
        "m16n16k16.mma.row.col.f32.f32.satfinite", "m16n16k16.mma.row.col.f64",
        "m8n8k4.load.c.row.stride.f32.p0", "m16n16k16.load.a.row.stride.s32.p0",
        "m16n16k16.load.c.row.stride.s8.p0", "m16n16k16.mma.row.col.s32",
        "m16n16k16.load.a.row.f16.p0", "m16n16k8.load.a.row.stride.f16.p0",
        "m16n16k16.load.a.row.stride.f32.p0",
        "m16n16k16.load.c.row.stride.bf16.p0", "m16n16k16.mma.row.col.tf32",
        "m16n16k16.mma.row.col.f32.bf16", "m16n16k16.load.a.up.stride.f16.p0",
        "mma", ""})
    EXPECT_FALSE(parseFragmentOperation(Other)) << Other;
}

//===----------------------------------------------------------------------===//
// Who takes part
//===----------------------------------------------------------------------===//

TEST(ExecuteWarp, AllThreadsOfAWarpHaveToTakePart) {
  const Matrices X(Plain);
  const std::string Text = kernelOf(Plain);
  // A warp with fewer threads, and a block whose last warp has fewer.
  for (unsigned Threads : {1, 31, 33})
    EXPECT_EQ(run(Plain, Text, X.A, X.B, X.C, 1, Threads).End.End,
              Outcome::Divergence);
  const std::string Start = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  auto Guarded = [&](const std::string &Condition) {
    std::string Other = Text;
    Other.insert(Other.find(Start) + Start.size(),
                 "  %in = icmp " + Condition +
                     ", %t\n  br i1 %in, label %do, label %leave\nleave:\n"
                     "  ret void\ndo:\n");
    return run(Plain, Other, X.A, X.B, X.C);
  };
  const Outputs Some = Guarded("ugt i32 16");
  EXPECT_EQ(Some.End.End, Outcome::Divergence);
  EXPECT_NE(Some.End.Reason.find("not all threads of a warp"),
            std::string::npos);
  EXPECT_EQ(Guarded("ugt i32 32").End.End, Outcome::Done);
  // Also where the others wait for something else that is not complete.
  std::string Other = "declare void @llvm.nvvm.bar.warp.sync(i32)\n" + Text;
  Other.insert(Other.find(Start) + Start.size(),
               "  %in = icmp ult i32 %t, 16\n"
               "  br i1 %in, label %wait, label %do\nwait:\n"
               "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
               "  br label %do\ndo:\n");
  EXPECT_EQ(run(Plain, Other, X.A, X.B, X.C).End.End, Outcome::Divergence);
}

TEST(ExecuteWarp, AllThreadsOfAWarpNameOneMatrix) {
  const Matrices X(Plain);
  std::string Text = kernelOf(Plain);
  const std::string Call = "(ptr %B, i32 20)";
  Text.replace(Text.find(Call), Call.size(), "(ptr %B, i32 %t)");
  const Outputs R = run(Plain, Text, X.A, X.B, X.C);
  EXPECT_EQ(R.End.End, Outcome::Divergence);
  EXPECT_NE(R.End.Reason.find("different matrices"), std::string::npos);
}

TEST(ExecuteWarp, LanesMeetAtSeveralPlaces) {
  // Half of the warp exchanges values among itself while the others wait at
  // the barrier of the warp that follows.
  TestModule M(R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ugt i32 %t, 15
  br i1 %c, label %upper, label %all
upper:
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -65536, i32 %t, i32 1, i32 31)
  br label %all
all:
  %x = phi i32 [ %v, %upper ], [ 0, %0 ]
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %x, ptr %o
  ret void
})");
  execute::LaunchShape Shape;
  Shape.Block[0] = 32;
  TestRun R = runKernel(M, "k", std::vector<int32_t>(32), {}, Shape);
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  for (int32_t T = 0; T < 32; ++T)
    EXPECT_EQ(R.Words[T], T < 16 ? 0 : T ^ 1);
  // Without the second half, the barrier is not complete.
  TestModule Other(R"(
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ugt i32 %t, 15
  br i1 %c, label %upper, label %lower
upper:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
lower:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  ret void
})");
  EXPECT_EQ(runKernel(Other, "k", {0}, {}, Shape).End.End, Outcome::Undefined);
}

//===----------------------------------------------------------------------===//
// Kernels of fragments
//===----------------------------------------------------------------------===//

/// As Clang compiles it:
///   for (k = 0; k < K / 16; ++k) { load a; load b; mma_sync(c, a, b, c); }
///   c.x[i] *= scale; store
/// with a warp for each 16 by 16 outputs, B in columns. Sums in half are stored
/// as they are.
std::string gemm(bool HalfSums = false) {
  const std::string Sum = HalfSums ? "f16" : "f32",
                    Register = registerOf(Sum, false);
  const unsigned Count = registers(Sum, 256, false);
  const std::string Factors = "{ " + list("<2 x half>", 8) + " }",
                    Sums = "{ " + list(Register, Count) + " }";
  const std::string Shape = "@llvm.nvvm.wmma.m16n16k16.",
                    LoadA = Shape + "load.a.row.stride.f16.p0",
                    LoadB = Shape + "load.b.col.stride.f16.p0",
                    Multiply = Shape + "mma.row.col." + Sum + "." + Sum,
                    Store = Shape + "store.d.row.stride." + Sum + ".p0";
  std::string Text = "declare " + Factors + " " + LoadA + "(ptr, i32)\n" +
                     "declare " + Factors + " " + LoadB + "(ptr, i32)\n" +
                     "declare " + Sums + " " + Multiply + "(" +
                     list("<2 x half>", 16) + ", " + list(Register, Count) +
                     ")\n" + "declare void " + Store + "(ptr, " +
                     list(Register, Count) + ", i32)\n" + R"(
define ptx_kernel void @gemm(ptr %A, ptr %B, ptr %C, i32 %N, i32 %K, float %scale) {
entry:
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tx, 5
  %m64 = mul i32 %by, 64
  %mw = mul i32 %warp, 16
  %m = add i32 %m64, %mw
  %n = mul i32 %bx, 16
  %steps = sdiv i32 %K, 16
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
)";
  auto ForEach = [](unsigned Count, auto Line) {
    std::string Lines;
    for (unsigned I = 0; I < Count; ++I)
      Lines += "  " + Line(std::to_string(I)) + "\n";
    return Lines;
  };
  Text += ForEach(Count, [&](const std::string &I) {
    return "%c" + I + " = phi " + Register +
           " [ zeroinitializer, %entry ], [ %d" + I + ", %body ]";
  });
  Text += R"(  %more = icmp slt i32 %k, %steps
  br i1 %more, label %body, label %end
body:
  %k16 = mul nsw i32 %k, 16
  %ra = mul nsw i32 %m, %K
  %ia = add nsw i32 %ra, %k16
  %pa = getelementptr half, ptr %A, i32 %ia
  %rb = mul nsw i32 %n, %K
  %ib = add nsw i32 %rb, %k16
  %pb = getelementptr half, ptr %B, i32 %ib
)";
  Text += "  %a = call " + Factors + " " + LoadA + "(ptr %pa, i32 %K)\n";
  Text += "  %b = call " + Factors + " " + LoadB + "(ptr %pb, i32 %K)\n";
  for (const std::string Operand : {"a", "b"})
    Text += ForEach(8, [&](const std::string &I) {
      return "%" + Operand + I + " = extractvalue " + Factors + " %" + Operand +
             ", " + I;
    });
  Text += "  %d = call " + Sums + " " + Multiply + "(" +
          list("<2 x half>", 8, "a") + ", " + list("<2 x half>", 8, "b") +
          ", " + list(Register, Count, "c") + ")\n";
  Text += ForEach(Count, [&](const std::string &I) {
    return "%d" + I + " = extractvalue " + Sums + " %d, " + I;
  });
  Text += "  %next = add nsw i32 %k, 1\n  br label %loop\nend:\n";
  Text += ForEach(HalfSums ? 0 : Count, [&](const std::string &I) {
    return "%e" + I + " = fmul float %scale, %c" + I;
  });
  Text += "  %ro = mul nsw i32 %m, %N\n  %io = add nsw i32 %ro, %n\n";
  Text += std::string("  %po = getelementptr ") +
          (HalfSums ? "half" : "float") + ", ptr %C, i32 %io\n";
  return Text + "  call void " + Store + "(ptr %po, " +
         list(Register, Count, HalfSums ? "c" : "e") +
         ", i32 %N)\n  ret void\n}\n";
}

const char *const Gemm = R"(contraction "gemm" {
  index %b < 1
  index %m < 64 * gridDim.y
  index %n < 16 * gridDim.x
  index %k < 16 * floordiv(K, 16)
  operand A = A[%m * K + %k]:f16
  operand B = B[%n * K + %k]:f16
  accumulate f32
  output C[%m * N + %n]:f32 = (scale:f32 * acc)
  require blockDim.x == 128 : "blockDim.x is not 128"
  require blockDim.y == 1 : "blockDim.y is not 1"
  require blockDim.z == 1 : "blockDim.z is not 1"
  require gridDim.z == 1 : "gridDim.z is not 1"
  require N >= 16 * gridDim.x : "rows of the output overlap"
  require K >= 0 : "K is negative"
  offsets i32
})";

std::string replaced(std::string Text, const std::string &From,
                     const std::string &To) {
  const size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  return Text.replace(At, From.size(), To);
}

CheckReport check(const TestModule &M, const std::string &Text,
                  uint64_t Seed = 1) {
  auto C = parseContraction(Text);
  if (!C) {
    ADD_FAILURE() << llvm::toString(C.takeError());
    return {};
  }
  KernelIR K = M.kernel("gemm", ScalarType::F16);
  K.Params[2].Type = C->Outputs[0].Type;
  CheckOptions Options;
  Options.Seed = Seed;
  return checkContraction(K, M.Headers, *C, Options);
}

TEST(ExecuteWarp, BarriersOfAWarpOrderThatWarp) {
  // Thread t of 64 stores element \p To, and after \p Barrier it reads element
  // \p From.
  auto With = [](const std::string &Places, const std::string &Barrier,
                 const std::string &Again = "") {
    TestModule M(R"(
@s = internal addrspace(3) global [64 x i32] undef
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + Places + R"(
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %to
  store i32 %t, ptr addrspace(3) %p
)" + Barrier + R"(
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %from
  %x = load i32, ptr addrspace(3) %q
)" + Again + R"(
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %x, ptr %o
  ret void
})");
    execute::LaunchShape Shape;
    Shape.Block[0] = 64;
    return runKernel(M, "k", std::vector<int32_t>(64), {}, Shape);
  };
  const std::string Warp = "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
  const std::string Block =
      "call void @llvm.nvvm.barrier.cta.sync.all(i32 0)\n";
  const std::string Lane = "%to = or i32 %t, 0\n%from = xor i32 %t, 5\n",
                    Other = "%to = or i32 %t, 0\n%from = xor i32 %t, 37\n";
  const TestRun R = With(Lane, Warp);
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  for (int32_t T = 0; T < 64; ++T)
    EXPECT_EQ(R.Words[T], T ^ 5);
  EXPECT_EQ(With(Lane, "").End.End, Outcome::SharedRace);
  // The lanes that take part are not all of the warp.
  EXPECT_EQ(With(Lane, "%half = and i32 %t, 16\n%m = shl i32 65535, %half\n"
                       "call void @llvm.nvvm.bar.warp.sync(i32 %m)\n")
                .End.End,
            Outcome::SharedRace);
  // What the other warp stores is ordered by a barrier of the block alone.
  EXPECT_EQ(With(Other, Warp).End.End, Outcome::SharedRace);
  EXPECT_EQ(With(Other, Block).End.End, Outcome::Done);
  EXPECT_EQ(With(Other, Block + Warp).End.End, Outcome::Done);
  // It may still read, too, also if this warp has read later.
  const std::string Store =
      "%z = getelementptr i32, ptr addrspace(3) @s, i32 %from2\n"
      "store i32 7, ptr addrspace(3) %z\n";
  auto Rewritten = [&](const std::string &Which, const std::string &Between) {
    return With(Lane, Warp, "%from2 = " + Which + "\n" + Between + Store)
        .End.End;
  };
  EXPECT_EQ(Rewritten("xor i32 %t, 9", Warp), Outcome::Done);
  EXPECT_EQ(Rewritten("xor i32 %t, 9", ""), Outcome::SharedRace);
  EXPECT_EQ(Rewritten("xor i32 %t, 41", Warp), Outcome::SharedRace);
  EXPECT_EQ(Rewritten("xor i32 %t, 41", Block), Outcome::Done);
  // All of both warps read one element, which one of them changes.
  const std::string One = "%to = or i32 %t, 0\n%from = and i32 %t, 0\n";
  const std::string First =
      "%f = icmp eq i32 %t, 3\nbr i1 %f, label %do, label %on\ndo:\n"
      "store i32 7, ptr addrspace(3) @s\nbr label %on\non:\n";
  EXPECT_EQ(With(One, Block, Warp + First).End.End, Outcome::SharedRace);
  EXPECT_EQ(With(One, Block, Block + First).End.End, Outcome::Done);
}

TEST(ExecuteWarp, TheContractionOfFragmentsAgrees) {
  TestModule M(gemm());
  for (uint64_t Seed : {1, 2, 3}) {
    const CheckReport R = check(M, Gemm, Seed);
    EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
    EXPECT_TRUE(R.Complete);
    EXPECT_EQ(R.Discarded, 0u) << R.Message;
  }
}

TEST(ExecuteWarp, AnotherContractionDiffers) {
  TestModule M(gemm());
  for (auto [From, To] : {std::pair("B[%n * K + %k]", "B[%k * N + %n]"),
                          {"A[%m * K + %k]", "A[%m * K + %k + 1]"},
                          {"floordiv(K, 16)", "floordiv(K + 15, 16)"},
                          {"(scale:f32 * acc)", "acc"},
                          {"%m < 64 *", "%m < 16 *"},
                          {"C[%m * N + %n]", "C[%n * N + %m]"}})
    EXPECT_EQ(check(M, replaced(Gemm, From, To)).Result, Verdict::Differs)
        << To;
}

TEST(ExecuteWarp, SumsInHalfRoundWithinTheBound) {
  TestModule M(gemm(/*HalfSums=*/true));
  const std::string Text =
      replaced(replaced(Gemm, ":f32 = (scale:f32 * acc)", ":f16 = f16(acc)"),
               "accumulate f32", "accumulate f32 for f16");
  for (uint64_t Seed : {1, 2, 3}) {
    const CheckReport R = check(M, Text, Seed);
    EXPECT_EQ(R.Result, Verdict::Agrees) << R.Message << R.Reproducer;
    EXPECT_TRUE(R.Complete);
  }
  EXPECT_EQ(
      check(M, replaced(Text, "f16(acc)", "f16((acc * 1.01f:f32))")).Result,
      Verdict::Differs);
}

TEST(ExecuteWarp, SumsNearWhereTheEpilogueJumps) {
  // Large terms cancel and leave a small sum. What another order of rounding
  // leaves of it is nearer to 0, where the epilogue jumps: here a quarter.
  std::string Text = gemm();
  for (unsigned I = 0; I < 8; ++I) {
    const std::string N = std::to_string(I);
    Text = replaced(
        Text, "%e" + N + " = fmul float %scale, %c" + N,
        "%q" + N + " = fmul float %c" + N + ", 2.5e-1\n  %l" + N +
            " = fcmp olt float %c" + N + ", 1.52587890625e-5\n  %r" + N +
            " = select i1 %l" + N + ", float %q" + N + ", float %c" + N +
            "\n  %p" + N + " = fcmp ogt float %c" + N + ", 0.0\n  %e" + N +
            " = select i1 %p" + N + ", float %r" + N + ", float %scale");
  }
  TestModule M(Text);
  const std::string Jump =
      replaced(Gemm, "(scale:f32 * acc)",
               "select(fcmp(acc > 0.0f:f32), acc, scale:f32)");
  for (uint64_t Seed = 1; Seed < 9; ++Seed) {
    const CheckReport R = check(M, Jump, Seed);
    EXPECT_EQ(R.Result, Verdict::Agrees) << Seed << R.Message;
  }
}

TEST(ExecuteWarp, AWarpThatPartsIsADifference) {
  // The lift has to ask for whole warps.
  TestModule M(gemm());
  const CheckReport R = check(
      M, replaced(Gemm, "require blockDim.x == 128 : \"blockDim.x is not 128\"",
                  "require blockDim.x == 100 : \"blockDim.x is not 100\""));
  EXPECT_EQ(R.Result, Verdict::Differs);
  EXPECT_NE(R.Message.find("not all threads of a warp"), std::string::npos)
      << R.Message;
}

TEST(ExecuteWarp, AKernelThatLooksAtPlacesDiffers) {
  TestModule M(replaced(gemm(), "%e0 = fmul float %scale, %c0",
                        "%e0 = fmul float %c0, %c0"));
  EXPECT_EQ(check(M, Gemm).Result, Verdict::Differs);
}

} // namespace
