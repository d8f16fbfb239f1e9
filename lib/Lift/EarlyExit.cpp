//===-- EarlyExit.cpp - Loops that are left in their middle ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (row >= M) break;` in a loop over rows is `if (row >= M) continue;`:
/// once row is beyond the matrix it stays there, and the iterations that follow
/// do nothing. So it is taken where
///  - the condition, once it holds, holds in all later iterations,
///  - nothing of an iteration is stored, read from shared memory or waited for
///    before it,
///  - the loop hands nothing on but integers that count, and nothing to what
///    comes after it, and both ways out of it lead to the same place.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace clang;

namespace warpwright::symbolic {

/// The block to which \p B leads, skipping blocks without effect.
static const llvm::BasicBlock *destination(const llvm::BasicBlock *B) {
  constexpr unsigned MaxSteps = 16;
  for (unsigned N = 0; N < MaxSteps; ++N) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&B->front());
    if (!Branch || !Branch->isUnconditional())
      return B;
    B = Branch->getSuccessor(0);
  }
  return B;
}

bool Executor::findEarlyExits(LoopState &X,
                              llvm::ArrayRef<llvm::Loop::Edge> Exits) {
  const llvm::BasicBlock *Header = X.Loop->getHeader();
  auto Main = llvm::find_if(
      Exits, [&](const llvm::Loop::Edge &E) { return E.first == Header; });
  if (Main == Exits.end())
    return false;
  const llvm::BasicBlock *To = destination(Main->second);
  if (!To->phis().empty())
    return false;
  for (const llvm::PHINode &Phi : Header->phis())
    if (!Phi.getType()->isIntegerTy() && !Phi.getType()->isPointerTy())
      return false;
  std::set<const llvm::BasicBlock *> Blocks;
  for (const llvm::Loop::Edge &E : Exits) {
    if (&E == &*Main)
      continue;
    if (destination(E.second) != To || !E.second->phis().empty() ||
        !llvm::isa<llvm::BranchInst>(E.first->getTerminator()) ||
        !Blocks.insert(E.first).second || E.first == X.Latch)
      return false;
    // Nothing before the exit has an effect in its iteration.
    for (const llvm::BasicBlock *B = E.first; B != Header;
         B = B->getSinglePredecessor()) {
      if (!B || !X.Loop->contains(B))
        return false;
      for (const llvm::Instruction &I : *B)
        if (I.mayWriteToMemory() && !isHarmless(I, *X.Loop, Module))
          return false;
    }
    // An inner loop may leave this one, too.
    for (const llvm::Loop *Inner : X.Loop->getSubLoops())
      if (Inner->contains(E.first))
        return false;
  }
  if (!Main->second->phis().empty())
    return false;
  X.Exiting = const_cast<llvm::BasicBlock *>(Main->first);
  X.MainExit = const_cast<llvm::BasicBlock *>(Main->second);
  X.TestsFirst = true;
  X.Early = std::move(Blocks);
  return true;
}

bool Executor::goPastExit(Region &R, llvm::BasicBlock *B,
                          const llvm::BasicBlock *Stay, const BoolExpr &Leaves,
                          SourceLocation Loc) {
  if (!Active.isTrue())
    return fail(DiagID::DataDependentExit, Loc,
                "the loop is left early, under more than one condition");
  R.LeftWhen.push_back({Leaves, Loc});
  BoolExpr &E =
      R.Edges.try_emplace({B, Stay}, BoolExpr::constant(false)).first->second;
  E = either(E, BoolExpr::negation(Leaves));
  return true;
}

/// Whether \p Condition, if it holds for a value of \p Counter, holds for all
/// larger values.
static bool staysTrue(const BoolExpr &Condition, unsigned Counter,
                      llvm::function_ref<bool(const IntExpr &)> NotNegative) {
  if (Condition.getKind() == BoolExpr::Kind::And ||
      Condition.getKind() == BoolExpr::Kind::Or)
    return llvm::all_of(Condition.operands(), [&](const BoolExpr &Part) {
      return staysTrue(Part, Counter, NotNegative);
    });
  std::vector<IntExpr> Numbers;
  asNotNegative(Condition, Numbers);
  return !Numbers.empty() && llvm::all_of(Numbers, [&](const IntExpr &E) {
    auto Step = E.coefficient(IntExpr::counter(Counter).str());
    return Step && NotNegative(*Step);
  });
}

bool Executor::provesExits(const LoopState &X, const Region &R) {
  if (X.Early.empty())
    return true;
  auto NotNegative = [&](const IntExpr &E) {
    return Bounds.bounds(E, LiveLoops).Low >= 0;
  };
  for (const auto &[When, Loc] : R.LeftWhen)
    if (mentions(X, SymValue::boolean(When)) ||
        !staysTrue(When, X.Counter, NotNegative))
      return fail(DiagID::DataDependentExit, Loc,
                  "the loop is left early, under a condition that need not "
                  "hold in the iterations that would follow");
  for (const Carried &C : X.Cells)
    if (C.K != Carried::Kind::Induction)
      return fail(DiagID::DataDependentExit, X.Loc,
                  "the loop is left early, so how many products are summed "
                  "depends on the data or the thread");
  return true;
}

} // namespace warpwright::symbolic
