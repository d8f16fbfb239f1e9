//===- Memory.cpp - The simulated address space ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Machine.h"

#include <algorithm>
#include <link.h>
#include <map>
#include <mutex>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vector>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void reserve(uintptr_t begin, size_t bytes, int protection) {
  void *memory = mmap(
      reinterpret_cast<void *>(begin), bytes, protection,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == reinterpret_cast<void *>(begin)) {
    // Crash dumps of terabytes help nobody.
    madvise(memory, bytes, MADV_DONTDUMP);
    return;
  }
  fprintf(stderr, "warpwright: cannot reserve the simulated address space\n");
  abort();
}

void warpwright::sim::reserve_regions() {
  static const bool done = [] {
    constexpr int usable = PROT_READ | PROT_WRITE;
    reserve(window_region, window_region_bytes, usable);
    reserve(device_region, region_bytes, PROT_NONE);
    reserve(mapped_region, region_bytes, usable);
    reserve(shadow_region, 2 * region_bytes / granule_bytes, usable);
    reserve(engine_region, engine_region_bytes, usable);
    watch_signals();
    return true;
  }();
  (void)done;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

namespace {
constexpr size_t alignment = 256;
constexpr size_t most_filled = size_t(16) << 20;
constexpr int fresh_byte = 0xff;

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/// Forbidden bytes after an allocation: enough that a row too many is seen.
size_t red_zone(size_t bytes) {
  return round_up(std::clamp(bytes / 4, size_t(4096), size_t(4) << 20),
                  alignment);
}

void set_shadow(char *begin, size_t bytes, bool valid) {
  auto *shadow = const_cast<unsigned char *>(
      shadow_of(reinterpret_cast<uintptr_t>(begin)));
  const size_t granules = bytes >> granule_log2;
  if (!valid && granules >= (size_t(1) << 20)) {
    // Whole pages of zeros take no memory.
    const uintptr_t at = reinterpret_cast<uintptr_t>(shadow);
    const uintptr_t first = round_up(at, 4096);
    const uintptr_t last = (at + granules) / 4096 * 4096;
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
    memset(shadow, 0, first - at);
    memset(reinterpret_cast<void *>(last), 0, at + granules - last);
  } else {
    memset(shadow, valid ? static_cast<int>(granule_bytes) : 0, granules);
  }
  if (const size_t rest = bytes & (granule_bytes - 1))
    shadow[bytes >> granule_log2] =
        valid ? static_cast<unsigned char>(rest) : 0;
}

/// One of the two regions that are allocated from.
struct Arena {
  uintptr_t begin, end;
  /// Allocations by address, live and freed.
  std::map<uintptr_t, Allocation> allocations;
  uintptr_t next = 0; ///< where the next one goes
  size_t in_use = 0;

  uintptr_t place(size_t span) {
    if (!next)
      next = begin + (size_t(1) << 20);
    if (next + span <= end) {
      const uintptr_t at = next;
      next += span;
      return at;
    }
    // Every address was used once: forget what was freed and look for a gap.
    for (auto it = allocations.begin(); it != allocations.end();)
      it = it->second.freed ? allocations.erase(it) : std::next(it);
    uintptr_t at = begin + (size_t(1) << 20);
    for (const auto &entry : allocations) {
      if (at + span <= entry.first)
        return at;
      at = round_up(entry.first + entry.second.bytes +
                        red_zone(entry.second.bytes),
                    alignment);
    }
    return at + span <= end ? at : 0;
  }
};

struct Heap {
  std::recursive_mutex mutex;
  Arena device{device_region, device_region + region_bytes, {}};
  Arena mapped{mapped_region, mapped_region + region_bytes, {}};
  std::map<uintptr_t, size_t> registered; ///< begin to bytes
  unsigned accesses = 0;                  ///< live DeviceAccess objects

  Arena &arena(Space space) { return space == Space::device ? device : mapped; }
  /// Allows or forbids all access to device memory that was ever used.
  void protect(int protection) {
    if (device.next)
      mprotect(reinterpret_cast<void *>(device.begin),
               round_up(device.next - device.begin, 4096) + 4096, protection);
  }
};

Heap &heap() {
  static Heap *heap = new Heap;
  return *heap;
}
using Lock = std::lock_guard<std::recursive_mutex>;

bool is_device(uintptr_t address) {
  return address - device_region < region_bytes;
}
} // namespace

void *warpwright::sim::allocate(Space space, size_t bytes) {
  reserve_regions();
  Heap &h = heap();
  Lock lock(h.mutex);
  Arena &arena = h.arena(space);
  if (space == Space::device &&
      (bytes > device_memory_bytes ||
       arena.in_use + bytes > device_memory_bytes - context_bytes))
    return nullptr;
  if (bytes > region_bytes * 3 / 4)
    return nullptr;
  const size_t span = round_up(bytes, alignment) + red_zone(bytes);
  const uintptr_t at = arena.place(span);
  if (!at)
    return nullptr;
  Allocation allocation;
  allocation.begin = reinterpret_cast<char *>(at);
  allocation.bytes = bytes;
  allocation.space = space;
  allocation.allocated_at = current_stack();
  {
    DeviceAccess access;
    if (space == Space::device) {
      // The first and the last of what is too large to fill.
      const size_t filled = std::min(bytes, most_filled);
      memset(allocation.begin, fresh_byte, filled);
      memset(allocation.begin + bytes - filled, fresh_byte, filled);
    } else {
      // As the system gives it, also where an address is used again.
      memset(allocation.begin, 0, std::min(bytes, size_t(4096)));
    }
  }
  set_shadow(allocation.begin, bytes, true);
  arena.in_use += round_up(bytes, alignment);
  arena.allocations[at] = std::move(allocation);
  return reinterpret_cast<void *>(at);
}

bool warpwright::sim::deallocate(void *pointer, Space *space) {
  Heap &h = heap();
  Lock lock(h.mutex);
  const uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
  Arena &arena = h.arena(is_device(at) ? Space::device : Space::managed);
  const auto found = arena.allocations.find(at);
  if (found == arena.allocations.end() || found->second.freed)
    return false;
  Allocation &allocation = found->second;
  if (space)
    *space = allocation.space;
  set_shadow(allocation.begin, allocation.bytes, false);
  allocation.freed = true;
  allocation.freed_at = current_stack();
  arena.in_use -= round_up(allocation.bytes, alignment);
  // Whole pages go back to the system.
  const uintptr_t first = round_up(at, 4096);
  const uintptr_t last = (at + allocation.bytes) / 4096 * 4096;
  if (last > first)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
  return true;
}

void warpwright::sim::deallocate_all() {
  Heap &h = heap();
  Lock lock(h.mutex);
  for (Arena *arena : {&h.device, &h.mapped}) {
    std::vector<void *> live;
    for (const auto &entry : arena->allocations)
      if (!entry.second.freed)
        live.push_back(entry.second.begin);
    for (void *pointer : live)
      deallocate(pointer);
  }
}

size_t warpwright::sim::device_bytes_in_use() {
  Heap &h = heap();
  Lock lock(h.mutex);
  return h.device.in_use;
}

bool warpwright::sim::find_allocation(const void *address, Allocation &found) {
  Heap &h = heap();
  Lock lock(h.mutex);
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (at - device_region >= 2 * region_bytes)
    return false;
  const auto &allocations =
      h.arena(is_device(at) ? Space::device : Space::managed).allocations;
  auto after = allocations.upper_bound(at);
  if (after != allocations.begin()) {
    found = std::prev(after)->second;
    if (at < reinterpret_cast<uintptr_t>(found.begin) + found.bytes)
      return !found.freed;
  }
  // Nearer to the next one: probably an index below zero.
  if (after != allocations.end() &&
      (!found.begin ||
       after->first - at <
           at - reinterpret_cast<uintptr_t>(found.begin) - found.bytes))
    found = after->second;
  return false;
}

//===----------------------------------------------------------------------===//
// Which memory
//===----------------------------------------------------------------------===//

namespace {
struct Range {
  uintptr_t begin, end;
};

/// The loaded segments of the executable and of its libraries.
const std::vector<Range> &program_ranges() {
  static const auto *ranges = [] {
    auto *result = new std::vector<Range>;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *data) {
          for (unsigned i = 0; i != info->dlpi_phnum; ++i) {
            const auto &segment = info->dlpi_phdr[i];
            if (segment.p_type != PT_LOAD)
              continue;
            const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            static_cast<std::vector<Range> *>(data)->push_back(
                {begin, begin + segment.p_memsz});
          }
          return 0;
        },
        result);
    return result;
  }();
  return *ranges;
}
} // namespace

