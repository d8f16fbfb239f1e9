//===-- ExecuteAsyncTest.cpp - Copies that come about later ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecuteTestSupport.h"
#include "gtest/gtest.h"

using namespace warpwright;
using execute::Outcome;

namespace {

/// Every thread copies its word to shared memory, as \p Wait says waits for it,
/// and stores the word of thread `t ^ Other` behind the rest.
TestRun copyWords(const std::string &Wait, unsigned Other = 1,
                  unsigned Threads = 4) {
  TestModule M(R"(
@tile = internal addrspace(3) global [8 x i32] undef, align 16
define void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %a, i32 %t
  %p = getelementptr [8 x i32], ptr addrspace(3) @tile, i32 0, i32 %t
  %wide = ptrtoint ptr addrspace(3) %p to i64
  %to = trunc i64 %wide to i32
  %inside = icmp ult i32 %t, 3
  %bytes = select i1 %inside, i32 4, i32 0
)" + Wait + R"(
  %other = xor i32 %t, )" +
               std::to_string(Other) + R"(
  %q = getelementptr [8 x i32], ptr addrspace(3) @tile, i32 0, i32 %other
  %x = load i32, ptr addrspace(3) %q
  %n = add i32 %t, 8
  %out = getelementptr i32, ptr %a, i32 %n
  store i32 %x, ptr %out
  ret void
}
)");
  execute::LaunchShape Shape;
  Shape.Block = {Threads, 1, 1};
  return runKernel(M, "k",
                   {10, 11, 12, 13, 14, 15, 16, 17, 0, 0, 0, 0, 0, 0, 0, 0}, {},
                   Shape);
}

const std::string Copy = R"(
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4;", "r,l"(i32 %to, ptr %from)
)";
const std::string Commit = R"(
  call void asm sideeffect "cp.async.commit_group;", ""()
)";
std::string wait(int Left) {
  return "\n  call void asm sideeffect \"cp.async.wait_group $0;\", "
         "\"n\"(i32 " +
         std::to_string(Left) + ")\n";
}
const std::string WaitAll = R"(
  call void asm sideeffect "cp.async.wait_all;", "~{memory}"()
)";
const std::string Barrier = R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)";

void expectWords(const TestRun &R, std::vector<int32_t> Words) {
  ASSERT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  for (size_t N = 0; N < Words.size(); ++N)
    EXPECT_EQ(R.Words[8 + N], Words[N]) << N;
}

TEST(ExecuteAsync, CopiesAreThereBehindWaitAndBarrier) {
  expectWords(copyWords(Copy + Commit + wait(0) + Barrier), {11, 10, 13, 12});
  expectWords(copyWords(Copy + WaitAll + Barrier), {11, 10, 13, 12});
  // Of two groups the first is not left.
  expectWords(copyWords(Copy + Commit + Commit + wait(1) + Barrier),
              {11, 10, 13, 12});
}

TEST(ExecuteAsync, OwnCopiesNeedNoBarrier) {
  expectWords(copyWords(Copy + Commit + wait(0), /*Other=*/0),
              {10, 11, 12, 13});
}

TEST(ExecuteAsync, ReadsOfCopiesThatNobodyWaitsFor) {
  EXPECT_EQ(copyWords(Copy + Commit + Barrier).End.End, Outcome::CopyUnderWay);
  EXPECT_EQ(copyWords(Copy + Commit + wait(1) + Barrier).End.End,
            Outcome::CopyUnderWay);
  // In no group that was closed.
  EXPECT_EQ(copyWords(Copy + wait(0) + Barrier).End.End, Outcome::CopyUnderWay);
  EXPECT_EQ(copyWords(Copy + wait(0) + Commit + Barrier).End.End,
            Outcome::CopyUnderWay);
  EXPECT_EQ(copyWords(Copy, /*Other=*/0).End.End, Outcome::CopyUnderWay);
}

TEST(ExecuteAsync, OthersNeedABarrierBehindTheWait) {
  EXPECT_NE(copyWords(Copy + Commit + wait(0)).End.End, Outcome::Done);
  EXPECT_NE(copyWords(Copy + Commit + Barrier + wait(0)).End.End,
            Outcome::Done);
}

TEST(ExecuteAsync, StoresOverCopies) {
  const std::string Store = "\n  store i32 1, ptr addrspace(3) %p\n";
  EXPECT_EQ(copyWords(Copy + Commit + Store + wait(0) + Barrier).End.End,
            Outcome::CopyUnderWay);
  EXPECT_EQ(copyWords(Copy + Copy + Commit + wait(0) + Barrier).End.End,
            Outcome::CopyUnderWay);
  expectWords(copyWords(Store + Copy + Commit + wait(0) + Barrier),
              {11, 10, 13, 12});
  expectWords(copyWords(Copy + Commit + wait(0) + Store + Barrier),
              {1, 1, 1, 1});
}

TEST(ExecuteAsync, ZerosAndPredicates) {
  expectWords(copyWords(R"(
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4, $2;", "r,l,r"(i32 %to, ptr %from, i32 %bytes)
)" + Commit + wait(0) + Barrier),
              {11, 10, 0, 12});
  expectWords(copyWords(R"(
  store i32 7, ptr addrspace(3) %p
  call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $2, 0; @p cp.async.ca.shared.global [$0], [$1], 4; }", "r,l,r"(i32 %to, ptr %from, i32 %bytes)
)" + Commit + wait(0) + Barrier),
              {11, 10, 7, 12});
}

TEST(ExecuteAsync, OtherInstructionsAreNotExecuted) {
  EXPECT_EQ(copyWords(R"(
  call void asm sideeffect "cp.async.mbarrier.arrive.shared.b64 [$0];", "r"(i32 %to)
)")
                .End.End,
            Outcome::NotExecutable);
}

} // namespace
