//===- Check.cpp - Verifying a plan from its own numbers ------------------===//
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

#include "Protocol.h"

#include "warpwright/Hopper/Epilogue.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Expression.h"
#include "warpwright/Plan/Plan.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

namespace {

class Checker {
public:
  Checker(const KernelPlan &P, const Machine &M) : P(P), M(M) {}

  Expected<std::vector<std::string>> run() {
    for (Error (Checker::*Step)() :
         {&Checker::checkShape, &Checker::checkOperands,
          &Checker::checkEpilogue, &Checker::checkMemoryMap,
          &Checker::checkBarriers, &Checker::checkProtocol,
          &Checker::checkRegisters})
      if (Error E = (this->*Step)())
        return E;
    return Lines;
  }

private:
  const KernelPlan &P;
  const Machine &M;
  std::vector<std::string> Lines;

  Error fail(const Twine &Message) {
    return layoutError("plan '" + P.Name + "': " + Message);
  }

  Error checkShape() {
    if (P.TileM <= 0 || P.TileN <= 0 || P.TileK <= 0 || P.Stages <= 0 ||
        P.ConsumerWarpgroups <= 0 || P.ClusterM <= 0 || P.ClusterN <= 0)
      return fail("an extent is not positive");
    if (P.rowBlocks() < 1 ||
        P.rowBlocks() * 64 * (P.Pingpong ? 1 : P.ConsumerWarpgroups) !=
            P.tileRows())
      return fail("the consumers' rows do not make up the tile");
    if (P.Rows.TileExtent != P.tileRows() ||
        P.Cols.TileExtent != P.tileColumns() ||
        P.InstructionN != P.tileColumns())
      return fail("the operands' extents are not the tile's");
    if (P.Rows.IsA == P.SwapAB || P.Cols.IsA != P.SwapAB)
      return fail("operands and swap_ab disagree");
    if (P.Threads != (P.ConsumerWarpgroups + 1) * M.WarpgroupThreads ||
        P.Threads > M.MaxThreadsPerCTA)
      return fail("wrong number of threads");
    if (P.clusterSize() > M.MaxPortableCluster)
      return fail("the cluster is too large");
    unsigned Bits = 8 * byteSize(P.Rows.Type);
    Expected<WgmmaAtom> Atom = WgmmaAtom::create(P.InstructionN, Bits);
    if (!Atom)
      return fail(toString(Atom.takeError()));
    if (P.Rows.Type != P.Cols.Type)
      return fail("the operands' types differ");
    if (!isBijective(Atom->C))
      return fail("the accumulator fragment is not a bijection");
    Lines.push_back(formatv(
        "tile {0}x{1}x{2} = {3} x {4} wgmma m64n{5}k{6} a block; fragment "
        "{7} is a bijection",
        P.TileM, P.TileN, P.TileK, P.tileRows() / 64, P.TileK / Atom->K,
        P.InstructionN, Atom->K, Atom->C.str()));
    return Error::success();
  }

  Expected<SmemLayout> readLayout(StringRef Text, unsigned Bits,
                                  SwizzleMode Mode) {
    Expected<SmemLayout> L = parseSmemLayout(Text, Bits);
    if (!L)
      return L.takeError();
    Expected<SwizzleMode> Has = L->mode();
    if (!Has)
      return Has.takeError();
    if (*Has != Mode)
      return fail("layout " + Text + " does not have swizzle " + name(Mode));
    return L;
  }