bool warpwright::sim::is_program_data(const void *address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  for (const Range &range : program_ranges())
    if (at >= range.begin && at < range.end)
      return true;
  return false;
}

void warpwright::sim::register_host(void *pointer, size_t bytes) {
  Lock lock(heap().mutex);
  heap().registered[reinterpret_cast<uintptr_t>(pointer)] = bytes;
}

bool warpwright::sim::unregister_host(void *pointer) {
  Lock lock(heap().mutex);
  return heap().registered.erase(reinterpret_cast<uintptr_t>(pointer)) != 0;
}

bool warpwright::sim::is_registered(const void *address, uint64_t bytes) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  Heap &h = heap();
  Lock lock(h.mutex);
  auto after = h.registered.upper_bound(at);
  if (after == h.registered.begin())
    return false;
  --after;
  return at + bytes <= after->first + after->second;
}

Space warpwright::sim::space_of(const void *address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (at - device_region < 2 * region_bytes) {
    Allocation found;
    if (find_allocation(address, found))
      return found.space;
    return is_device(at) ? Space::device : Space::managed;
  }
  if (is_registered(address, 1))
    return Space::registered;
  return is_program_data(address) ? Space::program : Space::other;
}

DeviceAccess::DeviceAccess() {
  Heap &h = heap();
  Lock lock(h.mutex);
  if (h.accesses++ == 0)
    reserve_regions();
  // Always: an allocation may have grown the region since.
  h.protect(PROT_READ | PROT_WRITE);
}

