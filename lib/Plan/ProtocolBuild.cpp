//===- ProtocolBuild.cpp - What the threads of a kernel do ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One function per stage of a generated kernel, in the order of its text. The
// three idle warps of the producer's warpgroup only meet at the first and last
// barrier, which changes nothing, and are left out.
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Protocol.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;

namespace warpwright {

static constexpr int64_t WarpsPerGroup = 4, WarpThreads = 32;

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
  case Site::ClearSums:
    return "clears its accumulators";
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

std::string ProtocolRun::str() const {
  return formatv("{0} tile{1} of {2} block{3}{4}{5}", Tiles,
                 Tiles == 1 ? "" : "s", KBlocks, KBlocks == 1 ? "" : "s",
                 TmaStores ? "" : ", stored without TMA",
                 RawBlocks ? ", some of it raw" : "");
}

namespace {

class Builder {
public:
  Builder(const KernelPlan &P, const ProtocolRun &Run)
      : P(P), Run(Run), CTAs(int32_t(P.clusterSize())),
        Stages(int32_t(P.Stages)), Groups(int32_t(P.ConsumerWarpgroups)),
        Splitters(int32_t(P.Split.Warpgroups * WarpsPerGroup)) {}

  Protocol build();

private:
  const KernelPlan &P;
  const ProtocolRun &Run;
  const int32_t CTAs, Stages, Groups;
  const int32_t Splitters; ///< warps of the transform, per CTA
  Protocol Result;
  std::map<std::pair<int32_t, int64_t>, int32_t> NamedBarriers;

  // The agent that is being written.
  ProtocolAgent *Self = nullptr;
  int32_t CTA = 0;
  std::map<int32_t, int32_t> Rounds; ///< at barriers without parity

  int32_t full(int32_t OfCTA, int32_t Stage) const {
    return OfCTA * Stages + Stage;
  }
  int32_t empty(int32_t OfCTA, int32_t Stage) const {
    return (CTAs + OfCTA) * Stages + Stage;
  }
  int32_t ready(int32_t OfCTA, int32_t Stage) const {
    return (2 * CTAs + OfCTA) * Stages + Stage;
  }
  int32_t everybody() const { return (Splitters ? 3 : 2) * CTAs * Stages; }
  int32_t named(int64_t Id, int64_t Threads);

