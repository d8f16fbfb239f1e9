//===- PlanText.cpp - Plans as text ---------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

static void printOperand(raw_ostream &OS, const char *Label,
                         const KernelPlan &P, const OperandPlan &O) {
  OS << formatv("  {0}: {1} {2} {3}-major, {4}x{5}, swizzle {6}", Label,
                O.IsA ? "A" : "B", name(O.Type),
                O.Order == Major::K ? "k" : (O.IsA ? "m" : "n"), O.TileExtent,
                P.TileK, name(P.Feed->rawSwizzle(O)));
  if (O.Batched)
    OS << ", batched";
  OS << '\n';
  P.Feed->printOperand(OS, P, O);
  P.Load->printOperand(OS, O);
  if (P.Feed->throughRegisters(P, O))
    return;
  OS << formatv("    wgmma  LBO {0}, SBO {1}, k step {2}", O.LeadingBytes,
                O.StrideBytes, O.KStepBytes);
  if (O.RowBlockBytes)
    OS << formatv(", row block {0}", O.RowBlockBytes);
  OS << '\n';
}

/// The first products, if they are multiplied with a number: `, the first times
/// a number`.
static std::string describeScale(const KernelPlan &P) {
  if (!P.ScaledProducts)
    return "";
  return P.ScaledProducts == 1
             ? ", the first times a number"
             : formatv(", the first {0} times a number", P.ScaledProducts)
                   .str();
}

/// The signs of products, if some are subtracted: `; signs + - of acc, + + of
/// acc1`.
static std::string describeSigns(const KernelPlan &P) {
  if (!P.Subtracted)
    return "";
  std::string Text = "; signs";
  for (int64_t Sum = 0; Sum < P.Sums; ++Sum) {
    Text += Sum ? "," : "";
    for (int64_t I = 0; I < P.Products; ++I)
      Text += P.Subtracted >> (Sum * P.Products + I) & 1 ? " -" : " +";
    Text += formatv(" of acc{0}", Sum ? std::to_string(Sum) : "").str();
  }
  return Text;
}

static void printPlan(raw_ostream &OS, const KernelPlan &P) {
  OS << formatv("plan {0} ({1})\n", P.Name, P.Family);
  OS << formatv(
      "  tile {0}x{1}x{2}, {3} stages, {4} consumer warpgroup{5} {6}, "
      "cluster {7}x{8}, raster {9}{10}\n",
      P.TileM, P.TileN, P.TileK, P.Stages, P.ConsumerWarpgroups,
      P.ConsumerWarpgroups == 1 ? "" : "s", P.Schedule->Printed, P.ClusterM,
      P.ClusterN, P.RasterGroup, P.SwapAB ? ", operands swapped" : "");
  if (P.Sums > 1)
    OS << formatv("  {0} sums side by side, {1} columns of m64n{2} each\n",
                  P.Sums, P.tileColumns(), P.InstructionN);
  if (P.Products > 1)
    OS << formatv("  {0} products, one after the other along k{1}{2}{3}\n",
                  P.Products, P.OwnRanges ? ", each over its own range" : "",
                  describeScale(P), describeSigns(P));
  if (runtimeChoice(P).cuts_tiles())
    OS << "  tiles cut along k where that takes less\n";
  P.Multiply->print(OS, P);
  for (const BoolExpr &R : P.Requires)
    OS << "  requires " << R << '\n';
  printOperand(OS, "rows", P, P.Rows);
  printOperand(OS, "columns", P, P.Cols);
  P.Feed->print(OS, P);
  P.Store->print(OS, P);
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
