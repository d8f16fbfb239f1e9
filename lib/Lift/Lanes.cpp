//===-- Lanes.cpp - Sums that threads add up together ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread sums a part of the products, and then the threads add up their
/// sums: in shuffles, which halve the number of lanes that still add, or in
/// shared memory.
///
/// All 32 lanes of a warp execute a shuffle. So what another lane has is the
/// expression of this one, with the other lane's number in it. That number is
/// written in bits, and a shuffle by 2^j changes bit j alone:
///
///  - `__shfl_xor_sync` inverts it, in every lane;
///  - `__shfl_down_sync` sets it in lanes where it is 0. In others it carries
///    into higher bits or leaves the warp; what these have is not known.
///
/// A number plus what bit j gives of it is the sum over both values of the bit,
/// which is written as a loop over them. After all five bits it is the sum over
/// all lanes, each of them once.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static constexpr unsigned LaneBits = 5;

static IntExpr thread() { return IntExpr::special(AtomKind::ThreadIdx, 0); }

static IntExpr warp() {
  return IntExpr::floorDiv(thread(), IntExpr(WarpLanes));
}

/// Bit \p N of the lane's number.
static IntExpr bit(unsigned N) {
  return IntExpr::mod(IntExpr::floorDiv(thread(), IntExpr(int64_t(1) << N)), 2);
}

/// \p V with \p By in the place of \p Leaf, a leaf or one of the bits.
static ValueRef withLeaf(const ValueRef &V, const IntExpr &Leaf,
                         const IntExpr &By) {
  const std::string Key = Leaf.str();
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    return A.getKey() == Key ? std::optional<IntExpr>(By) : std::nullopt;
  });
}

/// The sum of \p Body, which is a term for each value of the counter below \p
/// Count.
static ValueRef sumOver(unsigned Counter, int64_t Count, ValueRef Body,
                        unsigned Loc) {
  auto Sum = std::make_shared<Value>(Value::Kind::Sum, Body->Type);
  Sum->Counter = Counter;
  Sum->Index = IntExpr(Count);
  Sum->Ops = {std::move(Body)};
  Sum->Loc = Loc;
  return Sum;
}

/// \p V with the lanes of the warp in bits: it mentions threadIdx.x in warp()
/// and bit() only.
static ValueRef inBits(const ValueRef &V) {
  std::map<std::string, IntExpr> Kept;
  Kept.emplace(warp().str(), warp());
  IntExpr Whole = IntExpr(WarpLanes) * warp();
  for (unsigned N = 0; N < LaneBits; ++N) {
    Kept.emplace(bit(N).str(), bit(N));
    Whole += IntExpr(int64_t(1) << N) * bit(N);
  }
  const std::string Key = thread().str();
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return Whole;
    auto It = Kept.find(A.getKey().str());
    return It == Kept.end() ? std::nullopt : std::optional<IntExpr>(It->second);
  });
}

/// \p V without the lowest bits of a lane's number in quotients to which they
/// add nothing: those of themselves by more; and those by a multiple of 2^n, up
/// to 32, of the lowest n bits and multiples of 2^n, of which the width of the
/// block is one.
static ValueRef withoutLowBits(const ValueRef &V, const Ranges &Bounds,
                               const std::vector<BoundLoop> &Loops = {}) {
  const std::string Width = IntExpr::special(AtomKind::BlockDim, 0).str();
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    const auto D = A.getKind() == AtomKind::FloorDiv ? A.getRHS().getConstant()
                                                     : std::nullopt;
    if (!D || *D <= 0 || A.getLHS().overflowed())
      return std::nullopt;
    if (Bounds.bounds(A.getLHS(), Loops).within(0, *D - 1))
      return IntExpr();
    const int64_t Power = std::min(WarpLanes, *D & -*D);
    IntExpr Whole, Rest;
    for (const auto &[M, C] : A.getLHS().terms()) {
      IntExpr Term(C);
      bool IsWhole = C % Power == 0;
      for (const AtomRef &X : M) {
        Term = Term * IntExpr(X);
        IsWhole |= X->getKey() == Width;
      }
      (IsWhole ? Whole : Rest) += Term;
    }
    return !Rest.isZero() && Bounds.bounds(Rest, Loops).within(0, Power - 1)
               ? std::optional<IntExpr>(IntExpr::floorDiv(Whole, A.getRHS()))
               : std::nullopt;
  });
}

