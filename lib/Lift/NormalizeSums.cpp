//===- NormalizeSums.cpp - The sums of a kernel and their ranges ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertedSums.h"
#include "Mistakes.h"
#include "Normalizer.h"
#include "PackedSums.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

/// Half is accumulated in float, which only adds precision. Sums in double and
/// in integers are not changed.
static ScalarType accumulatorOf(ScalarType T) {
  return T == ScalarType::F16 || T == ScalarType::BF16 ? ScalarType::F32 : T;
}

/// \p V with each Sum replaced by an Acc with the sum's number in SumNodes.
ValueRef Normalizer::takeSums(const ValueRef &V) {
  if (V->K == Value::Kind::Sum) {
    size_t N = 0;
    while (N < SumNodes.size() && !sameValue(SumNodes[N], V))
      ++N;
    if (N == SumNodes.size())
      SumNodes.push_back(V);
    ValueRef R = Value::acc(mistaken(Mistake::SecondSumIsFirst) ? 0 : N,
                            accumulatorOf(V->Type));
    // The type that the original accumulated in decides what the epilogue
    // computes with.
    return Value::cast(V->Type, R);
  }
  if (mistaken(Mistake::AddendDropped) && V->K == Value::Kind::Add &&
      V->Ops[0]->containsKind(Value::Kind::Sum))
    return takeSums(V->Ops[0]);
  auto R = std::make_shared<Value>(*V);
  // In `acc > 0 ? acc : 0` the condition contains the sum, too.
  R->Condition = mapValues(R->Condition,
                           [this](const ValueRef &X) { return takeSums(X); });
  for (ValueRef &Op : R->Ops)
    Op = takeSums(Op);
  // The body of a called function is kept for those who evaluate it. It
  // contains the arguments, and so the sum, a second time.
  constexpr unsigned LargestBody = 4096;
  if (R->Body)
    R->Body = R->Body->Size <= LargestBody ? takeSums(R->Body) : nullptr;
  return R;
}

/// \p V, which is stored under \p Guard, with conditions that follow from \p
/// Guard resolved.
static ValueRef withoutGuard(const ValueRef &V, const BoolExpr &Guard) {
  if (V->K == Value::Kind::Sum)
    return V;
  std::vector<ValueRef> Ops;
  bool Same = true;
  for (const ValueRef &Op : V->Ops) {
    Ops.push_back(withoutGuard(Op, Guard));
    Same &= Ops.back() == Op;
  }
  if (V->K == Value::Kind::Select) {
    BoolExpr When = withoutConjuncts(V->Condition, Guard);
    if (!Same || When != V->Condition)
      return Value::select(When, Ops[0], Ops[1]);
  }
  if (Same)
    return V;
  auto R = std::make_shared<Value>(*V);
  R->setOperands(std::move(Ops));
  return R;
}

/// A vector is loaded where its first element is inside: `d * floordiv(x, d) +
/// r < b`, where d divides r, is equivalent to `x + r < d * ceil(b / d)`.
static BoolExpr ofElements(const BoolExpr &B) {
  switch (B.getKind()) {
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(ofElements(B.operands()[0]),
                                 ofElements(B.operands()[1]));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(ofElements(B.operands()[0]),
                                 ofElements(B.operands()[1]));
  case BoolExpr::Kind::Not:
    return BoolExpr::negation(ofElements(B.operands()[0]));
  case BoolExpr::Kind::Compare:
    break;
  default:
    return B;
  }
  std::vector<IntExpr> Room; // not negative where B holds
  asNotNegative(B, Room);
  if (Room.size() != 1)
    return B;
  IntExpr Bound, Number;
  AtomRef Vector;
  for (const auto &[M, C] : Room[0].terms()) {
    IntExpr Term(C);
    for (const AtomRef &A : M)
      Term = Term * IntExpr(A);
    if (llvm::none_of(M,
                      [](const AtomRef &A) { return Simplifier::varies(*A); }))
      Bound += Term;
    else if (M.size() == 1 && M[0]->getKind() == AtomKind::FloorDiv &&
             !Vector && M[0]->getRHS().getConstant() &&
             *M[0]->getRHS().getConstant() == -C)
      Vector = M[0];
    else
      Number -= Term;
  }
  if (!Vector)
    return B;
  const IntExpr &D = Vector->getRHS();
  for (const auto &[M, C] : Number.terms())
    if (C % *D.getConstant() != 0)
      return B;
  return BoolExpr::compare(CmpOp::LT, Vector->getLHS() + Number,
                           D * IntExpr::floorDiv(Bound + D, D));
}

