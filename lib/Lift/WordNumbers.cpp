//===-- WordNumbers.cpp - Numbers whose words lie across k ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WordNumbers.h"
#include "SplitProduct.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <functional>

namespace warpwright::symbolic {

static constexpr int NumberBits = 4;
/// The printed size of what is looked at as one number.
static constexpr unsigned MaxSize = 512;

static bool isWord(ScalarType T) {
  return !isFloating(T) && T != ScalarType::Bool && byteSize(T) <= 4;
}

static bool isSigned(ScalarType T) {
  return T == ScalarType::I8 || T == ScalarType::I16 || T == ScalarType::I32;
}

/// The place in its word of number \p I of an array, if the places are
/// `a + b * (i / p) + c * (i % p)` of the number i of a word.
static std::optional<IntExpr> placeOf(const IntExpr &I,
                                      llvm::ArrayRef<unsigned> Places) {
  const int64_t Count = int64_t(Places.size()), First = Places[0];
  for (int64_t Period = Count; Period >= 2; Period /= 2) {
    const int64_t Within = int64_t(Places[1]) - First,
                  Next = Period < Count ? int64_t(Places[Period]) - First : 0;
    auto At = [&](const IntExpr &N) {
      return IntExpr(First) +
             IntExpr(Next) * IntExpr::floorDiv(N, IntExpr(Period)) +
             IntExpr(Within) * IntExpr::mod(N, IntExpr(Period));
    };
    bool Fits = true;
    for (int64_t N = 0; N < Count; ++N)
      Fits &= At(N) == IntExpr(int64_t(Places[size_t(N)]));
    if (Fits)
      return At(Period == Count ? I : IntExpr::mod(I, Count));
  }
  return std::nullopt;
}

namespace {

/// An integer of which the bits from At on are bits of a word, and all others
/// are 0, or with Signed, those above are the highest of these.
struct Field {
  int Low, Width, At = 0;
  bool Signed = false;

  /// What an integer of type \p T keeps of it; nothing if none of its bits, or
  /// if copies of the highest one would end somewhere in it.
  std::optional<Field> in(ScalarType T) const {
    const int Bits = int(8 * byteSize(T));
    if (At + Width < Bits)
      return Signed && !isSigned(T) ? std::nullopt : std::optional(*this);
    if (At >= Bits)
      return std::nullopt;
    return Field{Low, Bits - At, At, isSigned(T)};
  }
};

/// An index that is divided by the numbers of a word, `E / 8`, as `8 q + i`: by
/// what one of the atoms of E is then.
class Residues {
public:
  /// Whether \p E has such an atom.
  static std::optional<Residues> of(const IntExpr &E, int64_t Numbers) {
    for (const auto &[Atoms, Coefficient] : E.terms()) {
      if (Atoms.size() != 1 || !Atoms[0]->isLeaf() ||
          (Coefficient != 1 && Coefficient != -1))
        continue;
      const std::string Key = Atoms[0]->getKey().str();
      const IntExpr Rest = E - IntExpr(Atoms[0]) * IntExpr(Coefficient);
      if (!Rest.contains(Key))
        return Residues(Key, Rest, Coefficient, Numbers);
    }
    return std::nullopt;
  }

  IntExpr with(const IntExpr &X, int64_t I) const {
    return X.substitute(Key, by(I));
  }
  BoolExpr with(const BoolExpr &X, int64_t I) const {
    return X.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      return A.getKey() == Key ? std::optional(by(I)) : std::nullopt;
    });
  }

private:
  std::string Key;
  IntExpr Rest;
  int64_t Sign, Numbers;

  Residues(std::string Key, IntExpr Rest, int64_t Sign, int64_t Numbers)
      : Key(std::move(Key)), Rest(std::move(Rest)), Sign(Sign),
        Numbers(Numbers) {}
  IntExpr by(int64_t I) const {
    // No parameter has a space in its name.
    const IntExpr Word = IntExpr::param("word of the number");
    return (Word * IntExpr(Numbers) + IntExpr(I) - Rest) * IntExpr(Sign);
  }
};

class NumberFinder {
public:
  explicit NumberFinder(WordArrays &Words) : Words(Words) {}

  ValueRef in(const ValueRef &V) {
    if (const auto Known = Done.find({V.get(), Counters.size()});
        Known != Done.end() && Known->second.first == V)
      return Known->second.second;
    ValueRef Result = Counters.empty() ? nullptr : number(V);
    if (!Result)
      Result = inOperands(V);
    Done[{V.get(), Counters.size()}] = {V, Result};
    return Result;
  }

private:
  WordArrays &Words;
  std::vector<std::string> Counters; ///< of the sums around
  std::map<std::pair<const Value *, size_t>, std::pair<ValueRef, ValueRef>>
      Done;

