//===- Protocol.h - The barrier protocol of a plan, as data -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the threads of one cluster say to each other, unrolled for given trip
/// counts: barriers with what completes them, buffers of shared memory, and for
/// each agent the operations that it performs, in order. An agent is a warp
/// (the producer: its one thread). Mirrors the roles of the runtime's kernel
/// (rt/kernel.cuh and what it includes), operation by operation: test/Schedule
/// compares them with what a simulated kernel does.
///
/// exploreRun decides about all interleavings of a protocol at once. Operations
/// are straight lines, and a wait is for one definite phase, so while three
/// premises hold every schedule performs the same operations in the same
/// partial order (a Kahn network):
///  1. an arrival knows the phase before its own to be complete, or at least
///     all that the missing arrivals have to tell: no schedule counts it for
///     another phase, or if so without consequence;
///  2. a wait by parity begins when the phase before the awaited one is known
///     to be complete: it cannot pass too early;
///  3. the phase after the awaited one completes only after the waiter has
///     passed: it cannot find its parity taken again.
/// The premises are checked, along with everything else, by vector clocks in
/// one run: what is ordered there is ordered in every run, what is not can
/// happen either way round.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_PROTOCOL_H
#define WARPWRIGHT_PLAN_PROTOCOL_H

#include "warpwright/Plan/KernelPlan.h"
#include "warpwright/Plan/Property.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace warpwright {

/// Where in the kernel's text an operation stands.
enum class Site : uint8_t {
  Init,          ///< thread 0 initialises the barriers of its CTA
  FirstSync,     ///< __syncthreads or cluster barrier behind it
  WaitEmpty,     ///< producer, before it fills a stage
  ExpectBytes,   ///< producer, arrive.expect_tx
  CopyRows,      ///< producer, a box of the rows operand
  CopyColumns,   ///< producer, a box of the columns operand
  TakeTurn,      ///< pingpong: waits until the other group has multiplied
  WaitFull,      ///< consumer, before it multiplies
  FenceOperands, ///< wgmma.fence
  Multiply,      ///< wgmma of one block, as one group
  WaitProducts,  ///< wgmma.wait_group<1>
  Release,       ///< consumer gives the stage of the block before back
  PassTurn,      ///< pingpong: lets the other group multiply
  WaitLast,      ///< wgmma.wait_group<0>
  ReleaseLast,   ///< gives the tile's last stage back
  ChangeSums,    ///< consumer: negates or scales sums between products
  SplitBlocks,   ///< transform: its blocks of a stage, in place
  WriteScales,   ///< transform: scales and flags of the stage
  FenceParts,    ///< transform: fence.proxy.async
  SignalReady,   ///< transform: one lane arrives at the ready barrier
  WaitReady,     ///< consumer, for each stage of a window
  ReadFlags,     ///< consumer: which blocks are raw
  MultiplyLow,   ///< wgmma of the products of high and low parts
  WaitLow,       ///< wgmma.wait_group<0>
  ScaleLow,      ///< accumulators by 2^-LowShift
  MultiplyHigh,  ///< wgmma of the products of high parts
  WaitHigh,      ///< wgmma.wait_group<0>
  ReadScales,    ///< consumer: of the window's last stage
  Promote,       ///< accumulators, scales undone, onto the sums
  ReadRawScales, ///< consumer: of a stage with raw blocks
  MultiplyRaw,   ///< a stage by ordinary instructions, into the sums
  ReleaseWindow, ///< gives each stage of the window back
  LookAtRows,    ///< consumer: which scales its rows of a stage need
  RoundRows,     ///< consumer: its rows of a stage, into registers
  LoadFragments, ///< consumer: what it multiplies of a stage, into registers
  FenceLoads,    ///< consumer: fence.proxy.async behind them
  ReleaseLoaded, ///< gives the stage that it has loaded back
  ConvertRows,   ///< consumer: the same, as the columns' type
  ClearSums,     ///< consumer: before a tile, and behind raw columns
  HandOverSums,  ///< consumer: writes those of a cut tile for another cluster
  AddSums,       ///< consumer: those that other clusters have written
  GiveSums,      ///< interleaved, second set: writes its sums of a tile
  SumsWritten,   ///< interleaved: the first set may read them
  TakeSums,      ///< interleaved, first set: adds them to its own
  SumsRead,      ///< interleaved: the second set may go on
  WaitBuffer,    ///< epilogue, leader: cp.async.bulk.wait_group.read
  SyncBuffer,    ///< epilogue: the buffer is free, the others learn
  ReadProducts,  ///< epilogue: converts accumulators
  StageSlab,     ///< epilogue: writes them to the buffer
  FenceSlab,     ///< epilogue: fence.proxy.async
  SyncSlab,      ///< epilogue: all have written
  StoreSlab,     ///< epilogue, leader: TMA store of the buffer
  CommitStore,   ///< epilogue, leader: cp.async.bulk.commit_group
  CopySlab,      ///< epilogue without TMA: all read the buffer
  DrainStores,   ///< leader, at the end: wait_group.read<0>
  LastSync,      ///< cluster barrier before the end
  Exit,
};
/// As a reader of the kernel would call it: `producer waits for an empty
/// stage`.
llvm::StringRef name(Site S);

