//===-- Stores.h - Stores laid over one another ------------------*- C++ -*-
//===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_STORES_H
#define WARPWRIGHT_LIB_LIFT_STORES_H

#include "State.h"

namespace warpwright::symbolic {

/// Simplifies a store given the stores before it: two stores to one element,
/// under conditions of which one always holds, become one store of a selected
/// value.
void overlay(std::vector<Write> &Kept, Write W);

/// \p B with every value in it replaced by what \p Fn makes of it.
BoolExpr mapValues(const BoolExpr &B,
                   llvm::function_ref<ValueRef(const ValueRef &)> Fn);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_STORES_H
