//===-- Replace.cpp - Values with other parts -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace warpwright {

bool hasValues(const BoolExpr &B) {
  bool Found = false;
  B.walk([](const IntExpr &) {}, [&](const ValueRef &) { Found = true; });
  return Found;
}

BoolExpr mapValues(const BoolExpr &B,
                   llvm::function_ref<ValueRef(const ValueRef &)> Fn) {
  switch (B.getKind()) {
  case BoolExpr::Kind::FloatCmp:
    return BoolExpr::floatCompare(B.getOp(), Fn(B.getValueLHS()),
                                  Fn(B.getValueRHS()));
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(mapValues(B.operands()[0], Fn),
                                 mapValues(B.operands()[1], Fn));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(mapValues(B.operands()[0], Fn),
                                 mapValues(B.operands()[1], Fn));
  case BoolExpr::Kind::Not:
    return BoolExpr::negation(mapValues(B.operands()[0], Fn));
  case BoolExpr::Kind::Constant:
  case BoolExpr::Kind::Compare:
  case BoolExpr::Kind::NonNull:
    return B;
  }
  llvm_unreachable("covered switch");
}

ValueRef replaceParts(const ValueRef &V,
                      llvm::function_ref<ValueRef(const ValueRef &)> Fn) {
  bool Same = true, All = true;
  auto Part = [&](const ValueRef &X) {
    ValueRef New = All ? Fn(X) : nullptr;
    All &= New != nullptr;
    Same &= New == X;
    return New ? New : X;
  };
  std::vector<ValueRef> Ops;
  for (const ValueRef &Op : V->Ops)
    Ops.push_back(Part(Op));
  ValueRef Body = V->Body ? Part(V->Body) : nullptr;
  BoolExpr Condition = V->Condition;
  if (hasValues(Condition))
    Condition = mapValues(Condition, Part);
  if (!All)
    return nullptr;
  if (Same)
    return V;
  auto Copy = std::make_shared<Value>(*V);
  Copy->Condition = std::move(Condition);
  Copy->Body = std::move(Body);
  Copy->setOperands(std::move(Ops));
  return Copy;
}

static ValueRef replace(const ValueRef &V,
                        llvm::function_ref<ValueRef(const ValueRef &)> Fn,
                        llvm::DenseMap<const Value *, ValueRef> &Done) {
  if (ValueRef Known = Done.lookup(V.get()))
    return Known;
  ValueRef R = Fn(V);
  if (!R)
    R = replaceParts(V,
                     [&](const ValueRef &X) { return replace(X, Fn, Done); });
  return Done[V.get()] = R;
}

ValueRef replaceValues(const ValueRef &V,
                       llvm::function_ref<ValueRef(const ValueRef &)> Fn) {
  llvm::DenseMap<const Value *, ValueRef> Done;
  return replace(V, Fn, Done);
}

} // namespace warpwright
