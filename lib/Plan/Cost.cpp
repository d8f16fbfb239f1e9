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
static constexpr int64_t L2BytesPerClock = 7800;
/// The same when rows do not start at multiples of 128 bytes: each 128 bytes of
/// a tile's row touch two cache lines.
static constexpr int64_t L2BytesPerClockMisaligned = 3700;
/// Launch, tensor maps, barriers, first loads.
static constexpr double LaunchClocks = 8000;
/// What a cluster adds to that: it starts and ends together.
static constexpr double ClusterClocks = 1270;
/// Of a tile, whatever its size: scheduling, and draining the last products.
static constexpr double TileClocks = 62;
/// Taking turns hides the epilogue but for the hand-over.
static constexpr double HandOverClocks = 370;
/// Epilogue clocks per element of one warpgroup.
static constexpr double EpilogueClocksPerElement = 0.05;
/// Of a block: the barriers.
static constexpr double BlockClocks = 29;
/// Reads and fills of shared memory overlap better than the plain sum says.
static constexpr double SmemOverlap = 0.83;
/// A wgmma takes at least this long, whatever its n.
static constexpr double LeastWgmmaClocks = 16;
/// Of one SM, from L2.
static constexpr double PortBytesPerClock = 70;
/// The main loop relative to a tile of 256 columns shared by two warpgroups:
/// with whole tiles in turn, per 128 columns less, and with one warpgroup.
static constexpr double PingpongFactor = 0.86, NarrowLoss = 0.046,
                        SingleFactor = 0.94;

/// A warp of the transform takes so long for a block of a stage, and longer for
/// each block that others rewrite meanwhile, its own included; measured with 13
/// plans of 3 to 9 blocks, and made smaller by runs of two, with 4 and 8, when
/// the transform became faster.
static constexpr double TransformClocks = 330, OnePartClocks = 95,
                        TwoPartsClocks = 170;
/// Consumers that round their rows hardly hide it behind their products: what
/// each 64 rows that a consumer has add to the time of these, and to that of
/// the transform's warps per block of 32 rows, by their loads. And the epilogue
/// of their tiles per element of one warpgroup: it undoes the scales, and all
/// tiles of a wave are stored at once. Measured with 256 and 128 rows by 128
/// columns, of which the first are bound by the consumers.
static constexpr double RoundingClocks = 320, RoundedBlockClocks = 22,
                        RoundingEpilogueClocksPerElement = 0.27;
/// CTAs of a cluster wait for each other. Tall tiles with rows in registers
/// gain all the same, on a hot card.
static constexpr double TransformClusterFactor = 1.06,
                        RoundingClusterFactor = 0.95;
/// Until the first window is split.
static constexpr double FirstWindowClocks = 1500;

namespace {
/// What bounds the main loop of plans with a transform stage, beside L2: clocks
/// for each block of k.
struct SplitBounds {
  double Transform, Consumers, Smem;

  SplitBounds(const KernelPlan &P, const Machine &M);
};
} // namespace

SplitBounds::SplitBounds(const KernelPlan &P, const Machine &M) {
  // All blocks of a stage, and what TMA, the transform and the products make of
  // the bandwidth of shared memory. Rows in registers are read once and not
  // written, and wgmma does not read them.
  double Parallel = 0, Bytes = 2.0 * double(P.TransactionBytes);
  int64_t Blocks = 0;
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    const int64_t Own = O->TileExtent / P.Split.BlockRows;
    if (O->InRegisters) {
      Parallel += double(Own) * RoundedBlockClocks;
      continue;
    }
    Blocks += Own;
    Parallel += double(Own) * (O->Parts == 2 ? TwoPartsClocks : OnePartClocks);
    Bytes += double(O->TileExtent * P.TileK * O->Parts * 2);
  }
  // Where there are more blocks than warps, one has several in turn, always
  // beside all others.
  const int64_t Warps = P.Split.ReadyArrivals / P.Split.WarpArrivals;
  const int64_t Rounds = (Blocks + Warps - 1) / Warps;
  Transform = double(Rounds) *
              (TransformClocks +
               Parallel * double(std::min(Blocks, Warps)) / double(Blocks));
  const int64_t Wgmmas =
      splitProducts(P) * P.tileRows() / 64 * (P.TileK / P.InstructionK);
  Bytes += double(Wgmmas) * 32 *
           double((P.Rows.InRegisters ? 0 : 64) + P.InstructionN);
  const double Tensor =
      double(Wgmmas) *
      std::max(2.0 * 64 * double(P.InstructionN * P.InstructionK) /
                   M.flopsPerClock(2),
               LeastWgmmaClocks);
  Consumers = Tensor +
              (P.Rows.InRegisters ? RoundingClocks * double(P.rowBlocks()) : 0);
  Smem = Bytes / M.SmemBytesPerClock;
}

static double splitClocks(const KernelPlan &P, double FromL2,
                          const Machine &M) {
  const SplitBounds B(P, M);
  const double Clocks =
      std::max({B.Transform, B.Consumers, B.Smem, FromL2 / PortBytesPerClock});
  if (P.clusterSize() == 1)
    return Clocks;
  return Clocks *
         (P.Rows.InRegisters ? RoundingClusterFactor : TransformClusterFactor);
}

