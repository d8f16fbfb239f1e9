//===- TransformChecks.cpp - Certificates: the transform stage ------------===//
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

#include "../Validation.h"
#include "Transform.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Plan/Elements.h"

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
bool TransformFeed::checkShape(Validator &V) const {
  const KernelPlan &P = V.P;
  if (P.Split.Warpgroups < 1)
    return V.fail(Property::Threads, "no warpgroup of the transform");
  const SplitPlan &S = P.Split;
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    if (O->Numbers < 1 || P.TileK % O->Numbers ||
        (O->Numbers > 1 && !O->Computed))
      return V.fail(Property::Operands,
                    Twine(O->Numbers) + " numbers in an element");
    if (!mostParts(O->Type) && O->Numbers == 1)
      return V.fail(Property::Operands, "no parts stand for these operands");
    if (!mostParts(O->FactorType))
      return V.fail(Property::Operands, "no parts stand for these factors");
    if (!O->Computed && O->FactorType != O->Type)
      return V.fail(
          Property::Operands,
          "factors of another type than the elements, and nothing that "
          "computes them");
    if (O->Parts < 1 || O->Parts > mostParts(O->FactorType))
      return V.fail(Property::Operands,
                    formatv("{0} parts of elements of {1} bytes", O->Parts,
                            byteSize(O->FactorType)));
  }
  if (areWgmmaTypes(P.Rows.Type, P.Cols.Type) &&
      elementType(P.Rows.Type)->addsIn(elementType(PartType)->Sum) &&
      !P.Rows.Computed && !P.Cols.Computed)
    return V.fail(Property::Operands,
                  "operands that wgmma multiplies need no transform");
  if (P.consumersOfTile() != P.ConsumerWarpgroups)
    return V.fail(Property::Shape,
                  "consumers that take turns have no transform");
  if (S.Window < 1 || S.Window > 1 << 10)
    return V.fail(Property::Shape,
                  "a window of " + Twine(S.Window) + " stages");
  if (2 * PartBytes * P.TileK != LineBytes)
    return V.fail(Property::Tile,
                  formatv("two parts of {0} along k are no line of {1} bytes",
                          P.TileK, LineBytes));
  if (!checkBlocks(V))
    return false;
  if (S.BlockRows != WarpLanes || S.BlockBytes != WarpLanes * LineBytes)
    return V.fail(Property::Transform,
                  formatv("blocks of {0} rows and {1} bytes: a warp has {2} "
                          "lanes, each a line of {3}",
                          S.BlockRows, S.BlockBytes, WarpLanes, LineBytes));
  for (const OperandPlan *O : {&P.Rows, &P.Cols})
    if (O->StoredExtent != O->TileExtent || O->StoredExtent % S.BlockRows)
      return V.fail(Property::Transform,
                    formatv("{0} rows, of which {1} are used, are not whole "
                            "blocks of {2}",
                            O->StoredExtent, O->TileExtent, S.BlockRows));
  return true;
}

/// Of rows and columns alike: what follows compares with these slots where the
/// transform writes parts, and what is loaded of rows in registers.
bool TransformFeed::checkFragment(Validator &V) const {
  const KernelPlan &P = V.P;
  Expected<Layout> Slots = readKSlots(P);
  if (!Slots)
    return V.fail(Property::OperandFragment, toString(Slots.takeError()));
  for (int64_t K = 0; K < P.TileK; ++K)
    V.KSlots.push_back(K - K % P.InstructionK + (*Slots)(K % P.InstructionK));
  return true;
}

/// wgmma's reads of the low parts; those of the high ones are those of any
/// operand.
static bool checkLowParts(Validator &V, const OperandPlan &O,
                          const TileOffsets &Parts, const char *Name) {
  const KernelPlan &P = V.P;
  if (O.Parts == 1) {
    if (O.LowPartBytes)
      return V.fail(Property::Parts,
                    Twine(Name) + ": low parts " + Twine(O.LowPartBytes) +
                        " bytes away, of which there are none");
    return true;
  }
  if (O.LowPartBytes % ChunkBytes || O.LowPartBytes < 0 ||
      O.LowPartBytes >= LineBytes)
    return V.fail(Property::Parts,
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
        return V.fail(Property::Parts,
                      formatv("{0}: wgmma reads the low part of row {1}, k {2} "
                              "from byte {3}, but it lies at {4}",
                              Name, Row, K, Reads, Parts(Row, P.TileK + K)));
    }
  return true;
}

