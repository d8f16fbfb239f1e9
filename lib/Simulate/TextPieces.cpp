//===-- TextPieces.cpp - Edits that move text -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextPieces.h"
#include "llvm/ADT/STLExtras.h"

using namespace warpwright;

void TextPieces::replace(unsigned Begin, unsigned End,
                         std::vector<TextPiece> Pieces) {
  if (Seen.insert({Begin, "-" + std::to_string(End)}).second)
    Edits.push_back({Begin, End, std::move(Pieces)});
}

void TextPieces::insert(unsigned Offset, llvm::StringRef Key,
                        std::vector<TextPiece> Pieces) {
  if (Seen.insert({Offset, Key.str()}).second)
    Edits.push_back({Offset, Offset, std::move(Pieces)});
}

std::string TextPieces::render() {
  // Outer edits come before inner ones, insertions before the text at which
  // they stand.
  llvm::stable_sort(Edits, [](const Edit &A, const Edit &B) {
    if (A.Begin != B.Begin)
      return A.Begin < B.Begin;
    bool InsertsA = A.Begin == A.End, InsertsB = B.Begin == B.End;
    if (InsertsA != InsertsB)
      return InsertsA;
    return A.End > B.End;
  });
  std::string Out;
  Out.reserve(Text.size() + Text.size() / 8);
  render(0, Text.size(), Out);
  return Out;
}

void TextPieces::render(unsigned Begin, unsigned End, std::string &Out) const {
  unsigned At = Begin;
  auto First = llvm::lower_bound(
      Edits, Begin, [](const Edit &E, unsigned At) { return E.Begin < At; });
  for (auto It = First; It != Edits.end() && It->Begin < End; ++It) {
    // Text that an earlier edit replaced, or that is not completely inside of
    // the range, is left out.
    if (It->Begin < At || It->End > End)
      continue;
    Out += Text.slice(At, It->Begin);
    size_t From = Out.size();
    for (const TextPiece &Piece : It->Pieces) {
      Out += Piece.Text;
      if (Piece.Begin != Piece.End)
        render(Piece.Begin, Piece.End, Out);
    }
    size_t Had = Text.slice(It->Begin, It->End).count('\n');
    size_t Has = llvm::StringRef(Out).drop_front(From).count('\n');
    if (Had > Has)
      Out.append(Had - Has, '\n');
    At = It->End;
  }
  if (At < End)
    Out += Text.slice(At, End);
}
