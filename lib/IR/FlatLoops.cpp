//===-- FlatLoops.cpp - Loops over k that fill tiles now and then ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// k counts up by one from a multiple of the depth of a tile, so the tile is
/// filled in the first iteration and in every 16th one after it. The iterations
/// from there on become an inner loop, which ends after 16 of them or where the
/// outer one does. The outer loop is then at the next multiple: it goes on to k
/// plus 16, which is where the inner one ended, unless that was the end of all.
///
/// `k + 16` gets no flag that says it does not overflow, which the lift then
/// has to find or to require of the launch.
///
/// While blocks are copied and connected anew, values that cross from one block
/// to another are kept in memory.
///
//===----------------------------------------------------------------------===//

#include "FlatLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace match = llvm::PatternMatch;

namespace warpwright {

namespace {
struct FlatLoop {
  llvm::Loop *L;
  llvm::PHINode *K;
  uint64_t Depth;
  llvm::BasicBlock *Asks;        ///< ends with the test of k % Depth
  llvm::BasicBlock *Fill, *Rest; ///< where that leads
  llvm::SmallVector<llvm::BasicBlock *, 4> Filled; ///< lead from Fill to Rest
};
} // namespace

/// Whether \p Block computes numbers only, which may be done once more.
static bool computesOnly(const llvm::BasicBlock &Block) {
  return llvm::all_of(Block, [](const llvm::Instruction &I) {
    return I.isTerminator() || llvm::isa<llvm::PHINode>(I) ||
           (!I.mayReadOrWriteMemory() &&
            llvm::isSafeToSpeculativelyExecute(&I));
  });
}

/// If \p Condition compares the remainder of \p K with zero: by what K is
/// divided, and whether it is true for a multiple of that.
static std::optional<std::pair<uint64_t, bool>>
asksForMultiple(llvm::Value *Condition, const llvm::PHINode &K) {
  llvm::CmpPredicate Op;
  llvm::Value *Rest;
  const llvm::APInt *By;
  constexpr uint64_t Deepest = 1024;
  if (!match::match(Condition,
                    match::m_ICmp(Op, match::m_Value(Rest), match::m_Zero())) ||
      !llvm::ICmpInst::isEquality(Op))
    return std::nullopt;
  uint64_t Depth = 0;
  if (match::match(Rest,
                   match::m_SRem(match::m_Specific(&K), match::m_APInt(By))) ||
      match::match(Rest,
                   match::m_URem(match::m_Specific(&K), match::m_APInt(By))))
    Depth = By->getLimitedValue();
  else if (match::match(
               Rest, match::m_And(match::m_Specific(&K), match::m_APInt(By))) &&
           (*By + 1).isPowerOf2())
    Depth = (*By + 1).getLimitedValue();
  if (Depth < 2 || Depth > Deepest)
    return std::nullopt;
  return std::pair(Depth, Op == llvm::CmpInst::ICMP_EQ);
}

/// Whether \p Test goes on to \p First while \p K is below a number that does
/// not change. Where it fails, it also fails of larger numbers.
static bool isBelow(const llvm::BranchInst &Test, const llvm::BasicBlock *First,
                    const llvm::PHINode &K, const llvm::Loop &L) {
  const auto *Below = llvm::dyn_cast<llvm::ICmpInst>(Test.getCondition());
  return Below && Test.getSuccessor(0) == First && Below->getOperand(0) == &K &&
         L.isLoopInvariant(Below->getOperand(1)) &&
         (Below->getPredicate() == llvm::CmpInst::ICMP_ULT ||
          Below->getPredicate() == llvm::CmpInst::ICMP_SLT);
}

/// Whether something behind \p L uses \p K, or a number that the header has
/// computed. There the header has come to the first k of the next tile.
static bool endIsUsed(const llvm::Loop &L, const llvm::PHINode &K) {
  return llvm::any_of(*L.getHeader(), [&](const llvm::Instruction &I) {
    return (&I == &K || !llvm::isa<llvm::PHINode>(I)) &&
           llvm::any_of(I.users(), [&](const llvm::User *U) {
             return !L.contains(llvm::cast<llvm::Instruction>(U));
           });
  });
}

static std::optional<FlatLoop> asFlatLoop(llvm::Loop &L,
                                          const llvm::DominatorTree &Tree) {
  llvm::BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(),
                   *Before = L.getLoopPreheader();
  if (!Latch || !Before || Header == Latch || L.getExitingBlock() != Header ||
      !computesOnly(*Header))
    return std::nullopt;
  auto *Test = llvm::dyn_cast<llvm::BranchInst>(Header->getTerminator());
  if (!Test || !Test->isConditional())
    return std::nullopt;
  FlatLoop R;
  R.L = &L;
  R.Asks = Test->getSuccessor(L.contains(Test->getSuccessor(0)) ? 0 : 1);
  auto *Asks = llvm::dyn_cast<llvm::BranchInst>(R.Asks->getTerminator());
  if (R.Asks->getSinglePredecessor() != Header || !computesOnly(*R.Asks) ||
      !Asks || !Asks->isConditional())
    return std::nullopt;
  R.K = nullptr;
  for (llvm::PHINode &P : Header->phis()) {
    const auto Multiple = P.getType()->isIntegerTy()
                              ? asksForMultiple(Asks->getCondition(), P)
                              : std::nullopt;
    if (!Multiple)
      continue;
    R.K = &P;
    R.Depth = Multiple->first;
    R.Fill = Asks->getSuccessor(Multiple->second ? 0 : 1);
    R.Rest = Asks->getSuccessor(Multiple->second ? 1 : 0);
  }
  if (!R.K)
    return std::nullopt;
  // It counts up by one from a multiple, and nobody asks where it ended.
  const auto *Start =
      llvm::dyn_cast<llvm::ConstantInt>(R.K->getIncomingValueForBlock(Before));
  const auto *Next = llvm::dyn_cast<llvm::BinaryOperator>(
      R.K->getIncomingValueForBlock(Latch));
  if (!Start || Start->isNegative() || Start->getValue().urem(R.Depth) != 0 ||
      !Next ||
      !match::match(Next,
                    match::m_c_Add(match::m_Specific(R.K), match::m_One())) ||
      !isBelow(*Test, R.Asks, *R.K, L) || endIsUsed(L, *R.K))
    return std::nullopt;
  // What fills the tile leads to the rest, and to nothing else. It hands no
  // values over, which the rest would have to tell from those of iterations
  // that fill nothing.
  if (R.Fill->getSinglePredecessor() != R.Asks || R.Rest == Header ||
      !R.Rest->phis().empty() || !Tree.dominates(R.Rest, Latch))
    return std::nullopt;
  bool Together = false;
  for (llvm::BasicBlock *B : L.blocks()) {
    if (!Tree.dominates(R.Fill, B))
      continue;
    for (llvm::BasicBlock *To : llvm::successors(B))
      if (To == R.Rest)
        R.Filled.push_back(B);
      else if (!Tree.dominates(R.Fill, To))
        return std::nullopt;
    for (const llvm::Instruction &I : *B)
      if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        Together |= Call->isConvergent();
  }
  if (!Together || R.Filled.empty() ||
      !llvm::all_of(llvm::predecessors(R.Rest), [&](llvm::BasicBlock *B) {
        return B == R.Asks || llvm::is_contained(R.Filled, B);
      }))
    return std::nullopt;
  return R;
}

static void nest(FlatLoop &R) {
  llvm::BasicBlock *Header = R.L->getHeader(), *Latch = R.L->getLoopLatch();
  llvm::Function &In = *Header->getParent();
  llvm::LLVMContext &Context = In.getContext();
  llvm::IRBuilder<> Build(Context);
  llvm::Type *Type = R.K->getType();
  llvm::SmallVector<llvm::AllocaInst *, 16> Kept;
  const std::string Name = R.K->getName().str();
  const auto Entry = In.getEntryBlock().getFirstInsertionPt();
  Build.SetInsertPoint(&In.getEntryBlock(), Entry);
  auto *First = Build.CreateAlloca(Type, nullptr, Name + ".tile"),
       *Count = Build.CreateAlloca(Type, nullptr, Name + ".in.tile");
  Kept = {First, Count};
  auto Keep = [&](llvm::AllocaInst *A) {
    if (A)
      Kept.push_back(A);
    return A;
  };
  llvm::AllocaInst *K = nullptr;
  for (llvm::PHINode &P : llvm::make_early_inc_range(Header->phis())) {
    const bool IsK = &P == R.K;
    llvm::AllocaInst *Of = Keep(llvm::DemotePHIToStack(&P));
    if (IsK)
      K = Of;
  }
  // What is handed out of the loop still comes from the header.
  llvm::SmallVector<llvm::Instruction *, 16> Used;
  for (llvm::BasicBlock *B : {Header, R.Asks})
    for (llvm::Instruction &I : *B)
      if (!I.isTerminator() && llvm::any_of(I.users(), [&](llvm::User *U) {
            const auto *User = llvm::cast<llvm::Instruction>(U);
            return User->getParent() != B && R.L->contains(User);
          }))
        Used.push_back(&I);
  for (llvm::Instruction *I : Used)
    Keep(llvm::DemoteRegToStack(*I));
  // What is computed before the rest is computed in each iteration of it, too.
  auto *Test = llvm::cast<llvm::BranchInst>(Header->getTerminator());
  auto *Again = llvm::BasicBlock::Create(Context, Header->getName() + ".again",
                                         &In, R.Rest);
  auto *Over = llvm::BasicBlock::Create(Context, Header->getName() + ".over",
                                        &In, R.Rest);
  llvm::ValueToValueMapTy Map;
  for (llvm::BasicBlock *B : {Header, R.Asks})
    for (llvm::Instruction &I : *B)
      if (!I.isTerminator()) {
        llvm::Instruction *Copy = I.clone();
        Copy->insertInto(Again, Again->end());
        Copy->setName(I.getName());
        Map[&I] = Copy;
        llvm::RemapInstruction(Copy, Map,
                               llvm::RF_NoModuleLevelChanges |
                                   llvm::RF_IgnoreMissingLocals);
      }
  llvm::Value *Goes = Test->getCondition();
  if (auto It = Map.find(Goes); It != Map.end())
    Goes = It->second;
  Build.SetInsertPoint(Again);
  Build.SetCurrentDebugLocation(Test->getDebugLoc());
  llvm::Value *Inside = Build.CreateICmpULT(
      Build.CreateLoad(Type, Count), llvm::ConstantInt::get(Type, R.Depth));
  Build.CreateCondBr(Build.CreateAnd(Goes, Inside), R.Rest, Over);
  for (llvm::BasicBlock *B : R.Filled)
    B->getTerminator()->replaceSuccessorWith(R.Rest, Again);
  // The next tile.
  Build.SetInsertPoint(Over);
  Build.CreateStore(Build.CreateAdd(Build.CreateLoad(Type, First),
                                    llvm::ConstantInt::get(Type, R.Depth)),
                    K);
  Build.CreateBr(Header);
  // The next iteration.
  Build.SetInsertPoint(Latch->getTerminator());
  Build.CreateStore(Build.CreateAdd(Build.CreateLoad(Type, Count),
                                    llvm::ConstantInt::get(Type, 1), "",
                                    /*HasNUW=*/true, /*HasNSW=*/true),
                    Count);
  Latch->getTerminator()->replaceSuccessorWith(Header, Again);
  // The first iteration of a tile always fills it.
  Build.SetInsertPoint(R.Asks->getTerminator());
  Build.CreateStore(Build.CreateLoad(Type, K), First);
  Build.CreateStore(llvm::ConstantInt::get(Type, 0), Count);
  Build.CreateBr(R.Fill);
  R.Asks->getTerminator()->eraseFromParent();
  llvm::DominatorTree Tree(In);
  llvm::PromoteMemToReg(Kept, Tree);
}

bool nestFlatLoop(const llvm::LoopInfo &Loops,
                  const llvm::DominatorTree &Tree) {
  for (llvm::Loop *L : Loops.getLoopsInPreorder())
    if (auto Flat = asFlatLoop(*L, Tree)) {
      nest(*Flat);
      return true;
    }
  return false;
}

} // namespace warpwright
