//===-- Loops.cpp - Loops become sums and families of writes --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The body of a loop is executed a few times, never as often as it runs:
///
///  1. With every phi of the header, and every array element that each
///     iteration stores to, replaced by a symbol. An integer or a pointer that
///     comes out as `symbol + constant` is an induction.
///  2. With inductions in closed form over the iteration number, which gives
///     the number of iterations.
///  3. Again, knowing that. A number that comes out as `symbol + summand` is a
///     sum; so is an array element that is stored to in every iteration. A
///     store whose index moves with the iteration is a family of stores.
///
/// Everything else that is handed from one iteration to the next becomes an
/// Unknown, which names the place if it turns out to matter.
///
/// ScalarEvolution is not used for this: it knows nothing of what kept calls,
/// arrays and the header functions of half precision do, and its answers are
/// in terms of IR values of one function, which would have to be executed
/// again to become polynomials over parameters.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <functional>

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
// Trip counts
//===----------------------------------------------------------------------===//

namespace {
/// Factor * Quotient + Rest, with a Factor above 0.
struct WithQuotient {
  int64_t Factor;
  AtomRef Quotient;
  IntExpr Rest;
};
} // namespace

/// \p D, if \p Key occurs in it only in the numerator of one quotient.
static std::optional<WithQuotient> onlyQuotient(const IntExpr &D,
                                                llvm::StringRef Key) {
  for (const auto &[Atoms, Factor] : D.terms()) {
    if (Atoms.size() != 1 || Factor < 1 ||
        Atoms[0]->getKind() != AtomKind::FloorDiv ||
        !IntExpr(Atoms[0]).contains(Key))
      continue;
    WithQuotient W{Factor, Atoms[0], D - IntExpr(Factor) * IntExpr(Atoms[0])};
    if (!W.Rest.contains(Key) && !W.Quotient->getRHS().contains(Key))
      return W;
  }
  return std::nullopt;
}

