// A bitonic sort: many kernels on global memory, and one in shared memory.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <algorithm>
#include <vector>

__device__ void order(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    const unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ void global_step(unsigned *v, unsigned k, unsigned j) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned other = i ^ j;
  if (other > i)
    order(v[i], v[other], (i & k) == 0);
}

__global__ void shared_sort(unsigned *v) {
  __shared__ unsigned s[256];
  const unsigned i = threadIdx.x;
  s[i] = v[blockIdx.x * 256 + i];
  for (unsigned k = 2; k <= 256; k *= 2)
    for (unsigned j = k / 2; j; j /= 2) {
      __syncthreads();
      if ((i ^ j) > i)
        order(s[i], s[i ^ j], (i & k) == 0);
    }
  __syncthreads();
  v[blockIdx.x * 256 + i] = s[i];
}

int main() {
  const unsigned n = 512;
  std::vector<unsigned> v(n), got(n);
  unsigned state = 11;
  for (unsigned &x : v)
    x = next_random(state) % 5000;
  Device<unsigned> d(v.data(), n);
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j; j /= 2)
      global_step<<<n / 128, 128>>>(d, k, j);
  d.get(got.data());
  std::vector<unsigned> sorted = v;
  std::sort(sorted.begin(), sorted.end());
  EXPECT(got == sorted);

  d.set(v.data());
  shared_sort<<<2, 256>>>(d);
  d.get(got.data());
  sorted = v;
  std::sort(sorted.begin(), sorted.begin() + 256);
  std::sort(sorted.begin() + 256, sorted.end());
  EXPECT(got == sorted);
  return verdict();
}
