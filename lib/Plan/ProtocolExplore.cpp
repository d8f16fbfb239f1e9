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

#include "warpwright/Plan/Protocol.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>
#include <set>

using namespace llvm;

namespace warpwright {

namespace {

using Count = int16_t; ///< operations of an agent: a few thousand
using Clock = MutableArrayRef<Count>;

void join(Clock Into, ArrayRef<Count> From) {
  Count *To = Into.data();
  const Count *With = From.data();
  for (size_t I = 0, E = Into.size(); I < E; ++I)
    To[I] = std::max(To[I], With[I]);
}
bool covers(ArrayRef<Count> Known, ArrayRef<Count> What) {
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

struct BufferState {
  int32_t Tag = -1;
  int64_t Filled = 0;              ///< bytes that have been sent here
  int32_t Barrier = -1, Phase = 0; ///< that tells when they are there
  SmallVector<BufferUse, 4> Uses;  ///< reads of a stage, writes of a buffer
  /// Of a staged slab: the TMA store, or ordinary loads.
  SmallVector<BufferUse, 4> Sends;
  bool SentByTma = false;
  /// The same for the content before, which whoever fills must know to be done
  /// with.
  int32_t OldTag = -1;
  SmallVector<BufferUse, 4> OldUses, OldSends;
  bool OldSentByTma = false;
};

struct AgentState {
  int32_t At = 0;
  bool TouchedResults = true; ///< accumulators, since the last fence
  bool HasResults = false;    ///< something has been multiplied
  /// Buffers and positions in their Uses or Sends.
  SmallVector<std::pair<int32_t, int32_t>, 4> Reads, Unfenced, OpenStores;
  SmallVector<SmallVector<std::pair<int32_t, int32_t>, 1>, 4> Groups;
  bool Left = false;
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
  bool wait(int32_t Agent, const ProtocolOp &Op);
  void arrive(int32_t Agent, const ProtocolOp &Op, int32_t Target);
  void copy(int32_t Agent, const ProtocolOp &Op, int32_t Target,
            int32_t Buffer);
  void read(int32_t Agent, const ProtocolOp &Op);
  void write(int32_t Agent, const ProtocolOp &Op);
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

} // namespace

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

std::string Explorer::describe(int32_t Agent, int32_t At) const {
  const ProtocolOp &Op = P.Agents[Agent].Script[At];
  std::string Text = nameOf(Agent) + " " + name(Op.Where).str();
  auto Block = [&] { return " (block " + std::to_string(Op.Tag) + ")"; };
  switch (Op.K) {
  case ProtocolOp::WaitPhase: {
    const ProtocolBarrier &B = P.Barriers[Op.Targets[0]];
    if (B.K == ProtocolBarrier::Mbarrier)
      Text += formatv(": {0}, parity {1}", B.Name, int(Op.Parity));
    break;
  }
  case ProtocolOp::Arrive: {
    const ProtocolBarrier &B = P.Barriers[Op.Targets[0]];
    if (B.K == ProtocolBarrier::Named)
      Text += ": " + B.Name + ", arrives";
    else if (B.K == ProtocolBarrier::Cluster)
      Text += ": arrives";
    else
      Text += ": " + B.Name;
    if (Op.Targets.size() > 1)
      Text += " and " + std::to_string(Op.Targets.size() - 1) + " more";
    if (Op.Bytes)
      Text += ", " + std::to_string(Op.Bytes) + " bytes";
    break;
  }
  case ProtocolOp::Copy:
    Text += formatv(" to {0}", P.Buffers[Op.Buffers[0]].Name);
    if (Op.Buffers.size() > 1)
      Text += " and " + std::to_string(Op.Buffers.size() - 1) + " more";
    Text += formatv(", {0} bytes{1}", Op.Bytes, Block());
    break;
  case ProtocolOp::Read:
    Text += ": " + P.Buffers[Op.Buffers[0]].Name + Block();
    break;
  case ProtocolOp::Write:
  case ProtocolOp::Store:
  case ProtocolOp::Load:
    Text += formatv(": {0} (slab {1})", P.Buffers[Op.Buffers[0]].Name, Op.Tag);
    break;
  default:
    break;
  }
  return Text;
}

std::vector<std::string> Explorer::trace(ArrayRef<Count> Cone,
                                         ArrayRef<int32_t> Then) const {
  std::vector<std::string> Lines;
  bool Met = false;
  for (auto [Agent, At] : Order) {
    if (At >= Cone[Agent])
      continue;
    // A meeting is an arrival and a wait; one line is enough.
    const ProtocolOp &Op = P.Agents[Agent].Script[At];
    if (Op.K == ProtocolOp::WaitPhase &&
        P.Barriers[Op.Targets[0]].K != ProtocolBarrier::Mbarrier)
      continue;
    if (Op.Where == Site::FirstSync && Agents > 1) {
      if (!std::exchange(Met, true))
        Lines.push_back("all meet, behind the initialisation");
      continue;
    }
    Lines.push_back(describe(Agent, At));
  }
  for (int32_t Agent : Then)
    if (State[Agent].At < int32_t(P.Agents[Agent].Script.size()))
      Lines.push_back(describe(Agent, State[Agent].At));
  return Lines;
}

ProtocolFailure Explorer::failure(Property Violated, int32_t Agent,
                                  const Twine &Message,
                                  ArrayRef<Count> Besides) {
  std::vector<Count> Cone(known(Agent).begin(), known(Agent).end());
  if (!Besides.empty())
    join(Cone, Besides);
  return {Violated, Message.str(), trace(Cone, {Agent}), operations(Cone) + 1};
}

void Explorer::fail(Property Violated, int32_t Agent, const Twine &Message) {
  if (!Failure)
    Failure = failure(Violated, Agent, Message);
}

void Explorer::suspect(Property Violated, int32_t Agent, const Twine &Message) {
  if (!Premise)
    Premise = failure(Violated, Agent, Message);
}

bool Explorer::checkInit(int32_t Agent, int32_t Barrier) {
  const ProtocolBarrier &B = P.Barriers[Barrier];
  if (B.K != ProtocolBarrier::Mbarrier || knows(Agent, Initialised[B.CTA]))
    return true;
  fail(Property::BarrierInit, Agent,
       nameOf(Agent) + " uses " + B.Name +
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
                    Twine(B.Done - 1) + " of " + Spec.Name + " when phase " +
                    Twine(B.Done) +
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
                          Spec.Name, Op.Phase))
            : std::string(formatv("{0} expects {1} arrivals a phase and "
                                  "completes phase {2} while more are to come",
                                  Spec.Name, Spec.Expected, Op.Phase)));
  if (B.Done < Op.Phase)
    suspect(Property::ArrivalOrder, Agent,
            nameOf(Agent) + " arrives at " + Spec.Name + Unordered);
  else if (B.Done > 0 &&
           !(B.Component >= 0 ? known(Agent)[B.Component] >= B.Done
                              : covers(known(Agent), phase(Target, Last))))
    suspect(Property::ArrivalOrder, Agent,
            nameOf(Agent) + " arrives at " + Spec.Name + Unordered);
  if (Copies) {
    B.Bytes -= Op.Bytes;
    if (B.Pending == 0 && B.Bytes < 0) {
      // Known or not, the others have had to send theirs.
      Failure = failure(Property::TransactionBytes, Agent,
                        Spec.Name + " expects fewer bytes than are copied",
                        phase(Target, Gathering));
      return;
    }
  } else {
    B.Pending -= Op.Count;
    B.Bytes += Op.Bytes;
    if (B.Pending < 0)
      return fail(Property::ArrivalCount, Agent,
                  formatv("{0} expects {1} arrivals a phase, and gets more",
                          Spec.Name, Spec.Expected));
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
                 nameOf(Agent), int(Op.Parity), Spec.Name, Op.Phase,
                 Op.Phase & 1));
    return false;
  }
  if (B.Done <= Op.Phase)
    return false;
  if (B.Done > Op.Phase + 1) {
    fail(ByParity ? Property::PhaseSlip : Property::NamedBarrier, Agent,
         nameOf(Agent) + " is still at phase " + Twine(Op.Phase) + " of " +
             Spec.Name + ", which has completed two");
    return false;
  }
  if (ByParity && Op.Phase > 0 &&
      !(B.Component >= 0 ? known(Agent)[B.Component] >= Op.Phase
                         : covers(known(Agent), phase(Target, Previous))))
    suspect(Property::PhaseSlip, Agent,
            nameOf(Agent) + " waits for phase " + Twine(Op.Phase) + " of " +
                Spec.Name +
                " without knowing that the one before is past: it may take "
                "the one before that for it");
  if (Op.Phase >= 0)
    join(known(Agent), phase(Target, Last));
  if (ByParity)
    B.Passed.push_back(event(Agent));
  return true;
}

