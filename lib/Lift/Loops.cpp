//===-- Loops.cpp - Loops become sums and families of writes --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop is executed a few times, never as often as it runs:
///
///  1. With every value that an iteration changes replaced by a symbol (a
///     phi), until no further value turns out to be changed. An integer or a
///     pointer that comes out as `phi + constant` is an induction.
///  2. With inductions in closed form over the iteration number. A number that
///     comes out as `phi + summand` is a sum; so is an array element that is
///     stored to in every iteration. A store whose index moves with the
///     iteration is a family of stores.
///
/// Everything else that is handed from one iteration to the next becomes an
/// Unknown, which names the place if it turns out to matter.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static constexpr unsigned MaxRounds = 8;

bool mentionsPhi(const IntExpr &E) {
  bool Found = false;
  E.walk([&](const IntAtom &A) { Found |= A.getKey().starts_with(PhiPrefix); });
  return Found;
}

//===----------------------------------------------------------------------===//
// Searching and splitting values
//===----------------------------------------------------------------------===//

namespace {
/// Whether anything below mentions one of some phis or counters.
struct Mention {
  llvm::function_ref<bool(llvm::StringRef)> IsPhi;
  bool ints(const IntExpr &E) const {
    bool Found = false;
    E.walk([&](const IntAtom &A) { Found |= IsPhi(A.getKey()); });
    return Found;
  }
  bool bools(const BoolExpr &B) const {
    bool Found = false;
    B.walk([&](const IntExpr &E) { Found |= ints(E); },
           [&](const ValueRef &V) { Found |= values(V); });
    return Found;
  }
  bool values(const ValueRef &V) const {
    if (!V)
      return false;
    if (V->K == Value::Kind::Phi && IsPhi(V->Name))
      return true;
    if (ints(V->Index) || bools(V->Condition))
      return true;
    for (const ValueRef &Op : V->Ops)
      if (values(Op))
        return true;
    return values(V->Body);
  }
};
} // namespace

bool Interpreter::mentions(const LoopState &L, const SymValue &V) const {
  auto IsPhi = [&](llvm::StringRef Name) { return L.Phis.count(Name.str()); };
  Mention M{IsPhi};
  if (M.ints(V.I) || M.bools(V.B) || M.values(V.S))
    return true;
  for (const SymValue &F : V.Fields)
    if (mentions(L, F))
      return true;
  return false;
}

static bool valueMentions(const ValueRef &V, llvm::StringRef Phi) {
  auto IsPhi = [&](llvm::StringRef Name) { return Name == Phi; };
  return Mention{IsPhi}.values(V);
}

