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

#include "Ranges.h"
#include "State.h"
#include "warpwright/Contraction/Contraction.h"
#include "warpwright/IR/KernelIR.h"
#include <optional>

namespace warpwright::symbolic {

struct NormalizeInput {
  Memory Final;
  std::vector<ParamLeaf> Params; ///< in the order of the parameters
  std::vector<Requirement> Requires;
  std::vector<Obligation> Obligations;
  std::vector<Trap> Traps;
  Ranges Bounds;
  std::array<int64_t, 3> Block = {0, 0, 0}; ///< its shape; 0: any
  clang::SourceLocation KernelLoc;
  /// Why values of kind Undefined are not known; by their names.
  std::map<std::string, SymValue> Unset;
  /// The conditions under which the loops of sums are reached, by counters.
  std::map<unsigned, BoolExpr> Reached;
  unsigned FreeCounter = 0; ///< the first one that nothing uses
  /// See Contraction: what the launcher checks of all element offsets.
  unsigned IndexBits = 64;
  bool IndexSigned = true;
  /// What is multiplied inside the loop stays with the element that it is
  /// multiplied with, as a prologue of the operand.
  bool KeepFactors = false;
};

/// Remarks that the contraction gives rise to.
struct NormalizeRemarks {
  /// Something other than the sum's elements is multiplied inside the loop,
  /// and is multiplied once, after it, by the rewritten kernel.
  bool MovedFactor = false;
  clang::SourceLocation FactorLoc;
};

/// Nothing, with \p Why set, when the writes are not those of a contraction.
std::optional<Contraction> normalize(NormalizeInput Input,
                                     std::optional<Failure> &Why,
                                     NormalizeRemarks &Remarks);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_NORMALIZE_H
