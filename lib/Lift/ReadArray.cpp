//===-- ReadArray.cpp - Which store gives the value that is read ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value of an element of an array of the caller or of a local one is that
/// of the newest store to it, under the condition of that store; a store of
/// which it is not known whether it is to that element makes it unknown.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "Stores.h"
#include "Tables.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

Executor::Alias Executor::matches(const Write &W, const IntExpr &Index,
                                  unsigned Size, bool InElements,
                                  std::map<unsigned, IntExpr> &At) const {
  IntExpr Rest = W.Index;
  // Zeros in the whole object: any piece can be read.
  const bool IsZero =
      W.ZeroFill || (!InElements && W.Size > Size && hasZeroBits(W.Value));
  if (IsZero && W.Loops.empty()) {
    auto Known = S.find(W.Array);
    if (Rest.isZero() && Known != S.end() && W.Size >= Known->second.Size)
      return Alias::Yes;
    auto D = (Rest - Index).getConstant();
    if (D && *D <= 0 && *D + static_cast<int64_t>(W.Size) >= Size)
      return Alias::Yes;
  }
  auto Constant = [&](int64_t D) {
    // Distance from the read to the written piece.
    if (D == 0 && (InElements || W.Size == Size))
      return Alias::Yes;
    int64_t Read = InElements ? 1 : Size, Written = InElements ? 1 : W.Size;
    return D >= Read || -D >= Written ? Alias::No : Alias::Maybe;
  };
  if (W.Loops.empty())
    if (auto D = (Rest - Index).getConstant())
      return Constant(*D);
  // Before or behind each other whatever the counters are: halves of an array
  // that are filled and read in turn.
  std::vector<BoundLoop> Loops = bodyLoops();
  for (BoundLoop L : W.Loops) {
    L.Trip -= 1;
    Loops.push_back(std::move(L));
  }
  const Interval Distance = Bounds.bounds(Rest - Index, Loops);
  if (Distance.Low >= (InElements ? 1 : Size) ||
      Distance.High <= -Interval::Number(InElements ? 1 : W.Size))
    return Alias::No;
  if (W.Loops.empty())
    return Alias::Maybe;
  if (!InElements && W.Size != Size)
    return Alias::Maybe;
  // Solves for one counter after the other. A solution has to be in the loop's
  // range: it is the counter of a loop with the same trip count, or a constant
  // that is small enough.
  IntExpr Wanted = Index;
  for (const BoundLoop &L : W.Loops) {
    IntExpr C = IntExpr::counter(L.Counter);
    auto Step = Rest.coefficient(C.str());
    if (!Step || Step->isZero())
      return Alias::Maybe;
    // Pieces of neighbouring iterations must not overlap.
    auto Stride = Step->getConstant();
    if (!InElements && (!Stride || std::abs(*Stride) < W.Size))
      return Alias::Maybe;
    bool Solved = false;
    for (const auto &[Id, Trip] : LiveLoops) {
      auto Other = Wanted.coefficient(IntExpr::counter(Id).str());
      if (!Other || *Other != *Step || Trip != L.Trip)
        continue;
      At[L.Counter] = IntExpr::counter(Id);
      Wanted = Wanted - *Step * IntExpr::counter(Id);
      Rest = Rest - *Step * C;
      Solved = true;
      break;
    }
    if (Solved)
      continue;
    if (W.Loops.size() == 1) {
      auto X = (Index - (Rest - *Step * C)).exactDivide(*Step);
      auto Number = X ? X->getConstant() : std::nullopt;
      auto Trip = L.Trip.getConstant();
      if (Number && Trip && *Number >= 0) {
        if (*Number >= *Trip)
          return Alias::No;
        At[L.Counter] = *X;
        return Alias::Yes;
      }
    }
    return Alias::Maybe;
  }
  return (Rest - Wanted).isZero() && storesApart(W, InElements ? 1 : W.Size)
             ? Alias::Yes
             : Alias::Maybe;
}

