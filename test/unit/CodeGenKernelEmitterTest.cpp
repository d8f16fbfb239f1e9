//===-- CodeGenKernelEmitterTest.cpp --------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/KernelEmitter.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Expression.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/RuntimePlan.h"
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

std::string emit(const Contraction &C, const Directives &D = {}) {
  PlanSet Plans = plan(C, D);
  auto Text = emitPlans(C, Plans);
  if (!Text) {
    ADD_FAILURE() << llvm::toString(Text.takeError());
    return "";
  }
  return Text->Types + Text->Set;
}

std::string failure(const Contraction &C, const PlanSet &Plans) {
  auto Text = emitPlans(C, Plans);
  return Text ? "emitted" : llvm::toString(Text.takeError());
}

size_t count(StringRef Text, StringRef What) { return Text.count(What); }

/// The members of the plan \p Name, or of what all plans have in common.
std::string membersOf(StringRef Text, StringRef Name) {
  StringRef Rest = Name == "types"
                       ? Text.split("::decisions").second
                       : Text.split(("struct plan_" + Name + " ").str()).second;
  return Rest.split(" {\n").second.split("};\n").first.str();
}

TEST(KernelEmitterTest, WritesOneStructForEachPlanAndAListOfThem) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  std::string Text = emit(C);
  for (const KernelPlan &P : Plans.Plans) {
    EXPECT_EQ(count(Text, "struct plan_" + P.Name + " : Types {"), 1u);
    EXPECT_EQ(count(Text, "name = \"" + P.Name + "\";"), 1u);
  }
  EXPECT_EQ(count(Text, "struct bf16_bf16_bf16_"), 1u);
  EXPECT_EQ(count(Text, " : v2::decisions {"), 1u);
  EXPECT_EQ(count(Text, "using all = v2::plans<plan_large, "), 1u);
  EXPECT_EQ(Text, emit(C));
}

/// Kernels of one file, and of one program, have the same names for equal
/// decisions, and different names for different ones.
TEST(KernelEmitterTest, NamesSayWhatIsDecided) {
  auto Emit = [](const Contraction &C, const Directives &D = {}) {
    return llvm::cantFail(emitPlans(C, plan(C, D)));
  };
  Contraction C = contraction(), Halves = C;
  Halves.A.Type = Halves.B.Type = Halves.Outputs.front().Type = ScalarType::F16;
  const PlanText First = Emit(C), Other = Emit(Halves);
  EXPECT_NE(First.TypesName, Other.TypesName);
  EXPECT_TRUE(StringRef(Other.TypesName).starts_with("f16_f16_f16_"));
  EXPECT_EQ(First.SetName, Other.SetName);
  EXPECT_EQ(First.Set, Other.Set);
  Directives D;
  D.Tile = {128, 128, 64};
  EXPECT_EQ(Emit(C, D).TypesName, First.TypesName);
  EXPECT_NE(Emit(C, D).SetName, First.SetName);
}

/// The user may have macros with such names.
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

TEST(KernelEmitterTest, StructsMentionWhatIsNotAsByDefault) {
  Directives D;
  D.Tile = {128, 128, 64};
  D.Stages = 4;
  D.Cluster = {1, 1};
  D.Schedule = Directives::ScheduleKind::Cooperative;
  std::string Text = emit(contraction(), D);
  EXPECT_EQ(membersOf(Text, "types"),
            "using a_element = __nv_bfloat16;\n"
            "using b_element = __nv_bfloat16;\n"
            "using c_element = __nv_bfloat16;\n"
            "static constexpr bool b_k_major = false, a_batched = false, "
            "b_batched = false;\n");
  EXPECT_EQ(membersOf(Text, "tile"),
            "static constexpr const char *name = \"tile\";\n"
            "static constexpr int tile_m = 128, tile_n = 128, tile_k = 64, "
            "stages = 4;\n"
            "static constexpr int consumer_groups = 2;\n");
  D.Cluster = {2, 1};
  D.Schedule = Directives::ScheduleKind::Pingpong;
  EXPECT_EQ(membersOf(emit(contraction(), D), "tile"),
            "static constexpr const char *name = \"tile\";\n"
            "static constexpr int tile_m = 128, tile_n = 128, tile_k = 64, "
            "stages = 4;\n"
            "static constexpr int consumer_groups = 2, cluster_m = 2;\n"
            "static constexpr bool pingpong = true;\n");
}

TEST(KernelEmitterTest, AnOperandWithoutBatchSaysSo) {
  std::string Text = emit(
      contraction("  output C[%b * M * N + %m * N + %n]:bf16 = bf16(acc)\n",
                  "batch", "%b * M * K + %m * K + %k"));
  EXPECT_EQ(count(Text, "a_batched"), 0u);
  EXPECT_EQ(count(Text, "b_batched = false"), 1u);
}

/// If a plan's operand order differs from that of the first plan, its struct
/// states the order, even where it is the default that no struct would mention.
TEST(KernelEmitterTest, PlansThatDifferInTypesSaySo) {
  Contraction C = contraction("  output C[%m * N + %n]:bf16 = bf16(acc)\n", "1",
                              "%m * s + %k * t");
  std::string Text = emit(C);
  EXPECT_EQ(count(membersOf(Text, "types"), "a_k_major"), 0u);
  EXPECT_EQ(count(Text, "static constexpr bool a_k_major = false;"),
            count(Text, "_1 : Types"));
  EXPECT_GT(count(Text, "_1 : Types"), 0u);
}

