//===- Interleaved.cpp - Schedule: consumers take blocks of k in turn -----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Derive.h"
#include "../ProtocolBuilder.h"
#include "../Validation.h"

#include "warpwright/Hopper/Wgmma.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

/// Two sets of consumers share every tile: the first one multiplies blocks 0,
/// 2, 4 ... of its k, the second one the others. Where each block is a chain of
/// waiting, loading, converting and multiplying, twice as many warps are under
/// way. In the end the second set hands over its sums, and the first one adds
/// and stores them.
class Interleaved final : public ScheduleRole {
public:
  Interleaved()
      : ScheduleRole("interleaved", std::nullopt, "taking blocks of k in turn",
                     " taking blocks of k in turn") {}

  Error checkChoice(const PlanChoice &P) const override {
    if (P.ConsumerWarpgroups % Sets)
      return layoutError(
          "two sets of consumers take blocks of k in turn, and " +
          Twine(P.ConsumerWarpgroups) + " warpgroups are not two of one size");
    // A set converts rows of its next stage while it multiplies one.
    if (P.Stages % Sets || P.Stages < 2 * Sets)
      return layoutError("each of two sets of consumers has at least two "
                         "stages of its own, so that there are no " +
                         Twine(P.Stages));
    return Error::success();
  }
  const ScheduleRole *otherwise() const override { return &sharedSchedule(); }
  int64_t usualConsumers(const PlanChoice &P) const override {
    return Sets * (P.tileRows() % 128 == 0 ? 2 : 1);
  }
  int64_t mostConsumers() const override { return 4; }
  int64_t consumersOfTile(const PlanChoice &P) const override {
    return P.ConsumerWarpgroups / Sets;
  }
  int64_t storingConsumers(const PlanChoice &P) const override {
    return P.ConsumerWarpgroups / Sets;
  }
  int64_t sets() const override { return Sets; }
  int64_t producerRegisters() const override { return 32; }
  int64_t groupBytes(const KernelPlan &P) const override {
    return P.rowBlocks() * P.Rows.RowBlockBytes;
  }
  void deriveBarriers(KernelPlan &P, int64_t FirstBarrier,
                      const Machine &M) const override {
    P.TurnBarrier = FirstBarrier;
    P.TurnThreads = Sets * M.WarpgroupThreads;
  }
  /// One sum of each element of a tile.
  int64_t deriveMemory(KernelPlan &P, int64_t Offset) const override {
    P.ExchangeOffset = Offset;
    P.ExchangeBytes = P.tileRows() * P.InstructionN * SumBytes;
    return Offset + P.ExchangeBytes;
  }

  bool checkShape(Validator &V) const override {
    if (V.P.ConsumerWarpgroups % Sets || V.P.Stages % Sets)
      return V.fail(Property::Shape,
                    formatv("two sets of {0} consumer warpgroups take turns "
                            "with {1} stages",
                            V.P.ConsumerWarpgroups, V.P.Stages));
    if (!V.P.Feed->takesBlocksInTurn() || V.P.stretches() != 1)
      return V.fail(Property::Shape,
                    "the feed multiplies each block that comes");
    return true;
  }
  bool checkGroupBytes(Validator &V, const OperandPlan &O,
                       const char *Which) const override {
    return sharedSchedule().checkGroupBytes(V, O, Which);
  }
  bool checkNamedBarriers(Validator &V) const override {
    const int64_t Two = Sets * V.M.WarpgroupThreads;
    if (V.P.TurnThreads != Two)
      return V.fail(Property::NamedBarrier,
                    formatv("{0} threads exchange sums, not the {1} of two "
                            "warpgroups",
                            V.P.TurnThreads, Two));
    // Of each pair of consumers: the sums are written, and they are read.
    V.NamedBarriers.push_back(
        {"exchanges", V.P.TurnBarrier, 2 * consumersOfTile(V.P)});
    return true;
  }
  bool checkMemory(Validator &V, MemoryMap &Map) const override {
    const KernelPlan &P = V.P;
    const int64_t Bytes = P.tileRows() * P.InstructionN * SumBytes;
    if (P.ExchangeBytes != Bytes)
      return V.fail(Property::MemoryMap,
                    formatv("{0} bytes for the sums that are exchanged, which "
                            "are {1}",
                            P.ExchangeBytes, Bytes));
    Map.Buffers.push_back(
        {"the exchanged sums", P.ExchangeOffset, Bytes, SumBytes});
    Map.Notes += formatv(" + exchange {0}", Bytes);
    return true;
  }

  /// The second set writes and waits until its sums are read; the first one
  /// waits for them. So both know that the other one has seen all stages of the
  /// tile full.
  void afterProducts(ProtocolBuilder &B, int64_t Tile,
                     int32_t Group) const override {
    const int32_t Share = Group % int32_t(consumersOfTile(B.P));
    const int32_t Written =
        B.named(B.P.TurnBarrier + 2 * Share, B.P.TurnThreads);
    const int32_t Read =
        B.named(B.P.TurnBarrier + 2 * Share + 1, B.P.TurnThreads);
    if (Group < B.Storing) {
      B.meet(Site::SumsWritten, Written, /*AlsoWait=*/true);
      B.touch(ProtocolOp::Load, Site::TakeSums, B.exchangeOf(Share), Tile);
      B.add(B.P.Feed->results(B.P), Site::TakeSums);
      B.meet(Site::SumsRead, Read, /*AlsoWait=*/false);
      return;
    }
    B.add(B.P.Feed->results(B.P), Site::GiveSums);
    B.touch(ProtocolOp::Write, Site::GiveSums, B.exchangeOf(Share), Tile);
    B.meet(Site::SumsWritten, Written, /*AlsoWait=*/false);
    B.meet(Site::SumsRead, Read, /*AlsoWait=*/true);
  }

  void decide(rt::choice &C) const override { C.interleaved = true; }
  Error checkKernel(const KernelPlan &P) const override {
    return checkChoice(P);
  }

  std::vector<std::string> consumers(const KernelPlan &P,
                                     StringRef Row) const override {
    const int64_t Rows = P.rowBlocks() * WgmmaAtom::M;
    std::vector<std::string> Result;
    for (int64_t G = 0; G < consumersOfTile(P); ++G)
      Result.push_back(formatv("{0}: {1} {2} to {3}", whoHas(P, G), Row,
                               G * Rows, (G + 1) * Rows - 1));
    return Result;
  }
  const char *meanwhile() const override {
    return "Half of the warpgroups multiply every second block of k, the "
           "others "
           "the blocks between; in the end both sums are added.";
  }
  const char *readers() const override {
    return "The warpgroups whose turn it is read all of it.";
  }
  const char *rowsOf() const override { return "consumer warpgroup"; }
  std::string whoHas(const KernelPlan &P, int64_t Group) const override {
    return formatv("consumer warpgroups {0} and {1}", Group + 1,
                   Group + 1 + consumersOfTile(P));
  }

private:
  static constexpr int64_t Sets = 2, SumBytes = 4;
};

} // namespace

const ScheduleRole &interleavedSchedule() {
  static const Interleaved Choice;
  return Choice;
}

} // namespace warpwright
