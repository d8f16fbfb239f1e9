//===-- Cleanups.cpp - Ways out of a scope --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cleanups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <optional>

namespace warpwright {

/// The block to which \p B branches if the value of \p Phi is \p Number, if \p
/// B depends on nothing else; null if it does more.
static llvm::BasicBlock *leadsTo(llvm::BasicBlock &B, const llvm::PHINode &Phi,
                                 const llvm::ConstantInt &Number) {
  llvm::Instruction *First = &*B.getFirstNonPHIIt();
  if (auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(First))
    return Switch->getCondition() == &Phi
               ? Switch->findCaseValue(&Number)->getCaseSuccessor()
               : nullptr;
  const auto *Test = llvm::dyn_cast<llvm::ICmpInst>(First);
  auto *Branch = llvm::dyn_cast<llvm::BranchInst>(B.getTerminator());
  const auto *With =
      Test ? llvm::dyn_cast<llvm::ConstantInt>(Test->getOperand(1)) : nullptr;
  if (!With || !Test->isEquality() || Test->getOperand(0) != &Phi || !Branch ||
      !Branch->isConditional() || Branch->getCondition() != Test ||
      Test->getNextNode() != Branch || !Test->hasOneUse())
    return nullptr;
  const bool Equal = With->getValue() == Number.getValue();
  const bool Taken = Equal == (Test->getPredicate() == llvm::CmpInst::ICMP_EQ);
  return Branch->getSuccessor(Taken ? 0 : 1);
}

/// Whether a value that \p B selects is used outside of its own end and the
/// phis of its successors.
static bool choosesForOthers(const llvm::BasicBlock &B) {
  for (const llvm::PHINode &Phi : B.phis())
    for (const llvm::User *U : Phi.users()) {
      const auto *I = llvm::cast<llvm::Instruction>(U);
      if (I->getParent() != &B && !llvm::isa<llvm::PHINode>(I))
        return true;
      if (const auto *Next = llvm::dyn_cast<llvm::PHINode>(I))
        for (unsigned N = 0; N < Next->getNumIncomingValues(); ++N)
          if (Next->getIncomingValue(N) == &Phi &&
              Next->getIncomingBlock(N) != &B)
            return true;
    }
  return false;
}

/// Whether a way leads from \p B back to it without another way into it.
static bool isHeader(llvm::BasicBlock &B) {
  const llvm::DominatorTree Dominators(*B.getParent());
  return llvm::any_of(llvm::predecessors(&B), [&](const llvm::BasicBlock *P) {
    return Dominators.dominates(&B, P);
  });
}

/// What follows \p B uses values that it selects, and is now reached from \p
/// From without it.
static void selectBehind(llvm::BasicBlock &B, llvm::BasicBlock &From) {
  llvm::SmallVector<llvm::PHINode *, 4> Phis;
  for (llvm::PHINode &Phi : B.phis())
    Phis.push_back(&Phi);
  for (llvm::PHINode *Phi : Phis) {
    llvm::SmallVector<llvm::Use *, 8> Others;
    for (llvm::Use &U : Phi->uses()) {
      const auto *I = llvm::cast<llvm::Instruction>(U.getUser());
      const auto *Next = llvm::dyn_cast<llvm::PHINode>(I);
      if (Next ? Next->getIncomingBlock(U) != &B : I->getParent() != &B)
        Others.push_back(&U);
    }
    if (Others.empty())
      continue;
    llvm::SSAUpdater Values;
    Values.Initialize(Phi->getType(), Phi->getName());
    Values.AddAvailableValue(&B, Phi);
    Values.AddAvailableValue(&From, Phi->getIncomingValueForBlock(&From));
    for (llvm::Use *U : Others)
      Values.RewriteUse(*U);
  }
}

/// Redirects the branches to \p B past it; returns whether there was one.
static bool thread(llvm::BasicBlock &B) {
  if (B.phis().empty())
    return false;
  // A loop would be entered in its middle.
  const bool ForOthers = choosesForOthers(B);
  if (ForOthers && isHeader(B))
    return false;
  for (llvm::PHINode &Phi : B.phis())
    for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N) {
      auto *Number = llvm::dyn_cast<llvm::ConstantInt>(Phi.getIncomingValue(N));
      llvm::BasicBlock *From = Phi.getIncomingBlock(N);
      llvm::BasicBlock *To = Number ? leadsTo(B, Phi, *Number) : nullptr;
      // A block that leads here twice has one entry for both.
      if (!To || To == &B || From == &B ||
          llvm::count(llvm::successors(From), &B) != 1 ||
          llvm::is_contained(llvm::successors(From), To))
        continue;
      for (llvm::PHINode &Next : To->phis()) {
        llvm::Value *V = Next.getIncomingValueForBlock(&B);
        auto *Chosen = llvm::dyn_cast<llvm::PHINode>(V);
        Next.addIncoming(Chosen && Chosen->getParent() == &B
                             ? Chosen->getIncomingValueForBlock(From)
                             : V,
                         From);
      }
      From->getTerminator()->replaceSuccessorWith(&B, To);
      if (ForOthers)
        selectBehind(B, *From);
      B.removePredecessor(From, /*KeepOneInputPHIs=*/true);
      return true;
    }
  return false;
}

