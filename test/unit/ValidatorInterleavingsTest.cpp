//===- ValidatorInterleavingsTest.cpp - Against brute force ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The validator decides about all interleavings from one run. Here small
// protocols, good and broken, are taken through every interleaving one by one,
// with the machine's own rules: a wait passes by parity and nothing else, and
// copies arrive whenever they like. Both must say the same.
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"
#include "ValidatorProtocols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cstring>
#include <deque>
#include <optional>
#include <unordered_map>

using namespace llvm;
using namespace warpwright;

namespace {

/// \p P with fewer warps in each warpgroup, and barriers that expect as many
/// fewer. \p Whole is the protocol before it was changed.
Protocol withWarps(const Protocol &P, const Protocol &Whole, char Warps) {
  auto Stays = [&](const ProtocolAgent &A) {
    return !StringRef(A.Name).contains("warp") || A.Name.back() < '0' + Warps;
  };
  std::vector<int32_t> All(P.Barriers.size()), Left(P.Barriers.size());
  for (const ProtocolAgent &A : Whole.Agents)
    for (const ProtocolOp &Op : A.Script)
      if (Op.K == ProtocolOp::Arrive && Op.Phase == 0)
        for (int32_t Target : Op.Targets) {
          All[Target] += Op.Count;
          Left[Target] += Stays(A) ? Op.Count : 0;
        }
  Protocol Result = P;
  llvm::erase_if(Result.Agents,
                 [&](const ProtocolAgent &A) { return !Stays(A); });
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I])
      Result.Barriers[I].Expected =
          Result.Barriers[I].Expected * Left[I] / All[I];
  for (ProtocolBuffer &B : Result.Buffers) {
    B.Users = B.Users * Warps / 4;
    B.Writers = B.Writers * Warps / 4;
  }
  return Result;
}

/// Every interleaving, breadth first.
class BruteForce {
public:
  explicit BruteForce(const Protocol &P) : P(P) {}

  enum Verdict { Right, Wrong, TooMany };
  Verdict run(size_t MostStates);
  int64_t ShortestWrong = 0;    ///< operations
  std::optional<Property> What; ///< unless nobody can go on
  size_t States = 0;

private:
  struct State {
    struct Barrier {
      int32_t Done, Pending, Bytes;
    };
    struct Buffer {
      int32_t Tag = -1, Sent = 0, Arrived = 0, Ended = 0, Writes = 0,
              Fenced = 0, Storing = 0, Stored = 0, Loads = 0;
      int32_t Reading = 0, Readers = 0; ///< of parts; the agents, a bit each
    };
    struct Agent {
      int32_t At = 0;
      bool Touched = true;
      std::array<bool, 2> Results = {}; ///< of the sets of accumulators
      std::vector<int32_t> Reads, Unfenced, Open;
      std::vector<int32_t> ReadSets; ///< of registers, of each of Reads
      std::vector<int32_t> ReadAccumulators;
      std::array<int32_t, 2> Set = {-1, -1};
      std::array<bool, 2> Written = {};
      std::vector<std::vector<int32_t>> Groups;
    };
    std::vector<Barrier> Barriers;
    std::vector<Buffer> Buffers;
    std::vector<Agent> Agents;
    std::vector<bool> Initialised;
    std::vector<std::array<int32_t, 3>> Flying; ///< agent, operation, target
    std::optional<Property> Bad;
    void fail(bool If, Property P) {
      if (If && !Bad)
        Bad = P;
    }
  };

  const Protocol &P;

