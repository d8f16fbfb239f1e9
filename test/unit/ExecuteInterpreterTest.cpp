//===-- ExecuteInterpreterTest.cpp - The semantics of LLVM IR -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecuteTestSupport.h"
#include "llvm/IR/Function.h"
#include "gtest/gtest.h"

using namespace warpwright;
using execute::Outcome;

namespace {

/// Runs `%r = <Text>` over %a and %b of type \p Type, and stores %r.
TestRun evaluate(const std::string &Text, const std::string &Type, uint64_t A,
                 uint64_t B, const std::string &ResultType = "") {
  const std::string Out = ResultType.empty() ? Type : ResultType;
  TestModule M("define ptx_kernel void @k(ptr %out, " + Type + " %a, " + Type +
               " %b) {\n  %r = " + Text + "\n  store " + Out +
               " %r, ptr %out\n  ret void\n}\n");
  return runKernel(M, "k", {0, 0}, {A, B});
}

/// The result as 32 bits; fails the test if the launch did not end normally.
int32_t valueOf(const std::string &Text, const std::string &Type, uint64_t A,
                uint64_t B) {
  TestRun R = evaluate(Text, Type, A, B);
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  return R.Words[0];
}

/// Whether it is undefined to store a result that depends, through a branch, on
/// that value.
TestRun decide(const std::string &Text, uint64_t A, uint64_t B) {
  TestModule M(
      "define ptx_kernel void @k(ptr %out, i32 %a, i32 %b) {\n  %r = " + Text +
      R"(
  %c = icmp eq i32 %r, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %out
  ret void
no:
  store i32 2, ptr %out
  ret void
})");
  return runKernel(M, "k", {0}, {A, B});
}

TEST(ExecuteInterpreter, IntegersWrap) {
  EXPECT_EQ(valueOf("add i32 %a, %b", "i32", 0x7fffffff, 1), INT32_MIN);
  EXPECT_EQ(valueOf("add i8 %a, %b", "i8", 255, 2), 1);
  EXPECT_EQ(valueOf("mul i16 %a, %b", "i16", 300, 300), 90000 % 65536);
  EXPECT_EQ(valueOf("sub i32 %a, %b", "i32", 0, 1), -1);
}

/// What does not change in a loop is not executed each time. An overflow there
/// is nobody's concern in a loop that is not entered.
TEST(ExecuteInterpreter, InvariantsOfLoopsAreExecutedOnce) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out, i32 %n, i32 %a) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %1 = mul nsw i32 %a, %a
  %2 = add i32 %1, 1
  %3 = mul i32 %2, 3
  %more = add i32 %sum, %3
  %next = add i32 %i, 1
  br label %head
exit:
  store i32 %sum, ptr %out
  ret void
})");
  TestRun R = runKernel(M, "k", {0}, {100, 5});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 100 * 26 * 3);
  EXPECT_LT(R.End.Steps, 100u * 5 + 20);
  R = runKernel(M, "k", {7}, {0, 0x10000});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 0);
}

/// Blocks cost much the same, so the first ones tell that all are too many.
TEST(ExecuteInterpreter, LaunchesThatAreTooLongEndEarly) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out) {
  store i32 1, ptr %out
  ret void
})");
  execute::Interpreter Engine(M.module(), M.Headers);
  execute::Memory Memory;
  execute::Object &Out = Memory.add("out", execute::Space::Array, 4);
  execute::LaunchShape Shape;
  Shape.Grid = {1000, 1, 1};
  execute::RunResult R =
      Engine.run(*M.function("k"), Shape,
                 {execute::Argument::integer(Out.Base)}, Memory, 1000);
  EXPECT_EQ(R.End, Outcome::StepLimit);
  EXPECT_LT(R.Steps, 10u);
}

