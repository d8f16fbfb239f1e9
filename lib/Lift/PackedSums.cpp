//===-- PackedSums.cpp - Sums over numbers that share a word --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedSums.h"
#include "SplitProduct.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace warpwright::symbolic {

/// Numbers of a word of 32 bits.
static constexpr int64_t MostNumbers = 8;

/// \p Of without what the number of a number in its word has decided, from the
/// outside to the inside.
static ValueRef withoutDecided(ValueRef Of) {
  for (ValueRef Before; Of != Before;) {
    Before = Of;
    Of = replaceValues(Of, [&](const ValueRef &V) -> ValueRef {
      if (V->K == Value::Kind::Select && V->Condition.isTrue())
        return V->Ops[0];
      if (V->K == Value::Kind::Select && V->Condition.isFalse())
        return V->Ops[1];
      if ((V->K == Value::Kind::Shr || V->K == Value::Kind::Shl) &&
          V->Ops[1]->K == Value::Kind::Int && V->Ops[1]->Index.isZero())
        return V->Ops[0];
      return nullptr;
    });
  }
  return Of;
}

namespace {
/// One sum over numbers, of which \p Size share a word.
class PackedSum {
public:
  PackedSum(const Value &Sum, int64_t Size)
      : Sum(Sum), Size(Size), Trip(Sum.Index),
        Words(IntExpr::floorDiv(Trip, Size)) {}

  /// Whether its range consists of whole words for sure.
  bool isWhole() const { return Words * Size == Trip; }
  const IntExpr &words() const { return Words; }

  /// The summand of number \p N of word \p Word.
  ValueRef summand(const IntExpr &Word, int64_t N) const {
    const std::string Key = IntExpr::counter(Sum.Counter).str();
    ValueRef Of = transformInts(Sum.Ops[0], [&](const IntAtom &A) {
      return replaced(A, Key, Word * IntExpr(Size) + IntExpr(N));
    });
    return withoutDecided(std::move(Of));
  }

private:
  const Value &Sum;
  const int64_t Size;
  const IntExpr Trip, Words;

  std::optional<IntExpr> replaced(const IntAtom &A, llvm::StringRef Key,
                                  const IntExpr &Number) const {
    if (A.getKey() == Key)
      return Number;
    if (A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod)
      return std::nullopt;
    const std::optional<int64_t> By = A.getRHS().getConstant();
    if (!By || *By < 2)
      return std::nullopt;
    IntExpr Whole = A.getLHS().transform(
        [&](const IntAtom &Inner) { return replaced(Inner, Key, Number); });
    // The range is a multiple of Size, and rows that are as long begin with a
    // whole word.
    if (const AtomRef Length = Trip.getAtom(); Length && !isWhole())
      Whole = Whole.substitute(Length->getKey(), Words * IntExpr(Size));
    // Of g X + r over g D, the quotient is that of X + floor(r / g) over D.
    int64_t Common = *By, Constant = 0;
    for (const auto &[Atoms, Coefficient] : Whole.terms())
      if (Atoms.empty())
        Constant = Coefficient;
      else
        Common = std::gcd(Common, Coefficient);
    const auto Varying = (Whole - IntExpr(Constant)).exactDivide(Common);
    if (!Varying)
      return std::nullopt;
    const IntExpr Quotient = IntExpr::floorDiv(
        *Varying + llvm::divideFloorSigned(Constant, Common), *By / Common);
    return A.getKind() == AtomKind::FloorDiv ? Quotient
                                             : Whole - IntExpr(*By) * Quotient;
  }
};
} // namespace

