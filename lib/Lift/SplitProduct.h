//===-- SplitProduct.h - The factors of what is summed ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SPLITPRODUCT_H
#define WARPWRIGHT_LIB_LIFT_SPLITPRODUCT_H

#include "IndexSpace.h"
#include <optional>
#include <vector>

namespace warpwright::symbolic {

/// \p V with every value in it replaced for which \p Fn has another one.
ValueRef replaceValues(const ValueRef &V,
                       llvm::function_ref<ValueRef(const ValueRef &)> Fn);

/// What is summed, as a product of two loaded elements.
struct ProductParts {
  std::vector<ValueRef> Factors; ///< two Loads, in the order of the text
  /// What is multiplied in the place of each of the Factors, where that is more
  /// than the element.
  ValueRef Prologues[2];
  /// What to say if such a prologue depends on what moves the other factor
  /// only.
  std::optional<Failure> NotApart[2];
  /// Factors that are the same for every product of a sum.
  std::vector<ValueRef> Coefficients;
  clang::SourceLocation FactorLoc; ///< of the last of the Coefficients
  bool Negative = false;           ///< the product is subtracted
  /// A factor is 0 under a condition, which bounds k for the product only: it
  /// is in the Summation's guard.
  bool Guarded = false;
  /// Conditions under which one of the Factors alone is 0, and which.
  std::vector<std::pair<BoolExpr, unsigned>> SideGuards;
  /// What the product is rounded to on its way.
  ScalarType Narrowest = ScalarType::F32;
};

/// Takes the body of sum \p Number of \p Space apart, which is summed over \p
/// Counters (keys of atoms): its factors are two elements, each of which may be
/// computed with, `max(a, 0)` or `a * scale[k]`, as long as what is computed is
/// not moved by an index of the other one. With \p KeepFactors nothing is left
/// in Coefficients: what is multiplied with an element becomes a part of its
/// prologue. Nothing, with \p Why set, if the body is not such a product.
std::optional<ProductParts>
splitProduct(IndexSpace &Space, size_t Number,
             const std::vector<std::string> &Counters, bool KeepFactors,
             std::optional<Failure> &Why);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SPLITPRODUCT_H
