//===- RuntimeApiMemory.cpp - Memory of the CUDA runtime API --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeApi.h"

#include <map>
#include <string.h>

using namespace warpwright::sim;
using NodeType = CUgraphNode_st::Type;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static int allocate_to(void **pointer, Space space, size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  if (const int error = notice_sticky_error())
    return error;
  if (const int error = forbid_during_capture())
    return error;
  *pointer = nullptr;
  if (!bytes)
    return cudaSuccess;
  *pointer = allocate(space, bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

static int free_memory(void *pointer, bool of_host) {
  if (const int error = notice_sticky_error())
    return error;
  if (const int error = forbid_during_capture())
    return error;
  if (!pointer)
    return cudaSuccess;
  Allocation allocation;
  if (!find_allocation(pointer, allocation) || allocation.begin != pointer ||
      (allocation.space == Space::pinned) != of_host)
    return cudaErrorInvalidValue;
  deallocate(pointer);
  return cudaSuccess;
}

static constexpr size_t pitch_alignment = 512;

extern "C" {

cudaError_t cudaMalloc(void **devPtr, size_t size) {
  return result(allocate_to(devPtr, Space::device, size));
}
cudaError_t cudaMallocHost(void **ptr, size_t size) {
  return result(allocate_to(ptr, Space::pinned, size));
}
cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags) {
  return result(flags > 7 ? cudaErrorInvalidValue
                          : allocate_to(pHost, Space::pinned, size));
}
cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags) {
  if (!size || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return result(cudaErrorInvalidValue);
  return result(allocate_to(devPtr, Space::managed, size));
}
cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width,
                            size_t height) {
  if (!pitch)
    return result(cudaErrorInvalidValue);
  *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  return result(allocate_to(devPtr, Space::device, *pitch * height));
}
cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent) {
  if (!pitched)
    return result(cudaErrorInvalidValue);
  pitched->pitch =
      (extent.width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return result(allocate_to(&pitched->ptr, Space::device,
                            pitched->pitch * extent.height * extent.depth));
}
cudaError_t cudaFree(void *devPtr) {
  return result(free_memory(devPtr, false));
}
cudaError_t cudaFreeHost(void *ptr) { return result(free_memory(ptr, true)); }

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream) {
  CUstream_st *stream = find_stream(hStream);
  if (!devPtr || !size)
    return result(cudaErrorInvalidValue);
  if (!stream)
    return result(cudaErrorInvalidResourceHandle);
  *devPtr = allocate(Space::device, size);
  if (!*devPtr)
    return result(cudaErrorMemoryAllocation);
  // In a graph the address is fixed now; it stays the graph's for good.
  return result(submit_act(hStream, NodeType::allocate, nullptr));
}
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t,
                                    cudaStream_t stream) {
  return cudaMallocAsync(ptr, size, stream);
}
cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream) {
  CUstream_st *stream = find_stream(hStream);
  if (!stream)
    return result(cudaErrorInvalidResourceHandle);
  if (!devPtr)
    return result(cudaSuccess);
  Allocation allocation;
  if (!find_allocation(devPtr, allocation) || allocation.begin != devPtr)
    return result(cudaErrorInvalidValue);
  if (stream->capture)
    return result(submit_act(hStream, NodeType::free, nullptr));
  return result(submit_act(hStream, NodeType::free, [devPtr] {
    return deallocate(devPtr) ? cudaSuccess : cudaErrorInvalidValue;
  }));
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int) {
  if (!ptr || !size)
    return result(cudaErrorInvalidValue);
  if (is_registered(ptr, 1))
    return result(cudaErrorHostMemoryAlreadyRegistered);
  register_host(ptr, size);
  return result(cudaSuccess);
}
cudaError_t cudaHostUnregister(void *ptr) {
  return result(unregister_host(ptr) ? cudaSuccess
                                     : cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost,
                                     unsigned int flags) {
  if (!pDevice || flags)
    return result(cudaErrorInvalidValue);
  const Space space = space_of(pHost);
  if (space != Space::pinned && space != Space::registered)
    return result(cudaErrorInvalidValue);
  *pDevice = pHost;
  return result(cudaSuccess);
}
cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost) {
  if (!pFlags || space_of(pHost) != Space::pinned)
    return result(cudaErrorInvalidValue);
  *pFlags = cudaHostAllocMapped;
  return result(cudaSuccess);
}
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  if (!free || !total)
    return result(cudaErrorInvalidValue);
  *total = device_memory_bytes;
  *free = device_memory_bytes - context_bytes - device_bytes_in_use();
  return result(notice_sticky_error());
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *ptr) {
  if (!attributes || !ptr)
    return result(cudaErrorInvalidValue);
  memset(attributes, 0, sizeof(*attributes));
  void *pointer = const_cast<void *>(ptr);
  Allocation allocation;
  const Space space = space_of(ptr);
  const bool ours = space == Space::device || space == Space::managed ||
                    space == Space::pinned;
  attributes->type = cudaMemoryTypeUnregistered;
  attributes->device = -2; // cudaInvalidDeviceId
  if (ours && !find_allocation(ptr, allocation))
    return result(cudaSuccess);
  switch (space) {
  case Space::device:
    attributes->type = cudaMemoryTypeDevice;
    attributes->devicePointer = pointer;
    break;
  case Space::managed:
    attributes->type = cudaMemoryTypeManaged;
    attributes->devicePointer = attributes->hostPointer = pointer;
    break;
  case Space::pinned:
  case Space::registered:
    attributes->type = cudaMemoryTypeHost;
    attributes->devicePointer = attributes->hostPointer = pointer;
    break;
  case Space::program:
  case Space::other:
    attributes->hostPointer = pointer;
    return result(cudaSuccess);
  }
  attributes->device = 0;
  return result(cudaSuccess);
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t, cudaMemLocation,
                                 unsigned int, cudaStream_t stream) {
  if (space_of(devPtr) != Space::managed)
    return result(cudaErrorInvalidValue);
  return result(submit_act(stream, NodeType::empty, nullptr));
}
cudaError_t cudaMemAdvise(const void *devPtr, size_t, cudaMemoryAdvise,
                          cudaMemLocation) {
  return result(space_of(devPtr) == Space::managed ? cudaSuccess
                                                   : cudaErrorInvalidValue);
}