struct ProtocolOp {
  enum Kind : uint8_t {
    Initialise, ///< all mbarriers of the agent's CTA
    Arrive,     ///< Count arrivals at each of Targets, expecting Bytes more
    WaitPhase,  ///< for phase Phase of Targets[0], by Parity if an mbarrier
    Copy,       ///< async: Bytes into Buffers[i], reported to Targets[i]
    Read,       ///< async (wgmma): Buffers[0], as a group of its own, and
                ///< registers if there are Fragments
    Round,      ///< Buffers[0], by ordinary loads, into Fragments
    WaitReads,  ///< at most Count groups of reads still run
    FenceReads, ///< ordinary accesses of accumulators before later reads
    UseResults, ///< accumulators by ordinary instructions
    Clear,      ///< the same, whatever they hold
    UseSums,    ///< registers that wgmma does not know
    Rewrite,    ///< part of Buffers[0], by ordinary loads and stores
    Write,      ///< Buffers[0], by ordinary stores
    FenceProxy, ///< ordinary accesses before later ones of the async proxy
    Store,      ///< async: reads Buffers[0], into the open bulk group
    Commit,     ///< closes the bulk group
    WaitStores, ///< at most Count bulk groups still read
    Load,       ///< Buffers[0], by ordinary loads
    Leave,      ///< the agent ends
  };
  Kind K;
  Site Where;
  uint8_t Parity = 0;
  int32_t Phase = 0; ///< that is awaited, or that arrivals and bytes are for
  int32_t Count = 0;
  int64_t Bytes = 0;
  int32_t Tag = 0; ///< which content of the buffer: block or slab number
  /// Which of the sets of registers that hold rows for wgmma; -1: none.
  int32_t Fragments = -1;
  /// Which set of accumulators wgmma adds to, or ordinary instructions use.
  int32_t Accumulators = 0;
  llvm::SmallVector<int32_t, 2> Targets, Buffers;
};

/// What a barrier or buffer is called, with up to three numbers in it. Only
/// failures and traces print it, so that it is put together there.
struct ProtocolName {
  const char *Format = ""; ///< of formatv, for Numbers
  std::array<int32_t, 3> Numbers = {};
  std::string str() const;
};

struct ProtocolBarrier {
  enum Kind : uint8_t { Mbarrier, Named, Cluster };
  Kind K = Mbarrier;
  ProtocolName Name; ///< `full[2] of CTA 0`
  int32_t CTA = 0;
  int32_t Number = 0;       ///< of a named barrier
  int32_t Expected = 0;     ///< arrivals that complete a phase
  bool CountsBytes = false; ///< and bytes
};

