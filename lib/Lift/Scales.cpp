//===-- Scales.cpp - Loads that are no operand of a product ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A product may have more loads than its two elements: `scale[k / 32]` beside
/// one of them. A division in the index of such a load says nothing about rows
/// and columns; k should stay one index. So while threads and loops become
/// indices, these loads are kept apart from the products, and are rewritten
/// together with everything else. Which loads they are is guessed from their
/// form. A wrong guess can only cause a decline, since every change of
/// variables is exact in all expressions.
///
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"
#include "Mistakes.h"
#include "Simplify.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

namespace warpwright::symbolic {

namespace {
/// A load in a product, and how unlikely it is to be one of the two elements. A
/// number is never one.
struct Candidate {
  ValueRef Load;
  /// Counted are: that no row or column moves the load, loops of the sum that
  /// do not move it, and divisions.
  std::array<unsigned, 3> Distance = {};
};
} // namespace

void IndexSpace::hideScales() {
  for (size_t N = 0; N < Sums.size(); ++N) {
    Summation &S = Sums[N];
    std::vector<Candidate> Loads;
    std::vector<ValueRef> Numbers; // `k + 1`, but not a flag
    replaceValues(S.Body, [&](const ValueRef &V) -> ValueRef {
      if (V->K == Value::Kind::Load &&
          llvm::none_of(
              Loads, [&](const Candidate &C) { return sameValue(C.Load, V); }))
        Loads.push_back({V});
      if (V->K == Value::Kind::Int && mentions(V->Index) &&
          !V->Index.containsKind(AtomKind::Select))
        Numbers.push_back(V);
      return nullptr;
    });
    if (Loads.size() < 2)
      continue;
    for (Candidate &C : Loads) {
      C.Distance[0] = 1;
      for (const IndexVar &V : Vars) {
        const bool Moves = C.Load->Index.contains(V.key());
        if (!V.Reduction)
          C.Distance[0] &= !Moves;
        else if (V.Sums >> N & 1)
          C.Distance[1] += !Moves;
      }
      C.Load->Index.walk([&](const IntAtom &A) {
        if (A.getKind() == AtomKind::FloorDiv || A.getKind() == AtomKind::Mod)
          C.Distance[2] += mentions(A.getLHS());
      });
    }
    std::vector<std::array<unsigned, 3>> Order;
    for (const Candidate &C : Loads)
      Order.push_back(C.Distance);
    llvm::sort(Order);
    if (Loads.size() == 2)
      Loads.clear();
    llvm::erase_if(Loads, [&](const Candidate &C) {
      return C.Distance <= Order[1] || (!C.Distance[1] && !C.Distance[2]);
    });
    for (ValueRef &V : Numbers)
      Loads.push_back({V});
    S.Body = replaceValues(S.Body, [&](const ValueRef &V) -> ValueRef {
      for (size_t I = 0; I < Loads.size(); ++I)
        if (V->K == Loads[I].Load->K && sameValue(V, Loads[I].Load)) {
          auto Hidden = std::make_shared<Value>(Value::Kind::Phi, V->Type);
          Hidden->Name = "#" + std::to_string(I);
          return Hidden;
        }
      return nullptr;
    });
    for (Candidate &C : Loads)
      S.Scales.push_back(std::move(C.Load));
  }
}

void IndexSpace::showScales() {
  for (Summation &S : Sums) {
    if (S.Scales.empty())
      continue;
    S.Body = replaceValues(S.Body, [&](const ValueRef &V) -> ValueRef {
      llvm::StringRef Name = V->Name;
      size_t I = 0;
      if (V->K != Value::Kind::Phi || !Name.consume_front("#") ||
          Name.getAsInteger(10, I) || I >= S.Scales.size())
        return nullptr;
      return S.Scales[I];
    });
    S.Scales.clear();
  }
}

void IndexSpace::divideScales(const IndexVar &High, const IntExpr &Ratio,
                              const IntExpr &Both) {
  // A group of `size / 8` words, of which the other operand has eight elements
  // each: the launcher asks for whole words.
  auto HasElements = [&](const Summation &S, int64_t OfWord) {
    bool Has = false;
    S.Body->walk([&](const Value &V) {
      const auto Step = V.K == Value::Kind::Load
                            ? V.Index.coefficient(Both.str())
                            : std::nullopt;
      const auto Elements = Step ? Step->getConstant() : std::nullopt;
      Has |= Elements && *Elements != 0 && *Elements % OfWord == 0;
    });
    return !S.Scales.empty() && Has;
  };
  if (const AtomRef Words = Ratio.getAtom();
      Words && Words->getKind() == AtomKind::FloorDiv) {
    const IntExpr Size = Words->getLHS(), OfWord = Words->getRHS();
    const int64_t Elements = OfWord.getConstant().value_or(0);
    if (Elements > 1 && llvm::any_of(Sums, [&](const Summation &S) {
          return HasElements(S, Elements);
        })) {
      require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(Size, OfWord), 0),
              Size.str() + " is not a multiple of " + OfWord.str());
      return divideScales(High, Size, OfWord * Both);
    }
  }
  auto Quotient = [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() != High.key())
      return std::nullopt;
    if (mistaken(Mistake::GroupShifted))
      return IntExpr::floorDiv(Both + 1, Ratio);
    return IntExpr::floorDiv(Both, Ratio);
  };
  for (Summation &S : Sums)
    for (ValueRef &Scale : S.Scales)
      Scale = transformInts(Scale, Quotient, recombine);
}

} // namespace warpwright::symbolic
