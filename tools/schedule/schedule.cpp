//===- schedule.cpp - Compares kernels with their protocols ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedule of a kernel stands twice: the runtime's roles perform it, and
// the planner's protocol, which is explored for deadlocks and races, has it as
// data. This compares the two: every thread of a simulated launch must have
// done, operation by operation, what the protocol that the planner unrolls for
// the same numbers of tiles and blocks of k says of it (docs/design.md, "The
// schedule"). With --mistakes it compares protocols that have one mistake each,
// all of which must be found.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/rt/cost.cuh"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

using namespace llvm;
using namespace warpwright;

static cl::opt<std::string> ContractionFile("contraction", cl::Required,
                                            cl::desc("as --emit=contraction"));
static cl::opt<std::string> PlanFile("plan", cl::Required,
                                     cl::desc("as --emit=plan-json"));
static cl::opt<std::string> TraceFile("trace", cl::Required,
                                      cl::desc("of WARPWRIGHT_SIM_TRACE"));
static cl::opt<std::string> Kernel("kernel", cl::init("hopper_kernel"));
static cl::opt<unsigned> Launch("launch", cl::init(0),
                                cl::desc("which one of the kernel"));
static cl::opt<int64_t> Tiles("tiles", cl::Required,
                              cl::desc("cluster tiles of the launch"));
static cl::opt<int64_t> KBlocks("k-blocks", cl::Required,
                                cl::desc("blocks of k of each tile"));
static cl::list<int64_t> Extents("extents", cl::CommaSeparated, cl::Required,
                                 cl::desc("m, n, k and the batch's extent"));
static cl::list<int> Starts("starts", cl::CommaSeparated, cl::Required,
                            cl::desc("what the rows of A and B start at "
                                     "multiples of, in bytes"));
static cl::opt<int64_t> SMs("sms", cl::Required,
                            cl::desc("multiprocessors of the device"));
static cl::opt<bool> PlainStores("plain-stores",
                                 cl::desc("the output is stored without TMA"));
static cl::opt<bool> RawBlocks("raw-blocks",
                               cl::desc("all blocks of the operands are raw"));
static cl::opt<bool> Mistakes("mistakes",
                              cl::desc("try all mistakes in the protocol"));

static ExitOnError ExitOnErr("warpwright-schedule: ");

namespace {

/// What the threads of one warp did.
struct WarpTrace {
  std::vector<Step> Steps[32];
  std::vector<Access> Accesses[32];
};

/// One cluster of a launch, against protocols.
class Comparison {
public:
  Comparison(const KernelPlan &P, const ProtocolRun &Run,
             ArrayRef<const TraceThread *> Threads)
      : P(P), Good(buildProtocol(P, Run)) {
    const SharedMemory Memory(P, Good);
    for (const TraceThread *T : Threads) {
      WarpTrace &Warp = Traces[{T->CTA, T->Thread / 32}];
      const int64_t Lane = T->Thread % 32;
      Warp.Steps[Lane] = recordedSteps(Memory, *T, Warp.Accesses[Lane]);
      ++Count;
    }
  }

  /// Nothing, or how the cluster differs from the protocol.
  std::optional<std::string> differ() const;

  /// Makes every mistake there is to be made in one operation of the protocol.
  /// Returns those that are not found.
  std::vector<std::string> mistakes(int64_t &Made) const;

private:
  const KernelPlan &P;
  const Protocol Good;
  std::map<std::pair<int64_t, int64_t>, WarpTrace> Traces;
  int64_t Count = 0;

  /// Accesses are witnessed by any warp of a role: not every warp has a part in
  /// every block.
  using Witness = std::tuple<std::string, Site, int32_t, int32_t>;
  static Witness witness(const ProtocolAgent &A, const ProtocolOp &Op) {
    StringRef Name = A.Name;
    Name = Name.substr(0, Name.rfind(" warp "));
    if (Name.contains("transform"))
      Name = Name.substr(0, Name.rfind(' '));
    return {Name.str(), Op.Where, Op.Buffers[0], Op.Tag};
  }