/// Words of several numbers are loaded where their first one is inside. \p T,
/// which says this of whole words, `4 * k + 64 * t < b`, as a bound of the
/// numbers, `4 * k + j + 64 * t < 4 * ceil(b / 4)`, where \p Nest has a loop
/// over the j of one word and \p Loads are of the numbers 4 k + j. It may also
/// count words: `k + 16 * t < b` is `4 * k + j + 64 * t < 4 * b`.
static BoolExpr ofNumbers(const BoolExpr &T, const SumNest &Nest,
                          llvm::ArrayRef<ValueRef> Loads) {
  std::vector<IntExpr> Room; // not negative where T holds
  asNotNegative(T, Room);
  if (T.getKind() != BoolExpr::Kind::Compare || Room.size() != 1)
    return T;
  IntExpr Bound;
  for (const auto &[M, C] : Room[0].terms()) {
    IntExpr Term(C);
    for (const AtomRef &A : M)
      Term = Term * IntExpr(A);
    if (llvm::none_of(M,
                      [](const AtomRef &A) { return Simplifier::varies(*A); }))
      Bound += Term;
  }
  const IntExpr Number = Bound - Room[0];
  for (const BoundLoop &L : Nest.Loops) {
    const IntExpr J = IntExpr::counter(L.Counter);
    const auto D = L.Trip.getConstant();
    if (!D || *D < 2 || Number.contains(J.str()))
      continue;
    // Whether an element moves with Scale times the number that is compared.
    auto Moves = [&](const ValueRef &V, const IntExpr &Scale) {
      auto Step = V->Index.coefficient(J.str());
      return Step && !Step->isZero() &&
             llvm::any_of(Nest.Loops, [&](const BoundLoop &Other) {
               const std::string Key = IntExpr::counter(Other.Counter).str();
               auto InGuard = Number.coefficient(Key),
                    InLoad = V->Index.coefficient(Key);
               return InGuard && InLoad && !InGuard->isZero() &&
                      *InLoad == *InGuard * Scale * *Step;
             });
    };
    const IntExpr Size(*D);
    auto Any = [&](const IntExpr &Scale) {
      return llvm::any_of(Loads,
                          [&](const ValueRef &V) { return Moves(V, Scale); });
    };
    if (Any(Size))
      return BoolExpr::compare(CmpOp::LT, Size * Number + J,
                               Size * (Bound + 1));
    if (Any(1) && llvm::all_of(Number.terms(), [&](const auto &Term) {
          return Term.second % *D == 0;
        }))
      return BoolExpr::compare(CmpOp::LT, Number + J,
                               Size * IntExpr::floorDiv(Bound + Size, Size));
  }
  return T;
}

/// The same for all conditions of \p Guard.
static BoolExpr ofNumbers(const BoolExpr &Guard, const SumNest &Nest) {
  std::vector<ValueRef> Loads;
  replaceValues(Nest.Body, [&](const ValueRef &V) -> ValueRef {
    if (V->K == Value::Kind::Load)
      Loads.push_back(V);
    return nullptr;
  });
  llvm::SmallVector<BoolExpr, 4> Tests;
  Guard.conjuncts(Tests);
  BoolExpr All = BoolExpr::constant(true);
  for (const BoolExpr &T : Tests)
    All = BoolExpr::conjunction(All, ofNumbers(T, Nest, Loads));
  return All;
}

/// \p V, which is used only where \p When holds: in `inside ? a[inside ? x : 0]
/// : 0` the inner selection is resolved.
static ValueRef where(const ValueRef &V, const BoolExpr &When) {
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::Select)
      return std::nullopt;
    if (implies(When, A.getCondition()))
      return A.getLHS();
    if (implies(When, BoolExpr::negation(A.getCondition())))
      return A.getRHS();
    return std::nullopt;
  });
}

