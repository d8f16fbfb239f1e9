//===-- Integers.cpp - Bit-vectors as polynomials -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An integer of w bits is kept as a polynomial P with bits = P mod 2^w. That
/// holds through +, -, * and << whatever wraps, since these commute with taking
/// the remainder. What asks for the number itself (comparisons, extensions,
/// divisions, conversions) first has to know that P is in the type's range:
/// because the instruction says so (nsw, nuw: it would be undefined behaviour
/// of the original), because the bounds of its atoms show it, or because the
/// launcher checks it (an Obligation).
///
//===----------------------------------------------------------------------===//

#include "AddressBits.h"
#include "Executor.h"
#include "Mistakes.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Operator.h"
#include <numeric>

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static bool isLaunchAtom(const IntAtom &A) {
  switch (A.getKind()) {
  case AtomKind::ThreadIdx:
  case AtomKind::BlockIdx:
  case AtomKind::BlockDim:
  case AtomKind::GridDim:
  case AtomKind::Counter:
    return true;
  default:
    return false;
  }
}

void Executor::oblige(const IntExpr &E, IntExpr Low, IntExpr High,
                      llvm::Twine What) {
  if (Probing || mistaken(Mistake::ObligationsDropped))
    return;
  // `inside ? i : 0`: each side has to fit only where it is chosen.
  for (const auto &[M, C] : E.terms())
    for (const AtomRef &A : M) {
      if (A->getKind() != AtomKind::Select || hasValues(A->getCondition()))
        continue;
      const BoolExpr Here = Active;
      const AtomRef Choice = A;
      for (bool Then : {true, false}) {
        const BoolExpr When = Then ? Choice->getCondition()
                                   : BoolExpr::negation(Choice->getCondition());
        Active = BoolExpr::conjunction(Here, When);
        if (!Active.isFalse())
          oblige(E.substitute(Choice->getKey(),
                              Then ? Choice->getLHS() : Choice->getRHS()),
                 Low, High, What);
      }
      Active = Here;
      return;
    }
  Obligation O;
  O.E = O.Found = E;
  O.Low = std::move(Low);
  O.High = std::move(High);
  O.Guard = totalActive();
  O.Loops = LiveLoops;
  // Only the loop's test sees the counter's last value.
  for (size_t N = 0; N < LiveLoops.size(); ++N) {
    if (Current && Current->getParent() == LiveHeaders[N])
      O.AtTest = true;
    else
      O.Loops[N].Trip -= 1;
  }
  O.Loc = here();
  O.What = What.str();
  auto L = O.Low.getConstant(), H = O.High.getConstant();
  if (L && H && Bounds.bounds(E, O.Loops).within(*L, *H))
    return;
  for (const Obligation &Old : Obligations)
    if (Old.E == O.E && Old.Low == O.Low && Old.High == O.High &&
        Old.Guard == O.Guard)
      return;
  Obligations.push_back(std::move(O));
}

IntExpr Executor::exactly(const SymValue &V, bool Signed) {
  if (Signed ? V.SignedExact : V.UnsignedExact)
    return V.I;
  Interval Type = Signed ? signedRange(V.Width) : unsignedRange(V.Width);
  IntExpr Low, High;
  if (V.Width >= 64) {
    Low = Signed ? IntExpr(INT64_MIN) : IntExpr();
    High = IntExpr(INT64_MAX); // more than the launcher's own arithmetic holds
  } else {
    Low = IntExpr(static_cast<int64_t>(Type.Low));
    High = IntExpr(static_cast<int64_t>(Type.High));
  }
  // IR writes constants as signed numbers.
  if (auto C = V.constant(); C && *C < 0 && !Signed && V.Width < 64)
    return IntExpr(*C + (int64_t(1) << V.Width));
  oblige(V.I, Low, High,
         (Signed ? "a number leaves its " : "a number leaves its unsigned ") +
             llvm::Twine(V.Width) + " bits");
  return V.I;
}

bool Executor::provablyNonNegative(const IntExpr &E) const {
  return Bounds.bounds(E, LiveLoops).Low >= 0;
}

