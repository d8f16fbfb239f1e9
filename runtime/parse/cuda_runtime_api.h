//===- cuda_runtime_api.h - Functions to be parsed --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of the CUDA runtime that programs with matrix kernels call.
/// See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_RUNTIME_API_H
#define WARPWRIGHT_PARSE_CUDA_RUNTIME_API_H

#include "cuda_runtime.h"

extern "C" {
// Errors.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorName(cudaError_t Error);
const char *cudaGetErrorString(cudaError_t Error);

// Devices.
cudaError_t cudaGetDeviceCount(int *Count);
cudaError_t cudaGetDevice(int *Device);
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Properties, int Device);
cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute,
                                   int Device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(cudaLimit Limit, size_t Value);
cudaError_t cudaDriverGetVersion(int *Version);
cudaError_t cudaRuntimeGetVersion(int *Version);

// Memory.
cudaError_t cudaMalloc(void **Pointer, size_t Bytes);
cudaError_t cudaMallocHost(void **Pointer, size_t Bytes);
cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes,
                              unsigned Flags = cudaMemAttachGlobal);
cudaError_t cudaMallocAsync(void **Pointer, size_t Bytes, cudaStream_t Stream);
cudaError_t cudaMallocPitch(void **Pointer, size_t *Pitch, size_t WidthBytes,
                            size_t Height);
cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned Flags);
cudaError_t cudaFree(void *Pointer);
cudaError_t cudaFreeHost(void *Pointer);
cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t Stream);
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total);
cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind);
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t Stream = nullptr);
cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                         size_t FromPitch, size_t WidthBytes, size_t Height,
                         cudaMemcpyKind Kind);
cudaError_t cudaMemset(void *Pointer, int Byte, size_t Bytes);
cudaError_t cudaMemsetAsync(void *Pointer, int Byte, size_t Bytes,
                            cudaStream_t Stream = nullptr);
cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Bytes, size_t Offset = 0,
                               cudaMemcpyKind Kind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset = 0,
                                 cudaMemcpyKind Kind = cudaMemcpyDeviceToHost);
cudaError_t cudaGetSymbolAddress(void **Pointer, const void *Symbol);

// Memory in the order of a stream.
cudaError_t cudaMemPoolCreate(cudaMemPool_t *Pool,
                              const cudaMemPoolProps *Properties);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t Pool, cudaMemPoolAttr Which,
                                    void *Value);
cudaError_t cudaMallocFromPoolAsync(void **Pointer, size_t Bytes,
                                    cudaMemPool_t Pool, cudaStream_t Stream);

// Streams, events and graphs.
cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags);
cudaError_t cudaStreamDestroy(cudaStream_t Stream);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaStreamQuery(cudaStream_t Stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned Flags = 0);
cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  cudaStreamCaptureStatus *Status);
cudaError_t cudaStreamBeginCapture(cudaStream_t Stream,
                                   cudaStreamCaptureMode Mode);
cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *Graph);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *Mode);
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags);
cudaError_t cudaEventDestroy(cudaEvent_t Event);
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaEventQuery(cudaEvent_t Event);
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Exec, cudaGraph_t Graph,
                                 unsigned long long Flags = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream);
cudaError_t cudaGraphDestroy(cudaGraph_t Graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec);

// Kernels.
cudaError_t cudaLaunchKernel(const void *Kernel, dim3 Grid, dim3 Block,
                             void **Arguments, size_t SharedBytes,
                             cudaStream_t Stream);
cudaError_t cudaLaunchCooperativeKernel(const void *Kernel, dim3 Grid,
                                        dim3 Block, void **Arguments,
                                        size_t SharedBytes,
                                        cudaStream_t Stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Configuration,
                                const void *Kernel, void **Arguments);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                  const void *Kernel);
cudaError_t cudaFuncSetAttribute(const void *Kernel,
                                 cudaFuncAttribute Attribute, int Value);
cudaError_t cudaFuncSetCacheConfig(const void *Kernel, cudaFuncCache Config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *Kernel,
                                                          int Threads,
                                                          size_t SharedBytes);

// The driver.
cudaError_t
cudaGetDriverEntryPoint(const char *Symbol, void **Function,
                        unsigned long long Flags,
                        cudaDriverEntryPointQueryResult *Status = nullptr);
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *Symbol, void **Function, unsigned Version,
    unsigned long long Flags,
    cudaDriverEntryPointQueryResult *Status = nullptr);
}

// The typed forms that C++ programs use.
template <typename T> cudaError_t cudaMalloc(T **Pointer, size_t Bytes);
template <typename T> cudaError_t cudaMallocHost(T **Pointer, size_t Bytes);
template <typename T>
cudaError_t cudaMallocManaged(T **Pointer, size_t Bytes,
                              unsigned Flags = cudaMemAttachGlobal);
template <typename T>
cudaError_t cudaMallocAsync(T **Pointer, size_t Bytes, cudaStream_t Stream);
template <typename T>
cudaError_t cudaHostAlloc(T **Pointer, size_t Bytes, unsigned Flags);
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &Symbol, const void *From, size_t Bytes,
                               size_t Offset = 0,
                               cudaMemcpyKind Kind = cudaMemcpyHostToDevice);
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *To, const T &Symbol, size_t Bytes,
                                 size_t Offset = 0,
                                 cudaMemcpyKind Kind = cudaMemcpyDeviceToHost);
template <typename T>
cudaError_t cudaGetSymbolAddress(void **Pointer, const T &Symbol);
template <typename T>
cudaError_t cudaLaunchKernel(T *Kernel, dim3 Grid, dim3 Block, void **Arguments,
                             size_t SharedBytes = 0,
                             cudaStream_t Stream = nullptr);
template <typename... Expected, typename... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *Configuration,
                               void (*Kernel)(Expected...),
                               Actual &&...Arguments);
template <typename T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes, T *Kernel);
template <typename T>
cudaError_t cudaFuncSetAttribute(T *Kernel, cudaFuncAttribute Attribute,
                                 int Value);
template <typename T>
cudaError_t cudaFuncSetCacheConfig(T *Kernel, cudaFuncCache Config);
template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, T Kernel,
                                                          int Threads,
                                                          size_t SharedBytes);

#endif // WARPWRIGHT_PARSE_CUDA_RUNTIME_API_H
