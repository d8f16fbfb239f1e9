//===-- CodeGenKernelEmitterTest.cpp --------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGen/KernelText.h"
#include "CodeGen/PlanStruct.h"
#include "CodeGen/SplitText.h"
#include "warpwright/CodeGen/KernelEmitter.h"
#include "warpwright/Hopper/Wgmma.h"
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
  KernelNames Names = {"gemm_hopper",
                       "gemm_produce",
                       "gemm_transform",
                       "gemm_multiply",
                       "gemm_multiply_rounding",
                       "gemm_compute",
                       "gemm_store",
                       "gemm_epilogue",
                       "gemm_fragment",
                       {}};
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
  EXPECT_EQ(count(Text, "Plan::rows::batched ? tile.batch : 0"), 1u);
  EXPECT_EQ(count(Text, "Plan::cols::batched ? tile.batch : 0"), 1u);
  EXPECT_EQ(count(emit(contraction()), "batched"), 0u);
}

TEST(KernelEmitterTest, RefusesWhatItHasNoKernelFor) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  EXPECT_EQ(failure(C, {}), "no plan, or not one name for each");

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
  Mixed.Plans.back().Epilogue.Kind = EpilogueKind::Direct;
  EXPECT_EQ(failure(C, Mixed), "plan " + Mixed.Plans.back().Name +
                                   ": it does not store as the first plan "
                                   "does");

  Contraction Wide = C;
  Wide.A.Type = Wide.B.Type = ScalarType::F32;
  EXPECT_EQ(failure(Wide, Plans), "no kernel multiplies f32 by f32");
}

Contraction floats(const std::string &A = "f32", const std::string &B = "f32") {
  Contraction C = contraction("  output C[%m * N + %n]:f32 = acc\n");
  C.A.Type = *parseScalarType(A);
  C.B.Type = *parseScalarType(B);
  return C;
}

TEST(KernelEmitterTest, FloatOperandsHaveATransform) {
  std::string Text = emit(floats());
  EXPECT_EQ(count(Text, "using element = float;"), count(Text, "struct parts"));
  EXPECT_EQ(count(Text, "gemm_transform<Plan>("), 1u);
  EXPECT_EQ(count(Text, "rt::barrier_init(&ready[stage]"), 1u);
  EXPECT_EQ(count(Text, "rt::wgmma_f16<"), 3u);
  EXPECT_EQ(count(Text, "rt::scale_low_products"), 1u);
  EXPECT_EQ(count(Text, "if constexpr (cols_parts::count > 1)"), 0u);
  EXPECT_EQ(Text.find('$'), std::string::npos);
  EXPECT_EQ(Text.find('@'), std::string::npos);
  // What has no parts has none of this.
  EXPECT_EQ(count(emit(contraction()), "transform"), 0u);
}

TEST(KernelEmitterTest, OnePartNeedsNoSmallProducts) {
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  std::string Text = emit(floats(), D);
  // Of plans with rows in registers, and of the others.
  EXPECT_EQ(count(Text, "gemm_multiply_rounding<Plan>("), 1u);
  EXPECT_EQ(count(Text, "rt::wgmma_f16<"), 2u);
  EXPECT_EQ(count(Text, "scale_low_products"), 0u);
  D.Tile = {64, 128, 32};
  Text = emit(floats(), D);
  EXPECT_EQ(count(Text, "gemm_multiply_rounding"), 0u);
  EXPECT_EQ(count(Text, "rt::wgmma_f16<"), 1u);
  D.Tile = {256, 128, 32};
  Text = emit(floats(), D);
  EXPECT_EQ(count(Text, "gemm_multiply<Plan>("), 0u);
  EXPECT_EQ(count(Text, "rt::wgmma_f16<"), 1u);
  EXPECT_EQ(emit(floats("f16", "bf16"), {}).find("scale_low_products"),
            std::string::npos);
}

/// With swap_ab the operand that has low parts changes sides.
TEST(KernelEmitterTest, PlansMayDifferInWhichOperandHasLowParts) {
  std::string Text = emit(floats("f32", "f16"));
  EXPECT_EQ(count(Text, "rt::wgmma_f16<"), 3u);
  EXPECT_EQ(count(Text, "if constexpr (cols_parts::count > 1)"), 1u);
  EXPECT_EQ(count(Text, "if constexpr (rows_parts::count > 1)"), 1u);
  Directives D;
  D.Tile = {128, 128, 32};
  D.SwapAB = Directives::Toggle::Off;
  Text = emit(floats("f32", "f16"), D);
  EXPECT_EQ(count(Text, "rt::wgmma_f16<"), 2u);
  EXPECT_EQ(count(Text, "if constexpr (cols_parts"), 0u);
}

