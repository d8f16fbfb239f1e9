// Of four bits the reference has the numbers, and the launches that are drawn
// meet what the plan asks for besides: groups of whole blocks along k.
// RUN: %warpwright verify %s --count=1 -- -std=c++17 | %FileCheck %s

// CHECK: hopper tile
// CHECK-NOT: is not a multiple of 64
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
