//===-- IndexSpace.cpp - From threads to indices --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"
#include "Mistakes.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace warpwright::symbolic {

void valueInts(const ValueRef &V,
               llvm::function_ref<void(const IntExpr &)> Fn) {
  if (!V)
    return;
  if (V->K == Value::Kind::Load || V->K == Value::Kind::Int)
    Fn(V->Index);
  V->Condition.walk(Fn, [&](const ValueRef &X) { valueInts(X, Fn); });
  for (const ValueRef &Op : V->Ops)
    valueInts(Op, Fn);
}

void IndexSpace::visit(llvm::function_ref<void(const IntExpr &)> Fn,
                       bool WithStored) const {
  auto OnValue = [&](const ValueRef &V) { valueInts(V, Fn); };
  for (const Store &S : Stores) {
    Fn(S.Index);
    if (WithStored)
      valueInts(S.Value, Fn);
    S.Guard.walk(Fn, OnValue);
  }
  for (const Summation &S : Sums) {
    valueInts(S.Body, Fn);
    S.Guard.walk(Fn, OnValue);
    if (WithStored)
      for (const ValueRef &Scale : S.Scales)
        valueInts(Scale, Fn);
  }
  for (const IndexVar &V : Vars)
    Fn(V.Range);
}

void IndexSpace::forEach(llvm::function_ref<void(const IntExpr &)> Fn) const {
  visit(Fn, /*WithStored=*/true);
}

void IndexSpace::forEachPlace(
    llvm::function_ref<void(const IntExpr &)> Fn) const {
  visit(Fn, /*WithStored=*/false);
}

void IndexSpace::forEachPart(
    llvm::function_ref<void(const IntExpr &)> Fn) const {
  forEach([&](const IntExpr &E) {
    Fn(E);
    E.walk([&](const IntAtom &A) {
      if (A.isLeaf())
        return;
      Fn(A.getLHS());
      Fn(A.getRHS());
      if (A.getKind() == AtomKind::Select)
        A.getCondition().walk(Fn, [](const ValueRef &) {});
    });
  });
}

bool IndexSpace::uses(llvm::StringRef Key) const {
  bool Found = false;
  forEach([&](const IntExpr &E) { Found |= E.contains(Key); });
  return Found;
}

bool IndexSpace::mentions(const IntExpr &E) const {
  return llvm::any_of(Vars,
                      [&](const IndexVar &V) { return E.contains(V.key()); });
}

void IndexSpace::require(BoolExpr C, llvm::Twine Reason) {
  if (C.isTrue())
    return;
  for (const Requirement &R : Requires)
    if (R.Condition == C)
      return;
  Requires.push_back({std::move(C), Reason.str()});
}

void IndexSpace::transform(
    llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) {
  for (Store &S : Stores) {
    S.Index = recombine(S.Index.transform(Fn));
    S.Value = transformInts(S.Value, Fn, recombine);
    S.Guard = S.Guard.transform(Fn);
  }
  for (Summation &S : Sums) {
    S.Body = transformInts(S.Body, Fn, recombine);
    S.Guard = S.Guard.transform(Fn);
    for (ValueRef &Scale : S.Scales)
      Scale = transformInts(Scale, Fn, recombine);
  }
  for (Obligation &O : Obligations) {
    O.E = O.E.transform(Fn);
    O.Low = O.Low.transform(Fn);
    O.High = O.High.transform(Fn);
  }
  for (IndexVar &V : Vars) {
    V.Range = V.Range.transform(Fn);
    V.Unshifted = V.Unshifted.transform(Fn);
  }
}

namespace {
/// A loop that goes on where the whole grid has been.
struct GridStride {
  IntExpr End;   ///< u + T * v, where v counts its iterations, is below it
  IntExpr Width; ///< how far two neighbouring u are apart; has to be positive
};
} // namespace