/// Whether \p V, which is inBits(), is so throughout.
static bool isInBits(const ValueRef &V) {
  bool Bare = false;
  const std::string Key = thread().str();
  transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    Bare |= A.getKey() == Key;
    if (A.getKey() == warp().str())
      return IntExpr();
    for (unsigned N = 0; N < LaneBits; ++N)
      if (A.getKey() == bit(N).str())
        return IntExpr();
    return std::nullopt;
  });
  return !Bare;
}

/// \p V, which is inBits(), where bit \p N is \p By.
static ValueRef withBit(const ValueRef &V, unsigned N, const IntExpr &By) {
  return withLeaf(V, bit(N), By);
}

/// The condition that the bits in \p Bits are 0.
static BoolExpr bitsAreZero(unsigned Bits) {
  // The lowest bits together are a remainder.
  if (Bits && (Bits & (Bits + 1)) == 0)
    return BoolExpr::compare(
        CmpOp::EQ, IntExpr::mod(thread(), IntExpr(int64_t(Bits) + 1)), 0);
  BoolExpr All = BoolExpr::constant(true);
  for (unsigned N = LaneBits; N-- > 0;)
    if (Bits >> N & 1)
      All = BoolExpr::conjunction(All, BoolExpr::compare(CmpOp::EQ, bit(N), 0));
  return All;
}

/// Whether \p V is known in every thread: no part of it is not.
static bool isKnown(const ValueRef &V) {
  return !V->containsKind(Value::Kind::Undefined) &&
         !V->containsKind(Value::Kind::Phi);
}

/// The sum over the two values of bit \p N of \p V.
static ValueRef overBit(const ValueRef &V, unsigned N, unsigned Counter,
                        unsigned Loc) {
  return sumOver(Counter, 2, withBit(V, N, IntExpr::counter(Counter)), Loc);
}

static bool isSame(const ValueRef &A, const ValueRef &B) {
  return A == B || (A->Type == B->Type && sameValue(A, B));
}

/// The value of \p V where the bits \p Bits are 0, and nothing elsewhere.
ValueRef Executor::whereZero(unsigned Bits, ValueRef V) {
  if (!Bits)
    return V;
  auto Nothing = std::make_shared<Value>(Value::Kind::Undefined, V->Type);
  Nothing->Name = "lanes" + std::to_string(Unset.size());
  Unset[Nothing->Name] = SymValue::unknown(
      DiagID::CallNotInlined, here(),
      "what '__shfl_down_sync' gives is stored by lanes that do not have the "
      "sum of the others");
  return Value::select(bitsAreZero(Bits), std::move(V), std::move(Nothing));
}

std::optional<std::pair<ValueRef, unsigned>>
Executor::inLanes(const SymValue &V) {
  if (!V.is(VK::Scalar))
    return std::nullopt;
  unsigned Zero = 0; // bits that have to be 0 for the value to be known
  ValueRef Here = V.S;
  for (const Exchanged &E : Partial)
    if (isSame(E.Result, V.S)) {
      Zero = E.Zero;
      Here = E.Of;
    }
  if (!isKnown(Here))
    return std::nullopt;
  // What is known without conditions is known in every lane.
  const Simplifier Facts(Bounds, bodyLoops(), BoolExpr::constant(true));
  Here = withoutLowBits(inBits(Here), Bounds);
  Here = withoutLowBits(inBits(Facts.simplify(Here)), Bounds);
  if (!isInBits(Here))
    return std::nullopt;
  return std::pair(std::move(Here), Zero);
}

