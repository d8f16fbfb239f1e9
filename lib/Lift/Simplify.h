//===-- Simplify.h - Integers within their ranges ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the ranges of threads and counters say about an expression: the digit
/// `(16 * r + k) / 16` is r where k is below 16, and a guard `k < 16` holds.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SIMPLIFY_H
#define WARPWRIGHT_LIB_LIFT_SIMPLIFY_H

#include "Ranges.h"

namespace warpwright::symbolic {

class Simplifier {
public:
  /// \p Loops as in Ranges::bounds. \p Known holds wherever the expressions
  /// are evaluated.
  Simplifier(const Ranges &Bounds, std::vector<BoundLoop> Loops,
             const BoolExpr &Known);

  /// Equal to \p E there, with the divisions, minima and selections that are
  /// decided gone, and `d * floordiv(x, d) + mod(x, d)` put together.
  IntExpr simplify(const IntExpr &E) const;
  BoolExpr simplify(const BoolExpr &B) const;
  ValueRef simplify(const ValueRef &V) const;

  /// What is known left out of the condition; else it stays as it is written.
  BoolExpr decide(const BoolExpr &B) const;
  /// \p V without choices that are decided.
  ValueRef decide(const ValueRef &V) const;

  /// \p E is never below 0.
  bool neverNegative(const IntExpr &E) const;

  /// A bound of \p E from below (above) in which neither threads nor counters
  /// occur, or nothing.
  std::optional<IntExpr> limit(const IntExpr &E, bool Largest) const;

  /// Whether it differs between threads, blocks or iterations.
  static bool varies(const IntAtom &A);

private:
  struct Digits {
    int64_t Radix;
    IntExpr High, Low;
  };
  std::optional<Digits> lowDigit(const IntExpr &X, const IntExpr &D) const;
  std::optional<IntExpr> replace(const IntAtom &A) const;
  bool follows(const IntExpr &E) const;
  std::optional<IntExpr> limit(IntExpr E, bool Largest, unsigned Depth) const;

  const Ranges &Bounds;
  std::vector<BoundLoop> Loops;
  std::vector<IntExpr> NotNegative; ///< what Known says, each >= 0
};

/// A number that is not negative where \p E is not, and the other way round,
/// without common factors: 64 - 4 * blockDim.x says what 16 - blockDim.x does.
IntExpr reduced(const IntExpr &E);

/// The same condition on \p E, that it is not negative, without the quotient
/// that it is made of: `31 - x / 4` is not where `127 - x` is not.
IntExpr withoutQuotient(IntExpr E);

/// `x - d * floordiv(x, d)` in \p E as the remainder that it is.
IntExpr withRemainders(const IntExpr &E);

/// `d * floordiv(x, d) + mod(x, d)` is x.
IntExpr recombine(IntExpr E);

/// What \p E adds, and what it takes away: it is the first less the second.
std::pair<IntExpr, IntExpr> sidesOf(const IntExpr &E);

/// The numbers that are not negative where the comparison \p B holds, and of
/// which one is where it does not: two of an equality; none of anything else.
void asNotNegative(const BoolExpr &B, std::vector<IntExpr> &Out);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SIMPLIFY_H
