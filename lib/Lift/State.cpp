//===-- State.cpp - Symbolic values ---------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "Mistakes.h"
#include "NumberSets.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// Larger expressions could be printed, but nobody could read them.
static constexpr unsigned MaxValueSize = 4096;

SymValue SymValue::unknown(DiagID ID, SourceLocation Loc, llvm::Twine Reason) {
  SymValue V;
  V.ReasonID = ID;
  V.ReasonLoc = Loc;
  V.Reason = Reason.str();
  return V;
}

SymValue SymValue::integer(IntExpr E, unsigned Width) {
  SymValue V;
  V.K = Kind::Int;
  V.I = std::move(E);
  V.Width = Width;
  return V;
}

SymValue SymValue::exact(IntExpr E, unsigned Width) {
  SymValue V = integer(std::move(E), Width);
  V.SignedExact = V.UnsignedExact = true;
  if (auto C = V.I.getConstant()) {
    V.UnsignedExact = *C >= 0;
    V.SignedExact = Width >= 64 || (*C >= -(int64_t(1) << (Width - 1)) &&
                                    *C < (int64_t(1) << (Width - 1)));
  }
  return V;
}

SymValue SymValue::boolean(BoolExpr B) {
  SymValue V;
  V.K = Kind::Bool;
  V.Width = 1;
  V.B = std::move(B);
  return V;
}

SymValue SymValue::scalar(ValueRef S) {
  SymValue V;
  V.K = Kind::Scalar;
  V.S = std::move(S);
  return V;
}

SymValue SymValue::pointer(std::string Array, IntExpr Offset) {
  SymValue V;
  V.K = Kind::Pointer;
  V.Array = std::move(Array);
  V.I = std::move(Offset);
  V.Width = 64;
  return V;
}

SymValue SymValue::aggregate(std::vector<SymValue> Fields) {
  SymValue V;
  V.K = Kind::Aggregate;
  V.Fields = std::move(Fields);
  return V;
}

bool hasZeroBits(const SymValue &V) {
  if (V.is(VK::Int))
    return V.constant() == 0;
  if (!V.is(VK::Scalar))
    return false;
  const Value *X = V.S.get();
  while (X->K == Value::Kind::Cast)
    X = X->Ops[0].get();
  return X->K == Value::Kind::Int ? X->Index.isZero()
                                  : X->K == Value::Kind::Constant &&
                                        (X->Text == "0.0f" || X->Text == "0.0");
}

bool same(const SymValue &A, const SymValue &B) {
  if (A.K != B.K)
    return false;
  switch (A.K) {
  case SymValue::Kind::Unknown:
    return A.ReasonID == B.ReasonID && A.ReasonLoc == B.ReasonLoc;
  case SymValue::Kind::Int:
    return A.I == B.I && A.Width == B.Width;
  case SymValue::Kind::Bool:
    return A.B == B.B;
  case SymValue::Kind::Scalar:
    return A.S->Type == B.S->Type && (A.S == B.S || sameValue(A.S, B.S));
  case SymValue::Kind::Pointer:
    return A.Array == B.Array && A.I == B.I;
  case SymValue::Kind::Choice:
    return A.B == B.B && same(A.Fields[0], B.Fields[0]) &&
           same(A.Fields[1], B.Fields[1]);
  case SymValue::Kind::Aggregate:
    return A.Fields.size() == B.Fields.size() &&
           llvm::all_of(llvm::zip(A.Fields, B.Fields), [](const auto &P) {
             return same(std::get<0>(P), std::get<1>(P));
           });
  }
  llvm_unreachable("covered switch");
}

std::vector<SymValue *> pointersIn(SymValue &V) {
  if (V.is(SymValue::Kind::Int) || V.is(SymValue::Kind::Pointer))
    return {&V};
  std::vector<SymValue *> All;
  if (V.is(SymValue::Kind::Choice))
    for (SymValue &Side : V.Fields)
      llvm::append_range(All, pointersIn(Side));
  return All;
}

