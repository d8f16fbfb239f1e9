//===- Steps.cpp - A thread's part of a schedule, as text -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace warpwright {

//===----------------------------------------------------------------------===//
// The words
//===----------------------------------------------------------------------===//

static std::string initialise(const std::string &Barrier, int64_t Arrivals) {
  return formatv("initialises {0} for {1} arrivals", Barrier, Arrivals).str();
}
static std::string arrive(const std::string &Barrier, int64_t Count,
                          int64_t Bytes) {
  return formatv("arrives {0}x at {1}, expecting {2} bytes", Count, Barrier,
                 Bytes)
      .str();
}
static std::string wait(const std::string &Barrier, int64_t Parity) {
  return formatv("waits for parity {0} of {1}", Parity, Barrier).str();
}
static std::string copy(const std::string &Buffer, int64_t Bytes,
                        const std::string &Barrier) {
  return formatv("copies {0} bytes to {1}, reported to {2}", Bytes, Buffer,
                 Barrier)
      .str();
}
static std::string store(const std::string &Buffer) {
  return "stores " + Buffer;
}
static std::string multiply(const std::string &Rows,
                            const std::string &Columns) {
  return "multiplies " + Rows + " by " + Columns;
}
static std::string meet(int64_t Barrier, int64_t Threads, bool Waits) {
  return formatv("{0} named barrier {1} of {2} threads",
                 Waits ? "meets at" : "arrives at", Barrier, Threads)
      .str();
}
static const char *const InRegisters = "registers";
static const char *const Commit = "commits its wgmmas";
static const char *const CommitStores = "commits its stores";
static const char *const FenceProxy = "fences for the async proxy";
static const char *const FenceInit = "fences the barriers' initialisation";
static const char *const FenceWgmma = "fences for wgmma";
static const char *const MeetCTA = "meets its CTA";
static const char *const ArriveCluster = "arrives at the cluster's barrier";
static const char *const WaitCluster = "waits at the cluster's barrier";
static std::string waitWgmma(int64_t Pending) {
  return formatv("waits for all wgmma groups but {0}", Pending).str();
}
static std::string waitStores(int64_t Pending, bool Read) {
  return formatv("waits until all stores but {0} have {1}", Pending,
                 Read ? "been read" : "arrived")
      .str();
}

//===----------------------------------------------------------------------===//
// The protocol
//===----------------------------------------------------------------------===//

std::vector<WarpRole> rolesOf(const KernelPlan &P, const Protocol &Of) {
  std::vector<WarpRole> Roles;
  constexpr int64_t PerGroup = ProtocolBuilder::WarpsPerGroup;
  const ProtocolAgent *Next = Of.Agents.data();
  for (int64_t CTA = 0; CTA < P.clusterSize(); ++CTA) {
    const ProtocolAgent *const Producer = Next++;
    for (int64_t Warp = 0; Warp < P.Threads / ProtocolBuilder::WarpThreads;
         ++Warp)
      if (Warp < PerGroup)
        Roles.push_back({Producer, CTA, Warp, Warp == 0, Warp > 0});
      else
        Roles.push_back({Next++, CTA, Warp});
  }
  return Roles;
}

static std::string initialiseAll(const Protocol &Of, int32_t CTA) {
  std::vector<std::string> Each;
  for (const ProtocolBarrier &B : Of.Barriers)
    if (B.K == ProtocolBarrier::Mbarrier && B.CTA == CTA)
      Each.push_back(initialise(B.Name.str(), B.Expected));
  llvm::sort(Each);
  return join(Each, ", ");
}

namespace {
/// Puts one lane's part of a script in words.
class Speaker {
public:
  Speaker(const Protocol &Of, const WarpRole &Role, int64_t Lane)
      : Of(Of), Role(Role), Lane(Lane),
        IsAgent(!Role.IsIdle && (!Role.OneThread || Lane == 0)) {}

  std::vector<Step> steps() {
    for (At = 0; At < Role.Agent->Script.size(); ++At) {
      const ProtocolOp &Op = Role.Agent->Script[At];
      if (IsAgent || isMeetingOfAll(Op))
        speak(Op);
    }
    return std::move(Result);
  }

private:
  const Protocol &Of;
  const WarpRole &Role;
  const int64_t Lane;
  const bool IsAgent;
  size_t At = 0;
  std::vector<Step> Result;

  bool isMeetingOfAll(const ProtocolOp &Op) const {
    return !Op.Targets.empty() &&
           Of.Barriers[Op.Targets[0]].K == ProtocolBarrier::Cluster;
  }
  void say(std::string Text) { Result.push_back({std::move(Text), At}); }
  std::string buffer(const ProtocolOp &Op, size_t I = 0) const {
    return Of.Buffers[Op.Buffers[I]].Name.str();
  }

