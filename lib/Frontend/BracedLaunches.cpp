//===-- BracedLaunches.cpp - Braces between <<< and >>> -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/BracedLaunches.h"
#include "RawLexing.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>
#include <vector>

using namespace clang;

std::optional<std::string>
warpwright::withoutBracedLaunches(llvm::StringRef Text) {
  if (!Text.contains("<<<"))
    return std::nullopt;
  const LangOptions Options = rawLexOptions();
  // The lexer wants a terminating null.
  std::string Result = Text.str();
  const std::string Read = Result;
  const SourceLocation Start = SourceLocation::getFromRawEncoding(1);
  Lexer Raw(Start, Options, Read.data(), Read.data(),
            Read.data() + Read.size());
  std::vector<std::pair<unsigned, tok::TokenKind>> Tokens;
  for (Token Tok;;) {
    const bool AtEnd = Raw.LexFromRawLexer(Tok);
    if (Tok.isNot(tok::eof))
      Tokens.emplace_back(Tok.getLocation().getRawEncoding() -
                              Start.getRawEncoding(),
                          Tok.getKind());
    if (AtEnd)
      break;
  }

  bool Changed = false;
  for (size_t I = 0; I != Tokens.size(); ++I) {
    if (Tokens[I].second != tok::lesslessless)
      continue;
    // The open brackets after `<<<`, by the numbers of their tokens.
    llvm::SmallVector<size_t, 8> Open;
    bool AtArgument = true;
    size_t Braced = 0; // the position of the argument's own brace
    for (size_t J = I + 1; J != Tokens.size(); ++J) {
      const auto [Offset, Kind] = Tokens[J];
      const bool Begins = std::exchange(AtArgument, false) && Open.empty();
      if (Open.empty() &&
          (Kind == tok::greatergreatergreater || Kind == tok::semi))
        break;
      if (Kind == tok::l_paren || Kind == tok::l_square ||
          Kind == tok::l_brace) {
        if (Begins && Kind == tok::l_brace)
          Braced = J;
        Open.push_back(J);
      } else if (Kind == tok::r_paren || Kind == tok::r_square ||
                 Kind == tok::r_brace) {
        if (Open.empty())
          break;
        const size_t From = Open.pop_back_val();
        if (From != Braced || !Open.empty() || J + 1 == Tokens.size() ||
            (Tokens[J + 1].second != tok::comma &&
             Tokens[J + 1].second != tok::greatergreatergreater))
          continue;
        const bool Empty = From + 1 == J;
        auto Spell = [&](unsigned At, char Instead) {
          if (Result[At] != '{' && Result[At] != '}') // `<%`, `%>`
            Result[At + 1] = ' ';
          Result[At] = Instead;
        };
        Spell(Tokens[From].first, Empty ? '0' : '(');
        Spell(Offset, Empty ? ' ' : ')');
        Changed = true;
      } else if (Kind == tok::comma && Open.empty()) {
        AtArgument = true;
      }
    }
  }
  if (!Changed)
    return std::nullopt;
  return Result;
}