/// \p V with \p Fn applied to the conditions of its selections.
static ValueRef
withConditions(const ValueRef &V,
               llvm::function_ref<BoolExpr(const BoolExpr &)> Fn,
               std::map<ValueRef, ValueRef> &Done) {
  if (auto It = Done.find(V); It != Done.end())
    return It->second;
  std::vector<ValueRef> Ops = V->Ops;
  if (V->K == Value::Kind::Select)
    Ops = {where(Ops[0], V->Condition),
           where(Ops[1], BoolExpr::negation(V->Condition))};
  for (ValueRef &Op : Ops)
    Op = withConditions(Op, Fn, Done);
  ValueRef R = V;
  if (V->K == Value::Kind::Select) {
    BoolExpr When = Fn(V->Condition);
    if (Ops != V->Ops || When != V->Condition)
      R = Value::select(When, Ops[0], Ops[1]);
  } else if (Ops != V->Ops) {
    auto Copy = std::make_shared<Value>(*V);
    Copy->setOperands(std::move(Ops));
    R = Copy;
  }
  return Done[V] = R;
}

static ValueRef
withConditions(const ValueRef &V,
               llvm::function_ref<BoolExpr(const BoolExpr &)> Fn) {
  std::map<ValueRef, ValueRef> Done;
  return withConditions(V, Fn, Done);
}

bool Normalizer::extractSums() {
  for (Store &S : Space.Stores) {
    // The condition as it is written and as the lift writes such numbers:
    // `threadIdx.x % 32 % 16` is `threadIdx.x % 16`.
    const Simplifier Plain(In.Bounds, {}, BoolExpr::constant(true));
    const Simplifier Facts(
        In.Bounds, {}, BoolExpr::conjunction(S.Guard, Plain.simplify(S.Guard)));
    // Requirements on the block that were found later decide more than was
    // known when a tile was read.
    S.Value = Facts.simplify(withoutGuard(S.Value, S.Guard));
    S.Value = convertSummands(S.Value, Joiner.Requires);
    S.Value = spellOutPacked(S.Value, In.FreeCounter, Joiner.Requires);
    S.Value = takeWordNumbers(S.Value, Words);
    S.Value = Joiner.join(
        withConditions(S.Value,
                       [&](const BoolExpr &B) { return Facts.decide(B); }),
        Facts);
  }
  // Stores without a sum (a mask, a copy) are outputs as well.
  for (Store &S : Space.Stores)
    S.Value = takeSums(S.Value);
  if (SumNodes.empty() && In.Atomics.count(Space.Stores[0].Array))
    return fail(DiagID::Atomics, Space.Stores[0].Loc,
                "what a thread adds to this element is not a sum over a loop; "
                "let one thread sum all that is added to it");
  if (SumNodes.empty())
    return fail(DiagID::NoSumStored, Space.Stores[0].Loc,
                "what is stored here is not a sum over a loop");
  return true;
}

/// The conditions of the sum without those that follow from the ranges of its
/// loops.
BoolExpr Normalizer::withoutRanges(const SumNest &Nest) const {
  std::vector<BoundLoop> Bodies = Nest.Loops;
  for (BoundLoop &L : Bodies)
    L.Trip -= 1;
  Simplifier Facts(In.Bounds, std::move(Bodies), BoolExpr::constant(true));
  llvm::SmallVector<BoolExpr, 4> Tests;
  splitMinima(Nest.Guard).conjuncts(Tests);
  BoolExpr Rest = BoolExpr::constant(true);
  for (const BoolExpr &T : Tests)
    if (!Facts.simplify(T).isTrue())
      Rest = BoolExpr::conjunction(Rest, T);
  return Rest;
}

