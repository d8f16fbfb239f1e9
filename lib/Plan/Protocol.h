//===- Protocol.h - The barrier protocol of a plan --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the producer and the consumers of one cluster on paper, barrier by
/// barrier, with vector clocks. Every wait is for one definite phase and every
/// arrival is unconditional, so that all schedules order the same events alike:
/// one run decides for all of them.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_PROTOCOL_H
#define WARPWRIGHT_LIB_PLAN_PROTOCOL_H

#include "warpwright/Plan/KernelPlan.h"

#include "llvm/Support/Error.h"

namespace warpwright {

/// What a run is about; the defaults are what the generated kernels do.
struct ProtocolRun {
  int64_t KBlocks = 1; ///< per tile
  int64_t Tiles = 1;   ///< that one cluster computes, one after the other
  /// Ping-pong consumers wait for their turn before they look at a stage.
  bool TakeTurns = true;
  /// Consumers release a stage one block late, when its products are done.
  bool ReleaseLate = true;
};

/// Fails, saying who and where, when the run deadlocks, a stage is overwritten
/// while somebody may still read it, a stage is read before all of it has
/// arrived, or a wait's parity could be taken for another phase's.
llvm::Error runProtocol(const KernelPlan &P, const ProtocolRun &Run);

/// All classes of trip counts: 1, stages - 1, stages, stages + 1 and more than
/// two rounds of blocks, with 1 to 4 tiles. Returns a line for the certificate.
llvm::Expected<std::string> exploreProtocol(const KernelPlan &P);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_PROTOCOL_H
