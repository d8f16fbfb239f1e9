//===-- CodeGenSectionTest.cpp - Sections and edits -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGen/Format.h"
#include "CodeGen/Names.h"
#include "warpwright/CodeGen/CodeGen.h"
#include "warpwright/Plan/Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <regex>

using namespace warpwright;

namespace {

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

std::string apply(llvm::StringRef Text, std::vector<TextEdit> Edits) {
  auto Result = applyEdits(Text, std::move(Edits));
  return Result ? *Result : "error: " + llvm::toString(Result.takeError());
}

TEST(CodeGenEdits, InAnyOrder) {
  EXPECT_EQ(
      apply("abcdef", {{4, 1, "E"}, {0, 0, "<"}, {1, 2, ""}, {6, 0, ">"}}),
      "<adEf>");
  EXPECT_EQ(apply("abc", {}), "abc");
}

TEST(CodeGenEdits, InsertionsAtOnePlaceKeepTheirOrder) {
  EXPECT_EQ(apply("ab", {{1, 1, "B"}, {1, 0, "1"}, {1, 0, "2"}}), "a12B");
}

TEST(CodeGenEdits, OverlapIsAnError) {
  EXPECT_EQ(apply("abcd", {{0, 2, "x"}, {1, 2, "y"}}).rfind("error: ", 0), 0u);
  EXPECT_EQ(apply("abcd", {{0, 2, "x"}, {1, 0, "y"}}).rfind("error: ", 0), 0u);
  EXPECT_EQ(apply("abcd", {{3, 2, "x"}}).rfind("error: ", 0), 0u);
}

//===----------------------------------------------------------------------===//
// Names and lines
//===----------------------------------------------------------------------===//

TEST(CodeGenNames, TakenOnce) {
  NameTable Names;
  Names.addIdentifiers("float gemm_hopper; // plan");
  Names.addMacros("#define N 4\n  #  define row(x) x\nint column;\n");
  EXPECT_EQ(Names.take("gemm_hopper"), "gemm_hopper_");
  EXPECT_EQ(Names.take("gemm_hopper"), "gemm_hopper_2");
  EXPECT_EQ(Names.take("plan"), "plan_");
  EXPECT_EQ(Names.take({"N", "row", "column"}), "column");
}

TEST(CodeGenNames, CommentsAndLiteralsAreNoNames) {
  EXPECT_EQ(withoutComments("a // b\nc /* d\n */ e \"f \\\" g\" 'h' 1'000 i"),
            "a  \nc   e     1'000 i");
  EXPECT_EQ(withoutComments("\"open\nx"), " \nx");
  EXPECT_EQ(withoutComments("/* open"), " ");
}

TEST(CodeGenNames, DefinitionsOfTypes) {
  EXPECT_TRUE(definesType("int x; struct __align__(8) Late { };", "Late"));
  EXPECT_TRUE(definesType("class Late final : Base {", "Late"));
  EXPECT_TRUE(definesType("}enum class Late: int {", "Late"));
  EXPECT_TRUE(definesType("using Late = float;", "Late"));
  EXPECT_TRUE(definesType("typedef float Late;", "Late"));
  EXPECT_FALSE(definesType("struct Later {", "Late"));
  EXPECT_FALSE(definesType("using X = Late;", "Late"));
  EXPECT_FALSE(definesType("struct Late; Late *p; f<Late>();", "Late"));
  EXPECT_FALSE(definesType("class X : Late::Base {", "Late"));
}

TEST(CodeGenNames, Respelled) {
  EXPECT_EQ(respell("const a::(anonymous namespace)::T *"), "const a::T *");
  EXPECT_EQ(respell("const __grid_constant__ Args p"), "const Args p");
  EXPECT_EQ(respell("Args const __grid_constant__"), "Args const");
}

TEST(CodeGenNames, TemplateArguments) {
  EXPECT_EQ(identifierFor({"__half", "16"}), "half_16");
  EXPECT_EQ(identifierFor({"__nv_bfloat16", "ns::Op<2>", "-1"}),
            "bfloat16_ns_Op_2_minus1");
}

TEST(CodeGenLines, Escaped) {
  EXPECT_EQ(lineDirective(3, "a\\b \"c\".cu"),
            "#line 3 \"a\\\\b \\\"c\\\".cu\"");
}

TEST(CodeGenLines, NumberedAsTheyStand) {
  EXPECT_EQ(
      numberLines("one\n#line 9 \"in.cu\"\nuser\n#line 0 \"g\"\nfour\n", "g"),
      "one\n#line 9 \"in.cu\"\nuser\n#line 5 \"g\"\nfour\n");
}

//===----------------------------------------------------------------------===//
// Whole files
//===----------------------------------------------------------------------===//

constexpr char Plain[] = R"(contraction "gemm" {
  index %b < 1
  index %m < min(M, gridDim.y * blockDim.y)
  index %n < N
  index %k < K
  operand A = A[%m * K + %k]:bf16
  operand B = B[%k * N + %n]:bf16
  accumulate f32
  output C[%m * N + %n]:bf16 = bf16((alpha:f32 * acc))
  require blockDim.x == 16 : "the block is not 16 wide"
  offsets i32
}
)";

