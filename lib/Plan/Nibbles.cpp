//===- Nibbles.cpp - Operands of four bits --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Nibbles.h"

#include "warpwright/Contraction/Compare.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <climits>

using namespace llvm;

namespace warpwright {

static bool isInteger(ScalarType T) {
  return !isFloating(T) && T != ScalarType::Bool && byteSize(T) <= 4;
}

static bool isSigned(ScalarType T) {
  return T == ScalarType::I8 || T == ScalarType::I16 || T == ScalarType::I32;
}

/// \p X modulo two to the power of the bits of the integer type \p T.
static int64_t wrap(ScalarType T, int64_t X) {
  if (!isInteger(T))
    return X;
  const unsigned Bits = 8 * byteSize(T);
  return isSigned(T) ? SignExtend64(uint64_t(X), Bits)
                     : int64_t(uint64_t(X) & maskTrailingOnes<uint64_t>(Bits));
}

namespace {

constexpr int NibbleBits = 4, NibbleValues = 16;

/// A bit of an integer that is computed from a word: a constant, or a bit of
/// the word, perhaps inverted.
struct Bit {
  int Of = -1;        ///< the number of the word's bit; -1: none
  bool Flips = false; ///< the constant, or whether it is inverted
  bool operator==(const Bit &O) const { return Of == O.Of && Flips == O.Flips; }
};
using Bits = SmallVector<Bit, 32>;

/// The values of a function of four bits of a word.
struct Table {
  int Nibble = -1; ///< which four; -1: it is constant
  std::array<int64_t, NibbleValues> Values = {};
};

/// Computes what depends on nothing but a word that is loaded: as bits, or
/// where there is arithmetic of four bits of it for all values that they have.
class WordFunction {
public:
  explicit WordFunction(const Operand &Word) : Word(Word) {}

  /// Nothing if \p V depends on more, or is not computed here.
  std::optional<Table> of(const Value &V) const {
    if (const auto B = bitsOf(V))
      return asTable(V.Type, *B);
    // Numbers of a few bits are floats, too.
    const bool Floats = V.Type == ScalarType::F32 || V.Type == ScalarType::F16;
    if (!isInteger(V.Type) && !Floats)
      return std::nullopt;
    std::optional<Table> Result;
    auto Compute = [&](auto Operation, const Table &X, const Table &Y) {
      if (X.Nibble >= 0 && Y.Nibble >= 0 && X.Nibble != Y.Nibble)
        return;
      Table R{std::max(X.Nibble, Y.Nibble)};
      for (int I = 0; I < NibbleValues; ++I) {
        R.Values[I] = wrap(V.Type, Operation(X.Values[I], Y.Values[I]));
        // Floats of more bits are left to those who compute them.
        if (Floats && std::abs(R.Values[I]) > 1024)
          return;
      }
      Result = R;
    };
    auto First = [](int64_t X, int64_t) { return X; };
    switch (V.K) {
    case Value::Kind::Constant:
      if (const std::optional<double> X = V.getConstant();
          X && std::abs(*X) < 256 && *X == double(int64_t(*X))) {
        Table T;
        T.Values.fill(int64_t(*X));
        return T;
      }
      return std::nullopt;
    case Value::Kind::Int:
      if (const std::optional<int64_t> N = V.Index.getConstant()) {
        Table T;
        T.Values.fill(*N);
        Compute(First, T, T);
      }
      return Result;
    case Value::Kind::Cast:
    case Value::Kind::Neg:
      if (const auto X = of(*V.Ops[0]))
        Compute([&](int64_t N,
                    int64_t) { return V.K == Value::Kind::Neg ? -N : N; },
                *X, *X);
      return Result;
    case Value::Kind::Select: {
      // `q >= 8 ? q - 16 : q`
      const auto When = of(V.Condition), Then = of(*V.Ops[0]),
                 Else = of(*V.Ops[1]);
      if (When && Then && Else)
        return chosen(*When, *Then, *Else);
      return std::nullopt;
    }
    case Value::Kind::Add:
    case Value::Kind::Sub:
    case Value::Kind::And:
    case Value::Kind::Or:
    case Value::Kind::Xor:
    case Value::Kind::Shl:
    case Value::Kind::Shr:
      break;
    default:
      return std::nullopt;
    }
    const auto X = of(*V.Ops[0]), Y = of(*V.Ops[1]);
    if (!X || !Y)
      return std::nullopt;
    switch (V.K) {
    case Value::Kind::Add:
      Compute([](int64_t L, int64_t R) { return L + R; }, *X, *Y);
      break;
    case Value::Kind::Sub:
      Compute([](int64_t L, int64_t R) { return L - R; }, *X, *Y);
      break;
    case Value::Kind::And:
      Compute([](int64_t L, int64_t R) { return L & R; }, *X, *Y);
      break;
    case Value::Kind::Or:
      Compute([](int64_t L, int64_t R) { return L | R; }, *X, *Y);
      break;
    case Value::Kind::Xor:
      Compute([](int64_t L, int64_t R) { return L ^ R; }, *X, *Y);
      break;
    default:
      // Of a table; bits were shifted above.
      if (Y->Nibble >= 0 || Y->Values[0] < 0 || Y->Values[0] > 31)
        return std::nullopt;
      if (V.K == Value::Kind::Shl)
        Compute([](int64_t L, int64_t R) { return L * (int64_t(1) << R); }, *X,
                *Y);
      else
        Compute([](int64_t L, int64_t R) { return L >> R; }, *X, *Y);
    }
    return Result;
  }

private:
  const Operand &Word;

