//===-- SourceTokens.cpp - The tokens of a preprocessed text --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceTokens.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace warpwright;
using namespace clang;

SourceTokens::SourceTokens(llvm::StringRef Text) : Text(Text) {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 =
      Options.CPlusPlus17 = true;
  Options.CUDA = true; // `<<<` is one token
  Options.Digraphs = true;
  Options.LineComment = true;
  Lexer Lex(SourceLocation(), Options, Text.begin(), Text.begin(), Text.end());
  Token T;
  while (!Lex.LexFromRawLexer(T)) {
    unsigned Begin = Lex.getBufferLocation() - Text.begin() - T.getLength();
    if (T.is(tok::hash) && T.isAtStartOfLine()) {
      size_t End = Text.find('\n', Begin);
      End = End == llvm::StringRef::npos ? Text.size() : End;
      Directives.push_back({Begin, static_cast<unsigned>(End)});
      Lex.seek(End, /*IsAtStartOfLine=*/true);
      continue;
    }
    Tokens.push_back({T.getKind(), Begin, Begin + T.getLength()});
  }
}

size_t SourceTokens::findAt(unsigned Offset) const {
  return llvm::lower_bound(Tokens, Offset,
                           [](const SourceToken &T, unsigned Offset) {
                             return T.Begin < Offset;
                           }) -
         Tokens.begin();
}

size_t SourceTokens::findClosing(size_t Open) const {
  unsigned Depth = 0;
  for (size_t I = Open; I < Tokens.size(); ++I) {
    switch (Tokens[I].Kind) {
    case tok::l_paren:
    case tok::l_square:
    case tok::l_brace:
      ++Depth;
      break;
    case tok::r_paren:
    case tok::r_square:
    case tok::r_brace:
      if (--Depth == 0)
        return I;
      break;
    default:
      break;
    }
  }
  return Tokens.size();
}
