// Kernels that split operands of 16 bits into parts, beside others or by
// themselves, spill no registers, and ptxas has nothing to say about their
// wgmma. The plan whose tile is the largest takes the most.
//
// REQUIRES: nvcc
// RUN: %warpwright rewrite %s -o %t.all.cu -- -std=c++17
// RUN: sed -z 's/plans<plan_large,[^>]*>/plans<plan_large>/g' %t.all.cu > %t.cu
// RUN: nvcc -std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a -I%S/../../runtime/include -Xptxas -v -cubin -o %t.cubin %t.cu > %t.log 2>&1
// RUN: %FileCheck %s < %t.log
//
// CHECK-NOT: Potential Performance Loss
// CHECK-NOT: C75
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: hopper_kernel{{.*}}10plan_large
// CHECK-NOT: Potential Performance Loss
// CHECK-NOT: C75
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PRODUCT(a, b)                                                          \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += float(a) * float(b);                                                \
  C[m * N + n] = sum;

#pragma warpwright matmul
__global__ void half_bf16(const __half *A, const __nv_bfloat16 *B, float *C,
                          int M, int N, int K) {
  PRODUCT(A[m * K + k], B[k * N + n])
}

#pragma warpwright matmul
__global__ void bf16_half(const __nv_bfloat16 *A, const __half *B, float *C,
                          int M, int N, int K) {
  PRODUCT(A[k * M + m], B[n * K + k])
}

#pragma warpwright matmul
__global__ void float_half(const float *A, const __half *B, float *C, int M,
                           int N, int K) {
  PRODUCT(A[m * K + k], B[k * N + n])
}

#pragma warpwright matmul
__global__ void bf16_float(const __nv_bfloat16 *A, const float *B, float *C,
                           int M, int N, int K) {
  PRODUCT(A[k * M + m], B[k * N + n])
}
