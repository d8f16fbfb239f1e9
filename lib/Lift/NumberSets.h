//===-- NumberSets.h - Conditions on one number -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A `switch` that falls through reaches its statements for several numbers:
/// `case 3: ... case 2: ...` comes to the second one where the number is 3 or
/// 2. Such conditions are ranges, as other loops and guards have them.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_NUMBERSETS_H
#define WARPWRIGHT_LIB_LIFT_NUMBERSETS_H

#include "warpwright/Contraction/IntExpr.h"

namespace warpwright::symbolic {

class Simplifier;

/// \p B as a range of one number, if all that \p B does is to compare this
/// number with constants, and the numbers that it admits have no gaps: of `x ==
/// 3 || x == 2` it is `x >= 2 && x <= 3`. Otherwise \p B.
BoolExpr asOneRange(const BoolExpr &B);

/// The equality \p B of a number with a constant as a range that admits the
/// same number where \p Facts hold: `x <= 1` for `x == 1`, if x is never below
/// 1. Otherwise \p B.
BoolExpr asOuterRange(const BoolExpr &B, const Simplifier &Facts);

/// `E >= End`, of both numbers if E is the smaller one of two.
BoolExpr atLeast(const IntExpr &E, int64_t End);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_NUMBERSETS_H