std::optional<IntExpr> Executor::tripCount(const BoolExpr &Condition,
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
    if (T.getKind() == BoolExpr::Kind::Constant && !T.isTrue()) {
      Trip = IntExpr();
      continue;
    }
    if (std::string Why = inConstantMemory(T); !Why.empty())
      return Decline("how often the loop runs is not known to the launcher: " +
                     Why);
    if (hasValues(T))
      return Decline("how often the loop runs depends on data that it loads or "
                     "computes");
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
    // `8 * (tile / columns) < rows`: with n > 0 and a > 0,
    //   a * floor(x / n) + b < 0  where  x < n * ceil(-b / a).
    if (const auto Whole =
            !A && Op != CmpOp::NE ? onlyQuotient(D, Key) : std::nullopt) {
      const IntExpr &N = Whole->Quotient->getRHS();
      const IntExpr Rest = Op == CmpOp::LE ? Whole->Rest - 1 : Whole->Rest;
      if (Op != CmpOp::EQ && positive(N)) {
        D = Whole->Quotient->getLHS() +
            N * IntExpr::floorDiv(Rest, IntExpr(Whole->Factor));
        Op = CmpOp::LT;
        A = D.coefficient(Key);
      }
    }
    if (!A)
      return Decline("the loop's condition is not affine in its counter");
    IntExpr B = D - *A * IntExpr::counter(Counter);
    IntExpr This;
    if (Op == CmpOp::NE) {
      // Counts exactly to the bound, and only if the bound lies ahead.
      auto C = A->getConstant();
      auto Steps = C && *C != 0 ? (-B).exactDivide(*A) : std::nullopt;
      if (!Steps)
        return Decline("the loop runs until its counter equals a bound that it "
                       "may step over");
      This = *Steps;
      if (Tests.size() > 1)
        return Decline("the loop ends at a bound or at another condition");
      const Simplifier Facts(Bounds, bodyLoops(), totalActive());
      const AtomRef End = This.getAtom();
      const bool IsMin = End && End->getKind() == AtomKind::Min;
      if (!Facts.neverNegative(IsMin ? End->getLHS() : This) ||
          !Facts.neverNegative(IsMin ? End->getRHS() : This))
        oblige(This, 0, IntExpr(INT64_MAX),
               "a loop that counts past its bound");
    } else if (Op == CmpOp::LT || Op == CmpOp::LE) {
      if (A->isZero())
        return Decline("the loop's condition does not change while it runs");
      if (!positive(*A))
        return Decline("the loop does not count toward its bound");
      if (Op == CmpOp::LE && !mistaken(Mistake::BoundExcluded))
        B = B - 1;
      // Smallest iter with a * iter + b >= 0: ceil(-b / a).
      This = IntExpr::floorDiv(*A - 1 - B, *A);
      // `for (i = lane; i < 256; i += 32)` runs as often in each of 32 lanes.
      const Interval Count = Bounds.bounds(This, bodyLoops());
      if (Count.Low == Count.High && Count.within(0, INT32_MAX))
        This = IntExpr(static_cast<int64_t>(Count.Low));
      if (mistaken(Mistake::TripCountOffByOne))
        This = This + 1;
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

void Executor::setHead(LoopState &L, bool Closed) {
  Frame &F = *Frames.back();
  S = L.Entry;
  for (Carried &C : L.Cells) {
    F.Only.erase(C.Phi);
    SymValue V = C.Initial;
    if (C.Leaves) {
      // Wherever this matters, the loop has not ended.
    } else if (Closed && C.K == Carried::Kind::Induction) {
      for (auto [P, Step] : llvm::zip(pointersIn(V), C.Steps)) {
        const IntExpr Start = P->I;
        P->I = Start + Step * IntExpr::counter(L.Counter);
        if (mistaken(Mistake::StartIgnored))
          P->I = Step * IntExpr::counter(L.Counter);
        if (mistaken(Mistake::StepIgnored))
          P->I = Start + IntExpr::counter(L.Counter);
      }
      if (!C.While.isTrue())
        F.Only[C.Phi] = C.While;
      if (V.is(VK::Int)) {
        V.SignedExact = C.StaysSigned;
        V.UnsignedExact = C.StaysUnsigned;
      }
    } else if (Closed &&
               (C.K == Carried::Kind::Turn || C.K == Carried::Kind::Ahead)) {
      V = atHead(L, C.Ahead);
    } else if (C.AsPair) {
      std::vector<SymValue> Halves;
      for (unsigned N = 0; N < 2; ++N) {
        auto P = std::make_shared<Value>(Value::Kind::Phi, *C.AsPair);
        P->Name = C.half(N);
        Halves.push_back(SymValue::scalar(P));
      }
      V = SymValue::aggregate(std::move(Halves));
    } else if (C.AsScalar || V.is(VK::Scalar)) {
      auto P = std::make_shared<Value>(Value::Kind::Phi,
                                       C.AsScalar ? *C.AsScalar : V.S->Type);
      P->Name = C.Name;
      V = SymValue::scalar(P);
    } else if (!Closed && C.Flag) {
      L.Phis.insert(C.symbol(0));
      V = SymValue::exact(IntExpr::select(flag(C), IntExpr(1), IntExpr()),
                          V.Width);
    } else if (!Closed && !pointersIn(V).empty()) {
      unsigned N = 0;
      for (SymValue *P : pointersIn(V)) {
        L.Phis.insert(C.symbol(N));
        P->I = IntExpr::param(C.symbol(N++));
      }
    } else if (!V.is(VK::Unknown) && C.Next.is(VK::Unknown) &&
               !C.Next.Reason.empty()) {
      V = C.Next; // it says why this is no sum
    } else if (!V.is(VK::Unknown)) {
      V = SymValue::unknown(
          DiagID::NotASum, C.Next.Loc.isValid() ? C.Next.Loc : L.Loc,
          "a value is handed from one iteration to the next in a way that is "
          "not a sum");
    }
    F.Values[C.Phi] = std::move(V);
  }
  for (CarriedWrite &W : L.Writes) {
    Write H = W.Head;
    auto P = std::make_shared<Value>(Value::Kind::Phi, W.Type);
    P->Name = W.Phi;
    P->Index = H.Index; // which of the elements
    H.Value = Closed && W.Ahead ? atHead(L, *W.Ahead) : SymValue::scalar(P);
    H.Guard = BoolExpr::constant(true);
    H.Id = NextWrite++;
    S[W.Array].Writes.push_back(H);
  }
  setSharedHead(L);
}

/// The type of the elements to which \p W stores. While the value does not
/// determine it yet, it is the type of what was stored before.
static ScalarType typeBefore(const ArrayState &A, const Write &W) {
  for (const Write &Old : llvm::reverse(A.Writes))
    if (Old.Size == W.Size && Old.Value.is(VK::Scalar))
      return Old.Value.S->Type;
  return A.Elem;
}

/// Executes one iteration; the results are in S and in the values.
bool Executor::iterate(LoopState &L, bool Closed) {
  setHead(L, Closed);
  OuterActive.push_back(L.EntryActive);
  BoolExpr Saved = Active;
  Region R;
  R.Loop = L.Loop;
  R.Early = &L.Early;
  const BoolExpr PassedBefore =
      std::exchange(Passed, BoolExpr::constant(false));
  const size_t BaseBefore = std::exchange(LoopBase, OuterActive.size());
  auto EventsBefore = std::exchange(CopyEvents, {});
  Outlining += !Closed;
  bool Ok = runRegion(R, L.Loop->getHeader());
  Outlining -= !Closed;
  L.CopyEvents = std::exchange(CopyEvents, std::move(EventsBefore));
  L.Passed = std::exchange(Passed, PassedBefore);
  LoopBase = BaseBefore;
  OuterActive.pop_back();
  Active = Saved;
  if (!Ok)
    return false;
  if (!R.Tested)
    return fail(DiagID::DataDependentExit, L.Loc,
                "the loop has no condition that ends it");
  L.Condition = L.Test = R.Continue;
  L.ConditionLoc = R.ContinueLoc;
  for (Carried &C : L.Cells)
    C.Next = valueOf(C.Phi->getIncomingValueForBlock(L.Latch));
  return !Closed || addBreaks(L);
}

std::string Executor::newPhi(LoopState &L) {
  std::string Name = (PhiPrefix + std::to_string(NextPhi++)).str();
  L.Phis.insert(Name);
  return Name;
}

/// Finds the arrays in shared memory to which an iteration has stored, and the
/// elements of others to which every iteration stores. False if all are known.
bool Executor::findStored(LoopState &L) {
  bool Grown = false;
  const std::string Key = L.Counter == LoopState::NoCounter
                              ? std::string()
                              : IntExpr::counter(L.Counter).str();
  auto IsCounter = [&](llvm::StringRef Name) { return Name == Key; };
  // Elements whose places depended on symbols: those of arrays of which none
  // is known.
  std::set<std::string> Known;
  if (!Key.empty())
    for (const CarriedWrite &W : L.Writes)
      Known.insert(W.Array);
  for (auto &NamedArray : S) {
    const std::string &Name = NamedArray.first;
    ArrayState &A = NamedArray.second;
    if (!L.Entry.count(Name) || Known.count(Name))
      continue; // declared inside the loop, or known
    if (A.IsShared) {
      std::set<unsigned> Old = writeIds(L.Entry, Name);
      for (const Write &W : A.Writes)
        if (!W.Clobber && !Old.count(W.Id) && !L.HeadIds.count(W.Id))
          Grown |= L.Shared.insert(Name).second;
      continue;
    }
    // Writes that setHead added have ids of their own; everything that is
    // known is in these and in the writes at the loop's entry.
    std::set<unsigned> Old = writeIds(L.Entry, Name);
    for (const Write &W : A.Writes) {
      if (Old.count(W.Id) || (W.Clobber && !Key.empty()))
        continue;
      const SymValue Index = SymValue::integer(W.Index, 64);
      if (mentions(L, Index) || mentionsAny(Index, IsCounter))
        continue;
      const bool Typed = W.Value.is(VK::Scalar);
      auto Same = llvm::find_if(L.Writes, [&](const CarriedWrite &C) {
        return C.Array == Name && samePlaces(C.Head, W);
      });
      if (Same == L.Writes.end()) {
        const ScalarType Type =
            Typed ? W.Value.S->Type : typeBefore(L.Entry[Name], W);
        L.Writes.push_back({Name, W, newPhi(L), Type, Typed, std::nullopt});
        Grown = true;
      } else if (Typed && !Same->Typed) {
        // Nothing was known about this write in the round that found it.
        Same->Typed = true;
        Grown |= Same->Type != W.Value.S->Type;
        Same->Type = W.Value.S->Type;
      }
    }
  }
  return Grown;
}

/// Step 1: finds what an iteration passes to the next.
bool Executor::findCarried(LoopState &L) {
  for (Carried &C : L.Cells)
    C.Name = newPhi(L);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    if (!iterate(L, /*Closed=*/false))
      return false;
    bool Grown = false;
    for (Carried &C : L.Cells) {
      bool AsScalar = C.Initial.is(VK::Int) && C.Next.is(VK::Scalar);
      if (AsScalar && !C.AsScalar) {
        C.AsScalar = C.Next.S->Type;
        NumberPhis[C.Phi] = *C.AsScalar;
        Grown = true;
      }
      // A register that holds two sums.
      const bool FromPair = halvesOf(C.Initial).has_value();
      if (auto T = FromPair && C.Phi->getType()->isIntegerTy(32)
                       ? pairType(C.Next)
                       : std::nullopt;
          T && !C.AsPair) {
        C.AsPair = T;
        L.Phis.insert({C.half(0), C.half(1)});
        Grown = true;
      }
    }
    // While a counter still had its first value, an index that depends on it
    // looked constant.
    if (Grown)
      continue;
    Grown = findStored(L);
    if (!Grown)
      return true;
  }
  return fail(DiagID::TooComplex, L.Loc, "the loop is too involved to analyse");
}

bool isHarmless(const llvm::Instruction &I, const llvm::Loop &L,
                const KernelModule &Module) {
  auto OwnObject = [&](const llvm::Value *Pointer) {
    const auto *Object =
        llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(Pointer));
    return Object && llvm::all_of(Object->users(), [&](const llvm::User *U) {
             const auto *User = llvm::dyn_cast<llvm::Instruction>(U);
             return User && L.contains(User);
           });
  };
  if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
    return OwnObject(Store->getPointerOperand());
  if (const auto *Copy = llvm::dyn_cast<llvm::MemTransferInst>(&I))
    return OwnObject(Copy->getDest());
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const llvm::Function *F = Call ? Call->getCalledFunction() : nullptr;
  if (!F)
    return false;
  if (F->isIntrinsic())
    return F->doesNotAccessMemory() || llvm::isa<llvm::LifetimeIntrinsic>(I) ||
           llvm::isa<llvm::AssumeInst>(I);
  if (Module.isKept(*F))
    return true;
  const FunctionInfo *Info = Module.info(*F);
  auto Op = Info ? knownFunction(*Info) : std::nullopt;
  if (!Op)
    return false;
  switch (*Op) {
  case KnownOp::Store:
  case KnownOp::Barrier:
  case KnownOp::BarrierVote:
  case KnownOp::Fence:
  case KnownOp::CopyAsync:
  case KnownOp::CopyCommit:
  case KnownOp::CopyWait:
  case KnownOp::SharedBarrier:
  case KnownOp::Pipeline:
  case KnownOp::Atomic:
  case KnownOp::Exchange:
  case KnownOp::Effect:
  case KnownOp::Assertion:
  case KnownOp::AssignAdd:
  case KnownOp::AssignSub:
  case KnownOp::AssignMul:
  case KnownOp::AssignDiv:
  case KnownOp::Construct:
  case KnownOp::Copy:
    return false;
  default:
    return true;
  }
}

