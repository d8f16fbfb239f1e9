//===- Orders.h - Memory orders of a contraction ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_ORDERS_H
#define WARPWRIGHT_LIB_PLAN_ORDERS_H

#include "warpwright/Plan/Plan.h"

namespace warpwright {

/// Every way in which TMA can read the operands of \p C, most likely first: one
/// when the strides are known, several (with what each requires) when a stride
/// that may be 1 is a parameter. Declines when an operand has no index of
/// stride 1.
std::variant<std::vector<Orders>, Decline> memoryOrders(const Contraction &C);

/// Whether any plan can compute \p C at all: element types, one product of
/// elements as they are in memory.
std::optional<Decline> checkComputation(const Contraction &C);

/// In words, what the prologue of \p O does to its elements: "scaled per k by
/// 'scale'". \p Free is `m` for a first factor, `n` for a second.
std::string describePrologue(const Operand &O, llvm::StringRef Free);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_ORDERS_H
