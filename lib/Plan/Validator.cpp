//===- Validator.cpp - Certificates for plans -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Nothing here calls the code that derived the plan. Layouts are read back from
// their printed form, and every byte is followed: where TMA writes it, where
// WGMMA reads it, and which buffer it lies in.
//
//===----------------------------------------------------------------------===//

#include "Validation.h"

#include "warpwright/Hopper/Epilogue.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Protocol.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

StringRef name(Property P) {
  switch (P) {
#define PROPERTY(Identifier, Name, What)                                       \
  case Property::Identifier:                                                   \
    return Name;
#include "warpwright/Plan/Properties.def"
  }
  llvm_unreachable("unknown property");
}

StringRef meaning(Property P) {
  switch (P) {
#define PROPERTY(Identifier, Name, What)                                       \
  case Property::Identifier:                                                   \
    return What;
#include "warpwright/Plan/Properties.def"
  }
  llvm_unreachable("unknown property");
}

ArrayRef<Property> allProperties() {
  static constexpr Property All[] = {
#define PROPERTY(Identifier, Name, What) Property::Identifier,
#include "warpwright/Plan/Properties.def"
  };
  return All;
}

std::string Diagnosis::str(size_t MaxSteps) const {
  std::string Text = (name(Violated) + ": " + Message).str();
  if (Trace.empty())
    return Text;
  Text +=
      "\n  the shortest run to it, " + std::to_string(Trace.size()) + " steps";
  size_t From = 0;
  if (Trace.size() > MaxSteps) {
    From = Trace.size() - MaxSteps;
    Text += ", the last " + std::to_string(MaxSteps);
  }
  Text += ":";
  for (size_t I = From; I < Trace.size(); ++I)
    Text += formatv("\n  {0,3}. {1}", I + 1, Trace[I]).str();
  return Text;
}

std::variant<Certificate, Diagnosis> Validator::run() {
  for (bool (Validator::*Step)() :
       {&Validator::checkShape, &Validator::checkFragment,
        &Validator::checkOperands, &Validator::checkEpilogue,
        &Validator::checkMemoryMap, &Validator::checkRegisters,
        &Validator::checkNamedBarriers, &Validator::checkProtocol})
    if (!(this->*Step)())
      return std::move(Bad);
  return Certificate{std::move(Lines)};
}

bool Validator::checkShape() {
  for (int64_t N : {P.TileM, P.TileN, P.TileK, P.Stages, P.ConsumerWarpgroups,
                    P.ClusterM, P.ClusterN, P.RasterGroup})
    if (N < 1 || N > 1 << 16)
      return fail(Property::Shape, "an extent of " + Twine(N));
  if (P.ConsumerWarpgroups > 3)
    return fail(Property::Shape, "1 to 3 consumer warpgroups, not " +
                                     Twine(P.ConsumerWarpgroups));
  if (P.Pingpong && P.ConsumerWarpgroups != 2)
    return fail(Property::Shape, "two consumer warpgroups take turns, not " +
                                     Twine(P.ConsumerWarpgroups));
  if (P.Rows.TileExtent != P.tileRows() ||
      P.Cols.TileExtent != P.Sums * P.tileColumns() ||
      P.InstructionN != P.Sums * P.tileColumns())
    return fail(Property::Tile, "the operands' extents are not the tile's");
  if (P.Sums < 1 || P.Products < 1 || (P.Sums > 1 && P.Products > 1) ||
      P.Rows.Sources != 1 || P.Cols.Sources != P.Sums)
    return fail(Property::Operands,
                formatv("{0} sums of {1} products from {2} arrays beside each "
                        "other in the rows and {3} in the columns",
                        P.Sums, P.Products, P.Rows.Sources, P.Cols.Sources));
  if (P.rowBlocks() < 1 ||
      P.rowBlocks() * WgmmaAtom::M * groupsOfTile() != P.tileRows())
    return fail(Property::Tile,
                formatv("{0} warpgroup{1} of {2} rows an instruction do not "
                        "make up {3} rows",
                        groupsOfTile(), groupsOfTile() == 1 ? "" : "s",
                        WgmmaAtom::M, P.tileRows()));
  if (P.Split.Warpgroups < 0 ||
      P.Split.Warpgroups > M.MaxThreadsPerCTA / M.WarpgroupThreads)
    return fail(Property::Threads,
                Twine(P.Split.Warpgroups) + " warpgroups of a transform");
  if (P.Threads != warpgroups() * M.WarpgroupThreads ||
      P.Threads > M.MaxThreadsPerCTA)
    return fail(Property::Threads, formatv("{0} threads for {1} warpgroups",
                                           P.Threads, warpgroups()));
  if (P.clusterSize() > M.MaxPortableCluster || !isPowerOf2_64(P.ClusterM) ||
      !isPowerOf2_64(P.ClusterN))
    return fail(Property::Cluster,
                formatv("{0} x {1} CTAs: powers of two, {2} together at most",
                        P.ClusterM, P.ClusterN, M.MaxPortableCluster));
  if (P.Rows.IsA == P.SwapAB || P.Cols.IsA != P.SwapAB)
    return fail(Property::Operands, "swap_ab names other operands for the rows "
                                    "and the columns than they do");
  if (P.Cols.InRegisters || P.Rows.InRegisters != P.RowsInRegisters)
    return fail(Property::Operands, "which operand is in registers, the rows "
                                    "or none, is not what was decided");
  if (P.Split.used())
    return checkSplitShape();
  if (P.Rows.InRegisters)
    return fail(Property::Operands, "rows in registers, and no transform of "
                                    "the columns");
  if (P.Rows.Type != P.Cols.Type)
    return fail(Property::Operands, "the operands' types differ");
  if (byteSize(P.Rows.Type) != 2)
    return fail(Property::Operands,
                formatv("elements of {0} bytes, and no transform",
                        byteSize(P.Rows.Type)));
  if (P.Rows.Parts || P.Cols.Parts)
    return fail(Property::Operands, "parts, and no transform to make them");
  return true;
}

