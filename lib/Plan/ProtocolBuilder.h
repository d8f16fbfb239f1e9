//===- ProtocolBuilder.h - Writing a kernel's protocol ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_PROTOCOLBUILDER_H
#define WARPWRIGHT_LIB_PLAN_PROTOCOLBUILDER_H

#include "warpwright/Plan/Protocol.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/Twine.h"
#include <map>

namespace warpwright {

/// The protocol of one run, with what roles need to write their scripts. The
/// barriers are the full ones, the empty ones, those of the feed, that of all,
/// and named ones as they come up; the buffers are the stages, the staging
/// buffers, those of exchanged sums, and those of the feed. Of what there is
/// once for each stage, that of stage s of CTA c has the number base + c *
/// Stages + s.
class ProtocolBuilder {
public:
  ProtocolBuilder(const KernelPlan &P, const ProtocolRun &Run);

  Protocol build();

  static constexpr int64_t WarpsPerGroup = 4, WarpThreads = 32;

  const KernelPlan &P;
  const ProtocolRun &Run;
  const int32_t CTAs, Stages, Groups;
  /// Of the consumers those that store, and sets that take turns with blocks.
  const int32_t Storing, Sets;
  /// Warps between the producer and the consumers, per CTA.
  const int32_t FeedWarps;

  // The agent that is being written.
  ProtocolAgent *Self = nullptr;
  int32_t CTA = 0;
  int32_t Set = 0; ///< of a consumer

  int32_t perStage(int32_t OfCTA, int32_t Stage) const {
    return OfCTA * Stages + Stage;
  }
  int32_t full(int32_t OfCTA, int64_t Block) const {
    return perStage(OfCTA, int32_t(Block % Stages));
  }
  int32_t empty(int32_t OfCTA, int64_t Block) const {
    return CTAs * Stages + full(OfCTA, Block);
  }
  /// Of the feed's own barriers, where it has one for each stage.
  int32_t ready(int32_t OfCTA, int64_t Block) const {
    return 2 * CTAs * Stages + full(OfCTA, Block);
  }
  /// The stage's buffer that holds \p Block, in the agent's CTA.
  int32_t stageOf(int64_t Block) const {
    return perStage(CTA, int32_t(Block % Stages));
  }
  /// The first of the feed's own buffers.
  int32_t feedBuffers() const { return exchangeBuffers() + CTAs * exchanges(); }
  /// The first staging buffer of a consumer of the agent's CTA.
  int32_t stagingOf(int32_t Group) const {
    return CTAs * Stages +
           (CTA * Storing + Group) * int32_t(P.Epilogue.Buffers);
  }
  /// Consumers of a CTA that get the sums of others, and the buffer by which
  /// number \p Share of the agent's CTA does.
  int32_t exchanges() const {
    return Sets > 1 ? int32_t(P.consumersOfTile()) : 0;
  }
  int32_t exchangeOf(int32_t Share) const {
    return exchangeBuffers() + CTA * exchanges() + Share;
  }
  /// Consumers' warps that read a stage.
  int32_t readers() const {
    return int32_t(WarpsPerGroup * P.consumersOfTile());
  }
  int32_t named(int64_t Id, int64_t Threads);

  // Operations, at the end of the agent's script.

  ProtocolOp &add(ProtocolOp::Kind K, Site Where) {
    Self->Script.emplace_back();
    ProtocolOp &Op = Self->Script.back();
    Op.K = K;
    Op.Where = Where;
    return Op;
  }
  ProtocolOp &touch(ProtocolOp::Kind K, Site Where, int32_t Buffer,
                    int64_t Tag) {
    ProtocolOp &Op = add(K, Where);
    Op.Buffers = {Buffer};
    Op.Tag = int32_t(Tag);
    return Op;
  }
  void wait(Site Where, int32_t Barrier, int32_t Phase);
  /// At a barrier without parity: its phases are counted by those who come.
  void meet(Site Where, int32_t Barrier, bool AlsoWait);
  /// A warp's lanes tell all CTAs of the cluster, each of which may fill a part
  /// of the stage.
  void release(Site Where, int64_t Block);

  // Barriers and buffers: one for each CTA and stage. "{0}" of a name is the
  // stage, "{1}" the CTA.

  void addBarriers(const char *Name, int64_t Arrivals, bool CountsBytes);
  void addBuffers(ProtocolBuffer::Kind K, const char *Name, int64_t FillBytes,
                  int32_t Writers);

private:
  Protocol Result;
  int32_t Everybody = 0; ///< barrier of all agents
  std::map<std::pair<int32_t, int64_t>, int32_t> NamedBarriers;
  std::map<int32_t, int32_t> Rounds; ///< at barriers without parity

  void writeConsumer(int32_t Group, int32_t Warp);
  void addStaging();
  void addExchanges();
  int32_t exchangeBuffers() const {
    return CTAs * (Stages + Storing * int32_t(P.Epilogue.Buffers));
  }
  void begin();
  void finish();
};

/// Bytes that TMA writes of \p O in a stage.
inline int64_t filledBytes(const OperandPlan &O) {
  return O.BoxCount * O.Shares * O.BoxBytes;
}

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_PROTOCOLBUILDER_H
