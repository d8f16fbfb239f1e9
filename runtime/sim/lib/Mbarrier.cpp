//===- Mbarrier.cpp - Shared-memory barriers ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait names a phase by its parity only. Which phase is meant follows from
// what the waiting warp knows: of the phases that it does not know to be over
// the first, or the last one that it does know. If the barrier has moved on
// further than that, the parity says the wrong thing: a phase slip.
//
//===----------------------------------------------------------------------===//

#include "Mbarrier.h"
#include "Async.h"

using namespace warpwright::sim;

std::string warpwright::sim::describe_state(const Mbarrier &barrier) {
  std::string result = "phase " + std::to_string(barrier.phase) + " has " +
                       std::to_string(barrier.expected - barrier.pending) +
                       " of " + std::to_string(barrier.expected) + " arrivals";
  if (barrier.transactions > 0)
    result += " and waits for " + std::to_string(barrier.transactions) +
              " more bytes";
  else if (barrier.transactions < 0)
    result += " and got " + std::to_string(-barrier.transactions) +
              " bytes more than were announced";
  if (barrier.in_flight > 0)
    result += " (" + std::to_string(barrier.in_flight) + " are on their way)";
  return result;
}

namespace {

bool checks(const Mbarrier &barrier) {
  return barrier.cta->cluster->options.checks;
}

/// All arrivals and bytes of the phase have come: completes it.
void complete_phase(Mbarrier &barrier) {
  if (barrier.in_flight > 0 && checks(barrier))
    report(Finding::byte_count,
           "phase " + std::to_string(barrier.phase) + " of " +
               describe_barrier(barrier) + " completes while " +
               std::to_string(barrier.in_flight) +
               " bytes of copies that report to it are still on their way: "
               "expect_tx named fewer bytes than the copies bring",
           {{"the last copy was issued here", barrier.last_issue}});
  for (const Epoch &seen : barrier.observers)
    if (checks(barrier) && !seen.known_to(barrier.gathering.known)) {
      report(Finding::phase_slip,
             "phase " + std::to_string(barrier.phase) + " of " +
                 describe_barrier(barrier) + " can complete before " +
                 describe_warp(*barrier.cta->cluster, seen.component) +
                 " has seen phase " + std::to_string(barrier.phase - 1) +
                 " complete: that warp would then wait for a parity that "
                 "means another phase. Arrivals must wait for all who wait on "
                 "the barrier");
      break;
    }
  barrier.observers.clear();
  barrier.published.join(barrier.gathering);
  barrier.gathering.clear();
  ++barrier.phase;
  barrier.pending = barrier.expected;
  for (Thread *waiter : barrier.waiters)
    wake(*waiter);
  barrier.waiters.clear();
}

void complete_if_over(Mbarrier &barrier) {
  if (barrier.pending != 0)
    return;
  if (barrier.transactions == 0)
    complete_phase(barrier);
  else if (barrier.transactions < 0 && checks(barrier))
    report(Finding::byte_count,
           "phase " + std::to_string(barrier.phase) + " of " +
               describe_barrier(barrier) + " got " +
               std::to_string(-barrier.transactions) +
               " bytes more than expect_tx announced, after all of its "
               "arrivals: it can never complete",
           {{"the last copy was issued here", barrier.last_issue}});
}

std::string place(const Thread &thread, const Cta &cta, uint32_t address) {
  std::string result = "shared address " + std::to_string(address);
  if (thread.cta != &cta)
    result += " of block " + std::to_string(cta.rank) + " of the cluster";
  return result;
}

} // namespace

Mbarrier *warpwright::sim::find_mbarrier(Thread &thread, Cta &cta,
                                         uint32_t address, const char *what,
                                         bool by_async) {
  AsyncCta &state = async(cta);
  const auto found = state.mbarriers.find(address);
  if (found == state.mbarriers.end() || !found->second->live) {
    report(Finding::barrier_misuse,
           std::string(what) + ": no mbarrier has been initialised at " +
               place(thread, cta, address) +
               (address % 8 ? " (which is not a multiple of 8 either)" : ""));
    return nullptr;
  }
  Mbarrier &barrier = *found->second;
  if (!checks(barrier))
    return &barrier;
  const Epoch &when = barrier.initialised;
  if (!when.known_to(thread.warp->known)) {
    report(Finding::barrier_misuse,
           std::string(what) + " uses " + describe_barrier(barrier) +
               ", but nothing on the way here waited for its initialisation "
               "by " +
               describe_warp(*cta.cluster, when.component) +
               ": a block or cluster barrier must come between");
  } else if ((by_async || &cta != thread.cta) &&
             !is_fenced(thread, when.component, barrier.initialiser_lane,
                        when.time, true)) {
    report(Finding::barrier_misuse,
           std::string(what) + " uses " + describe_barrier(barrier) +
               (by_async ? " from the async proxy" : " from another block") +
               " without a fence after its initialisation: the thread that "
               "called mbarrier.init must execute fence.mbarrier_init (or "
               "fence.proxy.async) before the barrier that follows");
  }
  return &barrier;
}

