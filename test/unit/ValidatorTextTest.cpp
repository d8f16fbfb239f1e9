//===- ValidatorTextTest.cpp - Protocols follow the kernels' text ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The validator's protocol is what the generator's text does, written down a
// second time as data: the calls in the text are the same ones in the same
// order.
//
//===----------------------------------------------------------------------===//

#include "CodeGen/KernelText.h"
#include "CodeGen/SplitText.h"
#include "ValidatorPlans.h"
#include "warpwright/Plan/Protocol.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

/// What stands for each call of the runtime that concerns the protocol.
const std::pair<StringRef, Site> Calls[] = {
    {"barrier_init(&full", Site::Init},
    {"block_or_cluster_sync<", Site::FirstSync},
    {"barrier_wait(&empty", Site::WaitEmpty},
    {"barrier_expect(", Site::ExpectBytes},
    {"load_operand<typename Plan::rows$boxes_together>(", Site::CopyRows},
    {"$load_cols<typename Plan::cols$boxes_together>(", Site::CopyColumns},
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
    {"rt::cluster_sync()", Site::LastSync},
};

/// \p Text with the lines that these flags leave of it (KernelText.h).
std::string withFlags(StringRef Text, std::set<StringRef> Flags) {
  std::string Result;
  while (!Text.empty()) {
    auto [Line, Others] = Text.split('\n');
    Text = Others;
    bool IsThere = true;
    while (Line.consume_front("@")) {
      auto [Flag, Rest] = Line.split('|');
      const bool Not = Flag.consume_front("!");
      IsThere &= Flags.count(Flag) != size_t(Not);
      Line = Rest;
    }
    if (IsThere)
      Result += (Line + "\n").str();
  }
  return Result;
}

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

const std::pair<StringRef, Site> Produces = {"$produce<Plan>(",
                                             Site::WaitEmpty};
const std::pair<StringRef, Site> Stores = {
    "$store<Plan>($sums, row, col, tile.batch, staging", Site::StageSlab};

/// For a tile of two blocks.
TEST(ValidatorText, ProtocolsFollowTheText) {
  const std::set<StringRef> Flags = {"cluster", "pingpong", "staged"};
  const std::pair<StringRef, Site> Release = {"rt::release_stage<",
                                              Site::Release};
  const std::string ProduceFlagged = withFlags(ProduceText, Flags);
  const std::string MultiplyFlagged = withFlags(MultiplyText, Flags);
  std::vector<Site> Produce = sitesIn(ProduceFlagged);
  std::vector<Site> Multiply = sitesIn(MultiplyFlagged, {Release});
  std::vector<Site> Slab = slabSites();
  std::vector<Site> Kernel = sitesIn(withFlags(KernelText, Flags),
                                     {{"rt::release_stage<", Site::ReleaseLast},
                                      Produces,
                                      {"$multiply<Plan>(", Site::Multiply},
                                      Stores});

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
  llvm::erase(Leader, Site::CopySlab); // the other way out
  Leader.push_back(Site::Exit);
  Producer.push_back(Site::Exit);

  // One box for each operand, and two slabs.
  PlanChoice Choice = smallChoice();
  Choice.TileM = 64;
  Choice.Pingpong = true;
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
  EXPECT_TRUE(
      StringRef(ProduceFlagged).contains("&empty[at.stage], at.phase ^ 1"));
  EXPECT_TRUE(
      StringRef(MultiplyFlagged).contains("&full[at.stage], at.phase)"));
}

using Call = std::pair<StringRef, Site>;

/// Of a warp of the transform, for one stage. \p Block calls a function whose
/// text is \p Body for a block.
std::vector<Site> transformSites(const Call &Block, StringRef Body,
                                 const std::set<StringRef> &Flags) {
  const RuntimeText Split("split.cuh");
  const StringRef Publish = Split.function(" publish_stage(");
  // Each thread signals for itself.
  EXPECT_LT(Publish.find("fence_async_shared()"),
            Publish.find("barrier_arrive("));
  EXPECT_EQ(Publish.find("threadIdx"), StringRef::npos);
  std::vector<Site> Sites;
  for (Site S : sitesIn(withFlags(TransformText, Flags),
                        {Block, {"rt::publish_stage(", Site::FenceParts}}))
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
           ArrayRef<Site> Transform, const std::set<StringRef> &Flags) {
  std::vector<Site> Leader, Warp;
  for (Site S : sitesIn(withFlags(KernelText, Flags),
                        {Produces,
                         {"$transform<Plan>(", Site::SplitBlocks},
                         MultiplyCall,
                         Stores})) {
    if (S == Site::Multiply)
      llvm::append_range(Leader, Multiply);
    else if (S == Site::SplitBlocks)
      llvm::append_range(Warp, Transform);
    else if (S == Site::StageSlab)
      for (int Part = 0; Part < 4; ++Part)
        llvm::append_range(Leader, slabSites());
    else if (S == Site::FirstSync || S == Site::LastSync)
      Leader.push_back(S), Warp.push_back(S);
    else if (S != Site::Init && S != Site::WaitEmpty)
      Leader.push_back(S);
  }
  llvm::erase(Leader, Site::CopySlab);
  Leader.push_back(Site::Exit);
  Warp.push_back(Site::Exit);
  return {Leader, Warp};
}

