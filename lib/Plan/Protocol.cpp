//===- Protocol.cpp - The barrier protocol of a plan ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protocol.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace llvm;

namespace warpwright {

namespace {

/// How many events of each agent are known to have happened.
using Clock = SmallVector<int64_t, 8>;

void join(Clock &Into, const Clock &From) {
  for (size_t I = 0; I < Into.size(); ++I)
    Into[I] = std::max(Into[I], From[I]);
}

/// An event of one agent; happened before everything whose clock covers it.
struct Event {
  size_t Agent = 0;
  int64_t Time = 0;
  bool before(const Clock &C) const { return Time <= C[Agent]; }
};

struct Operation {
  enum Kind {
    Wait,   ///< for phase Phase of Barrier
    Arrive, ///< Count arrivals at Barrier, expecting Bytes more
    Copy,   ///< Bytes into stage Stage of CTA, reported to Barrier
    Read,   ///< all of stage Stage of CTA, which must hold block Block
    Signal, ///< this agent's half of named barrier Barrier
    Meet,   ///< the same, and wait for the other half
  };
  Kind K;
  size_t Barrier = 0;
  int64_t Phase = 0, Count = 0, Bytes = 0;
  int64_t CTA = 0, Stage = 0, Block = 0;
};

struct Agent {
  std::string Name;
  std::vector<Operation> Script;
  size_t At = 0;
  Clock Known;
  bool Signalled = false; ///< its half of a named barrier is given
  int64_t Round = 0;      ///< of the named barrier that it meets at
};

struct Barrier {
  std::string Name;
  int64_t Expected = 0; ///< arrivals per phase
  int64_t Pending = 0, PendingBytes = 0;
  Clock Arrived;
  std::vector<Clock> Phases; ///< what was known when each completed
  std::vector<SmallVector<Event, 4>> Passed;
};

/// The copies that fill a stage for one block of k, and who reads it.
struct StageUse {
  int64_t Block = -1, Bytes = 0;
  SmallVector<Event, 4> Writes, Reads;
};

class Simulation {
public:
  Simulation(const KernelPlan &P, const ProtocolRun &Run);
  Error run();

private:
  const KernelPlan &P;
  const ProtocolRun &Run;
  int64_t CTAs, Groups;
  std::vector<Agent> Agents;
  std::vector<Barrier> Barriers;
  std::vector<StageUse> Stages; ///< of all CTAs

  size_t full(int64_t CTA, int64_t Stage) const {
    return CTA * P.Stages + Stage;
  }
  size_t empty(int64_t CTA, int64_t Stage) const {
    return (CTAs + CTA) * P.Stages + Stage;
  }
  size_t turn(int64_t CTA, int64_t Group) const {
    return 2 * CTAs * P.Stages + 2 * CTA + Group;
  }
  void writeProducer(Agent &A, int64_t CTA);
  void writeConsumer(Agent &A, int64_t CTA, int64_t Group);
  /// Whether the agent got on; or what it did wrong.
  Expected<bool> step(Agent &A, size_t Self);
  Error copy(Agent &A, size_t Self, const Operation &Op);
  Error read(Agent &A, size_t Self, const Operation &Op);
  void completeIfDone(Barrier &B);
  Error checkParities() const;
};

} // namespace

Simulation::Simulation(const KernelPlan &P, const ProtocolRun &Run)
    : P(P), Run(Run), CTAs(P.clusterSize()), Groups(P.ConsumerWarpgroups) {
  for (bool Full : {true, false})
    for (int64_t CTA = 0; CTA < CTAs; ++CTA)
      for (int64_t Stage = 0; Stage < P.Stages; ++Stage) {
        Barrier B;
        B.Name =
            formatv("{0}[{1}] of CTA {2}", Full ? "full" : "empty", Stage, CTA);
        B.Expected = B.Pending = Full ? 1 : P.EmptyArrivals;
        Barriers.push_back(std::move(B));
      }
  for (int64_t CTA = 0; CTA < CTAs; ++CTA)
    for (int64_t Group = 0; Group < 2; ++Group) {
      Barrier B;
      B.Name = formatv("turn of group {0} of CTA {1}", Group, CTA);
      B.Expected = B.Pending = 2;
      Barriers.push_back(std::move(B));
    }
  for (int64_t CTA = 0; CTA < CTAs; ++CTA) {
    Agents.emplace_back();
    Agents.back().Name = formatv("producer of CTA {0}", CTA);
    writeProducer(Agents.back(), CTA);
    for (int64_t Group = 0; Group < Groups; ++Group) {
      Agents.emplace_back();
      Agents.back().Name = formatv("consumer {0} of CTA {1}", Group, CTA);
      writeConsumer(Agents.back(), CTA, Group);
    }
  }
  Stages.resize(CTAs * P.Stages);
  for (Agent &A : Agents)
    A.Known.assign(Agents.size(), 0);
  for (Barrier &B : Barriers)
    B.Arrived.assign(Agents.size(), 0);
}

void Simulation::writeProducer(Agent &A, int64_t CTA) {
  int64_t Row = CTA % P.clusterRows(), Column = CTA / P.clusterRows();
  for (int64_t Block = 0; Block < Run.Tiles * Run.KBlocks; ++Block) {
    int64_t Stage = Block % P.Stages, Round = Block / P.Stages;
    // The first round is free: a fresh barrier's phase before the first counts
    // as past.
    if (Round > 0)
      A.Script.push_back(
          {Operation::Wait, empty(CTA, Stage), Round - 1, 0, 0, 0, 0, 0});
    A.Script.push_back({Operation::Arrive, full(CTA, Stage), 0, 1,
                        P.TransactionBytes, 0, 0, 0});
    // CTAs in the same row of the cluster need the same rows operand, those in
    // the same column the same columns operand.
    for (int64_t Target = 0; Target < CTAs; ++Target)
      for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
        bool Needs = O == &P.Rows ? Target % P.clusterRows() == Row
                                  : Target / P.clusterRows() == Column;
        if (Needs) // all boxes of the share in one
          A.Script.push_back({Operation::Copy, full(Target, Stage), 0, 0,
                              O->BoxCount * O->BoxBytes, Target, Stage, Block});
      }
  }
}