/// The products of all sums, and the loops over which they are summed.
bool Normalizer::collectTerms() {
  constexpr size_t MaxTerms = 64; // one bit each
  // For the Terms so far their loops, and the names that their counters have
  // now.
  std::vector<std::vector<BoundLoop>> Loops;
  std::vector<std::map<std::string, IntExpr>> Renamed;
  for (unsigned Sum = 0; Sum < SumNodes.size(); ++Sum)
    for (const SumTerm &T :
         termsOf(SumNodes[Sum], Joiner, In.Bounds, In.FreeCounter)) {
      const SumNest &Nest = T.Nest;
      if (mistaken(Mistake::ProductForgotten) && !Space.Sums.empty() &&
          Space.Sums.back().Sum == Sum)
        continue;
      Summation S;
      S.Sum = Sum;
      S.Loc = locOf(Nest.Innermost);
      auto OfNumbers = [&](const BoolExpr &B) {
        const BoolExpr Inside = ofNumbers(ofElements(splitMinima(B)), Nest);
        // `k >= K ? 0 : a` is `k < K ? a : 0`.
        const BoolExpr Not = BoolExpr::negation(B);
        const BoolExpr Outside = ofNumbers(ofElements(splitMinima(Not)), Nest);
        return withoutDecided(Inside == B && Outside != Not
                                  ? BoolExpr::negation(Outside)
                                  : Inside);
      };
      S.Body = withConditions(Nest.Body, OfNumbers);
      S.Type = Nest.Innermost->Type;
      S.Guard = OfNumbers(withoutRanges(Nest));
      if (Nest.Body->containsKind(Value::Kind::Sum))
        return fail(DiagID::NotAProduct, S.Loc, whyNotTaken(Nest.Body));
      if (Terms.size() == MaxTerms)
        return fail(DiagID::TooComplex, S.Loc,
                    "its sums add more than 64 products in one iteration");
      const uint64_t Bit = uint64_t(1) << Terms.size();
      for (Obligation &O : Space.Obligations)
        if (implies(O.Guard, S.Guard))
          O.InSums |= Bit;
      // Products of the same loops share their counters. Those of different
      // loops get counters of their own, since these need not become the same
      // index.
      size_t Same = 0;
      while (Same < Terms.size() &&
             !llvm::equal(
                 Loops[Same], Nest.Loops,
                 [](const BoundLoop &A, const BoundLoop &B) {
                   return A.Counter == B.Counter && A.Trip == B.Trip;
                 }))
        ++Same;
      const bool Shared = Same < Terms.size();
      std::map<std::string, IntExpr> Fresh;
      if (Shared)
        Fresh = Renamed[Same];
      for (const BoundLoop &L : Nest.Loops) {
        const IntExpr Counter = IntExpr::counter(L.Counter);
        auto Find = [&](const IntExpr &Atom) {
          return llvm::find_if(
              Space.Vars, [&](const IndexVar &V) { return V.Atom == Atom; });
        };
        if (Shared) {
          auto It = Fresh.find(Counter.str());
          Find(It == Fresh.end() ? Counter : It->second)->Sums |= Bit;
          continue;
        }
        IndexVar V = {Counter, L.Trip, true, false, false, false};
        V.Sums = Bit;
        if (Find(Counter) != Space.Vars.end()) {
          V.Atom = IntExpr::counter(In.FreeCounter++);
          Fresh[Counter.str()] = V.Atom;
        }
        Space.Vars.push_back(std::move(V));
      }
      if (!Fresh.empty()) {
        auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
          auto It = Fresh.find(A.getKey().str());
          return It == Fresh.end() ? std::nullopt
                                   : std::optional<IntExpr>(It->second);
        };
        S.Body = transformInts(S.Body, Fn);
        S.Guard = S.Guard.transform(Fn);
        for (IndexVar &V : Space.Vars)
          if (V.Sums == Bit)
            V.Range = V.Range.transform(Fn);
      }
      Space.Sums.push_back(std::move(S));
      Loops.push_back(Nest.Loops);
      Renamed.push_back(std::move(Fresh));
      Terms.emplace_back();
      Terms.back().Rounded = T.Rounded;
    }
  for (const Requirement &R : Joiner.Requires)
    Space.require(R.Condition, R.Reason);
  auto Joined = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = Joiner.Replaced.find(A.getKey().str());
    return It == Joiner.Replaced.end() ? std::nullopt
                                       : std::optional<IntExpr>(It->second);
  };
  if (!Joiner.Replaced.empty())
    for (Obligation &O : Space.Obligations) {
      O.E = O.E.transform(Joined);
      O.Low = O.Low.transform(Joined);
      O.High = O.High.transform(Joined);
    }
  return true;
}

