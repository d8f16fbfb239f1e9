//===-- Bits.cpp - Operands that are bits of words ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Bits.h"

namespace warpwright {

static IntExpr bitsOfWord(ScalarType T) { return 8 * int64_t(byteSize(T)); }

Operand bitsOf(const Operand &Words, ScalarType Sum, bool Absent) {
  const IntExpr K = IntExpr::index("k"), Bits = bitsOfWord(Words.Type);
  Operand R = Words;
  R.Prologue = nullptr;
  R.Index = Words.Index.substitute(K.str(), IntExpr::floorDiv(K, Bits));
  auto Number = [](ScalarType T, int64_t N) {
    return Value::integer(T, IntExpr(N));
  };
  const ValueRef Shifted =
      Value::binary(Value::Kind::Shr, R.Type, R.element(),
                    Value::integer(ScalarType::I32, IntExpr::mod(K, Bits)));
  const ValueRef Bit = Value::cast(
      Sum, Value::binary(Value::Kind::And, R.Type, Shifted, Number(R.Type, 1)));
  R.Prologue =
      Absent ? Value::binary(Value::Kind::Sub, Sum, Number(Sum, 1), Bit) : Bit;
  return R;
}

std::optional<std::pair<Operand, bool>> wordsOf(const Operand &Bits,
                                                ScalarType Sum) {
  if (!Bits.Prologue || isFloating(Bits.Type) || Bits.Type == ScalarType::Bool)
    return std::nullopt;
  Operand Words = Bits;
  Words.Prologue = nullptr;
  const IntExpr K = IntExpr::index("k");
  const IntExpr Word = IntExpr::floorDiv(K, bitsOfWord(Bits.Type));
  Words.Index =
      Bits.Index.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
        return A.getKey() == Word.str() ? std::optional<IntExpr>(K)
                                        : std::nullopt;
      });
  for (bool Absent : {false, true}) {
    const Operand Again = bitsOf(Words, Sum, Absent);
    if (Again.Index == Bits.Index && sameValue(Again.Prologue, Bits.Prologue))
      return std::pair(Words, Absent);
  }
  return std::nullopt;
}

} // namespace warpwright
