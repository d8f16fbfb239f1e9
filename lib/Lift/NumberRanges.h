//===-- NumberRanges.h - How large the integers in a value are --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The range of an integer that is computed from loaded data, by the types of
/// what it is computed from: a product of two numbers of 8 bits fits in an int.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_NUMBERRANGES_H
#define WARPWRIGHT_LIB_LIFT_NUMBERRANGES_H

#include "warpwright/Contraction/Value.h"

namespace warpwright::symbolic {

/// The numbers from Low to High. Beyond 2^53 the ends are rounded, so they are
/// compared only with smaller ones.
struct NumberRange {
  double Low = 0, High = 0;
};

/// All numbers of an integer type.
NumberRange rangeOf(ScalarType T);
/// The numbers that \p V, of an integer type, may have.
NumberRange rangeOf(const ValueRef &V);
/// What a negation of A, or a sum, a difference or a product of numbers of A
/// and B may be, if it does not wrap around.
NumberRange arithmeticRange(Value::Kind K, const NumberRange &A,
                            const NumberRange &B);
/// The range of a value, but without the wrap-around of the last operation,
/// which is a sum, a product or a negation.
NumberRange exactRangeOf(const ValueRef &V);
/// Whether \p T certainly has every integer of \p R, without rounding.
bool isWithin(const NumberRange &R, ScalarType T);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_NUMBERRANGES_H
