//===- RuntimePlan.cpp - A plan as the runtime sees it --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/RuntimePlan.h"
#include "RuntimeComparison.h"
#include "warpwright/Plan/Elements.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

static rt::operand_choice choiceOf(const OperandPlan &O) {
  rt::operand_choice C;
  C.element = runtimeType(O.Type);
  C.k_major = O.Order == Major::K;
  C.batched = O.Batched;
  C.parts = int(O.Parts);
  C.numbers = int(O.Numbers);
  C.scaled = O.Scaled;
  C.scaled_alike = O.ScaledAlike;
  C.shifted = O.Shifted;
  C.computed = O.Computed;
  C.factor = runtimeType(O.Computed ? O.FactorType : O.Type);
  return C;
}

rt::choice runtimeChoice(const KernelPlan &P) {
  rt::choice C;
  C.a = choiceOf(P.Rows.IsA ? P.Rows : P.Cols);
  C.b = choiceOf(P.Rows.IsA ? P.Cols : P.Rows);
  C.output = runtimeType(P.Epilogue.Type);
  C.staged = P.Output->stages();
  C.zero_points = P.Rows.ZeroPoints;
  C.scales = P.Rows.GroupScales;
  C.group_k = int(P.Rows.GroupK);
  C.sums = int(P.Sums);
  C.products = int(P.Products);
  C.own_ranges = P.OwnRanges;
  C.tile_m = int(P.TileM);
  C.tile_n = int(P.TileN);
  C.tile_k = int(P.TileK);
  C.stages = int(P.Stages);
  C.consumer_groups = int(P.ConsumerWarpgroups);
  C.swap_ab = P.SwapAB;
  C.cluster_m = int(P.ClusterM);
  C.cluster_n = int(P.ClusterN);
  C.raster_group = int(P.RasterGroup);
  C.whole_tiles = P.WholeTiles;
  P.Feed->decide(P, C);
  P.Multiply->decide(P, C);
  P.Schedule->decide(C);
  P.Store->decide(P, C);
  return C;
}

static void compareOperand(RuntimeComparison &C, const char *Name,
                           const KernelPlan &P, const OperandPlan &O,
                           const rt::operand_numbers &N) {
  auto Number = [&](const char *Member, int64_t Planned, int64_t Derived) {
    C.number(Twine(Name) + "." + Member, Planned, Derived);
  };
  Number("offset", O.Offset, N.offset);
  Number("stage_bytes", O.StageBytes, N.stage_bytes);
  Number("swizzle_bytes", spanBytes(P.Feed->rawSwizzle(O)), N.swizzle_bytes);
  P.Load->compare(C, Name, O, N);
  if (P.Feed->throughRegisters(P, O))
    return;
  Number("wgmma.swizzle_bytes", spanBytes(O.Swizzle), N.access.swizzle_bytes);
  Number("leading_bytes", O.LeadingBytes, N.access.leading_bytes);
  Number("stride_bytes", O.StrideBytes, N.access.stride_bytes);
  Number("k_step_bytes", O.KStepBytes, N.access.k_step_bytes);
}

Error checkAgainstRuntime(const KernelPlan &P) {
  const rt::choice Choice = runtimeChoice(P);
  const rt::plan_numbers N = rt::derive(Choice);
  RuntimeComparison C;
  // What the runtime knows by heart.
  P.Multiply->compare(C, P, Choice);
  C.number("full_arrivals", P.FullArrivals, 1);
  C.number("threads", P.Threads, N.threads);
  compareOperand(C, "rows", P, P.Rows, N.rows);
  compareOperand(C, "cols", P, P.Cols, N.cols);
  if (!P.Feed->throughRegisters(P, P.Rows)) {
    C.number("rows.wave_bytes", P.Rows.RowBlockBytes,
             P.rowBlocks() > 1 || P.Rows.RowBlockBytes
                 ? N.rows.access.wave_bytes
                 : 0);
    if (P.ConsumerWarpgroups > 1)
      C.number("rows.group_bytes", P.Rows.GroupBytes,
               N.rows.access.group_bytes);
  }
  P.Store->compare(C, P, N);
  P.Feed->compare(C, P, N);
  C.number("stage_bytes", P.StageBytes, N.stage_bytes);
  C.number("barrier_offset", P.BarrierOffset, N.barrier_offset);
  C.number("shared_bytes", P.SmemBytes, N.shared_bytes);
  C.number("transaction_bytes", P.TransactionBytes, N.transaction_bytes);
  C.number("empty_arrivals", P.EmptyArrivals, N.empty_arrivals);
  C.number("promotes_behind", P.Multiply->promotesBehind(P), N.promotes_behind);
  C.number("turn_barrier", P.TurnBarrier, N.turn_barrier);
  C.number("turn_threads", P.TurnThreads, N.turn_threads);
  C.number("exchange_offset", P.ExchangeOffset, N.exchange_offset);
  // A consumer that is alone with the producer keeps what the launch gives it.
  if (P.ConsumerWarpgroups + P.Split.Warpgroups > 1) {
    C.number("registers.producer", P.ProducerRegisters, N.registers.producer);
    C.number("registers.consumer", P.ConsumerRegisters, N.registers.consumer);
  }
  return C.take();
}

} // namespace warpwright