  std::string key(const State &S) const;
  bool enabled(const State &S, size_t Agent) const;
  void step(State &S, size_t Agent) const;
  void land(State &S, size_t Flight) const;
  void complete(State &S, int32_t Barrier) const {
    State::Barrier &B = S.Barriers[Barrier];
    if (B.Pending == 0 && B.Bytes == 0) {
      ++B.Done;
      B.Pending = P.Barriers[Barrier].Expected;
    }
  }
  bool gone(const State &S, int32_t CTA) const {
    for (size_t I = 0; I < P.Agents.size(); ++I)
      if (P.Agents[I].CTA == CTA && !left(S, I))
        return false;
    return true;
  }
  /// By ordinary accesses of all its writers and readers.
  bool isHandedOver(int32_t Buffer) const {
    return areSums(Buffer) || P.Buffers[Buffer].K == ProtocolBuffer::Scales;
  }
  bool areSums(int32_t Buffer) const {
    return P.Buffers[Buffer].K == ProtocolBuffer::Exchange;
  }
  Property overwritten(int32_t Buffer) const {
    return areSums(Buffer) ? Property::ExchangeOverwritten
                           : Property::ScalesOverwritten;
  }
  /// Somebody is yet to read this content.
  bool isNeeded(const State &S, int32_t Buffer, int32_t Tag) const {
    for (size_t I = 0; I < P.Agents.size(); ++I)
      for (size_t At = S.Agents[I].At; At < P.Agents[I].Script.size(); ++At) {
        const ProtocolOp &Op = P.Agents[I].Script[At];
        if ((Op.K == ProtocolOp::Read || Op.K == ProtocolOp::Load ||
             Op.K == ProtocolOp::Round) &&
            Op.Buffers[0] == Buffer && Op.Tag == Tag)
          return true;
      }
    return false;
  }
  void checkArrived(State &S, const ProtocolOp &Op) const;
  void readRaw(State &S, size_t Agent, const ProtocolOp &Op) const;
  void readParts(State &S, size_t Agent, const ProtocolOp &Op,
                 bool ByWgmma) const;
  bool left(const State &S, size_t Agent) const {
    return S.Agents[Agent].At == int32_t(P.Agents[Agent].Script.size());
  }
};

std::string BruteForce::key(const State &S) const {
  std::string K(4 * (3 * S.Barriers.size() + 11 * S.Buffers.size() +
                     S.Agents.size() + 3 * S.Flying.size()),
                '\0');
  char *End = K.data();
  auto Add = [&](int32_t N) {
    std::memcpy(End, &N, 4);
    End += 4;
  };
  for (const auto &B : S.Barriers)
    Add(B.Done), Add(B.Pending), Add(B.Bytes);
  for (const auto &B : S.Buffers)
    for (int32_t N : {B.Tag, B.Sent, B.Arrived, B.Ended, B.Writes, B.Fenced,
                      B.Storing, B.Stored, B.Loads, B.Reading, B.Readers})
      Add(N);
  for (const auto &A : S.Agents)
    Add(A.At); // the rest of an agent follows from it
  for (const auto &F : S.Flying)
    Add(F[0]), Add(F[1]), Add(F[2]);
  return K;
}

bool BruteForce::enabled(const State &S, size_t Agent) const {
  if (left(S, Agent))
    return false;
  const ProtocolOp &Op = P.Agents[Agent].Script[S.Agents[Agent].At];
  if (Op.K != ProtocolOp::WaitPhase)
    return true;
  const State::Barrier &B = S.Barriers[Op.Targets[0]];
  const ProtocolBarrier &Spec = P.Barriers[Op.Targets[0]];
  if (Spec.K == ProtocolBarrier::Mbarrier) // looking at garbage is wrong
    return (B.Done & 1) != Op.Parity || !S.Initialised[Spec.CTA];
  return B.Done > Op.Phase;
}

void BruteForce::land(State &S, size_t Flight) const {
  auto [Agent, At, I] = S.Flying[Flight];
  S.Flying.erase(S.Flying.begin() + Flight);
  const ProtocolOp &Op = P.Agents[Agent].Script[At];
  State::Barrier &B = S.Barriers[Op.Targets[I]];
  S.Buffers[Op.Buffers[I]].Arrived += int32_t(Op.Bytes);
  B.Bytes -= int32_t(Op.Bytes);
  S.fail(B.Pending == 0 && B.Bytes < 0, Property::TransactionBytes);
  S.fail(gone(S, P.Barriers[Op.Targets[I]].CTA), Property::ExitInFlight);
  complete(S, Op.Targets[I]);
}

void BruteForce::checkArrived(State &S, const ProtocolOp &Op) const {
  const State::Buffer &B = S.Buffers[Op.Buffers[0]];
  S.fail(B.Tag > Op.Tag, Property::StageContent);
  S.fail(B.Tag != Op.Tag || B.Arrived != P.Buffers[Op.Buffers[0]].FillBytes,
         Property::StageInFlight);
}

void BruteForce::readRaw(State &S, size_t Agent, const ProtocolOp &Op) const {
  checkArrived(S, Op);
  S.Buffers[Op.Buffers[0]].Readers |= 1 << Agent;
}

