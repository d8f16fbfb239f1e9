//===- Memory.cpp - What lies where in a kernel's shared memory -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

SharedMemory::SharedMemory(const KernelPlan &P, const Protocol &Of) : Of(Of) {
  const ProtocolRun Run;
  ProtocolBuilder B(P, Run);
  const EpiloguePlan &E = P.Epilogue;
  const SplitPlan &S = P.Split;
  for (int32_t CTA = 0; CTA < B.CTAs; ++CTA) {
    B.CTA = CTA;
    for (int32_t Stage = 0; Stage < B.Stages; ++Stage) {
      auto AddBarrier = [&](int64_t Kind, int32_t Number) {
        const int64_t At = P.BarrierOffset + 8 * (Kind * P.Stages + Stage);
        Barriers.push_back({CTA, At, At + 8, Number});
      };
      AddBarrier(0, B.full(CTA, Stage));
      AddBarrier(1, B.empty(CTA, Stage));
      auto Add = [&](int64_t At, int64_t Bytes, int32_t Number) {
        Buffers.push_back({CTA, At, At + Bytes, Number});
      };
      const int64_t Begin = Stage * P.StageBytes;
      Add(Begin + P.Rows.Offset, P.Rows.StageBytes,
          P.Feed->rowsBuffer(B, CTA, Stage));
      Add(Begin + P.Cols.Offset, P.Cols.StageBytes, B.perStage(CTA, Stage));
      if (S.Warpgroups == 0)
        continue;
      AddBarrier(2, B.ready(CTA, Stage));
      const int32_t Scales = B.feedBuffers() + B.perStage(CTA, Stage);
      Add(S.ScaleOffset + Stage * S.ScaleStageBytes, S.ScaleStageBytes, Scales);
      Add(S.FlagOffset + Stage * S.FlagStageBytes, S.FlagStageBytes, Scales);
    }
    for (int32_t Group = 0; Group < B.Storing; ++Group)
      for (int64_t I = 0; I < E.Buffers; ++I) {
        const int64_t At =
            E.StagingOffset + (Group * E.Buffers + I) * E.BufferBytes;
        Buffers.push_back(
            {CTA, At, At + E.BufferBytes, B.stagingOf(Group) + int32_t(I)});
      }
    for (int32_t Share = 0; Share < B.exchanges(); ++Share) {
      const int64_t Each = P.ExchangeBytes / B.exchanges();
      const int64_t At = P.ExchangeOffset + Share * Each;
      Buffers.push_back({CTA, At, At + Each, B.exchangeOf(Share)});
    }
  }
}

int32_t SharedMemory::barrierAt(int64_t CTA, int64_t Address) const {
  for (const Piece &Each : Barriers)
    if (Each.CTA == CTA && Each.Begin == Address)
      return Each.Number;
  return -1;
}

int32_t SharedMemory::bufferAt(int64_t CTA, int64_t Address) const {
  for (const Piece &Each : Buffers)
    if (Each.CTA == CTA && Each.Begin <= Address && Address < Each.End)
      return Each.Number;
  return -1;
}

static std::string elsewhere(int64_t CTA, int64_t Address) {
  return formatv("byte {0} of CTA {1}", Address, CTA).str();
}

std::string SharedMemory::barrier(int64_t CTA, int64_t Address) const {
  const int32_t Number = barrierAt(CTA, Address);
  return Number < 0 ? elsewhere(CTA, Address) : Of.Barriers[Number].Name.str();
}

std::string SharedMemory::buffer(int64_t CTA, int64_t Address) const {
  const int32_t Number = bufferAt(CTA, Address);
  return Number < 0 ? elsewhere(CTA, Address) : Of.Buffers[Number].Name.str();
}

} // namespace warpwright
