//===-- LaunchText.cpp - Where the text of a launch stands ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchText.h"
#include "warpwright/Source/Chevrons.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace warpwright;
using namespace clang;

LaunchText::LaunchText(const ParsedFile &File)
    : File(File), SM(File.Context.getSourceManager()), Main(File) {}

/// The position of a token in the file, also if the token is a macro argument.
std::optional<unsigned>
LaunchText::getEditOffset(SourceLocation Location) const {
  while (Location.isMacroID() && SM.isMacroArgExpansion(Location))
    Location = SM.getImmediateSpellingLoc(Location);
  return Main.getOffset(Location);
}

/// The position of a token in the definition of the macro whose expansion is \p
/// Body. For the first token of an argument (with \p AtEnd the last one) that
/// is the position of the parameter; for a token of another macro, the position
/// of that macro's name.
std::optional<unsigned> LaunchText::getBodyOffset(SourceLocation Location,
                                                  FileID Body,
                                                  bool AtEnd) const {
  if (!Location.isMacroID())
    return std::nullopt;
  if (SM.getFileID(Location) == Body)
    return Main.getOffset(SM.getSpellingLoc(Location));
  // An argument that the body passes to another macro is written in the body.
  if (SM.isMacroArgExpansion(Location))
    if (std::optional<unsigned> Written =
            getBodyOffset(SM.getImmediateSpellingLoc(Location), Body, AtEnd))
      return Written;
  SourceLocation Outer;
  if (AtEnd) {
    const unsigned Length =
        Lexer::MeasureTokenLength(Location, SM, File.Context.getLangOpts());
    if (!SM.isAtEndOfImmediateMacroExpansion(Location.getLocWithOffset(Length),
                                             &Outer))
      return std::nullopt;
  } else if (!SM.isAtStartOfImmediateMacroExpansion(Location, &Outer)) {
    return std::nullopt;
  }
  return getBodyOffset(Outer, Body, AtEnd);
}

LaunchPlace LaunchText::find(const CUDAKernelCallExpr &Call,
                             SourceLocation Name, unsigned Length) const {
  LaunchPlace Place;
  LaunchSource &L = Place.Source;
  const CallExpr *Config = Call.getConfig();
  SourceLocation Open = Config->getBeginLoc();
  while (Open.isMacroID() && SM.isMacroArgExpansion(Open))
    Open = SM.getImmediateSpellingLoc(Open);
  Place.InBody = Open.isMacroID();
  const FileID Body = SM.getFileID(Open);
  auto GetOffset = [&](SourceLocation Location, bool AtEnd) {
    return Place.InBody ? getBodyOffset(Location, Body, AtEnd)
                        : getEditOffset(Location);
  };
  const std::optional<unsigned> OpenAt =
      Main.getOffset(SM.getSpellingLoc(Open));
  if (!OpenAt) {
    Place.Problem = "the macro is not defined in this file";
    return Place;
  }
  llvm::StringRef Text = File.Text;
  L.OpenBegin = *OpenAt;
  L.OpenEnd = *OpenAt + measureChevrons(Text.substr(*OpenAt), '<');
  Place.HasOpen = true;

  const std::optional<unsigned> CloseAt =
      GetOffset(Config->getRParenLoc(), /*AtEnd=*/false);
  const std::optional<unsigned> BeginAt =
      GetOffset(Call.getBeginLoc(), /*AtEnd=*/false);
  const std::optional<unsigned> EndAt =
      GetOffset(Call.getRParenLoc(), /*AtEnd=*/true);
  const std::optional<unsigned> NameAt = GetOffset(Name, /*AtEnd=*/false);
  Place.Problem = "a part of it stands elsewhere";
  if (!BeginAt || !CloseAt || !EndAt)
    return Place;
  // Between `>>>` and the parenthesis only space and comments are allowed.
  SourceLocation Close = SM.getLocForStartOfFile(SM.getMainFileID())
                             .getLocWithOffset(*CloseAt + 2);
  std::optional<Token> Paren =
      Lexer::findNextToken(Close, SM, File.Context.getLangOpts());
  std::optional<unsigned> ParenAt =
      Paren ? Main.getOffset(Paren->getLocation()) : std::nullopt;
  if (*BeginAt > L.OpenBegin || *CloseAt < L.OpenEnd || *EndAt < *CloseAt ||
      !Text.substr(*EndAt).starts_with(")") || L.OpenEnd == L.OpenBegin ||
      !measureChevrons(Text.substr(*CloseAt), '>') || !ParenAt ||
      Paren->isNot(tok::l_paren))
    return Place;
  Place.Problem.clear();
  L.Begin = *BeginAt;
  L.End = *EndAt + 1;
  L.CloseBegin = *CloseAt;
  L.CloseEnd = *ParenAt + 1;
  L.HasArguments = Call.getNumArgs() != 0;
  Place.NameStandsHere =
      NameAt && (!Place.InBody || SM.getFileID(Name) == Body);
  L.NameBegin = NameAt.value_or(L.Begin);
  L.NameEnd = Length ? L.NameBegin + Length : L.OpenBegin;
  L.Line = Main.getLine(L.NameBegin);
  return Place;
}