TEST(ExecuteInterpreter, DivisionsRoundToZero) {
  EXPECT_EQ(valueOf("sdiv i32 %a, %b", "i32", uint32_t(-7), 2), -3);
  EXPECT_EQ(valueOf("srem i32 %a, %b", "i32", uint32_t(-7), 2), -1);
  EXPECT_EQ(valueOf("udiv i32 %a, %b", "i32", uint32_t(-7), 2), 0x7ffffffc);
}

TEST(ExecuteInterpreter, DivisionByZeroIsUndefined) {
  EXPECT_EQ(evaluate("sdiv i32 %a, %b", "i32", 1, 0).End.End,
            Outcome::Undefined);
  EXPECT_EQ(evaluate("urem i32 %a, %b", "i32", 1, 0).End.End,
            Outcome::Undefined);
  EXPECT_EQ(
      evaluate("sdiv i32 %a, %b", "i32", 0x80000000, uint32_t(-1)).End.End,
      Outcome::Undefined);
}

TEST(ExecuteInterpreter, Shifts) {
  EXPECT_EQ(valueOf("shl i32 %a, %b", "i32", 3, 30), int32_t(0xc0000000));
  EXPECT_EQ(valueOf("ashr i32 %a, %b", "i32", uint32_t(-8), 1), -4);
  EXPECT_EQ(valueOf("lshr i32 %a, %b", "i32", uint32_t(-8), 1), 0x7ffffffc);
}

TEST(ExecuteInterpreter, PoisonThatDecidesIsUndefined) {
  EXPECT_EQ(decide("shl i32 %a, %b", 1, 32).End.End, Outcome::Undefined);
  EXPECT_EQ(decide("add nsw i32 %a, %b", 0x7fffffff, 1).End.End,
            Outcome::Undefined);
  EXPECT_EQ(decide("mul nsw i32 %a, %b", 65536, 65536).End.End,
            Outcome::Undefined);
  EXPECT_EQ(decide("add nuw i32 %a, %b", 0xffffffff, 1).End.End,
            Outcome::Undefined);
  EXPECT_EQ(decide("udiv exact i32 %a, %b", 7, 2).End.End, Outcome::Undefined);
  EXPECT_EQ(decide("or disjoint i32 %a, %b", 3, 1).End.End, Outcome::Undefined);
  EXPECT_EQ(decide("add nsw i32 %a, %b", 3, 1).End.End, Outcome::Done);
}

TEST(ExecuteInterpreter, PoisonThatIsNotChosenIsHarmless) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out, i32 %a) {
  %p = add nsw i32 %a, 1
  %c = icmp eq i32 %a, 2147483647
  %r = select i1 %c, i32 5, i32 %p
  store i32 %r, ptr %out
  ret void
})");
  TestRun R = runKernel(M, "k", {0}, {0x7fffffff});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 5);
}

TEST(ExecuteInterpreter, TheReasonNamesTheOperation) {
  TestRun R = decide("add nsw i32 %a, %b", 0x7fffffff, 1);
  EXPECT_NE(R.End.Reason.find("signed integer overflow"), std::string::npos);
  EXPECT_NE(R.End.Reason.find("condition"), std::string::npos);
}

TEST(ExecuteInterpreter, Conversions) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out, i32 %a) {
  %t = trunc i32 %a to i8
  %s = sext i8 %t to i32
  store i32 %s, ptr %out
  %z = zext i8 %t to i32
  %p1 = getelementptr i32, ptr %out, i64 1
  store i32 %z, ptr %p1
  %f = sitofp i32 %s to float
  %h = fmul float %f, 5.000000e-01
  %i = fptosi float %h to i32
  %p2 = getelementptr i32, ptr %out, i64 2
  store i32 %i, ptr %p2
  %u = uitofp i32 %a to double
  %d = fptoui double %u to i32
  %p3 = getelementptr i32, ptr %out, i64 3
  store i32 %d, ptr %p3
  ret void
})");
  TestRun R = runKernel(M, "k", {0, 0, 0, 0}, {0xfffffff1});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words, (std::vector<int32_t>{-15, 241, -7, -15}));
}

