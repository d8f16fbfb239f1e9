//===-- IndexBounds.cpp - Conditions that bound an index ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A condition that bounds one index may be what keeps it from being a digit of
/// another one: then it becomes the range of that index.
///
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace warpwright::symbolic {

IntExpr lesser(const IntExpr &A, const IntExpr &B) {
  if (provablyAtLeast(A, B))
    return B;
  if (provablyAtLeast(B, A))
    return A;
  return IntExpr::min(A, B);
}

bool provablyAtLeast(const IntExpr &A, const IntExpr &B) {
  auto C = (A - B).getConstant();
  if (C)
    return *C >= 0;
  // floordiv(x, d) + n is at least floordiv(y, d) if x + n * d is at least y.
  for (const auto &[M, Coefficient] : A.terms())
    for (const auto &[MB, CB] : B.terms()) {
      if (M.size() != 1 || MB.size() != 1 || Coefficient != 1 || CB != 1 ||
          M[0]->getKind() != AtomKind::FloorDiv ||
          MB[0]->getKind() != AtomKind::FloorDiv ||
          M[0]->getRHS() != MB[0]->getRHS() || !M[0]->getRHS().getConstant())
        continue;
      const IntExpr More = A - IntExpr(M[0]) - B + IntExpr(MB[0]);
      if (More.getConstant() &&
          provablyAtLeast(M[0]->getLHS() + More * M[0]->getRHS(),
                          MB[0]->getLHS()))
        return true;
    }
  // d * floordiv(x, d) in A is at least x - d + 1.
  for (const auto &[M, Coefficient] : A.terms())
    for (const AtomRef &X : M) {
      if (X->getKind() != AtomKind::FloorDiv || Coefficient < 0)
        continue;
      IntExpr Term(Coefficient);
      for (const AtomRef &Y : M)
        Term = Term * IntExpr(Y);
      IntExpr Quotient{X};
      auto Factor = Term.exactDivide(X->getRHS() * Quotient);
      if (!Factor || !Factor->getConstant())
        continue;
      if (provablyAtLeast(A - Term + *Factor * (X->getLHS() - X->getRHS() + 1),
                          B))
        return true;
      // It is at least e * floordiv(x - d + e, e), for an e that divides d.
      for (const auto &[MB, CB] : B.terms()) {
        AtomRef Y = MB.size() == 1 ? MB[0] : nullptr;
        const IntExpr &D = X->getRHS();
        if (!Y || Y->getKind() != AtomKind::FloorDiv || Y->getRHS() == D ||
            !D.getConstant() || !D.exactDivide(Y->getRHS()))
          continue;
        const IntExpr Less =
            Y->getRHS() *
            IntExpr::floorDiv(X->getLHS() - D + Y->getRHS(), Y->getRHS());
        if (provablyAtLeast(A - Term + *Factor * Less, B))
          return true;
      }
    }
  // d * floordiv(x, d) in B is at most x.
  for (const auto &[M, Coefficient] : B.terms()) {
    const AtomRef X = M.size() == 1 && Coefficient > 0 ? M[0] : nullptr;
    const auto D = X && X->getKind() == AtomKind::FloorDiv
                       ? X->getRHS().getConstant()
                       : std::nullopt;
    if (D && *D > 0 && Coefficient % *D == 0 &&
        provablyAtLeast(A, B - IntExpr(Coefficient) * IntExpr(X) +
                               IntExpr(Coefficient / *D) * X->getLHS()))
      return true;
  }
  // Replaces the first min in B by either of its sides: B is at most the
  // result.
  AtomRef Min;
  for (const auto &[M, Coefficient] : B.terms())
    for (const AtomRef &X : M)
      if (X->getKind() == AtomKind::Min && !Min) {
        if (Coefficient < 0)
          return false;
        Min = X;
      }
  if (!Min)
    return false;
  for (const IntExpr *Side : {&Min->getLHS(), &Min->getRHS()})
    if (provablyAtLeast(A, B.substitute(Min->getKey(), *Side)))
      return true;
  return false;
}

bool IndexSpace::absorbGuard() {
  if (Stores.empty())
    return false;
  llvm::SmallVector<BoolExpr, 4> Tests;
  Stores.front().Guard.conjuncts(Tests);
  for (const BoolExpr &T : Tests) {
    if (T.getKind() != BoolExpr::Kind::Compare)
      continue;
    IntExpr D = T.getRHS() - T.getLHS();
    CmpOp Op = T.getOp();
    if (Op == CmpOp::GT || Op == CmpOp::GE) {
      D = -D;
      Op = swapSides(Op);
    }
    if (Op == CmpOp::LT)
      D = D - 1;
    else if (Op != CmpOp::LE)
      continue;
    // D >= 0, with one index in it that has a negative factor.
    for (IndexVar &V : Vars) {
      auto Factor = D.coefficient(V.key());
      auto C = Factor ? Factor->getConstant() : std::nullopt;
      if (!C || *C >= 0)
        continue;
      IntExpr Rest = D - *Factor * V.Atom;
      if (mentions(Rest))
        continue;
      const IntExpr Bound = IntExpr::floorDiv(Rest, IntExpr(-*C)) + IntExpr(1);
      bool Blocks = llvm::any_of(Vars, [&](const IndexVar &U) {
        if (U.key() == V.key() || U.Reduction != V.Reduction)
          return false;
        // The width of a block may be required later to be what the source
        // writes as a number.
        auto Ratio = ratio(U, V);
        AtomRef Width = U.Range.getAtom();
        if (Ratio && Ratio->getConstant() &&
            (*Ratio == U.Range ||
             (Width && Width->getKind() == AtomKind::BlockDim)))
          return true;
        // Or only some threads of a block are active, as many as the blocks are
        // apart.
        Ratio = Bound.getConstant() && V.Range.getConstant() ? ratio(V, U)
                                                             : std::nullopt;
        return Ratio && *Ratio == Bound;
      });
      bool Common = llvm::all_of(
          Stores, [&](const Store &S) { return implies(S.Guard, T); });
      if (!Blocks || !Common)
        continue;
      V.Range = lesser(V.Range, Bound);
      dropTest(T);
      return true;
    }
  }
  return false;
}

void IndexSpace::dropTest(const BoolExpr &Test) {
  for (Store &S : Stores)
    S.Guard = withoutConjuncts(S.Guard, Test);
  for (Summation &S : Sums)
    S.Guard = withoutConjuncts(S.Guard, Test);
}

bool IndexSpace::dropImplied() {
  if (Stores.empty())
    return false;
  llvm::SmallVector<BoolExpr, 4> Tests;
  Stores.front().Guard.conjuncts(Tests);
  // How much more room than the other condition leaves.
  auto NotNegative = [&](const IntExpr &Room) {
    return !Room.overflowed() && llvm::all_of(Room.terms(), [&](const auto &T) {
      return T.second >= 0 &&
             (T.first.empty() || (T.first.size() == 1 &&
                                  llvm::any_of(Vars, [&](const IndexVar &V) {
                                    return V.key() == T.first[0]->getKey();
                                  })));
    });
  };
  for (const BoolExpr &T : Tests) {
    std::vector<IntExpr> Room;
    asNotNegative(T, Room);
    if (Room.size() != 1 || !mentions(Room[0]))
      continue;
    const bool Implied = llvm::any_of(Tests, [&](const BoolExpr &Other) {
      std::vector<IntExpr> Less;
      asNotNegative(Other, Less);
      return Other != T && Less.size() == 1 && Less[0] != Room[0] &&
             NotNegative(Room[0] - Less[0]);
    });
    if (!Implied || !llvm::all_of(Stores, [&](const Store &S) {
          return S.Guard == Stores.front().Guard;
        }))
      continue;
    dropTest(T);
    return true;
  }
  return false;
}

bool IndexSpace::wholeGroups() {
  AtomRef Found;
  IntExpr Size;
  forEachPlace([&](const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (Found || A.getKind() != AtomKind::FloorDiv || mentions(A.getRHS()))
        return;
      for (const IndexVar &W : Vars) {
        const auto Factor = A.getLHS().coefficient(W.key());
        if (!Factor || mentions(*Factor) || Factor->getConstant() ||
            A.getLHS() != *Factor * W.Atom)
          continue;
        Size = IntExpr::floorDiv(A.getRHS(), *Factor);
        require(BoolExpr::compare(CmpOp::GE, *Factor, 1),
                Factor->str() + " is not positive");
        require(BoolExpr::compare(CmpOp::GE, Size, 1),
                Size.str() + " is not positive");
        require(
            BoolExpr::compare(CmpOp::EQ, IntExpr::mod(A.getRHS(), *Factor), 0),
            A.getRHS().str() + " is not a multiple of " + Factor->str());
        Found = IntExpr::floorDiv(A.getLHS(), A.getRHS()).getAtom();
        return;
      }
    });
  });
  if (!Found)
    return false;
  const std::string Key = Found->getKey().str();
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() != Key)
      return std::nullopt;
    for (const IndexVar &W : Vars)
      if (A.getLHS().contains(W.key()))
        return IntExpr::floorDiv(W.Atom, Size);
    return std::nullopt;
  });
  return true;
}

