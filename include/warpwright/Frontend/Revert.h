//===-- Revert.h - A rewritten file as it was before ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_REVERT_H
#define WARPWRIGHT_FRONTEND_REVERT_H

#include "warpwright/Source/TextEdit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

/// Why a file cannot be reverted: something in it looks like Warpwright's and
/// is not as Warpwright wrote it.
struct RevertProblem {
  unsigned Offset = 0;
  std::string Reason;
};

struct Reversion {
  /// What undoes every edit of rewriting; nothing where there was none.
  std::vector<TextEdit> Edits;
  /// The first one in the file. Without one, all of Edits hold.
  std::optional<RevertProblem> Problem;
};

/// Finds in \p Text what rewriting put there, by the text alone: the file need
/// not compile, and no flags matter.
Reversion findReversion(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_REVERT_H