/// The same with a transform, for a tile of one block.
void checkSplitProtocol(const std::set<StringRef> &Flags) {
  const std::string MultiplyFlagged = withFlags(MultiplyPartsText, Flags);
  const auto [Low, High] =
      StringRef(MultiplyFlagged).split("rt::scale_low_products");
  std::vector<Site> Multiply = sitesIn(
      Low, {{"barrier_wait(&ready[at.stage], at.phase)", Site::WaitReady},
            {"rt::raw_blocks<", Site::ReadFlags},
            {"wgmma_commit()", Site::MultiplyLow},
            {"wgmma_wait_all(acc)", Site::WaitLow}});
  Multiply.push_back(Site::ScaleLow);
  for (Site S :
       sitesIn(High, {{"wgmma_commit()", Site::MultiplyHigh},
                      {"wgmma_wait_all(acc)", Site::WaitHigh},
                      {"rt::promote<", Site::Promote},
                      {"rt::multiply_raw<", Site::MultiplyRaw},
                      {"rt::release_stage_by_thread<", Site::ReleaseWindow}})) {
    if (S == Site::Promote)
      Multiply.push_back(Site::ReadScales);
    if (S == Site::MultiplyRaw)
      Multiply.push_back(Site::ReadRawScales);
    Multiply.push_back(S);
  }

  const std::vector<Site> Transform = transformSites(
      {"rt::split_block<Plan, typename Plan::rows>", Site::SplitBlocks},
      RuntimeText("split.cuh").function(" split_block("), Flags);
  auto [Leader, Warp] = splitSites({"$multiply<Plan>(", Site::Multiply},
                                   Multiply, Transform, Flags);
  ProtocolRun Run;
  Run.RawBlocks = true;
  const Protocol P = buildProtocol(splitPlanOf(), Run);
  EXPECT_EQ(P.Agents[1].Name, "CTA 0 transform 0 warp 0");
  EXPECT_EQ(sitesOf(P.Agents[1]), Warp);
  EXPECT_EQ(P.Agents[9].Name, "CTA 0 consumer 0 warp 0");
  EXPECT_EQ(sitesOf(P.Agents[9]), Leader);
}

TEST(ValidatorText, SplitProtocolsFollowTheText) {
  std::set<StringRef> Flags = {"cluster", "staged",   "split",   "parts",
                               "low",     "low_rows", "low_cols"};
  checkSplitProtocol(Flags);
  // Factors are computed between a block's loads and its stores.
  Flags.insert({"computed", "computed_a"});
  checkSplitProtocol(Flags);
}

/// With rows in registers, for a tile of two blocks.
TEST(ValidatorText, RoundingProtocolsFollowTheText) {
  const std::set<StringRef> Flags = {"cluster", "staged", "split", "registers"};
  const std::vector<Call> Also = {
      {"barrier_wait(&ready[at.stage], at.phase)", Site::WaitReady},
      {"rt::any_flag<", Site::ReadFlags},
      {"rt::column_flag<", Site::ReadFlags},
      {"rt::look_at_rows<", Site::LookAtRows},
      {"rt::promote<", Site::Promote},
      {"rt::multiply_rows<", Site::MultiplyRaw},
      {"rt::round_rows<", Site::RoundRows},
      {"rt::release_stage_by_thread<Plan::cluster_size>(&empty[before])",
       Site::Release},
      {"wgmma_wait_all(sum)", Site::WaitLast},
      {"rt::clear(sum)", Site::ClearSums},
      {"rt::finish<", Site::Promote},
      {"rt::release_stage_by_thread<Plan::cluster_size>(&empty[last])",
       Site::ReleaseLast}};
  const std::string Text = withFlags(MultiplyRoundingText, Flags);
  const auto [Before, Rest] = StringRef(Text).split("for (int pair");
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
                            "were still wanted\n        rt::release"));
  EXPECT_TRUE(Loop.contains("if (block + 1 < k_blocks) {\n        "
                            "rt::barrier_wait(&ready[at.stage], at.phase)"));

  const std::vector<Site> Transform = transformSites(
      {"rt::round_block<Plan, typename Plan::cols>", Site::SplitBlocks},
      RuntimeText("fragment.cuh").function(" round_block("), Flags);
  auto [Leader, Warp] =
      splitSites({"$multiply_rounding<Plan>(", Site::Multiply}, Multiply,
                 Transform, Flags);
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
