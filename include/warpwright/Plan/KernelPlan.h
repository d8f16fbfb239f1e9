//===-- KernelPlan.h - How a contraction is computed ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hand-over from Plan to CodeGen: which choice of each role a kernel is
/// made of (Roles.h), and the plain numbers that these choices have derived.
/// Its JSON form is documented in docs/plans.md. "Rows" is the operand on the M
/// side of WGMMA (the one that supplies the 64 rows of an instruction), "Cols"
/// the one on its N side.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_KERNELPLAN_H
#define WARPWRIGHT_PLAN_KERNELPLAN_H

#include "warpwright/Contraction/Value.h"
#include "warpwright/Hopper/Smem.h"
#include "warpwright/Plan/Elements.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpwright {

class FeedRole;
class LoadRole;
class MultiplyRole;
class ScheduleRole;
class StoreRole;

/// The choices of each role by name, for those who make plans. Whoever has a
/// plan asks its roles (Roles.h), not which ones they are.
const LoadRole &tmaLoad();
const FeedRole &straightFeed();
const FeedRole &roundedFeed();
const FeedRole &turnedFeed();
const FeedRole &bitsFeed();
const FeedRole &partsFeed();
const FeedRole &registersFeed();
const FeedRole &fragmentsFeed();
const FeedRole &convertedFeed();
const MultiplyRole &wgmmaMultiply();
const MultiplyRole &promotedMultiply();
const MultiplyRole &mmaMultiply();
const MultiplyRole &halvesMultiply();
const ScheduleRole &sharedSchedule();
const ScheduleRole &pingpongSchedule();
const ScheduleRole &interleavedSchedule();
const StoreRole &stagedStore();
const StoreRole &directStore();
const StoreRole &partialStore();

/// One operand's way from global memory to the tensor core.
struct OperandPlan {
  bool IsA = true; ///< the contraction's A (moved by m) or B (moved by n)
  ScalarType Type = ScalarType::BF16;
  /// Numbers along k that an element has (Operand::numbers). Where they are
  /// several, boxes and RawLayout have TileK / Numbers elements along k.
  int64_t Numbers = 1;
  Major Order = Major::K;
  SwizzleMode Swizzle = SwizzleMode::B128;
  std::string SmemLayout; ///< byte-swizzled layout of one stage, CuTe notation
  int64_t TileExtent = 0; ///< rows (m or n) of the tile, elements
  /// Arrays that lie one behind the other in a stage, as so many equal parts of
  /// TileExtent, each with the same rows of its array: the factors that several
  /// sums do not share (KernelPlan::Sums).
  int64_t Sources = 1;
  /// Rows that a stage holds: TileExtent, rounded up to whole blocks of the
  /// swizzle when Order is MN.
  int64_t StoredExtent = 0;
  /// CTAs of the cluster that need the same tile: each loads one part of every
  /// box and multicasts it to all. The CTA of rank r belongs to the group
  /// whose mask is MulticastMask << g * MulticastStep, where g is its row of
  /// the cluster (for Rows) or its column (for Cols).
  int64_t Shares = 1;
  int64_t MulticastMask = 1, MulticastStep = 1;
  /// Box of one TMA copy, innermost first, elements: {k, rows} when Order is
  /// K, {rows, k} when it is MN. Its outer extent is divided by Shares.
  std::vector<int64_t> Box;
  /// Copies per CTA and stage. Copy i of share s starts i * BoxStepRows +
  /// s * ShareStepRows rows and i * BoxStepK + s * ShareStepK elements of k
  /// into the tile and fills the memory from i * BoxStepBytes + s * BoxBytes.
  /// The first BoxCount / Sources copies bring the first source, and so on.
  int64_t BoxCount = 1;
  int64_t BoxBytes = 0, BoxStepBytes = 0;
  int64_t BoxStepRows = 0, BoxStepK = 0;
  int64_t ShareStepRows = 0, ShareStepK = 0;
  int64_t StageBytes = 0; ///< of this operand's part of a stage
  /// Of this operand within a stage; stages lie KernelPlan::StageBytes apart.
  int64_t Offset = 0;
  /// WGMMA descriptor fields in bytes, and how the start address moves.
  int64_t LeadingBytes = 0, StrideBytes = 0;
  int64_t KStepBytes = 0;    ///< per InstructionK of k, within a box
  int64_t RowBlockBytes = 0; ///< per 64 rows (Rows operand)
  int64_t GroupBytes = 0;    ///< per consumer warpgroup (Rows operand)
  /// Which row each of 16 slots of a warp has in wgmma's fragment, CuTe
  /// notation, where consumers convert rows in registers (the feed
  /// `converted`): the order in which their loads bring them. The sums are put
  /// into the order of rows behind a tile's last product.
  std::string RowSlots;
  /// (The feed `converted`.) The consumers subtract a zero point from each
  /// element; they multiply sums by scales. Both belong to a row, or where
  /// GroupK is not 0 to so many of k of a row, after which the sums leave the
  /// accumulators (GroupedFactor).
  bool ZeroPoints = false, GroupScales = false;
  int64_t GroupK = 0;
  /// The operand moves with the batch index; if not, its tensor map has one
  /// batch and its batch coordinate is 0.
  bool Batched = false;