bool Validator::checkFragment() {
  // Parts have 16 bits, whatever they are parts of.
  Expected<WgmmaAtom> Atom = WgmmaAtom::create(
      P.InstructionN, P.Split.used() ? 16 : 8 * byteSize(P.Rows.Type));
  if (!Atom)
    return fail(Property::Tile, toString(Atom.takeError()));
  if (P.InstructionK != Atom->K || P.TileK % Atom->K)
    return fail(Property::Tile,
                formatv("instructions of {0} along k, where the machine has "
                        "{1} and the tile {2}",
                        P.InstructionK, Atom->K, P.TileK));
  if (!isBijective(Atom->C))
    return fail(Property::Fragment, "the machine's fragment is no bijection");
  if (P.Fragment != Atom->C.str() || P.Accumulators != Atom->accumulators())
    return fail(Property::Fragment,
                formatv("{0} with {1} accumulators, where m64n{2}k{3} leaves "
                        "{4} with {5}",
                        P.Fragment, P.Accumulators, P.InstructionN, Atom->K,
                        Atom->C.str(), Atom->accumulators()));
  prove(formatv("tile {0}x{1}x{2} = {3} x {4} wgmma m64n{5}k{6} a block; "
                "fragment {7} is a bijection",
                P.TileM, P.TileN, P.TileK, P.tileRows() / WgmmaAtom::M,
                P.TileK / Atom->K, P.InstructionN, Atom->K, Atom->C.str()));
  return !P.Split.used() || checkKSlots();
}

std::optional<SmemLayout> Validator::readLayout(StringRef Text, unsigned Bits,
                                                SwizzleMode Mode,
                                                Property Kind) {
  Expected<SmemLayout> L = parseSmemLayout(Text, Bits);
  if (!L) {
    fail(Kind, toString(L.takeError()));
    return std::nullopt;
  }
  if (L->Elements.rank() != 2 || L->Elements.size() > 1 << 20) {
    fail(Kind, "layout " + Text + " is not that of a tile");
    return std::nullopt;
  }
  Expected<SwizzleMode> Has = L->mode();
  if (!Has) {
    fail(Property::Swizzle, toString(Has.takeError()));
    return std::nullopt;
  }
  if (*Has != Mode) {
    fail(Property::Swizzle,
         "layout " + Text + " does not have swizzle " + name(Mode));
    return std::nullopt;
  }
  return *L;
}

