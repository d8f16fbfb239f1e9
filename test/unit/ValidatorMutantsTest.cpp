//===- ValidatorMutantsTest.cpp - Broken plans are caught -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each property at least one plan, or one protocol, that violates it and
// nothing that is checked before; and every number of a plan's JSON, one up and
// one down.
//
//===----------------------------------------------------------------------===//

#include "CodeGen/KernelText.h"
#include "ValidatorPlans.h"
#include "ValidatorProtocols.h"
#include "warpwright/Plan/Protocol.h"
#include "warpwright/Plan/Validator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

struct PlanMutant {
  Property Violated;
  const char *What;
  void (*Change)(KernelPlan &);
};

/// Makes the memory map follow again from stages and buffers.
void place(KernelPlan &P) {
  P.Epilogue.StagingOffset = P.Stages * P.StageBytes;
  P.Epilogue.StagingBytes =
      P.ConsumerWarpgroups * P.Epilogue.Buffers * P.Epilogue.BufferBytes;
  P.BarrierOffset = P.Epilogue.StagingOffset + P.Epilogue.StagingBytes;
  P.SmemBytes = P.BarrierOffset + 16 * P.Stages;
}

#define CHANGE(...) [](KernelPlan &P) { __VA_ARGS__; }
const PlanMutant OfCooperative[] = {
    {Property::Shape, "no stages", CHANGE(P.Stages = 0)},
    {Property::Shape, "raster group of 0", CHANGE(P.RasterGroup = 0)},
    {Property::Shape, "4 groups", CHANGE(P.ConsumerWarpgroups = 4)},
    {Property::Tile, "tile twice as tall", CHANGE(P.TileM *= 2)},
    {Property::Tile, "one warpgroup too many",
     CHANGE(P.ConsumerWarpgroups = 3)},
    {Property::Tile, "k of the instruction", CHANGE(P.InstructionK = 8)},
    {Property::Tile, "n of the instruction", CHANGE(P.InstructionN = 120)},
    {Property::Threads, "a warp more", CHANGE(P.Threads += 32)},
    {Property::Cluster, "16 CTAs", CHANGE(P.ClusterM = 16)},
    {Property::Cluster, "3 CTAs", CHANGE(P.ClusterM = 3)},
    {Property::Fragment, "accumulators", CHANGE(P.Accumulators -= 4)},
    {Property::Fragment, "another fragment",
     CHANGE(P.Fragment = "((4,8,4),(2,2,16)):((128,1,16),(64,512,8))")},
    {Property::Operands, "swap_ab", CHANGE(P.SwapAB = !P.SwapAB)},
    {Property::Operands, "types", CHANGE(P.Cols.Type = ScalarType::F16)},
    {Property::Layout, "no swizzle of bytes",
     CHANGE(P.Rows.SmemLayout =
                "S<3,4,3> o 0 o ((8,16),(64,1)):((64,256),(1,0))")},
    {Property::Layout, "nonsense", CHANGE(P.Rows.SmemLayout = "nonsense")},
    {Property::Layout, "bytes", CHANGE(P.Rows.StageBytes -= 16)},
    {Property::Swizzle, "mode", CHANGE(P.Rows.Swizzle = SwizzleMode::B64)},
    {Property::Swizzle, "unswizzled",
     CHANGE(P.Rows.SmemLayout = "(128,64):(64,1)")},
    {Property::Swizzle, "no mode of the hardware",
     CHANGE(P.Rows.SmemLayout =
                "S<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))")},
    {Property::Box, "over 256",
     CHANGE(P.Rows.Box = {64, 257}; P.Rows.BoxBytes = 64 * 257 * 2)},
    {Property::Box, "rows of 24 bytes", CHANGE(P.Rows.Box[0] = 12)},
    {Property::Box, "wider than the swizzle", CHANGE(P.Rows.Box = {128, 64})},
    {Property::Box, "bytes off by one", CHANGE(P.Rows.BoxBytes += 1)},
    {Property::Copies, "half the tile",
     CHANGE(P.Rows.Box[1] /= 2; P.Rows.BoxBytes /= 2;
            P.Rows.BoxStepBytes /= 2)},
    {Property::Copies, "one box more", CHANGE(P.Cols.BoxCount += 1)},
    {Property::Copies, "boxes closer", CHANGE(P.Cols.BoxStepRows /= 2)},
    {Property::Copies, "share elsewhere", CHANGE(P.Cols.ShareStepK += 8)},
    {Property::Copies, "one box without its distance",
     CHANGE(P.Rows.BoxStepRows = 8)},
    {Property::Multicast, "mask of one CTA", CHANGE(P.Cols.MulticastMask = 1)},
    {Property::Multicast, "mask of both rows",
     CHANGE(P.Rows.MulticastMask = 3)},
    {Property::Multicast, "masks too close", CHANGE(P.Cols.MulticastStep = 1)},
    {Property::Descriptor, "stride off", CHANGE(P.Rows.StrideBytes = 512)},
    {Property::Descriptor, "stride not of 16", CHANGE(P.Rows.StrideBytes += 8)},
    {Property::Descriptor, "leading off", CHANGE(P.Cols.LeadingBytes += 1024)},
    {Property::Descriptor, "k step", CHANGE(P.Cols.KStepBytes += 16)},
    {Property::Descriptor, "k step not of 16", CHANGE(P.Rows.KStepBytes += 8)},
    {Property::Descriptor, "group", CHANGE(P.Rows.GroupBytes /= 2)},
    {Property::Descriptor, "columns in blocks",
     CHANGE(P.Cols.RowBlockBytes = 8192)},
    {Property::Offsets, "16 bits", CHANGE(P.Epilogue.OffsetBits = 16)},
    {Property::Slab, "narrower", CHANGE(P.Epilogue.SlabColumns = 32)},
    {Property::Slab, "other direction",
     CHANGE(P.Epilogue.RowsContiguous = true)},
    {Property::Slab, "half a buffer", CHANGE(P.Epilogue.BufferBytes = 4096)},
    {Property::Slab, "box of half a slab", CHANGE(P.Epilogue.Box[1] = 32)},
    {Property::MemoryMap, "columns overlap rows",
     CHANGE(P.Cols.Offset -= 1024)},
    {Property::MemoryMap, "stages overlap", CHANGE(P.StageBytes -= 1024)},
    {Property::MemoryMap, "staging overlaps a stage",
     CHANGE(P.Epilogue.StagingOffset -= 1024)},
    {Property::MemoryMap, "misaligned", CHANGE(P.BarrierOffset += 4)},
    {Property::MemoryMap, "one stage too many, not placed",
     CHANGE(P.Stages += 1)},
    {Property::MemoryBudget, "one stage too many",
     CHANGE(P.Stages = 7; place(P))},
    {Property::MemoryBudget, "asks for less than it uses",
     CHANGE(P.SmemBytes -= 8)},
    {Property::Registers, "not a multiple of 8",
     CHANGE(P.ConsumerRegisters = 230)},
    {Property::Registers, "too few", CHANGE(P.ProducerRegisters = 16)},
    {Property::RegisterBudget, "sum", CHANGE(P.ConsumerRegisters += 8)},
    {Property::RegisterBudget, "consumers give registers up",
     CHANGE(P.ConsumerRegisters = 72)},
    {Property::NamedBarrier, "that of __syncthreads",
     CHANGE(P.Epilogue.FirstBarrier = 0)},
    {Property::NamedBarrier, "beyond the last",
     CHANGE(P.Epilogue.FirstBarrier = 15)},
    {Property::NamedBarrier, "turns that nobody takes",
     CHANGE(P.TurnBarrier = 4)},
    {Property::ArrivalCount, "an arrival less", CHANGE(P.EmptyArrivals -= 1)},
    {Property::ArrivalCount, "an arrival more", CHANGE(P.EmptyArrivals += 1)},
    {Property::ArrivalCount, "one CTA's arrivals",
     CHANGE(P.EmptyArrivals /= 2)},
    {Property::ArrivalCount, "two producers", CHANGE(P.FullArrivals = 2)},
    {Property::TransactionBytes, "a byte more",
     CHANGE(P.TransactionBytes += 1)},
    {Property::TransactionBytes, "a byte less",
     CHANGE(P.TransactionBytes -= 1)},
    {Property::TransactionBytes, "a box less",
     CHANGE(P.TransactionBytes -= P.Cols.BoxBytes)},
    {Property::Deadlock, "a single stage, released one block late",
     CHANGE(P.Stages = 1; place(P))},
};
const PlanMutant OfPingpong[] = {
    {Property::Shape, "a turn for one", CHANGE(P.ConsumerWarpgroups = 1)},
    {Property::Descriptor, "groups apart", CHANGE(P.Rows.GroupBytes = 8192)},
    {Property::NamedBarrier, "turns among the stores",
     CHANGE(P.TurnBarrier = 2)},
    {Property::NamedBarrier, "one warpgroup at a turn",
     CHANGE(P.TurnThreads = 128)},
    {Property::ArrivalCount, "readers of both groups",
     CHANGE(P.EmptyArrivals *= 2)},
};
#undef CHANGE

