//===-- Fragments.cpp - Matrix fragments of a warp ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `nvcuda::wmma` as LLVM has it: intrinsics by which the 32 threads of a warp
/// load, multiply and store a matrix together. Which thread holds which element
/// is not specified (PTX ISA, "Matrix Fragments for WMMA"), so every register
/// of a fragment is taken for the same generic element, at row and column
/// counters of its own. What is done to one register alone makes it differ from
/// the others, and so does what comes from another register; such a fragment is
/// not stored.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
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
} // namespace

bool isFragmentIntrinsic(llvm::StringRef Name) {
  return Name.starts_with("llvm.nvvm.wmma.");
}

/// Whether all threads of a warp have the same \p E, where the width of a block
/// is a multiple of 32.
static bool isWarpUniform(const IntExpr &E) {
  IntExpr Tx = IntExpr::special(AtomKind::ThreadIdx, 0);
  IntExpr Width = IntExpr::special(AtomKind::BlockDim, 0);
  const int64_t Lanes = mistaken(Mistake::HalfAWarp) ? 16 : 32;
  auto Whole = [&](const IntExpr &X) {
    return llvm::all_of(X.terms(), [&](const auto &T) {
      return T.second % Lanes == 0 ||
             llvm::any_of(T.first, [&](const AtomRef &A) {
               return A->getKey() == Width.str();
             });
    });
  };
  IntExpr Rest = E.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    auto D = A.getKind() == AtomKind::FloorDiv ? A.getRHS().getConstant()
                                               : std::nullopt;
    if (D && *D > 0 && *D % Lanes == 0 && Whole(A.getLHS() - Tx))
      return IntExpr();
    return std::nullopt;
  });
  return !Rest.contains(Tx.str());
}

/// The generic element \p V as register \p N of a fragment has it: its counters
/// go on by steps that no index has by itself, so that it is not what another
/// register has. Register -N takes that back.
static SymValue ofRegister(SymValue V, llvm::ArrayRef<unsigned> Counters,
                           int64_t N) {
  if (mistaken(Mistake::FragmentRegistersAlike))
    return V;
  // Primes beyond the sizes of tiles: a remainder of an index differs, too.
  int64_t Step = 1000003;
  for (unsigned Counter : Counters) {
    V = withCounter(std::move(V), Counter,
                    IntExpr::counter(Counter) + IntExpr(N * Step));
    Step = 1000033;
  }
  return V;
}

/// Each of \p Registers as the generic element.
static std::vector<SymValue> generic(llvm::ArrayRef<SymValue> Registers,
                                     llvm::ArrayRef<unsigned> Counters) {
  std::vector<SymValue> Result;
  for (const SymValue &V : Registers)
    Result.push_back(
        ofRegister(V, Counters, -static_cast<int64_t>(Result.size())));
  return Result;
}

