//===-- Normalizer.h - From a final state to a contraction ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the steps of Normalize.h share. Normalize.cpp has the stores and what
/// is shown in the end, NormalizeSums.cpp the sums and their ranges, Roles.cpp
/// which index is which.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_NORMALIZER_H
#define WARPWRIGHT_LIB_LIFT_NORMALIZER_H

#include "IndexSpace.h"
#include "JoinSums.h"
#include "Normalize.h"
#include "SplitProduct.h"
#include "SumTerms.h"
#include "WordNumbers.h"

namespace warpwright::symbolic {

/// Whether both multiply the same elements, in the same way.
bool sameOperand(const Operand &A, const Operand &B);

/// How many numbers the index \p Name, of so many, has at most where \p O is
/// stored.
IntExpr countOf(const Output &O, llvm::StringRef Name, const IntExpr &Extent);

class Normalizer {
public:
  Normalizer(NormalizeInput &In, std::optional<Failure> &Why,
             NormalizeRemarks &Remarks)
      : In(In), Why(Why), Remarks(Remarks),
        Joiner(In.FreeCounter, In.Bounds, In.KeepParts) {}
  std::optional<Contraction> run();
  /// Something was taken for a loop that KeepParts leaves apart.
  bool rolledAll() const { return RolledStores || Joiner.RolledAll; }
  /// Whether run() failed because parts of an element would be the same.
  bool partsMeet() const { return PartsMeet; }

private:
  /// A product that is summed: Space.Sums has one for each of these.
  struct Term {
    ProductParts Parts;
    std::optional<ScalarType> Rounded;      ///< what partial sums are cut to
    size_t K = 0;                           ///< of Space.Vars
    std::vector<IntExpr> Extents;           ///< of Space.Vars, within this sum
    std::map<std::string, IntExpr> Renamed; ///< by the keys of Space.Vars
    BoolExpr Guard; ///< under which the whole product is added
    Product Factors;
    ValueRef Scale; ///< factor of the sum, or null
    ScalarType Original = ScalarType::F32;
    unsigned Acc = 0;         ///< the contraction's sum that it belongs to
    bool StartsGroup = false; ///< a product that is a summand of another sum
  };

  bool fail(DiagID ID, clang::SourceLocation Loc, llvm::Twine Message) {
    if (!Why)
      Why = Failure{ID, Loc.isValid() ? Loc : In.KernelLoc, Message.str()};
    return false;
  }
  bool collectStores();
  /// Of a thread index that is the same number in all threads that store: puts
  /// that number in its place.
  void pinThreads();
  void rollUpStores(std::vector<Write> &Kept);
  /// Shows that \p Condition holds in every iteration of \p Loops, for all
  /// threads for which \p Known does, or requires it of the launch.
  bool requireAlways(const BoolExpr &Condition,
                     const std::vector<BoundLoop> &Loops,
                     const BoolExpr &Known);
  /// What \p E, which depends on the indices, is for all of them, where the
  /// same side of a minimum is the smaller one for all; required of the launch.
  std::optional<IntExpr> sameEverywhere(const IntExpr &E);
  /// \p V without the selections of which one side is not set, as far as it can
  /// be shown or required that it is not taken.
  ValueRef onlySet(const ValueRef &V, std::vector<BoundLoop> &Loops,
                   const BoolExpr &Known);
  bool extractSums();
  ValueRef takeSums(const ValueRef &V);
  bool collectTerms();
  bool collectVariables();
  void splitWarps();
  /// Of a thread index of which only the rest by a number is used, as in
  /// `lane = threadIdx.x & 31` of a block of one warp: requires that the block
  /// is no wider than that number, for further threads would store the same
  /// elements again.
  void requireFewThreads();
  BoolExpr withoutRanges(const SumNest &Nest) const;
  bool applyGuards();
  /// The conditions that all stores have for which \p Which holds.
  BoolExpr commonGuard(llvm::function_ref<bool(const Store &)> Which) const;
  /// Narrows \p Range by the condition \p T. False if it is none on one index.
  bool takeRange(std::optional<VarRange> &Range, const BoolExpr &T);
  void requireOrder(const IntExpr &Later, const IntExpr &Earlier);
  void decideChoices();
  void coverRanges();
  /// The range of \p S, with the indices of \p Rename.
  std::optional<IndexRange>
  rangeOf(const Store &S, const std::map<std::string, IntExpr> &Rename) const;
  bool isForOneNumber(const Store &S, size_t Var) const;
  bool checkRangesReached();
  bool applySumGuard(size_t Number);
  BoolExpr byLeadingDigit(const BoolExpr &T,
                          const std::vector<IntExpr> &Ends) const;
  bool ofOneLoop(size_t Number) const;
  bool isOneSided(const Term &Of, const BoolExpr &T, size_t Var,
                  const IntExpr &Bound);
  std::optional<IntExpr> zerosFrom(const Term &Of, unsigned Side,
                                   size_t Var) const;
  bool splitProduct(size_t Number);
  bool assignRoles();
  bool assignVariables(const Term &Leading,
                       std::map<std::string, IntExpr> &Rename);
  bool assignOperands(size_t Number,
                      const std::map<std::string, IntExpr> &Rename);
  ScalarType accType(size_t Number) const;
  void groupTerms();
  bool storeOutputs(const std::map<std::string, IntExpr> &Rename);
  void joinRemainders();
  void joinAddends();
  bool markAtomics();
  void noteReach(const Write &W);
  /// Whether all threads for which \p Guard holds come to the sums in \p V, and
  /// to all that these add, apart from what the launch decides.
  bool reachesSums(const ValueRef &V, const BoolExpr &Guard) const;
  bool requireSomeElement(const BoolExpr &Condition);
  bool requireSum();
  bool settle();
  bool finish();
  bool checkOutputsApart();
  bool checkPartsApart(const Output &O, const Output &Before,
                       clang::SourceLocation Loc);
  BoolExpr stepsApart(const Output &O,
                      const std::optional<IntExpr> &Distance) const;
  bool checkSeveralLaunches();
  bool checkLeaves();

  NormalizeInput &In;
  std::optional<Failure> &Why;
  NormalizeRemarks &Remarks;
  IndexSpace Space;
  SumJoiner Joiner;
  std::vector<std::pair<Write, std::string>> Raw;
  std::vector<ValueRef> SumNodes; ///< as they were found; Acc has their numbers
  std::vector<Term> Terms;
  std::vector<IntExpr> Extents; ///< of Space.Vars
  bool RangesLeaveGaps = false; ///< some elements may be stored nowhere
  bool ReachedByAll = true;     ///< what guards all stores leads to every sum
  /// Conditions on sums that the stores do not have; the host can evaluate
  /// them.
  std::vector<BoolExpr> ReachAtLaunch;
  bool Pinned[3] = {}; ///< see pinThreads()
  /// The numbers of the groups of threads of which one thread stores.
  std::vector<IndexVar> PinnedGroups;
  bool SplitIntoWarps = false;  ///< threadIdx.x is no index any more
  bool PassedByThreads = false; ///< others depend on the thread
  bool PartsMeet = false;       ///< see partsMeet()
  bool RolledStores = false;    ///< all stores to an array became one
  WordArrays Words;             ///< whose numbers are elements for now
  Contraction C;
};

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_NORMALIZER_H