std::string diagnose(const KernelPlan &P) {
  auto Result = validatePlan(P);
  if (auto *Bad = std::get_if<Diagnosis>(&Result))
    return name(Bad->Violated).str();
  return "certified";
}

KernelPlan cooperative() { return planOf(smallChoice()); }
KernelPlan pingpong() {
  PlanChoice P = smallChoice();
  P.Pingpong = true;
  return planOf(P);
}

TEST(ValidatorMutants, BrokenPlansAreNamed) {
  ASSERT_EQ(diagnose(cooperative()), "certified");
  ASSERT_EQ(diagnose(pingpong()), "certified");
  for (const PlanMutant &M : OfCooperative) {
    KernelPlan P = cooperative();
    M.Change(P);
    EXPECT_EQ(diagnose(P), name(M.Violated).str()) << M.What;
  }
  for (const PlanMutant &M : OfPingpong) {
    KernelPlan P = pingpong();
    M.Change(P);
    EXPECT_EQ(diagnose(P), name(M.Violated).str()) << M.What;
  }
}

//===----------------------------------------------------------------------===//
// Protocols
//===----------------------------------------------------------------------===//

TEST(ValidatorMutants, BrokenProtocolsAreNamedAndTraced) {
  for (const ProtocolMutant &M : protocolMutants()) {
    ProtocolCoverage Coverage;
    auto Bad = exploreProtocol(M.Pingpong ? pingpong() : cooperative(),
                               Coverage, M.Change);
    ASSERT_TRUE(Bad) << M.What;
    EXPECT_EQ(name(Bad->Violated).str(), name(M.Violated).str())
        << M.What << ": " << Bad->Message;
    EXPECT_FALSE(Bad->Trace.empty() && Bad->Violated != Property::ClusterExit)
        << M.What;
  }
}