//===----------------------------------------------------------------------===//
// Pools: one, which gives everything back at once
//===----------------------------------------------------------------------===//

static cudaMemPool_t the_pool() {
  static char pool;
  return reinterpret_cast<cudaMemPool_t>(&pool);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device) {
  if (!memPool || device)
    return result(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  *memPool = the_pool();
  return result(cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device) {
  return cudaDeviceGetDefaultMemPool(memPool, device);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t) {
  return result(device ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool,
                              const cudaMemPoolProps *poolProps) {
  if (!memPool || !poolProps)
    return result(cudaErrorInvalidValue);
  *memPool = the_pool();
  return result(cudaSuccess);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return result(cudaSuccess); }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
  return result(cudaSuccess);
}
static uint64_t pool_attributes[16];
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr attr,
                                    void *value) {
  if (!value || attr < 1 || attr > cudaMemPoolAttrUsedMemHigh)
    return result(cudaErrorInvalidValue);
  if (attr <= cudaMemPoolReuseAllowInternalDependencies)
    pool_attributes[attr] = static_cast<uint64_t>(*static_cast<int *>(value));
  else
    pool_attributes[attr] = *static_cast<uint64_t *>(value);
  return result(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr attr,
                                    void *value) {
  if (!value || attr < 1 || attr > cudaMemPoolAttrUsedMemHigh)
    return result(cudaErrorInvalidValue);
  if (attr <= cudaMemPoolReuseAllowInternalDependencies)
    *static_cast<int *>(value) = static_cast<int>(pool_attributes[attr]);
  else
    *static_cast<uint64_t *>(value) = pool_attributes[attr];
  return result(cudaSuccess);
}

} // extern "C"

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

int warpwright::sim::check_device_range(const void *pointer, size_t bytes,
                                        bool is_store, const char *what) {
  const Space space = space_of(pointer);
  if (space == Space::program || space == Space::registered)
    return cudaSuccess;
  Allocation allocation;
  if (space == Space::other || !find_allocation(pointer, allocation))
    return cudaErrorInvalidValue;
  const size_t left = static_cast<size_t>(allocation.begin + allocation.bytes -
                                          static_cast<const char *>(pointer));
  if (bytes <= left)
    return cudaSuccess;
  // On the device this may go unnoticed and overwrite what lies behind.
  report_global_access(static_cast<const char *>(pointer) + left, bytes - left,
                       is_store, what);
  return cudaErrorInvalidValue;
}

static bool is_for_device(cudaMemcpyKind kind, bool destination) {
  return kind == cudaMemcpyDeviceToDevice ||
         kind ==
             (destination ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

/// One end of a copy.
static int check_end(const void *pointer, size_t bytes, cudaMemcpyKind kind,
                     bool destination) {
  if (!pointer)
    return cudaErrorInvalidValue;
  const Space space = space_of(pointer);
  if (kind != cudaMemcpyDefault) {
    if (is_for_device(kind, destination) && space == Space::other)
      return cudaErrorInvalidValue;
    if (!is_for_device(kind, destination) && space == Space::device)
      return cudaErrorInvalidValue;
  }
  return space == Space::other
             ? static_cast<int>(cudaSuccess)
             : check_device_range(pointer, bytes, destination,
                                  destination ? "a copy to memory"
                                              : "a copy of memory");
}

int warpwright::sim::copy_rows(void *to, size_t to_pitch, const void *from,
                               size_t from_pitch, size_t width, size_t height,
                               cudaMemcpyKind kind) {
  if (!width || !height)
    return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (height > 1 && (to_pitch < width || from_pitch < width))
    return cudaErrorInvalidPitchValue;
  if (const int error =
          check_end(to, (height - 1) * to_pitch + width, kind, true))
    return error;
  if (const int error =
          check_end(from, (height - 1) * from_pitch + width, kind, false))
    return error;
  const DeviceAccess access;
  for (size_t row = 0; row != height; ++row)
    memmove(static_cast<char *>(to) + row * to_pitch,
            static_cast<const char *>(from) + row * from_pitch, width);
  return cudaSuccess;
}

/// A copy that the host waits for. Pageable memory under capture, or the legacy
/// stream beside one, cannot be waited for.
static cudaError_t copy_now(void *to, size_t to_pitch, const void *from,
                            size_t from_pitch, size_t width, size_t height,
                            cudaMemcpyKind kind) {
  if (const int error = notice_sticky_error())
    return result(error);
  if (const int error = forbid_implicit_dependency(*find_stream(nullptr)))
    return result(error);
  if (const int error = forbid_during_capture())
    return result(error);
  return result(copy_rows(to, to_pitch, from, from_pitch, width, height, kind));
}

static cudaError_t copy_later(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return result(submit_act(stream, NodeType::copy, [=] {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind);
  }));
}

/// A box in pitched memory: as many 2-D copies as it is deep.
static int copy_box(const cudaMemcpy3DParms &p) {
  if (p.srcArray || p.dstArray)
    return cudaErrorNotSupported;
  for (size_t z = 0; z != p.extent.depth; ++z) {
    const auto place = [z](const cudaPitchedPtr &memory, const cudaPos &pos) {
      return static_cast<char *>(memory.ptr) +
             ((pos.z + z) * memory.ysize + pos.y) * memory.pitch + pos.x;
    };
    if (const int error = copy_rows(place(p.dstPtr, p.dstPos), p.dstPtr.pitch,
                                    place(p.srcPtr, p.srcPos), p.srcPtr.pitch,
                                    p.extent.width, p.extent.height, p.kind))
      return error;
  }
  return cudaSuccess;
}

int warpwright::sim::set_rows(void *pointer, size_t pitch, unsigned value,
                              unsigned element, size_t count, size_t height) {
  const size_t width = count * element;
  if (!width || !height)
    return cudaSuccess;
  if (height > 1 && pitch < width)
    return cudaErrorInvalidValue;
  if (const int error = check_device_range(
          pointer, (height - 1) * pitch + width, true, "a memset"))
    return error;
  const DeviceAccess access;
  for (size_t row = 0; row != height; ++row) {
    char *to = static_cast<char *>(pointer) + row * pitch;
    if (element == 1)
      memset(to, static_cast<int>(value), width);
    else
      for (size_t i = 0; i != count; ++i)
        memcpy(to + i * element, &value, element);
  }
  return cudaSuccess;
}

static cudaError_t set_now(void *pointer, size_t pitch, int value, size_t width,
                           size_t height) {
  if (const int error = notice_sticky_error())
    return result(error);
  if (const int error = forbid_implicit_dependency(*find_stream(nullptr)))
    return result(error);
  return result(
      set_rows(pointer, pitch, static_cast<unsigned>(value), 1, width, height));
}

static cudaError_t set_later(void *pointer, size_t pitch, int value,
                             size_t width, size_t height, cudaStream_t stream) {
  return result(submit_act(stream, NodeType::set, [=] {
    return set_rows(pointer, pitch, static_cast<unsigned>(value), 1, width,
                    height);
  }));
}

static int check_symbol(const void *symbol) {
  return symbol && is_program_data(symbol) ? cudaSuccess
                                           : cudaErrorInvalidSymbol;
}

extern "C" {

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       cudaMemcpyKind kind) {
  return copy_now(dst, count, src, count, count, 1, kind);
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_later(dst, count, src, count, count, 1, kind, stream);
}
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t count) {
  if (dstDevice || srcDevice)
    return result(cudaErrorInvalidDevice);
  return copy_now(dst, count, src, count, count, 1, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t count,
                                cudaStream_t stream) {
  if (dstDevice || srcDevice)
    return result(cudaErrorInvalidDevice);
  return copy_later(dst, count, src, count, count, 1, cudaMemcpyDeviceToDevice,
                    stream);
}
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_now(dst, dpitch, src, spitch, width, height, kind);
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_later(dst, dpitch, src, spitch, width, height, kind, stream);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) {
  if (!p)
    return result(cudaErrorInvalidValue);
  if (const int error = notice_sticky_error())
    return result(error);
  if (const int error = forbid_during_capture())
    return result(error);
  return result(copy_box(*p));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  if (!p)
    return result(cudaErrorInvalidValue);
  return result(
      submit_act(stream, NodeType::copy, [box = *p] { return copy_box(box); }));
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src,
                               size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  if (const int error = check_symbol(symbol))
    return result(error);
  void *to = static_cast<char *>(const_cast<void *>(symbol)) + offset;
  return copy_now(to, count, src, count, count, 1, kind);
}
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                 size_t offset, cudaMemcpyKind kind) {
  if (const int error = check_symbol(symbol))
    return result(error);
  return copy_now(dst, count, static_cast<const char *>(symbol) + offset, count,
                  count, 1, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                    size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  if (const int error = check_symbol(symbol))
    return result(error);
  void *to = static_cast<char *>(const_cast<void *>(symbol)) + offset;
  return copy_later(to, count, src, count, count, 1, kind, stream);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol,
                                      size_t count, size_t offset,
                                      cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  if (const int error = check_symbol(symbol))
    return result(error);
  return copy_later(dst, count, static_cast<const char *>(symbol) + offset,
                    count, count, 1, kind, stream);
}
cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol) {
  if (!devPtr)
    return result(cudaErrorInvalidValue);
  if (const int error = check_symbol(symbol))
    return result(error);
  *devPtr = const_cast<void *>(symbol);
  return result(cudaSuccess);
}
cudaError_t cudaGetSymbolSize(size_t *, const void *) {
  // The typed form in cuda_runtime.h knows; an address alone does not.
  return result(cudaErrorNotSupported);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
  return set_now(devPtr, count, value, count, 1);
}
cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream) {
  return set_later(devPtr, count, value, count, 1, stream);
}
cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width,
                         size_t height) {
  return set_now(devPtr, pitch, value, width, height);
}
cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream) {
  return set_later(devPtr, pitch, value, width, height, stream);
}
// Planes of a pitched box follow each other without a gap.
cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  for (size_t z = 0; z != extent.depth; ++z)
    if (const cudaError_t error =
            set_now(static_cast<char *>(pitched.ptr) +
                        z * pitched.ysize * pitched.pitch,
                    pitched.pitch, value, extent.width, extent.height))
      return error;
  return result(cudaSuccess);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value,
                              cudaExtent extent, cudaStream_t stream) {
  for (size_t z = 0; z != extent.depth; ++z)
    if (const cudaError_t error = set_later(
            static_cast<char *>(pitched.ptr) +
                z * pitched.ysize * pitched.pitch,
            pitched.pitch, value, extent.width, extent.height, stream))
      return error;
  return result(cudaSuccess);
}

} // extern "C"
