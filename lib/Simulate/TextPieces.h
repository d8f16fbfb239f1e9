//===-- TextPieces.h - Edits that move text ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Edits of a text whose replacements may contain other parts of the same text,
/// which are edited themselves. For example, the configuration of a launch
/// moves in front of the kernel's name, and may contain a lambda that launches.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_TEXTPIECES_H
#define WARPWRIGHT_LIB_SIMULATE_TEXTPIECES_H

#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

/// Literal text followed by the (edited) text of a range, which may be empty.
struct TextPiece {
  std::string Text;
  unsigned Begin = 0, End = 0;
};

class TextPieces {
public:
  /// \p Text must outlive this object.
  explicit TextPieces(llvm::StringRef Text) : Text(Text) {}

  /// Replaces [Begin, End) by \p Pieces. Newlines that are lost are added after
  /// it, so that the following text stays on its line. Edits inside the range
  /// have an effect only if a piece shows their part. Of equal edits the first
  /// counts, since an AST may contain a position twice.
  void replace(unsigned Begin, unsigned End, std::vector<TextPiece> Pieces);
  void replace(unsigned Begin, unsigned End, std::string New) {
    replace(Begin, End, {TextPiece{std::move(New), 0, 0}});
  }
  void erase(unsigned Begin, unsigned End) { replace(Begin, End, ""); }

  /// Inserts \p Pieces before the character at \p Offset; later insertions at
  /// the same place come after it. \p Key identifies an insertion at this
  /// place.
  void insert(unsigned Offset, llvm::StringRef Key,
              std::vector<TextPiece> Pieces);
  void insert(unsigned Offset, llvm::StringRef Key, std::string New) {
    insert(Offset, Key, {TextPiece{std::move(New), 0, 0}});
  }

  /// The edited text.
  std::string render();

private:
  struct Edit {
    unsigned Begin, End;
    std::vector<TextPiece> Pieces;
  };

  void render(unsigned Begin, unsigned End, std::string &Out) const;

  llvm::StringRef Text;
  std::vector<Edit> Edits;
  std::set<std::pair<unsigned, std::string>> Seen;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_TEXTPIECES_H
