//===-- JoinedChevrons.cpp - White space inside of <<< and >>> ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/JoinedChevrons.h"
#include "RawLexing.h"
#include "warpwright/Frontend/BracedLaunches.h"
#include "warpwright/Source/Chevrons.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

using namespace warpwright;
using namespace clang;

namespace {

/// Finds the `<< <` and `>> >` of launches in a text, and joins them.
class ChevronJoiner {
public:
  explicit ChevronJoiner(llvm::StringRef Given) : Text(Given.str()) {}
  std::optional<std::string> run();

private:
  struct Word {
    tok::TokenKind Kind;
    unsigned Begin, End;
    unsigned Directive; ///< the number of that which it is in; 0: none
  };

  void readWords();
  void noteMacro(size_t Define);
  llvm::StringRef spell(const Word &W) const {
    return llvm::StringRef(Text).slice(W.Begin, W.End);
  }
  bool isSpaced(size_t I, char Bracket) const;
  bool canBeCalled(size_t I) const;
  bool findClosings(size_t Open, std::vector<size_t> &Spaced) const;
  void join(size_t I);

  const std::string Text; // the lexer wants a terminating null
  std::string Result;
  std::vector<Word> Words;
  llvm::StringSet<> Operators; ///< macros whose last word is `operator`
};

} // namespace

void ChevronJoiner::readWords() {
  const LangOptions Options = rawLexOptions();
  Lexer Raw(SourceLocation(), Options, Text.data(), Text.data(),
            Text.data() + Text.size());
  unsigned Directives = 0;
  bool InDirective = false;
  Token Tok;
  for (bool AtEnd = false; !AtEnd;) {
    AtEnd = Raw.LexFromRawLexer(Tok);
    if (Tok.is(tok::eof))
      break;
    if (Tok.isAtStartOfLine())
      InDirective = Tok.is(tok::hash);
    Directives += InDirective && Tok.isAtStartOfLine();
    const unsigned End = Raw.getCurrentBufferOffset();
    Words.push_back({Tok.getKind(), End - Tok.getLength(), End,
                     InDirective ? Directives : 0});
  }
}

/// A `<<` behind the name of such a macro is a part of an operator's name.
void ChevronJoiner::noteMacro(size_t Define) {
  size_t Last = Define;
  while (Last + 1 < Words.size() &&
         Words[Last + 1].Directive == Words[Define].Directive)
    ++Last;
  if (Last > Define + 1 && spell(Words[Last]) == "operator")
    Operators.insert(spell(Words[Define + 1]));
}

/// Whether word \p I and the next one are `<<` and `<`, or `>>` and `>`, with
/// nothing but white space between them.
bool ChevronJoiner::isSpaced(size_t I, char Bracket) const {
  const tok::TokenKind Two =
      Bracket == '<' ? tok::lessless : tok::greatergreater;
  const tok::TokenKind One = Bracket == '<' ? tok::less : tok::greater;
  if (I + 1 >= Words.size() || Words[I].Kind != Two ||
      Words[I + 1].Kind != One ||
      Words[I].Directive != Words[I + 1].Directive ||
      Words[I].Begin +
              measureChevrons(llvm::StringRef(Text).substr(Words[I].Begin),
                              Bracket) !=
          Words[I + 1].End)
    return false;
  // Outside of macros, nvcc wants `<< <` on one line, and takes a `>> >` on
  // two.
  return Bracket == '>' || Words[I].Directive ||
         !llvm::StringRef(Text)
              .slice(Words[I].End, Words[I + 1].Begin)
              .contains('\n');
}

/// Whether word \p I may be the end of a kernel's name.
bool ChevronJoiner::canBeCalled(size_t I) const {
  switch (Words[I].Kind) {
  case tok::raw_identifier:
    return spell(Words[I]) != "operator" &&
           !Operators.contains(spell(Words[I]));
  case tok::r_paren:
  case tok::r_square:
  case tok::greater:
  case tok::greatergreater:
  case tok::greatergreatergreater:
    return true;
  default:
    return false;
  }
}

/// Finds what closes the launch that word \p Open opens, as far as it is in two
/// words. Returns whether anything closes it.
bool ChevronJoiner::findClosings(size_t Open,
                                 std::vector<size_t> &Spaced) const {
  bool Closed = false;
  unsigned Depth = 0;
  for (size_t I = Open + 1; I != Words.size(); ++I) {
    const Word &W = Words[I];
    if (W.Directive != Words[Open].Directive) {
      if (Words[Open].Directive)
        break;
      continue; // `#if` in the middle of a launch
    }
    if (W.Kind == tok::l_paren || W.Kind == tok::l_square ||
        W.Kind == tok::l_brace) {
      ++Depth;
    } else if (W.Kind == tok::r_paren || W.Kind == tok::r_square ||
               W.Kind == tok::r_brace) {
      if (!Depth--)
        break;
    } else if (!Depth && W.Kind == tok::semi) {
      break;
    } else if (!Depth && W.Kind == tok::greatergreatergreater) {
      Closed = true;
    } else if (!Depth && isSpaced(I, '>')) {
      Closed = true;
      Spaced.push_back(I);
    }
  }
  return Closed;
}

/// Puts the white space of a `<< <` or `>> >` behind it.
void ChevronJoiner::join(size_t I) {
  auto Begin = Result.begin() + Words[I].End;
  auto End = Result.begin() + Words[I + 1].End;
  std::rotate(Begin, End - 1, End);
}

std::optional<std::string> ChevronJoiner::run() {
  Result = Text;
  readWords();
  for (size_t I = 0; I + 1 < Words.size(); ++I)
    if (Words[I].Kind == tok::hash && Words[I].Directive &&
        spell(Words[I + 1]) == "define")
      noteMacro(I + 1);
  llvm::SmallVector<bool, 0> Joined(Words.size());
  bool Changed = false;
  for (size_t I = 1; I < Words.size(); ++I) {
    const bool IsOpen = isSpaced(I, '<');
    if ((!IsOpen && Words[I].Kind != tok::lesslessless) ||
        Words[I - 1].Directive != Words[I].Directive || !canBeCalled(I - 1))
      continue;
    std::vector<size_t> Parts;
    if (!findClosings(I + IsOpen, Parts))
      continue;
    if (IsOpen)
      Parts.push_back(I);
    for (size_t Each : Parts)
      if (!std::exchange(Joined[Each], true)) {
        join(Each);
        Changed = true;
      }
  }
  if (!Changed)
    return std::nullopt;
  return std::move(Result);
}

std::optional<std::string>
warpwright::withJoinedChevrons(llvm::StringRef Text) {
  auto HasSpaced = [&](char Bracket) {
    const char Two[] = {Bracket, Bracket};
    const llvm::StringRef Pair(Two, 2);
    for (size_t At = Text.find(Pair); At != llvm::StringRef::npos;
         At = Text.find(Pair, At + 1))
      if (measureChevrons(Text.substr(At), Bracket) > 3)
        return true;
    return false;
  };
  // Most files have none, and need no lexer.
  if (findChevrons(Text) == llvm::StringRef::npos ||
      (!HasSpaced('<') && !HasSpaced('>')))
    return std::nullopt;
  return ChevronJoiner(Text).run();
}

std::optional<std::string> warpwright::respellLaunches(llvm::StringRef Text) {
  std::optional<std::string> Joined = withJoinedChevrons(Text);
  std::optional<std::string> Both =
      withoutBracedLaunches(Joined ? llvm::StringRef(*Joined) : Text);
  return Both ? Both : Joined;
}
