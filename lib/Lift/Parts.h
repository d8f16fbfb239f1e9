//===-- Parts.h - Parts of shared arrays ------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warps, and where the parts of shared arrays are of which each warp
/// (WarpParts.cpp) or each thread (OwnElements.cpp) has one of its own.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_PARTS_H
#define WARPWRIGHT_LIB_LIFT_PARTS_H

#include "warpwright/Contraction/IntExpr.h"
#include <array>
#include <cstdint>

namespace warpwright::symbolic {

constexpr int64_t WarpLanes = 32;

/// Where the part of a warp begins and ends: Low to High, and \c Stride more
/// for the next warp, which is that of the next row of threads if \c OfRow.
struct WarpPart {
  bool OfRow = false;
  int64_t Stride = 0, Low = 0, High = 0;
};

/// The steps from the part of a thread to that of the next one along each
/// dimension, the distance between parts, and where the part of thread 0 begins
/// and ends.
struct OwnPart {
  std::array<IntExpr, 3> Steps;
  int64_t Distance = 0, Low = INT64_MAX, High = 0;
};

/// Whether all threads of a warp, or of each group of \p Lanes neighbours, have
/// the same \p E, where the width of a block is a multiple of 32.
bool isWarpUniform(const IntExpr &E, int64_t Lanes = WarpLanes);
/// Whether \p B holds for all of these lanes or for none.
bool holdsForWarp(const BoolExpr &B, int64_t Lanes = WarpLanes);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_PARTS_H
