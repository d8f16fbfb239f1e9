//===- Stores.h - Stores laid over one another ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_STORES_H
#define WARPWRIGHT_LIB_LIFT_STORES_H

#include "State.h"

namespace warpwright::symbolic {

class Ranges;

/// \p B without what the rest of it decides. An element that is loaded with
/// its vector where that fits, and otherwise by itself, has the condition
/// `x < 4 * floordiv(N, 4) || x < N`, of which the second one is left; and so
/// is the first one of `k < K && (k < K || x < N)`.
BoolExpr withoutDecided(const BoolExpr &B);

/// Simplifies a store given the stores before it: two stores to one element,
/// under conditions of which one always holds, become one store of a selected
/// value.
/// With \p AsOutput, a store that gives what an earlier one gives under its
/// condition changes no value.
void overlay(std::vector<Write> &Kept, Write W, bool AsOutput = false);

/// \p Guard without the conditions that others of it imply, of which the
/// stronger one takes the place: `i < M && j + 1 < N` for `i < M && j < N && j
/// + 1 < N`.
BoolExpr strongest(const BoolExpr &Guard);

/// \p B with its comparisons of integers as `a < b`, where all numbers are on
/// the left and only what is added on either side, so that those of
/// neighbouring elements differ by numbers only: `col + 4 <= N` and
/// `col < N - 3` bound the fourth one, as `col + 3 < N` does.
BoolExpr asLess(const BoolExpr &B);

/// `When ? Then : Else`, if that is one of the two: `P ? x : Q ? x : y` is `Q ?
/// x : y` where Q follows from P. Otherwise null.
ValueRef weakerSide(const BoolExpr &When, const ValueRef &Then,
                    const ValueRef &Else, const Ranges &Bounds,
                    const std::vector<BoundLoop> &Loops);

/// Values under conditions, of which the first one whose condition holds
/// counts: those of the two branches of an `if` become one value, where neither
/// branch has anything to do with what comes between them. `in` and its
/// opposite may each be a part of a longer condition. Returns under which
/// condition there is a value.
BoolExpr joinBranches(std::vector<std::pair<BoolExpr, SymValue>> &Values);

/// Whether a smaller one of two numbers is in \p V.
bool containsMinimum(const SymValue &V);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_STORES_H
