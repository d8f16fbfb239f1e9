//===-- Family.cpp - What all threads of a block store --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Family.h"
#include "RollUp.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// Whether \p A has a larger stride than \p B, by their constants or because
/// one is a multiple of the other.
static bool isLarger(const IntExpr &A, const IntExpr &B) {
  auto CA = A.getConstant(), CB = B.getConstant();
  if (CA && CB)
    return *CA > *CB;
  if (CB && *CB == 1)
    return true;
  if (CA && *CA == 1)
    return false;
  auto Q = A.exactDivide(B);
  if (Q)
    return !Q->isOne();
  // A constant is taken to be below a product of parameters.
  return CB && !CA;
}

/// Adds what the condition of \p F says about numbers that do not change the
/// element: of eight warps those that `warp < 4` leaves fill the same tile, and
/// `warp / 4` is 0 for them.
static void fixFree(Family &F) {
  constexpr int64_t MaxNumbers = 64;
  if (F.Guard.isTrue() || hasValues(F.Guard))
    return;
  std::vector<BoundLoop> Loops;
  auto Bound = [&](const IndexVar &V) {
    if (AtomRef A = V.Atom.getAtom(); A && A->getKind() == AtomKind::Counter)
      Loops.push_back({A->getDim(), V.Range - 1});
  };
  for (const Digit &D : F.Digits)
    Bound(D.Var);
  llvm::for_each(F.Free, Bound);
  const Ranges Bounds;
  const Simplifier Facts(Bounds, Loops, BoolExpr::constant(true));
  for (const IndexVar &V : F.Free) {
    const auto Range = V.Range.getConstant();
    auto Is = [&](llvm::StringRef Key) { return Key == V.key(); };
    if (!Range || *Range < 1 || *Range > MaxNumbers ||
        !mentionsAny(SymValue::boolean(F.Guard), Is))
      continue;
    std::optional<int64_t> Only;
    int64_t Numbers = 0;
    for (int64_t N = 0; N < *Range && Numbers < 2; ++N) {
      auto There = [&](const IntAtom &A) -> std::optional<IntExpr> {
        return A.getKey() == V.key() ? std::optional<IntExpr>(N) : std::nullopt;
      };
      if (Facts.simplify(F.Guard.transform(There)).isFalse())
        continue;
      Only = N;
      ++Numbers;
    }
    if (Numbers == 1)
      F.Guard = BoolExpr::conjunction(
          F.Guard, BoolExpr::compare(CmpOp::EQ, V.Atom, IntExpr(*Only)));
  }
}

