//===-- FilePlans.h - The plans that a file's sections share ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Plans stand at the head of a file, at file scope and outside of all of its
/// conditionals, and so no section depends on another one.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_FILEPLANS_H
#define WARPWRIGHT_LIB_CODEGEN_FILEPLANS_H

#include "warpwright/CodeGen/KernelEmitter.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace warpwright {

class FilePlans {
public:
  /// Fails where other plans have the same name, as hashes do not exclude.
  llvm::Error add(const PlanText &Plans);
  /// Adds those of \p Block, the plans of a file so far, that \p User names.
  llvm::Error keep(llvm::StringRef Block, llvm::StringRef User);
  bool empty() const { return Declarations.empty(); }
  /// The declarations in an order that depends on nothing else, laid out.
  llvm::Expected<std::string> write() const;

private:
  llvm::Error add(llvm::StringRef Name, llvm::StringRef Text);

  /// By name: a set is a template over a struct of types, and may come before
  /// it.
  std::map<std::string, std::string> Declarations;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_FILEPLANS_H
