// Macros in a section's way that no simple look at the file finds: spelt with a
// digraph, over two lines, behind a comment, defined in a header and undefined
// later; and qualifiers of the toolkit that the user has defined anew.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %warpwright rewrite in.cu -o out.cu -- %parse
// RUN: FileCheck %s < out.cu
// RUN: %warpwright rewrite out.cu -o again.cu -- %parse && diff out.cu again.cu
// RUN: %warpwright rewrite --revert out.cu | diff in.cu -
// RUN: %warpwright sim out.cu 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS: 7
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -I %runtime -c out.cu -o out.o %}

// CHECK: // >>> warpwright: gemm
// CHECK-NOT: push_macro
// CHECK: __device__ __forceinline__ float value
// CHECK: void gemm_warpwright(::warpwright::rt::Launch launch_,
// CHECK: rt::PerAxis extent_
// CHECK: rt::Array arrays_[]
// CHECK: rt::Problem problem_(

//--- defined.h
#define arrays 8
//--- in.cu
#include <cstdio>
#include <cuda_fp16.h>
#include "defined.h"
%:define launch 9
#\
define extent 8
#/* */define problem 10
#define __device__ __attribute__((device))
#undef __forceinline__
#define __forceinline__ inline
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
#undef arrays
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
