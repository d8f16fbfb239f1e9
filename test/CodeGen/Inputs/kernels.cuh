#pragma once
#include <cuda_bf16.h>

namespace lib {

#pragma warpwright matmul
__global__ void matmul(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                       __nv_bfloat16 *C, int M, int N, int K = 32);

namespace {
#pragma warpwright matmul
__global__ void inline_matmul(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                              __nv_bfloat16 *C, int M, int N, int K) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[row * K + k]) * __bfloat162float(B[col * K + k]);
  C[row * N + col] = __float2bfloat16(acc);
}
} // namespace

} // namespace lib
