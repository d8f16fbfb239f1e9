//===- Rounded.cpp - Feed: TMA rounds what wgmma reads --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is in a stage goes straight to wgmma, which wants both operands along
/// k: numbers of 32 bits have no transposition.
///
//===----------------------------------------------------------------------===//

#include "Rounded.h"

#include "../Derive.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"

using namespace llvm;

namespace warpwright {

Expected<OperandPlan> RoundedFeed::deriveOperand(const OperandRequest &R,
                                                 const PlanChoice &Choice,
                                                 const Machine &M) const {
  if (R.Order != orderOf(R.IsRows))
    return layoutError(otherOrder(R.IsRows));
  return StraightFeed::deriveOperand(R, Choice, M);
}

std::string RoundedFeed::describeProducts(const KernelPlan &P) const {
  return formatv("TMA rounds elements to nearest as it copies them, so that "
                 "wgmma multiplies {0} numbers",
                 P.multiplied().Suffix);
}

bool RoundedFeed::checkShape(Validator &V) const {
  if (!StraightFeed::checkShape(V))
    return false;
  for (const OperandPlan *O : {&V.P.Rows, &V.P.Cols}) {
    const bool IsRows = O == &V.P.Rows;
    if (O->Order != orderOf(IsRows))
      return V.fail(Property::Operands, Twine(IsRows ? "rows: " : "columns: ") +
                                            otherOrder(IsRows));
  }
  if (V.P.Precision != FactorPrecision::TF32)
    return V.fail(
        Property::Operands,
        "TMA rounds floats whose products have to be those of floats");
  return true;
}

void RoundedFeed::compare(RuntimeComparison &C, const KernelPlan &P,
                          const rt::plan_numbers &) const {
  const rt::element_numbers N = rt::numbers_of(runtimeType(P.Rows.Type));
  C.number("rounded", 1, N.rounded);
}

FeedWords RoundedFeed::words(const KernelPlan &P, StringRef Rows,
                             StringRef Cols) const {
  FeedWords W = StraightFeed::words(P, Rows, Cols);
  W.Loads = "On the way it rounds every element to TF32 and permutes 16-byte "
            "chunks, so that wgmma can read without bank conflicts.";
  return W;
}

const FeedRole &roundedFeed() {
  static const RoundedFeed Choice("rounded");
  return Choice;
}

} // namespace warpwright
