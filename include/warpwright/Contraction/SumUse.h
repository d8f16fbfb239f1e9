//===-- SumUse.h - When the sums of a contraction are used ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel may compute a sum only under a condition: `if (alpha != 0)` around
/// its loop. What the loop reads need not exist otherwise. A plan always reads
/// it, so the plan is right only where the condition is known to hold.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_SUMUSE_H
#define WARPWRIGHT_CONTRACTION_SUMUSE_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// The condition under which an output of \p C uses sum \p I; nothing if it is
/// always used, or for all that is stored. A selection between two values that
/// were both computed looks like one between two computations, so the sum may
/// be computed where the returned condition does not hold; where it holds, the
/// sum is computed.
std::optional<BoolExpr> conditionOfSum(const Contraction &C, unsigned I);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_SUMUSE_H
