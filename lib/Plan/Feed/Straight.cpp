//===- Straight.cpp - Feed: wgmma reads stages as they are ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Straight.h"

#include "../Derive.h"
#include "../Remembered.h"
#include "../Validation.h"

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// Rows along k fill the widest swizzle's line, so that one box has them all.
int64_t StraightFeed::blockDepth(const Contraction &C) const {
  return spanBytes(SwizzleMode::B128) / byteSize(C.A.Type);
}

Error StraightFeed::checkChoice(const PlanChoice &P,
                                const Contraction &C) const {
  if (!suits(C, P.Precision))
    return layoutError(refusal());
  if (P.TransformWarpgroups)
    return layoutError("operands that TMA brings as wgmma multiplies them have "
                       "no transform");
  if (!takesDepth(P, C))
    return layoutError("the kernel takes k in blocks of " +
                       Twine(blockDepth(C)) + ", not " + Twine(P.TileK));
  if (const int64_t Blocks = depthOfScaledBlocks(C);
      Blocks && (!P.Multiply->scales() || Blocks % P.TileK != 0))
    return layoutError("scales of blocks are factors of the sums of a block, "
                       "which are those of all of k here");
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

Expected<OperandPlan> StraightFeed::deriveOperand(const OperandRequest &R,
                                                  const PlanChoice &Choice,
                                                  const Machine &M) const {
  OperandPlan P = operandOf(R);
  unsigned Bits = 8 * byteSize(R.Source.Type);
  if (std::optional<BlockScale> Scale =
          blockScale(R.Source, R.IsA ? "m" : "n", Choice.TileK)) {
    P.Scaled = true;
    P.ScaledAlike = Scale->isSameInTile(R.Extent);
  }
  P.Shifted = elementShift(R.Source).has_value();

  // The widest swizzle: along k it divides the block; along the rows the tile
  // is rounded up to whole blocks, and TMA fills the rest as well.
  int64_t Span = spanBytes(SwizzleMode::B128) * 8 / Bits;
  P.StoredExtent = R.Order == Major::MN ? alignTo(R.Extent, Span) : R.Extent;
  Expected<SwizzleMode> Mode =
      widestSwizzle(R.Order == Major::K ? Choice.TileK : P.StoredExtent, Bits);
  if (!Mode)
    return Mode.takeError();
  P.Swizzle = *Mode;
  Expected<SmemLayout> Tile =
      smemTile(R.Order, *Mode, Bits, P.StoredExtent, Choice.TileK);
  if (!Tile)
    return Tile.takeError();
  P.SmemLayout = Tile->str();
  P.StageBytes = Tile->bytes();

  Expected<TmaBoxes> Boxes = rememberedBoxes(*Tile, R.Order, M);
  if (!Boxes)
    return Boxes.takeError();
  if (Error E = divideBoxes(*Boxes, R.Order, P))
    return E;
  // Each share is a slice of every box across its rows, whole atoms high, so
  // that it is one piece of memory in its own right.
  int64_t AtomRows =
      product(smemAtom(R.Order, *Mode, Bits)
                  .Elements.shape()[R.Order == Major::K ? 0 : 1]);
  if (Error E = Choice.Load->divideBox(P, Boxes->Box, AtomRows))
    return E;
  P.BoxCount = Boxes->Count;
  P.BoxStepBytes = Boxes->Bytes;
  if (Boxes->Count > 1)
    std::tie(P.BoxStepRows, P.BoxStepK) = Boxes->Starts[1];

  if (Error E = deriveReads(P, *Tile, R, Boxes->Bytes))
    return E;
  return P;
}

/// WGMMA reads the rows that belong to the tile.
Error StraightFeed::deriveReads(OperandPlan &P, const SmemLayout &Tile,
                                const OperandRequest &R,
                                int64_t BoxBytes) const {
  if (Error E = deriveAccess(P, Tile, R.Order, R.RowsPerInstruction))
    return E;
  // An instruction inside one block of rows ignores the distance of blocks;
  // the tile has one all the same.
  const int64_t Span = spanBytes(SwizzleMode::B128) * 8 / Tile.Bits;
  if (R.Order == Major::MN && R.RowsPerInstruction <= Span)
    P.LeadingBytes = BoxBytes;
  return Error::success();
}

Error StraightFeed::deriveRegisters(KernelPlan &P, const Machine &M) const {
  P.ProducerRegisters = P.Schedule->producerRegisters();
  P.ConsumerRegisters =
      consumerRegisters(M, P.ConsumerWarpgroups, P.ProducerRegisters);
  // One consumer alone has all registers that it needs from the launch on, and
  // takes none from the producer.
  if (P.ConsumerWarpgroups == 1)
    P.ProducerRegisters = P.ConsumerRegisters =
        alignDown(launchRegisters(M, P.Threads), M.SetmaxnregStep);
  return P.Multiply->checkRegisters(P);
}

/// A wgmma needs these beside its accumulators, and these for its rows.
static constexpr int64_t InstructionRegisters = 26, RowsOperandRegisters = 4;

Error StraightFeed::checkRowsInRegisters(const KernelPlan &P, int64_t Others,
                                         const Machine &M) {
  const int64_t Sums = P.rowBlocks() * P.Accumulators;
  if (Sums + Others > P.ConsumerRegisters)
    return layoutError(Twine(Sums) +
                       " accumulators a thread, and its rows, need " +
                       Twine(Sums + Others) + " registers; it has " +
                       Twine(P.ConsumerRegisters));
  const int64_t Each =
      alignDown(launchRegisters(M, P.Threads), M.SetmaxnregStep);
  const int64_t Instruction =
      P.Accumulators + InstructionRegisters + RowsOperandRegisters;
  if (Instruction > Each)
    return layoutError("instructions with " + Twine(P.Accumulators) +
                       " accumulators need " + Twine(Instruction) +
                       " registers; " + Twine(P.Threads) +
                       " threads are launched with " + Twine(Each));
  return Error::success();
}

bool StraightFeed::checkShape(Validator &V) const {
  const KernelPlan &P = V.P;
  if (P.Split.Warpgroups)
    return V.fail(Property::Threads,
                  "warpgroups of a transform, and nothing to transform");
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (!takes(O->Type, O->Type))
      return V.fail(Property::Operands,
                    formatv("elements of {0} bytes, and no transform",
                            byteSize(O->Type)));
  if (!takes(P.Rows.Type, P.Cols.Type))
    return V.fail(Property::Operands, "the operands' types differ");
  if (P.Rows.Parts || P.Cols.Parts)
    return V.fail(Property::Operands, "parts, and no transform to make them");
  return true;
}

bool StraightFeed::checkOperand(Validator &V, const OperandPlan &O,
                                const char *Name) const {
  const KernelPlan &P = V.P;
  const unsigned Bits = 8 * byteSize(O.Type);
  std::optional<SmemLayout> Tile =
      V.readLayout(O.SmemLayout, Bits, O.Swizzle, Property::Layout);
  if (!Tile)
    return false;
  const Shape &S = Tile->Elements.shape();
  if (product(S[0]) != O.StoredExtent || product(S[1]) != P.TileK ||
      O.StoredExtent < O.TileExtent)
    return V.fail(Property::Layout, Twine(Name) + ": " + O.SmemLayout +
                                        " is not " + Twine(O.StoredExtent) +
                                        " by " + Twine(P.TileK));
  TileOffsets Offsets(*Tile);
  if (!Offsets.isBijective())
    return V.fail(Property::Layout,
                  Twine(Name) + ": " + O.SmemLayout + " is not a bijection");
  if (Tile->bytes() != O.StageBytes)
    return V.fail(Property::Layout, Twine(Name) + ": " + Twine(O.StageBytes) +
                                        " bytes for a layout of " +
                                        Twine(Tile->bytes()));
  const StageFill Fill = {Offsets, O.Swizzle, Tile->size(), 0};
  std::string How;
  if (!P.Load->check(V, O, Fill, Name) || !checkReads(V, O, Offsets, Name, How))
    return false;
  V.prove(formatv(
      "{0}: {1} is a bijection, written by {2} TMA box{3} of {4}x{5} ({6} "
      "bytes{7}), {8}",
      Name, O.SmemLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es", O.Box[0],
      O.Box[1], O.BoxBytes,
      O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str() : "", How));
  return true;
}

bool StraightFeed::checkReads(Validator &V, const OperandPlan &O,
                              const TileOffsets &Offsets, const char *Name,
                              std::string &How) const {
  How = formatv("read by wgmma with LBO {0}, SBO {1}, k step {2}",
                O.LeadingBytes, O.StrideBytes, O.KStepBytes);
  return V.checkDescriptor(O, O.Order, 8 * byteSize(O.Type), Offsets, Name);
}

/// The same where each stage is a window, and its sums are promoted while the
/// products of the next one are computed: two sets of accumulators take turns.
static void multiplyBehind(ProtocolBuilder &B, int64_t FirstBlock,
                           int64_t Blocks) {
  const MultiplyRole &Multiply = *B.P.Multiply;
  auto Promote = [&](int64_t Block, int32_t Underway) {
    B.add(ProtocolOp::WaitReads, Underway ? Site::WaitProducts : Site::WaitLast)
        .Count = Underway;
    B.release(Site::ReleaseWindow, Block);
    Multiply.promote(B, Block - FirstBlock);
  };
  for (int64_t I = 0; I < Blocks; ++I) {
    const int64_t Block = FirstBlock + I;
    B.wait(Site::WaitFull, B.full(B.CTA, Block), int32_t(Block / B.Stages));
    Multiply.multiply(B, Block, /*EndsWindow=*/false);
    B.Self->Script.back().Accumulators = int32_t(I % 2);
    if (I > 0)
      Promote(Block - 1, 1);
  }
  if (Blocks > 0)
    Promote(FirstBlock + Blocks - 1, 0);
}

void StraightFeed::multiply(ProtocolBuilder &B, int64_t FirstBlock,
                            int64_t Blocks) const {
  const MultiplyRole &Multiply = *B.P.Multiply;
  const int64_t Window = Multiply.window(B.P);
  if (Multiply.promotesBehind(B.P))
    return multiplyBehind(B, FirstBlock, Blocks);
  const int64_t End = FirstBlock + Blocks;
  int64_t Held = FirstBlock; // the first block that was not given back
  for (int64_t Block = FirstBlock; Block < End; ++Block) {
    B.wait(Site::WaitFull, B.full(B.CTA, Block), int32_t(Block / B.Stages));
    const bool EndsWindow =
        Window && (Block + 1 == End || (Block + 1 - FirstBlock) % Window == 0);
    Multiply.multiply(B, Block, EndsWindow);
    if (!Window && Block > FirstBlock)
      B.release(Site::Release, Block - 1);
    if (!EndsWindow)
      continue;
    for (; Held <= Block; ++Held)
      B.release(Site::ReleaseWindow, Held);
    Multiply.promote(B, 0);
  }
}

void StraightFeed::finishProducts(ProtocolBuilder &B, int64_t LastBlock) const {
  if (B.P.Multiply->window(B.P))
    return;
  B.P.Multiply->finish(B);
  B.release(Site::ReleaseLast, LastBlock);
}

Error StraightFeed::checkKernel(const KernelPlan &P) const {
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (O->Parts)
      return layoutError("an operand of " + Twine(O->Parts) + " parts");
  return Error::success();
}

FeedWords StraightFeed::words(const KernelPlan &P, StringRef, StringRef) const {
  FeedWords W;
  W.Loads = "On the way it permutes 16-byte chunks, so that wgmma can read "
            "without bank conflicts.";
  W.Operands = "wgmma finds its operands through 64-bit descriptors, with "
               "neither loads nor registers.";
  W.AfterFull = "a consumer may read";
  W.WhoReleases = "warp";
  if (P.Multiply->promotesBehind(P))
    W.Release = formatv("Consumers release a stage when its products have left "
                        "the accumulators, while wgmma multiplies the next "
                        "one; meanwhile {0} more can be full or on the way.",
                        P.Stages - 2);
  else if (const int64_t Window = P.Multiply->window(P))
    W.Release = formatv("Consumers release {0} stages together, when their "
                        "products have left the accumulators{1}.",
                        Window,
                        P.Stages > Window
                            ? formatv("; meanwhile {0} more can be full or on "
                                      "the way",
                                      P.Stages - Window)
                                  .str()
                            : "");
  else
    W.Release = formatv(
        "Consumers release a stage one round late, so that one group of wgmma "
        "is "
        "always in flight{0}.",
        P.Stages > 2 ? formatv("; meanwhile {0} more can be full or on the way",
                               P.Stages - 2)
                           .str()
                     : "");
  return W;
}

std::vector<StageMoment> StraightFeed::moments(const KernelPlan &P) const {
  std::vector<StageMoment> Result(
      P.Stages, {StageMoment::Underway, "asked for, on the way"});
  if (P.Multiply->promotesBehind(P)) {
    Result[0] = {StageMoment::Multiplied, "being multiplied"};
    Result[1] = {StageMoment::Full, "next: its bytes have come"};
    Result.back() = {StageMoment::JustMultiplied,
                     "just multiplied, its sums are promoted"};
    return Result;
  }
  if (const int64_t Window = P.Multiply->window(P)) {
    for (int64_t Stage = 0; Stage < Window; ++Stage)
      Result[Stage] = {StageMoment::Multiplied,
                       "multiplied, then released together"};
    if (P.Stages > Window)
      Result[Window] = {StageMoment::Full, "next: its bytes have come"};
    return Result;
  }
  Result.front() = {StageMoment::Multiplied, "being multiplied"};
  if (P.Stages == 2)
    Result.back().Words = "being filled";
  if (P.Stages > 2) {
    Result[1] = {StageMoment::Full, "next: its bytes have come"};
    Result.back() = {StageMoment::JustMultiplied,
                     "just multiplied, not released yet"};
  }
  return Result;
}

const FeedRole &straightFeed() {
  static const StraightFeed Choice("straight");
  return Choice;
}

} // namespace warpwright