bool IndexSpace::boundWholes() {
  for (const IndexVar &W : Vars) {
    // Elements whose places have the quotient need it as an index.
    bool InPlace = false;
    auto Note = [&](const IntExpr &E) {
      E.walk([&](const IntAtom &A) {
        InPlace |= !A.isLeaf() && A.getLHS() == W.Atom;
      });
    };
    for (const Store &S : Stores)
      Note(S.Index);
    for (const Summation &S : Sums) {
      valueInts(S.Body, Note);
      S.Guard.walk(Note, [](const ValueRef &) {});
    }
    for (const IndexVar &V : Vars)
      Note(V.Range);
    if (InPlace)
      continue;
    bool Changed = false;
    for (Store &S : Stores) {
      llvm::SmallVector<BoolExpr, 4> Tests;
      S.Guard.conjuncts(Tests);
      BoolExpr Guard = BoolExpr::constant(true);
      for (BoolExpr T : Tests) {
        const bool Compares = T.getKind() == BoolExpr::Kind::Compare;
        const bool Less = Compares && T.getOp() == CmpOp::LT;
        const AtomRef A = Less ? T.getLHS().getAtom()
                          : Compares && T.getOp() == CmpOp::GT
                              ? T.getRHS().getAtom()
                              : nullptr;
        if (A && A->getKind() == AtomKind::FloorDiv && A->getLHS() == W.Atom) {
          const IntExpr &D = A->getRHS(),
                        &Bound = Less ? T.getRHS() : T.getLHS();
          if (!mentions(D) && !mentions(Bound)) {
            require(BoolExpr::compare(CmpOp::GE, D, 1),
                    D.str() + " is not positive");
            T = BoolExpr::compare(CmpOp::LT, W.Atom, Bound * D);
            Changed = true;
          }
        }
        Guard = BoolExpr::conjunction(Guard, T);
      }
      S.Guard = Guard;
    }
    if (Changed)
      return true;
  }
  return false;
}

