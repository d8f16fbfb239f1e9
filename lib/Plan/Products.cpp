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

/// Whether product I of every sum has the same factor on that side.
static bool shareFactors(const Contraction &C, bool First) {
  const Accumulation One = C.sum(0);
  for (unsigned S = 1; S < C.sumCount(); ++S) {
    const Accumulation Sum = C.sum(S);
    if (Sum.Products.size() != One.Products.size())
      return false;
    for (const auto &[P, Q] : zip(One.Products, Sum.Products))
      if (!isSame(First ? P.A : P.B, First ? Q.A : Q.B))
        return false;
  }
  return true;
}

SharedFactor sharedFactor(const Contraction &C) {
  return shareFactors(C, true)    ? SharedFactor::A
         : shareFactors(C, false) ? SharedFactor::B
                                  : SharedFactor::None;
}

unsigned subtractedProducts(const Contraction &C) {
  unsigned Bits = 0, Next = 1;
  for (unsigned S = 0; S != C.sumCount(); ++S)
    for (const Product &P : C.sum(S).Products) {
      Bits |= P.Subtracted ? Next : 0;
      Next <<= 1;
    }
  return Bits;
}

unsigned scaledProducts(const Contraction &C) {
  const Accumulation Sum = C.sum(0);
  return count_if(Sum.Products,
                  [](const Product &P) { return P.Scale != nullptr; });
}

void arrangeProducts(Contraction &C) {
  if (C.sumCount() < 2 || C.MoreProducts.empty())
    return;
  const Accumulation One = C.sum(0);
  for (bool First : {true, false}) {
    std::vector<Accumulation> Arranged;
    for (const Accumulation &Sum : C.MoreSums) {
      std::vector<Product> Left = Sum.Products;
      Accumulation Ordered = Sum;
      Ordered.Products.clear();
      for (const Product &P : One.Products) {
        auto It = find_if(Left, [&](const Product &Q) {
          return isSame(First ? P.A : P.B, First ? Q.A : Q.B) &&
                 One.extentOf(P) == Sum.extentOf(Q);
        });
        if (It == Left.end())
          break;
        Ordered.Products.push_back(*It);
        Ordered.Products.back().KExtent = P.KExtent;
        Left.erase(It);
      }
      Ordered.KExtent = One.KExtent;
      if (Ordered.Products.size() == One.Products.size() && Left.empty())
        Arranged.push_back(std::move(Ordered));
    }
    if (Arranged.size() != C.MoreSums.size())
      continue;
    C.MoreSums = std::move(Arranged);
    return;
  }
}

static Decline several(DiagID ID, const Twine &What, const Twine &Why,
                       const Twine &Advice) {
  return {ID, (What + ", and " + Why + "; " + Advice).str()};
}

/// Products that are multiplied with a number: the first ones of one sum, all
/// with the same.
static std::optional<Decline> checkScales(const Contraction &C) {
  if (!C.hasScales())
    return std::nullopt;
  auto No = [](const Twine &Why) {
    return several(DiagID::SeveralSums,
                   "products of its sum are multiplied with numbers", Why,
                   "a kernel for some of them, and one that adds the others to "
                   "its output, are rewritten");
  };
  if (C.sumCount() > 1)
    return No("a plan does that where there is one sum");
  const unsigned Scaled = scaledProducts(C);
  const std::vector<Product> Products = C.sum(0).Products;
  for (unsigned I = 0; I != Scaled; ++I)
    if (!Products[I].Scale || !sameValue(Products[I].Scale, Products[0].Scale))
      return No("a plan does that with one number");
  if (Scaled == Products.size())
    return No("a plan multiplies some of them, not all");
  return std::nullopt;
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
  const Accumulation One = C.sum(0);
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    const Accumulation Sum = C.sum(I);
    if (Sum.Products.size() != C.MoreProducts.size() + 1)
      return No("a plan computes several only where each is over as many "
                "products");
    for (const auto &[P, Q] : zip(One.Products, Sum.Products))
      if (Sum.extentOf(Q) != One.extentOf(P))
        return No("a plan computes several only over the same range of k, not "
                  "over " +
                  One.extentOf(P).str() + " and " + Sum.extentOf(Q).str());
  }
  for (unsigned I = 0; I != C.sumCount(); ++I)
    if (conditionOfSum(C, I))
      return No("whether each is computed depends on a condition, where a plan "
                "computes all of them");
  if (sharedFactor(C) == SharedFactor::None)
    return No(C.MoreProducts.empty()
                  ? "a plan computes several only where all have the first "
                    "factor in common, or the second"
                  : "a plan computes several only where all have the first "
                    "factors of their products in common, or the second ones");
  if (C.sumCount() * (C.MoreProducts.size() + 1) > MostProducts)
    return No("a plan adds " + Twine(MostProducts) + " products at most");
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
    if (C.batchStride(Other).isZero() != C.batchStride(One).isZero())
      return Decline{DiagID::NoPlanForLayout,
                     ("of '" + Twine(One.Pointer) + "' and '" + Other.Pointer +
                      "' one moves with the batch and the other does not")
                         .str()};
  }
  return std::nullopt;
}

std::optional<Decline> checkProducts(const Contraction &C) {
  if (std::optional<Decline> No = checkScales(C))
    return No;
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
