//===- ProtocolMemory.cpp - Who may touch what, and when ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Stages, staging buffers and scales: each access against what the agent knows
// of those before it.
//
//===----------------------------------------------------------------------===//

#include "Explorer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright::exploration {

void BufferState::renew(int32_t NewTag) {
  OldTag = Tag;
  OldWrites = std::move(Writes);
  OldUses = std::move(Uses);
  OldSentByTma = SentByTma;
  Writes.clear();
  Uses.clear();
  Tag = NewTag;
  Filled = 0;
}

void Explorer::endUse(int32_t Agent, std::pair<int32_t, int32_t> Use) {
  BufferUses &Uses = Buffers[Use.first].Uses;
  if (size_t(Use.second) < Uses.size() && Uses[Use.second].Begin.Agent == Agent)
    Uses[Use.second].End = event(Agent);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void Explorer::copy(int32_t Agent, const ProtocolOp &Op, int32_t Target,
                    int32_t Buffer) {
  BufferState &S = Buffers[Buffer];
  const ProtocolBuffer &Spec = P.Buffers[Buffer];
  if (S.Tag != Op.Tag) {
    S.renew(Op.Tag);
    S.Barrier = Target;
    S.Phase = Op.Phase;
  }
  if (S.OldTag >= 0) {
    for (const BufferUse &Use : S.OldUses)
      if (!knows(Agent, Use.End))
        return fail(Property::StageOverwritten, Agent,
                    nameOf(Agent) + " fills " + Spec.Name.str() +
                        " with block " + Twine(Op.Tag) + " while " +
                        nameOf(Use.Begin.Agent) + " may still read block " +
                        Twine(S.OldTag));
    if (int32_t(S.OldUses.size()) != Spec.Users)
      return fail(Property::StageOverwritten, Agent,
                  formatv("{0} fills {1} with block {2} when {3} of {4} warps "
                          "have read block {5}",
                          nameOf(Agent), Spec.Name.str(), Op.Tag,
                          S.OldUses.size(), Spec.Users, S.OldTag));
    // Whoever has read it knew of all that rewrote it, and told the filler.
  }
  S.Filled += Op.Bytes;
  if (S.Barrier != Target || S.Phase != Op.Phase)
    S.Barrier = -1;
  arrive(Agent, Op, Target);
}

/// \p Agent knows that all copies of the block have written.
bool Explorer::checkArrived(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  if (S.Tag > Op.Tag)
    fail(Property::StageContent, Agent,
         nameOf(Agent) + " reads block " + Twine(Op.Tag) + " from " +
             Spec.Name.str() + ", which holds block " + Twine(S.Tag));
  else if (S.Tag < Op.Tag || S.Filled < Spec.FillBytes || S.Barrier < 0 ||
           known(Agent)[Barriers[S.Barrier].Component] <= S.Phase)
    fail(Property::StageInFlight, Agent,
         nameOf(Agent) + " reads block " + Twine(Op.Tag) + " from " +
             Spec.Name.str() + " before all of it has arrived");
  return !Failure;
}

bool Explorer::isWritten(int32_t Agent, const BufferUses &Writes,
                         size_t Writers) {
  return Writes.size() == Writers &&
         llvm::all_of(Writes, [&](const BufferUse &Write) {
           return Write.Begin.Agent == Agent || knows(Agent, Write.Begin);
         });
}

/// \p Agent knows that all of a transformed stage has been rewritten.
bool Explorer::checkParts(int32_t Agent, const ProtocolOp &Op, bool ByWgmma) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  if (S.Tag > Op.Tag)
    return checkArrived(Agent, Op);
  if (S.Tag < Op.Tag || !isWritten(Agent, S.Writes, Spec.Writers)) {
    fail(Property::PartsInFlight, Agent,
         nameOf(Agent) + " reads the parts of block " + Twine(Op.Tag) +
             " from " + Spec.Name.str() +
             " before all of it is known to be transformed");
    return false;
  }
  for (const BufferUse &Write : S.Writes)
    if (ByWgmma && !knows(Agent, Write.Fence)) {
      fail(Property::ProxyFence, Agent,
           "wgmma reads from " + Spec.Name.str() + " what " +
               nameOf(Write.Begin.Agent) +
               " has written, without fence.proxy.async by that warp before "
               "the barrier");
      return false;
    }
  return true;
}

