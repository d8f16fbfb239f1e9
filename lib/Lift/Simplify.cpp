//===-- Simplify.cpp - Integers within their ranges -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <numeric>
#include <set>

namespace warpwright::symbolic {

/// Deeper expressions do not occur in indices.
static constexpr unsigned MaxDepth = 64;

std::pair<IntExpr, IntExpr> sidesOf(const IntExpr &E) {
  IntExpr Left, Right;
  for (const auto &[Factors, C] : E.terms()) {
    IntExpr Term(C);
    for (const AtomRef &A : Factors)
      Term = Term * IntExpr(A);
    if (C > 0)
      Left += Term;
    else
      Right -= Term;
  }
  return {Left, Right};
}

void asNotNegative(const BoolExpr &B, std::vector<IntExpr> &Out) {
  if (B.getKind() != BoolExpr::Kind::Compare)
    return;
  IntExpr D = B.getRHS() - B.getLHS();
  switch (B.getOp()) {
  case CmpOp::LT:
    Out.push_back(D - 1);
    return;
  case CmpOp::LE:
    Out.push_back(D);
    return;
  case CmpOp::GT:
    Out.push_back(-D - 1);
    return;
  case CmpOp::GE:
    Out.push_back(-D);
    return;
  case CmpOp::EQ:
    Out.push_back(D);
    Out.push_back(-D);
    return;
  case CmpOp::NE:
    return;
  }
}

/// An expression that is not negative exactly where \p E is not, without the
/// common factor of the terms beside the constant: for `255 - 2 * x` that is
/// `127 - x`. Nothing if there is no such factor.
static std::optional<IntExpr> withoutFactor(const IntExpr &E) {
  int64_t Common = 0, Constant = 0;
  for (const auto &[M, C] : E.terms())
    if (M.empty())
      Constant = C;
    else
      Common = std::gcd(Common, C);
  if (E.overflowed() || Common <= 1)
    return std::nullopt;
  const int64_t Rest = (Constant % Common + Common) % Common;
  return (E - IntExpr(Rest)).exactDivide(IntExpr(Common));
}

Simplifier::Simplifier(const Ranges &Bounds, std::vector<BoundLoop> Loops,
                       const BoolExpr &Known)
    : Bounds(Bounds), Loops(std::move(Loops)) {
  llvm::SmallVector<BoolExpr, 8> Facts;
  Known.conjuncts(Facts);
  for (const BoolExpr &F : Facts)
    asNotNegative(F, NotNegative);
  for (size_t N = 0, Count = NotNegative.size(); N < Count; ++N)
    if (auto E = withoutFactor(NotNegative[N]))
      NotNegative.push_back(std::move(*E));
}

/// The exclusive or of quotients by a power of two.
static bool dividesBits(const AtomRef &A, std::optional<int64_t> D) {
  return A && A->getKind() == AtomKind::Xor && D && *D > 0 &&
         llvm::isPowerOf2_64(static_cast<uint64_t>(*D));
}

/// A quotient of a quotient is the quotient by the product.
static IntExpr quotient(const IntExpr &X, const IntExpr &D) {
  AtomRef A = X.getAtom();
  auto C = D.getConstant();
  if (dividesBits(A, C))
    return IntExpr::bitXor(quotient(A->getLHS(), D), quotient(A->getRHS(), D));
  if (A && C && *C > 0 && *C < INT32_MAX)
    if (auto E = A->isLeaf() ? std::nullopt : A->getRHS().getConstant();
        E && *E > 0 && *E < INT32_MAX) {
      if (A->getKind() == AtomKind::FloorDiv)
        return quotient(A->getLHS(), IntExpr(*E * *C));
      // The upper digits of a remainder are a remainder of the upper digits.
      if (A->getKind() == AtomKind::Mod && *E % *C == 0)
        return IntExpr::mod(quotient(A->getLHS(), D), IntExpr(*E / *C));
    }
  return IntExpr::floorDiv(X, D);
}

static IntExpr remainder(const IntExpr &X, const IntExpr &D) {
  AtomRef A = X.getAtom();
  auto C = D.getConstant();
  if (dividesBits(A, C))
    return IntExpr::bitXor(remainder(A->getLHS(), D),
                           remainder(A->getRHS(), D));
  if (A && A->getKind() == AtomKind::Mod && C && *C > 0)
    if (auto E = A->getRHS().getConstant(); E && *E % *C == 0)
      return remainder(A->getLHS(), D);
  return IntExpr::mod(X, D);
}

/// An expression with the same remainder by \p D as \p X, in which inner
/// remainders are replaced by their argument if they differ from it by
/// multiples of \p D.
static IntExpr withoutRemainders(const IntExpr &X, int64_t D) {
  IntExpr Result;
  for (const auto &[M, C] : X.terms()) {
    IntExpr Term(C);
    for (const AtomRef &A : M) {
      auto E = A->getKind() == AtomKind::Mod ? A->getRHS().getConstant()
                                             : std::nullopt;
      const bool Gone = E && *E > 0 && *E <= INT32_MAX &&
                        std::abs(C) <= INT32_MAX && C * *E % D == 0;
      Term = Term * (Gone ? A->getLHS() : IntExpr(A));
    }
    Result += Term;
  }
  return Result;
}

IntExpr recombine(IntExpr E) {
  if (E.overflowed())
    return E;
  bool Changed = true;
  while (Changed) {
    Changed = false;
    const IntExpr Old = E;
    for (const auto &[M, C] : Old.terms()) {
      for (size_t N = 0; N < M.size() && !Changed; ++N) {
        if (M[N]->getKind() != AtomKind::Mod)
          continue;
        // C * rest * mod(x, d) beside C * d * rest * floordiv(x, d).
        IntExpr Rest(C);
        for (size_t I = 0; I < M.size(); ++I)
          if (I != N)
            Rest = Rest * IntExpr(M[I]);
        const IntExpr &X = M[N]->getLHS(), &D = M[N]->getRHS();
        IntExpr Quotient = quotient(X, D);
        // The x of the remainder may have lost multiples of d, as happens here.
        IntExpr Partner = Rest * D * Quotient;
        if (Partner.terms().size() != 1)
          continue;
        const auto &Wanted = Partner.terms().front();
        bool Found = llvm::any_of(E.terms(), [&](const auto &T) {
          return T.second == Wanted.second &&
                 T.first.size() == Wanted.first.size() &&
                 llvm::all_of(llvm::zip(T.first, Wanted.first),
                              [](const auto &P) {
                                return std::get<0>(P)->sameAs(*std::get<1>(P));
                              });
        });
        if (!Found)
          continue;
        E = E - Rest * IntExpr(M[N]) - Partner + Rest * X;
        Changed = true;
      }
      if (Changed)
        break;
    }
  }
  return E;
}

IntExpr reduced(const IntExpr &E) {
  IntExpr R = E;
  for (unsigned D = 0; D < 3; ++D) {
    IntExpr Dim = IntExpr::special(AtomKind::BlockDim, D);
    while (auto Rest = R.isZero() ? std::nullopt : R.exactDivide(Dim))
      R = *Rest;
  }
  int64_t Common = 0;
  for (const auto &[M, C] : R.terms())
    if (!M.empty())
      Common = std::gcd(Common, C);
  if (Common <= 1)
    return R;
  IntExpr Scaled;
  for (const auto &[M, C] : R.terms()) {
    IntExpr Term(M.empty() && C < 0 ? -((-C + Common - 1) / Common)
                                    : C / Common);
    for (const AtomRef &A : M)
      Term = Term * IntExpr(A);
    Scaled += Term;
  }
  return Scaled;
}

/// \p E with quotients of quotients as single ones, `floordiv(floordiv(x, 32),
/// 2)` as `floordiv(x, 64)`, so that the two cancel.
static IntExpr withSingleQuotients(const IntExpr &E) {
  return E.transform([](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::FloorDiv)
      return std::nullopt;
    return quotient(A.getLHS(), A.getRHS());
  });
}