TEST(ExecuteInterpreter, AFloatThatFitsNoIntegerHasNoValue) {
  EXPECT_EQ(decide("fptosi float 3.0e+09 to i32", 0, 0).End.End,
            Outcome::Undefined);
}

TEST(ExecuteInterpreter, PhisMoveInParallel) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %done
done:
  store i32 %a, ptr %out
  ret void
})");
  EXPECT_EQ(runKernel(M, "k", {0}, {4}).Words[0], 2);
  EXPECT_EQ(runKernel(M, "k", {0}, {5}).Words[0], 1);
}

TEST(ExecuteInterpreter, Switch) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out, i32 %n) {
  switch i32 %n, label %other [ i32 3, label %three
                                i32 -1, label %minus ]
three:
  store i32 33, ptr %out
  ret void
minus:
  store i32 11, ptr %out
  ret void
other:
  store i32 99, ptr %out
  ret void
})");
  EXPECT_EQ(runKernel(M, "k", {0}, {3}).Words[0], 33);
  EXPECT_EQ(runKernel(M, "k", {0}, {0xffffffff}).Words[0], 11);
  EXPECT_EQ(runKernel(M, "k", {0}, {4}).Words[0], 99);
}

TEST(ExecuteInterpreter, ReadsOfUndefinedMemory) {
  TestModule M(R"(
define ptx_kernel void @decides(ptr %out) {
  %x = alloca i32
  %v = load i32, ptr %x
  %c = icmp eq i32 %v, 0
  br i1 %c, label %a, label %a
a:
  ret void
}
define ptx_kernel void @copied(ptr %out) {
  %x = alloca [2 x i32]
  store i32 7, ptr %x
  %y = alloca [2 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 8, i1 false)
  %v = load i32, ptr %y
  store i32 %v, ptr %out
  ret void
}
define ptx_kernel void @ended(ptr %out) {
  %x = alloca i32
  store i32 7, ptr %x
  call void @llvm.lifetime.end.p0(ptr %x)
  %v = load i32, ptr %x
  %c = icmp eq i32 %v, 7
  br i1 %c, label %a, label %a
a:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.end.p0(ptr)
)");
  TestRun R = runKernel(M, "decides", {0});
  EXPECT_EQ(R.End.End, Outcome::Undefined);
  EXPECT_NE(R.End.Reason.find("memory that nothing was written to"),
            std::string::npos);
  // The undefined half is moved along and not used.
  R = runKernel(M, "copied", {0});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 7);
  EXPECT_EQ(runKernel(M, "ended", {0}).End.End, Outcome::Undefined);
}

TEST(ExecuteInterpreter, AccessesOutsideOfArrays) {
  TestModule M(R"(
define ptx_kernel void @write(ptr %out, i64 %i) {
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @read(ptr %out, i64 %i) {
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  %v = load i32, ptr %p
  ret void
}
define ptx_kernel void @null(ptr %out) {
  store i32 1, ptr null
  ret void
}
define ptx_kernel void @local(ptr %out) {
  %x = alloca [2 x i32]
  %p = getelementptr i32, ptr %x, i64 2
  store i32 1, ptr %p
  ret void
})");
  EXPECT_EQ(runKernel(M, "write", {0, 0}, {1}).End.End, Outcome::Done);
  EXPECT_EQ(runKernel(M, "write", {0, 0}, {2}).End.End, Outcome::OutsideWrite);
  EXPECT_EQ(runKernel(M, "read", {0, 0}, {uint64_t(-1)}).End.End,
            Outcome::OutsideRead);
  // Far beyond the end, where another array might be.
  EXPECT_EQ(runKernel(M, "write", {0, 0}, {uint64_t(1) << 38}).End.End,
            Outcome::Undefined);
  EXPECT_EQ(runKernel(M, "null", {0}).End.End, Outcome::Undefined);
  EXPECT_EQ(runKernel(M, "local", {0}).End.End, Outcome::Undefined);
}

TEST(ExecuteInterpreter, CopiesBetweenOverlappingBytes) {
  TestModule M(R"(
define ptx_kernel void @copy(ptr %out) {
  %p = getelementptr i32, ptr %out, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %out, i64 8, i1 false)
  ret void
}
define ptx_kernel void @move(ptr %out) {
  %p = getelementptr i32, ptr %out, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %out, i64 8, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
)");
  EXPECT_EQ(runKernel(M, "copy", {1, 2, 3}).End.End, Outcome::Undefined);
  TestRun R = runKernel(M, "move", {1, 2, 3});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words, (std::vector<int32_t>{1, 1, 2}));
}

