//===- Bits.h - Sums of bits of words ---------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// wgmma multiplies bits, 256 of k at a time: it counts those that two lines of
/// words have in common. Plans take such an operand as words of 32 bits, along
/// which k runs. What else a kernel counts, as the bits that differ, follows
/// from the common ones and the bits of each line (rt/shifts.cuh).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_BITS_H
#define WARPWRIGHT_PLAN_BITS_H

#include "warpwright/Contraction/Contraction.h"

#include <optional>

namespace warpwright {

/// Turns a contraction of bits into one of words of 32 bits, with marks that
/// tableOfBits() reads, where that is one sum of products of the same two
/// operands. It is for plans and generated code alone: what it says of the
/// product of two words is not that of integers.
void takeBits(Contraction &C);

/// Why takeBits() leaves bits that \p C counts as they are; empty if it counts
/// none.
std::string whyNotCounted(const Contraction &C);

/// Which bits the sum of \p C, of which takeBits() has made one of words,
/// counts: bit x + 2 y says whether one counts where A has x and B has y.
/// Nothing if it is anything else.
std::optional<unsigned> tableOfBits(const Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_BITS_H
