//===-- Bits.h - Operands that are bits of words ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A contraction of bits has words as elements: k counts bits, and the factor
/// is a bit of the word that has it, lowest bit first, or what that lacks to 1.
///
///     A[%m * K + floordiv(%k, 32)]:u32 as i32(((A[...]:u32 >> ...) & 1))
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_BITS_H
#define WARPWRIGHT_CONTRACTION_BITS_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// The bits of \p Words, whose index counts words along k, as a factor of type
/// \p Sum, or with \p Absent 1 minus the bit.
Operand bitsOf(const Operand &Words, ScalarType Sum, bool Absent);

/// The words of which \p Bits are the bits, by bitsOf() with \p Sum, and
/// whether absent ones are meant. Nothing if they are anything else.
std::optional<std::pair<Operand, bool>> wordsOf(const Operand &Bits,
                                                ScalarType Sum);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_BITS_H
