// Rewriting is deterministic, does not depend on the output's name, and leaves
// its own results as they are.

// RUN: %warpwright rewrite %s -o %t.one.cu -- %parse
// RUN: %warpwright rewrite %s -o %t.two.cu -- %parse
// RUN: diff %t.one.cu %t.two.cu
// RUN: cp %t.one.cu %t.again.cu
// RUN: %warpwright rewrite %t.again.cu --in-place -- %parse
// RUN: diff %t.one.cu %t.again.cu

#include <cuda_bf16.h>

#pragma warpwright matmul
template <typename T, int BLOCK>
__global__ void matmul(const T *A, const T *B, T *C, int M, int N, int K) {
  int row = blockIdx.y * BLOCK + threadIdx.y;
  int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += static_cast<float>(A[row * K + k]) * static_cast<float>(B[k * N + col]);
  C[row * N + col] = static_cast<T>(acc);
}

void run(__nv_bfloat16 *p) {
  matmul<__nv_bfloat16, 16><<<1, dim3(16, 16)>>>(p, p, p, 16, 16, 16);
  matmul<__nv_bfloat16, 32><<<1, dim3(32, 32)>>>(p, p, p, 32, 32, 32);
}
