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

Contraction contractionOf(char A, char B, StringRef Out, OperandTypes Types) {
  const bool Direct = Out == "direct";
  const StringRef Type = Direct ? "bf16" : Out;
  std::string Text = "contraction \"gemm\" {\n  index %b < 1\n  index %m < M\n"
                     "  index %n < N\n  index %k < K\n";
  Text += formatv("  operand A = A[{0}]:{1}\n",
                  A == 'N' ? "%m * K + %k" : "%k * M + %m", Types.A);
  Text += formatv("  operand B = B[{0}]:{1}\n",
                  B == 'N' ? "%k * N + %n" : "%n * K + %k", Types.B);
  Text += "  accumulate f32\n";
  Text += formatv("  output C[{0}]:{1} = {2}\n",
                  Direct ? "%m * c0 + %n * c1" : "%m * N + %n", Type,
                  Type == "f32" ? "acc" : (Type + "(acc)").str());
  return cantFail(parseContraction(Text + "  offsets i32\n}\n"));
}

KernelPlan planOf(const PlanChoice &Choice, char A, char B, StringRef Out,
                  OperandTypes Types) {
  Orders O;
  O.A = A == 'N' ? Major::K : Major::MN;
  O.B = B == 'N' ? Major::MN : Major::K;
  O.Store = Out == "direct" ? &directStore() : &stagedStore();
  return cantFail(derivePlan(contractionOf(A, B, Out, Types), O, Choice));
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

PlanChoice splitChoice() {
  PlanChoice P = smallChoice();
  P.Name = "split";
  P.TileK = 32;
  P.Stages = 4;
  return P;
}

PlanChoice registersChoice() {
  PlanChoice P = splitChoice();
  P.Name = "registers";
  P.Precision = FactorPrecision::TF32;
  P.Feed = &registersFeed();
  return P;
}

PlanChoice interleavedChoice() {
  PlanChoice P = smallChoice();
  P.Name = "interleaved";
  P.TileM = 16;
  P.Stages = 4;
  P.ConsumerWarpgroups = 4;
  P.Schedule = &interleavedSchedule();
  P.ClusterM = 1;
  P.SwapAB = true;
  return P;
}

KernelPlan splitPlanOf(const PlanChoice &Choice, char A, char B,
                       OperandTypes Types) {
  return planOf(Choice, A, B, "f32", Types);
}

std::vector<KernelPlan> goodSplitPlans() {
  std::vector<KernelPlan> Result;
  auto Add = [&](const Twine &Name, PlanChoice P, char A, char B,
                 OperandTypes Types = {"f32", "f32"},
                 StringRef Out = "f32") -> KernelPlan & {
    P.Name = Name.str();
    Result.push_back(planOf(P, A, B, Out, Types));
    return Result.back();
  };
  for (char A : {'N', 'T'})
    for (char B : {'N', 'T'}) {
      PlanChoice P = splitChoice();
      const std::string Order = {A, B};
      Add("pair_" + Order, P, A, B);
      P.ClusterM = 1;
      P.Stages = 6;
      Add("split_" + Order, P, A, B);
      Add("half_" + Order, P, A, B, {"f16", "f32"});
      Add("bfloat_" + Order, P, A, B, {"f32", "bf16"}, "bf16");
      Add("sixteen_" + Order, P, A, B, {"bf16", "f16"}, "f16");
      P.Precision = FactorPrecision::TF32;
      Add("one_" + Order, P, A, B);
      P.SwapAB = true;
      P.TileN = 64;
      P.ConsumerWarpgroups = 1;
      Add("swapped_" + Order, P, A, B);
    }
  for (char A : {'N', 'T'})
    for (char B : {'N', 'T'}) {
      PlanChoice P = registersChoice();
      const std::string Order = {A, B};
      Add("rows_pair_" + Order, P, A, B);
      P.ClusterM = 1;
      P.Stages = 6;
      Add("rows_" + Order, P, A, B);
      P.SwapAB = true;
      P.ClusterN = 2;
      Add("rows_swapped_" + Order, P, A, B, {"f32", "f32"}, "bf16");
      P.TileN = 256;
      P.Stages = 4;
      Add("rows_swapped_waves_" + Order, P, A, B);
      P.SwapAB = false;
      std::swap(P.TileM, P.TileN);
      Add("rows_waves_" + Order, P, A, B, {"f32", "f32"}, "direct");
      P.ClusterM = 2;
      P.Stages = 2;
      Add("rows_square_" + Order, P, A, B, {"f32", "f32"}, "f16");
    }
  PlanChoice P = splitChoice();
  P.ClusterN = 2;
  Add("square", P, 'T', 'N');
  Add("direct", P, 'N', 'N', {"f32", "f32"}, "direct");
  P.ClusterM = 1;
  P.ClusterN = 4;
  Add("by_columns", P, 'N', 'N', {"f16", "f32"});
  P.ClusterN = 1;
  P.TileN = 32;
  Add("narrow", P, 'N', 'T');
  P.Stages = 7;
  for (int64_t Window : {1, 3, 5})
    Add("window_" + Twine(Window), P, 'N', 'N').Split.Window = Window;
  return Result;
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
    if (Pingpong)
      P.Schedule = &pingpongSchedule();
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