bool Validator::checkOperand(const OperandPlan &O, const char *Name) {
  if (P.Split.used())
    return checkSplitOperand(O, Name);
  const unsigned Bits = 8 * byteSize(O.Type);
  std::optional<SmemLayout> Tile =
      readLayout(O.SmemLayout, Bits, O.Swizzle, Property::Layout);
  if (!Tile)
    return false;
  const Shape &S = Tile->Elements.shape();
  if (product(S[0]) != O.StoredExtent || product(S[1]) != P.TileK ||
      O.StoredExtent < O.TileExtent)
    return fail(Property::Layout, Twine(Name) + ": " + O.SmemLayout +
                                      " is not " + Twine(O.StoredExtent) +
                                      " by " + Twine(P.TileK));
  TileOffsets Offsets(*Tile);
  if (!Offsets.isBijective())
    return fail(Property::Layout,
                Twine(Name) + ": " + O.SmemLayout + " is not a bijection");
  if (Tile->bytes() != O.StageBytes)
    return fail(Property::Layout, Twine(Name) + ": " + Twine(O.StageBytes) +
                                      " bytes for a layout of " +
                                      Twine(Tile->bytes()));
  const StageFill Fill = {Offsets, O.Swizzle, Tile->size(), 0};
  if (!checkCopies(O, Fill, Name) || !checkMulticast(O, Name) ||
      !checkDescriptor(O, O.Order, Bits, Offsets, Name))
    return false;
  prove(formatv(
      "{0}: {1} is a bijection, written by {2} TMA box{3} of {4}x{5} ({6} "
      "bytes{7}), read by wgmma with LBO {8}, SBO {9}, k step {10}",
      Name, O.SmemLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es", O.Box[0],
      O.Box[1], O.BoxBytes,
      O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str() : "",
      O.LeadingBytes, O.StrideBytes, O.KStepBytes));
  return true;
}

/// Every copy of every share against the layout, each byte once.
bool Validator::checkCopies(const OperandPlan &O, const StageFill &Fill,
                            const char *Name) {
  const int64_t Bytes = byteSize(O.Type);
  if (O.Box.size() != 2 || O.Box[0] < 1 || O.Box[1] < 1 ||
      O.Box[0] > M.TmaBoxMax || O.Box[1] > M.TmaBoxMax)
    return fail(Property::Box, Twine(Name) +
                                   ": a box has 2 extents from 1 to " +
                                   Twine(M.TmaBoxMax));
  if (O.Box[0] * Bytes % M.TmaAlign)
    return fail(Property::Box,
                formatv("{0}: rows of {1} bytes in a box are not multiples of "
                        "{2}",
                        Name, O.Box[0] * Bytes, M.TmaAlign));
  if (Fill.Swizzle != SwizzleMode::None &&
      O.Box[0] * Bytes > spanBytes(Fill.Swizzle))
    return fail(Property::Box,
                formatv("{0}: rows of {1} bytes in a box exceed the span of "
                        "swizzle {2}",
                        Name, O.Box[0] * Bytes, name(Fill.Swizzle)));
  if (O.BoxBytes != O.Box[0] * O.Box[1] * Bytes)
    return fail(Property::Box, Twine(Name) + ": a box does not have " +
                                   Twine(O.BoxBytes) + " bytes");
  if (O.BoxCount < 1 || O.BoxCount > 1 << 12 || O.Shares < 1 ||
      O.Shares > M.MaxPortableCluster)
    return fail(Property::Copies, Twine(Name) + ": " + Twine(O.BoxCount) +
                                      " boxes in " + Twine(O.Shares) +
                                      " shares");
  // A step that is not taken must not look as if it were.
  const int64_t Step =
      Fill.BoxStepBytes ? Fill.BoxStepBytes : O.BoxBytes * O.Shares;
  if (O.BoxStepBytes != Step ||
      (O.BoxCount == 1 && (O.BoxStepRows || O.BoxStepK)) ||
      (O.Shares == 1 && (O.ShareStepRows || O.ShareStepK)))
    return fail(Property::Copies,
                Twine(Name) + ": boxes and shares do not follow each other");
  // The boxes of one array follow each other, and are as many as of any other.
  if (O.BoxCount % O.Sources ||
      (O.Sources > 1 &&
       O.BoxCount / O.Sources * O.BoxStepRows * O.Sources != O.TileExtent))
    return fail(Property::Copies,
                formatv("{0}: {1} boxes, {2} rows apart, do not bring as many "
                        "rows of each of {3} arrays",
                        Name, O.BoxCount, O.BoxStepRows, O.Sources));
  std::vector<bool> Written(Fill.Elements);
  for (int64_t I = 0; I < O.BoxCount; ++I)
    for (int64_t Share = 0; Share < O.Shares; ++Share)
      if (!checkBox(O, Fill, I, Share, Written, Name))
        return false;
  if (llvm::count(Written, true) !=
      Fill.Offsets.rows() * Fill.Offsets.columns())
    return fail(Property::Copies,
                Twine(Name) + ": the boxes do not cover the tile");
  return true;
}

