//===- Packed.cpp - Operands of several numbers in an element -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Packed.h"

#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/Roles.h"

using namespace llvm;

namespace warpwright {

/// \p V with every value in it, the operands first, replaced for which \p Fn
/// has another one.
static ValueRef rebuilt(const ValueRef &V,
                        function_ref<ValueRef(const Value &)> Fn) {
  const ValueRef Result =
      replaceParts(V, [&](const ValueRef &X) { return rebuilt(X, Fn); });
  const ValueRef Other = Fn(*Result);
  return Other ? Other : Result;
}

namespace {

/// Takes the products of one sum as one of the numbers in a word.
class Packer {
public:
  Packer(const Contraction &C, bool WordsFirst)
      : WordsFirst(WordsFirst), Products(1, {C.A, C.B}) {
    append_range(Products, C.MoreProducts);
    Numbers = int64_t(Products.size());
  }

  /// Nothing if they are not that.
  std::optional<Product> pack() const;

private:
  const bool WordsFirst;
  std::vector<Product> Products;
  int64_t Numbers = 0; ///< in a word

  const Operand &wordOf(size_t I) const {
    return WordsFirst ? Products[I].A : Products[I].B;
  }
  const Operand &otherOf(size_t I) const {
    return WordsFirst ? Products[I].B : Products[I].A;
  }
  std::optional<std::vector<size_t>> orderAlongK(const IntExpr &Step) const;
  ValueRef shiftedByNumber(ArrayRef<ValueRef> Factors) const;
  ValueRef chosenByNumber(ArrayRef<ValueRef> Factors) const;
};

} // namespace

/// The products in the order of their other elements along k, which are \p Step
/// apart.
std::optional<std::vector<size_t>>
Packer::orderAlongK(const IntExpr &Step) const {
  const Operand &One = otherOf(0);
  std::vector<std::pair<int64_t, size_t>> Places;
  for (size_t I = 0; I < Products.size(); ++I) {
    const Operand &Other = otherOf(I);
    const auto Steps = (Other.Index - One.Index).exactDivide(Step);
    const auto Place = Steps ? Steps->getConstant() : std::nullopt;
    if (!Place || Other.Pointer != One.Pointer || Other.Type != One.Type)
      return std::nullopt;
    Places.emplace_back(*Place, I);
  }
  llvm::sort(Places);
  std::vector<size_t> Order;
  for (const auto &[Place, I] : Places) {
    if (Place != Places.front().first + int64_t(Order.size()))
      return std::nullopt;
    Order.push_back(I);
  }
  return Order;
}

/// \p Factors, of each number of a word, as one expression in which words are
/// shifted by the place of the number of k; null if that does not give them.
ValueRef Packer::shiftedByNumber(ArrayRef<ValueRef> Factors) const {
  const IntExpr Place = IntExpr::mod(IntExpr::index("k"), Numbers);
  const ValueRef Any = rebuilt(Factors[1], [&](const Value &V) -> ValueRef {
    if (V.K != Value::Kind::Shr || V.Ops[1]->K != Value::Kind::Int ||
        !V.Ops[1]->Index.getConstant())
      return nullptr;
    const Value &By = *V.Ops[1];
    return Value::binary(V.K, V.Type, V.Ops[0],
                         Value::integer(By.Type, By.Index * Place));
  });
  for (int64_t Number = 0; Number < Numbers; ++Number) {
    const ValueRef One =
        transformInts(Any, [&](const IntAtom &A) -> std::optional<IntExpr> {
          return Place.getAtom() && A.getKey() == Place.getAtom()->getKey()
                     ? std::optional(IntExpr(Number))
                     : std::nullopt;
        });
    const ValueRef Plain = rebuilt(One, [](const Value &V) -> ValueRef {
      const bool ByNone = V.K == Value::Kind::Shr &&
                          V.Ops[1]->K == Value::Kind::Int &&
                          V.Ops[1]->Index.isZero();
      return ByNone ? V.Ops[0] : nullptr;
    });
    if (!sameValue(Plain, Factors[size_t(Number)]))
      return nullptr;
  }
  return Any;
}

/// The same, chosen by the place.
ValueRef Packer::chosenByNumber(ArrayRef<ValueRef> Factors) const {
  ValueRef Result;
  for (int64_t Number = Numbers; Number--;) {
    const ValueRef &Factor = Factors[size_t(Number)];
    const IntExpr Place = IntExpr::mod(IntExpr::index("k"), Numbers);
    Result = Result ? Value::select(BoolExpr::compare(CmpOp::EQ, Place, Number),
                                    Factor, Result)
                    : Factor;
  }
  return Result;
}

std::optional<Product> Packer::pack() const {
  const Operand &Word = wordOf(0), &Other = otherOf(0);
  if (isFloating(Word.Type) || Word.Type == ScalarType::Bool ||
      byteSize(Word.Type) > 4 || Numbers != 2 * int64_t(byteSize(Word.Type)))
    return std::nullopt;
  for (size_t I = 0; I < Products.size(); ++I)
    if (Products[I].Subtracted || Products[I].KExtent ||
        !wordOf(I).isElement(*Word.element()) || !wordOf(I).Prologue ||
        otherOf(I).Prologue)
      return std::nullopt;
  const auto Step = Other.stride("k").exactDivide(Numbers);
  if (!Step || Step->isZero())
    return std::nullopt;
  const auto Order = orderAlongK(*Step);
  if (!Order)
    return std::nullopt;

  const IntExpr K = IntExpr::index("k");
  auto ByNumbers = [&](const IntAtom &A) { return countingParts(A, Numbers); };
  Operand Packed = Word, Plain = otherOf(Order->front());
  Plain.Index += (*Step - Plain.stride("k")) * K;
  Packed.Index = Word.Index.transform(ByNumbers);
  std::vector<ValueRef> Factors;
  for (size_t I : *Order) {
    Factors.push_back(transformInts(wordOf(I).Prologue, ByNumbers));
    if (Factors.back()->Type != Factors.front()->Type)
      return std::nullopt;
  }
  Packed.Prologue = shiftedByNumber(Factors);
  if (!Packed.Prologue)
    Packed.Prologue = chosenByNumber(Factors);
  return WordsFirst ? Product{Packed, Plain} : Product{Plain, Packed};
}

void takeNumbers(Contraction &C, std::optional<int64_t> BlockK) {
  if (C.sumCount() != 1 || C.MoreProducts.empty() || C.hasScales() ||
      !elementType(PartType)->addsIn(C.AccType))
    return;
  constexpr int64_t PairedBlock = 64;
  Contraction Paired = C;
  takeNibbles(Paired);
  const bool OtherBlocks = (Paired.A.Gathered || Paired.B.Gathered) && BlockK &&
                           *BlockK % PairedBlock;
  if (hasNibbles(Paired) && !OtherBlocks &&
      !feedsFor(Paired, FactorPrecision::Float).empty()) {
    C = std::move(Paired);
    return;
  }
  for (bool WordsFirst : {true, false}) {
    const Packer One(C, WordsFirst);
    if (const auto Packed = One.pack()) {
      C.KExtent = C.KExtent * IntExpr(int64_t(C.MoreProducts.size()) + 1);
      C.MoreProducts.clear();
      C.A = Packed->A;
      C.B = Packed->B;
      return;
    }
  }
}

} // namespace warpwright
