//===-- IndexOrder.cpp - Indices that run in another order ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Changes of variables that only change the order in which an index takes its
/// values: terms that each thread begins elsewhere, blocks of every other
/// column that run from the last row to the first, blocks in groups of rows,
/// loops that count down.
///
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

void IndexSpace::unrotate() {
  for (IndexVar &V : Vars) {
    if (!V.Reduction)
      continue;
    std::optional<std::string> Rotated;
    forEach([&](const IntExpr &E) {
      E.walk([&](const IntAtom &A) {
        if (A.getKind() != AtomKind::Mod || A.getRHS() != V.Range)
          return;
        auto Factor = A.getLHS().coefficient(V.key());
        if (Factor && Factor->isOne())
          Rotated = A.getKey().str();
      });
    });
    if (!Rotated)
      continue;
    IndexSpace Trial = *this;
    IntExpr New = Trial.freshAtom();
    Trial.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKey() == *Rotated)
        return New;
      return std::nullopt;
    });
    const std::string Key = V.key();
    if (Trial.uses(Key))
      continue;
    for (IndexVar &W : Trial.Vars)
      if (W.key() == Key)
        W.Atom = New;
    *this = std::move(Trial);
    return unrotate();
  }
}

/// \p E for an atom \p Bit that is 0 or 1, and so is its own square.
static IntExpr withoutSquares(const IntExpr &E, const AtomRef &Bit) {
  IntExpr R;
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(C);
    bool Seen = false;
    for (const AtomRef &A : M) {
      const bool IsBit = A->getKey() == Bit->getKey();
      if (!IsBit || !Seen)
        Term = Term * IntExpr(A);
      Seen |= IsBit;
    }
    R += Term;
  }
  return R;
}

void IndexSpace::unmirror() {
  for (size_t N = 0; N < Vars.size(); ++N) {
    const IndexVar V = Vars[N];
    if (V.Reduction)
      continue;
    // The factor of v in `v + bit * (range - 1 - 2 * v)`.
    AtomRef Bit;
    bool Down = false; // where the bit is 0
    forEachPlace([&](const IntExpr &E) {
      auto Factor = Bit ? std::nullopt : E.coefficient(V.key());
      if (!Factor)
        return;
      for (const auto &[M, C] : Factor->terms())
        for (const AtomRef &A : M) {
          if (A->getKind() != AtomKind::Mod || A->getRHS() != IntExpr(2) ||
              IntExpr(A).contains(V.key()))
            continue;
          const IntExpr Even = Factor->substitute(A->getKey(), IntExpr());
          if (*Factor != Even - IntExpr(2) * Even * IntExpr(A))
            continue;
          Bit = A;
          Down = llvm::all_of(Even.terms(),
                              [](const auto &Term) { return Term.second < 0; });
        }
    });
    if (!Bit)
      continue;
    IndexSpace Trial = *this;
    const IntExpr New = Trial.freshAtom();
    auto Mirrored = [&](const IntExpr &E) { return V.Range - 1 - E; };
    // Its own inverse, since the bit is its own square.
    auto Turned = [&](const IntExpr &E) {
      return withoutSquares(E + IntExpr(Bit) * (Mirrored(E) - E), Bit);
    };
    auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
      return A.getKey() == V.key()
                 ? std::optional<IntExpr>(Turned(Down ? Mirrored(New) : New))
                 : std::nullopt;
    };
    auto Reduced = [&](const IntExpr &E) { return withoutSquares(E, Bit); };
    auto InGuard = [&](const BoolExpr &Guard) {
      llvm::SmallVector<BoolExpr, 4> Tests;
      Guard.conjuncts(Tests);
      BoolExpr All = BoolExpr::constant(true);
      for (const BoolExpr &T : Tests) {
        BoolExpr There = T.transform(Fn);
        if (There.getKind() == BoolExpr::Kind::Compare)
          There = BoolExpr::compare(There.getOp(), Reduced(There.getLHS()),
                                    Reduced(There.getRHS()));
        All = BoolExpr::conjunction(All, There);
      }
      return All;
    };
    for (Store &S : Trial.Stores) {
      S.Index = Reduced(S.Index.transform(Fn));
      S.Value = transformInts(S.Value, Fn, Reduced);
      S.Guard = InGuard(S.Guard);
    }
    for (Summation &S : Trial.Sums) {
      S.Body = transformInts(S.Body, Fn, Reduced);
      S.Guard = InGuard(S.Guard);
      for (ValueRef &Scale : S.Scales)
        Scale = transformInts(Scale, Fn, Reduced);
    }
    for (Obligation &O : Trial.Obligations)
      for (IntExpr *E : {&O.E, &O.Low, &O.High})
        *E = Reduced(E->transform(Fn));
    Trial.transform(Fn);
    Trial.Vars[N].Atom = New;
    Trial.Vars[N].Origin = Down ? Mirrored(Turned(V.Atom)) : Turned(V.Atom);
    bool Left = false;
    Trial.forEachPlace([&](const IntExpr &E) {
      auto Factor = E.coefficient(New.str());
      Left |= Factor && Factor->contains(Bit->getKey().str());
    });
    if (!Left)
      *this = std::move(Trial);
  }
}