  Error checkOperand(const OperandPlan &O, const char *Name) {
    auto Wrong = [&](const Twine &Message) {
      return fail(Twine(Name) + " operand: " + Message);
    };
    unsigned Bits = 8 * byteSize(O.Type);
    int64_t Bytes = Bits / 8;
    Expected<SmemLayout> Tile = readLayout(O.SmemLayout, Bits, O.Swizzle);
    if (!Tile)
      return Tile.takeError();
    const Shape &S = Tile->Elements.shape();
    if (Tile->Elements.rank() != 2 || product(S[0]) != O.StoredExtent ||
        product(S[1]) != P.TileK || O.StoredExtent < O.TileExtent)
      return Wrong("layout " + O.SmemLayout + " is not the tile's");
    TileOffsets Offsets(*Tile);
    if (!Offsets.isBijective())
      return Wrong("layout " + O.SmemLayout + " is not a bijection");
    if (Tile->size() * Bytes != O.StageBytes)
      return Wrong("wrong number of bytes");

    // TMA: every copy of every share against the layout, each byte once.
    if (O.Box.size() != 2 || O.Box[0] < 1 || O.Box[1] < 1 ||
        O.Box[0] > M.TmaBoxMax || O.Box[1] > M.TmaBoxMax)
      return Wrong("a box must have 2 extents, 256 at most");
    if (O.Box[0] * Bytes % M.TmaAlign ||
        (O.Swizzle != SwizzleMode::None &&
         O.Box[0] * Bytes > spanBytes(O.Swizzle)))
      return Wrong("a box row does not fit swizzle " + name(O.Swizzle));
    if (O.BoxBytes != O.Box[0] * O.Box[1] * Bytes ||
        O.BoxStepBytes != O.BoxBytes * O.Shares)
      return Wrong("wrong bytes of a box");
    std::vector<bool> Written(Tile->size());
    for (int64_t I = 0; I < O.BoxCount; ++I)
      for (int64_t Share = 0; Share < O.Shares; ++Share)
        if (Error E = checkBox(O, Offsets, I, Share, Written, Name))
          return E;
    for (bool W : Written)
      if (!W)
        return Wrong("the boxes do not cover the tile");

    // WGMMA: the documented addressing against the layout.
    bool IsRows = &O == &P.Rows;
    int64_t Instruction = IsRows ? 64 : P.InstructionN, KPer = 32 / Bytes;
    if (O.Order == Major::MN && Bits != 16)
      return Wrong("only 16-bit operands may be contiguous along rows");
    SmemDescriptor D{O.Swizzle, O.Order, Bits, O.LeadingBytes, O.StrideBytes};
    for (int64_t K = 0; K < P.TileK; ++K)
      for (int64_t Row = 0; Row < O.TileExtent; ++Row) {
        int64_t Start =
            Row / Instruction * O.RowBlockBytes + K / KPer * O.KStepBytes;
        if (Start % 16)
          return Wrong("a wgmma operand does not start on 16 bytes");
        if (D.address(Start, Row % Instruction, K % KPer) != Offsets(Row, K))
          return Wrong("wgmma reads row " + Twine(Row) + ", k " + Twine(K) +
                       " from the wrong place");
      }
    Lines.push_back(formatv(
        "{0}: {1} is a bijection, written by {2} TMA box{3} of {4}x{5} ({6} "
        "bytes{7}), read by wgmma with LBO {8}, SBO {9}, k step {10}",
        Name, O.SmemLayout, O.BoxCount, O.BoxCount == 1 ? "" : "es", O.Box[0],
        O.Box[1], O.BoxBytes,
        O.Shares > 1 ? formatv(" each of {0} shares", O.Shares).str() : "",
        O.LeadingBytes, O.StrideBytes, O.KStepBytes));
    return Error::success();
  }

  Error checkBox(const OperandPlan &O, const TileOffsets &Offsets, int64_t I,
                 int64_t Share, std::vector<bool> &Written, const char *Name) {
    int64_t Bytes = byteSize(O.Type);
    int64_t Base = I * O.BoxStepBytes + Share * O.BoxBytes;
    int64_t Row0 = I * O.BoxStepRows + Share * O.ShareStepRows;
    int64_t K0 = I * O.BoxStepK + Share * O.ShareStepK;
    // A swizzled box must start where the pattern does.
    if (O.Swizzle != SwizzleMode::None && Base % (8 * spanBytes(O.Swizzle)))
      return fail(Twine(Name) + " operand: a box starts inside an atom");
    for (int64_t Y = 0; Y < O.Box[1]; ++Y)
      for (int64_t X = 0; X < O.Box[0]; ++X) {
        int64_t Row = Row0 + (O.Order == Major::K ? Y : X);
        int64_t K = K0 + (O.Order == Major::K ? X : Y);
        int64_t Address =
            byteSwizzle(O.Swizzle)(Base + (Y * O.Box[0] + X) * Bytes);
        if (Row >= O.StoredExtent || K >= P.TileK || Offsets(Row, K) != Address)
          return fail(Twine(Name) + " operand: TMA writes row " + Twine(Row) +
                      ", k " + Twine(K) + " to the wrong place");
        if (Written[Address / Bytes])
          return fail(Twine(Name) + " operand: boxes overlap");
        Written[Address / Bytes] = true;
      }
    return Error::success();
  }