/// Whether \p E is not negative if blocks have at most a certain width, at
/// least 4, as `16 + threadIdx.x - threadIdx.y` is. The launcher is required to
/// check that.
bool Executor::inSmallBlocks(const IntExpr &E) {
  constexpr int64_t Least = 4;
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  auto Low = Facts.limit(E, /*Largest=*/false);
  if (!Low || Low->getConstant() || Low->overflowed())
    return false;
  for (const auto &[M, C] : Low->terms())
    if (!M.empty() &&
        (M.size() > 1 || C > 0 || M[0]->getKind() != AtomKind::BlockDim))
      return false;
  auto There = Low->transform([&](const IntAtom &A) {
                    return A.getKind() == AtomKind::BlockDim
                               ? std::optional<IntExpr>(IntExpr(Least))
                               : std::nullopt;
                  })
                   .getConstant();
  return There && *There >= 0 &&
         demand(E, "a number that is divided may be negative");
}

bool Executor::nonNegative(const IntExpr &E) {
  if (auto C = E.getConstant())
    return *C >= 0;
  if (mentionsPhi(E))
    return true; // only while probing; repeated with the real value
  // `if (thread >= 128) n = (thread - 128) / 16;`
  auto NeverHere = [&](const IntExpr &X) {
    return Simplifier(Bounds, bodyLoops(), totalActive()).neverNegative(X);
  };
  // Terms with a thread, block or loop number must be non-negative one by one;
  // for the rest the parameters decide.
  IntExpr Rest;
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(C);
    bool Varies = false;
    bool AtomsNonNegative = true;
    for (const AtomRef &A : M) {
      Term = Term * IntExpr(A);
      bool Quotient =
          A->getKind() == AtomKind::FloorDiv || A->getKind() == AtomKind::Mod;
      IntExpr(A).walk([&](const IntAtom &X) {
        Varies |= X.getKind() == AtomKind::ThreadIdx ||
                  X.getKind() == AtomKind::BlockIdx ||
                  X.getKind() == AtomKind::Counter;
      });
      if (!isLaunchAtom(*A) && A->getKind() != AtomKind::Param &&
          !(Quotient && provablyNonNegative(IntExpr(A))))
        AtomsNonNegative = false;
    }
    if (!Varies) {
      Rest += Term;
      continue;
    }
    if (C < 0 || !AtomsNonNegative)
      return provablyNonNegative(E) || NeverHere(E) || inSmallBlocks(E);
    for (const AtomRef &A : M)
      if (A->getKind() == AtomKind::Param)
        require(BoolExpr::compare(CmpOp::GE, IntExpr(A), 0),
                A->getKey() + " is negative");
  }
  if (Rest.isZero())
    return true;
  if (auto C = Rest.getConstant())
    return *C >= 0 || NeverHere(E);
  bool AllLaunch = true;
  for (const auto &[M, C] : Rest.terms())
    AllLaunch &= C > 0 && llvm::all_of(M, [](const AtomRef &A) {
                   return isLaunchAtom(*A);
                 });
  if (!AllLaunch && !provablyNonNegative(Rest))
    require(BoolExpr::compare(CmpOp::GE, Rest, 0), Rest.str() + " is negative");
  return true;
}

IntExpr Executor::commonDivisor(const IntExpr &Multiple,
                                const IntExpr &Divisor) {
  int64_t Factor = 0;
  for (const auto &[Atoms, C] : Multiple.terms())
    Factor = std::gcd(Factor, C);
  bool Varies = Divisor.getConstant().has_value() || mentionsPhi(Divisor);
  Divisor.walk([&](const IntAtom &A) { Varies |= Simplifier::varies(A); });
  if (Factor < 2 || Varies || Divisor.exactDivide(IntExpr(Factor)))
    return IntExpr(1);
  DividesMultiples = true;
  if (!WholeDivisors)
    return IntExpr(1);
  require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(Divisor, Factor), 0),
          Divisor.str() + " is not a multiple of " + llvm::Twine(Factor));
  return IntExpr(Factor);
}

