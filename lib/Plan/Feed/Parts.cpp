//===- Parts.cpp - Feed: fp16 parts of both operands ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Validation.h"
#include "Transform.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// Registers of a thread: of the producer, and of the transform, which spills
/// little with as many; more where the factors of both operands are computed,
/// or one has several numbers in an element and the other lies across k. A
/// consumer needs these besides the accumulators of the tensor cores and as
/// many sums.
static constexpr int64_t ProducerRegisters = 32;
static constexpr int64_t LeastTransformRegisters = 80,
                         LeastComputingRegisters = 88;
static constexpr int64_t LoopRegisters = 16;

namespace {

class Parts final : public TransformFeed {
public:
  Parts() : TransformFeed("parts") {}

  bool suits(const Contraction &C, FactorPrecision Precision) const override {
    return hasParts(C.A) && hasParts(C.B) && mostParts(C.A.factorType()) &&
           mostParts(C.B.factorType()) &&
           elementType(PartType)->addsIn(C.AccType) &&
           !straightFeed().suits(C, Precision) &&
           !convertedFeed().suits(C, Precision);
  }
  Error checkChoice(const PlanChoice &P, const Contraction &C) const override;

  Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                      const PlanChoice &Choice,
                                      const Machine &M) const override {
    return deriveParts(R, Choice, M);
  }
  Error deriveRegisters(KernelPlan &P, const Machine &M) const override;

  ConsumerClaim claim(const KernelPlan &, const Machine &) const override {
    return {2, 0, " and as many sums"};
  }

  void scope(const KernelPlan &P, ProtocolScope &Scope) const override;
  void addStages(ProtocolBuilder &B) const override {
    // TMA fills half a block with 16-bit elements, a quarter with bytes; their
    // parts need all of it.
    B.addBuffers(ProtocolBuffer::Stage, "stage {0} of CTA {1}",
                 filledBytes(B.P.Rows) + filledBytes(B.P.Cols), B.FeedWarps);
  }
  int32_t rowsBuffer(const ProtocolBuilder &B, int32_t CTA,
                     int32_t Stage) const override {
    return B.perStage(CTA, Stage);
  }
  void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                int64_t Blocks) const override;

private:
  int64_t rewrittenRows(const PlanChoice &P, int64_t Sums) const override {
    return P.tileRows() + Sums * P.tileColumns();
  }
  Error checkTile(const PlanChoice &P) const override;
  /// More stages spare promotions, but the float sums of the tensor cores,
  /// which round toward zero, get longer; measured best where the pipeline can
  /// load as many ahead.
  int64_t windowOf(const PlanChoice &P) const override {
    return P.Stages >= 6 ? 3 : 2;
  }
  bool checkBlocks(Validator &V) const override;
  int64_t readStages(const KernelPlan &P) const override {
    return std::min(P.Split.Window, P.Stages);
  }
};

} // namespace

Error Parts::checkChoice(const PlanChoice &P, const Contraction &C) const {
  if (!suits(C, P.Precision))
    return layoutError("16-bit operands of one type are multiplied as they are "
                       "and have no transform");
  if (Error E = TransformFeed::checkChoice(P, C))
    return E;
  if (P.Stages < windowOf(P))
    return layoutError("products are added up over " + Twine(windowOf(P)) +
                       " stages; " + Twine(P.Stages) + " are too few");
  return Error::success();
}

Error Parts::checkTile(const PlanChoice &P) const {
  const int64_t Rows = WgmmaAtom::M * P.ConsumerWarpgroups;
  if (P.tileRows() == Rows)
    return Error::success();
  return layoutError(Twine(P.ConsumerWarpgroups) + " consumer warpgroup" +
                     (P.ConsumerWarpgroups == 1 ? "" : "s") +
                     " of operands that are split into fp16 parts multiply " +
                     Twine(Rows) + " rows, not " + Twine(P.tileRows()));
}

