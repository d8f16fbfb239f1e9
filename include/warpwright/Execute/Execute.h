//===-- Execute.h - A contraction against its kernel, executed --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes a kernel's LLVM IR, thread by thread, over small random launches,
/// and compares the memory that it leaves with what its contraction says. The
/// symbolic executor that found the contraction has no part in this.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_EXECUTE_EXECUTE_H
#define WARPWRIGHT_EXECUTE_EXECUTE_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/IR/FunctionInfo.h"
#include "warpwright/IR/KernelIR.h"
#include <algorithm>

namespace warpwright {

struct CheckOptions {
  /// The same seed draws the same launches and data.
  uint64_t Seed = 1;
  /// Launches that are to be executed and compared.
  unsigned Launches = 12;
  /// Instructions, and terms of the contraction, over all launches.
  uint64_t MaxSteps = 6000000;
  /// Of one launch.
  uint64_t MaxLaunchSteps = 2000000;
  /// The same where no launch is that small: a block of a register tile has
  /// millions of instructions. Then so many launches do. No kernel is left with
  /// fewer for want of MaxSteps either: one of them has whole blocks, another
  /// one reaches over the edges, unless the kernel excludes one of both.
  uint64_t MaxLargeSteps = 40000000;
  uint64_t MaxLargeLaunchSteps = 20000000;
  unsigned LargeLaunches = 2;
  /// Bytes of dynamic shared memory that the kernel is launched with.
  uint64_t DynamicShared = 49152;
  /// The user's functions that the contraction calls. A call (Value::Name) is
  /// executed where the function of its name and of its arguments' types is
  /// known, otherwise its body is evaluated.
  std::vector<KeptFunction> Callees;
  /// Numbers in constant memory: each launch sets them.
  std::vector<ConstantLeaf> Constants;
};

/// The steps of a file's kernels together, so that a file of many is not
/// executed for longer than it is parsed. Each has some of its own, about two
/// launches of a kernel with tiles. What it does not need goes to a pool that
/// the next ones draw on. The fewer kernels there are, the more is in the pool
/// from the beginning: one alone has 5.1 million steps.
class StepPool {
public:
  explicit StepPool(uint64_t Kernels)
      : Left(MostLeft - LessForEach * std::min(Kernels, Many)) {}
  /// Gives \p Options the steps of the next kernel, or of the next of \p Cases
  /// cases of a kernel, which share what is left.
  void lend(CheckOptions &Options, uint64_t Cases = 1) {
    const CheckOptions Alone;
    const uint64_t Share = Left / Cases, All = Share + Own;
    Lent = std::min(Alone.MaxSteps, All);
    Left = Left - Share + All - Lent;
    Options.MaxSteps = Lent;
    // A kernel that has its own steps only gets a quarter of these.
    Options.MaxLargeSteps =
        std::min(Alone.MaxLargeSteps,
                 Alone.MaxLargeSteps / 4 * (Lent / 1000) / (Own / 1000));
  }
  /// That kernel took so many.
  void spent(uint64_t Steps) { Left += Lent - std::min(Lent, Steps); }

private:
  static constexpr uint64_t Own = 560000;
  static constexpr uint64_t MostLeft = 5000000, LessForEach = 450000, Many = 10;
  uint64_t Left, Lent = 0;
};

struct CheckReport {
  enum class Verdict {
    Agrees,     ///< in every launch that was executed, at least one
    Differs,    ///< the contraction is wrong, or the interpreter is
    NotExecuted ///< no launch could be compared; Message says why
  };
  Verdict Result = Verdict::NotExecuted;
  /// Where it differs: threads of the original meet in shared memory or at a
  /// barrier as they must not. The kernel is wrong then, whether or not what
  /// was read matters; the lift should have seen it.
  enum class Hazard { None, Race, Copy, Divergence } Found = Hazard::None;
  unsigned Executed = 0; ///< launches compared
  /// Launches in which the original has undefined behaviour, traps or is not
  /// executable: they prove nothing.
  unsigned Discarded = 0;
  /// Launches that the launcher gives to the original.
  unsigned Original = 0;
  uint64_t Steps = 0;  ///< instructions executed
  unsigned Wanted = 0; ///< launches that were asked for
  /// All wanted launches were executed within the budget.
  bool Complete = false;
  /// Some results agree but for their last bits: the contraction adds or
  /// multiplies in another order than the kernel.
  bool RoundsOtherwise = false;
  /// Of Differs: the launch, the array, the element, expected and found. Of
  /// NotExecuted: the reason. Otherwise why launches were discarded, if any.
  std::string Message;
  /// Of Differs: the launch, all arguments and the data, as text for a file.
  std::string Reproducer;
};

/// Runs \p Kernel over launches drawn for \p C and compares.
CheckReport checkContraction(const KernelIR &Kernel,
                             const HeaderFunctions &Headers,
                             const Contraction &C,
                             const CheckOptions &Options = {});

} // namespace warpwright

#endif // WARPWRIGHT_EXECUTE_EXECUTE_H