  /// Where instruction number \p Step along k, each of \p PerStep elements,
  /// begins to read, in bytes: of elements as TMA wrote them in the first box
  /// of a row or in one behind it.
  int64_t startOfStep(int64_t Step, int64_t PerStep) const {
    const int64_t InBox =
        Order == Major::K && BoxStepK && !Parts ? BoxStepK / PerStep : Step + 1;
    return Step / InBox * BoxStepBytes + Step % InBox * KStepBytes;
  }

  /// Elements are multiplied by a number that is the same for TileK of k
  /// (BlockScale): the sums of a block are, when they are promoted. Alike: it
  /// is the same for all rows of the tile, too.
  bool Scaled = false, ScaledAlike = false;
  /// A number is added to each element (isShifted): it is multiplied out and
  /// comes into the finished sums.
  bool Shifted = false;
  /// Elements are words of which the tensor cores count common bits
  /// (tableOfBits).
  bool Counted = false;

  /// How many fp16 numbers stand for one element (SplitPlan): 1, rounded to 11
  /// bits, or 2, 22 bits. 0: WGMMA reads the elements themselves. With parts,
  /// Type, Order, RawLayout, RawSwizzle and all that is said of boxes describe
  /// the raw stage that TMA writes; SmemLayout, Swizzle (128 bytes) and the
  /// descriptor fields the parts, which are K-major whatever Order is.
  int64_t Parts = 0;
  /// Bytes of a raw stage by (row, k): byte address / element size, CuTe
  /// notation. Within blocks of SplitPlan::BlockRows rows it is a function onto
  /// the block's own memory, or the first half of it (16-bit elements).
  std::string RawLayout;
  SwizzleMode RawSwizzle = SwizzleMode::B128;
  /// From a row's high parts to its low ones; a row is 128 bytes.
  int64_t LowPartBytes = 0;
  /// Magnitudes of scaled elements that the parts represent well: zero, or at
  /// least 2^LeastExponent and less than 2^(SplitPlan::TopExponent + 1). A
  /// block with any other is left raw.
  int64_t LeastExponent = 0;
  /// (Parts > 0.) What is multiplied is computed from each element and its
  /// place, by the contraction's prologue, before it is split: the parts are
  /// those of numbers of FactorType. A block that they cannot represent stays
  /// as floats, K-major in lines of 128 bytes, of which ComputedLayout is the
  /// layout, whatever the raw elements were.
  bool Computed = false;
  /// What is multiplied is not the element.
  bool hasPrologue() const {
    return Computed || Scaled || Shifted || Counted || ZeroPoints ||
           GroupScales || GroupK;
  }
  ScalarType FactorType = ScalarType::BF16;
  std::string ComputedLayout;
};