/// Whether \p Counter is in the sum \p V, other than as that of an earlier
/// product of fragments.
static bool isOpen(const ValueRef &V, unsigned Counter) {
  if (V->K == Value::Kind::Add)
    return isOpen(V->Ops[0], Counter) || isOpen(V->Ops[1], Counter);
  if (V->K == Value::Kind::Sum && V->Counter == Counter)
    return false;
  const std::string Wanted = IntExpr::counter(Counter).str();
  return mentionsAny(SymValue::scalar(V),
                     [&](llvm::StringRef Key) { return Key == Wanted; });
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
  if (Fragment[0] < 0)
    for (int &Counter : Fragment)
      Counter = static_cast<int>(NextCounter++);
  const unsigned Row = Fragment[0], Column = Fragment[1], Depth = Fragment[2];
  // All threads of the warp take part.
  bool Uniform = true;
  totalActive().walk([&](const IntExpr &E) { Uniform &= isWarpUniform(E); },
                     [&](const ValueRef &) { Uniform = false; });
  for (const BoundLoop &L : LiveLoops)
    Uniform &= isWarpUniform(L.Trip);
  if (!Uniform)
    return failValue(DiagID::DivergentBarrier,
                     "only some threads of a warp may reach this operation on "
                     "matrix fragments");
  if (!Probing)
    require(BoolExpr::compare(
                CmpOp::EQ,
                IntExpr::mod(IntExpr::special(AtomKind::BlockDim, 0), 32), 0),
            "blockDim.x is not a multiple of 32");
  llvm::StringRef Operation = Words[4];
  auto IsSame = [](llvm::ArrayRef<SymValue> Registers) {
    return llvm::all_of(Registers, [&](const SymValue &V) {
      return V.is(VK::Scalar) && same(V, Registers.front());
    });
  };
  if (Operation == "mma") {
    // ... mma row row f32 f32: the types of D and C; mma row row bf16: that of
    // A and B.
    llvm::StringRef Type = Words[7];
    ScalarType Element = Type == "bf16" ? ScalarType::BF16 : ScalarType::F16;
    if ((Type != "bf16" && Type != "f16" && Type != "f32") ||
        (Type != "bf16" && (Words.size() != 9 || Words[8] != Type)))
      return unknown(DiagID::UnsupportedType,
                     "matrix fragments of a type that is not supported");
    auto *Struct = llvm::dyn_cast<llvm::StructType>(Call.getType());
    const unsigned Outputs = Struct ? Struct->getNumElements() : 0;
    const unsigned Arguments = Call.arg_size();
    if (!Outputs || Arguments <= Outputs)
      return NotUnderstood();
    std::vector<SymValue> Registers;
    for (unsigned N = 0; N < Arguments; ++N) {
      Registers.push_back(valueOf(Call.getArgOperand(N)));
      if (Registers.back().is(VK::Unknown))
        return Registers.back();
    }
    // A's registers, B's, and as many of C as of the result. A and B differ in
    // the counters that they mention.
    const unsigned Factors = Arguments - Outputs;
    llvm::ArrayRef<SymValue> All(Registers);
    auto Moves = [](const SymValue &V, unsigned Counter) {
      std::string Wanted = IntExpr::counter(Counter).str();
      return mentionsAny(V, [&](llvm::StringRef Key) { return Key == Wanted; });
    };
    auto IsA = [&](const SymValue &V) {
      return Moves(V, Row) && !Moves(V, Column);
    };
    auto IsB = [&](const SymValue &V) {
      return Moves(V, Column) && !Moves(V, Row);
    };
    // Half operands have as many registers each, others one for two elements.
    const unsigned First =
        Element == ScalarType::F16
            ? Factors / 2
            : static_cast<unsigned>(Shape->M * Shape->K / 64);
    if (First == 0 || First >= Factors)
      return NotUnderstood();
    const std::vector<SymValue> A =
        generic(All.take_front(First), {Row, Depth});
    const std::vector<SymValue> B =
        generic(All.slice(First, Factors - First), {Depth, Column});
    llvm::ArrayRef<SymValue> C = All.drop_front(Factors);
    if (!IsSame(A) || !IsSame(B) || !IsA(A[0]) || !IsB(B[0]) ||
        A[0].S->Type != Element || B[0].S->Type != Element)
      return unknown(DiagID::UnsupportedExpression,
                     "the elements of a matrix fragment were changed one by "
                     "one");
    ScalarType Sum = Type == "f16" ? ScalarType::F16 : ScalarType::F32;
    auto Product = Value::binary(Value::Kind::Mul, ScalarType::F32,
                                 Value::cast(ScalarType::F32, A[0].S),
                                 Value::cast(ScalarType::F32, B[0].S));
    auto Node = std::make_shared<Value>(Value::Kind::Sum, Sum);
    Node->Counter = Depth;
    Node->Index = IntExpr(Shape->K);
    Node->Loc = here().getRawEncoding();
    Node->Ops = {Value::cast(Sum, Product)};
    std::vector<SymValue> Result;
    for (const SymValue &V : C) {
      SymValue Before = V.is(VK::Int) ? asNumber(V, Sum) : V;
      if (!Before.is(VK::Scalar) || Before.S->Type != Sum ||
          isOpen(Before.S, Depth))
        return unknown(DiagID::UnsupportedType,
                       "matrix fragments of a type that is not supported");
      SymValue More = ofRegister(SymValue::scalar(Node), {Row, Column},
                                 static_cast<int64_t>(Result.size()));
      Result.push_back(
          numbered(Value::binary(Value::Kind::Add, Sum, Before.S, More.S)));
    }
    return SymValue::aggregate(std::move(Result));
  }
  const bool IsLoad = Operation == "load";
  if ((!IsLoad && Operation != "store") || Words[7] != "stride")
    return NotUnderstood();
  llvm::StringRef Side = Words[5];
  const bool RowMajor = Words[6] == "row";
  llvm::StringRef Type = Words[8];
  const bool Known = Type == "f16" || Type == "f32" || Type == "bf16";
  const unsigned Down = Side == "b" ? Depth : Row;
  const unsigned Across = Side == "a" ? Depth : Column;
  const int64_t Height = Side == "b" ? Shape->K : Shape->M;
  const int64_t Width = Side == "a" ? Shape->K : Shape->N;
  SymValue P = valueOf(Call.getArgOperand(0));
  SymValue Pitch = valueOf(Call.getArgOperand(Call.arg_size() - 1));
  if (P.is(VK::Unknown) || Pitch.is(VK::Unknown)) {
    const SymValue &Bad = P.is(VK::Unknown) ? P : Pitch;
    return IsLoad ? Bad : failValue(Bad.ReasonID, Bad.Reason);
  }
  // A tf32 fragment drops digits of its elements.
  if (!Known || !P.is(VK::Pointer) || P.Array.empty() || !Pitch.is(VK::Int))
    return failValue(DiagID::UnsupportedType,
                     "matrix fragments of a type that is not supported");
  IntExpr Stride = exactly(Pitch, /*Signed=*/false);
  if (!isWarpUniform(P.I) || !isWarpUniform(Stride))
    return failValue(DiagID::UnsupportedExpression,
                     "the threads of a warp name different matrices");
  const unsigned Size = Type == "f32" ? 4 : 2;
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
    Around([&] { V = loadPiece(Element, Size); });
    if (Failed || V.is(VK::Unknown))
      return V;
    auto *Struct = llvm::dyn_cast<llvm::StructType>(Call.getType());
    std::vector<SymValue> Registers;
    for (unsigned N = 0; N < (Struct ? Struct->getNumElements() : 1); ++N)
      Registers.push_back(ofRegister(V, {Down, Across}, N));
    return SymValue::aggregate(std::move(Registers));
  }
  std::vector<SymValue> Registers;
  for (unsigned N = 1; N + 1 < Call.arg_size(); ++N) {
    SymValue V = valueOf(Call.getArgOperand(N));
    // An array of fragments, at an index that is not known yet.
    if (V.is(VK::Unknown) && Probing) {
      Registers = {V};
      break;
    }
    if (V.is(VK::Unknown))
      return failValue(V.ReasonID, V.Reason);
    V = ofRegister(V, {Down, Across}, 1 - static_cast<int64_t>(N));
    // Two halves of one register.
    if (V.is(VK::Aggregate))
      llvm::append_range(Registers, V.Fields);
    else
      Registers.push_back(std::move(V));
  }
  const bool Unread = !Registers.empty() && Registers[0].is(VK::Unknown);
  if (!Unread && (Registers.empty() || !IsSame(Registers)))
    return failValue(DiagID::UnsupportedExpression,
                     "the elements of a matrix fragment were changed one by "
                     "one");
  // A number of the thread's own is at elements that are not known.
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
  Around([&] { Stored = storePiece(Element, Registers.front(), Size); });
  if (!Stored)
    return {};
  Write &W = S[P.Array].Writes.back();
  W.Loops.push_back({Down, IntExpr(Height)});
  W.Loops.push_back({Across, IntExpr(Width)});
  W.ByWarp = true;
  return {};
}

} // namespace warpwright::symbolic
