//===-- KernelPlan.h - How a contraction is computed ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hand-over from Plan to CodeGen. Plain data; its JSON form is documented
/// in docs/design.md. "Rows" is the operand on the M side of WGMMA (the one
/// that supplies the 64 rows of an instruction), "Cols" the one on its N side.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_KERNELPLAN_H
#define WARPWRIGHT_PLAN_KERNELPLAN_H

#include "warpwright/Contraction/Value.h"
#include "warpwright/Hopper/Smem.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpwright {

/// One operand's way from global memory to the tensor core.
struct OperandPlan {
  bool IsA = true; ///< the contraction's A (moved by m) or B (moved by n)
  ScalarType Type = ScalarType::BF16;
  Major Order = Major::K;
  SwizzleMode Swizzle = SwizzleMode::B128;
  std::string SmemLayout; ///< byte-swizzled layout of one stage, CuTe notation
  int64_t TileExtent = 0; ///< rows (m or n) of the tile, elements
  /// CTAs of the cluster that need the same tile: each loads
  /// TileExtent / Shares rows and multicasts them to all.
  int64_t Shares = 1;
  /// TMA box, innermost first, elements; BoxCount boxes cover a stage's tile
  /// (this CTA's share of it). They follow each other in memory; box i starts
  /// i * BoxStepRows rows and i * BoxStepK elements of k into the share.
  std::vector<int64_t> Box;
  int64_t BoxCount = 1;
  int64_t BoxBytes = 0; ///< shared memory bytes that one box fills
  int64_t BoxStepRows = 0, BoxStepK = 0;
  int64_t ShareBytes = 0;  ///< distance in a stage from one share to the next
  int64_t StageBytes = 0;  ///< bytes of one whole stage of this operand
  int64_t StageOffset = 0; ///< of stage 0 in dynamic shared memory
  /// WGMMA descriptor fields in bytes, and how the start address moves.
  int64_t LeadingBytes = 0, StrideBytes = 0;
  int64_t KStepBytes = 0;    ///< per k16 instruction
  int64_t RowBlockBytes = 0; ///< per 64 rows (Rows operand)
  /// The operand moves with the batch index; if not, its tensor map has no
  /// batch dimension and its batch coordinate is 0.
  bool Batched = false;
};

enum class EpilogueKind {
  TmaStore, ///< registers -> swizzled smem -> TMA, predicated path beside it
  Direct,   ///< predicated stores only
};

/// The first output's way back. Further outputs are stored directly.
struct EpiloguePlan {
  EpilogueKind Kind = EpilogueKind::TmaStore;
  ScalarType Type = ScalarType::BF16;
  /// Of one consumer warpgroup's staging buffer: (64, columns) in the rows and
  /// columns of the accumulator. When SwapAB, the output is contiguous along
  /// the accumulator's rows.
  std::string SmemLayout;
  SwizzleMode Swizzle = SwizzleMode::B128;
  /// Box of one store, innermost (n) first; BoxCount of them empty a buffer,
  /// box i starting i * BoxStep elements on along the boxes' direction.
  std::vector<int64_t> Box;
  int64_t BoxCount = 1, BoxBytes = 0, BoxStep = 0;
  /// Accumulator columns that are staged at a time; the tile takes
  /// columns / StageColumns rounds through the same buffer.
  int64_t StageColumns = 0;
  int64_t BufferBytes = 0;                     ///< per consumer warpgroup
  int64_t StagingBytes = 0, StagingOffset = 0; ///< all consumers together
};

/// What the run-time selector knows of a plan: whole SM clocks and bytes.
struct PlanCost {
  /// Of one CTA for one block of TileK: tensor cores or shared memory,
  /// whichever is slower.
  int64_t ClocksPerKBlock = 0;
  /// Per tile: filling the pipeline, and what of the epilogue is not hidden.
  int64_t ClocksPerTile = 0;
  /// Bytes that one CTA draws from L2 for one block of TileK.
  int64_t BytesPerKBlock = 0;
};

struct KernelPlan {
  std::string Name;   ///< unique within the PlanSet, an identifier: `large`
  std::string Family; ///< "large", "medium", "small", "skinny"
  int64_t TileM = 128, TileN = 256, TileK = 64; ///< in the contraction's m, n
  int64_t Stages = 4;
  int64_t ConsumerWarpgroups = 2;
  int64_t ClusterM = 1, ClusterN = 1;
  bool SwapAB = false;        ///< the contraction's B is the Rows operand
  int64_t InstructionN = 256; ///< n of the wgmma that each consumer issues
  int64_t RasterGroup = 16;   ///< tiles that are walked along m before n moves
  int64_t ProducerRegisters = 40, ConsumerRegisters = 232;
  int64_t Threads = 384;
  OperandPlan Rows, Cols;
  EpiloguePlan Epilogue;
  int64_t BarrierOffset = 0; ///< of the full barriers; the empty ones follow
  /// Bytes that a full barrier waits for per stage, and arrivals that an empty
  /// one does: one per consumer warpgroup of every CTA that this one feeds.
  int64_t TransactionBytes = 0, EmptyArrivals = 0;
  int64_t SmemBytes = 0; ///< dynamic shared memory, alignment slack included
  PlanCost Cost;
  /// Over the kernel's parameters: where it is false, the plan cannot be used
  /// (a stride that must be 1).
  std::vector<BoolExpr> Requires;
  std::vector<std::string> Certificate; ///< one proven property per line
};

/// The plans for one contraction, best known first. At run time the launcher
/// takes, of the plans whose Requires hold, the one with the least
/// rt::predictedClocks (see predictedClocks in Plan.h, the same function); the
/// earlier of two equal ones.
struct PlanSet {
  std::vector<KernelPlan> Plans;
  /// Remarks for `explain`: what was considered and why not taken.
  std::vector<std::string> Notes;
};

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_KERNELPLAN_H
