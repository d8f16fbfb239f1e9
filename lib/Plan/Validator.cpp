//===- Validator.cpp - Certificates for plans -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Nothing here calls the code that derived the plan. Layouts are read back from
// their printed form, and every byte is followed: where TMA writes it, where
// WGMMA reads it, and which buffer it lies in.
//
//===----------------------------------------------------------------------===//

#include "Validation.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Protocol.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

StringRef name(Property P) {
  switch (P) {
#define PROPERTY(Identifier, Name, What)                                       \
  case Property::Identifier:                                                   \
    return Name;
#include "warpwright/Plan/Properties.def"
  }
  llvm_unreachable("unknown property");
}

StringRef meaning(Property P) {
  switch (P) {
#define PROPERTY(Identifier, Name, What)                                       \
  case Property::Identifier:                                                   \
    return What;
#include "warpwright/Plan/Properties.def"
  }
  llvm_unreachable("unknown property");
}

ArrayRef<Property> allProperties() {
  static constexpr Property All[] = {
#define PROPERTY(Identifier, Name, What) Property::Identifier,
#include "warpwright/Plan/Properties.def"
  };
  return All;
}

std::string Diagnosis::str(size_t MaxSteps) const {
  std::string Text = (name(Violated) + ": " + Message).str();
  if (Trace.empty())
    return Text;
  Text +=
      "\n  the shortest run to it, " + std::to_string(Trace.size()) + " steps";
  size_t From = 0;
  if (Trace.size() > MaxSteps) {
    From = Trace.size() - MaxSteps;
    Text += ", the last " + std::to_string(MaxSteps);
  }
  Text += ":";
  for (size_t I = From; I < Trace.size(); ++I)
    Text += formatv("\n  {0,3}. {1}", I + 1, Trace[I]).str();
  return Text;
}

std::variant<Certificate, Diagnosis> Validator::run() {
  for (bool (Validator::*Step)() :
       {&Validator::checkShape, &Validator::checkFragment,
        &Validator::checkOperands, &Validator::checkStore,
        &Validator::checkMemoryMap, &Validator::checkRegisters,
        &Validator::checkNamedBarriers, &Validator::checkProtocol})
    if (!(this->*Step)())
      return std::move(Bad);
  return Certificate{std::move(Lines)};
}

bool Validator::checkShape() {
  for (int64_t N : {P.TileM, P.TileN, P.TileK, P.Stages, P.ConsumerWarpgroups,
                    P.ClusterM, P.ClusterN, P.RasterGroup})
    if (N < 1 || N > 1 << 16)
      return fail(Property::Shape, "an extent of " + Twine(N));
  if (P.ConsumerWarpgroups > P.Schedule->mostConsumers())
    return fail(Property::Shape,
                formatv("1 to {0} consumer warpgroups, not {1}",
                        P.Schedule->mostConsumers(), P.ConsumerWarpgroups));
  if (!P.Schedule->checkShape(*this))
    return false;
  if (P.Rows.TileExtent != P.tileRows() ||
      P.Cols.TileExtent != P.Sums * P.tileColumns() ||
      P.InstructionN != P.Sums * P.tileColumns())
    return fail(Property::Tile, "the operands' extents are not the tile's");
  if (P.Sums < 1 || P.Products < 1 || P.Sums * P.Products > 8 ||
      P.Subtracted >> (P.Sums * P.Products) || (P.Subtracted & 1) ||
      P.ScaledProducts < 0 || P.ScaledProducts >= P.Products ||
      (P.ScaledProducts && (P.Sums != 1 || P.Slices != 1)) ||
      (P.OwnRanges && (P.Products == 1 || P.Slices != 1)) ||
      P.Rows.Sources != 1 || P.Cols.Sources != P.Sums)
    return fail(Property::Operands,
                formatv("{0} sums of {1} products from {2} arrays beside each "
                        "other in the rows and {3} in the columns",
                        P.Sums, P.Products, P.Rows.Sources, P.Cols.Sources));
  if (P.rowBlocks() < 1 ||
      P.rowBlocks() * WgmmaAtom::M * P.consumersOfTile() != P.tileRows())
    return fail(Property::Tile,
                formatv("{0} warpgroup{1} of {2} rows an instruction do not "
                        "make up {3} rows",
                        P.consumersOfTile(),
                        P.consumersOfTile() == 1 ? "" : "s", WgmmaAtom::M,
                        P.tileRows()));
  if (P.Split.Warpgroups < 0 ||
      P.Split.Warpgroups > M.MaxThreadsPerCTA / M.WarpgroupThreads)
    return fail(Property::Threads,
                Twine(P.Split.Warpgroups) + " warpgroups of a transform");
  if (P.Threads != warpgroups() * M.WarpgroupThreads ||
      P.Threads > M.MaxThreadsPerCTA)
    return fail(Property::Threads, formatv("{0} threads for {1} warpgroups",
                                           P.Threads, warpgroups()));
  if (P.clusterSize() > M.MaxPortableCluster || !isPowerOf2_64(P.ClusterM) ||
      !isPowerOf2_64(P.ClusterN))
    return fail(Property::Cluster,
                formatv("{0} x {1} CTAs: powers of two, {2} together at most",
                        P.ClusterM, P.ClusterN, M.MaxPortableCluster));
  if (P.Rows.IsA == P.SwapAB || P.Cols.IsA != P.SwapAB)
    return fail(Property::Operands, "swap_ab names other operands for the rows "
                                    "and the columns than they do");
  return P.Feed->checkShape(*this);
}

