//===-- Barriers.h - Barriers in inline assembly ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_BARRIERS_H
#define WARPWRIGHT_LIB_IR_BARRIERS_H

#include "llvm/IR/Function.h"

namespace warpwright {

/// Replaces inline assembly in \p F that consists of one `bar.sync` or
/// `barrier.sync`, or of one `mov` from a special register that numbers threads
/// or blocks, by the intrinsic of that instruction.
void nameBarriers(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_BARRIERS_H
