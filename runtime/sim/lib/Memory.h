//===- Memory.h - The simulated address space -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared windows, device memory, memory that host and device share, and what
// the engine lets device code read each have a region at a fixed address, so
// that one comparison with a constant tells what an address is. The regions are
// reserved, not committed.
//
// Every 128 bytes of device and host-device memory have a byte of shadow: how
// many of them, from the first on, may be accessed. Allocations begin at
// multiples of 256 and have forbidden bytes around them; freed memory stays
// forbidden until the address space runs out.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_MEMORY_H
#define WARPWRIGHT_SIM_LIB_MEMORY_H

#include "Report.h"

#include <stddef.h>
#include <stdint.h>

namespace warpwright {
namespace sim {

constexpr uintptr_t region_bytes = uintptr_t(1) << 38;
/// Windows of clusters, one after the other: `cluster_window_bytes` each.
constexpr uintptr_t window_region = 0x200000000000;
constexpr uintptr_t window_region_bytes = uintptr_t(1) << 41;
constexpr uintptr_t cluster_window_bytes = uintptr_t(16) << 24;
/// What cudaMalloc gives, then what host and device may both access.
constexpr uintptr_t device_region = 0x220000000000;
constexpr uintptr_t mapped_region = device_region + region_bytes;
constexpr uintptr_t shadow_region = 0x260000000000;
constexpr unsigned granule_log2 = 7;
constexpr uintptr_t granule_bytes = uintptr_t(1) << granule_log2;
/// The engine's own: what device code may read.
constexpr uintptr_t engine_region = 0x280000000000;
constexpr uintptr_t engine_region_bytes = uintptr_t(1) << 36;

/// Reserves the regions. Called before anything that touches them.
void reserve_regions();

/// Total memory of the device as cudaMemGetInfo tells it on an H200, and what
/// a context takes of it.
constexpr size_t device_memory_bytes = size_t(150109880320);
constexpr size_t context_bytes = size_t(541) << 20;

enum class Space {
  device,
  managed,
  pinned,     ///< page-locked host memory of cudaMallocHost
  registered, ///< host memory given to cudaHostRegister
  program,    ///< a variable of the program
  other       ///< the host's heap and stacks, and what is nothing
};

/// Memory of one of the first three spaces; null when there is no more. Fresh
/// device memory is all 0xff (up to 16 MiB at either end): NaN in every type.
void *allocate(Space space, size_t bytes);
/// False: `pointer` is not the beginning of a live allocation.
bool deallocate(void *pointer, Space *space = nullptr);
/// Frees everything (cudaDeviceReset).
void deallocate_all();
size_t device_bytes_in_use();

struct Allocation {
  char *begin = nullptr;
  size_t bytes = 0;
  Space space = Space::other;
  bool freed = false;
  Stack allocated_at, freed_at;
};
/// What `address` lies in; if in nothing, the allocation that it is closest to
/// (begin is null if there is none). True: within a live one.
bool find_allocation(const void *address, Allocation &found);

/// Which kind of memory an address names.
Space space_of(const void *address);
void register_host(void *pointer, size_t bytes);
bool unregister_host(void *pointer);
/// Whether [address, address + bytes) lies in memory given to register_host.
bool is_registered(const void *address, uint64_t bytes);
/// Whether it lies in the variables of the program or of a loaded library.
bool is_program_data(const void *address);

/// While one of these lives, cudaMalloc's memory can be accessed. Otherwise
/// whoever touches it is host code, which a signal handler reports (WW723).
class DeviceAccess {
public:
  DeviceAccess();
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;
  ~DeviceAccess();
};

/// Memory that device code may read, for closures and threads.
void *engine_allocate(size_t bytes);
void engine_deallocate(void *memory, size_t bytes);

/// Slots of the window region, one per cluster that is resident.
unsigned take_window_slot();
void return_window_slot(unsigned slot);

/// Catches what touches memory it may not, for the calling host thread.
void watch_signals();

/// Reports an access that is not allowed. `bytes` may be of any number.
void report_global_access(const void *address, uint64_t bytes, bool is_store,
                          const char *what);

inline const unsigned char *shadow_of(uintptr_t address) {
  return reinterpret_cast<const unsigned char *>(
      shadow_region + ((address - device_region) >> granule_log2));
}

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_MEMORY_H
