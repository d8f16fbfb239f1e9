//===-- Discharge.cpp - What integers may not do --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Discharge.h"
#include "Mistakes.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace warpwright::symbolic {

namespace {
class Discharger {
public:
  Discharger(IndexSpace &Space, const std::vector<IntExpr> &Extents,
             const std::vector<SumFacts> &Sums, const Contraction &C,
             Ranges Known)
      : Space(Space), Extents(Extents), Sums(Sums), C(C),
        Known(std::move(Known)) {}

  void learn();
  bool settle(const Obligation &O);

private:
  std::optional<IntExpr> largest(IntExpr E, const Obligation &O);
  std::optional<IntExpr> takeQuotients(IntExpr &E, const std::string &Key,
                                       const IntExpr &First,
                                       const IntExpr &Last,
                                       const Obligation &O);
  bool requireNotNegative(const IntExpr &Factor);
  bool withinOffsets(const Obligation &O) const;

  IndexSpace &Space;
  const std::vector<IntExpr> &Extents;
  const std::vector<SumFacts> &Sums;
  const Contraction &C;
  Ranges Known;
};
} // namespace

void Discharger::learn() {
  // The launcher runs the original if an extent is below 1.
  for (const IntExpr &E : {C.BatchExtent, C.MExtent, C.NExtent, C.KExtent})
    Known.learnAtLeast(E, 1);
  for (const IntExpr &E : C.BatchDigits)
    Known.learnAtLeast(E, 1);
  for (const Requirement &R : Space.Requires) {
    if (R.Condition.getKind() != BoolExpr::Kind::Compare)
      continue;
    IntExpr D = R.Condition.getLHS() - R.Condition.getRHS();
    switch (R.Condition.getOp()) {
    case CmpOp::GE:
      Known.learnAtLeast(D, 0);
      break;
    case CmpOp::GT:
      Known.learnAtLeast(D, 1);
      break;
    case CmpOp::LE:
      Known.learnAtLeast(-D, 0);
      break;
    case CmpOp::LT:
      Known.learnAtLeast(-D, 1);
      break;
    case CmpOp::EQ:
      Known.learnEqual(R.Condition.getLHS(), R.Condition.getRHS());
      break;
    case CmpOp::NE:
      break;
    }
  }
}

/// Requires that \p Factor is not negative. False if its value is known only in
/// the kernel.
bool Discharger::requireNotNegative(const IntExpr &Factor) {
  if (Factor.containsKind(AtomKind::Counter) ||
      Factor.containsKind(AtomKind::ThreadIdx) ||
      Factor.containsKind(AtomKind::BlockIdx))
    return false;
  Space.require(BoolExpr::compare(CmpOp::GE, Factor, 0),
                Factor.str() + " is negative");
  Known.learnAtLeast(Factor, 0);
  return true;
}

/// Takes the terms `factor * floordiv(c * index + .., d)` of the index \p Key
/// out of \p E, for constants c and d. They are as large as what is returned at
/// most, where the index is from \p First to \p Last. Nothing if the index is
/// in a quotient of another form, or the factor's sign is not known.
std::optional<IntExpr> Discharger::takeQuotients(IntExpr &E,
                                                 const std::string &Key,
                                                 const IntExpr &First,
                                                 const IntExpr &Last,
                                                 const Obligation &O) {
  IntExpr Rest, Most;
  for (const auto &[Atoms, Coefficient] : E.terms()) {
    IntExpr Factor(Coefficient), Quotient(1);
    for (const AtomRef &A : Atoms)
      if (A->getKind() == AtomKind::FloorDiv && IntExpr(A).contains(Key))
        Quotient = Quotient * IntExpr(A);
      else
        Factor = Factor * IntExpr(A);
    if (Quotient.isOne()) {
      Rest += Factor;
      continue;
    }
    const AtomRef Of = Quotient.getAtom(); // null if there are two
    const auto Step = Of ? Of->getLHS().coefficient(Key) : std::nullopt;
    const auto Grows = Step ? Step->getConstant() : std::nullopt;
    if (!Grows || Space.mentions(Factor) || Space.mentions(Of->getRHS()) ||
        Known.bounds(Of->getRHS(), O.Loops).Low < 1)
      return std::nullopt;
    const Interval Sign = Known.bounds(Factor, O.Loops);
    if (Sign.Low < 0 && Sign.High > 0 && !requireNotNegative(Factor))
      return std::nullopt;
    const bool Falls = Sign.Low < 0 && Sign.High <= 0;
    const IntExpr &At = (*Grows < 0) == Falls ? Last : First;
    Most += Factor * Quotient.substitute(Key, At);
  }
  E = Rest;
  return Most;
}

