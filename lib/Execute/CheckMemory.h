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

/// The arrays of a launch. Each is larger, at both ends, than what the
/// contraction touches: there lies data like any other, so that a kernel that
/// goes further shows it in what it computes or leaves behind.
class LaunchMemory {
public:
  LaunchMemory(const KernelIR &Kernel, Problem &P, const PlannedLaunch &L)
      : Kernel(Kernel), P(P), L(L) {}

  /// Places the arrays, with at least \p Least bytes at both ends of what is
  /// touched, and gives them addresses in \p Env. False if they are too large.
  bool place(Environment &Env, uint64_t Least);
  /// Fills the arrays. \p Seed decides on the data.
  void fill(Environment &Env, uint64_t Seed);
  /// What the kernel is passed.
  std::vector<Argument> arguments(const Environment &Env) const;

  struct Placed {
    Object *O = nullptr;
    ScalarType Type = ScalarType::F32; ///< of the elements
    uint64_t Margin = 0;               ///< bytes before what is touched
    bool Output = false, Operand = false;
    /// Of a prologue: what scales elements. A kernel that scales the sum of a
    /// group instead computes infinity times another number.
    bool Scale = false;
    std::vector<uint8_t> Before;
  };
  /// By the name of the pointer that others may be the same as.
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
