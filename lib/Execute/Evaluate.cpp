//===-- Evaluate.cpp - A contraction with numbers in it -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "warpwright/Contraction/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace warpwright {
namespace execute {

static constexpr Wide Limit = Wide(1) << 120;

static Wide clamp(Wide X) { return std::min(std::max(X, -Limit), Limit); }

Wide multiply(Wide L, Wide R) {
  Wide X;
  if (__builtin_mul_overflow(L, R, &X))
    return (L < 0) == (R < 0) ? Limit : -Limit;
  return clamp(X);
}

Wide add(Wide L, Wide R) { return clamp(L + R); }

static Wide floorDivide(Wide L, Wide R) {
  return R <= 0 ? 0 : L / R - (L % R < 0);
}

CompiledInt::CompiledInt(const IntExpr &E, NameTable &Names) {
  std::map<const IntAtom *, int32_t> Seen;
  for (const auto &[Monomial, Coefficient] : E.terms()) {
    Term T;
    T.Coefficient = Coefficient;
    for (const AtomRef &A : Monomial) {
      if (A->isLeaf()) {
        T.Factors.push_back(static_cast<int32_t>(Names.id(A->getKey())));
        continue;
      }
      auto [It, New] =
          Seen.try_emplace(A.get(), ~static_cast<int32_t>(Composites.size()));
      if (New) {
        Composite C;
        C.Kind = A->getKind();
        C.L = std::make_shared<CompiledInt>(A->getLHS(), Names);
        C.R = std::make_shared<CompiledInt>(A->getRHS(), Names);
        if (C.Kind == AtomKind::Select)
          C.Condition =
              std::make_shared<CompiledBool>(A->getCondition(), Names, nullptr);
        Composites.push_back(std::move(C));
      }
      T.Factors.push_back(It->second);
    }
    Terms.push_back(std::move(T));
  }
}

bool CompiledInt::evaluateNarrow(const Environment &Env, int64_t &Sum) const {
  Sum = 0;
  for (const Term &T : Terms) {
    int64_t Product = T.Coefficient;
    for (int32_t F : T.Factors) {
      int64_t X = 0;
      if (F >= 0) {
        X = Env.Ints[F];
      } else {
        const Composite &C = Composites[~F];
        int64_t L = 0, R = 0;
        if (C.Kind == AtomKind::Select) {
          const bool Is = C.Condition->evaluate(Env, {}).value_or(false);
          if (!(Is ? C.L : C.R)->evaluateNarrow(Env, X))
            return false;
        } else if (!C.L->evaluateNarrow(Env, L) ||
                   !C.R->evaluateNarrow(Env, R)) {
          return false;
        }
        switch (C.Kind) {
        case AtomKind::Select:
          break;
        case AtomKind::FloorDiv:
          X = R <= 0 ? 0 : L / R - (L % R < 0);
          break;
        case AtomKind::Mod:
          X = R <= 0 ? 0 : L % R < 0 ? L % R + R : L % R;
          break;
        case AtomKind::Min:
          X = std::min(L, R);
          break;
        case AtomKind::Xor:
          X = L ^ R;
          break;
        default:
          X = std::max(L, R);
          break;
        }
      }
      if (__builtin_mul_overflow(Product, X, &Product))
        return false;
    }
    if (__builtin_add_overflow(Sum, Product, &Sum))
      return false;
  }
  return true;
}

Wide CompiledInt::evaluateWide(const Environment &Env) const {
  Wide Sum = 0;
  for (const Term &T : Terms) {
    Wide Product = T.Coefficient;
    for (int32_t F : T.Factors) {
      if (F >= 0) {
        Product = multiply(Product, Env.Ints[F]);
        continue;
      }
      const Composite &C = Composites[~F];
      Wide X = 0;
      if (C.Kind == AtomKind::Select) {
        auto B = C.Condition->evaluate(Env, {});
        X = (B.value_or(false) ? C.L : C.R)->evaluate(Env);
      } else {
        const Wide L = C.L->evaluate(Env), R = C.R->evaluate(Env);
        switch (C.Kind) {
        case AtomKind::FloorDiv:
          X = floorDivide(L, R);
          break;
        case AtomKind::Mod:
          X = R <= 0 ? 0 : L - R * floorDivide(L, R);
          break;
        case AtomKind::Min:
          X = std::min(L, R);
          break;
        case AtomKind::Xor:
          X = L ^ R;
          break;
        default:
          X = std::max(L, R);
          break;
        }
      }
      Product = multiply(Product, X);
    }
    Sum = add(Sum, Product);
  }
  return Sum;
}

void CompiledInt::names(std::vector<uint32_t> &Out) const {
  for (const Term &T : Terms)
    for (int32_t F : T.Factors)
      if (F >= 0)
        Out.push_back(static_cast<uint32_t>(F));
  for (const Composite &C : Composites) {
    C.L->names(Out);
    C.R->names(Out);
    if (C.Condition)
      C.Condition->names(Out);
  }
}

bool compareNumbers(CmpOp Op, const Num &L, const Num &R) {
  if (L.isFloat() || R.isFloat())
    return holds(Op, L.real(), R.real());
  if (L.isSigned() || R.isSigned())
    return holds(Op, L.integer(), R.integer());
  return holds(Op, L.Bits, R.Bits);
}

CompiledBool::CompiledBool(const BoolExpr &E, NameTable &Names,
                           const NodeIds *Nodes)
    : Kind(E.getKind()) {
  switch (Kind) {
  case BoolExpr::Kind::Constant:
    Constant = E.isTrue();
    break;
  case BoolExpr::Kind::Compare:
    Compare = E.getOp();
    L = CompiledInt(E.getLHS(), Names);
    R = CompiledInt(E.getRHS(), Names);
    break;
  case BoolExpr::Kind::NonNull:
    Pointer = E.getName().str();
    break;
  case BoolExpr::Kind::FloatCmp:
    Compare = E.getOp();
    if (Nodes) {
      ValueL = Nodes->lookup(E.getValueLHS().get());
      ValueR = Nodes->lookup(E.getValueRHS().get());
    } else {
      ValueL = ValueR = std::numeric_limits<uint32_t>::max();
    }
    break;
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or:
  case BoolExpr::Kind::Not:
    for (const BoolExpr &Operand : E.operands())
      Operands.emplace_back(Operand, Names, Nodes);
    break;
  }
}

std::optional<bool>
CompiledBool::evaluate(const Environment &Env,
                       llvm::ArrayRef<Evaluated> Values) const {
  switch (Kind) {
  case BoolExpr::Kind::Constant:
    return Constant;
  case BoolExpr::Kind::Compare:
    return holds(Compare, L.evaluate(Env), R.evaluate(Env));
  case BoolExpr::Kind::NonNull: {
    auto It = Env.Arrays.find(Pointer);
    if (It == Env.Arrays.end())
      return std::nullopt;
    return !It->second.Null;
  }
  case BoolExpr::Kind::FloatCmp:
    if (ValueL >= Values.size() || ValueR >= Values.size() ||
        !Values[ValueL].Valid || !Values[ValueR].Valid)
      return std::nullopt;
    return compareNumbers(Compare, Values[ValueL].Value, Values[ValueR].Value);
  case BoolExpr::Kind::Not: {
    auto X = Operands[0].evaluate(Env, Values);
    if (!X)
      return X;
    return !*X;
  }
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or: {
    const bool Decides = Kind == BoolExpr::Kind::Or;
    for (const CompiledBool &Operand : Operands) {
      auto X = Operand.evaluate(Env, Values);
      if (!X || *X == Decides)
        return X;
    }
    return !Decides;
  }
  }
  return std::nullopt;
}

void CompiledBool::names(std::vector<uint32_t> &Out) const {
  L.names(Out);
  R.names(Out);
  for (const CompiledBool &Operand : Operands)
    Operand.names(Out);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

CompiledValue::CompiledValue(const ValueRef &V, NameTable &Names) : Root(V) {
  CompiledBool::NodeIds Ids;
  compile(V, Names, Ids, 0);
  Values.resize(Nodes.size());
}

/// A C++ literal as a number of type \p T.
static std::optional<Num> literal(ScalarType T, llvm::StringRef Text) {
  Text = Text.trim();
  bool Negative = false;
  while (Text.consume_front("-") || Text.consume_front("(")) {
    Negative ^= Text.data()[-1] == '-';
    Text = Text.trim();
  }
  Text = Text.rtrim(") ");
  if (Text == "true" || Text == "false")
    return fromInteger(T, Text == "true");
  if (isFloating(T)) {
    double D;
    if (Text.contains("INFINITY") || Text.contains("HUGE_VAL"))
      D = std::numeric_limits<double>::infinity();
    else if (Text.contains("NAN"))
      D = std::numeric_limits<double>::quiet_NaN();
    else {
      std::string S = Text.str();
      char *End = nullptr;
      D = std::strtod(S.c_str(), &End);
      if (End == S.c_str())
        return std::nullopt;
      // `0.1f` has the value of the float, whatever it is converted to
      // afterwards.
      const llvm::StringRef Suffix = End;
      if (Suffix.starts_with_insensitive("f") || isNarrowFloat(T))
        D = std::strtof(S.c_str(), nullptr);
    }
    return fromReal(T, Negative ? -D : D);
  }
  uint64_t X;
  const llvm::StringRef Digits = Text.rtrim("uUlLzZ");
  if (Digits.getAsInteger(0, X)) {
    double D;
    if (Text.rtrim("fF").getAsDouble(D))
      return std::nullopt;
    X = static_cast<uint64_t>(static_cast<int64_t>(D));
  }
  return fromInteger(T, static_cast<int64_t>(Negative ? 0 - X : X));
}

uint32_t CompiledValue::compile(const ValueRef &V, NameTable &Names,
                                CompiledBool::NodeIds &Ids, unsigned Depth) {
  if (auto It = Ids.find(V.get()); It != Ids.end())
    return It->second;
  Node N;
  N.V = V.get();
  constexpr unsigned MaxDepth = 2000;
  if (Depth < MaxDepth) {
    if (V->K == warpwright::Value::Kind::Select) {
      V->Condition.walk([](const IntExpr &) {},
                        [&](const ValueRef &Below) {
                          compile(Below, Names, Ids, Depth + 1);
                        });
      N.Condition = CompiledBool(V->Condition, Names, &Ids);
    }
    for (const ValueRef &Op : V->Ops)
      N.Ops.push_back(compile(Op, Names, Ids, Depth + 1));
    if (V->Body)
      N.Body = compile(V->Body, Names, Ids, Depth + 1);
  } else {
    N.V = nullptr; // too deep: evaluates to nothing
  }
  N.Index = CompiledInt(V->Index, Names);
  if (V->K == warpwright::Value::Kind::Call)
    N.Header = findHeaderFunction(V->Name, V->Ops.size());
  if (V->K == warpwright::Value::Kind::Constant)
    N.Constant = literal(V->Type, V->Text);
  Nodes.push_back(std::move(N));
  return Ids[V.get()] = Nodes.size() - 1;
}

void CompiledValue::names(std::vector<uint32_t> &Out) const {
  for (const Node &N : Nodes) {
    N.Index.names(Out);
    N.Condition.names(Out);
  }
}

Evaluated CompiledValue::evaluate(const Environment &Env,
                                  llvm::ArrayRef<Evaluated> Accs,
                                  const Caller &Call, std::string &Problem) {
  using Kind = warpwright::Value::Kind;
  for (size_t I = 0; I < Nodes.size(); ++I) {
    const Node &N = Nodes[I];
    Evaluated &E = Values[I];
    E = Evaluated();
    if (!N.V) {
      Problem = "an epilogue that is nested too deep";
      continue;
    }
    const warpwright::Value &V = *N.V;
    bool Valid = true;
    double Magnitude = 0;
    if (V.K != Kind::Select && V.K != Kind::Call)
      for (uint32_t Op : N.Ops)
        Valid &= Values[Op].Valid;
    std::optional<Num> X;
    auto Operand = [&](unsigned O) -> const Num & {
      return Values[N.Ops[O]].Value;
    };
    // Operands of other types are converted first, as in C++.
    auto Same = [&](unsigned O) {
      return convert(V.Type, Operand(O)).value_or(Num{V.Type, 0});
    };
    switch (V.K) {
    case Kind::Constant:
      X = N.Constant;
      if (!X)
        Problem = "the constant '" + V.Text + "'";
      break;
    case Kind::Acc:
      if (V.Counter >= Accs.size())
        Problem = "a sum that there is not";
      else if (Accs[V.Counter].Valid)
        X = Accs[V.Counter].Value;
      if (V.Counter < Accs.size())
        Magnitude = Accs[V.Counter].Magnitude;
      break;
    case Kind::Load: {
      auto It = Env.Arrays.find(V.Name);
      if (It == Env.Arrays.end()) {
        Problem = "the array '" + V.Name + "'";
        break;
      }
      const ArrayValue &A = It->second;
      if (A.Null || !A.Bytes)
        break;
      const Wide At =
          add(A.Start, multiply(N.Index.evaluate(Env), byteSize(V.Type)));
      if (At < 0 || At + byteSize(V.Type) > Wide(A.Bytes->size()))
        break;
      uint64_t Bits = 0;
      std::memcpy(&Bits, A.Bytes->data() + static_cast<size_t>(At),
                  byteSize(V.Type));
      X = Num{V.Type, Bits};
      break;
    }
    case Kind::Param: {
      if (auto It = Env.Scalars.find(V.Name); It != Env.Scalars.end())
        X = convert(V.Type, It->second);
      else
        Problem = "the parameter '" + V.Name + "'";
      break;
    }
    case Kind::Global: {
      if (auto It = Env.Constants.find(V.Name); It != Env.Constants.end())
        X = convert(V.Type, It->second);
      else
        Problem = "the variable '" + V.Name + "'";
      break;
    }
    case Kind::Int: {
      const Wide Index = N.Index.evaluate(Env);
      if (Index > std::numeric_limits<int64_t>::max() ||
          Index < std::numeric_limits<int64_t>::min())
        break;
      X = convert(V.Type,
                  Num{ScalarType::I64,
                      static_cast<uint64_t>(static_cast<int64_t>(Index))});
      break;
    }
    case Kind::Cast:
      if (Valid)
        X = convert(V.Type, Operand(0));
      break;
    case Kind::Neg:
      if (Valid)
        X = negate(Operand(0));
      break;
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Div:
      if (Valid)
        X = apply(V.K == Kind::Add   ? Arithmetic::Add
                  : V.K == Kind::Sub ? Arithmetic::Sub
                  : V.K == Kind::Mul ? Arithmetic::Mul
                                     : Arithmetic::Div,
                  Same(0), Same(1));
      break;
    case Kind::And:
    case Kind::Or:
    case Kind::Xor:
      if (Valid) {
        const uint64_t L = Same(0).Bits, R = Same(1).Bits;
        X = Num{V.Type, V.K == Kind::And  ? L & R
                        : V.K == Kind::Or ? L | R
                                          : L ^ R};
      }
      break;
    case Kind::Shl:
    case Kind::Shr:
      if (const unsigned Width = 8 * byteSize(V.Type); Valid) {
        const int64_t Count = Operand(1).integer();
        if (Count < 0 || Count >= Width)
          break;
        const Num L = Same(0);
        X = V.K == Kind::Shl ? Num{V.Type, (L.Bits << Count) & lowBits(Width)}
            : L.isSigned()   ? fromInteger(V.Type, L.integer() >> Count)
                             : Num{V.Type, L.Bits >> Count};
      }
      break;
    case Kind::Fma:
      if (Valid)
        X = fma(Same(0), Same(1), Same(2));
      break;
    case Kind::Call: {
      llvm::SmallVector<Num, 4> Arguments;
      for (uint32_t Op : N.Ops) {
        Valid &= Values[Op].Valid;
        Magnitude += Values[Op].Magnitude;
        Arguments.push_back(Values[Op].Value);
      }
      if (!Valid)
        break;
      if (auto Found = Call(V.Name, V.Type, Arguments)) {
        if (Found->Valid)
          X = Found->Value;
      } else if (N.Body) {
        if (Values[*N.Body].Valid)
          X = Values[*N.Body].Value;
        Magnitude += Values[*N.Body].Magnitude;
      } else if (N.Header) {
        X = N.Header->Apply(Arguments);
      } else {
        Problem = "a call of '" + V.Name + "'";
      }
      if (X)
        X = convert(V.Type, *X);
      if (X && std::isfinite(X->real()))
        Magnitude += Magnitude * std::fabs(X->real());
      break;
    }
    case Kind::Select: {
      auto B = N.Condition.evaluate(Env, Values);
      if (!B)
        break;
      const Evaluated &Chosen = Values[N.Ops[*B ? 0 : 1]];
      Valid = Chosen.Valid;
      Magnitude = Chosen.Magnitude;
      if (Valid)
        X = Chosen.Value;
      break;
    }
    default:
      Problem = "a value that has no place in a contraction";
      break;
    }
    if (!X || !Valid)
      continue;
    E.Valid = true;
    E.Value = *X;
    auto Error = [&](unsigned O) { return Values[N.Ops[O]].Magnitude; };
    auto Size = [&](unsigned O) { return std::fabs(Operand(O).real()); };
    switch (V.K) {
    case Kind::Add:
    case Kind::Sub:
      Magnitude = Error(0) + Error(1);
      break;
    case Kind::Mul:
      Magnitude = Error(0) * Size(1) + Error(1) * Size(0);
      break;
    case Kind::Div:
      Magnitude = (Error(0) + std::fabs(X->real()) * Error(1)) / Size(1);
      break;
    case Kind::Fma:
      Magnitude = Error(0) * Size(1) + Error(1) * Size(0) + Error(2);
      break;
    case Kind::Cast:
    case Kind::Neg:
      Magnitude = Error(0);
      break;
    default:
      break;
    }
    const double Own = std::fabs(X->real());
    E.Magnitude = Magnitude + Own;
    if (!std::isfinite(E.Magnitude))
      E.Magnitude = std::isfinite(Own) ? Own : 0;
  }
  return Values.empty() ? Evaluated() : Values.back();
}

} // namespace execute
} // namespace warpwright
