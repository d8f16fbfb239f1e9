// A cooperative launch whose blocks wait for each other.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

// Odd-even transposition: each phase needs all of the one before.
__global__ void sort(int *v, int n, int *phases) {
  cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int phase = 0; phase < n; ++phase) {
    const int left = 2 * i + phase % 2;
    if (left + 1 < n && v[left] > v[left + 1]) {
      const int t = v[left];
      v[left] = v[left + 1];
      v[left + 1] = t;
    }
    grid.sync();
  }
  if (grid.thread_rank() == grid.size() - 1)
    *phases = grid.is_valid() ? n : -1;
}

// A sum in one launch: blocks leave parts, the first block adds them.
__global__ void sum(const float *in, float *parts, int n) {
  __shared__ float block_sum;
  if (threadIdx.x == 0)
    block_sum = 0;
  __syncthreads();
  float mine = 0;
  for (int i = cg::this_grid().thread_rank(); i < n;
       i += static_cast<int>(cg::this_grid().size()))
    mine += in[i];
  atomicAdd(&block_sum, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    parts[blockIdx.x] = block_sum;
  cg::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (unsigned b = 1; b < gridDim.x; ++b)
      parts[0] += parts[b];
}

// Many meetings of blocks that have nobody to wait for by themselves.
__global__ void relay(int *v, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (blockIdx.x == round % gridDim.x)
      ++*v;
    cg::this_grid().sync();
  }
}

int main() {
  const int n = 96;
  std::vector<int> v(n);
  unsigned state = 4;
  for (int &x : v)
    x = static_cast<int>(next_random(state) % 1000);
  Device<int> d(v.data(), n), phases(1);
  int *p = d, *q = phases, count = n;
  void *arguments[] = {&p, &count, &q};
  CUDA(cudaLaunchCooperativeKernel(sort, dim3(3), dim3(16), arguments));
  CUDA(cudaDeviceSynchronize());
  d.get(v.data());
  for (int i = 1; i < n; ++i)
    EXPECT(v[i - 1] <= v[i]);
  int done = 0;
  phases.get(&done);
  EXPECT(done == n);

  const int m = 1000;
  std::vector<float> in(m);
  float expected = 0;
  for (int i = 0; i < m; ++i)
    expected += in[i] = static_cast<float>(i % 13);
  Device<float> din(in.data(), m), parts(8);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, sum, (const float *)din, (float *)parts, m));
  float got[8];
  parts.get(got);
  EXPECT(got[0] == expected);

  int turns = 0, rounds = 2000;
  Device<int> relayed(&turns, 1);
  int *r = relayed;
  void *relay_arguments[] = {&r, &rounds};
  CUDA(cudaLaunchCooperativeKernel(relay, dim3(3), dim3(1), relay_arguments));
  relayed.get(&turns);
  EXPECT(turns == rounds);

  void *too_many[] = {&p, &count, &q};
  EXPECT(
      cudaLaunchCooperativeKernel(sort, dim3(100000), dim3(1024), too_many) ==
      cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  return verdict();
}
