//===-- Parameters.h - Parameters that a kernel changes ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_PARAMETERS_H
#define WARPWRIGHT_LIB_IR_PARAMETERS_H

#include "llvm/IR/Function.h"

namespace warpwright {

/// Gives \p F a variable for each structure that it is passed by value and may
/// change, as in `p.A += blockIdx.z * p.stride`: the variable is set to the
/// argument at the start and stands for it everywhere else. What is left of an
/// argument are reads of what the launch passed. A structure counts as changed
/// if its address goes anywhere but to loads and copies from it.
void copyChangedParameters(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_PARAMETERS_H