/// \p E at its maximum over all threads and iterations, as a number that the
/// launcher can compute.
std::optional<IntExpr> Discharger::largest(IntExpr E, const Obligation &O) {
  for (size_t N = 0; N < Space.Vars.size(); ++N) {
    const IndexVar &V = Space.Vars[N];
    if (!E.contains(V.key()))
      continue;
    // An extent may come from a condition that holds only for some threads.
    IntExpr First,
        Last = (!V.Reduction && O.Guarded ? Extents[N] : V.Range) - 1;
    // Or from the range of a store.
    for (const Store &S : Space.Stores)
      if (S.Id == O.OfStore && S.Range && S.Range->Var == N) {
        First = S.Range->Begin;
        if (S.Range->End)
          Last = lesser(Last, *S.Range->End - 1);
      }
    if (const uint64_t Inside = V.Sums & O.InSums)
      Last = Sums[llvm::countr_zero(Inside)].Extents[N] - 1;
    if (V.Reduction && O.AtTest)
      Last = V.Range;
    IntExpr Quotients;
    if (!E.coefficient(V.key())) {
      const auto Most = takeQuotients(E, V.key(), First, Last, O);
      if (!Most)
        return std::nullopt;
      Quotients = *Most;
    }
    auto Factor = E.coefficient(V.key());
    if (!Factor || Space.mentions(*Factor))
      return std::nullopt;
    const IntExpr Rest = E - *Factor * V.Atom + Quotients;
    Interval Sign = Known.bounds(*Factor, O.Loops);
    if (Sign.Low >= 0) {
      E = Rest + *Factor * Last;
    } else if (Sign.High <= 0) {
      E = Rest + *Factor * First;
    } else {
      if (!requireNotNegative(*Factor))
        return std::nullopt;
      E = Rest + *Factor * Last;
    }
  }
  // Counters of loops that are not indices of the contraction, such as one
  // whose body was unrolled by hand.
  for (const BoundLoop &L : llvm::reverse(O.Loops)) {
    std::string Key = IntExpr::counter(L.Counter).str();
    if (!E.contains(Key))
      continue;
    auto Factor = E.coefficient(Key);
    if (!Factor)
      continue; // inside a quotient or a remainder, see below
    if (Space.mentions(*Factor))
      return std::nullopt;
    Interval Sign = Known.bounds(*Factor, O.Loops);
    if (Sign.Low < 0 && Sign.High > 0 && !requireNotNegative(*Factor))
      return std::nullopt;
  }
  // Parameters that are multiplied by a part of a thread's number.
  for (const auto &[M, C] : E.terms()) {
    IntExpr Factor(1);
    bool Varies = false;
    for (const AtomRef &A : M)
      if (Simplifier::varies(*A))
        Varies = true;
      else
        Factor = Factor * IntExpr(A);
    if (!Varies || Factor.isOne())
      continue;
    Interval Sign = Known.bounds(Factor, O.Loops);
    if (Sign.Low < 0 && Sign.High > 0 && !requireNotNegative(Factor))
      return std::nullopt;
  }
  auto R = Known.extreme(E, /*Largest=*/true, O.Loops);
  if (!R) {
    Simplifier Facts(Known, O.Loops, BoolExpr());
    Facts.boundQuotients();
    R = Facts.limit(E, /*Largest=*/true);
  }
  if (!R)
    return std::nullopt;
  bool Varies = Space.mentions(*R) || R->containsKind(AtomKind::ThreadIdx) ||
                R->containsKind(AtomKind::BlockIdx) ||
                R->containsKind(AtomKind::Counter);
  return Varies ? std::nullopt : R;
}