/// Forgets what the iterations of \p X were found to leave for the next ones.
static void forgetAhead(LoopState &X) {
  for (Carried &C : X.Cells)
    if (C.K == Carried::Kind::Ahead) {
      C.K = Carried::Kind::Other;
      C.Ahead = {};
      C.Always = false;
    }
  for (CarriedWrite &W : X.Writes) {
    W.Ahead.reset();
    W.Always = false;
  }
}

bool Executor::runLoop(Region &Outer, llvm::Loop &L, const BoolExpr &Entry) {
  Frame &F = *Frames.back();
  auto State = std::make_shared<LoopState>();
  LoopState &X = *State;
  X.Loop = &L;
  X.Latch = L.getLoopLatch();
  X.Loc = locationOf(*L.getHeader()->getTerminator());
  if (SourceLocation Start = Module.locate(L.getStartLoc().get());
      Start.isValid())
    X.Loc = Start;
  llvm::BasicBlock *Preheader = L.getLoopPreheader();
  if (!X.Latch || !Preheader)
    return fail(DiagID::UnsupportedStatement, X.Loc,
                "a loop that is entered or repeated by goto cannot be "
                "analysed");
  // The edges that continue; those to a failing assertion do not.
  llvm::SmallVector<llvm::Loop::Edge, 4> All, Exits;
  L.getExitEdges(All);
  for (const auto &E : All)
    if (!llvm::isa<llvm::UnreachableInst>(E.second->getTerminator()))
      Exits.push_back(E);
  if (Exits.empty())
    return fail(DiagID::DataDependentExit, X.Loc,
                "the loop has no condition that ends it");
  X.Exiting = const_cast<llvm::BasicBlock *>(Exits[0].first);
  X.MainExit = const_cast<llvm::BasicBlock *>(Exits[0].second);
  X.TestsFirst = X.Exiting == L.getHeader() && !worksFirst(X);
  // Every iteration comes to the only test, which may be in its middle: what
  // follows the test has it as a condition.
  if (Exits.size() > 1
          ? !findEarlyExits(X, Exits)
          : F.Form->Loops.getLoopFor(X.Exiting) != &L ||
                !F.Form->Dominators.dominates(X.Exiting, X.Latch)) {
    SourceLocation Where = X.Loc;
    for (const auto &E : Exits)
      if (E.first != L.getHeader())
        Where = locationOf(*E.first->getTerminator());
    return fail(DiagID::DataDependentExit, Where,
                "the loop is left early, so how many products are summed "
                "depends on the data or the thread");
  }
  // A loop of a single block has its test at the end.
  if (X.TestsFirst && X.Exiting == X.Latch)
    X.TestsFirst = false;
  const unsigned OuterHead = HeadWrite;
  rollUpShared(HeadWrite);
  Active = Entry;
  settleZeros();
  X.Entry = S;
  X.EntryActive = Entry;
  for (llvm::PHINode &Phi : L.getHeader()->phis()) {
    Carried C;
    C.Phi = &Phi;
    const llvm::Value *Start = Phi.getIncomingValueForBlock(Preheader);
    C.Initial = valueOf(Start);
    // LLVM names the phi of `sum` without a first value sum.0.
    if (llvm::isa<llvm::UndefValue>(Start))
      C.Initial =
          notSet(Phi.getType(),
                 SymValue::unknown(DiagID::UnsupportedExpression, X.Loc,
                                   "'" + Phi.getName().split('.').first +
                                       "' is used without having been set"));
    if (C.Initial.is(VK::Int)) {
      // Both the signed and the unsigned reading may be exact, if the bounds
      // say so.
      Interval I = Bounds.bounds(C.Initial.I, LiveLoops);
      C.Initial.SignedExact |= I.within(signedRange(C.Initial.Width).Low,
                                        signedRange(C.Initial.Width).High);
      C.Initial.UnsignedExact |= I.within(unsignedRange(C.Initial.Width).Low,
                                          unsignedRange(C.Initial.Width).High);
      if (auto Known = NumberPhis.find(&Phi); Known != NumberPhis.end())
        C.AsScalar = Known->second;
      const auto *Next =
          llvm::dyn_cast<llvm::ZExtInst>(Phi.getIncomingValueForBlock(X.Latch));
      C.Flag = Next && Next->getSrcTy()->isIntegerTy(1) &&
               asCondition(C.Initial).has_value();
    }
    C.Leaves = X.TestsFirst && C.Initial.is(VK::Bool) &&
               C.Initial.B.isFalse() && endsIf(L, Phi);
    X.Cells.push_back(std::move(C));
  }
  auto Done = [&] {
    F.Left[X.Exiting] = State;
    Outer.Edges[{X.Exiting, X.MainExit}] = Entry;
    return true;
  };
  Around.push_back(&X);
  const auto Leave = llvm::scope_exit([&] { Around.pop_back(); });
  if (runKnown(X, Entry, OuterHead))
    return Done();
  // Findings while probing are about symbols, not about the kernel.
  auto Required = Requires;
  auto Obliged = Obligations;
  auto Trapped = Traps;
  const Ranges Bounded = Bounds;
  const unsigned FirstPhase = Phase;
  auto Forget = [&] {
    Requires = Required;
    Obligations = Obliged;
    Traps = Trapped;
    Bounds = Bounded;
    Phase = FirstPhase;
  };
  ++Probing;
  const unsigned BarriersBefore = Barriers;
  bool Ok = findCarried(X);
  X.HasBarrier = Barriers != BarriersBefore;
  Forget();
  --Probing;
  if (!Ok)
    return false;
  auto CountOut = [&](int64_t Count) {
    HeadWrite = OuterHead;
    if (!unroll(X, Count, /*Tested=*/true))
      return false;
    keepKnown(X, Count);
    return Done();
  };
  if (auto Count = countedOut(X)) {
    X.Counter = NextCounter++;
    return CountOut(*Count);
  }
  // Finds inductions in what the run over symbols left.
  for (Carried &C : X.Cells) {
    if (C.Next.K != C.Initial.K || C.AsScalar)
      continue;
    C.Computed = !pointersIn(C.Next).empty();
    std::vector<IntExpr> Steps;
    for (const SymValue *P : pointersIn(C.Next))
      Steps.push_back(P->I - IntExpr::param(C.symbol(Steps.size())));
    if (Steps.empty() || !choosesAlike(C.Next, C.Initial) ||
        llvm::any_of(Steps, [&](const IntExpr &Step) {
          return mentions(X, SymValue::integer(Step, 64));
        }))
      continue;
    C.K = Carried::Kind::Induction;
    C.Steps = std::move(Steps);
    // With `nsw` the next value is exact if this one is.
    C.StaysSigned = C.Initial.SignedExact && C.Next.SignedExact;
    C.StaysUnsigned = C.Initial.UnsignedExact && C.Next.UnsignedExact;
  }
  X.Counter = NextCounter++;
  Active = Entry;
  Reached[X.Counter] = totalActive();
  CounterLoop[X.Counter] = X.Loc;
  findTurns(X);
  // The body may need the number.
  if (auto Count = stepsUnevenly(X) ? countedOut(X, true) : std::nullopt) {
    Active = Entry;
    return CountOut(*Count);
  }
  // Executed repeatedly, as long as an execution tells more, to find how often
  // the loop runs and what an iteration passes on; then once more with that
  // known.
  constexpr unsigned MaxTries = 6;
  for (unsigned Try = 0; Try < MaxTries; ++Try) {
    const unsigned Passed = Barriers, PassedByWarp = WarpBarriers;
    ++Probing;
    Ok = iterate(X, /*Closed=*/true);
    if (Ok)
      findShared(X);
    Forget();
    --Probing;
    if (!Ok)
      return false;
    X.HasBarrier = Barriers != Passed;
    X.HasWarpBarrier = WarpBarriers != PassedByWarp;
    const auto Before = X.Ahead;
    // `fragment[(k + i) % 2]` is one element where k steps by even numbers.
    // What this and earlier executions have read of it is not what earlier
    // iterations left.
    if (findStored(X)) {
      X.FoundLate = true;
      forgetAhead(X);
      continue;
    }
    bool More = rotateCells(X);
    More |= rotateWrites(X);
    if (!More && Try == 0 && X.Shared.empty())
      break;
    rotateShared(X);
    findUnderWay(X);
    for (const auto &[Name, Writes] : X.Ahead) {
      auto Known = Before.find(Name);
      More |= Known == Before.end() || Known->second.size() != Writes.size();
    }
    if (!More)
      break;
  }
  Active = Entry;
  auto Trip = tripCount(X.Test, X.Counter, X.ConditionLoc);
  if (!Trip || !endEarlier(X, *Trip))
    return false;
  X.Trip = *Trip;
  if (!X.TestsFirst) {
    X.Trip = *Trip + 1;
    requireIteration(X.Trip, "a do loop would run no iteration");
  }
  if (X.MatchedIfRun)
    requireIteration(X.Trip, "the loop over tiles would run no iteration");
  if (auto Count = unrolledTrip(X)) {
    HeadWrite = OuterHead;
    if (!unroll(X, *Count))
      return false;
    keepKnown(X, *Count);
    return Done();
  }
  if (auto Most = mostIterations(X)) {
    HeadWrite = OuterHead;
    return unrollUpTo(X, *Most) && Done();
  }
  if (!runLast(X, Entry) || !leaveLast(X, OuterHead))
    return false;
  keepKnown(X, std::nullopt);
  return Done();
}

