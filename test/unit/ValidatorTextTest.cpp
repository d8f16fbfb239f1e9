//===- ValidatorTextTest.cpp - Protocols follow the runtime ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The validator's protocol is what the runtime's roles do, written down a
// second time as data: the calls in their text are the same ones in the same
// order.
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"
#include "warpwright/Plan/Protocol.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

/// What stands for each call of the runtime that concerns the protocol.
const std::pair<StringRef, Site> Calls[] = {
    {"barrier_init(&full", Site::Init},
    {"block_or_cluster_sync<", Site::FirstSync},
    {"barrier_wait(&empty", Site::WaitEmpty},
    {"barrier_expect(", Site::ExpectBytes},
    {"load_operand<rows, boxes_together>(", Site::CopyRows},
    {"load_operand<cols, boxes_together>(", Site::CopyColumns},
    {"named_barrier_sync(Plan::turn_barrier", Site::TakeTurn},
    {"barrier_wait(&full", Site::WaitFull},
    {"wgmma_fence()", Site::FenceOperands},
    {"wgmma_commit()", Site::Multiply},
    {"wgmma_wait<1>()", Site::WaitProducts},
    {"named_barrier_arrive(Plan::turn_barrier", Site::PassTurn},
    {"wgmma_wait_all(acc)", Site::WaitLast},
    {"tma_store_wait_read<Slab::buffers - 1>()", Site::WaitBuffer},
    {"= value(acc[i]", Site::ReadProducts},
    {"fence_async_shared();", Site::FenceSlab},
    {"tma_store_3d(map, buffer", Site::StoreSlab},
    {"tma_store_commit();", Site::CommitStore},
    {"copy_slab<T, Slab>(buffer", Site::CopySlab},
    {"drain_stores()", Site::DrainStores},
    {"  cluster_sync();", Site::LastSync},
};

/// The sites in \p Text, in order. \p Also: what a call means there only.
std::vector<Site> sitesIn(StringRef Text,
                          std::vector<std::pair<StringRef, Site>> Also = {}) {
  llvm::append_range(Also, Calls);
  std::vector<Site> Sites;
  for (size_t At = 0; At < Text.size(); ++At) {
    auto Call = llvm::find_if(Also, [&](const auto &Each) {
      return Text.substr(At).starts_with(Each.first);
    });
    if (Call != Also.end())
      Sites.push_back(Call->second);
  }
  return Sites;
}

/// The runtime's sources, function by function.
class RuntimeText {
public:
  explicit RuntimeText(const char *File)
      : Buffer(MemoryBuffer::getFile((WARPWRIGHT_TEST_INPUTS
                                      "/../../runtime/include/warpwright/rt/" +
                                      Twine(File)))) {}
  StringRef function(StringRef Name) const {
    EXPECT_TRUE(bool(Buffer));
    StringRef Text = (*Buffer)->getBuffer();
    EXPECT_TRUE(Text.contains(Name)) << Name.str();
    return Text.substr(Text.find(Name)).split("\n}\n").first;
  }

private:
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer;
};

/// Of one slab.
std::vector<Site> slabSites() {
  const RuntimeText Epilogue("epilogue.cuh");
  auto Meet = [](Site S) {
    return std::pair<StringRef, Site>("named_barrier_sync(barrier, 128)", S);
  };
  std::vector<Site> Slab =
      sitesIn(Epilogue.function("stage_slab("),
              {Meet(Site::SyncBuffer),
               {"  if constexpr (sizeof(T) == 2) {", Site::StageSlab}});
  llvm::append_range(
      Slab, sitesIn(Epilogue.function("store_slab("), {Meet(Site::SyncSlab)}));
  EXPECT_TRUE(
      Epilogue.function("drain_stores(").contains("tma_store_wait_read<0>()"));
  return Slab;
}

std::vector<Site> sitesOf(const ProtocolAgent &A) {
  std::vector<Site> Sites;
  for (const ProtocolOp &Op : A.Script)
    if (Sites.empty() || Sites.back() != Op.Where || Op.K == ProtocolOp::Copy)
      Sites.push_back(Op.Where);
  return Sites;
}

using Call = std::pair<StringRef, Site>;

/// What the kernel does: the function of each role is called in one place.
const Call Produces = {"produce<Plan>(", Site::WaitEmpty};
const Call Transforms = {"transform<Plan>(", Site::SplitBlocks};
const Call Stores = {"store_staged<Plan>(", Site::StageSlab};

