//===- Steps.h - A thread's part of a schedule, as text ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one thread does about barriers, copies, wgmma and fences, as a list of
// steps: once as the planner's protocol has it, once as the simulator recorded
// it. Both are put in the same words, so that comparing them is comparing text.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_SCHEDULE_STEPS_H
#define WARPWRIGHT_TOOLS_SCHEDULE_STEPS_H

#include "Memory.h"
#include "Trace.h"

namespace warpwright {

struct Step {
  std::string Text;
  /// Which operation of the script it is; in a trace which line.
  size_t At = 0;
};

/// An ordinary load or store of shared memory.
struct Access {
  int32_t Buffer = -1;
  bool IsStore = false;
  std::string Text;
  size_t Steps = 0; ///< of the thread's, that came before
};

/// A warp of the kernel, and the agent that the protocol has for it.
struct WarpRole {
  const ProtocolAgent *Agent = nullptr;
  int64_t CTA = 0, Warp = 0;
  /// One thread is the agent, as in the producer; the others only meet all at
  /// the beginning and the end.
  bool OneThread = false;
  /// It is no agent's: none of its threads does more than that.
  bool IsIdle = false;
};

/// All warps of one cluster. The agents of \p Of are in the order in which
/// ProtocolBuilder::build makes them.
std::vector<WarpRole> rolesOf(const KernelPlan &P, const Protocol &Of);

/// What lane \p Lane of the warp does by its agent's script.
std::vector<Step> expectedSteps(const Protocol &Of, const WarpRole &Role,
                                int64_t Lane);

/// What a thread did. Its accesses go to \p Accesses.
std::vector<Step> recordedSteps(const SharedMemory &Memory,
                                const TraceThread &Thread,
                                std::vector<Access> &Accesses);

/// Whether \p Op stands for ordinary accesses of shared memory.
bool isAccess(const ProtocolOp &Op);
/// Whether \p Op stands for \p A.
bool permits(const ProtocolOp &Op, const Access &A);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_SCHEDULE_STEPS_H