std::optional<Family> familyOf(const Write &W, bool ByThreads,
                               unsigned &NextCounter,
                               const std::array<int64_t, 3> &Block) {
  if (W.Clobber || W.Size == 0)
    return std::nullopt;
  auto Index = W.Index.exactDivide(IntExpr(static_cast<int64_t>(W.Size)));
  if (!Index)
    return std::nullopt;
  IndexSpace Space;
  Space.OfBlock = ByThreads;
  // An integer is rewritten as well: it may depend on its thread.
  const bool IsScalar = W.Value.is(VK::Scalar), IsInt = W.Value.is(VK::Int);
  if (ByThreads && !IsScalar && !IsInt && !W.Value.is(VK::Unknown))
    return std::nullopt;
  ValueRef Number =
      Value::integer(ScalarType::I32, IsInt ? W.Value.I : IntExpr());
  Space.Stores.push_back({W.Array, ScalarType::F32, *Index,
                          IsScalar ? W.Value.S : Number, W.Guard, W.Loc});
  for (const BoundLoop &L : W.Loops)
    Space.Vars.push_back(
        {IntExpr::counter(L.Counter), L.Trip, false, false, false, false});
  if (ByThreads)
    for (unsigned D = 0; D < 3; ++D) {
      IntExpr Atom = IntExpr::special(AtomKind::ThreadIdx, D);
      if (Space.uses(Atom.str()))
        Space.Vars.push_back({Atom,
                              Block[D]
                                  ? IntExpr(Block[D])
                                  : IntExpr::special(AtomKind::BlockDim, D),
                              false, true, true, false});
    }
  // A condition that no index bounds, such as that of an aligned vector, `(row
  // * K + k) % 4 == 0`, is one of the member that is asked for.
  const bool Normal = !ByThreads || Space.normalise(NextCounter);
  if (!Normal && !Space.UndoneInGuards)
    return std::nullopt;
  if (ByThreads)
    NextCounter = std::max(NextCounter, Space.firstFreeCounter());
  // Only some of the threads may fill the tile.
  llvm::SmallVector<BoolExpr, 4> Tests;
  if (ByThreads)
    Space.Stores.front().Guard.conjuncts(Tests);
  for (const BoolExpr &T : Tests) {
    size_t Var;
    IntExpr Bound;
    if (Space.boundOf(T, Var, Bound) && Var < Space.Vars.size() &&
        Bound.getConstant() && Space.Vars[Var].OfThread)
      Space.Vars[Var].Range = lesser(Space.Vars[Var].Range, Bound);
  }
  Family F;
  F.Size = W.Size;
  const Store &S = Space.Stores.front();
  F.Base = S.Index;
  for (const IndexVar &V : Space.Vars) {
    if (Space.mentions(V.Range))
      return std::nullopt;
    auto Stride = S.Index.coefficient(V.key());
    if (!Stride || Space.mentions(*Stride))
      return std::nullopt;
    F.Base = F.Base - *Stride * V.Atom;
    if (Stride->isZero()) {
      F.Free.push_back(V);
      continue;
    }
    // A digit that counts down becomes one that counts up from the other end.
    if (auto C = Stride->getConstant(); C && *C < 0)
      return std::nullopt;
    F.Digits.push_back({V, *Stride});
  }
  llvm::stable_sort(F.Digits, [](const Digit &A, const Digit &B) {
    return isLarger(A.Stride, B.Stride);
  });
  F.Value = W.Value;
  if (IsScalar)
    F.Value.S = S.Value;
  if (IsInt)
    F.Value.I = S.Value->Index;
  F.Guard = S.Guard;
  if (ByThreads)
    fixFree(F);
  F.Requires = Space.Requires;
  F.OpenGuard = !Normal;
  return F;
}

std::optional<IntExpr> pinned(const BoolExpr &Guard, const IntExpr &Atom) {
  llvm::SmallVector<BoolExpr, 4> Tests;
  Guard.conjuncts(Tests);
  for (const BoolExpr &T : Tests) {
    if (T.getKind() != BoolExpr::Kind::Compare)
      continue;
    for (auto [Side, Other] :
         {std::pair{&T.getLHS(), &T.getRHS()}, {&T.getRHS(), &T.getLHS()}})
      if (*Side == Atom) {
        if (T.getOp() == CmpOp::EQ)
          return *Other;
        // x < 1 for a number that is not negative means x == 0.
        if (T.getOp() == (Side == &T.getLHS() ? CmpOp::LT : CmpOp::GT) &&
            Other->isOne())
          return IntExpr();
      }
  }
  return std::nullopt;
}

bool leavesOpen(const Family &F) {
  return llvm::any_of(F.Free, [&](const IndexVar &V) {
    return !pinned(F.Guard, V.Atom) &&
           mentionsAny(SymValue::boolean(F.Guard),
                       [&](llvm::StringRef Key) { return Key == V.key(); });
  });
}

bool isInjective(const Family &F, const Simplifier &Facts, Ensure Demand) {
  IntExpr Below;
  for (const Digit &D : llvm::reverse(F.Digits)) {
    IntExpr Room = D.Stride - 1 - Below;
    if (!Facts.neverNegative(Room) && !Demand(Room))
      return false;
    Below += D.Stride * (D.Var.Range - 1);
  }
  return true;
}

/// Whether \p E is made of threads and counters, without quotients and
/// remainders.
static bool isPlain(const IntExpr &E) {
  return llvm::all_of(E.terms(), [](const auto &T) {
    return llvm::all_of(T.first, [](const AtomRef &A) { return A->isLeaf(); });
  });
}