/// The kernel's calls with those of a consumer, which is a function of its own,
/// in their place, for the feed of which \p Others are not called.
std::vector<Site> kernelSites(const Call &Multiply,
                              std::vector<StringRef> Others) {
  const RuntimeText Kernel("kernel.cuh");
  std::string Consumer = Kernel.function("\nconsume(int group").str();
  if (Multiply.first.starts_with("multiply_straight")) {
    // Called behind a multiplication, and before the sums are stored.
    const RuntimeText Straight("feed_straight.cuh");
    const StringRef Finish = "finish_straight<Plan>(acc, at, barriers.empty);";
    EXPECT_TRUE(StringRef(Consumer).contains(Finish));
    const size_t At = Consumer.find(Finish);
    Consumer.replace(At, Finish.size(),
                     Straight.function("finish_straight(float").str());
  }
  for (StringRef Other : Others)
    EXPECT_TRUE(StringRef(Consumer).contains(Other)) << Other.str();
  const std::vector<Site> OfConsumer = sitesIn(
      Consumer, {{"release_stage<", Site::ReleaseLast}, Multiply, Stores});
  std::string Text =
      Kernel.function(" init() const").split("\n  }\n").first.str() +
      Kernel.function("hopper_kernel(const").str();
  std::vector<Site> Sites;
  for (Site S : sitesIn(
           Text, {Produces, Transforms, {"consume<Plan>(", Site::Multiply}}))
    if (S == Site::Multiply)
      llvm::append_range(Sites, OfConsumer);
    else
      Sites.push_back(S);
  return Sites;
}

/// For a tile of two blocks.
TEST(ValidatorText, ProtocolsFollowTheText) {
  const RuntimeText Load("load.cuh"), Straight("feed_straight.cuh");
  const StringRef ProduceText = Load.function("void produce(");
  const StringRef MultiplyText = Straight.function("multiply_straight(float");
  std::vector<Site> Produce = sitesIn(ProduceText);
  std::vector<Site> Multiply =
      sitesIn(MultiplyText, {{"release_stage<", Site::Release}});
  std::vector<Site> Slab = slabSites();
  std::vector<Site> Kernel =
      kernelSites({"multiply_straight<Plan>(", Site::Multiply},
                  {"multiply_rounding<Plan>(acc", "multiply_parts<Plan>(acc"});

  // Expand the kernel's text for the leading warp of a group that has one tile
  // of the turns, and for the producer.
  std::vector<Site> Leader, Producer;
  for (Site S : Kernel) {
    if (S == Site::WaitEmpty) {
      for (int Block = 0; Block < 2; ++Block)
        llvm::append_range(Producer, Produce);
    } else if (S == Site::Multiply) {
      for (int Block = 0; Block < 2; ++Block)
        for (Site Inner : Multiply)
          if (Inner != Site::Release || Block > 0) // `if (block > 0)`
            Leader.push_back(Inner);
    } else if (S == Site::StageSlab) {
      for (int Part = 0; Part < 2; ++Part)
        llvm::append_range(Leader, Slab);
    } else if (S == Site::Init) {
      Producer.push_back(S);
    } else if (S == Site::FirstSync || S == Site::LastSync) {
      Leader.push_back(S);
      Producer.push_back(S);
    } else {
      Leader.push_back(S);
    }
  }
  llvm::erase(Leader, Site::CopySlab);    // the other way out
  llvm::erase(Leader, Site::SplitBlocks); // of other plans
  Leader.push_back(Site::Exit);
  Producer.push_back(Site::Exit);

  // One box for each operand, and two slabs.
  PlanChoice Choice = smallChoice();
  Choice.TileM = 64;
  Choice.Schedule = &pingpongSchedule();
  ProtocolRun Run;
  Run.KBlocks = 2;
  Run.Tiles = 3;
  const Protocol P = buildProtocol(planOf(Choice, 'N', 'T'), Run);
  std::vector<Site> Second = sitesOf(P.Agents[5]); // has the second tile
  EXPECT_EQ(P.Agents[5].Name, "CTA 0 consumer 1 warp 0");
  EXPECT_GT(Leader.size(), 30u);
  EXPECT_EQ(Second, Leader);
  Run.Tiles = 1;
  EXPECT_EQ(sitesOf(buildProtocol(planOf(Choice, 'N', 'T'), Run).Agents[0]),
            Producer);
  // The waits' parities, and what the text says of them.
  EXPECT_TRUE(ProduceText.contains("&empty[at.stage], at.phase ^ 1"));
  EXPECT_TRUE(MultiplyText.contains("&full[at.stage], at.phase)"));
}

