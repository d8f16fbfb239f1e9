//===-- Registers.cpp - Vectors kept as integers --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace warpwright {

void accessVectors(llvm::Function &F) {
  std::vector<llvm::BitCastInst *> Casts;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (auto *Cast = llvm::dyn_cast<llvm::BitCastInst>(&I))
      Casts.push_back(Cast);
  for (llvm::BitCastInst *Cast : Casts) {
    llvm::Type *From = Cast->getSrcTy(), *To = Cast->getDestTy();
    if (From->isIntegerTy() && To->isVectorTy()) {
      auto *Load = llvm::dyn_cast<llvm::LoadInst>(Cast->getOperand(0));
      if (!Load || !Load->isSimple())
        continue;
      llvm::IRBuilder<> Builder(Load);
      auto *Vector = Builder.CreateAlignedLoad(To, Load->getPointerOperand(),
                                               Load->getAlign());
      Vector->setDebugLoc(Load->getDebugLoc());
      Cast->replaceAllUsesWith(Vector);
      Cast->eraseFromParent();
      if (Load->use_empty())
        Load->eraseFromParent();
    } else if (From->isVectorTy() && To->isIntegerTy()) {
      llvm::Value *Vector = Cast->getOperand(0);
      for (llvm::User *U : llvm::make_early_inc_range(Cast->users())) {
        auto *Store = llvm::dyn_cast<llvm::StoreInst>(U);
        if (Store && Store->isSimple() && Store->getValueOperand() == Cast)
          Store->setOperand(0, Vector);
      }
      if (Cast->use_empty())
        Cast->eraseFromParent();
    }
  }
}

} // namespace warpwright
