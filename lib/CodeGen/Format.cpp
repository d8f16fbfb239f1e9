//===-- Format.cpp - Layout of generated text -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "clang/Format/Format.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace warpwright {

static llvm::Expected<std::string> formatAll(llvm::StringRef Code) {
  clang::format::FormatStyle Style = clang::format::getLLVMStyle();
  Style.SortIncludes.Enabled = false;
  Style.BreakStringLiterals = false; // assembly stays whole
  Style.ReflowComments = clang::format::FormatStyle::RCS_Never;
  Style.AllowShortEnumsOnASingleLine = true;
  const clang::tooling::Range Everything(0, Code.size());
  return clang::tooling::applyAllReplacements(
      Code, clang::format::reformat(Style, Code, {Everything}, "section.cu"));
}

static constexpr llvm::StringLiteral PartBegin = "//- a part of its own\n",
                                     PartEnd = "//- its end\n";

std::string separatePart(llvm::StringRef Struct) {
  return (PartBegin + Struct.trim('\n') + "\n" + PartEnd).str();
}

/// The layout of `struct NAME {` depends on the rest of it alone, and many
/// kernels have plans that differ in their names only.
static llvm::Expected<std::string> formatPart(llvm::StringRef Struct) {
  static std::mutex Lock;
  static llvm::StringMap<std::string> Known;
  constexpr llvm::StringLiteral Word = "struct ";
  const size_t Begin = Struct.find(Word) + Word.size();
  const size_t End = Struct.find(' ', Begin);
  const std::string Name = Struct.slice(Begin, End).str();
  const std::string Unnamed =
      (Struct.take_front(Begin) + "X" + Struct.drop_front(End)).str();
  const std::lock_guard<std::mutex> Guard(Lock);
  std::string &Text = Known[Unnamed];
  if (Text.empty()) {
    llvm::Expected<std::string> Formatted = formatAll(Unnamed);
    if (!Formatted)
      return Formatted.takeError();
    Text = std::move(*Formatted);
  }
  const size_t Place = Text.find(Word) + Word.size();
  return Text.substr(0, Place) + Name + Text.substr(Place + 1);
}

llvm::Expected<std::string> formatCode(llvm::StringRef Code) {
  // Each part is one declaration while the rest is laid out.
  std::vector<std::string> Parts;
  auto Placeholder = [](size_t Number) {
    return "struct warpwright_part_" + std::to_string(Number) + ";\n";
  };
  std::string Rest;
  while (true) {
    auto [Before, Behind] = Code.split(PartBegin);
    Rest += Before;
    if (Before.size() == Code.size())
      break;
    auto [Part, After] = Behind.split(PartEnd);
    Rest += Placeholder(Parts.size());
    llvm::Expected<std::string> Formatted = formatPart(Part);
    if (!Formatted)
      return Formatted.takeError();
    Parts.push_back(std::move(*Formatted));
    Code = After;
  }
  llvm::Expected<std::string> Formatted = formatAll(Rest);
  if (!Formatted || Parts.empty())
    return Formatted;
  std::string Result;
  llvm::StringRef Left = *Formatted;
  for (size_t I = 0; I != Parts.size(); ++I) {
    auto [Before, Behind] = Left.split(Placeholder(I));
    Result += Before;
    Result += Parts[I];
    Left = Behind;
  }
  return Result + Left.str();
}

std::string lineDirective(unsigned Line, llvm::StringRef File) {
  std::string Result = "#line " + std::to_string(Line) + " \"";
  for (char C : File) {
    if (C == '\\' || C == '"')
      Result += '\\';
    Result += C;
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