ParamSource param(llvm::StringRef Type, llvm::StringRef Name) {
  ParamSource P;
  P.Name = Name.str();
  P.Type = Type.str();
  P.DeclText = (Type + (Type.ends_with("*") ? "" : " ") + Name).str();
  return P;
}

class CodeGenSection : public ::testing::Test {
protected:
  std::string Text;

  /// A unit for the kernel of \p ContractionText, with the parameters of Plain.
  KernelUnit unit(llvm::StringRef ContractionText = Plain) {
    KernelUnit Unit;
    KernelInstance Instance;
    Instance.Computation = llvm::cantFail(parseContraction(ContractionText));
    auto Plans = planContraction(Instance.Computation, Directives());
    EXPECT_TRUE(std::holds_alternative<PlanSet>(Plans));
    Instance.Plans = std::get<PlanSet>(Plans);
    KernelSource &S = Unit.Source;
    S.Name = S.QualifiedName = Instance.Computation.Kernel;
    S.File = "in.cu";
    S.Params = {param("const __nv_bfloat16 *", "A"),
                param("const __nv_bfloat16 *", "B"),
                param("__nv_bfloat16 *", "C"),
                param("float", "alpha"),
                param("int", "M"),
                param("int", "N"),
                param("int", "K")};
    Unit.Instances.push_back(std::move(Instance));
    return Unit;
  }

  /// Records the first launch in Text from \p From on.
  void addLaunch(KernelSource &S, bool HasArguments = true, size_t From = 0) {
    LaunchSource L;
    L.OpenBegin = Text.find("<<<", From);
    L.OpenEnd = L.OpenBegin + 3;
    L.NameBegin = Text.rfind(S.Name, L.OpenBegin);
    L.NameEnd = L.NameBegin + S.Name.size();
    L.CloseBegin = Text.find(">>>", From);
    L.CloseEnd = Text.find('(', L.CloseBegin) + 1;
    L.HasArguments = HasArguments;
    L.Begin = L.NameBegin;
    L.End = Text.find(')', L.CloseEnd) + 1;
    S.Launches.push_back(L);
  }

  std::string generateText(llvm::ArrayRef<KernelUnit> Units) {
    FileSource File;
    File.Name = "in.cu";
    File.Text = Text;
    auto Result = generate(File, Units);
    return Result ? withoutDigests(*Result)
                  : "error: " + llvm::toString(Result.takeError());
  }

  /// Hashes depend on every byte; where they stand is what matters.
  static std::string withoutDigests(const std::string &Text) {
    static const std::regex Digest(
        "(// <<< warpwright: [a-z<>]+ \\()[0-9a-f]{16}");
    return std::regex_replace(Text, Digest, "$1#");
  }
};

/// \p S with every run of white space replaced by one space, since the
/// formatter decides where lines break.
std::string flat(llvm::StringRef S) {
  std::string Result;
  for (char C : S)
    if (!llvm::isSpace(C))
      Result += C;
    else if (Result.empty() || Result.back() != ' ')
      Result += ' ';
  return Result;
}

#define EXPECT_HAS(TEXT, PART)                                                 \
  EXPECT_NE(flat(TEXT).find(flat(PART)), std::string::npos) << (TEXT)

/// The plan decides that epilogue offsets are int, whatever type the original
/// uses; so the launcher has to check that they fit.
TEST_F(CodeGenSection, TheLauncherChecksWhatAnIntEpilogueCanCount) {
  auto Section = [&](llvm::StringRef Value, llvm::StringRef Offsets) {
    std::string C = Plain;
    C.replace(C.find("(alpha:f32 * acc)"), 17, Value.str());
    C.replace(C.find("offsets i32"), 11, "offsets " + Offsets.str());
    return flat(llvm::cantFail(generateSection({"in.cu", "", {}}, unit(C))));
  };
  const char Checked[] = "/*int_epilogue=*/true";
  const char Loads[] = "(acc + f32(C[((%m * N) + %n)]:bf16))";
  EXPECT_NE(Section(Loads, "i64").find(Checked), std::string::npos);
  EXPECT_EQ(Section(Loads, "i32").find(Checked), std::string::npos);
  // Tiles are stored by their coordinates, so no offsets are computed.
  EXPECT_EQ(Section("(alpha:f32 * acc)", "i64").find(Checked),
            std::string::npos);
}

