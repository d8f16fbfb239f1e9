//===-- FlatLoops.h - Loops over k that fill tiles now and then -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_FLATLOOPS_H
#define WARPWRIGHT_LIB_IR_FLATLOOPS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace warpwright {

/// Makes two loops of one that fills a tile where the next one begins:
///
///     for (k = 0; k < n; ++k) {
///       if (k % 16 == 0)
///         fill(k);
///       ...
///     }
///
/// becomes
///
///     for (t = 0; t < n; t += 16) {
///       fill(t);
///       for (k = t, i = 0; k < n && i < 16; ++k, ++i)
///         ...
///     }
///
/// which executes the same in the same order as long as t + 16 does not leave
/// its type. Only where all threads come together in what fills the tile. Loops
/// have to be in the form of loop-simplify and lcssa; afterwards they have to
/// be brought into it again. False if there is no such loop.
bool nestFlatLoop(const llvm::LoopInfo &Loops, const llvm::DominatorTree &Tree);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_FLATLOOPS_H
