//===-- Ranges.h - Bounds of symbolic integers ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proofs that a polynomial stays within bounds: from the limits of a launch
/// (CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability"), the types of parameters, and facts that hold wherever the
/// rewritten kernel runs.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_RANGES_H
#define WARPWRIGHT_LIB_LIFT_RANGES_H

#include "State.h"
#include "llvm/ADT/StringMap.h"
#include <unordered_map>

namespace warpwright::symbolic {

/// A closed interval of mathematical integers; saturates far beyond 64 bits.
struct Interval {
  using Number = __int128;
  static constexpr Number Infinite = Number(1) << 120;
  Number Low = -Infinite, High = Infinite;
  static Interval of(Number Low, Number High);
  Interval operator+(const Interval &O) const;
  Interval operator*(const Interval &O) const;
  Interval intersect(const Interval &O) const;
  bool within(Number L, Number H) const { return Low >= L && High <= H; }
};

class Ranges {
public:
  /// What the type of a scalar parameter allows.
  void setParam(llvm::StringRef Path, ScalarType Type);
  /// Records the fact \p E >= \p Low. It is used for bounds if \p E is one atom
  /// or an atom plus a constant; a fact of another form is only remembered.
  void learnAtLeast(const IntExpr &E, int64_t Low);

  void learnEqual(const IntExpr &E, const IntExpr &F);

  /// Bounds of \p E. \p Loops are the loops whose counters may occur in it. A
  /// counter is in [0, Trip]; the value Trip occurs only in the loop's test.
  Interval bounds(const IntExpr &E, llvm::ArrayRef<BoundLoop> Loops = {}) const;

  /// \p E with all threads, blocks and counters at the end of their range at
  /// which \p E is largest (with \p Largest false, smallest). Nothing if the
  /// sign of a coefficient is not known.
  std::optional<IntExpr> extreme(const IntExpr &E, bool Largest,
                                 llvm::ArrayRef<BoundLoop> Loops = {}) const;

  /// What a Simplifier found out with the present facts, some loops and some
  /// conditions. The next one for the same loops and conditions need not find
  /// it out again: the executor makes a new one at every access.
  struct Answers {
    std::vector<BoundLoop> Loops;
    std::vector<IntExpr> NotNegative;
    /// By the hash of the expression that was asked for.
    std::unordered_multimap<uint64_t, std::pair<IntExpr, bool>> Never;
    std::unordered_multimap<uint64_t, std::pair<IntExpr, IntExpr>> Simplified;
  };
  std::shared_ptr<Answers> answers(llvm::ArrayRef<BoundLoop> Loops,
                                   llvm::ArrayRef<IntExpr> NotNegative) const;
  /// Changes with every new fact, which makes all answers void.
  uint64_t age() const { return Asked.Age; }

private:
  Interval atom(const IntAtom &A, llvm::ArrayRef<BoundLoop> Loops,
                unsigned Depth) const;
  Interval polynomial(const IntExpr &E, llvm::ArrayRef<BoundLoop> Loops,
                      unsigned Depth) const;
  Interval bounds(const IntExpr &E, llvm::ArrayRef<BoundLoop> Loops,
                  unsigned Depth) const;
  Interval findBounds(const IntExpr &E, llvm::ArrayRef<BoundLoop> Loops) const;

  /// A cache of bounds; while the executor looks at a loop it asks for the same
  /// ones repeatedly. It is cleared by every new fact, and not copied, since
  /// copies are made to add facts.
  struct Memo {
    struct Entry {
      IntExpr E;
      std::vector<BoundLoop> Loops;
      Interval Result;
    };
    Memo() = default;
    Memo(const Memo &) {}
    Memo &operator=(const Memo &) {
      clear();
      return *this;
    }
    void clear() {
      Entries.clear();
      Given.clear();
      ++Age;
    }
    std::unordered_multimap<uint64_t, Entry> Entries;
    std::unordered_multimap<uint64_t, std::shared_ptr<Answers>> Given;
    uint64_t Age = 0;
  };
  mutable Memo Asked;
  llvm::StringMap<Interval> Params;
  std::vector<std::pair<IntExpr, int64_t>> Facts;
  int64_t Block[3] = {0, 0, 0}; ///< the width of the block, if it is known
  /// Bounds of blockDim that hold in any case; high 0 means none.
  int64_t LeastBlock[3] = {1, 1, 1}, MostBlock[3] = {0, 0, 0};
};

/// The range of numbers of a type of \p Width bits.
Interval signedRange(unsigned Width);
Interval unsignedRange(unsigned Width);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_RANGES_H
