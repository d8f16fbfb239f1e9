//===- Machine.cpp - Limits and rates of a Hopper GPU ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Machine.h"

#include <algorithm>

namespace warpwright {

static int64_t roundDown(int64_t Value, int64_t Step) {
  return Value / Step * Step;
}

int64_t launchRegisters(const Machine &M, int64_t Threads) {
  return std::min<int64_t>(
      roundDown(M.RegistersPerSM / Threads, M.SetmaxnregStep), 255);
}

int64_t consumerRegisters(const Machine &M, int64_t Consumers,
                          int64_t ProducerRegisters) {
  // setmaxnreg redistributes the registers that the launch has allocated to all
  // warpgroups.
  int64_t Warpgroups = Consumers + 1;
  int64_t Launched =
      roundDown(launchRegisters(M, Warpgroups * M.WarpgroupThreads),
                M.SetmaxnregStep) *
      Warpgroups;
  int64_t Each =
      roundDown((Launched - ProducerRegisters) / Consumers, M.SetmaxnregStep);
  return std::min(Each, M.MaxSetmaxnreg - M.SetmaxnregStep);
}

} // namespace warpwright
