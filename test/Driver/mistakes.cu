// Whatever Lift gets wrong, execution finds: the kernel stays as it is, and a file
// has the launch and its data. The option that spoils what was lifted is for this
// test only.

// RUN: rm -rf %t && mkdir -p %t/strides %t/guard %t/sum
// RUN: env TMPDIR=%t/strides python3 %inputs/status.py 2 %warpwright rewrite --simulate-mistake=strides %s -o %t/strides.cu -- %parse > %t/strides.log 2>&1
// RUN: FileCheck %s --input-file=%t/strides.log
// RUN: cmp %s %t/strides.cu
// RUN: cat %t/strides/warpwright-gemm-*.txt | FileCheck %s --check-prefix=FILE
// RUN: env TMPDIR=%t/guard python3 %inputs/status.py 2 %warpwright rewrite --simulate-mistake=guard %s -o %t/guard.cu -- %parse > %t/guard.log 2>&1
// RUN: FileCheck %s --input-file=%t/guard.log
// RUN: cmp %s %t/guard.cu
// RUN: env TMPDIR=%t/sum python3 %inputs/status.py 1 %warpwright explain --strict --simulate-mistake=sum %s -- %parse > %t/sum.log 2>&1
// RUN: FileCheck %s --check-prefix=STRICT --input-file=%t/sum.log

// Without the mistake it is rewritten; without the check nobody would know.
// RUN: %warpwright rewrite %s --strict -o %t/right.cu -- %parse
// RUN: %warpwright rewrite --no-check --simulate-mistake=strides %s --strict -o %t/unchecked.cu -- %parse
// RUN: cmp %t/right.cu %t/unchecked.cu

// Where no file can be written, the message says that.
// RUN: env TMPDIR=%t/none python3 %inputs/status.py 2 %warpwright rewrite --simulate-mistake=sum %s -o %t/none.cu -- %parse 2>&1 | FileCheck %s --check-prefix=NONE

#include <cuda_fp16.h>

// CHECK: :[[#@LINE+5]]:17: warning: 'gemm' is not rewritten: it was executed, and computes something else than was derived from it, which is a bug in Warpwright: launch {{[0-9]+}} (grid ({{.*}}), block ({{.*}}), M = {{[0-9]+}}, N = {{[0-9]+}}, K = {{[0-9]+}}): C[{{.*}}] (b 0, m {{[0-9]+}}, n {{[0-9]+}}) is {{.*}} by the kernel and {{.*}} by the contraction; '{{.*}}warpwright-gemm-{{.*}}.txt' has the launch and its data [WW220]
// STRICT: :[[#@LINE+4]]:17: error: 'gemm' is not rewritten: {{.*}} [WW220]
// NONE: warning: 'gemm' is not rewritten: {{.*}}; no file could be made for the launch and its data [WW220]

#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int M, int N,
                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

void launch(const half *A, const half *B, float *C, int M, int N, int K) {
  gemm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}

// FILE: kernel gemm
// FILE-NEXT: seed 1, launch
// FILE-NEXT: grid (
// FILE: A = array of f16
// FILE: M = {{[0-9]+}}
// FILE: extents of the contraction: b 1, m {{[0-9]+}}, n {{[0-9]+}}, k {{[0-9]+}}
// FILE: by the kernel and
// FILE: operand A, along k:
// FILE-NEXT: A[
// FILE: operand B, along k:
// FILE: contraction "gemm" {
