//===- Registers.h - Feed: rows that consumers round ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_FEED_REGISTERS_H
#define WARPWRIGHT_LIB_PLAN_FEED_REGISTERS_H

#include "Transform.h"

namespace warpwright {

/// The consumers round the rows operand in their registers, the transform
/// rewrites the columns. Scales of rows are known to the quads of lanes that
/// hold them, and scales may change at any stage.
class RegistersFeed final : public TransformFeed {
public:
  RegistersFeed() : TransformFeed("registers") {}

  bool suits(const Contraction &C, FactorPrecision Precision) const override;
  llvm::Error checkChoice(const PlanChoice &P,
                          const Contraction &C) const override;
  bool takesTile(const PlanChoice &P) const override {
    return P.tileRows() % 128 == 0;
  }
  void adapt(PlanChoice &P) const override;
  const char *flag() const override { return "rows_in_registers"; }

  llvm::Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                            const PlanChoice &Choice,
                                            const Machine &M) const override;
  llvm::Error deriveRegisters(KernelPlan &P, const Machine &M) const override;

  bool throughRegisters(const KernelPlan &P,
                        const OperandPlan &O) const override {
    return &O == &P.Rows;
  }
  const char *bound(const KernelPlan &P) const override;

  bool checkOperand(Validator &V, const OperandPlan &O,
                    const char *Which) const override;
  ConsumerClaim claim(const KernelPlan &P, const Machine &M) const override;

  void addStages(ProtocolBuilder &B) const override;
  void addBuffers(ProtocolBuilder &B) const override;
  int32_t rowsBuffer(const ProtocolBuilder &B, int32_t CTA,
                     int32_t Stage) const override;
  bool changesSums() const override { return false; }
  void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                int64_t Blocks) const override;

  llvm::Error checkKernel(const KernelPlan &P) const override;

  FeedWords words(const KernelPlan &P, llvm::StringRef Rows,
                  llvm::StringRef Cols) const override;
  StageReads stageReads(const KernelPlan &P,
                        const OperandPlan &O) const override;
  std::string readNote(const KernelPlan &P, const OperandPlan &O,
                       llvm::StringRef Array) const override;

private:
  int64_t rewrittenRows(const PlanChoice &P, int64_t Sums) const override {
    return Sums * P.tileColumns();
  }
  llvm::Error checkTile(const PlanChoice &P) const override;
  int64_t windowOf(const PlanChoice &P) const override;
  Layout slotsOf(const OperandPlan &Rows) const override;
  bool checkBlocks(Validator &V) const override;
  /// Accumulators of more are beyond a consumer's registers.
  int64_t mostRowBlocks() const override { return 2; }
  const char *rewritten() const override { return "columns"; }
  bool ordersK() const override { return true; }
  std::string promotion(const KernelPlan &P) const override;
  /// Each stage is given back by itself, whatever the window.
  int64_t readStages(const KernelPlan &) const override { return 1; }
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_FEED_REGISTERS_H
