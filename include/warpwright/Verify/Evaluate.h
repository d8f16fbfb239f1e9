//===-- Evaluate.h - Symbolic integers with numbers in them -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates the expressions of a contraction for given arguments and a given
/// launch; the solver uses this for its search.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_VERIFY_EVALUATE_H
#define WARPWRIGHT_VERIFY_EVALUATE_H

#include "warpwright/Contraction/Value.h"
#include <map>
#include <set>

namespace warpwright {

/// Values of names: integers (`M`, `p.lda`, `blockDim.x`, `%m`), floating-point
/// parameters, and the pointers that are null.
struct Assignment {
  std::map<std::string, int64_t> Ints;
  std::map<std::string, double> Floats;
  std::set<std::string> Null;
};

/// The value of \p E, clamped to +-2^62; nothing if \p A does not have a name
/// in it. Division and remainder by zero give zero.
std::optional<int64_t> evaluate(const IntExpr &E, const Assignment &A);
/// The value of \p V if it depends on parameters alone.
std::optional<double> evaluate(const ValueRef &V, const Assignment &A);
/// Nothing if the value depends on a name that \p A does not have.
std::optional<bool> evaluate(const BoolExpr &E, const Assignment &A);

/// Visits the integers, and the values, in \p V and below, including bodies of
/// calls.
void walkAll(const ValueRef &V, llvm::function_ref<void(const IntExpr &)> OnInt,
             llvm::function_ref<void(const Value &)> OnValue,
             llvm::function_ref<void(const BoolExpr &)> OnCondition);

} // namespace warpwright

#endif // WARPWRIGHT_VERIFY_EVALUATE_H