void warpwright::sim::mbarrier_init(Thread &thread, uint32_t address,
                                    uint32_t count) {
  const SharedPlace at =
      shared_place(thread, address, 8, true, "mbarrier.init");
  if (!at.cta)
    return;
  Cta &cta = *at.cta;
  if (at.offset % 8 != 0) {
    report(Finding::alignment, "mbarrier.init at shared address " +
                                   std::to_string(at.offset) +
                                   ", which is not a multiple of 8");
    return;
  }
  if (count < 1 || count > max_arrivals)
    report(Finding::barrier_misuse, "mbarrier.init with " +
                                        std::to_string(count) +
                                        " arrivals: 1 to 1048575 are allowed");
  AsyncCta &state = async(cta);
  std::unique_ptr<Mbarrier> &slot = state.mbarriers[at.offset];
  if (!slot) {
    slot = std::make_unique<Mbarrier>();
    slot->cta = &cta;
    slot->address = at.offset;
    slot->component = cta.cluster->new_clock_component();
    AsyncCluster &cluster = async(*cta.cluster);
    if (cluster.components.size() <= slot->component)
      cluster.components.resize(slot->component + 1);
    cluster.components[slot->component] = {nullptr, slot.get(), &cta};
  }
  Mbarrier &barrier = *slot;
  if (barrier.live && checks(barrier))
    report(Finding::barrier_misuse,
           "mbarrier.init of " + describe_barrier(barrier) +
               ", which is initialised already (mbarrier.inval must come "
               "first); " +
               describe_state(barrier));
  // For the order of accesses this is an ordinary store.
  if (cta.cluster->options.checks) {
    state.shadow.set_barrier(cta, at.offset, false);
    state.shadow.plain(thread, cta, at.offset, 8, true);
    state.shadow.set_barrier(cta, at.offset, true);
  }
  // Parities start from 0 again, so the phase number is rounded up to an even
  // one. It never decreases, since clocks must not run backwards.
  barrier.phase += barrier.phase & 1;
  barrier.live = true;
  barrier.expected = barrier.pending = count;
  barrier.transactions = 0;
  barrier.observers.clear();
  barrier.gathering.clear();
  barrier.initialised = {thread.warp->clock_index, now(*thread.warp)};
  barrier.initialiser_lane = static_cast<uint8_t>(thread.lane);
  // Whoever knows of the initialisation also knows that earlier phases are
  // over.
  thread.warp->known.set(barrier.component, barrier.phase);
}

void warpwright::sim::mbarrier_invalidate(Thread &thread, uint32_t address) {
  const SharedPlace at =
      shared_place(thread, address, 8, true, "mbarrier.inval");
  if (!at.cta)
    return;
  Mbarrier *barrier =
      find_mbarrier(thread, *at.cta, at.offset, "mbarrier.inval", false);
  if (!barrier)
    return;
  if (!barrier->waiters.empty() || barrier->in_flight != 0)
    report(Finding::barrier_misuse,
           "mbarrier.inval of " + describe_barrier(*barrier) +
               " while it is in use: " + describe_state(*barrier));
  barrier->live = false;
  async(*at.cta).shadow.set_barrier(*at.cta, at.offset, false);
}

uint32_t warpwright::sim::mbarrier_arrive(Thread &thread, Cta &cta,
                                          uint32_t address, uint32_t count,
                                          bool expects, uint32_t bytes,
                                          bool releases, bool completes) {
  Mbarrier *found =
      find_mbarrier(thread, cta, address, "mbarrier.arrive", false);
  if (!found)
    return 0;
  Mbarrier &barrier = *found;
  if (expects)
    barrier.transactions += bytes;
  if (barrier.transactions > int64_t(max_arrivals))
    report(Finding::byte_count,
           "expect_tx on " + describe_barrier(barrier) + " comes to " +
               std::to_string(barrier.transactions) +
               " bytes, more than the 1048575 that an mbarrier can count");
  if (count > barrier.pending) {
    report(Finding::arrival_count, "an arrival too many on " +
                                       describe_barrier(barrier) +
                                       ", which was initialised for " +
                                       std::to_string(barrier.expected) + ": " +
                                       describe_state(barrier));
    return barrier.phase;
  }
  const uint32_t phase = barrier.phase;
  if (releases)
    publish(*thread.warp, barrier.gathering);
  barrier.pending -= count;
  if (!completes && barrier.pending == 0) {
    report(Finding::arrival_count,
           "mbarrier.arrive.noComplete completes phase " +
               std::to_string(phase) + " of " + describe_barrier(barrier));
  }
  complete_if_over(barrier);
  return phase;
}