/// The loop that starts at u and steps by T until E, from its number of
/// iterations `floordiv(E + T - 1 - u, T)`. Or, of steps of g * T from g * u,
/// from `floordiv(P - g * u, g * T)`: v is less than that if g * T * (v + 1) <=
/// P - g * u, that is, if u + T * v is less than floordiv(P - g * T, g) + 1.
static std::optional<GridStride>
gridStride(const IntExpr &Trip, const IntExpr &U, const IntExpr &T) {
  // Folding may have split off constants: c + floordiv(X, T).
  for (const auto &[M, C] : Trip.terms()) {
    const auto Times =
        M.size() == 1 && C == 1 && M[0]->getKind() == AtomKind::FloorDiv
            ? M[0]->getRHS().exactDivide(T)
            : std::nullopt;
    if (!Times || Times->getConstant().value_or(1) < 1)
      continue;
    const IntExpr &G = *Times;
    IntExpr Rest = Trip - IntExpr(M[0]);
    IntExpr P = M[0]->getLHS() + Rest * M[0]->getRHS() + G * U;
    return GridStride{IntExpr::floorDiv(P - G * T + G, G), G};
  }
  return std::nullopt;
}

/// The bound E of an inner loop that runs T times, but fewer times in the last
/// round, so that u + T * v stays below E. \p Inner is `min(T, E - T * v)` or
/// `min(T * v + T, E) - T * v`, \p Outer is ceil(E / T).
static std::optional<IntExpr> clampedEnd(const IntExpr &Inner,
                                         const IntExpr &Outer, const IntExpr &V,
                                         const IntExpr &T) {
  auto Other = [&](const IntExpr &Min, const IntExpr &Known) {
    AtomRef A = Min.getAtom();
    if (!A || A->getKind() != AtomKind::Min)
      return std::optional<IntExpr>();
    if (A->getLHS() == Known)
      return std::optional<IntExpr>(A->getRHS());
    if (A->getRHS() == Known)
      return std::optional<IntExpr>(A->getLHS());
    return std::optional<IntExpr>();
  };
  std::optional<IntExpr> End;
  if (auto Rest = Other(Inner, T))
    End = *Rest + T * V;
  else
    End = Other(Inner + T * V, T * V + T);
  if (!End || Outer != IntExpr::floorDiv(*End + T - 1, T))
    return std::nullopt;
  return End;
}

std::optional<IntExpr> IndexSpace::ratio(const IndexVar &U,
                                         const IndexVar &V) const {
  // Takes the ratio from any expression that contains both.
  std::optional<IntExpr> T;
  forEachPart([&](const IntExpr &E) {
    if (T)
      return;
    auto CU = E.coefficient(U.key()), CV = E.coefficient(V.key());
    if (CU && CV && !CU->isZero() && !CV->isZero())
      T = CV->exactDivide(*CU);
  });
  // A loop from u on in steps of T: a quotient of u + T * v may have been taken
  // apart, but the number of iterations still contains the step.
  if (!T)
    V.Range.walk([&](const IntAtom &A) {
      auto Factor = A.getKind() == AtomKind::FloorDiv
                        ? A.getLHS().coefficient(U.key())
                        : std::nullopt;
      if (Factor && Factor->getConstant() == -1)
        T = A.getRHS();
    });
  if (!T || mentions(*T))
    return std::nullopt;
  return T;
}

bool IndexSpace::fixWidth(bool Reductions) {
  auto Fix = [&](const IntExpr &Width, const IntExpr &Number) {
    require(BoolExpr::compare(CmpOp::EQ, Width, Number),
            Width.str() + " is not " + Number.str());
    const std::string Key = Width.getAtom()->getKey().str();
    transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      return A.getKey() == Key ? std::optional<IntExpr>(Number) : std::nullopt;
    });
    return true;
  };
  auto IsWidth = [](const IntExpr &E) {
    AtomRef A = E.getAtom();
    return A && A->getKind() == AtomKind::BlockDim;
  };
  for (const IndexVar &U : Vars)
    for (const IndexVar &V : Vars) {
      const bool Threads = !Reductions && U.OfThread && IsWidth(U.Range) &&
                           V.OfBlock && V.FromLaunch;
      // `tile * blockDim.x + k` with k below 32.
      const bool Terms = Reductions && U.Reduction && V.Reduction &&
                         U.key() != V.key() && U.Range.getConstant();
      if (!Threads && !Terms)
        continue;
      std::optional<IntExpr> Width, Number;
      forEachPart([&](const IntExpr &E) {
        auto CU = E.coefficient(U.key()), CV = E.coefficient(V.key());
        if (!CU || !CV || CU->isZero() || CV->isZero())
          return;
        auto T = CV->exactDivide(*CU);
        if (!T)
          return;
        if (Terms ? IsWidth(*T) : *T == U.Range)
          Width = T;
        if (T->getConstant())
          Number = T;
      });
      if (Terms)
        Number = U.Range;
      if (Width && Number && *Number->getConstant() > 0)
        return Fix(*Width, *Number);
    }
  return false;
}

