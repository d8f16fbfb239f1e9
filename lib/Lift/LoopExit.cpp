//===-- LoopExit.cpp - What a loop leaves ---------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last step of a loop (see Loops.cpp): from what one general iteration
/// does follow the values and the memory after all iterations.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "Simplify.h"
#include "SplitProduct.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include <cmath>
#include <functional>
#include <numeric>

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// Why \p Next is not \p Phi plus a summand: what it does with \p Phi instead.
static std::string whyNotASum(const ValueRef &Next, llvm::StringRef Phi) {
  if (!valueMentions(Next, Phi))
    return "keeps only what the last iteration left in it";
  // A sum of 16 bits, for instance; only sums of int and wider ones have
  // instructions.
  if (Next->K == Value::Kind::Cast && !isFloating(Next->Type))
    return ("is cut to " + name(Next->Type) + " in every iteration").str();
  const Value *Applied = nullptr;
  Next->walk([&](const Value &V) {
    if (V.K == Value::Kind::Call && !V.Body && !Applied &&
        llvm::any_of(
            V.Ops, [&](const ValueRef &Op) { return valueMentions(Op, Phi); }))
      Applied = &V;
  });
  if (!Applied)
    return "is handed from one iteration to the next, but not by adding to it";
  llvm::StringRef Type = Applied->Name;
  if (Type.consume_front("static_cast<") && Type.consume_back(">"))
    return ("is cut to '" + Type +
            "' after every addition, so that the result depends on the order "
            "of the additions")
        .str();
  return "has '" + Applied->Name +
         "' applied to it in every iteration, which is not an addition in any "
         "order";
}

/// Whether every occurrence of \p Phi in \p V belongs to the element \p Index.
static bool onlyAt(const ValueRef &V, llvm::StringRef Phi,
                   const IntExpr &Index) {
  bool Only = true;
  std::set<const Value *> Seen;
  std::function<void(const ValueRef &)> Go = [&](const ValueRef &X) {
    if (!X || !Seen.insert(X.get()).second)
      return;
    if (X->K == Value::Kind::Phi && X->Name == Phi)
      Only &= X->Index == Index;
    X->Condition.walk([](const IntExpr &) {}, Go);
    for (const ValueRef &Op : X->Ops)
      Go(Op);
    Go(X->Body);
  };
  Go(V);
  return Only;
}

/// Whether \p V is the constant -0.0, chooses it under a condition, or is 0
/// times a number that may be negative.
static bool choosesNegativeZero(const Value &V) {
  std::set<const Value *> Seen;
  std::function<bool(const Value &)> Chooses = [&](const Value &X) {
    if (!Seen.insert(&X).second)
      return false;
    if (X.K == Value::Kind::Select || X.K == Value::Kind::Cast)
      return llvm::any_of(X.Ops,
                          [&](const ValueRef &Op) { return Chooses(*Op); });
    if (X.K == Value::Kind::Mul)
      return llvm::any_of(X.Ops,
                          [](const ValueRef &Op) { return Op->isConstant(0); });
    const auto Start = X.getConstant();
    return Start && *Start == 0 && std::signbit(*Start);
  };
  return Chooses(V);
}

