//===-- Names.cpp - Identifiers for generated code ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warpwright {

static bool isIdentifierStart(char C) { return llvm::isAlpha(C) || C == '_'; }
static bool isIdentifierPart(char C) { return llvm::isAlnum(C) || C == '_'; }

void NameTable::addIdentifiers(llvm::StringRef Text) {
  while (!Text.empty()) {
    Text = Text.drop_until(isIdentifierPart);
    llvm::StringRef Word = Text.take_while(isIdentifierPart);
    if (!Word.empty() && isIdentifierStart(Word.front()))
      Used.insert(Word);
    Text = Text.drop_front(Word.size());
  }
}

void NameTable::addMacros(llvm::StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (Line.consume_front("define"))
      Used.insert(Line.ltrim().take_while(isIdentifierPart));
  }
}

void NameTable::add(const NameTable &Names) {
  for (const auto &Entry : Names.Used)
    Used.insert(Entry.getKey());
}

std::vector<std::string> NameTable::common(const NameTable &Others) const {
  std::vector<std::string> Result;
  for (const auto &Entry : Used)
    if (Others.contains(Entry.getKey()))
      Result.push_back(Entry.getKey().str());
  llvm::sort(Result);
  return Result;
}

std::string NameTable::take(llvm::StringRef Wish) {
  std::string Name = Wish.str();
  for (unsigned I = 1; !Used.insert(Name).second; ++I)
    Name = I == 1 ? Wish.str() + "_" : Wish.str() + "_" + std::to_string(I);
  return Name;
}

std::string NameTable::take(llvm::ArrayRef<llvm::StringRef> Wishes) {
  for (llvm::StringRef Wish : Wishes)
    if (Used.insert(Wish).second)
      return Wish.str();
  return take(Wishes.back());
}

std::string withoutComments(llvm::StringRef Code) {
  std::string Result;
  while (!Code.empty()) {
    size_t Skip = 0;
    if (Code.starts_with("//")) {
      Skip = std::min(Code.find('\n'), Code.size());
    } else if (Code.starts_with("/*")) {
      const size_t End = Code.find("*/", 2);
      Skip = End == llvm::StringRef::npos ? Code.size() : End + 2;
    } else if (Code.front() == '"' ||
               // An apostrophe inside a number separates digits.
               (Code.front() == '\'' &&
                (Result.empty() || !isIdentifierPart(Result.back())))) {
      for (Skip = 1; Skip < Code.size() && Code[Skip] != Code.front() &&
                     Code[Skip] != '\n';)
        Skip += Code[Skip] == '\\' ? 2 : 1;
      if (Skip < Code.size() && Code[Skip] == Code.front())
        ++Skip;
    }
    Result += Skip ? ' ' : Code.front();
    Code = Code.substr(std::max<size_t>(Skip, 1));
  }
  return Result;
}

bool definesType(llvm::StringRef Code, llvm::StringRef Name) {
  for (size_t At = 0; (At = Code.find(Name, At)) != llvm::StringRef::npos;
       At += Name.size()) {
    llvm::StringRef Before = Code.take_front(At);
    llvm::StringRef Behind = Code.substr(At + Name.size());
    if ((!Before.empty() && isIdentifierPart(Before.back())) ||
        (!Behind.empty() && isIdentifierPart(Behind.front())))
      continue; // part of a longer name
    Behind = Behind.ltrim();
    Before = Before.substr(Before.find_last_of(";{}") + 1); // npos + 1 is 0
    NameTable Words;
    Words.addIdentifiers(Before);
    const bool Class = Words.contains("struct") || Words.contains("class") ||
                       Words.contains("union") || Words.contains("enum");
    if (Class && (Behind.starts_with("{") || Behind.starts_with("final") ||
                  (Behind.starts_with(":") && !Behind.starts_with("::"))))
      return true;
    if (Before.trim() == "using" && Behind.starts_with("="))
      return true;
    if (Words.contains("typedef") && Behind.starts_with(";"))
      return true;
  }
  return false;
}

std::string respell(llvm::StringRef Text) {
  std::string Result = Text.str();
  for (llvm::StringRef Gone :
       {"(anonymous namespace)::", "__grid_constant__ ", " __grid_constant__"})
    for (size_t At; (At = Result.find(Gone.str())) != std::string::npos;)
      Result.erase(At, Gone.size());
  return Result;
}

std::string templateArguments(llvm::ArrayRef<std::string> Args) {
  return Args.empty() ? "" : "<" + llvm::join(Args, ", ") + ">";
}

std::string identifierFor(llvm::ArrayRef<std::string> TemplateArgs) {
  std::string Result;
  for (llvm::StringRef Arg : TemplateArgs) {
    std::string Piece;
    for (char C : Arg) {
      if (isIdentifierPart(C))
        Piece += C;
      else if (C == '-')
        Piece += "minus";
      else if (!Piece.empty() && Piece.back() != '_')
        Piece += '_';
    }
    llvm::StringRef Clean = Piece;
    Clean = Clean.ltrim('_').rtrim('_');
    Clean.consume_front("nv_");
    if (Clean.empty())
      continue;
    if (!Result.empty())
      Result += '_';
    Result += Clean;
  }
  return Result;
}

} // namespace warpwright
