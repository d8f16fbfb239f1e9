//===-- Normalize.h - From a final state to a contraction -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The second half of the lift: what one generic thread wrote becomes what the
/// whole launch computes.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_NORMALIZE_H
#define WARPWRIGHT_LIB_LIFT_NORMALIZE_H

#include "Interpreter.h"
#include "warpwright/Contraction/Contraction.h"
#include <optional>

namespace warpwright::symbolic {

struct NormalizeInput {
  State Final;
  std::vector<PointerParam> Pointers; ///< in the order of the parameters
  std::vector<Requirement> Requires;
  clang::SourceLocation KernelLoc;
};

/// Nothing, with \p Why set, when the writes are not those of a contraction.
std::optional<Contraction> normalize(NormalizeInput Input,
                                     std::optional<Failure> &Why);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_NORMALIZE_H
