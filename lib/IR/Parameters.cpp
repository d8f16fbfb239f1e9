//===-- Parameters.cpp - Parameters that a kernel changes -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace warpwright {

/// Whether what \p Address points to is only read.
static bool isOnlyRead(const llvm::Value &Address) {
  return llvm::all_of(Address.uses(), [](const llvm::Use &U) {
    const llvm::User *Of = U.getUser();
    if (llvm::isa<llvm::LoadInst>(Of))
      return true;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(Of))
      return isOnlyRead(*Of);
    const auto *Copy = llvm::dyn_cast<llvm::MemTransferInst>(Of);
    return Copy && &Copy->getRawSourceUse() == &U;
  });
}

void copyChangedParameters(llvm::Function &F) {
  const llvm::DataLayout &Layout = F.getParent()->getDataLayout();
  llvm::BasicBlock &Entry = F.getEntryBlock();
  for (llvm::Argument &A : F.args()) {
    llvm::Type *T = A.getParamByValType();
    if (!T || isOnlyRead(A))
      continue;
    llvm::IRBuilder<> Builder(&Entry, Entry.begin());
    const llvm::Align Alignment = A.getParamAlign().valueOrOne();
    llvm::AllocaInst *Variable =
        Builder.CreateAlloca(T, nullptr, A.getName() + ".changed");
    Variable->setAlignment(Alignment);
    llvm::Value *Address = Variable;
    if (Variable->getType() != A.getType())
      Address = Builder.CreateAddrSpaceCast(Variable, A.getType());
    A.replaceAllUsesWith(Address);
    Builder.CreateMemCpy(Address, Alignment, &A, Alignment,
                         Layout.getTypeAllocSize(T).getFixedValue());
  }
}

} // namespace warpwright