/// Whether \p Test says of \p N what it says of its first operand; nothing if
/// it compares with something else than a constant, or by order.
static std::optional<bool> holdsFor(const llvm::ICmpInst &Test,
                                    const llvm::Value *N) {
  const auto *Number = llvm::dyn_cast<llvm::ConstantInt>(N);
  const auto *With = llvm::dyn_cast<llvm::ConstantInt>(Test.getOperand(1));
  if (!Number || !With || !Test.isEquality())
    return std::nullopt;
  return (Number->getValue() == With->getValue()) ==
         (Test.getPredicate() == llvm::CmpInst::ICMP_EQ);
}

/// Where there are two ways out of a scope and nothing else happens on them,
/// the number of the way is `condition ? 2 : 0`, without branches. A test of it
/// is a test of the condition.
static void testConditions(llvm::Function &F) {
  for (llvm::BasicBlock &B : F)
    for (llvm::Instruction &I : llvm::make_early_inc_range(B)) {
      auto *Test = llvm::dyn_cast<llvm::ICmpInst>(&I);
      auto *Chosen = Test
                         ? llvm::dyn_cast<llvm::SelectInst>(Test->getOperand(0))
                         : nullptr;
      if (!Chosen || !Chosen->getType()->isIntegerTy())
        continue;
      const auto Then = holdsFor(*Test, Chosen->getTrueValue()),
                 Else = holdsFor(*Test, Chosen->getFalseValue());
      if (!Then || !Else)
        continue;
      llvm::Value *Is = Chosen->getCondition();
      if (*Then == *Else)
        Is = llvm::ConstantInt::get(Test->getType(), *Then);
      if (*Then || !*Else) {
        Test->replaceAllUsesWith(Is);
      } else {
        // Its opposite: branches on it change sides.
        for (llvm::User *U : llvm::make_early_inc_range(Test->users()))
          if (auto *Branch = llvm::dyn_cast<llvm::BranchInst>(U)) {
            Branch->setCondition(Is);
            Branch->swapSuccessors();
          }
        if (!Test->use_empty()) {
          auto *Not =
              llvm::BinaryOperator::CreateNot(Is, "", Test->getIterator());
          Not->setDebugLoc(Test->getDebugLoc());
          Test->replaceAllUsesWith(Not);
        }
      }
      Test->eraseFromParent();
      if (Chosen->use_empty())
        Chosen->eraseFromParent();
    }
}

void threadCleanups(llvm::Function &F) {
  testConditions(F);
  constexpr unsigned MaxWays = 256;
  unsigned Ways = 0;
  for (bool Changed = true; Changed && Ways < MaxWays;) {
    Changed = false;
    for (llvm::BasicBlock &B : F)
      while (Ways < MaxWays && thread(B)) {
        ++Ways;
        Changed = true;
      }
  }
  if (Ways == 0)
    return;
  // The numbers, which are no longer used.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (llvm::BasicBlock &B : F)
      for (llvm::PHINode &Phi : llvm::make_early_inc_range(B.phis()))
        if (Phi.use_empty()) {
          Phi.eraseFromParent();
          Changed = true;
        }
  }
}

} // namespace warpwright