Error Parts::deriveRegisters(KernelPlan &P, const Machine &M) const {
  const int64_t Sums = P.rowBlocks() * P.Accumulators;
  const int64_t Needed =
      Sums + std::max(P.Accumulators + LoopRegisters, EpilogueRegisters);
  divideRegisters(P,
                  {ProducerRegisters, Needed,
                   (P.Rows.Computed && P.Cols.Computed) ||
                           (P.Rows.Numbers > 1 && P.Cols.Order != Major::K) ||
                           (P.Cols.Numbers > 1 && P.Rows.Order != Major::K)
                       ? LeastComputingRegisters
                       : LeastTransformRegisters},
                  M);
  if (Needed > P.ConsumerRegisters)
    return layoutError(Twine(P.Accumulators) + " accumulators and " +
                       Twine(Sums) + " sums a thread leave fewer than " +
                       Twine(LoopRegisters) + " of its " +
                       Twine(P.ConsumerRegisters) + " registers");
  return checkInstruction(P, 0, M);
}

bool Parts::checkBlocks(Validator &V) const {
  if (V.P.rowBlocks() != 1)
    return V.fail(Property::Tile,
                  formatv("{0} instructions a warpgroup, and sums for one",
                          V.P.rowBlocks()));
  return true;
}

/// Numbers of blocks that make up one window, and one with a shorter one
/// behind.
void Parts::scope(const KernelPlan &P, ProtocolScope &Scope) const {
  TransformFeed::scope(P, Scope);
  Scope.Trips = {P.Split.Window, P.Split.Window + 1};
}

/// A tile begins a window, and its last one may be shorter. wgmma multiplies
/// whatever a stage holds: what raw blocks make of the accumulators is not
/// promoted, and ordinary instructions multiply these.
void Parts::multiply(ProtocolBuilder &B, int64_t FirstBlock,
                     int64_t Blocks) const {
  const KernelPlan &P = B.P;
  const bool Low = P.Rows.Parts + P.Cols.Parts > 2;
  const int64_t End = FirstBlock + Blocks;
  for (int64_t First = FirstBlock; First < End; First += P.Split.Window) {
    const int64_t Last = std::min(First + P.Split.Window, End) - 1;
    auto EachBlock = [&](auto Do) {
      for (int64_t Block = First; Block <= Last; ++Block)
        Do(Block);
    };
    auto Multiply = [&](Site Where) {
      EachBlock([&](int64_t Block) {
        B.add(ProtocolOp::FenceReads, Site::FenceOperands);
        B.touch(ProtocolOp::Read, Where, B.stageOf(Block), Block);
      });
    };
    EachBlock([&](int64_t Block) {
      waitReady(B, Block);
      B.touch(ProtocolOp::Load, Site::ReadFlags, scalesOf(B, Block), Block);
    });
    if (Low) {
      Multiply(Site::MultiplyLow);
      B.add(ProtocolOp::WaitReads, Site::WaitLow).Count = 0;
      B.add(ProtocolOp::UseResults, Site::ScaleLow);
    }
    Multiply(Site::MultiplyHigh);
    B.add(ProtocolOp::WaitReads, Site::WaitHigh).Count = 0;
    B.touch(ProtocolOp::Load, Site::ReadScales, scalesOf(B, Last), Last);
    B.add(ProtocolOp::UseResults, Site::Promote);
    if (B.Run.RawBlocks)
      EachBlock([&](int64_t Block) {
        B.touch(ProtocolOp::Load, Site::ReadRawScales, scalesOf(B, Block),
                Block);
        B.touch(ProtocolOp::Load, Site::MultiplyRaw, B.stageOf(Block), Block);
      });
    EachBlock([&](int64_t Block) { B.release(Site::ReleaseWindow, Block); });
  }
}

const FeedRole &partsFeed() {
  static const Parts Choice;
  return Choice;
}

} // namespace warpwright
