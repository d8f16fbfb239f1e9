// Threads that wait for each other for ever, and those that wait in a loop for
// what nobody will do: reported with who waits for what.
// RUN: python3 %inputs/status.py 3 %warpwright sim %s 2>&1 | FileCheck %s
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DLOOP 2>&1 | FileCheck %s --check-prefix=LOOP
#include <cuda_runtime.h>

__device__ volatile int flag;

__global__ void wait(int n) {
#ifdef LOOP
  // LOOP: error: the threads that are left wait in loops for something that nobody will do [WW724]
  while (flag == 0)
    ;
#else
  if (threadIdx.x / 32 == 0 || blockIdx.x == 0)
    asm volatile("bar.arrive 1, 96;" ::: "memory");
  else
    // CHECK: threads.cu:[[#@LINE+2]]: error: deadlock: each of the 32 threads that are left waits for another [WW701]
    // CHECK: CTA (1,0,0) warp 1 lanes 0-31: waits for
    asm volatile("bar.sync 1, 96;" ::: "memory");
#endif
}

int main() {
  wait<<<2, 64>>>(0);
  return cudaDeviceSynchronize();
}
