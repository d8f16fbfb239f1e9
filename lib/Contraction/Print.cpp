//===-- Print.cpp - The text of values and conditions ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright {

namespace {

/// Prints from a list of pieces still to be printed, since expressions may be
/// deeper than the stack.
class Printer {
public:
  explicit Printer(llvm::raw_ostream &OS) : OS(OS) {}

  void run(const Value &Root) {
    if (!refused(Root.measure()))
      value(Root), rest();
  }
  void run(const BoolExpr &Root) {
    if (!refused(Root.measure()))
      condition(Root), rest();
  }

private:
  llvm::raw_ostream &OS;
  /// One of these three.
  struct Piece {
    llvm::StringRef Text;
    const Value *V = nullptr;
    const BoolExpr *B = nullptr;
    Piece(const char *Text) : Text(Text) {}
    Piece(llvm::StringRef Text) : Text(Text) {}
    Piece(const ValueRef &V) : V(V.get()) {}
    Piece(const BoolExpr &B) : B(&B) {}
  };
  std::vector<Piece> ToCome; ///< the next one last

  bool refused(const ExprMeasure &M) {
    if (M.Size <= Value::MaxPrintedSize)
      return false;
    OS << "<" << M.Size << " nodes>";
    return true;
  }

  void rest() {
    while (!ToCome.empty()) {
      Piece Next = ToCome.back();
      ToCome.pop_back();
      if (Next.V)
        value(*Next.V);
      else if (Next.B)
        condition(*Next.B);
      else
        OS << Next.Text;
    }
  }

  void then(std::initializer_list<Piece> Pieces) {
    ToCome.insert(ToCome.end(), std::rbegin(Pieces), std::rend(Pieces));
  }

  void infix(const Value &V, const char *Operator) {
    OS << (V.Alone ? "rn(" : "(");
    then({V.Ops[0], Operator, V.Ops[1], ")"});
  }

  void list(const Value &V) {
    OS << '(';
    then({")"});
    for (const ValueRef &Op : llvm::reverse(V.Ops)) {
      then({Op});
      if (&Op != &V.Ops.front())
        then({", "});
    }
  }

  void value(const Value &V);
  void condition(const BoolExpr &B);
};

void Printer::value(const Value &V) {
  using Kind = Value::Kind;
  switch (V.K) {
  case Kind::Constant:
    OS << V.Text << ':' << name(V.Type);
    return;
  case Kind::Acc:
    OS << "acc";
    if (V.Counter)
      OS << V.Counter;
    return;
  case Kind::Load:
    OS << V.Name << '[' << V.Index << "]:" << name(V.Type);
    return;
  case Kind::Param:
    OS << V.Name << ':' << name(V.Type);
    return;
  case Kind::Global:
    OS << "const." << name(V.Type) << " \"" << V.Name << '"';
    return;
  case Kind::Int:
    OS << "int." << name(V.Type) << '(' << V.Index << ')';
    return;
  case Kind::Cast:
    OS << name(V.Type);
    return list(V);
  case Kind::Neg:
    OS << '-';
    return list(V);
  case Kind::Add:
    return infix(V, " + ");
  case Kind::Sub:
    return infix(V, " - ");
  case Kind::Mul:
    return infix(V, " * ");
  case Kind::Div:
    return infix(V, " / ");
  case Kind::And:
    return infix(V, " & ");
  case Kind::Or:
    return infix(V, " | ");
  case Kind::Xor:
    return infix(V, " ^ ");
  case Kind::Shl:
    return infix(V, " << ");
  case Kind::Shr:
    return infix(V, " >> ");
  case Kind::Fma:
    OS << "fma";
    return list(V);
  case Kind::Call:
    OS << "call." << name(V.Type) << " \"" << V.Name << '"';
    return list(V);
  case Kind::Select:
    OS << "select(";
    return then({V.Condition, ", ", V.Ops[0], ", ", V.Ops[1], ")"});
  case Kind::Sum:
    OS << "sum(iter" << V.Counter << " < " << V.Index << " if ";
    return then({V.Condition, ", ", V.Ops[0], ")"});
  case Kind::Phi:
    OS << "phi(" << V.Name << ')';
    return;
  case Kind::Undefined:
    OS << "undefined:" << name(V.Type);
    return;
  }
  llvm_unreachable("covered switch");
}

void Printer::condition(const BoolExpr &B) {
  using Kind = BoolExpr::Kind;
  switch (B.getKind()) {
  case Kind::Constant:
    OS << (B.isTrue() ? "true" : "false");
    return;
  case Kind::Compare:
    OS << B.getLHS() << ' ' << spelling(B.getOp()) << ' ' << B.getRHS();
    return;
  case Kind::NonNull:
    OS << "nonnull(" << B.getName() << ')';
    return;
  case Kind::FloatCmp:
    OS << "fcmp(";
    return then(
        {B.getValueLHS(), " ", spelling(B.getOp()), " ", B.getValueRHS(), ")"});
  case Kind::And:
  case Kind::Or: {
    auto Nested = [&](const BoolExpr &E) {
      const bool Parentheses =
          E.getKind() == Kind::And || E.getKind() == Kind::Or;
      if (Parentheses)
        then({"(", E, ")"});
      else
        then({E});
    };
    // The piece that is added last is printed next.
    Nested(B.operands()[1]);
    then({B.getKind() == Kind::And ? " && " : " || "});
    return Nested(B.operands()[0]);
  }
  case Kind::Not:
    OS << "!(";
    return then({B.operands()[0], ")"});
  }
  llvm_unreachable("covered switch");
}

template <typename T> std::string printed(const T &E) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  E.print(OS);
  return S;
}

} // namespace

void Value::print(llvm::raw_ostream &OS) const { Printer(OS).run(*this); }
std::string Value::str() const { return printed(*this); }

void BoolExpr::print(llvm::raw_ostream &OS) const { Printer(OS).run(*this); }
std::string BoolExpr::str() const { return printed(*this); }

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const BoolExpr &E) {
  E.print(OS);
  return OS;
}

} // namespace warpwright
