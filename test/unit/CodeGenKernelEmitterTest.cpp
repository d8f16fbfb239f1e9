//===-- CodeGenKernelEmitterTest.cpp --------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/KernelEmitter.h"
#include "warpwright/Plan/Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace warpwright;
using llvm::StringRef;

namespace {

Contraction contraction(
    const std::string &Outputs = "  output C[%m * N + %n]:bf16 = bf16(acc)\n",
    const std::string &Batch = "1", const std::string &A = "%m * K + %k") {
  return llvm::cantFail(parseContraction(
      "contraction \"gemm\" {\n  index %b < " + Batch +
      "\n  index %m < M\n  index %n < N\n  index %k < K\n  operand A = A[" + A +
      "]:bf16\n  operand B = B[%k * N + %n]:bf16\n  accumulate f32\n" +
      Outputs + "  offsets i32\n}\n"));
}

PlanSet plan(const Contraction &C, const Directives &D = {}) {
  auto Result = planContraction(C, D);
  if (auto *No = std::get_if<Decline>(&Result)) {
    ADD_FAILURE() << No->Message;
    return {};
  }
  return std::get<PlanSet>(Result);
}

KernelNames names(const PlanSet &Plans) {
  KernelNames Names = {"gemm_hopper", "gemm_produce",  "gemm_multiply",
                       "gemm_store",  "gemm_epilogue", {}};
  for (const KernelPlan &P : Plans.Plans)
    Names.Plans.push_back("gemm_" + P.Name);
  return Names;
}

std::string emit(const Contraction &C, const Directives &D = {}) {
  PlanSet Plans = plan(C, D);
  auto Text = emitKernel(C, Plans, names(Plans));
  if (!Text) {
    ADD_FAILURE() << llvm::toString(Text.takeError());
    return "";
  }
  return *Text;
}

std::string failure(const Contraction &C, const PlanSet &Plans) {
  auto Text = emitKernel(C, Plans, names(Plans));
  return Text ? "emitted" : llvm::toString(Text.takeError());
}

size_t count(StringRef Text, StringRef What) { return Text.count(What); }

TEST(KernelEmitterTest, WritesOneStructForEachPlanAndOneKernel) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  std::string Text = llvm::cantFail(emitKernel(C, Plans, names(Plans)));
  for (const KernelPlan &P : Plans.Plans)
    EXPECT_EQ(count(Text, "struct gemm_" + P.Name + " {"), 1u);
  EXPECT_EQ(count(Text, "static __global__ void"), 1u);
  EXPECT_EQ(count(Text, "rt::wgmma_bf16<"), 1u);
  EXPECT_EQ(count(Text, "rt::store_slab<__nv_bfloat16, slab>"), 1u);
}

TEST(KernelEmitterTest, LeavesNoHolesAndIsDeterministic) {
  Contraction C = contraction();
  std::string Text = emit(C);
  EXPECT_EQ(Text.find('$'), std::string::npos);
  EXPECT_EQ(Text.find('@'), std::string::npos);
  EXPECT_EQ(Text, emit(C));
}

/// The user may have macros of such names.
TEST(KernelEmitterTest, UsesNoIdentifierThatMacrosHave) {
  std::string Text = emit(contraction(), {});
  std::string Code;
  StringRef Left = Text;
  while (!Left.empty()) {
    auto [Line, Rest] = Left.split('\n');
    Left = Rest;
    if (!Line.ltrim().starts_with("#"))
      Code += (Line.split("//").first + "\n").str();
  }
  for (size_t I = 0; I < Code.size();) {
    if (llvm::isAlpha(Code[I]) || Code[I] == '_') {
      StringRef Word = StringRef(Code).substr(I).take_while(
          [](char Ch) { return llvm::isAlnum(Ch) || Ch == '_'; });
      bool Capitals =
          llvm::none_of(Word, [](char Ch) { return llvm::isLower(Ch); });
      bool Member = I > 0 && Code[I - 1] == '.';
      EXPECT_FALSE((Word.size() == 1 && !Member) ||
                   (Capitals && !Word.starts_with("WARPWRIGHT_")))
          << Word.str();
      I += Word.size();
    } else if (llvm::isDigit(Code[I])) {
      while (I < Code.size() && llvm::isAlnum(Code[I]))
        ++I;
    } else {
      ++I;
    }
  }
}

