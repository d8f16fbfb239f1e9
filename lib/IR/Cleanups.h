//===-- Cleanups.h - Ways out of a scope ------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_CLEANUPS_H
#define WARPWRIGHT_LIB_IR_CLEANUPS_H

#include "llvm/IR/Function.h"

namespace warpwright {

/// Makes every exit of a scope branch directly to its destination. Clang leads
/// `break`, `continue` and `return` through one block that ends the lifetimes
/// of the scope's variables, and passes a number that selects where to
/// continue. If that block does nothing else, the branch with each number is
/// redirected. If the number is already a selection, the test of it becomes a
/// test of the selection's condition.
void threadCleanups(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_CLEANUPS_H
