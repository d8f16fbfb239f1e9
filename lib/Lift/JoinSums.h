//===-- JoinSums.h - Sums that go on where others end -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel may add up its products in several loops: one over whole tiles and
/// one over the remainder, one for each of two tiles, or into several variables
/// that it adds in the end. If the products of one loop are those of another
/// one at later terms, the two loops compute one sum.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_JOINSUMS_H
#define WARPWRIGHT_LIB_LIFT_JOINSUMS_H

#include "Simplify.h"
#include "State.h"
#include "warpwright/Contraction/Contraction.h"

namespace warpwright::symbolic {

/// Nested sums: Body is added for all values of the counters for which Guard
/// holds.
struct SumNest {
  std::vector<BoundLoop> Loops; ///< the outermost first
  BoolExpr Guard = BoolExpr::constant(true);
  ValueRef Body;
  ValueRef Innermost; ///< the innermost Sum, for its type and place
};

/// Joins sums that are added to one another.
class SumJoiner {
public:
  /// \p NextCounter is the first unused counter. With \p KeepParts, no loop
  /// takes the place of all products of an iteration.
  SumJoiner(unsigned &NextCounter, const Ranges &Bounds, bool KeepParts)
      : KeepParts(KeepParts), NextCounter(NextCounter), Bounds(Bounds) {}
  /// \p V, which is stored where \p Facts hold, with its sums joined.
  ValueRef join(const ValueRef &V, const Simplifier &Facts);
  /// \p Sum as a body with a list of loops. Products that were unrolled by hand
  /// become a loop.
  SumNest nestOf(ValueRef Sum);
  /// A chain of additions with the sums in it joined.
  ValueRef joinTerms(const ValueRef &Chain);

  const bool KeepParts;
  /// A loop took the place of all products of an iteration.
  bool RolledAll = false;

  /// Conditions that the launcher has to check, under which the joined sum
  /// equals the original ones.
  std::vector<Requirement> Requires;
  /// Counters that were removed, by the keys of their atoms, in terms of the
  /// counters that remain.
  std::map<std::string, IntExpr> Replaced;

private:
  ValueRef join(const ValueRef &V);
  void joinNeighbours(std::vector<SumNest> &Sums, size_t First);
  bool joinLastRound(std::vector<SumNest> &Sums, std::vector<ValueRef> &Others,
                     size_t Written);
  ValueRef sumOf(const SumNest &N) const;
  std::optional<SumNest> goesOn(const SumNest &P, SumNest Q);
  std::optional<SumNest> remainder(const SumNest &P, SumNest Q);
  unsigned &NextCounter;
  const Ranges &Bounds;
  std::vector<std::pair<ValueRef, ValueRef>> Known;
};

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_JOINSUMS_H
