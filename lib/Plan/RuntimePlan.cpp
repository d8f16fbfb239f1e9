//===- RuntimePlan.cpp - A plan as the runtime sees it --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/RuntimePlan.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Plan.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

static rt::operand_choice choiceOf(const OperandPlan &O) {
  rt::operand_choice C;
  C.element_bytes = byteSize(O.Type);
  C.k_major = O.Order == Major::K;
  C.batched = O.Batched;
  C.parts = int(O.Parts);
  C.computed = O.Computed;
  C.factor_is_bf16 = (O.Computed ? O.FactorType : O.Type) == ScalarType::BF16;
  return C;
}

rt::choice runtimeChoice(const KernelPlan &P) {
  rt::choice C;
  C.a = choiceOf(P.Rows.IsA ? P.Rows : P.Cols);
  C.b = choiceOf(P.Rows.IsA ? P.Cols : P.Rows);
  C.output_bytes = byteSize(P.Epilogue.Type);
  C.staged = P.Epilogue.Kind == EpilogueKind::TmaStore;
  C.sums = int(P.Sums);
  C.products = int(P.Products);
  C.tile_m = int(P.TileM);
  C.tile_n = int(P.TileN);
  C.tile_k = int(P.TileK);
  C.stages = int(P.Stages);
  C.consumer_groups = int(P.ConsumerWarpgroups);
  C.transform_groups = int(P.Split.Warpgroups);
  C.swap_ab = P.SwapAB;
  C.pingpong = P.Pingpong;
  C.rows_in_registers = P.RowsInRegisters;
  C.cluster_m = int(P.ClusterM);
  C.cluster_n = int(P.ClusterN);
  C.raster_group = int(P.RasterGroup);
  return C;
}

namespace {
/// Remembers the first two numbers that differ.
class Comparison {
public:
  void number(const Twine &Name, int64_t Planned, int64_t Derived) {
    if (Message.empty() && Planned != Derived)
      Message = (Name + " is " + Twine(Planned) + " where the runtime has " +
                 Twine(Derived))
                    .str();
  }
  Error take() {
    return Message.empty() ? Error::success()
                           : createStringError(Twine(Message));
  }

private:
  std::string Message;
};
} // namespace

static void compareOperand(Comparison &C, const char *Name,
                           const OperandPlan &O, const rt::operand_numbers &N) {
  auto Number = [&](const char *Member, int64_t Planned, int64_t Derived) {
    C.number(Twine(Name) + "." + Member, Planned, Derived);
  };
  const bool IsSplit = O.Parts > 0;
  Number("offset", O.Offset, N.offset);
  Number("stage_bytes", O.StageBytes, N.stage_bytes);
  Number("swizzle_bytes", spanBytes(IsSplit ? O.RawSwizzle : O.Swizzle),
         N.swizzle_bytes);
  Number("box_inner", O.Box[0], N.box_inner);
  Number("box_outer", O.Box[1], N.box_outer);
  Number("box_bytes", O.BoxBytes, N.box_bytes);
  Number("boxes", O.BoxCount, N.boxes);
  Number("source_boxes", O.BoxCount / O.Sources, N.source_boxes);
  Number("box_step_x", O.BoxStepRows, N.box_step_x);
  Number("box_step_k", O.BoxStepK, N.box_step_k);
  if (O.BoxCount > 1)
    Number("box_step_bytes", O.BoxStepBytes, N.box_step_bytes);
  Number("shares", O.Shares, N.shares);
  Number("share_step_x", O.ShareStepRows, N.share_step_x);
  Number("share_step_k", O.ShareStepK, N.share_step_k);
  Number("multicast_mask", O.MulticastMask, N.multicast_mask);
  Number("multicast_step", O.MulticastStep, N.multicast_step);
  if (IsSplit) {
    Number("low_bytes", O.LowPartBytes, N.low_bytes);
    Number("least_exponent", O.LeastExponent, N.least_exponent);
  }
  if (O.InRegisters)
    return;
  Number("wgmma.swizzle_bytes", spanBytes(O.Swizzle), N.access.swizzle_bytes);
  Number("leading_bytes", O.LeadingBytes, N.access.leading_bytes);
  Number("stride_bytes", O.StrideBytes, N.access.stride_bytes);
  Number("k_step_bytes", O.KStepBytes, N.access.k_step_bytes);
}