/// Writes a thread's number along x as 32 times that of its warp plus that of
/// its lane, so that `(blockIdx.y * blockDim.x + threadIdx.x) / 32` is a row.
void Normalizer::splitWarps() {
  constexpr int64_t Lanes = 32;
  const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, 0);
  const IntExpr Width = IntExpr::special(AtomKind::BlockDim, 0);
  if (In.Block[0] || !Space.uses(Thread.str()))
    return;
  const IntExpr Warps = IntExpr::floorDiv(Width, Lanes);
  const IntExpr Warp = IntExpr::counter(In.FreeCounter++),
                Lane = IntExpr::counter(In.FreeCounter++);
  Space.substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Thread.str())
      return IntExpr(Lanes) * Warp + Lane;
    if (A.getKey() == Width.str())
      return IntExpr(Lanes) * Warps;
    return std::nullopt;
  });
  // A lane is below 32.
  Space.substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod)
      return std::nullopt;
    const auto Divisor = A.getRHS().exactDivide(IntExpr(Lanes));
    const auto Multiple = (A.getLHS() - Lane).exactDivide(IntExpr(Lanes));
    if (!Divisor || !Divisor->getConstant() || !Multiple)
      return std::nullopt;
    return A.getKind() == AtomKind::FloorDiv
               ? IntExpr::floorDiv(*Multiple, *Divisor)
               : IntExpr(Lanes) * IntExpr::mod(*Multiple, *Divisor) + Lane;
  });
  if (Space.uses(Warp.str()))
    Space.Vars.push_back({Warp, Warps, false, true, true, false,
                          IntExpr::floorDiv(Thread, Lanes)});
  else
    Space.require(BoolExpr::compare(CmpOp::EQ, Warps, 1),
                  Warps.str() + " is not 1");
  // Lanes that store the same are several threads that store to one element.
  Space.Vars.push_back({Lane, IntExpr(Lanes), false, false, true, false,
                        IntExpr::mod(Thread, Lanes)});
  SplitIntoWarps = true;
}

bool Normalizer::collectVariables() {
  // Loops around the stores are indices as well.
  for (const auto &[W, Name] : Raw)
    for (const BoundLoop &L : W.Loops) {
      IntExpr Atom = IntExpr::counter(L.Counter);
      if (!llvm::any_of(Space.Vars,
                        [&](const IndexVar &V) { return V.Atom == Atom; }))
        Space.Vars.push_back({Atom, L.Trip, false, false, false, false});
    }
  // The threads of a warp do the same, so the first one stands for all. All
  // numbers belong to the warp, and a block has a whole number of warps.
  const bool ByWarp =
      llvm::all_of(Space.Stores, [](const Store &S) { return S.ByWarp; });
  if (ByWarp) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, 0);
    const IntExpr Width = IntExpr::special(AtomKind::BlockDim, 0);
    const IntExpr Warps = IntExpr::floorDiv(Width, 32);
    const IntExpr Warp = IntExpr::counter(In.FreeCounter++);
    // The fact has to be shown for all threads.
    const std::vector<Obligation> OfThreads = Space.Obligations;
    Space.substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKey() == Thread.str())
        return IntExpr(32) * Warp;
      if (A.getKey() == Width.str())
        return IntExpr(32) * Warps;
      return std::nullopt;
    });
    for (auto [New, Old] : llvm::zip(Space.Obligations, OfThreads))
      if (Old.E.contains(Thread.str()))
        New = Old;
    // The lane that has filled an element of a tile is below 32, so that it
    // drops out of the number of its warp.
    std::vector<BoundLoop> Last;
    for (const IndexVar &V : Space.Vars)
      if (AtomRef A = V.Atom.getAtom(); A->getKind() == AtomKind::Counter)
        Last.push_back({A->getDim(), V.Range - 1});
    const Simplifier Facts(In.Bounds, std::move(Last),
                           BoolExpr::constant(true));
    Space.substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKind() != AtomKind::FloorDiv && A.getKind() != AtomKind::Mod)
        return std::nullopt;
      const IntExpr Whole = A.getKind() == AtomKind::FloorDiv
                                ? IntExpr::floorDiv(A.getLHS(), A.getRHS())
                                : IntExpr::mod(A.getLHS(), A.getRHS());
      IntExpr Simple = Facts.simplify(Whole);
      return Simple == Whole ? std::nullopt : std::optional(std::move(Simple));
    });
    if (Space.uses(Warp.str()))
      Space.Vars.push_back({Warp, Warps, false, true, true, false});
  }
  if (In.WholeWarps && !ByWarp)
    splitWarps();
  for (const IndexVar &V : PinnedGroups)
    if (Space.uses(V.key()))
      Space.Vars.push_back(V);
    else
      Space.require(BoolExpr::compare(CmpOp::EQ, V.Range, 1),
                    V.Range.str() + " is not 1");
  requireFewThreads();
  // Threads and blocks.
  for (AtomKind K : {AtomKind::ThreadIdx, AtomKind::BlockIdx})
    for (unsigned D = 0; D < 3; ++D) {
      IntExpr Atom = IntExpr::special(K, D);
      IntExpr Range = IntExpr::special(
          K == AtomKind::ThreadIdx ? AtomKind::BlockDim : AtomKind::GridDim, D);
      if (K == AtomKind::ThreadIdx && In.Block[D])
        Range = IntExpr(In.Block[D]);
      if (Space.uses(Atom.str()))
        Space.Vars.push_back({Atom, Range, false, true,
                              K == AtomKind::ThreadIdx,
                              K == AtomKind::BlockIdx});
      else if (K == AtomKind::ThreadIdx && D == 0 && ByWarp)
        continue; // other warps store the same
      else if (K == AtomKind::ThreadIdx && D == 0 && SplitIntoWarps)
        continue; // its warps and lanes are indices
      else if (K == AtomKind::ThreadIdx && Pinned[D])
        continue; // other threads store nothing
      else
        Space.require(BoolExpr::compare(CmpOp::EQ, Range, 1),
                      Range.str() + " is not 1");
    }
  for (Store &S : Space.Stores) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    S.Guard.conjuncts(Tests);
    S.Guard = BoolExpr::constant(true);
    for (const BoolExpr &T : Tests)
      if (!Space.holdsThroughout(T, In.Bounds))
        S.Guard = BoolExpr::conjunction(S.Guard, T);
  }
  // Counters of loops that contain no store and no sum are no longer needed.
  if (!Space.normalise(std::max(In.FreeCounter, 1000u))) {
    const std::string Apart = Space.productsApart();
    return fail(DiagID::IndexNotAffine, Space.Stores[0].Loc,
                Apart.empty()
                    ? Space.Undone +
                          " in a way that does not make rows and columns"
                    : Apart);
  }
  return true;
}

