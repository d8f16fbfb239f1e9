//===- Explorer.h - One run that decides for all ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of an exploration with vector clocks, private to the sources that
/// make it up: barriers and steps (ProtocolExplore.cpp), what lies in memory
/// (ProtocolMemory.cpp), and how a failure is told (ProtocolReport.cpp).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_EXPLORER_H
#define WARPWRIGHT_LIB_PLAN_EXPLORER_H

#include "warpwright/Plan/Protocol.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace warpwright::exploration {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

using Count = int16_t; ///< operations of an agent: a few thousand
using Clock = llvm::MutableArrayRef<Count>;

inline void join(Clock Into, ArrayRef<Count> From) {
  Count *To = Into.data();
  const Count *With = From.data();
  for (size_t I = 0, E = Into.size(); I < E; ++I)
    To[I] = std::max(To[I], With[I]);
}
inline bool covers(ArrayRef<Count> Known, ArrayRef<Count> What) {
  const Count *Have = Known.data(), *Need = What.data();
  Count Missing = 0; // no early exit: this way it is vector code
  for (size_t I = 0, E = What.size(); I < E; ++I)
    Missing |= Count(Need[I] > Have[I]);
  return !Missing;
}

/// An operation that has been performed: the Time-th of an agent.
struct Event {
  int32_t Agent = -1;
  Count Time = 0; ///< 0: not yet
};

struct BarrierState {
  int32_t Done = 0;    ///< complete phases
  int32_t Pending = 0; ///< arrivals that the phase still waits for
  int64_t Bytes = 0;   ///< expected less arrived
  int32_t Component = -1;
  SmallVector<Event, 4> Passed; ///< waits for phase Done - 1
};

struct BufferUse {
  Event Begin, End;
  Event Fence; ///< of a write
};
using BufferUses = SmallVector<BufferUse, 4>;

struct BufferState {
  int32_t Tag = -1;
  int64_t Filled = 0;              ///< bytes that have been sent here
  int32_t Barrier = -1, Phase = 0; ///< that tells when they are there
  BufferUses Writes;               ///< by ordinary stores
  /// Reads of a stage, one for each agent that does; of a staged slab the TMA
  /// store, or ordinary loads.
  BufferUses Uses;
  bool SentByTma = false;
  /// The same for the content before, which whoever fills must know to be done
  /// with.
  int32_t OldTag = -1;
  BufferUses OldWrites, OldUses;
  bool OldSentByTma = false;

  /// Another content begins.
  void renew(int32_t NewTag);
};

struct AgentState {
  int32_t At = 0;
  bool TouchedResults = true; ///< accumulators, since the last fence
  /// Of the sets of accumulators, whether something has been multiplied.
  std::array<bool, 2> HasResults = {};
  /// Of the sets of registers that hold rows: which block, and whether ordinary
  /// instructions have written them since the last fence.
  struct Fragments {
    int32_t Tag = -1;
    bool Touched = false;
  };
  std::array<Fragments, 2> Rows;
  /// Buffers and positions in their Uses, for Unfenced in their Writes.
  SmallVector<std::pair<int32_t, int32_t>, 4> Reads, Unfenced, OpenStores;
  SmallVector<int32_t, 4> ReadFragments;    ///< of each of Reads; -1: none
  SmallVector<int32_t, 4> ReadAccumulators; ///< of each of Reads
  SmallVector<SmallVector<std::pair<int32_t, int32_t>, 1>, 4> Groups;
  bool Left = false;
  /// The operation at At is a wait that could not go on. Only the completion of
  /// its phase changes that.
  bool Waits = false;
};

