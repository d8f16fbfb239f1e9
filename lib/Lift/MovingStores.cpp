//===- MovingStores.cpp - Elements that earlier iterations stored ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What iterations store to the same element of a local array they hand on to
/// each other (CarriedWrite). Where each iteration stores to another element,
///
///     for (int k = 0; k < n; ++k) {
///       sum += f[0] * a[k];
///       f[k % 4] = b[k];
///     }
///
/// nothing is handed on: the head of an iteration has the array as it was
/// before the loop. That is right only if no earlier iteration has stored to an
/// element that is read, as with `f[k] += x`. It is shown here, when all that
/// an iteration stores is known.
///
//===----------------------------------------------------------------------===//

#include "LoopState.h"
#include "Ranges.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

void noteOpenRead(llvm::ArrayRef<LoopState *> Around, unsigned Probing,
                  const OpenRead &Read, llvm::ArrayRef<unsigned> From) {
  for (LoopState *L : Around)
    if (L->LastProbing == Probing &&
        (From.empty() || llvm::any_of(From, [&](unsigned Id) {
           return L->LastHead.count(Id);
         })))
      L->OpenReads.push_back(Read);
}

/// Whether \p Ahead, from a store of \p W bytes to a read of \p R bytes, is
/// never the distance of two that overlap.
static bool isApart(const IntExpr &Ahead, int64_t W, int64_t R,
                    const Ranges &Bounds, llvm::ArrayRef<BoundLoop> Loops) {
  const Interval All = Bounds.bounds(Ahead, Loops);
  if (All.Low >= W || All.High <= -Interval::Number(R))
    return true;
  // Parts that take turns: `acc[16 * i + 4 * part + j]` with j < 4 < 16.
  std::set<int64_t> Periods;
  for (const auto &[Atoms, Factor] : Ahead.terms())
    if (!Atoms.empty() && Factor != INT64_MIN && std::abs(Factor) >= W + R)
      Periods.insert(std::abs(Factor));
  return llvm::any_of(Periods, [&](int64_t Period) {
    IntExpr Rest = Ahead;
    for (const auto &[Atoms, Factor] : Ahead.terms())
      if (!Atoms.empty() && Factor % Period == 0) {
        IntExpr Term(Factor);
        for (const AtomRef &A : Atoms)
          Term = Term * IntExpr(A);
        Rest -= Term;
      }
    const Interval In = Bounds.bounds(Rest, Loops);
    if (!In.within(INT64_MIN, INT64_MAX))
      return false;
    const Interval::Number Turn =
        (In.Low - W >= 0 ? In.Low - W : In.Low - W - Period + 1) / Period *
        Period;
    return In.Low >= Turn + W && In.High <= Turn + Period - R;
  });
}

/// Whether no iteration of \p L has stored with \p W to the element that a
/// later one finds as \p Read. Counters from \p Fresh on are not in use.
static bool isElsewhere(const LoopState &L, Write W, const OpenRead &Read,
                        const Ranges &Bounds, unsigned Fresh) {
  // Iteration `Earlier` stores, and the one that comes `Between` + 1 after it
  // reads. The loops of the store may be those of the read in another
  // iteration.
  const unsigned First = Fresh++, Apart = Fresh++;
  const IntExpr Earlier = IntExpr::counter(First),
                Between = IntExpr::counter(Apart);
  const std::string Key = IntExpr::counter(L.Counter).str();
  auto Later = [&](const IntExpr &E) {
    return E.substitute(Key, Earlier + Between + 1);
  };
  std::vector<BoundLoop> Loops;
  for (const BoundLoop &B : Read.Loops) {
    if (B.Counter != L.Counter) {
      Loops.push_back({B.Counter, Later(B.Trip)});
      continue;
    }
    Loops.push_back({First, B.Trip - 1});
    Loops.push_back({Apart, B.Trip - 1 - Earlier});
  }
  W = withCounter(W, L.Counter, Earlier);
  for (size_t N = 0; N < W.Loops.size(); ++N) {
    W = withCounter(W, W.Loops[N].Counter, IntExpr::counter(Fresh));
    Loops.push_back({Fresh++, W.Loops[N].Trip - 1});
  }
  return isApart(Later(Read.Index) - W.Index, W.Size, Read.Size, Bounds, Loops);
}

const OpenRead *storedEarlier(const LoopState &L, const Memory &S,
                              const Ranges &Bounds, unsigned Fresh) {
  const std::string Key = IntExpr::counter(L.Counter).str();
  auto Varies = [&](llvm::StringRef Name) {
    return Name == Key || L.Phis.count(Name.str());
  };
  for (const OpenRead &Read : L.OpenReads) {
    const auto Named = S.find(Read.Array);
    if (!L.Entry.count(Read.Array) || Named == S.end())
      continue; // declared inside the loop: each iteration has its own
    for (const Write &W : Named->second.Writes)
      if (!L.LastHead.count(W.Id) && !W.Clobber &&
          mentionsAny(SymValue::integer(W.Index, 64), Varies) &&
          !isElsewhere(L, W, Read, Bounds, Fresh))
        return &Read;
  }
  return nullptr;
}

} // namespace warpwright::symbolic