bool Validator::checkBox(const OperandPlan &O, const StageFill &Fill, int64_t I,
                         int64_t Share, std::vector<bool> &Written,
                         const char *Name) {
  const int64_t Bytes = byteSize(O.Type);
  const int64_t Base = I * O.BoxStepBytes + Share * O.BoxBytes;
  const int64_t Row0 = I * O.BoxStepRows + Share * O.ShareStepRows;
  const int64_t K0 = I * O.BoxStepK + Share * O.ShareStepK;
  // A swizzled box must start where the pattern does.
  if (Fill.Swizzle != SwizzleMode::None && Base % (8 * spanBytes(Fill.Swizzle)))
    return fail(Property::Copies,
                Twine(Name) + ": a box starts inside an atom of the swizzle");
  for (int64_t Y = 0; Y < O.Box[1]; ++Y)
    for (int64_t X = 0; X < O.Box[0]; ++X) {
      const int64_t Row = Row0 + (O.Order == Major::K ? Y : X);
      const int64_t K = K0 + (O.Order == Major::K ? X : Y);
      const int64_t Address =
          byteSwizzle(Fill.Swizzle)(Base + (Y * O.Box[0] + X) * Bytes);
      if (Row < 0 || K < 0 || Row >= O.StoredExtent || K >= P.TileK ||
          Fill.Offsets(Row, K) != Address)
        return fail(Property::Copies,
                    formatv("{0}: TMA writes row {1}, k {2} to byte {3}, which "
                            "the layout has elsewhere",
                            Name, Row, K, Address));
      if (Written[Address / Bytes])
        return fail(Property::Copies, Twine(Name) + ": boxes overlap");
      Written[Address / Bytes] = true;
    }
  return true;
}

/// The mask of each CTA's row (or column) of the cluster names exactly the CTAs
/// in that row: they need the same operand, and nobody else does.
bool Validator::checkMulticast(const OperandPlan &O, const char *Name) {
  const bool IsRows = &O == &P.Rows;
  if (O.Shares != (IsRows ? P.clusterColumns() : P.clusterRows()))
    return fail(Property::Multicast,
                formatv("{0}: {1} shares in a cluster of {2} by {3}", Name,
                        O.Shares, P.clusterRows(), P.clusterColumns()));
  auto GroupOf = [&](int64_t Rank) {
    return IsRows ? Rank % P.clusterRows() : Rank / P.clusterRows();
  };
  const int64_t Groups = IsRows ? P.clusterRows() : P.clusterColumns();
  if (O.MulticastStep < 1 || O.MulticastStep > 16)
    return fail(Property::Multicast, Twine(Name) + ": masks " +
                                         Twine(O.MulticastStep) +
                                         " bits apart");
  // One row needs no step; what is there is that of the ranks.
  if (O.MulticastStep != (IsRows ? 1 : P.clusterRows()))
    return fail(Property::Multicast,
                formatv("{0}: masks are {1} bits apart, ranks {2}", Name,
                        O.MulticastStep, IsRows ? 1 : P.clusterRows()));
  for (int64_t Group = 0; Group < Groups; ++Group) {
    int64_t Need = 0;
    for (int64_t Rank = 0; Rank < P.clusterSize(); ++Rank)
      Need |= int64_t(GroupOf(Rank) == Group) << Rank;
    if (O.MulticastMask << (Group * O.MulticastStep) != Need)
      return fail(Property::Multicast,
                  formatv("{0}: {1} {2} of the cluster loads for the CTAs of "
                          "mask {3:x}, but those of mask {4:x} need it",
                          Name, IsRows ? "row" : "column", Group,
                          O.MulticastMask << (Group * O.MulticastStep), Need));
  }
  return true;
}