void BruteForce::readParts(State &S, size_t Agent, const ProtocolOp &Op,
                           bool ByWgmma) const {
  State::Buffer &B = S.Buffers[Op.Buffers[0]];
  const int32_t Writers = P.Buffers[Op.Buffers[0]].Writers;
  S.fail(B.Tag > Op.Tag, Property::StageContent);
  S.fail(B.Tag != Op.Tag || B.Writes != Writers, Property::PartsInFlight);
  S.fail(ByWgmma && B.Fenced != Writers, Property::ProxyFence);
  B.Readers |= 1 << Agent;
}

void BruteForce::step(State &S, size_t Agent) const {
  State::Agent &A = S.Agents[Agent];
  const int32_t At = A.At++;
  const ProtocolOp &Op = P.Agents[Agent].Script[At];
  for (int32_t Target : Op.Targets) {
    const ProtocolBarrier &B = P.Barriers[Target];
    if (B.K == ProtocolBarrier::Mbarrier)
      S.fail(!S.Initialised[B.CTA], Property::BarrierInit);
    if (B.CTA != P.Agents[Agent].CTA && B.K == ProtocolBarrier::Mbarrier)
      S.fail(gone(S, B.CTA), Property::ClusterExit);
  }
  switch (Op.K) {
  case ProtocolOp::Initialise:
    S.Initialised[P.Agents[Agent].CTA] = true;
    break;
  case ProtocolOp::Arrive:
    for (int32_t Target : Op.Targets) {
      State::Barrier &B = S.Barriers[Target];
      B.Pending -= Op.Count;
      B.Bytes += int32_t(Op.Bytes);
      S.fail(B.Pending < 0, Property::ArrivalCount);
      complete(S, Target);
    }
    break;
  case ProtocolOp::WaitPhase:
    break;
  case ProtocolOp::Copy:
    for (size_t I = 0; I < Op.Targets.size(); ++I) {
      State::Buffer &B = S.Buffers[Op.Buffers[I]];
      const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[I]];
      if (B.Tag != Op.Tag) {
        if (B.Tag >= 0 && (Spec.Writers || B.Readers))
          S.fail(popcount(uint32_t(B.Readers)) != Spec.Users || B.Reading ||
                     B.Arrived != B.Sent || B.Tag > Op.Tag ||
                     isNeeded(S, Op.Buffers[I], B.Tag),
                 Property::StageOverwritten);
        else if (B.Tag >= 0)
          S.fail(B.Ended != P.Buffers[Op.Buffers[I]].Users ||
                     B.Arrived != B.Sent || B.Tag > Op.Tag,
                 Property::StageOverwritten);
        B = State::Buffer();
        B.Tag = Op.Tag;
      }
      B.Sent += int32_t(Op.Bytes);
      S.Flying.push_back({int32_t(Agent), At, int32_t(I)});
    }
    llvm::sort(S.Flying);
    break;
  case ProtocolOp::Round:
  case ProtocolOp::Rewrite:
  case ProtocolOp::Read: {
    State::Buffer &B = S.Buffers[Op.Buffers[0]];
    if (Op.K == ProtocolOp::Read && P.Buffers[Op.Buffers[0]].Writers) {
      readParts(S, Agent, Op, /*ByWgmma=*/true);
      ++B.Reading;
    } else if (Op.K == ProtocolOp::Round) {
      readRaw(S, Agent, Op);
    } else {
      checkArrived(S, Op);
      B.Reading += Op.K == ProtocolOp::Read;
    }
    if (Op.K == ProtocolOp::Rewrite) {
      ++B.Writes;
      A.Unfenced.push_back(Op.Buffers[0]);
      break;
    }
    if (Op.K == ProtocolOp::Round) {
      S.fail(llvm::is_contained(A.ReadSets, Op.Fragments),
             Property::FragmentOverwritten);
      A.Set[Op.Fragments] = Op.Tag;
      A.Written[Op.Fragments] = true;
      break;
    }
    S.fail(A.Touched, Property::AccumulatorFence);
    if (Op.Fragments >= 0) {
      S.fail(A.Set[Op.Fragments] != Op.Tag, Property::FragmentContent);
      S.fail(A.Written[Op.Fragments], Property::AccumulatorFence);
    }
    A.Results[Op.Accumulators] = true;
    A.Reads.push_back(Op.Buffers[0]);
    A.ReadSets.push_back(Op.Fragments);
    A.ReadAccumulators.push_back(Op.Accumulators);
    break;
  }
  case ProtocolOp::WaitReads:
    while (int32_t(A.Reads.size()) > Op.Count) {
      ++S.Buffers[A.Reads.front()].Ended;
      --S.Buffers[A.Reads.front()].Reading;
      A.Reads.erase(A.Reads.begin());
      A.ReadSets.erase(A.ReadSets.begin());
      A.ReadAccumulators.erase(A.ReadAccumulators.begin());
    }
    break;
  case ProtocolOp::FenceReads:
    A.Touched = false;
    A.Written = {};
    break;
  case ProtocolOp::Clear:
    S.fail(llvm::is_contained(A.ReadAccumulators, Op.Accumulators),
           Property::AccumulatorInFlight);
    A.Results[Op.Accumulators] = A.Touched = true;
    break;
  case ProtocolOp::UseResults:
    S.fail(llvm::is_contained(A.ReadAccumulators, Op.Accumulators) ||
               !A.Results[Op.Accumulators],
           Property::AccumulatorInFlight);
    A.Touched = true;
    break;
  case ProtocolOp::UseSums:
    break;
  case ProtocolOp::Write: {
    State::Buffer &B = S.Buffers[Op.Buffers[0]];
    if (B.Tag != Op.Tag) {
      if (isHandedOver(Op.Buffers[0]))
        S.fail(isNeeded(S, Op.Buffers[0], B.Tag), overwritten(Op.Buffers[0]));
      else if (B.Tag >= 0)
        S.fail(B.Storing ||
                   (!B.Stored && B.Loads != P.Buffers[Op.Buffers[0]].Users),
               Property::StagingOverwritten);
      B = State::Buffer();
      B.Tag = Op.Tag;
    }
    ++B.Writes;
    A.Unfenced.push_back(Op.Buffers[0]);
    break;
  }
  case ProtocolOp::FenceProxy:
    for (int32_t Buffer : A.Unfenced)
      ++S.Buffers[Buffer].Fenced;
    A.Unfenced.clear();
    break;
  case ProtocolOp::Store: {
    State::Buffer &B = S.Buffers[Op.Buffers[0]];
    const int32_t Users = P.Buffers[Op.Buffers[0]].Users;
    S.fail(B.Tag != Op.Tag || B.Writes != Users, Property::StagingInFlight);
    S.fail(B.Fenced != Users, Property::ProxyFence);
    B.Storing = B.Stored = 1;
    A.Open.push_back(Op.Buffers[0]);
    break;
  }
  case ProtocolOp::Load: {
    State::Buffer &B = S.Buffers[Op.Buffers[0]];
    if (P.Buffers[Op.Buffers[0]].K == ProtocolBuffer::Stage) {
      if (P.Buffers[Op.Buffers[0]].Writers)
        readParts(S, Agent, Op, /*ByWgmma=*/false);
      else
        readRaw(S, Agent, Op);
      break;
    }
    if (isHandedOver(Op.Buffers[0])) {
      S.fail(B.Tag > Op.Tag, overwritten(Op.Buffers[0]));
      S.fail(B.Tag != Op.Tag || B.Writes != P.Buffers[Op.Buffers[0]].Writers,
             areSums(Op.Buffers[0]) ? Property::ExchangeInFlight
                                    : Property::ScalesInFlight);
      break;
    }
    S.fail(B.Tag != Op.Tag || B.Writes != P.Buffers[Op.Buffers[0]].Users,
           Property::StagingInFlight);
    ++B.Loads;
    break;
  }
  case ProtocolOp::Commit:
    A.Groups.push_back(std::exchange(A.Open, {}));
    break;
  case ProtocolOp::WaitStores:
    while (int32_t(A.Groups.size()) > Op.Count) {
      for (int32_t Buffer : A.Groups.front())
        S.Buffers[Buffer].Storing = 0;
      A.Groups.erase(A.Groups.begin());
    }
    break;
  case ProtocolOp::Leave:
    S.fail(!A.Reads.empty() || !A.Open.empty() || !A.Groups.empty(),
           Property::ExitInFlight);
    break;
  }
}