TEST_F(CodeGenSection, NothingToDoIsTheTextItself) {
  Text = "\xEF\xBB\xBFint x;\r\n\tweird  text";
  EXPECT_EQ(generateText({}), Text);
}

TEST_F(CodeGenSection, TheOriginalStaysByteForByte) {
  Text = "\xEF\xBB\xBF// head\r\nKERNEL\r\nvoid f() { gemm<<<g, (b) >>> "
         "/*c*/ (A, B); }\n";
  KernelUnit Unit = unit();
  addLaunch(Unit.Source);
  Unit.Source.SectionOffset = Text.find("KERNEL") + 6;
  Unit.Source.FollowLine = 2;
  std::string Result = generateText(Unit);
  EXPECT_EQ(Result.rfind("\xEF\xBB\xBF#include <warpwright/rt/warpwright.cuh>\n"
                         "#line 1 \"in.cu\"\n// >>> warpwright: <plans>\n"
                         "#line 1 \"<plans.warpwright>\"\n",
                         0),
            0u)
      << Result;
  EXPECT_HAS(Result, "#line 1 \"in.cu\"\n// head\r\nKERNEL\n"
                     "// >>> warpwright: gemm\n"
                     "#line 1 \"<gemm.warpwright>\"\n");
  EXPECT_HAS(Result,
             "// <<< warpwright: gemm (#, within a line)\n#line 2 \"in.cu\"\n"
             "\r\nvoid f() { (::warpwright::rt::Configure(g, (b) ), "
             "gemm_warpwright/*<<<>>>*/ /*c*/ (A, B)); }\n");
}

TEST_F(CodeGenSection, Deterministic) {
  Text = "KERNEL\n";
  KernelUnit Unit = unit();
  Unit.Source.SectionOffset = 6;
  Unit.Source.FollowLine = 1;
  EXPECT_EQ(generateText(Unit), generateText(Unit));
}

TEST_F(CodeGenSection, LauncherStatesTheProblem) {
  std::string Result = generateText(unit());
  EXPECT_HAS(Result, "void gemm_warpwright(::warpwright::rt::Launch launch, "
                     "const __nv_bfloat16 *A,");
  EXPECT_HAS(
      Result,
      "1, rt::min(M, rt::Integer(launch.block.y) * launch.grid.y), N, K}");
  EXPECT_HAS(Result,
             "{\"A\", A, rt::Type::bf16, rt::Use::operand, 0, {0, K, 0, 1}}");
  EXPECT_HAS(Result,
             "{\"B\", B, rt::Type::bf16, rt::Use::operand, 0, {0, 0, 1, N}}");
  EXPECT_HAS(Result,
             "{\"C\", C, rt::Type::bf16, rt::Use::output, 0, {0, N, 1, 0}}");
  EXPECT_HAS(Result, "rt::IndexType::i32");
  EXPECT_HAS(Result, "{launch.block.x == 16, \"the block is not 16 wide\"}");
  EXPECT_HAS(Result, "gemm_epilogue{alpha}, A, B, C, alpha, M, N, K);\n}");
}

TEST_F(CodeGenSection, ArraysArePointers) {
  KernelUnit Unit = unit();
  Unit.Source.Params[0].DeclText = "const __nv_bfloat16 A[]";
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "Launch launch, const __nv_bfloat16 *A,");
}

TEST_F(CodeGenSection, EpilogueHasOnlyWhatItMentions) {
  std::string Result = generateText(unit());
  EXPECT_HAS(Result, "struct gemm_epilogue {\n  float alpha;\n  __device__ ");
  EXPECT_HAS(Result, "value(float acc, int, int, int) const { return "
                     "__float2bfloat16(alpha * acc); }");
}