TEST(ExecuteInterpreter, ByValArgumentsAreCopies) {
  TestModule M(R"(
define void @change(ptr byval([2 x i32]) %p) {
  store i32 9, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %out) {
  %x = alloca [2 x i32]
  store i32 4, ptr %x
  call void @change(ptr byval([2 x i32]) %x)
  %v = load i32, ptr %x
  store i32 %v, ptr %out
  ret void
})");
  TestRun R = runKernel(M, "k", {0});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 4);
}

TEST(ExecuteInterpreter, AggregatesAndVectors) {
  TestModule M(R"(
define { i32, [2 x i32] } @pair(i32 %a) {
  %s = insertvalue { i32, [2 x i32] } undef, i32 %a, 0
  %t = insertvalue { i32, [2 x i32] } %s, i32 5, 1, 1
  %u = insertvalue { i32, [2 x i32] } %t, i32 6, 1, 0
  ret { i32, [2 x i32] } %u
}
define ptx_kernel void @k(ptr %out, i32 %a) {
  %p = call { i32, [2 x i32] } @pair(i32 %a)
  %x = extractvalue { i32, [2 x i32] } %p, 1, 1
  %v = insertelement <2 x i32> zeroinitializer, i32 %x, i32 1
  %w = add <2 x i32> %v, <i32 10, i32 20>
  %q = shufflevector <2 x i32> %w, <2 x i32> %w, <2 x i32> <i32 1, i32 0>
  store <2 x i32> %q, ptr %out
  %b = bitcast <2 x i32> %q to i64
  %h = lshr i64 %b, 32
  %l = trunc i64 %h to i32
  %o = getelementptr i32, ptr %out, i64 2
  store i32 %l, ptr %o
  ret void
})");
  TestRun R = runKernel(M, "k", {0, 0, 0}, {1});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words, (std::vector<int32_t>{25, 10, 10}));
}

TEST(ExecuteInterpreter, IndirectCallsAndTables) {
  TestModule M(R"(
@table = constant [2 x ptr] [ptr @one, ptr @two]
define i32 @one() {
  ret i32 111
}
define i32 @two() {
  ret i32 222
}
define ptx_kernel void @k(ptr %out, i64 %i) {
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %f = load ptr, ptr %p
  %r = call i32 %f()
  store i32 %r, ptr %out
  ret void
})");
  TestRun R = runKernel(M, "k", {0}, {1});
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 222);
}

TEST(ExecuteInterpreter, RecursionAndStepLimit) {
  TestModule M(R"(
define i32 @sum(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %more
end:
  ret i32 0
more:
  %m = sub i32 %n, 1
  %r = call i32 @sum(i32 %m)
  %s = add i32 %r, %n
  ret i32 %s
}
define ptx_kernel void @k(ptr %out, i32 %n) {
  %r = call i32 @sum(i32 %n)
  store i32 %r, ptr %out
  ret void
}
define ptx_kernel void @forever(ptr %out) {
  br label %l
l:
  br label %l
})");
  EXPECT_EQ(runKernel(M, "k", {0}, {10}).Words[0], 55);
  EXPECT_EQ(runKernel(M, "k", {0}, {10000}).End.End, Outcome::NotExecutable);
  EXPECT_EQ(runKernel(M, "forever", {0}).End.End, Outcome::StepLimit);
}

