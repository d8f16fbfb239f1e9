//===-- GeneratedText.h - What of a file Warpwright wrote -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_GENERATEDTEXT_H
#define WARPWRIGHT_LIB_FRONTEND_GENERATEDTEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpwright {

/// A piece of a file that Warpwright wrote: from its `// >>> warpwright:` line,
/// or the line break that Warpwright put before that line, through its
/// `// <<< warpwright:` line and the #line after it.
struct GeneratedBlock {
  std::string Kernel; ///< unqualified
  std::string Record; ///< `0.1.0, 6b1f...`; empty for a declaration
  bool IsDeclaration = false;
  unsigned Begin = 0, End = 0;
  unsigned Marker = 0;     ///< where the first marker's line begins
  bool BreaksLine = false; ///< Begin is a line break of ours
  std::string FollowFile;  ///< the file in the #line directive
  llvm::StringRef Text;    ///< what is between the marker lines
  std::string
      RecordedDigest; ///< of Text as it was written; empty: not recorded

  /// Whether the text is as it was written.
  bool isIntact() const;
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

/// Blocks refer to \p Text, behind which there must be a terminating null.
GeneratedText findGeneratedText(llvm::StringRef Text);

/// For Clang, declarations of the plans that sections in \p Text name and that
/// the file does not have, as when their block was deleted; empty if it has all
/// of them. With these the sections can be parsed, found stale and made anew.
/// \p Text must be followed by a terminating null.
std::string declareMissingPlans(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_GENERATEDTEXT_H
