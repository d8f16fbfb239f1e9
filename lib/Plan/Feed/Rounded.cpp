//===- Rounded.cpp - Feed: TMA rounds what wgmma reads --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elements of some types are not multiplied as they are, but wgmma knows
/// numbers of the same size that have fewer bits (ElementType::Rounded): TF32
/// for float. Where a kernel may round its factors to these, a tensor map of
/// their type has TMA do so as it copies. What is in a stage then goes straight
/// to wgmma, which wants both operands along k: numbers of 32 bits have no
/// transposition.
///
//===----------------------------------------------------------------------===//

#include "Straight.h"

#include "../Derive.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"

using namespace llvm;

namespace warpwright {

namespace {

class Rounded final : public StraightFeed {
public:
  constexpr Rounded() : StraightFeed("rounded") {}

  bool suits(const Contraction &C, FactorPrecision Precision) const override {
    return Precision == FactorPrecision::TF32 && takes(C.A.Type, C.B.Type) &&
           C.AccType != ScalarType::F64 && !C.hasPrologue();
  }
  bool reads(Major A, Major B) const override {
    return A == Major::K && B == Major::K;
  }
  const char *flag() const override { return "rounded_by_tma"; }

  Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                      const PlanChoice &Choice,
                                      const Machine &M) const override;

  std::string describeProducts(const KernelPlan &P) const override;

  bool checkShape(Validator &V) const override;

  void decisions(MemberVisitor &V, KernelPlan &) const override {
    V.fact("precision", "tf32");
    V.fact(flag(), true);
  }
  void print(raw_ostream &OS, const KernelPlan &P) const override {
    OS << "  products: " << describeProducts(P) << '\n';
  }

  void decide(const KernelPlan &, rt::choice &C) const override {
    C.rounded_by_tma = true;
  }
  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &) const override;

  FeedWords words(const KernelPlan &P, StringRef Rows,
                  StringRef Cols) const override;

protected:
  bool takes(ScalarType A, ScalarType B) const override {
    const ElementType *E = elementType(A);
    return A == B && E && E->Rounded;
  }
  const char *refusal() const override {
    return "TMA rounds operands that are both float, not computed, and rounded "
           "as for TF32";
  }
};

} // namespace

Expected<OperandPlan> Rounded::deriveOperand(const OperandRequest &R,
                                             const PlanChoice &Choice,
                                             const Machine &M) const {
  if (R.Order != Major::K)
    return layoutError("wgmma reads elements of 4 bytes along k only");
  return StraightFeed::deriveOperand(R, Choice, M);
}

std::string Rounded::describeProducts(const KernelPlan &P) const {
  return formatv("TMA rounds elements to nearest as it copies them, so that "
                 "wgmma multiplies {0} numbers",
                 P.multiplied().Suffix);
}

bool Rounded::checkShape(Validator &V) const {
  if (!StraightFeed::checkShape(V))
    return false;
  for (const OperandPlan *O : {&V.P.Rows, &V.P.Cols})
    if (O->Order != Major::K)
      return V.fail(
          Property::Operands,
          "elements of 4 bytes that are not contiguous along k, which "
          "wgmma cannot transpose");
  if (V.P.Precision != FactorPrecision::TF32)
    return V.fail(
        Property::Operands,
        "TMA rounds floats whose products have to be those of floats");
  return true;
}

void Rounded::compare(RuntimeComparison &C, const KernelPlan &P,
                      const rt::plan_numbers &) const {
  const rt::element_numbers N = rt::numbers_of(runtimeType(P.Rows.Type));
  C.number("rounded", 1, N.rounded);
}

FeedWords Rounded::words(const KernelPlan &P, StringRef Rows,
                         StringRef Cols) const {
  FeedWords W = StraightFeed::words(P, Rows, Cols);
  W.Loads = "On the way it rounds every element to TF32 and permutes 16-byte "
            "chunks, so that wgmma can read without bank conflicts.";
  return W;
}

const FeedRole &roundedFeed() {
  static const Rounded Choice;
  return Choice;
}

} // namespace warpwright
