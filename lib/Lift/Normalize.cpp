//===-- Normalize.cpp - From a final state to a contraction ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockShape.h"
#include "Clamps.h"
#include "Discharge.h"
#include "Family.h"
#include "Normalizer.h"
#include "Simplify.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace clang;

namespace warpwright::symbolic {

/// Stores at constant distances from one another, no two of them at one place,
/// in the order of their places, as a thread may make them in any order.
static void sortByPlace(std::vector<Write> &Stores) {
  std::vector<std::pair<int64_t, size_t>> Places;
  for (const Write &W : Stores) {
    const auto Distance = (W.Index - Stores.front().Index).getConstant();
    if (!Distance || !W.Loops.empty())
      return;
    Places.push_back({*Distance, Places.size()});
  }
  llvm::sort(Places);
  std::vector<Write> Sorted;
  for (const auto &Place : Places)
    Sorted.push_back(std::move(Stores[Place.second]));
  Stores = std::move(Sorted);
}

/// The first of several stores side by side may lack a condition that the
/// others have, `n + 1 < N`, since a loop asks it already: `for (n = 0; n < N;
/// n += 4)`.
static void askAsNext(Write &First, const Write &Next, const Ranges &Bounds) {
  std::vector<BoundLoop> Bodies = First.Loops;
  for (BoundLoop &L : Bodies)
    L.Trip -= 1;
  const Simplifier Facts(Bounds, std::move(Bodies), First.Guard);
  llvm::SmallVector<BoolExpr, 4> Tests;
  withoutConjuncts(Next.Guard, First.Guard).conjuncts(Tests);
  for (const BoolExpr &T : Tests) {
    if (T.getKind() != BoolExpr::Kind::Compare || T.getOp() != CmpOp::LT)
      continue;
    const BoolExpr There =
        BoolExpr::compare(CmpOp::LT, T.getLHS() - 1, T.getRHS());
    if (Facts.simplify(There).isTrue())
      First.Guard = BoolExpr::conjunction(First.Guard, There);
  }
}

/// Several outputs of one thread, unrolled by hand or as a vector, as the
/// stores of a loop; or, where an output has several parts side by side, as
/// one store for each of them.
void Normalizer::rollUpStores(std::vector<Write> &Kept) {
  constexpr size_t MostParts = 4;
  std::vector<Write> All = Kept;
  rollUp(All, In.FreeCounter);
  if (All.size() > 1) {
    // Those at an edge may know, or ask, more than those before them.
    std::vector<Write> Decided = Kept;
    if (auto There = withLoopsOf(Decided[0], Decided[1]))
      askAsNext(Decided[0], *There, In.Bounds);
    for (Write &W : Decided) {
      W.Guard = strongest(W.Guard);
      if (W.Value.S)
        W.Value.S = Simplifier(In.Bounds, W.Loops, W.Guard).decide(W.Value.S);
    }
    rollUp(Decided, In.FreeCounter);
    if (Decided.size() == 1)
      All = std::move(Decided);
  }
  if (All.size() == 1 && !In.KeepParts) {
    RolledStores = true;
    Kept = std::move(All);
    return;
  }
  for (size_t Parts = 2; Parts <= MostParts && 2 * Parts <= Kept.size();
       ++Parts) {
    if (Kept.size() % Parts)
      continue;
    std::vector<Write> Rolled;
    for (size_t Part = 0; Part < Parts; ++Part) {
      std::vector<Write> Same;
      for (size_t I = Part; I < Kept.size(); I += Parts)
        Same.push_back(Kept[I]);
      rollUp(Same, In.FreeCounter);
      if (Same.size() != 1)
        break;
      // The parts are stored by one loop.
      if (!Rolled.empty() && !withLoopsOf(Rolled[0], Same[0]))
        break;
      if (!Rolled.empty())
        Same[0] = *withLoopsOf(Rolled[0], Same[0]);
      Rolled.push_back(std::move(Same[0]));
    }
    if (Rolled.size() == Parts) {
      Kept = std::move(Rolled);
      return;
    }
  }
  if (!In.KeepParts)
    Kept = std::move(All);
}

/// Appends \p Writes to \p Result, with the short loops that are not in
/// \p Kept written out. What one loop stores is stored iteration by iteration,
/// so that of two stores to one element the same one stays the last.
static void writeOut(llvm::ArrayRef<Write> Writes,
                     const std::vector<BoundLoop> &Kept,
                     std::vector<Write> &Result) {
  constexpr int64_t Most = 16;
  auto Repeats = [](const Write &W, unsigned Counter) {
    return llvm::any_of(
        W.Loops, [&](const BoundLoop &L) { return L.Counter == Counter; });
  };
  while (!Writes.empty()) {
    const Write &First = Writes.front();
    // The outermost loop is the last one.
    auto Outer = llvm::find_if(llvm::reverse(First.Loops), [&](const auto &L) {
      const auto Trip = L.Trip.getConstant();
      return Trip && *Trip >= 1 && *Trip <= Most &&
             llvm::none_of(Kept, [&](const BoundLoop &Other) {
               return Other.Counter == L.Counter;
             });
    });
    if (Outer == First.Loops.rend()) {
      Result.push_back(First);
      Writes = Writes.drop_front();
      continue;
    }
    const unsigned Counter = Outer->Counter;
    const int64_t Trip = *Outer->Trip.getConstant();
    const llvm::ArrayRef<Write> Body =
        Writes.take_while([&](const Write &W) { return Repeats(W, Counter); });
    for (int64_t I = 0; I < Trip; ++I) {
      std::vector<Write> Iteration;
      for (const Write &W : Body) {
        Iteration.push_back(withCounter(W, Counter, IntExpr(I)));
        llvm::erase_if(Iteration.back().Loops, [&](const BoundLoop &L) {
          return L.Counter == Counter;
        });
      }
      writeOut(Iteration, Kept, Result);
    }
    Writes = Writes.drop_front(Body.size());
  }
}

/// \p Writes, where some are made by fewer loops than others, with the short
/// loops that others have written out: `if (col + 3 < N)` a vector is stored,
/// and otherwise a loop stores those of its elements that are in the matrix.
static std::vector<Write> oneByOne(const std::vector<Write> &Writes) {
  std::vector<BoundLoop> Fewest;
  bool Differ = false;
  for (const Write &W : Writes) {
    Differ |= W.Loops.size() != Writes.front().Loops.size();
    if (&W == &Writes.front() || W.Loops.size() < Fewest.size())
      Fewest = W.Loops;
  }
  if (!Differ)
    return Writes;
  std::vector<Write> Result;
  writeOut(Writes, Fewest, Result);
  return Result;
}

bool Normalizer::collectStores() {
  pinThreads();
  std::vector<ValueRef> AsExecuted; // with all conditions of their sums
  for (const auto &[Name, A] : In.Final) {
    if (A.IsLocal)
      continue;
    std::vector<Write> Kept;
    for (const Write &W : oneByOne(A.Writes))
      if (!W.Guard.isFalse())
        overlay(Kept, W, /*AsOutput=*/true);
    for (Write &W : Kept) {
      if (W.Value.is(SymValue::Kind::Scalar)) {
        std::vector<BoundLoop> Loops = W.Loops;
        for (BoundLoop &L : Loops)
          L.Trip -= 1;
        W.Value.S = onlySet(W.Value.S, Loops, W.Guard);
        noteReach(W);
      }
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
    for (const Write &W : Kept)
      AsExecuted.push_back(W.Value.S);
    if (Kept.size() > 1) {
      for (Write &W : Kept)
        W.Guard = asLess(W.Guard);
      sortByPlace(Kept);
      rollUpStores(Kept);
    }
    // The parts of an element, whose places checkOutputsApart() compares.
    const bool Parts = llvm::all_of(Kept, [&](const Write &W) {
      const IntExpr Distance = W.Index - Kept[0].Index;
      bool Moves = false;
      Distance.walk([&](const IntAtom &A) {
        Moves |= !llvm::is_contained(
            {AtomKind::Param, AtomKind::BlockDim, AtomKind::GridDim},
            A.getKind());
      });
      return !Moves;
    });
    if (Kept.size() > 1 && !Parts)
      return fail(DiagID::UnsupportedStatement, Kept[1].Loc,
                  "'" + Name +
                      "' is stored to in several places; one thread "
                      "must compute one element at a time");
    for (const Write &W : Kept)
      Raw.push_back({W, Name});
  }
  if (Raw.empty())
    return fail(DiagID::NoSumStored, In.KernelLoc,
                "it stores nothing through a pointer parameter");
  // In program order, not in the order of names.
  llvm::sort(Raw, [](const auto &A, const auto &B) {
    return A.first.Id < B.first.Id;
  });
  // `for (j...) q[n + j] = ...; for (j...) k[n + j] = ...` is one loop.
  for (auto &[W, Name] : llvm::drop_begin(Raw))
    if (auto There = withLoopsOf(Raw[0].first, W))
      W = std::move(*There);
  if (llvm::any_of(Raw, [&](const auto &R) {
        return R.first.Guard != Raw[0].first.Guard;
      }))
    decideChoices();
  for (const auto &[W, Name] : Raw)
    Space.Stores.push_back({Name, In.Final[Name].Elem, W.Index, W.Value.S,
                            W.Guard, W.Loc, W.ByWarp, W.Id});
  const BoolExpr Common = commonGuard([](const Store &) { return true; });
  Space.Obligations = In.Obligations;
  for (Obligation &O : Space.Obligations) {
    O.Guarded = implies(O.Guard, Common);
    for (const auto &[W, Name] : Raw)
      if (implies(O.Guard, W.Guard) && Raw.size() > 1)
        O.OfStore = W.Id;
  }
  for (const ValueRef &V : AsExecuted)
    ReachedByAll &= reachesSums(V, Common);
  Remarks.Settled = Space.settleFlags(Remarks.Choice);
  return true;
}

bool Normalizer::applyGuards() {
  for (const IndexVar &V : Space.Vars)
    Extents.push_back(V.Range);
  llvm::SmallVector<BoolExpr, 4> Common;
  commonGuard([](const Store &) { return true; }).conjuncts(Common);
  for (Store &S : Space.Stores) {
    llvm::SmallVector<BoolExpr, 4> Tests;
    if (S.Guard.isFalse())
      return fail(DiagID::NoSumStored, S.Loc, "this store is never reached");
    S.Guard.conjuncts(Tests);
    for (const BoolExpr &T : Tests) {
      bool HasIndex = false, HasValue = false;
      T.walk([&](const IntExpr &E) { HasIndex |= Space.mentions(E); },
             [&](const ValueRef &) { HasValue = true; });
      if (std::string Why = inConstantMemory(T); !Why.empty())
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "where the matrix ends is not known to the launcher: " +
                        Why);
      if (HasValue)
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "whether this element is stored depends on " + originOf(T));
      if (!HasIndex) {
        // The condition is the same for all threads: where it does not hold the
        // kernel stores nothing.
        Space.require(T, "the kernel's condition does not hold");
        continue;
      }
      size_t Var;
      IntExpr Bound;
      const bool IsCommon = llvm::is_contained(Common, T);
      if (!IsCommon && takeRange(S.Range, T))
        continue;
      if (!Space.boundOf(T, Var, Bound)) {
        // Indices that were made by the lift have no name in the source.
        bool IsNamed = true;
        T.walk(
            [&](const IntExpr &E) {
              IsNamed &= !E.containsKind(AtomKind::Counter);
            },
            [](const ValueRef &) {});
        std::string Which = IsNamed ? ": " + T.str() : "";
        const IntExpr Distance = T.getLHS() - T.getRHS();
        bool Signs[2] = {};
        for (const IndexVar &V : Space.Vars)
          if (auto F = Distance.coefficient(V.key()))
            if (auto K = F->getConstant(); K && *K != 0)
              Signs[*K < 0] = true;
        if (Which.empty() && Signs[0] && Signs[1])
          Which = ", but compares two with each other, as that of a triangle "
                  "does; a kernel that stores zeros or -INFINITY elsewhere is "
                  "rewritten";
        for (const auto &[Part, By] : Space.Divisors)
          if (Which.empty() && Distance.contains(Part))
            Which = ", as one is divided by " + By.str();
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "the condition under which this element is stored does not "
                    "bound one index at a time" +
                        Which);
      }
      if (Var == Space.Vars.size())
        continue;
      if (Space.mentions(Bound))
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "the bound of an index depends on another index");
      if (!IsCommon)
        return fail(DiagID::UnsupportedBounds, S.Loc,
                    "the outputs are not stored under the same condition");
      // The bound comes first: `min(M, gridDim.y * blockDim.y)` is easier to
      // read than a sum of cases, and the launcher evaluates it exactly.
      if (&S == &Space.Stores.front())
        Extents[Var] = lesser(Extents[Var], Bound);
    }
  }
  coverRanges();
  return true;
}

