// A program that asks which compiler it has gets nvcc's answer, as when it is
// rewritten, although Clang builds what is simulated.
// RUN: %warpwright sim --original %s | %FileCheck %s
// RUN: %warpwright sim %s | %FileCheck %s
// RUN: %warpwright sim --original %s -ccbin=/usr/bin/clang++ | %FileCheck %s --check-prefix=CLANG
// CHECK: 3 3
// CLANG: 2 2

#include <cstdio>
#include <cuda_fp16.h>
#include <vector>
#ifdef __clang__
#define COMPILER 2
#elif __GNUC__ >= 9
#define COMPILER 3
#endif

#pragma warpwright matmul tile(64, 32, 64)
__global__ void gemm(const half *A, const half *B, float *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  C[m * N + n] = sum * COMPILER;
}

int main() {
  half a = __float2half(1.0f), *A;
  float c = 0.0f, *C;
  cudaMalloc(&A, sizeof a);
  cudaMalloc(&C, sizeof c);
  cudaMemcpy(A, &a, sizeof a, cudaMemcpyHostToDevice);
  gemm<<<1, dim3(16, 16)>>>(A, A, C, 1, 1, 1);
  cudaMemcpy(&c, C, sizeof c, cudaMemcpyDeviceToHost);
  printf("%g %d\n", c, COMPILER);
}