TEST_F(CodeGenSection, UserLinesAreNamed) {
  KernelUnit Unit = unit();
  auto V =
      std::make_shared<Value>(*Unit.Instances[0].Computation.Outputs[0].Value);
  V->Line = 42;
  Unit.Instances[0].Computation.Outputs[0].Value = V;
  std::string Result = generateText(Unit);
  size_t At = Result.find("#line 42 \"in.cu\"\n    return __float2bfloat16(");
  ASSERT_NE(At, std::string::npos);
  // The number of the line after the directive that restores the section.
  size_t Back = Result.find("#line ", At + 1);
  size_t Start = Result.find('\n', Result.find("#line 1 \"<gemm.warp")) + 1;
  unsigned Line = 2 + llvm::StringRef(Result).slice(Start, Back).count('\n');
  EXPECT_EQ(Result.compare(Back, 6 + std::to_string(Line).size(),
                           "#line " + std::to_string(Line)),
            0);
}

TEST_F(CodeGenSection, NamesOfTheUserAreAvoided) {
  Text = "#define N 1024\n#define launch go\nint gemm_epilogue;\n";
  KernelUnit Unit = unit();
  Unit.Source.Params[3].Name = "arrays";
  Unit.Source.Params[3].DeclText = "float arrays";
  Unit.Instances[0].Computation = llvm::cantFail(parseContraction(R"(
contraction "gemm" {
  index %b < 1
  index %m < M
  index %n < 1024
  index %k < K
  operand A = A[%m * K + %k]:bf16
  operand B = B[%k * 1024 + %n]:bf16
  accumulate f32
  output C[%m * 1024 + %n]:bf16 = bf16((arrays:f32 * acc))
  offsets i32
})"));
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "struct gemm_epilogue_ {");
  EXPECT_HAS(Result, "::warpwright::rt::Launch launch_, ");
  EXPECT_HAS(Result, "rt::Array arrays_[] = {");
}

TEST_F(CodeGenSection, MacrosAreSetAside) {
  Text = "#define min(a, b) ((a) < (b) ? (a) : (b))\n#define float double\n"
         "#define bf16 3\n#define unrelated 1\n";
  std::string Result = generateText(unit());
  EXPECT_HAS(Result, "// >>> warpwright: gemm\n#pragma push_macro(\"bf16\")\n"
                     "#undef bf16\n#pragma push_macro(\"min\")\n"
                     "#undef min\n#line 1 \"<gemm.warpwright>\"\n");
  EXPECT_HAS(Result, "#pragma pop_macro(\"bf16\")\n#pragma "
                     "pop_macro(\"min\")\n// <<< warpwright: gemm (#)\n");
}

TEST_F(CodeGenSection, IndicesDoNotHideParameters) {
  KernelUnit Unit = unit(R"(contraction "gemm" {
  index %b < 1
  index %m < m
  index %n < n
  index %k < k
  operand A = a[%m * k + %k]:f16
  operand B = b[%k * n + %n]:f16
  accumulate f32
  output c[%m * n + %n]:f16 = f16((acc + f32(b[%m * n + %n]:f16)))
  offsets i64
})");
  Unit.Source.Params = {param("const half *", "a"), param("const half *", "b"),
                        param("half *", "c"),       param("int", "m"),
                        param("int", "n"),          param("int", "k")};
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "value(float acc, int row, int column, int) const {");
  EXPECT_HAS(Result, "b[row * n + column]");
}

TEST_F(CodeGenSection, ParameterMayBeCalledLikeTheRuntime) {
  KernelUnit Unit = unit(R"(contraction "gemm" {
  index %b < 1
  index %m < m
  index %n < n
  index %k < k
  operand A = rt[%m * k + %k]:f16
  operand B = b[%k * n + %n]:f16
  accumulate f32
  output c[%m * n + %n]:f16 = f16(acc)
  offsets i32
})");
  Unit.Source.Params = {param("const half *", "rt"), param("const half *", "b"),
                        param("half *", "c"),        param("int", "m"),
                        param("int", "n"),           param("int", "k")};
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "{\"rt\", rt, rt_::Type::f16, rt_::Use::operand");
}

TEST_F(CodeGenSection, ScatteredInputsAreGivenAsRanges) {
  std::string Source = Plain;
  Source.replace(Source.find("(alpha:f32 * acc)"), 17,
                 "(alpha:f32 * f32(A[floordiv(%n, 128) * M + %m]:bf16))");
  std::string Result = generateText(unit(Source));
  EXPECT_HAS(Result, "rt::Use::input,\n       rt::Range(");
  EXPECT_HAS(Result, "rt::floor_div(rt::Range::of_extent(extent.n), 128)");
}

TEST_F(CodeGenSection, SecondOutput) {
  std::string Source = Plain;
  size_t At = Source.find("  require");
  Source.insert(At, "  output D[%m * N + %n]:f32 = acc\n");
  KernelUnit Unit = unit(Source);
  Unit.Source.Params.push_back(param("float *", "D"));
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "void store_others(float acc, int m, int n,");
  EXPECT_HAS(Result, "D[m * N + n] = part_of_output1;");
  EXPECT_HAS(Result, "{\"D\", D, rt::Type::f32, rt::Use::output");
}