void Explorer::copy(int32_t Agent, const ProtocolOp &Op, int32_t Target,
                    int32_t Buffer) {
  BufferState &S = Buffers[Buffer];
  const ProtocolBuffer &Spec = P.Buffers[Buffer];
  if (S.Tag != Op.Tag) {
    S.OldTag = S.Tag;
    S.OldUses = std::move(S.Uses);
    S.Uses.clear();
    S.Tag = Op.Tag;
    S.Filled = 0;
    S.Barrier = Target;
    S.Phase = Op.Phase;
  }
  if (S.OldTag >= 0) {
    for (const BufferUse &Use : S.OldUses)
      if (!knows(Agent, Use.End))
        return fail(Property::StageOverwritten, Agent,
                    nameOf(Agent) + " fills " + Spec.Name + " with block " +
                        Twine(Op.Tag) + " while " + nameOf(Use.Begin.Agent) +
                        " may still read block " + Twine(S.OldTag));
    if (int32_t(S.OldUses.size()) != Spec.Users)
      return fail(Property::StageOverwritten, Agent,
                  formatv("{0} fills {1} with block {2} when {3} of {4} warps "
                          "have read block {5}",
                          nameOf(Agent), Spec.Name, Op.Tag, S.OldUses.size(),
                          Spec.Users, S.OldTag));
  }
  S.Filled += Op.Bytes;
  if (S.Barrier != Target || S.Phase != Op.Phase)
    S.Barrier = -1;
  arrive(Agent, Op, Target);
}

