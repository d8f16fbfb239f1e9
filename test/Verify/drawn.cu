// Of four bits the reference has the numbers, and the launches that are drawn
// meet what the plan asks for besides: groups of whole blocks along k.
// RUN: %warpwright verify %s --count=1 -- -std=c++17 | %FileCheck %s

// Integers are shifted by numbers of their bits, where the count is an argument,
// loaded, or in constant memory, and results near the largest integer are right.

// CHECK: hopper tile
// CHECK-NOT: is not a multiple of 64
// CHECK: shifted
// CHECK: random {{.*}} close hopper tile
// CHECK: no mismatch

#include <cuda_fp16.h>

#pragma warpwright matmul tile(16, 128, 64)
__global__ void weights(const half *X, const unsigned char *W,
                        const float *scale, half *C, int M, int N, int K,
                        int group) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K / 2; ++k) {
    const unsigned char both = W[n * (K / 2) + k];
    const float s = scale[2 * k / group * N + n];
    acc += __half2float(X[m * K + 2 * k]) * (((both & 15) - 8) * s);
    acc += __half2float(X[m * K + 2 * k + 1]) * (((both >> 4) - 8) * s);
  }
  C[m * N + n] = __float2half(acc);
}

__constant__ int places;

#pragma warpwright matmul tile(64, 64, 128)
__global__ void shifted(const signed char *A, const signed char *B, int *C,
                        int M, int N, int K, int shift, const int *of_column) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N)
    return;
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[m * K + k] * B[n * K + k];
  C[m * N + n] = int(unsigned(acc) >> of_column[n]) -
                 ((acc + (1 << (shift - 1))) >> shift) / 64 -
                 (acc + (1 << (places - 1)) >> places + 7);
}