TEST_F(CodeGenSection, OutputsWithoutARunAreStoredByElement) {
  std::string Source = Plain;
  Source.replace(Source.find("C[%m * N + %n]"), 14, "C[%m * N + 2 * %n]");
  std::string Result = generateText(unit(Source));
  EXPECT_HAS(Result, "void store_all(float acc, int m, int n, int) const {");
  EXPECT_HAS(Result, "C[m * N + 2 * n] = part_of_output0;");
  EXPECT_EQ(flat(Result).find(" value("), std::string::npos);
}

TEST_F(CodeGenSection, TemplatesDispatchOnTheInstance) {
  Text = "KERNEL\n";
  KernelUnit Unit = unit();
  KernelSource &S = Unit.Source;
  S.TemplateHeader = "template <typename Elem, int Tile>";
  S.TemplateHeaderWithDefaults = "template <typename Elem, int Tile = 16>";
  S.TemplateParamNames = {"Elem", "Tile"};
  for (unsigned I = 0; I < 3; ++I)
    S.Params[I] = param(I < 2 ? "const Elem *" : "Elem *", S.Params[I].Name);
  InstanceSource &Instance = Unit.Instances[0].Source;
  Instance.TemplateArgs = {"__nv_bfloat16", "16"};
  Instance.ParamTypes = {"const __nv_bfloat16 *",
                         "const __nv_bfloat16 *",
                         "__nv_bfloat16 *",
                         "float",
                         "int",
                         "int",
                         "int"};
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "struct gemm_bfloat16_16_epilogue {");
  EXPECT_HAS(Result, "problem, gemm<__nv_bfloat16, 16>,");
  EXPECT_HAS(Result, "static void gemm_bfloat16_16_launch(");
  EXPECT_HAS(Result,
             "template <typename Elem, int Tile> struct gemm_instance {");
  EXPECT_HAS(Result, "template <> struct gemm_instance<__nv_bfloat16, 16> {");
  EXPECT_HAS(Result, "template <typename Elem, int Tile>\nstatic void "
                     "gemm_warpwright(::warpwright::rt::Launch launch, const "
                     "Elem *A,");
  EXPECT_HAS(Result, "template <typename Elem, int Tile = 16>\nstatic inline "
                     "void gemm_warpwright(const Elem *A,");
  EXPECT_HAS(Result, "gemm_warpwright<Elem, Tile>(::warpwright::rt::Configure::"
                     "take(), A, B,");
  EXPECT_HAS(Result, "gemm<Elem, Tile><<<launch.grid");

  // If there is a declaration before, the default arguments are on it and
  // nowhere else.
  S.ForwardDeclaration = {0, 1};
  Result = generateText(Unit);
  size_t First = Result.find("Tile = 16");
  ASSERT_NE(First, std::string::npos);
  EXPECT_EQ(Result.find("Tile = 16", First + 1), std::string::npos);
  EXPECT_LT(First, Result.find("KERNEL"));
}

/// `verify` forces each plan of a file that is rewritten already.
TEST_F(CodeGenSection, PlansOfEachInstanceAreReadBack) {
  Text = "KERNEL\n";
  KernelUnit Unit = unit();
  Unit.Source.TemplateHeader = "template <int Tile>";
  Unit.Source.TemplateParamNames = {"Tile"};
  for (const ParamSource &P : Unit.Source.Params)
    Unit.Instances[0].Source.ParamTypes.push_back(P.Type);
  Unit.Instances.push_back(Unit.Instances[0]);
  Directives D;
  D.Tile = {128, 128, 64};
  Unit.Instances[1].Plans =
      std::get<PlanSet>(planContraction(Unit.Instances[1].Computation, D));
  Unit.Instances[0].Source.TemplateArgs = {"8"};
  Unit.Instances[1].Source.TemplateArgs = {"16"};

  const std::string Result = generateText(Unit);
  const llvm::StringRef All = Result;
  const llvm::StringRef Block = All.slice(All.find(">>> warpwright: <plans>"),
                                          All.find("<<< warpwright: <plans>"));
  const llvm::StringRef Section = All.slice(All.find(">>> warpwright: gemm"),
                                            All.find("<<< warpwright: gemm"));
  for (const KernelInstance &Instance : Unit.Instances) {
    const std::vector<WrittenPlan> Read =
        readPlans(Section, Block, "gemm", Instance.Source.TemplateArgs);
    ASSERT_EQ(Read.size(), Instance.Plans.Plans.size());
    for (const auto &[R, P] : llvm::zip(Read, Instance.Plans.Plans)) {
      EXPECT_EQ(R.Name, P.Name);
      EXPECT_EQ(R.TileM, P.TileM);
      EXPECT_EQ(R.TileN, P.TileN);
      EXPECT_EQ(R.TileK, P.TileK);
      EXPECT_EQ(R.Stages, P.Stages);
      EXPECT_EQ(R.Ctas, P.clusterSize());
    }
  }
  EXPECT_NE(Unit.Instances[0].Plans.Plans.size(),
            Unit.Instances[1].Plans.Plans.size());
  EXPECT_TRUE(readPlans(Section, "", "gemm", {"8"}).empty());
  EXPECT_TRUE(readPlans(Section, Block, "gemm", {"32"}).empty());
}

