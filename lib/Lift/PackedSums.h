//===-- PackedSums.h - Sums over numbers that share a word ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where two numbers of four bits are in a byte, a loop over numbers reads
/// `w[k / 2]` and takes the bits that `k % 2` says. A pass of a loop over bytes
/// has both numbers: two products instead of one, and no index is divided.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_PACKEDSUMS_H
#define WARPWRIGHT_LIB_LIFT_PACKEDSUMS_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright::symbolic {

/// \p V with each sum in it over whose counter an index is divided by a small
/// power of two as a sum over that many products in each pass. The number of
/// passes has to divide evenly, which is added to \p Requires. \p NextCounter
/// is the first unused counter.
ValueRef spellOutPacked(const ValueRef &V, unsigned &NextCounter,
                        std::vector<Requirement> &Requires);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_PACKEDSUMS_H