/// The same for a family of stores to a thread's local array.
Executor::Alias Executor::matchesFamily(const Write &W, const IntExpr &Index,
                                        unsigned Size,
                                        std::map<unsigned, IntExpr> &At) {
  // While a loop is probed, it is not known yet which of several pointers it
  // takes, but where they are follows from its number.
  const bool ByNumber = (Probing || Outlining) && W.Value.is(VK::Pointer);
  if (W.Size != Size || (mentionsPhi(Index) && !ByNumber))
    return Alias::Maybe;
  auto Piece = Index.exactDivide(IntExpr(static_cast<int64_t>(Size)));
  const Family *F = Piece ? familyFor(W) : nullptr;
  if (!F)
    return Alias::Maybe;
  if (ByNumber && F->Digits.size() == 1 && F->Free.empty())
    if (auto Number =
            (*Piece - F->Base).exactDivide(F->Digits.front().Stride)) {
      At[W.Loops.front().Counter] = *Number;
      return Alias::Yes;
    }
  if (mentionsPhi(Index))
    return Alias::Maybe;
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  auto Never = [](const IntExpr &) { return false; };
  Origin O = invert(*F, *Piece, Facts, std::nullopt);
  if (O.K == Origin::Kind::Unclear || !F->Free.empty() ||
      !isInjective(*F, Facts, Never))
    return O.K == Origin::Kind::Elsewhere ? Alias::No : Alias::Maybe;
  if (O.K == Origin::Kind::Elsewhere)
    return Alias::No;
  for (const BoundLoop &L : W.Loops)
    At[L.Counter] = O.At[IntExpr::counter(L.Counter).str()];
  return Alias::Yes;
}

/// Whether \p W, in the iterations \p At of its loops, is not made where \p
/// Known holds: by one branch of an `if`, while the other one reads.
static bool isExcluded(const Write &W, const std::map<unsigned, IntExpr> &At,
                       const BoolExpr &Known) {
  llvm::SmallVector<BoolExpr, 4> Tests;
  withCounters(SymValue::boolean(W.Guard), At).B.conjuncts(Tests);
  auto InLoop = [&](llvm::StringRef Key) {
    return llvm::any_of(W.Loops, [&](const BoundLoop &L) {
      return Key == IntExpr::counter(L.Counter).str();
    });
  };
  return llvm::any_of(Tests, [&](const BoolExpr &T) {
    return !mentionsAny(SymValue::boolean(T), InLoop) &&
           implies(Known, BoolExpr::negation(T));
  });
}

/// Whether \p Distance, between two elements, is at least 1 for all counters of
/// \p Loops: a distance of some rows less some columns, `(64 + i - j) * N - 3`.
/// What that asks of the pitch is left to \p Demand, which says whether a
/// number is not negative.
static bool liesBehind(const IntExpr &Distance, const Ranges &Bounds,
                       const std::vector<BoundLoop> &Loops,
                       llvm::function_ref<bool(const IntExpr &)> Demand) {
  constexpr int64_t Most = int64_t(1) << 31;
  std::set<std::string> Tried;
  for (const auto &[Atoms, Factor] : Distance.terms())
    for (const AtomRef &Pitch : Atoms) {
      if (Pitch->getKind() != AtomKind::Param ||
          !Tried.insert(Pitch->getKey().str()).second)
        continue;
      const auto Rows = Distance.coefficient(Pitch->getKey());
      if (!Rows)
        continue;
      const Interval Down = Bounds.bounds(*Rows, Loops),
                     Across = Bounds.bounds(Distance - *Rows * IntExpr(Pitch),
                                            Loops);
      if (!Down.within(1, Most) || !Across.within(-Most, Most))
        continue;
      // The pitch is then positive, so that more rows are farther away.
      const int64_t Back =
          std::min<int64_t>(static_cast<int64_t>(Across.Low), 0);
      if (Demand(IntExpr(static_cast<int64_t>(Down.Low)) * IntExpr(Pitch) +
                 Back - 1))
        return true;
    }
  return false;
}

