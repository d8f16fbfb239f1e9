//===-- Registers.cpp - Vectors kept as integers --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

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

/// The `and` instructions of \p F with a constant mask, in order.
static std::vector<llvm::BinaryOperator *> masksOf(llvm::Function &F) {
  std::vector<llvm::BinaryOperator *> Masks;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (I.getOpcode() == llvm::Instruction::And &&
        llvm::isa<llvm::ConstantInt>(I.getOperand(1)))
      Masks.push_back(llvm::cast<llvm::BinaryOperator>(&I));
  return Masks;
}

void foldInserts(llvm::Function &F, llvm::DemandedBits &Demanded) {
  // What a register held before all its parts were set: nobody asks for it.
  std::vector<llvm::BinaryOperator *> Unused;
  for (llvm::BinaryOperator *Mask : masksOf(F))
    if (!llvm::isa<llvm::Constant>(Mask->getOperand(0)) &&
        Demanded.isUseDead(&Mask->getOperandUse(0)))
      Unused.push_back(Mask);
  if (Unused.empty())
    return;
  for (llvm::BinaryOperator *Mask : Unused) {
    Mask->replaceAllUsesWith(llvm::Constant::getNullValue(Mask->getType()));
    Mask->eraseFromParent();
  }
  // A part beside zeros is the part, and it fits its mask.
  for (llvm::Instruction &I :
       llvm::make_early_inc_range(llvm::instructions(F))) {
    if (I.getOpcode() != llvm::Instruction::Or)
      continue;
    for (unsigned N : {0, 1}) {
      const auto *Zero = llvm::dyn_cast<llvm::ConstantInt>(I.getOperand(N));
      if (!Zero || !Zero->isZero())
        continue;
      I.replaceAllUsesWith(I.getOperand(1 - N));
      I.eraseFromParent();
      break;
    }
  }
  for (llvm::BinaryOperator *Mask : masksOf(F)) {
    const llvm::APInt &Kept =
        llvm::cast<llvm::ConstantInt>(Mask->getOperand(1))->getValue();
    if (!llvm::MaskedValueIsZero(Mask->getOperand(0), ~Kept,
                                 F.getParent()->getDataLayout()))
      continue;
    Mask->replaceAllUsesWith(Mask->getOperand(0));
    Mask->eraseFromParent();
  }
}

} // namespace warpwright
