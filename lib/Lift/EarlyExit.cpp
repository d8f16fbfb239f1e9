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
#include "IndexSpace.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace match = llvm::PatternMatch;

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

/// Whether \p V is one more step of \p Phi, as `++k` is.
static bool isStep(const llvm::Value &V, const llvm::PHINode &Phi) {
  const auto *I = llvm::cast<llvm::Instruction>(&V);
  return llvm::all_of(I->operands(), [&](const llvm::Value *Op) {
    return Op == &Phi || llvm::isa<llvm::Constant>(Op);
  });
}

bool Executor::worksFirst(const LoopState &X) const {
  const llvm::BasicBlock &Header = *X.Loop->getHeader();
  for (const llvm::Instruction &I : Header)
    if (I.mayWriteToMemory() && !isHarmless(I, *X.Loop, Module))
      return true;
  // A sum that comes out of the loop as it is at the test.
  return llvm::any_of(Header.phis(), [&](const llvm::PHINode &Phi) {
    const auto *Next = llvm::dyn_cast<llvm::Instruction>(
        Phi.getIncomingValueForBlock(X.Latch));
    return Next && Next->getParent() == &Header &&
           !llvm::isa<llvm::PHINode>(Next) && !isStep(*Next, Phi) &&
           llvm::any_of(Next->users(), [&](const llvm::User *U) {
             return !X.Loop->contains(llvm::cast<llvm::Instruction>(U));
           });
  });
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

bool endsIf(const llvm::Loop &L, const llvm::PHINode &Phi) {
  const auto *Test =
      llvm::dyn_cast<llvm::BranchInst>(L.getHeader()->getTerminator());
  if (!Test || !Test->isConditional() || !Phi.getType()->isIntegerTy(1) ||
      L.contains(Test->getSuccessor(0)) == L.contains(Test->getSuccessor(1)))
    return false;
  llvm::Value *Other;
  return L.contains(Test->getSuccessor(0))
             ? match::match(
                   Test->getCondition(),
                   match::m_LogicalAnd(match::m_Not(match::m_Specific(&Phi)),
                                       match::m_Value(Other)))
             : match::match(Test->getCondition(),
                            match::m_LogicalOr(match::m_Specific(&Phi),
                                               match::m_Value(Other)));
}

bool mayBreak(const llvm::Loop &L, const llvm::BasicBlock &B) {
  return llvm::any_of(L.getLoopLatch()->phis(), [&](const llvm::PHINode &P) {
    const int N = P.getBasicBlockIndex(&B);
    return P.getType()->isIntegerTy(1) && N >= 0 &&
           match::match(P.getIncomingValue(N), match::m_One());
  });
}

/// That \p C did not end the loop at the head of an iteration that runs. For
/// the first iteration endEarlier() shows it.
static BoolExpr stays(const Carried &C, unsigned Counter) {
  return BoolExpr::negation(anIterationBefore(C.Next.B, Counter));
}

/// Adds to the condition of \p L that none of its Carried::Leaves was set.
bool Executor::addBreaks(LoopState &L) {
  for (const Carried &C : L.Cells) {
    if (!C.Leaves)
      continue;
    if (C.Next.is(SymValue::Kind::Unknown))
      return fail(DiagID::DataDependentExit, L.ConditionLoc,
                  "how often the loop runs is not understood: " +
                      C.Next.Reason);
    if (!C.Next.is(SymValue::Kind::Bool) || mentions(L, C.Next) ||
        hasValues(C.Next.B))
      return fail(DiagID::DataDependentExit, L.ConditionLoc,
                  "the loop is left early, so how many products are summed "
                  "depends on the data or the thread");
    const BoolExpr Stays = stays(C, L.Counter);
    if (!Simplifier(Bounds, {}, L.Condition).simplify(Stays).isTrue())
      L.Condition = BoolExpr::conjunction(L.Condition, Stays);
  }
  return true;
}

/// Makes \p Trip the first iteration of \p X before which one was set, if that
/// is less.
bool Executor::endEarlier(const LoopState &X, IntExpr &Trip) {
  for (const Carried &C : X.Cells) {
    if (!C.Leaves)
      continue;
    const SourceLocation Loc = X.ConditionLoc;
    // The first iteration before which it was set. It must not be set before
    // the loop.
    auto Sets = tripCount(stays(C, X.Counter), X.Counter, Loc);
    if (!Sets)
      return false;
    const Simplifier Facts(
        Bounds, bodyLoops(),
        BoolExpr::conjunction(
            totalActive(),
            withCounter(SymValue::boolean(X.Test), X.Counter, IntExpr()).B));
    const IntExpr First = withoutQuotient(*Sets - 1);
    bool Varies = false;
    First.walk([&](const IntAtom &A) { Varies |= Simplifier::varies(A); });
    if (!Facts.neverNegative(First)) {
      if (Varies)
        return fail(DiagID::DataDependentExit, Loc,
                    "the loop is left early, in an iteration that depends on "
                    "the thread");
      require(BoolExpr::compare(CmpOp::GE, First, 0),
              "the loop's 'break' would come before its first iteration");
    }
    Trip = lesser(*Sets, Trip);
  }
  return true;
}

} // namespace warpwright::symbolic
