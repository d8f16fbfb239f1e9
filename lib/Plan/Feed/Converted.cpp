//===- Converted.cpp - Feed: rows that consumers convert ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One operand has elements of a byte, the other 16-bit floats: weights of
/// fewer bits than the activations. TMA brings both as they are, so that memory
/// and L2 see no more than the bytes that there are. The consumers load the
/// bytes, convert them in registers to numbers of the other operand's type that
/// have the same values (isConverted), and hand wgmma its rows operand there;
/// it reads the columns, the wider elements, from the stage. So the narrow
/// operand is the rows, and operands are exchanged where it is the second one.
///
/// Of integers of four bits two are in a byte, neighbours along k: elements of
/// both operands are pairs then, and k counts pairs (Nibbles.h).
///
//===----------------------------------------------------------------------===//

#include "Converted.h"

#include "../Derive.h"
#include "../Remembered.h"
#include "../RuntimeComparison.h"

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Groups.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// Beside the accumulators a consumer has the converted rows of a stage that is
/// multiplied and of the next one, and what loading and converting takes.
static constexpr int64_t LoopRegisters = 48, EpilogueRegisters = 64;
/// The same where sets of consumers take turns, which have one block of rows
/// and few columns: ptxas spilled nothing with these left.
static constexpr int64_t InterleavedLoopRegisters = 36;
/// The same where they hold the rows of one part at a time.
static constexpr int64_t AloneLoopRegisters = 20;
/// What exchanging the sums between lanes takes, where rows do not lie along k:
/// with 128 accumulators and 240 registers ptxas spilled 92 bytes.
static constexpr int64_t ExchangeRegisters = 40;
/// Of a tile: those of one box of TMA.
static constexpr int64_t MostRows = 256;
/// Of a tile whose blocks of k sets of consumers take in turn, if nothing else
/// is asked for.
static constexpr int64_t MostColumnsInTurn = 64;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

FeedRole::RowsFactor ConvertedFeed::rowsFactor(const Contraction &C, Major,
                                               Major) const {
  return rowsAreB(C) ? RowsFactor::B : RowsFactor::A;
}

bool ConvertedFeed::suits(const Contraction &C, FactorPrecision) const {
  const bool First = isConverted(C.A.Type, C.B.Type);
  const Operand &Narrow = First ? C.A : C.B, &Wide = First ? C.B : C.A;
  return takes(C.A.Type, C.B.Type) && C.sumCount() == 1 && !Wide.Prologue &&
         !C.isPacked() && convertsTo(Narrow, Wide.Type, blockDepth(C)) &&
         (C.hasOneProduct() || !C.hasPrologue());
}

int64_t ConvertedFeed::blockDepth(const Contraction &C) const {
  return spanBytes(SwizzleMode::B128) /
         byteSize(multiplied(C.A.Type, C.B.Type));
}

/// Sets of consumers that take blocks in turn have few columns, and so room for
/// stages of two. The sums of a group of k leave the accumulators behind a
/// stage.
bool ConvertedFeed::takesDepth(const PlanChoice &P,
                               const Contraction &C) const {
  const int64_t Block = blockDepth(C);
  if (P.TileK != 2 * Block || P.Schedule->sets() == 1)
    return P.TileK == Block;
  const auto Factor = groupedFactor(rowsAreB(C) ? C.B : C.A);
  const int64_t Group = P.AskedGroup ? P.AskedGroup
                        : Factor     ? Factor->GroupK
                                     : 0;
  return Group % P.TileK == 0;
}

int64_t ConvertedFeed::usualGroup(const Contraction &C) const {
  const Operand &Narrow = rowsAreB(C) ? C.B : C.A;
  const auto Factor = groupedFactor(Narrow);
  const int64_t Usual = 2 * blockDepth(C);
  return Factor && Factor->GroupK && Factor->GroupK < Usual &&
                 Usual % Factor->GroupK == 0 &&
                 argumentGroup(C, Narrow, Factor->GroupK)
             ? Usual
             : 0;
}

