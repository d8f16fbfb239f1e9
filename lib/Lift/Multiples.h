//===-- Multiples.h - Arguments that are multiples --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `((half2 *)C)[(row * N + col) / 2]` is an element of row `row` only if N is
/// even, and `C4 + N / 4` is the next row only if N is a multiple of four. If a
/// kernel has no rows and columns otherwise, it is executed again with such an
/// N, which the launcher then checks.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_MULTIPLES_H
#define WARPWRIGHT_LIB_LIFT_MULTIPLES_H

#include "warpwright/Contraction/Contraction.h"
#include <map>
#include <string>

namespace warpwright::symbolic {

/// By the name of an argument, a number that divides it.
using Multiples = std::map<std::string, int64_t>;

/// Adds to \p Found what has to divide which arguments so that every term of \p
/// Dividend with an argument can be divided by \p Divisor. Nothing for sums
/// with a constant, such as `K + 15`, whose quotient counts tiles.
void findMultiples(const IntExpr &Dividend, int64_t Divisor, Multiples &Found);

/// The argument \p Name, of which \p Divisor is known to be a divisor, in a
/// form that can be divided by it.
IntExpr asMultiple(llvm::StringRef Name, int64_t Divisor);

/// Writes arguments in \p C that have the form of asMultiple() as themselves.
void nameMultiples(Contraction &C, const Multiples &Known);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_MULTIPLES_H