  /// 1 where \p When holds, and 0 where it does not.
  std::optional<Table> of(const BoolExpr &When) const {
    std::optional<Table> L, R;
    if (When.getKind() == BoolExpr::Kind::FloatCmp) {
      L = of(*When.getValueLHS());
      R = of(*When.getValueRHS());
    } else if (When.operands().size() == 2) {
      L = of(When.operands()[0]);
      R = of(When.operands()[1]);
    } else if (When.getKind() == BoolExpr::Kind::Not) {
      L = of(When.operands()[0]);
      R = L;
    }
    if (!L || !R ||
        (L->Nibble >= 0 && R->Nibble >= 0 && L->Nibble != R->Nibble))
      return std::nullopt;
    Table Result{std::max(L->Nibble, R->Nibble)};
    for (int I = 0; I < NibbleValues; ++I)
      Result.Values[I] = holds(When, L->Values[I], R->Values[I]);
    return Result;
  }

  /// Whether \p When holds, of which the sides, or the parts, are \p L and \p
  /// R.
  static bool holds(const BoolExpr &When, int64_t L, int64_t R) {
    switch (When.getKind()) {
    case BoolExpr::Kind::And:
      return L && R;
    case BoolExpr::Kind::Or:
      return L || R;
    case BoolExpr::Kind::Not:
      return !L;
    default:
      return warpwright::holds(When.getOp(), L, R);
    }
  }

  /// \p Then where \p When is 1, and \p Else where it is 0; nothing if they are
  /// of different bits.
  static std::optional<Table> chosen(const Table &When, const Table &Then,
                                     const Table &Else) {
    Table Result{std::max({When.Nibble, Then.Nibble, Else.Nibble})};
    for (const Table *Part : {&When, &Then, &Else})
      if (Part->Nibble >= 0 && Part->Nibble != Result.Nibble)
        return std::nullopt;
    for (int I = 0; I < NibbleValues; ++I)
      Result.Values[I] = (When.Values[I] ? Then : Else).Values[I];
    return Result;
  }

  std::optional<Bits> bitsOf(const Value &V) const {
    if (!isInteger(V.Type))
      return std::nullopt;
    const int Width = int(8 * byteSize(V.Type));
    Bits R(Width);
    if (Word.isElement(V)) {
      for (int I = 0; I < Width; ++I)
        R[I].Of = I;
      return R;
    }
    if (V.K == Value::Kind::Int) {
      const std::optional<int64_t> N = V.Index.getConstant();
      if (!N)
        return std::nullopt;
      for (int I = 0; I < Width; ++I)
        R[I].Flips = *N >> I & 1;
      return R;
    }
    if (V.K == Value::Kind::Cast) {
      const auto X = bitsOf(*V.Ops[0]);
      if (!X)
        return std::nullopt;
      for (int I = 0; I < Width; ++I)
        if (I < int(X->size()))
          R[I] = (*X)[I];
        else if (isSigned(V.Ops[0]->Type))
          R[I] = X->back();
      return R;
    }
    const bool Shift = V.K == Value::Kind::Shl || V.K == Value::Kind::Shr;
    if (!Shift && V.K != Value::Kind::And && V.K != Value::Kind::Or &&
        V.K != Value::Kind::Xor)
      return std::nullopt;
    const auto X = bitsOf(*V.Ops[0]), Y = bitsOf(*V.Ops[1]);
    if (!X || !Y || int(X->size()) != Width)
      return std::nullopt;
    if (Shift) {
      int64_t Count = 0;
      for (size_t I = 0; I < Y->size(); ++I) {
        if ((*Y)[I].Of >= 0)
          return std::nullopt;
        Count |= int64_t((*Y)[I].Flips) << I;
      }
      if (Count >= Width)
        return std::nullopt;
      for (int I = 0; I < Width; ++I) {
        const int64_t From = V.K == Value::Kind::Shl ? I - Count : I + Count;
        if (From >= 0 && From < Width)
          R[I] = (*X)[From];
        else if (From >= Width && isSigned(V.Type))
          R[I] = X->back();
      }
      return R;
    }
    if (int(Y->size()) != Width)
      return std::nullopt;
    for (int I = 0; I < Width; ++I) {
      // A constant decides about the other bit, or leaves or inverts it.
      Bit Of = (*X)[I], By = (*Y)[I];
      if (Of.Of < 0)
        std::swap(Of, By);
      if (By.Of >= 0)
        return std::nullopt;
      if (V.K == Value::Kind::Xor)
        R[I] = {Of.Of, Of.Flips != By.Flips};
      else
        R[I] = By.Flips == (V.K == Value::Kind::And) ? Of : By;
    }
    return R;
  }

