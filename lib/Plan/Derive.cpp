//===- Derive.cpp - What follows from a plan's decisions ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derive.h"
#include "Cost.h"
#include "Products.h"

#include "warpwright/Hopper/Epilogue.h"
#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// Registers that a consumer needs besides its accumulators: with fewer, an
/// epilogue that loads a bias and a residual spills.
static constexpr int64_t OtherRegisters = 64;
/// They are enough only for offsets in int: 64-bit ones of the elements that a
/// thread has in a slab take twice as many.
static constexpr int64_t EpilogueOffsetBits = 32;
static constexpr int64_t BarrierBytes = 8;
/// Named barrier 0 is __syncthreads.
static constexpr int64_t FirstNamedBarrier = 1;
static constexpr int64_t MaxConsumers = 3;

/// Several sums stand side by side in the columns of one instruction: the
/// factor that they share has to be its rows.
static Error checkSums(const PlanChoice &P, const Contraction &C) {
  const int64_t Sums = C.sumCount();
  if (Sums == 1)
    return Error::success();
  if (Sums * P.tileColumns() > 256)
    return layoutError(Twine(Sums) + " sums of " + Twine(P.tileColumns()) +
                       " columns each are more than the 256 columns of an "
                       "instruction");
  // With 256 rows, a producer and an epilogue for several sums, they spill.
  if (P.RowsInRegisters)
    return layoutError("rows are not rounded in registers beside several sums");
  if (P.SwapAB != (sharedFactor(C) == SharedFactor::B))
    return layoutError(Twine("the factor that the sums share is the rows "
                             "operand, which takes ") +
                       (P.SwapAB ? "no swap_ab" : "swap_ab"));
  return Error::success();
}

static Error checkChoice(const PlanChoice &P, const Contraction &C,
                         const Machine &M) {
  if (P.OnePart && C.A.factorType() != ScalarType::F32 &&
      C.B.factorType() != ScalarType::F32)
    return layoutError("no operand is float, so none can be rounded as for "
                       "TF32");
  if (P.RowsInRegisters && (!P.OnePart || C.A.Type != ScalarType::F32 ||
                            C.B.Type != ScalarType::F32))
    return layoutError("rows are rounded in registers where both operands are "
                       "float and rounded as for TF32");
  if (P.RowsInRegisters && C.hasPrologue())
    return layoutError("rows are not rounded in registers where a factor is "
                       "computed from its element");
  if (needsTransform(C)) {
    if (Error E = checkSplitChoice(P, C.sumCount()))
      return E;
  } else if (P.TransformWarpgroups)
    return layoutError("16-bit operands of one type are multiplied as they are "
                       "and have no transform");
  else if (P.TileK != 64)
    return layoutError("the kernel takes k in blocks of 64, not " +
                       Twine(P.TileK));
  if (P.Pingpong && P.ConsumerWarpgroups != 2)
    return layoutError("a ping-pong schedule has two consumer warpgroups");
  if (P.ConsumerWarpgroups < 1 || P.ConsumerWarpgroups > MaxConsumers)
    return layoutError("1 to " + Twine(MaxConsumers) +
                       " consumer warpgroups, not " +
                       Twine(P.ConsumerWarpgroups));
  int64_t Group = 64 * (P.Pingpong ? 1 : P.ConsumerWarpgroups);
  if (P.tileRows() < Group || P.tileRows() % Group)
    return layoutError("a tile of " + Twine(P.tileRows()) +
                       " rows is not a multiple of " + Twine(Group) +
                       ", the rows that its warpgroups multiply at a time");
  if (P.tileColumns() < 16 || P.tileColumns() > 256 || P.tileColumns() % 16)
    return layoutError("a tile of " + Twine(P.tileColumns()) +
                       " columns is not a multiple of 16 up to 256");
  if (Error E = checkSums(P, C))
    return E;
  if (P.Stages < 2)
    return layoutError("a pipeline needs at least 2 stages");
  if (P.ClusterM < 1 || P.ClusterN < 1 ||
      P.clusterSize() > M.MaxPortableCluster || !isPowerOf2_64(P.ClusterM) ||
      !isPowerOf2_64(P.ClusterN))
    return layoutError("a cluster of " + Twine(P.ClusterM) + " by " +
                       Twine(P.ClusterN) +
                       " is not a power of two in each direction, 8 at most");
  if (P.RasterGroup < 1)
    return layoutError("a raster group must be positive");
  return Error::success();
}

/// The strides of a plan's address arithmetic must be one number each.
static Expected<int64_t> onlyStep(const Layout &L, const char *What) {
  if (L.shape().isTuple())
    return layoutError(Twine(What) + " are not evenly spaced: " + L.str());
  return L.stride().value();
}

