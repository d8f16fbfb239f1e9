//===-- Normalize.cpp - From a final state to a contraction ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "BlockShape.h"
#include "Clamps.h"
#include "Discharge.h"
#include "Family.h"
#include "IndexSpace.h"
#include "JoinSums.h"
#include "Mistakes.h"
#include "RollUp.h"
#include "SplitProduct.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;

namespace warpwright::symbolic {

namespace {

SourceLocation locOf(const ValueRef &V) {
  return SourceLocation::getFromRawEncoding(V->Loc);
}

class Normalizer {
public:
  Normalizer(NormalizeInput &In, std::optional<Failure> &Why,
             NormalizeRemarks &Remarks)
      : In(In), Why(Why), Remarks(Remarks), Joiner(In.FreeCounter, In.Bounds) {}
  std::optional<Contraction> run();

private:
  bool fail(DiagID ID, SourceLocation Loc, llvm::Twine Message) {
    if (!Why)
      Why = Failure{ID, Loc.isValid() ? Loc : In.KernelLoc, Message.str()};
    return false;
  }
  bool collectStores();
  bool extractSum();
  ValueRef takeSum(const ValueRef &V);
  bool collectVariables();
  BoolExpr withoutRanges(const SumNest &Nest) const;
  bool applyGuards();
  bool applySumGuard();
  bool isOneSided(const BoolExpr &T, size_t Var, const IntExpr &Bound);
  bool splitProduct();
  bool assignRoles();
  bool settle();
  bool finish();

