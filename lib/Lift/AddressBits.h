//===-- AddressBits.h - Whether addresses are aligned -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel may ask whether an address is a multiple of 16, and load or store a
/// vector or single elements. The number of an address is a parameter that no
/// one knows: where both ways do the same, nothing of it is left, and where
/// anything is left, the kernel is declined.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_ADDRESSBITS_H
#define WARPWRIGHT_LIB_LIFT_ADDRESSBITS_H

#include "State.h"
#include "warpwright/Contraction/Contraction.h"
#include <optional>
#include <string>

namespace warpwright::symbolic {

/// What `&`, `%` and `|`, the \p Opcode of an unsigned integer operation, give
/// of the addresses \p L and \p R or of an address and a power of two; nothing
/// for what is something else.
std::optional<SymValue> bitsOfAddress(unsigned Opcode, const SymValue &L,
                                      const SymValue &R);

/// The array on whose address \p C depends, if there is one.
std::optional<std::string> arrayOfAddress(const Contraction &C);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_ADDRESSBITS_H