/// \p E with `d * floordiv(x, d)` written as `x - mod(x, d)`, also for digits
/// of a remainder, so that terms cancel with the remaining `x`.
static IntExpr withLowDigits(const IntExpr &E) {
  IntExpr R = E;
  for (const auto &[M, C] : E.terms()) {
    if (M.size() != 1 || M[0]->isLeaf())
      continue;
    AtomRef Quotient = M[0];
    std::optional<int64_t> Radix = 1;
    if (M[0]->getKind() == AtomKind::Mod) {
      Radix = M[0]->getRHS().getConstant();
      Quotient = M[0]->getLHS().getAtom();
    }
    if (!Radix || *Radix < 1 || *Radix > INT32_MAX || !Quotient ||
        Quotient->getKind() != AtomKind::FloorDiv)
      continue;
    auto D = Quotient->getRHS().getConstant();
    if (!D || *D < 2 || *D > INT32_MAX || C % *D != 0)
      continue;
    // d * mod(floordiv(x, d), r) is mod(x, d * r) - mod(x, d).
    const IntExpr &X = Quotient->getLHS();
    const IntExpr Whole = M[0]->getKind() == AtomKind::Mod
                              ? IntExpr::mod(X, IntExpr(*D * *Radix))
                              : X;
    R = R - IntExpr(C) * IntExpr(M[0]) +
        IntExpr(C / *D) * (Whole - IntExpr::mod(X, IntExpr(*D)));
  }
  return R;
}

