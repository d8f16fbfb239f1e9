//===-- Given.h - What is assumed of a launch -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_GIVEN_H
#define WARPWRIGHT_LIB_LIFT_GIVEN_H

#include "Multiples.h"
#include "warpwright/Contraction/Contraction.h"
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warpwright::symbolic {

/// A condition on the thread, such as `row < M`, and what the launch has to
/// meet so that the condition holds for every thread.
struct ForAll {
  BoolExpr Fact;
  BoolExpr Need;     ///< a condition on arguments and launch
  unsigned Line = 0; ///< what is at that line has to be reached by all
};

/// Requirements on the launch that are assumed before anything is executed.
struct Given {
  std::vector<ForAll> Conditions;
  std::array<int64_t, 3> Block = {0, 0, 0}; ///< 0: any width
  bool Square = false;                      ///< blockDim.y is blockDim.x
  bool WholeWarps = false; ///< rows of a block consist of warps
  /// What divides a multiple of a constant, `8 * block / columns`, is itself
  /// a multiple of the constant.
  bool WholeDivisors = false;
  /// Where the end of what a block does is the smaller one of two numbers, of
  /// which only one depends on the block, it is that one for all blocks.
  bool WholeSlices = false;
  /// Shared arrays of which each warp accesses a part of its own only, which
  /// is shown of every access (WarpParts.cpp).
  std::set<std::string> OwnParts;
  /// The same from a barrier of the block on, which is the so manieth one
  /// outside of all loops and conditions: tiles whose memory then holds
  /// results.
  std::map<std::string, unsigned> LateParts;
  /// Shared arrays of which each thread accesses a part of its own only, which
  /// is shown of every access (OwnElements.cpp).
  std::set<std::string> OwnElements;
  std::vector<BoolExpr> Cases; ///< that are required of the launch
  /// Loops that choose among elements of a local array that were stored one by
  /// one are executed one iteration after the other; those that choose among
  /// elements of a local array and run up to a constant number of times, which
  /// they may not reach, so that each iteration is under a condition.
  bool OneByOne = false;
  Multiples Arguments; ///< of which some number is a divisor
};

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_GIVEN_H
