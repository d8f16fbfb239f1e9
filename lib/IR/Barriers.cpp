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

#include "llvm/ADT/SetVector.h"
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

/// The intrinsic that gives what the statement \p Text moves to its result;
/// 0 if it is something else.
static llvm::Intrinsic::ID registerOf(llvm::StringRef Text) {
  namespace I = llvm::Intrinsic;
  Text = Text.trim("{} \t\r\n");
  Text.consume_back(";");
  const auto [Word, Rest] = Text.trim().split(' ');
  llvm::SmallVector<llvm::StringRef, 2> Operands;
  Rest.split(Operands, ',');
  if (Operands[0].trim() != "$0")
    return I::not_intrinsic;
  if (Word == "activemask.b32")
    return Operands.size() == 1 ? I::nvvm_activemask : I::not_intrinsic;
  if ((Word != "mov.u32" && Word != "mov.b32" && Word != "mov.s32") ||
      Operands.size() != 2)
    return I::not_intrinsic;
  return llvm::StringSwitch<I::ID>(Operands[1].trim())
      .Case("%laneid", I::nvvm_read_ptx_sreg_laneid)
      .Case("%tid.x", I::nvvm_read_ptx_sreg_tid_x)
      .Case("%tid.y", I::nvvm_read_ptx_sreg_tid_y)
      .Case("%tid.z", I::nvvm_read_ptx_sreg_tid_z)
      .Case("%ntid.x", I::nvvm_read_ptx_sreg_ntid_x)
      .Case("%ntid.y", I::nvvm_read_ptx_sreg_ntid_y)
      .Case("%ntid.z", I::nvvm_read_ptx_sreg_ntid_z)
      .Case("%ctaid.x", I::nvvm_read_ptx_sreg_ctaid_x)
      .Case("%ctaid.y", I::nvvm_read_ptx_sreg_ctaid_y)
      .Case("%ctaid.z", I::nvvm_read_ptx_sreg_ctaid_z)
      .Case("%nctaid.x", I::nvvm_read_ptx_sreg_nctaid_x)
      .Case("%nctaid.y", I::nvvm_read_ptx_sreg_nctaid_y)
      .Case("%nctaid.z", I::nvvm_read_ptx_sreg_nctaid_z)
      .Default(I::not_intrinsic);
}

static bool nameRegister(llvm::CallBase &Call) {
  const auto *Asm = llvm::cast<llvm::InlineAsm>(Call.getCalledOperand());
  if (!Call.getType()->isIntegerTy(32) || Call.arg_size() != 0)
    return false;
  const llvm::Intrinsic::ID ID = registerOf(Asm->getAsmString());
  if (ID == llvm::Intrinsic::not_intrinsic)
    return false;
  llvm::IRBuilder<> Builder(&Call);
  llvm::CallInst *Value = Builder.CreateIntrinsic(Call.getType(), ID, {});
  Value->setDebugLoc(Call.getDebugLoc());
  Call.replaceAllUsesWith(Value);
  Call.eraseFromParent();
  return true;
}

/// Erases a statement without effects whose result nobody needs, such as the
/// one by which cooperative groups find memory of their own, with what is
/// computed from the result.
static void eraseUnused(llvm::CallBase &Call) {
  if (llvm::cast<llvm::InlineAsm>(Call.getCalledOperand())->hasSideEffects() ||
      llvm::cast<llvm::InlineAsm>(Call.getCalledOperand())
              ->getConstraintString()
              .find("~{memory}") != std::string::npos)
    return;
  llvm::SetVector<llvm::Instruction *> Users;
  Users.insert(&Call);
  for (size_t N = 0; N < Users.size(); ++N)
    for (llvm::User *U : Users[N]->users()) {
      auto *I = llvm::dyn_cast<llvm::Instruction>(U);
      if (!I || I->mayHaveSideEffects() || I->isTerminator())
        return;
      Users.insert(I);
    }
  for (llvm::Instruction *I : Users)
    I->dropAllReferences();
  for (llvm::Instruction *I : Users)
    I->eraseFromParent();
}

void nameBarriers(llvm::Function &F) {
  std::vector<llvm::CallBase *> Statements;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
        Call && Call->isInlineAsm())
      Statements.push_back(Call);
  for (llvm::CallBase *Call : Statements)
    if (Call->getType()->isVoidTy())
      nameBarrier(*Call);
    else if (!nameRegister(*Call))
      eraseUnused(*Call);
}

} // namespace warpwright