std::optional<SymValue> Executor::exchange(const SymValue &Mask,
                                           const SymValue &V,
                                           const SymValue &Amount,
                                           const SymValue &Width,
                                           Exchanged::Kind How) {
  Exchanges = true;
  // A register of two numbers.
  if (V.is(VK::Aggregate)) {
    SymValue Both = V;
    for (SymValue &Each : Both.Fields) {
      auto There = exchange(Mask, Each, Amount, Width, How);
      if (!There)
        return std::nullopt;
      Each = *There;
    }
    return Both;
  }
  const auto Named = V.is(VK::Scalar) ? lanesTogether(Mask) : std::nullopt;
  const auto By = Amount.constant(), Lanes = Width.constant();
  if (How == Exchanged::Kind::From && !By && Named == WarpLanes &&
      Lanes == WarpLanes && Amount.is(VK::Int))
    return fromLane(V, Amount.I);
  if (!Named || !By || !Lanes || *Lanes < 2 || *Lanes > WarpLanes ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(*Lanes)) || *By < 0 ||
      *By >= std::min(*Lanes, *Named))
    return std::nullopt;
  if (!reachedByWarp("shuffle", *Named))
    return SymValue();
  const auto There = inLanes(V);
  if (!There)
    return std::nullopt;
  auto [Here, Zero] = *There;
  if (How == Exchanged::Kind::From) {
    // Of lane 0 of the group, where all is known, or of another one.
    if (*Lanes > *Named || (Zero & *By))
      return std::nullopt;
    const unsigned Bits = llvm::Log2_64(static_cast<uint64_t>(*Lanes));
    for (unsigned N = 0; N < Bits; ++N)
      Here = withBit(Here, N, IntExpr(*By >> N & 1));
    // The bits that are left of those that have to be 0.
    if (const unsigned Left = Zero >> Bits << Bits)
      Here = whereZero(Left, std::move(Here));
    return numbered(Here);
  }
  if (!llvm::isPowerOf2_64(static_cast<uint64_t>(*By)))
    return std::nullopt;
  Exchanged E;
  E.How = How;
  E.Bit = llvm::Log2_64(static_cast<uint64_t>(*By));
  E.Zero = Zero;
  E.Before = V.S;
  E.Of = Here;
  if (Zero >> E.Bit & 1)
    return std::nullopt;
  if (How == Exchanged::Kind::Xor)
    E.Result = whereZero(Zero, withBit(Here, E.Bit, IntExpr(1) - bit(E.Bit)));
  else
    E.Result = whereZero(Zero | 1u << E.Bit, withBit(Here, E.Bit, IntExpr(1)));
  Shuffles.push_back(E);
  SymValue R = SymValue::scalar(E.Result);
  R.Loc = here();
  return R;
}

std::optional<SymValue> Executor::fromLane(const SymValue &V,
                                           const IntExpr &Lane) {
  // While a loop is probed, it is not known how often it runs. Of the number of
  // a neighbour, `lane + 1`, a shuffle takes the lowest bits.
  const bool Fits =
      Probing || Bounds.bounds(Lane, bodyLoops()).within(0, WarpLanes - 1);
  if (!Fits && !Lane.containsKind(AtomKind::ThreadIdx))
    return std::nullopt;
  if (!reachedByWarp("shuffle"))
    return SymValue();
  if (!isKnown(V.S))
    return std::nullopt;
  SymValue R = numbered(
      withLeaf(V.S, thread(),
               IntExpr(WarpLanes) * warp() +
                   (Fits ? Lane : IntExpr::mod(Lane, IntExpr(WarpLanes)))));
  R.Loc = here();
  return R;
}

std::optional<SymValue> Executor::sumOfLanes(const SymValue &Mask,
                                             const SymValue &V) {
  Exchanges = true;
  const auto Named = V.is(VK::Scalar) ? lanesTogether(Mask) : std::nullopt;
  if (!Named)
    return std::nullopt;
  if (!reachedByWarp("sum of lanes", *Named))
    return SymValue();
  const auto There = inLanes(V);
  if (!There || There->second)
    return std::nullopt;
  ValueRef Sum = There->first;
  for (unsigned N = 0; int64_t(1) << N < *Named; ++N)
    Sum = overBit(Sum, N, NextCounter++, here().getRawEncoding());
  SymValue R = numbered(std::move(Sum));
  R.Loc = here();
  return R;
}

/// The largest D for which one of \p Tests says that the number of the thread
/// in dimension \p Dim is a multiple of D.
static int64_t stepOf(unsigned Dim, llvm::ArrayRef<BoolExpr> Tests) {
  const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, Dim);
  int64_t Step = 1;
  for (const BoolExpr &T : Tests) {
    if (T.getKind() != BoolExpr::Kind::Compare || T.getOp() != CmpOp::EQ ||
        !T.getRHS().isZero())
      continue;
    const AtomRef Rest = T.getLHS().getAtom();
    const auto By =
        Rest && Rest->getKind() == AtomKind::Mod && Rest->getLHS() == Thread
            ? Rest->getRHS().getConstant()
            : std::nullopt;
    Step = std::max(Step, By.value_or(1));
  }
  return Step;
}

IntExpr Executor::inMultiples(const IntExpr &E) const {
  llvm::SmallVector<BoolExpr, 4> Tests;
  totalActive().conjuncts(Tests);
  IntExpr Result = E;
  for (unsigned D = 0; D < 3; ++D) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, D);
    const int64_t Step = stepOf(D, Tests);
    if (Step > 1)
      Result = Result.substitute(Thread.str(),
                                 IntExpr(Step) *
                                     IntExpr::floorDiv(Thread, IntExpr(Step)));
  }
  return Result;
}

