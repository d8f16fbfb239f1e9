//===- ValidatorSplit.cpp - Certificates: the transform stage -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Every byte again: where TMA writes an element, where the transform reads it
// and writes its parts, and where wgmma reads these. And every exponent, from
// the largest and least element that is split to the sum that is promoted.
//
//===----------------------------------------------------------------------===//

#include "Validation.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Banks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

static constexpr int64_t WarpLanes = 32, ChunkBytes = 16;
/// Parts are fp16: elements of 2 bytes, 128 of them in the line of a row.
static constexpr int64_t PartBytes = 2, LineBytes = 128;
static constexpr int64_t LineParts = LineBytes / PartBytes;
/// Of fp16: bits of a significand, the least exponents of normal numbers and of
/// all; numbers from 2^HalfEnd on, or just below, may become infinite.
static constexpr int64_t HalfBits = 11, HalfNormal = -14, HalfLeast = -24,
                         HalfEnd = 16;
/// Of float.
static constexpr int64_t FloatNormal = -126, FloatEnd = 128;
/// How well two parts stand for an element, at the worst: relative error of
/// 2^-TwoPartBits. Elements that are not far below their row's largest one have
/// 22 bits and more.
static constexpr int64_t TwoPartBits = 20;
/// Instructions of 64 rows that a consumer warpgroup multiplies at most.
static constexpr int64_t MostRowBlocks = 2;

bool Validator::checkSplitShape() {
  const SplitPlan &S = P.Split;
  auto IsHalf = [](ScalarType T) {
    return T == ScalarType::F16 || T == ScalarType::BF16;
  };
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    if (!IsHalf(O->Type) && O->Type != ScalarType::F32)
      return fail(Property::Operands, "no parts stand for these operands");
    if (!IsHalf(O->FactorType) && O->FactorType != ScalarType::F32)
      return fail(Property::Operands, "no parts stand for these factors");
    if (!O->Computed && O->FactorType != O->Type)
      return fail(Property::Operands,
                  "factors of another type than the elements, and nothing that "
                  "computes them");
    if (O->Parts < 1 || O->Parts > (O->FactorType == ScalarType::F32 ? 2 : 1))
      return fail(Property::Operands,
                  formatv("{0} parts of elements of {1} bytes", O->Parts,
                          byteSize(O->FactorType)));
  }
  if (P.Rows.Type == P.Cols.Type && IsHalf(P.Rows.Type) && !P.Rows.Computed &&
      !P.Cols.Computed)
    return fail(Property::Operands,
                "operands of one 16-bit type need no transform");
  if (P.Pingpong)
    return fail(Property::Shape, "consumers that take turns have no transform");
  if (S.Window < 1 || S.Window > 1 << 10)
    return fail(Property::Shape, "a window of " + Twine(S.Window) + " stages");
  if (2 * PartBytes * P.TileK != LineBytes)
    return fail(Property::Tile,
                formatv("two parts of {0} along k are no line of {1} bytes",
                        P.TileK, LineBytes));
  if (P.Rows.InRegisters) {
    for (const OperandPlan *O : {&P.Rows, &P.Cols})
      if (O->Type != ScalarType::F32 || O->Parts != 1 || O->Computed)
        return fail(Property::Operands,
                    "rows are in registers where both operands are float, and "
                    "one part stands for an element");
    if (P.rowBlocks() > MostRowBlocks)
      return fail(Property::Tile,
                  formatv("{0} instructions a warpgroup, of {1} at most",
                          P.rowBlocks(), MostRowBlocks));
  } else if (P.rowBlocks() != 1)
    return fail(Property::Tile,
                formatv("{0} instructions a warpgroup, and sums for one",
                        P.rowBlocks()));
  if (S.BlockRows != WarpLanes || S.BlockBytes != WarpLanes * LineBytes)
    return fail(Property::Transform,
                formatv("blocks of {0} rows and {1} bytes: a warp has {2} "
                        "lanes, each a line of {3}",
                        S.BlockRows, S.BlockBytes, WarpLanes, LineBytes));
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (O->StoredExtent != O->TileExtent || O->StoredExtent % S.BlockRows)
      return fail(Property::Transform,
                  formatv("{0} rows, of which {1} are used, are not whole "
                          "blocks of {2}",
                          O->StoredExtent, O->TileExtent, S.BlockRows));
  return true;
}

