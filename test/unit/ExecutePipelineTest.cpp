//===-- ExecutePipelineTest.cpp - Pipelines of the block ------------------===//
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

namespace pipeline_test {

/// Four threads make a pipeline of two stages in shared memory and then do what
/// \p Body says. `%p` is a word of the thread's own in shared memory, `%q` that
/// of its neighbour, `%from` the thread's word of the array and `%out` one for
/// its result.
static TestRun run(const std::string &Body, const std::string &Threads = "4") {
  TestModule M(R"(
@state = internal addrspace(3) global [5 x i64] undef, align 8
@tile = internal addrspace(3) global [8 x i32] undef, align 16
declare void @__warpwright_pipeline_make(ptr, i32, i32)
declare void @__warpwright_pipeline_acquire(ptr, i32, i32, i32)
declare void @__warpwright_pipeline_commit(ptr, i32, i32, i32)
declare void @__warpwright_pipeline_wait(ptr, i32, i32, i32)
declare void @__warpwright_pipeline_release(ptr, i32, i32, i32)
define void @k(ptr %a) {
  %s = addrspacecast ptr addrspace(3) @state to ptr
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %a, i32 %t
  %p = getelementptr [8 x i32], ptr addrspace(3) @tile, i32 0, i32 %t
  %wide = ptrtoint ptr addrspace(3) %p to i64
  %to = trunc i64 %wide to i32
  %other = xor i32 %t, 1
  %q = getelementptr [8 x i32], ptr addrspace(3) @tile, i32 0, i32 %other
  %n = add i32 %t, 8
  %out = getelementptr i32, ptr %a, i32 %n
  call void @__warpwright_pipeline_make(ptr %s, i32 2, i32 )" +
               Threads + R"()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)" + Body + R"(
  ret void
}
)");
  for (const char *Name : {"make", "acquire", "commit", "wait", "release"}) {
    const std::string Function = std::string("__warpwright_pipeline_") + Name;
    M.Headers[Function] = Function;
  }
  execute::LaunchShape Shape;
  Shape.Block = {4, 1, 1};
  return runKernel(M, "k",
                   {10, 11, 12, 13, 14, 15, 16, 17, 0, 0, 0, 0, 0, 0, 0, 0}, {},
                   Shape);
}

static std::string call(const std::string &What, int Before) {
  return "\n  call void @__warpwright_pipeline_" + What +
         "(ptr %s, i32 2, i32 " + std::to_string(Before) + ", i32 0)\n";
}
const std::string Copy = R"(
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4;", "r,l"(i32 %to, ptr %from)
)";
const std::string Store = "\n  store i32 %t, ptr addrspace(3) %p\n";
const std::string Read = R"(
  %x = load i32, ptr addrspace(3) %q
  store i32 %x, ptr %out
)";

static void expectWords(const TestRun &R, std::vector<int32_t> Words) {
  ASSERT_EQ(R.End.End, Outcome::Done) << R.End.Reason;
  for (size_t N = 0; N < Words.size(); ++N)
    EXPECT_EQ(R.Words[8 + N], Words[N]) << N;
}

TEST(ExecutePipeline, OthersSeeWhatWasCommitted) {
  expectWords(run(call("acquire", 0) + Copy + call("commit", 0) +
                  call("wait", 0) + Read + call("release", 0)),
              {11, 10, 13, 12});
  expectWords(run(call("acquire", 0) + Store + call("commit", 0) +
                  call("wait", 0) + Read + call("release", 0)),
              {1, 0, 3, 2});
}

TEST(ExecutePipeline, OnlyWhatWasWaitedForIsThere) {
  EXPECT_NE(run(call("acquire", 0) + Copy + call("commit", 0) + Read).End.End,
            Outcome::Done);
  // In the next stage, which nobody waits for.
  const std::string Next = call("acquire", 0) + call("commit", 0) +
                           call("acquire", 1) + Copy + call("commit", 1);
  EXPECT_NE(run(Next + call("wait", 0) + Read).End.End, Outcome::Done);
  expectWords(
      run(Next + call("wait", 0) + call("release", 0) + call("wait", 1) + Read),
      {11, 10, 13, 12});
  // A store that was made after the commit.
  EXPECT_EQ(run(call("acquire", 0) + call("commit", 0) + Store +
                call("wait", 0) + Read)
                .End.End,
            Outcome::SharedRace);
}

TEST(ExecutePipeline, AStageIsFilledAgainOnceAllHaveReleasedIt) {
  const std::string Filled = call("acquire", 0) + Store + call("commit", 0) +
                             call("acquire", 1) + call("commit", 1) +
                             call("wait", 0);
  // The words are those of the first stage, not of the third one.
  expectWords(run(Filled + Read + call("release", 0) + call("acquire", 2) +
                  Copy + call("commit", 2)),
              {1, 0, 3, 2});
  // Before it is acquired, others may still read it.
  EXPECT_EQ(run(Filled + Read + call("release", 0) + Copy).End.End,
            Outcome::CopyUnderWay);
  // What is read after the release may be read too late.
  EXPECT_EQ(run(Filled + call("release", 0) + Read + call("acquire", 2) + Copy)
                .End.End,
            Outcome::SharedRace);
}

TEST(ExecutePipeline, WrongUse) {
  EXPECT_EQ(run(call("acquire", 0) + call("commit", 0) + call("acquire", 1) +
                call("commit", 1) + call("acquire", 2))
                .End.End,
            Outcome::Undefined)
      << "nobody releases a stage";
  EXPECT_EQ(run(call("wait", 0)).End.End, Outcome::Undefined)
      << "nobody commits a stage";
  EXPECT_EQ(
      run(call("commit", 0) + call("commit", 1) + call("commit", 2)).End.End,
      Outcome::Undefined);
  EXPECT_EQ(run(call("commit", 0) + call("release", 0)).End.End,
            Outcome::Undefined);
  EXPECT_EQ(run("", "2").End.End, Outcome::NotExecutable);
}

} // namespace pipeline_test
