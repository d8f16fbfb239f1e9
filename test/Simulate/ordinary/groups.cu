// Cooperative groups: blocks, tiles, coalesced threads and reductions.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <vector>

namespace cg = cooperative_groups;

template <int Size> __device__ int tile_sum(cg::thread_block_tile<Size> t, int v) {
  for (int i = t.size() / 2; i > 0; i /= 2)
    v += t.shfl_down(v, i);
  return t.shfl(v, 0);
}

__global__ void kernel(int *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(warp);
  const int rank = static_cast<int>(block.thread_rank());
  __shared__ int shared[128];
  shared[rank] = rank;
  block.sync();
  const int other = shared[block.size() - 1 - rank];

  out[rank] = tile_sum<32>(warp, rank);
  out[n + rank] = cg::reduce(quad, rank, cg::plus<int>());
  out[2 * n + rank] = cg::reduce(warp, other, cg::greater<int>());
  out[3 * n + rank] = static_cast<int>(quad.ballot(rank % 3 == 0));
  int result = -1;
  if (rank % 2 == 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    result = static_cast<int>(odd.thread_rank() * 100 + odd.size());
  }
  out[4 * n + rank] = result;
  out[5 * n + rank] = static_cast<int>(warp.meta_group_rank() * 10000 +
                                       warp.meta_group_size() * 1000 +
                                       quad.meta_group_rank() * 10 +
                                       quad.meta_group_size());
}

int main() {
  const int n = 128;
  std::vector<int> out(6 * n);
  Device<int> d(out.size());
  kernel<<<1, dim3(16, 8)>>>(d, n);
  CUDA(cudaDeviceSynchronize());
  d.get(out.data());
  for (int i = 0; i < n; ++i) {
    const int w = i / 32 * 32, q = i / 4 * 4;
    EXPECT(out[i] == 32 * w + 31 * 16);
    EXPECT(out[n + i] == 4 * q + 6);
    EXPECT(out[2 * n + i] == n - 1 - w);
    int ballot = 0;
    for (int j = 0; j < 4; ++j)
      ballot |= ((q + j) % 3 == 0) << j;
    EXPECT(out[3 * n + i] == ballot);
    if (i % 2)
      EXPECT(out[4 * n + i] == (i - w) / 2 * 100 + 16);
    EXPECT(out[5 * n + i] == i / 32 * 10000 + 4000 + i % 32 / 4 * 10 + 8);
  }
  return verdict();
}
