//===-- KnownBranches.cpp - Branches that are already decided -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownBranches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpwright {

/// The side to which \p Branch goes in any case, because a branch on the same
/// value came to it through one of its own edges.
///
/// If an edge of that branch dominates this block, it was taken since the value
/// was computed: the value's block dominates the edge, so a way from that block
/// to this one without the edge would be one from the function's entry, too.
static const llvm::BasicBlock *decided(const llvm::BranchInst &Branch,
                                       const llvm::DominatorTree &Dominators) {
  const llvm::BasicBlock *Here = Branch.getParent();
  const auto *Node = Dominators.getNode(Here);
  while (Node && (Node = Node->getIDom())) {
    const llvm::BasicBlock *Before = Node->getBlock();
    const auto *Test =
        llvm::dyn_cast<llvm::BranchInst>(Before->getTerminator());
    if (!Test || !Test->isConditional() ||
        Test->getCondition() != Branch.getCondition() ||
        Test->getSuccessor(0) == Test->getSuccessor(1))
      continue;
    for (unsigned Side : {0, 1})
      if (Dominators.dominates(
              llvm::BasicBlockEdge(Before, Test->getSuccessor(Side)), Here))
        return Branch.getSuccessor(Side);
  }
  return nullptr;
}

void settleBranches(llvm::Function &F, llvm::DominatorTree &Dominators) {
  bool Changed = false;
  for (llvm::BasicBlock &B : F) {
    auto *Branch = llvm::dyn_cast<llvm::BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional() ||
        llvm::isa<llvm::Constant>(Branch->getCondition()) ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    const llvm::BasicBlock *To = decided(*Branch, Dominators);
    if (!To)
      continue;
    const unsigned Side = Branch->getSuccessor(0) == To ? 0 : 1;
    llvm::BasicBlock *Never = Branch->getSuccessor(1 - Side);
    Never->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
    auto *Always = llvm::BranchInst::Create(Branch->getSuccessor(Side), &B);
    Always->setDebugLoc(Branch->getDebugLoc());
    Branch->eraseFromParent();
    Dominators.deleteEdge(&B, Never);
    Changed = true;
  }
  if (Changed)
    llvm::EliminateUnreachableBlocks(F);
}

void foldUnchanged(llvm::Function &F) {
  for (llvm::BasicBlock &B : F)
    for (llvm::PHINode &Phi : llvm::make_early_inc_range(B.phis())) {
      // Everything that the phi may be: other phis, and what is left.
      llvm::SmallSetVector<llvm::PHINode *, 8> Web;
      llvm::Constant *Only = nullptr;
      bool Same = true;
      Web.insert(&Phi);
      for (unsigned N = 0; Same && N < Web.size(); ++N)
        for (llvm::Value *V : Web[N]->incoming_values()) {
          if (auto *Next = llvm::dyn_cast<llvm::PHINode>(V)) {
            Web.insert(Next);
            continue;
          }
          auto *C = llvm::dyn_cast<llvm::Constant>(V);
          Same &= C && !llvm::isa<llvm::UndefValue>(C) && (!Only || C == Only);
          Only = C;
        }
      if (Same && Only && Web.size() > 1)
        Phi.replaceAllUsesWith(Only);
      if (Phi.use_empty())
        Phi.eraseFromParent();
    }
}

} // namespace warpwright
