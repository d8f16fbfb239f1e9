//===- Certified.cpp - Plans that were proven before ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels of one file often have the same plans, and proving one takes more
/// than a millisecond. What is proven does not depend on the kernel, so it is
/// proven once for each plan that differs.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Validator.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <mutex>

using namespace llvm;

namespace warpwright {

/// All that validatePlan reads: the plan as it is handed over, the decisions of
/// which the hand-over leaves some out where they do not apply, and the limits
/// of the machine. Not the plan's name, and not what the launcher asks before
/// it takes the plan.
static std::string proofKey(const KernelPlan &P, const Machine &M) {
  KernelPlan Bare = P;
  Bare.Name.clear();
  Bare.Requires.clear();
  Bare.Certificate.clear();
  Bare.Cost = PlanCost();
  PlanSet One;
  One.Plans.push_back(std::move(Bare));
  std::string Key = formatv("{0} {1}", toJSON(One), P.Feed->Name);
  for (int64_t N :
       {P.TransformWarpgroups, int64_t(P.Precision), M.SMs, M.MaxSmemPerCTA,
        M.RegistersPerSM, M.MaxThreadsPerCTA, M.WarpgroupThreads,
        M.MaxPortableCluster, M.TmaBoxMax, M.TmaAlign, M.SmemAlign,
        M.MinSetmaxnreg, M.MaxSetmaxnreg, M.SetmaxnregStep})
    Key += ' ' + std::to_string(N);
  return Key;
}

Error checkPlan(KernelPlan &P, const Machine &M) {
  static std::mutex Guard;
  static StringMap<std::vector<std::string>> Proven;
  const std::string Key = proofKey(P, M);
  {
    std::lock_guard<std::mutex> Lock(Guard);
    if (auto Found = Proven.find(Key); Found != Proven.end()) {
      P.Certificate = Found->second;
      return Error::success();
    }
  }
  auto Result = validatePlan(P, M);
  if (auto *Bad = std::get_if<Diagnosis>(&Result))
    return createStringError("plan '" + P.Name + "': " + Bad->str());
  P.Certificate = std::move(std::get<Certificate>(Result).Lines);
  std::lock_guard<std::mutex> Lock(Guard);
  Proven[Key] = P.Certificate;
  return Error::success();
}

} // namespace warpwright