TEST(KernelEmitterTest, RefusesWhatItHasNoKernelFor) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  EXPECT_EQ(failure(C, {}), "no plan");

  PlanSet Three = Plans;
  Three.Plans.front().Epilogue.Buffers = 3;
  EXPECT_EQ(failure(C, Three),
            "plan large: an epilogue alternates between 2 buffers");

  PlanSet Wider = Plans;
  Wider.Plans.back().Epilogue.OffsetBits = 64;
  EXPECT_EQ(failure(C, Wider), "plan " + Wider.Plans.back().Name +
                                   ": it does not count elements as the first "
                                   "plan does");

  PlanSet Odd = Plans;
  Odd.Plans.front().TileN = 200;
  EXPECT_EQ(failure(C, Odd),
            "plan large: no kernel computes tiles of this shape");

  PlanSet Mixed = Plans;
  Mixed.Plans.back().Output = &directStore();
  EXPECT_EQ(failure(C, Mixed), "plan " + Mixed.Plans.back().Name +
                                   ": it does not store as the first plan "
                                   "does");

  Contraction Wide = C;
  Wide.A.Type = Wide.B.Type = ScalarType::F32;
  EXPECT_EQ(failure(Wide, Plans), "no kernel multiplies f32 by f32");
}

/// Both operands lie across k, so that precision(tf32) rounds rows in
/// registers.
Contraction floats(const std::string &A = "f32", const std::string &B = "f32") {
  Contraction C =
      contraction("  output C[%m * N + %n]:f32 = acc\n", "1", "%k * M + %m");
  C.A.Type = *parseScalarType(A);
  C.B.Type = *parseScalarType(B);
  return C;
}

TEST(KernelEmitterTest, FloatOperandsSayTheirParts) {
  std::string Text = emit(floats());
  EXPECT_EQ(count(membersOf(Text, "types"), "a_parts = 2, b_parts = 2"), 1u);
  EXPECT_EQ(count(membersOf(Text, "large"), "transform_groups = 2"), 1u);
  EXPECT_EQ(count(emit(contraction()), "transform"), 0u);
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  Text = emit(floats(), D);
  EXPECT_EQ(count(membersOf(Text, "types"), "a_parts = 1, b_parts = 1"), 1u);
  EXPECT_EQ(count(membersOf(Text, "large"), "rows_in_registers = true"), 1u);
  EXPECT_EQ(count(membersOf(Text, "small"), "rows_in_registers"), 0u);
  EXPECT_EQ(count(emit(floats("f32", "f16")), "a_parts = 2, b_parts = 1"), 1u);
}

TEST(KernelEmitterTest, RefusesSplitPlansThatItHasNoKernelFor) {
  Contraction C = floats();
  PlanSet Plans = plan(C);
  PlanSet Other = Plans;
  Other.Plans.back().Split = SplitPlan();
  EXPECT_EQ(failure(C, Other), "plan " + Other.Plans.back().Name +
                                   ": no kernel splits its operands");
  Other.Plans.back().Feed = &straightFeed();
  EXPECT_EQ(failure(C, Other), "no kernel multiplies f32 by f32");
  Other = Plans;
  Other.Plans.front().Split.BlockRows = 48;
  EXPECT_EQ(failure(C, Other), "plan large: no kernel splits its operands");
  Other = Plans;
  Other.Plans.front().Cols.Parts = 3;
  EXPECT_EQ(failure(C, Other), "plan large: an operand of 3 parts");
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  Other = plan(C, D);
  for (const char *Slots : {"(4,2,2):(2,1,4)", "(4,2):(2,1)", "none"}) {
    Other.Plans.front().Split.KSlots = Slots;
    EXPECT_EQ(failure(C, Other),
              "plan large: its slots along k are those of no "
              "instruction");
  }
  Contraction Wide = C;
  Wide.A.Type = ScalarType::F64;
  EXPECT_EQ(failure(Wide, Plans), "no kernel multiplies f64 by f32");
}

/// If a proven number differs from the one that the runtime derives, the kernel
/// would not be the one that the certificate describes.
TEST(KernelEmitterTest, RefusesNumbersThatTheRuntimeHasOtherwise) {
  const Contraction C = contraction();
  auto Says = [&](llvm::function_ref<void(KernelPlan &)> Change) {
    PlanSet Plans = plan(C);
    Change(Plans.Plans.front());
    return failure(C, Plans);
  };
  EXPECT_EQ(Says([](KernelPlan &P) { P.Cols.BoxBytes = 8192; }),
            "plan large: cols.box_bytes is 8192 where the runtime has 4096");
  EXPECT_EQ(Says([](KernelPlan &P) { P.EmptyArrivals = 15; }),
            "plan large: empty_arrivals is 15 where the runtime has 16");
  EXPECT_EQ(Says([](KernelPlan &P) { P.ConsumerRegisters = 224; }),
            "plan large: registers.consumer is 224 where the runtime has 232");
  EXPECT_EQ(Says([](KernelPlan &P) { P.Epilogue.Swizzle = SwizzleMode::B64; }),
            "plan large: slab.swizzle_bytes is 64 where the runtime has 128");
  PlanSet Floats = plan(floats());
  Floats.Plans.front().Split.Window = 2;
  EXPECT_EQ(failure(floats(), Floats),
            "plan large: transform.window is 2 where the runtime has 3");
}

TEST(KernelEmitterTest, DirectStoresNeedNoStaging) {
  Contraction C = contraction("  output C[%m * N + %n * s]:bf16 = bf16(acc)\n");
  std::string Text = emit(C);
  EXPECT_EQ(count(membersOf(Text, "types"), "staged = false"), 1u);
}

} // namespace