  NormalizeInput &In;
  std::optional<Failure> &Why;
  NormalizeRemarks &Remarks;
  IndexSpace Space;
  SumJoiner Joiner;
  std::vector<std::pair<Write, std::string>> Raw;
  ValueRef SumNode;                       ///< the one sum, as it was found
  ProductParts Parts;                     ///< of what is summed
  std::optional<ScalarType> RoundedSum;   ///< what partial sums are cut to
  std::vector<IntExpr> Extents;           ///< of Space.Vars
  std::map<std::string, IntExpr> Renamed; ///< by the keys of Space.Vars
  Contraction C;
};

bool Normalizer::collectStores() {
  for (const auto &[Name, A] : In.Final) {
    if (A.IsLocal)
      continue;
    std::vector<Write> Kept;
    for (const Write &W : A.Writes)
      if (!W.Guard.isFalse())
        overlay(Kept, W);
    for (const Write &W : Kept) {
      if (W.Value.is(SymValue::Kind::Unknown))
        return fail(W.Value.ReasonID, W.Value.ReasonLoc, W.Value.Reason);
      if (!W.Value.is(SymValue::Kind::Scalar))
        return fail(DiagID::UnsupportedType, W.Loc,
                    "what is stored here is not a number");
      if (W.Value.S->containsKind(Value::Kind::Undefined)) {
        const SymValue *Reason = nullptr;
        W.Value.S->walk([&](const Value &V) {
          auto It = In.Unset.find(V.Name);
          if (V.K == Value::Kind::Undefined && It != In.Unset.end() && !Reason)
            Reason = &It->second;
        });
        if (Reason)
          return fail(Reason->ReasonID, Reason->ReasonLoc, Reason->Reason);
        return fail(DiagID::NotASum, W.Loc,
                    "what is stored here is not set in every case");
      }
    }
    // Several outputs of one thread, unrolled by hand or as a vector.
    if (Kept.size() > 1)
      rollUp(Kept, In.FreeCounter);
    if (Kept.size() > 1)
      return fail(DiagID::UnsupportedStatement, Kept[1].Loc,
                  "'" + Name +
                      "' is stored to in several places; one thread "
                      "must compute one element at a time");
    if (!Kept.empty())
      Raw.push_back({Kept[0], Name});
  }
  if (Raw.empty())
    return fail(DiagID::NoSumStored, In.KernelLoc,
                "it stores nothing through a pointer parameter");
  // Program order, not the order of names.
  llvm::sort(Raw, [](const auto &A, const auto &B) {
    return A.first.Id < B.first.Id;
  });
  Space.Obligations = In.Obligations;
  for (Obligation &O : Space.Obligations)
    O.Guarded = implies(O.Guard, Raw[0].first.Guard);
  for (const auto &[W, Name] : Raw)
    Space.Stores.push_back({Name, In.Final[Name].Elem, W.Index, W.Value.S,
                            W.Guard, W.Loc, W.ByWarp});
  Space.settleFlags();
  return true;
}

/// \p V with its one Sum replaced by Acc.
ValueRef Normalizer::takeSum(const ValueRef &V) {
  if (V->K == Value::Kind::Sum) {
    if (!SumNode)
      SumNode = V;
    else if (!sameValue(SumNode, V))
      fail(DiagID::NoSumStored, locOf(V),
           "the kernel computes more than one sum");
    auto R = std::make_shared<Value>(*Value::acc());
    // The type that the original accumulated in decides what the epilogue
    // computes with.
    return V->Type == ScalarType::F32 ? ValueRef(R) : Value::cast(V->Type, R);
  }
  if (mistaken(Mistake::AddendDropped) && V->K == Value::Kind::Add &&
      V->Ops[0]->containsKind(Value::Kind::Sum))
    return takeSum(V->Ops[0]);
  auto R = std::make_shared<Value>(*V);
  // `acc > 0 ? acc : 0` has it in the condition too.
  R->Condition =
      mapValues(R->Condition, [this](const ValueRef &X) { return takeSum(X); });
  for (ValueRef &Op : R->Ops)
    Op = takeSum(Op);
  // What a called function computes is kept for those who evaluate it; its
  // arguments, and so the sum, are in there again.
  constexpr unsigned LargestBody = 4096;
  if (R->Body)
    R->Body = R->Body->Size <= LargestBody ? takeSum(R->Body) : nullptr;
  return R;
}

/// \p V, which is stored under \p Guard, with what that says left out of the
/// conditions in it.
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

bool Normalizer::extractSum() {
  for (Store &S : Space.Stores) {
    const Simplifier Facts(In.Bounds, {}, S.Guard);
    // What a tile asked of the block decides more than was known when it was
    // read.
    S.Value =
        Joiner.join(Facts.simplify(withoutGuard(S.Value, S.Guard)), Facts);
  }
  // The first store whose value has a sum tells which; stores without one
  // (a mask, a copy) are outputs all the same.
  for (Store &S : Space.Stores)
    S.Value = takeSum(S.Value);
  if (Why)
    return false;
  if (!SumNode)
    return fail(DiagID::NoSumStored, Space.Stores[0].Loc,
                "what is stored here is not a sum over a loop");
  return true;
}

/// The conditions of the sum without those that its loops' ranges say.
BoolExpr Normalizer::withoutRanges(const SumNest &Nest) const {
  std::vector<BoundLoop> Bodies = Nest.Loops;
  for (BoundLoop &L : Bodies)
    L.Trip -= 1;
  Simplifier Facts(In.Bounds, std::move(Bodies), BoolExpr::constant(true));
  llvm::SmallVector<BoolExpr, 4> Tests;
  Nest.Guard.conjuncts(Tests);
  BoolExpr Rest = BoolExpr::constant(true);
  for (const BoolExpr &T : Tests)
    if (!Facts.simplify(T).isTrue())
      Rest = BoolExpr::conjunction(Rest, T);
  return Rest;
}

bool Normalizer::collectVariables() {
  SumNest Nest = Joiner.nestOf(SumNode);
  for (const BoundLoop &L : Nest.Loops)
    Space.Vars.push_back(
        {IntExpr::counter(L.Counter), L.Trip, true, false, false, false});
  C.OriginalAccType = Nest.Innermost->Type;
  if (auto Rounded = parseScalarType(Nest.Innermost->Name))
    RoundedSum = *Rounded;
  Space.Sum.Loc = locOf(Nest.Innermost);
  Space.Sum.Body = Nest.Body;
  Space.Sum.Guard = withoutRanges(Nest);
  for (const Requirement &R : Joiner.Requires)
    Space.require(R.Condition, R.Reason);
  auto Joined = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = Joiner.Replaced.find(A.getKey().str());
    return It == Joiner.Replaced.end() ? std::nullopt
                                       : std::optional<IntExpr>(It->second);
  };
  for (Obligation &O : Space.Obligations) {
    O.InSum = implies(O.Guard, Space.Sum.Guard);
    if (Joiner.Replaced.empty())
      continue;
    O.E = O.E.transform(Joined);
    O.Low = O.Low.transform(Joined);
    O.High = O.High.transform(Joined);
  }
  Space.Sum.Type = C.OriginalAccType;
  if (Nest.Body->containsKind(Value::Kind::Sum))
    return fail(DiagID::NotAProduct, Space.Sum.Loc,
                "a sum of more than one product per iteration");
  // Loops around the stores.
  for (const auto &[W, Name] : Raw)
    for (const BoundLoop &L : W.Loops) {
      IntExpr Atom = IntExpr::counter(L.Counter);
      if (!llvm::any_of(Space.Vars,
                        [&](const IndexVar &V) { return V.Atom == Atom; }))
        Space.Vars.push_back({Atom, L.Trip, false, false, false, false});
    }
  // Of the threads of a warp, which do the same, the first one: all numbers are
  // of the warp, of which a block has a whole number.
  const bool ByWarp =
      llvm::all_of(Space.Stores, [](const Store &S) { return S.ByWarp; });
  if (ByWarp) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, 0);
    const IntExpr Width = IntExpr::special(AtomKind::BlockDim, 0);
    const IntExpr Warps = IntExpr::floorDiv(Width, 32);
    const IntExpr Warp = IntExpr::counter(In.FreeCounter++);
    // What is to be shown is so of all threads.
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
    if (Space.uses(Warp.str()))
      Space.Vars.push_back({Warp, Warps, false, true, true, false});
  }
  // Threads and blocks.
  for (AtomKind K : {AtomKind::ThreadIdx, AtomKind::BlockIdx})
    for (unsigned D = 0; D < 3; ++D) {
      IntExpr Atom = IntExpr::special(K, D);
      IntExpr Range = IntExpr::special(
          K == AtomKind::ThreadIdx ? AtomKind::BlockDim : AtomKind::GridDim, D);
      if (Space.uses(Atom.str()))
        Space.Vars.push_back({Atom, Range, false, true,
                              K == AtomKind::ThreadIdx,
                              K == AtomKind::BlockIdx});
      else if (K == AtomKind::ThreadIdx && D == 0 && ByWarp)
        continue; // other warps store the same
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
  // Counters of loops that nobody stores in or sums over are gone by now.
  if (!Space.normalise(std::max(In.FreeCounter, 1000u)))
    return fail(DiagID::IndexNotAffine, Space.Stores[0].Loc,
                "an index is divided, or its remainder taken, in a way that "
                "does not make rows and columns");
  return true;
}

