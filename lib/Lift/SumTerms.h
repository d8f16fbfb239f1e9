//===-- SumTerms.h - The products that a sum adds ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In each iteration a loop may add several products, `a * b + c * d`, or the
/// result of an inner loop, and it may scale what it adds: `scale[t] * part`.
/// Each of the products becomes a sum of its own over the same loops. Except
/// for rounding, which also changes with any other order of the terms, these
/// add up to the same.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SUMTERMS_H
#define WARPWRIGHT_LIB_LIFT_SUMTERMS_H

#include "JoinSums.h"

namespace warpwright::symbolic {

/// One product of a sum, and the loops around it.
struct SumTerm {
  SumNest Nest;
  /// The type to which partial sums are rounded in every iteration, if that is
  /// narrower than their own type.
  std::optional<ScalarType> Rounded;
};

/// The products that \p Sum adds, in the order of the text. If the body cannot
/// be taken apart, it is the only one.
std::vector<SumTerm> termsOf(const ValueRef &Sum, SumJoiner &Joiner,
                             const Ranges &Bounds, unsigned &NextCounter);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SUMTERMS_H
