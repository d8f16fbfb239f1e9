//===-- Ranges.cpp - Bounds of symbolic integers --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warpwright::symbolic {

using Number = Interval::Number;

static Number clampNumber(Number N) {
  return std::max(-Interval::Infinite, std::min(Interval::Infinite, N));
}

static Number times(Number A, Number B) {
  if (A == 0 || B == 0)
    return 0;
  Number R;
  if (__builtin_mul_overflow(A, B, &R))
    return (A < 0) == (B < 0) ? Interval::Infinite : -Interval::Infinite;
  return clampNumber(R);
}

Interval Interval::of(Number Low, Number High) {
  Interval I;
  I.Low = clampNumber(Low);
  I.High = clampNumber(High);
  return I;
}

Interval Interval::operator+(const Interval &O) const {
  // An infinite side stays infinite, whatever is added to it.
  Number L = Low == -Infinite || O.Low == -Infinite ? -Infinite : Low + O.Low;
  Number H = High == Infinite || O.High == Infinite ? Infinite : High + O.High;
  return of(L, H);
}

Interval Interval::operator*(const Interval &O) const {
  Number P[] = {times(Low, O.Low), times(Low, O.High), times(High, O.Low),
                times(High, O.High)};
  return of(*std::min_element(P, P + 4), *std::max_element(P, P + 4));
}

Interval Interval::intersect(const Interval &O) const {
  return of(std::max(Low, O.Low), std::min(High, O.High));
}

Interval signedRange(unsigned Width) {
  return Interval::of(-(Number(1) << (Width - 1)),
                      (Number(1) << (Width - 1)) - 1);
}

Interval unsignedRange(unsigned Width) {
  return Interval::of(0, (Number(1) << Width) - 1);
}

void Ranges::setParam(llvm::StringRef Path, ScalarType Type) {
  Asked.clear();
  switch (Type) {
  case ScalarType::Bool:
    Params[Path] = Interval::of(0, 1);
    return;
  case ScalarType::I8:
  case ScalarType::I16:
  case ScalarType::I32:
  case ScalarType::I64:
    Params[Path] = signedRange(8 * byteSize(Type));
    return;
  case ScalarType::U8:
  case ScalarType::U16:
  case ScalarType::U32:
    Params[Path] = unsignedRange(8 * byteSize(Type));
    return;
  case ScalarType::U64:
    // The launcher reads it into an int64, where 2^63 and more is negative.
    Params[Path] = signedRange(64);
    return;
  default:
    return;
  }
}

void Ranges::learnAtLeast(const IntExpr &E, int64_t Low) {
  if (E.getConstant())
    return;
  for (const auto &[Known, Least] : Facts)
    if (Least >= Low && Known == E)
      return;
  Asked.clear();
  Facts.push_back({E, Low});
  // blockDim.x + c or c - blockDim.x.
  int64_t Constant = 0;
  const std::pair<IntExpr::Monomial, int64_t> *Only = nullptr;
  unsigned Count = 0;
  for (const auto &T : E.terms())
    if (T.first.empty())
      Constant = T.second;
    else if (++Count == 1)
      Only = &T;
  if (Count == 1 && Only->first.size() == 1 &&
      Only->first[0]->getKind() == AtomKind::BlockDim &&
      std::abs(Constant) < INT32_MAX && std::abs(Low) < INT32_MAX) {
    const unsigned D = Only->first[0]->getDim();
    if (Only->second == 1)
      LeastBlock[D] = std::max(LeastBlock[D], Low - Constant);
    else if (Only->second == -1)
      MostBlock[D] = std::max<int64_t>(
          1, MostBlock[D] ? std::min(MostBlock[D], Constant - Low)
                          : Constant - Low);
  }
  // A smallest number that is at least Low: so are both of its sides.
  if (AtomRef A = E.getAtom()) {
    if (A->getKind() == AtomKind::Min) {
      learnAtLeast(A->getLHS(), Low);
      learnAtLeast(A->getRHS(), Low);
    }
    if (A->getKind() == AtomKind::FloorDiv && Low == 1)
      if (auto D = A->getRHS().getConstant(); D && *D > 0)
        learnAtLeast(A->getLHS(), *D);
    if (A->getKind() == AtomKind::Param) {
      Interval &I = Params[A->getKey()];
      I.Low = std::max<Number>(I.Low, Low);
    }
    return;
  }
  // A parameter that is at least something else.
  for (const auto &[M, C] : E.terms())
    if (C == 1 && M.size() == 1 && M[0]->getKind() == AtomKind::Param) {
      IntExpr Others = E - IntExpr(M[0]);
      if (Others.contains(M[0]->getKey()))
        continue;
      Interval &I = Params[M[0]->getKey()];
      I.Low = std::max<Number>(I.Low, Low - bounds(Others, {}, 1).High);
    }
  // One parameter and a constant.
  IntExpr Rest = E;
  for (const auto &[M, C] : E.terms())
    if (M.empty())
      Rest -= C;
  if (auto C = (E - Rest).getConstant(); C && *C != 0)
    learnAtLeast(Rest, Low - *C);
}

