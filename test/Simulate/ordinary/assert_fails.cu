// A failed assertion in device code ends the launch and stays.
// RUN: %warpwright sim %s 2> %t.err | FileCheck %s
// RUN: FileCheck --check-prefix=STDERR %s < %t.err
// CHECK: PASS
// STDERR: assert_fails.cu:[[#]]: {{.*}}check{{.*}}block: [1,0,0], thread: [2,0,0] Assertion `values[i] < 100` failed.
#include "ordinary.h"
#include <cassert>

__global__ void check(const int *values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(values[i] < 100);
}

int main() {
  int host[8] = {1, 2, 3, 4, 5, 6, 600, 8};
  Device<int> d(host, 8);
  check<<<1, 4>>>(d);
  CUDA(cudaDeviceSynchronize());
  check<<<2, 4>>>(d);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  EXPECT(cudaGetLastError() == cudaErrorAssert);
  void *p;
  EXPECT(cudaMalloc(&p, 4) == cudaErrorAssert); // the context is lost
  return verdict();
}
