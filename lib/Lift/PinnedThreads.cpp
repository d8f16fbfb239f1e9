//===-- PinnedThreads.cpp - Stores of one thread of many ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the threads of a block or a warp add up one sum, one of them stores
/// it: `if (threadIdx.x == 0)`, `if (threadIdx.x % 32 == 0)`. What is stored is
/// then what it is for that thread, and the others are no indices of the
/// output.
///
//===----------------------------------------------------------------------===//

#include "Normalizer.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

/// Whether \p Guard says that \p E, which is never negative, is 0.
static bool isZeroUnder(const BoolExpr &Guard, const IntExpr &E) {
  llvm::SmallVector<BoolExpr, 4> Tests;
  Guard.conjuncts(Tests);
  return llvm::any_of(Tests, [&](const BoolExpr &T) {
    std::vector<IntExpr> NotNegative;
    asNotNegative(T, NotNegative);
    return llvm::is_contained(NotNegative, -E);
  });
}

/// The constant d for which \p Guard says that \p Thread is a multiple of d.
static std::optional<int64_t> multipleUnder(const BoolExpr &Guard,
                                            const IntExpr &Thread) {
  std::optional<int64_t> Found;
  Guard.walk(
      [&](const IntExpr &E) {
        E.walk([&](const IntAtom &A) {
          if (A.getKind() != AtomKind::Mod || A.getLHS() != Thread)
            return;
          const auto D = A.getRHS().getConstant();
          const IntExpr Rest = IntExpr::mod(Thread, A.getRHS());
          if (D && *D > 1 && isZeroUnder(Guard, Rest))
            Found = Found ? std::max(*Found, *D) : *D;
        });
      },
      [](const ValueRef &) {});
  return Found;
}

void Normalizer::pinThreads() {
  std::vector<Write *> Stores;
  for (auto &Named : In.Final)
    if (!Named.second.IsLocal)
      for (Write &W : Named.second.Writes)
        if (!W.Guard.isFalse())
          Stores.push_back(&W);
  if (Stores.empty())
    return;
  auto Replace = [&](const IntExpr &Leaf, const IntExpr &By) {
    auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
      return A.getKey() == Leaf.str() ? std::optional<IntExpr>(By)
                                      : std::nullopt;
    };
    for (Write *W : Stores) {
      W->Index = W->Index.transform(Fn);
      W->Guard = W->Guard.transform(Fn);
      if (W->Value.S)
        W->Value.S = transformInts(W->Value.S, Fn);
      for (BoundLoop &L : W->Loops)
        L.Trip = L.Trip.transform(Fn);
    }
  };
  for (unsigned D = 0; D < 3; ++D) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, D);
    if (llvm::all_of(Stores, [&](const Write *W) {
          return isZeroUnder(W->Guard, Thread);
        })) {
      Replace(Thread, IntExpr());
      Pinned[D] = true;
      continue;
    }
    const auto Step = multipleUnder(Stores[0]->Guard, Thread);
    if (!Step || !llvm::all_of(Stores, [&](const Write *W) {
          return isZeroUnder(W->Guard, IntExpr::mod(Thread, IntExpr(*Step)));
        }))
      continue;
    // The threads of a block whose width is a multiple of the step: one of each
    // group of neighbours.
    const IntExpr Width = IntExpr::special(AtomKind::BlockDim, D);
    const IntExpr Known = In.Block[D] ? IntExpr(In.Block[D]) : Width;
    const IntExpr Groups = IntExpr::floorDiv(Known, IntExpr(*Step));
    const IntExpr Group = IntExpr::counter(In.FreeCounter++);
    Space.require(
        BoolExpr::compare(CmpOp::EQ, IntExpr::mod(Known, IntExpr(*Step)), 0),
        Width.str() + " is not a multiple of " + std::to_string(*Step));
    Replace(Thread, IntExpr(*Step) * Group);
    Replace(Width, IntExpr(*Step) * Groups);
    Pinned[D] = true;
    // `if (warp == 0)` around it.
    if (llvm::all_of(Stores, [&](const Write *W) {
          return isZeroUnder(W->Guard, Group);
        })) {
      Replace(Group, IntExpr());
      continue;
    }
    PinnedGroups.push_back({Group, Groups, false, true, true, false,
                            IntExpr::floorDiv(Thread, IntExpr(*Step))});
  }
}

/// The number by which \p A is the rest of \p Thread, or of \p Thread divided
/// by
/// \p By: `Thread % n`, and `Thread / By % (n / By)`. Nothing for other atoms.
static std::optional<int64_t> restOf(const IntAtom &A, const IntExpr &Thread,
                                     int64_t &By) {
  if (A.getKind() != AtomKind::Mod)
    return std::nullopt;
  const auto Divisor = A.getRHS().getConstant();
  constexpr int64_t Most = 1024; // threads of a block
  if (!Divisor || *Divisor < 1 || *Divisor > Most)
    return std::nullopt;
  By = 1;
  if (A.getLHS() == Thread)
    return Divisor;
  const AtomRef Part = A.getLHS().getAtom();
  if (!Part || Part->getKind() != AtomKind::FloorDiv ||
      Part->getLHS() != Thread)
    return std::nullopt;
  By = Part->getRHS().getConstant().value_or(0);
  return By >= 1 && By <= Most ? std::optional(By * *Divisor) : std::nullopt;
}

void Normalizer::requireFewThreads() {
  for (unsigned D = 0; D < 3; ++D) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, D);
    if (In.Block[D] || !Space.uses(Thread.str()))
      continue;
    int64_t Most = 0, By = 1;
    bool IsAlone = false;
    auto WithoutRests = [&](const IntAtom &A) -> std::optional<IntExpr> {
      const auto Number = restOf(A, Thread, By);
      if (!Number)
        return std::nullopt;
      Most = std::max(Most, *Number);
      return IntExpr();
    };
    Space.forEach([&](const IntExpr &E) {
      IsAlone |= E.transform(WithoutRests).contains(Thread.str());
    });
    if (IsAlone || Most == 0)
      continue;
    const IntExpr Width = IntExpr::special(AtomKind::BlockDim, D);
    Space.require(BoolExpr::compare(CmpOp::LE, Width, Most),
                  Width.str() + " is more than " + std::to_string(Most));
    Space.substitute([&](const IntAtom &A) -> std::optional<IntExpr> {
      return restOf(A, Thread, By) == Most
                 ? std::optional(IntExpr::floorDiv(Thread, By))
                 : std::nullopt;
    });
  }
}

} // namespace warpwright::symbolic
