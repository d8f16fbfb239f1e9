//===- Language.cpp - Atoms in the expression language --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Atoms.h"
#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Draw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

using Value = ExpressionValue;
using Argument = ExpressionArgument;

static Error noMember(const ExpressionObject &Object, StringRef Name,
                      StringRef Known) {
  return layoutError(Object.kind() + " has no member '" + Name + "'; it has " +
                     Known);
}

static std::optional<MmaOperand> operandOf(StringRef Name) {
  return StringSwitch<std::optional<MmaOperand>>(Name)
      .Case("A", MmaOperand::A)
      .Case("B", MmaOperand::B)
      .Case("C", MmaOperand::C)
      .Default(std::nullopt);
}

static constexpr MmaOperand AllOperands[] = {MmaOperand::A, MmaOperand::B,
                                             MmaOperand::C};

/// The picture of an MMA whose thread-value layouts \p Of gives. An operand in
/// shared memory is visible to every thread as a whole, so only C is drawn
/// then.
static Expected<std::string>
mmaPicture(const MmaAtom &Atom, const Twine &Title,
           function_ref<Expected<ThreadValueLayout>(MmaOperand)> Of) {
  std::vector<Grid> Grids;
  for (MmaOperand O : AllOperands) {
    Expected<ThreadValueLayout> L = Of(O);
    if (!L)
      return L.takeError();
    Expected<Grid> G = threadValueGrid(*L);
    if (!G)
      return G.takeError();
    Grids.push_back(std::move(*G));
  }
  if (Atom.FromSmem[0]) {
    Grids[2].Title = (Title + "  C  " + Grids[2].Title).str();
    return drawSvg(Grids[2]);
  }
  return drawMmaSvg(Title.str(), Grids[0],
                    Atom.FromSmem[1] ? nullptr : &Grids[1], Grids[2]);
}

namespace {

class MmaObject : public ExpressionObject {
public:
  explicit MmaObject(MmaAtom Atom) : Atom(std::move(Atom)) {}
  const MmaAtom Atom;

  std::string kind() const override { return "an MMA atom"; }
  std::string str() const override {
    std::string Text = "thr " + Atom.Threads.str();
    for (MmaOperand O : AllOperands)
      Text += std::string("\n") + "ABC"[int(O)] + "   " + Atom.values(O).str();
    return Text;
  }
  Expected<Value> member(StringRef Name) const override {
    if (Name == "thr")
      return Value(ComposedLayout(Atom.Threads));
    if (std::optional<MmaOperand> O = operandOf(Name))
      return Value(
          ThreadValueLayout{Atom.values(*O), Atom.tile(*O), Atom.Threads});
    return noMember(*this, Name, "A, B, C and thr");
  }
  Expected<std::string> svg() const override {
    return mmaPicture(Atom, Atom.Name, [&](MmaOperand O) {
      return ThreadValueLayout{Atom.values(O), Atom.tile(O), Atom.Threads};
    });
  }
};

class TiledMmaObject : public ExpressionObject {
public:
  explicit TiledMmaObject(TiledMma Mma) : Mma(std::move(Mma)) {}
  const TiledMma Mma;

  std::string kind() const override { return "a tiled MMA"; }
  std::string str() const override {
    std::string Text = "thr " + Mma.threads().str();
    for (MmaOperand O : AllOperands)
      if (Expected<Layout> L = Mma.threadValue(O))
        Text += std::string("\n") + "ABC"[int(O)] + "   " + L->str();
      else
        Text += std::string("\n") + "ABC"[int(O)] + "   (" +
                toString(L.takeError()) + ")";
    return Text;
  }
  Expected<Value> member(StringRef Name) const override {
    if (Name == "thr")
      return Value(ComposedLayout(Mma.threads()));
    std::optional<MmaOperand> O = operandOf(Name);
    if (!O)
      return noMember(*this, Name, "A, B, C and thr");
    Expected<Layout> L = Mma.threadValue(*O);
    if (!L)
      return L.takeError();
    return Value(ThreadValueLayout{*L, Mma.tile(*O)});
  }
  Expected<std::string> svg() const override {
    auto Of = [&](MmaOperand O) -> Expected<ThreadValueLayout> {
      Expected<Layout> L = Mma.threadValue(O);
      if (!L)
        return L.takeError();
      return ThreadValueLayout{*L, Mma.tile(O)};
    };
    return mmaPicture(Mma.atom(),
                      Mma.atom().Name + ", threads " + Mma.threads().str(), Of);
  }
};

class CopyObject : public ExpressionObject {
public:
  CopyObject(CopyAtom Atom, std::optional<unsigned> Bits)
      : Atom(std::move(Atom)), Bits(Bits) {}
  const CopyAtom Atom;
  const std::optional<unsigned> Bits; ///< of an element, if it was given

