//===- Compare.h - What a comparison gives ----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_COMPARE_H
#define WARPWRIGHT_CONTRACTION_COMPARE_H

#include "warpwright/Contraction/IntExpr.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright {

/// Whether \p L and \p R compare as \p Op says.
template <class T> bool holds(CmpOp Op, T L, T R) {
  switch (Op) {
  case CmpOp::EQ:
    return L == R;
  case CmpOp::NE:
    return L != R;
  case CmpOp::LT:
    return L < R;
  case CmpOp::LE:
    return L <= R;
  case CmpOp::GT:
    return L > R;
  case CmpOp::GE:
    return L >= R;
  }
  llvm_unreachable("covered switch");
}

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_COMPARE_H