/// The documented addressing against the layout.
bool Validator::checkDescriptor(const OperandPlan &O, Major Order,
                                unsigned Bits, const TileOffsets &Offsets,
                                const char *Name) {
  const bool IsRows = &O == &P.Rows;
  const int64_t KPer = P.InstructionK;
  const int64_t Instruction = IsRows ? WgmmaAtom::M : P.InstructionN;
  if (Order == Major::MN && Bits != 16)
    return fail(Property::Descriptor,
                Twine(Name) +
                    ": only 16-bit operands may be contiguous along rows");
  for (int64_t Field : {O.LeadingBytes, O.StrideBytes})
    if (Field % 16 || Field < 0 || Field >= 1 << 18)
      return fail(Property::Descriptor, Twine(Name) + ": a descriptor has no " +
                                            Twine(Field) + " bytes");
  if (O.Offset % 16 || O.GroupBytes % 16)
    return fail(Property::Descriptor,
                Twine(Name) + ": an operand does not start on 16 bytes");
  // Steps that are not taken are 0.
  if ((!IsRows || P.rowBlocks() * groupsOfTile() == 1) &&
      (O.RowBlockBytes || O.GroupBytes))
    return fail(Property::Descriptor,
                Twine(Name) + ": a step between blocks of rows, of which there "
                              "is one");
  if (IsRows && P.Pingpong && O.GroupBytes)
    return fail(Property::Descriptor,
                Twine(Name) + ": a step between warpgroups that share no tile");
  if (IsRows && !P.Pingpong && O.GroupBytes != P.rowBlocks() * O.RowBlockBytes)
    return fail(Property::Descriptor,
                formatv("{0}: warpgroups of {1} instructions are {2} bytes "
                        "apart, instructions {3}",
                        Name, P.rowBlocks(), O.GroupBytes, O.RowBlockBytes));
  const SmemDescriptor D{O.Swizzle, Order, Bits, O.LeadingBytes, O.StrideBytes};
  const int64_t Waves = P.rowBlocks();
  for (int64_t K = 0; K < P.TileK; ++K)
    for (int64_t Row = 0; Row < O.TileExtent; ++Row) {
      // Of fp16 parts, where the instruction has k.
      const int64_t Slot = KSlots.empty() ? K : KSlots[K];
      // As the kernel computes it: its warpgroup, its instruction, its k step.
      const int64_t Block = Row / Instruction;
      const int64_t Start = Block / Waves * O.GroupBytes +
                            Block % Waves * O.RowBlockBytes +
                            Slot / KPer * O.KStepBytes;
      if (Start % 16)
        return fail(Property::Descriptor,
                    Twine(Name) + ": an operand does not start on 16 bytes");
      const int64_t Reads = D.address(Start, Row % Instruction, Slot % KPer);
      if (Reads != Offsets(Row, Slot))
        return fail(Property::Descriptor,
                    formatv("{0}: wgmma reads row {1}, k {2} from byte {3}, "
                            "but it lies at {4}",
                            Name, Row, K, Reads, Offsets(Row, Slot)));
    }
  return true;
}

bool Validator::checkOperands() {
  if (!checkOperand(P.Rows, "rows") || !checkOperand(P.Cols, "columns"))
    return false;
  if (!P.Split.used())
    return true;
  if (!checkExponents())
    return false;
  proveTransform();
  return true;
}

bool Validator::checkEpilogue() {
  const EpiloguePlan &E = P.Epilogue;
  if (E.OffsetBits != 32 && E.OffsetBits != 64)
    return fail(Property::Offsets,
                "no integers of " + Twine(E.OffsetBits) + " bits");
  if (E.Kind == EpilogueKind::Direct) {
    if (E.Buffers || E.BufferBytes || E.StagingBytes)
      return fail(Property::Slab, "direct stores need no staging");
    prove("epilogue: predicated stores by each thread, inside the output's "
          "extents only");
    return true;
  }
  if (E.RowsContiguous != P.SwapAB)
    return fail(Property::Slab, "the slab is not contiguous along n");
  const unsigned Bits = 8 * byteSize(E.Type);
  std::optional<SmemLayout> Slab =
      readLayout(E.SmemLayout, Bits, E.Swizzle, Property::Slab);
  if (!Slab || !checkSlab(*Slab))
    return false;
  StoreConflicts Conflicts =
      Bits == 16 ? stmatrixConflicts(*Slab, !E.RowsContiguous)
                 : vectorStoreConflicts(*Slab, !E.RowsContiguous);
  prove(formatv("epilogue: slab {0} is a bijection, stored by {1} TMA box{2} "
                "of {3}x{4}; {5} wavefronts a warp, {6} without conflicts",
                E.SmemLayout, E.BoxCount, E.BoxCount == 1 ? "" : "es", E.Box[0],
                E.Box[1], Conflicts.Wavefronts, Conflicts.Ideal));
  return true;
}

