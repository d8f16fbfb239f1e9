//===-- WgmmaWidths.h - Which functions of wgmma.cuh are needed -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of wgmma.cuh, some for each number of columns, are more text
/// than everything else of a program. Those that no plan calls are left out; a
/// call of one that is left out does not compile.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_WGMMAWIDTHS_H
#define WARPWRIGHT_LIB_SIMULATE_WGMMAWIDTHS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace clang {
class PPCallbacks;
class SourceManager;
} // namespace clang

namespace warpwright {

/// Numbers of columns, a bit for each eight.
using WgmmaWidths = uint64_t;

/// The file that the line marker \p Line, `# 12 "file" 1 3 4`, names.
std::optional<llvm::StringRef> readMarker(llvm::StringRef Line);

/// The columns of instructions that plans in \p Text may have: multiples of
/// their tiles' extents, as an instruction computes some sums of all columns
/// (plan.cuh). All of them if the text, but for our own headers, has any other
/// use of the names of extents, or of wgmma. The text has line markers; those
/// of files below \p SimInclude are of our own, as are those of the runtime.
WgmmaWidths findWidths(llvm::StringRef Text, llvm::StringRef SimInclude);

/// Leaves out of wgmma.cuh, when it is included, all but \p Widths. Lines keep
/// their numbers.
std::unique_ptr<clang::PPCallbacks> dropOtherWidths(clang::SourceManager &SM,
                                                    WgmmaWidths Widths);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_WGMMAWIDTHS_H