/// The transform stage of float operands, between TMA and WGMMA: its
/// warpgroups rewrite every stage in place, warp by warp in blocks of BlockRows
/// rows. Each row (of A or B, along k) is scaled by a power of two that stays
/// for a window of stages, and x * scale = high + low / 2^LowShift with fp16
/// high and low; the consumers add high * high + (high * low + low * high) /
/// 2^LowShift of a window in the tensor cores, undo the scales, and promote the
/// result to float accumulators of their own. A block that the parts cannot
/// represent (infinities, a range of magnitudes beyond fp16's) stays raw, its
/// flag is set, and the consumers multiply the windows that it is in by
/// ordinary float instructions.
///
/// Where the rows operand is rounded in the consumers' registers (the feed
/// `registers`), the transform rewrites the columns only. Scales of rows are
/// then known to the quads of lanes that hold them, and scales may change at
/// any stage: the consumers promote what they have summed up before. A window
/// is only as long as it may be, not as it always is, and the sums promoted so
/// far are in local memory, for there is seldom any.
struct SplitPlan {
  int64_t Warpgroups = 0; ///< of the transform; 0 for a feed without one
  int64_t Registers = 0;  ///< per thread of theirs
  int64_t Window = 3;     ///< stages between promotions
  int64_t BlockRows = 32, BlockBytes = 4096;
  int64_t LowShift = 11;
  /// A row keeps its scale from window to window while it takes the row's
  /// largest element, in the window's first stage that is not all zeros, to at
  /// least 2^(ScaleExponent - 6) (rt::kept_exponents) and less than
  /// 2^(TopExponent + 1). Otherwise that element gets a scale that takes it to
  /// 2^ScaleExponent or up to twice that.
  int64_t ScaleExponent = 12, TopExponent = 14;
  /// Scales are no larger than what takes 2^-RangeExponent to 2^ScaleExponent,
  /// and no smaller than what takes 2^RangeExponent there: undoing others could
  /// overflow or lose bits on the way. The runtime goes no further than 2^45
  /// upwards, so elements from 2^48 on stay raw: their products may overflow in
  /// the original.
  int64_t RangeExponent = 80;
  /// One byte per row of the tile and stage: the biased float exponent of what
  /// undoes its scale, 127 (that of 1) until one is chosen; those of the rows
  /// operand first.
  int64_t ScaleOffset = 0, ScaleStageBytes = 0;
  /// One byte per block and stage, those of the rows operand first: bit 0 if it
  /// is raw, and with rows in registers bit 1 if the scale of one of its rows
  /// is not that of the stage before. What belongs to rows in registers is not
  /// written.
  int64_t FlagOffset = 0, FlagStageBytes = 0;
  /// Arrivals of a ready barrier, one per thread of the transform. The ready
  /// barriers lie behind the empty ones. (Threads arrive one by one, here and
  /// at the empty barriers, since what they vouch for are their own ordinary
  /// accesses: racecheck follows no other way, and it costs nothing.)
  int64_t ReadyArrivals = 0;
  /// Which place among the InstructionK of an instruction, or slot, an element
  /// has by its k, CuTe notation. A sum of products does not depend on it as
  /// long as rows and columns have the same: where rows are in registers it is
  /// the order in which the consumers' loads bring them, and the transform
  /// writes the columns' parts in it.
  std::string KSlots = "16:1";

  /// Arrivals of one warp at a ready or an empty barrier.
  static constexpr int64_t WarpArrivals = 32;
};

/// The first output's way back, in slabs of 64 accumulator rows by SlabColumns
/// columns. Further outputs are stored directly.
struct EpiloguePlan {
  ScalarType Type = ScalarType::BF16;
  /// The output is contiguous along the accumulator's rows, not its columns.
  bool RowsContiguous = false;
  std::string SmemLayout; ///< of a slab, (row, column), CuTe notation
  SwizzleMode Swizzle = SwizzleMode::B128;
  int64_t SlabColumns = 64;
  /// Box of one store, contiguous direction first; BoxCount of them, BoxStep
  /// elements apart in the contiguous direction, empty a slab.
  std::vector<int64_t> Box;
  int64_t BoxCount = 1, BoxBytes = 0, BoxStep = 0;
  /// Each consumer warpgroup alternates between Buffers buffers.
  int64_t Buffers = 2, BufferBytes = 8192;
  int64_t StagingOffset = 0, StagingBytes = 0; ///< all warpgroups together
  /// Named barrier of the first consumer warpgroup's stores; those of the
  /// others follow.
  int64_t FirstBarrier = 1;
  /// Bits of the integers in which the epilogue computes the offsets of the
  /// elements that it reads and writes itself. Arrays that need more are left
  /// to the original by the launcher.
  int64_t OffsetBits = 32;
  /// Outputs beside this one, which each thread stores by itself.
  int64_t Others = 0;
};

