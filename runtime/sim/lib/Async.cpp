//===- Async.cpp - What asynchronous operations keep ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Trace.h"

#include <string.h>

using namespace warpwright::sim;

AsyncThread &warpwright::sim::async(Thread &thread) {
  if (!thread.async)
    thread.async = {new AsyncThread, [](AsyncThread *state) { delete state; }};
  return *thread.async;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void warpwright::sim::publish(Warp &warp, Sync &sync) {
  async(*warp.cta).shadow.settle();
  sync.known.join(warp.known);
  sync.fenced.join(async(warp).fenced);
  const Thread &thread = self();
  if (thread.warp == &warp && thread.async)
    sync.fenced.join(thread.async->fenced);
  tick(warp);
}

void warpwright::sim::acquire(Warp &warp, const Sync &sync) {
  warp.known.join(sync.known);
  async(warp).fenced.join(sync.fenced);
}

void warpwright::sim::converged(Warp &warp) {
  tick(warp);
  AsyncWarp &state = async(warp);
  state.converged = now(warp);
  for (; state.fences != 0; state.fences &= state.fences - 1) {
    const Thread *lane = warp.lanes[__builtin_ctz(state.fences)];
    state.fenced.join(lane->async->fenced);
  }
}

void warpwright::sim::proxy_fence(Thread &thread) {
  trace(thread, "fence");
  Warp &warp = *thread.warp;
  AsyncWarp &state = async(warp);
  AsyncThread &mine = async(thread);
  mine.proxy_fences.push_back(now(warp));
  // The fence also covers writes of the warp's other lanes, but only those
  // before the lanes last converged.
  const uint32_t met = state.converged > 0 ? state.converged - 1 : 0;
  const uint32_t old = mine.fenced.at(warp.clock_index);
  mine.fenced.join(warp.known);
  mine.fenced.time[warp.clock_index] = old > met ? old : met;
  state.fences |= 1u << thread.lane;
  tick(warp);
}

void warpwright::sim::init_fence(Thread &thread) {
  trace(thread, "init_fence");
  async(thread).init_fences.push_back(now(*thread.warp));
  tick(*thread.warp);
}

namespace {

/// Whether one of `fences` lies in [from, to].
bool any_within(const std::vector<uint32_t> &fences, uint32_t from,
                uint32_t to) {
  // Search from the end: the latest fences are the most likely to match.
  for (size_t i = fences.size(); i-- > 0 && fences[i] >= from;)
    if (fences[i] <= to)
      return true;
  return false;
}

} // namespace

bool warpwright::sim::is_fenced(Thread &thread, unsigned component,
                                unsigned lane, uint32_t time,
                                bool init_counts) {
  Warp &warp = *thread.warp;
  if (async(warp).fenced.at(component) >= time ||
      (thread.async && thread.async->fenced.at(component) >= time))
    return true;
  const AsyncCluster &cluster = async(*thread.cta->cluster);
  const Warp *writer = cluster.components[component].warp;
  const Thread *other = writer ? writer->lanes[lane] : nullptr;
  if (!other || !other->async)
    return false;
  const uint32_t known = warp.known.at(component);
  return any_within(other->async->proxy_fences, time, known) ||
         (init_counts && any_within(other->async->init_fences, time, known));
}

void warpwright::sim::meet_aligned(
    const void *site, const char *what, void *payload,
    const std::function<void(Warp &, void *const *)> &act) {
  meet(self().warp->present, site, what, payload,
       [&act](Warp &warp, void *const *all) {
         converged(warp);
         act(warp, all);
       });
}

void warpwright::sim::shared_atomic(Cta &cta, uint32_t address,
                                    unsigned bytes) {
  Thread &thread = self();
  if (!cta.async || !cta.cluster->options.checks)
    return;
  AsyncCta &state = async(cta);
  Sync &sync = state.atomics[address / 16];
  acquire(*thread.warp, sync);
  state.shadow.plain(thread, cta, address, bytes, false, true);
  state.shadow.plain(thread, cta, address, bytes, true, true);
  publish(*thread.warp, sync);
}

void warpwright::sim::check_shared_access(Cta &cta, uint32_t address,
                                          unsigned bytes, bool is_store) {
  Thread &thread = self();
  trace_access(thread, cta, address, bytes, is_store);
  if (!cta.cluster->options.checks)
    return;
  AsyncCta &state = async(cta);
  if (&cta != thread.cta) {
    if (state.ended) {
      report(Finding::exit_pending,
             "this accesses the shared memory of a block of the cluster that "
             "has ended: blocks must not end before their neighbours are done "
             "with them (barrier.cluster)");
      return;
    }
    state.remote[thread.warp->clock_index] = now(*thread.warp);
  }
  state.shadow.plain(thread, cta, address, bytes, is_store);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

SharedPlace warpwright::sim::shared_place(Thread &thread, uint64_t address,
                                          uint32_t bytes, bool own,
                                          const char *what, bool by_copy) {
  Cluster &cluster = *thread.cta->cluster;
  const uint32_t low = static_cast<uint32_t>(address);
  const unsigned rank = low / window_pitch;
  SharedPlace place;
  place.offset = low % window_pitch;
  Cta *cta = rank < cluster.ctas.size() ? cluster.ctas[rank].get() : nullptr;
  if (!cta || place.offset < cta->static_begin ||
      place.offset + bytes > cta->window_end || (own && cta != thread.cta)) {
    std::string message =
        std::string(what) + " uses shared address " + std::to_string(low);
    if (cta && cta != thread.cta)
      message += " (block " + std::to_string(rank) + " of the cluster)";
    message += own && cta && cta != thread.cta
                   ? ", which is another block's: this form of the "
                     "instruction takes an address of the own block only"
                   : ", outside of the block's shared memory [" +
                         std::to_string(thread.cta->static_begin) + ", " +
                         std::to_string(thread.cta->window_end) + ")";
    report(Finding::shared_bounds, message);
    return {};
  }
  if (cta != thread.cta && async(*cta).ended) {
    report(Finding::exit_pending,
           std::string(what) + " reaches block " + std::to_string(rank) +
               " of the cluster, which has ended: no block may end while "
               "others still signal it or access its shared memory "
               "(barrier.cluster before the end)");
    return {};
  }
  if (cta != thread.cta && !by_copy)
    async(*cta).remote[thread.warp->clock_index] = now(*thread.warp);
  place.cta = cta;
  return place;
}

SharedPlace warpwright::sim::shared_place(Thread &thread, const void *generic) {
  Cluster &cluster = *thread.cta->cluster;
  const uint64_t distance = static_cast<uint64_t>(
      static_cast<const char *>(generic) - cluster.ctas[0]->window);
  if (distance >= static_cast<uint64_t>(window_pitch) * cluster.ctas.size() ||
      distance % window_pitch >= max_window_bytes)
    return {};
  return {cluster.ctas[distance / window_pitch].get(),
          static_cast<uint32_t>(distance % window_pitch)};
}

namespace {

std::string describe_offset(const Cta &cta, uint32_t address) {
  if (address < cta.dynamic_begin)
    return "static + " + std::to_string(address - cta.static_begin);
  return "dynamic + " + std::to_string(address - cta.dynamic_begin);
}

} // namespace

std::string warpwright::sim::describe_bytes(const Cta &cta, uint32_t address,
                                            uint32_t bytes) {
  std::string result =
      bytes == 1 ? "shared memory byte " : "shared memory bytes ";
  result += std::to_string(address);
  if (bytes > 1)
    result += ".." + std::to_string(address + bytes - 1);
  result += " (" + describe_offset(cta, address) + ")";
  if (current_thread && self().cta != &cta)
    result += " of block " + std::to_string(cta.rank) + " of the cluster";
  return result;
}

std::string warpwright::sim::describe_warp(Cluster &cluster,
                                           unsigned component) {
  const AsyncCluster::Component &entry = async(cluster).components[component];
  if (!entry.warp)
    return "a bulk copy";
  std::string result = "warp " + std::to_string(entry.warp->index);
  if (current_thread && self().cta != entry.cta)
    result +=
        " of block " + std::to_string(entry.cta->rank) + " of the cluster";
  return result;
}

std::string warpwright::sim::describe_barrier(const Mbarrier &barrier) {
  std::string result = "the mbarrier at shared address " +
                       std::to_string(barrier.address) + " (" +
                       describe_offset(*barrier.cta, barrier.address) + ")";
  if (current_thread && self().cta != barrier.cta)
    result +=
        " of block " + std::to_string(barrier.cta->rank) + " of the cluster";
  return result;
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

void warpwright::sim::start_async(Cluster &cluster) {
  cluster.async = {new AsyncCluster, [](AsyncCluster *state) { delete state; }};
  AsyncCluster &state = *cluster.async;
  for (const std::unique_ptr<Cta> &cta : cluster.ctas) {
    cta->async = {new AsyncCta, [](AsyncCta *of) { delete of; }};
    cta->async->warps.resize(cta->warps.size());
    state.barrier.live += static_cast<unsigned>(cta->threads.size());
    for (Warp &warp : cta->warps) {
      warp.clock_index = cluster.new_clock_component();
      if (state.components.size() <= warp.clock_index)
        state.components.resize(warp.clock_index + 1);
      state.components[warp.clock_index] = {&warp, nullptr, cta.get()};
      warp.known.time.clear();
      warp.known.set(warp.clock_index, 1);
      warp.registers = 0;
    }
  }
}

void warpwright::sim::end_async(Thread &thread) {
  async(*thread.cta).shadow.settle();
  if (thread.async) {
    AsyncThread &state = *thread.async;
    const bool checks = thread.cta->cluster->options.checks;
    std::vector<Note> notes;
    const auto note = [&](const BulkGroup &group) {
      if (!group.reads.empty() && notes.empty()) {
        const AsyncOp &op = thread.cta->async->shadow.op(group.reads[0]);
        notes.push_back({op.what + " was issued here", op.issued});
      }
    };
    bool reading = false;
    for (const std::shared_ptr<BulkGroup> &group : state.bulk) {
      note(*group);
      reading |= !group->reads.empty();
    }
    if (checks && state.open_bulk && !state.open_bulk->reads.empty()) {
      note(*state.open_bulk);
      report(Finding::exit_pending,
             "the thread ends without cp.async.bulk.commit_group after its "
             "last bulk copy: nobody can wait until that has read shared "
             "memory",
             notes);
    } else if (checks && reading) {
      report(Finding::exit_pending,
             "the thread ends while bulk copies that it committed may still "
             "read shared memory: cp.async.bulk.wait_group.read 0 must come "
             "before (by the thread that committed)",
             notes);
    }
    thread.watch_bytes = 0;
  }
  if (wgmma_pending(*thread.warp) && thread.cta->cluster->options.checks)
    report(Finding::exit_pending,
           "the thread ends while a wgmma that it issued is in flight: "
           "wgmma.wait_group 0 must come before");
  recount_barriers(thread);
}

void warpwright::sim::end_async(Cta &cta) {
  AsyncCta &state = async(cta);
  state.ended = true;
  if (!cta.cluster->options.checks)
    return;
  for (size_t i = 0; state.free_registers >= 0 && i < cta.warps.size(); ++i)
    if (cta.warps[i].registers != cta.warps[i / 4 * 4].registers) {
      report(Finding::setmaxnreg,
             "setmaxnreg was not executed alike by all warps of warpgroup " +
                 std::to_string(i / 4) + ": warp " + std::to_string(i) +
                 " differs");
      return;
    }
  if (state.mbarriers.empty() && state.remote.empty())
    return;
  Clock all;
  for (const Warp &warp : cta.warps)
    all.join(warp.known);
  for (const auto &entry : state.mbarriers) {
    const Mbarrier &barrier = *entry.second;
    if (barrier.in_flight == 0 &&
        barrier.last_copy <= all.at(barrier.component))
      continue;
    report(Finding::exit_pending,
           "the block ends while a bulk copy may still write its shared "
           "memory: nothing waited for phase " +
               std::to_string(barrier.last_copy ? barrier.last_copy - 1
                                                : barrier.phase) +
               " of " + describe_barrier(barrier) + ", which counts its bytes",
           {{"the copy was issued here", barrier.last_issue}});
    return;
  }
  for (const auto &other : state.remote)
    if (other.second > all.at(other.first)) {
      report(Finding::exit_pending,
             "block " + std::to_string(cta.rank) +
                 " of the cluster ends while " +
                 describe_warp(*cta.cluster, other.first) +
                 " may still signal its mbarriers or access its shared "
                 "memory: nothing on the way to the end waited for that "
                 "(barrier.cluster before the end)");
      return;
    }
}

bool warpwright::sim::explain_deadlock(Cluster &cluster) {
  for (const std::unique_ptr<Cta> &cta : cluster.ctas) {
    const AsyncCta &state = async(*cta);
    if (state.register_waiters.empty())
      continue;
    std::string held;
    for (const Warp &warp : cta->warps)
      if (warp.index % 4 == 0)
        held += (held.empty() ? "" : ", ") +
                (warp.registers ? std::to_string(warp.registers)
                                : std::string("as launched"));
    report_at(Finding::setmaxnreg,
              "deadlock: setmaxnreg.inc waits for registers that no other warp "
              "gives back: " +
                  std::to_string(state.free_registers) +
                  " of the block's are free, and its warpgroups have " + held +
                  " per thread. Their sum must stay within what the kernel is "
                  "launched with",
              *state.register_waiters[0], wait_listing(cluster));
    return true;
  }
  for (const std::unique_ptr<Cta> &cta : cluster.ctas)
    for (const auto &entry : async(*cta).mbarriers) {
      const Mbarrier &barrier = *entry.second;
      if (!barrier.live || barrier.waiters.empty() || barrier.in_flight != 0 ||
          barrier.pending != 0 || barrier.transactions <= 0)
        continue;
      report_at(Finding::byte_count,
                "phase " + std::to_string(barrier.phase) + " of " +
                    describe_barrier(barrier) + " can never complete: all " +
                    std::to_string(barrier.expected) +
                    " arrivals came, but it still waits for " +
                    std::to_string(barrier.transactions) +
                    " bytes, and no copy that reports to it is in flight "
                    "(expect_tx must name the bytes that the copies bring)",
                *barrier.waiters[0],
                {{"the last copy was issued here", barrier.last_issue}});
      return true;
    }
  return false;
}
