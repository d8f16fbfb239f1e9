//===-- Solver.h - Arguments that a kernel accepts --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_VERIFY_SOLVER_H
#define WARPWRIGHT_LIB_VERIFY_SOLVER_H

#include "warpwright/Verify/Verify.h"
#include "llvm/ADT/SmallVector.h"

namespace warpwright {

/// Deterministic random numbers (splitmix64).
class VerifyRandom {
public:
  explicit VerifyRandom(uint64_t Seed) : State(Seed) {}
  uint64_t bits();
  /// From 0 to \p Count - 1.
  int64_t below(int64_t Count) {
    return static_cast<int64_t>(bits() % static_cast<uint64_t>(Count));
  }
  bool chance(int64_t OneIn) { return below(OneIn) == 0; }

private:
  uint64_t State;
};

/// The properties that a case should have. Those for which the kernel has no
/// parameter are ignored.
struct CaseTarget {
  std::array<int64_t, 4> Extents = {1, 1, 1, 1}; ///< b, m, n, k
  /// The distance between rows, if it is a parameter: as small as possible,
  /// larger by a multiple of 8, or larger by an odd number.
  enum PitchKind { Tight, Padded, Odd } Pitch = Tight;
  unsigned Block = 0;         ///< which of the suitable block shapes
  bool ExtraBlocks = false;   ///< more blocks than the extents need
  bool FewerBlocks = false;   ///< the grid does not cover the extents
  bool SharedBatches = false; ///< batch strides of operands are 0
  bool ColumnsInner = true;   ///< which of two free strides is 1
  bool NullPointers = false;  ///< pointers that may be null are null
  uint64_t Seed = 1;          ///< for everything else
};

/// Arguments and a launch near \p Target that meet all requirements of \p S.
/// Fails with the condition that could not be met.
llvm::Expected<VerifyCase> solveCase(const Subject &S,
                                     const SubjectNames &Names,
                                     const CaseTarget &Target,
                                     const std::map<std::string, double> &Set);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_VERIFY_SOLVER_H
