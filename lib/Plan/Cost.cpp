//===- Cost.cpp - What a plan is expected to cost -------------------------===//
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
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/rt/cost.cuh"

#include <algorithm>

namespace warpwright {

PlanCost planCost(const KernelPlan &P) {
  const rt::choice Choice = runtimeChoice(P);
  const rt::plan_cost Cost = rt::cost_of(Choice, rt::derive(Choice));
  return {Cost.clocks_per_k_block,  Cost.clocks_per_tile,
          Cost.clocks_once,         Cost.bytes_per_k_block,
          Cost.a_bytes_per_k_block, Cost.stored_bytes_per_tile};
}

rt::gpu deviceOf(const Machine &M) { return {M.SMs, rt::gpu().memory_rate}; }

static rt::estimate estimate(const KernelPlan &P, int64_t MExtent,
                             int64_t NExtent, int64_t KExtent, int64_t Batch,
                             const rt::gpu &Device,
                             rt::row_starts Starts = {}) {
  const rt::plan_cost Cost = {
      P.Cost.ClocksPerKBlock,   P.Cost.ClocksPerTile,
      P.Cost.ClocksOnce,        P.Cost.BytesPerKBlock,
      P.Cost.BytesOfAPerKBlock, P.Cost.StoredBytesPerTile};
  return rt::estimate_of(runtimeChoice(P), Cost, MExtent, NExtent, KExtent,
                         Batch, Device, Starts);
}

int64_t predictedClocks(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                        int64_t KExtent, int64_t Batch, const rt::gpu &Device,
                        rt::row_starts Starts) {
  return estimate(P, MExtent, NExtent, KExtent, Batch, Device, Starts).total();
}

double copySeconds(int64_t Bytes, const Machine &M) {
  return double(rt::copy_clocks(Bytes)) / M.ClockHz;
}

size_t selectPlan(const PlanSet &Plans, int64_t MExtent, int64_t NExtent,
                  int64_t KExtent, int64_t Batch, const rt::gpu &Device,
                  rt::row_starts Starts) {
  size_t Best = 0;
  int64_t Least = 0;
  for (size_t I = 0; I < Plans.Plans.size(); ++I) {
    int64_t Clocks = predictedClocks(Plans.Plans[I], MExtent, NExtent, KExtent,
                                     Batch, Device, Starts);
    if (I == 0 || Clocks < Least) {
      Best = I;
      Least = Clocks;
    }
  }
  return Best;
}

Prediction predict(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                   int64_t KExtent, int64_t Batch, const Machine &M) {
  const rt::estimate E =
      estimate(P, MExtent, NExtent, KExtent, Batch, deviceOf(M));
  Prediction Result;
  Result.Tiles = E.tiles;
  Result.Waves = E.waves;
  double DM = double(MExtent), DN = double(NExtent), DK = double(KExtent);
  double DB = double(Batch);
  const OperandPlan &A = P.Rows.IsA ? P.Rows : P.Cols;
  const OperandPlan &B = P.Rows.IsA ? P.Cols : P.Rows;
  const double Products = double(P.Products);
  Result.Flops = 2 * DM * DN * DK * DB * Products * double(P.Sums);
  auto Read = [&](const OperandPlan &O, double Extent) {
    return (O.Batched ? DB : 1) * Extent * DK * byteSize(O.Type) * Products *
           double(O.Sources);
  };
  Result.Bytes =
      Read(A, DM) + Read(B, DN) + DB * DM * DN * byteSize(P.Epilogue.Type);
  // Longer kernels run into the power cap, but for those whose tensor cores
  // wait most of the time.
  double Clocks = double(E.total());
  double Hz = Clocks / M.ClockHz > 300e-6 && P.Feed->runsHot()
                  ? M.SustainedClockHz
                  : M.ClockHz;
  double Memory = Result.Bytes / M.HbmBytesPerSecond;
  Result.Seconds = std::max(Clocks / Hz, Memory);
  double Tensor = Result.Flops * double(P.Feed->productsOfOne(P)) /
                  M.flopsPerClock(P.multiplied().bytes()) / double(M.SMs) / Hz;
  if (Memory >= Result.Seconds)
    Result.Bound = "memory";
  else if (E.l2_clocks > E.clocks)
    Result.Bound = "L2";
  else if (Tensor > 0.75 * Result.Seconds)
    Result.Bound = "tensor cores";
  else if (E.tiles < M.SMs)
    Result.Bound = "too few tiles";
  else
    Result.Bound = P.Feed->bound(P);
  return Result;
}

} // namespace warpwright