ValueRef stripPhi(const ValueRef &V, llvm::StringRef Phi, BoolExpr &Guard) {
  auto Zero = [&] { return Value::integer(V->Type, IntExpr()); };
  auto IsZero = [](const ValueRef &X) {
    return X->K == Value::Kind::Int && X->Index.isZero();
  };
  auto Has = [&](unsigned N) { return valueMentions(V->Ops[N], Phi); };
  // Only the outermost summand keeps a guard of its own; below an addition it
  // becomes a selected zero.
  auto Inner = [&](const ValueRef &X) -> ValueRef {
    BoolExpr G;
    ValueRef R = stripPhi(X, Phi, G);
    return R && !G.isTrue() && !IsZero(R)
               ? Value::select(G, R, Value::integer(R->Type, IntExpr()))
               : R;
  };
  auto Plus = [&](ValueRef A, ValueRef B) {
    if (IsZero(A))
      return B;
    if (IsZero(B))
      return A;
    return Value::binary(Value::Kind::Add, V->Type, A, B);
  };
  switch (V->K) {
  case Value::Kind::Phi:
    return V->Name == Phi ? Zero() : nullptr;
  case Value::Kind::Add: {
    bool L = Has(0), R = Has(1);
    if (L == R)
      return nullptr;
    ValueRef Rest = Inner(V->Ops[L ? 0 : 1]);
    return Rest ? Plus(Rest, V->Ops[L ? 1 : 0]) : nullptr;
  }
  case Value::Kind::Sub: {
    if (!Has(0) || Has(1))
      return nullptr;
    ValueRef Rest = Inner(V->Ops[0]);
    return Rest ? Plus(Rest, Value::unary(Value::Kind::Neg, V->Ops[1]))
                : nullptr;
  }
  case Value::Kind::Fma: {
    if (Has(0) || Has(1) || !Has(2))
      return nullptr;
    ValueRef Rest = Inner(V->Ops[2]);
    return Rest ? Plus(Rest, Value::binary(Value::Kind::Mul, V->Type, V->Ops[0],
                                           V->Ops[1]))
                : nullptr;
  }
  case Value::Kind::Cast:
    // Rounding of the running sum: the rewritten kernel rounds once, later.
    return isFloating(V->Type) == isFloating(V->Ops[0]->Type)
               ? stripPhi(V->Ops[0], Phi, Guard)
               : nullptr;
  case Value::Kind::Call:
    return V->Body ? stripPhi(V->Body, Phi, Guard) : nullptr;
  case Value::Kind::Select: {
    auto IsPhi = [&](llvm::StringRef Name) { return Name == Phi; };
    if (Mention{IsPhi}.bools(V->Condition))
      return nullptr;
    BoolExpr GA, GB;
    ValueRef A = stripPhi(V->Ops[0], Phi, GA);
    ValueRef B = stripPhi(V->Ops[1], Phi, GB);
    if (!A || !B)
      return nullptr;
    if (IsZero(B)) {
      Guard = BoolExpr::conjunction(V->Condition, GA);
      return A;
    }
    if (IsZero(A)) {
      Guard = BoolExpr::conjunction(BoolExpr::negation(V->Condition), GB);
      return B;
    }
    if (!GA.isTrue() || !GB.isTrue())
      return nullptr;
    return Value::select(V->Condition, A, B);
  }
  default:
    return nullptr;
  }
}

/// \p V with every occurrence of \p From replaced.
static ValueRef replace(const ValueRef &V, const ValueRef &From,
                        const ValueRef &To) {
  if (sameValue(V, From))
    return To;
  auto R = std::make_shared<Value>(*V);
  for (ValueRef &Op : R->Ops)
    Op = replace(Op, From, To);
  R->Body = nullptr;
  return R;
}

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