std::vector<const SymValue *> pointersIn(const SymValue &V) {
  const auto All = pointersIn(const_cast<SymValue &>(V));
  return {All.begin(), All.end()};
}

bool choosesAlike(const SymValue &A, const SymValue &B) {
  if (A.K != B.K)
    return false;
  if (A.is(SymValue::Kind::Choice))
    return A.B == B.B && choosesAlike(A.Fields[0], B.Fields[0]) &&
           choosesAlike(A.Fields[1], B.Fields[1]);
  return A.Width == B.Width && A.Array == B.Array;
}

bool isParameter(llvm::StringRef Array) {
  return !Array.empty() && Array[0] != '#' && Array[0] != '$' &&
         Array[0] != '@' && Array[0] != '!';
}

bool isAddress(const SymValue &V, unsigned Width) {
  return !V.Array.empty() &&
         (Width == 0 || Width == 64 || (Width == 32 && V.Array[0] == '!'));
}

bool samePlaces(const Write &A, const Write &B) {
  const auto There = A.Size == B.Size ? indexWithLoopsOf(A, B) : std::nullopt;
  return There && A.Index == *There;
}

std::set<unsigned> writeIds(const Memory &M, const std::string &Array) {
  std::set<unsigned> Ids;
  auto It = M.find(Array);
  if (It != M.end())
    for (const Write &W : It->second.Writes)
      Ids.insert(W.Id);
  return Ids;
}

std::string argumentsIn(const BoolExpr &B) {
  std::set<std::string> Names;
  B.walk(
      [&](const IntExpr &E) {
        E.walk([&](const IntAtom &A) {
          if (A.getKind() == AtomKind::Param)
            Names.insert("'" + A.getKey().str() + "'");
        });
      },
      [](const ValueRef &) {});
  return Names.empty() ? ""
                       : ": on a condition with " + llvm::join(Names, " and ");
}

std::string inConstantMemory(const ValueRef &V) {
  if (!V->containsKind(Value::Kind::Global))
    return {};
  std::string Name;
  V->walk([&](const Value &X) {
    if (X.K == Value::Kind::Global && Name.empty())
      Name = X.Name;
  });
  llvm::StringRef Shown = Name;
  Shown.consume_front("::");
  return ("'" + Shown +
          "' is in constant memory, and the launcher cannot read it; pass it "
          "as an argument, or make it a constant of the program")
      .str();
}

std::string inConstantMemory(const BoolExpr &B) {
  std::string Why;
  B.walk([](const IntExpr &) {},
         [&](const ValueRef &V) {
           if (Why.empty())
             Why = inConstantMemory(V);
         });
  return Why;
}

std::string originOf(const ValueRef &V) {
  if (V->containsKind(Value::Kind::Load) || V->containsKind(Value::Kind::Sum))
    return "loaded data";
  std::string Called;
  bool Shifts = false;
  V->walk([&](const Value &X) {
    Shifts |= X.K == Value::Kind::Shl || X.K == Value::Kind::Shr;
    // A conversion is a call by the name of what it is written as.
    if (X.K == Value::Kind::Call && Called.empty() &&
        !llvm::StringRef(X.Name).contains('<'))
      Called = X.Name;
  });
  if (!Called.empty())
    return "what '" + Called + "' computes";
  return Shifts ? "a shift by an unknown amount"
                : "a computation in floating point";
}

std::string originOf(const BoolExpr &B) {
  std::string Origin;
  bool Index = false;
  B.walk([](const IntExpr &) {},
         [&](const ValueRef &V) {
           // What is compared with an index is what it depends on.
           if (Origin.empty() || Index)
             Origin = originOf(V);
           Index = V->K == Value::Kind::Int;
         });
  return Origin;
}

/// An Int as data: a leaf in an expression of loaded numbers.
static ValueRef asData(const SymValue &V, ScalarType T) {
  if (V.is(SymValue::Kind::Scalar))
    return V.S;
  bool Signed = T == ScalarType::I8 || T == ScalarType::I16 ||
                T == ScalarType::I32 || T == ScalarType::I64;
  if (!V.is(SymValue::Kind::Int) || !(Signed ? V.SignedExact : V.UnsignedExact))
    return nullptr;
  return Value::integer(T, V.I);
}