/// Each thread writes to the place \p Where; then all read their neighbour's.
std::string exchange(const char *Barrier, const char *Index) {
  return std::string(R"(
@tile = internal addrspace(3) global [32 x i32] undef
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [32 x i32], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 )") +
         Index + R"(
  store i32 %t, ptr %p
)" + Barrier +
         R"(
  %n = add i32 %t, 1
  %m = and i32 %n, 7
  %q = getelementptr [32 x i32], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %m
  %v = load i32, ptr %q
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
})";
}

execute::LaunchShape blockOf(uint32_t Threads, uint32_t Blocks = 1) {
  execute::LaunchShape S;
  S.Block[0] = Threads;
  S.Grid[0] = Blocks;
  return S;
}

const char *const Sync =
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

TEST(ExecuteInterpreter, BarriersOrderSharedMemory) {
  TestModule M(exchange(Sync, "%t"));
  TestRun R = runKernel(M, "k", std::vector<int32_t>(8), {}, blockOf(8));
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words, (std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 0}));
}

TEST(ExecuteInterpreter, WithoutABarrierItIsARace) {
  TestModule M(exchange("", "%t"));
  TestRun R = runKernel(M, "k", std::vector<int32_t>(8), {}, blockOf(8));
  EXPECT_EQ(R.End.End, Outcome::SharedRace);
  TestModule Same(exchange(Sync, "0"));
  R = runKernel(Same, "k", std::vector<int32_t>(8), {}, blockOf(8));
  EXPECT_EQ(R.End.End, Outcome::SharedRace);
  EXPECT_NE(R.End.Reason.find("races with another thread"), std::string::npos);
}

TEST(ExecuteInterpreter, BlocksRaceOnGlobalMemory) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr %out
  ret void
}
define ptx_kernel void @same(ptr %out) {
  store i32 5, ptr %out
  ret void
})");
  EXPECT_EQ(runKernel(M, "k", {0}, {}, blockOf(1, 2)).End.End,
            Outcome::Undefined);
  EXPECT_EQ(runKernel(M, "same", {0}, {}, blockOf(1, 2)).End.End,
            Outcome::Done);
}

TEST(ExecuteInterpreter, DivergentBarriers) {
  TestModule M(std::string(R"(
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, 3
  br i1 %c, label %a, label %b
a:
  )") + Sync + R"(
  ret void
b:
  )" + Sync + R"(
  ret void
})");
  EXPECT_EQ(runKernel(M, "k", {0}, {}, blockOf(8)).End.End, Outcome::Undefined);
}

TEST(ExecuteInterpreter, ShufflesAndVotes) {
  TestModule M(R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)
  %c = icmp eq i32 %t, 5
  %a = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %c)
  %z = zext i1 %a to i32
  %h = mul i32 %z, 100
  %s = add i32 %v, %h
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %o
  ret void
})");
  TestRun R = runKernel(M, "k", std::vector<int32_t>(8), {}, blockOf(8));
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words,
            (std::vector<int32_t>{101, 100, 103, 102, 105, 104, 107, 106}));
}

TEST(ExecuteInterpreter, AtomicsDoNotRaceWithEachOther) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out) {
  %o = atomicrmw add ptr %out, i32 3 monotonic
  ret void
})");
  TestRun R = runKernel(M, "k", {1}, {}, blockOf(8, 2));
  EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  EXPECT_EQ(R.Words[0], 49);
}

