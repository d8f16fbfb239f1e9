// Loads and stores with cache hints parse with the toolkit's headers as well:
// Clang keeps those that declare them out.

// REQUIRES: cuda-toolkit
// RUN: %warpwright rewrite --emit=contraction %s -- --cuda-path=%cuda 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=WW507
// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=WW507

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

// CHECK-LABEL: contraction "vectors"
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void vectors(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K / 4; ++k) {
    float4 a = __ldcs((const float4 *)(A + row * K) + k);
    float2 b = __ldcg((const float2 *)(B + col * K) + 2 * k);
    float2 c = __ldcv((const float2 *)(B + col * K) + 2 * k + 1);
    acc += a.x * b.x + a.y * b.y + a.z * c.x + a.w * c.y;
  }
  __stcs(&C[row * N + col], acc);
}
