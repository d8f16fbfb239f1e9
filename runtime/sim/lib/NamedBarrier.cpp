//===- NamedBarrier.cpp - bar.sync and barrier.cluster --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedBarrier.h"
#include "Async.h"
#include "Trace.h"

using namespace warpwright::sim;

namespace {

/// Threads that have arrived: a warp counts as 32 when all of its lanes that
/// have not ended are there (barriers work in whole warps).
unsigned count_arrived(const Cta &cta, const NamedBarrier &barrier) {
  unsigned count = 0;
  for (const auto &entry : barrier.arrived) {
    const Warp &warp = cta.warps[entry.first];
    if ((entry.second & warp.live) == warp.live)
      count += 32;
  }
  return count;
}

/// The threads of a CTA-wide barrier: all that have not ended.
bool all_arrived(const Cta &cta, const NamedBarrier &barrier) {
  for (const Warp &warp : cta.warps) {
    const auto entry = barrier.arrived.find(warp.index);
    const unsigned arrived = entry == barrier.arrived.end() ? 0 : entry->second;
    if ((arrived & warp.live) != warp.live)
      return false;
  }
  return true;
}

void complete_if_over(Cta &cta, NamedBarrier &barrier) {
  if (!barrier.begun)
    return;
  if (barrier.expected != 0) {
    const unsigned count = count_arrived(cta, barrier);
    if (count < barrier.expected)
      return;
    if (count > barrier.expected)
      report(Finding::arrival_count,
             "barrier " + std::to_string(barrier.id) + " gets " +
                 std::to_string(count) + " threads where " +
                 std::to_string(barrier.expected) + " were announced");
  } else if (!all_arrived(cta, barrier)) {
    return;
  }
  for (const unsigned index : barrier.waiting_warps) {
    barrier.gathering.known.join(cta.warps[index].known);
    barrier.gathering.fenced.join(async(cta.warps[index]).fenced);
  }
  barrier.published = barrier.gathering;
  const unsigned slot = barrier.generation % 2;
  barrier.result_count[slot] = barrier.count;
  barrier.result_all[slot] = barrier.all;
  barrier.result_any[slot] = barrier.any;
  barrier.count = 0;
  barrier.all = true;
  barrier.any = false;
  barrier.gathering.clear();
  barrier.arrived.clear();
  barrier.begun = false;
  barrier.expected = 0;
  ++barrier.generation;
  // What the barrier ordered is known to all who wait, whenever they go on.
  for (const unsigned index : barrier.waiting_warps) {
    acquire(cta.warps[index], barrier.published);
    converged(cta.warps[index]);
  }
  barrier.waiting_warps.clear();
  for (Thread *waiter : barrier.waiters)
    wake(*waiter);
  barrier.waiters.clear();
}

} // namespace

int64_t warpwright::sim::arrive_at_barrier(Warp &warp, unsigned lanes,
                                           unsigned id, unsigned count,
                                           bool wait, unsigned values,
                                           const char *what) {
  Cta &cta = *warp.cta;
  if (id > 15) {
    report(Finding::barrier_misuse, std::string(what) + " on barrier " +
                                        std::to_string(id) +
                                        ": there are 16, numbered 0 to 15");
    return -1;
  }
  if (count % 32 != 0 || (count == 0 && !wait)) {
    report(Finding::barrier_misuse,
           std::string(what) + " with " + std::to_string(count) +
               " threads: barriers count whole warps, so it must be a "
               "multiple of 32" +
               (wait ? "" : " and not 0"));
    return -1;
  }
  NamedBarrier &barrier = async(cta).named[id];
  barrier.id = id;
  const uint32_t mine = barrier.generation;
  if (barrier.begun && barrier.expected != count)
    report(Finding::barrier_misuse,
           std::string(what) + " on barrier " + std::to_string(id) + " says " +
               std::to_string(count) +
               " threads where those who arrived before said " +
               std::to_string(barrier.expected) +
               " (0: all threads of the block)");
  barrier.begun = true;
  barrier.expected = count;
  unsigned &there = barrier.arrived[warp.index];
  if (there & lanes)
    report(Finding::barrier_misuse,
           std::string(what) + ": warp " + std::to_string(warp.index) +
               " arrives a second time at barrier " + std::to_string(id) +
               " before the others have come");
  there |= lanes;
  barrier.count += static_cast<unsigned>(__builtin_popcount(values));
  barrier.all &= (lanes & ~values) == 0;
  barrier.any |= values != 0;
  if (!wait) {
    publish(warp, barrier.gathering);
  } else {
    // Only whole warps count, and this one does nothing until the barrier is
    // over: what it knows is handed over then, and its lanes, which come one by
    // one, share one time until then.
    async(cta).shadow.settle();
    const Thread &thread = self();
    if (thread.warp == &warp && thread.async)
      barrier.gathering.fenced.join(thread.async->fenced);
    bool listed = false;
    for (const unsigned index : barrier.waiting_warps)
      listed |= index == warp.index;
    if (!listed)
      barrier.waiting_warps.push_back(warp.index);
  }
  complete_if_over(cta, barrier);
  return mine;
}