Error deriveAccess(OperandPlan &P, const SmemLayout &Tile, Major Order,
                   int64_t RowsPerInstruction) {
  Expected<OperandAccess> Access =
      accessOf(Tile, Order, RowsPerInstruction, P.TileExtent);
  if (!Access)
    return Access.takeError();
  P.LeadingBytes = Access->Descriptor.LeadingBytes;
  P.StrideBytes = Access->Descriptor.StrideBytes;
  Expected<int64_t> KStep = onlyStep(Access->KSteps, "k steps");
  if (!KStep)
    return KStep.takeError();
  P.KStepBytes = *KStep;
  Expected<int64_t> RowBlock = onlyStep(Access->RowBlocks, "row blocks");
  if (!RowBlock)
    return RowBlock.takeError();
  P.RowBlockBytes = *RowBlock;
  return Error::success();
}

/// Boxes of one array each: along k, the one box of the tile becomes one for
/// each array; along the rows, a box is a block of the swizzle and is not
/// divided.
static Error divideBoxes(TmaBoxes &Boxes, Major Order, const OperandPlan &P) {
  if (P.Sources == 1)
    return Error::success();
  const int64_t Extent = P.TileExtent / P.Sources;
  if (Order == Major::MN ? Extent % Boxes.Box[0] != 0 : Boxes.Count != 1)
    return layoutError(Twine(P.Sources) + " arrays of " + Twine(Extent) +
                       " columns each do not fill whole boxes");
  if (Order == Major::MN)
    return Error::success();
  Boxes.Count = P.Sources;
  Boxes.Box[1] = Extent;
  Boxes.Bytes /= P.Sources;
  Boxes.Starts.clear();
  for (int64_t I = 0; I < P.Sources; ++I)
    Boxes.Starts.push_back({I * Extent, 0});
  return Error::success();
}

static Expected<OperandPlan> deriveOperand(const Operand &Source, bool IsA,
                                           Major Order, int64_t Extent,
                                           int64_t Sources, int64_t Shares,
                                           int64_t RowsPerInstruction,
                                           int64_t TileK, const Machine &M) {
  OperandPlan P;
  P.IsA = IsA;
  P.Type = Source.Type;
  P.Order = Order;
  P.TileExtent = Extent;
  P.Sources = Sources;
  P.Shares = Shares;
  P.Batched = !Source.stride("b").isZero();
  unsigned Bits = 8 * byteSize(Source.Type);

  // The widest swizzle: along k it divides the block; along the rows the tile
  // is rounded up to whole blocks, and TMA fills the rest as well.
  int64_t Span = spanBytes(SwizzleMode::B128) * 8 / Bits;
  P.StoredExtent = Order == Major::MN ? alignTo(Extent, Span) : Extent;
  Expected<SwizzleMode> Mode =
      widestSwizzle(Order == Major::K ? TileK : P.StoredExtent, Bits);
  if (!Mode)
    return Mode.takeError();
  P.Swizzle = *Mode;
  Expected<SmemLayout> Tile =
      smemTile(Order, *Mode, Bits, P.StoredExtent, TileK);
  if (!Tile)
    return Tile.takeError();
  P.SmemLayout = Tile->str();
  P.StageBytes = Tile->bytes();

  Expected<TmaBoxes> Boxes = tmaBoxes(*Tile, Order, M);
  if (!Boxes)
    return Boxes.takeError();
  if (Error E = divideBoxes(*Boxes, Order, P))
    return E;
  // Each share is a slice of every box across its rows, whole atoms high, so
  // that it is one piece of memory in its own right.
  int64_t AtomRows = product(
      smemAtom(Order, *Mode, Bits).Elements.shape()[Order == Major::K ? 0 : 1]);
  if (Boxes->Box[1] % (Shares * AtomRows))
    return layoutError("a box of " + Twine(Boxes->Box[1]) +
                       " rows cannot be shared by " + Twine(Shares) + " CTAs");
  P.BoxCount = Boxes->Count;
  P.BoxStepBytes = Boxes->Bytes;
  P.Box = {Boxes->Box[0], Boxes->Box[1] / Shares};
  P.BoxBytes = Boxes->Bytes / Shares;
  (Order == Major::K ? P.ShareStepRows : P.ShareStepK) =
      Shares > 1 ? P.Box[1] : 0;
  if (Boxes->Count > 1)
    std::tie(P.BoxStepRows, P.BoxStepK) = Boxes->Starts[1];

  // WGMMA reads the rows that belong to the tile.
  if (Error E = deriveAccess(P, *Tile, Order, RowsPerInstruction))
    return E;
  // An instruction inside one block of rows ignores the distance of blocks;
  // the tile has one all the same.
  if (Order == Major::MN && RowsPerInstruction <= Span)
    P.LeadingBytes = Boxes->Bytes;
  return P;
}

