//===- Shifts.h - Zero points of integers -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elements that are integers are often stored with a zero point, which a
/// kernel subtracts before it multiplies. Where that is the same for all of k,
/// the tensor cores multiply the elements as they are, and the product is
/// multiplied out: modulo 2^32, in which the sums wrap around, the sum of
/// (a + s) (b + t) is that of a b, and s times the sum of b, and t times the
/// sum of a, and K s t. Sums of the elements of a row or a column along k are
/// computed by a kernel of their own (rt/shifts.cuh).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_SHIFTS_H
#define WARPWRIGHT_PLAN_SHIFTS_H

#include "warpwright/Contraction/Contraction.h"

#include <optional>

namespace warpwright {

/// The number that the prologue of \p O adds to each element, where it does
/// nothing else modulo 2^32, and the number is the same for all of k. Its type
/// is U32. Nothing if \p O has no prologue or one that does anything else.
std::optional<ValueRef> elementShift(const Operand &O);

/// wgmma multiplies the elements of both factors of \p C as they are and adds
/// their products in integers, and all that prologues do, at least one, is to
/// add a number to each element.
bool isShifted(const Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_SHIFTS_H
