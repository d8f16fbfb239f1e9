//===- WholePitches.cpp - Arguments that the launcher asks to be multiples ===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows that are `K / 4` vectors apart are K elements apart, if K is a multiple
/// of 4, which the launcher then asks for. Tiles that are counted from an
/// argument on, `(first + blockIdx.x) / across`, begin at a row of tiles, if
/// that is a multiple of the tiles in a row.
///
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace warpwright::symbolic {

void IndexSpace::wholePitches() {
  // A term that has the quotient as it is, as one of the threads of a tile,
  // is one of the rows of the other terms with it.
  auto InAll = [](const IntExpr &E, const AtomRef &Quotient, int64_t D) {
    return llvm::all_of(E.terms(), [&](const auto &Term) {
      return Term.second % D == 0 ||
             llvm::none_of(Term.first, [&](const AtomRef &A) {
               return A->getKey() == Quotient->getKey();
             });
    });
  };
  // Groups of words: the quotient counts the words that a group of the loop has
  // in one operand, and their numbers in the other.
  std::set<std::pair<std::string, std::string>> Counted;
  forEach([&](const IntExpr &E) {
    for (const auto &[M, C] : E.terms())
      for (const AtomRef &A : M) {
        const auto D = A->getKind() == AtomKind::FloorDiv
                           ? A->getRHS().getConstant()
                           : std::nullopt;
        if (!D || C % *D == 0)
          continue;
        for (const IndexVar &V : Vars)
          if (V.Reduction && llvm::any_of(M, [&](const AtomRef &X) {
                return X->getKey() == V.key();
              }))
            Counted.insert({A->getKey().str(), V.key()});
      }
  });
  auto Whole = [&](const IntExpr &E) {
    IntExpr R = E;
    for (const auto &[Atoms, C] : E.terms()) {
      const auto &M = Atoms;
      auto IsCounted = [&](const AtomRef &A) {
        return llvm::any_of(M, [&](const AtomRef &X) {
          return Counted.count({A->getKey().str(), X->getKey().str()}) != 0;
        });
      };
      const bool Varies = llvm::any_of(
          M, [](const AtomRef &A) { return Simplifier::varies(*A); });
      for (const AtomRef &A : M) {
        auto D = A->getKind() == AtomKind::FloorDiv ? A->getRHS().getConstant()
                                                    : std::nullopt;
        if (!Varies || !D || *D < 2 || C % *D != 0 || Simplifier::varies(*A) ||
            !InAll(E, A, *D) || IsCounted(A))
          continue;
        IntExpr Rest(C / *D), Term(C);
        for (const AtomRef &B : M) {
          Term = Term * IntExpr(B);
          if (B.get() != A.get())
            Rest = Rest * IntExpr(B);
        }
        require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(A->getLHS(), *D), 0),
                A->getLHS().str() + " is not a multiple of " +
                    std::to_string(*D));
        R = R - Term + Rest * A->getLHS();
        break;
      }
    }
    return R;
  };
  auto Same = [](const IntAtom &) { return std::nullopt; };
  for (Store &S : Stores) {
    S.Index = Whole(S.Index);
    S.Value = transformInts(S.Value, Same, Whole);
  }
  for (Summation &S : Sums) {
    S.Body = transformInts(S.Body, Same, Whole);
    for (ValueRef &Scale : S.Scales)
      Scale = transformInts(Scale, Same, Whole);
  }
}

void IndexSpace::beginAtRows() {
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if ((A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod) ||
        A.getRHS().getConstant() || mentions(A.getRHS()))
      return std::nullopt;
    const IntExpr &Width = A.getRHS();
    IntExpr Index, First;
    for (const auto &[M, C] : A.getLHS().terms()) {
      IntExpr Term(C);
      for (const AtomRef &X : M)
        Term = Term * IntExpr(X);
      (mentions(Term) ? Index : First) += Term;
    }
    // Not `(block + width - 1) / width`, which rounds up.
    const bool IsArgument =
        !First.isZero() && llvm::all_of(First.terms(), [&](const auto &T) {
          return T.second > 0 && T.first.size() == 1 &&
                 T.first[0]->getKind() == AtomKind::Param &&
                 !Width.contains(T.first[0]->getKey());
        });
    const bool Begins =
        IsArgument && llvm::any_of(Vars, [&](const IndexVar &V) {
          return V.OfBlock && Index == V.Atom;
        });
    if (!Begins)
      return std::nullopt;
    require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(First, Width), 0),
            First.str() + " is not a multiple of " + Width.str());
    if (A.getKind() == AtomKind::Mod)
      return IntExpr::mod(Index, Width);
    return IntExpr::floorDiv(Index, Width) + IntExpr::floorDiv(First, Width);
  });
}

} // namespace warpwright::symbolic
