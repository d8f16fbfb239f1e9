//===- Staged.cpp - Store: slabs by TMA -----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Derive.h"
#include "../Members.h"
#include "../ProtocolBuilder.h"
#include "../Remembered.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"

#include "warpwright/Hopper/Epilogue.h"
#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// The runtime's epilogue alternates between so many buffers.
static constexpr int64_t KernelBuffers = 2;

/// The most columns of a slab: with more, the registers would hold more sums
/// and, at the same time, the values that the epilogue makes of them.
static constexpr int64_t MostColumns = 64;

namespace {

/// Slabs of the tile go from registers to swizzled buffers, and TMA stores
/// them from there. Where a launch cannot store by TMA, predicated stores copy
/// them out.
class Staged final : public StoreRole {
public:
  Staged() : StoreRole("tma") {}

  /// A slab's values are in registers beside all sums, which leave none for
  /// values that are wider. All of a slab is stored.
  bool suits(const Output &O, ScalarType Sum) const override {
    return !O.When && !O.Atomic && O.stride("n").isOne() &&
           isStagedType(O.Type) && byteSize(O.Type) <= byteSize(Sum);
  }
  Expected<EpiloguePlan> derive(const Output &Out, const KernelPlan &P,
                                const Machine &M) const override;
  bool stages() const override { return true; }

  bool check(Validator &V) const override;
  bool checkMemory(Validator &V) const override {
    if (V.P.Epilogue.Buffers < 1)
      return V.fail(Property::MemoryMap,
                    "an epilogue without a staging buffer");
    return true;
  }
  bool checkNamedBarriers(Validator &V) const override {
    V.NamedBarriers.push_back(
        {"stores", V.P.Epilogue.FirstBarrier, V.P.storingConsumers()});
    return true;
  }

  void store(ProtocolBuilder &B, int32_t Group, bool Leader,
             int32_t &Slab) const override;
  void finish(ProtocolBuilder &B, bool Leader) const override {
    if (Leader)
      B.add(ProtocolOp::WaitStores, Site::DrainStores).Count = 0;
  }

  void members(MemberVisitor &V, EpiloguePlan &E) const override;
  void print(raw_ostream &OS, const KernelPlan &P) const override;

  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &N) const override;
  Error checkKernel(const KernelPlan &P, ScalarType Element) const override {
    if (P.Epilogue.Buffers != KernelBuffers)
      return layoutError("an epilogue alternates between " +
                         Twine(KernelBuffers) + " buffers");
    if (!isStagedType(Element))
      return layoutError("elements of type " + name(Element) +
                         " cannot be staged");
    return Error::success();
  }
};

} // namespace

Expected<EpiloguePlan> Staged::derive(const Output &Out, const KernelPlan &P,
                                      const Machine &M) const {
  const bool AlongRows = P.SwapAB;
  const int64_t Columns = P.tileColumns();
  EpiloguePlan E;
  E.Type = Out.Type;
  E.RowsContiguous = AlongRows;
  E.FirstBarrier = FirstNamedBarrier;
  unsigned Bits = 8 * byteSize(Out.Type);
  // As many columns as fill the widest swizzle's row and divide the tile.
  E.SlabColumns =
      std::min<int64_t>(spanBytes(SwizzleMode::B128) * 8 / Bits, MostColumns);
  E.SlabColumns = std::min(E.SlabColumns, P.Feed->mostSlabColumns());
  while (Columns % E.SlabColumns)
    E.SlabColumns /= 2;
  if (E.SlabColumns < 16) // a store of accumulators is 16 columns wide
    return layoutError("a tile of " + Twine(Columns) +
                       " columns cannot be stored in slabs of 16");
  Expected<SmemLayout> Slab =
      stagingTile(WgmmaAtom::M, E.SlabColumns, Bits, !AlongRows);
  if (!Slab)
    return Slab.takeError();
  E.SmemLayout = Slab->str();
  Expected<SwizzleMode> Mode = Slab->mode();
  if (!Mode)
    return Mode.takeError();
  E.Swizzle = *Mode;
  Expected<TmaBoxes> Boxes =
      rememberedBoxes(*Slab, AlongRows ? Major::MN : Major::K, M);
  if (!Boxes)
    return Boxes.takeError();
  E.Box = Boxes->Box;
  E.BoxCount = Boxes->Count;
  E.BoxBytes = Boxes->Bytes;
  if (Boxes->Count > 1)
    E.BoxStep = AlongRows ? Boxes->Starts[1].first : Boxes->Starts[1].second;
  if (Slab->bytes() > E.BufferBytes)
    return layoutError("a slab of " + Twine(Slab->bytes()) +
                       " bytes exceeds its buffer");
  return E;
}

