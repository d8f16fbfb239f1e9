//===- Vectors.cpp - Products of one row ----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Vectors.h"

#include "warpwright/Plan/Roles.h"

namespace warpwright {

/// \p Index in row m, by a distance of 16 elements: it is a multiple of 16
/// bytes in every type, as TMA asks, and there is no second row that it would
/// place.
static IntExpr inRow(const IntExpr &Index) {
  return Index + IntExpr::index("m") * IntExpr(16);
}

static void giveRow(Operand &O) {
  if (!O.stride("m").isZero() || O.wordNumbers() != 1)
    return;
  Operand Moved = O;
  Moved.Index = inRow(O.Index);
  if (O.Prologue)
    Moved.Prologue =
        replaceValues(O.Prologue, [&](const ValueRef &V) -> ValueRef {
          return O.isElement(*V) ? Moved.element() : nullptr;
        });
  O = std::move(Moved);
}

static void giveRow(Output &O) {
  if (!O.stride("m").isZero())
    return;
  const IntExpr Index = inRow(O.Index);
  // What the epilogue reads of the output is the element that it writes.
  O.Value = replaceValues(O.Value, [&](const ValueRef &V) -> ValueRef {
    return V->K == Value::Kind::Load && V->Name == O.Pointer &&
                   V->Index == O.Index
               ? Value::load(V->Type, V->Name, Index)
               : nullptr;
  });
  O.Index = Index;
}

void giveRows(Contraction &C) {
  // Such a product takes as long as its matrix is read. Where a transform
  // stands between, warps that read the matrix themselves are three times as
  // fast, and with doubles a little faster (docs/performance-log.md).
  if (!C.MExtent.isOne() || !defaultFeed(C).keepsUpWithMemory())
    return;
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    Accumulation Sum = C.sum(I);
    for (Product &P : Sum.Products)
      giveRow(P.A);
    C.setSum(I, std::move(Sum));
  }
  for (Output &O : C.Outputs)
    giveRow(O);
}

} // namespace warpwright
