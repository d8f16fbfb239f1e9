//===-- KernelPlan.h - How a contraction is computed ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hand-over from Plan to CodeGen. Plain data; JSON form in KernelPlan.cpp
/// and docs/design.md. "Rows" is the operand on the M side of WGMMA (the one
/// that supplies the 64 rows of an instruction), "Cols" the one on its N side.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_KERNELPLAN_H
#define WARPWRIGHT_PLAN_KERNELPLAN_H

#include "warpwright/Contraction/Value.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpwright {

enum class Major { K, MN };
enum class SwizzleMode { None, B32, B64, B128 };

/// One operand's way from global memory to the tensor core.
struct OperandPlan {
  bool IsA = true; ///< the contraction's A (moved by m) or B (moved by n)
  ScalarType Type = ScalarType::BF16;
  Major Order = Major::K;
  SwizzleMode Swizzle = SwizzleMode::B128;
  std::string SmemLayout; ///< byte-swizzled layout of one stage, CuTe notation
  int64_t TileExtent = 0; ///< rows (m or n) of the tile, elements
  /// TMA box, innermost first, elements; BoxCount boxes cover a stage's tile
  /// (this CTA's share of it, when the tile is multicast).
  std::vector<int64_t> Box;
  int64_t BoxCount = 1;
  int64_t BoxBytes = 0;    ///< shared memory bytes that one box fills
  int64_t StageBytes = 0;  ///< bytes of one whole stage of this operand
  int64_t StageOffset = 0; ///< of stage 0 in dynamic shared memory
  /// WGMMA descriptor fields in bytes, and how the start address moves.
  int64_t LeadingBytes = 0, StrideBytes = 0;
  int64_t KStepBytes = 0;    ///< per k16 instruction
  int64_t RowBlockBytes = 0; ///< per 64 rows (Rows operand)
};

enum class EpilogueKind {
  TmaStore, ///< registers -> swizzled smem -> TMA, predicated path beside it
  Direct,   ///< predicated stores only
};

struct EpiloguePlan {
  EpilogueKind Kind = EpilogueKind::TmaStore;
  ScalarType Type = ScalarType::BF16;
  std::string SmemLayout; ///< of one staging buffer
  std::vector<int64_t> Box;
  int64_t StagingBytes = 0, StagingOffset = 0;
};

struct KernelPlan {
  std::string Name;   ///< unique within the PlanSet, an identifier: `large`
  std::string Family; ///< "large", "medium", "small", "skinny"
  int64_t TileM = 128, TileN = 256, TileK = 64; ///< in the contraction's m, n
  int64_t Stages = 4;
  int64_t ConsumerWarpgroups = 2;
  int64_t ClusterM = 1, ClusterN = 1;
  bool SwapAB = false;      ///< the contraction's B is the Rows operand
  int64_t RasterGroup = 16; ///< tiles that are walked along m before n moves
  int64_t ProducerRegisters = 40, ConsumerRegisters = 232;
  int64_t Threads = 384;
  OperandPlan Rows, Cols;
  EpiloguePlan Epilogue;
  int64_t SmemBytes = 0; ///< dynamic shared memory, alignment slack included
  std::vector<std::string> Certificate; ///< one proven property per line
};

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_KERNELPLAN_H
