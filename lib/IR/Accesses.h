//===-- Accesses.h - Loads and stores in inline assembly --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_ACCESSES_H
#define WARPWRIGHT_LIB_IR_ACCESSES_H

#include "llvm/IR/Function.h"

namespace warpwright {

/// Replaces inline assembly in \p F that consists of `ld` and `st`, also under
/// a predicate, by loads and stores. All of a statement is understood, or it
/// stays as it is.
void nameAccesses(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_ACCESSES_H
