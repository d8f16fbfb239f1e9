//===- ProtocolBuild.cpp - What the threads of a kernel do ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What every kernel does, whatever its roles: it calls these for the rest, in
// the order of a generated kernel's text. The three idle warps of the
// producer's warpgroup only meet at the first and last barrier, which changes
// nothing, and are left out.
//
//===----------------------------------------------------------------------===//

#include "ProtocolBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

StringRef name(Site S) {
  switch (S) {
  case Site::Init:
    return "initialises its CTA's barriers";
  case Site::FirstSync:
    return "meets the others before the work";
  case Site::WaitEmpty:
    return "waits for an empty stage";
  case Site::ExpectBytes:
    return "expects the bytes of a stage";
  case Site::CopyRows:
    return "copies a box of rows";
  case Site::CopyColumns:
    return "copies a box of columns";
  case Site::TakeTurn:
    return "waits for its turn";
  case Site::WaitFull:
    return "waits for a full stage";
  case Site::FenceOperands:
    return "fences its accumulators";
  case Site::Multiply:
    return "multiplies";
  case Site::WaitProducts:
    return "waits for all products but the last";
  case Site::Release:
    return "releases the stage before";
  case Site::PassTurn:
    return "passes the turn on";
  case Site::WaitLast:
    return "waits for all products";
  case Site::ReleaseLast:
    return "releases the last stage";
  case Site::ChangeSums:
    return "negates or scales sums";
  case Site::SplitBlocks:
    return "rewrites its blocks of a stage as parts";
  case Site::WriteScales:
    return "writes scales and flags";
  case Site::FenceParts:
    return "fences its parts for wgmma";
  case Site::SignalReady:
    return "tells that its blocks are ready";
  case Site::WaitReady:
    return "waits for a transformed stage";
  case Site::ReadFlags:
    return "reads flags";
  case Site::MultiplyLow:
    return "multiplies low parts";
  case Site::WaitLow:
    return "waits for the products of low parts";
  case Site::ScaleLow:
    return "scales the products of low parts";
  case Site::MultiplyHigh:
    return "multiplies high parts";
  case Site::WaitHigh:
    return "waits for the products of high parts";
  case Site::ReadScales:
    return "reads scales";
  case Site::Promote:
    return "adds its accumulators to the sums";
  case Site::ReadRawScales:
    return "reads the scales of a raw stage";
  case Site::MultiplyRaw:
    return "multiplies raw blocks";
  case Site::ReleaseWindow:
    return "releases a stage of the window";
  case Site::LookAtRows:
    return "chooses scales for its rows of a stage";
  case Site::RoundRows:
    return "rounds its rows of a stage in registers";
  case Site::LoadFragments:
    return "loads its fragments of a stage";
  case Site::FenceLoads:
    return "waits for its loads of the stage";
  case Site::ReleaseLoaded:
    return "releases the stage that it has loaded";
  case Site::ConvertRows:
    return "converts its rows of a stage in registers";
  case Site::ClearSums:
    return "clears its accumulators";
  case Site::HandOverSums:
    return "writes sums of a cut tile for another cluster";
  case Site::AddSums:
    return "adds the sums that other clusters have written";
  case Site::GiveSums:
    return "writes its sums for another consumer";
  case Site::SumsWritten:
    return "meets at a tile's sums: they are written";
  case Site::TakeSums:
    return "adds the other consumer's sums to its own";
  case Site::SumsRead:
    return "meets at a tile's sums: they are read";
  case Site::WaitBuffer:
    return "waits until a buffer has been stored";
  case Site::SyncBuffer:
    return "meets its warpgroup: the buffer is free";
  case Site::ReadProducts:
    return "converts its accumulators";
  case Site::StageSlab:
    return "writes its part of a slab";
  case Site::FenceSlab:
    return "fences its writes for TMA";
  case Site::SyncSlab:
    return "meets its warpgroup: the slab is written";
  case Site::StoreSlab:
    return "stores the slab by TMA";
  case Site::CommitStore:
    return "commits the store";
  case Site::CopySlab:
    return "copies the slab out";
  case Site::DrainStores:
    return "waits for its stores";
  case Site::LastSync:
    return "meets the cluster at the end";
  case Site::Exit:
    return "ends";
  }
  llvm_unreachable("unknown site");
}

std::string ProtocolName::str() const {
  const auto [First, Second, Third] = Numbers;
  // Not all formats have all numbers.
  return formatv(/*Validate=*/false, Format, First, Second, Third);
}