/// Of rows and columns alike: what follows compares with these slots where the
/// transform writes parts, and what is loaded of rows in registers.
bool Validator::checkKSlots() {
  Expected<Layout> Slots = readKSlots(P);
  if (!Slots)
    return fail(Property::OperandFragment, toString(Slots.takeError()));
  for (int64_t K = 0; K < P.TileK; ++K)
    KSlots.push_back(K - K % P.InstructionK + (*Slots)(K % P.InstructionK));
  return true;
}

bool Validator::checkSplitOperand(const OperandPlan &O, const char *Name) {
  if (O.InRegisters)
    return checkRoundedRows();
  const int64_t Bytes = byteSize(O.Type);
  std::optional<SmemLayout> Raw = readLayout(O.RawLayout, unsigned(8 * Bytes),
                                             O.RawSwizzle, Property::Layout);
  if (!Raw)
    return false;
  std::optional<SmemLayout> Parts =
      readLayout(O.SmemLayout, 8 * PartBytes, O.Swizzle, Property::Layout);
  if (!Parts)
    return false;
  auto IsTile = [&](const SmemLayout &L, int64_t Columns) {
    const Shape &S = L.Elements.shape();
    return product(S[0]) == O.StoredExtent && product(S[1]) == Columns;
  };
  if (!IsTile(*Raw, P.TileK) || !IsTile(*Parts, LineParts))
    return fail(Property::Layout,
                formatv("{0}: {1} and {2} are not {3} by {4} and by {5}", Name,
                        O.RawLayout, O.SmemLayout, O.StoredExtent, P.TileK,
                        LineParts));
  TileOffsets RawOffsets(*Raw), PartOffsets(*Parts);
  if (!PartOffsets.isBijective())
    return fail(Property::Layout,
                Twine(Name) + ": " + O.SmemLayout + " is not a bijection");
  if (Parts->bytes() != O.StageBytes)
    return fail(Property::Layout, Twine(Name) + ": " + Twine(O.StageBytes) +
                                      " bytes for a layout of " +
                                      Twine(Parts->bytes()));
  // Blocks of 16-bit elements fill the first half of their memory.
  std::vector<bool> Taken(O.StageBytes / Bytes);
  for (int64_t Row = 0; Row < O.StoredExtent; ++Row)
    for (int64_t K = 0; K < P.TileK; ++K) {
      const int64_t At = RawOffsets(Row, K);
      if (At < 0 || At + Bytes > O.StageBytes || Taken[At / Bytes])
        return fail(Property::Layout, formatv("{0}: {1} has row {2}, k {3} at "
                                              "byte {4}, where there is no "
                                              "room for it",
                                              Name, O.RawLayout, Row, K, At));
      Taken[At / Bytes] = true;
    }
  const StageFill Fill = {RawOffsets, O.RawSwizzle, O.StageBytes / Bytes,
                          Bytes == PartBytes ? P.Split.BlockBytes : 0};
  if (!checkCopies(O, Fill, Name) || !checkMulticast(O, Name) ||
      !checkDescriptor(O, Major::K, 8 * PartBytes, PartOffsets, Name) ||
      !checkLowParts(O, PartOffsets, Name) ||
      !checkTransform(O, RawOffsets, PartOffsets, Name) ||
      !checkComputed(O, Name))
    return false;
  prove(formatv(
      "{0}: raw {1} is one to one, written by {2} TMA box{3} of {4}x{5} ({6} "
      "bytes{7}); {8} {9} is a bijection, read by wgmma with LBO {10}, SBO "
      "{11}, k step {12}{13}",
      Name, O.RawLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es", O.Box[0],
      O.Box[1], O.BoxBytes,
      O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str() : "",
      O.Parts == 1 ? "1 part" : "2 parts", O.SmemLayout, O.LeadingBytes,
      O.StrideBytes, O.KStepBytes,
      O.Parts == 1 ? "" : formatv(", low parts at {0}", O.LowPartBytes).str()));
  return true;
}

