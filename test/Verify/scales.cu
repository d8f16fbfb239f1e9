// The rewritten kernel multiplies the sum of a group by its scale, so that of
// an infinite scale results may differ (docs/accuracy.md): there is none among
// the data, but there are NaNs and subnormal numbers.
//
// RUN: %warpwright verify %s --shapes=3x1024x512 -- -std=c++17 | %FileCheck %s
//
// CHECK: 3x1024x512 special {{.*}} close hopper tile
// CHECK: no mismatch

#include <cuda_bf16.h>

#pragma warpwright matmul tile(16, 128, 64)
__global__ void scaled(const __nv_bfloat16 *X, const unsigned char *W,
                       const float *scale, __nv_bfloat16 *C, int M, int N,
                       int K) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(X[m * K + k]) *
           ((W[n * K + k] - 128) * scale[k / 64 * N + n]);
  C[m * N + n] = __float2bfloat16(acc);
}
