//===-- Inline.h - Which calls stay calls -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_INLINE_H
#define WARPWRIGHT_LIB_IR_INLINE_H

#include "warpwright/IR/FunctionInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace warpwright {

/// Puts the bodies of called functions in the place of their calls, callees
/// first, so that references, objects and lambdas become plain values. What
/// stays a call:
///  - functions of the table of known functions;
///  - functions of the user that compute a number from numbers and touch
///    nothing else, since an epilogue is printed in their names;
///  - recursion, calls through unknown pointers, functions without a body.
class Inliner {
public:
  using InfoOf =
      llvm::function_ref<const FunctionInfo *(const llvm::Function &)>;
  /// \p Simplify runs the fixed pipeline on a function.
  Inliner(InfoOf Info, llvm::function_ref<void(llvm::Function &)> Simplify)
      : Info(Info), Simplify(Simplify) {}

  void run(llvm::Function &F);

  /// Whether calls of the function stay calls because of what it computes.
  bool isKept(llvm::Function &F);
  /// The results of that test so far.
  bool wasKept(llvm::Function &F) const { return Kept.lookup(&F); }

private:
  bool isPure(llvm::Function &F);
  bool mayInline(llvm::CallBase &Call);

  InfoOf Info;
  llvm::function_ref<void(llvm::Function &)> Simplify;
  llvm::SmallPtrSet<llvm::Function *, 16> Done, Active;
  llvm::DenseMap<llvm::Function *, bool> Kept;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_INLINE_H