/// The CTAs that share an index of mode \p Mode with the first one, one bit
/// each by rank, and how far the bits move from one index to the next.
static std::pair<int64_t, int64_t> multicast(const Layout &Ranks,
                                             unsigned Mode) {
  const Layout Others = Ranks.mode(1 - Mode);
  int64_t Mask = 0;
  for (int64_t I = 0; I < Others.size(); ++I)
    Mask |= int64_t(1) << Others(I);
  return {Mask, Ranks.mode(Mode).stride().value()};
}

/// Columns of a slab, at most, in plans with a transform: all values of a slab,
/// and what is read for them, are in registers beside all sums of the tile, and
/// of 64 columns they are too many for these plans' consumers.
static constexpr int64_t MostSplitSlabColumns = 32;

static Expected<EpiloguePlan> deriveEpilogue(const Output &Out, bool AlongRows,
                                             int64_t Columns, bool Transform,
                                             const Machine &M) {
  EpiloguePlan E;
  E.Type = Out.Type;
  E.RowsContiguous = AlongRows;
  E.FirstBarrier = FirstNamedBarrier;
  unsigned Bits = 8 * byteSize(Out.Type);
  // As many columns as fill the widest swizzle's row and divide the tile.
  E.SlabColumns = spanBytes(SwizzleMode::B128) * 8 / Bits;
  if (Transform)
    E.SlabColumns = std::min(E.SlabColumns, MostSplitSlabColumns);
  while (Columns % E.SlabColumns)
    E.SlabColumns /= 2;
  if (E.SlabColumns < 16) // a store of accumulators is 16 columns wide
    return layoutError("a tile of " + Twine(Columns) +
                       " columns cannot be stored in slabs of 16");
  Expected<SmemLayout> Slab =
      stagingTile(WgmmaAtom::M, E.SlabColumns, Bits, !AlongRows);
  if (!Slab)
    return Slab.takeError();
  E.SmemLayout = Slab->str();
  Expected<SwizzleMode> Mode = Slab->mode();
  if (!Mode)
    return Mode.takeError();
  E.Swizzle = *Mode;
  Expected<TmaBoxes> Boxes =
      tmaBoxes(*Slab, AlongRows ? Major::MN : Major::K, M);
  if (!Boxes)
    return Boxes.takeError();
  E.Box = Boxes->Box;
  E.BoxCount = Boxes->Count;
  E.BoxBytes = Boxes->Bytes;
  if (Boxes->Count > 1)
    E.BoxStep = AlongRows ? Boxes->Starts[1].first : Boxes->Starts[1].second;
  if (Slab->bytes() > E.BufferBytes)
    return layoutError("a slab of " + Twine(Slab->bytes()) +
                       " bytes exceeds its buffer");
  return E;
}