  /// Lanes arrive one by one where each vouches for itself; otherwise one does
  /// for the warp, that of the number of the CTA which it tells.
  void arriveAt(const ProtocolOp &Op) {
    for (int32_t Target : Op.Targets) {
      const ProtocolBarrier &B = Of.Barriers[Target];
      if (Op.Count == ProtocolBuilder::WarpThreads)
        say(arrive(B.Name.str(), 1, Op.Bytes));
      else if (Role.OneThread || Lane == (Op.Targets.size() > 1 ? B.CTA : 0))
        say(arrive(B.Name.str(), Op.Count, Op.Bytes));
    }
  }

  /// Those who wait at a barrier without parity arrive there with the same
  /// instruction, unless it is the cluster's.
  bool waitsNext(const ProtocolOp &Op) const {
    if (At + 1 == Role.Agent->Script.size())
      return false;
    const ProtocolOp &Next = Role.Agent->Script[At + 1];
    return Next.K == ProtocolOp::WaitPhase && Next.Targets[0] == Op.Targets[0];
  }
  bool arrivedBefore(const ProtocolOp &Op) const {
    if (At == 0)
      return false;
    const ProtocolOp &Before = Role.Agent->Script[At - 1];
    return Before.K == ProtocolOp::Arrive && Before.Targets[0] == Op.Targets[0];
  }
  const char *const Alone = "waits at a barrier without having arrived there";
  void meetAt(const ProtocolOp &Op) {
    const ProtocolBarrier &B = Of.Barriers[Op.Targets[0]];
    const bool Arrives = Op.K == ProtocolOp::Arrive;
    if (B.K == ProtocolBarrier::Named) {
      if (Arrives)
        say(meet(B.Number, B.Expected * ProtocolBuilder::WarpThreads,
                 waitsNext(Op)));
      else if (!arrivedBefore(Op))
        say(Alone);
    } else if (isOneCTA()) {
      if (Arrives)
        say(waitsNext(Op) ? MeetCTA : "arrives at its CTA's barrier only");
      else if (!arrivedBefore(Op))
        say(Alone);
    } else {
      say(Arrives ? ArriveCluster : WaitCluster);
    }
  }
  bool isOneCTA() const {
    return llvm::all_of(Of.Agents,
                        [](const ProtocolAgent &A) { return A.CTA == 0; });
  }

  void speak(const ProtocolOp &Op) {
    switch (Op.K) {
    case ProtocolOp::Initialise:
      say(initialiseAll(Of, Role.Agent->CTA));
      say(FenceInit);
      return;
    case ProtocolOp::Arrive:
      if (Of.Barriers[Op.Targets[0]].K == ProtocolBarrier::Mbarrier)
        return arriveAt(Op);
      return meetAt(Op);
    case ProtocolOp::WaitPhase: {
      const ProtocolBarrier &B = Of.Barriers[Op.Targets[0]];
      if (B.K != ProtocolBarrier::Mbarrier)
        return meetAt(Op);
      return say(wait(B.Name.str(), Op.Parity));
    }
    case ProtocolOp::Copy:
      for (size_t I = 0; I < Op.Targets.size(); ++I)
        say(copy(buffer(Op, I), Op.Bytes,
                 Of.Barriers[Op.Targets[I]].Name.str()));
      return;
    case ProtocolOp::Read:
      // The rows lie in the same buffer, unless they are in registers.
      say(multiply(Op.Fragments < 0 ? buffer(Op) : InRegisters, buffer(Op)));
      return say(Commit);
    case ProtocolOp::WaitReads:
      return say(waitWgmma(Op.Count));
    case ProtocolOp::FenceReads:
      return say(FenceWgmma);
    case ProtocolOp::FenceProxy:
      return say(FenceProxy);
    case ProtocolOp::Store: // one thread's, as all that follows
      if (Lane == 0)
        say(store(buffer(Op)));
      return;
    case ProtocolOp::Commit:
      if (Lane == 0)
        say(CommitStores);
      return;
    case ProtocolOp::WaitStores:
      if (Lane == 0)
        say(waitStores(Op.Count, true));
      return;
    case ProtocolOp::Round:
    case ProtocolOp::Rewrite:
    case ProtocolOp::Write:
    case ProtocolOp::Load:
      return; // accesses
    case ProtocolOp::UseResults:
    case ProtocolOp::Clear:
    case ProtocolOp::UseSums:
    case ProtocolOp::Leave:
      return; // what others cannot see
    }
  }
};
} // namespace

std::vector<Step> expectedSteps(const Protocol &Of, const WarpRole &Role,
                                int64_t Lane) {
  return Speaker(Of, Role, Lane).steps();
}