TEST(ValidatorMutants, EveryPropertyHasOne) {
  std::set<Property> Seen;
  for (const PlanMutant &M : OfCooperative)
    Seen.insert(M.Violated);
  for (const PlanMutant &M : OfPingpong)
    Seen.insert(M.Violated);
  for (const ProtocolMutant &M : protocolMutants())
    Seen.insert(M.Violated);
  for (Property P : allProperties())
    EXPECT_TRUE(Seen.count(P)) << name(P).str();
}

/// K = 0 is the launcher's (rt::check): the kernel would release a stage that
/// it has not read.
TEST(ValidatorMutants, KernelsNeedABlock) {
  for (const KernelPlan &P : {cooperative(), pingpong()}) {
    ProtocolRun Run;
    Run.KBlocks = LeastKBlocks - 1;
    EXPECT_TRUE(exploreRun(buildProtocol(P, Run)));
  }
}

//===----------------------------------------------------------------------===//
// The kernel's text
//===----------------------------------------------------------------------===//

/// What stands for each call of the runtime that concerns the protocol.
const std::pair<StringRef, Site> Calls[] = {
    {"barrier_init(&full", Site::Init},
    {"block_or_cluster_sync<", Site::FirstSync},
    {"barrier_wait(&empty", Site::WaitEmpty},
    {"barrier_expect(", Site::ExpectBytes},
    {"load_operand<typename Plan::rows>(", Site::CopyRows},
    {"load_operand<typename Plan::cols>(", Site::CopyColumns},
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

/// The sites in \p Text, in order. \p Also: what a call means there only.
std::vector<Site> sitesIn(StringRef Text,
                          std::vector<std::pair<StringRef, Site>> Also = {}) {
  llvm::append_range(Also, Calls);
  std::vector<Site> Sites;
  for (size_t At = 0; At < Text.size(); ++At)
    for (const auto &[Call, S] : Also)
      if (Text.substr(At).starts_with(Call))
        Sites.push_back(S);
  return Sites;
}

/// The protocol is written down a second time, as data; the calls in the text
/// are the same ones in the same order, for a tile of two blocks.
TEST(ValidatorMutants, ProtocolsFollowTheText) {
  auto Runtime = MemoryBuffer::getFile(
      WARPWRIGHT_TEST_INPUTS
      "/../../runtime/include/warpwright/rt/epilogue.cuh");
  ASSERT_TRUE(bool(Runtime));
  const StringRef Epilogue = (*Runtime)->getBuffer();
  auto Function = [&](StringRef Name) {
    return Epilogue.substr(Epilogue.find(Name)).split("\n}\n").first;
  };
  const std::pair<StringRef, Site> Release = {"rt::release_stage<",
                                              Site::Release};
  auto Meet = [](Site S) {
    return std::pair<StringRef, Site>("named_barrier_sync(barrier, 128)", S);
  };
  std::vector<Site> Produce = sitesIn(ProduceText);
  std::vector<Site> Multiply = sitesIn(MultiplyText, {Release});
  std::vector<Site> Slab =
      sitesIn(Function("stage_slab("),
              {Meet(Site::SyncBuffer),
               {"  if constexpr (sizeof(T) == 2) {", Site::StageSlab}});
  llvm::append_range(Slab,
                     sitesIn(Function("store_slab("), {Meet(Site::SyncSlab)}));
  std::vector<Site> Kernel = sitesIn(
      KernelText,
      {{"rt::release_stage<", Site::ReleaseLast},
       {"$produce<Plan>(", Site::WaitEmpty},
       {"$multiply<Plan>(", Site::Multiply},
       {"$store<Plan>(acc, row, col, tile.batch, staging", Site::StageSlab}});

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

  auto SitesOf = [](const ProtocolAgent &A) {
    std::vector<Site> Sites;
    for (const ProtocolOp &Op : A.Script)
      if (Sites.empty() || Sites.back() != Op.Where || Op.K == ProtocolOp::Copy)
        Sites.push_back(Op.Where);
    return Sites;
  };
  // One box for each operand, and two slabs.
  PlanChoice Choice = smallChoice();
  Choice.TileM = 64;
  Choice.Pingpong = true;
  ProtocolRun Run;
  Run.KBlocks = 2;
  Run.Tiles = 3;
  const Protocol P = buildProtocol(planOf(Choice, 'N', 'T'), Run);
  std::vector<Site> Second = SitesOf(P.Agents[5]); // has the second tile
  EXPECT_EQ(P.Agents[5].Name, "CTA 0 consumer 1 warp 0");
  EXPECT_GT(Leader.size(), 30u);
  EXPECT_EQ(Second, Leader);
  Run.Tiles = 1;
  EXPECT_EQ(SitesOf(buildProtocol(planOf(Choice, 'N', 'T'), Run).Agents[0]),
            Producer);
  // The waits' parities, and what the text says of them.
  EXPECT_TRUE(
      StringRef(ProduceText).contains("&empty[at.stage], at.phase ^ 1"));
  EXPECT_TRUE(StringRef(MultiplyText).contains("&full[at.stage], at.phase)"));
  EXPECT_TRUE(Function("drain_stores(").contains("tma_store_wait_read<0>()"));
}

} // namespace
