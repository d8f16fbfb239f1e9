//===- Scheduler.cpp - Whose turn it is in a cluster ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "Async.h"
#include "Launch.h"

#include <algorithm>
#include <stdlib.h>
#include <utility>

using namespace warpwright::sim;

__thread ThreadView *warpwright::sim::current_thread = nullptr;

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

uint64_t Cluster::Scheduler::next_random() {
  // splitmix64: any seed will do, also 0 and neighbours.
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t Cluster::random(uint32_t bound) {
  // The upper bits of the product are uniform enough for orders.
  return static_cast<uint32_t>((scheduler->next_random() >> 32) * bound >> 32);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void Cluster::post(std::function<void()> event, unsigned latency) {
  Scheduler &s = *scheduler;
  const uint64_t due = s.step + 1 + (latency ? random(latency + 1) : 0);
  s.events.push_back({due, s.next_random(), std::move(event)});
  std::push_heap(s.events.begin(), s.events.end());
}

void Cluster::Scheduler::list(Warp &warp) {
  if (warp.listed)
    return;
  warp.listed = true;
  ready.push_back(&warp);
}

void Cluster::Scheduler::deliver() {
  std::pop_heap(events.begin(), events.end());
  const std::function<void()> act = std::move(events.back().act);
  events.pop_back();
  idle = 0;
  act();
}

void Cluster::Scheduler::run_thread(Thread &thread) {
  ++step;
  // Without a budget every access is looked at (MemoryHooks.cpp).
  thread.budget = thread.cta->cluster->starts_early ? 0 : access_budget;
  thread.early_accesses = 0;
  thread.atomics = 0;
  current_thread = &thread;
  thread.fiber.resume();
  current_thread = nullptr;
}

void Cluster::Scheduler::run_warp(Warp &warp) {
  for (;;) {
    while (warp.ready) {
      const unsigned lane = static_cast<unsigned>(__builtin_ctz(warp.ready));
      warp.ready &= ~(1u << lane);
      run_thread(*warp.lanes[lane]);
      if (aborted)
        return;
      while (!events.empty() && events.front().due <= step && !aborted)
        deliver();
    }
    if (!warp.asking)
      break;
    // No other lane of the warp can run, so the lanes that asked for the active
    // mask at the same place are all that will come there.
    const void *place = warp.asked_at[__builtin_ctz(warp.asking)];
    unsigned group = 0;
    for (unsigned lane = 0; lane != 32; ++lane)
      if (warp.asking >> lane & 1 && warp.asked_at[lane] == place)
        group |= 1u << lane;
    warp.asking &= ~group;
    for (unsigned lane = 0; lane != 32; ++lane)
      if (group >> lane & 1) {
        warp.lanes[lane]->active_mask = group;
        warp.lanes[lane]->state = Thread::State::ready;
      }
    warp.ready |= group;
  }
  warp.ready |= warp.yielded;
  warp.yielded = 0;
  if (warp.ready)
    list(warp);
}

bool Cluster::run_until_stalled() {
  Scheduler &s = *scheduler;
  s.idle = 0;
  while (!s.aborted) {
    if (s.ready.empty()) {
      if (!s.events.empty()) {
        s.step = std::max(s.step, s.events.front().due);
        s.deliver();
        continue;
      }
      if (s.live && !explain_deadlock(*this))
        report_deadlock();
      return true;
    }
    // Several turns of every thread in which all of them only let others run.
    if (s.idle > 4 * uint64_t(s.live) + 64)
      return false;
    constexpr uint64_t most_sleeps = 4096;
    if (s.sleeps > most_sleeps) {
      s.sleeps = 0;
      return false;
    }
    const unsigned pick = random(static_cast<uint32_t>(s.ready.size()));
    Warp &warp = *s.ready[pick];
    s.ready[pick] = s.ready.back();
    s.ready.pop_back();
    warp.listed = false;
    s.run_warp(warp);
  }
  return true;
}

bool Cluster::got_on() { return std::exchange(scheduler->got_on, false); }

void Cluster::run() {
  constexpr unsigned patience = 20;
  for (unsigned stalls = 0; !run_until_stalled();) {
    if (got_on())
      stalls = 0;
    else if (++stalls == patience)
      report_stall(*this);
  }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

namespace {
Cluster::Scheduler &scheduler_of(Thread &thread) {
  return *thread.cta->cluster->scheduler;
}
unsigned bit_of(const Thread &thread) { return 1u << thread.lane; }
} // namespace

void warpwright::sim::block(std::function<std::string()> why) {
  Thread &thread = self();
  thread.waiting_for = std::move(why);
  thread.state = Thread::State::blocked;
  scheduler_of(thread).gets_on();
  thread.fiber.suspend();
  thread.waiting_for = nullptr;
}

void warpwright::sim::wake(Thread &thread) {
  if (thread.state != Thread::State::blocked)
    return;
  thread.state = Thread::State::ready;
  Warp &warp = *thread.warp;
  warp.ready |= bit_of(thread);
  Cluster::Scheduler &s = scheduler_of(thread);
  s.gets_on();
  s.list(warp);
}

/// Lets the other lanes of the warp, then other warps run.
static void give_way(Thread &thread) {
  thread.warp->yielded |= bit_of(thread);
  thread.fiber.suspend();
}

void warpwright::sim::reschedule() {
  Thread &thread = self();
  if (thread.cta->cluster->random(8) == 0)
    give_way(thread);
}

void warpwright::sim::yield() {
  Thread &thread = self();
  ++scheduler_of(thread).idle;
  give_way(thread);
}

void warpwright::sim::end_of_budget(Thread &thread, const void *address,
                                    uint32_t found) {
  // A turn has many accesses. One that ends at the same address as the last,
  // and finds the same value there, is strong evidence that the thread only
  // polls.
  Cluster::Scheduler &s = scheduler_of(thread);
  if (thread.budget_end == address && thread.budget_found == found)
    s.idle += 16;
  else
    s.gets_on();
  thread.budget_end = address;
  thread.budget_found = found;
  give_way(thread);
}

void warpwright::sim::start_threads(Cluster &cluster, uint64_t seed,
                                    void (*entry)(void *)) {
  using Scheduler = Cluster::Scheduler;
  if (!cluster.scheduler)
    cluster.scheduler = {new Scheduler, [](Scheduler *s) { delete s; }};
  Scheduler &s = *cluster.scheduler;
  s.events.clear();
  s.ready.clear();
  s.random_state = seed;
  s.step = s.cycles = s.idle = 0;
  s.got_on = false;
  s.live = 0;
  s.aborted = false;
  for (std::unique_ptr<Cta> &cta : cluster.ctas) {
    cta->live = static_cast<unsigned>(cta->threads.size());
    s.live += cta->live;
    for (std::unique_ptr<Thread> &thread : cta->threads) {
      thread->state = Thread::State::ready;
      thread->watch_bytes = 0;
      thread->votes = 0;
      thread->budget_end = nullptr;
      thread->fiber.prepare(entry, thread.get());
    }
    for (Warp &warp : cta->warps) {
      warp.live = warp.ready = warp.present;
      warp.yielded = warp.asking = 0;
      warp.collectives.clear();
      warp.known.time.clear();
      warp.listed = false;
      s.list(warp);
    }
    for (Cta::VoteState &vote : cta->votes)
      vote = {0, 1, 0};
  }
}

void warpwright::sim::end_thread(Thread &thread) {
  end_async(thread);
  Warp &warp = *thread.warp;
  thread.state = Thread::State::done;
  warp.live &= ~bit_of(thread);
  for (Collective &collective : warp.collectives) {
    if (!(collective.mask & bit_of(thread)))
      continue;
    if (collective.strict)
      report(Finding::divergence, "a lane ends while others of its warp wait "
                                  "for it at " +
                                      std::string(collective.what));
    if (!(collective.mask & warp.live & ~collective.arrived)) {
      const unsigned lane =
          static_cast<unsigned>(__builtin_ctz(collective.arrived));
      collective.completer = warp.lanes[lane];
      wake(*warp.lanes[lane]);
    }
  }
  Cluster::Scheduler &s = scheduler_of(thread);
  --s.live;
  s.gets_on();
  if (--thread.cta->live == 0)
    end_async(*thread.cta);
}

void warpwright::sim::abandon_threads(Cluster &cluster) {
  for (std::unique_ptr<Cta> &cta : cluster.ctas)
    for (std::unique_ptr<Thread> &thread : cta->threads) {
      thread->fiber.release();
      thread->waiting_for = nullptr;
    }
  cluster.scheduler->events.clear();
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

static std::string lane_list(unsigned lanes) {
  std::string text;
  for (unsigned first = 0; first != 32; ++first) {
    if (!(lanes >> first & 1))
      continue;
    unsigned last = first;
    while (last != 31 && lanes >> (last + 1) & 1)
      ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last != first)
      text += "-" + std::to_string(last);
    first = last;
    if (first == 31)
      break;
  }
  return text;
}

using Act = std::function<void(Warp &, void *const *payload)>;

/// All lanes have arrived at the collective with that index: performs it and
/// wakes them.
static void complete(Warp &warp, size_t index, const Thread *actor,
                     const Act &act) {
  const Collective collective = warp.collectives[index];
  warp.collectives[index] = warp.collectives.back();
  warp.collectives.pop_back();
  act(warp, collective.payload);
  for (unsigned lane = 0; lane != 32; ++lane)
    if (collective.arrived >> lane & 1 && warp.lanes[lane] != actor) {
      warp.lanes[lane]->met = true;
      wake(*warp.lanes[lane]);
    }
}

void warpwright::sim::meet(unsigned mask, const void *site, const char *what,
                           void *payload, const Act &act, bool strict) {
  Thread &thread = self();
  Warp &warp = *thread.warp;
  const unsigned bit = bit_of(thread);
  mask &= warp.present;
  if (!(mask & bit))
    report(Finding::divergence, "lane " + std::to_string(thread.lane) +
                                    " is not in the mask that it gives to " +
                                    what);
  if (strict && mask & ~warp.live)
    report(Finding::divergence, std::string(what) + ": lanes " +
                                    lane_list(mask & ~warp.live) +
                                    " have ended and will never arrive");

  size_t index = 0;
  for (; index != warp.collectives.size(); ++index)
    if (warp.collectives[index].mask == mask)
      break;
  if (index == warp.collectives.size()) {
    // A lane that is alone in the mask need not wait.
    if (!(mask & warp.live & ~bit)) {
      void *payloads[32] = {};
      payloads[thread.lane] = payload;
      act(warp, payloads);
      return;
    }
    warp.collectives.emplace_back();
    warp.collectives[index].site = site;
    warp.collectives[index].what = what;
    warp.collectives[index].mask = mask;
    warp.collectives[index].strict = strict;
  }
  Collective &collective = warp.collectives[index];
  if (collective.site != site)
    report(Finding::divergence,
           "lanes " + lane_list(collective.arrived) + " of the warp wait at " +
               collective.what + ", and lane " + std::to_string(thread.lane) +
               " comes to " + what + " with the same mask");
  collective.arrived |= bit;
  collective.payload[thread.lane] = payload;
  if (!(mask & warp.live & ~collective.arrived)) {
    complete(warp, index, &thread, act);
    return;
  }
  thread.met = false;
  while (!thread.met) {
    block([&warp, mask, what] {
      unsigned arrived = 0;
      for (const Collective &c : warp.collectives)
        if (c.mask == mask)
          arrived = c.arrived;
      return "lanes " + lane_list(mask & warp.live & ~arrived) +
             " of its warp at " + what;
    });
    if (thread.met)
      break;
    for (index = 0; index != warp.collectives.size(); ++index)
      if (warp.collectives[index].completer == &thread) {
        complete(warp, index, &thread, act);
        return;
      }
  }
}

//===----------------------------------------------------------------------===//
// What went wrong
//===----------------------------------------------------------------------===//

static std::string describe_block(const Cta &cta) {
  return "CTA (" + std::to_string(cta.block.x) + "," +
         std::to_string(cta.block.y) + "," + std::to_string(cta.block.z) + ")";
}

std::string warpwright::sim::describe(const Thread &thread) {
  const Index3 &t = thread.threadIdx;
  return describe_block(*thread.cta) + " thread (" + std::to_string(t.x) + "," +
         std::to_string(t.y) + "," + std::to_string(t.z) + ") (warp " +
         std::to_string(thread.warp->index) + ", lane " +
         std::to_string(thread.lane) + ")";
}

std::vector<Note> warpwright::sim::wait_listing(Cluster &cluster,
                                                const Thread **first_thread) {
  constexpr size_t most = 64;
  std::vector<Note> notes;
  size_t left_out = 0;
  for (std::unique_ptr<Cta> &cta : cluster.ctas)
    for (Warp &warp : cta->warps) {
      unsigned rest = 0;
      std::string why[32];
      for (unsigned lane = 0; lane != 32; ++lane) {
        const Thread *thread = warp.lanes[lane];
        if (!thread || thread->state == Thread::State::done)
          continue;
        if (first_thread && !*first_thread)
          *first_thread = thread;
        rest |= 1u << lane;
        why[lane] = thread->state != Thread::State::blocked
                        ? "others, in a loop"
                    : thread->waiting_for ? thread->waiting_for()
                                          : "something";
      }
      while (rest) {
        const unsigned first = static_cast<unsigned>(__builtin_ctz(rest));
        unsigned group = 0;
        for (unsigned lane = first; lane != 32; ++lane)
          if (rest >> lane & 1 && why[lane] == why[first])
            group |= 1u << lane;
        rest &= ~group;
        if (notes.size() == most) {
          ++left_out;
          continue;
        }
        Note note;
        note.text = describe_block(*cta) + " warp " +
                    std::to_string(warp.index) + " lanes " + lane_list(group) +
                    ": waits for " + why[first];
        warp.lanes[first]->fiber.trace(note.stack.frames);
        notes.push_back(std::move(note));
      }
    }
  if (left_out)
    notes.push_back({"and " + std::to_string(left_out) + " more", {}});
  return notes;
}

void Cluster::report_deadlock() {
  const Thread *thread = nullptr;
  const std::vector<Note> notes = wait_listing(*this, &thread);
  report_at(Finding::deadlock,
            "deadlock: each of the " + std::to_string(scheduler->live) +
                " threads that are left waits for another",
            *thread, notes);
}

void warpwright::sim::report_stall(Cluster &cluster) {
  const Thread *thread = nullptr;
  const std::vector<Note> notes = wait_listing(cluster, &thread);
  report_at(Finding::step_limit,
            "the threads that are left wait in loops for something that "
            "nobody will do",
            *thread, notes);
}
