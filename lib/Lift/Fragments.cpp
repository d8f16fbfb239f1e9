//===-- Fragments.cpp - Matrix fragments of a warp ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `nvcuda::wmma` in LLVM IR: intrinsics by which the 32 threads of a warp
/// load, multiply and store a matrix together. Which thread holds which element
/// is not specified (PTX ISA, "Matrix Fragments for WMMA"), so every register
/// of a fragment represents the same generic element, with counters of its own
/// for row and column. An operation on one register alone, or a value from
/// another register, makes a register differ from the others; such a fragment
/// is not stored.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "warpwright/Contraction/NamedCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

namespace {
/// `m16n16k16`.
struct TileShape {
  int64_t M = 0, N = 0, K = 0;
  static std::optional<TileShape> parse(llvm::StringRef Text) {
    TileShape S;
    if (Text.consume_front("m") && !Text.consumeInteger(10, S.M) &&
        Text.consume_front("n") && !Text.consumeInteger(10, S.N) &&
        Text.consume_front("k") && !Text.consumeInteger(10, S.K) &&
        Text.empty())
      return S;
    return std::nullopt;
  }
};

/// A type of elements, by its name in the intrinsics.
struct ElementType {
  llvm::StringLiteral Name;
  ScalarType Element;
  /// Of a factor: the sum's type, after which the product is not named.
  std::optional<ScalarType> Sum;
  int64_t RegisterBits; ///< of a factor

  bool isFactor() const { return RegisterBits != 0; }
};
} // namespace

/// PTX ISA, "Matrix Fragments for WMMA". tf32 elements are floats.
static constexpr ElementType ElementTypes[] = {
    {"f16", ScalarType::F16, std::nullopt, 32},
    {"bf16", ScalarType::BF16, ScalarType::F32, 32},
    {"tf32", ScalarType::F32, ScalarType::F32, 32},
    {"s8", ScalarType::I8, ScalarType::I32, 32},
    {"u8", ScalarType::U8, ScalarType::I32, 32},
    {"f64", ScalarType::F64, ScalarType::F64, 64},
    {"f32", ScalarType::F32, std::nullopt, 0},
    {"s32", ScalarType::I32, std::nullopt, 0},
};

static const ElementType *findElementType(llvm::StringRef Name) {
  const auto *Found = llvm::find_if(
      ElementTypes, [&](const ElementType &T) { return T.Name == Name; });
  return Found == std::end(ElementTypes) ? nullptr : Found;
}

bool isFragmentIntrinsic(llvm::StringRef Name) {
  return Name.starts_with("llvm.nvvm.wmma.");
}

/// The generic element \p V as register \p N of a fragment has it. Its counters
/// are shifted by amounts that do not occur in indices, so that two registers
/// never have the same expression. With -N the shift is undone.
static SymValue ofRegister(SymValue V, llvm::ArrayRef<unsigned> Counters,
                           int64_t N) {
  if (mistaken(Mistake::FragmentRegistersAlike))
    return V;
  // Primes beyond the sizes of tiles. (Remainders of shifted counters may still
  // be equal; the code that loads fragments excludes that.)
  int64_t Step = 1000003;
  for (unsigned Counter : Counters) {
    V = withCounter(std::move(V), Counter,
                    IntExpr::counter(Counter) + IntExpr(N * Step));
    Step = 1000033;
  }
  return V;
}

/// Checks that each of \p Registers is the generic element.
static std::vector<SymValue> generic(llvm::ArrayRef<SymValue> Registers,
                                     llvm::ArrayRef<unsigned> Counters) {
  std::vector<SymValue> Result;
  for (const SymValue &V : Registers)
    Result.push_back(
        ofRegister(V, Counters, -static_cast<int64_t>(Result.size())));
  return Result;
}

/// A register of half numbers holds two of them.
static bool isOfPairs(llvm::StringRef Type) { return Type == "f16"; }

