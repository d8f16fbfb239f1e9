//===- Mma.cpp - Multiply: each warp by mma.sync, from registers ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// wgmma does not know doubles; the FP64 tensor cores are reached by mma.sync,
/// whose operands and sums are registers of one warp. The warps of a warpgroup
/// take 16 rows each, so that together they hold 64 rows of sums, as one wgmma
/// leaves them.
///
//===----------------------------------------------------------------------===//

#include "Mma.h"
#include "../Members.h"
#include "../ProtocolBuilder.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"

#include "warpwright/Hopper/Atoms.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// Registers that a consumer needs besides its sums and the fragments of its
/// rows: the fragments of 8 columns and of the next 8, addresses and counters,
/// and in the epilogue what it loads.
static constexpr int64_t OtherRegisters = 64;
/// Of the fragments of 16 rows by 16 of k.
static constexpr int64_t RowsRegisters = 16;

MmaAtom mmaOfDoubles() {
  return cantFail(mmaAtom("SM90_16x8x16_F64F64F64F64_TN"));
}

/// The atoms that the warps of a warpgroup issue for 64 rows: one below the
/// other, and each warp's side by side.
static Expected<Layout> fragmentOf(const KernelPlan &P) {
  const MmaAtom Atom = mmaOfDoubles();
  Expected<TiledMma> Tiled = TiledMma::create(
      Atom, Layout({WgmmaAtom::M / Atom.MNK[0], 1, 1}, {1, 0, 0}),
      Tiler::byMode({Tiler(), Tiler(P.InstructionN), Tiler()}));
  if (!Tiled)
    return Tiled.takeError();
  return Tiled->threadValue(MmaOperand::C);
}

namespace {

/// All products of an element are added in registers of one thread, each
/// rounded as a double.
class Mma final : public MultiplyRole {
public:
  Mma() : MultiplyRole("mma", Clause::Default, "mma.sync") {}

  bool suits(const ElementType &E) const override { return E.Fragments; }
  bool fromFragments() const override { return true; }

  Error derive(KernelPlan &P) const override {
    Expected<Layout> Fragment = fragmentOf(P);
    if (!Fragment)
      return Fragment.takeError();
    P.InstructionK = mmaOfDoubles().MNK[2];
    P.Accumulators = product(Fragment->shape()[1]);
    P.Fragment = Fragment->str();
    return Error::success();
  }

  Error checkRegisters(const KernelPlan &P) const override {
    const int64_t Sums =
        P.rowBlocks() * P.Accumulators * P.multiplied().sum().Registers;
    const int64_t Others = P.rowBlocks() * RowsRegisters + OtherRegisters;
    if (Sums + Others > P.ConsumerRegisters)
      return layoutError(
          Twine(Sums) + " registers of sums a thread leave fewer than " +
          Twine(Others) + " of its " + Twine(P.ConsumerRegisters));
    return Error::success();
  }

  std::string instruction(const KernelPlan &P) const override {
    return formatv("mma.sync m16n8k{0}", P.InstructionK);
  }

  bool check(Validator &V) const override;
  ConsumerClaim claim(const KernelPlan &P) const override {
    return {1, P.rowBlocks() * RowsRegisters,
            formatv(", two for each sum, and {0} registers of rows",
                    P.rowBlocks() * RowsRegisters)};
  }

  void multiply(ProtocolBuilder &B, int64_t Block, bool) const override {
    B.touch(ProtocolOp::Load, Site::LoadFragments, B.stageOf(Block), Block);
  }
  ProtocolOp::Kind results() const override { return ProtocolOp::UseSums; }