  std::optional<std::string> differ(const WarpRole &Role,
                                    const WarpTrace &Trace,
                                    std::set<Witness> &Seen) const;
  /// An access of the role's script that is not among \p Seen.
  std::optional<Witness> missing(const WarpRole &Role,
                                 const std::set<Witness> &Seen) const;
  void
  addMistakes(const ProtocolAgent &A, size_t At,
              std::vector<std::pair<std::string, ProtocolAgent>> &To) const;
};

} // namespace

std::optional<std::string> Comparison::differ(const WarpRole &Role,
                                              const WarpTrace &Trace,
                                              std::set<Witness> &Seen) const {
  const std::vector<ProtocolOp> &Script = Role.Agent->Script;
  for (int64_t Lane = 0; Lane < 32; ++Lane) {
    const std::string Who = formatv("CTA {0} warp {1} lane {2} ({3})", Role.CTA,
                                    Role.Warp, Lane, Role.Agent->Name);
    const std::vector<Step> &Did = Trace.Steps[Lane];
    const std::vector<Step> Should = expectedSteps(Good, Role, Lane);
    for (size_t I = 0; I < std::max(Did.size(), Should.size()); ++I)
      if (I >= Did.size() || I >= Should.size() ||
          Did[I].Text != Should[I].Text)
        return formatv("{0}, step {1}\n  the kernel: {2}\n  the protocol: {3}",
                       Who, I, I < Did.size() ? Did[I].Text : "ends",
                       I < Should.size()
                           ? Should[I].Text + " (" +
                                 name(Script[Should[I].At].Where).str() + ")"
                           : "ends")
            .str();
    for (const Access &A : Trace.Accesses[Lane]) {
      // Between which of the script's operations it lies.
      const size_t Begin = A.Steps > 0 ? Should[A.Steps - 1].At + 1 : 0;
      const size_t End =
          A.Steps < Should.size() ? Should[A.Steps].At : Script.size();
      bool Permitted = false;
      for (size_t At = Begin; At < End; ++At)
        if (permits(Script[At], A)) {
          Permitted = true;
          Seen.insert(witness(*Role.Agent, Script[At]));
        }
      if (!Permitted || Role.IsIdle)
        return formatv("{0}, before step {1}\n  the kernel: {2}\n  the "
                       "protocol: does not",
                       Who, A.Steps, A.Text)
            .str();
    }
  }
  return std::nullopt;
}

std::optional<Comparison::Witness>
Comparison::missing(const WarpRole &Role, const std::set<Witness> &Seen) const {
  for (const ProtocolOp &Op : Role.Agent->Script)
    if (isAccess(Op) && !Seen.count(witness(*Role.Agent, Op)))
      return witness(*Role.Agent, Op);
  return std::nullopt;
}

std::optional<std::string> Comparison::differ() const {
  const std::vector<WarpRole> Roles = rolesOf(P, Good);
  if (int64_t(Roles.size()) * 32 != Count)
    return formatv("{0} threads ran, {1} have a role", Count, Roles.size() * 32)
        .str();
  std::set<Witness> Seen;
  for (const WarpRole &Role : Roles) {
    const auto Trace = Traces.find({Role.CTA, Role.Warp});
    if (Trace == Traces.end())
      return formatv("CTA {0} has no warp {1}", Role.CTA, Role.Warp).str();
    if (auto Failure = differ(Role, Trace->second, Seen))
      return Failure;
  }
  for (const WarpRole &Role : Roles)
    if (auto Each = missing(Role, Seen))
      return formatv("{0}\n  the kernel: never\n  the protocol: {1} ({2})",
                     std::get<0>(*Each),
                     Good.Buffers[std::get<2>(*Each)].Name.str(),
                     name(std::get<1>(*Each)))
          .str();
  return std::nullopt;
}

