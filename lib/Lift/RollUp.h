//===- RollUp.h - Loops that were unrolled by hand --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_ROLLUP_H
#define WARPWRIGHT_LIB_LIFT_ROLLUP_H

#include "Simplify.h"
#include "warpwright/Contraction/Value.h"
#include <optional>

namespace warpwright::symbolic {

/// A loop that was unrolled by hand adds the same product at neighbouring
/// elements. Finds the one product and how often it is added; nothing if \p
/// Body is not of that form. The first product may lack a condition that \p
/// Facts decide: the first row of a tile, for example, is in the matrix if the
/// tile is.
std::optional<std::pair<ValueRef, int64_t>>
rollUp(const ValueRef &Body, unsigned Counter, const Simplifier &Facts);

/// The value (condition) that is \p First for Counter = 0 and \p Next for
/// Counter = 1; nothing unless they differ only by constants in indices and
/// bounds.
ValueRef interpolate(const ValueRef &First, const ValueRef &Next,
                     const IntExpr &Counter);
std::optional<BoolExpr> interpolate(const BoolExpr &First, const BoolExpr &Next,
                                    const IntExpr &Counter);

/// \p V, whose sums count by the counters that the same sums of \p Like have:
/// those that lanes add up in one shuffle are not those of the next shuffle.
ValueRef withCountersOf(const ValueRef &Like, const ValueRef &V);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_ROLLUP_H