/// The launcher checks that no element offset exceeds 32 bits. A number that is
/// a summand of an offset, and has no negative summands beside it, does not
/// exceed them either.
bool Discharger::withinOffsets(const Obligation &O) const {
  if (C.IndexBits != 32 || !O.Guarded || O.AtTest)
    return false;
  auto High = O.High.getConstant();
  int64_t Checked = C.IndexSigned ? INT32_MAX : UINT32_MAX;
  if (!High || *High < Checked)
    return false;
  // Each sum has its own index for k.
  for (size_t N = 0; N < Sums.size(); ++N) {
    if (!(O.InSums >> N & 1))
      continue;
    IntExpr E = O.E.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
      auto It = Sums[N].Renamed.find(A.getKey().str());
      if (It == Sums[N].Renamed.end())
        return std::nullopt;
      return It->second;
    });
    auto Covers = [&](const IntExpr &Index) {
      return Known.bounds(Index - E).Low >= 0;
    };
    bool Found = Covers(Sums[N].A) || Covers(Sums[N].B);
    for (const Output &Out : C.Outputs) {
      if (Out.When)
        continue; // the launcher checks it for a range alone
      Found |= Covers(Out.Index);
      Out.Value->walk([&](const Value &V) {
        if (V.K == Value::Kind::Load)
          Found |= Covers(V.Index);
      });
    }
    if (Found)
      return true;
  }
  return false;
}

bool Discharger::settle(const Obligation &O) {
  // Shows that it is not above High.
  auto Top = largest(O.E - O.High, O);
  bool Above = Top && Known.bounds(*Top).High <= 0;
  if (!Above && !withinOffsets(O) && !mistaken(Mistake::UpperBoundIgnored)) {
    if (!Top)
      return false;
    BoolExpr Need = BoolExpr::compare(CmpOp::LE, *Top + O.High, O.High);
    if (Need.isFalse())
      return false;
    Space.require(Need, O.What);
    Known.learnAtLeast(-*Top, 0);
  }
  // Shows that it is not below Low.
  auto Bottom = largest(O.Low - O.E, O);
  if (Bottom && Known.bounds(*Bottom).High <= 0)
    return true;
  if (!Bottom)
    return false;
  BoolExpr Need = BoolExpr::compare(CmpOp::GE, O.Low - *Bottom, O.Low);
  if (Need.isFalse())
    return false;
  Space.require(Need, O.What);
  Known.learnAtLeast(-*Bottom, 0);
  return true;
}

std::optional<Obligation> discharge(IndexSpace &Space,
                                    const std::vector<IntExpr> &Extents,
                                    const std::vector<SumFacts> &Sums,
                                    const Contraction &C, Ranges Known) {
  Discharger D(Space, Extents, Sums, C, std::move(Known));
  D.learn();
  for (const Obligation &O : Space.Obligations) {
    // If only a part of a number became an index, threads and blocks are not
    // independent of that index. So the number is considered in its original
    // form.
    Obligation As = O;
    bool Partly = false;
    O.E.walk([&](const IntAtom &A) {
      if (!A.isLeaf() || !Simplifier::varies(A))
        return;
      bool IsIndex = llvm::any_of(
          Space.Vars, [&](const IndexVar &V) { return V.key() == A.getKey(); });
      bool IsLoop = llvm::any_of(O.Loops, [&](const BoundLoop &L) {
        return A.getKind() == AtomKind::Counter && L.Counter == A.getDim();
      });
      Partly |= !IsIndex && !IsLoop;
    });
    if (Partly) {
      As.E = O.Found;
      llvm::append_range(As.Loops, O.Places);
    }
    // `b / heads * heads + b % heads` is b.
    As.E = recombine(As.E);
    if (!D.settle(As))
      return O;
  }
  return std::nullopt;
}

} // namespace warpwright::symbolic