/// Of the pairs that need a requirement, take the one with the smallest ratio,
/// which is the next digit.
bool IndexSpace::fuseByDemand(bool Strides) {
  struct Pair {
    int64_t Ratio;
    size_t Low, High;
  };
  std::vector<Pair> Pairs;
  for (size_t Low = 0; Low < Vars.size(); ++Low)
    for (size_t High = 0; High < Vars.size(); ++High) {
      if (Low == High || Vars[Low].Reduction != Vars[High].Reduction ||
          (Strides && !Vars[High].Range.contains(Vars[Low].key())))
        continue;
      if (auto T = ratio(Vars[Low], Vars[High]))
        if (int64_t C = T->getConstant().value_or(0); C >= 0)
          Pairs.push_back({C, Low, High});
    }
  llvm::stable_sort(
      Pairs, [](const Pair &A, const Pair &B) { return A.Ratio < B.Ratio; });
  return llvm::any_of(Pairs, [&](const Pair &P) {
    return fuse(P.Low, P.High, /*Demand=*/true);
  });
}

/// `if (tile < tiles)` around a loop that goes from tile on to tiles: whatever
/// an iteration stores, it does at a tile that is not before the first one, and
/// is below tiles. So the condition on the first one, \p Low, says nothing
/// where there is an iteration \p V. \p End is where the loop ends.
void IndexSpace::dropFirst(size_t Low, const IndexVar &V, const IntExpr &End) {
  for (Store &S : Stores) {
    if (!S.Index.contains(V.key()))
      continue;
    llvm::SmallVector<BoolExpr, 4> Tests;
    S.Guard.conjuncts(Tests);
    BoolExpr Rest = BoolExpr::constant(true);
    for (const BoolExpr &T : Tests) {
      size_t Var;
      IntExpr Bound;
      const auto Room = boundOf(T, Var, Bound) && Var == Low
                            ? (Bound - End).getConstant()
                            : std::nullopt;
      if (!Room || *Room < 0)
        Rest = BoolExpr::conjunction(Rest, T);
    }
    S.Guard = std::move(Rest);
  }
}

