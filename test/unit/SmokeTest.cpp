//===-- SmokeTest.cpp - The toolchain that the build found ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

namespace {

// The headers and the shared library that we link have to be of one release:
// an Error that crosses the boundary and comes back with its text shows it.
TEST(Smoke, ErrorsCrossTheLibraryBoundary) {
  EXPECT_EQ(LLVM_VERSION_MAJOR, 22);
  llvm::Error Failure =
      llvm::createStringError(llvm::inconvertibleErrorCode(), "row pitch");
  EXPECT_EQ(llvm::toString(std::move(Failure)), "row pitch");
}

} // namespace
