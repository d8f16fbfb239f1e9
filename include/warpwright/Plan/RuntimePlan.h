//===- RuntimePlan.h - A plan as the runtime sees it ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A generated file says what a plan decides, and the runtime computes what
/// follows (rt/plan.cuh). The planner derives the same numbers by the layout
/// algebra, and it is those that the validator proves. This is where the two
/// are held against each other.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_RUNTIMEPLAN_H
#define WARPWRIGHT_PLAN_RUNTIMEPLAN_H

#include "warpwright/Plan/KernelPlan.h"
#include "warpwright/rt/plan.cuh"

#include "llvm/Support/Error.h"

namespace warpwright {

/// What \p P decides, for rt::derive.
rt::choice runtimeChoice(const KernelPlan &P);

/// Fails with the first number of \p P that is not what the runtime makes of
/// its decisions, so that a kernel would run with another one than was proven:
/// `rows.box_bytes is 4096 where the runtime has 8192`. A plan that derivePlan
/// made never fails; one that was edited may.
llvm::Error checkAgainstRuntime(const KernelPlan &P);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_RUNTIMEPLAN_H
