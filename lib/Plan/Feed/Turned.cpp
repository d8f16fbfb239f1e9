//===- Turned.cpp - Feed: rounded rows that consumers load ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// wgmma reads numbers of 32 bits in shared memory along k only, but it takes
/// its rows operand from registers, too, where each lane has to have certain
/// elements, however they lay in memory. So an operand that TMA rounds and that
/// is contiguous along m or n can be the rows: the consumers load it from the
/// stage, element by element. wgmma reads the columns, which lie along k, where
/// TMA has written them. Operands are exchanged where it is the second one that
/// lies across k.
///
//===----------------------------------------------------------------------===//

#include "Rounded.h"

#include "../RuntimeComparison.h"
#include "../Validation.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Plan/RuntimePlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// Beside the accumulators and the rows of two stages a consumer has the
/// addresses of its loads, barriers and descriptors, and elements that lanes
/// are about to put into another order; in the epilogue, what that loads. Where
/// 56 were left, epilogues with a residual and exchanged operands spilled.
static constexpr int64_t LoopRegisters = 72, EpilogueRegisters = 64;

/// What the addresses of a further output take all the while. Two outputs and
/// 128 accumulators spilled four registers.
static constexpr int64_t OutputRegisters = 8;

static constexpr int64_t WarpLanes = 32, WarpRows = 16;

namespace {

class Turned final : public RoundedFeed {
public:
  constexpr Turned() : RoundedFeed("turned") {}

  bool reads(Major A, Major B) const override {
    return (A == Major::K) != (B == Major::K);
  }
  RowsFactor rowsFactor(const Contraction &, Major A, Major) const override {
    return A == Major::K ? RowsFactor::B : RowsFactor::A;
  }
  /// Pairs of CTAs along the rows, which share the columns.
  void adaptTile(PlanChoice &P) const override {
    if (P.TileM * P.TileN >= 128 * 192)
      (P.SwapAB ? P.ClusterN : P.ClusterM) = 2;
  }
  bool takesAcrossK(ScalarType) const override { return true; }
  const char *flag() const override { return "rows_turned"; }

  int64_t deriveMemory(KernelPlan &P, int64_t Offset) const override {
    P.EmptyArrivals *= releaseArrivals();
    return Offset;
  }
  Error deriveRegisters(KernelPlan &P, const Machine &M) const override;

  bool throughRegisters(const KernelPlan &P,
                        const OperandPlan &O) const override {
    return &O == &P.Rows;
  }
  /// Other instructions take their rows from shared memory.
  bool leavesProductsTo(const MultiplyRole &Multiply) const override {
    return FeedRole::leavesProductsTo(Multiply);
  }
  bool changesSums() const override { return false; }
  std::string describeProducts(const KernelPlan &P) const override {
    return RoundedFeed::describeProducts(P) +
           "; it takes the rows from registers, into which the consumers load "
           "them";
  }

  ConsumerClaim claim(const KernelPlan &P, const Machine &M) const override;
  BarrierWords barrierWords(const KernelPlan &) const override {
    return {"", "threads", ""};
  }

  int32_t releaseArrivals() const override { return WarpLanes; }
  void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                int64_t Blocks) const override;
  void finishProducts(ProtocolBuilder &, int64_t) const override {}

  void members(MemberVisitor &V, const KernelPlan &P,
               OperandPlan &O) const override {
    if (throughRegisters(P, O))
      V.fact("in_registers", true);
    else
      visitDescriptor(V, O);
  }
  void printOperand(raw_ostream &OS, const KernelPlan &P,
                    const OperandPlan &O) const override {
    StraightFeed::printOperand(OS, P, O);
    if (throughRegisters(P, O))
      OS << "    as     fragments in registers\n";
  }

  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &N) const override {
    RoundedFeed::compare(C, P, N);
    C.number("turns", 1, runtimeChoice(P).turns());
  }

  FeedWords words(const KernelPlan &P, StringRef Rows,
                  StringRef Cols) const override;
  StageReads stageReads(const KernelPlan &P,
                        const OperandPlan &O) const override;
  std::vector<StageMoment> moments(const KernelPlan &P) const override;
  std::string readNote(const KernelPlan &P, const OperandPlan &O,
                       StringRef Array) const override;

protected:
  Major orderOf(bool IsRows) const override {
    return IsRows ? Major::MN : Major::K;
  }
  const char *otherOrder(bool IsRows) const override {
    return IsRows ? "the consumers load rows that are contiguous across k only"
                  : RoundedFeed::otherOrder(IsRows);
  }
  /// No descriptor reads rows.
  Error deriveReads(OperandPlan &P, const SmemLayout &Tile,
                    const OperandRequest &R, int64_t BoxBytes) const override {
    return R.IsRows ? Error::success()
                    : StraightFeed::deriveReads(P, Tile, R, BoxBytes);
  }
  bool checkReads(Validator &V, const OperandPlan &O,
                  const TileOffsets &Offsets, const char *Which,
                  std::string &How) const override;

