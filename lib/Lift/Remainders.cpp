//===-- Remainders.cpp - Remainders that are written as differences -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

IntExpr withRemainders(const IntExpr &E) {
  for (const auto &[M, C] : E.terms())
    for (const AtomRef &A : M) {
      if (A->getKind() != AtomKind::FloorDiv)
        continue;
      IntExpr Term(C);
      for (const AtomRef &X : M)
        Term = Term * IntExpr(X);
      auto Times = Term.exactDivide(A->getRHS() * IntExpr(A));
      if (!Times)
        continue;
      IntExpr R = E - Term + *Times * A->getLHS() -
                  *Times * IntExpr::mod(A->getLHS(), A->getRHS());
      if (R.measure().Size < E.measure().Size)
        return withRemainders(R);
    }
  return E;
}

IntExpr difference(const IntExpr &L, const IntExpr &R) {
  const bool Divides = llvm::any_of(R.terms(), [](const auto &Term) {
    return llvm::any_of(Term.first, [](const AtomRef &A) {
      bool Varies = false;
      if (A->getKind() == AtomKind::FloorDiv)
        A->getLHS().walk(
            [&](const IntAtom &X) { Varies |= Simplifier::varies(X); });
      return Varies;
    });
  });
  return Divides ? withRemainders(L - R) : L - R;
}

} // namespace warpwright::symbolic