TEST_F(CodeGenSection, ArgumentsDeclaredLaterMoveTheSection) {
  Text = "// Late\nKERNEL\nstruct Late {};\nlast";
  KernelUnit Unit = unit();
  KernelSource &S = Unit.Source;
  S.QualifiedName = "a::(anonymous namespace)::gemm";
  S.TemplateHeader = "template <typename Elem>";
  S.TemplateParamNames = {"Elem"};
  S.SectionOffset = Text.find("\nstruct");
  S.FollowLine = 2;
  for (const ParamSource &P : S.Params)
    Unit.Instances[0].Source.ParamTypes.push_back(P.Type);
  Unit.Instances[0].Source.TemplateArgs = {"Late"};
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "KERNEL\n// >>> warpwright: gemm declared\n#line 1 "
                     "\"<gemm.warpwright>\"\ntemplate <typename "
                     "Elem>\nstatic inline void gemm_warpwright(");
  EXPECT_HAS(Result, "struct Late {};\nlast\n// >>> warpwright: gemm\n");
  EXPECT_HAS(Result, "namespace a {\nnamespace {\n");
  EXPECT_HAS(Result,
             "// <<< warpwright: gemm (#, within a line)\n#line 4 \"in.cu\"\n");

  // A definition that the rest of the file does not have stays where it is.
  Unit.Instances[0].Source.TemplateArgs = {"last"};
  EXPECT_HAS(generateText(Unit), "KERNEL\n// >>> warpwright: gemm\n");
}

TEST_F(CodeGenSection, ForwardDeclarationsTakeTheDefaultArguments) {
  Text = "int x;\nKERNEL\n";
  KernelUnit Unit = unit();
  Unit.Source.Params[6].DefaultText = "64";
  Unit.Source.SectionOffset = Text.size();
  Unit.Source.FollowLine = 3;
  Unit.Source.ForwardDeclaration = {6, 1};
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "int x;\n// >>> warpwright: gemm declared\n#line 1 "
                     "\"<gemm.warpwright>\"\ninline void "
                     "gemm_warpwright(const __nv_bfloat16 ");
  EXPECT_HAS(
      Result,
      "int K = 64);\n// <<< warpwright: gemm (#, within a line)\n#line 1 "
      "\"in.cu\"\n\nKERNEL");
  size_t First = Result.find("K = 64");
  EXPECT_EQ(Result.find("K = 64", First + 1), std::string::npos);
}

TEST_F(CodeGenSection, LinkageFollowsTheKernel) {
  KernelUnit Unit = unit();
  EXPECT_HAS(generateText(Unit), "\nvoid gemm_warpwright(");
  Unit.Source.InternalLinkage = true;
  EXPECT_HAS(generateText(Unit), "\nstatic void gemm_warpwright(");
  Unit.Source.ReopenNamespaces = {"a", ""};
  Unit.Source.InExternC = true;
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "extern \"C++\" {\nnamespace a {\nnamespace {\n");
}

TEST_F(CodeGenSection, DeclarationsGoThroughAWeakReference) {
  Text = "DECL\ngemm<<<g, b>>>();\n";
  KernelUnit Unit = unit();
  Unit.Instances.clear();
  Unit.Source.DeclarationOnly = true;
  Unit.Source.SectionOffset = 4;
  Unit.Source.FollowLine = 1;
  // Without a launch nobody calls it.
  EXPECT_EQ(generateText(Unit), Text);
  addLaunch(Unit.Source, /*HasArguments=*/false);
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result, "__attribute__((weak)) void gemm_warpwright(");
  EXPECT_HAS(Result, "static inline void gemm_warpwright_weak(const");
  EXPECT_HAS(Result, "const ::warpwright::rt::Launch launch = "
                     "::warpwright::rt::Configure::take();");
  EXPECT_HAS(Result,
             "(::warpwright::rt::Configure(g, b), gemm_warpwright_weak());");
}