/// Whether \p V is 0 wherever \p T does not hold. A product has to have two
/// such factors, since the other one may be infinite.
static bool zeroWithout(const Value &V, const BoolExpr &T) {
  switch (V.K) {
  case Value::Kind::Select:
    return V.Ops[1]->isConstant(0) &&
           (implies(V.Condition, T) || zeroWithout(*V.Ops[0], T));
  case Value::Kind::Cast:
    return zeroWithout(*V.Ops[0], T);
  case Value::Kind::Mul:
    return zeroWithout(*V.Ops[0], T) && zeroWithout(*V.Ops[1], T);
  default:
    return false;
  }
}

/// \p V, of which zeroWithout() holds, where \p T holds.
static ValueRef whereTrue(const ValueRef &V, const BoolExpr &T) {
  switch (V->K) {
  case Value::Kind::Select:
    if (!V->Ops[1]->isConstant(0))
      return V;
    return Value::select(withoutConjuncts(V->Condition, T),
                         whereTrue(V->Ops[0], T), ValueRef(V->Ops[1]));
  case Value::Kind::Cast:
  case Value::Kind::Mul: {
    auto R = std::make_shared<Value>(*V);
    std::vector<ValueRef> Ops;
    for (const ValueRef &Op : V->Ops)
      Ops.push_back(whereTrue(Op, T));
    R->setOperands(std::move(Ops));
    return R;
  }
  default:
    return V;
  }
}

/// The conditions that may say how many terms of \p S are not 0.
static void testsOfTerms(const Summation &S,
                         llvm::SmallVectorImpl<BoolExpr> &Tests) {
  S.Guard.conjuncts(Tests);
  auto Find = [&](const ValueRef &V, const auto &Again) -> void {
    if (V->K == Value::Kind::Select)
      V->Condition.conjuncts(Tests);
    if (V->K == Value::Kind::Select || V->K == Value::Kind::Cast ||
        V->K == Value::Kind::Mul)
      for (const ValueRef &Op : V->Ops)
        Again(Op, Again);
  };
  Find(S.Body, Find);
}