void Ranges::learnEqual(const IntExpr &E, const IntExpr &F) {
  learnAtLeast(E - F, 0);
  learnAtLeast(F - E, 0);
  for (auto [Side, Other] : {std::pair{&E, &F}, {&F, &E}})
    if (AtomRef A = Side->getAtom(); A && A->getKind() == AtomKind::BlockDim)
      if (auto C = Other->getConstant(); C && *C > 0 && *C <= 1024)
        Block[A->getDim()] = *C;
  Asked.clear();
}

/// The largest value of blockIdx and gridDim along each axis, plus one.
static constexpr int64_t MaxGrid[] = {2147483647, 65535, 65535};
static constexpr int64_t MaxBlock[] = {1024, 1024, 64};

Interval Ranges::atom(const IntAtom &A, llvm::ArrayRef<BoundLoop> Loops,
                      unsigned Depth) const {
  switch (A.getKind()) {
  case AtomKind::ThreadIdx:
    if (Block[A.getDim()])
      return Interval::of(0, Block[A.getDim()] - 1);
    return Interval::of(0, MaxBlock[A.getDim()] - 1);
  case AtomKind::BlockIdx:
    return Interval::of(0, MaxGrid[A.getDim()] - 1);
  case AtomKind::BlockDim:
    if (Block[A.getDim()])
      return Interval::of(Block[A.getDim()], Block[A.getDim()]);
    return Interval::of(
        LeastBlock[A.getDim()],
        std::max(LeastBlock[A.getDim()],
                 MostBlock[A.getDim()]
                     ? std::min(MostBlock[A.getDim()], MaxBlock[A.getDim()])
                     : MaxBlock[A.getDim()]));
  case AtomKind::GridDim:
    // The launcher checks that gridDim.x * blockDim.x fits an int.
    if (int64_t Width = Block[A.getDim()])
      return Interval::of(
          1, std::min<int64_t>(MaxGrid[A.getDim()], INT32_MAX / Width));
    return Interval::of(1, MaxGrid[A.getDim()]);
  case AtomKind::Param: {
    auto It = Params.find(A.getKey());
    return It == Params.end() ? Interval() : It->second;
  }
  case AtomKind::Index:
    return Interval::of(0, Interval::Infinite);
  case AtomKind::Counter: {
    Interval I = Interval::of(0, Interval::Infinite);
    for (const BoundLoop &L : Loops)
      if (L.Counter == A.getDim())
        I.High = std::max<Number>(0, bounds(L.Trip, Loops, Depth + 1).High);
    return I;
  }
  default:
    break;
  }
  Interval L = bounds(A.getLHS(), Loops, Depth + 1),
           R = bounds(A.getRHS(), Loops, Depth + 1);
  switch (A.getKind()) {
  case AtomKind::FloorDiv: {
    // The divisor is positive.
    R.Low = std::max<Number>(R.Low, 1);
    auto Floor = [](Number X, Number Y) {
      return X >= 0 ? X / Y : -((-X + Y - 1) / Y);
    };
    if (R.High < R.Low)
      return {};
    Number Corners[] = {Floor(L.Low, R.Low), Floor(L.Low, R.High),
                        Floor(L.High, R.Low), Floor(L.High, R.High)};
    return Interval::of(*std::min_element(Corners, Corners + 4),
                        *std::max_element(Corners, Corners + 4));
  }
  case AtomKind::Mod: {
    Number High = R.High - 1;
    if (L.Low >= 0)
      High = std::min(High, L.High);
    return Interval::of(0, std::max<Number>(High, 0));
  }
  case AtomKind::Min:
    return Interval::of(std::min(L.Low, R.Low), std::min(L.High, R.High));
  case AtomKind::Max:
    return Interval::of(std::max(L.Low, R.Low), std::max(L.High, R.High));
  case AtomKind::Xor: {
    const Number High = std::max(L.High, R.High);
    if (L.Low < 0 || R.Low < 0 || High >= (Number(1) << 62))
      return {};
    Number Bits = 1;
    while (Bits <= High)
      Bits *= 2;
    return Interval::of(0, Bits - 1);
  }
  case AtomKind::Select:
    return Interval::of(std::min(L.Low, R.Low), std::max(L.High, R.High));
  default:
    return {};
  }
}

