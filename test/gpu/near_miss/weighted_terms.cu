// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every term has a weight of its own: products of three.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void weighted_terms(const half *A, const half *B, float *C, int M,
                               int N, int K, const float *scale) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc +=
        scale[k] * __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  check::Matrix<float> scale(1, K);
  scale.integers(9);
  weighted_terms<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                               N, K, scale.data());
  near_miss::report("weighted_terms", C);
  return 0;
}
