//===- Bits.cpp - Feed: words of which wgmma counts common bits -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Straight.h"

#include "../Derive.h"
#include "../Validation.h"

#include "warpwright/Plan/Bits.h"

using namespace llvm;

namespace warpwright {

namespace {

/// Stages are read as they are, by an instruction that takes elements as words
/// of bits.
class BitsFeed final : public StraightFeed {
public:
  constexpr BitsFeed() : StraightFeed("bits") {}

  bool suits(const Contraction &C, FactorPrecision) const override {
    return takes(C.A.Type, C.B.Type) && tableOfBits(C) && !C.isPacked();
  }

  Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                      const PlanChoice &Choice,
                                      const Machine &M) const override;
  std::string describeProducts(const KernelPlan &) const override {
    return "wgmma counts the bits that two words have in common, for each 256 "
           "bits of k; here k counts words of 32 bits";
  }

  bool checkShape(Validator &V) const override;

  void print(raw_ostream &OS, const KernelPlan &P) const override {
    OS << "  products: " << describeProducts(P) << '\n';
  }

protected:
  bool takes(ScalarType A, ScalarType B) const override {
    const ElementType *E = elementType(A);
    return A == B && E && E->Bits;
  }
  const char *refusal() const override {
    return "words of 32 bits are multiplied only where their common bits are "
           "counted";
  }
};

} // namespace

Expected<OperandPlan> BitsFeed::deriveOperand(const OperandRequest &R,
                                              const PlanChoice &Choice,
                                              const Machine &M) const {
  if (R.Order != Major::K)
    return layoutError("wgmma reads bits along k only");
  Expected<OperandPlan> P = StraightFeed::deriveOperand(R, Choice, M);
  if (P)
    P->Counted = true;
  return P;
}

bool BitsFeed::checkShape(Validator &V) const {
  if (!StraightFeed::checkShape(V))
    return false;
  for (const OperandPlan *O : {&V.P.Rows, &V.P.Cols})
    if (O->Order != Major::K)
      return V.fail(Property::Operands,
                    "bits that are not contiguous along k, which wgmma cannot "
                    "transpose");
  return true;
}

const FeedRole &bitsFeed() {
  static const BitsFeed Choice;
  return Choice;
}

} // namespace warpwright
