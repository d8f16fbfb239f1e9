//===-- TextEdit.h - Checked edits of a text --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Replacing parts of a text by offset. Everything outside the edits stays
/// byte for byte.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SOURCE_TEXTEDIT_H
#define WARPWRIGHT_SOURCE_TEXTEDIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpwright {

/// Length bytes at Offset become Text. Length 0 inserts before Offset.
struct TextEdit {
  unsigned Offset = 0;
  unsigned Length = 0;
  std::string Text;
};

/// Applies \p Edits, in any order, to \p Text. Insertions at the same offset
/// appear in the order given; an insertion at the start of a replaced range
/// appears before it. Fails when two replaced ranges overlap, an insertion
/// falls inside a replaced range, or an edit leaves the text.
llvm::Expected<std::string> applyEdits(llvm::StringRef Text,
                                       std::vector<TextEdit> Edits);

} // namespace warpwright

#endif // WARPWRIGHT_SOURCE_TEXTEDIT_H
