//===-- Chevrons.h - How `<<<` and `>>>` are written ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc takes `kernel << <grid, block >> > (args)` for a launch: its `<<<` is
/// `<<` and `<`, with white space between them or none, and its `>>>` likewise.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SOURCE_CHEVRONS_H
#define WARPWRIGHT_SOURCE_CHEVRONS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warpwright {

/// The length of the `<<<` (with `>` as \p Bracket, of the `>>>`) with which \p
/// Text begins, and 0 if it begins otherwise.
size_t measureChevrons(llvm::StringRef Text, char Bracket);

/// The first place at or behind \p From where \p Text has a `<<<` that may
/// begin a launch.
size_t findChevrons(llvm::StringRef Text, size_t From = 0);

/// The comment in a redirected launch that holds the `<<<` and the `>>>` of
/// the configuration that stood there, as they were written.
std::string chevronsComment(llvm::StringRef Open, llvm::StringRef Close);

/// Such a comment in a text.
struct ChevronsComment {
  size_t Begin = 0, End = 0;
  llvm::StringRef Open, Close;
};

/// The first such comment in \p Text.
std::optional<ChevronsComment> findChevronsComment(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_SOURCE_CHEVRONS_H