bool Validator::checkSlab(const SmemLayout &Slab) {
  const EpiloguePlan &E = P.Epilogue;
  const int64_t Bytes = Slab.Bits / 8, Columns = E.SlabColumns;
  const Shape &S = Slab.Elements.shape();
  // stmatrix and the accumulators of a wgmma come in 16 columns.
  if (Columns < 16 || Columns % 16 || P.tileColumns() % Columns ||
      product(S[0]) != WgmmaAtom::M || product(S[1]) != Columns)
    return fail(Property::Slab, "the slab is not a part of the tile");
  TileOffsets Offsets(Slab);
  if (!Offsets.isBijective())
    return fail(Property::Slab, "the slab's layout is not a bijection");
  if (Slab.bytes() > E.BufferBytes)
    return fail(Property::Slab, formatv("a slab of {0} bytes in a buffer of "
                                        "{1}",
                                        Slab.bytes(), E.BufferBytes));
  if (E.Box.size() != 2 || E.Box[0] < 1 || E.Box[1] < 1 ||
      E.Box[0] > M.TmaBoxMax || E.Box[1] > M.TmaBoxMax ||
      E.Box[0] * Bytes % M.TmaAlign || E.Box[0] * Bytes > spanBytes(E.Swizzle))
    return fail(Property::Box, "the store's box breaks a limit of TMA");
  if (E.BoxCount < 1 || E.BoxBytes != E.Box[0] * E.Box[1] * Bytes ||
      E.BoxBytes * E.BoxCount != Slab.bytes() ||
      (E.BoxCount == 1 ? E.BoxStep != 0 : E.BoxStep != E.Box[0]))
    return fail(Property::Slab, "the store's boxes do not make up the slab");
  for (int64_t I = 0; I < E.BoxCount; ++I)
    for (int64_t Y = 0; Y < E.Box[1]; ++Y)
      for (int64_t X = 0; X < E.Box[0]; ++X) {
        const int64_t Inner = I * E.BoxStep + X;
        const int64_t Row = E.RowsContiguous ? Inner : Y;
        const int64_t Column = E.RowsContiguous ? Y : Inner;
        const int64_t Address =
            byteSwizzle(E.Swizzle)(I * E.BoxBytes + (Y * E.Box[0] + X) * Bytes);
        if (Row >= WgmmaAtom::M || Column >= Columns ||
            Offsets(Row, Column) != Address)
          return fail(Property::Slab,
                      formatv("TMA stores row {0}, column {1} from byte {2}, "
                              "which the slab has elsewhere",
                              Row, Column, Address));
      }
  return true;
}

