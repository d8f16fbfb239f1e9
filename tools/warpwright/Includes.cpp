//===-- Includes.cpp - Relative includes of a moved file ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace warpwright;
using namespace clang;
namespace path = llvm::sys::path;

/// \p Target relative to the folder \p From, both as full paths without dots.
static std::string makeRelative(llvm::StringRef Target, llvm::StringRef From) {
  auto TargetIt = path::begin(Target), TargetEnd = path::end(Target);
  auto FromIt = path::begin(From), FromEnd = path::end(From);
  while (TargetIt != TargetEnd && FromIt != FromEnd && *TargetIt == *FromIt) {
    ++TargetIt;
    ++FromIt;
  }
  llvm::SmallString<128> Result;
  for (; FromIt != FromEnd; ++FromIt)
    path::append(Result, "..");
  for (; TargetIt != TargetEnd; ++TargetIt)
    path::append(Result, *TargetIt);
  return Result.str().str();
}

std::vector<TextEdit> warpwright::retargetIncludes(llvm::StringRef Text,
                                                   llvm::StringRef From,
                                                   llvm::StringRef To,
                                                   bool Absolute) {
  std::vector<TextEdit> Edits;
  // Symbolic links matter: `..` follows the real folder.
  llvm::SmallString<128> RealFrom, RealTo;
  if (llvm::sys::fs::real_path(From.empty() ? "." : From, RealFrom) ||
      (!Absolute && llvm::sys::fs::real_path(To.empty() ? "." : To, RealTo)) ||
      RealFrom == RealTo)
    return Edits;

  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus17 = Options.Digraphs = true;
  std::string Buffer = Text.str(); // the lexer needs a final zero
  Lexer Raw(SourceLocation(), Options, Buffer.data(), Buffer.data(),
            Buffer.data() + Buffer.size());
  // `#` `include` "name", or __has_include ( "name" )
  enum class State { Other, Hash, Include, HasInclude, HasIncludeOpen };
  State Now = State::Other;
  for (Token Tok;;) {
    Raw.LexFromRawLexer(Tok);
    if (Tok.is(tok::eof))
      break;
    unsigned Offset = Raw.getCurrentBufferOffset() - Tok.getLength();
    llvm::StringRef Word = Text.substr(Offset, Tok.getLength());
    if (Tok.needsCleaning()) // a line break in front of it, behind a backslash
      Word =
          Word.drop_while([](char C) { return C == '\\' || llvm::isSpace(C); });
    bool Names = Now == State::Include || Now == State::HasIncludeOpen;
    if (Names && Tok.is(tok::string_literal) && Word.starts_with("\"")) {
      llvm::StringRef Name = Word.drop_front().drop_back();
      llvm::SmallString<128> Full(RealFrom);
      path::append(Full, Name);
      if (path::is_relative(Name) && llvm::sys::fs::exists(Full)) {
        path::remove_dots(Full, /*remove_dot_dot=*/true);
        std::string Target =
            Absolute ? Full.str().str() : makeRelative(Full, RealTo);
        Edits.push_back({Offset + 1, static_cast<unsigned>(Name.size()),
                         std::move(Target)});
      }
      Now = State::Other;
    } else if (Tok.is(tok::hash) && Tok.isAtStartOfLine()) {
      Now = State::Hash;
    } else if (Now == State::Hash &&
               (Word == "include" || Word == "include_next" ||
                Word == "import")) {
      Now = State::Include;
    } else if (Word == "__has_include") {
      Now = State::HasInclude;
    } else if (Now == State::HasInclude && Tok.is(tok::l_paren)) {
      Now = State::HasIncludeOpen;
    } else {
      Now = State::Other;
    }
  }
  return Edits;
}