TEST(ExecuteInterpreter, UnknownFunctionsAreNotExecuted) {
  TestModule M(R"(
declare i32 @elsewhere(i32)
define ptx_kernel void @k(ptr %out, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %call
call:
  %r = call i32 @elsewhere(i32 %n)
  store i32 %r, ptr %out
  ret void
end:
  ret void
})");
  EXPECT_EQ(runKernel(M, "k", {0}, {0}).End.End, Outcome::Done);
  TestRun R = runKernel(M, "k", {0}, {1});
  EXPECT_EQ(R.End.End, Outcome::NotExecutable);
  EXPECT_NE(R.End.Reason.find("'elsewhere'"), std::string::npos);
}

/// A user's function is not a library function because it has the same name.
TEST(ExecuteInterpreter, HeaderFunctionsAreKnownByIdentity) {
  const char *Text = R"(
define float @fmaxf(float %a, float %b) {
  ret float 4.200000e+01
}
define ptx_kernel void @k(ptr %out) {
  %r = call float @fmaxf(float 1.0, float 2.0)
  %i = fptosi float %r to i32
  store i32 %i, ptr %out
  ret void
})";
  TestModule Own(Text);
  EXPECT_EQ(runKernel(Own, "k", {0}).Words[0], 42);
  TestModule Library(Text);
  Library.Headers["fmaxf"] = "fmaxf";
  EXPECT_EQ(runKernel(Library, "k", {0}).Words[0], 2);
}

TEST(ExecuteInterpreter, HalfFunctionsOfHeaders) {
  // Executed from their inline assembly, and by name.
  const char *Text = R"(
%struct.__half = type { i16 }
define %struct.__half @_Z12__float2halff(float %a) {
  %r = call i16 asm "{  cvt.rn.f16.f32 $0, $1;}\0A", "=h,f"(float %a)
  %s = insertvalue %struct.__half poison, i16 %r, 0
  ret %struct.__half %s
}
define i16 @add(i16 %a, i16 %b) {
  %r = call i16 asm "{add.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %a, i16 %b)
  ret i16 %r
}
define i32 @upper(i32 %a) {
  %r = call i16 asm "{.reg .f16 low,high;\0A mov.b32 {low,high}, $1;\0A mov.b16 $0, high;}", "=h,r"(i32 %a)
  %z = zext i16 %r to i32
  ret i32 %z
}
define ptx_kernel void @k(ptr %out) {
  %h = call %struct.__half @_Z12__float2halff(float 0x3FF0020000000000)
  %i = extractvalue %struct.__half %h, 0
  %z = zext i16 %i to i32
  store i32 %z, ptr %out
  %s = call i16 @add(i16 15360, i16 14336)
  %y = zext i16 %s to i32
  %p = getelementptr i32, ptr %out, i64 1
  store i32 %y, ptr %p
  %u = call i32 @upper(i32 -559038737)
  %q = getelementptr i32, ptr %out, i64 2
  store i32 %u, ptr %q
  ret void
})";
  for (bool Named : {false, true}) {
    TestModule M(Text);
    if (Named)
      M.Headers["_Z12__float2halff"] = "__float2half";
    TestRun R = runKernel(M, "k", {0, 0, 0});
    EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
    // 1 + 2^-11 lies in the middle between two halves: rounded to even, which
    // is down. 1 + 0.5 is 1.5.
    EXPECT_EQ(R.Words[0], 0x3c00);
    EXPECT_EQ(R.Words[1], 0x3e00);
    EXPECT_EQ(R.Words[2], 0xdead);
  }
}

TEST(ExecuteInterpreter, ProductsOfPackedBytes) {
  auto Result = [](std::string Types, const char *Sum) {
    TestModule M(R"(
define ptx_kernel void @k(ptr %out) {
  %r = call i32 asm sideeffect "dp4a.)" +
                 Types +
                 R"( $0, $1, $2, $3;", "=r,r,r,r"(i32 -2, i32 33686018, i32 )" +
                 Sum + R"()
  store i32 %r, ptr %out
  ret void
})");
    TestRun R = runKernel(M, "k", {0});
    EXPECT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
    return static_cast<int32_t>(R.Words[0]);
  };
  // (-2, -1, -1, -1) or (254, 255, 255, 255) times 2.
  EXPECT_EQ(Result("s32.s32", "7"), -3);
  EXPECT_EQ(Result("u32.s32", "7"), 2045);
  EXPECT_EQ(Result("s32.u32", "7"), -3);
  EXPECT_EQ(Result("u32.u32", "-1"), 2037);
  // The sum wraps around.
  EXPECT_EQ(Result("s32.s32", "-2147483648"), 2147483638);
}

