// What the environment says about launches is understood in any usual spelling,
// and what it says about nothing is reported and changes nothing.
// RUN: rm -rf %t && mkdir %t
// RUN: %warpwright sim --build-only --keep=%t %s
// RUN: env WARPWRIGHT_LOG=yes %t/program 2>&1 | %FileCheck %s --check-prefix=HOPPER
// RUN: env WARPWRIGHT_LOG=TRUE WARPWRIGHT=on %t/program 2>&1 | %FileCheck %s --check-prefix=HOPPER
// RUN: env WARPWRIGHT_LOG=2 WARPWRIGHT=1 %t/program 2>&1 | %FileCheck %s --check-prefix=HOPPER
// RUN: env WARPWRIGHT_LOG=1 WARPWRIGHT= WARPWRIGHT_VERIFY=off %t/program 2>&1 | %FileCheck %s --check-prefix=HOPPER
// HOPPER-NOT: {{.}}
// HOPPER: warpwright: gemm: hopper tile
// HOPPER-NEXT: 7
// HOPPER-NOT: {{.}}
// RUN: env WARPWRIGHT_LOG=1 WARPWRIGHT=OFF %t/program 2>&1 | %FileCheck %s --check-prefix=ORIGINAL
// RUN: env WARPWRIGHT_LOG=1 WARPWRIGHT=0 %t/program 2>&1 | %FileCheck %s --check-prefix=ORIGINAL
// RUN: env WARPWRIGHT_LOG=on WARPWRIGHT=False %t/program 2>&1 | %FileCheck %s --check-prefix=ORIGINAL
// RUN: env WARPWRIGHT_LOG=on WARPWRIGHT=no %t/program 2>&1 | %FileCheck %s --check-prefix=ORIGINAL
// ORIGINAL: warpwright: gemm: original: WARPWRIGHT=off
// RUN: env WARPWRIGHT_LOG=off %t/program 2>&1 | %FileCheck %s --check-prefix=QUIET
// RUN: env WARPWRIGHT_LOG=0 WARPWRIGHT_VERIFY=no %t/program 2>&1 | %FileCheck %s --check-prefix=QUIET
// QUIET-NOT: {{.}}
// QUIET: 7
// QUIET-NOT: {{.}}
// RUN: env WARPWRIGHT=original WARPWRIGHT_LOG=1x WARPWRIGHT_SIM_SEED=-1 WARPWRIGHT_SIM_SMS=133 \
// RUN:   WARPWRIGHT_SIM_CHECKS=maybe WARPWRIGHT_SIM_TRACE=%t/no/trace %t/program 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=NONSENSE
// NONSENSE-DAG: warpwright: WARPWRIGHT=original is neither on nor off and is ignored
// NONSENSE-DAG: warpwright: WARPWRIGHT_LOG=1x is neither on nor off and is ignored
// NONSENSE-DAG: warpwright: WARPWRIGHT_SIM_SEED=-1 is no number from 0 to 18446744073709551615 and is ignored
// NONSENSE-DAG: warpwright: WARPWRIGHT_SIM_SMS=133 is no number from 0 to 132 and is ignored
// NONSENSE-DAG: warpwright: WARPWRIGHT_SIM_CHECKS=maybe is no number from 0 to 1 and is ignored
// NONSENSE-DAG: warpwright: cannot write WARPWRIGHT_SIM_TRACE={{.*}}/no/trace: No such file or directory
// NONSENSE-DAG: {{^7$}}

#include <cstdio>
#include <cuda_fp16.h>

#pragma warpwright matmul tile(64, 32, 64)
__global__ void gemm(const half *A, const half *B, float *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  C[m * N + n] = sum;
}

int main() {
  half a[7], *A;
  float c = 0.0f, *C;
  for (half &x : a)
    x = __float2half(1.0f);
  cudaMalloc(&A, sizeof a);
  cudaMalloc(&C, sizeof c);
  cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
  gemm<<<1, dim3(16, 16)>>>(A, A, C, 1, 1, 7);
  cudaMemcpy(&c, C, sizeof c, cudaMemcpyDeviceToHost);
  printf("%g\n", c);
}
