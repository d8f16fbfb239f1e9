//===-- Quotients.cpp - Quotients of arguments that launchers compute -----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quotients.h"

#include "warpwright/Plan/GroupedFactor.h"
#include "warpwright/Plan/Groups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warpwright {

/// `floordiv(K, group)`: of arguments alone, by one that is no constant.
static bool isOfArguments(const IntAtom &A) {
  if (A.isLeaf() || A.getKind() != AtomKind::FloorDiv ||
      A.getRHS().getConstant())
    return false;
  bool Only = true;
  for (const IntExpr *Side : {&A.getLHS(), &A.getRHS()})
    Side->walk([&](const IntAtom &Inner) {
      Only &= Inner.isLeaf() ? Inner.getKind() == AtomKind::Param
                             : Inner.getKind() != AtomKind::Select;
    });
  return Only;
}

/// `K_by_group`, or nothing where either is more than a parameter.
static std::string nameOf(const IntAtom &A) {
  std::string Name;
  for (const IntExpr *Side : {&A.getLHS(), &A.getRHS()}) {
    const AtomRef Leaf = Side->getAtom();
    if (!Leaf || !Leaf->isLeaf() || !llvm::all_of(Leaf->getKey(), [](char C) {
          return llvm::isAlnum(C) || C == '_';
        }))
      return "";
    Name += (llvm::Twine(Name.empty() ? "" : "_by_") + Leaf->getKey()).str();
  }
  return Name;
}

Quotients::Quotients(const Contraction &C, NameTable Names) {
  auto Note = [&](const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (!isOfArguments(A))
        return;
      const IntExpr Value = IntExpr::floorDiv(A.getLHS(), A.getRHS());
      if (llvm::any_of(All, [&](const auto &Q) { return Q.second == Value; }))
        return;
      const std::string Wish = nameOf(A);
      All.push_back({Wish.empty() ? Names.take("quotient")
                                  : Names.take({Wish, "quotient"}),
                     Value});
    });
  };
  bool InIndex = false;
  C.forEachOperand([&](const Operand &O) {
    O.Index.walk([&](const IntAtom &A) { InIndex |= isOfArguments(A); });
    const auto Factor = groupedFactor(O);
    if (!Factor || !argumentGroup(C, O, Factor->GroupK))
      return;
    for (const ValueRef &V : {Factor->Zero, Factor->Scale})
      if (V)
        V->walk([&](const Value &N) { Note(N.Index); });
  });
  if (InIndex) // by which an operand's elements are known
    All.clear();
}

ValueRef Quotients::named(const ValueRef &V) const {
  if (All.empty())
    return V;
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (!isOfArguments(A))
      return std::nullopt;
    const IntExpr Value = IntExpr::floorDiv(A.getLHS(), A.getRHS());
    for (const auto &[Name, Known] : All)
      if (Known == Value)
        return IntExpr::param(Name);
    return std::nullopt;
  });
}

IntExpr Quotients::named(const IntExpr &E) const {
  return named(Value::integer(ScalarType::I64, E))->Index;
}

} // namespace warpwright
