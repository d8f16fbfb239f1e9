//===- Cost.cpp - What a plan is expected to cost
//--------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The coefficients come from measurements on an H200 (docs/performance.md);
// the shape of the formula from what bounds the kernel: the tensor cores, the
// bandwidth of shared memory, and the way from L2.
//
//===----------------------------------------------------------------------===//

#include "Cost.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Plan.h"

#include <algorithm>

namespace warpwright {

/// All of L2, bytes per clock; the runtime's selector has the same number.
static constexpr int64_t L2BytesPerClock = 6000;
/// First loads of a launch: tensor maps, DRAM latency, barriers.
static constexpr double FillClocks = 1500;
/// Epilogue clocks per element of one warpgroup.
static constexpr double EpilogueClocksPerElement = 0.128;
/// Reads and fills of shared memory overlap better than the plain sum says.
static constexpr double SmemOverlap = 0.8;
/// A wgmma takes at least this long, whatever its n.
static constexpr double LeastWgmmaClocks = 16;
/// Of one SM, sustained.
static constexpr double PortBytesPerClock = 55;

PlanCost planCost(const KernelPlan &P, const Machine &M) {
  int64_t Bytes = byteSize(P.Rows.Type), RowBlocks = P.tileRows() / 64;
  int64_t Steps = P.TileK * Bytes / 32; // 32 bytes of k each
  double Wgmmas = double(RowBlocks * Steps);
  double Flops = 2.0 * 64 * double(P.InstructionN) * (32.0 / double(Bytes));
  double Tensor =
      Wgmmas * std::max(Flops / M.flopsPerClock(Bytes), LeastWgmmaClocks);
  // Each wgmma reads its 64 rows and its n columns, 32 bytes wide; the fill
  // writes everything once.
  double Smem =
      (Wgmmas * 32 * double(64 + P.InstructionN) + double(P.StageBytes)) /
      M.SmemBytesPerClock * SmemOverlap;
  double FromL2 = double(P.Rows.StageBytes) / double(P.Rows.Shares) +
                  double(P.Cols.StageBytes) / double(P.Cols.Shares);
  double Clocks = std::max({Tensor, Smem, FromL2 / PortBytesPerClock});
  // Measured: taking turns costs the main loop a little, and so do narrow
  // instructions, between which a warpgroup leaves gaps.
  if (P.Pingpong)
    Clocks *= 1.03;
  else
    Clocks *= 1 + 0.06 * double(256 - P.InstructionN) / 128;

  double Elements = double(P.tileRows() * P.tileColumns());
  double Warpgroups = P.Pingpong ? 1 : double(P.ConsumerWarpgroups);
  double Epilogue = EpilogueClocksPerElement * Elements / Warpgroups;

  PlanCost Cost;
  Cost.ClocksPerKBlock = int64_t(Clocks + 0.5);
  Cost.ClocksPerTile = int64_t(P.Pingpong ? 100 : Epilogue);
  Cost.ClocksOnce = int64_t(FillClocks + (P.Pingpong ? Epilogue : 0));
  Cost.BytesPerKBlock = int64_t(FromL2);
  return Cost;
}

static int64_t ceilDiv(int64_t A, int64_t B) { return (A + B - 1) / B; }

static int64_t tileCount(const PlanChoice &P, int64_t MExtent, int64_t NExtent,
                         int64_t Batch) {
  // Clusters are whole, even where only part of one has work.
  return ceilDiv(ceilDiv(MExtent, P.TileM), P.ClusterM) * P.ClusterM *
         (ceilDiv(ceilDiv(NExtent, P.TileN), P.ClusterN) * P.ClusterN) * Batch;
}

static int64_t concurrentCTAs(const PlanChoice &P, int64_t SMs) {
  return std::max<int64_t>(1, SMs / P.clusterSize()) * P.clusterSize();
}

int64_t predictedClocks(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                        int64_t KExtent, int64_t Batch, int64_t SMs) {
  int64_t Tiles = tileCount(P, MExtent, NExtent, Batch);
  int64_t Waves = ceilDiv(Tiles, concurrentCTAs(P, SMs));
  int64_t KBlocks = ceilDiv(KExtent, P.TileK);
  int64_t Clocks =
      P.Cost.ClocksOnce +
      Waves * (KBlocks * P.Cost.ClocksPerKBlock + P.Cost.ClocksPerTile);
  int64_t L2 = Tiles * KBlocks * P.Cost.BytesPerKBlock / L2BytesPerClock;
  return std::max(Clocks, L2);
}

size_t selectPlan(const PlanSet &Plans, int64_t MExtent, int64_t NExtent,
                  int64_t KExtent, int64_t Batch, int64_t SMs) {
  size_t Best = 0;
  int64_t Least = 0;
  for (size_t I = 0; I < Plans.Plans.size(); ++I) {
    int64_t Clocks =
        predictedClocks(Plans.Plans[I], MExtent, NExtent, KExtent, Batch, SMs);
    if (I == 0 || Clocks < Least) {
      Best = I;
      Least = Clocks;
    }
  }
  return Best;
}

Prediction predict(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                   int64_t KExtent, int64_t Batch, const Machine &M) {
  Prediction Result;
  Result.Tiles = tileCount(P, MExtent, NExtent, Batch);
  Result.Waves = ceilDiv(Result.Tiles, concurrentCTAs(P, M.SMs));
  double DM = double(MExtent), DN = double(NExtent), DK = double(KExtent);
  double DB = double(Batch), In = byteSize(P.Rows.Type);
  Result.Flops = 2 * DM * DN * DK * DB;
  Result.Bytes =
      ((P.Rows.IsA ? P.Rows : P.Cols).Batched ? DB : 1) * DM * DK * In +
      ((P.Rows.IsA ? P.Cols : P.Rows).Batched ? DB : 1) * DN * DK * In +
      DB * DM * DN * byteSize(P.Epilogue.Type);
  int64_t KBlocks = ceilDiv(KExtent, P.TileK);
  double Clocks = double(
      P.Cost.ClocksOnce +
      Result.Waves * (KBlocks * P.Cost.ClocksPerKBlock + P.Cost.ClocksPerTile));
  double L2 = double(Result.Tiles) * double(KBlocks) *
              double(P.Cost.BytesPerKBlock) / double(L2BytesPerClock);
  // Long kernels run at the power-capped clock.
  double Hz =
      std::max(Clocks, L2) / M.ClockHz > 1e-3 ? M.SustainedClockHz : M.ClockHz;
  double Memory = Result.Bytes / M.HbmBytesPerSecond;
  Result.Seconds = std::max({Clocks / Hz, L2 / Hz, Memory});
  double Tensor =
      Result.Flops / M.flopsPerClock(int64_t(In)) / double(M.SMs) / Hz;
  if (Memory >= Result.Seconds)
    Result.Bound = "memory";
  else if (L2 / Hz >= Result.Seconds)
    Result.Bound = "L2";
  else if (Tensor > 0.8 * Result.Seconds)
    Result.Bound = "tensor cores";
  else
    Result.Bound = Result.Waves * P.clusterSize() <= 2 ? "too few tiles"
                                                       : "waves and epilogues";
  return Result;
}

} // namespace warpwright