std::string ProtocolRun::str() const {
  std::string Cut;
  for (const auto &[Tile, Blocks] : enumerate(Pieces))
    Cut += formatv(", {0} of number {1}{2}", Blocks, Tile,
                   HandsOver && !Tile ? " for another cluster" : "");
  return formatv("{0} tile{1} of {2} block{3}{4}{5}{6}", Tiles,
                 Tiles == 1 ? "" : "s", KBlocks, KBlocks == 1 ? "" : "s", Cut,
                 TmaStores ? "" : ", stored without TMA",
                 RawBlocks ? ", some of it raw" : "");
}

ProtocolBuilder::ProtocolBuilder(const KernelPlan &P, const ProtocolRun &Run)
    : P(P), Run(Run), CTAs(int32_t(P.clusterSize())), Stages(int32_t(P.Stages)),
      Groups(int32_t(P.ConsumerWarpgroups)),
      Storing(int32_t(P.storingConsumers())), Sets(int32_t(P.Schedule->sets())),
      FeedWarps(int32_t(P.Split.Warpgroups * WarpsPerGroup)) {}

int32_t ProtocolBuilder::named(int64_t Id, int64_t Threads) {
  auto [It, New] =
      NamedBarriers.try_emplace({CTA, Id}, int32_t(Result.Barriers.size()));
  if (New) {
    ProtocolBarrier B;
    B.K = ProtocolBarrier::Named;
    B.Name = {"named barrier {0} of CTA {1}", {int32_t(Id), CTA}};
    B.CTA = CTA;
    B.Number = int32_t(Id);
    B.Expected = int32_t(Threads / WarpThreads);
    Result.Barriers.push_back(std::move(B));
  }
  return It->second;
}

void ProtocolBuilder::wait(Site Where, int32_t Barrier, int32_t Phase) {
  ProtocolOp &Op = add(ProtocolOp::WaitPhase, Where);
  Op.Targets = {Barrier};
  Op.Phase = Phase;
  Op.Parity = Phase & 1;
}

void ProtocolBuilder::meet(Site Where, int32_t Barrier, bool AlsoWait) {
  const int32_t Round = Rounds[Barrier]++;
  ProtocolOp &Op = add(ProtocolOp::Arrive, Where);
  Op.Targets = {Barrier};
  Op.Phase = Round;
  Op.Count = 1;
  if (AlsoWait)
    wait(Where, Barrier, Round);
}

void ProtocolBuilder::release(Site Where, int64_t Block) {
  ProtocolOp &Op = add(ProtocolOp::Arrive, Where);
  // Without any block the kernel's text names the stage before the first.
  const int32_t Stage = Block < 0 ? Stages - 1 : Block % Stages;
  for (int32_t Target = 0; Target < CTAs; ++Target)
    Op.Targets.push_back(empty(Target, Stage));
  Op.Phase = Block < 0 ? 0 : Block / Stages;
  Op.Count = P.Feed->releaseArrivals();
}

void ProtocolBuilder::writeConsumer(int32_t Group, int32_t Warp) {
  const bool Leader = Warp == 0;
  int32_t Slab = 0;
  Set = Sets > 1 ? Group / int32_t(P.consumersOfTile()) : 0;
  for (int64_t Tile = 0; Tile < Run.Tiles; ++Tile) {
    if (!P.Schedule->takes(Tile, Group))
      continue;
    P.Schedule->beforeTile(*this, Tile, Group);
    // Where sums change, blocks of the tile that were multiplied before, if
    // any, are finished first. Products with ranges of their own divide the
    // blocks otherwise; what waits for what is the same.
    const int64_t First = Run.firstBlock(Tile);
    const int64_t Blocks = Run.blocksOf(Tile);
    int64_t Done = 0;
    for (int64_t Stretch = 1; Stretch <= P.stretches(); ++Stretch) {
      const int64_t End = Blocks * Stretch / P.stretches();
      if (End == Done)
        continue;
      if (Done) {
        P.Feed->finishProducts(*this, First + Done - 1);
        add(P.Feed->results(P), Site::ChangeSums);
      }
      P.Feed->multiply(*this, First + Done, End - Done);
      Done = End;
    }
    P.Schedule->afterProducts(*this, Tile, Group);
    P.Feed->finishProducts(*this, First + Blocks - 1);
    if (P.Subtracted)
      add(P.Feed->results(P), Site::ChangeSums);
    if (Run.HandsOver && !Tile) {
      add(P.Feed->results(P), Site::HandOverSums);
      continue;
    }
    if (Blocks != Run.KBlocks)
      add(P.Feed->results(P), Site::AddSums);
    if (Group < Storing)
      P.Store->store(*this, Group, Leader, Slab);
  }
  P.Store->finish(*this, Leader);
}