void Executor::takeMultiples(IntExpr &Index, SymValue &V) const {
  llvm::SmallVector<BoolExpr, 4> Tests;
  totalActive().conjuncts(Tests);
  const IntExpr Step(stepOf(0, Tests));
  // Where the number of the lane is known, it is put in the place of the
  // thread's (PinnedThreads.cpp).
  if (!V.S || Step == IntExpr(1) || Step == IntExpr(WarpLanes))
    return;
  const IntExpr By = Step * IntExpr::floorDiv(thread(), Step);
  const Simplifier Facts(Bounds, bodyLoops(), BoolExpr::constant(true));
  Index = Facts.simplify(Index.substitute(thread().str(), By));
  V.S = Facts.simplify(withLeaf(V.S, thread(), By));
}

/// Threads that add what their neighbours have: `part[t] += part[t + 64]`. If
/// \p More is \p V in the thread that comes some threads later, both are the
/// terms of a loop over the two. With \p Any that need not be sums.
static ValueRef overNeighbours(const ValueRef &V, const ValueRef &More,
                               unsigned Counter, unsigned Loc, bool Any) {
  if (!Any && (!V->containsKind(Value::Kind::Sum) ||
               !More->containsKind(Value::Kind::Sum)))
    return nullptr;
  auto FirstLoad = [](const ValueRef &X) {
    const Value *Found = nullptr;
    X->walk([&](const Value &Y) {
      if (Y.K == Value::Kind::Load && !Found)
        Found = &Y;
    });
    return Found;
  };
  const Value *L = FirstLoad(V), *R = FirstLoad(More);
  if (!L || !R || L->Name != R->Name)
    return nullptr;
  for (unsigned D = 0; D < 3; ++D) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, D);
    const auto Step = L->Index.coefficient(Thread.str());
    const auto Apart = Step && !Step->isZero()
                           ? (R->Index - L->Index).exactDivide(*Step)
                           : std::nullopt;
    const auto Threads = Apart ? Apart->getConstant() : std::nullopt;
    if (!Threads || *Threads <= 0)
      continue;
    auto There = [&](const IntExpr &By) {
      return withLeaf(V, Thread, Thread + By);
    };
    if (!sameValue(There(IntExpr(*Threads)), More))
      continue;
    return sumOver(Counter, 2,
                   There(IntExpr(*Threads) * IntExpr::counter(Counter)), Loc);
  }
  return nullptr;
}

/// What is \p A for 0 and \p B for 1 in the place of \p Counter, where they
/// differ by numbers that are the same in all threads, also inside of quotients
/// and the like.
static std::optional<IntExpr> between(const IntExpr &A, const IntExpr &B,
                                      const IntExpr &Counter) {
  if (A == B)
    return A;
  const IntExpr Step = B - A;
  bool Varies = Step.overflowed();
  Step.walk([&](const IntAtom &X) { Varies |= Simplifier::varies(X); });
  if (!Varies)
    return A + Step * Counter;
  // One quotient each that the other one has not.
  auto Own = [](const IntExpr &X, const IntExpr &Other) {
    AtomRef Found;
    bool Only = true;
    for (const auto &[M, C] : X.terms())
      for (const AtomRef &Y : M)
        if (!Y->isLeaf() && Y->getKind() != AtomKind::Select &&
            !Other.contains(Y->getKey())) {
          Only &= !Found || Found->sameAs(*Y);
          Found = Y;
        }
    return Only ? Found : nullptr;
  };
  const AtomRef X = Own(A, B), Y = Own(B, A);
  if (!X || !Y || X->getKind() != Y->getKind() ||
      B.substitute(Y->getKey(), IntExpr(X)) != A)
    return std::nullopt;
  const auto L = between(X->getLHS(), Y->getLHS(), Counter),
             R = between(X->getRHS(), Y->getRHS(), Counter);
  if (!L || !R)
    return std::nullopt;
  switch (X->getKind()) {
  case AtomKind::FloorDiv:
    return A.substitute(X->getKey(), IntExpr::floorDiv(*L, *R));
  case AtomKind::Min:
    return A.substitute(X->getKey(), IntExpr::min(*L, *R));
  case AtomKind::Max:
    return A.substitute(X->getKey(), IntExpr::max(*L, *R));
  default:
    return std::nullopt;
  }
}