bool Executor::positive(const IntExpr &E) {
  if (auto C = E.getConstant())
    return *C > 0;
  if (mentionsPhi(E))
    return true;
  bool Varies = false, AllDims = true;
  E.walk([&](const IntAtom &A) {
    Varies |= A.getKind() == AtomKind::ThreadIdx ||
              A.getKind() == AtomKind::BlockIdx ||
              A.getKind() == AtomKind::Counter;
    AllDims &=
        A.getKind() == AtomKind::BlockDim || A.getKind() == AtomKind::GridDim;
  });
  // A block of a grid of whole rows is in a group that has a row.
  if (const auto Groups = Varies ? blockGroups(E) : std::nullopt) {
    require(BoolExpr::compare(CmpOp::EQ, Groups->Count,
                              Groups->Rows * Groups->Columns),
            "the grid does not cover whole rows of blocks");
    require(BoolExpr::compare(CmpOp::GE, Groups->Size, 1),
            "a group of blocks has no row");
    return true;
  }
  if (Varies)
    return Bounds.bounds(E, LiveLoops).Low > 0;
  for (const auto &[M, C] : E.terms())
    AllDims &= C > 0;
  if (!AllDims)
    require(BoolExpr::compare(CmpOp::GT, E, 0), E.str() + " is not positive");
  return true;
}

std::optional<BoolExpr> Executor::asCondition(const SymValue &V) {
  if (!V.is(VK::Int))
    return std::nullopt;
  if (auto C = V.constant(); C && (*C == 0 || *C == 1))
    return BoolExpr::constant(*C == 1);
  AtomRef A = V.I.getAtom();
  if (!A || A->getKind() != AtomKind::Select ||
      A->getLHS().getConstant() != 1 || A->getRHS().getConstant() != 0)
    return std::nullopt;
  return A->getCondition();
}

bool isRemainderByTwo(const IntExpr &E) {
  const AtomRef A = E.getAtom();
  return A && A->getKind() == AtomKind::Mod && A->getRHS() == IntExpr(2);
}