bool Validator::checkMemoryMap() {
  const EpiloguePlan &E = P.Epilogue;
  struct Buffer {
    const char *Name;
    int64_t Begin, Bytes, Align;
  };
  const int64_t Staging = P.ConsumerWarpgroups * E.Buffers * E.BufferBytes;
  // A full, an empty and perhaps a ready one each.
  const int64_t BarrierBytes = (P.Split.used() ? 24 : 16) * P.Stages;
  std::vector<Buffer> Buffers = {
      {"the rows of a stage", P.Rows.Offset, P.Rows.StageBytes, M.SmemAlign},
      {"the columns of a stage", P.Cols.Offset, P.Cols.StageBytes, M.SmemAlign},
      {"the other stages", P.StageBytes, (P.Stages - 1) * P.StageBytes,
       M.SmemAlign},
      {"the staging buffers", E.StagingOffset, Staging, M.SmemAlign}};
  std::string Notes;
  if (P.Split.used()) {
    // A byte for each row and one for each block, whole words of them.
    const int64_t Rows = P.tileRows() + P.InstructionN;
    const int64_t Flags = alignTo(blocksOf(P.Rows) + blocksOf(P.Cols), 8);
    if (P.Split.ScaleStageBytes != Rows || P.Split.FlagStageBytes != Flags)
      return fail(Property::MemoryMap,
                  formatv("{0} bytes of scales and {1} of flags a stage, where "
                          "{2} and {3} are used",
                          P.Split.ScaleStageBytes, P.Split.FlagStageBytes, Rows,
                          Flags));
    Buffers.push_back({"the scales", P.Split.ScaleOffset, P.Stages * Rows, 16});
    Buffers.push_back({"the flags", P.Split.FlagOffset, P.Stages * Flags, 8});
    Notes =
        formatv(" + scales {0} + flags {1}", P.Stages * Rows, P.Stages * Flags);
  }
  Buffers.push_back({"the barriers", P.BarrierOffset, BarrierBytes, 8});
  if (E.BufferBytes % M.SmemAlign || E.BufferBytes < 0 || E.Buffers < 0)
    return fail(
        Property::MemoryMap,
        formatv("staging buffers of {0} bytes are not aligned", E.BufferBytes));
  if (E.Kind == EpilogueKind::TmaStore && E.Buffers < 1)
    return fail(Property::MemoryMap, "an epilogue without a staging buffer");
  int64_t At = 0;
  for (const Buffer &Next : Buffers) {
    if (Next.Begin % Next.Align)
      return fail(Property::MemoryMap,
                  formatv("{0} at byte {1}, not a multiple of {2}", Next.Name,
                          Next.Begin, Next.Align));
    if (Next.Begin != At)
      return fail(Property::MemoryMap,
                  formatv("{0} begin at byte {1}, where {2} is the end of what "
                          "lies before",
                          Next.Name, Next.Begin, At));
    At += Next.Bytes;
  }
  if (E.StagingBytes != Staging)
    return fail(Property::MemoryMap,
                formatv("{0} bytes of staging, where {1} are used",
                        E.StagingBytes, Staging));
  if (At != P.SmemBytes || P.SmemBytes > M.MaxSmemPerCTA)
    return fail(Property::MemoryBudget,
                formatv("{0} bytes used, {1} asked for, {2} available", At,
                        P.SmemBytes, M.MaxSmemPerCTA));
  prove(formatv("shared memory: {0} stages of {1} + staging {2}{6} + barriers "
                "{3} = {4} of {5} bytes",
                P.Stages, P.StageBytes, E.StagingBytes, BarrierBytes,
                P.SmemBytes, M.MaxSmemPerCTA, Notes));
  return true;
}

bool Validator::checkRegisters() {
  std::vector<int64_t> Values = {P.ProducerRegisters, P.ConsumerRegisters};
  if (P.Split.used())
    Values.push_back(P.Split.Registers);
  for (int64_t R : Values)
    if (R < M.MinSetmaxnreg || R > M.MaxSetmaxnreg || R % M.SetmaxnregStep)
      return fail(Property::Registers,
                  formatv("{0} registers: setmaxnreg takes multiples of {1} "
                          "from {2} to {3}",
                          R, M.SetmaxnregStep, M.MinSetmaxnreg,
                          M.MaxSetmaxnreg));
  const int64_t Each =
      alignDown(launchRegisters(M, P.Threads), M.SetmaxnregStep);
  // What is more than was launched is waited for for ever.
  const int64_t Launched = Each * warpgroups();
  const int64_t Used = P.ProducerRegisters +
                       P.Split.Warpgroups * P.Split.Registers +
                       P.ConsumerWarpgroups * P.ConsumerRegisters;
  if (Used > Launched)
    return fail(
        Property::RegisterBudget,
        formatv("the warpgroups claim {0} registers of {1}", Used, Launched));
  // The producer gives up, the consumers take: setmaxnreg.dec and .inc.
  if (P.ProducerRegisters > Each || P.ConsumerRegisters < Each ||
      (P.Split.used() && P.Split.Registers > Each))
    return fail(
        Property::RegisterBudget,
        formatv("{0} are launched with: {1} can only give up, "
                "consumers only take",
                Each,
                P.Split.used() ? "producer and transform" : "the producer"));
  // Promoted sums are a second set, or in local memory.
  const int64_t Fragments = fragmentRegisters();
  const int64_t Sets = P.Split.used() && !Fragments ? 2 : 1;
  const int64_t Accumulators = P.rowBlocks() * P.Accumulators;
  const std::string Others =
      Sets > 1 ? " and as many sums"
      : Fragments
          ? formatv(" and twice {0} registers of rows", Fragments / 2).str()
          : "";
  if (Sets * Accumulators + Fragments >= P.ConsumerRegisters)
    return fail(Property::RegisterBudget,
                formatv("{0} accumulators{1} do not fit {2} registers",
                        Accumulators, Others, P.ConsumerRegisters));
  prove(formatv(
      "registers: {0} + {6}{1} x {2} = {3} of {4} per lane; {5} "
      "accumulators{7}",
      P.ProducerRegisters, P.ConsumerWarpgroups, P.ConsumerRegisters, Used,
      Launched, Accumulators,
      P.Split.used()
          ? formatv("{0} x {1} + ", P.Split.Warpgroups, P.Split.Registers).str()
          : "",
      Others));
  return true;
}