bool Normalizer::applyGuards() {
  for (const IndexVar &V : Space.Vars)
    Extents.push_back(V.Range);
  std::optional<BoolExpr> First;
  for (const Store &S : Space.Stores) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    if (S.Guard.isFalse())
      return fail(DiagID::NoSumStored, S.Loc, "this store is never reached");
    S.Guard.conjuncts(Tests);
    BoolExpr Rect = BoolExpr::constant(true);
    for (const BoolExpr &T : Tests) {
      bool HasIndex = false, HasValue = false;
      T.walk([&](const IntExpr &E) { HasIndex |= Space.mentions(E); },
             [&](const ValueRef &) { HasValue = true; });
      if (HasValue)
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "whether this element is stored depends on loaded data");
      if (!HasIndex) {
        // The same for all threads: without it the kernel stores nothing.
        Space.require(T, "the kernel's condition does not hold");
        continue;
      }
      size_t Var;
      IntExpr Bound;
      if (!Space.boundOf(T, Var, Bound)) {
        // Indices that were made here have no name in the source.
        bool IsNamed = true;
        T.walk(
            [&](const IntExpr &E) {
              IsNamed &= !E.containsKind(AtomKind::Counter);
            },
            [](const ValueRef &) {});
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "the condition under which this element is stored does not "
                    "bound one index at a time" +
                        (IsNamed ? ": " + T.str() : std::string()));
      }
      if (Var == Space.Vars.size())
        continue;
      if (Space.mentions(Bound))
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "the bound of an index depends on another index");
      Rect = BoolExpr::conjunction(Rect, T);
      // The bound first: `min(M, gridDim.y * blockDim.y)` reads better than a
      // sum of cases, and the launcher evaluates it exactly.
      if (&S == &Space.Stores.front())
        Extents[Var] = lesser(Extents[Var], Bound);
    }
    if (First && *First != Rect)
      return fail(DiagID::UnsupportedBounds, S.Loc,
                  "the outputs are not stored under the same condition");
    First = Rect;
  }
  return true;
}