BruteForce::Verdict BruteForce::run(size_t MostStates) {
  State First;
  int32_t CTAs = 0;
  for (const ProtocolBarrier &B : P.Barriers) {
    First.Barriers.push_back({0, B.Expected, 0});
    CTAs = std::max(CTAs, B.CTA + 1);
  }
  First.Buffers.resize(P.Buffers.size());
  First.Agents.resize(P.Agents.size());
  First.Initialised.resize(CTAs);
  // Landing is no operation: those states come first (0-1 search).
  std::unordered_map<std::string, int64_t> Seen;
  struct Entry {
    int64_t Depth;
    const int64_t *Least; ///< the depth in Seen, which another path may lower
    State S;
  };
  std::deque<Entry> Queue;
  int64_t &Start = Seen[key(First)] = 0;
  Queue.push_back({0, &Start, std::move(First)});
  while (!Queue.empty()) {
    const int64_t Depth = Queue.front().Depth;
    const bool IsLeast = *Queue.front().Least >= Depth;
    const State S = std::move(Queue.front().S);
    Queue.pop_front();
    if (!IsLeast)
      continue;
    if (++States > MostStates)
      return TooMany;
    bool Stuck = true, AllLeft = S.Flying.empty();
    auto Visit = [&](State &&Next, int64_t NextDepth) {
      auto [It, New] = Seen.try_emplace(key(Next), NextDepth);
      if (!New && It->second <= NextDepth)
        return;
      It->second = NextDepth;
      if (NextDepth == Depth)
        Queue.push_front({NextDepth, &It->second, std::move(Next)});
      else
        Queue.push_back({NextDepth, &It->second, std::move(Next)});
    };
    for (size_t Flight = 0; Flight < S.Flying.size(); ++Flight) {
      Stuck = false;
      State Next = S;
      land(Next, Flight);
      if (Next.Bad)
        return What = Next.Bad, ShortestWrong = Depth, Wrong;
      Visit(std::move(Next), Depth);
    }
    for (size_t Agent = 0; Agent < P.Agents.size(); ++Agent) {
      AllLeft &= left(S, Agent);
      if (!enabled(S, Agent))
        continue;
      Stuck = false;
      State Next = S;
      step(Next, Agent);
      if (Next.Bad)
        return What = Next.Bad, ShortestWrong = Depth + 1, Wrong;
      Visit(std::move(Next), Depth + 1);
    }
    if (Stuck && !AllLeft)
      return ShortestWrong = Depth, Wrong;
  }
  return Right;
}

