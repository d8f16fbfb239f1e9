//===-- Tables.h - Tables of indices ----------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Small arrays of integers of which an index chooses one:
/// `int rows[4] = {row, row, row + 8, row + 8}`.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_TABLES_H
#define WARPWRIGHT_LIB_LIFT_TABLES_H

#include "State.h"

namespace warpwright::symbolic {

/// Tables have at most so many elements.
constexpr size_t MaxTable = 64;

/// The element number \p Place of \p Table, where \p Place is the number of
/// one, if all elements are one expression of their number i: `a + b * (i / p)
/// + c * (i % p)` with a constant p.
std::optional<SymValue> elementOf(llvm::ArrayRef<SymValue> Table,
                                  const IntExpr &Place);

/// What \p A, an array of a thread, holds in elements of \p Size bytes, if
/// these are integers that were stored one by one, each wherever \p Known
/// holds. Empty if not.
std::vector<SymValue> tableOf(const ArrayState &A, unsigned Size,
                              const BoolExpr &Known);

/// Said of a table whose elements are not one expression of their number.
constexpr llvm::StringLiteral NoFormula =
    " is a table from which an index chooses, and no formula of that index "
    "gives its elements; compute them instead";

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_TABLES_H
