//===-- BoolExpr.cpp - Symbolic conditions --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/IntExpr.h"
#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright {

llvm::StringRef spelling(CmpOp Op) {
  switch (Op) {
  case CmpOp::EQ:
    return "==";
  case CmpOp::NE:
    return "!=";
  case CmpOp::LT:
    return "<";
  case CmpOp::LE:
    return "<=";
  case CmpOp::GT:
    return ">";
  case CmpOp::GE:
    return ">=";
  }
  llvm_unreachable("covered switch");
}

CmpOp negate(CmpOp Op) {
  switch (Op) {
  case CmpOp::EQ:
    return CmpOp::NE;
  case CmpOp::NE:
    return CmpOp::EQ;
  case CmpOp::LT:
    return CmpOp::GE;
  case CmpOp::LE:
    return CmpOp::GT;
  case CmpOp::GT:
    return CmpOp::LE;
  case CmpOp::GE:
    return CmpOp::LT;
  }
  llvm_unreachable("covered switch");
}

CmpOp swapSides(CmpOp Op) {
  switch (Op) {
  case CmpOp::EQ:
  case CmpOp::NE:
    return Op;
  case CmpOp::LT:
    return CmpOp::GT;
  case CmpOp::LE:
    return CmpOp::GE;
  case CmpOp::GT:
    return CmpOp::LT;
  case CmpOp::GE:
    return CmpOp::LE;
  }
  llvm_unreachable("covered switch");
}

BoolExpr BoolExpr::constant(bool B) {
  auto N = std::make_shared<Node>();
  N->K = Kind::Constant;
  N->B = B;
  return BoolExpr(std::move(N));
}

static bool holds(CmpOp Op, int64_t L, int64_t R) {
  switch (Op) {
  case CmpOp::EQ:
    return L == R;
  case CmpOp::NE:
    return L != R;
  case CmpOp::LT:
    return L < R;
  case CmpOp::LE:
    return L <= R;
  case CmpOp::GT:
    return L > R;
  case CmpOp::GE:
    return L >= R;
  }
  llvm_unreachable("covered switch");
}

BoolExpr BoolExpr::compare(CmpOp Op, IntExpr L, IntExpr R) {
  if (auto D = (L - R).getConstant())
    return constant(holds(Op, *D, 0));
  auto N = std::make_shared<Node>();
  N->K = Kind::Compare;
  N->Op = Op;
  N->L = std::move(L);
  N->R = std::move(R);
  return BoolExpr(std::move(N));
}

BoolExpr BoolExpr::nonNull(llvm::StringRef PointerName) {
  auto N = std::make_shared<Node>();
  N->K = Kind::NonNull;
  N->Name = PointerName.str();
  return BoolExpr(std::move(N));
}

BoolExpr BoolExpr::floatCompare(CmpOp Op, ValueRef L, ValueRef R) {
  auto N = std::make_shared<Node>();
  N->K = Kind::FloatCmp;
  N->Op = Op;
  N->VL = std::move(L);
  N->VR = std::move(R);
  return BoolExpr(std::move(N));
}

BoolExpr BoolExpr::conjunction(const BoolExpr &A, const BoolExpr &B) {
  if (A.isFalse() || B.isTrue())
    return A;
  if (B.isFalse() || A.isTrue())
    return B;
  if (A == B)
    return A;
  auto N = std::make_shared<Node>();
  N->K = Kind::And;
  N->Ops = {A, B};
  return BoolExpr(std::move(N));
}

BoolExpr BoolExpr::disjunction(const BoolExpr &A, const BoolExpr &B) {
  if (A.isTrue() || B.isFalse())
    return A;
  if (B.isTrue() || A.isFalse())
    return B;
  if (A == B)
    return A;
  auto N = std::make_shared<Node>();
  N->K = Kind::Or;
  N->Ops = {A, B};
  return BoolExpr(std::move(N));
}

