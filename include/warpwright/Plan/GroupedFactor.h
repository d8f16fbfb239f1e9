//===- GroupedFactor.h - Zero points and scales of groups -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What kernels do to weights of few bits before they multiply them: subtract a
/// zero point, an integer, and multiply by a scale, each the same for a whole
/// group along k. Consumers that convert weights in registers subtract the zero
/// point there, without an error, and multiply the sum of a group by its scale.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_GROUPEDFACTOR_H
#define WARPWRIGHT_PLAN_GROUPEDFACTOR_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// `(element - Zero) * Scale`.
struct GroupedFactor {
  ValueRef Zero;  ///< an integer; null: 0
  ValueRef Scale; ///< float; null: 1
  /// Both are the same for so many of k, from each of its multiples on. 0: for
  /// all of them.
  int64_t GroupK = 0;
  /// The largest magnitude of an element without its zero point.
  int64_t Largest = 0;
};

/// The prologue of \p O, or nothing if it is not of that form. Every step but
/// the multiplication by the scale is exact in float.
std::optional<GroupedFactor> groupedFactor(const Operand &O);

/// Consumers can compute the factors of \p O in registers in the type \p To:
/// its elements have no prologue, or one of that form whose groups are whole
/// blocks of \p Depth along k.
bool convertsTo(const Operand &O, ScalarType To, int64_t Depth);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_GROUPEDFACTOR_H