bool isAccess(const ProtocolOp &Op) {
  return Op.K == ProtocolOp::Rewrite || Op.K == ProtocolOp::Write ||
         Op.K == ProtocolOp::Load || Op.K == ProtocolOp::Round;
}

bool permits(const ProtocolOp &Op, const Access &A) {
  if (!isAccess(Op) || Op.Buffers[0] != A.Buffer)
    return false;
  return Op.K == ProtocolOp::Rewrite ||
         A.IsStore == (Op.K == ProtocolOp::Write);
}

//===----------------------------------------------------------------------===//
// The trace
//===----------------------------------------------------------------------===//

/// What \p Op did, in the words above.
static std::string say(const SharedMemory &Memory, const TraceThread &Thread,
                       const TraceOp &Op) {
  ArrayRef<int64_t> N = Op.Numbers;
  const size_t Count =
      StringSwitch<size_t>(Op.Name)
          .Cases({"arrive", "copy"}, 4)
          .Case("barrier", 3)
          .Cases({"wait", "store", "wait_bulk", "wgmma"}, 2)
          .Cases({"cluster", "wgmma_registers", "wgmma_wait"}, 1)
          .Default(0);
  if (N.size() != Count)
    return ("does something unknown: " + Op.Name).str();
  auto Buffer = [&](int64_t Address) {
    return Memory.buffer(Thread.CTA, Address);
  };
  if (Op.Name == "init_fence")
    return FenceInit;
  if (Op.Name == "arrive")
    return arrive(Memory.barrier(N[0], N[1]), N[2], N[3]);
  if (Op.Name == "wait")
    return wait(Memory.barrier(Thread.CTA, N[0]), N[1]);
  if (Op.Name == "copy")
    return copy(Memory.buffer(N[0], N[1]), N[2], Memory.barrier(N[0], N[3]));
  if (Op.Name == "store")
    return store(Buffer(N[0]));
  if (Op.Name == "commit")
    return CommitStores;
  if (Op.Name == "wait_bulk")
    return waitStores(N[0], N[1]);
  if (Op.Name == "fence")
    return FenceProxy;
  if (Op.Name == "barrier")
    return N[0] == 0 && N[1] == 0 && N[2] ? MeetCTA : meet(N[0], N[1], N[2]);
  if (Op.Name == "cluster")
    return N[0] ? WaitCluster : ArriveCluster;
  if (Op.Name == "wgmma_fence")
    return FenceWgmma;
  if (Op.Name == "wgmma")
    return multiply(Buffer(N[0]), Buffer(N[1]));
  if (Op.Name == "wgmma_registers")
    return multiply(InRegisters, Buffer(N[0]));
  if (Op.Name == "wgmma_commit")
    return Commit;
  if (Op.Name == "wgmma_wait")
    return waitWgmma(N[0]);
  return ("does something unknown: " + Op.Name).str();
}

std::vector<Step> recordedSteps(const SharedMemory &Memory,
                                const TraceThread &Thread,
                                std::vector<Access> &Accesses) {
  std::vector<Step> Steps;
  std::vector<std::string> Initialised;
  auto AddInitialised = [&](size_t At) {
    if (Initialised.empty())
      return;
    llvm::sort(Initialised);
    Steps.push_back({join(Initialised, ", "), At});
    Initialised.clear();
  };
  for (size_t At = 0; At < Thread.Ops.size(); ++At) {
    const TraceOp &Op = Thread.Ops[At];
    if ((Op.Name == "read" || Op.Name == "write") && Op.Numbers.size() == 3) {
      Access A;
      A.Buffer = Memory.bufferAt(Op.Numbers[0], Op.Numbers[1]);
      A.IsStore = Op.Name == "write";
      A.Text =
          (Op.Name + "s " + Memory.buffer(Op.Numbers[0], Op.Numbers[1])).str();
      A.Steps = Steps.size();
      Accesses.push_back(std::move(A));
      continue;
    }
    if (Op.Name == "init" && Op.Numbers.size() == 2) {
      Initialised.push_back(
          initialise(Memory.barrier(Thread.CTA, Op.Numbers[0]), Op.Numbers[1]));
      continue;
    }
    AddInitialised(At);
    std::string Text = say(Memory, Thread, Op);
    // A block takes several instructions, and a slab several boxes.
    const bool Several = Op.Name.starts_with("wgmma") || Op.Name == "store";
    if (Several && !Op.Name.ends_with("_wait") &&
        !Op.Name.ends_with("_fence") && !Op.Name.ends_with("_commit") &&
        !Steps.empty() && Steps.back().Text == Text)
      continue;
    Steps.push_back({std::move(Text), At});
  }
  AddInitialised(Thread.Ops.size());
  return Steps;
}

} // namespace warpwright