static bool checkSlab(Validator &V, const SmemLayout &Slab) {
  const KernelPlan &P = V.P;
  const EpiloguePlan &E = P.Epilogue;
  const int64_t Bytes = Slab.Bits / 8, Columns = E.SlabColumns;
  const Shape &S = Slab.Elements.shape();
  // stmatrix and the accumulators of a wgmma come in 16 columns.
  if (Columns < 16 || Columns % 16 || P.tileColumns() % Columns ||
      product(S[0]) != WgmmaAtom::M || product(S[1]) != Columns)
    return V.fail(Property::Slab, "the slab is not a part of the tile");
  TileOffsets Offsets(Slab);
  if (!Offsets.isBijective())
    return V.fail(Property::Slab, "the slab's layout is not a bijection");
  if (Slab.bytes() > E.BufferBytes)
    return V.fail(Property::Slab, formatv("a slab of {0} bytes in a buffer of "
                                          "{1}",
                                          Slab.bytes(), E.BufferBytes));
  if (E.Box.size() != 2 || E.Box[0] < 1 || E.Box[1] < 1 ||
      E.Box[0] > V.M.TmaBoxMax || E.Box[1] > V.M.TmaBoxMax ||
      E.Box[0] * Bytes % V.M.TmaAlign ||
      E.Box[0] * Bytes > spanBytes(E.Swizzle))
    return V.fail(Property::Box, "the store's box breaks a limit of TMA");
  if (E.BoxCount < 1 || E.BoxBytes != E.Box[0] * E.Box[1] * Bytes ||
      E.BoxBytes * E.BoxCount != Slab.bytes() ||
      (E.BoxCount == 1 ? E.BoxStep != 0 : E.BoxStep != E.Box[0]))
    return V.fail(Property::Slab, "the store's boxes do not make up the slab");
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
          return V.fail(Property::Slab,
                        formatv("TMA stores row {0}, column {1} from byte {2}, "
                                "which the slab has elsewhere",
                                Row, Column, Address));
      }
  return true;
}

bool Staged::check(Validator &V) const {
  const KernelPlan &P = V.P;
  const EpiloguePlan &E = P.Epilogue;
  if (E.RowsContiguous != P.SwapAB)
    return V.fail(Property::Slab, "the slab is not contiguous along n");
  const unsigned Bits = 8 * byteSize(E.Type);
  std::optional<SmemLayout> Slab =
      V.readLayout(E.SmemLayout, Bits, E.Swizzle, Property::Slab);
  if (!Slab || !checkSlab(V, *Slab))
    return false;
  StoreConflicts Conflicts =
      Bits == 16 ? stmatrixConflicts(*Slab, !E.RowsContiguous)
                 : vectorStoreConflicts(*Slab, !E.RowsContiguous);
  V.prove(formatv("epilogue: slab {0} is a bijection, stored by {1} TMA box{2} "
                  "of {3}x{4}; {5} wavefronts a warp, {6} without conflicts",
                  E.SmemLayout, E.BoxCount, E.BoxCount == 1 ? "" : "es",
                  E.Box[0], E.Box[1], Conflicts.Wavefronts, Conflicts.Ideal));
  return true;
}

