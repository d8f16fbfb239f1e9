// Launches that preprocessor conditionals hide from device code are found by a
// second parse, which says nothing of its own.
// RUN: %warpwright rewrite %s --emit=regions 2>&1 | FileCheck %s --match-full-lines
#include <cuda_runtime.h>
// CHECK: kernel k (pragma on definition)
__global__ void k(float *p);
// CHECK: forward declaration before line [[#@LINE]]
// CHECK-NEXT: launch line [[#@LINE+4]]: k | <<< | >>>(
// CHECK-NEXT: launch line [[#@LINE+7]]: k | <<< | >>>(
// CHECK-NOT: {{.}}
#ifndef __CUDA_ARCH__
void hidden() { k<<<1, 2>>>(nullptr); int unused; }
#endif
#pragma warpwright matmul
__global__ void k(float *p) {}
int main() { k<<<1, 1>>>(nullptr); }