private:
  /// Of a thread, for the rows of one stage: 64 by TileK elements in a
  /// warpgroup, one in each register.
  static int64_t rowRegisters(const KernelPlan &P, const Machine &M) {
    return P.rowBlocks() * WgmmaAtom::M * P.TileK / M.WarpgroupThreads;
  }
};

} // namespace

Error Turned::deriveRegisters(KernelPlan &P, const Machine &M) const {
  if (Error E = StraightFeed::deriveRegisters(P, M))
    return E;
  return checkRowsInRegisters(
      P,
      std::max(2 * rowRegisters(P, M) + LoopRegisters, EpilogueRegisters) +
          P.Epilogue.Others * OutputRegisters,
      M);
}

//===----------------------------------------------------------------------===//
// Certificates
//===----------------------------------------------------------------------===//

/// The registers of both sets of rows, which take turns.
ConsumerClaim Turned::claim(const KernelPlan &P, const Machine &M) const {
  const int64_t Each = rowRegisters(P, M);
  return {1, 2 * Each, formatv(" and twice {0} registers of rows", Each).str()};
}

/// The consumers' own loads against the layout: each lane has to find the
/// elements that the instruction expects in its registers. The addresses are
/// those of the runtime, the layouts those of the machine.
bool Turned::checkReads(Validator &V, const OperandPlan &O,
                        const TileOffsets &Offsets, const char *Which,
                        std::string &How) const {
  const KernelPlan &P = V.P;
  if (!throughRegisters(P, O))
    return StraightFeed::checkReads(V, O, Offsets, Which, How);
  if (O.LeadingBytes || O.StrideBytes || O.KStepBytes || O.RowBlockBytes ||
      O.GroupBytes)
    return V.fail(Property::Descriptor,
                  Twine(Which) + ": a descriptor of what the instruction takes "
                                 "from registers");
  const unsigned Size = unsigned(byteSize(O.Type));
  const WgmmaAtom Atom = cantFail(WgmmaAtom::create(P.InstructionN, 8 * Size));
  if (!isBijective(Atom.ARegisters))
    return V.fail(Property::OperandFragment,
                  "the machine's fragment is no bijection");
  if (O.Swizzle != SwizzleMode::B128)
    return V.fail(Property::OperandFragment,
                  formatv("{0}: swizzle {1}, where lanes load from lines in "
                          "that of 128 bytes",
                          Which, name(O.Swizzle)));
  const int64_t Threads = V.M.WarpgroupThreads, Steps = P.TileK / Atom.K;
  const int64_t Registers = Atom.ARegisters.size() / Threads;
  unsigned Wavefronts = 0, Ideal = 0;
  for (int64_t First = 0; First < O.TileExtent; First += WgmmaAtom::M)
    for (int64_t I = 0; I < Threads / WarpLanes * Steps * Registers; ++I) {
      const int64_t Load = I % Registers, Step = I / Registers % Steps,
                    Warp = I / Registers / Steps;
      // A consumer counts its blocks of 64 rows from its first one on.
      const int64_t Wave = First / WgmmaAtom::M % P.rowBlocks();
      const int64_t Row = First - Wave * WgmmaAtom::M + Warp * WarpRows;
      SmallVector<int64_t, 32> Addresses;
      for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
        Addresses.push_back(
            rt::turned_load(rt::turned_lane(unsigned(Lane), unsigned(Row)),
                            unsigned(Load), unsigned(Step), unsigned(Wave)));
        const int64_t Element = Atom.ARegisters(
            Warp * WarpLanes + Lane +
            Threads * rt::turned_register(unsigned(Lane), unsigned(Load)));
        const int64_t Of = First + Element % WgmmaAtom::M,
                      K = Step * Atom.K + Element / WgmmaAtom::M;
        if (Addresses.back() != Offsets(Of, K))
          return V.fail(Property::OperandFragment,
                        formatv("{0}: lane {1} loads byte {2} for row {3}, k "
                                "{4}, which lies at {5}",
                                Which, Lane, Addresses.back(), Of, K,
                                Offsets(Of, K)));
      }
      Wavefronts += countWavefronts(Addresses, Size);
      ++Ideal;
    }
  How = formatv("loaded by lanes, {0} bytes at a time, as {1} fragments {2} of "
                "m64k{3} a thread: {4} wavefronts a stage, {5} without "
                "conflicts",
                Size, P.rowBlocks() * Steps, Atom.ARegisters.str(), Atom.K,
                Wavefronts, Ideal);
  return true;
}

