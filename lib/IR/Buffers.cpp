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
#include "llvm/IR/Instructions.h"
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

void joinBuffers(
    llvm::Function &F, const llvm::LoopInfo &Loops,
    llvm::function_ref<void(llvm::GlobalVariable &, llvm::GlobalVariable &)>
        Replaced) {
  for (llvm::BasicBlock &B : F) {
    if (!Loops.isLoopHeader(&B))
      continue;
    for (llvm::PHINode &Phi : B.phis()) {
      if (!Phi.getType()->isPointerTy())
        continue;
      Arrays Parts = sharedArrays(&Phi);
      if (Parts.size() < 2 ||
          !llvm::all_equal(llvm::map_range(Parts, [](llvm::GlobalVariable *G) {
            return G->getValueType();
          })))
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
}

} // namespace warpwright