/// One use for each agent and content, until the last of its reads is done.
void Explorer::use(int32_t Agent, const ProtocolOp &Op, bool Done) {
  BufferUses &Uses = Buffers[Op.Buffers[0]].Uses;
  auto *Mine = llvm::find_if(
      Uses, [&](const BufferUse &Use) { return Use.Begin.Agent == Agent; });
  if (Mine == Uses.end()) {
    Uses.push_back({event(Agent), {}, {}});
    Mine = &Uses.back();
  }
  const std::pair<int32_t, int32_t> Position = {Op.Buffers[0],
                                                int32_t(Mine - Uses.begin())};
  AgentState &A = State[Agent];
  if (!Done || !llvm::is_contained(A.Reads, Position))
    Mine->End = Done ? event(Agent) : Event();
  if (!Done) {
    A.Reads.push_back(Position);
    A.ReadFragments.push_back(Op.Fragments);
    A.ReadAccumulators.push_back(Op.Accumulators);
  }
}

void Explorer::read(int32_t Agent, const ProtocolOp &Op) {
  if (!(P.Buffers[Op.Buffers[0]].Writers
            ? checkParts(Agent, Op, /*ByWgmma=*/true)
            : checkArrived(Agent, Op)))
    return;
  AgentState &A = State[Agent];
  if (A.TouchedResults)
    return fail(Property::AccumulatorFence, Agent,
                nameOf(Agent) +
                    " multiplies into accumulators that ordinary instructions "
                    "have used, without wgmma.fence");
  if (Op.Fragments >= 0) {
    const AgentState::Fragments &Set = A.Rows[Op.Fragments];
    if (Set.Tag != Op.Tag)
      return fail(Property::FragmentContent, Agent,
                  nameOf(Agent) + " multiplies block " + Twine(Op.Tag) +
                      " by registers that hold " +
                      (Set.Tag < 0 ? std::string("nothing")
                                   : "block " + std::to_string(Set.Tag)));
    if (Set.Touched)
      return fail(Property::AccumulatorFence, Agent,
                  nameOf(Agent) + " multiplies rows in registers that ordinary "
                                  "instructions have written, without "
                                  "wgmma.fence");
  }
  A.HasResults[Op.Accumulators] = true;
  use(Agent, Op, /*Done=*/false);
}

/// Rows of a stage into registers, of which wgmma may still read others.
void Explorer::round(int32_t Agent, const ProtocolOp &Op) {
  AgentState &A = State[Agent];
  load(Agent, Op);
  if (!Failure && llvm::is_contained(A.ReadFragments, Op.Fragments))
    fail(Property::FragmentOverwritten, Agent,
         nameOf(Agent) + " rounds rows of block " + Twine(Op.Tag) +
             " into registers from which wgmma may still read block " +
             Twine(A.Rows[Op.Fragments].Tag));
  A.Rows[Op.Fragments] = {Op.Tag, true};
}

void Explorer::noteWrite(int32_t Agent, const ProtocolOp &Op) {
  BufferUses &Writes = Buffers[Op.Buffers[0]].Writes;
  State[Agent].Unfenced.push_back({Op.Buffers[0], int32_t(Writes.size())});
  Writes.push_back({event(Agent), event(Agent), {}});
}

/// That no two agents rewrite the same bytes, nor one what another reads, is
/// a matter of the layout.
void Explorer::rewrite(int32_t Agent, const ProtocolOp &Op) {
  if (checkArrived(Agent, Op))
    noteWrite(Agent, Op);
}

void Explorer::load(int32_t Agent, const ProtocolOp &Op) {
  switch (P.Buffers[Op.Buffers[0]].K) {
  case ProtocolBuffer::Stage:
    if (P.Buffers[Op.Buffers[0]].Writers
            ? checkParts(Agent, Op, /*ByWgmma=*/false)
            : checkArrived(Agent, Op))
      use(Agent, Op, /*Done=*/true);
    return;
  case ProtocolBuffer::Scales:
  case ProtocolBuffer::Exchange:
    return loadScales(Agent, Op);
  case ProtocolBuffer::Staging:
    return send(Agent, Op);
  }
}