BoolExpr BoolExpr::negation(const BoolExpr &A) {
  switch (A.getKind()) {
  case Kind::Constant:
    return constant(!A.isTrue());
  case Kind::Compare:
    return compare(negate(A.getOp()), A.getLHS(), A.getRHS());
  case Kind::And:
    return disjunction(negation(A.operands()[0]), negation(A.operands()[1]));
  case Kind::Or:
    return conjunction(negation(A.operands()[0]), negation(A.operands()[1]));
  case Kind::Not:
    return A.operands()[0];
  case Kind::NonNull:
  case Kind::FloatCmp: {
    auto N = std::make_shared<Node>();
    N->K = Kind::Not;
    N->Ops = {A};
    return BoolExpr(std::move(N));
  }
  }
  llvm_unreachable("covered switch");
}

void BoolExpr::conjuncts(llvm::SmallVectorImpl<BoolExpr> &Out) const {
  if (getKind() != Kind::And) {
    if (!isTrue())
      Out.push_back(*this);
    return;
  }
  for (const BoolExpr &Op : operands())
    Op.conjuncts(Out);
}

void BoolExpr::walk(llvm::function_ref<void(const IntExpr &)> OnInt,
                    llvm::function_ref<void(const ValueRef &)> OnValue) const {
  switch (getKind()) {
  case Kind::Constant:
  case Kind::NonNull:
    return;
  case Kind::Compare:
    OnInt(getLHS());
    OnInt(getRHS());
    return;
  case Kind::FloatCmp:
    OnValue(getValueLHS());
    OnValue(getValueRHS());
    return;
  case Kind::And:
  case Kind::Or:
  case Kind::Not:
    for (const BoolExpr &Op : operands())
      Op.walk(OnInt, OnValue);
    return;
  }
}

BoolExpr BoolExpr::transform(
    llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> OnAtom) const {
  switch (getKind()) {
  case Kind::Constant:
  case Kind::NonNull:
    return *this;
  case Kind::Compare:
    return compare(getOp(), getLHS().transform(OnAtom),
                   getRHS().transform(OnAtom));
  case Kind::FloatCmp:
    return floatCompare(getOp(), transformInts(getValueLHS(), OnAtom),
                        transformInts(getValueRHS(), OnAtom));
  case Kind::And:
    return conjunction(operands()[0].transform(OnAtom),
                       operands()[1].transform(OnAtom));
  case Kind::Or:
    return disjunction(operands()[0].transform(OnAtom),
                       operands()[1].transform(OnAtom));
  case Kind::Not:
    return negation(operands()[0].transform(OnAtom));
  }
  llvm_unreachable("covered switch");
}

void BoolExpr::print(llvm::raw_ostream &OS) const {
  auto Nested = [&](const BoolExpr &E) {
    bool Parens = E.getKind() == Kind::And || E.getKind() == Kind::Or;
    OS << (Parens ? "(" : "") << E << (Parens ? ")" : "");
  };
  switch (getKind()) {
  case Kind::Constant:
    OS << (isTrue() ? "true" : "false");
    return;
  case Kind::Compare:
    OS << getLHS() << ' ' << spelling(getOp()) << ' ' << getRHS();
    return;
  case Kind::NonNull:
    OS << "nonnull(" << getName() << ')';
    return;
  case Kind::FloatCmp:
    OS << "fcmp(";
    getValueLHS()->print(OS);
    OS << ' ' << spelling(getOp()) << ' ';
    getValueRHS()->print(OS);
    OS << ')';
    return;
  case Kind::And:
  case Kind::Or: {
    Nested(operands()[0]);
    OS << (getKind() == Kind::And ? " && " : " || ");
    Nested(operands()[1]);
    return;
  }
  case Kind::Not:
    OS << "!(" << operands()[0] << ')';
    return;
  }
}

std::string BoolExpr::str() const {
  std::string S;
  llvm::raw_string_ostream OS(S);
  print(OS);
  return S;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const BoolExpr &E) {
  E.print(OS);
  return OS;
}

} // namespace warpwright
