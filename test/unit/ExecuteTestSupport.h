//===-- ExecuteTestSupport.h - Kernels for tests of Execute -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_UNIT_EXECUTETESTSUPPORT_H
#define WARPWRIGHT_TEST_UNIT_EXECUTETESTSUPPORT_H

#include "Execute/Interpreter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace warpwright {

/// A module parsed from text. The text may leave out the declarations of
/// threadIdx and similar names, and the data layout of the device.
class TestModule {
public:
  explicit TestModule(llvm::StringRef Body);
  ~TestModule();
  llvm::Function *function(llvm::StringRef Name) const;
  /// The kernel with its parameters under their names in the IR; its pointers
  /// point to \p Elements.
  KernelIR kernel(llvm::StringRef Name,
                  ScalarType Elements = ScalarType::F32) const;
  const llvm::Module &module() const { return *M; }

  HeaderFunctions Headers;

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

/// What a kernel left in an array of 32-bit integers, and how the launch ended.
/// The kernel's parameters are the array, then integers.
struct TestRun {
  execute::RunResult End;
  std::vector<int32_t> Words;
};
TestRun runKernel(const TestModule &M, llvm::StringRef Kernel,
                  const std::vector<int32_t> &Before,
                  llvm::ArrayRef<uint64_t> Integers = {},
                  execute::LaunchShape Shape = {});

} // namespace warpwright

#endif // WARPWRIGHT_TEST_UNIT_EXECUTETESTSUPPORT_H