Error ConvertedFeed::checkChoice(const PlanChoice &P,
                                 const Contraction &C) const {
  if (Error E = StraightFeed::checkChoice(P, C))
    return E;
  if (P.SwapAB != rowsAreB(C))
    return layoutError(Twine("the operand that is converted in registers is "
                             "the rows, which takes ") +
                       (P.SwapAB ? "no swap_ab" : "swap_ab"));
  if (P.tileRows() > MostRows)
    return layoutError("rows that are converted in registers are one box of " +
                       Twine(MostRows) + " at most, not " +
                       Twine(P.tileRows()));
  if (P.AskedGroup && P.AskedGroup != usualGroup(C))
    return layoutError("groups of " + Twine(P.AskedGroup) +
                       " along k, whose size is no argument");
  return Error::success();
}

/// With few columns converting takes longer than multiplying.
void ConvertedFeed::adaptTile(PlanChoice &P) const {
  if (P.tileColumns() > MostColumnsInTurn)
    return;
  P.Schedule = &interleavedSchedule();
  P.ConsumerWarpgroups = P.Schedule->usualConsumers(P);
}

//===----------------------------------------------------------------------===//
// Derivation
//===----------------------------------------------------------------------===//

/// ldmatrix, which turns elements of 16 bits, brings pairs of bytes along the
/// rows where these do not lie along k: lane 4 g + t of a warp gets the rows
/// 2 g and 2 g + 1 of 16, which wgmma takes for g and g + 8.
static Layout slotsOfRows(Major Order) {
  return Order == Major::K ? Layout(16, 1) : Layout({8, 2}, {2, 1});
}

Expected<OperandPlan> ConvertedFeed::deriveOperand(const OperandRequest &R,
                                                   const PlanChoice &Choice,
                                                   const Machine &M) const {
  if (!R.IsRows)
    return StraightFeed::deriveOperand(R, Choice, M);
  OperandPlan P = operandOf(R);
  const unsigned Bits = 8 * byteSize(R.Source.Type);
  P.StoredExtent = R.Extent;
  P.RowSlots = slotsOfRows(R.Order).str();
  if (const auto Factor = groupedFactor(R.Source)) {
    P.ZeroPoints = Factor->Zero != nullptr;
    P.GroupScales = Factor->Scale != nullptr;
    P.GroupK = Choice.AskedGroup ? Choice.AskedGroup : Factor->GroupK;
  }
  Expected<SwizzleMode> Mode =
      widestSwizzle(R.Order == Major::K ? Choice.TileK : R.Extent, Bits);
  if (!Mode)
    return Mode.takeError();
  P.Swizzle = *Mode;
  Expected<SmemLayout> Tile =
      smemTile(R.Order, *Mode, Bits, R.Extent, Choice.TileK);
  if (!Tile)
    return Tile.takeError();
  P.SmemLayout = Tile->str();
  P.StageBytes = Tile->bytes();
  Expected<TmaBoxes> Boxes = rememberedBoxes(*Tile, R.Order, M);
  if (!Boxes)
    return Boxes.takeError();
  const int64_t AtomRows =
      product(smemAtom(R.Order, *Mode, Bits)
                  .Elements.shape()[R.Order == Major::K ? 0 : 1]);
  if (Error E = Choice.Load->divideBox(P, Boxes->Box, AtomRows))
    return E;
  P.BoxCount = Boxes->Count;
  P.BoxStepBytes = Boxes->Bytes;
  if (Boxes->Count > 1)
    std::tie(P.BoxStepRows, P.BoxStepK) = Boxes->Starts[1];
  return P;
}

/// Whoever loads a stage by ordinary instructions gives it back thread by
/// thread.
int64_t ConvertedFeed::deriveMemory(KernelPlan &P, int64_t Offset) const {
  P.EmptyArrivals *= releaseArrivals();
  return Offset;
}

/// Of a thread, for the rows of a part of a stage: in a warpgroup 64 by so many
/// of k as its instructions have, two numbers in each register.
int64_t ConvertedFeed::rowRegisters(const KernelPlan &P, const Machine &M) {
  return P.rowBlocks() * WgmmaAtom::M * rt::converted_steps * P.InstructionK *
         numbersOf(P.Cols.Type) / (M.WarpgroupThreads * 2);
}

