// A histogram: atomics on shared memory, then on global memory.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__global__ void histogram(const unsigned char *data, int n,
                          unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i])
      atomicAdd(bins + i, local[i]);
}

int main() {
  const int n = 20000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(256), got(256);
  unsigned state = 3;
  for (auto &x : data) {
    x = (next_random(state) & next_random(state)) & 0xff;
    ++expected[x];
  }
  Device<unsigned char> d(data.data(), n);
  Device<unsigned> bins(256);
  bins.zero();
  histogram<<<4, 96>>>(d, n, bins);
  bins.get(got.data());
  EXPECT(got == expected);
  return verdict();
}