  Error checkOperands() {
    if (P.Rows.Shares != P.clusterColumns() || P.Cols.Shares != P.clusterRows())
      return fail("the shares of the operands are not the cluster's");
    if (Error E = checkOperand(P.Rows, "rows"))
      return E;
    return checkOperand(P.Cols, "columns");
  }

  Error checkEpilogue() {
    const EpiloguePlan &E = P.Epilogue;
    if (E.Kind == EpilogueKind::Direct) {
      if (E.Buffers || E.BufferBytes || E.StagingBytes)
        return fail("direct stores need no staging");
      Lines.push_back("epilogue: predicated stores by each thread, inside the "
                      "output's extents only");
      return Error::success();
    }
    if (E.RowsContiguous != P.SwapAB)
      return fail("the slab is not contiguous along n");
    unsigned Bits = 8 * byteSize(E.Type);
    Expected<SmemLayout> Slab = readLayout(E.SmemLayout, Bits, E.Swizzle);
    if (!Slab)
      return Slab.takeError();
    const Shape &S = Slab->Elements.shape();
    if (Slab->Elements.rank() != 2 || product(S[0]) != 64 ||
        product(S[1]) != E.SlabColumns || P.tileColumns() % E.SlabColumns)
      return fail("the slab is not a part of the tile");
    TileOffsets Offsets(*Slab);
    if (!Offsets.isBijective())
      return fail("the slab's layout is not a bijection");
    if (Slab->size() * Bits / 8 > E.BufferBytes)
      return fail("the slab exceeds its buffer");
    int64_t Bytes = Bits / 8;
    if (E.Box.size() != 2 || E.Box[0] > M.TmaBoxMax || E.Box[1] > M.TmaBoxMax ||
        E.Box[0] * Bytes % M.TmaAlign ||
        E.Box[0] * Bytes > spanBytes(E.Swizzle))
      return fail("the store's box breaks a limit of TMA");
    if (E.BoxBytes != E.Box[0] * E.Box[1] * Bytes ||
        E.BoxBytes * E.BoxCount != Slab->size() * Bytes)
      return fail("the store's boxes do not make up the slab");
    for (int64_t I = 0; I < E.BoxCount; ++I)
      for (int64_t Y = 0; Y < E.Box[1]; ++Y)
        for (int64_t X = 0; X < E.Box[0]; ++X) {
          int64_t Inner = I * E.BoxStep + X;
          int64_t Row = E.RowsContiguous ? Inner : Y;
          int64_t Column = E.RowsContiguous ? Y : Inner;
          int64_t Address = byteSwizzle(E.Swizzle)(I * E.BoxBytes +
                                                   (Y * E.Box[0] + X) * Bytes);
          if (Row >= 64 || Column >= E.SlabColumns ||
              Offsets(Row, Column) != Address)
            return fail("TMA stores from the wrong place of the slab");
        }
    StoreConflicts Conflicts =
        Bits == 16 ? stmatrixConflicts(*Slab, !E.RowsContiguous)
                   : vectorStoreConflicts(*Slab, !E.RowsContiguous);
    Lines.push_back(formatv("epilogue: slab {0} is a bijection, stored by {1} "
                            "TMA box{2} of {3}x{4}; "
                            "{5} wavefronts a warp, {6} without conflicts",
                            E.SmemLayout, E.BoxCount,
                            E.BoxCount == 1 ? "" : "es", E.Box[0], E.Box[1],
                            Conflicts.Wavefronts, Conflicts.Ideal));
    return Error::success();
  }

