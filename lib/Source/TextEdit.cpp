//===-- TextEdit.cpp - Checked edits of a text ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Source/TextEdit.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright {

llvm::Expected<std::string> applyEdits(llvm::StringRef Text,
                                       std::vector<TextEdit> Edits) {
  // Insertions come before a replacement at the same offset; otherwise the
  // order given is kept.
  llvm::stable_sort(Edits, [](const TextEdit &A, const TextEdit &B) {
    if (A.Offset != B.Offset)
      return A.Offset < B.Offset;
    return A.Length == 0 && B.Length != 0;
  });
  std::string Result;
  size_t Done = 0;
  for (const TextEdit &E : Edits) {
    const size_t End = static_cast<size_t>(E.Offset) + E.Length;
    if (End > Text.size())
      return llvm::createStringError(
          "internal error: edit at byte %u goes past the end of the file",
          E.Offset);
    if (E.Offset < Done)
      return llvm::createStringError("internal error: edits overlap at byte %u",
                                     E.Offset);
    Result += Text.slice(Done, E.Offset);
    Result += E.Text;
    Done = End;
  }
  Result += Text.substr(Done);
  return Result;
}

} // namespace warpwright
