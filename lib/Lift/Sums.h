//===-- Sums.h - Taking what a loop adds apart ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_SUMS_H
#define WARPWRIGHT_LIB_LIFT_SUMS_H

#include "State.h"

namespace warpwright::symbolic {

/// Whether anything below mentions an atom or phi for which \p Is says yes.
bool mentionsAny(const ValueRef &V,
                 llvm::function_ref<bool(llvm::StringRef)> Is);
bool mentionsAny(const BoolExpr &B,
                 llvm::function_ref<bool(llvm::StringRef)> Is);
/// The same for the phi \p Phi.
bool valueMentions(const ValueRef &V, llvm::StringRef Phi);

/// The summands of a chain of additions in one type.
void summands(const ValueRef &V, std::vector<ValueRef> &Out);
/// What `c ? x + p : x` and `c ? x : x + p` have on one side only.
struct TermOfOneSide {
  BoolExpr When; ///< the side is chosen that has it
  ValueRef With, Without, Term;
};
std::optional<TermOfOneSide> termOfOneSide(const ValueRef &V);
/// A running sum that the first iteration sets, `(k == 0 ? x : phi) + p`.
struct SetInFirst {
  ValueRef Start; ///< x, in which the phi is what was there before the loop
  ValueRef Later; ///< phi + p
};
/// Nothing if \p Next is no such sum. \p Counter is that of the loop.
std::optional<SetInFirst> setInFirst(const ValueRef &Next, llvm::StringRef Phi,
                                     unsigned Counter);
/// `c ? x + p : x` as `x + (c ? p : 0)`; null for anything else.
ValueRef withTermApart(const ValueRef &V);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_SUMS_H