SymValue Executor::integerOp(const llvm::BinaryOperator &I, const SymValue &L,
                             const SymValue &R) {
  using Op = llvm::Instruction;
  if (L.is(VK::Unknown))
    return L;
  if (R.is(VK::Unknown))
    return R;
  unsigned Opcode = I.getOpcode();
  if (auto Pair = pairOp(I, L, R))
    return *Pair;
  if (L.is(VK::Aggregate) || R.is(VK::Aggregate)) {
    if (!L.is(VK::Aggregate) || !R.is(VK::Aggregate) ||
        L.Fields.size() != R.Fields.size() || !I.getType()->isVectorTy())
      return unknown(DiagID::UnsupportedExpression,
                     "this operation is not understood");
    std::vector<SymValue> Lanes;
    for (size_t N = 0; N < L.Fields.size(); ++N)
      Lanes.push_back(integerOp(I, L.Fields[N], R.Fields[N]));
    return SymValue::aggregate(std::move(Lanes));
  }
  if (L.is(VK::Bool) && R.is(VK::Bool)) {
    BoolExpr NotL = BoolExpr::negation(L.B), NotR = BoolExpr::negation(R.B);
    switch (Opcode) {
    case Op::And:
    case Op::Mul:
      return SymValue::boolean(BoolExpr::conjunction(L.B, R.B));
    case Op::Or:
      return SymValue::boolean(BoolExpr::disjunction(L.B, R.B));
    case Op::Xor:
    case Op::Add:
    case Op::Sub:
      if (R.B.isTrue())
        return SymValue::boolean(NotL);
      if (L.B.isTrue())
        return SymValue::boolean(NotR);
      return SymValue::boolean(either(BoolExpr::conjunction(L.B, NotR),
                                      BoolExpr::conjunction(NotL, R.B)));
    default:
      return unknown(DiagID::UnsupportedExpression,
                     "this operation on conditions is not understood");
    }
  }
  if (L.is(VK::Scalar) || R.is(VK::Scalar))
    return dataOp(I, L, R);
  // Adds a number to the integer value of an address.
  if (L.is(VK::Pointer) != R.is(VK::Pointer) &&
      (L.is(VK::Int) || R.is(VK::Int))) {
    SymValue P = L.is(VK::Pointer) ? L : R;
    const SymValue &N = L.is(VK::Pointer) ? R : L;
    const bool Less = I.getOpcode() == Op::Sub;
    if (!P.Array.empty() &&
        (I.getOpcode() == Op::Add || (Less && L.is(VK::Pointer)))) {
      const IntExpr Bytes = N.Width >= 64 ? N.I : exactly(N, N.SignedExact);
      P.I = Less ? P.I - Bytes : P.I + Bytes;
      return P;
    }
  }
  if (auto Bits = bitsOfAddress(Opcode, L, R))
    return *Bits;
  if (L.is(VK::Pointer) || R.is(VK::Pointer))
    return unknown(DiagID::UnsupportedExpression,
                   "this pointer arithmetic is not understood");
  if (!L.is(VK::Int) || !R.is(VK::Int))
    return unknown(DiagID::UnsupportedExpression,
                   "this operation is not understood");
  unsigned W = L.Width;
  // `a < b & c < d` is a number for C++, which makes its operands ints first.
  if ((Opcode == Op::And || Opcode == Op::Or) &&
      !(L.constant() && R.constant())) {
    auto OfL = asCondition(L), OfR = asCondition(R);
    if (OfL && OfR) {
      // What a flag was before may follow from what it is narrowed by.
      if (Opcode == Op::And && !hasValues(*OfL) && !hasValues(*OfR))
        OfL = Simplifier(Bounds, bodyLoops(), *OfR).simplify(*OfL);
      const BoolExpr Both = Opcode == Op::And
                                ? BoolExpr::conjunction(*OfL, *OfR)
                                : BoolExpr::disjunction(*OfL, *OfR);
      if (!hasValues(Both))
        return SymValue::exact(IntExpr::select(Both, IntExpr(1), IntExpr()), W);
    }
  }
  SymValue V = SymValue::integer(IntExpr(), W);
  bool NSW = false, NUW = false;
  if (const auto *O = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&I)) {
    NSW = O->hasNoSignedWrap();
    NUW = O->hasNoUnsignedWrap();
  }
  // nsw says something about the result's number only if the numbers of the
  // operands are known.
  auto Readable = [&](const SymValue &X, bool Signed) {
    if (Signed ? X.SignedExact : X.UnsignedExact)
      return true;
    Interval T = Signed ? signedRange(W) : unsignedRange(W);
    return Bounds.bounds(X.I, LiveLoops).within(T.Low, T.High);
  };
  auto Flags = [&] {
    V.SignedExact = NSW && Readable(L, true) && Readable(R, true);
    V.UnsignedExact = NUW && Readable(L, false) && Readable(R, false);
    V.UnsignedExact |= mistaken(Mistake::UnsignedNeverWraps);
    if (!V.SignedExact)
      V.SignedExact = Readable(V, true);
    if (!V.UnsignedExact)
      V.UnsignedExact = Readable(V, false);
  };
  bool Trivial = L.constant() && R.constant();
  V.Narrow = W < 64 && !Trivial;
  V.NarrowUnsigned = V.Narrow && !NSW;
  if (W >= 64)
    V.Narrow = V.NarrowUnsigned = false;
  // `(K - k) % 4` in a loop that counts k by fours is K % 4, but K - k where it
  // is known to be less than four.
  auto Remainder = [&](const IntExpr &A, const IntExpr &D) {
    IntExpr Of = IntExpr::mod(A, D);
    if (A.containsKind(AtomKind::Counter) &&
        !Of.containsKind(AtomKind::Counter)) {
      const Simplifier Facts(Bounds, bodyLoops(), totalActive());
      if (Facts.neverNegative(A) && Facts.neverNegative(D - 1 - A))
        return A;
    }
    return Of;
  };
  auto Divides = [&](IntExpr D, bool Quotient, bool Signed) -> SymValue {
    IntExpr A = exactly(L, Signed);
    // C++ rounds toward zero, floordiv down; these agree for non-negative
    // numbers.
    if (!positive(D) || (Signed && !nonNegative(A)))
      return unknown(DiagID::IndexNotAffine,
                     "a division whose operands may be negative");
    if (const auto Divisor = D.getConstant())
      findMultiples(A, *Divisor, Divided);
    const IntExpr Common = commonDivisor(A, D);
    if (!Common.isOne()) {
      A = *A.exactDivide(Common);
      D = Simplifier(Bounds, {}, BoolExpr::constant(true))
              .simplify(IntExpr::floorDiv(D, Common));
    }
    V.I = Quotient ? IntExpr::floorDiv(A, D) : Common * Remainder(A, D);
    V.SignedExact = V.UnsignedExact = true;
    if (!Signed)
      V.SignedExact = Readable(V, true);
    V.NarrowUnsigned = V.Narrow && !Signed;
    return V;
  };
  auto Power = [&](const SymValue &X) -> std::optional<IntExpr> {
    auto C = X.constant();
    if (!C || *C < 0 || *C >= std::min(W, 62u))
      return std::nullopt;
    return IntExpr(int64_t(1) << *C);
  };
  switch (Opcode) {
  case Op::Add:
    V.I = L.I + R.I;
    break;
  case Op::Sub:
    V.I = mistaken(Mistake::SubtractionAdds) ? L.I + R.I : difference(L.I, R.I);
    break;
  case Op::Mul:
    V.I = L.I * R.I;
    break;
  case Op::Shl: {
    auto P = Power(R);
    if (!P)
      P = powerOfTwo(R);
    // `1 << shift - 1`, which rounds what is shifted.
    if (!P && L.constant())
      return bitOp(I, L, R);
    if (!P)
      return unknown(DiagID::IndexNotAffine, "a shift by an unknown amount");
    V.I = L.I * *P;
    break;
  }
  case Op::Or:
    if (const auto *D = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&I);
        D && D->isDisjoint()) {
      V.I = L.I + R.I;
      break;
    }
    return inclusiveOr(L, R, V);
  case Op::Xor:
    if (R.constant() == -1) {
      V.I = -L.I - 1;
      V.SignedExact = L.SignedExact;
      return V;
    }
    // x ^ 1 is the other number of the pair (2 * n, 2 * n + 1).
    for (const auto &[X, Bit] : {std::pair{&L, &R}, {&R, &L}})
      if (Bit->constant() == 1) {
        if (isRemainderByTwo(X->I))
          return SymValue::exact(
              IntExpr::mod(X->I.getAtom()->getLHS() + 1, IntExpr(2)), W);
        V.I = X->I + 1 - IntExpr::mod(X->I, 2) * IntExpr(2);
        V.SignedExact = X->SignedExact;
        V.UnsignedExact = X->UnsignedExact;
        return V;
      }
    // `offset ^= 256`, of an offset that a loop passes on, flips one bit.
    for (const auto &[X, Bit] : {std::pair{&L, &R}, {&R, &L}})
      if (const auto C = Bit->constant();
          C && *C > 1 && *C <= INT16_MAX && llvm::isPowerOf2_64(*C) &&
          V.Width >= 32 && !X->I.containsKind(AtomKind::ThreadIdx)) {
        V.I = X->I + *C -
              IntExpr(2 * *C) *
                  IntExpr::mod(IntExpr::floorDiv(X->I, IntExpr(*C)), 2);
        V.SignedExact = X->SignedExact;
        V.UnsignedExact = X->UnsignedExact;
        return V;
      }
    return exclusiveOr(L, R);
  case Op::And: {
    // x & (2^n - 1) is x mod 2^n, whatever wrapped and whatever the sign.
    auto C = R.constant();
    // x & -2^n clears the lowest bits.
    if (C && *C < 0 && *C > -(int64_t(1) << std::min(W - 1, 61u)) &&
        llvm::isPowerOf2_64(static_cast<uint64_t>(-*C))) {
      V.I = IntExpr(-*C) * IntExpr::floorDiv(L.I, IntExpr(-*C));
      V.SignedExact = L.SignedExact;
      V.UnsignedExact = L.UnsignedExact;
      return V;
    }
    // A mask of consecutive bits selects the lowest bits of a quotient.
    if (C && *C > 0 && llvm::isShiftedMask_64(static_cast<uint64_t>(*C)) &&
        *C % 2 == 0) {
      const IntExpr Low(*C & -*C);
      V.I = Low * IntExpr::mod(IntExpr::floorDiv(L.I, Low),
                               IntExpr(*C / (*C & -*C) + 1));
      V.SignedExact = V.UnsignedExact = true;
      return V;
    }
    if (!C || *C < 0 || ((*C + 1) & *C) != 0)
      return unknown(DiagID::IndexNotAffine,
                     "'&' with something that is not 2^n - 1");
    V.I = Remainder(L.I, IntExpr(mistaken(Mistake::MaskOffByOne)
                                     ? std::max<int64_t>(*C, 1)
                                     : *C + 1));
    V.SignedExact = V.UnsignedExact = true;
    return V;
  }
  case Op::LShr:
  case Op::AShr: {
    auto P = Power(R);
    if (!P)
      return unknown(DiagID::IndexNotAffine, "a shift by an unknown amount");
    bool Signed = Opcode == Op::AShr;
    IntExpr A = mistaken(Mistake::ShiftWithoutRange) ? L.I : exactly(L, Signed);
    if (const auto Divisor = P->getConstant())
      findMultiples(A, *Divisor, Divided);
    V.I = IntExpr::floorDiv(A, *P);
    V.SignedExact = true;
    V.UnsignedExact = !Signed || provablyNonNegative(A);
    if (!Signed)
      V.SignedExact = !P->isOne() || Readable(V, true);
    return V;
  }
  case Op::SDiv:
    return Divides(exactly(R, true), true, true);
  case Op::SRem:
    return Divides(exactly(R, true), false, true);
  case Op::UDiv:
    return Divides(exactly(R, false), !mistaken(Mistake::RemainderForQuotient),
                   false);
  case Op::URem:
    return Divides(exactly(R, false), false, false);
  default:
    return unknown(DiagID::IndexNotAffine,
                   "this integer operation is not affine");
  }
  if (V.I.overflowed())
    return unknown(DiagID::IndexNotAffine,
                   "an index with numbers that leave 64 bits");
  Flags();
  return V;
}