  /// \p B as a number of type \p T, if no two of its bits belong to different
  /// four.
  static std::optional<Table> asTable(ScalarType T, const Bits &B) {
    Table R;
    for (const Bit &X : B) {
      if (X.Of < 0)
        continue;
      if (R.Nibble >= 0 && R.Nibble != X.Of / NibbleBits)
        return std::nullopt;
      R.Nibble = X.Of / NibbleBits;
    }
    for (int V = 0; V < NibbleValues; ++V) {
      uint64_t N = 0;
      for (size_t I = 0; I < B.size(); ++I) {
        const bool Set = B[I].Of >= 0 && V >> B[I].Of % NibbleBits & 1;
        N |= uint64_t(Set != B[I].Flips) << I;
      }
      R.Values[V] = wrap(T, int64_t(N));
    }
    return R;
  }
};

/// What a factor takes out of its word.
struct Nibble {
  bool Signed = false;
  int Number = 0; ///< of the four bits, from the lowest ones on

  int64_t of(int Value) const {
    return Signed && Value >= NibbleValues / 2 ? Value - NibbleValues : Value;
  }
  bool operator==(const Nibble &O) const {
    return Signed == O.Signed && Number == O.Number;
  }
};

/// Finds the four bits that a prologue takes out of its word, and makes an
/// element of them.
class NibbleReader {
public:
  NibbleReader(const Operand &Word, ValueRef Element)
      : Word(Word), Function(Word), Element(std::move(Element)) {}

  std::optional<Nibble> Found;

  /// \p V with the element in place of the bits; null if it is not that: it
  /// reads the word in another way, or different bits of it.
  ValueRef read(const ValueRef &V) {
    if (auto Known = Replaced.find(V.get()); Known != Replaced.end())
      return Known->second;
    ValueRef New = readNew(V);
    Replaced[V.get()] = New;
    return New;
  }

private:
  const Operand &Word;
  WordFunction Function;
  const ValueRef Element;
  DenseMap<const Value *, ValueRef> Replaced;

  bool readsWord(const Value &V) const {
    bool Reads = false;
    V.walk([&](const Value &N) { Reads |= Word.isElement(N); });
    return Reads;
  }

  ValueRef readNew(const ValueRef &V) {
    if (!readsWord(*V))
      return V;
    if (const auto Values = Function.of(*V))
      if (ValueRef Same = asNibble(V->Type, *Values))
        return Same;
    if (V->Ops.empty() || V->K == Value::Kind::Select || V->Body)
      return nullptr;
    std::vector<ValueRef> Ops;
    for (const ValueRef &Op : V->Ops) {
      Ops.push_back(read(Op));
      if (!Ops.back())
        return nullptr;
    }
    auto Copy = std::make_shared<Value>(*V);
    Copy->setOperands(std::move(Ops));
    return Copy;
  }

