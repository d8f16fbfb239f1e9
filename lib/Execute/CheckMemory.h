//===-- CheckMemory.h - Arrays of one launch, before and after --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_CHECKMEMORY_H
#define WARPWRIGHT_LIB_EXECUTE_CHECKMEMORY_H

#include "Launches.h"
#include <map>

namespace warpwright {
namespace execute {

/// The arrays of a launch. Each extends at both ends beyond what the
/// contraction touches, and has ordinary data there, so that a kernel that
/// reads or writes too far shows it in its results or in memory.
class LaunchMemory {
public:
  LaunchMemory(const KernelIR &Kernel, Problem &P, const PlannedLaunch &L)
      : Kernel(Kernel), P(P), L(L) {}

  /// Places the arrays, with at least \p Least bytes at both ends of the
  /// touched part, and enters their addresses into \p Env. False if they are
  /// too large.
  bool place(Environment &Env, uint64_t Least);
  /// Fills the arrays with data that \p Seed determines.
  void fill(Environment &Env, uint64_t Seed);
  /// The arguments of the kernel.
  std::vector<Argument> arguments(const Environment &Env) const;

  struct Placed {
    Object *O = nullptr;
    ScalarType Type = ScalarType::F32; ///< of the elements
    uint64_t Margin = 0;               ///< bytes before the touched part
    bool Output = false, Operand = false;
    /// Whether a prologue scales elements by it. A kernel that scales the sum
    /// of a group instead multiplies infinity by another number.
    bool Scale = false;
    std::vector<uint8_t> Before;
  };
  /// By the name of a pointer, others that may be passed the same array.
  std::map<std::string, Placed> Arrays;
  Memory Mem;

  std::string rootOf(llvm::StringRef Pointer) const;

private:
  Num element(const Placed &A, Random &R) const;
  const KernelIR &Kernel;
  Problem &P;
  const PlannedLaunch &L;
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_CHECKMEMORY_H
