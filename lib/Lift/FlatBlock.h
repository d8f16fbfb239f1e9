//===-- FlatBlock.h - Blocks of which the shape does not matter -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_FLATBLOCK_H
#define WARPWRIGHT_LIB_LIFT_FLATBLOCK_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/IR/KernelModule.h"

namespace warpwright::symbolic {

/// If \p Kernel uses of a thread's place in its block only its number,
/// `threadIdx.y * blockDim.x + threadIdx.x`, and of the block's shape only the
/// number of threads: how many dimensions the two are over, 2 or 3. Otherwise
/// 0, also if the number is that of a block of one dimension.
unsigned flatDimensions(const KernelModule &Module,
                        const llvm::Function &Kernel);

/// Makes of \p C, which was derived for blocks of one row, that of blocks of
/// any shape in the first \p Dimensions dimensions: blockDim.x becomes the
/// number of threads.
void allowAnyShape(Contraction &C, unsigned Dimensions);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_FLATBLOCK_H