void Explorer::read(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const std::string &Name = P.Buffers[Op.Buffers[0]].Name;
  if (S.Tag > Op.Tag)
    return fail(Property::StageContent, Agent,
                nameOf(Agent) + " reads block " + Twine(Op.Tag) + " from " +
                    Name + ", which holds block " + Twine(S.Tag));
  if (S.Tag < Op.Tag || S.Filled < P.Buffers[Op.Buffers[0]].FillBytes ||
      S.Barrier < 0 || known(Agent)[Barriers[S.Barrier].Component] <= S.Phase)
    return fail(Property::StageInFlight, Agent,
                nameOf(Agent) + " reads block " + Twine(Op.Tag) + " from " +
                    Name + " before all of it has arrived");
  AgentState &A = State[Agent];
  if (A.TouchedResults)
    return fail(Property::AccumulatorFence, Agent,
                nameOf(Agent) +
                    " multiplies into accumulators that ordinary instructions "
                    "have used, without wgmma.fence");
  A.HasResults = true;
  A.Reads.push_back({Op.Buffers[0], int32_t(S.Uses.size())});
  S.Uses.push_back({event(Agent), {}, {}});
}

void Explorer::write(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  if (S.Tag != Op.Tag) {
    S.OldTag = S.Tag;
    S.OldUses = std::move(S.Uses);
    S.OldSends = std::move(S.Sends);
    S.OldSentByTma = S.SentByTma;
    S.Uses.clear();
    S.Sends.clear();
    S.Tag = Op.Tag;
  }
  if (S.OldTag >= 0) {
    for (const BufferUse &Use : S.OldSends)
      if (!knows(Agent, Use.End))
        return fail(Property::StagingOverwritten, Agent,
                    nameOf(Agent) + " writes slab " + Twine(Op.Tag) + " to " +
                        Spec.Name + " while slab " + Twine(S.OldTag) +
                        " may still be read from it");
    if (S.OldSends.size() != size_t(S.OldSentByTma ? 1 : Spec.Users))
      return fail(Property::StagingOverwritten, Agent,
                  nameOf(Agent) + " writes slab " + Twine(Op.Tag) + " to " +
                      Spec.Name + " before slab " + Twine(S.OldTag) +
                      " has been stored");
  }
  State[Agent].Unfenced.push_back({Op.Buffers[0], int32_t(S.Uses.size())});
  S.Uses.push_back({event(Agent), event(Agent), {}});
}

