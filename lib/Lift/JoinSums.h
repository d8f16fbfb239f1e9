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
/// one over what remains, one for each of two tiles, or into several variables
/// that it adds in the end. Where the products of one loop are those of another
/// one at later terms, the two are one sum.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_JOINSUMS_H
#define WARPWRIGHT_LIB_LIFT_JOINSUMS_H

#include "Simplify.h"
#include "State.h"
#include "warpwright/Contraction/Contraction.h"

namespace warpwright::symbolic {

/// Nested sums: Body is added for all counters in their ranges, where Guard
/// holds.
struct SumNest {
  std::vector<BoundLoop> Loops; ///< the outermost first
  BoolExpr Guard = BoolExpr::constant(true);
  ValueRef Body;
  ValueRef Innermost; ///< of the Sums, for its type and place
};

/// Makes one of sums that are added to one another.
class SumJoiner {
public:
  /// \p NextCounter is the first that nothing uses.
  SumJoiner(unsigned &NextCounter, const Ranges &Bounds)
      : NextCounter(NextCounter), Bounds(Bounds) {}
  /// \p V, which is stored where \p Facts hold, with the sums in it joined.
  ValueRef join(const ValueRef &V, const Simplifier &Facts);
  /// \p Sum with its loops taken off; what was unrolled by hand is a loop.
  SumNest nestOf(ValueRef Sum);

  /// What the launcher has to check for the sums to be the same.
  std::vector<Requirement> Requires;
  /// Counters that are gone, and what they are in the terms of those that
  /// stayed; by the keys of their atoms.
  std::map<std::string, IntExpr> Replaced;

private:
  ValueRef join(const ValueRef &V);
  ValueRef joinTerms(const ValueRef &Chain);
  ValueRef sumOf(const SumNest &N) const;
  std::optional<SumNest> goesOn(const SumNest &P, SumNest Q);
  std::optional<SumNest> remainder(const SumNest &P, SumNest Q);
  unsigned &NextCounter;
  const Ranges &Bounds;
  std::vector<std::pair<ValueRef, ValueRef>> Known;
};

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_JOINSUMS_H
