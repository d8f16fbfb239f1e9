//===-- Quotients.h - Quotients of arguments that launchers compute -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels divide arguments where they look for the scales of a group along k:
/// `scale[n * (K / group) + k / group]`. A division takes a consumer as long as
/// the rest of such a lookup, and this one is the same for a whole launch.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_QUOTIENTS_H
#define WARPWRIGHT_LIB_CODEGEN_QUOTIENTS_H

#include "Names.h"
#include "warpwright/Contraction/Contraction.h"

namespace warpwright {

/// The quotients of arguments in the scales and zero points of groups whose
/// size is an argument. Launchers compute them; they are members of the
/// epilogue's struct, int64_t.
class Quotients {
public:
  /// \p Names has those that no member may have.
  Quotients(const Contraction &C, NameTable Names);

  /// Names and values, in the order of members.
  const std::vector<std::pair<std::string, IntExpr>> &all() const {
    return All;
  }
  /// \p V with members in place of the quotients.
  ValueRef named(const ValueRef &V) const;
  IntExpr named(const IntExpr &E) const;

private:
  std::vector<std::pair<std::string, IntExpr>> All;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_QUOTIENTS_H