std::optional<unsigned> LaunchText::findName(SourceLocation Location,
                                             llvm::StringRef Name) const {
  // For per-thread streams, the headers of the runtime rename its functions by
  // macros; the user's text is where such a macro is used.
  for (;;) {
    if (std::optional<unsigned> At =
            Main.getOffset(SM.getSpellingLoc(Location))) {
      llvm::StringRef Text = File.Text.substr(*At);
      Text.consume_front("::");
      if (Text.ltrim().starts_with(Name))
        return At;
    }
    if (!Location.isMacroID())
      return std::nullopt;
    Location = SM.isMacroArgExpansion(Location)
                   ? SM.getImmediateSpellingLoc(Location)
                   : SM.getImmediateExpansionRange(Location).getBegin();
  }
}

std::string LaunchText::findMacroInName(SourceLocation Name,
                                        llvm::StringRef Qualified) const {
  Preprocessor &PP = File.Sema.getPreprocessor();
  llvm::SmallVector<llvm::StringRef, 4> Words;
  Qualified.split(Words, "::", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Words)
    if (PP.getMacroDefinitionAtLoc(PP.getIdentifierInfo(Word),
                                   SM.getExpansionLoc(Name)))
      return ("'" + Word + "', which a redirected launch names, is a macro")
          .str();
  return "";
}

llvm::StringRef LaunchText::findSplittingMacro(SourceLocation Begin) const {
  Preprocessor &PP = File.Sema.getPreprocessor();
  for (; Begin.isMacroID() && SM.isMacroArgExpansion(Begin);
       Begin = SM.getImmediateSpellingLoc(Begin)) {
    // The tokens of this invocation before the launch, if they can be read. An
    // argument is listed where the macro's body has its parameter.
    SourceLocation Parameter = SM.getImmediateExpansionRange(Begin).getBegin();
    SourceLocation Call = SM.getImmediateExpansionRange(Parameter).getBegin();
    llvm::StringRef Name =
        Lexer::getImmediateMacroName(Begin, SM, PP.getLangOpts());
    const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
    unsigned Depth = 0, Argument = 0;
    std::optional<unsigned> From = Main.getOffset(Call);
    std::optional<unsigned> To = getEditOffset(Begin);
    if (From && To && *From < *To) {
      Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), PP.getLangOpts(),
                File.Text.begin(), File.Text.begin() + *From, File.Text.end());
      for (Token Tok; !Raw.LexFromRawLexer(Tok) &&
                      SM.getFileOffset(Tok.getLocation()) < *To;) {
        if (Tok.is(tok::l_paren))
          ++Depth;
        else if (Tok.is(tok::r_paren) && Depth)
          --Depth;
        else if (Tok.is(tok::comma) && Depth == 1)
          ++Argument;
      }
    }
    if (Depth > 1)
      return "";
    if (!Macro || !Macro->isVariadic() || Argument + 1 < Macro->getNumParams())
      return Name;
  }
  return "";
}

/// Whether the body of \p Macro makes a string of \p Parameter (of any
/// parameter, if it is null) or hands it to a macro that may do so.
static bool makesString(const Preprocessor &PP, const MacroInfo &Macro,
                        const IdentifierInfo *Parameter, unsigned Depth = 0) {
  // The ends of the argument lists of macros that make strings, as depths.
  llvm::SmallVector<unsigned, 4> Strings;
  unsigned Parentheses = 0;
  const llvm::ArrayRef<Token> Tokens = Macro.tokens();
  for (unsigned I = 0; I != Tokens.size(); ++I) {
    const IdentifierInfo *Name = Tokens[I].getIdentifierInfo();
    const bool Opens = I + 1 != Tokens.size() && Tokens[I + 1].is(tok::l_paren);
    if (Tokens[I].is(tok::l_paren)) {
      ++Parentheses;
    } else if (Tokens[I].is(tok::r_paren) && Parentheses) {
      --Parentheses;
      if (!Strings.empty() && Strings.back() == Parentheses)
        Strings.pop_back();
    } else if (Tokens[I].is(tok::hash) && I + 1 != Tokens.size()) {
      if (!Parameter || Tokens[I + 1].getIdentifierInfo() == Parameter)
        return true;
    } else if (Name && Opens && Macro.getParameterNum(Name) < 0) {
      const MacroInfo *Inner = PP.getMacroInfo(Name);
      constexpr unsigned MaxDepth = 8;
      if (Inner && Inner->isFunctionLike() &&
          (Depth == MaxDepth || makesString(PP, *Inner, nullptr, Depth + 1)))
        Strings.push_back(Parentheses);
    } else if (!Strings.empty() && Name &&
               (Parameter ? Name == Parameter
                          : Macro.getParameterNum(Name) >= 0)) {
      return true;
    }
  }
  return false;
}

llvm::StringRef LaunchText::findStringMacro(SourceLocation Begin) const {
  Preprocessor &PP = File.Sema.getPreprocessor();
  for (; Begin.isMacroID() && SM.isMacroArgExpansion(Begin);
       Begin = SM.getImmediateSpellingLoc(Begin)) {
    llvm::StringRef Name =
        Lexer::getImmediateMacroName(Begin, SM, PP.getLangOpts());
    // An argument is listed where the macro's body has its parameter.
    Token Parameter;
    if (Lexer::getRawToken(
            SM.getSpellingLoc(SM.getImmediateExpansionRange(Begin).getBegin()),
            Parameter, SM, PP.getLangOpts()))
      continue;
    const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
    if (Macro && Parameter.is(tok::raw_identifier) &&
        makesString(PP, *Macro,
                    PP.getIdentifierInfo(Parameter.getRawIdentifier())))
      return Name;
  }
  return "";
}