/// Parts of a stage, whose rows are converted one after the other.
int64_t ConvertedFeed::partsOf(const KernelPlan &P) {
  return P.TileK / (rt::converted_steps * P.InstructionK);
}

/// The rows of a part are converted when the products of the part before are
/// done.
bool ConvertedFeed::convertsAlone(const KernelPlan &P) {
  return rt::converts_alone(windowOf(P) > 0, int(P.Schedule->sets()),
                            int(P.Accumulators));
}

/// Parts whose rows a thread holds at a time.
int64_t ConvertedFeed::heldParts(const KernelPlan &P) {
  return convertsAlone(P) ? 1 : 2;
}

/// Of a thread, for the zero points and scales of a group, of the next one, and
/// of the one that the thread has looked up for its quad: each 64 rows have two
/// of a thread's.
int64_t ConvertedFeed::factorRegisters(const KernelPlan &P) {
  const int64_t Groups = convertsAlone(P) ? 2 : P.Rows.GroupK ? 3 : 1;
  return P.rowBlocks() * 2 * Groups * (P.Rows.ZeroPoints + P.Rows.GroupScales);
}

Error ConvertedFeed::deriveRegisters(KernelPlan &P, const Machine &M) const {
  if (Error E = StraightFeed::deriveRegisters(P, M))
    return E;
  const int64_t Sums = P.rowBlocks() * P.Accumulators;
  const bool InTurn = P.Schedule->sets() > 1;
  const int64_t Others = convertsAlone(P) ? AloneLoopRegisters
                         : InTurn         ? InterleavedLoopRegisters
                                          : LoopRegisters;
  const int64_t Loop = (P.Rows.GroupK ? Sums : 0) +
                       heldParts(P) * rowRegisters(P, M) + factorRegisters(P) +
                       Others;
  // Where there are few sums, or those of a group as well, exchanging them
  // takes what the loop has left.
  const int64_t Exchange = P.Rows.Order == Major::K || InTurn || P.Rows.GroupK
                               ? 0
                               : ExchangeRegisters;
  return checkRowsInRegisters(P, std::max(Loop + Exchange, EpilogueRegisters),
                              M);
}

std::string ConvertedFeed::describeProducts(const KernelPlan &P) const {
  const char *const Before =
      P.Rows.ZeroPoints ? ", without zero points" : ", all values as they are";
  const std::string After =
      P.Rows.GroupK
          ? formatv("; sums of {0} of k{1} are {2}added to others",
                    P.Rows.GroupK,
                    P.AskedGroup ? ", where groups are multiples of that," : "",
                    P.Rows.GroupScales ? "multiplied by scales and " : "")
                .str()
          : "";
  return formatv("{0} ({1}) is converted to {2} in registers{3}{4}",
                 P.Rows.IsA ? "A" : "B", name(P.Rows.Type), name(P.Cols.Type),
                 Before, After);
}

//===----------------------------------------------------------------------===//
// Protocol
//===----------------------------------------------------------------------===//

void ConvertedFeed::scope(const KernelPlan &P, ProtocolScope &Scope) const {
  if (const int64_t Window = windowOf(P))
    Scope.Trips = {Window, Window + 1};
}

/// Products of a part of a stage are waited for before the next ones are
/// issued.
bool ConvertedFeed::waitsForEach(const KernelPlan &P) {
  return rt::waits_for_each(windowOf(P) > 0, int(P.Schedule->sets()),
                            int(partsOf(P)), int(P.Accumulators));
}

