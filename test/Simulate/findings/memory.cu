// What touches memory that it must not is reported at its line, by a name, and
// ends the program with status 3.
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -- index 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -- host 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %warpwright sim %s -- fine 2>&1 | FileCheck %s --check-prefix=FINE
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    // INDEX: memory.cu:[[#@LINE+2]]: error: a load of 4 bytes 0 bytes after the end of an allocation of 400 bytes [WW702]
    // INDEX: scale
    x[i] *= 2;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  float *x = nullptr, host[100] = {};
  cudaMalloc(&x, sizeof(host));
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  // FINE: before
  std::printf("before\n");
  scale<<<4, 32>>>(x, strcmp(what, "index") ? 99 : 100);
  if (!strcmp(what, "host")) {
    // HOST: before
    // HOST: memory.cu:[[#@LINE+1]]: error: host code accesses the device's memory {{.*}}at byte 8 of an allocation of 400 bytes [WW723]
    std::printf("%g\n", x[2]);
  }
  // FINE-NEXT: after no error
  std::printf("after %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