SymValue Executor::inclusiveOr(const SymValue &L, const SymValue &R,
                               SymValue V) {
  // If one side is a multiple of 2^n and the other one is from 0 to 2^n - 1,
  // then `|` adds them: no bit is in both. The lowest n bits of a multiple are
  // 0 whatever has wrapped around.
  auto Multiple = [](const SymValue &X) {
    int64_t Step = 0;
    for (const auto &[M, C] : X.I.terms())
      Step = std::gcd(Step, C);
    return Step & -Step;
  };
  const int64_t Most = int64_t(1) << std::min(L.Width - 1, 61u);
  const SymValue *High = nullptr, *Low = nullptr;
  int64_t End = 0;
  for (const auto &[X, Y] : {std::pair{&L, &R}, {&R, &L}}) {
    const int64_t Step = Multiple(*X);
    if (Step < 2 || Step > Most)
      continue;
    const bool Fits = Bounds.bounds(Y->I, LiveLoops).within(0, Step - 1);
    if (High && !Fits)
      continue;
    High = X, Low = Y, End = Step;
    if (Fits)
      break;
  }
  if (!High)
    return unknown(DiagID::IndexNotAffine,
                   "'|' of numbers that may have bits in common");
  oblige(Low->I, 0, IntExpr(End - 1),
         "the sides of '|' may have bits in common");
  V.I = High->I + Low->I;
  V.SignedExact = High->SignedExact;
  V.UnsignedExact = High->UnsignedExact;
  return V;
}

