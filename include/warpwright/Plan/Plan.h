//===-- Plan.h - From contractions to plans ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The planner's interface. planContraction decides; derivePlan computes what
/// follows from a decision, through the layout algebra; checkPlan verifies a
/// finished plan from its own numbers, independently of how they were made
/// (Validator.h).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_PLAN_H
#define WARPWRIGHT_PLAN_PLAN_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Contraction/Directives.h"
#include "warpwright/Hopper/Machine.h"
#include "warpwright/Plan/KernelPlan.h"
#include "warpwright/Source/DiagID.h"
#include "warpwright/rt/cost.cuh"

#include "llvm/Support/JSON.h"
#include <variant>

namespace warpwright {

/// Where the kernel rounds both factors of its products to tf32 and nothing
/// else, plans of that precision do so themselves: takes the roundings out of
/// \p C and asks for `precision(tf32)` in \p D, unless that asks for more.
void takeRoundings(Contraction &C, Directives &D);

/// Brings the products of several sums of \p C into an order in which those in
/// one place have a factor in common, where there is one.
void arrangeProducts(Contraction &C);

/// A bit for each product that is subtracted: that of product P of sum S is
/// S * products + P.
unsigned subtractedProducts(const Contraction &C);

/// How many products, the first ones of the sum, have a Product::Scale.
unsigned scaledProducts(const Contraction &C);

/// The plans for \p C, whose products are arranged, under the clauses \p D,
/// or why there is none. Each is checked (checkPlan) and has its certificate,
/// unless \p Prove is false: then no code may be generated from them.
std::variant<PlanSet, Decline> planContraction(const Contraction &C,
                                               const Directives &D,
                                               const Machine &M = Machine(),
                                               bool Prove = true);

/// Sums of more terms than that lose more bits in the tensor cores than a loop
/// in float loses.
inline constexpr int64_t LongSum = 4096;

/// Whether \p Plans, made for \p C under \p D, may leave sums of more than
/// LongSum terms to the tensor cores and store them as floats, though no clause
/// says how sums are kept.
bool truncatesLongSums(const Contraction &C, const Directives &D,
                       const PlanSet &Plans);

/// How the arrays of a contraction lie in memory, as far as a plan depends on
/// it: the contiguous index of each operand and of the output.
struct Orders {
  Major A = Major::K, B = Major::MN;
  /// How the first output, which by the contraction's convention is contiguous
  /// along n if at all, is written.
  const StoreRole *Store = &stagedStore();
  std::vector<BoolExpr> Requires; ///< what must hold for it to be so
};

/// Everything that follows from \p Choice. Fails with the limit that the
/// choice breaks. The result is not checked yet.
llvm::Expected<KernelPlan> derivePlan(const Contraction &C, const Orders &O,
                                      const PlanChoice &Choice,
                                      const Machine &M = Machine());

/// validatePlan (Validator.h) as an error: on success fills P.Certificate, on
/// failure names the plan, the property and the run that violates it. A plan
/// that was proven before is not proven again.
llvm::Error checkPlan(KernelPlan &P, const Machine &M = Machine());

/// What the model expects of a plan at one problem size.
struct Prediction {
  int64_t Tiles = 0, Waves = 0;
  double Flops = 0;   ///< 2 M N K batch, of each product and sum
  double Bytes = 0;   ///< each operand and output once
  double Seconds = 0; ///< of the kernel, without the launch
  /// "tensor cores", "transform", "rounding" (of rows in registers), "memory",
  /// "L2", "too few tiles", "waves and epilogues".
  const char *Bound = "";
};
Prediction predict(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                   int64_t KExtent, int64_t Batch,
                   const Machine &M = Machine());

/// \p M as the selector's formula sees it: an H200.
rt::gpu deviceOf(const Machine &M);

/// The selector's formula, whole clocks: the same arithmetic as the runtime's
/// rt::predicted_clocks. Only the launch knows where the operands' rows start.
int64_t predictedClocks(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                        int64_t KExtent, int64_t Batch, const rt::gpu &Device,
                        rt::row_starts Starts = {});

/// Of copying operands of \p Bytes bytes into rows that TMA can read, before
/// the kernel: by rt::copy_clocks.
double copySeconds(int64_t Bytes, const Machine &M = Machine());

/// Index of the plan that the selector takes when what the plans require
/// holds.
size_t selectPlan(const PlanSet &Plans, int64_t MExtent, int64_t NExtent,
                  int64_t KExtent, int64_t Batch, const rt::gpu &Device,
                  rt::row_starts Starts = {});

/// The documented JSON form (docs/plans.md).
llvm::json::Value toJSON(const PlanSet &Plans);
/// The plans of several kernels, each of which says for which kernel it is;
/// those of a single one do not.
llvm::json::Value
toJSON(llvm::ArrayRef<std::pair<std::string, PlanSet>> Kernels);
/// Fails if \p Text is no plan file, whatever kernel it is for.
llvm::Error checkPlanFile(llvm::StringRef Text);
/// The kernels that plans of \p Text are for, once for each plan that names
/// one.
llvm::Expected<std::vector<std::string>>
readPlanFileKernels(llvm::StringRef Text);
/// Reads plans for \p C, the computation of a kernel with one of \p Names:
/// those that name no other kernel, which may be none. Without \p Names, reads
/// all of them. Only the decisions (name, tile, stages, ...) are
/// needed; other members replace what would follow from them. Fails with what
/// is missing, contradicts the contraction, or the validator's diagnosis.
llvm::Expected<PlanSet>
planSetFromJSON(llvm::StringRef Text, const Contraction &C,
                const Machine &M = Machine(),
                llvm::ArrayRef<llvm::StringRef> Names = {});
/// For `--emit=plan`.
void print(llvm::raw_ostream &OS, const PlanSet &Plans);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_PLAN_H