struct ProtocolBuffer {
  enum Kind : uint8_t {
    Stage,    ///< filled by copies, perhaps rewritten, read by wgmma; or one
              ///< operand's part of it
    Staging,  ///< written for the way out
    Scales,   ///< scales and flags of a stage
    Exchange, ///< sums that consumers hand over
  };
  Kind K = Stage;
  ProtocolName Name;     ///< `stage 2 of CTA 0`
  int32_t Users = 0;     ///< agents that read a content (stages) or write one
  int64_t FillBytes = 0; ///< of a complete content of a stage
  int32_t Writers = 0;   ///< agents that rewrite a stage, write scales or sums
};

struct ProtocolAgent {
  std::string Name; ///< `CTA 0, consumer 1, warp 3`
  int32_t CTA = 0;
  std::vector<ProtocolOp> Script;
};

struct Protocol {
  std::vector<ProtocolBarrier> Barriers;
  std::vector<ProtocolBuffer> Buffers;
  std::vector<ProtocolAgent> Agents;
};

/// What one run of a kernel is about.
struct ProtocolRun {
  int64_t KBlocks = 1;   ///< per tile
  int64_t Tiles = 1;     ///< that one cluster computes, one after the other
  bool TmaStores = true; ///< the output can be stored by TMA
  /// Some blocks of transformed stages are raw: the consumers read every stage
  /// by ordinary instructions too. With rows in registers scales change as
  /// well: the consumers choose them anew and promote before every stage.
  bool RawBlocks = false;
  /// Blocks of the first tiles, where tiles are cut (rt/pieces.cuh). To the
  /// sums of a tile of which it has fewer than all the cluster adds those of
  /// others; or if HandsOver it writes its sums of the first one for another.
  llvm::SmallVector<int64_t, 2> Pieces;
  bool HandsOver = false;

  int64_t blocksOf(int64_t Tile) const {
    return Tile < int64_t(Pieces.size()) ? Pieces[Tile] : KBlocks;
  }
  /// The number of a tile's first block, of all that the cluster multiplies.
  int64_t firstBlock(int64_t Tile) const {
    int64_t Block = 0;
    for (int64_t Before = 0; Before < Tile; ++Before)
      Block += blocksOf(Before);
    return Block;
  }
  int64_t blocks() const { return firstBlock(Tiles); }
  std::string str() const; ///< `2 tiles of 5 blocks, stored without TMA`
};

/// The least KBlocks that a kernel is launched with: the launcher leaves K = 0
/// to the original (rt::check).
inline constexpr int64_t LeastKBlocks = 1;

Protocol buildProtocol(const KernelPlan &P, const ProtocolRun &Run);

/// What went wrong and the shortest way there.
struct ProtocolFailure {
  Property Violated;
  std::string Message;
  /// The operations without which it does not come to this, in an order in
  /// which they may happen: since each needs all before it that it depends on,
  /// no run is shorter.
  std::vector<std::string> Trace;
  /// Operations that the trace stands for: a meeting takes two, and one line.
  int64_t Operations = 0;
};

/// All interleavings of \p P. Nothing, or the first property that one of them
/// violates.
std::optional<ProtocolFailure> exploreRun(const Protocol &P);

/// What exploreProtocol went through.
struct ProtocolCoverage {
  std::vector<int64_t> KBlocks, Tiles;
  int64_t Runs = 0, Agents = 0, Operations = 0;
  bool CutTiles = false; ///< also tiles of which a cluster has the last blocks
};

/// Every class of trip counts: 1, stages - 1, stages, stages + 1 and more than
/// two rounds of blocks, by 0 to 4 tiles (pingpong consumers meet every second
/// one), stored by TMA, and without it for 1 and stages + 1. With a transform
/// stage up to 3 tiles, also as many as its window has and one more (unless
/// rows are in registers, where a window's end is one of the changes of
/// scales); and for 1, stages + 1 and more than two rounds, by up to 2 tiles,
/// with raw blocks. Where tiles are cut, the same by up to 2 tiles, of the
/// first of which the cluster has only the last block, or only the first ones.
/// \p Change, if any, is applied to each run's protocol before it is explored.
std::optional<ProtocolFailure>
exploreProtocol(const KernelPlan &P, ProtocolCoverage &Coverage,
                llvm::function_ref<void(Protocol &)> Change = nullptr);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_PROTOCOL_H
