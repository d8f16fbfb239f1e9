//===- Machine.h - Threads, warps, CTAs and clusters ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One cluster of a launch, as it runs on one host thread. Every simulated
// thread is a fiber; a fiber runs until it has to wait or chooses to let others
// run. Everything asynchronous is an event that the scheduler delivers late, in
// a seeded random order. Clusters share nothing but global memory, so several
// run at once on several host threads.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_MACHINE_H
#define WARPWRIGHT_SIM_LIB_MACHINE_H

#include "Clock.h"
#include "Fiber.h"
#include "Report.h"
#include "warpwright/sim/program.h"

#include <functional>
#include <memory>
#include <stdarg.h>
#include <string>
#include <vector>

namespace warpwright {
namespace sim {

struct Cluster;
struct Cta;
struct Warp;

/// The state of a thread's asynchronous operations (bulk groups, wgmma groups,
/// fences). Defined and created in Async.h.
struct AsyncThread;
struct AsyncCta;     ///< mbarriers, named barriers, shadow of shared memory
struct AsyncCluster; ///< cluster barrier

/// A simulated thread. Its view is what current_thread points at.
struct Thread : ThreadView {
  Cta *cta = nullptr;
  Warp *warp = nullptr;
  unsigned index = 0; ///< linear, in the CTA
  unsigned lane = 0;
  Fiber fiber;
  enum class State { ready, blocked, done } state = State::ready;
  /// While it is blocked: what it waits for, in words for a deadlock report.
  std::function<std::string()> waiting_for;
  /// The range of this thread's own memory in which asynchronous operations
  /// (wgmma) still read or write variables. check_private_access is called only
  /// for accesses that may overlap it, so the range begins largest_access - 1
  /// bytes before the first variable.
  uintptr_t watch_begin = 0, watch_bytes = 0;
  static constexpr unsigned largest_access = 16;
  void watch(const char *begin, const char *end) {
    watch_begin = reinterpret_cast<uintptr_t>(begin) - (largest_access - 1);
    watch_bytes =
        static_cast<uintptr_t>(end - begin) + (begin ? largest_access - 1 : 0);
  }
  /// How many more memory accesses the thread may make before others run. A
  /// loop that polls memory calls nothing else that would let others run.
  int32_t budget = 0;
  int32_t early_accesses = 0; ///< of this turn, in a cluster that starts early
  unsigned votes = 0;         ///< __syncthreads_count and the like, so far
  unsigned atomics = 0;       ///< since it last let others run
  unsigned active_mask = 0;   ///< what active_mask() will return
  bool met = false;           ///< the collective it waits in is over
  /// The address that it accessed when its budget last ran out, and the value
  /// found there. A loop that only polls accesses the same address again and
  /// finds the same value.
  const void *budget_end = nullptr;
  uint32_t budget_found = 0;
  std::unique_ptr<AsyncThread, void (*)(AsyncThread *)> async{nullptr, nullptr};

  /// Device code reads its own view, so threads lie in the engine's memory,
  /// which it may read (Memory.h).
  static void *operator new(size_t bytes);
  static void operator delete(void *thread, size_t bytes);
};

/// Lanes that arrived at a collective operation and wait for the others.
struct Collective {
  const void *site = nullptr; ///< what operation
  const char *what = nullptr;
  unsigned arrived = 0; ///< lanes
  unsigned mask = 0;    ///< lanes that must
  bool strict = false;  ///< lanes of the mask that have ended are an error
  /// Set when the last lane that was missing has ended, so that all others have
  /// arrived: this lane performs the operation.
  Thread *completer = nullptr;
  void *payload[32] = {};
};

struct Warp {
  Cta *cta = nullptr;
  unsigned index = 0; ///< in the CTA
  Thread *lanes[32] = {};
  unsigned present = 0; ///< lanes that the block has
  unsigned live = 0;    ///< lanes that have not ended
  unsigned ready = 0;   ///< lanes that can run now
  unsigned yielded = 0; ///< lanes that can run, but only after the others
  bool listed = false;  ///< among the warps that the scheduler picks from
  /// Lanes that asked for the active mask and wait until no other lane can run,
  /// and the place in the code where each of them asked.
  unsigned asking = 0;
  const void *asked_at[32] = {};
  /// Collectives under way, at most one per disjoint mask.
  std::vector<Collective> collectives;
  /// Component of this warp in vector clocks, and what it knows (Clock.h).
  unsigned clock_index = 0;
  Clock known;
  unsigned registers = 0; ///< per thread, setmaxnreg
};

struct Cta {
  Cluster *cluster = nullptr;
  unsigned rank = 0; ///< in the cluster (%cluster_ctarank)
  Index3 block;      ///< blockIdx
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<Warp> warps;
  /// Shared memory: `window[a]` is the byte at shared-window address a, for a
  /// in [0, window_bytes). The first 1024 bytes are the system's, as on the
  /// hardware; then static variables, then the dynamic part.
  char *window = nullptr;
  uint32_t static_begin = 1024, dynamic_begin = 1024, window_end = 1024;
  /// Where the static variable of a slot (SharedSite) lies; 0: not used yet.
  std::vector<uint32_t> static_offsets;
  unsigned live = 0; ///< threads that have not ended
  /// What threads brought to __syncthreads_count and the like: three in turn,
  /// so that one can be cleared while the next is in use.
  struct VoteState {
    unsigned count, all, any;
  } votes[3] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  std::unique_ptr<AsyncCta, void (*)(AsyncCta *)> async{nullptr, nullptr};
};

/// Largest shared window of a CTA: 228 KiB (CUDA Programming Guide, compute
/// capability 9.0), of which 1 KiB is the system's.
constexpr uint32_t max_window_bytes = 228 * 1024;
/// Distance of the windows of a cluster's CTAs in the host's address space, and
/// in shared::cluster addresses: rank r's byte a is r * window_pitch + a.
constexpr uint32_t window_pitch = 1u << 24;

/// See Options.cpp for the environment variables.
struct Options {
  uint64_t seed = 1;
  bool exact_accumulate = false; ///< round to nearest instead of truncating
  bool checks = true;
  bool trace = false; ///< operations are recorded (Trace.h)
};

struct Launch; ///< Launch.h

struct Cluster {
  Cluster() = default;
  Cluster(const Cluster &) = delete;
  Cluster &operator=(const Cluster &) = delete;
  ~Cluster();

