//===- Pingpong.cpp - Schedule: consumers take turns ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProtocolBuilder.h"
#include "../Validation.h"

#include "warpwright/Hopper/Wgmma.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

/// Two consumers take turns with whole tiles: one multiplies while the other
/// stores.
class Pingpong final : public ScheduleRole {
public:
  Pingpong()
      : ScheduleRole("pingpong", Clause::Pingpong, "taking turns",
                     " taking turns") {}

  Error checkChoice(const PlanChoice &P) const override {
    if (P.ConsumerWarpgroups != 2)
      return layoutError("a ping-pong schedule has two consumer warpgroups");
    return Error::success();
  }
  void adapt(PlanChoice &P) const override { P.ConsumerWarpgroups = 2; }
  int64_t usualConsumers(const PlanChoice &) const override { return 2; }
  int64_t consumersOfTile(const PlanChoice &) const override { return 1; }
  int64_t groupBytes(const KernelPlan &) const override { return 0; }
  void deriveBarriers(KernelPlan &P, int64_t FirstBarrier,
                      const Machine &M) const override {
    P.TurnBarrier = FirstBarrier;
    P.TurnThreads = P.ConsumerWarpgroups * M.WarpgroupThreads;
  }

  bool checkShape(Validator &V) const override {
    if (V.P.ConsumerWarpgroups != 2)
      return V.fail(Property::Shape,
                    "two consumer warpgroups take turns, not " +
                        Twine(V.P.ConsumerWarpgroups));
    return true;
  }
  bool checkGroupBytes(Validator &V, const OperandPlan &O,
                       const char *Which) const override {
    if (O.GroupBytes)
      return V.fail(Property::Descriptor,
                    Twine(Which) +
                        ": a step between warpgroups that share no tile");
    return true;
  }
  bool checkNamedBarriers(Validator &V) const override {
    const int64_t Two = 2 * V.M.WarpgroupThreads;
    if (V.P.TurnThreads != Two)
      return V.fail(Property::NamedBarrier,
                    formatv("{0} threads meet for a turn, not the {1} of two "
                            "warpgroups",
                            V.P.TurnThreads, Two));
    V.NamedBarriers.push_back({"turns", V.P.TurnBarrier, 2});
    return true;
  }

  bool takes(int64_t Tile, int32_t Group) const override {
    return Tile % 2 == Group;
  }
  void beforeTile(ProtocolBuilder &B, int64_t Tile,
                  int32_t Group) const override {
    if (Tile > 0)
      B.meet(Site::TakeTurn, turn(B, Group), /*AlsoWait=*/true);
  }
  void afterProducts(ProtocolBuilder &B, int64_t Tile,
                     int32_t Group) const override {
    if (Tile + 1 < B.Run.Tiles)
      B.meet(Site::PassTurn, turn(B, Group ^ 1), /*AlsoWait=*/false);
  }

  void decide(rt::choice &C) const override { C.pingpong = true; }
  Error checkKernel(const KernelPlan &P) const override {
    if (P.ConsumerWarpgroups != 2)
      return layoutError("pingpong is played by two warpgroups");
    return Error::success();
  }

  std::vector<std::string> consumers(const KernelPlan &,
                                     StringRef) const override {
    return {"consumer warpgroups 1 and 2 in turns"};
  }
  const char *meanwhile() const override {
    return "While one warpgroup multiplies a tile, the other stores the tile "
           "before it.";
  }
  const char *readers() const override {
    return "The warpgroup whose turn it is reads all of it.";
  }
  const char *rowsOf() const override { return "tile"; }

private:
  static int32_t turn(ProtocolBuilder &B, int32_t Group) {
    return B.named(B.P.TurnBarrier + Group, B.P.TurnThreads);
  }
};

} // namespace

const ScheduleRole &pingpongSchedule() {
  static const Pingpong Choice;
  return Choice;
}

} // namespace warpwright
