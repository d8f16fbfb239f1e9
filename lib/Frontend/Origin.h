//===-- Origin.h - What a generated section was made from -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A section's first line records the tool's version and a hash of everything
/// from which the kernel was lifted. If they differ from those of the current
/// file, the section is stale.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_ORIGIN_H
#define WARPWRIGHT_LIB_FRONTEND_ORIGIN_H

#include "warpwright/Frontend/Region.h"
#include "llvm/ADT/StringRef.h"

namespace warpwright {

/// A piece of a file that Warpwright wrote: from its `// >>> warpwright:` line
/// through its `// <<< warpwright:` line and the #line after it.
struct GeneratedBlock {
  std::string Kernel; ///< unqualified
  std::string Record; ///< `0.1.0, 6b1f...`; empty for a declaration
  bool IsDeclaration = false;
  unsigned Begin = 0, End = 0;
  std::string FollowFile; ///< the file in the #line directive
};

/// A line that begins or ends such a piece without its counterpart.
struct BrokenMarker {
  unsigned Offset = 0;
  std::string Kernel; ///< unqualified
  std::string Reason;
};

struct GeneratedText {
  std::vector<GeneratedBlock> Blocks;
  std::vector<BrokenMarker> Broken;
};

GeneratedText findGeneratedText(llvm::StringRef Text);

/// Sets Origin and MacroChecks of the source of \p R. Returns the name of a
/// macro whose value cannot be stated for a check, or nothing.
std::string describeOrigin(const ParsedFile &File, Region &R);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_ORIGIN_H