/// Under \p T one factor is 0, and the other factor need not be 0 from \p Bound
/// on.
bool Normalizer::isOneSided(const Term &Of, const BoolExpr &T, size_t Var,
                            const IntExpr &Bound) {
  llvm::SmallVector<BoolExpr, 4> OfBoth;
  Of.Guard.conjuncts(OfBoth);
  if (llvm::is_contained(OfBoth, T))
    return false;
  bool Sides[2] = {false, false}, Found = false;
  for (const auto &[Guard, Side] : Of.Parts.SideGuards) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    Guard.conjuncts(Tests);
    for (const BoolExpr &X : Tests) {
      Found |= X == T;
      size_t V;
      IntExpr B;
      if (Side < 2 && Space.boundOf(X, V, B) && V == Var &&
          provablyAtLeast(Bound, B))
        Sides[Side] = true;
    }
  }
  return Found && !(Sides[0] && Sides[1]);
}

/// From which number of index \p Var on factor \p Side is 0, by the conditions
/// on this factor alone.
std::optional<IntExpr> Normalizer::zerosFrom(const Term &Of, unsigned Side,
                                             size_t Var) const {
  std::optional<IntExpr> Least;
  for (const auto &[Guard, OfSide] : Of.Parts.SideGuards) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    Guard.conjuncts(Tests);
    size_t V;
    IntExpr B;
    for (const BoolExpr &X : Tests)
      if (OfSide == Side && Space.boundOf(X, V, B) && V == Var)
        Least = Least ? lesser(*Least, B) : B;
  }
  return Least;
}

/// Whether sum \p Number has an index that is no loop of the kernel's, but the
/// number of a product among those that one iteration adds.
bool Normalizer::ofOneLoop(size_t Number) const {
  auto IsLoop = [&](const IntAtom &A) {
    return A.getKind() == AtomKind::Counter && In.Reached.count(A.getDim());
  };
  return llvm::any_of(Space.Vars, [&](const IndexVar &V) {
    bool Loop = false;
    V.origin().walk([&](const IntAtom &A) { Loop |= IsLoop(A); });
    return (V.Sums >> Number & 1) && !Loop;
  });
}

