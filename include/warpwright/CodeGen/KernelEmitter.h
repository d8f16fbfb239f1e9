//===-- KernelEmitter.h - The text of a Hopper kernel -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the plans of one contraction to the plan structs, the stages and the
/// kernel template. All user-level expressions are in the epilogue struct,
/// which is emitted before this text (EpilogueEmitter.h); the kernel only
/// calls it, so no name of the user's is in scope here.
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
  std::string Kernel;    ///< `gemm_hopper`
  std::string Produce;   ///< `gemm_produce`
  std::string Transform; ///< `gemm_transform`, of split operands
  std::string Multiply;  ///< `gemm_multiply`
  /// `gemm_multiply_rounding`, of rows in registers
  std::string MultiplyRounding;
  std::string Compute;  ///< where a factor is computed from its element
  std::string Store;    ///< `gemm_store`
  std::string Epilogue; ///< the epilogue struct: `gemm_epilogue`
  std::string Fragment; ///< accumulators' places: `gemm_fragment`
  std::vector<std::string> Plans; ///< one struct per plan: `gemm_large`
};

/// The plan structs, the stages and the kernel template of one contraction,
/// not formatted. The kernel's parameters are, in this order,
///
///     const __grid_constant__ CUtensorMap rows_map, cols_map, out_map,
///     const ::warpwright::rt::tile_grid grid,
///     const ::warpwright::rt::extents extent,
///     const ::warpwright::rt::output_view<T> out,
///     const <Names.Epilogue> epilogue
///
/// and every plan struct has what rt::launch_plan needs (see there). All
/// functions are `static`.
llvm::Expected<std::string> emitKernel(const Contraction &Computation,
                                       const PlanSet &Plans,
                                       const KernelNames &Names);

} // namespace warpwright

#endif // WARPWRIGHT_CODEGEN_KERNELEMITTER_H
