//===-- Guard.h - Work that may crash or never end --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads and rewrites sources in a process of its own, with limits on its time
/// and memory, so that a mistake in the tool, or in the Clang that it is built
/// on, is a message and never the end of somebody's build.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_GUARD_H
#define WARPWRIGHT_TOOLS_GUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace warpwright {

/// What one source may take.
struct GuardOptions {
  unsigned Seconds = 120;                ///< of processor time
  uint64_t Bytes = uint64_t(4096) << 20; ///< of memory
  /// For tests: crash, overflow, hang, sleep, memory or abort, in place of the
  /// work.
  std::string Failure;
};

/// True if \p Arg is an option of the guard, `--time-limit=` or
/// `--simulate-failure=`, which is taken over into \p Options; an error if its
/// value is of no use.
llvm::Expected<bool> takeGuardOption(llvm::StringRef Arg,
                                     GuardOptions &Options);

/// Runs \p Work in a child process and returns its result, from 0 to 255, or
/// nothing if it did not come to an end; \p Why says then what it did:
/// "crashed (Segmentation fault)". What the child prints, and writes to files,
/// is there; what it changes in memory is not.
std::optional<int> runGuarded(const GuardOptions &Options,
                              llvm::function_ref<int()> Work, std::string &Why);

/// Runs \p Work on 0, 1, ... \p Count - 1, each in a child process with the
/// limits of \p Options, \p Jobs of them at a time. \p Done gets each number
/// with what Work returned there, in the order in which they end; or nothing
/// and why, as runGuarded says it. Processes, and not threads: what one file
/// does to Clang cannot reach another, and one that never ends can be ended.
void runGuardedPool(
    const GuardOptions &Options, unsigned Jobs, size_t Count,
    llvm::function_ref<std::string(size_t)> Work,
    llvm::function_ref<void(size_t, std::optional<std::string>, std::string)>
        Done);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_GUARD_H