/// That index \p W, of the launch, reaches all rows of \p D numbers which are
/// stored to: `w / D < rows`, or the same of a multiple of D, guards all
/// stores, so that a row which is cut is none of them. False if that is not so.
BoolExpr IndexSpace::reachesRows(const IndexVar &W, const IntExpr &D) const {
  BoolExpr All = BoolExpr::constant(true);
  for (const Store &S : Stores) {
    llvm::SmallVector<BoolExpr, 4> Parts;
    S.Guard.conjuncts(Parts);
    std::optional<IntExpr> End;
    for (const BoolExpr &P : Parts) {
      if (P.getKind() != BoolExpr::Kind::Compare)
        continue;
      IntExpr L = P.getLHS(), R = P.getRHS();
      CmpOp Op = P.getOp();
      if (Op == CmpOp::GT) {
        std::swap(L, R);
        Op = CmpOp::LT;
      }
      const AtomRef Quotient = L.getAtom();
      if (Op == CmpOp::LT && Quotient &&
          Quotient->getKind() == AtomKind::FloorDiv &&
          Quotient->getLHS() == W.Atom && !mentions(R) &&
          !mentions(Quotient->getRHS()) && Quotient->getRHS().exactDivide(D))
        End = R * Quotient->getRHS();
    }
    if (!End)
      return BoolExpr::constant(false);
    All =
        BoolExpr::conjunction(All, BoolExpr::compare(CmpOp::GE, W.Range, *End));
  }
  return All;
}

bool IndexSpace::absorbSumGuard() {
  for (size_t N = 0; N < Vars.size(); ++N) {
    IndexVar &V = Vars[N];
    if (!V.Reduction || !V.Sums || mentions(V.Range))
      continue;
    // A loop of a known length, or the digit of a number of which another loop
    // is the next digit: `rows * batch + row`, for whole tiles of rows.
    auto IsEnd = [&](const IntExpr &Bound) {
      const auto Range = V.Range.getConstant(), End = Bound.getConstant();
      if (Range && End)
        return *End >= 1 && *End < *Range;
      return !mentions(Bound) && V.Range != Bound &&
             provablyAtLeast(V.Range, Bound) &&
             llvm::any_of(Vars, [&](const IndexVar &U) {
               if (!U.Reduction || U.Sums != V.Sums || U.key() == V.key())
                 return false;
               const auto Ratio = ratio(V, U);
               return Ratio && *Ratio == Bound;
             });
    };
    llvm::SmallVector<BoolExpr, 4> Tests;
    testsOfTerms(Sums[llvm::countr_zero(V.Sums)], Tests);
    for (const BoolExpr &T : Tests) {
      size_t Var;
      IntExpr Bound;
      if (!boundOf(T, Var, Bound) || Var != N || !IsEnd(Bound))
        continue;
      bool Common = true;
      for (size_t I = 0; I < Sums.size(); ++I)
        Common &= !(V.Sums >> I & 1) || implies(Sums[I].Guard, T) ||
                  zeroWithout(*Sums[I].Body, T);
      if (!Common)
        continue;
      // What is computed outside of the condition is so for all iterations: the
      // facts that were relied on keep the counter of the loop.
      const std::vector<Obligation> OfLoop = Obligations;
      const IntExpr New = freshAtom();
      const std::string Key = V.key();
      auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
        return A.getKey() == Key ? std::optional<IntExpr>(New) : std::nullopt;
      };
      transform(Fn);
      Obligations = OfLoop;
      V.Atom = New;
      V.Range = Bound;
      const BoolExpr Now = T.transform(Fn);
      for (size_t I = 0; I < Sums.size(); ++I) {
        if (!(V.Sums >> I & 1))
          continue;
        Summation &S = Sums[I];
        S.Guard = withoutConjuncts(S.Guard, Now);
        S.Body = whereTrue(S.Body, Now);
      }
      return true;
    }
  }
  return false;
}

bool IndexSpace::reduceByRanges() {
  std::vector<BoundLoop> Loops;
  for (const IndexVar &V : Vars)
    if (const AtomRef A = V.Atom.getAtom();
        A->getKind() == AtomKind::Counter && V.Range.getConstant())
      Loops.push_back({A->getDim(), V.Range - 1});
  const Ranges Any;
  const Simplifier Facts(Any, std::move(Loops), BoolExpr::constant(true));
  bool Changed = false;
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod)
      return std::nullopt;
    const IntExpr Old = A.getKind() == AtomKind::FloorDiv
                            ? IntExpr::floorDiv(A.getLHS(), A.getRHS())
                            : IntExpr::mod(A.getLHS(), A.getRHS());
    IntExpr New = Facts.simplify(Old);
    if (!mentions(Old) || New == Old)
      return std::nullopt;
    Changed = true;
    return New;
  });
  return Changed;
}

} // namespace warpwright::symbolic
