//===- Straight.h - Feeds whose stages wgmma reads --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the feeds `straight` and `rounded` have in common, which is all of the
/// former: wgmma reads stages as TMA has written them.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_FEED_STRAIGHT_H
#define WARPWRIGHT_LIB_PLAN_FEED_STRAIGHT_H

#include "../Members.h"
#include "../ProtocolBuilder.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Scales.h"
#include "warpwright/Plan/Shifts.h"

#include "llvm/Support/FormatVariadic.h"

namespace warpwright {

class StraightFeed : public FeedRole {
public:
  explicit constexpr StraightFeed(const char *Name) : FeedRole(Name) {}

  bool keepsUpWithMemory() const override { return true; }
  bool suits(const Contraction &C, FactorPrecision) const override {
    return areWgmmaTypes(C.A.Type, C.B.Type) && !C.isPacked() &&
           elementType(C.A.Type)->addsIn(C.AccType) &&
           (!C.hasPrologue() || depthOfScaledBlocks(C) || isShifted(C));
  }
  llvm::Error checkChoice(const PlanChoice &P,
                          const Contraction &C) const override;
  void adaptTile(PlanChoice &P) const override {
    if (P.TileM * P.TileN >= 128 * 192)
      P.ClusterM = 2;
  }
  bool takesAcrossK(ScalarType Element) const override {
    return WgmmaAtom::readsAlongRows(8 * byteSize(Element));
  }
  int64_t blockDepth(const Contraction &C) const override;

  llvm::Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                            const PlanChoice &Choice,
                                            const Machine &M) const override;
  llvm::Error deriveRegisters(KernelPlan &P, const Machine &M) const override;

  const std::string &rawLayout(const OperandPlan &O) const override {
    return O.SmemLayout;
  }
  SwizzleMode rawSwizzle(const OperandPlan &O) const override {
    return O.Swizzle;
  }
  Major readOrder(const OperandPlan &O) const override { return O.Order; }
  ScalarType multiplied(ScalarType Element, ScalarType) const override {
    return Element;
  }
  bool leavesProductsTo(const MultiplyRole &Multiply) const override {
    return !Multiply.fromFragments();
  }

  bool checkShape(Validator &V) const override;
  bool checkOperand(Validator &V, const OperandPlan &O,
                    const char *Name) const override;
  ConsumerClaim claim(const KernelPlan &P, const Machine &) const override {
    return P.Multiply->claim(P);
  }

  void addStages(ProtocolBuilder &B) const override {
    B.addBuffers(ProtocolBuffer::Stage, "stage {0} of CTA {1}",
                 filledBytes(B.P.Rows) + filledBytes(B.P.Cols), 0);
  }
  int32_t rowsBuffer(const ProtocolBuilder &B, int32_t CTA,
                     int32_t Stage) const override {
    return B.perStage(CTA, Stage);
  }
  void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                int64_t Blocks) const override;
  void finishProducts(ProtocolBuilder &B, int64_t LastBlock) const override;
  ProtocolOp::Kind results(const KernelPlan &P) const override {
    return P.Multiply->results();
  }
  void scope(const KernelPlan &P, ProtocolScope &Scope) const override {
    P.Multiply->scope(P, Scope);
  }

  void members(MemberVisitor &V, const KernelPlan &,
               OperandPlan &O) const override {
    visitDescriptor(V, O);
    if (O.Scaled)
      V.fact("scale", scaleWords(O));
    if (O.Shifted)
      V.fact("shift", "sums");
  }
  void printOperand(llvm::raw_ostream &OS, const KernelPlan &,
                    const OperandPlan &O) const override {
    OS << llvm::formatv("    smem   {0}, {1} bytes at {2}\n", O.SmemLayout,
                        O.StageBytes, O.Offset);
    if (O.Scaled)
      OS << "    scale  one a " << scaleWords(O) << " and block of k\n";
    if (O.Shifted)
      OS << "    shift  comes into the sums, times those of the other "
            "operand's elements\n";
  }

  bool hasKernel(const Operand &A, const Operand &B) const override {
    return takes(A.Type, B.Type);
  }
  llvm::Error checkKernel(const KernelPlan &P) const override;

  FeedWords words(const KernelPlan &P, llvm::StringRef Rows,
                  llvm::StringRef Cols) const override;
  StageReads stageReads(const KernelPlan &,
                        const OperandPlan &) const override {
    StageReads Reads;
    Reads.Words = "a core matrix, 8 rows of one column";
    return Reads;
  }
  std::vector<StageMoment> moments(const KernelPlan &P) const override;

protected:
  /// Of an instruction that takes its rows from registers: fails where a
  /// consumer's threads have too few registers for their sums and \p Others, or
  /// where they are launched with too few for the instruction, whatever
  /// setmaxnreg gives them later (ptxas C7602).
  static llvm::Error checkRowsInRegisters(const KernelPlan &P, int64_t Others,
                                          const Machine &M);
  static llvm::StringRef scaleWords(const OperandPlan &O) {
    return O.ScaledAlike ? "tile" : "row";
  }
  /// wgmma multiplies what TMA leaves of elements of these types.
  virtual bool takes(ScalarType A, ScalarType B) const {
    return areWgmmaTypes(A, B);
  }
  /// How the instruction reads the \p Tile of \p P, in which boxes take \p
  /// BoxBytes; and what the validator proves of that, with the words for it.
  virtual llvm::Error deriveReads(OperandPlan &P, const SmemLayout &Tile,
                                  const OperandRequest &R,
                                  int64_t BoxBytes) const;
  virtual bool checkReads(Validator &V, const OperandPlan &O,
                          const TileOffsets &Offsets, const char *Name,
                          std::string &How) const;
  /// What checkChoice says of operands that do not suit it.
  virtual const char *refusal() const {
    return "operands that are float, of two types that wgmma does not multiply "
           "by one another, or computed are not multiplied as they are";
  }
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_FEED_STRAIGHT_H