bool Simplifier::follows(const IntExpr &E) const {
  if (NotNegative.empty())
    return false;
  if (const auto Less = withoutFactor(E); Less && follows(*Less))
    return true;
  return llvm::any_of(NotNegative, [&](const IntExpr &F) {
    if (auto D = E.constantBeside(F, /*Plus=*/false))
      return *D >= 0;
    // The first element of a vector is inside wherever any element is.
    constexpr size_t MostTerms = 4;
    if (E.terms().size() > F.terms().size() + 1 ||
        F.terms().size() > E.terms().size() + MostTerms)
      return false;
    const IntExpr Rest = E - F;
    return Rest.terms().size() <= MostTerms &&
           (Bounds.bounds(Rest, Loops).Low >= 0 ||
            Bounds.bounds(withLowDigits(Rest), Loops).Low >= 0 ||
            (Rest.containsKind(AtomKind::FloorDiv) &&
             Bounds.bounds(withSingleQuotients(Rest), Loops).Low >= 0));
  });
}

Ranges::Answers &Simplifier::answers() const {
  if (!Given || Age != Bounds.age()) {
    Given = Bounds.answers(Loops, NotNegative);
    Age = Bounds.age();
  }
  return *Given;
}

/// What \p Known has for \p E, or null.
template <class Map>
static const typename Map::mapped_type::second_type *
answerTo(const Map &Known, const IntExpr &E) {
  auto [From, To] = Known.equal_range(E.measure().Hash);
  for (; From != To; ++From)
    if (From->second.first == E)
      return &From->second.second;
  return nullptr;
}

bool Simplifier::neverNegative(const IntExpr &E) const {
  if (auto C = E.getConstant())
    return *C >= 0;
  if (E.overflowed())
    return false;
  if (const bool *Known = answerTo(answers().Never, E))
    return *Known;
  const bool Is = findNeverNegative(E);
  answers().Never.emplace(E.measure().Hash, std::pair(E, Is));
  return Is;
}

bool Simplifier::findNeverNegative(const IntExpr &E) const {
  if (follows(E) || Bounds.bounds(E, Loops).Low >= 0)
    return true;
  auto Low = limit(E, /*Largest=*/false);
  return Low && (Bounds.bounds(*Low).Low >= 0 ||
                 Bounds.bounds(reduced(*Low)).Low >= 0 ||
                 Bounds.bounds(withRemainders(*Low)).Low >= 0);
}

/// Writes \p X as Radix * High + Low with Low below Radix, a divisor of \p D
/// that is greater than 1.
std::optional<Simplifier::Digits> Simplifier::lowDigit(const IntExpr &X,
                                                       const IntExpr &D) const {
  auto Divisor = D.getConstant();
  if (!Divisor || *Divisor < 4)
    return std::nullopt;
  std::set<int64_t, std::greater<int64_t>> Candidates;
  for (const auto &[M, C] : X.terms())
    if (!M.empty())
      Candidates.insert(std::gcd(C, *Divisor));
  for (int64_t Radix : Candidates) {
    if (Radix <= 1 || Radix >= *Divisor)
      continue;
    IntExpr High, Low;
    for (const auto &[M, C] : X.terms()) {
      int64_t Multiple =
          M.empty() ? (C >= 0 ? C / Radix : -((-C + Radix - 1) / Radix))
                    : (C % Radix == 0 ? C / Radix : 0);
      IntExpr Atoms(1);
      for (const AtomRef &A : M)
        Atoms = Atoms * IntExpr(A);
      High += Atoms * IntExpr(Multiple);
      Low += Atoms * IntExpr(C - Multiple * Radix);
    }
    if (neverNegative(Low) && neverNegative(IntExpr(Radix - 1) - Low))
      return Digits{Radix, High, Low};
  }
  return std::nullopt;
}

