//===- Orders.cpp - Memory orders of a contraction ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orders.h"
#include "Products.h"

#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

namespace {
/// One index that may be the contiguous one, and what that requires.
struct Contiguous {
  bool First;
  std::vector<BoolExpr> Requires;
};
} // namespace

/// The parameter says how large the problem is: as a stride it is 1 only for a
/// problem of one row.
static bool isExtent(const Contraction &C, const IntAtom &Parameter) {
  return llvm::any_of(
      ArrayRef<const IntExpr *>{&C.MExtent, &C.NExtent, &C.KExtent},
      [&](const IntExpr *E) { return E->contains(Parameter.getKey()); });
}

/// The cases in which one of two indices with strides \p First and \p Second
/// is contiguous. A stride that is a parameter of its own may turn out as 1;
/// one that is an extent or a product would have to be degenerate for that.
/// None: an operand that the launcher copies, whatever its strides.
static std::vector<Contiguous> contiguousCases(const Contraction &C,
                                               const IntExpr &First,
                                               const IntExpr &Second) {
  if (First.isOne())
    return {{true, {}}};
  if (Second.isOne())
    return {{false, {}}};
  std::vector<Contiguous> Cases;
  for (bool IsFirst : {true, false}) {
    const IntExpr &E = IsFirst ? First : Second;
    AtomRef Atom = E.getAtom();
    if (Atom && Atom->getKind() == AtomKind::Param && !isExtent(C, *Atom))
      Cases.push_back({IsFirst, {BoolExpr::compare(CmpOp::EQ, E, 1)}});
  }
  return Cases;
}

/// The cases that arrays in the same place of a plan have in common.
static std::vector<Contiguous> inBoth(ArrayRef<Contiguous> Left,
                                      ArrayRef<Contiguous> Right) {
  std::vector<Contiguous> Result;
  for (const Contiguous &L : Left)
    for (const Contiguous &R : Right)
      if (L.First == R.First) {
        Result.push_back(L);
        llvm::append_range(Result.back().Requires, R.Requires);
      }
  return Result;
}

/// \p O does not move with \p Index.
static Decline notMoved(const Contraction &C, const Operand &O,
                        const char *Index) {
  std::string Why = "'" + O.Pointer + "' does not move with " + Index;
  // giveRows() has given rows to the others.
  if (C.MExtent.isOne() && StringRef(Index) == "m")
    Why = "'" + O.Pointer +
          "' is a vector, and only products with vectors of 16 bits and less "
          "have plans: reading the matrix takes all the time, and of float and "
          "double elements warps that add products themselves do it faster";
  return {DiagID::NoPlanForLayout, std::move(Why)};
}

std::variant<std::vector<Orders>, Decline> memoryOrders(const Contraction &C) {
  std::vector<Contiguous> A, B;
  for (bool First : {true, false}) {
    const char *const Free = First ? "m" : "n";
    std::vector<Contiguous> &Cases = First ? A : B;
    const std::vector<Operand> All = factors(C, First);
    for (const Operand &O : All) {
      for (const char *Index : {Free, "k"})
        if (O.stride(Index).isZero())
          return notMoved(C, O, Index);
      std::vector<Contiguous> Own = contiguousCases(
          C, O.stride(First ? "k" : "n"), O.stride(First ? "m" : "k"));
      // What is contiguous in neither direction is copied (load_copied.cuh) to
      // rows along k, which the tensor cores read in all types; some types they
      // read in no other way.
      if (Own.empty() || !defaultFeed(C).takesAcrossK(O.Type))
        Own = {{First, {}}};
      if (Cases.empty())
        Cases = std::move(Own);
      // Factors in one place of a plan are read in one order. Where those of
      // several products have none in common, the later ones are copied.
      else if (std::vector<Contiguous> Both = inBoth(Cases, Own); !Both.empty())
        Cases = std::move(Both);
    }
  }
  std::vector<Orders> Result;
  for (const Contiguous &OfA : A)
    for (const Contiguous &OfB : B) {
      Orders O;
      O.A = OfA.First ? Major::K : Major::MN;
      O.B = OfB.First ? Major::MN : Major::K;
      O.Store = &storeFor(C.Outputs.front(), C.AccType);
      llvm::append_range(O.Requires, OfA.Requires);
      llvm::append_range(O.Requires, OfB.Requires);
      Result.push_back(std::move(O));
    }
  return Result;
}

} // namespace warpwright