/// The transform's addressing (rt/split.cuh) against the layouts. What it
/// computes lies in the block's own memory, BlockBytes that no other warp
/// touches. \p Ordered: k has slots of its own.
static bool checkTransform(Validator &V, const OperandPlan &O,
                           const TileOffsets &Raw, const TileOffsets &Parts,
                           const char *Name, bool Ordered) {
  const KernelPlan &P = V.P;
  const SplitPlan &S = P.Split;
  const int64_t Bytes = byteSize(O.Type), Depth = P.TileK / O.Numbers;
  auto Check = [&](const char *Does, int64_t Row, int64_t K, int64_t InBlock,
                   int64_t Lies) {
    const int64_t Block = Row / S.BlockRows * S.BlockBytes;
    if (Block + InBlock != Lies)
      return V.fail(
          Property::Transform,
          formatv("{0}: the warp that has bytes {1} to {2} to itself "
                  "{3} row {4}, k {5} at byte {6}, but it lies at {7}",
                  Name, Block, Block + S.BlockBytes - 1, Does, Row, K,
                  Block + InBlock, Lies));
    return true;
  };
  for (int64_t Row = 0; Row < O.StoredExtent; ++Row)
    for (int64_t K = 0; K < P.TileK; ++K) {
      const int64_t Lane = Row % S.BlockRows;
      const int64_t Element = K / O.Numbers;
      const int64_t Read = O.Order == Major::K ? Lane * Depth + Element
                                               : Element * S.BlockRows + Lane;
      if (!Check("reads", Row, K, byteSwizzle(O.RawSwizzle)(Read * Bytes),
                 Raw(Row, Element)))
        return false;
      // Beside rows in registers the order is the plan's.
      const int64_t Slot = Ordered ? V.KSlots[K] : K;
      for (int64_t Part = 0; Part < O.Parts; ++Part)
        if (!Check("writes", Row, K,
                   byteSwizzle(SwizzleMode::B128)(Lane * LineBytes +
                                                  Part * O.LowPartBytes +
                                                  Slot * PartBytes),
                   Parts(Row, Part * P.TileK + V.KSlots[K])))
          return false;
    }
  return true;
}

/// Where the transform leaves computed factors that parts cannot represent: in
/// its own row's line, so that no other lane's is overwritten.
static bool checkComputed(Validator &V, const OperandPlan &O,
                          const char *Name) {
  const KernelPlan &P = V.P;
  if (!O.Computed)
    return true;
  const SplitPlan &S = P.Split;
  const int64_t Bytes = byteSize(ScalarType::F32);
  std::optional<SmemLayout> Lines =
      V.readLayout(O.ComputedLayout, unsigned(8 * Bytes), SwizzleMode::B128,
                   Property::Layout);
  if (!Lines)
    return false;
  const Shape &Shape = Lines->Elements.shape();
  if (product(Shape[0]) != O.StoredExtent || product(Shape[1]) != P.TileK)
    return V.fail(Property::Layout,
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
        return V.fail(Property::Transform,
                      formatv("{0}: the computed factor of row {1}, k {2} is "
                              "left at byte {3}, but it lies at {4}",
                              Name, Row, K, Left, Offsets(Row, K)));
    }
  return true;
}