  std::string kind() const override { return "a copy atom"; }
  std::string str() const override {
    return "thr " + Atom.Threads.str() + "\nsrc " + Atom.Source.str() +
           "\ndst " + Atom.Destination.str();
  }
  Expected<Value> member(StringRef Name) const override {
    const Layout *L = StringSwitch<const Layout *>(Name)
                          .Case("thr", &Atom.Threads)
                          .Case("src", &Atom.Source)
                          .Case("dst", &Atom.Destination)
                          .Case("ref", &Atom.Reference)
                          .Default(nullptr);
    if (!L)
      return noMember(*this, Name, "src, dst, ref and thr, all in bits");
    return Value(ComposedLayout(*L));
  }
};

class TiledCopyObject : public ExpressionObject {
public:
  explicit TiledCopyObject(TiledCopy Copy) : Copy(std::move(Copy)) {}
  const TiledCopy Copy;

  std::string kind() const override { return "a tiled copy"; }
  std::string str() const override {
    return "tv    " + Copy.threadValue().str() + "\ntiler " + Copy.tile().str();
  }
  Expected<Value> member(StringRef Name) const override {
    if (Name == "tv")
      return Value(ThreadValueLayout{Copy.threadValue(), Copy.tile()});
    if (Name == "tiler")
      return Value(Copy.tile());
    return noMember(*this, Name, "tv and tiler");
  }
};

class DescriptorObject : public ExpressionObject {
public:
  DescriptorObject(OperandAccess Access, int64_t Rows, int64_t Start,
                   std::optional<Layout> Stages)
      : Access(std::move(Access)), Rows(Rows), Start(Start),
        Stages(std::move(Stages)) {}
  const OperandAccess Access;
  const int64_t Rows; ///< of one instruction
  const int64_t Start;
  const std::optional<Layout> Stages; ///< their steps in bytes

  std::string kind() const override { return "a descriptor"; }
  std::string str() const override {
    const SmemDescriptor &D = Access.Descriptor;
    return (Twine("0x") + utohexstr(D.encode(Start), true, 16) + ": start " +
            Twine(Start) + ", lbo " + Twine(D.LeadingBytes) + ", sbo " +
            Twine(D.StrideBytes) + ", swizzle " + name(D.Mode) + ", " +
            name(D.Order) + "-major\nk " + Access.KSteps.str() + "\nrows " +
            Access.RowBlocks.str() + " by " + Twine(Rows) +
            (Stages ? "\nstages " + Stages->str() : ""))
        .str();
  }
  Expected<Value> member(StringRef Name) const override {
    if (Name == "k")
      return Value(ComposedLayout(Access.KSteps));
    if (Name == "rows")
      return Value(ComposedLayout(Access.RowBlocks));
    if (Name == "stages" && Stages)
      return Value(ComposedLayout(*Stages));
    return noMember(*this, Name,
                    Stages ? "k, rows and stages, the steps in bytes"
                           : "k and rows, the steps in bytes");
  }
};

class BoxObject : public ExpressionObject {
public:
  explicit BoxObject(TmaBoxes Boxes) : Boxes(std::move(Boxes)) {}
  const TmaBoxes Boxes;