TEST(KernelEmitterTest, RefusesSplitPlansThatItHasNoKernelFor) {
  Contraction C = floats();
  PlanSet Plans = plan(C);
  PlanSet Other = Plans;
  Other.Plans.back().Split = SplitPlan();
  EXPECT_EQ(failure(C, Other), "plan " + Other.Plans.back().Name +
                                   ": it does not split operands as the first "
                                   "plan does");
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

/// The layout algebra computes addresses, once. What is left in the text are
/// the lanes of a warp and the alignment of shared memory.
TEST(KernelEmitterTest, TheTextHasNoNumberThatAPlanHas) {
  const StringRef Texts[] = {ProduceText,      MultiplyText, StoreStagedText,
                             StoreDirectText,  KernelText,   TransformText,
                             MultiplyPartsText};
  for (StringRef Text : Texts)
    for (StringRef Left = Text; !Left.empty();) {
      auto [Line, Rest] = Left.split('\n');
      Left = Rest;
      StringRef Code = Line.split("//").first;
      for (size_t I = 0; I < Code.size(); ++I) {
        if (llvm::isAlpha(Code[I]) || Code[I] == '_') {
          while (I < Code.size() && (llvm::isAlnum(Code[I]) || Code[I] == '_'))
            ++I;
        } else if (llvm::isDigit(Code[I])) {
          StringRef Number = Code.substr(I).take_while(llvm::isAlnum);
          EXPECT_TRUE(Number == "0" || Number == "1" || Number == "32" ||
                      Number == "1024")
              << Line.str();
          I += Number.size();
        }
      }
    }
}

TEST(KernelEmitterTest, PlanStructsHoldWhatThePlanSays) {
  Directives D;
  D.Tile = {128, 256, 64};
  D.Cluster = {2, 1};
  KernelPlan P = plan(contraction(), D).Plans.front();
  // No two numbers alike: each must come from its own member.
  P.Cols.LeadingBytes = 10001;
  P.Cols.StrideBytes = 10002;
  P.Cols.KStepBytes = 10003;
  P.Rows.RowBlockBytes = 10004;
  P.Rows.GroupBytes = 10005;
  P.Cols.Box = {10006, 10007};
  P.Cols.BoxBytes = 10008;
  P.Cols.BoxStepBytes = 10009;
  P.Cols.BoxStepRows = 10010;
  P.Cols.BoxStepK = 10011;
  P.Cols.ShareStepRows = 10012;
  P.Cols.ShareStepK = 10013;
  P.Cols.MulticastMask = 0x2715;
  P.Cols.MulticastStep = 10014;
  P.Epilogue.BoxBytes = 10015;
  P.Epilogue.BufferBytes = 10016;
  P.Epilogue.FirstBarrier = 10017;
  P.Epilogue.Swizzle = SwizzleMode::B64;
  P.FullArrivals = 10018;
  P.EmptyArrivals = 10019;
  P.TransactionBytes = 10020;
  std::string Text = printPlanStruct(P, "plan", PlanStructOptions());
  for (const char *Member :
       {"int leading_bytes = 10001;",    "int stride_bytes = 10002;",
        "int k_step_bytes = 10003;",     "int wave_bytes = 10004;",
        "int group_bytes = 10005;",      "int box_inner = 10006;",
        "int box_outer = 10007;",        "int box_bytes = 10008;",
        "int box_step_bytes = 10009;",   "int box_step_x = 10010;",
        "int box_step_k = 10011;",       "int share_step_x = 10012;",
        "int share_step_k = 10013;",     "int multicast_mask = 0x2715;",
        "int multicast_step = 10014;",   "int box_bytes = 10015;",
        "int buffer_bytes = 10016;",     "int first_barrier = 10017;",
        "int swizzle_mask = 0x30;",      "int swizzle_shift = 3;",
        "int full_arrivals = 10018;",    "int empty_arrivals = 10019;",
        "int transaction_bytes = 10020;"})
    EXPECT_EQ(count(Text, Member), 1u) << Member;
}

TEST(KernelEmitterTest, PlanStructsHoldWhatASplitPlanSays) {
  KernelPlan P = plan(floats()).Plans.front();
  P.Rows.LowPartBytes = 10001;
  P.Cols.LeastExponent = -10002;
  P.Cols.KStepBytes = 10003;
  P.Rows.GroupBytes = 10004;
  P.Rows.RawSwizzle = SwizzleMode::B64;
  P.Split.Registers = 10005;
  P.Split.Window = 10006;
  P.Split.BlockBytes = 10007;
  P.Split.LowShift = 10008;
  P.Split.ScaleExponent = 10009;
  P.Split.TopExponent = 10010;
  P.Split.RangeExponent = 10011;
  P.Split.ScaleOffset = 10012;
  P.Split.ScaleStageBytes = 10013;
  P.Split.FlagOffset = 10014;
  P.Split.FlagStageBytes = 10015;
  P.Split.ReadyArrivals = 10016;
  P.Split.BlockRows = 16;
  P.Split.Warpgroups = 3;
  std::string Text = printPlanStruct(P, "plan", PlanStructOptions());
  for (const char *Member :
       {"int low_bytes = 10001;",      "int least_exponent = -10002;",
        "int k_step_bytes = 10003;",   "int group_bytes = 10004;",
        "int swizzle_bytes = 64;",     "int transform_registers = 10005;",
        "int window = 10006;",         "int block_bytes = 10007;",
        "int low_shift = 10008;",      "int scale_exponent = 10009;",
        "int top_exponent = 10010;",   "int range_exponent = 10011;",
        "int scale_offset = 10012;",   "int scale_stage_bytes = 10013;",
        "int flag_offset = 10014;",    "int flag_stage_bytes = 10015;",
        "int ready_arrivals = 10016;", "int block_rows = 16;",
        "int row_blocks = 8;",         "int col_blocks = 8;",
        "int transform_groups = 3;",   "int transform_warps = 12;",
        "int blocks_per_warp = 2;"})
    EXPECT_EQ(count(Text, Member), 1u) << Member;
}

/// Of the slots of one instruction those of a stage, wherever rows are in
/// registers.
TEST(KernelEmitterTest, PlanStructsComputeSlotsAlongK) {
  Directives D;
  D.Precision = Directives::PrecisionKind::TF32;
  KernelPlan P = plan(floats(), D).Plans.front();
  ASSERT_TRUE(P.Rows.InRegisters);
  auto Slot = [&](StringRef Slots, StringRef Value) {
    P.Split.KSlots = Slots.str();
    const std::string Text = printPlanStruct(P, "plan", PlanStructOptions());
    EXPECT_EQ(count(Text, ("of rows and columns: " + Slots + ".\n").str()), 1u);
    EXPECT_EQ(count(Text, ("constexpr unsigned k_slot(unsigned k) {\nreturn " +
                           Value + ";\n}\n")
                              .str()),
              1u)
        << Text;
  };
  Slot("(4,2,2):(2,1,8)", "k % 4 * 2 + k / 4 % 2 + k / 8 * 8");
  Slot("16:1", "k");
  Slot("(2,8):(8,1)", "k % 2 * 8 + k / 2 % 8 + k / 16 * 16");
  Slot("((2,2),(2,2)):((8,4),(2,1))",
       "k % 2 * 8 + k / 2 % 2 * 4 + k / 4 % 2 * 2 + k / 8 % 2 + k / 16 * 16");
  P.Rows.InRegisters = false;
  EXPECT_EQ(count(printPlanStruct(P, "plan", PlanStructOptions()), "k_slot"),
            0u);
}

TEST(KernelEmitterTest, FragmentsAreThatOfTheInstruction) {
  std::string Text = llvm::cantFail(printFragment(
      llvm::cantFail(WgmmaAtom::create(64, 16)).C.str(), "fragment"));
  EXPECT_EQ(count(Text, "return thread / 4 % 8 + thread / 32 * 16 + value / 2 "
                        "% 2 * 8;"),
            1u);
  EXPECT_EQ(count(Text, "return thread % 4 * 2 + value % 2 + value / 4 * 8;"),
            1u);
  EXPECT_TRUE(llvm::errorToBool(
      printFragment("((4,8,4),(4,2,8)):((128,1,16),(32,8,512))", "fragment")
          .takeError()));
}

TEST(KernelEmitterTest, DirectStoresNeedNoStaging) {
  Contraction C = contraction();
  PlanSet Plans = plan(C);
  for (KernelPlan &P : Plans.Plans)
    P.Epilogue.Kind = EpilogueKind::Direct;
  std::string Text = llvm::cantFail(emitKernel(C, Plans, names(Plans)));
  EXPECT_EQ(count(Text, "epilogue.store_all("), 1u);
  EXPECT_EQ(count(Text, "staging"), 0u);
  EXPECT_EQ(count(Text, "bool staged = false;"), Plans.Plans.size());
  EXPECT_EQ(count(Text, "slab"), 0u);
}

} // namespace
