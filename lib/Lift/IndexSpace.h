//===-- IndexSpace.h - From threads to indices ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites expressions over threadIdx, blockIdx and loop counters as
/// expressions over independent indices that each run over 0 <= i < range:
///
///  - `blockIdx.x * blockDim.x + threadIdx.x` becomes one index (fuse),
///  - `i + stride * iteration` of a grid-stride loop becomes one index,
///  - `i / N` and `i % N` become two indices (split).
///
/// Each step is an exact change of variables, checked on every expression that
/// mentions the variables; what it needs from the launch (a block that is 16
/// wide, say) becomes a requirement.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_INDEXSPACE_H
#define WARPWRIGHT_LIB_LIFT_INDEXSPACE_H

#include "Ranges.h"
#include "State.h"
#include "warpwright/Contraction/Contraction.h"
#include <vector>

namespace warpwright::symbolic {

/// One store of the kernel and the summations in its value, flattened.
struct Store {
  std::string Array;
  ScalarType Type;
  IntExpr Index;
  ValueRef Value; ///< Sums replaced by Acc
  BoolExpr Guard;
  clang::SourceLocation Loc;
  bool ByWarp = false; ///< by the threads of a warp together
};

/// One product of a sum: Body is added for all counters where Guard holds.
struct Summation {
  ValueRef Body;
  BoolExpr Guard;
  ScalarType Type = ScalarType::F32;
  clang::SourceLocation Loc;
  /// Loads that scale an element by group, `scale[k / 32]`. They are rewritten
  /// with the rest but have no say in it, and stand in Body as Phis called
  /// `#0`,
  /// `#1`, ... until all is rewritten.
  std::vector<ValueRef> Scales;
  unsigned Sum = 0; ///< of the kernel's sums, the one that this adds to
};

/// An index: 0 <= Key < Range.
struct IndexVar {
  IntExpr Atom;  ///< one atom: a thread or block number, or a counter
  IntExpr Range; ///< over launch and parameters; for a loop: its trip count
  bool Reduction = false;  ///< a loop of the summation
  bool FromLaunch = false; ///< threadIdx or blockIdx, or made of them only
  bool OfThread = false;   ///< made of threadIdx only
  bool OfBlock = false;    ///< made of blockIdx only
  /// Its value in the atoms that it was made of; zero: it is one of them.
  IntExpr Origin = 0;
  /// Of a Reduction: the summations that it is a loop of; bit 0 is the first.
  uint64_t Sums = 0;
  /// The quotient of a number whose remainder is swizzled: threads are in it as
  /// they would be in the number.
  bool AboveSwizzle = false;
  bool Swizzled = false; ///< once: what is left of `^` is not undone
  /// Of one that is a shifted column: the column.
  IntExpr Unshifted = 0;
  IntExpr origin() const { return Origin.isZero() ? Atom : Origin; }
  std::string key() const { return Atom.str(); }
};

/// Everything that is rewritten together.
class IndexSpace {
public:
  std::vector<Store> Stores;
  std::vector<Summation> Sums;
  std::vector<IndexVar> Vars;
  std::vector<Requirement> Requires;
  /// Rewritten with the rest, but never in the way of it.
  std::vector<Obligation> Obligations;

  /// Fuses and splits until nothing changes. False when a division or modulus
  /// of an index remains in what says which elements are multiplied and stored;
  /// what is stored may have them: `col % 2 ? sum : -sum`.
  bool normalise(unsigned FirstFreeCounter);
  /// Of one store of the threads of a block: only loops that step over what the
  /// threads cover may ask the block to have that size.
  bool OfBlock = false;
  /// The first counter that normalise() left free.
  unsigned firstFreeCounter() const { return NextCounter; }

  bool mentions(const IntExpr &E) const; ///< any index
  void require(BoolExpr C, llvm::Twine Reason);
  /// Every integer expression, those in values and guards included.
  void forEach(llvm::function_ref<void(const IntExpr &)> Fn) const;
  bool uses(llvm::StringRef Key) const;
  /// `Vars[Var] < Bound` out of \p Test; with Vars.size(), it always holds.
  /// False when it is not of that form.
  bool boundOf(const BoolExpr &Test, size_t &Var, IntExpr &Bound) const;
  /// An argument that chooses between two products has one value from here on,
  /// which is required (Flags.cpp).
  void settleFlags();
  /// Whether the launcher can ask that one side of \p Either, a disjunction,
  /// holds at every index, and it does: `row < M || column < N`, written for
  /// `&&`, of a grid that ends where the matrix does.
  bool holdsThroughout(const BoolExpr &Either, const Ranges &Bounds);
  /// A change of variables.
  void
  substitute(llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) {
    transform(Fn);
  }

private:
  void
  transform(llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn);
  /// \p Demand: where the range of the low index is not its ratio to the high
  /// one by what is known, that is required.
  bool fuse(size_t Low, size_t High, bool Demand);
  /// What is left of the high one in scales, of the number made of both.
  void divideScales(const IndexVar &High, const IntExpr &Ratio,
                    const IntExpr &Both);
  /// high = low * ratio in what mentions both, or nothing.
  std::optional<IntExpr> ratio(const IndexVar &U, const IndexVar &V) const;
  /// \p Strides: only loops that step over what threads cover.
  bool fuseByDemand(bool Strides);
  /// Rows of vectors are `pitch / 4` apart, 4 times that in elements: the
  /// pitch, where the launcher finds it to be a multiple.
  void wholePitches();
  /// An index of range 1 is 0.
  bool dropSingle();
  /// Where blocks are `blockDim.x` apart in one place and 32 in another, the
  /// block has to be 32 wide. \p Reductions: where tiles of the sum are
  /// `blockDim.x` apart, and have 32 terms.
  bool fixWidth(bool Reductions);
  /// A sum over `(k + x) % n` for all k below n is one over k.
  void unrotate();
  /// Makes a condition that bounds one index its range, where that is all that
  /// keeps it from being fused.
  bool absorbGuard();
  /// Takes the scales out of the bodies, and puts them back.
  void hideScales();
  void showScales();
  bool split(size_t Var);
  /// Of an index below 2^n that is combined with others below 2^n by `^`: the
  /// combination is the index from here on (Swizzle.cpp).
  bool unswizzle();
  /// Of an index below n that is shifted by others modulo n: what it becomes is
  /// the index from here on (Swizzle.cpp).
  bool unshift();
  /// Asks for the ranges that \p Asked has in the place of those of Vars; that
  /// of number \p Column has to be just so. What is above it is told apart.
  void askForRanges(llvm::ArrayRef<IndexVar> Asked, size_t Column);
  /// \p Others in what its indices were made of.
  IntExpr inOrigins(const IntExpr &Others) const;
  /// Where a swizzled row has as many columns as the block is wide, that has to
  /// be so.
  bool fixSwizzledWidth();
  void visit(llvm::function_ref<void(const IntExpr &)> Fn,
             bool WithStored) const;
  /// Every expression that says which elements are multiplied and stored.
  void forEachPlace(llvm::function_ref<void(const IntExpr &)> Fn) const;
  /// For every affine part that mentions the atom, inside divisions as well.
  void forEachPart(llvm::function_ref<void(const IntExpr &)> Fn) const;
  IntExpr freshAtom() { return IntExpr::counter(NextCounter++); }
  unsigned NextCounter = 0;
};

/// \p A >= \p B, by replacing each min in \p B with one of its sides.
bool provablyAtLeast(const IntExpr &A, const IntExpr &B);
/// The minimum; one of the two where it is known which.
IntExpr lesser(const IntExpr &A, const IntExpr &B);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_INDEXSPACE_H