  std::string kind() const override { return "a TMA box"; }
  std::string str() const override {
    return ("box (" + Twine(Boxes.Box[0]) + "," + Twine(Boxes.Box[1]) + "), " +
            Twine(Boxes.Count) + (Boxes.Count == 1 ? " copy" : " copies") +
            " of " + Twine(Boxes.Bytes) + " bytes")
        .str();
  }
  Expected<Value> member(StringRef Name) const override {
    if (Name == "box")
      return Value(IntTuple{Boxes.Box[0], Boxes.Box[1]});
    if (Name == "count")
      return Value(IntTuple(Boxes.Count));
    return noMember(*this, Name, "box and count");
  }
};

/// The object of class \p Object in \p A.
template <class Object>
Expected<const Object *> objectIn(const Argument &A, const char *Kind) {
  if (const auto *Any =
          std::get_if<std::shared_ptr<const ExpressionObject>>(&A.Value))
    if (const auto *It = dynamic_cast<const Object *>(Any->get()))
      return It;
  return A.fail(Twine("expected ") + Kind);
}

class MachineLibrary : public ExpressionLibrary {
public:
  bool contains(StringRef Name) const override {
    return is_contained(Names, Name);
  }
  Expected<Value> call(StringRef Name, ArrayRef<Argument> Args) const override;

private:
  static constexpr StringLiteral Names[] = {
      "copy",         "descriptor",      "fragment_A",  "fragment_B",
      "fragment_C",   "make_tiled_copy", "mma",         "partition_A",
      "partition_B",  "partition_C",     "partition_D", "partition_S",
      "retile_D",     "retile_S",        "smem_atom",   "tiled_copy_A",
      "tiled_copy_B", "tiled_copy_C",    "tiled_mma",   "tma_box"};
};

} // namespace

template <class Object> static Value makeObject(Object O) {
  return std::shared_ptr<const ExpressionObject>(
      std::make_shared<Object>(std::move(O)));
}

static Error checkCount(StringRef Name, ArrayRef<Argument> Args, size_t Min,
                        size_t Max) {
  if (Args.size() >= Min && Args.size() <= Max)
    return Error::success();
  return layoutError(Name + " takes " + Twine(Min) +
                     (Max > Min ? " to " + Twine(Max) : Twine("")) +
                     " arguments, not " + Twine(Args.size()));
}

/// The width of a type by name, or a number of bits.
static Expected<unsigned> bitsOf(const Argument &A) {
  if (std::holds_alternative<IntTuple>(A.Value)) {
    Expected<int64_t> Bits = A.integer();
    if (!Bits)
      return Bits.takeError();
    if (*Bits < 8 || *Bits > 128 || !isPowerOf2_64(*Bits))
      return A.fail("an element has 8, 16, 32, 64 or 128 bits");
    return unsigned(*Bits);
  }
  Expected<std::string> Name = A.word();
  if (!Name)
    return Name.takeError();
  unsigned Bits = StringSwitch<unsigned>(StringRef(*Name).lower())
                      .Cases({"bf16", "f16", "fp16", "half"}, 16)
                      .Cases({"tf32", "f32", "float", "s32"}, 32)
                      .Cases({"e4m3", "e5m2", "s8", "u8", "f8"}, 8)
                      .Cases({"f64", "double"}, 64)
                      .Default(0);
  if (!Bits)
    return A.fail("unknown type '" + *Name +
                  "'; expected bf16, f16, tf32, e4m3, e5m2, s8, u8 or a "
                  "number of bits");
  return Bits;
}

/// `K` or `MN`.
static Expected<Major> majorOf(const Argument &A) {
  Expected<std::string> Order = A.word();
  if (!Order)
    return Order.takeError();
  if (*Order != "K" && *Order != "MN")
    return A.fail("expected K or MN");
  return *Order == "K" ? Major::K : Major::MN;
}

/// The arguments (layout, type, K|MN).
static Expected<std::pair<SmemLayout, Major>>
smemArguments(ArrayRef<Argument> Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<unsigned> Bits = bitsOf(Args[1]);
  if (!Bits)
    return Bits.takeError();
  Expected<Major> Order = majorOf(Args[2]);
  if (!Order)
    return Order.takeError();
  SmemLayout Tile{*L, *Bits};
  // CuTe prints the swizzle of a shared-memory tensor as it acts on bytes, in
  // front of a layout in elements. No hardware swizzle in one unit is a
  // different hardware swizzle in the other, so both notations are accepted.
  if (Expected<SwizzleMode> Mode = Tile.mode(); !Mode) {
    Expected<SwizzleMode> OnBytes = modeOfByteSwizzle(L->swizzle());
    if (!OnBytes) {
      consumeError(OnBytes.takeError());
      return Args[0].fail(toString(Mode.takeError()));
    }
    consumeError(Mode.takeError());
    Swizzle S = L->swizzle();
    S.Base -= Log2_32(*Bits / 8);
    Tile.Elements = ComposedLayout(S, L->offset(), L->outer());
  }
  if (Tile.Elements.size() > 1 << 20)
    return Args[0].fail("larger than any shared memory");
  return std::pair(Tile, *Order);
}

