//===- Products.h - Several products and sums in one plan -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What plans do with more than one product. Products of one sum follow one
/// another along k: their operands take turns in the stages of the pipeline.
/// Sums stand side by side in the columns of one instruction: the factor that
/// they share is its rows, the others lie one behind the other in a stage. So
/// the main loop, the transform and the fragments are those of one product.
/// Where several sums are over several products, the products in one place of
/// all sums share a factor, as those of complex numbers do: with Ar it is
/// Ar * Br and Ar * Bi, with Ai it is -Ai * Bi and Ai * Br.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_PRODUCTS_H
#define WARPWRIGHT_LIB_PLAN_PRODUCTS_H

#include "warpwright/Plan/Plan.h"

namespace warpwright {

/// The factor that is the same element in all sums.
enum class SharedFactor { None, A, B };

/// The same of each product, where all sums have as many; A where both are.
SharedFactor sharedFactor(const Contraction &C);

/// All factors that take the place of C.A in a plan (\p First), or of C.B: one
/// for each product of each sum.
std::vector<Operand> factors(const Contraction &C, bool First);

/// Why no plan computes the products and sums of \p C together, if there are
/// several.
std::optional<Decline> checkProducts(const Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_PRODUCTS_H
