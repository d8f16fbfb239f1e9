//===-- Value.cpp - Typed scalar expressions ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Value.h"
#include "Graph.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>
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
    {ScalarType::Bool, "bool", 1, 0},
    {ScalarType::I8, "i8", 1, 0},
    {ScalarType::U8, "u8", 1, 0},
    {ScalarType::I16, "i16", 2, 0},
    {ScalarType::U16, "u16", 2, 0},
    {ScalarType::I32, "i32", 4, 0},
    {ScalarType::U32, "u32", 4, 0},
    {ScalarType::I64, "i64", 8, 0},
    {ScalarType::U64, "u64", 8, 0},
    {ScalarType::E4M3, "e4m3", 1, 4},
    {ScalarType::E5M2, "e5m2", 1, 3},
    {ScalarType::F16, "f16", 2, 11},
    {ScalarType::BF16, "bf16", 2, 8},
    {ScalarType::F32, "f32", 4, 24},
    {ScalarType::F64, "f64", 8, 53},
    {ScalarType::U4, "u4", 1, 0},
    {ScalarType::U4X2, "u4x2", 1, 0},
    {ScalarType::S4X2, "s4x2", 1, 0},
    {ScalarType::U4X2High, "u4x2_high", 1, 0},
    {ScalarType::S4X2High, "s4x2_high", 1, 0},
    {ScalarType::F16X2, "f16x2", 4, 11},
    {ScalarType::BF16X2, "bf16x2", 4, 8},
};

static const TypeInfo &info(ScalarType T) {
  return *llvm::find_if(Types, [T](const TypeInfo &I) { return I.Type == T; });
}

llvm::StringRef name(ScalarType T) { return info(T).Name; }
unsigned byteSize(ScalarType T) { return info(T).Bytes; }
bool isFloating(ScalarType T) { return info(T).Digits != 0; }
bool isFloat8(ScalarType T) {
  return T == ScalarType::E4M3 || T == ScalarType::E5M2;
}
bool isNarrowFloat(ScalarType T) { return isFloating(T) && byteSize(T) <= 2; }
unsigned significandBits(ScalarType T) { return info(T).Digits; }

static const llvm::fltSemantics &float8Semantics(ScalarType T) {
  return T == ScalarType::E4M3 ? llvm::APFloat::Float8E4M3FN()
                               : llvm::APFloat::Float8E5M2();
}

uint8_t toFloat8(ScalarType T, double X) {
  constexpr uint8_t NaN = 0x7f, Sign = 0x80;
  if (std::isnan(X))
    return NaN;
  llvm::APFloat Y(X);
  bool Loses = false;
  Y.convert(float8Semantics(T), llvm::APFloat::rmNearestTiesToEven, &Loses);
  // What overflows is infinite in one format and NaN in the other.
  if (!Y.isFinite())
    Y = llvm::APFloat::getLargest(float8Semantics(T));
  const auto Magnitude = Y.bitcastToAPInt().getZExtValue() & ~uint64_t(Sign);
  return static_cast<uint8_t>(Magnitude | (std::signbit(X) ? Sign : 0));
}

double fromFloat8(ScalarType T, uint8_t Bits) {
  using Table = std::array<double, 256>;
  static const auto Tables = [] {
    std::array<Table, 2> All;
    for (unsigned N = 0; N < 256; ++N)
      for (ScalarType Each : {ScalarType::E4M3, ScalarType::E5M2}) {
        llvm::APFloat X(float8Semantics(Each), llvm::APInt(8, N));
        bool Loses = false;
        X.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &Loses);
        All[Each == ScalarType::E5M2][N] = X.convertToDouble();
      }
    return All;
  }();
  return Tables[T == ScalarType::E5M2][Bits];
}

std::optional<ScalarType> parseScalarType(llvm::StringRef Name) {
  for (const TypeInfo &I : Types)
    if (I.Name == Name)
      return I.Type;
  return std::nullopt;
}

static std::shared_ptr<Value> make(Value::Kind K, ScalarType T) {
  return std::make_shared<Value>(K, T);
}

Value::~Value() {
  for (ValueRef &Op : Ops)
    release(std::move(Op));
  release(std::move(Body));
  release(std::move(Condition.N));
}

void Value::setOperands(std::vector<ValueRef> NewOps) {
  Ops = std::move(NewOps);
  Size = 1;
  auto Count = [&](const ValueRef &Op) {
    Size = llvm::SaturatingAdd(Size, Op->Size);
  };
  llvm::for_each(Ops, Count);
  Condition.walk([](const IntExpr &) {}, Count);
}

static ValueRef withOps(std::shared_ptr<Value> V, std::vector<ValueRef> Ops) {
  V->setOperands(std::move(Ops));
  return V;
}

ValueRef Value::constant(ScalarType T, llvm::StringRef Text) {
  auto V = make(Kind::Constant, T);
  V->Text = Text.str();
  return V;
}

ValueRef Value::acc(unsigned Sum, ScalarType T) {
  auto V = make(Kind::Acc, T);
  V->Counter = Sum;
  return V;
}

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