/// `n * row + col < n * end` as `row < end`, where 0 <= col < n. \p Ends are
/// those of the indices. \p T if it is of another form.
BoolExpr Normalizer::byLeadingDigit(const BoolExpr &T,
                                    const std::vector<IntExpr> &Ends) const {
  if (T.getKind() != BoolExpr::Kind::Compare)
    return T;
  IntExpr D = T.getLHS() - T.getRHS();
  CmpOp Op = T.getOp();
  if (Op == CmpOp::GT || Op == CmpOp::GE) {
    D = -D;
    Op = swapSides(Op);
  }
  if (Op != CmpOp::LT && Op != CmpOp::LE)
    return T;
  if (Op == CmpOp::LE)
    D = D - 1;
  for (size_t High = 0; High < Space.Vars.size(); ++High) {
    const auto Width = D.coefficient(Space.Vars[High].key());
    if (!Width || Width->isZero() || Width->isOne() || Space.mentions(*Width))
      continue;
    // D < 0 is Digit * Width + Low < 0, with Low in [0, Width).
    IntExpr Digit, Low, Most;
    for (const auto &[Atoms, Factor] : D.terms()) {
      IntExpr Term(Factor);
      for (const AtomRef &A : Atoms)
        Term = Term * IntExpr(A);
      if (const auto Whole = Term.exactDivide(*Width))
        Digit = Digit + *Whole;
      else
        Low = Low + Term;
    }
    IntExpr Rest = Low;
    Most = IntExpr(1);
    for (size_t N = 0; N < Space.Vars.size(); ++N) {
      const auto Step = Low.coefficient(Space.Vars[N].key());
      const auto Number = Step ? Step->getConstant() : std::nullopt;
      if (!Number || *Number <= 0)
        continue;
      Rest = Rest - *Step * Space.Vars[N].Atom;
      Most = Most + *Step * (Ends[N] - 1);
    }
    const auto Least = Rest.getConstant();
    if (Least && *Least >= 0 && provablyAtLeast(*Width, Most + Rest))
      return BoolExpr::compare(CmpOp::LT, Digit, 0);
  }
  return T;
}

