//===- Cost.h - What a plan is expected to cost -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_COST_H
#define WARPWRIGHT_LIB_PLAN_COST_H

#include "warpwright/Hopper/Machine.h"
#include "warpwright/Plan/KernelPlan.h"

namespace warpwright {

/// The selector's coefficients for \p P, whose operands and tiles are derived.
PlanCost planCost(const KernelPlan &P);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_COST_H