bool Validator::checkFragment() {
  return P.Multiply->check(*this) && P.Feed->checkFragment(*this);
}

std::optional<SmemLayout> Validator::readLayout(StringRef Text, unsigned Bits,
                                                SwizzleMode Mode,
                                                Property Kind) {
  Expected<SmemLayout> L = parseSmemLayout(Text, Bits);
  if (!L) {
    fail(Kind, toString(L.takeError()));
    return std::nullopt;
  }
  if (L->Elements.rank() != 2 || L->Elements.size() > 1 << 20) {
    fail(Kind, "layout " + Text + " is not that of a tile");
    return std::nullopt;
  }
  Expected<SwizzleMode> Has = L->mode();
  if (!Has) {
    fail(Property::Swizzle, toString(Has.takeError()));
    return std::nullopt;
  }
  if (*Has != Mode) {
    fail(Property::Swizzle,
         "layout " + Text + " does not have swizzle " + name(Mode));
    return std::nullopt;
  }
  return *L;
}

bool Validator::checkDescriptor(const OperandPlan &O, Major Order,
                                unsigned Bits, const TileOffsets &Offsets,
                                const char *Name) {
  const bool IsRows = &O == &P.Rows;
  const int64_t KPer = P.InstructionK;
  const int64_t Instruction = IsRows ? WgmmaAtom::M : P.InstructionN;
  if (Order == Major::MN && !WgmmaAtom::readsAlongRows(Bits))
    return fail(Property::Descriptor,
                Twine(Name) +
                    ": only 16-bit operands may be contiguous along rows");
  for (int64_t Field : {O.LeadingBytes, O.StrideBytes})
    if (Field % 16 || Field < 0 || Field >= 1 << 18)
      return fail(Property::Descriptor, Twine(Name) + ": a descriptor has no " +
                                            Twine(Field) + " bytes");
  if (O.Offset % 16 || O.GroupBytes % 16)
    return fail(Property::Descriptor,
                Twine(Name) + ": an operand does not start on 16 bytes");
  // Steps that are not taken are 0.
  if ((!IsRows || P.rowBlocks() * P.consumersOfTile() == 1) &&
      (O.RowBlockBytes || O.GroupBytes))
    return fail(Property::Descriptor,
                Twine(Name) + ": a step between blocks of rows, of which there "
                              "is one");
  if (IsRows && !P.Schedule->checkGroupBytes(*this, O, Name))
    return false;
  const SmemDescriptor D{O.Swizzle, Order, Bits, O.LeadingBytes, O.StrideBytes};
  const int64_t Waves = P.rowBlocks();
  for (int64_t K = 0; K < P.TileK; ++K)
    for (int64_t Row = 0; Row < O.TileExtent; ++Row) {
      // Where the instruction has k.
      const int64_t Slot = KSlots.empty() ? K : KSlots[K];
      // As the kernel computes it: its warpgroup, its instruction, its k step.
      const int64_t Block = Row / Instruction;
      const int64_t Start = Block / Waves * O.GroupBytes +
                            Block % Waves * O.RowBlockBytes +
                            O.startOfStep(Slot / KPer, KPer);
      if (Start % 16)
        return fail(Property::Descriptor,
                    Twine(Name) + ": an operand does not start on 16 bytes");
      const int64_t Reads = D.address(Start, Row % Instruction, Slot % KPer);
      if (Reads != Offsets(Row, Slot))
        return fail(Property::Descriptor,
                    formatv("{0}: wgmma reads row {1}, k {2} from byte {3}, "
                            "but it lies at {4}",
                            Name, Row, K, Reads, Offsets(Row, Slot)));
    }
  return true;
}

