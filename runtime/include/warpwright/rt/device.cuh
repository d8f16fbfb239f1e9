//===- warpwright/rt/device.cuh - What is known per device -----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions to the CUDA runtime that are asked once per device and then
// remembered. Every answer is packed into one machine word: threads that race
// to find it out store the same value, so no lock is needed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_DEVICE_CUH
#define WARPWRIGHT_RT_DEVICE_CUH

#include <warpwright/rt/gpu.cuh>
#include <warpwright/rt/launch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Words remembered per device; static storage, zero means unknown. Devices
/// beyond the last are asked again each time.
struct DeviceCache {
  static constexpr int max_devices = 64;
  unsigned long long words[max_devices];

  unsigned long long get(int device) const {
    if (device < 0 || device >= max_devices)
      return 0;
    return __atomic_load_n(&words[device], __ATOMIC_RELAXED);
  }
  void set(int device, unsigned long long word) {
    if (device >= 0 && device < max_devices)
      __atomic_store_n(&words[device], word, __ATOMIC_RELAXED);
  }
};

/// Lets this thread load modules and set attributes while some stream of it is
/// being captured: none of that is part of the graph.
class RelaxedCapture {
public:
  RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode); }

private:
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
};

struct DeviceInfo {
  int id;
  int compute_capability; ///< 90 for 9.0
  int multiprocessors;
  /// Of device memory, in bytes per nanosecond; an H200's, if it is not known.
  int memory_rate = static_cast<int>(gpu().memory_rate);

  gpu speeds() const { return gpu(multiprocessors, memory_rate); }
};

/// The current device; an id of -1 when there is none.
inline DeviceInfo current_device() {
  static DeviceCache cache;
  ErrorGuard guard;
  int id = -1;
  if (cudaGetDevice(&id) != cudaSuccess)
    return {-1, 0, 0, 0};
  unsigned long long word = cache.get(id);
  if (!word) {
    int major = 0, minor = 0, multiprocessors = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, id) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                               id) != cudaSuccess)
      return {-1, 0, 0, 0};
    int kilohertz = 0, bits = 0;
    long long rate = gpu().memory_rate;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, id) ==
            cudaSuccess &&
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, id) ==
            cudaSuccess &&
        kilohertz > 0 && bits > 0)
      // Two transfers a clock.
      rate = 2ll * kilohertz * (bits / 8) / 1000000;
    word = static_cast<unsigned long long>(rate) << 40 |
           static_cast<unsigned long long>(major * 10 + minor) << 32 |
           static_cast<unsigned>(multiprocessors);
    cache.set(id, word);
  }
  return {id, static_cast<int>(word >> 32 & 0xff),
          static_cast<int>(word & 0xffffffffu), static_cast<int>(word >> 40)};
}

/// Whether the CUDA runtime would accept this launch of the original kernel.
/// A launch that it rejects is passed on, so that it fails as it always did.
inline bool is_valid_launch(const Launch &launch, const void *original,
                            DeviceCache &cache, int device) {
  const dim3 grid = launch.grid, block = launch.block;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z ||
      grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 ||
      block.x > 1024 || block.y > 1024 || block.z > 64)
    return false;
  // The number of threads that the original's registers allow, its static
  // shared memory, and the cluster that its __cluster_dims__ ask for. What
  // dynamic shared memory it may use can change between launches and is only
  // looked up when the launch asks for more than any kernel gets.
  constexpr size_t always_granted = 48 * 1024;
  constexpr int threads_at = 32, cluster_at = 48; // 4 bits for each axis
  unsigned long long word = cache.get(device);
  if (!word || launch.smem + (word & 0xffffffffu) > always_granted) {
    ErrorGuard guard;
    RelaxedCapture relaxed;
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, original) != cudaSuccess)
      return false;
    word = static_cast<unsigned long long>(attributes.maxThreadsPerBlock)
               << threads_at |
           static_cast<unsigned>(attributes.sharedSizeBytes);
    const int cluster[] = {attributes.requiredClusterWidth,
                           attributes.requiredClusterHeight,
                           attributes.requiredClusterDepth};
    int blocks = 1;
    for (int i = 0; i < 3; ++i) {
      const int size = cluster[i] > 0 ? cluster[i] : 1;
      blocks *= size;
      word |= static_cast<unsigned long long>(size - 1) << (cluster_at + 4 * i);
    }
    // Whether a device can hold larger clusters is the runtime's to say.
    if (blocks > 8 || attributes.clusterDimMustBeSet)
      return false;
    cache.set(device, word);
    const int most = attributes.maxDynamicSharedSizeBytes;
    if (launch.smem > static_cast<size_t>(most > 0 ? most : 0))
      return false;
  }
  const auto whole = [&](unsigned blocks, int axis) {
    return blocks % ((word >> (cluster_at + 4 * axis) & 15) + 1) == 0;
  };
  return whole(grid.x, 0) && whole(grid.y, 1) && whole(grid.z, 2) &&
         block.x * block.y * block.z <= (word >> threads_at & 0xffffu);
}