unsigned warpwright::sim::wait_at_barrier(Cta &cta, unsigned id,
                                          int64_t generation,
                                          BarrierReduction reduction,
                                          const char *what) {
  NamedBarrier &barrier = async(cta).named[id];
  while (barrier.generation == generation) {
    barrier.waiters.push_back(&self());
    block([&cta, &barrier, what] {
      std::string text = std::string(what) + " on barrier " +
                         std::to_string(barrier.id) + ", where " +
                         std::to_string(count_arrived(cta, barrier)) + " of ";
      text += barrier.expected ? std::to_string(barrier.expected) + " threads"
                               : std::string("all threads of the block");
      text += " are (warps";
      for (const auto &entry : barrier.arrived)
        text += " " + std::to_string(entry.first);
      return text + ")";
    });
  }
  const unsigned slot = generation % 2;
  switch (reduction) {
  case BarrierReduction::count:
    return barrier.result_count[slot];
  case BarrierReduction::all:
    return barrier.result_all[slot];
  case BarrierReduction::any:
    return barrier.result_any[slot];
  default:
    return 0;
  }
}

unsigned warpwright::sim::named_barrier(unsigned id, unsigned count, bool wait,
                                        BarrierReduction reduction, bool value,
                                        const char *what) {
  Thread &thread = self();
  trace(thread, "barrier", {id, count, wait});
  const unsigned lane = 1u << thread.lane;
  const int64_t generation = arrive_at_barrier(*thread.warp, lane, id, count,
                                               wait, value ? lane : 0, what);
  if (generation < 0 || !wait)
    return 0;
  return wait_at_barrier(*thread.cta, id, generation, reduction, what);
}

void warpwright::sim::named_barrier(unsigned id, unsigned count, bool wait,
                                    const char *what) {
  named_barrier(id, count, wait, BarrierReduction::none, false, what);
}

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

namespace {

void complete_cluster_if_over(Cluster &cluster) {
  ClusterBarrier &barrier = async(cluster).barrier;
  if (barrier.arrived == 0 || barrier.arrived < barrier.live)
    return;
  barrier.published = barrier.gathering;
  barrier.gathering.clear();
  barrier.arrived = 0;
  ++barrier.generation;
  for (Thread *waiter : barrier.waiters)
    wake(*waiter);
  barrier.waiters.clear();
}

} // namespace

void warpwright::sim::cluster_arrive(Thread &thread, bool releases) {
  Cluster &cluster = *thread.cta->cluster;
  ClusterBarrier &barrier = async(cluster).barrier;
  AsyncThread &state = async(thread);
  trace(thread, "cluster", {0});
  if (state.cluster_arrived) {
    report(Finding::barrier_misuse,
           "barrier.cluster.arrive a second time without "
           "barrier.cluster.wait between");
    return;
  }
  state.cluster_arrived = true;
  state.cluster_generation = barrier.generation;
  if (releases)
    publish(*thread.warp, barrier.gathering);
  ++barrier.arrived;
  complete_cluster_if_over(cluster);
}

void warpwright::sim::cluster_wait(Thread &thread, bool acquires) {
  ClusterBarrier &barrier = async(*thread.cta->cluster).barrier;
  AsyncThread &state = async(thread);
  trace(thread, "cluster", {1});
  if (!state.cluster_arrived) {
    report(Finding::barrier_misuse,
           "barrier.cluster.wait without barrier.cluster.arrive before it");
    return;
  }
  while (barrier.generation == state.cluster_generation) {
    barrier.waiters.push_back(&thread);
    block([&barrier] {
      return "barrier.cluster, where " + std::to_string(barrier.arrived) +
             " of the " + std::to_string(barrier.live) +
             " threads of the cluster that have not ended are";
    });
  }
  state.cluster_arrived = false;
  // Nobody can pass the next one before this thread arrives there: what is
  // published is still this generation's.
  if (acquires)
    acquire(*thread.warp, barrier.published);
}

void warpwright::sim::recount_barriers(Thread &thread) {
  Cta &cta = *thread.cta;
  thread.warp->live &= ~(1u << thread.lane);
  for (auto &entry : async(cta).named)
    complete_if_over(cta, entry.second);
  ClusterBarrier &barrier = async(*cta.cluster).barrier;
  --barrier.live;
  if (thread.async && thread.async->cluster_arrived &&
      thread.async->cluster_generation == barrier.generation)
    --barrier.arrived;
  complete_cluster_if_over(*cta.cluster);
}