/// smem_atom(type, K|MN, extent of the contiguous mode, or INTER|SW32|SW64|
/// SW128): in elements; with `bytes` as a last argument as CuTe prints it, with
/// a swizzle of bytes in front of the layout in elements.
static Expected<Value> callSmemAtom(ArrayRef<Argument> Args) {
  Expected<unsigned> Bits = bitsOf(Args[0]);
  if (!Bits)
    return Bits.takeError();
  Expected<Major> Order = majorOf(Args[1]);
  if (!Order)
    return Order.takeError();
  Expected<SwizzleMode> Mode = SwizzleMode::None;
  if (std::holds_alternative<IntTuple>(Args[2].Value)) {
    Expected<int64_t> Extent = Args[2].integer();
    if (!Extent)
      return Extent.takeError();
    if (*Extent < 1 || *Extent > 1 << 20)
      return Args[2].fail("an extent is from 1 to 2^20");
    Mode = widestSwizzle(*Extent, *Bits);
    if (!Mode)
      return Args[2].fail(toString(Mode.takeError()));
  } else {
    Expected<std::string> Name = Args[2].word();
    if (!Name)
      return Name.takeError();
    std::optional<SwizzleMode> Named =
        StringSwitch<std::optional<SwizzleMode>>(*Name)
            .Case("INTER", SwizzleMode::None)
            .Case("SW32", SwizzleMode::B32)
            .Case("SW64", SwizzleMode::B64)
            .Case("SW128", SwizzleMode::B128)
            .Default(std::nullopt);
    if (!Named)
      return Args[2].fail("expected the extent of the contiguous mode, or "
                          "INTER, SW32, SW64 or SW128");
    Mode = *Named;
  }
  ComposedLayout Elements = smemAtom(*Order, *Mode, *Bits).Elements;
  if (Args.size() == 3)
    return Value(Elements);
  Expected<std::string> Unit = Args[3].word();
  if (!Unit)
    return Unit.takeError();
  if (*Unit != "bytes")
    return Args[3].fail("expected bytes");
  return Value(
      ComposedLayout(byteSwizzle(*Mode), Elements.offset(), Elements.outer()));
}

/// make_tiled_copy(copy(NAME,type), layout of threads, layout of values).
static Expected<Value> callMakeTiledCopy(ArrayRef<Argument> Args) {
  Expected<const CopyObject *> Atom =
      objectIn<CopyObject>(Args[0], "a copy atom, as in copy(NAME,type)");
  if (!Atom)
    return Atom.takeError();
  if (!(*Atom)->Bits)
    return Args[0].fail("the elements have no type; expected copy(NAME,type)");
  Expected<Layout> Threads = Args[1].plainLayout();
  if (!Threads)
    return Threads.takeError();
  Expected<Layout> Values = Args[2].plainLayout();
  if (!Values)
    return Values.takeError();
  Expected<TiledCopy> Copy =
      TiledCopy::create((*Atom)->Atom, *(*Atom)->Bits, *Threads, *Values);
  if (!Copy)
    return Copy.takeError();
  return makeObject(TiledCopyObject(*Copy));
}

/// The operand tile \p Tile: for B all rows may belong to one instruction;
/// otherwise it is divided into blocks of 64. Also returns the rows of an
/// instruction.
static Expected<std::pair<OperandAccess, int64_t>>
describeTile(const SmemLayout &Tile, Major Order) {
  int64_t Rows = product(Tile.Elements.shape()[0]);
  if (Rows <= 256 && Rows % 8 == 0) {
    Expected<OperandAccess> Whole = accessOf(Tile, Order, Rows);
    if (Whole)
      return std::pair(*Whole, Rows);
    if (Rows % WgmmaAtom::M || Rows == WgmmaAtom::M)
      return Whole.takeError();
    consumeError(Whole.takeError());
  }
  Expected<OperandAccess> Blocks = accessOf(Tile, Order, WgmmaAtom::M);
  if (!Blocks)
    return Blocks.takeError();
  return std::pair(*Blocks, WgmmaAtom::M);
}