/// Prepares a generated kernel for launches on a device, once: checks that
/// its sm_90a image is the one that was loaded, and allows it its shared
/// memory. Null, or the reason why it cannot be launched.
inline const char *prepare_kernel(const void *kernel, int threads,
                                  int shared_bytes, DeviceCache &cache,
                                  int device) {
  enum : unsigned long long { unknown, ready, other_image };
  const char *const not_our_image = "the loaded image is not sm_90a";
  const unsigned long long word = cache.get(device);
  if (word == ready)
    return nullptr;
  if (word == other_image)
    return not_our_image;

  ErrorGuard guard;
  RelaxedCapture relaxed;
  cudaFuncAttributes attributes;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error == cudaErrorInvalidDeviceFunction ||
      error == cudaErrorNoKernelImageForDevice ||
      // Launch bounds tell the images apart: see arch.cuh.
      (error == cudaSuccess && attributes.maxThreadsPerBlock < threads)) {
    cache.set(device, other_image);
    return not_our_image;
  }
  // Other errors are not the kernel's and may pass.
  if (error != cudaSuccess ||
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           shared_bytes) != cudaSuccess)
    return "the Hopper kernel cannot be prepared";
  cache.set(device, ready);
  return nullptr;
}

/// Launches a prepared kernel, as a grid of clusters when a cluster has more
/// than one block. Null, or why it was not launched; then no error is left
/// behind. `arguments` as for cudaLaunchKernel. The kernel starts when the
/// blocks of the kernel before it have ended or have called
/// let_next_kernel_start, and has to call wait_for_previous_kernel before it
/// touches memory that others can see (CUDA Programming Guide, "Programmatic
/// Dependent Launch"). That hides the launch and what the kernel prepares. Of
/// the kernels here only the one that copies operands, whose blocks are short,
/// lets the next one start early. To start beside a long kernel was measured to
/// be slower, by up to 5 % and for slices of k by 4 us of 27
/// (docs/performance-log.md); we suppose that the scheduler spreads blocks more
/// evenly over an empty device.
inline const char *launch_kernel(const void *kernel, dim3 grid, dim3 cluster,
                                 int threads, int shared_bytes,
                                 cudaStream_t stream, void **arguments,
                                 DeviceCache &cache, int device) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (cluster.x * cluster.y * cluster.z > 1) {
    cudaLaunchAttribute &attribute = attributes[count++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
  }
  ErrorGuard guard;
  // In a graph it would make an edge of a kind that programs which look at
  // their graphs do not know.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
      status == cudaStreamCaptureStatusNone) {
    cudaLaunchAttribute &attribute = attributes[count++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = static_cast<size_t>(shared_bytes);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  if (cudaLaunchKernelExC(&config, kernel, arguments) == cudaSuccess)
    return nullptr;
  // cudaDeviceReset forgets what was prepared: ask again next time.
  cache.set(device, 0);
  return "the launch of the Hopper kernel failed";
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_DEVICE_CUH
