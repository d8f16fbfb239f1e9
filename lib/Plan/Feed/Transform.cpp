//===- Transform.cpp - Feeds that rewrite stages --------------------------===//
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
// has its elements in its own memory: TMA boxes of 32 rows by 32 of k. Narrower
// elements, bytes among them, fill the beginning of a block's memory; elements
// of several numbers along k are so many fewer.
//
// Where the consumers round the rows operand in registers, its stage stays as
// TMA writes it, and the transform has the columns only.
//
//===----------------------------------------------------------------------===//

#include "Transform.h"
#include "../Members.h"
#include "../Remembered.h"
#include "../RuntimeComparison.h"

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Expression.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// Of what a prologue computes, where parts cannot represent it.
static constexpr unsigned ComputedBits = 32;
static constexpr int64_t LineBytes = 128;
/// The most columns of an epilogue's slab. All values of a slab, and what the
/// epilogue reads for them, are in registers beside the sums of the whole tile:
/// with 64 columns a consumer of these plans would need more than it has.
static constexpr int64_t MostSlabColumns = 32;
/// Registers of a thread of the transform, which has 32 elements and their
/// parts: it spills with fewer.
static constexpr int64_t MostTransformRegisters = 112;

/// A wgmma needs these beside its accumulators.
static constexpr int64_t InstructionRegisters = 26;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

const char *TransformFeed::whyNotBatchInvariant() const {
  return "rows that fp16 parts cannot represent are multiplied in float "
         "together with those beside them, so a row's bits depend on more than "
         "the row";
}

int64_t TransformFeed::warpgroups(const PlanChoice &P, int64_t Sums) const {
  if (P.TransformWarpgroups)
    return P.TransformWarpgroups;
  const int64_t Blocks = rewrittenRows(P, Sums) / SplitPlan().BlockRows;
  return Blocks > WarpsPerWarpgroup ? 2 : 1;
}