/// How many numbers share a word that \p Sum loads and takes bits of; 0: the
/// counter is divided in no such index.
static int64_t numbersOfWord(const Value &Sum) {
  const std::string Key = IntExpr::counter(Sum.Counter).str();
  int64_t Size = 0;
  auto Note = [&](const Value &V) {
    if (V.K != Value::Kind::Load || isFloating(V.Type) ||
        V.Type == ScalarType::Bool)
      return;
    V.Index.walk([&](const IntAtom &A) {
      const auto By = A.getKind() == AtomKind::FloorDiv
                          ? A.getRHS().getConstant()
                          : std::nullopt;
      const auto Step =
          By ? A.getLHS().coefficient(Key) : std::optional<IntExpr>();
      if (Step && Step->isOne() && *By == 2 * int64_t(byteSize(V.Type)))
        Size = std::max(Size, *By);
    });
  };
  Sum.Ops[0]->walk([&](const Value &V) {
    if (V.K == Value::Kind::And || V.K == Value::Kind::Shr ||
        V.K == Value::Kind::Shl)
      V.walk(Note);
  });
  return Size <= MostNumbers ? Size : 0;
}

/// Whether \p Sum is over the numbers of one word: its counter says by how much
/// a loaded word is shifted, and has few values, which are known.
static bool overNumbersOfWord(const Value &Sum) {
  const std::optional<int64_t> Trip = Sum.Index.getConstant();
  if (!Trip || *Trip < 1 || *Trip > MostNumbers || !Sum.Condition.isTrue())
    return false;
  const std::string Key = IntExpr::counter(Sum.Counter).str();
  bool Shifts = false;
  Sum.Ops[0]->walk([&](const Value &V) {
    Shifts |= (V.K == Value::Kind::Shr || V.K == Value::Kind::Shl) &&
              V.Ops[1]->K == Value::Kind::Int &&
              V.Ops[1]->Index.contains(Key) &&
              V.Ops[0]->containsKind(Value::Kind::Load);
  });
  return Shifts;
}

/// The sum of all summands of \p Sum, over a known number of them.
static ValueRef spelledOut(const Value &Sum) {
  const std::string Key = IntExpr::counter(Sum.Counter).str();
  ValueRef All;
  for (int64_t N = 0; N < *Sum.Index.getConstant(); ++N) {
    const ValueRef Of = withoutDecided(transformInts(
        Sum.Ops[0], [&](const IntAtom &A) -> std::optional<IntExpr> {
          return A.getKey() == Key ? std::optional(IntExpr(N)) : std::nullopt;
        }));
    All = All ? Value::binary(Value::Kind::Add, Sum.Type, All, Of) : Of;
  }
  return All;
}

ValueRef spellOutPacked(const ValueRef &V, unsigned &NextCounter,
                        std::vector<Requirement> &Requires) {
  if (!V->containsKind(Value::Kind::Sum))
    return V;
  return replaceValues(V, [&](const ValueRef &S) -> ValueRef {
    if (S->K != Value::Kind::Sum || S->Ops[0]->containsKind(Value::Kind::Sum))
      return nullptr;
    if (overNumbersOfWord(*S))
      return spelledOut(*S);
    const int64_t Size = numbersOfWord(*S);
    bool Guarded = false;
    const std::string Key = IntExpr::counter(S->Counter).str();
    S->Condition.walk([&](const IntExpr &E) { Guarded |= E.contains(Key); },
                      [&](const ValueRef &) { Guarded = true; });
    if (!Size || Guarded)
      return nullptr;
    const PackedSum Packed(*S, Size);
    const unsigned Counter = NextCounter++;
    ValueRef All;
    for (int64_t N = 0; N < Size; ++N) {
      const ValueRef Of = Packed.summand(IntExpr::counter(Counter), N);
      All = All ? Value::binary(Value::Kind::Add, S->Type, All, Of) : Of;
    }
    if (!Packed.isWhole())
      Requires.push_back(
          {BoolExpr::compare(CmpOp::EQ, IntExpr::mod(S->Index, IntExpr(Size)),
                             0),
           "the range of a sum ends inside of a word of " +
               std::to_string(Size) + " numbers"});
    auto Sum = std::make_shared<Value>(*S);
    Sum->Counter = Counter;
    Sum->Index = Packed.words();
    Sum->setOperands({All});
    return Sum;
  });
}

} // namespace warpwright::symbolic