std::optional<IntExpr> Simplifier::replace(const IntAtom &A) const {
  if (A.isLeaf())
    return std::nullopt;
  IntExpr L = simplify(A.getLHS()), R = simplify(A.getRHS());
  switch (A.getKind()) {
  case AtomKind::FloorDiv:
  case AtomKind::Mod: {
    bool Quotient = A.getKind() == AtomKind::FloorDiv;
    IntExpr New = Quotient ? quotient(L, R) : remainder(L, R);
    // Multiples of R have been moved outside by now.
    IntExpr Rest = L;
    if (R.terms().size() == 1) {
      Rest = IntExpr();
      for (const auto &[M, C] : L.terms()) {
        if (auto D = R.getConstant(); M.empty() && D && *D > 0) {
          Rest += IntExpr((C % *D + *D) % *D);
          continue;
        }
        IntExpr Term(C);
        for (const AtomRef &X : M)
          Term = Term * IntExpr(X);
        if (!Term.exactDivide(R))
          Rest += Term;
      }
    }
    if (!neverNegative(Rest) || !neverNegative(R - 1 - Rest)) {
      // A shift and the shift back: ((x + d) % 16 - d) % 16.
      if (auto D = R.getConstant(); !Quotient && D && *D > 0)
        if (IntExpr Flat = withoutRemainders(L, *D); Flat != L)
          return simplify(IntExpr::mod(Flat, R));
      // (8 * x + d) / 256 is x / 32 where d is below 8.
      auto Split = lowDigit(L, R);
      if (!Split)
        return New;
      IntExpr Upper(R.getConstant().value_or(1) / Split->Radix);
      return Quotient ? quotient(Split->High, Upper)
                      : IntExpr(Split->Radix) * remainder(Split->High, Upper) +
                            Split->Low;
    }
    if (!Quotient)
      return Rest;
    auto Whole = (L - Rest).exactDivide(R);
    return Whole ? *Whole : (L == Rest ? IntExpr() : New);
  }
  case AtomKind::Min:
  case AtomKind::Max: {
    bool Min = A.getKind() == AtomKind::Min;
    if (neverNegative(R - L))
      return Min ? L : R;
    if (neverNegative(L - R))
      return Min ? R : L;
    return Min ? IntExpr::min(L, R) : IntExpr::max(L, R);
  }
  case AtomKind::Xor:
    return IntExpr::bitXor(L, R);
  case AtomKind::Select: {
    BoolExpr C = simplify(A.getCondition());
    return IntExpr::select(C, L, R);
  }
  default:
    return std::nullopt;
  }
}

/// \p E without its constant term, if all other terms are multiples of \p D;
/// otherwise 0.
static IntExpr multipleIn(const IntExpr &E, int64_t D) {
  IntExpr Multiple = E;
  for (const auto &[M, C] : E.terms())
    if (M.empty())
      Multiple -= IntExpr(C);
    else if (C % D != 0)
      return {};
  return Multiple;
}

IntExpr Simplifier::withKnownRemainders(const IntExpr &E) const {
  return E.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    const auto D =
        A.getKind() == AtomKind::Mod ? A.getRHS().getConstant() : std::nullopt;
    if (!D || *D < 2 || A.getLHS().overflowed())
      return std::nullopt;
    for (const IntExpr &F : NotNegative)
      for (const IntExpr &Side : {F, -F}) {
        const IntExpr Multiple = multipleIn(A.getLHS() - Side, *D);
        const IntExpr Rest = A.getLHS() - Multiple;
        if (!Multiple.isZero() && neverNegative(Rest) &&
            neverNegative(IntExpr(*D - 1) - Rest))
          return Rest;
      }
    return std::nullopt;
  });
}

