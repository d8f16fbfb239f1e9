//===-- VerifyTest.cpp - Arguments for kernels, and their programs --------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Verify/Verify.h"
#include "Verify/Reference.h"
#include "Verify/Solver.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

using namespace warpwright;

namespace {

Subject makeSubject(llvm::StringRef Contract) {
  llvm::Expected<Contraction> C = parseContraction(Contract);
  EXPECT_TRUE(static_cast<bool>(C)) << llvm::toString(C.takeError());
  Subject S;
  S.Computation = std::move(*C);
  S.Kernel = "::gemm";
  S.Launcher = "::gemm_warpwright";
  return S;
}

std::string makeText(llvm::StringRef Extents, llvm::StringRef A,
                     llvm::StringRef B, llvm::StringRef C,
                     llvm::StringRef Rest = "") {
  return ("contraction \"gemm\" {\n" + Extents + "\n  operand A = " + A +
          "\n  operand B = " + B + "\n  accumulate f32\n  output " + C + "\n" +
          Rest + "\n  offsets i32\n}\n")
      .str();
}

const char *PlainExtents = "  index %b < 1\n"
                           "  index %m < min(M, blockDim.y * gridDim.y)\n"
                           "  index %n < min(N, blockDim.x * gridDim.x)\n"
                           "  index %k < K";

VerifyCase solve(const Subject &S, const CaseTarget &T,
                 const std::map<std::string, double> &Set = {}) {
  llvm::Expected<VerifyCase> Case =
      solveCase(S, collectNames(S.Computation), T, Set);
  EXPECT_TRUE(static_cast<bool>(Case)) << llvm::toString(Case.takeError());
  return Case ? *Case : VerifyCase();
}

int64_t value(const VerifyCase &Case, const char *Name) {
  auto Found = Case.Arguments.Ints.find(Name);
  return Found == Case.Arguments.Ints.end() ? -1 : Found->second;
}

TEST(VerifySolver, CoversTheExtents) {
  Subject S = makeSubject(makeText(PlainExtents, "A[%m * K + %k]:bf16",
                                   "B[%k * N + %n]:bf16",
                                   "C[%m * N + %n]:bf16 = bf16(acc)"));
  CaseTarget T;
  T.Extents = {1, 133, 70, 9};
  VerifyCase Case = solve(S, T);
  EXPECT_EQ(Case.Extents, (std::array<int64_t, 4>{1, 133, 70, 9}));
  EXPECT_EQ(value(Case, "M"), 133);
  EXPECT_EQ(value(Case, "gridDim.y"),
            llvm::divideCeil(133, value(Case, "blockDim.y")));
  T.FewerBlocks = true;
  EXPECT_LT(solve(S, T).Extents[1], 133);
  T.FewerBlocks = false;
  T.ExtraBlocks = true;
  EXPECT_EQ(solve(S, T).Extents[1], 133);
  EXPECT_GT(value(solve(S, T), "gridDim.y"), value(Case, "gridDim.y"));
}

TEST(VerifySolver, FindsPitchesAndBatchStrides) {
  Subject S = makeSubject(makeText(
      "  index %b < gridDim.z\n  index %m < min(M, blockDim.y * gridDim.y)\n"
      "  index %n < min(N, blockDim.x * gridDim.x)\n  index %k < K",
      "A[%b * sa + %m * lda + %k]:f16", "B[%b * sb + %n * ldb + %k]:f16",
      "C[%b * sc + %m * ldc + %n]:f16 = f16(acc)",
      "  require ldc >= min(N, blockDim.x * gridDim.x) : \"rows overlap\"\n"
      "  require sc >= ldc * M : \"matrices overlap\""));
  CaseTarget T;
  T.Extents = {3, 20, 30, 40};
  VerifyCase Case = solve(S, T);
  EXPECT_EQ(value(Case, "lda"), 40);
  EXPECT_EQ(value(Case, "ldb"), 40);
  EXPECT_EQ(value(Case, "ldc"), 30);
  EXPECT_EQ(value(Case, "sa"), 800);
  EXPECT_EQ(value(Case, "sc"), 600);
  EXPECT_EQ(value(Case, "gridDim.z"), 3);
  T.Pitch = CaseTarget::Padded;
  EXPECT_EQ(value(solve(S, T), "ldc") % 8, 0);
  EXPECT_GT(value(solve(S, T), "ldc"), 30);
  T.Pitch = CaseTarget::Odd;
  EXPECT_EQ(value(solve(S, T), "lda"), 43);
  T.SharedBatches = true;
  EXPECT_EQ(value(solve(S, T), "sb"), 0);
  EXPECT_GT(value(solve(S, T), "sc"), 0);
}

TEST(VerifySolver, InterleavedBatches) {
  // Heads side by side in one row.
  Subject S = makeSubject(makeText(
      "  index %b < H\n  index %m < T\n  index %n < T\n  index %k < D",
      "Q[%b * D + %m * ldq + %k]:bf16", "K[%b * D + %n * ldk + %k]:bf16",
      "S[%b * T * T + %m * T + %n]:f32 = acc"));
  CaseTarget T;
  T.Extents = {4, 16, 16, 64};
  VerifyCase Case = solve(S, T);
  EXPECT_EQ(value(Case, "ldq"), 256);
}

TEST(VerifySolver, TwoFreeStrides) {
  Subject S = makeSubject(makeText(PlainExtents, "A[%m * rsa + %k * csa]:bf16",
                                   "B[%k * rsb + %n * csb]:bf16",
                                   "C[%m * rsc + %n * csc]:bf16 = bf16(acc)"));
  CaseTarget T;
  T.Extents = {1, 20, 30, 40};
  VerifyCase Case = solve(S, T);
  EXPECT_EQ(value(Case, "csa"), 1);
  EXPECT_EQ(value(Case, "rsa"), 40);
  EXPECT_EQ(value(Case, "csc"), 1);
  EXPECT_EQ(value(Case, "rsc"), 30);
}

TEST(VerifySolver, RepairsRequirements) {
  Subject S = makeSubject(makeText(
      "  index %b < 1\n  index %m < rows\n  index %n < cols\n  index %k < K",
      "A[%m * K + %k]:f16", "B[%k * cols + %n]:f16",
      "C[%m * cols + %n]:f32 = acc",
      "  require blockDim.x * gridDim.x >= cols * rows : \"grid too small\"\n"
      "  require blockDim.y == 1 : \"blockDim.y is not 1\"\n"
      "  require mod(K, 24) == 0 : \"K is not a multiple of 24\"\n"
      "  require K > 0 : \"K is not positive\"\n"
      "  require floordiv(blockDim.x, 48) == 48 : \"another block\""));
  S.MaxThreads = 2400;
  CaseTarget T;
  T.Extents = {1, 37, 41, 0};
  VerifyCase Case = solve(S, T);
  EXPECT_EQ(value(Case, "K"), 24);
  EXPECT_EQ(value(Case, "blockDim.x"), 48 * 48);
  EXPECT_GE(value(Case, "gridDim.x") * 48 * 48, 37 * 41);
}

TEST(VerifySolver, NamesWhatCannotHold) {
  Subject S = makeSubject(makeText(
      PlainExtents, "A[%m * K + %k]:f16", "B[%k * N + %n]:f16",
      "C[%m * N + %n]:f32 = acc", "  require mod(2 * K, 2) == 1 : \"never\""));
  CaseTarget T;
  T.Extents = {1, 8, 8, 8};
  llvm::Expected<VerifyCase> Case =
      solveCase(S, collectNames(S.Computation), T, {});
  ASSERT_FALSE(static_cast<bool>(Case));
  std::string Why = llvm::toString(Case.takeError());
  EXPECT_NE(Why.find("never"), std::string::npos) << Why;
}

TEST(VerifySolver, TakesGivenValues) {
  Subject S = makeSubject(makeText(PlainExtents, "A[%m * lda + %k]:f16",
                                   "B[%k * N + %n]:f16",
                                   "C[%m * N + %n]:f32 = (alpha:f32 * acc)"));
  CaseTarget T;
  T.Extents = {1, 8, 8, 8};
  VerifyCase Case =
      solve(S, T, {{"lda", 100}, {"alpha", 7}, {"blockDim.x", 48}});
  EXPECT_EQ(value(Case, "lda"), 100);
  EXPECT_EQ(value(Case, "blockDim.x"), 48);
  EXPECT_EQ(Case.Arguments.Floats.at("alpha"), 7);
}

TEST(VerifyDraw, DrawsWhatTheKernelHas) {
  Subject S = makeSubject(
      makeText(PlainExtents, "A[%m * lda + %k]:f16", "B[%k * N + %n]:f16",
               "C[%m * N + %n]:f16 = f16((acc + f32(R[%m * N + %n]:f16)))"));
  S.Plans.emplace_back();
  S.Plans.back().Name = "large";
  DrawOptions Options;
  llvm::Expected<std::vector<VerifyCase>> Cases = drawCases(S, Options);
  ASSERT_TRUE(static_cast<bool>(Cases));
  bool NoTerm = false, OneTerm = false, Alias = false, Skip = false,
       Forced = false;
  for (const VerifyCase &Case : *Cases) {
    NoTerm |= Case.Extents[3] == 0;
    OneTerm |= Case.Extents[3] == 1;
    Alias |= Case.Alias.count("R") && Case.Alias.at("R") == "C";
    Skip |= Case.Skip.count("A");
    Forced |= !Case.Plans.empty();
  }
  EXPECT_TRUE(NoTerm && OneTerm && Alias && Skip && Forced);
  Options.Set["ldx"] = 1;
  llvm::Expected<std::vector<VerifyCase>> None = drawCases(S, Options);
  ASSERT_FALSE(static_cast<bool>(None));
  EXPECT_NE(llvm::toString(None.takeError()).find("lda"), std::string::npos);
}

TEST(VerifyDraw, NullOnlyWhereEveryLoadIsGuarded) {
  const char *Guarded = "C[%m * N + %n]:f16 = f16(select(nonnull(bias), "
                        "(acc + bias[%n]:f32), acc))";
  const char *Loaded = "C[%m * N + %n]:f16 = f16((select(nonnull(bias), "
                       "(acc + bias[%n]:f32), acc) + bias[%m]:f32))";
  for (const char *Result : {Guarded, Loaded}) {
    Subject S = makeSubject(makeText(PlainExtents, "A[%m * K + %k]:f16",
                                     "B[%k * N + %n]:f16", Result));
    EXPECT_EQ(collectNames(S.Computation).find("bias")->Nullable,
              Result == Guarded);
  }
}

TEST(VerifyHarness, DataForParts) {
  auto Emit = [](const char *A, const char *B,
                 Directives::PrecisionKind Precision, int64_t K) {
    HarnessInput Input;
    HarnessInput::Kernel Kernel;
    Kernel.Source = makeSubject(
        makeText(PlainExtents, ("A[%m * K + %k]:" + std::string(A)).c_str(),
                 ("B[%k * N + %n]:" + std::string(B)).c_str(),
                 "C[%m * N + %n]:f32 = acc"));
    Kernel.Source.Clauses.Precision = Precision;
    CaseTarget T;
    T.Extents = {1, 16, 16, K};
    T.Seed = 1;
    Kernel.Cases.push_back(solve(Kernel.Source, T));
    Input.Kernels.push_back(std::move(Kernel));
    llvm::Expected<std::string> Text = emitHarness(Input);
    EXPECT_TRUE(static_cast<bool>(Text)) << llvm::toString(Text.takeError());
    return Text ? *Text : "";
  };
  auto Has = [](const std::string &Text, const char *What) {
    return Text.find(What) != std::string::npos;
  };
  const auto Auto = Directives::PrecisionKind::Auto,
             TF32 = Directives::PrecisionKind::TF32;
  std::string Halves = Emit("f16", "f16", Auto, 64);
  EXPECT_TRUE(Has(Halves, "data_for(with.setup, false)"));
  EXPECT_TRUE(Has(Halves, "3, {0, 0}, Agreement::exact"));
  // 2^22 / K, and at most 15 bits.
  std::string Floats = Emit("f32", "f32", Auto, 64);
  EXPECT_TRUE(Has(Floats, "data_for(with.setup, true)"));
  EXPECT_TRUE(Has(Floats, "3, {32767, 1}, Agreement::exact"));
  EXPECT_TRUE(Has(Emit("f32", "f32", Auto, 1024), "{4096, 1}"));
  // 11 bits need no second part.
  EXPECT_TRUE(Has(Emit("f32", "f32", Auto, 4096), "{0, 0}"));
  EXPECT_TRUE(Has(Emit("f32", "f32", TF32, 64), "3, {0, 0}"));
  EXPECT_TRUE(Has(Emit("f16", "f32", Auto, 64), "{1, 32767}"));
  std::string Mixed = Emit("f16", "bf16", Auto, 64);
  EXPECT_TRUE(Has(Mixed, "data_for(with.setup, true)"));
  EXPECT_TRUE(Has(Mixed, "3, {0, 0}"));
}

/// Sums of 14 bits, which are added in float every 128 of k unless a clause
/// says otherwise: by how much they may be off, and integers that they add
/// exactly.
TEST(VerifyHarness, FloatsOf8Bits) {
  auto Emit = [](bool Fast, int64_t K) {
    HarnessInput Input;
    HarnessInput::Kernel Kernel;
    Kernel.Source = makeSubject(makeText(PlainExtents, "A[%m * K + %k]:e4m3",
                                         "B[%n * K + %k]:e5m2",
                                         "C[%m * N + %n]:f32 = acc"));
    if (Fast)
      Kernel.Source.Clauses.Accumulate = Directives::AccumulateKind::Fast;
    CaseTarget T;
    T.Extents = {1, 16, 16, K};
    T.Seed = 1;
    Kernel.Cases.push_back(solve(Kernel.Source, T));
    Input.Kernels.push_back(std::move(Kernel));
    llvm::Expected<std::string> Text = emitHarness(Input);
    EXPECT_TRUE(static_cast<bool>(Text)) << llvm::toString(Text.takeError());
    return Text ? *Text : "";
  };
  auto Has = [](const std::string &Text, const char *What) {
    return Text.find(What) != std::string::npos;
  };
  // The elements are not split, whatever their types.
  EXPECT_TRUE(Has(Emit(false, 64), "data_for(with.setup, false)"));
  EXPECT_TRUE(Has(Emit(false, 64), "{4.77e-07, 5.96e-08}, {0.0166, 5.96e-08}"));
  EXPECT_TRUE(Has(Emit(true, 64), "{4.77e-07, 5.96e-08}, {0.00781, 0.00013}"));
  EXPECT_TRUE(Has(Emit(false, 2048), " 3, {0, 0}, Agreement::exact"));
  EXPECT_TRUE(Has(Emit(true, 512), " 3, {0, 0}, Agreement::exact"));
  EXPECT_TRUE(Has(Emit(true, 2048), " 2, {0, 0}, Agreement::exact"));
}

TEST(VerifyHarness, EvaluatesEveryProductAndSum) {
  HarnessInput Input;
  HarnessInput::Kernel Kernel;
  Kernel.Source =
      makeSubject(makeText(PlainExtents, "A[%m * K + %k]:f16",
                           "B[%k * N + %n]:f16", "C[%m * N + %n]:f32 = acc"));
  Contraction &C = Kernel.Source.Computation;
  Accumulation More = C.sum(0);
  More.Products[0].B.Pointer = "D";
  C.MoreSums.push_back(More);
  C.Outputs.push_back(
      {"E", ScalarType::F32, C.Outputs[0].Index, Value::acc(1)});
  C.MoreProducts.push_back(
      {{"A2", C.A.Type, C.A.Index, std::nullopt, nullptr},
       {"B2", C.B.Type, C.B.Index, std::nullopt, nullptr}});
  Input.Kernels.push_back(std::move(Kernel));
  llvm::Expected<std::string> Text = emitHarness(Input);
  ASSERT_TRUE(static_cast<bool>(Text)) << llvm::toString(Text.takeError());
  for (llvm::StringRef Part :
       {"sums = 2;", "sum_of = {0, 0, 1};",
        "double left(int product, int64_t b, int64_t m, int64_t k)",
        "return A2_[", "return D_[", "const double acc1 = sums[1];",
        "return acc1;"})
    EXPECT_TRUE(llvm::StringRef(*Text).contains(Part)) << Part.str();
}

TEST(VerifyHarness, SumsOfIntegersWrapAround) {
  std::string Text = makeText(
      PlainExtents,
      "A[%m * K + %k]:u8 as (i32(A[%m * K + %k]:u8) - int.i32(z))",
      "B[%k * N + %n]:i8",
      "C[%m * N + %n]:i8 = i8(call.i32 \"max\"(int.i32(-128), call.i32 "
      "\"__float2int_rn\"((f32(acc) * alpha:f32))))");
  Text.replace(Text.find("accumulate f32"), 14, "accumulate i32");
  HarnessInput Input;
  Input.Kernels.emplace_back();
  Input.Kernels.back().Source = makeSubject(Text);
  llvm::Expected<std::string> Program = emitHarness(Input);
  ASSERT_TRUE(static_cast<bool>(Program))
      << llvm::toString(Program.takeError());
  for (llvm::StringRef Part :
       {"return round_to(Type::i32, (A_[",
        "acc = round_to(Type::i32, sums[0]);", "round_to(Type::i8, std::fmax(",
        "to_integer(Type::i32, std::nearbyint(acc * with.alpha))"})
    EXPECT_TRUE(llvm::StringRef(*Program).contains(Part)) << Part.str();
}

TEST(VerifyReference, BitsOfIntegers) {
  using K = Value::Kind;
  using S = ScalarType;
  auto Number = [](int64_t N) { return Value::integer(S::I32, IntExpr(N)); };
  auto Text = [](const ValueRef &V) {
    return (*printReference(V, true))->Result;
  };
  ValueRef X = Value::cast(S::I32, Value::load(S::U8, "B", 0));
  ValueRef Low = Value::binary(K::And, S::I32, X, Number(15));
  EXPECT_EQ(Text(Low), "round_to(Type::i32, double(int64_t(B_[0]) & "
                       "int64_t(double(15))))");
  EXPECT_EQ(Text(Value::binary(K::Shr, S::I32, X, Number(4))),
            "std::floor(std::ldexp(B_[0], -int(double(4))))");
  EXPECT_EQ(Text(Value::binary(K::Shl, S::I32, X, Number(4))),
            "round_to(Type::i32, std::ldexp(B_[0], int(double(4))))");
  const Exactness E = analyseExactness(Low, 1, 3, {});
  EXPECT_TRUE(E.Same && E.Exact);
  EXPECT_EQ(E.Bound, 15);
}

TEST(VerifyReference, PrintsInDouble) {
  Subject S = makeSubject(makeText(
      PlainExtents, "A[%m * K + %k]:f16", "B[%k * N + %n]:f16",
      "C[floordiv(%m, 2) * N + %n]:f16 = f16(select(fcmp(acc > 0.0f:f32), "
      "call.f32 \"tanhf\"(acc), f32(bf16((acc * 0.5f:f32)))))"));
  const Output &Out = S.Computation.Outputs[0];
  EXPECT_EQ(printReference(Out.Index), "with.N * floor_div(m, 2) + n");
  auto Text = printReference(Out.Value, true);
  ASSERT_TRUE(static_cast<bool>(Text));
  ASSERT_TRUE(Text->has_value());
  EXPECT_EQ((*Text)->Result,
            "choose((acc > 0.0), std::tanh(acc), round_to(Type::bf16, acc * "
            "0.5))");
  // The rounding of the result is left out, but what saturates does.
  auto Narrow = printReference(
      Value::cast(ScalarType::E4M3, Value::cast(ScalarType::F16, Value::acc())),
      true);
  ASSERT_TRUE(static_cast<bool>(Narrow));
  EXPECT_EQ((*Narrow)->Result,
            "saturate(Type::e4m3, round_to(Type::f16, acc))");
  auto Unknown = printReference(
      Value::call(ScalarType::F32, "mystery", {Value::acc()}), true);
  ASSERT_TRUE(static_cast<bool>(Unknown));
  EXPECT_FALSE(Unknown->has_value());
}

TEST(VerifyExactness, SeesWhatMayRoundDifferently) {
  Assignment A;
  A.Floats["alpha"] = 0.5;
  A.Floats["third"] = 1.0 / 3;
  using K = Value::Kind;
  ValueRef Acc = Value::acc();
  ValueRef Bias = Value::load(ScalarType::F32, "bias", 0);
  auto Scaled = [&](const char *Name) {
    return Value::binary(K::Add, ScalarType::F32,
                         Value::binary(K::Mul, ScalarType::F32,
                                       Value::param(ScalarType::F32, Name),
                                       Acc),
                         Bias);
  };
  Exactness Good = analyseExactness(Scaled("alpha"), 4096, 3, A);
  EXPECT_TRUE(Good.Same && Good.Exact);
  // A third of the sum is rounded, or not, before the bias is added.
  EXPECT_FALSE(analyseExactness(Scaled("third"), 4096, 3, A).Same);
  EXPECT_FALSE(analyseExactness(Acc, 0x1p30, 3, A).Exact);
  // A quotient is rounded once, the same everywhere.
  Exactness Quotient = analyseExactness(
      Value::binary(K::Div, ScalarType::F32, Acc, Bias), 4096, 3, A);
  EXPECT_TRUE(Quotient.Same);
  EXPECT_FALSE(Quotient.Exact);
}

TEST(VerifyEvaluate, MathematicalIntegers) {
  Assignment A;
  A.Ints = {{"M", 7}, {"N", -3}};
  IntExpr M = IntExpr::param("M"), N = IntExpr::param("N");
  EXPECT_EQ(evaluate(M * N + 2, A), -19);
  EXPECT_EQ(evaluate(IntExpr::floorDiv(N, 2), A), -2);
  EXPECT_EQ(evaluate(IntExpr::mod(N, 2), A), 1);
  EXPECT_EQ(evaluate(IntExpr::min(M, N), A), -3);
  EXPECT_EQ(evaluate(IntExpr::param("K"), A), std::nullopt);
  EXPECT_EQ(evaluate(M * IntExpr(INT64_MAX) * 2, A), std::nullopt);
  // One side decides a conjunction, whatever the other one is.
  BoolExpr Unknown = BoolExpr::compare(CmpOp::LT, IntExpr::param("K"), 1);
  BoolExpr False = BoolExpr::compare(CmpOp::LT, M, 1);
  EXPECT_EQ(evaluate(BoolExpr::conjunction(Unknown, False), A), false);
  EXPECT_EQ(evaluate(Unknown, A), std::nullopt);
}

} // namespace