Expected<KernelPlan> derivePlan(const Contraction &C, const Orders &O,
                                const PlanChoice &Choice, const Machine &M) {
  const bool Transform = needsTransform(C);
  if (Error E = checkChoice(Choice, C, M))
    return E;
  KernelPlan P;
  static_cast<PlanChoice &>(P) = Choice;
  P.Requires = O.Requires;
  P.Sums = C.sumCount();
  P.Products = 1 + static_cast<int64_t>(C.MoreProducts.size());
  P.InstructionN = P.Sums * P.tileColumns();
  // Of parts, which are fp16, or of the operands, which are 16 bits wide too.
  Expected<WgmmaAtom> Atom = WgmmaAtom::create(P.InstructionN, 16);
  if (!Atom)
    return Atom.takeError();
  P.InstructionK = Atom->K;
  P.Accumulators = Atom->accumulators();
  P.Fragment = Atom->C.str();
  P.Threads = (1 + (Transform ? transformWarpgroups(P, P.Sums) : 0) +
               P.ConsumerWarpgroups) *
              M.WarpgroupThreads;

  auto Derive = [&](bool IsA, int64_t Extent, int64_t Sources, int64_t Shares,
                    int64_t RowsPerInstruction) {
    const Operand &Source = IsA ? C.A : C.B;
    const Major Order = IsA ? O.A : O.B;
    return Transform ? deriveSplitOperand(Source, IsA, Order, Extent, Sources,
                                          Shares, RowsPerInstruction, P, M)
                     : deriveOperand(Source, IsA, Order, Extent, Sources,
                                     Shares, RowsPerInstruction, P.TileK, M);
  };
  // CTAs side by side along the columns need the same rows, and vice versa.
  Expected<OperandPlan> Rows =
      Derive(!P.SwapAB, P.tileRows(), 1, P.clusterColumns(), WgmmaAtom::M);
  if (!Rows)
    return Rows.takeError();
  Expected<OperandPlan> Cols =
      Derive(P.SwapAB, P.InstructionN, P.Sums, P.clusterRows(), P.InstructionN);
  if (!Cols)
    return Cols.takeError();
  P.Rows = *Rows;
  P.Cols = *Cols;
  // Ranks run along the rows of a cluster first.
  const Layout Ranks = Layout::compact({P.clusterRows(), P.clusterColumns()});
  std::tie(P.Rows.MulticastMask, P.Rows.MulticastStep) = multicast(Ranks, 0);
  std::tie(P.Cols.MulticastMask, P.Cols.MulticastStep) = multicast(Ranks, 1);
  if (!P.Pingpong)
    P.Rows.GroupBytes = P.rowBlocks() * P.Rows.RowBlockBytes;
  P.Rows.Offset = 0;
  P.Cols.Offset = P.Rows.StageBytes;
  P.StageBytes = P.Rows.StageBytes + P.Cols.StageBytes;

  if (O.DirectStores) {
    P.Epilogue = EpiloguePlan();
    P.Epilogue.Kind = EpilogueKind::Direct;
    P.Epilogue.Type = C.Outputs.front().Type;
    P.Epilogue.Buffers = P.Epilogue.BufferBytes = 0;
    P.Epilogue.FirstBarrier = 0;
  } else {
    Expected<EpiloguePlan> Epilogue = deriveEpilogue(
        C.Outputs.front(), P.SwapAB, P.tileColumns(), Transform, M);
    if (!Epilogue)
      return Epilogue.takeError();
    P.Epilogue = *Epilogue;
  }
  P.Epilogue.OffsetBits = EpilogueOffsetBits;
  P.Epilogue.StagingOffset = P.Stages * P.StageBytes;
  P.Epilogue.StagingBytes =
      P.ConsumerWarpgroups * P.Epilogue.Buffers * P.Epilogue.BufferBytes;

  P.BarrierOffset = P.Epilogue.StagingOffset + P.Epilogue.StagingBytes;
  P.FullArrivals = 1;
  P.TransactionBytes = 0;
  for (const OperandPlan *Operand : {&P.Rows, &P.Cols})
    P.TransactionBytes +=
        Operand->BoxCount * Operand->Shares * Operand->BoxBytes;
  P.EmptyArrivals = P.clusterSize() * WarpsPerWarpgroup *
                    (P.Pingpong ? 1 : P.ConsumerWarpgroups);
  if (Transform)
    P.BarrierOffset = deriveSplit(P, P.BarrierOffset);
  if (P.Pingpong) {
    P.TurnBarrier = FirstNamedBarrier + MaxConsumers;
    P.TurnThreads = P.ConsumerWarpgroups * M.WarpgroupThreads;
  }
  P.SmemBytes = P.BarrierOffset + (Transform ? 3 : 2) * BarrierBytes * P.Stages;
  if (P.SmemBytes > M.MaxSmemPerCTA)
    return layoutError(Twine(P.Stages) + " stages of " + Twine(P.StageBytes) +
                       " bytes and " + Twine(P.Epilogue.StagingBytes) +
                       " bytes of staging need " + Twine(P.SmemBytes) +
                       " bytes of shared memory; a CTA has " +
                       Twine(M.MaxSmemPerCTA));

  if (Transform) {
    if (Error E = deriveSplitRegisters(P, M))
      return E;
    P.Cost = planCost(P);
    return P;
  }
  // A lone consumer has what it needs from the launch.
  P.ProducerRegisters = 40;
  P.ConsumerRegisters =
      consumerRegisters(M, P.ConsumerWarpgroups, P.ProducerRegisters);
  if (P.ConsumerWarpgroups == 1)
    P.ProducerRegisters = P.ConsumerRegisters =
        alignDown(launchRegisters(M, P.Threads), M.SetmaxnregStep);
  int64_t Accumulators = P.rowBlocks() * P.Accumulators;
  if (Accumulators + OtherRegisters > P.ConsumerRegisters)
    return layoutError(Twine(Accumulators) +
                       " accumulators a thread leave fewer than " +
                       Twine(OtherRegisters) + " of its " +
                       Twine(P.ConsumerRegisters) + " registers");
  P.Cost = planCost(P);
  return P;
}

} // namespace warpwright