IntExpr Simplifier::simplify(const IntExpr &E) const {
  auto IsPlain = [](const auto &T) {
    return llvm::all_of(T.first, [](const AtomRef &A) { return A->isLeaf(); });
  };
  if (E.overflowed() || llvm::all_of(E.terms(), IsPlain))
    return E;
  if (const IntExpr *Known = answerTo(answers().Simplified, E))
    return *Known;
  IntExpr R =
      recombine(E.transform([&](const IntAtom &A) { return replace(A); }));
  answers().Simplified.emplace(E.measure().Hash, std::pair(E, R));
  return R;
}

/// The constant term of \p E.
static int64_t constantTerm(const IntExpr &E) {
  for (const auto &[Factors, N] : E.terms())
    if (Factors.empty())
      return N;
  return 0;
}

/// `(i - 1) % 3 == 0` as `i % 3 == 1`, so that the conditions of neighbouring
/// iterations can be compared, and `i % 2 == 1` as `i % 2 != 0`; nothing if
/// `\p D == 0` (or `!= 0`, by \p Op) is no such condition or has that form.
static std::optional<BoolExpr> atTurn(CmpOp Op, const IntExpr &D) {
  AtomRef Turn;
  int64_t Factor = 0;
  if (D.overflowed())
    return std::nullopt;
  for (const auto &[Factors, N] : D.terms()) {
    if (Factors.empty())
      continue;
    if (Turn || Factors.size() != 1 || (N != 1 && N != -1))
      return std::nullopt;
    Turn = Factors.front();
    Factor = N;
  }
  if (!Turn || Turn->getKind() != AtomKind::Mod || Turn->getLHS().overflowed())
    return std::nullopt;
  const auto Period = Turn->getRHS().getConstant();
  const int64_t Beside = constantTerm(D);
  const int64_t More = constantTerm(Turn->getLHS());
  constexpr int64_t Least = std::numeric_limits<int64_t>::min();
  if (!Period || *Period < 2 || Beside == Least || More == Least)
    return std::nullopt; // their opposites are no numbers
  const int64_t Value = -Factor * Beside;
  if (Value < 0 || Value >= *Period)
    return std::nullopt;
  int64_t At = (Value - More % *Period + *Period) % *Period;
  const bool Inverted = *Period == 2 && At == 1;
  if (!More && !Inverted)
    return std::nullopt;
  if (Inverted) {
    Op = Op == CmpOp::EQ ? CmpOp::NE : CmpOp::EQ;
    At = 0;
  }
  return BoolExpr::compare(Op, IntExpr::mod(Turn->getLHS() - More, *Period),
                           At);
}

BoolExpr Simplifier::simplify(const BoolExpr &B) const {
  switch (B.getKind()) {
  case BoolExpr::Kind::Compare: {
    IntExpr L = simplify(B.getLHS()), R = simplify(B.getRHS()), D = R - L;
    auto Yes = [] { return BoolExpr::constant(true); };
    auto No = [] { return BoolExpr::constant(false); };
    switch (B.getOp()) {
    case CmpOp::LT:
    case CmpOp::GE:
      if (neverNegative(D - 1))
        return B.getOp() == CmpOp::LT ? Yes() : No();
      if (neverNegative(-D))
        return B.getOp() == CmpOp::LT ? No() : Yes();
      break;
    case CmpOp::LE:
    case CmpOp::GT:
      if (neverNegative(D))
        return B.getOp() == CmpOp::LE ? Yes() : No();
      if (neverNegative(-D - 1))
        return B.getOp() == CmpOp::LE ? No() : Yes();
      break;
    case CmpOp::EQ:
    case CmpOp::NE:
      if (neverNegative(D - 1) || neverNegative(-D - 1))
        return B.getOp() == CmpOp::NE ? Yes() : No();
      if (auto Turn = atTurn(B.getOp(), D))
        return *Turn;
      break;
    }
    return BoolExpr::compare(B.getOp(), L, R);
  }
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(simplify(B.operands()[0]),
                                 simplify(B.operands()[1]));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(simplify(B.operands()[0]),
                                 simplify(B.operands()[1]));
  default:
    return B.transform([&](const IntAtom &A) { return replace(A); });
  }
}

ValueRef Simplifier::simplify(const ValueRef &V) const {
  return transformInts(
      V, [&](const IntAtom &A) { return replace(A); },
      [](const IntExpr &E) { return recombine(E); });
}

