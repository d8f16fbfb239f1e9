//===- Vectors.h - Products of one row --------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A product of a matrix and a vector is one of one row: the lift makes the
/// vector's index that of the sum, and no index of a row is left. Tensor maps
/// have a distance between rows all the same.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_VECTORS_H
#define WARPWRIGHT_PLAN_VECTORS_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// Where \p C has one row for certain, and operands that pass through no
/// transform, lets its first factors and its outputs move with m, by a distance
/// that TMA accepts. There is no second row, so nothing else changes. Whatever
/// moves with m is left as it is. To be called when the operands are those that
/// plans see: after takeNumbers() and arrangeProducts().
void giveRows(Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_VECTORS_H
