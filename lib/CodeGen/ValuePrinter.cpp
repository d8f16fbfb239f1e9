//===-- ValuePrinter.cpp - Floating-point values as C++ text --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The half of ExprPrinter that prints values. Arithmetic of half and bfloat16
/// is printed as intrinsics: the operators may be switched off
/// (__CUDA_NO_HALF_OPERATORS__), and they would say less.
///
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Precedence.h"
#include "warpwright/CodeGen/ExprPrinter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include <memory>
#include <unordered_map>

using namespace warpwright::precedence;

namespace warpwright {

namespace {
/// Something about each of several values. The lift may have built equal values
/// more than once, which are one here.
template <class T> class PerValue {
public:
  /// What is known of \p V, or null.
  const T *find(const ValueRef &V) const {
    auto It = Entries.find(V->measure().Hash);
    if (It == Entries.end())
      return nullptr;
    for (const auto &E : It->second)
      if (sameValue(E->first, V))
        return &E->second;
    return nullptr;
  }
  T &operator[](const ValueRef &V) {
    if (const T *Found = find(V))
      return const_cast<T &>(*Found);
    auto &Same = Entries[V->measure().Hash];
    Same.push_back(std::make_unique<std::pair<ValueRef, T>>(V, T()));
    return Same.back()->second;
  }

private:
  // Pointers, so that a reference stays valid when others are added.
  std::unordered_map<uint64_t,
                     std::vector<std::unique_ptr<std::pair<ValueRef, T>>>>
      Entries;
};
} // namespace

/// The names of local variables that hold values.
struct ExprPrinter::Locals {
  PerValue<std::string> Names;
};

namespace {
/// A type in C++.
struct CppType {
  ScalarType Type;
  const char *Name;
  /// The type's part in the names of the intrinsics that do its arithmetic and
  /// its conversions: `half` as in `__float2half`. Null where operators and
  /// static_cast do them.
  const char *Intrinsics;
};
} // namespace

static const CppType &cppTypeOf(ScalarType T) {
  static const CppType Types[] = {
      {ScalarType::Bool, "bool", nullptr},
      {ScalarType::I8, "signed char", nullptr},
      {ScalarType::U8, "unsigned char", nullptr},
      {ScalarType::I16, "short", nullptr},
      {ScalarType::U16, "unsigned short", nullptr},
      {ScalarType::I32, "int", nullptr},
      {ScalarType::U32, "unsigned", nullptr},
      {ScalarType::I64, "long long", nullptr},
      {ScalarType::U64, "unsigned long long", nullptr},
      {ScalarType::E4M3, "__nv_fp8_e4m3", nullptr},
      {ScalarType::E5M2, "__nv_fp8_e5m2", nullptr},
      {ScalarType::F16, "__half", "half"},
      {ScalarType::BF16, "__nv_bfloat16", "bfloat16"},
      {ScalarType::F32, "float", nullptr},
      {ScalarType::F64, "double", nullptr},
      {ScalarType::U4X2, "::warpwright::rt::u4x2", nullptr},
      {ScalarType::S4X2, "::warpwright::rt::s4x2", nullptr},
      {ScalarType::U4X2High, "::warpwright::rt::u4x2_high", nullptr},
      {ScalarType::S4X2High, "::warpwright::rt::s4x2_high", nullptr},
      {ScalarType::F16X2, "__half2", nullptr},
      {ScalarType::BF16X2, "__nv_bfloat162", nullptr},
  };
  return *llvm::find_if(Types, [T](const CppType &C) { return C.Type == T; });
}

llvm::StringRef cppType(ScalarType T) { return cppTypeOf(T).Name; }

std::optional<ScalarType> elementTypeOf(llvm::StringRef PointerType) {
  std::string Words;
  for (llvm::StringRef Word : llvm::split(llvm::StringRef(PointerType), ' ')) {
    Word = Word.trim("*&");
    if (Word.empty() || Word == "const" || Word == "volatile" ||
        Word == "restrict" || Word.starts_with("__restrict"))
      continue;
    if (!Words.empty())
      Words += ' ';
    Words += Word.take_until([](char C) { return C == '*'; }).str();
  }
  return llvm::StringSwitch<std::optional<ScalarType>>(Words)
      .Cases({"half", "__half", "struct __half"}, ScalarType::F16)
      .Cases({"nv_bfloat16", "__nv_bfloat16", "struct __nv_bfloat16"},
             ScalarType::BF16)
      .Cases({"__nv_fp8_e4m3", "struct __nv_fp8_e4m3"}, ScalarType::E4M3)
      .Cases({"__nv_fp8_e5m2", "struct __nv_fp8_e5m2"}, ScalarType::E5M2)
      .Case("float", ScalarType::F32)
      .Case("double", ScalarType::F64)
      .Cases({"unsigned short", "uint16_t", "ushort"}, ScalarType::U16)
      .Cases({"short", "int16_t"}, ScalarType::I16)
      .Cases({"int", "int32_t"}, ScalarType::I32)
      .Cases({"unsigned", "unsigned int", "uint32_t"}, ScalarType::U32)
      .Cases({"signed char", "int8_t"}, ScalarType::I8)
      .Cases({"unsigned char", "uint8_t", "void", "char"}, ScalarType::U8)
      .Default(std::nullopt);
}

bool hasIntrinsics(ScalarType T) { return cppTypeOf(T).Intrinsics; }

void NameScope::addMembers(llvm::ArrayRef<UnnamedMember> Members) {
  for (const UnnamedMember &M : Members) {
    UnnamedMembers[M.Path] = M;
    if (!M.IsPointer)
      ParamTypes[M.Path] = cppType(M.Type).str();
  }
}

std::string ExprPrinter::parameter(llvm::StringRef Name,
                                   std::optional<ScalarType> Element) const {
  const size_t End = Name.find_first_of(".-[");
  auto It = Scope.Renamed.find(Name.take_front(End));
  std::string Parameter =
      It == Scope.Renamed.end() ? Name.take_front(End).str() : It->second;
  if (auto Member = Scope.UnnamedMembers.find(Name);
      Member != Scope.UnnamedMembers.end()) {
    const UnnamedMember &M = Member->second;
    return (Scope.Runtime + "member<" + cppType(Element.value_or(M.Type)) +
            (M.IsPointer ? " *" : "") + ", " + llvm::Twine(M.Offset) + ", " +
            llvm::Twine(M.Size) + ">(" + Parameter + " /*" +
            Name.drop_front(End) + "*/)")
        .str();
  }
  if (End != llvm::StringRef::npos)
    Parameter += Name.drop_front(End);
  return Parameter;
}

std::string ExprPrinter::element(llvm::StringRef Pointer, ScalarType Element,
                                 const IntExpr &Index, bool Const) const {
  std::string Name = parameter(Pointer, Element);
  auto It = Scope.ParamTypes.find(Pointer);
  const std::optional<ScalarType> Declared =
      It == Scope.ParamTypes.end() ? std::nullopt : elementTypeOf(It->second);
  if ((Scope.VectorPointers.contains(Pointer) &&
       !Scope.UnnamedMembers.contains(Pointer)) ||
      (Declared && *Declared != Element))
    Name = std::string("reinterpret_cast<") + (Const ? "const " : "") +
           cppType(Element).str() + " *>(" + Name + ")";
  return Name + "[" + offset(Index) + "]";
}

/// The intrinsic that converts between the types with round to nearest even,
/// or nothing where a static_cast does it.
static std::string conversion(ScalarType From, ScalarType To) {
  if (const char *Name = cppTypeOf(To).Intrinsics)
    switch (From) {
    case ScalarType::F32:
      return std::string("__float2") + Name;
    case ScalarType::F64:
      return std::string("__double2") + Name;
    case ScalarType::I64:
      return std::string("__ll2") + Name + "_rn";
    case ScalarType::U64:
      return std::string("__ull2") + Name + "_rn";
    case ScalarType::U32:
      return std::string("__uint2") + Name + "_rn";
    default:
      return std::string("__int2") + Name + "_rn";
    }
  if (const char *Name = cppTypeOf(From).Intrinsics)
    return std::string("__") + Name + "2float";
  if (isFloat8(From))
    return "static_cast<float>";
  return "";
}

/// A literal of exactly the type, from the user's literal.
static std::string literal(const Value &V) {
  llvm::StringRef S = V.Text;
  const bool IsNumber = !S.empty() && (llvm::isDigit(S.trim("-+.")[0]));
  const bool IsHex = S.contains_insensitive("0x");
  switch (V.Type) {
  case ScalarType::E4M3:
  case ScalarType::E5M2: {
    Value Single = V;
    Single.Type = ScalarType::F32;
    return ("static_cast<" + cppType(V.Type) + ">(" + literal(Single) + ")")
        .str();
  }
  case ScalarType::F16:
  case ScalarType::BF16: {
    Value Single = V;
    Single.Type = ScalarType::F32;
    return conversion(ScalarType::F32, V.Type) + "(" + literal(Single) + ")";
  }
  case ScalarType::F32:
    if (!IsNumber || IsHex)
      return "static_cast<float>(" + S.str() + ")";
    if (S.ends_with_insensitive("f"))
      return S.str();
    if (S.find_first_of(".eE") == llvm::StringRef::npos)
      return S.str() + ".0f";
    return S.str() + "f";
  case ScalarType::F64:
    if (!IsNumber || IsHex || S.find_first_of(".eE") != llvm::StringRef::npos)
      return "static_cast<double>(" + S.str() + ")";
    return S.str() + ".0";
  default:
    return S.str();
  }
}

llvm::Expected<ExprPrinter::Text> ExprPrinter::cast(const Value &V,
                                                    const Locals *L) const {
  ScalarType From = V.Ops[0]->Type;
  auto Operand = value(V.Ops[0], L);
  if (!Operand)
    return Operand;
  std::string S = std::move(Operand->S);
  // A narrow type to anything goes through float, which holds every value of
  // it. The constructors of the types of 8 bits have overloads for all others.
  if (isNarrowFloat(From) && From != V.Type) {
    S = conversion(From, ScalarType::F32) + "(" + S + ")";
    From = ScalarType::F32;
    if (V.Type == From)
      return Text{std::move(S), Primary};
  }
  if (std::string Intrinsic = conversion(From, V.Type); !Intrinsic.empty())
    return Text{Intrinsic + "(" + S + ")", Primary};
  return Text{"static_cast<" + cppType(V.Type).str() + ">(" + S + ")", Primary};
}

/// The function that computes an operation that is rounded by itself; null
/// where there is none.
static const char *alone(const Value &V) {
  auto Of = [&](const char *Half, const char *Float, const char *Double) {
    return hasIntrinsics(V.Type)       ? Half
           : V.Type == ScalarType::F32 ? Float
           : V.Type == ScalarType::F64 ? Double
                                       : nullptr;
  };
  switch (V.K) {
  case Value::Kind::Add:
    return Of("__hadd_rn", "__fadd_rn", "__dadd_rn");
  case Value::Kind::Sub:
    return Of("__hsub_rn", "__fsub_rn", "__dsub_rn");
  case Value::Kind::Mul:
    return Of("__hmul_rn", "__fmul_rn", "__dmul_rn");
  case Value::Kind::Div:
    return Of(nullptr, "__fdiv_rn", "__ddiv_rn");
  default:
    return nullptr;
  }
}

llvm::Expected<ExprPrinter::Text>
ExprPrinter::arithmetic(const Value &V, const Locals *L) const {
  llvm::SmallVector<Text, 3> Ops;
  for (const ValueRef &Op : V.Ops) {
    auto T = value(Op, L);
    if (!T)
      return T.takeError();
    Ops.push_back(std::move(*T));
  }
  auto Call = [&](llvm::StringRef Function) {
    std::string S = Function.str() + "(";
    llvm::ListSeparator Separator;
    for (const Text &Op : Ops)
      S += (llvm::StringRef(Separator) + Op.S).str();
    return Text{S + ")", Primary};
  };
  auto Infix = [&](const char *Operator, int Precedence) {
    // Left associative: the right operand must bind more tightly.
    return Text{parenthesize(Ops[0].S, Ops[0].Precedence, Precedence) + " " +
                    Operator + " " +
                    parenthesize(Ops[1].S, Ops[1].Precedence, Precedence + 1),
                Precedence};
  };
  const bool Half = hasIntrinsics(V.Type);
  if (const char *Function = V.Alone && !Scope.OnHost ? alone(V) : nullptr)
    return Call(Function);
  switch (V.K) {
  case Value::Kind::Neg:
    if (Half)
      return Call("__hneg");
    return Text{"-" + parenthesize(Ops[0].S, Ops[0].Precedence, Primary),
                Unary};
  case Value::Kind::Add:
    return Half ? Call("__hadd") : Infix("+", Additive);
  case Value::Kind::Sub:
    return Half ? Call("__hsub") : Infix("-", Additive);
  case Value::Kind::Mul:
    return Half ? Call("__hmul") : Infix("*", Multiplicative);
  case Value::Kind::Div:
    return Half ? Call("__hdiv") : Infix("/", Multiplicative);
  // In parentheses, of which compilers want more than C++ does.
  case Value::Kind::And:
  case Value::Kind::Or:
  case Value::Kind::Xor:
  case Value::Kind::Shr: {
    const char *Operator = V.K == Value::Kind::And   ? "&"
                           : V.K == Value::Kind::Or  ? "|"
                           : V.K == Value::Kind::Xor ? "^"
                                                     : ">>";
    return Text{"(" + Infix(Operator, Unary).S + ")", Primary};
  }
  case Value::Kind::Shl:
    // Without a sign, since C++ did not always say what it shifts out.
    if (V.Type != ScalarType::I32 && V.Type != ScalarType::I64)
      return Text{"(" + Infix("<<", Unary).S + ")", Primary};
    return Text{
        (V.Type == ScalarType::I32
             ? "static_cast<int>(static_cast<unsigned>("
             : "static_cast<long long>(static_cast<unsigned long long>(") +
            Ops[0].S + ") << " +
            parenthesize(Ops[1].S, Ops[1].Precedence, Primary) + ")",
        Primary};
  case Value::Kind::Fma:
    return Call(Half ? "__hfma" : V.Type == ScalarType::F32 ? "fmaf" : "fma");
  case Value::Kind::Call:
    return Call(respell(V.Name));
  default:
    llvm_unreachable("not arithmetic");
  }
}

llvm::Expected<ExprPrinter::Text> ExprPrinter::value(const ValueRef &V,
                                                     const Locals *L) const {
  if (L)
    if (const std::string *Name = L->Names.find(V))
      return Text{*Name, Primary};
  switch (V->K) {
  case Value::Kind::Constant: {
    std::string S = literal(*V);
    const int Precedence =
        llvm::StringRef(S).starts_with("-") ? Unary : Primary;
    return Text{std::move(S), Precedence};
  }
  case Value::Kind::Acc:
    return Text{V->Counter ? Scope.MoreSums[V->Counter - 1] : Scope.Acc,
                Primary};
  case Value::Kind::Load:
    if (Scope.Element && Scope.Element->isElement(*V))
      return Text{Scope.ElementName, Primary};
    return Text{element(V->Name, V->Type, V->Index), Primary};
  case Value::Kind::Param:
    return Text{parameter(V->Name), Primary};
  case Value::Kind::Global:
    return Text{respell(V->Name), Primary};
  case Value::Kind::Int: {
    Text T = integer(V->Index, Width::Value);
    if (hasIntrinsics(V->Type))
      return Text{conversion(ScalarType::I64, V->Type) + "(" + T.S + ")",
                  Primary};
    return Text{"static_cast<" + cppType(V->Type).str() + ">(" + T.S + ")",
                Primary};
  }
  case Value::Kind::Cast:
    return cast(*V, L);
  case Value::Kind::Neg:
  case Value::Kind::Add:
  case Value::Kind::Sub:
  case Value::Kind::Mul:
  case Value::Kind::Div:
  case Value::Kind::Fma:
  case Value::Kind::And:
  case Value::Kind::Or:
  case Value::Kind::Xor:
  case Value::Kind::Shl:
  case Value::Kind::Shr:
  case Value::Kind::Call:
    return arithmetic(*V, L);
  case Value::Kind::Select: {
    auto Condition = condition(V->Condition, L);
    if (!Condition)
      return Condition.takeError();
    auto Then = value(V->Ops[0], L);
    if (!Then)
      return Then.takeError();
    auto Else = value(V->Ops[1], L);
    if (!Else)
      return Else.takeError();
    return Text{parenthesize(Condition->S, Condition->Precedence, LogicalOr) +
                    " ? " + parenthesize(Then->S, Then->Precedence, LogicalOr) +
                    " : " + parenthesize(Else->S, Else->Precedence, LogicalOr),
                Conditional};
  }
  case Value::Kind::Sum:
  case Value::Kind::Phi:
  case Value::Kind::Undefined:
    return llvm::createStringError(
        "internal error: a value of the lift reached code generation: %s",
        V->str().c_str());
  }
  llvm_unreachable("covered switch");
}

llvm::Expected<std::string> ExprPrinter::print(const ValueRef &V) const {
  auto T = value(V, nullptr);
  if (!T)
    return T.takeError();
  return T->S;
}

namespace {

/// Finds the nodes of a value that are needed several times.
class SharedNodes {
public:
  explicit SharedNodes(const ValueRef &V) { visit(V, /*Conditional=*/false); }