void Comparison::addMistakes(
    const ProtocolAgent &A, size_t At,
    std::vector<std::pair<std::string, ProtocolAgent>> &To) const {
  const ProtocolOp &Op = A.Script[At];
  const std::string What =
      formatv("{0}, operation {1}, {2}: ", A.Name, At, name(Op.Where));
  auto Add = [&](const char *How, auto Change) {
    To.emplace_back(What + How, A);
    std::vector<ProtocolOp> &Script = To.back().second.Script;
    Change(Script, Script[At]);
  };
  using Ops = std::vector<ProtocolOp>;
  Add("left out", [&](Ops &All, ProtocolOp &) { All.erase(All.begin() + At); });
  if (At + 1 < A.Script.size())
    Add("after the next one",
        [&](Ops &All, ProtocolOp &) { std::swap(All[At], All[At + 1]); });
  if (Op.K == ProtocolOp::WaitPhase)
    Add("the other parity", [](Ops &, ProtocolOp &Bad) { Bad.Parity ^= 1; });
  if (Op.K == ProtocolOp::Arrive || Op.K == ProtocolOp::WaitReads ||
      Op.K == ProtocolOp::WaitStores)
    Add("another count", [](Ops &, ProtocolOp &Bad) { ++Bad.Count; });
  if (Op.Bytes)
    Add("other bytes", [](Ops &, ProtocolOp &Bad) { Bad.Bytes += 16; });
  if (!Op.Targets.empty())
    Add("another barrier", [&](Ops &, ProtocolOp &Bad) {
      Bad.Targets[0] = (Bad.Targets[0] + 1) % int32_t(Good.Barriers.size());
    });
  if (!Op.Buffers.empty())
    Add("another buffer", [&](Ops &, ProtocolOp &Bad) {
      Bad.Buffers[0] = (Bad.Buffers[0] + 1) % int32_t(Good.Buffers.size());
    });
  if (Op.K == ProtocolOp::Copy && Op.Targets.size() > 1)
    Add("not for the last CTA", [](Ops &, ProtocolOp &Bad) {
      Bad.Targets.pop_back();
      Bad.Buffers.pop_back();
    });
}

/// What a trace can show of a warp's script: for each lane the steps, and
/// before each the accesses that are permitted there, in no order. A mistake
/// about anything else, such as registers, is none here.
static std::vector<std::pair<std::string, std::set<std::string>>>
visible(const Protocol &Of, const WarpRole &Role, bool WithAccesses) {
  std::vector<std::pair<std::string, std::set<std::string>>> Result;
  const std::vector<ProtocolOp> &Script = Role.Agent->Script;
  for (int64_t Lane = 0; Lane < (Role.OneThread ? 1 : 32); ++Lane) {
    std::set<std::string> Accesses;
    size_t At = 0;
    auto AddUntil = [&](size_t End) {
      for (; At < End; ++At)
        if (WithAccesses && isAccess(Script[At]))
          for (bool IsStore : {false, true}) {
            Access A;
            A.Buffer = Script[At].Buffers[0];
            A.IsStore = IsStore;
            if (permits(Script[At], A))
              Accesses.insert(formatv("{0} {1}", IsStore, A.Buffer));
          }
    };
    for (Step &S : expectedSteps(Of, Role, Lane)) {
      AddUntil(S.At);
      Result.emplace_back(std::move(S.Text), std::move(Accesses));
      Accesses.clear();
    }
    AddUntil(Script.size());
    Result.emplace_back("", std::move(Accesses));
  }
  return Result;
}

std::vector<std::string> Comparison::mistakes(int64_t &Made) const {
  std::vector<std::string> Missed;
  for (const WarpRole &Role : rolesOf(P, Good)) {
    if (Role.IsIdle)
      continue;
    const WarpTrace &Trace = Traces.at({Role.CTA, Role.Warp});
    std::set<Witness> Seen;
    differ(Role, Trace, Seen);
    // Else it has no part in some of the blocks that it may access, and a
    // mistake about when it may is none.
    const bool AccessesAll = !missing(Role, Seen);
    const auto Visible = visible(Good, Role, AccessesAll);
    for (size_t At = 0; At < Role.Agent->Script.size(); ++At) {
      std::vector<std::pair<std::string, ProtocolAgent>> All;
      addMistakes(*Role.Agent, At, All);
      for (const auto &[What, Bad] : All) {
        WarpRole BadRole = Role;
        BadRole.Agent = &Bad;
        if (visible(Good, BadRole, AccessesAll) == Visible)
          continue;
        ++Made;
        Seen.clear();
        if (!differ(BadRole, Trace, Seen) &&
            !(AccessesAll && missing(BadRole, Seen)))
          Missed.push_back(What);
      }
    }
  }
  return Missed;
}