/// Replaces low + T * high, where low < T, by one index.
bool IndexSpace::fuse(size_t Low, size_t High, bool Demand) {
  const IndexVar U = Vars[Low], V = Vars[High];
  if (U.Reduction != V.Reduction || U.Sums != V.Sums)
    return false;
  std::optional<IntExpr> T = ratio(U, V);
  if (!T)
    return false;
  const bool ByGrid = V.Range.contains(U.key());
  auto Clamped = clampedEnd(U.Range, V.Range, V.Atom, *T);
  if (Clamped && mentions(*Clamped))
    Clamped.reset();
  bool RangeFits = *T == U.Range || Clamped;
  // A block width that the source writes as a number becomes a requirement.
  if (!RangeFits) {
    // Blocks are not neighbours if a thread steps over more elements than they
    // are apart.
    bool Possible =
        Demand && !U.OfBlock && !mentions(U.Range) &&
        !(U.Range - *T).getConstant() &&
        (!OfBlock || (ByGrid && U.OfThread) ||
         llvm::any_of(Vars, [&](const IndexVar &W) {
           return W.Range.contains(U.key()) && W.Range.contains(V.key());
         }));
    if (!Possible)
      return false;
  }
  IntExpr NewRange = *T * V.Range, Width = 1;
  if (mistaken(Mistake::FusedRangeWrong))
    NewRange = NewRange - 1;
  if (ByGrid) {
    const auto Stride = gridStride(V.Range, U.Atom, *T);
    if (!Stride || mentions(Stride->End) || mentions(Stride->Width))
      return false;
    NewRange = Stride->End;
    Width = Stride->Width;
  }
  if (Clamped)
    NewRange = *Clamped;
  IndexSpace Trial = *this;
  if (ByGrid)
    Trial.dropFirst(Low, V, NewRange);
  IntExpr W = Trial.freshAtom();
  IntExpr Replacement = W - *T * V.Atom;
  Trial.Vars.erase(Trial.Vars.begin() + std::max(Low, High));
  Trial.Vars.erase(Trial.Vars.begin() + std::min(Low, High));
  Trial.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == U.key())
      return Replacement;
    return std::nullopt;
  });
  Trial.divideScales(V, *T, W);
  if (Trial.uses(V.key()) || Trial.uses(U.key()))
    return false;
  Trial.Vars.insert(Trial.Vars.begin() + std::min(Low, High),
                    {W, NewRange, U.Reduction,
                     U.FromLaunch && V.FromLaunch && !ByGrid,
                     U.OfThread && V.OfThread, U.OfBlock && V.OfBlock,
                     U.origin() + *T * V.origin(), U.Sums});
  // Two loops that run a negative number of times run no iteration at all, but
  // their product is positive.
  auto NeverNegative = [](const IntExpr &E) {
    for (const auto &[M, C] : E.terms())
      if (C < 0 || llvm::any_of(
                       M,
                       [](const AtomRef &A) {
                         return A->getKind() != AtomKind::BlockDim &&
                                A->getKind() != AtomKind::GridDim;
                       }))
        return false;
    return true;
  };
  if (!ByGrid && !Clamped && !NeverNegative(*T) && !NeverNegative(V.Range))
    Trial.require(BoolExpr::compare(CmpOp::GE, *T, 0),
                  T->str() + " is negative");
  if (!provablyAtLeast(Width, 1))
    Trial.require(BoolExpr::compare(CmpOp::GE, Width, 1),
                  Width.str() + " is not positive");
  if (!RangeFits)
    Trial.require(BoolExpr::compare(CmpOp::EQ, U.Range, *T),
                  U.Range.str() + " is not " + T->str());
  *this = std::move(Trial);
  return true;
}

/// How many times \p D is in \p R, where R is a multiple of D or D is a part of
/// R, `C / heads` of C, which divides it if that is whole.
static std::optional<IntExpr> timesIn(const IntExpr &R, const IntExpr &D) {
  if (auto Exact = R.exactDivide(D))
    return Exact;
  const AtomRef Part = D.getAtom();
  if (!Part || Part->getKind() != AtomKind::FloorDiv || Part->getLHS() != R)
    return std::nullopt;
  return IntExpr::floorDiv(R, D);
}

