//===-- Clamps.h - Indices that are kept inside -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_CLAMPS_H
#define WARPWRIGHT_LIB_LIFT_CLAMPS_H

#include "IndexSpace.h"
#include "SplitProduct.h"

namespace warpwright::symbolic {

/// Removes minima, maxima and selections that the extents decide from the
/// operands and the stores: `min(row, M - 1)` is the row if all rows are below
/// M, and `inside ? i : 0` is i if all are inside. \p Extents are those of
/// Space.Vars.
void resolveClamps(IndexSpace &Space, const std::vector<IntExpr> &Extents,
                   ProductParts &Parts);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_CLAMPS_H
