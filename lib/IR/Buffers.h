//===-- Buffers.h - Arrays that pointers exchange ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_BUFFERS_H
#define WARPWRIGHT_LIB_IR_BUFFERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GlobalVariable.h"

namespace warpwright {

/// Makes shared arrays of equal type one array if a pointer that loops of
/// \p F pass on may point to either of them: `swap(now, next)`; if a condition
/// of a loop chooses between them: `t & 1 ? As1 : As0`; or if a local array has
/// their addresses. Nothing depends on where shared arrays are. \p Replaced is
/// told of each array and of the one that contains it.
void joinBuffers(llvm::Function &F, const llvm::LoopInfo &Loops,
                 llvm::function_ref<void(llvm::GlobalVariable &Old,
                                         llvm::GlobalVariable &New)>
                     Replaced);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_BUFFERS_H