/// Two sets of registers take turns: the rows of a part of a stage are
/// converted while wgmma multiplies the part before; or there is one, and they
/// are converted after that. Sets of consumers take every second block, the
/// second one none where there is one block alone.
void ConvertedFeed::multiply(ProtocolBuilder &B, int64_t FirstBlock,
                             int64_t Blocks) const {
  const int64_t End = FirstBlock + Blocks;
  const int64_t Window = windowOf(B.P), Parts = partsOf(B.P);
  const bool EachWaits = waitsForEach(B.P), Alone = convertsAlone(B.P);
  const int64_t Mine = FirstBlock + B.Set, Step = B.Sets;
  auto RegistersOf = [&](int64_t Block, int64_t Part) {
    return int32_t(((Block - Mine) / Step * Parts + Part) % heldParts(B.P));
  };
  auto Convert = [&](int64_t Block, int64_t Part) {
    B.touch(ProtocolOp::Round, Site::ConvertRows, B.stageOf(Block), Block)
        .Fragments = RegistersOf(Block, Part);
  };
  auto Begin = [&](int64_t Block) {
    B.wait(Site::WaitFull, B.full(B.CTA, Block), int32_t(Block / B.Stages));
    if (!Alone)
      Convert(Block, 0);
  };
  if (Mine < End)
    Begin(Mine);
  if (!Window)
    B.add(ProtocolOp::Clear, Site::ClearSums);
  for (int64_t Block = Mine; Block < End; Block += Step) {
    const int64_t Next = Block + Step;
    for (int64_t Part = 0; Part < Parts; ++Part) {
      if (Alone)
        Convert(Block, Part);
      B.add(ProtocolOp::FenceReads, Site::FenceOperands);
      B.touch(ProtocolOp::Read, Site::Multiply, B.stageOf(Block), Block)
          .Fragments = RegistersOf(Block, Part);
      if (!EachWaits) {
        B.add(ProtocolOp::WaitReads, Site::WaitProducts).Count = 1;
        if (Part == 0 && Block > Mine)
          B.release(Site::Release, Block - Step);
      }
      if (Part + 1 == Parts && Next < End)
        Begin(Next);
      else if (Part + 1 < Parts && !Alone)
        Convert(Block, Part + 1);
      if (EachWaits)
        B.add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
    }
    if (EachWaits)
      B.release(Site::ReleaseLast, Block);
    if (Window && (Next >= End || (Next - FirstBlock) / Window !=
                                      (Block - FirstBlock) / Window))
      B.add(ProtocolOp::UseResults, Site::Promote);
  }
  if (EachWaits)
    return;
  B.add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
  if (Mine < End)
    B.release(Site::ReleaseLast, Mine + (End - 1 - Mine) / Step * Step);
}

//===----------------------------------------------------------------------===//
// JSON and text
//===----------------------------------------------------------------------===//

void ConvertedFeed::members(MemberVisitor &V, const KernelPlan &P,
                            OperandPlan &O) const {
  if (!throughRegisters(P, O))
    return visitDescriptor(V, O);
  V.fact("converted", name(P.Cols.Type));
  V.text("row_slots", O.RowSlots);
  if (O.ZeroPoints)
    V.fact("zero_points", true);
  if (O.GroupScales)
    V.fact("scales", true);
  if (O.GroupK)
    V.fact("group_k", O.GroupK);
}

void ConvertedFeed::printOperand(raw_ostream &OS, const KernelPlan &P,
                                 const OperandPlan &O) const {
  StraightFeed::printOperand(OS, P, O);
  if (throughRegisters(P, O))
    OS << formatv("    as     {0} in registers, rows in slots {1}\n",
                  name(P.Cols.Type), O.RowSlots);
}

//===----------------------------------------------------------------------===//
// The runtime
//===----------------------------------------------------------------------===//