TEST(ExecuteInterpreter, AssemblyConvertsTwoNumbersOf8Bits) {
  auto Result = [](llvm::StringRef Code, llvm::StringRef Constraints,
                   llvm::StringRef Arguments) {
    const llvm::StringRef T = Constraints.starts_with("=h") ? "i16" : "i32";
    TestModule M(("define ptx_kernel void @k(ptr %out) {\n  %r = call " + T +
                  " asm \"{" + Code + ";}\", \"" + Constraints + "\"(" +
                  Arguments + ")\n  store " + T +
                  " %r, ptr %out\n  ret void\n}")
                     .str());
    TestRun R = runKernel(M, "k", {0});
    EXPECT_EQ(R.End.End, Outcome::Done) << Code.str() << R.End.Reason;
    return static_cast<uint32_t>(R.Words[0]);
  };
  // The first operand is the upper half; too large a number saturates.
  const char *Floats = "float 1.0, float -1000.0";
  EXPECT_EQ(Result("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2", "=h,f,f", Floats),
            0x38feu);
  EXPECT_EQ(Result("cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2", "=h,f,f", Floats),
            0x3ce4u);
  EXPECT_EQ(Result("cvt.rn.satfinite.e5m2x2.f16x2 $0, $1", "=h,r",
                   "i32 2080374785"), // 0x7c00 and 0x0001: infinity
            0x7b00u);
  EXPECT_EQ(Result("cvt.rn.f16x2.e4m3x2 $0, $1", "=r,h", "i16 14590"), // 38fe
            0x3c00df00u);
  EXPECT_EQ(Result("cvt.rn.f16x2.e5m2x2 $0, $1", "=r,h", "i16 124"), // 007c
            0x00007c00u);
}

TEST(ExecuteInterpreter, UnknownAssemblyIsNotExecuted) {
  TestModule M(R"(
define ptx_kernel void @k(ptr %out) {
  %r = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 3)
  store i32 %r, ptr %out
  ret void
})");
  EXPECT_EQ(runKernel(M, "k", {0}).End.End, Outcome::NotExecutable);
}

TEST(ExecuteInterpreter, SmallFormatsRoundToNearestEven) {
  using namespace execute;
  for (uint32_t Bits = 0; Bits < 0x7c00; ++Bits)
    ASSERT_EQ(doubleToHalf(halfToDouble(uint16_t(Bits))), Bits);
  for (uint32_t Bits = 0; Bits < 0x7f80; ++Bits)
    ASSERT_EQ(doubleToBFloat(bfloatToDouble(uint16_t(Bits))), Bits);
  EXPECT_EQ(doubleToHalf(65519), 0x7bff);
  EXPECT_EQ(doubleToHalf(65520), 0x7c00);
  EXPECT_EQ(doubleToHalf(0x1p-25), 0);
  EXPECT_EQ(doubleToHalf(0x1.8p-25), 1);
  EXPECT_EQ(doubleToBFloat(1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(doubleToBFloat(1 + 0x1.8p-8), 0x3f81);
  // One rounding: rounding the product first would change the sum.
  EXPECT_EQ(fromReal(ScalarType::F16, fmaToOdd(1, 1 + 0x1p-10, 0x1p-60)).Bits,
            0x3c01u);
  EXPECT_EQ(fma({ScalarType::F16, 0x3c00}, {ScalarType::F16, 0x1000},
                {ScalarType::F16, 0x3c00})
                .Bits,
            0x3c00u);
}

} // namespace
