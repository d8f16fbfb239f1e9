//===-- Cases.h - Conditions that divide a kernel's launches ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_CASES_H
#define WARPWRIGHT_LIB_LIFT_CASES_H

#include "warpwright/Contraction/Contraction.h"
#include <optional>
#include <vector>

namespace warpwright::symbolic {

/// Whether the launcher knows \p C before the launch: it is about arguments and
/// the shapes of grid and block, and about nothing else.
bool isOfLaunch(const BoolExpr &C);

/// Whether all of \p Facts cannot hold together. False if that is not seen.
bool contradict(const std::vector<BoolExpr> &Facts);

/// The condition that all of \p Facts hold, without those that follow from
/// another one.
BoolExpr allOf(const std::vector<BoolExpr> &Facts);

/// A condition on the launch on each side of which \p C is a simpler
/// contraction, of which a plan can make more: it decides which of several sums
/// is computed, or which index of an operand is the contiguous one.
std::optional<BoolExpr> choiceIn(const Contraction &C);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_CASES_H