  const KernelSite *site = nullptr;
  Launch *launch = nullptr; ///< null only in tests of the scheduler alone
  uint64_t index = 0;       ///< in the grid of clusters
  /// Which part of the window region (Memory.h) its CTAs' windows lie in.
  unsigned window_slot = 0;
  Index3 grid, block, shape; ///< shape: CTAs of a cluster
  /// The kernel before this one may still run, since none of the cluster's
  /// threads has waited for it (griddepcontrol.wait).
  bool starts_early = false;
  std::vector<std::unique_ptr<Cta>> ctas;
  Options options;
  std::unique_ptr<AsyncCluster, void (*)(AsyncCluster *)> async{nullptr,
                                                                nullptr};
  unsigned clock_components = 0; ///< handed out so far

  /// A random number, uniform in [0, bound), that follows from the seed.
  uint32_t random(uint32_t bound);
  /// Runs `event` from the scheduler, later: in a random order, after between
  /// 0 and `latency` scheduler steps.
  void post(std::function<void()> event, unsigned latency);
  /// Runs every thread to its end and every event; reports a deadlock.
  void run();
  /// As run, but comes back with false when every thread that could run only
  /// waits in loops for memory to change: another cluster may have to run.
  bool run_until_stalled();
  /// Whether anything has happened since the last call, other than that threads
  /// polled memory in loops.
  bool got_on();
  /// Reports WW701, with what every thread waits for.
  void report_deadlock();
  /// What device code printed; written when the launch ends, in order.
  std::string output;
  /// A new component for vector clocks (Clock.h): a warp, an mbarrier.
  unsigned new_clock_component() { return clock_components++; }

  struct Scheduler;
  std::unique_ptr<Scheduler, void (*)(Scheduler *)> scheduler{nullptr, nullptr};
};

/// The thread that runs now. Only in device code.
inline Thread &self() { return *static_cast<Thread *>(current_thread); }

/// Suspends the running fiber until `wake` is called for it. `why` says what it
/// waits for; it is called only for a deadlock report.
void block(std::function<std::string()> why);
void wake(Thread &thread);
/// A place where others may run: every synchronisation calls it, and goes on
/// at once or later, as the seed says.
void reschedule();
/// Lets others run now (spin loops).
void yield();

/// The lanes in `mask` of the calling warp meet at `site`; the last to arrive
/// runs `act(warp, payload)`, where payload[l] is what lane l brought, before
/// any of them goes on; payload[l] is null for lanes that did not come. Lanes
/// that have ended are an error (WW719) if `strict`, and are not waited for
/// otherwise; lanes that the block never had are never waited for. A lane that
/// meets others at another site is an error.
void meet(unsigned mask, const void *site, const char *what, void *payload,
          const std::function<void(Warp &, void *const *payload)> &act,
          bool strict = true);

/// Who waits for what: a note for each group of lanes of a warp that wait for
/// the same. `first_thread` is set to the first thread that has not ended.
std::vector<Note> wait_listing(Cluster &cluster,
                               const Thread **first_thread = nullptr);

/// Create and free the state of asynchronous operations: at the start of a
/// cluster, at the end of a thread, and at the end of a CTA, when all its
/// threads have ended and nothing may be pending (WW716). See Async.cpp.
void start_async(Cluster &cluster);
void end_async(Thread &thread);
void end_async(Cta &cta);
/// A plain load or store of the program to the shared window of `cta` (which
/// may be another CTA's), after its bounds were checked. See Async.cpp.
void check_shared_access(Cta &cta, uint32_t address, unsigned bytes,
                         bool is_store);
/// A plain access to the calling thread's own stack, where the accumulators of
/// a wgmma in flight may be.
void check_private_access(const void *address, unsigned bytes, bool is_store);
/// The named barrier `id`; __syncthreads is barrier 0. `count` is in threads; 0
/// means all threads of the CTA.
void named_barrier(unsigned id, unsigned count, bool wait, const char *what);

/// As vprintf, for device code and host code alike.
int device_vprintf(const char *format, va_list arguments);

/// Global memory, where the host address is the device address.
/// Reports WW702 and returns false where [address, address + bytes) is not
/// inside one allocation.
bool check_global_access(const void *address, uint64_t bytes, bool is_store,
                         const char *what);
/// Reports the first access to global memory in a cluster that may have started
/// before the kernel before its own has ended, and has not waited.
void check_started(Thread &thread, uint64_t bytes, bool is_store,
                   const char *what);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_MACHINE_H
