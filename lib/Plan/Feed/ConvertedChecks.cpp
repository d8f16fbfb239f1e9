//===- ConvertedChecks.cpp - Certificates: converted rows -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Validation.h"
#include "Converted.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Expression.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t WarpLanes = 32, WarpRows = 16, ChunkBytes = 16,
                         LineBytes = 128;

Expected<Layout> readRowSlots(const KernelPlan &P) {
  const std::string &Text = P.Rows.RowSlots;
  Expected<Layout> Slots = parseLayout(Text);
  if (!Slots)
    return layoutError("row slots " + Text + ": " +
                       toString(Slots.takeError()));
  if (Slots->size() != WarpRows || !isBijective(*Slots))
    return layoutError("row slots " + Text + " are no order of the " +
                       Twine(WarpRows) + " rows of a warp");
  return Slots;
}

bool ConvertedFeed::checkShape(Validator &V) const {
  const KernelPlan &P = V.P;
  if (P.Split.Warpgroups)
    return V.fail(Property::Threads,
                  "warpgroups of a transform, and nothing to transform");
  if (!isConverted(P.Rows.Type, P.Cols.Type))
    return V.fail(Property::Operands,
                  formatv("rows of {0} are not converted to {1} in registers",
                          name(P.Rows.Type), name(P.Cols.Type)));
  if (P.Rows.Parts || P.Cols.Parts || P.Rows.Computed || P.Cols.Computed)
    return V.fail(Property::Operands, "parts, and no transform to make them");
  if (P.Rows.GroupK % P.TileK || P.Rows.GroupK < 0 ||
      (P.Rows.GroupScales && !P.Rows.GroupK) || P.Cols.hasPrologue())
    return V.fail(Property::Tile,
                  formatv("scales and zero points of groups of {0} along k, in "
                          "blocks of {1}",
                          P.Rows.GroupK, P.TileK));
  return true;
}

/// The registers of the rows that are held, as a rule two sets that take turns,
/// and of what belongs to rows.
ConsumerClaim ConvertedFeed::claim(const KernelPlan &P,
                                   const Machine &M) const {
  const int64_t Each = rowRegisters(P, M), Factors = factorRegisters(P);
  const int64_t Held = heldParts(P);
  return {P.Rows.GroupK ? 2 : 1, Held * Each + Factors,
          formatv("{0} and {1}{2} registers of rows{3}",
                  P.Rows.GroupK ? ", as many sums" : "",
                  Held == 2 ? "twice " : "", Each,
                  Factors ? formatv(" and {0} of their scales and zero points",
                                    Factors)
                                .str()
                          : "")
              .str()};
}

namespace {
/// What the threads of a warpgroup load to fill the registers of all
/// instructions for 64 rows of a stage.
struct RowLoads {
  /// From which byte thread t has element v of the fragment of step s: at
  /// (s * 8 + v) * threads + t.
  std::vector<int64_t> Bytes;
  unsigned Wavefronts = 0, Ideal = 0;

  /// The lanes of a warp load \p Width bytes each.
  void count(ArrayRef<int64_t> Addresses, unsigned Width, unsigned AtBest) {
    Wavefronts += countWavefronts(Addresses, Width);
    Ideal += AtBest;
  }
};
} // namespace

/// The number of a 16-byte chunk in its line, XORed with that of the line of
/// 128 bytes, as far as the span has chunks.
static int64_t swizzled(int64_t Byte, int64_t Span) {
  return Byte ^ (Byte / LineBytes * ChunkBytes % Span);
}

/// Of rows along k, two bytes at a time: k = 2 t and the next one, of the upper
/// row and of the one 8 below, and the same 8 of k further.
static RowLoads loadPairs(const Validator &V, int64_t First, int64_t Steps) {
  const KernelPlan &P = V.P;
  const int64_t Span = spanBytes(P.Rows.Swizzle);
  RowLoads Loads;
  Loads.Bytes.resize(Steps * 8 * V.M.WarpgroupThreads);
  for (int64_t Step = 0; Step < Steps; ++Step)
    for (int64_t Register = 0; Register < 4; ++Register)
      for (int64_t Warp = 0; Warp < V.M.WarpgroupThreads / WarpLanes; ++Warp) {
        std::vector<int64_t> Addresses;
        for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
          const int64_t Row = First + Warp * WarpRows + Lane / 4;
          const int64_t Start = swizzled(Row * Span, Span) + Lane % 4 * 2;
          Addresses.push_back((Start ^ (Step * ChunkBytes)) + Register / 2 * 8 +
                              Register % 2 * 8 * Span);
          for (int64_t Half : {0, 1})
            Loads
                .Bytes[(Step * 8 + Register * 2 + Half) * V.M.WarpgroupThreads +
                       Warp * WarpLanes + Lane] = Addresses.back() + Half;
        }
        Loads.count(Addresses, 2, 1);
      }
  return Loads;
}

