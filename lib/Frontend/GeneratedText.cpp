//===-- GeneratedText.cpp - What of a file Warpwright wrote ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedText.h"
#include "RawLexing.h"
#include "warpwright/Source/Markers.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include <optional>
#include <set>

using namespace warpwright;
using namespace clang;

bool GeneratedBlock::isIntact() const {
  return RecordedDigest == digestOf(Text);
}

/// The file that a #line directive at the start of \p Text names, if there is
/// such a directive, and the size of its line, or 0.
static std::pair<std::string, size_t> readLineDirective(llvm::StringRef Text) {
  const size_t End = Text.find('\n');
  const size_t Size = End == llvm::StringRef::npos ? Text.size() : End + 1;
  llvm::StringRef Line = Text.take_front(Size).rtrim();
  if (!Line.consume_front("#line "))
    return {"", 0};
  std::string File;
  Line = Line.drop_while(llvm::isDigit).ltrim();
  if (Line.consume_front("\"") && Line.consume_back("\""))
    for (size_t I = 0; I != Line.size(); ++I) {
      const bool Escaped = Line[I] == '\\' && I + 1 != Line.size();
      if (Escaped)
        ++I;
      File += Escaped && Line[I] == 'n' ? '\n' : Line[I];
    }
  return {File, Size};
}

/// Moves the beginning of \p B before the line break that was put there.
static void takeLineBreak(GeneratedBlock &B, llvm::StringRef Text) {
  if (!B.BreaksLine || !B.Begin)
    return;
  --B.Begin;
  // Where our own lines end in CR LF, something has converted the file.
  if (B.Text.data()[-2] == '\r' && B.Begin && Text[B.Begin - 1] == '\r')
    --B.Begin;
}

GeneratedText warpwright::findGeneratedText(llvm::StringRef Text) {
  GeneratedText Found;
  std::optional<GeneratedBlock> Open;
  size_t TextBegin = 0;
  auto ReportOpen = [&] {
    if (Open)
      Found.Broken.push_back({Open->Begin, Open->Kernel,
                              "no line '" + (BlockEnd + Open->Kernel).str() +
                                  "' ends what begins here"});
    Open.reset();
  };
  // The markers are comments; in a string literal they have no meaning.
  const LangOptions Options = rawLexOptions();
  Lexer Raw(SourceLocation(), Options, Text.begin(), Text.begin(), Text.end());
  Raw.SetCommentRetentionState(true);
  Token Tok;
  for (bool Done = false; !Done;) {
    Done = Raw.LexFromRawLexer(Tok);
    if (Tok.isNot(tok::comment) || !Tok.isAtStartOfLine())
      continue;
    const size_t Behind = Raw.getCurrentBufferOffset();
    llvm::StringRef Line = Text.slice(Behind - Tok.getLength(), Behind).rtrim();
    // A formatter may have indented it.
    const size_t Begin =
        Text.rfind('\n', Behind - Tok.getLength()) + 1; // 0 without one
    const size_t Next = std::min(Text.find('\n', Behind), Text.size() - 1) + 1;
    const bool Opens = Line.consume_front(BlockBegin);
    if (!Opens && !Line.consume_front(BlockEnd))
      continue;
    auto [Name, Rest] = Line.split(' ');
    const bool InParentheses =
        Rest.consume_front("(") && Rest.consume_back(")");
    if (Opens) {
      ReportOpen();
      Open.emplace();
      Open->Kernel = Name.str();
      Open->Begin = Open->Marker = Begin;
      Open->IsDeclaration = Rest == "declared";
      if (InParentheses)
        Open->Record = Rest.str();
      TextBegin = Next;
      continue;
    }
    if (!Open || Open->Kernel != Name) {
      ReportOpen();
      Found.Broken.push_back(
          {unsigned(Begin), Name.str(),
           "no line '" + (BlockBegin + Name).str() +
               "' with a version and a hash begins what ends here"});
      continue;
    }
    Open->Text = Text.slice(TextBegin, Begin);
    if (InParentheses) {
      Open->BreaksLine = Rest.consume_back(WithinLine);
      Open->RecordedDigest = Rest.str();
    }
    takeLineBreak(*Open, Text);
    auto [File, Size] = readLineDirective(Text.substr(Next));
    Open->FollowFile = std::move(File);
    Open->End = Next + Size;
    Found.Blocks.push_back(std::move(*Open));
    Open.reset();
  }
  ReportOpen();
  return Found;
}

std::string warpwright::declareMissingPlans(llvm::StringRef Text) {
  std::set<llvm::StringRef> Missing;
  if (Text.contains(BlockBegin))
    for (const GeneratedBlock &B : findGeneratedText(Text).Blocks)
      if (B.Kernel != PlansBlock)
        forEachPlanName(B.Text, /*Qualified=*/true, [&](llvm::StringRef Name) {
          if (!Text.contains(("struct " + Name + " ").str()))
            Missing.insert(Name);
        });
  if (Missing.empty())
    return "";
  // No error or warning in here is about the user's code.
  std::string Code = "#pragma clang system_header\n", Restore;
  for (llvm::StringRef Word :
       {"warpwright", "rt", "all", "launch", "Arguments"}) {
    Code +=
        ("#pragma push_macro(\"" + Word + "\")\n#undef " + Word + "\n").str();
    Restore += ("#pragma pop_macro(\"" + Word + "\")\n").str();
  }
  Code += "namespace warpwright {\nnamespace rt {\n";
  for (llvm::StringRef Name : Missing) {
    // Another rewritten file that this one includes may have it.
    Code += ("#define " + PlanGuard + Name + "\n").str();
    // Of a list of plans, rt::run() calls only this function.
    Code += Name.starts_with(PlanSetPrefix)
                ? ("template <class> struct " + Name +
                   " {\nstruct all {\ntemplate <class... Arguments> static "
                   "const char *launch(Arguments &&...);\n};\n};\n")
                      .str()
                : ("struct " + Name + ";\n").str();
  }
  return Code + "}\n}\n" + Restore;
}
