//===-- Breaks.cpp - Loops that are left in their middle ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The edge of a `break` is made to lead to the end of the iteration. There a
/// new phi says whether it was taken, and the loop's own test ends the loop if
/// so. What the code after the loop reads of a variable at the `break` is what
/// the variable is handed on as; what nobody reads after it is poison there.
///
//===----------------------------------------------------------------------===//

#include "Breaks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

namespace warpwright {

namespace {
struct BrokenLoop {
  llvm::Loop *L;
  llvm::BranchInst *Test; ///< at the head or at the end of an iteration
  llvm::BasicBlock *After;
  llvm::SmallVector<llvm::BranchInst *, 2> Breaks;
  /// For variables of the loop, what a break hands on.
  std::map<std::pair<llvm::PHINode *, llvm::BasicBlock *>, llvm::Value *> Left;
  bool testsFirst() const { return Test->getParent() == L->getHeader(); }
};
} // namespace

/// Whether \p L may be one that goes on to an iteration that does nothing
/// instead of being left: it hands on nothing but numbers that count, and does
/// nothing before \p Break. The lift knows what that is (EarlyExit.cpp).
static bool doesNothingBefore(const llvm::Loop &L,
                              const llvm::BranchInst &Break,
                              const llvm::BasicBlock &After) {
  if (!After.phis().empty() ||
      llvm::any_of(L.getHeader()->phis(), [](const llvm::PHINode &P) {
        return !P.getType()->isIntegerTy() && !P.getType()->isPointerTy();
      }))
    return false;
  for (const llvm::BasicBlock *B = Break.getParent(); B;
       B = B->getSinglePredecessor()) {
    for (const llvm::Instruction &I : *B)
      if (I.mayWriteToMemory() &&
          (!llvm::isa<llvm::CallBase>(I) || I.getType()->isVoidTy()))
        return false;
    if (B == L.getHeader())
      return true;
  }
  return false;
}

static std::optional<BrokenLoop> asBroken(llvm::Loop &L,
                                          const llvm::LoopInfo &Loops) {
  llvm::BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  if (!L.getLoopPreheader() || !Latch)
    return std::nullopt;
  llvm::SmallVector<llvm::Loop::Edge, 4> All, Exits;
  L.getExitEdges(All);
  for (const auto &E : All)
    if (!llvm::isa<llvm::UnreachableInst>(E.second->getTerminator()))
      Exits.push_back(E);
  if (Exits.size() < 2)
    return std::nullopt;
  // A header that is executed once more must not mind what it reads.
  const bool Pure = llvm::all_of(*Header, [](const llvm::Instruction &I) {
    return I.isTerminator() || llvm::isa<llvm::PHINode>(I) ||
           (!I.mayReadOrWriteMemory() &&
            llvm::isSafeToSpeculativelyExecute(&I));
  });
  auto Main = llvm::find_if(Exits, [&](const llvm::Loop::Edge &E) {
    return Pure && E.first == Header;
  });
  if (Main == Exits.end())
    Main = llvm::find_if(
        Exits, [&](const llvm::Loop::Edge &E) { return E.first == Latch; });
  if (Main == Exits.end())
    return std::nullopt;
  BrokenLoop R;
  R.L = &L;
  R.Test = llvm::dyn_cast<llvm::BranchInst>(Main->first->getTerminator());
  R.After = const_cast<llvm::BasicBlock *>(Main->second);
  if (!R.Test || Header == Latch)
    return std::nullopt;
  for (const auto &E : Exits) {
    if (&E == &*Main)
      continue;
    auto *Break = llvm::dyn_cast<llvm::BranchInst>(E.first->getTerminator());
    if (!Break || E.second != R.After || Loops.getLoopFor(E.first) != &L)
      return std::nullopt;
    R.Breaks.push_back(const_cast<llvm::BranchInst *>(Break));
  }
  if (llvm::any_of(R.Breaks, [&](llvm::BranchInst *Break) {
        return doesNothingBefore(L, *Break, *R.After);
      }))
    return std::nullopt;
  if (!R.testsFirst())
    return R;
  for (llvm::PHINode &P : R.After->phis()) {
    llvm::Value *Last = P.getIncomingValueForBlock(Header);
    auto *Of = llvm::dyn_cast<llvm::PHINode>(Last);
    for (llvm::BranchInst *Break : R.Breaks) {
      llvm::BasicBlock *From = Break->getParent();
      llvm::Value *V = P.getIncomingValueForBlock(From);
      if (V == Last && !llvm::isa<llvm::Instruction>(V))
        continue;
      if (!Of || Of->getParent() != Header)
        return std::nullopt;
      auto Known = R.Left.try_emplace({Of, From}, V);
      if (Known.first->second != V)
        return std::nullopt;
    }
  }
  return R;
}

/// Lets the breaks of \p R lead to \p To, a block that leads nowhere else.
static void redirect(BrokenLoop &R, llvm::BasicBlock *To) {
  for (llvm::BranchInst *Break : R.Breaks) {
    R.After->removePredecessor(Break->getParent(), /*KeepOneInputPHIs=*/true);
    Break->replaceSuccessorWith(R.After, To);
  }
}

/// A phi in \p In that is \p Last at the end of \p From, and otherwise what
/// \p Left gives.
static llvm::PHINode *
handOn(const BrokenLoop &R, llvm::BasicBlock *In, llvm::BasicBlock *From,
       llvm::Value *Last, const llvm::Twine &Name,
       llvm::function_ref<llvm::Value *(llvm::BasicBlock *)> Left) {
  auto *P = llvm::PHINode::Create(Last->getType(), R.Breaks.size() + 1, Name);
  P->insertInto(In, In->getFirstNonPHIIt());
  P->addIncoming(Last, From);
  for (llvm::BranchInst *Break : R.Breaks) {
    llvm::Value *V = Left(Break->getParent());
    P->addIncoming(V ? V : llvm::PoisonValue::get(Last->getType()),
                   Break->getParent());
  }
  return P;
}

/// Lets the test of \p R end the loop where \p Left, too.
static void alsoEndsIf(BrokenLoop &R, llvm::Value *Left) {
  llvm::IRBuilder<> Build(R.Test);
  Build.SetCurrentDebugLocation(R.Breaks.front()->getDebugLoc());
  llvm::Value *Test = R.Test->getCondition();
  R.Test->setCondition(
      R.Test->getSuccessor(0) == R.After
          ? Build.CreateLogicalOr(Left, Test)
          : Build.CreateLogicalAnd(Build.CreateNot(Left), Test));
}

static void joinFirst(BrokenLoop &R) {
  llvm::BasicBlock *Header = R.L->getHeader(), *Latch = R.L->getLoopLatch(),
                   *Before = R.L->getLoopPreheader();
  llvm::LLVMContext &Context = Header->getContext();
  // A break that is the last statement.
  if (llvm::is_contained(R.Breaks, Latch->getTerminator()))
    Latch = llvm::SplitEdge(Latch, Header);
  auto *End = llvm::BasicBlock::Create(Context, "left.end", Header->getParent(),
                                       Header);
  Latch->getTerminator()->replaceSuccessorWith(Header, End);
  auto *Back = llvm::BranchInst::Create(Header, End);
  Back->setDebugLoc(Latch->getTerminator()->getDebugLoc());
  Back->setMetadata(
      llvm::LLVMContext::MD_loop,
      Latch->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop));
  Latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  for (llvm::PHINode &P : Header->phis()) {
    llvm::Value *Next = P.getIncomingValueForBlock(Latch);
    llvm::PHINode *All =
        handOn(R, End, Latch, Next, P.getName() + ".next",
               [&](llvm::BasicBlock *From) -> llvm::Value * {
                 auto V = R.Left.find({&P, From});
                 return V == R.Left.end() ? nullptr : V->second;
               });
    P.setIncomingValueForBlock(Latch, All);
    P.replaceIncomingBlockWith(Latch, End);
  }
  auto *Left = llvm::PHINode::Create(llvm::Type::getInt1Ty(Context), 2, "left");
  Left->insertInto(Header, Header->getFirstNonPHIIt());
  Left->addIncoming(llvm::ConstantInt::getFalse(Context), Before);
  Left->addIncoming(handOn(R, End, Latch, llvm::ConstantInt::getFalse(Context),
                           "left.next",
                           [&](llvm::BasicBlock *) {
                             return llvm::ConstantInt::getTrue(Context);
                           }),
                    End);
  redirect(R, End);
  alsoEndsIf(R, Left);
}

