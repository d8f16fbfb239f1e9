//===- Fragments.cpp - Feed: consumers load what they multiply ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Doubles, which wgmma does not know, are multiplied by mma.sync, which takes
/// its operands from registers. The consumers load both from the stages, as TMA
/// wrote them (rt/feed_fragments.cuh), and convert elements that are narrower.
/// Which k stands in which slot of the
/// instruction makes no difference to a sum of products, as long as rows and
/// columns have the same there. So there is one order, in which no loads
/// conflict, whether elements are contiguous along k or across it.
///
//===----------------------------------------------------------------------===//

#include "../Derive.h"
#include "../Multiply/Mma.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"
#include "Straight.h"

#include "warpwright/Layout/Banks.h"

using namespace llvm;

namespace warpwright {

/// Lanes that arrive at an empty barrier, one by one: what each vouches for are
/// its own ordinary loads.
static constexpr int64_t WarpArrivals = 32;

/// Slot t + 4 s of instruction number j of a stage, of which lane t of a quad
/// has number s, to its k: of doubles 4 t + (s ^ t) if the rows lie along k and
/// 4 t + (s ^ 2 (t / 2)) otherwise, of floats 8 t + ((4 j + s) ^ 2 t).
static ComposedLayout kOfSlot(const KernelPlan &P) {
  if (P.Rows.Type != ScalarType::F64)
    return ComposedLayout(Swizzle{2, 1, 2}, 0, Layout({4, 4, 2}, {8, 1, 4}));
  return ComposedLayout(P.Rows.Order == Major::K ? Swizzle{2, 0, 2}
                                                 : Swizzle{1, 1, 2},
                        0, Layout({4, 4}, {4, 1}));
}

/// Elements of \p O, neighbours along k, that one load brings.
static int64_t loadedTogether(const KernelPlan &P, const OperandPlan &O) {
  return O.Order == Major::K && !rt::loads_singly(unsigned(byteSize(O.Type)),
                                                  P.Rows.Order == Major::K)
             ? 2
             : 1;
}

/// All sums of \p C, whose elements are of one type.
static bool addsInDouble(const Contraction &C) {
  for (unsigned I = 0; I != C.sumCount(); ++I)
    if (C.sum(I).AccType != ScalarType::F64)
      return false;
  return true;
}

namespace {

class Fragments final : public StraightFeed {
public:
  constexpr Fragments() : StraightFeed("fragments") {}

  bool keepsUpWithMemory() const override { return false; }
  bool suits(const Contraction &C, FactorPrecision) const override {
    return takes(C.A.Type, C.B.Type) && !C.hasPrologue() && !C.isPacked() &&
           (areFragmentTypes(C.A.Type, C.B.Type) || addsInDouble(C));
  }
  /// Nothing that a cluster shares is worth waiting for each other.
  void adaptTile(PlanChoice &) const override {}
  bool takesAcrossK(ScalarType) const override { return true; }
  bool leavesProductsTo(const MultiplyRole &Multiply) const override {
    return Multiply.fromFragments();
  }

  ScalarType multiplied(ScalarType, ScalarType) const override {
    return ScalarType::F64;
  }
  std::string describeProducts(const KernelPlan &P) const override {
    return P.Rows.Type == ScalarType::F64
               ? ""
               : "consumers convert elements to double as they load them, so "
                 "that products are exact";
  }

  /// cuBLAS's product of doubles has the rate of the full clock, for as long as
  /// it takes.
  bool runsHot() const override { return false; }

  int64_t deriveMemory(KernelPlan &P, int64_t Offset) const override {
    P.EmptyArrivals *= WarpArrivals;
    return Offset;
  }

  bool throughRegisters(const KernelPlan &,
                        const OperandPlan &) const override {
    return true;
  }
  BarrierWords barrierWords(const KernelPlan &) const override {
    return {"", "threads", ""};
  }
  int32_t releaseArrivals() const override { return WarpArrivals; }
  void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                int64_t Blocks) const override;
  void finishProducts(ProtocolBuilder &, int64_t) const override {}

  void members(MemberVisitor &, const KernelPlan &,
               OperandPlan &) const override {}
  void print(raw_ostream &OS, const KernelPlan &P) const override {
    OS << formatv("  fragments: loaded by the consumers{1}, slot to k {0}\n",
                  kOfSlot(P).str(),
                  P.Rows.Type == ScalarType::F64 ? "" : " as doubles");
  }

  void decide(const KernelPlan &P, rt::choice &C) const override {
    C.widened = P.Rows.Type != ScalarType::F64;
  }