bool Validator::checkOperands() {
  return P.Feed->checkOperand(*this, P.Rows, "rows") &&
         P.Feed->checkOperand(*this, P.Cols, "columns") &&
         P.Feed->checkOperands(*this);
}

bool Validator::checkStore() {
  const int64_t Bits = P.Epilogue.OffsetBits;
  if (Bits != 32 && Bits != 64)
    return fail(Property::Offsets, "no integers of " + Twine(Bits) + " bits");
  return P.Store->check(*this);
}

bool Validator::checkMemoryMap() {
  const EpiloguePlan &E = P.Epilogue;
  const int64_t Staging = P.storingConsumers() * E.Buffers * E.BufferBytes;
  const int64_t BarrierBytes = 8 * P.Feed->barriersAStage() * P.Stages;
  MemoryMap Map;
  Map.Buffers = {
      {"the rows of a stage", P.Rows.Offset, P.Rows.StageBytes, M.SmemAlign},
      {"the columns of a stage", P.Cols.Offset, P.Cols.StageBytes, M.SmemAlign},
      {"the other stages", P.StageBytes, (P.Stages - 1) * P.StageBytes,
       M.SmemAlign},
      {"the staging buffers", E.StagingOffset, Staging, M.SmemAlign}};
  if (!P.Feed->checkMemory(*this, Map) || !P.Schedule->checkMemory(*this, Map))
    return false;
  Map.Buffers.push_back({"the barriers", P.BarrierOffset, BarrierBytes, 8});
  if (E.BufferBytes % M.SmemAlign || E.BufferBytes < 0 || E.Buffers < 0)
    return fail(
        Property::MemoryMap,
        formatv("staging buffers of {0} bytes are not aligned", E.BufferBytes));
  if (!P.Store->checkMemory(*this))
    return false;
  int64_t At = 0;
  for (const MemoryMap::Buffer &Next : Map.Buffers) {
    if (Next.Begin % Next.Align)
      return fail(Property::MemoryMap,
                  formatv("{0} at byte {1}, not a multiple of {2}", Next.Name,
                          Next.Begin, Next.Align));
    if (Next.Begin != At)
      return fail(Property::MemoryMap,
                  formatv("{0} begin at byte {1}, where {2} is the end of what "
                          "lies before",
                          Next.Name, Next.Begin, At));
    At += Next.Bytes;
  }
  if (E.StagingBytes != Staging)
    return fail(Property::MemoryMap,
                formatv("{0} bytes of staging, where {1} are used",
                        E.StagingBytes, Staging));
  if (At != P.SmemBytes || P.SmemBytes > M.MaxSmemPerCTA)
    return fail(Property::MemoryBudget,
                formatv("{0} bytes used, {1} asked for, {2} available", At,
                        P.SmemBytes, M.MaxSmemPerCTA));
  prove(formatv("shared memory: {0} stages of {1} + staging {2}{6} + barriers "
                "{3} = {4} of {5} bytes",
                P.Stages, P.StageBytes, E.StagingBytes, BarrierBytes,
                P.SmemBytes, M.MaxSmemPerCTA, Map.Notes));
  return true;
}