/// What the run-time selector knows of a plan: whole SM clocks and bytes.
struct PlanCost {
  /// Of one CTA for one block of TileK: tensor cores or shared memory,
  /// whichever is slower.
  int64_t ClocksPerKBlock = 0;
  /// Per tile: what of the epilogue is not hidden behind other tiles.
  int64_t ClocksPerTile = 0;
  /// Per launch: filling the pipeline, and what of the last epilogue is not in
  /// ClocksPerTile.
  int64_t ClocksOnce = 0;
  /// Bytes that one CTA draws from L2 for one block of TileK, and how many of
  /// them are of A.
  int64_t BytesPerKBlock = 0, BytesOfAPerKBlock = 0;
  /// Bytes that one CTA stores for a tile, where they are not in the clocks.
  int64_t StoredBytesPerTile = 0;
};

/// How much of float factors is multiplied.
enum class FactorPrecision {
  Float, ///< what float products would have, but for the last bits
  TF32,  ///< 11 bits: precision(tf32)
};

/// What a planner decides; everything else in a KernelPlan follows from it,
/// the contraction and the machine.
struct PlanChoice {
  std::string Name;   ///< unique within the PlanSet, an identifier: `large`
  std::string Family; ///< "large", "medium", "small", "skinny"
  /// Of the planner's portfolio: the plan that is kept for all sizes where only
  /// one is wanted, the one with the greatest tile, which is kept beside it
  /// where there are many memory orders, and those of common sizes, which are
  /// kept where there are two.
  bool SuitsEverySize = false, Largest = false, SuitsCommonSizes = false;
  int64_t TileM = 128, TileN = 256, TileK = 64; ///< in the contraction's m, n
  int64_t Stages = 4;
  int64_t ConsumerWarpgroups = 2;
  /// How stages are filled.
  const LoadRole *Load = &tmaLoad();
  /// How they come to the tensor cores. nullptr: by what takes operands of
  /// these types (defaultFeed). Never nullptr in a KernelPlan.
  const FeedRole *Feed = nullptr;
  FactorPrecision Precision = FactorPrecision::Float;
  /// Of the transform stage, where the feed has one (SplitPlan). 0: 2 where a
  /// stage has more blocks than a warpgroup has warps, else 1.
  int64_t TransformWarpgroups = 0;
  /// By which instruction they are multiplied, and what becomes of its sums.
  /// nullptr: by the types (defaultMultiply). Never nullptr in a KernelPlan.
  const MultiplyRole *Multiply = nullptr;
  /// Which consumers multiply which tiles.
  const ScheduleRole *Schedule = &sharedSchedule();
  int64_t ClusterM = 1, ClusterN = 1;
  bool SwapAB = false;      ///< the contraction's B is the Rows operand
  int64_t RasterGroup = 16; ///< tiles in a band of rows
  /// Slices of k in which each tile is computed, by a CTA each; a kernel of its
  /// own adds them (partialStore). 1: all of k at once. 0: as many as suit a
  /// launch, by rt::cut_k.
  int64_t Slices = 1;
  /// No tile is cut along k. Without it a launch may cut some, where whole ones
  /// do not divide evenly among clusters (rt/pieces.cuh), if the plan can
  /// (rt::choice::cuts_tiles).
  bool WholeTiles = false;
  /// It is for launches whose groups along k are multiples of this, and not for
  /// others (FeedRole::usualGroup). 0: for all launches.
  int64_t AskedGroup = 0;

  int64_t tileRows() const { return SwapAB ? TileN : TileM; }
  int64_t tileColumns() const { return SwapAB ? TileM : TileN; }
  int64_t clusterRows() const { return SwapAB ? ClusterN : ClusterM; }
  int64_t clusterColumns() const { return SwapAB ? ClusterM : ClusterN; }
  int64_t clusterSize() const { return ClusterM * ClusterN; }
  /// Cluster tiles in a band of rows.
  int64_t bandRows() const {
    return RasterGroup > clusterRows() ? RasterGroup / clusterRows() : 1;
  }
  /// Consumer warpgroups that share the rows of a tile and read each of its
  /// stages.
  int64_t consumersOfTile() const;
  /// Those that store what they have multiplied.
  int64_t storingConsumers() const;
  /// Blocks of 64 rows that each consumer warpgroup computes.
  int64_t rowBlocks() const { return tileRows() / (64 * consumersOfTile()); }
};

