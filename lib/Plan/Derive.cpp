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
#include "Remembered.h"

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// The registers that feeds leave an epilogue are enough only for offsets in
/// int: 64-bit ones of the elements that a thread has in a slab take twice as
/// many.
static constexpr int64_t EpilogueOffsetBits = 32;
static constexpr int64_t BarrierBytes = 8;
/// Consumers that store, each with a named barrier of its own.
static constexpr int64_t MaxStoring = 3;

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
  if (P.SwapAB != (sharedFactor(C) == SharedFactor::B))
    return layoutError(Twine("the factor that the sums share is the rows "
                             "operand, which takes ") +
                       (P.SwapAB ? "no swap_ab" : "swap_ab"));
  return Error::success();
}

static Error checkChoice(const PlanChoice &P, const Contraction &C,
                         const Machine &M) {
  if (P.Precision == FactorPrecision::TF32 &&
      C.A.factorType() != ScalarType::F32 &&
      C.B.factorType() != ScalarType::F32)
    return layoutError("no operand is float, so none can be rounded as for "
                       "TF32");
  if (Error E = P.Feed->checkChoice(P, C))
    return E;
  if (!P.Feed->leavesProductsTo(*P.Multiply))
    return layoutError("the feed '" + Twine(P.Feed->Name) +
                       "' does not leave its products to '" + P.Multiply->Name +
                       "'");
  if (Error E = P.Schedule->checkChoice(P))
    return E;
  if (P.Schedule->sets() > 1 && !P.Feed->takesBlocksInTurn())
    return layoutError("with the feed '" + Twine(P.Feed->Name) +
                       "' consumers do not take blocks of k in turn");
  const int64_t MostConsumers = P.Schedule->mostConsumers();
  if (P.ConsumerWarpgroups < 1 || P.ConsumerWarpgroups > MostConsumers)
    return layoutError("1 to " + Twine(MostConsumers) +
                       " consumer warpgroups, not " +
                       Twine(P.ConsumerWarpgroups));
  int64_t Group = 64 * P.consumersOfTile();
  if (P.tileRows() < Group || P.tileRows() % Group)
    return layoutError("a tile of " + Twine(P.tileRows()) +
                       " rows is not a multiple of " + Twine(Group) +
                       ", the rows that its warpgroups multiply at a time");
  if (P.tileColumns() < 16 || P.tileColumns() > 256 || P.tileColumns() % 16)
    return layoutError("a tile of " + Twine(P.tileColumns()) +
                       " columns is not a multiple of 16 up to 256");
  if (Error E = checkSums(P, C))
    return E;
  if ((subtractedProducts(C) || scaledProducts(C)) && !P.Feed->changesSums())
    return layoutError("the feed '" + Twine(P.Feed->Name) +
                       "' adds products, and changes no sum between them");
  if (P.Stages < 2)
    return layoutError("a pipeline needs at least 2 stages");
  if (P.ClusterM < 1 || P.ClusterN < 1 ||
      P.clusterSize() > M.MaxPortableCluster || !isPowerOf2_64(P.ClusterM) ||
      !isPowerOf2_64(P.ClusterN))
    return layoutError("a cluster of " + Twine(P.ClusterM) + " by " +
                       Twine(P.ClusterN) +
                       " is not a power of two in each direction, 8 at most");
  if (P.Slices != 1 && scaledProducts(C))
    return layoutError("slices are of sums whose products are not multiplied "
                       "with numbers");
  if (P.Slices != 1 && C.hasOwnRanges())
    return layoutError("slices are of one range of k, and its products have "
                       "ranges of their own");
  if (P.Slices != 1 && C.sumCount() > 1)
    return layoutError("slices of k are added for one sum, not for " +
                       Twine(C.sumCount()));
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

/// The same for steps along k, which go on in a further box where the swizzle
/// does not span all of k.
static Expected<int64_t> stepInBox(const Layout &KSteps, const OperandPlan &P) {
  if (P.BoxStepK && KSteps.shape().isTuple() && KSteps.rank() == 2 &&
      KSteps.mode(1).stride().value() == P.BoxStepBytes)
    return onlyStep(KSteps.mode(0), "k steps");
  return onlyStep(KSteps, "k steps");
}

Error deriveAccess(OperandPlan &P, const SmemLayout &Tile, Major Order,
                   int64_t RowsPerInstruction) {
  Expected<OperandAccess> Access =
      rememberedAccess(Tile, Order, RowsPerInstruction, P.TileExtent);
  if (!Access)
    return Access.takeError();
  P.LeadingBytes = Access->Descriptor.LeadingBytes;
  P.StrideBytes = Access->Descriptor.StrideBytes;
  Expected<int64_t> KStep = stepInBox(Access->KSteps, P);
  if (!KStep)
    return KStep.takeError();
  P.KStepBytes = *KStep;
  Expected<int64_t> RowBlock = onlyStep(Access->RowBlocks, "row blocks");
  if (!RowBlock)
    return RowBlock.takeError();
  P.RowBlockBytes = *RowBlock;
  return Error::success();
}

OperandPlan operandOf(const OperandRequest &R) {
  OperandPlan P;
  P.IsA = R.IsA;
  P.Type = R.Source.Type;
  P.Numbers = R.Source.numbers();
  P.Order = R.Order;
  P.TileExtent = R.Extent;
  P.Sources = R.Sources;
  P.Shares = R.Shares;
  P.Batched = R.Batched;
  return P;
}

Expected<KernelPlan> derivePlan(const Contraction &C, const Orders &O,
                                const PlanChoice &Choice, const Machine &M) {
  KernelPlan P;
  static_cast<PlanChoice &>(P) = Choice;
  if (!P.Feed)
    P.Feed = &defaultFeed(C);
  if (!P.Multiply)
    P.Multiply = defaultMultiply(P.Feed->multiplied(C.A.Type, C.B.Type));
  if (!P.Multiply)
    return layoutError("no instruction multiplies elements of type " +
                       name(C.A.Type));
  P.Output = O.Store;
  P.Store = &storeOf(P, *O.Store);
  if (Error E = checkChoice(P, C, M))
    return E;
  P.Requires = O.Requires;
  P.Sums = C.sumCount();
  P.Products = 1 + static_cast<int64_t>(C.MoreProducts.size());
  P.OwnRanges = C.hasOwnRanges();
  P.Subtracted = subtractedProducts(C);
  P.ScaledProducts = scaledProducts(C);
  P.InstructionN = P.Sums * P.tileColumns();
  P.Threads = (1 + P.Feed->warpgroups(P, P.Sums) + P.ConsumerWarpgroups) *
              M.WarpgroupThreads;

  auto Derive = [&](bool IsRows, int64_t Extent, int64_t Sources,
                    int64_t Shares, int64_t RowsPerInstruction) {
    const bool IsA = IsRows != P.SwapAB;
    const Operand &Source = IsA ? C.A : C.B;
    return P.Feed->deriveOperand({Source, IsA, IsRows, IsA ? O.A : O.B, Extent,
                                  Sources, Shares, RowsPerInstruction,
                                  !C.batchStride(Source).isZero()},
                                 P, M);
  };
  // CTAs side by side along the columns need the same rows, and vice versa.
  Expected<OperandPlan> Rows = Derive(/*IsRows=*/true, P.tileRows(), 1,
                                      P.clusterColumns(), WgmmaAtom::M);
  if (!Rows)
    return Rows.takeError();
  Expected<OperandPlan> Cols = Derive(/*IsRows=*/false, P.InstructionN, P.Sums,
                                      P.clusterRows(), P.InstructionN);
  if (!Cols)
    return Cols.takeError();
  P.Rows = *Rows;
  P.Cols = *Cols;
  if (Error E = P.Multiply->derive(P))
    return E;
  P.Load->deriveShares(P);
  P.Rows.GroupBytes = P.Schedule->groupBytes(P);
  P.Rows.Offset = 0;
  P.Cols.Offset = P.Rows.StageBytes;
  P.StageBytes = P.Rows.StageBytes + P.Cols.StageBytes;

  Expected<EpiloguePlan> Epilogue = P.Store->derive(C.Outputs.front(), P, M);
  if (!Epilogue)
    return Epilogue.takeError();
  P.Epilogue = *Epilogue;
  P.Epilogue.Others = static_cast<int64_t>(C.Outputs.size()) - 1;
  P.Epilogue.OffsetBits = EpilogueOffsetBits;
  P.Epilogue.StagingOffset = P.Stages * P.StageBytes;
  P.Epilogue.StagingBytes =
      P.storingConsumers() * P.Epilogue.Buffers * P.Epilogue.BufferBytes;

  P.BarrierOffset = P.Epilogue.StagingOffset + P.Epilogue.StagingBytes;
  P.EmptyArrivals = P.clusterSize() * WarpsPerWarpgroup * P.consumersOfTile();
  P.BarrierOffset = P.Feed->deriveMemory(P, P.BarrierOffset);
  P.BarrierOffset = P.Schedule->deriveMemory(P, P.BarrierOffset);
  P.Schedule->deriveBarriers(P, FirstNamedBarrier + MaxStoring, M);
  P.SmemBytes =
      P.BarrierOffset + P.Feed->barriersAStage() * BarrierBytes * P.Stages;
  if (P.SmemBytes > M.MaxSmemPerCTA)
    return layoutError(Twine(P.Stages) + " stages of " + Twine(P.StageBytes) +
                       " bytes and " + Twine(P.Epilogue.StagingBytes) +
                       " bytes of staging need " + Twine(P.SmemBytes) +
                       " bytes of shared memory; a CTA has " +
                       Twine(M.MaxSmemPerCTA));

  if (Error E = P.Feed->deriveRegisters(P, M))
    return E;
  P.Cost = planCost(P);
  return P;
}

} // namespace warpwright
