// Grids and blocks of three dimensions, and the built-in variables as values.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__device__ unsigned linear(dim3 index, uint3 size) {
  return index.x + size.x * (index.y + size.y * index.z);
}
template <class T> __device__ unsigned product(const T &v) {
  return v.x * v.y * v.z;
}

__global__ void mark(unsigned *out) {
  const dim3 block = blockIdx, size(blockDim);
  const uint3 thread = threadIdx;
  const unsigned b = linear(blockIdx, gridDim), t = linear(thread, blockDim);
  out[b * product(blockDim) + t] = b * 10000 + t;
  if (t == 0 && b == 0) {
    auto grid = gridDim;
    out[0] = grid.x * 100 + size.y * 10 + block.z + warpSize * 100000;
  }
}

int main() {
  const dim3 grid(3, 2, 4), block(5, 4, 3);
  const unsigned blocks = 24, threads = 60;
  std::vector<unsigned> out(blocks * threads);
  Device<unsigned> d(out.size());
  mark<<<grid, block>>>(d);
  CUDA(cudaDeviceSynchronize());
  d.get(out.data());
  EXPECT(out[0] == 3200340);
  for (unsigned i = 1; i < out.size(); ++i)
    EXPECT(out[i] == i / threads * 10000 + i % threads);
  return verdict();
}
