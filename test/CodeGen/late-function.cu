// A function that is declared behind a kernel template may be its argument: the
// section, which names it, stands behind the function.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %warpwright rewrite %t.cu | diff %t.cu -
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -I %runtime -c %t.cu -o %t.o %}

#include <cuda_fp16.h>

// CHECK: {{^}}// >>> warpwright: matmul declared
#pragma warpwright matmul
template <float (*Apply)(float)>
__global__ void matmul(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = Apply(acc);
}

// CHECK: {{^}}__device__ float twice(
__device__ float twice(float x) { return 2.0f * x; }

void launch(const half *A, const half *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  // CHECK: matmul_warpwright<twice>(A, B, C, M, N, K)
  matmul<twice><<<grid, block>>>(A, B, C, M, N, K);
}
// CHECK: {{^}}// >>> warpwright: matmul (
// CHECK: template <> struct matmul_instance<&twice> {
