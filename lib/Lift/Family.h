//===-- Family.h - What all threads of a block store ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One store in the code is a family of stores: one for each thread of the
/// block and each iteration of the loops around it. Which of them an element
/// comes from is found by inverting the map from threads and iterations to
/// elements, which is a number in mixed radix: a sum of strides times digits,
/// each of which is below the next stride over its own.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_FAMILY_H
#define WARPWRIGHT_LIB_LIFT_FAMILY_H

#include "IndexSpace.h"
#include "Simplify.h"

namespace warpwright::symbolic {

/// 0 <= Var.Atom < Var.Range moves the element by Stride.
struct Digit {
  IndexVar Var;
  IntExpr Stride; ///< in pieces of Family::Size bytes
};

struct Family {
  unsigned Size = 0;
  IntExpr Base;               ///< in pieces
  std::vector<Digit> Digits;  ///< the largest stride first
  std::vector<IndexVar> Free; ///< change nothing about the element
  SymValue Value;
  BoolExpr Guard;
  /// What taking it apart needed from the launch.
  std::vector<Requirement> Requires;
};

/// \p W over the threads of a block and its loops. \p ByThreads: false where
/// the array is the thread's own. Nothing, where the index is no sum of
/// strides times digits. \p NextCounter is the first free one.
std::optional<Family> familyOf(const Write &W, bool ByThreads,
                               unsigned &NextCounter);

/// Where an element comes from.
struct Origin {
  enum class Kind {
    Elsewhere, ///< not from this family
    Here,      ///< from the member At
    Unclear,
  } K = Kind::Unclear;
  /// By the key of a digit's or free variable's atom.
  std::map<std::string, IntExpr> At;
  /// The dimensions of the thread that asks which are those of the one that
  /// stored it: bit 0 for x.
  unsigned OwnDims = 0;
};

/// Shows that something is not negative, or has the launcher check it.
using Ensure = llvm::function_ref<bool(const IntExpr &)>;

/// The member of \p F that is at \p Index (in pieces). With \p Demand, what
/// has to hold for it to be that member, and cannot be shown, is asked of it;
/// without, it is Unclear.
/// \p Fits says of a number whether it may be asked to be below another one,
/// since nothing is known of the block that speaks against it.
using Plausible = llvm::function_ref<bool(const IntExpr &)>;
Origin invert(const Family &F, const IntExpr &Index, const Simplifier &Facts,
              std::optional<Ensure> Demand,
              std::optional<Plausible> Fits = std::nullopt);

/// Different members are different elements: shown or demanded.
bool isInjective(const Family &F, const Simplifier &Facts, Ensure Demand);

/// Neighbouring stores of one phase that differ by constants only, such as the
/// lanes of a vector, as one store in a loop.
void rollUp(std::vector<Write> &Writes, unsigned &NextCounter);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_FAMILY_H