/// The same for values; \p Longer: the lengths of two sums differ.
static ValueRef between(const ValueRef &A, const ValueRef &B,
                        const IntExpr &Counter, bool &Longer) {
  if (A->K != B->K || A->Type != B->Type || A->Name != B->Name ||
      A->Text != B->Text || A->Counter != B->Counter ||
      A->Condition != B->Condition || A->Ops.size() != B->Ops.size() ||
      A->Body || B->Body)
    return nullptr;
  auto R = std::make_shared<Value>(*A);
  const auto Index = between(A->Index, B->Index, Counter);
  if (!Index)
    return nullptr;
  Longer |= A->K == Value::Kind::Sum && A->Index != B->Index;
  R->Index = *Index;
  for (size_t N = 0; N < R->Ops.size(); ++N)
    if (!(R->Ops[N] = between(A->Ops[N], B->Ops[N], Counter, Longer)))
      return nullptr;
  return R;
}

/// The parts of several threads that are added one by one: `part[0] + part[1] +
/// part[2]`. They differ in where their sums begin, and so in how long these
/// are.
static ValueRef overParts(const ValueRef &V, const ValueRef &More,
                          unsigned Counter, unsigned Loc) {
  auto At = [](const ValueRef &X, unsigned C, int64_t N) {
    return withLeaf(X, IntExpr::counter(C), IntExpr(N));
  };
  if (!V->containsKind(Value::Kind::Sum) ||
      !More->containsKind(Value::Kind::Sum))
    return nullptr;
  // The next one after those that are a sum already.
  const auto Count = V->K == Value::Kind::Sum && V->Condition.isTrue()
                         ? V->Index.getConstant()
                         : std::nullopt;
  if (Count && *Count >= 2 &&
      sameValue(At(V->Ops[0], V->Counter, *Count), More)) {
    auto Sum = std::make_shared<Value>(*V);
    Sum->Index = IntExpr(*Count + 1);
    return Sum;
  }
  bool Longer = false;
  ValueRef Both = between(V, More, IntExpr::counter(Counter), Longer);
  if (!Both || !Longer || !sameValue(At(Both, Counter, 0), V) ||
      !sameValue(At(Both, Counter, 1), More))
    return nullptr;
  return sumOver(Counter, 2, std::move(Both), Loc);
}

/// Whether \p I adds two elements of shared memory.
static bool addsShared(const llvm::Instruction *I) {
  return llvm::isa_and_nonnull<llvm::BinaryOperator>(I) &&
         llvm::all_of(I->operands(), [](const llvm::Value *V) {
           const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
           const auto *Of =
               Load ? llvm::dyn_cast<llvm::GlobalVariable>(
                          llvm::getUnderlyingObject(Load->getPointerOperand()))
                    : nullptr;
           return Of && Of->getAddressSpace() == 3;
         });
}

ValueRef Executor::addedTogether(ValueRef L, ValueRef R) {
  // Not where partial sums are rounded to a narrow type.
  if (L->Type != R->Type || byteSize(L->Type) < 4)
    return nullptr;
  const unsigned Loc = here().getRawEncoding();
  for (const Exchanged &X : llvm::reverse(Shuffles)) {
    auto IsSum = [&](const ValueRef &V, const ValueRef &More) {
      return isSame(X.Result, More) && isSame(X.Before, V);
    };
    if (!IsSum(L, R) && !IsSum(R, L))
      continue;
    Exchanged Sum;
    Sum.Zero = X.Zero | (X.How == Exchanged::Kind::Down ? 1u << X.Bit : 0);
    Sum.Of = overBit(X.Of, X.Bit, NextCounter++, Loc);
    Sum.Result = whereZero(Sum.Zero, Sum.Of);
    Partial.push_back(Sum);
    return Sum.Result;
  }
  // `if (t < s) sum += part[t + s];` again, for a smaller s.
  L = chosen(std::move(L), totalActive());
  R = chosen(std::move(R), totalActive());
  for (const auto &[V, More] : {std::pair{&L, &R}, {&R, &L}})
    if (ValueRef Sum =
            overNeighbours(*V, *More, NextCounter, Loc, addsShared(Current))) {
      ++NextCounter;
      return Sum;
    }
  if (ValueRef Sum = overParts(L, R, NextCounter, Loc)) {
    ++NextCounter;
    return Sum;
  }
  return nullptr;
}

} // namespace warpwright::symbolic