SymValue Executor::exclusiveOr(const SymValue &L, const SymValue &R) {
  // The smallest power of two above all possible values.
  auto Radix = [&](const SymValue &X) -> std::optional<int64_t> {
    Interval I = Bounds.bounds(X.I, LiveLoops);
    if (!I.within(0, (int64_t(1) << std::min(L.Width - 1, 30u)) - 1))
      return std::nullopt;
    return static_cast<int64_t>(
        llvm::PowerOf2Ceil(static_cast<uint64_t>(I.High) + 1));
  };
  auto OfL = Radix(L), OfR = Radix(R);
  if (!OfL && !OfR)
    return unknown(DiagID::IndexNotAffine,
                   "'^' of numbers of which neither is known to be small");
  const bool SmallIsL = OfL && (!OfR || *OfL < *OfR);
  const SymValue &Small = SmallIsL ? L : R, &Other = SmallIsL ? R : L;
  const int64_t End = SmallIsL ? *OfL : *OfR;
  // The lowest bits, which the smaller number can have.
  int64_t First = End;
  for (const auto &[M, C] : Small.I.terms())
    First = std::gcd(First, C);
  if (OfL == OfR && First == 1) {
    SymValue V = Other;
    V.I = IntExpr::bitXor(L.I, R.I);
    V.SignedExact = V.UnsignedExact = true;
    return V;
  }
  const auto Shifted = Small.I.exactDivide(IntExpr(First));
  if (Small.I.isZero() || !Shifted)
    return Other;
  // The other number's higher bits are unchanged.
  SymValue V = Other;
  V.I = IntExpr(End) * IntExpr::floorDiv(Other.I, IntExpr(End)) +
        IntExpr(First) *
            IntExpr::bitXor(
                IntExpr::mod(IntExpr::floorDiv(Other.I, IntExpr(First)),
                             IntExpr(End / First)),
                *Shifted) +
        IntExpr::mod(Other.I, IntExpr(First));
  if (V.I.overflowed())
    return unknown(DiagID::IndexNotAffine,
                   "an index with numbers that leave 64 bits");
  return V;
}

