//===- Shared.cpp - Schedule: consumers share each tile -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Validation.h"

#include "warpwright/Hopper/Wgmma.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

/// Each consumer multiplies some rows of every tile.
class Shared final : public ScheduleRole {
public:
  Shared()
      : ScheduleRole("cooperative", Clause::Cooperative, "sharing tiles", "") {}

  void adapt(PlanChoice &P) const override {
    P.ConsumerWarpgroups = std::min(P.ConsumerWarpgroups, usualConsumers(P));
  }
  int64_t usualConsumers(const PlanChoice &P) const override {
    return P.tileRows() % 128 == 0 ? 2 : 1;
  }
  int64_t consumersOfTile(const PlanChoice &P) const override {
    return P.ConsumerWarpgroups;
  }
  int64_t groupBytes(const KernelPlan &P) const override {
    return P.rowBlocks() * P.Rows.RowBlockBytes;
  }

  bool checkGroupBytes(Validator &V, const OperandPlan &O,
                       const char *Which) const override {
    if (O.GroupBytes != groupBytes(V.P))
      return V.fail(
          Property::Descriptor,
          formatv("{0}: warpgroups of {1} instructions are {2} bytes apart, "
                  "instructions {3}",
                  Which, V.P.rowBlocks(), O.GroupBytes, O.RowBlockBytes));
    return true;
  }
  bool checkNamedBarriers(Validator &V) const override {
    if (V.P.TurnBarrier || V.P.TurnThreads)
      return V.fail(Property::NamedBarrier, "nobody takes turns");
    return true;
  }

  void decide(rt::choice &C) const override { C.pingpong = false; }

  std::vector<std::string> consumers(const KernelPlan &P,
                                     StringRef Row) const override {
    const int64_t Rows = P.rowBlocks() * WgmmaAtom::M;
    std::vector<std::string> Result;
    for (int64_t G = 0; G < P.ConsumerWarpgroups; ++G)
      Result.push_back(formatv("consumer warpgroup {0}: {1} {2} to {3}", G + 1,
                               Row, G * Rows, (G + 1) * Rows - 1));
    return Result;
  }
  const char *meanwhile() const override {
    return "Warpgroup 0 multiplies nothing: it loads.";
  }
  const char *rowsOf() const override { return "consumer warpgroup"; }
};

} // namespace

const ScheduleRole &sharedSchedule() {
  static const Shared Choice;
  return Choice;
}

} // namespace warpwright
