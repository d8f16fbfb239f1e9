//===-- OwnElements.cpp - Shared arrays that threads do not share ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some kernels keep the sum of each thread in shared memory: `Cs[ty][tx] +=
/// As[ty][k] * Bs[k][tx]`. If every access of the kernel to an array is in the
/// part of the thread that makes it, and the parts of different threads are
/// disjoint, then the array is nothing but a local array of each thread, and
/// barriers do not matter to it.
///
/// Such arrays are first taken for shared ones. If a kernel fails because an
/// element may hold what an earlier iteration stored, Lift.cpp executes it
/// again with that array in Given::OwnElements. Each access to it has then to
/// be shown to be in the part of the thread: its address is a sum of multiples
/// of the thread's numbers, which are the same for all accesses, and of an
/// offset into the part.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

/// How far the parts of neighbouring threads are apart at least, if \p Steps
/// are the distances from one thread to the next along each dimension; 0 if the
/// parts may meet. What that needs of the block is required.
int64_t Executor::distanceOfParts(const std::array<IntExpr, 3> &Steps) {
  auto Width = [](unsigned Dim) {
    return IntExpr::special(AtomKind::BlockDim, Dim);
  };
  auto Ask = [&](const IntExpr &E, unsigned Dim) {
    return demand(E, "blockDim." + llvm::Twine("xyz"[Dim]) +
                         " is larger than an array in shared memory that has "
                         "a part for each thread");
  };
  std::vector<unsigned> Order;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (!Steps[Dim].isZero())
      Order.push_back(Dim);
    else if (UsedThreads[Dim] || !Ask(IntExpr(1) - Width(Dim), Dim))
      return 0;
  // The smallest step comes first. One that is made of the block's width is
  // larger than one that is a number.
  llvm::stable_sort(Order, [&](unsigned A, unsigned B) {
    const auto L = Steps[A].getConstant(), R = Steps[B].getConstant();
    return L && (!R || *L < *R);
  });
  const auto Least =
      Order.empty() ? std::nullopt : Steps[Order.front()].getConstant();
  if (!Least || *Least <= 0)
    return 0;
  for (size_t N = 1; N < Order.size(); ++N) {
    const unsigned Inner = Order[N - 1];
    const IntExpr Room = Steps[Order[N]] - Steps[Inner] * Width(Inner);
    if (!Room.isZero() && !Ask(Room, Inner))
      return 0;
  }
  return *Least;
}

std::optional<IntExpr> Executor::ownPlace(const std::string &Array,
                                          const IntExpr &Bytes, unsigned Size) {
  auto Bad = [&]() -> std::optional<IntExpr> {
    fail(DiagID::SharedElement, here(),
         SharedNames[Array] + " is accessed here, where it is not clear that "
                              "each thread has a part of its own");
    return std::nullopt;
  };
  if (Asynchronous || Producing)
    return Bad();
  std::array<IntExpr, 3> Steps;
  IntExpr Offset = Bytes;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    const IntExpr Thread = IntExpr::special(AtomKind::ThreadIdx, Dim);
    const auto Step = Offset.coefficient(Thread.str());
    if (!Step)
      return Bad();
    Steps[Dim] = *Step;
    Offset = Offset - *Step * Thread;
  }
  if (Offset.containsKind(AtomKind::ThreadIdx))
    return Bad();
  auto Known = Own.find(Array);
  if (Known == Own.end()) {
    OwnPart New;
    New.Steps = Steps;
    New.Distance = distanceOfParts(Steps);
    Known = Own.emplace(Array, std::move(New)).first;
  }
  OwnPart &Part = Known->second;
  if (Part.Distance == 0 || Part.Steps != Steps)
    return Bad();
  if (Probing || mentionsPhi(Offset))
    return Offset;
  const Interval Within = Bounds.bounds(Offset, bodyLoops());
  constexpr int64_t Most = int64_t(1) << 30;
  if (!Within.within(0, Most))
    return Bad();
  Part.Low = std::min(Part.Low, static_cast<int64_t>(Within.Low));
  Part.High = std::max(Part.High, static_cast<int64_t>(Within.High) + Size);
  // The last thread's part is inside of the array.
  IntExpr Room = IntExpr(static_cast<int64_t>(S[Array].Size) - Part.High);
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    Room -=
        Steps[Dim] * (IntExpr::special(AtomKind::BlockDim, Dim) - IntExpr(1));
  if (Part.High - Part.Low > Part.Distance ||
      !demand(Room, "the block is larger than " + SharedNames[Array]))
    return Bad();
  return Offset;
}

} // namespace warpwright::symbolic
