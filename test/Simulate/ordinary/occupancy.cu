// Device properties, attributes and the occupancy functions.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cstring>

__global__ void __launch_bounds__(256, 2) light(float *p) { p[threadIdx.x] = 1; }
__global__ void heavy(float *p) {
  __shared__ float s[10000];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}

int main() {
  int count = 0, device = -1, value = 0, version = 0;
  CUDA(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  CUDA(cudaSetDevice(0));
  CUDA(cudaGetDevice(&device));
  EXPECT(device == 0);
  cudaDeviceProp p;
  CUDA(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.major == 9 && p.minor == 0 && p.warpSize == 32);
  EXPECT(p.maxThreadsPerBlock == 1024 && p.sharedMemPerBlock == 48 * 1024);
  EXPECT(p.sharedMemPerBlockOptin == 227 * 1024);
  EXPECT(p.multiProcessorCount > 100 && p.regsPerBlock == 65536);
  EXPECT(p.totalGlobalMem > (size_t(1) << 30) && std::strlen(p.name) > 0);
  CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(value == p.multiProcessorCount);
  CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  EXPECT(value == 9);
  CUDA(cudaRuntimeGetVersion(&version));
  EXPECT(version >= 12000);
  size_t free_bytes = 0, total_bytes = 0;
  CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(free_bytes <= total_bytes && total_bytes > 0);

  Device<float> d(512);
  d.zero();
  heavy<<<1, 256>>>(d);
  light<<<1, 256>>>(d);
  CUDA(cudaDeviceSynchronize());

  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, light));
  EXPECT(attributes.maxThreadsPerBlock == 256 && attributes.sharedSizeBytes == 0);
  CUDA(cudaFuncGetAttributes(&attributes, heavy));
  EXPECT(attributes.sharedSizeBytes == 40000);
  EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.numRegs > 0);

  int blocks = 0, grid = 0, block = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, 256, 0));
  EXPECT(blocks >= 2 && blocks <= 8); // 2 are promised, 8 fill 2048 threads
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 256, 0));
  EXPECT(blocks >= 1 && blocks <= 5); // 5 of 40000 bytes and 1 KiB in 228 KiB
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 256,
                                                     180 * 1024));
  EXPECT(blocks == 0 || blocks == 1);
  CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 0));
  EXPECT(block > 0 && block <= 256 && grid > 0);
  EXPECT(grid % p.multiProcessorCount == 0);
  return verdict();
}
