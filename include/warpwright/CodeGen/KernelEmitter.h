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

/// The identifiers of one instance's code, free of clashes with the user's.
struct KernelNames {
  std::string Epilogue; ///< the epilogue struct: `gemm_epilogue`
  std::string Types;    ///< what all plans have in common: `gemm_types`
  std::string PlanList; ///< the plans as one type: `gemm_plans`
  std::vector<std::string> Plans; ///< one struct per plan: `gemm_large`
};

/// `struct <Types>` with what all plans have in common, a struct of decisions
/// for each plan, and `using <PlanList>` with all of them, not formatted. A
/// struct mentions what is not as in rt::decisions. Fails where a plan is not
/// one that the runtime's kernel computes, or has a number that the runtime
/// would not derive from its decisions.
llvm::Expected<std::string> emitPlans(const Contraction &Computation,
                                      const PlanSet &Plans,
                                      const KernelNames &Names);

} // namespace warpwright

#endif // WARPWRIGHT_CODEGEN_KERNELEMITTER_H
