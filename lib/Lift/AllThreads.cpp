//===-- AllThreads.cpp - Conditions that no thread may fail ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Threads outside of the matrix may return before a barrier. If the grid ends
/// where the matrix does, there are no such threads. That is required of the
/// launch, and the kernel is executed again with the condition as a fact, so
/// that it no longer guards anything.
///
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Executor.h"
#include "Simplify.h"

namespace warpwright::symbolic {

/// Whether \p B compares the position of a thread with the value of an
/// argument. A condition on threads alone is not considered, since it holds for
/// all threads only in small blocks.
static bool comparesWithArgument(const BoolExpr &B) {
  bool Thread = false, Argument = false;
  B.walk(
      [&](const IntExpr &E) {
        Thread |= E.containsKind(AtomKind::ThreadIdx);
        Argument |= E.containsKind(AtomKind::Param);
      },
      [](const ValueRef &) {});
  return Thread && Argument;
}

/// The condition on arguments and launch under which \p B holds for every
/// thread of every block, or a stronger one; nothing if none is found.
static std::optional<BoolExpr> holdsForAll(const BoolExpr &B,
                                           const Simplifier &Facts) {
  if (B.getKind() == BoolExpr::Kind::Or) {
    // The first side that can be required.
    for (const BoolExpr &Side : B.operands())
      if (auto Need = holdsForAll(Side, Facts))
        return Need;
    return std::nullopt;
  }
  if (B.getKind() == BoolExpr::Kind::And) {
    BoolExpr All = BoolExpr::constant(true);
    for (const BoolExpr &Side : B.operands()) {
      auto Need = holdsForAll(Side, Facts);
      if (!Need)
        return std::nullopt;
      All = BoolExpr::conjunction(All, *Need);
    }
    return All;
  }
  std::vector<IntExpr> NotNegative;
  asNotNegative(B, NotNegative);
  if (NotNegative.empty())
    return std::nullopt;
  BoolExpr All = BoolExpr::constant(true);
  for (const IntExpr &E : NotNegative) {
    auto Least = Facts.limit(E, /*Largest=*/false);
    if (!Least || Least->overflowed())
      return std::nullopt;
    for (AtomKind Varying :
         {AtomKind::ThreadIdx, AtomKind::BlockIdx, AtomKind::Counter})
      if (Least->containsKind(Varying))
        return std::nullopt;
    All = BoolExpr::conjunction(
        All, BoolExpr::compare(CmpOp::GE, *Least, IntExpr()));
  }
  if (All.isFalse())
    return std::nullopt;
  return All;
}

void Executor::wantAllThreads(
    const BoolExpr &Reached,
    llvm::function_ref<bool(const IntExpr &)> IsUniform) {
  // Requirements of this run must not be taken over by the next one.
  Ranges Types;
  for (const ParamLeaf &L : Kernel.Params)
    if (!L.IsPointer && L.Problem.empty())
      Types.setParam(L.Path, L.Type);
  Simplifier Facts(Types, {}, BoolExpr());
  llvm::SmallVector<BoolExpr, 8> Parts;
  Reached.conjuncts(Parts);
  std::vector<ForAll> Found;
  for (const BoolExpr &Part : Parts) {
    bool Differs = hasValues(Part);
    Part.walk([&](const IntExpr &E) { Differs |= !IsUniform(E); },
              [](const ValueRef &) {});
    if (!Differs)
      continue;
    if (hasValues(Part) || !comparesWithArgument(Part))
      return;
    auto Need = holdsForAll(Part, Facts);
    if (!Need || implies(Granted, Part))
      return;
    Found.push_back({Part, *Need, Module.lineOf(here())});
  }
  Wanted.insert(Wanted.end(), Found.begin(), Found.end());
}

std::optional<IntExpr> Executor::endOfSlice(const IntExpr &A,
                                            const IntExpr &B) {
  for (const auto &[End, Last] : {std::pair(&A, &B), std::pair(&B, &A)}) {
    const IntExpr Room = *Last - *End;
    if (!End->containsKind(AtomKind::BlockIdx) ||
        Last->containsKind(AtomKind::BlockIdx) || mentionsPhi(Room) ||
        Room.containsKind(AtomKind::ThreadIdx) ||
        Room.containsKind(AtomKind::Counter))
      continue;
    CutsSlices = true;
    if (!WholeSlices)
      continue;
    // A linear expression has its least value for the first block or for the
    // last one.
    for (unsigned D = 0; D < 3; ++D) {
      const std::string Key = IntExpr::special(AtomKind::BlockIdx, D).str();
      const auto Step = Room.coefficient(Key);
      if (!Step || Step->isZero())
        continue;
      const IntExpr First = Room.substitute(Key, IntExpr()),
                    Final = First + *Step * (special(AtomKind::GridDim, D) - 1);
      if (First.containsKind(AtomKind::BlockIdx) ||
          Step->containsKind(AtomKind::BlockIdx) || Final.overflowed())
        continue;
      for (const IntExpr &E : {First, Final})
        require(BoolExpr::compare(CmpOp::GE, E, IntExpr()),
                "the last part of the sum is shorter");
      return *End;
    }
  }
  return std::nullopt;
}

/// The reason to log for a launch for which \p Case does not hold.
static std::string reasonAgainst(const BoolExpr &Case) {
  const AtomRef A = Case.getKind() == BoolExpr::Kind::Compare
                        ? Case.getLHS().getAtom()
                        : nullptr;
  const bool Equal = A && Case.getOp() == CmpOp::EQ;
  if (!A || (!Equal && Case.getOp() != CmpOp::NE))
    return "'" + Case.str() + "' does not hold";
  return "'" + A->getKey().str() + (Equal ? "' is not " : "' is ") +
         Case.getRHS().str();
}

void Executor::grant(const Given &Asked) {
  Block = Asked.Block;
  LateParts = Asked.LateParts;
  for (unsigned D = 0; D < 3; ++D)
    if (Block[D]) {
      const IntExpr Dim = IntExpr::special(AtomKind::BlockDim, D);
      require(BoolExpr::compare(CmpOp::EQ, Dim, Block[D]),
              Dim.str() + " is not " + llvm::Twine(Block[D]));
      Bounds.learnEqual(Dim, Block[D]);
    }
  if ((Square = Asked.Square)) {
    const IntExpr X = IntExpr::special(AtomKind::BlockDim, 0),
                  Y = IntExpr::special(AtomKind::BlockDim, 1);
    require(BoolExpr::compare(CmpOp::EQ, X, Y), X.str() + " is not " + Y.str());
  }
  WholeDivisors = Asked.WholeDivisors;
  WholeSlices = Asked.WholeSlices;
  OneByOne = Asked.OneByOne;
  if (Asked.WholeWarps)
    requireWholeWarps();
  Arguments = Asked.Arguments;
  for (const auto &[Name, Divisor] : Arguments) {
    const IntExpr Argument = IntExpr::param(Name);
    require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(Argument, Divisor), 0),
            Name + " is not a multiple of " + llvm::Twine(Divisor));
    require(BoolExpr::compare(CmpOp::GE, Argument, 0), Name + " is negative");
  }
  for (const ForAll &C : Asked.Conditions) {
    Granted = BoolExpr::conjunction(Granted, C.Fact);
    require(C.Need, "some threads do not come to line " + llvm::Twine(C.Line));
  }
  for (const BoolExpr &Case : Asked.Cases)
    Granted = BoolExpr::conjunction(Granted, Case);
  llvm::SmallVector<BoolExpr, 4> Needed;
  allOf(Asked.Cases).conjuncts(Needed);
  for (const BoolExpr &Case : Needed)
    require(Case, reasonAgainst(Case));
}

