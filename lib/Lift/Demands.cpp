//===-- Demands.cpp - What tiles need of the block ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Facts about the block that are shown, or become requirements of the
/// launcher: that it is as wide as a tile, for instance.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

/// Whether \p E is negative if everything of which it is made is at least 1:
/// every positive term divides a negative one, which occurs as often.
static bool isNegativeOfSizes(const IntExpr &E) {
  std::vector<std::pair<IntExpr, int64_t>> Down;
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(1);
    for (const AtomRef &A : M)
      Term = Term * IntExpr(A);
    // A quotient may be 0.
    if (C < 0 && llvm::all_of(M, [](const AtomRef &A) { return A->isLeaf(); }))
      Down.push_back({Term, -C});
  }
  if (Down.empty())
    return false;
  for (const auto &[M, C] : E.terms()) {
    if (C < 0)
      continue;
    IntExpr Term(1);
    for (const AtomRef &A : M)
      Term = Term * IntExpr(A);
    int64_t Count = C;
    auto Larger = llvm::find_if(Down, [&](const auto &D) {
      return D.second >= Count && D.first.containsKind(AtomKind::Param) &&
             D.first.exactDivide(Term);
    });
    if (Larger == Down.end())
      return false;
    Larger->second -= C;
  }
  return true;
}

bool Executor::demand(const IntExpr &E, llvm::Twine Reason) {
  if (auto C = E.getConstant())
    return *C >= 0;
  if (mentionsPhi(E))
    return Probing != 0;
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  if (Facts.neverNegative(E) || Facts.neverNegative(Facts.simplify(E)))
    return true;
  auto Low = Facts.limit(E, /*Largest=*/false);
  if (!Low || Low->overflowed() || mentionsPhi(*Low))
    return false;
  // min(a, b) >= c if both sides are.
  for (const auto &[M, C] : Low->terms())
    if (C > 0 && M.size() == 1 && M[0]->getKind() == AtomKind::Min) {
      const IntExpr Rest = *Low - IntExpr(C) * IntExpr(M[0]);
      const IntExpr L = M[0]->getLHS(), R = M[0]->getRHS();
      return demand(Rest + IntExpr(C) * L, Reason) &&
             demand(Rest + IntExpr(C) * R, Reason);
    }
  Low = withoutQuotient(reduced(*Low));
  if (auto C = Low->getConstant())
    return *C >= 0;
  Interval I = Bounds.bounds(*Low);
  if (I.Low >= 0)
    return true;
  if (I.High < 0)
    return false;
  // A number that depends on launch and parameters only.
  bool Varies = Low->containsKind(AtomKind::ThreadIdx) ||
                Low->containsKind(AtomKind::BlockIdx) ||
                Low->containsKind(AtomKind::Counter);
  if (Varies)
    return false;
  if (isNegativeOfSizes(*Low))
    return false;
  require(BoolExpr::compare(CmpOp::GE, *Low, 0), Reason);
  Bounds.learnAtLeast(*Low, 0);
  return true;
}

void Executor::keepInside(const IntExpr &Subscript, uint64_t Count) {
  if (Probing || Subscript.getConstant())
    return;
  // A subscript under a condition on the thread says something about some
  // threads; under the condition and its opposite, about all of them.
  BoolExpr &When =
      Inside.try_emplace({Subscript.str(), Count}, BoolExpr::constant(false))
          .first->second;
  When = either(When, totalActive());
  if (!containsThread(When))
    demand(IntExpr(static_cast<int64_t>(Count) - 1) - Subscript,
           "the block is larger than a tile");
}

/// Whether \p E is plausibly non-negative: it is for blocks as wide as
/// `blockIdx.x * 32 + threadIdx.x` suggests.
bool Executor::plausible(const IntExpr &E, const Simplifier &Facts) const {
  auto Low = Facts.limit(E, /*Largest=*/false);
  if (!Low)
    return false;
  auto There = Low->transform([&](const IntAtom &A) -> std::optional<IntExpr> {
                    if (A.getKind() == AtomKind::BlockDim && Width[A.getDim()])
                      return IntExpr(Width[A.getDim()]);
                    return std::nullopt;
                  })
                   .getConstant();
  return !There || *There >= 0;
}

} // namespace warpwright::symbolic