/// The main loop of plans whose operands go straight to the tensor cores.
static double directClocks(const KernelPlan &P, double FromL2,
                           const Machine &M) {
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
  double Clocks = std::max({Tensor, Smem, FromL2 / PortBytesPerClock});
  if (P.Pingpong)
    Clocks *= PingpongFactor;
  else
    Clocks *= 1 + NarrowLoss * double(256 - P.InstructionN) / 128;
  if (P.ConsumerWarpgroups == 1)
    Clocks *= SingleFactor;
  return Clocks + BlockClocks;
}

PlanCost planCost(const KernelPlan &P, const Machine &M) {
  double FromL2 = 0;
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    FromL2 += double(O->BoxCount * O->BoxBytes);
  double Clocks =
      P.Split.used() ? splitClocks(P, FromL2, M) : directClocks(P, FromL2, M);

  double Elements = double(P.tileRows() * P.tileColumns());
  double Warpgroups = P.Pingpong ? 1 : double(P.ConsumerWarpgroups);
  double Epilogue = (P.Rows.InRegisters ? RoundingEpilogueClocksPerElement
                                        : EpilogueClocksPerElement) *
                    Elements / Warpgroups;

  PlanCost Cost;
  Cost.ClocksPerKBlock = int64_t(Clocks + 0.5);
  Cost.ClocksPerTile =
      int64_t(TileClocks + (P.Pingpong ? HandOverClocks : Epilogue));
  Cost.ClocksOnce = int64_t(LaunchClocks + (P.Pingpong ? Epilogue : 0) +
                            (P.Split.used() ? FirstWindowClocks : 0) +
                            (P.clusterSize() > 1 ? ClusterClocks : 0));
  Cost.BytesPerKBlock = int64_t(FromL2);
  return Cost;
}

static int64_t ceilDiv(int64_t A, int64_t B) { return (A + B - 1) / B; }

namespace {
/// How a problem falls into a plan's tiles, and the two bounds in clocks.
struct Estimate {
  int64_t Tiles, Waves, Clocks, L2;

  Estimate(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
           int64_t KExtent, int64_t Batch, int64_t SMs,
           bool AlignedRows = true) {
    // Clusters are whole, even where only part of one has work.
    Tiles = ceilDiv(ceilDiv(MExtent, P.TileM), P.ClusterM) * P.ClusterM *
            (ceilDiv(ceilDiv(NExtent, P.TileN), P.ClusterN) * P.ClusterN) *
            Batch;
    int64_t CTAs =
        std::max<int64_t>(1, SMs / P.clusterSize()) * P.clusterSize();
    Waves = ceilDiv(Tiles, CTAs);
    int64_t KBlocks = P.Products * ceilDiv(KExtent, P.TileK);
    Clocks = P.Cost.ClocksOnce +
             Waves * (KBlocks * P.Cost.ClocksPerKBlock + P.Cost.ClocksPerTile);
    L2 = Tiles * KBlocks * P.Cost.BytesPerKBlock /
         (AlignedRows ? L2BytesPerClock : L2BytesPerClockMisaligned);
  }

  /// The slower of the two bounds; the other one still costs a little.
  int64_t total() const {
    return std::max(Clocks, L2) + std::min(Clocks, L2) / 8;
  }
};
} // namespace

int64_t predictedClocks(const KernelPlan &P, int64_t MExtent, int64_t NExtent,
                        int64_t KExtent, int64_t Batch, int64_t SMs,
                        bool AlignedRows) {
  return Estimate(P, MExtent, NExtent, KExtent, Batch, SMs, AlignedRows)
      .total();
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
  Estimate E(P, MExtent, NExtent, KExtent, Batch, M.SMs);
  Prediction Result;
  Result.Tiles = E.Tiles;
  Result.Waves = E.Waves;
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
  // wait for the transform most of the time.
  const bool Split = P.Split.used();
  double Clocks = double(E.total());
  double Hz =
      Clocks / M.ClockHz > 300e-6 && !Split ? M.SustainedClockHz : M.ClockHz;
  double Memory = Result.Bytes / M.HbmBytesPerSecond;
  Result.Seconds = std::max(Clocks / Hz, Memory);
  double Tensor = Result.Flops * double(Split ? splitProducts(P) : 1) /
                  M.flopsPerClock(2) / double(M.SMs) / Hz;
  if (Memory >= Result.Seconds)
    Result.Bound = "memory";
  else if (E.L2 > E.Clocks)
    Result.Bound = "L2";
  else if (Tensor > 0.75 * Result.Seconds)
    Result.Bound = "tensor cores";
  else if (E.Tiles < M.SMs)
    Result.Bound = "too few tiles";
  else if (Split) {
    const SplitBounds B(P, M);
    Result.Bound = P.Rows.InRegisters && B.Consumers > B.Transform
                       ? "rounding"
                       : "transform";
  } else
    Result.Bound = "waves and epilogues";
  return Result;
}

} // namespace warpwright
