//===- ValidatorTest.cpp - What the validator proves, and misses not ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Validator.h"
#include "ValidatorPlans.h"
#include "warpwright/Plan/Protocol.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <ctime>

using namespace llvm;
using namespace warpwright;

namespace {

std::string diagnose(const KernelPlan &P) {
  auto Result = validatePlan(P);
  if (auto *Bad = std::get_if<Diagnosis>(&Result))
    return name(Bad->Violated).str();
  return "certified";
}

TEST(Validator, CertifiesEveryGoodPlan) {
  for (const auto &Plans : {goodPlans(), goodSplitPlans()})
    for (const KernelPlan &P : Plans)
      EXPECT_EQ(diagnose(P), "certified") << P.Name;
}

TEST(Validator, PropertiesHaveNamesOfTheirOwn) {
  std::vector<StringRef> Names;
  for (Property P : allProperties()) {
    EXPECT_FALSE(is_contained(Names, name(P))) << name(P).str();
    EXPECT_FALSE(meaning(P).empty());
    Names.push_back(name(P));
  }
}

TEST(Validator, PropertiesAreDocumented) {
  auto Page =
      MemoryBuffer::getFile(WARPWRIGHT_TEST_INPUTS "/../../docs/plans.md");
  ASSERT_TRUE(bool(Page));
  for (Property P : allProperties()) {
    const std::string Row =
        ("| `" + name(P) + "` | " + meaning(P) + " |").str();
    EXPECT_TRUE((*Page)->getBuffer().contains(Row)) << Row;
  }
}

/// Processor time, so that a busy machine does not matter.
double processorMilliseconds() {
  return double(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

/// The time of each plan is a property of the test's result, and printed when
/// WARPWRIGHT_TIMES is set.
TEST(Validator, TakesMilliseconds) {
  double Slowest = 0, Sum = 0;
  std::vector<KernelPlan> Plans = goodPlans();
  llvm::append_range(Plans, goodSplitPlans());
  for (const KernelPlan &P : Plans) {
    double Best = 1e9;
    for (int I = 0; I < 3; ++I) {
      const double Begin = processorMilliseconds();
      validatePlan(P);
      Best = std::min(Best, processorMilliseconds() - Begin);
    }
    RecordProperty(P.Name, std::to_string(Best) + " ms");
    if (getenv("WARPWRIGHT_TIMES"))
      printf("%s cluster %lldx%lld: %.2f ms\n", P.Name.c_str(),
             (long long)P.ClusterM, (long long)P.ClusterN, Best);
    Slowest = std::max(Slowest, Best);
    Sum += Best;
  }
  RecordProperty("mean", std::to_string(Sum / double(Plans.size())) + " ms");
#ifdef NDEBUG
  // Other processes share the cores while this runs.
  EXPECT_LT(Slowest, 100);
#endif
}

} // namespace
