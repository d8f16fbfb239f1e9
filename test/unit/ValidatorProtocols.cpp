//===- ValidatorProtocols.cpp - Protocols to be broken --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValidatorProtocols.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace warpwright {

/// Removes the operations of \p Where from the agents for which \p Of holds.
static void drop(
    Protocol &P, Site Where,
    function_ref<bool(const ProtocolAgent &)> Of = [](const ProtocolAgent &) {
      return true;
    }) {
  for (ProtocolAgent &A : P.Agents)
    if (Of(A))
      llvm::erase_if(A.Script,
                     [&](const ProtocolOp &Op) { return Op.Where == Where; });
  // Barriers without parity count those who come.
  for (ProtocolAgent &A : P.Agents) {
    std::map<int32_t, int32_t> Rounds;
    for (ProtocolOp &Op : A.Script)
      if ((Op.K == ProtocolOp::Arrive || Op.K == ProtocolOp::WaitPhase) &&
          P.Barriers[Op.Targets[0]].K != ProtocolBarrier::Mbarrier)
        Op.Phase = Op.K == ProtocolOp::Arrive ? Rounds[Op.Targets[0]]++
                                              : Rounds[Op.Targets[0]] - 1;
  }
}
static void edit(Protocol &P, Site Where,
                 function_ref<void(ProtocolOp &)> Change) {
  for (ProtocolAgent &A : P.Agents)
    for (ProtocolOp &Op : A.Script)
      if (Op.Where == Where)
        Change(Op);
}
/// Exchanges each operation of \p First with that of \p Second behind it.
static void exchange(Protocol &P, Site First, Site Second) {
  for (ProtocolAgent &A : P.Agents)
    for (size_t I = 0; I + 1 < A.Script.size(); ++I)
      if (A.Script[I].Where == First && A.Script[I + 1].Where == Second) {
        std::swap(A.Script[I], A.Script[I + 1]);
        ++I;
      }
}
/// Moves each operation of \p What behind the next run of those of \p Behind.
static void moveBehind(Protocol &P, Site What, Site Behind) {
  for (ProtocolAgent &A : P.Agents) {
    if (llvm::none_of(A.Script,
                      [&](const ProtocolOp &Op) { return Op.Where == Behind; }))
      continue;
    std::vector<ProtocolOp> Script, Held;
    for (size_t I = 0; I < A.Script.size(); ++I) {
      ProtocolOp &Op = A.Script[I];
      const bool Was = I > 0 && A.Script[I - 1].Where == Behind;
      if (Was && Op.Where != Behind)
        Script.insert(Script.end(), Held.begin(), Held.end()), Held.clear();
      (Op.Where == What ? Held : Script).push_back(Op);
    }
    Script.insert(Script.end(), Held.begin(), Held.end());
    A.Script = std::move(Script);
  }
}
/// Consumers wait for full stages where they wait for ready ones.
static void waitForFull(Protocol &P) {
  const auto Stages = llvm::count_if(P.Barriers, [](const ProtocolBarrier &B) {
    return StringRef(B.Name.Format).starts_with("full");
  });
  edit(P, Site::WaitReady,
       [&](ProtocolOp &Op) { Op.Targets[0] -= 2 * int32_t(Stages); });
}
static bool isWarp(const ProtocolAgent &A, char Number) {
  return StringRef(A.Name).contains("warp") && A.Name.back() == Number;
}

