//===- Gathered.cpp - Numbers whose words lie across k --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Gathered.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t NumberBits = 4, NumberMask = 15;

namespace {

/// Reads the prologue of an operand whose words have \p Numbers numbers each,
/// neighbours along the index \p Free.
class NumberReader {
public:
  NumberReader(const Operand &O, const char *Free)
      : O(O), Free(("%" + Twine(Free)).str()), Numbers(O.wordNumbers()) {}

  /// The prologue with \p Number in place of a word's bits; null if it has the
  /// word in another way, or bits that are not one number.
  ValueRef with(const ValueRef &Number) { return replaced(O.Prologue, Number); }

  /// Where the numbers are that with() has found.
  NumberOrder Order;

private:
  const Operand &O;
  const std::string Free;
  const int64_t Numbers;

  ValueRef replaced(const ValueRef &V, const ValueRef &Number);
  bool takesNumber(const Value &V);
  std::optional<NumberOrder> orderOf(const IntExpr &Shift) const;
};

} // namespace

/// The places that \p Shift, the bits by which a word is shifted down, says.
std::optional<NumberOrder> NumberReader::orderOf(const IntExpr &Shift) const {
  const IntExpr Index = O.indexOfNumbers();
  const auto Step = Index.coefficient(Free);
  if (!Step || (!Step->isOne() && !(-*Step).isOne()))
    return std::nullopt;
  const IntExpr Rest =
      Index - *Step * IntExpr::index(StringRef(Free).drop_front());
  NumberOrder Result;
  for (int64_t I = 0; I < Numbers; ++I) {
    // Number i of some word; no parameter has a space in its name.
    const IntExpr At =
        (IntExpr::param("its word") * IntExpr(Numbers) + IntExpr(I) - Rest) *
        *Step;
    const std::optional<int64_t> Bits =
        Shift.substitute(Free, At).getConstant();
    if (!Bits || *Bits < 0 || *Bits % NumberBits != 0 ||
        *Bits >= Numbers * NumberBits)
      return std::nullopt;
    Result.Places.push_back(unsigned(*Bits / NumberBits));
  }
  return Result;
}

/// Whether \p V is `word >> shift & 15`, with the shift of the others.
bool NumberReader::takesNumber(const Value &V) {
  if (V.K != Value::Kind::And || V.Ops[1]->K != Value::Kind::Int ||
      V.Ops[1]->Index.getConstant() != NumberMask ||
      V.Ops[0]->K != Value::Kind::Shr)
    return false;
  const Value &Shift = *V.Ops[0];
  const Value *Word = Shift.Ops[0].get();
  if (Word->K == Value::Kind::Cast)
    Word = Word->Ops[0].get();
  if (!O.isElement(*Word) || Shift.Ops[1]->K != Value::Kind::Int)
    return false;
  const auto Found = orderOf(Shift.Ops[1]->Index);
  if (!Found || (!Order.Places.empty() && Order.Places != Found->Places))
    return false;
  Order = *Found;
  return true;
}

ValueRef NumberReader::replaced(const ValueRef &V, const ValueRef &Number) {
  if (takesNumber(*V))
    return Number;
  if (O.isElement(*V))
    return nullptr;
  return replaceParts(V,
                      [&](const ValueRef &X) { return replaced(X, Number); });
}

/// \p O with k, in its index and its prologue, as \p K.
static Operand alongK(const Operand &O, const IntExpr &K) {
  auto Fn = [&](const IntAtom &A) {
    return A.getKey() == "%k" ? std::optional(K) : std::nullopt;
  };
  Operand R = O;
  R.Index = O.Index.transform(Fn);
  if (O.Prologue)
    R.Prologue = transformInts(O.Prologue, Fn);
  return R;
}

/// The bytes of \p O, of which number \p Second is multiplied; nothing if its
/// prologue has the words in another way.
static std::optional<Operand> bytesOf(const Operand &O, const char *Free,
                                      int Second) {
  const IntExpr Pairs = IntExpr::index("k") * IntExpr(2);
  const Operand Words = alongK(O, Pairs + IntExpr(Second));
  Operand Bytes = alongK(O, Pairs);
  Bytes.Index = Bytes.indexOfNumbers();
  Bytes.Type = ScalarType::U8;
  NumberReader Reader(Words, Free);
  const ValueRef Byte = Value::cast(ScalarType::U32, Bytes.element());
  const ValueRef Bits =
      Second ? Value::binary(Value::Kind::Shr, ScalarType::U32, Byte,
                             Value::integer(ScalarType::I32, NumberBits))
             : Byte;
  const ValueRef Number =
      Value::binary(Value::Kind::And, ScalarType::U32, Bits,
                    Value::integer(ScalarType::U32, NumberMask));
  Bytes.Prologue = Reader.with(Number);
  Bytes.Gathered = Reader.Order;
  if (!Bytes.Prologue || Reader.Order.Places.empty())
    return std::nullopt;
  return Bytes;
}

void takeGathered(Contraction &C) {
  if (!C.hasOneProduct() || C.hasScales())
    return;
  for (const bool First : {true, false}) {
    Operand &Words = First ? C.A : C.B, &Other = First ? C.B : C.A;
    if (Words.wordNumbers() == 1 || Other.wordNumbers() != 1 || !Words.Prologue)
      continue;
    const auto Low = bytesOf(Words, First ? "m" : "n", 0),
               High = bytesOf(Words, First ? "m" : "n", 1);
    if (!Low || !High || !(*Low->Gathered == *High->Gathered))
      return;
    const IntExpr Pairs = IntExpr::index("k") * IntExpr(2);
    const Operand Even = alongK(Other, Pairs),
                  Odd = alongK(Other, Pairs + IntExpr(1));
    C.Requires.push_back(
        {BoolExpr::compare(CmpOp::EQ, IntExpr::mod(C.KExtent, 2), 0),
         Words.Pointer + ": its numbers are not in pairs along k"});
    C.KExtent = IntExpr::floorDiv(C.KExtent, 2);
    Words = *Low;
    Other = Even;
    C.MoreProducts.push_back(First ? Product{*High, Odd} : Product{Odd, *High});
    return;
  }
}

} // namespace warpwright