/// Replaces index w by hi * D + lo, where w / D and w % D occur.
bool IndexSpace::split(size_t Index) {
  const IndexVar W = Vars[Index];
  // The smallest divisor, if it divides all others.
  std::optional<IntExpr> D;
  bool Incompatible = false;
  forEachPlace([&](const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if ((A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod) ||
          A.getLHS() != W.Atom || mentions(A.getRHS()))
        return;
      const IntExpr &R = A.getRHS();
      if (!D || timesIn(*D, R))
        D = R;
      else if (!timesIn(R, *D))
        Incompatible = true;
    });
  });
  if (!D || Incompatible)
    return false;
  // How many times it is in \p R, which the launcher has to find whole.
  auto TimesIn = [&](const IntExpr &R) {
    const auto Times = timesIn(R, *D);
    if (Times && !R.exactDivide(*D))
      require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(R, *D), 0),
              R.str() + " is not a multiple of " + D->str());
    return Times;
  };
  IntExpr Hi = freshAtom(), Lo = freshAtom();
  Divisors.push_back({Hi.str(), *D});
  Divisors.push_back({Lo.str(), *D});
  IntExpr HiRange;
  // A guard `w < G`, with G a multiple of D, bounds the quotient. Then the
  // launch has to reach G, or the last row would be incomplete.
  // If it is not known to be one, the launcher checks that.
  std::optional<IntExpr> Bound, Whole;
  for (const Store &S : Stores) {
    llvm::SmallVector<BoolExpr, 4> Parts;
    S.Guard.conjuncts(Parts);
    for (const BoolExpr &P : Parts) {
      if (P.getKind() != BoolExpr::Kind::Compare)
        continue;
      IntExpr L = P.getLHS(), R = P.getRHS();
      CmpOp Op = P.getOp();
      if (R == W.Atom) {
        std::swap(L, R);
        Op = swapSides(Op);
      }
      if (L != W.Atom || Op != CmpOp::LT)
        continue;
      if (R.exactDivide(*D))
        Bound = R;
      else if (!mentions(R))
        Whole = R;
    }
  }
  if (W.Reduction)
    return false;
  if (Bound || !W.FromLaunch)
    Whole.reset();
  if (Whole) {
    require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(*Whole, *D), 0),
            Whole->str() + " is not a multiple of " + D->str());
    Bound = Whole;
  }
  if (!W.FromLaunch) {
    auto Exact = W.Range.exactDivide(*D);
    if (!Exact)
      require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(W.Range, *D), 0),
              W.Range.str() + " is not a multiple of " + D->str());
    HiRange = Exact ? *Exact : IntExpr::floorDiv(W.Range, *D);
  } else if (Bound) {
    require(BoolExpr::compare(CmpOp::GE, W.Range, *Bound),
            "the grid does not cover the output");
    HiRange = Whole ? IntExpr::floorDiv(*Bound, *D) : *Bound->exactDivide(*D);
  } else {
    // Other guards may bound hi further; without a guard the launch bounds it.
    if (!W.Range.exactDivide(*D) && !mistaken(Mistake::CutRowIgnored))
      require(BoolExpr::disjunction(
                  BoolExpr::compare(CmpOp::EQ, IntExpr::mod(W.Range, *D), 0),
                  reachesRows(W, *D)),
              "the last row of the grid is cut");
    HiRange = IntExpr::floorDiv(W.Range, *D);
  }
  require(BoolExpr::compare(CmpOp::GE, *D, 1), D->str() + " is not positive");
  bool FromLaunch = W.FromLaunch;
  Vars.erase(Vars.begin() + Index);
  if (Bound)
    for (Store &S : Stores) {
      llvm::SmallVector<BoolExpr, 4> Parts;
      S.Guard.conjuncts(Parts);
      BoolExpr Kept = BoolExpr::constant(true);
      for (const BoolExpr &P : Parts)
        if (P != BoolExpr::compare(CmpOp::LT, W.Atom, *Bound) &&
            P != BoolExpr::compare(CmpOp::GT, *Bound, W.Atom))
          Kept = BoolExpr::conjunction(Kept, P);
      S.Guard = Kept;
    }
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == W.key())
      return mistaken(Mistake::SplitExchanged) ? Lo * *D + Hi : Hi * *D + Lo;
    bool Quotient = A.getKind() == AtomKind::FloorDiv;
    if ((!Quotient && A.getKind() != AtomKind::Mod) || A.getLHS() != W.Atom)
      return std::nullopt;
    auto X = TimesIn(A.getRHS());
    if (!X)
      return std::nullopt;
    if (Quotient)
      return IntExpr::floorDiv(Hi, *X);
    return IntExpr::mod(Hi, *X) * *D + Lo;
  });
  // The rest divides lo + D * something by a multiple of D, as in `w % (a * D)
  // / D`.
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod)
      return std::nullopt;
    const auto Something = (A.getLHS() - Lo).exactDivide(*D);
    if (!Something || Something->contains(Lo.str()))
      return std::nullopt;
    const auto X = TimesIn(A.getRHS());
    if (!X)
      return std::nullopt;
    if (A.getKind() == AtomKind::FloorDiv)
      return IntExpr::floorDiv(*Something, *X);
    return IntExpr::mod(*Something, *X) * *D + Lo;
  });
  Vars.insert(Vars.begin() + Index,
              {Hi, HiRange, false, FromLaunch, W.OfThread, W.OfBlock,
               IntExpr::floorDiv(W.origin(), *D)});
  Vars.insert(Vars.begin() + Index, {Lo, *D, false, false, W.OfThread,
                                     W.OfBlock, IntExpr::mod(W.origin(), *D)});
  return true;
}

