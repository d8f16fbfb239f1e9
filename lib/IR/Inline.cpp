//===-- Inline.cpp - Which calls stay calls -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inline.h"
#include "warpwright/IR/KnownFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace warpwright {

/// A limit on the size; calls beyond it remain calls, which the lift then
/// declines.
static constexpr unsigned MaxInstructions = 20000;

bool Inliner::mayInline(CallBase &Call) {
  Function *F = Call.getCalledFunction();
  // A weak function may be replaced by another one when the program is linked.
  if (!F || F->isDeclaration() || F->isIntrinsic() || Active.count(F) ||
      F->hasWeakAnyLinkage() || F->hasLinkOnceAnyLinkage() ||
      F->getFunctionType() != Call.getFunctionType())
    return false;
  if (const FunctionInfo *I = Info(*F); I && knownFunction(*I))
    return false;
  return !isKept(*F);
}

void Inliner::run(Function &F) {
  if (F.isDeclaration() || !Done.insert(&F).second)
    return;
  Active.insert(&F);
  Simplify(F);
  // When a body is inserted, it may become known which function a pointer
  // calls.
  for (unsigned Round = 0; Round < 8; ++Round) {
    SmallVector<CallBase *, 16> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (Function *Callee = Call->getCalledFunction();
            Callee && !Active.count(Callee)) {
          const FunctionInfo *Known = Info(*Callee);
          if (!Known || !knownFunction(*Known))
            run(*Callee);
        }
        if (mayInline(*Call))
          Calls.push_back(Call);
      }
    bool Changed = false;
    for (CallBase *Call : Calls) {
      if (F.getInstructionCount() > MaxInstructions)
        break;
      InlineFunctionInfo Into;
      Changed |= InlineFunction(*Call, Into).isSuccess();
    }
    if (!Changed)
      break;
    Simplify(F);
  }
  Active.erase(&F);
}

bool Inliner::isKept(Function &F) {
  auto It = Kept.find(&F);
  if (It != Kept.end())
    return It->second;
  Kept[&F] = false; // a function that calls itself
  const FunctionInfo *I = Info(F);
  bool Result = I && !F.hasWeakAnyLinkage() && !F.hasLinkOnceAnyLinkage() &&
                !I->Header && I->Callable && !I->HasThis && !I->Variadic &&
                !I->Params.empty() && I->Result.isScalar() &&
                isFloating(I->Result.Element) &&
                all_of(I->Params, [I](const TypeInfo &P) {
                  if (I->Overloaded && !P.Spelled)
                    return false; // it would call another function
                  return P.isScalar() || (P.Reference && P.ConstReferent &&
                                          P.K == TypeInfo::Kind::Scalar);
                });
  if (Result) {
    run(F);
    Result = isPure(F);
  }
  return Kept[&F] = Result;
}

/// The result depends only on the numbers that are passed; the function writes
/// nothing that outlives the call and reads nothing else.
bool Inliner::isPure(Function &F) {
  auto OwnMemory = [](const llvm::Value *Pointer) {
    return isa<AllocaInst>(getUnderlyingObject(Pointer));
  };
  auto Readable = [&](const llvm::Value *Pointer) {
    const llvm::Value *Object = getUnderlyingObject(Pointer);
    if (const auto *G = dyn_cast<GlobalVariable>(Object))
      return G->isConstant() && G->hasDefinitiveInitializer();
    // An object that is passed by value, or a number that a const reference
    // refers to.
    return isa<AllocaInst>(Object) || isa<llvm::Argument>(Object);
  };
  for (Instruction &I : instructions(F)) {
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      if (!L->isSimple() || !Readable(L->getPointerOperand()))
        return false;
      continue;
    }
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      if (!S->isSimple() || !OwnMemory(S->getPointerOperand()) ||
          S->getValueOperand()->getType()->isPointerTy())
        return false;
      continue;
    }
    if (auto *M = dyn_cast<MemTransferInst>(&I)) {
      if (M->isVolatile() || !OwnMemory(M->getDest()) ||
          !Readable(M->getSource()))
        return false;
      continue;
    }
    if (auto *M = dyn_cast<MemSetInst>(&I)) {
      if (M->isVolatile() || !OwnMemory(M->getDest()))
        return false;
      continue;
    }
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call) {
      if (I.mayReadOrWriteMemory())
        return false;
      continue;
    }
    Function *Callee = Call->getCalledFunction();
    if (!Callee)
      return false;
    if (Callee->isIntrinsic()) {
      if (Callee->doesNotAccessMemory() || isa<LifetimeIntrinsic>(Call) ||
          isa<DbgInfoIntrinsic>(Call) || isa<AssumeInst>(Call))
        continue;
      return false;
    }
    const FunctionInfo *Known = Info(*Callee);
    auto Op = Known ? knownFunction(*Known) : std::nullopt;
    if (!Op) {
      if (Active.count(Callee) || !isKept(*Callee))
        return false;
      continue;
    }
    switch (*Op) {
    case KnownOp::Load:
    case KnownOp::Store:
    case KnownOp::Barrier:
    case KnownOp::BarrierVote:
    case KnownOp::Fence:
    case KnownOp::CopyAsync:
    case KnownOp::CopyCommit:
    case KnownOp::CopyWait:
    case KnownOp::SharedBarrier:
    case KnownOp::Pipeline:
    case KnownOp::Atomic:
    case KnownOp::Exchange:
    case KnownOp::Effect:
    case KnownOp::Assertion:
    case KnownOp::SpecialX:
    case KnownOp::SpecialY:
    case KnownOp::SpecialZ:
      return false;
    default:
      // These functions write, if at all, only through the object that they are
      // given.
      for (llvm::Value *Argument : Call->args())
        if (Argument->getType()->isPointerTy() && !Readable(Argument))
          return false;
      break;
    }
  }
  return true;
}

} // namespace warpwright
