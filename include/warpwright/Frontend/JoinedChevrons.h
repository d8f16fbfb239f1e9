//===-- JoinedChevrons.h - White space inside of <<< and >>> ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc reads `kernel << <1, 2 >> > ()`, and Clang does not.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_JOINEDCHEVRONS_H
#define WARPWRIGHT_FRONTEND_JOINEDCHEVRONS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warpwright {

/// \p Text in a form that Clang can parse, with every other character at its
/// old position: in the `<< <` and the `>> >` of a launch the white space comes
/// last (`<<< `). Nothing if the text has no such launch.
///
/// Such a `<<` is certain to begin a launch. What comes before it can be
/// called and is not `operator`, and no operand begins with the `<` behind it.
/// That a `>> >` behind it closes template arguments does no harm, because
/// Clang splits a `>>>` there.
std::optional<std::string> withJoinedChevrons(llvm::StringRef Text);

/// \p Text in a form that Clang can parse, with positions of tokens as they
/// are: with joined chevrons, and without braces in them (BracedLaunches.h).
/// Nothing if that is how it is written.
std::optional<std::string> respellLaunches(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_JOINEDCHEVRONS_H