void Executor::requireIteration(const IntExpr &Trip, llvm::StringRef Why) {
  // `if (tile < tiles) do { ... } while ((tile += gridDim.x) < tiles);`
  IntExpr More = Trip - 1;
  const Simplifier Facts(Bounds, bodyLoops(), totalActive());
  for (AtomRef A; (A = More.getAtom()) && A->getKind() == AtomKind::FloorDiv &&
                  Facts.neverNegative(A->getRHS() - 1);)
    More = IntExpr(A->getLHS());
  if (!Facts.neverNegative(More))
    require(BoolExpr::compare(CmpOp::GE, Trip, 1), Why);
}

/// Whether the variables of \p L still step as they were found to do before all
/// of its stores were known.
static bool keepsSteps(const LoopState &L) {
  return llvm::all_of(L.Cells, [&](const Carried &C) {
    if (C.K != Carried::Kind::Induction)
      return true;
    const auto Begin = pointersIn(C.Initial), Next = pointersIn(C.Next);
    bool Same = Begin.size() == Next.size() && C.While.isTrue();
    for (size_t N = 0; Same && N < Begin.size(); ++N)
      Same = Next[N]->I ==
             Begin[N]->I + C.Steps[N] * (IntExpr::counter(L.Counter) + 1);
    return Same;
  });
}