/// \p T makes one factor 0, and nothing makes the other one 0 from \p Bound on.
bool Normalizer::isOneSided(const BoolExpr &T, size_t Var,
                            const IntExpr &Bound) {
  bool Sides[2] = {false, false}, Found = false;
  for (const auto &[Guard, Side] : Parts.SideGuards) {
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

bool Normalizer::applySumGuard() {
  size_t Reductions = 0, At = 0;
  for (size_t N = 0; N < Space.Vars.size(); ++N)
    if (Space.Vars[N].Reduction) {
      ++Reductions;
      At = N;
    }
  if (Reductions != 1)
    return fail(DiagID::UnsupportedBounds, Space.Sum.Loc,
                "the nested loops of the sum do not make one range");
  llvm::SmallVector<BoolExpr, 4> Tests, Known;
  Space.Sum.Guard.conjuncts(Tests);
  for (const Store &S : Space.Stores)
    S.Guard.conjuncts(Known);
  for (const BoolExpr &T : Tests) {
    if (llvm::is_contained(Known, T))
      continue; // holds wherever the result is stored
    size_t Var;
    IntExpr Bound;
    bool Bounds = Space.boundOf(T, Var, Bound);
    // Of a row or column: outside of it there are zeros, which the rewritten
    // kernel does not add. It has to be the same as the range of the index.
    if (Bounds && Var != Space.Vars.size() && Var != At &&
        !Space.mentions(Bound) && !Space.mentions(Extents[Var])) {
      if (!provablyAtLeast(Bound, Extents[Var]))
        Space.require(BoolExpr::compare(CmpOp::LE, Extents[Var], Bound),
                      "the grid goes beyond the matrix");
      continue;
    }
    if (!Bounds || (Var != Space.Vars.size() && Var != At))
      return fail(DiagID::UnsupportedBounds, Space.Sum.Loc,
                  "which products are summed depends on more than the range of "
                  "the loop");
    // Beyond the bound of one factor alone there is 0 times what the other one
    // holds there, which is no 0 where that is infinite.
    if (Var == At && isOneSided(T, At, Bound) &&
        !provablyAtLeast(Bound, Extents[At])) {
      Space.require(BoolExpr::compare(CmpOp::LE, Extents[At], Bound),
                    "one of the two operands is not 0 beyond the sum's range");
      continue;
    }
    if (Var == At && !mistaken(Mistake::SumBoundDropped))
      Extents[At] = lesser(Extents[At], Bound);
  }
  if (Space.mentions(Extents[At]))
    return fail(DiagID::UnsupportedBounds, Space.Sum.Loc,
                "the range of the sum differs from one output element to "
                "another");
  for (size_t N = 0; N < Space.Vars.size(); ++N)
    if (Space.mentions(Extents[N]))
      return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                  "the range of an index depends on another index");
  return true;
}

bool Normalizer::splitProduct() {
  std::vector<std::string> Counters;
  for (const IndexVar &V : Space.Vars)
    if (V.Reduction)
      Counters.push_back(V.key());
  auto Split = symbolic::splitProduct(Space.Sum, Counters, In.KeepFactors, Why);
  if (!Split)
    return false;
  Parts = std::move(*Split);
  Remarks.MovedFactor = !Parts.Coefficients.empty();
  Remarks.FactorLoc = Parts.FactorLoc;
  C.OriginalAccType = Parts.Narrowest;
  if (RoundedSum &&
      significandBits(*RoundedSum) < significandBits(C.OriginalAccType))
    C.OriginalAccType = *RoundedSum;
  // Half is accumulated in float, which only adds precision. Sums in double
  // and in integers are what they are.
  if (Space.Sum.Type != ScalarType::F16 && Space.Sum.Type != ScalarType::BF16)
    C.AccType = Space.Sum.Type;
  return true;
}

/// Which index is batch, m, n and k.
bool Normalizer::assignRoles() {
  Operand *Sides[2] = {&C.A, &C.B};
  ValueRef L[2] = {Parts.Factors[0], Parts.Factors[1]};
  ValueRef Prologues[2] = {Parts.Prologues[0], Parts.Prologues[1]};
  std::vector<size_t> Batch, Own[2];
  size_t K = 0;
  Store &Out = Space.Stores[0];
  for (size_t N = 0; N < Space.Vars.size(); ++N) {
    const IndexVar &V = Space.Vars[N];
    std::optional<IntExpr> S[2];
    for (int I : {0, 1}) {
      S[I] = L[I]->Index.coefficient(V.key());
      if (!S[I] || Space.mentions(*S[I]))
        return fail(DiagID::IndexNotAffine, locOf(L[I]),
                    "the element of '" + L[I]->Name +
                        "' that is multiplied is not an affine function of "
                        "rows, columns and the loop counter");
    }
    if (V.Reduction) {
      K = N;
      continue;
    }
    auto InOut = Out.Index.coefficient(V.key());
    if (!InOut || Space.mentions(*InOut))
      return fail(DiagID::IndexNotAffine, Out.Loc,
                  "the element that is stored is not an affine function of "
                  "rows and columns");
    if (InOut->isZero())
      return fail(DiagID::SeveralWriters, Out.Loc,
                  "several threads or iterations store to the same element");
    if (!S[0]->isZero() && !S[1]->isZero())
      Batch.push_back(N);
    else if (!S[0]->isZero())
      Own[0].push_back(N);
    else if (!S[1]->isZero())
      Own[1].push_back(N);
    else
      return fail(DiagID::UnsupportedBounds, Out.Loc,
                  "an index of the output moves neither operand");
  }
  // A second index of one operand alone is a batch in which the other operand
  // is shared; the outer one, with the larger stride in the operand.
  for (int I : {0, 1})
    while (Own[I].size() > 1) {
      size_t Outer = 0;
      for (size_t X = 1; X < Own[I].size(); ++X) {
        IntExpr SX = *L[I]->Index.coefficient(Space.Vars[Own[I][X]].key());
        IntExpr SO = *L[I]->Index.coefficient(Space.Vars[Own[I][Outer]].key());
        if (SX.terms().size() && SO.terms().size() &&
            SX.terms().begin()->first.size() > SO.terms().begin()->first.size())
          Outer = X;
      }
      Batch.push_back(Own[I][Outer]);
      Own[I].erase(Own[I].begin() + Outer);
    }
  if (Batch.size() > 1)
    return fail(DiagID::UnsupportedBounds, Out.Loc,
                "more than one batch index");
  auto UnitIn = [&](const std::vector<size_t> &Own) {
    return !Own.empty() &&
           Out.Index.coefficient(Space.Vars[Own[0]].key())->isOne();
  };
  if (UnitIn(Own[0]) && !UnitIn(Own[1])) {
    std::swap(Own[0], Own[1]);
    std::swap(L[0], L[1]);
    std::swap(Prologues[0], Prologues[1]);
  }
  auto Order = [&](const std::string &Name) {
    return llvm::find_if(In.Params,
                         [&](const ParamLeaf &P) { return P.Path == Name; }) -
           In.Params.begin();
  };
  C.RolesExchanged = Order(L[0]->Name) > Order(L[1]->Name);
  std::map<std::string, IntExpr> Rename;
  auto Assign = [&](const std::vector<size_t> &Own, const char *Name,
                    IntExpr &Extent) {
    Extent = Own.empty() ? IntExpr(1) : Extents[Own[0]];
    if (!Own.empty())
      Rename[Space.Vars[Own[0]].key()] = IntExpr::index(Name);
  };
  Assign(Batch, "b", C.BatchExtent);
  Assign(Own[0], "m", C.MExtent);
  Assign(Own[1], "n", C.NExtent);
  C.KExtent = Extents[K];
  Rename[Space.Vars[K].key()] = IntExpr::index("k");
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = Rename.find(A.getKey().str());
    if (It == Rename.end())
      return std::nullopt;
    return It->second;
  };
  // A loop that counts down sums the same products as one that counts up.
  auto Downward = [&](const ValueRef &F) {
    IntExpr S = *F->Index.coefficient(Space.Vars[K].key());
    return !S.isZero() &&
           llvm::all_of(S.terms(), [](const auto &T) { return T.second < 0; });
  };
  if (Downward(L[0]) && Downward(L[1]))
    Rename[Space.Vars[K].key()] = C.KExtent - 1 - IntExpr::index("k");
  Renamed = Rename;
  const llvm::StringRef Foreign[2] = {"%n", "%m"};
  for (int I : {0, 1}) {
    Sides[I]->Pointer = L[I]->Name;
    Sides[I]->Type = L[I]->Type;
    Sides[I]->Index = L[I]->Index.transform(Fn);
    if (!Prologues[I])
      continue;
    Sides[I]->Prologue =
        Value::cast(C.AccType, transformInts(Prologues[I], Fn));
    if (mentionsAny(SymValue::scalar(Sides[I]->Prologue),
                    [&](llvm::StringRef Key) { return Key == Foreign[I]; }))
      return fail(DiagID::NotAProduct, locOf(Prologues[I]),
                  "the factor beside an element of '" + L[I]->Name +
                      "' changes with an index that only the other element "
                      "has");
  }
  // alpha * Sum(a * b), where the original summed alpha * a * b.
  ValueRef Scale;
  if (mistaken(Mistake::FactorDropped))
    Parts.Coefficients.clear();
  for (const ValueRef &V : Parts.Coefficients) {
    ValueRef F = Value::cast(C.AccType, transformInts(V, Fn));
    Scale = Scale ? Value::binary(Value::Kind::Mul, C.AccType, Scale, F) : F;
  }
  struct Scaler {
    const ValueRef &Scale;
    bool Negative;
    ValueRef operator()(const ValueRef &V) const {
      if (V->K == Value::Kind::Acc) {
        ValueRef R = V;
        if (Scale)
          R = Value::binary(Value::Kind::Mul, Scale->Type, Scale, R);
        return Negative ? Value::unary(Value::Kind::Neg, R) : R;
      }
      auto R = std::make_shared<Value>(*V);
      R->Condition = mapValues(R->Condition, *this);
      for (ValueRef &Op : R->Ops)
        Op = (*this)(Op);
      return R;
    }
  };
  for (Store &S : Space.Stores) {
    Output O;
    O.Pointer = S.Array;
    O.Type = S.Type;
    O.Index = S.Index.transform(Fn);
    O.Value = Value::cast(S.Type, transformInts(S.Value, Fn));
    if (Scale || Parts.Negative)
      O.Value = Scaler{Scale, Parts.Negative}(O.Value);
    for (const auto &[Key, Name] : Rename) {
      if (Key == Space.Vars[K].key())
        continue;
      auto Stride = O.Index.coefficient(Name.str());
      if (!Stride || Stride->containsKind(AtomKind::Index))
        return fail(DiagID::IndexNotAffine, S.Loc,
                    "the element that is stored is not an affine function of "
                    "rows and columns");
      if (Stride->isZero())
        return fail(DiagID::SeveralWriters, S.Loc,
                    "several threads store to the same element");
    }
    C.Outputs.push_back(std::move(O));
  }
  return true;
}

