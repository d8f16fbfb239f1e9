//===- DeriveSplit.cpp - Plans with a transform stage ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A stage of an operand is one line of 128 bytes per row: 32 floats along k, or
// in their place 32 high parts and 32 low ones. So the transform works in
// place, and a warp that rewrites whole blocks of 32 rows needs no other warp.
// That holds as well for operands that lie along the rows, as long as a block
// has its elements in its own memory: TMA boxes of 32 rows by 32 of k.
//
// Where the consumers round the rows operand in registers, its stage stays as
// TMA writes it, and the transform has the columns only.
//
//===----------------------------------------------------------------------===//

#include "Derive.h"

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Expression.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// Of a stage along k.
static constexpr int64_t Depth = 32;
static constexpr unsigned PartBits = 16;
/// Of what a prologue computes, where parts cannot represent it.
static constexpr unsigned ComputedBits = 32;
static constexpr int64_t LineBytes = 128;
static constexpr int64_t MaxConsumers = 2;

/// Registers of a thread: of the producer, which has addresses of boxes only;
/// one of the transform has 32 elements and their parts; it spills with fewer
/// than MostTransformRegisters, and little with LeastTransformRegisters. A
/// consumer needs these besides the accumulators of the tensor cores and as
/// many sums, and its epilogue these besides the sums.
static constexpr int64_t ProducerRegisters = 32;
static constexpr int64_t LeastTransformRegisters = 80,
                         MostTransformRegisters = 112;
static constexpr int64_t LoopRegisters = 16, EpilogueRegisters = 64;
/// At least, where the factors of both operands are computed from elements.
static constexpr int64_t LeastComputingRegisters = 88;
/// Consumers that round their rows have no sums in registers, but for each
/// block of 64 rows the parts of a stage that is multiplied and of the next
/// one, and besides what rounding takes. For that the transform, which has one
/// part of each element, gives more of its registers up.
/// Fewer for any of the three and ptxas spills.
static constexpr int64_t FragmentRegisters = 2 * 8, RoundingRegisters = 40;
static constexpr int64_t LeastOnePartRegisters = 72;
static constexpr int64_t OnePartProducerRegisters = 40;
/// A wgmma needs these beside its accumulators among the registers that a
/// thread is launched with, whatever setmaxnreg gives it later (ptxas C7602).
static constexpr int64_t InstructionRegisters = 26;
/// And these for rows that it takes from registers, 64 by 16 fp16 numbers.
static constexpr int64_t RowsOperandRegisters = 4;

/// Blocks of 64 rows that a consumer rounds in registers, at most: accumulators
/// of more are beyond its registers.
static constexpr int64_t MostRowBlocks = 2;
/// Stages between promotions where rows are in registers, at most: they follow
/// when scales change, and this is only what the exponents must allow for.
static constexpr int64_t LongWindow = 256;

/// The slots of k (SplitPlan::KSlots) that rows in registers have. ldmatrix
/// moves rows of 16 bytes, here 4 floats along k, and lane t of a quad gets
/// float t of each: k = t, 4 + t, 8 + t, 12 + t of 16. To wgmma it gives the
/// slots 2 t, 2 t + 1, 2 t + 8, 2 t + 9. Rows that do not lie along k are
/// loaded element by element, in whatever order.
static Layout kSlots(const OperandPlan &Rows) {
  return Rows.InRegisters && Rows.Order == Major::K
             ? Layout({4, 2, 2}, {2, 1, 8})
             : Layout(16, 1);
}

Expected<Layout> readKSlots(const KernelPlan &P) {
  const std::string &Text = P.Split.KSlots;
  Expected<Layout> Slots = parseLayout(Text);
  if (!Slots)
    return layoutError("slots " + Text + ": " + toString(Slots.takeError()));
  if (Slots->size() != P.InstructionK || !isBijective(*Slots))
    return layoutError("slots " + Text + " are no order of the " +
                       Twine(P.InstructionK) + " along k of an instruction");
  return Slots;
}

/// Down to which magnitude an element's parts have the bits that they should.
static int64_t leastExponent(ScalarType T, int64_t Parts) {
  // fp16 has 11 bits down to 2^-14, then one less for each power of two.
  switch (T) {
  case ScalarType::BF16: // 8 bits
    return -17;
  default:
    // Of two parts, the low one makes up for what a subnormal high one lost.
    return Parts == 2 ? -16 : -14;
  }
}