bool TransformFeed::checkOperand(Validator &V, const OperandPlan &O,
                                 const char *Name) const {
  const KernelPlan &P = V.P;
  const int64_t Bytes = byteSize(O.Type);
  std::optional<SmemLayout> Raw = V.readLayout(O.RawLayout, unsigned(8 * Bytes),
                                               O.RawSwizzle, Property::Layout);
  if (!Raw)
    return false;
  std::optional<SmemLayout> Parts =
      V.readLayout(O.SmemLayout, 8 * PartBytes, O.Swizzle, Property::Layout);
  if (!Parts)
    return false;
  auto IsTile = [&](const SmemLayout &L, int64_t Columns) {
    const Shape &S = L.Elements.shape();
    return product(S[0]) == O.StoredExtent && product(S[1]) == Columns;
  };
  const int64_t Depth = P.TileK / O.Numbers;
  if (!IsTile(*Raw, Depth) || !IsTile(*Parts, LineParts))
    return V.fail(Property::Layout,
                  formatv("{0}: {1} and {2} are not {3} by {4} and by {5}",
                          Name, O.RawLayout, O.SmemLayout, O.StoredExtent,
                          Depth, LineParts));
  TileOffsets RawOffsets(*Raw), PartOffsets(*Parts);
  if (!PartOffsets.isBijective())
    return V.fail(Property::Layout,
                  Twine(Name) + ": " + O.SmemLayout + " is not a bijection");
  if (Parts->bytes() != O.StageBytes)
    return V.fail(Property::Layout, Twine(Name) + ": " + Twine(O.StageBytes) +
                                        " bytes for a layout of " +
                                        Twine(Parts->bytes()));
  // Blocks of elements that are narrower than floats fill the beginning of
  // their memory.
  std::vector<bool> Taken(O.StageBytes / Bytes);
  for (int64_t Row = 0; Row < O.StoredExtent; ++Row)
    for (int64_t K = 0; K < Depth; ++K) {
      const int64_t At = RawOffsets(Row, K);
      if (At < 0 || At + Bytes > O.StageBytes || Taken[At / Bytes])
        return V.fail(Property::Layout,
                      formatv("{0}: {1} has row {2}, k {3} at "
                              "byte {4}, where there is no "
                              "room for it",
                              Name, O.RawLayout, Row, K, At));
      Taken[At / Bytes] = true;
    }
  const StageFill Fill = {RawOffsets, O.RawSwizzle, O.StageBytes / Bytes,
                          Depth * Bytes == LineBytes ? 0 : P.Split.BlockBytes};
  if (!P.Load->check(V, O, Fill, Name) ||
      !V.checkDescriptor(O, Major::K, 8 * PartBytes, PartOffsets, Name) ||
      !checkLowParts(V, O, PartOffsets, Name) ||
      !checkTransform(V, O, RawOffsets, PartOffsets, Name, ordersK()) ||
      !checkComputed(V, O, Name))
    return false;
  V.prove(formatv(
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

static bool checkExponents(Validator &V) {
  const KernelPlan &P = V.P;
  const SplitPlan &S = P.Split;
  for (int64_t E : {S.LowShift, S.ScaleExponent, S.TopExponent, S.RangeExponent,
                    P.Rows.LeastExponent, P.Cols.LeastExponent})
    if (E < -FloatEnd || E > FloatEnd)
      return V.fail(Property::Exponents, "no exponent of " + Twine(E));
  // Rounding may reach the next power of two.
  if (S.TopExponent + 1 >= HalfEnd)
    return V.fail(Property::Exponents,
                  formatv("elements up to 2^{0} may become infinite in fp16",
                          S.TopExponent + 1));
  if (S.ScaleExponent > S.TopExponent)
    return V.fail(Property::Exponents,
                  formatv("rows are scaled to 2^{0}, and elements stay below "
                          "2^{1}",
                          S.ScaleExponent, S.TopExponent + 1));
  // What a high part lacks is at most half its last bit.
  const int64_t LowTop = S.TopExponent - HalfBits + S.LowShift;
  if (LowTop >= HalfEnd)
    return V.fail(
        Property::Exponents,
        formatv("low parts up to 2^{0} may become infinite in fp16", LowTop));
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    // Magnitudes from Least on have so many bits; all of fp16 its own.
    const int64_t Least = O->LeastExponent;
    const int64_t Lost = std::min(Least, HalfNormal) - HalfNormal; // of a part
    const int64_t Bits =
        O->Parts == 2 ? Least - HalfLeast + 1 + S.LowShift : HalfBits + Lost;
    const int64_t Need = O->FactorType == ScalarType::F16 ? 1
                         : O->Parts == 2 ? TwoPartBits
                                         : bitsOfPart(O->FactorType);
    if (Bits < Need || Least > S.ScaleExponent)
      return V.fail(
          Property::Exponents,
          formatv("{0}: elements from 2^{1} on have {2} bits in their "
                  "parts, not {3}",
                  O == &P.Rows ? "rows" : "columns", Least, Bits, Need));
  }
  // Of what undoes the scales. Both this and the scales are normal floats.
  const int64_t InverseLeast = -S.RangeExponent - S.ScaleExponent;
  const int64_t InverseMost = S.RangeExponent - S.ScaleExponent;
  if (InverseLeast > InverseMost || InverseLeast < FloatNormal ||
      InverseMost > -FloatNormal)
    return V.fail(Property::Exponents,
                  formatv("scales are undone by 2^{0} to 2^{1}: no floats",
                          InverseLeast, InverseMost));
  // The low parts' share is less than one more product.
  const int64_t Products = S.Window * P.TileK;
  const int64_t Sum =
      2 * (S.TopExponent + 1) + Log2_64_Ceil(uint64_t(Products + 1));
  const int64_t Most = Sum + InverseMost;
  if (Most >= FloatEnd)
    return V.fail(Property::Exponents,
                  formatv("sums of {0} products, up to 2^{1}, reach 2^{2} when "
                          "the rows' scale is undone",
                          Products, Sum, Most));
  // A column's scale can bring back what the row's took away.
  const int64_t Least =
      P.Rows.LeastExponent + P.Cols.LeastExponent + InverseLeast;
  if (Least < FloatNormal)
    return V.fail(Property::Exponents,
                  formatv("products from 2^{0} on lose bits at 2^{1}, when the "
                          "rows' scale is undone",
                          P.Rows.LeastExponent + P.Cols.LeastExponent, Least));
  const bool Low = P.Rows.Parts + P.Cols.Parts > 2;
  V.prove(formatv("exponents: elements are scaled below 2^{0}{1}; sums of {2} "
                  "products stay below 2^{3}, and between "
                  "2^{4} and 2^{5} when a scale is undone",
                  S.TopExponent + 1,
                  Low ? formatv(", low parts by 2^{0}", S.LowShift).str() : "",
                  Products, Sum, Least, Most));
  return true;
}

bool TransformFeed::checkOperands(Validator &V) const {
  if (!checkExponents(V))
    return false;
  proveTransform(V);
  return true;
}

/// Who takes which blocks, and what their accesses to shared memory cost.
void TransformFeed::proveTransform(Validator &V) const {
  const KernelPlan &P = V.P;
  const SplitPlan &S = P.Split;
  std::string Costs;
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    if (throughRegisters(P, *O))
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
    const int64_t Depth = P.TileK / O->Numbers;
    for (int64_t K = 0; K < Depth; K += Step)
      Access(Raw, K, Step * Bytes);
    for (int64_t K = 0; K < O->Parts * P.TileK; K += ChunkBytes / PartBytes)
      Access(Parts, K, ChunkBytes);
    Costs += formatv("; {0}: {1} loads of {2} bytes and {3} stores of {4} a "
                     "row, {5} wavefronts a block, {6} without conflicts",
                     O == &P.Rows ? "rows" : "columns", Depth / Step,
                     Step * Bytes, O->Parts * P.TileK * PartBytes / ChunkBytes,
                     ChunkBytes, Wavefronts, Ideal);
  }
  const std::string Rows = throughRegisters(P, P.Rows)
                               ? ""
                               : formatv("{0} + ", blocksOf(P, P.Rows)).str();
  V.prove(formatv("transform: {0} warps take {1}{2} blocks of {3} {6} a "
                  "stage, each in its own {4} bytes{5}",
                  S.Warpgroups * V.M.WarpgroupThreads / WarpLanes, Rows,
                  blocksOf(P, P.Cols), S.BlockRows, S.BlockBytes, Costs,
                  rewritten()));
}

bool TransformFeed::checkMemory(Validator &V, MemoryMap &Map) const {
  const KernelPlan &P = V.P;
  // A byte for each row and one for each block, whole words of them.
  const int64_t Rows = P.tileRows() + P.InstructionN;
  const int64_t Flags = alignTo(blocksOf(P, P.Rows) + blocksOf(P, P.Cols), 8);
  if (P.Split.ScaleStageBytes != Rows || P.Split.FlagStageBytes != Flags)
    return V.fail(Property::MemoryMap,
                  formatv("{0} bytes of scales and {1} of flags a stage, where "
                          "{2} and {3} are used",
                          P.Split.ScaleStageBytes, P.Split.FlagStageBytes, Rows,
                          Flags));
  Map.Buffers.push_back(
      {"the scales", P.Split.ScaleOffset, P.Stages * Rows, 16});
  Map.Buffers.push_back({"the flags", P.Split.FlagOffset, P.Stages * Flags, 8});
  Map.Notes +=
      formatv(" + scales {0} + flags {1}", P.Stages * Rows, P.Stages * Flags);
  return true;
}

BarrierWords TransformFeed::barrierWords(const KernelPlan &P) const {
  return {formatv("ready {0} arrivals = {0} threads of the transform; ",
                  P.Split.ReadyArrivals),
          "threads", ", part, scale"};
}

} // namespace warpwright