void ProtocolBuilder::begin() {
  meet(Site::FirstSync, Everybody, /*AlsoWait=*/true);
}

void ProtocolBuilder::finish() {
  if (CTAs > 1)
    meet(Site::LastSync, Everybody, /*AlsoWait=*/true);
  add(ProtocolOp::Leave, Site::Exit);
}

void ProtocolBuilder::addBarriers(const char *Name, int64_t Arrivals,
                                  bool CountsBytes) {
  for (int32_t C = 0; C < CTAs; ++C)
    for (int32_t Stage = 0; Stage < Stages; ++Stage) {
      ProtocolBarrier B;
      B.Name = {Name, {Stage, C}};
      B.CTA = C;
      B.Expected = int32_t(Arrivals);
      B.CountsBytes = CountsBytes;
      Result.Barriers.push_back(std::move(B));
    }
}

void ProtocolBuilder::addBuffers(ProtocolBuffer::Kind K, const char *Name,
                                 int64_t FillBytes, int32_t Writers) {
  for (int32_t C = 0; C < CTAs; ++C)
    for (int32_t Stage = 0; Stage < Stages; ++Stage)
      Result.Buffers.push_back(
          {K, {Name, {Stage, C}}, readers(), FillBytes, Writers});
}

void ProtocolBuilder::addStaging() {
  for (int32_t C = 0; C < CTAs; ++C)
    for (int32_t Group = 0; Group < Storing; ++Group)
      for (int64_t I = 0; I < P.Epilogue.Buffers; ++I)
        Result.Buffers.push_back(
            {ProtocolBuffer::Staging,
             {"staging buffer {0} of consumer {1} of CTA {2}",
              {int32_t(I), Group, C}},
             int32_t(WarpsPerGroup),
             0,
             0});
}

void ProtocolBuilder::addExchanges() {
  for (int32_t C = 0; C < CTAs; ++C)
    for (int32_t Share = 0; Share < exchanges(); ++Share)
      Result.Buffers.push_back(
          {ProtocolBuffer::Exchange,
           {"the sums for consumer {0} of CTA {1}", {Share, C}},
           int32_t(WarpsPerGroup),
           0,
           int32_t(WarpsPerGroup)});
}

Protocol ProtocolBuilder::build() {
  addBarriers("full[{0}] of CTA {1}", P.FullArrivals, true);
  addBarriers("empty[{0}] of CTA {1}", P.EmptyArrivals, false);
  P.Feed->addBarriers(*this);
  // Of the cluster, or __syncthreads where that is one CTA.
  const int32_t Agents = CTAs * int32_t(1 + FeedWarps + Groups * WarpsPerGroup);
  ProtocolBarrier All;
  All.K = ProtocolBarrier::Cluster;
  All.Name = {CTAs > 1 ? "the cluster's barrier" : "the CTA's barrier"};
  All.Expected = Agents;
  Everybody = int32_t(Result.Barriers.size());
  Result.Barriers.push_back(std::move(All));

  P.Feed->addStages(*this);
  addStaging();
  addExchanges();
  P.Feed->addBuffers(*this);

  Result.Agents.resize(Agents);
  int32_t Next = 0;
  for (CTA = 0; CTA < CTAs; ++CTA) {
    auto Begin = [&](std::string Name) {
      Self = &Result.Agents[Next++];
      Self->Name = std::move(Name);
      Self->CTA = CTA;
      // A guess at the length; a longer script grows.
      Self->Script.reserve(size_t(16 + Run.Tiles * 64 + 10 * Run.blocks()));
      Rounds.clear();
    };
    const std::string Where = CTAs > 1 ? formatv("CTA {0} ", CTA).str() : "";
    Begin(Where + "producer");
    add(ProtocolOp::Initialise, Site::Init);
    begin();
    P.Load->produce(*this);
    finish();
    for (int32_t Warp = 0; Warp < FeedWarps; ++Warp) {
      Begin(Where + formatv("transform {0} warp {1}", Warp / WarpsPerGroup,
                            Warp % WarpsPerGroup)
                        .str());
      begin();
      P.Feed->writeWarp(*this);
      finish();
    }
    for (int32_t Group = 0; Group < Groups; ++Group)
      for (int32_t Warp = 0; Warp < WarpsPerGroup; ++Warp) {
        Begin(Where + formatv("consumer {0} warp {1}", Group, Warp).str());
        begin();
        writeConsumer(Group, Warp);
        finish();
      }
  }
  return std::move(Result);
}

Protocol buildProtocol(const KernelPlan &P, const ProtocolRun &Run) {
  return ProtocolBuilder(P, Run).build();
}

} // namespace warpwright
