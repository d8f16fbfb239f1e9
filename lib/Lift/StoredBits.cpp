//===-- StoredBits.cpp - Numbers that C++ keeps as integers ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arrays of 16-bit integers whose elements are the bits of half or bfloat16:
/// they are read by `__ushort_as_half` and the like, or, since a bfloat16 is
/// the upper half of a float, by a shift by 16. Where such a use is found, the
/// lift begins again with these numbers as the elements (notePacked). Then the
/// integers that the kernel computes with hold numbers, and only what gives the
/// number itself is understood.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// Whether the upper half of \p V, a word, is all that it has: of a number that
/// was shifted by 16 or of which the lower half was masked.
static bool isUpperHalf(const Value &V) {
  if (V.Ops.size() != 2 || V.Ops[1]->K != Value::Kind::Int)
    return false;
  const auto C = V.Ops[1]->Index.getConstant();
  constexpr int64_t Lower = 0xffff, Half = 16;
  switch (V.K) {
  case Value::Kind::Shl:
    return C == Half;
  case Value::Kind::Mul:
    return C == Lower + 1;
  case Value::Kind::And:
    return C == -Lower - 1 || C == Lower << Half;
  default:
    return false;
  }
}

std::optional<SymValue> Executor::readBits(const SymValue &V, ScalarType T) {
  if (V.is(VK::Aggregate) && V.Fields.size() == 1)
    return readBits(V.Fields[0], T);
  if (V.is(VK::Scalar) && V.S->Type == T)
    return V;
  if (V.is(VK::Scalar) && !isFloating(V.S->Type)) {
    if (T == ScalarType::F32 && byteSize(V.S->Type) == 4 && isUpperHalf(*V.S))
      notePacked(V.S, ScalarType::BF16);
    else if (byteSize(T) == 2 && byteSize(V.S->Type) == 2)
      notePacked(V.S, T);
    return std::nullopt;
  }
  if (T == ScalarType::F32 && V.is(VK::Aggregate) && V.Fields.size() == 2 &&
      V.Fields[0].constant() == 0 && V.Fields[1].is(VK::Scalar) &&
      V.Fields[1].S->Type == ScalarType::BF16)
    return numbered(Value::cast(T, V.Fields[1].S));
  return std::nullopt;
}

std::optional<SymValue> Executor::bitsCall(llvm::CallBase &Call,
                                           const FunctionInfo &Info) {
  const bool OfBits =
      llvm::StringSwitch<bool>(Info.Name)
          .Cases({"__uint_as_float", "__int_as_float", "__ushort_as_half",
                  "__short_as_half", "__ushort_as_bfloat16",
                  "__short_as_bfloat16"},
                 true)
          .Default(false);
  llvm::Value *Bits = OfBits ? argument(Call, Info, 0) : nullptr;
  if (!Bits || Bits->getType()->isPointerTy())
    return std::nullopt;
  if (auto Number = readBits(valueOf(Bits), Info.Result.Element))
    return packResult(Call, Info, {*Number});
  return std::nullopt;
}

ValueRef Executor::numberOfBits(const ValueRef &V) {
  const bool OfNumber =
      V->K == Value::Kind::Call && V->Ops.size() == 1 &&
      llvm::StringSwitch<bool>(V->Name)
          .Cases({"__half_as_ushort", "__half_as_short", "__bfloat16_as_ushort",
                  "__bfloat16_as_short"},
                 true)
          .Default(false);
  if (OfNumber)
    return V->Ops[0];
  return isFloating(V->Type) ? V : nullptr;
}

} // namespace warpwright::symbolic