bool Validator::checkRegisters() {
  const bool Transform = P.Split.Warpgroups > 0;
  std::vector<int64_t> Values = {P.ProducerRegisters, P.ConsumerRegisters};
  if (Transform)
    Values.push_back(P.Split.Registers);
  for (int64_t R : Values)
    if (R < M.MinSetmaxnreg || R > M.MaxSetmaxnreg || R % M.SetmaxnregStep)
      return fail(Property::Registers,
                  formatv("{0} registers: setmaxnreg takes multiples of {1} "
                          "from {2} to {3}",
                          R, M.SetmaxnregStep, M.MinSetmaxnreg,
                          M.MaxSetmaxnreg));
  const int64_t Each =
      alignDown(launchRegisters(M, P.Threads), M.SetmaxnregStep);
  // setmaxnreg.inc waits until so many registers are free: if the warpgroups
  // claim more than the launch has, one of them waits for ever.
  const int64_t Launched = Each * warpgroups();
  const int64_t Used = P.ProducerRegisters +
                       P.Split.Warpgroups * P.Split.Registers +
                       P.ConsumerWarpgroups * P.ConsumerRegisters;
  if (Used > Launched)
    return fail(
        Property::RegisterBudget,
        formatv("the warpgroups claim {0} registers of {1}", Used, Launched));
  // The producer gives up, the consumers take: setmaxnreg.dec and .inc.
  if (P.ProducerRegisters > Each || P.ConsumerRegisters < Each ||
      (Transform && P.Split.Registers > Each))
    return fail(Property::RegisterBudget,
                formatv("{0} are launched with: {1} can only give up, "
                        "consumers only take",
                        Each,
                        Transform ? "producer and transform" : "the producer"));
  const ConsumerClaim Claim = P.Feed->claim(P, M);
  const int64_t Accumulators =
      P.rowBlocks() * P.Accumulators * P.Multiply->sums(P).Registers;
  if (Claim.Sets * Accumulators + Claim.Registers >= P.ConsumerRegisters)
    return fail(Property::RegisterBudget,
                formatv("{0} accumulators{1} do not fit {2} registers",
                        Accumulators, Claim.Words, P.ConsumerRegisters));
  prove(formatv(
      "registers: {0} + {6}{1} x {2} = {3} of {4} per lane; {5} "
      "accumulators{7}",
      P.ProducerRegisters, P.ConsumerWarpgroups, P.ConsumerRegisters, Used,
      Launched, Accumulators,
      Transform
          ? formatv("{0} x {1} + ", P.Split.Warpgroups, P.Split.Registers).str()
          : "",
      Claim.Words));
  return true;
}

bool Validator::checkNamedBarriers() {
  if (!P.Store->checkNamedBarriers(*this) ||
      !P.Schedule->checkNamedBarriers(*this))
    return false;
  for (const NamedBarrierUse &U : NamedBarriers)
    if (U.First < 1 || U.First + U.Count > 16)
      return fail(Property::NamedBarrier,
                  formatv("{0} use barriers {1} to {2}; there are 1 to 15 "
                          "beside that of __syncthreads",
                          U.Name, U.First, U.First + U.Count - 1));
  for (size_t I = 1; I < NamedBarriers.size(); ++I)
    for (size_t J = 0; J < I; ++J) {
      const NamedBarrierUse &A = NamedBarriers[J], &B = NamedBarriers[I];
      if (A.First < B.First + B.Count && B.First < A.First + A.Count)
        return fail(Property::NamedBarrier, Twine(A.Name) + " and " + B.Name +
                                                " use the same barriers");
    }
  return true;
}

bool Validator::checkProtocol() {
  ProtocolCoverage Coverage;
  if (std::optional<ProtocolFailure> Failure = exploreProtocol(P, Coverage)) {
    Bad = {Failure->Violated, std::move(Failure->Message),
           std::move(Failure->Trace)};
    return false;
  }
  auto Copied = [](const OperandPlan &O) {
    return O.BoxCount * O.Shares * O.BoxBytes;
  };
  const BarrierWords Words = P.Feed->barrierWords(P);
  prove(formatv(
      "barriers: full {0} arrival + {1} bytes = {2} + {3}; {8}empty {4} "
      "arrivals = {5} CTA{6} x {7} {9}",
      P.FullArrivals, P.TransactionBytes, Copied(P.Rows), Copied(P.Cols),
      P.EmptyArrivals, P.clusterSize(), P.clusterSize() == 1 ? "" : "s",
      4 * P.consumersOfTile() * P.Feed->releaseArrivals(), Words.Barriers,
      Words.Releases));
  std::string Counts;
  for (int64_t K : Coverage.KBlocks)
    Counts += (Counts.empty() ? "" : ", ") + std::to_string(K);
  prove(formatv(
      "protocol: all interleavings of {0} agents, {1} blocks of k by "
      "0 to {2} tiles{5}, {3} operations: no deadlock, no stage{4} or "
      "buffer read early or overwritten in use, no parity mistaken, "
      "no exit with traffic pending",
      Coverage.Agents, Counts, Coverage.Tiles.back(), Coverage.Operations,
      Words.Contents, Coverage.CutTiles ? ", whole and cut" : ""));
  return true;
}

std::variant<Certificate, Diagnosis> validatePlan(const KernelPlan &P,
                                                  const Machine &M) {
  return Validator(P, M).run();
}

} // namespace warpwright