/// Stages of a window: more of them spare promotions, but the float sums of the
/// tensor cores, which round toward zero, get longer; measured best where the
/// pipeline can load as many ahead. With rows in registers the consumers give
/// each stage back by itself, whatever the window.
static int64_t windowOf(const PlanChoice &P) {
  if (P.RowsInRegisters)
    return LongWindow;
  return P.Stages >= 6 ? 3 : 2;
}

bool needsTransform(const Contraction &C) {
  return C.A.Type != C.B.Type || C.A.Type == ScalarType::F32 || C.hasPrologue();
}

int64_t transformWarpgroups(const PlanChoice &P, int64_t Sums) {
  if (P.TransformWarpgroups)
    return P.TransformWarpgroups;
  const int64_t Rows =
      Sums * P.tileColumns() + (P.RowsInRegisters ? 0 : P.tileRows());
  const int64_t Blocks = Rows / SplitPlan().BlockRows;
  return Blocks > WarpsPerWarpgroup ? 2 : 1;
}

Error checkSplitChoice(const PlanChoice &P, int64_t Sums) {
  const SplitPlan Split;
  if (P.TileK != Depth)
    return layoutError("operands that are split into fp16 parts come in blocks "
                       "of " +
                       Twine(Depth) + " along k, not " + Twine(P.TileK));
  if (P.Pingpong)
    return layoutError("operands that are split into fp16 parts have no "
                       "ping-pong schedule: two warpgroups would each need "
                       "their own sums of a whole tile");
  if (P.ConsumerWarpgroups < 1 || P.ConsumerWarpgroups > MaxConsumers)
    return layoutError("operands that are split into fp16 parts have 1 or " +
                       Twine(MaxConsumers) + " consumer warpgroups, not " +
                       Twine(P.ConsumerWarpgroups));
  if (int64_t W = transformWarpgroups(P, Sums); W < 1 || W > 2)
    return layoutError("1 or 2 warpgroups transform operands, not " + Twine(W));
  if (P.RowsInRegisters) {
    if (P.ConsumerWarpgroups != MaxConsumers)
      return layoutError("rows are rounded in registers by " +
                         Twine(MaxConsumers) + " consumer warpgroups, not " +
                         Twine(P.ConsumerWarpgroups));
    const int64_t Least = WgmmaAtom::M * P.ConsumerWarpgroups;
    if (P.tileRows() % Least || P.tileRows() / Least > MostRowBlocks)
      return layoutError(Twine(P.ConsumerWarpgroups) +
                         " consumer warpgroups that round rows in registers "
                         "multiply " +
                         Twine(Least) + " or " + Twine(MostRowBlocks * Least) +
                         " of them, not " + Twine(P.tileRows()));
  } else if (P.tileRows() != WgmmaAtom::M * P.ConsumerWarpgroups)
    return layoutError(Twine(P.ConsumerWarpgroups) + " consumer warpgroup" +
                       (P.ConsumerWarpgroups == 1 ? "" : "s") +
                       " of operands that are split into fp16 parts multiply " +
                       Twine(WgmmaAtom::M * P.ConsumerWarpgroups) +
                       " rows, not " + Twine(P.tileRows()));
  if (P.tileColumns() < Split.BlockRows || P.tileColumns() % Split.BlockRows)
    return layoutError("a tile of " + Twine(P.tileColumns()) +
                       " columns is not a multiple of " +
                       Twine(Split.BlockRows) +
                       ", the block in which operands are split");
  if (!P.RowsInRegisters && P.Stages < windowOf(P))
    return layoutError("products are added up over " + Twine(windowOf(P)) +
                       " stages; " + Twine(P.Stages) + " are too few");
  return Error::success();
}

namespace {
/// What TMA writes.
struct RawStage {
  SmemLayout Tile;
  int64_t BoxRows;          ///< of the operand in one box
  std::vector<int64_t> Box; ///< of all shares, contiguous index first
};
} // namespace

