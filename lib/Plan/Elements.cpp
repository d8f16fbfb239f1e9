//===- Elements.cpp - Types of elements that plans multiply ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warpwright {

// wgmma has tf32 for float, which is not the elements as they are, and reads it
// along k only.
ArrayRef<ElementType> elementTypes() {
  static const ElementType Types[] = {
      // Type, by wgmma, sums, parts, staged
      {ScalarType::F16, true, ScalarType::F32, 1, true},
      {ScalarType::BF16, true, ScalarType::F32, 1, true},
      {ScalarType::F32, false, ScalarType::F32, 2, true},
  };
  return Types;
}

const ElementType *elementType(ScalarType T) {
  const auto *Found = llvm::find_if(
      elementTypes(), [T](const ElementType &E) { return E.Type == T; });
  return Found == elementTypes().end() ? nullptr : Found;
}

bool isSumType(ScalarType T) {
  return llvm::any_of(elementTypes(),
                      [T](const ElementType &E) { return E.Sum == T; });
}

} // namespace warpwright