void ConvertedFeed::compare(RuntimeComparison &C, const KernelPlan &P,
                            const rt::plan_numbers &) const {
  const rt::choice Choice = runtimeChoice(P);
  C.number("converts", 1, Choice.converts());
  Expected<Layout> Slots = readRowSlots(P);
  if (!Slots) {
    consumeError(Slots.takeError());
    return C.number("row_slots", 0, 16);
  }
  for (int64_t Slot = 0; Slot < Slots->size(); ++Slot)
    C.number("row of slot " + Twine(Slot), (*Slots)(Slot),
             rt::row_of_slot(int(Slot), P.Rows.Order == Major::K));
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

FeedWords ConvertedFeed::words(const KernelPlan &P, StringRef Rows,
                               StringRef Cols) const {
  FeedWords W = StraightFeed::words(P, Rows, Cols);
  W.Loads = formatv("On the way it permutes 16-byte chunks, so that there are "
                    "no bank conflicts. The consumers load the bytes of {0} "
                    "and convert them to {1} in registers; wgmma reads {2} "
                    "(picture 4).",
                    Rows, name(P.Cols.Type), Cols);
  W.Operands = "wgmma finds its columns operand through 64-bit descriptors, "
               "with neither loads nor registers, and its rows operand in "
               "registers.";
  W.WhoReleases = "thread";
  const std::string Others =
      P.Stages > 2
          ? formatv("{0} more can be full or on the way", P.Stages - 2).str()
          : "";
  if (convertsAlone(P))
    W.Release = formatv("Consumers release a stage when its products are "
                        "done{0}{1}.",
                        Others.empty() ? "" : "; meanwhile ", Others);
  else if (waitsForEach(P))
    W.Release = formatv("Consumers release a stage when its products are done; "
                        "meanwhile they have converted the rows of the next "
                        "one{0}{1}.",
                        Others.empty() ? "" : ", and ", Others);
  else
    W.Release = formatv("Consumers release a stage one round late, so that one "
                        "group of wgmma is always in flight, and then convert "
                        "the rows of the next one{0}{1}.",
                        Others.empty() ? "" : "; meanwhile ", Others);
  return W;
}

StageReads ConvertedFeed::stageReads(const KernelPlan &P,
                                     const OperandPlan &O) const {
  if (!throughRegisters(P, O))
    return StraightFeed::stageReads(P, O);
  StageReads Reads;
  Reads.Words = O.Order != Major::K
                    ? "a matrix of ldmatrix, 8 k of 16 rows that a warp of a "
                      "consumer loads together"
                : !isNibbles(O.Type)
                    ? "what a warp of a consumer loads together, 8 rows of 8 "
                      "k, two elements a lane"
                    : "what a warp of a consumer loads together, 8 rows of 16 "
                      "bytes, of which a lane takes every fourth";
  return Reads;
}

std::string ConvertedFeed::readNote(const KernelPlan &P, const OperandPlan &O,
                                    StringRef Array) const {
  if (!throughRegisters(P, O))
    return "";
  const bool Turned = O.Order != Major::K;
  const char *const Rows =
      Turned ? "16 w + 2 g and the next one" : "16 w + g and 8 below";
  const char *const Exchange =
      Turned ? "wgmma takes them for rows 16 w + g and 8 below; behind the "
               "last product of a tile the lanes exchange their sums. "
             : "";
  const char *const Ahead =
      convertsAlone(P)
          ? ""
          : "A second set takes the next stage while wgmma reads this one. ";
  if (isNibbles(O.Type))
    return formatv(
        "The consumers load the bytes of {0} from the stage and convert them "
        "to {1} in registers, of which each thread has {2} for a stage, two "
        "numbers in each: of each piece lane 4 g + t of warp w holds rows {3}, "
        "and of k byte t of 8 and that 4 further. {4}{5}Nothing is written "
        "back.",
        Array, elementType(P.Cols.Type)->Words,
        P.rowBlocks() * (P.TileK / P.InstructionK) * 4, Rows, Exchange, Ahead);
  return formatv(
      "The consumers load the bytes of {0} from the stage and convert them to "
      "{1} in registers, of which each thread has {2} for a stage: of each "
      "piece lane 4 g + t of warp w holds rows {3}, and of k 2 t, the next "
      "one, and those 8 further. {4}{5}Nothing is written back.",
      Array, name(P.Cols.Type), P.rowBlocks() * (P.TileK / P.InstructionK) * 4,
      Rows, Exchange, Ahead);
}

std::vector<StageMoment> ConvertedFeed::moments(const KernelPlan &P) const {
  std::vector<StageMoment> Result(
      P.Stages, {StageMoment::Underway, "asked for, on the way"});
  Result.front() = {StageMoment::Multiplied, "being multiplied"};
  Result[1] = {StageMoment::Full, convertsAlone(P)
                                      ? "next: its bytes have come"
                                      : "next: its rows are being converted"};
  return Result;
}

const FeedRole &convertedFeed() {
  static const ConvertedFeed Choice;
  return Choice;
}

} // namespace warpwright
