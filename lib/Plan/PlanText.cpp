//===- PlanText.cpp - Plans as text
//----------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

static void printOperand(raw_ostream &OS, const char *Label,
                         const OperandPlan &O, int64_t Size) {
  OS << formatv("  {0}: {1} {2} {3}-major, {4}x{5}, swizzle {6}", Label,
                O.IsA ? "A" : "B", name(O.Type),
                O.Order == Major::K ? "k" : (O.IsA ? "m" : "n"), O.TileExtent,
                Size, name(O.Swizzle));
  if (O.Batched)
    OS << ", batched";
  OS << formatv("\n    smem   {0}, {1} bytes at {2}\n", O.SmemLayout,
                O.StageBytes, O.Offset);
  OS << formatv("    tma    box {0}x{1}, {2} of {3} bytes", O.Box[0], O.Box[1],
                O.BoxCount, O.BoxBytes);
  if (O.Shares > 1)
    OS << formatv(", multicast, 1/{0} per CTA", O.Shares);
  OS << formatv("\n    wgmma  LBO {0}, SBO {1}, k step {2}", O.LeadingBytes,
                O.StrideBytes, O.KStepBytes);
  if (O.RowBlockBytes)
    OS << formatv(", row block {0}", O.RowBlockBytes);
  OS << '\n';
}

static void printPlan(raw_ostream &OS, const KernelPlan &P) {
  OS << formatv("plan {0} ({1})\n", P.Name, P.Family);
  OS << formatv(
      "  tile {0}x{1}x{2}, {3} stages, {4} consumer warpgroup{5} {6}, "
      "cluster {7}x{8}, raster {9}{10}\n",
      P.TileM, P.TileN, P.TileK, P.Stages, P.ConsumerWarpgroups,
      P.ConsumerWarpgroups == 1 ? "" : "s",
      P.Pingpong ? "taking turns" : "sharing tiles", P.ClusterM, P.ClusterN,
      P.RasterGroup, P.SwapAB ? ", operands swapped" : "");
  for (const BoolExpr &R : P.Requires)
    OS << "  requires " << R << '\n';
  printOperand(OS, "rows", P.Rows, P.TileK);
  printOperand(OS, "columns", P.Cols, P.TileK);
  if (P.Epilogue.Kind == EpilogueKind::Direct)
    OS << formatv("  epilogue: {0}, stored directly\n", name(P.Epilogue.Type));
  else
    OS << formatv("  epilogue: {0}, slab {1}, box {2}x{3}, {4} buffers of {5} "
                  "bytes at {6}\n",
                  name(P.Epilogue.Type), P.Epilogue.SmemLayout,
                  P.Epilogue.Box[0], P.Epilogue.Box[1],
                  P.ConsumerWarpgroups * P.Epilogue.Buffers,
                  P.Epilogue.BufferBytes, P.Epilogue.StagingOffset);
  OS << formatv(
      "  registers {0}/{1}, {2} threads, {3} bytes of shared memory\n",
      P.ProducerRegisters, P.ConsumerRegisters, P.Threads, P.SmemBytes);
  OS << formatv("  cost: {0} clocks a block, {1} a tile, {2} once; {3} bytes a "
                "block from L2\n",
                P.Cost.ClocksPerKBlock, P.Cost.ClocksPerTile, P.Cost.ClocksOnce,
                P.Cost.BytesPerKBlock);
  for (const std::string &Line : P.Certificate)
    OS << "  proven: " << Line << '\n';
}

void print(raw_ostream &OS, const PlanSet &Plans) {
  for (const KernelPlan &P : Plans.Plans)
    printPlan(OS, P);
  for (const std::string &Note : Plans.Notes)
    OS << "note: " << Note << '\n';
}

} // namespace warpwright