/// The elements of a fragment of \p Type that is in \p Registers; empty if it
/// is not kept in this form.
static std::vector<SymValue> elementsOf(llvm::ArrayRef<SymValue> Registers,
                                        llvm::StringRef Type) {
  if (!isOfPairs(Type))
    return Registers.vec();
  std::vector<SymValue> Elements;
  for (const SymValue &V : Registers) {
    if (!V.is(VK::Aggregate) || V.Fields.size() != 2)
      return {};
    llvm::append_range(Elements, V.Fields);
  }
  return Elements;
}

/// The first register in \p Registers that is not understood, for its reason;
/// null if all are.
static const SymValue *findUnknown(llvm::ArrayRef<SymValue> Registers) {
  for (const SymValue &V : Registers) {
    if (V.is(VK::Unknown))
      return &V;
    if (V.is(VK::Aggregate))
      if (const SymValue *Found = findUnknown(V.Fields))
        return Found;
  }
  return nullptr;
}

/// The registers that hold \p Elements.
static std::vector<SymValue> registersOf(std::vector<SymValue> Elements,
                                         llvm::StringRef Type) {
  if (!isOfPairs(Type))
    return Elements;
  std::vector<SymValue> Registers;
  for (size_t N = 0; N + 1 < Elements.size(); N += 2)
    Registers.push_back(SymValue::aggregate(
        {std::move(Elements[N]), std::move(Elements[N + 1])}));
  return Registers;
}

/// Whether \p V depends on \p Counter; a sum over that counter does not.
static bool isOpen(const ValueRef &V, unsigned Counter,
                   std::set<const Value *> &Seen) {
  if (!V || !Seen.insert(V.get()).second ||
      (V->K == Value::Kind::Sum && V->Counter == Counter))
    return false;
  const std::string Wanted = IntExpr::counter(Counter).str();
  bool Found = V->Index.contains(Wanted);
  V->Condition.walk(
      [&](const IntExpr &E) { Found |= E.contains(Wanted); },
      [&](const ValueRef &X) { Found |= isOpen(X, Counter, Seen); });
  return Found || isOpen(V->Body, Counter, Seen) ||
         llvm::any_of(V->Ops, [&](const ValueRef &Op) {
           return isOpen(Op, Counter, Seen);
         });
}

static bool isOpen(const ValueRef &V, unsigned Counter) {
  std::set<const Value *> Seen;
  return isOpen(V, Counter, Seen);
}

const std::pair<unsigned, unsigned> &
Executor::fragmentCounters(llvm::Twine Kind) {
  auto [It, New] = FragmentCounters.try_emplace(Kind.str());
  if (New)
    It->second = {NextCounter, NextCounter + 1}, NextCounter += 2;
  return It->second;
}

bool Executor::isOfFragment(const SymValue &V,
                            std::pair<unsigned, unsigned> But) const {
  if (V.is(VK::Aggregate))
    return llvm::any_of(
        V.Fields, [&](const SymValue &F) { return isOfFragment(F, But); });
  if (!V.is(VK::Scalar))
    return false;
  return llvm::any_of(FragmentCounters, [&](const auto &Entry) {
    return Entry.second != But && (isOpen(V.S, Entry.second.first) ||
                                   isOpen(V.S, Entry.second.second));
  });
}

SymValue Executor::roundedToTF32(const SymValue &V) {
  return numbered(Value::call(ScalarType::F32, FloatToTF32, {V.S}));
}

