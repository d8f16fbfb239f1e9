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
#include <optional>

namespace warpwright {

/// Lifts one kernel, or one instantiation of a kernel template. On failure the
/// decline is reported through File.Diags at the source location of the first
/// fact that failed, and nothing is returned. Remarks (half accumulators) are
/// reported as well.
std::optional<Contraction> lift(ParsedFile &File, const KernelModule &Module,
                                const Region &R,
                                const RegionInstance &Instance);

} // namespace warpwright

#endif // WARPWRIGHT_LIFT_LIFT_H