void Staged::store(ProtocolBuilder &B, int32_t Group, bool Leader,
                   int32_t &Slab) const {
  const EpiloguePlan &E = B.P.Epilogue;
  const int32_t Barrier =
      B.named(E.FirstBarrier + Group, B.WarpsPerGroup * B.WarpThreads);
  const int64_t Parts = B.P.rowBlocks() * (B.P.tileColumns() / E.SlabColumns);
  for (int64_t Part = 0; Part < Parts; ++Part, ++Slab) {
    const int32_t Buffer = B.stagingOf(Group) + Slab % int32_t(E.Buffers);
    auto Use = [&](ProtocolOp::Kind K, Site Where) {
      B.touch(K, Where, Buffer, Slab);
    };
    if (Leader)
      B.add(ProtocolOp::WaitStores, Site::WaitBuffer).Count =
          int32_t(E.Buffers) - 1;
    B.meet(Site::SyncBuffer, Barrier, /*AlsoWait=*/true);
    B.add(B.P.Feed->results(B.P), Site::ReadProducts);
    Use(ProtocolOp::Write, Site::StageSlab);
    B.add(ProtocolOp::FenceProxy, Site::FenceSlab);
    B.meet(Site::SyncSlab, Barrier, /*AlsoWait=*/true);
    if (!B.Run.TmaStores) {
      Use(ProtocolOp::Load, Site::CopySlab);
    } else if (Leader) {
      Use(ProtocolOp::Store, Site::StoreSlab);
      B.add(ProtocolOp::Commit, Site::CommitStore);
    }
  }
}

void Staged::members(MemberVisitor &V, EpiloguePlan &E) const {
  V.fact("rows_contiguous", E.RowsContiguous);
  V.text("layout", E.SmemLayout);
  V.swizzle("swizzle", E.Swizzle);
  V.number("slab_columns", E.SlabColumns);
  E.Box.resize(2);
  V.numbers("box", {&E.Box[0], &E.Box[1]});
  V.number("boxes", E.BoxCount);
  V.number("box_bytes", E.BoxBytes);
  V.number("box_step", E.BoxStep);
}

void Staged::print(raw_ostream &OS, const KernelPlan &P) const {
  const EpiloguePlan &E = P.Epilogue;
  OS << formatv("  epilogue: {0}, slab {1}, box {2}x{3}, {4} buffers of {5} "
                "bytes at {6}\n",
                name(E.Type), E.SmemLayout, E.Box[0], E.Box[1],
                P.storingConsumers() * E.Buffers, E.BufferBytes,
                E.StagingOffset);
}

void Staged::compare(RuntimeComparison &C, const KernelPlan &P,
                     const rt::plan_numbers &Numbers) const {
  const EpiloguePlan &E = P.Epilogue;
  const rt::slab_numbers &N = Numbers.slab;
  C.number("slab.cols", E.SlabColumns, N.cols);
  C.number("slab.accumulators",
           P.Accumulators * P.Multiply->sums(P).PerRegister * E.SlabColumns /
               P.InstructionN,
           N.accumulators);
  C.number("slab.box_inner", E.Box[0], N.box_inner);
  C.number("slab.box_outer", E.Box[1], N.box_outer);
  C.number("slab.box_bytes", E.BoxBytes, N.box_bytes);
  C.number("slab.boxes", E.BoxCount, N.boxes);
  C.number("slab.pitch", E.Box[0] * byteSize(E.Type), N.pitch);
  C.number("slab.swizzle_bytes", spanBytes(E.Swizzle), N.swizzle_bytes);
  C.number("slab.buffers", E.Buffers, N.buffers);
  C.number("slab.buffer_bytes", E.BufferBytes, N.buffer_bytes);
  C.number("slab.first_barrier", E.FirstBarrier, 1);
  C.number("staging_offset", E.StagingOffset, Numbers.staging_offset);
}

const StoreRole &stagedStore() {
  static const Staged Choice;
  return Choice;
}

} // namespace warpwright
