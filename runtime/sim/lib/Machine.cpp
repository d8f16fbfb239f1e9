//===- Machine.cpp - Device functions -------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that device code calls through program.h: shared variables,
// barriers of blocks, and operations of warps.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Async.h"
#include "Launch.h"
#include "Memory.h"
#include "Scheduler.h"

#include <algorithm>
#include <atomic>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

using namespace warpwright::sim;

unsigned warpwright::sim::thread_index(int which) {
  const ThreadView *view = current_thread;
  if (!view)
    return which < 6 ? 0 : 1;
  const Index3 *const all[] = {&view->threadIdx, &view->blockIdx,
                               &view->blockDim, &view->gridDim};
  const Index3 &index = *all[which / 3];
  return which % 3 == 0 ? index.x : which % 3 == 1 ? index.y : index.z;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static void too_much_shared(const Cta &cta) {
  report(Finding::shared_bounds,
         "the shared variables of a block take " +
             std::to_string(cta.window_end - cta.static_begin) +
             " bytes; it has at most " +
             std::to_string(max_window_bytes - cta.static_begin));
}

/// The first thread that uses the variable places it behind all other shared
/// memory of its CTA. CTAs of the kernel that start later have it among the
/// static variables.
static uint32_t place_static(Cta &cta, SharedSite &site, size_t slot) {
  const auto alignment = static_cast<uint32_t>(site.alignment);
  const uint32_t offset =
      (cta.window_end + alignment - 1) / alignment * alignment;
  cta.window_end = offset + static_cast<uint32_t>(site.bytes);
  if (cta.window_end > max_window_bytes)
    too_much_shared(cta);
  std::fill_n(cta.window + offset, site.bytes, '\xff');
  if (cta.static_offsets.size() <= slot)
    cta.static_offsets.resize(slot + 1);
  cta.static_offsets[slot] = offset;

  KernelState &kernel = *cta.cluster->launch->kernel;
  std::lock_guard<std::mutex> lock(kernel.mutex);
  if (std::find(kernel.statics.begin(), kernel.statics.end(), &site) ==
      kernel.statics.end()) {
    kernel.statics.push_back(&site);
    kernel.static_bytes =
        (kernel.static_bytes + alignment - 1) / alignment * alignment +
        static_cast<uint32_t>(site.bytes);
  }
  return offset;
}

void *warpwright::sim::shared_variable(SharedSite &site) {
  if (!current_thread) {
    report(Finding::memory_space,
           "host code uses the shared variable " + std::string(site.name));
    abort();
  }
  int slot = __atomic_load_n(&site.slot, __ATOMIC_ACQUIRE);
  if (!slot) {
    static std::atomic<int> slots{0};
    const int fresh = slots.fetch_add(1) + 1;
    // Another host thread may have assigned a number in the meantime: keep it.
    if (__atomic_compare_exchange_n(&site.slot, &slot, fresh, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      slot = fresh;
  }
  Cta &cta = *self().cta;
  const auto index = static_cast<size_t>(slot);
  uint32_t offset =
      index < cta.static_offsets.size() ? cta.static_offsets[index] : 0;
  if (!offset)
    offset = place_static(cta, site, index);
  return cta.window + offset;
}

void *warpwright::sim::dynamic_shared_memory(size_t alignment) {
  if (!current_thread) {
    report(Finding::memory_space, "host code uses dynamic shared memory");
    abort();
  }
  Cta &cta = *self().cta;
  const auto a = static_cast<uint32_t>(alignment ? alignment : 1);
  const uint32_t begin = (cta.dynamic_begin + a - 1) / a * a;
  if (begin != cta.dynamic_begin) {
    const size_t bytes = cta.cluster->launch->config.shared_bytes;
    cta.dynamic_begin = begin;
    const uint32_t end = begin + static_cast<uint32_t>(bytes);
    if (bytes && end > cta.window_end) {
      std::fill(cta.window + cta.window_end, cta.window + end, '\xff');
      cta.window_end = end;
    }
    if (cta.window_end > max_window_bytes)
      too_much_shared(cta);
  }
  return cta.window + begin;
}

uint32_t warpwright::sim::to_shared_address(const void *generic) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(generic) - window_region;
  if (offset >= window_region_bytes)
    report(Finding::memory_space,
           "the address of something that is not in shared memory is converted "
           "to a shared address");
  return static_cast<uint32_t>(offset % cluster_window_bytes);
}

void *warpwright::sim::from_shared_address(uint32_t address) {
  const Cluster &cluster = *self().cta->cluster;
  return reinterpret_cast<void *>(
      window_region + cluster.window_slot * cluster_window_bytes + address);
}

bool warpwright::sim::is_shared(const void *generic) {
  return reinterpret_cast<uintptr_t>(generic) - window_region <
         window_region_bytes;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void warpwright::sim::sync_threads() {
  named_barrier(0, 0, true, "__syncthreads()");
}

int warpwright::sim::sync_threads_vote(Vote kind, int predicate) {
  Thread &thread = self();
  Cta &cta = *thread.cta;
  const unsigned turn = thread.votes++;
  Cta::VoteState &state = cta.votes[turn % 3];
  state.count += predicate != 0;
  state.all &= predicate != 0;
  state.any |= predicate != 0;
  named_barrier(0, 0, true, "__syncthreads_count(), _and() or _or()");
  // All threads have read the previous one by now, and none writes to it before
  // all have arrived at the next barrier.
  cta.votes[(turn + 2) % 3] = {0, 1, 0};
  switch (kind) {
  case Vote::any:
    return static_cast<int>(state.any);
  case Vote::all:
    return static_cast<int>(state.all);
  case Vote::ballot:
  case Vote::count:
    break;
  }
  return static_cast<int>(state.count);
}

bool warpwright::sim::is_cooperative() {
  return current_thread && self().cta->cluster->launch->config.cooperative;
}

bool warpwright::sim::sync_grid() {
  if (!is_cooperative())
    return false;
  Thread &thread = self();
  Launch &launch = *thread.cta->cluster->launch;
  named_barrier(0, 0, true, "the barrier of the grid");
  // One thread polls until the other CTAs have arrived. Some of them may not
  // have started: a cluster whose threads only poll lets other clusters run.
  if (thread.index == 0) {
    const Index3 &grid = launch.config.grid;
    const uint64_t turn = launch.grid_turns.load();
    if (launch.grid_arrived.fetch_add(1) + 1 ==
        uint64_t(grid.x) * grid.y * grid.z) {
      launch.grid_arrived.store(0);
      launch.grid_turns.fetch_add(1);
    } else {
      while (launch.grid_turns.load() == turn)
        yield();
    }
    thread.cta->cluster->scheduler->gets_on();
  }
  named_barrier(0, 0, true, "the barrier of the grid");
  return true;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

namespace {
/// What a lane brings to a collective and takes from it.
struct Exchange {
  uint64_t value = 0;
  uint64_t result = 0;
  unsigned lane = 0; ///< a shuffle's operand
};

template <class Function>
void for_each_lane(void *const *payload, Function function) {
  for (unsigned lane = 0; lane != 32; ++lane)
    if (payload[lane])
      function(lane, *static_cast<Exchange *>(payload[lane]));
}

// Operations are told apart by the address of one of these.
const char site_sync = 0, site_vote = 0, site_match = 0, site_reduce = 0,
           site_shuffle[4] = {};
} // namespace

void warpwright::sim::sync_warp(unsigned mask) {
  Exchange exchange;
  meet(
      mask, &site_sync, "__syncwarp()", &exchange,
      [](Warp &warp, void *const *) { converged(warp); }, false);
  reschedule();
}

unsigned warpwright::sim::active_mask() {
  Thread &thread = self();
  Warp &warp = *thread.warp;
  warp.asking |= 1u << thread.lane;
  warp.asked_at[thread.lane] = __builtin_return_address(0);
  thread.state = Thread::State::blocked;
  thread.fiber.suspend();
  return thread.active_mask;
}

unsigned warpwright::sim::vote(Vote kind, unsigned mask, int predicate) {
  Exchange exchange;
  exchange.value = predicate != 0;
  meet(
      mask, &site_vote, "a vote of the warp", &exchange,
      [](Warp &warp, void *const *payload) {
        uint64_t ballot = 0, all = 0;
        for_each_lane(payload, [&](unsigned lane, Exchange &e) {
          ballot |= e.value << lane;
          all |= uint64_t(1) << lane;
        });
        for_each_lane(payload, [&](unsigned, Exchange &e) {
          e.result = all << 32 | ballot;
        });
        converged(warp);
      },
      false);
  const auto ballot = static_cast<unsigned>(exchange.result);
  const auto all = static_cast<unsigned>(exchange.result >> 32);
  switch (kind) {
  case Vote::any:
    return ballot != 0;
  case Vote::all:
    return ballot == all;
  case Vote::ballot:
    return ballot;
  case Vote::count:
    break;
  }
  return static_cast<unsigned>(__builtin_popcount(ballot));
}

/// The lane that a shuffle reads, as the PTX manual defines shfl.sync; the
/// lane itself where there is none.
static unsigned shuffle_source(Shuffle kind, unsigned lane, unsigned operand,
                               unsigned width) {
  const unsigned segment = 32 - width; // bits that all of a segment share
  const unsigned first = lane & segment;
  const unsigned last = first | (31 & ~segment);
  operand &= 31;
  switch (kind) {
  case Shuffle::index:
    return first | (operand & ~segment);
  case Shuffle::up:
    return lane >= first + operand ? lane - operand : lane;
  case Shuffle::down:
    return lane + operand <= last ? lane + operand : lane;
  case Shuffle::exclusive:
    break;
  }
  return (lane ^ operand) <= last ? lane ^ operand : lane;
}

uint64_t warpwright::sim::shuffle(Shuffle kind, unsigned mask, uint64_t value,
                                  unsigned lane, int width) {
  static const char *const names[] = {"__shfl_sync()", "__shfl_up_sync()",
                                      "__shfl_down_sync()",
                                      "__shfl_xor_sync()"};
  const auto which = static_cast<unsigned>(kind);
  const auto lanes = static_cast<unsigned>(width);
  if (!lanes || lanes > 32 || lanes & (lanes - 1))
    report(Finding::divergence,
           std::string(names[which]) + " with a width of " +
               std::to_string(width) + ", not a power of two up to 32");
  Exchange exchange;
  exchange.value = value;
  exchange.lane = shuffle_source(kind, self().lane, lane, lanes);
  meet(
      mask, &site_shuffle[which], names[which], &exchange,
      [](Warp &warp, void *const *payload) {
        for_each_lane(payload, [&](unsigned, Exchange &e) {
          // The result is undefined if the source lane does not take part.
          const auto *from = static_cast<Exchange *>(payload[e.lane]);
          e.result = from ? from->value : e.value;
        });
        converged(warp);
      },
      false);
  return exchange.result;
}

unsigned warpwright::sim::match(unsigned mask, uint64_t value, int *all) {
  Exchange exchange;
  exchange.value = value;
  meet(
      mask, &site_match, "a match of the warp", &exchange,
      [](Warp &warp, void *const *payload) {
        for_each_lane(payload, [&](unsigned, Exchange &e) {
          uint64_t equal = 0, present = 0;
          for_each_lane(payload, [&](unsigned other, Exchange &o) {
            present |= uint64_t(1) << other;
            if (o.value == e.value)
              equal |= uint64_t(1) << other;
          });
          e.result = present << 32 | equal;
        });
        converged(warp);
      },
      false);
  const auto equal = static_cast<unsigned>(exchange.result);
  if (!all)
    return equal;
  *all = equal == static_cast<unsigned>(exchange.result >> 32);
  return *all ? equal : 0;
}

static uint32_t reduced(Reduce kind, uint32_t a, uint32_t b) {
  const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  switch (kind) {
  case Reduce::add:
    return a + b;
  case Reduce::min_u:
    return std::min(a, b);
  case Reduce::max_u:
    return std::max(a, b);
  case Reduce::min_s:
    return static_cast<uint32_t>(std::min(sa, sb));
  case Reduce::max_s:
    return static_cast<uint32_t>(std::max(sa, sb));
  case Reduce::and_:
    return a & b;
  case Reduce::or_:
    return a | b;
  case Reduce::xor_:
    break;
  }
  return a ^ b;
}

uint32_t warpwright::sim::reduce(Reduce kind, unsigned mask, uint32_t value) {
  Exchange exchange;
  exchange.value = value;
  meet(
      mask, &site_reduce, "a reduction of the warp", &exchange,
      [kind](Warp &warp, void *const *payload) {
        bool first = true;
        uint32_t result = 0;
        for_each_lane(payload, [&](unsigned, Exchange &e) {
          const auto value = static_cast<uint32_t>(e.value);
          result = first ? value : reduced(kind, result, value);
          first = false;
        });
        for_each_lane(payload,
                      [&](unsigned, Exchange &e) { e.result = result; });
        converged(warp);
      },
      false);
  return static_cast<uint32_t>(exchange.result);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

void warpwright::sim::thread_fence(int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void warpwright::sim::nanosleep(unsigned ns) {
  if (!current_thread)
    return;
  // At the clock rate of an H200, 1.98 GHz.
  Cluster::Scheduler &s = *self().cta->cluster->scheduler;
  s.cycles += 2 * uint64_t(ns);
  ++s.sleeps;
  yield();
}

int64_t warpwright::sim::clock64() {
  if (!current_thread)
    return 0;
  Cluster::Scheduler &s = *self().cta->cluster->scheduler;
  // The time means nothing about speed; it only increases.
  s.cycles += 16;
  return static_cast<int64_t>(s.step * 64 + s.cycles);
}

void warpwright::sim::trap() {
  if (!current_thread)
    abort();
  abort_launch(719); // cudaErrorLaunchFailure
}

void warpwright::sim::assert_failed(const char *expression, const char *file,
                                    unsigned line, const char *function) {
  if (!current_thread) {
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function,
            expression);
    abort();
  }
  const Index3 &b = self().blockIdx, &t = self().threadIdx;
  fprintf(stderr,
          "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
          "failed.\n",
          file, line, function, b.x, b.y, b.z, t.x, t.y, t.z, expression);
  abort_launch(710); // cudaErrorAssert
}

static int print(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(nullptr, 0, format, arguments);
  if (length > 0) {
    std::string &output = self().cta->cluster->output;
    const size_t before = output.size();
    const auto added = static_cast<size_t>(length);
    output.resize(before + added + 1);
    vsnprintf(&output[before], added + 1, format, again);
    output.resize(before + added);
  }
  va_end(again);
  return length;
}

int warpwright::sim::device_vprintf(const char *format, va_list arguments) {
  return current_thread ? print(format, arguments) : vprintf(format, arguments);
}

int warpwright::sim::device_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = device_vprintf(format, arguments);
  va_end(arguments);
  return length;
}

void *warpwright::sim::device_malloc(size_t bytes) {
  return bytes ? allocate(Space::device, bytes) : nullptr;
}

void warpwright::sim::device_free(void *pointer) {
  if (pointer && !deallocate(pointer))
    report(Finding::global_bounds,
           "free() of what malloc() of device code did not give");
}
