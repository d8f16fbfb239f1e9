//===- RuntimeApiDevice.cpp - Errors and devices of the CUDA runtime ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One device: an H200 SXM with CUDA 13.0. What it says of itself is from its
// cudaDeviceProp, and from the CUDA C++ Programming Guide for capability 9.0.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RuntimeApi.h"

#include <cuda.h>
#include <stdio.h>
#include <string.h>

using namespace warpwright::sim;

static constexpr int cuda_version = 13000;
static constexpr int clock_khz = 1980000;
static constexpr int memory_clock_khz = 3201000;
static constexpr int l2_bytes = 60 << 20;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
struct ErrorText {
  cudaError_t error;
  const char *name, *text;
};
#define ENTRY(error, text) {error, #error, text}
const ErrorText error_texts[] = {
    ENTRY(cudaSuccess, "no error"),
    ENTRY(cudaErrorInvalidValue, "invalid argument"),
    ENTRY(cudaErrorMemoryAllocation, "out of memory"),
    ENTRY(cudaErrorInitializationError, "initialization error"),
    ENTRY(cudaErrorCudartUnloading, "driver shutting down"),
    ENTRY(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ENTRY(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ENTRY(cudaErrorInvalidSymbol, "invalid device symbol"),
    ENTRY(cudaErrorInvalidHostPointer, "invalid host pointer"),
    ENTRY(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    ENTRY(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ENTRY(cudaErrorInsufficientDriver,
          "CUDA driver version is insufficient for CUDA runtime version"),
    ENTRY(cudaErrorMissingConfiguration,
          "__global__ function call is not configured"),
    ENTRY(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ENTRY(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ENTRY(cudaErrorInvalidDevice, "invalid device ordinal"),
    ENTRY(cudaErrorDeviceUninitialized, "invalid device context"),
    ENTRY(cudaErrorNoKernelImageForDevice,
          "no kernel image is available for execution on the device"),
    ENTRY(cudaErrorUnsupportedLimit, "limit is not supported on this "
                                     "architecture"),
    ENTRY(cudaErrorPeerAccessUnsupported,
          "peer access is not supported between these two devices"),
    ENTRY(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ENTRY(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ENTRY(cudaErrorIllegalState,
          "the operation cannot be performed in the present state"),
    ENTRY(cudaErrorSymbolNotFound, "named symbol not found"),
    ENTRY(cudaErrorNotReady, "device not ready"),
    ENTRY(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ENTRY(cudaErrorLaunchOutOfResources,
          "too many resources requested for launch"),
    ENTRY(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ENTRY(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ENTRY(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ENTRY(cudaErrorAssert, "device-side assert triggered"),
    ENTRY(cudaErrorHostMemoryAlreadyRegistered,
          "part or all of the requested memory range is already mapped"),
    ENTRY(cudaErrorHostMemoryNotRegistered,
          "pointer does not correspond to a registered memory region"),
    ENTRY(cudaErrorHardwareStackError, "hardware stack error"),
    ENTRY(cudaErrorIllegalInstruction,
          "an illegal instruction was encountered"),
    ENTRY(cudaErrorMisalignedAddress, "misaligned address"),
    ENTRY(cudaErrorInvalidAddressSpace,
          "operation not supported on global/shared address space"),
    ENTRY(cudaErrorInvalidPc, "invalid program counter"),
    ENTRY(cudaErrorLaunchFailure, "unspecified launch failure"),
    ENTRY(cudaErrorCooperativeLaunchTooLarge,
          "too many blocks in cooperative launch"),
    ENTRY(cudaErrorNotPermitted, "operation not permitted"),
    ENTRY(cudaErrorNotSupported, "operation not supported"),
    ENTRY(cudaErrorStreamCaptureUnsupported,
          "operation not permitted when stream is capturing"),
    ENTRY(cudaErrorStreamCaptureInvalidated,
          "operation failed due to a previous error during capture"),
    ENTRY(cudaErrorStreamCaptureMerge,
          "operation would result in a merge of separate capture sequences"),
    ENTRY(cudaErrorStreamCaptureUnmatched,
          "capture was not ended in the same stream as it began"),
    ENTRY(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    ENTRY(cudaErrorStreamCaptureIsolation,
          "dependency created on uncaptured work in another stream"),
    ENTRY(cudaErrorStreamCaptureImplicit,
          "operation would make the legacy stream depend on a capturing "
          "blocking stream"),
    ENTRY(cudaErrorCapturedEvent,
          "operation not permitted on an event last recorded in a capturing "
          "stream"),
    ENTRY(cudaErrorStreamCaptureWrongThread,
          "attempt to terminate a thread-local capture sequence from another "
          "thread"),
    ENTRY(cudaErrorGraphExecUpdateFailure,
          "the graph update was not performed because it included changes "
          "which violated constraints specific to instantiated graph update"),
    ENTRY(cudaErrorInvalidClusterSize, "Cluster size is invalid"),
    ENTRY(cudaErrorUnknown, "unknown error"),
};
#undef ENTRY

const ErrorText *find_text(cudaError_t error) {
  for (const ErrorText &entry : error_texts)
    if (entry.error == error)
      return &entry;
  return nullptr;
}
} // namespace

extern "C" {

cudaError_t cudaGetLastError(void) {
  return static_cast<cudaError_t>(take_last_error());
}
cudaError_t cudaPeekAtLastError(void) {
  return static_cast<cudaError_t>(peek_last_error());
}
const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *entry = find_text(error);
  return entry ? entry->name : "unrecognized error code";
}
const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *entry = find_text(error);
  return entry ? entry->text : "unrecognized error code";
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

cudaError_t cudaDriverGetVersion(int *driverVersion) {
  if (!driverVersion)
    return result(cudaErrorInvalidValue);
  *driverVersion = cuda_version;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) {
  return cudaDriverGetVersion(runtimeVersion);
}
cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return result(cudaErrorInvalidValue);
  *count = 1;
  return result(cudaSuccess);
}
cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return result(cudaErrorInvalidValue);
  *device = 0;
  return result(cudaSuccess);
}
cudaError_t cudaSetDevice(int device) {
  return result(device ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *prop) {
  return prop ? cudaGetDevice(device) : result(cudaErrorInvalidValue);
}

static unsigned device_flags;
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  device_flags = flags;
  return result(flags & ~unsigned(cudaDeviceMask) ? cudaErrorInvalidValue
                                                  : cudaSuccess);
}
cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  if (!flags)
    return result(cudaErrorInvalidValue);
  *flags = device_flags;
  return result(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  if (!prop)
    return result(cudaErrorInvalidValue);
  if (device)
    return result(cudaErrorInvalidDevice);
  memset(prop, 0, sizeof(*prop));
  snprintf(prop->name, sizeof(prop->name), "NVIDIA H200");
  memcpy(prop->uuid.bytes, "warpwright-sim", 15);
  const auto set3 = [](int (&to)[3], int x, int y, int z) {
    to[0] = x;
    to[1] = y;
    to[2] = z;
  };
  const auto set2 = [](int (&to)[2], int x, int y) {
    to[0] = x;
    to[1] = y;
  };
  prop->totalGlobalMem = device_memory_bytes;
  prop->sharedMemPerBlock = 48 * 1024;
  prop->regsPerBlock = 65536;
  prop->warpSize = 32;
  prop->memPitch = 2147483647;
  prop->maxThreadsPerBlock = 1024;
  set3(prop->maxThreadsDim, 1024, 1024, 64);
  set3(prop->maxGridSize, 2147483647, 65535, 65535);
  prop->totalConstMem = 65536;
  prop->major = 9;
  prop->minor = 0;
  prop->textureAlignment = 512;
  prop->texturePitchAlignment = 32;
  prop->multiProcessorCount = static_cast<int>(run_options().multiprocessors);
  prop->canMapHostMemory = 1;
  prop->maxTexture1D = 131072;
  prop->maxTexture1DMipmap = 32768;
  set2(prop->maxTexture2D, 131072, 65536);
  set2(prop->maxTexture2DMipmap, 32768, 32768);
  set3(prop->maxTexture2DLinear, 131072, 65000, 2097120);
  set2(prop->maxTexture2DGather, 32768, 32768);
  set3(prop->maxTexture3D, 16384, 16384, 16384);
  set3(prop->maxTexture3DAlt, 8192, 8192, 32768);
  prop->maxTextureCubemap = 32768;
  set2(prop->maxTexture1DLayered, 32768, 2048);
  set3(prop->maxTexture2DLayered, 32768, 32768, 2048);
  set2(prop->maxTextureCubemapLayered, 32768, 2046);
  prop->maxSurface1D = 32768;
  set2(prop->maxSurface2D, 131072, 65536);
  set3(prop->maxSurface3D, 16384, 16384, 16384);
  set2(prop->maxSurface1DLayered, 32768, 2048);
  set3(prop->maxSurface2DLayered, 32768, 32768, 2048);
  prop->maxSurfaceCubemap = 32768;
  set2(prop->maxSurfaceCubemapLayered, 32768, 2046);
  prop->surfaceAlignment = 512;
  prop->concurrentKernels = 1;
  prop->ECCEnabled = 1;
  prop->asyncEngineCount = 3;
  prop->unifiedAddressing = 1;
  prop->memoryBusWidth = 6144;
  prop->l2CacheSize = l2_bytes;
  prop->persistingL2CacheMaxSize = l2_bytes * 5 / 8;
  prop->maxThreadsPerMultiProcessor = 2048;
  prop->streamPrioritiesSupported = 1;
  prop->globalL1CacheSupported = 1;
  prop->localL1CacheSupported = 1;
  prop->sharedMemPerMultiprocessor = 228 * 1024;
  prop->regsPerMultiprocessor = 65536;
  prop->managedMemory = 1;
  prop->concurrentManagedAccess = 1;
  prop->computePreemptionSupported = 1;
  prop->canUseHostPointerForRegisteredMem = 1;
  prop->cooperativeLaunch = 1;
  prop->sharedMemPerBlockOptin = 227 * 1024;
  prop->maxBlocksPerMultiProcessor = 32;
  prop->accessPolicyMaxWindowSize = 128 << 20;
  prop->reservedSharedMemPerBlock = 1024;
  prop->hostRegisterSupported = 1;
  prop->memoryPoolsSupported = 1;
  prop->clusterLaunch = 1;
  prop->unifiedFunctionPointers = 1;
  return result(cudaSuccess);
}

static int device_attribute(cudaDeviceAttr attribute, int *value) {
  const auto is = [value](int n) {
    *value = n;
    return static_cast<int>(cudaSuccess);
  };
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return is(1024);
  case cudaDevAttrMaxBlockDimZ:
    return is(64);
  case cudaDevAttrMaxGridDimX:
    return is(2147483647);
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return is(65535);
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return is(48 * 1024);
  case cudaDevAttrTotalConstantMemory:
    return is(65536);
  case cudaDevAttrWarpSize:
    return is(32);
  case cudaDevAttrMaxPitch:
    return is(2147483647);
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return is(65536);
  case cudaDevAttrClockRate:
    return is(clock_khz);
  case cudaDevAttrTextureAlignment:
  case cudaDevAttrSurfaceAlignment:
    return is(512);
  case cudaDevAttrTexturePitchAlignment:
    return is(32);
  case cudaDevAttrMultiProcessorCount:
    return is(static_cast<int>(run_options().multiprocessors));
  case cudaDevAttrMemoryClockRate:
    return is(memory_clock_khz);
  case cudaDevAttrGlobalMemoryBusWidth:
    return is(6144);
  case cudaDevAttrL2CacheSize:
    return is(l2_bytes);
  case cudaDevAttrMaxPersistingL2CacheSize:
    return is(l2_bytes * 5 / 8);
  case cudaDevAttrMaxAccessPolicyWindowSize:
    return is(128 << 20);
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return is(2048);
  case cudaDevAttrAsyncEngineCount:
    return is(3);
  case cudaDevAttrComputeCapabilityMajor:
    return is(9);
  case cudaDevAttrComputeCapabilityMinor:
    return is(0);
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return is(228 * 1024);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return is(227 * 1024);
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return is(1024);
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return is(32);
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return is(2);
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrEccEnabled:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrCanFlushRemoteWrites:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrMemoryPoolsSupported:
  case cudaDevAttrClusterLaunch:
    return is(1);
  default:
    if (attribute < 1 || attribute >= cudaDevAttrMax)
      return cudaErrorInvalidValue;
    return is(0);
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr,
                                   int device) {
  if (!value)
    return result(cudaErrorInvalidValue);
  if (device)
    return result(cudaErrorInvalidDevice);
  return result(device_attribute(attr, value));
}
cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int) {
  return result(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device,
                                    int peerDevice) {
  if (!canAccessPeer || device || peerDevice)
    return result(cudaErrorInvalidDevice);
  *canAccessPeer = 0;
  return result(cudaSuccess);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return result(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return result(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  if (!pciBusId || len < 13 || device)
    return result(cudaErrorInvalidValue);
  snprintf(pciBusId, static_cast<size_t>(len), "0000:00:00.0");
  return result(cudaSuccess);
}

static size_t limits[7] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
    return result(cudaErrorUnsupportedLimit);
  limits[limit] = value;
  return result(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(size_t *pValue, cudaLimit limit) {
  if (!pValue)
    return result(cudaErrorInvalidValue);
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
    return result(cudaErrorUnsupportedLimit);
  *pValue = limits[limit];
  return result(cudaSuccess);
}
static cudaFuncCache cache_config = cudaFuncCachePreferNone;
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *pCacheConfig) {
  if (!pCacheConfig)
    return result(cudaErrorInvalidValue);
  *pCacheConfig = cache_config;
  return result(cudaSuccess);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  cache_config = cacheConfig;
  return result(cudaSuccess);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *pConfig) {
  if (!pConfig)
    return result(cudaErrorInvalidValue);
  *pConfig = cudaSharedMemBankSizeFourByte;
  return result(cudaSuccess);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return result(cudaSuccess);
}
cudaError_t cudaCtxResetPersistingL2Cache(void) { return result(cudaSuccess); }

cudaError_t cudaDeviceSynchronize(void) {
  if (const int error = forbid_during_any_capture())
    return result(error);
  return result(notice_sticky_error());
}
cudaError_t cudaDeviceReset(void) {
  deallocate_all();
  clear_errors();
  reset_kernels();
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long,
                        cudaDriverEntryPointQueryResult *driverStatus) {
  if (!symbol || !funcPtr)
    return result(cudaErrorInvalidValue);
  *funcPtr = nullptr;
  if (!strcmp(symbol, "cuTensorMapEncodeTiled"))
    *funcPtr = reinterpret_cast<void *>(&cuTensorMapEncodeTiled);
  if (driverStatus)
    *driverStatus = *funcPtr ? cudaDriverEntryPointSuccess
                             : cudaDriverEntryPointSymbolNotFound;
  return result(*funcPtr || driverStatus ? cudaSuccess
                                         : cudaErrorSymbolNotFound);
}
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *symbol, void **funcPtr, unsigned int cudaVersion,
    unsigned long long flags, cudaDriverEntryPointQueryResult *driverStatus) {
  constexpr unsigned first_with_tensor_maps = 12000;
  if (cudaVersion < first_with_tensor_maps ||
      cudaVersion > static_cast<unsigned>(cuda_version)) {
    if (funcPtr)
      *funcPtr = nullptr;
    if (driverStatus)
      *driverStatus = cudaDriverEntryPointVersionNotSufficent;
    return result(cudaSuccess);
  }
  return cudaGetDriverEntryPoint(symbol, funcPtr, flags, driverStatus);
}

} // extern "C"