  FeedWords words(const KernelPlan &P, StringRef Rows,
                  StringRef Cols) const override;
  StageReads stageReads(const KernelPlan &, const OperandPlan &) const override;
  std::vector<StageMoment> moments(const KernelPlan &P) const override;
  std::string readNote(const KernelPlan &P, const OperandPlan &O,
                       StringRef Array) const override;

protected:
  bool takes(ScalarType A, ScalarType B) const override {
    return areFragmentTypes(A, B, ScalarType::F64);
  }
  const char *refusal() const override {
    return "the consumers load operands that are both double, or both float "
           "with products that are added in double, and not computed";
  }
  Error deriveReads(OperandPlan &, const SmemLayout &, const OperandRequest &,
                    int64_t) const override {
    return Error::success(); // no descriptor reads it
  }
  bool checkReads(Validator &V, const OperandPlan &O,
                  const TileOffsets &Offsets, const char *Which,
                  std::string &How) const override;
};

} // namespace

/// The consumers' own loads against the layout: each lane has to find the
/// elements that the instruction expects in its registers. The addresses are
/// those of the runtime, the layouts those of the machine.
bool Fragments::checkReads(Validator &V, const OperandPlan &O,
                           const TileOffsets &Offsets, const char *Which,
                           std::string &How) const {
  const KernelPlan &P = V.P;
  const bool IsRows = &O == &P.Rows, KMajor = O.Order == Major::K;
  if (O.LeadingBytes || O.StrideBytes || O.KStepBytes || O.RowBlockBytes ||
      O.GroupBytes)
    return V.fail(Property::Descriptor,
                  Twine(Which) + ": a descriptor of what the instruction takes "
                                 "from registers");
  if (O.Swizzle != SwizzleMode::B128)
    return V.fail(Property::OperandFragment,
                  formatv("{0}: swizzle {1}, where lanes load from lines in "
                          "that of 128 bytes",
                          Which, name(O.Swizzle)));
  const MmaAtom Atom = mmaOfDoubles();
  const Layout &Values = Atom.values(IsRows ? MmaOperand::A : MmaOperand::B);
  const ComposedLayout KOf = kOfSlot(P);
  if (!isBijective(Values) || !isBijective(KOf) || KOf.size() != P.TileK)
    return V.fail(Property::OperandFragment,
                  "the machine's fragment or the order of k is no bijection");
  // Rows of an instruction, of which a lane holds every eighth.
  const int64_t Height = Atom.MNK[IsRows ? 0 : 1], Eights = Height / 8;
  const int64_t Lanes = Values.mode(0).size(), Slots = 4;
  const int64_t Together = loadedTogether(P, O);
  const unsigned Size = unsigned(byteSize(O.Type));
  const int64_t Bytes = Size * Together, Depth = Atom.MNK[2];
  unsigned Wavefronts = 0, Ideal = 0;
  for (int64_t First = 0; First < O.TileExtent; First += Height) {
    // The runtime counts 8 rows at a time from the first 16 of a warp on, which
    // are 64 rows apart in what a warpgroup multiplies; columns from 0 on.
    const int64_t Wave = IsRows ? First / WgmmaAtom::M % P.rowBlocks() : 0;
    const int64_t Start = IsRows ? First - Wave * WgmmaAtom::M : 0;
    const rt::fragment_step Begin =
        rt::fragment_element(0, 0, unsigned(Start / 8), Size, KMajor);
    for (int64_t I = 0; I < Eights * Slots * (P.TileK / Depth); ++I) {
      const int64_t Slot = I % Slots, Eight = I / Slots % Eights,
                    Step = I / Slots / Eights;
      const rt::fragment_step To = rt::fragment_element(
          unsigned(Slot), unsigned(Step), unsigned((First - Start) / 8 + Eight),
          Size, KMajor);
      SmallVector<int64_t, 32> Addresses;
      for (int64_t Lane = 0; Lane < Lanes; ++Lane) {
        const int64_t At = (rt::fragment_lane(unsigned(Lane), Size, KMajor,
                                              P.Rows.Order == Major::K) ^
                            Begin.flipped) +
                           Begin.added;
        Addresses.push_back((At ^ To.flipped) + To.added);
        const int64_t Index = Values({Lane, Eight + Eights * Slot});
        const int64_t Row = First + Index % Height;
        const int64_t K = KOf(Step * Depth + Index / Height);
        if (Addresses.back() != Offsets(Row, K))
          return V.fail(Property::OperandFragment,
                        formatv("{0}: lane {1} loads byte {2} for row {3}, k "
                                "{4}, which lies at {5}",
                                Which, Lane, Addresses.back(), Row, K,
                                Offsets(Row, K)));
      }
      if (Slot % Together)
        continue; // it came with the one before
      Wavefronts += countWavefronts(Addresses, unsigned(Bytes));
      Ideal += unsigned(Lanes * Bytes / 128);
    }
  }
  // Each warp loads its own rows, and all columns.
  const unsigned Warps =
      IsRows ? 1 : unsigned(P.consumersOfTile()) * WarpsPerWarpgroup;
  How = formatv("loaded by lanes, {0} bytes at a time, as fragments {1} with k "
                "{2}: {3} wavefronts a stage, {4} without conflicts",
                Bytes, Values.str(), KOf.str(), Warps * Wavefronts,
                Warps * Ideal);
  return true;
}

