//===- ProtocolReport.cpp - How a failure is told -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explorer.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright::exploration {

std::string Explorer::describe(int32_t Agent, int32_t At) const {
  const ProtocolOp &Op = P.Agents[Agent].Script[At];
  std::string Text = nameOf(Agent) + " " + name(Op.Where).str();
  auto Block = [&] { return " (block " + std::to_string(Op.Tag) + ")"; };
  switch (Op.K) {
  case ProtocolOp::WaitPhase: {
    const ProtocolBarrier &B = P.Barriers[Op.Targets[0]];
    if (B.K == ProtocolBarrier::Mbarrier)
      Text += formatv(": {0}, parity {1}", B.Name.str(), int(Op.Parity));
    break;
  }
  case ProtocolOp::Arrive: {
    const ProtocolBarrier &B = P.Barriers[Op.Targets[0]];
    if (B.K == ProtocolBarrier::Named)
      Text += ": " + B.Name.str() + ", arrives";
    else if (B.K == ProtocolBarrier::Cluster)
      Text += ": arrives";
    else
      Text += ": " + B.Name.str();
    if (Op.Targets.size() > 1)
      Text += " and " + std::to_string(Op.Targets.size() - 1) + " more";
    if (Op.Bytes)
      Text += ", " + std::to_string(Op.Bytes) + " bytes";
    break;
  }
  case ProtocolOp::Copy:
    Text += formatv(" to {0}", P.Buffers[Op.Buffers[0]].Name.str());
    if (Op.Buffers.size() > 1)
      Text += " and " + std::to_string(Op.Buffers.size() - 1) + " more";
    Text += formatv(", {0} bytes{1}", Op.Bytes, Block());
    break;
  case ProtocolOp::Read:
  case ProtocolOp::Round:
  case ProtocolOp::Rewrite:
  case ProtocolOp::Write:
  case ProtocolOp::Store:
  case ProtocolOp::Load: {
    const ProtocolBuffer &B = P.Buffers[Op.Buffers[0]];
    Text += ": " + B.Name.str() +
            (B.K == ProtocolBuffer::Staging
                 ? " (slab " + std::to_string(Op.Tag) + ")"
                 : Block());
    break;
  }
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
               P.Barriers[Op.Targets[0]].Name.str();
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
                       nameOf(Agent), Spec.Name.str(), Spec.Expected,
                       Spec.Expected - B.Pending + Arrivals[Target]),
               {},
               0};
    else if (B.Bytes + Bytes[Target] != 0)
      Found = {Property::TransactionBytes,
               formatv("{0} waits for ever: {1} expects {2} bytes {3} than are "
                       "copied",
                       nameOf(Agent), Spec.Name.str(),
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
                      P.Barriers[I].Name.str() + " are under way");
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

} // namespace warpwright::exploration