/// Of a warp of the transform, for one stage. \p Block calls a function whose
/// text is \p Body for a block.
std::vector<Site> transformSites(const Call &Block, StringRef Body) {
  const RuntimeText Split("split.cuh");
  const StringRef Publish = Split.function(" publish_stage(");
  // Each thread signals for itself.
  EXPECT_LT(Publish.find("fence_async_shared()"),
            Publish.find("barrier_arrive("));
  EXPECT_EQ(Publish.find("threadIdx"), StringRef::npos);
  std::vector<Site> Sites;
  for (Site S :
       sitesIn(RuntimeText("feed_parts.cuh").function("void transform("),
               {Block, {"publish_stage(", Site::FenceParts}}))
    if (S == Site::SplitBlocks)
      llvm::append_range(
          Sites, sitesIn(Body, {{"store_parts<", Site::SplitBlocks},
                                {"store_shared_1(scales", Site::WriteScales}}));
    else if (S == Site::FenceParts)
      llvm::append_range(
          Sites, sitesIn(Publish, {{"fence_async_shared()", Site::FenceParts},
                                   {"barrier_arrive(", Site::SignalReady}}));
    else
      Sites.push_back(S);
  return Sites;
}

/// The kernel's text for the leading warp of a consumer and for one of the
/// transform; \p MultiplyCall stands for \p Multiply.
std::pair<std::vector<Site>, std::vector<Site>>
splitSites(const Call &MultiplyCall, ArrayRef<Site> Multiply,
           ArrayRef<Site> Transform) {
  std::vector<Site> Leader, Warp;
  for (Site S : kernelSites(MultiplyCall, {})) {
    if (S == Site::Multiply)
      llvm::append_range(Leader, Multiply);
    else if (S == Site::SplitBlocks)
      llvm::append_range(Warp, Transform);
    else if (S == Site::StageSlab)
      for (int Part = 0; Part < 4; ++Part)
        llvm::append_range(Leader, slabSites());
    else if (S == Site::FirstSync || S == Site::LastSync)
      Leader.push_back(S), Warp.push_back(S);
    else if (S != Site::Init && S != Site::WaitEmpty && S != Site::TakeTurn &&
             S != Site::PassTurn)
      Leader.push_back(S);
  }
  llvm::erase(Leader, Site::CopySlab);
  Leader.push_back(Site::Exit);
  Warp.push_back(Site::Exit);
  return {Leader, Warp};
}

/// The same with a transform, for a tile of one block.
TEST(ValidatorText, SplitProtocolsFollowTheText) {
  // The products of low parts are a function of their own.
  const RuntimeText Parts("feed_parts.cuh");
  std::string Text = Parts.function("multiply_parts(float").str();
  const StringRef LowCall = "multiply_low_parts<Plan>(";
  ASSERT_TRUE(StringRef(Text).contains(LowCall));
  Text.replace(Text.find(LowCall), LowCall.size(),
               Parts.function("multiply_low_parts(float").str());
  const auto [Low, High] = StringRef(Text).split("scale_low_products");
  std::vector<Site> Multiply = sitesIn(
      Low, {{"barrier_wait(&ready[at.stage], at.phase)", Site::WaitReady},
            {"raw_blocks<", Site::ReadFlags},
            {"wgmma_commit()", Site::MultiplyLow},
            {"wgmma_wait_all(acc)", Site::WaitLow}});
  Multiply.push_back(Site::ScaleLow);
  for (Site S :
       sitesIn(High, {{"wgmma_commit()", Site::MultiplyHigh},
                      {"wgmma_wait_all(acc)", Site::WaitHigh},
                      {"promote<", Site::Promote},
                      {"multiply_raw<", Site::MultiplyRaw},
                      {"release_stage_by_thread<", Site::ReleaseWindow}})) {
    if (S == Site::Promote)
      Multiply.push_back(Site::ReadScales);
    if (S == Site::MultiplyRaw)
      Multiply.push_back(Site::ReadRawScales);
    Multiply.push_back(S);
  }

  const std::vector<Site> Transform =
      transformSites({"split_block<Plan, rows>", Site::SplitBlocks},
                     RuntimeText("split.cuh").function(" split_block("));
  auto [Leader, Warp] = splitSites({"multiply_parts<Plan>(", Site::Multiply},
                                   Multiply, Transform);
  ProtocolRun Run;
  Run.RawBlocks = true;
  const Protocol P = buildProtocol(splitPlanOf(), Run);
  EXPECT_EQ(P.Agents[1].Name, "CTA 0 transform 0 warp 0");
  EXPECT_EQ(sitesOf(P.Agents[1]), Warp);
  EXPECT_EQ(P.Agents[9].Name, "CTA 0 consumer 0 warp 0");
  EXPECT_EQ(sitesOf(P.Agents[9]), Leader);
}