std::optional<IntExpr> Interpreter::tripCount(const BoolExpr &Condition,
                                              unsigned Counter,
                                              SourceLocation Loc) {
  auto Decline = [&](llvm::Twine Why) -> std::optional<IntExpr> {
    fail(DiagID::DataDependentExit, Loc, Why);
    return std::nullopt;
  };
  llvm::SmallVector<BoolExpr, 2> Tests;
  Condition.conjuncts(Tests);
  std::string Key = IntExpr::counter(Counter).str();
  std::optional<IntExpr> Trip;
  for (const BoolExpr &T : Tests) {
    if (T.getKind() != BoolExpr::Kind::Compare)
      return Decline("how often the loop runs depends on more than counters");
    // As a * iter + b < 0.
    IntExpr D = T.getLHS() - T.getRHS();
    CmpOp Op = T.getOp();
    if (Op == CmpOp::GT || Op == CmpOp::GE) {
      D = -D;
      Op = swapSides(Op);
    }
    auto A = D.coefficient(Key);
    if (!A)
      return Decline("the loop's condition is not affine in its counter");
    IntExpr B = D - *A * IntExpr::counter(Counter);
    IntExpr This;
    if (Op == CmpOp::NE) {
      // Counts exactly to the bound.
      auto C = A->getConstant();
      if (!C || (*C != 1 && *C != -1))
        return Decline("the loop runs until its counter equals a bound that it "
                       "may step over");
      This = *C == 1 ? -B : B;
    } else if (Op == CmpOp::LT || Op == CmpOp::LE) {
      if (A->isZero())
        return Decline("the loop's condition does not change while it runs");
      if (!positive(*A))
        return Decline("the loop does not count toward its bound");
      if (Op == CmpOp::LE)
        B = B - 1;
      // Smallest iter with a * iter + b >= 0: ceil(-b / a).
      This = IntExpr::floorDiv(*A - 1 - B, *A);
    } else {
      return Decline("the loop runs while its counter equals something");
    }
    Trip = Trip ? IntExpr::min(*Trip, This) : This;
  }
  if (!Trip)
    return Decline("the loop has no condition that ends it");
  return Trip;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

State Interpreter::headState(LoopState &L, bool Closed) {
  State Head = L.Entry;
  Head.Active = BoolExpr::constant(true);
  for (auto &[Id, C] : L.Cells) {
    SymValue &V = Head.Cells[Id];
    C.Initial = L.Entry.Cells[Id];
    if (Closed && C.K == Carried::Kind::Induction) {
      V.I = C.Initial.I + C.Step * IntExpr::counter(L.Counter);
      continue;
    }
    if (C.AsScalar && C.Initial.is(VK::Int))
      C.Initial = SymValue::scalar(Value::integer(C.Initial.Type, C.Initial.I));
    bool Numeric = C.Initial.is(VK::Int) || C.Initial.is(VK::Pointer);
    if (C.Initial.is(VK::Scalar)) {
      auto P = std::make_shared<Value>(Value::Kind::Phi, C.Initial.Type);
      P->Name = C.Phi;
      V = SymValue::scalar(P);
    } else if (Numeric && !Closed) {
      V.I = IntExpr::param(C.Phi);
    } else {
      V = SymValue::unknown(
          DiagID::NotASum, V.AssignLoc,
          "a value is handed from one iteration to the next in a way that is "
          "not a sum");
    }
  }
  for (CarriedWrite &W : L.Writes) {
    Write H = W.Head;
    auto P =
        std::make_shared<Value>(Value::Kind::Phi, Head.Arrays[W.Array].Elem);
    P->Name = W.Phi;
    H.Value = SymValue::scalar(P);
    H.Guard = BoolExpr::constant(true);
    H.Id = NextWrite++;
    Head.Arrays[W.Array].Writes.push_back(H);
  }
  return Head;
}

/// Runs one iteration from \p Head; the result is in S.
bool Interpreter::iterate(LoopState &L, const State &Head) {
  S = Head;
  OuterActive.push_back(L.Entry.Active);
  Continues.emplace_back();
  ++Frames.back().LoopDepth;
  auto Test = [&] {
    if (!L.Shape.Condition) {
      L.Condition = BoolExpr::constant(true);
      return true;
    }
    State Before = S;
    SymValue V = eval(L.Shape.Condition);
    if (Failed)
      return false;
    if (V.is(VK::Unknown))
      return fail(DiagID::DataDependentExit, L.Shape.Condition->getExprLoc(),
                  "how often the loop runs is not understood: " + V.Reason);
    L.Condition = toBool(V, L.Shape.Condition->getExprLoc());
    for (auto &[Id, Old] : Before.Cells)
      L.ConditionWrites |= !Old.is(VK::Unknown) && !same(Old, S.Cells[Id]);
    return !Failed;
  };
  bool Ok = true;
  if (L.Shape.TestsFirst)
    Ok = Test();
  Ok = Ok && exec(L.Shape.Body);
  if (Ok)
    for (State &C : Continues.back()) {
      State Before = Head;
      State End = std::move(S);
      BoolExpr Taken = C.Active;
      S = merge(Taken, std::move(C), std::move(End), Before);
      S.Active = BoolExpr::constant(true);
    }
  if (Ok && L.Shape.Increment) {
    eval(L.Shape.Increment);
    Ok = !Failed;
  }
  if (Ok && !L.Shape.TestsFirst)
    Ok = Test();
  --Frames.back().LoopDepth;
  Continues.pop_back();
  OuterActive.pop_back();
  return Ok;
}

static bool changed(const SymValue &Before, const SymValue &After) {
  if (Before.is(VK::Unknown) && After.is(VK::Unknown))
    return false;
  return !same(Before, After);
}

/// Same places, whatever the counters of the two are called.
static bool samePlaces(const Write &A, const Write &B) {
  if (A.Loops.size() != B.Loops.size())
    return false;
  std::map<unsigned, IntExpr> Rename;
  for (auto [LA, LB] : llvm::zip(A.Loops, B.Loops)) {
    if (LA.Trip != LB.Trip)
      return false;
    Rename[LB.Counter] = IntExpr::counter(LA.Counter);
  }
  IntExpr Index =
      B.Index.transform([&](const IntAtom &X) -> std::optional<IntExpr> {
        if (X.getKind() != AtomKind::Counter)
          return std::nullopt;
        auto It = Rename.find(X.getDim());
        if (It == Rename.end())
          return std::nullopt;
        return It->second;
      });
  return A.Index == Index;
}

static std::set<unsigned> writeIds(const State &St, const std::string &Array) {
  std::set<unsigned> Ids;
  auto It = St.Arrays.find(Array);
  if (It != St.Arrays.end())
    for (const Write &W : It->second.Writes)
      Ids.insert(W.Id);
  return Ids;
}

/// Step 1: which values does an iteration hand on?
bool Interpreter::findCarried(LoopState &L, State &Head) {
  auto NewPhi = [&] {
    std::string Name = (PhiPrefix + std::to_string(NextPhi++)).str();
    L.Phis.insert(Name);
    return Name;
  };
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    Head = headState(L, /*Closed=*/false);
    if (!iterate(L, Head))
      return false;
    bool Grown = false;
    for (auto &[Id, V] : L.Entry.Cells) {
      const SymValue &Next = S.Cells[Id];
      if (!changed(Head.Cells[Id], Next))
        continue;
      auto [It, New] = L.Cells.try_emplace(Id);
      if (New)
        It->second.Phi = NewPhi();
      bool AsScalar = V.is(VK::Int) && Next.is(VK::Scalar);
      Grown |= New || (AsScalar && !It->second.AsScalar);
      It->second.AsScalar |= AsScalar;
    }
    // As long as a counter still had its first value, an index that moves
    // with it looked fixed.
    if (Grown)
      continue;
    for (auto &NamedArray : S.Arrays) {
      const std::string &Name = NamedArray.first;
      ArrayState &A = NamedArray.second;
      if (!L.Entry.Arrays.count(Name))
        continue; // declared inside
      std::set<unsigned> Old = writeIds(Head, Name);
      for (const Write &W : A.Writes) {
        if (Old.count(W.Id))
          continue;
        SymValue Index = SymValue::integer(W.Index);
        if (mentions(L, Index))
          continue;
        if (llvm::any_of(L.Writes, [&](const CarriedWrite &C) {
              return C.Array == Name && samePlaces(C.Head, W);
            }))
          continue;
        L.Writes.push_back({Name, W, NewPhi()});
        Grown = true;
      }
    }
    if (!Grown)
      return true;
  }
  return fail(DiagID::TooComplex, L.Shape.Loop->getBeginLoc(),
              "the loop is too involved to analyse");
}