/// \p E without an exclusive or that moves it inside of blocks of which \p D is
/// a multiple; the result is below D exactly where \p E is. \p E itself if
/// there is none.
static IntExpr unswizzled(const IntExpr &E, const IntExpr &D,
                          const Simplifier &Facts) {
  auto End = D.getConstant();
  if (!End)
    return E;
  for (const auto &[M, C] : E.terms()) {
    if (M.size() != 1 || M[0]->getKind() != AtomKind::Xor || C < 1)
      continue;
    for (const IntExpr *Digit : {&M[0]->getLHS(), &M[0]->getRHS()}) {
      AtomRef A = Digit->getAtom();
      auto Radix = A && A->getKind() == AtomKind::Mod
                       ? A->getRHS().getConstant()
                       : std::nullopt;
      const IntExpr Xor(M[0]);
      if (!Radix || *Radix < 2 || *Radix > *End || *End % (C * *Radix) != 0 ||
          !Facts.neverNegative(IntExpr(*Radix - 1) - Xor))
        continue;
      IntExpr Plain =
          Facts.simplify(E - IntExpr(C) * Xor + IntExpr(C) * *Digit);
      if (Facts.simplify(IntExpr::mod(IntExpr::floorDiv(Plain, IntExpr(C)),
                                      IntExpr(*Radix))) == *Digit)
        return Plain;
    }
  }
  return E;
}

/// `floor(x / c) + n` is below \p End where `x + n * c` is below End * c.
static std::pair<IntExpr, IntExpr> wholeNumber(const IntExpr &E,
                                               const IntExpr &End) {
  IntExpr Rest;
  AtomRef Quotient;
  for (const auto &[M, C] : E.terms())
    if (M.empty())
      Rest = IntExpr(C);
    else if (M.size() == 1 && C == 1 && !Quotient &&
             M[0]->getKind() == AtomKind::FloorDiv &&
             M[0]->getRHS().getConstant())
      Quotient = M[0];
    else
      return {E, End};
  if (!Quotient)
    return {E, End};
  const IntExpr &C = Quotient->getRHS();
  return {Quotient->getLHS() + Rest * C, End * C};
}

/// Divides \p E by \p D: returns the remainder, and \p E becomes the quotient.
static IntExpr takeDigit(IntExpr &E, const IntExpr &D, const Simplifier &Facts,
                         std::optional<Ensure> Demand,
                         std::optional<Plausible> Plausibly,
                         bool AboveSwizzle = false) {
  IntExpr Whole, Part;
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(C);
    for (const AtomRef &A : M)
      Term = Term * IntExpr(A);
    if (auto Q = Term.exactDivide(D))
      Whole += *Q;
    else
      Part += Term;
  }
  if (!Part.isZero()) {
    bool Fits = Facts.neverNegative(Part) && Facts.neverNegative(D - 1 - Part);
    // `k * 16 + threadIdx.x` means that threadIdx.x is below 16; `threadIdx.x /
    // 8` may well continue in the next digit.
    IntExpr Asked = unswizzled(Part, D, Facts), End = D;
    if (AboveSwizzle)
      std::tie(Asked, End) = wholeNumber(Asked, End);
    if (!Fits && Demand && isPlain(Asked) &&
        (!Plausibly || (*Plausibly)(End - 1 - Asked)))
      Fits = (*Demand)(Asked) && (*Demand)(End - 1 - Asked);
    if (!Fits) {
      Whole += Facts.simplify(IntExpr::floorDiv(Part, D));
      Part = Facts.simplify(IntExpr::mod(Part, D));
    }
  }
  E = Facts.simplify(Whole);
  return Part;
}

/// The dimensions of the thread that are in \p E: bit 0 for x.
static unsigned dimsOf(const IntExpr &E) {
  unsigned Dims = 0;
  for (unsigned D = 0; D < 3; ++D)
    if (E.contains(IntExpr::special(AtomKind::ThreadIdx, D).str()))
      Dims |= 1u << D;
  return Dims;
}

