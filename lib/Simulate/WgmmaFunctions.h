//===-- WgmmaFunctions.h - Which of wgmma.cuh are needed --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of wgmma.cuh, some for each number of columns and each pair of
/// types, are more text than everything else of a program. Those that no plan
/// calls are left out; a call of one that is left out does not compile.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_WGMMAFUNCTIONS_H
#define WARPWRIGHT_LIB_SIMULATE_WGMMAFUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace clang {
class PPCallbacks;
class SourceManager;
} // namespace clang

namespace warpwright {

/// Which functions of wgmma.cuh are needed.
struct WgmmaFunctions {
  /// Numbers of columns, a bit for each eight.
  uint64_t Widths = 0;
  /// C++ types of elements, as the type table spells them; those of any type if
  /// there is none. fp16 is needed in any case: it stands for other elements.
  std::set<std::string> Elements;
  bool HalfSums = false; ///< sums that are halves

  static WgmmaFunctions all();
  bool contain(const WgmmaFunctions &Other) const;
};

/// The file that the line marker \p Line, `# 12 "file" 1 3 4`, names.
std::optional<llvm::StringRef> readMarker(llvm::StringRef Line);

/// What plans in \p Text may call: instructions with multiples of their tiles'
/// extents as columns, as an instruction computes some sums of all columns
/// (plan.cuh), of the elements that they name. All of them if the text, but for
/// our own headers, has any other use of these names, or of wgmma. The text has
/// line markers; those of files below \p SimInclude are of our own, as are
/// those of the runtime.
WgmmaFunctions findWgmmaFunctions(llvm::StringRef Text,
                                  llvm::StringRef SimInclude);

/// Leaves out of wgmma.cuh, when it is included, all but what is \p Needed.
/// Lines keep their numbers.
std::unique_ptr<clang::PPCallbacks>
dropOtherWgmmas(clang::SourceManager &SM, const WgmmaFunctions &Needed);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_WGMMAFUNCTIONS_H