bool Executor::runLast(LoopState &X, const BoolExpr &Entry) {
  X.TripCount =
      provablyNonNegative(X.Trip) || mistaken(Mistake::NegativeTripCount)
          ? X.Trip
          : IntExpr::max(X.Trip, IntExpr());
  LiveLoops.push_back({X.Counter, X.Trip});
  LiveHeaders.push_back(X.TestsFirst ? X.Loop->getHeader() : nullptr);
  setHead(X, /*Closed=*/true);
  X.LastHead.clear();
  for (const auto &Named : S)
    for (const Write &W : Named.second.Writes)
      X.LastHead.insert(W.Id);
  X.OpenReads.clear();
  X.LastProbing = Probing;
  OuterActive.push_back(Entry);
  Region R;
  R.Loop = X.Loop;
  R.Early = &X.Early;
  const BoolExpr PassedBefore = Passed;
  const size_t BaseBefore = std::exchange(LoopBase, OuterActive.size());
  const auto EventsBefore = CopyEvents;
  const bool Ok = runRegion(R, X.Loop->getHeader());
  X.LastEvents = CopyEvents.size() - EventsBefore.size();
  CopyEvents = EventsBefore;
  Passed = PassedBefore;
  LoopBase = BaseBefore;
  OuterActive.pop_back();
  LiveLoops.pop_back();
  LiveHeaders.pop_back();
  Active = Entry;
  X.LastProbing = LoopState::NotLast;
  if (!Ok || !provesExits(X, R))
    return false;
  if (const OpenRead *Read = storedEarlier(X, S, Bounds, NextCounter))
    return fail(DiagID::OrderingHazard, Read->Loc,
                nameOfLocal(Read->Array) +
                    " is read here at an element that an earlier iteration of "
                    "the loop may have stored");
  X.LastTest = R.Tested ? std::optional(R.Continue) : std::nullopt;
  // The code of the header before its test is executed once more than the rest.
  if (X.TestsFirst)
    for (const llvm::Instruction &I : *X.Loop->getHeader())
      if (I.mayWriteToMemory() && !isHarmless(I, *X.Loop, Module))
        return fail(DiagID::DataDependentExit, locationOf(I),
                    "the loop's condition stores to memory");
  for (Carried &C : X.Cells)
    C.Next = valueOf(C.Phi->getIncomingValueForBlock(X.Latch));
  return !X.FoundLate || keepsSteps(X) ||
         fail(DiagID::OrderingHazard, X.Loc,
              "a variable of the loop steps by numbers that the loop stores to "
              "an array");
}