DeviceAccess::~DeviceAccess() {
  Heap &h = heap();
  Lock lock(h.mutex);
  if (--h.accesses == 0)
    h.protect(PROT_NONE);
}

//===----------------------------------------------------------------------===//
// The engine's own memory
//===----------------------------------------------------------------------===//

namespace {
/// Blocks of the powers of two, taken from one end and kept when given back.
struct EngineMemory {
  std::mutex mutex;
  uintptr_t next = engine_region;
  std::vector<void *> free[48];

  static unsigned class_of(size_t bytes) {
    unsigned k = 6;
    while ((size_t(1) << k) < bytes)
      ++k;
    return k;
  }
};
EngineMemory &engine_memory() {
  static EngineMemory *memory = new EngineMemory;
  return *memory;
}
} // namespace

void *warpwright::sim::engine_allocate(size_t bytes) {
  reserve_regions();
  EngineMemory &m = engine_memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  const unsigned k = EngineMemory::class_of(bytes);
  if (m.free[k].empty()) {
    const size_t size = size_t(1) << k;
    m.next = round_up(m.next, std::min(size, size_t(4096)));
    void *memory = reinterpret_cast<void *>(m.next);
    m.next += size;
    return memory;
  }
  void *memory = m.free[k].back();
  m.free[k].pop_back();
  return memory;
}

void warpwright::sim::engine_deallocate(void *memory, size_t bytes) {
  EngineMemory &m = engine_memory();
  std::lock_guard<std::mutex> lock(m.mutex);
  m.free[EngineMemory::class_of(bytes)].push_back(memory);
}

void *Thread::operator new(size_t bytes) { return engine_allocate(bytes); }
void Thread::operator delete(void *thread, size_t bytes) {
  engine_deallocate(thread, bytes);
}

namespace {
struct WindowSlots {
  std::mutex mutex;
  std::vector<unsigned> free;
  unsigned made = 0;
};
WindowSlots &window_slots() {
  static WindowSlots *slots = new WindowSlots;
  return *slots;
}
} // namespace

unsigned warpwright::sim::take_window_slot() {
  reserve_regions();
  WindowSlots &s = window_slots();
  std::lock_guard<std::mutex> lock(s.mutex);
  if (s.free.empty()) {
    if (s.made == window_region_bytes / cluster_window_bytes) {
      fprintf(stderr, "warpwright: too many resident clusters\n");
      abort();
    }
    return s.made++;
  }
  const unsigned slot = s.free.back();
  s.free.pop_back();
  return slot;
}

void warpwright::sim::return_window_slot(unsigned slot) {
  WindowSlots &s = window_slots();
  std::lock_guard<std::mutex> lock(s.mutex);
  s.free.push_back(slot);
}
