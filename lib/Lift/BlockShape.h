//===-- BlockShape.h - The blocks that a kernel is written for --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_BLOCKSHAPE_H
#define WARPWRIGHT_LIB_LIFT_BLOCKSHAPE_H

#include "warpwright/Contraction/Contraction.h"
#include <vector>

namespace warpwright::symbolic {

/// If the requirements about the shape of the block allow only one shape, they
/// are replaced by `blockDim.x == 16` and so on. Two requirements that bound a
/// number from both sides become an equality. False if no block meets all of
/// them.
bool settleBlockShape(std::vector<Requirement> &Requires);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_BLOCKSHAPE_H