bool Executor::leaveLast(LoopState &X, unsigned OuterHead) {
  rollUpShared(HeadWrite);
  HeadWrite = OuterHead;
  return leaveLoop(X);
}

/// Enclosing loops, as the body of each sees its counter: below the number of
/// iterations. Only the test of a loop sees the counter at its end.
std::vector<BoundLoop> Executor::bodyLoops() const {
  std::vector<BoundLoop> Loops = LiveLoops;
  for (size_t N = 0; N < Loops.size(); ++N)
    if (!Current || N >= LiveHeaders.size() ||
        Current->getParent() != LiveHeaders[N])
      Loops[N].Trip -= 1;
  return Loops;
}

/// The condition that loops which end at the smaller of two numbers are before
/// both of them.
BoolExpr Executor::beforeEnds() const {
  BoolExpr All = BoolExpr::constant(true);
  for (size_t N = 0; N < LiveLoops.size(); ++N) {
    if (N >= LiveHeaders.size() || !LiveHeaders[N] || !Current ||
        Current->getParent() == LiveHeaders[N])
      continue;
    const BoundLoop &L = LiveLoops[N];
    for (const auto &[Atoms, Factor] : L.Trip.terms())
      if (Factor == 1 && Atoms.size() == 1 &&
          Atoms[0]->getKind() == AtomKind::Min)
        for (const IntExpr *End : {&Atoms[0]->getLHS(), &Atoms[0]->getRHS()})
          All = BoolExpr::conjunction(
              All, BoolExpr::compare(CmpOp::LT, IntExpr::counter(L.Counter),
                                     L.Trip - IntExpr(Atoms[0]) + *End));
  }
  return All;
}

} // namespace warpwright::symbolic
