// Prefix sums: within warps, blocks, and over blocks in three kernels.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

constexpr int threads = 128;

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums,
                            int n) {
  __shared__ unsigned warps[threads / 32];
  const int i = blockIdx.x * threads + threadIdx.x;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned value = i < n ? in[i] : 0;
  for (unsigned step = 1; step < 32; step *= 2) {
    unsigned other = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step)
      value += other;
  }
  if (lane == 31)
    warps[warp] = value;
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w)
    value += warps[w];
  if (i < n)
    out[i] = value;
  if (threadIdx.x == threads - 1)
    sums[blockIdx.x] = value;
}

// Hillis and Steele, with two buffers.
__global__ void scan_sums(unsigned *sums, int n) {
  extern __shared__ unsigned both[];
  unsigned *from = both, *to = both + blockDim.x;
  from[threadIdx.x] = threadIdx.x < n ? sums[threadIdx.x] : 0;
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    to[threadIdx.x] = from[threadIdx.x] +
                      (threadIdx.x >= step ? from[threadIdx.x - step] : 0);
    unsigned *swap = from;
    from = to;
    to = swap;
  }
  if (threadIdx.x < n)
    sums[threadIdx.x] = from[threadIdx.x];
}

__global__ void add_sums(unsigned *out, const unsigned *sums, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += sums[blockIdx.x - 1];
}

int main() {
  for (int n : {1, 100, 128, 5000}) {
    std::vector<unsigned> in(n), out(n);
    unsigned state = 7;
    for (unsigned &x : in)
      x = next_random(state) % 1000;
    const int blocks = (n + threads - 1) / threads;
    Device<unsigned> din(in.data(), n), dout(n), sums(blocks);
    scan_blocks<<<blocks, threads>>>(din, dout, sums, n);
    scan_sums<<<1, 64, 2 * 64 * sizeof(unsigned)>>>(sums, blocks);
    add_sums<<<blocks, threads>>>(dout, sums, n);
    dout.get(out.data());
    unsigned total = 0;
    for (int i = 0; i < n; ++i)
      EXPECT(out[i] == (total += in[i]));
  }
  return verdict();
}