  ProtocolOp &add(ProtocolOp::Kind K, Site Where) {
    Self->Script.emplace_back();
    ProtocolOp &Op = Self->Script.back();
    Op.K = K;
    Op.Where = Where;
    return Op;
  }
  void wait(Site Where, int32_t Barrier, int32_t Phase);
  void meet(Site Where, int32_t Barrier, bool AlsoWait);
  void release(Site Where, int64_t Block);
  void writeProducer();
  void copy(Site Where, const OperandPlan &O, int32_t Group, int64_t Block);
  void writeSplitter();
  void writeConsumer(int32_t Group, int32_t Warp);
  void multiplyParts(int64_t FirstBlock);
  void multiplyFragments(int64_t FirstBlock);
  void roundRows(int64_t Block, int64_t FirstBlock);
  void touch(ProtocolOp::Kind K, Site Where, int32_t Buffer, int64_t Tag) {
    ProtocolOp &Op = add(K, Where);
    Op.Buffers = {Buffer};
    Op.Tag = int32_t(Tag);
  }
  int32_t stageOf(int64_t Block) const {
    return CTA * Stages + int32_t(Block % Stages);
  }
  int32_t scalesOf(int64_t Block) const {
    return CTAs * (Stages + Groups * int32_t(P.Epilogue.Buffers)) +
           stageOf(Block);
  }
  /// Rows that go through registers are buffers of their own, behind the
  /// scales: nobody rewrites them. The others are in the stage's.
  int32_t rowsOf(int32_t OfCTA, int32_t Stage) const {
    return (P.Rows.InRegisters
                ? CTAs * (2 * Stages + Groups * int32_t(P.Epilogue.Buffers))
                : 0) +
           OfCTA * Stages + Stage;
  }
  void multiply(int64_t FirstBlock);
  void store(int32_t Group, bool Leader, int32_t &Slab);
  void finish();
};

} // namespace

int32_t Builder::named(int64_t Id, int64_t Threads) {
  auto [It, New] =
      NamedBarriers.try_emplace({CTA, Id}, int32_t(Result.Barriers.size()));
  if (New) {
    ProtocolBarrier B;
    B.K = ProtocolBarrier::Named;
    B.Name = formatv("named barrier {0} of CTA {1}", Id, CTA);
    B.CTA = CTA;
    B.Expected = int32_t(Threads / WarpThreads);
    Result.Barriers.push_back(std::move(B));
  }
  return It->second;
}

void Builder::wait(Site Where, int32_t Barrier, int32_t Phase) {
  ProtocolOp &Op = add(ProtocolOp::WaitPhase, Where);
  Op.Targets = {Barrier};
  Op.Phase = Phase;
  Op.Parity = Phase & 1;
}

/// A barrier without parity: its phases are counted by those who come.
void Builder::meet(Site Where, int32_t Barrier, bool AlsoWait) {
  const int32_t Round = Rounds[Barrier]++;
  ProtocolOp &Op = add(ProtocolOp::Arrive, Where);
  Op.Targets = {Barrier};
  Op.Phase = Round;
  Op.Count = 1;
  if (AlsoWait)
    wait(Where, Barrier, Round);
}

/// The producer takes the columns of a stage's blocks in order, one round of
/// the ring after the other. A fresh barrier counts as past its parity 1, which
/// frees the first round.
void Builder::writeProducer() {
  const int32_t Rank = CTA, Rows = int32_t(P.clusterRows());
  for (int64_t Block = 0; Block < Run.Tiles * Run.KBlocks; ++Block) {
    const int32_t Stage = Block % Stages, Round = Block / Stages;
    wait(Site::WaitEmpty, empty(CTA, Stage), Round - 1);
    ProtocolOp &Op = add(ProtocolOp::Arrive, Site::ExpectBytes);
    Op.Targets = {full(CTA, Stage)};
    Op.Phase = Round;
    Op.Count = 1;
    Op.Bytes = P.TransactionBytes;
    copy(Site::CopyRows, P.Rows, Rank % Rows, Block);
    copy(Site::CopyColumns, P.Cols, Rank / Rows, Block);
  }
}

void Builder::copy(Site Where, const OperandPlan &O, int32_t Group,
                   int64_t Block) {
  const int32_t Stage = Block % Stages;
  const int64_t Mask = O.Shares > 1
                           ? O.MulticastMask << (Group * O.MulticastStep)
                           : int64_t(1) << CTA;
  for (int64_t Box = 0; Box < O.BoxCount; ++Box) {
    ProtocolOp &Op = add(ProtocolOp::Copy, Where);
    Op.Phase = Block / Stages;
    Op.Bytes = O.BoxBytes;
    Op.Tag = int32_t(Block);
    for (int32_t Target = 0; Target < CTAs; ++Target)
      if (Mask >> Target & 1) {
        Op.Targets.push_back(full(Target, Stage));
        Op.Buffers.push_back(Where == Site::CopyRows ? rowsOf(Target, Stage)
                                                     : Target * Stages + Stage);
      }
  }
}

/// A warp's lanes tell all CTAs of the cluster, each of which may fill a part
/// of the stage.
void Builder::release(Site Where, int64_t Block) {
  ProtocolOp &Op = add(ProtocolOp::Arrive, Where);
  // Without any block the kernel's text names the stage before the first.
  const int32_t Stage = Block < 0 ? Stages - 1 : Block % Stages;
  for (int32_t Target = 0; Target < CTAs; ++Target)
    Op.Targets.push_back(empty(Target, Stage));
  Op.Phase = Block < 0 ? 0 : Block / Stages;
  Op.Count = P.Split.used() ? int32_t(P.Split.WarpArrivals) : 1;
}

void Builder::multiply(int64_t FirstBlock) {
  for (int64_t K = 0; K < Run.KBlocks; ++K) {
    const int64_t Block = FirstBlock + K;
    wait(Site::WaitFull, full(CTA, Block % Stages), Block / Stages);
    add(ProtocolOp::FenceReads, Site::FenceOperands);
    touch(ProtocolOp::Read, Site::Multiply, stageOf(Block), Block);
    add(ProtocolOp::WaitReads, Site::WaitProducts).Count = 1;
    if (K > 0)
      release(Site::Release, Block - 1);
  }
}

/// A warp of the transform takes its blocks of every stage as they come.
void Builder::writeSplitter() {
  for (int64_t Block = 0; Block < Run.Tiles * Run.KBlocks; ++Block) {
    const int32_t Stage = Block % Stages, Round = Block / Stages;
    wait(Site::WaitFull, full(CTA, Stage), Round);
    touch(ProtocolOp::Rewrite, Site::SplitBlocks, stageOf(Block), Block);
    touch(ProtocolOp::Write, Site::WriteScales, scalesOf(Block), Block);
    add(ProtocolOp::FenceProxy, Site::FenceParts);
    ProtocolOp &Op = add(ProtocolOp::Arrive, Site::SignalReady);
    Op.Targets = {ready(CTA, Stage)};
    Op.Phase = Round;
    Op.Count = int32_t(P.Split.WarpArrivals);
  }
}

/// A tile begins a window, and its last one may be shorter. wgmma multiplies
/// whatever a stage holds: what raw blocks make of the accumulators is not
/// promoted, and ordinary instructions multiply these.
void Builder::multiplyParts(int64_t FirstBlock) {
  const bool Low = P.Rows.Parts + P.Cols.Parts > 2;
  const int64_t End = FirstBlock + Run.KBlocks;
  for (int64_t First = FirstBlock; First < End; First += P.Split.Window) {
    const int64_t Last = std::min(First + P.Split.Window, End) - 1;
    auto EachBlock = [&](auto Do) {
      for (int64_t Block = First; Block <= Last; ++Block)
        Do(Block);
    };
    EachBlock([&](int64_t Block) {
      wait(Site::WaitReady, ready(CTA, Block % Stages), Block / Stages);
      touch(ProtocolOp::Load, Site::ReadFlags, scalesOf(Block), Block);
    });
    if (Low) {
      EachBlock([&](int64_t Block) {
        add(ProtocolOp::FenceReads, Site::FenceOperands);
        touch(ProtocolOp::Read, Site::MultiplyLow, stageOf(Block), Block);
      });
      add(ProtocolOp::WaitReads, Site::WaitLow).Count = 0;
      add(ProtocolOp::UseResults, Site::ScaleLow);
    }
    EachBlock([&](int64_t Block) {
      add(ProtocolOp::FenceReads, Site::FenceOperands);
      touch(ProtocolOp::Read, Site::MultiplyHigh, stageOf(Block), Block);
    });
    add(ProtocolOp::WaitReads, Site::WaitHigh).Count = 0;
    touch(ProtocolOp::Load, Site::ReadScales, scalesOf(Last), Last);
    add(ProtocolOp::UseResults, Site::Promote);
    if (Run.RawBlocks)
      EachBlock([&](int64_t Block) {
        touch(ProtocolOp::Load, Site::ReadRawScales, scalesOf(Block), Block);
        touch(ProtocolOp::Load, Site::MultiplyRaw, stageOf(Block), Block);
      });
    EachBlock([&](int64_t Block) { release(Site::ReleaseWindow, Block); });
  }
}

/// Two sets of registers take turns: a block's rows are rounded while wgmma
/// multiplies those before.
void Builder::roundRows(int64_t Block, int64_t FirstBlock) {
  touch(ProtocolOp::Round, Site::RoundRows, rowsOf(CTA, Block % Stages), Block);
  Self->Script.back().Fragments = int32_t((Block - FirstBlock) % 2);
}

/// Sums stay in the accumulators until a scale changes. What is done about
/// that, and about raw blocks, is no more than reads between the operations
/// that all blocks have: a run in which every block has it stands for those in
/// which some have. The first block of a tile has its scales chosen in any
/// case.
void Builder::multiplyFragments(int64_t FirstBlock) {
  const int64_t Last = FirstBlock + Run.KBlocks - 1;
  auto Promote = [&](int64_t Block) {
    touch(ProtocolOp::Load, Site::ReadScales, scalesOf(Block), Block);
    add(ProtocolOp::UseResults, Site::Promote);
  };
  add(ProtocolOp::Clear, Site::ClearSums);
  auto WaitReady = [&](int64_t Block) {
    wait(Site::WaitReady, ready(CTA, Block % Stages), Block / Stages);
  };
  auto ReadFlags = [&](int64_t Block) {
    touch(ProtocolOp::Load, Site::ReadFlags, scalesOf(Block), Block);
  };
  WaitReady(FirstBlock);
  for (int64_t Block = FirstBlock; Block <= Last; ++Block) {
    const int32_t Rows = rowsOf(CTA, Block % Stages);
    if (Run.RawBlocks || Block == FirstBlock) {
      ReadFlags(Block);
      touch(ProtocolOp::Load, Site::LookAtRows, Rows, Block);
      if (Block > FirstBlock)
        Promote(Block - 1);
      if (Run.RawBlocks) {
        touch(ProtocolOp::Load, Site::ReadRawScales, scalesOf(Block), Block);
        touch(ProtocolOp::Load, Site::MultiplyRaw, Rows, Block);
        touch(ProtocolOp::Load, Site::MultiplyRaw, stageOf(Block), Block);
      }
      roundRows(Block, FirstBlock);
    }
    add(ProtocolOp::FenceReads, Site::FenceOperands);
    touch(ProtocolOp::Read, Site::Multiply, stageOf(Block), Block);
    Self->Script.back().Fragments = int32_t((Block - FirstBlock) % 2);
    // Only now: what has been summed up wanted its scales.
    if (Block > FirstBlock)
      release(Site::Release, Block - 1);
    if (Block < Last) {
      WaitReady(Block + 1);
      ReadFlags(Block + 1);
      roundRows(Block + 1, FirstBlock);
    }
    add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
    if (Run.RawBlocks) {
      add(ProtocolOp::Clear, Site::ClearSums);
      add(ProtocolOp::FenceReads, Site::FenceOperands);
    }
  }
  Promote(Last);
  release(Site::ReleaseLast, Last);
}

void Builder::store(int32_t Group, bool Leader, int32_t &Slab) {
  const EpiloguePlan &E = P.Epilogue;
  // The promoted sums are no accumulators of wgmma.
  const ProtocolOp::Kind Results =
      Splitters ? ProtocolOp::UseSums : ProtocolOp::UseResults;
  if (E.Kind == EpilogueKind::Direct) {
    add(Results, Site::ReadProducts);
    return;
  }
  const int32_t Barrier =
      named(E.FirstBarrier + Group, WarpsPerGroup * WarpThreads);
  const int32_t First =
      CTAs * Stages + (CTA * Groups + Group) * int32_t(E.Buffers);
  const int64_t Parts = P.rowBlocks() * (P.tileColumns() / E.SlabColumns);
  for (int64_t Part = 0; Part < Parts; ++Part, ++Slab) {
    const int32_t Buffer = First + Slab % int32_t(E.Buffers);
    auto Use = [&](ProtocolOp::Kind K, Site Where) {
      touch(K, Where, Buffer, Slab);
    };
    if (Leader)
      add(ProtocolOp::WaitStores, Site::WaitBuffer).Count =
          int32_t(E.Buffers) - 1;
    meet(Site::SyncBuffer, Barrier, /*AlsoWait=*/true);
    add(Results, Site::ReadProducts);
    Use(ProtocolOp::Write, Site::StageSlab);
    add(ProtocolOp::FenceProxy, Site::FenceSlab);
    meet(Site::SyncSlab, Barrier, /*AlsoWait=*/true);
    if (!Run.TmaStores) {
      Use(ProtocolOp::Load, Site::CopySlab);
    } else if (Leader) {
      Use(ProtocolOp::Store, Site::StoreSlab);
      add(ProtocolOp::Commit, Site::CommitStore);
    }
  }
}

void Builder::writeConsumer(int32_t Group, int32_t Warp) {
  int32_t Slab = 0;
  for (int64_t Tile = 0; Tile < Run.Tiles; ++Tile) {
    if (P.Pingpong && Tile % 2 != Group)
      continue;
    if (P.Pingpong && Tile > 0)
      meet(Site::TakeTurn, named(P.TurnBarrier + Group, P.TurnThreads),
           /*AlsoWait=*/true);
    if (P.Rows.InRegisters)
      multiplyFragments(Tile * Run.KBlocks);
    else if (Splitters)
      multiplyParts(Tile * Run.KBlocks);
    else
      multiply(Tile * Run.KBlocks);
    if (P.Pingpong && Tile + 1 < Run.Tiles)
      meet(Site::PassTurn, named(P.TurnBarrier + (Group ^ 1), P.TurnThreads),
           /*AlsoWait=*/false);
    if (!Splitters) {
      add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
      release(Site::ReleaseLast, (Tile + 1) * Run.KBlocks - 1);
    }
    store(Group, Warp == 0, Slab);
  }
  if (P.Epilogue.Kind == EpilogueKind::TmaStore && Warp == 0)
    add(ProtocolOp::WaitStores, Site::DrainStores).Count = 0;
}

void Builder::finish() {
  if (CTAs > 1)
    meet(Site::LastSync, everybody(), /*AlsoWait=*/true);
  add(ProtocolOp::Leave, Site::Exit);
}

Protocol Builder::build() {
  auto AddBarriers = [&](const char *Name, int64_t Arrivals, bool Bytes) {
    for (int32_t C = 0; C < CTAs; ++C)
      for (int32_t Stage = 0; Stage < Stages; ++Stage) {
        ProtocolBarrier B;
        B.Name = formatv("{0}[{1}] of CTA {2}", Name, Stage, C);
        B.CTA = C;
        B.Expected = int32_t(Arrivals);
        B.CountsBytes = Bytes;
        Result.Barriers.push_back(std::move(B));
      }
  };
  AddBarriers("full", P.FullArrivals, true);
  AddBarriers("empty", P.EmptyArrivals, false);
  if (Splitters)
    AddBarriers("ready", P.Split.ReadyArrivals, false);
  // Of the cluster, or __syncthreads where that is one CTA.
  const int32_t Agents = CTAs * int32_t(1 + Splitters + Groups * WarpsPerGroup);
  ProtocolBarrier All;
  All.K = ProtocolBarrier::Cluster;
  All.Name = CTAs > 1 ? "the cluster's barrier" : "the CTA's barrier";
  All.Expected = Agents;
  Result.Barriers.push_back(std::move(All));

  const int32_t Readers = int32_t(WarpsPerGroup * (P.Pingpong ? 1 : Groups));
  // 16-bit blocks fill half of what their parts need.
  auto Fills = [](const OperandPlan &O) {
    return O.BoxCount * O.Shares * O.BoxBytes;
  };
  const bool Apart = P.Rows.InRegisters;
  for (int32_t C = 0; C < CTAs; ++C)
    for (int32_t Stage = 0; Stage < Stages; ++Stage)
      Result.Buffers.push_back(
          {ProtocolBuffer::Stage,
           formatv("{2}stage {0} of CTA {1}", Stage, C,
                   Apart ? "the columns of " : ""),
           Readers, (Apart ? 0 : Fills(P.Rows)) + Fills(P.Cols), Splitters});
  for (int32_t C = 0; C < CTAs; ++C)
    for (int32_t Group = 0; Group < Groups; ++Group)
      for (int64_t I = 0; I < P.Epilogue.Buffers; ++I)
        Result.Buffers.push_back(
            {ProtocolBuffer::Staging,
             formatv("staging buffer {0} of consumer {1} of CTA {2}", I, Group,
                     C),
             int32_t(WarpsPerGroup), 0, 0});
  for (int32_t C = 0; C < CTAs && Splitters; ++C)
    for (int32_t Stage = 0; Stage < Stages; ++Stage)
      Result.Buffers.push_back(
          {ProtocolBuffer::Scales,
           formatv("the scales of stage {0} of CTA {1}", Stage, C), Readers, 0,
           Splitters});
  for (int32_t C = 0; C < CTAs && Apart; ++C)
    for (int32_t Stage = 0; Stage < Stages; ++Stage)
      Result.Buffers.push_back(
          {ProtocolBuffer::Stage,
           formatv("the rows of stage {0} of CTA {1}", Stage, C), Readers,
           Fills(P.Rows), 0});

  Result.Agents.resize(Agents);
  int32_t Next = 0;
  for (CTA = 0; CTA < CTAs; ++CTA) {
    auto Begin = [&](std::string Name) {
      Self = &Result.Agents[Next++];
      Self->Name = std::move(Name);
      Self->CTA = CTA;
      Rounds.clear();
    };
    const std::string Where = CTAs > 1 ? formatv("CTA {0} ", CTA).str() : "";
    Begin(Where + "producer");
    add(ProtocolOp::Initialise, Site::Init);
    meet(Site::FirstSync, everybody(), /*AlsoWait=*/true);
    writeProducer();
    finish();
    for (int32_t Warp = 0; Warp < Splitters; ++Warp) {
      Begin(Where + formatv("transform {0} warp {1}", Warp / WarpsPerGroup,
                            Warp % WarpsPerGroup)
                        .str());
      meet(Site::FirstSync, everybody(), /*AlsoWait=*/true);
      writeSplitter();
      finish();
    }
    for (int32_t Group = 0; Group < Groups; ++Group)
      for (int32_t Warp = 0; Warp < WarpsPerGroup; ++Warp) {
        Begin(Where + formatv("consumer {0} warp {1}", Group, Warp).str());
        meet(Site::FirstSync, everybody(), /*AlsoWait=*/true);
        writeConsumer(Group, Warp);
        finish();
      }
  }
  return std::move(Result);
}

Protocol buildProtocol(const KernelPlan &P, const ProtocolRun &Run) {
  return Builder(P, Run).build();
}

} // namespace warpwright
