//===- Packed.h - Operands of several numbers in an element -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A byte or a word has several numbers of four bits, neighbours along k. A
/// kernel that multiplies them by elements of another type is lifted as a sum
/// of as many products over words. Plans take it as one product, in which k
/// counts numbers and the word of number k is the one at `k / numbers`.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_PACKED_H
#define WARPWRIGHT_PLAN_PACKED_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// Turns the products of the numbers in one integer by neighbours along k into
/// one product: of pairs where plans convert these (takeNibbles), and else of
/// numbers, whatever is computed of each. \p BlockK: so many k in a block, if
/// that is asked for. Pairs that are gathered come in blocks of 64; for others
/// the numbers are computed.
void takeNumbers(Contraction &C, std::optional<int64_t> BlockK = std::nullopt);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_PACKED_H
