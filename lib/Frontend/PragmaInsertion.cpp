//===-- PragmaInsertion.cpp - Where a pragma for a kernel goes ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Region.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace warpwright;
using namespace clang;

/// Offset of the first token of the definition in the file \p FID: of
/// `template`, of `extern "C"`, or of an attribute.
static std::optional<unsigned> findFirstToken(const SourceManager &SM,
                                              const FunctionDecl &Kernel,
                                              FileID FID) {
  std::optional<unsigned> First;
  auto Add = [&](SourceLocation Location) {
    if (Location.isInvalid())
      return;
    auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Location));
    if (File == FID && (!First || Offset < *First))
      First = Offset;
  };
  Add(Kernel.getOuterLocStart());
  Add(Kernel.getBeginLoc());
  if (const FunctionTemplateDecl *T = Kernel.getDescribedFunctionTemplate())
    Add(T->getBeginLoc());
  if (const auto *Linkage =
          dyn_cast<LinkageSpecDecl>(Kernel.getLexicalDeclContext()))
    if (!Linkage->hasBraces())
      Add(Linkage->getBeginLoc());
  llvm::StringRef Text = SM.getBufferData(FID);
  for (const Attr *A : Kernel.attrs()) {
    if (A->isImplicit())
      continue;
    const SourceLocation Location = A->getLocation();
    Add(Location);
    // The position of a standard attribute is that of its name, after `[[`.
    if (!A->isStandardAttributeSyntax() || Location.isMacroID() || !First ||
        SM.getFileID(Location) != FID)
      continue;
    const size_t Open = Text.take_front(SM.getFileOffset(Location)).rfind("[[");
    if (Open != llvm::StringRef::npos && Open < *First)
      First = Open;
  }
  return First;
}

std::optional<PragmaInsertion>
warpwright::findPragmaInsertion(const ParsedFile &File, const Region &R) {
  const SourceManager &SM = File.Context.getSourceManager();
  const FileID FID =
      SM.getFileID(SM.getExpansionLoc(R.Function->getLocation()));
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(FID);
  std::optional<unsigned> First = findFirstToken(SM, *R.Function, FID);
  if (!Entry || !First)
    return std::nullopt;
  llvm::StringRef Text = SM.getBufferData(FID);
  // The line endings of the kernel's own line, since a file may mix them.
  const size_t End = Text.find('\n', *First);
  llvm::StringRef Break =
      End != llvm::StringRef::npos && End && Text[End - 1] == '\r' ? "\r\n"
                                                                   : "\n";
  size_t Line = Text.rfind('\n', *First) + 1; // 0 without one
  if (Line == 0 && Text.starts_with("\xef\xbb\xbf"))
    Line = 3; // a byte order mark stays in front
  PragmaInsertion Result;
  Result.File = Entry->getName().str();
  llvm::StringRef Before = Text.slice(Line, *First);
  const std::string Pragma = "#pragma warpwright matmul";
  if (Before.trim(" \t").empty()) {
    Result.Offset = Line;
    Result.Text = Before.str() + Pragma + Break.str();
  } else {
    Result.Offset = *First;
    Result.Text = Break.str() + Pragma + Break.str();
  }
  return Result;
}