static Expected<Value> callDescriptor(ArrayRef<Argument> Args) {
  auto Smem = smemArguments(Args);
  if (!Smem)
    return Smem.takeError();
  auto &[Tile, Order] = *Smem;
  const ComposedLayout &All = Tile.Elements;
  if (All.rank() != 2 && All.rank() != 3)
    return Args[0].fail("an operand tile has two modes, (rows, k), or three "
                        "with its stages");
  Layout Stages = All.rank() == 3 ? All.outer().mode(2) : Layout();
  std::optional<std::pair<OperandAccess, int64_t>> First;
  for (int64_t I = 0; I < Stages.size(); ++I) {
    // Every stage must have the same layout as the first one, from its own
    // start.
    Layout Outer = Layout::join({All.outer().mode(0), All.outer().mode(1)});
    int64_t Offset = All.offset() + Stages(I);
    SmemLayout Stage{All.swizzle().isIdentity() && !Offset
                         ? ComposedLayout(Outer)
                         : ComposedLayout(All.swizzle(), Offset, Outer),
                     Tile.Bits};
    auto Access = describeTile(Stage, Order);
    if (!Access && All.rank() == 3)
      return layoutError("stage " + Twine(I) + ": " +
                         toString(Access.takeError()));
    if (!Access)
      return Access.takeError();
    if (!First)
      First = *Access;
  }
  std::optional<Layout> Steps;
  if (All.rank() == 3) {
    Expected<Layout> Bytes =
        composition(Layout(1 << 20, Tile.Bits / 8), coalesce(Stages));
    if (!Bytes)
      return Bytes.takeError();
    Steps = *Bytes;
  }
  return makeObject(DescriptorObject(First->first, First->second,
                                     All.offset() * Tile.Bits / 8, Steps));
}

static Expected<Value> callTiledMma(ArrayRef<Argument> Args) {
  Expected<const MmaObject *> Atom =
      objectIn<MmaObject>(Args[0], "an MMA atom, as in mma(NAME)");
  if (!Atom)
    return Atom.takeError();
  Layout Atoms(IntTuple{1, 1, 1}, IntTuple{0, 0, 0});
  if (Args.size() > 1) {
    Expected<Layout> L = Args[1].plainLayout();
    if (!L)
      return L.takeError();
    Atoms = *L;
    // A shape alone is a compact layout; single atoms have no stride.
    if (const auto *S = std::get_if<IntTuple>(&Args[1].Value)) {
      std::vector<IntTuple> Order;
      for (unsigned I = 0; I < S->rank(); ++I)
        Order.push_back(I);
      Expected<Layout> Compact = orderedLayout(
          *S, S->isTuple() ? IntTuple::tuple(Order) : IntTuple(0));
      if (!Compact)
        return Compact.takeError();
      Atoms = *Compact;
    }
  }
  Tiler Permutation;
  if (Args.size() > 2) {
    Expected<Tiler> T = Args[2].tiler();
    if (!T)
      return T.takeError();
    Permutation = *T;
  }
  Expected<TiledMma> Mma = TiledMma::create((*Atom)->Atom, Atoms, Permutation);
  if (!Mma)
    return Mma.takeError();
  return makeObject(TiledMmaObject(*Mma));
}

static Expected<Value> callTiledCopy(MmaOperand O, ArrayRef<Argument> Args) {
  Expected<const CopyObject *> Atom =
      objectIn<CopyObject>(Args[0], "a copy atom, as in copy(NAME)");
  if (!Atom)
    return Atom.takeError();
  Expected<const TiledMmaObject *> Mma =
      objectIn<TiledMmaObject>(Args[1], "a tiled MMA");
  if (!Mma)
    return Mma.takeError();
  Expected<TiledCopy> Copy = TiledCopy::create(
      (*Atom)->Atom, (*Atom)->Bits.value_or((*Mma)->Mma.atom().Bits[int(O)]),
      (*Mma)->Mma, O);
  if (!Copy)
    return Copy.takeError();
  return makeObject(TiledCopyObject(*Copy));
}