static ScalarType dataType(const SymValue &V) {
  if (V.is(SymValue::Kind::Scalar))
    return V.S->Type;
  if (V.Width == 64)
    return V.SignedExact ? ScalarType::I64 : ScalarType::U64;
  if (V.Width == 32)
    return V.SignedExact ? ScalarType::I32 : ScalarType::U32;
  if (V.Width == 16)
    return V.SignedExact ? ScalarType::I16 : ScalarType::U16;
  return V.SignedExact ? ScalarType::I8 : ScalarType::U8;
}

/// The signed integers of as many bits as \p T, if it has integers at all.
static std::optional<ScalarType> signedOf(ScalarType T) {
  if (isFloating(T) || T == ScalarType::Bool)
    return std::nullopt;
  return byteSize(T) == 8   ? ScalarType::I64
         : byteSize(T) == 4 ? ScalarType::I32
         : byteSize(T) == 2 ? ScalarType::I16
                            : ScalarType::I8;
}

/// \p A and \p B in one type, if they have one or are integers of the same
/// bits, with and without a sign; otherwise nulls.
static std::pair<ValueRef, ValueRef> inOneType(const SymValue &A,
                                               const SymValue &B) {
  const ScalarType T = dataType(A.is(SymValue::Kind::Scalar) ? A : B);
  ValueRef L = asData(A, T), R = asData(B, T);
  if (L && R && L->Type == R->Type)
    return {L, R};
  const auto Signed = signedOf(T);
  if (!Signed)
    return {};
  for (auto [Data, From] : {std::pair(&L, &A), std::pair(&R, &B)}) {
    *Data = asData(*From, *Signed);
    if (!*Data || signedOf((*Data)->Type) != Signed)
      return {};
    *Data = Value::cast(*Signed, *Data);
  }
  return {L, R};
}

namespace {
/// The counters of the loops of a store, as the loops of another one have them.
struct Renamed {
  llvm::SmallVector<std::pair<unsigned, IntExpr>, 2> Counters;
  std::optional<IntExpr> operator()(const IntAtom &X) const {
    if (X.getKind() == AtomKind::Counter)
      for (const auto &[From, To] : Counters)
        if (From == X.getDim())
          return To;
    return std::nullopt;
  }
};
} // namespace

/// Nothing if the loops have different numbers of iterations.
static std::optional<Renamed> renaming(const Write &A, const Write &B) {
  if (A.Loops.size() != B.Loops.size())
    return std::nullopt;
  Renamed R;
  for (auto [LA, LB] : llvm::zip(A.Loops, B.Loops)) {
    if (LA.Trip != LB.Trip)
      return std::nullopt;
    if (LA.Counter != LB.Counter)
      R.Counters.push_back({LB.Counter, IntExpr::counter(LA.Counter)});
  }
  return R;
}

std::optional<IntExpr> indexWithLoopsOf(const Write &A, const Write &B) {
  const auto Rename = renaming(A, B);
  if (!Rename || Rename->Counters.empty())
    return Rename ? std::optional(B.Index) : std::nullopt;
  return B.Index.transform(*Rename);
}

std::optional<Write> withLoopsOf(const Write &A, Write B) {
  const auto Rename = renaming(A, B);
  if (!Rename || Rename->Counters.empty())
    return Rename ? std::optional(std::move(B)) : std::nullopt;
  const Renamed &Fn = *Rename;
  B.Index = B.Index.transform(Fn);
  B.Guard = B.Guard.transform(Fn);
  B.Visible = B.Visible.transform(Fn);
  B.Issued = B.Issued.transform(Fn);
  B.Done = B.Done.transform(Fn);
  B.Exists = B.Exists.transform(Fn);
  for (auto &Named : B.Tracked)
    Named.second = Named.second.transform(Fn);
  for (BoolExpr &C : B.Commits)
    C = C.transform(Fn);
  if (B.Stage)
    B.Stage = B.Stage->transform(Fn);
  B.Value.I = B.Value.I.transform(Fn);
  B.Value.B = B.Value.B.transform(Fn);
  if (B.Value.S)
    B.Value.S = transformInts(B.Value.S, Fn);
  B.Loops = A.Loops;
  return B;
}

