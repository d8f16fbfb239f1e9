// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of the sum have weights.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void weighted_blocks(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int t = 0; t < 4; ++t) {
    float part = 0.0f;
    for (int k = 0; k < K / 4; ++k)
      part += __half2float(A[row * K + t * (K / 4) + k]) *
              __half2float(B[(t * (K / 4) + k) * N + col]);
    acc += part * (t + 1);
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  weighted_blocks<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                                N, K);
  near_miss::report("weighted_blocks", C);
  return 0;
}
