//===-- ConvertedSums.h - Sums of integers that floats add up ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Quantised layers sum the products of bytes of one group in an int, and add
/// that number, times the scales of the group, to a float. As long as the int
/// does not wrap around, the float is the sum of the scaled products.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_CONVERTEDSUMS_H
#define WARPWRIGHT_LIB_LIFT_CONVERTEDSUMS_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright::symbolic {

/// \p V with each sum of integers that another sum adds as floats as a sum of
/// floats. That the integers do not wrap around follows from the types of the
/// elements and the number of summands, of which the largest is added to
/// \p Requires where it is not known.
ValueRef convertSummands(const ValueRef &V, std::vector<Requirement> &Requires);

/// The reason why the sum of a loop in \p Body, which another loop adds, cannot
/// be taken apart.
std::string whyNotTaken(const ValueRef &Body);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_CONVERTEDSUMS_H
