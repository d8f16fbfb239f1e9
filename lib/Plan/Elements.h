//===- Elements.h - Types of elements that plans multiply -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_ELEMENTS_H
#define WARPWRIGHT_LIB_PLAN_ELEMENTS_H

#include "warpwright/Contraction/Value.h"

#include "llvm/ADT/ArrayRef.h"

namespace warpwright {

/// What the machine and the runtime do with elements of a type. What is not in
/// the table is not multiplied by any plan.
struct ElementType {
  ScalarType Type;
  /// wgmma multiplies them as they are, and they may lie along k or across it.
  bool Wgmma;
  /// The type in which their products are added.
  ScalarType Sum;
  /// How many fp16 numbers stand for one at most, so that no bit is lost that
  /// its products would keep. 0: none do.
  int64_t MostParts;
  /// The epilogue makes them of sums and stages them for TMA.
  bool Staged;
};

llvm::ArrayRef<ElementType> elementTypes();
/// nullptr: no plan multiplies elements of type \p T.
const ElementType *elementType(ScalarType T);

/// wgmma multiplies elements of type \p T as they are.
inline bool isWgmmaType(ScalarType T) {
  const ElementType *E = elementType(T);
  return E && E->Wgmma;
}
/// 0: no fp16 numbers stand for elements of type \p T.
inline int64_t mostParts(ScalarType T) {
  const ElementType *E = elementType(T);
  return E ? E->MostParts : 0;
}
/// Products of some elements are added in \p T.
bool isSumType(ScalarType T);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_ELEMENTS_H