Error TransformFeed::checkChoice(const PlanChoice &P,
                                 const Contraction &C) const {
  const SplitPlan Split;
  if (P.TileK != TransformDepth)
    return layoutError("operands that are split into fp16 parts come in blocks "
                       "of " +
                       Twine(TransformDepth) + " along k, not " +
                       Twine(P.TileK));
  if (P.consumersOfTile() != P.ConsumerWarpgroups)
    return layoutError("operands that are split into fp16 parts have no "
                       "ping-pong schedule: two warpgroups would each need "
                       "their own sums of a whole tile");
  if (P.ConsumerWarpgroups < 1 || P.ConsumerWarpgroups > MaxSplitConsumers)
    return layoutError("operands that are split into fp16 parts have 1 or " +
                       Twine(MaxSplitConsumers) + " consumer warpgroups, not " +
                       Twine(P.ConsumerWarpgroups));
  if (int64_t W = warpgroups(P, C.sumCount()); W < 1 || W > 2)
    return layoutError("1 or 2 warpgroups transform operands, not " + Twine(W));
  if (Error E = checkTile(P))
    return E;
  if (P.tileColumns() < Split.BlockRows || P.tileColumns() % Split.BlockRows)
    return layoutError("a tile of " + Twine(P.tileColumns()) +
                       " columns is not a multiple of " +
                       Twine(Split.BlockRows) +
                       ", the block in which operands are split");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Derivation
//===----------------------------------------------------------------------===//

int64_t TransformFeed::mostSlabColumns() const { return MostSlabColumns; }

/// Down to which magnitude an element's parts have the bits that they should.
static int64_t leastExponent(ScalarType T, int64_t Parts) {
  // fp16 has 11 bits down to 2^-14, then one less for each power of two. Of two
  // parts, the low one makes up for what a subnormal high one lost.
  return Parts == 2 ? -16 : -14 - (significandBits(PartType) - bitsOfPart(T));
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
/// \p Sources arrays in its own boxes. Rows have \p Depth elements.
static Expected<RawStage> rawStage(Major Order, unsigned Bits, int64_t Extent,
                                   int64_t Depth, int64_t Sources,
                                   bool ReadByLanes, const Machine &M) {
  const SplitPlan Split;
  // Elements that fill their lines let blocks follow each other in a box.
  const bool OneBox = Order == Major::K && Depth * Bits / 8 == LineBytes;
  const int64_t BoxRows = OneBox ? Extent / Sources : Split.BlockRows;
  SmemLayout Box;
  if (Order == Major::K || ReadByLanes) {
    // The lanes of a warp read one k of different rows, or one row at different
    // k. Without the swizzle these would lie in the same banks.
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
  Expected<TmaBoxes> Boxes = rememberedBoxes(Box, Order, M);
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

Expected<OperandPlan> TransformFeed::deriveRaw(const OperandRequest &R,
                                               const PlanChoice &Choice,
                                               bool ReadByLanes,
                                               const Machine &M) const {
  const SplitPlan Split;
  OperandPlan P = operandOf(R);
  P.StoredExtent = R.Extent;
  P.Computed = R.Source.Prologue != nullptr;
  P.FactorType = R.Source.factorType();
  // half is one part, and so is bfloat16, which has fewer bits.
  P.Parts =
      Choice.Precision == FactorPrecision::Float ? mostParts(P.FactorType) : 1;
  P.LeastExponent = leastExponent(P.FactorType, P.Parts);
  P.StageBytes = R.Extent / Split.BlockRows * Split.BlockBytes;

  const unsigned Bits = 8 * byteSize(R.Source.Type);
  Expected<RawStage> Raw =
      rawStage(R.Order, Bits, R.Extent, TransformDepth / P.Numbers, R.Sources,
               ReadByLanes, M);
  if (!Raw)
    return Raw.takeError();
  Expected<SwizzleMode> RawMode = Raw->Tile.mode();
  if (!RawMode)
    return RawMode.takeError();
  P.RawLayout = Raw->Tile.str();
  P.RawSwizzle = *RawMode;
  // Each share is a slice of every box, whole atoms high where there are atoms.
  const int64_t AtomRows = *RawMode == SwizzleMode::None ? 1 : 8;
  if (Error E = Choice.Load->divideBox(P, Raw->Box, AtomRows))
    return E;
  P.BoxCount = R.Extent / Raw->BoxRows;
  P.BoxStepBytes = Raw->BoxRows / Split.BlockRows * Split.BlockBytes;
  if (P.BoxCount > 1)
    P.BoxStepRows = Raw->BoxRows;
  return P;
}

Expected<OperandPlan> TransformFeed::deriveParts(const OperandRequest &R,
                                                 const PlanChoice &Choice,
                                                 const Machine &M) const {
  Expected<OperandPlan> Raw = deriveRaw(R, Choice, /*ReadByLanes=*/false, M);
  if (!Raw)
    return Raw.takeError();
  OperandPlan P = std::move(*Raw);
  // High parts first, then low ones, in lines of 128 bytes; what one part
  // leaves of a line is not used.
  P.Swizzle = SwizzleMode::B128;
  if (P.Parts == 2)
    P.LowPartBytes = TransformDepth * partBits() / 8;
  Expected<SmemLayout> Tile = smemTile(Major::K, P.Swizzle, partBits(),
                                       R.Extent, LineBytes * 8 / partBits());
  if (!Tile)
    return Tile.takeError();
  P.SmemLayout = Tile->str();
  if (P.Computed) {
    Expected<SmemLayout> Lines = smemTile(
        Major::K, SwizzleMode::B128, ComputedBits, R.Extent, TransformDepth);
    if (!Lines)
      return Lines.takeError();
    P.ComputedLayout = Lines->str();
  }
  if (Error E = deriveAccess(P, *Tile, Major::K, R.RowsPerInstruction))
    return E;
  return P;
}

int64_t TransformFeed::deriveMemory(KernelPlan &P, int64_t Offset) const {
  SplitPlan &S = P.Split;
  S.Warpgroups = P.TransformWarpgroups = warpgroups(P, P.Sums);
  S.Window = windowOf(P);
  S.ReadyArrivals = S.Warpgroups * WarpsPerWarpgroup * S.WarpArrivals;
  S.KSlots = slotsOf(P.Rows).str();
  P.EmptyArrivals *= S.WarpArrivals;
  const int64_t Rows = P.tileRows() + P.InstructionN;
  S.ScaleOffset = Offset;
  S.ScaleStageBytes = Rows;
  S.FlagOffset = S.ScaleOffset + P.Stages * S.ScaleStageBytes;
  // Whole words, so that the barriers behind the flags are aligned.
  S.FlagStageBytes = alignTo(Rows / S.BlockRows, 8);
  return S.FlagOffset + P.Stages * S.FlagStageBytes;
}

void TransformFeed::divideRegisters(KernelPlan &P, const RegisterNeeds &Needs,
                                    const Machine &M) const {
  const int64_t Step = M.SetmaxnregStep, Consumers = P.ConsumerWarpgroups;
  const int64_t Each = alignDown(launchRegisters(M, P.Threads), Step);
  P.ProducerRegisters = Needs.Producer;
  int64_t Left = Each * (P.Threads / M.WarpgroupThreads) - P.ProducerRegisters;
  // The transform gives some of its registers up, the consumers, which come
  // first, take more.
  const int64_t Spare = Left - Consumers * std::max(Needs.Consumer, Each);
  P.Split.Registers = std::clamp<int64_t>(
      alignDown(std::max<int64_t>(Spare, 0) / P.Split.Warpgroups, Step),
      Needs.LeastTransform, std::min(MostTransformRegisters, Each));
  Left -= P.Split.Warpgroups * P.Split.Registers;
  P.ConsumerRegisters = std::min<int64_t>(alignDown(Left / Consumers, Step),
                                          M.MaxSetmaxnreg - Step);
}

Error TransformFeed::checkInstruction(const KernelPlan &P, int64_t Others,
                                      const Machine &M) const {
  const int64_t Each =
      alignDown(launchRegisters(M, P.Threads), M.SetmaxnregStep);
  const int64_t Instruction = P.Accumulators + InstructionRegisters + Others;
  if (Instruction > Each)
    return layoutError("instructions with " + Twine(P.Accumulators) +
                       " accumulators need " + Twine(Instruction) +
                       " registers; " + Twine(P.Threads) +
                       " threads are launched with " + Twine(Each));
  return Error::success();
}

std::string TransformFeed::promotion(const KernelPlan &P) const {
  return formatv("every {0} of k", P.Split.Window * P.TileK);
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

bool reordersK(const KernelPlan &P) {
  return P.Split.KSlots != Layout(P.InstructionK, 1).str();
}

std::string TransformFeed::describeProducts(const KernelPlan &P) const {
  auto Of = [&](const OperandPlan &O) {
    const char *As = O.Parts == 2
                         ? "as two fp16 parts of scaled elements, 22 bits"
                     : O.FactorType == ScalarType::F32
                         ? "as one fp16 part of scaled elements, 11 bits"
                         : "as one fp16 part of scaled elements, all bits";
    return formatv("{0} ({1}{2}) {3}{4}", O.IsA ? "A" : "B", name(O.Type),
                   O.Computed ? ", computed" : "", As,
                   throughRegisters(P, O) ? ", rounded in registers" : "")
        .str();
  };
  const OperandPlan &A = P.Rows.IsA ? P.Rows : P.Cols;
  const OperandPlan &B = P.Rows.IsA ? P.Cols : P.Rows;
  const int64_t Products = productsOfOne(P);
  return formatv("{0}, {1}; {2} tensor-core product{3} of parts for one, added "
                 "to float sums {4}; blocks that parts cannot represent are "
                 "multiplied in float",
                 Of(A), Of(B), Products, Products == 1 ? "" : "s", promotion(P))
      .str();
}

//===----------------------------------------------------------------------===//
// Protocol
//===----------------------------------------------------------------------===//

void TransformFeed::scope(const KernelPlan &, ProtocolScope &Scope) const {
  Scope.MostTiles = 3;
  Scope.RawBlocks = true;
}

void TransformFeed::addBarriers(ProtocolBuilder &B) const {
  B.addBarriers("ready[{0}] of CTA {1}", B.P.Split.ReadyArrivals, false);
}

void TransformFeed::addBuffers(ProtocolBuilder &B) const {
  B.addBuffers(ProtocolBuffer::Scales, "the scales of stage {0} of CTA {1}", 0,
               B.FeedWarps);
}

void TransformFeed::waitReady(ProtocolBuilder &B, int64_t Block) {
  B.wait(Site::WaitReady, B.ready(B.CTA, Block), int32_t(Block / B.Stages));
}

/// A warp of the transform takes its blocks of every stage as they come.
void TransformFeed::writeWarp(ProtocolBuilder &B) const {
  for (int64_t Block = 0; Block < B.Run.blocks(); ++Block) {
    const int32_t Round = int32_t(Block / B.Stages);
    B.wait(Site::WaitFull, B.full(B.CTA, Block), Round);
    B.touch(ProtocolOp::Rewrite, Site::SplitBlocks, B.stageOf(Block), Block);
    B.touch(ProtocolOp::Write, Site::WriteScales, scalesOf(B, Block), Block);
    B.add(ProtocolOp::FenceProxy, Site::FenceParts);
    ProtocolOp &Op = B.add(ProtocolOp::Arrive, Site::SignalReady);
    Op.Targets = {B.ready(B.CTA, Block)};
    Op.Phase = Round;
    Op.Count = SplitPlan::WarpArrivals;
  }
}

//===----------------------------------------------------------------------===//
// JSON and text
//===----------------------------------------------------------------------===//

void TransformFeed::decisions(MemberVisitor &V, KernelPlan &P) const {
  const bool OnePart = P.Precision == FactorPrecision::TF32;
  V.number("transform_warpgroups", P.Split.Warpgroups);
  if (P.Rows.Type == ScalarType::F32 || P.Cols.Type == ScalarType::F32)
    V.fact("precision", OnePart ? "tf32" : "float");
  if (OnePart && P.Rows.Type == P.Cols.Type)
    V.fact("rows_in_registers", throughRegisters(P, P.Rows));
  V.object("transform", [&](MemberVisitor &D) {
    SplitPlan &S = P.Split;
    D.number("registers", S.Registers);
    D.number("window", S.Window);
    D.numbers("block", {&S.BlockRows, &S.BlockBytes});
    D.number("low_shift", S.LowShift);
    D.numbers("exponents",
              {&S.ScaleExponent, &S.TopExponent, &S.RangeExponent});
    D.numbers("scales", {&S.ScaleOffset, &S.ScaleStageBytes});
    D.numbers("flags", {&S.FlagOffset, &S.FlagStageBytes});
    D.number("ready_arrivals", S.ReadyArrivals);
    if (ordersK())
      D.text("k_slots", S.KSlots);
  });
}

void TransformFeed::members(MemberVisitor &V, const KernelPlan &P,
                            OperandPlan &O) const {
  const bool Rounded = throughRegisters(P, O);
  if (!Rounded)
    visitDescriptor(V, O);
  V.object("parts", [&](MemberVisitor &D) {
    D.fact("count", O.Parts);
    D.number("low", O.LowPartBytes);
    D.number("least_exponent", O.LeastExponent);
    D.fact("in_registers", Rounded);
  });
  if (O.Numbers > 1)
    V.fact("numbers", O.Numbers);
  if (O.Computed)
    V.object("computed", [&](MemberVisitor &D) {
      D.fact("type", name(O.FactorType));
      D.text("layout", O.ComputedLayout);
    });
  if (Rounded) { // "layout" and "swizzle" are those of the raw stage
    O.RawLayout = O.SmemLayout;
    O.RawSwizzle = O.Swizzle;
    return;
  }
  V.object("raw", [&](MemberVisitor &D) {
    D.text("layout", O.RawLayout);
    D.swizzle("swizzle", O.RawSwizzle);
  });
}

void TransformFeed::printOperand(raw_ostream &OS, const KernelPlan &P,
                                 const OperandPlan &O) const {
  if (O.Numbers > 1)
    OS << formatv("    {0} numbers along k in an element\n", O.Numbers);
  OS << formatv("    raw    {0}, {1} bytes at {2}\n", O.RawLayout, O.StageBytes,
                O.Offset);
  if (O.Computed)
    OS << formatv("    computed as {0}, where parts do not do left as {1}\n",
                  name(O.FactorType), O.ComputedLayout);
  OS << formatv("    parts  {0}, {1} an element",
                throughRegisters(P, O) ? "in registers" : O.SmemLayout,
                O.Parts);
  if (O.Parts == 2)
    OS << formatv(", low ones {0} bytes behind", O.LowPartBytes);
  OS << formatv(", from 2^{0}\n", O.LeastExponent);
}

void TransformFeed::print(raw_ostream &OS, const KernelPlan &P) const {
  const SplitPlan &S = P.Split;
  OS << formatv("  transform: {0} warpgroup{1}, {2} registers; scales {3} x "
                "{4} bytes at {5}, flags {3} x {6} bytes at {7}{8}\n",
                S.Warpgroups, S.Warpgroups == 1 ? "" : "s", S.Registers,
                P.Stages, S.ScaleStageBytes, S.ScaleOffset, S.FlagStageBytes,
                S.FlagOffset, ordersK() ? "; k in slots " + S.KSlots : "");
  OS << "  products: " << describeProducts(P) << '\n';
}

//===----------------------------------------------------------------------===//
// The runtime
//===----------------------------------------------------------------------===//

void TransformFeed::decide(const KernelPlan &P, rt::choice &C) const {
  C.transform_groups = int(P.Split.Warpgroups);
  C.rows_in_registers = throughRegisters(P, P.Rows);
}

void TransformFeed::compare(RuntimeComparison &C, const KernelPlan &P,
                            const rt::plan_numbers &N) const {
  const SplitPlan &S = P.Split;
  for (const auto &[Name, O, Of] :
       {std::tuple("rows", &P.Rows, &N.rows), {"cols", &P.Cols, &N.cols}}) {
    C.number(Twine(Name) + ".low_bytes", O->LowPartBytes, Of->low_bytes);
    C.number(Twine(Name) + ".least_exponent", O->LeastExponent,
             Of->least_exponent);
  }
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
  const bool KAlongRows =
      throughRegisters(P, P.Rows) && P.Rows.Order == Major::K;
  if (Expected<Layout> Slots = readKSlots(P)) {
    for (int64_t K = 0; K < P.InstructionK; ++K)
      C.number("transform.k_slot of " + Twine(K), (*Slots)(K),
               rt::k_slot(unsigned(K), KAlongRows));
  } else {
    consumeError(Slots.takeError());
    C.number("transform.k_slots", 0, P.InstructionK);
  }
}

Error TransformFeed::checkKernel(const KernelPlan &P) const {
  if (P.rowBlocks() < 1 || P.rowBlocks() > mostRowBlocks() ||
      P.consumersOfTile() != P.ConsumerWarpgroups || P.Split.Window < 1 ||
      P.Split.Warpgroups < 1 || P.tileRows() % P.Split.BlockRows ||
      P.InstructionN % P.Split.BlockRows)
    return layoutError("no kernel splits its operands");
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (O->Parts != 1 && O->Parts != 2)
      return layoutError("an operand of " + Twine(O->Parts) + " parts");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

FeedWords TransformFeed::words(const KernelPlan &P, StringRef,
                               StringRef) const {
  const SplitPlan &S = P.Split;
  FeedWords W;
  W.Loads = "There the transform reads them and writes fp16 parts in their "
            "place, which are what wgmma reads (picture 4).";
  W.Operands = "wgmma finds its operands through 64-bit descriptors, with "
               "neither loads nor registers.";
  W.Pieces = " What lies there are the fp16 parts that the transform has made "
             "of the elements.";
  W.Accumulators =
      formatv(" After every {0} of k each is added to a sum of the "
              "same place, in a register of its own.",
              S.Window * P.TileK);
  W.Tile =
      formatv(" The next {0} fp16 parts in the operands' place, {1} "
              "products of which stand for one.",
              S.Warpgroups == 1 ? "one puts" : "two put", productsOfOne(P));
  W.Memory = "the transform rewrites them as fp16 parts, ";
  W.ExtraName = "scales and flags";
  W.ExtraOffset = S.ScaleOffset;
  W.ExtraTable =
      formatv("The ready barriers follow from byte {0} on, 8 bytes each. "
              "Scales: {1} bytes a stage from {2} on, one for each row of both "
              "operands. Flags: {3} bytes a stage from {4} on, one for each "
              "block of {5} rows.",
              P.BarrierOffset + 2 * P.Stages * 8, S.ScaleStageBytes,
              S.ScaleOffset, S.FlagStageBytes, S.FlagOffset, S.BlockRows);
  W.AfterFull = "the transform may rewrite";
  W.AfterReady = formatv(
      "ready: a consumer may read the stage after {0} arrivals: one for "
      "each thread of the transform, which has rewritten its {1} and "
      "written their scales.",
      S.ReadyArrivals, rewritten());
  W.WhoReleases = "thread";
  W.Release =
      formatv("Consumers release the stages of a window, {0} of them, "
              "together, when its products are added to the sums; "
              "meanwhile {1} more can be full, rewritten or on the way.",
              S.Window, P.Stages - S.Window);
  return W;
}

StageReads TransformFeed::stageReads(const KernelPlan &P,
                                     const OperandPlan &O) const {
  StageReads Reads;
  Reads.Words =
      "the first chunk of 8 rows, which 8 lanes of the transform read "
      "together";
  if (O.Order != Major::K) { // a line at a time
    Reads.Outer = 1;
    Reads.Inner = INT64_MAX;
    Reads.NeedsSwizzle = false;
    Reads.Words = "what a warp of the transform reads at once, one element a "
                  "lane";
  }
  if (byteSize(O.Type) == 2)
    Reads.StageNote = formatv(" A box fills the first half of the {0} bytes "
                              "that its block of {1} rows has when it is split "
                              "into parts.",
                              P.Split.BlockBytes, P.Split.BlockRows);
  return Reads;
}

std::vector<StageMoment> TransformFeed::moments(const KernelPlan &P) const {
  const int64_t Window = readStages(P);
  std::vector<StageMoment> Result(
      P.Stages, {StageMoment::Underway, "asked for, on the way"});
  std::fill_n(Result.begin(), Window,
              StageMoment{StageMoment::Multiplied,
                          Window > 1 ? "a window, being multiplied"
                                     : "being multiplied"});
  if (P.Stages > Window)
    Result[Window] = {StageMoment::Rewritten, "being rewritten as parts"};
  if (P.Stages > Window + 1)
    Result[Window + 1] = {StageMoment::Full, "next: its bytes have come"};
  return Result;
}

std::string TransformFeed::readNote(const KernelPlan &, const OperandPlan &O,
                                    StringRef) const {
  if (O.Parts != 2)
    return "";
  return formatv(" The pieces are those of high parts; the low parts of each "
                 "are {0} bytes further on.",
                 O.LowPartBytes);
}

} // namespace warpwright