/// A staged slab goes out, by TMA or by ordinary loads.
void Explorer::send(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  const bool ByTma = Op.K == ProtocolOp::Store;
  bool Complete = S.Tag == Op.Tag && int32_t(S.Uses.size()) == Spec.Users;
  for (const BufferUse &Use : S.Uses)
    Complete &= knows(Agent, Use.Begin) || Use.Begin.Agent == Agent;
  if (!Complete)
    return fail(Property::StagingInFlight, Agent,
                nameOf(Agent) + " stores slab " + Twine(Op.Tag) + " from " +
                    Spec.Name + " before all of it is known to be written");
  for (const BufferUse &Use : S.Uses)
    if (ByTma && !knows(Agent, Use.Fence))
      return fail(Property::ProxyFence, Agent,
                  "TMA reads from " + Spec.Name + " what " +
                      nameOf(Use.Begin.Agent) +
                      " has written, without fence.proxy.async by that warp "
                      "before the barrier");
  S.SentByTma = ByTma;
  if (ByTma)
    State[Agent].OpenStores.push_back({Op.Buffers[0], int32_t(S.Sends.size())});
  S.Sends.push_back({event(Agent), ByTma ? Event() : event(Agent), {}});
}

void Explorer::leave(int32_t Agent) {
  AgentState &A = State[Agent];
  if (!A.Reads.empty() || !A.OpenStores.empty() || !A.Groups.empty())
    fail(Property::ExitInFlight, Agent,
         nameOf(Agent) + " ends while its " +
             (A.Reads.empty() ? "TMA stores" : "products") +
             " may still read shared memory");
  A.Left = true;
}

