//===- Wgmma.h - What all multiplication by wgmma shares --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The instruction itself: its shape, its type, and which thread holds which of
/// its results. What becomes of these is up to the choices of the role.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_MULTIPLY_WGMMA_H
#define WARPWRIGHT_LIB_PLAN_MULTIPLY_WGMMA_H

#include "../ProtocolBuilder.h"

#include "warpwright/Plan/Roles.h"

namespace warpwright {

class WgmmaMultiply : public MultiplyRole {
public:
  using MultiplyRole::MultiplyRole;

  llvm::Error derive(KernelPlan &P) const override;
  std::string instruction(const KernelPlan &P) const override;

  bool check(Validator &V) const override;

  void members(MemberVisitor &V, KernelPlan &P) const override;
  void print(llvm::raw_ostream &OS, const KernelPlan &P) const override;

  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::choice &Choice) const override;
  llvm::Error checkKernel(const KernelPlan &P) const override;

protected:
  /// The products of a block, as a group of their own.
  static void issue(ProtocolBuilder &B, int64_t Block);
  static int64_t accumulatorsOf(const KernelPlan &P) {
    return P.rowBlocks() * P.Accumulators;
  }
};

/// All products of an element are added by the tensor cores, in their
/// accumulators.
class StayingSums : public WgmmaMultiply {
public:
  using WgmmaMultiply::WgmmaMultiply;

  llvm::Error checkRegisters(const KernelPlan &P) const override;
  void multiply(ProtocolBuilder &B, int64_t Block, bool) const override;
  void finish(ProtocolBuilder &B) const override;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_MULTIPLY_WGMMA_H