bool Validator::checkNamedBarriers() {
  const EpiloguePlan &E = P.Epilogue;
  const bool Staged = E.Kind == EpilogueKind::TmaStore;
  struct Use {
    const char *Name;
    int64_t First, Count, Threads;
  };
  std::vector<Use> Uses;
  if (Staged)
    Uses.push_back(
        {"stores", E.FirstBarrier, P.ConsumerWarpgroups, M.WarpgroupThreads});
  else if (E.FirstBarrier)
    return fail(Property::NamedBarrier, "direct stores need none");
  if (P.Pingpong)
    Uses.push_back({"turns", P.TurnBarrier, 2, P.TurnThreads});
  else if (P.TurnBarrier || P.TurnThreads)
    return fail(Property::NamedBarrier, "nobody takes turns");
  if (P.Pingpong && P.TurnThreads != 2 * M.WarpgroupThreads)
    return fail(Property::NamedBarrier,
                formatv("{0} threads meet for a turn, not the {1} of two "
                        "warpgroups",
                        P.TurnThreads, 2 * M.WarpgroupThreads));
  for (const Use &U : Uses)
    if (U.First < 1 || U.First + U.Count > 16)
      return fail(Property::NamedBarrier,
                  formatv("{0} use barriers {1} to {2}; there are 1 to 15 "
                          "beside that of __syncthreads",
                          U.Name, U.First, U.First + U.Count - 1));
  if (Uses.size() == 2 && Uses[0].First < Uses[1].First + Uses[1].Count &&
      Uses[1].First < Uses[0].First + Uses[0].Count)
    return fail(Property::NamedBarrier,
                "stores and turns use the same barriers");
  return true;
}

bool Validator::checkProtocol() {
  ProtocolCoverage Coverage;
  if (std::optional<ProtocolFailure> Failure = exploreProtocol(P, Coverage)) {
    Bad = {Failure->Violated, std::move(Failure->Message),
           std::move(Failure->Trace)};
    return false;
  }
  auto Copied = [](const OperandPlan &O) {
    return O.BoxCount * O.Shares * O.BoxBytes;
  };
  prove(formatv(
      "barriers: full {0} arrival + {1} bytes = {2} + {3}; {8}empty {4} "
      "arrivals = {5} CTA{6} x {7} {9}",
      P.FullArrivals, P.TransactionBytes, Copied(P.Rows), Copied(P.Cols),
      P.EmptyArrivals, P.clusterSize(), P.clusterSize() == 1 ? "" : "s",
      4 * groupsOfTile() * (P.Split.used() ? P.Split.WarpArrivals : 1),
      P.Split.used() ? formatv("ready {0} arrivals = {0} threads of the "
                               "transform; ",
                               P.Split.ReadyArrivals)
                           .str()
                     : "",
      P.Split.used() ? "threads" : "warps"));
  std::string Counts;
  for (int64_t K : Coverage.KBlocks)
    Counts += (Counts.empty() ? "" : ", ") + std::to_string(K);
  prove(formatv("protocol: all interleavings of {0} agents, {1} blocks of k by "
                "0 to {2} tiles, {3} operations: no deadlock, no stage{4} or "
                "buffer read early or overwritten in use, no parity mistaken, "
                "no exit with traffic pending",
                Coverage.Agents, Counts, Coverage.Tiles.back(),
                Coverage.Operations, P.Split.used() ? ", part, scale" : ""));
  return true;
}

std::variant<Certificate, Diagnosis> validatePlan(const KernelPlan &P,
                                                  const Machine &M) {
  return Validator(P, M).run();
}

} // namespace warpwright
