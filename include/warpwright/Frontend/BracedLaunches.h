//===-- BracedLaunches.h - Braces between <<< and >>> -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc reads `kernel<<<{1, 2}, {3}>>>()`, and Clang does not.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_BRACEDLAUNCHES_H
#define WARPWRIGHT_FRONTEND_BRACEDLAUNCHES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warpwright {

/// \p Text as Clang can parse it, with every character where it was: braces
/// around an argument of `<<<...>>>` are parentheses, and empty ones a 0. The
/// values of such arguments are others than the text's, but what an argument
/// refers to, and where, is as it was. Nothing if there are none.
std::optional<std::string> withoutBracedLaunches(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_BRACEDLAUNCHES_H
