//===- ValidatorPlans.cpp - Good plans to be broken -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

Contraction contractionOf(char A, char B, StringRef Out) {
  const bool Direct = Out == "direct";
  const StringRef Type = Direct ? "bf16" : Out;
  std::string Text = "contraction \"gemm\" {\n  index %b < 1\n  index %m < M\n"
                     "  index %n < N\n  index %k < K\n";
  Text += formatv("  operand A = A[{0}]:bf16\n",
                  A == 'N' ? "%m * K + %k" : "%k * M + %m");
  Text += formatv("  operand B = B[{0}]:bf16\n",
                  B == 'N' ? "%k * N + %n" : "%n * K + %k");
  Text += "  accumulate f32\n";
  Text += formatv("  output C[{0}]:{1} = {2}\n",
                  Direct ? "%m * c0 + %n * c1" : "%m * N + %n", Type,
                  Type == "f32" ? "acc" : (Type + "(acc)").str());
  return cantFail(parseContraction(Text + "  offsets i32\n}\n"));
}

KernelPlan planOf(const PlanChoice &Choice, char A, char B, StringRef Out) {
  Orders O;
  O.A = A == 'N' ? Major::K : Major::MN;
  O.B = B == 'N' ? Major::MN : Major::K;
  O.DirectStores = Out == "direct";
  return cantFail(derivePlan(contractionOf(A, B, Out), O, Choice));
}

PlanChoice smallChoice() {
  PlanChoice P;
  P.Name = "small";
  P.Family = "medium";
  P.TileM = P.TileN = 128;
  P.Stages = 3;
  P.ConsumerWarpgroups = 2;
  P.ClusterM = 2;
  return P;
}

std::vector<KernelPlan> goodPlans() {
  std::vector<KernelPlan> Result;
  for (const char *Layout : {"NN", "NT", "TN", "TT"})
    for (const char *Out : {"bf16", "f32", "direct"}) {
      if (StringRef(Out) != "bf16" && StringRef(Layout) != "NN")
        continue;
      auto Plans =
          planContraction(contractionOf(Layout[0], Layout[1], Out), {});
      for (KernelPlan &P : std::get<PlanSet>(Plans).Plans) {
        P.Name = formatv("{0}_{1}_{2}", P.Name, Layout, Out);
        Result.push_back(std::move(P));
      }
    }
  auto Add = [&](const char *Name, int64_t TileM, int64_t TileN, int64_t Stages,
                 int64_t Consumers, int64_t ClusterM, int64_t ClusterN,
                 bool Pingpong, bool Swap) {
    PlanChoice P;
    P.Name = Name;
    P.Family = "medium";
    P.TileM = TileM;
    P.TileN = TileN;
    P.Stages = Stages;
    P.ConsumerWarpgroups = Consumers;
    P.ClusterM = ClusterM;
    P.ClusterN = ClusterN;
    P.Pingpong = Pingpong;
    P.SwapAB = Swap;
    Result.push_back(planOf(P));
  };
  Add("three_groups", 192, 128, 4, 3, 1, 1, false, false);
  Add("two_waves", 256, 112, 4, 2, 1, 2, false, false);
  Add("square_cluster", 128, 128, 3, 2, 2, 2, false, false);
  Add("pingpong_square", 64, 192, 3, 2, 2, 2, true, false);
  Add("eight", 64, 64, 6, 1, 8, 1, false, false);
  Add("eight_by_columns", 128, 64, 5, 2, 1, 8, false, false);
  Add("two_by_four", 128, 96, 2, 2, 2, 4, false, false);
  Add("swapped", 48, 128, 5, 1, 1, 1, false, true);
  Add("swapped_pair", 128, 128, 3, 2, 1, 2, true, true);
  Add("two_stages", 128, 128, 2, 2, 1, 1, false, false);
  return Result;
}

} // namespace warpwright
