//===- Scheduler.h - Whose turn it is in a cluster --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a cluster's scheduler. A warp is picked at
// random among those with a lane that can run; its lanes then run one after the
// other until all of them wait, have ended or let others run.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_SCHEDULER_H
#define WARPWRIGHT_SIM_LIB_SCHEDULER_H

#include "Machine.h"

namespace warpwright {
namespace sim {

struct Cluster::Scheduler {
  struct Event {
    uint64_t due;   ///< the step at which it happens
    uint64_t order; ///< random: of events that are due at the same step
    std::function<void()> act;
    bool operator<(const Event &other) const { // a heap's top is the largest
      return due != other.due ? due > other.due : order > other.order;
    }
  };
  std::vector<Event> events; ///< a heap
  std::vector<Warp *> ready; ///< warps with lanes that can run
  uint64_t random_state = 1;
  uint64_t step = 0;   ///< threads resumed so far
  uint64_t cycles = 0; ///< what clock64 adds to the steps
  /// Turns in a row that ended without a sign of progress.
  uint64_t idle = 0;
  /// Calls of __nanosleep. Threads that poll for what another cluster does may
  /// vote about it, which looks like progress: now and then, whatever else the
  /// cluster does, the others have a turn.
  uint64_t sleeps = 0;
  /// Whether there was such a sign since Cluster::got_on was last called.
  bool got_on = false;
  unsigned live = 0; ///< threads that have not ended
  /// The launch was ended early: no thread may run any more.
  bool aborted = false;

  /// Records progress: a thread arrived at a barrier or collective, was woken,
  /// ended, or polls another address.
  void gets_on() {
    idle = 0;
    got_on = true;
  }
  uint64_t next_random();
  void list(Warp &warp);
  void run_warp(Warp &warp);
  void run_thread(Thread &thread);
  void deliver();
};

/// Makes a cluster's threads ready to run `entry(thread)` from their beginning,
/// with the order of everything drawn from `seed`.
void start_threads(Cluster &cluster, uint64_t seed, void (*entry)(void *));
/// For `entry`, when a thread's own function has returned: it ends.
void end_thread(Thread &thread);
/// Forgets the threads of a cluster that will not run to their ends.
void abandon_threads(Cluster &cluster);

/// Ends the launch of the calling thread with a CUDA error. Does not return.
[[noreturn]] void abort_launch(int error);

/// The same as reschedule, for a thread that used up its turn with loads and
/// stores, the last of them at `address`, where it `found` that (0: unknown).
void end_of_budget(Thread &thread, const void *address, uint32_t found);
/// Loads and stores after which a thread lets others run.
constexpr int32_t access_budget = 1 << 18;

/// "CTA (1,0,0) thread (3,0,0) (warp 0, lane 3)".
std::string describe(const Thread &thread);
/// Reports WW724 about a cluster in which threads only wait in loops.
void report_stall(Cluster &cluster);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_SCHEDULER_H
