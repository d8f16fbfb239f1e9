//===-- KernelEmitter.h - The text of a Hopper kernel -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the plans of one contraction to the structs that say what each of them
/// decides. The kernel itself is in the runtime (rt/kernel.cuh) and computes
/// from a struct what follows; what becomes of a sum, in the user's own terms,
/// is in the epilogue struct.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CODEGEN_KERNELEMITTER_H
#define WARPWRIGHT_CODEGEN_KERNELEMITTER_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Plan/KernelPlan.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// The plans of one contraction as two declarations, neither formatted. Both
/// are named by what they say, so that kernels that decide the same share them,
/// and different ones have different names in all files of a program.
struct PlanText {
  /// `bf16_bf16_f32_<hash>`, and the struct of what all plans have in common.
  std::string TypesName, Types;
  /// `plans_<hash>`, and a template over such a struct: a struct of decisions
  /// for each plan, and `all`, their list.
  std::string SetName, Set;
};

/// A struct mentions what is not as in rt::decisions. Fails where a plan is not
/// one that the runtime's kernel computes, or has a number that the runtime
/// would not derive from its decisions.
llvm::Expected<PlanText> emitPlans(const Contraction &Computation,
                                   const PlanSet &Plans);

} // namespace warpwright

#endif // WARPWRIGHT_CODEGEN_KERNELEMITTER_H
