//===- RuntimeApiLaunch.cpp - Kernels of the CUDA runtime API -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RuntimeApi.h"

#include <algorithm>
#include <string.h>

using namespace warpwright::sim;

static constexpr size_t largest_shared = 227 * 1024;

/// A configuration with its attributes. A cudaError_t.
static int read_config(const cudaLaunchConfig_t &from, const KernelSite &site,
                       LaunchConfig &config) {
  config.grid = index_of(from.gridDim);
  config.block = index_of(from.blockDim);
  config.shared_bytes = from.dynamicSmemBytes;
  config.stream = from.stream;
  if (site.cluster[0])
    config.cluster = {site.cluster[0], site.cluster[1], site.cluster[2]};
  for (unsigned i = 0; i != from.numAttrs; ++i) {
    const cudaLaunchAttribute &attribute = from.attrs[i];
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      config.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                        attribute.val.clusterDim.z};
    else if (attribute.id == cudaLaunchAttributeCooperative)
      config.cooperative = attribute.val.cooperative != 0;
    else if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
      config.starts_early =
          attribute.val.programmaticStreamSerializationAllowed != 0;
  }
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream) {
  cudaLaunchConfig_t config = {};
  config.gridDim = gridDim;
  config.blockDim = blockDim;
  config.dynamicSmemBytes = sharedMem;
  config.stream = stream;
  return cudaLaunchKernelExC(&config, func, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = gridDim;
  config.blockDim = blockDim;
  config.dynamicSmemBytes = sharedMem;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelExC(&config, func, args);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args) {
  if (!config)
    return result(cudaErrorInvalidValue);
  const KernelSite *site = kernel_at(func);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  LaunchConfig own;
  if (const int error = read_config(*config, *site, own))
    return result(error);
  return result(launch_by_address(func, args, own));
}

cudaError_t cudaFuncSetCacheConfig(const void *func, cudaFuncCache) {
  return result(kernel_at(func) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, const void *func) {
  if (!attr)
    return result(cudaErrorInvalidValue);
  if (const int error = notice_sticky_error())
    return result(error);
  const KernelSite *site = kernel_at(func);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  KernelState &kernel = kernel_state(*site);
  memset(attr, 0, sizeof(*attr));
  attr->sharedSizeBytes = kernel.static_bytes;
  attr->maxThreadsPerBlock = site->max_threads > 0 ? site->max_threads : 1024;
  attr->numRegs = static_cast<int>(registers_per_thread(*site));
  attr->ptxVersion = attr->binaryVersion = 90;
  attr->maxDynamicSharedSizeBytes =
      static_cast<int>(dynamic_shared_limit(kernel));
  attr->preferredShmemCarveout = kernel.carveout;
  attr->clusterDimMustBeSet = 0;
  attr->requiredClusterWidth = static_cast<int>(site->cluster[0]);
  attr->requiredClusterHeight = static_cast<int>(site->cluster[1]);
  attr->requiredClusterDepth = static_cast<int>(site->cluster[2]);
  attr->nonPortableClusterSizeAllowed = kernel.non_portable_cluster;
  return result(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *func, cudaFuncAttribute attr,
                                 int value) {
  if (const int error = notice_sticky_error())
    return result(error);
  const KernelSite *site = kernel_at(func);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  KernelState &kernel = kernel_state(*site);
  switch (attr) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 ||
        static_cast<size_t>(value) + kernel.static_bytes > largest_shared)
      return result(cudaErrorInvalidValue);
    kernel.max_dynamic_shared = value;
    return result(cudaSuccess);
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100)
      return result(cudaErrorInvalidValue);
    kernel.carveout = value;
    return result(cudaSuccess);
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    kernel.non_portable_cluster = value != 0;
    return result(cudaSuccess);
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
    return result(cudaSuccess);
  default:
    return result(cudaErrorInvalidValue);
  }
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
  const KernelSite *site = kernel_at(func);
  if (!name || !site)
    return result(site ? cudaErrorInvalidValue
                       : cudaErrorInvalidDeviceFunction);
  *name = site->name;
  return result(cudaSuccess);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize) {
  if (!numBlocks || blockSize <= 0)
    return result(cudaErrorInvalidValue);
  const KernelSite *site = kernel_at(func);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  KernelState &kernel = kernel_state(*site);
  *numBlocks = static_cast<int>(blocks_per_multiprocessor(
      kernel, static_cast<unsigned>(blockSize), dynamicSMemSize));
  if (dynamicSMemSize > dynamic_shared_limit(kernel))
    *numBlocks = 0;
  return result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize,
    unsigned int flags) {
  if (flags > cudaOccupancyDisableCachingOverride)
    return result(cudaErrorInvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      numBlocks, func, blockSize, dynamicSMemSize);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                      const void *func,
                                                      int numBlocks,
                                                      int blockSize) {
  const KernelSite *site = kernel_at(func);
  if (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0)
    return result(cudaErrorInvalidValue);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  const size_t statics = kernel_state(*site).static_bytes;
  const size_t share =
      (228 * 1024 / static_cast<size_t>(numBlocks) - 1024) / 128 * 128;
  const size_t most = std::min(share, largest_shared);
  *dynamicSmemSize = most > statics ? most - statics : 0;
  return result(cudaSuccess);
}

/// Clusters of a size that fit on the device: those of one lie in one GPC, and
/// of an H200's GPCs two have 18 multiprocessors and six have 16.
static int active_clusters(unsigned blocks, unsigned size) {
  constexpr unsigned gpcs[][2] = {{2, 18}, {6, 16}}; // how many, of what size
  unsigned clusters = 0;
  for (const auto &gpc : gpcs)
    clusters += gpc[0] * (gpc[1] * blocks / size);
  const unsigned room = run_options().multiprocessors * blocks / size;
  return static_cast<int>(std::min(clusters, room));
}

cudaError_t
cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                               const cudaLaunchConfig_t *launchConfig) {
  if (!numClusters || !launchConfig)
    return result(cudaErrorInvalidValue);
  const KernelSite *site = kernel_at(func);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  LaunchConfig config;
  if (const int error = read_config(*launchConfig, *site, config))
    return result(error);
  const unsigned size = config.cluster.x * config.cluster.y * config.cluster.z;
  KernelState &kernel = kernel_state(*site);
  if (!size || size > (kernel.non_portable_cluster ? 16u : 8u))
    return result(cudaErrorInvalidClusterSize);
  const unsigned blocks = blocks_per_multiprocessor(
      kernel, config.block.x * config.block.y * config.block.z,
      config.shared_bytes);
  *numClusters = active_clusters(blocks, size);
  return result(cudaSuccess);
}

cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                     const cudaLaunchConfig_t *launchConfig) {
  if (!clusterSize || !launchConfig)
    return result(cudaErrorInvalidValue);
  const KernelSite *site = kernel_at(func);
  if (!site)
    return result(cudaErrorInvalidDeviceFunction);
  LaunchConfig config;
  if (const int error = read_config(*launchConfig, *site, config))
    return result(error);
  KernelState &kernel = kernel_state(*site);
  const unsigned blocks = blocks_per_multiprocessor(
      kernel, config.block.x * config.block.y * config.block.z,
      config.shared_bytes);
  *clusterSize = !blocks ? 0 : kernel.non_portable_cluster ? 16 : 8;
  return result(cudaSuccess);
}

} // extern "C"
