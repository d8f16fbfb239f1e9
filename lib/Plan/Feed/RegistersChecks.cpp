//===- RegistersChecks.cpp - Certificates: rounded rows -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Validation.h"
#include "Registers.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Banks.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t WarpLanes = 32, ChunkBytes = 16, LineBytes = 128;
/// Instructions of 64 rows that a consumer warpgroup multiplies at most.
static constexpr int64_t MostRowBlocks = 2;

bool RegistersFeed::checkBlocks(Validator &V) const {
  const KernelPlan &P = V.P;
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (O->Type != ScalarType::F32 || O->Parts != 1 || O->Computed)
      return V.fail(Property::Operands,
                    "rows are in registers where both operands are float, and "
                    "one part stands for an element");
  if (P.rowBlocks() > MostRowBlocks)
    return V.fail(Property::Tile,
                  formatv("{0} instructions a warpgroup, of {1} at most",
                          P.rowBlocks(), MostRowBlocks));
  return true;
}

/// Registers of both sets of rows, which take turns: of fp16 numbers, two in
/// each.
ConsumerClaim RegistersFeed::claim(const KernelPlan &P,
                                   const Machine &M) const {
  const int64_t Each =
      P.rowBlocks() * WgmmaAtom::M * P.TileK * 2 / (M.WarpgroupThreads * 4);
  return {1, 2 * Each, formatv(" and twice {0} registers of rows", Each).str()};
}

/// What the threads of a warpgroup load to fill one instruction's registers.
struct RowLoads {
  /// The byte from which thread t has half v of its registers: at t + v *
  /// threads.
  std::vector<int64_t> Bytes;
  unsigned Wavefronts = 0, Ideal = 0;
};

/// ldmatrix, of rows along k: lane l of a warp gives the address of row l % 8
/// of matrix l / 8, 16 bytes, and lane 4 g + t gets word t of row g of each
/// matrix. The four matrices lie one behind the other in the same rows; a
/// second instruction has the 8 rows below.
static RowLoads loadMatrices(const Validator &V, int64_t Group, int64_t Wave,
                             int64_t Step) {
  const KernelPlan &P = V.P;
  const int64_t Rows = 8, Words = 4, WordBytes = ChunkBytes / Words;
  RowLoads Loads;
  Loads.Bytes.resize(8 * V.M.WarpgroupThreads);
  for (int64_t Warp = 0; Warp < V.M.WarpgroupThreads / WarpLanes; ++Warp)
    for (int64_t Lower = 0; Lower < 2; ++Lower) {
      std::vector<int64_t> Addresses;
      for (int64_t Lane = 0; Lane < WarpLanes; ++Lane) {
        const int64_t Row =
            Group * P.rowBlocks() * WgmmaAtom::M + Warp * 16 + Lane % Rows;
        const int64_t Start = (Row * LineBytes + Row % 8 * ChunkBytes) ^
                              (Lane / Rows * ChunkBytes);
        Addresses.push_back((Start ^ (Step * 64)) +
                            (Wave * WgmmaAtom::M + Lower * 8) * LineBytes);
      }
      for (int64_t Lane = 0; Lane < WarpLanes; ++Lane)
        for (int64_t Matrix = 0; Matrix < WarpLanes / Rows; ++Matrix) {
          const int64_t Value = Matrix % 2 + Lower * 2 + Matrix / 2 * 4;
          Loads.Bytes[Warp * WarpLanes + Lane + Value * V.M.WarpgroupThreads] =
              Addresses[Matrix * Rows + Lane / Words] +
              Lane % Words * WordBytes;
        }
      Loads.Wavefronts += countWavefronts(Addresses, ChunkBytes);
      Loads.Ideal += unsigned(WarpLanes / Rows);
    }
  return Loads;
}

/// Of rows that do not lie along k, a float at a time: pairs along k in a
/// register, in the others 8 rows below and 8 of k further.
static RowLoads loadWords(const Validator &V, int64_t Group, int64_t Wave,
                          int64_t Step) {
  const KernelPlan &P = V.P;
  const SplitPlan &S = P.Split;
  const int64_t Bytes = byteSize(P.Rows.Type);
  RowLoads Loads;
  for (int64_t Value = 0; Value < 8; ++Value) {
    const int64_t Half = Value % 2, Lower = Value / 2 % 2, Further = Value / 4;
    for (int64_t Thread = 0; Thread < V.M.WarpgroupThreads; ++Thread) {
      const int64_t Quad = Thread % WarpLanes / 4, K = Thread % 4 * 2;
      const int64_t Row =
          Group * P.rowBlocks() * WgmmaAtom::M + Thread / WarpLanes * 16 + Quad;
      const int64_t Start =
          Row / S.BlockRows * S.BlockBytes +
          ((Row % S.BlockRows * Bytes) ^ (K * ChunkBytes % LineBytes)) +
          K * LineBytes;
      const int64_t Upper = (Start ^ (Lower * 32)) +
                            (Step * 16 + Further * 8) * LineBytes +
                            Wave * (WgmmaAtom::M / S.BlockRows) * S.BlockBytes;
      Loads.Bytes.push_back(Half ? (Upper ^ ChunkBytes) + LineBytes : Upper);
    }
  }
  for (ArrayRef<int64_t> Rest = Loads.Bytes; !Rest.empty();
       Rest = Rest.drop_front(WarpLanes)) {
    Loads.Wavefronts +=
        countWavefronts(Rest.take_front(WarpLanes), unsigned(Bytes));
    Loads.Ideal += unsigned(WarpLanes * Bytes / 128);
  }
  return Loads;
}

