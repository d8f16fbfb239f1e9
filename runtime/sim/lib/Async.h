//===- Async.h - What asynchronous operations keep --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Happened-before is kept in vector clocks (Clock.h). A warp's own time
// advances at every release and whenever its lanes meet, so that "before the
// release" and "after it" differ. A second clock, `fenced`, says what a proxy
// fence has been executed for on the way: only that may be read by the async
// proxy (PTX ISA, "Memory Consistency Model: Causality order", proxy-preserved
// base causality order).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_ASYNC_H
#define WARPWRIGHT_SIM_LIB_ASYNC_H

#include "Machine.h"
#include "Mbarrier.h"
#include "NamedBarrier.h"
#include "Shadow.h"
#include "Wgmma.h"

#include <deque>
#include <map>
#include <unordered_map>

namespace warpwright {
namespace sim {

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

/// Bulk copies that one thread committed together, and what they still do.
struct BulkGroup {
  std::vector<uint32_t> reads; ///< shared-memory reads: numbers in Shadow
  unsigned reading = 0;        ///< copies that have not read all yet
  unsigned writing = 0;        ///< copies that have not written all yet
  Thread *waiter = nullptr;
};

/// cp.async copies of one thread.
struct CopyGroup {
  struct Copy {
    Cta *cta;
    uint32_t to;
    const char *from;
    uint8_t bytes, filled; ///< read, and written (the rest zeros)
    bool done;
  };
  std::vector<Copy> copies;
  uint32_t write = 0; ///< number in Shadow, 0 if empty
};

/// Accumulators that a wgmma works on, or did.
struct PrivateRange {
  const char *begin, *end;
  bool in_flight;
  bool touched; ///< by the program since the last wgmma.fence
  uint32_t op;  ///< the reads of its wgmma: number in Shadow
};

/// The registers of A that a wgmma reads, or did.
struct FragmentRange {
  const char *begin, *end;
  bool touched;   ///< written by the program since the last wgmma.fence
  uint64_t wgmma; ///< the last one that takes them: its number in its warp
  uint32_t op;    ///< the reads of its group: number in Shadow
};

struct AsyncThread {
  std::deque<std::shared_ptr<BulkGroup>> bulk; ///< committed, oldest first
  std::shared_ptr<BulkGroup> open_bulk;
  std::deque<CopyGroup> copies;
  CopyGroup open_copies;
  /// Times of the warp at which this thread executed a proxy fence, and a
  /// fence.mbarrier_init.
  std::vector<uint32_t> proxy_fences, init_fences;
  /// What this thread's last proxy fence covers, until its warp converges.
  Clock fenced;
  std::vector<PrivateRange> accumulators;
  std::vector<FragmentRange> fragments;
  /// The variables in scope that may hold fragments: begin and end.
  std::vector<std::pair<const char *, const char *>> registers;
  std::string trace;            ///< what it did, if that is recorded
  unsigned failed_tries = 0;    ///< try_waits that said "not yet", in a row
  bool cluster_arrived = false; ///< at barrier.cluster, and has not waited
  uint32_t cluster_generation = 0;
};

struct AsyncWarp {
  Clock fenced;
  /// The time at which the lanes last converged: whatever any lane did earlier
  /// happened before whatever any lane does now.
  uint32_t converged = 0;
  unsigned fences = 0; ///< lanes that executed a proxy fence since
};

struct AsyncCta {
  Shadow shadow;
  std::unordered_map<uint32_t, std::unique_ptr<Mbarrier>> mbarriers;
  std::map<unsigned, NamedBarrier> named;
  std::vector<AsyncWarp> warps;
  std::vector<std::unique_ptr<Warpgroup>> warpgroups;
  /// Registers of the CTA that no warp holds; -1 until the first setmaxnreg.
  int free_registers = -1;
  std::vector<Thread *> register_waiters;
  /// Last access of each warp of other CTAs (component: time).
  std::map<unsigned, uint32_t> remote;
  std::map<uint32_t, Sync> atomics; ///< by granule
  bool ended = false;
};

struct AsyncCluster {
  struct Component {
    Warp *warp;         ///< null if the component is an mbarrier's
    Mbarrier *mbarrier; ///< null if it is a warp's
    Cta *cta;
  };
  std::vector<Component> components;
  ClusterBarrier barrier;
  unsigned warned = 0; ///< bits: warnings that are given once
};

AsyncThread &async(Thread &thread); ///< created at the first use
inline AsyncCta &async(Cta &cta) { return *cta.async; }
inline AsyncCluster &async(Cluster &cluster) { return *cluster.async; }
inline AsyncWarp &async(Warp &warp) {
  return warp.cta->async->warps[warp.index];
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

inline uint32_t now(const Warp &warp) {
  return warp.known.at(warp.clock_index);
}
inline void tick(Warp &warp) {
  warp.known.set(warp.clock_index, now(warp) + 1);
}
/// A release: joins what `warp` knows into `sync`, then advances its time.
void publish(Warp &warp, Sync &sync);
void acquire(Warp &warp, const Sync &sync);
/// The lanes of `warp` have converged (shuffles, votes, aligned instructions).
void converged(Warp &warp);
/// fence.proxy.async by `thread`.
void proxy_fence(Thread &thread);
/// fence.mbarrier_init by `thread`.
void init_fence(Thread &thread);
/// Whether a fence lies between what lane `lane` of the warp with clock
/// `component` did at `time` and now, on the way to `thread`.
bool is_fenced(Thread &thread, unsigned component, unsigned lane, uint32_t time,
               bool init_counts);

/// Lanes of the calling warp meet at an aligned instruction, as meet() does
/// with all lanes of the block.
void meet_aligned(const void *site, const char *what, void *payload,
                  const std::function<void(Warp &, void *const *)> &act);

/// An atomic operation on shared memory; instead of check_shared_access.
void shared_atomic(Cta &cta, uint32_t address, unsigned bytes);
/// Called when no thread can run: reports a more specific cause than a
/// deadlock, if there is one.
bool explain_deadlock(Cluster &cluster);

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// A place in a CTA's shared memory.
struct SharedPlace {
  Cta *cta = nullptr; ///< null: there is none
  uint32_t offset = 0;
  char *data() const { return cta->window + offset; }
};
/// The place of a shared::cta or shared::cluster address of [.., + bytes);
/// reports WW703 (and WW716 for a CTA that has ended) and returns none where
/// that is not shared memory of this cluster. `own`: must be the caller's.
/// `by_copy`: it is a bulk copy that will access it, and its mbarrier says when
/// that is over.
SharedPlace shared_place(Thread &thread, uint64_t address, uint32_t bytes,
                         bool own, const char *what, bool by_copy = false);
/// The same for a generic pointer; none, without a report, elsewhere.
SharedPlace shared_place(Thread &thread, const void *generic);

/// "shared memory bytes 4096..4111 (dynamic + 3072)", with the CTA if it is
/// not the calling thread's.
std::string describe_bytes(const Cta &cta, uint32_t address, uint32_t bytes);
std::string describe_warp(Cluster &cluster, unsigned component);
/// "mbarrier at 4096 (dynamic + 3072)"
std::string describe_barrier(const Mbarrier &barrier);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_ASYNC_H