bool IndexSpace::dropSingle() {
  for (size_t N = 0; N < Vars.size(); ++N) {
    const IndexVar V = Vars[N];
    // Every sum keeps at least one loop.
    uint64_t Others = 0;
    bool First = true;
    for (const IndexVar &U : Vars)
      if (U.Reduction && U.key() != V.key()) {
        Others |= U.Sums;
        First = false;
      }
    bool OnlySum = V.Reduction && (First || (V.Sums & ~Others) != 0);
    if (!V.Range.isOne() || V.Atom.getAtom()->getKind() != AtomKind::Counter ||
        OnlySum)
      continue;
    Vars.erase(Vars.begin() + N);
    transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKey() == V.key())
        return IntExpr();
      return std::nullopt;
    });
    return true;
  }
  return false;
}

bool IndexSpace::normalise(unsigned FirstFreeCounter) {
  NextCounter = FirstFreeCounter;
  hideScales();
  // A quotient and a remainder that the lift found separately may belong
  // together.
  transform([](const IntAtom &) { return std::nullopt; });
  unrotate();
  if (!OfBlock) {
    unmirror();
    ungroup();
    countUp();
    wholePitches();
    beginAtRows();
  }
  constexpr unsigned MostReductions = 8;
  unsigned Reductions = 0;
  bool Changed = true;
  while (Changed) {
    Changed = dropSingle();
    for (size_t Low = 0; Low < Vars.size() && !Changed; ++Low)
      for (size_t High = 0; High < Vars.size() && !Changed; ++High)
        Changed = Low != High && fuse(Low, High, /*Demand=*/false);
    // The loop of a thread that strides is fused with the thread before the
    // index is split.
    Changed = Changed || fuseByDemand(/*Strides=*/!OfBlock);
    Changed = Changed || (OfBlock && fixSwizzledWidth());
    Changed = Changed || (!OfBlock && (wholeGroups() || boundWholes()));
    for (size_t N = 0; N < Vars.size() && !Changed; ++N)
      Changed = split(N);
    Changed = Changed || (OfBlock && (unswizzle() || unshift()));
    Changed = Changed ||
              (!OfBlock && (absorbGuard() || absorbSumGuard() ||
                            dropImplied() || fixWidth(false))) ||
              fuseByDemand(/*Strides=*/false) || (!OfBlock && fixWidth(true));
    if (!Changed && Reductions < MostReductions && reduceByRanges()) {
      ++Reductions;
      Changed = true;
    }
  }
  Undone.clear();
  auto IsLeft = [&](const IntAtom &A) {
    return (A.getKind() == AtomKind::FloorDiv ||
            A.getKind() == AtomKind::Mod) &&
           (mentions(A.getLHS()) || mentions(A.getRHS()));
  };
  UndoneInGuards = llvm::none_of(Stores, [&](const Store &S) {
    bool Left = false;
    S.Index.walk([&](const IntAtom &A) { Left |= IsLeft(A); });
    return Left;
  });
  IntExpr Divided, Divisor;
  forEachPlace([&](const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (!IsLeft(A))
        return;
      const bool Divides = A.getKind() == AtomKind::FloorDiv;
      // Indices that were made by the lift have no name in the source.
      const std::string By = A.getRHS().containsKind(AtomKind::Counter)
                                 ? ""
                                 : " by " + A.getRHS().str();
      if (Undone.empty()) {
        Undone = Divides ? "an index is divided" + By
                         : "the remainder of an index" + By + " is taken";
        Divided = A.getLHS();
        Divisor = A.getRHS();
      } else if (!Divisor.isZero() && !By.empty() && A.getLHS() == Divided &&
                 A.getRHS() != Divisor && !A.getRHS().exactDivide(Divisor) &&
                 !Divisor.exactDivide(A.getRHS())) {
        Undone += " and" + By;
        Divisor = IntExpr();
      }
    });
  });
  showScales();
  // A thread may store the element of another place in its row; generated code
  // has no `^`.
  auto FindXor = [&](const IntExpr &E) {
    if (Undone.empty() && E.containsKind(AtomKind::Xor)) {
      Undone = "'^' is applied to indices";
      UndoneInGuards = false;
    }
  };
  if (OfBlock)
    for (const Store &S : Stores)
      FindXor(S.Index);
  else
    forEach(FindXor);
  return Undone.empty();
}

