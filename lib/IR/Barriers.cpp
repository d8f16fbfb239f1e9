//===-- Barriers.cpp - Barriers in inline assembly ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Source: the PTX ISA, "Parallel Synchronization and Communication
/// Instructions: bar, barrier". `bar.sync` is `barrier.sync.aligned`; without a
/// number of threads all threads of the block take part.
///
//===----------------------------------------------------------------------===//

#include "Barriers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace warpwright {

/// Whether the instruction is aligned; nothing if it is no such barrier.
static std::optional<bool> isAligned(llvm::StringRef Word) {
  return llvm::StringSwitch<std::optional<bool>>(Word)
      .Cases({"bar.sync", "bar.cta.sync", "barrier.sync.aligned",
              "barrier.cta.sync.aligned"},
             true)
      .Cases({"barrier.sync", "barrier.cta.sync"}, false)
      .Default(std::nullopt);
}

/// The value of an operand: `1`, or `$0` for the first argument.
static llvm::Value *operandOf(const llvm::CallBase &Call,
                              llvm::StringRef Text) {
  llvm::Type *Int = llvm::Type::getInt32Ty(Call.getContext());
  const bool IsArgument = Text.consume_front("$");
  uint32_t Number;
  if (Text.getAsInteger(IsArgument ? 10 : 0, Number))
    return nullptr;
  if (!IsArgument)
    return llvm::ConstantInt::get(Int, Number);
  llvm::Value *V =
      Number < Call.arg_size() ? Call.getArgOperand(Number) : nullptr;
  return V && V->getType() == Int ? V : nullptr;
}

static void nameBarrier(llvm::CallBase &Call) {
  const auto *Asm = llvm::cast<llvm::InlineAsm>(Call.getCalledOperand());
  if (!Call.getType()->isVoidTy())
    return;
  llvm::StringRef Text = llvm::StringRef(Asm->getAsmString()).trim("{} \t\r\n");
  Text.consume_back(";");
  Text = Text.trim();
  const size_t Space = Text.find_first_of(" \t");
  const auto Aligned = isAligned(Text.take_front(Space));
  if (!Aligned || Space == llvm::StringRef::npos)
    return;
  llvm::SmallVector<llvm::StringRef, 2> Operands;
  Text.drop_front(Space).split(Operands, ',');
  if (Operands.size() > 2)
    return;
  llvm::SmallVector<llvm::Value *, 2> Values;
  for (llvm::StringRef Operand : Operands) {
    llvm::Value *V = operandOf(Call, Operand.trim());
    if (!V)
      return;
    Values.push_back(V);
  }
  namespace I = llvm::Intrinsic;
  const I::ID All = *Aligned ? I::nvvm_barrier_cta_sync_aligned_all
                             : I::nvvm_barrier_cta_sync_all,
              Count = *Aligned ? I::nvvm_barrier_cta_sync_aligned_count
                               : I::nvvm_barrier_cta_sync_count;
  llvm::IRBuilder<> Builder(&Call);
  llvm::CallInst *Barrier = Builder.CreateIntrinsic(
      Builder.getVoidTy(), Values.size() == 1 ? All : Count, Values);
  Barrier->setDebugLoc(Call.getDebugLoc());
  Call.eraseFromParent();
}

void nameBarriers(llvm::Function &F) {
  std::vector<llvm::CallBase *> Statements;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
        Call && Call->isInlineAsm())
      Statements.push_back(Call);
  for (llvm::CallBase *Call : Statements)
    nameBarrier(*Call);
}

} // namespace warpwright
