// Locks by atomics: between blocks, and the last block finishing a sum.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__device__ int lock;
__device__ unsigned finished;
__device__ volatile int guarded;

__global__ void increment(int times) {
  for (int i = 0; i < times; ++i) {
    if (threadIdx.x == 0) {
      while (atomicCAS(&lock, 0, 1) != 0)
        ;
      __threadfence();
      guarded = guarded + 1;
      __threadfence();
      atomicExch(&lock, 0);
    }
    __syncthreads();
  }
}

__global__ void sum(const int *in, int n, volatile int *partial, int *out) {
  __shared__ bool last;
  __shared__ int block_sum;
  if (threadIdx.x == 0)
    block_sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&block_sum, i < n ? in[i] : 0);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block_sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      total += partial[b];
    *out = total;
  }
}

int main() {
  increment<<<6, 32>>>(20);
  CUDA(cudaDeviceSynchronize());
  int got = 0;
  CUDA(cudaMemcpyFromSymbol(&got, guarded, sizeof got));
  EXPECT(got == 120);

  const int n = 1000, blocks = 16;
  std::vector<int> in(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += in[i] = i % 37;
  Device<int> din(in.data(), n), partial(blocks), out(1);
  for (int again = 0; again < 2; ++again) {
    out.zero();
    sum<<<blocks, 64>>>(din, n, partial.data, out);
    out.get(&got);
    EXPECT(got == expected);
  }
  return verdict();
}