/// Shows the facts about integers that the lift relied on, or requires them.
bool Normalizer::settle() {
  for (const Requirement &R : In.Requires)
    Space.require(R.Condition, R.Reason);
  C.IndexBits = In.IndexBits;
  C.IndexSigned = In.IndexSigned;
  std::vector<SumFacts> Sums;
  for (size_t N = 0; N < Terms.size(); ++N) {
    const Term &T = Terms[N];
    Sums.push_back(
        {T.Extents, T.Renamed, T.Factors.A.Index, T.Factors.B.Index});
    if (T.Parts.Guarded)
      for (Obligation &O : Space.Obligations)
        O.InSums &= ~(uint64_t(1) << N);
  }
  if (auto Bad = discharge(Space, Extents, Sums, C, In.Bounds))
    return fail(DiagID::UnsupportedBounds, Bad->Loc, Bad->What);
  // A failing assertion ends the program. The launcher checks one that depends
  // on the launch alone; one that depends on the thread is ignored.
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

/// The greatest number that divides every coefficient of \p E, and \p D.
static int64_t commonDivisor(const IntExpr &E, int64_t D) {
  for (const auto &Term : E.terms())
    D = std::gcd(D, Term.second);
  return D;
}

/// Whether the stride \p S is negative for sizes that are not: -1, or -M * N.
static bool isBackwards(const IntExpr &S) {
  return !S.overflowed() && !S.isZero() &&
         llvm::all_of(S.terms(), [](const auto &T) { return T.second < 0; });
}

/// The condition under which different (b, m, n) are different elements of
/// \p O: in some order, each of the indices steps over all that the indices
/// before it reach. With a \p Distance, also of another output that has the
/// same steps and begins that much later: which of the two it is counts as one
/// more index, of two values.
BoolExpr Normalizer::stepsApart(const Output &O,
                                const std::optional<IntExpr> &Distance) const {
  struct Step {
    IntExpr Stride, Extent;
  };
  const IndexForm Form = *C.formOf(O.Index);
  std::vector<Step> Steps = {{Form.N, countOf(O, "n", C.NExtent)},
                             {Form.M, countOf(O, "m", C.MExtent)}};
  for (size_t I = 0; I < Form.Batch.size(); ++I)
    Steps.push_back({Form.Batch[I], C.BatchDigits.empty()
                                        ? countOf(O, "b", C.BatchExtent)
                                        : C.BatchDigits[I]});
  if (Distance)
    Steps.push_back({isBackwards(*Distance) ? -*Distance : *Distance, 2});
  llvm::erase_if(Steps,
                 [](const Step &S) { return provablyAtLeast(1, S.Extent); });
  // Only orders in which strides have more and more factors are plausible.
  auto FactorsOf = [&](size_t I) {
    const IntExpr &S = Steps[I].Stride;
    return S.isZero() ? 0 : S.terms().begin()->first.size();
  };
  std::vector<size_t> Order(Steps.size());
  std::iota(Order.begin(), Order.end(), 0);
  BoolExpr Any = BoolExpr::constant(false);
  do {
    if (!llvm::is_sorted(Order, [&](size_t X, size_t Y) {
          return FactorsOf(X) < FactorsOf(Y);
        }))
      continue;
    BoolExpr All = BoolExpr::constant(true);
    IntExpr Span(1);
    for (size_t I : Order) {
      if (!provablyAtLeast(Steps[I].Stride, Span))
        All = BoolExpr::conjunction(
            All, BoolExpr::compare(CmpOp::GE, Steps[I].Stride, Span));
      Span += Steps[I].Stride * (Steps[I].Extent - 1);
    }
    Any = BoolExpr::disjunction(Any, All);
  } while (!Any.isTrue() && std::next_permutation(Order.begin(), Order.end()));
  return Any;
}

/// Outputs of one array, such as the two parts of a complex number, the halves
/// of a row or planes one behind the other, must not meet.
bool Normalizer::checkPartsApart(const Output &O, const Output &Before,
                                 SourceLocation Loc) {
  const IntExpr Distance = O.Index - Before.Index;
  if (O.When != Before.When) {
    // Each from where its range begins. The launcher compares their bytes.
    auto FromBegin = [](const Output &Of) {
      if (!Of.When)
        return Of.Index;
      const IntExpr Index = IntExpr::index(Of.When->Index);
      return Of.Index.substitute(Index.str(), Index + Of.When->Begin);
    };
    return FromBegin(O) != FromBegin(Before) ||
           fail(DiagID::UnsupportedStatement, Loc,
                "'" + O.Pointer +
                    "' is stored to in several places, which are the same "
                    "elements");
  }
  const std::optional<int64_t> Known = Distance.getConstant();
  BoolExpr Apart = BoolExpr::constant(false);
  if (!Distance.containsKind(AtomKind::Index))
    Apart = stepsApart(O, Distance);
  if (Known && !Apart.isTrue()) {
    // Parts of which none is where a step leads from another one.
    int64_t Step = 0;
    const IndexForm Form = *C.formOf(O.Index);
    for (const IntExpr &Stride : {Form.M, Form.N})
      Step = commonDivisor(Stride, Step);
    for (const IntExpr &Stride : Form.Batch)
      Step = commonDivisor(Stride, Step);
    Apart = BoolExpr::constant(Step && *Known % Step != 0);
  }
  if (Apart.isFalse()) {
    PartsMeet = true;
    return fail(DiagID::UnsupportedStatement, Loc,
                "'" + O.Pointer +
                    "' is stored to in several places; one thread must compute "
                    "one element at a time");
  }
  Space.require(Apart, "parts of the output overlap");
  return true;
}

/// Different (b, m, n) must be different elements, also of different parts of
/// one array.
bool Normalizer::checkOutputsApart() {
  for (size_t N = 0; N < C.Outputs.size(); ++N)
    for (size_t Before = 0; Before < N; ++Before)
      if (C.Outputs[N].Pointer == C.Outputs[Before].Pointer &&
          !checkPartsApart(C.Outputs[N], C.Outputs[Before],
                           Space.Stores[N].Loc))
        return false;
  for (size_t N = 0; N < C.Outputs.size(); ++N) {
    const Output &O = C.Outputs[N];
    SourceLocation Loc = Space.Stores[N].Loc;
    const IndexForm Form = *C.formOf(O.Index);
    std::vector<IntExpr> Strides = {Form.M, Form.N};
    Strides.insert(Strides.end(), Form.Batch.begin(), Form.Batch.end());
    for (const IntExpr &S : Strides)
      if (isBackwards(S))
        return fail(DiagID::UnsupportedBounds, Loc,
                    "the output is walked backwards");
    // Stores to one element are a race, which nobody means; additions are none.
    if (In.Atomics.count(O.Pointer))
      for (const auto &[Stride, Count] :
           {std::pair(Form.M, countOf(O, "m", C.MExtent)),
            std::pair(Form.N, countOf(O, "n", C.NExtent))})
        if (!provablyAtLeast(Stride, 1) && !provablyAtLeast(1, Count))
          Space.require(
              BoolExpr::disjunction(BoolExpr::compare(CmpOp::GE, Stride, 1),
                                    BoolExpr::compare(CmpOp::LE, Count, 1)),
              "several threads add to the same element");
    if (!C.BatchDigits.empty()) {
      Space.require(stepsApart(O, std::nullopt),
                    "matrices of the batch overlap");
      continue;
    }
    IntExpr SM = O.stride("m"), SN = O.stride("n"), SB = O.stride("b");
    const IntExpr Rows = countOf(O, "m", C.MExtent),
                  Columns = countOf(O, "n", C.NExtent),
                  Matrices = countOf(O, "b", C.BatchExtent);
    IntExpr Row = SN * (Columns - 1) + 1; // elements that a row spans
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
    if (!provablyAtLeast(1, Rows))
      Require(SM, Row, SN, SM * (Rows - 1) + 1);
    if (!provablyAtLeast(1, Matrices)) {
      IntExpr Matrix = SM * (Rows - 1) + Row;
      if (!provablyAtLeast(SB, Matrix)) {
        // The order [m][b][n] is as good as [b][m][n].
        BoolExpr Outer = BoolExpr::compare(CmpOp::GE, SB, Matrix);
        BoolExpr Inner = BoolExpr::conjunction(
            BoolExpr::compare(CmpOp::GE, SB, Row),
            BoolExpr::compare(CmpOp::GE, SM, SB * (Matrices - 1) + Row));
        Space.require(BoolExpr::disjunction(Outer, Inner),
                      "matrices of the batch overlap");
      }
    }
  }
  return true;
}

/// A contraction with several batch indices is computed by several launches. If
/// one of them fails, the original computes everything once more, so outputs
/// must not be read. Prologues are not computed in this way.
bool Normalizer::checkSeveralLaunches() {
  if (C.hasPrologue())
    return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                "more than one batch index, and an operand that is computed "
                "from its elements");
  for (const Output &O : C.Outputs)
    for (const Output &Of : C.Outputs) {
      bool Read = false;
      Of.Value->walk([&](const Value &V) {
        Read |= V.K == Value::Kind::Load && V.Name == O.Pointer;
      });
      if (Read)
        return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                    "more than one batch index, and '" + O.Pointer +
                        "' is read before it is stored to");
    }
  return true;
}