Interval Ranges::polynomial(const IntExpr &E, llvm::ArrayRef<BoundLoop> Loops,
                            unsigned Depth) const {
  Interval Sum = Interval::of(0, 0);
  for (const auto &[M, C] : E.terms()) {
    Interval Term = Interval::of(C, C);
    llvm::SmallVector<AtomRef, 4> Rest(M.begin(), M.end());
    // gridDim.x * blockDim.x: the launcher checks that it fits an int.
    for (unsigned D = 0; D < 3; ++D) {
      auto Find = [&](AtomKind K) {
        return llvm::find_if(Rest, [&](const AtomRef &A) {
          return A->getKind() == K && A->getDim() == D;
        });
      };
      if (Find(AtomKind::GridDim) == Rest.end() ||
          Find(AtomKind::BlockDim) == Rest.end())
        continue;
      Rest.erase(Find(AtomKind::GridDim));
      Rest.erase(Find(AtomKind::BlockDim));
      Term = Term * Interval::of(1, 2147483647);
    }
    for (size_t N = 0; N < Rest.size(); ++N) {
      Interval F = atom(*Rest[N], Loops, Depth);
      // x * x is no negative number.
      if (N + 1 < Rest.size() && Rest[N]->getKey() == Rest[N + 1]->getKey()) {
        Interval Square = F * F;
        Square.Low = std::max<Number>(Square.Low, 0);
        Term = Term * Square;
        ++N;
        continue;
      }
      Term = Term * F;
    }
    Sum = Sum + Term;
  }
  return Sum;
}

namespace {
/// The threads, blocks and counters that occur in an expression.
struct Varying {
  uint8_t Threads = 0, Blocks = 0; ///< bit 0 for x
  llvm::SmallVector<unsigned, 8> Counters;

  explicit Varying(const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (A.getKind() == AtomKind::ThreadIdx)
        Threads |= 1u << A.getDim();
      else if (A.getKind() == AtomKind::BlockIdx)
        Blocks |= 1u << A.getDim();
      else if (A.getKind() == AtomKind::Counter)
        Counters.push_back(A.getDim());
    });
  }
  bool any() const { return Threads || Blocks || !Counters.empty(); }
};
} // namespace

std::optional<IntExpr> Ranges::extreme(const IntExpr &E, bool Largest,
                                       llvm::ArrayRef<BoundLoop> Loops) const {
  if (E.overflowed())
    return std::nullopt;
  IntExpr R = E;
  Varying In(R);
  // Inner loops first: their trip counts may mention outer counters, and
  // counters' trip counts may mention threads.
  auto Eliminate = [&](const IntExpr &Atom, const IntExpr &Last) {
    auto C = R.coefficient(Atom.getAtom()->getKey());
    if (!C)
      return false;
    Interval Sign = bounds(*C, Loops, 1);
    IntExpr Rest = R - *C * Atom;
    if (Sign.Low >= 0)
      R = Largest ? Rest + *C * Last : Rest;
    else if (Sign.High <= 0)
      R = Largest ? Rest : Rest + *C * Last;
    else
      return false;
    In = Varying(R);
    return !R.overflowed();
  };
  for (const BoundLoop &L : llvm::reverse(Loops))
    if (llvm::is_contained(In.Counters, L.Counter) &&
        !Eliminate(IntExpr::counter(L.Counter),
                   bounds(L.Trip, Loops, 1).Low >= 0
                       ? L.Trip
                       : IntExpr::max(L.Trip, IntExpr())))
      return std::nullopt;
  for (unsigned D = 0; D < 3; ++D) {
    if (In.Threads >> D & 1 &&
        !Eliminate(IntExpr::special(AtomKind::ThreadIdx, D),
                   IntExpr::special(AtomKind::BlockDim, D) - 1))
      return std::nullopt;
    if (In.Blocks >> D & 1 &&
        !Eliminate(IntExpr::special(AtomKind::BlockIdx, D),
                   IntExpr::special(AtomKind::GridDim, D) - 1))
      return std::nullopt;
  }
  return R;
}