static std::unique_ptr<MemoryBuffer> readFile(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    ExitOnErr(createStringError(File.getError(), Path));
  return std::move(*File);
}

int main(int Argc, char **Argv) {
  cl::ParseCommandLineOptions(
      Argc, Argv, "Compares a simulated kernel with its plan's protocol\n");
  const Contraction C =
      ExitOnErr(parseContraction(readFile(ContractionFile)->getBuffer()));
  const PlanSet Plans =
      ExitOnErr(planSetFromJSON(readFile(PlanFile)->getBuffer(), C));
  const KernelPlan &P = Plans.Plans.front();
  const std::unique_ptr<MemoryBuffer> Text = readFile(TraceFile);
  const auto Launches = ExitOnErr(parseTrace(Text->getBuffer(), Kernel));
  if (Launch >= Launches.size())
    ExitOnErr(createStringError("the trace has no such launch of " + Kernel));

  std::map<int64_t, std::vector<const TraceThread *>> Clusters;
  for (const TraceThread &T : Launches[Launch])
    Clusters[T.Cluster].push_back(&T);
  // As the launcher divides them (rt/cut_tiles.cuh), if all clusters of the
  // launch are at once, one CTA on each multiprocessor.
  if (Extents.size() != 4 || Starts.size() != 2)
    ExitOnErr(createStringError("four extents and two starts are needed"));
  const rt::choice Choice = runtimeChoice(P);
  const rt::gpu Device(SMs, rt::gpu().memory_rate);
  const rt::division Division =
      rt::divide_launch(Choice, rt::cost_of(Choice, rt::derive(Choice)), Tiles,
                        KBlocks / P.Products,
                        rt::memory_clocks_of(Choice, Extents[0], Extents[1],
                                             Extents[2], Extents[3], Device),
                        Device, {Starts[0], Starts[1]});
  if (Division.clusters != int64_t(Clusters.size()))
    ExitOnErr(createStringError(formatv("the launch has {0} clusters, not {1}",
                                        Clusters.size(), Division.clusters)
                                    .str()));
  int64_t Made = 0, Threads = 0, Steps = 0;
  for (const auto &[Cluster, Members] : Clusters) {
    // Tiles are dealt out in turns, behind the pieces of those that are cut.
    ProtocolRun Run;
    Run.KBlocks = KBlocks;
    Run.Tiles = 0;
    const rt::tile_cuts &Cuts = Division.cuts;
    const int Number = int(Cluster), Count = int(Clusters.size());
    for (int Tile = rt::first_tile(Cuts, Number, Count); Tile < Tiles;
         Tile = rt::next_tile(Cuts, Number, Count, Tile)) {
      const rt::tile_piece Piece = rt::piece_of(Cuts, Number, Count, Tile);
      ++Run.Tiles;
      Run.HandsOver |= Piece.first > 0;
      if (Cuts.tiles)
        Run.Pieces.push_back(P.Products * Piece.blocks);
    }
    Run.TmaStores = !PlainStores;
    Run.RawBlocks = RawBlocks;
    const Comparison Against(P, Run, Members);
    if (auto Failure = Against.differ()) {
      outs() << formatv("cluster {0}, {1}: {2}\n", Cluster, Run.str(),
                        *Failure);
      return 1;
    }
    if (Mistakes && Cluster == 0) {
      const std::vector<std::string> Missed = Against.mistakes(Made);
      for (const std::string &Each : Missed)
        outs() << "not found: " << Each << "\n";
      if (!Missed.empty())
        return 1;
    }
    Threads += int64_t(Members.size());
    for (const TraceThread *T : Members)
      Steps += int64_t(T->Ops.size());
  }
  outs() << formatv("{0}: {1} threads of {2} clusters did in {3} operations "
                    "what the protocol says",
                    P.Name, Threads, Clusters.size(), Steps);
  if (Division.cuts.tiles)
    outs() << formatv("; {0} of {1} tiles are cut", Division.cuts.tiles, Tiles);
  if (Mistakes)
    outs() << formatv("; {0} mistakes found", Made);
  outs() << "\n";
  return 0;
}
