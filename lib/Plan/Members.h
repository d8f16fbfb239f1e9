//===- Members.h - The members of a plan's JSON form ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_MEMBERS_H
#define WARPWRIGHT_LIB_PLAN_MEMBERS_H

#include "warpwright/Plan/KernelPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace warpwright {

/// Is shown each member of a plan once, and writes it or lays what a file says
/// over it.
class MemberVisitor {
public:
  virtual ~MemberVisitor() = default;

  // What a file may set.
  virtual void numbers(llvm::StringRef Key, llvm::ArrayRef<int64_t *> List) = 0;
  virtual void number(llvm::StringRef Key, int64_t &N) = 0;
  virtual void flag(llvm::StringRef Key, bool &B) = 0;
  virtual void text(llvm::StringRef Key, std::string &S) = 0;
  virtual void swizzle(llvm::StringRef Key, SwizzleMode &Mode) = 0;
  /// What the contraction and the decisions decide: a file may repeat it.
  virtual void fact(llvm::StringRef Key, llvm::json::Value Value) = 0;
  /// What is written and not read.
  virtual void remark(llvm::StringRef Key, llvm::json::Value Value) = 0;
  virtual void object(llvm::StringRef Key,
                      llvm::function_ref<void(MemberVisitor &)> Members) = 0;
};

/// The members of an operand that wgmma reads from memory.
void visitDescriptor(MemberVisitor &V, OperandPlan &O);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_MEMBERS_H