/// A kernel small enough: few stages, blocks, tiles and warps.
struct Small {
  const char *Name;
  PlanChoice Choice;
  const char *Out;
  ProtocolRun Run;
  char Warps;
  OperandTypes Types = {}; ///< by row and by column
};

std::vector<Small> smallKernels() {
  PlanChoice One = smallChoice();
  One.TileM = 64;
  One.TileN = 64;
  One.Stages = 2;
  One.ConsumerWarpgroups = 1;
  One.ClusterM = 1;
  PlanChoice Turns = One;
  Turns.ConsumerWarpgroups = 2;
  Turns.Schedule = &pingpongSchedule();
  PlanChoice Pair = One;
  Pair.ClusterM = 2;
  PlanChoice Parts = One;
  Parts.TileK = 32;
  const PlanChoice PartsTwo = Parts;
  PlanChoice Rows = registersChoice();
  Rows.TileN = 64;
  Rows.ClusterM = 1;
  Rows.Stages = 2;
  Parts.Stages = 3;
  ProtocolRun Raw, Single;
  Raw.KBlocks = 3;
  Raw.Tiles = 2;
  Raw.RawBlocks = true;
  Single.KBlocks = 3;
  ProtocolRun Deep, Copies, Tiles, Short, Both;
  Both.KBlocks = 3;
  Both.Tiles = 3;
  Deep.KBlocks = 5;
  Copies.KBlocks = 1;
  Copies.Tiles = 3;
  Copies.TmaStores = false;
  Tiles.KBlocks = 1;
  Tiles.Tiles = 4;
  Short.KBlocks = 3;
  PlanChoice Sets = interleavedChoice();
  Sets.TileN = 64;
  Sets.ConsumerWarpgroups = 2;
  const OperandTypes Floats = {"f32", "f32"}, Bytes = {"bf16", "i8"};
  return {{"one warpgroup", One, "bf16", Deep, 2},
          {"tiles", One, "bf16", Tiles, 2},
          {"without TMA", One, "bf16", Copies, 2},
          {"in turns", Turns, "direct", Tiles, 1},
          {"in long turns", Turns, "direct", Both, 1},
          {"a pair", Pair, "direct", Short, 1},
          {"parts", Parts, "direct", Deep, 1, Floats},
          {"parts and raw blocks", Parts, "direct", Raw, 1, Floats},
          {"two warps with parts", PartsTwo, "direct", Single, 2, Floats},
          {"rows in registers", Rows, "direct", Deep, 1, Floats},
          {"rows in registers and raw blocks", Rows, "direct", Raw, 1, Floats},
          {"blocks in turn", Sets, "direct", Deep, 1, Bytes},
          {"blocks in turn of odd tiles", Sets, "direct", Both, 1, Bytes}};
}

