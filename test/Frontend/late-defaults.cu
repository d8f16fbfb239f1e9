// A default argument that is declared behind the kernel: its launcher stands
// between the two and does not have it.
// RUN: python3 %inputs/status.py 2 %warpwright rewrite %s --emit=regions >%t.regions 2>%t.log
// RUN: FileCheck %s --input-file=%t.regions --match-full-lines --implicit-check-not=launch
// RUN: FileCheck %s --input-file=%t.log --check-prefix=LOG --implicit-check-not=warning:
#include <cuda_runtime.h>

// CHECK: kernel early (pragma on definition)
// CHECK: launch line [[#@LINE+16]]: early | <<< | >>>(
__global__ void early(float *p, int n = 1);
#pragma warpwright matmul
__global__ void early(float *p, int n) {}

// CHECK: kernel late (pragma on definition)
// CHECK-NEXT: parameter p: float *p
// CHECK-NEXT: parameter n: int n
// CHECK: launch line [[#@LINE+9]]: late | <<< | >>>(
#pragma warpwright matmul
__global__ void late(float *p, int n) {}
__global__ void late(float *p, int n = 1);

int main() {
  // LOG: :[[#@LINE+1]]:3: warning: this launch of 'late' is not redirected: it uses a default argument that is declared behind the kernel, which the launcher does not have [WW404]
  late<<<1, 1>>>(nullptr);
  early<<<1, 1>>>(nullptr);
  late<<<1, 1>>>(nullptr, 2);
}
