//===-- SourceTokens.h - The tokens of a preprocessed text ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A preprocessed text contains no macro, so every position in the AST is a
/// position in the text. What the AST does not keep (the parentheses of an
/// attribute, the words of an asm statement) is found among the text's tokens.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_SOURCETOKENS_H
#define WARPWRIGHT_LIB_SIMULATE_SOURCETOKENS_H

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace warpwright {

struct SourceToken {
  clang::tok::TokenKind Kind; ///< keywords are raw_identifier
  unsigned Begin, End;        ///< offsets in the text
};

/// A line that starts with `#`, without its newline.
struct SourceDirective {
  unsigned Begin, End;
};

class SourceTokens {
public:
  /// Lexes \p Text, which must outlive this object.
  explicit SourceTokens(llvm::StringRef Text);

  llvm::StringRef getText() const { return Text; }
  llvm::StringRef getText(unsigned Begin, unsigned End) const {
    return Text.slice(Begin, End);
  }
  size_t size() const { return Tokens.size(); }
  const SourceToken &operator[](size_t I) const { return Tokens[I]; }
  llvm::StringRef spell(size_t I) const {
    return Text.slice(Tokens[I].Begin, Tokens[I].End);
  }
  bool is(size_t I, clang::tok::TokenKind Kind) const {
    return I < Tokens.size() && Tokens[I].Kind == Kind;
  }
  bool isWord(size_t I, llvm::StringRef Word) const {
    return is(I, clang::tok::raw_identifier) && spell(I) == Word;
  }

  /// Index of the first token that starts at or after \p Offset.
  size_t findAt(unsigned Offset) const;

  /// Index of the closing token that matches the opening (, [ or { at \p Open;
  /// size() if there is none.
  size_t findClosing(size_t Open) const;

  llvm::ArrayRef<SourceDirective> getDirectives() const { return Directives; }

private:
  llvm::StringRef Text;
  std::vector<SourceToken> Tokens;
  std::vector<SourceDirective> Directives;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_SOURCETOKENS_H