SymValue Executor::extend(const SymValue &V, unsigned Width, bool Signed) {
  SymValue R = V;
  R.I = exactly(V, Signed);
  R.Width = Width;
  R.SignedExact = true;
  R.UnsignedExact = !Signed || V.UnsignedExact || provablyNonNegative(R.I);
  return R;
}

SymValue Executor::truncate(const SymValue &V, unsigned Width) {
  SymValue R = V;
  R.Width = Width;
  if (auto C = V.constant()) {
    int64_t X = Width >= 64 ? *C
                            : static_cast<int64_t>(static_cast<uint64_t>(*C)
                                                   << (64 - Width)) >>
                                  (64 - Width);
    return SymValue::exact(IntExpr(X), Width);
  }
  Interval I = Bounds.bounds(V.I, LiveLoops);
  R.SignedExact = I.within(signedRange(Width).Low, signedRange(Width).High) ||
                  mistaken(Mistake::TruncationExact);
  R.UnsignedExact =
      I.within(unsignedRange(Width).Low, unsignedRange(Width).High);
  return R;
}

SymValue Executor::minMax(const SymValue &L, const SymValue &R, bool Max,
                          bool Signed) {
  if (L.is(VK::Unknown))
    return L;
  if (R.is(VK::Unknown))
    return R;
  if (!L.is(VK::Int) || !R.is(VK::Int))
    return unknown(DiagID::UnsupportedExpression,
                   "min or max of something that is not understood");
  IntExpr A = exactly(L, Signed), B = exactly(R, Signed);
  const auto End = Max ? std::nullopt : endOfSlice(A, B);
  SymValue V = SymValue::integer(End ? *End
                                 : Max != mistaken(Mistake::MinimumForMaximum)
                                     ? IntExpr::max(A, B)
                                     : IntExpr::min(A, B),
                                 L.Width);
  V.SignedExact = Signed || (L.SignedExact && R.SignedExact);
  V.UnsignedExact = !Signed || (L.UnsignedExact && R.UnsignedExact);
  V.Narrow = L.Narrow || R.Narrow;
  V.NarrowUnsigned = L.NarrowUnsigned && R.NarrowUnsigned;
  return V;
}

/// `L Op R`, with what is subtracted from a side added to the other one, where
/// both differ between threads or iterations: `k0 + tx < K` for `tx < K - k0`,
/// so that tiles and threads make one index.
static BoolExpr compareSums(CmpOp Op, IntExpr L, IntExpr R) {
  auto Varies = [](const auto &Term) {
    return llvm::any_of(
        Term.first, [](const AtomRef &A) { return Simplifier::varies(*A); });
  };
  auto Subtracted = [&](const IntExpr &E) {
    IntExpr All;
    for (const auto &T : E.terms()) {
      IntExpr Term(T.second);
      for (const AtomRef &A : T.first)
        Term = Term * IntExpr(A);
      if (T.second < 0 && Varies(T))
        All -= Term;
    }
    return All;
  };
  if (!L.overflowed() && !R.overflowed() && llvm::any_of(L.terms(), Varies) &&
      llvm::any_of(R.terms(), Varies)) {
    const IntExpr More = Subtracted(L) + Subtracted(R);
    if (!(L + More).overflowed() && !(R + More).overflowed()) {
      L += More;
      R += More;
    }
  }
  return BoolExpr::compare(Op, L, R);
}

