//===-- PlanStruct.h - Plans as constants of generated code -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every number that a generated kernel computes an address with comes from
/// here, and here from the plan, which has it from the layout algebra and was
/// checked. The kernel's text and the runtime's templates have none of their
/// own.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_PLANSTRUCT_H
#define WARPWRIGHT_LIB_CODEGEN_PLANSTRUCT_H

#include "warpwright/Plan/KernelPlan.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// What the plans of one kernel must mention because one of them has it.
struct PlanStructOptions {
  bool Pingpong = false;   ///< some plan takes turns
  bool OneBatched = false; ///< one operand moves with the batch, one does not
  bool RowsInRegisters = false; ///< some plan has its rows operand there
  bool Computed = false;        ///< a factor is computed from its element
};

/// `struct <Name> { ... };` with the constants of \p P, not laid out.
std::string printPlanStruct(const KernelPlan &P, llvm::StringRef Name,
                            const PlanStructOptions &Options);

/// `struct <Name>` with the row and the column of a thread's accumulator, as
/// the layout \p Fragment, (thread, value) to row + 64 * column, has them.
/// Fails when the layout mixes the two.
llvm::Expected<std::string> printFragment(llvm::StringRef Fragment,
                                          llvm::StringRef Name);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_PLANSTRUCT_H
