//===-- NumberRanges.cpp - How large the integers in a value are ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberRanges.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>

namespace warpwright::symbolic {

using Kind = Value::Kind;

NumberRange rangeOf(ScalarType T) {
  const int Bits = T == ScalarType::Bool ? 1 : 8 * int(byteSize(T));
  const bool Signed = T == ScalarType::I8 || T == ScalarType::I16 ||
                      T == ScalarType::I32 || T == ScalarType::I64;
  if (Signed)
    return {-std::ldexp(1.0, Bits - 1), std::ldexp(1.0, Bits - 1) - 1};
  return {0, std::ldexp(1.0, Bits) - 1};
}

bool isWithin(const NumberRange &R, ScalarType T) {
  if (isFloating(T)) {
    const double Most = std::ldexp(1.0, static_cast<int>(significandBits(T)));
    return R.Low >= -Most && R.High <= Most;
  }
  const NumberRange All = rangeOf(T);
  constexpr double Exact = 0x1p53;
  auto Covers = [&](double X) {
    return X >= All.Low && X <= All.High && std::fabs(X) < Exact;
  };
  return Covers(R.Low) && Covers(R.High);
}

NumberRange arithmeticRange(Kind K, const NumberRange &A,
                            const NumberRange &B) {
  switch (K) {
  case Kind::Neg:
    return {-A.High, -A.Low};
  case Kind::Add:
    return {A.Low + B.Low, A.High + B.High};
  case Kind::Sub:
    return {A.Low - B.High, A.High - B.Low};
  case Kind::Mul: {
    const auto [Low, High] = std::minmax(
        {A.Low * B.Low, A.Low * B.High, A.High * B.Low, A.High * B.High});
    return {Low, High};
  }
  default:
    llvm_unreachable("no arithmetic");
  }
}

NumberRange exactRangeOf(const ValueRef &V) {
  const NumberRange A = rangeOf(V->Ops[0]),
                    B = V->Ops.size() > 1 ? rangeOf(V->Ops[1]) : NumberRange();
  switch (V->K) {
  case Kind::Neg:
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul:
    return arithmeticRange(V->K, A, B);
  case Kind::And:
    // A number without a sign is not made larger.
    if (B.Low >= 0)
      return {0, A.Low >= 0 ? std::min(A.High, B.High) : B.High};
    return A.Low >= 0 ? NumberRange{0, A.High} : rangeOf(V->Type);
  case Kind::Shr: {
    if (B.Low < 0 || B.High >= 32)
      return {std::min(A.Low, 0.0), std::max(A.High, 0.0)};
    auto Over = [](double X, double By) {
      return std::floor(std::ldexp(X, -static_cast<int>(By)));
    };
    return {Over(A.Low, A.Low < 0 ? B.Low : B.High),
            Over(A.High, A.High < 0 ? B.High : B.Low)};
  }
  default:
    return rangeOf(V->Type);
  }
}

/// Deeper values are not looked into.
static constexpr unsigned MaxSize = 256;

NumberRange rangeOf(const ValueRef &V) {
  const NumberRange All = rangeOf(V->Type);
  if (V->Size > MaxSize)
    return All;
  NumberRange R = All;
  switch (V->K) {
  case Kind::Int:
    if (auto C = V->Index.getConstant())
      R = {static_cast<double>(*C), static_cast<double>(*C)};
    break;
  case Kind::Cast:
    if (!isFloating(V->Ops[0]->Type))
      R = rangeOf(V->Ops[0]);
    break;
  case Kind::Select: {
    const NumberRange A = rangeOf(V->Ops[0]), B = rangeOf(V->Ops[1]);
    R = {std::min(A.Low, B.Low), std::max(A.High, B.High)};
    break;
  }
  case Kind::Neg:
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul:
  case Kind::And:
  case Kind::Shr:
    R = exactRangeOf(V);
    break;
  default:
    break;
  }
  return isWithin(R, V->Type) ? R : All;
}

} // namespace warpwright::symbolic