/// partition_A|B|C(tiled, layout, thread), fragment_A|B|C(tiled, layout).
static Expected<Value> callMmaPart(bool Fragment, MmaOperand O,
                                   ArrayRef<Argument> Args) {
  Expected<const TiledMmaObject *> Mma =
      objectIn<TiledMmaObject>(Args[0], "a tiled MMA");
  if (!Mma)
    return Mma.takeError();
  Expected<ComposedLayout> L = Args[1].layout();
  if (!L)
    return L.takeError();
  if (Fragment) {
    Expected<Layout> R = (*Mma)->Mma.fragment(O, *L);
    if (!R)
      return R.takeError();
    return Value(ComposedLayout(*R));
  }
  Expected<int64_t> Thread = Args[2].integer();
  if (!Thread)
    return Thread.takeError();
  Expected<ComposedLayout> R = (*Mma)->Mma.partition(O, *L, *Thread);
  if (!R)
    return R.takeError();
  return Value(*R);
}

/// partition_S|D(tiled copy, layout, thread), retile_S|D(tiled copy, layout).
static Expected<Value> callCopyPart(StringRef Name, ArrayRef<Argument> Args) {
  Expected<const TiledCopyObject *> Copy =
      objectIn<TiledCopyObject>(Args[0], "a tiled copy");
  if (!Copy)
    return Copy.takeError();
  if (Name.starts_with("retile")) {
    Expected<Layout> L = Args[1].plainLayout();
    if (!L)
      return L.takeError();
    Expected<Layout> R = (*Copy)->Copy.retile(*L);
    if (!R)
      return R.takeError();
    return Value(ComposedLayout(*R));
  }
  Expected<ComposedLayout> L = Args[1].layout();
  if (!L)
    return L.takeError();
  Expected<int64_t> Thread = Args[2].integer();
  if (!Thread)
    return Thread.takeError();
  Expected<ComposedLayout> R =
      Name == "partition_S" ? (*Copy)->Copy.partitionSource(*L, *Thread)
                            : (*Copy)->Copy.partitionDestination(*L, *Thread);
  if (!R)
    return R.takeError();
  return Value(*R);
}

Expected<Value> MachineLibrary::call(StringRef Name,
                                     ArrayRef<Argument> Args) const {
  size_t Min = 3, Max = 3;
  if (Name == "mma")
    Min = Max = 1;
  else if (Name == "copy" || Name == "tiled_mma")
    Min = 1, Max = Name == "copy" ? 2 : 3;
  else if (Name == "smem_atom")
    Max = 4;
  else if (Name.starts_with("fragment") || Name.starts_with("retile") ||
           Name.starts_with("tiled_copy"))
    Min = Max = 2;
  if (Error E = checkCount(Name, Args, Min, Max))
    return E;

  if (Name == "mma" || Name == "copy") {
    Expected<std::string> Atom = Args[0].word();
    if (!Atom)
      return Atom.takeError();
    if (Name == "mma") {
      Expected<MmaAtom> Found = mmaAtom(*Atom);
      if (!Found)
        return Args[0].fail(toString(Found.takeError()));
      return makeObject(MmaObject(*Found));
    }
    Expected<CopyAtom> Found = copyAtom(*Atom);
    if (!Found)
      return Args[0].fail(toString(Found.takeError()));
    std::optional<unsigned> Bits;
    if (Args.size() == 2) {
      Expected<unsigned> Given = bitsOf(Args[1]);
      if (!Given)
        return Given.takeError();
      Bits = *Given;
    }
    return makeObject(CopyObject(*Found, Bits));
  }
  if (Name == "tiled_mma")
    return callTiledMma(Args);
  if (Name == "smem_atom")
    return callSmemAtom(Args);
  if (Name == "make_tiled_copy")
    return callMakeTiledCopy(Args);
  if (Name == "descriptor")
    return callDescriptor(Args);
  if (Name == "tma_box") {
    auto Smem = smemArguments(Args);
    if (!Smem)
      return Smem.takeError();
    Expected<TmaBoxes> Boxes = tmaBoxes(Smem->first, Smem->second);
    if (!Boxes)
      return Boxes.takeError();
    return makeObject(BoxObject(*Boxes));
  }
  if (Name.starts_with("retile") || Name == "partition_S" ||
      Name == "partition_D")
    return callCopyPart(Name, Args);
  MmaOperand O = *operandOf(Name.take_back(1));
  if (Name.starts_with("tiled_copy"))
    return callTiledCopy(O, Args);
  return callMmaPart(Name.starts_with("fragment"), O, Args);
}

const ExpressionLibrary &machineLibrary() {
  static const MachineLibrary Library;
  return Library;
}

} // namespace warpwright