void warpwright::sim::mbarrier_expect(Thread &thread, Cta &cta,
                                      uint32_t address, uint32_t bytes) {
  Mbarrier *barrier =
      find_mbarrier(thread, cta, address, "mbarrier.expect_tx", false);
  if (!barrier)
    return;
  barrier->transactions += bytes;
  if (barrier->transactions > int64_t(max_arrivals))
    report(Finding::byte_count,
           "expect_tx on " + describe_barrier(*barrier) + " comes to " +
               std::to_string(barrier->transactions) +
               " bytes, more than the 1048575 that an mbarrier can count");
  complete_if_over(*barrier);
}

void warpwright::sim::mbarrier_complete(Mbarrier &barrier, uint32_t bytes) {
  barrier.transactions -= bytes;
  complete_if_over(barrier);
}

Mbarrier *warpwright::sim::mbarrier_begin_copy(Thread &thread, Cta &cta,
                                               uint32_t address,
                                               uint32_t bytes) {
  Mbarrier *barrier = find_mbarrier(thread, cta, address, "a bulk copy", true);
  if (!barrier)
    return nullptr;
  barrier->in_flight += bytes;
  barrier->last_copy = barrier->phase + 1;
  return barrier;
}

namespace {

/// Waits for the end of `phase`, or only tests for it. If the phase is over,
/// the warp learns what the arrivals published.
bool wait_for(Thread &thread, Mbarrier &barrier, int64_t phase, bool acquires,
              bool blocks) {
  Warp &warp = *thread.warp;
  while (static_cast<int64_t>(barrier.phase) <= phase) {
    if (!blocks)
      return false;
    barrier.waiters.push_back(&thread);
    block([&barrier, phase] {
      return "phase " + std::to_string(phase) + " of " +
             describe_barrier(barrier) + "; " + describe_state(barrier);
    });
  }
  if (static_cast<int64_t>(barrier.phase) > phase + 1 && checks(barrier))
    report(Finding::phase_slip,
           "a wait for phase " + std::to_string(phase) + " (parity " +
               std::to_string(phase & 1) + ") of " + describe_barrier(barrier) +
               " comes too late: phase " + std::to_string(phase + 1) +
               " has completed too, and the parity now means phase " +
               std::to_string(phase + 2));
  if (acquires) {
    acquire(warp, barrier.published);
    if (warp.known.at(barrier.component) < barrier.phase)
      warp.known.set(barrier.component, barrier.phase);
  }
  if (barrier.phase > 0 && phase >= 0) {
    const Epoch seen{warp.clock_index, now(warp)};
    bool found = false;
    for (Epoch &other : barrier.observers)
      if (other.component == seen.component) {
        other = seen;
        found = true;
      }
    if (!found)
      barrier.observers.push_back(seen);
  }
  return true;
}

Mbarrier *find_to_wait(Thread &thread, uint32_t address) {
  const SharedPlace at =
      shared_place(thread, address, 8, true, "mbarrier.try_wait");
  return at.cta ? find_mbarrier(thread, *at.cta, at.offset, "mbarrier.try_wait",
                                false)
                : nullptr;
}

} // namespace

bool warpwright::sim::mbarrier_wait_parity(Thread &thread, uint32_t address,
                                           bool parity, bool acquires,
                                           bool blocks) {
  Mbarrier *barrier = find_to_wait(thread, address);
  if (!barrier)
    return true; // an error was reported: do not hang as well
  const int64_t known = thread.warp->known.at(barrier->component);
  const int64_t phase = (known & 1) == parity ? known : known - 1;
  return wait_for(thread, *barrier, phase, acquires, blocks);
}

bool warpwright::sim::mbarrier_wait_phase(Thread &thread, uint32_t address,
                                          uint32_t phase, bool acquires,
                                          bool blocks) {
  Mbarrier *barrier = find_to_wait(thread, address);
  if (!barrier)
    return true;
  return wait_for(thread, *barrier, phase, acquires, blocks);
}