static void joinLast(BrokenLoop &R) {
  llvm::BasicBlock *Header = R.L->getHeader(), *Latch = R.L->getLoopLatch();
  llvm::LLVMContext &Context = Header->getContext();
  llvm::BasicBlock *End = llvm::SplitBlock(
      Latch, R.Test, static_cast<llvm::DominatorTree *>(nullptr));
  End->setName("left.end");
  auto HandOn = [&](llvm::Value *Last, llvm::Value *OfBreak) {
    return handOn(R, End, Latch, Last, Last->getName() + ".next",
                  [&](llvm::BasicBlock *) { return OfBreak; });
  };
  std::map<llvm::Value *, llvm::PHINode *> Ends;
  for (llvm::PHINode &P : R.After->phis()) {
    llvm::Value *Last = P.getIncomingValueForBlock(End);
    llvm::PHINode *All = handOn(R, End, Latch, Last, P.getName() + ".next",
                                [&](llvm::BasicBlock *From) {
                                  return P.getIncomingValueForBlock(From);
                                });
    P.setIncomingValueForBlock(End, All);
    Ends.try_emplace(Last, All);
  }
  for (llvm::PHINode &P : Header->phis()) {
    llvm::Value *Next = P.getIncomingValueForBlock(End);
    auto Known = Ends.find(Next);
    P.setIncomingValueForBlock(
        End, Known != Ends.end() ? Known->second : HandOn(Next, nullptr));
  }
  if (auto *Test = llvm::dyn_cast<llvm::Instruction>(R.Test->getCondition()))
    R.Test->setCondition(HandOn(Test, nullptr));
  llvm::PHINode *Left = HandOn(llvm::ConstantInt::getFalse(Context),
                               llvm::ConstantInt::getTrue(Context));
  Left->setName("left");
  redirect(R, End);
  alsoEndsIf(R, Left);
}

bool joinBreaks(const llvm::LoopInfo &Loops) {
  for (llvm::Loop *L : Loops.getLoopsInPreorder())
    if (auto Broken = asBroken(*L, Loops)) {
      if (Broken->testsFirst())
        joinFirst(*Broken);
      else
        joinLast(*Broken);
      return true;
    }
  return false;
}

} // namespace warpwright