/// Of both sets, which take turns: of fp16 numbers, two in each.
int64_t Validator::fragmentRegisters() const {
  if (!P.Rows.InRegisters)
    return 0;
  return 2 * P.rowBlocks() * WgmmaAtom::M * P.TileK * PartBytes /
         (M.WarpgroupThreads * 4);
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
RowLoads Validator::loadMatrices(int64_t Group, int64_t Wave,
                                 int64_t Step) const {
  const int64_t Rows = 8, Words = 4, WordBytes = ChunkBytes / Words;
  RowLoads Loads;
  Loads.Bytes.resize(8 * M.WarpgroupThreads);
  for (int64_t Warp = 0; Warp < M.WarpgroupThreads / WarpLanes; ++Warp)
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
          Loads.Bytes[Warp * WarpLanes + Lane + Value * M.WarpgroupThreads] =
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
RowLoads Validator::loadWords(int64_t Group, int64_t Wave, int64_t Step) const {
  const SplitPlan &S = P.Split;
  const int64_t Bytes = byteSize(P.Rows.Type);
  RowLoads Loads;
  for (int64_t Value = 0; Value < 8; ++Value) {
    const int64_t Half = Value % 2, Lower = Value / 2 % 2, Further = Value / 4;
    for (int64_t Thread = 0; Thread < M.WarpgroupThreads; ++Thread) {
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
bool Validator::checkFragments(const TileOffsets &Raw, std::string &Costs) {
  const OperandPlan &O = P.Rows;
  const bool InLines = O.Order == Major::K; // of one row, not of one k
  const WgmmaAtom Atom = cantFail(WgmmaAtom::create(P.InstructionN, 16));
  const int64_t Steps = P.TileK / Atom.K;
  if (!isBijective(Atom.ARegisters))
    return fail(Property::OperandFragment,
                "the machine's fragment is no bijection");
  if (Steps != 2 || O.RawSwizzle != SwizzleMode::B128)
    return fail(Property::OperandFragment,
                formatv("rows: {0} steps along k in swizzle {1}, where lanes "
                        "load 2 from lines in that of 128 bytes",
                        Steps, name(O.RawSwizzle)));
  std::vector<int64_t> KOfSlot(P.TileK);
  for (int64_t K = 0; K < P.TileK; ++K)
    KOfSlot[KSlots[K]] = K;
  unsigned Wavefronts = 0, Ideal = 0;
  for (int64_t Group = 0; Group < groupsOfTile(); ++Group)
    for (int64_t I = 0; I < P.rowBlocks() * Steps; ++I) {
      const int64_t Wave = I / Steps, Step = I % Steps;
      const RowLoads Loads = InLines ? loadMatrices(Group, Wave, Step)
                                     : loadWords(Group, Wave, Step);
      for (int64_t J = 0; J < Atom.ARegisters.size(); ++J) {
        const int64_t Element = Atom.ARegisters(J);
        const int64_t Row = (Group * P.rowBlocks() + Wave) * WgmmaAtom::M +
                            Element % WgmmaAtom::M;
        const int64_t K = KOfSlot[Step * Atom.K + Element / WgmmaAtom::M];
        if (Loads.Bytes[J] != Raw(Row, K))
          return fail(Property::OperandFragment,
                      formatv("rows: thread {0} of consumer {1} loads byte {2} "
                              "for row {3}, k {4}, which lies at {5}",
                              J % M.WarpgroupThreads, Group, Loads.Bytes[J],
                              Row, K, Raw(Row, K)));
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

bool Validator::checkRoundedRows() {
  const OperandPlan &O = P.Rows;
  const int64_t Bytes = byteSize(O.Type);
  if (O.SmemLayout != O.RawLayout || O.Swizzle != O.RawSwizzle)
    return fail(Property::Layout,
                "rows: " + O.SmemLayout + " is not the raw " + O.RawLayout);
  std::optional<SmemLayout> Raw = readLayout(O.RawLayout, unsigned(8 * Bytes),
                                             O.RawSwizzle, Property::Layout);
  if (!Raw)
    return false;
  const Shape &S = Raw->Elements.shape();
  if (product(S[0]) != O.StoredExtent || product(S[1]) != P.TileK)
    return fail(Property::Layout,
                formatv("rows: {0} is not {1} by {2}", O.RawLayout,
                        O.StoredExtent, P.TileK));
  const TileOffsets Offsets(*Raw);
  if (!Offsets.isBijective())
    return fail(Property::Layout, "rows: " + O.RawLayout + " is no bijection");
  if (Raw->bytes() != O.StageBytes)
    return fail(Property::Layout, formatv("rows: {0} bytes for a layout of {1}",
                                          O.StageBytes, Raw->bytes()));
  if (O.LeadingBytes || O.StrideBytes || O.KStepBytes || O.RowBlockBytes ||
      O.GroupBytes)
    return fail(Property::Descriptor,
                "rows: a descriptor of what wgmma takes from registers");
  if (O.LowPartBytes)
    return fail(Property::Parts, "rows: low parts, of which there are none");
  const StageFill Fill = {Offsets, O.RawSwizzle, O.StageBytes / Bytes, 0};
  std::string Costs;
  if (!checkCopies(O, Fill, "rows") || !checkMulticast(O, "rows") ||
      !checkFragments(Offsets, Costs))
    return false;
  prove(formatv("rows: raw {0} is a bijection, written by {1} TMA box{2} of "
                "{3}x{4} ({5} bytes{6}); 1 part, rounded in registers: {7}",
                O.RawLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es", O.Box[0],
                O.Box[1], O.BoxBytes,
                O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str()
                             : "",
                Costs));
  return true;
}

/// wgmma's reads of the low parts; those of the high ones are those of any
/// operand.
bool Validator::checkLowParts(const OperandPlan &O, const TileOffsets &Parts,
                              const char *Name) {
  if (O.Parts == 1) {
    if (O.LowPartBytes)
      return fail(Property::Parts, Twine(Name) + ": low parts " +
                                       Twine(O.LowPartBytes) +
                                       " bytes away, of which there are none");
    return true;
  }
  if (O.LowPartBytes % ChunkBytes || O.LowPartBytes < 0 ||
      O.LowPartBytes >= LineBytes)
    return fail(Property::Parts,
                formatv("{0}: low parts {1} bytes behind the high ones, in a "
                        "line of {2}",
                        Name, O.LowPartBytes, LineBytes));
  const SmemDescriptor D{O.Swizzle, Major::K, 8 * PartBytes, O.LeadingBytes,
                         O.StrideBytes};
  const int64_t Instruction = &O == &P.Rows ? WgmmaAtom::M : P.InstructionN;
  for (int64_t K = 0; K < P.TileK; ++K)
    for (int64_t Row = 0; Row < O.TileExtent; ++Row) {
      const int64_t Start = Row / Instruction * O.GroupBytes +
                            K / P.InstructionK * O.KStepBytes + O.LowPartBytes;
      const int64_t Reads =
          D.address(Start, Row % Instruction, K % P.InstructionK);
      if (Reads != Parts(Row, P.TileK + K))
        return fail(Property::Parts,
                    formatv("{0}: wgmma reads the low part of row {1}, k {2} "
                            "from byte {3}, but it lies at {4}",
                            Name, Row, K, Reads, Parts(Row, P.TileK + K)));
    }
  return true;
}

/// The transform's addressing (rt/split.cuh) against the layouts. What it
/// computes lies in the block's own memory, BlockBytes that no other warp
/// touches.
bool Validator::checkTransform(const OperandPlan &O, const TileOffsets &Raw,
                               const TileOffsets &Parts, const char *Name) {
  const SplitPlan &S = P.Split;
  const int64_t Bytes = byteSize(O.Type);
  auto Check = [&](const char *Does, int64_t Row, int64_t K, int64_t InBlock,
                   int64_t Lies) {
    const int64_t Block = Row / S.BlockRows * S.BlockBytes;
    if (Block + InBlock != Lies)
      return fail(Property::Transform,
                  formatv("{0}: the warp that has bytes {1} to {2} to itself "
                          "{3} row {4}, k {5} at byte {6}, but it lies at {7}",
                          Name, Block, Block + S.BlockBytes - 1, Does, Row, K,
                          Block + InBlock, Lies));
    return true;
  };
  for (int64_t Row = 0; Row < O.StoredExtent; ++Row)
    for (int64_t K = 0; K < P.TileK; ++K) {
      const int64_t Lane = Row % S.BlockRows;
      const int64_t Read =
          O.Order == Major::K ? Lane * P.TileK + K : K * S.BlockRows + Lane;
      if (!Check("reads", Row, K, byteSwizzle(O.RawSwizzle)(Read * Bytes),
                 Raw(Row, K)))
        return false;
      // Beside rows in registers the order is the plan's.
      const int64_t Slot = P.Rows.InRegisters ? KSlots[K] : K;
      for (int64_t Part = 0; Part < O.Parts; ++Part)
        if (!Check("writes", Row, K,
                   byteSwizzle(SwizzleMode::B128)(Lane * LineBytes +
                                                  Part * O.LowPartBytes +
                                                  Slot * PartBytes),
                   Parts(Row, Part * P.TileK + KSlots[K])))
          return false;
    }
  return true;
}

/// Where the transform leaves computed factors that parts cannot represent: in
/// its own row's line, so that no other lane's is overwritten.
bool Validator::checkComputed(const OperandPlan &O, const char *Name) {
  if (!O.Computed)
    return true;
  const SplitPlan &S = P.Split;
  const int64_t Bytes = byteSize(ScalarType::F32);
  std::optional<SmemLayout> Lines =
      readLayout(O.ComputedLayout, unsigned(8 * Bytes), SwizzleMode::B128,
                 Property::Layout);
  if (!Lines)
    return false;
  const Shape &Shape = Lines->Elements.shape();
  if (product(Shape[0]) != O.StoredExtent || product(Shape[1]) != P.TileK)
    return fail(Property::Layout,
                formatv("{0}: {1} is not {2} by {3}", Name, O.ComputedLayout,
                        O.StoredExtent, P.TileK));
  const TileOffsets Offsets(*Lines);
  for (int64_t Row = 0; Row < O.StoredExtent; ++Row)
    for (int64_t K = 0; K < P.TileK; ++K) {
      const int64_t Lane = Row % S.BlockRows;
      const int64_t Left =
          Row / S.BlockRows * S.BlockBytes +
          byteSwizzle(SwizzleMode::B128)(Lane * LineBytes + K * Bytes);
      if (Left != Offsets(Row, K))
        return fail(Property::Transform,
                    formatv("{0}: the computed factor of row {1}, k {2} is "
                            "left at byte {3}, but it lies at {4}",
                            Name, Row, K, Left, Offsets(Row, K)));
    }
  return true;
}

bool Validator::checkExponents() {
  const SplitPlan &S = P.Split;
  for (int64_t E : {S.LowShift, S.ScaleExponent, S.TopExponent, S.RangeExponent,
                    P.Rows.LeastExponent, P.Cols.LeastExponent})
    if (E < -FloatEnd || E > FloatEnd)
      return fail(Property::Exponents, "no exponent of " + Twine(E));
  // Rounding may reach the next power of two.
  if (S.TopExponent + 1 >= HalfEnd)
    return fail(Property::Exponents,
                formatv("elements up to 2^{0} may become infinite in fp16",
                        S.TopExponent + 1));
  if (S.ScaleExponent > S.TopExponent)
    return fail(Property::Exponents,
                formatv("rows are scaled to 2^{0}, and elements stay below "
                        "2^{1}",
                        S.ScaleExponent, S.TopExponent + 1));
  // What a high part lacks is at most half its last bit.
  const int64_t LowTop = S.TopExponent - HalfBits + S.LowShift;
  if (LowTop >= HalfEnd)
    return fail(
        Property::Exponents,
        formatv("low parts up to 2^{0} may become infinite in fp16", LowTop));
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    // Magnitudes from Least on have so many bits; all of fp16 its own.
    const int64_t Least = O->LeastExponent;
    const int64_t Lost = std::min(Least, HalfNormal) - HalfNormal; // of a part
    const int64_t Bits =
        O->Parts == 2 ? Least - HalfLeast + 1 + S.LowShift : HalfBits + Lost;
    const int64_t Need = O->FactorType == ScalarType::F16    ? 1
                         : O->FactorType == ScalarType::BF16 ? 8
                         : O->Parts == 2                     ? TwoPartBits
                                                             : HalfBits;
    if (Bits < Need || Least > S.ScaleExponent)
      return fail(Property::Exponents,
                  formatv("{0}: elements from 2^{1} on have {2} bits in their "
                          "parts, not {3}",
                          O == &P.Rows ? "rows" : "columns", Least, Bits,
                          Need));
  }
  // Of what undoes the scales. Both this and the scales are normal floats.
  const int64_t InverseLeast = -S.RangeExponent - S.ScaleExponent;
  const int64_t InverseMost = S.RangeExponent - S.ScaleExponent;
  if (InverseLeast > InverseMost || InverseLeast < FloatNormal ||
      InverseMost > -FloatNormal)
    return fail(Property::Exponents,
                formatv("scales are undone by 2^{0} to 2^{1}: no floats",
                        InverseLeast, InverseMost));
  // The low parts' share is less than one more product.
  const int64_t Products = S.Window * P.TileK;
  const int64_t Sum =
      2 * (S.TopExponent + 1) + Log2_64_Ceil(uint64_t(Products + 1));
  const int64_t Most = Sum + InverseMost;
  if (Most >= FloatEnd)
    return fail(Property::Exponents,
                formatv("sums of {0} products, up to 2^{1}, reach 2^{2} when "
                        "the rows' scale is undone",
                        Products, Sum, Most));
  // A column's scale can bring back what the row's took away.
  const int64_t Least =
      P.Rows.LeastExponent + P.Cols.LeastExponent + InverseLeast;
  if (Least < FloatNormal)
    return fail(Property::Exponents,
                formatv("products from 2^{0} on lose bits at 2^{1}, when the "
                        "rows' scale is undone",
                        P.Rows.LeastExponent + P.Cols.LeastExponent, Least));
  const bool Low = P.Rows.Parts + P.Cols.Parts > 2;
  prove(formatv("exponents: elements are scaled below 2^{0}{1}; sums of {2} "
                "products stay below 2^{3}, and between "
                "2^{4} and 2^{5} when a scale is undone",
                S.TopExponent + 1,
                Low ? formatv(", low parts by 2^{0}", S.LowShift).str() : "",
                Products, Sum, Least, Most));
  return true;
}

/// Who takes which blocks, and what their accesses to shared memory cost.
void Validator::proveTransform() {
  const SplitPlan &S = P.Split;
  std::string Costs;
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    if (O->InRegisters)
      continue;
    const int64_t Bytes = byteSize(O->Type);
    const TileOffsets Raw(
        cantFail(parseSmemLayout(O->RawLayout, unsigned(8 * Bytes))));
    const TileOffsets Parts(
        cantFail(parseSmemLayout(O->SmemLayout, 8 * PartBytes)));
    unsigned Wavefronts = 0, Ideal = 0;
    auto Access = [&](const TileOffsets &Offsets, int64_t Column,
                      int64_t AccessBytes) {
      std::vector<int64_t> Addresses;
      for (int64_t Lane = 0; Lane < S.BlockRows; ++Lane)
        Addresses.push_back(Offsets(Lane, Column));
      Wavefronts += countWavefronts(Addresses, unsigned(AccessBytes));
      Ideal += unsigned(std::max<int64_t>(
          1, divideCeil(uint64_t(S.BlockRows * AccessBytes), 128)));
    };
    const bool Chunks = O->Order == Major::K;
    const int64_t Step = Chunks ? ChunkBytes / Bytes : 1;
    for (int64_t K = 0; K < P.TileK; K += Step)
      Access(Raw, K, Step * Bytes);
    for (int64_t K = 0; K < O->Parts * P.TileK; K += ChunkBytes / PartBytes)
      Access(Parts, K, ChunkBytes);
    Costs += formatv("; {0}: {1} loads of {2} bytes and {3} stores of {4} a "
                     "row, {5} wavefronts a block, {6} without conflicts",
                     O == &P.Rows ? "rows" : "columns", P.TileK / Step,
                     Step * Bytes, O->Parts * P.TileK * PartBytes / ChunkBytes,
                     ChunkBytes, Wavefronts, Ideal);
  }
  prove(formatv("transform: {0} warps take {1}{2} blocks of {3} {6} a "
                "stage, each in its own {4} bytes{5}",
                S.Warpgroups * M.WarpgroupThreads / WarpLanes,
                P.Rows.InRegisters ? ""
                                   : formatv("{0} + ", blocksOf(P.Rows)).str(),
                blocksOf(P.Cols), S.BlockRows, S.BlockBytes, Costs,
                P.Rows.InRegisters ? "columns" : "rows"));
}

} // namespace warpwright