SymValue Executor::compareInts(llvm::CmpInst::Predicate P, const SymValue &L,
                               const SymValue &R) {
  using Predicate = llvm::CmpInst;
  if (L.is(VK::Unknown))
    return L;
  if (R.is(VK::Unknown))
    return R;
  auto Op = [&] {
    switch (P) {
    case Predicate::ICMP_EQ:
      return CmpOp::EQ;
    case Predicate::ICMP_NE:
      return CmpOp::NE;
    case Predicate::ICMP_SLT:
    case Predicate::ICMP_ULT:
      return CmpOp::LT;
    case Predicate::ICMP_SLE:
    case Predicate::ICMP_ULE:
      return mistaken(Mistake::LessForLessOrEqual) ? CmpOp::LT : CmpOp::LE;
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_UGT:
      return CmpOp::GT;
    default:
      return CmpOp::GE;
    }
  }();
  bool Equality = Op == CmpOp::EQ || Op == CmpOp::NE;
  if (L.is(VK::Pointer) && R.is(VK::Pointer)) {
    if (Equality && (L.Array.empty() || R.Array.empty())) {
      BoolExpr NonNull = toBool(L.Array.empty() ? R : L);
      return SymValue::boolean(Op == CmpOp::NE ? NonNull
                                               : BoolExpr::negation(NonNull));
    }
    if (L.Array == R.Array)
      return SymValue::boolean(BoolExpr::compare(Op, L.I, R.I));
    return unknown(DiagID::UnsupportedExpression,
                   "pointers into different arrays are compared");
  }
  if (L.is(VK::Bool) && R.is(VK::Bool)) {
    BoolExpr NotL = BoolExpr::negation(L.B), NotR = BoolExpr::negation(R.B);
    BoolExpr Same = R.B.isTrue()    ? L.B
                    : R.B.isFalse() ? NotL
                                    : either(BoolExpr::conjunction(L.B, R.B),
                                             BoolExpr::conjunction(NotL, NotR));
    if (!Equality)
      return unknown(DiagID::UnsupportedExpression,
                     "this comparison is not understood");
    return SymValue::boolean(Op == CmpOp::EQ ? Same : BoolExpr::negation(Same));
  }
  // For the integer value of an address.
  if (L.is(VK::Pointer) || R.is(VK::Pointer))
    return unknown(DiagID::UnsupportedExpression,
                   "this comparison is not understood");
  bool Signed = llvm::CmpInst::isSigned(P);
  if (L.is(VK::Scalar) || R.is(VK::Scalar)) {
    // Loaded integers are compared with the signedness of the instruction.
    unsigned Width = 0;
    for (const SymValue *X : {&L, &R})
      if (X->is(VK::Scalar) && !isFloating(X->S->Type))
        Width = 8 * byteSize(X->S->Type);
    if (!Width)
      return unknown(DiagID::UnsupportedExpression,
                     "the bits of a floating-point number are compared");
    if (Equality)
      for (const SymValue *X : {&L, &R})
        if (X->is(VK::Scalar))
          Signed =
              X->S->Type == ScalarType::I32 || X->S->Type == ScalarType::I64 ||
              X->S->Type == ScalarType::I16 || X->S->Type == ScalarType::I8;
    ScalarType T = Width == 64   ? (Signed ? ScalarType::I64 : ScalarType::U64)
                   : Width == 32 ? (Signed ? ScalarType::I32 : ScalarType::U32)
                   : Width == 16 ? (Signed ? ScalarType::I16 : ScalarType::U16)
                                 : (Signed ? ScalarType::I8 : ScalarType::U8);
    ValueRef A = reread(L, T), B = reread(R, T);
    if (!A || !B)
      return unknown(DiagID::UnsupportedExpression,
                     "this comparison is not understood");
    return SymValue::boolean(BoolExpr::floatCompare(Op, A, B));
  }
  if (!L.is(VK::Int) || !R.is(VK::Int))
    return unknown(DiagID::UnsupportedExpression,
                   "this comparison is not understood");
  // A condition that has become a number, compared with 0 or 1.
  if (Equality)
    for (const auto &[X, Y] : {std::pair{&L, &R}, {&R, &L}})
      if (auto B = asCondition(*X);
          B && !X->constant() && (Y->constant() == 0 || Y->constant() == 1))
        return SymValue::boolean((Op == CmpOp::EQ) == (Y->constant() == 1)
                                     ? *B
                                     : BoolExpr::negation(*B));
  if (Equality) {
    // Both sides have the same kind of bits; use whichever numbers are known.
    bool BothUnsigned = L.UnsignedExact && R.UnsignedExact;
    Signed = !BothUnsigned;
    if (BothUnsigned && L.SignedExact && R.SignedExact)
      Signed = true;
    // A constant is known as a signed and as an unsigned number.
    if (auto C = R.constant(); C && *C >= 0 && L.UnsignedExact)
      Signed = L.SignedExact;
  }
  return SymValue::boolean(withoutMinima(
      withoutBound(compareSums(Op, exactly(L, Signed), exactly(R, Signed))),
      Bounds, bodyLoops()));
}

} // namespace warpwright::symbolic