class Explorer {
public:
  /// A second run may be asked what \p Late knew, an operation that the first
  /// found to come too late.
  explicit Explorer(const Protocol &P, Event Late = {});
  std::optional<ProtocolFailure> run();
  Event late() const { return Late; }

private:
  const Protocol &P;
  const int32_t Agents;
  int32_t Width = 0;
  std::vector<AgentState> State;
  std::vector<BarrierState> Barriers;
  std::vector<BufferState> Buffers;
  /// One clock for each agent; three for each barrier: what the arrivals of
  /// this phase know, and what was known when the last two completed.
  std::vector<Count> Known, Phases;
  std::vector<Event> Initialised;                 ///< by CTA
  std::vector<std::pair<int32_t, int32_t>> Order; ///< agent, operation
  /// Last operation of each agent on barriers or memory of another CTA.
  std::vector<Count> Remote;
  int32_t CTAs = 0;
  std::optional<ProtocolFailure> Failure, Premise;
  Event Late;
  std::vector<Count> KnownLate;

  Clock known(int32_t Agent) {
    return Clock(&Known[size_t(Agent) * Width], Width);
  }
  enum Slot { Gathering, Last, Previous };
  Clock phase(int32_t Barrier, Slot S) {
    return Clock(&Phases[(size_t(Barrier) * 3 + S) * Width], Width);
  }
  bool knows(int32_t Agent, const Event &E) {
    return E.Time > 0 && known(Agent)[E.Agent] >= E.Time;
  }
  Event event(int32_t Agent) { return {Agent, Count(State[Agent].At + 1)}; }

  bool step(int32_t Agent);
  /// \p Agent, at its operation, has done with a use.
  void endUse(int32_t Agent, std::pair<int32_t, int32_t> Use);
  bool wait(int32_t Agent, const ProtocolOp &Op);
  void arrive(int32_t Agent, const ProtocolOp &Op, int32_t Target);
  void copy(int32_t Agent, const ProtocolOp &Op, int32_t Target,
            int32_t Buffer);
  bool checkArrived(int32_t Agent, const ProtocolOp &Op);
  bool checkParts(int32_t Agent, const ProtocolOp &Op, bool ByWgmma);
  bool isWritten(int32_t Agent, const BufferUses &Writes, size_t Writers);
  void use(int32_t Agent, const ProtocolOp &Op, bool Done);
  void noteWrite(int32_t Agent, const ProtocolOp &Op);
  void read(int32_t Agent, const ProtocolOp &Op);
  void rewrite(int32_t Agent, const ProtocolOp &Op);
  void load(int32_t Agent, const ProtocolOp &Op);
  void round(int32_t Agent, const ProtocolOp &Op);
  void write(int32_t Agent, const ProtocolOp &Op);
  void writeScales(int32_t Agent, const ProtocolOp &Op);
  void loadScales(int32_t Agent, const ProtocolOp &Op);
  void send(int32_t Agent, const ProtocolOp &Op);
  void leave(int32_t Agent);
  void complete(int32_t Barrier);
  bool checkInit(int32_t Agent, int32_t Barrier);
  void noteRemote(int32_t Agent, int32_t CTA) {
    if (CTA != P.Agents[Agent].CTA)
      Remote[size_t(Agent) * CTAs + CTA] = event(Agent).Time;
  }
  void explainDeadlock();
  void checkEnds();

  std::string describe(int32_t Agent, int32_t At) const;
  std::vector<std::string> trace(ArrayRef<Count> Cone,
                                 ArrayRef<int32_t> Then) const;
  int64_t operations(ArrayRef<Count> Cone) const {
    return std::accumulate(Cone.begin(), Cone.begin() + Agents, int64_t(0));
  }
  /// Stops the run. The trace is what \p Agent knows, and then the operation
  /// that it is at: others need not have come as far.
  void fail(Property Violated, int32_t Agent, const Twine &Message);
  /// A premise does not hold. What comes of it says more, if it shows.
  void suspect(Property Violated, int32_t Agent, const Twine &Message);
  ProtocolFailure failure(Property Violated, int32_t Agent,
                          const Twine &Message, ArrayRef<Count> Besides = {});
  const std::string &nameOf(int32_t Agent) const {
    return P.Agents[Agent].Name;
  }
};

} // namespace warpwright::exploration

#endif // WARPWRIGHT_LIB_PLAN_EXPLORER_H
