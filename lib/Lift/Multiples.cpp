//===-- Multiples.cpp - Arguments that are multiples ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Multiples.h"
#include "Executor.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace warpwright::symbolic {

void findMultiples(const IntExpr &Dividend, int64_t Divisor, Multiples &Found) {
  // Vectors and tiles.
  constexpr int64_t MostDivisor = 256;
  if (Divisor < 2 || Divisor > MostDivisor || Dividend.overflowed() ||
      mentionsPhi(Dividend))
    return;
  Multiples Here;
  for (const auto &[Atoms, Factor] : Dividend.terms()) {
    if (Atoms.empty())
      return;
    if (Factor % Divisor == 0)
      continue;
    const auto Argument = llvm::find_if(Atoms, [](const AtomRef &A) {
      return A->getKind() == AtomKind::Param;
    });
    if (Argument == Atoms.end())
      continue;
    int64_t &Known = Here[(*Argument)->getKey().str()];
    Known = std::lcm(std::max<int64_t>(Known, 1),
                     Divisor / std::gcd(Factor, Divisor));
  }
  for (const auto &[Name, Number] : Here) {
    int64_t &Known = Found[Name];
    Known = std::lcm(std::max<int64_t>(Known, 1), Number);
    if (Known > MostDivisor)
      Known = Number;
  }
}

IntExpr asMultiple(llvm::StringRef Name, int64_t Divisor) {
  return IntExpr(Divisor) *
         IntExpr::floorDiv(IntExpr::param(Name), IntExpr(Divisor));
}

/// \p E with `n * floordiv(K, n)` as K, outside of other quotients.
static IntExpr named(const IntExpr &E, const Multiples &Known) {
  if (E.overflowed())
    return E;
  IntExpr Result;
  for (const auto &[Atoms, Factor] : E.terms()) {
    IntExpr Term(1);
    int64_t Rest = Factor;
    for (const AtomRef &A : Atoms) {
      const auto D = A->getKind() == AtomKind::FloorDiv
                         ? A->getRHS().getConstant()
                         : std::nullopt;
      const AtomRef Argument = D ? A->getLHS().getAtom() : nullptr;
      const auto It =
          Argument ? Known.find(Argument->getKey().str()) : Known.end();
      if (It != Known.end() && It->second == *D && Rest % *D == 0) {
        Rest /= *D;
        Term = Term * A->getLHS();
      } else {
        Term = Term * IntExpr(A);
      }
    }
    Result += IntExpr(Rest) * Term;
  }
  return Result;
}

void nameMultiples(Contraction &C, const Multiples &Known) {
  auto Same = [](const IntAtom &) { return std::optional<IntExpr>(); };
  auto Name = [&](IntExpr &E) { E = named(E, Known); };
  auto NameIn = [&](ValueRef &V) {
    if (V)
      V = transformInts(V, Same,
                        [&](const IntExpr &E) { return named(E, Known); });
  };
  auto NameProduct = [&](Operand &A, Operand &B) {
    for (Operand *O : {&A, &B}) {
      Name(O->Index);
      NameIn(O->Prologue);
    }
  };
  for (IntExpr *E : {&C.BatchExtent, &C.MExtent, &C.NExtent, &C.KExtent})
    Name(*E);
  llvm::for_each(C.BatchDigits, Name);
  NameProduct(C.A, C.B);
  for (Product &P : C.MoreProducts)
    NameProduct(P.A, P.B);
  for (Accumulation &Sum : C.MoreSums) {
    Name(Sum.KExtent);
    for (Product &P : Sum.Products)
      NameProduct(P.A, P.B);
  }
  for (Output &O : C.Outputs) {
    Name(O.Index);
    NameIn(O.Value);
    if (O.When) {
      Name(O.When->Begin);
      if (O.When->End)
        Name(*O.When->End);
    }
  }
}

} // namespace warpwright::symbolic
