//===-- Exactness.cpp - Whether rounding can make kernels differ ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// With integers as data, the sums of both kernels are exact and equal. The
/// operations on the sums give equal bits as well, with one exception: whether
/// a product is rounded before something is added to it, which compilers may
/// decide differently for the two kernels. That matters only if the product is
/// not exact. So each value gets a bound and a quantum, which is a power of two
/// of which the value is a multiple; the quotient of both says how many bits
/// the value may need.
///
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "warpwright/Verify/Evaluate.h"
#include <algorithm>
#include <cmath>

using namespace warpwright;

namespace {

struct Magnitude {
  double Bound = 0, Quantum = 1;
  bool Exact = true; ///< the machine computes exactly this value
  bool Same = true;  ///< both kernels compute the same bits
};

class Analysis {
public:
  Analysis(double AccBound, double LoadBound, const Assignment &A)
      : AccBound(AccBound), LoadBound(LoadBound), A(A) {}

  Magnitude analyse(const ValueRef &V) {
    auto Found = Known.find(V.get());
    if (Found != Known.end())
      return Found->second;
    return Known[V.get()] = compute(*V);
  }

private:
  static Magnitude number(double X) {
    Magnitude M;
    M.Bound = std::fabs(X);
    if (X == 0 || !std::isfinite(X))
      return M;
    int Exponent = 0;
    double Fraction = std::frexp(std::fabs(X), &Exponent);
    int Bits = 0;
    while (Bits < 53 && Fraction != std::floor(Fraction)) {
      Fraction *= 2;
      ++Bits;
    }
    M.Quantum = std::ldexp(1.0, Exponent - Bits);
    return M;
  }
  /// Whether the value fits the significand of \p T.
  static bool fits(const Magnitude &M, ScalarType T) {
    double Digits = isFloating(T) ? significandBits(T) : 63;
    return M.Bound / M.Quantum <= std::ldexp(1.0, static_cast<int>(Digits));
  }
  Magnitude compute(const Value &V);
  Magnitude branches(const Value &V);

  double AccBound, LoadBound;
  const Assignment &A;
  std::map<const Value *, Magnitude> Known;
};

} // namespace

/// The values that a condition compares must be equal, too.
static bool sameCondition(const BoolExpr &E, Analysis &In) {
  bool Same = true;
  if (E.getKind() == BoolExpr::Kind::FloatCmp)
    Same = In.analyse(E.getValueLHS()).Same && In.analyse(E.getValueRHS()).Same;
  for (const BoolExpr &Op : E.operands())
    Same &= sameCondition(Op, In);
  return Same;
}

Magnitude Analysis::branches(const Value &V) {
  Magnitude L = analyse(V.Ops[0]), R = analyse(V.Ops[1]);
  Magnitude M;
  M.Bound = std::max(L.Bound, R.Bound);
  M.Quantum = std::min(L.Quantum, R.Quantum);
  M.Exact = L.Exact && R.Exact;
  M.Same = L.Same && R.Same;
  return M;
}

Magnitude Analysis::compute(const Value &V) {
  Magnitude M;
  switch (V.K) {
  case Value::Kind::Constant:
    return number(V.getConstant().value_or(1e300));
  case Value::Kind::Acc:
    M.Bound = AccBound;
    M.Exact = M.Same = fits(M, V.Type);
    return M;
  case Value::Kind::Load:
    M.Bound = LoadBound;
    return M;
  case Value::Kind::Global:
  case Value::Kind::Param:
    if (auto Found = A.Floats.find(V.Name); Found != A.Floats.end())
      return number(Found->second);
    M.Bound = 1 << 20;
    return M;
  case Value::Kind::Int:
    M.Bound = 1 << 20;
    return M;
  case Value::Kind::Cast:
    M = analyse(V.Ops[0]);
    if (!isFloating(V.Type))
      M.Quantum = std::max(M.Quantum, 1.0);
    M.Exact &= fits(M, V.Type);
    return M;
  case Value::Kind::Neg:
    return analyse(V.Ops[0]);
  case Value::Kind::Add:
  case Value::Kind::Sub: {
    M = branches(V);
    M.Bound = analyse(V.Ops[0]).Bound + analyse(V.Ops[1]).Bound;
    for (const ValueRef &Op : V.Ops) {
      const Value *Product = Op.get();
      while (Product->K == Value::Kind::Neg)
        Product = Product->Ops[0].get();
      if (Product->K == Value::Kind::Mul && !analyse(Op).Exact)
        M.Same = false;
    }
    M.Exact &= fits(M, V.Type);
    return M;
  }
  case Value::Kind::Mul:
    M = branches(V);
    M.Bound = analyse(V.Ops[0]).Bound * analyse(V.Ops[1]).Bound;
    M.Quantum = analyse(V.Ops[0]).Quantum * analyse(V.Ops[1]).Quantum;
    M.Exact &= fits(M, V.Type);
    return M;
  case Value::Kind::Fma:
    for (const ValueRef &Op : V.Ops)
      M.Same &= analyse(Op).Same;
    M.Exact = false;
    return M;
  case Value::Kind::And:
  case Value::Kind::Or:
  case Value::Kind::Xor:
  case Value::Kind::Shl:
  case Value::Kind::Shr:
    // Integers below the smallest mask, or of so many bits.
    M.Bound = byteSize(V.Type) > 4 ? 0x1p63 : 0x1p32;
    for (const ValueRef &Op : V.Ops) {
      M.Same &= analyse(Op).Same;
      if (const auto C = Op->getConstant();
          V.K == Value::Kind::And && C && *C >= 0)
        M.Bound = std::min(M.Bound, *C);
    }
    M.Quantum = 1;
    M.Exact = true;
    return M;
  case Value::Kind::Select:
    M = branches(V);
    M.Same &= sameCondition(V.Condition, *this);
    return M;
  case Value::Kind::Call:
    if (V.Body)
      return analyse(V.Body);
    if (V.Ops.size() == 2 && (V.Name.find("max") != std::string::npos ||
                              V.Name.find("min") != std::string::npos))
      return branches(V);
    if (V.Ops.size() == 1 && V.Name.find("abs") != std::string::npos)
      return analyse(V.Ops[0]);
    [[fallthrough]];
  default:
    for (const ValueRef &Op : V.Ops)
      M.Same &= analyse(Op).Same;
    M.Bound = 1e30;
    M.Quantum = 1e-30;
    M.Exact = false;
    return M;
  }
}

Exactness warpwright::analyseExactness(const ValueRef &V, double AccBound,
                                       double LoadBound, const Assignment &A) {
  // The last rounding, to the type of the output, is the same in both kernels.
  ValueRef Top = V;
  while (Top->K == Value::Kind::Cast)
    Top = Top->Ops[0];
  Magnitude M = Analysis(AccBound, LoadBound, A).analyse(Top);
  return {M.Same, M.Exact, M.Bound, M.Quantum};
}