TEST_F(CodeGenSection, AnExistingSectionIsLeftAlone) {
  Text = "#include <warpwright/rt/warpwright.cuh>\ngemm<<<g, b>>>(A);\n";
  KernelUnit Unit = unit();
  Unit.SectionExists = true;
  EXPECT_EQ(generateText(Unit), Text);
  addLaunch(Unit.Source);
  EXPECT_EQ(generateText(Unit),
            "#include <warpwright/rt/warpwright.cuh>\n"
            "(::warpwright::rt::Configure(g, b), gemm_warpwright(A));\n");
}

TEST_F(CodeGenSection, OverloadsGetNamesOfTheirOwn) {
  std::string Result = generateText({unit(), unit()});
  EXPECT_HAS(Result, "struct gemm_epilogue {");
  EXPECT_HAS(Result, "struct gemm_epilogue_ {");
}

/// The function that a launch calls has exactly the kernel's parameters, and
/// their default arguments unless an earlier declaration has them.
TEST_F(CodeGenSection, LaunchesCallAFunctionOfTheKernelsParameters) {
  KernelUnit Unit = unit();
  Unit.Source.Params[6].DefaultText = "64";
  std::string Result = generateText(Unit);
  EXPECT_HAS(Result,
             "inline void gemm_warpwright(const __nv_bfloat16 *A, const "
             "__nv_bfloat16 *B, __nv_bfloat16 *C, float alpha, int M, "
             "int N, int K = 64) { "
             "gemm_warpwright(::warpwright::rt::Configure::take(), A, "
             "B, C, alpha, M, N, K); }");
  Unit.Source.InternalLinkage = true;
  EXPECT_HAS(generateText(Unit), "static inline void gemm_warpwright(const ");
}

TEST_F(CodeGenSection, ConfigurationsMoveBeforeWhatIsCalled) {
  Text = "a::gemm\n  <<< // where\n  g,\n  b >>>\n(A);\n";
  KernelUnit Unit = unit();
  Unit.SectionExists = true;
  addLaunch(Unit.Source);
  Unit.Source.Launches[0].Begin = 0;
  EXPECT_EQ(generateText(Unit),
            "(::warpwright::rt::Configure( // where\n  g,\n  b ), "
            "a::gemm_warpwright\n  /*<<<>>>*/\n(A));\n");
}

/// An earlier section is replaced in its place; its names are free.
TEST_F(CodeGenSection, OldTextIsReplaced) {
  Text = "#include <warpwright/rt/warpwright.cuh>\nKERNEL\n"
         "struct gemm_epilogue_89abcdef {};\n#line 7 \"was.cu\"\nlast\n";
  KernelUnit Unit = unit();
  KernelSource &S = Unit.Source;
  S.Origin = "0.0.0, 0123456789abcdef";
  S.MacroChecks = {{"SCALE", "SCALE", "2"}, {"FAST", "FAST", std::nullopt}};
  S.SectionOffset = Text.find("struct");
  S.OldSection = {S.SectionOffset, unsigned(Text.find("last")), 9, "was.cu"};
  std::string Result = generateText(Unit);
  EXPECT_HAS(
      Result,
      "KERNEL\n// >>> warpwright: gemm (0.0.0, 0123456789abcdef)\n#line 1 "
      "\"<gemm.warpwright>\"\nstatic_assert(::warpwright::rt::"
      "same_tokens(WARPWRIGHT_TEXT(SCALE), \"2\"), \"gemm was rewritten "
      "with SCALE = 2; rewrite this file with the build's flags\");\n"
      "#ifdef FAST\nstatic_assert(false, \"gemm was rewritten without "
      "FAST; rewrite this file with the build's flags\");\n#endif\n");
  EXPECT_HAS(Result, "struct gemm_epilogue_89abcdef {");
  EXPECT_HAS(Result, "// <<< warpwright: gemm (#)\n#line 9 \"was.cu\"\nlast\n");
  EXPECT_EQ(Result.find("struct gemm_epilogue_89abcdef {};"),
            std::string::npos);
  // A section that is up to date is left alone, whatever is known of its
  // kernel.
  Unit.SectionExists = true;
  EXPECT_EQ(generateText(Unit), Text);
}