static void release(ProtocolBuilder &B, int64_t Block) {
  B.add(ProtocolOp::FenceProxy, Site::FenceLoads);
  B.release(Site::ReleaseLoaded, Block);
}

void Fragments::multiply(ProtocolBuilder &B, int64_t FirstBlock,
                         int64_t Blocks) const {
  const int64_t End = FirstBlock + Blocks;
  for (int64_t Block = FirstBlock; Block < End; ++Block) {
    B.wait(Site::WaitFull, B.full(B.CTA, Block), int32_t(Block / B.Stages));
    B.P.Multiply->multiply(B, Block, /*EndsWindow=*/false);
    if (Block == FirstBlock)
      continue;
    release(B, Block - 1);
    // The loads of a block are on both sides.
    B.P.Multiply->multiply(B, Block, /*EndsWindow=*/false);
  }
  if (Blocks > 0)
    release(B, End - 1);
}

FeedWords Fragments::words(const KernelPlan &P, StringRef, StringRef) const {
  FeedWords W;
  W.Loads = "On the way it permutes 16-byte chunks, so that the consumers can "
            "load without bank conflicts.";
  W.Operands = "The consumers load both operands into registers, where "
               "mma.sync takes them.";
  W.AfterFull = "a consumer may read";
  W.WhoReleases = "thread";
  W.Release = formatv("Consumers release a stage when they have multiplied the "
                      "first columns of the next one{0}.",
                      P.Stages > 2 ? formatv("; meanwhile {0} more can be full "
                                             "or on the way",
                                             P.Stages - 2)
                                         .str()
                                   : "");
  return W;
}

/// What the first lanes of a warp load together, as many as make up 128 bytes.
StageReads Fragments::stageReads(const KernelPlan &P,
                                 const OperandPlan &O) const {
  StageReads Reads;
  const bool KMajor = O.Order == Major::K;
  const int64_t Bytes = byteSize(O.Type) * loadedTogether(P, O);
  const int64_t Lanes = 128 / Bytes, InChunk = 16 / byteSize(O.Type);
  const ComposedLayout K = kOfSlot(P);
  for (int64_t Lane = 0; Lane < Lanes; ++Lane) {
    const int64_t Row = Lane / 4, At = K(Lane % 4);
    const std::pair<int64_t, int64_t> Chunk =
        KMajor ? std::pair(Row, At / InChunk) : std::pair(At, Row / InChunk);
    if (!is_contained(Reads.Chunks, Chunk))
      Reads.Chunks.push_back(Chunk);
  }
  Reads.Words = Lanes == 8    ? "what 8 lanes of a consumer load together"
                : Lanes == 16 ? "what 16 lanes of a consumer load together"
                              : "what a warp of a consumer loads together";
  return Reads;
}

std::vector<StageMoment> Fragments::moments(const KernelPlan &P) const {
  std::vector<StageMoment> Result(
      P.Stages, {StageMoment::Underway, "asked for, on the way"});
  Result.front() = {StageMoment::Multiplied, "being loaded and multiplied"};
  Result[1] = {StageMoment::Full, "next: its bytes have come"};
  return Result;
}

std::string Fragments::readNote(const KernelPlan &P, const OperandPlan &O,
                                StringRef Array) const {
  const bool IsRows = &O == &P.Rows;
  return formatv(
      "The consumers load {0} from the stage, {1} at a time. Of 16 slots along "
      "k, lane 4 g + t of a warp holds t, t + 4, t + 8 and t + 12, of {2}. "
      "Slots have k in the order {3}, in which no loads of a warp conflict. "
      "{4}",
      Array, loadedTogether(P, O) == 2 ? "two elements" : "an element",
      IsRows ? "rows g and g + 8 of the warp's 16" : "column g of each 8",
      kOfSlot(P).str(),
      IsRows ? P.Schedule->readers() : "All warps of all consumers load it.");
}

const FeedRole &fragmentsFeed() {
  static const Fragments Choice;
  return Choice;
}

} // namespace warpwright