SymValue Executor::finalScalar(LoopState &L, SymValue Initial,
                               const std::string &Phi, ValueRef Next,
                               SourceLocation Loc, llvm::StringRef What) {
  auto NotASum = [&](llvm::Twine Why) {
    return SymValue::unknown(DiagID::NotASum, Loc, What + " " + Why);
  };
  if (auto Set = setInFirst(Next, Phi, L.Counter)) {
    // It is as if it were set before the loop, which then has to run.
    bool Known = true, Varies = false;
    ValueRef Start = replaceValues(Set->Start, [&](const ValueRef &V) {
      const bool Before = V->K == Value::Kind::Phi && V->Name == Phi;
      Known &= !Before || Initial.is(VK::Scalar);
      return Before && Known ? Initial.S : nullptr;
    });
    L.Trip.walk([&](const IntAtom &A) { Varies |= Simplifier::varies(A); });
    Known = Known && !mentions(L, SymValue::scalar(Start));
    if (Known && !Varies) {
      requireIteration(L.Trip, "the loop over k would run no iteration");
      Initial = withCounter(SymValue::scalar(Start), L.Counter, IntExpr());
      Next = Set->Later;
    }
  }
  BoolExpr Guard;
  ScalarType Rounded = Next->Type;
  ValueRef Summand = stripPhi(Next, Phi, Guard, Rounded);
  if (!Summand)
    return NotASum(whyNotASum(Next, Phi));
  if (mentions(L, SymValue::scalar(Summand)) ||
      mentions(L, SymValue::boolean(Guard)))
    return NotASum("adds something that depends on earlier iterations");
  if (!Initial.is(VK::Scalar))
    return Initial.is(VK::Unknown)
               ? Initial
               : NotASum("starts from something that is not understood");
  // Whether a sum of zeros that starts there is 0 or -0 depends on the signs of
  // the products, which tensor cores do not keep.
  if (choosesNegativeZero(*Initial.S))
    return NotASum("starts from -0.0, and zeros that are added to it give 0 or "
                   "-0: start it from 0");
  auto Sum = std::make_shared<Value>(Value::Kind::Sum, Initial.S->Type);
  Sum->Counter = L.Counter;
  Sum->Index = L.Trip;
  if (!mistaken(Mistake::SumGuardDropped))
    Sum->Condition = Guard;
  Sum->Ops = {Summand};
  Sum->Loc = Loc.getRawEncoding();
  // The type to which every partial sum was rounded.
  if (Rounded != Initial.S->Type)
    Sum->Name = name(Rounded).str();
  ValueRef R = Sum;
  if (!Initial.S->isConstant(0) && !mistaken(Mistake::InitialValueDropped))
    R = Value::binary(Value::Kind::Add, Initial.S->Type, Initial.S, R);
  SymValue V = SymValue::scalar(R);
  V.Loc = Loc;
  return V;
}

SymValue Executor::exitValue(const LoopState &L, const llvm::Value *V) {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  SymValue X = valueOf(V);
  if (!I || !L.Loop->contains(I) || L.Unrolled)
    return X;
  // The value that a loop passes on, as it is after the last iteration.
  for (const Carried &C : L.Cells) {
    const llvm::Value *Next = C.Phi->getIncomingValueForBlock(L.Latch);
    if (V == C.Phi && L.TestsFirst)
      return C.Final;
    if (V == Next && !L.TestsFirst && V != C.Phi)
      return C.Final;
  }
  if (X.is(VK::Unknown))
    return X;
  if (mentions(L, X))
    return SymValue::unknown(DiagID::NotASum, X.Loc,
                             "a value keeps only what the last iteration left "
                             "in it");
  auto Key = IntExpr::counter(L.Counter).str();
  if (!mentionsAny(X, [&](llvm::StringRef Name) { return Name == Key; }))
    return X;
  // Whether the value was set in the last, incomplete iteration, whose test
  // failed, or in the last complete one.
  if (X.is(VK::Scalar))
    return SymValue::unknown(DiagID::NotASum, X.Loc,
                             "a value keeps only what the last iteration left "
                             "in it");
  return withCounter(X, L.Counter,
                     L.TestsFirst ? L.TripCount : L.TripCount - 1);
}

/// \p V with every occurrence of \p From replaced.
static ValueRef replaceValue(const ValueRef &V, const ValueRef &From,
                             const ValueRef &To) {
  std::map<const Value *, ValueRef> Known;
  std::function<ValueRef(const ValueRef &)> Go =
      [&](const ValueRef &X) -> ValueRef {
    if (X == From || (X->Size == From->Size && sameValue(X, From)))
      return To;
    auto It = Known.find(X.get());
    if (It != Known.end())
      return It->second;
    auto R = std::make_shared<Value>(*X);
    for (ValueRef &Op : R->Ops)
      Op = Go(Op);
    R->Body = nullptr;
    return Known[X.get()] = R;
  };
  return Go(V);
}