/// With rows in registers, for a tile of two blocks.
TEST(ValidatorText, RoundingProtocolsFollowTheText) {
  const std::vector<Call> Also = {
      {"barrier_wait(&ready[at.stage], at.phase)", Site::WaitReady},
      {"any_flag<", Site::ReadFlags},
      {"column_flag<", Site::ReadFlags},
      {"look_at_rows<", Site::LookAtRows},
      {"promote<", Site::Promote},
      {"multiply_rows<", Site::MultiplyRaw},
      {"round_rows<", Site::RoundRows},
      {"release_stage_by_thread<Plan::cluster_size>(&empty[before])",
       Site::Release},
      {"wgmma_wait_all(sum)", Site::WaitLast},
      {"clear(sum)", Site::ClearSums},
      {"finish<", Site::Promote},
      {"release_stage_by_thread<Plan::cluster_size>(&empty[last])",
       Site::ReleaseLast}};
  const RuntimeText Registers("feed_registers.cuh");
  const auto [Before, Rest] =
      Registers.function("multiply_rounding(float").split("for (int pair");
  const auto [Loop, Behind] = Rest.split("\n  if (k_blocks > 0) {");
  std::vector<Site> Multiply;
  auto Add = [&](Site S) {
    if (S == Site::Promote)
      Multiply.push_back(Site::ReadScales);
    if (S == Site::MultiplyRaw)
      Multiply.push_back(Site::ReadRawScales);
    if (Multiply.empty() || Multiply.back() != S)
      Multiply.push_back(S);
  };
  llvm::for_each(sitesIn(Before, Also), Add);
  const int Blocks = 2;
  for (int Block = 0; Block < Blocks; ++Block) {
    bool OfNext = false; // what is done about the stage after
    for (Site S : sitesIn(Loop, Also)) {
      OfNext = (OfNext || S == Site::WaitReady) && S != Site::WaitLast;
      const bool OfLast = S == Site::Promote || S == Site::Release;
      if ((OfLast && Block == 0) || (OfNext && Block + 1 == Blocks))
        continue;
      Add(S);
    }
  }
  llvm::for_each(sitesIn(Behind, Also), Add);
  // That the first block has none before it, and the last none behind.
  EXPECT_TRUE(Loop.contains("if (block > 0 && (window ||"));
  EXPECT_TRUE(Loop.contains("if (block > 0) // not any earlier: its scales "
                            "were still wanted\n        release"));
  EXPECT_TRUE(Loop.contains("if (block + 1 < k_blocks) {\n        "
                            "barrier_wait(&ready[at.stage], at.phase)"));

  const std::vector<Site> Transform =
      transformSites({"round_block<Plan, cols>", Site::SplitBlocks},
                     RuntimeText("fragment.cuh").function(" round_block("));
  auto [Leader, Warp] = splitSites({"multiply_rounding<Plan>(", Site::Multiply},
                                   Multiply, Transform);
  ProtocolRun Run;
  Run.RawBlocks = true;
  const Protocol One = buildProtocol(splitPlanOf(registersChoice()), Run);
  EXPECT_EQ(One.Agents[1].Name, "CTA 0 transform 0 warp 0");
  EXPECT_EQ(sitesOf(One.Agents[1]), Warp);
  Run.KBlocks = Blocks;
  const Protocol Two = buildProtocol(splitPlanOf(registersChoice()), Run);
  EXPECT_EQ(Two.Agents[5].Name, "CTA 0 consumer 0 warp 0");
  EXPECT_EQ(sitesOf(Two.Agents[5]), Leader);
}

} // namespace
