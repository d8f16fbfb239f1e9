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
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/Twine.h"

namespace warpwright {

inline constexpr int64_t WarpsPerWarpgroup = 4;

/// Named barrier 0 is __syncthreads.
inline constexpr int64_t FirstNamedBarrier = 1;

/// What every feed takes of a request as it is.
OperandPlan operandOf(const OperandRequest &R);

/// How WGMMA reads the tile of \p P, whose TileExtent is known, from \p Tile:
/// its descriptor's fields and how the start address moves.
llvm::Error deriveAccess(OperandPlan &P, const SmemLayout &Tile, Major Order,
                         int64_t RowsPerInstruction);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_DERIVE_H