static Origin invertDigits(const Family &F, const IntExpr &Index,
                           const Simplifier &Facts,
                           std::optional<Ensure> Demand,
                           std::optional<Plausible> Plausibly) {
  Origin O;
  auto Show = [&](const IntExpr &E) {
    return Facts.neverNegative(E) || Facts.neverNegative(withoutQuotient(E)) ||
           (Demand && (*Demand)(E));
  };
  // An element has at most one member; if that does not fit, the element has
  // none.
  auto Nowhere = [&] {
    if (isInjective(F, Facts, [](const IntExpr &) { return false; }))
      O.K = Origin::Kind::Elsewhere;
    return O;
  };
  // Whether it may be required that a number is digit N alone. If loops step
  // over the elements that the threads cover, other numbers are meant to
  // continue in the loops' digits.
  auto MayBe = [&](size_t N, const IntExpr &Room, const IntExpr &Ratio) {
    const bool Own = Ratio - 1 - Room == F.Digits[N].Var.origin();
    // Threads step over the lanes of a vector, and loops step over threads.
    const bool OfThread = F.Digits[N].Var.OfThread;
    const bool Goes =
        N > 0 && OfThread != F.Digits[N - 1].Var.OfThread &&
        (OfThread || (Ratio - 1 - Room).containsKind(AtomKind::ThreadIdx));
    return (Own || !Goes) && (!Plausibly || (*Plausibly)(Room));
  };
  std::vector<IntExpr> Digits(F.Digits.size());
  IntExpr Rest = Facts.simplify(Index - F.Base);
  if (F.Digits.empty() && !Rest.isZero()) {
    if (Facts.neverNegative(Rest - 1) || Facts.neverNegative(-Rest - 1))
      O.K = Origin::Kind::Elsewhere;
    return O;
  }
  // A stride that does not divide the next one, such as that of padded rows,
  // starts a number of its own, in the remainder by the larger strides.
  for (size_t First = 0, End; First < F.Digits.size(); First = End) {
    End = First + 1;
    while (End < F.Digits.size() &&
           F.Digits[End - 1].Stride.exactDivide(F.Digits[End].Stride))
      ++End;
    const IntExpr &Unit = F.Digits[End - 1].Stride;
    const bool IsLast = End == F.Digits.size();
    IntExpr Below;
    auto Fits = [&](const IntExpr &Room) {
      return !Plausibly || (*Plausibly)(Room);
    };
    if (!Unit.isOne())
      Below = IsLast ? takeDigit(Rest, Unit, Facts, std::nullopt, std::nullopt)
                     : takeDigit(Rest, Unit, Facts, Demand, Plausible(Fits));
    // The index lies between the elements of the family.
    if (IsLast && !Below.isZero())
      return Facts.neverNegative(Below - 1) ? Nowhere() : O;
    // From the smallest stride up, each digit is the remainder by the ratio of
    // the next stride to its own.
    for (size_t N = End - 1; N > First; --N) {
      auto Ratio = F.Digits[N - 1].Stride.exactDivide(F.Digits[N].Stride);
      auto May = [&](const IntExpr &Room) { return MayBe(N, Room, *Ratio); };
      Digits[N] = takeDigit(Rest, *Ratio, Facts, Demand, Plausible(May),
                            F.Digits[N].Var.AboveSwizzle);
    }
    Digits[First] = Rest;
    Rest = Below;
  }
  bool Shown = true;
  unsigned Others = 0;
  for (size_t N = 0; N < Digits.size(); ++N) {
    const IndexVar &Var = F.Digits[N].Var;
    const IntExpr &Digit = Digits[N];
    if (Facts.neverNegative(-Digit - 1) ||
        Facts.neverNegative(Digit - Var.Range))
      return Nowhere();
    Shown = Shown && Show(Digit) && Show(Var.Range - 1 - Digit);
    O.At[Var.key()] = Digit;
    const bool Own =
        Digit == Var.origin() || Digit == Facts.simplify(Var.origin());
    (Own ? O.OwnDims : Others) |= dimsOf(Var.origin());
  }
  // A number that is the same for several threads, or that belongs to another
  // thread, does not identify a thread. One that a condition fixes for the
  // family and for this thread alike says nothing.
  llvm::SmallVector<BoolExpr, 4> Tests;
  F.Guard.conjuncts(Tests);
  auto IsFixed = [&](const IndexVar &V) {
    return llvm::any_of(Tests, [&](const BoolExpr &T) {
      if (T.getKind() != BoolExpr::Kind::Compare || T.getOp() != CmpOp::EQ ||
          T.getLHS() != V.Atom || !T.getRHS().getConstant())
        return false;
      const IntExpr Own = V.origin() - T.getRHS();
      return Facts.neverNegative(Own) && Facts.neverNegative(-Own);
    });
  };
  for (const IndexVar &V : F.Free)
    if (!IsFixed(V))
      Others |= dimsOf(V.origin());
  O.OwnDims &= ~Others;
  if (Shown)
    O.K = Origin::Kind::Here;
  return O;
}

