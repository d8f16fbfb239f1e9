//===-- scratch.cuh - Memory of a launch ------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory that one launch needs beside the program's own: it is there
// from one point of the launch's stream to another (CUDA Programming Guide,
// "Stream Ordered Memory Allocator"). Under stream capture both points become
// nodes of the graph, which owns the memory then.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SCRATCH_CUH
#define WARPWRIGHT_RT_SCRATCH_CUH

#include <warpwright/rt/device.cuh>
#include <warpwright/rt/launch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// A pool of this runtime's own on each device: the program's default pool, and
/// what it has set for that, are left alone. The pool keeps this much between
/// launches; to get memory from the driver anew takes many times as long as a
/// small product does.
constexpr unsigned long long kept_scratch_bytes = 1ull << 30;

inline DeviceCache &scratch_pools() {
  static DeviceCache pools;
  return pools;
}

/// The pool of the device, made at the first call; null where there can be
/// none.
inline cudaMemPool_t scratch_pool(int device) {
  DeviceCache &pools = scratch_pools();
  if (device < 0 || device >= DeviceCache::max_devices)
    return nullptr;
  if (const unsigned long long word = pools.get(device))
    return reinterpret_cast<cudaMemPool_t>(static_cast<uintptr_t>(word));
  // Other threads wait here, so that none makes a pool that nobody knows.
  static unsigned busy = 0;
  while (__atomic_exchange_n(&busy, 1u, __ATOMIC_ACQUIRE))
    ;
  unsigned long long word = pools.get(device);
  if (!word) {
    ErrorGuard guard;
    RelaxedCapture relaxed;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypeNone;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    unsigned long long kept = kept_scratch_bytes;
    if (cudaMemPoolCreate(&pool, &properties) == cudaSuccess &&
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) ==
            cudaSuccess) {
      word = reinterpret_cast<uintptr_t>(pool);
      pools.set(device, word);
    }
  }
  __atomic_store_n(&busy, 0u, __ATOMIC_RELEASE);
  return reinterpret_cast<cudaMemPool_t>(static_cast<uintptr_t>(word));
}

/// Memory from the pool. What is launched on the stream while this object lives
/// may use it; its destructor gives it back behind all of that.
class Scratch {
public:
  Scratch(int device, cudaStream_t stream) : device(device), stream(stream) {}
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    ErrorGuard guard;
    if (memory)
      cudaFreeAsync(memory, stream);
  }

  /// `bytes` of memory, at a multiple of 256; null where there is none. Once.
  char *allocate(size_t bytes) {
    ErrorGuard guard;
    const cudaMemPool_t pool = scratch_pool(device);
    if (!pool)
      return nullptr;
    const cudaError_t error =
        cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
    if (error == cudaSuccess)
      return static_cast<char *>(memory);
    memory = nullptr;
    // cudaDeviceReset ends pools: make another one next time.
    if (error != cudaErrorMemoryAllocation)
      scratch_pools().set(device, 0);
    return nullptr;
  }

private:
  int device;
  cudaStream_t stream;
  void *memory = nullptr;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SCRATCH_CUH