/// `C ? A : B` as the smaller or the larger of the two, if C asks which one
/// that is. Let C be `Below < 0`, which each order of two integers is.
///
///   A - B == Below:      C is A < B, and `A < B ? A : B` is the smaller one.
///   A - B == Below + 1:  C is A - B < 1, so A <= B; the same, since A == B
///                        where only one of the two conditions holds.
///   B - A == Below:      C is B < A, and `B < A ? A : B` is the larger one.
///   B - A == Below + 1:  C is B <= A; the same.
///
/// With any other number beside Below, C differs from the order of A and B
/// where A and B differ. The numbers here are mathematical ones: a comparison
/// has been made of what the bits mean in its sign (Executor::exactly), and
/// the result is the same number as that of the selection, whatever the type
/// in which A and B are bits. Numbers that have overflowed() have no
/// differences.
static std::optional<IntExpr>
smallerOrLarger(const BoolExpr &C, const IntExpr &A, const IntExpr &B) {
  std::vector<IntExpr> NotNegative; // -1 - Below
  asNotNegative(C, NotNegative);
  if (NotNegative.size() != 1)
    return std::nullopt;
  const IntExpr Below = -NotNegative[0] - 1;
  auto IsOrder = [&](const IntExpr &Difference) {
    const auto Beside = (Difference - Below).getConstant();
    return Beside && (*Beside == 0 || *Beside == 1);
  };
  const bool Smaller = IsOrder(A - B);
  if (!Smaller && !IsOrder(B - A))
    return std::nullopt;
  return Smaller != mistaken(Mistake::MinimumForMaximum) ? IntExpr::min(A, B)
                                                         : IntExpr::max(A, B);
}

/// `C ? A : B`. A selection by the parity of a number becomes linear: `x % 2 ==
/// 0 ? a : b` is `a + (b - a) * (x % 2)`; one by the order of A and B becomes a
/// minimum or a maximum.
static IntExpr selectInteger(const BoolExpr &C, const IntExpr &A,
                             const IntExpr &B) {
  if (C.getKind() == BoolExpr::Kind::Compare) {
    // `x & 4` is 4 times the parity of x / 4.
    const IntExpr D = C.getLHS() - C.getRHS();
    AtomRef Parity;
    bool Others = false;
    for (const auto &[Atoms, Factor] : D.terms()) {
      Others |= !Atoms.empty() && (Parity || Atoms.size() != 1);
      if (Atoms.size() == 1)
        Parity = Atoms[0];
    }
    if (Parity && !Others && isRemainderByTwo(IntExpr(Parity))) {
      auto HoldsFor = [&](int64_t Bit) {
        const llvm::StringRef Key = Parity->getKey();
        return BoolExpr::compare(C.getOp(), D.substitute(Key, IntExpr(Bit)), 0);
      };
      const IntExpr Even = HoldsFor(0).isTrue() ? A : B,
                    Odd = HoldsFor(1).isTrue() ? A : B;
      return Even + (Odd - Even) * IntExpr(Parity);
    }
  }
  if (auto Ordered = smallerOrLarger(C, A, B))
    return *Ordered;
  return IntExpr::select(C, A, B);
}