/// An output may be read only at the element that is written; apart from that,
/// values may contain only loads and parameters.
bool Normalizer::checkLeaves() {
  if (!C.BatchDigits.empty() && !checkSeveralLaunches())
    return false;
  for (const Output &O : C.Outputs) {
    bool IsMultiplied = false;
    C.forEachOperand([&](const Operand &P) {
      IsMultiplied |= P.Pointer == O.Pointer;
      if (P.Prologue)
        P.Prologue->walk([&](const Value &V) {
          IsMultiplied |= V.K == Value::Kind::Load && V.Name == O.Pointer;
        });
    });
    if (IsMultiplied)
      return fail(DiagID::OrderingHazard, Space.Sums[0].Loc,
                  "'" + O.Pointer + "' is both multiplied and stored to");
    for (size_t N = 0; N < C.Outputs.size(); ++N) {
      SourceLocation Bad;
      bool Found = false;
      // Generated code reads all parts of an element before it stores one.
      auto IsPart = [&](const IntExpr &Index) {
        return llvm::any_of(C.Outputs, [&](const Output &Part) {
          return Part.Pointer == O.Pointer && Part.Index == Index &&
                 Part.When == C.Outputs[N].When;
        });
      };
      C.Outputs[N].Value->walk([&](const Value &V) {
        if (V.K == Value::Kind::Load && V.Name == O.Pointer &&
            !IsPart(V.Index)) {
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
  // The generated code names arrays by the parameters that point to them.
  for (const ParamLeaf &P : In.Params) {
    if (!P.IsPointer || (P.Lanes == 1 && !P.Reread))
      continue;
    bool Used = false;
    for (const Output &O : C.Outputs) {
      Used |= O.Pointer == P.Path;
      O.Value->walk([&](const Value &V) {
        Used |= V.K == Value::Kind::Load && V.Name == P.Path;
      });
    }
    C.forEachOperand([&](const Operand &O) {
      if (O.Prologue)
        O.Prologue->walk([&](const Value &V) {
          Used |=
              V.K == Value::Kind::Load && V.Name == P.Path && !O.isElement(V);
        });
    });
    // Generated code reads float2 as two floats, and bits as their numbers.
    if (Used && (P.Lanes == 1 || (isFloating(P.Type) && !isFloat8(P.Type)))) {
      C.VectorPointers.push_back(P.Path);
      continue;
    }
    if (Used)
      return fail(DiagID::UnsupportedType, In.KernelLoc,
                  "'" + P.Path +
                      "' points to vectors, and is used for more than an "
                      "operand of the product");
  }
  auto IsLeft = [](const ValueRef &Root) {
    bool Bad = false;
    Root->walk([&](const Value &V) {
      Bad |= V.K == Value::Kind::Sum || V.K == Value::Kind::Phi ||
             V.K == Value::Kind::Undefined ||
             V.Index.containsKind(AtomKind::Counter) ||
             V.Index.containsKind(AtomKind::ThreadIdx) ||
             V.Index.containsKind(AtomKind::BlockIdx);
    });
    return Bad;
  };
  for (const Output &O : C.Outputs)
    if (IsLeft(O.Value))
      return fail(DiagID::UnsupportedExpression, Space.Stores[0].Loc,
                  "what is stored depends on more than the sum and the index "
                  "of the element");
  bool Bad = false;
  C.forEachOperand([&](const Operand &O) {
    if (!O.Prologue)
      return;
    Bad |= IsLeft(O.Prologue);
    Bad |= mentionsAny(SymValue::scalar(O.Prologue), [](llvm::StringRef Key) {
      return Key.contains("threadIdx.") || Key.contains("blockIdx.");
    });
  });
  if (Bad)
    return fail(DiagID::UnsupportedExpression, Space.Sums[0].Loc,
                "what is multiplied depends on more than the indices of the "
                "element");
  return true;
}

bool Normalizer::finish() {
  if (!checkOutputsApart() || !settle() || !checkLeaves())
    return false;
  // A requirement on the numbers of a single thread has to be stated for the
  // whole launch.
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
  if (!settleBlockShape(Space.Requires)) {
    Remarks.NoShape = true;
    return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                "no shape of a block fits the tiles of the kernel");
  }
  for (const Requirement &R : Space.Requires)
    if (R.Condition.isFalse())
      return fail(DiagID::UnsupportedBounds, Space.Stores[0].Loc,
                  "no launch can meet what this needs: " + R.Reason);
  C.Requires = Space.Requires;
  for (const ParamLeaf &P : In.Params)
    if (P.IsPointer && P.Restrict)
      C.RestrictPointers.push_back(P.Path);
  return true;
}

std::optional<Contraction> Normalizer::run() {
  if (!collectStores() || !extractSums() || !collectTerms() ||
      !collectVariables() || !applyGuards())
    return std::nullopt;
  for (size_t N = 0; N < Terms.size(); ++N)
    if (!splitProduct(N) || !applySumGuard(N))
      return std::nullopt;
  for (Term &T : Terms)
    resolveClamps(Space, T.Extents, T.Parts);
  if (!assignRoles() || !finish())
    return std::nullopt;
  return std::move(C);
}

/// Whether all sums and products of \p C are over one range of k.
static bool isOneRange(const Contraction &C) {
  return !C.hasOwnRanges() &&
         llvm::all_of(C.MoreSums, [&](const Accumulation &Sum) {
           return Sum.KExtent == C.KExtent;
         });
}

/// Whether the rows or the columns of \p C are a few in each of a batch: the
/// parts of the elements of what is one matrix.
static bool hasPartsAsBatch(const Contraction &C) {
  constexpr int64_t MostParts = 4;
  return !C.BatchExtent.isOne() &&
         (!C.BatchDigits.empty() ||
          C.MExtent.getConstant().value_or(MostParts + 1) <= MostParts ||
          C.NExtent.getConstant().value_or(MostParts + 1) <= MostParts);
}

std::optional<Contraction> normalize(NormalizeInput Input,
                                     std::optional<Failure> &Why,
                                     NormalizeRemarks &Remarks) {
  NormalizeInput Again = Input;
  Normalizer First(Input, Why, Remarks);
  std::optional<Contraction> C = First.run();
  if (!First.rolledAll() || (C && isOneRange(*C) && !hasPartsAsBatch(*C)))
    return C;
  // The parts of a complex number lie side by side, as what a loop reads does:
  // the products of one part may look like a loop, and those of the other not.
  Again.KeepParts = true;
  std::optional<Failure> WhyNotParts;
  NormalizeRemarks OfParts;
  Normalizer Second(Again, WhyNotParts, OfParts);
  std::optional<Contraction> InParts = Second.run();
  if (InParts && (!C || (isOneRange(*InParts) && !hasPartsAsBatch(*InParts)))) {
    Why.reset();
    Remarks = OfParts;
    return InParts;
  }
  // Parts that are not apart say more than a sum that is taken for another one.
  if (!C && Second.partsMeet())
    Why = WhyNotParts;
  return C;
}

} // namespace warpwright::symbolic
