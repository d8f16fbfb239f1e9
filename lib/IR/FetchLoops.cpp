//===-- FetchLoops.cpp - Loops that keep a pipeline full ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Let g(f, t) be the condition of the inner loop, `f < n && f < t + 3`, and t0
/// the first t.
///
/// What the inner loop does while g(f, t0 - 1) holds can be done before the
/// outer loop: g(f, t0 - 1) implies g(f, t0), the inner loop comes first in the
/// outer one, and the outer loop runs if there is an f that fulfils it. The
/// variables of the inner loop then begin with what they have at its end.
///
/// After that the inner loop runs at most once. When it is reached, g(f, t - 1)
/// does not hold: it did not when the loop ended an iteration earlier, or
/// before the outer loop. After one iteration of it, g(f + 1, t) would imply
/// g(f, t - 1).
///
/// Both need that f and t count up by one from numbers that are not negative,
/// without leaving their type. They do not where that would be undefined (nsw,
/// nuw), and in 64 bits nothing counts that far.
///
//===----------------------------------------------------------------------===//

#include "FetchLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace match = llvm::PatternMatch;

namespace warpwright {

namespace {

/// A comparison `f < Bound` of the inner loop's condition.
struct Below {
  llvm::ICmpInst *Test;
  const llvm::APInt *Room; ///< Bound is t plus that; null: it does not change
};

struct FetchLoop {
  llvm::Loop *Outer, *Inner;
  llvm::PHINode *T, *F; ///< of the headers
  std::vector<Below> Tests;
};

} // namespace

/// Whether \p Phi, in the header of \p L, counts up by one, from a number that
/// is not negative if \p From.
static bool countsUp(const llvm::PHINode &Phi, const llvm::Loop &L, bool From) {
  const auto *Next = llvm::dyn_cast<llvm::BinaryOperator>(
      Phi.getIncomingValueForBlock(L.getLoopLatch()));
  const auto *Start = llvm::dyn_cast<llvm::ConstantInt>(
      Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  return Phi.getType()->isIntegerTy() && Next &&
         match::match(
             Next, match::m_c_Add(match::m_Specific(&Phi), match::m_One())) &&
         (Next->hasNoSignedWrap() || Phi.getType()->isIntegerTy(64)) &&
         (!From || (Start && !Start->isNegative()));
}

/// \p V without extensions, which change no number that is not negative.
static llvm::Value *withoutCasts(llvm::Value *V) {
  while (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(V))
    V = llvm::cast<llvm::CastInst>(V)->getOperand(0);
  return V;
}

/// Adds the comparisons of which \p Condition is the conjunction.
static bool findTests(llvm::Value *Condition, FetchLoop &L) {
  llvm::Value *A, *B;
  if (match::match(Condition,
                   match::m_LogicalAnd(match::m_Value(A), match::m_Value(B))))
    return findTests(A, L) && findTests(B, L);
  auto *Test = llvm::dyn_cast<llvm::ICmpInst>(Condition);
  if (!Test || withoutCasts(Test->getOperand(0)) != L.F ||
      (Test->getPredicate() != llvm::CmpInst::ICMP_SLT &&
       Test->getPredicate() != llvm::CmpInst::ICMP_ULT))
    return false;
  llvm::Value *Bound = Test->getOperand(1);
  const llvm::APInt *Room = nullptr;
  llvm::Value *Of;
  bool Moved = false;
  if (L.Outer->makeLoopInvariant(Bound, Moved)) {
    L.Tests.push_back({Test, nullptr});
    return true;
  }
  // t + 3, which does not leave its type; neither does t + 2.
  auto *Add = llvm::dyn_cast<llvm::BinaryOperator>(withoutCasts(Bound));
  if (!Add ||
      !match::match(Add,
                    match::m_c_Add(match::m_Value(Of), match::m_APInt(Room))) ||
      withoutCasts(Of) != L.T || Room->ugt(1 << 20) || Room->isZero() ||
      (!Add->hasNoSignedWrap() && !Add->getType()->isIntegerTy(64)))
    return false;
  L.Tests.push_back({Test, Room});
  return true;
}

/// Whether \p Block does nothing but compute what its end needs.
static bool isPure(const llvm::BasicBlock &Block) {
  return llvm::all_of(Block, [](const llvm::Instruction &I) {
    return I.isTerminator() || llvm::isa<llvm::PHINode>(I) ||
           (!I.mayReadOrWriteMemory() && !I.mayHaveSideEffects() &&
            !llvm::isa<llvm::CallBase>(I));
  });
}

static std::optional<FetchLoop> asFetchLoop(llvm::Loop &Inner) {
  llvm::Loop *Outer = Inner.getParentLoop();
  llvm::BasicBlock *Header = Inner.getHeader(),
                   *Before = Inner.getLoopPreheader();
  if (!Outer || !Outer->getLoopPreheader() || !Outer->getLoopLatch() ||
      !Before || !Inner.getLoopLatch() || Inner.getExitingBlock() != Header ||
      !isPure(*Header) || !isPure(*Before) || !isPure(*Outer->getHeader()))
    return std::nullopt;
  FetchLoop L = {Outer, &Inner, nullptr, nullptr, {}};
  // The inner loop comes first.
  llvm::BasicBlock *Top = Outer->getHeader();
  auto *Enters = llvm::dyn_cast<llvm::BranchInst>(Top->getTerminator());
  auto *Tests = llvm::dyn_cast<llvm::BranchInst>(Header->getTerminator());
  if (Before->getSinglePredecessor() != Top || !Enters ||
      !Enters->isConditional() || Enters->getSuccessor(0) != Before ||
      Outer->contains(Enters->getSuccessor(1)) || !Tests ||
      !Tests->isConditional() || !Inner.contains(Tests->getSuccessor(0)))
    return std::nullopt;
  // It goes on with its variables where it ended.
  for (llvm::PHINode &P : Header->phis()) {
    auto *Start =
        llvm::dyn_cast<llvm::PHINode>(P.getIncomingValueForBlock(Before));
    if (!Start || Start->getParent() != Top || !Start->hasOneUse())
      return std::nullopt;
  }
  // What leaves it are its variables, or what it does not change.
  bool Moved = false;
  llvm::BasicBlock *After = Tests->getSuccessor(1);
  if (After->getSinglePredecessor() != Header)
    return std::nullopt;
  for (llvm::PHINode &P : After->phis()) {
    auto *Of = llvm::dyn_cast<llvm::PHINode>(P.getIncomingValue(0));
    if (!(Of && Of->getParent() == Header) &&
        !Inner.makeLoopInvariant(P.getIncomingValue(0), Moved))
      return std::nullopt;
  }
  // Of the outer loop it uses only variables, whose first values are known
  // before, and what the block before it computes.
  for (llvm::BasicBlock *B : Inner.blocks())
    for (llvm::Instruction &I : *B)
      for (llvm::Value *Used : I.operands())
        if (auto *Other = llvm::dyn_cast<llvm::Instruction>(Used);
            Other && Outer->contains(Other) && !Inner.contains(Other) &&
            Other->getParent() != Before &&
            !(llvm::isa<llvm::PHINode>(Other) && Other->getParent() == Top) &&
            !Outer->makeLoopInvariant(Other, Moved))
          return std::nullopt;
  // The outer loop counts: t < n.
  auto *Runs = llvm::dyn_cast<llvm::ICmpInst>(Enters->getCondition());
  L.T = Runs ? llvm::dyn_cast<llvm::PHINode>(Runs->getOperand(0)) : nullptr;
  if (!L.T || L.T->getParent() != Top || !countsUp(*L.T, *Outer, true))
    return std::nullopt;
  // And so does the inner one, from where it ended.
  for (llvm::PHINode &P : Header->phis()) {
    auto *Start = llvm::cast<llvm::PHINode>(P.getIncomingValueForBlock(Before));
    auto *First = llvm::dyn_cast<llvm::ConstantInt>(
        Start->getIncomingValueForBlock(Outer->getLoopPreheader()));
    auto *Ends = llvm::dyn_cast<llvm::PHINode>(
        Start->getIncomingValueForBlock(Outer->getLoopLatch()));
    L.F = &P;
    L.Tests.clear();
    if (!First || First->isNegative() || !Ends || Ends->getParent() != After ||
        Ends->getIncomingValue(0) != &P || !countsUp(P, Inner, false) ||
        !findTests(Tests->getCondition(), L) ||
        llvm::none_of(L.Tests, [](const Below &B) { return B.Room; }))
      continue;
    // If there is an f to begin with, the outer loop runs: t0 <= f0 <= f < n.
    auto *T0 = llvm::cast<llvm::ConstantInt>(
        L.T->getIncomingValueForBlock(Outer->getLoopPreheader()));
    if (First->getType() == T0->getType() &&
        First->getValue().uge(T0->getValue()) &&
        llvm::any_of(L.Tests, [&](Below &B) {
          return B.Test->getPredicate() == Runs->getPredicate() &&
                 B.Test->getOperand(0) == L.F &&
                 B.Test->getOperand(1) == Runs->getOperand(1);
        }))
      return L;
  }
  return std::nullopt;
}

/// Executes the inner loop before the outer one, as far as there is room before
/// its first iteration.
static void fillBefore(FetchLoop &L) {
  llvm::BasicBlock *Top = L.Outer->getHeader(),
                   *Start = L.Outer->getLoopPreheader(),
                   *Header = L.Inner->getHeader(),
                   *Before = L.Inner->getLoopPreheader(),
                   *After = L.Inner->getExitBlock();
  llvm::Function &In = *Top->getParent();
  llvm::BasicBlock *Filled = llvm::BasicBlock::Create(
      In.getContext(), Header->getName() + ".filled", &In, Top);
  llvm::BranchInst::Create(Top, Filled);
  llvm::ValueToValueMapTy Map;
  for (llvm::PHINode &P : Top->phis())
    Map[&P] = P.getIncomingValueForBlock(Start);
  Map[After] = Filled;
  llvm::SmallVector<llvm::BasicBlock *, 8> Blocks(L.Inner->blocks()), Copies;
  Blocks.insert(Blocks.begin(), Before);
  for (llvm::BasicBlock *B : Blocks) {
    llvm::BasicBlock *Copy = llvm::CloneBasicBlock(B, Map, ".fill", &In);
    Copy->moveBefore(Filled);
    Map[B] = Copy;
    Copies.push_back(Copy);
  }
  llvm::remapInstructionsInBlocks(Copies, Map);
  auto *First = llvm::cast<llvm::BasicBlock>(Map[Header]);
  Start->getTerminator()->replaceSuccessorWith(
      Top, llvm::cast<llvm::BasicBlock>(Map[Before]));
  // With t0 - 1 in place of t0.
  auto *Branch = llvm::cast<llvm::BranchInst>(First->getTerminator());
  llvm::IRBuilder<> Build(Branch);
  const llvm::APInt T0 = llvm::cast<llvm::ConstantInt>(Map[L.T])->getValue();
  llvm::Value *Condition = nullptr;
  for (const Below &B : L.Tests) {
    auto *Test = llvm::cast<llvm::ICmpInst>(Map[B.Test]);
    llvm::Value *Bound = Test->getOperand(1);
    if (B.Room) {
      const unsigned Bits = Bound->getType()->getIntegerBitWidth();
      Bound = llvm::ConstantInt::get(Bound->getType(),
                                     T0.zextOrTrunc(Bits) +
                                         B.Room->zextOrTrunc(Bits) - 1);
    }
    llvm::Value *Now =
        Build.CreateICmp(Test->getPredicate(), Test->getOperand(0), Bound);
    Condition = Condition ? Build.CreateLogicalAnd(Condition, Now) : Now;
  }
  llvm::Value *Copied = Branch->getCondition();
  Branch->setCondition(Condition);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(Copied);
  for (llvm::PHINode &P : Header->phis())
    llvm::cast<llvm::PHINode>(P.getIncomingValueForBlock(Before))
        ->setIncomingValueForBlock(Start, Map[&P]);
  Top->replacePhiUsesWith(Start, Filled);
}

/// The inner loop runs at most once.
static void runOnce(FetchLoop &L) {
  llvm::BasicBlock *Header = L.Inner->getHeader(),
                   *Latch = L.Inner->getLoopLatch(),
                   *Before = L.Inner->getLoopPreheader(),
                   *After = L.Inner->getExitBlock();
  for (llvm::PHINode &P : After->phis()) {
    llvm::Value *Last = P.getIncomingValueForBlock(Header);
    if (auto *Of = llvm::dyn_cast<llvm::PHINode>(Last);
        Of && Of->getParent() == Header)
      Last = Of->getIncomingValueForBlock(Latch);
    P.addIncoming(Last, Latch);
  }
  Latch->getTerminator()->replaceSuccessorWith(Header, After);
  Latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  for (llvm::PHINode &P : llvm::make_early_inc_range(Header->phis())) {
    P.replaceAllUsesWith(P.getIncomingValueForBlock(Before));
    P.eraseFromParent();
  }
}

bool separateFetchLoop(const llvm::LoopInfo &Loops) {
  for (llvm::Loop *L : Loops.getLoopsInPreorder())
    if (auto Fetch = asFetchLoop(*L)) {
      fillBefore(*Fetch);
      runOnce(*Fetch);
      return true;
    }
  return false;
}

} // namespace warpwright
