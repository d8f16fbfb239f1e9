//===- Bits.cpp - Sums of bits of words -----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Bits.h"

#include "warpwright/Contraction/Bits.h"
#include "warpwright/Plan/Elements.h"

using namespace llvm;

namespace warpwright {

/// What plans take as a word.
static constexpr ScalarType WordType = ScalarType::U32;
static constexpr int64_t WordBits = 32;

/// No function has this name.
static constexpr StringLiteral Mark = "bits counted by";

static bool sameWords(const Operand &A, const Operand &B) {
  return A.Pointer == B.Pointer && A.Type == B.Type && A.Index == B.Index;
}

/// \p Words of their own size as words of 32 bits, if these lie side by side
/// along k.
static std::optional<Operand> asWords(Operand Words) {
  const int64_t Bits = 8 * int64_t(byteSize(Words.Type));
  if (Bits % WordBits != 0 || (Bits > WordBits && !Words.stride("k").isOne()))
    return std::nullopt;
  // Of a word's parts, the lower come first, and k counts parts.
  const IntExpr Parts = Bits / WordBits, K = IntExpr::index("k");
  if (Bits > WordBits)
    Words.Index = (Words.Index - K) * Parts + K;
  Words.Type = WordType;
  return Words;
}

/// The words whose bits \p C counts, and which of them, as tableOfBits() says
/// it.
static std::optional<std::pair<Product, unsigned>>
countedWords(const Contraction &C) {
  const Accumulation S = C.sum(0);
  if (C.sumCount() > 1 || isFloating(S.AccType))
    return std::nullopt;
  std::optional<Product> Words;
  unsigned Table = 0;
  for (const Product &P : S.Products) {
    const auto A = wordsOf(P.A, S.AccType), B = wordsOf(P.B, S.AccType);
    if (!A || !B || P.Subtracted || P.KExtent ||
        byteSize(A->first.Type) != byteSize(B->first.Type))
      return std::nullopt;
    if (!Words)
      Words = {A->first, B->first};
    const unsigned Case = 1u << (!A->second + 2 * !B->second);
    if (!sameWords(Words->A, A->first) || !sameWords(Words->B, B->first) ||
        (Table & Case))
      return std::nullopt;
    Table |= Case;
  }
  return std::make_pair(*Words, Table);
}

std::string whyNotCounted(const Contraction &C) {
  const auto Counted = countedWords(C);
  if (!Counted)
    return "";
  if (const ScalarType Sum = C.sum(0).AccType; byteSize(Sum) != 4)
    return ("its counts of bits are added in " + name(Sum) +
            "; plans add them in 32 bits")
        .str();
  for (const Operand *O : {&Counted->first.A, &Counted->first.B})
    if (!asWords(*O))
      return ("'" + O->Pointer + "' has words of " +
              Twine(8 * byteSize(O->Type)) +
              " bits that do not lie side by side along k; words of 32 bits "
              "have a plan in any order, and others where they do")
          .str();
  return "";
}

void takeBits(Contraction &C) {
  const auto Counted = countedWords(C);
  const Accumulation S = C.sum(0);
  if (!Counted || byteSize(S.AccType) != 4)
    return;
  const auto &[Words, Table] = *Counted;
  const IntExpr Bits = 8 * int64_t(byteSize(Words.A.Type));
  const IntExpr Length = IntExpr::floorDiv(S.KExtent, Bits);
  const auto A = asWords(Words.A), B = asWords(Words.B);
  if (!A || !B || Length * Bits != S.KExtent)
    return;
  C.MoreProducts.clear();
  C.KExtent = Length * IntExpr::floorDiv(Bits, WordBits);
  C.A = *A;
  C.B = *B;
  for (Operand *O : {&C.A, &C.B})
    O->Prologue =
        Value::call(S.AccType, Mark,
                    {O->element(),
                     Value::integer(ScalarType::I32, IntExpr(int64_t(Table)))});
}

static std::optional<unsigned> tableOfBits(const Operand &O) {
  if (O.Type != WordType || !O.Prologue || O.Prologue->K != Value::Kind::Call ||
      O.Prologue->Name != Mark || O.Prologue->Ops.size() != 2)
    return std::nullopt;
  const std::optional<int64_t> Table = O.Prologue->Ops[1]->Index.getConstant();
  return Table ? std::optional<unsigned>(*Table) : std::nullopt;
}

std::optional<unsigned> tableOfBits(const Contraction &C) {
  const std::optional<unsigned> OfA = tableOfBits(C.A), OfB = tableOfBits(C.B);
  if (!C.hasOneProduct() || !OfA || !OfB || *OfA != *OfB)
    return std::nullopt;
  return OfA;
}

} // namespace warpwright