std::optional<BlockGroups> blockGroups(const IntExpr &Height) {
  const AtomRef Min = Height.getAtom();
  if (!Min || Min->getKind() != AtomKind::Min)
    return std::nullopt;
  for (const auto &[Size, Left] : {std::pair{Min->getLHS(), Min->getRHS()},
                                   {Min->getRHS(), Min->getLHS()}})
    for (const auto &[M, C] : Left.terms())
      for (const AtomRef &A : M) {
        const AtomRef Block = A->getKind() == AtomKind::FloorDiv
                                  ? A->getLHS().getAtom()
                                  : nullptr;
        if (!Block || Block->getKind() != AtomKind::BlockIdx)
          continue;
        BlockGroups G;
        G.Group = IntExpr(A);
        G.Size = Size;
        G.Rows = Left + Size * G.Group;
        const auto Columns = A->getRHS().exactDivide(Size);
        auto Varies = [](const IntExpr &E) {
          bool Found = false;
          E.walk([&](const IntAtom &X) { Found |= Simplifier::varies(X); });
          return Found;
        };
        if (!Columns || Varies(Size) || Varies(G.Rows) || Varies(*Columns))
          continue;
        G.Columns = *Columns;
        G.Number = IntExpr(Block);
        G.Count = IntExpr::special(AtomKind::GridDim, Block->getDim());
        return G;
      }
  return std::nullopt;
}

// The groups before number g have g * Size rows, all of them below Rows if the
// number of the block is below Rows * Columns. Group g has h = min(Rows - g *
// Size, Size) rows, at least one, and h * Columns blocks: all that are left if
// it is the last one, and Size * Columns otherwise. So the number in the group
// is below h * Columns, its remainder by h is any row of the group, and its
// quotient any column, each pair once.
void IndexSpace::ungroup() {
  for (size_t N = 0; N < Vars.size(); ++N) {
    const IndexVar V = Vars[N];
    if (!V.FromLaunch || !V.OfBlock)
      continue;
    std::optional<BlockGroups> Found;
    std::string Height;
    forEachPlace([&](const IntExpr &E) {
      E.walk([&](const IntAtom &A) {
        if (Found ||
            (A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod))
          return;
        auto Groups = blockGroups(A.getRHS());
        if (!Groups || Groups->Number != V.Atom || Groups->Count != V.Range)
          return;
        Found = std::move(Groups);
        Height = A.getRHS().str();
      });
    });
    if (!Found)
      continue;
    const IntExpr InGroup = IntExpr::mod(V.Atom, Found->Size * Found->Columns);
    IndexSpace Trial = *this;
    const IntExpr Row = Trial.freshAtom(), Column = Trial.freshAtom();
    auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.isLeaf() || A.getLHS() != InGroup || A.getRHS().str() != Height)
        return std::nullopt;
      if (A.getKind() == AtomKind::FloorDiv)
        return Column;
      if (A.getKind() == AtomKind::Mod)
        return Row - Found->Group * Found->Size;
      return std::nullopt;
    };
    Trial.transform(Fn);
    bool Left = false;
    Trial.forEach([&](const IntExpr &E) { Left |= E.contains(V.key()); });
    if (Left)
      continue;
    IndexVar Rows = V, Columns = V;
    Rows.Atom = Row;
    Rows.Range = Found->Rows;
    Columns.Atom = Column;
    Columns.Range = Found->Columns;
    const IntExpr Low =
        IntExpr::min(Found->Rows - Found->Group * Found->Size, Found->Size);
    Columns.Origin = IntExpr::floorDiv(InGroup, Low);
    Rows.Origin = Found->Group * Found->Size + IntExpr::mod(InGroup, Low);
    Trial.Vars[N] = Rows;
    Trial.Vars.insert(Trial.Vars.begin() + N, Columns);
    Trial.require(BoolExpr::compare(CmpOp::GE, Found->Columns, 1),
                  Found->Columns.str() + " is not positive");
    Trial.require(
        BoolExpr::compare(CmpOp::EQ, V.Range, Found->Rows * Found->Columns),
        "the grid does not cover whole rows of blocks");
    // A bound over all rows and all columns is one over all blocks, also if
    // what is left of the block's own number is taken for independent of them.
    const std::string Group = Found->Group.str();
    for (Obligation &O : Trial.Obligations) {
      O.Found = O.Found.transform(Fn).substitute(
          Group, IntExpr::floorDiv(Row, Found->Size));
      O.Places.push_back({Row.getAtom()->getDim(), Found->Rows - 1});
      O.Places.push_back({Column.getAtom()->getDim(), Found->Columns - 1});
    }
    *this = std::move(Trial);
    return ungroup();
  }
}

void IndexSpace::countUp() {
  for (const IndexVar &V : Vars) {
    if (!V.Reduction)
      continue;
    bool Down = false, Up = false;
    for (const Summation &S : Sums)
      S.Body->walk([&](const Value &Load) {
        if (Load.K != Value::Kind::Load || !Load.Index.contains(V.key()))
          return;
        const auto Stride = Load.Index.coefficient(V.key());
        const bool GoesDown =
            Stride && llvm::all_of(Stride->terms(), [](const auto &Term) {
              return Term.second < 0;
            });
        Down |= GoesDown;
        Up |= !GoesDown;
      });
    if (!Down || Up)
      continue;
    const IntExpr Mirrored = V.Range - 1 - V.Atom;
    const std::string Key = V.key();
    transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKey() == Key)
        return Mirrored;
      return std::nullopt;
    });
  }
}

} // namespace warpwright::symbolic