/// As few boxes as leave each block of rows in its own memory, and each of
/// \p Sources arrays in its own boxes. \p InRegisters:
/// the consumers read it, each lane what it owns of wgmma's rows operand.
static Expected<RawStage> rawStage(Major Order, unsigned Bits, int64_t Extent,
                                   int64_t Sources, bool InRegisters,
                                   const Machine &M) {
  const SplitPlan Split;
  // Elements that fill their lines let blocks follow each other in a box.
  const bool OneBox = Order == Major::K && Depth * Bits / 8 == LineBytes;
  const int64_t BoxRows = OneBox ? Extent / Sources : Split.BlockRows;
  SmemLayout Box;
  if (Order == Major::K || InRegisters) {
    // Lanes that are rows apart read the same k at a time, or lanes that are k
    // apart the same rows: it is the swizzle that spreads them over the banks.
    Expected<SwizzleMode> Mode =
        widestSwizzle(Order == Major::K ? Depth : BoxRows, Bits);
    if (!Mode)
      return Mode.takeError();
    Expected<SmemLayout> Tile = smemTile(Order, *Mode, Bits, BoxRows, Depth);
    if (!Tile)
      return Tile.takeError();
    Box = *Tile;
  } else {
    // A warp reads a line at a time, one element a lane: no swizzle needed.
    Box = {Layout::compact({BoxRows, Depth}), Bits};
  }
  Expected<TmaBoxes> Boxes = tmaBoxes(Box, Order, M);
  if (!Boxes)
    return Boxes.takeError();
  if (Boxes->Count != 1)
    return layoutError(Twine(BoxRows) + " rows of an operand are not one box");
  const Layout &Outer = Box.Elements.outer();
  Layout Rows = Outer.mode(0);
  if (BoxRows != Extent)
    Rows = Layout::join(
        {Rows, Layout(Extent / BoxRows, BoxRows / Split.BlockRows *
                                            Split.BlockBytes * 8 / Bits)});
  return RawStage{
      {Box.Elements.withOuter(Layout::join({Rows, Outer.mode(1)})), Bits},
      BoxRows,
      Boxes->Box};
}

Expected<OperandPlan>
deriveSplitOperand(const Operand &Source, bool IsA, Major Order, int64_t Extent,
                   int64_t Sources, int64_t Shares, int64_t RowsPerInstruction,
                   const PlanChoice &Choice, const Machine &M) {
  const SplitPlan Split;
  OperandPlan P;
  P.IsA = IsA;
  P.Type = Source.Type;
  P.Order = Order;
  P.TileExtent = P.StoredExtent = Extent;
  P.Sources = Sources;
  P.Shares = Shares;
  P.Batched = !Source.stride("b").isZero();
  P.Computed = Source.Prologue != nullptr;
  P.FactorType = Source.factorType();
  // half is one part, and so is bfloat16, which has fewer bits.
  P.Parts = P.FactorType == ScalarType::F32 && !Choice.OnePart ? 2 : 1;
  P.LeastExponent = leastExponent(P.FactorType, P.Parts);
  P.StageBytes = Extent / Split.BlockRows * Split.BlockBytes;
  P.InRegisters = Choice.RowsInRegisters && IsA != Choice.SwapAB;

  const unsigned Bits = 8 * byteSize(Source.Type);
  Expected<RawStage> Raw =
      rawStage(Order, Bits, Extent, Sources, P.InRegisters, M);
  if (!Raw)
    return Raw.takeError();
  Expected<SwizzleMode> RawMode = Raw->Tile.mode();
  if (!RawMode)
    return RawMode.takeError();
  P.RawLayout = Raw->Tile.str();
  P.RawSwizzle = *RawMode;
  // Each share is a slice of every box, whole atoms high where there are atoms.
  const int64_t AtomRows = *RawMode == SwizzleMode::None ? 1 : 8;
  if (Raw->Box[1] % (Shares * AtomRows))
    return layoutError("a box of " + Twine(Raw->Box[1]) +
                       " rows cannot be shared by " + Twine(Shares) + " CTAs");
  P.Box = {Raw->Box[0], Raw->Box[1] / Shares};
  P.BoxCount = Extent / Raw->BoxRows;
  P.BoxBytes = P.Box[0] * P.Box[1] * Bits / 8;
  P.BoxStepBytes = Raw->BoxRows / Split.BlockRows * Split.BlockBytes;
  if (P.BoxCount > 1)
    P.BoxStepRows = Raw->BoxRows;
  (Order == Major::K ? P.ShareStepRows : P.ShareStepK) =
      Shares > 1 ? P.Box[1] : 0;

  if (P.InRegisters) { // nothing else is written, and no descriptor reads it
    P.SmemLayout = P.RawLayout;
    P.Swizzle = P.RawSwizzle;
    return P;
  }
  // High parts first, then low ones, in lines of 128 bytes; what one part
  // leaves of a line is not used.
  P.Swizzle = SwizzleMode::B128;
  if (P.Parts == 2)
    P.LowPartBytes = Depth * PartBits / 8;
  Expected<SmemLayout> Tile =
      smemTile(Major::K, P.Swizzle, PartBits, Extent, LineBytes * 8 / PartBits);
  if (!Tile)
    return Tile.takeError();
  P.SmemLayout = Tile->str();
  if (P.Computed) {
    Expected<SmemLayout> Lines =
        smemTile(Major::K, SwizzleMode::B128, ComputedBits, Extent, Depth);
    if (!Lines)
      return Lines.takeError();
    P.ComputedLayout = Lines->str();
  }
  if (Error E = deriveAccess(P, *Tile, Major::K, RowsPerInstruction))
    return E;
  return P;
}

