//===- KernelModule.h - Clang's code for some kernels -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs Clang's code generation on the annotated kernels of a parsed file and
/// on what they call and use, and on nothing else: a file may have host code
/// that nvcc accepts and Clang does not.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_IR_KERNELMODULE_H
#define WARPWRIGHT_IR_KERNELMODULE_H

#include "warpwright/Frontend/Region.h"
#include "warpwright/IR/FunctionInfo.h"
#include "warpwright/IR/KernelIR.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <optional>

namespace llvm {
class DILocation;
class GlobalVariable;
} // namespace llvm

namespace warpwright {

class KernelModule {
public:
  /// Generates code for all instances of all regions of \p File, from the
  /// existing AST. It never fails as a whole: for a kernel without code,
  /// kernel() returns null.
  explicit KernelModule(ParsedFile &File);
  ~KernelModule();

  llvm::Module &module() const;
  /// The module as LLVM's text, without debug information.
  void print(llvm::raw_ostream &OS) const;
  /// Null if Clang generated no code for it; whyNot() then has the reason.
  const KernelIR *kernel(const clang::FunctionDecl &Kernel) const;
  llvm::StringRef whyNot() const;
  /// Null for an intrinsic.
  const FunctionInfo *info(const llvm::Function &F) const;
  /// A function of the user's that computes a number from numbers alone, so
  /// that calls of it stay calls.
  bool isKept(const llvm::Function &F) const;
  const HeaderFunctions &headerFunctions() const;
  /// The functions whose calls stay calls, in no particular order.
  std::vector<KeptFunction> callees() const;
  /// The C++ name of a variable of namespace scope (`ns::table`), or nothing.
  llvm::StringRef variableName(const llvm::GlobalVariable &V) const;
  /// The number that a `__constant__` variable holds at the byte \p Offset.
  /// Nothing if no number begins there, if it is not such a variable, or if
  /// generated code cannot name it; \p Why is then the reason.
  std::optional<ConstantLeaf> constantAt(const llvm::GlobalVariable &V,
                                         uint64_t Offset, uint64_t Size,
                                         std::string &Why) const;
  /// A `__constant__` variable that is not const-qualified.
  bool isConstantMemory(const llvm::GlobalVariable &V) const;
  /// A variable that is never written: a constant of the language, or a
  /// const-qualified variable in constant memory.
  bool keepsInitializer(const llvm::GlobalVariable &V) const;
  /// All numbers in constant memory that kernels may read.
  std::vector<ConstantLeaf> constants() const;
  /// `threadIdx` and similar names, if a CUDA header declares them as
  /// variables.
  bool isHeaderVariable(const llvm::GlobalVariable &V) const;
  /// The user's code from which an instruction was generated; invalid if there
  /// is none.
  clang::SourceLocation locate(const llvm::DILocation *Where) const;
  /// The line of the main file or header that a place is on.
  unsigned lineOf(clang::SourceLocation Where) const;
  /// Whether the position is in a header that the user cannot change.
  bool inSystemHeader(clang::SourceLocation Where) const;

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace warpwright

#endif // WARPWRIGHT_IR_KERNELMODULE_H