/// Of pairs of four bits, a byte for both numbers of a register: byte t of
/// four, first of the upper row, then of the one 8 below, and the same 4 bytes
/// further. The lanes of a row all load the chunk that has these.
static RowLoads loadBytes(const Validator &V, int64_t First, int64_t Steps) {
  static constexpr int64_t Lanes = 4; // of a row
  const KernelPlan &P = V.P;
  const int64_t Span = spanBytes(P.Rows.Swizzle);
  RowLoads Loads;
  Loads.Bytes.resize(Steps * 8 * V.M.WarpgroupThreads);
  for (int64_t Step = 0; Step < Steps; ++Step)
    for (int64_t Register = 0; Register < 4; ++Register)
      for (int64_t Warp = 0; Warp < V.M.WarpgroupThreads / WarpLanes; ++Warp) {
        std::vector<int64_t> Addresses;
        const int64_t InChunk = Step % 2 * 2 * Lanes + Register / 2 * Lanes;
        for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
          const int64_t Row = First + Warp * WarpRows + Lane / 4;
          Addresses.push_back(
              (swizzled(Row * Span, Span) ^ (Step / 2 * ChunkBytes)) +
              Register % 2 * 8 * Span);
          const int64_t Byte = Addresses.back() + InChunk + Lane % Lanes;
          for (int64_t Half : {0, 1})
            Loads
                .Bytes[(Step * 8 + Register * 2 + Half) * V.M.WarpgroupThreads +
                       Warp * WarpLanes + Lane] = Byte;
        }
        if (InChunk == 0) // the others come with it
          Loads.count(Addresses, ChunkBytes, ChunkBytes / Lanes);
      }
  return Loads;
}

/// ldmatrix, of rows that do not lie along k: lane l gives the address of 16
/// rows of k = l, which are 8 pairs; of each matrix of 8 k, turned, lane
/// 4 g + t gets pair g of k = 2 t, the rows 2 g and 2 g + 1, and of the next k.
/// Where a byte has two numbers, lane 8 m + i gives k = 8 m + i / 2, for odd i
/// that 4 further: so lane 4 g + t gets k = t and t + 4, as wgmma wants.
static RowLoads loadMatrices(const Validator &V, int64_t First, int64_t Steps) {
  const KernelPlan &P = V.P;
  const bool Packed = isNibbles(P.Rows.Type);
  const int64_t Span = spanBytes(P.Rows.Swizzle);
  RowLoads Loads;
  Loads.Bytes.resize(Steps * 8 * V.M.WarpgroupThreads);
  for (int64_t Load = 0; Load < P.TileK / WarpLanes; ++Load)
    for (int64_t Warp = 0; Warp < V.M.WarpgroupThreads / WarpLanes; ++Warp) {
      std::vector<int64_t> Addresses;
      for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
        const int64_t Row = First + Warp * WarpRows;
        const int64_t Box = Row / Span * P.Rows.BoxStepBytes;
        const int64_t Line =
            Packed ? Lane / 8 * 8 + Lane % 8 / 2 + Lane % 2 * 4 : Lane;
        Addresses.push_back(Box + (swizzled(Line * Span, Span) ^ (Row % Span)) +
                            Load * WarpLanes * Span);
      }
      for (int64_t Lane = 0; Lane < WarpLanes; ++Lane)
        for (int64_t Matrix = 0; Matrix < 4; ++Matrix)
          for (int64_t Next : {0, 1})      // of k
            for (int64_t Lower : {0, 1}) { // of the pair
              const int64_t Byte = Addresses[Matrix * 8 + Lane % 4 * 2 + Next] +
                                   Lane / 4 * 2 + Lower;
              const int64_t Thread = Warp * WarpLanes + Lane;
              auto Note = [&](int64_t Step, int64_t Register, int64_t Half) {
                Loads.Bytes[(Step * 8 + Register * 2 + Half) *
                                V.M.WarpgroupThreads +
                            Thread] = Byte;
              };
              if (!Packed) {
                Note(Load * 2 + Matrix / 2, Matrix % 2 * 2 + Lower, Next);
                continue;
              }
              for (int64_t Half : {0, 1})
                Note(Load * 4 + Matrix, Next * 2 + Lower, Half);
            }
      Loads.count(Addresses, ChunkBytes, 4);
    }
  return Loads;
}

