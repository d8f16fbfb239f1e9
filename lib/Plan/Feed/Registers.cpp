//===- Registers.cpp - Feed: rows that consumers round --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The consumers read the raw rows of a stage, by ldmatrix where they lie along
// k and with ordinary loads where they do not, round them in registers, and
// hand wgmma its rows operand there (PTX ISA, "Register Fragments and Shared
// Memory Matrix Layouts"), k in the slots SplitPlan::KSlots. Nothing is written
// back: the transform leaves these rows alone, there is no descriptor of them
// (OperandPlan::LeadingBytes and the like are 0), and SmemLayout is RawLayout.
//
//===----------------------------------------------------------------------===//

#include "Registers.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/rt/cost.cuh"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// Consumers that round their rows have no sums in registers, but for each
/// block of 64 rows the parts of a stage that is multiplied and of the next
/// one, and besides what rounding takes. For that the transform, which has one
/// part of each element, gives more of its registers up. Fewer for any of the
/// three and ptxas spills.
static constexpr int64_t FragmentRegisters = 2 * 8, RoundingRegisters = 40;
static constexpr int64_t LeastTransformRegisters = 72;
static constexpr int64_t ProducerRegisters = 40;
/// Registers of a thread that hold the rows of one wgmma: 64 by 16 fp16 numbers
/// in a warpgroup.
static constexpr int64_t RowsOperandRegisters = 4;

/// The sums are promoted when a scale changes, not after a fixed number of
/// stages. This is only the most stages between two promotions, for which the
/// exponents have to leave room.
static constexpr int64_t LongWindow = 256;

/// How many tiles of 256 rows a band has. The tiles that run at the same time
/// then cover about as many rows as columns, which reads the fewest bytes from
/// memory: 3 % faster than bands of 16.
static constexpr int64_t TallRasterGroup = 8;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

bool RegistersFeed::suits(const Contraction &C,
                          FactorPrecision Precision) const {
  return C.sumCount() == 1 && !C.hasPrologue() && !C.isPacked() &&
         C.AccType != ScalarType::F64 && Precision == FactorPrecision::TF32 &&
         C.A.Type == ScalarType::F32 && C.B.Type == ScalarType::F32;
}

Error RegistersFeed::checkChoice(const PlanChoice &P,
                                 const Contraction &C) const {
  if (P.Precision != FactorPrecision::TF32 || C.A.Type != ScalarType::F32 ||
      C.B.Type != ScalarType::F32)
    return layoutError("rows are rounded in registers where both operands are "
                       "float and rounded as for TF32");
  if (C.hasPrologue())
    return layoutError("rows are not rounded in registers where a factor is "
                       "computed from its element");
  // With 256 rows, the producer and the epilogue that several sums take spill.
  if (C.sumCount() > 1)
    return layoutError("rows are not rounded in registers beside several sums");
  return TransformFeed::checkChoice(P, C);
}

Error RegistersFeed::checkTile(const PlanChoice &P) const {
  if (P.ConsumerWarpgroups != MaxSplitConsumers)
    return layoutError("rows are rounded in registers by " +
                       Twine(MaxSplitConsumers) + " consumer warpgroups, not " +
                       Twine(P.ConsumerWarpgroups));
  const int64_t Least = WgmmaAtom::M * P.ConsumerWarpgroups;
  if (P.tileRows() % Least || P.tileRows() / Least > mostRowBlocks())
    return layoutError(Twine(P.ConsumerWarpgroups) +
                       " consumer warpgroups that round rows in registers "
                       "multiply " +
                       Twine(Least) + " or " + Twine(mostRowBlocks() * Least) +
                       " of them, not " + Twine(P.tileRows()));
  return Error::success();
}

/// Two CTAs of a cluster share the rows operand, the larger one of a tall tile.
/// That was as fast as single CTAs while the card was cool, and at least 5 %
/// faster when it was hot. Where the operands are
/// exchanged, CTAs stay single: an epilogue that loads an array would spill.
void RegistersFeed::adapt(PlanChoice &P) const {
  if (P.tileRows() <= 128)
    return;
  P.RasterGroup = TallRasterGroup;
  P.ClusterN = P.SwapAB ? 1 : 2;
}

//===----------------------------------------------------------------------===//
// Derivation
//===----------------------------------------------------------------------===//

int64_t RegistersFeed::windowOf(const PlanChoice &) const { return LongWindow; }

/// The slots of k (SplitPlan::KSlots) that rows in registers have. ldmatrix
/// moves rows of 16 bytes, here 4 floats along k, and lane t of a quad gets
/// float t of each: k = t, 4 + t, 8 + t, 12 + t of 16. To wgmma it gives the
/// slots 2 t, 2 t + 1, 2 t + 8, 2 t + 9. Rows that do not lie along k are
/// loaded element by element, in whatever order.
Layout RegistersFeed::slotsOf(const OperandPlan &Rows) const {
  return Rows.Order == Major::K ? Layout({4, 2, 2}, {2, 1, 8})
                                : Layout(WgmmaAtom::depth(partBits()), 1);
}

