//===- Report.h - What the simulator found ----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding names where it happened by the call stack of the thread, as
// addresses. With WARPWRIGHT_SIM_REPORT_FD set (`warpwright sim` sets it) it is
// written there as one line of JSON and the tool finds the lines of source;
// otherwise it goes to stderr as text. The first error ends the program with
// status 3 unless the run was told to go on.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_REPORT_H
#define WARPWRIGHT_SIM_LIB_REPORT_H

#include <string>
#include <vector>

namespace warpwright {
namespace sim {

/// Stable: docs/diagnostics/WWnnn.md explains each.
enum class Finding {
  deadlock = 701,
  global_bounds = 702,
  shared_bounds = 703,
  shared_uninitialised = 704,
  read_in_flight = 705, ///< data of a TMA load that has not been waited for
  accumulator_in_flight = 706,
  proxy_fence = 707,
  stage_overwritten = 708, ///< written while others may still read
  byte_count = 709,
  arrival_count = 710,
  phase_slip = 711,
  alignment = 712,
  tensor_map = 713, ///< illegal box, stride, coordinate
  descriptor = 714,
  setmaxnreg = 715,
  exit_pending = 716,
  accumulator_uninitialised = 717,
  wgmma_fence = 718,
  divergence = 719, ///< lanes missing at an aligned or collective operation
  unsupported = 720,
  shared_race = 721, ///< plain accesses of two warps with no order (a warning
                     ///< outside of kernels that use async copies)
  barrier_misuse = 722,
  memory_space = 723, ///< host pointer in device code, or the reverse
  step_limit = 724,   ///< a spin loop that nobody will end
  early_access = 725, ///< before griddepcontrol.wait, where that is needed
};

/// Reports at the calling thread's place (or the host's). Does not return if
/// this ends the program. Notes are further lines ("the copy was issued at"),
/// each with a stack of its own or none.
struct Stack {
  std::vector<const void *> frames; ///< innermost first
};
Stack current_stack();
/// The stack of what was interrupted, for the handler of a signal: the
/// instruction's address and the frame pointer at that moment.
Stack stack_from(const void *instruction, const void *frame);
struct Note {
  std::string text;
  Stack stack;
};
void report(Finding finding, const std::string &message,
            const std::vector<Note> &notes = {});
void warn(Finding finding, const std::string &message,
          const std::vector<Note> &notes = {});
/// As report, with the stack given.
void report_with(Finding finding, const std::string &message, Stack stack,
                 const std::vector<Note> &notes = {});

/// As report, about another thread (deadlock listings).
struct Thread;
void report_at(Finding finding, const std::string &message,
               const Thread &thread, const std::vector<Note> &notes);

/// For tests: findings go there instead, and errors end only the launch, which
/// leaves a CUDA error behind. Null: as before.
using ReportSink = void (*)(Finding finding, bool is_error,
                            const std::string &message,
                            const std::vector<Note> &notes);
void set_report_sink(ReportSink sink);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_REPORT_H
