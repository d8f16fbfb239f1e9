//===-- PopCount.h - Bits of two words that are counted ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `__popc(x ^ y)` is the sum over the bits of the words x and y of a product,
/// or of two: a bit is in one of them only if x has it and y has not, or the
/// other way round. So a sum of counts over words is a sum of products over
/// bits. Until all else is known of it, it is handled as one product of words,
/// whose factors carry a mark; in the end the words are spelled out as bits.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_POPCOUNT_H
#define WARPWRIGHT_LIB_LIFT_POPCOUNT_H

#include "warpwright/Contraction/Contraction.h"

#include <optional>

namespace warpwright::symbolic {

/// A count of bits of a combination of two words of one size.
struct CountedBits {
  ValueRef Words[2];
  /// Bit x + 2 y says whether a bit is counted where the first word has x and
  /// the second one y.
  unsigned Table = 0;

  /// Zeros count nothing.
  bool keepsZero() const { return !(Table & 1); }
};

/// \p V as such a count; nothing if it is anything else.
std::optional<CountedBits> countedBits(const Value &V);

/// The mark of an operand whose words are counted by \p Table, in which the
/// operand is the word \p Side.
ValueRef markOfBits(const Operand &O, ScalarType AccType, unsigned Table,
                    unsigned Side);

/// Replaces products of words with marks by products of bits, with k counting
/// bits.
void spellOutBits(Contraction &C);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_POPCOUNT_H