/// \p E without its terms in \p Counters. \p Step becomes a common divisor of
/// itself and the factors of these terms. Nothing if a factor is not a number.
static std::optional<IntExpr>
withoutCounters(const IntExpr &E, const std::vector<unsigned> &Counters,
                int64_t &Step) {
  IntExpr Rest = E;
  for (unsigned Counter : Counters) {
    const IntExpr C = IntExpr::counter(Counter);
    auto Factor = Rest.coefficient(C.str());
    auto Number = Factor ? Factor->getConstant() : std::nullopt;
    if (!Number)
      return std::nullopt;
    Step = std::gcd(Step, *Number);
    Rest = Rest - *Factor * C;
  }
  return Rest;
}

/// Where one iteration of a loop stores, from First to Last, by the loops of
/// the store alone; the next iteration stores Stride behind it.
struct Reach {
  IntExpr Base;
  int64_t Stride = 0, First = 0, Last = 0;
};

/// Nothing if a factor or a number of iterations is not a number.
static std::optional<Reach> reachOf(const Write &W, unsigned Counter) {
  Reach R;
  R.Base = W.Index;
  auto Take = [&](unsigned Id) -> std::optional<int64_t> {
    const IntExpr C = IntExpr::counter(Id);
    auto Factor = R.Base.coefficient(C.str());
    auto Number = Factor ? Factor->getConstant() : std::nullopt;
    if (Number)
      R.Base = R.Base - *Factor * C;
    return Number;
  };
  constexpr int64_t Most = int64_t(1) << 30;
  for (const BoundLoop &L : W.Loops) {
    const auto Trip = L.Trip.getConstant(), Factor = Take(L.Counter);
    if (!Trip || !Factor || *Trip > Most || std::abs(*Factor) > Most)
      return std::nullopt;
    const int64_t Way = *Factor * std::max<int64_t>(*Trip - 1, 0);
    (Way < 0 ? R.First : R.Last) += Way;
  }
  const auto Stride = Take(Counter);
  if (!Stride)
    return std::nullopt;
  R.Stride = *Stride;
  return R;
}

/// Whether different iterations store to \p A and \p B at different places,
/// since each iteration has a part of the array for itself: `x[j][0] = ...;`
/// and `for (t ...) x[j][t] *= 2;`.
static bool keepApart(const Write &A, const Write &B, unsigned Counter) {
  const auto OfA = reachOf(A, Counter), OfB = reachOf(B, Counter);
  if (!OfA || !OfB || OfA->Stride != OfB->Stride)
    return false;
  const auto Distance = (OfB->Base - OfA->Base).getConstant();
  if (!Distance)
    return false;
  const int64_t Stride = std::abs(OfA->Stride);
  // From where A stores to where B does, in the same iteration.
  const int64_t Low = *Distance + OfB->First - OfA->Last,
                High = *Distance + OfB->Last - OfA->First;
  return Stride + Low >= static_cast<int64_t>(A.Size) &&
         Stride - High >= static_cast<int64_t>(B.Size);
}

/// The distance from the first to the last element to which \p W stores, in a
/// loop with \p Counter that runs \p Trip times, if that is a number.
static std::optional<int64_t> spanOf(const Write &W, unsigned Counter,
                                     const IntExpr &Trip) {
  std::vector<BoundLoop> Loops = W.Loops;
  Loops.push_back({Counter, Trip});
  constexpr int64_t Most = int64_t(1) << 20;
  int64_t Span = 0;
  for (const BoundLoop &B : Loops) {
    const auto Stride = W.Index.coefficient(IntExpr::counter(B.Counter).str());
    const auto Step = Stride ? Stride->getConstant() : std::nullopt;
    const auto Count = B.Trip.getConstant();
    if (!Step || !Count || *Step < 0 || *Step > Most || *Count > Most)
      return std::nullopt;
    Span += *Step * std::max<int64_t>(*Count - 1, 0);
  }
  return Span;
}

