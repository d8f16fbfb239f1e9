//===-- Float8.cpp - Conversions of numbers of 8 bits ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of cuda_fp8.h that take and give bits, in which the members of
/// its classes end. An argument says which type the bits are of.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/IR/InstrTypes.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// The type that argument \p N, a __nv_fp8_interpretation_t, means.
std::optional<ScalarType> Executor::float8Of(llvm::CallBase &Call,
                                             const FunctionInfo &Info, int N) {
  llvm::Value *A = argument(Call, Info, N);
  const auto Kind = A ? valueOf(A).constant() : std::nullopt;
  if (Kind == 0)
    return ScalarType::E4M3;
  if (Kind == 1)
    return ScalarType::E5M2;
  return std::nullopt;
}

SymValue Executor::toFloat8(llvm::CallBase &Call, const FunctionInfo &Info) {
  const auto To = float8Of(Call, Info, 2);
  llvm::Value *Saturates = argument(Call, Info, 1);
  if (!To || !Saturates || Info.Params.size() != 3)
    return unknown(DiagID::UnsupportedExpression,
                   "to which type of 8 bits this converts is not known");
  if (valueOf(Saturates).constant() != 1)
    return unknown(DiagID::UnsupportedExpression,
                   "a conversion to 8 bits that does not saturate");
  // The bits of half precision are integers in C++.
  const llvm::StringRef Name = Info.Name;
  const ScalarType From = Name.contains("bfloat16raw") ? ScalarType::BF16
                          : Name.contains("halfraw")   ? ScalarType::F16
                                                       : Info.Params[0].Element;
  std::vector<SymValue> Lanes = argumentNumbers(Call, Info, 0);
  if (Failed)
    return {};
  for (SymValue &V : Lanes) {
    V = asNumber(V, From);
    if (V.is(VK::Unknown))
      return V;
    V = convert(V, *To);
  }
  if (Lanes.size() == 1)
    return Lanes[0];
  return SymValue::aggregate(std::move(Lanes));
}

SymValue Executor::fromFloat8(llvm::CallBase &Call, const FunctionInfo &Info) {
  const auto From = float8Of(Call, Info, 1);
  llvm::Value *Bits = argument(Call, Info, 0);
  if (!From || !Bits || Info.Params.size() != 2)
    return unknown(DiagID::UnsupportedExpression,
                   "from which type of 8 bits this converts is not known");
  const unsigned Count = byteSize(Info.Params[0].Element);
  const SymValue Given = valueOf(Bits);
  std::vector<SymValue> Lanes;
  if (Given.is(VK::Aggregate))
    Lanes = Given.Fields;
  else if (auto C = Given.constant())
    for (unsigned N = 0; N < Count; ++N)
      Lanes.push_back(integerOf(IntExpr(int64_t(uint8_t(*C >> 8 * N))), 8,
                                /*Signed=*/false));
  else
    Lanes.push_back(Given);
  for (SymValue &V : Lanes) {
    if (V.is(VK::Scalar) && !isFloating(V.S->Type))
      notePacked(V.S, *From);
    V = asNumber(V, *From);
    if (V.is(VK::Unknown))
      return V;
    V = convert(V, ScalarType::F16);
  }
  if (Lanes.size() != Count)
    return unknown(DiagID::UnsupportedExpression,
                   "which numbers of 8 bits these are is not understood");
  return packResult(Call, Info, std::move(Lanes));
}

} // namespace warpwright::symbolic