struct KernelPlan : PlanChoice {
  KernelPlan() {
    Feed = &straightFeed();
    Multiply = &wgmmaMultiply();
  }

  /// What the tensor cores multiply: the rows, as the feed hands them over.
  /// Columns may be of another type, but have the same size and sums.
  const ElementType &multiplied() const;

  /// n and k of the wgmma that each consumer issues, or of the instructions
  /// that its warps issue side by side in the place of one, the sums that it
  /// leaves with each thread, and which they are: (thread, value) to row + 64 *
  /// column of the result, CuTe notation.
  int64_t InstructionN = 256, InstructionK = 16, Accumulators = 128;
  std::string Fragment;
  /// So much of k is added in the accumulators before they are added to sums in
  /// other registers. 0: all of it.
  int64_t PromotedK = 0;
  /// Sums that the contraction has for each element. The columns of an
  /// instruction are those of the tile, once for each: a thread that holds an
  /// element of the first sum holds those of the others at the same place.
  int64_t Sums = 1;
  /// Products that a sum adds, one after the other along k: their operands take
  /// turns in the stages.
  int64_t Products = 1;
  /// Each of them is over a range of k of its own, of as many blocks as that
  /// takes.
  bool OwnRanges = false;
  /// Those that it subtracts, a bit for each: Sum * Products + Product. Between
  /// two products the consumers negate the sums of which the sign changes, and
  /// behind the last one those that are negative then.
  unsigned Subtracted = 0;
  /// So many products, the first ones, are multiplied with a number that the
  /// launch knows: behind the last of them the consumers multiply what is in
  /// the accumulators.
  int64_t ScaledProducts = 0;
  /// Stretches of k between which nothing is done with the sums.
  int64_t stretches() const {
    return Subtracted || ScaledProducts ? Products : 1;
  }
  int64_t ProducerRegisters = 40, ConsumerRegisters = 232;
  int64_t Threads = 384;
  OperandPlan Rows, Cols;
  SplitPlan Split;        ///< of feeds that have a transform
  int64_t StageBytes = 0; ///< rows and columns operand together
  /// How results leave the registers.
  const StoreRole *Store = &stagedStore();
  /// How the first output leaves in the end; what the epilogue is written for.
  /// Store is another one where the kernel stores sums of slices.
  const StoreRole *Output = &stagedStore();
  EpiloguePlan Epilogue;
  /// Full barriers, 8 bytes each, then empty ones, then those of the feed.
  int64_t BarrierOffset = 0;
  /// What a full barrier waits for per stage, its producer's arrivals and the
  /// bytes of its copies, and the arrivals that an empty one waits for: one per
  /// warp of every consumer that reads it, in every CTA of the cluster; with a
  /// transform one per thread.
  int64_t FullArrivals = 1, TransactionBytes = 0, EmptyArrivals = 0;
  /// Where consumers take turns: the first of the named barriers that the
  /// schedule has for it, and the threads that meet at each of them.
  int64_t TurnBarrier = 0, TurnThreads = 0;
  /// Sums that consumers hand over to others, if their schedule wants it:
  /// behind the staging buffers.
  int64_t ExchangeOffset = 0, ExchangeBytes = 0;
  int64_t SmemBytes = 0; ///< dynamic shared memory, which starts 1024-aligned
  PlanCost Cost;
  /// Over the kernel's parameters: where one is false, the launcher copies an
  /// operand into the plan's order before (a stride that is not 1).
  std::vector<BoolExpr> Requires;
  std::vector<std::string> Certificate; ///< one proven property per line
};

/// The plans for one contraction, best known first. At run time the launcher
/// takes the one with the least predictedClocks (Plan.h, by the formula that
/// the launcher has, too), copies of operands included (rt::copy_clocks); the
/// earlier of two equal ones.
struct PlanSet {
  std::vector<KernelPlan> Plans;
  /// Remarks for `explain`: what was considered and why not taken.
  std::vector<std::string> Notes;
};

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_KERNELPLAN_H