BoolExpr Simplifier::decide(const BoolExpr &B) const {
  switch (B.getKind()) {
  case BoolExpr::Kind::And:
    return BoolExpr::conjunction(decide(B.operands()[0]),
                                 decide(B.operands()[1]));
  case BoolExpr::Kind::Or:
    return BoolExpr::disjunction(decide(B.operands()[0]),
                                 decide(B.operands()[1]));
  case BoolExpr::Kind::Compare: {
    BoolExpr Known = simplify(B);
    return Known.getKind() == BoolExpr::Kind::Constant ? Known : B;
  }
  default:
    return B;
  }
}

ValueRef Simplifier::decide(const ValueRef &V) const {
  std::vector<ValueRef> Ops;
  bool Same = true;
  for (const ValueRef &Op : V->Ops) {
    Ops.push_back(decide(Op));
    Same &= Ops.back() == Op;
  }
  if (V->K == Value::Kind::Select) {
    BoolExpr When = decide(V->Condition);
    if (!Same || When != V->Condition)
      return Value::select(When, Ops[0], Ops[1]);
  }
  // What holds where a sum is used holds for each of its summands.
  BoolExpr OfSum = V->Condition;
  if (V->K == Value::Kind::Sum && !OfSum.isTrue())
    OfSum = decide(OfSum);
  if (Same && (V->K != Value::Kind::Sum || OfSum == V->Condition))
    return V;
  auto R = std::make_shared<Value>(*V);
  R->Condition = OfSum;
  R->setOperands(std::move(Ops));
  R->Body = V->Body ? decide(V->Body) : nullptr;
  return R;
}

bool Simplifier::varies(const IntAtom &A) {
  bool Found = false;
  auto Look = [&](const IntAtom &X) {
    Found |= X.getKind() == AtomKind::ThreadIdx ||
             X.getKind() == AtomKind::BlockIdx ||
             X.getKind() == AtomKind::Counter;
  };
  Look(A);
  if (!A.isLeaf()) {
    A.getLHS().walk(Look);
    A.getRHS().walk(Look);
    if (A.getKind() == AtomKind::Select)
      A.getCondition().walk([&](const IntExpr &E) { E.walk(Look); },
                            [](const ValueRef &) {});
  }
  return Found;
}

std::optional<IntExpr> Simplifier::limit(const IntExpr &E, bool Largest) const {
  return limit(recombine(E), Largest, 0);
}

