//===-- Discharge.h - What integers may not do ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_DISCHARGE_H
#define WARPWRIGHT_LIB_LIFT_DISCHARGE_H

#include "IndexSpace.h"
#include "Ranges.h"

namespace warpwright::symbolic {

/// A summed product; there is one for each of Space.Sums.
struct SumFacts {
  const std::vector<IntExpr> &Extents; ///< of Space.Vars, within this sum
  /// For the key of each of Space.Vars the contraction's index.
  const std::map<std::string, IntExpr> &Renamed;
  IntExpr A, B; ///< the elements that are multiplied
};

/// Shows each of \p Space.Obligations for all threads of every launch that the
/// rewritten kernel takes: from the extents, which are at least 1 there, from
/// the requirements, from the launcher's check of all element offsets, or by a
/// further requirement. \p Extents are those of Space.Vars. Returns the first
/// obligation that differs between threads in a way that no requirement can
/// express.
std::optional<Obligation> discharge(IndexSpace &Space,
                                    const std::vector<IntExpr> &Extents,
                                    const std::vector<SumFacts> &Sums,
                                    const Contraction &C, Ranges Known);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_DISCHARGE_H
