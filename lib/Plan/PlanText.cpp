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

int64_t splitProducts(const KernelPlan &P) {
  return P.Split.used() ? P.Rows.Parts + P.Cols.Parts - 1 : 0;
}

std::string describeProducts(const KernelPlan &P) {
  if (!P.Split.used())
    return "";
  auto Of = [](const OperandPlan &O) {
    const char *As = O.Parts == 2
                         ? "as two fp16 parts of scaled elements, 22 bits"
                     : O.FactorType == ScalarType::F32
                         ? "as one fp16 part of scaled elements, 11 bits"
                         : "as one fp16 part of scaled elements, all bits";
    return formatv("{0} ({1}{2}) {3}{4}", O.IsA ? "A" : "B", name(O.Type),
                   O.Computed ? ", computed" : "", As,
                   O.InRegisters ? ", rounded in registers" : "")
        .str();
  };
  const OperandPlan &A = P.Rows.IsA ? P.Rows : P.Cols;
  const OperandPlan &B = P.Rows.IsA ? P.Cols : P.Rows;
  const int64_t Products = splitProducts(P);
  const char *When = P.Rows.InRegisters
                         ? "when a scale changes, after {0} of k at the latest"
                         : "every {0} of k";
  return formatv("{0}, {1}; {2} tensor-core product{3} of parts for one, added "
                 "to float sums {4}; blocks that parts cannot represent are "
                 "multiplied in float",
                 Of(A), Of(B), Products, Products == 1 ? "" : "s",
                 formatv(When, P.Split.Window * P.TileK).str())
      .str();
}

/// An operand that comes to the tensor cores as parts: what TMA writes, and
/// what WGMMA reads, which may be registers.
static void printParts(raw_ostream &OS, const OperandPlan &O) {
  OS << formatv("    raw    {0}, {1} bytes at {2}\n", O.RawLayout, O.StageBytes,
                O.Offset);
  if (O.Computed)
    OS << formatv("    computed as {0}, where parts do not do left as {1}\n",
                  name(O.FactorType), O.ComputedLayout);
  OS << formatv("    parts  {0}, {1} an element",
                O.InRegisters ? "in registers" : O.SmemLayout, O.Parts);
  if (O.Parts == 2)
    OS << formatv(", low ones {0} bytes behind", O.LowPartBytes);
  OS << formatv(", from 2^{0}\n", O.LeastExponent);
}

static void printOperand(raw_ostream &OS, const char *Label,
                         const OperandPlan &O, int64_t Size) {
  OS << formatv("  {0}: {1} {2} {3}-major, {4}x{5}, swizzle {6}", Label,
                O.IsA ? "A" : "B", name(O.Type),
                O.Order == Major::K ? "k" : (O.IsA ? "m" : "n"), O.TileExtent,
                Size, name(O.Parts ? O.RawSwizzle : O.Swizzle));
  if (O.Batched)
    OS << ", batched";
  OS << '\n';
  if (O.Parts)
    printParts(OS, O);
  else
    OS << formatv("    smem   {0}, {1} bytes at {2}\n", O.SmemLayout,
                  O.StageBytes, O.Offset);
  OS << formatv("    tma    box {0}x{1}, {2} of {3} bytes", O.Box[0], O.Box[1],
                O.BoxCount, O.BoxBytes);
  if (O.Sources > 1)
    OS << formatv(", from {0} arrays", O.Sources);
  if (O.Shares > 1)
    OS << formatv(", multicast, 1/{0} per CTA", O.Shares);
  OS << '\n';
  if (O.InRegisters)
    return;
  OS << formatv("    wgmma  LBO {0}, SBO {1}, k step {2}", O.LeadingBytes,
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
  if (P.Sums > 1)
    OS << formatv("  {0} sums side by side, {1} columns of m64n{2} each\n",
                  P.Sums, P.tileColumns(), P.InstructionN);
  if (P.Products > 1)
    OS << formatv("  {0} products, one after the other along k\n", P.Products);
  for (const BoolExpr &R : P.Requires)
    OS << "  requires " << R << '\n';
  printOperand(OS, "rows", P.Rows, P.TileK);
  printOperand(OS, "columns", P.Cols, P.TileK);
  if (const SplitPlan &S = P.Split; S.used()) {
    OS << formatv("  transform: {0} warpgroup{1}, {2} registers; scales {3} x "
                  "{4} bytes at {5}, flags {3} x {6} bytes at {7}{8}\n",
                  S.Warpgroups, S.Warpgroups == 1 ? "" : "s", S.Registers,
                  P.Stages, S.ScaleStageBytes, S.ScaleOffset, S.FlagStageBytes,
                  S.FlagOffset,
                  P.Rows.InRegisters ? "; k in slots " + S.KSlots : "");
    OS << "  products: " << describeProducts(P) << '\n';
  }
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
