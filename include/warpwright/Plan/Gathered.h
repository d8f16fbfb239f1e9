//===- Gathered.h - Numbers whose words lie across k ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A byte or a word may have several numbers of four bits that are neighbours
/// across k: of a row or a column. Plans take numbers that are neighbours along
/// k, two in a byte (Packed.h). So a kernel of its own puts them together, as
/// operands are copied that TMA cannot read (rt/load_copied.cuh), and the plan
/// reads its bytes.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_GATHERED_H
#define WARPWRIGHT_PLAN_GATHERED_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// Turns a product of an operand whose words lie across k into two, of the
/// first and the second number of bytes that are gathered (Operand::Gathered),
/// with k counting bytes: what a kernel computes whose bytes have two
/// neighbours along k. K has to be even, which \p C requires from then on. To
/// be called before takeGroups() and takeNumbers().
void takeGathered(Contraction &C);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_GATHERED_H
