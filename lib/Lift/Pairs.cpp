//===-- Pairs.cpp - Two numbers in a register -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A register of 32 bits that holds two halves is an Aggregate of them, the
/// lower one first. It is put together and taken apart by shifts, which is also
/// what LLVM makes of a `half2` that is read as an integer.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static constexpr int64_t HalfBits = 16;

static SymValue noBits() { return SymValue::exact(IntExpr(), HalfBits); }

static bool isNone(const SymValue &V) { return V.constant() == 0; }

std::optional<ScalarType> Executor::pairType(const SymValue &V) {
  if (!V.is(VK::Aggregate) || V.Fields.size() != 2 ||
      !V.Fields[0].is(VK::Scalar) || !V.Fields[1].is(VK::Scalar))
    return std::nullopt;
  const ScalarType T = V.Fields[0].S->Type;
  if (byteSize(T) != 2 || V.Fields[1].S->Type != T)
    return std::nullopt;
  return T;
}

std::optional<std::array<SymValue, 2>> Executor::halvesOf(const SymValue &V) {
  if (V.is(VK::Aggregate) && V.Fields.size() == 2)
    return std::array<SymValue, 2>{V.Fields[0], V.Fields[1]};
  if (isNone(V))
    return std::array<SymValue, 2>{noBits(), noBits()};
  return std::nullopt;
}

/// Notes that the kernel accesses memory of which nothing but the address is
/// known, at \p P, as a number of type \p T. Four bytes that it loads may be
/// several numbers.
void Executor::noteElements(const SymValue &P, llvm::Type *T, bool Stored) {
  if (!P.is(VK::Pointer) || !isParameter(P.Array))
    return;
  const auto Leaf = llvm::find_if(
      Kernel.Params, [&](const ParamLeaf &L) { return L.Path == P.Array; });
  if (Leaf == Kernel.Params.end() || Leaf->Raw == ParamLeaf::RawKind::None)
    return;
  if (T->isFloatingPointTy())
    Packed.try_emplace(P.Array, T->isFloatTy()    ? ScalarType::F32
                                : T->isDoubleTy() ? ScalarType::F64
                                : T->isHalfTy()   ? ScalarType::F16
                                                  : ScalarType::BF16);
  else if (Leaf->Raw == ParamLeaf::RawKind::Bytes)
    return;
  else if (T->isIntegerTy(16))
    Packed.try_emplace(P.Array, ScalarType::U16);
  else if (T->isIntegerTy(32) && Stored)
    Packed.try_emplace(P.Array, ScalarType::I32);
}

/// `inside ? A[i] : T(0)` says that an element of A is such a number.
void Executor::noteMeeting(const SymValue &A, const SymValue &B) {
  auto IsHalf = [](const SymValue &V, bool Floating) {
    return V.is(VK::Scalar) && byteSize(V.S->Type) == 2 &&
           isFloating(V.S->Type) == Floating;
  };
  for (const auto &[Bits, Number] : {std::pair(A, B), std::pair(B, A)})
    if (IsHalf(Bits, false) && IsHalf(Number, true))
      notePacked(Bits.S, Number.S->Type);
}

void Executor::notePacked(const ValueRef &V, ScalarType Part) {
  V->walk([&](const Value &X) {
    if (X.K == Value::Kind::Load && !isFloating(X.Type) &&
        byteSize(X.Type) <= 4 && byteSize(X.Type) >= byteSize(Part) &&
        (byteSize(X.Type) == 4 || isFloating(Part)) && isParameter(X.Name))
      Packed.try_emplace(X.Name, Part);
  });
}