//===----------------------------------------------------------------------===//
// Protocol
//===----------------------------------------------------------------------===//

/// Two sets of registers take turns: when wgmma has read those of the block
/// before, the next block's rows are loaded, while it multiplies this one.
void Turned::multiply(ProtocolBuilder &B, int64_t FirstBlock,
                      int64_t Blocks) const {
  const int64_t End = FirstBlock + Blocks;
  auto SetOf = [&](int64_t Block) { return int32_t((Block - FirstBlock) % 2); };
  auto Load = [&](int64_t Block) {
    B.wait(Site::WaitFull, B.full(B.CTA, Block), int32_t(Block / B.Stages));
    B.touch(ProtocolOp::Round, Site::LoadFragments, B.stageOf(Block), Block)
        .Fragments = SetOf(Block);
  };
  Load(FirstBlock);
  for (int64_t Block = FirstBlock; Block < End; ++Block) {
    B.add(ProtocolOp::FenceReads, Site::FenceOperands);
    B.touch(ProtocolOp::Read, Site::Multiply, B.stageOf(Block), Block)
        .Fragments = SetOf(Block);
    B.add(ProtocolOp::WaitReads, Site::WaitProducts).Count = 1;
    if (Block > FirstBlock)
      B.release(Site::Release, Block - 1);
    if (Block + 1 < End)
      Load(Block + 1);
  }
  B.add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
  B.release(Site::ReleaseLast, End - 1);
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

FeedWords Turned::words(const KernelPlan &P, StringRef Rows,
                        StringRef Cols) const {
  FeedWords W = RoundedFeed::words(P, Rows, Cols);
  W.Loads = "On the way it rounds every element to TF32 and permutes 16-byte "
            "chunks, so that there are no bank conflicts. The consumers load "
            "the rows operand into registers; wgmma reads the columns (picture "
            "4).";
  W.Operands = "wgmma finds its columns operand through 64-bit descriptors, "
               "with neither loads nor registers, and its rows operand in "
               "registers.";
  W.WhoReleases = "thread";
  W.Release = formatv("Consumers release a stage one round late, so that one "
                      "group of wgmma is always in flight, and then load the "
                      "rows of the next one{0}.",
                      P.Stages > 2 ? formatv("; meanwhile {0} more can be full "
                                             "or on the way",
                                             P.Stages - 2)
                                         .str()
                                   : "");
  return W;
}

/// What a warp loads together: one element a lane, of the first load of the
/// first step.
StageReads Turned::stageReads(const KernelPlan &P, const OperandPlan &O) const {
  if (!throughRegisters(P, O))
    return StraightFeed::stageReads(P, O);
  StageReads Reads;
  const WgmmaAtom Atom = cantFail(WgmmaAtom::create(P.InstructionN, 32));
  const int64_t InChunk = 16 / byteSize(O.Type);
  for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
    const int64_t Element = Atom.ARegisters(
        Lane + Atom.Threads.size() * rt::turned_register(unsigned(Lane), 0));
    const std::pair<int64_t, int64_t> Chunk = {
        Element / WgmmaAtom::M, Element % WgmmaAtom::M / InChunk};
    if (!is_contained(Reads.Chunks, Chunk))
      Reads.Chunks.push_back(Chunk);
  }
  Reads.Words = "what a warp of a consumer loads together, 8 rows of 4 k, one "
                "element a lane";
  return Reads;
}

std::string Turned::readNote(const KernelPlan &P, const OperandPlan &O,
                             StringRef Array) const {
  if (!throughRegisters(P, O))
    return "";
  return formatv(
      "The consumers load {0} from the stage into registers, of which each "
      "thread has {1} for a stage: of each piece lane 4 g + t of warp w holds "
      "rows 16 w + g and 8 below, of k = t and t + 4. Lanes of odd t load the "
      "latter first, so that no loads of a warp conflict. A second set takes "
      "the next stage while wgmma reads this one. Nothing is written back.",
      Array, P.rowBlocks() * (P.TileK / P.InstructionK) * 4);
}

std::vector<StageMoment> Turned::moments(const KernelPlan &P) const {
  std::vector<StageMoment> Result(
      P.Stages, {StageMoment::Underway, "asked for, on the way"});
  Result.front() = {StageMoment::Multiplied, "being multiplied"};
  Result[1] = {StageMoment::Full, "next: its rows are being loaded"};
  return Result;
}

const FeedRole &turnedFeed() {
  static const Turned Choice;
  return Choice;
}

} // namespace warpwright