/// Whether \p A of one iteration and \p B of another one may store to the same
/// place; then their order in the body does not say which of them is the later
/// one. Lanes of vectors never do.
static bool mayMeet(const Write &A, const Write &B, unsigned Counter,
                    const IntExpr &Trip) {
  if (samePlaces(A, B))
    return false; // only in the same iteration
  if (keepApart(A, B, Counter))
    return false;
  std::vector<unsigned> OfA = {Counter}, OfB = {Counter};
  for (const BoundLoop &L : A.Loops)
    OfA.push_back(L.Counter);
  for (const BoundLoop &L : B.Loops)
    OfB.push_back(L.Counter);
  int64_t Step = 0;
  auto BaseA = withoutCounters(A.Index, OfA, Step),
       BaseB = withoutCounters(B.Index, OfB, Step);
  auto Distance =
      BaseA && BaseB ? (*BaseB - *BaseA).getConstant() : std::nullopt;
  if (!Distance || Step == 0)
    return true;
  // One of them stores behind all that the other one does: `f[0][i]` and
  // `f[1][i]`.
  const auto SpanA = spanOf(A, Counter, Trip), SpanB = spanOf(B, Counter, Trip);
  if (SpanA && SpanB &&
      (*Distance >= *SpanA + static_cast<int64_t>(A.Size) ||
       -*Distance >= *SpanB + static_cast<int64_t>(B.Size)))
    return false;
  const int64_t Behind = (*Distance % Step + Step) % Step;
  return Behind < static_cast<int64_t>(A.Size) ||
         Step - Behind < static_cast<int64_t>(B.Size);
}

/// What the element of \p W holds when an iteration comes to this store: what
/// earlier statements of the iteration have stored there, or \p Head, which it
/// held when the iteration began. \p Old are the stores of what it held then.
/// \p Known holds also in iterations that do not make the store \p W.
static SymValue storedAhead(const ArrayState &A, const Write &W,
                            const BoolExpr &Known,
                            const std::set<unsigned> &Old, const ValueRef &Head,
                            llvm::function_ref<SymValue(SymValue)> AsNumber) {
  SymValue V = SymValue::scalar(Head);
  for (const Write &X : A.Writes) {
    if (X.Id == W.Id)
      break;
    const auto There = Old.count(X.Id) ? std::nullopt : withLoopsOf(W, X);
    if (There && There->Index == W.Index && There->Size == W.Size)
      V = select(withoutConjuncts(There->Guard, Known), AsNumber(There->Value),
                 V);
  }
  return V;
}

