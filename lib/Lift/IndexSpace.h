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

/// Numbers of an index for which a store is made; see IndexRange.
struct VarRange {
  size_t Var = 0; ///< of IndexSpace::Vars
  IntExpr Begin = 0;
  std::optional<IntExpr> End = std::nullopt;
};

/// One store of the kernel and the summations in its value, flattened.
struct Store {
  std::string Array;
  ScalarType Type;
  IntExpr Index;
  ValueRef Value; ///< Sums replaced by Acc
  BoolExpr Guard;
  clang::SourceLocation Loc;
  bool ByWarp = false; ///< the threads of a warp store it together
  unsigned Id = 0;     ///< Write::Id
  /// The range in which it is made, if others are made elsewhere.
  std::optional<VarRange> Range = std::nullopt;
};

/// One product of a sum: Body is added for all values of the counters for which
/// Guard holds.
struct Summation {
  ValueRef Body;
  BoolExpr Guard;
  ScalarType Type = ScalarType::F32;
  clang::SourceLocation Loc;
  /// Loads that scale an element by group, as in `scale[k / 32]`. They are
  /// rewritten with everything else, but do not influence which indices are
  /// made. Until all is rewritten Body refers to them by Phis called `#0`,
  /// `#1`, ...
  std::vector<ValueRef> Scales;
  unsigned Sum = 0; ///< the sum of the kernel to which this is added
};

/// An index: 0 <= Key < Range.
struct IndexVar {
  IntExpr Atom;  ///< one atom: a thread or block number, or a counter
  IntExpr Range; ///< of launch and parameters; for a loop its trip count
  bool Reduction = false;  ///< a loop of the summation
  bool FromLaunch = false; ///< threadIdx or blockIdx, or made only of these
  bool OfThread = false;   ///< made of threadIdx only
  bool OfBlock = false;    ///< made of blockIdx only
  /// The value of the index in terms of the atoms from which it was made; zero
  /// if it is one of these atoms.
  IntExpr Origin = 0;
  /// For a Reduction: the summations of which it is a loop; bit 0 is the first.
  uint64_t Sums = 0;
  /// The index is the quotient of a number whose remainder is swizzled. Such a
  /// quotient is replaced by the threads that it is made of.
  bool AboveSwizzle = false;
  bool Swizzled = false; ///< once: what is left of `^` is not undone
  /// For an index that is a shifted column: the column.
  IntExpr Unshifted = 0;
  IntExpr origin() const { return Origin.isZero() ? Atom : Origin; }
  std::string key() const { return Atom.str(); }
};

/// All expressions that are rewritten together.
class IndexSpace {
public:
  std::vector<Store> Stores;
  std::vector<Summation> Sums;
  std::vector<IndexVar> Vars;
  std::vector<Requirement> Requires;
  /// Expressions that are rewritten with the rest, but never prevent a step.
  std::vector<Obligation> Obligations;

  /// Fuses and splits until nothing changes. False if a division or remainder
  /// of an index stays in an expression that determines which elements are
  /// multiplied and stored. A stored value may have them: `col % 2 ? sum :
  /// -sum`.
  bool normalise(unsigned FirstFreeCounter);
  /// After normalise() has failed: what is left, `an index is divided by 3`.
  std::string Undone;
  /// Whether only conditions under which elements are stored have it.
  bool UndoneInGuards = false;
  /// After normalise() has failed: what is wrong if two outputs take the number
  /// of a thread apart by different lengths of a row, so that they are two
  /// products; otherwise empty.
  std::string productsApart() const;
  /// The indices into which one was split, and by what it is divided.
  std::vector<std::pair<std::string, IntExpr>> Divisors;
  /// For a single store of the threads of a block, whose size may then be
  /// required only by loops that step over the elements that the threads cover.
  bool OfBlock = false;
  /// The first counter that normalise() left free.
  unsigned firstFreeCounter() const { return NextCounter; }

