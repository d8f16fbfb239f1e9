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

/// Where in the source \p V is computed.
inline clang::SourceLocation locOf(const ValueRef &V) {
  return clang::SourceLocation::getFromRawEncoding(V->Loc);
}

/// A summed product as the product of two loaded elements.
struct ProductParts {
  std::vector<ValueRef> Factors; ///< two Loads, in the order of the text
  /// For each of the Factors the value that is multiplied, if that is more than
  /// the element itself.
  ValueRef Prologues[2];
  /// The decline to report if such a prologue depends on an index that moves
  /// only the other factor.
  std::optional<Failure> NotApart[2];
  /// Factors that are the same for every term of the sum.
  std::vector<ValueRef> Coefficients;
  clang::SourceLocation FactorLoc; ///< of the last of the Coefficients
  bool Negative = false;           ///< the product is subtracted
  /// Whether a factor is 0 under a condition that bounds k for this product
  /// only. The condition is in the guard of the Summation.
  bool Guarded = false;
  /// Conditions under which one of the Factors alone is 0, and the number of
  /// that factor.
  std::vector<std::pair<BoolExpr, unsigned>> SideGuards;
  /// What is added is a count of bits of both Factors, which are words, instead
  /// of their product: CountedBits::Table, with the Factors as its words.
  std::optional<unsigned> BitTable;
  /// The narrowest type to which the product is rounded.
  ScalarType Narrowest = ScalarType::F32;
};

/// Takes the body of sum \p Number of \p Space apart, which is summed over \p
/// Counters (keys of atoms). Its factors have to be two elements, each of which
/// may be computed with, as in `max(a, 0)` or `a * scale[k]`, if the
/// computation does not depend on an index of the other element. With \p
/// KeepFactors, Coefficients stay empty: a factor of an element becomes a part
/// of its prologue. Nothing, with \p Why set, if the body is not such a
/// product.
std::optional<ProductParts>
splitProduct(IndexSpace &Space, size_t Number,
             const std::vector<std::string> &Counters, bool KeepFactors,
             std::optional<Failure> &Why);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SPLITPRODUCT_H