TEST(KernelEmitterTest, SaysNothingOfWhatNoPlanDoes) {
  Directives D;
  D.Tile = {128, 128, 64};
  D.Cluster = {1, 1};
  D.Schedule = Directives::ScheduleKind::Cooperative;
  std::string Plain = emit(contraction(), D);
  EXPECT_EQ(count(Plain, "cluster_rank"), 0u);
  EXPECT_EQ(count(Plain, "cluster_sync();"), 0u);
  EXPECT_EQ(count(Plain, "pingpong"), 0u);
  D.Cluster = {2, 1};
  D.Schedule = Directives::ScheduleKind::Pingpong;
  std::string Full = emit(contraction(), D);
  EXPECT_EQ(count(Full, "rt::cluster_sync();"), 1u);
  EXPECT_EQ(count(Full, "if constexpr (Plan::pingpong)"), 1u);
}

TEST(KernelEmitterTest, OtherOutputsAreStoredOnlyInRange) {
  std::string One = emit(contraction());
  EXPECT_EQ(count(One, "store_others"), 0u);
  std::string Two =
      emit(contraction("  output C[%m * N + %n]:bf16 = bf16(acc)\n"
                       "  output D[%n * M + %m]:f32 = acc\n"));
  size_t Guard = Two.find("if (at_m < extent.m && at_n < extent.n)");
  size_t Store = Two.find("epilogue.store_others(");
  ASSERT_NE(Guard, std::string::npos);
  EXPECT_GT(Store, Guard);
}

TEST(KernelEmitterTest, AnOperandWithoutBatchStaysAtBatchZero) {
  std::string Text = emit(
      contraction("  output C[%b * M * N + %m * N + %n]:bf16 = bf16(acc)\n",
                  "batch", "%b * M * K + %m * K + %k"));
  EXPECT_EQ(count(Text, "Plan::rows_batched ? tile.batch : 0"), 1u);
  EXPECT_EQ(count(Text, "Plan::cols_batched ? tile.batch : 0"), 1u);
  EXPECT_EQ(count(emit(contraction()), "batched"), 0u);
}

TEST(KernelEmitterTest, RefusesWhatItHasNoKernelFor) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  EXPECT_EQ(failure(C, {}), "no plan, or not one name for each");

  PlanSet Deep = Plans;
  Deep.Plans.front().TileK = 128;
  EXPECT_EQ(failure(C, Deep),
            "plan large: the kernels take 64 of k in the 128-byte swizzle");

  PlanSet Odd = Plans;
  Odd.Plans.front().TileN = 200;
  EXPECT_EQ(failure(C, Odd),
            "plan large: no kernel computes tiles of this shape");

  PlanSet Mixed = Plans;
  Mixed.Plans.back().Epilogue.Kind = EpilogueKind::Direct;
  EXPECT_EQ(failure(C, Mixed), "plan " + Mixed.Plans.back().Name +
                                   ": it does not store as the first plan "
                                   "does");

  Contraction Wide = C;
  Wide.A.Type = Wide.B.Type = ScalarType::F32;
  EXPECT_EQ(failure(Wide, Plans), "no kernel multiplies f32 by f32");
}

TEST(KernelEmitterTest, DirectStoresNeedNoStaging) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  for (KernelPlan &P : Plans.Plans)
    P.Epilogue.Kind = EpilogueKind::Direct;
  std::string Text = llvm::cantFail(emitKernel(C, Plans, names(Plans)));
  EXPECT_EQ(count(Text, "epilogue.store_all("), 1u);
  EXPECT_EQ(count(Text, "staging"), 0u);
  EXPECT_EQ(count(Text, "slab"), 0u);
}

} // namespace
