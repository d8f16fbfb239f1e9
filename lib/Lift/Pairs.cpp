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

std::optional<SymValue> Executor::pairOp(const llvm::BinaryOperator &I,
                                         const SymValue &L, const SymValue &R) {
  using Op = llvm::Instruction;
  if (!I.getType()->isIntegerTy(2 * HalfBits) ||
      (!L.is(VK::Aggregate) && !R.is(VK::Aggregate)))
    return std::nullopt;
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

SymValue Executor::widenHalf(const SymValue &V) const {
  return SymValue::aggregate({V, noBits()});
}

} // namespace warpwright::symbolic
