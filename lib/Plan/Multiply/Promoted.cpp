//===- Promoted.cpp - Multiply: sums that leave the tensor cores early ----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Members.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"
#include "Wgmma.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// For types whose row of the table says nothing else. Two stages of 16-bit
/// elements: 8 instructions, each of which truncates the sum.
static constexpr int64_t UsualPromotedK = 128;

/// Registers beside accumulators and sums in the main loop, which has addresses
/// and counters there, and beside the sums in the epilogue.
static constexpr int64_t LoopRegisters = 24, EpilogueRegisters = 64;

namespace {

/// The tensor cores add so many products along k, and truncate with each
/// instruction; then the sums are added to others in ordinary registers, which
/// rounds to nearest, and the next products overwrite the accumulators.
class Promoted final : public WgmmaMultiply {
public:
  Promoted() : WgmmaMultiply("promoted", Clause::Promoted) {}

  bool suits(const ElementType &E) const override { return E.PromotedK; }
  bool scales() const override { return true; }

  Error derive(KernelPlan &P) const override {
    const int64_t Asked = P.multiplied().PromotedK;
    P.PromotedK = Asked ? Asked : UsualPromotedK;
    if (P.PromotedK % P.TileK)
      return layoutError("sums are promoted every " + Twine(P.PromotedK) +
                         " of k, between blocks of " + Twine(P.TileK));
    if (P.Stages < window(P))
      return layoutError("sums are promoted every " + Twine(window(P)) +
                         " stages; " + Twine(P.Stages) + " are too few");
    return WgmmaMultiply::derive(P);
  }
  Error checkRegisters(const KernelPlan &P) const override {
    const int64_t Sums = accumulatorsOf(P), Loop = LoopRegisters + scalesOf(P);
    if (Sums + std::max(Sums + Loop, EpilogueRegisters) > P.ConsumerRegisters)
      return layoutError(Twine(Sums) +
                         " accumulators and as many sums a thread leave fewer "
                         "than " +
                         Twine(Loop) + " of its " + Twine(P.ConsumerRegisters) +
                         " registers");
    return Error::success();
  }

  int64_t window(const KernelPlan &P) const override {
    return P.PromotedK / P.TileK;
  }

  /// Two sets of accumulators, and the sums; and more stages than the two that
  /// are multiplied. Scales would need registers, too. With windows of several
  /// stages, the last of which may have fewer, ptxas waits for each wgmma.
  bool promotesBehind(const KernelPlan &P) const override {
    constexpr int64_t LeastStages = 4;
    return window(P) == 1 && !P.Rows.Scaled && !P.Cols.Scaled &&
           P.Stages >= LeastStages &&
           3 * accumulatorsOf(P) + LoopRegisters <= P.ConsumerRegisters;
  }

  bool check(Validator &V) const override {
    const KernelPlan &P = V.P;
    if ((P.Rows.Scaled || P.Cols.Scaled) && P.PromotedK != P.TileK)
      return V.fail(Property::Tile,
                    formatv("sums are promoted every {0} of k, and scales are "
                            "those of {1}",
                            P.PromotedK, P.TileK));
    if (P.PromotedK < P.TileK || P.PromotedK % P.TileK)
      return V.fail(Property::Tile,
                    formatv("sums are promoted every {0} of k, between blocks "
                            "of {1}",
                            P.PromotedK, P.TileK));
    return WgmmaMultiply::check(V);
  }
  ConsumerClaim claim(const KernelPlan &P) const override {
    return promotesBehind(P) ? ConsumerClaim{3, 0, " twice and as many sums"}
                             : ConsumerClaim{2, 0, " and as many sums"};
  }

  void scope(const KernelPlan &P, ProtocolScope &Scope) const override {
    Scope.Trips = {window(P), window(P) + 1};
  }
  void multiply(ProtocolBuilder &B, int64_t Block,
                bool EndsWindow) const override {
    issue(B, Block);
    if (EndsWindow)
      B.add(ProtocolOp::WaitReads, Site::WaitLast).Count = 0;
  }
  void promote(ProtocolBuilder &B, int64_t Window) const override {
    B.add(ProtocolOp::UseResults, Site::Promote).Accumulators =
        promotesBehind(B.P) ? int32_t(Window % 2) : 0;
  }
  ProtocolOp::Kind results() const override { return ProtocolOp::UseSums; }

  void members(MemberVisitor &V, KernelPlan &P) const override {
    WgmmaMultiply::members(V, P);
    V.number("promoted_k", P.PromotedK);
  }
  void print(raw_ostream &OS, const KernelPlan &P) const override {
    WgmmaMultiply::print(OS, P);
    OS << formatv("    {0}added to as many sums every {1} of k{2}\n",
                  P.Rows.Scaled || P.Cols.Scaled ? "scaled and " : "",
                  P.PromotedK,
                  promotesBehind(P) ? ", while the next are multiplied" : "");
  }

  void decide(const KernelPlan &P, rt::choice &C) const override {
    C.promoted_k = int(P.PromotedK);
  }

  std::string words(const KernelPlan &P) const override {
    return formatv(" After {0} of k each is {1}added to a sum in another "
                   "register, and starts anew.",
                   P.PromotedK,
                   P.Rows.Scaled || P.Cols.Scaled
                       ? "multiplied by the scales of its block and "
                       : "");
  }

private:
  /// Registers of the scales of a thread's sums: of its two rows in each 64,
  /// and of its columns, of which it has two accumulators each.
  static int64_t scalesOf(const KernelPlan &P) {
    auto Of = [](const OperandPlan &O, int64_t Each) {
      return !O.Scaled ? 0 : O.ScaledAlike ? 1 : Each;
    };
    return Of(P.Rows, 2 * P.rowBlocks()) + Of(P.Cols, P.Accumulators / 2);
  }
};

} // namespace

const MultiplyRole &promotedMultiply() {
  static const Promoted Choice;
  return Choice;
}

} // namespace warpwright