/// The same for four bytes. What has one byte, the lowest, is the number of it,
/// unless that is a floating-point number.
std::optional<SymValue> Executor::byteOp(const llvm::BinaryOperator &I,
                                         const SymValue &L, const SymValue &R) {
  using Op = llvm::Instruction;
  constexpr unsigned Bytes = 4, Bits = 8;
  const SymValue None = SymValue::exact(IntExpr(), Bits);
  using Word = std::array<SymValue, Bytes>;
  auto BytesIn = [&](const SymValue &V) -> std::optional<Word> {
    Word W = {None, None, None, None};
    if (isNone(V))
      return W;
    if (!V.is(VK::Aggregate) || V.Fields.size() != Bytes)
      return std::nullopt;
    std::copy(V.Fields.begin(), V.Fields.end(), W.begin());
    return W;
  };
  auto Number = [&](const SymValue &Byte, ScalarType T) {
    const SymValue V = asNumber(Byte, T);
    return V.is(VK::Scalar) ? numbered(Value::cast(ScalarType::I32, V.S)) : V;
  };
  auto Whole = [&](Word W) {
    const bool IsFloat = W[0].is(VK::Scalar) && isFloating(W[0].S->Type);
    if (llvm::all_of(llvm::drop_begin(W), isNone) && !IsFloat)
      return Number(W[0], ScalarType::U8);
    return SymValue::aggregate({W.begin(), W.end()});
  };
  auto A = BytesIn(L), B = BytesIn(R);
  const auto Count = R.constant();
  Word Result = {None, None, None, None};
  switch (I.getOpcode()) {
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: {
    // A loop over the bytes of a word reads them in turn, as it would buffers.
    if (A && !Count && R.is(VK::Int))
      R.I.walk([&](const IntAtom &X) {
        if (X.getKind() == AtomKind::Counter)
          TurnsRead[X.getDim()].insert("the bytes of a word");
      });
    if (!A || !Count || *Count % Bits != 0 || *Count < 0 ||
        *Count >= Bits * Bytes)
      return std::nullopt;
    const unsigned By = *Count / Bits;
    const bool Signed =
        I.getOpcode() == Op::AShr && By && !isNone((*A)[Bytes - 1]);
    if (Signed && By == Bytes - 1)
      return Number((*A)[Bytes - 1], ScalarType::I8);
    // All bits of the upper bytes are the sign of the highest one.
    if (Signed)
      for (unsigned N = Bytes - By; N < Bytes; ++N)
        Result[N] = unknown(DiagID::UnsupportedExpression,
                            "a byte that is the sign of another one is used");
    for (unsigned N = 0; N + By < Bytes; ++N)
      if (I.getOpcode() == Op::Shl)
        Result[N + By] = (*A)[N];
      else
        Result[N] = (*A)[N + By];
    return Whole(Result);
  }
  case Op::And:
    if (!A || !Count)
      return std::nullopt;
    for (unsigned N = 0; N < Bytes; ++N) {
      const auto Mask = static_cast<uint8_t>(*Count >> (Bits * N));
      if (Mask != 0 && Mask != 0xff)
        return std::nullopt;
      if (Mask)
        Result[N] = (*A)[N];
    }
    return Whole(Result);
  case Op::Or:
    if (!A || !B)
      return std::nullopt;
    for (unsigned N = 0; N < Bytes; ++N) {
      if (!isNone((*A)[N]) && !isNone((*B)[N]))
        return std::nullopt;
      Result[N] = isNone((*A)[N]) ? (*B)[N] : (*A)[N];
    }
    return Whole(Result);
  default:
    return std::nullopt;
  }
}

std::optional<SymValue> Executor::pairOp(const llvm::BinaryOperator &I,
                                         const SymValue &L, const SymValue &R) {
  using Op = llvm::Instruction;
  if (!I.getType()->isIntegerTy(2 * HalfBits) ||
      (!L.is(VK::Aggregate) && !R.is(VK::Aggregate)))
    return std::nullopt;
  for (const SymValue *V : {&L, &R})
    if (V->is(VK::Aggregate) && V->Fields.size() == 4)
      return byteOp(I, L, R);
  auto A = halvesOf(L);
  if (!A)
    return std::nullopt;
  auto Pair = [](SymValue Low, SymValue High) {
    return SymValue::aggregate({std::move(Low), std::move(High)});
  };
  const auto Count = R.constant();
  switch (I.getOpcode()) {
  case Op::Shl:
    if (Count == HalfBits)
      return Pair(noBits(), (*A)[0]);
    break;
  case Op::LShr:
    if (Count == HalfBits)
      return Pair((*A)[1], noBits());
    break;
  case Op::And: {
    constexpr int64_t Low = 0xffff;
    if (Count == Low)
      return Pair((*A)[0], noBits());
    if (Count == -Low - 1 || Count == (Low << HalfBits))
      return Pair(noBits(), (*A)[1]);
    break;
  }
  case Op::Or: {
    auto B = halvesOf(R);
    if (!B)
      break;
    std::array<SymValue, 2> Both;
    for (unsigned N = 0; N < 2; ++N) {
      if (!isNone((*A)[N]) && !isNone((*B)[N]))
        return std::nullopt;
      Both[N] = isNone((*A)[N]) ? (*B)[N] : (*A)[N];
    }
    return Pair(Both[0], Both[1]);
  }
  default:
    break;
  }
  return std::nullopt;
}

SymValue Executor::widenNarrow(const SymValue &V) const {
  if (byteSize(V.S->Type) == 2)
    return SymValue::aggregate({V, noBits()});
  const SymValue None = SymValue::exact(IntExpr(), 8);
  return SymValue::aggregate({V, None, None, None});
}

} // namespace warpwright::symbolic
