// printf in device code.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK-DAG: thread 0 of block 0: 3.50 x abc
// CHECK-DAG: thread 1 of block 0: 4.50 x abc
// CHECK-DAG: thread 0 of block 1: 13.50 x abc
// CHECK-DAG: long 123456789012345, hex beef, 100%
// CHECK: host after
// CHECK: PASS
#include "ordinary.h"

__global__ void talk(const char *) {
  printf("thread %d of block %u: %.2f %c %s\n", threadIdx.x, blockIdx.x,
         blockIdx.x * 10 + threadIdx.x + 3.5, 'x', "abc");
  if (threadIdx.x == 0 && blockIdx.x == 1)
    printf("long %lld, hex %x, 100%%\n", 123456789012345LL, 0xbeef);
}

int main() {
  talk<<<2, 2>>>(nullptr);
  CUDA(cudaDeviceSynchronize());
  printf("host after\n");
  return verdict();
}
