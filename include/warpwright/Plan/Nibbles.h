//===- Nibbles.h - Operands of four bits ------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two integers of four bits lie in a byte, neighbours along k. A kernel that
/// multiplies both by elements of 16 bits is lifted as a sum of two products
/// over bytes. Plans take it as one product of pairs: k counts bytes, and with
/// them pairs of the other operand's elements.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_NIBBLES_H
#define WARPWRIGHT_PLAN_NIBBLES_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// Turns products of the integers in one byte, or one word of several, by
/// neighbours along k into one product of pairs. Bytes may lie along k or
/// across it, words along k. What four bits a factor is is found by computing
/// it. It is for plans and generated code alone: what it says of the product of
/// two pairs is not that of numbers.
void takeNibbles(Contraction &C);

/// What stands for \p A, an atom of an index in which k counts words, when k
/// counts the \p Parts of each word; nothing if its own atoms say that.
std::optional<IntExpr> countingParts(const IntAtom &A, int64_t Parts);

/// Pairs of integers of four bits.
bool isNibbles(ScalarType T);
/// takeNibbles() has made such a contraction.
bool hasNibbles(const Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_NIBBLES_H