/// Inductions, from what the run over phis left in S.
bool Interpreter::classifyCells(LoopState &L) {
  for (auto &[Id, C] : L.Cells) {
    const SymValue &Next = S.Cells[Id];
    const SymValue &Initial = L.Entry.Cells[Id];
    if (Next.K != Initial.K || C.AsScalar)
      continue;
    if (!Next.is(VK::Int) && !Next.is(VK::Pointer))
      continue;
    if (Next.is(VK::Pointer) && Next.Array != Initial.Array)
      continue;
    IntExpr Step = Next.I - IntExpr::param(C.Phi);
    if (mentions(L, SymValue::integer(Step)))
      continue;
    C.K = Carried::Kind::Induction;
    C.Step = Step;
  }
  return true;
}

/// What \p Next does with \p Phi instead of adding to it.
static std::string whyNotASum(const ValueRef &Next, llvm::StringRef Phi) {
  if (!valueMentions(Next, Phi))
    return "keeps only what the last iteration left in it";
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

SymValue Interpreter::finalScalar(LoopState &L, const SymValue &Initial,
                                  const std::string &Phi, const ValueRef &Next,
                                  SourceLocation Loc, llvm::StringRef What) {
  auto NotASum = [&](llvm::Twine Why) {
    return SymValue::unknown(DiagID::NotASum, Loc, What + " " + Why);
  };
  BoolExpr Guard;
  ValueRef Summand = stripPhi(Next, Phi, Guard);
  if (!Summand)
    return NotASum(whyNotASum(Next, Phi));
  if (mentions(L, SymValue::scalar(Summand)) ||
      mentions(L, SymValue::boolean(Guard)))
    return NotASum("adds something that depends on earlier iterations");
  if (!Initial.is(VK::Scalar))
    return Initial.is(VK::Unknown)
               ? Initial
               : NotASum("starts from something that is not understood");
  auto Sum = std::make_shared<Value>(Value::Kind::Sum, Initial.Type);
  Sum->Counter = L.Counter;
  Sum->Index = L.Trip;
  Sum->Condition = Guard;
  Sum->Ops = {Summand};
  Sum->Loc = Loc.getRawEncoding();
  ValueRef R = Sum;
  if (!Initial.S->isConstant(0))
    R = Value::binary(Value::Kind::Add, Initial.Type, Initial.S, R);
  SymValue V = SymValue::scalar(R);
  V.AssignLoc = Loc;
  return V;
}

/// Step 2's result becomes the state after the loop.
bool Interpreter::leaveLoop(LoopState &L, const State &Head) {
  State Next = std::move(S);
  S = L.Entry;
  std::string Key = IntExpr::counter(L.Counter).str();
  auto IsCounter = [&](llvm::StringRef Name) { return Name == Key; };
  Mention Varies{IsCounter};
  for (auto &[Id, C] : L.Cells) {
    SymValue &V = S.Cells[Id];
    const SymValue &N = Next.Cells[Id];
    SourceLocation Loc =
        N.AssignLoc.isValid() ? N.AssignLoc : L.Shape.Loop->getBeginLoc();
    if (C.K == Carried::Kind::Induction) {
      if (L.ConditionWrites)
        V = SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                              "a counter that the loop's condition changes is "
                              "used after the loop");
      else
        V.I = C.Initial.I + C.Step * L.Trip;
      continue;
    }
    if (N.is(VK::Unknown)) {
      V = N;
      continue;
    }
    if (C.Initial.is(VK::Scalar) && N.is(VK::Scalar)) {
      V = finalScalar(L, C.Initial, C.Phi, N.S, Loc, "a value");
      continue;
    }
    if (!mentions(L, N) && !Varies.ints(N.I) && !Varies.bools(N.B) &&
        !Varies.values(N.S) && !N.is(VK::Struct)) {
      V = N; // the same in every iteration
      continue;
    }
    V = SymValue::unknown(DiagID::NotASum, Loc,
                          "a value keeps only what the last iteration left in "
                          "it");
  }
  for (auto &NamedArray : Next.Arrays) {
    const std::string &Name = NamedArray.first;
    ArrayState &A = NamedArray.second;
    if (!L.Entry.Arrays.count(Name))
      continue;
    std::set<unsigned> Old = writeIds(Head, Name);
    for (Write &W : A.Writes) {
      if (Old.count(W.Id))
        continue;
      auto C = llvm::find_if(L.Writes, [&](const CarriedWrite &X) {
        return X.Array == Name && samePlaces(W, X.Head);
      });
      Write R = W;
      R.Id = NextWrite++;
      if (C == L.Writes.end()) {
        // One store per iteration, to a place of its own.
        R.Loops.push_back({L.Counter, L.Trip});
        R.Guard = BoolExpr::conjunction(L.Entry.Active, W.Guard);
        if (mentions(L, W.Value))
          R.Value = SymValue::unknown(
              DiagID::NotASum, W.Loc,
              "the value stored here depends on earlier iterations");
        S.Arrays[Name].Writes.push_back(std::move(R));
        continue;
      }
      R.Guard = L.Entry.Active;
      if (W.Value.is(VK::Scalar)) {
        auto P = std::make_shared<Value>(Value::Kind::Phi, A.Elem);
        P->Name = C->Phi;
        ValueRef V =
            W.Guard.isTrue() ? W.Value.S : Value::select(W.Guard, W.Value.S, P);
        // What the element holds before the loop.
        std::map<unsigned, IntExpr> Saved = LiveTrips;
        for (const BoundLoop &B : W.Loops)
          LiveTrips[B.Counter] = B.Trip;
        State Now = std::move(S);
        S = L.Entry;
        SymValue Initial =
            loadElement(SymValue::pointer(Name, A.Elem, W.Index), W.Loc);
        S = std::move(Now);
        LiveTrips = std::move(Saved);
        R.Value = finalScalar(L, Initial, C->Phi, V, W.Loc, "the stored value");
        if (R.Value.is(VK::Unknown) && W.Guard.isTrue()) {
          // `acc += ...; C[i] = acc;` in every iteration: the last one counts.
          for (auto &[Id, Cell] : L.Cells) {
            const SymValue &N = Next.Cells[Id];
            const SymValue &Final = S.Cells[Id];
            if (!N.is(VK::Scalar) || !Final.is(VK::Scalar))
              continue;
            SymValue Last = SymValue::scalar(replace(V, N.S, Final.S));
            if (mentions(L, Last) || Varies.values(replace(V, N.S, P)))
              continue;
            R.Value = Last;
            break;
          }
        }
      } else if (!W.Value.is(VK::Unknown)) {
        R.Value = SymValue::unknown(
            DiagID::NotASum, W.Loc,
            "the element keeps only what the last iteration stored");
      }
      llvm::erase_if(S.Arrays[Name].Writes, [&](const Write &X) {
        return samePlaces(X, R) && implies(X.Guard, R.Guard);
      });
      S.Arrays[Name].Writes.push_back(std::move(R));
    }
  }
  S.Active = L.Entry.Active;
  return true;
}

