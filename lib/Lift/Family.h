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
/// block and each iteration of the loops around it. The store that wrote an
/// element is found by inverting the map from threads and iterations to
/// elements. The map has to be a number in mixed radix: a sum of strides times
/// digits, in which each digit is below the quotient of the next larger stride
/// and its own.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_FAMILY_H
#define WARPWRIGHT_LIB_LIFT_FAMILY_H

#include "IndexSpace.h"
#include "Simplify.h"

namespace warpwright::symbolic {

/// A digit: 0 <= Var.Atom < Var.Range, and the element moves by Stride with it.
struct Digit {
  IndexVar Var;
  IntExpr Stride; ///< in pieces of Family::Size bytes
};

struct Family {
  unsigned Size = 0;
  IntExpr Base;               ///< in pieces
  std::vector<Digit> Digits;  ///< the largest stride first
  std::vector<IndexVar> Free; ///< do not change the element
  SymValue Value;
  BoolExpr Guard;
  /// Whether Guard divides numbers of the family, so that a known block may say
  /// more.
  bool OpenGuard = false;
  /// What this form needed from the launch.
  std::vector<Requirement> Requires;
};

/// The family of \p W over the threads of a block and the loops of \p W. \p
/// ByThreads is false for a thread's local array. Nothing if the index is not a
/// sum of strides times digits. \p NextCounter is the first free counter, and
/// \p Block the shape of the block, 0 where it is not known.
std::optional<Family> familyOf(const Write &W, bool ByThreads,
                               unsigned &NextCounter,
                               const std::array<int64_t, 3> &Block = {0, 0, 0});

/// The number in `atom == number`, if that is one of the conditions of \p
/// Guard.
std::optional<IntExpr> pinned(const BoolExpr &Guard, const IntExpr &Atom);

/// Whether it depends on a number that does not change the element whether a
/// member of \p F stores.
bool leavesOpen(const Family &F);

/// Whether an element was stored by a family, and by which member.
struct Origin {
  enum class Kind {
    Elsewhere, ///< not stored by this family
    Here,      ///< stored by the member At
    Unclear,
  } K = Kind::Unclear;
  /// The value of each digit and free variable, by the key of its atom.
  std::map<std::string, IntExpr> At;
  /// Dimensions in which the reading thread and the storing thread have the
  /// same number: bit 0 for x.
  unsigned OwnDims = 0;
};

/// Shows that an expression is not negative, or requires it of the launch.
using Ensure = llvm::function_ref<bool(const IntExpr &)>;

/// The member of \p F that stores the element \p Index (in pieces). Conditions
/// that have to hold for that, and cannot be shown, are required by \p Demand;
/// without \p Demand the result is Unclear then. \p Fits decides whether it is
/// plausible to require that one number is below another, as nothing known
/// about the block contradicts it.
using Plausible = llvm::function_ref<bool(const IntExpr &)>;
Origin invert(const Family &F, const IntExpr &Index, const Simplifier &Facts,
              std::optional<Ensure> Demand,
              std::optional<Plausible> Fits = std::nullopt);

/// Whether different members store different elements; shown or demanded.
bool isInjective(const Family &F, const Simplifier &Facts, Ensure Demand);

/// The family of a block without the threads that store to the elements of
/// others, as `threadIdx.y % 16` says of a block that is no higher than 16,
/// which is demanded. Nothing if that cannot be.
std::optional<Family> withoutOthers(const Family &F, Ensure Demand);
/// Whether different iterations of the loops of \p W store to different places,
/// with \p Size units at each. A distance that depends on arguments is taken to
/// be one of rows, which the launcher finds not to overlap.
bool storesApart(const Write &W, int64_t Size);

/// Combines neighbouring stores of one phase that differ by constants only,
/// such as the lanes of a vector, into one store with a loop.
void rollUp(std::vector<Write> &Writes, unsigned &NextCounter);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_FAMILY_H