Expected<OperandPlan> RegistersFeed::deriveOperand(const OperandRequest &R,
                                                   const PlanChoice &Choice,
                                                   const Machine &M) const {
  if (!R.IsRows)
    return deriveParts(R, Choice, M);
  Expected<OperandPlan> P = deriveRaw(R, Choice, /*ReadByLanes=*/true, M);
  if (!P)
    return P.takeError();
  // Nothing else is written, and no descriptor reads it.
  P->SmemLayout = P->RawLayout;
  P->Swizzle = P->RawSwizzle;
  return P;
}

Error RegistersFeed::deriveRegisters(KernelPlan &P, const Machine &M) const {
  const int64_t Sums = P.rowBlocks() * P.Accumulators;
  const int64_t Needed =
      Sums + std::max(P.rowBlocks() * FragmentRegisters + RoundingRegisters,
                      EpilogueRegisters);
  divideRegisters(P, {ProducerRegisters, Needed, LeastTransformRegisters}, M);
  if (Needed > P.ConsumerRegisters)
    return layoutError(
        Twine(Sums) + " accumulators a thread, and its rows, need " +
        Twine(Needed) + " registers; it has " + Twine(P.ConsumerRegisters));
  return checkInstruction(P, RowsOperandRegisters, M);
}

std::string RegistersFeed::promotion(const KernelPlan &P) const {
  return formatv("when a scale changes, after {0} of k at the latest",
                 P.Split.Window * P.TileK);
}

const char *RegistersFeed::bound(const KernelPlan &P) const {
  const rt::choice Choice = runtimeChoice(P);
  const rt::split_bounds B = rt::bounds_of_split(Choice, rt::derive(Choice));
  return B.consumers > B.transform ? "rounding" : "transform";
}

