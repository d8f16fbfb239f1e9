//===- FrontendBodiesTest.cpp - Which bodies are left out of a parse ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Parse.h"
#include "warpwright/Frontend/Region.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include "gtest/gtest.h"

#include <set>

using namespace warpwright;

namespace {

/// Names of the functions and templates that \p Context has without a body
/// although their text has one.
std::set<std::string> withoutBody(clang::ASTContext &Context) {
  struct Visitor : clang::RecursiveASTVisitor<Visitor> {
    std::set<std::string> Names;
    bool VisitFunctionDecl(clang::FunctionDecl *Function) {
      if (Function->hasSkippedBody())
        Names.insert(Function->getNameAsString());
      return true;
    }
  } Found;
  Found.TraverseDecl(Context.getTranslationUnitDecl());
  return Found.Names;
}

/// Those of a file that includes \p Header as a system header.
std::set<std::string> skipped(std::string Header, std::string BeforeIt = "",
                              const std::string &Name = "header.h") {
  ParseOptions Options;
  Options.ClangArgs = {"-x",         "cuda",       "--cuda-device-only",
                       "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_90",
                       "-std=c++17", "-isystem",   "/bodies/system"};
  const std::string Attributes = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#include <launch.h>
)";
  Options.Replaced = {{"/bodies/system/launch.h",
                       "int cudaConfigureCall(int, int, unsigned long = 0, "
                       "void * = nullptr);\n"
                       "int cudaLaunchKernel(void *);\n"},
                      {"/bodies/system/" + Name, std::move(Header)},
                      {"/bodies/main.cu", Attributes + BeforeIt + "#include <" +
                                              Name +
                                              ">\n"
                                              "int mine() { return 1; }\n"}};
  std::set<std::string> Names;
  const ParseResult Result =
      parseFile("/bodies/main.cu", Options,
                [&](ParsedFile &File) { Names = withoutBody(File.Context); });
  EXPECT_FALSE(Result.Failed);
  return Names;
}

using Names = std::set<std::string>;

TEST(FrontendBodies, OnlyThoseForTheHost) {
  EXPECT_EQ(skipped(R"(
inline int host() { return 1; }
struct Plain { int member() { return 2; } };
__device__ inline int device() { return 3; }
__host__ __device__ inline int both() { return 4; }
constexpr int constant() { return 5; }
inline auto deduced() { return 6; }
template <class T> int generic(T Call) { return Call(); }
template <class T> struct Generic { int inside() { return 7; } };
#pragma clang force_cuda_host_device begin
inline int forced() { return 8; }
#pragma clang force_cuda_host_device end
)"),
            (Names{"host", "member"}));
}

TEST(FrontendBodies, NothingThatReadsTextures) {
  // Clang's header is not even read.
  const char *const Name = "__clang_cuda_texture_intrinsics.h";
  EXPECT_EQ(
      skipped("#error it is read\n",
              "#include <__clang_cuda_texture_intrinsics.h>\n"
              "__device__ void fetch(float *To, unsigned long long Texture) {\n"
              "  __nv_tex_surf_handler(\"__itex1D\", To, Texture, 0.5f);\n"
              "}\n",
              Name),
      Names());
}

TEST(FrontendBodies, NoneOfAHeaderThatLaunches) {
  EXPECT_EQ(
      skipped("inline void host(void (*Kernel)()) { Kernel<<<1, 1>>>(); }"),
      Names());
  EXPECT_EQ(skipped("int cudaLaunchKernelExC(void *);\n"
                    "inline void host() { cudaLaunchKernelExC(nullptr); }"),
            Names());
}

TEST(FrontendBodies, NoneBehindAnythingOfTheUsers) {
  // It may be the only one that instantiates a function that launches.
  EXPECT_EQ(skipped("inline void host() { start<float>(); }",
                    "template <class T> void start() {}\n"),
            Names());
  EXPECT_EQ(skipped("inline void host() {}", "namespace users { int x; }\n"),
            Names());
  EXPECT_EQ(skipped("inline void host() {}", "#define MINE 1\n"),
            Names{"host"});
}

TEST(FrontendBodies, NoneBehindAMacroThatLaunches) {
  EXPECT_EQ(skipped("__global__ void kernel();\n"
                    "inline void host() { RUN(kernel); }",
                    "#define RUN(kernel) kernel<<<1, 1>>>()\n"),
            Names());
  EXPECT_EQ(skipped("inline void host() { RUN(nullptr); }",
                    "#define RUN(kernel) cudaLaunchKernel(kernel)\n"),
            Names());
  // What the Toolkit's headers define launches nothing by itself.
  EXPECT_EQ(skipped("inline int host() { return RUN(1); }",
                    "#define RUN(kernel) kernel\n"
                    "#define cudaStreamAttrID cudaLaunchAttributeID\n"
                    "#define cudaLaunchKernel cudaLaunchKernel_ptsz\n"),
            Names{"host"});
}

} // namespace
