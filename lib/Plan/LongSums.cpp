//===- LongSums.cpp - Sums that lose bits in the tensor cores -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Products of 16-bit floats are exact in the tensor cores, but each
/// instruction truncates the sum that it adds to. An output of 16 bits does not
/// show that. One of 32 bits does where there are thousands of terms: at K =
/// 65536 of one sign the sum is off by 3e-5, that of a loop in float by 4e-6
/// (docs/accuracy-types.md).
///
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Contraction/Directives.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/STLExtras.h"

namespace warpwright {

/// Whether the plan leaves a tile's whole sums to the tensor cores, though it
/// could have them promoted.
static bool keepsWholeSums(const KernelPlan &P) {
  const MultiplyRole *Promoted = multiplyFor(MultiplyRole::Clause::Promoted);
  const ElementType *E = elementType(P.Rows.Type);
  return E && E->bytes() == 2 && P.Multiply->window(P) == 0 &&
         P.Feed->leavesProductsTo(*Promoted);
}

bool truncatesLongSums(const Contraction &C, const Directives &D,
                       const PlanSet &Plans) {
  const auto IsShort = [](int64_t K) { return K <= LongSum; };
  if (D.Accumulate)
    return false;
  if (const std::optional<int64_t> K = C.KExtent.getConstant();
      K && IsShort(*K))
    return false;
  if (!D.Shapes.empty() && llvm::all_of(D.Shapes, [&](const auto &Shape) {
        return IsShort(Shape[2]);
      }))
    return false;
  return llvm::any_of(
             C.Outputs,
             [](const Output &O) { return O.Type == ScalarType::F32; }) &&
         llvm::any_of(Plans.Plans, keepsWholeSums);
}

} // namespace warpwright