bool Explorer::step(int32_t Agent) {
  AgentState &A = State[Agent];
  const ProtocolOp &Op = P.Agents[Agent].Script[A.At];
  auto EndOf = [&](std::pair<int32_t, int32_t> Use, bool Sent) {
    auto &List = Sent ? Buffers[Use.first].Sends : Buffers[Use.first].Uses;
    if (size_t(Use.second) < List.size() &&
        List[Use.second].Begin.Agent == Agent)
      List[Use.second].End = event(Agent);
  };
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
      EndOf(A.Reads.front(), /*Sent=*/false);
      A.Reads.erase(A.Reads.begin());
    }
    break;
  case ProtocolOp::FenceReads:
    A.TouchedResults = false;
    break;
  case ProtocolOp::UseResults:
    if (!A.Reads.empty())
      fail(Property::AccumulatorInFlight, Agent,
           nameOf(Agent) + " uses accumulators that wgmma may still change");
    if (!A.HasResults)
      fail(Property::AccumulatorInFlight, Agent,
           nameOf(Agent) + " uses accumulators that hold no product");
    A.TouchedResults = true;
    break;
  case ProtocolOp::Write:
    write(Agent, Op);
    break;
  case ProtocolOp::FenceProxy:
    for (auto [Buffer, Position] : A.Unfenced)
      if (size_t(Position) < Buffers[Buffer].Uses.size())
        Buffers[Buffer].Uses[Position].Fence = event(Agent);
    A.Unfenced.clear();
    break;
  case ProtocolOp::Store:
  case ProtocolOp::Load:
    send(Agent, Op);
    break;
  case ProtocolOp::Commit:
    A.Groups.emplace_back(A.OpenStores.begin(), A.OpenStores.end());
    A.OpenStores.clear();
    break;
  case ProtocolOp::WaitStores:
    while (int32_t(A.Groups.size()) > Op.Count) {
      for (auto Use : A.Groups.front())
        EndOf(Use, /*Sent=*/true);
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

void Explorer::explainDeadlock() {
  // Arrivals and bytes that are still to come, for the phase in progress.
  std::vector<int64_t> Arrivals(Barriers.size()), Bytes(Barriers.size());
  for (int32_t Agent = 0; Agent < Agents; ++Agent)
    for (size_t I = State[Agent].At; I < P.Agents[Agent].Script.size(); ++I) {
      const ProtocolOp &Op = P.Agents[Agent].Script[I];
      if (Op.K != ProtocolOp::Arrive && Op.K != ProtocolOp::Copy)
        continue;
      for (int32_t Target : Op.Targets)
        if (Op.Phase == Barriers[Target].Done) {
          Arrivals[Target] += Op.K == ProtocolOp::Arrive ? Op.Count : 0;
          Bytes[Target] += Op.K == ProtocolOp::Arrive ? Op.Bytes : -Op.Bytes;
        }
    }
  std::vector<int32_t> Waiting;
  std::string Who;
  for (int32_t Agent = 0; Agent < Agents; ++Agent)
    if (!State[Agent].Left) {
      const ProtocolOp &Op = P.Agents[Agent].Script[State[Agent].At];
      Waiting.push_back(Agent);
      if (Waiting.size() <= 3)
        Who += (Who.empty() ? "" : "; ") + nameOf(Agent) + " waits for " +
               P.Barriers[Op.Targets[0]].Name;
    }
  for (int32_t Agent : Waiting) {
    const int32_t Target = P.Agents[Agent].Script[State[Agent].At].Targets[0];
    const BarrierState &B = Barriers[Target];
    const ProtocolBarrier &Spec = P.Barriers[Target];
    const bool Named = Spec.K == ProtocolBarrier::Named;
    std::optional<ProtocolFailure> Found;
    if (B.Pending != Arrivals[Target])
      Found = {Named ? Property::NamedBarrier : Property::ArrivalCount,
               formatv("{0} waits for ever: {1} expects {2} arrivals a phase, "
                       "but {3} are made",
                       nameOf(Agent), Spec.Name, Spec.Expected,
                       Spec.Expected - B.Pending + Arrivals[Target]),
               {},
               0};
    else if (B.Bytes + Bytes[Target] != 0)
      Found = {Property::TransactionBytes,
               formatv("{0} waits for ever: {1} expects {2} bytes {3} than are "
                       "copied",
                       nameOf(Agent), Spec.Name,
                       std::abs(B.Bytes + Bytes[Target]),
                       B.Bytes + Bytes[Target] > 0 ? "more" : "fewer"),
               {},
               0};
    if (!Found)
      continue;
    std::vector<Count> Cone(known(Agent).begin(), known(Agent).end());
    join(Cone, phase(Target, Gathering));
    Found->Trace = trace(Cone, {Agent});
    Found->Operations = operations(Cone);
    Failure = std::move(Found);
    return;
  }
  std::vector<Count> Cone(Width);
  for (int32_t Agent : Waiting)
    join(Cone, known(Agent));
  if (Waiting.size() > 3)
    Who += formatv("; and {0} more", Waiting.size() - 3);
  Failure = {Property::Deadlock, "all wait for ever: " + Who,
             trace(Cone, Waiting), operations(Cone)};
}

/// When all agents have ended.
void Explorer::checkEnds() {
  for (size_t I = 0; I < Barriers.size(); ++I) {
    const BarrierState &B = Barriers[I];
    if (B.Component < 0)
      continue;
    bool Known = B.Bytes == 0 && B.Pending == P.Barriers[I].Expected;
    bool Someone = false;
    for (int32_t Agent = 0; Agent < Agents; ++Agent)
      Someone |= P.Agents[Agent].CTA == P.Barriers[I].CTA &&
                 known(Agent)[B.Component] >= B.Done;
    if (!Known || !Someone)
      return fail(Property::ExitInFlight, 0,
                  "CTA " + Twine(P.Barriers[I].CTA) +
                      " may end while copies that report to " +
                      P.Barriers[I].Name + " are under way");
  }
  for (int32_t From = 0; From < Agents; ++From)
    for (int32_t CTA = 0; CTA < CTAs; ++CTA) {
      const Count Time = Remote[size_t(From) * CTAs + CTA];
      bool Known = Time == 0;
      for (int32_t Agent = 0; Agent < Agents && !Known; ++Agent)
        Known = P.Agents[Agent].CTA == CTA && known(Agent)[From] >= Time;
      if (Known)
        continue;
      // The others have ended, and this operation is yet to come.
      Late = {From, Time};
      std::vector<Count> Cone(Width);
      if (!KnownLate.empty())
        join(Cone, KnownLate);
      for (int32_t Agent = 0; Agent < Agents; ++Agent)
        if (P.Agents[Agent].CTA == CTA)
          join(Cone, known(Agent));
      Failure = {Property::ClusterExit,
                 ("CTA " + Twine(CTA) + " may end before " + nameOf(From) +
                  " has signalled its barriers for the last time")
                     .str(),
                 trace(Cone, {}), operations(Cone)};
      return;
    }
}

std::optional<ProtocolFailure> Explorer::run() {
  bool Progress = true;
  while (Progress && !Failure) {
    Progress = false;
    for (int32_t Agent = 0; Agent < Agents && !Failure; ++Agent)
      if (State[Agent].At < int32_t(P.Agents[Agent].Script.size()))
        Progress |= step(Agent);
  }
  if (!Failure) {
    if (llvm::all_of(State, [](const AgentState &A) { return A.Left; }))
      checkEnds();
    else
      explainDeadlock();
  }
  return Failure ? std::move(Failure) : std::move(Premise);
}

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
  Coverage.KBlocks.assign(Trips.begin(), Trips.end());
  Coverage.Tiles = {0, 1, 2, 3, 4};
  for (int64_t Tiles : Coverage.Tiles)
    for (int64_t KBlocks : Coverage.KBlocks)
      for (bool TmaStores : {true, false}) {
        // How a slab goes out concerns the epilogue alone: with one block and
        // with more than there are stages is enough.
        if (!TmaStores &&
            (P.Epilogue.Kind == EpilogueKind::Direct ||
             (KBlocks != LeastKBlocks && KBlocks != P.Stages + 1)))
          continue;
        const ProtocolRun Run = {KBlocks, Tiles, TmaStores};
        Protocol Unrolled = buildProtocol(P, Run);
        if (Change)
          Change(Unrolled);
        ++Coverage.Runs;
        Coverage.Agents = int64_t(Unrolled.Agents.size());
        for (const ProtocolAgent &A : Unrolled.Agents)
          Coverage.Operations += int64_t(A.Script.size());
        if (std::optional<ProtocolFailure> Bad = exploreRun(Unrolled)) {
          Bad->Message = Run.str() + ": " + Bad->Message;
          return Bad;
        }
      }
  return std::nullopt;
}

} // namespace warpwright
