//===-- FetchLoops.h - Loops that keep a pipeline full ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_FETCHLOOPS_H
#define WARPWRIGHT_LIB_IR_FETCHLOOPS_H

#include "llvm/Analysis/LoopInfo.h"

namespace warpwright {

/// Takes apart a loop that fetches as many tiles as there is room for:
///
///     for (t = 0, f = 0; t < n; ++t) {
///       for (; f < n && f < t + 3; ++f)
///         fetch(f);
///       ...
///     }
///
/// becomes
///
///     for (f = 0; f < n && f < 2; ++f)
///       fetch(f);
///     for (t = 0; t < n; ++t) {
///       if (f < n && f < t + 3) {
///         fetch(f);
///         ++f;
///       }
///       ...
///     }
///
/// which executes the same in the same order. Loops have to be in the form of
/// loop-simplify and lcssa; afterwards they have to be brought into it again.
/// False if there is no such loop.
bool separateFetchLoop(const llvm::LoopInfo &Loops);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_FETCHLOOPS_H
