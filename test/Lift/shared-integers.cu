// Numbers of columns in a shared array: what is read is the writer's number, not
// the reader's.
//
// RUN: %warpwright rewrite --emit=contraction --no-check %s -- %parse | FileCheck %s

#include <cuda_runtime.h>

// CHECK-LABEL: contraction "turned"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + 32 * %b - %n + 31]:f32
// CHECK: output C[%m * N + 32 * %b + %n]:f32 = acc
// CHECK: require blockDim.x == 32
#pragma warpwright matmul
__global__ void turned(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  __shared__ int columns[32];
  columns[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int row = blockIdx.y,
            col = blockIdx.x * 32 + columns[31 - threadIdx.x];
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + blockIdx.x * 32 + threadIdx.x] = sum;
}

// The same number for all threads.
//
// CHECK-LABEL: contraction "common"
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void common(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  __shared__ int first[32];
  first[threadIdx.x] = blockIdx.x * 32;
  __syncthreads();
  const int row = blockIdx.y, col = first[31 - threadIdx.x] + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}