Origin invert(const Family &F, const IntExpr &Index, const Simplifier &Facts,
              std::optional<Ensure> Demand,
              std::optional<Plausible> Plausibly) {
  Origin O = invertDigits(F, Index, Facts, Demand, Plausibly);
  if (O.K != Origin::Kind::Unclear)
    return O;
  // The index lies before the first element of all, or after the last one.
  IntExpr From = Facts.simplify(Index - F.Base), Span;
  for (const Digit &D : F.Digits) {
    if (!Facts.neverNegative(D.Stride))
      return O;
    Span += D.Stride * (D.Var.Range - 1);
  }
  if (Facts.neverNegative(-From - 1) || Facts.neverNegative(From - Span - 1))
    O.K = Origin::Kind::Elsewhere;
  return O;
}

std::optional<Family> withoutOthers(const Family &F, Ensure Demand) {
  Family One = F;
  for (const IndexVar &V : F.Free) {
    auto Is = [&](llvm::StringRef Key) { return Key == V.key(); };
    if (!mentionsAny(F.Value, Is))
      continue;
    const IntExpr Origin = V.origin();
    const AtomRef Quotient = Origin.getAtom();
    const AtomRef Thread = Quotient && Quotient->getKind() == AtomKind::FloorDiv
                               ? Quotient->getLHS().getAtom()
                               : nullptr;
    if (!Thread || Thread->getKind() != AtomKind::ThreadIdx ||
        !Demand(Quotient->getRHS() -
                IntExpr::special(AtomKind::BlockDim, Thread->getDim())))
      return std::nullopt;
    One.Guard = BoolExpr::conjunction(
        One.Guard, BoolExpr::compare(CmpOp::EQ, V.Atom, IntExpr()));
  }
  return One;
}

