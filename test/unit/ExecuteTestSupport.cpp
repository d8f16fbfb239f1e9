//===-- ExecuteTestSupport.cpp - Kernels for tests of Execute -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecuteTestSupport.h"
#include "llvm/IR/Function.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace warpwright {

TestModule::TestModule(llvm::StringRef Body) {
  std::string Text = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
)";
  for (const char *Register : {"tid", "ctaid", "ntid", "nctaid"})
    for (const char *Dim : {"x", "y", "z"})
      Text += std::string("declare i32 @llvm.nvvm.read.ptx.sreg.") + Register +
              "." + Dim + "()\n";
  Text += "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n";
  Text += Body;
  llvm::SMDiagnostic Error;
  M = llvm::parseIR(*llvm::MemoryBuffer::getMemBuffer(Text), Error, Context);
  if (!M) {
    std::string Message;
    llvm::raw_string_ostream OS(Message);
    Error.print("test", OS);
    ADD_FAILURE() << Message;
    M = std::make_unique<llvm::Module>("empty", Context);
  }
}

TestModule::~TestModule() = default;

llvm::Function *TestModule::function(llvm::StringRef Name) const {
  return M->getFunction(Name);
}

KernelIR TestModule::kernel(llvm::StringRef Name, ScalarType Elements) const {
  KernelIR K;
  K.Function = function(Name);
  for (const llvm::Argument &A : K.Function->args()) {
    ParamLeaf L;
    L.Argument = A.getArgNo();
    L.Path = A.getName().str();
    llvm::Type *T = A.getType();
    L.IsPointer = T->isPointerTy();
    L.Type = L.IsPointer          ? Elements
             : T->isFloatTy()     ? ScalarType::F32
             : T->isIntegerTy(64) ? ScalarType::I64
             : T->isIntegerTy(1)  ? ScalarType::Bool
                                  : ScalarType::I32;
    K.Params.push_back(L);
  }
  return K;
}

TestRun runKernel(const TestModule &M, llvm::StringRef Kernel,
                  const std::vector<int32_t> &Before,
                  llvm::ArrayRef<uint64_t> Integers,
                  execute::LaunchShape Shape) {
  execute::Interpreter I(M.module(), M.Headers);
  execute::Memory Mem;
  execute::Object &O = Mem.add("out", execute::Space::Array, Before.size() * 4);
  std::memcpy(O.Bytes.data(), Before.data(), Before.size() * 4);
  O.trackHistory();
  std::vector<execute::Argument> Arguments = {
      execute::Argument::integer(O.Base)};
  for (uint64_t X : Integers)
    Arguments.push_back(execute::Argument::integer(X));
  TestRun Result;
  Result.End = I.run(*M.function(Kernel), Shape, Arguments, Mem, 1000000);
  Result.Words.resize(Before.size());
  std::memcpy(Result.Words.data(), O.Bytes.data(), Before.size() * 4);
  return Result;
}

} // namespace warpwright