//===----------------------------------------------------------------------===//
// Scales and flags, of blocks, and exchanged sums, of tiles
//===----------------------------------------------------------------------===//

void Explorer::writeScales(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const bool Sums = P.Buffers[Op.Buffers[0]].K == ProtocolBuffer::Exchange;
  if (S.Tag != Op.Tag)
    S.renew(Op.Tag);
  for (const BufferUse &Use : S.OldUses)
    if (!knows(Agent, Use.End))
      return fail(
          Sums ? Property::ExchangeOverwritten : Property::ScalesOverwritten,
          Agent,
          nameOf(Agent) + " writes those of " + (Sums ? "tile " : "block ") +
              Twine(Op.Tag) + " to " + P.Buffers[Op.Buffers[0]].Name.str() +
              " while " + nameOf(Use.Begin.Agent) +
              " may still read those of " + Twine(S.OldTag));
  noteWrite(Agent, Op);
}

void Explorer::loadScales(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  const bool Sums = Spec.K == ProtocolBuffer::Exchange;
  const char *const Of = Sums ? "tile " : "block ";
  if (S.Tag > Op.Tag)
    return fail(Sums ? Property::ExchangeOverwritten
                     : Property::ScalesOverwritten,
                Agent,
                nameOf(Agent) + " reads those of " + Of + Twine(Op.Tag) +
                    " from " + Spec.Name.str() + ", where those of " + Of +
                    Twine(S.Tag) + " may be");
  if (S.Tag < Op.Tag || !isWritten(Agent, S.Writes, Spec.Writers))
    return fail(
        Sums ? Property::ExchangeInFlight : Property::ScalesInFlight, Agent,
        nameOf(Agent) + " reads those of " + Of + Twine(Op.Tag) + " from " +
            Spec.Name.str() + " before all of them are known to be written");
  use(Agent, Op, /*Done=*/true);
}

//===----------------------------------------------------------------------===//
// Staging buffers
//===----------------------------------------------------------------------===//

void Explorer::write(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  if (Spec.K == ProtocolBuffer::Scales || Spec.K == ProtocolBuffer::Exchange)
    return writeScales(Agent, Op);
  if (S.Tag != Op.Tag)
    S.renew(Op.Tag);
  if (S.OldTag >= 0) {
    for (const BufferUse &Use : S.OldUses)
      if (!knows(Agent, Use.End))
        return fail(Property::StagingOverwritten, Agent,
                    nameOf(Agent) + " writes slab " + Twine(Op.Tag) + " to " +
                        Spec.Name.str() + " while slab " + Twine(S.OldTag) +
                        " may still be read from it");
    if (S.OldUses.size() != size_t(S.OldSentByTma ? 1 : Spec.Users))
      return fail(Property::StagingOverwritten, Agent,
                  nameOf(Agent) + " writes slab " + Twine(Op.Tag) + " to " +
                      Spec.Name.str() + " before slab " + Twine(S.OldTag) +
                      " has been stored");
  }
  noteWrite(Agent, Op);
}

/// A staged slab goes out, by TMA or by ordinary loads.
void Explorer::send(int32_t Agent, const ProtocolOp &Op) {
  BufferState &S = Buffers[Op.Buffers[0]];
  const ProtocolBuffer &Spec = P.Buffers[Op.Buffers[0]];
  const bool ByTma = Op.K == ProtocolOp::Store;
  if (S.Tag != Op.Tag || !isWritten(Agent, S.Writes, Spec.Users))
    return fail(Property::StagingInFlight, Agent,
                nameOf(Agent) + " stores slab " + Twine(Op.Tag) + " from " +
                    Spec.Name.str() +
                    " before all of it is known to be written");
  for (const BufferUse &Use : S.Writes)
    if (ByTma && !knows(Agent, Use.Fence))
      return fail(Property::ProxyFence, Agent,
                  "TMA reads from " + Spec.Name.str() + " what " +
                      nameOf(Use.Begin.Agent) +
                      " has written, without fence.proxy.async by that warp "
                      "before the barrier");
  S.SentByTma = ByTma;
  if (ByTma)
    State[Agent].OpenStores.push_back({Op.Buffers[0], int32_t(S.Uses.size())});
  S.Uses.push_back({event(Agent), ByTma ? Event() : event(Agent), {}});
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

} // namespace warpwright::exploration