/// The constant \p V as numbers of the sizes that those in \p Like have, the
/// lowest bits first: zeros in the place of a vector.
static std::optional<SymValue> asFields(const SymValue &V,
                                        const SymValue &Like) {
  const auto Bits = V.constant();
  if (!Bits)
    return std::nullopt;
  SymValue R = Like;
  unsigned At = 0;
  for (SymValue &F : R.Fields) {
    if (!F.is(SymValue::Kind::Scalar) && !F.is(SymValue::Kind::Int))
      return std::nullopt;
    const unsigned Width =
        F.is(SymValue::Kind::Int) ? F.Width : 8 * byteSize(F.S->Type);
    if (At + Width > V.Width)
      return std::nullopt;
    F = SymValue::exact(
        IntExpr(llvm::SignExtend64(static_cast<uint64_t>(*Bits) >> At, Width)),
        Width);
    At += Width;
  }
  return At == V.Width ? std::optional(R) : std::nullopt;
}

/// `C ? L : R`, where a value that is chosen in two ways is so once: the
/// element of a vector that is loaded where all of it is inside, and otherwise
/// alone if it is inside.
static ValueRef selectOnce(const BoolExpr &C, const ValueRef &L,
                           const ValueRef &R) {
  constexpr unsigned Small = 64; // of values that are compared
  auto IsChoice = [](const ValueRef &V) {
    return V->K == Value::Kind::Select && V->Size <= Small;
  };
  auto Same = [](const ValueRef &X, const ValueRef &Y) {
    return X == Y ||
           (X->Type == Y->Type && X->Size == Y->Size && sameValue(X, Y));
  };
  if (IsChoice(R) && Same(R->Ops[0], L))
    return Value::select(either(C, R->Condition), L, ValueRef(R->Ops[1]));
  if (IsChoice(L) && Same(L->Ops[1], R))
    return Value::select(BoolExpr::conjunction(C, L->Condition),
                         ValueRef(L->Ops[0]), R);
  if (IsChoice(L) && IsChoice(R) && Same(L->Ops[0], R->Ops[0]) &&
      Same(L->Ops[1], R->Ops[1])) {
    const BoolExpr NotC = BoolExpr::negation(C);
    return Value::select(
        either(BoolExpr::conjunction(C, L->Condition),
               implies(R->Condition, NotC)
                   ? R->Condition
                   : BoolExpr::conjunction(NotC, R->Condition)),
        ValueRef(L->Ops[0]), ValueRef(L->Ops[1]));
  }
  // The end of a row that a `switch` falls through to.
  if (IsChoice(R) && Same(R->Ops[1], L))
    return Value::select(
        asOneRange(BoolExpr::conjunction(BoolExpr::negation(C), R->Condition)),
        ValueRef(R->Ops[0]), L);
  return Value::select(C, L, R);
}

