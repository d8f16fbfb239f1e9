// Clusters: blocks that read and write each other's shared memory.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

__global__ void histogram(const int *data, int n, int *bins, int bins_per_block) {
  extern __shared__ int local[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
    local[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < n;
       i += blockDim.x * gridDim.x) {
    const int bin = data[i], rank = bin / bins_per_block;
    int *there = cluster.map_shared_rank(local, rank);
    atomicAdd(there + bin % bins_per_block, 1);
  }
  cluster.sync();
  int *mine = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
    atomicAdd(mine + i, local[i]);
}

__global__ void __cluster_dims__(2, 1, 1) exchange(int *out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    value = static_cast<int>(blockIdx.x) * 10;
  cluster.sync();
  const int *peer = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0)
    out[blockIdx.x] = *peer + static_cast<int>(cluster.num_blocks());
  cluster.sync();
}

int main() {
  const int n = 3000, per_block = 16, blocks = 4;
  std::vector<int> data(n), expected(per_block * blocks), got(per_block * blocks);
  unsigned state = 9;
  for (int &x : data)
    ++expected[x = next_random(state) % (per_block * blocks)];
  Device<int> d(data.data(), n), bins(got.size());
  bins.zero();

  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 2 * blocks;
  config.blockDim = 64;
  config.dynamicSmemBytes = per_block * sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, histogram, (const int *)d, n, (int *)bins,
                          per_block));
  bins.get(got.data());
  EXPECT(got == expected);

  Device<int> out(6);
  exchange<<<6, 32>>>(out);
  CUDA(cudaDeviceSynchronize());
  int values[6];
  out.get(values);
  for (int i = 0; i < 6; ++i)
    EXPECT(values[i] == (i ^ 1) * 10 + 2);

  config.gridDim = 3; // no multiple of the cluster
  EXPECT(cudaLaunchKernelEx(&config, histogram, (const int *)d, n, (int *)bins,
                            per_block) != cudaSuccess);
  cudaGetLastError();
  return verdict();
}
