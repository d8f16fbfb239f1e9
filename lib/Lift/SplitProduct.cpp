//===-- SplitProduct.cpp - The factors of what is summed ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitProduct.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

static SourceLocation locOf(const ValueRef &V) {
  return SourceLocation::getFromRawEncoding(V->Loc);
}

namespace {
class ProductReader {
public:
  ProductReader(Summation &Sum, const std::vector<std::string> &Counters,
                bool KeepFactors, std::optional<Failure> &Why)
      : Sum(Sum), Counters(Counters), KeepFactors(KeepFactors), Why(Why) {
    Parts.Narrowest = Sum.Type;
  }
  bool read(const ValueRef &V);

  ProductParts Parts;

private:
  bool fail(DiagID ID, SourceLocation Loc, llvm::Twine Message) {
    if (!Why)
      Why = Failure{ID, Loc, Message.str()};
    return false;
  }
  bool dependsOnReduction(const ValueRef &V) const;
  bool readOperands(const ValueRef &Product, SourceLocation Loc);

  Summation &Sum;
  const std::vector<std::string> &Counters;
  const bool KeepFactors;
  std::optional<Failure> &Why;
  bool InOperand = false;
};
} // namespace

bool ProductReader::dependsOnReduction(const ValueRef &V) const {
  SymValue X = SymValue::scalar(V);
  return mentionsAny(X, [&](llvm::StringRef Key) {
    return llvm::is_contained(Counters, Key);
  });
}

/// Takes the product in the sum's body apart.
bool ProductReader::read(const ValueRef &V) {
  SourceLocation Loc = locOf(V).isValid() ? locOf(V) : Sum.Loc;
  // A flag: 1 where the product counts, and 0 elsewhere.
  if (V->K == Value::Kind::Int)
    if (AtomRef A = V->Index.getAtom(); A && A->getKind() == AtomKind::Select &&
                                        A->getLHS().isOne() &&
                                        A->getRHS().isZero()) {
      Sum.Guard = BoolExpr::conjunction(Sum.Guard, A->getCondition());
      Parts.Guarded = true;
      return true;
    }
  if (!dependsOnReduction(V) && V->K != Value::Kind::Select) {
    if (!V->isConstant(1)) {
      Parts.Coefficients.push_back(V);
      Parts.FactorLoc = Loc;
    }
    return true;
  }
  auto Narrow = [&](ScalarType T) {
    if (significandBits(T) &&
        significandBits(T) < significandBits(Parts.Narrowest))
      Parts.Narrowest = T;
  };
  switch (V->K) {
  case Value::Kind::Load:
    Parts.Factors.push_back(V);
    return true;
  case Value::Kind::Neg:
    Parts.Negative = !Parts.Negative;
    return read(V->Ops[0]);
  case Value::Kind::Mul:
    Narrow(V->Type);
    if (KeepFactors && !InOperand)
      return readOperands(V, Loc);
    return read(V->Ops[0]) && read(V->Ops[1]);
  case Value::Kind::Call:
    if (V->Body)
      return read(V->Body);
    if (llvm::StringRef Type = V->Name;
        Type.consume_front("static_cast<") && Type.consume_back(">"))
      return fail(DiagID::NotAProduct, Loc,
                  "each product is cut to '" + Type + "' before it is added");
    return fail(DiagID::NotAProduct, Loc,
                "'" + V->Name + "' is applied to what is summed");
  case Value::Kind::Cast: {
    const ValueRef &X = V->Ops[0];
    if (!isFloating(V->Type) && !isFloating(X->Type) && V->Type != X->Type &&
        byteSize(V->Type) == byteSize(X->Type))
      return fail(
          DiagID::NotAProduct, Loc,
          "an operand is read with another sign than it is stored with");
    if (significandBits(V->Type) < significandBits(X->Type)) {
      if (X->K != Value::Kind::Mul)
        return fail(DiagID::NotAProduct, Loc,
                    "an operand is converted to a narrower type before it is "
                    "multiplied");
      Narrow(V->Type);
    }
    return read(X);
  }
  case Value::Kind::Select:
    for (unsigned Kept : {0, 1}) {
      if (!V->Ops[1 - Kept]->isConstant(0))
        continue;
      BoolExpr When =
          Kept == 0 ? V->Condition : BoolExpr::negation(V->Condition);
      Sum.Guard = BoolExpr::conjunction(Sum.Guard, When);
      Parts.Guarded = true;
      const size_t Before = Parts.Factors.size();
      if (!read(V->Ops[Kept]))
        return false;
      if (Parts.Factors.size() == Before + 1)
        Parts.SideGuards.push_back({When, static_cast<unsigned>(Before)});
      return true;
    }
    return fail(DiagID::NotAProduct, Loc,
                "an operand of the product depends on a condition");
  case Value::Kind::Add:
  case Value::Kind::Sub:
  case Value::Kind::Fma:
    return fail(DiagID::NotAProduct, Loc,
                "each iteration adds something that is not one product");
  default:
    return fail(DiagID::NotAProduct, Loc,
                "what is summed is not a product of two loaded elements");
  }
}

/// The same, with the factors beside an element left there.
bool ProductReader::readOperands(const ValueRef &Product, SourceLocation Loc) {
  if (!dependsOnReduction(Product->Ops[0]) ||
      !dependsOnReduction(Product->Ops[1]))
    return fail(DiagID::NotAProduct, Loc,
                "the factor multiplies a product of two elements, and stays "
                "inside the loop only beside one element");
  InOperand = true;
  for (const ValueRef &Side : Product->Ops) {
    const bool Before = Parts.Negative;
    if (!read(Side))
      return false;
    if (Parts.Coefficients.empty())
      continue;
    if (Parts.Factors.empty() || Parts.Factors.size() > 2)
      break;
    // What the prologue negates is not negated again.
    Parts.Prologues[Parts.Factors.size() - 1] = Side;
    Parts.Coefficients.clear();
    Parts.Negative = Before;
  }
  InOperand = false;
  return true;
}

std::optional<ProductParts>
splitProduct(Summation &Sum, const std::vector<std::string> &Counters,
             bool KeepFactors, std::optional<Failure> &Why) {
  ProductReader Reader(Sum, Counters, KeepFactors, Why);
  if (!Reader.read(Sum.Body))
    return std::nullopt;
  if (Reader.Parts.Factors.size() != 2) {
    Why = Failure{DiagID::NotAProduct, Sum.Loc,
                  ("what is summed is a product of " +
                   llvm::Twine(Reader.Parts.Factors.size()) +
                   " loaded elements, not of two")
                      .str()};
    return std::nullopt;
  }
  return std::move(Reader.Parts);
}

} // namespace warpwright::symbolic
