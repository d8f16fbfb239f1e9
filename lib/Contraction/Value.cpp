//===-- Value.cpp - Typed scalar expressions ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

namespace warpwright {

namespace {
struct TypeInfo {
  ScalarType Type;
  llvm::StringLiteral Name;
  unsigned Bytes;
  unsigned Digits; ///< significand bits of a floating type, else 0
};
} // namespace

static constexpr TypeInfo Types[] = {
    {ScalarType::Bool, "bool", 1, 0}, {ScalarType::I8, "i8", 1, 0},
    {ScalarType::U8, "u8", 1, 0},     {ScalarType::I16, "i16", 2, 0},
    {ScalarType::U16, "u16", 2, 0},   {ScalarType::I32, "i32", 4, 0},
    {ScalarType::U32, "u32", 4, 0},   {ScalarType::I64, "i64", 8, 0},
    {ScalarType::U64, "u64", 8, 0},   {ScalarType::F16, "f16", 2, 11},
    {ScalarType::BF16, "bf16", 2, 8}, {ScalarType::F32, "f32", 4, 24},
    {ScalarType::F64, "f64", 8, 53},
};

static const TypeInfo &info(ScalarType T) {
  return *llvm::find_if(Types, [T](const TypeInfo &I) { return I.Type == T; });
}

llvm::StringRef name(ScalarType T) { return info(T).Name; }
unsigned byteSize(ScalarType T) { return info(T).Bytes; }
bool isFloating(ScalarType T) { return info(T).Digits != 0; }
unsigned significandBits(ScalarType T) { return info(T).Digits; }

std::optional<ScalarType> parseScalarType(llvm::StringRef Name) {
  for (const TypeInfo &I : Types)
    if (I.Name == Name)
      return I.Type;
  return std::nullopt;
}

static std::shared_ptr<Value> make(Value::Kind K, ScalarType T) {
  return std::make_shared<Value>(K, T);
}

/// Sets the operands, and the size that goes with them.
static ValueRef withOps(std::shared_ptr<Value> V, std::vector<ValueRef> Ops) {
  V->Ops = std::move(Ops);
  auto Count = [&](const ValueRef &Op) {
    V->Size = llvm::SaturatingAdd(V->Size, Op->Size);
  };
  llvm::for_each(V->Ops, Count);
  V->Condition.walk([](const IntExpr &) {}, Count);
  return V;
}

ValueRef Value::constant(ScalarType T, llvm::StringRef Text) {
  auto V = make(Kind::Constant, T);
  V->Text = Text.str();
  return V;
}

ValueRef Value::acc() { return make(Kind::Acc, ScalarType::F32); }

ValueRef Value::load(ScalarType T, llvm::StringRef Pointer, IntExpr Index) {
  auto V = make(Kind::Load, T);
  V->Name = Pointer.str();
  V->Index = std::move(Index);
  return V;
}

ValueRef Value::param(ScalarType T, llvm::StringRef Name) {
  auto V = make(Kind::Param, T);
  V->Name = Name.str();
  return V;
}

ValueRef Value::integer(ScalarType T, IntExpr E) {
  auto V = make(Kind::Int, T);
  V->Index = std::move(E);
  return V;
}

/// True when every value of \p From is a value of \p To.
static bool embeds(ScalarType From, ScalarType To) {
  if (From == To)
    return true;
  if (!isFloating(From) || !isFloating(To))
    return false;
  return To == ScalarType::F64 ||
         (To == ScalarType::F32 && From != ScalarType::F64);
}

ValueRef Value::cast(ScalarType To, ValueRef V) {
  if (V->Type == To)
    return V;
  // bf16 -> float -> bf16 is where it started.
  if (V->K == Kind::Cast && V->Ops[0]->Type == To && embeds(To, V->Type))
    return V->Ops[0];
  // half -> float -> double rounds nowhere.
  if (V->K == Kind::Cast && embeds(V->Ops[0]->Type, V->Type) &&
      embeds(V->Type, To))
    return cast(To, V->Ops[0]);
  return withOps(make(Kind::Cast, To), {std::move(V)});
}

ValueRef Value::unary(Kind K, ValueRef V) {
  auto R = make(K, V->Type);
  return withOps(std::move(R), {std::move(V)});
}

ValueRef Value::binary(Kind K, ScalarType T, ValueRef A, ValueRef B) {
  return withOps(make(K, T), {std::move(A), std::move(B)});
}

ValueRef Value::fma(ScalarType T, ValueRef A, ValueRef B, ValueRef C) {
  return withOps(make(Kind::Fma, T),
                 {std::move(A), std::move(B), std::move(C)});
}

ValueRef Value::call(ScalarType T, llvm::StringRef Callee,
                     std::vector<ValueRef> Args, ValueRef Body) {
  auto R = make(Kind::Call, T);
  R->Name = Callee.str();
  R->Body = std::move(Body);
  return withOps(std::move(R), std::move(Args));
}

ValueRef Value::select(BoolExpr C, ValueRef A, ValueRef B) {
  if (C.isTrue() || sameValue(A, B))
    return A;
  if (C.isFalse())
    return B;
  auto R = make(Kind::Select, A->Type);
  R->Condition = std::move(C);
  return withOps(std::move(R), {std::move(A), std::move(B)});
}

std::optional<double> Value::getConstant() const {
  if (K == Kind::Int) {
    if (auto C = Index.getConstant())
      return static_cast<double>(*C);
    return std::nullopt;
  }
  if (K == Kind::Cast)
    return Ops[0]->getConstant();
  if (K == Kind::Neg) {
    if (auto C = Ops[0]->getConstant())
      return -*C;
    return std::nullopt;
  }
  if (K != Kind::Constant)
    return std::nullopt;
  char *End = nullptr;
  double D = std::strtod(Text.c_str(), &End);
  if (End == Text.c_str())
    return std::nullopt;
  return D;
}

void Value::walk(llvm::function_ref<void(const Value &)> Fn) const {
  Fn(*this);
  if (K == Kind::Select || K == Kind::Sum)
    Condition.walk([](const IntExpr &) {},
                   [&](const ValueRef &V) { V->walk(Fn); });
  for (const ValueRef &Op : Ops)
    Op->walk(Fn);
}

bool Value::containsKind(Kind Wanted) const {
  bool Found = false;
  walk([&](const Value &V) { Found |= V.K == Wanted; });
  return Found;
}

void Value::print(llvm::raw_ostream &OS) const {
  auto Infix = [&](const char *Op) {
    OS << '(';
    Ops[0]->print(OS);
    OS << ' ' << Op << ' ';
    Ops[1]->print(OS);
    OS << ')';
  };
  auto List = [&]() {
    OS << '(';
    llvm::ListSeparator Sep;
    for (const ValueRef &Op : Ops) {
      OS << Sep;
      Op->print(OS);
    }
    OS << ')';
  };
  switch (K) {
  case Kind::Constant:
    OS << Text << ':' << name(Type);
    return;
  case Kind::Acc:
    OS << "acc";
    return;
  case Kind::Load:
    OS << Name << '[' << Index << "]:" << name(Type);
    return;
  case Kind::Param:
    OS << Name << ':' << name(Type);
    return;
  case Kind::Int:
    OS << "int." << name(Type) << '(' << Index << ')';
    return;
  case Kind::Cast:
    OS << name(Type);
    List();
    return;
  case Kind::Neg:
    OS << '-';
    List();
    return;
  case Kind::Add:
    return Infix("+");
  case Kind::Sub:
    return Infix("-");
  case Kind::Mul:
    return Infix("*");
  case Kind::Div:
    return Infix("/");
  case Kind::Fma:
    OS << "fma";
    List();
    return;
  case Kind::Call:
    OS << "call." << name(Type) << " \"" << Name << '"';
    List();
    return;
  case Kind::Select:
    OS << "select(" << Condition << ", ";
    Ops[0]->print(OS);
    OS << ", ";
    Ops[1]->print(OS);
    OS << ')';
    return;
  case Kind::Sum:
    OS << "sum(iter" << Counter << " < " << Index << " if " << Condition
       << ", ";
    Ops[0]->print(OS);
    OS << ')';
    return;
  case Kind::Phi:
    OS << "phi(" << Name << ')';
    return;
  case Kind::Undefined:
    OS << "undefined:" << name(Type);
    return;
  }
  llvm_unreachable("covered switch");
}

std::string Value::str() const {
  std::string S;
  llvm::raw_string_ostream OS(S);
  print(OS);
  return S;
}

ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) {
  auto R = std::make_shared<Value>(*V);
  R->Index = V->Index.transform(Fn);
  R->Condition = V->Condition.transform(Fn);
  for (ValueRef &Op : R->Ops)
    Op = transformInts(Op, Fn);
  if (R->Body)
    R->Body = transformInts(R->Body, Fn);
  if (R->K == Value::Kind::Select)
    if (R->Condition.isTrue() || R->Condition.isFalse())
      return R->Condition.isTrue() ? R->Ops[0] : R->Ops[1];
  return R;
}

bool sameValue(const ValueRef &A, const ValueRef &B) {
  return A == B || A->str() == B->str();
}

} // namespace warpwright
