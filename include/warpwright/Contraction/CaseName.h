//===-- CaseName.h - How a case of a kernel is named ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_CASENAME_H
#define WARPWRIGHT_CONTRACTION_CASENAME_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// Between the name of a kernel or instance and the condition of a case of it.
inline constexpr char CaseBegin[] = " where ";

/// `gemm where transposed != 0`, or \p Name alone if \p When always holds.
inline std::string caseName(llvm::StringRef Name, const BoolExpr &When) {
  return When.isTrue() ? Name.str() : Name.str() + CaseBegin + When.str();
}

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_CASENAME_H