  void members(MemberVisitor &V, KernelPlan &P) const override {
    V.fact("multiply", Name);
    V.number("instruction_n", P.InstructionN);
    V.number("instruction_k", P.InstructionK);
    V.number("accumulators", P.Accumulators);
    V.text("fragment", P.Fragment);
  }
  void print(raw_ostream &OS, const KernelPlan &P) const override {
    const char *Suffix = P.multiplied().Suffix;
    OS << formatv("  multiply: {0}.{1}.{2}.{2}, {3} sums a thread\n",
                  instruction(P), P.multiplied().sum().Suffix, Suffix,
                  P.rowBlocks() * P.Accumulators);
  }

  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::choice &Choice) const override {
    C.number("from_fragments", 1, Choice.by_fragments());
    C.number("instruction_k", P.InstructionK,
             rt::instruction_k(Choice.multiplied()));
    C.number("instruction_n", P.InstructionN, Choice.instruction_n());
    C.number("accumulators", P.Accumulators, Choice.accumulators());
  }
  Error checkKernel(const KernelPlan &P) const override {
    if (P.InstructionN != P.Sums * P.tileColumns() || P.rowBlocks() < 1 ||
        P.tileRows() != WgmmaAtom::M * P.rowBlocks() * P.consumersOfTile())
      return layoutError("no kernel computes tiles of this shape");
    return Error::success();
  }

  std::string words(const KernelPlan &) const override {
    return " Each sum is a double, in two registers.";
  }
  std::string ofBlock(const KernelPlan &P) const override {
    const MmaAtom Atom = mmaOfDoubles();
    return formatv("{0} x {1} {2}", WgmmaAtom::M / Atom.MNK[0],
                   P.InstructionN / Atom.MNK[1], instruction(P));
  }
  const char *leaves() const override {
    return "The mma.sync of four warps, 16 rows by 8 columns each, leave";
  }
};

} // namespace

bool Mma::check(Validator &V) const {
  const KernelPlan &P = V.P;
  const MmaAtom Atom = mmaOfDoubles();
  if (P.InstructionK != Atom.MNK[2] || P.TileK % Atom.MNK[2])
    return V.fail(Property::Tile,
                  formatv("instructions of {0} along k, where the machine has "
                          "{1} and the tile {2}",
                          P.InstructionK, Atom.MNK[2], P.TileK));
  Expected<Layout> Fragment = fragmentOf(P);
  if (!Fragment)
    return V.fail(Property::Tile, toString(Fragment.takeError()));
  if (!isBijective(*Fragment))
    return V.fail(Property::Fragment, "the warps' fragments are no bijection");
  if (P.Fragment != Fragment->str() ||
      P.Accumulators != product(Fragment->shape()[1]))
    return V.fail(Property::Fragment,
                  formatv("{0} with {1} sums, where the instructions leave {2} "
                          "with {3}",
                          P.Fragment, P.Accumulators, Fragment->str(),
                          product(Fragment->shape()[1])));
  // The epilogue finds them where wgmma would leave them.
  for (int64_t Thread = 0; Thread < V.M.WarpgroupThreads; ++Thread)
    for (int64_t I = 0; I < P.Accumulators; ++I) {
      const int64_t Index = (*Fragment)({Thread, I});
      const int64_t Row = rt::fragment::row(unsigned(Thread), unsigned(I));
      const int64_t Column = rt::fragment::col(unsigned(Thread), unsigned(I));
      if (Index != Row + WgmmaAtom::M * Column)
        return V.fail(Property::Fragment,
                      formatv("sum {0} of thread {1} is row {2}, column {3} to "
                              "the epilogue, and {4} of {5} in the fragment",
                              I, Thread, Row, Column, Index, P.Fragment));
    }
  V.prove(formatv("tile {0}x{1}x{2} = {3} x {4} {5} a block; fragment {6} is a "
                  "bijection",
                  P.TileM, P.TileN, P.TileK, P.tileRows() / Atom.MNK[0],
                  P.InstructionN / Atom.MNK[1] * (P.TileK / Atom.MNK[2]),
                  instruction(P), P.Fragment));
  return true;
}

const MultiplyRole &mmaMultiply() {
  static const Mma Choice;
  return Choice;
}

} // namespace warpwright