static void compareSlab(Comparison &C, const KernelPlan &P,
                        const rt::slab_numbers &N) {
  const EpiloguePlan &E = P.Epilogue;
  if (E.Kind != EpilogueKind::TmaStore)
    return;
  C.number("slab.cols", E.SlabColumns, N.cols);
  C.number("slab.accumulators", P.Accumulators * E.SlabColumns / P.InstructionN,
           N.accumulators);
  C.number("slab.box_inner", E.Box[0], N.box_inner);
  C.number("slab.box_outer", E.Box[1], N.box_outer);
  C.number("slab.box_bytes", E.BoxBytes, N.box_bytes);
  C.number("slab.boxes", E.BoxCount, N.boxes);
  C.number("slab.pitch", E.Box[0] * byteSize(E.Type), N.pitch);
  C.number("slab.swizzle_bytes", spanBytes(E.Swizzle), N.swizzle_bytes);
  C.number("slab.buffers", E.Buffers, N.buffers);
  C.number("slab.buffer_bytes", E.BufferBytes, N.buffer_bytes);
  C.number("slab.first_barrier", E.FirstBarrier, 1);
}

static void compareTransform(Comparison &C, const KernelPlan &P,
                             const rt::plan_numbers &N) {
  const SplitPlan &S = P.Split;
  if (!S.used())
    return;
  C.number("transform.registers", S.Registers, N.registers.transform);
  C.number("transform.window", S.Window, N.transform.window);
  C.number("transform.block_rows", S.BlockRows, rt::block_rows);
  C.number("transform.block_bytes", S.BlockBytes, rt::block_bytes);
  C.number("transform.scale_offset", S.ScaleOffset, N.transform.scale_offset);
  C.number("transform.scale_stage_bytes", S.ScaleStageBytes,
           N.transform.scale_stage_bytes);
  C.number("transform.flag_offset", S.FlagOffset, N.transform.flag_offset);
  C.number("transform.flag_stage_bytes", S.FlagStageBytes,
           N.transform.flag_stage_bytes);
  C.number("transform.ready_arrivals", S.ReadyArrivals,
           N.transform.ready_arrivals);
  C.number("transform.low_shift", S.LowShift, rt::split_exponents::low_shift);
  C.number("transform.scale_exponent", S.ScaleExponent,
           rt::split_exponents::scale_exponent);
  C.number("transform.top_exponent", S.TopExponent,
           rt::split_exponents::top_exponent);
  C.number("transform.range_exponent", S.RangeExponent,
           rt::split_exponents::range_exponent);
  const bool KAlongRows = P.RowsInRegisters && P.Rows.Order == Major::K;
  if (Expected<Layout> Slots = readKSlots(P)) {
    for (int64_t K = 0; K < P.InstructionK; ++K)
      C.number("transform.k_slot of " + Twine(K), (*Slots)(K),
               rt::k_slot(unsigned(K), KAlongRows));
  } else {
    consumeError(Slots.takeError());
    C.number("transform.k_slots", 0, P.InstructionK);
  }
}

Error checkAgainstRuntime(const KernelPlan &P) {
  const rt::choice Choice = runtimeChoice(P);
  const rt::plan_numbers N = rt::derive(Choice);
  Comparison C;
  // What the runtime knows by heart.
  C.number("instruction_k", P.InstructionK, rt::instruction_k);
  C.number("instruction_n", P.InstructionN, Choice.instruction_n());
  C.number("accumulators", P.Accumulators, Choice.instruction_n() / 2);
  C.number("full_arrivals", P.FullArrivals, 1);
  C.number("threads", P.Threads, N.threads);
  compareOperand(C, "rows", P.Rows, N.rows);
  compareOperand(C, "cols", P.Cols, N.cols);
  if (!P.Rows.InRegisters) {
    C.number("rows.wave_bytes", P.Rows.RowBlockBytes,
             P.rowBlocks() > 1 || P.Rows.RowBlockBytes
                 ? N.rows.access.wave_bytes
                 : 0);
    if (P.ConsumerWarpgroups > 1)
      C.number("rows.group_bytes", P.Rows.GroupBytes,
               N.rows.access.group_bytes);
  }
  compareSlab(C, P, N.slab);
  compareTransform(C, P, N);
  C.number("stage_bytes", P.StageBytes, N.stage_bytes);
  if (Choice.staged)
    C.number("staging_offset", P.Epilogue.StagingOffset, N.staging_offset);
  C.number("barrier_offset", P.BarrierOffset, N.barrier_offset);
  C.number("shared_bytes", P.SmemBytes, N.shared_bytes);
  C.number("transaction_bytes", P.TransactionBytes, N.transaction_bytes);
  C.number("empty_arrivals", P.EmptyArrivals, N.empty_arrivals);
  C.number("turn_barrier", P.TurnBarrier, N.turn_barrier);
  C.number("turn_threads", P.TurnThreads, N.turn_threads);
  // A lone consumer without a transform keeps what the launch gives it.
  if (P.ConsumerWarpgroups > 1 || P.Split.used()) {
    C.number("registers.producer", P.ProducerRegisters, N.registers.producer);
    C.number("registers.consumer", P.ConsumerRegisters, N.registers.consumer);
  }
  return C.take();
}

} // namespace warpwright
