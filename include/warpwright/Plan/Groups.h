//===- Groups.h - Groups along k whose size is an argument ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scales and zero points of quantised operands belong to groups along k, and
/// most kernels get the size of a group as an argument. Plans work on blocks of
/// k and need to know that each block lies in one group.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_GROUPS_H
#define WARPWRIGHT_PLAN_GROUPS_H

#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// Where a prologue of \p C depends on k by `floordiv(k, g)` and g is an
/// argument, it depends on `64 * floordiv(k, 64)` from now on, or on blocks of
/// 128 where both operands are 8-bit floats, and \p C requires that g is a
/// multiple of that: launches with other groups run the original. Where rows of
/// groups follow one another (`floordiv(n * K + k, g)`), \p C requires that
/// rows begin with a group. Contractions of types whose prologues plans compute
/// for each element stay as they are. To be called before takeNibbles(), as k
/// may count bytes or words of several numbers.
void takeGroups(Contraction &C);

/// \p V where k is a multiple of \p Depth: `floordiv(64 * floordiv(k, 64), g)`
/// is `floordiv(k, g)` there.
ValueRef atBlocks(const ValueRef &V, int64_t Depth);

/// How many of k a group has in the prologue of \p O, an operand of \p C, where
/// that is an argument and the same for all that the prologue reads; a multiple
/// of \p Depth, as \p C requires.
std::optional<IntExpr> argumentGroup(const Contraction &C, const Operand &O,
                                     int64_t Depth);

/// That those groups are multiples of \p Multiple, for an operand that has them
/// with that \p Depth. Of `group / 2` pairs, that `group` is one of twice that.
Requirement groupsAreMultiples(const Contraction &C, const Operand &O,
                               int64_t Depth, int64_t Multiple);

/// \p V, of such a prologue, with `%k` in place of the number of the group.
ValueRef inGroups(const ValueRef &V, int64_t Depth);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_GROUPS_H