SymValue select(const BoolExpr &C, const SymValue &A, const SymValue &B) {
  using Kind = SymValue::Kind;
  if (C.isTrue())
    return A;
  if (C.isFalse())
    return B;
  if (same(A, B)) {
    SymValue R = A;
    if (A.is(Kind::Int)) {
      R.SignedExact &= B.SignedExact;
      R.UnsignedExact &= B.UnsignedExact;
      R.Narrow |= B.Narrow;
      R.NarrowUnsigned |= B.NarrowUnsigned;
    }
    return R;
  }
  // The unknown side gives the reason why the result is unknown.
  if (A.is(Kind::Unknown))
    return A;
  if (B.is(Kind::Unknown))
    return B;
  SourceLocation Loc = A.Loc.isValid() ? A.Loc : B.Loc;
  auto Mixed = [&](llvm::Twine What) {
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc, What);
  };
  auto Data = [&]() -> SymValue {
    const auto [L, R] = inOneType(A, B);
    if (!L || !R)
      return Mixed("values of different kinds meet here");
    SymValue V = SymValue::scalar(selectOnce(C, L, R));
    V.Loc = Loc;
    // A few dozen consecutive branches would make a tree that nobody can print.
    if (V.S->Size > MaxValueSize)
      return SymValue::unknown(
          DiagID::TooComplex, Loc,
          "a value depends on too many branches to be written down");
    return V;
  };
  // `if (first) p += 16;` where p points into the array that `first` chooses.
  for (bool Then : {true, false}) {
    const SymValue &Side = Then ? A : B;
    if (!Side.is(Kind::Choice))
      continue;
    const bool Same = Side.B == C;
    if (!Same && Side.B != BoolExpr::negation(C))
      continue;
    const SymValue &Meant = Side.Fields[Same == Then ? 0 : 1];
    return Then ? select(C, Meant, B) : select(C, A, Meant);
  }
  // `inside ? A[i] : zero`, which chooses between two objects.
  auto IsPointer = [](const SymValue &V) {
    return V.is(Kind::Pointer) || V.is(Kind::Choice);
  };
  if (IsPointer(A) && IsPointer(B) &&
      (A.is(Kind::Choice) || B.is(Kind::Choice) || A.Array != B.Array)) {
    if (hasValues(C) || A.Array.empty() != A.is(Kind::Choice) ||
        B.Array.empty() != B.is(Kind::Choice))
      return Mixed("which array is meant depends on a condition");
    // `if (more) p += 16;` where p points into one of two arrays.
    if (A.is(Kind::Choice) && B.is(Kind::Choice) && A.B == B.B) {
      SymValue V = A;
      for (unsigned N : {0, 1}) {
        V.Fields[N] = select(C, A.Fields[N], B.Fields[N]);
        if (V.Fields[N].is(Kind::Unknown))
          return V.Fields[N];
      }
      return V;
    }
    SymValue V;
    V.K = Kind::Choice;
    V.B = C;
    V.Fields = {A, B};
    V.Loc = Loc;
    return V;
  }
  // Zero has the same bits in each of the numbers of a register.
  auto NoBits = [](const SymValue &V) {
    return SymValue::exact(IntExpr(), 8 * byteSize(V.S->Type));
  };
  if (A.is(Kind::Aggregate) && B.is(Kind::Scalar) && hasZeroBits(B))
    return select(C, A, NoBits(B));
  if (A.is(Kind::Scalar) && B.is(Kind::Aggregate) && hasZeroBits(A))
    return select(C, NoBits(A), B);
  if (A.is(Kind::Aggregate) && B.is(Kind::Int))
    if (auto Fields = asFields(B, A))
      return select(C, A, *Fields);
  if (A.is(Kind::Int) && B.is(Kind::Aggregate))
    if (auto Fields = asFields(A, B))
      return select(C, *Fields, B);
  if (A.K != B.K) {
    bool Number = (A.is(Kind::Scalar) || A.is(Kind::Int)) &&
                  (B.is(Kind::Scalar) || B.is(Kind::Int));
    return Number ? Data() : Mixed("values of different kinds meet here");
  }
  SymValue R = A;
  switch (A.K) {
  case Kind::Int:
    if (A.Width != B.Width)
      return Mixed("values of different kinds meet here");
    if (hasValues(C))
      return Data();
    R.I = selectInteger(C, A.I, B.I);
    R.SignedExact &= B.SignedExact;
    R.UnsignedExact &= B.UnsignedExact;
    R.Narrow |= B.Narrow;
    R.NarrowUnsigned |= B.NarrowUnsigned;
    return R;
  case Kind::Bool:
    R.B = either(BoolExpr::conjunction(C, A.B),
                 BoolExpr::conjunction(BoolExpr::negation(C), B.B));
    return R;
  case Kind::Scalar:
    return Data();
  case Kind::Pointer:
    if (hasValues(C))
      return SymValue::unknown(DiagID::IndexNotAffine, Loc,
                               "which element is meant depends on loaded data");
    R.I = selectInteger(C, A.I, B.I);
    R.Narrow |= B.Narrow;
    R.NarrowUnsigned |= B.NarrowUnsigned;
    return R;
  case Kind::Aggregate:
    if (A.Fields.size() != B.Fields.size())
      return Mixed("values of different kinds meet here");
    for (size_t N = 0; N < A.Fields.size(); ++N)
      R.Fields[N] = select(C, A.Fields[N], B.Fields[N]);
    return R;
  case Kind::Choice:
  case Kind::Unknown:
    break;
  }
  llvm_unreachable("handled above");
}

