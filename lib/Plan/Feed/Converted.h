//===- Converted.h - Feed: rows that consumers convert ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_FEED_CONVERTED_H
#define WARPWRIGHT_LIB_PLAN_FEED_CONVERTED_H

#include "Straight.h"

#include "warpwright/Plan/GroupedFactor.h"
#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/RuntimePlan.h"

namespace warpwright {

/// The consumers convert the rows operand, elements of a byte, in their
/// registers to the columns' type; wgmma reads the columns as TMA has written
/// them.
class ConvertedFeed final : public StraightFeed {
public:
  constexpr ConvertedFeed() : StraightFeed("converted") {}

  bool suits(const Contraction &C, FactorPrecision) const override;
  RowsFactor rowsFactor(const Contraction &C, Major, Major) const override;
  llvm::Error checkChoice(const PlanChoice &P,
                          const Contraction &C) const override;
  void adaptTile(PlanChoice &P) const override;
  bool takesAcrossK(ScalarType T) const override {
    return isNibbles(T) || !elementType(T)->Paired;
  }
  int64_t blockDepth(const Contraction &C) const override;
  bool takesDepth(const PlanChoice &P, const Contraction &C) const override;
  int64_t usualGroup(const Contraction &C) const override;

  llvm::Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                            const PlanChoice &Choice,
                                            const Machine &M) const override;
  int64_t deriveMemory(KernelPlan &P, int64_t Offset) const override;
  llvm::Error deriveRegisters(KernelPlan &P, const Machine &M) const override;

  bool throughRegisters(const KernelPlan &P,
                        const OperandPlan &O) const override {
    return &O == &P.Rows;
  }
  ScalarType multiplied(ScalarType Element, ScalarType Other) const override {
    return isConverted(Element, Other) ? Other : Element;
  }
  bool leavesProductsTo(const MultiplyRole &Multiply) const override {
    return FeedRole::leavesProductsTo(Multiply);
  }
  std::string describeProducts(const KernelPlan &P) const override;

  bool checkShape(Validator &V) const override;
  bool checkOperand(Validator &V, const OperandPlan &O,
                    const char *Which) const override;
  ConsumerClaim claim(const KernelPlan &P, const Machine &M) const override;
  BarrierWords barrierWords(const KernelPlan &) const override {
    return {"", "threads", ""};
  }

  void scope(const KernelPlan &P, ProtocolScope &Scope) const override;
  int32_t releaseArrivals() const override { return SplitPlan::WarpArrivals; }
  bool changesSums() const override { return false; }
  bool takesBlocksInTurn() const override { return true; }
  void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                int64_t Blocks) const override;
  void finishProducts(ProtocolBuilder &, int64_t) const override {}
  ProtocolOp::Kind results(const KernelPlan &P) const override {
    return P.Rows.GroupK ? ProtocolOp::UseSums : ProtocolOp::UseResults;
  }

  void members(MemberVisitor &V, const KernelPlan &P,
               OperandPlan &O) const override;
  void printOperand(llvm::raw_ostream &OS, const KernelPlan &P,
                    const OperandPlan &O) const override;
  void print(llvm::raw_ostream &OS, const KernelPlan &P) const override {
    OS << "  products: " << describeProducts(P) << '\n';
  }

  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &) const override;

  FeedWords words(const KernelPlan &P, llvm::StringRef Rows,
                  llvm::StringRef Cols) const override;
  StageReads stageReads(const KernelPlan &P,
                        const OperandPlan &O) const override;
  std::vector<StageMoment> moments(const KernelPlan &P) const override;
  std::string readNote(const KernelPlan &P, const OperandPlan &O,
                       llvm::StringRef Array) const override;

protected:
  bool takes(ScalarType A, ScalarType B) const override {
    return isConverted(A, B) || isConverted(B, A);
  }
  const char *refusal() const override {
    return "operands are converted in registers where one has elements of a "
           "byte, the other 16-bit floats that hold all of their values, "
           "nothing is done to them but what zero points and scales of groups "
           "do, and there is one sum";
  }

private:
  static bool rowsAreB(const Contraction &C) {
    return !isConverted(C.A.Type, C.B.Type);
  }
  static int64_t rowRegisters(const KernelPlan &P, const Machine &M);
  static int64_t partsOf(const KernelPlan &P);
  static int64_t factorRegisters(const KernelPlan &P);
  /// Blocks of k of a group, after which sums are promoted; 0: none are.
  static int64_t windowOf(const KernelPlan &P) {
    return P.Rows.GroupK / P.TileK;
  }
  static bool convertsAlone(const KernelPlan &P);
  static int64_t heldParts(const KernelPlan &P);
  static bool waitsForEach(const KernelPlan &P);
};

/// Numbers that an element of \p T is.
inline int64_t numbersOf(ScalarType T) {
  return elementType(T)->Paired ? 2 : 1;
}

/// P.Rows.RowSlots, from slot to row: a bijection on the 16 of a warp. An error
/// says why it is none.
llvm::Expected<Layout> readRowSlots(const KernelPlan &P);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_FEED_CONVERTED_H
