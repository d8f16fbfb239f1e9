//===- Wgmma.cpp - Multiply: sums stay in the tensor cores' accumulators --===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "../Members.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// Registers that a consumer needs besides its accumulators: with fewer, an
/// epilogue that loads a bias and a residual spills.
static constexpr int64_t OtherRegisters = 64;

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

static Expected<WgmmaAtom> atomOf(const KernelPlan &P) {
  return WgmmaAtom::create(P.InstructionN, P.multiplied().bits());
}

/// \p Atom leaves so many values with a thread, of which some share a register.
static int64_t registersOf(const WgmmaAtom &Atom, const KernelPlan &P) {
  return Atom.accumulators() / P.Multiply->sums(P).PerRegister;
}

Error WgmmaMultiply::derive(KernelPlan &P) const {
  Expected<WgmmaAtom> Atom = atomOf(P);
  if (!Atom)
    return Atom.takeError();
  P.InstructionK = Atom->K;
  P.Accumulators = registersOf(*Atom, P);
  P.Fragment = Atom->C.str();
  return Error::success();
}

std::string WgmmaMultiply::instruction(const KernelPlan &P) const {
  return formatv("wgmma m64n{0}k{1}", P.InstructionN,
                 P.InstructionK * (P.multiplied().Paired ? 2 : 1));
}

bool WgmmaMultiply::check(Validator &V) const {
  const KernelPlan &P = V.P;
  Expected<WgmmaAtom> Atom = atomOf(P);
  if (!Atom)
    return V.fail(Property::Tile, toString(Atom.takeError()));
  if (P.InstructionK != Atom->K || P.TileK % Atom->K)
    return V.fail(Property::Tile,
                  formatv("instructions of {0} along k, where the machine has "
                          "{1} and the tile {2}",
                          P.InstructionK, Atom->K, P.TileK));
  if (!isBijective(Atom->C))
    return V.fail(Property::Fragment, "the machine's fragment is no bijection");
  if (P.Fragment != Atom->C.str() || P.Accumulators != registersOf(*Atom, P))
    return V.fail(Property::Fragment,
                  formatv("{0} with {1} accumulators, where m64n{2}k{3} leaves "
                          "{4} with {5}",
                          P.Fragment, P.Accumulators, P.InstructionN, Atom->K,
                          Atom->C.str(), registersOf(*Atom, P)));
  V.prove(formatv("tile {0}x{1}x{2} = {3} x {4} {5} a block; fragment {6} is a "
                  "bijection",
                  P.TileM, P.TileN, P.TileK, P.tileRows() / WgmmaAtom::M,
                  P.TileK / Atom->K, instruction(P), Atom->C.str()));
  return true;
}

void WgmmaMultiply::members(MemberVisitor &V, KernelPlan &P) const {
  V.fact("multiply", Name);
  V.number("instruction_n", P.InstructionN);
  V.number("instruction_k", P.InstructionK);
  V.number("accumulators", P.Accumulators);
  V.text("fragment", P.Fragment);
}

void WgmmaMultiply::print(raw_ostream &OS, const KernelPlan &P) const {
  auto Suffix = [&](const OperandPlan &O) {
    const OperandPlan &Other = &O == &P.Rows ? P.Cols : P.Rows;
    return elementType(P.Feed->multiplied(O.Type, Other.Type))->Suffix;
  };
  OS << formatv("  multiply: {0}.{1}.{2}.{3}, {4} accumulators a thread\n",
                instruction(P), sums(P).Suffix, Suffix(P.Rows), Suffix(P.Cols),
                accumulatorsOf(P) * sums(P).PerRegister);
}

void WgmmaMultiply::compare(RuntimeComparison &C, const KernelPlan &P,
                            const rt::choice &Choice) const {
  C.number("instruction_k", P.InstructionK,
           rt::instruction_k(Choice.multiplied()));
  C.number("instruction_n", P.InstructionN, Choice.instruction_n());
  C.number("accumulators", P.Accumulators, Choice.accumulators());
}

Error WgmmaMultiply::checkKernel(const KernelPlan &P) const {
  if (P.InstructionN != P.Sums * P.tileColumns() || P.rowBlocks() < 1 ||
      P.tileRows() != WgmmaAtom::M * P.rowBlocks() * P.consumersOfTile())
    return layoutError("no kernel computes tiles of this shape");
  return Error::success();
}

void WgmmaMultiply::issue(ProtocolBuilder &B, int64_t Block) {
  B.add(ProtocolOp::FenceReads, Site::FenceOperands);
  B.touch(ProtocolOp::Read, Site::Multiply, B.stageOf(Block), Block);
}

//===----------------------------------------------------------------------===//
// Sums that stay in the accumulators
//===----------------------------------------------------------------------===//

Error StayingSums::checkRegisters(const KernelPlan &P) const {
  if (accumulatorsOf(P) + OtherRegisters > P.ConsumerRegisters)
    return layoutError(Twine(accumulatorsOf(P)) +
                       " accumulators a thread leave fewer than " +
                       Twine(OtherRegisters) + " of its " +
                       Twine(P.ConsumerRegisters) + " registers");
  return Error::success();
}

void StayingSums::multiply(ProtocolBuilder &B, int64_t Block, bool) const {
  issue(B, Block);
  B.add(ProtocolOp::WaitReads, Site::WaitProducts).Count = 1;
}

void StayingSums::finish(ProtocolBuilder &B) const {
  B.add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
}

namespace {

/// All products of an element are added by the tensor cores, because their sums
/// are as exact as they should be or because the user asks for that.
class Accumulating final : public StayingSums {
public:
  Accumulating() : StayingSums("wgmma", Clause::Fast) {}

  bool suits(const ElementType &E) const override {
    return !E.PromotedK && !E.Fragments;
  }
};

} // namespace

const MultiplyRole &wgmmaMultiply() {
  static const Accumulating Choice;
  return Choice;
}

} // namespace warpwright
