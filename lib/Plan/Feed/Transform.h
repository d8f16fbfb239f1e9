//===- Transform.h - Feeds that rewrite stages --- -*- C++ -*--------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the feeds `parts` and `registers` have in common: the transform stage
/// between TMA and wgmma (SplitPlan), whose warps rewrite a stage block by
/// block as scaled fp16 parts.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_FEED_TRANSFORM_H
#define WARPWRIGHT_LIB_PLAN_FEED_TRANSFORM_H

#include "../Derive.h"
#include "../ProtocolBuilder.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Roles.h"

namespace warpwright {

/// Of a stage along k.
inline constexpr int64_t TransformDepth = 32;
inline constexpr int64_t MaxSplitConsumers = 2;

inline unsigned partBits() { return 8 * byteSize(PartType); }

/// Registers of a thread of each kind of warpgroup, beside what is divided.
struct RegisterNeeds {
  int64_t Producer;       ///< has addresses of boxes only
  int64_t Consumer;       ///< in its loop
  int64_t LeastTransform; ///< with fewer it spills
};

class TransformFeed : public FeedRole {
public:
  using FeedRole::FeedRole;

  llvm::Error checkChoice(const PlanChoice &P,
                          const Contraction &C) const override;
  int64_t blockDepth(const Contraction &) const override {
    return TransformDepth;
  }
  const char *whyNotBatchInvariant() const override;

  int64_t warpgroups(const PlanChoice &P, int64_t Sums) const override;
  int64_t mostSlabColumns() const override;
  int64_t barriersAStage() const override { return 3; }
  int64_t deriveMemory(KernelPlan &P, int64_t Offset) const override;

  const std::string &rawLayout(const OperandPlan &O) const override {
    return O.RawLayout;
  }
  SwizzleMode rawSwizzle(const OperandPlan &O) const override {
    return O.RawSwizzle;
  }
  Major readOrder(const OperandPlan &) const override { return Major::K; }
  ScalarType multiplied(ScalarType, ScalarType) const override {
    return PartType;
  }
  /// Of 2 and 2 parts 3, as that of the two low ones is too small to matter.
  int64_t productsOfOne(const KernelPlan &P) const override {
    return P.Rows.Parts + P.Cols.Parts - 1;
  }
  std::string describeProducts(const KernelPlan &P) const override;
  bool runsHot() const override { return false; }
  const char *bound(const KernelPlan &) const override { return "transform"; }

  bool checkShape(Validator &V) const override;
  bool checkFragment(Validator &V) const override;
  bool checkOperand(Validator &V, const OperandPlan &O,
                    const char *Which) const override;
  bool checkOperands(Validator &V) const override;
  bool checkMemory(Validator &V, MemoryMap &Map) const override;
  BarrierWords barrierWords(const KernelPlan &P) const override;

  void scope(const KernelPlan &P, ProtocolScope &Scope) const override;
  void addBarriers(ProtocolBuilder &B) const override;
  void addBuffers(ProtocolBuilder &B) const override;
  int32_t releaseArrivals() const override { return SplitPlan::WarpArrivals; }
  void writeWarp(ProtocolBuilder &B) const override;
  /// The promoted sums are no accumulators of wgmma.
  ProtocolOp::Kind results(const KernelPlan &) const override {
    return ProtocolOp::UseSums;
  }

  void decisions(MemberVisitor &V, KernelPlan &P) const override;
  void members(MemberVisitor &V, const KernelPlan &P,
               OperandPlan &O) const override;
  void printOperand(llvm::raw_ostream &OS, const KernelPlan &P,
                    const OperandPlan &O) const override;
  void print(llvm::raw_ostream &OS, const KernelPlan &P) const override;

  void decide(const KernelPlan &P, rt::choice &C) const override;
  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &N) const override;
  bool hasKernel(const Operand &A, const Operand &B) const override {
    return hasParts(A) && hasParts(B);
  }
  llvm::Error checkKernel(const KernelPlan &P) const override;

