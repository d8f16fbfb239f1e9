//===-- Invariant.cpp - What loops compute anew each time -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop over shared memory reads threadIdx and computes the address of its
/// row in each iteration: a third of its instructions. Those whose operands do
/// not change in a loop are executed before it. Only instructions qualify that
/// have a value, or poison, for all operands and do nothing else, so that it
/// makes no difference whether the loop would have come to them.
///
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace warpwright {
namespace execute {

static bool isScalar(const llvm::Type *T) {
  return T->isPointerTy() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
}

/// Whether it can be executed at any time, and decoding it does not fail.
bool Decoder::isMovable(const llvm::Instruction &In) const {
  if (!isScalar(In.getType()))
    return false;
  if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&In))
    return isSpecialRegister(*Call);
  switch (In.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
  case llvm::Instruction::ICmp:
  case llvm::Instruction::Select:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::GetElementPtr:
    break;
  default:
    return false;
  }
  return llvm::all_of(In.operand_values(), [&](const llvm::Value *V) {
    return isScalar(V->getType()) &&
           (!llvm::isa<llvm::Constant>(V) || Values.count(V) ||
            (llvm::isa<llvm::GetElementPtrInst>(In) &&
             llvm::isa<llvm::ConstantInt>(V)));
  });
}

void Decoder::findInvariants(llvm::ArrayRef<const llvm::BasicBlock *> Order) {
  llvm::DominatorTree Dominators(const_cast<llvm::Function &>(F));
  const llvm::LoopInfo Loops(Dominators);
  if (Loops.empty())
    return;
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> Places;
  auto IsInside = [&](const llvm::Loop &L, const llvm::Value *V) {
    auto *In = llvm::dyn_cast<llvm::Instruction>(V);
    if (!In)
      return false;
    auto It = Places.find(In);
    return L.contains(It == Places.end() ? In->getParent() : It->second);
  };
  for (const llvm::BasicBlock *B : Order)
    for (const llvm::Instruction &In : *B) {
      const llvm::BasicBlock *To = nullptr;
      for (const llvm::Loop *L = Loops.getLoopFor(B); L;
           L = L->getParentLoop()) {
        const llvm::BasicBlock *Before = L->getLoopPredecessor();
        if (!Before || (!To && !isMovable(In)) ||
            llvm::any_of(In.operand_values(),
                         [&](const llvm::Value *V) { return IsInside(*L, V); }))
          break;
        To = Before;
      }
      if (!To)
        continue;
      Places[&In] = To;
      Moved.insert(&In);
      MovedTo[To].push_back(&In);
    }
}

} // namespace execute
} // namespace warpwright
