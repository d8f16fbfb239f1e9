// Errors of launches and calls: which stay, and which go away.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cstring>

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void big_shared() {
  extern __shared__ char s[];
  s[threadIdx.x] = 0;
}

int main() {
  // Launches that the runtime refuses leave an error that is read once.
  nothing<<<1, 1025>>>();
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaSuccess);
  nothing<<<0, 1>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  nothing<<<dim3(1, 65536), 1>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  nothing<<<1, dim3(1, 1, 65)>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  big_shared<<<1, 32, 64 * 1024>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CUDA(cudaFuncSetAttribute(
      big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  big_shared<<<1, 32, 64 * 1024>>>();
  CUDA(cudaGetLastError());
  EXPECT(cudaFuncSetAttribute(big_shared,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              300 * 1024) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CUDA(cudaDeviceSynchronize());

  // Calls.
  void *p = nullptr;
  EXPECT(cudaMalloc(&p, ~size_t(0) / 2) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  int stack = 0;
  EXPECT(cudaFree(&stack) == cudaErrorInvalidValue);
  EXPECT(cudaFree(nullptr) == cudaSuccess);
  EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
  cudaGetLastError();
  EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorInvalidValue),
                      "cudaErrorInvalidValue"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorInvalidValue),
                      "invalid argument"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  EXPECT(cudaGetLastError() == cudaSuccess);
  return verdict();
}