Interval Ranges::bounds(const IntExpr &E, llvm::ArrayRef<BoundLoop> Loops,
                        unsigned Depth) const {
  if (E.overflowed() || Depth > 12)
    return {};
  Interval I = polynomial(E, Loops, Depth);
  for (const auto &[Known, Low] : Facts) {
    if (auto D = E.constantBeside(Known, /*Plus=*/false))
      I.Low = std::max<Number>(I.Low, Number(Low) + *D);
    if (auto D = E.constantBeside(Known, /*Plus=*/true))
      I.High = std::min<Number>(I.High, Number(*D) - Low);
  }
  return I;
}

static bool sameLoops(llvm::ArrayRef<BoundLoop> A,
                      llvm::ArrayRef<BoundLoop> B) {
  return llvm::equal(A, B, [](const BoundLoop &X, const BoundLoop &Y) {
    return X.Counter == Y.Counter && X.Trip == Y.Trip;
  });
}

static uint64_t hashOf(uint64_t Hash, llvm::ArrayRef<BoundLoop> Loops) {
  for (const BoundLoop &L : Loops)
    Hash = llvm::hash_combine(Hash, L.Counter, L.Trip.measure().Hash);
  return Hash;
}

std::shared_ptr<Ranges::Answers>
Ranges::answers(llvm::ArrayRef<BoundLoop> Loops,
                llvm::ArrayRef<IntExpr> NotNegative) const {
  uint64_t Hash = hashOf(0, Loops);
  for (const IntExpr &E : NotNegative)
    Hash = llvm::hash_combine(Hash, E.measure().Hash);
  auto [From, To] = Asked.Given.equal_range(Hash);
  for (; From != To; ++From)
    if (const Answers &A = *From->second;
        sameLoops(A.Loops, Loops) && llvm::equal(A.NotNegative, NotNegative))
      return From->second;
  auto New = std::make_shared<Answers>();
  New->Loops = Loops.vec();
  New->NotNegative = NotNegative.vec();
  Asked.Given.emplace(Hash, New);
  return New;
}

Interval Ranges::bounds(const IntExpr &E,
                        llvm::ArrayRef<BoundLoop> Loops) const {
  if (E.overflowed())
    return {};
  const uint64_t Hash = hashOf(E.measure().Hash, Loops);
  auto [From, To] = Asked.Entries.equal_range(Hash);
  for (; From != To; ++From)
    if (const Memo::Entry &Found = From->second;
        Found.E == E && sameLoops(Found.Loops, Loops))
      return Found.Result;
  Interval I = findBounds(E, Loops);
  Asked.Entries.emplace(Hash, Memo::Entry{E, Loops.vec(), I});
  return I;
}

Interval Ranges::findBounds(const IntExpr &E,
                            llvm::ArrayRef<BoundLoop> Loops) const {
  Interval I = bounds(E, Loops, 0);
  // Together, threads and blocks reach less than each alone would allow.
  if (!Varying(E).any())
    return I;
  auto HasPlace = [](const IntExpr &X) {
    const Varying In(X);
    return In.Threads || In.Blocks;
  };
  if (auto High = extreme(E, true, Loops))
    if (!HasPlace(*High))
      I.High = std::min(I.High, bounds(*High, Loops, 1).High);
  if (auto Low = extreme(E, false, Loops))
    if (!HasPlace(*Low))
      I.Low = std::max(I.Low, bounds(*Low, Loops, 1).Low);
  return I;
}

} // namespace warpwright::symbolic
