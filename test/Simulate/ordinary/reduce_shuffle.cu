// A sum by warp shuffles, shared memory and an atomic.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__device__ __forceinline__ int warp_sum(int value) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void sum(const int *in, int *out, int n) {
  __shared__ int partial[32];
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    value += in[i];
  value = warp_sum(value);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0)
    partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < (blockDim.x + 31) / 32 ? partial[lane] : 0;
    value = warp_sum(value);
    if (lane == 0)
      atomicAdd(out, value);
  }
}

template <class T>
__global__ void butterfly(T *values) {
  T value = values[threadIdx.x];
  for (int mask = 16; mask; mask /= 2)
    value = max(value, __shfl_xor_sync(~0u, value, mask));
  values[threadIdx.x] = value;
}

int main() {
  const int n = 10007;
  std::vector<int> in(n);
  int expected = 0;
  unsigned state = 1;
  for (int &x : in)
    expected += x = static_cast<int>(next_random(state) % 2001) - 1000;
  Device<int> din(in.data(), n), dout(1);
  for (int threads : {32, 96, 256, 1024}) {
    dout.zero();
    sum<<<5, threads>>>(din, dout, n);
    int got;
    dout.get(&got);
    EXPECT(got == expected);
  }
  double values[32], most = -1e300;
  for (int i = 0; i < 32; ++i) {
    values[i] = (i * 37 % 32) * 1.25 - 7;
    most = values[i] > most ? values[i] : most;
  }
  Device<double> dv(values, 32);
  butterfly<<<1, 32>>>(dv.data);
  dv.get(values);
  for (double v : values)
    EXPECT(v == most);
  return verdict();
}