bool areEqual(const Protocol &A, const Protocol &B) {
  for (size_t I = 0; I < A.Agents.size(); ++I) {
    const auto &Of = A.Agents[I].Script, &And = B.Agents[I].Script;
    if (Of.size() != And.size())
      return false;
    for (size_t J = 0; J < Of.size(); ++J)
      if (Of[J].K != And[J].K || Of[J].Where != And[J].Where ||
          Of[J].Parity != And[J].Parity || Of[J].Phase != And[J].Phase ||
          Of[J].Count != And[J].Count || Of[J].Bytes != And[J].Bytes ||
          Of[J].Tag != And[J].Tag || Of[J].Fragments != And[J].Fragments ||
          Of[J].Accumulators != And[J].Accumulators ||
          Of[J].Targets != And[J].Targets)
        return false;
  }
  return true;
}

TEST(ValidatorInterleavings, OneRunDecidesForAll) {
  int Compared = 0, Broken = 0;
  for (const Small &K : smallKernels()) {
    const KernelPlan Plan = planOf(K.Choice, 'N', 'T', K.Out, K.Types);
    const Protocol Whole = buildProtocol(Plan, K.Run);
    auto Compare = [&](const Protocol &Changed, const std::string &What) {
      const Protocol P = withWarps(Changed, Whole, K.Warps);
      auto Found = exploreRun(P);
      BruteForce Force(P);
      const auto Verdict = Force.run(400000);
      if (Verdict == BruteForce::TooMany) {
        ADD_FAILURE() << K.Name << ", " << What << ": too many states";
        return;
      }
      ++Compared;
      Broken += Found.has_value();
      EXPECT_EQ(Found.has_value(), Verdict == BruteForce::Wrong)
          << K.Name << ", " << What << ": "
          << (Found ? (name(Found->Violated) + ": " + Found->Message).str()
                    : "certified");
      // The trace is as short as any that ends like this. (At the end of a
      // cluster it is about an agent's last signal; another may be too late
      // sooner.)
      if (Found && Force.What == Found->Violated &&
          Found->Violated != Property::ClusterExit) {
        EXPECT_EQ(Found->Operations, Force.ShortestWrong)
            << K.Name << ", " << What;
      }
      if (getenv("WARPWRIGHT_TIMES"))
        printf("%s, %s: %zu states, %s, %lld operations (shortest %lld)\n",
               K.Name, What.c_str(), Force.States,
               Found ? name(Found->Violated).str().c_str() : "certified",
               (long long)(Found ? Found->Operations : 0),
               (long long)Force.ShortestWrong);
    };
    Compare(Whole, "unchanged");
    for (const ProtocolMutant &M : protocolMutants()) {
      Protocol Changed = Whole;
      M.Change(Changed);
      // A pair takes long; what is no matter of two CTAs has been seen above.
      const bool OfTwo = M.Violated == Property::BarrierInit ||
                         M.Violated == Property::ArrivalOrder ||
                         M.Violated == Property::TransactionBytes ||
                         M.Violated == Property::StageOverwritten ||
                         M.Violated == Property::ClusterExit;
      if (!areEqual(Changed, Whole) &&
          (OfTwo || K.Choice.ClusterM * K.Choice.ClusterN == 1))
        Compare(Changed, M.What);
    }
  }
  EXPECT_GT(Broken, Compared / 2);
}

} // namespace
