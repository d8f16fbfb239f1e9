//===-- Attributes.cpp - CUDA's words that plain C++ does not know --------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace warpwright;
using namespace clang;

/// `__shared__` and the like, as the headers spell them, without underscores.
static bool isCudaAttribute(llvm::StringRef Name) {
  if (Name.size() > 4 && Name.starts_with("__") && Name.ends_with("__"))
    Name = Name.drop_front(2).drop_back(2);
  return llvm::StringSwitch<bool>(Name)
      .Cases({"host", "device", "global", "shared", "constant", "managed"},
             true)
      .Cases({"grid_constant", "launch_bounds", "cluster_dims", "maxnreg"},
             true)
      .Default(false);
}

/// Removes CUDA's attributes from `__attribute__((...))` at \p At; other
/// attributes in the list stay.
static void editAttribute(const SourceTokens &Tokens, size_t At,
                          TextPieces &Pieces) {
  size_t Close = Tokens.findClosing(At + 1);
  if (!Tokens.is(At + 2, tok::l_paren) || Close >= Tokens.size())
    return;
  size_t InnerClose = Tokens.findClosing(At + 2);
  std::string Others;
  bool Found = false, Kernel = false;
  for (size_t I = At + 3; I < InnerClose;) {
    size_t Next = I;
    while (Next < InnerClose && !Tokens.is(Next, tok::comma))
      Next = Tokens.is(Next, tok::l_paren) ? Tokens.findClosing(Next) + 1
                                           : Next + 1;
    llvm::StringRef Name = Tokens.spell(I);
    if (Next > I && isCudaAttribute(Name)) {
      Found = true;
      Kernel |= Name.contains("global");
    } else if (Next > I) {
      Others += (Others.empty() ? "" : ", ") +
                Tokens.getText(Tokens[I].Begin, Tokens[Next - 1].End).str();
    }
    I = Next + 1;
  }
  if (!Found)
    return;
  std::string New;
  if (!Others.empty())
    New = "__attribute__((" + Others + "))";
  // In a section of their own: see KernelQuery in program.h.
  if (Kernel)
    New += "__attribute__((section(\"warpwright_kernels\")))";
  Pieces.replace(Tokens[At].Begin, Tokens[Close].End, New);
}

/// Directives that have no meaning for the host's compiler, or would only make
/// it slow.
static bool isDropped(llvm::StringRef Directive) {
  Directive = Directive.drop_front().ltrim();
  if (!Directive.consume_front("pragma"))
    return false;
  llvm::StringRef Word = Directive.ltrim().take_while(
      [](char C) { return isAsciiIdentifierContinue(C); });
  return llvm::StringSwitch<bool>(Word)
      .Cases({"unroll", "nounroll", "warpwright", "diag_suppress"}, true)
      .Default(Word.starts_with("nv_"));
}

void warpwright::dropCudaWords(const SourceTokens &Tokens, TextPieces &Pieces) {
  for (const SourceDirective &Each : Tokens.getDirectives())
    if (isDropped(Tokens.getText(Each.Begin, Each.End)))
      Pieces.erase(Each.Begin, Each.End);
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (!Tokens.is(I, tok::raw_identifier))
      continue;
    llvm::StringRef Word = Tokens.spell(I);
    if ((Word == "__attribute__" || Word == "__attribute") &&
        Tokens.is(I + 1, tok::l_paren))
      editAttribute(Tokens, I, Pieces);
    else if (Word == "__noinline__" && I > 0 &&
             !Tokens.is(I - 1, tok::l_paren) && !Tokens.is(I - 1, tok::comma))
      // This is a keyword of Clang's only in CUDA.
      Pieces.replace(Tokens[I].Begin, Tokens[I].End,
                     "__attribute__((noinline))");
  }
}