Error RegistersFeed::checkKernel(const KernelPlan &P) const {
  if (Error E = TransformFeed::checkKernel(P))
    return E;
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (O->Parts != 1 || O->Type != ScalarType::F32)
      return layoutError("no kernel has such an operand in registers");
  if (errorToBool(readKSlots(P).takeError()))
    return layoutError("its slots along k are those of no instruction");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Protocol
//===----------------------------------------------------------------------===//

void RegistersFeed::addStages(ProtocolBuilder &B) const {
  B.addBuffers(ProtocolBuffer::Stage, "the columns of stage {0} of CTA {1}",
               filledBytes(B.P.Cols), B.FeedWarps);
}

/// Rows that go through registers are buffers of their own, behind the scales:
/// nobody rewrites them.
void RegistersFeed::addBuffers(ProtocolBuilder &B) const {
  TransformFeed::addBuffers(B);
  B.addBuffers(ProtocolBuffer::Stage, "the rows of stage {0} of CTA {1}",
               filledBytes(B.P.Rows), 0);
}

int32_t RegistersFeed::rowsBuffer(const ProtocolBuilder &B, int32_t CTA,
                                  int32_t Stage) const {
  return B.feedBuffers() + B.CTAs * B.Stages + B.perStage(CTA, Stage);
}

/// Sums stay in the accumulators until a scale changes. A change of scales, or
/// a raw block, only adds reads between the operations that every block has. So
/// one run in which all blocks have these reads stands for the runs in which
/// some blocks do. The scales of a tile's first block are chosen in any case.
void RegistersFeed::multiply(ProtocolBuilder &B, int64_t FirstBlock,
                             int64_t Blocks) const {
  const int64_t Last = FirstBlock + Blocks - 1;
  auto RowsOf = [&](int64_t Block) {
    return rowsBuffer(B, B.CTA, int32_t(Block % B.Stages));
  };
  auto Promote = [&](int64_t Block) {
    B.touch(ProtocolOp::Load, Site::ReadScales, scalesOf(B, Block), Block);
    B.add(ProtocolOp::UseResults, Site::Promote);
  };
  auto ReadFlags = [&](int64_t Block) {
    B.touch(ProtocolOp::Load, Site::ReadFlags, scalesOf(B, Block), Block);
  };
  // Two sets of registers take turns: a block's rows are rounded while wgmma
  // multiplies those before.
  auto SetOf = [&](int64_t Block) { return int32_t((Block - FirstBlock) % 2); };
  auto RoundRows = [&](int64_t Block) {
    B.touch(ProtocolOp::Round, Site::RoundRows, RowsOf(Block), Block)
        .Fragments = SetOf(Block);
  };
  B.add(ProtocolOp::Clear, Site::ClearSums);
  waitReady(B, FirstBlock);
  for (int64_t Block = FirstBlock; Block <= Last; ++Block) {
    const int32_t Rows = RowsOf(Block);
    if (B.Run.RawBlocks || Block == FirstBlock) {
      ReadFlags(Block);
      B.touch(ProtocolOp::Load, Site::LookAtRows, Rows, Block);
      if (Block > FirstBlock)
        Promote(Block - 1);
      if (B.Run.RawBlocks) {
        B.touch(ProtocolOp::Load, Site::ReadRawScales, scalesOf(B, Block),
                Block);
        B.touch(ProtocolOp::Load, Site::MultiplyRaw, Rows, Block);
        B.touch(ProtocolOp::Load, Site::MultiplyRaw, B.stageOf(Block), Block);
      }
      RoundRows(Block);
    }
    B.add(ProtocolOp::FenceReads, Site::FenceOperands);
    B.touch(ProtocolOp::Read, Site::Multiply, B.stageOf(Block), Block)
        .Fragments = SetOf(Block);
    // The stage before is given back only now: what had been summed up was
    // promoted with its scales.
    if (Block > FirstBlock)
      B.release(Site::Release, Block - 1);
    if (Block < Last) {
      waitReady(B, Block + 1);
      ReadFlags(Block + 1);
      RoundRows(Block + 1);
    }
    B.add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
    if (B.Run.RawBlocks) {
      B.add(ProtocolOp::Clear, Site::ClearSums);
      B.add(ProtocolOp::FenceReads, Site::FenceOperands);
    }
  }
  Promote(Last);
  B.release(Site::ReleaseLast, Last);
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

FeedWords RegistersFeed::words(const KernelPlan &P, StringRef Rows,
                               StringRef Cols) const {
  FeedWords W = TransformFeed::words(P, Rows, Cols);
  W.Loads = "There the transform reads the columns operand and writes fp16 "
            "parts in its place, which are what wgmma reads; the consumers "
            "load the rows operand and round it in registers (picture 4).";
  W.Operands = "wgmma finds its columns operand through 64-bit descriptors, "
               "and the rows operand in registers.";
  W.Pieces = " What lies there of the columns are the fp16 parts that the "
             "transform has made of the elements.";
  W.Accumulators = formatv(
      " When a scale changes, and after {0} of k at the latest, each is "
      "added to a sum of the same place in local memory.",
      P.Split.Window * P.TileK);
  W.Tile =
      formatv(" The next {0} fp16 parts in the place of {1}; the consumers "
              "round {2} in registers.",
              P.Split.Warpgroups == 1 ? "one puts" : "two put", Cols, Rows);
  W.Memory = "the transform rewrites their columns as fp16 parts, ";
  W.ExtraTable += formatv(" Those of {0} are not used.", Rows);
  W.AfterFull = "the transform may rewrite the columns of";
  W.Release = formatv("Consumers release a stage when they multiply the next: "
                      "if scales change there, what has been summed up wants "
                      "those of this one. Meanwhile {0} more can be full, "
                      "rewritten or on the way.",
                      P.Stages - 2);
  return W;
}

StageReads RegistersFeed::stageReads(const KernelPlan &P,
                                     const OperandPlan &O) const {
  if (!throughRegisters(P, O))
    return TransformFeed::stageReads(P, O);
  StageReads Reads;
  if (O.Order == Major::K) {
    Reads.Words =
        "a matrix of ldmatrix, 8 rows that a warp of a consumer loads "
        "together, an element a lane";
    return Reads;
  }
  Reads.Step = 2;
  Reads.Inner = 8;
  Reads.Words = "what a warp of a consumer loads together, 8 rows of 4 k, one "
                "element a lane";
  return Reads;
}

std::string RegistersFeed::readNote(const KernelPlan &P, const OperandPlan &O,
                                    StringRef Array) const {
  const bool Reorders = reordersK(P);
  if (!throughRegisters(P, O))
    return Reorders ? " Each k is in the slot that it has in the rows." : "";
  return formatv(
      "The consumers load {0} from the stage as floats and round it to fp16 in "
      "registers, of which each thread has {1} for a stage: of each piece lane "
      "4 g + t of warp w holds rows 16 w + g and 8 below, and of {2} 2 t, the "
      "next one, and those 8 further. {3}A second set takes the next stage "
      "while wgmma reads this one. Nothing is written back.",
      Array, P.rowBlocks() * (P.TileK / P.InstructionK) * 4,
      Reorders ? "the 16 slots along k" : "k",
      Reorders ? "As ldmatrix brings it, k is in slot " + P.Split.KSlots + ". "
               : "");
}

const FeedRole &registersFeed() {
  static const RegistersFeed Choice;
  return Choice;
}

} // namespace warpwright