  /// \p Of as four bits of the word and a number that is added to them.
  ValueRef asNibble(ScalarType T, const Table &Of) {
    const int64_t Added = Of.Values[0];
    if (Of.Nibble < 0 || std::abs(Added) > 255)
      return nullptr;
    for (const bool Signed : {false, true}) {
      const Nibble N = {Signed, Of.Nibble};
      bool Equal = !Found || *Found == N;
      for (int V = 0; V < NibbleValues && Equal; ++V)
        Equal = Of.Values[V] == N.of(V) + Added;
      if (!Equal)
        continue;
      Found = N;
      const ValueRef Plain = Value::cast(T, Element);
      return Added ? Value::binary(Value::Kind::Sub, T, Plain,
                                   Value::integer(T, IntExpr(-Added)))
                   : Plain;
    }
    return nullptr;
  }
};

/// The products of a sum as one of pairs.
struct PairedProduct {
  Operand Bytes, Wide;
  int64_t WordBytes = 1; ///< k counts bytes, where it counted words
  std::vector<Requirement> Requires;
};

} // namespace

static ScalarType pairType(bool Signed, bool HighFirst) {
  if (Signed)
    return HighFirst ? ScalarType::S4X2High : ScalarType::S4X2;
  return HighFirst ? ScalarType::U4X2High : ScalarType::U4X2;
}

/// \p E / 2, with a requirement where that has to be a whole number.
static IntExpr half(const IntExpr &E, const std::string &Name,
                    std::vector<Requirement> &Requires) {
  if (auto Exact = E.exactDivide(2))
    return *Exact;
  Requires.push_back({BoolExpr::compare(CmpOp::EQ, IntExpr::mod(E, 2), 0),
                      Name + ": rows do not begin with a pair of elements"});
  return IntExpr::floorDiv(E, 2);
}

/// The elements at \p Wide and behind them as pairs, of which each k has \p
/// Numbers; nothing if they do not lie side by side along k.
static std::optional<Operand> pairsOf(const Contraction &C, const Operand &Wide,
                                      const char *Free, int64_t Numbers,
                                      std::vector<Requirement> &Requires) {
  IntExpr Rest = Wide.Index, Index;
  for (const char *Name : {"b", Free, "k"}) {
    const auto Stride = Wide.Index.coefficient(("%" + Twine(Name)).str());
    if (!Stride)
      return std::nullopt;
    const IntExpr Along = IntExpr::index(Name);
    Rest -= *Stride * Along;
    if (Along != IntExpr::index("k"))
      Index += half(*Stride, Wide.Pointer, Requires) * Along;
    else if (*Stride != IntExpr(Numbers))
      return std::nullopt;
    else
      Index += Along; // which counts pairs from now on
  }
  if (Rest.containsKind(AtomKind::Index))
    return std::nullopt;
  Index += half(Rest, Wide.Pointer, Requires);
  // The launcher compares offsets of pairs with what the original's type of
  // offsets holds; those of elements are twice as large.
  if (C.IndexBits <= 32) {
    IntExpr Reach = IntExpr::max(Rest, -Rest) + (Numbers - 1);
    const IntExpr Extents[] = {C.BatchExtent,
                               *Free == 'm' ? C.MExtent : C.NExtent, C.KExtent};
    int I = 0;
    for (const char *Name : {"b", Free, "k"}) {
      const IntExpr Span = Wide.stride(Name) * (Extents[I++] - 1);
      Reach += IntExpr::max(Span, -Span);
    }
    Requires.push_back(
        {BoolExpr::compare(CmpOp::LE, Reach,
                           C.IndexSigned ? int64_t(INT32_MAX)
                                         : int64_t(UINT32_MAX)),
         Wide.Pointer + ": an index is out of its type's range"});
  }
  Operand Result = Wide;
  Result.Index = Index;
  Result.Type =
      Wide.Type == ScalarType::F16 ? ScalarType::F16X2 : ScalarType::BF16X2;
  return Result;
}

std::optional<IntExpr> countingParts(const IntAtom &A, int64_t Parts) {
  const IntExpr K = IntExpr::index("k");
  if (A.getKey() == K.str())
    return IntExpr::floorDiv(K, Parts);
  const std::optional<int64_t> By = A.getKind() == AtomKind::FloorDiv
                                        ? A.getRHS().getConstant()
                                        : std::nullopt;
  if (By && *By > 0 && A.getLHS() == K)
    return IntExpr::floorDiv(K, *By * Parts);
  return std::nullopt;
}

/// \p O, whose k counts words of \p WordBytes, with k counting bytes in
/// everything but the element's own index.
static Operand countingBytes(const Operand &O, int64_t WordBytes) {
  Operand R = O;
  if (WordBytes == 1)
    return R;
  auto OfWord = [&](const IntAtom &A) { return countingParts(A, WordBytes); };
  R.Index = O.Index.transform(OfWord);
  if (O.Prologue)
    R.Prologue = transformInts(O.Prologue, OfWord);
  return R;
}

static std::optional<PairedProduct> pairUp(const Contraction &C,
                                           bool BytesFirst) {
  std::vector<Product> All = {{C.A, C.B}};
  append_range(All, C.MoreProducts);
  auto WordsOf = [&](size_t I) -> const Operand & {
    return BytesFirst ? All[I].A : All[I].B;
  };
  auto WideOf = [&](size_t I) -> const Operand & {
    return BytesFirst ? All[I].B : All[I].A;
  };
  const Operand Words = WordsOf(0), Wide = WideOf(0);
  if (!isInteger(Words.Type) || All.size() != 2 * byteSize(Words.Type) ||
      (Wide.Type != ScalarType::F16 && Wide.Type != ScalarType::BF16))
    return std::nullopt;

  // By their places along k.
  std::vector<std::pair<int64_t, size_t>> Places;
  for (size_t I = 0; I < All.size(); ++I) {
    const std::optional<int64_t> Apart =
        WideOf(I).Index.constantBeside(Wide.Index, /*Plus=*/false);
    if (!Apart || All[I].Subtracted || All[I].KExtent || !WordsOf(I).Prologue ||
        WideOf(I).Prologue || !WordsOf(I).isElement(*Words.element()) ||
        WideOf(I).Pointer != Wide.Pointer || WideOf(I).Type != Wide.Type)
      return std::nullopt;
    Places.push_back({*Apart, I});
  }
  llvm::sort(Places);

  PairedProduct Result;
  Result.WordBytes = byteSize(Words.Type);
  Result.Bytes = Words;
  // The bytes of words have to be neighbours, with their numbers in the order
  // of k; single ones may lie across k. Otherwise they are gathered.
  bool InOrder = Result.WordBytes == 1 || Words.stride("k").isOne();
  if (InOrder)
    Result.Bytes.Index =
        (Words.Index - IntExpr::index("k")) * Result.WordBytes +
        IntExpr::index("k");
  // Which four bits come first has to be known before the element's type is.
  ValueRef Factor;
  auto Read = [&](size_t Place) -> std::optional<Nibble> {
    const Operand Word =
        countingBytes(WordsOf(Places[Place].second), Result.WordBytes);
    NibbleReader Reader(Word, Result.Bytes.element());
    Factor = Reader.read(Word.Prologue);
    return Factor ? Reader.Found : std::nullopt;
  };
  const auto First = Read(0);
  if (!First)
    return std::nullopt;
  const bool HighFirst = First->Number % 2;
  NumberOrder Order;
  Order.AlongK = true;
  for (size_t Place = 0; Place < Places.size(); ++Place) {
    const auto Found = Read(Place);
    if (Places[Place].first != Places[0].first + int64_t(Place) || !Found ||
        Found->Signed != First->Signed)
      return std::nullopt;
    InOrder &= Found->Number == (int(Place) ^ int(HighFirst));
    Order.Places.push_back(unsigned(Found->Number));
  }
  if (!InOrder) {
    if (Result.WordBytes == 1)
      return std::nullopt; // one number twice
    Result.Bytes.Index = Words.Index;
    Result.Bytes.Gathered = std::move(Order);
  }
  Result.Bytes.Type = pairType(First->Signed, InOrder && HighFirst);
  ValueRef Common;
  for (size_t Place = 0; Place < Places.size(); ++Place) {
    Read(Place);
    if (!Factor || (Common && !sameValue(Common, Factor)))
      return std::nullopt;
    Common = Factor;
  }
  // The element itself, converted to what it is multiplied in, is none.
  if (!(Common->K == Value::Kind::Cast && isFloating(Common->Type) &&
        Result.Bytes.isElement(*Common->Ops[0])))
    Result.Bytes.Prologue = Common;
  else
    Result.Bytes.Prologue = nullptr;
  const auto Pairs =
      pairsOf(C, WideOf(Places[0].second), BytesFirst ? "n" : "m",
              int64_t(All.size()), Result.Requires);
  if (!Pairs)
    return std::nullopt;
  Result.Wide = *Pairs;
  return Result;
}

void takeNibbles(Contraction &C) {
  if (C.sumCount() != 1 || C.MoreProducts.empty() || C.hasScales() ||
      C.AccType != ScalarType::F32)
    return;
  for (bool BytesFirst : {true, false})
    if (const auto Paired = pairUp(C, BytesFirst)) {
      C.MoreProducts.clear();
      C.KExtent = C.KExtent * IntExpr(Paired->WordBytes);
      (BytesFirst ? C.A : C.B) = Paired->Bytes;
      (BytesFirst ? C.B : C.A) = Paired->Wide;
      append_range(C.Requires, Paired->Requires);
      return;
    }
}

bool isNibbles(ScalarType T) {
  return T == ScalarType::U4X2 || T == ScalarType::S4X2 ||
         T == ScalarType::U4X2High || T == ScalarType::S4X2High;
}

bool hasNibbles(const Contraction &C) {
  return isNibbles(C.A.Type) || isNibbles(C.B.Type);
}

} // namespace warpwright