void Simulation::writeConsumer(Agent &A, int64_t CTA, int64_t Group) {
  auto Release = [&](int64_t Block) {
    for (int64_t Target = 0; Target < CTAs; ++Target)
      A.Script.push_back({Operation::Arrive, empty(Target, Block % P.Stages), 0,
                          4, 0, 0, 0, 0});
  };
  auto Read = [&](int64_t Block) {
    A.Script.push_back(
        {Operation::Read, 0, 0, 0, 0, CTA, Block % P.Stages, Block});
  };
  for (int64_t Tile = 0; Tile < Run.Tiles; ++Tile) {
    if (P.Pingpong && Tile % 2 != Group)
      continue;
    if (P.Pingpong && Run.TakeTurns && Tile > 0)
      A.Script.push_back({Operation::Meet, turn(CTA, Group), 0, 0, 0, 0, 0, 0});
    for (int64_t K = 0; K < Run.KBlocks; ++K) {
      int64_t Block = Tile * Run.KBlocks + K;
      A.Script.push_back({Operation::Wait, full(CTA, Block % P.Stages),
                          Block / P.Stages, 0, 0, 0, 0, 0});
      // The products of the block before are done only now: until then its
      // stage was being read.
      if (!Run.ReleaseLate)
        Release(Block);
      if (K > 0) {
        Read(Block - 1);
        if (Run.ReleaseLate)
          Release(Block - 1);
      }
    }
    if (P.Pingpong && Run.TakeTurns && Tile + 1 < Run.Tiles)
      A.Script.push_back(
          {Operation::Signal, turn(CTA, 1 - Group), 0, 0, 0, 0, 0, 0});
    Read((Tile + 1) * Run.KBlocks - 1);
    if (Run.ReleaseLate)
      Release((Tile + 1) * Run.KBlocks - 1);
  }
}

void Simulation::completeIfDone(Barrier &B) {
  if (B.Pending != 0 || B.PendingBytes != 0)
    return;
  B.Phases.push_back(B.Arrived);
  B.Passed.resize(B.Phases.size() + 1);
  B.Pending = B.Expected;
}

Error Simulation::copy(Agent &A, size_t Self, const Operation &Op) {
  StageUse &Use = Stages[Op.CTA * P.Stages + Op.Stage];
  if (Use.Block != Op.Block) {
    for (const Event &E : Use.Reads)
      if (!E.before(A.Known))
        return createStringError(
            A.Name + " overwrites stage " + Twine(Op.Stage) + " of CTA " +
            Twine(Op.CTA) + " with block " + Twine(Op.Block) + " while " +
            Agents[E.Agent].Name + " may still read block " + Twine(Use.Block));
    if (Use.Block >= 0 && Use.Reads.empty())
      return createStringError(A.Name + " overwrites block " +
                               Twine(Use.Block) + ", which nobody has read");
    Use = StageUse();
    Use.Block = Op.Block;
  }
  Use.Writes.push_back({Self, A.Known[Self]});
  Use.Bytes += Op.Bytes;
  Barrier &B = Barriers[Op.Barrier];
  B.PendingBytes -= Op.Bytes;
  join(B.Arrived, A.Known);
  completeIfDone(B);
  return Error::success();
}

Error Simulation::read(Agent &A, size_t Self, const Operation &Op) {
  StageUse &Use = Stages[Op.CTA * P.Stages + Op.Stage];
  if (Use.Block != Op.Block)
    return createStringError(A.Name + " reads block " + Twine(Op.Block) +
                             " from a stage that holds block " +
                             Twine(Use.Block));
  bool Arrived =
      Use.Bytes == P.StageBytes &&
      all_of(Use.Writes, [&](const Event &E) { return E.before(A.Known); });
  if (!Arrived)
    return createStringError(A.Name + " reads block " + Twine(Op.Block) +
                             " before all of it has arrived");
  Use.Reads.push_back({Self, A.Known[Self]});
  return Error::success();
}

