//===- ProtocolExplore.cpp - All interleavings of a protocol --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One run, in which every agent takes one step in turn, with vector clocks:
// a clock holds for each agent how many of its operations are known to have
// happened, and for each barrier that counts bytes how many of its phases are
// known to be complete (copies are no agent's operation). An operation is
// before another in all runs exactly when the other's clock covers it. Why one
// run decides for all is in Protocol.h; the premises are checked on the way.
//
//===----------------------------------------------------------------------===//

#include "Explorer.h"

#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace llvm;

namespace warpwright {
namespace exploration {

Explorer::Explorer(const Protocol &P, Event Late)
    : P(P), Agents(int32_t(P.Agents.size())), Late(Late) {
  Width = Agents;
  Barriers.resize(P.Barriers.size());
  for (size_t I = 0; I < Barriers.size(); ++I) {
    Barriers[I].Pending = P.Barriers[I].Expected;
    if (P.Barriers[I].CountsBytes)
      Barriers[I].Component = Width++;
    CTAs = std::max(CTAs, P.Barriers[I].CTA + 1);
  }
  Width = (Width + 15) / 16 * 16; // whole vectors
  State.resize(Agents);
  Buffers.resize(P.Buffers.size());
  Known.resize(size_t(Agents) * Width);
  Phases.resize(Barriers.size() * 3 * Width);
  Initialised.resize(CTAs);
  Remote.resize(size_t(Agents) * CTAs);
}

bool Explorer::checkInit(int32_t Agent, int32_t Barrier) {
  const ProtocolBarrier &B = P.Barriers[Barrier];
  if (B.K != ProtocolBarrier::Mbarrier || knows(Agent, Initialised[B.CTA]))
    return true;
  fail(Property::BarrierInit, Agent,
       nameOf(Agent) + " uses " + B.Name.str() +
           ", which may not be initialised yet");
  return false;
}

void Explorer::complete(int32_t Barrier) {
  BarrierState &B = Barriers[Barrier];
  if (B.Pending != 0 || B.Bytes != 0)
    return;
  const ProtocolBarrier &Spec = P.Barriers[Barrier];
  Clock Now = phase(Barrier, Gathering);
  if (Spec.K == ProtocolBarrier::Mbarrier)
    for (const Event &E : B.Passed)
      if (Now[E.Agent] < E.Time)
        suspect(Property::PhaseSlip, E.Agent,
                nameOf(E.Agent) + " may still wait for phase " +
                    Twine(B.Done - 1) + " of " + Spec.Name.str() +
                    " when phase " + Twine(B.Done) +
                    " completes, whose parity it takes for not past");
  B.Passed.clear();
  Clock Before = phase(Barrier, Last);
  llvm::copy(Before, phase(Barrier, Previous).begin());
  llvm::copy(Now, Before.begin());
  std::fill(Now.begin(), Now.end(), 0);
  ++B.Done;
  B.Pending = Spec.Expected;
  if (B.Component >= 0)
    Before[B.Component] = Count(B.Done);
}

/// An arrival, or bytes, for phase Op.Phase of \p Target. Whether they can be
/// counted for that phase only.
static const char Unordered[] =
    " without knowing that the phase before is complete: it may count for that";

void Explorer::arrive(int32_t Agent, const ProtocolOp &Op, int32_t Target) {
  if (!checkInit(Agent, Target))
    return;
  BarrierState &B = Barriers[Target];
  const ProtocolBarrier &Spec = P.Barriers[Target];
  noteRemote(Agent, Spec.K == ProtocolBarrier::Mbarrier ? Spec.CTA
                                                        : P.Agents[Agent].CTA);
  const bool Copies = Op.K == ProtocolOp::Copy;
  if (B.Done > Op.Phase)
    return fail(
        Copies ? Property::TransactionBytes : Property::ArrivalCount, Agent,
        Copies
            ? std::string(
                  formatv("{0} completes phase {1} before all its bytes "
                          "have come",
                          Spec.Name.str(), Op.Phase))
            : std::string(formatv("{0} expects {1} arrivals a phase and "
                                  "completes phase {2} while more are to come",
                                  Spec.Name.str(), Spec.Expected, Op.Phase)));
  if (B.Done < Op.Phase)
    suspect(Property::ArrivalOrder, Agent,
            nameOf(Agent) + " arrives at " + Spec.Name.str() + Unordered);
  else if (B.Done > 0 &&
           !(B.Component >= 0 ? known(Agent)[B.Component] >= B.Done
                              : covers(known(Agent), phase(Target, Last))))
    suspect(Property::ArrivalOrder, Agent,
            nameOf(Agent) + " arrives at " + Spec.Name.str() + Unordered);
  if (Copies) {
    B.Bytes -= Op.Bytes;
    if (B.Pending == 0 && B.Bytes < 0) {
      // Known or not, the others have had to send theirs.
      Failure =
          failure(Property::TransactionBytes, Agent,
                  Spec.Name.str() + " expects fewer bytes than are copied",
                  phase(Target, Gathering));
      return;
    }
  } else {
    B.Pending -= Op.Count;
    B.Bytes += Op.Bytes;
    if (B.Pending < 0)
      return fail(Property::ArrivalCount, Agent,
                  formatv("{0} expects {1} arrivals a phase, and gets more",
                          Spec.Name.str(), Spec.Expected));
  }
  Clock Now = phase(Target, Gathering);
  join(Now, known(Agent));
  Now[Agent] = std::max(Now[Agent], event(Agent).Time);
  complete(Target);
}

bool Explorer::wait(int32_t Agent, const ProtocolOp &Op) {
  const int32_t Target = Op.Targets[0];
  BarrierState &B = Barriers[Target];
  const ProtocolBarrier &Spec = P.Barriers[Target];
  const bool ByParity = Spec.K == ProtocolBarrier::Mbarrier;
  if (!checkInit(Agent, Target))
    return false;
  if (ByParity && Op.Parity != (Op.Phase & 1)) {
    fail(Property::Parity, Agent,
         formatv("{0} waits for parity {1} of {2}, but phase {3}, which it "
                 "needs, has parity {4}",
                 nameOf(Agent), int(Op.Parity), Spec.Name.str(), Op.Phase,
                 Op.Phase & 1));
    return false;
  }
  State[Agent].Waits = B.Done <= Op.Phase;
  if (State[Agent].Waits)
    return false;
  if (B.Done > Op.Phase + 1) {
    fail(ByParity ? Property::PhaseSlip : Property::NamedBarrier, Agent,
         nameOf(Agent) + " is still at phase " + Twine(Op.Phase) + " of " +
             Spec.Name.str() + ", which has completed two");
    return false;
  }
  if (ByParity && Op.Phase > 0 &&
      !(B.Component >= 0 ? known(Agent)[B.Component] >= Op.Phase
                         : covers(known(Agent), phase(Target, Previous))))
    suspect(Property::PhaseSlip, Agent,
            nameOf(Agent) + " waits for phase " + Twine(Op.Phase) + " of " +
                Spec.Name.str() +
                " without knowing that the one before is past: it may take "
                "the one before that for it");
  if (Op.Phase >= 0)
    join(known(Agent), phase(Target, Last));
  if (ByParity)
    B.Passed.push_back(event(Agent));
  return true;
}

bool Explorer::step(int32_t Agent) {
  AgentState &A = State[Agent];
  const ProtocolOp &Op = P.Agents[Agent].Script[A.At];
  switch (Op.K) {
  case ProtocolOp::Initialise:
    Initialised[P.Agents[Agent].CTA] = event(Agent);
    break;
  case ProtocolOp::Arrive:
    for (int32_t Target : Op.Targets)
      arrive(Agent, Op, Target);
    break;
  case ProtocolOp::WaitPhase:
    if (!wait(Agent, Op))
      return false;
    break;
  case ProtocolOp::Copy:
    for (auto [Target, Buffer] : llvm::zip(Op.Targets, Op.Buffers))
      copy(Agent, Op, Target, Buffer);
    break;
  case ProtocolOp::Read:
    read(Agent, Op);
    break;
  case ProtocolOp::WaitReads:
    while (int32_t(A.Reads.size()) > Op.Count) {
      endUse(Agent, A.Reads.front());
      A.Reads.erase(A.Reads.begin());
      A.ReadFragments.erase(A.ReadFragments.begin());
      A.ReadAccumulators.erase(A.ReadAccumulators.begin());
    }
    break;
  case ProtocolOp::Round:
    round(Agent, Op);
    break;
  case ProtocolOp::FenceReads:
    A.TouchedResults = false;
    for (AgentState::Fragments &Set : A.Rows)
      Set.Touched = false;
    break;
  case ProtocolOp::Clear:
    A.HasResults[Op.Accumulators] = true;
    [[fallthrough]];
  case ProtocolOp::UseResults:
    if (is_contained(A.ReadAccumulators, Op.Accumulators))
      fail(Property::AccumulatorInFlight, Agent,
           nameOf(Agent) + " uses accumulators that wgmma may still change");
    if (!A.HasResults[Op.Accumulators])
      fail(Property::AccumulatorInFlight, Agent,
           nameOf(Agent) + " uses accumulators that hold no product");
    A.TouchedResults = true;
    break;
  case ProtocolOp::UseSums:
    break;
  case ProtocolOp::Rewrite:
    rewrite(Agent, Op);
    break;
  case ProtocolOp::Write:
    write(Agent, Op);
    break;
  case ProtocolOp::FenceProxy:
    for (auto [Buffer, Position] : A.Unfenced)
      if (size_t(Position) < Buffers[Buffer].Writes.size())
        Buffers[Buffer].Writes[Position].Fence = event(Agent);
    A.Unfenced.clear();
    break;
  case ProtocolOp::Load:
    load(Agent, Op);
    break;
  case ProtocolOp::Store:
    send(Agent, Op);
    break;
  case ProtocolOp::Commit:
    A.Groups.emplace_back(A.OpenStores.begin(), A.OpenStores.end());
    A.OpenStores.clear();
    break;
  case ProtocolOp::WaitStores:
    while (int32_t(A.Groups.size()) > Op.Count) {
      for (auto Use : A.Groups.front())
        endUse(Agent, Use);
      A.Groups.erase(A.Groups.begin());
    }
    break;
  case ProtocolOp::Leave:
    leave(Agent);
    break;
  }
  if (Failure)
    return false;
  known(Agent)[Agent] = event(Agent).Time;
  if (Late.Agent == Agent && Late.Time == event(Agent).Time)
    KnownLate.assign(known(Agent).begin(), known(Agent).end());
  Order.push_back({Agent, A.At});
  ++A.At;
  return true;
}

std::optional<ProtocolFailure> Explorer::run() {
  bool Progress = true;
  while (Progress && !Failure) {
    Progress = false;
    for (int32_t Agent = 0; Agent < Agents && !Failure; ++Agent) {
      const AgentState &A = State[Agent];
      if (A.At == int32_t(P.Agents[Agent].Script.size()))
        continue;
      const ProtocolOp &Op = P.Agents[Agent].Script[A.At];
      if (A.Waits && Barriers[Op.Targets[0]].Done <= Op.Phase)
        continue;
      Progress |= step(Agent);
    }
  }
  if (!Failure) {
    if (llvm::all_of(State, [](const AgentState &A) { return A.Left; }))
      checkEnds();
    else
      explainDeadlock();
  }
  return Failure ? std::move(Failure) : std::move(Premise);
}

} // namespace exploration

using exploration::Explorer;

std::optional<ProtocolFailure> exploreRun(const Protocol &P) {
  Explorer First(P);
  std::optional<ProtocolFailure> Bad = First.run();
  return First.late().Time ? Explorer(P, First.late()).run() : std::move(Bad);
}

std::optional<ProtocolFailure>
exploreProtocol(const KernelPlan &P, ProtocolCoverage &Coverage,
                function_ref<void(Protocol &)> Change) {
  std::set<int64_t> Trips;
  for (int64_t K :
       {LeastKBlocks, P.Stages - 1, P.Stages, P.Stages + 1, 2 * P.Stages + 1})
    if (K >= LeastKBlocks)
      Trips.insert(K);
  ProtocolScope Scope;
  P.Feed->scope(P, Scope);
  Trips.insert(Scope.Trips.begin(), Scope.Trips.end());
  Coverage.KBlocks.assign(Trips.begin(), Trips.end());
  Coverage.Tiles.clear();
  for (int64_t Tiles = 0; Tiles <= Scope.MostTiles; ++Tiles)
    Coverage.Tiles.push_back(Tiles);
  std::optional<ProtocolFailure> Bad;
  auto Explore = [&](const ProtocolRun &Run) {
    Protocol Unrolled = buildProtocol(P, Run);
    if (Change)
      Change(Unrolled);
    ++Coverage.Runs;
    Coverage.Agents = int64_t(Unrolled.Agents.size());
    for (const ProtocolAgent &A : Unrolled.Agents)
      Coverage.Operations += int64_t(A.Script.size());
    Bad = exploreRun(Unrolled);
    if (Bad)
      Bad->Message = Run.str() + ": " + Bad->Message;
    return !Bad;
  };
  for (int64_t Tiles : Coverage.Tiles)
    for (int64_t KBlocks : Coverage.KBlocks)
      for (const auto &[TmaStores, RawBlocks] :
           {std::pair(true, false), {false, false}, {true, true}}) {
        // How a slab goes out concerns the epilogue alone: with one block and
        // with more than there are stages is enough.
        if (!TmaStores && (!P.Store->stages() || (KBlocks != LeastKBlocks &&
                                                  KBlocks != P.Stages + 1)))
          continue;
        // Raw blocks concern the stages alone.
        if (RawBlocks && (!Scope.RawBlocks || Tiles > 2 ||
                          (KBlocks != LeastKBlocks && KBlocks <= P.Stages)))
          continue;
        if (!Explore({KBlocks, Tiles, TmaStores, RawBlocks, {}, false}))
          return Bad;
      }
  Coverage.CutTiles = runtimeChoice(P).cuts_tiles();
  if (!Coverage.CutTiles)
    return std::nullopt;
  for (int64_t Tiles : {1, 2})
    for (int64_t KBlocks : Coverage.KBlocks)
      for (const bool HandsOver : {true, false})
        if (KBlocks > 1 && !Explore({KBlocks,
                                     Tiles,
                                     true,
                                     false,
                                     {HandsOver ? 1 : KBlocks - 1},
                                     HandsOver}))
          return Bad;
  return std::nullopt;
}

} // namespace warpwright