  /// Shared nodes worth a name, operands before what uses them.
  std::vector<ValueRef> take() const {
    std::vector<ValueRef> Result;
    for (const ValueRef &V : PostOrder) {
      const Uses &U = *Seen.find(V);
      // What is evaluated under a condition must stay under it: it may read
      // through a pointer that is only valid then.
      if (U.Count > 1 && (U.Always || !touchesMemory(*V)) && isWorthAName(*V))
        Result.push_back(V);
    }
    return Result;
  }

private:
  struct Uses {
    unsigned Count = 0;
    bool Always = false; ///< evaluated whatever the conditions are
  };
  PerValue<Uses> Seen;
  std::vector<ValueRef> PostOrder;

  static bool touchesMemory(const Value &V) {
    return V.containsKind(Value::Kind::Load) ||
           V.containsKind(Value::Kind::Call);
  }
  static bool isWorthAName(const Value &V) {
    return V.K != Value::Kind::Constant && V.K != Value::Kind::Acc &&
           V.K != Value::Kind::Param && V.K != Value::Kind::Global &&
           V.K != Value::Kind::Int;
  }

  void visit(const ValueRef &V, bool Conditional) {
    Uses &U = Seen[V];
    const bool First = U.Count++ == 0;
    const bool NewlyAlways = !Conditional && !U.Always;
    U.Always |= !Conditional;
    if (!First && !NewlyAlways)
      return;
    // A second visit only passes Always on; the uses are counted already.
    if (!First) {
      spreadAlways(V);
      return;
    }
    if (V->K == Value::Kind::Select)
      visitCondition(V->Condition, Conditional);
    for (const ValueRef &Op : V->Ops)
      visit(Op, Conditional || V->K == Value::Kind::Select);
    PostOrder.push_back(V);
  }