/// Shows what the lift relied on about integers, or asks the launcher to.
bool Normalizer::settle() {
  for (const Requirement &R : In.Requires)
    Space.require(R.Condition, R.Reason);
  C.IndexBits = In.IndexBits;
  C.IndexSigned = In.IndexSigned;
  if (Parts.Guarded)
    for (Obligation &O : Space.Obligations)
      O.InSum = false;
  if (auto Bad = discharge(Space, Extents, Renamed, C, In.Bounds))
    return fail(DiagID::UnsupportedBounds, Bad->Loc, Bad->What);
  // A failing assertion ends the program. Where it depends on the launch alone
  // the launcher sees it; one that depends on the thread is looked through.
  for (const Trap &T : In.Traps) {
    llvm::SmallVector<BoolExpr, 4> Parts;
    T.Active.conjuncts(Parts);
    BoolExpr Uniform = BoolExpr::constant(true);
    for (const BoolExpr &P : Parts) {
      bool Varies = hasValues(P);
      P.walk(
          [&](const IntExpr &E) {
            Varies |= E.containsKind(AtomKind::ThreadIdx) ||
                      E.containsKind(AtomKind::BlockIdx) ||
                      E.containsKind(AtomKind::Counter);
          },
          [](const ValueRef &) {});
      if (!Varies)
        Uniform = BoolExpr::conjunction(Uniform, P);
    }
    if (!Uniform.isTrue())
      Space.require(BoolExpr::negation(Uniform), "an assertion fails");
  }
  return true;
}

