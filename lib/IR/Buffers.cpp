//===-- Buffers.cpp - Arrays that pointers exchange -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace warpwright {

static constexpr unsigned SharedSpace = 3;

using Arrays = llvm::SmallSetVector<llvm::GlobalVariable *, 4>;

/// The shared arrays to which \p V may point, as far as that is seen.
static Arrays sharedArrays(llvm::Value *V) {
  Arrays Found;
  llvm::SmallPtrSet<llvm::Value *, 16> Seen;
  llvm::SmallVector<llvm::Value *, 16> Work = {V};
  while (!Work.empty()) {
    llvm::Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    if (auto *G = llvm::dyn_cast<llvm::GlobalVariable>(X)) {
      if (G->getAddressSpace() == SharedSpace && !G->isDeclaration())
        Found.insert(G);
    } else if (auto *Phi = llvm::dyn_cast<llvm::PHINode>(X)) {
      Work.append(Phi->op_begin(), Phi->op_end());
    } else if (auto *Choice = llvm::dyn_cast<llvm::SelectInst>(X)) {
      Work.push_back(Choice->getTrueValue());
      Work.push_back(Choice->getFalseValue());
    } else if (auto *Offset = llvm::dyn_cast<llvm::GEPOperator>(X)) {
      Work.push_back(Offset->getPointerOperand());
    } else if (auto *Cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(X)) {
      Work.push_back(Cast->getPointerOperand());
    }
  }
  return Found;
}

/// One array in place of \p Parts, which have the same type.
static llvm::GlobalVariable *
join(llvm::ArrayRef<llvm::GlobalVariable *> Parts) {
  llvm::GlobalVariable &First = *Parts.front();
  auto *Type = llvm::ArrayType::get(First.getValueType(), Parts.size());
  auto *Whole = new llvm::GlobalVariable(
      *First.getParent(), Type, /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(Type),
      First.getName() + ".buffers", /*InsertBefore=*/nullptr,
      First.getThreadLocalMode(), SharedSpace);
  llvm::MaybeAlign Alignment;
  for (llvm::GlobalVariable *Part : Parts)
    if (auto A = Part->getAlign(); A && (!Alignment || *A > *Alignment))
      Alignment = A;
  Whole->setAlignment(Alignment);
  llvm::Type *Int = llvm::Type::getInt64Ty(First.getContext());
  for (auto [N, Part] : llvm::enumerate(Parts)) {
    llvm::Constant *Indices[] = {llvm::ConstantInt::get(Int, 0),
                                 llvm::ConstantInt::get(Int, N)};
    Part->replaceAllUsesWith(
        llvm::ConstantExpr::getInBoundsGetElementPtr(Type, Whole, Indices));
  }
  return Whole;
}

/// Whether \p I may be another pointer in each iteration of a loop: it is the
/// phi of a loop's header, or chosen by a condition that the loop changes.
static bool takesTurns(const llvm::Instruction &I,
                       const llvm::LoopInfo &Loops) {
  const llvm::Loop *L = Loops.getLoopFor(I.getParent());
  if (!L || !I.getType()->isPointerTy())
    return false;
  if (auto *Choice = llvm::dyn_cast<llvm::SelectInst>(&I))
    return !L->isLoopInvariant(Choice->getCondition());
  auto *Phi = llvm::dyn_cast<llvm::PHINode>(&I);
  if (!Phi)
    return false;
  if (Phi->getParent() == L->getHeader())
    return true;
  return llvm::any_of(Phi->blocks(), [&](const llvm::BasicBlock *From) {
    auto *Branch = llvm::dyn_cast<llvm::BranchInst>(From->getTerminator());
    const llvm::BasicBlock *Before = From->getSinglePredecessor();
    if (Branch && Branch->isUnconditional() && Before)
      Branch = llvm::dyn_cast<llvm::BranchInst>(Before->getTerminator());
    return Branch && Branch->isConditional() &&
           !L->isLoopInvariant(Branch->getCondition());
  });
}

/// The shared arrays of which a local array of pointers has the addresses.
static Arrays inTable(llvm::AllocaInst &Table) {
  Arrays Found;
  if (!Table.getAllocatedType()->isArrayTy())
    return Found;
  auto TakeStored = [&](llvm::User *By) {
    auto *Store = llvm::dyn_cast<llvm::StoreInst>(By);
    if (Store && Store->getValueOperand()->getType()->isPointerTy())
      Found.insert_range(sharedArrays(Store->getValueOperand()));
  };
  for (llvm::User *U : Table.users()) {
    if (auto *Copy = llvm::dyn_cast<llvm::MemCpyInst>(U)) {
      // The addresses of arrays are constants.
      auto *From = llvm::dyn_cast<llvm::GlobalVariable>(
          Copy->getRawSource()->stripPointerCasts());
      if (From && From->isConstant() && From->hasDefinitiveInitializer())
        for (llvm::Value *Element : From->getInitializer()->operands())
          Found.insert_range(sharedArrays(Element));
    } else if (llvm::isa<llvm::GEPOperator>(U)) {
      llvm::for_each(U->users(), TakeStored);
    } else {
      TakeStored(U);
    }
  }
  return Found;
}

void joinBuffers(
    llvm::Function &F, const llvm::LoopInfo &Loops,
    llvm::function_ref<void(llvm::GlobalVariable &, llvm::GlobalVariable &)>
        Replaced) {
  for (llvm::Instruction &I : llvm::instructions(F)) {
    Arrays Parts;
    if (takesTurns(I, Loops))
      Parts = sharedArrays(&I);
    else if (auto *Table = llvm::dyn_cast<llvm::AllocaInst>(&I))
      Parts = inTable(*Table);
    if (Parts.size() < 2 ||
        !llvm::all_equal(llvm::map_range(
            Parts, [](llvm::GlobalVariable *G) { return G->getValueType(); })))
      continue;
    auto InOrder = Parts.takeVector();
    llvm::sort(InOrder, [](const auto *A, const auto *B) {
      return A->getName() < B->getName();
    });
    llvm::GlobalVariable *Whole = join(InOrder);
    for (llvm::GlobalVariable *Part : InOrder) {
      Replaced(*Part, *Whole);
      Part->eraseFromParent();
    }
  }
}

} // namespace warpwright
