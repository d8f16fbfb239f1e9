//===- cuda_runtime.h - CUDA for a simulated program ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc includes this file before every source, and so does `warpwright sim`.
// The declarations are those of CUDA 13.0; device functions have bodies here,
// and functions of the runtime are in the simulator's library. Everything may
// be called from host and device code: there is one translation unit for both.
//
// The headers are read by Clang twice: as CUDA, where the pragmas make every
// function a host and device function, and as plain C++, which ignores them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUDA_RUNTIME_H
#define WARPWRIGHT_SIM_CUDA_RUNTIME_H

// What nvcc's header brings along. The C library's functions are for device
// code too; those of the standard C++ library are as far as they are constexpr,
// which Clang sees to, and must be declared as that library declares them
// again.
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

// With the overloads for float that C++ has.
#include <math.h>
#include <new>
#include <stdlib.h>
#include <type_traits>
#include <utility>

#include "host_defines.h"

#include "vector_types.h"

#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "driver_functions.h"
#include "vector_functions.h"

#include "device_atomic_functions.h"
#include "device_functions.h"
#include "math_functions.h"
#include "warpwright/sim/cluster.h"
#include "warpwright/sim/memory.h"
#include "warpwright/sim/warp.h"

// Clang itself declares operator new and delete for host and for device, but
// not these, which the standard library defines for the host. In plain C++ they
// are declared a second time here.
__device__ void *operator new(size_t, void *) noexcept;
__device__ void *operator new[](size_t, void *) noexcept;
__device__ void operator delete(void *, void *) noexcept;
__device__ void operator delete[](void *, void *) noexcept;

// Clang asks for one of the two when it parses a launch; neither is called.
extern "C" {
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t stream = nullptr);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     void *stream = nullptr);
}

namespace warpwright {
namespace sim {

// A braced list has no type of its own.
template <class Grid = dim3, class Block = dim3>
inline void configure(const Grid &grid, const Block &block, size_t smem,
                      void *stream) {
  const dim3 g = grid, b = block;
  configure_launch(Index3{g.x, g.y, g.z}, Index3{b.x, b.y, b.z}, smem, stream);
}

} // namespace sim
} // namespace warpwright

//===----------------------------------------------------------------------===//
// The runtime's typed functions for C++
//===----------------------------------------------------------------------===//

template <class T>
static inline cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return ::cudaMalloc(reinterpret_cast<void **>(devPtr), size);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size,
                                         unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void **>(ptr), size, flags);
}
static inline cudaError_t cudaMallocHost(void **ptr, size_t size,
                                         unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **ptr, size_t size,
                                        unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void **>(ptr), size, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost,
                                                   unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void **>(pDevice), pHost,
                                    flags);
}
template <class T>
static inline cudaError_t
cudaMallocManaged(T **devPtr, size_t size,
                  unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void **>(devPtr), size, flags);
}
template <class T>
static inline cudaError_t
cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                         unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void *>(devPtr), length,
                                    flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch,
                                          size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void **>(devPtr), pitch, width,
                           height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size,
                                          cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void **>(ptr), size, stream);
}
static inline cudaError_t cudaMallocAsync(void **ptr, size_t size,
                                          cudaMemPool_t memPool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size,
                                          cudaMemPool_t memPool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void **>(ptr), size,
                                   memPool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size,
                                                  cudaMemPool_t memPool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void **>(ptr), size,
                                   memPool, stream);
}

// A symbol may be volatile, hence the old casts.
template <class T>
static inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                   size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                        size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset,
                                   kind, stream);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                     size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset,
                                kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                          size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset,
                                     kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
  *size = sizeof(T);
  return cudaSuccess;
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event,
                                          unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec,
                                               cudaGraph_t graph,
                                               cudaGraphNode_t *pErrorNode,
                                               char *pLogBuffer,
                                               size_t bufferSize) {
  if (pErrorNode)
    *pErrorNode = nullptr;
  if (pLogBuffer && bufferSize)
    *pLogBuffer = 0;
  return ::cudaGraphInstantiate(pGraphExec, graph, 0ull);
}
static inline cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                    cudaGraphNode_t *hErrorNode_out,
                    enum cudaGraphExecUpdateResult *updateResult_out) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out)
    *hErrorNode_out = info.errorNode;
  if (updateResult_out)
    *updateResult_out = info.result;
  return error;
}

// Kernels. A pointer to one is its address, on the host as on the device.
template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim,
                                           void **args, size_t sharedMem = 0,
                                           cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void *>(func), gridDim,
                            blockDim, args, sharedMem, stream);
}
template <class T>
static inline cudaError_t
cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                            size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(func),
                                       gridDim, blockDim, args, sharedMem,
                                       stream);
}
template <class... ExpTypes, class... ActTypes>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(ExpTypes...),
                                             ActTypes &&...args) {
  // The arguments are converted to the parameters' types first.
  return [&](ExpTypes... converted) {
    const void *pointers[] = {&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void *>(kernel),
                                 const_cast<void **>(pointers));
  }(std::forward<ActTypes>(args)...);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func,
                                                 enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void *>(func), config);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
                                                T *entry) {
  return ::cudaFuncGetAttributes(attr, reinterpret_cast<const void *>(entry));
}
template <class T>
static inline cudaError_t
cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void *>(func), attr,
                                value);
}
template <class T>
static inline cudaError_t cudaFuncGetName(const char **name, T *func) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void *>(func));
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      numBlocks, reinterpret_cast<const void *>(func), blockSize,
      dynamicSMemSize);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func,
                                                       int blockSize,
                                                       size_t dynamicSMemSize,
                                                       unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, reinterpret_cast<const void *>(func), blockSize,
      dynamicSMemSize, flags);
}
template <class T>
static inline cudaError_t
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func,
                                          int numBlocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      dynamicSmemSize, reinterpret_cast<const void *>(func), numBlocks,
      blockSize);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
                                     const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(
      clusterSize, reinterpret_cast<const void *>(func), config);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveClusters(int *numClusters, T *func,
                               const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(
      numClusters, reinterpret_cast<const void *>(func), config);
}

/// The block size, a multiple of a warp, with the most resident threads.
template <class UnaryFunction, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T func,
    UnaryFunction blockSizeToDynamicSMemSize, int blockSizeLimit = 0) {
  if (!minGridSize || !blockSize || !func)
    return cudaErrorInvalidValue;
  int device = 0, multiprocessors = 0, most = 0, threads = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&multiprocessors,
                                     cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(
        &threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error == cudaSuccess)
    error = ::cudaFuncGetAttributes(&attributes,
                                    reinterpret_cast<const void *>(func));
  if (error != cudaSuccess)
    return error;
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  *blockSize = *minGridSize = 0;
  for (int size = (limit + 31) / 32 * 32; size > 0; size -= 32) {
    const int tried = size < limit ? size : limit;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, reinterpret_cast<const void *>(func), tried,
        static_cast<size_t>(blockSizeToDynamicSMemSize(tried)));
    if (error != cudaSuccess)
      return error;
    if (blocks * tried > most) {
      most = blocks * tried;
      *blockSize = tried;
      *minGridSize = blocks * multiprocessors;
    }
    if (most == threads)
      break;
  }
  return cudaSuccess;
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                   size_t dynamicSMemSize = 0,
                                   int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minGridSize, blockSize, func,
      [dynamicSMemSize](int) { return dynamicSMemSize; }, blockSizeLimit);
}

#endif // WARPWRIGHT_SIM_CUDA_RUNTIME_H
