//===- Portfolio.h - Plans that are worth considering ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_PORTFOLIO_H
#define WARPWRIGHT_LIB_PLAN_PORTFOLIO_H

#include "warpwright/Plan/Roles.h"

namespace warpwright {

/// What a plan is kept for (PlanChoice), one bit each.
/// The last two are for operands that TMA does not round, and for those that it
/// rounds.
enum PlanUse : unsigned {
  EverySize = 1,
  Largest = 2,
  CommonSizes = 4,
  NeverRounded = 8,
  OnlyRounded = 16
};

/// A plan before operands are exchanged and clauses applied.
struct PortfolioPlan {
  const char *Name, *Family;
  int64_t TileM, TileN, Stages, ConsumerWarpgroups;
  struct {
    int64_t M, N;
  } Cluster;
  bool SwapAB;
  unsigned Uses;
  const ScheduleRole &(*Schedule)() = sharedSchedule;
  /// Its name where a clause asks for another schedule, if it is named after
  /// its own.
  const char *OtherName = nullptr;
  /// nullptr: that of its family.
  const FeedRole &(*Feed)() = nullptr;
  int64_t Slices = 1;
  /// Blocks of the feed's depth that a stage has, if the feed takes so many.
  int64_t Depth = 1;
};

/// What is considered for some contractions: those that prefer a feed.
struct PlanFamily {
  const FeedRole &(*Feed)();
  /// nullptr: any.
  const MultiplyRole &(*Multiply)();
  bool (*Suits)(const Contraction &C); ///< nullptr: all of them
  llvm::ArrayRef<PortfolioPlan> Plans;
  unsigned Without = 0; ///< rows with such a use are for other families

  PlanChoice choice(const PortfolioPlan &P, const Contraction &C) const;
};

/// The first that suits \p C, whose preferred feed is \p Feed and whose
/// products are added as \p Multiply does.
const PlanFamily &planFamily(const Contraction &C, const FeedRole &Feed,
                             const MultiplyRole &Multiply);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_PORTFOLIO_H
