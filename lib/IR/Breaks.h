//===-- Breaks.h - Loops that are left in their middle ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_BREAKS_H
#define WARPWRIGHT_LIB_IR_BREAKS_H

#include "llvm/Analysis/LoopInfo.h"

namespace warpwright {

/// Makes loops that a `break` leaves behind stores have one exit:
///
///     for (k = 0; k < n; k += 16) {
///       multiply(k);
///       if (k + 16 >= n)
///         break;
///       fetch(k + 16);
///     }
///
/// becomes
///
///     left = false;
///     for (k = 0; !left && k < n; k += 16) {
///       multiply(k);
///       left = k + 16 >= n;
///       if (!left)
///         fetch(k + 16);
///     }
///
/// which executes the same in the same order. Loops have to be in the form of
/// loop-simplify and lcssa, and are afterwards. False if there is no such loop.
bool joinBreaks(const llvm::LoopInfo &Loops);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_BREAKS_H
