//===-- PopCount.cpp - Bits of two words that are counted -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PopCount.h"
#include "warpwright/Contraction/Bits.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

/// No function has this name.
static constexpr llvm::StringLiteral Mark = "bits of";

static bool isWord(ScalarType T) {
  return !isFloating(T) && T != ScalarType::Bool;
}

/// What \p V is a conversion of that changes no bit.
static const ValueRef &withoutSigns(const ValueRef &V) {
  const ValueRef *X = &V;
  while ((*X)->K == Value::Kind::Cast && isWord((*X)->Type) &&
         isWord((*X)->Ops[0]->Type) &&
         byteSize((*X)->Type) == byteSize((*X)->Ops[0]->Type))
    X = &(*X)->Ops[0];
  return *X;
}

namespace {
/// Reads a combination of words, bit by bit. A combination is a table of its
/// values for all bits of the two words.
class BitsReader {
public:
  CountedBits Found;
  unsigned Count = 0; ///< of words

  std::optional<unsigned> read(const ValueRef &Of) {
    const ValueRef &V = withoutSigns(Of);
    if (!isWord(V->Type) || (Bytes && byteSize(V->Type) != Bytes))
      return std::nullopt;
    Bytes = byteSize(V->Type);
    if (auto All = constant(*V))
      return *All;
    switch (V->K) {
    case Value::Kind::And:
    case Value::Kind::Or:
    case Value::Kind::Xor: {
      const auto L = read(V->Ops[0]), R = read(V->Ops[1]);
      if (!L || !R)
        return std::nullopt;
      return V->K == Value::Kind::And  ? *L & *R
             : V->K == Value::Kind::Or ? *L | *R
                                       : *L ^ *R;
    }
    case Value::Kind::Load:
    case Value::Kind::Select:
      break;
    default:
      return std::nullopt;
    }
    for (unsigned Word = 0; Word < Count; ++Word)
      if (sameValue(Found.Words[Word], V))
        return Tables[Word];
    if (Count == 2)
      return std::nullopt;
    Found.Words[Count] = V;
    return Tables[Count++];
  }

private:
  static constexpr unsigned Tables[] = {0b1010, 0b1100}, None = 0,
                            Every = 0b1111;
  unsigned Bytes = 0;

  /// No bit, or all.
  static std::optional<unsigned> constant(const Value &V) {
    std::optional<int64_t> N;
    if (V.K == Value::Kind::Int)
      N = V.Index.getConstant();
    else if (V.K == Value::Kind::Constant)
      if (auto X = V.getConstant(); X && (*X == 0 || *X == -1))
        N = int64_t(*X);
    const unsigned Bits = 8 * byteSize(V.Type);
    if (N && *N == 0)
      return None;
    if (N && (*N == -1 || (Bits < 63 && *N == (int64_t(1) << Bits) - 1)))
      return Every;
    return std::nullopt;
  }
};
} // namespace

std::optional<CountedBits> countedBits(const Value &V) {
  if (V.K != Value::Kind::Call || V.Ops.size() != 1 ||
      (V.Name != "__popc" && V.Name != "__popcll") ||
      byteSize(V.Ops[0]->Type) != (V.Name == "__popc" ? 4 : 8))
    return std::nullopt;
  BitsReader Reader;
  const std::optional<unsigned> Table = Reader.read(V.Ops[0]);
  // (Where no bit counts, there is no product.)
  if (!Table || !*Table || Reader.Count != 2)
    return std::nullopt;
  Reader.Found.Table = *Table;
  return Reader.Found;
}

ValueRef markOfBits(const Operand &O, ScalarType AccType, unsigned Table,
                    unsigned Side) {
  if (Side == 1) // the words of the table, exchanged
    Table = (Table & 0b1001) | (Table & 2) << 1 | (Table & 4) >> 1;
  return Value::call(
      AccType, Mark,
      {O.element(), Value::integer(ScalarType::I32, IntExpr(int64_t(Table)))});
}

/// The table of the products of words whose first factor is \p A.
static std::optional<unsigned> markedTable(const Operand &A) {
  if (!A.Prologue || A.Prologue->K != Value::Kind::Call ||
      A.Prologue->Name != Mark)
    return std::nullopt;
  return unsigned(*A.Prologue->Ops[1]->Index.getConstant());
}

static void spellOutBits(Accumulation &S) {
  if (!llvm::any_of(S.Products,
                    [](const Product &P) { return markedTable(P.A); }))
    return;
  // All of them have the same range, of words of the same size.
  const int64_t Bits = 8 * int64_t(byteSize(S.Products.front().A.Type));
  std::vector<Product> Products;
  for (const Product &P : S.Products)
    for (unsigned Case = 4; Case-- > 0;)
      if (*markedTable(P.A) >> Case & 1)
        Products.push_back({bitsOf(P.A, S.AccType, !(Case & 1)),
                            bitsOf(P.B, S.AccType, !(Case & 2)), P.Subtracted});
  S.Products = std::move(Products);
  S.KExtent = S.KExtent * IntExpr(Bits);
}

void spellOutBits(Contraction &C) {
  Accumulation First = C.sum(0);
  spellOutBits(First);
  C.setSum(0, std::move(First));
  for (Accumulation &S : C.MoreSums)
    spellOutBits(S);
}

} // namespace warpwright::symbolic