bool Interpreter::execLoop(const LoopShape &Shape) {
  LoopState L{Shape, S, {}, {}, {}, 0, {}, {}, false};
  State Head;
  if (!findCarried(L, Head))
    return false;
  // `while (false)`: the body never runs.
  if (L.Condition.isFalse() && Shape.TestsFirst && L.Cells.empty()) {
    S = L.Entry;
    return true;
  }
  classifyCells(L);
  L.Counter = NextCounter++;
  CounterLoop[L.Counter] = Shape.Loop;
  // Once to know how often it runs, and again knowing that.
  Head = headState(L, /*Closed=*/true);
  if (!iterate(L, Head))
    return false;
  SourceLocation Loc = Shape.Condition ? Shape.Condition->getExprLoc()
                                       : Shape.Loop->getBeginLoc();
  auto Trip = tripCount(L.Condition, L.Counter, Loc);
  if (!Trip)
    return false;
  L.Trip = Shape.TestsFirst ? *Trip : *Trip + 1;
  if (!Shape.TestsFirst)
    require(BoolExpr::compare(CmpOp::GE, L.Trip, 1),
            "a do loop would run no iteration");
  LiveTrips[L.Counter] = L.Trip;
  Head = headState(L, /*Closed=*/true);
  bool Ok = iterate(L, Head);
  LiveTrips.erase(L.Counter);
  return Ok && leaveLoop(L, Head);
}

} // namespace warpwright::symbolic