/// Values that the host cannot know never get into the text of a launcher.
TEST_F(CodeGenSection, TheLauncherReadsNoDeviceMemory) {
  const ValueRef Element = Value::load(ScalarType::I32, "A", 0);
  const ValueRef Alpha = Value::param(ScalarType::F32, "alpha");
  const BoolExpr OfData = BoolExpr::floatCompare(
      CmpOp::NE, Element, Value::constant(ScalarType::I32, "0"));
  auto Reason = [&](llvm::function_ref<void(Contraction &)> Change) {
    KernelUnit Unit = unit();
    Change(Unit.Instances[0].Computation);
    llvm::Error Bad = checkHostExpressions(Unit.Source, Unit.Instances[0]);
    const bool Fails = bool(Bad);
    const std::string Text = llvm::toString(std::move(Bad));
    // generate() comes to the same result, and writes nothing.
    EXPECT_EQ(generateText(Unit).rfind("error: ", 0) == 0, Fails);
    return Text;
  };
  const auto Requires = [](BoolExpr E) {
    return [=](Contraction &C) { C.Requires.push_back({E, "a reason"}); };
  };
  const char Know[] = "the launcher would have to know ";
  EXPECT_EQ(Reason([](Contraction &) {}), "");
  // A bound that depends on data.
  EXPECT_EQ(Reason([&](Contraction &C) {
              C.KExtent = IntExpr::select(OfData, C.KExtent, 8);
            }),
            Know + std::string("an element of 'A', which is in device memory"));
  EXPECT_EQ(Reason(Requires(OfData)),
            Know + std::string("an element of 'A', which is in device memory"));
  EXPECT_EQ(Reason([&](Contraction &C) {
              C.A.Index += IntExpr::select(OfData, 8, 0);
            }),
            Know + std::string("an element of 'A', which is in device memory"));
  EXPECT_EQ(Reason([](Contraction &C) { C.MExtent = IntExpr::param("A[0]"); }),
            Know + std::string("'A[0]', which is in device memory"));
  EXPECT_EQ(Reason([](Contraction &C) { C.NExtent = IntExpr::param("len"); }),
            Know + std::string("'len', which is no parameter of the kernel"));
  // Threads, blocks, iterations, and the index k outside of the sum.
  EXPECT_EQ(Reason([](Contraction &C) {
              C.BatchExtent = IntExpr::special(AtomKind::ThreadIdx, 2) + 1;
            }),
            Know + std::string("'threadIdx.z' of a thread"));
  EXPECT_EQ(Reason([](Contraction &C) {
              C.Outputs[0].Index += IntExpr::special(AtomKind::BlockIdx, 0);
            }),
            Know + std::string("'blockIdx.x' of a thread"));
  EXPECT_EQ(Reason([](Contraction &C) { C.KExtent += IntExpr::counter(1); }),
            Know + std::string("the iteration of a loop"));
  EXPECT_EQ(Reason([](Contraction &C) { C.MExtent = IntExpr::index("k"); }),
            Know + std::string("the index %k of an element"));
  EXPECT_EQ(Reason([](Contraction &C) {
              C.Outputs[0].Value = Value::binary(
                  Value::Kind::Mul, ScalarType::F32, Value::acc(),
                  Value::integer(ScalarType::F32, IntExpr::index("k")));
              C.Outputs[0].Value =
                  Value::cast(ScalarType::BF16, C.Outputs[0].Value);
            }),
            Know + std::string("the index %k of an element"));
  // Calls, sums, and values that the host would compute differently from the
  // device.
  EXPECT_EQ(
      Reason(Requires(BoolExpr::floatCompare(
          CmpOp::GT, Value::call(ScalarType::F32, "gelu", {Alpha}), Alpha))),
      Know + std::string("what the device function 'gelu' returns"));
  EXPECT_EQ(
      Reason(Requires(BoolExpr::floatCompare(CmpOp::GT, Value::acc(), Alpha))),
      Know + std::string("a sum"));
  // Arguments are known, and so is everything computed from them.
  EXPECT_EQ(Reason(Requires(BoolExpr::floatCompare(
                CmpOp::NE, Alpha, Value::constant(ScalarType::F32, "0")))),
            "");
  EXPECT_EQ(Reason(Requires(BoolExpr::nonNull("C"))), "");
}

TEST_F(CodeGenSection, WrongOffsetsAreAnError) {
  Text = "gemm<<<g, b>>>(A);\n";
  KernelUnit Unit = unit();
  addLaunch(Unit.Source);
  Unit.Source.Launches[0].OpenBegin++;
  EXPECT_EQ(generateText(Unit).rfind("error: internal error: kernel 'gemm'", 0),
            0u);
}

} // namespace
