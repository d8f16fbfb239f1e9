//===-- ExprPrinter.cpp - Integers and conditions as C++ text -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/ExprPrinter.h"
#include "Precedence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace warpwright::precedence;

namespace warpwright {

/// Whether every value of the type that is spelled so fits int64_t. False for a
/// spelling that is not known.
static bool fitsInt64(llvm::StringRef Type) {
  Type = Type.trim();
  while (Type.consume_front("const "))
    Type = Type.ltrim();
  return llvm::StringSwitch<bool>(Type)
      .Cases({"int", "signed", "signed int", "unsigned", "unsigned int"}, true)
      .Cases({"short", "unsigned short", "char", "signed char"}, true)
      .Cases({"unsigned char", "bool", "long", "long long"}, true)
      .Cases({"int32_t", "uint32_t", "int16_t", "uint16_t"}, true)
      .Cases({"int8_t", "uint8_t", "int64_t", "ptrdiff_t"}, true)
      .Cases({"long int", "long long int", "uint"}, true)
      .Default(false);
}

std::string ExprPrinter::leaf(const IntAtom &A) const {
  switch (A.getKind()) {
  case AtomKind::Index:
    switch (A.getKey().back()) {
    case 'b':
      return Scope.B;
    case 'm':
      return Scope.M;
    case 'n':
      return Scope.N;
    default:
      return Scope.K;
    }
  case AtomKind::GridDim:
    return Scope.Grid + "xyz"[A.getDim()];
  case AtomKind::BlockDim:
    return Scope.Block + "xyz"[A.getDim()];
  default:
    return parameter(A.getKey());
  }
}

/// Whether the atom can take part in int64_t arithmetic as it is, without
/// dragging the other operand into an unsigned 64-bit type.
bool ExprPrinter::isNarrow(const IntAtom &A) const {
  if (A.getKind() != AtomKind::Param)
    return true;
  auto It = Scope.ParamTypes.find(A.getKey());
  return It != Scope.ParamTypes.end() && fitsInt64(It->second);
}

/// True when the expression is certainly not negative: sums of products of
/// indices and launch dimensions.
static bool isNonNegative(const IntExpr &E) {
  for (const auto &[Monomial, Coefficient] : E.terms()) {
    if (Coefficient < 0)
      return false;
    for (const AtomRef &A : Monomial)
      switch (A->getKind()) {
      case AtomKind::Index:
      case AtomKind::BlockDim:
      case AtomKind::GridDim:
      case AtomKind::Mod:
        break;
      default:
        return false;
      }
  }
  return true;
}

/// Whether the division or remainder can be printed as `/` or `%`: C++ rounds
/// it towards minus infinity, as the contraction does, since nothing in it is
/// negative, and the printed type has these operators.
bool ExprPrinter::isPlainDivision(const IntAtom &A) const {
  if (isExact() && !(A.getLHS().getAtom() && A.getLHS().getAtom()->isLeaf()))
    return false;
  return (A.getKind() == AtomKind::FloorDiv || A.getKind() == AtomKind::Mod) &&
         isNonNegative(A.getLHS()) && A.getRHS().getConstant().value_or(0) > 0;
}

ExprPrinter::Text ExprPrinter::atom(const IntAtom &A) const {
  // Where the divisor may be 0, the runtime's own type is used for the whole
  // division: its result then says that there was such a division.
  const bool Exact = isExact() && A.getKind() != AtomKind::Min &&
                     A.getKind() != AtomKind::Max && !A.isLeaf() &&
                     A.getRHS().getConstant().value_or(0) <= 0;
  auto Function = [&](llvm::StringRef Name) -> Text {
    return {Scope.Runtime + Name.str() + "(" + print(A.getLHS(), Exact) + ", " +
                print(A.getRHS()) + ")",
            Primary};
  };
  switch (A.getKind()) {
  case AtomKind::FloorDiv:
  case AtomKind::Mod: {
    const bool Div = A.getKind() == AtomKind::FloorDiv;
    if (Scope.IndicesAreRanges || !isPlainDivision(A))
      return Function(Div ? "floor_div" : "floor_mod");
    return {printFactor(A.getLHS()) + (Div ? " / " : " % ") +
                printFactor(A.getRHS()),
            Multiplicative};
  }
  case AtomKind::Min:
    return Function("min");
  case AtomKind::Max:
    return Function("max");
  case AtomKind::Xor:
    llvm_unreachable("HostCheck lets no xor of indices pass");
  case AtomKind::Select: {
    if (Scope.IndicesAreRanges)
      return {Scope.Runtime + "either(" + Scope.Runtime + "Range(" +
                  print(A.getLHS(), /*Wide=*/true) + "), " + Scope.Runtime +
                  "Range(" + print(A.getRHS(), /*Wide=*/true) + "))",
              Primary};
    auto Condition = condition(A.getCondition(), nullptr);
    if (!Condition) {
      // The condition that chooses between two integers compares integers.
      llvm::consumeError(Condition.takeError());
      llvm_unreachable("an integer depends on a value without text");
    }
    if (isExact())
      return {Scope.Runtime + "choose(" + Condition->S + ", " +
                  print(A.getLHS()) + ", " + print(A.getRHS()) + ")",
              Primary};
    return {parenthesize(Condition->S, Condition->Precedence, LogicalOr) +
                " ? " + print(A.getLHS(), /*Wide=*/true) + " : " +
                print(A.getRHS(), /*Wide=*/true),
            Conditional};
  }
  default:
    return {leaf(A), Primary};
  }
}

ExprPrinter::Text ExprPrinter::integer(const IntExpr &E, Width W) const {
  const bool Wide = W == Width::Int64;
  if (auto C = E.getConstant()) {
    std::string S = std::to_string(*C);
    if (*C == INT64_MIN)
      S = "INT64_MIN";
    else if (*C > INT32_MAX || *C < -INT32_MAX)
      S = "INT64_C(" + S + ")";
    else if (Wide && !isExact())
      return {"int64_t(" + S + ")", Primary};
    if (Wide && isExact())
      return {Scope.Wide + "(" + S + ")", Primary};
    return {std::move(S), *C < 0 ? Unary : Primary};
  }

  // Whether the atom is printed as a 64-bit value without a cast.
  auto IsWideAtom = [&](const IntAtom &A) {
    if (A.getKind() == AtomKind::Index)
      return Scope.IndicesAreRanges;
    if (A.isLeaf())
      return false;
    // floor_div and the like return the type of their operands, int64_t.
    if (isExact())
      return Scope.IndicesAreRanges && IntExpr(std::make_shared<IntAtom>(A))
                                           .containsKind(AtomKind::Index);
    return !isPlainDivision(A);
  };
  auto Factor = [&](const IntAtom &A, bool Cast) -> std::string {
    Text T = atom(A);
    if ((Cast && !IsWideAtom(A)) || !isNarrow(A))
      return Scope.Wide + "(" + T.S + ")";
    return parenthesize(T.S, T.Precedence, Unary);
  };

  // An atom alone needs no arithmetic, and so no cast to a wider type.
  if (AtomRef A = E.getAtom()) {
    if ((Wide && !IsWideAtom(*A)) || !isNarrow(*A))
      return {Scope.Wide + "(" + atom(*A).S + ")", Primary};
    return atom(*A);
  }

  // Positive terms first, so that the text does not start with a sign.
  std::vector<std::pair<const IntExpr::Monomial *, int64_t>> Terms;
  for (bool Positive : {true, false})
    for (const auto &[Monomial, Coefficient] : E.terms())
      if ((Coefficient > 0) == Positive)
        Terms.push_back({&Monomial, Coefficient});
  std::string S;
  int Precedence = Terms.size() > 1 ? Additive : Multiplicative;
  for (const auto &[Monomial, Coefficient] : Terms) {
    const bool First = S.empty();
    if (!First)
      S += Coefficient < 0 ? " - " : " + ";
    else if (Coefficient < 0)
      S += "-";
    const uint64_t Magnitude = Coefficient < 0
                                   ? 0 - static_cast<uint64_t>(Coefficient)
                                   : static_cast<uint64_t>(Coefficient);
    // The first operand of every product, and of the sum, carries the type;
    // after the first term the sum itself does.
    const bool IsProduct = Monomial->size() + (Magnitude != 1) > 1;
    bool Cast = W != Width::Any && (First || IsProduct);
    std::string Term;
    if (Magnitude != 1 || Monomial->empty())
      Term = Magnitude > INT32_MAX
                 ? "INT64_C(" + std::to_string(Magnitude) + ")"
                 : std::to_string(Magnitude);
    for (const AtomRef &A : *Monomial) {
      if (!Term.empty())
        Term += " * ";
      Term += Factor(*A, Cast);
      Cast = false;
    }
    S += Term;
  }
  return {std::move(S), Precedence};
}

std::string ExprPrinter::print(const IntExpr &E, bool Wide) const {
  return integer(E, Wide ? Width::Int64 : Width::Value).S;
}

std::string ExprPrinter::printFactor(const IntExpr &E) const {
  Text T = integer(E, Width::Value);
  return parenthesize(T.S, T.Precedence, Unary);
}

/// Whether the atom is printed as one operand of type int.
bool ExprPrinter::isInt(const IntAtom &A) const {
  if (A.getKind() == AtomKind::Index)
    return !Scope.IndicesAreRanges;
  auto It = Scope.ParamTypes.find(A.getKey());
  if (A.getKind() != AtomKind::Param || It == Scope.ParamTypes.end())
    return false;
  llvm::StringRef Type = llvm::StringRef(It->second).trim();
  Type.consume_front("const ");
  return Type == "int";
}

bool ExprPrinter::isInt(const IntExpr &E) const {
  AtomRef A = E.getAtom();
  return A && isInt(*A);
}

/// An element offset, in int arithmetic where that is as good as any. Indices
/// come first in a product: then no part of it is larger than the whole.
std::string ExprPrinter::offset(const IntExpr &E) const {
  bool AllInt = Scope.OffsetsFitInt, Convert = false;
  for (const auto &[Monomial, Coefficient] : E.terms()) {
    AllInt &= Coefficient <= INT32_MAX && Coefficient >= -INT32_MAX;
    for (const AtomRef &A : Monomial) {
      AllInt &= A->getKind() == AtomKind::Param ||
                (A->getKind() == AtomKind::Index && isInt(*A));
      Convert |= !isInt(*A);
    }
  }
  if (!AllInt)
    return print(E);
  if (!Convert)
    return integer(E, Width::Any).S;
  std::string S;
  for (const auto &[Monomial, Coefficient] : E.terms()) {
    if (Coefficient < 0)
      S += S.empty() ? "-" : " - ";
    else if (!S.empty())
      S += " + ";
    const int64_t Magnitude = Coefficient < 0 ? -Coefficient : Coefficient;
    llvm::ListSeparator Times(" * ");
    for (bool Indices : {true, false}) {
      for (const AtomRef &A : Monomial)
        if ((A->getKind() == AtomKind::Index) == Indices)
          S += (llvm::StringRef(Times) +
                (isInt(*A) ? atom(*A).S : "int(" + atom(*A).S + ")"))
                   .str();
      if (Indices && (Magnitude != 1 || Monomial.empty()))
        S += (llvm::StringRef(Times) + std::to_string(Magnitude)).str();
    }
  }
  return S;
}

llvm::Expected<ExprPrinter::Text>
ExprPrinter::condition(const BoolExpr &E, const Locals *L) const {
  switch (E.getKind()) {
  case BoolExpr::Kind::Constant:
    return Text{E.isTrue() ? "true" : "false", Primary};
  case BoolExpr::Kind::Compare: {
    // Against a constant that any integer type holds, or between two ints,
    // nothing has to be converted.
    auto C = E.getRHS().getConstant();
    const bool Wide = C ? *C < 0 : !isInt(E.getLHS()) || !isInt(E.getRHS());
    Text LHS = integer(E.getLHS(), Wide ? Width::Int64 : Width::Value);
    // One operand of the runtime's type carries the comparison.
    Text RHS = integer(E.getRHS(),
                       Wide && !C && !isExact() ? Width::Int64 : Width::Value);
    const int Precedence = E.getOp() == CmpOp::EQ || E.getOp() == CmpOp::NE
                               ? Equality
                               : Relational;
    return Text{parenthesize(LHS.S, LHS.Precedence, Additive) + " " +
                    spelling(E.getOp()).str() + " " +
                    parenthesize(RHS.S, RHS.Precedence, Additive),
                Precedence};
  }
  case BoolExpr::Kind::NonNull:
    return Text{parameter(E.getName()) + " != nullptr", Equality};
  case BoolExpr::Kind::FloatCmp: {
    auto Widened = [](const ValueRef &V) {
      return isNarrowFloat(V->Type) ? Value::cast(ScalarType::F32, V) : V;
    };
    auto LHS = value(Widened(E.getValueLHS()), L);
    if (!LHS)
      return LHS.takeError();
    auto RHS = value(Widened(E.getValueRHS()), L);
    if (!RHS)
      return RHS.takeError();
    const int Precedence = E.getOp() == CmpOp::EQ || E.getOp() == CmpOp::NE
                               ? Equality
                               : Relational;
    return Text{parenthesize(LHS->S, LHS->Precedence, Additive) + " " +
                    spelling(E.getOp()).str() + " " +
                    parenthesize(RHS->S, RHS->Precedence, Additive),
                Precedence};
  }
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or: {
    const bool And = E.getKind() == BoolExpr::Kind::And;
    auto LHS = condition(E.operands()[0], L);
    if (!LHS)
      return LHS.takeError();
    auto RHS = condition(E.operands()[1], L);
    if (!RHS)
      return RHS.takeError();
    // `&&` inside `||` is put in parentheses as well: compilers ask for it.
    const int Least = And ? LogicalAnd : Equality;
    auto Side = [&](const Text &T) {
      const bool Same = T.Precedence == (And ? LogicalAnd : LogicalOr);
      return Same ? T.S : parenthesize(T.S, T.Precedence, Least);
    };
    return Text{Side(*LHS) + (And ? " && " : " || ") + Side(*RHS),
                And ? LogicalAnd : LogicalOr};
  }
  case BoolExpr::Kind::Not: {
    auto Operand = condition(E.operands()[0], L);
    if (!Operand)
      return Operand.takeError();
    return Text{"!" + parenthesize(Operand->S, Operand->Precedence, Unary),
                Unary};
  }
  }
  llvm_unreachable("covered switch");
}

llvm::Expected<std::string> ExprPrinter::print(const BoolExpr &E) const {
  auto T = condition(E, nullptr);
  if (!T)
    return T.takeError();
  return T->S;
}

} // namespace warpwright
