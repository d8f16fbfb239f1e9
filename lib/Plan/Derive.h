//===- Derive.h - What follows from a plan's decisions ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_DERIVE_H
#define WARPWRIGHT_LIB_PLAN_DERIVE_H

#include "warpwright/Plan/Plan.h"

#include "llvm/ADT/Twine.h"

namespace warpwright {

inline constexpr int64_t WarpsPerWarpgroup = 4;

/// The operands of \p C go through the transform stage: one is float, or they
/// have different types.
bool needsTransform(const Contraction &C);

/// What the transform stage asks of a plan's decisions.
llvm::Error checkSplitChoice(const PlanChoice &P, int64_t Sums);

/// An operand that the transform stage rewrites as fp16 parts, \p Extent rows
/// (m or n) of it, those of \p Sources arrays one behind the other, of which
/// \p Shares CTAs of the cluster load one part each.
llvm::Expected<OperandPlan>
deriveSplitOperand(const Operand &Source, bool IsA, Major Order, int64_t Extent,
                   int64_t Sources, int64_t Shares, int64_t RowsPerInstruction,
                   const PlanChoice &Choice, const Machine &M);

/// The transform's warpgroups for the decisions of \p P and \p Sums sums.
int64_t transformWarpgroups(const PlanChoice &P, int64_t Sums);

/// Where the scales and flags of \p P lie, from byte \p Offset, and who arrives
/// at its ready and empty barriers (given as warps, then threads); returns the
/// end of the memory. The operands must be known.
int64_t deriveSplit(KernelPlan &P, int64_t Offset);

/// Registers of all warpgroups, and whether the accumulators leave enough.
llvm::Error deriveSplitRegisters(KernelPlan &P, const Machine &M);

/// How WGMMA reads the tile of \p P, whose TileExtent is known, from \p Tile:
/// its descriptor's fields and how the start address moves.
llvm::Error deriveAccess(OperandPlan &P, const SmemLayout &Tile, Major Order,
                         int64_t RowsPerInstruction);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_DERIVE_H
