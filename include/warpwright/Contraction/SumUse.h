//===-- SumUse.h - When the sums of a contraction are used ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel may compute a sum only where a condition holds: `if (alpha != 0)`
/// around its loop. What the loop reads need not exist otherwise, so a plan,
/// which reads it always, is right only where the condition is known to hold.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_SUMUSE_H
#define WARPWRIGHT_CONTRACTION_SUMUSE_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// When an output of \p C uses sum \p I: always, which is nothing, or where
/// this holds at least. A choice between two values that both were computed
/// reads like one between two computations, so that what is returned may hold
/// less often than the sum is computed, but never where it is not.
std::optional<BoolExpr> conditionOfSum(const Contraction &C, unsigned I);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_SUMUSE_H