Expected<bool> Simulation::step(Agent &A, size_t Self) {
  const Operation &Op = A.Script[A.At];
  Barrier &B = Barriers[Op.Barrier];
  if (Op.K == Operation::Wait) {
    int64_t Done = int64_t(B.Phases.size());
    // The hardware compares one bit: a phase that is not known to be past
    // looks like the one after it.
    if (Op.Phase > 0 && (Done < Op.Phase || [&] {
          const Clock &Known = B.Phases[Op.Phase - 1];
          for (size_t I = 0; I < Known.size(); ++I)
            if (Known[I] > A.Known[I])
              return true;
          return false;
        }()))
      return createStringError(A.Name + " waits for phase " + Twine(Op.Phase) +
                               " of " + B.Name +
                               " without knowing that the phase before it is "
                               "over: their parities differ, and it could "
                               "pass too early");
    if (Done <= Op.Phase)
      return false;
    join(A.Known, B.Phases[Op.Phase]);
  } else if (Op.K == Operation::Meet) {
    if (!A.Signalled) {
      A.Signalled = true;
      A.Round = int64_t(B.Phases.size());
      ++A.Known[Self];
      join(B.Arrived, A.Known);
      --B.Pending;
      completeIfDone(B);
    }
    if (int64_t(B.Phases.size()) <= A.Round)
      return false;
    A.Signalled = false;
    join(A.Known, B.Phases[A.Round]);
  }
  ++A.Known[Self];
  ++A.At;
  switch (Op.K) {
  case Operation::Wait:
    B.Passed[Op.Phase].push_back({Self, A.Known[Self]});
    break;
  case Operation::Arrive:
  case Operation::Signal:
    if (B.Pending == 0)
      return createStringError("more arrivals at " + B.Name +
                               " than it expects");
    B.Pending -= Op.K == Operation::Signal ? 1 : Op.Count;
    if (B.Pending < 0)
      return createStringError("more arrivals at " + B.Name +
                               " than it expects");
    B.PendingBytes += Op.Bytes;
    join(B.Arrived, A.Known);
    completeIfDone(B);
    break;
  case Operation::Copy:
    if (Error E = copy(A, Self, Op))
      return E;
    break;
  case Operation::Read:
    if (Error E = read(A, Self, Op))
      return E;
    break;
  case Operation::Meet:
    break;
  }
  return true;
}

/// A waiter that is late must not find the phase after its own over as well.
Error Simulation::checkParities() const {
  for (const Barrier &B : Barriers)
    for (size_t Phase = 0; Phase + 1 < B.Phases.size(); ++Phase)
      for (const Event &Pass : B.Passed[Phase])
        if (!Pass.before(B.Phases[Phase + 1]))
          return createStringError(
              Agents[Pass.Agent].Name + " may find " + B.Name +
              " two phases further than the phase " + Twine(Phase) +
              " that it waits for, and wait forever");
  return Error::success();
}

Error Simulation::run() {
  bool Progress = true;
  while (Progress) {
    Progress = false;
    for (size_t I = 0; I < Agents.size(); ++I)
      while (Agents[I].At < Agents[I].Script.size()) {
        Expected<bool> Went = step(Agents[I], I);
        if (!Went)
          return Went.takeError();
        if (!*Went)
          break;
        Progress = true;
      }
  }
  for (const Agent &A : Agents)
    if (A.At < A.Script.size())
      return createStringError("deadlock: " + A.Name + " waits for " +
                               Barriers[A.Script[A.At].Barrier].Name);
  return checkParities();
}

Error runProtocol(const KernelPlan &P, const ProtocolRun &Run) {
  return Simulation(P, Run).run();
}

Expected<std::string> exploreProtocol(const KernelPlan &P) {
  std::set<int64_t> Trips = {1, std::max<int64_t>(1, P.Stages - 1), P.Stages,
                             P.Stages + 1, 2 * P.Stages + 1};
  for (int64_t KBlocks : Trips)
    for (int64_t Tiles = 1; Tiles <= 4; ++Tiles) {
      ProtocolRun Run;
      Run.KBlocks = KBlocks;
      Run.Tiles = Tiles;
      if (Error E = runProtocol(P, Run))
        return createStringError(
            formatv("with {0} blocks of k and {1} tiles: {2}", KBlocks, Tiles,
                    toString(std::move(E))));
    }
  std::string Counts;
  for (int64_t KBlocks : Trips)
    Counts += (Counts.empty() ? "" : ", ") + std::to_string(KBlocks);
  return formatv("protocol: {0} blocks of k by 1 to 4 tiles end, no stage is "
                 "overwritten in use or read too early, no parity is ambiguous",
                 Counts)
      .str();
}

} // namespace warpwright