/// Turns the result of step 3 into the state after the loop.
bool Executor::leaveLoop(LoopState &L) {
  Memory Next = std::move(S);
  S = L.Entry;
  std::string Key = IntExpr::counter(L.Counter).str();
  auto IsCounter = [&](llvm::StringRef Name) { return Name == Key; };
  for (Carried &C : L.Cells) {
    SourceLocation Loc = C.Next.Loc.isValid() ? C.Next.Loc : L.Loc;
    SymValue &V = C.Final = C.Initial;
    if (C.K == Carried::Kind::Induction && C.Conditional) {
      V = SymValue::unknown(DiagID::NotASum, Loc,
                            "a value that only some iterations set is used "
                            "after the loop");
      continue;
    }
    if (C.K == Carried::Kind::Induction) {
      for (auto [P, Step] : llvm::zip(pointersIn(V), C.Steps))
        P->I = P->I + Step * L.TripCount;
      V.SignedExact = C.StaysSigned;
      V.UnsignedExact = C.StaysUnsigned;
      continue;
    }
    if ((C.K == Carried::Kind::Turn || C.K == Carried::Kind::Ahead) &&
        C.Always) {
      V = withCounter(C.Ahead, L.Counter, L.TripCount);
      continue;
    }
    if (C.K == Carried::Kind::Turn || C.K == Carried::Kind::Ahead) {
      V = SymValue::unknown(DiagID::NotASum, Loc,
                            "a value that only some iterations set is used "
                            "after the loop");
      continue;
    }
    if (C.Next.is(VK::Unknown)) {
      V = C.Next;
      continue;
    }
    SymValue Initial = C.Initial;
    if (C.AsScalar)
      Initial = asNumber(Initial, *C.AsScalar);
    if (auto Before = C.AsPair ? halvesOf(Initial) : std::nullopt;
        Before && pairType(C.Next) == C.AsPair) {
      std::vector<SymValue> Halves;
      for (unsigned N = 0; N < 2; ++N)
        Halves.push_back(finalScalar(L, asNumber((*Before)[N], *C.AsPair),
                                     C.half(N), C.Next.Fields[N].S, Loc,
                                     "a value"));
      V = SymValue::aggregate(std::move(Halves));
      continue;
    }
    if (Initial.is(VK::Scalar) && C.Next.is(VK::Scalar)) {
      V = finalScalar(L, Initial, C.Name, C.Next.S, Loc, "a value");
      continue;
    }
    if (!mentions(L, C.Next) && !mentionsAny(C.Next, IsCounter) &&
        !C.Next.is(VK::Aggregate) &&
        (mistaken(Mistake::CarriedValueKept) ||
         (L.TripCount == L.Trip && provablyNonNegative(L.Trip - 1)))) {
      V = C.Next; // the same in every iteration; there is only one
      continue;
    }
    // Every iteration sets it and nothing sets it before, so there has to be an
    // iteration.
    if (C.Initial.is(VK::Unknown) && C.Next.is(VK::Int) &&
        !mentions(L, C.Next)) {
      V = withCounter(C.Next, L.Counter, L.Trip - 1);
      if (!provablyNonNegative(L.Trip - 1))
        require(BoolExpr::compare(CmpOp::GE, L.Trip, 1),
                "a loop that sets a variable runs no iteration");
      continue;
    }
    V = SymValue::unknown(DiagID::NotASum, Loc,
                          "a value keeps only what the last iteration left in "
                          "it");
  }
  leaveShared(L, Next);
  for (auto &NamedArray : Next) {
    const std::string &Name = NamedArray.first;
    ArrayState &A = NamedArray.second;
    if (!L.Entry.count(Name) || A.IsShared)
      continue;
    const std::set<unsigned> &Old = L.LastHead;
    // Two statements store to the same place in different iterations.
    std::set<unsigned> Meet;
    for (const Write &X : A.Writes)
      for (const Write &Y : A.Writes) {
        if (&X == &Y || !A.IsLocal || Old.count(X.Id) || Old.count(Y.Id))
          continue;
        auto Moves = [&](const Write &W) {
          return mentionsAny(SymValue::integer(W.Index, 64), IsCounter);
        };
        if ((Moves(X) || Moves(Y)) && mayMeet(X, Y, L.Counter, L.Trip)) {
          Meet.insert(X.Id);
          Meet.insert(Y.Id);
        }
      }
    for (Write &W : A.Writes) {
      if (Old.count(W.Id))
        continue;
      if (Meet.count(W.Id)) {
        Write R = W;
        R.Id = NextWrite++;
        R.Clobber = true;
        R.Value = SymValue::unknown(DiagID::OrderingHazard, W.Loc,
                                    "an element of " + nameOfLocal(Name) +
                                        " is stored to by several statements "
                                        "of a loop, in an order that depends "
                                        "on the iteration");
        S[Name].Writes.push_back(std::move(R));
        continue;
      }
      auto C = llvm::find_if(L.Writes, [&](const CarriedWrite &X) {
        return X.Array == Name && samePlaces(W, X.Head);
      });
      Write R = W;
      R.Id = NextWrite++;
      if (C != L.Writes.end() && C->Ahead) {
        R.Guard = L.EntryActive;
        R.Value =
            C->Always
                ? withCounter(*C->Ahead, L.Counter, L.TripCount)
                : SymValue::unknown(DiagID::NotASum, W.Loc,
                                    "a value that only some iterations set is "
                                    "used after the loop");
        R.Loops = C->Head.Loops;
        R.Index = C->Head.Index;
        llvm::erase_if(S[Name].Writes, [&](const Write &X) {
          return samePlaces(X, R) && implies(X.Guard, R.Guard);
        });
        S[Name].Writes.push_back(std::move(R));
        continue;
      }
      if (C == L.Writes.end()) {
        // Each iteration makes one store, to a place of its own.
        R.Loops.push_back({L.Counter, L.Trip});
        R.Guard = BoolExpr::conjunction(L.EntryActive, W.Guard);
        if (mentions(L, W.Value))
          R.Value = SymValue::unknown(
              DiagID::NotASum, W.Loc,
              "the value stored here depends on earlier iterations");
        // Stores that this one hides are removed.
        if (A.IsLocal)
          llvm::erase_if(S[Name].Writes, [&](const Write &X) {
            return samePlaces(X, R) && implies(X.Guard, R.Guard);
          });
        S[Name].Writes.push_back(std::move(R));
        continue;
      }
      // Conditions that are the same in all iterations say which elements are
      // stored, the others which terms are added.
      BoolExpr Always = BoolExpr::constant(true), Sometimes = Always;
      llvm::SmallVector<BoolExpr, 4> Tests;
      W.Guard.conjuncts(Tests);
      for (const BoolExpr &T : Tests) {
        const SymValue Test = SymValue::boolean(T);
        BoolExpr &Of =
            A.IsLocal || mentions(L, Test) || mentionsAny(Test, IsCounter)
                ? Sometimes
                : Always;
        Of = BoolExpr::conjunction(Of, T);
      }
      R.Guard = BoolExpr::conjunction(L.EntryActive, Always);
      auto AsNumber = [&](SymValue V) {
        return V.is(VK::Int) ? asNumber(V, C->Type) : V;
      };
      const SymValue Stored = AsNumber(W.Value);
      if (Stored.is(VK::Scalar)) {
        auto P = std::make_shared<Value>(Value::Kind::Phi, C->Type);
        P->Name = C->Phi;
        P->Index = W.Index;
        const SymValue Whole = select(
            Sometimes, Stored, storedAhead(A, W, Always, Old, P, AsNumber));
        if (!Whole.is(VK::Scalar)) {
          R.Value = Whole;
          S[Name].Writes.push_back(std::move(R));
          continue;
        }
        const ValueRef V = Whole.S;
        // The value that the element has before the loop. What each iteration
        // sets anew is not what was there.
        SymValue Initial = SymValue::unknown(
            DiagID::NotASum, W.Loc,
            "the element keeps only what the last iteration stored");
        if (valueMentions(V, C->Phi)) {
          std::vector<BoundLoop> Saved = LiveLoops;
          for (const BoundLoop &B : W.Loops)
            LiveLoops.push_back(B);
          LiveHeaders.resize(LiveLoops.size());
          Memory Now = std::move(S);
          S = L.Entry;
          Initial = readArray(Name, W.Index, W.Size);
          S = std::move(Now);
          LiveLoops = std::move(Saved);
          LiveHeaders.resize(LiveLoops.size());
        }
        Initial = AsNumber(Initial);
        R.Value = finalScalar(L, Initial, C->Phi, V, W.Loc, "the stored value");
        if (!onlyAt(V, C->Phi, W.Index))
          R.Value = SymValue::unknown(
              DiagID::NotASum, W.Loc,
              "an element of the array is changed by another element of it");
        if (R.Value.is(VK::Unknown) && Sometimes.isTrue() &&
            !valueMentions(V, C->Phi)) {
          // `acc += ...; C[i] = acc;` in every iteration: the last store
          // counts.
          for (const Carried &Cell : L.Cells) {
            if (!Cell.Next.is(VK::Scalar) || !Cell.Final.is(VK::Scalar))
              continue;
            ValueRef Last = replaceValue(V, Cell.Next.S, Cell.Final.S);
            if (mentions(L, SymValue::scalar(Last)) ||
                mentionsAny(SymValue::scalar(replaceValue(V, Cell.Next.S, P)),
                            IsCounter))
              continue;
            // If there is no iteration, nothing is stored.
            if (!provablyNonNegative(L.Trip - 1))
              oblige(L.Trip, 1, IntExpr(INT64_MAX),
                     "a loop that stores its result runs no iteration");
            R.Value = SymValue::scalar(Last);
            R.Value.Loc = W.Loc;
            break;
          }
        }
      } else if (!W.Value.is(VK::Unknown)) {
        R.Value = SymValue::unknown(
            DiagID::NotASum, W.Loc,
            "the element keeps only what the last iteration stored");
      }
      llvm::erase_if(S[Name].Writes, [&](const Write &X) {
        return samePlaces(X, R) && implies(X.Guard, R.Guard);
      });
      S[Name].Writes.push_back(std::move(R));
    }
  }
  return true;
}

} // namespace warpwright::symbolic