int64_t deriveSplit(KernelPlan &P, int64_t Offset) {
  SplitPlan &S = P.Split;
  S.Warpgroups = P.TransformWarpgroups = transformWarpgroups(P, P.Sums);
  S.Window = windowOf(P);
  S.ReadyArrivals = S.Warpgroups * WarpsPerWarpgroup * S.WarpArrivals;
  S.KSlots = kSlots(P.Rows).str();
  P.EmptyArrivals *= S.WarpArrivals;
  const int64_t Rows = P.tileRows() + P.InstructionN;
  S.ScaleOffset = Offset;
  S.ScaleStageBytes = Rows;
  S.FlagOffset = S.ScaleOffset + P.Stages * S.ScaleStageBytes;
  // Whole words, so that the barriers behind the flags are aligned.
  S.FlagStageBytes = alignTo(Rows / S.BlockRows, 8);
  return S.FlagOffset + P.Stages * S.FlagStageBytes;
}

Error deriveSplitRegisters(KernelPlan &P, const Machine &M) {
  const int64_t Step = M.SetmaxnregStep, Consumers = P.ConsumerWarpgroups;
  const int64_t Each = alignDown(launchRegisters(M, P.Threads), Step);
  P.ProducerRegisters =
      P.RowsInRegisters ? OnePartProducerRegisters : ProducerRegisters;
  int64_t Left = Each * (P.Threads / M.WarpgroupThreads) - P.ProducerRegisters;
  // The transform gives some of its registers up, the consumers, which come
  // first, take more.
  const int64_t Sums = P.rowBlocks() * P.Accumulators;
  const int64_t Loop =
      P.RowsInRegisters
          ? Sums + P.rowBlocks() * FragmentRegisters + RoundingRegisters
          : P.Accumulators + Sums + LoopRegisters;
  const int64_t Needed = std::max(Loop, Sums + EpilogueRegisters);
  const int64_t Spare = Left - Consumers * std::max(Needed, Each);
  P.Split.Registers = std::clamp<int64_t>(
      alignDown(std::max<int64_t>(Spare, 0) / P.Split.Warpgroups, Step),
      P.RowsInRegisters                    ? LeastOnePartRegisters
      : P.Rows.Computed && P.Cols.Computed ? LeastComputingRegisters
                                           : LeastTransformRegisters,
      std::min(MostTransformRegisters, Each));
  Left -= P.Split.Warpgroups * P.Split.Registers;
  P.ConsumerRegisters = std::min<int64_t>(alignDown(Left / Consumers, Step),
                                          M.MaxSetmaxnreg - Step);
  if (Needed > P.ConsumerRegisters && P.RowsInRegisters)
    return layoutError(Twine(Sums) +
                       " accumulators a thread, and its rows, "
                       "need " +
                       Twine(Needed) + " registers; it has " +
                       Twine(P.ConsumerRegisters));
  if (Needed > P.ConsumerRegisters)
    return layoutError(Twine(P.Accumulators) + " accumulators and " +
                       Twine(Sums) + " sums a thread leave fewer than " +
                       Twine(LoopRegisters) + " of its " +
                       Twine(P.ConsumerRegisters) + " registers");
  const int64_t Instruction = P.Accumulators + InstructionRegisters +
                              (P.RowsInRegisters ? RowsOperandRegisters : 0);
  if (Instruction > Each)
    return layoutError("instructions with " + Twine(P.Accumulators) +
                       " accumulators need " + Twine(Instruction) +
                       " registers; " + Twine(P.Threads) +
                       " threads are launched with " + Twine(Each));
  return Error::success();
}

} // namespace warpwright