bool Normalizer::applySumGuard(size_t Number) {
  const Summation &Sum = Space.Sums[Number];
  Term &Of = Terms[Number];
  // The rows and columns are those of the stores.
  std::vector<IntExpr> &Within = Of.Extents = Extents;
  size_t Reductions = 0, At = 0;
  for (size_t N = 0; N < Space.Vars.size(); ++N)
    if (Space.Vars[N].Sums >> Number & 1) {
      ++Reductions;
      At = N;
    }
  if (Reductions != 1)
    return fail(DiagID::UnsupportedBounds, Sum.Loc,
                ofOneLoop(Number)
                    ? "the products that one iteration adds do not continue "
                      "in the next one: from one to the next the operands move "
                      "otherwise than from iteration to iteration"
                    : "the nested loops of the sum do not make one range");
  llvm::SmallVector<BoolExpr, 4> Tests, Known;
  std::vector<IntExpr> OneSided;
  auto DependsOn = [&](const BoolExpr &T) {
    const DiagID ID = In.Atomics.empty() ? DiagID::UnsupportedBounds
                                         : DiagID::Atomics; // slices of k
    return fail(ID, Sum.Loc,
                "which products are summed depends on more than the range of "
                "the loop" +
                    argumentsIn(T));
  };
  std::vector<BoolExpr> Linear; // of an index made of several
  withoutDecided(Sum.Guard).conjuncts(Tests);
  for (auto &Guarded : Of.Parts.SideGuards) {
    llvm::SmallVector<BoolExpr, 4> OfSide;
    Guarded.first.conjuncts(OfSide);
    Guarded.first = BoolExpr::constant(true);
    for (const BoolExpr &T : OfSide)
      Guarded.first =
          BoolExpr::conjunction(Guarded.first, byLeadingDigit(T, Extents));
  }
  commonGuard([&](const Store &S) {
    bool Uses = false;
    S.Value->walk([&](const Value &V) {
      Uses |= V.K == Value::Kind::Acc && V.Counter == Sum.Sum;
    });
    return Uses;
  }).conjuncts(Known);
  for (const BoolExpr &Test : Tests) {
    const BoolExpr T = byLeadingDigit(Test, Extents);
    if (llvm::is_contained(Known, Test))
      continue; // holds wherever the result is stored
    size_t Var;
    IntExpr Bound;
    bool Bounds = Space.boundOf(T, Var, Bound);
    // A bound of a row or column: outside of it there are zeros, which the
    // rewritten kernel does not add. The bound has to be the range of the
    // index.
    if (Bounds && Var != Space.Vars.size() && Var != At &&
        !Space.mentions(Bound) && !Space.mentions(Extents[Var])) {
      if (!provablyAtLeast(Bound, Extents[Var]))
        Space.require(BoolExpr::compare(CmpOp::LE, Extents[Var], Bound),
                      "the grid goes beyond the matrix");
      continue;
    }
    if (!Bounds) {
      Linear.push_back(T);
      continue;
    }
    if (Var != Space.Vars.size() && Var != At)
      return DependsOn(T);
    // Beyond the bound of one factor alone, 0 is multiplied by what the other
    // factor has there, which does not give 0 if that is infinite.
    if (Var == At && isFloating(accType(Number)) &&
        isOneSided(Of, T, At, Bound))
      OneSided.push_back(Bound);
    else if (Var == At && !mistaken(Mistake::SumBoundDropped))
      Within[At] = lesser(Within[At], Bound);
  }
  // They may bound an index of the outputs alone where the sum ends.
  std::vector<IntExpr> Ends = Within;
  for (const IntExpr &Bound : OneSided)
    Ends[At] = lesser(Ends[At], Bound);
  for (const BoolExpr &T : Linear) {
    size_t Var;
    IntExpr Bound;
    if (!Space.boundOf(byLeadingDigit(T, Ends), Var, Bound) ||
        Var == Space.Vars.size() || !provablyAtLeast(Bound, Extents[Var]))
      return DependsOn(T);
  }
  BoolExpr Whole = BoolExpr::constant(true);
  for (const IntExpr &Bound : OneSided)
    if (!provablyAtLeast(Bound, Within[At]))
      Whole = BoolExpr::conjunction(
          Whole, BoolExpr::compare(CmpOp::LE, Within[At], Bound));
  // Where either factor is 0 from an argument of its own on, `k < A.width` and
  // `k < B.height`, the two are equal in a product of matrices.
  const auto Left = zerosFrom(Of, 0, At), Right = zerosFrom(Of, 1, At);
  if (!Whole.isTrue() && Linear.empty() && Left && Right &&
      !Space.mentions(*Left) && !Space.mentions(*Right)) {
    const BoolExpr Equal = BoolExpr::compare(CmpOp::EQ, *Left, *Right);
    if (!Equal.isFalse())
      Within[At] = lesser(Within[At], *Left);
    Whole = BoolExpr::disjunction(Equal, Whole);
  }
  Space.require(Whole,
                "one of the two operands is not 0 beyond the sum's range");
  Of.K = At;
  if (Space.mentions(Within[At]))
    if (auto Same = sameEverywhere(Within[At]))
      Within[At] = *Same;
  if (Space.mentions(Within[At]))
    return fail(DiagID::UnsupportedBounds, Sum.Loc,
                "the range of the sum differs from one output element to "
                "another");
  for (size_t N = 0; N < Space.Vars.size(); ++N)
    if (Space.mentions(Within[N]))
      return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                  "the range of an index depends on another index");
  return true;
}

bool Normalizer::splitProduct(size_t Number) {
  std::vector<std::string> Counters;
  for (const IndexVar &V : Space.Vars)
    if (V.Sums >> Number & 1)
      Counters.push_back(V.key());
  Term &T = Terms[Number];
  T.Guard = Space.Sums[Number].Guard;
  auto Split =
      symbolic::splitProduct(Space, Number, Counters, In.KeepFactors, Why);
  if (!Split)
    return false;
  T.Parts = std::move(*Split);
  // Modulo 2^32 it makes no difference where a factor is multiplied.
  if (!T.Parts.Coefficients.empty() && isFloating(accType(Number)) &&
      !Remarks.MovedFactor) {
    Remarks.MovedFactor = true;
    Remarks.FactorLoc = T.Parts.FactorLoc;
  }
  T.Original = T.Parts.Narrowest;
  if (T.Rounded && significandBits(*T.Rounded) < significandBits(T.Original))
    T.Original = *T.Rounded;
  return true;
}

ScalarType Normalizer::accType(size_t Number) const {
  return accumulatorOf(Space.Sums[Number].Type);
}

} // namespace warpwright::symbolic
