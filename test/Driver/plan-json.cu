// What --emit=plan-json prints, --plan reads: the same plans come out.
// RUN: %warpwright rewrite %s --emit=plan-json -o %t.json
// RUN: FileCheck %s --input-file=%t.json
// RUN: %warpwright rewrite %s --emit=plan > %t.planned
// RUN: %warpwright rewrite %s --emit=plan --plan=%t.json > %t.read
// RUN: diff %t.planned %t.read
// RUN: %warpwright rewrite %s --plan=%t.json -o %t.cu
// A number that does not follow from the decisions is an error.
// RUN: sed '/"registers": \[/,/\]/s/232/224/' %t.json > %t.fewer
// RUN: not %warpwright rewrite %s --plan=%t.fewer -o %t.none 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: cannot use plan file '{{.*}}': plan 'tile': registers.consumer is 224 where the runtime has 232 [WW012]
// RUN: echo '{"version": 2, "plans": 3}' > %t.bad
// RUN: not %warpwright rewrite %s --plan=%t.bad -o %t.none 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not ls %t.none
// Of several kernels each plan says which one it is for.
// RUN: %warpwright rewrite %s --emit=plan-json -o %t.two.json -- -DTWO
// RUN: FileCheck %s --input-file=%t.two.json --check-prefix=TWO
// RUN: %warpwright rewrite %s --emit=plan -- -DTWO > %t.two.planned
// RUN: %warpwright rewrite %s --emit=plan --plan=%t.two.json -- -DTWO > %t.two.read
// RUN: diff %t.two.planned %t.two.read
// TWO: "kernel": "gemm"
// TWO: "kernel": "other<float>"
// The planner decides for a kernel that the file does not name.
// RUN: echo '{"plans": [{"kernel": "other", "tile": [128, 128, 32], "name": "mine"}]}' > %t.other
// RUN: %warpwright rewrite %s --emit=plan --plan=%t.other -- -DTWO | FileCheck %s --check-prefix=OTHER
// OTHER: plan tile
// OTHER: plan mine
// RUN: not %warpwright rewrite %s --plan=%t.other -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ls %t.none
// UNKNOWN: plan-json.cu:{{[0-9]+}}:9: error: cannot use plan file '{{.*}}': it has a plan for 'other', which is no annotated kernel of this file [WW012]
// RUN: echo '{"plans": [{"kernel": 3, "tile": [128, 128, 64]}]}' > %t.number
// RUN: not %warpwright rewrite %s --plan=%t.number -o %t.none 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: plan 0: 'kernel' is not a string [WW012]
#include <cuda_fp16.h>
#include <cuda_runtime.h>
// CHECK: "version": 2
// BAD: warpwright: error: cannot use plan file '{{.*}}.bad': {{.*}} [WW012]
#pragma warpwright matmul tile(128, 128, 64)
__global__ void gemm(const half *A, const half *B, half *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  C[m * N + n] = __float2half(acc);
}
#ifdef TWO
#pragma warpwright matmul
template <class T> __global__ void other(const T *A, const T *B, T *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  T acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[m * K + k] * B[k * N + n];
  C[m * N + n] = acc;
}
template __global__ void other<float>(const float *, const float *, float *, int, int, int);
#endif
int main() { gemm<<<dim3(1), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 0, 0, 0); }