/// The consumers' own loads (rt/feed_converted.cuh) against the layout: each
/// lane has to find the elements of which wgmma expects the values in its
/// registers, but for the order of the 16 rows of its warp.
static bool checkFragments(Validator &V, const TileOffsets &Raw,
                           std::string &Costs) {
  const KernelPlan &P = V.P;
  const OperandPlan &O = P.Rows;
  const WgmmaAtom Atom = cantFail(WgmmaAtom::create(P.InstructionN, 16));
  // A pair is one byte, and its numbers are two of k for the instruction.
  const bool Packed = isNibbles(O.Type);
  const int64_t Numbers = numbersOf(O.Type);
  const int64_t Steps = P.TileK * Numbers / Atom.K;
  if (!isBijective(Atom.ARegisters))
    return V.fail(Property::OperandFragment,
                  "the machine's fragment is no bijection");
  Expected<Layout> Slots = readRowSlots(P);
  if (!Slots)
    return V.fail(Property::OperandFragment, toString(Slots.takeError()));
  const int64_t Span = spanBytes(O.Swizzle);
  if (Steps % 2 ||
      Span < (Packed && O.Order == Major::K ? 2 : 4) * ChunkBytes ||
      (O.Order == Major::K ? Span != P.TileK : P.TileK % WarpLanes != 0))
    return V.fail(Property::OperandFragment,
                  formatv("rows: {0} steps along k in swizzle {1}", Steps,
                          name(O.Swizzle)));
  unsigned Wavefronts = 0, Ideal = 0;
  for (int64_t First = 0; First < P.tileRows(); First += WgmmaAtom::M) {
    const RowLoads Loads = O.Order != Major::K ? loadMatrices(V, First, Steps)
                           : Packed            ? loadBytes(V, First, Steps)
                                               : loadPairs(V, First, Steps);
    for (int64_t Step = 0; Step < Steps; ++Step)
      for (int64_t J = 0; J < Atom.ARegisters.size(); ++J) {
        const int64_t Element = Atom.ARegisters(J);
        const int64_t Slot = Element % WgmmaAtom::M;
        const int64_t Row =
            First + Slot / WarpRows * WarpRows + (*Slots)(Slot % WarpRows);
        const int64_t K = Step * Atom.K + Element / WgmmaAtom::M;
        const int64_t Byte = Loads.Bytes[Step * 8 * V.M.WarpgroupThreads + J];
        // The first of a pair goes to the low half of the register.
        if (K % Numbers != J / V.M.WarpgroupThreads % Numbers)
          return V.fail(Property::OperandFragment,
                        "rows: a register's halves are no pair");
        if (Byte != Raw(Row, K / Numbers))
          return V.fail(
              Property::OperandFragment,
              formatv("rows: thread {0} of 64 rows from {1} on loads byte {2} "
                      "for row {3}, k {4}, which lies at {5}",
                      J % V.M.WarpgroupThreads, First, Byte, Row, K,
                      Raw(Row, K / Numbers)));
      }
    Wavefronts += Loads.Wavefronts;
    Ideal += Loads.Ideal;
  }
  Costs = formatv("by {0} fragments {1} of m64k{2} a thread, loaded {3}, rows "
                  "in slots {4}, {5} wavefronts a stage, {6} without conflicts",
                  P.rowBlocks() * Steps, Atom.ARegisters.str(), Atom.K,
                  O.Order != Major::K
                      ? "by ldmatrix as 4 matrices of 8 k by 16 bytes, turned"
                  : !Packed ? "2 bytes at a time"
                            : "16 bytes at a time for 4 of them",
                  O.RowSlots, Wavefronts, Ideal);
  return true;
}

bool ConvertedFeed::checkOperand(Validator &V, const OperandPlan &O,
                                 const char *Which) const {
  const KernelPlan &P = V.P;
  if (!throughRegisters(P, O))
    return StraightFeed::checkOperand(V, O, Which);
  const unsigned Bits = 8 * byteSize(O.Type);
  std::optional<SmemLayout> Tile =
      V.readLayout(O.SmemLayout, Bits, O.Swizzle, Property::Layout);
  if (!Tile)
    return false;
  const Shape &S = Tile->Elements.shape();
  if (product(S[0]) != O.StoredExtent || product(S[1]) != P.TileK ||
      O.StoredExtent != O.TileExtent)
    return V.fail(Property::Layout,
                  formatv("rows: {0} is not {1} by {2}", O.SmemLayout,
                          O.TileExtent, P.TileK));
  const TileOffsets Offsets(*Tile);
  if (!Offsets.isBijective())
    return V.fail(Property::Layout,
                  "rows: " + O.SmemLayout + " is not a bijection");
  if (Tile->bytes() != O.StageBytes)
    return V.fail(Property::Layout,
                  formatv("rows: {0} bytes for a layout of {1}", O.StageBytes,
                          Tile->bytes()));
  if (O.LeadingBytes || O.StrideBytes || O.KStepBytes || O.RowBlockBytes ||
      O.GroupBytes)
    return V.fail(Property::Descriptor,
                  "rows: a descriptor of what wgmma takes from registers");
  const StageFill Fill = {Offsets, O.Swizzle, Tile->size(), 0};
  std::string Costs;
  if (!P.Load->check(V, O, Fill, Which) || !checkFragments(V, Offsets, Costs))
    return false;
  V.prove(formatv("rows: {0} is a bijection, written by {1} TMA box{2} of "
                  "{3}x{4} ({5} bytes{6}); {7} converted to {8} in registers: "
                  "{9}",
                  O.SmemLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es",
                  O.Box[0], O.Box[1], O.BoxBytes,
                  O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str()
                               : "",
                  name(O.Type), name(P.Cols.Type), Costs));
  return true;
}

} // namespace warpwright