std::string IndexSpace::productsApart() const {
  // The lengths of rows for each output.
  std::vector<std::pair<std::string, std::set<std::string>>> Rows;
  for (const Store &S : Stores) {
    std::set<std::string> Lengths;
    auto Note = [&](const IntExpr &E) {
      E.walk([&](const IntAtom &A) {
        if (A.getKind() == AtomKind::FloorDiv && mentions(A.getLHS()) &&
            !mentions(A.getRHS()))
          Lengths.insert(A.getRHS().str());
      });
    };
    Note(S.Index);
    S.Value->walk([&](const Value &V) {
      for (const Summation &Sum : Sums)
        if (V.K == Value::Kind::Acc && V.Counter == Sum.Sum)
          valueInts(Sum.Body, Note);
    });
    for (const auto &[Array, Others] : Rows)
      if (Array != S.Array && Lengths.size() == 1 && Others.size() == 1 &&
          Lengths != Others)
        return "'" + Array + "' and '" + S.Array +
               "' are two products, with rows of '" + *Others.begin() +
               "' and of '" + *Lengths.begin() +
               "' elements; write a kernel for each of them";
    Rows.emplace_back(S.Array, std::move(Lengths));
  }
  return "";
}

bool IndexSpace::boundOf(const BoolExpr &Test, size_t &Var,
                         IntExpr &Bound) const {
  if (Test.getKind() != BoolExpr::Kind::Compare)
    return false;
  IntExpr D = Test.getLHS() - Test.getRHS();
  CmpOp Op = Test.getOp();
  if (Op == CmpOp::GT || Op == CmpOp::GE) {
    D = -D;
    Op = swapSides(Op);
  }
  if (Op != CmpOp::LT && Op != CmpOp::LE)
    return false;
  size_t Found = Vars.size();
  for (size_t N = 0; N < Vars.size(); ++N)
    if (D.contains(Vars[N].key())) {
      if (Found != Vars.size())
        return false; // two indices in one condition
      Found = N;
    }
  if (Found == Vars.size())
    return false;
  auto A = D.coefficient(Vars[Found].key());
  if (!A)
    return false;
  // A * var + B < 0.
  IntExpr B = D - *A * Vars[Found].Atom;
  if (Op == CmpOp::LE)
    B = B - 1;
  Var = Found;
  if (auto C = A->getConstant()) {
    if (*C > 0) {
      Bound = IntExpr::floorDiv(*A - 1 - B, *A);
      return true;
    }
    // var > a number that is not positive always holds.
    auto K = B.getConstant();
    if (*C < 0 && K && *K < 0) {
      Bound = IntExpr();
      Var = Vars.size();
      return true;
    }
  }
  return false;
}

bool IndexSpace::holdsThroughout(const BoolExpr &Either, const Ranges &Bounds) {
  if (Either.getKind() != BoolExpr::Kind::Or)
    return false;
  std::vector<BoundLoop> Last; // a counter's end comes before that of its range
  for (const IndexVar &V : Vars)
    if (AtomRef A = V.Atom.getAtom(); A->getKind() == AtomKind::Counter)
      Last.push_back({A->getDim(), V.Range - 1});
  for (const BoolExpr &Side : Either.operands()) {
    std::vector<IntExpr> Numbers;
    asNotNegative(Side, Numbers);
    if (Numbers.size() != 1)
      continue;
    auto Most = Bounds.extreme(-Numbers[0], /*Largest=*/true, Last);
    // An upper bound of a value that grows with the launch.
    if (!Most || mentions(*Most) ||
        (!Most->containsKind(AtomKind::GridDim) &&
         !Most->containsKind(AtomKind::BlockDim)))
      continue;
    // At most zero; terms with a negative factor are on the other side.
    const auto [Left, Right] = sidesOf(*Most);
    require(BoolExpr::compare(CmpOp::LE, Left, Right),
            "the grid goes beyond the matrix");
    return true;
  }
  return false;
}

} // namespace warpwright::symbolic
