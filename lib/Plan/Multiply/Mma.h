//===- Mma.h - The instruction of doubles -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_MULTIPLY_MMA_H
#define WARPWRIGHT_LIB_PLAN_MULTIPLY_MMA_H

#include "warpwright/Layout/Mma.h"

namespace warpwright {

/// mma.sync.m16n8k16 of doubles, with the layouts of its fragments.
MmaAtom mmaOfDoubles();

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_MULTIPLY_MMA_H
