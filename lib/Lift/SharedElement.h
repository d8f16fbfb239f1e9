//===-- SharedElement.h - Terms that multiply one element -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Zero points of groups are often taken from the sum of a group's elements:
/// `scale * (sum of x w - zero * sum of x)` is the sum of `x` times `scale * (w
/// - zero)`. So a term that multiplies one element by what does not change in
/// the innermost loop joins the product of this element.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SHAREDELEMENT_H
#define WARPWRIGHT_LIB_LIFT_SHAREDELEMENT_H

#include "SumTerms.h"

namespace warpwright::symbolic {

/// \p Terms with each of these joined to the product of its element.
void joinElements(std::vector<SumTerm> &Terms);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SHAREDELEMENT_H