  Error checkMemoryMap() {
    if (P.Rows.Offset % M.SmemAlign || P.Cols.Offset % M.SmemAlign ||
        P.StageBytes % M.SmemAlign || P.Epilogue.StagingOffset % M.SmemAlign ||
        P.Epilogue.BufferBytes % M.SmemAlign || P.BarrierOffset % 8)
      return fail("a buffer is not aligned for its swizzle");
    struct Piece {
      int64_t Begin, End;
    };
    Piece Pieces[] = {
        {P.Rows.Offset, P.Rows.Offset + P.Rows.StageBytes},
        {P.Cols.Offset, P.Cols.Offset + P.Cols.StageBytes},
        {P.StageBytes, P.Stages * P.StageBytes}, // the other stages
        {P.Epilogue.StagingOffset,
         P.Epilogue.StagingOffset + P.ConsumerWarpgroups * P.Epilogue.Buffers *
                                        P.Epilogue.BufferBytes},
        {P.BarrierOffset, P.BarrierOffset + 16 * P.Stages}};
    int64_t At = 0;
    for (const Piece &Next : Pieces) {
      if (Next.Begin < At)
        return fail("buffers overlap in shared memory");
      At = Next.End;
    }
    if (P.Epilogue.StagingBytes !=
        P.ConsumerWarpgroups * P.Epilogue.Buffers * P.Epilogue.BufferBytes)
      return fail("wrong bytes of staging");
    if (At > P.SmemBytes || P.SmemBytes > M.MaxSmemPerCTA)
      return fail("shared memory: " + Twine(At) + " bytes used, " +
                  Twine(P.SmemBytes) + " asked for, " + Twine(M.MaxSmemPerCTA) +
                  " available");
    Lines.push_back(formatv(
        "shared memory: {0} stages of {1} + staging {2} + barriers {3} = {4} "
        "of {5} bytes",
        P.Stages, P.StageBytes, P.Epilogue.StagingBytes, 16 * P.Stages,
        P.SmemBytes, M.MaxSmemPerCTA));
    return Error::success();
  }

  Error checkBarriers() {
    // Every CTA of a cluster column (or row) delivers one share of the tile to
    // this CTA's memory and counts its bytes on this CTA's barrier.
    int64_t Delivered = 0;
    for (const OperandPlan *O : {&P.Rows, &P.Cols})
      Delivered += O->Shares * O->BoxCount * O->BoxBytes;
    if (Delivered != P.TransactionBytes)
      return fail("a full barrier waits for " + Twine(P.TransactionBytes) +
                  " bytes, but " + Twine(Delivered) + " are delivered");
    if (P.TransactionBytes >= 1 << 20)
      return fail("more transaction bytes than a barrier can count");
    // Whoever reads a stage says so to every CTA of its cluster, because each
    // of them may have filled a part of it.
    int64_t Readers = P.Pingpong ? 1 : P.ConsumerWarpgroups;
    if (P.EmptyArrivals != 4 * Readers * P.clusterSize())
      return fail("an empty barrier expects " + Twine(P.EmptyArrivals) +
                  " arrivals, but " + Twine(4 * Readers * P.clusterSize()) +
                  " warps read a stage");
    Lines.push_back(formatv(
        "barriers: full 1 arrival + {0} bytes = {1} + {2}; empty {3} arrivals "
        "= {4} CTA{5} x {6} warps",
        P.TransactionBytes, P.Rows.StageBytes, P.Cols.StageBytes,
        P.EmptyArrivals, P.clusterSize(), P.clusterSize() == 1 ? "" : "s",
        4 * Readers));
    return Error::success();
  }

  Error checkProtocol() {
    Expected<std::string> Line = exploreProtocol(P);
    if (!Line)
      return fail(toString(Line.takeError()));
    Lines.push_back(std::move(*Line));
    return Error::success();
  }

  Error checkRegisters() {
    auto Legal = [&](int64_t R) {
      return R >= M.MinSetmaxnreg && R <= M.MaxSetmaxnreg &&
             R % M.SetmaxnregStep == 0;
    };
    if (!Legal(P.ProducerRegisters) || !Legal(P.ConsumerRegisters))
      return fail("setmaxnreg takes multiples of 8 from 24 to 256");
    int64_t Launched = launchRegisters(M, P.Threads) / M.SetmaxnregStep *
                       M.SetmaxnregStep * (P.ConsumerWarpgroups + 1);
    int64_t Used =
        P.ProducerRegisters + P.ConsumerWarpgroups * P.ConsumerRegisters;
    if (Used > Launched)
      return fail("the warpgroups claim " + Twine(Used) + " registers of " +
                  Twine(Launched));
    int64_t Accumulators = P.rowBlocks() * P.InstructionN / 2;
    if (Accumulators >= P.ConsumerRegisters)
      return fail("the accumulators do not fit in registers");
    Lines.push_back(formatv(
        "registers: {0} + {1} x {2} = {3} of {4} per lane; {5} accumulators",
        P.ProducerRegisters, P.ConsumerWarpgroups, P.ConsumerRegisters, Used,
        Launched, Accumulators));
    return Error::success();
  }
};

} // namespace

Error checkPlan(KernelPlan &P, const Machine &M) {
  Expected<std::vector<std::string>> Lines = Checker(P, M).run();
  if (!Lines)
    return Lines.takeError();
  P.Certificate = std::move(*Lines);
  return Error::success();
}

} // namespace warpwright
