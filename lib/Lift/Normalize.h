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
  /// Rows of a block consist of warps, which a requirement says.
  bool WholeWarps = false;
  clang::SourceLocation KernelLoc;
  /// By name, the reason why a value of kind Undefined is not known.
  std::map<std::string, SymValue> Unset;
  /// The condition under which the loop of each counter of a sum is reached.
  std::map<unsigned, BoolExpr> Reached;
  /// Arrays whose elements are added to by atomic operations, and where.
  std::map<std::string, std::set<clang::SourceLocation>> Atomics;
  unsigned FreeCounter = 0; ///< the first unused counter
  /// Whether the launcher has to check element offsets; see Contraction.
  unsigned IndexBits = 64;
  bool IndexSigned = true;
  /// Keep a factor that is multiplied inside the loop with its element, as a
  /// part of the operand's prologue.
  bool KeepFactors = false;
  /// What looks like a loop that was unrolled by hand, and would leave one
  /// product of an iteration or one store, stays apart: the parts of a complex
  /// number lie side by side, too.
  bool KeepParts = false;
};

/// Remarks that the contraction gives rise to.
struct NormalizeRemarks {
  /// The place of a factor that the original multiplies inside the loop, and
  /// the rewritten kernel once after it.
  bool MovedFactor = false;
  clang::SourceLocation FactorLoc;
  /// What is required of arguments that choose between products (Flags.cpp).
  std::vector<BoolExpr> Settled;
  /// A condition that chooses between products, and of which at most a part was
  /// settled.
  std::optional<BoolExpr> Choice;
  /// There is no contraction because no shape of a block meets what the tiles
  /// require of it.
  bool NoShape = false;
};

/// Nothing, with \p Why set, if the writes are not those of a contraction.
std::optional<Contraction> normalize(NormalizeInput Input,
                                     std::optional<Failure> &Why,
                                     NormalizeRemarks &Remarks);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_NORMALIZE_H
