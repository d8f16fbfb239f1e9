//===-- Format.cpp - Layout of generated text -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "clang/Format/Format.h"

namespace warpwright {

llvm::Expected<std::string> formatCode(llvm::StringRef Code) {
  clang::format::FormatStyle Style = clang::format::getLLVMStyle();
  Style.SortIncludes.Enabled = false;
  Style.BreakStringLiterals = false; // assembly stays whole
  // A pass over all of the text for what no section has.
  Style.SortUsingDeclarations = clang::format::FormatStyle::SUD_Never;
  Style.ReflowComments = clang::format::FormatStyle::RCS_Never;
  Style.AllowShortEnumsOnASingleLine = true;
  const clang::tooling::Range Everything(0, Code.size());
  return clang::tooling::applyAllReplacements(
      Code, clang::format::reformat(Style, Code, {Everything}, "section.cu"));
}

std::string lineDirective(unsigned Line, llvm::StringRef File) {
  std::string Result = "#line " + std::to_string(Line) + " \"";
  for (char C : File) {
    if (C == '\\' || C == '"' || C == '\n')
      Result += '\\';
    Result += C == '\n' ? 'n' : C;
  }
  return Result + '"';
}

std::string quoted(llvm::StringRef S) {
  std::string Result = "\"";
  for (char C : S) {
    if (C == '"' || C == '\\')
      Result += '\\';
    Result += C == '\n' ? ' ' : C;
  }
  return Result + '"';
}

std::string numberLines(llvm::StringRef Text, llvm::StringRef File) {
  const std::string Placeholder = lineDirective(0, File);
  std::string Result;
  for (unsigned Line = 1; !Text.empty(); ++Line) {
    const size_t Size = std::min(Text.find('\n'), Text.size() - 1) + 1;
    llvm::StringRef Current = Text.take_front(Size);
    if (Current.trim() == Placeholder) {
      Result += lineDirective(Line + 1, File);
      if (Current.ends_with("\n"))
        Result += '\n';
    } else {
      Result += Current;
    }
    Text = Text.drop_front(Size);
  }
  return Result;
}

} // namespace warpwright
