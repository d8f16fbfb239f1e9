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

/// \p Text in a form that Clang can parse, with every character at its old
/// position: braces around an argument of `<<<...>>>` become parentheses, and
/// empty braces a 0. Such arguments do not have the values of the original, but
/// the positions and declarations to which they refer are the same. Nothing if
/// the text has no such braces.
std::optional<std::string> withoutBracedLaunches(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_BRACEDLAUNCHES_H
