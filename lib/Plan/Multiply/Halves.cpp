//===- Halves.cpp - Multiply: sums of halves, in half ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Validation.h"
#include "Wgmma.h"

#include "warpwright/Plan/Elements.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warpwright {

namespace {

/// wgmma adds products of halves in half, two neighbours of a row in a register
/// of 32 bits, and the epilogue gets them as floats: half the registers, and 11
/// bits of each sum. Only a clause asks for it.
class Halves final : public StayingSums {
public:
  Halves() : StayingSums("halves", Clause::F16) {}

  bool suits(const ElementType &) const override { return false; }
  bool adds(const ElementType &E) const override { return E.Type == SumsType; }

  const SumType &sums(const KernelPlan &) const override {
    return *find_if(sumTypes(),
                    [](const SumType &S) { return S.Type == SumsType; });
  }

  Error derive(KernelPlan &P) const override {
    if (!adds(P.multiplied()))
      return layoutError(Twine("products of ") + P.multiplied().Words +
                         " are not added in half");
    return StayingSums::derive(P);
  }
  /// Two blocks of 64 rows by 256 columns spill in the epilogue, as measured.
  Error checkRegisters(const KernelPlan &P) const override {
    if (accumulatorsOf(P) > MostAccumulators)
      return layoutError(Twine(accumulatorsOf(P)) +
                         " registers of sums in half; a thread has no more "
                         "than " +
                         Twine(MostAccumulators) + " beside the epilogue's");
    return StayingSums::checkRegisters(P);
  }
  bool check(Validator &V) const override;

  void decide(const KernelPlan &, rt::choice &C) const override {
    C.half_sums = true;
  }

  std::string words(const KernelPlan &) const override {
    return " The sums are halves, two in a register.";
  }

private:
  static constexpr int64_t MostAccumulators = 96;
  static constexpr ScalarType SumsType = ScalarType::F16;
};

} // namespace

bool Halves::check(Validator &V) const {
  if (!adds(V.P.multiplied()))
    return V.fail(Property::Operands, Twine("products of ") +
                                          V.P.multiplied().Words +
                                          " are not added in half");
  return StayingSums::check(V);
}

const MultiplyRole &halvesMultiply() {
  static const Halves Choice;
  return Choice;
}

} // namespace warpwright