  bool mentions(const IntExpr &E) const; ///< any index
  void require(BoolExpr C, llvm::Twine Reason);
  /// Calls \p Fn for every integer expression, including those in values and
  /// guards.
  void forEach(llvm::function_ref<void(const IntExpr &)> Fn) const;
  bool uses(llvm::StringRef Key) const;
  /// The bound of `Vars[Var] < Bound`, if \p Test has that form. \p Var is
  /// Vars.size() if the condition always holds. False for any other form.
  bool boundOf(const BoolExpr &Test, size_t &Var, IntExpr &Bound) const;
  /// From here on, an argument that chooses between two products has one value,
  /// which is required of the launch (Flags.cpp).
  /// Returns what is required. \p Choice becomes a condition that chooses and
  /// is more than such a comparison: `order == 'T' || order == 't'`, `flags &
  /// 1`.
  std::vector<BoolExpr> settleFlags(std::optional<BoolExpr> &Choice);
  /// Whether the launcher can check that one side of the disjunction \p Either
  /// holds at every index; if so, this is required. Example: `row < M || column
  /// < N`, written where `&&` is meant, with a grid that ends where the matrix
  /// does.
  bool holdsThroughout(const BoolExpr &Either, const Ranges &Bounds);
  /// A change of variables.
  void
  substitute(llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) {
    transform(Fn);
  }

private:
  void
  transform(llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn);
  /// Drops the condition that the first tile is there, where another one is.
  void dropFirst(size_t Low, const IndexVar &V, const IntExpr &End);
  /// With \p Demand, if the range of the low index is not known to be the
  /// quotient of the strides, that is required.
  bool fuse(size_t Low, size_t High, bool Demand);
  /// Replaces what is left of the high index in scales by the fused index.
  void divideScales(const IndexVar &High, const IntExpr &Ratio,
                    const IntExpr &Both);
  /// The ratio if high = low * ratio wherever both occur; otherwise nothing.
  std::optional<IntExpr> ratio(const IndexVar &U, const IndexVar &V) const;
  /// With \p Strides, only loops that step over the elements that threads
  /// cover.
  bool fuseByDemand(bool Strides);
  /// Rows of vectors are `pitch / 4` vectors apart, which is 4 * (pitch / 4)
  /// elements. That is the pitch, if the launcher finds it to be a multiple of
  /// 4.
  void wholePitches();
  /// Tiles that are counted from an argument on, which the launcher asks to be
  /// the first one of a row: `(first + blockIdx.x) / across`.
  void beginAtRows();
  /// An index of range 1 is 0.
  bool dropSingle();
  /// Resolves divisions as far as the ranges of the indices decide them: where
  /// i is below 8, `(i + 8 * j) / 16` is `j / 2`.
  bool reduceByRanges();
  /// If blocks are `blockDim.x` apart in one place and 32 in another, requires
  /// that blockDim.x is 32. With \p Reductions, also if tiles of the sum are
  /// `blockDim.x` apart and have 32 terms.
  bool fixWidth(bool Reductions);
  /// A sum over `(k + x) % n` for all k below n is one over k.
  void unrotate();
  /// Replaces `odd ? range - 1 - v : v`, which counts v down where another
  /// number is odd, by an index with the same range.
  void unmirror();
  /// Replaces the number of a block that is in a group of rows by its row and
  /// its column, and requires a grid of whole rows.
  void ungroup();
  /// A loop that counts down sums the same as one that counts up: replaces its
  /// counter k by `n - 1 - k` if the elements that are multiplied go down with
  /// it, so that it can be fused with other indices.
  void countUp();
  /// Turns a condition that bounds one index into its range, if only this
  /// condition prevents the index from being fused.
  bool absorbGuard();
  /// Drops a condition of all stores that another one implies as no index is
  /// negative: `16 * (2 * z + x) < M` beside `16 * (2 * z + x) + y < M`.
  bool dropImplied();
  /// Takes \p Test out of the conditions of all stores and sums.
  void dropTest(const BoolExpr &Test);
  /// The same for a loop of a known length of which a sum has fewer terms, as
  /// many as a condition on its counter says.
  bool absorbSumGuard();
  /// Takes the scales out of the bodies, and puts them back.
  void hideScales();
  void showScales();
  bool split(size_t Var);
  BoolExpr reachesRows(const IndexVar &W, const IntExpr &D) const;
  /// `w * F / G`, the number of the group of w if there are F groups of G
  /// numbers in all, is `w / (G / F)` where G is a multiple of F, which is
  /// required.
  bool wholeGroups();
  /// A condition `w / D < N` on an index w whose quotient nothing else has is
  /// `w < N * D`.
  bool boundWholes();
  /// An index below 2^n that is combined by `^` with others below 2^n: replaces
  /// it by the combination (Swizzle.cpp).
  bool unswizzle();
  /// An exclusive or with a number of several digits, as one of each digit.
  bool splitSwizzle();
  /// An index below n that is shifted by others modulo n: replaces it by the
  /// result of the shift (Swizzle.cpp).
  bool unshift();
  /// Requires that the indices have the ranges in \p Asked; the range of index
  /// \p Column has to be exactly that. A larger index is split first.
  void askForRanges(llvm::ArrayRef<IndexVar> Asked, size_t Column);
  /// \p Others in terms of the atoms from which their indices were made.
  IntExpr inOrigins(const IntExpr &Others) const;
  /// If the number of columns of a swizzled row is the width of the block,
  /// requires that.
  bool fixSwizzledWidth();
  void visit(llvm::function_ref<void(const IntExpr &)> Fn,
             bool WithStored) const;
  /// Calls \p Fn for every expression that determines which elements are
  /// multiplied and stored.
  void forEachPlace(llvm::function_ref<void(const IntExpr &)> Fn) const;
  /// Calls \p Fn for every affine part that contains the atom, also inside
  /// divisions.
  void forEachPart(llvm::function_ref<void(const IntExpr &)> Fn) const;
  IntExpr freshAtom() { return IntExpr::counter(NextCounter++); }
  unsigned NextCounter = 0;
};

/// Blocks numbered along one dimension, in groups of rows, so that the blocks
/// of a group share what the cache holds: `first = Number / (Size * Columns) *
/// Size`, and in a group `min(Rows - first, Size)` rows, the columns one after
/// the other.
struct BlockGroups {
  IntExpr Number; ///< blockIdx.x
  IntExpr Count;  ///< gridDim.x
  IntExpr Rows, Columns;
  IntExpr Group; ///< the number of the group
  IntExpr Size;  ///< rows of each group but the last one
};

/// The groups of which \p Height is the number of rows of one.
std::optional<BlockGroups> blockGroups(const IntExpr &Height);

/// Calls \p Fn for every integer expression in \p V.
void valueInts(const ValueRef &V, llvm::function_ref<void(const IntExpr &)> Fn);
/// Whether \p A >= \p B can be shown by replacing each min in \p B by one of
/// its sides.
bool provablyAtLeast(const IntExpr &A, const IntExpr &B);
/// The minimum of both, or one of the two if it is known to be the smaller.
IntExpr lesser(const IntExpr &A, const IntExpr &B);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_INDEXSPACE_H