  FeedWords words(const KernelPlan &P, llvm::StringRef Rows,
                  llvm::StringRef Cols) const override;
  StageReads stageReads(const KernelPlan &P,
                        const OperandPlan &O) const override;
  std::vector<StageMoment> moments(const KernelPlan &P) const override;
  std::string readNote(const KernelPlan &P, const OperandPlan &O,
                       llvm::StringRef Array) const override;

protected:
  /// Parts stand for the elements; where these have several numbers, for what
  /// is computed of each.
  static bool hasParts(const Operand &O) {
    return O.numbers() > 1 ? O.Prologue != nullptr : mostParts(O.Type) > 0;
  }

  // What the two feeds do differently.

  /// Rows of a stage, of both operands, that the transform rewrites.
  virtual int64_t rewrittenRows(const PlanChoice &P, int64_t Sums) const = 0;
  virtual llvm::Error checkTile(const PlanChoice &P) const = 0;
  /// Stages between promotions, at most.
  virtual int64_t windowOf(const PlanChoice &P) const = 0;
  /// Which slot each k of an instruction has.
  virtual Layout slotsOf(const OperandPlan &) const {
    return Layout(WgmmaAtom::depth(partBits()), 1);
  }
  virtual bool checkBlocks(Validator &V) const = 0;
  /// Blocks of 64 rows that a consumer multiplies, at most.
  virtual int64_t mostRowBlocks() const { return 1; }
  /// What is rewritten of a stage: `rows` of both operands or `columns`.
  virtual const char *rewritten() const { return "rows"; }
  /// The file may say in which order k is.
  virtual bool ordersK() const { return false; }
  /// When accumulators are added to sums: `every 96 of k`.
  virtual std::string promotion(const KernelPlan &P) const;
  /// Stages that a consumer multiplies before it releases one.
  virtual int64_t readStages(const KernelPlan &P) const = 0;

  // What they share.

  /// \p R as TMA writes it. \p ReadByLanes: the consumers read it, each lane
  /// what it owns of wgmma's rows operand.
  llvm::Expected<OperandPlan> deriveRaw(const OperandRequest &R,
                                        const PlanChoice &Choice,
                                        bool ReadByLanes,
                                        const Machine &M) const;
  /// And as fp16 parts, which take its place.
  llvm::Expected<OperandPlan> deriveParts(const OperandRequest &R,
                                          const PlanChoice &Choice,
                                          const Machine &M) const;
  /// Fills P's numbers; the consumers may then have less than they need.
  void divideRegisters(KernelPlan &P, const RegisterNeeds &Needs,
                       const Machine &M) const;
  /// Fails where an instruction needs more than threads are launched with,
  /// whatever setmaxnreg gives them later (ptxas C7602): beside accumulators a
  /// wgmma needs a few, and \p Others.
  llvm::Error checkInstruction(const KernelPlan &P, int64_t Others,
                               const Machine &M) const;
  static int64_t blocksOf(const KernelPlan &P, const OperandPlan &O) {
    return O.StoredExtent / P.Split.BlockRows;
  }
  /// The buffer of the scales of \p Block.
  static int32_t scalesOf(const ProtocolBuilder &B, int64_t Block) {
    return B.feedBuffers() + B.stageOf(Block);
  }
  void proveTransform(Validator &V) const;
  static void waitReady(ProtocolBuilder &B, int64_t Block);
};

/// P.Split.KSlots, from k to slot: a bijection on the InstructionK of an
/// instruction. An error says why it is none.
llvm::Expected<Layout> readKSlots(const KernelPlan &P);

/// An instruction of \p P has k in another order than memory.
bool reordersK(const KernelPlan &P);

/// Registers of an epilogue beside its sums.
inline constexpr int64_t EpilogueRegisters = 64;

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_FEED_TRANSFORM_H
