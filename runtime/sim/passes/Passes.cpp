//===- Passes.cpp - What Clang does to simulated programs -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plugin of the Clang that compiles simulated programs. Most of them run for
// less time than an optimizer takes, and would run for very long without one:
// every access to memory is a call then, that of each local variable too, and
// the functions of the runtime, all of them inlined, make kernels that are long
// even for a code generator that does nothing about it. So Clang is told not to
// optimize, and this keeps variables out of memory, before functions are
// inlined and after; and it fuses multiplications with additions, which code
// generators do only when they optimize.
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Fuses what Clang allows to be fused: in device code that is every sum with a
/// product. Which of two products it is, and that a product which has another
/// use stays as it is, is LLVM's rule for this machine (DAGCombiner.cpp,
/// visitFADDForFMACombine and visitFSUBForFMACombine), so that all compilers of
/// simulated programs give the same results.
class FuseProducts : public PassInfoMixin<FuseProducts> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    // Elsewhere a fused operation would be a call.
    if (!F.getFnAttribute("target-features")
             .getValueAsString()
             .contains("+fma"))
      return PreservedAnalyses::all();
    bool Changed = false;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      Changed |= fuse(I);
    if (!Changed)
      return PreservedAnalyses::all();
    PreservedAnalyses Kept;
    Kept.preserveSet<CFGAnalyses>();
    return Kept;
  }

  static bool isRequired() { return true; }

private:
  /// One side of a sum.
  struct Term {
    Value *V;
    bool IsNegative;
  };

  /// The product that \p T is, if it may become part of \p Sum.
  static Instruction *getProduct(const Term &T, const Instruction &Sum) {
    auto *Product = dyn_cast<Instruction>(T.V);
    if (Product && Product->getOpcode() == Instruction::FMul &&
        Product->hasAllowContract() && Product->hasOneUse() &&
        Product->getParent() == Sum.getParent())
      return Product;
    return nullptr;
  }

  /// \p V without a sign that may become part of \p Sum.
  static Term getTerm(Value *V, bool IsNegative) {
    Value *Positive;
    if (match(V, m_OneUse(m_FNeg(m_Value(Positive)))))
      return {Positive, !IsNegative};
    return {V, IsNegative};
  }

  static bool fuse(Instruction &Sum) {
    const bool IsDifference = Sum.getOpcode() == Instruction::FSub;
    Type *Scalar = Sum.getType()->getScalarType();
    if ((!IsDifference && Sum.getOpcode() != Instruction::FAdd) ||
        !Sum.hasAllowContract() ||
        !(Scalar->isFloatTy() || Scalar->isDoubleTy()))
      return false;
    Term Terms[] = {getTerm(Sum.getOperand(0), false),
                    getTerm(Sum.getOperand(1), IsDifference)};
    Instruction *Products[] = {getProduct(Terms[0], Sum),
                               getProduct(Terms[1], Sum)};
    const int Fused = Products[0] ? 0 : 1;
    if (!Products[Fused])
      return false;
    IRBuilder<> Builder(&Sum);
    auto Write = [&](Value *V, bool IsNegative) {
      return IsNegative ? Builder.CreateFNeg(V) : V;
    };
    Instruction *Product = Products[Fused];
    const Term &Other = Terms[1 - Fused];
    Value *Result = Builder.CreateIntrinsic(
        Intrinsic::fma, {Sum.getType()},
        {Write(Product->getOperand(0), Terms[Fused].IsNegative),
         Product->getOperand(1), Write(Other.V, Other.IsNegative)});
    Sum.replaceAllUsesWith(Result);
    // What only the sum has used: signs and the product.
    Value *Operands[] = {Sum.getOperand(0), Sum.getOperand(1)};
    Sum.eraseFromParent();
    for (Value *Operand : Operands)
      if (auto *I = dyn_cast<Instruction>(Operand);
          I && I->use_empty() && I->getOpcode() == Instruction::FNeg)
        I->eraseFromParent();
    Product->eraseFromParent();
    return true;
  }
};

} // namespace

/// Keeps variables in registers, and computes what is computed twice once.
static void addSimplification(FunctionPassManager &Passes) {
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
}

static void registerPasses(PassBuilder &Builder) {
  Builder.registerPipelineStartEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel) {
        FunctionPassManager Inner;
        addSimplification(Inner);
        Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Inner)));
      });
  // After functions that are always inlined are, and before accesses to memory
  // get their hooks.
  Builder.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
        FunctionPassManager Inner;
        addSimplification(Inner);
        Inner.addPass(FuseProducts());
        Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Inner)));
      });
}

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "WarpwrightSimPasses", "1", registerPasses};
}
