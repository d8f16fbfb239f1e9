// A kernel with __cluster_dims__ whose grid is not made of whole clusters cannot
// be launched, and a launch of it fails as before instead of running the Hopper
// kernel.

// RUN: env WARPWRIGHT_LOG=1 %warpwright sim %s > %t.out 2>%t.path
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out
// RUN: FileCheck %s --check-prefix=PATH --input-file=%t.path

#include <cuda_fp16.h>
#include <stdio.h>

#pragma warpwright matmul tile(64, 64, 64)
__global__ void __cluster_dims__(2, 1, 1)
    pairs(const half *A, const half *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

int main() {
  half *A;
  float *C;
  cudaMalloc(&A, 64 * 64 * sizeof(half));
  cudaMalloc(&C, 64 * 64 * sizeof(float));
  cudaMemset(A, 0, 64 * 64 * sizeof(half));
  // OUT:      2 blocks: cudaSuccess
  // PATH:     warpwright: pairs: hopper
  // OUT-NEXT: 3 blocks: cudaErrorInvalidClusterSize
  // PATH-NEXT: warpwright: pairs: original: the launch is not valid
  for (int blocks : {2, 3}) {
    pairs<<<blocks, dim3(16, 16)>>>(A, A, C, 16, 16 * blocks, 16);
    printf("%d blocks: %s\n", blocks, cudaGetErrorName(cudaGetLastError()));
  }
}