bool storesApart(const Write &W, int64_t Size) {
  std::vector<std::pair<int64_t, std::optional<int64_t>>> Steps;
  for (const BoundLoop &L : W.Loops) {
    const auto Step = W.Index.coefficient(IntExpr::counter(L.Counter).str());
    if (const auto Number = Step ? Step->getConstant() : std::nullopt)
      Steps.push_back({std::abs(*Number), L.Trip.getConstant()});
  }
  llvm::sort(Steps,
             [](const auto &A, const auto &B) { return A.first < B.first; });
  std::optional<int64_t> Below = Size;
  for (const auto &[Step, Trip] : Steps) {
    if (!Below || Step < *Below)
      return false;
    constexpr int64_t Most = int64_t(1) << 30;
    if (!Trip || *Trip > Most || Step > Most)
      Below.reset();
    else
      *Below += Step * std::max<int64_t>(*Trip - 1, 0);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Like withLoopsOf, for stores that one loop may make. Their sums have the
/// same counters, too.
static std::optional<Write> alike(const Write &A, const Write &B) {
  if (A.Size != B.Size || A.Value.K != B.Value.K || A.ZeroFill || B.ZeroFill ||
      A.Clobber || B.Clobber || A.Visible != B.Visible)
    return std::nullopt;
  if (A.Async != B.Async ||
      (A.Async && (A.Done != B.Done || A.Tracked != B.Tracked ||
                   (!A.Done.isTrue() && A.Commits != B.Commits) ||
                   A.Stage != B.Stage || A.Issued != B.Issued ||
                   A.Exists != B.Exists || A.Counted != B.Counted)))
    return std::nullopt;
  std::optional<Write> R = withLoopsOf(A, B);
  if (R && A.Value.S && R->Value.S)
    R->Value.S = withCountersOf(A.Value.S, R->Value.S);
  return R;
}

/// Whether both are numbers, or places in one array.
static bool isNumberLike(const SymValue &A, const SymValue &B) {
  return A.K == B.K && ((A.is(VK::Int) && A.Width == B.Width) ||
                        (A.is(VK::Pointer) && A.Array == B.Array));
}

/// The store that is \p First for counter 0 and \p Next for counter 1.
static std::optional<Write> between(const Write &First, const Write &Next,
                                    const IntExpr &Counter) {
  // Elements behind a parameter may be in different rows, whose distance
  // depends on parameters.
  const auto There = indexWithLoopsOf(First, Next);
  if (!There)
    return std::nullopt;
  const IntExpr Step = *There - First.Index;
  const auto Constant = Step.getConstant();
  const bool Behind = First.Array[0] != '#' && First.Array[0] != '!';
  if (Constant ? *Constant <= 0
               : !Behind || Step.overflowed() ||
                     llvm::any_of(Step.terms(), [](const auto &T) {
                       return llvm::any_of(T.first, [](const AtomRef &A) {
                         return Simplifier::varies(*A);
                       });
                     }))
    return std::nullopt;
  auto B = alike(First, Next);
  if (!B)
    return std::nullopt;
  Write R = First;
  R.Index = First.Index + Step * Counter;
  auto Guard = interpolate(First.Guard, B->Guard, Counter);
  if (!Guard)
    return std::nullopt;
  R.Guard = *Guard;
  if (First.Value.is(VK::Scalar)) {
    R.Value.S = interpolate(First.Value.S, B->Value.S, Counter);
    if (!R.Value.S)
      return std::nullopt;
  } else if (isNumberLike(First.Value, B->Value)) {
    // `half *stages[3]`, which point to places at equal distances.
    R.Value.I = First.Value.I + (B->Value.I - First.Value.I) * Counter;
    R.Value.SignedExact &= B->Value.SignedExact;
    R.Value.UnsignedExact &= B->Value.UnsignedExact;
    R.Value.Narrow |= B->Value.Narrow;
    R.Value.NarrowUnsigned |= B->Value.NarrowUnsigned;
    if (R.Value.I.overflowed())
      return std::nullopt;
  } else if (!same(First.Value, B->Value)) {
    return std::nullopt;
  }
  return R;
}

/// Whether \p General is \p W for counter \p N.
static bool isAt(const Write &General, const IntExpr &Counter, int64_t N,
                 const Write &W) {
  auto B = alike(General, W);
  if (!B)
    return false;
  auto Fn = [&](const IntAtom &X) -> std::optional<IntExpr> {
    if (X.getKey() == Counter.str())
      return IntExpr(N);
    return std::nullopt;
  };
  if (General.Index.transform(Fn) != B->Index ||
      General.Guard.transform(Fn) != B->Guard)
    return false;
  if (isNumberLike(General.Value, B->Value))
    return General.Value.I.transform(Fn) == B->Value.I;
  return General.Value.S
             ? sameValue(transformInts(General.Value.S, Fn), B->Value.S)
             : same(General.Value, B->Value);
}

void rollUp(std::vector<Write> &Writes, unsigned &NextCounter) {
  // The lanes of each vector first, then the vectors that a loop stores.
  size_t Level = 0;
  bool Changed = true;
  while (Changed || llvm::any_of(Writes, [&](const Write &W) {
           return W.Loops.size() > Level;
         })) {
    if (!Changed)
      ++Level;
    Changed = false;
    std::vector<Write> Out;
    for (size_t N = 0; N < Writes.size();) {
      size_t Count = 1;
      if (N + 1 < Writes.size() && Writes[N].Loops.size() == Level) {
        IntExpr Counter = IntExpr::counter(NextCounter);
        if (auto General = between(Writes[N], Writes[N + 1], Counter)) {
          while (N + Count < Writes.size() &&
                 isAt(*General, Counter, Count, Writes[N + Count]))
            ++Count;
          if (Count > 1) {
            General->Loops.push_back(
                {NextCounter++, IntExpr(static_cast<int64_t>(Count))});
            Out.push_back(std::move(*General));
            Changed = true;
            N += Count;
            continue;
          }
        }
      }
      Out.push_back(Writes[N]);
      ++N;
    }
    Writes = std::move(Out);
  }
}

} // namespace warpwright::symbolic