BoolExpr Executor::underGrants(BoolExpr C) const {
  C = withoutConjuncts(C, Granted);
  return BoolExpr::negation(withoutConjuncts(BoolExpr::negation(C), Granted));
}

void Executor::noteChoice(const BoolExpr &C) {
  // More of them cannot all be tried out.
  constexpr size_t Most = 8;
  if (Choices.size() == Most || !isOfLaunch(C))
    return;
  const BoolExpr Not = BoolExpr::negation(C);
  auto IsSame = [&](const BoolExpr &Known) {
    return Known.str() == C.str() || Known.str() == Not.str();
  };
  if (llvm::none_of(Choices, IsSame))
    Choices.push_back(C);
}

bool Executor::notReached(const BoolExpr &When, llvm::Twine Reason) {
  llvm::SmallVector<BoolExpr, 8> Parts;
  BoolExpr::conjunction(totalActive(), When).conjuncts(Parts);
  BoolExpr OfLaunch = BoolExpr::constant(true);
  for (const BoolExpr &Part : Parts)
    if (isOfLaunch(Part))
      OfLaunch = BoolExpr::conjunction(OfLaunch, Part);
  if (OfLaunch.isTrue())
    return false;
  require(BoolExpr::negation(OfLaunch), Reason);
  return true;
}

bool Executor::stepsBesideWarps() const {
  return (UsesBlockDim[0] || UsesBlockDim[1]) &&
         (UsesLanes || DividesWarps || !FragmentCounters.empty());
}

IntExpr Executor::special(AtomKind Kind, unsigned Dim) const {
  if (Kind == AtomKind::ThreadIdx && Block[Dim] == 1)
    return IntExpr();
  if (Kind == AtomKind::BlockDim && Square && Dim == 1)
    Dim = 0;
  return Kind == AtomKind::BlockDim && Block[Dim] ? IntExpr(Block[Dim])
                                                  : IntExpr::special(Kind, Dim);
}

} // namespace warpwright::symbolic