void noteChosen(const IntExpr &Index, std::map<unsigned, IntExpr> &To) {
  Index.walk([&](const IntAtom &A) {
    if (A.getKind() == AtomKind::Counter)
      To.try_emplace(A.getDim(), Index);
  });
}

void disjuncts(const BoolExpr &B, llvm::SmallVectorImpl<BoolExpr> &To) {
  if (B.getKind() != BoolExpr::Kind::Or) {
    To.push_back(B);
    return;
  }
  for (const BoolExpr &Side : B.operands())
    disjuncts(Side, To);
}

/// Whether \p A implies \p B, neither of which is a conjunction: `tiles > 2`
/// implies `1 < tiles`, and `a || b` implies `b || a`. With \p Both, whether
/// they are equivalent.
static bool impliesOne(const BoolExpr &A, const BoolExpr &B, bool Both) {
  if (A == B)
    return true;
  if (A.getKind() == BoolExpr::Kind::Or && B.getKind() == BoolExpr::Kind::Or) {
    llvm::SmallVector<BoolExpr, 4> Of, To;
    disjuncts(A, Of);
    disjuncts(B, To);
    auto AllIn = [](llvm::ArrayRef<BoolExpr> These,
                    llvm::ArrayRef<BoolExpr> Those) {
      return llvm::all_of(These, [&](const BoolExpr &X) {
        return llvm::any_of(Those,
                            [&](const BoolExpr &Y) { return implies(X, Y); });
      });
    };
    return AllIn(Of, To) && (!Both || AllIn(To, Of));
  }
  if (B.getKind() == BoolExpr::Kind::Or && !Both)
    return llvm::any_of(B.operands(),
                        [&](const BoolExpr &X) { return implies(A, X); });
  std::vector<IntExpr> EA, EB; // not negative
  asNotNegative(A, EA);
  asNotNegative(B, EB);
  if (EA.size() != 1 || EB.size() != 1)
    return false;
  auto Room = (EB[0] - EA[0]).getConstant();
  return Room && (Both ? *Room == 0 : *Room >= 0);
}

bool containsThread(const BoolExpr &B) {
  bool Found = false;
  B.walk(
      [&](const IntExpr &E) { Found |= E.containsKind(AtomKind::ThreadIdx); },
      [](const ValueRef &) {});
  return Found;
}

bool implies(const BoolExpr &A, const BoolExpr &B) {
  if (B.isTrue() || A.isFalse())
    return true;
  llvm::SmallVector<BoolExpr, 4> Has, Wants;
  A.conjuncts(Has);
  B.conjuncts(Wants);
  return llvm::all_of(Wants, [&](const BoolExpr &W) {
    return llvm::any_of(Has, [&](const BoolExpr &H) {
      return impliesOne(H, W, /*Both=*/false);
    });
  });
}

BoolExpr withoutConjuncts(const BoolExpr &A, const BoolExpr &Known) {
  if (A.isFalse())
    return A;
  llvm::SmallVector<BoolExpr, 4> Has, Drop;
  A.conjuncts(Has);
  Known.conjuncts(Drop);
  BoolExpr R = BoolExpr::constant(true);
  for (const BoolExpr &C : Has)
    if (llvm::none_of(Drop, [&](const BoolExpr &D) {
          return impliesOne(D, C, /*Both=*/true);
        }))
      R = BoolExpr::conjunction(R, C);
  return R;
}

/// \p B, of which no part is among the conjuncts of \p Known, where \p Known
/// holds: of `!(row < M) || !(col + 1 < N)` the second part is left where
/// `row < M` is known.
static BoolExpr withoutAlternatives(const BoolExpr &B, const BoolExpr &Known) {
  llvm::SmallVector<BoolExpr, 4> Parts;
  B.conjuncts(Parts);
  BoolExpr R = BoolExpr::constant(true);
  for (const BoolExpr &Part : Parts) {
    llvm::SmallVector<BoolExpr, 4> Cases;
    disjuncts(Part, Cases);
    BoolExpr Left = BoolExpr::constant(false);
    for (const BoolExpr &Case : Cases)
      if (!implies(Known, BoolExpr::negation(Case)))
        Left = BoolExpr::disjunction(Left, Case);
    R = BoolExpr::conjunction(R, Left);
  }
  return R;
}