std::string nameOfLocal(llvm::StringRef Array) {
  llvm::StringRef Name = Array.split('.').second.split('.').second;
  Name = Name.split('.').first;
  // Clang's own names belong to objects without a name in the source.
  if (Name.empty() || Name == "ref" || Name == "agg" || Name == "tmp")
    return "an array";
  return "'" + Name.str() + "'";
}

/// The value of the element \p Index after the writes so far; \p Index and \p
/// Size are as in Write.
SymValue Executor::readArray(const std::string &Name, const IntExpr &Index,
                             unsigned Size) {
  ArrayState &A = S[Name];
  SymValue Older;
  if (A.IsLocal) {
    Older = unknown(DiagID::UnsupportedExpression,
                    "an array element is used without having been set");
  } else {
    Older = SymValue::scalar(Value::load(A.Elem, Name, Index));
    auto V = std::make_shared<Value>(*Older.S);
    V->Loc = here().getRawEncoding();
    Older.S = V;
  }
  Older.Loc = here();
  // Oldest first, so that later writes overlay earlier ones.
  BoolExpr All = totalActive();
  // Which of two stores of a loop is the later one is known in one iteration.
  std::map<unsigned, IntExpr> Iterations;
  auto SameIteration = [&](const Write &W,
                           const std::map<unsigned, IntExpr> &At) {
    bool Same = true;
    for (const BoundLoop &L : W.Loops) {
      auto Found = At.find(L.Counter);
      IntExpr Here =
          Found == At.end() ? IntExpr::counter(L.Counter) : Found->second;
      auto [Known, New] = Iterations.try_emplace(L.Counter, Here);
      Same &= New || Known->second == Here;
    }
    return Same;
  };
  // The stored values, the newest last, with their conditions and stores' ids.
  std::vector<std::pair<BoolExpr, SymValue>> Stored;
  std::vector<unsigned> From;
  if (A.IsLocal && !A.IsShared)
    noteChosen(Index, ChoosesOwn);
  // An index chooses among elements that were stored one by one.
  const bool Chooses = A.IsLocal && A.Writes.size() > 1 && !Index.getConstant();
  auto NoteOpen = [&](llvm::ArrayRef<unsigned> Given) {
    if (A.IsLocal && !A.IsShared)
      noteOpenRead(Around, Probing, {Name, Index, Size, bodyLoops(), here()},
                   Given);
  };
  const std::vector<SymValue> Table =
      Chooses ? tableOf(A, Size, All) : std::vector<SymValue>();
  if (!Table.empty())
    if (auto V = chosenFrom(Table, Index, Size)) {
      NoteOpen({});
      return *V;
    }
  const std::vector<Write> &Writes = Chooses ? rolledUp(Name) : A.Writes;
  // The store of an iteration that is read there is not what earlier ones left.
  const RolledUp *Rolled = &Writes != &A.Writes ? &RolledArrays[Name] : nullptr;
  for (const Write &W : Writes) {
    const unsigned Id = Rolled ? Rolled->First[&W - Writes.data()] : W.Id;
    if (mistaken(Mistake::StoreForgotten) && !A.IsLocal)
      break;
    std::map<unsigned, IntExpr> At;
    Alias Match = A.IsLocal && !W.Loops.empty()
                      ? matchesFamily(W, Index, Size, At)
                      : Alias::Maybe;
    if (Match == Alias::Maybe)
      Match = matches(W, Index, Size, !A.IsLocal, At);
    if (isExcluded(W, At, All))
      continue;
    // Parts of one array, a size apart that the conditions so far make
    // positive: N, where `col < N`.
    if (Match == Alias::Maybe && !A.IsLocal && W.Loops.empty()) {
      const Simplifier Known(Bounds, bodyLoops(), All);
      if (Known.neverNegative(Index - W.Index - 1) ||
          Known.neverNegative(W.Index - Index - 1))
        Match = Alias::No;
    }
    // Rows apart.
    if (Match == Alias::Maybe && !A.IsLocal) {
      std::vector<BoundLoop> Loops = bodyLoops();
      IntExpr Place = W.Index;
      for (const BoundLoop &L : W.Loops) {
        Loops.push_back({NextCounter, L.Trip - 1});
        Place = Place.substitute(IntExpr::counter(L.Counter).str(),
                                 IntExpr::counter(NextCounter++));
      }
      auto Demand = [&](const IntExpr &E) {
        return demand(E, "elements of '" + Name +
                             "' that are stored and read one after the other "
                             "would be the same");
      };
      if (liesBehind(Index - Place, Bounds, Loops, Demand) ||
          liesBehind(Place - Index, Bounds, Loops, Demand))
        Match = Alias::No;
    }
    if (Match == Alias::Yes && !SameIteration(W, At))
      Match = Alias::Maybe;
    switch (Match) {
    case Alias::No:
      continue;
    case Alias::Yes: {
      const bool IsPart = A.IsLocal && W.Size > Size && hasZeroBits(W.Value);
      SymValue V = W.ZeroFill || IsPart ? SymValue::exact(IntExpr(), 8 * Size)
                                        : withCounters(W.Value, At);
      BoolExpr Guard = withCounters(SymValue::boolean(W.Guard), At).B;
      // Where the loop ran fewer times than this read asks for, nothing was
      // stored.
      for (const auto &[Counter, Value] : At)
        if (Value.getConstant() && !A.IsLocal)
          for (const BoundLoop &L : W.Loops)
            if (L.Counter == Counter && !L.Trip.getConstant())
              V = unknown(DiagID::OrderingHazard,
                          "an element of '" + Name + "' may not be set");
      // What is known here does not tell the stores apart.
      Guard = implies(All, Guard) ? BoolExpr::constant(true)
                                  : withoutConjuncts(Guard, All);
      if (Guard.isTrue())
        Stored.clear(), From.clear();
      Stored.push_back({Guard, std::move(V)});
      From.push_back(Id);
      continue;
    }
    case Alias::Maybe:
      if (mistaken(Mistake::UnknownAliasIsNone))
        continue;
      if (Chooses && W.Index.getConstant())
        noteChosen(Index, ChoosesStored);
      Stored.clear(), From = {Id};
      Stored.push_back(
          {BoolExpr::constant(true),
           unknown(DiagID::OrderingHazard,
                   (A.IsLocal ? nameOfLocal(Name) : "'" + Name + "'") +
                       (Table.empty() ? " is read here at an element that an "
                                        "earlier store may have changed"
                                      : NoFormula))});
      continue;
    }
  }
  // Older stores do not matter if the conditions of newer ones cover all cases.
  BoolExpr Cover = BoolExpr::constant(false);
  size_t First = Stored.size();
  while (First > 0 && !implies(All, Cover))
    Cover = either(Cover, Stored[--First].first);
  const bool Covered = implies(All, Cover) && First < Stored.size();
  NoteOpen(Covered ? llvm::ArrayRef(From).drop_front(First)
                   : llvm::ArrayRef<unsigned>());
  if (Covered)
    Older = Stored[First++].second;
  else
    First = 0;
  // Elements of rows beyond the matrix, of which nothing is stored either.
  if (!Covered && A.IsLocal && !A.IsShared && !Stored.empty() &&
      Stored.back().second.is(VK::Scalar))
    Older = notSet(Stored.back().second.S->Type, Older);
  for (; First < Stored.size(); ++First) {
    noteMeeting(Stored[First].second, Older);
    Older = select(Stored[First].first, Stored[First].second, Older);
  }
  return Older;
}

} // namespace warpwright::symbolic
