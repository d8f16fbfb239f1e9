//===-- Lift.h - From a kernel's IR to a contraction ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves what an annotated kernel computes by executing one generic thread
/// symbolically, or says which fact could not be proven.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIFT_LIFT_H
#define WARPWRIGHT_LIFT_LIFT_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Frontend/Region.h"
#include "warpwright/IR/KernelModule.h"
#include <vector>

namespace warpwright {

/// What a kernel computes in those launches for which a condition holds.
struct LiftedCase {
  Contraction Computation; ///< requires \c When, among other things
  BoolExpr When;           ///< on arguments and launch; true: in all launches
};

/// Lifts one kernel, or one instantiation of a kernel template. There are
/// several cases if arguments choose between several computations, such as that
/// with a matrix and that with its transpose; no two of them hold for the same
/// launch. On failure the decline is reported through File.Diags at the source
/// location of the first fact that failed, and nothing is returned. Remarks
/// (half accumulators) are reported as well.
std::vector<LiftedCase> lift(ParsedFile &File, const KernelModule &Module,
                             const Region &R, const RegionInstance &Instance);

} // namespace warpwright

#endif // WARPWRIGHT_LIFT_LIFT_H