BoolExpr either(const BoolExpr &A, const BoolExpr &B) {
  if (A.isTrue() || B.isFalse())
    return A;
  if (B.isTrue() || A.isFalse())
    return B;
  if (mistaken(Mistake::EitherIsFirst))
    return A;
  BoolExpr RestA = withoutConjuncts(A, B), RestB = withoutConjuncts(B, A);
  if (RestA.isTrue())
    return A; // B's conjuncts include A's: B implies A
  if (RestB.isTrue())
    return B;
  BoolExpr Common = withoutConjuncts(A, RestA);
  // Both are asked for only where the common part holds.
  RestA = withoutAlternatives(RestA, Common);
  RestB = withoutAlternatives(RestB, Common);
  // x or (not x and y) is x or y.
  BoolExpr NotA = BoolExpr::negation(RestA), NotB = BoolExpr::negation(RestB);
  if (impliesOne(RestA, NotB, /*Both=*/true) ||
      impliesOne(RestB, NotA, /*Both=*/true))
    return Common;
  const BoolExpr Less =
      implies(RestB, NotA) ? withoutConjuncts(RestB, NotA) : RestB;
  if (Less != RestB)
    RestB = Less;
  else if (implies(RestA, NotB))
    RestA = withoutConjuncts(RestA, NotB);
  // `col + 1 < N || col < N`
  if (implies(RestA, RestB))
    return BoolExpr::conjunction(Common, RestB);
  if (implies(RestB, RestA))
    return BoolExpr::conjunction(Common, RestA);
  // `x || (y && z) || (y && !z)` is `x || y`, however many of these there are.
  llvm::SmallVector<BoolExpr, 4> Cases, Parts;
  disjuncts(RestA, Cases);
  for (size_t N = 0; N < Cases.size() && Cases.size() > 1; ++N) {
    const BoolExpr One = either(Cases[N], RestB);
    Parts.clear();
    One.conjuncts(Parts);
    if (llvm::any_of(Parts, [](const BoolExpr &Part) {
          return Part.getKind() == BoolExpr::Kind::Or;
        }))
      continue;
    BoolExpr Others = BoolExpr::constant(false);
    for (size_t Other = 0; Other < Cases.size(); ++Other)
      if (Other != N)
        Others = BoolExpr::disjunction(Others, Cases[Other]);
    return BoolExpr::conjunction(Common, either(Others, One));
  }
  return BoolExpr::conjunction(Common,
                               asOneRange(BoolExpr::disjunction(RestA, RestB)));
}

ValueRef chosen(ValueRef V, const BoolExpr &Known, bool Merge) {
  while (V->K == Value::Kind::Select) {
    if (implies(Known, V->Condition)) {
      V = ValueRef(V->Ops[0]);
    } else if (implies(Known, BoolExpr::negation(V->Condition))) {
      V = ValueRef(V->Ops[1]);
    } else {
      // What an iteration leaves as it was is recognised as it is written.
      const bool Partly = V->containsKind(Value::Kind::Phi) ||
                          V->containsKind(Value::Kind::Undefined);
      const BoolExpr C = withoutConjuncts(V->Condition, Known);
      if (!Partly && (!Merge || C == V->Condition))
        break;
      ValueRef Then = chosen(ValueRef(V->Ops[0]),
                             BoolExpr::conjunction(Known, C), Merge),
               Else = chosen(
                   ValueRef(V->Ops[1]),
                   BoolExpr::conjunction(Known, BoolExpr::negation(C)), Merge);
      return Partly ? Value::select(C, std::move(Then), std::move(Else))
                    : selectOnce(C, Then, Else);
    }
  }
  return V;
}

} // namespace warpwright::symbolic