#define CHANGE(...) [](Protocol &P) { __VA_ARGS__; }
static const ProtocolMutant Mutants[] = {
    {Property::BarrierInit, "no barrier after the initialisation",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::FirstSync))},
    {Property::BarrierInit, "nobody waits for the initialisation",
     ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::LastSync); edit(P, Site::FirstSync,
                                          [](ProtocolOp &Op) {
                                            if (Op.K == ProtocolOp::WaitPhase)
                                              Op.K = ProtocolOp::FenceProxy;
                                          }))},
    {Property::NamedBarrier, "nobody passes the turn", ProtocolMutant::Pingpong,
     CHANGE(drop(P, Site::PassTurn))},
    {Property::NamedBarrier, "a warp misses a meeting",
     ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::SyncSlab,
                 [](const ProtocolAgent &A) { return isWarp(A, '3'); }))},
    {Property::ArrivalCount, "stages are not released",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::Release))},
    {Property::ArrivalCount, "a warp does not release its last stage",
     ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::ReleaseLast,
                 [](const ProtocolAgent &A) { return isWarp(A, '2'); }))},
    {Property::ArrivalCount, "all lanes release", ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::Release, [](ProtocolOp &Op) { Op.Count = 32; }))},
    {Property::ArrivalCount, "nothing is expected", ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::ExpectBytes))},
    {Property::TransactionBytes, "the rows are not copied",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::CopyRows))},
    {Property::TransactionBytes, "bytes of a box off by one",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::CopyRows, [](ProtocolOp &Op) { Op.Bytes += 1; }))},
    {Property::TransactionBytes, "columns go to one CTA only",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::CopyColumns,
                 [](ProtocolOp &Op) {
                   Op.Targets.pop_back();
                   Op.Buffers.pop_back();
                 }))},
    {Property::Parity, "consumers wait for the other parity",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::WaitFull, [](ProtocolOp &Op) { Op.Parity ^= 1; }))},
    {Property::Parity, "the producer waits for the other parity",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::WaitEmpty, [](ProtocolOp &Op) { Op.Parity ^= 1; }))},
    {Property::ArrivalOrder, "bytes are expected before the stage is empty",
     ProtocolMutant::Cooperative,
     CHANGE(exchange(P, Site::WaitEmpty, Site::ExpectBytes))},
    {Property::PhaseSlip, "nobody takes turns", ProtocolMutant::Pingpong,
     CHANGE(drop(P, Site::TakeTurn); drop(P, Site::PassTurn))},
    {Property::StageInFlight, "nobody waits for a full stage",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::WaitFull))},
    {Property::StageInFlight, "a warp does not wait for a full stage",
     ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::WaitFull,
                 [](const ProtocolAgent &A) { return isWarp(A, '1'); }))},
    {Property::StageInFlight, "the stage after", ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::Multiply, [](ProtocolOp &Op) { Op.Tag += 1; }))},
    {Property::StageContent, "the block before", ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::Multiply,
                 [](ProtocolOp &Op) { Op.Tag -= Op.Tag > 0; }))},
    {Property::StageOverwritten, "the producer does not wait",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::WaitEmpty))},
    {Property::StageOverwritten, "a stage is released at once",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::WaitProducts, [](ProtocolOp &Op) { Op.Count = 2; }))},
    {Property::StageOverwritten, "a stage is released before the wait",
     ProtocolMutant::Cooperative,
     CHANGE(exchange(P, Site::WaitProducts, Site::Release))},
    {Property::AccumulatorFence, "no wgmma.fence", ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::FenceOperands))},
    {Property::AccumulatorInFlight, "no last wait", ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::WaitLast))},
    {Property::AccumulatorInFlight, "a wait for all but one",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::WaitLast, [](ProtocolOp &Op) { Op.Count = 1; }))},
    {Property::StagingOverwritten, "no wait before a buffer is used again",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::WaitBuffer))},
    {Property::StagingOverwritten, "a store too many may still read",
     ProtocolMutant::Cooperative,
     CHANGE(edit(P, Site::WaitBuffer, [](ProtocolOp &Op) { Op.Count = 2; }))},
    {Property::StagingOverwritten, "the others do not hear of it",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::SyncBuffer))},
    {Property::StagingOverwritten, "waits on a thread that did not commit",
     ProtocolMutant::Cooperative, CHANGE(for (ProtocolAgent & A : P.Agents) {
       if (isWarp(A, '0'))
         llvm::erase_if(A.Script, [](const ProtocolOp &Op) {
           return Op.Where == Site::WaitBuffer;
         });
       if (isWarp(A, '1'))
         for (size_t I = 0; I < A.Script.size(); ++I)
           if (A.Script[I].Where == Site::SyncBuffer &&
               A.Script[I].K == ProtocolOp::Arrive) {
             ProtocolOp Wait;
             Wait.K = ProtocolOp::WaitStores;
             Wait.Where = Site::WaitBuffer;
             Wait.Count = 1;
             A.Script.insert(A.Script.begin() + I++, Wait);
           }
     })},
    {Property::StagingInFlight, "stored before all have written",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::SyncSlab))},
    {Property::ProxyFence, "no proxy fence", ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::FenceSlab))},
    {Property::ProxyFence, "a proxy fence by the leader only",
     ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::FenceSlab,
                 [](const ProtocolAgent &A) { return !isWarp(A, '0'); }))},
    {Property::ProxyFence, "a proxy fence behind the barrier",
     ProtocolMutant::Cooperative,
     CHANGE(for (ProtocolAgent &
                 A : P.Agents) for (size_t I = 0; I + 2 < A.Script.size();
                                    ++I) if (A.Script[I].Where ==
                                             Site::FenceSlab) {
       std::rotate(A.Script.begin() + I, A.Script.begin() + I + 1,
                   A.Script.begin() + I + 3);
       I += 2;
     })},
    {Property::ExitInFlight, "stores are not awaited at the end",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::DrainStores))},
    {Property::ExitInFlight, "stores are not committed",
     ProtocolMutant::Cooperative,
     CHANGE(drop(P, Site::CommitStore); drop(P, Site::WaitBuffer))},
    {Property::ClusterExit, "CTAs do not wait for each other at the end",
     ProtocolMutant::Cooperative, CHANGE(drop(P, Site::LastSync))},
    // The transform.
    {Property::StageInFlight, "the transform does not wait for a full stage",
     ProtocolMutant::Split, CHANGE(drop(P, Site::WaitFull))},
    {Property::PartsInFlight, "ready is told before the parts are written",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::SplitBlocks, Site::SignalReady))},
    {Property::PartsInFlight, "only one warp waits for what is ready",
     ProtocolMutant::Split,
     CHANGE(drop(P, Site::ReadFlags);
            drop(P, Site::WaitReady,
                 [](const ProtocolAgent &A) { return !isWarp(A, '0'); }))},
    {Property::ScalesInFlight, "nobody waits for a transformed stage",
     ProtocolMutant::Split, CHANGE(drop(P, Site::WaitReady))},
    {Property::ScalesInFlight, "ready is told before the scales are written",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::WriteScales, Site::SignalReady))},
    {Property::ScalesInFlight, "the scales of the stage after",
     ProtocolMutant::Split,
     CHANGE(edit(P, Site::ReadScales, [](ProtocolOp &Op) { Op.Tag += 1; }))},
    {Property::ScalesOverwritten, "released before the scales are read",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::ReadScales, Site::ReleaseWindow))},
    {Property::ScalesOverwritten, "released before the flags are read",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::ReadFlags, Site::ReleaseWindow))},
    {Property::StageOverwritten, "released before the products are done",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::WaitHigh, Site::ReleaseWindow);
            drop(P, Site::Promote))},
    {Property::StageOverwritten, "released before raw blocks are multiplied",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::MultiplyRaw, Site::ReleaseWindow))},
    {Property::StageContent, "a block of the window before",
     ProtocolMutant::Split,
     CHANGE(edit(P, Site::MultiplyLow,
                 [](ProtocolOp &Op) { Op.Tag -= Op.Tag > 3 ? 4 : 0; }))},
    {Property::ProxyFence, "no proxy fence of the parts", ProtocolMutant::Split,
     CHANGE(drop(P, Site::FenceParts))},
    {Property::ProxyFence, "one warp of the transform has no proxy fence",
     ProtocolMutant::Split,
     CHANGE(drop(P, Site::FenceParts,
                 [](const ProtocolAgent &A) {
                   return isWarp(A, '3') || isWarp(A, '0');
                 }))},
    {Property::ProxyFence, "a proxy fence behind the arrival",
     ProtocolMutant::Split,
     CHANGE(exchange(P, Site::FenceParts, Site::SignalReady))},
    {Property::ProxyFence, "a proxy fence before the parts are written",
     ProtocolMutant::Split,
     CHANGE(moveBehind(P, Site::SplitBlocks, Site::FenceParts))},
    {Property::AccumulatorFence, "no wgmma.fence behind the small products",
     ProtocolMutant::Split, CHANGE(drop(P, Site::FenceOperands))},
    {Property::AccumulatorInFlight, "small products are scaled too early",
     ProtocolMutant::Split, CHANGE(drop(P, Site::WaitLow))},
    {Property::AccumulatorInFlight, "promoted too early", ProtocolMutant::Split,
     CHANGE(edit(P, Site::WaitHigh, [](ProtocolOp &Op) { Op.Count = 1; }))},
    {Property::ArrivalCount, "a warp of the transform is silent",
     ProtocolMutant::Split,
     CHANGE(drop(P, Site::SignalReady,
                 [](const ProtocolAgent &A) { return isWarp(A, '3'); }))},
    {Property::ArrivalCount, "one lane of each warp of the transform arrives",
     ProtocolMutant::Split,
     CHANGE(edit(P, Site::SignalReady, [](ProtocolOp &Op) { Op.Count = 1; }))},
    {Property::ArrivalCount, "windows are not released", ProtocolMutant::Split,
     CHANGE(drop(P, Site::ReleaseWindow))},
    {Property::Parity, "consumers wait for the other parity of ready",
     ProtocolMutant::Split,
     CHANGE(edit(P, Site::WaitReady, [](ProtocolOp &Op) { Op.Parity ^= 1; }))},
    {Property::Parity, "the transform waits for the other parity",
     ProtocolMutant::Split,
     CHANGE(edit(P, Site::WaitFull, [](ProtocolOp &Op) { Op.Parity ^= 1; }))},
    // Rows in registers.
    {Property::StageInFlight, "rows are not waited for",
     ProtocolMutant::Registers,
     CHANGE(drop(P, Site::ReadFlags); drop(P, Site::WaitReady))},
    {Property::PartsInFlight, "a full stage is taken for a ready one",
     ProtocolMutant::Registers,
     CHANGE(drop(P, Site::ReadFlags); waitForFull(P))},
    {Property::StageContent, "rows of the round before",
     ProtocolMutant::Registers,
     CHANGE(edit(P, Site::RoundRows,
                 [](ProtocolOp &Op) { Op.Tag -= Op.Tag > 3 ? 4 : 0; }))},
    {Property::FragmentContent, "rows are not rounded",
     ProtocolMutant::Registers, CHANGE(drop(P, Site::RoundRows))},
    {Property::FragmentContent, "the registers of the next block",
     ProtocolMutant::Registers,
     CHANGE(
         edit(P, Site::Multiply, [](ProtocolOp &Op) { Op.Fragments ^= 1; }))},
    {Property::FragmentOverwritten, "one set of registers",
     ProtocolMutant::Registers,
     CHANGE(for (Site S : {Site::RoundRows, Site::Multiply})
                edit(P, S, [](ProtocolOp &Op) { Op.Fragments = 0; }))},
    {Property::FragmentOverwritten, "products of two blocks at a time",
     ProtocolMutant::Registers, CHANGE(for (ProtocolAgent & A : P.Agents) {
       for (size_t I = 0; I + 1 < A.Script.size(); ++I)
         if (A.Script[I].Where == Site::WaitLast &&
             A.Script[I + 1].Where == Site::FenceOperands)
           A.Script[I].Count = 1;
     })},
    {Property::AccumulatorFence, "a wgmma.fence for a tile's first block only",
     ProtocolMutant::Registers, CHANGE(for (ProtocolAgent & A : P.Agents) {
       for (size_t I = 1; I < A.Script.size(); ++I)
         if (A.Script[I].Where == Site::FenceOperands &&
             A.Script[I - 1].Where == Site::WaitLast)
           A.Script[I].K = ProtocolOp::UseSums;
     })},
    {Property::AccumulatorInFlight, "sums are used before their products",
     ProtocolMutant::Registers, CHANGE(drop(P, Site::WaitLast))},
    {Property::AccumulatorInFlight, "sums are cleared before their products",
     ProtocolMutant::Registers,
     CHANGE(exchange(P, Site::WaitLast, Site::ClearSums))},
    {Property::StageOverwritten, "the last stage is released too early",
     ProtocolMutant::Registers,
     CHANGE(drop(P, Site::ReadScales); drop(P, Site::Promote);
            exchange(P, Site::WaitLast, Site::ReleaseLast))},
    {Property::StageContent, "raw rows are multiplied when all are released",
     ProtocolMutant::Registers,
     CHANGE(moveBehind(P, Site::MultiplyRaw, Site::ReleaseLast))},
    {Property::ScalesOverwritten, "released before the scales are read",
     ProtocolMutant::Registers,
     CHANGE(moveBehind(P, Site::ReadScales, Site::Release))},
    {Property::ScalesInFlight, "columns are not waited for",
     ProtocolMutant::Registers, CHANGE(drop(P, Site::WaitReady))},
    {Property::StageInFlight, "only one warp waits for the rows",
     ProtocolMutant::Registers,
     CHANGE(drop(P, Site::ReadFlags);
            drop(P, Site::WaitReady,
                 [](const ProtocolAgent &A) { return !isWarp(A, '0'); }))},
    {Property::ProxyFence, "no proxy fence of the columns",
     ProtocolMutant::Registers, CHANGE(drop(P, Site::FenceParts))},
    {Property::ArrivalCount, "stages are not released",
     ProtocolMutant::Registers, CHANGE(drop(P, Site::Release))},
    // Blocks of k in turn.
    {Property::ExchangeInFlight, "nobody waits for the other set's sums",
     ProtocolMutant::Interleaved, CHANGE(drop(P, Site::SumsWritten))},
    {Property::ExchangeInFlight, "sums are written behind the meeting",
     ProtocolMutant::Interleaved,
     CHANGE(moveBehind(P, Site::GiveSums, Site::SumsWritten))},
    {Property::ExchangeInFlight, "the sums of the tile after",
     ProtocolMutant::Interleaved,
     CHANGE(edit(P, Site::TakeSums, [](ProtocolOp &Op) { Op.Tag += 1; }))},
    {Property::ArrivalCount, "nobody waits until sums are read",
     ProtocolMutant::Interleaved, CHANGE(drop(P, Site::SumsRead))},
    {Property::ExchangeOverwritten, "sums are read behind the meeting",
     ProtocolMutant::Interleaved,
     CHANGE(moveBehind(P, Site::TakeSums, Site::SumsRead))},
    {Property::ExchangeInFlight, "a warp of each set stays away",
     ProtocolMutant::Interleaved,
     CHANGE(drop(P, Site::SumsWritten,
                 [](const ProtocolAgent &A) { return isWarp(A, '3'); }))},
    // Two sets of accumulators in turn.
    {Property::AccumulatorInFlight, "a stage's sums are not waited for",
     ProtocolMutant::Behind,
     CHANGE(edit(P, Site::WaitProducts, [](ProtocolOp &Op) { Op.Count = 2; }))},
    {Property::AccumulatorInFlight, "the other set of accumulators is promoted",
     ProtocolMutant::Behind,
     CHANGE(edit(P, Site::Promote,
                 [](ProtocolOp &Op) {
                   if (Op.K == ProtocolOp::UseResults)
                     Op.Accumulators ^= 1;
                 }))},
};
#undef CHANGE

ArrayRef<ProtocolMutant> protocolMutants() { return Mutants; }

} // namespace warpwright
