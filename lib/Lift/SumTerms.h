//===-- SumTerms.h - The products that a sum adds ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop may add several products in each iteration, `a * b + c * d`, or what
/// loops inside it summed, and scale what it adds: `scale[t] * part`. Each of
/// the products is a sum of its own over the same loops; rounding aside, as in
/// any other order of the terms, they add up to the same.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SUMTERMS_H
#define WARPWRIGHT_LIB_LIFT_SUMTERMS_H

#include "JoinSums.h"

namespace warpwright::symbolic {

/// What one product of a sum is, and the loops around it.
struct SumTerm {
  SumNest Nest;
  /// What partial sums are cut to in every iteration, where that is less than
  /// their type.
  std::optional<ScalarType> Rounded;
};

/// The products that \p Sum adds, in the order of the text: one, where its body
/// is nothing that can be taken apart.
std::vector<SumTerm> termsOf(const ValueRef &Sum, SumJoiner &Joiner,
                             const Ranges &Bounds, unsigned &NextCounter);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SUMTERMS_H
