//===-- KnownBranches.h - Branches that are already decided -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_KNOWNBRANCHES_H
#define WARPWRIGHT_LIB_IR_KNOWNBRANCHES_H

#include "llvm/IR/Dominators.h"

namespace warpwright {

/// Makes a branch unconditional if it tests a condition that an earlier branch
/// has decided. Where a loop ends with `if (more) fill(); } while (more);`,
/// simplifycfg lets the first test leave the loop, and this one removes the
/// second, so that the loop has one exit.
void settleBranches(llvm::Function &F, llvm::DominatorTree &Dominators);

/// Replaces a variable that keeps its first value: one that starts as a
/// constant and that every iteration either leaves alone or sets back to that
/// constant (`partial = 0` after the partial sum was stored).
void foldUnchanged(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_KNOWNBRANCHES_H
