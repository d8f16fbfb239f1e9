//===-- Simplify.h - Integers within their ranges ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Simplifies expressions by the ranges of threads and counters: the digit `(16
/// * r + k) / 16` is r if k is below 16, and a guard `k < 16` then always
/// holds.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SIMPLIFY_H
#define WARPWRIGHT_LIB_LIFT_SIMPLIFY_H

#include "Ranges.h"

namespace warpwright::symbolic {

class Simplifier {
public:
  /// \p Loops as for Ranges::bounds. \p Known holds wherever the expressions
  /// are evaluated.
  Simplifier(const Ranges &Bounds, std::vector<BoundLoop> Loops,
             const BoolExpr &Known);

  /// An expression that equals \p E wherever Known holds: divisions, minima and
  /// selections that are decided are resolved, and `d * floordiv(x, d) + mod(x,
  /// d)` becomes x.
  IntExpr simplify(const IntExpr &E) const;
  BoolExpr simplify(const BoolExpr &B) const;
  ValueRef simplify(const ValueRef &V) const;

  /// \p E with a remainder by a constant replaced by the distance from the
  /// multiple that is known to be the last one: N % 4 by N - col where col is a
  /// multiple of 4 and `col <= N && N < col + 4`.
  IntExpr withKnownRemainders(const IntExpr &E) const;

  /// The condition without its known parts; otherwise as it was written.
  BoolExpr decide(const BoolExpr &B) const;
  /// \p V with decided selections resolved.
  ValueRef decide(const ValueRef &V) const;

  /// Whether \p E is never negative.
  bool neverNegative(const IntExpr &E) const;

  /// A lower (upper) bound of \p E without threads and counters, or nothing.
  std::optional<IntExpr> limit(const IntExpr &E, bool Largest) const;

  /// Makes limit() bound quotients by what the launch determines, too, and not
  /// only those by a constant.
  void boundQuotients() { AllQuotients = true; }

  /// Whether \p E differs between threads, blocks or iterations.
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
  bool findNeverNegative(const IntExpr &E) const;
  /// What is known with the present facts; facts may be added at any time.
  Ranges::Answers &answers() const;

  const Ranges &Bounds;
  mutable std::shared_ptr<Ranges::Answers> Given;
  mutable uint64_t Age = 0; ///< of the facts from which Given is
  std::vector<BoundLoop> Loops;
  bool AllQuotients = false;
  std::vector<IntExpr> NotNegative; ///< facts from Known, each of them >= 0
};

/// An expression that is not negative exactly where \p E is not, with common
/// factors removed: 64 - 4 * blockDim.x becomes 16 - blockDim.x.
IntExpr reduced(const IntExpr &E);

/// An expression without quotients that is not negative exactly where \p E is
/// not: `31 - x / 4` becomes `127 - x`.
IntExpr withoutQuotient(IntExpr E);

/// \p E with `x - d * floordiv(x, d)` replaced by mod(x, d).
IntExpr withRemainders(const IntExpr &E);
/// \p L - \p R, where `x - d * floordiv(x, d)` is `mod(x, d)` for an x that
/// threads or iterations have for themselves.
IntExpr difference(const IntExpr &L, const IntExpr &R);

/// \p E with `d * floordiv(x, d) + mod(x, d)` replaced by x.
IntExpr recombine(IntExpr E);

/// The positive terms of \p E, and the negated negative ones: \p E is the first
/// less the second.
std::pair<IntExpr, IntExpr> sidesOf(const IntExpr &E);

/// Expressions such that all are not negative where the comparison \p B holds,
/// and at least one is negative where it does not: two for an equality; none
/// for a condition of another form.
void asNotNegative(const BoolExpr &B, std::vector<IntExpr> &Out);

/// \p B as conditions of which each compares with one number alone where it
/// compares with the smaller of two: `x < min(y, z)` is `x < y && x < z`.
BoolExpr splitMinima(const BoolExpr &B);

/// A number that was \p First and was raised by one \p Times times, each time
/// only if it was below a bound. Where \p Times is negative, it is their sum.
struct CountedUp {
  IntExpr First, Times;
  IntExpr ifNeverStopped() const { return First + Times; }
  /// The number, which stays where it is if it begins beyond \p End.
  IntExpr upTo(const IntExpr &End) const {
    return First + IntExpr::min(IntExpr::max(End - First, IntExpr()), Times);
  }
};

/// \p E, if it was counted up to the bound \p End, where there is a choice
/// for each time: `if (fetched < tiles) ++fetched;`.
CountedUp countedUp(const IntExpr &E, const IntExpr &End);

/// \p B, where a number that was counted up is compared with its bound. It is
/// below the bound where it would be if nothing had stopped it.
BoolExpr withoutBound(const BoolExpr &B);

/// \p B without minima that make no difference: for z >= 0, `min(x, y) + z < x`
/// is `y + z < x`, since both are false where x is not larger than y. \p Loops
/// as for Ranges::bounds.
BoolExpr withoutMinima(const BoolExpr &B, const Ranges &Bounds,
                       const std::vector<BoundLoop> &Loops);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SIMPLIFY_H
