// A kernel that may start before the one before it has ended accesses global
// memory before it waits for that one.
// RUN: %warpwright sim %s | FileCheck %s --check-prefix=WAITS
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DLOAD 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DSTORE 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DATOMIC 2>&1 | FileCheck %s --check-prefix=ATOMIC
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int *to, const int *from) {
  __shared__ int sums[32];
  sums[threadIdx.x] = threadIdx.x; // the block's own
#ifdef LOAD
  // LOAD: early.cu:[[#@LINE+1]]:{{.*}}error: a load of 4 bytes in global memory before griddepcontrol.wait: the kernel may start before the one before it in its stream has ended [WW725]
  sums[threadIdx.x] += *(volatile const int *)&from[threadIdx.x];
#endif
#ifdef STORE
  // STORE: early.cu:[[#@LINE+1]]:{{.*}}error: a store of 4 bytes in global memory before griddepcontrol.wait{{.*}} [WW725]
  to[threadIdx.x] = 0;
#endif
#ifdef ATOMIC
  // ATOMIC: early.cu:[[#@LINE+1]]:{{.*}}error: an atomic operation of 4 bytes in global memory before griddepcontrol.wait{{.*}} [WW725]
  atomicAdd(&to[threadIdx.x], 1);
#endif
  if (threadIdx.x == 0)
    cudaGridDependencySynchronize();
  __syncthreads();
  to[threadIdx.x] = sums[threadIdx.x] + from[threadIdx.x];
}

int main() {
  int *data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, add, data, (const int *)(data + 32));
  int result[32];
  cudaMemcpy(result, data, sizeof(result), cudaMemcpyDeviceToHost);
  // WAITS: 31
  printf("%d\n", result[31]);
  return cudaDeviceSynchronize();
}