/// The consumers' own loads (rt/fragment.cuh) against the layout: each lane has
/// to find the elements of which wgmma expects the roundings in its registers,
/// where the columns have the same k.
static bool checkFragments(Validator &V, const TileOffsets &Raw,
                           std::string &Costs) {
  const KernelPlan &P = V.P;
  const OperandPlan &O = P.Rows;
  const bool InLines = O.Order == Major::K; // of one row, not of one k
  const WgmmaAtom Atom = cantFail(WgmmaAtom::create(P.InstructionN, 16));
  const int64_t Steps = P.TileK / Atom.K;
  if (!isBijective(Atom.ARegisters))
    return V.fail(Property::OperandFragment,
                  "the machine's fragment is no bijection");
  if (Steps != 2 || O.RawSwizzle != SwizzleMode::B128)
    return V.fail(Property::OperandFragment,
                  formatv("rows: {0} steps along k in swizzle {1}, where lanes "
                          "load 2 from lines in that of 128 bytes",
                          Steps, name(O.RawSwizzle)));
  std::vector<int64_t> KOfSlot(P.TileK);
  for (int64_t K = 0; K < P.TileK; ++K)
    KOfSlot[V.KSlots[K]] = K;
  unsigned Wavefronts = 0, Ideal = 0;
  for (int64_t Group = 0; Group < P.consumersOfTile(); ++Group)
    for (int64_t I = 0; I < P.rowBlocks() * Steps; ++I) {
      const int64_t Wave = I / Steps, Step = I % Steps;
      const RowLoads Loads = InLines ? loadMatrices(V, Group, Wave, Step)
                                     : loadWords(V, Group, Wave, Step);
      for (int64_t J = 0; J < Atom.ARegisters.size(); ++J) {
        const int64_t Element = Atom.ARegisters(J);
        const int64_t Row = (Group * P.rowBlocks() + Wave) * WgmmaAtom::M +
                            Element % WgmmaAtom::M;
        const int64_t K = KOfSlot[Step * Atom.K + Element / WgmmaAtom::M];
        if (Loads.Bytes[J] != Raw(Row, K))
          return V.fail(
              Property::OperandFragment,
              formatv("rows: thread {0} of consumer {1} loads byte {2} "
                      "for row {3}, k {4}, which lies at {5}",
                      J % V.M.WarpgroupThreads, Group, Loads.Bytes[J], Row, K,
                      Raw(Row, K)));
      }
      Wavefronts += Loads.Wavefronts;
      Ideal += Loads.Ideal;
    }
  Costs = formatv(
      "by {0} fragments {1} of m64k{2} a thread, loaded {3}, k in slots "
      "{4}, {5} wavefronts a stage, {6} without conflicts",
      P.rowBlocks() * Steps, Atom.ARegisters.str(), Atom.K,
      InLines ? "by ldmatrix as 4 matrices of 8 rows by 16 bytes"
              : "4 bytes at a time",
      P.Split.KSlots, Wavefronts, Ideal);
  return true;
}

static bool checkRoundedRows(Validator &V) {
  const KernelPlan &P = V.P;
  const OperandPlan &O = P.Rows;
  const int64_t Bytes = byteSize(O.Type);
  if (O.SmemLayout != O.RawLayout || O.Swizzle != O.RawSwizzle)
    return V.fail(Property::Layout,
                  "rows: " + O.SmemLayout + " is not the raw " + O.RawLayout);
  std::optional<SmemLayout> Raw = V.readLayout(O.RawLayout, unsigned(8 * Bytes),
                                               O.RawSwizzle, Property::Layout);
  if (!Raw)
    return false;
  const Shape &S = Raw->Elements.shape();
  if (product(S[0]) != O.StoredExtent || product(S[1]) != P.TileK)
    return V.fail(Property::Layout,
                  formatv("rows: {0} is not {1} by {2}", O.RawLayout,
                          O.StoredExtent, P.TileK));
  const TileOffsets Offsets(*Raw);
  if (!Offsets.isBijective())
    return V.fail(Property::Layout,
                  "rows: " + O.RawLayout + " is no bijection");
  if (Raw->bytes() != O.StageBytes)
    return V.fail(Property::Layout,
                  formatv("rows: {0} bytes for a layout of {1}", O.StageBytes,
                          Raw->bytes()));
  if (O.LeadingBytes || O.StrideBytes || O.KStepBytes || O.RowBlockBytes ||
      O.GroupBytes)
    return V.fail(Property::Descriptor,
                  "rows: a descriptor of what wgmma takes from registers");
  if (O.LowPartBytes)
    return V.fail(Property::Parts, "rows: low parts, of which there are none");
  const StageFill Fill = {Offsets, O.RawSwizzle, O.StageBytes / Bytes, 0};
  std::string Costs;
  if (!P.Load->check(V, O, Fill, "rows") || !checkFragments(V, Offsets, Costs))
    return false;
  V.prove(formatv("rows: raw {0} is a bijection, written by {1} TMA box{2} of "
                  "{3}x{4} ({5} bytes{6}); 1 part, rounded in registers: {7}",
                  O.RawLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es",
                  O.Box[0], O.Box[1], O.BoxBytes,
                  O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str()
                               : "",
                  Costs));
  return true;
}

bool RegistersFeed::checkOperand(Validator &V, const OperandPlan &O,
                                 const char *Which) const {
  return throughRegisters(V.P, O) ? checkRoundedRows(V)
                                  : TransformFeed::checkOperand(V, O, Which);
}

} // namespace warpwright
