//===- WgmmaRegisters.cpp - Registers that a wgmma works on ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers are variables of the program's here. A wgmma owns its accumulators
// until it has been waited for: nobody may read or write them. The registers of
// A it only reads, and what would change them is writing.
//
// Accumulators are known by the outputs of asm statements. Fragments of A may
// be variables of a block that has ended before the wgmma has: on the device
// the registers then stay as they are, while here other variables lie there.
// So only those are watched that the program says live (Registers in
// program.h).
//
//===----------------------------------------------------------------------===//

#include "Async.h"

using namespace warpwright::sim;

namespace {

/// Which accesses of the thread are looked at: a span around all ranges.
void watch_all(Thread &thread) {
  const AsyncThread &state = *thread.async;
  const char *low = nullptr, *high = nullptr;
  const auto add = [&](const char *begin, const char *end) {
    low = !low || begin < low ? begin : low;
    high = end > high ? end : high;
  };
  for (const PrivateRange &range : state.accumulators)
    add(range.begin, range.end);
  for (const FragmentRange &range : state.fragments)
    add(range.begin, range.end);
  thread.watch(low, high);
}

/// Adds the memory of a lane's registers, which mostly is one array, or updates
/// what is known of it.
void set_ranges(std::vector<PrivateRange> &ranges,
                const std::vector<char *> &registers, bool in_flight,
                uint32_t op) {
  std::vector<PrivateRange> added;
  for (const char *at : registers) {
    if (!added.empty() && added.back().end == at)
      added.back().end = at + 4;
    else
      added.push_back({at, at + 4, in_flight, false, op});
  }
  for (const PrivateRange &range : added) {
    bool found = false;
    for (PrivateRange &old : ranges)
      if (old.begin == range.begin && old.end == range.end) {
        old = range;
        found = true;
      }
    if (!found)
      ranges.push_back(range);
  }
}

/// The registers of A of one lane, which mostly are one array; says whether
/// they were written after the last fence.
bool watch_fragment(AsyncThread &state, const char *const *registers,
                    uint64_t wgmma, uint32_t op) {
  bool touched = false;
  for (unsigned r = 0; r < 4;) {
    const char *begin = registers[r++];
    if (!begin)
      continue; // not a variable
    const char *end = begin + sizeof(uint32_t);
    for (; r < 4 && registers[r] == end; ++r)
      end += sizeof(uint32_t);
    bool lives = false;
    for (const auto &[from, to] : state.registers)
      lives |= from <= begin && end <= to;
    if (!lives)
      continue;
    FragmentRange *found = nullptr;
    for (FragmentRange &range : state.fragments) {
      if (begin < range.end && range.begin < end)
        touched |= range.touched;
      if (range.begin == begin && range.end == end)
        found = &range;
    }
    if (!found)
      found = &state.fragments.emplace_back(
          FragmentRange{begin, end, false, wgmma, op});
    found->wgmma = wgmma;
    found->op = op;
  }
  return touched;
}

/// The program writes [begin, end), which may be registers of A.
void write_fragments(Thread &thread, const char *begin, const char *end) {
  for (FragmentRange &range : thread.async->fragments) {
    if (begin >= range.end || end <= range.begin)
      continue;
    range.touched = true;
    if (range.wgmma < waited_wgmmas(*thread.warp))
      continue;
    report(Finding::accumulator_in_flight,
           "a register of A is written while a wgmma may still read it: "
           "wgmma.wait_group must come first",
           {{"the first wgmma of the group was issued here",
             async(*thread.cta).shadow.op(range.op).issued}});
    return;
  }
}

} // namespace

void warpwright::sim::watch_accumulators(Warp &warp,
                                         const WarpAccumulator &tile,
                                         uint32_t op) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    Thread *thread = warp.lanes[lane];
    if (!thread)
      continue;
    set_ranges(async(*thread).accumulators, tile.registers[lane],
               tile.in_flight > 0, op);
    watch_all(*thread);
  }
}

bool warpwright::sim::were_touched(Warp &warp, const WarpAccumulator &tile) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Thread *thread = warp.lanes[lane];
    if (!thread || !thread->async)
      continue;
    for (const PrivateRange &range : thread->async->accumulators)
      if (range.touched)
        for (const char *at : tile.registers[lane])
          if (range.begin <= at && at < range.end)
            return true;
  }
  return false;
}

bool warpwright::sim::watch_fragments(Warp &warp, const WgmmaLane *const *lanes,
                                      uint64_t number, uint32_t op) {
  bool touched = false;
  for (unsigned lane = 0; lane < 32; ++lane) {
    Thread *thread = warp.lanes[lane];
    if (!thread || !thread->async)
      continue;
    touched |=
        watch_fragment(*thread->async, lanes[lane]->a_registers, number, op);
    watch_all(*thread);
  }
  return touched;
}

void warpwright::sim::forget_touches(AsyncThread &thread) {
  for (PrivateRange &range : thread.accumulators)
    range.touched = false;
  for (FragmentRange &range : thread.fragments)
    range.touched = false;
}

void warpwright::sim::add_registers(const void *begin, size_t bytes) {
  if (!current_thread)
    return;
  const char *at = static_cast<const char *>(begin);
  async(self()).registers.emplace_back(at, at + bytes);
}

void warpwright::sim::drop_registers(const void *begin, size_t bytes) {
  if (!current_thread || !self().async)
    return;
  AsyncThread &state = *self().async;
  const char *at = static_cast<const char *>(begin);
  // The last one first, as blocks end.
  for (size_t i = state.registers.size(); i-- > 0;)
    if (state.registers[i].first == at) {
      state.registers.erase(state.registers.begin() + static_cast<long>(i));
      break;
    }
  bool dropped = false;
  for (size_t i = state.fragments.size(); i-- > 0;)
    if (at <= state.fragments[i].begin &&
        state.fragments[i].end <= at + bytes) {
      state.fragments.erase(state.fragments.begin() + static_cast<long>(i));
      dropped = true;
    }
  if (dropped)
    watch_all(self());
}

void warpwright::sim::check_private_access(const void *address, unsigned bytes,
                                           bool is_store) {
  Thread &thread = self();
  if (!thread.async)
    return;
  const char *begin = static_cast<const char *>(address);
  if (is_store)
    write_fragments(thread, begin, begin + bytes);
  for (PrivateRange &range : thread.async->accumulators) {
    if (begin >= range.end || begin + bytes <= range.begin)
      continue;
    range.touched = true;
    if (!range.in_flight)
      continue;
    report(Finding::accumulator_in_flight,
           std::string("an accumulator is ") + (is_store ? "written" : "read") +
               " while a wgmma is still working on it: "
               "wgmma.wait_group must come first",
           {{"the first wgmma of the group was issued here",
             async(*thread.cta).shadow.op(range.op).issued}});
    return;
  }
}
