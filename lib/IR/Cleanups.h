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

/// Lets every way out of a scope lead straight to where it goes. Clang leads
/// `break`, `continue` and `return` through one block that ends the lives of
/// the scope's variables, with a number that says where to go on; where nothing
/// is left in that block, who comes with a number goes there.
void threadCleanups(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_CLEANUPS_H
