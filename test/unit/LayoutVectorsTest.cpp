//===- LayoutVectorsTest.cpp - The algebra against CuTe -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every line of Inputs/layout.jsonl has an expression and CuTe's offsets for
// it, and usually CuTe's printed form.

#include "warpwright/Layout/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <map>

using namespace llvm;
using namespace warpwright;

namespace {

// Operations that the vectors use and the library lacks: none.
const std::vector<StringRef> Unimplemented = {};

TEST(LayoutVectors, AllLines) {
  auto File = MemoryBuffer::getFile(WARPWRIGHT_TEST_INPUTS "/layout.jsonl");
  ASSERT_TRUE(File) << File.getError().message();
  SmallVector<StringRef> Lines;
  (*File)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  std::map<std::string, unsigned> Checked;
  for (StringRef Line : Lines) {
    Expected<json::Value> Parsed = json::parse(Line);
    ASSERT_TRUE(bool(Parsed)) << toString(Parsed.takeError());
    const json::Object &Vector = *Parsed->getAsObject();
    StringRef Op = *Vector.getString("op"), Expr = *Vector.getString("expr");
    SCOPED_TRACE(Expr.str());
    if (is_contained(Unimplemented, Op))
      continue;
    Expected<ComposedLayout> L = evaluateLayout(Expr);
    if (!L) {
      ADD_FAILURE() << toString(L.takeError());
      continue;
    }
    EXPECT_EQ(L->size(), *Vector.getInteger("size"));
    std::vector<int64_t> Want, Got;
    for (const json::Value &Offset : *Vector.getArray("offsets"))
      Want.push_back(*Offset.getAsInteger());
    for (int64_t I = 0; I < L->size(); ++I)
      Got.push_back((*L)(I));
    EXPECT_EQ(Got, Want);
    if (auto Result = Vector.getString("result")) {
      EXPECT_EQ(L->str(), Result->str());
    }
    if (auto C = Vector.getString("crd")) {
      Expected<IntTuple> Crd = parseIntTuple(*C);
      ASSERT_TRUE(bool(Crd)) << toString(Crd.takeError());
      ASSERT_FALSE(errorToBool(checkCoord(*Crd, L->shape())));
      EXPECT_EQ((*L)(*Crd), *Vector.getInteger("at"));
    }
    ++Checked[Op.str()];
  }
  // The test must fail for a wrong path or an empty file.
  unsigned Total = 0;
  for (const auto &[Op, Count] : Checked)
    Total += Count;
  EXPECT_EQ(Total, 282u);
  EXPECT_EQ(Checked["composition"], 51u);
  EXPECT_EQ(Checked["swizzle"], 25u);
}

} // namespace
