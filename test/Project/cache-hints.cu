// Loads and stores with cache hints parse with the toolkit's headers as well:
// Clang keeps those that declare them out.

// REQUIRES: cuda-toolkit
// RUN: %warpwright rewrite --emit=contraction %s -- --cuda-path=%cuda \
// RUN:   | FileCheck %s

#include <cuda_bf16.h>

// CHECK-LABEL: contraction "hints"
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void hints(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C,
                      int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(__ldcs(&A[row * K + k])) *
           __bfloat162float(__ldcg(&B[k * N + col]));
  __stcs(&C[row * N + col], acc);
}
