//===- PlanFileTest.cpp ---------------------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plan files that are wrong by themselves, whatever kernel they are for.
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Plan.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

Contraction product() {
  Expected<Contraction> C =
      parseContraction("contraction \"gemm\" {\n"
                       "  index %b < 1\n  index %m < M\n  index %n < N\n"
                       "  index %k < K\n"
                       "  operand A = A[%m * K + %k]:f16\n"
                       "  operand B = B[%k * N + %n]:f16\n"
                       "  accumulate f32\n"
                       "  output C[%m * N + %n]:f16 = f16(acc)\n"
                       "  offsets i32\n}\n");
  if (!C)
    report_fatal_error(C.takeError());
  return *C;
}

TEST(PlanFile, NamesTheMemberThatIsWrong) {
  auto Refuse = [](const Twine &Members) {
    return toString(
        planSetFromJSON(
            ("{\"plans\": [{\"tile\": [128, 256, 64], " + Members + "}]}")
                .str(),
            product())
            .takeError());
  };
  EXPECT_EQ(Refuse("\"consumers\": 0"),
            "plan 0: 'consumers' is out of range: 0 is not between 1 and 4096");
  EXPECT_EQ(Refuse("\"raster_group\": 99999999"),
            "plan 0: 'raster_group' is out of range: 99999999 is not between 1 "
            "and 4096");
  EXPECT_EQ(Refuse("\"cluster\": [1, -1]"),
            "plan 0: 'cluster' is out of range: -1 is not between 1 and 4096");
  EXPECT_EQ(Refuse("\"slices\": 1025"),
            "plan 0: 'slices' is out of range: 1025 is not between 0 and 1024");
  EXPECT_EQ(Refuse("\"family\": \"a\\nb\""),
            "plan 0: 'family' is not an identifier");
}

TEST(PlanFile, RefusesWhatIsNone) {
  auto Refuse = [](StringRef Text) { return toString(checkPlanFile(Text)); };
  EXPECT_EQ(Refuse(""), "it is empty");
  EXPECT_EQ(Refuse(" \n"), "it is empty");
  EXPECT_EQ(Refuse(R"({"plans": []})"),
            "a plan file is an object with a list 'plans'");
  // Without its own check these would use up the stack.
  const std::string TooDeep = "objects and lists are nested more than 32 deep";
  EXPECT_EQ(Refuse(std::string(1000000, '[')), TooDeep);
  std::string Objects;
  for (unsigned I = 0; I != 200000; ++I)
    Objects += R"({"a":)";
  EXPECT_EQ(Refuse(Objects), TooDeep);
  EXPECT_EQ(Refuse("{\"" + std::string(100, '[') + "\\\""),
            "[1:104, byte=104]: Unterminated string");
  EXPECT_EQ(Refuse(R"({"plans": [{"tile": [64, 64, 64], "tile": 1}]})"),
            "an object has two members 'tile'");
  EXPECT_EQ(Refuse(R"({"plans": [{"tile": [64, 64, 64]}], "plan": 1, "b": 2})"),
            "unknown member 'b'");
  for (StringRef Version : {"0", "3", "1.5", "\"2\"", "null"})
    EXPECT_EQ(Refuse(R"({"plans": [{"tile": [64, 64, 64]}], "version": )" +
                     Version.str() + "}"),
              "plan files of version " + Version.str() + " are not supported");
}

} // namespace
