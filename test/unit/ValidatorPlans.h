//===- ValidatorPlans.h - Good plans to be broken ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_UNIT_VALIDATORPLANS_H
#define WARPWRIGHT_TEST_UNIT_VALIDATORPLANS_H

#include "warpwright/Plan/Plan.h"

namespace warpwright {

/// The types of the operands.
struct OperandTypes {
  llvm::StringRef A = "bf16", B = "bf16";
};

/// A product of matrices; operands by row (N) or by column (T).
Contraction contractionOf(char A, char B, llvm::StringRef Out,
                          OperandTypes Types = {});

/// The plan of these decisions. Stops the test program where there is none.
KernelPlan planOf(const PlanChoice &Choice, char A = 'N', char B = 'N',
                  llvm::StringRef Out = "bf16", OperandTypes Types = {});

/// 128x128, 3 stages, 2 consumers, cluster 2x1: small, but with everything.
PlanChoice smallChoice();

/// The same with a transform of float operands.
PlanChoice splitChoice();
/// The same with rows that are rounded in registers.
PlanChoice registersChoice();
/// Bytes that two sets of consumers convert in turn: 128 rows by 16 columns, 4
/// stages. The second operand is the narrow one.
PlanChoice interleavedChoice();
KernelPlan splitPlanOf(const PlanChoice &Choice = splitChoice(), char A = 'N',
                       char B = 'N', OperandTypes Types = {"f32", "f32"});

/// Float and mixed operands in all orders, one and two parts, one and two
/// consumers, clusters, windows and stages that do not divide each other.
std::vector<KernelPlan> goodSplitPlans();

/// The planner's portfolio in all operand orders, with outputs of 16 and 32
/// bits and direct stores, and plans that only clauses ask for.
std::vector<KernelPlan> goodPlans();

} // namespace warpwright

#endif // WARPWRIGHT_TEST_UNIT_VALIDATORPLANS_H