SymValue Executor::fragmentCall(llvm::CallBase &Call, llvm::StringRef Name) {
  llvm::SmallVector<llvm::StringRef, 12> Words;
  Name.split(Words, '.');
  auto NotUnderstood = [&] {
    return failValue(DiagID::UnsupportedStatement,
                     "this operation on matrix fragments is not understood");
  };
  // llvm nvvm wmma m16n16k16 load a row stride f16 p0
  auto Shape = Words.size() > 6 ? TileShape::parse(Words[3]) : std::nullopt;
  if (!Shape)
    return NotUnderstood();
  if (!reachedByWarp("operation on matrix fragments"))
    return {};
  llvm::StringRef Operation = Words[4];
  auto IsSame = [](llvm::ArrayRef<SymValue> Registers) {
    return llvm::all_of(Registers, [&](const SymValue &V) {
      return V.is(VK::Scalar) && same(V, Registers.front());
    });
  };
  if (Operation == "mma") {
    // ... mma row row f32 f32: the types of D and C, where the factors are
    // half; mma row row bf16: the type of A and B.
    llvm::StringRef Type = Words[7];
    const ElementType *Factors = findElementType(Type);
    const bool OfFactors = Factors && Factors->Sum;
    if (!OfFactors && (Type == "f16" || Type == "f32") && Words.size() == 9 &&
        Words[8] == Type)
      Factors = findElementType("f16");
    else if (Words.back() == "satfinite")
      return unknown(DiagID::UnsupportedType,
                     "a product of matrix fragments that saturates is no sum");
    else if (!OfFactors || Words.size() != 8)
      return unknown(DiagID::UnsupportedType,
                     "matrix fragments of a type that is not supported");
    const ScalarType Element = Factors->Element;
    const ScalarType Sum = OfFactors       ? *Factors->Sum
                           : Type == "f16" ? ScalarType::F16
                                           : ScalarType::F32;
    auto *Struct = llvm::dyn_cast<llvm::StructType>(Call.getType());
    const unsigned Outputs = Struct ? Struct->getNumElements() : 0;
    const unsigned Arguments = Call.arg_size();
    if (!Outputs || Arguments <= Outputs)
      return NotUnderstood();
    std::vector<SymValue> Registers;
    for (unsigned N = 0; N < Arguments; ++N)
      Registers.push_back(valueOf(Call.getArgOperand(N)));
    if (const SymValue *Bad = findUnknown(Registers))
      return *Bad;
    // The registers of A, of B, and of C; C has as many as the result.
    const unsigned OfOperands = Arguments - Outputs;
    llvm::ArrayRef<SymValue> All(Registers);
    // Half operands have as many registers each, others those that the matrix
    // fills.
    const unsigned First =
        Element == ScalarType::F16
            ? OfOperands / 2
            : static_cast<unsigned>(Shape->M * Shape->K * 8 *
                                    byteSize(Element) / WarpLanes /
                                    Factors->RegisterBits);
    if (First == 0 || First >= OfOperands)
      return NotUnderstood();
    const llvm::StringRef Factor = Factors->Name;
    const auto OfA = fragmentCounters("a " + Words[3] + Words[5] + Factor);
    const auto OfB = fragmentCounters("b " + Words[3] + Words[6] + Factor);
    const auto OfC = fragmentCounters("c " + Words[3]);
    const auto [Row, Column] = OfC;
    const unsigned Depth = OfA.second;
    const std::vector<SymValue> A = generic(
        elementsOf(All.take_front(First), Factor), {OfA.first, OfA.second});
    const std::vector<SymValue> B =
        generic(elementsOf(All.slice(First, OfOperands - First), Factor),
                {OfB.first, OfB.second});
    const std::vector<SymValue> C =
        elementsOf(All.drop_front(OfOperands), Type);
    if (A.empty() || B.empty() || C.empty())
      return NotUnderstood();
    if (!IsSame(A) || !IsSame(B) || A[0].S->Type != Element ||
        B[0].S->Type != Element)
      return unknown(DiagID::UnsupportedExpression,
                     "the elements of a matrix fragment were changed one by "
                     "one");
    if (isOfFragment(A[0], OfA) || isOfFragment(B[0], OfB) ||
        !isOpen(A[0].S, OfA.first) || !isOpen(B[0].S, OfB.second) ||
        llvm::any_of(C,
                     [&](const SymValue &V) { return isOfFragment(V, OfC); }))
      return unknown(DiagID::UnsupportedExpression,
                     "a matrix fragment has elements of one of another shape "
                     "or order");
    // The product of tf32 fragments with other floats is not defined (PTX ISA,
    // wmma.mma).
    if (Type == "tf32" && (!roundsToTF32(*A[0].S) || !roundsToTF32(*B[0].S)))
      return unknown(DiagID::UnsupportedExpression,
                     "the elements of a tf32 fragment are not rounded by "
                     "__float_to_tf32");
    // The counters of the sum's row and column, and one for its terms.
    const SymValue Left = withCounter(A[0], OfA.first, IntExpr::counter(Row));
    const SymValue Right =
        withCounter(withCounter(B[0], OfB.second, IntExpr::counter(Column)),
                    OfB.first, IntExpr::counter(Depth));
    const ScalarType Exact = Sum == ScalarType::F16 ? ScalarType::F32 : Sum;
    auto Product =
        Value::binary(Value::Kind::Mul, Exact, Value::cast(Exact, Left.S),
                      Value::cast(Exact, Right.S));
    auto Node = std::make_shared<Value>(Value::Kind::Sum, Sum);
    Node->Counter = Depth;
    Node->Index = IntExpr(Shape->K);
    Node->Loc = here().getRawEncoding();
    Node->Ops = {Value::cast(Sum, Product)};
    std::vector<SymValue> Result;
    for (const SymValue &V : C) {
      SymValue Before = V.is(VK::Int) ? asNumber(V, Sum) : V;
      SymValue More = ofRegister(SymValue::scalar(Node), {Row, Column},
                                 static_cast<int64_t>(Result.size()));
      const bool Fits = Before.is(VK::Scalar) && Before.S->Type == Sum;
      // The type of a value that a loop passes on is known only after an
      // iteration was executed.
      if (!Fits && Probing) {
        Result.push_back(std::move(More));
        continue;
      }
      if (!Fits)
        return unknown(DiagID::UnsupportedType,
                       "matrix fragments of a type that is not supported");
      Result.push_back(
          numbered(Value::binary(Value::Kind::Add, Sum, Before.S, More.S)));
    }
    return SymValue::aggregate(registersOf(std::move(Result), Type));
  }
  const bool IsLoad = Operation == "load";
  if ((!IsLoad && Operation != "store") || Words[7] != "stride")
    return NotUnderstood();
  llvm::StringRef Side = Words[5];
  const bool RowMajor = Words[6] == "row";
  llvm::StringRef Type = Words[8];
  // Accumulators are the same in either order, and are loaded as C and stored
  // as D.
  const bool IsFactor = Side == "a" || Side == "b";
  const ElementType *Elements = findElementType(Type);
  const auto Counters =
      IsFactor ? fragmentCounters(Side + " " + Words[3] + Words[6] + Type)
               : fragmentCounters("c " + Words[3]);
  const unsigned Down = Counters.first, Across = Counters.second;
  const int64_t Height = Side == "b" ? Shape->K : Shape->M;
  const int64_t Width = Side == "a" ? Shape->K : Shape->N;
  SymValue P = valueOf(Call.getArgOperand(0));
  SymValue Pitch = valueOf(Call.getArgOperand(Call.arg_size() - 1));
  if (P.is(VK::Unknown) || Pitch.is(VK::Unknown)) {
    const SymValue &Bad = P.is(VK::Unknown) ? P : Pitch;
    return IsLoad ? Bad : failValue(Bad.ReasonID, Bad.Reason);
  }
  if (!Elements || (IsFactor && !Elements->isFactor()) || !P.is(VK::Pointer) ||
      P.Array.empty() || !Pitch.is(VK::Int))
    return failValue(DiagID::UnsupportedType,
                     "matrix fragments of a type that is not supported");
  IntExpr Stride = exactly(Pitch, /*Signed=*/false);
  if (!isWarpUniform(P.I) || !isWarpUniform(Stride))
    return failValue(DiagID::UnsupportedExpression,
                     "the threads of a warp name different matrices");
  const unsigned Size = byteSize(Elements->Element);
  IntExpr R = IntExpr::counter(Down), C = IntExpr::counter(Across);
  SymValue Element = P;
  if (IsLoad && mistaken(Mistake::FragmentShifted))
    Element.I = Element.I + IntExpr(static_cast<int64_t>(Size));
  Element.I = Element.I + (RowMajor ? R * Stride + C : C * Stride + R) *
                              IntExpr(static_cast<int64_t>(Size));
  auto Around = [&](auto Access) {
    LiveLoops.push_back({Down, IntExpr(Height)});
    LiveLoops.push_back({Across, IntExpr(Width)});
    LiveHeaders.resize(LiveLoops.size());
    Access();
    LiveLoops.resize(LiveLoops.size() - 2);
    LiveHeaders.resize(LiveLoops.size());
  };
  if (IsLoad) {
    SymValue V;
    const unsigned FirstRead = NextWrite;
    Around([&] { V = loadPiece(Element, Size); });
    // The threads of the warp read all elements, not a certain one.
    for (Write &Read : S[P.Array].Reads)
      if (Read.Id >= FirstRead)
        for (auto [Counter, Count] :
             {std::pair(Down, Height), {Across, Width}}) {
          const unsigned Other = NextCounter++;
          Read = withCounter(std::move(Read), Counter, IntExpr::counter(Other));
          Read.Loops.push_back({Other, IntExpr(Count)});
        }
    if (Failed || V.is(VK::Unknown))
      return V;
    auto *Struct = llvm::dyn_cast<llvm::StructType>(Call.getType());
    const unsigned Count =
        (Struct ? Struct->getNumElements() : 1) * (isOfPairs(Type) ? 2 : 1);
    std::vector<SymValue> Loaded;
    for (unsigned N = 0; N < Count; ++N)
      Loaded.push_back(ofRegister(V, {Down, Across}, N));
    // A remainder of a row or column may be equal for two registers.
    if (isOfFragment(V) && !mistaken(Mistake::FragmentRegistersAlike))
      for (const SymValue &X : Loaded)
        for (const SymValue &Y : Loaded)
          if (&X != &Y && same(X, Y))
            return unknown(DiagID::UnsupportedExpression,
                           "the elements of a matrix fragment cannot be told "
                           "apart");
    if (!Struct && Loaded.size() == 1)
      return Loaded.front();
    return SymValue::aggregate(registersOf(std::move(Loaded), Type));
  }
  std::vector<SymValue> Registers;
  for (unsigned N = 1; N + 1 < Call.arg_size(); ++N)
    Registers.push_back(valueOf(Call.getArgOperand(N)));
  // An array of fragments may be read at an index that is not known yet.
  const SymValue *Bad = findUnknown(Registers);
  if (Bad && !Probing)
    return failValue(Bad->ReasonID, Bad->Reason);
  const bool Unread = Bad;
  if (Unread)
    Registers = {*Bad};
  if (!Unread)
    Registers = generic(elementsOf(Registers, Type), {Down, Across});
  if (!Unread && !Registers.empty() && isOfFragment(Registers[0], Counters))
    return failValue(DiagID::UnsupportedExpression,
                     "a matrix fragment has elements of one of another shape "
                     "or order");
  if (!Unread && (Registers.empty() || !IsSame(Registers)))
    return failValue(DiagID::UnsupportedExpression,
                     "the elements of a matrix fragment were changed one by "
                     "one");
  // A value of a single thread would be stored at unknown elements.
  auto OfThread = [&] {
    ValueRef Shared = transformInts(
        Registers.front().S, [](const IntAtom &A) -> std::optional<IntExpr> {
          IntExpr E(std::make_shared<IntAtom>(A));
          return !A.isLeaf() && isWarpUniform(E)
                     ? std::optional<IntExpr>(IntExpr())
                     : std::nullopt;
        });
    return mentionsAny(SymValue::scalar(Shared), [](llvm::StringRef Key) {
      return Key == "threadIdx.x";
    });
  };
  if (!Unread && OfThread())
    return failValue(DiagID::UnsupportedExpression,
                     "the elements of a matrix fragment depend on the thread");
  bool Stored = false;
  StoresFragment = true;
  Around([&] { Stored = storePiece(Element, Registers.front(), Size); });
  StoresFragment = false;
  if (!Stored)
    return {};
  Write &W = S[P.Array].Writes.back();
  W.Loops.push_back({Down, IntExpr(Height)});
  W.Loops.push_back({Across, IntExpr(Width)});
  W.ByWarp = true;
  return {};
}

} // namespace warpwright::symbolic