  void spreadAlways(const ValueRef &V) {
    Seen[V].Always = true;
    if (V->K == Value::Kind::Select)
      return;
    for (const ValueRef &Op : V->Ops)
      if (!Seen[Op].Always)
        spreadAlways(Op);
  }

  void visitCondition(const BoolExpr &E, bool Conditional) {
    // `&&` and `||` stop early.
    const bool Later =
        E.getKind() == BoolExpr::Kind::And || E.getKind() == BoolExpr::Kind::Or;
    if (E.getKind() == BoolExpr::Kind::FloatCmp) {
      visit(E.getValueLHS(), Conditional);
      visit(E.getValueRHS(), Conditional);
    }
    for (const BoolExpr &Operand : E.operands())
      visitCondition(Operand, Conditional || Later);
  }
};

} // namespace

llvm::Expected<ExprPrinter::Body>
ExprPrinter::printBody(const ValueRef &V, llvm::StringRef LocalPrefix) const {
  Body Result;
  Locals Named;
  for (const ValueRef &Shared : SharedNodes(V).take()) {
    if (Shared == V)
      continue;
    auto T = value(Shared, &Named);
    if (!T)
      return T.takeError();
    std::string Name = (LocalPrefix + llvm::Twine(Result.Locals.size())).str();
    Result.Locals.push_back(
        {cppType(Shared->Type).str(), Name, T->S, Shared->Line});
    Named.Names[Shared] = Name;
  }
  auto T = value(V, &Named);
  if (!T)
    return T.takeError();
  Result.Result = T->S;
  Result.ResultLine = V->Line;
  return Result;
}

} // namespace warpwright
