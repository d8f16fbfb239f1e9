//===- Products.cpp - Several products and sums in one plan ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "warpwright/Contraction/SumUse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

/// Each of the arrays of an operand has a tensor map of 128 bytes among the
/// kernel's parameters, and the columns of an instruction, 256, are divided
/// among the sums.
static constexpr size_t MostProducts = 8;
static constexpr unsigned MostSums = 8;

static bool isSame(const Operand &L, const Operand &R) {
  return L.Pointer == R.Pointer && L.Type == R.Type && L.Index == R.Index &&
         (L.Prologue && R.Prologue ? sameValue(L.Prologue, R.Prologue)
                                   : !L.Prologue && !R.Prologue);
}

std::vector<Operand> factors(const Contraction &C, bool First) {
  std::vector<Operand> Result;
  for (unsigned I = 0; I != C.sumCount(); ++I)
    for (const Product &P : C.sum(I).Products)
      Result.push_back(First ? P.A : P.B);
  return Result;
}

SharedFactor sharedFactor(const Contraction &C) {
  for (bool First : {true, false}) {
    const std::vector<Operand> All = factors(C, First);
    if (all_of(All, [&](const Operand &O) { return isSame(O, All.front()); }))
      return First ? SharedFactor::A : SharedFactor::B;
  }
  return SharedFactor::None;
}

static Decline several(DiagID ID, const Twine &What, const Twine &Why,
                       const Twine &Advice) {
  return {ID, (What + ", and " + Why + "; " + Advice).str()};
}

static std::optional<Decline> checkSums(const Contraction &C) {
  const std::string What =
      ("it computes " + Twine(C.sumCount()) + " sums").str();
  const char *const Advice = "a kernel for each sum is rewritten";
  auto No = [&](const Twine &Why) {
    return several(DiagID::SeveralSums, What, Why, Advice);
  };
  if (C.sumCount() > MostSums)
    return No("a plan computes " + Twine(MostSums) + " together at most");
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    const Accumulation Sum = C.sum(I);
    if (Sum.Products.size() != 1)
      return No("a plan computes several only where each is over one product");
    if (Sum.KExtent != C.KExtent)
      return No("a plan computes several only over the same range of k, not "
                "over " +
                C.KExtent.str() + " and " + Sum.KExtent.str());
  }
  for (unsigned I = 0; I != C.sumCount(); ++I)
    if (conditionOfSum(C, I))
      return No("whether each is computed depends on a condition, where a plan "
                "computes all of them");
  if (sharedFactor(C) == SharedFactor::None)
    return No("a plan computes several only where all have the first factor "
              "in common, or the second");
  return std::nullopt;
}

/// Arrays that take each other's place in a stage of the pipeline.
static std::optional<Decline> checkAlike(const Contraction &C, bool First) {
  const std::vector<Operand> All = factors(C, First);
  const Operand &One = All.front();
  for (const Operand &Other : drop_begin(All)) {
    if (Other.Type != One.Type)
      return Decline{DiagID::NoPlanForTypes,
                     ("'" + Twine(One.Pointer) + "' is " + name(One.Type) +
                      " and '" + Other.Pointer + "' " + name(Other.Type) +
                      "; products that are computed together have factors of "
                      "the same types")
                         .str()};
    if (Other.stride("b").isZero() != One.stride("b").isZero())
      return Decline{DiagID::NoPlanForLayout,
                     ("of '" + Twine(One.Pointer) + "' and '" + Other.Pointer +
                      "' one moves with the batch and the other does not")
                         .str()};
  }
  return std::nullopt;
}

std::optional<Decline> checkProducts(const Contraction &C) {
  if (C.hasOneProduct())
    return std::nullopt;
  if (C.sumCount() > 1) {
    if (std::optional<Decline> No = checkSums(C))
      return No;
  } else if (C.MoreProducts.size() >= MostProducts) {
    return several(DiagID::SeveralProducts,
                   "its sum is over " + Twine(C.MoreProducts.size() + 1) +
                       " products",
                   "a plan adds " + Twine(MostProducts) + " at most",
                   "a kernel for some of them, and one that adds the others to "
                   "its output, are rewritten");
  }
  for (bool First : {true, false})
    if (std::optional<Decline> No = checkAlike(C, First))
      return No;
  return std::nullopt;
}

} // namespace warpwright