std::optional<IntExpr> Simplifier::limit(IntExpr E, bool Largest,
                                         unsigned Depth) const {
  if (Depth > MaxDepth || E.overflowed())
    return std::nullopt;
  for (;;) {
    // Composite atoms first: their parts may also occur outside of them.
    AtomRef Next;
    unsigned Best = 0;
    for (const auto &[M, C] : E.terms())
      for (const AtomRef &A : M) {
        if (!varies(*A))
          continue;
        // Inner loops before outer ones and threads, since their ranges may
        // depend on these.
        unsigned Rank = !A->isLeaf()                        ? 1000000
                        : A->getKind() == AtomKind::Counter ? 1000 + A->getDim()
                        : A->getKind() == AtomKind::ThreadIdx ? 2
                                                              : 1;
        if (Rank > Best) {
          Best = Rank;
          Next = A;
        }
      }
    if (!Next)
      return E;
    // The coefficient of the atom where it is not inside another atom.
    IntExpr Factor, Rest;
    for (const auto &[M, C] : E.terms()) {
      IntExpr Term(C);
      bool Has = false;
      for (const AtomRef &A : M) {
        if (A->sameAs(*Next) && !Has)
          Has = true;
        else
          Term = Term * IntExpr(A);
      }
      (Has ? Factor : Rest) += Term;
    }
    if (Factor.contains(Next->getKey()))
      return std::nullopt;
    Interval Sign = Bounds.bounds(Factor, Loops);
    // In an iteration, the number of iterations is above zero.
    for (const BoundLoop &L : Loops)
      if (const auto Times = Sign.Low < 0 && Sign.High > 0
                                 ? Factor.exactDivide(L.Trip + 1)
                                 : std::nullopt) {
        const Interval Of = Bounds.bounds(*Times, Loops);
        if (Of.Low >= 0)
          Sign.Low = 0;
        else if (Of.High <= 0)
          Sign.High = 0;
      }
    if (Sign.Low < 0 && Sign.High > 0)
      return std::nullopt;
    bool Up = Largest == (Sign.Low >= 0);
    // d * floordiv(x, d) is between x - d + 1 and x.
    if (Next->getKind() == AtomKind::FloorDiv && !Next->getRHS().getConstant())
      if (auto Times = Factor.exactDivide(Next->getRHS())) {
        IntExpr End = Up ? Next->getLHS() : Next->getLHS() - Next->getRHS() + 1;
        E = recombine(Rest + *Times * End);
        if (++Depth > MaxDepth || E.overflowed())
          return std::nullopt;
        continue;
      }
    std::optional<IntExpr> End;
    switch (Next->getKind()) {
    case AtomKind::ThreadIdx:
      End = Up ? IntExpr::special(AtomKind::BlockDim, Next->getDim()) - 1
               : IntExpr();
      break;
    case AtomKind::BlockIdx:
      End = Up ? IntExpr::special(AtomKind::GridDim, Next->getDim()) - 1
               : IntExpr();
      break;
    case AtomKind::Counter:
      if (!Up) {
        End = IntExpr();
        break;
      }
      for (const BoundLoop &L : Loops)
        if (L.Counter == Next->getDim())
          End = L.Trip;
      break;
    case AtomKind::Mod:
      if (!Up)
        End = IntExpr();
      else
        End = Next->getRHS() - 1;
      break;
    case AtomKind::FloorDiv:
      // A quotient by a positive number grows with its dividend.
      if (const IntExpr &D = Next->getRHS();
          (AllQuotients || D.getConstant()) && Bounds.bounds(D).Low >= 1) {
        bool Varies = false;
        D.walk([&](const IntAtom &A) { Varies |= varies(A); });
        auto X = Varies ? std::nullopt : limit(Next->getLHS(), Up, Depth + 1);
        if (X)
          End = IntExpr::floorDiv(*X, D);
      }
      break;
    case AtomKind::Min:
    case AtomKind::Max: {
      auto L = limit(Next->getLHS(), Up, Depth + 1);
      auto R = limit(Next->getRHS(), Up, Depth + 1);
      if (L && R)
        End = Next->getKind() == AtomKind::Min ? IntExpr::min(*L, *R)
                                               : IntExpr::max(*L, *R);
      break;
    }
    default:
      break;
    }
    // `if (threadIdx.x < 8)`, `if (lane < warps)`
    if (Up && (Next->getKind() == AtomKind::ThreadIdx ||
               Next->getKind() == AtomKind::Mod ||
               Next->getKind() == AtomKind::FloorDiv))
      for (const IntExpr &Room : NotNegative)
        if (auto Most = Room.constantBeside(IntExpr(Next), /*Plus=*/true))
          if (const auto Old = End ? End->getConstant() : std::nullopt;
              !Old || *Most < *Old)
            End = IntExpr(*Most);
    if (!End)
      return std::nullopt;
    E = recombine(Rest + Factor * *End);
    if (++Depth > MaxDepth || E.overflowed())
      return std::nullopt;
  }
}

IntExpr withoutQuotient(IntExpr E) {
  for (;;) {
    const std::pair<IntExpr::Monomial, int64_t> *Only = nullptr;
    unsigned Count = 0;
    int64_t K = 0;
    for (const auto &T : E.terms())
      if (T.first.empty()) {
        K = T.second;
      } else {
        Only = &T;
        ++Count;
      }
    if (Count != 1 || Only->first.size() != 1 ||
        Only->first[0]->getKind() != AtomKind::FloorDiv)
      return E;
    AtomRef A = Only->first[0];
    auto D = A->getRHS().getConstant();
    const int64_t C = Only->second;
    constexpr int64_t Large = INT32_MAX;
    if (!D || *D < 1 || *D > Large || std::abs(C) > Large ||
        std::abs(K) > Large)
      return E;
    // C * q + K >= 0 is q >= ceil(-K / C), or q <= floor(K / -C).
    if (C > 0) {
      int64_t Least = K >= 0 ? -(K / C) : (-K + C - 1) / C;
      E = A->getLHS() - IntExpr(*D * Least);
    } else {
      int64_t Most = K >= 0 ? K / -C : -((-K + -C - 1) / -C);
      E = IntExpr(*D * Most + *D - 1) - A->getLHS();
    }
  }
}

} // namespace warpwright::symbolic
