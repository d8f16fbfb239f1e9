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
/// and memory. So a mistake in the tool, or in the Clang with which it is
/// built, leads to a message and never breaks somebody's build.
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

class Arguments; ///< Arguments.h

/// The limits for one source.
struct GuardOptions {
  unsigned Seconds = 120;                ///< of processor time
  uint64_t Bytes = uint64_t(4096) << 20; ///< of memory
  /// For tests: crash, overflow, hang, sleep, memory or abort, in place of the
  /// work.
  std::string Failure;
};

/// Stores the options of the guard, `--time-limit=` and `--simulate-failure=`,
/// in \p Options; an error if a value is not valid.
llvm::Error readGuardOptions(const Arguments &Given, GuardOptions &Options);

/// Runs \p Work in a child process and returns its result, from 0 to 255.
/// Nothing if it did not end normally; \p Why then says how it ended: "crashed
/// (Segmentation fault)". What the child prints, and writes to files, remains;
/// its changes of memory do not.
std::optional<int> runGuarded(const GuardOptions &Options,
                              llvm::function_ref<int()> Work, std::string &Why);

/// Runs \p Work on 0, 1, ... \p Count - 1, each in a child process with the
/// limits of \p Options, \p Jobs of them at a time. \p Done receives each
/// number with the result of Work, in the order in which the processes end; or
/// no result and the reason, as in runGuarded. These are processes and not
/// threads, so that one file's effect on Clang cannot reach another file, and
/// one that never ends can be killed.
void runGuardedPool(
    const GuardOptions &Options, unsigned Jobs, size_t Count,
    llvm::function_ref<std::string(size_t)> Work,
    llvm::function_ref<void(size_t, std::optional<std::string>, std::string)>
        Done);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_GUARD_H