/// Different (b, m, n) must be different elements, and an output may be read
/// only where it is written.
bool Normalizer::finish() {
  for (size_t N = 0; N < C.Outputs.size(); ++N) {
    const Output &O = C.Outputs[N];
    SourceLocation Loc = Space.Stores[N].Loc;
    IntExpr SM = O.stride("m"), SN = O.stride("n"), SB = O.stride("b");
    IntExpr Row = SN * (C.NExtent - 1) + 1; // elements a row spans
    for (const IntExpr &S : {SM, SN, SB})
      if (auto K = S.getConstant(); K && *K < 0)
        return fail(DiagID::UnsupportedBounds, Loc,
                    "the output is walked backwards");
    auto Require = [&](const IntExpr &Stride, const IntExpr &Span,
                       const IntExpr &OtherStride, const IntExpr &OtherSpan) {
      if (provablyAtLeast(Stride, Span))
        return;
      BoolExpr Nested = BoolExpr::compare(CmpOp::GE, Stride, Span);
      if (!OtherStride.isOne() && !provablyAtLeast(Span, OtherSpan))
        Nested = BoolExpr::disjunction(
            Nested, BoolExpr::compare(CmpOp::GE, OtherStride, OtherSpan));
      Space.require(Nested, "rows of the output overlap");
    };
    if (!C.MExtent.isOne())
      Require(SM, Row, SN, SM * (C.MExtent - 1) + 1);
    if (!C.BatchExtent.isOne()) {
      IntExpr Matrix = SM * (C.MExtent - 1) + Row;
      if (!provablyAtLeast(SB, Matrix)) {
        // [m][b][n] is as good as [b][m][n].
        BoolExpr Outer = BoolExpr::compare(CmpOp::GE, SB, Matrix);
        BoolExpr Inner = BoolExpr::conjunction(
            BoolExpr::compare(CmpOp::GE, SB, Row),
            BoolExpr::compare(CmpOp::GE, SM, SB * (C.BatchExtent - 1) + Row));
        Space.require(BoolExpr::disjunction(Outer, Inner),
                      "matrices of the batch overlap");
      }
    }
  }
  if (!settle())
    return false;
  // Reads of outputs.
  for (const Output &O : C.Outputs) {
    for (const Operand *P : {&C.A, &C.B})
      if (P->Pointer == O.Pointer)
        return fail(DiagID::OrderingHazard, Space.Sum.Loc,
                    "'" + O.Pointer + "' is both multiplied and stored to");
    for (size_t N = 0; N < C.Outputs.size(); ++N) {
      SourceLocation Bad;
      bool Found = false;
      C.Outputs[N].Value->walk([&](const Value &V) {
        if (V.K == Value::Kind::Load && V.Name == O.Pointer &&
            V.Index != O.Index) {
          Found = true;
          Bad = SourceLocation::getFromRawEncoding(V.Loc);
        }
      });
      if (Found)
        return fail(DiagID::OutputReadElsewhere, Bad,
                    "'" + O.Pointer +
                        "' is read at another element than the one that is "
                        "stored");
    }
  }
  // The generated code names elements by the parameter that points to them.
  for (const ParamLeaf &P : In.Params) {
    if (!P.IsPointer || P.Lanes == 1)
      continue;
    bool Used = false;
    for (const Output &O : C.Outputs) {
      Used |= O.Pointer == P.Path;
      O.Value->walk([&](const Value &V) {
        Used |= V.K == Value::Kind::Load && V.Name == P.Path;
      });
    }
    if (Used)
      return fail(DiagID::UnsupportedType, In.KernelLoc,
                  "'" + P.Path +
                      "' points to vectors, and is used for more than an "
                      "operand of the product");
  }
  for (const Output &O : C.Outputs) {
    bool Bad = false;
    O.Value->walk([&](const Value &V) {
      Bad |= V.K == Value::Kind::Sum || V.K == Value::Kind::Phi ||
             V.K == Value::Kind::Undefined ||
             V.Index.containsKind(AtomKind::Counter) ||
             V.Index.containsKind(AtomKind::ThreadIdx) ||
             V.Index.containsKind(AtomKind::BlockIdx);
    });
    if (Bad)
      return fail(DiagID::UnsupportedExpression, Space.Stores[0].Loc,
                  "what is stored depends on more than the sum and the index "
                  "of the element");
  }
  // A requirement about one thread's numbers is a matter of the launch.
  for (const Requirement &R : Space.Requires) {
    bool Bad = false;
    R.Condition.walk(
        [&](const IntExpr &E) {
          Bad |= E.containsKind(AtomKind::ThreadIdx) ||
                 E.containsKind(AtomKind::BlockIdx) ||
                 E.containsKind(AtomKind::Counter);
        },
        [](const ValueRef &) {});
    if (Bad)
      return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                  "a condition differs between threads: " + R.Reason);
  }
  if (!settleBlockShape(Space.Requires))
    return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                "no shape of a block fits the tiles of the kernel");
  C.Requires = Space.Requires;
  for (const ParamLeaf &P : In.Params)
    if (P.IsPointer && P.Restrict)
      C.RestrictPointers.push_back(P.Path);
  return true;
}

std::optional<Contraction> Normalizer::run() {
  if (!collectStores() || !extractSum() || !collectVariables() ||
      !applyGuards() || !splitProduct() || !applySumGuard())
    return std::nullopt;
  resolveClamps(Space, Extents, Parts);
  if (!assignRoles() || !finish())
    return std::nullopt;
  return std::move(C);
}

} // namespace

std::optional<Contraction> normalize(NormalizeInput Input,
                                     std::optional<Failure> &Why,
                                     NormalizeRemarks &Remarks) {
  return Normalizer(Input, Why, Remarks).run();
}

} // namespace warpwright::symbolic