ValueRef Value::global(ScalarType T, llvm::StringRef Name) {
  auto V = make(Kind::Global, T);
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
         (To == ScalarType::F32 && From != ScalarType::F64) ||
         (isFloat8(From) && !isFloat8(To));
}

ValueRef Value::cast(ScalarType To, ValueRef V) {
  if (V->Type == To)
    return V;
  // The conversion bf16 -> float -> bf16 gives the original value. That to e5m2
  // makes a finite number of infinity.
  if (V->K == Kind::Cast && V->Ops[0]->Type == To && embeds(To, V->Type) &&
      To != ScalarType::E5M2)
    return V->Ops[0];
  // The conversions half -> float -> double and half -> double -> float are
  // exact.
  if (V->K == Kind::Cast && V->Ops[0]->Type != To &&
      embeds(V->Ops[0]->Type, V->Type) && embeds(V->Ops[0]->Type, To))
    return cast(To, V->Ops[0]);
  // A narrower integer has the lowest bits, whatever is in between.
  auto IsInteger = [](ScalarType T) {
    return !isFloating(T) && T != ScalarType::Bool;
  };
  if (V->K == Kind::Cast && IsInteger(To) && IsInteger(V->Type) &&
      IsInteger(V->Ops[0]->Type) && byteSize(To) <= byteSize(V->Type))
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
  const Value *V = this;
  bool Negative = false;
  for (; V->K == Kind::Cast || V->K == Kind::Neg; V = V->Ops[0].get()) {
    Negative ^= V->K == Kind::Neg;
    if (V->K == Kind::Cast && isFloat8(V->Type)) {
      auto Before = V->Ops[0]->getConstant();
      if (!Before)
        return std::nullopt;
      const double D = fromFloat8(V->Type, toFloat8(V->Type, *Before));
      return Negative ? -D : D;
    }
  }
  double D = 0;
  if (V->K == Kind::Int) {
    auto C = V->Index.getConstant();
    if (!C)
      return std::nullopt;
    D = static_cast<double>(*C);
  } else if (V->K == Kind::Constant) {
    char *End = nullptr;
    D = std::strtod(V->Text.c_str(), &End);
    if (End == V->Text.c_str())
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  return Negative ? -D : D;
}

void Value::measureNode() const {
  auto M = std::make_unique<ExprMeasure>();
  M->Hash = llvm::hash_combine(K, Type, Name, Text, Counter, Alone);
  M->ValueKinds = 1u << static_cast<unsigned>(K);
  if (K == Kind::Load || K == Kind::Int || K == Kind::Sum)
    M->addChild(Index.measure());
  if (Condition.getKind() != BoolExpr::Kind::Constant)
    M->addChild(Condition.measure());
  for (const ValueRef &Op : Ops)
    M->addChild(*Op->knownMeasure());
  const ExprMeasure *Unknown = nullptr;
  // Another thread may have computed it in the meantime, with the same result.
  if (Measured.Known.compare_exchange_strong(Unknown, M.get(),
                                             std::memory_order_acq_rel))
    M.release();
}

const ExprMeasure &Value::measure() const {
  if (const ExprMeasure *Known = knownMeasure())
    return *Known;
  // Conditions have measures, and so have the values in them.
  std::vector<const Value *> Stack = {this};
  while (!Stack.empty()) {
    const Value *V = Stack.back();
    const size_t Before = Stack.size();
    for (const ValueRef &Op : V->Ops)
      if (!Op->knownMeasure())
        Stack.push_back(Op.get());
    if (Stack.size() != Before)
      continue;
    if (!V->knownMeasure())
      V->measureNode();
    Stack.pop_back();
  }
  return *knownMeasure();
}

void Value::walk(llvm::function_ref<void(const Value &)> Fn) const {
  Fn(*this);
  llvm::DenseSet<const void *> Seen;
  GraphNodes Stack = children(*this);
  std::reverse(Stack.begin(), Stack.end());
  while (!Stack.empty()) {
    GraphNode N = Stack.pop_back_val();
    if (!Seen.insert(N.identity()).second)
      continue;
    if (N.V)
      Fn(**N.V);
    const GraphNodes Below = children(N);
    for (GraphNode Child : llvm::reverse(Below))
      Stack.push_back(Child);
  }
}

bool Value::containsKind(Kind Wanted) const {
  return measure().ValueKinds >> static_cast<unsigned>(Wanted) & 1;
}

bool sameValue(const ValueRef &A, const ValueRef &B) { return sameGraph(A, B); }

bool isNumberOfLaunch(const Value &V) {
  switch (V.K) {
  case Value::Kind::Constant:
  case Value::Kind::Param:
  case Value::Kind::Global:
    return true;
  case Value::Kind::Int:
    return !V.Index.containsKind(AtomKind::Index);
  case Value::Kind::Cast:
  case Value::Kind::Neg:
  case Value::Kind::Add:
  case Value::Kind::Sub:
  case Value::Kind::Mul:
  case Value::Kind::Div:
    return llvm::all_of(
        V.Ops, [](const ValueRef &Op) { return isNumberOfLaunch(*Op); });
  default:
    return false;
  }
}

} // namespace warpwright