  ValueRef inOperands(const ValueRef &V) {
    const bool Sum = V->K == Value::Kind::Sum;
    if (Sum) {
      Counters.push_back(IntExpr::counter(V->Counter).str());
      // Other sums have other counters.
      for (auto It = Done.begin(); It != Done.end();)
        It =
            It->first.second < Counters.size() ? std::next(It) : Done.erase(It);
    }
    ValueRef Result =
        replaceParts(V, [this](const ValueRef &X) { return in(X); });
    if (Sum)
      Counters.pop_back();
    return Result;
  }

  ValueRef number(const ValueRef &V) const;
  bool isStepped(const IntExpr &Index) const;
  static std::optional<Field> fieldOf(const Value &V, const Residues &By,
                                      int64_t I);
};

} // namespace

/// Whether a loop of the sum steps through \p Index.
bool NumberFinder::isStepped(const IntExpr &Index) const {
  return llvm::any_of(Counters, [&](const std::string &Key) {
    const auto Step = Index.coefficient(Key);
    return Step && !Step->isZero();
  });
}

/// Which bits of its word \p V is for number \p I of a word.
std::optional<Field> NumberFinder::fieldOf(const Value &V, const Residues &By,
                                           int64_t I) {
  using Kind = Value::Kind;
  if (!isWord(V.Type))
    return std::nullopt;
  const int Bits = int(8 * byteSize(V.Type));
  auto Constant = [&](const Value &X) -> std::optional<int64_t> {
    if (X.K != Kind::Int)
      return std::nullopt;
    return By.with(X.Index, I).getConstant();
  };
  switch (V.K) {
  case Kind::Load:
    return Field{0, Bits, 0, isSigned(V.Type)};
  case Kind::Select: {
    const BoolExpr When = By.with(V.Condition, I);
    if (!When.isTrue() && !When.isFalse())
      return std::nullopt;
    return fieldOf(*V.Ops[When.isTrue() ? 0 : 1], By, I);
  }
  case Kind::Cast: {
    auto F = fieldOf(*V.Ops[0], By, I);
    if (!F)
      return std::nullopt;
    return F->in(V.Type);
  }
  case Kind::And: {
    auto F = fieldOf(*V.Ops[0], By, I);
    auto Mask = Constant(*V.Ops[1]);
    if (!F || !Mask) {
      F = fieldOf(*V.Ops[1], By, I);
      Mask = Constant(*V.Ops[0]);
    }
    if (!F || !Mask)
      return std::nullopt;
    const uint64_t Ones =
        uint64_t(*Mask) & llvm::maskTrailingOnes<uint64_t>(Bits);
    if (!llvm::isShiftedMask_64(Ones))
      return std::nullopt;
    const int From = llvm::countr_zero(Ones), To = From + llvm::popcount(Ones);
    const int Top = F->At + F->Width;
    if (F->Signed && To > Top)
      return std::nullopt;
    const int Begin = std::max(From, F->At), End = std::min(To, Top);
    if (Begin >= End)
      return std::nullopt;
    return Field{F->Low + Begin - F->At, End - Begin, Begin,
                 isSigned(V.Type) && End == Bits};
  }
  case Kind::Shl: {
    auto F = fieldOf(*V.Ops[0], By, I);
    const auto Count = Constant(*V.Ops[1]);
    if (!F || !Count || *Count < 0 || *Count >= Bits)
      return std::nullopt;
    F->At += int(*Count);
    return F->in(V.Type);
  }
  case Kind::Shr: {
    auto F = fieldOf(*V.Ops[0], By, I);
    const auto Count = Constant(*V.Ops[1]);
    if (!F || !Count || *Count < 0 || *Count >= Bits ||
        (F->Signed && !isSigned(V.Type)))
      return std::nullopt;
    const int Dropped = std::max(0, int(*Count) - F->At);
    F->At = std::max(0, F->At - int(*Count));
    F->Low += Dropped;
    F->Width -= Dropped;
    return F->Width > 0 ? F : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// \p V as an element of the type U4, if it is four bits of a word that a
/// quotient of an index other than that of the sum chooses, and the remainder
/// says which four. Null if not.
ValueRef NumberFinder::number(const ValueRef &V) const {
  if (!isWord(V->Type) || V->Size > MaxSize || V->K == Value::Kind::Load ||
      V->K == Value::Kind::Int)
    return nullptr;
  ValueRef Word;
  bool One = true;
  std::function<void(const ValueRef &)> Find = [&](const ValueRef &X) {
    if (X->K == Value::Kind::Load) {
      One &= !Word || sameValue(Word, X);
      Word = X;
    }
    llvm::for_each(X->Ops, Find);
  };
  Find(V);
  if (!Word || !One || !isWord(Word->Type) || !isStepped(Word->Index))
    return nullptr;
  const int64_t Numbers = 2 * int64_t(byteSize(Word->Type));
  for (const auto &[Atoms, Coefficient] : Word->Index.terms()) {
    if (Atoms.size() != 1 || Coefficient != 1 ||
        Atoms[0]->getKind() != AtomKind::FloorDiv ||
        Atoms[0]->getRHS().getConstant() != Numbers)
      continue;
    const IntExpr &Divided = Atoms[0]->getLHS();
    if (llvm::any_of(Counters, [&](const std::string &Key) {
          return Divided.contains(Key);
        }))
      continue;
    const auto By = Residues::of(Divided, Numbers);
    if (!By)
      continue;
    const IntExpr Rest = Word->Index - IntExpr(Atoms[0]);
    NumberOrder Order;
    bool Signed = false;
    for (int64_t I = 0; I < Numbers; ++I) {
      const auto F = fieldOf(*V, *By, I);
      if (!F || F->At != 0 || F->Width != NumberBits ||
          F->Low % NumberBits != 0 || By->with(Rest, I) != Rest ||
          (I > 0 && F->Signed != Signed))
        return nullptr;
      Signed = F->Signed;
      Order.Places.push_back(unsigned(F->Low / NumberBits));
    }
    if (!placeOf(Divided, Order.Places))
      return nullptr;
    const auto [Known, New] =
        Words.try_emplace(Word->Name, WordsOfNumbers{Word->Type, Order});
    if (!New && (Known->second.Type != Word->Type ||
                 Known->second.Order.Places != Order.Places))
      return nullptr;
    const ValueRef Element = Value::load(ScalarType::U4, Word->Name,
                                         Rest * IntExpr(Numbers) + Divided);
    if (!Signed)
      return Value::cast(V->Type, Element);
    // The bits of 8 to 15 are those of -8 to -1.
    const ScalarType T = ScalarType::I32;
    auto Number = [&](int64_t N) { return Value::integer(T, N); };
    return Value::cast(
        V->Type,
        Value::binary(Value::Kind::Sub, T,
                      Value::binary(Value::Kind::Xor, T,
                                    Value::cast(T, Element), Number(8)),
                      Number(8)));
  }
  return nullptr;
}

ValueRef takeWordNumbers(const ValueRef &V, WordArrays &Words) {
  return NumberFinder(Words).in(V);
}

/// The word of the number at \p Index of \p Pointer.
static ValueRef wordAt(const std::string &Pointer, const WordsOfNumbers &Words,
                       const IntExpr &Index) {
  return Value::load(
      Words.Type, Pointer,
      IntExpr::floorDiv(Index, int64_t(Words.Order.Places.size())));
}

bool restoreWords(Contraction &C, const WordArrays &Words) {
  if (Words.empty())
    return true;
  auto Restored = [&](const ValueRef &V) {
    return replaceValues(V, [&](const ValueRef &X) -> ValueRef {
      if (X->K != Value::Kind::Load || X->Type != ScalarType::U4)
        return nullptr;
      const WordsOfNumbers &W = Words.at(X->Name);
      const ValueRef Word =
          Value::cast(ScalarType::U32, wordAt(X->Name, W, X->Index));
      const ValueRef By =
          Value::integer(ScalarType::I32, *placeOf(X->Index, W.Order.Places) *
                                              IntExpr(NumberBits));
      return Value::binary(
          Value::Kind::And, ScalarType::U32,
          Value::binary(Value::Kind::Shr, ScalarType::U32, Word, By),
          Value::integer(ScalarType::U32, 15));
    });
  };
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    Accumulation Sum = C.sum(I);
    for (Product &P : Sum.Products)
      for (Operand *O : {&P.A, &P.B}) {
        if (O->Type == ScalarType::U4 && !O->Prologue)
          O->Prologue = Value::cast(Sum.AccType, O->element());
        if (O->Prologue)
          O->Prologue = Restored(O->Prologue);
        if (O->Type != ScalarType::U4)
          continue;
        const WordsOfNumbers &W = Words.at(O->Pointer);
        O->Index = wordAt(O->Pointer, W, O->Index)->Index;
        O->Type = W.Type;
      }
    C.setSum(I, std::move(Sum));
  }
  for (Output &O : C.Outputs)
    O.Value = Restored(O.Value);
  bool Left = false;
  const std::function<void(const ValueRef &)> Look = [&](const ValueRef &V) {
    V->walk([&](const Value &X) {
      Left |= X.Type == ScalarType::U4;
      X.Condition.walk([](const IntExpr &) {}, Look);
    });
  };
  C.walk([](const IntExpr &) {}, Look);
  return !Left;
}

} // namespace warpwright::symbolic
