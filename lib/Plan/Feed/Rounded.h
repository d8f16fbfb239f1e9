//===- Rounded.h - Feeds of elements that TMA rounds ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the feeds `rounded` and `turned` have in common, which is all of the
/// former. Elements of some types are not multiplied as they are, but wgmma
/// knows numbers of the same size that have fewer bits (ElementType::Rounded):
/// TF32 for float. Where a kernel may round its factors to these, a tensor map
/// of their type has TMA do so as it copies.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_FEED_ROUNDED_H
#define WARPWRIGHT_LIB_PLAN_FEED_ROUNDED_H

#include "Straight.h"

namespace warpwright {

class RoundedFeed : public StraightFeed {
public:
  explicit constexpr RoundedFeed(const char *Name) : StraightFeed(Name) {}

  bool suits(const Contraction &C, FactorPrecision Precision) const override {
    return Precision == FactorPrecision::TF32 && takes(C.A.Type, C.B.Type) &&
           C.AccType != ScalarType::F64 && !C.hasPrologue() && !C.isPacked();
  }
  bool reads(Major A, Major B) const override {
    return A == Major::K && B == Major::K;
  }
  const char *flag() const override { return "rounded_by_tma"; }

  llvm::Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                            const PlanChoice &Choice,
                                            const Machine &M) const override;

  std::string describeProducts(const KernelPlan &P) const override;

  bool checkShape(Validator &V) const override;

  void decisions(MemberVisitor &V, KernelPlan &) const override {
    V.fact("precision", "tf32");
    V.fact(flag(), true);
  }
  void print(llvm::raw_ostream &OS, const KernelPlan &P) const override {
    OS << "  products: " << describeProducts(P) << '\n';
  }

  void decide(const KernelPlan &, rt::choice &C) const override {
    C.rounded_by_tma = true;
  }
  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &) const override;

  FeedWords words(const KernelPlan &P, llvm::StringRef Rows,
                  llvm::StringRef Cols) const override;

protected:
  bool takes(ScalarType A, ScalarType B) const override {
    const ElementType *E = elementType(A);
    return A == B && E && E->Rounded;
  }
  const char *refusal() const override {
    return "TMA rounds operands that are both float, not computed, and rounded "
           "as for TF32";
  }
  /// The contiguous index of rows, or of columns, and what is wrong with
  /// another one.
  virtual Major orderOf(bool /*IsRows*/) const { return Major::K; }
  virtual const char *otherOrder(bool /*IsRows*/) const {
    return "wgmma reads elements of 4 bytes along k only";
  }
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_FEED_ROUNDED_H
